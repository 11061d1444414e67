/* Double density relaxation (section 4 of the paper) in Jacobi form, and the projections that keep the density.
 *
 * As printed, particle after particle pushes its neighbours and itself by half of D = dt^2 (P_i w + P_near_i w^2)
 * (equation 6). Summed over both, a pair gets dt^2 [(P_i + P_j) w + (P_near_i + P_near_j) w^2]/2: this is taken here
 * for all at once. It is the gradient of the energy E/m = (h k/8) sum (rho - rho0)^2 + (h k_near/12) sum rho_near^2, so
 * what walls add to the densities acts by its gradient likewise. */
#include "methods/ddr/ddr.h"
#include "particles/ghosts.h"

/* --- densities --- */

typedef struct sums {
    ddr_step *k;
    const real4 *x;
    real4 *facing; /* NULL: not asked for */
} sums;

/* Equations 1 and 4; `has_facing`, known when compiled: also sum w (x_i - x_j)/r, which faces out of the liquid. */
static inline void sum_block(const sums *s, int block, bool has_facing)
{
    ddr_step *k = s->k;
    vreal inv_h = vset(k->inv_h);
    vreal4 i = pair_i(s->x, block);
    vreal rho = vset(0), near = vset(0), x = vset(0), y = vset(0), z = vset(0);
    PAIRS(k->lists, block, j)
    {
        vreal4 b = pair_j(s->x, j);
        vreal dx = (i.x - b.x) * inv_h, dy = (i.y - b.y) * inv_h, dz = (i.z - b.z) * inv_h;
        vreal q2 = dx * dx + dy * dy + dz * dz + (real)1e-12, inv_q = vrsqrt(q2);
        vreal w = vmax(1 - q2 * inv_q, vset(0)), w2 = w * w, f = w * inv_q;
        rho += w2, near += w2 * w;
        if (has_facing) x += f * dx, y += f * dy, z += f * dz;
    }
    pair_store(k->rho, block, rho);
    pair_store(k->rho_near, block, near);
    if (has_facing) pair_store4(s->facing, block, x, y, z, vset(0));
}

static void sum_densities(int begin, int end, void *context)
{
    const sums *s = context;
    for (int block = begin; block < end; block++) s->facing ? sum_block(s, block, true) : sum_block(s, block, false);
    for (int i = PAIR_I * begin; i < PAIR_I * end; i++) s->k->rho[i] -= 1, s->k->rho_near[i] -= 1; /* itself */
}

/* --- pushes --- */

/* Equation 6, as an acceleration, of both sides of each pair. `has_near`, known when compiled: P_near counts. */
static inline void push_block(ddr_step *k, int block, bool has_near)
{
    vreal inv_h = vset(k->inv_h), half = vset((real)0.5), h = vset(k->h);
    vreal4 i = pair_i(k->place, block);
    vreal near = has_near ? pair_i1(k->near_pressure, block) : vset(0);
    vreal x = vset(0), y = vset(0), z = vset(0), virial = vset(0);
    PAIRS(k->lists, block, j)
    {
        vreal4 b = pair_j(k->place, j);
        vreal dx = (i.x - b.x) * inv_h, dy = (i.y - b.y) * inv_h, dz = (i.z - b.z) * inv_h;
        vreal q2 = dx * dx + dy * dy + dz * dz + (real)1e-12, inv_q = vrsqrt(q2), q = q2 * inv_q;
        vreal w = vmax(1 - q, vset(0)), f = i.w + b.w;
        if (has_near) f += (near + pair_j1(k->near_pressure, j)) * w;
        f *= w * inv_q;
        x += f * dx, y += f * dy, z += f * dz, virial += f * q2;
    }
    pair_store4(k->push, block, half * x, half * y, half * z, half * h * virial);
}
static void push_both(int begin, int end, void *context)
{
    for (int block = begin; block < end; block++) push_block(context, block, true);
}
static void push_apart(int begin, int end, void *context)
{
    for (int block = begin; block < end; block++) push_block(context, block, false);
}

