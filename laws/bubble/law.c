/* A bubble of gas in a tank.
 *
 * Physics. At rest the gas in a bubble of diameter D is under 4 gamma/D more than the liquid around it (Laplace 1806).
 * Let go under gravity it takes with it half of the liquid that it displaces, and is held back by drag:
 *
 *     (rho_g + C_m rho) dv/dt = (rho - rho_g) g - C_D(Re) (3/4) rho v^2/D,  C_m = 1/2,
 *
 * C_D of spherical bubbles and drops, k the ratio of viscosities (Rivkind, Ryskin 1976), for We < 1:
 *
 *     C_D = (k (24/Re + 4 Re^(-1/3)) + 14.9 Re^(-0.78))/(1 + k).
 *
 * Set-up. A tank four diameters wide and eight high, walls that let slip, a free surface; the gas a tenth as dense as
 * the liquid and as viscous, so that Re is about 20 and We 0.3 in the end. The tank is so wide that its walls add a few
 * per cent to C_m, which is left out.
 *
 * Measurement. Rise: height that the mean of the gas has gained, against the integral of the equation, when theory has
 * it two diameters above its start. Pressure: mean of the gas less mean of the liquid, without gravity, the last half
 * of three capillary times. */
#include "../law.h"
#include "../measure.h"
#include "../theory.h"

#include <math.h>

static const law_target targets[] = {
    {"rise", "m", LAW_RELATIVE, {0.15, 0.15, 0.15}, "by when theory has it two diameters above its start"},
    {"pressure", "Pa", LAW_RELATIVE, {0.05, 0.05, 0.05}, "in the bubble over that around it, at rest"},
};

static const law_option options[] = {
    {"across", "1", {5, 8, 10}, "spacings in the bubble's diameter", LAW_SPACINGS},
    {"radius", "m", {1e-3, 1e-3, 1e-3}, "of the bubble"},
    {LAW_DENSITY},
    {LAW_SURFACE_TENSION},
    {LAW_VISCOSITY(0.0107)},
    {"gas_density", "1", {0.1, 0.1, 0.1}, "over that of the liquid"},
    {"gravity", "m/s2", {9.81, 9.81, 9.81}, "downwards"},
};

enum { FRAMES = 20 };

extern const law law_bubble;

double theory_bubble_drag(double reynolds, double ratio)
{
    return (ratio * (24 / reynolds + 4 / cbrt(reynolds)) + 14.9 * pow(reynolds, -0.78)) / (1 + ratio);
}

double theory_bubble_rise(double diameter, double viscosity, double gas_density, double gravity, double time)
{
    enum { STEPS = 4000 };
    double v = 0, height = 0, dt = time / STEPS;
    for (int i = 0; i < STEPS; i++) {
        double reynolds = fmax(v * diameter / viscosity, 1e-6);
        double drag = 0.75 * theory_bubble_drag(reynolds, 1) * v * v / diameter;
        double next = v + dt * ((1 - gas_density) * gravity - drag) / (gas_density + 0.5);
        height += 0.5 * dt * (v + next);
        v = next;
    }
    return height;
}

/* Mean of a field of one component, or of the height, over the particles of one material. */
double measure_mean_of(const dew_frame *frame, const char *name, int component, int material)
{
    dew_field value, which;
    if (!dew_frame_field(frame, name, &value) || !dew_frame_field(frame, "material", &which)) return NAN;
    double sum = 0;
    int count = 0;
    for (int i = 0; i < value.count; i++) {
        if (((const uint8_t *)which.data)[(size_t)i * which.stride] != material) continue;
        sum += (double)((const dew_real *)value.data)[(size_t)i * value.stride + component];
        count++;
    }
    return count > 0 ? sum / count : NAN;
}

