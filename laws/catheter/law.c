/* Drops of an embolic liquid from a catheter.
 *
 * Physics. A heavy, very viscous liquid comes slowly out of a thin tube into water, wets the tube's end and climbs up
 * its outside until the drop that hangs there is too heavy (Mukai et al. 2023). Water is 740 times less viscous and
 * hardly resists; its weight is counted by a lesser gravity g' = g (rho - rho_water)/rho, and the energies are those
 * against water. What the tube's end and outside bear decides how much falls, and that over the flow how often.
 *
 * Set-up. The experiment's own: a tube of 0.5 and 1.0 mm, 8.5e-3 m/s, 1180 kg/m3, 0.742 Pa s, energies of tube, liquid
 * and between 10.5, 10.8 and 0.8 mJ/m2, from which cos(theta) = 0.898. The tube is full at the start, which the paper
 * takes for 1.03 s. A quarter of it is made where the method has planes of symmetry. What passes a face 10 mm below the
 * mouth is gone. The tube slips: drops before have wetted it, and one that is dry holds the line at its edge.
 *
 * Measurement. Times and volumes of drops by what has left: the time of a drop is the mean of when its parts pass the
 * face, so that the interval between two is that at which they part. The first is not judged, as nothing
 * hangs there when it begins. The angle on the tube is by the outline, as in the
 * experiment's pictures: how its distance from the axis grows down from the line, where the liquid is one to four
 * spacings thick; the mean from 4 to 10 s of the experiment's clock, which for each drop begins when the last one
 * falls. (The quantity local_contact_angle tells of all lines; those at the mouth, four spacings wide, are no drop's.)
 */
#include "../law.h"
#include "../measure.h"
#include "../theory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const law_target targets[] = {
    {"interval",
     "s",
     LAW_RELATIVE,
     {0.2, 0.2, 0.2},
     "from drop to drop, the first not counted, against the experiment"},
    {"volume", "m3", LAW_RELATIVE, {0.2, 0.2, 0.2}, "of the same drops"},
    {"angle", "deg", LAW_DEGREES, {4, 4, 4}, "on the tube, while drops grow, the first not counted"},
};

static const law_option options[] = {
    {"drops", "1", {0, 4, 4}, "to wait for; 0: none, for each takes minutes to hours"},
    {"spacing", "m", {1.25e-4, 1.25e-4, 1e-4}, "between particles", LAW_SPACING},
    {"quarter", "1", {NAN, NAN, NAN}, "1: between planes of symmetry, 0: whole, instead of by what the method can"},
    {"below", "m", {10e-3, 10e-3, 10e-3}, "from the mouth to where liquid is taken away"},
    {"speed", "m/s", {8.5e-3, 8.5e-3, 8.5e-3}, "of the liquid that comes in"},
    {"density", "kg/m3", {1180, 1180, 1180}, "of the liquid"},
    {"viscosity", "Pa s", {0.742, 0.742, 0.742}, "of the liquid"},
    {"water_density", "kg/m3", {1000, 1000, 1000}, "by which gravity is less"},
    {"surface_tension", "N/m", {10.8e-3, 10.8e-3, 10.8e-3}, "against water"},
    {"tube_energy", "J/m2", {10.5e-3, 10.5e-3, 10.5e-3}, "of the tube against water"},
    {"between_energy", "J/m2", {0.8e-3, 0.8e-3, 0.8e-3}, "of tube and liquid"},
    {"slip_length", "m", {INFINITY, INFINITY, INFINITY}, "of the tube, which drops before have wetted; 0: it is dry"},
    {"longest", "1", {3, 3, 3}, "times the experiment's interval to wait for each drop at most"},
};

/* The experiment: seconds from drop to drop (10.69, 10.33, 10.41 s, the paper's table 5), m3, what its clock showed
 * where the tube was full, s. */
#define INTERVAL 10.5
#define VOLUME 1.80e-8
#define CLOCK 1.03
/* The tube, m. */
#define INNER 0.25e-3
#define OUTER 0.5e-3
#define LENGTH 4e-3
#define HALF_WIDTH 4e-3 /* of the domain */
#define GRAVITY 9.80
#define LOWEST_LINE 1e-3 /* m below the mouth: what is thin from there on is a drop's thread */

extern const law law_catheter;
#define OPTION(name) law_option_value(&law_catheter, settings, resolution, name)

