/* A step: sort, contour, samples; then substeps, each of them
 *
 *   1. mean strain of each cell (F-bar: one pressure a cell, so that no particle's strain strays from its neighbours')
 *   2. points: mass and momentum split (points.h)
 *   3. particles and points to the grid, with the momentum that their stress gives: -dt V sigma grad N (eq. 16)
 *   4. velocities of the nodes, gravity
 *   5. grid to particles and points; merge; x, J, and the samples move
 *
 * Surface energy k |a|: a sample's stress is k |a| (I - n n^T), the first variation of k |cof(F) a| at F = I. */
#ifndef METHODS_MPM_ANY_STEP_H
#define METHODS_MPM_ANY_STEP_H

#include "methods/mpm/any/points.h"

typedef struct mean {
    real sum, count;
} mean;

typedef struct flow {
    mpm_state *p;
    world *w;
    mpm_arrays a;
    grid g;
    real4 *node;
    mean *mean_strain;    /* of each cell */
    uint8_t *has_strayed; /* for each block: particles have left the tile's reach */
    points points;
    real dt, dx;
    real rho, modulus, viscosity, volume; /* kg/m3, Pa, Pa s, m^DIM at rest */
    real mass;                            /* kg, of a particle */
    real4 gravity;
} flow;

/* --- the mean strain of cells --- */

static void stretch_load_mean(void *tile, void *nodes, int in_tile, size_t in_grid, int count)
{
    memcpy((mean *)tile + in_tile, (const mean *)nodes + in_grid, (size_t)count * sizeof(mean));
}

static void stretch_add_mean(void *tile, void *nodes, int in_tile, size_t in_grid, int count)
{
    mean *to = (mean *)nodes + in_grid;
    const mean *from = (const mean *)tile + in_tile;
    for (int k = 0; k < count; k++) to[k].sum += from[k].sum, to[k].count += from[k].count;
}

/* The cell of a point in the tile around the block at p. */
static inline int tile_cell(real4 x, real inverse, const block_place *p)
{
    int at = 0;
    for (int a = 0; a < DIM; a++) {
        int k = cell_of((&x.x)[a], inverse) - SIDE * p->at[a] + HALO;
        at = at * TILE_SIDE + (k < 0 ? 0 : k >= TILE_SIDE ? TILE_SIDE - 1 : k);
    }
    return at;
}

static void add_strains(int block, void *context)
{
    flow *f = context;
    if (block >= f->g.home_count) return;
    int begin = f->g.particle_begin[block * CELLS], end = f->g.particle_begin[(block + 1) * CELLS];
    if (begin == end) return;
    mean tile[TILE];
    memset(tile, 0, sizeof tile);
    for (int i = begin; i < end; i++) {
        mean *m = &tile[tile_cell(f->a.x[i], f->g.inverse, &f->g.block[block])];
        m->sum += f->a.strain[i], m->count += 1;
    }
    tile_each(&f->g, block, tile, f->mean_strain, stretch_add_mean);
}

static inline real mean_of(const mean *m) { return m->count > 0 ? m->sum / m->count : 0; }

/* --- to the grid --- */

/* Stress of the liquid times volume over the mass of a particle: pressure by the strain e, viscosity by the affine
 * part. Columns, per cell of slope, times -dt. */
static inline void particle_stress(const flow *f, real strain, const real4 affine[DIM], real4 out[DIM])
{
    real scale = -f->dt * f->volume * (1 + strain) / (f->mass * f->dx), pressure = f->modulus * strain;
    for (int a = 0; a < DIM; a++) {
        real column[4] = {0, 0, 0, 0};
        for (int b = 0; b < DIM; b++) column[b] = scale * f->viscosity * ((&affine[a].x)[b] + (&affine[b].x)[a]);
        column[a] += scale * pressure;
        out[a] = (real4){column[0], column[1], column[2], 0};
    }
}

static inline void scaled_affine(const flow *f, const real4 affine[DIM], real scale, real4 out[DIM])
{
    (void)f;
    for (int a = 0; a < DIM; a++) out[a] = (real4){scale * affine[a].x, scale * affine[a].y, scale * affine[a].z, 0};
}

static inline void load_affine(const flow *f, int i, real4 affine[DIM])
{
    for (int a = 0; a < DIM; a++) affine[a] = f->a.affine[a][i];
}

