/* A simulation from inside: the world it lends to its method, its clock, its emitters. */
#ifndef SIM_SIMULATION_H
#define SIM_SIMULATION_H

#include "definition/definition.h"
#include "dew/simulation.h"
#include "dew/snapshot.h"
#include "frame/frame.h"
#include "frame/settable.h"
#include "methods/method.h"
#include "sim/emitters.h"
#include "sim/watch.h"

/* The frame of the simulation and its fields, brought up to date whenever someone asks for it. */
typedef struct lent_frame {
    dew_frame frame;
    dew_field fields[MAX_FIELDS];
} lent_frame;

struct dew_simulation {
    world w;
    particles particles;
    const method *method;
    void *state; /* of the method */
    double *parameters;
    dew_material_def *materials;
    dew_interface_def *interfaces;
    double *particle_mass; /* of each material */
    emitter *emitters;
    int emitter_count;
    held_layer *held;  /* by them */
    dew_mouths mouths; /* theirs */
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
    change_step *changes; /* of the definition; so many of them have been made */
    int change_count, changes_made;
    char notice[256], remark[256];

    int scene_fields;        /* so many fields are filled by the scene, the others by the method */
    void *ahead[MAX_FIELDS]; /* what a first step finds, by field and id: see look_ahead.c */
    watch watch;
    dew_snapshot_item *items; /* of the last snapshot */
    char (*item_names)[64];
    int item_capacity;
    int64_t clock[2];
    lent_frame *lent;
    dew_measurer *measurer;
};

/* Makes a simulation by a given method; dew_simulation_create looks it up by name. */
dew_result simulation_create_with(const method *m, const dew_simulation_def *def, dew_simulation **simulation);
/* Notes what is wrong in a definition, as far as numbers and single shapes tell. False where that keeps other parts
 * from being made: spacing, dimension or the domain's size. */
bool simulation_check(const dew_simulation_def *def, failures *all);
/* Makes what can be made of a definition whose mistakes so far are in `all`, without its method, and throws it away,
 * for the sake of those that show only then. */
void simulation_try(const dew_simulation_def *def, failures *all);

/* Places the particles of the liquids that `all` says nothing about, and sets s->centre and s->size. Why a liquid
 * cannot be filled is added to `all`. `is_trial`: only finds whether each has room for a particle, and keeps none.
 * Fails for want of memory only. */
dew_result simulation_fill(dew_simulation *s, const dew_simulation_def *def, failures *all, bool is_trial);

/* Names of the fields that a simulation of the definition has in output, at most `room`; returns their number. */
int simulation_field_names(const dew_simulation_def *def, const method *m, const char **names, int room);

/* One number (in x), or gravity, of the material or solid `index` becomes another between two steps; the method is
 * told. DEW_INVALID where it cannot take that, or the value cannot be. */
dew_result simulation_set(dew_simulation *s, world_property what, int index, dew_vec3 value);
/* Takes the numbers that may be set from what the definition has made, and the definition's changes; gives such numbers
 * to the world and the method. */
dew_result properties_create(dew_simulation *s, const dew_simulation_def *def);
void properties_apply(dew_simulation *s);

/* When the next change of the definition is due, s; INFINITY: never. */
double changes_next(const dew_simulation *s);
/* Makes those that are due, before a step. */
dew_result changes_make(dew_simulation *s);
/* After a snapshot has been restored: finds which have been made; those of a definition that differs are made anew. */
void changes_resume(dew_simulation *s);

/* Drops what a look ahead has kept. */
void look_ahead_forget(dew_simulation *s);

/* DEW_FAILED with time, particle, quantity, likely cause and what to change, when a number is not finite or a particle
 * has run away. */
dew_result simulation_guard(const dew_simulation *s);

#endif
