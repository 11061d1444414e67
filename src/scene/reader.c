#include "scene/reader.h"

#include "base/words.h"
#include "definition/changes.h"
#include "dew/dew.h"
#include "methods/method.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 300, NAME_LENGTH = 63 };

void *obtain(reader *r, size_t bytes)
{
    void *memory = arena_zeroed(r->memory, bytes ? bytes : 1);
    if (!memory) r->result = DEW_NO_MEMORY;
    return memory;
}

/* --- complaining --- */

bool wrong_at(reader *r, node *n, place at, const char *hint, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    complain(r->complaints, at, hint, "%s", text);
    n->is_wrong = true;
    return false;
}

/* "a list", "a map", "'text'": what a node is, for messages. */
static const char *describe(reader *r, const node *n)
{
    switch (n->kind) {
    case NODE_NULL:
        return "nothing";
    case NODE_LIST:
        return n->count == 1 ? "a list of 1" : text_format(r->memory, "a list of %d", n->count);
    case NODE_MAP:
        return "a map";
    default:
        return text_format(r->memory, "'%.60s%s'", n->text, strlen(n->text) > 60 ? "..." : "");
    }
}

bool expect_kind(reader *r, const char *name, node *n, node_kind kind)
{
    static const char *const kinds[] = {
        [NODE_MAP] = "a map {key: value, ...}", [NODE_LIST] = "a list [...]", [NODE_TEXT] = "a text"};
    if (n->kind == kind || n->kind == NODE_WRONG) return n->kind == kind;
    return wrong(r, n, NULL, "%s must be %s, not %s", name, kinds[kind], describe(r, n));
}

/* The words of a list "a|b" one by one; their number. */
static int split_words(reader *r, const char *words, const char *list[MAX_WORDS])
{
    int count = words_count(words), length;
    for (int k = 0; k < count; k++) {
        const char *word = words_at(words, k, &length);
        list[k] = text_copy(r->memory, word, (size_t)length);
    }
    return count;
}

/* --- numbers --- */

static const char *unit_hint(reader *r, const dew_property *p)
{
    const char *unit = unit_suffix(p->unit);
    if (!p->unit) return "a number without a unit";
    if (p->words) return text_format(r->memory, "write a number, in %s if it names no unit, or '%s'", unit, p->words);
    if (!*unit) return "it is a pure number";
    return text_format(r->memory, "write a number, in %s if it names no unit", unit);
}

static bool read_quantity(reader *r, const dew_property *p, node *n, double *value)
{
    double number = 0;
    const char *unit = "", *own = unit_suffix(p->unit);
    switch (quantity_read(r->units, n->text, p->unit, &number, &unit)) {
    case QUANTITY_OK:
        break;
    case QUANTITY_UNKNOWN_UNIT:
        return wrong(r, n, unit_hint(r, p), "unknown unit '%s' of %s", unit, p->key);
    case QUANTITY_WRONG_UNIT:
        return wrong(r, n, unit_hint(r, p), "unit '%s' does not fit %s, which %s%s", unit, p->key,
                     *own ? "is in " : "has no unit", own);
    default:
        return wrong(r, n, unit_hint(r, p), "%s must be a number, not %s", p->key, describe(r, n));
    }
    if (p->flags & DEW_PROPERTY_NEEDS_UNIT && !*unit && number != 0)
        return wrong(r, n, text_format(r->memory, "write '%s deg' or '%s rad'", n->text, n->text), "%s needs a unit",
                     p->key);
    *value = number;
    return true;
}

static bool read_number(reader *r, const dew_property *p, node *n, double *value)
{
    if (n->kind == NODE_TEXT && p->words && strcmp(n->text, p->words) == 0) {
        *value = INFINITY;
        return true;
    }
    if (n->kind == NODE_TEXT) return read_quantity(r, p, n, value);
    if (n->kind == NODE_WRONG) return false;
    return wrong(r, n, unit_hint(r, p), "%s must be a number, not %s", p->key, describe(r, n));
}

