/* What a step works on: particles, the grid, and the points that particles at surfaces and walls are split into. */
#ifndef METHODS_MPM_ANY_FLUID_H
#define METHODS_MPM_ANY_FLUID_H

#include "methods/mpm/any/contour.h"

/* NO_POINT: the cell of a point that is not there. */
enum { MOST_WALLS = 3, NO_POINT = -2 };

typedef struct wall_seen {
    real4 seen; /* its outward normal; w: distance, in cells */
    int32_t solid;
    real friction;    /* Coulomb's coefficient */
    real slip_length; /* m; 0: the wall holds liquid, INFINITY: it slips */
    bool is_moving, is_sticky;
    real4 push;   /* momentum that it has given the owner since it was seen, over the mass of a particle, m/s */
    real3 moment; /* the angular momentum of that about `from`, m2/s */
} wall_seen;

/* A particle with samples, or near walls. It makes 1 + 2 n transfers: itself, its samples, their balance points; each
 * is one point, and twice as many for each wall near: copy c of transfer q is point first_point + (q << wall_count) +
 * c, bit j of c set in what wall j mirrors. */
typedef struct owner {
    int32_t slot;
    int32_t first_sample, sample_count;
    int32_t first_point;
    int32_t wall_count;
    int32_t wet;     /* a solid that its samples lie on; -1: none */
    int32_t edge;    /* a solid of which an outer edge lies within a cell; -1: none */
    real3 axis;      /* of the nearest wall, where it is a cylinder; else 0 */
    real curvature;  /* of the nearest wall's surface, per cell, as its mirror has it */
    real bend;       /* the same in size; of an inner edge, which is bent most, MPM_MOST_BEND */
    real turn_share; /* of the curvature it has */
    real4 line;      /* of contact that it holds: see samples.h; m (2D: 1) */
    real4 from;      /* where the walls were seen from, m */
    wall_seen wall[MOST_WALLS];
} owner;

static inline int transfers_of(const owner *o) { return 1 + 2 * o->sample_count; }

/* The share of an owner's mass that a transfer has: alike, 1/(2 n + 1) each (4.1.3). But the whole pressure is in the
 * first one, of the particle itself: with a twentieth of the mass under it, where a particle is alone at the rim of a
 * film, sound of that pressure is unstable. So it keeps a ninth, as with four samples. */
static inline real share_of(const owner *o, int transfer)
{
    const int n = o->sample_count;
    if (n <= 4) return 1 / (real)(2 * n + 1);
    return transfer == 0 ? (real)1 / 9 : (real)4 / (real)(9 * n);
}

typedef struct point {
    real4 x;      /* m; w: 0 for a point that is not there */
    real4 p;      /* momentum over the mass of a particle, m/s; w: mass, of the particle's */
    real4 b[DIM]; /* its affine part per cell */
    real4 f[DIM]; /* momentum by stress per cell */
} point;

/* What came back to a point from the nodes (see gathered); arms are in cells. */
typedef struct landed {
    real4 v, b[DIM], g[DIM];
} landed;

/* What a particle is: owners do not go straight from their slots to the grid. IS_SOLID is a bit that any of the others
 * may have besides; so is IS_LEFT_OUT, of particles that go to no grid (transfer_loss.c). */
enum point_kind { IS_PLAIN, IS_OWNER, IS_NEAR_WALL, IS_SOLID = 4, IS_LEFT_OUT = 8 };

/* Whether a particle goes straight from its slot to the grid. */
static inline bool is_straight(int kind) { return !(kind & ~IS_SOLID); }

typedef struct points {
    int owner_count, count;
    owner *owners;
    uint8_t *kind;        /* by slot: a point_kind, with IS_SOLID or without */
    real4 *sample, *area; /* sorted by owner; as in samples */
    real4 *pull;          /* of a wall on it, where its skin ends or an edge holds it, N */
    int32_t *lies_on;     /* the solid of each sample, as in samples */
    int32_t *pulled_by;   /* the solid that pulls it, -1: none */
    point *list;
    real *mass; /* of owners near walls, over the particle's: see mirror_and_push */
    landed *found;
    int32_t *cell;       /* of each point; -1: none */
    int32_t *order;      /* points by cell */
    int32_t *cell_begin; /* for each cell, one more */
} points;

typedef struct fluid {
    mpm_state *p;
    world *w;
    mpm_arrays a;
    grid g;
    real4 *node;
    real *in_cube;           /* particles of liquid in each cube, numbered as its lowest node */
    real *strain;            /* of each cube: the mean of theirs */
    uint8_t *has_strayed;    /* for each block: particles have left the tile's reach */
    contour surface;         /* as the step began */
    real4 *displaced;        /* of each particle, m: density.h; NULL: none is */
    const int32_t *body;     /* of each particle, as the step began; -1: none */
    const uint8_t *depth;    /* of each node: see depths_find */
    const real *rest_strain; /* of each body: see rest_strain.h */
    size_t mark;             /* of the scratch memory: what comes after is the grid's */
    points points;
    uint8_t *near_count;             /* for each particle, how many walls are near; NULL without walls */
    real *at_wall;                   /* for each: 2 less its distance from a wall in cells, 0 beyond; NULL likewise */
    bool walls_rest;                 /* walls count as at rest: for differences of velocities */
    real dt, dx;                     /* dt: of a substep, s */
    real share;                      /* of a substep in the step */
    real bulk;                       /* modulus of the liquid, Pa */
    real modulus, viscosity, volume; /* Pa (0 where pressures are implicit), Pa s, m^DIM at rest */
    bool walls_stick;                /* what walls hold back is wide enough for mirrors to turn velocities round */
    mpm_scheme implicit;             /* which forces are implicit: pressures see pressure.h, others velocities.h */
    real mass;                       /* kg, of a particle of the heaviest material */
    bool has_solids;                 /* elastic ones */
    mpm_elastic *elastic;            /* of each material */
    real4 kick;                      /* dt times gravity, m/s; w: 1, for the mass */
    real4 owed;                      /* m/s: see give_back_rounding */
    int held_count;                  /* particles that emitters hold: see piston.h */
    struct held_particle *held;
} fluid;

/* Whether a particle is still where the tile of its block serves it. */
static inline bool is_served(const fluid *f, int block, vquad x)
{
    const vquad arm = x - quad_load(&f->g.origin);
    bool is_inside = true;
    for (int a = 0; a < DIM; a++) {
        int k = cell_of(arm[a], f->g.inverse) - f->g.first[block].at[a];
        is_inside = is_inside && k >= 1 - HALO && k <= f->g.side[block].at[a] - 2 + HALO;
    }
    return is_inside;
}

/* Makes the grid, with the particles sorted into it, in *order. Images in walls lie farther out than samples. */
dew_result fluid_sort(fluid *f, int32_t **order);

/* Sorts the particles anew, and the owners of samples with them. The grid of before goes, what the surface needs stays.
 */
dew_result fluid_sort_again(fluid *f);

/* Makes room for what nodes and cubes have. */
dew_result fluid_room(fluid *f);

/* Sets what a step goes by, for substeps of dt. */
void fluid_numbers(fluid *f, double dt);

/* Finds the elasticities of materials, and who is solid. */
dew_result fluid_elasticities(fluid *f);
void mark_solids(int begin, int end, void *context);

/* Whether a particle has left the reach of its block's tile; particles that own samples may stray too. */
bool have_strayed(fluid *f, bool is_displaced);

/* Writes the pressure of each particle, for output. */
void fluid_write_pressures(int begin, int end, void *context);

#endif
