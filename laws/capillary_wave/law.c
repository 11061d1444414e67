/* A standing wave on a pool.
 *
 * Physics. A pool of depth H whose surface is raised by a cos(k x) is let go from rest. Surface tension and weight draw
 * it flat, its inertia carries it on:
 *
 *     omega^2 = (g k + gamma k^3/rho) tanh(k H),
 *
 * less what viscosity takes. The course from rest is no pure damped cosine, for vorticity spreads from the surface
 * first (Prosperetti 1981). With s the Laplace variable, nu = mu/rho, m^2 = k^2 + s/nu and a floor that lets slip,
 *
 *     a(s) = a0 Q/(s (omega0^2 + Q)),  Q = (s + 2 nu k^2)^2 coth(k H) - 4 nu^2 k^3 m coth(m H),
 *
 * omega0^2 = g k + gamma k^3/rho; for a deep pool that is Prosperetti's equation 22 (prosperetti.csv).
 *
 * Set-up. One wave length, H half of it, periodic or between walls that the liquid meets at 90 degrees, which are the
 * planes of symmetry of the wave; without gravity, and with three times as much stiffness by weight as by tension. A
 * trough pulls the liquid: a method whose pressure cannot be negative does not swing without gravity.
 *
 * Measurement. a = 2 H mean of cos(k x) over all particles, which holds as long as the density is even, so no surface
 * need be found. A decaying cosine is fitted by least squares to the measured course and to the theory's in the same
 * span of time. Volume: twice the height of the centre of mass over H, in the last period. */
#include "../law.h"
#include "../measure.h"
#include "../theory.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>

static const law_target targets[] = {
    {"frequency", "rad/s", LAW_RELATIVE, {0.03, 0.03, 0.03}, "of a decaying cosine, fitted to both courses"},
    {"damping", "1/s", LAW_RELATIVE, {0.15, 0.15, 0.15}, "of the same"},
    {"volume", "1", LAW_RELATIVE, {0.01, 0.01, 0.01}, "by the centre of mass, at the end, over that of the particles"},
};

static const law_option options[] = {
    {"across", "1", {40, 64, 96}, "spacings in a wave length", LAW_SPACINGS},
    {"wave_length", "m", {5e-3, 5e-3, 5e-3}, "of the wave; the pool is half as deep"},
    {LAW_DENSITY},
    {LAW_SURFACE_TENSION},
    {"viscous", "1", {0.05, 0.05, 0.05}, "nu k^2/omega0 without gravity: sets the viscosity"},
    {"amplitude", "1", {0.1, 0.1, 0.1}, "of the wave at the start, times k"},
    {"weight", "1", {3, 3, 3}, "g rho/(gamma k^2) of the case with gravity"},
    {"periods", "1", {2.75, 2.75, 2.75}, "periods to run, of which the first quarter is not fitted"},
};

extern const law law_capillary_wave;

enum { ACROSS = 8 }; /* spacings along the crests in three dimensions */

/* --- theory --- */

static double complex coth_of(double complex x)
{
    double complex e = cexp(-2 * x);
    return (1 + e) / (1 - e);
}

/* The Laplace transform of the amplitude over that at the start, in units of omega0 and k. */
static double complex transform(double viscous, double depth, double complex s)
{
    double complex q = (s + 2 * viscous) * (s + 2 * viscous) * coth_of(depth);
    if (viscous > 0) {
        double complex m = csqrt(1 + s / viscous);
        q -= 4 * viscous * viscous * m * coth_of(depth * m);
    }
    return q / (s * (1 + q));
}

/* The inverse by the Fourier series of Abate, Whitt (1995), its end summed after Euler: to 1e-7. */
double theory_standing_wave(double viscous, double depth, double time)
{
    enum { EULER = 12 };
    if (!(time > 0)) return 1;
    const double shift = 18.4;
    double scale = exp(shift / 2) / time, weight = 1, total = 0, all = ldexp(1, EULER);
    double sum = 0.5 * creal(transform(viscous, depth, shift / (2 * time)));
    int terms = 40 + (int)(2 * time);
    for (int k = 1; k <= terms + EULER; k++) {
        sum += (k % 2 ? -1 : 1) * creal(transform(viscous, depth, (shift + 2 * M_PI * I * k) / (2 * time)));
        if (k < terms) continue;
        total += weight / all * sum; /* binomial weights of the last sums */
        weight *= (double)(EULER - (k - terms)) / (k - terms + 1);
    }
    return scale * total;
}

