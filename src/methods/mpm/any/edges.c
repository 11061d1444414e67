#include "methods/mpm/any/edges.h"

#include "base/parallel.h"
#include "methods/mpm/any/borders.h"

/* The cosine of the angle by which faces that count as one turn at most, as of inner edges (walls.c). */
#define SAME_FACE ((real)0.7)

typedef struct wall_edge {
    real3 face;    /* normal of the face that it ends */
    real3 out;     /* along that, across the edge */
    real distance; /* from the place asked for, m */
    real3 beyond;  /* normal of the face that begins there */
} wall_edge;

/* Whether a solid's face with the normal n, on which `from` lies, ends at an outer edge within `reach` along `way`, a
 * unit vector. Faces that turn by less than 45 degrees are one. */
static bool edge_ahead(const solids *s, int solid, real3 from, real3 n, real3 way, real reach, wall_edge *e)
{
    real3 faces[2];
    real4 at = real4_of(real3_madd(from, reach, way), 0), seen;
    solids_distance(s, solid, INFINITY, 1, &at, &seen);
    const real3 along = real3_across(real3_of(seen), n);
    const real sine = real3_length(along);
    if (!(seen.w > 0 && real3_dot(real3_of(seen), n) < SAME_FACE && real3_dot(along, way) > 0)) return false;
    e->face = n, e->out = real3_scale(1 / sine, along), e->beyond = real3_of(seen);
    e->distance = reach * real3_dot(way, e->out) - seen.w / sine;
    /* The nearest place may be the edge itself: seen from it, the way there is no face's normal. */
    if (solids_edge(s, solid, at, seen, faces))
        e->beyond = faces[real3_dot(faces[0], n) < real3_dot(faces[1], n) ? 0 : 1];
    return true;
}

real share_at_edge(const solids *s, int solid, real4 x, real reach, real3 *slope)
{
    enum { WAYS = 2 * (DIM - 1) };
    real4 seen;
    wall_edge e, nearest = {.distance = INFINITY};
    solids_distance(s, solid, INFINITY, 1, &x, &seen);
    const real3 n = real3_of(seen), foot = real3_madd(real3_of(x), -seen.w, n);
    const real3 u = DIM == 3 ? real3_perpendicular(n) : (real3){-n.y, n.x, 0}, v = real3_cross(n, u);
    *slope = (real3){0, 0, 0};
    for (int k = 0; k < WAYS; k++) {
        const real3 way = real3_scale((real)(k % 2 ? -1 : 1), k < 2 ? u : v);
        if (edge_ahead(s, solid, foot, n, way, reach, &e) && e.distance < nearest.distance) nearest = e;
    }
    if (!(nearest.distance < reach)) return 1;
    if (nearest.distance <= 0) return 0;
    *slope = real3_scale(-1 / reach, nearest.out);
    return nearest.distance / reach;
}

typedef struct holding {
    const contour *c;
    const world *w;
    samples *s;
} holding;

/* The edge at which a border of a free sample lies that parts it from what is wet; false: there is none. */
static bool edge_at_border(const holding *h, const border *b, wall_edge *e)
{
    const solids *walls = h->w->solids;
    const int solid = h->s->solid[b->next];
    const real dx = (real)h->c->g->dx;
    real4 x = real4_of(grid_nearest(h->c->g, real3_of(h->s->x[b->next]), b->at), 0), seen;
    solids_distance(walls, solid, INFINITY, 1, &x, &seen);
    const real3 n = real3_of(seen), foot = real3_madd(real3_of(x), -seen.w, n), from = real3_sub(b->at, foot);
    const real3 way = real3_normalise(real3_across(from, n));
    if (!edge_ahead(walls, solid, foot, n, way, real3_dot(way, from) + dx, e)) return false;
    return e->distance - real3_dot(e->out, from) < dx;
}

/* What the edge gives the line there, over the tension: all that the free surface pulls by, but for what moves the line
 * on over the next face, or back over this one, where its angle with that is past the material's. */
static real3 given_by_edge(const holding *h, const border *b, const wall_edge *e, double tension)
{
    const real length = real3_length(b->out);
    const real3 out = real3_scale(length > 0 ? 1 / length : 0, b->out);
    const real wanted = (real)solids_info(h->w->solids, h->s->solid[b->next], tension).cos_contact_angle;
    const real3 on = real3_normalise(real3_across(real3_scale(-1, e->face), e->beyond));
    const real further = real_max(wanted - real3_dot(out, on), 0), back = real_max(real3_dot(out, e->out) - wanted, 0);
    return real3_scale(length, real3_madd(real3_madd(out, further, on), -back, e->out));
}

static void hold_lines(int begin, int end, void *context)
{
    const holding *h = context;
    samples *s = h->s;
    for (int k = begin; k < end; k++) {
        border b[BORDERS];
        wall_edge e;
        real3 sum = {0, 0, 0};
        if (s->beside[k] < 0 || s->solid[k] != -1) continue;
        borders_of(h->c, k, b);
        for (int j = 0; j < BORDERS; j++) {
            if (b[j].next < 0 || s->solid[b[j].next] < 0 || !edge_at_border(h, &b[j], &e)) continue;
            s->edge[k] = s->solid[b[j].next];
            sum = real3_add(sum, given_by_edge(h, &b[j], &e, tension_of_sample(h->w, s, k)));
        }
        s->held[k] = real4_of(sum, 1);
    }
}

void edges_hold(const contour *c, const world *w, samples *s)
{
    if (solids_count(w->solids) > 0) parallel_for(s->count, 64, hold_lines, &(holding){c, w, s});
}
