#include "measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct vector_field {
    const dew_real *data;
    int stride, count;
} vector_field;

static vector_field vectors(const dew_frame *frame, const char *name)
{
    dew_field field;
    if (!dew_frame_field(frame, name, &field)) return (vector_field){0};
    return (vector_field){field.data, field.stride, field.count};
}

bulk measure_bulk(const dew_simulation *simulation) { return bulk_of(dew_simulation_frame(simulation)); }

bulk bulk_of(const dew_frame *frame)
{
    bulk b = {0};
    vector_field x = vectors(frame, "position"), v = vectors(frame, "velocity");
    b.count = x.count, b.dimension = frame->dimension;
    double n = x.count, mean[6] = {0};
    for (int i = 0; i < x.count; i++)
        for (int k = 0; k < 3; k++) {
            mean[k] += x.data[(size_t)i * x.stride + k] / n;
            mean[3 + k] += v.data[(size_t)i * v.stride + k] / n;
        }
    b.centre = (dew_vec3){mean[0], mean[1], mean[2]};
    b.velocity = (dew_vec3){mean[3], mean[4], mean[5]};
    for (int i = 0; i < x.count; i++) {
        double r[3], u[3], u2 = 0, r2 = 0;
        for (int k = 0; k < 3; k++) {
            double w = v.data[(size_t)i * v.stride + k];
            r[k] = x.data[(size_t)i * x.stride + k] - mean[k];
            u[k] = w - mean[3 + k];
            u2 += w * w;
            r2 += r[k] * r[k];
        }
        for (int k = 0; k < 9; k++) b.moment[k / 3][k % 3] += r[k / 3] * r[k % 3] / n;
        b.angular.x += (r[1] * u[2] - r[2] * u[1]) / n;
        b.angular.y += (r[2] * u[0] - r[0] * u[2]) / n;
        b.angular.z += (r[0] * u[1] - r[1] * u[0]) / n;
        b.speed += sqrt(u2) / n;
        b.swirl += sqrt(u2 * r2) / n;
        b.speed_squared += u2 / n;
        b.speed_max = fmax(b.speed_max, sqrt(u2));
    }
    return b;
}

double drop_mode(const bulk *b, double spacing)
{
    double radius = drop_radius(b->dimension, b->count, spacing);
    if (b->dimension == 2) return (b->moment[1][1] - b->moment[0][0]) / (radius * radius);
    return (b->moment[2][2] - 0.5 * (b->moment[0][0] + b->moment[1][1])) / (0.6 * radius * radius);
}

bool mode_watch_step(void *context, const dew_simulation *simulation)
{
    mode_watch *w = context;
    bulk b = measure_bulk(simulation);
    law_report_progress(&w->progress, simulation);
    bool is_kept =
        series_add(&w->amplitude, dew_simulation_time(simulation), drop_mode(&b, dew_simulation_spacing(simulation)));
    return is_kept && (w->steps == 0 || dew_simulation_step_count(simulation) < w->steps);
}

double measure_mode(const dew_frame *frame, int axis, double wave_number)
{
    vector_field x = vectors(frame, "position");
    double sum = 0;
    for (int i = 0; i < x.count; i++) sum += cos(wave_number * (double)x.data[(size_t)i * x.stride + axis]);
    return sum / x.count;
}

