#include "cli/laws_quick.h"

#include <stdio.h>
#include <string.h>

extern const char laws_quick_record[]; /* lines of JSON */

/* The text of a key in a line. Our own file: its texts have no quotes in them, and every key is there. */
static void find_text(const char *line, const char *key, char text[QUICK_TEXT])
{
    char quoted[QUICK_TEXT];
    int length = snprintf(quoted, sizeof quoted, "\"%s\": \"", key);
    const char *at = strstr(line, quoted) + length;
    snprintf(text, QUICK_TEXT, "%.*s", (int)strcspn(at, "\""), at);
}

bool laws_quick_next(quick_case *c)
{
    quick_case before = *c;
    for (const char *line = c->next ? c->next : laws_quick_record; *line; line = c->next) {
        find_text(line, "law", c->law);
        find_text(line, "method", c->method);
        find_text(line, "settings", c->settings);
        c->next = line + strcspn(line, "\n");
        c->next += *c->next == '\n';
        /* A line for each figure; those of a case stand together. */
        bool is_same = strcmp(c->law, before.law) == 0 && strcmp(c->method, before.method) == 0 &&
                       strcmp(c->settings, before.settings) == 0;
        if (!is_same) return true;
    }
    return false;
}
