/* Inside solids: rigid motion by keyframes or functions of time. */
#ifndef SOLIDS_MOTION_H
#define SOLIDS_MOTION_H

#include "base/real.h"
#include "base/result.h"
#include "dew/definition.h"
#include "geometry/shape.h"

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
/* The largest speed over [begin, end], against a frame of this velocity, of a body whose points lie within `arm` (m) of
 * the pivot: exact between keyframes, by sampling for functions. */
double motion_max_speed(const motion *m, double begin, double end, double arm, dew_vec3 frame);

/* shape_distance of a shape that is moved as the pose says. */
void pose_distance(const pose *p, const shape *s, double band, int count, const real4 *points, real4 *out);

static inline dew_vec3 pose_apply(const pose *p, dew_vec3 x)
{
    return vec3_add(vec3_turned(p->row, vec3_sub(x, p->pivot)), vec3_add(p->pivot, p->translation));
}
static inline dew_vec3 pose_undo(const pose *p, dew_vec3 x)
{
    return vec3_add(vec3_turned_back(p->row, vec3_sub(x, vec3_add(p->pivot, p->translation))), p->pivot);
}

#endif
