/* Which particles are surface, their normals, and the curvature there.
 *
 * Surface particles (a sixth of a drop of 43 K) are copied to a store of their own (surface/points.h). Their weight is
 * by how empty the kernel is, 1 - c, and how steep; normals are -S/|S|. What follows from both, normals without noise,
 * curvature, and what draws the points level, surface/curvature.c finds, what of the curvature that does not tell
 * surface/mesh_curvature.c. That the surface is drawn level is a displacement: a force would ring. */
#include "surface/curvature.h"
#include "methods/sph/flow.h"

#include "particles/ghosts.h"
#include "surface/bends.h"
#include "surface/mesh_curvature.h"
#include "surface/surface.h"

#include <string.h>

/* Filled part of the kernel: who has less is copied too, as it may come to the surface before the lists are made anew.
 */
#define FILLED_CANDIDATE ((real)0.935)

/* maxima: 1 if some surface particle is not in the surface store; 1 if one is not in front. */
static void find_surface(int begin, int end, void *context, double *maxima)
{
    flow *k = context;
    bool is_missed = false, is_behind = false;
    for (int i = begin; i < end; i++) {
        real body = sph_body(k->filled[i].w), filled = k->filled[i].w;
        real3 n = real3_scale(-1, real3_of(k->filled[i]));
        real size = real3_length(n);
        if (k->may_see) k->may_see[i] = sph_may_see(k, i);
        if (sph_is_gas(k, i)) {
            filled = 1;
            if (k->wall) k->bare[i] = k->filled[i];
        } else if (sph_is_held(k, i)) {
            n = sph_extend_liquid(k, i, &filled);
            size = 1;
        }
        bool is_wall = sph_is_held(k, i);
        real weight = size > (real)0.05 ? body * surface_emptiness(filled) : 0;
        if (weight > 0 && !is_wall) weight *= surface_openness(filled, size);
        if (!k->may_see) k->a.is_surface[i] = weight > (real)0.5;
        bool is_point = weight > 0 || (k->may_see && k->may_see[i]);
        is_missed |= is_point && !k->a.is_candidate[i], is_behind |= weight > 0 && !k->a.is_front[i];
        k->a.v[i].w = weight;
        real scale = weight > 0 ? 1 / size : 0;
        k->a.normal[i] = real4_of(real3_scale(scale, n), real3_length(real3_of(k->filled[i])));
        k->a.tension[i] = (real4){0, 0, 0, 0};
        k->a.mean_curvature[i] = 0;
    }
    if (is_missed) maxima[0] = 1;
    if (is_behind) maxima[1] = 1;
}

static void find_candidates(int begin, int end, void *context)
{
    flow *k = context;
    for (int i = begin; i < end; i++)
        k->a.is_candidate[i] =
            !sph_is_gas(k, i) && (k->a.v[i].w > 0 || (k->filled[i].w < FILLED_CANDIDATE && !sph_is_held(k, i)) ||
                                  (k->may_see && k->may_see[i]));
}

typedef struct surface_pass {
    flow *k;
    surface_points *points;
    const int32_t *slot;
    surface_curvature found;
    /* kappa by the area of the meshes, 1/m; NULL: of no account. How far points are from bends. By the particles' own
     * slots, who may lie on the mesh; then, who does. */
    real *mesh;
    uint8_t *away, *sees;
} surface_pass;

/* Least squares over a reach do not tell what turns a normal by a radian within half of it: the neck of two drops that
 * touch grew at half its speed. So what the meshes' area has beyond them counts from 1/reach on, and from twice that on
 * wholly. Where they agree, as at rest, tension is as smooth as the normals are. */
static real beyond_reach(const flow *k, real mesh, real fitted)
{
    real more = mesh - fitted, reach = (real)k->p->parameter[SPH_CURVATURE_SUPPORT] * k->p->s;
    return more * real_min(real_max(fabs(more) * reach - 1, 0), 1);
}

