/* A method without forces but gravity, for tests of what stands around a method. A parameter makes it fail on purpose;
 * another has links between particles, which are state of any length: each step makes some and cuts some. */
#ifndef TOY_METHOD_H
#define TOY_METHOD_H

#include "methods/method.h"

#include "dew/snapshot.h"

#include <stdlib.h>
#include <string.h>

enum { TOY_STEP, TOY_MISHAP, TOY_MISHAP_TIME, TOY_LINKS, TOY_DRAIN, TOY_PARAMETERS };
enum { MISHAP_NONE, MISHAP_NAN, MISHAP_RUNAWAY, MISHAP_COLLAPSE };

typedef struct toy {
    double travelled; /* saved: the sum of all steps */
    double step, mishap_time;
    int mishap, age;
    bool has_links;
    double drain;
    int32_t *ids; /* two of each link */
    float *lengths;
    int link_count, link_room, cut;
    int changes; /* that it was told of */
} toy;

static const field_info toy_age = {"age",      "s", "time since the particle came",
                                   FIELD_REAL, 1,   FIELD_OUTPUT | FIELD_RESTART};

static dew_result toy_create(void *state, world *w, const double *parameters)
{
    toy *t = state;
    t->step = parameters[TOY_STEP], t->mishap = (int)parameters[TOY_MISHAP];
    t->mishap_time = parameters[TOY_MISHAP_TIME];
    t->has_links = parameters[TOY_LINKS] > 0.5, t->drain = parameters[TOY_DRAIN];
    neighbours_set_reach(w->neighbours, 2 * w->spacing, 0.5 * w->spacing);
    return particles_add_field(w->particles, &toy_age, &t->age);
}

static double toy_max_time_step(void *state, world *w)
{
    const toy *t = state;
    w->limit = "toy";
    return t->mishap == MISHAP_COLLAPSE && w->time >= t->mishap_time ? 1e-30 : t->step;
}

static dew_result toy_reserve(toy *t, int64_t links)
{
    if (links <= t->link_room) return DEW_OK;
    t->link_room = (int)links + 64;
    t->ids = realloc(t->ids, 2 * (size_t)t->link_room * sizeof *t->ids);
    t->lengths = realloc(t->lengths, (size_t)t->link_room * sizeof *t->lengths);
    return t->ids && t->lengths ? DEW_OK : result_fail(DEW_NO_MEMORY, "no memory for links");
}

static real3 toy_apart(const particles *p, int i, int j)
{
    return real3_sub(real3_of(p->position[j]), real3_of(p->position[i]));
}

/* Links pull their ends together. Those whose ends have gone, or are far apart, are cut; each particle without links is
 * tied to the one before it by id. */
static dew_result toy_pull(toy *t, world *w, double dt)
{
    particles *p = w->particles;
    real far = (real)(3 * w->spacing);
    RESULT_TRY(particles_map_ids(p));
    int kept = 0;
    for (int k = 0; k < t->link_count; k++) {
        int i = particles_slot_of_id(p, t->ids[2 * k]), j = particles_slot_of_id(p, t->ids[2 * k + 1]);
        real3 d = i < 0 || j < 0 ? (real3){far, 0, 0} : toy_apart(p, i, j);
        if (real3_length(d) >= far) continue;
        real3 pull = real3_scale((real)(1e3 * dt) * (1 - t->lengths[k] / real3_length(d)), d);
        real4 *v = &p->velocity[i], *u = &p->velocity[j];
        v->x += pull.x, v->y += pull.y, v->z += pull.z, u->x -= pull.x, u->y -= pull.y, u->z -= pull.z;
        t->ids[2 * kept] = t->ids[2 * k], t->ids[2 * kept + 1] = t->ids[2 * k + 1];
        t->lengths[kept++] = t->lengths[k] * (real)0.999;
    }
    t->cut += t->link_count - kept;
    t->link_count = kept;
    RESULT_TRY(toy_reserve(t, kept + 1));
    int32_t id = (int32_t)((int64_t)(w->time / t->step + 0.5) * 7 % (p->next_id > 1 ? p->next_id : 1));
    int i = particles_slot_of_id(p, id), j = particles_slot_of_id(p, id - 1);
    if (i < 0 || j < 0 || real3_length(toy_apart(p, i, j)) >= far) return DEW_OK;
    t->ids[2 * kept] = id - 1, t->ids[2 * kept + 1] = id;
    t->lengths[t->link_count++] = real3_length(toy_apart(p, i, j));
    return DEW_OK;
}

