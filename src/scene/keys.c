#include "scene/keys.h"

#include "base/result.h"
#include "base/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 64 };

void *keys_obtain(reader *r, size_t bytes)
{
    void *memory = arena_zeroed(r->memory, bytes ? bytes : 1);
    if (!memory) r->result = DEW_NO_MEMORY;
    return memory;
}

const char *keys_describe(reader *r, const node *n)
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

static const char *kind_name(node_kind kind)
{
    return kind == NODE_MAP ? "a map {key: value, ...}" : kind == NODE_LIST ? "a list [...]" : "a text";
}

bool keys_expect(reader *r, const char *name, const node *n, node_kind kind)
{
    if (n->kind == kind) return true;
    if (n->kind == NODE_WRONG) return false;
    complain(r->complaints, n->at, NULL, "%s must be %s, not %s", name, kind_name(kind), keys_describe(r, n));
    return false;
}

const char *keys_unit_suffix(const char *unit)
{
    if (!unit || strcmp(unit, "1") == 0) return "";
    return strcmp(unit, "degree") == 0 ? "deg" : unit;
}

static const char *range_text(reader *r, const key *k)
{
    const char *unit = keys_unit_suffix(k->unit), *space = *unit ? " " : "";
    bool is_above = k->flags & KEY_ABOVE;
    if (isfinite(k->min) && isfinite(k->max))
        return is_above ? text_format(r->memory, "above %g and at most %g%s%s", k->min, k->max, space, unit)
                        : text_format(r->memory, "between %g and %g%s%s", k->min, k->max, space, unit);
    if (isfinite(k->min))
        return text_format(r->memory, "%s %g%s%s", is_above ? "above" : "at least", k->min, k->min != 0 ? space : "",
                           k->min != 0 ? unit : "");
    return text_format(r->memory, "at most %g%s%s", k->max, space, unit);
}

static bool check_range(reader *r, const key *k, const node *n, double value)
{
    if (!(k->min < k->max)) return true;
    if (value <= k->max && (k->flags & KEY_ABOVE ? value > k->min : value >= k->min)) return true;
    complain(r->complaints, n->at, NULL, "%s must be %s, not %s", k->name, range_text(r, k), n->text);
    return false;
}

static const char *unit_hint(reader *r, const key *k)
{
    const char *unit = keys_unit_suffix(k->unit);
    if (!k->unit) return "a number without a unit";
    if (!*unit) return "it is a pure number";
    return text_format(r->memory, "write a number, in %s if it names no unit", unit);
}

static bool read_quantity(reader *r, const key *k, const node *n, double *value)
{
    double number = 0;
    const char *unit = "";
    quantity_status status = quantity_read(r->units, n->text, k->unit, &number, &unit);
    switch (status) {
    case QUANTITY_OK:
        break;
    case QUANTITY_UNKNOWN_UNIT:
        complain(r->complaints, n->at, unit_hint(r, k), "unknown unit '%s' of %s", unit, k->name);
        return false;
    case QUANTITY_WRONG_UNIT:
        if (k->unit && *keys_unit_suffix(k->unit))
            complain(r->complaints, n->at, unit_hint(r, k), "unit '%s' does not fit %s, which is in %s", unit, k->name,
                     keys_unit_suffix(k->unit));
        else
            complain(r->complaints, n->at, unit_hint(r, k), "unit '%s' does not fit %s, which has no unit", unit,
                     k->name);
        return false;
    default:
        complain(r->complaints, n->at, unit_hint(r, k), "%s must be a number, not %s", k->name, keys_describe(r, n));
        return false;
    }
    if (k->flags & KEY_NEEDS_UNIT && !*unit && number != 0) {
        complain(r->complaints, n->at, text_format(r->memory, "write '%s deg' or '%s rad'", n->text, n->text),
                 "%s needs a unit", k->name);
        return false;
    }
    if (!check_range(r, k, n, number)) return false;
    *value = number;
    return true;
}

bool keys_read_number(reader *r, const key *k, const node *n, double *value)
{
    if (n->kind == NODE_TEXT) return read_quantity(r, k, n, value);
    if (n->kind == NODE_WRONG) return false;
    complain(r->complaints, n->at, unit_hint(r, k), "%s must be a number, not %s", k->name, keys_describe(r, n));
    return false;
}

static bool read_integer(reader *r, const key *k, const node *n, int *value)
{
    double number;
    if (!keys_read_number(r, k, n, &number)) return false;
    if (number != floor(number) || fabs(number) > 2147483647.0) {
        complain(r->complaints, n->at, NULL, "%s must be a whole number, not %s", k->name, n->text);
        return false;
    }
    *value = (int)number;
    return true;
}

