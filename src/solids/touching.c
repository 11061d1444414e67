/* Where solids touch: points of the one's surface in the signed distance of the other, both ways. It serves any shape,
 * and depends on nothing but where they are. A smooth body's deepest point lies between its sampled ones and is found
 * by going down. */
#include "solids/inside.h"

#include "base/arena.h"

#include <stdlib.h>

/* In spacings: points nearer than this may touch within the step; what is deeper in at its beginning than a slack is
 * to be moved out. */
#define NEAR 0.1
#define SLACK 0.01
enum { MOST_OF_PAIR = 8, DESCENTS = 10 };

/* --- points of a surface --- */

/* At an edge the nearest face of another body may be any of two. So points of edges and corners are taken on each of
 * their faces, this share of the way to the middle of a triangle. */
#define INSET 0.03
/* The cosine between a triangle's normal and its corner's below which that is one of an edge. */
#define SHARP 0.9

static real4 point_of(dew_vec3 x) { return (real4){(real)x.x, (real)x.y, (real)x.z, 0}; }
static dew_vec3 towards(dew_vec3 x, dew_vec3 middle) { return vec3_add(x, vec3_scale(INSET, vec3_sub(middle, x))); }

static void corners_of(const triangle_mesh *m, int triangle, dew_vec3 x[3])
{
    for (int k = 0; k < 3; k++)
        x[k] = vec3_of_floats(m->vertices + 3 * (size_t)m->triangles[3 * (size_t)triangle + (size_t)k]);
}

/* Where triangles cross the plane z = 0: the outline there, both ends of each piece. */
static int cross_plane(const triangle_mesh *m, real4 *points)
{
    int count = 0;
    for (int t = 0; t < m->triangle_count; t++) {
        dew_vec3 x[3], end[2];
        int ends = 0;
        corners_of(m, t, x);
        for (int k = 0; k < 3; k++) {
            dew_vec3 a = x[k], b = x[(k + 1) % 3];
            if ((a.z < 0) == (b.z < 0)) continue;
            end[ends++] = vec3_add(a, vec3_scale(a.z / (a.z - b.z), vec3_sub(b, a)));
        }
        if (ends < 2) continue;
        dew_vec3 middle = vec3_scale(0.5, vec3_add(end[0], end[1]));
        for (int k = 0; k < 2; k++) points[count] = point_of(towards(end[k], middle)), points[count++].z = 0;
    }
    return count;
}

static dew_vec3 normal_of(const dew_vec3 x[3]) { return vec3_cross(vec3_sub(x[1], x[0]), vec3_sub(x[2], x[0])); }

/* Vertices where the surface is smooth; where it is not, a point on each face. `normal`: 3 floats a vertex, of 0. */
static int take_vertices(const triangle_mesh *m, float *normal, real4 *points)
{
    int count = 0;
    dew_vec3 x[3];
    for (int t = 0; t < m->triangle_count; t++) {
        corners_of(m, t, x);
        for (int k = 0; k < 3; k++) {
            float *to = normal + 3 * (size_t)m->triangles[3 * t + k];
            vec3_to_floats(vec3_add(vec3_of_floats(to), vec3_normalise(normal_of(x))), to);
        }
    }
    for (int t = 0; t < m->triangle_count; t++) {
        corners_of(m, t, x);
        dew_vec3 own = vec3_normalise(normal_of(x)), middle = vec3_scale(1.0 / 3, vec3_add(x[0], vec3_add(x[1], x[2])));
        for (int k = 0; k < 3; k++) {
            float *of = normal + 3 * (size_t)m->triangles[3 * t + k];
            if (isnan(of[0])) continue; /* taken */
            bool is_sharp = vec3_dot(own, vec3_normalise(vec3_of_floats(of))) < SHARP;
            points[count++] = point_of(is_sharp ? towards(x[k], middle) : x[k]);
            if (!is_sharp) of[0] = NAN;
        }
    }
    return count;
}

