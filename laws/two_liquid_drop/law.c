/* A drop of one liquid in another.
 *
 * Physics. The pressure in a drop exceeds that of the liquid around it by 2 gamma/R, gamma the tension between the two.
 * Drawn out, it swings in its mode n = 2; without viscosity (Lamb 1932)
 *
 *     omega^2 = n (n - 1)(n + 1)(n + 2) gamma/(((n + 1) rho + n rho_out) R^3).
 *
 * Where both are viscous, boundary layers on either side of the surface damp it far more than a free drop is (Miller,
 * Scriven 1968): omega and beta are a root of the equations at the head of roots.py.
 *
 * Set-up. A ball drawn out by 4 %, at rest, in the middle of a box four radii wide whose faces are planes of symmetry,
 * of which an eighth is made, or walls that let slip, all of it then. The theory's liquid ends at a ball of the box's
 * volume.
 *
 * Measurement. Amplitude: mean of (z^2 - (x^2 + y^2)/2) = (3/5) R^2 a over the drop's particles about their middle,
 * fitted with offset + exp(-beta t)(p cos omega t + q sin omega t) from a quarter of a period on. Pressure: of
 * particles nearer to the middle than 0.6 R less that of those farther than 1.5 R, the mean over the last period. */
#include "../law.h"
#include "../measure.h"
#include "../theory.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>

static const law_target targets[] = {
    {"frequency", "rad/s", LAW_RELATIVE, {0.1, 0.1, 0.1}, "of the mode n = 2"},
    {"damping ratio", "1", LAW_ABSOLUTE, {0.05, 0.05, 0.05}, "beta/sqrt(omega^2 + beta^2)"},
    {"pressure jump", "Pa", LAW_RELATIVE, {0.1, 0.1, 0.1}, "inside over outside"},
};

static const law_option options[] = {
    {LAW_PARTICLES(2000, 6000, 16000)},
    {LAW_RADIUS("of the drop")},
    {LAW_DENSITY},
    {"surface_tension", "N/m", {0.03, 0.03, 0.03}, "between the two; against a gas each has as much"},
    {LAW_OHNESORGE(0.02)},
    {LAW_VISCOSITY(NAN)},
    {"density_ratio", "1", {1.2, 1.2, 1.2}, "of the liquid around to the drop's"},
    {"viscosity_ratio", "1", {1, 1, 1}, "likewise"},
    {"box", "1", {4, 4, 4}, "its width over the drop's radius"},
    {"amplitude", "1", {0.04, 0.04, 0.04}, "of the mode over R"},
    {"periods", "1", {2.25, 2.25, 2.25}, "to run"},
};

extern const law law_two_liquid_drop;
#define OPTION(name) law_option_value(&law_two_liquid_drop, settings, resolution, name)

/* --- theory --- */

enum { N = 2, L = N * (N + 1) };

/* What a part of the motion is at the surface, r = 1: phi or psi with two derivatives. */
typedef struct motion {
    double complex u_r, u_t, shear, stretch, potential;
} motion;

static motion of_potential(double value, double first, double second)
{
    return (motion){first, value, 2 * (first - value), second, value};
}

/* `slope` of psi, whose value is 1; k2 = sigma rho/mu. */
static motion of_rotation(double complex slope, double complex k2)
{
    double complex second = L + k2 - 2 * slope;
    return (motion){L, 1 + slope, L + slope - 1 + second - (1 + slope), L * (slope - 1), 0};
}

/* x i_2'(x)/i_2(x), by the continued fraction of i_3/i_2. */
static double complex slope_inside(double complex x)
{
    double complex fraction = 0;
    for (int k = 60 + (int)(2 * cabs(x)); k > 0; k--) fraction = x * x / (2 * (N + k) + 1 + fraction);
    return N + fraction;
}

static double complex slope_outside(double complex x)
{
    return -(x * x * x + 4 * x * x + 9 * x + 9) / (x * x + 3 * x + 3);
}

/* Of a motion exp(sigma t) with u_r = 1 at the surface: normal stress outside less inside, less what the surface bears.
 * The far end's potential is in c; boundary layers do not reach it. */
