/* Return flow in a film that is warmer on one side.
 *
 * Physics. A film of depth h between two far walls, its surface tension falling along x: the surface is drawn to the
 * cold side with the stress tau = |dgamma/dx|, and, as nothing leaves, the liquid below flows back. Far from the walls,
 * of small slope, slow and viscous: mu u'' = dp/dx, mu u'(h) = tau, no net flux. On a slippery floor, u'(0) = 0:
 *
 *     u = (tau h/mu) (Y^2/2 - 1/6),   Y = y/h
 *
 * (on one that holds the liquid, marangoni_film_return_flow.csv: (tau h/mu) (3/4 Y^2 - Y/2)).
 *
 * Set-up. Two dimensions; a box of liquid between walls with contact angles of 90 degrees, temperature linear in x,
 * nothing conducts; gravity keeps the surface flat, rho g h^2 = 50 x the difference of tension. Re is small.
 *
 * Measurement. Over the last third of the run, in the middle third of the length: the mean speed along x of 16 layers,
 * less a uniform one (the film sloshes for long, as nothing holds it); its amplitude in theory's form by least squares,
 * and how far it is from theory. */
#include "../law.h"
#include "../measure.h"

#include <math.h>
#include <stdio.h>

static const law_target targets[] = {
    {"surface speed", "m/s", LAW_RELATIVE, {0.05, 0.05, 0.05}, "tau h/(3 mu), of the flow fitted to all particles"},
    {"profile",
     "1",
     LAW_ABSOLUTE,
     {0.05, 0.05, 0.05},
     "rms over 16 layers of the speed less theory's, over that's rms"},
};

static const law_option options[] = {
    {"layers", "1", {20, 24, 32}, "spacings in the depth", LAW_SPACINGS},
    {"depth", "m", {1e-3, 1e-3, 1e-3}, "of the film"},
    {"length", "1", {8, 8, 8}, "of the film over its depth"},
    {LAW_DENSITY},
    {LAW_SURFACE_TENSION},
    {"difference", "1", {0.5, 0.5, 0.5}, "of the surface tension between the ends, over its mean"},
    {"reynolds", "1", {0.1, 0.1, 0.1}, "rho u h/mu of the surface: sets the viscosity"},
    {"times", "1", {1.5, 1.5, 1.5}, "rho h^2/mu to run"},
};

extern const law law_thermocapillary_film;

typedef struct line {
    double base, slope;
} line;

static void linear(void *context, int count, const double *const *inputs, double *output)
{
    const line *t = context;
    for (int i = 0; i < count; i++) output[i] = t->base + t->slope * inputs[0][i];
}

enum { BINS = 16 };

typedef struct watch {
    law_progress progress;
    double depth, length, unit_speed, from; /* m, m, m/s: tau h/mu; s: when measuring begins */
    double at[BINS], speed[BINS], number[BINS];
    series amplitude;
} watch;

static double theory_of(double y) { return y * y / 2 - 1.0 / 6; }

/* Amplitude of theory's form beside a uniform flow, of values with weights. */
typedef struct fit {
    double weight, shape, square, mean, product;
} fit;

static void fit_add(fit *f, double weight, double y, double speed)
{
    double shape = theory_of(y);
    f->weight += weight, f->shape += weight * shape, f->square += weight * shape * shape;
    f->mean += weight * speed, f->product += weight * shape * speed;
}

static double fit_amplitude(const fit *f)
{
    return (f->product - f->shape * f->mean / f->weight) / (f->square - f->shape * f->shape / f->weight);
}

static bool after_step(void *context, const dew_simulation *simulation)
{
    watch *w = context;
    dew_field x, v;
    fit now = {0};
    law_report_progress(&w->progress, simulation);
    if (!dew_simulation_field(simulation, "position", &x) || !dew_simulation_field(simulation, "velocity", &v))
        return false;
    for (int i = 0; i < x.count; i++) {
        const dew_real *p = (const dew_real *)x.data + (ptrdiff_t)i * x.stride;
        double y = (double)p[1] / w->depth, u = (double)((const dew_real *)v.data)[(ptrdiff_t)i * v.stride];
        if (fabs((double)p[0]) > w->length / 6) continue;
        fit_add(&now, 1, y, u);
        int bin = (int)fmax(0, fmin(BINS - 1, y * BINS));
        if (dew_simulation_time(simulation) < w->from) continue;
        w->at[bin] += y, w->speed[bin] += u, w->number[bin] += 1;
    }
    return series_add(&w->amplitude, dew_simulation_time(simulation), fit_amplitude(&now));
}

