#include "scene/tree.h"

#include "base/words.h"

#include <libfyaml.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 64, MAX_NODES = 1 << 20 };

typedef struct parse {
    complaints *complaints;
    int source, nodes;
    bool is_too_large;
} parse;

node *tree_get(const node *map, const char *key)
{
    if (!map || map->kind != NODE_MAP) return NULL;
    for (node *entry = map->first; entry; entry = entry->next)
        if (strcmp(entry->key, key) == 0) return entry;
    return NULL;
}

static place place_of(const parse *p, struct fy_node *n, place otherwise)
{
    struct fy_token *token = fy_node_is_scalar(n) ? fy_node_get_scalar_token(n) : NULL;
    const struct fy_mark *start = token ? fy_token_start_mark(token) : NULL;
    const struct fy_mark *end = token ? fy_token_end_mark(token) : NULL;
    if (!start || start->line < 0) return otherwise;
    place at = {p->source, start->line + 1, start->column + 1, 1};
    /* Marks of quoted texts lie inside of the quotes. */
    if (end && end->line == start->line && end->column > start->column) at.length = end->column - start->column;
    return at;
}

static void append(node *parent, node *child)
{
    *(parent->last ? &parent->last->next : &parent->first) = child;
    parent->last = child;
    child->parent = parent;
    parent->count++;
}

static node *convert(parse *p, struct fy_node *from, place otherwise, int depth);

static void convert_list(parse *p, struct fy_node *from, node *list, int depth)
{
    void *state = NULL;
    for (struct fy_node *item; (item = fy_node_sequence_iterate(from, &state));) {
        node *entry = convert(p, item, list->at, depth + 1);
        if (!entry) return;
        append(list, entry);
    }
}

static void convert_map(parse *p, struct fy_node *from, node *map, int depth)
{
    void *state = NULL;
    for (struct fy_node_pair *pair; (pair = fy_node_mapping_iterate(from, &state));) {
        struct fy_node *key = fy_node_pair_key(pair), *value = fy_node_pair_value(pair);
        place at = key ? place_of(p, key, map->at) : map->at;
        if (!key || !fy_node_is_scalar(key) || fy_node_is_alias(key)) {
            complain(p->complaints, at, "write it as 'name: value'", "a key must be a word");
            continue;
        }
        size_t length = 0;
        const char *text = fy_node_get_scalar(key, &length);
        const char *name = text_copy(complaints_memory(p->complaints), text ? text : "", length);
        node *earlier = tree_get(map, name);
        if (earlier) {
            complain(p->complaints, at, "keep one of them", "key '%s' is given twice, first on line %d", name,
                     earlier->key_at.line);
            continue;
        }
        node *entry =
            value ? convert(p, value, at, depth + 1) : arena_zeroed(complaints_memory(p->complaints), sizeof *entry);
        if (!entry) return;
        if (entry->kind != NODE_TEXT) entry->at = at;
        entry->key = name, entry->key_at = at;
        append(map, entry);
    }
}

static node *convert(parse *p, struct fy_node *from, place otherwise, int depth)
{
    if (fy_node_is_alias(from)) {
        struct fy_node *target = fy_node_resolve_alias(from);
        if (!target) {
            place at = place_of(p, from, otherwise);
            complain(p->complaints, at, "name a value before by &name", "no value is named '%s'",
                     fy_node_get_scalar0(from));
            node *wrong = arena_zeroed(complaints_memory(p->complaints), sizeof *wrong);
            if (wrong) wrong->kind = NODE_WRONG;
            return wrong;
        }
        from = target;
    }
    if (depth > MAX_DEPTH || ++p->nodes > MAX_NODES) {
        if (!p->is_too_large)
            complain(p->complaints, otherwise, NULL,
                     depth > MAX_DEPTH ? "nested more than %d deep" : "more than %d values",
                     depth > MAX_DEPTH ? MAX_DEPTH : MAX_NODES);
        p->is_too_large = true;
        return NULL;
    }
    node *n = arena_zeroed(complaints_memory(p->complaints), sizeof *n);
    if (!n) return NULL;
    n->at = place_of(p, from, otherwise);
    if (fy_node_is_sequence(from)) {
        n->kind = NODE_LIST;
        convert_list(p, from, n, depth);
    } else if (fy_node_is_mapping(from)) {
        n->kind = NODE_MAP;
        convert_map(p, from, n, depth);
    } else {
        size_t length = 0;
        const char *text = fy_node_get_scalar(from, &length);
        n->text = text_copy(complaints_memory(p->complaints), text ? text : "", text ? length : 0);
        enum fy_node_style style = fy_node_get_style(from);
        n->is_plain = style == FYNS_PLAIN || style == FYNS_ANY;
        bool is_null = n->is_plain && (length == 0 || strcmp(n->text, "null") == 0 || strcmp(n->text, "~") == 0);
        n->kind = is_null ? NODE_NULL : NODE_TEXT;
    }
    if ((n->kind == NODE_LIST || n->kind == NODE_MAP) && n->first)
        n->at = n->first->key ? n->first->key_at : n->first->at;
    return n;
}

