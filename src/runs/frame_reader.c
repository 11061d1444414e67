/* Frames read back from a run's folder. Nothing in the files is trusted: what a frame is measured and drawn by is
 * checked here, what the arrays' own heads say in io/vtp_read.c. */
#include "base/arena.h"
#include "base/real.h"
#include "dew/frames.h"
#include "dew/scene.h"
#include "frame/frame.h"
#include "frame/settable.h"
#include "io/atomic.h"
#include "io/collection.h"
#include "io/vtp.h"
#include "sim/emitters.h"
#include "solids/solids.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Farther than this many spacings from the origin there is no particle: grids would count beyond an int. */
#define FARTHEST 1e9

struct dew_frame_reader {
    char directory[ATOMIC_PATH];
    dew_scene *scene;
    dew_material_def *materials;
    solids *solids;
    dew_mouths mouths;
    double *at_start; /* what changes may set, see frame/settable.h; and as it is in the frame */
    change_step *changes;
    int change_count;
    int *index; /* of the frames that are there */
    int count;
    dew_frame frame; /* the one that was read, its fields and their values */
    dew_field fields[VTP_MOST_ARRAYS];
    vtp_file file; /* whose arrays have the fields' names and units */
};

/* --- the folder --- */

static dew_result list_frames(dew_frame_reader *r)
{
    io_path path = io_path_of("%s/particles.pvd", r->directory);
    collection c = {0};
    if (access(path.text, F_OK) != 0)
        return result_fail(DEW_INVALID, "%s holds no frames: there is no particles.pvd, which lists them",
                           r->directory);
    dew_result result = collection_read(path.text, &c);
    r->index = result == DEW_OK ? calloc((size_t)c.count + 1, sizeof *r->index) : NULL;
    if (result == DEW_OK && !r->index) result = result_fail(DEW_NO_MEMORY, "no memory to list %d frames", c.count);
    for (int k = 0; k < c.count && result == DEW_OK; k++) {
        int index = -1, end = 0;
        sscanf(c.entries[k].file, "frames/particles_%d.vtp%n", &index, &end);
        if (index < 0 || end == 0 || c.entries[k].file[end] || (k > 0 && index <= r->index[k - 1]))
            result = result_fail(DEW_INVALID, "%s lists \"%.80s\"; there must be frames/particles_NNNN.vtp, ascending",
                                 path.text, c.entries[k].file);
        else
            r->index[r->count++] = index;
    }
    collection_free(&c);
    if (result == DEW_OK && r->count == 0) result = result_fail(DEW_INVALID, "%s lists no frames", path.text);
    return result;
}

static dew_result find_mouths(dew_frame_reader *r, const dew_simulation_def *def)
{
    r->mouths.of = calloc((size_t)def->emitter_count + 1, sizeof *r->mouths.of);
    if (!r->mouths.of) return result_fail(DEW_NO_MEMORY, "no memory for %d emitters", def->emitter_count);
    for (int k = 0; k < def->emitter_count; k++) {
        emitter e;
        dew_result result = emitter_create(&e, &def->emitters[k], &def->domain, def->dimension, def->spacing);
        if (result == DEW_OK) r->mouths.of[r->mouths.count++] = emitter_mouth(&e);
        emitter_destroy(&e);
        RESULT_TRY(result);
    }
    r->frame.mouths = &r->mouths;
    return DEW_OK;
}

static settable settable_of(dew_frame_reader *r)
{
    return (settable){&r->frame.gravity, r->materials, r->frame.material_count, r->solids};
}

static dew_result find_changes(dew_frame_reader *r, const dew_simulation_def *def)
{
    const settable of = settable_of(r);
    size_t count = (size_t)settable_count(&of);
    r->change_count = changes_list(def, NULL);
    r->at_start = calloc(2 * count, sizeof *r->at_start);
    r->changes = calloc((size_t)r->change_count + 1, sizeof *r->changes);
    if (!r->at_start || !r->changes) return result_fail(DEW_NO_MEMORY, "no memory for %d changes", r->change_count);
    changes_list(def, r->changes);
    settable_read(&of, r->at_start);
    return DEW_OK;
}

/* Materials, gravity and solids as they are at the frame's time. */
static void make_changes(dew_frame_reader *r)
{
    const settable of = settable_of(r);
    size_t count = (size_t)settable_count(&of);
    double *now = r->at_start + count, rate = dew_scene_definition(r->scene)->frame_rate;
    memcpy(now, r->at_start, count * sizeof *now);
    int made = changes_made(r->changes, r->change_count, r->frame.time, rate);
    for (int k = 0; k < made; k++) settable_change(&of, now, &r->changes[k]);
    settable_write(&of, now);
}