double distance_of(dew_vec3 a, dew_vec3 b)
{
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

dew_vec3 measure_angular(const dew_simulation *simulation)
{
    double l[3] = {NAN, NAN, NAN}, mass = NAN;
    if (dew_simulation_measure(simulation, "angular_momentum", l) || dew_simulation_measure(simulation, "mass", &mass))
        mass = NAN;
    return (dew_vec3){l[0] / mass, l[1] / mass, l[2] / mass};
}

double drop_volume(int dimension, double radius)
{
    return dimension == 2 ? M_PI * radius * radius : 4 * M_PI / 3 * pow(radius, 3);
}

double drop_spacing(int dimension, double radius, int count)
{
    double volume = drop_volume(dimension, radius);
    return dimension == 2 ? sqrt(volume / count) : spacing_of_count(volume, count);
}

double drop_radius(int dimension, int count, double spacing)
{
    return dimension == 2 ? disc_radius_of_count(count, spacing) : radius_of_count(count, spacing);
}

double radius_of_count(int count, double spacing) { return spacing * cbrt(3 * count / (4 * M_PI)); }

double disc_radius_of_count(int count, double spacing) { return spacing * sqrt(count / M_PI); }

double spacing_of_count(double volume, int count) { return cbrt(volume / count); }

int surface_points(const dew_simulation *simulation, double **points)
{
    dew_field flag;
    vector_field x = vectors(dew_simulation_frame(simulation), "position");
    *points = NULL;
    if (!dew_simulation_field(simulation, "is_surface", &flag) || flag.type != DEW_FIELD_UINT8) return 0;
    const uint8_t *is_surface = flag.data;
    int count = 0;
    for (int i = 0; i < x.count; i++) count += is_surface[(size_t)i * flag.stride] != 0;
    *points = malloc((size_t)(count > 0 ? count : 1) * 3 * sizeof **points);
    if (!*points) return 0;
    double *next = *points;
    for (int i = 0; i < x.count; i++)
        if (is_surface[(size_t)i * flag.stride])
            for (int k = 0; k < 3; k++) *next++ = x.data[(size_t)i * x.stride + k];
    return count;
}

bool solve_small(int n, double *matrix, double *right)
{
    for (int c = 0; c < n; c++) {
        int pivot = c;
        for (int r = c + 1; r < n; r++)
            if (fabs(matrix[r * n + c]) > fabs(matrix[pivot * n + c])) pivot = r;
        if (!(fabs(matrix[pivot * n + c]) > 0)) return false;
        for (int k = 0; k < n; k++) {
            double swap = matrix[c * n + k];
            matrix[c * n + k] = matrix[pivot * n + k];
            matrix[pivot * n + k] = swap;
        }
        double swap = right[c];
        right[c] = right[pivot];
        right[pivot] = swap;
        for (int r = c + 1; r < n; r++) {
            double factor = matrix[r * n + c] / matrix[c * n + c];
            for (int k = c; k < n; k++) matrix[r * n + k] -= factor * matrix[c * n + k];
            right[r] -= factor * right[c];
        }
    }
    for (int r = n - 1; r >= 0; r--) {
        for (int k = r + 1; k < n; k++) right[r] -= matrix[r * n + k] * right[k];
        right[r] /= matrix[r * n + r];
    }
    return true;
}

/* Adds the equation row . unknowns = value to the normal equations. */
static void add_equation(int n, double *matrix, double *right, const double *row, double value)
{
    for (int r = 0; r < n; r++) {
        for (int c = 0; c < n; c++) matrix[r * n + c] += row[r] * row[c];
        right[r] += row[r] * value;
    }
}

/* --- spheres --- */

/* |p|^2 = 2 p . centre + (radius^2 - |centre|^2) is linear in the unknowns; p from the mean, over their spread. */
static bool algebraic_sphere(int dimension, int count, const double *points, const double *origin, double scale,
                             double *unknowns)
{
    double matrix[16] = {0}, right[4] = {0};
    int n = dimension + 1;
    for (int i = 0; i < count; i++) {
        double row[4], square = 0;
        row[dimension] = 1;
        for (int k = 0; k < dimension; k++) {
            double p = (points[3 * i + k] - origin[k]) / scale;
            square += p * p;
            row[k] = 2 * p;
        }
        add_equation(n, matrix, right, row, square);
    }
    if (!solve_small(n, matrix, right)) return false;
    double square = right[dimension];
    for (int k = 0; k < dimension; k++) {
        unknowns[k] = origin[k] + scale * right[k];
        square += right[k] * right[k];
    }
    unknowns[3] = scale * sqrt(square);
    return isfinite(unknowns[3]);
}

static double distance_to(const double *p, const double *centre)
{
    return sqrt((p[0] - centre[0]) * (p[0] - centre[0]) + (p[1] - centre[1]) * (p[1] - centre[1]) +
                (p[2] - centre[2]) * (p[2] - centre[2]));
}

sphere_fit fit_sphere(int dimension, int count, const double *points)
{
    sphere_fit failed = {.radius = NAN, .deviation = NAN};
    int n = dimension + 1;
    if (count < n) return failed;
    double origin[3] = {0}, scale = 0, s[4] = {0}; /* centre, radius */
    for (int i = 0; i < 3 * count; i++) origin[i % 3] += points[i] / count;
    for (int i = 0; i < count; i++) scale += distance_to(points + 3 * i, origin) / count;
    if (!(scale > 0) || !algebraic_sphere(dimension, count, points, origin, scale, s)) return failed;
    for (int iteration = 0; iteration < 30; iteration++) {
        double matrix[16] = {0}, right[4] = {0};
        for (int i = 0; i < count; i++) {
            const double *p = points + 3 * i;
            double d = distance_to(p, s), row[4];
            for (int k = 0; k < dimension; k++) row[k] = (p[k] - s[k]) / d;
            row[dimension] = 1;
            add_equation(n, matrix, right, row, d - s[3]);
        }
        if (!solve_small(n, matrix, right)) return failed;
        double change = 0;
        for (int k = 0; k < n; k++) {
            s[k < dimension ? k : 3] += right[k];
            change = fmax(change, fabs(right[k]));
        }
        if (change < 1e-9 * scale) break;
    }
    double square = 0;
    for (int i = 0; i < count; i++) square += pow(distance_to(points + 3 * i, s) - s[3], 2) / count;
    return (sphere_fit){{s[0], s[1], s[2]}, s[3], sqrt(square)};
}

/* --- series --- */

double paraboloid_top(int count, const double *points, double within)
{
    double matrix[16] = {0}, right[4] = {0}, x = 0, y = 0;
    for (int i = 0; i < count; i++) {
        x += points[3 * i] / count;
        y += points[3 * i + 1] / count;
    }
    for (int i = 0; i < count; i++) {
        double u = (points[3 * i] - x) / within, v = (points[3 * i + 1] - y) / within, z = points[3 * i + 2] / within;
        if (u * u + v * v > 1) continue;
        const double row[4] = {1, u, v, -(u * u + v * v)};
        for (int k = 0; k < 16; k++) matrix[k] += row[k / 4] * row[k % 4];
        for (int k = 0; k < 4; k++) right[k] += row[k] * z;
    }
    if (!solve_small(4, matrix, right)) return NAN;
    return within * (right[0] + (right[1] * right[1] + right[2] * right[2]) / (4 * right[3]));
}

bool series_add(series *s, double time, double value)
{
    if (s->count == s->capacity) {
        int capacity = s->capacity ? 2 * s->capacity : 1024;
        double *times = realloc(s->time, (size_t)capacity * sizeof *times);
        if (!times) return false;
        s->time = times;
        double *values = realloc(s->value, (size_t)capacity * sizeof *values);
        if (!values) return false;
        s->value = values;
        s->capacity = capacity;
    }
    s->time[s->count] = time;
    s->value[s->count++] = value;
    return true;
}

void series_free(series *s)
{
    free(s->time);
    free(s->value);
    *s = (series){0};
}

double series_mean(const series *s, double from, double to)
{
    double sum = 0;
    int count = 0;
    for (int i = 0; i < s->count; i++) {
        if (s->time[i] < from || s->time[i] > to) continue;
        sum += s->value[i];
        count++;
    }
    return count > 0 ? sum / count : NAN;
}

double series_largest(const series *s, double from, double to)
{
    double largest = NAN;
    for (int i = 0; i < s->count; i++)
        if (s->time[i] >= from && s->time[i] <= to) largest = fmax(largest, s->value[i]);
    return largest;
}

static double slope_of(const series *s, double from, double to, bool of_logarithms)
{
    double matrix[4] = {0}, right[2] = {0}, origin = NAN, scale = 0;
    for (int i = 0; i < s->count; i++) {
        double value = of_logarithms ? log(fabs(s->value[i])) : s->value[i];
        if (s->time[i] < from || s->time[i] > to || !isfinite(value)) continue;
        if (isnan(origin)) origin = s->time[i], scale = fmax(fabs(s->time[s->count - 1] - origin), 1e-300);
        add_equation(2, matrix, right, (double[]){1, (s->time[i] - origin) / scale}, value);
    }
    return solve_small(2, matrix, right) ? right[1] / scale : NAN;
}

double fit_slope(const series *s, double from, double to) { return slope_of(s, from, to, false); }

double fit_rate(const series *s, double from, double to) { return slope_of(s, from, to, true); }

double series_reaches(const series *s, double value)
{
    for (int i = 1; i < s->count; i++)
        if (s->value[i - 1] < value && s->value[i] >= value)
            return s->time[i - 1] +
                   (s->time[i] - s->time[i - 1]) * (value - s->value[i - 1]) / (s->value[i] - s->value[i - 1]);
    return NAN;
}

void series_plot(const series *s, law_results *results, law_curve_kind kind, const char *label, double time_unit,
                 double value_unit)
{
    enum { POINTS = 800 };
    double x[POINTS], y[POINTS];
    int every = s->count / POINTS + 1, count = 0;
    for (int i = 0; i < s->count; i += every, count++) {
        x[count] = s->time[i] / time_unit;
        y[count] = s->value[i] / value_unit;
    }
    law_plot_curve(results, kind, label, count, x, y);
}

/* Gauss-Newton on (offset, a, b, omega, beta). The first pass, with omega and beta held, is linear and finds the
 * first three; times count from `from` so that a and b stay of the amplitude's size. */
decay_fit fit_decay(const series *s, double from, double to, double omega)
{
    double u[5] = {0, 0, 0, omega, 0}, residual = 0;
    bool has_converged = false;
    for (int iteration = 0; iteration < 60 && !has_converged; iteration++) {
        double matrix[25] = {0}, right[5] = {0};
        int n = iteration == 0 ? 3 : 5, used = 0;
        residual = 0;
        for (int i = 0; i < s->count; i++) {
            if (s->time[i] < from || s->time[i] > to) continue;
            double t = s->time[i] - from, e = exp(-u[4] * t), c = e * cos(u[3] * t), d = e * sin(u[3] * t);
            double wave = u[1] * c + u[2] * d, miss = s->value[i] - u[0] - wave;
            add_equation(n, matrix, right, (double[]){1, c, d, t * (u[2] * c - u[1] * d), -t * wave}, miss);
            residual += miss * miss;
            used++;
        }
        if (used < 6 || !solve_small(n, matrix, right)) break;
        residual = sqrt(residual / used);
        for (int k = 0; k < n; k++) u[k] += right[k];
        has_converged = n == 5 && fabs(right[3]) + fabs(right[4]) < 1e-10 * omega;
    }
    if (!has_converged || !(u[3] > 0)) return (decay_fit){.omega = NAN, .beta = NAN};
    return (decay_fit){u[3], u[4], hypot(u[1], u[2]), u[0], residual, from, u[1], u[2]};
}

double decay_value(const decay_fit *fit, double time)
{
    double t = time - fit->from;
    return fit->offset + exp(-fit->beta * t) * (fit->cosine * cos(fit->omega * t) + fit->sine * sin(fit->omega * t));
}
