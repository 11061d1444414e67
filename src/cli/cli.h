/* What the commands of `dew` share: how they are named, how their options are read, how they complain. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "dew/result.h"

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>

/* Exit statuses. */
enum { STATUS_DONE = 0, STATUS_FAILED = 1, STATUS_WRONG = 2 };

typedef struct command {
    const char *name, *summary;
    int (*run)(int argc, char **argv); /* argv[0]: the command's name */
} command;

/* One file each. */
int command_run(int argc, char **argv);
int command_check(int argc, char **argv);
int command_list(int argc, char **argv);
int command_info(int argc, char **argv);
int command_laws(int argc, char **argv);
int command_bench(int argc, char **argv);

/* "dew run: " and the text on standard error; returns STATUS_WRONG. */
__attribute__((format(printf, 2, 3))) int cli_wrong(const char *name, const char *format, ...);
/* The exit status for a result: STATUS_WRONG for DEW_INVALID, else STATUS_FAILED. */
int cli_status(dew_result result);

/* The word of `words` (ended by NULL) that is nearest to `word` by typing mistakes; NULL if none is near. */
const char *cli_nearest(const char *word, const char *const *words);

/* getopt_long for a command: the next option's letter, -1 at the end, '?' after a complaint with a suggestion. */
int cli_next_option(const char *name, int argc, char **argv, const char *letters, const struct option *options);
/* Reads a whole number of at least `min`; false after a complaint. */
bool cli_read_count(const char *name, const char *option, const char *text, int min, int *value);

/* Features (of dew_feature) by name: "2D, contact angle". */
void cli_format_features(char *text, size_t size, unsigned features);

/* Repeatable options such as --set. */
typedef struct word_list {
    const char **words;
    int count;
} word_list;
bool word_list_add(word_list *list, const char *word);

#endif
