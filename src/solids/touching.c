/* Where solids touch: points of the one's surface in the signed distance of the other, both ways. It serves any shape,
 * and depends on nothing but where they are. A smooth body's deepest point lies between its sampled ones and is found
 * by going down. */
#include "solids/inside.h"

#include "base/arena.h"

#include <stdlib.h>

/* In spacings: points nearer than this may touch within the step; what is deeper in at its beginning is moved out, by
 * this share a step. */
#define NEAR 0.1
#define MEND 0.2
enum { MOST_OF_PAIR = 6, DESCENTS = 10 };

/* --- points of a surface --- */

/* Where edges of triangles cross the plane z = 0: the outline there. */
static int cross_plane(const triangle_mesh *m, real4 *points)
{
    int count = 0;
    for (int t = 0; t < m->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            int from = m->triangles[3 * t + k], to = m->triangles[3 * t + (k + 1) % 3];
            dew_vec3 a = vec3_of_floats(m->vertices + 3 * (size_t)from),
                     b = vec3_of_floats(m->vertices + 3 * (size_t)to);
            if (from > to || (a.z < 0) == (b.z < 0)) continue; /* each edge once */
            dew_vec3 x = vec3_add(a, vec3_scale(a.z / (a.z - b.z), vec3_sub(b, a)));
            points[count++] = (real4){(real)x.x, (real)x.y, 0, 0};
        }
    return count;
}

dew_result touching_sample(const shape *s, int dimension, double cell, real4 **points, int *count)
{
    triangle_mesh m;
    bounds b = shape_bounds(s);
    *points = NULL, *count = 0;
    if (dimension == 2) { /* a slice is enough, and bodies may be endless along z */
        b.min.z = fmax(b.min.z, -2 * cell), b.max.z = fmin(b.max.z, 2 * cell);
        if (b.min.z > shape_bounds(s).min.z || b.max.z < shape_bounds(s).max.z)
            cell *= 0.999; /* not its own triangles */
    }
    if (!isfinite(bounds_diagonal(b))) return DEW_OK;
    RESULT_TRY(shape_triangulate(s, cell, b, &m));
    int room = dimension == 2 ? 3 * m.triangle_count : m.vertex_count;
    *points = aligned_obtain(((size_t)room + 1) * sizeof **points);
    if (*points && dimension == 2)
        *count = cross_plane(&m, *points);
    else if (*points)
        for (*count = 0; *count < room; ++*count) {
            const float *v = m.vertices + 3 * (size_t)*count;
            (*points)[*count] = (real4){(real)v[0], (real)v[1], (real)v[2], 0};
        }
    triangle_mesh_free(&m);
    return *points ? DEW_OK : result_fail(DEW_NO_MEMORY, "no memory for the surface of a body");
}

/* --- two solids --- */

typedef struct found_point {
    dew_vec3 place, normal; /* out of the other */
    double gap;
} found_point;

static dew_vec3 centre_of(const solid *b) { return b->twist.centre; }

static bool are_near(const solids *s, int points_of, int other, double margin)
{
    const solid *a = &s->solid[points_of], *b = &s->solid[other];
    dew_vec3 c = centre_of(a);
    real4 at = {(real)c.x, (real)c.y, (real)c.z, 0}, wall;
    if (!b->body && !a->body) return false;
    if (!a->body) { /* the points of a solid that may be large: by the body's ball */
        c = centre_of(b), at = (real4){(real)c.x, (real)c.y, (real)c.z, 0};
        solids_distance(s, points_of, b->arm + margin, 1, &at, &wall);
        return (double)wall.w < b->arm + margin;
    }
    solids_distance(s, other, a->arm + margin, 1, &at, &wall);
    return (double)wall.w < a->arm + margin;
}

static double look(const solids *s, int which, dew_vec3 x, dew_vec3 *normal)
{
    real4 at = {(real)x.x, (real)x.y, (real)x.z, 0}, wall;
    solids_distance(s, which, INFINITY, 1, &at, &wall);
    *normal = (dew_vec3){wall.x, wall.y, wall.z};
    return (double)wall.w;
}

/* Goes down along the one's surface to where it is deepest in the other, as long as that leads deeper. */
static found_point descend(const solids *s, int of, int other, found_point from)
{
    double step = s->solid[of].arm;
    for (int k = 0; k < DESCENTS; k++) {
        dew_vec3 own, normal;
        look(s, of, from.place, &own);
        dew_vec3 down = vec3_sub(vec3_scale(vec3_dot(from.normal, own), own), from.normal);
        dew_vec3 next = vec3_add(from.place, vec3_scale(step, down));
        for (int i = 0; i < 2; i++) next = vec3_sub(next, vec3_scale(look(s, of, next, &own), own));
        double gap = look(s, other, next, &normal);
        if (gap < from.gap)
            from = (found_point){next, normal, gap};
        else
            step /= 4;
    }
    return from;
}

