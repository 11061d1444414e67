#include "bashforth_adams.h"

#include "measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static drop_point slope_at(drop_point p, double curvature, double capillarity)
{
    double sine = sin(p.phi);
    double turn =
        p.r > 0 ? 2 * curvature + capillarity * p.z - sine / p.r : curvature; /* sin(phi)/r -> k at the apex */
    return (drop_point){cos(p.phi), sine, turn, M_PI * p.r * p.r * sine};
}

static drop_point moved(drop_point p, drop_point slope, double ds)
{
    return (drop_point){p.r + ds * slope.r, p.z + ds * slope.z, p.phi + ds * slope.phi, p.volume + ds * slope.volume};
}

drop_point drop_step(drop_point p, double curvature, double capillarity, double ds)
{
    drop_point a = slope_at(p, curvature, capillarity);
    drop_point b = slope_at(moved(p, a, 0.5 * ds), curvature, capillarity);
    drop_point c = slope_at(moved(p, b, 0.5 * ds), curvature, capillarity);
    drop_point d = slope_at(moved(p, c, ds), curvature, capillarity);
    return moved(moved(moved(moved(p, a, ds / 6), b, ds / 3), c, ds / 3), d, ds / 6);
}

/* Follows the profile over an arc; *points (may be NULL): DROP_POINTS of them, evenly spaced. */
static drop_point follow(double curvature, double capillarity, double length, drop_point *points)
{
    int parts = (int)ceil(length * fmax(curvature, 1) / (0.01 * (DROP_POINTS - 1)));
    double ds = length / ((DROP_POINTS - 1) * parts);
    drop_point p = {0};
    for (int i = 0; i + 1 < DROP_POINTS; i++) {
        if (points) points[i] = p;
        for (int k = 0; k < parts; k++) p = drop_step(p, curvature, capillarity, ds);
    }
    if (points) points[DROP_POINTS - 1] = p;
    return p;
}

static void fill(drop_profile *profile, double curvature, double capillarity, double length)
{
    profile->curvature = curvature;
    profile->capillarity = capillarity;
    profile->foot = follow(curvature, capillarity, length, profile->points);
}

/* --- standing drops --- */

/* The arc's length up to the slope; NaN if the volume exceeds 1 before. */
static double follow_to_slope(double curvature, double capillarity, double slope)
{
    double ds = fmin(5e-3, 1e-2 / curvature), arc = 0;
    drop_point p = {0}, next;
    while ((next = drop_step(p, curvature, capillarity, ds)).phi < slope) {
        if (next.volume > 1) return NAN;
        p = next;
        arc += ds;
    }
    double low = 0, high = ds;
    for (int k = 0; k < 50; k++) {
        double middle = 0.5 * (low + high);
        next = drop_step(p, curvature, capillarity, middle);
        if (next.phi < slope)
            low = middle;
        else
            high = middle;
    }
    return next.volume > 1 ? NAN : arc + low;
}

/* The volume grows with the apex's radius: bisection. */
void drop_sessile(double bond, double angle, drop_profile *profile)
{
    double low = 1e-2, high = 1e7, arc = 0;
    for (int k = 0; k < 60; k++) {
        double radius = sqrt(low * high), found = follow_to_slope(1 / radius, bond, angle);
        if (isnan(found))
            high = radius;
        else
            low = radius, arc = found;
    }
    fill(profile, 1 / low, bond, arc);
}

/* --- hanging drops --- */

/* Drops through the tip's edge: the zeros of r(k, s) - 1, s the arc's length, are a curve; it begins with flat drops,
 * k = 0, and is followed by predictor and corrector, around its turning points. */
typedef struct family {
    double k, s;             /* a point of the curve */
    double along_k, along_s; /* its tangent there, a unit vector */
    double volume, height;
} family;

static const double family_step = 0.05;

/* The point of the curve `step` along the tangent, corrected at right angles to it. */
static family next_drop(const family *f, double bond, double step)
{
    const double dk = 1e-6;
    family g = *f;
    g.k += step * f->along_k;
    g.s += step * f->along_s;
    double slope_k = 0, slope_s = 0;
    for (int i = 0; i < 8; i++) {
        drop_point end = follow(g.k, -bond, g.s, NULL);
        double miss = end.r - 1;
        g.volume = end.volume;
        g.height = end.z;
        slope_s = cos(end.phi);
        slope_k = (follow(g.k + dk, -bond, g.s, NULL).r - end.r) / dk;
        if (fabs(miss) < 1e-11) break;
        double determinant = slope_k * f->along_s - slope_s * f->along_k;
        g.k -= miss * f->along_s / determinant;
        g.s += miss * f->along_k / determinant;
    }
    double length = hypot(slope_k, slope_s);
    double sign = slope_s * f->along_k - slope_k * f->along_s < 0 ? -1 : 1; /* onwards */
    g.along_k = sign * slope_s / length;
    g.along_s = -sign * slope_k / length;
    return g;
}

/* From flat drops on to the first drop of that volume, or to the largest. */
static family find_hanging(double bond, double volume)
{
    const double step = family_step;
    family f = {.k = 0, .s = 1, .along_k = 1}, before = f, next = f;
    while ((next = next_drop(&f, bond, step)).volume > f.volume && next.volume < volume) {
        before = f;
        f = next;
    }
    if (next.volume >= volume) { /* between f and next: bisection */
        double low = 0, high = step;
        for (int i = 0; i < 40; i++) {
            double middle = 0.5 * (low + high);
            if ((next = next_drop(&f, bond, middle)).volume < volume)
                low = middle;
            else
                high = middle;
        }
        return next;
    }
    double low = 0, high = 2 * step; /* of `before`: golden section */
    const double part = 0.381966;
    for (int i = 0; i < 30; i++) {
        double a = low + part * (high - low), b = high - part * (high - low);
        if (next_drop(&before, bond, a).volume > next_drop(&before, bond, b).volume)
            high = b;
        else
            low = a;
    }
    return next_drop(&before, bond, 0.5 * (low + high));
}