static bool read_flag(reader *r, const key *k, const node *n, bool *value)
{
    bool is_true = n->kind == NODE_TEXT && strcmp(n->text, "true") == 0;
    if (!is_true && (n->kind != NODE_TEXT || strcmp(n->text, "false") != 0)) {
        complain(r->complaints, n->at, NULL, "%s must be true or false, not %s", k->name, keys_describe(r, n));
        return false;
    }
    *value = is_true;
    return true;
}

bool keys_read_text(reader *r, const key *k, const node *n, const char **value)
{
    if (!keys_expect(r, k->name, n, NODE_TEXT)) return false;
    *value = n->text;
    return true;
}

bool keys_read_word(reader *r, const key *k, const node *n, int *value)
{
    if (!keys_expect(r, k->name, n, NODE_TEXT)) return false;
    const char *words[MAX_WORDS];
    int count = 0;
    for (const char *w = k->words; count < MAX_WORDS; count++) {
        size_t length = strcspn(w, "|");
        words[count] = text_copy(r->memory, w, length);
        if (strcmp(words[count], n->text) == 0) {
            *value = count;
            return true;
        }
        if (!w[length]) {
            count++;
            break;
        }
        w += length + 1;
    }
    complain(r->complaints, n->at, suggest(r->memory, n->text, "words", words, count), "%s cannot be '%s'", k->name,
             n->text);
    return false;
}

static bool expect_three(reader *r, const key *k, const node *n)
{
    if (n->kind == NODE_LIST && n->count == 3) return true;
    if (n->kind == NODE_WRONG) return false;
    complain(r->complaints, n->at, "write [x, y, z]", "%s must be a list of 3 numbers, not %s", k->name,
             keys_describe(r, n));
    return false;
}

bool keys_read_vector(reader *r, const key *k, const node *n, dew_vec3 *value)
{
    if (!expect_three(r, k, n)) return false;
    double c[3] = {0};
    bool is_good = true;
    const node *item = n->first;
    for (int axis = 0; axis < 3; axis++, item = item->next) is_good &= keys_read_number(r, k, item, &c[axis]);
    if (is_good && k->flags & KEY_DIRECTION && c[0] == 0 && c[1] == 0 && c[2] == 0) {
        complain(r->complaints, n->at, "for example [0, 0, 1]", "%s has no direction: all of it is 0", k->name);
        return false;
    }
    if (is_good) *value = (dew_vec3){c[0], c[1], c[2]};
    return is_good;
}

static bool read_function(reader *r, const key *k, const node *n, const char *text, const char *variables,
                          dew_function *function)
{
    expression_error error;
    expression *e = expression_create(text, variables, &error);
    expression_link *link = e ? keys_obtain(r, sizeof *link) : NULL;
    if (!link) {
        expression_destroy(e);
        place at = n->at;
        if (error.position >= 0 && at.line > 0 && !strchr(n->text, '\n')) at.column += error.position, at.length = 1;
        complain(r->complaints, at, NULL, "bad expression of %s: %s", k->name, error.text);
        return false;
    }
    *link = (expression_link){e, r->scene->expressions};
    r->scene->expressions = link;
    *function = expression_function(e);
    return true;
}

bool keys_read_number_or_function(reader *r, const key *k, const node *n, const char *variables, double *value,
                                  dew_function *function)
{
    if (n->kind != NODE_TEXT || looks_like_quantity(n->text)) return keys_read_number(r, k, n, value);
    return read_function(r, k, n, n->text, variables, function);
}

bool keys_read_vector_or_functions(reader *r, const key *k, const node *n, const char *variables, dew_vec3 *value,
                                   dew_function functions[3])
{
    if (!expect_three(r, k, n)) return false;
    double c[3] = {0};
    bool is_good = true;
    const node *item = n->first;
    for (int axis = 0; axis < 3; axis++, item = item->next)
        is_good &= keys_read_number_or_function(r, k, item, variables, &c[axis], &functions[axis]);
    if (is_good) *value = (dew_vec3){c[0], c[1], c[2]};
    return is_good;
}

