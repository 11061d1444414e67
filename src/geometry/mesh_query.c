#include "geometry/mesh_query.h"

#include "base/arena.h"
#include "base/embree.h"
#include "base/parallel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A ball around a triangle. */
typedef struct ball {
    float x, y, z, radius;
} ball;

struct mesh_query {
    const clean_mesh *mesh;
    ball *balls; /* of the triangles: far ones are told by them at a fraction of the cost */
    RTCDevice device;
    RTCScene scene;
};

static dew_vec3 vertex_of(const clean_mesh *m, int triangle, int k)
{
    return vec3_of_floats(m->vertices + 3 * (size_t)m->triangles[3 * (size_t)triangle + k]);
}

static dew_vec3 middle_of(const clean_mesh *m, int t)
{
    return vec3_scale(1.0 / 3, vec3_add(vertex_of(m, t, 0), vec3_add(vertex_of(m, t, 1), vertex_of(m, t, 2))));
}

/* --- nearest point --- */

/* Nearest point of a triangle to p (Ericson, Real-Time Collision Detection, 5.1.5). */
static dew_vec3 nearest_of_triangle(dew_vec3 p, dew_vec3 a, dew_vec3 b, dew_vec3 c)
{
    dew_vec3 ab = vec3_sub(b, a), ac = vec3_sub(c, a), ap = vec3_sub(p, a);
    double d1 = vec3_dot(ab, ap), d2 = vec3_dot(ac, ap);
    if (d1 <= 0 && d2 <= 0) return a;
    dew_vec3 bp = vec3_sub(p, b);
    double d3 = vec3_dot(ab, bp), d4 = vec3_dot(ac, bp);
    if (d3 >= 0 && d4 <= d3) return b;
    double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return d1 > d3 ? vec3_madd(a, d1 / (d1 - d3), ab) : a;
    dew_vec3 cp = vec3_sub(p, c);
    double d5 = vec3_dot(ab, cp), d6 = vec3_dot(ac, cp);
    if (d6 >= 0 && d5 <= d6) return c;
    double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return d2 > d6 ? vec3_madd(a, d2 / (d2 - d6), ac) : a;
    double va = d3 * d6 - d5 * d4, e = d4 - d3, f = d5 - d6;
    if (va <= 0 && e >= 0 && f >= 0) return e + f > 0 ? vec3_madd(b, e / (e + f), vec3_sub(c, b)) : b;
    double inverse = 1 / (va + vb + vc);
    return vec3_add(a, vec3_add(vec3_scale(vb * inverse, ab), vec3_scale(vc * inverse, ac)));
}

typedef struct search {
    const clean_mesh *mesh;
    const ball *balls;
    dew_vec3 point, best;
    double squared, distance;
    unsigned triangle;
} search;

static bool try_triangle(struct RTCPointQueryFunctionArguments *arguments)
{
    search *s = arguments->userPtr;
    int t = (int)arguments->primID;
    const ball *b = &s->balls[t];
    double x = s->point.x - b->x, y = s->point.y - b->y, z = s->point.z - b->z, reach = s->distance + b->radius;
    if (x * x + y * y + z * z > reach * reach) return false;
    dew_vec3 q =
        nearest_of_triangle(s->point, vertex_of(s->mesh, t, 0), vertex_of(s->mesh, t, 1), vertex_of(s->mesh, t, 2));
    dew_vec3 away = vec3_sub(s->point, q);
    double squared = vec3_dot(away, away);
    /* Of equals the lowest number, so that the order of the search does not matter. */
    if (squared > s->squared || (squared == s->squared && arguments->primID >= s->triangle)) return false;
    s->squared = squared, s->distance = sqrt(squared), s->best = q, s->triangle = arguments->primID;
    /* A little more than the distance: equals must still be met, and Embree counts in single precision. */
    float radius = (float)(s->distance * 1.00001 + 1e-6);
    if (!(radius < arguments->query->radius)) return false;
    arguments->query->radius = radius;
    return true;
}