static void to_grid(int block, void *context)
{
    flow *f = context;
    const grid *g = &f->g;
    const points *p = &f->points;
    const block_place *at = &g->block[block];
    int begin = 0, end = 0, first = p->block_begin[block], last = p->block_begin[block + 1];
    if (block < g->home_count) {
        begin = g->particle_begin[block * CELLS], end = g->particle_begin[(block + 1) * CELLS];
    }
    if (begin == end && first == last) return;
    real4 tile[TILE_ROOM];
    mean strains[TILE];
    tile_clear(tile);
    if (begin < end) tile_each(g, block, strains, f->mean_strain, stretch_load_mean);
    stencil s;
    for (int i = begin; i < end; i++) {
        f->a.strain[i] = mean_of(&strains[tile_cell(f->a.x[i], g->inverse, at)]);
        if (p->is_owner[i]) continue;
        real4 affine[DIM], b[DIM], stress[DIM], v = f->a.v[i];
        load_affine(f, i, affine);
        particle_stress(f, f->a.strain[i], affine, stress);
        scaled_affine(f, affine, f->dx, b);
        stencil_of(&s, f->a.x[i], g->inverse, at);
        deposit(tile, &s, (real4){v.x, v.y, v.z, 1}, b, stress);
    }
    for (int k = first; k < last; k++) {
        const point *q = &p->list[p->order[k]];
        stencil_of(&s, q->x, g->inverse, at);
        deposit(tile, &s, q->p, q->b, q->f);
    }
    tile_each(g, block, tile, f->node, stretch_add);
}

/* --- points --- */

/* -dt k |a| (I - n n^T) over the mass of a particle, per cell of slope. */
static inline void surface_stress(const flow *f, real tension, real4 area, real4 out[DIM])
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

/* Splits the particles that own samples. The strain of their cells is that of the last substep's end: theirs is set
 * when the block is transferred, so it is asked for here. */
static void split(int begin, int end, void *context)
{
    flow *f = context;
    points *p = &f->points;
    for (int k = begin; k < end; k++) {
        const owner *o = &p->owners[k];
        int i = o->slot;
        real share = 1 / (real)(2 * o->sample_count + 1);
        real4 affine[DIM], v = f->a.v[i], x = f->a.x[i];
        load_affine(f, i, affine);
        point first = {.x = x, .p = {share * v.x, share * v.y, share * v.z, share}}, other = first;
        scaled_affine(f, affine, share * f->dx, first.b);
        memcpy(other.b, first.b, sizeof other.b);
        block_place block = block_of_point(&f->g, &x);
        int32_t home = grid_find(&f->g, &block);
        int cell = 0;
        for (int a = 0; a < DIM; a++) cell = cell * SIDE + (cell_of((&x.x)[a], f->g.inverse) & (SIDE - 1));
        real strain = home < 0 ? f->a.strain[i] : mean_of(&f->mean_strain[(size_t)home * CELLS + (size_t)cell]);
        particle_stress(f, strain, affine, first.f);
        p->list[o->first_point] = first;
        for (int q = 0; q < o->sample_count; q++) {
            real4 sample = p->sample[o->first_sample + q];
            point *surface = &p->list[o->first_point + 1 + q], *balance = surface + o->sample_count;
            *surface = *balance = other;
            surface->x = sample;
            surface_stress(f, sample.w, p->area[o->first_sample + q], surface->f);
            balance->x = balance_of(x, sample);
        }
    }
}

/* --- the nodes --- */

static void move_nodes(int begin, int end, void *context)
{
    flow *f = context;
    real4 kick = {f->dt * f->gravity.x, f->dt * f->gravity.y, f->dt * f->gravity.z, 0};
    for (int k = begin; k < end; k++) {
        real4 n = f->node[k];
        real inverse = n.w > 0 ? 1 / n.w : 0;
        n.x = n.x * inverse + kick.x, n.y = n.y * inverse + kick.y, n.z = n.z * inverse + kick.z;
        f->node[k] = n;
    }
}

/* --- from the grid --- */

static inline real divergence(const flow *f, const gathered *q)
{
    real sum = 0;
    for (int a = 0; a < DIM; a++) sum += (&q->g[a].x)[a];
    return sum * f->g.inverse;
}

/* Whether a particle is still where the tile of its block serves it. */
static inline bool is_served(const flow *f, int block, real4 x)
{
    bool is_inside = true;
    for (int a = 0; a < DIM; a++) {
        int k = cell_of((&x.x)[a], f->g.inverse) - SIDE * f->g.block[block].at[a];
        is_inside = is_inside && k >= 1 - HALO && k <= SIDE - 2 + HALO;
    }
    return is_inside;
}

