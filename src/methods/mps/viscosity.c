/* Implicit viscosity: (1 + dt A) v' = v, A the Laplacian model by pairs along the line of centres (Monaghan 2005),
 * which keeps angular momentum and does not resist a body's rotation, with the weight w/q of Koshizuka and Oka:
 *
 *     (A v)_i = sigma sum (w/q) ((v_i - v_j) . e_ij) e_ij,   sigma = 4 (D + 2) k s^D nu/h^(D + 2),
 *
 * k the norm of the kernel w^2. Walls that hold have their part in the matrix (solids/shear.h). */
#include "base/conjugate_gradient.h"
#include "methods/mps/mps.h"

/* Of the square of what viscosity changes in a step: what is left when the iteration ends. */
#define REST 1e-8
enum { MOST_ITERATIONS = 400 };

typedef struct viscous {
    mps_step *k;
    real sigma; /* dt sigma */
    const real4 *v;
    real4 *product;    /* dt A v */
    wall_shear *walls; /* NULL: none hold */
    shear shear;
    conjugate_gradient solver;
} viscous;

static void sum_product(int begin, int end, void *context)
{
    const viscous *s = context;
    const mps_step *k = s->k;
    vreal inv_h = vset(k->inv_h), sigma = vset(s->sigma);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->x, block), vi = pair_i(s->v, block);
        vreal x = vset(0), y = vset(0), z = vset(0);
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->x, j), vb = pair_j(s->v, j);
            vreal dx = (i.x - b.x) * inv_h, dy = (i.y - b.y) * inv_h, dz = (i.z - b.z) * inv_h;
            vreal q2 = dx * dx + dy * dy + dz * dz + (real)1e-12, inv_q = vrsqrt(q2);
            vreal f = vmax(inv_q - 1, vset(0)) * inv_q * inv_q; /* (w/q)/q2 */
            f *= dx * (vi.x - vb.x) + dy * (vi.y - vb.y) + dz * (vi.z - vb.z);
            x += f * dx, y += f * dy, z += f * dz;
        }
        pair_store4(s->product, block, sigma * x, sigma * y, sigma * z, vset(0));
        int last = PAIR_I * (block + 1) < k->count ? PAIR_I * (block + 1) : k->count;
        for (int n = PAIR_I * block; s->walls && n < last; n++)
            real4_add(&s->product[n], real3_scale(k->dt, wall_shear_hold(&s->walls[n], real3_of(s->v[n]))));
    }
}

/* --- walls --- */

static void find_walls(int begin, int end, void *context)
{
    const viscous *s = context;
    shear_find(&s->shear, begin, end, s->k->x, s->walls);
}

static dew_result open_walls(viscous *s, double nu)
{
    mps_step *k = s->k;
    bool holds = false;
    for (int i = 0; i < solids_count(k->w->solids); i++) holds |= !isinf(solids_info(k->w->solids, i, 0).slip_length);
    if (!holds) return DEW_OK;
    ARENA_TRY(k->w->scratch, k->count, s->walls);
    s->shear = (shear){.table = &k->p->shear_table, .solids = k->w->solids, .nu = (real)nu};
    parallel_for(k->count, 1024, find_walls, s);
    return DEW_OK;
}

static void give_to_solids(int begin, int end, void *context, solid_pushes *to)
{
    const viscous *s = context;
    shear_push_solids(&s->shear, begin, end, s->k->x, s->k->v, (real)s->k->w->particle_mass[0] * s->k->dt, to);
}

/* --- the step --- */

static double multiply(void *context);

static void multiply_part(int begin, int end, void *context, double *sums)
{
    const viscous *s = context;
    for (int i = begin; i < end; i++) {
        real4 p = s->v[i], *Ap = &s->product[i];
        real4_add(Ap, real3_of(p));
        sums[0] += (double)(p.x * Ap->x + p.y * Ap->y + p.z * Ap->z);
    }
}

static double multiply(void *context)
{
    viscous *s = context;
    double product;
    particles_update_ghosts(s->k->all, s->k->p->change);
    parallel_for(s->k->blocks, MPS_GRAIN, sum_product, s);
    parallel_sum(s->k->count, 1, multiply_part, s, &product);
    return product;
}

/* r = -dt A v, and what walls that move give; 1/(1 + dt A_ii). sums: the square. */
static void open_solve(int begin, int end, void *context, double *sums)
{
    const viscous *s = context;
    const mps_step *k = s->k;
    real4 *r = (real4 *)s->solver.r, *inverse = (real4 *)s->solver.inverse;
    /* of a particle that liquid surrounds */
    real own = s->sigma * k->p->c.full * (k->w->dimension == 3 ? 5 : 3); /* sum of w/q over D */
    for (int i = begin; i < end; i++) {
        real4 a = s->product[i];
        real3 give = s->walls ? real3_scale(k->dt, real3_of(s->walls[i].push)) : (real3){0, 0, 0};
        r[i] = (real4){give.x - a.x, give.y - a.y, give.z - a.z, 0};
        real4 d = s->walls ? s->walls[i].diagonal : (real4){0, 0, 0, 0};
        inverse[i] = (real4){1 / (1 + own + k->dt * d.x), 1 / (1 + own + k->dt * d.y), 1 / (1 + own + k->dt * d.z), 1};
        k->v[i].w = 0;
        sums[0] +=
            (double)(r[i].x * r[i].x * inverse[i].x + r[i].y * r[i].y * inverse[i].y + r[i].z * r[i].z * inverse[i].z);
    }
}

dew_result mps_viscosity(mps_step *k)
{
    double nu = mps_viscosity_of(k->p, k->w), square;
    if (!(nu > 0)) return DEW_OK;
    viscous s = {.k = k, .v = k->v, .sigma = (real)(nu * k->p->c.viscous) * k->dt};
    real4 *r, *inverse;
    ARENA_TRY(k->w->scratch, k->count, s.product, r, inverse);
    RESULT_TRY(open_walls(&s, k->w->materials[0].viscosity / k->w->materials[0].density));
    s.solver = (conjugate_gradient){.count = 4 * k->count,
                                    .x = &k->v->x,
                                    .r = &r->x,
                                    .p = &k->change->x,
                                    .Ap = &s.product->x,
                                    .inverse = &inverse->x,
                                    .multiply = multiply};
    s.solver.context = &s;
    particles_update_ghosts(k->all, FIELD_VELOCITY_INDEX);
    parallel_for(k->blocks, MPS_GRAIN, sum_product, &s);
    parallel_sum(k->count, 1, open_solve, &s, &square);
    for (int i = 0; i < k->count; i++) k->change[i] = (real4){0, 0, 0, 0};
    s.v = k->change;
    conjugate_gradient_solve(&s.solver, &square, REST * square, MOST_ITERATIONS);
    if (s.walls) solids_each(k->w->solids, k->count, give_to_solids, &s);
    return DEW_OK;
}
