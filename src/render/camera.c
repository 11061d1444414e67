#include "render/camera.h"

/* Part of the half picture that the box may fill. */
#define FILL 0.86

static camera camera_looking(const dew_render_def *def, dew_vec3 forward, dew_vec3 up)
{
    camera c = {.forward = forward};
    c.right = vec3_cross(forward, up);
    if (!(vec3_length(c.right) > 1e-9)) c.right = vec3_cross(forward, (dew_vec3){0.1, 1, 0.01});
    c.right = vec3_normalise(c.right);
    c.up = vec3_cross(c.right, forward);
    c.tan_y = tan(def->field_of_view * (M_PI / 360));
    c.tan_x = c.tan_y * def->width / def->height;
    return c;
}

camera camera_given(const dew_render_def *def)
{
    camera c = camera_looking(def, vec3_normalise(vec3_sub(def->target, def->eye)), def->up);
    c.eye = def->eye;
    return c;
}

camera camera_fitted(const dew_render_def *def, const bounds *box, dew_vec3 forward, dew_vec3 up)
{
    camera c = camera_looking(def, forward, up);
    /* In the camera's axes a corner (a, b, depth d) is seen by an eye at (x, y, z) where |a - x| <= t (d - z): four
     * half spaces a corner, whose extremes bound the eye. */
    double tx = FILL * c.tan_x, ty = FILL * c.tan_y;
    double left = INFINITY, right = -INFINITY, low = INFINITY, high = -INFINITY;
    for (int k = 0; k < 8; k++) {
        dew_vec3 p = {k & 1 ? box->max.x : box->min.x, k & 2 ? box->max.y : box->min.y,
                      k & 4 ? box->max.z : box->min.z};
        double a = vec3_dot(p, c.right), b = vec3_dot(p, c.up), d = vec3_dot(p, c.forward);
        right = fmax(right, a - tx * d), left = fmin(left, a + tx * d);
        high = fmax(high, b - ty * d), low = fmin(low, b + ty * d);
    }
    double z = fmin((left - right) / (2 * tx), (low - high) / (2 * ty));
    c.eye = vec3_add(vec3_add(vec3_scale(0.5 * (left + right), c.right), vec3_scale(0.5 * (low + high), c.up)),
                     vec3_scale(z, c.forward));
    return c;
}
