/* Quantities: the table of what can be measured, and sums and extremes over particles. docs/probes.md has the formulas.
 */
#include "measure/quantities.h"
#include "base/parallel.h"
#include "definition/definition.h"
#include "frame/frame.h"
#include "measure/part.h"
#include "measure/points.h"
#include "measure/surface.h"

#include <stdlib.h>
#include <string.h>

enum { SPRAY = 4, MOST_DROPS = 8 };

typedef struct quantity {
    const char *name, *unit, *sentence;
    int columns;
    const char *const *suffixes;
    measure_fcn *measure; /* NULL: only the method knows it */
    const char *field;    /* besides the particles' places; NULL: none */
} quantity;

/* --- sums over particles --- */

enum { SUM_MASS, SUM_X, SUM_Y, SUM_Z, SUM_PX, SUM_PY, SUM_PZ, SUM_ENERGY, SUM_LX, SUM_LY, SUM_LZ, SUM_VOLUME, SUMS };

static void add_sums(int begin, int end, void *context, double *sums)
{
    const measurement *at = context;
    dew_vec3 c = at->frame->origin;
    for (int i = begin; i < end; i++) {
        int k = material_of(at, i);
        double m = at->mass[k];
        real4 place = at->position[i], velocity = at->velocity ? at->velocity[i] : (real4){0, 0, 0, 0};
        dew_vec3 x = {place.x - c.x, place.y - c.y, place.z - c.z}, v = {velocity.x, velocity.y, velocity.z};
        dew_vec3 l = vec3_cross(x, v);
        sums[SUM_MASS] += m, sums[SUM_VOLUME] += m / at->frame->materials[k].density;
        sums[SUM_X] += m * x.x, sums[SUM_Y] += m * x.y, sums[SUM_Z] += m * x.z;
        sums[SUM_PX] += m * v.x, sums[SUM_PY] += m * v.y, sums[SUM_PZ] += m * v.z;
        sums[SUM_ENERGY] += 0.5 * m * vec3_dot(v, v);
        sums[SUM_LX] += m * l.x, sums[SUM_LY] += m * l.y, sums[SUM_LZ] += m * l.z;
    }
}

liquid_sums measure_sums(const measurement *m)
{
    double sums[SUMS];
    parallel_sum(m->count, SUMS, add_sums, (void *)m, sums);
    liquid_sums l = {.mass = sums[SUM_MASS], .volume = sums[SUM_VOLUME], .kinetic = sums[SUM_ENERGY]};
    dew_vec3 from = vec3_scale(1 / l.mass, (dew_vec3){sums[SUM_X], sums[SUM_Y], sums[SUM_Z]});
    l.momentum = (dew_vec3){sums[SUM_PX], sums[SUM_PY], sums[SUM_PZ]};
    l.angular_momentum = vec3_sub((dew_vec3){sums[SUM_LX], sums[SUM_LY], sums[SUM_LZ]}, vec3_cross(from, l.momentum));
    l.centre = vec3_add(m->frame->origin, from);
    return l;
}

double measure_potential(const measurement *m, const liquid_sums *sums)
{
    return m->count > 0 ? -sums->mass * vec3_dot(m->frame->gravity, sums->centre) : 0;
}

bool measure_is_balance(const char *name)
{
    static const char *const names[] = {"energy_balance", "momentum_balance", "mass_balance", "dissipation", "outflow"};
    for (int k = 0; k < 5; k++)
        if (strcmp(name, names[k]) == 0) return true;
    return false;
}

dew_result measure_ask_state(const measurement *m, const char *name, double *values, bool *is_known)
{
    const dew_frame *f = m->frame;
    *is_known = f->measure && f->measure(f->state, name, values) && isfinite(values[0]);
    if (f->measure || !f->method) return DEW_OK;
    if (measure_is_balance(name))
        return result_fail(
            DEW_INVALID,
            "%s is kept while a run goes on, and files of frames do not hold it; add the quantity to the "
            "scene's probes and run again",
            name);
    for (const char *const *known = f->method->measures; *known; known++)
        if (strcmp(*known, name) == 0)
            return result_fail(DEW_INVALID,
                               "method %s finds the %s from its own state, which files of frames do not hold; add the "
                               "quantity to the scene's probes and run again",
                               f->method->name, name);
    return DEW_OK;
}