static dew_result read_definition(dew_frame_reader *r)
{
    io_path path = io_path_of("%s/run.yaml", r->directory);
    char *complaints = NULL;
    if (access(path.text, F_OK) != 0)
        return result_fail(DEW_INVALID, "%s holds no run.yaml, so it is not the folder of a run", r->directory);
    dew_result result = dew_scene_read(path.text, NULL, &r->scene, &complaints);
    if (result != DEW_OK && complaints) result_fail(result, "%s", complaints);
    free(complaints);
    if (result != DEW_OK) return result;
    const dew_simulation_def *def = dew_scene_definition(r->scene);
    r->materials = calloc((size_t)def->material_count + 1, sizeof *r->materials);
    if (!r->materials) return result_fail(DEW_NO_MEMORY, "no memory for %d materials", def->material_count);
    r->frame = frame_of_definition(def, r->materials);
    r->frame.method = dew_method_find(def->method);
    RESULT_TRY(find_mouths(r, def));
    RESULT_TRY(solids_create(&r->solids, def));
    return find_changes(r, def);
}

dew_result dew_frame_reader_open(const char *directory, dew_frame_reader **reader)
{
    dew_frame_reader *r = *reader = calloc(1, sizeof **reader);
    if (!r) return result_fail(DEW_NO_MEMORY, "no memory to read frames");
    bool is_short = snprintf(r->directory, sizeof r->directory, "%s", directory) < (int)sizeof r->directory;
    dew_result result = is_short ? read_definition(r) : result_fail(DEW_INVALID, "the folder's name is too long");
    if (result == DEW_OK) result = list_frames(r);
    if (result == DEW_OK) return DEW_OK;
    dew_frame_reader_close(r);
    *reader = NULL;
    return result;
}

static void forget_frame(dew_frame_reader *r)
{
    for (int k = 0; k < r->frame.field_count; k++) aligned_release((void *)r->fields[k].data);
    r->frame.field_count = r->frame.particle_count = 0;
    vtp_close(&r->file);
}

void dew_frame_reader_close(dew_frame_reader *r)
{
    if (!r) return;
    forget_frame(r);
    solids_destroy(r->solids);
    free(r->mouths.of);
    dew_scene_destroy(r->scene);
    free(r->materials);
    free(r->at_start);
    free(r->changes);
    free(r->index);
    free(r);
}

const dew_simulation_def *dew_frame_reader_definition(const dew_frame_reader *r)
{
    return dew_scene_definition(r->scene);
}

int dew_frame_reader_count(const dew_frame_reader *r) { return r->count; }
int dew_frame_reader_index(const dew_frame_reader *r, int k) { return k >= 0 && k < r->count ? r->index[k] : -1; }

/* --- a frame --- */

static void unpack(const vtp_array *a, const void *packed, dew_field *f, void *data)
{
    for (int64_t i = 0; i < a->tuples; i++)
        for (int c = 0; c < f->components; c++) {
            int64_t from = i * a->components + c, to = i * f->stride + c;
            if (f->type == DEW_FIELD_REAL)
                ((real *)data)[to] = (real)number_at(a->type, packed, from);
            else if (f->type == DEW_FIELD_INT32)
                ((int32_t *)data)[to] = ((const int32_t *)packed)[from];
            else
                ((uint8_t *)data)[to] = ((const uint8_t *)packed)[from];
        }
}

/* Fields are laid out as a simulation lays them out: vectors in fours. */
static dew_result read_field(dew_frame_reader *r, const char *path, int index)
{
    const vtp_array *a = &r->file.arrays[index];
    dew_field f = {.name = a->section == VTP_POINTS ? "position" : a->name,
                   .unit = a->section == VTP_POINTS ? "m"
                           : a->unit[0]             ? a->unit
                                                    : "1",
                   .type = a->type == DEW_ITEM_INT32   ? DEW_FIELD_INT32
                           : a->type == DEW_ITEM_UINT8 ? DEW_FIELD_UINT8
                                                       : DEW_FIELD_REAL,
                   .components = a->components,
                   .stride = a->components > 1 && a->components < 4 ? 4 : a->components,
                   .count = (int)a->tuples};
    if (a->tuples != r->file.points)
        return result_fail(DEW_INVALID, "%s is damaged: it holds %lld particles and %lld of their %s", path,
                           (long long)r->file.points, (long long)a->tuples, f.name);
    const size_t size = f.type == DEW_FIELD_REAL ? sizeof(real) : f.type == DEW_FIELD_INT32 ? 4 : 1;
    void *packed, *data;
    RESULT_TRY(vtp_load(&r->file, path, index, &packed));
    size_t bytes = (size_t)f.count * (size_t)f.stride * size;
    f.data = data = aligned_obtain(bytes + 1);
    if (data) {
        memset(data, 0, bytes);
        unpack(a, packed, &f, data);
        r->fields[r->frame.field_count++] = f;
    }
    free(packed);
    return data ? DEW_OK : result_fail(DEW_NO_MEMORY, "no memory to read %s", path);
}

