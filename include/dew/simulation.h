/* A simulation: made from a definition, advanced in time, read, destroyed. Any number may live in one process; one
 * simulation is used from one thread at a time. */
#ifndef DEW_SIMULATION_H
#define DEW_SIMULATION_H

#include "frame.h"

typedef struct dew_simulation dew_simulation;

/* Makes a simulation at time 0. On failure *simulation is NULL and dew_message() says which part of the definition is
 * wrong. */
DEW_API dew_result dew_simulation_create(const dew_simulation_def *def, dew_simulation **simulation);
/* Accepts NULL. */
DEW_API void dew_simulation_destroy(dew_simulation *simulation);

/* Called after every step; returning false ends dew_simulation_advance early, with DEW_OK, at that step's time. */
typedef bool dew_step_fcn(void *context, const dew_simulation *simulation);

/* Advances to `time` (s, not before the current time) in as many steps as the method's limits ask; the last one ends at
 * `time` exactly. `after_step` may be NULL. DEW_FAILED names time, particle, quantity, likely cause and what to change.
 */
DEW_API dew_result dew_simulation_advance(dew_simulation *simulation, double time, dew_step_fcn *after_step,
                                          void *context);

/* Advances by one frame: to (k + 1)/frame_rate, where k is the index of the frame it is at. Frame times are those a run
 * writes; a simulation can be saved and resumed exactly at them. */
DEW_API dew_result dew_simulation_advance_frame(dew_simulation *simulation, dew_step_fcn *after_step, void *context);

DEW_API double dew_simulation_time(const dew_simulation *simulation); /* s */
DEW_API int64_t dew_simulation_step_count(const dew_simulation *simulation);
DEW_API int dew_simulation_particle_count(const dew_simulation *simulation);
DEW_API double dew_simulation_spacing(const dew_simulation *simulation); /* m */
DEW_API const dew_method_info *dew_simulation_method(const dew_simulation *simulation);
/* The step last taken (s) and the limit that set it ("capillary", "viscous", "speed", "frame"). */
DEW_API double dew_simulation_time_step(const dew_simulation *simulation, const char **limit);
/* The value in use of a parameter of the method, by its index in the method's table. */
DEW_API double dew_simulation_parameter(const dew_simulation *simulation, int index);
/* What a user should know though nothing failed ("an emitter stopped ..."); empty when there is nothing. */
DEW_API const char *dew_simulation_notice(const dew_simulation *simulation);
/* What the method has chosen for this scene ("speed of sound 3.2 m/s ..."), at the start; empty when there is nothing.
 */
DEW_API const char *dew_simulation_remark(const dew_simulation *simulation);

/* What a simulation that has just been made tells of its run: liquid that solids cut away, gaps, nozzles and bodies
 * that are narrower than the method resolves, emitters in wider pipes, viscosities that the method cannot tell apart,
 * walls that do not hold the liquid because nobody said so. A line each; empty where there is nothing. `def` made it.
 * The caller frees the text. */
DEW_API dew_result dew_simulation_foresee(dew_simulation *simulation, const dew_simulation_def *def, char **text);

/* A simulation watches itself at the start and at frames' ends, by a number of steps; docs/watching.md. */
typedef struct dew_watched {
    const char *name, *sentence; /* "density"; what it is */
    /* As looked at last, NaN where it cannot be told; the farthest from 0 so far (0: none was told), and when (s). */
    double now, worst, worst_time;
    double limit;   /* of the definition */
    bool is_beyond; /* the worst is */
} dew_watched;
DEW_API dew_watched dew_simulation_watched(const dew_simulation *simulation, dew_watched_quantity which);
/* How often it has looked, at the start too: what comes and goes between two looks is not told. */
DEW_API int dew_simulation_look_count(const dew_simulation *simulation);
/* Looks now, as at a run's end. What it finds is told until the simulation advances, and leaves no trace else. */
DEW_API dew_result dew_simulation_look(dew_simulation *simulation);

/* At the beginning, fields that a step finds (pressure, is_surface, ...) are 0. This takes a first step aside, keeps
 * what it finds in them until the simulation advances, and leaves no trace else: the course stays the same to the byte.
 * Nothing happens later, nor where the first step fails. */
DEW_API dew_result dew_simulation_look_ahead(dew_simulation *simulation);

/* The simulation as it stands, lent without copying: valid until it next changes. */
DEW_API const dew_frame *dew_simulation_frame(const dew_simulation *simulation);

/* Short for questions to its frame: dew_frame_hash, dew_frame_field, dew_measure. */
DEW_API uint64_t dew_simulation_hash(const dew_simulation *simulation);
DEW_API bool dew_simulation_field(const dew_simulation *simulation, const char *name, dew_field *field);
DEW_API dew_result dew_simulation_measure(const dew_simulation *simulation, const char *quantity, double *values);

/* What the liquid gives a solid: N s and N m s, in two dimensions of a metre of depth. */
typedef struct dew_impulse {
    dew_vec3 linear, angular;
} dew_impulse;

/* In the last step; and in all steps since `since` (s), which is when the simulation was made or last restored. */
typedef struct dew_solid_impulse {
    dew_impulse step, run;
    double since;
} dew_solid_impulse;

/* By the index of a solid, walls of the domain behind the others; angular impulses are about a point. DEW_INVALID: no
 * such solid. */
DEW_API dew_result dew_simulation_solid_impulse(const dew_simulation *simulation, int index, dew_vec3 about,
                                                dew_solid_impulse *impulse);

/* The momentum of a rigid body, and its angular momentum about a point, with all that the liquid has given it and that
 * does not move it yet: of liquid and bodies together it is constant in free space. 0 of other solids. DEW_INVALID: no
 * such solid. */
DEW_API dew_result dew_simulation_solid_momentum(const dew_simulation *simulation, int index, dew_vec3 about,
                                                 dew_impulse *momentum);
/* A rigid body that has left the domain by a face that does not hold it: a periodic one, where it does not come in on
 * the other side, a plane of symmetry, or one by which liquid flows out. */
typedef struct dew_body_leaving {
    const char *name, *face; /* "+x" */
    dew_boundary by;
    double time;     /* when it first did, s */
    dew_vec3 centre; /* now, m */
} dew_body_leaving;
/* By the index of a solid; false: it has not, or is no body. */
DEW_API bool dew_simulation_body_has_left(const dew_simulation *simulation, int index, dew_body_leaving *leaving);
/* A rigid body that is deep in another solid, a quarter of a spacing or more: contacts could not keep it out. */
typedef struct dew_body_crushing {
    const char *name, *into; /* the body, and the solid that it is in */
    const char *by;          /* what presses it there from the other side; NULL: nothing does */
    double time;             /* when it first was, s */
    double depth;            /* then, m */
    dew_vec3 centre;         /* now, m */
} dew_body_crushing;
/* By the index of a solid; false: it is not, or is no body. */
DEW_API bool dew_simulation_body_is_crushed(const dew_simulation *simulation, int index, dew_body_crushing *crushing);
/* Lets a rigid body that has been held go. DEW_INVALID where there is none, or it is free. */
DEW_API dew_result dew_simulation_release_solid(dew_simulation *simulation, int index);

#endif
