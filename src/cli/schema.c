/* `dew schema`: a JSON Schema of scene files, for editors that complete and check them, from the tables that the reader
 * uses. */
#include "base/json.h"
#include "base/words.h"
#include "cli/cli.h"
#include "definition/changes.h"
#include "dew/dew.h"
#include "scene/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char help[] =
    "usage: dew schema\n"
    "\n"
    "Prints a JSON Schema (draft 2020-12) of scene files. Editors complete, explain and check scenes by it: see\n"
    "docs/scene-format.md.";

static void print_text(const char *text) { json_text(&(json){.stream = stdout}, NULL, text); }

/* A regular expression of numbers with a unit, or without one where that is allowed. YAML takes some numbers for texts,
 * such as 1e-3. */
static void print_quantity(const dew_property *p)
{
    const char *sign = p->min < p->max && p->min >= 0 ? "[+]?" : "[+-]?";
    const char *unit = !p->unit                             ? ""
                       : !*unit_suffix(p->unit)             ? "( *%)?"
                       : p->flags & DEW_PROPERTY_NEEDS_UNIT ? " *[^0-9 eE.].*"
                                                            : "( *[^0-9 eE.].*)?";
    printf("{\"type\": \"string\", \"pattern\": \"^%s([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?%s$\"}", sign, unit);
}

static void print_limits(const dew_property *p, const char *least, const char *most)
{
    if (!(p->min < p->max)) return;
    if (isfinite(p->min)) printf(", \"%s\": %.10g", least, p->min);
    if (isfinite(p->max)) printf(", \"%s\": %.10g", most, p->max);
}

/* Numbers, quantities with a unit, and expressions where there may be one. */
static void print_table(const dew_property_table *table, bool may_be_empty);

static void print_number(const dew_property *p)
{
    if (p->flags & DEW_PROPERTY_FUNCTION_ONLY && p->type == DEW_PROPERTY_NUMBER) {
        printf("{\"type\": \"string\"}");
        return;
    }
    printf("{\"anyOf\": [{");
    if (p->flags & DEW_PROPERTY_NEEDS_UNIT && !(p->flags & DEW_PROPERTY_FUNCTION_ONLY))
        printf("\"const\": 0");
    else
        printf("\"type\": \"%s\"", p->type == DEW_PROPERTY_INTEGER ? "integer" : "number");
    print_limits(p, p->flags & DEW_PROPERTY_ABOVE ? "exclusiveMinimum" : "minimum", "maximum");
    printf("}, ");
    if (p->variables)
        printf("{\"type\": \"string\", \"pattern\": \"[^ ]\"}");
    else
        print_quantity(p);
    if (p->words) printf(", {\"const\": \"%s\"}", p->words);
    if (p->either) printf(", "), print_table(p->either->table, false);
    printf("]}");
}

/* One of the words of a list "a|b". */
static void print_words(const char *words)
{
    printf("{\"enum\": [\"");
    for (; *words; words++) printf(*words == '|' ? "\", \"" : "%c", *words);
    printf("\"]}");
}

/* One of the names there are. */
static void print_names(cli_words *name_at)
{
    const char *name;
    printf("{\"enum\": [");
    for (int i = 0; (name = name_at(i)); i++) printf("%s\"%s\"", i ? ", " : "", name);
    printf("]}");
}

/* The keys of the properties with a flag, each between two texts. */
static void print_keys(const dew_property_table *table, unsigned flag, const char *before, const char *after)
{
    const char *between = "";
    for (int k = 0; k < table->count; k++) {
        if (!(table->properties[k].flags & flag)) continue;
        printf("%s%s%s%s", between, before, table->properties[k].key, after);
        between = ", ";
    }
}

/* A shape for a body, or a flat one for an emitter. */
static void print_shape(const dew_property *p)
{
    printf("{\"$ref\": \"#/$defs/shape\", ");
    printf(p->flags & DEW_PROPERTY_FLAT ? "\"anyOf\": [" : "\"not\": {\"anyOf\": [");
    print_keys(&shape_table, DEW_PROPERTY_FLAT, "{\"required\": [\"", "\"]}");
    printf(p->flags & DEW_PROPERTY_FLAT ? "]}" : "]}}");
}

static void print_item(const dew_property *p, bool may_be_empty)
{
    if (p->table->is_union)
        print_shape(p);
    else
        print_table(p->table, may_be_empty);
}

