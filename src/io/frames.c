/* Frames for ParaView: particles and solids as VTP, listed with their times in PVD. */
#include "dew/frames.h"
#include "base/hash.h"
#include "frame/frame.h"
#include "io/atomic.h"
#include "io/collection.h"
#include "io/vtp.h"
#include "solids/solids.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- particles --- */

typedef struct content {
    vtp_array arrays[VTP_MOST_ARRAYS];
    void *owned[VTP_MOST_ARRAYS]; /* packed copies, to be freed */
    int count;
    double time;
} content;

static void content_free(content *f)
{
    for (int k = 0; k < f->count; k++) free(f->owned[k]);
}

static vtp_array *content_add(content *f, vtp_section section, const char *name, dew_item_type type, int components,
                              int64_t tuples, const void *data)
{
    vtp_array *a = &f->arrays[f->count];
    f->owned[f->count++] = NULL;
    *a = (vtp_array){.section = section, .type = type, .components = components, .tuples = tuples, .data = data};
    snprintf(a->name, sizeof a->name, "%s", name);
    return a;
}

static dew_item_type type_of(const dew_field *f)
{
    if (f->type == DEW_FIELD_INT32) return DEW_ITEM_INT32;
    if (f->type == DEW_FIELD_UINT8) return DEW_ITEM_UINT8;
    return sizeof(dew_real) == sizeof(float) ? DEW_ITEM_FLOAT : DEW_ITEM_DOUBLE;
}

/* Adds a field, its components packed. */
static dew_result add_field(content *f, vtp_section section, const char *name, const dew_field *field)
{
    if (f->count == VTP_MOST_ARRAYS) return result_fail(DEW_INVALID, "more than %d fields in a frame", VTP_MOST_ARRAYS);
    dew_item_type type = type_of(field);
    size_t size = number_size(type), width = size * (size_t)field->components, step = size * (size_t)field->stride;
    vtp_array *a = content_add(f, section, name, type, field->components, field->count, field->data);
    if (section == VTP_POINT_DATA && field->unit && strcmp(field->unit, "1") != 0 && !strpbrk(field->unit, "<>&\""))
        snprintf(a->unit, sizeof a->unit, "%s", field->unit);
    if (width == step) return DEW_OK;
    char *packed = malloc((size_t)field->count * width + 1);
    if (!packed) return result_fail(DEW_NO_MEMORY, "no memory to write field \"%s\"", name);
    for (int i = 0; i < field->count; i++)
        memcpy(packed + (size_t)i * width, (const char *)field->data + (size_t)i * step, width);
    f->owned[f->count - 1] = packed, a->data = packed;
    return DEW_OK;
}

static bool has_field(const content *f, const char *name)
{
    for (int k = 0; k < f->count; k++)
        if (f->arrays[k].section == VTP_POINT_DATA && strcmp(f->arrays[k].name, name) == 0) return true;
    return false;
}

static dew_result add_named(content *f, const dew_frame *frame, const char *name)
{
    dew_field field;
    RESULT_TRY(frame_need_field(frame, name, "to write", &field));
    if (strcmp(name, "position") == 0 || has_field(f, name)) return DEW_OK;
    return add_field(f, VTP_POINT_DATA, name, &field);
}

/* One vertex a particle, so that ParaView shows, picks and filters each. */
static dew_result add_verts(content *f, int count)
{
    int32_t *numbers = malloc(((size_t)count + 1) * sizeof *numbers);
    if (!numbers) return result_fail(DEW_NO_MEMORY, "no memory to write %d particles", count);
    for (int i = 0; i <= count; i++) numbers[i] = i;
    content_add(f, VTP_VERTS, "connectivity", DEW_ITEM_INT32, 1, count, numbers);
    f->owned[f->count - 1] = numbers;
    content_add(f, VTP_VERTS, "offsets", DEW_ITEM_INT32, 1, count, numbers + 1);
    return DEW_OK;
}

