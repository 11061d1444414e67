/* What the commands of `dew` share: how they are named, how their options are read, how they complain. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "dew/result.h"

#include <getopt.h> /* optind */
#include <stdbool.h>
#include <stddef.h>

/* Exit statuses. */
enum { STATUS_DONE = 0, STATUS_FAILED = 1, STATUS_WRONG = 2 };

/* The commands: one file each; argv[0] is the command's name. */
int command_run(int argc, char **argv);
int command_check(int argc, char **argv);
int command_list(int argc, char **argv);
int command_schema(int argc, char **argv);
int command_info(int argc, char **argv);
int command_measure(int argc, char **argv);
int command_laws(int argc, char **argv);
int command_bench(int argc, char **argv);

/* "dew run: " and the text on standard error; returns STATUS_WRONG. */
__attribute__((format(printf, 2, 3))) int cli_wrong(const char *name, const char *format, ...);
/* The exit status for a result: STATUS_WRONG for DEW_INVALID, else STATUS_FAILED. */
int cli_status(dew_result result);
/* Tells dew_message() as cli_wrong does; returns the exit status for the result. */
int cli_failed(const char *name, dew_result result);

/* Word number `index` of those there are; NULL behind the last. */
typedef const char *cli_words(int index);
/* The one that is nearest to `word` by typing mistakes; NULL if none is near. */
const char *cli_nearest(const char *word, cli_words *words);
/* "dew laws: there is no law 'lapalce'; did you mean 'laplace'?; `dew laws --list` shows those there are". `what` and
 * `list`: "law", "dew laws --list". Returns STATUS_WRONG. */
int cli_unknown(const char *name, const char *what, const char *word, cli_words *words, const char *list);
cli_words cli_method_name;

typedef struct cli_option cli_option;
/* Takes an option's value; STATUS_DONE, or another status after a complaint. */
typedef int cli_reader(const cli_option *option, const char *command, const char *value);
/* An option of a command: "--name", "-letter". */
struct cli_option {
    const char *name;
    char letter; /* 0: no short form */
    cli_reader *read;
    void *to; /* what it sets */
};
cli_reader cli_read_flag;   /* bool; the only one without a value */
cli_reader cli_read_text;   /* const char * */
cli_reader cli_read_folder; /* const char *, not empty */
cli_reader cli_read_count;  /* int, 1 or more */
cli_reader cli_read_index;  /* int, 0 or more */
cli_reader cli_read_word;   /* word_list, one more */

enum { STATUS_GO_ON = -1 };
/* Reads the options (ended by one without a name) of a command line; --help, which every command has, prints `help`.
 * STATUS_GO_ON: what is left begins at argv[optind]; else the command is done with that status. */
int cli_read_options(const char *name, const char *help, const cli_option *options, int argc, char **argv);

/* Features (of dew_feature) by name: "2D, contact angle". */
void cli_format_features(char *text, size_t size, unsigned features);

/* The values of an option that may be repeated, such as --set; `words` is to be freed. */
typedef struct word_list {
    const char **words;
    int count;
} word_list;

#endif
