#include "shear_flow.h"

#include <math.h>

enum { REPEAT = 8, FRAMES = 20, WALL = 4 }; /* spacings along and across; frames; spacings of a vessel's wall */

static double place_of(const shear_flow *flow, const dew_real *p)
{
    return flow->is_round ? hypot(p[0], p[1]) : p[flow->dimension - 1];
}

shear_found shear_measure(const dew_frame *frame, const shear_flow *flow, double time)
{
    shear_found f = {.profile = NAN};
    dew_field x, v;
    if (!dew_frame_field(frame, "position", &x) || !dew_frame_field(frame, "velocity", &v)) return f;
    double square = 0, surface = 0;
    for (int i = 0; i < x.count; i++) {
        const dew_real *p = (const dew_real *)x.data + (size_t)i * x.stride;
        const dew_real *u = (const dew_real *)v.data + (size_t)i * v.stride;
        double at = place_of(flow, p), arm = flow->is_round ? at : 1;
        double speed = flow->is_round ? ((double)p[0] * u[1] - (double)p[1] * u[0]) / fmax(at, 1e-30) : u[0];
        double theory = flow->speed(flow, at, time);
        square += (speed - theory) * (speed - theory);
        f.flux += arm * speed / x.count, f.flux_theory += arm * theory / x.count;
        if (at < flow->size - 1.5 * frame->spacing) continue;
        surface++;
        f.surface += speed, f.surface_theory += theory;
    }
    f.profile = sqrt(square / x.count) / flow->scale;
    f.surface /= surface, f.surface_theory /= surface;
    return f;
}

/* --- set-ups --- */

void shear_liquid(const law *l, const law_settings *settings, law_resolution resolution, law_space *space,
                  shear_flow *flow)
{
    flow->size = law_liquid(l, settings, resolution, &space->material);
    flow->density = space->material.density;
    flow->viscosity = space->material.viscosity / flow->density;
    flow->scale = law_option_value(l, settings, resolution, "reynolds") * flow->viscosity / flow->size;
}

static void start_speed(void *context, int count, const double *const *inputs, double *output)
{
    const shear_flow *flow = context;
    for (int i = 0; i < count; i++)
        output[i] = flow->start_part * flow->speed(flow, inputs[flow->dimension - 1][i], INFINITY);
}

void shear_layer(dew_simulation_def *def, law_space *space, shear_flow *flow, int spacings, bool has_lid, double part)
{
    flow->start_part = part;
    int dimension = flow->dimension;
    def->spacing = flow->size / spacings;
    double repeat = REPEAT * def->spacing;
    law_tank(def, space, dimension, law_place(dimension, repeat, repeat, 2 * flow->size), DEW_PERIODIC, DEW_PERIODIC);
    space->solids[1].name = "lid";
    space->solids[1].shape = dew_plane(law_place(dimension, 0, 0, flow->size), law_place(dimension, 0, 0, -1));
    space->solids[0].slip_length = space->solids[1].slip_length = 0;
    if (has_lid) def->solid_count = 2;
    space->liquids[0].shape = dew_box(law_place(dimension, 0, 0, 0), law_place(dimension, repeat, repeat, flow->size));
    if (dimension == 2) space->liquids[0].shape.box.min.z = -repeat, space->liquids[0].shape.box.max.z = repeat;
    if (part > 0) space->liquids[0].velocity_of[0] = (dew_function){start_speed, flow};
    flow->area = dimension == 2 ? repeat : repeat * repeat;
}

void shear_vessel(dew_simulation_def *def, law_space *space, shear_flow *flow, int spacings,
                  const dew_method_info *method)
{
    dew_shape_def *wall = flow->shapes, *liquid = flow->shapes + 2;
    def->dimension = flow->dimension;
    def->spacing = (flow->size - flow->inner) / spacings;
    double half = 0.5 * REPEAT * def->spacing, beyond = half + WALL * def->spacing;
    if (flow->dimension == 3) {
        def->domain.min.z = -half, def->domain.max.z = half;
        def->domain.axis[2] = law_repeats(method);
    }
    wall[0] = dew_cylinder((dew_vec3){0, 0, -beyond}, (dew_vec3){0, 0, beyond}, flow->size + WALL * def->spacing);
    wall[1] = liquid[0] = dew_cylinder((dew_vec3){0, 0, -2 * beyond}, (dew_vec3){0, 0, 2 * beyond}, flow->size);
    liquid[1] = dew_cylinder((dew_vec3){0, 0, -3 * beyond}, (dew_vec3){0, 0, 3 * beyond}, flow->inner);
    space->solids[0].name = "vessel", space->solids[1].name = "rotor";
    space->solids[0].shape = space->liquids[0].shape = dew_default_shape_def();
    space->solids[0].shape.kind = space->liquids[0].shape.kind = DEW_SHAPE_DIFFERENCE;
    space->solids[0].shape.combination.children = wall;
    space->solids[0].shape.combination.count = 2;
    space->liquids[0].shape.combination.children = liquid;
    space->liquids[0].shape.combination.count = 2;
    if (flow->dimension == 3) liquid[0] = dew_cylinder((dew_vec3){0, 0, -half}, (dew_vec3){0, 0, half}, flow->size);
    space->solids[1].shape = dew_cylinder((dew_vec3){0, 0, -2 * beyond}, (dew_vec3){0, 0, 2 * beyond}, flow->inner);
    space->solids[0].slip_length = space->solids[1].slip_length = 0;
    if (!(flow->inner > 0)) space->liquids[0].shape = liquid[0];
    def->solid_count = flow->inner > 0 ? 2 : 1;
    flow->area = flow->dimension == 2 ? 1 : 2 * half;
}

