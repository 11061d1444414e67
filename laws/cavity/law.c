/* A box that is full, whose lid slides.
 *
 * Physics. The lid drags the liquid along; at its end that turns down, and comes back below: one large eddy, whose
 * centre lies in the upper third. Of all flows that walls drive it is the one that is known best: velocities by Ghia,
 * Ghia and Shin (1982), whom others have confirmed to a thousandth. A wall that brakes too much or too little,
 * viscosity that a method adds, and walls that move unlike each other show in it, none of which a flow of one component
 * tells apart.
 *
 * Set-up. Re = U L/nu = 100, all walls hold the liquid, from rest until 15 L/U; in three dimensions a slice that
 * repeats across. The lid's edges are singular: there velocity jumps from the lid's to 0, whatever the resolution.
 *
 * Measurement. Over the last third, on the upright through the middle: velocities along the lid by a straight line
 * fitted about each of Ghia's places, with a weight as wide as a spacing; and the fastest of what comes back. */
#include "../law.h"
#include "../theory.h"

#include <math.h>

static const law_target targets[] = {
    {"profile",
     "1",
     LAW_ABSOLUTE,
     {0.03, 0.03, 0.03},
     "rms of velocity less Ghia's on the upright through the middle, over the lid's"},
    {"return flow", "1", LAW_RELATIVE, {0.1, 0.1, 0.1}, "the fastest against the lid's way there, over the lid's"},
};

static const law_option options[] = {
    {"across", "1", {32, 48, 64}, "spacings across the box", LAW_SPACINGS},
    {"radius", "m", {0.02, 0.02, 0.02}, "L, of the box's sides"},
    {LAW_DENSITY},
    {"speed", "m/s", {0.1, 0.1, 0.1}, "U, of the lid"},
};

extern const law law_cavity;

enum { FRAMES = 30, WIDTH = 5, PERIOD = 8, LID = 1, PLACES = CAVITY_PLACES };
static const double reynolds = 100, times = 15; /* of L/U */

/* Ghia, Ghia and Shin, J. Comput. Phys. 48 (1982) 387, table I, Re = 100: height over L, velocity over U. */
const double theory_cavity[CAVITY_PLACES][2] = {
    {0.0547, -0.03717}, {0.0625, -0.04192}, {0.0703, -0.04775}, {0.1016, -0.06434}, {0.1719, -0.10150},
    {0.2813, -0.15662}, {0.4531, -0.21090}, {0.5000, -0.20581}, {0.6172, -0.13641}, {0.7344, 0.00332},
    {0.8516, 0.23151},  {0.9531, 0.68717},  {0.9609, 0.73722},  {0.9688, 0.78871},  {0.9766, 0.84123},
};

/* --- measurement --- */

/* Velocities over U at Ghia's places: of a + b (y - y_0) by least squares, a. */
void measure_cavity(const dew_frame *frame, double length, double speed, double found[CAVITY_PLACES])
{
    dew_field x, v;
    double sum[PLACES][5] = {{0}};
    for (int k = 0; k < PLACES; k++) found[k] = NAN;
    if (!dew_frame_field(frame, "position", &x) || !dew_frame_field(frame, "velocity", &v)) return;
    for (int i = 0; i < x.count; i++) {
        const dew_real *p = (const dew_real *)x.data + (size_t)i * x.stride;
        double off = ((double)p[0] - length / 2) / frame->spacing;
        if (fabs(off) > 3) continue;
        double u = (double)((const dew_real *)v.data)[(size_t)i * v.stride] / speed;
        for (int k = 0; k < PLACES; k++) {
            double y = ((double)p[frame->dimension - 1] - theory_cavity[k][0] * length) / frame->spacing;
            double w = exp(-y * y - off * off);
            sum[k][0] += w, sum[k][1] += w * y, sum[k][2] += w * y * y, sum[k][3] += w * u, sum[k][4] += w * y * u;
        }
    }
    for (int k = 0; k < PLACES; k++) {
        const double *s = sum[k];
        found[k] = (s[3] * s[2] - s[4] * s[1]) / (s[0] * s[2] - s[1] * s[1]);
    }
}

static void plot_profile(const double found[PLACES], const char *label, law_results *results)
{
    double place[PLACES], theory[PLACES];
    for (int k = 0; k < PLACES; k++) place[k] = theory_cavity[k][0], theory[k] = theory_cavity[k][1];
    law_plot_begin(results, label, "height / L", "velocity along the lid / U, in the middle");
    law_plot_curve(results, LAW_CURVE_POINTS, "particles", PLACES, place, found);
    law_plot_curve(results, LAW_CURVE_THEORY, "Ghia et al. 1982", PLACES, place, theory);
}

