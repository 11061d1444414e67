/* The force pass: pressure and viscosity between pairs, and near the surface the Shepard mean of the tension that
 * surface particles carry; from this the acceleration by the surface. */
#include "methods/sph/flow.h"

/* In |S| H: where there is less, tension does not act, where there is more than the other, wholly. Between them it
 * grows: cut off at once, it stirs the particles two layers deep, whose |S| comes and goes. */
#define NEAR_GRADIENT ((real)0.025)
#define WHOLE_GRADIENT ((real)0.075)

/* 1 over the |S| H of a plane's second layer, 0.27, from which on the surface's own pressure acts wholly. */
#define DEEP ((real)4)

/* The share of the tension below which the kernel is full of liquid and gas. */
#define FULL ((real)0.6)

/* Sums over pairs of a block. Of surface particles near: `weight`, their normals, how far out they lie (`depth`), and
 * the tension that they carry. */
typedef struct force_sums {
    vreal x, y, z;
    vreal weight, nx, ny, nz, depth;
    vreal gx, gy, gz, curvature;
} force_sums;

/* `has_tension`, known when compiled: the loop is over particles that may be surface, for a block that they act on.
 * Viscosity takes 1/r^2 roughly, the same of both particles of a pair: momentum is kept, and pressure takes r whole. */
static inline void add_forces(const flow *k, int block, pair_part j_part, const uint16_t *from, const uint16_t *to,
                              bool has_tension, vreal viscosity, force_sums *sums)
{
    vreal inv_support = vset(1 / k->p->support);
    vreal4 i = pair_i(k->a.x, block), vi = pair_i(k->a.v, block);
    vreal lacking = vset(LACKING_VISCOSITY) * viscosity, own = viscosity + lacking * vi.w;
    force_sums s = *sums;
    PAIRS_FROM(j, from, to)
    {
        vreal4 b = pair_j(k->a.x, j), vb = pair_j(k->a.v, j);
        vreal dx = i.x - b.x, dy = i.y - b.y, dz = i.z - b.z;
        vreal r2 = dx * dx + dy * dy + dz * dz, inv_r2 = vrcp_rough(r2 + (real)1e-30);
        vreal t = vmax(1 - vsqrt(r2) * inv_support, vset(0)), t3 = t * t * t;
        vreal along = dx * (vi.x - vb.x) + dy * (vi.y - vb.y) + dz * (vi.z - vb.z);
        vreal f = t3 * (i.w + b.w - (own + lacking * vb.w) * along * inv_r2);
        s.x += f * dx, s.y += f * dy, s.z += f * dz;
        if (has_tension) {
            vreal4 tension = pair_j(k->a.tension, j), n = pair_j(k->a.normal, j);
            vreal share = t3 * vb.w;
            s.weight += share, s.nx += share * n.x, s.ny += share * n.y, s.nz += share * n.z;
            s.depth -= share * (dx * n.x + dy * n.y + dz * n.z);
            s.gx += t3 * tension.x, s.gy += t3 * tension.y, s.gz += t3 * tension.z, s.curvature += t3 * tension.w;
        }
    }
    *sums = s;
}

/* `is_near`, known when compiled: the block's particles also gather the tension of surface particles. */
static inline void sum_block(flow *k, int block, bool is_near, vreal viscosity)
{
    const sph_state *p = k->p;
    vreal zero = vset(0), scale = vset(p->gradient / (p->support * p->support));
    bool is_whole = k->is_near[block] & BLOCK_WHOLE;
    force_sums s = {zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero};
    PAIR_PARTS(k->lists, block, j)
    {
        const uint16_t *front = !is_near ? j_part.begin : is_whole ? j_part.end : j_part.front;
        if (is_near) add_forces(k, block, j_part, j_part.begin, front, true, viscosity, &s);
        add_forces(k, block, j_part, front, j_part.end, false, viscosity, &s);
    }
    pair_store4(k->force, block, scale * s.x, scale * s.y, scale * s.z, s.weight);
    if (!is_near) return;
    pair_store4(k->pull, block, s.gx, s.gy, s.gz, s.curvature);
    pair_store4(k->facing, block, s.nx, s.ny, s.nz, s.depth);
}

static void sum_forces(int begin, int end, void *context)
{
    flow *k = context;
    vreal viscosity = vset(k->is_creeping ? 0 : (real)(10 * sph_viscosity_of(k->p, k->w)));
    for (int block = begin; block < end; block++) {
        if (k->is_near[block])
            sum_block(k, block, true, viscosity);
        else
            sum_block(k, block, false, viscosity);
    }
}

static void find_near_blocks(int begin, int end, void *context)
{
    flow *k = context;
    for (int block = begin; block < end; block++) {
        bool is_near = false;
        for (int i = PAIR_I * block; i < PAIR_I * block + PAIR_I && i < k->count; i++) {
            real3 s = real3_of(k->filled[i]);
            is_near |= real3_dot(s, s) > NEAR_GRADIENT * NEAR_GRADIENT;
        }
        k->is_near[block] = is_near ? k->is_near[block] | BLOCK_NEAR : 0;
    }
}

