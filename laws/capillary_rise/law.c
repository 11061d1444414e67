/* Liquid rises between plates and in tubes that it wets.
 *
 * Physics. Where the liquid meets a wall at the angle theta, the wall holds it up by gamma cos(theta) for each length
 * of the line. So the mean level over a cross section A, around which the line is P long, is above that of a wide
 * surface by (Jurin 1718)
 *
 *     h = gamma cos(theta) P/(rho g A):  2 gamma cos(theta)/(rho g w) between plates, 2 gamma cos(theta)/(rho g R) in a
 *
 * tube: a balance of forces, exact for the mean whatever the meniscus is like. Outside of plates or tube, as far as the
 * walls of the tank, which the liquid meets at 90 degrees, the same holds with the P and A there.
 *
 * Set-up. Two plates at a distance w, or a tube as wide, in a tank; they end above its floor. 30, 60 and 120 degrees,
 * walls that let slip. Levels start a seventh short of their difference at rest.
 *
 * Measurement. Mean level: volume of the particles inside (outside) above the plates' lower edge over A; the level
 * inside above that outside, the mean of the last third. */
#include "../law.h"
#include "../measure.h"
#include "../theory.h"

#include <math.h>
#include <stdio.h>

static const law_target targets[] = {
    {"rise", "m", LAW_RELATIVE, {0.08, 0.08, 0.08}, "mean level inside above that outside"},
};

static const law_option options[] = {
    {"across", "1", {8, 16, 24}, "spacings between the plates and across the tube"},
    {"all_tubes", "1", {0, 1, 1}, "1: the tube at 30 and 120 degrees too"},
    {"radius", "m", {2e-3, 2e-3, 2e-3}, "w, between the plates and across the tube"},
    {LAW_DENSITY},
    {LAW_SURFACE_TENSION},
    {LAW_OHNESORGE(0.2)},
    {LAW_VISCOSITY(NAN)},
    {"weight", "1", {0.5, 0.5, 0.5}, "rho g w^2/gamma between plates; twice as much in tubes"},
    {"duration", "1", {12, 12, 12}, "capillary times sqrt(rho w^3/gamma) to run"},
};

extern const law law_capillary_rise;

/* Lengths over w: the plates' (tube's) lower edge above the floor, thickness, level above the edge were all flat. */
static const double edge = 0.6, thick = 0.5, level = 1.5, top = 5.5;

/* Over gamma/(rho g), m. */
static double theory_rise(double angle, double perimeter_over_area)
{
    return cos(angle * M_PI / 180) * perimeter_over_area;
}

static double across_of(const vessel *v, const dew_real *p) { return v->is_tube ? hypot(p[0], p[1]) : fabs(p[0]); }

double measure_level(const dew_frame *frame, const vessel *v, bool is_inside)
{
    dew_field x;
    if (!dew_frame_field(frame, "position", &x)) return NAN;
    double middle = 0.5 * (v->half + v->outer);
    int count = 0;
    for (int i = 0; i < x.count; i++) {
        const dew_real *p = (const dew_real *)x.data + (size_t)i * x.stride;
        count += (double)p[v->dimension - 1] > v->edge && (across_of(v, p) < middle) == is_inside;
    }
    return v->edge + count * pow(frame->spacing, v->dimension) / v->area[!is_inside];
}

/* --- the set-up --- */

typedef struct watch {
    law_progress progress;
    const vessel *vessel;
    double unit; /* s */
    series rise; /* m */
} watch;

static bool after_step(void *context, const dew_simulation *simulation)
{
    watch *w = context;
    const dew_frame *frame = dew_simulation_frame(simulation);
    law_report_progress(&w->progress, simulation);
    return series_add(&w->rise, dew_simulation_time(simulation) / w->unit,
                      measure_level(frame, w->vessel, true) - measure_level(frame, w->vessel, false));
}

typedef struct rise_case {
    bool is_tube;
    int dimension;
    double angle, across; /* degrees; spacings */
} rise_case;

