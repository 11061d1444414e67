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

/* The node that the beginning of a line names, or NULL. */
static const node *subject(const node *root, const char *line)
{
    if (!strncmp(line, "domain", 6)) return tree_get(root, "domain");
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        size_t length = strlen(lists[k].word);
        if (!strncmp(line, lists[k].word, length) && line[length] == ' ')
            return entry_of(tree_get(root, lists[k].key), line + length + 1);
    }
    return NULL;
}

char *dew_scene_explain(const dew_scene *scene, const char *message)
{
    complaints *c = complaints_create(scene->memory);
    if (!c || complaints_add_source(c, scene->path, scene->text) < 0) return NULL;
    while (*message) {
        const node *at = subject(scene->root, message);
        size_t length = strcspn(message, "\n");
        /* Lines that name no place of their own belong to the one before. */
        while (message[length] && !subject(scene->root, message + length + 1))
            length += 1 + strcspn(message + length + 1, "\n");
        place where = {0, 0, 0, 0};
        if (at && at->at.source == 0) where = at->at;
        complain(c, where, NULL, "%.*s", (int)length, message);
        message += length;
        if (*message) message++;
    }
    return complaints_text(c);
}
