/* `dew`: the commands and their help. */
#include "cli/cli.h"
#include "dew/dew.h"

#include <stdio.h>
#include <string.h>

typedef struct command {
    const char *name, *summary;
    int (*run)(int argc, char **argv);
} command;

static const command commands[] = {
    {"run", "simulate a scene: frames, pictures, probes", command_run},
    {"check", "read a scene and say what is wrong with it", command_check},
    {"list", "scenes, methods and their parameters", command_list},
    {"schema", "a JSON Schema of scene files, for editors", command_schema},
    {"info", "what a file of dew's holds", command_info},
    {"measure", "quantities of the frames of a run", command_measure},
    {"laws", "judge methods by laws of physics", command_laws},
    {"bench", "measure speed and memory", command_bench},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static int print_help(void)
{
    puts("dew " DEW_VERSION ": liquids where surface tension rules\n"
         "\n"
         "usage: dew COMMAND [ARGUMENTS]\n");
    for (int i = 0; i < COMMANDS; i++) printf("  %-8s %s\n", commands[i].name, commands[i].summary);
    puts("\n"
         "  dew COMMAND --help says more about each.\n"
         "\n"
         "Begin with:  dew list\n"
         "             dew run scenes/pbf/impaled-droplet.yaml\n"
         "\n"
         "Exit status: 0 done, 1 failed while running, 2 the input is wrong.");
    return STATUS_DONE;
}

static const char *command_name(int index) { return index < COMMANDS ? commands[index].name : NULL; }

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_help();
        return STATUS_WRONG;
    }
    const char *word = argv[1];
    bool asks_help = strcmp(word, "help") == 0;
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || (asks_help && argc < 3)) return print_help();
    if (strcmp(word, "--version") == 0) {
        puts("dew " DEW_VERSION);
        return STATUS_DONE;
    }
    for (int i = 0; i < COMMANDS; i++) {
        if (strcmp(asks_help ? argv[2] : word, commands[i].name) != 0) continue;
        if (asks_help) return commands[i].run(2, (char *[]){argv[2], "--help", NULL});
        return commands[i].run(argc - 1, argv + 1);
    }
    return cli_unknown("", "command", asks_help ? argv[2] : word, command_name, "dew --help");
}
