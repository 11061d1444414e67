/* A cube of liquid becomes a sphere.
 *
 * Physics. Without gravity the shape of least area for its volume is the ball (Schwarz 1884): at rest every point of
 * the surface is at R = (3 V/4 pi)^(1/3) from the centre of mass, the area is 4 pi R^2, and V is what it was.
 *
 * Set-up. A cube on a cubic lattice, at rest; Oh = mu/sqrt(rho gamma R) = 0.3, so that it comes to rest in a few
 * capillary times tau = sqrt(rho R^3/gamma).
 *
 * Measurement, at the end. Of the liquid's surface (quantities radius_deviation, sphericity, surface_area): the
 * standard deviation of its distance from the centre of mass; the area of the ball of its volume over its area; its
 * area over that of the particles' ball. The volume, over the particles': of the ball that the outermost layer's
 * centres are on, and half of its particles' own, however densely they lie. (Half a spacing more than that ball took
 * skins of 1.15 particles a spacing squared for 2.5 % of the volume. A mesh of flat triangles is a percent too small at
 * 2000 particles, the ball of the mass's second moment, 5/3 mean r^2 = R^2, a percent or two too large, by the layers
 * under the surface.) Where a method marks no surface particles, the quantity volume. And the largest speed, over
 * sqrt(gamma/(rho 2R)), in the last capillary time. */
#include "../law.h"
#include "../measure.h"

#include <math.h>
#include <stdio.h>

static const law_target targets[] = {
    {"radius s.d.",
     "1",
     LAW_ABSOLUTE,
     {0.005, 0.005, 0.005},
     "standard deviation of the surface's radius over its mean"},
    {"sphericity", "1", LAW_RELATIVE, {0.01, 0.01, 0.01}, "area of the ball of its volume over its area"},
    {"area", "1", LAW_RELATIVE, {0.01, 0.01, 0.01}, "of the surface over that of the particles' ball"},
    {"volume", "1", LAW_RELATIVE, {0.01, 0.01, 0.01}, "within the surface over that of the particles"},
    {"speed at rest", "1", LAW_ABSOLUTE, {0.05, 0.05, 0.05}, "largest, last capillary time, over sqrt(gamma/(rho 2R))"},
};

static const law_option options[] = {
    {LAW_PARTICLES(2000, 10000, 20000)},
    {LAW_RADIUS("of the ball that it becomes")},
    {LAW_DENSITY},
    {LAW_SURFACE_TENSION},
    {LAW_OHNESORGE(0.3)},
    {LAW_VISCOSITY(NAN)},
    {"duration", "1", {8, 8, 8}, "capillary times to run"},
};

typedef struct watch {
    law_progress progress;
    series speed; /* of the fastest particle */
} watch;

static bool after_step(void *context, const dew_simulation *simulation)
{
    watch *w = context;
    law_report_progress(&w->progress, simulation);
    return series_add(&w->speed, dew_simulation_time(simulation), measure_bulk(simulation).speed_max);
}

typedef struct form {
    series sphericity, deviation, area, volume;
} form;

/* The volume that the centres of the outermost layer enclose, and half of its particles' own. The layer is all that
 * lies less than half a spacing within the surface particles' mean; NaN where there are none. */
static double volume_within(const dew_simulation *simulation)
{
    dew_vec3 c = measure_bulk(simulation).centre;
    dew_field x, flag;
    double spacing = dew_simulation_spacing(simulation), deepest = 0, sum = 0, marked = 0, count = 0;
    if (!dew_simulation_field(simulation, "is_surface", &flag)) return NAN;
    if (!dew_simulation_field(simulation, "position", &x)) return NAN;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < x.count; i++) {
            const dew_real *p = (const dew_real *)x.data + (size_t)i * x.stride;
            double r = sqrt(pow((double)p[0] - c.x, 2) + pow((double)p[1] - c.y, 2) + pow((double)p[2] - c.z, 2));
            bool is_marked = ((const uint8_t *)flag.data)[(size_t)i * flag.stride] != 0;
            if (pass == 0 && is_marked) deepest += r, marked++;
            if (pass == 1 && r > deepest) sum += 4 * M_PI / 3 * r * r * r, count++;
        }
        if (marked == 0) return NAN;
        if (pass == 0) deepest = deepest / marked - spacing / 2;
    }
    return sum / count + count * pow(spacing, 3) / 2;
}

static dew_result add_form(const dew_simulation *simulation, form *f)
{
    static const char *const names[3] = {"sphericity", "radius_deviation", "surface_area"};
    series *to[3] = {&f->sphericity, &f->deviation, &f->area};
    double value, time = dew_simulation_time(simulation);
    for (int k = 0; k < 3; k++) {
        dew_result status = dew_simulation_measure(simulation, names[k], &value);
        if (status) return status;
        if (!series_add(to[k], time, value)) return DEW_NO_MEMORY;
    }
    value = volume_within(simulation);
    if (isnan(value)) dew_simulation_measure(simulation, "own_volume", &value);
    return series_add(&f->volume, time, value) ? DEW_OK : DEW_NO_MEMORY;
}

