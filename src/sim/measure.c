/* Quantities: the table of what can be measured, and sums and extremes over particles. docs/probes.md has the formulas.
 */
#include "sim/measure.h"
#include "base/parallel.h"
#include "sim/quantities.h"

#include <string.h>

enum { SPRAY = 4, MOST_DROPS = 8 };

typedef struct quantity {
    const char *name, *unit, *sentence;
    int columns;
    const char *const *suffixes;
    measure_fcn *measure;
} quantity;

/* --- sums over particles --- */

enum { SUM_MASS, SUM_X, SUM_Y, SUM_Z, SUM_PX, SUM_PY, SUM_PZ, SUM_ENERGY, SUM_LX, SUM_LY, SUM_LZ, SUM_VOLUME, SUMS };

static void add_sums(int begin, int end, void *context, double *sums)
{
    const dew_simulation *s = context;
    const particles *p = &s->particles;
    dew_vec3 c = s->centre; /* places are taken from here, so that far scenes keep their digits */
    for (int i = begin; i < end; i++) {
        const material *of = &s->materials[p->material[i]];
        double m = of->particle_mass;
        dew_vec3 x = {p->position[i].x - c.x, p->position[i].y - c.y, p->position[i].z - c.z};
        dew_vec3 v = {p->velocity[i].x, p->velocity[i].y, p->velocity[i].z};
        dew_vec3 l = vec3_cross(x, v);
        sums[SUM_MASS] += m, sums[SUM_VOLUME] += m / of->density;
        sums[SUM_X] += m * x.x, sums[SUM_Y] += m * x.y, sums[SUM_Z] += m * x.z;
        sums[SUM_PX] += m * v.x, sums[SUM_PY] += m * v.y, sums[SUM_PZ] += m * v.z;
        sums[SUM_ENERGY] += 0.5 * m * vec3_dot(v, v);
        sums[SUM_LX] += m * l.x, sums[SUM_LY] += m * l.y, sums[SUM_LZ] += m * l.z;
    }
}

liquid_sums measure_sums(const dew_simulation *s)
{
    double sums[SUMS];
    parallel_sum(s->particles.count, SUMS, add_sums, (void *)s, sums);
    liquid_sums l = {.mass = sums[SUM_MASS], .volume = sums[SUM_VOLUME], .kinetic = sums[SUM_ENERGY]};
    dew_vec3 from = vec3_scale(1 / l.mass, (dew_vec3){sums[SUM_X], sums[SUM_Y], sums[SUM_Z]});
    l.momentum = (dew_vec3){sums[SUM_PX], sums[SUM_PY], sums[SUM_PZ]};
    l.angular_momentum = vec3_sub((dew_vec3){sums[SUM_LX], sums[SUM_LY], sums[SUM_LZ]}, vec3_cross(from, l.momentum));
    if (s->method->inner_angular_momentum)
        l.angular_momentum = vec3_add(l.angular_momentum, s->method->inner_angular_momentum(s->state, &s->w));
    l.centre = vec3_add(s->centre, from);
    return l;
}

double measure_potential(const dew_simulation *s, const liquid_sums *sums)
{
    return s->particles.count > 0 ? -sums->mass * vec3_dot(s->w.gravity, sums->centre) : 0;
}

static dew_result measure_sum(const dew_simulation *s, const char *name, double *values)
{
    liquid_sums sums = measure_sums(s);
    if (strcmp(name, "mass") == 0)
        values[0] = sums.mass;
    else if (strcmp(name, "kinetic_energy") == 0)
        values[0] = sums.kinetic;
    else if (strcmp(name, "potential_energy") == 0)
        values[0] = measure_potential(s, &sums);
    else if (strcmp(name, "rms_speed") == 0)
        values[0] = sums.mass > 0 ? sqrt(2 * sums.kinetic / sums.mass) : 0;
    else {
        dew_vec3 v = strcmp(name, "momentum") == 0           ? sums.momentum
                     : strcmp(name, "angular_momentum") == 0 ? sums.angular_momentum
                                                             : sums.centre;
        values[0] = v.x, values[1] = v.y, values[2] = v.z;
    }
    return DEW_OK;
}