/* Where rigid bodies stand and how they move: one array, a tuple for each, in the order of solids. */
static dew_result add_bodies(content *f, const dew_frame *frame)
{
    int count = 0, length, all = dew_frame_solid_count(frame);
    for (int k = 0; k < all; k++) count += solids_is_body(frame->solids, k);
    if (count == 0) return DEW_OK;
    double *stances = malloc((size_t)count * SOLIDS_STANCE * sizeof *stances), *to = stances;
    if (!stances) return result_fail(DEW_NO_MEMORY, "no memory to write %d bodies", count);
    for (int k = 0; k < all; k++) {
        const double *state = solids_state(frame->solids, k, &length);
        if (state) memcpy(to, state, SOLIDS_STANCE * sizeof *to), to += SOLIDS_STANCE;
    }
    content_add(f, VTP_FIELD_DATA, VTP_BODIES, DEW_ITEM_DOUBLE, 1, (int64_t)count * SOLIDS_STANCE, stances);
    f->owned[f->count - 1] = stances;
    return DEW_OK;
}

static dew_result collect(content *f, const dew_frame *frame, const char *const *fields, int field_count)
{
    f->time = frame->time;
    content_add(f, VTP_FIELD_DATA, "TimeValue", DEW_ITEM_DOUBLE, 1, 1, &f->time);
    RESULT_TRY(add_bodies(f, frame));
    for (int k = 0; k < field_count && k < VTP_MOST_ARRAYS; k++) RESULT_TRY(add_named(f, frame, fields[k]));
    RESULT_TRY(add_named(f, frame, "id"));
    RESULT_TRY(add_named(f, frame, "material"));
    dew_field position;
    RESULT_TRY(frame_need_field(frame, "position", "to write", &position));
    if (f->count > VTP_MOST_ARRAYS - 3)
        return result_fail(DEW_INVALID, "%d fields are too many for a frame", field_count);
    RESULT_TRY(add_field(f, VTP_POINTS, "Points", &position));
    return add_verts(f, position.count);
}

static dew_result write_particles(const char *path, const dew_frame *frame, const char *const *fields, int field_count)
{
    content f = {0};
    dew_result result = collect(&f, frame, fields, field_count);
    int count = frame->particle_count;
    if (result == DEW_OK) result = vtp_write(path, count, count, 0, f.arrays, f.count, NULL);
    content_free(&f);
    return result; /* NOLINT: what is owned has been freed */
}

/* --- lists of frames --- */

/* A frame's number by its file's name, or -1. */
static int frame_of(const char *file)
{
    const char *mark = strrchr(file, '_');
    return mark ? atoi(mark + 1) : -1;
}

/* Keeps the entries before a frame: later ones are of a run that was interrupted and now goes over them again. Those of
 * solids repeat an earlier file while the solid rests, so they go by time as well as by the file's number. */
static void keep_before(collection *c, double time, int frame)
{
    int kept = 0;
    for (int k = 0; k < c->count; k++)
        if (c->entries[k].time < time && frame_of(c->entries[k].file) < frame) c->entries[kept++] = c->entries[k];
    c->count = kept;
}

/* Where the list is lost, the frames themselves tell their times. */
static dew_result recover(const char *directory, int frame, collection *c)
{
    c->count = 0;
    for (int k = 0; k < frame; k++) {
        char name[64];
        vtp_file file;
        snprintf(name, sizeof name, "frames/particles_%04d.vtp", k);
        if (vtp_read(io_path_of("%s/%s", directory, name).text, &file) != DEW_OK) continue;
        double time = file.time;
        vtp_close(&file);
        if (isfinite(time)) RESULT_TRY(collection_add(c, time, 0, name));
    }
    return DEW_OK;
}

static dew_result list_particles(const char *directory, const char *name, double time, int frame)
{
    io_path path = io_path_of("%s/particles.pvd", directory);
    collection c = {0};
    dew_result result = DEW_OK;
    if (frame > 0 && collection_read(path.text, &c) != DEW_OK) result = recover(directory, frame, &c);
    keep_before(&c, INFINITY, frame);
    if (result == DEW_OK) result = collection_add(&c, time, 0, name);
    if (result == DEW_OK) result = collection_write(path.text, &c);
    collection_free(&c);
    return result;
}

/* --- solids --- */

static uint64_t mesh_hash(const dew_solid_mesh *m)
{
    uint64_t hash = 0xcbf29ce484222325u;
    const struct {
        const void *data;
        size_t words;
    } parts[2] = {{m->vertices, 3 * (size_t)m->vertex_count}, {m->triangles, 3 * (size_t)m->triangle_count}};
    for (int p = 0; p < 2; p++)
        for (size_t k = 0; k < parts[p].words; k++) {
            uint32_t word;
            memcpy(&word, (const char *)parts[p].data + 4 * k, 4);
            hash = hash_mix(hash, word);
        }
    return hash;
}

