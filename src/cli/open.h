/* A scene opened for a command: options that `run` and `check` share, the scene read, its mistakes told. */
#ifndef CLI_OPEN_H
#define CLI_OPEN_H

#include "cli/cli.h"
#include "dew/dew.h"
#include "dew/scene.h"

typedef struct opened {
    char path[4096];
    dew_scene *scene;
    dew_simulation_def def; /* the scene's, with threads */
    dew_simulation *simulation;
} opened;

/* Reads the scene and makes its simulation. STATUS_DONE, or another status after the mistakes have been told; either
 * way scene_close() frees. */
int scene_open(opened *o, const char *name, const char *word, const dew_scene_options *options, int threads);
void scene_close(opened *o);

/* Whole frames that last as long as the definition says, or longer by less than one. */
double scene_frames(const dew_simulation_def *def);
/* Whether they do. */
bool scene_is_rounded(const dew_simulation_def *def);

#endif