/* Writes back what a particle got: b per cell of arm. */
static inline void move_particle(const flow *f, int i, real4 v, const real4 b[DIM], real div)
{
    real scale = 4 * f->g.inverse;
    real4 *x = &f->a.x[i];
    f->a.v[i] = (real4){v.x, v.y, v.z, 0};
    for (int a = 0; a < DIM; a++) f->a.affine[a][i] = (real4){scale * b[a].x, scale * b[a].y, scale * b[a].z, 0};
    x->x += f->dt * v.x, x->y += f->dt * v.y, x->z += f->dt * v.z;
    real e = f->a.strain[i];
    f->a.strain[i] = e + (1 + e) * f->dt * div;
}

static void from_grid(int block, void *context)
{
    flow *f = context;
    const grid *g = &f->g;
    const points *p = &f->points;
    const block_place *at = &g->block[block];
    int begin = 0, end = 0, first = p->block_begin[block], last = p->block_begin[block + 1];
    if (block < g->home_count) {
        begin = g->particle_begin[block * CELLS], end = g->particle_begin[(block + 1) * CELLS];
    }
    f->has_strayed[block] = 0;
    if (begin == end && first == last) return;
    real4 tile[TILE_ROOM];
    tile_clear(tile);
    tile_each(g, block, tile, f->node, stretch_load);
    stencil s;
    gathered q;
    bool is_served_all = true;
    for (int i = begin; i < end; i++) {
        if (p->is_owner[i]) continue;
        stencil_of(&s, f->a.x[i], g->inverse, at);
        gather(tile, &s, &q);
        move_particle(f, i, q.v, q.b, divergence(f, &q));
        is_served_all = is_served_all && is_served(f, block, f->a.x[i]);
    }
    f->has_strayed[block] = !is_served_all;
    for (int k = first; k < last; k++) {
        int n = p->order[k];
        stencil_of(&s, p->list[n].x, g->inverse, at);
        gather(tile, &s, &p->found[n]);
    }
}

/* a <- cof(I + dt grad v) a. Column c of grad v: dv/dx_c. */
static real4 carry_area(const flow *f, real4 area, const real4 slope[DIM])
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
    flow *f = context;
    points *p = &f->points;
    for (int k = begin; k < end; k++) {
        const owner *o = &p->owners[k];
        int i = o->slot, count = 2 * o->sample_count + 1;
        real share = 1 / (real)count;
        real4 v = {0, 0, 0, 0}, b[DIM] = {{0}}, x = f->a.x[i];
        for (int q = 0; q < count; q++) {
            const gathered *got = &p->found[o->first_point + q];
            real4 at = p->list[o->first_point + q].x;
            v.x += got->v.x, v.y += got->v.y, v.z += got->v.z;
            for (int a = 0; a < DIM; a++) { /* the arm from the particle, in cells */
                real arm = ((&at.x)[a] - (&x.x)[a]) * f->g.inverse;
                b[a].x += got->b[a].x + arm * got->v.x;
                b[a].y += got->b[a].y + arm * got->v.y;
                b[a].z += got->b[a].z + arm * got->v.z;
            }
        }
        for (int q = 0; q < o->sample_count; q++) {
            const gathered *got = &p->found[o->first_point + 1 + q];
            real4 *s = &p->sample[o->first_sample + q], *area = &p->area[o->first_sample + q];
            s->x += f->dt * got->v.x, s->y += f->dt * got->v.y, s->z += f->dt * got->v.z;
            *area = carry_area(f, *area, got->g);
        }
        for (int a = 0; a < DIM; a++) b[a].x *= share, b[a].y *= share, b[a].z *= share;
        move_particle(f, i, (real4){share * v.x, share * v.y, share * v.z, 0}, b,
                      divergence(f, &p->found[o->first_point]));
    }
}

/* --- the step --- */

static dew_result make_room(flow *f)
{
    size_t nodes = (size_t)f->g.block_count * CELLS;
    arena *memory = f->g.memory;
    f->node = arena_alloc(memory, (nodes + 4) * sizeof *f->node);
    f->mean_strain = arena_alloc(memory, (nodes + 4) * sizeof *f->mean_strain);
    f->has_strayed = arena_alloc(memory, (size_t)f->g.block_count);
    if (!f->node || !f->mean_strain || !f->has_strayed) return result_fail(DEW_NO_MEMORY, "no memory for the grid");
    return DEW_OK;
}

