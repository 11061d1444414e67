#include "render/ray_scene.h"
#include "base/real.h"

#include <stdio.h>
#include <stdlib.h>

static dew_result embree_failure(ray_scene *s)
{
    enum RTCError error = rtcGetDeviceError(s->device);
    if (error == RTC_ERROR_NONE) return DEW_OK;
    if (error == RTC_ERROR_OUT_OF_MEMORY)
        return result_fail(DEW_NO_MEMORY, "a picture of this many particles and triangles does not fit into memory");
    return result_fail(DEW_FAILED, "Embree could not prepare the picture (its error %d)", (int)error);
}

dew_result ray_scene_create(ray_scene *s)
{
    /* Several threads build a tree that hangs on which of them is first; of two spheres that a ray meets at the same
     * distance another one is then found, and a pixel differs from run to run. */
    *s = (ray_scene){.device = rtcNewDevice("threads=1"), .unit = 1};
    if (!s->device)
        return result_fail(DEW_FAILED, "Embree could not be started (its error %d)", (int)rtcGetDeviceError(NULL));
    return DEW_OK;
}

void ray_scene_destroy(ray_scene *s)
{
    if (s->tree) rtcReleaseScene(s->tree);
    if (s->device) rtcReleaseDevice(s->device);
    free(s->particle_of);
    *s = (ray_scene){0};
}

float3 ray_scene_place(const ray_scene *s, dew_vec3 p)
{
    dew_vec3 d = vec3_sub(p, s->origin);
    return float3_of((dew_vec3){d.x / s->unit, d.y / s->unit, d.z / s->unit});
}

static void attach(ray_scene *s, RTCGeometry geometry, unsigned *name)
{
    rtcCommitGeometry(geometry);
    unsigned id = rtcAttachGeometry(s->tree, geometry);
    if (name) *name = id;
    rtcReleaseGeometry(geometry);
}

static dew_result add_spheres(ray_scene *s, const dew_frame *frame, double radius)
{
    dew_field position;
    s->liquid = RTC_INVALID_GEOMETRY_ID, s->sphere_count = 0;
    if (!dew_frame_field(frame, "position", &position) || position.count <= 0) return DEW_OK;
    int *particle_of = realloc(s->particle_of, (size_t)position.count * sizeof *particle_of);
    if (!particle_of) return result_fail(DEW_NO_MEMORY, "no memory to draw %d particles", position.count);
    s->particle_of = particle_of;
    RTCGeometry geometry = rtcNewGeometry(s->device, RTC_GEOMETRY_TYPE_SPHERE_POINT);
    float *sphere = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4, 4 * sizeof *sphere,
                                            (size_t)position.count);
    if (!sphere) {
        rtcReleaseGeometry(geometry);
        return embree_failure(s);
    }
    const dew_real *p = position.data;
    for (int i = 0; i < position.count; i++) {
        const dew_real *q = p + (size_t)i * (size_t)position.stride;
        dew_vec3 place = {q[0], q[1], q[2]};
        if (s->has_cut && vec3_dot(s->cut_normal, vec3_sub(place, s->cut_point)) > 0) continue;
        float3 at = ray_scene_place(s, place);
        /* A particle that has run away must not spoil the tree for the others. */
        if (!(dot3(at, at) < 1e12f)) continue;
        float *f = sphere + 4 * (size_t)s->sphere_count;
        f[0] = at.x, f[1] = at.y, f[2] = at.z, f[3] = (float)(radius / s->unit);
        s->particle_of[s->sphere_count++] = i;
    }
    for (int k = s->sphere_count; k < position.count; k++)
        for (int c = 0; c < 4; c++) sphere[4 * (size_t)k + (size_t)c] = c < 3 && s->sphere_count ? sphere[c] : 0;
    attach(s, geometry, &s->liquid);
    return embree_failure(s);
}

