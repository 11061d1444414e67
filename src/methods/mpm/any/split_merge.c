#include "methods/mpm/any/split_merge.h"

#include "methods/mpm/any/mirror.h"

/* Makes the image of copy c in the wall j; false where it has none. */
static inline bool mirror_copy(const fluid *f, const owner *o, int j, int c, point *copy)
{
    mirror m;
    point *image = &copy[c | 1 << j];
    if (!(copy[c].x.w > 0 && mirror_of(f, o, j, copy[c].x, &m))) {
        image->x = (real4){0, 0, 0, 0};
        return false;
    }
    if (m.is_turning)
        mirror_split_turning(&m, f->dx, &copy[c], image);
    else
        mirror_split(&m, f->dx, &copy[c], image);
    return true;
}

void mirror_copies(const fluid *f, const owner *o, point *copy)
{
    for (int j = 0; j < o->wall_count; j++)
        for (int c = 0; c < 1 << j; c++) mirror_copy(f, o, j, c, copy);
}

void mirror_and_push(const fluid *f, owner *o, real times, point *copy, real *mass)
{
    for (int j = 0; j < o->wall_count; j++)
        for (int c = 0; c < 1 << j; c++) {
            const point before = copy[c];
            if (mass) mass[(1 << j) + c] = before.x.w > 0 ? before.p.w : 0;
            if (!mirror_copy(f, o, j, c, copy)) continue;
            add_point(o, j, -times, f->dx, &before);
            add_point(o, j, times, f->dx, &copy[c]), add_point(o, j, times, f->dx, &copy[c | 1 << j]);
        }
    for (int c = 0; mass && c < 1 << o->wall_count; c++)
        mass[(1 << o->wall_count) + c] = copy[c].x.w > 0 ? copy[c].p.w : 0;
}

/* Joins what came back to copy c with what came back to its image in the wall j; false where it has none. */
static inline bool join_copy(const fluid *f, const owner *o, int j, int c, const point *copy, landed *found)
{
    mirror m;
    if (!(copy[c | 1 << j].x.w > 0 && mirror_of(f, o, j, copy[c].x, &m))) return false;
    if (m.is_turning)
        mirror_join_turning(&m, &found[c], &found[c | 1 << j]);
    else
        mirror_join(&m, &found[c], &found[c | 1 << j]);
    return true;
}

void join_transfer(const fluid *f, const owner *o, int transfer)
{
    const int first = o->first_point + (transfer << o->wall_count);
    for (int j = o->wall_count - 1; j >= 0; j--)
        for (int c = 0; c < 1 << j; c++) join_copy(f, o, j, c, &f->points.list[first], &f->points.found[first]);
}

/* Adds what came back to a point of a mass, with what varies around it, to what the wall j has given. */
static void add_landed(owner *o, int j, real mass, real dx, real4 x, const landed *got)
{
    add_push(o, j, mass, x, got->v);
    add_turned(o, j, mass * dx, got->b);
}

/* join_transfer; what comes back to copies is the grid's momentum, and what becomes of it the particle's: each mirror's
 * wall gives what that makes more. */
static void join_and_push(const fluid *f, owner *o, int transfer)
{
    const int first = o->first_point + (transfer << o->wall_count);
    const point *copy = &f->points.list[first];
    const real *mass = &f->points.mass[2 * (size_t)first];
    landed *found = &f->points.found[first];
    for (int j = o->wall_count - 1; j >= 0; j--)
        for (int c = 0; c < 1 << j; c++) {
            const landed *image = &found[c | 1 << j], before = found[c];
            const real *now = mass + (1 << j), *split = mass + (1 << (j + 1));
            if (!join_copy(f, o, j, c, copy, found)) continue;
            add_landed(o, j, -split[c], f->dx, copy[c].x, &before);
            add_landed(o, j, -split[c | 1 << j], f->dx, copy[c | 1 << j].x, image);
            add_landed(o, j, now[c], f->dx, copy[c].x, &found[c]);
        }
}

