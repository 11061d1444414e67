/* Forces at the surface, which lies d above the centres of its particles (depth.c). What is there moves with
 *
 *     v + d dv/dn,    dv/dn = c sum (n . A_i^-T w_ij) (v_i - v_j)
 *
 * (fit.c), exact for linear flow, and the adjoint of that says on whom a force there acts: it does the work that it
 * does at the surface, and its sum is the same. Centres of a wave move less than its surface, by exp(-k s/2). On solids
 * forces act on centres, as what pulls at a line is in balance but for noise. */
#include "methods/flow/flow.h"

typedef struct lifting {
    flow_step *k;
    real4 *force;
} lifting;

/* lean = c d M^T n of surface particles, change = their forces */
static void put_levers(int begin, int end, void *context)
{
    const lifting *l = context;
    flow_step *k = l->k;
    real scale = k->p->c.gradient;
    for (int i = begin; i < end; i++) {
        k->change[i] = real4_of(real3_of(l->force[i]), 0), k->lean[i] = (real4){0, 0, 0, 0};
        if (!k->is_surface[i]) continue;
        real lever = (1 - flow_lies_on_solid(k, i)) * scale * k->depth[i];
        k->lean[i] = real4_of(real3_scale(lever, real3_of(k->across[i])), 0);
    }
}

static void spread_levers(int begin, int end, void *context)
{
    const lifting *l = context;
    flow_step *k = l->k;
    vreal inv_h = vset(k->inv_h), none = vset(0);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->x, block), g = pair_i(k->lean, block), e = pair_i(k->change, block);
        block_mirrors faces = mirrors_of_block(&k->mirrors, block);
        bool has_lever = vless(none, vdot3(g, g));
        vreal x = vset(0), y = vset(0), z = vset(0), arm[3] = {vset(0), vset(0), vset(0)};
        PAIRS(k->lists, block, j)
        {
            vreal4 h = pair_j(k->lean, j), b = pair_j(k->x, j), o = pair_j(k->change, j);
            if (!has_lever && !vless(none, vdot3(h, h))) continue;
            vreal4 d = {(i.x - b.x) * inv_h, (i.y - b.y) * inv_h, (i.z - b.z) * inv_h, vset(0)};
            vreal unused;
            vreal4 w = flow_weigh_pair(k, &faces, j, d, &unused, NULL).along;
            vreal own = vdot3(g, w), other = vdot3(h, w);
            x += own * e.x + other * o.x, y += own * e.y + other * o.y, z += own * e.z + other * o.z;
            arm[0] += own * d.x, arm[1] += own * d.y, arm[2] += own * d.z;
        }
        if (k->arm) pair_store4(k->arm, block, k->h * arm[0], k->h * arm[1], k->h * arm[2], vset(0));
        pair_store4(k->force, block, x, y, z, vset(0)); /* by area there is no potential */
    }
}

static void add_levers(int begin, int end, void *context)
{
    const lifting *l = context;
    for (int i = begin; i < end; i++) real4_add(&l->force[i], real3_of(l->k->force[i]));
}

void flow_lift(flow_step *k, real4 *force)
{
    lifting l = {k, force};
    parallel_for(k->count, 4096, put_levers, &l);
    particles_update_ghosts(k->all, k->p->lean);
    particles_update_ghosts(k->all, k->p->change);
    parallel_for(k->blocks, FLOW_GRAIN, spread_levers, &l);
    parallel_for(k->count, 4096, add_levers, &l);
}
