/* A run: frames, probes, pictures and checkpoints in a folder, from the start or from where it was left. */
#include "cli/differences.h"
#include "cli/open.h"
#include "cli/pictures.h"
#include "cli/progress.h"
#include "cli/run_folder.h"
#include "cli/watching.h"
#include "dew/frames.h"
#include "dew/snapshot.h"
#include "io/atomic.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct running {
    const run_request *request;
    opened scene;
    dew_probe_table *probes;
    pictures pictures;
    progress progress;
    watching watching;
    int lock;                     /* on the folder, while the run writes there */
    int last_frame;               /* the run ends there */
    int saved_frame;              /* of the last checkpoint, -1: none */
    bool is_other_scene;          /* the checkpoint does not fit the scene */
    double saved_at;              /* wall clock then */
    dew_snapshot_item *frame_end; /* the simulation at the last frame, if no checkpoint has it: a stop within a frame
                                     goes back there */
    int frame_end_items;
    dew_result in_probes; /* what went wrong in the middle of a step */
} running;

static volatile sig_atomic_t is_stopped;

static void on_signal(int number)
{
    (void)number;
    is_stopped = 1;
}

/* The first signal asks the run to stop, a second one ends the process. */
static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGXFSZ, SIG_IGN); /* a file that grows past a limit is an error of its writing, to be told */
}

/* --- what is written --- */

static dew_result write_checkpoint(running *r)
{
    RESULT_TRY(dew_probe_table_sync(r->probes));
    RESULT_TRY(dew_checkpoint_write(run_folder_file(r->request, "checkpoint.h5"), r->scene.simulation));
    r->saved_frame = dew_simulation_frame(r->scene.simulation)->index, r->saved_at = wall_clock();
    return DEW_OK;
}

/* The frame's end stays in memory until it is saved, for a stop within the next frame. */
static void keep_frame_end(running *r)
{
    free(r->frame_end);
    r->frame_end = NULL;
    if (r->saved_frame == dew_simulation_frame(r->scene.simulation)->index) return;
    /* Where this fails the last checkpoint must do. */
    dew_simulation_snapshot_copy(r->scene.simulation, &r->frame_end, &r->frame_end_items);
}

/* A checkpoint is of a frame's end: a run that was stopped within a frame goes back there. */
static dew_result save_frame_end(running *r)
{
    if (!r->frame_end) return DEW_OK;
    RESULT_TRY(dew_simulation_restore(r->scene.simulation, r->frame_end, r->frame_end_items));
    return write_checkpoint(r);
}

static bool has_fitted_colours(const running *r)
{
    const dew_render_def *render = &dew_scene_output_of(r->scene.scene)->render;
    return render->colour_by && !(render->colour_min < render->colour_max);
}

/* Pictures before and after a break have the same colours: those that the run's first pictures were fitted to, which
 * run.yaml names. */
static void recall_colours(running *r)
{
    dew_scene *before = NULL;
    char *complaints = NULL;
    if (!has_fitted_colours(r)) return;
    if (dew_scene_read(run_folder_file(r->request, "run.yaml"), NULL, &before, &complaints) == DEW_OK) {
        const dew_render_def *then = &dew_scene_output_of(before)->render;
        const char *now = dew_scene_output_of(r->scene.scene)->render.colour_by;
        if (then->colour_by && strcmp(then->colour_by, now) == 0 && then->colour_min < then->colour_max)
            dew_scene_set_colour_range(r->scene.scene, then->colour_min, then->colour_max);
        dew_scene_destroy(before);
    }
    free(complaints);
}

static dew_result note_colours(running *r)
{
    double min, max;
    if (!has_fitted_colours(r) || !dew_renderer_colour_range(r->pictures.renderer, &min, &max)) return DEW_OK;
    dew_scene_set_colour_range(r->scene.scene, min, max);
    return dew_scene_write(r->scene.scene, r->scene.simulation, run_folder_file(r->request, "run.yaml"));
}