static dew_result lacks(const dew_frame *f, const char *field)
{
    return result_fail(DEW_INVALID,
                       "it needs the field %s, which frame %d does not hold; add it to the scene's output: {fields: "
                       "[%s]} and run again",
                       field, f->index, field);
}

/* sums: what particles carry besides that of their motion. */
static void add_spin(int begin, int end, void *context, double *sums)
{
    const measurement *m = context;
    for (int i = begin; i < end; i++) {
        double mass = m->mass[material_of(m, i)];
        sums[0] += mass * m->spin[i].x, sums[1] += mass * m->spin[i].y, sums[2] += mass * m->spin[i].z;
    }
}

static dew_result measure_spin(const measurement *m, const char *name, double *values)
{
    if (m->lacks_spin && m->count > 0) return lacks(m->frame, name);
    values[0] = values[1] = values[2] = 0;
    if (m->spin) parallel_sum(m->count, 3, add_spin, (void *)m, values);
    return DEW_OK;
}

static dew_result measure_sum(const measurement *m, const char *name, double *values)
{
    liquid_sums sums = measure_sums(m);
    if (strcmp(name, "mass") == 0)
        values[0] = sums.mass;
    else if (strcmp(name, "particle_count") == 0)
        values[0] = m->count;
    else if (strcmp(name, "kinetic_energy") == 0)
        values[0] = sums.kinetic;
    else if (strcmp(name, "potential_energy") == 0)
        values[0] = measure_potential(m, &sums);
    else if (strcmp(name, "rms_speed") == 0)
        values[0] = sums.mass > 0 ? sqrt(2 * sums.kinetic / sums.mass) : 0;
    else {
        bool is_angular = strcmp(name, "angular_momentum") == 0;
        dew_vec3 v = strcmp(name, "momentum") == 0 ? sums.momentum : is_angular ? sums.angular_momentum : sums.centre;
        if (is_angular) RESULT_TRY(measure_spin(m, "spin", values));
        if (is_angular) v = vec3_add(v, (dew_vec3){values[0], values[1], values[2]});
        values[0] = v.x, values[1] = v.y, values[2] = v.z;
    }
    return DEW_OK;
}

/* Of what no method tells: nothing where nothing is elastic. */
static dew_result measure_elastic(const measurement *m, const char *name, double *values)
{
    (void)name;
    bool is_elastic = false;
    for (int k = 0; k < m->frame->material_count; k++)
        is_elastic |= definition_shear_modulus(&m->frame->materials[k]) > 0;
    values[0] = is_elastic ? NAN : 0;
    return DEW_OK;
}

static dew_result measure_energy(const measurement *m, const char *name, double *values)
{
    double elastic;
    liquid_sums sums = measure_sums(m);
    RESULT_TRY(measure_elastic(m, name, &elastic));
    if (isnan(elastic)) RESULT_TRY(measure_named(m, "elastic_energy", &elastic));
    RESULT_TRY(measure_named(m, "surface_energy", values));
    values[0] += sums.kinetic + measure_potential(m, &sums) + elastic;
    return DEW_OK;
}

/* By volume: every particle counts alike. Along a periodic axis the middle is that of the places on a circle. */
static void add_places(int begin, int end, void *context, double *sums)
{
    const measurement *m = context;
    const dew_domain_def *d = &m->frame->domain;
    for (int i = begin; i < end; i++) {
        real4 x = m->position[i], v = m->velocity ? m->velocity[i] : (real4){0, 0, 0, 0};
        const double place[3] = {x.x, x.y, x.z}, speed[3] = {v.x, v.y, v.z};
        for (int a = 0; a < 3; a++) {
            double low = vec3_at(d->min, a), turn = 2 * PI * (place[a] - low) / (vec3_at(d->max, a) - low);
            bool is_periodic = d->axis[a] == DEW_PERIODIC;
            sums[a] += is_periodic ? cos(turn) : place[a] - vec3_at(m->frame->origin, a);
            sums[3 + a] += is_periodic ? sin(turn) : 0;
            sums[6 + a] += speed[a];
        }
    }
}