static dew_result check_particles(dew_frame *f, const char *path)
{
    dew_field position, material;
    if (!dew_frame_field(f, "position", &position) || position.components != 3 || position.type != DEW_FIELD_REAL)
        return result_fail(DEW_INVALID, "%s is not a whole frame of dew's: its particles have no places", path);
    const real4 *x = position.data;
    if (position.count > 0) f->origin = (dew_vec3){x->x, x->y, x->z};
    for (int i = 0; i < position.count; i++) {
        double reach = FARTHEST * f->spacing;
        if (fabs(x[i].x) < reach && fabs(x[i].y) < reach && fabs(x[i].z) < reach) continue;
        return result_fail(DEW_INVALID, "%s is damaged: particle %d lies at (%g, %g, %g) m", path, i, (double)x[i].x,
                           (double)x[i].y, (double)x[i].z);
    }
    if (!dew_frame_field(f, "material", &material)) return DEW_OK;
    if (material.type != DEW_FIELD_UINT8 || material.components != 1)
        return result_fail(DEW_INVALID, "%s is damaged: its field material is not one byte a particle", path);
    for (int i = 0; i < material.count; i++) {
        int k = ((const uint8_t *)material.data)[i];
        if (k >= f->material_count)
            return result_fail(DEW_INVALID, "%s does not fit its run.yaml: particle %d is of material %d; there are %d",
                               path, i, k, f->material_count);
    }
    return DEW_OK;
}

/* Rigid bodies stand as the file says; of files without any, as they did at the start. */
static dew_result read_bodies(dew_frame_reader *r, const char *path)
{
    int index = vtp_find(&r->file, VTP_FIELD_DATA, VTP_BODIES), count = 0;
    if (index < 0) return DEW_OK;
    for (int k = 0; k < solids_count(r->solids); k++) count += solids_is_body(r->solids, k);
    const vtp_array *a = &r->file.arrays[index];
    if (a->type != DEW_ITEM_DOUBLE || a->tuples * a->components != (int64_t)count * SOLIDS_STANCE)
        return result_fail(DEW_INVALID, "%s does not fit its run.yaml: it does not hold %d rigid bod%s", path, count,
                           count == 1 ? "y" : "ies");
    void *data;
    RESULT_TRY(vtp_load(&r->file, path, index, &data));
    const double *stance = data;
    bool is_right = true;
    for (int k = 0; k < solids_count(r->solids); k++)
        if (solids_is_body(r->solids, k)) is_right &= solids_set_stance(r->solids, k, stance), stance += SOLIDS_STANCE;
    free(data);
    return is_right ? DEW_OK : result_fail(DEW_INVALID, "%s is damaged: a rigid body is nowhere", path);
}

static dew_result read_particles(dew_frame_reader *r, const char *path)
{
    RESULT_TRY(vtp_read(path, &r->file));
    if (!isfinite(r->file.time)) return result_fail(DEW_INVALID, "%s does not tell its time", path);
    if (r->file.points > INT_MAX) return result_fail(DEW_INVALID, "%s has more than %d particles", path, INT_MAX);
    for (int k = 0; k < r->file.count; k++)
        if (r->file.arrays[k].section == VTP_POINTS || r->file.arrays[k].section == VTP_POINT_DATA)
            RESULT_TRY(read_field(r, path, k));
    r->frame.time = r->file.time, r->frame.particle_count = (int)r->file.points;
    RESULT_TRY(read_bodies(r, path));
    return check_particles(&r->frame, path);
}

dew_result dew_frame_reader_read(dew_frame_reader *r, int k, const dew_frame **frame)
{
    *frame = NULL;
    if (k < 0 || k >= r->count)
        return result_fail(DEW_INVALID, "there is no frame %d of %d in %s", k, r->count, r->directory);
    forget_frame(r);
    r->frame.index = r->index[k], r->frame.fields = r->fields, r->frame.solids = r->solids;
    dew_result result = read_particles(r, io_path_of("%s/frames/particles_%04d.vtp", r->directory, r->index[k]).text);
    if (result != DEW_OK) {
        forget_frame(r);
        return result;
    }
    make_changes(r);
    solids_place(r->solids, r->frame.time, r->frame.time);
    *frame = &r->frame;
    return DEW_OK;
}
