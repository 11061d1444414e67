#include "geometry/shape_internal.h"

/* Distance to an ellipsoid: the nearest surface point x of y (in the positive octant) is x_k = a_k^2 y_k/(t + a_k^2),
 * where t is the largest root of F(t) = sum (a_k y_k/(t + a_k^2))^2 - 1 (Eberly, Distance from a Point to an Ellipse,
 * an Ellipsoid, or a Hyperellipsoid, 2013). F falls and is convex to the right of its last pole, so Newton's method
 * from a point with F >= 0 climbs to the root without overshooting. */

static dew_result ellipsoid_create(shape *s, const dew_shape_def *def)
{
    s->box.centre = def->ellipsoid.centre;
    s->box.half = def->ellipsoid.semi_axes;
    return DEW_OK;
}

/* s = t + (least a)^2 at the root, in units where the largest semi-axis is 1; above[k] = a_k^2 - (least a)^2. In t
 * itself the digits of points near the medial surface would be lost. */
static double nearest_root(const double a[3], const double above[3], const double y[3])
{
    double s = -INFINITY;
    for (int k = 0; k < 3; k++) s = fmax(s, a[k] * y[k] - above[k]); /* the k-th term alone is 1 there: F >= 0 */
    for (int turn = 0; turn < 120; turn++) {
        double f = -1, slope = 0;
        for (int k = 0; k < 3; k++) {
            double inverse = 1 / (s + above[k]), term = a[k] * y[k] * inverse;
            f += term * term;
            slope += term * term * inverse;
        }
        double step = f / (2 * slope);
        if (!(step > 1e-15 * s)) break;
        s += step;
    }
    return s;
}

static void ellipsoid_distance(const shape *s, double band, int count, const point_block *p, distance_block *out)
{
    (void)band;
    const double axes[3] = {s->box.half.x, s->box.half.y, s->box.half.z};
    double unit = fmax(axes[0], fmax(axes[1], axes[2]));
    const double a[3] = {axes[0] / unit, axes[1] / unit, axes[2] / unit};
    double least = fmin(a[0], fmin(a[1], a[2])), above[3];
    for (int k = 0; k < 3; k++) above[k] = (a[k] - least) * (a[k] + least);
    for (int i = 0; i < count; i++) {
        const double v[3] = {p->x[i] - s->box.centre.x, p->y[i] - s->box.centre.y, p->z[i] - s->box.centre.z};
        double y[3], level = 0;
        for (int k = 0; k < 3; k++) {
            /* A coordinate of exactly zero would take its pole away and with it the root of points on the medial
             * surface: nudged by less than rounding matters. */
            y[k] = fmax(fabs(v[k]) / unit, 1e-15 * a[k]);
            level += y[k] / a[k] * (y[k] / a[k]);
        }
        double root = nearest_root(a, above, y), d2 = 0, n[3], n2 = 0;
        for (int k = 0; k < 3; k++) {
            double x = a[k] * a[k] * y[k] / (root + above[k]);
            d2 += (y[k] - x) * (y[k] - x);
            n[k] = x / (a[k] * a[k]);
            n2 += n[k] * n[k];
        }
        double inverse = 1 / sqrt(n2);
        out->d[i] = (level < 1 ? -sqrt(d2) : sqrt(d2)) * unit;
        out->x[i] = copysign(n[0], v[0]) * inverse;
        out->y[i] = copysign(n[1], v[1]) * inverse;
        out->z[i] = copysign(n[2], v[2]) * inverse;
    }
}

static double ellipsoid_support(const shape *s, dew_vec3 u)
{
    dew_vec3 a = s->box.half;
    return vec3_dot(s->box.centre, u) + vec3_length((dew_vec3){a.x * u.x, a.y * u.y, a.z * u.z});
}

const shape_kind shape_ellipsoid = {"ellipsoid", ellipsoid_create, NULL, ellipsoid_distance, ellipsoid_support, NULL};