static double complex imbalance(double complex sigma, double density, double viscosity, double oh, double c)
{
    const double rho[2] = {1, density}, mu[2] = {oh, viscosity * oh};
    double complex k2[2] = {sigma * rho[0] / mu[0], sigma * rho[1] / mu[1]};
    motion part[2][2] = {
        {of_potential(1, N, N * (N - 1)), of_rotation(slope_inside(csqrt(k2[0])), k2[0])},
        {of_potential(1 + c, N * c - (N + 1), (N + 1) * (N + 2) + N * (N - 1) * c),
         of_rotation(slope_outside(csqrt(k2[1])), k2[1])},
    };
    /* In each liquid u_r = 1 leaves one unknown, the rotation's amount q: all else is base + q slope. */
    double complex along[2][2], shear[2][2], stress[2][2];
    for (int k = 0; k < 2; k++) {
        motion p = part[k][0], q = part[k][1];
        double complex share = q.u_r / p.u_r;
        along[k][0] = p.u_t / p.u_r, along[k][1] = q.u_t - share * p.u_t;
        shear[k][0] = mu[k] * p.shear / p.u_r, shear[k][1] = mu[k] * (q.shear - share * p.shear);
        stress[k][0] = (rho[k] * sigma * p.potential + 2 * mu[k] * p.stretch) / p.u_r;
        stress[k][1] = 2 * mu[k] * q.stretch - share * (rho[k] * sigma * p.potential + 2 * mu[k] * p.stretch);
    }
    /* u_t and the shear stress are continuous: two equations for the two amounts. */
    double complex a = along[0][1], b = -along[1][1], d = shear[0][1], e = -shear[1][1];
    double complex f = along[1][0] - along[0][0], g = shear[1][0] - shear[0][0], det = a * e - b * d;
    double complex inside = (f * e - b * g) / det, outside = (a * g - d * f) / det;
    return stress[1][0] + outside * stress[1][1] - stress[0][0] - inside * stress[0][1] - (N - 1) * (N + 2) / sigma;
}

void theory_two_liquid_drop(double density, double viscosity, double ohnesorge, double box, double *omega, double *beta)
{
    enum { PARTS = 16, MOST = 60 };
    double q = box > 0 ? pow(box, -(2 * N + 1)) : 0, c = (N + 1.0) / N * q;
    double complex root = I * sqrt(N * (N - 1.0) * (N + 1) * (N + 2) / (N + 1 + density * N * (1 + c) / (1 - q)));
    for (int part = 1; part <= PARTS; part++) { /* followed from no viscosity on, by secants */
        double oh = ohnesorge * part * part / (PARTS * PARTS);
        double complex before = root * (1 - 1e-3), value = imbalance(before, density, viscosity, oh, c);
        for (int k = 0; k < MOST && cabs(root - before) > 1e-13; k++) {
            double complex here = imbalance(root, density, viscosity, oh, c);
            if (here == value) break;
            double complex next = root - here * (root - before) / (here - value);
            before = root, value = here, root = next;
        }
    }
    *omega = cimag(root), *beta = -creal(root);
}

/* --- measurement --- */

drop_in_liquid measure_drop_in_liquid(const dew_frame *frame, bool is_eighth)
{
    drop_in_liquid d = {.amplitude = NAN, .jump = NAN};
    dew_field x, p, material;
    if (!dew_frame_field(frame, "position", &x) || !dew_frame_field(frame, "material", &material)) return d;
    bool has_pressure = dew_frame_field(frame, "pressure", &p) && p.type == DEW_FIELD_REAL;
    const uint8_t *is_out = material.data;
    double centre[3] = {0}, sum = 0, pressure[2] = {0}, weight[2] = {0};
    for (int i = 0; i < x.count; i++)
        for (int a = 0; a < 3 && is_out[i] == 0; a++) centre[a] += ((const dew_real *)x.data)[(size_t)i * x.stride + a];
    for (int i = 0; i < x.count; i++) d.count += is_out[i] == 0;
    for (int a = 0; a < 3; a++) centre[a] = is_eighth ? 0 : centre[a] / d.count;
    d.radius = radius_of_count(is_eighth ? 8 * d.count : d.count, frame->spacing);
    for (int i = 0; i < x.count; i++) {
        const dew_real *at = (const dew_real *)x.data + (size_t)i * x.stride;
        double u = at[0] - centre[0], v = at[1] - centre[1], w = at[2] - centre[2], r = sqrt(u * u + v * v + w * w);
        if (is_out[i] == 0) sum += w * w - (u * u + v * v) / 2;
        int side = is_out[i] == 0 && r < 0.6 * d.radius ? 0 : is_out[i] && r > 1.5 * d.radius ? 1 : -1;
        if (side < 0 || !has_pressure) continue;
        pressure[side] += ((const dew_real *)p.data)[(size_t)i * p.stride], weight[side]++;
    }
    d.amplitude = sum / d.count / (0.6 * d.radius * d.radius);
    if (weight[0] > 0 && weight[1] > 0) d.jump = pressure[0] / weight[0] - pressure[1] / weight[1];
    return d;
}

/* --- the run --- */

typedef struct watch {
    law_progress progress;
    bool is_eighth;
    drop_in_liquid last;
    series amplitude, jump;
} watch;

static bool after_step(void *context, const dew_simulation *simulation)
{
    watch *w = context;
    double time = dew_simulation_time(simulation);
    law_report_progress(&w->progress, simulation);
    w->last = measure_drop_in_liquid(dew_simulation_frame(simulation), w->is_eighth);
    return series_add(&w->amplitude, time, w->last.amplitude) && series_add(&w->jump, time, w->last.jump);
}

