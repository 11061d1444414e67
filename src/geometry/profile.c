#include "geometry/profile.h"

typedef struct foot {
    double square, x, z; /* from the nearest point to the place */
    double nx, nz;       /* outward normal there */
} foot;

static void try_segment(double x0, double z0, double x1, double z1, double x, double z, foot *best)
{
    double ex = x1 - x0, ez = z1 - z0, length = ex * ex + ez * ez;
    double t = length > 0 ? fmin(fmax(((x - x0) * ex + (z - z0) * ez) / length, 0), 1) : 0;
    double dx = x - x0 - t * ex, dz = z - z0 - t * ez, square = dx * dx + dz * dz;
    if (square >= best->square) return;
    double inverse = length > 0 ? 1 / sqrt(length) : 0;
    *best = (foot){square, dx, dz, -ez * inverse, ex * inverse};
}

/* The last point of the chain at or before x, between the first and the last but one. */
static int find_point(const profile *p, double x)
{
    int low = 0, high = p->count - 1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (p->x[middle] <= x)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Signed distance in the plane of the profile, and its gradient. */
static double distance_across(const profile *p, double x, double z, double *nx, double *nz)
{
    int last = p->count - 1, at = find_point(p, x);
    foot best = {.square = INFINITY};
    try_segment(p->x[0], p->bottom, p->x[0], p->z[0], x, z, &best);
    try_segment(p->x[last], p->z[last], p->x[last], p->bottom, x, z, &best);
    try_segment(p->x[last], p->bottom, p->x[0], p->bottom, x, z, &best);
    for (int k = at; k >= 0 && (k == at || (x - p->x[k + 1]) * fabs(x - p->x[k + 1]) < best.square); k--)
        try_segment(p->x[k], p->z[k], p->x[k + 1], p->z[k + 1], x, z, &best);
    for (int k = at + 1; k < last && (p->x[k] - x) * fabs(p->x[k] - x) < best.square; k++)
        try_segment(p->x[k], p->z[k], p->x[k + 1], p->z[k + 1], x, z, &best);
    double share = (x - p->x[at]) / (p->x[at + 1] - p->x[at]);
    bool is_inside = x > p->x[0] && x < p->x[last] && z > p->bottom &&
                     z < p->z[at] + fmin(fmax(share, 0), 1) * (p->z[at + 1] - p->z[at]);
    double length = sqrt(best.square), sign = is_inside ? -1 : 1;
    bool is_on = !(length > 1e-12 * (p->x[last] - p->x[0]));
    *nx = is_on ? best.nx : sign * best.x / length, *nz = is_on ? best.nz : sign * best.z / length;
    return sign * length;
}

void profile_distance(const shape *s, double band, int count, const point_block *points, distance_block *out)
{
    (void)band;
    const profile *p = s->body.profile;
    const double *across = p->across ? points->y : points->x, *along = p->across ? points->x : points->y;
    double *nx = p->across ? out->y : out->x, *ny = p->across ? out->x : out->y;
    for (int i = 0; i < count; i++) {
        double x, z, d = distance_across(p, across[i], points->z[i], &x, &z);
        double to_low = p->low - along[i], to_high = along[i] - p->high;
        double e = fmax(to_low, to_high), side = to_low > to_high ? -1 : 1;
        double both = d > 0 && e > 0 ? sqrt(d * d + e * e) : fmax(d, e);
        double a = d > 0 && e > 0 ? d / both : d >= e, b = d > 0 && e > 0 ? e / both : d < e;
        out->d[i] = both;
        nx[i] = a * x, out->z[i] = a * z, ny[i] = b * side;
    }
}
