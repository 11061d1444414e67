/* Inside solids: what contacts and joints make of the velocities that bodies would have in a step. ODE solves for them,
 * as a linear complementarity problem, exactly and in the same order always; places and attitudes are never its
 * business. Lengths, masses and times are given to it in units of the scene's, so that its tolerances are the same for
 * drops and ships. */
#ifndef SOLIDS_CONSTRAINTS_H
#define SOLIDS_CONSTRAINTS_H

#include "base/result.h"
#include "dew/definition.h"

/* A solid as constraints see it. One that is not free has its velocity whatever acts on it. */
typedef struct constrained {
    bool is_free;
    bool is_removed; /* its joints have ended */
    double mass, inertia[3];
    dew_vec3 axis[3]; /* principal ones, right-handed */
    dew_vec3 place;   /* of the centre of mass, at the step's beginning */
    dew_vec3 velocity, spin;
} constrained;

/* Two solids that touch or will: at the point the first one's velocity against the second, along the normal out of the
 * second, must be at least `least`, m/s. */
typedef struct contact_point {
    int first, second;
    dew_vec3 point, normal;
    double least, friction;
    double depth; /* by which they overlap more than they may, m */
} contact_point;

typedef struct constraints constraints;
/* `all`: the solids at the start, where joints are made; `length` (m) and `mass` (kg): sizes of bodies. */
dew_result constraints_create(constraints **c, const dew_joint_def *joints, int joint_count, const constrained *all,
                              int count, double length, double mass);
/* Accepts NULL. */
void constraints_destroy(constraints *c);
/* Whether a solid that a joint holds has been removed: the joint has ended with it. */
bool constraints_have_ended(const dew_joint_def *j, const constrained *all);
/* Changes the velocities and spins of those that are free. */
void constraints_solve(constraints *c, constrained *all, const contact_point *contacts, int contact_count, double dt);

#endif
