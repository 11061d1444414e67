/* The quick cases: laws at sizes that take seconds, as tools/quick_laws.py has measured them (docs/laws_quick.jsonl,
 * which the program carries). */
#ifndef CLI_LAWS_QUICK_H
#define CLI_LAWS_QUICK_H

#include <stdbool.h>

enum { QUICK_TEXT = 200 };

typedef struct quick_case {
    char law[QUICK_TEXT], method[QUICK_TEXT];
    char settings[QUICK_TEXT]; /* words of --set, with blanks between */
    const char *next;          /* in the record */
} quick_case;

/* The record's next case; the first one for a case of zeros. False: there is none. */
bool laws_quick_next(quick_case *c);

#endif