/* Looks at the end of the run, and warns of what has been found since the last frame. */
static dew_result watch_frame(running *r, bool is_last)
{
    const dew_simulation *s = r->scene.simulation;
    if (is_last) RESULT_TRY(dew_simulation_look(r->scene.simulation));
    int warnings = watching_tell(&r->watching, s, &r->progress.line);
    if (warnings == 0 || !dew_scene_output_of(r->scene.scene)->is_strict) return DEW_OK;
    return result_fail(DEW_FAILED, "the run ended at %.6g s, at its first warning (strict)", dew_simulation_time(s));
}

/* Whether a strict run would end here if it looked. It looks by its steps, checkpoints are by the clock: what goes
 * wrong in between must not take the place of the last checkpoint that was good. */
static dew_result find_worth(running *r, bool *is_worth)
{
    *is_worth = true;
    if (!dew_scene_output_of(r->scene.scene)->is_strict) return DEW_OK;
    RESULT_TRY(dew_simulation_look(r->scene.simulation));
    for (int k = 0; k < DEW_WATCHED; k++)
        if (dew_simulation_watched(r->scene.simulation, (dew_watched_quantity)k).is_beyond) *is_worth = false;
    return DEW_OK;
}

static dew_result write_frame(running *r, bool is_last)
{
    RESULT_TRY(watch_frame(r, is_last));
    double began = wall_clock();
    const dew_scene_output *output = dew_scene_output_of(r->scene.scene);
    const dew_frame *frame = dew_simulation_frame(r->scene.simulation);
    RESULT_TRY(dew_frame_write(r->request->folder, frame, output->fields, output->field_count));
    if (r->pictures.renderer) {
        RESULT_TRY(pictures_add(&r->pictures, frame));
        RESULT_TRY(note_colours(r));
    }
    if (is_last || began - r->saved_at >= r->request->checkpoint_every) {
        bool is_worth;
        RESULT_TRY(find_worth(r, &is_worth));
        if (is_worth) RESULT_TRY(write_checkpoint(r));
    }
    keep_frame_end(r);
    r->progress.outside += wall_clock() - began;
    return DEW_OK;
}

static bool after_step(void *context, const dew_simulation *s)
{
    running *r = context;
    double began = wall_clock();
    r->in_probes = dew_probe_table_update(r->probes, dew_simulation_frame(s));
    r->progress.outside += wall_clock() - began;
    progress_update(&r->progress, s, false);
    return r->in_probes == DEW_OK && !is_stopped;
}

/* --- the run --- */

/* Notes what geometry tells beforehand. */
static void tell_foreseen(const running *r)
{
    char *text;
    if (dew_simulation_foresee(r->scene.simulation, &r->scene.def, &text) != DEW_OK) return;
    for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1)
        fprintf(stderr, "note: %.*s\n", (int)(end - line), line);
    free(text);
}

static void tell_changes(const running *r)
{
    char *before = NULL, *now = dew_scene_text(r->scene.scene, r->scene.simulation);
    size_t size;
    if (now && io_read_file(run_folder_file(r->request, "run.yaml"), &before, &size) == DEW_OK)
        differences_print(before, now);
    fprintf(stderr,
            "Go on with the scene as it was; or with changes, but not of method, spacing, frame rate, by --resume "
            "--changed; or start anew by --force or in another folder (-o DIR).\n");
    free(before), free(now);
}

static dew_result read_checkpoint(running *r)
{
    if (r->request->is_changed) dew_simulation_accept_changes(r->scene.simulation);
    dew_result result = dew_checkpoint_read(run_folder_file(r->request, "checkpoint.h5"), r->scene.simulation);
    r->is_other_scene = result == DEW_INVALID;
    return result;
}

