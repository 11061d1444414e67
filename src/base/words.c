#include "base/words.h"

#include <string.h>
#include <strings.h>

enum { MAX_WORD = 64 };

/* The fewest letters to insert, drop, change or swap with the next to turn a into b (optimal string alignment). */
static int distance_of_words(const char *a, const char *b)
{
    int m = (int)strlen(a), n = (int)strlen(b), d[3][MAX_WORD + 1];
    if (m > MAX_WORD || n > MAX_WORD) return MAX_WORD;
    for (int j = 0; j <= n; j++) d[0][j] = j;
    for (int i = 1; i <= m; i++) {
        int *row = d[i % 3], *above = d[(i + 2) % 3], *above2 = d[(i + 1) % 3];
        row[0] = i;
        for (int j = 1; j <= n; j++) {
            int best = above[j - 1] + (a[i - 1] != b[j - 1]);
            if (above[j] + 1 < best) best = above[j] + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && above2[j - 2] + 1 < best)
                best = above2[j - 2] + 1;
            row[j] = best;
        }
    }
    return d[m % 3][n];
}

const char *nearest_word(const char *word, const char *const *words, int count)
{
    int best = MAX_WORD, longest = (int)strlen(word);
    const char *nearest = NULL;
    for (int k = 0; k < count; k++) {
        int distance = strcasecmp(word, words[k]) == 0 ? 0 : distance_of_words(word, words[k]);
        if (distance < best) best = distance, nearest = words[k];
    }
    if (nearest && (int)strlen(nearest) > longest) longest = (int)strlen(nearest);
    int allowed = longest <= 3 ? 1 : longest <= 6 ? 2 : longest / 3;
    return best <= allowed ? nearest : NULL;
}

int word_index(const char *const *words, int count, const char *word)
{
    for (int k = 0; k < count; k++)
        if (strcmp(words[k], word) == 0) return k;
    return -1;
}

int utf8_length(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    int length = *c < 0x80 ? 1 : *c < 0xc2 ? 0 : *c < 0xe0 ? 2 : *c < 0xf0 ? 3 : *c < 0xf5 ? 4 : 0;
    for (int k = 1; k < length; k++)
        if ((c[k] & 0xc0) != 0x80) return 0;
    return length;
}

int words_count(const char *words)
{
    int count = words != NULL;
    for (const char *c = words; c && (c = strchr(c, '|')); c++) count++;
    return count;
}

const char *words_at(const char *words, int index, int *length)
{
    for (; index > 0; index--) words += strcspn(words, "|") + 1;
    *length = (int)strcspn(words, "|");
    return words;
}

int words_find(const char *words, const char *word)
{
    for (int index = 0, length; index < words_count(words); index++) {
        const char *here = words_at(words, index, &length);
        if (strlen(word) == (size_t)length && strncmp(here, word, (size_t)length) == 0) return index;
    }
    return -1;
}