static dew_result measure_energy(const dew_simulation *s, const char *name, double *values)
{
    (void)name;
    liquid_sums sums = measure_sums(s);
    RESULT_TRY(measure_surface_energy(s, "surface_energy", values));
    values[0] += sums.kinetic + measure_potential(s, &sums);
    return DEW_OK;
}

/* --- heat --- */

typedef struct heat_work {
    const dew_simulation *s;
    const real *temperature, *melted;
} heat_work;

static void add_heat(int begin, int end, void *context, double *sums)
{
    const heat_work *w = context;
    for (int i = begin; i < end; i++) {
        const material *of = &w->s->materials[w->s->particles.material[i]];
        double m = of->particle_mass, t = (double)w->temperature[i];
        double melted = w->melted ? (double)w->melted[i] : 1;
        sums[0] += m, sums[1] += m * t, sums[2] += m * (of->heat_capacity * t + of->latent_heat * melted);
        sums[3] += m * melted;
    }
}

static dew_result measure_heat(const dew_simulation *s, const char *name, double *values)
{
    if (!s->w.heat) return DEW_OK;
    heat_work work = {s, heat_temperatures(s->w.heat, &s->particles), heat_melted(s->w.heat, &s->particles)};
    double sums[4];
    parallel_sum(s->particles.count, 4, add_heat, &work, sums);
    bool is_melted = strcmp(name, "melted_fraction") == 0;
    values[0] = strcmp(name, "heat") == 0 ? sums[2] : sums[0] > 0 ? sums[is_melted ? 3 : 1] / sums[0] : NAN;
    return DEW_OK;
}

typedef struct solute_work {
    const dew_simulation *s;
    const real *concentration;
} solute_work;

static void add_solute(int begin, int end, void *context, double *sums)
{
    const solute_work *w = context;
    for (int i = begin; i < end; i++) {
        const material *of = &w->s->materials[w->s->particles.material[i]];
        double volume = of->particle_mass / of->density;
        sums[0] += volume, sums[1] += volume * (double)w->concentration[i];
    }
}

static dew_result measure_solute(const dew_simulation *s, const char *name, double *values)
{
    if (!s->w.solute) return DEW_OK;
    solute_work work = {s, solute_concentrations(s->w.solute, &s->particles)};
    double sums[2];
    parallel_sum(s->particles.count, 2, add_solute, &work, sums);
    values[0] = strcmp(name, "solute") == 0 ? sums[1] : sums[0] > 0 ? sums[1] / sums[0] : NAN;
    return DEW_OK;
}

static void add_temperatures(int begin, int end, void *context, double *maxima)
{
    const real *t = context;
    for (int i = begin; i < end; i++)
        maxima[0] = fmax(maxima[0], -(double)t[i]), maxima[1] = fmax(maxima[1], (double)t[i]);
}

static dew_result measure_temperatures(const dew_simulation *s, const char *name, double *values)
{
    (void)name;
    if (!s->w.heat || s->particles.count == 0) return DEW_OK;
    double maxima[2];
    parallel_max(s->particles.count, 2, add_temperatures, heat_temperatures(s->w.heat, &s->particles), maxima);
    values[0] = -maxima[0], values[1] = maxima[1];
    return DEW_OK;
}

static dew_result measure_count(const dew_simulation *s, const char *name, double *values)
{
    (void)name;
    values[0] = s->particles.count;
    return DEW_OK;
}

/* --- extremes --- */