dripping measure_dripping(const series *left, double within, double least)
{
    dripping d = {0};
    double sum = 0, volume = 0, last = -INFINITY;
    for (int i = 1; i <= left->count; i++) {
        bool is_end = i == left->count;
        double time = is_end ? INFINITY : left->time[i], gone = is_end ? 0 : left->value[i] - left->value[i - 1];
        if (!(gone > 0) && !is_end) continue;
        if (time - last > within && volume > 0) {
            if (volume >= least && d.count < DRIP_MOST) d.time[d.count] = sum / volume, d.volume[d.count++] = volume;
            sum = volume = 0;
        }
        if (is_end) break;
        sum += gone * time, volume += gone, last = time;
    }
    return d;
}

/* --- outlines --- */

enum { OUTLINES = 3, ROWS = 160 };
static const double outline_times[OUTLINES] = {1.03, 4, 10}; /* of the experiment's clock, as in the paper's figures */

typedef struct outline {
    double radius[ROWS], height[ROWS];
    bool is_taken;
} outline;

/* The largest distance from the axis of particles in rows a spacing high, half a spacing added. */
static void take_outline(const dew_frame *frame, double below, outline *o)
{
    dew_field x;
    if (!dew_frame_field(frame, "position", &x)) return;
    for (int k = 0; k < ROWS; k++) o->radius[k] = NAN, o->height[k] = -below + (k + 0.5) * frame->spacing;
    for (int i = 0; i < x.count; i++) {
        const dew_real *at = (const dew_real *)x.data + (size_t)i * x.stride;
        int row = (int)floor((at[2] + below) / frame->spacing);
        double r = hypot(at[0], at[1]) + 0.5 * frame->spacing;
        if (row >= 0 && row < ROWS && !(o->radius[row] >= r)) o->radius[row] = r;
    }
    o->is_taken = true;
}

/* Of the outline with the tube's outside, degrees: by a line through the rows from the uppermost down where the liquid
 * reaches one to four spacings beyond the outside, or where that would go on below the mouth: a line may stand at its
 * edge. NaN: there are too few. */
static double outline_angle(const outline *o, double spacing)
{
    double n = 0, z = 0, r = 0, zz = 0, zr = 0, last = 0;
    for (int k = ROWS - 1; k >= 0; k--) {
        double thick = (o->radius[k] - OUTER) / spacing;
        if (thick > 4 || (last > 0 && thick < last - 0.5) || o->height[k] < -LOWEST_LINE) break;
        if (!(thick > 1)) continue;
        last = thick;
        n++, z += o->height[k], r += o->radius[k], zz += o->height[k] * o->height[k], zr += o->height[k] * o->radius[k];
    }
    return n > 2 ? atan2(-(n * zr - z * r), n * zz - z * z) * 180 / M_PI : NAN;
}

double measure_tube_angle(const dew_frame *frame, double below)
{
    outline o = {0};
    take_outline(frame, below, &o);
    return o.is_taken ? outline_angle(&o, frame->spacing) : NAN;
}

static void plot_outlines(const outline *o, law_results *results)
{
    law_plot_begin(results, "Outlines", "distance from the axis, mm", "height above the mouth, mm");
    law_plot_equal_axes(results);
    for (int k = 0; k < OUTLINES; k++) {
        double x[ROWS], y[ROWS];
        char label[32];
        snprintf(label, sizeof label, "%g s", outline_times[k]);
        for (int i = 0; i < ROWS; i++) x[i] = 1e3 * o[k].radius[i], y[i] = 1e3 * o[k].height[i];
        if (o[k].is_taken) law_plot_curve(results, LAW_CURVE_MEASURED, label, ROWS, x, y);
    }
    law_plot_curve(results, LAW_CURVE_THEORY, "tube", 3, (double[]){1e3 * INNER, 1e3 * OUTER, 1e3 * OUTER},
                   (double[]){0, 0, 1e3 * LENGTH});
}

/* --- the run --- */

typedef struct catheter {
    law_space space;
    dew_simulation_def def;
    dew_shape_def parts[2];
    dew_emitter_def emitter;
    double times; /* more than what is made, as an eighth's volume is times the whole's */
} catheter;

