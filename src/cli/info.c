/* `dew info`: what a file holds. */
#include "cli/cli.h"
#include "dew/frames.h"
#include "io/atomic.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char help[] =
    "usage: dew info FILE...\n"
    "\n"
    "Says what a file of dew's holds: a checkpoint (.h5), a frame (.vtp), a series (.pvd), a table (probes.csv), "
    "or\n"
    "the folder of a run.";

static int describe(const char *path)
{
    char *text = NULL;
    dew_result result = dew_file_describe(path, &text);
    if (result == DEW_OK) printf("%s", text);
    free(text);
    return result == DEW_OK ? STATUS_DONE : cli_wrong("info", "%s", dew_message());
}

/* What the run is, as its last frame tells. */
static int describe_frames(const char *folder)
{
    dew_frame_reader *reader;
    const dew_frame *frame = NULL;
    dew_result result = dew_frame_reader_open(folder, &reader);
    if (result == DEW_OK) result = dew_frame_reader_read(reader, dew_frame_reader_count(reader) - 1, &frame);
    if (result == DEW_OK) {
        const dew_simulation_def *def = dew_frame_reader_definition(reader);
        printf("%s: a run of method %s%s%s\n  spacing    %.6g m, %dD\n", folder, def->method, def->title ? ": " : "",
               def->title ? def->title : "", def->spacing, def->dimension);
        printf("  frames     %d to %d\n  particles  %d at %.9g s\n  materials ", dew_frame_reader_index(reader, 0),
               frame->index, frame->particle_count, frame->time);
        for (int k = 0; k < def->material_count; k++) printf(" %s", def->materials[k].name);
        printf("\n  solids    ");
        for (int k = 0; k < def->solid_count; k++) printf(" %s", def->solids[k].name);
        puts(def->solid_count > 0 ? "" : " none");
    }
    dew_frame_reader_close(reader);
    return result == DEW_OK ? STATUS_DONE : cli_wrong("info", "%s", dew_message());
}

static int describe_run(const char *folder)
{
    static const char *const files[] = {"checkpoint.h5", "particles.pvd", "probes.csv"};
    bool has_definition = access(io_path_of("%s/run.yaml", folder).text, F_OK) == 0;
    int status = has_definition ? describe_frames(folder) : STATUS_DONE, count = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        io_path path = io_path_of("%s/%s", folder, files[i]);
        if (access(path.text, F_OK) != 0) continue;
        int one = describe(path.text);
        if (one > status) status = one;
        count++;
    }
    return count > 0 ? status
                     : cli_wrong("info", "%s holds no run (no checkpoint.h5, particles.pvd, probes.csv)", folder);
}

int command_info(int argc, char **argv)
{
    int status = cli_read_options("info", help, &(cli_option){0}, argc, argv);
    if (status != STATUS_GO_ON) return status;
    if (optind == argc) return cli_wrong("info", "which file? usage: dew info FILE...");
    status = STATUS_DONE;
    for (int i = optind; i < argc; i++) {
        struct stat about;
        bool is_folder = stat(argv[i], &about) == 0 && S_ISDIR(about.st_mode);
        int one = is_folder ? describe_run(argv[i]) : describe(argv[i]);
        if (one > status) status = one;
    }
    return status;
}
