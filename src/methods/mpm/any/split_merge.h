/* Split before the transfer to the grid, merge after it: what a particle's points carry and what becomes of it. */
#ifndef METHODS_MPM_ANY_SPLIT_MERGE_H
#define METHODS_MPM_ANY_SPLIT_MERGE_H

#include "methods/mpm/any/deformation.h"
#include "methods/mpm/any/stress.h"

/* Makes the images of a transfer, copy[0], in the walls near. */
void mirror_copies(const fluid *f, const owner *o, point *copy);

/* The same, and what each mirror adds its wall has given, `times`, to the owner. In a gap the walls face each other:
 * from the sum of what they give nothing could be told of either, and all of a force along a wall that is at rest would
 * be taken for one of the body beside it, which drives it on. `mass`, or NULL, gets the mass of copy c before mirror j
 * at [(1 << j) + c], and after all of them at [(1 << wall_count) + c]. */
void mirror_and_push(const fluid *f, owner *o, real times, point *copy, real *mass);

/* Joins what came back to a transfer with what came back to its images. */
void join_transfer(const fluid *f, const owner *o, int transfer);

/* Adds the momentum p, at x, to what the wall j has given. */
static inline void add_push(owner *o, int j, real times, real4 x, real4 p)
{
    const real3 arm = real3_sub(real3_of(x), real3_of(o->from));
    wall_seen *wall = &o->wall[j];
    wall->push.x += times * p.x, wall->push.y += times * p.y, wall->push.z += times * p.z;
    wall->moment = real3_madd(wall->moment, times, real3_cross(arm, real3_of(p)));
}

/* Adds the angular momentum of columns by axes, sum N p (x_i - x)^T: sum e_a x b_a. */
static inline void add_turned(owner *o, int j, real times, const real4 b[DIM])
{
    for (int a = 0; a < DIM; a++) {
        const real3 axis = {(real)(a == 0), (real)(a == 1), (real)(a == 2)};
        o->wall[j].moment = real3_madd(o->wall[j].moment, times, real3_cross(axis, real3_of(b[a])));
    }
}

/* Adds what a point brings to the grid. Its affine part has the arms' square, 1/4 of a cell's. */
static inline void add_point(owner *o, int j, real times, real dx, const point *p)
{
    add_push(o, j, times, p->x, p->p);
    add_turned(o, j, times * dx / 4, p->b), add_turned(o, j, times * dx, p->f);
}

/* Gives the impulses of the step to the walls that the owners saw. */
void push_walls(int begin, int end, void *context, solid_pushes *to);

/* Splits the particles that own samples or are near walls into points. */
void split_owners(int begin, int end, void *context);

/* By what share volume grows: det(I + dt grad v) - 1. Its square and cubic parts belong to it, since particles do move
 * so: without them what stirs for long shrinks. Implicit pressures have taken the linear part already. */
static inline real volume_growth(const fluid *f, const real4 slope[DIM])
{
    real s = f->dt * f->g.inverse, first = f->implicit.pressure ? 0 : 1;
    real ax = s * slope[0].x, ay = s * slope[0].y, bx = s * slope[1].x, by = s * slope[1].y;
#if DIM == 3
    real az = s * slope[0].z, bz = s * slope[1].z, cx = s * slope[2].x, cy = s * slope[2].y, cz = s * slope[2].z;
    real minor0 = by * cz - bz * cy, minor1 = bz * cx - bx * cz, minor2 = bx * cy - by * cx;
    real second = minor0 + ax * cz - az * cx + ax * by - ay * bx;
    return first * (ax + by + cz) + second + ax * minor0 + ay * minor1 + az * minor2;
#else
    return first * (ax + by) + ax * by - ay * bx;
#endif
}

/* Writes back what a particle got: its velocity and, columns as records, the affine part. */
static inline void move_place(const fluid *f, int i, vquad v, vrow affine)
{
    quad_store(&f->a.v[i], v);
    for (int a = 0; a < DIM; a++) quad_store(&f->a.affine[a][i], row_record(affine, a));
    quad_store(&f->a.x[i], quad_load(&f->a.x[i]) + f->dt * v);
}

/* Strains a particle by the gradient of the velocity, per cell: liquid in volume alone, a solid in shape too. */
static inline void stretch_particle(const fluid *f, int i, const real4 slope[DIM])
{
    if (is_solid_slot(f, i)) {
        vquad gradient[DIM];
        for (int a = 0; a < DIM; a++) gradient[a] = f->dt * f->g.inverse * quad_load(&slope[a]);
        deform(&f->a, i, gradient);
    } else {
        real e = f->a.strain[i];
        f->a.strain[i] = e + (1 + e) * volume_growth(f, slope);
    }
}

/* Merges the points of particles with samples, and moves these with the liquid. */
void merge_owners(int begin, int end, void *context);

#endif
