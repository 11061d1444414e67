/* Moving particle semi-implicit with wettability from surface energies (Mukai, Natsume, Oishi, Oshima: Analysis of
 * Wettability Model Using Adhesional and Spreading Works, VISIGRAPP 2023; the method: Koshizuka, Oka 1996).
 *
 * Symbols: s particle spacing, h reach of the kernels, q = r/h, w = max(0, 1 - q). The three models are those of one
 * kernel: particle number density n = sum w^2, gradient by w e_ij (minus half its derivative), Laplacian by w/q, which
 * is the kernel r_e/r - 1 of Koshizuka and Oka; e_ij = (x_i - x_j)/r. So the divergence is the change of n, the
 * gradient its adjoint, and what pairs give each other is opposite. README.md lists every symbol. */
#ifndef METHODS_MPS_MPS_H
#define METHODS_MPS_MPS_H

#include "base/parallel.h"
#include "methods/method.h"
#include "particles/pairs.h"
#include "solids/contact.h"
#include "solids/fractions.h"
#include "solids/near_walls.h"
#include "solids/shear.h"
#include "solids/wetting.h"
#include "surface/line.h"
#include "surface/surface.h"

extern const method method_mps;

typedef enum mps_parameter {
    MPS_CFL,
    MPS_CAPILLARY,
    MPS_CORRECTION,
    MPS_TOLERANCE,
    MPS_SWEEPS,
    MPS_OWN_VISCOSITY,
    MPS_TENSION,
    MPS_PARAMETER_COUNT
} mps_parameter;

enum { MPS_GRAIN = 32, MPS_MISSING_STEPS = 256, MPS_MOST_LIQUIDS = 4 };

/* Numbers that follow from the dimension alone. */
typedef struct mps_constants {
    real n0;       /* n of liquid at rest, a particle itself left out */
    real gradient; /* c = D/(sum of w r), 1/m: grad p = -c sum (p_i + p_j) w e_ij, div v = c sum w e_ij . (v_i - v_j) */
    real laplacian;    /* 2 D/(m h^2), m = sum of w q: lap p = sum (w/q) (p_j - p_i) of it, 1/m2 */
    real full, slope0; /* of all space, at a plane through the particle: n, and minus its derivative by u = d/h */
    double cohesion;   /* gamma = cohesion K h^2/s^D s^D...: see tension.c */
    double viscous;    /* sigma = viscous nu, 1/m2 */
} mps_constants;

typedef struct mps_state {
    double parameter[MPS_PARAMETER_COUNT];
    real s, h;
    mps_constants c;
    /* Indices of fields. */
    int change, lean, is_surface, density, solver_pressure, pressure, normal, unrest, strain, strain_across, hold, went;
    bool is_area;  /* tension by the surface's area and pressure by the exact projection, else pairs' potential */
    bool is_solid; /* nothing parts or meets: pressure of either sign everywhere */
    bool is_paper; /* that as the paper has it, word by word */
    fractions *fractions;
    half_space crowd;                   /* of w^2 */
    real kernel;                        /* one over the cubic spline's sum over the lattice */
    real filled[HALF_SPACE_STEPS + 2];  /* n of a solid, by its distance over h */
    real bracing[HALF_SPACE_STEPS + 2]; /* half_space_brace */
    half_space bond;                    /* of the potential psi */
    half_space laplace;                 /* of w/q */
    real missing[MPS_MISSING_STEPS +
                 2]; /* by |F| over that of a plane through the particle: the part of all space that is air */
    real growth[MPS_MISSING_STEPS + 2]; /* likewise, n0 times the derivative of `missing` by |F| */
    real air[MPS_MISSING_STEPS + 2];    /* likewise, the sum of w/q over what is air */
    shear_table shear_table;
    line_table line_table;
    int iterations, viscous_iterations; /* of the last solves */
} mps_state;

/* What a step works on. Arrays by slot, from the arena unless said. */
typedef struct mps_step {
    mps_state *p;
    world *w;
    particles *all;
    pair_lists lists;
    int count, blocks;
    real dt, h, inv_h;
    real calm_dt;   /* the longest step if nothing moved, s */
    real4 *x, *v;   /* fields: place, w: what a pass needs of j; velocity */
    real4 *change;  /* field: what is made of the velocities, m/s */
    real4 *lean;    /* field: p g; w: p, of the pressure that acts */
    real4 *grow;    /* g = n0 dD/dF, how the part of air grows with F; w: n0 D */
    real *pressure; /* field: p, Pa */
    uint8_t *is_surface;
    real4 *facing; /* F = sum of w e_ij, solids included; w: n, solids included */
    real4 *force;  /* of the potential, m/s2; w: the virial of all pairs' forces, Pa */
    real *air;     /* sum of w/q over what is air */
    real *target;  /* n that is not to be exceeded, or inside of the liquid kept */
    near_walls near;
    real4 *along[3];     /* T by rows */
    real4 *fit[3];       /* M by rows; w: the pressure of a product */
    uint16_t *weight[4]; /* of pairs, in the layout of the lists: projection.c */
    real4 *normal;       /* field: out of the liquid */
    rings rings;
    real4 *shift;     /* of places alone, m; NULL where there is none */
    real pace;        /* dt over the time in which forces move liquid by a part of a spacing */
    uint8_t *is_held; /* by emitters, or NULL */
    real4 *hold;      /* field: of the contact line, hold.c */
    real4 *went;      /* field: in the last step, with shifts and all that makes no velocity, m/s */
    real4 *hold_line; /* of line_find, or NULL: no solid has hysteresis */
    uint8_t *unrest;  /* field: steps in which one that came to the surface or left it is calmed */
    real4 *wall;      /* S: what all solids near add to F; w: c times twice the sum of S . v of the solids, 1/s */
} mps_step;