int drop_pendant_family(double bond, int capacity, double *volumes, double *heights)
{
    int count = 0;
    family f = {.k = 0, .s = 1, .along_k = 1}, next;
    for (; (next = next_drop(&f, bond, family_step)).volume > f.volume && count < capacity; f = next) {
        volumes[count] = next.volume;
        heights[count++] = next.height;
    }
    return count;
}

void drop_pendant_largest(double bond, drop_profile *profile) { drop_pendant(bond, INFINITY, profile); }

void drop_pendant(double bond, double volume, drop_profile *profile)
{
    family f = find_hanging(bond, volume);
    fill(profile, f.k, -bond, f.s);
}

/* --- as a shape --- */

void drop_scale(drop_profile *profile, double scale)
{
    profile->curvature /= scale;
    profile->capillarity /= scale * scale;
    for (int i = 0; i < DROP_POINTS; i++) {
        drop_point *p = &profile->points[i];
        p->r *= scale;
        p->z *= scale;
        p->volume *= scale * scale * scale;
    }
    profile->foot = profile->points[DROP_POINTS - 1];
}

double drop_radius_at(const drop_profile *profile, double z)
{
    if (z < 0 || z > profile->foot.z) return 0;
    int low = 0, high = DROP_POINTS - 1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (profile->points[middle].z <= z)
            low = middle;
        else
            high = middle;
    }
    const drop_point *a = &profile->points[low], *b = &profile->points[high];
    double part = b->z > a->z ? (z - a->z) / (b->z - a->z) : 0;
    return sqrt(a->r * a->r + part * (b->r * b->r - a->r * a->r)); /* r^2 is linear in z at the apex */
}

static void shape_value(void *context, int count, const double *const *inputs, double *output)
{
    const drop_profile *profile = context;
    double up = profile->capillarity >= 0 ? 1 : -1;
    for (int i = 0; i < count; i++) {
        double z = profile->foot.z - up * inputs[2][i], r = hypot(inputs[0][i], inputs[1][i]);
        double outside = fmax(-z, z - profile->foot.z);
        output[i] = outside > 0 ? fmax(outside, r - profile->foot.r) : r - drop_radius_at(profile, z);
    }
}

dew_shape_def drop_shape(drop_profile *profile)
{
    double widest = 0, height = profile->foot.z, margin = 0.05 * height;
    for (int i = 0; i < DROP_POINTS; i++) widest = fmax(widest, profile->points[i].r);
    bool is_standing = profile->capillarity >= 0;
    dew_shape_def shape = dew_default_shape_def();
    shape.kind = DEW_SHAPE_IMPLICIT;
    shape.implicit.value = (dew_function){shape_value, profile};
    widest += margin;
    shape.implicit.min = (dew_vec3){-widest, -widest, (is_standing ? 0 : -height) - margin};
    shape.implicit.max = (dew_vec3){widest, widest, (is_standing ? height : 0) + margin};
    return shape;
}

/* --- as a plot --- */

/* A point (r, z from the apex), moved out by `way` along the normal of the profile's nearest point. */
static void move_out(const drop_profile *profile, double way, double *r, double *z)
{
    const drop_point *nearest = profile->points;
    double least = INFINITY;
    for (int k = 0; k < DROP_POINTS; k++) {
        const drop_point *p = &profile->points[k];
        double away = hypot(*r - p->r, *z - p->z);
        if (away < least) least = away, nearest = p;
    }
    *r += way * sin(nearest->phi);
    *z -= way * cos(nearest->phi);
}

void drop_plot(law_results *results, const dew_simulation *simulation, const drop_profile *profile, double unit,
               const char *name)
{
    enum { MOST = 2000 };
    double r[MOST], z[MOST], *points, up = profile->capillarity >= 0 ? 1 : -1, foot = profile->foot.z;
    int count = surface_points(simulation, &points), step = 1 + count / MOST, kept = 0;
    bulk whole = measure_bulk(simulation);
    char label[64];
    for (int i = 0; i < count; i += step, kept++) {
        double x = points[3 * i] - whole.centre.x, y = points[3 * i + 1] - whole.centre.y;
        double from_axis = hypot(x, y), from_apex = foot - up * points[3 * i + 2];
        move_out(profile, 0.5 * dew_simulation_spacing(simulation), &from_axis, &from_apex);
        r[kept] = copysign(from_axis, x) / unit;
        z[kept] = up * (foot - from_apex) / unit;
    }
    free(points);
    snprintf(label, sizeof label, "%s, particles", name);
    law_plot_curve(results, LAW_CURVE_POINTS, label, kept, r, z);
    for (int k = -DROP_POINTS + 1; k < DROP_POINTS; k++) { /* from foot to foot */
        const drop_point *p = &profile->points[abs(k)];
        r[k + DROP_POINTS - 1] = (k < 0 ? -p->r : p->r) / unit;
        z[k + DROP_POINTS - 1] = up * (foot - p->z) / unit;
    }
    snprintf(label, sizeof label, "%s, theory", name);
    law_plot_curve(results, LAW_CURVE_THEORY, label, 2 * DROP_POINTS - 1, r, z);
}