/* The line up a solid's normal, at the surface, s/2 above the points. */
static real bend_of(const surface_curvature *found, int n, real4 wall, real spacing)
{
    real bend = surface_curvature_along(found, n, real3_of(wall)), most = 1 / spacing;
    bend /= real_max(1 + bend * spacing / 2, (real)0.25);
    return real_min(real_max(bend, -most), most);
}

/* To the particles' own slots. */
static void put_tension(int begin, int end, void *context)
{
    const surface_pass *s = context;
    const surface_curvature *found = &s->found;
    flow *k = s->k;
    real speed = (real)k->p->parameter[SPH_EVEN] * k->dt * k->order / (k->p->support * found->weights_of_plane);
    for (int n = begin; n < end; n++) {
        int i = s->slot[n];
        real4 kappa = found->sharpened[n];
        real weight = k->gamma * s->points->store.position[n].w;
        if (s->mesh && !sph_is_held(k, i)) kappa.w += beyond_reach(k, s->mesh[n], found->curvature[n]);
        k->a.tension[i] = real4_of(real3_scale(weight, real3_of(kappa)), weight * kappa.w);
        k->a.mean_curvature[i] = found->curvature[n] / 2;
        k->a.normal[i] = real4_of(real3_of(found->normal[n]), k->a.normal[i].w);
        if (sph_is_held(k, i)) k->a.bend[i] = bend_of(found, n, k->wall[i], k->p->s);
        k->even[i] = real4_of(real3_scale(speed, real3_of(found->even[n])), 0);
    }
}

/* Fills the surface store and makes its lists, which hold for as long as those of all particles. Where these were made
 * before, a point that went its allowance one way may still go to its end the other way. */
static dew_result make_lists(flow *k)
{
    sph_state *p = k->p;
    parallel_for(k->count, 4096, find_candidates, k);
    ARENA_ARRAY(k->w->scratch, k->count, int32_t, list);
    int count = surface_compact(k->a.is_candidate, k->count, list);
    points_reach reach = {.reach = p->parameter[SPH_CURVATURE_SUPPORT] * k->w->spacing,
                          .skin = neighbours_skin(k->w->neighbours),
                          .allowance = k->a.allowance,
                          .times = p->listed < k->w->time ? 2 : 1};
    return surface_points_fill(&p->surface, k->a.x, list, count, reach, &k->w->domain, k->w->scratch);
}

/* The image of x across periodic faces that is nearest to `near`: points are wrapped when their lists are made, the
 * particles that they are copies of when those of all are. */
static real4 nearest_image(const dew_domain_def *d, real4 x, real4 near)
{
    for (int a = 0; a < 3; a++) {
        if (d->axis[a] != DEW_PERIODIC) continue;
        double period = (&d->max.x)[a] - (&d->min.x)[a], away = (double)(&x.x)[a] - (double)(&near.x)[a];
        if (fabs(away) > period / 2) (&x.x)[a] = (real)((double)(&x.x)[a] - period * round(away / period));
    }
    return x;
}

static void copy_surface(int begin, int end, void *context)
{
    const surface_pass *s = context;
    const flow *k = s->k;
    for (int n = begin; n < end; n++) {
        int i = s->slot[n];
        /* Solids hold those next to them, which need not be evened out. */
        real free = sph_wetted(k, i) > 0 ? real_min(real_max(k->wall[i].w / k->p->s - 1, 0), 1) : 1;
        real4 x = nearest_image(&k->w->domain, k->a.x[i], s->points->store.position[n]), normal = k->a.normal[i];
        s->points->store.position[n] = real4_of(real3_of(x), k->a.v[i].w);
        normal.w = free;
        s->points->store.velocity[n] = normal;
    }
}

/* The blocks that have a surface particle in their list, and not in front: those in whose list they are. */
static dew_result mark_whole(flow *k)
{
    const particles *store = k->w->particles;
    ARENA_ARRAY_ZEROED(k->w->scratch, store->end, uint8_t, is_marked);
    for (int i = 0; i < k->count; i++) {
        if (!(k->a.v[i].w > 0) || k->a.is_front[i]) continue;
        for (pair_part part = pair_first(k->lists, i / 4); part.begin; part = pair_next(part))
            for (const uint16_t *at = part.begin; at < part.end; at++) is_marked[part.base + *at] = 1;
    }
    ghosts_mark_owners(store, is_marked);
    for (int i = 0; i < k->count; i++)
        if (is_marked[i]) k->is_near[i / PAIR_I] = BLOCK_WHOLE;
    return DEW_OK;
}

