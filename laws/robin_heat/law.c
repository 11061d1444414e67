/* Cooling of a disc and a ball.
 *
 * Physics. Liquid at rest of one temperature loses heat through its surface to cooler surroundings, h (T - T_out) for
 * each area. With theta = (T - T_out)/(T_0 - T_out), Bi = h R/k and Fo = k t/(rho c R^2) (Carslaw & Jaeger 1959, 7.7
 * and 9.4):
 *
 *     theta = sum of C_n exp(-zeta_n^2 Fo) f(zeta_n r/R)
 *     disc: f = J0, zeta J1(zeta)/J0(zeta) = Bi, C = (2/zeta) J1/(J0^2 + J1^2)
 *     ball: f = sin(x)/x, 1 - zeta cot zeta = Bi, C = 4 (sin zeta - zeta cos zeta)/(2 zeta - sin 2 zeta)
 *
 * heat_robin.csv holds values of it.
 *
 * Set-up. Disc (where the method knows two dimensions) and ball, no gravity, no surface tension: nothing moves.
 *
 * Measurement. After each quarter of the run, over all particles: the root mean square of theta - theory over that of
 * theory, and the mean of theta; the worst of the four counts. R is that of the particles' volume. */
#include "../law.h"
#include "../measure.h"
#include "../theory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const law_target targets[] = {
    {"profile", "1", LAW_ABSOLUTE, {0.02, 0.01, 0.01}, "of temperature: rms error over rms, the worst of four times"},
    {"mean temperature", "1", LAW_RELATIVE, {0.02, 0.01, 0.01}, "theta at the end of the run"},
};

static const law_option options[] = {
    {"disc", "1", {32, 32, 48}, "spacings in the disc's radius", LAW_SPACINGS},
    {"ball", "1", {16, 24, 32}, "spacings in the ball's radius", LAW_SPACINGS},
    {LAW_RADIUS("of disc and ball")},
    {LAW_DENSITY},
    {"conductivity", "W/(m K)", {0.6, 0.6, 0.6}, "of the liquid"},
    {"heat_capacity", "J/(kg K)", {4180, 4180, 4180}, "of the liquid"},
    {"warmer", "K", {10, 10, 10}, "than its surroundings is the liquid at the start"},
};

extern const law law_robin_heat;

enum { ROOTS = 40 };

/* What vanishes at the roots. */
static double root_function(int dimension, double biot, double zeta)
{
    return dimension == 2 ? zeta * j1(zeta) - biot * j0(zeta) : zeta * cos(zeta) - (1 - biot) * sin(zeta);
}

/* One root of the equation lies between each two neighbouring multiples of pi: of J0 and J1 nearly so. */
static void find_roots(int dimension, double biot, double *zeta)
{
    int count = 0;
    double step = 0.01, from = 1e-9;
    while (count < ROOTS) {
        double to = from + step, low = from, high = to;
        bool is_root = root_function(dimension, biot, from) * root_function(dimension, biot, to) < 0;
        for (int k = 0; is_root && k < 60; k++) {
            double middle = 0.5 * (low + high);
            if (root_function(dimension, biot, low) * root_function(dimension, biot, middle) <= 0)
                high = middle;
            else
                low = middle;
        }
        if (is_root) zeta[count++] = 0.5 * (low + high);
        from = to;
    }
}

static double sum_series(int dimension, const double *zeta, double fourier, double r)
{
    double sum = 0;
    for (int n = 0; n < ROOTS; n++) {
        double z = zeta[n], x = z * r;
        double factor = dimension == 2 ? 2 / z * j1(z) / (j0(z) * j0(z) + j1(z) * j1(z))
                                       : 4 * (sin(z) - z * cos(z)) / (2 * z - sin(2 * z));
        double shape = dimension == 2 ? j0(x) : x > 0 ? sin(x) / x : 1;
        sum += factor * exp(-z * z * fourier) * shape;
    }
    return sum;
}

double theory_robin(int dimension, double biot, double fourier, double r)
{
    double zeta[ROOTS];
    find_roots(dimension, biot, zeta);
    return sum_series(dimension, zeta, fourier, r);
}

typedef struct cooling {
    int dimension;
    double biot, fourier; /* Fo at the end */
    double surroundings, warmer;
} cooling;

typedef struct found {
    int particles;
    double profile, mean, mean_theory, cpu_seconds;
} found;

enum { TIMES = 4, TABLE = 200, BINS = 40 };

