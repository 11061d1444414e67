/* The contract of a method: a constant table of facts and functions. Core owns clock, output, sorting, solids, restart;
 * the method owns forces, constraints, integration and its fields. */
#ifndef METHODS_METHOD_H
#define METHODS_METHOD_H

#include "base/arena.h"
#include "base/result.h"
#include "definition/changes.h"
#include "dew/definition.h"
#include "dew/method.h"
#include "dew/snapshot.h"
#include "heat/heat.h"
#include "heat/solute.h"
#include "particles/neighbours.h"
#include "particles/particles.h"
#include "solids/solids.h"

/* Particles that an emitter holds to its inflow, of ids first .. first + count - 1: whatever a method does to them,
 * after the step they have gone with `velocity`, m/s. To liquid they are a piston; is_in_pipe: with walls around it. */
typedef struct held_layer {
    int32_t first, count;
    real3 velocity;
    bool is_in_pipe;
} held_layer;

/* What the core lends to a method. All of it belongs to the simulation. */
typedef struct world {
    int dimension;
    double spacing, time;
    double frame_interval; /* 1/frame_rate */
    dew_vec3 gravity;
    dew_domain_def domain;
    const dew_material_def *materials; /* what functions give stands in the numbers too, as it is at the start */
    const double *particle_mass;       /* of each material: density spacing^dimension */
    int material_count;
    const dew_interface_def *interfaces; /* tensions between materials, where the method can */
    int interface_count;
    particles *particles;
    neighbours *neighbours; /* reach set in create by methods that use lists */
    solids *solids;         /* placed at the end of the step during `step`, bodies where that may be */
    heat *heat;             /* NULL where temperatures are not followed; to be placed by the method */
    solute *solute;         /* NULL where nothing dissolved is followed */
    bool has_inflow;        /* emitters will add particles */
    const held_layer *held; /* by emitters; held_count of them */
    int held_count;
    unsigned will_change; /* bits 1 << world_property: what the scene changes during the run */
    arena *scratch;       /* released after every step */
    const char *limit;    /* set by max_time_step: which limit decided; "elastic" is a material's stiffness */
    const struct method *method;
    void *state;
} world;

/* An array of a method's state: `count` values at `data`. The name is the method's own, such as "springs/length". */
enum { MOST_STATE_ARRAYS = 16 };
typedef void state_array_fcn(void *context, const char *name, dew_item_type type, int64_t count, void *data);

/* A step: the core asks max_time_step, places the solids where they are at the step's end, with their mean velocity
 * over it, free bodies where their velocity leads them, and calls step; the method moves the liquid and reports what it
 * gives to solids (solids_push). By those impulses free bodies move afterwards, unless the method has had them moved
 * within its step (world_advance_bodies); what it pushes after that counts in the next. Then emitters release their
 * layers. */
typedef struct method {
    dew_method_info info;
    const field_info *fields; /* which `create` adds, each where the definition has what it belongs to */
    int field_count;
    size_t state_size;
    /* By how many spacings the outermost particles lie nearer to the next at a free surface that has tension. Emitters
     * in the open release layers so packed: a column as a lattice has it is stretched, and pulls back (ddr: nine times
     * as strongly as its tension). In 2D, 3D. */
    double skin[2];
    int look_steps; /* so many steps take as long as a hundred looks of a simulation's watch, or longer */
    /* Adds fields to w->particles, sets the reach of w->neighbours if it uses them. `parameters`: one value for each of
     * info.parameters (choices as the index of the word), checked against their ranges. */
    dew_result (*create)(void *state, world *w, const double *parameters);
    /* The largest safe step now, s; sets w->limit. Infinity where nothing limits. */
    double (*max_time_step)(void *state, world *w);
    /* Advances by dt. */
    dew_result (*step)(void *state, world *w, double dt);
    /* Of the layers that an emitter has let in so many of the last move with the inflow, up to EMITTER_MOST_HELD; 0
     * is 1. A method whose particles draw liquid that has none behind it asks for as many as its kernel sees. */
    int held_layers;
    /* After a step: an emitter in the open, which holds its last layers to the inflow, has moved a particle of it so
     * many spacings farther than the step did, into room that other liquid may have. For methods that follow volumes by
     * velocities and would not notice. Called from several threads at once, for different slots. NULL: particles'
     * places tell the method all. */
    void (*emitter_moved)(void *state, world *w, int slot, double spacings);
    /* After a sort, with neighbours_order(). NULL: all of the method's arrays are fields or refer to particles by id.
     */
    void (*reorder)(void *state, world *w);
    /* Calls `array` for each (of MOST_STATE_ARRAYS at most) array of the state that decides how the run goes on and is
     * no field, in the same order always: checkpoints keep these. They may be of any length and refer to particles by
     * id (particles_slot_of_id). NULL: fields are all. */
    void (*visit)(void *state, state_array_fcn *array, void *context);
    /* Gives the arrays that visit calls, in its order, these lengths, before a checkpoint's values are copied there;
     * DEW_INVALID for lengths that cannot be, with the state as it was. NULL: their lengths are always the same. */
    dew_result (*resize)(void *state, const int64_t *counts);
    /* Bits 1 << world_property: what may be set during a run. All else is refused by name; that solids are removed is
     * not. */
    unsigned may_change;
    /* Some of these have been set, or solids removed: what was computed of them at the start is computed anew. Where
     * that depends on particles too it is a part of the state that `visit` shows. NULL: nothing was. */
    void (*changed)(void *state, world *w);
    /* Measures a quantity of info.measures; false: it has nothing to tell now. NULL: none. */
    bool (*measure)(const void *state, const world *w, const char *quantity, double *value);
    /* The kinematic viscosity, m2/s, that damps as what the method adds to the first material's does, as things are
     * now. NULL: 0. */
    double (*own_viscosity)(void *state, world *w);
    /* One line for people, after `create`: what it has chosen for this scene and the parameters do not say, as the
     * speed of sound. NULL: nothing. */
    void (*remark)(const void *state, const world *w, char *text, size_t size);
    void (*destroy)(void *state); /* of a half-made state too */
} method;

