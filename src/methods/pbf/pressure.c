/* The density solver: one multiplier a particle, total (not incremental), gradients frozen at x*, warm-started,
 * projected gradient with Nesterov's momentum and restart. Frozen gradients make it a linear complementarity problem
 *     Lambda >= a,  e = e* - G G^T Lambda <= 0,  (Lambda - a) e = 0,  a = 0, or less inside the liquid: suction,
 * with one symmetric operator for both directions, so pairs exchange momentum exactly. The gradients are those of the
 * step's start: then forces point along pairs where the lever arms are measured, and angular momentum stays as well.
 * What is to be removed, e*, is measured at x* = x + dt v. Re-evaluated gradients with total multipliers diverge. */
#include "methods/pbf/physical.h"

/* lambda_max(D^-1 A) is 7.1: without momentum steps above 0.28 diverge, with it they must stay at 0.13. */
#define RELAXATION ((real)0.13)
#define LOOSE ((real)0.97)
/* A multiplier that sucks also yields to itself, by this share of its own norm: what suction is not asked for anew
 * fades. Without it the signs of layers next to a solid alternate and stay, and a puddle swells by half a layer. */
#define SUCTION_FADE ((real)0.1)

/* rho/rho0 by liquid alone, at x, into `excess`. */
static void sum_density(int begin, int end, void *context)
{
    physical *k = context;
    vreal inv_h = vset(1 / k->p->h), kernel = vset(k->p->kernel);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->a.x, block);
        vreal rho = vset(0);
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->a.x, j);
            vreal dx = (i.x - b.x) * inv_h, dy = (i.y - b.y) * inv_h, dz = (i.z - b.z) * inv_h;
            rho += vcubic_spline(vsqrt(dx * dx + dy * dy + dz * dz));
        }
        pair_store(k->excess, block, kernel * rho);
    }
}

/* The density that must not be exceeded in this step: what there is, or the more of the room that is left the looser
 * the liquid is. It is continuous in rho, or particles that cross the bound would lose all their pressure at once and
 * start to bounce: a drop at rest would not come to rest. */
static real target_of(real rho, real fullness)
{
    real loose = LOOSE * fullness - rho;
    return loose <= 0 ? rho : fmin(rho + 2 * loose, fullness);
}

/* Makes the norm of the gradient, and the target, of the sums over pairs. */
static void finish_constraint(int begin, int end, void *context)
{
    physical *k = context;
    const pbf_state *p = k->p;
    real floor = (real)0.3 * p->bulk_norm;
    for (int i = begin; i < end; i++) {
        real3 own = real3_of(k->shift[i]);
        real rho = k->shift[i].w;
        if (p->wall && p->wall_solid[i] >= 0) {
            real u = p->wall[i].w / p->h;
            own = real3_madd(own, -pbf_fraction_slope(p->fractions, u), real3_of(p->wall[i]));
            rho += pbf_wall_density(p, i);
        }
        k->inv_norm[i] = 1 / fmax(k->inv_norm[i] + real3_dot(own, own), floor);
        k->target[i] = target_of(rho, k->fullness[i]);
    }
}

static void advance_freely(int begin, int end, void *context)
{
    physical *k = context;
    for (int i = begin; i < end; i++) {
        k->start[i] = k->a.x[i];
        real4_add(&k->a.x[i], real3_of(k->a.move[i]));
    }
}

/* Returns to the step's start, with the excess at x* known and the last step's multipliers. */
static void begin_iterations(int begin, int end, void *context)
{
    physical *k = context;
    const pbf_state *p = k->p;
    real scale = p->saved_dt > 0 ? (k->dt / (real)p->saved_dt) * (k->dt / (real)p->saved_dt) : 0;
    for (int i = begin; i < end; i++) {
        real rho = k->excess[i] + (p->wall ? pbf_wall_density(p, i) : 0);
        k->excess[i] = rho - k->target[i];
        k->a.lambda[i] *= scale;
        k->previous[i] = k->a.lambda[i];
        k->a.x[i] = k->start[i];
        k->a.x[i].w = k->a.lambda[i];
    }
}

/* Sums the displacement, in h, by the multipliers in the payload of x. */
static void sum_shift(int begin, int end, void *context)
{
    physical *k = context;
    const pbf_state *p = k->p;
    vreal inv_h = vset(1 / p->h), kernel = vset(p->kernel);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->a.x, block);
        vreal x = vset(0), y = vset(0), z = vset(0);
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->a.x, j);
            vreal dx = (i.x - b.x) * inv_h, dy = (i.y - b.y) * inv_h, dz = (i.z - b.z) * inv_h;
            vreal q2 = dx * dx + dy * dy + dz * dz + (real)1e-12, inv_q = vrsqrt(q2);
            vreal f = (i.w + b.w) * vcubic_spline_slope(q2 * inv_q) * inv_q;
            x -= f * dx, y -= f * dy, z -= f * dz;
        }
        pair_store4(k->shift, block, kernel * x, kernel * y, kernel * z, vset(0));
    }
}

/* What the wall's pressure adds to the displacement of particle i, in h. */
static inline real3 wall_shift(const physical *k, int i)
{
    const pbf_state *p = k->p;
    real f = k->a.x[i].w * pbf_fraction_slope(p->fractions, p->wall[i].w / p->h);
    return real3_scale(f, real3_of(p->wall[i]));
}

