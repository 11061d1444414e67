/* Words that were meant. */
#ifndef BASE_WORDS_H
#define BASE_WORDS_H

/* Which of the words is so near that `word` must be a slip of it; NULL if none is. */
const char *nearest_word(const char *word, const char *const *words, int count);

#endif