/* The pressure is the virial's, of both halves of each pair, rho/(2 D) sum r a, over the part of them that is liquid.
 */
static void take_push(int begin, int end, void *context)
{
    ddr_step *k = context;
    real *pressure = particles_field(k->all, k->p->pressure);
    real share = (real)(k->w->materials[0].density / (2 * k->w->dimension)), full = 2 * k->p->whole.sum[0];
    for (int i = begin; i < end; i++) {
        real4_add(&k->v[i], real3_scale(k->dt, real3_of(k->push[i])));
        pressure[i] += share * k->push[i].w / (1 - real_min(k->solid[i] / full, (real)0.8));
    }
}

static void push_and_take(ddr_step *k, bool has_near)
{
    particles_update_ghosts(k->all, k->p->place);
    if (has_near) particles_update_ghosts(k->all, k->p->near_pressure);
    parallel_for(k->blocks, DDR_GRAIN, has_near ? push_both : push_apart, k);
    parallel_for(k->count, 4096, take_push, k);
    if (k->near.wall) ddr_push_walls(k, has_near);
}

/* --- relaxation --- */

/* Of what it is on a plane through the centre, walls included, `facing` is more next to a free surface. (Densities do
 * not tell: the skin is packed.) */
#define FACING ((real)0.4)

/* Equations 2 and 5. Beside that, `bulk` damps sound: what grows denser pushes back. Flow that keeps densities it
 * leaves alone. */
static void find_pressures(int begin, int end, void *context)
{
    ddr_step *k = context;
    const ddr_state *p = k->p;
    real *density = particles_field(k->all, p->density), *pressure = particles_field(k->all, p->pressure);
    uint8_t *is_surface = particles_field(k->all, p->is_surface);
    for (int i = begin; i < end; i++) {
        real rho = k->rho[i], near = k->rho_near[i], unused = 0;
        k->solid[i] = 0;
        if (k->near.wall) {
            ddr_add_walls(k, i, k->place[i], NULL, &k->solid[i], &unused);
            ddr_add_walls(k, i, k->place[i], k->hold, &rho, &near);
        }
        real rate = 2 * k->inv_h * k->nearing[i]; /* of rho */
        k->place[i].w = (real)k->n.k * (rho - (real)k->n.rho0 + (real)k->n.bulk * rate);
        k->near_pressure[i] = (real)k->n.k_near * near;
        real3 facing = real3_of(k->push[i]);
        if (k->near.wall) facing = real3_add(facing, ddr_facing_of_walls(k, i));
        density[i] = (k->rho[i] + k->solid[i]) / (real)k->n.rho_eq, pressure[i] = 0;
        is_surface[i] = real3_length(facing) > FACING * p->whole.slope[0] / 2;
    }
}

void ddr_relax(ddr_step *k)
{
    parallel_for(k->blocks, DDR_GRAIN, sum_densities, &(sums){k, k->place, k->push});
    parallel_for(k->count, 1024, find_pressures, k);
    push_and_take(k, true);
}

/* --- projections --- */

/* Of the correction C/sum |grad C|^2 in a Jacobi turn, over rho_eq: what a turn does to a wave, at most about 0.37
 * rho_eq of the correction, it then does to 0.7. With twice as much skins of drops, which tension packs, never rest. */
#define RELAXATION 1.8

static void foresee(int begin, int end, void *context)
{
    ddr_step *k = context;
    for (int i = begin; i < end; i++)
        k->ahead[i] = real4_of(real3_madd(real3_of(k->x[i]), k->dt, real3_of(k->v[i])), 0);
}

/* C_i and C_j move a pair apart by RELAXATION/rho_eq (C_i + C_j) 2 w/h over sum |grad C|^2 = 4 rho/h^2, rho without
 * what solids add, as they do not move: so next to one a particle is corrected by as much with fewer neighbours. As an
 * acceleration that is (P_i + P_j) w/2 with this P. */