/* What a change may set: paths, each a number, a quantity, a vector or two contact angles. */
static void print_settings(void)
{
    char pattern[512];
    change_pattern(pattern, sizeof pattern);
    printf("{\"anyOf\": [{\"type\": [\"number\", \"string\", \"array\"], \"minItems\": 3, \"maxItems\": 3}, ");
    print_table(&hysteresis_table, false);
    printf("]}, \"propertyNames\": {\"pattern\": ");
    print_text(pattern);
    putchar('}');
}

static void print_list(const dew_property *p)
{
    bool is_keyed = p->flags & DEW_PROPERTY_KEYED;
    printf(is_keyed ? "{\"type\": \"object\", \"additionalProperties\": " : "{\"type\": \"array\", \"items\": ");
    if (p->table->is_value)
        print_settings();
    else
        print_item(p, is_keyed);
    if (is_keyed && p->table->properties[0].type == DEW_PROPERTY_NAME)
        printf(", \"propertyNames\": {\"pattern\": \"^[A-Za-z0-9_-]{1,63}$\"}");
    print_limits(p, is_keyed ? "minProperties" : "minItems", is_keyed ? "maxProperties" : "maxItems");
    putchar('}');
}

static void print_texts(const dew_property *p)
{
    printf("{\"type\": \"array\", \"items\": ");
    if (strcmp(p->words, "quantities") == 0)
        print_names(dew_quantity_name);
    else
        printf("{\"type\": \"string\"}");
    print_limits(p, "minItems", "maxItems");
    putchar('}');
}

static void print_value(const dew_property *p)
{
    switch (p->type) {
    case DEW_PROPERTY_NUMBER:
    case DEW_PROPERTY_INTEGER:
        print_number(p);
        break;
    case DEW_PROPERTY_FLAG:
        printf("{\"type\": \"boolean\"}");
        break;
    case DEW_PROPERTY_WORD:
        print_words(p->words);
        break;
    case DEW_PROPERTY_NAME:
        printf("{\"type\": \"string\", \"pattern\": \"^[A-Za-z0-9_-]{1,63}$\"}");
        break;
    case DEW_PROPERTY_METHOD:
        print_names(cli_method_name);
        break;
    case DEW_PROPERTY_VECTOR:
        printf("{\"type\": \"array\", \"minItems\": 3, \"maxItems\": 3, \"items\": ");
        print_number(p);
        putchar('}');
        break;
    case DEW_PROPERTY_RECORD:
        print_item(p, false);
        break;
    case DEW_PROPERTY_LIST:
        print_list(p);
        break;
    case DEW_PROPERTY_TEXTS:
        print_texts(p);
        break;
    case DEW_PROPERTY_SETTING: /* of a list: see there */
        break;
    case DEW_PROPERTY_TEXT:
    case DEW_PROPERTY_MATERIAL:
    case DEW_PROPERTY_SOLID:
    case DEW_PROPERTY_MESH:
        printf("{\"type\": \"string\"}");
        break;
    }
}

static void print_default(const dew_property *p)
{
    int length;
    const char *word;
    switch (p->type) {
    case DEW_PROPERTY_NUMBER:
    case DEW_PROPERTY_INTEGER:
        if (isfinite(p->value[0])) printf(", \"default\": %.10g", p->value[0]);
        break;
    case DEW_PROPERTY_FLAG:
        printf(", \"default\": %s", p->value[0] != 0 ? "true" : "false");
        break;
    case DEW_PROPERTY_WORD:
        word = words_at(p->words, (int)p->value[0], &length);
        printf(", \"default\": \"%.*s\"", length, word);
        break;
    case DEW_PROPERTY_METHOD:
        printf(", \"default\": \"%s\"", p->text);
        break;
    case DEW_PROPERTY_VECTOR:
        printf(", \"default\": [%.10g, %.10g, %.10g]", p->value[0], p->value[1], p->value[2]);
        break;
    default:
        break;
    }
}

/* An entry of "properties": what it is and may be. Editors do not know "x-unit", but the documentation does. */
static void print_property(const dew_property *p)
{
    const char *unit = unit_suffix(p->unit);
    print_text(p->key);
    printf(": {\"description\": ");
    print_text(p->sentence);
    if (*unit) printf(", \"x-unit\": \"%s\"", unit);
    if (!(p->flags & (DEW_PROPERTY_REQUIRED | DEW_PROPERTY_FUNCTION_ONLY))) print_default(p);
    printf(", \"allOf\": [");
    print_value(p);
    printf("]}");
}

