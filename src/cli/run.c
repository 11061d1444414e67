/* `dew run`: a scene simulated into a folder. */
#include "cli/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int print_help(void)
{
    puts(
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
        "      --checkpoint-every SECONDS   of wall time; default 5; 0: every frame. Always at the end\n"
        "  -q, --quiet            no progress, no summary; errors only\n"
        "\n"
        "Ctrl-C stops after the step that is being made; --resume goes on from the last whole frame.\n"
        "Exit status: 0 done, 1 failed or stopped while running, 2 the input is wrong.");
    return STATUS_DONE;
}

enum { OPTION_FRAMES = 256, OPTION_NO_RENDER, OPTION_CHECKPOINT, OPTION_CHANGED };

static int read_option(run_request *r, int letter)
{
    char *end;
    switch (letter) {
    case 'o':
        r->folder = optarg;
        return STATUS_DONE;
    case 'm':
        r->method = optarg;
        return STATUS_DONE;
    case 's':
        return word_list_add(&r->settings, optarg) ? STATUS_DONE : STATUS_FAILED;
    case 't':
        return cli_read_count("run", "--threads", optarg, 1, &r->threads) ? STATUS_DONE : STATUS_WRONG;
    case 'r':
        r->is_resume = true;
        return STATUS_DONE;
    case OPTION_CHANGED:
        r->is_changed = true;
        return STATUS_DONE;
    case 'f':
        r->is_force = true;
        return STATUS_DONE;
    case 'q':
        r->is_quiet = true;
        return STATUS_DONE;
    case OPTION_FRAMES:
        return cli_read_count("run", "--frames", optarg, 0, &r->frames) ? STATUS_DONE : STATUS_WRONG;
    case OPTION_NO_RENDER:
        r->is_without_pictures = true;
        return STATUS_DONE;
    case OPTION_CHECKPOINT:
        r->checkpoint_every = strtod(optarg, &end);
        if (end != optarg && !*end && r->checkpoint_every >= 0) return STATUS_DONE;
        return cli_wrong("run", "--checkpoint-every is '%s'; it must be seconds, 0 or more", optarg);
    default:
        return STATUS_WRONG;
    }
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

int command_run(int argc, char **argv)
{
    static const struct option options[] = {{"help", no_argument, NULL, 'h'},
                                            {"output", required_argument, NULL, 'o'},
                                            {"method", required_argument, NULL, 'm'},
                                            {"set", required_argument, NULL, 's'},
                                            {"threads", required_argument, NULL, 't'},
                                            {"resume", no_argument, NULL, 'r'},
                                            {"changed", no_argument, NULL, OPTION_CHANGED},
                                            {"force", no_argument, NULL, 'f'},
                                            {"quiet", no_argument, NULL, 'q'},
                                            {"frames", required_argument, NULL, OPTION_FRAMES},
                                            {"no-render", no_argument, NULL, OPTION_NO_RENDER},
                                            {"checkpoint-every", required_argument, NULL, OPTION_CHECKPOINT},
                                            {0}};
    run_request r = {.frames = -1, .checkpoint_every = 5};
    int status = STATUS_DONE;
    optind = 0;
    for (int letter; !status && (letter = cli_next_option("run", argc, argv, ":ho:m:s:t:rfq", options)) != -1;) {
        if (letter == 'h') return print_help();
        status = read_option(&r, letter);
    }
    if (!status && r.folder && !*r.folder) status = cli_wrong("run", "-o names no folder");
    if (!status && argc - optind != 1) {
        status = optind == argc
                     ? cli_wrong("run", "which scene? usage: dew run SCENE [OPTIONS]; `dew list` shows scenes")
                     : cli_wrong("run", "one scene at a time; no use for '%s'", argv[optind + 1]);
    }
    if (!status && r.is_changed && !r.is_resume) {
        status = cli_wrong("run", "--changed says how to --resume a run, which is not asked for");
    }
    if (!status && r.is_resume && r.is_force) {
        status = cli_wrong("run", "--resume goes on with a run, --force replaces it; only one is possible");
    }
    if (!status) {
        r.scene = argv[optind];
        choose_folder(&r);
        status = run_scene(&r);
    }
    free(r.settings.words);
    return status;
}
