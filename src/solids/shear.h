/* The shear of walls: what solids add to the viscous sum of a particle method that has no particles in them.
 *
 * A viscous sum has the acceleration nu sum_j V_j 2 F(r_ij) (v_j - v_i), F = -W'(r)/r (Morris, Fox, Zhu 1997, for
 * even viscosity and density), or Monaghan's form of it along the line of centres, nu sum_j V_j 2 (D + 2) F ((v_j -
 * v_i) . x_ij) x_ij/r^2 in D dimensions (Monaghan 2005). The solid is thought filled with a ghost of the
 * liquid. Where the particle is phi away from it and moves along it by v against its velocity v_w, the profile that is
 * straight and meets Navier's condition, slip = l dv/dn, is v_w + (v - v_w) (y + l)/(phi + l) at height y. So at depth
 * d the ghost moves by v_w - (v - v_w) (d - l)/(phi + l): a slip length only moves the wall back. No slip is l = 0;
 * normal to the wall the ghost moves as at one that slips freely, which is no business of this file. Morris, Fox, Zhu
 * bound the ghost's speed for particles that nearly touch: here (d - l)/(phi + l) <= c, `most_ratio`.
 *
 * Across the wall the ghost is a mirror, whatever slips along it: at depth d it moves by v_w - (v - v_w) d/phi, as a
 * flow that is linear goes on. In Monaghan's form such a flow is then without force, while the liquid's part alone
 * would be that of one that ends at the wall. Flow without divergence hardly has it, but pressures that are solved for
 * apart from viscosity lean on it (flow/projection.c): a method may ask for it by a table of its own, `across`.
 *
 * The sum over the ghost is an integral over the half space z > phi, z = phi + d the distance along the wall's normal,
 * and v - v_ghost = (v - v_w) z/(phi + l), up to z = z_c = (1 + c) (phi + l), beyond which it is (1 + c) (v - v_w). So
 * the acceleration is -k (v - v_w) along the wall, with
 *
 *     k = 2 nu [(A(phi) - A(z_c))/(phi + l) + (1 + c) B(z_c)],    A(s) = integral over z > s of F g z dV,
 *                                                                 B(s) = integral over z > s of F g dV,
 *
 * where g = 1, or (D + 2)/(D - 1) (1 - z^2/r^2) in Monaghan's form, whose mean over the directions along the wall it
 * is; across the wall it is (D + 2) z^2/r^2 in that form. For g = 1, A(s) is the integral of W over the plane z = s.
 * Both are tabulated once. k is never negative, so walls only take energy as seen by the wall: (v - v_w) . f <= 0 for
 * every particle.
 *
 * Where particles lie in layers, the liquid's part of the sum is not that of a liquid which ends at the wall: cells of
 * a layer 0.1 spacings from the wall reach into the solid, and of one 0.9 from it leave a gap. With A(phi) as it is,
 * such a wall would hold up to a half too much or too little, at any spacing. So k may be multiplied by S/A(phi)
 * with S the moment that the liquid does lack, A = sum_j V F g |z_ij| over the particles farther from the wall less
 * those nearer to it (shear_find_lack): then a straight profile is exactly at rest wherever the layers are, and what
 * walls get is what layers hand on. What is missing above is not the wall's (free surfaces, a second wall): A(0) stands
 * for it. Below, not more than half a spacing of liquid can be missing or in excess, so S is bounded by what A is
 * there: a drop's overhang is not held by a wall that it does not touch.
 *
 * A curved solid counts as the half space beyond the plane through its nearest point. Of several solids each gives its
 * part: in a corner, what two half spaces share counts twice, which errs to the side of holding, in the first layers.
 * nu is to be the material's own: a wall that holds by a method's artificial viscosity brakes all of the liquid. */
#ifndef SOLIDS_SHEAR_H
#define SOLIDS_SHEAR_H

#include "particles/pairs.h"
#include "solids/solids.h"

enum { SHEAR_STEPS = 512 };

/* Morris, Fox, Zhu; Monaghan; Monaghan's across the wall. */
typedef enum shear_form { SHEAR_PLAIN, SHEAR_CENTRAL, SHEAR_ACROSS } shear_form;

/* How many times as fast as the particle its ghost may be. Next to a wall that holds, 0.1 spacings from it, ghosts of
 * a kernel 3 spacings wide are up to 29 times as fast. The bound of Morris, Fox, Zhu, for explicit steps, lets such a
 * layer slip: errors then fall with the spacing, not with its square (tests/test_shear.c). */
#define SHEAR_RATIO_EXPLICIT ((real)1.5)
#define SHEAR_RATIO_IMPLICIT ((real)30)