static void plot(const watch *w, const decay_fit *fit, double amplitude, double omega, double beta, double jump,
                 law_results *results)
{
    enum { POINTS = 200 };
    double x[POINTS], fitted[POINTS], theory[POINTS], ms = 1e-3, end = w->progress.end;
    for (int i = 0; i < POINTS; i++) {
        double t = end * i / (POINTS - 1);
        x[i] = t / ms, theory[i] = amplitude * exp(-beta * t) * cos(omega * t);
        fitted[i] = t < fit->from ? NAN : decay_value(fit, t);
    }
    law_plot_begin(results, "Mode n = 2 of a drop in another liquid", "time, ms", "amplitude over R");
    series_plot(&w->amplitude, results, LAW_CURVE_MEASURED, "measured", ms, 1);
    law_plot_curve(results, LAW_CURVE_THEORY, "least squares", POINTS, x, fitted);
    law_plot_curve(results, LAW_CURVE_THEORY, "theory", POINTS, x, theory);
    law_plot_begin(results, "Pressure inside over outside", "time, ms", "over 2 gamma/R");
    series_plot(&w->jump, results, LAW_CURVE_MEASURED, "measured", ms, jump);
    law_plot_curve(results, LAW_CURVE_THEORY, "2 gamma/R", 2, (double[]){0, end / ms}, (double[]){1, 1});
}

static dew_result run(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                      law_results *results)
{
    double start = law_cpu_seconds(), periods = OPTION("periods"), box = OPTION("box") / 2;
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    double radius = law_liquid(&law_two_liquid_drop, settings, resolution, &space.material);
    dew_material_def pair[2] = {space.material, space.material};
    pair[0].name = "drop", pair[1].name = "around";
    pair[1].density *= OPTION("density_ratio"), pair[1].viscosity *= OPTION("viscosity_ratio");
    double gamma = pair[0].surface_tension, oh = pair[0].viscosity / sqrt(pair[0].density * gamma * radius);
    dew_interface_def interface = {{0, 1}, gamma};
    def.materials = pair, def.material_count = 2, def.interfaces = &interface, def.interface_count = 1;
    def.spacing = spacing_of_count(4 * M_PI / 3 * pow(radius, 3), (int)OPTION("particles"));
    bool is_eighth = method->features & DEW_FEATURE_SYMMETRY;
    double half = box * radius, low = is_eighth ? 0 : -half;
    def.domain.min = (dew_vec3){low, low, low}, def.domain.max = (dew_vec3){half, half, half};
    for (int a = 0; a < 3; a++) def.domain.axis[a] = is_eighth ? DEW_SYMMETRY : DEW_WALL;
    space.liquids[0].shape = law_stretched_drop(3, radius, OPTION("amplitude"));
    space.liquids[1].shape = dew_box(def.domain.min, def.domain.max), space.liquids[1].material = 1;
    def.liquid_count = 2;
    double omega, beta, end_radius = 2 * box * cbrt(3 / (4 * M_PI));
    theory_two_liquid_drop(pair[1].density / pair[0].density, pair[1].viscosity / pair[0].viscosity, oh, end_radius,
                           &omega, &beta);
    double unit = sqrt(gamma / (pair[0].density * pow(radius, 3)));
    int frames = (int)ceil(4 * periods);
    def.duration = periods * 2 * M_PI / (omega * unit), def.frame_rate = frames / def.duration;
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    watch w = {.progress = {settings, def.duration, 0, 1, 0, "a drop in another liquid"}, .is_eighth = is_eighth};
    status = law_advance(simulation, frames, after_step, &w);
    if (!status) {
        const law *l = &law_two_liquid_drop;
        double seconds = law_cpu_seconds() - start, period = def.duration / periods;
        double true_unit = sqrt(gamma / (pair[0].density * pow(w.last.radius, 3))), jump = 2 * gamma / w.last.radius;
        decay_fit fit = fit_decay(&w.amplitude, 0.25 * period, def.duration, omega * true_unit);
        int particles = dew_simulation_particle_count(simulation);
        law_show(settings, simulation, "after %g periods", periods);
        law_add(results, l, resolution, "frequency", "", particles, fit.omega, omega * true_unit, seconds);
        law_add(results, l, resolution, "damping ratio", "", particles, fit.beta / hypot(fit.omega, fit.beta),
                beta / hypot(omega, beta), seconds);
        law_add(results, l, resolution, "pressure jump", "", particles,
                series_mean(&w.jump, def.duration - period, INFINITY), jump, seconds);
        plot(&w, &fit, OPTION("amplitude"), omega * true_unit, beta * true_unit, jump, results);
    }
    series_free(&w.amplitude);
    series_free(&w.jump);
    dew_simulation_destroy(simulation);
    return status;
}

const law law_two_liquid_drop = {
    .name = "two_liquid_drop",
    .group = LAW_WAVES,
    .title = "A drop in another liquid: pressure, frequency and damping (Miller, Scriven 1968)",
    .physics =
        "A drop that is surrounded by another liquid has to push that about as it swings: it swings more slowly than a "
        "free "
        "one, and where the two rub against each other at its surface its motion dies far sooner. The tension that "
        "acts is "
        "the one between the two. Where it has come to rest the pressure inside exceeds that outside as in any drop.",
    .equation = "omega^2 = 24 gamma/((3 rho + 2 rho_out) R^3) without viscosity; p = 2 gamma/R",
    .features = DEW_FEATURE_3D | DEW_FEATURE_SEVERAL_LIQUIDS | DEW_FEATURE_INTERFACES,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