static dew_result begin_run(running *r)
{
    opened *o = &r->scene;
    const run_request *q = r->request;
    bool is_resumed = q->is_resume && run_folder_has(q, "checkpoint.h5");
    if (is_resumed)
        recall_colours(r);
    else
        RESULT_TRY(dew_simulation_look_ahead(o->simulation));
    if (!q->is_without_pictures)
        RESULT_TRY(pictures_open(&r->pictures, q->folder, o->scene, &o->def, dew_simulation_frame(o->simulation)));
    if (is_resumed) RESULT_TRY(read_checkpoint(r));
    RESULT_TRY(dew_scene_write(o->scene, o->simulation, run_folder_file(q, "run.yaml")));
    double time = dew_simulation_time(o->simulation);
    RESULT_TRY(dew_probe_table_open(run_folder_file(q, "probes.csv"), &o->def, is_resumed ? time : -1, &r->probes));
    r->saved_at = wall_clock(), r->saved_frame = is_resumed ? dew_simulation_frame(o->simulation)->index : -1;
    progress_begin(&r->progress, o->simulation, r->last_frame / o->def.frame_rate, q->is_quiet);
    watching_begin(&r->watching, o->simulation);
    if (is_resumed) {
        if (!q->is_quiet)
            fprintf(stderr, "resumed at frame %d, %g s\n", dew_simulation_frame(o->simulation)->index, time);
        return DEW_OK;
    }
    RESULT_TRY(dew_probe_table_update(r->probes, dew_simulation_frame(o->simulation)));
    return write_frame(r, true);
}

static dew_result advance_run(running *r)
{
    dew_simulation *s = r->scene.simulation;
    while (dew_simulation_frame(s)->index < r->last_frame && !is_stopped) {
        int frame = dew_simulation_frame(s)->index;
        RESULT_TRY(dew_simulation_advance_frame(s, after_step, r));
        RESULT_TRY(r->in_probes);
        if (dew_simulation_frame(s)->index == frame) break; /* stopped inside of it */
        RESULT_TRY(write_frame(r, dew_simulation_frame(s)->index == r->last_frame || is_stopped));
        progress_update(&r->progress, s, true);
    }
    return DEW_OK;
}

/* What continues this run, as the user would type it. */
static void print_continuation(const running *r, const char *before, const char *option)
{
    const run_request *q = r->request;
    if (r->saved_frame < 0) return;
    fprintf(stderr, "Frame %d (%g s) is saved. %s:\n  dew run %s -o %s --resume%s", r->saved_frame,
            r->saved_frame / r->scene.def.frame_rate, before, q->scene, q->folder, option);
    if (q->method) fprintf(stderr, " --method %s", q->method);
    for (int i = 0; i < q->settings.count; i++) fprintf(stderr, " --set '%s'", q->settings.words[i]);
    fputc('\n', stderr);
}

static int fail(running *r, dew_result result)
{
    progress_clear(&r->progress.line);
    cli_wrong("run", "%s", dew_message());
    if (r->is_other_scene) tell_changes(r);
    if (result == DEW_IO)
        print_continuation(r, "When that is put right, go on with", "");
    else if (result == DEW_FAILED)
        print_continuation(r, "To go on from there with a change, add it by --set to", " --changed");
    return cli_status(result);
}

