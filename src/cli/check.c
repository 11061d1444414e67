/* `dew check`: is this scene one that runs? */
#include "cli/open.h"
#include "cli/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: dew check SCENE... [--method M] [--set KEY=VALUE]...\n"
    "\n"
    "Reads a scene, makes its particles, and says what it is; or every mistake in it, each with its line. Warns of "
    "what\n"
    "geometry tells beforehand: liquid cut away by solids, gaps and nozzles that the method does not resolve.\n"
    "\n"
    "  --method M         as if the scene named this method\n"
    "  --set KEY=VALUE    as if the scene had this value: spacing=0.1mm, materials.water.viscosity=2e-3\n"
    "  --quiet            say nothing of a scene that is right\n"
    "\n"
    "Exit status: 0 the scene is right, 2 it is not.";

static void describe(const opened *o)
{
    const dew_simulation_def *d = &o->def;
    printf("%s: right\n", o->path);
    if (d->title && *d->title) printf("  %s\n", d->title);
    printf("  method %s, %dD, %d particles of %g mm, %d solid%s, %d emitter%s\n",
           dew_simulation_method(o->simulation)->name, d->dimension, dew_simulation_particle_count(o->simulation),
           1e3 * d->spacing, d->solid_count, d->solid_count == 1 ? "" : "s", d->emitter_count,
           d->emitter_count == 1 ? "" : "s");
    char duration[32], end[32];
    format_time(duration, sizeof duration, d->duration);
    format_time(end, sizeof end, scene_frames(d) / d->frame_rate);
    printf("  %s in %.0f frames%s%s\n", duration, scene_frames(d), scene_is_rounded(d) ? ", which end at " : "",
           scene_is_rounded(d) ? end : "");
}

/* Warns of what geometry tells beforehand, even where nothing else is to be said. */
static int warn(const opened *o)
{
    char *text;
    if (dew_simulation_foresee(o->simulation, &o->def, &text) != DEW_OK) return cli_failed("check", DEW_NO_MEMORY);
    for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1)
        fprintf(stderr, "%s: warning: %.*s\n", o->path, (int)(end - line), line);
    free(text);
    return STATUS_DONE;
}

static int check_scenes(char **scenes, const char *method, const word_list *settings, bool is_quiet)
{
    if (!*scenes) return cli_wrong("check", "which scene? usage: dew check SCENE...");
    const dew_scene_options options = {.method = method, .settings = settings->words, .setting_count = settings->count};
    int status = STATUS_DONE;
    for (; *scenes && status != STATUS_FAILED; scenes++) {
        opened o;
        int one = scene_open(&o, "check", *scenes, &options, 0);
        if (one == STATUS_DONE && !is_quiet) describe(&o);
        if (one == STATUS_DONE) one = warn(&o);
        scene_close(&o);
        if (one > status) status = one;
    }
    return status;
}

int command_check(int argc, char **argv)
{
    word_list settings = {NULL, 0};
    const char *method = NULL;
    bool is_quiet = false;
    const cli_option options[] = {{"method", 'm', cli_read_text, &method},
                                  {"set", 's', cli_read_word, &settings},
                                  {"quiet", 'q', cli_read_flag, &is_quiet},
                                  {0}};
    int status = cli_read_options("check", help, options, argc, argv);
    if (status == STATUS_GO_ON) status = check_scenes(argv + optind, method, &settings, is_quiet);
    free(settings.words);
    return status;
}
