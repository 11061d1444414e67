/* Split before the transfer to the grid, merge after it: what a particle's points carry and what becomes of it. */
#ifndef METHODS_MPM_ANY_SPLIT_H
#define METHODS_MPM_ANY_SPLIT_H

#include "methods/mpm/any/solid.h"
#include "methods/mpm/any/walls.h"

/* Nodes of less mass, in particles', keep their velocity: nothing notices. */
#define LEAST_MASS ((real)1e-20)

/* The columns of a particle's affine part, as records. */
static inline vrow load_affine(const fluid *f, int i)
{
    vquad last = DIM == 3 ? quad_load(&f->a.affine[DIM - 1][i]) : quad_set(0);
    return row_join(quad_load(&f->a.affine[0][i]), quad_load(&f->a.affine[1][i]), last, quad_set(0));
}

/* Stress of the liquid times volume over the mass of a particle: pressure by the strain e, viscosity by the affine
 * part. Columns as records, per cell of slope, times -dt. */
static inline vrow particle_stress(const fluid *f, int i, real strain)
{
    vrow affine = load_affine(f, i);
    const vrow unit = row_join((vquad){1, 0, 0, 0}, (vquad){0, 1, 0, 0}, (vquad){0, 0, 1, 0}, quad_set(0));
    real scale = -f->dt * f->volume * (1 + strain) / (f->mass * f->dx);
    real mu = f->implicit.viscosity ? 0 : f->a.viscosity ? f->a.viscosity[i] : f->viscosity;
    vrow viscous = row_scale(scale * mu, row_add(affine, row_transpose(affine)));
    return row_madd(viscous, scale * f->modulus * strain, unit);
}

/* Stress of a solid particle, in the units of particle_stress. */
static vrow elastic_stress(const fluid *f, int i)
{
    matrix tau;
    vquad out[3] = {{0}};
    double scale = -(double)f->dt * (double)f->volume / ((double)f->mass * (double)f->dx);
    solid_stress(&f->elastic[material_of(&f->a, i)], &f->a, i, tau);
    for (int c = 0; c < DIM; c++)
        for (int r = 0; r < DIM; r++) out[c][r] = (real)(scale * tau[r][c]);
    return row_join(out[0], out[1], out[2], quad_set(0));
}

static inline bool is_solid_slot(const fluid *f, int i) { return f->points.kind[i] & IS_SOLID; }

