/* A gas as a second fluid: particles of the second material, as large as the liquid's, lighter. Pressure, density and
 * viscosity know no difference; the surface is that of the liquid alone.
 *
 * Where a surface meets gas its kernel is full. Between liquid at p and gas at q the pair force comes to -(p - q) S on
 * either side of the interface, S that of the liquid, so the tension is gamma kappa S on both; against empty space it
 * is -2 p S, and twice as much on the liquid alone (flow.c). In between by what share of the kernel's part without
 * liquid holds gas. */
#include "methods/sph/flow.h"

static void mark_liquid(int begin, int end, void *context)
{
    flow *k = context;
    real scale = sph_diffusion(k) / (k->rho * k->sound * k->sound);
    real3 g = {(real)k->w->gravity.x, (real)k->w->gravity.y, (real)k->w->gravity.z};
    for (int i = begin; i < end; i++) {
        k->a.v[i].w = sph_is_gas(k, i) ? 0 : 1;
        if (sph_is_gas(k, i)) /* the weight of gas at rest is its own */
            k->a.x[i].w += scale * (k->rho - k->rho / k->lightness) * real3_dot(g, real3_of(k->a.x[i]));
    }
}

void sph_mark_liquid(flow *k)
{
    if (k->gas) parallel_for(k->count, 4096, mark_liquid, k);
}

/* The liquid's part of each kernel, and what diffused across the interface: that is taken back, for the jump of the
 * pressure is to stay. */
static void sum_liquid(int begin, int end, void *context)
{
    flow *k = context;
    const sph_state *p = k->p;
    vreal inv_support = vset(1 / p->support), kernel = vset(p->kernel), gradient = vset(p->gradient / p->support);
    vreal scale = vset(p->gradient / (p->support * p->support));
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->a.x, block), vi = pair_i(k->a.v, block);
        vreal c = vset(0), across = vset(0), sx = vset(0), sy = vset(0), sz = vset(0);
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->a.x, j), vb = pair_j(k->a.v, j);
            vreal dx = i.x - b.x, dy = i.y - b.y, dz = i.z - b.z;
            vreal t = vmax(1 - vsqrt(dx * dx + dy * dy + dz * dz) * inv_support, vset(0));
            vreal t2 = t * t, t3 = t2 * t, other = vi.w - vb.w;
            c += vb.w * t2 * t2 * (5 - 4 * t);
            across += other * other * t3 * (b.w - i.w);
            t3 = vb.w * t3;
            sx -= t3 * dx, sy -= t3 * dy, sz -= t3 * dz;
        }
        pair_store4(k->gas, block, gradient * sx, gradient * sy, gradient * sz, kernel * c);
        pair_store(k->across, block, scale * across);
    }
}

static void take_apart(int begin, int end, void *context)
{
    flow *k = context;
    for (int i = begin; i < end; i++) {
        real4 all = k->filled[i], liquid = k->gas[i];
        k->gas[i] = (real4){all.x - liquid.x, all.y - liquid.y, all.z - liquid.z, all.w - liquid.w};
        k->filled[i] = liquid;
        k->spread[i] -= k->across[i];
    }
}

void sph_take_apart(flow *k)
{
    if (!k->gas) return;
    parallel_for(k->blocks, SPH_GRAIN, sum_liquid, k);
    parallel_for(k->count, 4096, take_apart, k);
}

real sph_tension_share(const flow *k, int i)
{
    if (sph_is_gas(k, i)) return (real)0.5;
    real empty = fmax(1 - k->filled[i].w, (real)0.02), share = fmin(fmax(k->gas[i].w, (real)0) / empty, (real)1);
    return 1 - share / 2;
}

static void add_bare(int begin, int end, void *context)
{
    flow *k = context;
    for (int i = begin; i < end; i++) {
        if (k->wall_solid[i] < 0) continue;
        real4 *s = &k->bare[i], g = k->gas[i];
        s->x += g.x, s->y += g.y, s->z += g.z, s->w += g.w;
    }
}

void sph_join_gas(flow *k)
{
    if (k->gas && k->wall) parallel_for(k->count, 4096, add_bare, k);
}

dew_result sph_open_gas(flow *k)
{
    if (k->w->material_count < 2) return DEW_OK;
    ARENA_TRY(k->w->scratch, k->count, k->gas, k->across);
    k->lightness = (real)(k->w->materials[0].density / k->w->materials[1].density);
    return DEW_OK;
}

dew_result sph_check_gas(const sph_state *p, const world *w)
{
    if (w->material_count < 2) return DEW_OK;
    const dew_material_def *liquid = &w->materials[0], *gas = &w->materials[1];
    if (w->material_count > 2)
        return result_fail(DEW_INVALID, "sph knows a liquid and a gas; there are %d materials", w->material_count);
    if (sph_tension_mode(p) != SPH_TENSION_CURVATURE)
        return result_fail(DEW_INVALID,
                           "sph: tension: %s knows one liquid only; there are 2 materials, which take "
                           "tension: curvature",
                           sph_tension_mode(p) == SPH_TENSION_PAPER ? "paper" : "area");
    if (gas->density > liquid->density || gas->density < 0.001 * liquid->density)
        return result_fail(DEW_INVALID,
                           "sph takes the first material for the liquid and the second for a gas: the density of '%s', "
                           "%g kg/m3, must be between 1/1000 of that of '%s' and all of it, %g kg/m3",
                           gas->name, gas->density, liquid->name, liquid->density);
    return DEW_OK;
}
