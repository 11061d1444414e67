#include "cli/differences.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MOST_SHOWN = 6, SHOWN = 100 };

static bool has_line(const char *text, const char *line, size_t length)
{
    for (; *text; text += strcspn(text, "\n"), text += *text == '\n')
        if (strcspn(text, "\n") == length && strncmp(text, line, length) == 0) return true;
    return false;
}

static void print_lacking(const char *label, const char *text, const char *other)
{
    int count = 0;
    for (const char *line = text; *line;) {
        size_t length = strcspn(line, "\n"), indent = strspn(line, " ");
        if (length > indent && line[indent] != '#' && !has_line(other, line, length) && ++count <= MOST_SHOWN) {
            int shown = (int)(length - indent < SHOWN ? length - indent : SHOWN);
            fprintf(stderr, "  %s  %.*s%s\n", label, shown, line + indent, length - indent > SHOWN ? "..." : "");
        }
        line += length + (line[length] == '\n');
    }
    if (count > MOST_SHOWN) fprintf(stderr, "  %s  ... and %d lines more\n", label, count - MOST_SHOWN);
}

void differences_print(const char *before, const char *now)
{
    print_lacking("was", before, now);
    print_lacking("now", now, before);
}
