/* Surface energies on the material point method (Chen, Kala, Marquez-Razon, Gueidon, Hyde, Teran 2021, ACM Transactions
 * on Graphics 40(4), 111).
 *
 * Particles carry mass, velocity and an affine part of it; the forces act on a grid of nodes dx apart that follows the
 * liquid and is made anew. The surface is a contour of the grid, sampled by points that carry area; each takes a part
 * of the mass of the nearest particle, and a balance point opposite to it another part, so that forces never meet a
 * node without mass. README.md lists every symbol and which equation is where.
 *
 * Two and three dimensions come from the same text: what is in any/ is compiled for DIM 2 and for 3 (any/names.h). */
#ifndef METHODS_MPM_MPM_H
#define METHODS_MPM_MPM_H

#include "methods/method.h"
#include "solids/shear.h"

extern const method method_mpm;

typedef enum mpm_solver { MPM_EXPLICIT, MPM_IMPLICIT, MPM_AUTO, MPM_BACKWARD_EULER } mpm_solver;

typedef enum mpm_parameter {
    MPM_CELL,
    MPM_SOUND,
    MPM_SOUND_SPEED,
    MPM_STEP,
    MPM_REUSE,
    MPM_CFL,
    MPM_HEAT_STEP,
    MPM_SOLVER,
    MPM_SHIFT,
    MPM_PARAMETER_COUNT
} mpm_parameter;

/* The fields that a method's particles have, in the order in which they are added; `..._X` is followed by y and z. */
typedef enum mpm_field {
    MPM_VISCOSITY,           /* with more viscosities than one only */
    MPM_TEMPERATURE_SLOPE,   /* with heat */
    MPM_CONCENTRATION_SLOPE, /* with what is dissolved */
    MPM_DEFORMATION_X,       /* with elastic solids */
    MPM_AFFINE_X = MPM_DEFORMATION_X + 3,
    MPM_STRAIN = MPM_AFFINE_X + 3,
    MPM_REST_STRAIN,
    MPM_PUSHED, /* with emitters */
    MPM_PRESSURE,
    MPM_IS_SURFACE,
    MPM_SPIN,
    MPM_FIELD_COUNT
} mpm_field;

/* What the liquid carries. */
enum { MPM_TEMPERATURE, MPM_CONCENTRATION, MPM_CARRIED_COUNT };

/* What is implicit now, and the longest substep that this bears. */
typedef struct mpm_scheme {
    bool pressure;    /* pressure.h */
    bool viscosity;   /* velocities.h */
    bool is_creeping; /* viscosity rules cells, too: one contour a substep */
    bool energy;      /* of surfaces and of elastic solids: velocities.h */
    double longest;   /* s */
    const char *limit;
} mpm_scheme;

/* Walls that are bent by more in a cell count as bent by that: 0.6 over the width of the mirror (any/mirror.h). */
#define MPM_MOST_BEND 0.4

typedef struct mpm_state {
    /* Saved in checkpoints: plain numbers. */
    double saved_sound;                     /* speed of sound, m/s; 0 before the first step */
    double saved_factor;                    /* mpm.sound that it follows from; 0: set by mpm.sound_speed */
    double area, volume, energy;            /* of the last contour; NaN before the first */
    double bend;                            /* the largest of walls at liquid in the last step, 1/cell */
    double lightest;                        /* then: the least volume of a particle over a cell times its surface, 1 */
    double most_tension;                    /* of the surface, N/m */
    double most_viscosity, least_viscosity; /* Pa s */
    double saved_rounds[MPM_CARRIED_COUNT]; /* that the gradients of what is carried have had; 2: they are there */
    double least_speed; /* the largest of gravity and capillary speeds of the scene, m/s, when they were last set */
    /* Set at creation. */
    double parameter[MPM_PARAMETER_COUNT];
    double dx;             /* between nodes, m */
    dew_domain_def domain; /* whose periodic axes and planes of symmetry the cells have */
    double density;        /* of the heaviest material, kg/m3: nodes count masses in those of its particles */
    double least_density;
    /* Since creation, for tests. */
    long long solves, iterations; /* of the implicit pressure */
    long long velocity_solves, velocity_iterations;
    int field[MPM_FIELD_COUNT]; /* of the particles; -1: there is none */
    shear_table shear;          /* any/hold.h */
} mpm_state;

/* Finds the cell that goes between the domain's faces, from the one wanted, p->dx (cells.c). DEW_INVALID: there is
 * none.
 */
dew_result mpm_fit_cells(mpm_state *p, const world *w);
/* Into how many parts planes of symmetry cut the liquid, of which the scene has one. */
double mpm_parts_of_liquid(const world *w);

/* Lame's coefficients of the solid that the material is, Pa; 0 of one that never is solid. */
typedef struct mpm_elastic {
    double mu, lambda;
} mpm_elastic;
mpm_elastic mpm_elastic_of(const dew_material_def *m);
/* The longest explicit step by elastic waves, s; infinite without elastic solids. Energy of their strain, J. */
double mpm_elastic_limit(const mpm_state *p, const world *w);
double mpm_elastic_energy(const mpm_state *p, const world *w);

/* What particles carry, kept in two parts since what a step adds may be less than a float's last digit. */
typedef struct mpm_carried {
    real *value;  /* K, kg/m3; NULL where nothing like that is followed */
    real4 *slope; /* its gradient, 1/m; w: what value[i] lacks */
} mpm_carried;
static inline double mpm_carried_by(const mpm_carried *c, int i) { return (double)c->value[i] + (double)c->slope[i].w; }
static inline void mpm_carry(const mpm_carried *c, int i, double now)
{
    c->value[i] = (real)now;
    c->slope[i].w = (real)(now - (double)c->value[i]);
}

/* The arrays a step works on, by name, and the numbers it needs at hand. */
typedef struct mpm_arrays {
    real4 *x, *v;      /* m, m/s */
    real4 *affine[3];  /* columns of the affine part A of the velocity, v(y) = v + A (y - x), 1/s */
    real *strain;      /* e = J - 1: volume over that without a pressure, less 1 */
    real *rest_strain; /* of the pressure that its body has at rest: any/rest_strain.h */
    real *pressure;    /* Pa, for output */
    uint8_t *is_surface;
    real4 *spin; /* m2/s: see dew_method_info */
    mpm_carried carried[MPM_CARRIED_COUNT];
    const real *melted;      /* share of the mass; NULL where nothing melts */
    real *viscosity;         /* Pa s; NULL where there is one for all */
    real *pushed;            /* spacings that emitters moved it into liquid since the last step; NULL without any */
    const uint8_t *material; /* NULL where there is one */
    real4 *deformation[3];   /* columns of F - I; w of the first: 1 for what is solid. NULL without elastic solids */
    int count;
} mpm_arrays;
mpm_arrays mpm_arrays_of(const mpm_state *p, const world *w);

/* A step, compiled for each dimension (any/step.c). */
typedef dew_result mpm_step(mpm_state *p, world *w, double dt, int substeps);
mpm_step mpm_step_2d, mpm_step_3d;

/* Finds tensions, N/m, by temperatures and concentrations. */
dew_result mpm_find_tensions(const world *w, int count, const real *temperature, const real *concentration, real *out);
/* Finds the viscosities of all particles, by their materials or by their temperatures and concentrations. */
dew_result mpm_find_viscosities(mpm_state *p, const world *w);

mpm_scheme mpm_scheme_of(const mpm_state *p, const world *w);
/* Whether any wall has friction. */
bool mpm_has_friction(const world *w);

#endif