/* Reads a number whose range the core does not see. */
static bool read_number_in_range(reader *r, const dew_property *p, node *n, double *value)
{
    char text[160];
    double number = 0;
    if (!read_number(r, p, n, &number)) return false;
    if (property_is_wrong(p, number, text, sizeof text)) return wrong(r, n, NULL, "%s %s", p->key, text);
    *value = number;
    return true;
}

static void read_integer(reader *r, const dew_property *p, node *n, int *value)
{
    double number;
    if (!read_number(r, p, n, &number)) return;
    if (number != floor(number) || fabs(number) > 2147483647.0)
        wrong(r, n, NULL, "%s must be a whole number, not %s", p->key, n->text);
    else
        *value = (int)number;
}

/* What an expression depends on must be followed. */
static void follow_variables(reader *r, node *n, dew_function f, const char *variables)
{
    static const struct {
        char variable;
        unsigned feature;
    } followed[] = {{'T', DEW_FEATURE_HEAT}, {'c', DEW_FEATURE_SOLUTE}};
    for (int k = 0; k < 2; k++) {
        if (!strchr(variables, followed[k].variable) || !expression_uses(f, followed[k].variable)) continue;
        if (r->method && !(r->method->features & followed[k].feature))
            wrong(r, n, method_who_can(followed[k].feature),
                  "method '%s' cannot do %s, which an expression of %c needs", r->method->name,
                  dew_feature_name(followed[k].feature), followed[k].variable);
        else
            *(k ? &r->scene->def.has_solute : &r->scene->def.has_heat) = true;
    }
}

static bool read_function(reader *r, const dew_property *p, node *n, const char *text, dew_function *function)
{
    expression_error error;
    expression *e = expression_create(text, p->variables, &error);
    expression_link *link = e ? obtain(r, sizeof *link) : NULL;
    if (!link) {
        expression_destroy(e);
        place at = n->at;
        if (error.position >= 0 && at.line > 0 && !strchr(n->text, '\n')) at.column += error.position, at.length = 1;
        return wrong_at(r, n, at, NULL, "bad expression of %s: %s", p->key, error.text);
    }
    *link = (expression_link){e, r->scene->expressions};
    r->scene->expressions = link;
    *function = expression_function(e);
    follow_variables(r, n, *function, p->variables);
    return true;
}

/* A number, or a function where the property can be one. */
static void read_component(reader *r, const dew_property *p, node *n, double *value, dew_function *function)
{
    double number = 0;
    if (function && n->kind == NODE_TEXT && !looks_like_quantity(n->text)) {
        read_function(r, p, n, n->text, function);
        return;
    }
    if (!read_number(r, p, n, &number)) return;
    if (!(p->flags & DEW_PROPERTY_FUNCTION_ONLY))
        *value = number;
    else if (p->type == DEW_PROPERTY_NUMBER)
        wrong(r, n, p->sentence, "%s must be an expression, not the number %s", p->key, n->text);
    else if (number != 0) /* among expressions it becomes one */
        read_function(r, p, n, text_format(r->memory, "0 + %.17g", number), function);
}

static void read_vector(reader *r, const dew_property *p, node *n, double value[3], dew_function *functions)
{
    if (n->kind == NODE_WRONG) return;
    if (n->kind != NODE_LIST || n->count != 3) {
        wrong(r, n, "write [x, y, z]", "%s must be a list of 3 numbers, not %s", p->key, describe(r, n));
        return;
    }
    node *item = n->first;
    for (int axis = 0; axis < 3; axis++, item = item->next)
        read_component(r, p, item, &value[axis], functions ? &functions[axis] : NULL);
}

/* --- words and names --- */

