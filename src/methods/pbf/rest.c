/* The shifts that mend without velocity: towards the rest density, apart, and to even skins. */
#include "methods/pbf/physical.h"

/* A speed over sqrt(gamma/(rho s)): where the tension is balanced, particles are pushed apart in full where they move
 * against each other this fast. Flow brings them too near each other; in a drop at rest the push would only stir. */
#define PUSH_SPEED 0.1

/* Where the inside is sucked, densities as much too low as this are corrected too: the solver holds them as they are.
 */
#define LOWEST_ERROR ((real)-0.1)

/* One relaxed density correction, its multiplier in the payload of v. In that of x the kind: -1 for surface particles,
 * since only particles of one kind push each other apart (section 4.3). The norm D = sum |grad|^2 is the bulk's. */
static void put_correction(int begin, int end, void *context)
{
    physical *k = context;
    real factor = (real)k->p->parameter[PBF_REGULARISE] / k->p->bulk_norm;
    real lowest = k->p->parameter[PBF_SUCTION] > 0 ? LOWEST_ERROR : 0;
    for (int i = begin; i < end; i++) {
        bool is_surface = k->a.is_surface[i];
        k->a.x[i].w = is_surface ? -1 : 1;
        k->a.v[i].w = factor * fmax(k->a.density[i] - k->fullness[i], is_surface ? (real)0 : lowest);
    }
}

static void find_shift(int begin, int end, void *context)
{
    physical *k = context;
    const pbf_state *p = k->p;
    vreal inv_h = vset(1 / p->h), kernel = vset(p->kernel);
    vreal push = vset((real)p->parameter[PBF_PUSH]), reach = vset((real)p->parameter[PBF_PUSH_DISTANCE] * p->s / p->h);
    const dew_material_def *m = &k->w->materials[0];
    double full = PUSH_SPEED * sqrt(m->surface_tension / (m->density * (double)p->s));
    bool by_speed = p->parameter[PBF_BALANCED] > 0.5 && full > 0;
    vreal per_speed = vset(by_speed ? (real)(1 / full) : 0), always = vset(by_speed ? 0 : 1), one = vset(1);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->a.x, block), vi = pair_i(k->a.v, block);
        vreal x = vset(0), y = vset(0), z = vset(0);
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->a.x, j), vb = pair_j(k->a.v, j);
            vreal ux = vi.x - vb.x, uy = vi.y - vb.y, uz = vi.z - vb.z;
            vreal share = vmin(always + per_speed * vsqrt(ux * ux + uy * uy + uz * uz), one);
            vreal dx = (i.x - b.x) * inv_h, dy = (i.y - b.y) * inv_h, dz = (i.z - b.z) * inv_h;
            vreal q2 = dx * dx + dy * dy + dz * dz + (real)1e-12, inv_q = vrsqrt(q2), q = q2 * inv_q;
            vreal apart = vselect(i.w * b.w > 0, share * push, vset(0)) * vmax(reach - q, vset(0));
            vreal f = (apart - kernel * (vi.w + vb.w) * vcubic_spline_slope(q)) * inv_q;
            x += f * dx, y += f * dy, z += f * dz;
        }
        pair_store4(k->shift, block, x, y, z, vset(0));
    }
}

/* Moves x by the clamped shift; surface particles with a closed ring also a part of the way to their Voronoi centroid.
 */
static void apply_shift(int begin, int end, void *context)
{
    physical *k = context;
    const pbf_state *p = k->p;
    real largest = (real)0.02 * p->s;
    for (int i = begin; i < end; i++) {
        real3 d = real3_scale(p->h, real3_of(k->shift[i]));
        if (p->wall && p->wall_solid[i] >= 0) {
            real slope = pbf_fraction_slope(p->fractions, p->wall[i].w / p->h);
            d = real3_madd(d, k->a.v[i].w * slope * p->h, real3_of(p->wall[i]));
        }
        real length = real3_length(d);
        if (length > largest) d = real3_scale(largest / length, d);
        real4_add(&k->a.x[i], d);
    }
}

static void apply_lloyd(int begin, int end, void *context)
{
    physical *k = context;
    const rings *r = &k->p->rings;
    real amount = (real)k->p->parameter[PBF_LLOYD];
    for (int n = begin; n < end; n++)
        if (!r->gaps[n]) real4_add(&k->a.x[r->list[n]], real3_scale(amount, real3_of(r->shift[n])));
}

/* Particles that a fill or a shift left too near a solid are moved out at once. Solids stand where the step ends, so
 * what they will travel in it is not counted. */
static void leave_solids(int begin, int end, void *context)
{
    physical *k = context;
    const pbf_state *p = k->p;
    for (int i = begin; i < end; i++) {
        if (p->wall_solid[i] < 0 || p->wall[i].w >= p->s / 2) continue;
        real3 n = real3_of(p->wall[i]);
        real3 velocity = solids_velocity(k->w->solids, p->wall_solid[i], real3_of(k->a.x[i]));
        real depth = p->s / 2 - (p->wall[i].w + fmax(k->dt * real3_dot(velocity, n), (real)0));
        if (depth <= 0) continue;
        real4_add(&k->a.x[i], real3_scale(depth, n));
        p->wall[i].w += depth;
    }
}

dew_result pbf_rest_density(physical *k)
{
    particles *store = k->w->particles;
    pbf_find_fullness(k->p, k->w, k->excess, k->shift, k->fullness);
    parallel_for(k->count, 4096, put_correction, k);
    particles_update_ghosts(store, FIELD_POSITION_INDEX);
    particles_update_ghosts(store, FIELD_VELOCITY_INDEX);
    parallel_for(k->blocks, PBF_GRAIN, find_shift, k);
    parallel_for(k->count, 4096, apply_shift, k);
    parallel_for(k->p->rings.count, 1024, apply_lloyd, k);
    if (k->p->wall) {
        RESULT_TRY(pbf_find_walls(k->p, k->w));
        parallel_for(k->count, 4096, leave_solids, k);
    }
    particles_update_ghosts(store, FIELD_POSITION_INDEX);
    return DEW_OK;
}
