#include "geometry/mesh_query.h"

#include "base/arena.h"
#include "base/embree.h"
#include "base/parallel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Winding numbers by a tree over the triangles (Barill et al., Fast Winding Numbers for Soups and Clouds, 2018): a far
 * node counts as one dipole. The tree is a heap over leaves of LEAF triangles in Morton order: node 1 is the root, the
 * children of n are 2n and 2n + 1. */

enum { LEAF = 4 };

typedef struct wind_node {
    float centre[3], radius; /* the radius holds all triangles */
    float area[3];           /* sum of the area vectors */
} wind_node;

/* A ball around a triangle. */
typedef struct ball {
    float x, y, z, radius;
} ball;

struct mesh_query {
    const clean_mesh *mesh;
    ball *balls; /* of the triangles: far ones are told by them at a fraction of the cost */
    RTCDevice device;
    RTCScene scene;
    wind_node *node;
    int32_t *order; /* triangles in Morton order */
    int leaves;     /* a power of two */
};

static dew_vec3 vertex_of(const clean_mesh *m, int triangle, int k)
{
    const float *v = m->vertices + 3 * (size_t)m->triangles[3 * (size_t)triangle + k];
    return (dew_vec3){v[0], v[1], v[2]};
}

static dew_vec3 middle_of(const clean_mesh *m, int t)
{
    return vec3_scale(1.0 / 3, vec3_add(vertex_of(m, t, 0), vec3_add(vertex_of(m, t, 1), vertex_of(m, t, 2))));
}

/* --- nearest point --- */

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

bool mesh_sees(const mesh_query *q, dew_vec3 from, dew_vec3 to)
{
    struct RTCRay ray = {.org_x = (float)from.x, .org_y = (float)from.y, .org_z = (float)from.z};
    ray.dir_x = (float)(to.x - from.x), ray.dir_y = (float)(to.y - from.y), ray.dir_z = (float)(to.z - from.z);
    ray.tfar = 1, ray.mask = ~0u;
    return !embree_is_occluded(q->scene, &ray);
}

/* --- inside or outside --- */

typedef struct keyed {
    uint64_t key;
    int32_t triangle;
} keyed;

static uint64_t spread(uint64_t a) /* 21 bits, two zeros between each */
{
    a = (a | a << 32) & 0x1f00000000ffffu;
    a = (a | a << 16) & 0x1f0000ff0000ffu;
    a = (a | a << 8) & 0x100f00f00f00f00fu;
    a = (a | a << 4) & 0x10c30c30c30c30c3u;
    return (a | a << 2) & 0x1249249249249249u;
}

static uint64_t morton(dew_vec3 p) /* of a point in [-1, 1] */
{
    const double scale = 1048575;
    return spread((uint64_t)((p.x + 1) * scale)) | spread((uint64_t)((p.y + 1) * scale)) << 1 |
           spread((uint64_t)((p.z + 1) * scale)) << 2;
}

/* By eight bits of the key at a time, equal keys in their order. */
static void sort_keys(keyed *a, keyed *b, int count)
{
    for (int shift = 0; shift < 64; shift += 8) {
        int begin[257] = {0};
        for (int i = 0; i < count; i++) begin[(a[i].key >> shift & 255) + 1]++;
        for (int k = 0; k < 256; k++) begin[k + 1] += begin[k];
        for (int i = 0; i < count; i++) b[begin[a[i].key >> shift & 255]++] = a[i];
        keyed *other = a;
        a = b, b = other;
    }
}

static dew_vec3 area_of(const clean_mesh *m, int t)
{
    dew_vec3 a = vertex_of(m, t, 0);
    return vec3_scale(0.5, vec3_cross(vec3_sub(vertex_of(m, t, 1), a), vec3_sub(vertex_of(m, t, 2), a)));
}

static void leaf_range(const mesh_query *q, int leaf, int *begin, int *end)
{
    int64_t count = q->mesh->triangle_count;
    *begin = (int)(count * leaf / q->leaves), *end = (int)(count * (leaf + 1) / q->leaves);
}

static void fill_leaves(int begin, int end, void *context)
{
    mesh_query *q = context;
    const clean_mesh *m = q->mesh;
    for (int leaf = begin; leaf < end; leaf++) {
        int first, last;
        leaf_range(q, leaf, &first, &last);
        dew_vec3 centre = {0, 0, 0}, area = {0, 0, 0};
        double weight = 0, radius = 0;
        for (int i = first; i < last; i++) {
            dew_vec3 n = area_of(m, q->order[i]);
            double w = vec3_length(n) + 1e-30;
            centre = vec3_madd(centre, w, middle_of(m, q->order[i]));
            area = vec3_add(area, n), weight += w;
        }
        if (weight > 0) centre = vec3_scale(1 / weight, centre);
        for (int i = first; i < last; i++)
            for (int k = 0; k < 3; k++)
                radius = fmax(radius, vec3_length(vec3_sub(vertex_of(m, q->order[i], k), centre)));
        q->node[q->leaves + leaf] = (wind_node){{(float)centre.x, (float)centre.y, (float)centre.z},
                                                (float)(radius * 1.0001),
                                                {(float)area.x, (float)area.y, (float)area.z}};
    }
}