/* --- the set-up --- */

static void define_walls(dew_simulation_def *def, law_space *space, int dimension, double length,
                         const dew_keyframe keys[2])
{
    static const char *const names[4] = {"floor", "lid", "left", "right"};
    const dew_vec3 point[4] = {law_place(dimension, 0, 0, 0), law_place(dimension, 0, 0, length),
                               law_place(dimension, 0, 0, 0), law_place(dimension, length, 0, 0)};
    const dew_vec3 normal[4] = {law_place(dimension, 0, 0, 1), law_place(dimension, 0, 0, -1),
                                law_place(dimension, 1, 0, 0), law_place(dimension, -1, 0, 0)};
    for (int k = 0; k < 4; k++) {
        space->solids[k].name = names[k], space->solids[k].slip_length = 0;
        space->solids[k].shape = dew_plane(point[k], normal[k]);
    }
    space->solids[LID].motion.keyframes = keys, space->solids[LID].motion.keyframe_count = 2;
    def->solid_count = 4;
}

static dew_result measure(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                          int dimension, double part, double share, law_results *results)
{
#define OPTION(name) law_option_value(&law_cavity, settings, resolution, name)
    double start = law_cpu_seconds(), length = OPTION("radius"), speed = OPTION("speed");
    const char *label = dimension == 2 ? "2D" : "3D";
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    def.dimension = dimension, def.spacing = length / OPTION("across");
    space.material.density = OPTION("density");
    space.material.viscosity = space.material.density * speed * length / reynolds;
    space.material.surface_tension = 0; /* there is no surface */
    double width = (law_repeats(method) == DEW_PERIODIC ? PERIOD : WIDTH) * def.spacing;
    if (dimension == 3) {
        def.domain.max.y = width, def.domain.axis[1] = law_repeats(method);
    }
    def.duration = times * length / speed, def.frame_rate = FRAMES / def.duration;
    const dew_keyframe keys[2] = {{.time = 0},
                                  {.time = 2 * def.duration, .translation = {2 * def.duration * speed, 0, 0}}};
    define_walls(&def, &space, dimension, length, keys);
    space.liquids[0].shape = dew_box(law_place(dimension, 0, 0, 0), law_place(dimension, length, width, length));
    if (dimension == 2) space.liquids[0].shape.box.min.z = -length, space.liquids[0].shape.box.max.z = length;
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    double mean[PLACES] = {0}, square = 0, fastest = 0, theory = 0;
    int measured = 0;
    for (int k = 1; k <= FRAMES && !status; k++) {
        law_report(settings, part + share * k / FRAMES, "%s", label);
        status = law_advance(simulation, 1, NULL, NULL);
        if (status || 3 * k <= 2 * FRAMES) continue;
        double found[PLACES];
        measure_cavity(dew_simulation_frame(simulation), length, speed, found);
        for (int n = 0; n < PLACES; n++) mean[n] += found[n];
        measured++;
    }
    for (int n = 0; n < PLACES && !status; n++) {
        mean[n] /= measured;
        square += pow(mean[n] - theory_cavity[n][1], 2) / PLACES;
        fastest = fmin(fastest, mean[n]), theory = fmin(theory, theory_cavity[n][1]);
    }
    if (!status) {
        int particles = dew_simulation_particle_count(simulation);
        double seconds = law_cpu_seconds() - start;
        law_show(settings, simulation, "%s", label);
        law_add(results, &law_cavity, resolution, "profile", label, particles, sqrt(square), 0, seconds);
        law_add(results, &law_cavity, resolution, "return flow", label, particles, fastest, theory, seconds);
        plot_profile(mean, label, results);
    }
    dew_simulation_destroy(simulation);
    return status;
#undef OPTION
}

const law law_cavity = {
    .name = "cavity",
    .title = "A box that is full, whose lid slides (Ghia et al. 1982)",
    .physics =
        "The lid of a box slides and drags the liquid along, which turns down at its end and comes back below. A "
        "wall that brakes too much or too little shows in how fast, and so does viscosity that a method adds.",
    .equation = "u(L/2, y) of Ghia, Ghia, Shin at Re = 100; least: -0.211 U",
    .group = LAW_WALLS,
    .features = DEW_FEATURE_3D | DEW_FEATURE_NO_SLIP,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .measure = measure,
};