static void read_flag(reader *r, const dew_property *p, node *n, bool *value)
{
    bool is_true = n->kind == NODE_TEXT && strcmp(n->text, "true") == 0;
    if (!is_true && (n->kind != NODE_TEXT || strcmp(n->text, "false") != 0))
        wrong(r, n, NULL, "%s must be true or false, not %s", p->key, describe(r, n));
    else
        *value = is_true;
}

static bool read_word(reader *r, const dew_property *p, node *n, int *value)
{
    const char *words[MAX_WORDS];
    if (!expect_kind(r, p->key, n, NODE_TEXT)) return false;
    int index = words_find(p->words, n->text);
    if (index < 0)
        return wrong(r, n, suggest(r->memory, n->text, "words", words, split_words(r, p->words, words)),
                     "%s cannot be '%s'", p->key, n->text);
    *value = index;
    return true;
}

/* Names of materials, solids and probes become names of files and columns. */
static bool check_name(reader *r, const dew_property *p, node *n, place at, const char *name)
{
    bool is_good = *name != 0;
    for (const char *c = name; *c; c++) is_good &= isalnum((unsigned char)*c) || *c == '_' || *c == '-';
    if (is_good && strlen(name) <= NAME_LENGTH) return true;
    return wrong_at(r, n, at, text_format(r->memory, "use letters, digits, '_' and '-', at most %d", NAME_LENGTH),
                    "'%.80s' cannot be the name of a %s", name, p->words);
}

/* The index of a material by its name, which stands at a place. */
static void find_material(reader *r, node *n, place at, const char *name, int *index)
{
    const dew_simulation_def *def = &r->scene->def;
    const char *names[MAX_WORDS] = {NULL};
    int count = 0;
    for (; count < def->material_count && count < MAX_WORDS; count++) names[count] = def->materials[count].name;
    int found = word_index(names, count, name);
    if (found >= 0) *index = found;
    n->is_wrong |= found < 0;
    if (found < 0 && count > 0) /* without materials it has been complained of already */
        complain(r->complaints, at, suggest(r->memory, name, "materials", names, count), "unknown material '%s'", name);
}

/* The index of a solid by its name; those without one are solid_1, ... */
static void find_solid(reader *r, node *n, int *index)
{
    const dew_simulation_def *def = &r->scene->def;
    const char **names = obtain(r, (size_t)def->solid_count * sizeof *names);
    for (int k = 0; names && k < def->solid_count; k++)
        names[k] = def->solids[k].name ? def->solids[k].name : text_format(r->memory, "solid_%d", k + 1);
    *index = names ? word_index(names, def->solid_count, n->text) : -1;
    const char *advice = def->solid_count
                             ? suggest(r->memory, n->text, "solids", names, def->solid_count)
                             : "the scene has no solids: give it some, as solids: [{name: ..., shape: ...}]";
    if (*index < 0) wrong(r, n, advice, "unknown solid '%s'", n->text);
}

static void read_method(reader *r, node *n)
{
    if (r->method || !expect_kind(r, "method", n, NODE_TEXT)) return; /* --method has decided */
    r->method = dew_method_find(n->text);
    if (r->method) {
        r->scene->def.method = r->method->name;
        return;
    }
    const char *names[MAX_WORDS];
    int count = 0;
    for (; count < dew_method_count() && count < MAX_WORDS; count++) names[count] = dew_method_at(count)->name;
    wrong(r, n, suggest(r->memory, n->text, "methods", names, count), "unknown method '%s'", n->text);
}

/* Quantities are known; of fields the scene as a whole is to tell. */
static void check_quantities(reader *r, const node *list)
{
    const char *known[MAX_WORDS];
    int count = dew_quantity_count() < MAX_WORDS ? dew_quantity_count() : MAX_WORDS;
    for (int i = 0; i < count; i++) known[i] = dew_quantity_name(i);
    for (node *entry = list->first; entry; entry = entry->next)
        if (entry->kind == NODE_TEXT && dew_quantity_columns(entry->text, &(const char *const *){NULL}) == 0)
            wrong(r, entry, suggest(r->memory, entry->text, "quantities", known, count), "unknown quantity '%s'",
                  entry->text);
}

