/* What a picture shows, ready for rays: particles as spheres, solids as triangles, a ground. Its coordinates have a
 * unit and an origin of their own (everything about 1 in size, near 0), so that drops of a micrometre are traced as
 * well as waves of a metre. */
#ifndef RENDER_RAY_SCENE_H
#define RENDER_RAY_SCENE_H

#include "base/embree.h"
#include "base/result.h"
#include "dew/render.h"
#include "render/vector.h"

typedef struct ray_scene {
    RTCDevice device;
    RTCScene tree;
    dew_vec3 origin; /* of the coordinates, m */
    double unit;     /* of the coordinates, m */
    unsigned liquid; /* Embree's name of the spheres */
    int sphere_count;
    int *particle_of; /* a sphere's particle */
    bool has_cut;     /* spheres whose centres lie beyond the plane are left out */
    dew_vec3 cut_point, cut_normal;
    bool has_ground;
    float3 ground_normal;
    float ground_offset; /* ground: normal . x = offset */
    float epsilon;       /* how far rays start off a surface */
} ray_scene;

dew_result ray_scene_create(ray_scene *s);
void ray_scene_destroy(ray_scene *s);

float3 ray_scene_place(const ray_scene *s, dew_vec3 point);

/* Builds the scene anew for a frame; origin and unit are set before. */
dew_result ray_scene_build(ray_scene *s, const dew_frame *frame, double radius);

typedef enum ray_hit_kind { HIT_NOTHING, HIT_GROUND, HIT_SOLID, HIT_LIQUID } ray_hit_kind;

typedef struct ray_hit {
    ray_hit_kind kind;
    float distance;
    float3 point, normal; /* unit, towards the ray's origin */
    int particle;
} ray_hit;

ray_hit ray_scene_trace(const ray_scene *s, float3 origin, float3 direction);
/* Whether spheres or solids (not the ground) lie on the ray. */
bool ray_scene_occluded(const ray_scene *s, float3 origin, float3 direction, float distance);
/* Distance along the ray to the ground, infinite if it does not meet it from above. */
float ray_scene_ground_distance(const ray_scene *s, float3 origin, float3 direction);

#endif
