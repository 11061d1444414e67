/* A film on a plate that is drawn from a bath.
 *
 * Physics. A plate that is drawn up at U takes along a film. Where the film leaves the meniscus its viscosity drags it
 * up against the suction there, gamma/(the meniscus' radius of curvature), and it becomes (Landau, Levich 1942)
 *
 *     h = 0.944 Ca^(2/3) a_c,  Ca = mu U/gamma, a_c = sqrt(gamma/(rho g)),
 *
 * as Ca goes to 0. Of thicknesses that particles resolve weight takes a part already in the film (11 % at Ca = 0.05),
 * so theory here solves the steady film from far up the plate down to the bath, its flux q the same everywhere, y
 * upwards, with the whole curvature (as White, Tallmadge 1965 have the weight, and Wilson 1982 the limit):
 *
 *     q = U h + h^3/(3 mu) (gamma d(curvature)/dy - rho g) = U h_film - rho g h_film^3/(3 mu),
 *
 * and takes the h_film with which it goes over into the meniscus at rest, 1 - sin(slope) = (a_c curvature)^2/2.
 *
 * Set-up. A bath 2.5 a_c wide and 0.7 deep, on whose other sides liquid slips, with its meniscus at rest, theory's
 * film added up to 1.5 a_c, which is just above that. The plate, which holds the liquid and is wetted by all of it,
 * goes up by 2 a_c. Ca is 0.05, Oh by a_c 0.25: inertia has a share of Ca^2/Oh^2 = 0.04 in the meniscus. A change of
 * thickness goes up at U - rho g h^2/mu = 0.74 U, so that what is measured has left the moving meniscus.
 *
 * Measurement. Volume between 2 and 2.5 a_c above the bath, where there was none, over the plate's area there, in the
 * last tenth. */
#include "../law.h"
#include "../theory.h"

#include <math.h>

static const law_target targets[] = {
    {"film", "m", LAW_RELATIVE, {0.15, 0.15, 0.15}, "thickness far above the meniscus"},
};

static const law_option options[] = {
    {"across", "1", {3, 4, 6}, "spacings in the film", LAW_SPACINGS},
    {"radius", "m", {2.7e-3, 2.7e-3, 2.7e-3}, "a_c = sqrt(gamma/(rho g)): sets the weight"},
    {LAW_DENSITY},
    {LAW_SURFACE_TENSION},
    {LAW_OHNESORGE(0.25)},
    {LAW_VISCOSITY(NAN)},
    {"capillary", "1", {0.05, 0.05, 0.05}, "Ca = mu U/gamma: sets the plate's speed"},
    {"all_dimensions", "1", {0, 1, 1}, "1: in three dimensions too where the method has two"},
};

extern const law law_coated_plate;

/* Lengths over a_c: of the bath; up to where there is a film at first; of what is measured; the plate's way. */
static const double bath_width = 2.5, bath_depth = 0.7, film_top = 1.5, from = 2, to = 2.5, way = 2;
enum { FRAMES = 40, WIDTH = 5, PERIOD = 8, PLATE = 1 }; /* spacings across, between planes and periodic; solid */

/* --- theory: lengths over a_c, pressures over gamma/a_c --- */

typedef struct film_point {
    double h, slope, curvature; /* slope: the surface's angle from the plate, downwards */
} film_point;

/* Along the surface, downwards. */
static film_point film_change(film_point p, double capillary, double flux)
{
    double pressure = 1 + 3 * (flux - capillary * p.h) / pow(p.h, 3);
    return (film_point){sin(p.slope), p.curvature, -cos(p.slope) * pressure};
}

static film_point film_moved(film_point p, film_point change, double step)
{
    return (film_point){p.h + step * change.h, p.slope + step * change.slope, p.curvature + step * change.curvature};
}

/* By how much the surface of a film so thick is bent too much where it has turned by 80 degrees; -1: it never does. */
static double excess_of_curvature(double film, double capillary)
{
    double flux = capillary * film - pow(film, 3) / 3, rate = cbrt(3 * capillary / pow(film, 3) - 3 / film);
    double away = 1e-6 * film;
    film_point p = {film + away, away * rate, away * rate * rate};
    while (p.slope < 80 * M_PI / 180) {
        double step = 0.02 * fmin(p.h, p.h < 3 * film ? 1 / rate : 0.5);
        film_point half = film_moved(p, film_change(p, capillary, flux), 0.5 * step);
        p = film_moved(p, film_change(half, capillary, flux), step);
        if (p.slope < -0.3 || p.curvature < -1 || p.h > 20) return -1;
    }
    return 0.5 * p.curvature * fabs(p.curvature) - (1 - sin(p.slope));
}

double theory_coated_film(double capillary)
{
    double most = 0.944 * pow(capillary, 2.0 / 3), low = 0.7 * most, high = 1.05 * most;
    double sign = excess_of_curvature(low, capillary) < 0 ? -1 : 1;
    while (high - low > 1e-6 * most) {
        double middle = 0.5 * (low + high);
        *(sign * excess_of_curvature(middle, capillary) > 0 ? &low : &high) = middle;
    }
    return low;
}

/* --- measurement --- */

double measure_film(const dew_frame *frame, double low, double high, double width)
{
    dew_field x;
    if (!dew_frame_field(frame, "position", &x)) return NAN;
    int count = 0;
    for (int i = 0; i < x.count; i++) {
        double z = ((const dew_real *)x.data)[(size_t)i * x.stride + frame->dimension - 1];
        count += z > low && z < high;
    }
    return count * pow(frame->spacing, frame->dimension) / ((high - low) * width);
}

/* --- the set-up --- */

typedef struct start {
    int dimension;
    double length, film; /* a_c; of the first film, over it */
} start;

