/* Embree 3 or 4, whichever there is: they differ in how a ray is asked for. The build defines DEW_EMBREE_4 for the
 * latter. */
#ifndef BASE_EMBREE_H
#define BASE_EMBREE_H

#include <stdbool.h>

#ifdef DEW_EMBREE_4
#include <embree4/rtcore.h>
#else
#include <embree3/rtcore.h>
#endif

#ifdef DEW_EMBREE_4
typedef struct RTCRayQueryContext embree_context;
#else
typedef struct RTCIntersectContext embree_context;
#endif

/* What the ray meets first; its neighbours go about the same way. Filters of geometries are given the context. */
static inline void embree_intersect(RTCScene scene, embree_context *context, struct RTCRayHit *ray)
{
#ifdef DEW_EMBREE_4
    struct RTCIntersectArguments arguments;
    rtcInitIntersectArguments(&arguments);
    rtcInitRayQueryContext(context);
    arguments.flags = RTC_RAY_QUERY_FLAG_COHERENT, arguments.context = context;
    rtcIntersect1(scene, ray, &arguments);
#else
    rtcInitIntersectContext(context);
    context->flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
    rtcIntersect1(scene, context, ray);
#endif
}

/* Whether it meets anything. */
static inline bool embree_is_occluded(RTCScene scene, struct RTCRay *ray)
{
#ifdef DEW_EMBREE_4
    rtcOccluded1(scene, ray, 0);
#else
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcOccluded1(scene, &context, ray);
#endif
    return ray->tfar < 0;
}

#endif