/* Who of the points may lie on the mesh. */
static void copy_candidates(int begin, int end, void *context)
{
    const surface_pass *s = context;
    for (int n = begin; n < end; n++) {
        int i = s->slot[n];
        s->sees[i] = s->away[n] < MESH_FAR && sph_may_see(s->k, i);
        s->mesh[n] = s->found.curvature[n];
    }
}

static void copy_seen(int begin, int end, void *context)
{
    const surface_pass *s = context;
    uint8_t *is_surface = particles_field(&s->points->store, s->points->is_surface);
    for (int n = begin; n < end; n++) is_surface[n] = s->sees[s->slot[n]];
}

/* Light tells who lies on the mesh, next to bends alone: it costs as much as all else of the surface. */
static dew_result find_mesh_curvature(surface_pass *s)
{
    flow *k = s->k;
    int count = s->points->store.count;
    arena *memory = k->w->scratch;
    bool is_bent;
    ARENA_TRY(memory, count, s->away);
    surface_find_bends(s->points, s->away, &is_bent);
    if (!is_bent) return DEW_OK;
    ARENA_TRY(memory, count, s->mesh);
    ARENA_TRY_ZEROED(memory, k->count, s->sees);
    parallel_for(count, 1024, copy_candidates, s);
    ARENA_ARRAY(memory, k->count, uint8_t, was_surface);
    memcpy(was_surface, k->a.is_surface, (size_t)k->count);
    RESULT_TRY(sph_see_out(k, s->sees, was_surface));
    s->sees = was_surface;
    parallel_for(count, 1024, copy_seen, s);
    particles_update_ghosts(&s->points->store, s->points->is_surface);
    return surface_mesh_curvature(s->points, k->p->s, k->p->support, s->away, memory, s->mesh);
}

/* By area the rim of a void is no surface, however empty its kernels are. By curvature weights stay those by c: with
 * what light tells, a drop in long implicit steps swung by a seventh stronger than in explicit ones. */
static void leave_surface(int begin, int end, void *context)
{
    const flow *k = context;
    for (int i = begin; i < end; i++) k->a.v[i].w *= k->a.is_surface[i];
}

static dew_result see_out(flow *k)
{
    RESULT_TRY(sph_see_out(k, k->may_see, k->a.is_surface));
    parallel_for(k->count, 4096, leave_surface, k);
    return DEW_OK;
}

dew_result sph_find_curvature(flow *k)
{
    sph_state *p = k->p;
    double is_missed[2];
    bool is_area = sph_tension_mode(p) == SPH_TENSION_AREA;
    bool is_mended = sph_tension_mode(p) == SPH_TENSION_CURVATURE && !k->gas && k->gamma > 0;
    if (is_area) ARENA_TRY(k->w->scratch, k->count, k->may_see);
    parallel_max(k->count, 2, find_surface, k, is_missed);
    if (is_missed[1] > 0) RESULT_TRY(mark_whole(k));
    if (is_area) RESULT_TRY(see_out(k));
    if (!(k->gamma > 0)) return DEW_OK;
    if (is_missed[0] > 0 || !p->surface.has_lists) RESULT_TRY(make_lists(k));
    if (p->surface.store.count == 0) return DEW_OK;
    surface_pass s = {.k = k, .points = &p->surface, .slot = particles_field(&p->surface.store, p->surface.slot)};
    parallel_for(p->surface.store.count, 1024, copy_surface, &s);
    RESULT_TRY(surface_find_curvature(&p->surface, p->s, k->w->scratch, &s.found));
    if (is_mended) RESULT_TRY(find_mesh_curvature(&s));
    parallel_for(p->surface.store.count, 1024, put_tension, &s);
    return DEW_OK;
}