static int finish_run(running *r)
{
    const run_request *q = r->request;
    dew_simulation *s = r->scene.simulation;
    bool has_video = false;
    double ms_per_step = progress_ms_per_step(&r->progress, s); /* before the video adds to it */
    if (r->pictures.renderer) {
        dew_result result = pictures_preview(&r->pictures, dew_simulation_frame(s));
        if (result != DEW_OK) return fail(r, result);
        result = pictures_video(&r->pictures, r->last_frame, r->scene.def.frame_rate);
        has_video = result == DEW_OK;
        if (!has_video) fprintf(stderr, "no video: %s\n", dew_message()); /* the run itself is whole */
    }
    run_folder_tidy(q);
    if (*dew_simulation_notice(s)) fprintf(stderr, "note: %s\n", dew_simulation_notice(s));
    if (q->is_quiet) return STATUS_DONE;
    progress_clear(&r->progress.line);
    char took[32];
    format_clock(took, sizeof took, wall_clock() - r->progress.began);
    printf("Done: %d frames, %lld steps, %d particles, %s (%.3g ms a step).\n", dew_simulation_frame(s)->index,
           (long long)dew_simulation_step_count(s), dew_simulation_particle_count(s), took, ms_per_step);
    if (r->pictures.renderer) printf("  Picture:  %s\n", run_folder_file(r->request, "preview.png"));
    if (has_video) printf("  Video:    %s\n", run_folder_file(r->request, "preview.mp4"));
    printf("  ParaView: %s\n", run_folder_file(r->request, "particles.pvd"));
    watching_print(s);
    if (r->scene.def.probe_count > 0) printf("  Probes:   %s\n", run_folder_file(r->request, "probes.csv"));
    return STATUS_DONE;
}

/* Frames a second of the run that is gone on with, which do not change with its duration; 0: no run is there. */
static double frame_rate_before(const run_request *q)
{
    dew_scene *before = NULL;
    char *complaints = NULL;
    double rate = 0;
    if (dew_scene_read(run_folder_file(q, "run.yaml"), NULL, &before, &complaints) == DEW_OK) {
        rate = dew_scene_definition(before)->frame_rate;
        dew_scene_destroy(before);
    }
    free(complaints);
    return rate;
}

static int do_run(running *r)
{
    const run_request *q = r->request;
    const dew_scene_options options = {.method = q->method,
                                       .settings = q->settings.words,
                                       .setting_count = q->settings.count,
                                       .usual_frame_rate = q->is_resume ? frame_rate_before(q) : 0};
    int status = scene_open(&r->scene, "run", q->scene, &options, q->threads);
    if (status != STATUS_DONE) return status;
    const dew_simulation_def *d = &r->scene.def;
    r->last_frame = q->frames >= 0 ? q->frames : (int)scene_frames(d);
    status = run_folder_claim(q, &r->lock);
    if (status != STATUS_DONE) return status;
    if (!q->is_quiet) {
        fprintf(stderr, "%s: method %s, %d particles, %d frames, into %s\n",
                d->title && *d->title ? d->title : r->scene.path, dew_simulation_method(r->scene.simulation)->name,
                dew_simulation_particle_count(r->scene.simulation), r->last_frame, q->folder);
        const char *remark = dew_simulation_remark(r->scene.simulation);
        if (*remark) fprintf(stderr, "note: %s\n", remark);
        if (q->frames < 0 && scene_is_rounded(d))
            fprintf(stderr, "note: a duration of %.4g s is no whole number of frames: the last one ends at %.4g s\n",
                    d->duration, r->last_frame / d->frame_rate);
        tell_foreseen(r);
    }
    catch_signals();
    dew_result result = begin_run(r);
    if (result == DEW_OK) result = advance_run(r);
    bool is_whole = dew_simulation_frame(r->scene.simulation)->index >= r->last_frame;
    double stopped = dew_simulation_time(r->scene.simulation);
    if (result == DEW_OK && !is_whole) result = save_frame_end(r);
    if (result != DEW_OK) return fail(r, result);
    if (is_whole) return finish_run(r);
    progress_clear(&r->progress.line);
    cli_wrong("run", "stopped at %g s", stopped);
    print_continuation(r, "Go on with", "");
    return STATUS_FAILED;
}

int run_scene(const run_request *request)
{
    running r = {.request = request, .saved_frame = -1, .lock = -1};
    int status = do_run(&r);
    if (dew_probe_table_close(r.probes) != DEW_OK && status == STATUS_DONE) status = cli_failed("run", DEW_IO);
    free(r.frame_end);
    pictures_close(&r.pictures);
    scene_close(&r.scene);
    run_folder_release(r.lock);
    return status;
}
