/* Where in a scene the core's complaints belong. The core knows "liquid 2" and "solid 'plate'"; the scene knows the
 * lines. */
#include "base/result.h"
#include "dew/dew.h"
#include "scene/tables.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *word, *key;
} lists[] = {{"liquid", "liquids"},
             {"solid", "solids"},
             {"emitter", "emitters"},
             {"probe", "probes"},
             {"material", "materials"}};

static const node *entry_of(const node *list, const char *word)
{
    if (!list) return NULL;
    if (isdigit((unsigned char)*word)) {
        const node *n = list->first;
        for (int index = atoi(word); n && index > 0; index--) n = n->next;
        return n;
    }
    if (*word != '\'') return NULL;
    size_t length = strcspn(word + 1, "'");
    for (const node *n = list->first; n; n = n->next) {
        const node *name = n->kind == NODE_MAP ? tree_get(n, "name") : NULL;
        if (name && name->text && strlen(name->text) == length && !strncmp(name->text, word + 1, length)) return n;
    }
    return NULL;
}

static const node *find_word(const node *map, const char *word, size_t length)
{
    for (const node *n = map && map->kind == NODE_MAP ? map->first : NULL; n; n = n->next)
        if (strlen(n->key) == length && !strncmp(n->key, word, length)) return n;
    return NULL;
}

/* "the shape lies ..." of a liquid is about the liquid's shape, "sphere: it holds ..." about the sphere in that. */
static const node *detail(const node *entry, const char *text)
{
    static const char *const articles[] = {"the ", "its "};
    for (size_t k = 0; k < sizeof articles / sizeof *articles; k++)
        if (!strncmp(text, articles[k], strlen(articles[k]))) text += strlen(articles[k]);
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz_");
    const node *found = find_word(entry, text, length);
    if (!found) found = find_word(tree_get(entry, "shape"), text, length);
    return found ? found : entry;
}

static place place_of(const node *n) { return n->kind == NODE_TEXT ? n->at : n->key ? n->key_at : n->at; }

static const char *after_colon(const char *line)
{
    size_t length = strcspn(line, "\n");
    const char *colon = memmem(line, length, ": ", 2);
    return colon ? colon + 2 : line + length;
}

/* The node that the beginning of a line names, or NULL. */
static const node *subject(const node *root, const char *line)
{
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        size_t length = strlen(lists[k].word);
        if (strncmp(line, lists[k].word, length) != 0 || line[length] != ' ') continue;
        const node *entry = entry_of(tree_get(root, lists[k].key), line + length + 1);
        if (entry) return detail(entry, after_colon(line));
    }
    const node *heat = tree_get(root, "heat");
    if (!strncmp(line, "heat source ", 12)) {
        const node *entry = entry_of(tree_get(heat, "sources"), line + 12);
        if (entry) return detail(entry, after_colon(line));
    }
    if (!strncmp(line, "heat: ", 6) && heat) return detail(heat, after_colon(line));
    if (!strncmp(line, "domain: ", 8) && tree_get(root, "domain"))
        return detail(tree_get(root, "domain"), after_colon(line));
    const node *found = detail(root, line);
    return found == root ? NULL : found;
}

void locate_complaints(complaints *c, const node *root, const char *message)
{
    while (*message) {
        const node *about = subject(root, message);
        size_t length = strcspn(message, "\n");
        while (message[length] && message[length + 1] == ' ') length += 1 + strcspn(message + length + 1, "\n");
        complain(c, about ? place_of(about) : (place){0, 0, 0, 0}, NULL, "%.*s", (int)length, message);
        message += length;
        if (*message) message++;
    }
}

char *dew_scene_explain(const dew_scene *scene, const char *message)
{
    complaints *c = complaints_about_same(scene->complaints);
    if (!c) return NULL;
    locate_complaints(c, scene->root, message);
    return complaints_text(c);
}