/* The plates or the tube; `parts` has room for the shapes of a tube. Returns their number. */
static int define_solids(const vessel *v, double up, double width, double angle, dew_solid_def *solids,
                         dew_shape_def *parts)
{
    if (v->is_tube) {
        for (int k = 0; k < 2; k++) {
            parts[k] = dew_default_shape_def();
            parts[k].kind = DEW_SHAPE_CYLINDER;
            parts[k].cylinder.from = (dew_vec3){0, 0, k ? 0 : v->edge};
            parts[k].cylinder.to = (dew_vec3){0, 0, k ? 2 * up : up};
            parts[k].cylinder.radius = k ? v->half : v->outer;
        }
        solids[0].name = "tube";
        solids[0].shape = dew_default_shape_def();
        solids[0].shape.kind = DEW_SHAPE_DIFFERENCE;
        solids[0].shape.combination.children = parts;
        solids[0].shape.combination.count = 2;
        solids[0].contact_angle = angle;
        return 1;
    }
    for (int k = 0; k < 2; k++) {
        solids[k].name = k ? "right" : "left";
        solids[k].shape = dew_box(law_place(v->dimension, k ? v->half : -v->outer, -width, v->edge),
                                  law_place(v->dimension, k ? v->outer : -v->half, 2 * width, up));
        if (v->dimension == 2) solids[k].shape.box.min.z = -width, solids[k].shape.box.max.z = width;
        solids[k].contact_angle = angle;
    }
    return 2;
}

/* Where there is liquid at the start: levels inside and outside. */
typedef struct filling {
    const vessel *vessel;
    double level[2];
} filling;

static void fill_value(void *context, int count, const double *const *inputs, double *output)
{
    const filling *f = context;
    const vessel *v = f->vessel;
    for (int i = 0; i < count; i++) {
        double across = v->is_tube ? hypot(inputs[0][i], inputs[1][i]) : fabs(inputs[0][i]);
        double up = inputs[v->dimension - 1][i], into = fmin(across - v->half, v->outer - across);
        double above = up - f->level[across > v->half];
        output[i] = fmax(above, fmin(into, up - v->edge)); /* not in plates or tube */
    }
}

static vessel vessel_of(const rise_case *c, double w, double width, double half_tank)
{
    vessel v = {.is_tube = c->is_tube,
                .dimension = c->dimension,
                .half = 0.5 * w,
                .outer = (0.5 + thick) * w,
                .edge = edge * w};
    if (c->is_tube) {
        v.area[0] = M_PI * v.half * v.half, v.perimeter[0] = 2 * M_PI * v.half;
        v.area[1] = 4 * half_tank * half_tank - M_PI * v.outer * v.outer, v.perimeter[1] = 2 * M_PI * v.outer;
    } else {
        double deep = c->dimension == 2 ? 1 : width;
        v.area[0] = 2 * v.half * deep, v.perimeter[0] = 2 * deep;
        v.area[1] = 2 * (half_tank - v.outer) * deep, v.perimeter[1] = 2 * deep;
    }
    return v;
}