static void form_free(form *f)
{
    series_free(&f->sphericity);
    series_free(&f->deviation);
    series_free(&f->area);
    series_free(&f->volume);
}

static double last(const series *s) { return s->count > 0 ? s->value[s->count - 1] : NAN; }

extern const law law_relaxation;

static void add_plots(const form *f, const watch *w, double time, double area, double volume, double speed,
                      law_results *results)
{
    double ends[2] = {0, w->progress.end / time};
    law_plot_begin(results, "From cube to ball", "time, sqrt(rho R^3/gamma)", "over that of the ball");
    series_plot(&f->sphericity, results, LAW_CURVE_MEASURED, "sphericity", time, 1);
    series_plot(&f->area, results, LAW_CURVE_MEASURED, "area", time, area);
    series_plot(&f->volume, results, LAW_CURVE_MEASURED, "volume", time, volume);
    law_plot_curve(results, LAW_CURVE_THEORY, "ball", 2, ends, (double[]){1, 1});
    law_plot_begin(results, "Roughness and rest", "time, sqrt(rho R^3/gamma)", "");
    series_plot(&f->deviation, results, LAW_CURVE_MEASURED, "radius s.d. over the mean", time, 1);
    series_plot(&w->speed, results, LAW_CURVE_MEASURED, "largest speed over sqrt(gamma/(rho 2R))", time, speed);
    law_plot_curve(results, LAW_CURVE_THEORY, "ball at rest", 2, ends, (double[]){0, 0});
}

/* The figures of the drop as it stands. */
static void add_figures(const dew_simulation *simulation, const dew_simulation_def *def, const form *f, const watch *w,
                        law_resolution resolution, double start, law_results *results)
{
    const law *l = &law_relaxation;
    const dew_material_def *liquid = &def->materials[0];
    int count = dew_simulation_particle_count(simulation);
    double radius = radius_of_count(count, def->spacing), seconds = law_cpu_seconds() - start;
    double area = 4 * M_PI * radius * radius, volume = area * radius / 3, time = law_capillary_time(liquid, radius);
    double unit = sqrt(liquid->surface_tension / (liquid->density * 2 * radius));
    law_add(results, l, resolution, "radius s.d.", "", count, last(&f->deviation), 0, seconds);
    law_add(results, l, resolution, "sphericity", "", count, last(&f->sphericity), 1, seconds);
    law_add(results, l, resolution, "area", "", count, last(&f->area) / area, 1, seconds);
    law_add(results, l, resolution, "volume", "", count, last(&f->volume) / volume, 1, seconds);
    law_add(results, l, resolution, "speed at rest", "", count,
            series_largest(&w->speed, def->duration - time, INFINITY) / unit, 0, seconds);
    add_plots(f, w, time, area, volume, unit, results);
}

enum { FRAMES = 8 }; /* in a capillary time */

static dew_result run(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                      law_results *results)
{
#define OPTION(name) law_option_value(&law_relaxation, settings, resolution, name)
    double start = law_cpu_seconds();
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    double radius = law_liquid(&law_relaxation, settings, resolution, &space.material);
    double side = cbrt(4 * M_PI / 3) * radius, cells = round(cbrt(OPTION("particles")));
    dew_vec3 corner = {side / 2, side / 2, side / 2};
    space.liquids[0].shape = dew_box((dew_vec3){-corner.x, -corner.y, -corner.z}, corner);
    space.liquids[0].fill = DEW_FILL_CUBIC;
    def.spacing = side / cells;
    int frames = law_plan(&def, radius, OPTION("duration"), FRAMES);
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    char what[64];
    snprintf(what, sizeof what, "%d particles", dew_simulation_particle_count(simulation));
    watch w = {.progress = {settings, def.duration, 0, 1, 0, what}};
    form f = {0};
    for (int k = 0; k < frames && !status; k++) {
        status = law_advance(simulation, 1, after_step, &w);
        if (!status) status = add_form(simulation, &f);
        if (k == FRAMES / 2 || k == frames - 1) law_show(settings, simulation, "after %.3g tau", (k + 1.0) / FRAMES);
    }
    if (!status) add_figures(simulation, &def, &f, &w, resolution, start, results);
    form_free(&f);
    series_free(&w.speed);
    dew_simulation_destroy(simulation);
    return status;
#undef OPTION
}

const law law_relaxation = {
    .name = "relaxation",
    .group = LAW_STATICS,
    .title = "A cube of liquid becomes a sphere: evenness of its radius, volume",
    .physics =
        "Surface tension makes a free surface as small as it can be, and of all shapes of one volume the ball has the "
        "least. A cube of viscous liquid without gravity rounds off within a few capillary times and comes to rest. "
        "What is compared is how even its radius is, how near its area is to that of a ball, and whether volume was "
        "lost or gained on the way.",
    .equation = "r = (3 V/4 pi)^(1/3) everywhere, A = 4 pi r^2, V = const",
    .features = DEW_FEATURE_3D,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