static inline const dew_material_def *mps_material(const mps_step *k, int i)
{
    return &k->w->materials[k->all->material[i]];
}
static inline real mps_density(const mps_step *k, int i) { return (real)mps_material(k, i)->density; }
/* Of a material: kinematic, m2/s, with what calms the particles. */
double mps_viscosity_of(const mps_state *p, const world *w, int material);

/* w/q of Laplacians by 1/q; at most 30: of particles a thirtieth of h apart, or of one next to its own image across a
 * plane of symmetry, which has no part in a Laplacian but would take all digits of it. */
static inline vreal mps_laplacian_weight(vreal inv_q) { return vmin(vmax(inv_q - 1, vset(0)), vset(30)); }

/* Behind a block's last particle. */
static inline int mps_end_of(const mps_step *k, int block)
{
    return PAIR_I * (block + 1) < k->count ? PAIR_I * (block + 1) : k->count;
}

/* Where the weights of the pairs at the cursor are. */
static inline size_t mps_at_pair(const mps_step *k, int block, pair_cursor j)
{
    return 4 * (size_t)(j.at - k->lists.entries) + (size_t)(PAIR_I * block % 4);
}

static inline real mps_mass(const mps_step *k, int i) { return (real)k->w->particle_mass[k->all->material[i]]; }

/* --- mps.c --- */
/* What follows from the spacing and the dimension: constants and tables. */
dew_result mps_make(mps_state *p, const world *w);
double mps_max_time_step(mps_state *p, world *w);
/* By area, what comes before the forces: density, what is held, the surface. */
dew_result mps_begin_area(mps_step *k);
/* Weight, tension, the last step's pressure. */
dew_result mps_force_area(mps_step *k);
/* Opens a step on lists that hold. */
dew_result mps_open(mps_state *p, world *w, double dt, mps_step *k);

/* --- tension.c --- */
double mps_potential(double q);
double mps_potential_of_paper(double q);
/* K h of a pair, J: what its potential is multiplied by, of half the work that parts its liquids, N/m. */
double mps_bond(const mps_state *p, const world *w, double surface_tension);
/* gamma_a of a liquid; of two (gamma_a + gamma_b - gamma_ab)/2. N/m */
double mps_half_work(const world *w, int a, int b);
/* The tension between two materials, N/m; 0 where the scene has none. */
double mps_tension_between(const world *w, int a, int b);
/* Adds dt times the potential's accelerations to the velocities; its virial to force.w. */
dew_result mps_tension(mps_step *k);

/* --- density.c --- */
/* Finds F, n, who is surface, and the targets. */
void mps_find_density(mps_step *k);
/* The change of D by F, along it. */
real3 mps_growth(const mps_state *p, real3 facing);
/* The part of F that the a-th solid near particle i adds. */
real3 mps_wall_slope(const mps_step *k, const walls_here *here, int i, int a);
/* Gives particle i an impulse by the solids near it, by their normals. */
void mps_push_walls(const mps_step *k, int i, push_kind kind, real3 impulse, solid_pushes *to);

/* --- elastic.c --- */
bool mps_is_elastic(const world *w);
/* Strain goes with the flow and relaxes, and dt times the acceleration of its stress comes to the velocities. */
dew_result mps_elastic(mps_step *k);
/* The longest step, s. */
double mps_elastic_step(const mps_state *p, const world *w);

/* --- viscosity.c --- */
dew_result mps_viscosity(mps_step *k);

/* --- gradient.c --- */
/* div v of the velocities, solids' motion included, 1/s; to the next multiple of 4. */
void mps_find_divergence(mps_step *k, real *rate);
/* v += dt/rho G of a pressure, Pa; its virial to force.w; solids get the opposite of theirs. */
void mps_push(mps_step *k, const real *pressure);

/* --- pressure.c --- */
/* Corrects velocities and the pressure. */
dew_result mps_solve_pressure(mps_step *k);

/* --- skin.c --- */
dew_result mps_find_skin(mps_step *k);
dew_result mps_area_tension(mps_step *k);

/* --- hold.c --- */
bool mps_has_hysteresis(const world *w);
/* Changes the cosines by where the contact line is held. */
dew_result mps_hold_line(mps_step *k, line_faces *faces);
/* Particle i is about to go this way, m. */
void mps_hold_moves(const mps_step *k, int i, real3 way);

/* --- projection.c --- */
/* The last step's pressure pushes: v changes. */
dew_result mps_push_as_before(mps_step *k);
/* Takes the divergence off v, and corrects the pressure; the field `pressure` is told. */
dew_result mps_project(mps_step *k);

/* --- lift.c --- */
/* Forces of surface particles, N, as those at the surface half a spacing above. After mps_push_as_before. */
void mps_lift(mps_step *k, real4 *force);

/* --- mend.c --- */
/* Finds k->shift: towards the target of n, apart, and to an even skin. */
dew_result mps_mend(mps_step *k);
/* k->shift by what pairs push, `pushed` (over h), and solids by k->lean.w; kept out of solids. */
void mps_finish_shift(mps_step *k, const real4 *pushed);
/* Takes noise out of the velocities. */
dew_result mps_smooth(mps_step *k);

/* --- film.c --- */
/* N/m; false: there is no film between periodic faces x and y. */
bool mps_film_tension(const mps_state *p, const world *w, double *tension);

/* --- walls.c --- */
void mps_move(mps_step *k);

#endif