static void set_up(catheter *c, const dew_method_info *method, law_resolution resolution, const law_settings *settings)
{
    double quarter = OPTION("quarter"), s = OPTION("spacing"), density = OPTION("density"), speed = OPTION("speed");
    c->def = law_definition(method, settings, &c->space);
    dew_material_def *liquid = &c->space.material;
    liquid->density = density, liquid->viscosity = OPTION("viscosity");
    liquid->surface_tension = OPTION("surface_tension");
    if (isnan(quarter)) quarter = method->features & DEW_FEATURE_SYMMETRY ? 1 : 0;
    c->times = quarter != 0 ? 4 : 1;
    c->def.spacing = s;
    c->def.gravity.z = -GRAVITY * (density - OPTION("water_density")) / density;
    double low = quarter != 0 ? 0 : -HALF_WIDTH;
    c->def.domain.min = (dew_vec3){low, low, -OPTION("below")};
    c->def.domain.max = (dew_vec3){HALF_WIDTH, HALF_WIDTH, 2 * LENGTH};
    for (int a = 0; a < 3; a++) c->def.domain.axis[a] = a < 2 && quarter != 0 ? DEW_SYMMETRY : DEW_OUTFLOW;
    c->parts[0] = dew_cylinder((dew_vec3){0, 0, 0}, (dew_vec3){0, 0, LENGTH}, OUTER);
    c->parts[1] = dew_cylinder((dew_vec3){0, 0, -LENGTH}, (dew_vec3){0, 0, 2 * LENGTH}, INNER);
    dew_solid_def *tube = &c->space.solids[0];
    tube->name = "tube", tube->slip_length = OPTION("slip_length");
    tube->shape = dew_default_shape_def(), tube->shape.kind = DEW_SHAPE_DIFFERENCE;
    tube->shape.combination.children = c->parts, tube->shape.combination.count = 2;
    tube->has_surface_energy = true, tube->solid_energy = OPTION("tube_energy");
    tube->between_energy = OPTION("between_energy");
    c->def.solid_count = 1;
    c->space.liquids[0].shape = dew_cylinder((dew_vec3){0, 0, 0}, (dew_vec3){0, 0, LENGTH - s}, INNER);
    c->space.liquids[0].velocity = (dew_vec3){0, 0, -speed};
    c->emitter = dew_default_emitter_def();
    c->emitter.shape = dew_default_shape_def(), c->emitter.shape.kind = DEW_SHAPE_DISC;
    c->emitter.shape.disc.centre = (dew_vec3){0, 0, LENGTH - s}, c->emitter.shape.disc.normal = (dew_vec3){0, 0, -1};
    c->emitter.shape.disc.radius = INNER;
    c->emitter.velocity = (dew_vec3){0, 0, -speed};
    c->def.emitters = &c->emitter, c->def.emitter_count = 1;
}

typedef struct watch {
    double unit, below; /* m3 that has left, of a kg that has; m */
    series left, hanging, angle;
    outline outlines[OUTLINES];
} watch;

static dew_result look(watch *w, const dew_simulation *simulation)
{
    double time = dew_simulation_time(simulation), left[2], mass;
    const dew_frame *frame = dew_simulation_frame(simulation);
    for (int k = 0; k < OUTLINES; k++)
        if (!w->outlines[k].is_taken && time + CLOCK >= outline_times[k] - 1e-9)
            take_outline(frame, w->below, &w->outlines[k]);
    double angle = measure_tube_angle(frame, w->below);
    dew_result status = dew_simulation_measure(simulation, "outflow", left);
    if (!status) status = dew_simulation_measure(simulation, "mass", &mass);
    bool is_kept = !status && series_add(&w->left, time, left[0] * w->unit) &&
                   series_add(&w->hanging, time, mass * w->unit) &&
                   (isnan(angle) || series_add(&w->angle, time, angle));
    return status || is_kept ? status : DEW_NO_MEMORY;
}

/* Mean interval and volume of all drops but the first; NaN: there are too few. */
static void mean_drop(const dripping *d, double *interval, double *volume)
{
    *interval = *volume = d->count > 1 ? 0 : NAN;
    for (int k = 1; k < d->count; k++)
        *interval += (d->time[k] - d->time[k - 1]) / (d->count - 1), *volume += d->volume[k] / (d->count - 1);
}

/* Mean angle while drops grow, 4 to 10 s after the one before has fallen, of all but the first; NaN: there are too few.
 */
static double mean_angle(const series *angle, const dripping *d)
{
    double sum = 0;
    int count = 0;
    for (int k = 1; k < d->count; k++) {
        double from = d->time[k - 1] + outline_times[1], to = fmin(d->time[k - 1] + outline_times[2], d->time[k]);
        double mean = series_mean(angle, from, to);
        if (to > from && isfinite(mean)) sum += mean, count++;
    }
    return count > 0 ? sum / count : NAN;
}

