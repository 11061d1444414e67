/* `dew list`: what there is to choose from. */
#include "base/words.h"
#include "cli/cli.h"
#include "cli/scenes.h"
#include "definition/definition.h"
#include "dew/dew.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: dew list [scenes | methods | quantities | shapes | METHOD]\n"
    "\n"
    "Shows the scenes (in ./scenes and where dew is installed), the methods with their parameters, the\n"
    "quantities that probes can measure, and the shapes of scene files. With a word, that part only; with a "
    "method's name, its parameters.";

static void print_scenes(void)
{
    scene_list scenes = scenes_find();
    puts("Scenes (dew run SCENE):");
    for (int i = 0; i < scenes.count; i++) printf("  %-44s %s\n", scenes.list[i].path, scenes.list[i].title);
    if (scenes.count == 0) puts("  none in ./scenes or " DEW_SCENES);
    scenes_free(&scenes);
}

static void print_parameter(const dew_parameter *p)
{
    char value[64];
    if (p->choices) {
        int length;
        const char *word = words_at(p->choices, (int)p->default_value, &length);
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
    char features[1024];
    cli_format_features(features, sizeof features, m->features);
    printf("  %s: %s\n  %s\n  can: %s\n", m->name, m->title, m->source, features);
    printf("  walls that name no slip length: %s\n", m->slip_length == 0     ? "hold the liquid (slip_length: 0)"
                                                     : isinf(m->slip_length) ? "the liquid slips (slip_length: free)"
                                                                             : "slip by a length of the method's");
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
    puts("Quantities (for probes; rest: of a drop at rest, also where it moves):");
    for (int i = 0; i < dew_quantity_count(); i++) {
        const char *unit = dew_quantity_unit(i);
        printf("  %-19s %-7s %-5s %s\n", dew_quantity_name(i), strcmp(unit, "1") ? unit : "",
               dew_quantity_needs_rest(i) ? "rest" : "", dew_quantity_sentence(i));
    }
}

static void print_properties(const dew_property_table *table)
{
    for (int k = 0; k < table->count; k++) {
        const dew_property *p = &table->properties[k];
        printf("    %-14s %-4s %s\n", p->key, unit_suffix(p->unit), p->sentence);
    }
}

static void print_shapes(void)
{
    puts("Shapes (more: docs/scene-format.md):");
    for (int k = 0; k < shape_table.count; k++) {
        const dew_property *p = &shape_table.properties[k];
        printf("  %s%s: %s\n", p->key, p->type == DEW_PROPERTY_LIST ? ": [shape, shape, ...]" : "", p->sentence);
        if (p->type == DEW_PROPERTY_RECORD) print_properties(p->table);
    }
}

static const struct part {
    const char *name;
    void (*print)(void);
} parts[] = {
    {"scenes", print_scenes}, {"methods", print_methods}, {"quantities", print_quantities}, {"shapes", print_shapes}};
enum { PARTS = sizeof parts / sizeof *parts };

static const char *word_at(int index) { return index < PARTS ? parts[index].name : cli_method_name(index - PARTS); }

static int unknown_part(const char *word)
{
    const char *nearest = cli_nearest(word, word_at);
    return cli_wrong(
        "list", "there is no '%s'%s%s%s; `dew list` knows scenes, methods, quantities, shapes and each method's name",
        word, nearest ? " (did you mean '" : "", nearest ? nearest : "", nearest ? "'?)" : "");
}

static int print_part(const char *word)
{
    const dew_method_info *m = dew_method_find(word);
    int i = 0;
    while (i < PARTS && strcmp(word, parts[i].name) != 0) i++;
    if (!m && i == PARTS) return unknown_part(word);
    if (m)
        print_method(m);
    else
        parts[i].print();
    return STATUS_DONE;
}

int command_list(int argc, char **argv)
{
    int status = cli_read_options("list", help, &(cli_option){0}, argc, argv);
    if (status != STATUS_GO_ON) return status;
    for (int i = 0; i < PARTS && optind == argc; i++) {
        if (i > 0) putchar('\n');
        parts[i].print();
    }
    for (int i = optind; i < argc; i++)
        if (print_part(argv[i]) != STATUS_DONE) return STATUS_WRONG;
    return STATUS_DONE;
}