/* Bytes that are no UTF-8, or control characters: libfyaml would end the text there without a word. */
static bool check_text(complaints *c, int source, const char *text)
{
    int line = 1, column = 1;
    for (int length; *text; text += length, column++) {
        unsigned char byte = (unsigned char)*text;
        length = utf8_length(text);
        if (length == 0 || byte == 0x7f || (byte < ' ' && !strchr("\n\r\t", byte))) {
            complain(c, (place){source, line, column, 1}, "save the file as UTF-8 text", "byte 0x%02x is not text",
                     byte);
            return false;
        }
        if (byte == '\n') line++, column = 0;
    }
    return true;
}

static void complain_of_syntax(complaints *c, int source, struct fy_diag *diag)
{
    void *state = NULL;
    int before = complaints_count(c);
    for (struct fy_diag_error *e; (e = fy_diag_errors_iterate(diag, &state));) {
        place at = {source, e->line > 0 ? e->line : 1, e->column > 0 ? e->column : 1, 1};
        complain(c, at, NULL, "not YAML: %s", e->msg);
    }
    if (complaints_count(c) == before)
        complain(c, (place){source, 0, 0, 0}, "see docs/scene-format.md", "there is nothing in it");
}

node *tree_parse(complaints *c, int source, const char *text)
{
    if (!check_text(c, source, text)) return NULL;
    struct fy_diag_cfg diag_cfg;
    fy_diag_cfg_default(&diag_cfg);
    diag_cfg.fp = NULL;
    struct fy_diag *diag = fy_diag_create(&diag_cfg);
    if (!diag) return NULL;
    fy_diag_set_collect_errors(diag, true);
    struct fy_parse_cfg cfg = {.flags = FYPCF_QUIET | FYPCF_COLLECT_DIAG | FYPCF_ALLOW_DUPLICATE_KEYS |
                                        FYPCF_DISABLE_RECYCLING | FYPCF_JSON_NONE,
                               .diag = diag};
    struct fy_document *document = fy_document_build_from_string(&cfg, text, FY_NT);
    struct fy_node *root = document ? fy_document_root(document) : NULL;
    node *tree = NULL;
    if (root) {
        parse p = {.complaints = c, .source = source};
        tree = convert(&p, root, (place){source, 1, 1, 1}, 0);
        if (p.is_too_large) tree = NULL;
    } else {
        complain_of_syntax(c, source, diag);
    }
    fy_document_destroy(document);
    fy_diag_destroy(diag);
    return tree;
}

void tree_add_wrong(arena *memory, node *map, const char *key)
{
    node *n = arena_zeroed(memory, sizeof *n);
    if (!n) return;
    *n = (node){.kind = NODE_WRONG, .key = key, .key_at = map->at, .at = map->at};
    append(map, n);
}

bool tree_is_wrong(const node *n)
{
    if (n->kind == NODE_WRONG || n->is_wrong) return true;
    bool is_any = false;
    for (const node *entry = n->first; entry && !is_any; entry = entry->next) is_any = tree_is_wrong(entry);
    return is_any;
}

