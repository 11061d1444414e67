/* `dew list`: what there is to choose from. */
#include "cli/cli.h"
#include "cli/scenes.h"
#include "dew/dew.h"
#include "scene/tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int print_help(void)
{
    puts("usage: dew list [scenes | methods | quantities | shapes | METHOD]\n"
         "\n"
         "Shows the scenes (in ./scenes and where dew is installed), the methods with their parameters, the\n"
         "quantities that probes can measure, and the shapes of scene files. With a word, that part only; with a "
         "method's name, its parameters.");
    return STATUS_DONE;
}

static void print_scenes(void)
{
    scene_list scenes = scenes_find();
    puts("Scenes (dew run SCENE):");
    for (int i = 0; i < scenes.count; i++) printf("  %-44s %s\n", scenes.list[i].path, scenes.list[i].title);
    if (scenes.count == 0) puts("  none in ./scenes or " DEW_SCENES);
    scenes_free(&scenes);
}

/* The word number `index` of words separated by '|'. */
static int choice_word(const char *choices, int index, const char **word)
{
    while (index-- > 0) choices += strcspn(choices, "|") + 1;
    *word = choices;
    return (int)strcspn(choices, "|");
}

static void print_parameter(const dew_parameter *p)
{
    char value[64];
    if (p->choices) {
        const char *word;
        int length = choice_word(p->choices, (int)p->default_value, &word);
        printf("    %-22s %-14.*s %s (%s)\n", p->name, length, word, p->sentence, p->choices);
        return;
    }
    bool is_pure = strcmp(p->unit, "1") == 0;
    snprintf(value, sizeof value, "%.6g%s%s", p->default_value, is_pure ? "" : " ", is_pure ? "" : p->unit);
    printf("    %-22s %-14s %s (", p->name, value, p->sentence);
    if (isfinite(p->max))
        printf("%g .. %g)\n", p->min, p->max);
    else if (isfinite(p->min))
        printf("%g or more)\n", p->min);
    else
        puts("any)");
}

static void print_method(const dew_method_info *m)
{
    char features[256];
    cli_format_features(features, sizeof features, m->features);
    printf("  %s: %s\n  %s\n  can: %s\n", m->name, m->title, m->source, features);
    printf("  parameters (--set %s.NAME=VALUE):\n", m->name);
    for (int i = 0; i < m->parameter_count; i++) print_parameter(&m->parameters[i]);
}

static void print_methods(void)
{
    puts("Methods (--method M):");
    for (int i = 0; i < dew_method_count(); i++) print_method(dew_method_at(i));
}

static void print_quantities(void)
{
    puts("Quantities (for probes):");
    for (int i = 0; i < dew_quantity_count(); i++) {
        const char *unit = dew_quantity_unit(i);
        printf("  %-18s %-8s %s\n", dew_quantity_name(i), strcmp(unit, "1") ? unit : "", dew_quantity_sentence(i));
    }
}

static void print_shapes(void)
{
    puts("Shapes (more: docs/scene-format.md):");
    const key_table *table;
    for (int i = 0; (table = shapes_table_at(i)); i++) {
        printf("  %s%s\n", table->name, table->count ? "" : ": [shape, shape, ...]");
        for (int k = 0; k < table->count; k++) {
            const key *entry = &table->keys[k];
            const char *unit = keys_unit_suffix(entry->unit);
            printf("    %-14s %-4s %s\n", entry->name, unit, entry->sentence);
        }
    }
}

static int unknown_part(const char *word)
{
    enum { MOST_WORDS = 64 };
    const char *words[MOST_WORDS] = {"scenes", "methods", "quantities", "shapes"};
    for (int i = 0; i < dew_method_count() && i < MOST_WORDS - 5; i++) words[4 + i] = dew_method_at(i)->name;
    const char *nearest = cli_nearest(word, words);
    return cli_wrong(
        "list", "there is no '%s'%s%s%s; `dew list` knows scenes, methods, quantities, shapes and each method's name",
        word, nearest ? " (did you mean '" : "", nearest ? nearest : "", nearest ? "'?)" : "");
}

static int print_part(const char *word)
{
    const dew_method_info *m = dew_method_find(word);
    if (m)
        print_method(m);
    else if (strcmp(word, "scenes") == 0)
        print_scenes();
    else if (strcmp(word, "methods") == 0)
        print_methods();
    else if (strcmp(word, "quantities") == 0)
        print_quantities();
    else if (strcmp(word, "shapes") == 0)
        print_shapes();
    else
        return unknown_part(word);
    return STATUS_DONE;
}

int command_list(int argc, char **argv)
{
    static const struct option options[] = {{"help", no_argument, NULL, 'h'}, {0}};
    optind = 0;
    for (int letter; (letter = cli_next_option("list", argc, argv, ":h", options)) != -1;) {
        if (letter == 'h') return print_help();
        return STATUS_WRONG;
    }
    if (optind < argc) {
        for (int i = optind; i < argc; i++) {
            if (print_part(argv[i]) != STATUS_DONE) return STATUS_WRONG;
        }
        return STATUS_DONE;
    }
    print_scenes();
    putchar('\n');
    print_methods();
    putchar('\n');
    print_quantities();
    putchar('\n');
    print_shapes();
    return STATUS_DONE;
}
