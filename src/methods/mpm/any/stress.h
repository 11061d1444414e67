/* Stresses of particles and samples, as what they give to the nodes by the slopes of splines (eq. 15, 16 of the paper):
 * -dt V sigma over the mass of a particle, per cell. */
#ifndef METHODS_MPM_ANY_STRESS_H
#define METHODS_MPM_ANY_STRESS_H

#include "methods/mpm/any/fluid.h"

/* Nodes of less mass, in particles', keep their velocity: nothing notices. */
#define LEAST_MASS ((real)1e-20)

/* The columns of a particle's affine part, as records. */
static inline vrow load_affine(const fluid *f, int i)
{
    vquad last = DIM == 3 ? quad_load(&f->a.affine[DIM - 1][i]) : quad_set(0);
    return row_join(quad_load(&f->a.affine[0][i]), quad_load(&f->a.affine[1][i]), last, quad_set(0));
}

/* -dt times the volume over the mass of a particle, per cell of slope. */
static inline real stress_scale(const fluid *f, real strain)
{
    return -f->dt * f->volume * (1 + strain) / (f->mass * f->dx);
}

/* Viscous stress by the affine part, of liquids and of solids (Kelvin, Voigt); 0 where it is implicit. Columns as
 * records, times stress_scale. */
static inline vrow viscous_stress(const fluid *f, int i, real strain, vrow affine)
{
    real mu = f->implicit.viscosity ? 0 : f->a.viscosity ? f->a.viscosity[i] : f->viscosity;
    return row_scale(stress_scale(f, strain) * mu, row_add(affine, row_transpose(affine)));
}

/* Stress of the liquid: viscosity, and pressure by the strain e. */
static inline vrow particle_stress(const fluid *f, int i, real strain, vrow affine)
{
    const vrow unit = row_join((vquad){1, 0, 0, 0}, (vquad){0, 1, 0, 0}, (vquad){0, 0, 1, 0}, quad_set(0));
    return row_madd(viscous_stress(f, i, strain, affine), stress_scale(f, strain) * f->modulus * strain, unit);
}

/* Elastic stress of a solid particle, in the units of viscous_stress. */
vrow elastic_stress(const fluid *f, int i);

static inline bool is_solid_slot(const fluid *f, int i) { return f->points.kind[i] & IS_SOLID; }

/* Stress of a particle whose affine part is known, solid or liquid, in the units of viscous_stress. */
static inline vrow own_stress_by(const fluid *f, int i, real strain, vrow affine)
{
    if (!is_solid_slot(f, i)) return particle_stress(f, i, strain, affine);
    return row_add(elastic_stress(f, i), viscous_stress(f, i, f->a.strain[i], affine));
}

static inline vrow own_stress(const fluid *f, int i, real strain)
{
    return own_stress_by(f, i, strain, load_affine(f, i));
}

/* Mass of a particle, over f->mass. */
static inline real mass_of(const fluid *f, int i)
{
    return f->a.material ? (real)(f->w->materials[f->a.material[i]].density / f->p->density) : 1;
}

/* Stress of a sample, -dt k |a| (I - n n^T), over the mass of a particle, per cell of slope. */
static inline void surface_stress(const fluid *f, real tension, real4 area, real4 out[DIM])
{
    real3 a = real3_of(area);
    real length = real3_length(a), scale = -f->dt * tension / (f->mass * f->dx);
    real inverse = length > 0 ? 1 / length : 0;
    for (int c = 0; c < DIM; c++) {
        real column[4] = {0, 0, 0, 0};
        for (int b = 0; b < DIM; b++) column[b] = -scale * (&a.x)[b] * (&a.x)[c] * inverse;
        column[c] += scale * length;
        out[c] = (real4){column[0], column[1], column[2], 0};
    }
}

/* What a wall gives a sample in a substep, over the mass of a particle. */
static inline real4 pull_of(const fluid *f, real4 pull)
{
    return real4_of(real3_scale(f->dt / f->mass, real3_of(pull)), 0);
}

#endif