double measure_standing_wave(const dew_frame *frame, double wave_length, double area)
{
    double wave_number = 2 * M_PI / wave_length;
    double depth = frame->particle_count * pow(frame->spacing, frame->dimension) / area;
    return 2 * depth * measure_mode(frame, 0, wave_number);
}

/* --- measurement --- */

typedef struct pool {
    int dimension;
    double wave_length, depth, amplitude, area; /* m; of the floor, m2 (2D: m) */
} pool;

typedef struct watch {
    law_progress progress;
    pool pool;
    series amplitude, volume;
} watch;

static bool after_step(void *context, const dew_simulation *simulation)
{
    watch *w = context;
    const dew_frame *frame = dew_simulation_frame(simulation);
    double time = dew_simulation_time(simulation);
    law_report_progress(&w->progress, simulation);
    double depth = frame->particle_count * pow(frame->spacing, frame->dimension) / w->pool.area;
    bulk b = measure_bulk(simulation);
    double height = w->pool.dimension == 2 ? b.centre.y : b.centre.z;
    return series_add(&w->amplitude, time, measure_standing_wave(frame, w->pool.wave_length, w->pool.area)) &&
           series_add(&w->volume, time, 2 * height / depth);
}

/* Below 0 in the pool: its last input is the height. */
static void level(void *context, int count, const double *const *inputs, double *output)
{
    const pool *p = context;
    const double *up = inputs[p->dimension - 1];
    for (int i = 0; i < count; i++)
        output[i] = up[i] - p->depth - p->amplitude * cos(2 * M_PI * inputs[0][i] / p->wave_length);
}

static void define_pool(dew_simulation_def *def, law_space *space, const dew_method_info *method, pool *p)
{
    double across = ACROSS * def->spacing, top = p->depth + 2 * p->amplitude;
    p->area = p->wave_length * (p->dimension == 2 ? 1 : across);
    law_tank(def, space, p->dimension, law_place(p->dimension, p->wave_length, across, 2 * p->depth),
             law_repeats(method), law_repeats(method));
    space->liquids[0].shape = dew_default_shape_def();
    space->liquids[0].shape.kind = DEW_SHAPE_IMPLICIT;
    space->liquids[0].shape.implicit.value = (dew_function){level, p};
    space->liquids[0].shape.implicit.min = (dew_vec3){.z = p->dimension == 2 ? -1 : 0};
    space->liquids[0].shape.implicit.max = law_place(p->dimension, p->wave_length, across, top);
    if (p->dimension == 2) space->liquids[0].shape.implicit.max.z = 1;
}

typedef struct wave_case {
    int dimension;
    double weight; /* stiffness by gravity over that by tension */
    char label[64];
} wave_case;

typedef struct clock {
    double omega, viscous, depth; /* omega0, rad/s; nu k^2/omega0; k H */
    double from, to;              /* of the fit, s */
} clock;

static decay_fit fit_theory(const clock *c, double omega, series *course)
{
    enum { POINTS = 400 };
    for (int i = 0; i <= POINTS; i++) {
        double t = c->to * i / POINTS;
        series_add(course, t, theory_standing_wave(c->viscous, c->depth, c->omega * t));
    }
    return fit_decay(course, c->from, c->to, omega);
}

