/* Two liquids at rest, the lighter on the heavier.
 *
 * Physics. Each layer bears the weight of what is above it, of either liquid (Stevin 1586, Pascal 1663): with z from
 * the floor, h the heavy liquid's height and H both,
 *
 *     p = rho_light g (H - z) above,   p = rho_light g (H - h) + rho_heavy g (h - z) below,
 *
 * and the plane between them stays where it is, flat, whatever the tension: nothing mixes what is at rest.
 *
 * Set-up. Two layers of as many spacings, eight spacings wide and periodic or between walls that let slip; 1000 on 1200
 * kg/m3, with a tension between the two where the method has one. It runs 12 times as long as a wave takes for the
 * depth. In two dimensions too where the method has them.
 *
 * Measurement. Over the last fifth: the height of the middle of either liquid's mass against that of its own layer,
 * over the depth; the share of particles more than a spacing beyond the plane; the pressure by layers a spacing thick,
 * its root mean square deviation from theory over that at the floor. */
#include "../law.h"
#include "../measure.h"
#include "../theory.h"

#include <math.h>
#include <stdio.h>

static const law_target targets[] = {
    {"heavy layer",
     "1",
     LAW_ABSOLUTE,
     {0.01, 0.01, 0.01},
     "height of its middle less that of its volume, over the depth"},
    {"light layer", "1", LAW_ABSOLUTE, {0.01, 0.01, 0.01}, "the same above it"},
    {"mixed", "1", LAW_ABSOLUTE, {0.01, 0.01, 0.01}, "share of particles a spacing or more in the other layer"},
    {"pressure",
     "1",
     LAW_ABSOLUTE,
     {0.03, 0.03, 0.03},
     "rms deviation of the layers from theory over that at the floor"},
};

static const law_option options[] = {
    {"layer", "m", {1e-3, 1e-3, 1e-3}, "a spacing", LAW_SPACING},
    {"layers", "1", {12, 16, 24}, "spacings of either liquid", LAW_SPACINGS},
    {LAW_DENSITY},
    {"density_ratio", "1", {1.2, 1.2, 1.2}, "of the heavy liquid to the light one"},
    {LAW_VISCOSITY(0.01)},
    {"viscosity_ratio", "1", {1, 1, 1}, "likewise"},
    {LAW_SURFACE_TENSION},
    {"between", "N/m", {0.03, 0.03, 0.03}, "tension between the two, where the method can"},
    {"gravity", "m/s2", {9.81, 9.81, 9.81}, "downwards"},
    {"duration", "1", {12, 12, 12}, "times sqrt(depth/g) to run"},
};

enum { WIDTH = 8 };

extern const law law_two_layer;
#define OPTION(name) law_option_value(&law_two_layer, settings, resolution, name)

two_layers measure_two_layers(const dew_frame *frame, double area, const double density[2], double gravity)
{
    enum { MOST = 256 };
    two_layers t = {{NAN, NAN}, NAN, NAN, NAN};
    dew_field x, p, material;
    int up = frame->dimension == 2 ? 1 : 2, count[2] = {0};
    if (!dew_frame_field(frame, "position", &x) || !dew_frame_field(frame, "material", &material) || x.count == 0)
        return t;
    bool has_pressure = dew_frame_field(frame, "pressure", &p) && p.type == DEW_FIELD_REAL;
    double s = frame->spacing, sum[2] = {0}, weight[MOST] = {0}, pressure[MOST] = {0}, place[MOST] = {0};
    const uint8_t *is_light = material.data;
    for (int i = 0; i < x.count; i++) count[is_light[i] != 0]++;
    double unit = pow(s, frame->dimension) / area, h = count[0] * unit, all = h + count[1] * unit, mixed = 0;
    for (int i = 0; i < x.count; i++) {
        double z = ((const dew_real *)x.data)[(size_t)i * x.stride + up];
        int layer = (int)floor(z / s);
        sum[is_light[i] != 0] += z;
        mixed += is_light[i] ? z < h - s : z > h + s;
        if (!has_pressure || layer < 0 || layer >= MOST) continue;
        weight[layer]++, place[layer] += z, pressure[layer] += ((const dew_real *)p.data)[(size_t)i * p.stride];
    }
    t.depth = all;
    t.middle[0] = (sum[0] / count[0] - h / 2) / all, t.middle[1] = (sum[1] / count[1] - (h + all) / 2) / all;
    t.mixed = mixed / x.count;
    double square = 0, most = gravity * (density[0] * h + density[1] * (all - h));
    int layers = 0;
    for (int k = 0; k < MOST; k++) {
        if (weight[k] == 0) continue;
        double z = place[k] / weight[k];
        double theory = gravity * (density[1] * fmin(all - z, all - h) + density[0] * fmax(h - z, 0));
        square += pow((pressure[k] / weight[k] - fmax(theory, 0)) / most, 2), layers++;
    }
    if (layers > 0) t.pressure = sqrt(square / layers);
    return t;
}

