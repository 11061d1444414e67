/* Quantities: the table of what can be measured, and how each is. */
#include "sim/measure.h"

#include "base/parallel.h"
#include "sim/simulation.h"

#include <stdlib.h>
#include <string.h>

enum { SPRAY = 4 };

typedef dew_result measure_fcn(const dew_simulation *s, const char *name, double *values);

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

static void sum_up(const dew_simulation *s, double *sums)
{
    parallel_sum(s->particles.count, SUMS, add_sums, (void *)s, sums);
}

static dew_vec3 centre_of_mass(const dew_simulation *s, const double *sums)
{
    return vec3_add(s->centre, vec3_scale(1 / sums[SUM_MASS], (dew_vec3){sums[SUM_X], sums[SUM_Y], sums[SUM_Z]}));
}

static dew_result measure_sum(const dew_simulation *s, const char *name, double *values)
{
    double sums[SUMS];
    sum_up(s, sums);
    dew_vec3 p = {sums[SUM_PX], sums[SUM_PY], sums[SUM_PZ]}, c = centre_of_mass(s, sums);
    switch (name[0]) {
    case 'k':
        values[0] = sums[SUM_ENERGY];
        break;
    case 'p':
        values[0] = -sums[SUM_MASS] * vec3_dot(s->w.gravity, c);
        break;
    case 'm':
        if (name[1] == 'a')
            values[0] = sums[SUM_MASS];
        else
            memcpy(values, &p, sizeof p);
        break;
    case 'c':
        memcpy(values, &c, sizeof c);
        break;
    default: {
        dew_vec3 about = vec3_cross(vec3_sub(c, s->centre), p);
        values[0] = sums[SUM_LX] - about.x, values[1] = sums[SUM_LY] - about.y, values[2] = sums[SUM_LZ] - about.z;
    }
    }
    return DEW_OK;
}

static dew_result measure_count(const dew_simulation *s, const char *name, double *values)
{
    (void)name;
    values[0] = s->particles.count;
    return DEW_OK;
}

/* --- maxima --- */

