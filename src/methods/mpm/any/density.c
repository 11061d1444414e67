#include "methods/mpm/any/density.h"

#include "base/conjugate_gradient.h"
#include "methods/mpm/any/density_target.h"
#include "methods/mpm/any/displacement.h"
#include "methods/mpm/any/points.h"
#include "methods/mpm/any/pressure.h"
#include "methods/mpm/any/split_merge.h"
#include "methods/mpm/any/transfer.h"

/* b: waves of the density's error longer than 2 pi b cells take more than a step. */
#define DENSITY_REACH ((real)20)

/* A particle goes no farther in a step, cells. */
#define MOST_DISPLACEMENT ((real)0.2)

/* Of E: what is left of it on average, and of its size at first, where the iteration ends. */
#define DENSITY_LEFT 1e-3
#define DENSITY_TOLERANCE 0.1

enum { MOST_DENSITY_ITERATIONS = 200 };

/* Makes the right side and the preconditioner, and gives strains their share. sums: square of the right side, of what
 * may be left. */
static void begin_density(int begin, int end, void *context, double *sums)
{
    density_work *w = context;
    pressure_system *q = &w->q;
    for (int c = begin; c < end; c++) {
        real n = w->f->in_cube[q->cube[c]];
        q->shift[c] = n;
        q->inverse[c] = 1 / (n + q->stiffness * pressure_square(q, c));
        bool is_sure;
        real excess = density_excess(w, q->cube[c], &is_sure);
        q->r[c] = n * DENSITY_RATE * excess;
        if (is_sure) w->f->strain[q->cube[c]] -= STRAIN_RATE * excess;
        q->z[c] = 0;
        sums[0] += (double)q->r[c] * (double)q->r[c] * (double)q->inverse[c];
        sums[1] += DENSITY_LEFT * DENSITY_LEFT * (double)n * (double)n * (double)q->inverse[c];
    }
}

static dew_result solve_density(density_work *w, bool *is_right)
{
    pressure_system *q = &w->q;
    double sums[2];
    RESULT_TRY(pressure_make(q, w->f));
    q->stiffness = DENSITY_REACH * DENSITY_REACH;
    parallel_sum(q->count, 2, begin_density, w, sums);
    double rest = sums[0], least = fmax(DENSITY_TOLERANCE * DENSITY_TOLERANCE * rest, sums[1]);
    *is_right = rest <= least;
    if (*is_right) return DEW_OK;
    conjugate_gradient c = pressure_gradients(q);
    conjugate_gradient_solve(&c, &rest, least, MOST_DENSITY_ITERATIONS);
    if (!isfinite(rest)) return result_fail(DEW_FAILED, "the density is not a number");
    pressure_spread(q, q->z);
    return DEW_OK;
}

static void take_moved(int begin, int end, void *context)
{
    const density_work *w = context;
    real unit = w->q.stiffness * w->f->dx;
    for (int k = begin; k < end; k++) {
        real4 u = w->q.u[column_node(&w->q, k)];
        w->moved[k] = (real4){unit * u.x, unit * u.y, unit * u.z, 0};
    }
}

static inline void set_displacement(const fluid *f, int i, vquad d)
{
    real most = MOST_DISPLACEMENT * f->dx;
    quad_store(&f->displaced[i], quad_max(quad_min(d, quad_set(most)), quad_set(-most)));
}

/* Finds how far the nodes take the particles of a block, and the points of owners. */
static void displace_block(int block, void *context)
{
    const density_work *w = context;
    const fluid *f = w->f;
    const grid *g = &f->g;
    const vquad xyz = {1, 1, 1, 0};
    real4 tile[TILE_ROOM];
    batch q;
    patch at;
    gathered got;
    tile_clear(tile);
    tile_load(g, block, tile, w->moved);
    if (block < g->home_count) {
        patch_load(&at, tile, 0);
        for (int i = first_in(g, block); batch_take(&q, g, f->a.x, f->points.kind, 0, 0, &i, first_in(g, block + 1));) {
            batch_weigh(&q, g->inverse, &g->first[block], 1);
            for (int l = 0; l < q.count; l++) {
                gather(&at, tile, &q, l, 1, &got);
                set_displacement(f, q.which[l], is_solid_slot(f, q.which[l]) ? quad_set(0) : xyz * gathered_v(&got));
            }
        }
    }
    if (has_points(&f->points, block)) points_from_tile(g, &f->points, block, tile);
}

/* Owners go as their points do in the mean; samples go with their own. */
static void displace_owners(int begin, int end, void *context)
{
    const fluid *f = context;
    const points *p = &f->points;
    for (int k = begin; k < end; k++) {
        const owner *o = &p->owners[k];
        int count = transfers_of(o);
        vquad sum = quad_set(0);
        for (int q = 0; q < count; q++) {
            join_transfer(f, o, q);
            vquad d = quad_load(&p->found[o->first_point + (q << o->wall_count)].v);
            sum += share_of(o, q) * d;
            if (q == 0 || q > o->sample_count) continue;
            real4 *s = &p->sample[o->first_sample + q - 1];
            s->x += d[0], s->y += d[1], s->z += d[2];
        }
        const vquad xyz = {1, 1, 1, 0};
        if (!is_solid_slot(f, o->slot)) set_displacement(f, o->slot, xyz * sum);
    }
}

dew_result density_displacements(fluid *f)
{
    const int nodes = f->g.block_count * CELLS;
    density_work w;
    bool is_right;
    f->displaced = NULL;
    RESULT_TRY(density_find(&w, f));
    if (f->a.pushed) each_home(&f->g, density_keep_pushed, &w);
    RESULT_TRY(solve_density(&w, &is_right));
    if (is_right) return DEW_OK;
    ARENA_TRY(f->g.memory, nodes, w.moved);
    ARENA_TRY(f->g.memory, f->a.count, f->displaced);
    parallel_for(nodes, NODE_GRAIN, take_moved, &w);
    each_block(&f->g, displace_block, &w);
    f->walls_rest = true;
    parallel_for(f->points.owner_count, 32, displace_owners, f);
    f->walls_rest = false;
    return DEW_OK;
}

dew_result density_displace(fluid *f)
{
    return f->displaced ? displace_particles(f, f->surface.bodies.count, f->displaced, false) : DEW_OK;
}

void density_take_pushed(int begin, int end, void *context)
{
    const fluid *f = context;
    for (int i = begin; i < end; i++) f->a.strain[i] -= f->share * f->a.pushed[i];
}