static void read_texts(reader *r, const dew_property *p, node *n, const char *const **texts, int *count)
{
    if (!expect_kind(r, p->key, n, NODE_LIST)) return;
    const char **list = obtain(r, (size_t)n->count * sizeof *list);
    if (!list) return;
    int k = 0;
    for (node *entry = n->first; entry; entry = entry->next)
        if (expect_kind(r, text_format(r->memory, "an entry of %s", p->key), entry, NODE_TEXT)) list[k++] = entry->text;
    *texts = list, *count = k;
    if (strcmp(p->words, "quantities") == 0) check_quantities(r, n);
}

/* --- structures --- */

/* Structures with defaults; names are absent until they are given. */
static void *obtain_records(reader *r, const dew_property_table *table, int count)
{
    char *records = obtain(r, (size_t)count * table->size);
    for (int i = 0; records && i < count; i++) {
        definition_set_defaults(table, records + (size_t)i * table->size);
        for (int k = 0; k < table->count; k++)
            if (table->properties[k].type == DEW_PROPERTY_NAME)
                *(const char **)(records + (size_t)i * table->size + table->properties[k].offset) = NULL;
    }
    return records;
}

/* What a change sets: of the kind and in the unit of what its path leads to. */
static void read_setting(reader *r, node *n, dew_setting_def *setting)
{
    world_property what;
    int index;
    change_fault fault;
    setting->path = n->key, setting->value = (dew_vec3){NAN, 0, 0};
    if (!change_find(&r->scene->def, n->key, &what, &index, &fault)) {
        wrong_at(r, n, n->key_at, *fault.advice ? text_copy(r->memory, fault.advice, strlen(fault.advice)) : NULL, "%s",
                 fault.text);
        return;
    }
    dew_property p = *world_number_of(what).property;
    p.key = n->key;
    if (what == WORLD_CONTACT_ANGLE && n->kind == NODE_MAP)
        setting->has_hysteresis = true, read_record(r, &hysteresis_table, n, &setting->hysteresis);
    else if (p.type == DEW_PROPERTY_VECTOR)
        read_vector(r, &p, n, (double *)&setting->value, NULL);
    else
        read_number(r, &p, n, &setting->value.x);
}

/* An entry of a map whose key is the structure's first property. */
static void read_keyed(reader *r, const dew_property_table *table, node *entry, void *item)
{
    const dew_property *key = &table->properties[0];
    if (table->is_value) {
        read_property(r, &table->properties[1], entry, item);
        return;
    }
    if (key->type == DEW_PROPERTY_NAME) {
        *(const char **)((char *)item + key->offset) = entry->key;
        check_name(r, key, entry, entry->key_at, entry->key);
    } else {
        find_material(r, entry, entry->key_at, entry->key, (int *)((char *)item + key->offset));
    }
    if (entry->kind != NODE_NULL) read_record(r, table, entry, item);
}

static void read_list(reader *r, const dew_property *p, node *n, void *object)
{
    bool is_keyed = p->flags & DEW_PROPERTY_KEYED;
    if (!expect_kind(r, p->key, n, is_keyed ? NODE_MAP : NODE_LIST)) return;
    char *item = obtain_records(r, p->table, n->count);
    if (!item) return;
    *(void **)((char *)object + p->offset) = item;
    *(int *)((char *)object + p->count_offset) = n->count;
    for (node *entry = n->first; entry; entry = entry->next, item += p->table->size)
        (is_keyed ? read_keyed : read_record)(r, p->table, entry, item);
}

