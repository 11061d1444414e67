/* Dual-mechanism surface tension by smoothed particle hydrodynamics (Xiong, Wang, Xu, Zhang, Chang, Zhang, Ban 2024,
 * The Visual Computer).
 *
 * Weakly compressible: the pressure is a field of its own, dp/dt = -rho c^2 div v, so that the speed of sound c may
 * follow the flow. Symbols: s particle spacing, H = 3 s kernel support, h = H/2, V0 = s^3, S_i = sum V0 grad W_ij
 * (inward at the surface), kappa = 1/R1 + 1/R2. README.md lists every symbol. */
#ifndef METHODS_SPH_SPH_H
#define METHODS_SPH_SPH_H

#include "methods/method.h"
#include "solids/held_line.h"
#include "solids/shear.h"
#include "surface/points.h"

extern const method method_sph;

typedef enum sph_parameter {
    SPH_CFL,
    SPH_SOUND,
    SPH_SOUND_SPEED,
    SPH_ALPHA,
    SPH_DELTA,
    SPH_BULK,
    SPH_DRIFT,
    SPH_CURVATURE_SUPPORT,
    SPH_EVEN,
    SPH_SHIFT,
    SPH_PRESSURE,
    SPH_TENSION,
    SPH_PAPER_A,
    SPH_PAPER_B,
    SPH_PAPER_RADIUS,
    SPH_PARAMETER_COUNT
} sph_parameter;

/* Values of SPH_TENSION. */
enum { SPH_TENSION_AUTOMATIC, SPH_TENSION_CURVATURE, SPH_TENSION_PAPER, SPH_TENSION_AREA };

typedef struct sph_state {
    /* Saved in checkpoints: plain numbers. */
    double saved_sound;   /* speed of sound, m/s; 0 before the first step */
    double saved_motion;  /* that of the liquid, by which its noise grows, m/s: see sph_viscosity_of */
    double saved_started; /* 1 once pressures have been set to start with */
    double least_speed;   /* the largest of gravity and capillary speeds of the scene, m/s, when they were last set */
    double least_motion;  /* likewise, with a part of the depth */
    /* Set at creation. */
    double parameter[SPH_PARAMETER_COUNT];
    int tension_mode; /* which of SPH_TENSION's is used: not `automatic` */
    real s, support;
    real drift;            /* rate at which pressure follows the particles' places, over c, 1/m */
    real kernel, gradient; /* K, G of kernel.h, so that the cubic lattice has density and first moment 1 */
    /* Indices of fields. */
    int pressure, density, is_surface, normal, mean_curvature, tension, share, change, drop, is_candidate, bend,
        allowance, is_front, lasting, hold;
    surface_points surface; /* the surface particles alone, with lists of their own */
    shear_table shear;      /* see shear.c */
    line_table line;        /* of contact lines that a wall holds */
    /* Connected bodies of liquid. */
    bool has_drops;
    int drop_count;
    double travelled; /* at most, while the lists hold, since bodies were told apart, m */
    double listed;    /* when the lists were made, s */
    bool is_implicit; /* pressure, in the step to come */
    bool is_creeping; /* and viscosity with it */
    bool is_full;     /* its box: no liquid saw out in the step before */
} sph_state;

/* The arrays a step works on, by name. */
typedef struct sph_arrays {
    real4 *x, *v;
    real *pressure, *density; /* Pa, kg/m3 */
    uint8_t *is_surface;
    real4 *normal;        /* outward unit normal; w: |S| H */
    real *mean_curvature; /* kappa/2, 1/m, of surface particles */
    real4 *tension;       /* weight x (gamma grad kappa, gamma kappa) of surface particles */
    real4 *change;        /* of velocities, by a pressure that is solved for, m/s */
    real *bend;           /* next to a solid: curvature of the surface up the solid's normal, 1/m */
    int32_t *drop;
    uint8_t *is_candidate; /* in the surface store */
    real *allowance;       /* how far each may go while lists hold, m */
    uint8_t *is_front;     /* in front in lists: what may be surface while they hold */
    real *lasting;         /* what of the pressure lasts, see density.c; Pa */
    int count;
} sph_arrays;
sph_arrays sph_arrays_of(const sph_state *p, const world *w);

static inline int sph_tension_mode(const sph_state *p) { return p->tension_mode; }

enum { SPH_GRAIN = 32 };

/* --- flow.c: one step --- */
double sph_flow_time_step(void *state, world *w);
dew_result sph_flow_step(sph_state *p, world *w, double dt);

#endif
