/* Density: strains follow the flow, not the places of particles, and what they miss adds up: a column at rest would
 * sink while every strain says that nothing is compressed. So once a step strains are lowered a little where the nodes
 * have more mass than liquid of that strain gives them, and raised where they have less; pressure does the rest.
 *
 * What a node should have is known away from the free surface: all of its cell, or next to walls what their mirrors
 * leave (walls.h), for liquid behind a plane the blend smoothed by the spline. So that of the mirror is exact there and
 * good where a wall is bent, and of several walls it is the product.
 *
 * An emitter moves its last layer on whatever the method does to it. How far that is beyond the motion of the liquid
 * there, no strain has followed: where it is full of liquid the layer was pushed into it, and strains fall by its
 * volume. */
#ifndef METHODS_MPM_ANY_DENSITY_H
#define METHODS_MPM_ANY_DENSITY_H

#include "methods/mpm/any/depth.h"
#include "methods/mpm/any/split.h"

/* The share of a node's excess that a step gives back. A column sinks by 16 % in 2000 steps with 0, by below 1 % with
 * 0.02 to 0.1. */
#define DENSITY_RATE ((real)0.05)

/* More than this, over the density at rest, is not believed; nor is a mean over nodes that have less than this. */
#define MOST_EXCESS ((real)0.2)
#define LEAST_SHARE ((real)0.1)

/* Half the width of the spline, cells. */
#define SPLINE_REACH ((real)1.5)

enum { SHARES = 64, SHARE_STEPS = 24 };

typedef struct density_work {
    fluid *f;
    real full;               /* mass of a full node, in particles */
    real *excess, *share;    /* of each node, over a full one's mass: what it has too much, what it should have */
    real *mass, *count;      /* of the particles around each node, by the spline; NULL where all have one mass */
    real shares[SHARES + 2]; /* behind a plane, by its distance: see share_at */
} density_work;

/* --- what a node should have --- */

static void find_shares(density_work *w)
{
    const real reach = MIRROR_WIDTH + SPLINE_REACH, width = 2 * SPLINE_REACH / SHARE_STEPS;
    for (int k = 0; k < SHARES + 2; k++) {
        real s = reach * (2 * (real)k / SHARES - 1), sum = 0;
        for (int q = 0; q < SHARE_STEPS; q++) {
            real u = width * ((real)q + (real)0.5) - SPLINE_REACH, off = SPLINE_REACH - (u < 0 ? -u : u);
            real n = off > 1 ? (real)0.75 - u * u : (real)0.5 * off * off;
            sum += n * mirror_alpha(s + u) * width;
        }
        w->shares[k] = sum;
    }
}

/* What a node should have at a distance s from a wall, in cells. */
static real share_at(const density_work *w, real s)
{
    const real reach = MIRROR_WIDTH + SPLINE_REACH;
    if (s >= reach) return 1;
    real at = (s > -reach ? s + reach : 0) * (SHARES / (2 * reach));
    int k = (int)at;
    return w->shares[k] + (at - (real)k) * (w->shares[k + 1] - w->shares[k]);
}

/* What walls leave of each of `count` points, CELLS at most, over a full grid. */
static void find_shares_of(const density_work *w, int count, const real4 *x, real *share)
{
    const fluid *f = w->f;
    const double reach = (double)(MIRROR_WIDTH + SPLINE_REACH) * f->p->dx;
    real4 seen[CELLS];
    for (int n = 0; n < count; n++) share[n] = 1;
    for (int s = 0; s < solids_count(f->w->solids) && count > 0; s++) {
        solids_distance(f->w->solids, s, reach, count, x, seen);
        for (int n = 0; n < count; n++)
            if (seen[n].w < (real)reach) share[n] *= share_at(w, seen[n].w / f->dx);
    }
}

static void add_masses(int block, void *context)
{
    const density_work *w = context;
    const fluid *f = w->f;
    const grid *g = &f->g;
    const real none[DIM] = {0};
    real mass[TILE_ROOM] = {0}, count[TILE_ROOM] = {0};
    stencil s;
    for (int i = first_in(g, block); i < first_in(g, block + 1); i++) {
        stencil_of(&s, quad_load(&f->a.x[i]), g->inverse, &g->block[block]);
        deposit_scalar(mass, &s, mass_of(f, i), none), deposit_scalar(count, &s, 1, none);
    }
    tile_each(g, block, mass, w->mass, stretch_add_real), tile_each(g, block, count, w->count, stretch_add_real);
}