static dew_result measure_middle(const measurement *m, const char *name, double *values)
{
    const dew_domain_def *d = &m->frame->domain;
    double sums[9];
    if (m->count == 0) return DEW_OK;
    parallel_sum(m->count, 9, add_places, (void *)m, sums);
    for (int a = 0; a < 3; a++) {
        double low = vec3_at(d->min, a), turn = atan2(sums[3 + a], sums[a]) / (2 * PI);
        values[a] = vec3_at(m->frame->origin, a) + sums[a] / m->count;
        if (d->axis[a] == DEW_PERIODIC) values[a] = low + (turn < 0 ? turn + 1 : turn) * (vec3_at(d->max, a) - low);
        if (strcmp(name, "velocity") == 0) values[a] = sums[6 + a] / m->count;
    }
    return DEW_OK;
}

/* --- heat --- */

static void add_heat(int begin, int end, void *context, double *sums)
{
    const measurement *at = context;
    for (int i = begin; i < end; i++) {
        const dew_material_def *of = &at->frame->materials[material_of(at, i)];
        double m = at->mass[material_of(at, i)], t = (double)at->temperature[i];
        double melted = at->melted ? (double)at->melted[i] : 1;
        sums[0] += m, sums[1] += m * t, sums[2] += m * (of->heat_capacity * t + of->latent_heat * melted);
        sums[3] += m * melted;
    }
}

static dew_result measure_heat(const measurement *m, const char *name, double *values)
{
    double sums[4];
    parallel_sum(m->count, 4, add_heat, (void *)m, sums);
    bool is_melted = strcmp(name, "melted_fraction") == 0;
    values[0] = strcmp(name, "heat") == 0 ? sums[2] : sums[0] > 0 ? sums[is_melted ? 3 : 1] / sums[0] : NAN;
    return DEW_OK;
}

static void add_solute(int begin, int end, void *context, double *sums)
{
    const measurement *at = context;
    for (int i = begin; i < end; i++) {
        int k = material_of(at, i);
        double volume = at->mass[k] / at->frame->materials[k].density;
        sums[0] += volume, sums[1] += volume * (double)at->concentration[i];
    }
}

static dew_result measure_solute(const measurement *m, const char *name, double *values)
{
    double sums[2];
    parallel_sum(m->count, 2, add_solute, (void *)m, sums);
    values[0] = strcmp(name, "solute") == 0 ? sums[1] : sums[0] > 0 ? sums[1] / sums[0] : NAN;
    return DEW_OK;
}

static void add_temperatures(int begin, int end, void *context, double *maxima)
{
    const real *t = context;
    for (int i = begin; i < end; i++)
        maxima[0] = fmax(maxima[0], -(double)t[i]), maxima[1] = fmax(maxima[1], (double)t[i]);
}

static dew_result measure_temperatures(const measurement *m, const char *name, double *values)
{
    (void)name;
    if (m->count == 0) return DEW_OK;
    double maxima[2];
    parallel_max(m->count, 2, add_temperatures, (void *)m->temperature, maxima);
    values[0] = -maxima[0], values[1] = maxima[1];
    return DEW_OK;
}

/* --- extremes --- */

enum { MAXIMA = 7 };

