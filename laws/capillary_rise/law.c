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
 * Where plates or tube hold the liquid, its way up is that of columns x inside and y outside, from the edge upwards
 * (Bosanquet 1923; with y' = -a x', a = A_in/A_out, and e for what swings below the edge, see inertia.py):
 *
 *     d/dt((x + a y + e) x') = F/rho + g (y - x) - k_in x x' - k_out y a x',  F = gamma cos(theta) (P/A in - P/A out),
 *
 * k = 12 nu/w^2 between plates, 8 nu/R^2 in a tube, 3 nu/b^2 in a layer b thick that one side holds. A line that moves
 * over a wall which holds meets it at more than theta (Voinov 1976, Cox 1986): theta_d^3 = theta^3 + 9 Ca ln(w/(2 l))
 * is in F for methods that state the length l, by which the line slips; of others it is left out, up to a tenth of F at
 * 60 degrees for a slip of a spacing. Where walls let slip, nothing but what is not in the equation brakes the columns:
 * no such figure.
 *
 * Set-up. Two plates at a distance w, or a tube as wide, in a tank; they end above its floor. 30, 60 and 120 degrees,
 * walls that let slip; levels start a seventh short of their difference at rest. Plates at 60 degrees once more with
 * twice the spacings. For the way up at 60 degrees plates and tube hold, and levels start even.
 *
 * Measurement. Mean level: volume of the particles inside (outside) above the plates' lower edge over A; the level
 * inside above that outside, the mean of the last third. Way up: rms of that less theory, over the rise at rest. */
#include "../law.h"
#include "../measure.h"
#include "../theory.h"

#include <math.h>
#include <stdio.h>

static const law_target targets[] = {
    {"rise", "m", LAW_RELATIVE, {0.08, 0.08, 0.08}, "mean level inside above that outside"},
    {"way up",
     "1",
     LAW_ABSOLUTE,
     {0.15, 0.15, 0.15},
     "rms of the rise less theory, over that at rest; walls that hold"},
};

static const law_option options[] = {
    {"across", "1", {8, 16, 24}, "spacings between the plates and across the tube", LAW_SPACINGS},
    {"all_tubes", "1", {0, 1, 1}, "1: the tube at 30 and 120 degrees too, and its way up"},
    {"radius", "m", {2e-3, 2e-3, 2e-3}, "w, between the plates and across the tube"},
    {LAW_DENSITY},
    {LAW_SURFACE_TENSION},
    {LAW_OHNESORGE(0.2)},
    {LAW_VISCOSITY(NAN)},
    {"weight", "1", {0.5, 0.5, 0.5}, "rho g w^2/gamma between plates; twice as much in tubes"},
    {"duration", "1", {12, 12, 12}, "capillary times sqrt(rho w^3/gamma) to run"},
    {"ohnesorge_up", "1", {0.05, 0.05, 0.05}, "mu/sqrt(rho gamma w) on the way up"},
    {"duration_up", "1", {20, 20, 20}, "capillary times of the way up"},
};

extern const law law_capillary_rise;

/* Lengths over w: the plates' (tube's) lower edge above the floor, thickness, level above the edge were all flat. */
static const double edge = 0.6, thick = 0.5, level = 1.5, top = 5.5;

/* Over gamma/(rho g), m. */
static double theory_rise(double angle, double perimeter_over_area)
{
    return cos(angle * M_PI / 180) * perimeter_over_area;
}

/* What swings below the edge, over w: by inertia.py. */
static const double below_plates = 0.991, below_tube = 0.383;

column_flow column_flow_of(const vessel *v, double half_tank, double below)
{
    column_flow f = {.ratio = v->area[0] / v->area[1], .below = below};
    if (v->is_tube) { /* outside: a ring of the tank's area, held at its inner side */
        double a2 = v->outer * v->outer, r2 = v->area[1] / M_PI + a2;
        double mean = a2 - 0.5 * (r2 + a2) + r2 * (r2 * log(r2 / a2) / (r2 - a2) - 1);
        f.friction[0] = 8 / (v->half * v->half), f.friction[1] = 4 / mean;
    } else {
        f.friction[0] = 3 / (v->half * v->half), f.friction[1] = 3 / pow(half_tank - v->outer, 2);
    }
    return f;
}

/* By how much the cosine of a line that advances at `speed` is less than at rest (Cox 1986). */
static double cosine_lost(const column_flow *f, double speed)
{
    double cube = pow(f->angle, 3) + f->bend * speed;
    return cos(f->angle) - cos(fmin(cbrt(fmax(cube, 0)), M_PI));
}

/* x'' by x and x'. */
static double column_acceleration(const column_flow *f, double x, double speed)
{
    double y = f->start[1] - f->ratio * (x - f->start[0]), mass = x + f->ratio * y + f->below;
    double brake = f->viscosity * (f->friction[0] * x + f->friction[1] * f->ratio * y);
    double lost = f->pull[0] * cosine_lost(f, speed) - f->pull[1] * cosine_lost(f, -f->ratio * speed);
    return (f->drive - lost + f->gravity * (y - x) - brake * speed - (1 - f->ratio * f->ratio) * speed * speed) / mass;
}

double theory_way_up(const column_flow *f, double time)
{
    enum { STEPS = 400 }; /* of the midpoint rule */
    double x = f->start[0], speed = 0, h = time / STEPS;
    for (int i = 0; i < STEPS; i++) {
        double half = speed + 0.5 * h * column_acceleration(f, x, speed);
        double rate = column_acceleration(f, x + 0.5 * h * speed, half);
        x += h * half, speed += h * rate;
    }
    return (x - f->start[0]) * (1 + f->ratio) + f->start[0] - f->start[1];
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
    bool is_way_up;       /* from even levels, on walls that hold */
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

/* A case's set-up; it must live until the simulation has been created. */
typedef struct rise_setup {
    law_space space;
    dew_simulation_def def;
    vessel vessel;
    dew_shape_def parts[2];
    filling filling;
    double theory;    /* rise at rest, m */
    column_flow flow; /* of the way up */
} rise_setup;

static double option(const law_settings *settings, law_resolution resolution, const char *name)
{
    return law_option_value(&law_capillary_rise, settings, resolution, name);
}

static void fill(rise_setup *r, const rise_case *c, double w)
{
    vessel *v = &r->vessel;
    dew_liquid_def *liquid = &r->space.liquids[0];
    r->filling.vessel = v;
    for (int k = 0; k < 2; k++)
        r->filling.level[k] =
            v->edge + level * w +
            (c->is_way_up ? 0 : 0.85) * r->theory * (k ? -v->area[0] : v->area[1]) / (v->area[0] + v->area[1]);
    liquid->shape = dew_default_shape_def();
    liquid->shape.kind = DEW_SHAPE_IMPLICIT;
    liquid->shape.implicit.value = (dew_function){fill_value, &r->filling};
    liquid->shape.implicit.min = r->def.domain.min;
    liquid->shape.implicit.max = r->def.domain.max;
    if (c->dimension == 2) liquid->shape.implicit.min.z = -w, liquid->shape.implicit.max.z = w;
}

static void set_up(rise_setup *r, const dew_method_info *method, const law_settings *settings,
                   law_resolution resolution, const rise_case *c)
{
    dew_simulation_def *def = &r->def;
    dew_material_def *liquid = &r->space.material;
    *def = law_definition(method, settings, &r->space);
    double w = law_liquid(&law_capillary_rise, settings, resolution, liquid);
    double half_tank = (c->is_tube ? 1.5 : 2) * w, up = top * w;
    double weight = option(settings, resolution, "weight") * (c->is_tube ? 2 : 1);
    def->spacing = w / c->across;
    double width = c->is_tube ? half_tank : 8 * def->spacing;
    r->vessel = vessel_of(c, w, width, half_tank);
    const vessel *v = &r->vessel;
    law_tank(def, &r->space, c->dimension, law_place(c->dimension, half_tank, width, up), DEW_WALL,
             c->is_tube ? DEW_WALL : law_repeats(method));
    def->domain.min = law_place(c->dimension, -half_tank, c->is_tube ? -half_tank : 0, 0);
    double gravity = weight * liquid->surface_tension / (liquid->density * w * w);
    def->gravity = law_place(c->dimension, 0, 0, -gravity);
    int solids = define_solids(v, up, width, c->angle, &r->space.solids[1], r->parts);
    def->solid_count += solids;
    r->theory =
        (theory_rise(c->angle, v->perimeter[0] / v->area[0]) - theory_rise(c->angle, v->perimeter[1] / v->area[1])) *
        w * w / weight;
    if (c->is_way_up) {
        for (int k = 0; k < solids; k++) r->space.solids[1 + k].slip_length = 0;
        liquid->viscosity =
            option(settings, resolution, "ohnesorge_up") * sqrt(liquid->density * liquid->surface_tension * w);
        r->flow = column_flow_of(v, half_tank, (c->is_tube ? below_tube : below_plates) * w);
        r->flow.viscosity = liquid->viscosity / liquid->density;
        r->flow.gravity = gravity, r->flow.drive = gravity * r->theory;
        r->flow.start[0] = r->flow.start[1] = level * w;
        r->flow.angle = c->angle * M_PI / 180;
        for (int k = 0; k < 2; k++)
            r->flow.pull[k] = liquid->surface_tension / liquid->density * v->perimeter[k] / v->area[k];
        if (method->line_slip > 0)
            r->flow.bend = 9 * liquid->viscosity / liquid->surface_tension * log(v->half / method->line_slip);
    }
    fill(r, c, w);
}

/* The way up against theory: rms of the difference over the rise at rest, and a plot. */
static double way_missed(const watch *seen, const rise_setup *r, double end, law_results *results)
{
    enum { POINTS = 100 };
    double place[POINTS], theory[POINTS], square = 0;
    for (int i = 0; i < seen->rise.count; i++) {
        double miss = seen->rise.value[i] - theory_way_up(&r->flow, seen->rise.time[i] * seen->unit);
        square += miss * miss / seen->rise.count;
    }
    for (int i = 0; i < POINTS; i++) {
        place[i] = end * i / (POINTS - 1);
        theory[i] = 1e3 * theory_way_up(&r->flow, place[i] * seen->unit);
    }
    law_plot_curve(results, LAW_CURVE_THEORY, "Bosanquet", POINTS, place, theory);
    return sqrt(square) / fabs(r->theory);
}

static dew_result measure(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                          const rise_case *c, double part, double share, law_results *results)
{
    double start = law_cpu_seconds(), end = option(settings, resolution, c->is_way_up ? "duration_up" : "duration");
    rise_setup r;
    set_up(&r, method, settings, resolution, c);
    double w = 2 * r.vessel.half;
    int frames = law_plan(&r.def, w, end, 1);
    char label[64];
    snprintf(label, sizeof label, "%s, %g deg, %g spacings",
             c->is_tube          ? "tube"
             : c->dimension == 2 ? "2D"
                                 : "plates",
             c->angle, round(c->across * (settings->is_fine ? LAW_FINER : 1))); /* a case's name at any level */
    watch seen = {.progress = {settings, r.def.duration, part, share, 0, label},
                  .vessel = &r.vessel,
                  .unit = law_capillary_time(&r.space.material, w)};
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&r.def, &simulation);
    if (status) return status;
    status = law_advance(simulation, frames, after_step, &seen);
    if (!status) {
        double seconds = law_cpu_seconds() - start, rest = 1e3 * r.theory;
        int particles = dew_simulation_particle_count(simulation);
        law_show(settings, simulation, "%s%s", label, c->is_way_up ? ", way up" : "");
        law_plot_begin(results, label, "time, sqrt(rho w^3/gamma)", "rise, mm");
        series_plot(&seen.rise, results, LAW_CURVE_MEASURED, "measured", 1, 1e-3);
        if (c->is_way_up) {
            law_add(results, &law_capillary_rise, resolution, "way up", label, particles,
                    way_missed(&seen, &r, end, results), 0, seconds);
        } else {
            law_add(results, &law_capillary_rise, resolution, "rise", label, particles,
                    series_mean(&seen.rise, 2 * end / 3, INFINITY), r.theory, seconds);
            law_plot_curve(results, LAW_CURVE_THEORY, "Jurin", 2, (double[]){0, end}, (double[]){rest, rest});
        }
    }
    series_free(&seen.rise);
    dew_simulation_destroy(simulation);
    return status;
}

static dew_result run(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                      law_results *results)
{
    rise_case cases[16];
    int count = 0, dimensions[2], kinds = law_dimensions(method, dimensions);
    double across = option(settings, resolution, "across");
    bool all_tubes = option(settings, resolution, "all_tubes") != 0, holds = method->features & DEW_FEATURE_NO_SLIP;
    for (int k = 0; k < kinds; k++) {
        for (int i = 0; i < 3; i++)
            cases[count++] = (rise_case){false, dimensions[k], (double[]){60, 30, 120}[i], across, false};
        if (holds) cases[count++] = (rise_case){false, dimensions[k], 60, across, true};
    }
    for (int i = 0; i < (all_tubes ? 3 : 1); i++)
        cases[count++] = (rise_case){true, 3, (double[]){60, 30, 120}[i], across, false};
    if (all_tubes && holds) cases[count++] = (rise_case){true, 3, 60, across, true};
    /* Twice as fine where that is cheapest. */
    if (resolution == LAW_COARSE) cases[count++] = (rise_case){false, dimensions[kinds - 1], 60, 2 * across, false};
    if (!holds) law_add_absent(results, &law_capillary_rise, "way up", dew_feature_name(DEW_FEATURE_NO_SLIP));
    dew_result status = DEW_OK;
    for (int i = 0; i < count && !status; i++)
        status = measure(method, resolution, settings, &cases[i], (double)i / count, 1.0 / count, results);
    return status;
}

const law law_capillary_rise = {
    .name = "capillary_rise",
    .title = "Liquid rises between plates and in a tube that it wets (Jurin 1718)",
    .physics =
        "Where liquid meets a wall at less than 90 degrees the wall draws it up, where at more it pushes it down, by "
        "the tension's upward part for each length of the line. Between plates or in a tube the weight of what is "
        "above the level outside balances it: the narrower, the higher. The liquid below hangs on its meniscus and is "
        "under suction. On its way up the columns' inertia and the walls' shear brake it.",
    .equation = "h = gamma cos(theta) P/(rho g A): 2 gamma cos(theta)/(rho g w) between plates; "
                "d/dt(h dh/dt) = 2 gamma cos(theta)/(rho w) - g h - 12 nu h dh/dt/w^2",
    .group = LAW_WALLS,
    .features = DEW_FEATURE_3D | DEW_FEATURE_CONTACT_ANGLE,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
