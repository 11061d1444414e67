/* A method without forces but gravity, for tests of what stands around a method. A parameter makes it fail on purpose.
 */
#ifndef TOY_METHOD_H
#define TOY_METHOD_H

#include "methods/method.h"

#include "dew/snapshot.h"

enum { TOY_STEP, TOY_MISHAP, TOY_MISHAP_TIME, TOY_PARAMETERS };
enum { MISHAP_NONE, MISHAP_NAN, MISHAP_RUNAWAY, MISHAP_COLLAPSE };

typedef struct toy {
    double travelled; /* saved: the sum of all steps */
    double step, mishap_time;
    int mishap, age;
} toy;

static const field_info toy_age = {"age",      "s", "time since the particle came",
                                   FIELD_REAL, 1,   FIELD_OUTPUT | FIELD_RESTART};

static dew_result toy_create(void *state, world *w, const double *parameters)
{
    toy *t = state;
    t->step = parameters[TOY_STEP], t->mishap = (int)parameters[TOY_MISHAP];
    t->mishap_time = parameters[TOY_MISHAP_TIME];
    neighbours_set_reach(w->neighbours, 2 * w->spacing, 0.5 * w->spacing);
    return particles_add_field(w->particles, &toy_age, &t->age);
}

static double toy_max_time_step(void *state, world *w)
{
    const toy *t = state;
    w->limit = "toy";
    return t->mishap == MISHAP_COLLAPSE && w->time >= t->mishap_time ? 1e-30 : t->step;
}

static dew_result toy_step(void *state, world *w, double dt)
{
    toy *t = state;
    RESULT_TRY(world_update_neighbours(w, false));
    particles *p = w->particles;
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
};

static const method method_toy = {.info = {"toy", "Free fall", "Galilei 1638",
                                           DEW_FEATURE_3D | DEW_FEATURE_SEVERAL_LIQUIDS | DEW_FEATURE_PERIODIC,
                                           toy_parameters, TOY_PARAMETERS},
                                  .state_size = sizeof(toy),
                                  .saved_size = sizeof(double),
                                  .create = toy_create,
                                  .max_time_step = toy_max_time_step,
                                  .step = toy_step};

#endif
