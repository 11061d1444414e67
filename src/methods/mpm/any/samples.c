#include "methods/mpm/any/samples.h"

/* 3D: the centroids of a quad's two triangles, cut along the shorter diagonal; 2D: the quarters of a segment. */
static void sample_face(const contour *c, const face *f, real4 *x, real4 *area)
{
#if DIM == 3
    real3 p[4];
    for (int k = 0; k < 4; k++) p[k] = face_corner(c, f, k);
    const int first = face_diagonal(c, f);
    for (int k = 0; k < 2; k++) {
        real3 a = p[first], b = p[(first + 1 + k) % 4], d = p[(first + 2 + k) % 4];
        real3 n = real3_scale((real)0.5, real3_cross(real3_sub(b, a), real3_sub(d, a)));
        real third = (real)1 / 3;
        x[k] = (real4){(a.x + b.x + d.x) * third, (a.y + b.y + d.y) * third, (a.z + b.z + d.z) * third, 0};
        area[k] = (real4){n.x, n.y, n.z, 0};
    }
#else
    const real3 p = face_corner(c, f, 0), q = face_corner(c, f, 1);
    real3 n = face_area(c, f);
    for (int k = 0; k < 2; k++) {
        real t = (real)(k ? 0.75 : 0.25);
        x[k] = (real4){p.x + t * (q.x - p.x), p.y + t * (q.y - p.y), 0, 0};
        area[k] = (real4){n.x / 2, n.y / 2, 0, 0};
    }
#endif
}

/* The length of the contact line on a face, along the face's normal: of those of its edges that lie on a wall, if not
 * all of it does. Each edge of what is wet belongs to one such face. */
static real4 line_of_face(const contour *c, int f)
{
    const real4 area = c->area[f];
    real length = 0;
    if (area.w == 0 || area.w == 1) return (real4){0, 0, 0, 0};
#if DIM == 3
    for (int k = 0; k < FACE_CORNERS; k++) {
        const face *q = &c->faces[f];
        const int next = (k + 1) % FACE_CORNERS;
        if (c->x[q->corner[k]].w != 0 && c->x[q->corner[next]].w != 0)
            length += real3_length(real3_sub(face_corner(c, q, next), face_corner(c, q, k)));
    }
#else
    length = 1;
#endif
    return real4_of(real3_scale(length, real3_normalise(real3_of(area))), length);
}

/* The nearest particle within the point's cell and those around it; -1: none is there. */
static int32_t nearest_particle(const grid *g, const real4 *particle, real4 x)
{
    int32_t own = grid_cell(g, real3_of(x)), best = -1;
    real least = INFINITY;
    int64_t around[AROUND];
    if (own < 0) return -1;
    nodes_around(g, own, around);
    for (int k = 0; k < AROUND; k++) {
        int64_t cell = around[k];
        if (cell < 0 || cell >= (int64_t)g->home_count * CELLS) continue;
        for (int i = g->particle_begin[cell]; i < g->particle_begin[cell + 1]; i++) {
            const real3 near = grid_nearest(g, real3_of(particle[i]), real3_of(x));
            real dx = near.x - x.x, dy = near.y - x.y, dz = near.z - x.z;
            real d = dx * dx + dy * dy + dz * dz;
            if (d < least) least = d, best = i;
        }
    }
    return best;
}

/* A sample goes where its owner is. */
static void find_owners(int begin, int end, void *context)
{
    samples *s = context;
    for (int k = begin; k < end; k++) {
        const int32_t i = s->owner[k] = nearest_particle(s->g, s->particle, s->x[k]);
        if (i >= 0) s->x[k] = real4_of(grid_nearest(s->g, real3_of(s->x[k]), real3_of(s->particle[i])), s->x[k].w);
    }
}

/* Finds the samples that lie on a solid. */
static dew_result find_solids(const world *w, samples *s)
{
    const grid *g = s->g;
    size_t mark = arena_mark(g->memory);
    for (int k = 0; k < s->count; k++) s->solid[k] = s->beside[k] = s->edge[k] = -1;
    if (solids_count(w->solids) == 0) return DEW_OK;
    ARENA_ARRAY(g->memory, s->count, real4, found);
    solids_nearest(w->solids, 1.5 * g->dx, s->count, s->x, found, s->solid);
    for (int k = 0; k < s->count; k++) {
        real3 a = real3_of(s->area[k]);
        bool is_wet = s->solid[k] >= 0 && found[k].w < (real)(0.3 * g->dx) &&
                      real3_dot(a, real3_of(found[k])) < (real)-0.5 * real3_length(a);
        s->area[k].w = is_wet;
        if (!is_wet) s->beside[k] = s->solid[k], s->solid[k] = -1;
    }
    arena_release(g->memory, mark);
    return DEW_OK;
}

dew_result samples_make(const contour *c, const real4 *particle, const world *w, samples *s)
{
    *s = (samples){.g = c->g, .particle = particle, .count = SAMPLES_OF_FACE * c->face_count};
    ARENA_TRY(s->g->memory, s->count, s->x, s->area, s->line, s->band, s->held);
    ARENA_TRY(s->g->memory, s->count, s->owner, s->solid, s->beside, s->edge);
    for (int f = 0; f < c->face_count; f++) {
        sample_face(c, &c->faces[f], s->x + SAMPLES_OF_FACE * f, s->area + SAMPLES_OF_FACE * f);
        const vquad share = quad_set((real)1 / SAMPLES_OF_FACE);
        const real4 line = line_of_face(c, f);
        for (int k = 0; k < SAMPLES_OF_FACE; k++)
            quad_store(&s->line[SAMPLES_OF_FACE * f + k], share * quad_load(&line));
    }
    RESULT_TRY(find_solids(w, s));
    parallel_for(s->count, 64, find_owners, s);
    return DEW_OK;
}

void samples_end(const world *w, samples *s)
{
    s->free_area = s->energy = 0;
    for (int k = 0; k < s->count; k++) {
        double gamma = tension_of_sample(w, s, k);
        double area = (double)real3_length(real3_of(s->area[k]));
        if (s->solid[k] == OWN_SOLID) gamma = 0;
        if (s->solid[k] >= 0) gamma *= -solids_info(w->solids, s->solid[k], gamma).cos_contact_angle;
        if (s->area[k].w == 0) s->free_area += area;
        s->energy += area * gamma;
        s->x[k].w = (real)gamma * s->band[k].w;
        const bool is_held = s->edge[k] >= 0;
        quad_store(&s->band[k],
                   (real)(is_held ? gamma : -gamma * area) * quad_load(is_held ? &s->held[k] : &s->band[k]));
        if (gamma == 0) s->owner[k] = -1;
    }
}
