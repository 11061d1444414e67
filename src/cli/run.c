/* `dew run`: a scene simulated into a folder. */
#include "cli/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: dew run SCENE [-o DIR] [OPTIONS]\n"
    "\n"
    "Simulates a scene (a file, or a name from `dew list`) and leaves in DIR:\n"
    "  particles.pvd, frames/   open particles.pvd with ParaView\n"
    "  preview.png, preview.mp4 the last frame and a video; pictures/ has every frame\n"
    "  probes.csv               the scene's measurements\n"
    "  run.yaml                 every value that was used\n"
    "  checkpoint.h5            from which --resume goes on\n"
    "\n"
    "  -o, --output DIR       default: out/ and the scene's name\n"
    "  -m, --method M         instead of the scene's method (`dew list methods`)\n"
    "  -s, --set KEY=VALUE    instead of the scene's value; may be repeated. A path of keys:\n"
    "                         spacing=0.1mm  duration=20ms  materials.water.viscosity=2e-3  pbf.tension=paper\n"
    "  -t, --threads N        default: all cores; results do not depend on it\n"
    "  -r, --resume           go on from DIR's checkpoint, to the same bytes as without the break\n"
    "      --changed          with --resume: go on though the scene has changed (not method, spacing, frame_rate)\n"
    "  -f, --force            replace a run that is in DIR\n"
    "      --frames N         stop after N frames, whatever the duration\n"
    "      --no-render        no pictures, no video\n"
    "      --strict           end the run with status 1 at the first warning (density, energy, ...); the checkpoint\n"
    "                         is that of the last frame without one\n"
    "      --checkpoint-every SECONDS   of wall time; default 5; 0: every frame. Always at the end\n"
    "  -q, --quiet            no progress, no summary; errors and warnings only\n"
    "\n"
    "Ctrl-C stops after the step that is being made; --resume goes on from the last whole frame.\n"
    "Exit status: 0 done, 1 failed or stopped while running, 2 the input is wrong.";

static int read_seconds(const cli_option *option, const char *command, const char *value)
{
    char *end;
    double seconds = strtod(value, &end);
    if (end == value || *end || !(seconds >= 0))
        return cli_wrong(command, "--%s is '%s'; it must be seconds, 0 or more", option->name, value);
    *(double *)option->to = seconds;
    return STATUS_DONE;
}

/* "out/" and the scene's name, when -o is not given. */
static void choose_folder(run_request *r)
{
    if (r->folder) return;
    const char *slash = strrchr(r->scene, '/'), *name = slash ? slash + 1 : r->scene;
    const char *dot = strrchr(name, '.');
    int length = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
    snprintf(r->default_folder, sizeof r->default_folder, "out/%.*s", length, name);
    r->folder = r->default_folder;
}

/* What the command line says, apart from its options' own mistakes. */
static int check_request(const run_request *r, int argc, char **argv)
{
    if (optind == argc) return cli_wrong("run", "which scene? usage: dew run SCENE [OPTIONS]; `dew list` shows scenes");
    if (argc - optind > 1) return cli_wrong("run", "one scene at a time; no use for '%s'", argv[optind + 1]);
    if (r->is_changed && !r->is_resume)
        return cli_wrong("run", "--changed says how to --resume a run, which is not asked for");
    if (r->is_resume && r->is_force)
        return cli_wrong("run", "--resume goes on with a run, --force replaces it; only one is possible");
    return STATUS_DONE;
}

/* --strict is a value of the scene, so that run.yaml names it. */
static int set_strict(run_request *r)
{
    const cli_option set = {"set", 0, cli_read_word, &r->settings};
    int status = cli_read_word(&set, "run", "output.strict=true");
    return status == STATUS_DONE ? STATUS_GO_ON : status;
}

int command_run(int argc, char **argv)
{
    run_request r = {.frames = -1, .checkpoint_every = 5};
    bool is_strict = false;
    const cli_option options[] = {{"output", 'o', cli_read_folder, &r.folder},
                                  {"method", 'm', cli_read_text, &r.method},
                                  {"set", 's', cli_read_word, &r.settings},
                                  {"threads", 't', cli_read_count, &r.threads},
                                  {"resume", 'r', cli_read_flag, &r.is_resume},
                                  {"changed", 0, cli_read_flag, &r.is_changed},
                                  {"force", 'f', cli_read_flag, &r.is_force},
                                  {"quiet", 'q', cli_read_flag, &r.is_quiet},
                                  {"frames", 0, cli_read_index, &r.frames},
                                  {"no-render", 0, cli_read_flag, &r.is_without_pictures},
                                  {"strict", 0, cli_read_flag, &is_strict},
                                  {"checkpoint-every", 0, read_seconds, &r.checkpoint_every},
                                  {0}};
    int status = cli_read_options("run", help, options, argc, argv);
    if (status == STATUS_GO_ON && is_strict) status = set_strict(&r);
    if (status == STATUS_GO_ON && (status = check_request(&r, argc, argv)) == STATUS_DONE) {
        r.scene = argv[optind];
        choose_folder(&r);
        status = run_scene(&r);
    }
    free(r.settings.words);
    return status;
}
