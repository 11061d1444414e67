/* The liquid's skin: density and colour gradient in one pass over pairs, then which particles are surface, their
 * normals and rings (section 4.1, 4.2). */
#include "methods/pbf/pbf.h"

typedef struct skin {
    pbf_state *p;
    pbf_arrays a;
    pair_lists lists;
    real4 *gradient; /* h grad c of the liquid; w = density/rho0 */
    uint8_t *is_candidate;
} skin;

/* Least |h grad c| of surface particles. */
#define LEAST_GRADIENT ((real)0.55)

/* The payload of x is the particle's volume over V0 as of the last density. */
static void put_volumes(int begin, int end, void *context)
{
    skin *k = context;
    for (int i = begin; i < end; i++) k->a.x[i].w = k->a.density[i] > 0 ? 1 / k->a.density[i] : 1;
}

static void sum_density(int begin, int end, void *context)
{
    skin *k = context;
    vreal inv_h = vset(1 / k->p->h);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->a.x, block);
        vreal rho = vset(0), gx = vset(0), gy = vset(0), gz = vset(0);
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->a.x, j);
            vreal dx = (i.x - b.x) * inv_h, dy = (i.y - b.y) * inv_h, dz = (i.z - b.z) * inv_h;
            vreal q2 = dx * dx + dy * dy + dz * dz + (real)1e-12, inv_q = vrsqrt(q2), q = q2 * inv_q;
            rho += vcubic_spline(q);
            vreal f = b.w * vcubic_spline_slope(q) * inv_q;
            gx += f * dx, gy += f * dy, gz += f * dz;
        }
        vreal a = vset(k->p->kernel);
        pair_store4(k->gradient, block, a * gx, a * gy, a * gz, a * rho);
    }
}

/* Decides who may be on the surface. */
static void judge_gradients(int begin, int end, void *context)
{
    skin *k = context;
    for (int i = begin; i < end; i++) {
        real4 g = k->gradient[i];
        real size = real3_length(real3_of(g)), scale = size > 0 ? -1 / size : 0;
        k->a.density[i] = g.w;
        k->a.normal[i] = (real4){scale * g.x, scale * g.y, scale * g.z, size};
        k->is_candidate[i] = size > LEAST_GRADIENT || g.w < (real)0.55;
    }
}

dew_result pbf_find_surface(pbf_state *p, world *w)
{
    particles *store = w->particles;
    int count = store->count;
    skin k = {.p = p, .a = pbf_arrays_of(p, w), .lists = neighbours_lists(w->neighbours)};
    ARENA_TRY(w->scratch, count, p->surface_list);
    size_t mark = arena_mark(w->scratch);
    ARENA_TRY(w->scratch, count, k.gradient, k.is_candidate);

    parallel_for(count, 4096, put_volumes, &k);
    particles_update_ghosts(store, FIELD_POSITION_INDEX);
    parallel_for(PAIR_BLOCKS(count), PBF_GRAIN, sum_density, &k);
    parallel_for(count, 1024, judge_gradients, &k);

    surface_detection how = {p->s, NULL, NULL, k.is_candidate, k.a.is_surface, k.a.unrest, false, 0};
    RESULT_TRY(surface_detect(&how, w->neighbours, k.a.x, count, w->scratch));
    particles_update_ghosts(store, p->is_surface);
    particles_update_ghosts(store, p->normal);
    p->surface_count = surface_compact(k.a.is_surface, count, p->surface_list);
    arena_release(w->scratch, mark);
    return DEW_OK;
}

dew_result pbf_find_rings(pbf_state *p, world *w, const uint8_t *is_filament)
{
    pbf_arrays a = pbf_arrays_of(p, w);
    ring_params params = {.reach = p->h, .box = 3 * p->s, .film_check = true, .is_thread = is_filament};
    return surface_rings(&params, w->neighbours, w->particles, a.x, a.normal, a.is_surface, p->surface_list,
                         p->surface_count, w->scratch, &p->rings);
}