static dew_result write_solid(const char *path, const dew_solid_mesh *m, const char *remark)
{
    int32_t *offsets = malloc(((size_t)m->triangle_count + 1) * sizeof *offsets);
    if (!offsets) return result_fail(DEW_NO_MEMORY, "no memory to write solid \"%s\"", m->name);
    for (int k = 0; k < m->triangle_count; k++) offsets[k] = 3 * (k + 1);
    content f = {0};
    content_add(&f, VTP_POINTS, "Points", DEW_ITEM_FLOAT, 3, m->vertex_count, m->vertices);
    content_add(&f, VTP_POLYS, "connectivity", DEW_ITEM_INT32, 1, 3 * (int64_t)m->triangle_count, m->triangles);
    content_add(&f, VTP_POLYS, "offsets", DEW_ITEM_INT32, 1, m->triangle_count, offsets);
    dew_result result = vtp_write(path, m->vertex_count, 0, m->triangle_count, f.arrays, f.count, remark);
    free(offsets);
    return result;
}

/* A name fit for a file; solids of one name are told apart by their number. */
static void solid_file(const dew_frame *frame, int index, const char *solid, char *name, size_t size)
{
    char safe[80];
    snprintf(safe, sizeof safe, "%.60s", solid && solid[0] ? solid : "solid");
    for (char *c = safe; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '-') *c = '_';
    bool is_unique = solid && solid[0];
    for (int k = 0; k < dew_frame_solid_count(frame) && is_unique; k++) {
        dew_solid_mesh other;
        if (k != index && dew_frame_solid_mesh(frame, k, &other) == DEW_OK && other.name &&
            strcmp(other.name, solid) == 0)
            is_unique = false;
    }
    if (is_unique)
        snprintf(name, size, "frames/solid_%s_%04d.vtp", safe, frame->index);
    else
        snprintf(name, size, "frames/solid_%s_%d_%04d.vtp", safe, index, frame->index);
}

/* Writes the solid if it is not just as its last file shows it; either way lists the file for this time. */
static dew_result frame_solid(const char *directory, const dew_frame *frame, int index, collection *c)
{
    dew_solid_mesh mesh;
    RESULT_TRY(dew_frame_solid_mesh(frame, index, &mesh));
    if (mesh.triangle_count <= 0) return DEW_OK;
    char remark[64], before[64], name[256];
    const char *file = NULL;
    snprintf(remark, sizeof remark, "surface %016llx", (unsigned long long)mesh_hash(&mesh));
    for (int k = 0; k < c->count; k++)
        if (c->entries[k].part == index) file = c->entries[k].file;
    if (file) {
        bool has_remark = vtp_remark(io_path_of("%s/%s", directory, file).text, before, sizeof before);
        snprintf(name, sizeof name, "%.255s", file);
        file = has_remark && strcmp(before, remark) == 0 ? name : NULL;
    }
    if (!file) {
        solid_file(frame, index, mesh.name, name, sizeof name);
        RESULT_TRY(write_solid(io_path_of("%s/%s", directory, name).text, &mesh, remark));
    }
    return collection_add(c, frame->time, index, name);
}

static dew_result list_solids(const char *directory, const dew_frame *frame)
{
    io_path path = io_path_of("%s/solids.pvd", directory);
    collection c = {0};
    if (frame->index > 0 && collection_read(path.text, &c) != DEW_OK) c.count = 0;
    keep_before(&c, frame->time, frame->index);
    int before = c.count;
    dew_result result = DEW_OK;
    for (int k = 0; k < dew_frame_solid_count(frame) && result == DEW_OK; k++)
        result = frame_solid(directory, frame, k, &c);
    if (result == DEW_OK && c.count > before) result = collection_write(path.text, &c);
    collection_free(&c);
    return result;
}

dew_result dew_frame_write(const char *directory, const dew_frame *frame, const char *const *fields, int field_count)
{
    char name[64];
    if (strlen(directory) > ATOMIC_PATH - 600)
        return result_fail(DEW_IO, "the name of the folder %.80s... is too long", directory);
    RESULT_TRY(io_make_folder(io_path_of("%s/frames", directory).text));
    snprintf(name, sizeof name, "frames/particles_%04d.vtp", frame->index);
    RESULT_TRY(write_particles(io_path_of("%s/%s", directory, name).text, frame, fields, field_count));
    RESULT_TRY(list_solids(directory, frame));
    return list_particles(directory, name, frame->time, frame->index);
}
