/* The camera: a pinhole, and where to put it so that all that matters is in the picture. */
#ifndef RENDER_CAMERA_H
#define RENDER_CAMERA_H

#include "base/bounds.h"
#include "dew/render.h"
#include "render/vector.h"

/* Everything in metres; `right`, `up`, `forward` are unit vectors. */
typedef struct camera {
    dew_vec3 eye, right, up, forward;
    double tan_x, tan_y; /* of half the fields of view */
} camera;

/* The camera of a definition that has one. */
camera camera_given(const dew_render_def *def);
/* A camera that looks along `forward` (unit) with the definition's field of view, as near as it can be with every
 * corner of the box inside the picture and a margin left. */
camera camera_fitted(const dew_render_def *def, const bounds *box, dew_vec3 forward, dew_vec3 up);

#endif
