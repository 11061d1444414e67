#include "particles/particles.h"

#include "base/arena.h"
#include "base/parallel.h"
#include "particles/ghosts.h"

#include <stdlib.h>
#include <string.h>

enum { DUMMIES = 4, GRAIN = 4096, FIRST_CAPACITY = 64 };

const field_info core_fields[FIELD_CORE_COUNT] = {
    [FIELD_POSITION_INDEX] = {"position", "m", "Place of the particle", FIELD_REAL4, 3,
                              FIELD_OUTPUT | FIELD_RESTART | FIELD_GHOST | FIELD_POSITION},
    [FIELD_VELOCITY_INDEX] = {"velocity", "m/s", "Velocity of the particle", FIELD_REAL4, 3,
                              FIELD_OUTPUT | FIELD_RESTART | FIELD_GHOST | FIELD_VECTOR},
    [FIELD_ID_INDEX] = {"id", "", "Number of the particle, the same for good", FIELD_INT32, 1,
                        FIELD_OUTPUT | FIELD_RESTART | FIELD_GHOST},
    [FIELD_MATERIAL_INDEX] = {"material", "", "Index of the material", FIELD_UINT8, 1,
                              FIELD_OUTPUT | FIELD_RESTART | FIELD_GHOST},
    [FIELD_BELOW_INDEX] = {"below", NULL, NULL, FIELD_REAL4, 3, FIELD_RESTART | FIELD_VECTOR},
};

size_t field_size(field_type type)
{
    switch (type) {
    case FIELD_REAL:
        return sizeof(real);
    case FIELD_REAL4:
        return sizeof(real4);
    case FIELD_INT32:
        return sizeof(int32_t);
    case FIELD_UINT8:
        return 1;
    }
    return 0;
}

static void refresh_shortcuts(particles *p)
{
    p->position = p->data[FIELD_POSITION_INDEX];
    p->velocity = p->data[FIELD_VELOCITY_INDEX];
    p->id = p->data[FIELD_ID_INDEX];
    p->material = p->data[FIELD_MATERIAL_INDEX];
    p->below = p->data[FIELD_BELOW_INDEX];
}

/* Empties slots that hold no particle: they are far away, and zero. */
static void clear_slots(particles *p, int begin, int end)
{
    for (int f = 0; f < p->field_count; f++) {
        size_t size = field_size(p->info[f].type);
        memset((char *)p->data[f] + (size_t)begin * size, 0, (size_t)(end - begin) * size);
    }
    for (int k = begin; k < end; k++) p->position[k] = (real4){PARTICLE_FAR, PARTICLE_FAR, PARTICLE_FAR, 0};
}

/* Leaves `count` owned particles, with padding and dummies behind them, and no ghosts. */
static void set_count(particles *p, int count)
{
    p->count = count;
    p->ghost_begin = p->end = (count + 3) / 4 * 4;
    clear_slots(p, count, p->end + DUMMIES);
    p->revision++;
}

/* Moves field by field to larger arrays, so that at most one array exists twice. */
static dew_result grow(particles *p, int capacity)
{
    if (capacity <= p->capacity) return DEW_OK;
    capacity = (capacity + 15) / 16 * 16;
    for (int f = 0; f < p->field_count; f++) {
        size_t size = field_size(p->info[f].type);
        char *array = aligned_obtain((size_t)capacity * size);
        if (!array) {
            refresh_shortcuts(p);
            return result_fail(DEW_NO_MEMORY, "no memory for %d particles", capacity);
        }
        size_t used = (size_t)(p->capacity ? p->end + DUMMIES : 0) * size;
        if (used) memcpy(array, p->data[f], used);
        memset(array + used, 0, (size_t)capacity * size - used);
        aligned_release(p->data[f]);
        p->data[f] = array;
    }
    p->capacity = capacity;
    refresh_shortcuts(p);
    return DEW_OK;
}

dew_result particles_create(particles *p)
{
    memset(p, 0, sizeof *p);
    for (int f = 0, index; f < FIELD_CORE_COUNT; f++) RESULT_TRY(particles_add_field(p, &core_fields[f], &index));
    RESULT_TRY(grow(p, FIRST_CAPACITY));
    set_count(p, 0);
    return DEW_OK;
}