static void read_list(reader *r, const key *k, const node *n, void *object)
{
    if (!keys_expect(r, k->name, n, NODE_LIST)) return;
    char *items = keys_obtain(r, (size_t)n->count * k->item_size);
    if (!items) return;
    char *item = items;
    for (const node *entry = n->first; entry; entry = entry->next, item += k->item_size) {
        k->init(item);
        keys_read_map(r, k->table, entry, item);
    }
    *(void **)((char *)object + k->offset) = items;
    *(int *)((char *)object + k->count_offset) = n->count;
}

void keys_read_value(reader *r, const key *k, const node *n, void *object)
{
    void *to = (char *)object + k->offset;
    if (n->kind == NODE_WRONG) return;
    if (n->kind == NODE_NULL) {
        complain(r->complaints, n->at, "give it a value or leave it out", "%s has no value", k->name);
        return;
    }
    switch (k->type) {
    case KEY_NUMBER:
        keys_read_number(r, k, n, to);
        break;
    case KEY_INTEGER:
        read_integer(r, k, n, to);
        break;
    case KEY_FLAG:
        read_flag(r, k, n, to);
        break;
    case KEY_TEXT:
        keys_read_text(r, k, n, to);
        break;
    case KEY_WORD:
        keys_read_word(r, k, n, to);
        break;
    case KEY_VECTOR:
        keys_read_vector(r, k, n, to);
        break;
    case KEY_MAP:
        keys_read_map(r, k->table, n, to);
        break;
    case KEY_LIST:
        read_list(r, k, n, object);
        break;
    case KEY_CUSTOM:
        k->read(r, k, n, object);
        break;
    }
}

static const key *find_key(const key_table *table, const char *name)
{
    for (int i = 0; i < table->count; i++)
        if (strcmp(table->keys[i].name, name) == 0) return &table->keys[i];
    return NULL;
}

/* The names of the keys that a map may have. */
static int names_of_keys(const key_table *table, const char *names[MAX_WORDS])
{
    int count = 0;
    for (int i = 0; i < table->count && count < MAX_WORDS; i++) names[count++] = table->keys[i].name;
    if (table->other)
        for (int i = 0; i < dew_method_count() && count < MAX_WORDS; i++) names[count++] = dew_method_at(i)->name;
    return count;
}

static void complain_of_unknown_key(reader *r, const key_table *table, const node *entry)
{
    const char *names[MAX_WORDS];
    int count = names_of_keys(table, names);
    const char *nearest = nearest_word(entry->key, names, count);
    /* The names of methods are not listed, there are `dew list` and the documentation for them. */
    const char *hint = nearest ? text_format(r->memory, "did you mean '%s'?", nearest)
                               : suggest(r->memory, entry->key, "keys", names, table->count);
    complain(r->complaints, entry->key_at, hint, "unknown key '%s' in %s", entry->key, table->name);
    const key *meant = nearest ? find_key(table, nearest) : NULL;
    if (meant && meant->flags & KEY_BASIS) r->is_basis_wrong = true;
}

/* A key that is there but misspelt is complained of once, as unknown. */
static void complain_of_missing_key(reader *r, const key_table *table, const key *k, const node *map)
{
    const char *names[MAX_WORDS];
    int count = names_of_keys(table, names);
    for (const node *entry = map->first; entry; entry = entry->next) {
        const char *meant = find_key(table, entry->key) ? NULL : nearest_word(entry->key, names, count);
        if (meant && strcmp(meant, k->name) == 0) return;
    }
    const char *unit = keys_unit_suffix(k->unit);
    complain(r->complaints, map->at,
             text_format(r->memory, "%s: %s%s%s", k->name, k->sentence, *unit ? ", in " : "", unit),
             "%s lacks the key '%s'", table->name, k->name);
}

void keys_read_map(reader *r, const key_table *table, const node *map, void *object)
{
    int before = complaints_count(r->complaints);
    if (!keys_expect(r, table->name, map, NODE_MAP)) return;
    for (int i = 0; i < table->count; i++) {
        const key *k = &table->keys[i];
        const node *entry = tree_get(map, k->name);
        int earlier = complaints_count(r->complaints);
        if (entry)
            keys_read_value(r, k, entry, object);
        else if (k->flags & KEY_REQUIRED)
            complain_of_missing_key(r, table, k, map);
        if (k->flags & KEY_BASIS && complaints_count(r->complaints) > earlier) r->is_basis_wrong = true;
    }
    for (const node *entry = map->first; entry; entry = entry->next)
        if (!find_key(table, entry->key) && !(table->other && table->other(r, entry)))
            complain_of_unknown_key(r, table, entry);
    if (table->check && complaints_count(r->complaints) == before) table->check(r, map, object);
}