/* Points of the one nearer to the other than `margin`: the deepest first, then each the farthest from those before. */
static int find_points(const solids *s, int of, int other, double margin, found_point *found, int room)
{
    const solid *a = &s->solid[of];
    int count = 0, deepest = -1, near = 0;
    if (a->point_count == 0 || !are_near(s, of, other, margin)) return 0;
    for (int i = 0; i < a->point_count; i++) {
        dew_vec3 x = pose_apply(&a->pose, (dew_vec3){a->points[i].x, a->points[i].y, a->points[i].z});
        s->candidates[i] = (real4){(real)x.x, (real)x.y, (real)x.z, 0};
    }
    double reach = fmax(margin, s->spacing); /* between sampled points it may be nearer */
    solids_distance(s, other, reach, a->point_count, s->candidates, s->walls);
    for (int i = 0; i < a->point_count; i++) {
        if (!((double)s->walls[i].w < reach)) continue;
        s->candidates[near] = s->candidates[i], s->walls[near] = s->walls[i];
        if (deepest < 0 || s->walls[near].w < s->walls[deepest].w) deepest = near;
        near++;
    }
    if (deepest < 0) return 0;
    real4 x = s->candidates[deepest], n = s->walls[deepest];
    found[0] = descend(s, of, other, (found_point){{x.x, x.y, x.z}, {n.x, n.y, n.z}, (double)n.w});
    if (!(found[0].gap < margin)) return 0;
    double least = 0.2 * a->arm; /* nearer ones say the same */
    for (count = 1; count < room; count++) {
        double most = least;
        int best = -1;
        for (int i = 0; i < near; i++) {
            if (!((double)s->walls[i].w < margin)) continue;
            double nearest = INFINITY;
            for (int k = 0; k < count; k++) {
                dew_vec3 way =
                    vec3_sub(found[k].place, (dew_vec3){s->candidates[i].x, s->candidates[i].y, s->candidates[i].z});
                nearest = fmin(nearest, vec3_length(way));
            }
            if (nearest > most) most = nearest, best = i;
        }
        if (best < 0) break;
        x = s->candidates[best], n = s->walls[best];
        found[count] = (found_point){{x.x, x.y, x.z}, {n.x, n.y, n.z}, (double)n.w};
    }
    return count;
}

static dew_vec3 velocity_at(const solid *b, dew_vec3 x)
{
    return vec3_add(b->twist.linear, vec3_cross(b->twist.angular, vec3_sub(x, b->twist.centre)));
}

/* Solids are where they would be at the step's end. With a gap g there, and a velocity u along the normal that has led
 * to it, the gap was g - u dt: a velocity of at least u - g/dt closes it just then. What overlaps already is moved
 * apart slowly. The point is taken to where it was at the step's beginning, for which the bodies' moments are. */
static contact_point contact_of(const solids *s, int first, int second, const found_point *p, double dt)
{
    const solid *a = &s->solid[first], *b = &s->solid[second];
    dew_vec3 u = velocity_at(a, p->place);
    double along = vec3_dot(vec3_sub(u, velocity_at(b, p->place)), p->normal), before = p->gap - along * dt;
    return (contact_point){.first = first,
                           .second = second,
                           .point = vec3_sub(p->place, vec3_scale(dt, u)),
                           .normal = p->normal,
                           .least = -fmax(before, fmax(MEND * before, -MEND * s->spacing)) / dt,
                           .friction = sqrt(a->body_friction * b->body_friction)};
}

int touching_find(const solids *s, int first, int second, double dt, contact_point *found, int room)
{
    found_point points[MOST_OF_PAIR];
    int count = 0;
    for (int side = 0; side < 2; side++) {
        int of = side ? second : first, other = side ? first : second;
        int most = room - count < MOST_OF_PAIR ? room - count : MOST_OF_PAIR;
        int n = most > 0 ? find_points(s, of, other, NEAR * s->spacing, points, most) : 0;
        for (int k = 0; k < n; k++) {
            if (side) points[k].normal = vec3_scale(-1, points[k].normal);
            found[count++] = contact_of(s, first, second, &points[k], dt);
        }
    }
    return count;
}

double touching_depth(const solids *s, int first, int second)
{
    found_point one;
    double depth = -INFINITY;
    for (int side = 0; side < 2; side++)
        if (find_points(s, side ? second : first, side ? first : second, NEAR * s->spacing, &one, 1) > 0)
            depth = fmax(depth, -one.gap);
    return depth;
}
