/* A plate in a uniform stream, along it.
 *
 * Physics. The plate holds the liquid; what it slows stays in a layer that grows from its leading edge (Blasius 1908):
 *
 *     u = U f'(y sqrt(U/(nu x))), 2 f''' + f f'' = 0;  drag a side and width 0.664 rho U^2 L/sqrt(Re),  Re = U L/nu.
 *
 * The flow over the trailing edge adds 1.334 rho U^2 L/Re^(7/8) to that (Messiter 1970; right within some % down to Re
 * = 10). A lid at a height speeds the stream up to u_e = U/(1 - d/height) over what the layer displaces, d; by how much
 * that raises the drag Thwaites' method says (1949), with theta the momentum thickness:
 *
 *     theta^2 = 0.45 nu/u_e^6 times the integral of u_e^5 dx,  shear = mu u_e S(lambda)/theta,
 *     lambda = theta^2/nu du_e/dx,  d = 2.59 theta, as on a plate (lambda is below 0.02 here):
 *
 * by 11 % at Re = 400 under a lid 1.5 L high, which is within 1 % of what the layer's own equations give there
 * (channel.py).
 *
 * Set-up. The stream is at rest and the plate moves: a stretch of a tank's floor that moves along as a whole, of which
 * the plate alone holds the liquid. So no wake comes back: the plate starts half its length from one end and stops a
 * length from the other, after a way of 3 L. From a start at once the layer is steady where the plate has gone 2.65
 * times as far as it is to the leading edge (Stewartson 1951); 2 % of the drag that is measured are left of the start.
 * The lid, 1.5 L high, and the ends let slip. Resolved at Re = 400, where the layer is 8 spacings thick at the end,
 * with 32 in L; at Re = 40000 it is 0.8 of a spacing.
 *
 * Measurement. Over the last L: the plate's impulse over time, as drag; where the layer is resolved also its momentum
 * thickness from the velocities, integral of (1 - u/u_e) u/u_e dy times u_e^2/U^2, at three fourths of the plate. u_e
 * is the largest of the layers' means, and the integral ends there: above, the stream slows down with the height, as
 * what flows around the layer is fastest next to it (1.07 U; 1.03 U under the lid). */
#include "../law.h"
#include "../theory.h"

#include <math.h>

static const law_target targets[] = {
    {"drag", "N", LAW_RELATIVE, {0.1, 0.1, 0.1}, "on the plate, its layer resolved"},
    {"momentum thickness", "m", LAW_RELATIVE, {0.1, 0.1, 0.1}, "of that layer at three fourths of the plate"},
    {"drag, thin layer", "N", LAW_RELATIVE, {0.5, 0.5, 0.5}, "on the plate, its layer thinner than a spacing"},
};

static const law_option options[] = {
    {"along", "1", {32, 48, 64}, "spacings along the plate", LAW_SPACINGS},
    {"radius", "m", {0.04, 0.04, 0.04}, "L, of the plate"},
    {LAW_DENSITY},
    {"speed", "m/s", {1, 1, 1}, "U, of the plate"},
    {"reynolds", "1", {400, 400, 400}, "U L/nu where the layer is resolved"},
    {"reynolds_thin", "1", {40000, 40000, 40000}, "U L/nu where it is thinner than a spacing"},
};

extern const law law_flat_plate;

/* Lengths over L: behind and ahead of the plate at its start, height of the lid, way, place of the profile. */
static const double behind = 0.5, ahead = 4, lid = 1.5, way = 3, station = 0.75;
/* Spacings across, and where that is a period, which may not be shorter; solid. */
enum { FRAMES = 30, WIDTH = 5, PERIOD = 8, PLATE = 1 };

/* --- theory --- */