void sph_sum_forces(flow *k)
{
    particles *store = k->w->particles;
    parallel_for(k->blocks, 1024, find_near_blocks, k);
    particles_update_ghosts(store, FIELD_POSITION_INDEX);
    particles_update_ghosts(store, FIELD_VELOCITY_INDEX);
    particles_update_ghosts(store, k->p->tension);
    particles_update_ghosts(store, k->p->normal);
    parallel_for(k->blocks, SPH_GRAIN, sum_forces, k);
}

/* From the means of kappa and its gradient to the acceleration 2 gamma kappa S/rho. That force acts at depths z below
 * the surface, where liquid moves less than the surface does: in a flow without divergence, by z div_t v. So it would
 * do too little work, 2 gamma kappa |S| z div_t v over the layer, and the force that does this work, by parts, is -2
 * gamma |S| z grad_t kappa. The integral of |S| z over the layer is that of the kernel's empty part 1 - c, which is
 * used instead: it is at hand, and half of it is what pressure gradients lack along the surface where the kernel is not
 * filled. With the meshes' force only that half is needed. */
static real3 pull_of_curvature(const flow *k, int i)
{
    real4 s = k->filled[i];
    real inv_rho = 1 / k->rho, inv_support = 1 / k->p->support;
    real weight = k->is_near[i / PAIR_I] ? k->force[i].w : 0, size2 = real3_dot(real3_of(s), real3_of(s));
    bool is_mesh = k->mesh != NULL;
    if (is_mesh && sph_is_held(k, i)) return (real3){0, 0, 0};
    if (!(weight > 0) || !(size2 > NEAR_GRADIENT * NEAR_GRADIENT)) return (real3){0, 0, 0};
    real inv_weight = 1 / weight, curvature = k->pull[i].w * inv_weight;
    real3 gradient = real3_scale(inv_weight, real3_of(k->pull[i]));
    gradient = real3_madd(gradient, -real3_dot(gradient, real3_of(s)) / size2, real3_of(s));
    real3 f = real3_scale((is_mesh ? 1 : 2) * real_min(s.w - 1, 0), gradient);
    if (!is_mesh) {
        real3 inward = real3_of(s), n = real3_of(k->a.normal[i]);
        real tangential = sph_wetted(k, i) > 0 ? 0 : k->a.v[i].w;
        inward = real3_madd(real3_scale(1 - tangential, inward), tangential * real3_dot(inward, n), n);
        f = real3_madd(f, 2 * curvature * inv_support, inward);
    }
    real part = (sqrt(size2) - NEAR_GRADIENT) / (WHOLE_GRADIENT - NEAR_GRADIENT);
    f = real3_scale(inv_rho * real_min(part, 1), f);
    real company = sph_is_held(k, i) ? k->bare[i].w / sph_free(k, i) : sph_filled_by_fluid(k, i);
    f = real3_scale(sph_body(company), f);
    return k->gas ? real3_scale(sph_tension_share(k, i), f) : f;
}

/* Under suction -2 p S draws who is out of order out of it further, and voids open; where a gas fills the kernels it
 * holds particles in a lattice that has to yield before liquid flows around a bubble. So what S is beyond that of the
 * surface above, which balances the tension, does not act (p_j - p_i in place of p_i + p_j: Sun, Colagrossi, Marrone,
 * Antuono, Zhang 2018). Next to solids, which take of S, the surface's S is what depth tells; elsewhere, to the second
 * layer, S itself. */
static real3 pressure_on_disorder(const flow *k, int i)
{
    real p = k->gas ? k->a.x[i].w : real_min(k->a.x[i].w, 0);
    bool is_open = k->a.is_surface[i] && !(k->gas && sph_tension_share(k, i) < FULL);
    if (p == 0 || is_open) return (real3){0, 0, 0};
    bool is_held = sph_is_held(k, i), is_near = k->is_near[i / PAIR_I] && k->force[i].w > 0;
    real3 s = is_held ? real3_madd(real3_of(k->bare[i]), k->touch[i], real3_of(k->solid[i])) : sph_whole_gradient(k, i);
    real slope = k->facing[i].w;
    if (is_near && slope >= 0) {
        real3 n = real3_of(k->facing[i]);
        real normal = real3_dot(s, n), part = is_held ? 1 : real_max(1 - DEEP * slope, 0);
        s = real3_madd(s, part * (normal + slope) - normal, n);
    }
    return real3_scale(2 * p / k->p->support, s);
}

void sph_find_pulls(int begin, int end, flow *k)
{
    real inv_mass = (real)(1 / k->w->particle_mass[0]);
    for (int i = begin; i < end; i++) {
        real3 f = pull_of_curvature(k, i);
        if (k->mesh) f = real3_madd(f, inv_mass, real3_of(k->mesh[i]));
        if (sph_is_held(k, i)) {
            k->mended[i] = real4_of(sph_along_wall(k, i), 0);
            f = real3_add(f, real3_of(k->mended[i]));
        }
        k->pull[i] = real4_of(real3_add(f, pressure_on_disorder(k, i)), 0);
    }
}