/* Stress of a particle, solid or liquid, in the units of particle_stress. */
static inline vrow own_stress(const fluid *f, int i, real strain)
{
    return is_solid_slot(f, i) ? elastic_stress(f, i) : particle_stress(f, i, strain);
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

/* Makes the images of a transfer, copy[0], in the walls near. */
static void mirror_copies(const fluid *f, const owner *o, point *copy)
{
    for (int j = 0; j < o->wall_count; j++)
        for (int c = 0; c < 1 << j; c++) {
            mirror m;
            point *image = &copy[c | 1 << j];
            if (!(copy[c].x.w > 0 && mirror_of(f, o, j, copy[c].x, &m)))
                image->x = (real4){0, 0, 0, 0};
            else if (m.is_turning)
                mirror_split_turning(&m, f->dx, &copy[c], image);
            else
                mirror_split(&m, f->dx, &copy[c], image);
        }
}

/* Joins what came back to a transfer with what came back to its images. */
static void join_transfer(const fluid *f, const owner *o, int transfer)
{
    int first = o->first_point + (transfer << o->wall_count);
    const point *copy = &f->points.list[first];
    landed *found = &f->points.found[first];
    for (int j = o->wall_count - 1; j >= 0; j--)
        for (int c = 0; c < 1 << j; c++) {
            mirror m;
            if (!(copy[c | 1 << j].x.w > 0 && mirror_of(f, o, j, copy[c].x, &m))) continue;
            if (m.is_turning)
                mirror_join_turning(&m, &found[c], &found[c | 1 << j]);
            else
                mirror_join(&m, &found[c], &found[c | 1 << j]);
        }
}

/* --- what walls give --- */

static inline void add_push(owner *o, real times, real4 p)
{
    o->push.x += times * p.x, o->push.y += times * p.y, o->push.z += times * p.z;
}

/* What the copies of a transfer bring to the grid comes from the walls, less what the transfer itself has; gravity's
 * part included. */
static void push_copies(const points *p, owner *o, int first, real times)
{
    for (int c = first; c < first + (1 << o->wall_count); c++) {
        if (p->list[c].x.w > 0) add_push(o, times, p->list[c].p);
        if (times > 0) p->mass[c] = p->list[c].x.w > 0 ? p->list[c].p.w : 0;
    }
}

/* What comes back to copies is the grid's momentum, and what becomes of it the particle's: the walls give the rest. */
static void push_landed(const points *p, owner *o, int first)
{
    for (int c = first; c < first + (1 << o->wall_count); c++)
        if (p->mass[c] > 0) add_push(o, -p->mass[c], p->found[c].v);
}

/* Gives the impulses of the step to the walls that the owners saw. */
static void push_walls(int begin, int end, void *context, solid_pushes *to)
{
    const fluid *f = context;
    for (int k = begin; k < end; k++) {
        const owner *o = &f->points.owners[k];
        int32_t solid[MOST_WALLS];
        real4 seen[MOST_WALLS];
        int count = 0;
        for (; count < o->wall_count && o->wall[count].seen.w < INFINITY; count++)
            solid[count] = o->wall[count].solid, seen[count] = o->wall[count].seen;
        if (count == 0) continue;
        solids_push_together(to, PUSH_WHOLE, count, solid, seen, real3_of(f->a.x[o->slot]),
                             real3_scale(-f->mass, real3_of(o->push)));
    }
}

/* Splits the particles that own samples or are near walls into points. */
static void split(int begin, int end, void *context)
{
    fluid *f = context;
    points *p = &f->points;
    for (int k = begin; k < end; k++) {
        owner *o = &p->owners[k];
        int i = o->slot, n = o->sample_count, shift = o->wall_count;
        real share = mass_of(f, i) / (real)(2 * n + 1);
        real4 x = f->a.x[i];
        point first = {.x = {x.x, x.y, x.z, 1}};
        int32_t cube = grid_cube(&f->g, real3_of(x));
        vrow affine = load_affine(f, i), stress = own_stress(f, i, cube < 0 ? 0 : f->strain[cube]);
        quad_store(&first.p, share * (quad_load(&f->a.v[i]) + quad_load(&f->kick)));
        for (int a = 0; a < DIM; a++) quad_store(&first.b[a], share * f->dx * row_record(affine, a));
        point other = first;
        for (int a = 0; a < DIM; a++) quad_store(&first.f[a], row_record(stress, a));
        point *list = &p->list[o->first_point];
        list[0] = first;
        for (int q = 0; q < n; q++) {
            real4 s = p->sample[o->first_sample + q];
            point *surface = &list[(1 + q) << shift], *balance = &list[(1 + n + q) << shift];
            *surface = *balance = other;
            surface->x = (real4){s.x, s.y, s.z, 1};
            surface_stress(f, s.w, p->area[o->first_sample + q], surface->f);
            balance->x = (real4){2 * x.x - s.x, 2 * x.y - s.y, 2 * x.z - s.z, 1};
        }
        if (!shift) continue;
        for (int q = 0; q < transfers_of(o); q++) {
            mirror_copies(f, o, &list[q << shift]);
            add_push(o, -1, first.p), push_copies(p, o, o->first_point + (q << shift), 1);
        }
    }
}

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

/* a <- cof(I + dt grad v) a. Column c of grad v: dv/dx_c. */
static real4 carry_area(const fluid *f, real4 area, const real4 slope[DIM])
{
    real s = f->dt * f->g.inverse;
#if DIM == 3
    real3 c0 = {1 + s * slope[0].x, s * slope[0].y, s * slope[0].z};
    real3 c1 = {s * slope[1].x, 1 + s * slope[1].y, s * slope[1].z};
    real3 c2 = {s * slope[2].x, s * slope[2].y, 1 + s * slope[2].z};
    real3 a = real3_scale(area.x, real3_cross(c1, c2));
    a = real3_madd(real3_madd(a, area.y, real3_cross(c2, c0)), area.z, real3_cross(c0, c1));
    return (real4){a.x, a.y, a.z, 0};
#else
    return (real4){(1 + s * slope[1].y) * area.x - s * slope[0].y * area.y,
                   (1 + s * slope[0].x) * area.y - s * slope[1].x * area.x, 0, 0};
#endif
}

/* Merges the points of particles with samples, and moves these with the liquid. */
static void merge(int begin, int end, void *context)
{
    fluid *f = context;
    points *p = &f->points;
    for (int k = begin; k < end; k++) {
        owner *o = &p->owners[k];
        int i = o->slot, count = transfers_of(o), shift = o->wall_count;
        real share = 1 / (real)count;
        real4 v = {0, 0, 0, 0}, b[DIM] = {{0}}, x = f->a.x[i];
        for (int q = 0; q < count; q++) {
            if (shift) {
                int at = o->first_point + (q << shift);
                push_landed(p, o, at);
                join_transfer(f, o, q);
                add_push(o, share * mass_of(f, i), p->found[at].v);
            }
            const landed *got = &p->found[o->first_point + (q << shift)];
            real4 at = p->list[o->first_point + (q << shift)].x;
            v.x += got->v.x, v.y += got->v.y, v.z += got->v.z;
            for (int a = 0; a < DIM; a++) { /* the arm from the particle, in cells */
                real arm = ((&at.x)[a] - (&x.x)[a]) * f->g.inverse;
                b[a].x += got->b[a].x + arm * got->v.x;
                b[a].y += got->b[a].y + arm * got->v.y;
                b[a].z += got->b[a].z + arm * got->v.z;
            }
        }
        for (int q = 0; q < o->sample_count; q++) {
            const landed *got = &p->found[o->first_point + ((1 + q) << shift)];
            real4 *s = &p->sample[o->first_sample + q], *area = &p->area[o->first_sample + q];
            s->x += f->dt * got->v.x, s->y += f->dt * got->v.y, s->z += f->dt * got->v.z;
            *area = carry_area(f, *area, got->g);
        }
        const vquad xyz = {1, 1, 1, 0};
        const real4 *slope = p->found[o->first_point].g;
        vquad affine[3] = {{0}};
        for (int a = 0; a < DIM; a++) affine[a] = 4 * f->g.inverse * share * xyz * quad_load(&b[a]);
        move_place(f, i, share * xyz * quad_load(&v), row_join(affine[0], affine[1], affine[2], quad_set(0)));
        stretch_particle(f, i, slope);
    }
}

#endif