/* By Thwaites: drag over rho U^2 L, and momentum thickness times (u_e/U)^2 over L at a place. */
static plate_theory thwaites(double reynolds, double height, double place)
{
    enum { STEPS = 2000 };
    double before = 0, integral = 0, speed = 1, drag = 0, shear = 0;
    plate_theory found = {0};
    for (int i = 1; i <= STEPS; i++) {
        double x = pow((double)i / STEPS, 2), dx = x - before, old = speed, old_shear = shear, theta = 0;
        for (int k = 0; k < 4; k++) { /* u_e and d by turns */
            theta = sqrt(0.45 * (integral + 0.5 * dx * (pow(old, 5) + pow(speed, 5))) / reynolds) / pow(speed, 3);
            speed = 1 / (1 - 2.59 * theta / height);
        }
        double lambda = theta * theta * reynolds * (speed - old) / dx;
        integral += 0.5 * dx * (pow(old, 5) + pow(speed, 5));
        shear = speed * (0.22 + 1.57 * lambda - 1.8 * lambda * lambda) / (theta * reynolds);
        drag += i == 1 ? 2 * dx * shear : 0.5 * dx * (shear + old_shear); /* shear ~ x^(-1/2) at the edge */
        if (before < place) found.momentum = theta * speed * speed;
        before = x;
    }
    found.drag = drag;
    return found;
}

plate_theory theory_plate(double reynolds, double height, double place)
{
    plate_theory with = thwaites(reynolds, height, place), without = thwaites(reynolds, INFINITY, place);
    double blasius = 0.664115 / sqrt(reynolds);
    return (plate_theory){(blasius + 1.334 * pow(reynolds, -7.0 / 8)) * with.drag / without.drag,
                          blasius * sqrt(place) * with.momentum / without.momentum};
}

/* --- measurement --- */

double measure_momentum_thickness(const dew_frame *frame, double at, double height, double speed)
{
    enum { LAYERS = 400 };
    int count[LAYERS] = {0}, layers = (int)fmin(LAYERS, ceil(height / frame->spacing));
    double sum[LAYERS] = {0}, outer = 0, thickness = 0, thick = height / layers;
    int edge = 0;
    dew_field x, v;
    if (!dew_frame_field(frame, "position", &x) || !dew_frame_field(frame, "velocity", &v)) return NAN;
    for (int i = 0; i < x.count; i++) {
        const dew_real *p = (const dew_real *)x.data + (size_t)i * x.stride;
        int layer = (int)floor((double)p[frame->dimension - 1] / thick);
        if (fabs((double)p[0] - at) > 2 * frame->spacing || layer < 0 || layer >= layers) continue;
        count[layer]++, sum[layer] += speed - (double)((const dew_real *)v.data)[(size_t)i * v.stride];
    }
    for (int k = 0; k < layers; k++)
        if (count[k] && sum[k] / count[k] > outer) outer = sum[k] / count[k], edge = k;
    for (int k = 0; k < edge; k++) {
        double u = count[k] ? sum[k] / count[k] / outer : 1;
        thickness += thick * u * (1 - u);
    }
    return thickness * pow(outer / speed, 2);
}

/* --- the set-up --- */

/* The floor in three parts; behind the plate, the plate, ahead of it. */
static void define_floor(dew_simulation_def *def, law_space *space, int dimension, double length,
                         const dew_keyframe keys[2])
{
    static const char *const names[3] = {"behind", "plate", "ahead"};
    double far = 10 * length, ends[4] = {-far, behind * length, (behind + 1) * length, far};
    for (int k = 0; k < 3; k++) {
        dew_solid_def *solid = &space->solids[k];
        solid->name = names[k];
        solid->shape = dew_box(law_place(dimension, ends[k], -far, -length), law_place(dimension, ends[k + 1], far, 0));
        if (dimension == 2) solid->shape.box.min.z = -far, solid->shape.box.max.z = far;
        solid->motion.keyframes = keys, solid->motion.keyframe_count = 2;
    }
    space->solids[PLATE].slip_length = 0;
    space->solids[3].name = "lid";
    space->solids[3].shape = dew_plane(law_place(dimension, 0, 0, lid * length), law_place(dimension, 0, 0, -1));
    def->solid_count = 4;
}

typedef struct plate_case {
    int dimension;
    bool is_thin;
} plate_case;