static void add_maxima(int begin, int end, void *context, double *maxima)
{
    const particles *p = context;
    for (int i = begin; i < end; i++) {
        real4 x = p->position[i], v = p->velocity[i];
        double value[7] = {x.x, x.y, x.z, -x.x, -x.y, -x.z, (double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z};
        for (int k = 0; k < 7; k++) maxima[k] = fmax(maxima[k], value[k]);
    }
}

void measure_extremes(const dew_simulation *s, double maxima[7])
{
    parallel_max(s->particles.count, 7, add_maxima, (void *)&s->particles, maxima);
}

static dew_result measure_speed(const dew_simulation *s, const char *name, double *values)
{
    (void)name;
    double maxima[7];
    measure_extremes(s, maxima);
    values[0] = s->particles.count > 0 ? sqrt(maxima[6]) : 0;
    return DEW_OK;
}

/* A particle is a spacing wide. */
static dew_result measure_box(const dew_simulation *s, const char *name, double *values)
{
    double maxima[7], half = 0.5 * s->w.spacing;
    if (s->particles.count == 0) return DEW_OK;
    measure_extremes(s, maxima);
    for (int a = 0; a < 3; a++) {
        if (strcmp(name, "extent") == 0)
            values[a] = maxima[a] + maxima[a + 3] + 2 * half;
        else
            values[2 * a] = -maxima[a + 3] - half, values[2 * a + 1] = maxima[a] + half;
    }
    return DEW_OK;
}

static dew_result measure_height(const dew_simulation *s, const char *name, double *values)
{
    (void)name;
    double maxima[7];
    touched_wall wall;
    if (s->particles.count == 0) return DEW_OK;
    measure_extremes(s, maxima);
    RESULT_TRY(measure_wall(s, &wall));
    bool is_flat = s->w.dimension == 2;
    int up = is_flat ? 1 : 2;
    double half = 0.5 * s->w.spacing, bottom = -maxima[up + 3] - half;
    if (wall.is_there && (is_flat ? wall.normal.y : wall.normal.z) > 0.9)
        bottom = is_flat ? wall.point.y : wall.point.z;
    values[0] = maxima[up] + half - bottom;
    return DEW_OK;
}

/* --- bodies --- */

static dew_result measure_drops(const dew_simulation *s, const char *name, double *values)
{
    const dew_domain_def *d = &s->w.domain;
    const double size[3] = {d->max.x - d->min.x, d->max.y - d->min.y, d->max.z - d->min.z};
    double period[3];
    int sizes[MOST_DROPS];
    for (int a = 0; a < 3; a++) period[a] = d->axis[a] == DEW_PERIODIC ? size[a] : 0;
    int drops =
        measure_bodies(s->particles.position, s->particles.count, s->w.spacing, period, SPRAY, MOST_DROPS, sizes);
    if (drops < 0) return result_fail(DEW_NO_MEMORY, "no memory to count the drops");
    if (strcmp(name, "drop_count") == 0) {
        values[0] = drops;
        return DEW_OK;
    }
    /* Every particle holds the same volume, of whatever liquid it is. */
    for (int k = 0; k < MOST_DROPS; k++) values[k] = sizes[k] * pow(s->w.spacing, s->w.dimension);
    return DEW_OK;
}

/* --- the table --- */

static const char *const scalar[] = {""};
static const char *const vector[] = {"x", "y", "z"};
static const char *const modes[] = {"2", "3", "4", "5", "6"};
static const char *const drops[] = {"1", "2", "3", "4", "5", "6", "7", "8"};
static const char *const range[] = {"min", "max"};
static const char *const sides[] = {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"};

static const quantity quantities[] = {
    {"energy", "J", "kinetic_energy + potential_energy + surface_energy", 1, scalar, measure_energy},
    {"kinetic_energy", "J", "sum of m v^2/2", 1, scalar, measure_sum},
    {"potential_energy", "J", "of gravity, 0 at the origin: -M g . centre of mass", 1, scalar, measure_sum},
    {"surface_energy", "J", "surface tension x (free area - cos(contact angle) x wetted area)", 1, scalar,
     measure_surface_energy},
    {"momentum", "kg m/s", "sum of m v", 3, vector, measure_sum},
    {"angular_momentum", "kg m2/s", "about the centre of mass", 3, vector, measure_sum},
    {"centre_of_mass", "m", "sum of m x over the mass", 3, vector, measure_sum},
    {"mass", "kg", "of all particles (per metre of depth in 2D)", 1, scalar, measure_sum},
    {"particle_count", "1", "particles there are now", 1, scalar, measure_count},
    {"max_speed", "m/s", "of the fastest particle", 1, scalar, measure_speed},
    {"rms_speed", "m/s", "root of the mean of v^2, by mass", 1, scalar, measure_sum},
    {"extent", "m", "size of the box around the liquid, a particle's width included", 3, vector, measure_box},
    {"front_position", "m", "lowest and highest x, y and z of the liquid, half a particle's width included", 6, sides,
     measure_box},
    {"height", "m", "of the liquid's top above the floor it touches, or above its own lowest point", 1, scalar,
     measure_height},
    {"volume", "m3", "by the method's own mesh or the one made from the particles", 1, scalar, measure_volume},
    {"surface_area", "m2", "of the liquid's free surface, by the method's own mesh or the one made from the particles",
     1, scalar, measure_area},
    {"wetted_area", "m2", "of the solids' surface that the liquid covers", 1, scalar, measure_wetted},
    {"sphericity", "1", "area of the ball of the liquid's volume over the liquid's area, 1 for a ball", 1, scalar,
     measure_form},
    {"radius_deviation", "1", "standard deviation of the surface's distance from the centre of mass over its mean", 1,
     scalar, measure_form},
    {"pressure_jump", "Pa", "mean pressure inside over that outside, as the method has it", 1, scalar,
     measure_pressure},
    {"modes", "1", "amplitudes of the axisymmetric modes n = 2..6 about z over the radius at rest (2D: of cos(n phi))",
     MODE_COUNT, modes, measure_mode_amplitudes},
    {"mode_amplitudes", "1", "of the modes n = 2..6 of all orders together: the same however the drop is turned",
     MODE_COUNT, modes, measure_mode_amplitudes},
    {"contact_angle", "degree", "in the liquid, of one drop on a solid, by a fit of its whole profile", 1, scalar,
     measure_contact},
    {"contact_radius", "m", "of the contact line of one drop on a solid, by the same fit", 1, scalar, measure_contact},
    {"neck_radius", "m", "of the thinnest place about the vertical axis; 0 where parted", 1, scalar, measure_thinnest},
    {"drop_count", "1", "bodies of liquid of at least 4 particles, farther than 1.6 spacings apart", 1, scalar,
     measure_drops},
    {"drop_volumes", "m3", "of the eight largest bodies, the largest first; 0 where there are fewer", MOST_DROPS, drops,
     measure_drops},
    {"heat", "J", "sum of m (c T + L melted), from 0 K on", 1, scalar, measure_heat},
    {"melted_fraction", "1", "share of the mass that is liquid", 1, scalar, measure_heat},
    {"mean_temperature", "K", "of the liquid, by mass", 1, scalar, measure_heat},
    {"temperature", "K", "of the coldest and the hottest particle", 2, range, measure_temperatures},
    {"solute", "kg", "mass of what is dissolved (2D: a metre of depth)", 1, scalar, measure_solute},
    {"mean_concentration", "kg/m3", "of what is dissolved, by volume", 1, scalar, measure_solute},
};

static const quantity *quantity_named(const char *name)
{
    for (int i = 0; name && i < dew_quantity_count(); i++) {
        if (strcmp(quantities[i].name, name) == 0) return &quantities[i];
    }
    return NULL;
}

int dew_quantity_count(void) { return (int)(sizeof quantities / sizeof *quantities); }

const char *dew_quantity_name(int index)
{
    return index >= 0 && index < dew_quantity_count() ? quantities[index].name : NULL;
}
const char *dew_quantity_unit(int index)
{
    return index >= 0 && index < dew_quantity_count() ? quantities[index].unit : NULL;
}
const char *dew_quantity_sentence(int index)
{
    return index >= 0 && index < dew_quantity_count() ? quantities[index].sentence : NULL;
}

int dew_quantity_columns(const char *name, const char *const **suffixes)
{
    const quantity *q = quantity_named(name);
    if (suffixes) *suffixes = q ? q->suffixes : NULL;
    return q ? q->columns : 0;
}

dew_result dew_simulation_measure(const dew_simulation *s, const char *name, double *values)
{
    const quantity *q = quantity_named(name);
    if (!q) return result_fail(DEW_INVALID, "there is no quantity \"%s\"", name ? name : "");
    parallel_set_threads(s->threads);
    for (int k = 0; k < q->columns; k++) values[k] = NAN;
    return q->measure(s, name, values);
}
