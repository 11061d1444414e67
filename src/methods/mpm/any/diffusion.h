/* Spreading of what the liquid carries, heat or something dissolved, over a step, by the variational form of the paper
 * (eq. 10), for a value T that particles have:
 *
 *     dT/dt = div D grad T + H,   D dT/dn = h (T_outside - T) + b on the surface
 *
 * on the nodes, implicit in time, by conjugate gradients without a matrix. Values of nodes come from particles and
 * their gradients, N m (T + grad T . (x_i - x)); particles get the change of the nodes' values, not these themselves,
 * so that a transfer by itself smooths nothing. What particles have that nodes do not see (a difference between
 * neighbours) is spread at the rate that is right for it.
 *
 * A sample of the surface takes its value from the nodes of its particle, T(x) + grad T . (s - x), and gives to them by
 * the same weights: so no node without mass is met, and the matrix stays well conditioned.
 *
 * The masses of the nodes, with what the samples add to them, are the preconditioner: then the total is kept at any
 * tolerance where the surface lets nothing through; what rounding loses is given back. Units: values against a
 * reference; masses in particles. heat.h and solute.h say what is spread. */
#ifndef METHODS_MPM_ANY_DIFFUSION_H
#define METHODS_MPM_ANY_DIFFUSION_H

#include "methods/mpm/any/fluid.h"
#include "methods/mpm/any/samples.h"

/* A sample of the surface through which something passes. */
typedef struct passage {
    real4 arm;     /* from its particle, in cells */
    int32_t slot;  /* of the particle */
    real transfer; /* h A dt over a particle's volume */
    real later;    /* weight of the value after the step */
    real outside;  /* value of the surroundings, against the reference */
    real flux;     /* b A dt over a particle's volume */
    real got;      /* what came in */
} passage;

/* Through a surface flow transfer (outside - T) + flux, all as speeds: m/s, and that times the value. */
typedef struct surface_law {
    double transfer, outside, flux;
} surface_law;

typedef struct diffusion {
    const world *w;
    const grid *g;
    const real4 *x; /* of the particles */
    int count;
    const char *what;    /* spreads: for messages */
    mpm_carried carried; /* by the particles */
    double *rounds;      /* that the gradients have had: see mpm_state */
    double capacity;     /* of heat: rho c, J/(m3 K) */
    double reference, dt;
    double diffusivity; /* m2/s */
    double volume;      /* of a particle at rest, m^DIM */
    real spread;        /* of the step: D dt/dx^2 */
    real later;         /* weight of the values after the step: 1/2 is of second order, 1 bears any step */
    real decay;         /* of what nodes do not see, over the step */
    real sharpness;
    real4 *node;  /* value times mass, mass */
    real *weight; /* the preconditioner, at the end its inverse */
    real *mass, *nodal, *change, *r, *p, *Ap;
    real *power; /* H of each particle over the step; NULL: none */
    passage *list;
    int list_count;
    int32_t *block_begin; /* of the list, for each home block, one more */
    double shift;         /* see give_back_total */
    size_t mark;          /* of the scratch memory */
} diffusion;

/* What particle i carries, against the reference. */
static inline double carried_of(const diffusion *c, int i) { return mpm_carried_by(&c->carried, i) - c->reference; }

static inline void set_carried(const diffusion *c, int i, double value)
{
    mpm_carry(&c->carried, i, value + c->reference);
}

/* Makes the list from laws[k] of each sample, in the order of the particles; firm: the largest transfer that is told
 * from one without bounds, m/s. */
dew_result diffusion_list(diffusion *c, const samples *s, const surface_law *laws, double firm);

/* Makes room for the spreading over dt of what the particles carry, and finds the reference. `what` they carry stands
 * in messages by its `name`. */
dew_result diffusion_open(diffusion *c, const fluid *f, double dt, int what, const char *name);

/* Spreads what is carried over dt, and gives back the room for it. At the very first the gradients come out of two
 * rounds without time. */
dew_result diffusion_solve(diffusion *c);

#endif