void particles_destroy(particles *p)
{
    for (int f = 0; f < p->field_count; f++) aligned_release(p->data[f]);
    aligned_release(p->scratch);
    aligned_release(p->ghosts);
    aligned_release(p->slot_of_id);
    memset(p, 0, sizeof *p);
}

dew_result particles_add_field(particles *p, const field_info *info, int *index)
{
    if (p->field_count == MAX_FIELDS)
        return result_fail(DEW_INVALID, "field \"%s\": a store holds at most %d fields", info->name, MAX_FIELDS);
    void *array = NULL;
    if (p->capacity) {
        size_t bytes = (size_t)p->capacity * field_size(info->type);
        array = aligned_obtain(bytes);
        if (!array) return result_fail(DEW_NO_MEMORY, "no memory for field \"%s\"", info->name);
        memset(array, 0, bytes);
    }
    *index = p->field_count++;
    p->info[*index] = *info;
    p->data[*index] = array;
    return DEW_OK;
}

dew_result particles_add_fields(particles *p, size_t count, const field_info *infos, int *const *index)
{
    for (size_t k = 0; k < count; k++) RESULT_TRY(particles_add_field(p, &infos[k], index[k]));
    return DEW_OK;
}

dew_result particles_reserve(particles *p, int owned, int ghosts)
{
    return grow(p, (owned + 3) / 4 * 4 + ghosts + DUMMIES);
}

dew_result particles_insert(particles *p, int count, const real4 *position, const real4 *velocity, uint8_t material)
{
    int first = p->count, needed = (first + count + 3) / 4 * 4 + DUMMIES;
    /* A store that grows bit by bit (emitters, surfaces made anew) takes a share in advance. */
    bool has_grown = first || p->capacity > FIRST_CAPACITY;
    if (needed > p->capacity) RESULT_TRY(grow(p, has_grown ? needed + needed / 4 : needed));
    set_count(p, first + count);
    clear_slots(p, first, first + count);
    for (int k = 0; k < count; k++) {
        p->position[first + k] = position[k];
        if (velocity) p->velocity[first + k] = velocity[k];
        p->id[first + k] = p->next_id++;
        p->material[first + k] = material;
    }
    return DEW_OK;
}

dew_result particles_resize(particles *p, int count)
{
    RESULT_TRY(particles_reserve(p, count, 0));
    set_count(p, count);
    clear_slots(p, 0, count);
    return DEW_OK;
}

typedef struct removal {
    particles *p;
    const uint8_t *remove;
} removal;

static void remove_fields(int begin, int end, void *context)
{
    removal *r = context;
    for (int f = begin; f < end; f++) {
        size_t size = field_size(r->p->info[f].type), kept = 0;
        char *data = r->p->data[f];
        for (size_t k = 0; k < (size_t)r->p->count; k++) {
            if (r->remove[k]) continue;
            if (kept != k) memcpy(data + kept * size, data + k * size, size);
            kept++;
        }
    }
}

void particles_remove(particles *p, const uint8_t *remove)
{
    int kept = 0;
    for (int k = 0; k < p->count; k++) kept += !remove[k];
    if (kept < p->count) parallel_for(p->field_count, 1, remove_fields, &(removal){p, remove});
    set_count(p, kept);
}

typedef struct gathering {
    const int32_t *order;
    void *from, *to;
    size_t size;
} gathering;

/* to[k] = from[order[k]] */
static void gather(int begin, int end, void *context)
{
    gathering *g = context;
    const int32_t *order = g->order;
    switch (g->size) {
    case 1:
        for (int k = begin; k < end; k++) ((uint8_t *)g->to)[k] = ((uint8_t *)g->from)[order[k]];
        break;
    case 4:
        for (int k = begin; k < end; k++) ((int32_t *)g->to)[k] = ((int32_t *)g->from)[order[k]];
        break;
    case 8:
        for (int k = begin; k < end; k++) ((int64_t *)g->to)[k] = ((int64_t *)g->from)[order[k]];
        break;
    default:
        for (int k = begin; k < end; k++) ((real4 *)g->to)[k] = ((real4 *)g->from)[order[k]];
    }
}

