/* Surface tension as the energy gamma times the area of the local meshes, for every method that has rings: the force by
 * its gradient, and how it is spread below the surface. */
#ifndef SURFACE_TENSION_H
#define SURFACE_TENSION_H

#include "particles/pairs.h"
#include "surface/surface.h"

/* What area_tension.cosine holds where no solid is near. */
#define NO_SOLID ((real)2)

typedef struct area_tension {
    bool is_flat;              /* two dimensions: rings are those of surface_outline, forces N/m */
    real surface_tension;      /* N/m */
    const real *relative;      /* NULL, or by slot: each surface particle's, over that; triangles have the mean */
    real spacing;              /* m */
    real lift;                 /* m: the mesh lies at position + lift normal */
    int rounds;                /* of handing on what is tangential; 2 to 6 */
    bool draws_lines_together; /* whether lines have the tension of the strip that no ring has along them */
    bool is_spread;            /* the force will act where the mesh is (surface_spread_force): rings need no factor */
    /* NULL, or by slot of [0, count): outward normal of the nearest solid, w = distance (m), and the cosine of its
     * contact angle. */
    const real4 *wall;
    const real *cosine;
    /* NULL, or the same of the next solid, as in a corner. */
    const real4 *other_wall;
    const real *other_cosine;
    const real4 *meets, *other_meets; /* NULL, or the normals where strips meet the solids, if others */
    const real *drawn, *other_drawn;  /* NULL, or the cosines that lines are drawn along the solids with, if others */
    real4 *line; /* by slot, zero at first, or NULL: takes the contact line that a particle has on its nearest solid, as
                    a vector along the solid out of the liquid, m (in two dimensions 1) */
    real4
        *moment; /* by slot, zero at first, or NULL: takes what the force turns the mesh by, N m, wherever it is made */
    real4 *of_wall; /* by slot, zero at first, or NULL: takes what of the force on surface particles their solid gives,
                       N */
} area_tension;

/* force[0 .. p->count), N: -gamma grad(area) on surface particles, with the contact line's pull; zero on all others.
 * The sum is zero to rounding where no solid is near. `force` has room for p->end slots; position and normal are read
 * at ghosts too. DEW_NO_MEMORY. */
dew_result surface_area_force(const area_tension *params, const rings *r, const particles *p, const real4 *position,
                              const real4 *normal, arena *memory, real4 *force);

typedef struct spread_params {
    real support, spacing; /* of the kernel; m */
    bool is_wendland;      /* kernel: Wendland's C2, else the cubic spline */
    /* NULL, or by block of particles: which take part. Those that do not get no force; they must be beyond the
     * support of every surface particle. */
    const uint8_t *is_near;
    int share; /* a REAL4 field of p with ghosts: memory to work in */
} spread_params;

/* `force` of surface particles (N) given to the particles around each; the sum stays. Writes whole blocks. normal and
 * is_surface are those of particles, at ghosts too. `lists`: of p, as far as the support at least. DEW_NO_MEMORY. */
dew_result surface_spread_force(const spread_params *params, pair_lists lists, particles *p, const real4 *normal,
                                const uint8_t *is_surface, arena *memory, real4 *force);

#endif