static void add_maxima(int begin, int end, void *context, double *maxima)
{
    const particles *p = context;
    for (int i = begin; i < end; i++) {
        real4 x = p->position[i], v = p->velocity[i];
        double value[7] = {x.x, x.y, x.z, -x.x, -x.y, -x.z, (double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z};
        for (int k = 0; k < 7; k++) maxima[k] = fmax(maxima[k], value[k]);
    }
}

static dew_result measure_maximum(const dew_simulation *s, const char *name, double *values)
{
    double maxima[7];
    parallel_max(s->particles.count, 7, add_maxima, (void *)&s->particles, maxima);
    if (name[0] == 'm') {
        values[0] = s->particles.count > 0 ? sqrt(maxima[6]) : 0;
        return DEW_OK;
    }
    for (int a = 0; a < 3; a++) values[a] = s->particles.count > 0 ? maxima[a] + maxima[a + 3] + s->w.spacing : NAN;
    return DEW_OK;
}

/* --- the wall below --- */

/* The wall that the liquid rests on: of all particles within 1.5 spacing of a solid the one nearest to it, with the
 * place and normal of the wall there. False: none touches. */
static dew_result find_wall(const dew_simulation *s, bool *is_there, dew_vec3 *point, dew_vec3 *normal)
{
    const particles *p = &s->particles;
    *is_there = false, *point = *normal = (dew_vec3){0, 0, 0};
    if (solids_count(s->w.solids) == 0 || p->count == 0) return DEW_OK;
    real4 *walls = aligned_obtain((size_t)p->count * sizeof *walls);
    int32_t *which = malloc((size_t)p->count * sizeof *which);
    dew_result result = walls && which ? DEW_OK : result_fail(DEW_NO_MEMORY, "no memory to measure the wall");
    if (result == DEW_OK) {
        double nearest = 1.5 * s->w.spacing;
        solids_nearest(s->w.solids, 1.5 * s->w.spacing, p->count, p->position, walls, which);
        for (int i = 0; i < p->count; i++) {
            if (which[i] < 0 || !(walls[i].w < nearest)) continue;
            nearest = walls[i].w, *is_there = true;
            *normal = (dew_vec3){walls[i].x, walls[i].y, walls[i].z};
            *point = vec3_sub((dew_vec3){p->position[i].x, p->position[i].y, p->position[i].z},
                              vec3_scale(nearest, *normal));
        }
    }
    aligned_release(walls);
    free(which);
    return result;
}

static dew_result measure_height(const dew_simulation *s, const char *name, double *values)
{
    (void)name;
    double maxima[7];
    values[0] = NAN;
    if (s->particles.count == 0) return DEW_OK;
    parallel_max(s->particles.count, 7, add_maxima, (void *)&s->particles, maxima);
    bool is_there;
    dew_vec3 point, normal;
    RESULT_TRY(find_wall(s, &is_there, &point, &normal));
    double half = 0.5 * s->w.spacing, bottom = -maxima[5] - half;
    if (is_there && normal.z > 0.9) bottom = point.z;
    values[0] = maxima[2] + half - bottom;
    return DEW_OK;
}

/* --- the surface --- */

/* Positions of the particles that the method's field "is_surface" marks; *count = -1: there is no such field. */
static dew_result surface_points(const dew_simulation *s, real4 **points, int *count)
{
    const particles *p = &s->particles;
    int field = particles_find_field(p, "is_surface");
    *points = NULL, *count = -1;
    if (field < 0 || p->info[field].type != FIELD_UINT8) return DEW_OK;
    *points = aligned_obtain(((size_t)p->count + 1) * sizeof **points);
    if (!*points) return result_fail(DEW_NO_MEMORY, "no memory to measure the surface");
    const uint8_t *is_surface = particles_field(p, field);
    *count = 0;
    for (int i = 0; i < p->count; i++) {
        if (is_surface[i]) (*points)[(*count)++] = p->position[i];
    }
    return DEW_OK;
}

static dew_result measure_mode_amplitudes(const dew_simulation *s, const char *name, double *values)
{
    (void)name;
    real4 *points;
    int count;
    double sums[SUMS];
    for (int k = 0; k < MODE_COUNT; k++) values[k] = NAN;
    RESULT_TRY(surface_points(s, &points, &count));
    sum_up(s, sums);
    double radius = cbrt(3 * sums[SUM_VOLUME] / (4 * acos(-1.0)));
    if (count > 0 && !measure_modes(points, count, centre_of_mass(s, sums), radius, s->w.spacing, values)) {
        for (int k = 0; k < MODE_COUNT; k++) values[k] = NAN;
    }
    aligned_release(points);
    return DEW_OK;
}

static dew_result measure_contact(const dew_simulation *s, const char *name, double *values)
{
    real4 *points;
    int count;
    bool is_there;
    dew_vec3 point, normal;
    values[0] = NAN;
    RESULT_TRY(find_wall(s, &is_there, &point, &normal));
    if (!is_there) return DEW_OK;
    RESULT_TRY(surface_points(s, &points, &count));
    double angle, radius;
    if (count > 0 && measure_cap(points, count, point, normal, s->w.spacing, &angle, &radius)) {
        values[0] = strcmp(name, "contact_angle") == 0 ? angle : radius;
    }
    aligned_release(points);
    return DEW_OK;
}

static dew_result measure_thinnest(const dew_simulation *s, const char *name, double *values)
{
    (void)name;
    double sums[SUMS];
    sum_up(s, sums);
    values[0] = s->particles.count > 0
                    ? measure_neck(s->particles.position, s->particles.count, centre_of_mass(s, sums), s->w.spacing)
                    : NAN;
    return DEW_OK;
}

static dew_result measure_drops(const dew_simulation *s, const char *name, double *values)
{
    (void)name;
    int drops = measure_components(s->particles.position, s->particles.count, s->w.spacing, SPRAY);
    values[0] = drops;
    return drops < 0 ? result_fail(DEW_NO_MEMORY, "no memory to count the drops") : DEW_OK;
}

/* What only the method knows. */
static dew_result measure_method(const dew_simulation *s, const char *name, double *values)
{
    const method *m = s->method;
    if (m->measure && m->measure(s->state, &s->w, name, &values[0])) return DEW_OK;
    values[0] = NAN;
    if (strcmp(name, "volume") == 0) {
        double sums[SUMS];
        sum_up(s, sums);
        values[0] = sums[SUM_VOLUME];
    } else if (strcmp(name, "surface_energy") == 0 && s->w.material_count == 1) {
        double area;
        if (m->measure && m->measure(s->state, &s->w, "surface_area", &area)) {
            values[0] = area * s->materials[0].surface_tension;
        }
    }
    return DEW_OK;
}

static const char *const scalar[] = {""};
static const char *const vector[] = {"x", "y", "z"};
static const char *const modes[] = {"2", "3", "4", "5", "6"};

static const quantity quantities[] = {
    {"kinetic_energy", "J", "sum of m v^2/2", 1, scalar, measure_sum},
    {"potential_energy", "J", "of gravity, 0 at the origin: -M g . centre of mass", 1, scalar, measure_sum},
    {"momentum", "kg m/s", "sum of m v", 3, vector, measure_sum},
    {"angular_momentum", "kg m2/s", "about the centre of mass", 3, vector, measure_sum},
    {"centre_of_mass", "m", "sum of m x over the mass", 3, vector, measure_sum},
    {"mass", "kg", "of all particles (per metre of depth in 2D)", 1, scalar, measure_sum},
    {"particle_count", "1", "particles there are now", 1, scalar, measure_count},
    {"max_speed", "m/s", "of the fastest particle", 1, scalar, measure_maximum},
    {"extent", "m", "size of the box around the liquid, a particle's width included", 3, vector, measure_maximum},
    {"height", "m", "of the liquid's top above the floor it touches, or above its own lowest point", 1, scalar,
     measure_height},
    {"surface_area", "m2", "of the liquid's free surface, by the method's own mesh", 1, scalar, measure_method},
    {"surface_energy", "J", "surface tension times area", 1, scalar, measure_method},
    {"volume", "m3", "by the method's own mesh where it has one, else mass over density", 1, scalar, measure_method},
    {"pressure_jump", "Pa", "mean pressure inside over that outside, by the method", 1, scalar, measure_method},
    {"modes", "1",
     "amplitudes of the axisymmetric modes n = 2..6 about z over the radius at rest, from surface particles",
     MODE_COUNT, modes, measure_mode_amplitudes},
    {"contact_radius", "m", "of the wetted disc of one drop on a plane, by a spherical cap", 1, scalar,
     measure_contact},
    {"contact_angle", "degree", "in the liquid, of one drop on a plane, by a spherical cap", 1, scalar,
     measure_contact},
    {"neck_radius", "m", "of the thinnest place about the vertical axis; 0 where parted", 1, scalar, measure_thinnest},
    {"drop_count", "1", "bodies of liquid of at least 4 particles, farther than 1.6 spacings apart", 1, scalar,
     measure_drops},
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
    return q->measure(s, name, values);
}