static void add_wall_shift(int begin, int end, void *context)
{
    physical *k = context;
    for (int i = begin; i < end; i++)
        if (k->p->wall_solid[i] >= 0) real4_add(&k->shift[i], wall_shift(k, i));
}

/* Sums the change of density by the displacements: over j of g_ij . (shift_i - shift_j). */
static void sum_change(int begin, int end, void *context)
{
    physical *k = context;
    vreal inv_h = vset(1 / k->p->h), kernel = vset(k->p->kernel);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->a.x, block), si = pair_i(k->shift, block);
        vreal change = vset(0);
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->a.x, j), sb = pair_j(k->shift, j);
            vreal dx = (i.x - b.x) * inv_h, dy = (i.y - b.y) * inv_h, dz = (i.z - b.z) * inv_h;
            vreal q2 = dx * dx + dy * dy + dz * dz + (real)1e-12, inv_q = vrsqrt(q2);
            vreal along = dx * (si.x - sb.x) + dy * (si.y - sb.y) + dz * (si.z - sb.z);
            change += vcubic_spline_slope(q2 * inv_q) * inv_q * along;
        }
        pair_store(k->change, block, kernel * change);
    }
}

/* Finds the next multipliers from the extrapolated ones, which x.w holds. sums: progress against the momentum. */
static void take_step(int begin, int end, void *context, double *sums)
{
    physical *k = context;
    const pbf_state *p = k->p;
    double against = 0;
    for (int i = begin; i < end; i++) {
        real e = k->excess[i] + k->change[i], y = k->a.x[i].w;
        if (p->wall && p->wall_solid[i] >= 0)
            e -= pbf_fraction_slope(p->fractions, p->wall[i].w / p->h) *
                 real3_dot(real3_of(p->wall[i]), real3_of(k->shift[i]));
        real fade = k->suction < 0 ? SUCTION_FADE * fmin(y, (real)0) : 0;
        real next = fmax(y + RELAXATION * (e * k->inv_norm[i] - fade), k->a.is_surface[i] ? (real)0 : k->suction);
        against += (double)((y - next) * (next - k->previous[i]));
        k->a.lambda[i] = next;
    }
    sums[0] += against;
}

static void extrapolate(int begin, int end, void *context)
{
    physical *k = context;
    for (int i = begin; i < end; i++) {
        real now = k->a.lambda[i];
        k->a.x[i].w = now + k->momentum * (now - k->previous[i]);
        k->previous[i] = now;
    }
}

static void apply_pressure(int begin, int end, void *context, solid_pushes *to)
{
    physical *k = context;
    const pbf_state *p = k->p;
    real h = p->h;
    pbf_contact c = pbf_contact_of(p, k->w, k->dt, to);
    for (int i = begin; i < end && p->wall; i++)
        if (p->wall_solid[i] >= 0)
            pbf_push_solid(&c, PUSH_PRESSURE, i, p->wall_solid[i], real3_scale(h, wall_shift(k, i)));
    for (int i = begin; i < end; i++) {
        real4_add(&k->a.move[i], real3_scale(h, real3_of(k->shift[i])));
        real4_add(&k->a.x[i], real3_of(k->a.move[i]));
        k->a.density[i] = k->target[i] + k->excess[i];
    }
}

static void displace(physical *k)
{
    particles *store = k->w->particles;
    particles_update_ghosts(store, FIELD_POSITION_INDEX);
    parallel_for(k->blocks, PBF_GRAIN, sum_shift, k);
    if (k->p->wall) parallel_for(k->count, 4096, add_wall_shift, k);
    particles_update_ghosts(store, k->p->shift);
}

dew_result pbf_solve_pressure(physical *k, int iterations)
{
    particles *store = k->w->particles;
    ARENA_TRY(k->w->scratch, k->count, k->change);
    k->start = k->force; /* forces have become velocity: their memory is free */
    const dew_material_def *m = &k->w->materials[0];
    double suction = k->p->parameter[PBF_SUCTION] * m->surface_tension / (double)k->p->s; /* Pa */
    k->suction = (real)-suction * k->dt * k->dt / ((real)m->density * k->p->h * k->p->h);
    particles_update_ghosts(store, FIELD_POSITION_INDEX);
    pbf_sum_constraint(k->p, k->w, k->shift, k->inv_norm);
    parallel_for(k->count, 4096, finish_constraint, k);
    parallel_for(k->count, 4096, advance_freely, k);
    particles_update_ghosts(store, FIELD_POSITION_INDEX);
    if (k->p->wall) RESULT_TRY(pbf_find_walls(k->p, k->w));
    parallel_for(k->blocks, PBF_GRAIN, sum_density, k);
    parallel_for(k->count, 4096, begin_iterations, k);
    double t = 1;
    for (int n = 0; n < iterations; n++) {
        displace(k);
        double against;
        parallel_for(k->blocks, PBF_GRAIN, sum_change, k);
        parallel_sum(k->count, 1, take_step, k, &against);
        if (against > 0) t = 1; /* the momentum points uphill: start it anew */
        double next = (1 + sqrt(1 + 4 * t * t)) / 2;
        k->momentum = n + 1 < iterations ? (real)((t - 1) / next) : 0;
        t = next;
        parallel_for(k->count, 4096, extrapolate, k);
    }
    displace(k);
    solids_each(k->w->solids, k->count, apply_pressure, k);
    return DEW_OK;
}