void push_walls(int begin, int end, void *context, solid_pushes *to)
{
    const fluid *f = context;
    for (int k = begin; k < end; k++) {
        const owner *o = &f->points.owners[k];
        if (o->edge >= 0) solids_tie(to, o->edge, real3_of(o->from), (double)(f->mass * mass_of(f, o->slot)));
        for (int j = 0; j < MOST_WALLS; j++) {
            const bool is_seen = j < o->wall_count && o->wall[j].seen.w < INFINITY;
            /* Beyond an edge no wall is seen: what its skin was given is the wet solid's. */
            const int solid = is_seen ? o->wall[j].solid : j == 0 ? o->wet : -1;
            if (solid < 0) break;
            solids_push(to, PUSH_WHOLE, solid, real3_of(o->from), real3_scale(-f->mass, real3_of(o->wall[j].push)));
            solids_turn(to, solid, real3_scale(-f->mass, o->wall[j].moment));
        }
    }
}

/* The wall that a sample's solid is; the nearest where it is none. */
static int wall_of_sample(const owner *o, int solid)
{
    for (int j = 0; j < o->wall_count; j++)
        if (o->wall[j].seen.w < INFINITY && o->wall[j].solid == solid) return j;
    return 0;
}

/* A of an owner, columns by cells: its moments sum N v (x_i - x)^T, which `affine` holds over dx^2/4, are those of all
 * its points, D = dx^2/4 + mean (q - x)(q - x)^T; so what velocities vary by is sum N v (x_i - x)^T D^-1. */
static void owner_affine(const fluid *f, const owner *o, real4 out[DIM])
{
    const points *p = &f->points;
    const real twice = 2 * share_of(o, 1) * f->g.inverse * f->g.inverse;
    const real4 x = f->a.x[o->slot];
    real3 xx = {(real)0.25, 0, 0}, yy = {0, (real)0.25, 0}, zz = {0, 0, (real)0.25}; /* rows of D */
    for (int q = 0; q < o->sample_count; q++) {
        real3 d = real3_sub(real3_of(p->sample[o->first_sample + q]), real3_of(x)), t = real3_scale(twice, d);
        if (DIM == 2) d.z = t.z = 0;
        xx = real3_madd(xx, t.x, d), yy = real3_madd(yy, t.y, d), zz = real3_madd(zz, t.z, d);
    }
    real3 c[3] = {real3_cross(yy, zz), real3_cross(zz, xx), real3_cross(xx, yy)};
    const real inverse = f->dx / (4 * real3_dot(xx, c[0]));
    for (int a = 0; a < DIM; a++) {
        vquad sum = quad_set(0);
        for (int b = 0; b < DIM; b++) sum += inverse * (&c[a].x)[b] * quad_load(&f->a.affine[b][o->slot]);
        quad_store(&out[a], sum);
        out[a].w = 0;
    }
}

/* An owner that is left out brings nothing to the grid, and nothing comes back. */
static void leave_out(points *p, const owner *o)
{
    const int end = o->first_point + (transfers_of(o) << o->wall_count);
    for (int q = o->first_point; q < end; q++) {
        p->list[q] = (point){0}, p->found[q] = (landed){0};
        if (o->wall_count) p->mass[2 * q] = p->mass[2 * q + 1] = 0;
    }
}

