/* From shaded samples to bytes: the grain that few rays leave in the light is smoothed within surfaces, never across
 * their edges. */
#ifndef RENDER_SMOOTH_H
#define RENDER_SMOOTH_H

#include "base/result.h"
#include "render/shade.h"

/* pixels: width x height, changed; rgb: width x height x 3. */
dew_result smooth_develop(pixel *pixels, int width, int height, int samples, uint8_t *rgb);

#endif
