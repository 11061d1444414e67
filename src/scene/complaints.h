/* Mistakes of a scene: collected while it is read, shown together in the order of their places. */
#ifndef SCENE_COMPLAINTS_H
#define SCENE_COMPLAINTS_H

#include "base/arena.h"

#include <stddef.h>

/* Where something stands: a stretch of one line of a source. Source 0 is the scene file, others are options of a
 * command, which have no lines. */
typedef struct place {
    int source;
    int line, column; /* from 1; line 0: the source as a whole */
    int length;       /* in characters; at least 1 is marked */
} place;

typedef struct complaints complaints;

/* Lives in `memory`, as do its texts. NULL without memory. */
complaints *complaints_create(arena *memory);
/* A source by the name it has in messages ("drop.yaml", "--set spacing=1 mm"); `text` NULL for one without lines.
 * Returns its number, -1 without memory. */
int complaints_add_source(complaints *c, const char *label, const char *text);
/* Complaints about the same sources, none yet, in the same memory. */
complaints *complaints_about_same(const complaints *c);
/* Gives a source its lines, once they have been read. */
void complaints_set_text(complaints *c, int source, const char *text);
/* Notes a mistake; `hint` (what would be right) may be NULL. */
__attribute__((format(printf, 4, 5))) void complain(complaints *c, place at, const char *hint, const char *format, ...);
int complaints_count(const complaints *c);
/* The memory in which complaints and the hints for them live. */
arena *complaints_memory(const complaints *c);
/* All of them; the caller frees it. NULL without memory. */
char *complaints_text(const complaints *c);

/* printf into `memory`; "" without memory. */
__attribute__((format(printf, 2, 3))) const char *text_format(arena *memory, const char *format, ...);
const char *text_copy(arena *memory, const char *text, size_t length);

/* The hint for an unknown word: "did you mean 'radius'?", or the words there are ("known keys: a, b" for `what` =
 * "keys"). */
const char *suggest(arena *memory, const char *word, const char *what, const char *const *words, int count);

#endif
