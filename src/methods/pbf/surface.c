/* The liquid's skin: density and colour gradient in one pass over pairs, then which particles are surface, their
 * normals and rings (section 4.1, 4.2). Near a solid the wall fills the part of the kernel behind it, hides directions
 * from view, and lends the normal its wetted share, so that the liquid's normal meets the wall at the contact
 * angle. */
#include "solids/wetting.h"

#include "methods/pbf/pbf.h"

typedef struct skin {
    pbf_state *p;
    world *w;
    pbf_arrays a;
    pair_lists lists;
    real4 *gradient; /* h grad c of the liquid; w = density/rho0 */
    uint8_t *is_candidate;
    real *ease; /* of what it takes to be on the surface, next to a solid */
    real *box;  /* half side of the Voronoi box that a ring starts from; 0: that of all */
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

/* Adds the wall to density and gradient; decides who may be on the surface. */
static void judge_gradients(int begin, int end, void *context)
{
    skin *k = context;
    const pbf_state *p = k->p;
    for (int i = begin; i < end; i++) {
        real4 g = k->gradient[i];
        real3 whole = {g.x, g.y, g.z}, normal = whole;
        real threshold = LEAST_GRADIENT;
        k->ease[i] = 1;
        if (near_walls_has(&p->near, i)) {
            walls_here here = near_walls_at(&p->near, i, (real3){0, 0, 0}, 1 / p->h, &p->half_space);
            for (int a = 0; a < here.count; a++) {
                real4 wall = p->near.wall[NEAR_WALLS * i + a];
                real cosine = (real)pbf_cosine_at(k->w, p->near.solid[NEAR_WALLS * i + a]);
                real slope = here.part[a] * half_space_at(p->half_space.slope, here.distance[a]);
                g.w += here.share[a] * half_space_at(p->filled, here.distance[a]);
                whole = real3_madd(whole, -slope, real3_of(wall));
                normal =
                    real3_madd(normal, -slope * wetted_share(p->fractions, p->h, p->s, wall.w, cosine), real3_of(wall));
            }
            if (p->wall[i].w < (real)1.5 * p->s) {
                k->ease[i] = wetting_ease((real)pbf_cosine(p, k->w, i));
                threshold *= (real)(0.5 / 0.55) * k->ease[i];
            }
        }
        k->a.density[i] = g.w;
        real size = real3_length(whole), length = real3_length(normal);
        real scale = length > 0 ? -1 / length : 0;
        k->a.normal[i] = (real4){scale * normal.x, scale * normal.y, scale * normal.z, size};
        k->is_candidate[i] = size > threshold || g.w < (real)0.55;
    }
}

/* Boxes are smaller next to a wall, where the liquid ends. */
static void choose_boxes(int begin, int end, void *context)
{
    const skin *k = context;
    const pbf_state *p = k->p;
    for (int i = begin; i < end; i++)
        k->box[i] = p->wall_solid[i] < 0 ? 0 : ring_box_at_solid(p->wall[i].w, pbf_cosine(p, k->w, i), p->s);
}

dew_result pbf_find_surface(pbf_state *p, world *w, bool with_rings)
{
    particles *store = w->particles;
    int count = store->count, blocks = PAIR_BLOCKS(count);
    skin k = {.p = p, .w = w, .a = pbf_arrays_of(p, w), .lists = neighbours_lists(w->neighbours)};
    ARENA_TRY(w->scratch, count, p->surface_list);
    size_t mark = arena_mark(w->scratch);
    ARENA_TRY(w->scratch, count, k.gradient, k.is_candidate, k.ease);

    parallel_for(count, 4096, put_volumes, &k);
    particles_update_ghosts(store, FIELD_POSITION_INDEX);
    parallel_for(blocks, PBF_GRAIN, sum_density, &k);
    parallel_for(count, 1024, judge_gradients, &k);

    surface_detection how = {p->s, p->wall, k.ease, k.is_candidate, k.a.is_surface, k.a.unrest, false};
    RESULT_TRY(surface_detect(&how, w->neighbours, k.a.x, count, w->scratch));
    particles_update_ghosts(store, p->is_surface);
    particles_update_ghosts(store, p->normal);
    p->surface_count = surface_compact(k.a.is_surface, count, p->surface_list);
    arena_release(w->scratch, mark);
    return with_rings ? pbf_find_rings(p, w, NULL) : DEW_OK;
}

dew_result pbf_find_rings(pbf_state *p, world *w, const uint8_t *is_filament)
{
    int count = w->particles->count;
    pbf_arrays a = pbf_arrays_of(p, w);
    ring_params params = {.reach = p->h, .box = 3 * p->s, .film_check = true, .is_thread = is_filament};
    if (p->wall) {
        skin k = {.p = p, .w = w};
        ARENA_TRY(w->scratch, count, k.box);
        parallel_for(count, 4096, choose_boxes, &k);
        params.box_of = k.box;
    }
    return surface_rings(&params, w->neighbours, w->particles, a.x, a.normal, a.is_surface, p->surface_list,
                         p->surface_count, w->scratch, &p->rings);
}