void split_owners(int begin, int end, void *context)
{
    fluid *f = context;
    points *p = &f->points;
    for (int k = begin; k < end; k++) {
        owner *o = &p->owners[k];
        int i = o->slot, n = o->sample_count, shift = o->wall_count;
        if (p->kind[i] & IS_LEFT_OUT) {
            leave_out(p, o);
            continue;
        }
        real mass = mass_of(f, i), share = share_of(o, 0) * mass, less = share_of(o, 1) * mass;
        real4 x = f->a.x[i], affine[DIM];
        point first = {.x = {x.x, x.y, x.z, 1}};
        int32_t cube = grid_cube(&f->g, real3_of(x));
        owner_affine(f, o, affine);
        const vquad last = DIM == 3 ? quad_load(&affine[DIM - 1]) : quad_set(0);
        const vrow by_cell = row_join(quad_load(&affine[0]), quad_load(&affine[1]), last, quad_set(0));
        vrow stress = own_stress_by(f, i, cube < 0 ? 0 : f->strain[cube], row_scale(f->g.inverse, by_cell));
        vquad v = quad_load(&f->a.v[i]) + quad_load(&f->kick);
        quad_store(&first.p, share * v);
        for (int a = 0; a < DIM; a++) quad_store(&first.b[a], share * quad_load(&affine[a]));
        point other = first;
        for (int a = 0; a < DIM; a++) quad_store(&other.b[a], less * quad_load(&affine[a]));
        for (int a = 0; a < DIM; a++) quad_store(&first.f[a], row_record(stress, a));
        point *list = &p->list[o->first_point];
        list[0] = first;
        for (int q = 0; q < n; q++) {
            real4 s = p->sample[o->first_sample + q];
            point *surface = &list[(1 + q) << shift], *balance = &list[(1 + n + q) << shift];
            vquad change = quad_set(0);
            for (int a = 0; a < DIM; a++)
                change += less * f->g.inverse * ((&s.x)[a] - (&x.x)[a]) * quad_load(&affine[a]);
            *surface = *balance = other;
            surface->x = (real4){s.x, s.y, s.z, 1};
            quad_store(&surface->p, less * v + change), quad_store(&balance->p, less * v - change);
            surface_stress(f, s.w, p->area[o->first_sample + q], surface->f);
            const real4 pull = pull_of(f, p->pull[o->first_sample + q]);
            quad_store(&surface->p, quad_load(&surface->p) + quad_load(&pull));
            add_push(o, wall_of_sample(o, p->pulled_by[o->first_sample + q]), 1, surface->x, pull);
            balance->x = (real4){2 * x.x - s.x, 2 * x.y - s.y, 2 * x.z - s.z, 1};
        }
        if (!shift) continue;
        for (int q = 0; q < transfers_of(o); q++)
            mirror_and_push(f, o, 1, &list[q << shift], &p->mass[2 * (o->first_point + (q << shift))]);
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

void merge_owners(int begin, int end, void *context)
{
    fluid *f = context;
    points *p = &f->points;
    for (int k = begin; k < end; k++) {
        owner *o = &p->owners[k];
        int i = o->slot, count = transfers_of(o), shift = o->wall_count;
        real4 v = {0, 0, 0, 0}, b[DIM] = {{0}}, x = f->a.x[i];
        for (int q = 0; q < count; q++) {
            const real share = share_of(o, q);
            if (shift) join_and_push(f, o, q);
            const landed *got = &p->found[o->first_point + (q << shift)];
            real4 at = p->list[o->first_point + (q << shift)].x;
            v.x += share * got->v.x, v.y += share * got->v.y, v.z += share * got->v.z;
            for (int a = 0; a < DIM; a++) { /* the arm from the particle, in cells */
                real arm = ((&at.x)[a] - (&x.x)[a]) * f->g.inverse;
                b[a].x += share * (got->b[a].x + arm * got->v.x);
                b[a].y += share * (got->b[a].y + arm * got->v.y);
                b[a].z += share * (got->b[a].z + arm * got->v.z);
            }
        }
        for (int q = 0; q < o->sample_count; q++) {
            const landed *got = &p->found[o->first_point + ((1 + q) << shift)];
            real4 *s = &p->sample[o->first_sample + q], *area = &p->area[o->first_sample + q];
            s->x += f->dt * got->v.x, s->y += f->dt * got->v.y, s->z += f->dt * got->v.z;
            /* What wets has an energy below 0, whose force draws it out: an area that grew by that would pull the more,
             * until the next contour. */
            if (p->lies_on[o->first_sample + q] < 0) *area = carry_area(f, *area, got->g);
        }
        const vquad xyz = {1, 1, 1, 0};
        const real4 *slope = p->found[o->first_point].g;
        vquad affine[3] = {{0}};
        for (int a = 0; a < DIM; a++) affine[a] = 4 * f->g.inverse * xyz * quad_load(&b[a]);
        move_place(f, i, xyz * quad_load(&v), row_join(affine[0], affine[1], affine[2], quad_set(0)));
        stretch_particle(f, i, slope);
    }
}