static dew_result add_solid(ray_scene *s, const dew_solid_mesh *mesh)
{
    RTCGeometry geometry = rtcNewGeometry(s->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    float *vertex = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof *vertex,
                                            (size_t)mesh->vertex_count);
    uint32_t *triangle = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                                 3 * sizeof *triangle, (size_t)mesh->triangle_count);
    if (!vertex || !triangle) {
        rtcReleaseGeometry(geometry);
        return embree_failure(s);
    }
    for (int i = 0; i < mesh->vertex_count; i++) {
        const float *v = mesh->vertices + 3 * (size_t)i;
        float3 at = ray_scene_place(s, (dew_vec3){v[0], v[1], v[2]});
        vertex[3 * i] = at.x, vertex[3 * i + 1] = at.y, vertex[3 * i + 2] = at.z;
    }
    for (int i = 0; i < 3 * mesh->triangle_count; i++) triangle[i] = (uint32_t)mesh->triangles[i];
    attach(s, geometry, NULL);
    return embree_failure(s);
}

dew_result ray_scene_build(ray_scene *s, const dew_frame *frame, double radius)
{
    if (s->tree) rtcReleaseScene(s->tree);
    s->tree = rtcNewScene(s->device);
    s->epsilon = 1e-4f;
    RESULT_TRY(add_spheres(s, frame, radius));
    for (int k = 0; k < dew_frame_solid_count(frame); k++) {
        dew_solid_mesh mesh;
        RESULT_TRY(dew_frame_solid_mesh(frame, k, &mesh));
        if (mesh.is_visible && mesh.triangle_count > 0) RESULT_TRY(add_solid(s, &mesh));
    }
    rtcCommitScene(s->tree);
    return embree_failure(s);
}

float ray_scene_ground_distance(const ray_scene *s, float3 origin, float3 direction)
{
    if (!s->has_ground) return INFINITY;
    float height = dot3(s->ground_normal, origin) - s->ground_offset, fall = -dot3(s->ground_normal, direction);
    return height > 0 && fall > 1e-6f ? height / fall : INFINITY;
}

static struct RTCRay ray_of(float3 o, float3 d, float distance)
{
    struct RTCRay ray = {.tnear = 0, .tfar = distance, .mask = ~0u};
    ray.org_x = o.x, ray.org_y = o.y, ray.org_z = o.z;
    ray.dir_x = d.x, ray.dir_y = d.y, ray.dir_z = d.z;
    return ray;
}

ray_hit ray_scene_trace(const ray_scene *s, float3 o, float3 d)
{
    float ground = ray_scene_ground_distance(s, o, d);
    struct RTCRayHit r = {.ray = ray_of(o, d, ground), .hit = {.geomID = RTC_INVALID_GEOMETRY_ID}};
    embree_context context;
    embree_intersect(s->tree, &context, &r);
    ray_hit hit = {.distance = r.ray.tfar};
    if (r.hit.geomID != RTC_INVALID_GEOMETRY_ID) {
        hit.kind = r.hit.geomID == s->liquid ? HIT_LIQUID : HIT_SOLID;
        hit.normal = normalise3((float3){r.hit.Ng_x, r.hit.Ng_y, r.hit.Ng_z});
        if (hit.kind == HIT_LIQUID)
            hit.particle = s->particle_of[r.hit.primID < (unsigned)s->sphere_count ? r.hit.primID : 0];
        if (dot3(hit.normal, d) > 0) hit.normal = scale3(-1, hit.normal);
    } else if (ground < INFINITY) {
        hit.kind = HIT_GROUND, hit.normal = s->ground_normal;
    } else {
        return hit;
    }
    hit.point = madd3(madd3(o, hit.distance, d), s->epsilon, hit.normal);
    return hit;
}

bool ray_scene_occluded(const ray_scene *s, float3 o, float3 d, float distance)
{
    struct RTCRay r = ray_of(o, d, distance);
    return embree_is_occluded(s->tree, &r);
}
