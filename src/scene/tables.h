/* The tables of the scene file: shapes.c, liquids.c (materials, liquids, emitters), solids.c, outputs.c
 * (probes, output), and what holds them together in tables.c. */
#ifndef SCENE_TABLES_H
#define SCENE_TABLES_H

#include "scene/keys.h"

#include <math.h>

/* The whole file; fills a dew_scene. */
extern const key_table scene_table;

/* How many tables there are, and each: for the test of the documentation. */
const key_table *tables_at(int index);

/* read and write of a key whose value is a shape at the key's offset. */
void shapes_read(reader *r, const key *k, const node *n, void *object);
void shapes_write(writer *w, const key *k, const void *object);
#define SHAPE(structure, text)                                                                                         \
    .name = "shape", .type = KEY_CUSTOM, .flags = KEY_REQUIRED, .offset = offsetof(structure, shape),                  \
    .read = shapes_read, .write = shapes_write, .sentence = text
const key_table *shapes_table_at(int index); /* NULL behind the last */
/* Whether the shape is flat: for emitters only. */
bool shapes_is_flat(const dew_shape_def *def);
/* Complains of a flat shape where a body must be ("a liquid"), and takes it away. */
void shapes_check_body(reader *r, const node *n, dew_shape_def *def, const char *what);

/* read and write of a key that is a name (of a material, solid or probe: `words` says which) at the key's offset. */
void names_read(reader *r, const key *k, const node *n, void *object);
void names_write(writer *w, const key *k, const void *object);
bool names_check(reader *r, const char *what, place at, const char *name);
#define NAME(structure, what)                                                                                          \
    .name = "name", .type = KEY_CUSTOM, .offset = offsetof(structure, name), .words = what, .read = names_read,        \
    .write = names_write

/* When something acts: from, to. */
#define SPAN_FROM(structure)                                                                                           \
    .name = "from", .type = KEY_NUMBER, .unit = "s", .max = INFINITY, .offset = offsetof(structure, from),             \
    .sentence = "when it begins"
#define SPAN_TO(structure)                                                                                             \
    .name = "to", .type = KEY_NUMBER, .flags = KEY_ABOVE, .unit = "s", .max = INFINITY,                                \
    .offset = offsetof(structure, to), .sentence = "when it ends; never if left out"

/* Tables of the entries of the scene's lists and maps, and what fills an entry with its defaults. */
extern const key_table liquid_table, solid_table, surface_energy_table, motion_table, emitter_table, probe_table,
    material_table, output_table, camera_table, heat_table, heat_boundary_table, heat_source_table;
/* Whether a boundary differs from the default, for is_written. */
bool heat_boundary_is_given(const dew_heat_boundary *b);
void liquids_init(void *item);
void solids_init(void *item);
void emitters_init(void *item);
void probes_init(void *item);
void materials_read(reader *r, const key *k, const node *n, void *object);
void materials_write(writer *w, const key *k, const void *object);

/* What concerns the scene as a whole, after it has been read: references between its parts, what the method can do,
 * fields; fills in the default fields. */
void checks_of_scene(reader *r, const node *root);

/* Complains of what the core says (dew_message()) at the places that it is about. */
void locate_complaints(complaints *c, const node *root, const char *message);

#endif