/* The profile of the layers; returns its amplitude, and how far it is from theory's form, over that's rms. */
static double find_profile(watch *w, law_results *results, double *deviation)
{
    fit f = {0};
    double theory[BINS], measured[BINS], off = 0;
    for (int k = 0; k < BINS; k++) {
        w->at[k] /= w->number[k], w->speed[k] /= w->number[k];
        fit_add(&f, w->number[k], w->at[k], w->speed[k]);
    }
    double amplitude = fit_amplitude(&f), uniform = (f.mean - amplitude * f.shape) / f.weight;
    for (int k = 0; k < BINS; k++) {
        theory[k] = theory_of(w->at[k]), measured[k] = (w->speed[k] - uniform) / w->unit_speed;
        off += w->number[k] * (measured[k] - theory[k]) * (measured[k] - theory[k]);
    }
    *deviation = sqrt(off / f.square);
    law_plot_begin(results, "Profile in the middle", "u/(tau h/mu)", "y/h");
    law_plot_curve(results, LAW_CURVE_POINTS, "measured", BINS, measured, w->at);
    law_plot_curve(results, LAW_CURVE_THEORY, "theory", BINS, theory, w->at);
    return amplitude;
}

static dew_result run(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                      law_results *results)
{
#define OPTION(name) law_option_value(&law_thermocapillary_film, settings, resolution, name)
    double start = law_cpu_seconds();
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    dew_material_def *m = &space.material;
    watch w = {.depth = OPTION("depth"), .length = OPTION("depth") * OPTION("length")};
    double gamma = OPTION("surface_tension"), difference = gamma * OPTION("difference"), tau = difference / w.length;
    m->density = OPTION("density"), m->conductivity = 0;
    /* Re = rho (tau h/3 mu) h/mu */
    m->viscosity = sqrt(m->density * tau * w.depth * w.depth / (3 * OPTION("reynolds")));
    w.unit_speed = tau * w.depth / m->viscosity;
    /* 300 K in the middle, 5 K colder at the right end, where the tension is higher: the surface flows there. */
    line temperature = {300, -10 / w.length}, tension = {gamma + 30 * difference, -difference / 10};
    m->surface_tension_of_temperature = (dew_function){linear, &tension};
    space.liquids[0].temperature_of = (dew_function){linear, &temperature};
    space.liquids[0].shape = dew_box((dew_vec3){-w.length / 2, 0, -1}, (dew_vec3){w.length / 2, w.depth, 1});
    space.solids[0].shape = dew_plane((dew_vec3){0, 0, 0}, (dew_vec3){0, 1, 0});
    def.solid_count = 1;
    def.domain.axis[0] = DEW_WALL;
    def.domain.min.x = -w.length / 2, def.domain.max.x = w.length / 2;
    def.gravity = (dew_vec3){0, -50 * difference / (m->density * w.depth * w.depth), 0};
    def.has_heat = true, def.dimension = 2, def.spacing = w.depth / OPTION("layers");
    double unit_time = m->density * w.depth * w.depth / m->viscosity;
    def.duration = OPTION("times") * unit_time, def.frame_rate = 12 / def.duration, w.from = 0.66 * def.duration;
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    w.progress = (law_progress){settings, def.duration, 0, 1, 0, "film"};
    status = law_advance(simulation, 12, after_step, &w);
    if (!status) {
        double seconds = law_cpu_seconds() - start, deviation, amplitude = find_profile(&w, results, &deviation);
        int count = dew_simulation_particle_count(simulation);
        law_add(results, &law_thermocapillary_film, resolution, "surface speed", "slippery floor", count, amplitude / 3,
                w.unit_speed / 3, seconds);
        law_add(results, &law_thermocapillary_film, resolution, "profile", "slippery floor", count, deviation, 0,
                seconds);
        law_plot_begin(results, "Flow", "t/(rho h^2/mu)", "speed over theory");
        series_plot(&w.amplitude, results, LAW_CURVE_MEASURED, "flow of theory's form", unit_time, w.unit_speed);
        law_plot_curve(results, LAW_CURVE_THEORY, "theory", 2, (double[]){0, OPTION("times")}, (double[]){1, 1});
        law_show(settings, simulation, "after %g rho h^2/mu", OPTION("times"));
    }
    series_free(&w.amplitude);
    dew_simulation_destroy(simulation);
    return status;
#undef OPTION
}

const law law_thermocapillary_film = {
    .name = "thermocapillary_film",
    .group = LAW_HEAT,
    .title = "Return flow in a film that is warmer on one side",
    .physics = "The surface of a film is drawn from warm to cold, where its tension is higher; as nothing leaves, the "
               "liquid below "
               "flows back. Far from the walls the flow depends on the depth alone.",
    .equation = "u = (tau h/mu) (Y^2/2 - 1/6), tau = |dgamma/dx|, Y = y/h, on a floor that does not hold the liquid",
    .features = DEW_FEATURE_2D | DEW_FEATURE_HEAT,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