static void add_figures(const watch *w, const dripping *d, double angle, int particles, double seconds,
                        law_resolution resolution, law_results *results)
{
    double interval, volume, end = w->left.time[w->left.count - 1];
    char label[64];
    mean_drop(d, &interval, &volume);
    snprintf(label, sizeof label, "%d drops", d->count);
    law_add(results, &law_catheter, resolution, "interval", label, particles, interval, INTERVAL, seconds);
    law_add(results, &law_catheter, resolution, "volume", label, particles, volume, VOLUME, seconds);
    law_add(results, &law_catheter, resolution, "angle", label, particles, mean_angle(&w->angle, d), angle, seconds);
    plot_outlines(w->outlines, results);
    law_plot_begin(results, "What hangs there", "time, s", "volume, mm3");
    series_plot(&w->hanging, results, LAW_CURVE_MEASURED, "tube and drop", 1, 1e-9);
    series_plot(&w->left, results, LAW_CURVE_MEASURED, "what has fallen", 1, 1e-9);
    law_plot_begin(results, "Angle on the tube", "time, s", "degrees");
    series_plot(&w->angle, results, LAW_CURVE_MEASURED, "by the outline", 1, 1);
    law_plot_curve(results, LAW_CURVE_THEORY, "by the energies", 2, (double[]){0, end}, (double[]){angle, angle});
}

static dew_result run(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                      law_results *results)
{
    enum { RATE = 4 }; /* frames a second */
    double start = law_cpu_seconds();
    int wanted = (int)OPTION("drops"), most = (int)(RATE * INTERVAL * OPTION("longest") * (wanted + 1));
    if (wanted < 1) {
        for (int k = 0; k < 3; k++)
            law_add_absent(results, &law_catheter, targets[k].quantity, "time: --set drops=4 takes it");
        return DEW_OK;
    }
    catheter c;
    set_up(&c, method, resolution, settings);
    c.def.frame_rate = RATE, c.def.duration = (double)most / RATE;
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&c.def, &simulation);
    if (status) return status;
    watch w = {.unit = c.times / c.space.material.density, .below = -c.def.domain.min.z};
    dripping d = {0};
    status = look(&w, simulation);
    for (int k = 0; k < most && !status && d.count < wanted; k++) {
        law_report(settings, (d.count + fmin(1, w.hanging.value[w.hanging.count - 1] / VOLUME)) / (wanted + 1),
                   "%.4g s, %d drops", dew_simulation_time(simulation), d.count);
        status = law_advance(simulation, 1, NULL, NULL);
        if (!status) status = look(&w, simulation);
        if (!status) d = measure_dripping(&w.left, 1, 0.1 * VOLUME);
        if (w.left.count > 0 && d.count > 0 && d.time[d.count - 1] > dew_simulation_time(simulation) - 1) d.count--;
    }
    if (!status) {
        double cosine =
            (c.space.solids[0].solid_energy - c.space.solids[0].between_energy) / c.space.material.surface_tension;
        law_show(settings, simulation, "%.3g s after the start", dew_simulation_time(simulation));
        add_figures(&w, &d, acos(cosine) * 180 / M_PI, dew_simulation_particle_count(simulation),
                    law_cpu_seconds() - start, resolution, results);
    }
    series_free(&w.left), series_free(&w.hanging), series_free(&w.angle);
    dew_simulation_destroy(simulation);
    return status;
}

const law law_catheter = {
    .name = "catheter",
    .group = LAW_JETS,
    .title = "Drops of an embolic liquid from a catheter (experiment of Mukai et al. 2023)",
    .physics =
        "A heavy and very viscous liquid comes slowly out of a thin tube into water. It wets the tube's end and climbs "
        "up "
        "its outside, so that the drop hangs on more than the tube's mouth; when it is too heavy it falls, drawing a "
        "thread. What is compared is an experiment: how long from drop to drop, how much falls, and the angle at which "
        "the liquid meets the tube, of which nothing is given but the energies of the three surfaces.",
    .equation = "cos(theta) = (gamma_solid - gamma_between)/gamma; 10.5 s and 1.80e-8 m3 a drop",
    .features = DEW_FEATURE_3D | DEW_FEATURE_CONTACT_ANGLE,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .breaks_up = true,
    .run = run,
};