node *tree_find(node *root, const char *path)
{
    while (*path) {
        node *next = root->first;
        size_t length = strcspn(path, ".[]");
        if (*path == '[')
            for (long k = strtol(path + 1, NULL, 10); next && k > 0; k--) next = next->next;
        else
            while (next && (!next->key || strlen(next->key) != length || strncmp(next->key, path, length) != 0))
                next = next->next;
        if (!next) break;
        root = next;
        path += *path == '[' ? strcspn(path, "]") + 1 : length;
        path += *path == '.';
    }
    return root;
}

/* The entry of a list by its number, or by the name of its entry. */
static node *list_entry(const node *list, const char *which)
{
    char *end;
    long number = strtol(which, &end, 10);
    if (*which && !*end) {
        node *entry = number >= 0 && number < list->count ? list->first : NULL;
        for (long k = 0; entry && k < number; k++) entry = entry->next;
        return entry;
    }
    for (node *entry = list->first; entry; entry = entry->next) {
        const node *name = tree_get(entry, "name");
        if (name && name->kind == NODE_TEXT && strcmp(name->text, which) == 0) return entry;
    }
    return NULL;
}

/* The hint for an entry of a list that is not there. */
static const char *entries_of(complaints *c, const node *list, const char *which)
{
    enum { MOST_NAMES = 64 };
    const char *names[MOST_NAMES];
    int count = 0;
    for (const node *entry = list->first; entry && count < MOST_NAMES; entry = entry->next) {
        const node *name = tree_get(entry, "name");
        if (name && name->kind == NODE_TEXT) names[count++] = name->text;
    }
    if (count > 0) return suggest(complaints_memory(c), which, "names", names, count);
    if (list->count == 0) return "it is empty";
    return list->count == 1 ? "it has one, 0"
                            : text_format(complaints_memory(c), "its entries are 0 to %d", list->count - 1);
}

/* The entry `key` of a map or list, a new null one where a map has none; NULL after a complaint. */
static node *descend(complaints *c, int source, node *from, const char *so_far, const char *key)
{
    place at = {source, 0, 0, 0};
    if (from->kind == NODE_NULL) from->kind = NODE_MAP;
    if (from->kind == NODE_TEXT) {
        complain(c, at, NULL, "%s is a single value, there is no '%s' in it", so_far, key);
        return NULL;
    }
    if (from->kind == NODE_LIST) {
        node *entry = list_entry(from, key);
        if (!entry) complain(c, at, entries_of(c, from, key), "%s has no entry '%s'", so_far, key);
        return entry;
    }
    node *entry = tree_get(from, key);
    if (!entry && (entry = arena_zeroed(complaints_memory(c), sizeof *entry))) {
        entry->key = key;
        entry->at = entry->key_at = at;
        append(from, entry);
    }
    return entry;
}

void tree_set(complaints *c, int source, node *root, const char *path, const char *value)
{
    if (!*path || *path == '.' || path[strlen(path) - 1] == '.' || strstr(path, "..")) {
        complain(c, (place){source, 0, 0, 0}, "write KEY=VALUE, such as materials.water.viscosity=1e-3",
                 *path ? "the path '%s' has an empty part" : "there is no key before '='%s", path);
        return;
    }
    node *v = tree_parse(c, source, *value ? value : "''");
    if (!v) return;
    node *at = root;
    const char *so_far = "the scene";
    for (const char *key = path; at;) {
        size_t length = strcspn(key, ".");
        at = descend(c, source, at, so_far, text_copy(complaints_memory(c), key, length));
        if (!key[length]) break;
        so_far = text_copy(complaints_memory(c), path, (size_t)(key - path) + length);
        key += length + 1;
    }
    if (!at) return;
    at->kind = v->kind, at->text = v->text, at->is_plain = v->is_plain;
    at->count = v->count, at->first = v->first, at->last = v->last;
    at->at = at->key_at = (place){source, 0, 0, 0};
    for (node *entry = at->first; entry; entry = entry->next) entry->parent = at;
}