static void find_excess(int block, void *context)
{
    density_work *w = context;
    const fluid *f = w->f;
    const grid *g = &f->g;
    real4 x[CELLS];
    real left[CELLS];
    int which[CELLS], count = 0;
    real *share = w->share + (size_t)block * CELLS, *excess = w->excess + (size_t)block * CELLS;
    for (int k = 0; k < CELLS; k++) {
        size_t node = (size_t)block * CELLS + (size_t)k;
        int local[DIM];
        share[k] = excess[k] = 0;
        if (f->depth[node] < DEEP || !(f->node[node].w > 0)) continue;
        local_of(k, local);
        x[count] = (real4){0, 0, 0, 0};
        for (int a = 0; a < DIM; a++) (&x[count].x)[a] = (real)((SIDE * g->block[block].at[a] + local[a]) * f->p->dx);
        which[count++] = k;
    }
    find_shares_of(w, count, x, left);
    for (int n = 0; n < count; n++) {
        size_t node = (size_t)block * CELLS + (size_t)which[n];
        real mass = f->node[node].w / w->full;
        if (w->mass && w->mass[node] > 0) mass *= w->count[node] / w->mass[node];
        share[which[n]] = left[n];
        excess[which[n]] = mass - left[n];
    }
}

/* --- what becomes of it --- */

/* Copies masses of nodes into a tile. */
static void stretch_load_mass(void *tile, void *nodes, int in_tile, size_t in_grid, int count)
{
    for (int k = 0; k < count; k++) ((real *)tile)[in_tile + k] = ((const real4 *)nodes)[in_grid + (size_t)k].w;
}

/* The mean of the nodes around a point, by their splines: excess over share; 0 where there is no telling. */
static real excess_at(const stencil *s, const real *excess, const real *share)
{
    real sum, all, slope[DIM];
    gather_scalar(excess, s, &sum, slope), gather_scalar(share, s, &all, slope);
    return all > LEAST_SHARE ? sum / all : 0;
}

/* What of an emitter's pushing is into liquid: all of it where nodes are full, nothing where they have half of that.
 * `mass`: of the nodes. */
static real part_into_liquid(const density_work *w, const stencil *s, const real *mass, const real4 *x)
{
    real found, share, slope[DIM];
    gather_scalar(mass, s, &found, slope);
    find_shares_of(w, 1, x, &share);
    real part = 2 * found / (w->full * real_max(share, LEAST_SHARE)) - 1;
    return part < 0 ? 0 : part < 1 ? part : 1;
}

static void correct_block(int block, void *context)
{
    const density_work *w = context;
    fluid *f = w->f;
    const grid *g = &f->g;
    real excess[TILE_ROOM] = {0}, share[TILE_ROOM] = {0}, mass[TILE_ROOM] = {0};
    tile_each(g, block, excess, w->excess, stretch_load_real);
    tile_each(g, block, share, w->share, stretch_load_real);
    if (f->a.pushed) tile_each(g, block, mass, f->node, stretch_load_mass);
    stencil s;
    for (int i = first_in(g, block); i < first_in(g, block + 1); i++) {
        stencil_of(&s, quad_load(&f->a.x[i]), g->inverse, &g->block[block]);
        if (f->a.pushed && f->a.pushed[i] != 0) f->a.pushed[i] *= part_into_liquid(w, &s, mass, &f->a.x[i]);
        if (is_solid_slot(f, i)) continue;
        real e = excess_at(&s, excess, share);
        if (e == 0) continue;
        e += f->a.strain[i];
        e = e > MOST_EXCESS ? MOST_EXCESS : e < -MOST_EXCESS ? -MOST_EXCESS : e;
        f->a.strain[i] -= DENSITY_RATE * e;
    }
}

/* Corrects the strains, and what of the emitters' pushing counts. Called after a substep, while the nodes have their
 * masses. */
static dew_result correct_density(fluid *f)
{
    arena *memory = f->g.memory;
    size_t nodes = (size_t)f->g.block_count * CELLS, mark = arena_mark(memory);
    density_work w = {.f = f, .full = (real)pow(f->p->dx / f->w->spacing, DIM)};
    ARENA_TRY(memory, nodes, w.excess, w.share);
    if (f->p->least_density < f->p->density) {
        ARENA_TRY_ZEROED(memory, nodes, w.mass, w.count);
        each_home_colour(&f->g, add_masses, &w);
    }
    find_shares(&w);
    each_block(&f->g, find_excess, &w);
    each_home(&f->g, correct_block, &w);
    arena_release(memory, mark);
    return DEW_OK;
}

#endif
