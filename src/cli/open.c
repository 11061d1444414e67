#include "cli/open.h"

#include "cli/scenes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int read_scene(opened *o, const char *name, const char *word, const dew_scene_options *options)
{
    char *suggestion = NULL, *complaints = NULL;
    scene_resolve(word, o->path, sizeof o->path, &suggestion);
    dew_result result = dew_scene_read(o->path, options, &o->scene, &complaints);
    if (result != DEW_OK) {
        fprintf(stderr, "%s", complaints ? complaints : dew_message());
        if (suggestion)
            cli_wrong(name, "did you mean %s? `dew list scenes` shows all", suggestion);
        else if (access(o->path, F_OK) != 0)
            cli_wrong(name, "`dew list scenes` shows the scenes there are");
        if (!complaints) fputc('\n', stderr);
    }
    free(complaints);
    free(suggestion);
    return result == DEW_OK ? STATUS_DONE : result == DEW_NO_MEMORY ? STATUS_FAILED : STATUS_WRONG;
}

int scene_open(opened *o, const char *name, const char *word, const dew_scene_options *options, int threads)
{
    *o = (opened){.scene = NULL};
    int status = read_scene(o, name, word, options);
    if (status != STATUS_DONE) return status;
    o->def = *dew_scene_definition(o->scene);
    if (threads > 0) o->def.threads = threads;
    dew_result result = dew_simulation_create(&o->def, &o->simulation);
    if (result == DEW_OK) return STATUS_DONE;
    char *explained = result == DEW_INVALID ? dew_scene_explain(o->scene) : NULL;
    if (explained)
        fputs(explained, stderr);
    else
        fprintf(stderr, "%s: %s\n", o->path, dew_message());
    free(explained);
    return cli_status(result);
}

void scene_close(opened *o)
{
    dew_simulation_destroy(o->simulation); /* before the scene, whose functions it holds */
    if (o->scene) dew_scene_destroy(o->scene);
    *o = (opened){.scene = NULL};
}

double scene_frames(const dew_simulation_def *def) { return ceil(def->duration * def->frame_rate * (1 - 1e-12)); }

bool scene_is_rounded(const dew_simulation_def *def)
{
    return scene_frames(def) > def->duration * def->frame_rate * (1 + 1e-9);
}
