/* Three floats: the vectors of pictures, whatever `real` is. */
#ifndef RENDER_VECTOR_H
#define RENDER_VECTOR_H

#include "dew/types.h"

#include <math.h>

typedef struct float3 {
    float x, y, z;
} float3;

static inline float3 float3_of(dew_vec3 a) { return (float3){(float)a.x, (float)a.y, (float)a.z}; }
static inline float3 add3(float3 a, float3 b) { return (float3){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline float3 sub3(float3 a, float3 b) { return (float3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline float3 mul3(float3 a, float3 b) { return (float3){a.x * b.x, a.y * b.y, a.z * b.z}; }
static inline float3 scale3(float s, float3 a) { return (float3){s * a.x, s * a.y, s * a.z}; }
/* a + s b */
static inline float3 madd3(float3 a, float s, float3 b)
{
    return (float3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
static inline float3 mix3(float3 a, float3 b, float t) { return madd3(scale3(1 - t, a), t, b); }
static inline float dot3(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline float3 cross3(float3 a, float3 b)
{
    return (float3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/* Zero for a zero vector. */
static inline float3 normalise3(float3 a)
{
    float square = dot3(a, a);
    return square > 0 ? scale3(1 / sqrtf(square), a) : a;
}
/* Any unit vector at right angles to the unit vector n (Duff et al. 2017). */
static inline float3 perpendicular3(float3 n)
{
    float sign = n.z < 0 ? -1.0f : 1.0f, a = -1 / (sign + n.z);
    return (float3){1 + sign * n.x * n.x * a, sign * n.x * n.y * a, -sign * n.x};
}
/* The vector whose components along `tangent`, its partner and `n` are x, y, z. */
static inline float3 around3(float3 n, float x, float y, float z)
{
    float3 tangent = perpendicular3(n), other = cross3(n, tangent);
    return madd3(madd3(scale3(z, n), x, tangent), y, other);
}
static inline float clamp01(float a) { return a < 0 ? 0 : a > 1 ? 1 : a; }

#endif
