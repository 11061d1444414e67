#include "cli/cli.h"

#include "base/words.h"
#include "dew/method.h"

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

int cli_failed(const char *name, dew_result result)
{
    cli_wrong(name, "%s", dew_message());
    return cli_status(result);
}

const char *cli_nearest(const char *word, cli_words *words)
{
    enum { MOST_WORDS = 128 };
    const char *all[MOST_WORDS];
    int count = 0;
    while (count < MOST_WORDS && (all[count] = words(count))) count++;
    return nearest_word(word, all, count);
}

const char *cli_method_name(int index)
{
    const dew_method_info *method = dew_method_at(index);
    return method ? method->name : NULL;
}

int cli_unknown(const char *name, const char *what, const char *word, cli_words *words, const char *list)
{
    const char *nearest = cli_nearest(word, words);
    return cli_wrong(name, "there is no %s '%s'%s%s%s; `%s` shows those there are", what, word,
                     nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "", list);
}

/* --- options --- */

enum { MOST_OPTIONS = 32, NO_LETTER = 256 };

static int unknown_option(const char *name, const char *given, const struct option *options)
{
    const char *words[MOST_OPTIONS + 1];
    char word[64];
    int count = 0;
    for (; options[count].name; count++) words[count] = options[count].name;
    snprintf(word, sizeof word, "%.*s", (int)strcspn(given, "="), given);
    const char *bare = word + strspn(word, "-"), *nearest = nearest_word(bare, words, count);
    cli_wrong(name, "there is no option %s%s%s%s; `dew %s --help` shows those there are", word,
              nearest ? "; did you mean --" : "", nearest ? nearest : "", nearest ? "?" : "", name);
    return '?';
}

/* getopt_long: the next option's letter, -1 at the end, '?' after a complaint with a suggestion. */
static int next_option(const char *name, int argc, char **argv, const char *letters, const struct option *options)
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

int cli_read_options(const char *name, const char *help, const cli_option *options, int argc, char **argv)
{
    struct option table[MOST_OPTIONS + 2] = {{"help", no_argument, NULL, 'h'}};
    char letters[2 * MOST_OPTIONS + 3] = ":h", *end = letters + 2;
    for (int i = 0; options[i].name && i < MOST_OPTIONS; i++) {
        bool has_value = options[i].read != cli_read_flag;
        table[i + 1] = (struct option){options[i].name, has_value, NULL, NO_LETTER + i};
        if (options[i].letter) *end++ = options[i].letter;
        if (options[i].letter && has_value) *end++ = ':';
    }
    optind = 0;
    for (int letter; (letter = next_option(name, argc, argv, letters, table)) != -1;) {
        if (letter == '?') return STATUS_WRONG;
        if (letter == 'h') {
            puts(help);
            return STATUS_DONE;
        }
        const cli_option *option = options;
        while (letter < NO_LETTER ? option->letter != letter : option != options + (letter - NO_LETTER)) option++;
        int status = option->read(option, name, optarg);
        if (status != STATUS_DONE) return status;
    }
    return STATUS_GO_ON;
}

int cli_read_flag(const cli_option *option, const char *command, const char *value)
{
    (void)command, (void)value;
    *(bool *)option->to = true;
    return STATUS_DONE;
}

int cli_read_text(const cli_option *option, const char *command, const char *value)
{
    (void)command;
    *(const char **)option->to = value;
    return STATUS_DONE;
}

int cli_read_folder(const cli_option *option, const char *command, const char *value)
{
    if (!*value) return cli_wrong(command, "--%s needs the name of a folder", option->name);
    return cli_read_text(option, command, value);
}

static int read_number(const cli_option *option, const char *command, const char *text, int min)
{
    char *end;
    errno = 0;
    long number = strtol(text, &end, 10);
    if (end == text || *end || errno || number < min || number > INT_MAX)
        return cli_wrong(command, "--%s is '%s'; it must be a whole number, %d or more", option->name, text, min);
    *(int *)option->to = (int)number;
    return STATUS_DONE;
}

int cli_read_count(const cli_option *option, const char *command, const char *value)
{
    return read_number(option, command, value, 1);
}

int cli_read_index(const cli_option *option, const char *command, const char *value)
{
    return read_number(option, command, value, 0);
}

int cli_read_word(const cli_option *option, const char *command, const char *value)
{
    word_list *list = option->to;
    const char **grown = realloc(list->words, ((size_t)list->count + 1) * sizeof *grown);
    if (!grown) {
        cli_wrong(command, "no memory for --%s", option->name);
        return STATUS_FAILED;
    }
    list->words = grown;
    list->words[list->count++] = value;
    return STATUS_DONE;
}

void cli_format_features(char *text, size_t size, unsigned features)
{
    size_t used = 0;
    text[0] = '\0';
    for (unsigned bit = 1; bit && bit <= features; bit <<= 1)
        if (features & bit && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", dew_feature_name(bit));
}
