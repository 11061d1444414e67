/* A simulation from inside: the world it lends to its method, its clock, its emitters. */
#ifndef SIM_SIMULATION_H
#define SIM_SIMULATION_H

#include "dew/simulation.h"
#include "dew/snapshot.h"
#include "methods/method.h"
#include "sim/emitters.h"

struct dew_simulation {
    world w;
    particles particles;
    const method *method;
    void *state; /* of the method */
    double *parameters;
    material *materials;
    emitter *emitters;
    int emitter_count;
    int max_particles, threads;

    double frame_rate;
    double time, time_step;
    const char *limit; /* what set the step last taken */
    int frame;
    int64_t steps;
    bool is_canonical; /* at a frame's end (or the start): lists are stale, so the next step begins with a sort */

    dew_vec3 centre; /* of all that the definition places, and its size, m: who is far from there has run away */
    double size;
    uint64_t fingerprint; /* of the definition: a snapshot of another one is refused */
    bool accepts_changes; /* or is not */
    bool is_changed;      /* while a snapshot of one that differs is restored */
    double *properties;   /* what may be set during a run, as it is now: see change.c */
    int property_count;
    char notice[256], remark[256];

    void *ahead[MAX_FIELDS];  /* what a first step finds, by field and id: see look_ahead.c */
    dew_snapshot_item *items; /* of the last snapshot */
    char (*item_names)[64];
    int item_capacity;
    double *emitter_travel; /* the emitters' state as arrays, for snapshots */
    int64_t *emitter_counts;
    int64_t clock[2];
    struct measured_surface *surface; /* of the last measurement */
};

/* Makes a simulation by a given method; dew_simulation_create looks it up by name. */
dew_result simulation_create_with(const method *m, const dew_simulation_def *def, dew_simulation **simulation);
/* Makes what can be made of a definition that has mistakes, without its method, and throws it away: the message says
 * what is wrong with its shapes, places and flows. Its spacing, dimension and domain must be right; parts without a
 * shape, or without the velocity that an emitter needs, are left out. */
dew_result simulation_try(const dew_simulation_def *def);

/* Parts of a definition that are wrong as far as is known: left out while the others are made. */
typedef struct wrong_parts {
    bool is_basis; /* spacing, dimension or domain, without which nothing can be placed */
    bool *liquids, *solids, *emitters;
} wrong_parts;

/* Checks every number of a definition; each mistake is added to `all`, the parts that have any noted in `wrong`. `m`
 * NULL: no method of the name. */
void definition_check(const dew_simulation_def *def, const method *m, wrong_parts *wrong, failures *all);
/* Index of `word` among words separated by '|', or -1. */
int definition_choice(const char *choices, const char *word);
/* Values for the method's parameters from its table and the definition, which has been checked. */
void definition_parameters(const dew_simulation_def *def, const dew_method_info *info, double *values);
/* A hash of all that decides a run's course: not of the duration, the probes or the threads. */
uint64_t definition_fingerprint(const dew_simulation_def *def, const dew_method_info *info, const double *parameters);

/* Places the liquids' particles and sets s->centre and s->size. Of liquids that are not wrong; those that cannot be
 * filled are noted in `wrong`, and why in `all`. `is_trial`: is there a particle in each? They are not kept. Fails for
 * want of memory only. */
dew_result simulation_fill(dew_simulation *s, const dew_simulation_def *def, wrong_parts *wrong, failures *all,
                           bool is_trial);

/* One number (in x), or gravity, of the material or solid `index` becomes another between two steps; the method is
 * told. DEW_INVALID where it cannot take that, or the value cannot be. */
dew_result simulation_set(dew_simulation *s, world_property what, int index, dew_vec3 value);
/* Takes the numbers that may be set from what the definition has made; and gives them to the world and the method. */
dew_result properties_create(dew_simulation *s);
void properties_apply(dew_simulation *s);

/* Drops what a look ahead has kept. */
void look_ahead_forget(dew_simulation *s);
size_t snapshot_item_size(dew_item_type type);

/* DEW_FAILED with time, particle, quantity, likely cause and what to change, when a number is not finite or a particle
 * has run away. */
dew_result simulation_guard(const dew_simulation *s);

#endif
