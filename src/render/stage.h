/* What a picture shows, ready for rays: particles as spheres, solids as triangles, a ground. The stage has its own
 * unit of length (everything about 1 in size, near the origin), so that drops of a micrometre are traced as well as
 * waves of a metre. */
#ifndef RENDER_STAGE_H
#define RENDER_STAGE_H

#include "base/embree.h"
#include "base/result.h"
#include "dew/render.h"
#include "render/vector.h"

typedef struct stage {
    RTCDevice device;
    RTCScene scene;
    dew_vec3 origin; /* of the stage, m */
    double unit;     /* of the stage's length, m */
    unsigned liquid; /* Embree's name of the spheres */
    int sphere_count;
    int *particle_of; /* a sphere's particle */
    bool has_ground;
    float3 ground_normal;
    float ground_offset; /* ground: normal . x = offset */
    float epsilon;       /* how far rays start off a surface */
} stage;

dew_result stage_create(stage *s);
void stage_destroy(stage *s);

float3 stage_place(const stage *s, dew_vec3 point);

/* Builds the scene anew for a frame; origin and unit are set before. */
dew_result stage_build(stage *s, const dew_frame *frame, double radius);

typedef enum stage_hit_kind { HIT_NOTHING, HIT_GROUND, HIT_SOLID, HIT_LIQUID } stage_hit_kind;

typedef struct stage_hit {
    stage_hit_kind kind;
    float distance;
    float3 point, normal; /* unit, towards the ray's origin */
    int particle;
} stage_hit;

stage_hit stage_trace(const stage *s, float3 origin, float3 direction);
/* Whether spheres or solids (not the ground) lie on the ray. */
bool stage_occluded(const stage *s, float3 origin, float3 direction, float distance);
/* Distance along the ray to the ground, infinite if it does not meet it from above. */
float stage_ground_distance(const stage *s, float3 origin, float3 direction);

#endif