static void read_row(reader *r, const dew_property_table *table, node *n, void *object)
{
    const char *all = "";
    int least = 0;
    for (int k = 0; k < table->count; k++) {
        all = text_format(r->memory, "%s%s%s", all, k ? ", " : "", table->properties[k].key);
        if (table->properties[k].flags & DEW_PROPERTY_REQUIRED) least = k + 1;
    }
    if (n->kind == NODE_WRONG) return;
    if (n->kind != NODE_LIST || n->count < least || n->count > table->count) {
        wrong(r, n, least < table->count ? text_format(r->memory, "the first %d of them must be there", least) : NULL,
              "%s must be a list [%s], not %s", table->name, all, describe(r, n));
        return;
    }
    node *entry = n->first;
    for (int k = 0; entry; k++, entry = entry->next) read_property(r, &table->properties[k], entry, object);
}

static const dew_property *find_property(const dew_property_table *table, const char *key)
{
    for (int k = 0; k < table->count; k++)
        if (strcmp(table->properties[k].key, key) == 0 && !(table->properties[k].flags & DEW_PROPERTY_IS_KEY))
            return &table->properties[k];
    return NULL;
}

/* The keys that a map may have, those of the scene besides its definition too. */
static int names_of_keys(const dew_property_table *table, const char *names[MAX_WORDS], int *own)
{
    int count = 0;
    for (int k = 0; k < table->count; k++)
        if (!(table->properties[k].flags & DEW_PROPERTY_IS_KEY)) names[count++] = table->properties[k].key;
    if (table == dew_schema()) names[count++] = output_property.key;
    *own = count;
    if (table == dew_schema())
        for (int i = 0; i < dew_method_count() && count < MAX_WORDS; i++) names[count++] = dew_method_at(i)->name;
    return count;
}

static void complain_of_unknown_key(reader *r, const dew_property_table *table, node *map, node *entry)
{
    const char *names[MAX_WORDS], *what = table->is_union ? "shapes" : "keys";
    int own, count = names_of_keys(table, names, &own);
    const char *nearest = nearest_word(entry->key, names, count);
    /* The names of methods are not listed, there are `dew list` and the documentation for them. */
    const char *hint = nearest ? text_format(r->memory, "did you mean '%s'?", nearest)
                               : suggest(r->memory, entry->key, what, names, own);
    if (table->is_union) {
        wrong_at(r, map, entry->key_at, hint, "unknown shape '%s'", entry->key);
        return;
    }
    if (definition_replacement_of(entry->key)) hint = definition_replacement_of(entry->key), nearest = NULL;
    complain(r->complaints, entry->key_at, hint, "unknown key '%s' in %s", entry->key, table->name);
    const dew_property *meant = nearest ? find_property(table, nearest) : NULL;
    if (meant && !tree_get(map, nearest)) tree_add_wrong(r->memory, map, meant->key);
}

static void complain_of_missing_key(reader *r, const dew_property_table *table, const dew_property *p, node *map)
{
    const char *unit = unit_suffix(p->unit);
    const char *hint =
        p->type == DEW_PROPERTY_MATERIAL && !(p->flags & DEW_PROPERTY_REQUIRED)
            ? "which of the materials is it?"
            : text_format(r->memory, "%s%s%s%s: %s", p->key, *unit ? " (" : "", unit, *unit ? ")" : "", p->sentence);
    complain(r->complaints, map->at, hint, "%s lacks the key '%s'", table->name, p->key);
    tree_add_wrong(r->memory, map, p->key);
}

/* A key that is there but misspelt has been complained of as unknown. */
static void complain_of_missing_keys(reader *r, const dew_property_table *table, node *map)
{
    for (int k = 0; k < table->count; k++) {
        const dew_property *p = &table->properties[k];
        bool is_needed = p->flags & DEW_PROPERTY_REQUIRED;
        if (p->type == DEW_PROPERTY_MATERIAL && map->parent && map->parent->kind == NODE_LIST)
            is_needed |= r->scene->def.material_count > 1;
        if (is_needed && !tree_get(map, p->key)) complain_of_missing_key(r, table, p, map);
    }
}