typedef struct watch {
    law_progress progress;
    double area, density[2], gravity, unit;
    series middle[2], mixed, pressure;
} watch;

static bool after_step(void *context, const dew_simulation *simulation)
{
    watch *w = context;
    double time = dew_simulation_time(simulation) / w->unit;
    law_report_progress(&w->progress, simulation);
    two_layers t = measure_two_layers(dew_simulation_frame(simulation), w->area, w->density, w->gravity);
    return series_add(&w->middle[0], time, t.middle[0]) && series_add(&w->middle[1], time, t.middle[1]) &&
           series_add(&w->mixed, time, t.mixed) && series_add(&w->pressure, time, t.pressure);
}

static void add_figures(watch *w, const char *label, double end, int particles, double seconds,
                        law_resolution resolution, law_results *results)
{
    const law *l = &law_two_layer;
    double from = 0.8 * end;
    series *const all[] = {&w->middle[0], &w->middle[1], &w->mixed, &w->pressure};
    law_plot_begin(results, label, "time, sqrt(depth/g)", "over the depth");
    for (int k = 0; k < 4; k++) {
        law_add(results, l, resolution, targets[k].quantity, label, particles, series_mean(all[k], from, INFINITY), 0,
                seconds);
        series_plot(all[k], results, LAW_CURVE_MEASURED, targets[k].quantity, 1, 1);
    }
    law_plot_curve(results, LAW_CURVE_THEORY, "at rest", 2, (double[]){0, end}, (double[]){0, 0});
}

static dew_result measure(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                          int dimension, double part, double share, law_results *results)
{
    double start = law_cpu_seconds(), gravity = OPTION("gravity"), s = OPTION("layer"), end = OPTION("duration");
    double each = OPTION("layers") * s, width = WIDTH * s;
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    space.material.density = OPTION("density"), space.material.viscosity = OPTION("viscosity");
    space.material.surface_tension = OPTION("surface_tension");
    dew_material_def pair[2] = {space.material, space.material};
    pair[0].name = "heavy", pair[1].name = "light";
    pair[0].density *= OPTION("density_ratio"), pair[0].viscosity *= OPTION("viscosity_ratio");
    dew_interface_def between = {{0, 1}, OPTION("between")};
    def.materials = pair, def.material_count = 2;
    def.interfaces = &between, def.interface_count = method->features & DEW_FEATURE_INTERFACES ? 1 : 0;
    def.spacing = s;
    law_tank(&def, &space, dimension, law_place(dimension, width, width, 3 * each), law_repeats(method),
             law_repeats(method));
    def.gravity = law_place(dimension, 0, 0, -gravity);
    double thick = dimension == 2 ? s : 0;
    for (int k = 0; k < 2; k++) {
        dew_vec3 low = law_place(dimension, 0, 0, k * each), high = law_place(dimension, width, width, (k + 1) * each);
        low.z -= thick, high.z += thick;
        space.liquids[k].shape = dew_box(low, high), space.liquids[k].material = k;
    }
    def.liquid_count = 2;
    double unit = sqrt(2 * each / gravity);
    int frames = (int)ceil(2 * end);
    def.duration = end * unit, def.frame_rate = frames / def.duration;
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    char label[16];
    snprintf(label, sizeof label, "%dD", dimension);
    watch w = {.progress = {settings, def.duration, part, share, 0, label},
               .area = dimension == 2 ? width : width * width,
               .density = {pair[0].density, pair[1].density},
               .gravity = gravity,
               .unit = unit};
    status = law_advance(simulation, frames, after_step, &w);
    if (!status) {
        law_show(settings, simulation, "two layers, %s", label);
        add_figures(&w, label, end, dew_simulation_particle_count(simulation), law_cpu_seconds() - start, resolution,
                    results);
    }
    series_free(&w.middle[0]), series_free(&w.middle[1]), series_free(&w.mixed), series_free(&w.pressure);
    dew_simulation_destroy(simulation);
    return status;
}

const law law_two_layer = {
    .name = "two_layer",
    .group = LAW_STATICS,
    .title = "Two liquids at rest, the lighter on the heavier",
    .physics = "Light liquid lies on heavy liquid as on a floor that yields to nothing: the plane between them stays "
               "flat and where "
               "it is, and pressure grows with depth by the one density above it and the other below. A method whose "
               "sums see one "
               "density where there are two pushes particles across that plane, or stirs there for ever.",
    .equation = "dp/dz = -rho g, rho that of the liquid there",
    .features = DEW_FEATURE_SEVERAL_LIQUIDS,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .measure = measure,
};
