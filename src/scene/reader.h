/* From a scene's tree to definitions and back, by the tables of dew/schema.h. Ranges, features and what concerns
 * several values the core judges (definition/check.c); here is what only a file has: kinds of values, units, words and
 * names, keys that are unknown or missing. */
#ifndef SCENE_READER_H
#define SCENE_READER_H

#include "definition/definition.h"
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
    node *root; /* of the tree */
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
} reader;

/* Fills `object` (with its defaults already in it) from a node, complaining of all that is wrong. */
void read_record(reader *r, const dew_property_table *table, node *n, void *object);
void read_property(reader *r, const dew_property *p, node *n, void *object);
/* Complains of what stands at a node, which counts as wrong from now on; returns false. wrong_at: of a place of its. */
#define wrong(r, n, ...) wrong_at(r, n, (n)->at, __VA_ARGS__)
__attribute__((format(printf, 5, 6))) bool wrong_at(reader *r, node *n, place at, const char *hint, const char *format,
                                                    ...);
/* False after a complaint that n should be `kind`. `name` for the message. */
bool expect_kind(reader *r, const char *name, node *n, node_kind kind);
/* Memory of the scene, zeroed; notes it in the reader when there is none. */
void *obtain(reader *r, size_t bytes);

/* The mesh of a file into the shape. */
void read_mesh(reader *r, const dew_property *p, node *n, dew_shape_def *def);

/* What a scene has besides a simulation's definition; fills a dew_scene_output. */
extern const dew_property output_property;
/* What the tables of the output do not tell. */
void check_output(const dew_scene_output *output, failures *all);

/* What concerns the scene as a whole, after it has been read: names, gravity, fields; fills in the default fields. */
void check_scene(reader *r, node *root, double usual_frame_rate);
/* Complains of what the core says at the places that its paths lead to; of nothing in places known to be wrong. */
void complain_of_failures(complaints *c, node *root, const failures *all);

typedef struct writer {
    FILE *out;
    int indent;   /* of the present block */
    bool is_flow; /* inside of { } or [ ] */
    const dew_scene *scene;
} writer;

/* Entries of a map; `is_first` of the map's. */
void write_entries(writer *w, const dew_property_table *table, const void *object, bool is_first);
void write_entry(writer *w, const dew_property *p, const void *object, bool is_first);

#endif