/* Largest x, y, z, -x, -y, -z and squared speed of any particle; minus infinity without particles. */
static void add_maxima(int begin, int end, void *context, double *maxima)
{
    const measurement *m = context;
    for (int i = begin; i < end; i++) {
        real4 x = m->position[i], v = m->velocity ? m->velocity[i] : (real4){0, 0, 0, 0};
        double value[MAXIMA] = {
            x.x, x.y, x.z, -x.x, -x.y, -x.z, (double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z};
        for (int k = 0; k < MAXIMA; k++) maxima[k] = fmax(maxima[k], value[k]);
    }
}

static dew_result measure_speed(const measurement *m, const char *name, double *values)
{
    (void)name;
    double maxima[MAXIMA];
    parallel_max(m->count, MAXIMA, add_maxima, (void *)m, maxima);
    values[0] = m->count > 0 ? sqrt(maxima[6]) : 0;
    return DEW_OK;
}

/* A particle is a spacing wide. */
static dew_result measure_box(const measurement *m, const char *name, double *values)
{
    double maxima[MAXIMA], half = 0.5 * m->frame->spacing;
    if (m->count == 0) return DEW_OK;
    parallel_max(m->count, MAXIMA, add_maxima, (void *)m, maxima);
    for (int a = 0; a < 3; a++) {
        if (strcmp(name, "extent") == 0)
            values[a] = maxima[a] + maxima[a + 3] + 2 * half;
        else
            values[2 * a] = -maxima[a + 3] - half, values[2 * a + 1] = maxima[a] + half;
    }
    return DEW_OK;
}

static dew_result measure_height(const measurement *m, const char *name, double *values)
{
    (void)name;
    double maxima[MAXIMA];
    touched_wall floor;
    if (m->count == 0) return DEW_OK;
    parallel_max(m->count, MAXIMA, add_maxima, (void *)m, maxima);
    bool is_flat = m->frame->dimension == 2;
    int up = is_flat ? 1 : 2;
    RESULT_TRY(measure_wall(m, (dew_vec3){0, is_flat, !is_flat}, &floor));
    double half = 0.5 * m->frame->spacing, bottom = -maxima[up + 3] - half;
    if (floor.is_there) bottom = is_flat ? floor.point.y : floor.point.z;
    values[0] = maxima[up] + half - bottom;
    return DEW_OK;
}

/* --- bodies --- */

static dew_result measure_drops(const measurement *m, const char *name, double *values)
{
    double period[3];
    int sizes[MOST_DROPS];
    measure_period(&m->frame->domain, period);
    int drops = measure_bodies(m->position, m->count, m->frame->spacing, period, SPRAY, MOST_DROPS, sizes);
    if (drops < 0) return result_fail(DEW_NO_MEMORY, "no memory to count the drops");
    if (strcmp(name, "drop_count") == 0) {
        values[0] = drops;
        return DEW_OK;
    }
    /* Every particle holds the same volume, of whatever liquid it is. */
    for (int k = 0; k < MOST_DROPS; k++) values[k] = sizes[k] * pow(m->frame->spacing, m->frame->dimension);
    return DEW_OK;
}

/* --- the table --- */

static const char *const scalar[] = {""};
static const char *const outflow[] = {"mass", "count"};
static const char *const vector[] = {"x", "y", "z"};
static const char *const modes[] = {"2", "3", "4", "5", "6"};
static const char *const drops[] = {"1", "2", "3", "4", "5", "6", "7", "8"};
static const char *const range[] = {"min", "max"};
static const char *const errors[] = {"mean", "spread"};
static const char *const spread[] = {"mean", "largest"};
static const char *const angles[] = {"mean", "min", "max"};
static const char *const waves[] = {"cos_1", "sin_1", "cos_2", "sin_2"};
static const char *const sides[] = {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"};

static const quantity quantities[] = {
    {"energy", "J", "kinetic_energy + potential_energy + surface_energy + elastic_energy", 1, scalar, measure_energy,
     "velocity"},
    {"kinetic_energy", "J", "sum of m v^2/2", 1, scalar, measure_sum, "velocity"},
    {"potential_energy", "J", "of gravity, 0 at the origin: -M g . centre of mass", 1, scalar, measure_sum, NULL},
    {"surface_energy", "J", "surface tension x (free area - cos(contact angle) x wetted area)", 1, scalar,
     measure_surface_energy, NULL},
    {"elastic_energy", "J", "of elastic solids' strain, as the method has it", 1, scalar, measure_elastic, NULL},
    {"momentum", "kg m/s", "sum of m v", 3, vector, measure_sum, "velocity"},
    {"angular_momentum", "kg m2/s", "about the centre of mass, of the particles' motion and spin", 3, vector,
     measure_sum, "velocity"},
    {"spin", "kg m2/s", "the part of angular_momentum within particles, which their velocities do not tell", 3, vector,
     measure_spin, NULL},
    {"centre", "m", "mean place of the liquid, by volume", 3, vector, measure_middle, NULL},
    {"velocity", "m/s", "mean velocity of the liquid, by volume", 3, vector, measure_middle, "velocity"},
    {"centre_of_mass", "m", "sum of m x over the mass", 3, vector, measure_sum, NULL},
    {"mass", "kg", "of all particles (per metre of depth in 2D)", 1, scalar, measure_sum, NULL},
    {"particle_count", "1", "particles there are now", 1, scalar, measure_sum, NULL},
    {"max_speed", "m/s", "of the fastest particle", 1, scalar, measure_speed, "velocity"},
    {"rms_speed", "m/s", "root of the mean of v^2, by mass", 1, scalar, measure_sum, "velocity"},
    {"extent", "m", "size of the box around the liquid, a particle's width included", 3, vector, measure_box, NULL},
    {"front_position", "m", "lowest and highest x, y and z of the liquid, half a particle's width included", 6, sides,
     measure_box, NULL},
    {"height", "m", "of the liquid's top above the floor it touches, or above its own lowest point", 1, scalar,
     measure_height, NULL},
    {"volume", "m3", "by the mesh made from the particles", 1, scalar, measure_volume, NULL},
    {"own_volume", "m3", "by the method's own mesh where that is closed, else the one made from the particles", 1,
     scalar, measure_volume, NULL},
    {"surface_area", "m2", "of the liquid's free surface, by the method's own mesh or the one made from the particles",
     1, scalar, measure_area, NULL},
    {"wetted_area", "m2", "of the solids' surface that the liquid covers", 1, scalar, measure_area, NULL},
    {"density_error", "1",
     "share by which the liquid is denser than at rest: mean of the body that is farthest off, and what 99 % of it is "
     "within",
     2, errors, measure_density_error, NULL},
    {"energy_balance", "J", "energy above that at the start and what solids and emitters brought; it should only fall",
     1, scalar, NULL, "velocity"},
    {"momentum_balance", "kg m/s", "momentum that gravity, solids, emitters and outflow do not explain", 3, vector,
     NULL, "velocity"},
    {"mass_balance", "kg", "mass that emitters and outflow do not explain", 1, scalar, NULL, NULL},
    {"outflow", "kg", "what has passed faces of the domain that let liquid out, since the start: mass, and particles",
     2, outflow, NULL, NULL},
    {"dissipation", "1", "energy that is gone over what viscosity has taken, 2 mu D:D of the velocities as they are", 1,
     scalar, NULL, "velocity"},
    {"loose_mass", "1", "share of the mass in bodies of fewer than 4 particles", 1, scalar, measure_loose, NULL},
    {"narrow_mass", "1", "share of the mass in films, threads and rims narrower than the method resolves", 1, scalar,
     measure_narrow, NULL},
    {"sphericity", "1", "area of the ball of the liquid's volume over the liquid's area, 1 for a ball", 1, scalar,
     measure_form, NULL},
    {"radius_deviation", "1", "standard deviation of the surface's distance from the centre of mass over its mean", 1,
     scalar, measure_form, NULL},
    {"pressure_jump", "Pa", "mean pressure inside over that outside, as the method has it", 1, scalar, NULL, NULL},
    {"film_tension", "N/m",
     "of either face of a film between periodic faces x and y, by all forces of the method between particles", 1,
     scalar, NULL, NULL},
    {"modes", "1", "amplitudes of the axisymmetric modes n = 2..6 about z over the radius at rest (2D: of cos(n phi))",
     MODE_COUNT, modes, measure_mode_amplitudes, NULL},
    {"mode_amplitudes", "1", "of the modes n = 2..6 of all orders together: the same however the drop is turned",
     MODE_COUNT, modes, measure_mode_amplitudes, NULL},
    {"contact_angle", "degree", "in the liquid, of one drop on a solid, by a fit of its whole profile", 1, scalar,
     measure_contact, NULL},
    {"contact_radius", "m", "of the contact line of one drop on a solid, by the same fit", 1, scalar, measure_contact,
     NULL},
    {"spread_radius", "m", "of the wetted area: as of a disc, and half its largest extent", 2, spread, measure_spread,
     NULL},
    {"local_contact_angle", "degree", "along the contact line, from the surface near it: mean, least, greatest", 3,
     angles, measure_line_angle, NULL},
    {"line_speed", "m/s", "mean speed of the contact line, outwards over the solid", 1, scalar, measure_line_speed,
     "velocity"},
    {"wall_force", "N", "of the liquid on all solids, in the last step (per metre of depth in 2D)", 3, vector,
     measure_wall_force, NULL},
    {"wall_pressure_force", "N", "of it what presses and draws along normals, where the method can tell", 3, vector,
     measure_wall_force, NULL},
    {"wall_shear_force", "N", "of it friction and what else acts along solids, where the method can tell", 3, vector,
     measure_wall_force, NULL},
    {"wall_line_force", "N", "of it the pull of contact lines, where the method can tell", 3, vector,
     measure_wall_force, NULL},
    {"solid_centre", "m",
     "place of a solid's centre of mass, of the first rigid body if `of` names none; of a solid whose motion is "
     "prescribed its pivot",
     3, vector, measure_solid, NULL},
    {"solid_rotation", "rad", "how far it has turned since the start: a rotation vector", 3, vector, measure_solid,
     NULL},
    {"solid_velocity", "m/s", "of that centre", 3, vector, measure_solid, NULL},
    {"solid_spin", "rad/s", "its angular velocity", 3, vector, measure_solid, NULL},
    {"solid_momentum", "kg m/s",
     "of a rigid body, with what the liquid has given it and it is still to take: with momentum it is constant in free "
     "space",
     3, vector, measure_solid_momentum, NULL},
    {"solid_torque", "N m", "of the liquid on it about that centre, in the last step (per metre of depth in 2D)", 3,
     vector, measure_solid_torque, NULL},
    {"neck_radius", "m", "of the thinnest place about the vertical axis, or of the bulge where none is; 0 where parted",
     1, scalar, measure_thinnest, NULL},
    {"column_mode", "m", "amplitudes of the first two waves on a thread or pool along its longest bounded axis", 4,
     waves, measure_column, NULL},
    {"profile", "m/s", "mean velocity along a channel in eight layers across it", PROFILE_LAYERS, drops, measure_layers,
     "velocity"},
    {"drop_count", "1", "bodies of liquid of at least 4 particles, farther than 1.6 spacings apart", 1, scalar,
     measure_drops, NULL},
    {"drop_volumes", "m3", "of the eight largest bodies, the largest first; 0 where there are fewer", MOST_DROPS, drops,
     measure_drops, NULL},
    {"heat", "J", "sum of m (c T + L melted), from 0 K on", 1, scalar, measure_heat, "melted"},
    {"melted_fraction", "1", "share of the mass that is liquid", 1, scalar, measure_heat, "melted"},
    {"mean_temperature", "K", "of the liquid, by mass", 1, scalar, measure_heat, "temperature"},
    {"temperature", "K", "of the coldest and the hottest particle", 2, range, measure_temperatures, "temperature"},
    {"solute", "kg", "mass of what is dissolved (2D: a metre of depth)", 1, scalar, measure_solute, "concentration"},
    {"mean_concentration", "kg/m3", "of what is dissolved, by volume", 1, scalar, measure_solute, "concentration"},
};

static const quantity *quantity_named(const char *name)
{
    for (int i = 0; name && i < dew_quantity_count(); i++) {
        if (strcmp(quantities[i].name, name) == 0) return &quantities[i];
    }
    return NULL;
}

int dew_quantity_count(void) { return (int)(sizeof quantities / sizeof *quantities); }

static const quantity *quantity_at(int index)
{
    static const quantity none;
    return index >= 0 && index < dew_quantity_count() ? &quantities[index] : &none;
}
const char *dew_quantity_name(int index) { return quantity_at(index)->name; }
const char *dew_quantity_unit(int index) { return quantity_at(index)->unit; }
/* Shapes of a whole drop at rest are fitted. */
bool dew_quantity_needs_rest(int index) { return quantity_at(index)->measure == measure_contact; }
const char *dew_quantity_sentence(int index) { return quantity_at(index)->sentence; }

int dew_quantity_columns(const char *name, const char *const **suffixes)
{
    const quantity *q = quantity_named(name);
    if (suffixes) *suffixes = q ? q->suffixes : NULL;
    return q ? q->columns : 0;
}

/* --- measuring a frame --- */

struct dew_measurer {
    measured_surface surface;
    dew_part_def of;
    cut_frame cut;
};

dew_result dew_measurer_create(dew_measurer **measurer)
{
    *measurer = calloc(1, sizeof **measurer);
    return *measurer ? DEW_OK : result_fail(DEW_NO_MEMORY, "no memory to measure");
}

void dew_measurer_destroy(dew_measurer *measurer)
{
    if (!measurer) return;
    measured_surface_clear(&measurer->surface);
    cut_frame_clear(&measurer->cut);
    free(measurer);
}

void dew_measurer_select(dew_measurer *measurer, const dew_part_def *of)
{
    measurer->of = of ? *of : (dew_part_def){0};
}

static const void *field_data(const dew_frame *f, const char *name, dew_field_type type, int stride)
{
    dew_field field;
    return dew_frame_field(f, name, &field) && field.type == type && field.stride == stride ? field.data : NULL;
}

/* Quantities of what the scene does not follow are not defined. */
static bool is_followed(const dew_frame *f, const char *field)
{
    bool is_heat = strcmp(field, "temperature") == 0 || strcmp(field, "melted") == 0;
    return is_heat ? f->has_heat : strcmp(field, "concentration") == 0 ? f->has_solute : true;
}

static bool melts(const dew_frame *f)
{
    for (int k = 0; k < f->material_count; k++)
        if (isfinite(f->materials[k].melting_point)) return true;
    return false;
}

/* The field that a quantity needs and the frame lacks; NULL: none. */
static const char *lacking(const measurement *m, const quantity *q)
{
    const char *name = q->field;
    if (m->count == 0 || !name) return NULL;
    if (strcmp(name, "velocity") == 0) return m->velocity ? NULL : name;
    if (strcmp(name, "concentration") == 0) return m->concentration ? NULL : name;
    if (!m->temperature) return "temperature";
    return strcmp(name, "melted") == 0 && !m->melted && melts(m->frame) ? name : NULL;
}

static bool lacks_spin(const dew_frame *f)
{
    return f->method && f->method->has_spin && !field_data(f, "spin", DEW_FIELD_REAL, 4);
}

dew_result measurement_begin(measurement *m, const dew_frame *f, struct measured_surface *surface)
{
    *m = (measurement){.frame = f,
                       .count = f->particle_count,
                       .position = field_data(f, "position", DEW_FIELD_REAL, 4),
                       .velocity = field_data(f, "velocity", DEW_FIELD_REAL, 4),
                       .spin = field_data(f, "spin", DEW_FIELD_REAL, 4),
                       .material = field_data(f, "material", DEW_FIELD_UINT8, 1),
                       .temperature = field_data(f, "temperature", DEW_FIELD_REAL, 1),
                       .melted = field_data(f, "melted", DEW_FIELD_REAL, 1),
                       .concentration = field_data(f, "concentration", DEW_FIELD_REAL, 1),
                       .solid = -1,
                       .surface = surface};
    m->lacks_spin = lacks_spin(f);
    if (f->mouths) m->mouths = f->mouths->of, m->mouth_count = f->mouths->count;
    if (f->material_count < 1) return result_fail(DEW_INVALID, "frame %d has no material", f->index);
    for (int k = 0; k < f->material_count && k <= UINT8_MAX; k++)
        m->mass[k] = f->materials[k].density * pow(f->spacing, f->dimension);
    return m->count > 0 && !m->position ? lacks(f, "position") : DEW_OK;
}

dew_result measure_named(const measurement *m, const char *name, double *values)
{
    const quantity *q = quantity_named(name);
    bool is_known;
    RESULT_TRY(measure_ask_state(m, name, values, &is_known));
    if (is_known) return DEW_OK;
    for (int k = 0; k < q->columns; k++) values[k] = NAN;
    if (q->field && !is_followed(m->frame, q->field)) return DEW_OK;
    const char *field = lacking(m, q);
    if (field) return lacks(m->frame, field);
    return q->measure ? q->measure(m, name, values) : DEW_OK;
}

dew_result dew_measure(dew_measurer *measurer, const dew_frame *frame, const char *name, double *values)
{
    measurement m;
    int solid = -1;
    if (!quantity_named(name)) return result_fail(DEW_INVALID, "there is no quantity \"%s\"", name ? name : "");
    const dew_frame *whole = frame; /* a part knows no method */
    dew_result result = part_solid(frame, &measurer->of, &solid);
    if (result == DEW_OK) result = part_frame(frame, &measurer->of, &measurer->cut, &frame);
    if (result == DEW_OK) result = measurement_begin(&m, frame, &measurer->surface);
    m.solid = solid, m.lacks_spin = lacks_spin(whole);
    if (result == DEW_OK) result = measure_named(&m, name, values);
    return result == DEW_OK ? result : result_within(result, "%s: ", name);
}