nearest mesh_nearest(const mesh_query *q, dew_vec3 point, double radius)
{
    search s = {.mesh = q->mesh, .balls = q->balls, .point = point, .triangle = RTC_INVALID_GEOMETRY_ID};
    s.distance = radius * 1.00001 + 1e-6, s.squared = INFINITY;
    struct RTCPointQuery query = {(float)point.x, (float)point.y, (float)point.z, 0,
                                  radius < 1e18 ? (float)(radius * 1.00001 + 1e-6) : INFINITY};
    struct RTCPointQueryContext context;
    rtcInitPointQueryContext(&context);
    rtcPointQuery(q->scene, &query, &context, try_triangle, &s);
    nearest found = {.distance = sqrt(s.squared)};
    if (s.triangle == RTC_INVALID_GEOMETRY_ID) return found;
    if (found.distance > 1e-7) {
        found.away = vec3_scale(1 / found.distance, vec3_sub(point, s.best));
        return found;
    }
    int t = (int)s.triangle;
    dew_vec3 a = vertex_of(q->mesh, t, 0);
    found.away =
        vec3_normalise(vec3_cross(vec3_sub(vertex_of(q->mesh, t, 1), a), vec3_sub(vertex_of(q->mesh, t, 2), a)));
    found.is_on_surface = true;
    return found;
}

static struct RTCRay ray_along(dew_vec3 from, dew_vec3 along, float end)
{
    struct RTCRay ray = {.tnear = 0, .tfar = end, .mask = ~0u};
    ray.org_x = (float)from.x, ray.org_y = (float)from.y, ray.org_z = (float)from.z;
    ray.dir_x = (float)along.x, ray.dir_y = (float)along.y, ray.dir_z = (float)along.z;
    return ray;
}

bool mesh_sees(const mesh_query *q, dew_vec3 from, dew_vec3 to)
{
    struct RTCRay ray = ray_along(from, vec3_sub(to, from), 1);
    return !embree_is_occluded(q->scene, &ray);
}

/* --- inside or outside --- */

/* A line from a point onwards through a mesh. */
typedef struct line {
    embree_context context; /* first: Embree hands on what it points to */
    const clean_mesh *mesh;
    dew_vec3 from, along;
    int turns;        /* how often it has left the mesh less how often it has entered */
    bool is_doubtful; /* it has met an edge, so that a triangle may have been missed or counted twice */
} line;

/* Embree tells in single precision which triangles the line may meet; whether it does is found in double. */
static void count_crossing(const struct RTCFilterFunctionNArguments *arguments)
{
    line *l = (line *)arguments->context;
    int t = (int)((const struct RTCHit *)arguments->hit)->primID;
    dew_vec3 a = vec3_sub(vertex_of(l->mesh, t, 0), l->from), b = vec3_sub(vertex_of(l->mesh, t, 1), l->from),
             c = vec3_sub(vertex_of(l->mesh, t, 2), l->from);
    double u = vec3_dot(l->along, vec3_cross(b, c)), v = vec3_dot(l->along, vec3_cross(c, a)),
           w = vec3_dot(l->along, vec3_cross(a, b)), all = u + v + w;
    arguments->valid[0] = 0; /* the line goes on */
    if (!(fmin(u / all, fmin(v / all, w / all)) > 1e-5))
        l->is_doubtful = true;
    else if (vec3_dot(a, vec3_cross(b, c)) / all > 0)
        l->turns += all > 0 ? 1 : -1;
}

