/* A scene file as a tree of texts, lists and maps that know their places. YAML (and so JSON) is parsed by libfyaml; the
 * tree is ours so that settings of the command line can be put into it and aliases are gone. */
#ifndef SCENE_TREE_H
#define SCENE_TREE_H

#include "scene/complaints.h"

#include <stdbool.h>

/* NODE_WRONG: something has been complained of in its place already. */
typedef enum node_kind { NODE_NULL, NODE_TEXT, NODE_LIST, NODE_MAP, NODE_WRONG } node_kind;

typedef struct node node;
struct node {
    node_kind kind;
    const char *key; /* of an entry of a map, else NULL */
    place key_at;
    place at;         /* of the value; of a list or map: of the key that leads to it, else of its first entry */
    const char *text; /* NODE_TEXT */
    bool is_plain;    /* text without quotes */
    bool is_wrong;    /* something in its place has been complained of */
    int count;        /* of entries */
    node *first, *last, *next, *parent; /* of its entries; after it among those of its parent */
};

/* Parses `text`. NULL after a complaint (syntax, text that is not UTF-8, nothing there). Duplicate keys are complained
 * of, the first one counts. */
node *tree_parse(complaints *c, int source, const char *text);
/* The entry of a map, or NULL. */
node *tree_get(const node *map, const char *key);
/* Gives a map an entry that counts as complained of: NODE_WRONG. */
void tree_add_wrong(arena *memory, node *map, const char *key);
/* Whether something at the node, or within, has been complained of. */
bool tree_is_wrong(const node *n);
/* The node at a path of definitions ("liquids[2].shape.sphere.radius"; of a map the third entry, too, is [2]), or the
 * last on the way there that there is. */
node *tree_find(node *root, const char *path);
/* Puts a value at a path ("materials.water.viscosity", "liquids.0.fill", "solids.plate.friction": lists by number or
 * by an entry's name); maps that are missing are made. `root` is a map. */
void tree_set(complaints *c, int source, node *root, const char *path, const char *value);

#endif