/* Below 0 in the liquid: under the meniscus of a plate that is wetted by all, a film added. */
static void start_value(void *context, int count, const double *const *inputs, double *output)
{
    const start *s = context;
    const double at_top = acosh(sqrt(2)) - sqrt(2);
    for (int i = 0; i < count; i++) {
        double x = inputs[0][i] / s->length, z = inputs[s->dimension - 1][i] / s->length - bath_depth;
        double place = z < sqrt(2) ? acosh(2 / fmax(z, 1e-3)) - sqrt(4 - z * z) - at_top : 0;
        output[i] = s->length * (z < 0 ? z : fmax(z - film_top, x - place - s->film));
    }
}

/* Floor, plate, and the wall across from it; the plate goes up. */
static void define_bath(dew_simulation_def *def, law_space *space, int dimension, double length,
                        const dew_keyframe keys[2])
{
    static const char *const names[3] = {"floor", "plate", "wall"};
    const dew_vec3 normals[3] = {law_place(dimension, 0, 0, 1), {1, 0, 0}, {-1, 0, 0}};
    for (int k = 0; k < 3; k++) {
        space->solids[k].name = names[k];
        space->solids[k].shape = dew_plane((dew_vec3){k == 2 ? bath_width * length : 0, 0, 0}, normals[k]);
    }
    space->solids[PLATE].contact_angle = 0;
    space->solids[PLATE].slip_length = 0;
    space->solids[PLATE].motion.keyframes = keys, space->solids[PLATE].motion.keyframe_count = 2;
    def->solid_count = 3;
}

static dew_result measure(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                          int dimension, double part, double share, law_results *results)
{
#define OPTION(name) law_option_value(&law_coated_plate, settings, resolution, name)
    double began = law_cpu_seconds(), capillary = OPTION("capillary"), film = theory_coated_film(capillary);
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    double length = law_liquid(&law_coated_plate, settings, resolution, &space.material);
    double speed = capillary * space.material.surface_tension / space.material.viscosity;
    def.dimension = dimension;
    def.spacing = film * length / OPTION("across");
    int across = law_repeats(method) == DEW_PERIODIC ? PERIOD : WIDTH;
    double width = dimension == 2 ? 1 : across * def.spacing, up = bath_depth * length;
    def.gravity =
        law_place(dimension, 0, 0, -space.material.surface_tension / (space.material.density * length * length));
    if (dimension == 3) def.domain.max.y = width, def.domain.axis[1] = law_repeats(method);
    const dew_keyframe keys[2] = {{.time = 0}, {.time = 1, .translation = law_place(dimension, 0, 0, speed)}};
    define_bath(&def, &space, dimension, length, keys);
    start s = {dimension, length, film};
    dew_shape_def *liquid = &space.liquids[0].shape;
    *liquid = dew_default_shape_def();
    liquid->kind = DEW_SHAPE_IMPLICIT;
    liquid->implicit.value = (dew_function){start_value, &s};
    liquid->implicit.max = law_place(dimension, bath_width * length, width, up + film_top * length);
    if (dimension == 2) liquid->implicit.min.z = -length, liquid->implicit.max.z = length;
    def.duration = way * length / speed;
    def.frame_rate = FRAMES / def.duration;
    const char *label = dimension == 2 ? "2D" : "3D";
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    double sum = 0, time[FRAMES], thickness[FRAMES];
    for (int k = 0; k < FRAMES && !status; k++) {
        law_report(settings, part + share * k / FRAMES, "%s", label);
        status = law_advance(simulation, 1, NULL, NULL);
        time[k] = way * (k + 1) / FRAMES;
        thickness[k] = measure_film(dew_simulation_frame(simulation), up + from * length, up + to * length, width) /
                       (film * length);
        if (10 * k >= 9 * FRAMES) sum += thickness[k] * 10 / FRAMES;
    }
    if (!status) {
        law_show(settings, simulation, "%s", label);
        law_add(results, &law_coated_plate, resolution, "film", label, dew_simulation_particle_count(simulation),
                sum * film * length, film * length, law_cpu_seconds() - began);
        law_plot_begin(results, label, "the plate's way over a_c", "film over theory's");
        law_plot_curve(results, LAW_CURVE_MEASURED, "measured", FRAMES, time, thickness);
        law_plot_curve(results, LAW_CURVE_THEORY, "steady", 2, (double[]){0, way}, (double[]){1, 1});
    }
    dew_simulation_destroy(simulation);
    return status;
#undef OPTION
}

static dew_result run(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                      law_results *results)
{
    int dimensions[2], kinds = law_dimensions(method, dimensions);
    bool all = law_option_value(&law_coated_plate, settings, resolution, "all_dimensions") != 0;
    int first = all ? 0 : kinds - 1;
    double share = 1.0 / (kinds - first);
    dew_result status = DEW_OK;
    for (int i = first; i < kinds && !status; i++)
        status = measure(method, resolution, settings, dimensions[i], share * (i - first), share, results);
    return status;
}

const law law_coated_plate = {
    .name = "coated_plate",
    .title = "A film on a plate that is drawn from a bath (Landau, Levich 1942)",
    .physics = "A plate drawn from a bath comes up wet: the wall drags liquid out of the meniscus, the meniscus sucks "
               "it back, and what stays is a film, the thicker the faster the plate and the more viscous the liquid. "
               "So paint, films and lenses are coated.",
    .equation = "h = 0.944 (mu U/gamma)^(2/3) sqrt(gamma/(rho g)), less what the film's weight takes",
    .group = LAW_WALLS,
    .features = DEW_FEATURE_3D | DEW_FEATURE_CONTACT_ANGLE | DEW_FEATURE_NO_SLIP,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