/* The winding number of a closed mesh: how often any line from the point leaves it, less how often it enters. */
bool mesh_is_inside(const mesh_query *q, dew_vec3 point)
{
    static const dew_vec3 directions[] = {{0.553, 0.672, 0.492},   {-0.412, 0.581, 0.702},  {0.717, -0.386, 0.581},
                                          {0.601, 0.443, -0.665},  {-0.731, -0.278, 0.623}, {-0.347, 0.811, -0.471},
                                          {0.289, -0.653, -0.700}, {-0.639, -0.457, -0.619}};
    line l = {.mesh = q->mesh, .from = point, .is_doubtful = true};
    for (size_t k = 0; k < sizeof directions / sizeof *directions && l.is_doubtful; k++) {
        l.along = directions[k], l.turns = 0, l.is_doubtful = false;
        struct RTCRayHit ray = {.ray = ray_along(vec3_madd(point, -1e-5, l.along), l.along, INFINITY)};
        embree_intersect(q->scene, &l.context, &ray);
    }
    return l.turns > 0;
}

/* --- making --- */

static dew_result build_scene(mesh_query *q)
{
    const clean_mesh *m = q->mesh;
    char config[64];
    snprintf(config, sizeof config, "threads=%d,set_affinity=0", parallel_threads());
    q->device = rtcNewDevice(config);
    if (!q->device) return result_fail(DEW_FAILED, "Embree does not start (error %d)", (int)rtcGetDeviceError(NULL));
    q->scene = rtcNewScene(q->device);
    rtcSetSceneFlags(q->scene, RTC_SCENE_FLAG_ROBUST);
    RTCGeometry geometry = rtcNewGeometry(q->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    float *v = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float),
                                       (size_t)m->vertex_count);
    uint32_t *t = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(uint32_t),
                                          (size_t)m->triangle_count);
    if (v && t) {
        memcpy(v, m->vertices, (size_t)m->vertex_count * 3 * sizeof *v);
        memcpy(t, m->triangles, (size_t)m->triangle_count * 3 * sizeof *t);
        rtcSetGeometryIntersectFilterFunction(geometry, count_crossing);
        rtcCommitGeometry(geometry);
        rtcAttachGeometry(q->scene, geometry);
    }
    rtcReleaseGeometry(geometry);
    if (!v || !t) return result_fail(DEW_NO_MEMORY, "no memory for a mesh of %d triangles", m->triangle_count);
    rtcCommitScene(q->scene);
    q->balls = malloc((size_t)m->triangle_count * sizeof *q->balls);
    if (!q->balls) return result_fail(DEW_NO_MEMORY, "no memory for a mesh of %d triangles", m->triangle_count);
    enum RTCError error = rtcGetDeviceError(q->device);
    if (error == RTC_ERROR_OUT_OF_MEMORY) return result_fail(DEW_NO_MEMORY, "no memory for the tree of a mesh");
    if (error != RTC_ERROR_NONE) return result_fail(DEW_FAILED, "Embree could not build a tree (error %d)", (int)error);
    return DEW_OK;
}

static void fill_balls(int begin, int end, void *context)
{
    mesh_query *q = context;
    for (int t = begin; t < end; t++) {
        dew_vec3 centre = middle_of(q->mesh, t);
        double radius = 0;
        for (int k = 0; k < 3; k++) radius = fmax(radius, vec3_length(vec3_sub(vertex_of(q->mesh, t, k), centre)));
        /* Rounding must not make it too small. */
        q->balls[t] = (ball){(float)centre.x, (float)centre.y, (float)centre.z, (float)(radius * 1.0001 + 1e-6)};
    }
}

dew_result mesh_query_create(mesh_query **q, const clean_mesh *mesh)
{
    *q = NULL;
    mesh_query *made = calloc(1, sizeof *made);
    if (!made) return result_fail(DEW_NO_MEMORY, "no memory for a mesh");
    made->mesh = mesh;
    dew_result result = build_scene(made);
    if (result == DEW_OK) parallel_for(mesh->triangle_count, 4096, fill_balls, made);
    if (result != DEW_OK) {
        mesh_query_destroy(made);
        return result;
    }
    *q = made;
    return DEW_OK;
}

void mesh_query_destroy(mesh_query *q)
{
    if (!q) return;
    if (q->scene) rtcReleaseScene(q->scene);
    if (q->device) rtcReleaseDevice(q->device);
    free(q->balls);
    free(q);
}
