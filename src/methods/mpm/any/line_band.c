#include "methods/mpm/any/line_band.h"

#include "methods/mpm/any/edges.h"

/* phi of a node by its depth: the line lies within a cell of the free surface, a sample hears of nodes 1.5 cells away.
 */
static const real share_of_depth[DEEP + 1] = {1, 1, 1, (real)0.5, 0};

/* Interpolates phi by the splines of the grid; its gradient along the wall. */
static void find_band(int begin, int end, void *context)
{
    samples *s = context;
    const grid *g = s->g;
    for (int k = begin; k < end; k++) {
        s->band[k] = (real4){0, 0, 0, 1};
        const int32_t cell = s->solid[k] >= 0 ? grid_cell(g, real3_of(s->x[k])) : -1;
        if (cell < 0) continue;
        int64_t around[AROUND];
        real n[DIM][3], slope[DIM][3], sum[4] = {0, 0, 0, 0};
        nodes_around(g, cell, around);
        for (int a = 0; a < DIM; a++) {
            const real t = ((&s->x[k].x)[a] - (&g->origin.x)[a]) * g->inverse, u = t - floor(t + (real)0.5);
            const real low = (real)0.5 - u, high = (real)0.5 + u;
            n[a][0] = low * low / 2, n[a][1] = (real)0.75 - u * u, n[a][2] = high * high / 2;
            slope[a][0] = -low, slope[a][1] = -2 * u, slope[a][2] = high;
        }
        for (int q = 0; q < AROUND; q++) {
            const int at[3] = {DIM == 3 ? q / 9 : q / 3, DIM == 3 ? q / 3 % 3 : q % 3, q % 3};
            const real share = around[q] < 0 ? 0 : share_of_depth[s->depth[around[q]]];
            for (int b = 0; b <= DIM; b++) {
                real term = share;
                for (int a = 0; a < DIM; a++) term *= a == b ? slope[a][at[a]] : n[a][at[a]];
                sum[b < DIM ? b : 3] += term;
            }
        }
        if (!(sum[3] > 0)) {
            s->band[k] = (real4){0, 0, 0, 0};
            continue;
        }
        real3 of_edge;
        const real share = share_at_edge(s->walls, s->solid[k], s->x[k], (real)g->dx, &of_edge);
        const real3 slopes = real3_scale(share * g->inverse, (real3){sum[0], sum[1], sum[2]});
        const real3 all = real3_madd(slopes, sum[3], of_edge), normal = real3_normalise(real3_of(s->area[k]));
        s->band[k] = real4_of(real3_across(all, normal), share * sum[3]);
    }
}

void line_band_find(const contour *c, const solids *walls, samples *s)
{
    s->walls = walls;
    s->depth = c->depth_of;
    parallel_for(s->count, 64, find_band, s);
}