/* One value in place of another, which must not be given too. */
static void complain_of_alternatives(reader *r, const dew_property_table *table, node *map, const dew_property *p)
{
    node *entry = tree_get(map, p->key);
    for (int k = 0; k < table->count; k++) {
        const dew_property *other = &table->properties[k];
        if (!other->unless_offset || other->unless_offset != p->has_offset || !tree_get(map, other->key)) continue;
        wrong_at(r, entry, entry->key_at, "keep one of them", "a %s has either a %s or a %s, not both", table->name,
                 other->key, p->key);
    }
}

/* A block of a method's own parameters. Blocks of methods other than the scene's are checked too, but not used. */
static bool read_method_block(reader *r, node *entry)
{
    const dew_method_info *info = dew_method_find(entry->key);
    if (!info) return false;
    if (entry->kind == NODE_NULL || !expect_kind(r, entry->key, entry, NODE_MAP)) return true;
    dew_parameter_value *values = obtain(r, (size_t)entry->count * sizeof *values), *v = values;
    if (!values) return true;
    const char *names[MAX_WORDS];
    int count = 0;
    for (; count < info->parameter_count && count < MAX_WORDS; count++) names[count] = info->parameters[count].name;
    for (node *n = entry->first; n; n = n->next) {
        int found = word_index(names, count, n->key);
        if (found < 0) {
            complain(r->complaints, n->key_at, suggest(r->memory, n->key, "parameters", names, count),
                     "method '%s' has no parameter '%s'", info->name, n->key);
            continue;
        }
        const dew_parameter *p = &info->parameters[found];
        dew_property as = {.key = p->name, .unit = p->unit, .min = p->min, .max = p->max, .words = p->choices};
        int word = 0;
        *v = (dew_parameter_value){.name = p->name};
        if (p->choices ? !read_word(r, &as, n, &word) : !read_number_in_range(r, &as, n, &v->number)) continue;
        if (p->choices) v->text = n->text, v->number = word;
        v++;
    }
    if (info == r->method) r->scene->def.parameters = values, r->scene->def.parameter_count = (int)(v - values);
    return true;
}

static bool read_other(reader *r, const dew_property_table *table, node *entry)
{
    if (table != dew_schema()) return false;
    if (strcmp(entry->key, output_property.key) != 0) return read_method_block(r, entry);
    read_property(r, &output_property, entry, r->scene);
    return true;
}

/* Where a structure is one of several kinds, just one of their keys must be there. */
static void read_kind(reader *r, const dew_property_table *table, node *map, int *kind)
{
    const node *first = NULL;
    for (node *entry = map->first; entry; entry = entry->next) {
        const dew_property *p = find_property(table, entry->key);
        if (!p || !p->kind) continue;
        if (!first)
            first = entry, *kind = p->kind;
        else
            wrong_at(r, map, entry->key_at, "join shapes by union, difference or intersection",
                     "a second %s '%s' beside '%s'", table->name, entry->key, first->key);
    }
}

void read_record(reader *r, const dew_property_table *table, node *n, void *object)
{
    if (table->is_row) {
        read_row(r, table, n, object);
        return;
    }
    if (!expect_kind(r, table->name, n, NODE_MAP)) return;
    if (table->is_union) read_kind(r, table, n, object);
    for (int k = 0; k < table->count; k++) {
        const dew_property *p = &table->properties[k];
        node *entry = tree_get(n, p->key);
        if (!entry || p->flags & DEW_PROPERTY_IS_KEY || (p->kind && *(int *)object != p->kind)) continue;
        read_property(r, p, entry, object);
        if (p->has_offset) complain_of_alternatives(r, table, n, p);
    }
    for (node *entry = n->first, *next; entry; entry = next) {
        next = entry->next; /* what is added is no mistake of its own */
        if (entry->kind != NODE_WRONG && !find_property(table, entry->key) && !read_other(r, table, entry))
            complain_of_unknown_key(r, table, n, entry);
    }
    complain_of_missing_keys(r, table, n);
}

