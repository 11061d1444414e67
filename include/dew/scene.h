/* Scene files: YAML in, definitions out, with every mistake found. Part of libdew-io. */
#ifndef DEW_SCENE_H
#define DEW_SCENE_H

#include "definition.h"
#include "render.h"
#include "result.h"
#include "simulation.h"

typedef struct dew_scene dew_scene;

typedef struct dew_scene_options {
    const char *method; /* replaces the scene's; NULL: as the scene says */
    const char *const
        *settings; /* "key=value", key a path such as spacing, materials.water.viscosity, pbf.tension, liquids.0.fill */
    int setting_count;
    double usual_frame_rate; /* 1/s, where the scene names none; 0: 60, or more for 60 frames in all */
} dew_scene_options;

/* Reads a scene. `options` may be NULL. On DEW_INVALID or DEW_IO *scene is NULL and *complaints (the caller's, freed by
 * free(); NULL on success) holds every mistake, each with file, line, column, the source line with a mark under the
 * place, what is wrong and what would be right. */
DEW_API dew_result dew_scene_read(const char *path, const dew_scene_options *options, dew_scene **scene,
                                  char **complaints);
/* The same of a text that is in no file: `name` stands for it where places are named. Meshes are sought from the
 * current folder. */
DEW_API dew_result dew_scene_read_text(const char *text, const char *name, const dew_scene_options *options,
                                       dew_scene **scene, char **complaints);
DEW_API void dew_scene_destroy(dew_scene *scene);

/* What the scene defines; belongs to the scene, which must outlive simulations made from it (it holds their functions).
 */
DEW_API const dew_simulation_def *dew_scene_definition(const dew_scene *scene);

/* The last failure on this thread, which dew_simulation_create has found in the scene's definition, with the places in
 * the file that it is about. The caller frees it; NULL without memory. */
DEW_API char *dew_scene_explain(const dew_scene *scene);

typedef struct dew_scene_output {
    const char *const *fields; /* to write to frames; default velocity, and the method's pressure and is_surface */
    int field_count;
    bool is_strict; /* a run ends at its first warning */
    dew_render_def render;
} dew_scene_output;
DEW_API const dew_scene_output *dew_scene_output_of(const dew_scene *scene);

/* Fixes the range of values that colours stand for in pictures, so that run.yaml names the one that was fitted. */
DEW_API void dew_scene_set_colour_range(dew_scene *scene, double min, double max);

/* What dew_scene_write writes; the caller frees it. NULL without memory. */
DEW_API char *dew_scene_text(const dew_scene *scene, const dew_simulation *simulation);

/* Writes run.yaml: every value used, defaults and the method's parameters included, in a form that dew_scene_read reads
 * again to the same definition (where expressions and meshes are named as in the scene); versions and threads as
 * comments. */
DEW_API dew_result dew_scene_write(const dew_scene *scene, const dew_simulation *simulation, const char *path);

#endif
