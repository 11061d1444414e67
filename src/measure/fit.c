/* Fits to points of a free surface: modes of oscillation, roundness, spheres. */
#include "measure/least_squares.h"
#include "measure/points.h"

#include <string.h>

enum { HARMONICS = (MODE_LAST + 1) * (MODE_LAST + 1), MODE_MIN_POINTS = 100, SPHERE_MIN_POINTS = 20 };

static dew_vec3 place(real4 a) { return (dew_vec3){a.x, a.y, a.z}; }

/* --- modes --- */

/* Real spherical harmonics of a direction, Schmidt's normalisation: S_n^0 = P_n, S_n^m = sqrt(2 (n - m)!/(n + m)!)
 * P_n^m without the sign of Condon and Shortley. y[n^2] is m = 0, then cos and sin of m = 1, 2, ... */
static void harmonics(dew_vec3 u, double y[HARMONICS])
{
    double c = u.z, s = sqrt(fmax(0, 1 - c * c)), phi = atan2(u.y, u.x), diagonal = 1;
    for (int m = 0; m <= MODE_LAST; m++) {
        if (m > 0) diagonal *= s * sqrt((m == 1 ? 1 : (2.0 * m - 1) / (2 * m)));
        double before = 0, here = diagonal, along = cos(m * phi), across = sin(m * phi);
        for (int n = m; n <= MODE_LAST; n++) {
            if (n > m) {
                double root = sqrt((double)(n * n - m * m)), old = sqrt((double)((n - 1) * (n - 1) - m * m));
                double next = ((2 * n - 1) * c * here - old * before) / root;
                before = here, here = next;
            }
            if (m == 0)
                y[n * n] = here;
            else
                y[n * n + 2 * m - 1] = here * along, y[n * n + 2 * m] = here * across;
        }
    }
}

static void circular(dew_vec3 u, double *y)
{
    double phi = atan2(u.y, u.x);
    y[0] = 1;
    for (int n = 1; n <= MODE_LAST; n++) y[2 * n - 1] = cos(n * phi), y[2 * n] = sin(n * phi);
}

bool measure_modes(const real4 *points, int count, int dimension, dew_vec3 centre, double radius,
                   mode_amplitudes *amplitudes)
{
    least_squares f = {.unknowns = dimension == 2 ? 2 * MODE_LAST + 1 : HARMONICS};
    double total = 0;
    for (int i = 0; i < count; i++) total += (double)points[i].w;
    for (int i = 0; i < count; i++) {
        dew_vec3 d = vec3_sub(place(points[i]), centre);
        if (dimension == 2) d.z = 0;
        double r = vec3_length(d), y[HARMONICS];
        if (!(r > 0)) continue;
        if (dimension == 2)
            circular(d, y);
        else
            harmonics(vec3_scale(1 / r, d), y);
        least_squares_add(&f, y, r / radius - 1, points[i].w / total);
    }
    double x[HARMONICS];
    if (f.rows < MODE_MIN_POINTS || !least_squares_solve(&f, x)) return false;
    for (int n = MODE_FIRST; n <= MODE_LAST; n++) {
        int first = dimension == 2 ? 2 * n - 1 : n * n, orders = dimension == 2 ? 2 : 2 * n + 1;
        double square = 0;
        for (int m = 0; m < orders; m++) square += x[first + m] * x[first + m];
        amplitudes->axial[n - MODE_FIRST] = x[first];
        amplitudes->total[n - MODE_FIRST] = sqrt(square);
    }
    return true;
}

static double distance_from(real4 point, int dimension, dew_vec3 centre)
{
    dew_vec3 d = vec3_sub(place(point), centre);
    return dimension == 2 ? hypot(d.x, d.y) : vec3_length(d);
}

void measure_roundness(const real4 *points, int count, int dimension, dew_vec3 centre, double *mean, double *deviation)
{
    double sum = 0, weight = 0, square = 0;
    for (int i = 0; i < count; i++) {
        weight += (double)points[i].w;
        sum += (double)points[i].w * distance_from(points[i], dimension, centre);
    }
    *mean = sum / weight;
    for (int i = 0; i < count; i++)
        square += (double)points[i].w * pow(distance_from(points[i], dimension, centre) - *mean, 2);
    *deviation = sqrt(square / weight);
}

/* --- spheres --- */

/* Coefficients of the centre's coordinates that are sought (in two dimensions z stays 0), and 1 for the radius. */
static void sphere_row(dew_vec3 d, int dimension, double *row)
{
    row[0] = d.x, row[1] = d.y, row[2] = dimension == 3 ? d.z : 1;
    if (dimension == 3) row[3] = 1;
}

/* |d|^2 = 2 c . d + (r^2 - |c|^2) is linear; d from the points' mean, over their spread. */
static bool algebraic_sphere(const real4 *points, int count, int dimension, dew_vec3 mean, double spread, double *x)
{
    least_squares f = {.unknowns = dimension + 1};
    for (int i = 0; i < count; i++) {
        dew_vec3 d = vec3_scale(1 / spread, vec3_sub(place(points[i]), mean));
        if (dimension == 2) d.z = 0;
        double row[4];
        sphere_row(vec3_scale(2, d), dimension, row);
        least_squares_add(&f, row, vec3_dot(d, d), points[i].w);
    }
    return f.rows >= SPHERE_MIN_POINTS && least_squares_solve(&f, x);
}

bool measure_sphere(const real4 *points, int count, int dimension, fitted_sphere *sphere)
{
    dew_vec3 mean = {0, 0, 0};
    double weight = 0, spread = 0, x[4];
    for (int i = 0; i < count; i++) {
        mean = vec3_add(mean, vec3_scale((double)points[i].w, place(points[i])));
        weight += (double)points[i].w;
    }
    if (!(weight > 0)) return false;
    mean = vec3_scale(1 / weight, mean);
    if (dimension == 2) mean.z = 0;
    for (int i = 0; i < count; i++) spread += (double)points[i].w * vec3_length(vec3_sub(place(points[i]), mean));
    spread /= weight;
    if (!(spread > 0) || !algebraic_sphere(points, count, dimension, mean, spread, x)) return false;
    dew_vec3 c = {x[0], x[1], dimension == 3 ? x[2] : 0};
    double r = sqrt(x[dimension] + vec3_dot(c, c));
    for (int turn = 0; turn < 50; turn++) { /* of the distances now, by Gauss-Newton */
        least_squares f = {.unknowns = dimension + 1};
        for (int i = 0; i < count; i++) {
            dew_vec3 d = vec3_sub(vec3_scale(1 / spread, vec3_sub(place(points[i]), mean)), c);
            if (dimension == 2) d.z = 0;
            double length = vec3_length(d), row[4];
            if (!(length > 0)) continue;
            sphere_row(vec3_scale(1 / length, d), dimension, row);
            least_squares_add(&f, row, length - r, points[i].w);
        }
        if (!least_squares_solve(&f, x)) return false;
        c = vec3_add(c, (dew_vec3){x[0], x[1], dimension == 3 ? x[2] : 0});
        r += x[dimension];
        if (fabs(x[0]) + fabs(x[1]) + fabs(x[dimension]) < 1e-10) break;
    }
    *sphere = (fitted_sphere){vec3_add(mean, vec3_scale(spread, c)), spread * r};
    return isfinite(r) && r > 0;
}