/* --- running --- */

/* p of error ~ spacing^p; second order is what laws ask for, and what lies below the noise of a filling has it. */
static double order_of(double coarser, double error)
{
    const double noise = 0.003, second = 2;
    return error < noise ? second : fmin(second, log(coarser / error) / log(2));
}

static double pull_of(const dew_simulation *simulation, const shear_flow *flow)
{
    dew_solid_impulse impulse;
    if (dew_simulation_solid_impulse(simulation, flow->wall, (dew_vec3){0}, &impulse)) return NAN;
    return flow->is_round ? impulse.run.angular.z : impulse.run.linear.x;
}

static void plot_profile(const dew_simulation *simulation, const shear_flow *flow, const char *label, double time,
                         law_results *results)
{
    enum { CURVE = 60, MOST = 1000 };
    double place[CURVE], theory[CURVE], seen_place[MOST], seen[MOST];
    dew_field x, v;
    if (!dew_simulation_field(simulation, "position", &x) || !dew_simulation_field(simulation, "velocity", &v)) return;
    int step = 1 + x.count / MOST, count = 0;
    for (int i = 0; i < x.count; i += step, count++) {
        const dew_real *p = (const dew_real *)x.data + (size_t)i * x.stride;
        const dew_real *u = (const dew_real *)v.data + (size_t)i * v.stride;
        double at = place_of(flow, p);
        seen_place[count] = at / flow->size;
        seen[count] =
            (flow->is_round ? ((double)p[0] * u[1] - (double)p[1] * u[0]) / fmax(at, 1e-30) : u[0]) / flow->scale;
    }
    for (int i = 0; i < CURVE; i++) {
        double at = flow->inner + (flow->size - flow->inner) * (i + 0.5) / CURVE;
        place[i] = at / flow->size, theory[i] = flow->speed(flow, at, time) / flow->scale;
    }
    law_plot_begin(results, label, flow->is_round ? "distance from the axis / R" : "height / H",
                   "velocity over the largest");
    law_plot_curve(results, LAW_CURVE_POINTS, "particles", count, seen_place, seen);
    law_plot_curve(results, LAW_CURVE_THEORY, "theory", CURVE, place, theory);
}

dew_result shear_run(const law *l, const law_settings *settings, law_resolution resolution,
                     const dew_simulation_def *def, const shear_flow *flow, const char *label, double part,
                     double share, law_results *results)
{
    double start = law_cpu_seconds(), step = def->duration / FRAMES, before = NAN, pulled = 0;
    shear_found sum = {0};
    int measured = 0;
    dew_simulation_def own = *def;
    own.frame_rate = FRAMES / def->duration;
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&own, &simulation);
    if (status) return status;
    for (int k = 1; k <= FRAMES && !status; k++) {
        law_report(settings, part + share * k / FRAMES, "%s", label);
        status = law_advance(simulation, 1, NULL, NULL);
        if (status || k < flow->from * FRAMES) continue;
        double time = dew_simulation_time(simulation);
        if (isnan(before)) before = pull_of(simulation, flow);
        if (measured > 0 && flow->pull) pulled += 0.5 * step * (flow->pull(flow, time) + flow->pull(flow, time - step));
        shear_found f = shear_measure(dew_simulation_frame(simulation), flow, time);
        sum.profile += f.profile, sum.flux += f.flux, sum.flux_theory += f.flux_theory;
        sum.surface += f.surface, sum.surface_theory += f.surface_theory;
        measured++;
    }
    if (!status && flow->coarser && !isnan(*flow->coarser))
        law_add(results, l, resolution, "order", label, dew_simulation_particle_count(simulation),
                order_of(*flow->coarser, sum.profile / measured), 2, law_cpu_seconds() - start);
    else if (!status) {
        if (flow->coarser) *flow->coarser = sum.profile / measured;
        int particles = dew_simulation_particle_count(simulation);
        double seconds = law_cpu_seconds() - start;
        law_show(settings, simulation, "%s", label);
        law_add(results, l, resolution, "profile", label, particles, sum.profile / measured, 0, seconds);
        law_add(results, l, resolution, flow->flux, label, particles, sum.flux / measured, sum.flux_theory / measured,
                seconds);
        if (flow->surface)
            law_add(results, l, resolution, flow->surface, label, particles, sum.surface / measured,
                    sum.surface_theory / measured, seconds);
        if (flow->pull) {
            double time = (measured - 1) * step;
            law_add(results, l, resolution, "wall shear", label, particles, (pull_of(simulation, flow) - before) / time,
                    pulled / time, seconds);
        }
        plot_profile(simulation, flow, label, dew_simulation_time(simulation), results);
    }
    dew_simulation_destroy(simulation);
    return status;
}

dew_result shear_run_for_order(shear_case *run, const dew_method_info *method, law_resolution resolution,
                               const law_settings *settings, int dimension, int across, double part, double share,
                               law_results *results)
{
    double coarser = NAN;
    if (dimension != (method->features & DEW_FEATURE_2D ? 2 : 3))
        return run(method, resolution, settings, dimension, across, NULL, part, share, results);
    dew_result status = run(method, resolution, settings, dimension, across, &coarser, part, 0.3 * share, results);
    if (status) return status;
    return run(method, resolution, settings, dimension, 2 * across, &coarser, part + 0.3 * share, 0.7 * share, results);
}