static void add_figures(const watch *w, const clock *c, const wave_case *which, double omega, int particles,
                        double seconds, law_resolution resolution, law_results *results)
{
    const law *l = &law_capillary_wave;
    series course = {0};
    decay_fit theory = fit_theory(c, omega, &course), measured = fit_decay(&w->amplitude, c->from, c->to, omega);
    law_add(results, l, resolution, "frequency", which->label, particles, measured.omega, theory.omega, seconds);
    law_add(results, l, resolution, "damping", which->label, particles, measured.beta, theory.beta, seconds);
    law_add(results, l, resolution, "volume", which->label, particles,
            series_mean(&w->volume, c->to - 2 * M_PI / omega, INFINITY), 1, seconds);
    law_plot_begin(results, which->label, "time, ms", "amplitude over that at the start");
    series_plot(&w->amplitude, results, LAW_CURVE_MEASURED, "measured", 1e-3, w->pool.amplitude);
    series_plot(&course, results, LAW_CURVE_THEORY, "Prosperetti", 1e-3, 1);
    series_free(&course);
}

static dew_result measure(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                          const wave_case *which, double part, double share, law_results *results)
{
#define OPTION(name) law_option_value(&law_capillary_wave, settings, resolution, name)
    double start = law_cpu_seconds();
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    watch w = {.pool = {.dimension = which->dimension, .wave_length = OPTION("wave_length")}};
    double k = 2 * M_PI / w.pool.wave_length;
    w.pool.depth = 0.5 * w.pool.wave_length, w.pool.amplitude = OPTION("amplitude") / k;
    dew_material_def *liquid = &space.material;
    liquid->density = OPTION("density"), liquid->surface_tension = OPTION("surface_tension");
    double still = sqrt(liquid->surface_tension * pow(k, 3) / liquid->density); /* omega0 without gravity */
    liquid->viscosity = OPTION("viscous") * liquid->density * still / (k * k);
    def.spacing = w.pool.wave_length / OPTION("across");
    def.gravity = law_place(which->dimension, 0, 0, -which->weight * still * still / k);
    define_pool(&def, &space, method, &w.pool);
    clock c = {.omega = still * sqrt(1 + which->weight), .depth = k * w.pool.depth};
    c.viscous = OPTION("viscous") * still / c.omega;
    double omega = c.omega * sqrt(tanh(c.depth));
    c.from = 0.5 * M_PI / omega, c.to = OPTION("periods") * 2 * M_PI / omega;
    int frames = (int)ceil(4 * OPTION("periods"));
    def.duration = c.to, def.frame_rate = frames / c.to;
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    w.progress = (law_progress){settings, c.to, part, share, 0, which->label};
    status = law_advance(simulation, frames, after_step, &w);
    if (!status) {
        law_show(settings, simulation, "%s, after %g periods", which->label, OPTION("periods"));
        add_figures(&w, &c, which, omega, dew_simulation_particle_count(simulation), law_cpu_seconds() - start,
                    resolution, results);
    }
    series_free(&w.amplitude);
    series_free(&w.volume);
    dew_simulation_destroy(simulation);
    return status;
#undef OPTION
}

static dew_result run(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                      law_results *results)
{
    int dimensions[2], count = law_dimensions(method, dimensions);
    for (int i = 0; i < 2 * count; i++) {
        wave_case c = {dimensions[i / 2], 0, ""};
        if (i % 2) c.weight = law_option_value(&law_capillary_wave, settings, resolution, "weight");
        snprintf(c.label, sizeof c.label, "%dD, %s gravity", c.dimension, i % 2 ? "with" : "without");
        dew_result status = measure(method, resolution, settings, &c, i / (2.0 * count), 1 / (2.0 * count), results);
        if (status) return status;
    }
    return DEW_OK;
}

const law law_capillary_wave = {
    .name = "capillary_wave",
    .title = "A standing wave on a pool, without and with gravity (Prosperetti 1981)",
    .physics =
        "A pool's surface that has been raised to a cosine swings, drawn flat by its tension and its weight and "
        "carried on "
        "by inertia, while viscosity takes its motion. Without gravity the liquid below a trough is under suction: it "
        "is pulled up by nothing but its own coherence.",
    .equation = "omega^2 = (g k + gamma k^3/rho) tanh(k H), with viscosity after Prosperetti (1981)",
    .group = LAW_WAVES,
    .features = DEW_FEATURE_3D,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
