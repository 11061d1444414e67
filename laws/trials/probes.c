/* What trials measure where no quantity gives it. */
#include "probes.h"

#include <math.h>
#include <stdlib.h>

/* The particles that count. */
typedef struct choice {
    int material;      /* -1: any */
    dew_vec3 min, max; /* only those in this box, */
    double radius;     /* and so near to the z axis */
} choice;

static const choice all = {-1, {-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}, INFINITY};

static bool is_chosen(const choice *c, const dew_real *x, int material)
{
    return (c->material < 0 || material == c->material) && x[0] >= c->min.x && x[1] >= c->min.y && x[2] >= c->min.z &&
           x[0] < c->max.x && x[1] < c->max.y && x[2] < c->max.z && hypot((double)x[0], (double)x[1]) < c->radius;
}

/* The mean of function(x, v) over the particles chosen; *count of them. NaN: there are none. */
static double mean_of(const dew_simulation *simulation, choice c,
                      double (*function)(const dew_real *, const dew_real *), int *count)
{
    dew_field x, v, material;
    double sum = 0;
    *count = 0;
    if (!dew_simulation_field(simulation, "position", &x) || !dew_simulation_field(simulation, "velocity", &v))
        return NAN;
    bool is_told = dew_simulation_field(simulation, "material", &material) && material.type == DEW_FIELD_UINT8;
    for (int i = 0; i < x.count; i++) {
        const dew_real *place = (const dew_real *)x.data + (size_t)i * x.stride;
        int of = is_told ? ((const uint8_t *)material.data)[(size_t)i * material.stride] : 0;
        if (!is_chosen(&c, place, of)) continue;
        sum += function(place, (const dew_real *)v.data + (size_t)i * v.stride);
        ++*count;
    }
    return *count > 0 ? sum / *count : NAN;
}

static double cosine_of_x(const dew_real *x, const dew_real *v) { return (void)v, cos((double)x[0]); }
static double upward(const dew_real *x, const dew_real *v) { return (void)x, v[2]; }
static double downward(const dew_real *x, const dew_real *v) { return (void)x, -v[2]; }

double probe_wave(const dew_simulation *simulation)
{
    int count;
    return 2 * M_PI * mean_of(simulation, all, cosine_of_x, &count);
}

double probe_bubble_speed(const dew_simulation *simulation)
{
    choice gas = all;
    int count;
    gas.material = 1;
    return mean_of(simulation, gas, upward, &count);
}

double probe_jet_speed(const dew_simulation *simulation)
{
    choice jet = all;
    int count;
    jet.min.z = -4e-3, jet.max.z = -1e-3;
    return mean_of(simulation, jet, downward, &count);
}

double probe_jet_section(const dew_simulation *simulation)
{
    choice jet = all;
    int count;
    jet.min.z = -4e-3, jet.max.z = -1e-3;
    mean_of(simulation, jet, downward, &count);
    return count * pow(dew_simulation_spacing(simulation), 3) / 3e-3;
}

double probe_rise(const dew_simulation *simulation)
{
    choice inside = all;
    int count, other;
    inside.min.x = -0.5, inside.max.x = 0.5;
    mean_of(simulation, inside, upward, &count);
    choice outside = all;
    outside.min.x = 1.1;
    mean_of(simulation, outside, upward, &other);
    double level = other;
    outside = all, outside.max.x = -1.1;
    mean_of(simulation, outside, upward, &other);
    level = (level + other) / 4.8;
    return (count - level) * pow(dew_simulation_spacing(simulation), 3);
}

/* The bore of the tube of tube.yaml. */
static const double mouth = 2e-3, bore = 1.2e-3, wet_at_first = 2e-3;

/* Volume of the particles in the bore from z = `from` to `to`. */
static double volume_in_bore(const dew_simulation *simulation, double from, double to)
{
    choice within = all;
    int count;
    within.radius = bore, within.min.z = from, within.max.z = to;
    mean_of(simulation, within, upward, &count);
    return count * pow(dew_simulation_spacing(simulation), 3);
}

double probe_bore_rise(const dew_simulation *simulation)
{
    return volume_in_bore(simulation, mouth, INFINITY) / (M_PI * bore * bore) - wet_at_first;
}

double probe_bore_filling(const dew_simulation *simulation)
{
    dew_field x;
    double spacing = dew_simulation_spacing(simulation), low = mouth + spacing, top = low;
    if (!dew_simulation_field(simulation, "position", &x)) return NAN;
    for (int i = 0; i < x.count; i++) {
        const dew_real *at = (const dew_real *)x.data + (size_t)i * x.stride;
        if (hypot((double)at[0], (double)at[1]) < bore) top = fmax(top, (double)at[2]);
    }
    top -= bore; /* the meniscus hangs no lower */
    return top > low + 2 * spacing ? volume_in_bore(simulation, low, top) / (M_PI * bore * bore * (top - low)) : NAN;
}

double probe_pool_depth(const dew_simulation *simulation)
{
    double centre[3], kinetic = 0, mass = 1, gravity = -dew_simulation_frame(simulation)->gravity.z;
    if (dew_simulation_measure(simulation, "centre_of_mass", centre) ||
        dew_simulation_measure(simulation, "kinetic_energy", &kinetic) ||
        dew_simulation_measure(simulation, "mass", &mass))
        return NAN;
    return 2 * (centre[2] - (gravity > 0 ? kinetic / (mass * gravity) : 0));
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double probe_girth(const dew_simulation *simulation)
{
    bulk b = measure_bulk(simulation);
    dew_field x;
    double *distance = malloc(((size_t)b.count + 1) * sizeof *distance), girth = NAN;
    if (distance && b.count > 0 && dew_simulation_field(simulation, "position", &x)) {
        for (int i = 0; i < b.count; i++) {
            const dew_real *at = (const dew_real *)x.data + (size_t)i * x.stride;
            distance[i] = hypot(at[0] - b.centre.x, at[1] - b.centre.y);
        }
        qsort(distance, (size_t)b.count, sizeof *distance, compare_numbers);
        girth = 2 * distance[(int)(0.99 * b.count)] + dew_simulation_spacing(simulation);
    }
    free(distance);
    return girth;
}

double probe_off_axis(const dew_simulation *simulation)
{
    double centre[3];
    return dew_simulation_measure(simulation, "centre_of_mass", centre) ? NAN : hypot(centre[0], centre[1]);
}

double probe_two_bodies(const dew_simulation *simulation)
{
    double bodies[DEW_MOST_COLUMNS];
    return dew_simulation_measure(simulation, "drop_volumes", bodies) ? NAN : bodies[0] + bodies[1];
}

double probe_swelling(const dew_simulation *simulation)
{
    double volume, whole = dew_simulation_particle_count(simulation) * pow(dew_simulation_spacing(simulation), 3);
    return dew_simulation_measure(simulation, "own_volume", &volume) ? NAN : volume / whole;
}