static dew_result measure_case(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                               plate_case c, double part, double share, law_results *results)
{
#define OPTION(name) law_option_value(&law_flat_plate, settings, resolution, name)
    double start = law_cpu_seconds(), length = OPTION("radius"), speed = OPTION("speed");
    double reynolds = OPTION(c.is_thin ? "reynolds_thin" : "reynolds"), before = NAN, thickness = 0;
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    def.dimension = c.dimension;
    def.spacing = length / OPTION("along");
    space.material.density = OPTION("density");
    space.material.viscosity = space.material.density * speed * length / reynolds;
    space.material.surface_tension = 0; /* there is no surface */
    double tank = (behind + 1 + ahead) * length, width = WIDTH * def.spacing;
    if (c.dimension == 3 && law_repeats(method) == DEW_PERIODIC) width = PERIOD * def.spacing;
    def.domain.min = law_place(c.dimension, 0, 0, 0);
    def.domain.max = law_place(c.dimension, tank, width, lid * length);
    def.domain.axis[0] = DEW_WALL;
    if (c.dimension == 3) def.domain.axis[1] = law_repeats(method);
    const dew_keyframe keys[2] = {{.time = 0}, {.time = 1, .translation = {speed, 0, 0}}};
    define_floor(&def, &space, c.dimension, length, keys);
    space.liquids[0].shape = dew_box(def.domain.min, def.domain.max);
    if (c.dimension == 2) space.liquids[0].shape.box.min.z = -tank, space.liquids[0].shape.box.max.z = tank;
    def.duration = way * length / speed;
    def.frame_rate = FRAMES / def.duration;
    const char *label = c.dimension == 2 ? "2D" : "3D";
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    dew_solid_impulse impulse = {0};
    for (int k = 1; k <= FRAMES && !status; k++) {
        law_report(settings, part + share * k / FRAMES, "%s, Re %g", label, reynolds);
        status = law_advance(simulation, 1, NULL, NULL);
        if (status || 3 * k < 2 * FRAMES) continue;
        status = dew_simulation_solid_impulse(simulation, PLATE, (dew_vec3){0}, &impulse);
        if (3 * k == 2 * FRAMES) before = impulse.run.linear.x;
        double edge = (behind + 1) * length + speed * dew_simulation_time(simulation);
        thickness +=
            measure_momentum_thickness(dew_simulation_frame(simulation), edge - station * length, lid * length, speed) /
            (FRAMES / 3 + 1);
    }
    if (!status) {
        plate_theory theory = theory_plate(reynolds, lid, station);
        double unit = space.material.density * speed * speed * length * (c.dimension == 2 ? 1 : width);
        double drag = -(impulse.run.linear.x - before) * 3 / def.duration, seconds = law_cpu_seconds() - start;
        int particles = dew_simulation_particle_count(simulation);
        law_show(settings, simulation, "%s, Re %g", label, reynolds);
        law_add(results, &law_flat_plate, resolution, c.is_thin ? "drag, thin layer" : "drag", label, particles, drag,
                theory.drag * unit, seconds);
        if (!c.is_thin)
            law_add(results, &law_flat_plate, resolution, "momentum thickness", label, particles, thickness,
                    theory.momentum * length, seconds);
    }
    dew_simulation_destroy(simulation);
    return status;
#undef OPTION
}

static dew_result measure(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                          int dimension, double part, double share, law_results *results)
{
    dew_result status = DEW_OK;
    for (int k = 0; k < 2 && !status; k++)
        status = measure_case(method, resolution, settings, (plate_case){dimension, k == 1}, part + 0.5 * share * k,
                              0.5 * share, results);
    return status;
}

const law law_flat_plate = {
    .name = "flat_plate",
    .title = "A plate in a uniform stream, along it (Blasius 1908)",
    .physics = "A plate along a stream slows a thin layer of it, which grows downstream as the root of the way. The "
               "drag is what that layer has lost in momentum: of water in nozzles and breaking dams the layer is "
               "thinner than a particle, and a wall that brakes by more than the liquid's own viscosity brakes the "
               "whole flow.",
    .equation = "drag = 0.664 rho U^2 L/sqrt(Re) a side and width",
    .group = LAW_WALLS,
    .features = DEW_FEATURE_3D | DEW_FEATURE_NO_SLIP,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .measure = measure,
};