/* Ends "properties" and says which of them must be there. */
static void print_required(const dew_property_table *table)
{
    printf("}, \"required\": [");
    print_keys(table, DEW_PROPERTY_REQUIRED, "\"", "\"");
    putchar(']');
}

/* Just one kind of a tagged union; not two values of which one is in place of the other. */
static void print_exclusions(const dew_property_table *table)
{
    const char *before = ", \"oneOf\": [";
    for (int k = 0; k < table->count && table->is_union; k++) {
        if (!table->properties[k].kind) continue;
        printf("%s{\"required\": [\"%s\"]}", before, table->properties[k].key);
        before = ", ";
    }
    if (table->is_union) putchar(']');
    before = ", \"not\": {\"anyOf\": [";
    bool is_any = false;
    for (int k = 0; k < table->count; k++)
        for (int i = 0; i < table->count; i++) {
            const dew_property *p = &table->properties[k], *other = &table->properties[i];
            if (!p->has_offset || other->unless_offset != p->has_offset) continue;
            printf("%s{\"required\": [\"%s\", \"%s\"]}", before, other->key, p->key);
            before = ", ", is_any = true;
        }
    if (is_any) printf("]}");
}

static void print_row(const dew_property_table *table)
{
    int least = 0;
    printf("{\"type\": \"array\", \"prefixItems\": [");
    for (int k = 0; k < table->count; k++) {
        if (k) printf(", ");
        print_value(&table->properties[k]);
        if (table->properties[k].flags & DEW_PROPERTY_REQUIRED) least = k + 1;
    }
    printf("], \"minItems\": %d, \"maxItems\": %d}", least, table->count);
}

static void print_properties(const dew_property_table *table)
{
    const char *between = "";
    for (int k = 0; k < table->count; k++) {
        if (table->properties[k].flags & DEW_PROPERTY_IS_KEY) continue;
        printf("%s", between);
        print_property(&table->properties[k]);
        between = ",\n";
    }
}

static void print_table(const dew_property_table *table, bool may_be_empty)
{
    if (table->is_row) {
        print_row(table);
        return;
    }
    printf("{\"type\": %s, \"additionalProperties\": false, \"properties\": {",
           may_be_empty ? "[\"object\", \"null\"]" : "\"object\"");
    print_properties(table);
    print_required(table);
    print_exclusions(table);
    putchar('}');
}

static void print_method(const dew_method_info *m)
{
    printf(",\n\"%s\": {\"description\": ", m->name);
    print_text(m->title);
    printf(", \"type\": [\"object\", \"null\"], \"additionalProperties\": false, \"properties\": {");
    for (int i = 0; i < m->parameter_count; i++) {
        const dew_parameter *p = &m->parameters[i];
        if (i) puts(",");
        print_property(&(dew_property){.key = p->name,
                                       .type = p->choices ? DEW_PROPERTY_WORD : DEW_PROPERTY_NUMBER,
                                       .unit = p->unit,
                                       .min = p->min,
                                       .max = p->max,
                                       .value = {p->default_value},
                                       .words = p->choices,
                                       .sentence = p->sentence});
    }
    printf("}}");
}

static void print_schema(void)
{
    puts("{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\", \"title\": \"A scene of dew\",\n"
         "\"type\": \"object\", \"additionalProperties\": false, \"properties\": {");
    print_properties(dew_schema());
    puts(",");
    print_property(&output_property);
    for (int i = 0; i < dew_method_count(); i++) print_method(dew_method_at(i));
    print_required(dew_schema());
    printf(", \"anyOf\": [{\"required\": [\"liquids\"]}, {\"required\": [\"emitters\"]}],\n\"$defs\": {\"shape\": ");
    print_table(&shape_table, false);
    puts("}}");
}

int command_schema(int argc, char **argv)
{
    int status = cli_read_options("schema", help, &(cli_option){0}, argc, argv);
    if (status != STATUS_GO_ON) return status;
    if (optind < argc) return cli_wrong("schema", "it takes no arguments");
    print_schema();
    return STATUS_DONE;
}
