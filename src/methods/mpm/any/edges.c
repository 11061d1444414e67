#include "methods/mpm/any/edges.h"

#include "methods/mpm/any/mirror.h"

/* The cosine of the angle by which faces that count as one turn at most, as of inner edges (walls.c). */
#define SAME_FACE ((real)0.7)

bool edge_ahead(const solids *s, int solid, real3 from, real3 n, real3 way, real reach, wall_edge *e)
{
    real3 faces[2];
    real4 at = real4_of(real3_madd(from, reach, way), 0), seen;
    solids_distance(s, solid, INFINITY, 1, &at, &seen);
    const real3 along = real3_across(real3_of(seen), n);
    const real sine = real3_length(along);
    if (!(seen.w > 0 && real3_dot(real3_of(seen), n) < SAME_FACE && real3_dot(along, way) > 0)) return false;
    e->out = real3_scale(1 / sine, along), e->beyond = real3_of(seen);
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

real3 edge_of_line(const fluid *f, const owner *o)
{
    const wall_seen *wall = &o->wall[0];
    const real3 n = real3_of(wall->seen), line = real3_of(o->line), none = {0, 0, 0};
    const real length = real3_length(line);
    if (!(o->line.w > 0 && o->wall_count > 0 && wall->seen.w < MIRROR_WIDTH && length > 0)) return none;
    const real3 foot = real3_madd(real3_of(o->from), -wall->seen.w * f->dx, n);
    const double angle = acos(fmax(-1, fmin(1, (double)(real3_dot(line, n) / length))));
    const double wanted = acos(solids_info(f->w->solids, wall->solid, f->p->most_tension).cos_contact_angle);
    /* The surface leaves the face towards the edge; or, at more than 180 degrees, turns back behind it. */
    for (int is_beyond = 0; is_beyond < (angle > PI / 2 ? 2 : 1); is_beyond++) {
        const real3 out = real3_scale(is_beyond ? -1 : 1, real3_normalise(real3_across(line, n)));
        wall_edge e;
        if (!edge_ahead(f->w->solids, wall->solid, foot, n, out, (real)f->w->spacing, &e)) continue;
        /* The line goes on where its angle with this face is that of the material with the next one, less the turn. */
        const double turn = acos(fmax(-1, (double)real3_dot(e.beyond, n)));
        return (is_beyond ? 2 * PI - angle : angle) < wanted + turn ? out : none;
    }
    return none;
}