typedef struct shear_table {
    real support;    /* of the kernel, m */
    real most_ratio; /* c */
    /* At u = s/support = k/SHEAR_STEPS: A support, B support^2; the last stands twice. */
    real through[SHEAR_STEPS + 2], beyond[SHEAR_STEPS + 2];
    real weight[SHEAR_STEPS + 2]; /* at r/support: F support^(D + 2) */
    real volume_scale;            /* support^-D */
    real off_axis, off_normal;    /* g = off_axis - off_normal z^2/r^2 */
} shear_table;

/* `slope`: dW/dq of q = r/support, up to any factor, as in particles/kernels.h: the kernel is normalised here. support
 * in m, dimension 2 or 3, most_ratio > 0. */
void shear_table_make(shear_table *t, real (*slope)(real q), double support, int dimension, shear_form form,
                      real most_ratio);

/* k (1/s) of one solid for `count` particles by their distance from it (solids_distance). nu: kinematic viscosity,
 * m2/s; slip_length: 0 .. INFINITY, m. */
void shear_rates(const shear_table *t, real nu, real slip_length, int count, const real4 *normal_and_distance,
                 real *rate);

/* The largest k of one solid, 1/s, where it holds the liquid and a particle touches it. Explicit steps are to be below
 * 2 over the sum of this, 1.6 times of it with shear_find_lack, and what pairs do. */
real shear_most_rate(const shear_table *t, real nu);

/* --- all solids --- */

typedef struct shear {
    const shear_table *table;
    const shear_table *across; /* NULL: nothing is done across walls; or of SHEAR_ACROSS */
    solids *solids;
    real nu;                /* kinematic viscosity of the material, m2/s */
    const real *least_slip; /* NULL, or by slot: the slip length is no less than this, m, as next to a contact line */
    /* NULL, or by slot: S/A(phi) at the solid that is nearest, as shear_find_lack finds it; and which that is. */
    const real *lack;
    const int32_t *nearest;
    const real *fresh; /* NULL, or by slot: how many times of k the nearest solid has */
} shear;

/* What the solids near a particle do together: acceleration = push - hold v. hold = sum of k (1 - n n^T) + k' n n^T, k'
 * that across the solid, is symmetric and not negative, so it goes to a matrix's diagonal and `push`, hold of v_w
 * solid by solid, to the right hand side; or both are used as they are in an explicit step. */
typedef struct wall_shear {
    real4 diagonal; /* of hold: xx, yy, zz, 1/s; w: the largest that hold can do to a velocity, 1/s */
    real4 across;   /* of hold: yz, zx, xy, 1/s; w: 0 */
    real4 push;     /* m/s2; w: 0 */
} wall_shear;

/* lack[i] of the particles in the blocks [begin, end), by pairs; `wall` is what solids_nearest gives for all slots of
 * these blocks, with the support for its band. volume: of a particle, m^D; spacing in m. Writes whole blocks. */
void shear_find_lack(const shear_table *t, pair_lists lists, int begin, int end, const real4 *position,
                     const real4 *wall, real volume, real spacing, real *lack);

/* found[i] for the particles i in [begin, end), by their places. Any range: for parallel_for. */
void shear_find(const shear *s, int begin, int end, const real4 *position, wall_shear *found);

static inline real3 wall_shear_hold(const wall_shear *w, real3 v)
{
    real4 d = w->diagonal, a = w->across;
    return (real3){d.x * v.x + a.z * v.y + a.y * v.z, a.z * v.x + d.y * v.y + a.x * v.z,
                   a.y * v.x + a.x * v.y + d.z * v.z};
}
/* m/s2 */
static inline real3 wall_shear_acceleration(const wall_shear *w, real3 v)
{
    return real3_sub(real3_of(w->push), wall_shear_hold(w, v));
}

/* The velocity after dt of this alone, taken at its end, so that any dt will do. */
static inline real3 wall_shear_take(const wall_shear *w, real3 v, real dt)
{
    real4 d = w->diagonal, a = w->across;
    real xx = 1 + dt * d.x, yy = 1 + dt * d.y, zz = 1 + dt * d.z, yz = dt * a.x, zx = dt * a.y, xy = dt * a.z;
    real3 b = real3_madd(v, dt, real3_of(w->push));
    real3 x = {yy * zz - yz * yz, zx * yz - xy * zz, xy * yz - yy * zx}; /* rows of the adjugate */
    real3 y = {x.y, xx * zz - zx * zx, zx * xy - xx * yz}, z = {x.z, y.z, xx * yy - xy * xy};
    real inverse = 1 / (xx * x.x + xy * x.y + zx * x.z);
    return real3_scale(inverse, (real3){real3_dot(x, b), real3_dot(y, b), real3_dot(z, b)});
}

/* Gives the solids what the liquid lost by shear_find's accelerations: `velocity` is the one that they were taken at
 * (an implicit step's is that at its end), `position` that of shear_find, `impulse` mass times time step (kg s). For a
 * pass of solids_each. */
void shear_push_solids(const shear *s, int begin, int end, const real4 *position, const real4 *velocity, real impulse,
                       solid_pushes *to);

#endif
