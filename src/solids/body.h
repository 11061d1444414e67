/* Inside solids: a rigid body that the liquid moves. What it weighs, where it is, and how impulses change that. The
 * motion is derived in body.c. */
#ifndef SOLIDS_BODY_H
#define SOLIDS_BODY_H

#include "dew/simulation.h"
#include "geometry/shape.h"
#include "solids/motion.h"

/* All that a body has at a moment and a snapshot keeps. Doubles alone. */
typedef struct body_state {
    dew_vec3 place, velocity;  /* of the centre of mass */
    double attitude[4];        /* against the definition: a unit quaternion, its real part first */
    dew_vec3 angular_momentum; /* about the centre of mass, kg m2/s */
    dew_vec3 gain;             /* what the last step added to the velocity, m/s */
    dew_impulse transit;       /* received but not yet turned into motion; about the origin */
    dew_impulse kept;          /* likewise, of what drag answers: it comes back by and by */
    dew_impulse due;           /* given by the liquid since the last move; about the origin */
    double is_held;
    double left_at, left_by; /* s, and the face by which it left the domain first: solid_stand */
    /* When it first was deep in another solid, s; in which, and which pressed it there, 1 + index (0: none); by how
     * much, m. */
    double crushed_at, crushed_into, crushed_by, crushed_depth;
} body_state;
enum { BODY_VALUES = sizeof(body_state) / sizeof(double) };

static inline dew_impulse impulse_add(dew_impulse p, dew_impulse q)
{
    return (dew_impulse){vec3_add(p.linear, q.linear), vec3_add(p.angular, q.angular)};
}

/* Liquid that the method ties to a body in a step: mass, mass times place, mass times the square of that, kg, m. */
typedef struct body_tied {
    double mass;
    dew_vec3 moment;
    double square;
} body_tied;

static inline void body_tie(body_tied *t, double mass, dew_vec3 moment, double square)
{
    t->mass += mass, t->moment = vec3_add(t->moment, moment), t->square += square;
}

typedef struct body {
    int dimension;
    double mass, inertia[3]; /* about the principal axes, kg m2 */
    dew_vec3 axis[3];        /* principal axes in the definition, right-handed */
    dew_vec3 centre;         /* of mass, in the definition */
    double size;             /* volume (2D: area of the section) */
    double radius;           /* of a ball with as much room: what viscosity takes it for */
    /* Liquid that moves along where the body is accelerated in a sea of density 1: along the principal axes, m3; about
     * them, m5. */
    double added[3], added_inertia[3];
    /* Axes through the centre about which its surface goes over into itself, in the definition: one of a cylinder,
     * three of a ball. */
    dew_vec3 round[3];
    int round_count;
    body_tied tied; /* in this step, besides */
    int touching;   /* particles of the layer next to it, before it moves */
    body_state state;
} body;

/* What it is in, while it moves. */
typedef struct body_surroundings {
    dew_vec3 gravity;
    double density, viscosity, spacing; /* of the liquid */
} body_surroundings;

/* Mass, centre and axes from its shape and definition; at rest in its place, but for the velocities that it begins
 * with. DEW_INVALID: it has no end, no volume, no mass. */
dew_result body_create(body *b, const shape *s, const dew_rigid_def *def, int dimension, double spacing);

/* Where it is; where it will be after `dt` if nothing acts on it. */
pose body_pose(const body *b);
pose body_predicted_pose(const body *b, double dt);
dew_vec3 body_spin(const body *b);
/* The principal axes as they lie now. */
void body_axes(const body *b, dew_vec3 axis[3]);

/* One move: body_begin_move finds what velocities the impulses give it, constraints may change them, body_end_move goes
 * there. `is_constrained`: contacts or joints may act. */
typedef struct body_move {
    double dt;
    bool is_constrained;
    dew_vec3 lever;                    /* where moments are taken about */
    dew_impulse given;                 /* all that acts: liquid, gravity, what was in transit; about the lever */
    double mass, inertia[3];           /* with the liquid that moves along: what constraints act on */
    double drag, drag_inertia;         /* the part of these that stands for drag */
    dew_impulse kept;                  /* of what drag answers, what does not come back in this move */
    dew_vec3 spin_before;              /* of no impulse; of a constrained body in the mean of the step */
    dew_vec3 velocity, spin;           /* after the step; constraints may change them */
    dew_vec3 velocity_free, spin_free; /* before they did */
    double work;                       /* that they did on the body, J: set by body_end_move */
} body_move;
/* In how long drag in such liquid takes the body's velocity, s. */
double body_drag_time(const body *b, const body_surroundings *around);
void body_begin_move(const body *b, const body_surroundings *around, double dt, bool is_constrained, body_move *m);
void body_end_move(body *b, body_move *m);
/* Moves it without giving it a velocity: what contacts that overlap do. */
void body_shift(body *b, dew_vec3 way);

/* Holds a body in its place, or lets it go; what liquid gave while it was held is the holder's. */
void body_hold(body *b, bool is_held);

/* Kinetic energy, J; momentum, and angular momentum about the origin, with what is in transit and what is due. */
double body_energy(const body *b);
dew_impulse body_momentum(const body *b);

#endif
