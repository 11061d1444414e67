#include "measure/part.h"

#include "base/words.h"
#include "measure/points.h"
#include "measure/surface.h"

#include <stdio.h>
#include <string.h>

void cut_frame_clear(cut_frame *cut)
{
    arena_destroy(cut->memory);
    *cut = (cut_frame){0};
}

/* "a, b, c" of the names there are. */
typedef const char *name_fcn(const dew_frame *frame, int index);
static dew_result unknown(const dew_frame *f, const char *kind, const char *name, int count, name_fcn *name_of)
{
    char known[512] = "";
    const char *nearest = NULL;
    for (int k = 0; k < count; k++) {
        size_t length = strlen(known);
        const char *other = name_of(f, k);
        snprintf(known + length, sizeof known - length, "%s%s", k ? ", " : "", other);
        if (!nearest) nearest = nearest_word(name, &other, 1);
    }
    return result_fail(DEW_INVALID, "there is no %s \"%s\"%s%s%s; there %s %s", kind, name,
                       nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "",
                       count == 1 ? "is" : "are", count ? known : "none");
}

static const char *material_name(const dew_frame *f, int k) { return f->materials[k].name; }
static const char *solid_name(const dew_frame *f, int k) { return solids_info(f->solids, k, 0).name; }

static int find_name(const dew_frame *f, const char *name, int count, name_fcn *name_of)
{
    for (int k = 0; k < count; k++)
        if (name_of(f, k) && strcmp(name_of(f, k), name) == 0) return k;
    return -1;
}

dew_result part_solid(const dew_frame *f, const dew_part_def *of, int *solid)
{
    int count = dew_frame_solid_count(f);
    *solid = -1;
    if (!of->solid) return DEW_OK;
    *solid = find_name(f, of->solid, count, solid_name);
    return *solid >= 0 ? DEW_OK : unknown(f, "solid", of->solid, count, solid_name);
}

/* Marks the particles of the material, then of those the ones of the body. */
static dew_result mark(const measurement *m, const dew_part_def *of, int material, arena *memory, bool *is_in)
{
    ARENA_ARRAY(memory, m->count, real4, places);
    ARENA_ARRAY(memory, m->count, int32_t, index);
    ARENA_ARRAY(memory, m->count, bool, is_of_body);
    double period[3];
    int count = 0;
    measure_period(&m->frame->domain, period);
    for (int i = 0; i < m->count; i++) {
        is_in[i] = material < 0 || material_of(m, i) == material;
        if (is_in[i]) places[count] = m->position[i], index[count++] = i;
    }
    if (of->body < 1) return DEW_OK;
    RESULT_TRY(measure_body(places, count, m->frame->spacing, period, of->body, is_of_body));
    for (int k = 0; k < count; k++) is_in[index[k]] = is_of_body[k];
    return DEW_OK;
}

static size_t size_of(dew_field_type type)
{
    return type == DEW_FIELD_REAL ? sizeof(dew_real) : type == DEW_FIELD_INT32 ? sizeof(int32_t) : sizeof(uint8_t);
}

static dew_result copy_fields(const dew_frame *from, const bool *is_in, arena *memory, dew_frame *to)
{
    ARENA_ARRAY(memory, from->field_count, dew_field, fields);
    for (int k = 0; k < from->field_count; k++) {
        size_t size = size_of(from->fields[k].type) * (size_t)from->fields[k].stride;
        int count = 0;
        char *data = arena_alloc(memory, (size_t)from->particle_count * size + 64);
        if (!data) return result_fail(DEW_NO_MEMORY, "no memory to measure a part");
        for (int i = 0; i < from->particle_count; i++)
            if (is_in[i])
                memcpy(data + size * (size_t)count++, (const char *)from->fields[k].data + size * (size_t)i, size);
        fields[k] = from->fields[k];
        fields[k].data = data, fields[k].count = to->particle_count = count;
    }
    to->fields = fields;
    return DEW_OK;
}

static dew_result cut_out(const dew_frame *frame, int material, cut_frame *cut)
{
    measurement m;
    RESULT_TRY(measurement_begin(&m, frame, NULL));
    ARENA_ARRAY(cut->memory, m.count, bool, is_in);
    RESULT_TRY(mark(&m, &cut->of, material, cut->memory, is_in));
    cut->frame = *frame;
    cut->frame.method = NULL, cut->frame.measure = NULL, cut->frame.state = NULL;
    return copy_fields(frame, is_in, cut->memory, &cut->frame);
}

dew_result part_frame(const dew_frame *frame, const dew_part_def *of, cut_frame *cut, const dew_frame **part)
{
    uint64_t key = measure_key(frame);
    int material = -1;
    *part = frame;
    if (!of->material && of->body < 1) return DEW_OK;
    if (of->material) material = find_name(frame, of->material, frame->material_count, material_name);
    if (of->material && material < 0)
        return unknown(frame, "material", of->material, frame->material_count, material_name);
    *part = &cut->frame;
    if (cut->memory && cut->key == key && cut->of.material == of->material && cut->of.body == of->body) return DEW_OK;
    cut_frame_clear(cut);
    cut->of = *of;
    if (!(cut->memory = arena_create())) return result_fail(DEW_NO_MEMORY, "no memory to measure a part");
    dew_result result = cut_out(frame, material, cut);
    if (result != DEW_OK) cut_frame_clear(cut);
    cut->key = key;
    return result;
}