static void read_single(reader *r, const dew_property *p, node *n, void *object)
{
    if (p->flags & DEW_PROPERTY_POINTER) {
        void *item = obtain_records(r, p->table, 1);
        *(void **)((char *)object + p->offset) = item;
        if (item) read_record(r, p->table, n, item);
        return;
    }
    if (p->has_offset) *(bool *)((char *)object + p->has_offset) = true;
    read_record(r, p->table, n, (char *)object + p->offset);
}

static void read_value(reader *r, const dew_property *p, node *n, void *object)
{
    if (p->either && n->kind == NODE_MAP) p = p->either;
    void *to = (char *)object + p->offset;
    dew_function *functions = (dew_function *)(uintptr_t)property_functions(p, object);
    double factor = 1;
    switch (p->type) {
    case DEW_PROPERTY_NUMBER:
        if (!(p->flags & DEW_PROPERTY_FACTOR))
            read_component(r, p, n, to, functions);
        else if (read_number_in_range(r, p, n, &factor))
            *(double *)to *= factor;
        break;
    case DEW_PROPERTY_INTEGER:
        read_integer(r, p, n, to);
        break;
    case DEW_PROPERTY_FLAG:
        read_flag(r, p, n, to);
        break;
    case DEW_PROPERTY_WORD:
        read_word(r, p, n, to);
        break;
    case DEW_PROPERTY_TEXT:
        if (expect_kind(r, p->key, n, NODE_TEXT)) *(const char **)to = n->text;
        break;
    case DEW_PROPERTY_NAME:
        if (expect_kind(r, p->key, n, NODE_TEXT) && check_name(r, p, n, n->at, n->text)) *(const char **)to = n->text;
        break;
    case DEW_PROPERTY_METHOD:
        read_method(r, n);
        break;
    case DEW_PROPERTY_MATERIAL:
        if (expect_kind(r, p->key, n, NODE_TEXT)) find_material(r, n, n->at, n->text, to);
        break;
    case DEW_PROPERTY_SOLID:
        if (expect_kind(r, p->key, n, NODE_TEXT)) find_solid(r, n, to);
        break;
    case DEW_PROPERTY_VECTOR:
        read_vector(r, p, n, to, functions);
        break;
    case DEW_PROPERTY_SETTING:
        read_setting(r, n, object);
        break;
    case DEW_PROPERTY_RECORD:
        read_single(r, p, n, object);
        break;
    case DEW_PROPERTY_LIST:
        read_list(r, p, n, object);
        break;
    case DEW_PROPERTY_TEXTS:
        read_texts(r, p, n, to, (int *)((char *)object + p->count_offset));
        break;
    case DEW_PROPERTY_MESH:
        read_mesh(r, p, n, object);
        break;
    }
}

void read_property(reader *r, const dew_property *p, node *n, void *object)
{
    if (n->kind == NODE_WRONG) return;
    if (n->kind == NODE_NULL) {
        wrong(r, n, "give it a value or leave it out", "%s has no value", p->key);
        return;
    }
    read_value(r, p, n, object);
    /* A shape or a domain with a part that cannot be read is not made at all. */
    bool is_record = p->type == DEW_PROPERTY_RECORD && !(p->flags & DEW_PROPERTY_POINTER);
    if (is_record && (p->table->is_union || p->flags & DEW_PROPERTY_BASIS) && tree_is_wrong(n))
        definition_set_defaults(p->table, (char *)object + p->offset);
    /* What needs temperatures, or something dissolved, has them followed. */
    bool is_used = p->flags & DEW_PROPERTY_FOLLOWED || (p->feature && property_is_given(p, object));
    if (!is_used || p->flags & DEW_PROPERTY_REFINES) return;
    if (p->feature == DEW_FEATURE_HEAT) r->scene->def.has_heat = true;
    if (p->feature == DEW_FEATURE_SOLUTE) r->scene->def.has_solute = true;
}
