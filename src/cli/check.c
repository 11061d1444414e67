/* `dew check`: is this scene one that runs? */
#include "cli/open.h"
#include "cli/progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int print_help(void)
{
    puts("usage: dew check SCENE... [--method M] [--set KEY=VALUE]...\n"
         "\n"
         "Reads a scene, makes its particles, and says what it is; or every mistake in it, each with its line.\n"
         "\n"
         "  --method M         as if the scene named this method\n"
         "  --set KEY=VALUE    as if the scene had this value: spacing=0.1mm, materials.water.viscosity=2e-3\n"
         "  --quiet            say nothing of a scene that is right\n"
         "\n"
         "Exit status: 0 the scene is right, 2 it is not.");
    return STATUS_DONE;
}

static void describe(const opened *o)
{
    const dew_simulation_def *d = &o->def;
    printf("%s: right\n", o->path);
    if (d->title && *d->title) printf("  %s\n", d->title);
    printf("  method %s, %dD, %d particles of %g mm, %d solid%s, %d emitter%s\n",
           dew_simulation_method(o->simulation)->name, d->dimension, dew_simulation_particle_count(o->simulation),
           1e3 * d->spacing, d->solid_count, d->solid_count == 1 ? "" : "s", d->emitter_count,
           d->emitter_count == 1 ? "" : "s");
    char duration[32];
    format_time(duration, sizeof duration, d->duration);
    printf("  %s in %.0f frames\n", duration, ceil(d->duration * d->frame_rate * (1 - 1e-12)));
}

int command_check(int argc, char **argv)
{
    static const struct option options[] = {{"help", no_argument, NULL, 'h'},
                                            {"method", required_argument, NULL, 'm'},
                                            {"set", required_argument, NULL, 's'},
                                            {"quiet", no_argument, NULL, 'q'},
                                            {0}};
    word_list settings = {NULL, 0};
    const char *method = NULL;
    bool is_quiet = false;
    int status = STATUS_DONE;
    optind = 0;
    for (int letter; (letter = cli_next_option("check", argc, argv, ":hm:s:q", options)) != -1 && !status;) {
        if (letter == 'h') return print_help();
        if (letter == 'm')
            method = optarg;
        else if (letter == 's')
            status = word_list_add(&settings, optarg) ? STATUS_DONE : STATUS_FAILED;
        else if (letter == 'q')
            is_quiet = true;
        else
            status = STATUS_WRONG;
    }
    if (!status && optind == argc) status = cli_wrong("check", "which scene? usage: dew check SCENE...");
    for (int i = optind; i < argc && status != STATUS_FAILED; i++) {
        opened o;
        int one = scene_open(&o, "check", argv[i], method, &settings, 0);
        if (one == STATUS_DONE && !is_quiet) describe(&o);
        scene_close(&o);
        if (one > status) status = one;
    }
    free(settings.words);
    return status;
}