dew_result touching_sample(const shape *s, int dimension, double cell, real4 **points, int *count)
{
    triangle_mesh m;
    bounds b = shape_bounds(s);
    *points = NULL, *count = 0;
    if (dimension == 2) /* a slice is enough, and bodies may be endless along z */
        b.min.z = fmax(b.min.z, -2 * cell), b.max.z = fmin(b.max.z, 2 * cell);
    if (!isfinite(bounds_diagonal(b))) return DEW_OK;
    RESULT_TRY(shape_triangulate(s, cell, b, &m));
    *points = aligned_obtain((3 * (size_t)m.triangle_count + 1) * sizeof **points);
    float *normals = calloc(3 * (size_t)m.vertex_count + 1, sizeof *normals);
    bool is_there = *points && normals;
    if (is_there) *count = dimension == 2 ? cross_plane(&m, *points) : take_vertices(&m, normals, *points);
    free(normals);
    triangle_mesh_free(&m);
    return is_there ? DEW_OK : result_fail(DEW_NO_MEMORY, "no memory for the surface of a body");
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

static double distance_to_all(const found_point *found, int count, dew_vec3 x)
{
    double nearest = INFINITY;
    for (int k = 0; k < count; k++) nearest = fmin(nearest, vec3_length(vec3_sub(found[k].place, x)));
    return nearest;
}

static found_point candidate(const solids *s, int i)
{
    real4 x = s->candidates[i], n = s->walls[i];
    return (found_point){{x.x, x.y, x.z}, {n.x, n.y, n.z}, (double)n.w};
}

/* The candidate that is the farthest from all that have been found, farther than `least`; -1: none is. */
static int find_farthest(const solids *s, int candidates, double margin, double least, const found_point *found,
                         int count)
{
    int best = -1;
    for (int i = 0; i < candidates; i++) {
        if (!((double)s->walls[i].w < margin)) continue;
        double away = distance_to_all(found, count, candidate(s, i).place);
        if (away > least) least = away, best = i;
    }
    return best;
}

/* Points of the one nearer to the other than `margin`, after the `count` that there are: the deepest first, then each
 * the farthest from those before. Returns how many there are then. */
static int find_points(const solids *s, int of, int other, double margin, found_point *found, int count, int room)
{
    const solid *a = &s->solid[of];
    int deepest = -1, near = 0;
    if (a->point_count == 0 || !are_near(s, of, other, margin)) return count;
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
    if (deepest < 0) return count;
    double least = 0.2 * a->arm; /* nearer ones say the same */
    found_point first = descend(s, of, other, candidate(s, deepest));
    if (!(first.gap < margin)) return count;
    if (distance_to_all(found, count, first.place) > least && count < room) found[count++] = first;
    for (int far; count < room && (far = find_farthest(s, near, margin, least, found, count)) >= 0; count++) {
        /* Of those about it the deepest stands for them. */
        found_point about = candidate(s, far);
        for (int i = 0; i < near; i++) {
            found_point other_one = candidate(s, i);
            bool is_about = vec3_length(vec3_sub(other_one.place, about.place)) < least;
            if (is_about && s->walls[i].w < s->walls[far].w) far = i;
        }
        found_point deeper = descend(s, of, other, candidate(s, far));
        found[count] = distance_to_all(found, count, deeper.place) > least ? deeper : candidate(s, far);
    }
    return count;
}

static dew_vec3 velocity_at(const solid *b, dew_vec3 x)
{
    return vec3_add(b->twist.linear, vec3_cross(b->twist.angular, vec3_sub(x, b->twist.centre)));
}

/* How the free ones of two move in a step. */
static dew_vec3 way_of_bodies(const solid *a, const solid *b, double dt)
{
    bool has_both = free_body(a) && free_body(b);
    dew_vec3 sum = {0, 0, 0};
    if (free_body(a)) sum = vec3_add(sum, a->twist.linear);
    if (free_body(b)) sum = vec3_add(sum, b->twist.linear);
    return vec3_scale(has_both ? dt / 2 : dt, sum);
}

/* Solids are where they would be at the step's end. With the velocity u against the second one the point was u dt back,
 * where what is its normal can be told: it had not come in. From a gap g there it may approach by g/dt. Moments are of
 * the bodies as they are at the step's beginning, so the point goes back with them, and not with what touches there: of
 * a ball that rolls that is at rest, and what carries the ball would act ahead of its middle by the way of a step. */
static contact_point contact_of(const solids *s, int first, int second, bool is_reversed, const found_point *p,
                                double dt)
{
    const solid *a = &s->solid[first], *b = &s->solid[second];
    const solid *of = is_reversed ? b : a, *in = is_reversed ? a : b;
    dew_vec3 u = velocity_at(of, p->place), normal;
    dew_vec3 back = vec3_scale(dt, vec3_sub(u, velocity_at(in, p->place)));
    double before = look(s, is_reversed ? first : second, vec3_sub(p->place, back), &normal);
    return (contact_point){.first = first,
                           .second = second,
                           .point = vec3_sub(p->place, way_of_bodies(a, b, dt)),
                           .normal = is_reversed ? vec3_scale(-1, normal) : normal,
                           .least = -fmax(before, 0) / dt,
                           .depth = fmax(-before - SLACK * s->spacing, 0),
                           .friction = sqrt(a->body_friction * b->body_friction)};
}

int touching_find(const solids *s, int first, int second, double dt, contact_point *found, int room)
{
    found_point points[MOST_OF_PAIR];
    int most = room < MOST_OF_PAIR ? room : MOST_OF_PAIR;
    int own = find_points(s, first, second, NEAR * s->spacing, points, 0, most),
        count = find_points(s, second, first, NEAR * s->spacing, points, own, most);
    for (int k = 0; k < count; k++) found[k] = contact_of(s, first, second, k >= own, &points[k], dt);
    return count;
}

double touching_depth(const solids *s, int first, int second)
{
    found_point one;
    double depth = -INFINITY;
    for (int side = 0; side < 2; side++)
        if (find_points(s, side ? second : first, side ? first : second, NEAR * s->spacing, &one, 0, 1) > 0)
            depth = fmax(depth, -one.gap);
    return depth;
}