static void toy_remove(const toy *t, particles *p, arena *memory)
{
    uint8_t *remove = arena_zeroed(memory, (size_t)p->count + 1);
    for (int i = 0; i < p->count && remove; i++) remove[i] = (double)p->position[i].z < t->drain;
    if (remove) particles_remove(p, remove);
}

static void toy_visit(void *state, state_array_fcn *array, void *context)
{
    toy *t = state;
    array(context, "travelled", DEW_ITEM_DOUBLE, 1, &t->travelled);
    array(context, "links/ids", DEW_ITEM_INT32, 2 * t->link_count, t->ids);
    array(context, "links/lengths", DEW_ITEM_FLOAT, t->link_count, t->lengths);
}

static dew_result toy_resize(void *state, const int64_t *counts)
{
    toy *t = state;
    if (counts[0] != 1 || counts[1] != 2 * counts[2])
        return result_fail(DEW_INVALID, "there are %lld ends of %lld links", (long long)counts[1],
                           (long long)counts[2]);
    RESULT_TRY(toy_reserve(t, counts[2]));
    t->link_count = (int)counts[2];
    return DEW_OK;
}

static void toy_changed(void *state, world *w)
{
    (void)w;
    ((toy *)state)->changes++;
}

static void toy_destroy(void *state)
{
    toy *t = state;
    free(t->ids), free(t->lengths);
}

static dew_result toy_step(void *state, world *w, double dt)
{
    toy *t = state;
    particles *p = w->particles;
    if (t->drain > -1e30) toy_remove(t, p, w->scratch);
    RESULT_TRY(world_update_neighbours(w, false));
    if (t->has_links) RESULT_TRY(toy_pull(t, w, dt));
    real *age = particles_field(p, t->age);
    t->travelled += dt;
    for (int i = 0; i < p->count; i++) {
        real4 *x = &p->position[i], *v = &p->velocity[i];
        v->x += (real)(w->gravity.x * dt), v->y += (real)(w->gravity.y * dt), v->z += (real)(w->gravity.z * dt);
        x->x += (real)dt * v->x, x->y += (real)dt * v->y, x->z += (real)dt * v->z;
        age[i] += (real)dt;
        if (w->time < t->mishap_time || p->id[i] != 7) continue;
        if (t->mishap == MISHAP_NAN) v->y = (real)NAN;
        if (t->mishap == MISHAP_RUNAWAY) x->x += (real)1e6;
    }
    return DEW_OK;
}

static const dew_parameter toy_parameters[TOY_PARAMETERS] = {
    [TOY_STEP] = {"step", "s", 1e-3, 1e-6, 1, NULL, "the longest step"},
    [TOY_MISHAP] = {"mishap", "1", 0, 0, 3, "none|nan|runaway|collapse", "what goes wrong"},
    [TOY_MISHAP_TIME] = {"mishap_time", "s", 0, 0, 100, NULL, "when it goes wrong"},
    [TOY_LINKS] = {"links", "1", 0, 0, 1, "off|on", "links between particles"},
    [TOY_DRAIN] = {"drain", "m", -1e30, -1e30, 100, NULL, "particles below this height vanish"},
};

static const method method_toy = {
    .info = {.name = "toy",
             .title = "Free fall",
             .source = "Galilei 1638",
             .slip_length = INFINITY,
             .features = DEW_FEATURE_3D | DEW_FEATURE_SEVERAL_LIQUIDS | DEW_FEATURE_PERIODIC,
             .parameters = toy_parameters,
             .parameter_count = TOY_PARAMETERS},
    .state_size = sizeof(toy),
    .create = toy_create,
    .max_time_step = toy_max_time_step,
    .step = toy_step,
    .visit = toy_visit,
    .resize = toy_resize,
    .may_change = 1u << WORLD_GRAVITY | 1u << WORLD_VISCOSITY,
    .changed = toy_changed,
    .destroy = toy_destroy};

#endif