static dew_result measure(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                          bool is_rising, law_results *results)
{
#define OPTION(name) law_option_value(&law_bubble, settings, resolution, name)
    double start = law_cpu_seconds(), gravity = OPTION("gravity"), lightness = OPTION("gas_density");
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    double radius = law_liquid(&law_bubble, settings, resolution, &space.material), d = 2 * radius;
    dew_material_def materials[2] = {space.material, space.material};
    materials[1].name = "gas", materials[1].density *= lightness, materials[1].surface_tension = 0;
    def.materials = materials, def.material_count = 2;
    def.spacing = d / OPTION("across");
    double high = is_rising ? 8 * d : 4 * d, from = is_rising ? 1.5 * d : 2 * d;
    law_tank(&def, &space, 3, (dew_vec3){4 * d, 4 * d, 1.5 * high}, DEW_WALL, DEW_WALL);
    const dew_shape_def parts[2] = {dew_box((dew_vec3){0}, (dew_vec3){4 * d, 4 * d, high}),
                                    dew_sphere((dew_vec3){2 * d, 2 * d, from}, radius)};
    space.liquids[0].shape = dew_default_shape_def();
    space.liquids[0].shape.kind = DEW_SHAPE_DIFFERENCE;
    space.liquids[0].shape.combination.children = parts;
    space.liquids[0].shape.combination.count = 2;
    space.liquids[1].shape = parts[1];
    space.liquids[1].material = 1;
    def.liquid_count = 2;
    double viscosity = space.material.viscosity / space.material.density,
           end = 3 * law_capillary_time(materials, radius);
    if (is_rising) {
        def.gravity = (dew_vec3){0, 0, -gravity};
        for (end = 1e-3; theory_bubble_rise(d, viscosity, lightness, gravity, end) < 2 * d;) end *= 1.02;
    }
    def.duration = end;
    def.frame_rate = FRAMES / end;
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    double x[FRAMES], y[FRAMES], theory[FRAMES], pressure = 0;
    const dew_frame *frame = dew_simulation_frame(simulation);
    double at_start = measure_mean_of(frame, "position", 2, 1);
    for (int k = 0; k < FRAMES && !status; k++) {
        law_report(settings, 0.5 * is_rising + 0.5 * k / FRAMES, is_rising ? "rises" : "at rest");
        status = law_advance(simulation, 1, NULL, NULL);
        frame = dew_simulation_frame(simulation);
        x[k] = 1e3 * dew_simulation_time(simulation);
        y[k] = (measure_mean_of(frame, "position", 2, 1) - at_start) / d;
        theory[k] = theory_bubble_rise(d, viscosity, lightness, gravity, 1e-3 * x[k]) / d;
        if (2 * k >= FRAMES)
            pressure +=
                (measure_mean_of(frame, "pressure", 0, 1) - measure_mean_of(frame, "pressure", 0, 0)) * 2 / FRAMES;
    }
    int particles = dew_simulation_particle_count(simulation);
    double seconds = law_cpu_seconds() - start;
    if (!status && is_rising) {
        law_show(settings, simulation, "after %.3g ms", 1e3 * end);
        law_add(results, &law_bubble, resolution, "rise", "", particles, y[FRAMES - 1] * d, theory[FRAMES - 1] * d,
                seconds);
        law_plot_begin(results, "Rise of the gas", "time, ms", "height over the diameter");
        law_plot_curve(results, LAW_CURVE_POINTS, "measured", FRAMES, x, y);
        law_plot_curve(results, LAW_CURVE_THEORY, "added mass, Rivkind and Ryskin", FRAMES, x, theory);
    } else if (!status) {
        law_add(results, &law_bubble, resolution, "pressure", "", particles, pressure,
                2 * materials[0].surface_tension / radius, seconds);
    }
    dew_simulation_destroy(simulation);
    return status;
#undef OPTION
}

static dew_result run(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                      law_results *results)
{
    dew_result status = measure(method, resolution, settings, false, results);
    return status ? status : measure(method, resolution, settings, true, results);
}

const law law_bubble = {
    .name = "bubble",
    .title = "A bubble of gas: its pressure (Laplace 1806), and how it rises (Rivkind, Ryskin 1976)",
    .physics = "Gas in a bubble is under the pressure of its surface. Let go, it is so light that what it must set in "
               "motion is the liquid around it, half of its own volume of it; then drag holds it back.",
    .equation = "(rho_g + C_m rho) dv/dt = (rho - rho_g) g - C_D (3/4) rho v^2/D",
    .group = LAW_JETS,
    .features = DEW_FEATURE_3D,
    .either = DEW_FEATURE_GAS | DEW_FEATURE_INTERFACES,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
