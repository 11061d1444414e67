/* Words that were meant, their characters, and lists of words in one text: "cubic|hexagonal". */
#ifndef BASE_WORDS_H
#define BASE_WORDS_H

/* Which of the words is so near that `word` must be a slip of it; NULL if none is. */
const char *nearest_word(const char *word, const char *const *words, int count);

/* Bytes of the character of UTF-8 that begins here; 0 where none does. */
int utf8_length(const char *text);

/* Index of `word` among words, or -1; in a list. */
int word_index(const char *const *words, int count, const char *word);
int words_find(const char *words, const char *word);
/* How many words a list has; 0 of NULL. */
int words_count(const char *words);
/* The word at an index, not ended by 0: its length is *length (for "%.*s"). */
const char *words_at(const char *words, int index, int *length);

#endif
