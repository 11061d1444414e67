/* What `dew run` was asked for, and doing it. */
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include "cli/cli.h"

typedef struct run_request {
    const char *scene, *folder, *method;
    word_list settings;
    int threads; /* 0: all cores */
    int frames;  /* -1: as many as the duration asks for */
    bool is_resume, is_changed, is_force, is_quiet, is_without_pictures;
    double checkpoint_every; /* s of wall time */
    char default_folder[512];
} run_request;

int run_scene(const run_request *request);

#endif