static void copy_back(int begin, int end, void *context)
{
    gathering *g = context;
    memcpy((char *)g->from + (size_t)begin * g->size, (char *)g->to + (size_t)begin * g->size,
           (size_t)(end - begin) * g->size);
}

dew_result particles_reorder(particles *p, const int32_t *order)
{
    size_t bytes = (size_t)p->count * sizeof(real4);
    RESULT_TRY(buffer_reserve(&p->scratch, &p->scratch_size, bytes, 0, 1, "sorting particles"));
    for (int f = 0; f < p->field_count; f++) {
        if (p->info[f].flags & FIELD_FLEETING) continue;
        gathering g = {order, p->data[f], p->scratch, field_size(p->info[f].type)};
        parallel_for(p->count, GRAIN, gather, &g);
        parallel_for(p->count, GRAIN, copy_back, &g);
    }
    set_count(p, p->count);
    return DEW_OK;
}

static void find_slots(int begin, int end, void *context)
{
    particles *p = context;
    for (int k = begin; k < end; k++) p->slot_of_id[p->id[k] - p->first_id] = k;
}

dew_result particles_map_ids(particles *p)
{
    int32_t first = p->next_id, end = 0;
    if (p->slots_revision == p->revision) return DEW_OK;
    for (int k = 0; k < p->count; k++)
        first = p->id[k] < first ? p->id[k] : first, end = p->id[k] >= end ? p->id[k] + 1 : end;
    p->first_id = first, p->id_count = end > first ? end - first : 0;
    RESULT_TRY(buffer_reserve(&p->slot_of_id, &p->id_room, (size_t)p->id_count, 0, sizeof *p->slot_of_id, "ids"));
    if (p->id_count > 0) memset(p->slot_of_id, 0xff, (size_t)p->id_count * sizeof *p->slot_of_id);
    parallel_for(p->count, GRAIN, find_slots, p);
    p->slots_revision = p->revision;
    return DEW_OK;
}

typedef struct wrapping {
    particles *p;
    const dew_domain_def *domain;
} wrapping;

/* How x along an axis comes back into the domain: to sign x + shift; false where it is there, or at no place. */
static bool comes_back(const dew_domain_def *d, int axis, double x, double *sign, double *shift)
{
    double min = (&d->min.x)[axis], max = (&d->max.x)[axis], turns = floor((x - min) / (max - min));
    bool is_periodic = d->axis[axis] == DEW_PERIODIC;
    double plane = x < min ? min : max;
    *sign = is_periodic ? 1 : -1, *shift = is_periodic ? -turns * (max - min) : 2 * plane;
    if (is_periodic) return turns != 0 && isfinite(turns);
    return (x < min || x > max) && fabs(x - plane) < max - min;
}

static void wrap_range(int begin, int end, void *context, double *brought_back)
{
    particles *p = ((wrapping *)context)->p;
    const dew_domain_def *domain = ((wrapping *)context)->domain;
    double sign, shift;
    for (int axis = 0; axis < 3; axis++) {
        if (!ghosts_of_boundary(domain->axis[axis])) continue;
        for (int k = begin; k < end; k++) {
            if (!comes_back(domain, axis, (double)(&p->position[k].x)[axis], &sign, &shift)) continue;
            if (sign > 0 && p->material_mass) brought_back[axis] += p->material_mass[p->material[k]] * shift;
            for (int f = 0; f < p->field_count; f++) {
                if (!(p->info[f].flags & (FIELD_POSITION | FIELD_VECTOR))) continue;
                real *x = &((real4 *)p->data[f])[k].x + axis;
                *x = (real)(p->info[f].flags & FIELD_POSITION ? sign * (double)*x + shift : sign * (double)*x);
            }
        }
    }
}

void particles_wrap(particles *p, const dew_domain_def *domain)
{
    double brought_back[3];
    if (!ghosts_may_exist(domain)) return;
    parallel_sum(p->count, 3, wrap_range, &(wrapping){p, domain}, brought_back);
    for (int axis = 0; axis < 3; axis++) p->brought_back[axis] += brought_back[axis];
}
