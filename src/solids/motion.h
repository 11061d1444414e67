/* Inside solids: rigid motion by keyframes or functions of time. */
#ifndef SOLIDS_MOTION_H
#define SOLIDS_MOTION_H

#include "base/real.h"
#include "base/result.h"
#include "dew/definition.h"

typedef struct motion {
    dew_keyframe *keyframes;
    int keyframe_count;
    dew_function translation_of[3], rotation_of[3];
    dew_vec3 pivot;
    bool is_moving;
} motion;

/* Where a body is against its definition: x -> rotation (x - pivot) + pivot + translation. */
typedef struct pose {
    dew_vec3 pivot, translation, rotation; /* rotation: vector, radians */
    dew_vec3 row[3];                       /* of the rotation's matrix */
    bool is_identity;
} pose;

/* Velocity of a rigid body: linear + angular x (point - centre). */
typedef struct twist {
    dew_vec3 linear, angular, centre;
} twist;

/* Checks and copies a definition (functions stay the definition's); motion_release frees. */
dew_result motion_create(motion *m, const dew_motion_def *def);
void motion_release(motion *m);
pose motion_pose(const motion *m, double time);
/* The mean velocity over [begin, end], about the pivot's place at `end`; zero if begin == end. */
twist motion_twist(const motion *m, double begin, double end);
/* The largest speed over [begin, end] of a body whose points lie within `arm` (m) of the pivot: exact between
 * keyframes, by sampling for functions. */
double motion_max_speed(const motion *m, double begin, double end, double arm);

static inline dew_vec3 pose_rotate(const pose *p, dew_vec3 a)
{
    return (dew_vec3){vec3_dot(p->row[0], a), vec3_dot(p->row[1], a), vec3_dot(p->row[2], a)};
}
static inline dew_vec3 pose_rotate_back(const pose *p, dew_vec3 a)
{
    const dew_vec3 *r = p->row;
    return (dew_vec3){r[0].x * a.x + r[1].x * a.y + r[2].x * a.z, r[0].y * a.x + r[1].y * a.y + r[2].y * a.z,
                      r[0].z * a.x + r[1].z * a.y + r[2].z * a.z};
}
static inline dew_vec3 pose_apply(const pose *p, dew_vec3 x)
{
    return vec3_add(pose_rotate(p, vec3_sub(x, p->pivot)), vec3_add(p->pivot, p->translation));
}
static inline dew_vec3 pose_undo(const pose *p, dew_vec3 x)
{
    return vec3_add(pose_rotate_back(p, vec3_sub(x, vec3_add(p->pivot, p->translation))), p->pivot);
}

#endif