static void find_excess(int begin, int end, void *context)
{
    ddr_step *k = context;
    real rho_eq = (real)k->n.rho_eq, scale = (real)(RELAXATION / k->n.rho_eq) * k->h / (k->dt * k->dt);
    for (int i = begin; i < end; i++) {
        real rho = k->rho[i], by_walls = 0, unused = 0;
        if (k->near.wall) ddr_add_walls(k, i, k->ahead[i], NULL, &by_walls, &unused);
        k->place[i].w = scale * real_max(rho + by_walls - rho_eq, 0) / real_max(rho_eq - by_walls, rho_eq / 2);
    }
}

/* Directions and w stay those of `place`, where the other forces are taken: so the impulses pull along the lines
 * between the places that angular momentum is told by. */
void ddr_project(ddr_step *k, int turns)
{
    for (int turn = 0; turn < turns; turn++) {
        parallel_for(k->count, 4096, foresee, k);
        particles_update_ghosts(k->all, k->p->ahead);
        parallel_for(k->blocks, DDR_GRAIN, sum_densities, &(sums){k, k->ahead, NULL});
        parallel_for(k->count, 1024, find_excess, k);
        push_and_take(k, false);
    }
}

/* --- order --- */

/* By area velocities are without divergence; what errors of density and of order are left the relaxation mends as
 * printed: it moves places, but here makes no velocity of it (flow/shift.c). P is the error of rho, P_near that of
 * rho_near, each of what it is to be at the particle's depth; of that of rho_near this share is mended. */
#define NEAR_SHARE ((real)0.03)
/* In spacings: of the kernel of rho_near here. */
#define NEAR_REACH ((real)1.2)

/* rho_near: the sum of w'^2 over neighbours of the same kind, w' = 1 - r/(NEAR_REACH s). */
static void sum_near(int begin, int end, void *context)
{
    ddr_step *k = context;
    vreal inv_reach = vset(1 / (NEAR_REACH * k->p->s));
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->x, block);
        vreal near = vset(0);
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->x, j);
            vreal dx = i.x - b.x, dy = i.y - b.y, dz = i.z - b.z;
            vreal w = vmax(1 - vsqrt(dx * dx + dy * dy + dz * dz) * inv_reach, vset(0));
            near += vselect(i.w * b.w > 0, w * w, vset(0));
        }
        pair_store(k->rho_near, block, near);
    }
}

/* rho_near of a particle's own images in solids; those of others are farther. */
static real near_images(const flow_step *f, int i)
{
    real sum = 0;
    for (int a = NEAR_WALLS * i; a < NEAR_WALLS * (i + 1) && f->near.wall && f->near.solid[a] >= 0; a++) {
        real w = real_max(1 - 2 * f->near.wall[a].w / (NEAR_REACH * f->p->s), 0);
        sum += w * w;
    }
    return sum;
}

static void find_errors(int begin, int end, void *context)
{
    ddr_step *k = context;
    const flow_step *f = &k->flow;
    for (int i = begin; i < end; i++) {
        bool is_held = f->is_held && f->is_held[i];
        k->near_error[i] = is_held ? 0 : k->rho_near[i] + near_images(f, i) - 1;
    }
}

dew_result ddr_order(ddr_step *k)
{
    RESULT_TRY(flow_begin_shift(&k->flow));
    ARENA_TRY_ZEROED(k->w->scratch, k->all->end + 4, k->near_error);
    parallel_for(k->blocks, DDR_GRAIN, sum_near, k);
    parallel_for(k->count, 1024, find_errors, k);
    ghosts_copy(k->all, FIELD_REAL, k->near_error);
    flow_find_shift(&k->flow, &(flow_parting){NEAR_REACH, 2 * NEAR_SHARE / NEAR_REACH, FLOW_EVEN, k->near_error});
    return DEW_OK;
}