/* Particles that own samples may stray too. */
static bool has_strayed(const flow *f)
{
    for (int b = 0; b < f->g.block_count; b++)
        if (f->has_strayed[b]) return true;
    for (int b = 0, k = 0; b < f->g.home_count; b++) {
        int end = f->g.particle_begin[(b + 1) * CELLS];
        for (; k < f->points.owner_count && f->points.owners[k].slot < end; k++)
            if (!is_served(f, b, f->a.x[f->points.owners[k].slot])) return true;
    }
    return false;
}

/* Particles in new order: the owners of samples with them. */
static dew_result sort_again(flow *f)
{
    particles *s = f->w->particles;
    int32_t *order;
    RESULT_TRY(grid_make(&f->g, s, f->p->dx, 1, f->g.memory, &order));
    f->a = mpm_arrays_of(f->p, f->w);
    points *p = &f->points;
    int32_t *now = arena_alloc(f->g.memory, ((size_t)s->count + 1) * sizeof *now);
    if (!now) return result_fail(DEW_NO_MEMORY, "no memory to sort %d particles", s->count);
    for (int k = 0; k < s->count; k++) now[order[k]] = k;
    memset(p->is_owner, 0, (size_t)s->count);
    for (int k = 0; k < p->owner_count; k++) {
        p->owners[k].slot = now[p->owners[k].slot];
        p->is_owner[p->owners[k].slot] = 1;
    }
    /* In the order of slots again (few are out of it). */
    for (int k = 1; k < p->owner_count; k++) {
        owner moved = p->owners[k];
        int j = k;
        for (; j > 0 && p->owners[j - 1].slot > moved.slot; j--) p->owners[j] = p->owners[j - 1];
        p->owners[j] = moved;
    }
    return make_room(f);
}

static dew_result substep(flow *f)
{
    const grid *g = &f->g;
    size_t nodes = (size_t)g->block_count * CELLS;
    memset(f->node, 0, nodes * sizeof *f->node);
    memset(f->mean_strain, 0, nodes * sizeof *f->mean_strain);
    size_t mark = arena_mark(g->memory);
    each_colour(g, add_strains, f);
    parallel_for(f->points.owner_count, 32, split, f);
    RESULT_TRY(points_sort(g, &f->points));
    each_colour(g, to_grid, f);
    parallel_for((int)nodes, 2048, move_nodes, f);
    each_block(g, from_grid, f);
    parallel_for(f->points.owner_count, 32, merge, f);
    arena_release(g->memory, mark);
    return DEW_OK;
}

static void write_pressures(int begin, int end, void *context)
{
    flow *f = context;
    for (int i = begin; i < end; i++) f->a.pressure[i] = -f->modulus * f->a.strain[i];
}

static void sum_strain(int begin, int end, void *context, double *sums)
{
    const real *strain = context;
    for (int i = begin; i < end; i++) sums[0] += (double)strain[i];
}

/* m^3 (2D: m^2) */
static double liquid_volume(const flow *f)
{
    double strain;
    parallel_sum(f->a.count, 1, sum_strain, f->a.strain, &strain);
    return (double)f->volume * (f->a.count + strain);
}

static dew_result step(mpm_state *p, world *w, double dt, int substeps)
{
    const material *m = &w->materials[0];
    flow f = {.p = p, .w = w};
    int32_t *order;
    RESULT_TRY(grid_make(&f.g, w->particles, p->dx, 1, w->scratch, &order));
    f.a = mpm_arrays_of(p, w);
    f.dt = (real)(dt / substeps), f.dx = (real)p->dx;
    f.rho = (real)m->density, f.viscosity = (real)m->viscosity;
    f.modulus = (real)(m->density * p->saved_sound * p->saved_sound);
    f.volume = (real)pow(w->spacing, DIM), f.mass = (real)m->particle_mass;
    f.gravity = (real4){(real)w->gravity.x, (real)w->gravity.y, (real)w->gravity.z, 0};
    contour c;
    samples s;
    RESULT_TRY(contour_make(&f.g, f.a.x, w->spacing, liquid_volume(&f), &c));
    contour_measure(&c, &p->area, &p->volume);
    RESULT_TRY(samples_make(&f.g, &c, f.a.x, (real)m->surface_tension, &s));
    RESULT_TRY(points_make(&f.g, &s, f.a.count, &f.points));
    RESULT_TRY(make_room(&f));
    for (int k = 0; k < substeps; k++) {
        RESULT_TRY(substep(&f));
        if (k + 1 < substeps && has_strayed(&f)) RESULT_TRY(sort_again(&f));
    }
    parallel_for(f.a.count, 4096, write_pressures, &f);
    return DEW_OK;
}

const mpm_dimension MPM_DIMENSION = {.step = step};

#endif
