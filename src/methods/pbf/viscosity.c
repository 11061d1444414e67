/* Viscosity in Pa s.
 *
 * It is Monaghan's pairwise form, 10 nu sum V (v_ij . x_ij) grad W/r^2: it keeps linear and angular momentum
 * exactly and leaves rigid rotation alone. Stages of a Runge-Kutta-Legendre scheme (Meyer, Balsara, Aslam 2014, RKL1)
 * make it stable for any step: s stages cover (s^2 + s)/2 explicit limits. */
#include "methods/pbf/physical.h"

typedef struct stage {
    pbf_state *p;
    world *w;
    pbf_arrays a;
    pair_lists lists;
    real4 *rate, *before; /* dv/dt; v of the stage before */
    bool is_first;
    real coefficient;  /* of the pair sum, 1/s */
    real mu, nu, step; /* of the stage: v <- mu v + nu before + step rate */
} stage;

static void sum_rate(int begin, int end, void *context)
{
    stage *k = context;
    vreal inv_h = vset(1 / k->p->h), c = vset(k->coefficient);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->a.x, block), vi = pair_i(k->a.v, block);
        vreal x = vset(0), y = vset(0), z = vset(0);
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->a.x, j), vb = pair_j(k->a.v, j);
            vreal dx = (i.x - b.x) * inv_h, dy = (i.y - b.y) * inv_h, dz = (i.z - b.z) * inv_h;
            vreal q2 = dx * dx + dy * dy + dz * dz + (real)1e-12, inv_q = vrsqrt(q2);
            vreal along = dx * (vi.x - vb.x) + dy * (vi.y - vb.y) + dz * (vi.z - vb.z);
            vreal f = vcubic_spline_slope(q2 * inv_q) * inv_q * inv_q * inv_q * along;
            x += f * dx, y += f * dy, z += f * dz;
        }
        pair_store4(k->rate, block, c * x, c * y, c * z, vset(0));
    }
}

static void take_stage(int begin, int end, void *context)
{
    stage *k = context;
    for (int i = begin; i < end; i++) {
        real4 v = k->a.v[i], b = k->is_first ? v : k->before[i], r = k->rate[i];
        k->before[i] = v;
        k->a.v[i] = (real4){k->mu * v.x + k->nu * b.x + k->step * r.x, k->mu * v.y + k->nu * b.y + k->step * r.y,
                            k->mu * v.z + k->nu * b.z + k->step * r.z, v.w};
    }
}

dew_result pbf_viscosity(pbf_state *p, world *w, real nu, real dt)
{
    if (!(nu > 0)) return DEW_OK;
    int count = w->particles->count;
    stage k = {.p = p, .w = w, .a = pbf_arrays_of(p, w), .lists = neighbours_lists(w->neighbours)};
    ARENA_TRY(w->scratch, count, k.rate, k.before);
    k.coefficient = 10 * nu * p->kernel / (p->h * p->h);
    /* The largest rate of decay: twice the sum of pair coefficients, a third of it along any direction. */
    double limit = 2 / (2 * 10 * (double)nu * (double)p->bulk_rate / (double)(p->h * p->h) / 3 * 1.5);
    int stages = (int)ceil((sqrt(1 + 8 * (double)dt / limit) - 1) / 2);
    if (stages < 1) stages = 1;
    double scale = 2.0 / ((double)stages * stages + stages);
    /* Ghosts lie where their owners do now: else pairs across a face would not exchange momentum. */
    particles_update_ghosts(w->particles, FIELD_POSITION_INDEX);
    for (int j = 1; j <= stages; j++) {
        particles_update_ghosts(w->particles, FIELD_VELOCITY_INDEX);
        parallel_for(PAIR_BLOCKS(count), PBF_GRAIN, sum_rate, &k);
        double mu = (2.0 * j - 1) / j, back = (1.0 - j) / j;
        k.mu = j > 1 ? (real)mu : 1, k.nu = j > 1 ? (real)back : 0, k.step = dt * (real)((j > 1 ? mu : 1) * scale),
        k.is_first = j == 1;
        parallel_for(count, 4096, take_stage, &k);
    }
    return DEW_OK;
}
