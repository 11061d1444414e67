/* The shifts that mend without velocity: towards the rest density, apart, to even skins; order under suction is
 * order.c. */
#include "methods/pbf/physical.h"

/* Of rho/rho0: liquid that lacks more is mended as if it lacked this much. */
#define MOST_MISSING ((real)0.1)
/* One relaxed density correction, its multiplier in the payload of v. In that of x the kind: -1 for surface particles,
 * since only particles of one kind push each other apart (section 4.3). The norm D = sum |grad|^2 is the bulk's. */
static void put_correction(int begin, int end, void *context)
{
    physical *k = context;
    real factor = k->pace * (real)k->p->parameter[PBF_REGULARISE] / k->p->bulk_norm;
    for (int i = begin; i < end; i++) {
        bool is_surface = k->a.is_surface[i];
        k->a.x[i].w = is_surface ? -1 : 1;
        real excess = k->a.density[i] - k->fullness[i];
        /* Who draws next to a hollow draws what is around it together, away from it. */
        real most = is_surface || k->is_hollow[i] ? 0 : MOST_MISSING;
        k->a.v[i].w = factor * fmax(excess, -most);
        if (k->is_held && k->is_held[i]) k->a.v[i].w = 0;
    }
}

static void find_shift(int begin, int end, void *context)
{
    physical *k = context;
    const pbf_state *p = k->p;
    vreal inv_h = vset(1 / p->h), kernel = vset(p->kernel);
    vreal push = vset(k->pace * (real)p->parameter[PBF_PUSH]),
          reach = vset((real)p->parameter[PBF_PUSH_DISTANCE] * p->s / p->h);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->a.x, block), vi = pair_i(k->a.v, block);
        vreal x = vset(0), y = vset(0), z = vset(0);
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->a.x, j), vb = pair_j(k->a.v, j);
            vreal dx = (i.x - b.x) * inv_h, dy = (i.y - b.y) * inv_h, dz = (i.z - b.z) * inv_h;
            vreal q2 = dx * dx + dy * dy + dz * dz + (real)1e-12, inv_q = vrsqrt(q2), q = q2 * inv_q;
            vreal apart = vselect(i.w * b.w > 0, push, vset(0)) * vmax(reach - q, vset(0));
            vreal f = (apart - kernel * (vi.w + vb.w) * vcubic_spline_slope(q)) * inv_q;
            x += f * dx, y += f * dy, z += f * dz;
        }
        pair_store4(k->shift, block, x, y, z, vset(0));
    }
}

/* Surface particles with a closed ring go a part of the way to their Voronoi centroid as well. */
static void add_lloyd(int begin, int end, void *context)
{
    physical *k = context;
    const rings *r = &k->p->rings;
    real amount = k->pace * (real)k->p->parameter[PBF_LLOYD] / k->p->h;
    for (int n = begin; n < end; n++)
        if (!r->gaps[n]) real4_add(&k->shift[r->list[n]], real3_scale(amount, real3_of(r->shift[n])));
}

/* sums: of what pairs and cells shift, which is to leave the centre of mass where it is. */
static void apply_shift(int begin, int end, void *context, double *sums)
{
    physical *k = context;
    const pbf_state *p = k->p;
    real largest = (real)0.02 * p->s;
    for (int i = begin; i < end; i++) {
        real3 own = real3_scale(p->h, real3_add(real3_of(k->shift[i]), real3_of(k->order[i]))), d = own;
        if (k->solid) d = real3_madd(d, k->a.v[i].w * p->h, real3_of(k->solid[i]));
        real length = real3_length(d), part = length > largest ? largest / length : 1;
        k->shift[i] = real4_of(real3_scale(part, d), 0);
        sums[0] += (double)(part * own.x), sums[1] += (double)(part * own.y), sums[2] += (double)(part * own.z);
    }
}

static void go(int begin, int end, void *context)
{
    physical *k = context;
    for (int i = begin; i < end; i++) {
        real3 d = real3_sub(real3_of(k->shift[i]), k->astray);
        if (k->solid) d = near_walls_keep_out(&k->p->near, i, k->p->s / 2, real3_of(k->a.move[i]), d);
        real4_add(&k->a.x[i], d);
        real4_add(&k->a.move[i], d);
    }
}

void pbf_mend(physical *k)
{
    particles *store = k->w->particles;
    pbf_find_order(k);
    parallel_for(k->count, 4096, put_correction, k);
    particles_update_ghosts(store, FIELD_POSITION_INDEX);
    particles_update_ghosts(store, FIELD_VELOCITY_INDEX);
    parallel_for(k->blocks, PBF_GRAIN, find_shift, k);
    parallel_for(k->p->rings.count, 1024, add_lloyd, k);
    double sums[3], share = k->count > 0 ? 1.0 / k->count : 0;
    parallel_sum(k->count, 3, apply_shift, k, sums);
    /* Across a plane of symmetry the other half goes the other way. */
    for (int a = 0; a < 3; a++) (&k->astray.x)[a] = k->w->domain.axis[a] == DEW_SYMMETRY ? 0 : (real)(share * sums[a]);
}

void pbf_apply_mending(physical *k) { parallel_for(k->count, 4096, go, k); }
