#include "cli/cli.h"

#include "base/words.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cli_wrong(const char *name, const char *format, ...)
{
    fprintf(stderr, "dew%s%s: ", *name ? " " : "", name);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    return STATUS_WRONG;
}

int cli_status(dew_result result)
{
    return result == DEW_OK ? STATUS_DONE : result == DEW_INVALID ? STATUS_WRONG : STATUS_FAILED;
}

const char *cli_nearest(const char *word, const char *const *words)
{
    int count = 0;
    while (words[count]) count++;
    return nearest_word(word, words, count);
}

static int unknown_option(const char *name, const char *given, const struct option *options)
{
    const char *words[64];
    char word[64];
    int count = 0;
    while (options[count].name && count < 63) words[count] = options[count].name, count++;
    words[count] = NULL;
    snprintf(word, sizeof word, "%.*s", (int)strcspn(given, "="), given);
    const char *bare = word + strspn(word, "-"), *nearest = cli_nearest(bare, words);
    cli_wrong(name, "there is no option %s%s%s%s; `dew %s --help` shows those there are", word,
              nearest ? "; did you mean --" : "", nearest ? nearest : "", nearest ? "?" : "", name);
    return '?';
}

int cli_next_option(const char *name, int argc, char **argv, const char *letters, const struct option *options)
{
    opterr = 0;
    int at = optind ? optind : 1;
    int letter = getopt_long(argc, argv, letters, options, NULL);
    if (letter == ':') {
        cli_wrong(name, "%s needs a value; `dew %s --help` shows which", argv[optind - 1], name);
        return '?';
    }
    if (letter != '?') return letter;
    const char *given = optind - 1 >= 1 ? argv[optind - 1] : argv[at];
    if (optopt > 0 && optopt < 128 && strncmp(given, "--", 2) != 0) {
        char short_option[3] = {'-', (char)optopt, 0};
        return unknown_option(name, short_option, options);
    }
    return unknown_option(name, given, options);
}

bool cli_read_count(const char *name, const char *option, const char *text, int min, int *value)
{
    char *end;
    errno = 0;
    long number = strtol(text, &end, 10);
    if (end == text || *end || errno || number < min || number > INT_MAX) {
        cli_wrong(name, "%s is '%s'; it must be a whole number, %d or more", option, text, min);
        return false;
    }
    *value = (int)number;
    return true;
}

void cli_format_features(char *text, size_t size, unsigned features)
{
    static const char *const names[] = {
        "3D",       "2D",       "two liquids",    "heat",    "springs", "rigid bodies", "contact angle",
        "periodic", "symmetry", "elastic solids", "no slip", "solute"};
    size_t used = 0;
    text[0] = '\0';
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (features >> i & 1 && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", names[i]);
}

bool word_list_add(word_list *list, const char *word)
{
    const char **grown = realloc(list->words, ((size_t)list->count + 1) * sizeof *grown);
    if (!grown) return false;
    list->words = grown;
    list->words[list->count++] = word;
    return true;
}