static dew_result compare(const dew_simulation *s, const cooling *c, double fourier, law_results *results, found *f)
{
    dew_field x, t;
    if (!dew_simulation_field(s, "position", &x) || !dew_simulation_field(s, "temperature", &t)) return DEW_FAILED;
    double radius = c->dimension == 2 ? disc_radius_of_count(x.count, dew_simulation_spacing(s))
                                      : radius_of_count(x.count, dew_simulation_spacing(s));
    double table[TABLE + 1], off = 0, all = 0, mean = 0, mean_theory = 0;
    double at[BINS] = {0}, got[BINS] = {0}, number[BINS] = {0}, theory_at[BINS];
    double zeta[ROOTS];
    find_roots(c->dimension, c->biot, zeta);
    for (int k = 0; k <= TABLE; k++) table[k] = sum_series(c->dimension, zeta, fourier, (double)k / TABLE);
    for (int i = 0; i < x.count; i++) {
        const dew_real *p = (const dew_real *)x.data + (ptrdiff_t)i * x.stride;
        double theta = ((double)((const dew_real *)t.data)[(ptrdiff_t)i * t.stride] - c->surroundings) / c->warmer;
        double r = sqrt((double)p[0] * p[0] + (double)p[1] * p[1] + (double)p[2] * p[2]) / radius;
        double place = fmin(r, 1) * TABLE;
        int k = (int)fmin(place, TABLE - 1), bin = (int)fmin(r * BINS, BINS - 1);
        double theory = table[k] + (place - k) * (table[k + 1] - table[k]);
        off += (theta - theory) * (theta - theory), all += theory * theory;
        mean += theta, mean_theory += theory;
        at[bin] += r, got[bin] += theta, number[bin] += 1;
    }
    f->particles = x.count;
    f->profile = fmax(f->profile, sqrt(off / all));
    f->mean = mean / x.count, f->mean_theory = mean_theory / x.count;
    for (int k = 0; k < BINS; k++) {
        at[k] /= number[k], got[k] /= number[k];
        theory_at[k] = number[k] > 0 ? sum_series(c->dimension, zeta, fourier, at[k]) : NAN;
    }
    char label[64];
    snprintf(label, sizeof label, "Fo = %.3g", fourier);
    law_plot_curve(results, LAW_CURVE_POINTS, label, BINS, at, got);
    law_plot_curve(results, LAW_CURVE_THEORY, "theory", BINS, at, theory_at);
    return DEW_OK;
}

static dew_result measure(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                          const cooling *c, double part, double share, law_results *results, found *f)
{
#define OPTION(name) law_option_value(&law_robin_heat, settings, resolution, name)
    double start = law_cpu_seconds(), radius = OPTION("radius");
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    space.material.density = OPTION("density"), space.material.surface_tension = 0;
    space.material.conductivity = OPTION("conductivity"), space.material.heat_capacity = OPTION("heat_capacity");
    double diffusivity = space.material.conductivity / (space.material.density * space.material.heat_capacity);
    /* In two dimensions the plane z = 0 of it. */
    space.liquids[0].shape = dew_sphere((dew_vec3){0, 0, 0}, radius);
    space.liquids[0].temperature = c->surroundings + c->warmer;
    def.dimension = c->dimension;
    def.spacing = radius / OPTION(c->dimension == 2 ? "disc" : "ball");
    def.has_heat = true;
    def.heat.surface.surroundings = c->surroundings;
    def.heat.surface.transfer = c->biot * space.material.conductivity / radius;
    def.duration = c->fourier * radius * radius / diffusivity;
    def.frame_rate = TIMES / def.duration;
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    char what[64];
    snprintf(what, sizeof what, "%s, Bi %g", c->dimension == 2 ? "disc" : "ball", c->biot);
    law_plot_begin(results, what, "r/R", "theta");
    *f = (found){0};
    for (int k = 1; k <= TIMES && status == DEW_OK; k++) {
        law_report(settings, part + share * (k - 1) / TIMES, "%s, %d particles", what,
                   dew_simulation_particle_count(simulation));
        status = law_advance(simulation, 1, NULL, NULL);
        if (status == DEW_OK) status = compare(simulation, c, c->fourier * k / TIMES, results, f);
    }
    f->cpu_seconds = law_cpu_seconds() - start;
    if (status == DEW_OK) law_show(settings, simulation, "%s, Fo %g", what, c->fourier);
    dew_simulation_destroy(simulation);
    return status;
#undef OPTION
}

static dew_result run(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                      law_results *results)
{
    static const double biot[] = {0.1, 1, 10}, fourier[] = {1, 1, 0.4, 1, 0.5, 0.2};
    for (int k = 0; k < 6; k++) {
        cooling c = {k < 3 ? 2 : 3, biot[k % 3], fourier[k], 293.15,
                     law_option_value(&law_robin_heat, settings, resolution, "warmer")};
        if (!(method->features & (c.dimension == 2 ? DEW_FEATURE_2D : DEW_FEATURE_3D))) continue;
        found f;
        dew_result status = measure(method, resolution, settings, &c, k / 6.0, 1 / 6.0, results, &f);
        if (status) return status;
        char label[64];
        snprintf(label, sizeof label, "%s, Bi %g", c.dimension == 2 ? "disc" : "ball", c.biot);
        law_add(results, &law_robin_heat, resolution, "profile", label, f.particles, f.profile, 0, f.cpu_seconds);
        law_add(results, &law_robin_heat, resolution, "mean temperature", label, f.particles, f.mean, f.mean_theory,
                f.cpu_seconds);
    }
    return DEW_OK;
}

const law law_robin_heat = {
    .name = "robin_heat",
    .group = LAW_HEAT,
    .title = "Cooling through the surface",
    .physics =
        "A disc and a ball of liquid at rest, warmer than what is around them, lose heat through their surface in "
        "proportion to how much warmer that is, and conduct it from inside.",
    .equation = "theta = sum of C_n exp(-zeta_n^2 Fo) J0(zeta_n r/R), zeta J1(zeta)/J0(zeta) = Bi; "
                "ball: sin(x)/x for J0, 1 - zeta cot zeta = Bi",
    .features = DEW_FEATURE_HEAT,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