static void fill_node(mesh_query *q, int n)
{
    const wind_node *a = &q->node[2 * n], *b = a + 1;
    wind_node *to = &q->node[n];
    double da = 0, db = 0;
    for (int k = 0; k < 3; k++)
        to->centre[k] = (a->centre[k] + b->centre[k]) / 2, to->area[k] = a->area[k] + b->area[k];
    for (int k = 0; k < 3; k++) {
        double x = a->centre[k] - to->centre[k], y = b->centre[k] - to->centre[k];
        da += x * x, db += y * y;
    }
    to->radius = (float)(fmax(sqrt(da) + a->radius, sqrt(db) + b->radius) * 1.0001);
}

static dew_result build_tree(mesh_query *q)
{
    int count = q->mesh->triangle_count;
    keyed *keys = malloc((size_t)count * 2 * sizeof *keys);
    q->order = malloc((size_t)count * sizeof *q->order);
    for (q->leaves = 1; q->leaves * LEAF < count; q->leaves *= 2) {}
    q->node = malloc((size_t)q->leaves * 2 * sizeof *q->node);
    if (!keys || !q->order || !q->node) {
        free(keys);
        return result_fail(DEW_NO_MEMORY, "no memory for the tree of %d triangles", count);
    }
    for (int t = 0; t < count; t++) keys[t] = (keyed){morton(middle_of(q->mesh, t)), t};
    sort_keys(keys, keys + count, count);
    for (int i = 0; i < count; i++) q->order[i] = keys[i].triangle;
    free(keys);
    parallel_for(q->leaves, 1024, fill_leaves, q);
    for (int n = q->leaves - 1; n > 0; n--) fill_node(q, n);
    return DEW_OK;
}

/* The triangle's solid angle seen from p, over 4 pi (Van Oosterom and Strackee 1983). */
static double turn_of_triangle(const clean_mesh *m, int t, dew_vec3 p)
{
    dew_vec3 a = vec3_sub(vertex_of(m, t, 0), p), b = vec3_sub(vertex_of(m, t, 1), p),
             c = vec3_sub(vertex_of(m, t, 2), p);
    double la = vec3_length(a), lb = vec3_length(b), lc = vec3_length(c);
    double up = vec3_dot(a, vec3_cross(b, c));
    double down = la * lb * lc + vec3_dot(a, b) * lc + vec3_dot(b, c) * la + vec3_dot(c, a) * lb;
    return atan2(up, down) / (2 * PI);
}

/* Nodes farther than `far` of their radii count as dipoles. */
static double winding_number(const mesh_query *q, dew_vec3 p, double far)
{
    int stack[64], height = 0;
    double sum = 0, dipoles = 0;
    stack[height++] = 1;
    while (height > 0) {
        int n = stack[--height];
        const wind_node *w = &q->node[n];
        double x = w->centre[0] - p.x, y = w->centre[1] - p.y, z = w->centre[2] - p.z, r2 = x * x + y * y + z * z;
        double reach = far * w->radius;
        if (r2 > reach * reach) {
            dipoles += (w->area[0] * x + w->area[1] * y + w->area[2] * z) / (r2 * sqrt(r2));
        } else if (n < q->leaves) {
            stack[height++] = 2 * n + 1;
            stack[height++] = 2 * n;
        } else {
            int begin, end;
            leaf_range(q, n - q->leaves, &begin, &end);
            for (int i = begin; i < end; i++) sum += turn_of_triangle(q->mesh, q->order[i], p);
        }
    }
    return sum + dipoles / (4 * PI);
}

bool mesh_is_inside(const mesh_query *q, dew_vec3 point)
{
    double turns = winding_number(q, point, 2);
    if (fabs(turns - 0.5) < 0.3) turns = winding_number(q, point, 8); /* too close to call */
    return turns > 0.5;
}

/* --- */

dew_result mesh_query_create(mesh_query **q, const clean_mesh *mesh)
{
    *q = NULL;
    mesh_query *made = calloc(1, sizeof *made);
    if (!made) return result_fail(DEW_NO_MEMORY, "no memory for a mesh");
    made->mesh = mesh;
    dew_result result = build_scene(made);
    if (result == DEW_OK) parallel_for(mesh->triangle_count, 4096, fill_balls, made);
    if (result == DEW_OK) result = build_tree(made);
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
    free(q->node);
    free(q->order);
    free(q->balls);
    free(q);
}
