/* The keys of a scene as tables. One table describes a map of the file: each key's name, type, unit, range and where
 * its value goes. Reading with all checks, writing run.yaml, and the test of the documentation come from the same
 * tables. */
#ifndef SCENE_KEYS_H
#define SCENE_KEYS_H

#include "dew/method.h"
#include "dew/scene.h"
#include "scene/expression.h"
#include "scene/mesh_read.h"
#include "scene/quantity.h"
#include "scene/tree.h"

#include <stdio.h>

typedef struct expression_link {
    expression *expression;
    struct expression_link *next;
} expression_link;

typedef struct mesh_link {
    mesh_file mesh;
    const char *path; /* absolute */
    struct mesh_link *next;
} mesh_link;

struct dew_scene {
    arena *memory; /* of everything below but expressions and meshes */
    const char *path, *directory;
    const complaints *complaints;
    const node *root; /* of the tree */
    dew_simulation_def def;
    dew_scene_output output;
    expression_link *expressions;
    mesh_link *meshes;
};

typedef struct reader {
    dew_scene *scene;
    arena *memory;
    complaints *complaints;
    units *units;
    const dew_method_info *method; /* NULL while unknown */
    dew_result result;             /* DEW_NO_MEMORY once there was none */
    bool is_basis_wrong;           /* a key marked KEY_BASIS is */
} reader;

typedef enum key_type {
    KEY_NUMBER,  /* double */
    KEY_INTEGER, /* int */
    KEY_FLAG,    /* bool */
    KEY_TEXT,    /* const char * */
    KEY_WORD,    /* an enumeration: int, the index of one of `words` */
    KEY_VECTOR,  /* dew_vec3; range and unit hold for each component */
    KEY_MAP,     /* a structure described by `table` */
    KEY_LIST,    /* const pointer to `item_size` structures described by `table`, and an int at `count_offset` */
    KEY_CUSTOM,  /* whatever `read` and `write` make of it */
} key_type;

enum {
    KEY_REQUIRED = 1,
    KEY_ABOVE = 2,      /* min itself is not allowed */
    KEY_NEEDS_UNIT = 4, /* a number other than 0 must name its unit */
    KEY_DIRECTION = 8,  /* a vector that may not be zero */
    KEY_BLOCK = 16,     /* `write` starts a new line */
    KEY_BASIS = 32,     /* other parts are judged by it: where it is wrong they are not tried */
};

typedef struct key key;
typedef struct key_table key_table;
typedef struct writer writer;

struct key {
    const char *name;
    const char *sentence; /* for the documentation */
    key_type type;
    unsigned flags;
    const char *unit;  /* as udunits writes it, "1" for a pure number; NULL: none may be given */
    double min, max;   /* equal: no limits */
    const char *words; /* "cubic|hexagonal" */
    size_t offset;     /* of the value in the structure that the table fills */
    const key_table *table;
    size_t item_size, count_offset;
    void (*init)(void *item); /* fills an item of a list with its defaults */
    void (*read)(reader *r, const key *k, const node *n, void *object);
    void (*write)(writer *w, const key *k, const void *object);
    bool (*is_written)(const void *object); /* NULL: always */
};

struct key_table {
    const char *name; /* "sphere": in messages "unknown key 'radus' in sphere" */
    const key *keys;
    int count;
    bool is_flow;                                            /* written on one line */
    void (*check)(reader *r, const node *map, void *object); /* of what concerns several keys; may be NULL */
    /* Names of keys that are no entries of the table, such as the methods' blocks; may be NULL. */
    bool (*other)(reader *r, const node *entry);
};

#define TABLE(title, entries, ...)                                                                                     \
    {                                                                                                                  \
        .name = title, .keys = entries, .count = (int)(sizeof entries / sizeof entries[0]), __VA_ARGS__                \
    }

/* Fills `object` (with its defaults already in it) from a map, complaining of all that is wrong. */
void keys_read_map(reader *r, const key_table *table, const node *map, void *object);
void keys_read_value(reader *r, const key *k, const node *n, void *object);
/* Single values. False after a complaint, *value then unchanged. */
bool keys_read_number(reader *r, const key *k, const node *n, double *value);
bool keys_read_vector(reader *r, const key *k, const node *n, dew_vec3 *value);
bool keys_read_text(reader *r, const key *k, const node *n, const char **value);
bool keys_read_word(reader *r, const key *k, const node *n, int *value);
/* A number, or an expression in `variables`: then *function is set. */
bool keys_read_number_or_function(reader *r, const key *k, const node *n, const char *variables, double *value,
                                  dew_function *function);
/* A vector whose components may be expressions. */
bool keys_read_vector_or_functions(reader *r, const key *k, const node *n, const char *variables, dew_vec3 *value,
                                   dew_function functions[3]);
/* False after a complaint that n should be `kind`. `name` for the message. */
bool keys_expect(reader *r, const char *name, const node *n, node_kind kind);
/* "a list", "a map", "'text'": what a node is, for messages. */
const char *keys_describe(reader *r, const node *n);
/* Memory of the scene, zeroed; notes it in the reader when there is none. */
void *keys_obtain(reader *r, size_t bytes);
/* The unit as people write it after a number: "" for pure numbers. */
const char *keys_unit_suffix(const char *unit);

struct writer {
    FILE *out;
    int indent;   /* of the present block */
    bool is_flow; /* inside of { } or [ ] */
    const dew_scene *scene;
    const dew_simulation *simulation;
};

void keys_write_map(writer *w, const key_table *table, const void *object);
void keys_write_number(writer *w, double value);
void keys_write_vector(writer *w, dew_vec3 value);
void keys_write_text(writer *w, const char *text);
void keys_write_number_or_function(writer *w, double value, dew_function function);
void keys_write_vector_or_functions(writer *w, dew_vec3 value, const dew_function functions[3]);
/* Starts an entry: the name and `after` (": ", or ":" before a block), after the indent or the comma that belong before
 * it. `is_first` of its map. */
void keys_write_key(writer *w, const char *name, const char *after, bool is_first);

#endif