/* Sorts and builds lists when they are stale (or `always`), then calls the method's reorder. A step may call it
 * wherever it holds nothing that refers to slots outside of fields. */
dew_result world_update_neighbours(world *w, bool always);

/* The held layer that the particle in a slot is of, NULL for one that is free. */
static inline const held_layer *world_held(const world *w, int slot)
{
    for (int k = 0; k < w->held_count; k++)
        if ((uint32_t)(w->particles->id[slot] - w->held[k].first) < (uint32_t)w->held[k].count) return &w->held[k];
    return NULL;
}

/* Moves the rigid bodies by what the liquid has given them in this step, once: a method may call it within its step, to
 * settle the liquid against bodies where they are then; else the core does so after the step. */
void world_advance_bodies(world *w, double dt);
/* A step of at most `limit` that is no longer than the drag of liquid on free bodies allows, s. */
double world_drag_step(const world *w, double limit);

/* The tension where two materials meet, N/m; where the scene gives none what theirs differ by (Antonow 1907). */
double world_tension_between(const world *w, int first, int second);

/* For modes that cannot hold contact lines: DEW_INVALID at the first solid whose angle advances and recedes
 * differently, with what could. */
dew_result world_refuse_held_lines(const world *w, const char *needs);

/* For a paper's mode, in which liquid slips freely: DEW_INVALID at the first solid of a slip length between that and 0,
 * which those have that nobody gave one, or where the scene changes any. */
dew_result world_refuse_slip_lengths(const world *w, const char *needs);

/* Gravity: adds dt g to all velocities. */
void world_fall(world *w, double dt);

/* The largest speed of a particle, m/s. */
double world_largest_speed(const world *w);
/* The largest speed of a solid in the present frame, m/s, as far as steps have to be short for it: one that is farther
 * from the liquid than a spacing counts for as much less as lets a step end before it is there. */
double world_solid_speed(const world *w);

/* Height of the liquid along gravity, m; a spacing without gravity or liquid. */
double world_liquid_depth(const world *w);

/* Radius of the ball, in two dimensions the disc, that holds all particles, m. */
double world_ball_radius(const world *w);

/* Pa, of the pressures of particles: the mean of what presses, weighted by itself, 0 where nothing does (the maximum
 * would let single particles in an impact decide); and the mean inside, of those that are not surface, NaN of none. */
double world_typical_pressure(const world *w, const real *pressure);
double world_inner_pressure(const world *w, const real *pressure, const uint8_t *is_surface);
/* The mean, Pa, of those that have no surface particle nearer than `depth`, m, which the lists are to reach; NaN of
 * none. */
double world_deep_pressure(const world *w, const real *pressure, const uint8_t *is_surface, real depth);

/* Mean pressure of the first material, or of all others where there is less of those, over that of the rest, Pa;
 * surfaces do not count. */
double world_pressure_between(const world *w, const real *pressure, const uint8_t *is_surface);

/* Every method, in the order they are shown; NULL at the end. */
extern const method *const method_registry[];
const method *method_find(const char *name);
/* Which methods have a feature, as advice; NULL if none has. */
const char *method_who_can(unsigned features);
/* The same of what may be set during a run (world_property). */
const char *method_who_may(int what);

#endif