static dew_result measure(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                          const rise_case *c, double part, double share, law_results *results)
{
#define OPTION(name) law_option_value(&law_capillary_rise, settings, resolution, name)
    double start = law_cpu_seconds();
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    double w = law_liquid(&law_capillary_rise, settings, resolution, &space.material);
    def.spacing = w / c->across;
    double half_tank = (c->is_tube ? 1.5 : 2) * w, width = c->is_tube ? half_tank : 8 * def.spacing;
    double weight = OPTION("weight") * (c->is_tube ? 2 : 1), up = top * w;
    vessel v = vessel_of(c, w, width, half_tank);
    law_tank(&def, &space, c->dimension, law_place(c->dimension, half_tank, width, up), DEW_WALL,
             c->is_tube ? DEW_WALL : law_repeats(method));
    def.domain.min = law_place(c->dimension, -half_tank, c->is_tube ? -half_tank : 0, 0);
    def.gravity =
        law_place(c->dimension, 0, 0, -weight * space.material.surface_tension / (space.material.density * w * w));
    dew_shape_def parts[2];
    def.solid_count += define_solids(&v, up, width, c->angle, &space.solids[1], parts);
    double theory =
        theory_rise(c->angle, v.perimeter[0] / v.area[0]) - theory_rise(c->angle, v.perimeter[1] / v.area[1]);
    theory *= w * w / weight;
    filling f = {.vessel = &v};
    for (int k = 0; k < 2; k++)
        f.level[k] = v.edge + level * w + 0.85 * theory * (k ? -v.area[0] : v.area[1]) / (v.area[0] + v.area[1]);
    space.liquids[0].shape = dew_default_shape_def();
    space.liquids[0].shape.kind = DEW_SHAPE_IMPLICIT;
    space.liquids[0].shape.implicit.value = (dew_function){fill_value, &f};
    space.liquids[0].shape.implicit.min = def.domain.min;
    space.liquids[0].shape.implicit.max = def.domain.max;
    if (c->dimension == 2) space.liquids[0].shape.implicit.min.z = -w, space.liquids[0].shape.implicit.max.z = w;
    int frames = law_plan(&def, w, OPTION("duration"), 1);
    char label[64];
    snprintf(label, sizeof label, "%s, %g deg, %g spacings",
             c->is_tube          ? "tube"
             : c->dimension == 2 ? "2D"
                                 : "plates",
             c->angle, c->across);
    watch seen = {.progress = {settings, def.duration, part, share, 0, label},
                  .vessel = &v,
                  .unit = law_capillary_time(&space.material, w)};
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    status = law_advance(simulation, frames, after_step, &seen);
    if (!status) {
        double end = OPTION("duration");
        law_show(settings, simulation, "%s", label);
        law_add(results, &law_capillary_rise, resolution, "rise", label, dew_simulation_particle_count(simulation),
                series_mean(&seen.rise, 2 * end / 3, INFINITY), theory, law_cpu_seconds() - start);
        law_plot_begin(results, label, "time, sqrt(rho w^3/gamma)", "rise, mm");
        series_plot(&seen.rise, results, LAW_CURVE_MEASURED, "measured", 1, 1e-3);
        law_plot_curve(results, LAW_CURVE_THEORY, "Jurin", 2, (double[]){0, end},
                       (double[]){1e3 * theory, 1e3 * theory});
    }
    series_free(&seen.rise);
    dew_simulation_destroy(simulation);
    return status;
#undef OPTION
}

static dew_result run(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                      law_results *results)
{
#define OPTION(name) law_option_value(&law_capillary_rise, settings, resolution, name)
    rise_case cases[16];
    int count = 0, dimensions[2], kinds = law_dimensions(method, dimensions);
    double across = OPTION("across");
    for (int k = 0; k < kinds; k++) {
        for (int i = 0; i < 3; i++)
            cases[count++] = (rise_case){false, dimensions[k], (double[]){60, 30, 120}[i], across};
    }
    for (int i = 0; i < (OPTION("all_tubes") != 0 ? 3 : 1); i++)
        cases[count++] = (rise_case){true, 3, (double[]){60, 30, 120}[i], across};
    dew_result status = DEW_OK;
    for (int i = 0; i < count && !status; i++)
        status = measure(method, resolution, settings, &cases[i], (double)i / count, 1.0 / count, results);
    return status;
#undef OPTION
}

const law law_capillary_rise = {
    .name = "capillary_rise",
    .title = "Liquid rises between plates and in a tube that it wets (Jurin 1718)",
    .physics =
        "Where liquid meets a wall at less than 90 degrees the wall draws it up, where at more it pushes it down, by "
        "the tension's upward part for each length of the line. Between plates or in a tube the weight of what is "
        "above the level outside balances it: the narrower, the higher. The liquid below hangs on its meniscus and is "
        "under suction.",
    .equation = "h = gamma cos(theta) P/(rho g A): 2 gamma cos(theta)/(rho g w) between plates",
    .group = LAW_WALLS,
    .features = DEW_FEATURE_3D | DEW_FEATURE_CONTACT_ANGLE,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
