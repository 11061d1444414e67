/* How dense the liquid is, and how much of it is loose, by sums over a kernel that reaches farther than a method's own,
 * so that they see what its own sum is blind to:
 *
 *     rho/rho0 = sum_x sum_j s^D (W + s^2/24 laplace W)(x - x_j) / sum_x (1 - S(x)),   W ~ (1 - q^2)^4 of reach 3 s
 *
 * over sites x, in the liquid and as deep in solids as the kernel reaches, S the solids' part of the kernel's integral
 * there. Summed over sites on both sides of a solid's face a particle counts once, wherever it lies before the face,
 * and the room up to the face is full: how the first layers lie does not matter. The sites are the cells of a grid, so
 * that they know nothing of particles.
 *
 * Only sites whose whole reach is full count: in each of 26 directions (in two dimensions 8) there is liquid between
 * 2.4 s and 3.4 s away, or a solid, and no air within (hollow.h). Next to a solid that has to hold as deep in the
 * liquid as the kernel sees the solid, or sites on the one side of its face would count without those on the other, and
 * a first layer that stands off by a hundredth of a spacing for three of them. */
#include "base/arena.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "frame/frame.h"
#include "measure/cloud.h"
#include "measure/hollow.h"
#include "measure/near.h"
#include "measure/points.h"
#include "measure/samples.h"
#include "measure/sites.h"
#include "measure/thin.h"
#include "solids/half_space.h"
#include "solids/solids.h"

#include <stdlib.h>
#include <string.h>

enum { POWER = 4, SHELLS = 8, POINTS = MOST_DIRECTIONS * SHELLS };
enum { MOST_NEAR = 2048, LEAST_OF_BODY = 10, SPRAY = 4, GRAIN = 16 };
/* In spacings: the reach of the density's kernel, the shell in which neighbours show that a site is deep, and the
 * width of the cells whose middles are the sites. */
#define REACH 3.0
#define SHELL_FROM 2.4
#define SHELL_TO HOLLOW_REACH
#define CELL 1.15
#define WIDE (SHELL_TO / 2)
/* Farther from a solid than this there is 0.005 of the kernel in it. */
#define AT_SOLID 2.0
/* What lacks less than this share has no air within that matters. */
#define LACK 0.01

/* What the kernel finds about a site; `room` is NaN where its reach is not full. */
typedef struct found {
    double liquid;   /* sum_j s^D (W + s^2/24 laplace W) */
    double room;     /* 1 - S */
    int32_t nearest; /* particle; -1: none */
} found;

typedef struct sampling {
    const measurement *m;
    const real4 *points; /* the particles, and their images in faces of the domain */
    bounds within;       /* faces that liquid passes through */
    point_grid grid;     /* of cells CELL wide, whose middles are the sites */
    point_grid wide;     /* of wider ones, to find what is near */
    site *site;
    found *found; /* at each site */
    int count;
    double norm; /* of the kernel: s^D W(0) */
    int direction_count;
    dew_vec3 direction[MOST_DIRECTIONS];
    double weight[MOST_DIRECTIONS];       /* of a direction in a mean over the sphere */
    double narrow;                        /* cosine of the half angle of a direction's cone */
    double radius[SHELLS], share[SHELLS]; /* of shells: middle (m), share of the kernel's integral */
    half_space beyond;                    /* of the kernel's integral, beyond a plane */
} sampling;

static double kernel(double q2)
{
    double s = fmax(0, 1 - q2);
    return s * s * s * s;
}

static double kernel_at(double q) { return kernel(q * q); }

/* Of a particle, which fills a cell a spacing wide: its mean over that, W + s^2/24 laplace W. */
static double kernel_of_particle(int dimension, double q2)
{
    double s = fmax(0, 1 - q2);
    return s * s * (s * s + (2 * q2 - dimension / 3.0 * s) / (REACH * REACH));
}

/* int (1 - q^2)^4 over the unit ball of D dimensions: pi^(D/2) Gamma(5)/Gamma(5 + D/2). */
static double kernel_integral(int dimension)
{
    return pow(PI, 0.5 * dimension) * exp(lgamma(POWER + 1.0) - lgamma(POWER + 1 + 0.5 * dimension));
}

/* Lebedev's rule of 26 points, exact to the seventh degree; in two dimensions eight on a circle, which is so too. */
static void set_directions(sampling *s)
{
    static const double of_kind[4] = {0, 0.047619047619047619, 0.038095238095238095, 0.032142857142857143};
    bool is_flat = s->m->frame->dimension == 2;
    int kind[MOST_DIRECTIONS];
    s->direction_count = samples_directions(s->m->frame->dimension, s->direction, kind);
    for (int u = 0; u < s->direction_count; u++) s->weight[u] = is_flat ? 0.125 : of_kind[kind[u]];
    s->narrow = is_flat ? 0.85 : 0.9;
    s->norm = 1 / (kernel_integral(s->m->frame->dimension) * pow(REACH, s->m->frame->dimension));
    double sum = 0;
    for (int k = 0; k < SHELLS; k++) {
        double q = (k + 0.5) / SHELLS;
        s->radius[k] = q * REACH * s->m->frame->spacing;
        sum += s->share[k] = kernel(q * q) * pow(q, s->m->frame->dimension - 1);
    }
    for (int k = 0; k < SHELLS; k++) s->share[k] /= sum;
    double number = 1 / kernel_integral(s->m->frame->dimension);
    half_space_make(&s->beyond, kernel_at, s->m->frame->dimension, number);
}

/* The rule's directions at a site are turned by chance, of its hash, so that faces along the grid do not meet the same
 * points of the rule at every site. */
static void turn_directions(const sampling *s, point_cell c, dew_vec3 *direction)
{
    double u[3];
    uint64_t h = 0;
    for (int a = 0; a < 3; a++) h = hash_mix(h, (uint32_t)c.at[a]);
    for (int k = 0; k < 3; k++) u[k] = (double)((h = hash_mix(h, (uint64_t)k)) >> 11) * 0x1p-53;
    double z = s->m->frame->dimension == 2 ? 1 : 2 * u[0] - 1, r = sqrt(1 - z * z);
    dew_vec3 pole = {r * cos(2 * PI * u[1]), r * sin(2 * PI * u[1]), z}, first = vec3_perpendicular(pole);
    dew_vec3 second = vec3_cross(pole, first), row[3];
    row[0] = vec3_add(vec3_scale(cos(2 * PI * u[2]), first), vec3_scale(sin(2 * PI * u[2]), second));
    row[1] = vec3_cross(pole, row[0]), row[2] = pole;
    for (int k = 0; k < s->direction_count; k++) direction[k] = vec3_turned_back(row, s->direction[k]);
}

/* Which of `count` points lie in a solid, each so far (m) about x along one of the directions. */
static void find_inside(const sampling *s, dew_vec3 x, const dew_vec3 *direction, const double *radius, int shells,
                        bool *is_inside)
{
    real4 point[POINTS] = {{0}}, wall[POINTS];
    int32_t which[POINTS];
    int count = s->direction_count * shells;
    for (int k = 0; k < count; k++) {
        dew_vec3 to = vec3_add(x, vec3_scale(radius[k % shells], direction[k / shells]));
        point[k] = (real4){(real)to.x, (real)to.y, (real)to.z, 0};
    }
    solids_nearest(s->m->frame->solids, s->m->frame->spacing, count, point, wall, which);
    for (int k = 0; k < count; k++) is_inside[k] = which[k] >= 0 && wall[k].w <= 0;
}

/* Normal of the nearest solid, and its distance (m) in w: INFINITY beyond the kernel's reach. */
static real4 solid_near(const sampling *s, dew_vec3 x)
{
    real4 here = {(real)x.x, (real)x.y, (real)x.z, 0}, nearest;
    int32_t which = -1;
    if (dew_frame_solid_count(s->m->frame) > 0)
        solids_nearest(s->m->frame->solids, REACH * s->m->frame->spacing, 1, &here, &nearest, &which);
    return which < 0 ? (real4){0, 0, 0, INFINITY} : nearest;
}

/* Of the kernel's integral, beyond a plane so far away; from within it, what is left of all. */
static double beyond_plane(const sampling *s, double distance)
{
    double u = fabs(distance) / (REACH * s->m->frame->spacing), part = (double)half_space_at(s->beyond.sum, (real)u);
    return distance < 0 ? 1 - part : part;
}

/* The solids' part of the kernel's integral: that beyond the plane of the nearest face, and by the points of the rule
 * what solids have more or less than it. */
static double solid_part(const sampling *s, dew_vec3 x, const dew_vec3 *direction)
{
    bool is_inside[POINTS];
    real4 plane = solid_near(s, x);
    dew_vec3 normal = {plane.x, plane.y, plane.z};
    double distance = (double)plane.w, more = 0;
    find_inside(s, x, direction, s->radius, SHELLS, is_inside);
    for (int k = 0; k < s->direction_count * SHELLS; k++) {
        int u = k / SHELLS, shell = k % SHELLS;
        bool is_beyond = distance + s->radius[shell] * vec3_dot(direction[u], normal) <= 0;
        more += (is_inside[k] - is_beyond) * s->weight[u] * s->share[shell];
    }
    return beyond_plane(s, distance) + more;
}

/* Whether each direction meets liquid or a solid; near: the `count` points about x. */
static bool is_enclosed(const sampling *s, dew_vec3 x, const dew_vec3 *direction, const near_point *near, int count,
                        bool has_solids)
{
    bool is_filled[MOST_DIRECTIONS] = {false}, is_full = true;
    for (int k = 0; k < count; k++) {
        double r = sqrt(near[k].r2);
        for (int u = 0; u < s->direction_count && r > SHELL_FROM * s->m->frame->spacing; u++)
            is_filled[u] |= vec3_dot(near[k].d, direction[u]) > s->narrow * r;
    }
    bool is_inside[POINTS] = {false};
    if (has_solids) find_inside(s, x, direction, &s->radius[SHELLS - 1], 1, is_inside);
    for (int u = 0; u < s->direction_count; u++) is_full &= is_filled[u] || is_inside[u];
    return is_full;
}

/* Layers come one by one, and leave half a spacing free behind them. */
static bool is_at_mouth(const sampling *s, dew_vec3 x)
{
    for (int k = 0; k < s->m->mouth_count; k++) {
        const inflow_mouth *of = &s->m->mouths[k];
        if (vec3_length(vec3_sub(x, of->centre)) < of->radius + SHELL_TO * s->m->frame->spacing) return true;
    }
    return false;
}

/* No liquid is farther from the foot than from the site behind it. */
static int points_near(const sampling *s, dew_vec3 foot, near_point *near)
{
    return near_points(&s->wide, s->points, foot, SHELL_TO * s->m->frame->spacing, MOST_NEAR, near);
}

/* Takes the sum over the points about the site's foot, and which of the particles is nearest to that. */
static void sum_liquid(const sampling *s, const site *at, const near_point *near, int count, found *p)
{
    dew_vec3 deep = vec3_sub(at->x, at->foot);
    double sum = 0, least = INFINITY, reach = REACH * s->m->frame->spacing;
    p->nearest = -1;
    for (int k = 0; k < count; k++) {
        dew_vec3 d = vec3_sub(near[k].d, deep);
        sum += kernel_of_particle(s->m->frame->dimension, vec3_dot(d, d) / (reach * reach));
        if (near[k].index < s->m->count && (near[k].r2 < least || (near[k].r2 == least && near[k].index < p->nearest)))
            least = near[k].r2, p->nearest = near[k].index;
    }
    p->liquid = sum * s->norm;
}

static void look_at(const sampling *s, const site *at, found *p, near_point *near)
{
    dew_vec3 direction[MOST_DIRECTIONS];
    double spacing = s->m->frame->spacing;
    p->room = NAN, p->nearest = -1;
    if (!bounds_has(s->within, at->x) || is_at_mouth(s, at->x)) return;
    turn_directions(s, at->cell, direction);
    real4 solid = solid_near(s, at->foot);
    bool has_solids = solid.w < INFINITY;
    int count = points_near(s, at->foot, near);
    sum_liquid(s, at, near, count, p);
    if (p->nearest < 0 || !is_enclosed(s, at->foot, direction, near, count, has_solids)) return;
    double room = has_solids ? 1 - solid_part(s, at->x, direction) : 1;
    if (p->liquid < (1 - LACK) * room && measure_is_hollow(s->m, at->foot, near, count)) return;
    if (solid.w < (real)(AT_SOLID * spacing)) {
        dew_vec3 normal = {solid.x, solid.y, solid.z};
        dew_vec3 ahead = vec3_add(at->foot, vec3_scale(AT_SOLID * spacing - (double)solid.w, normal));
        count = points_near(s, ahead, near);
        if (!is_enclosed(s, ahead, direction, near, count, true)) return;
    }
    p->room = room;
}

static void look_at_sites(int begin, int end, void *context)
{
    const sampling *s = context;
    near_point near[MOST_NEAR];
    for (int k = begin; k < end; k++) look_at(s, &s->site[k], &s->found[k], near);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Takes densities by body, and the share of all by which 99 % are off at most. */
static dew_result gather_density(const sampling *s, const int32_t *body, const int32_t *size, arena *memory,
                                 liquid_density *out)
{
    int count = 0, bodies = s->m->count;
    ARENA_ARRAY_ZEROED(memory, bodies, bool, is_told);
    ARENA_ARRAY_ZEROED(memory, bodies, double, liquid);
    ARENA_ARRAY_ZEROED(memory, bodies, double, room);
    ARENA_ARRAY(memory, s->count, double, off);
    for (int k = 0; k < s->count; k++) {
        const found *p = &s->found[k];
        if (isnan(p->room)) continue;
        int b = body[p->nearest];
        liquid[b] += p->liquid, room[b] += p->room;
        if (p->room > 0.5) off[count++] = fabs(p->liquid / p->room - 1);
    }
    for (int b = 0; b < bodies; b++) {
        double mean = liquid[b] / room[b] - 1;
        is_told[b] = room[b] >= LEAST_OF_BODY;
        if (is_told[b] && !(fabs(mean) <= fabs(out->mean))) out->mean = mean;
    }
    RESULT_TRY(measure_thin_density(s->m, body, size, is_told, memory, &out->mean));
    if (count < LEAST_OF_BODY) return DEW_OK;
    qsort(off, (size_t)count, sizeof *off, ascending);
    out->spread = off[(int)(0.99 * (count - 1))];
    return DEW_OK;
}

static dew_result find_bodies(const measurement *m, arena *memory, int32_t **body, int32_t **size, double *loose)
{
    double period[3], all = 0, spray = 0;
    measure_period(&m->frame->domain, period);
    RESULT_TRY(measure_body_numbers(m->position, m->count, m->frame->spacing, period, memory, body, size));
    for (int i = 0; i < m->count; i++) {
        double mass = m->mass[material_of(m, i)];
        all += mass;
        if ((*size)[(*body)[i]] < SPRAY) spray += mass;
    }
    *loose = spray / all;
    return DEW_OK;
}

/* Takes what is found at the sites. */
static dew_result sample_in(const measurement *m, int samples, cloud *c, arena *memory, sampling *s)
{
    *s = (sampling){.m = m};
    RESULT_TRY(cloud_gather(m, SHELL_TO * m->frame->spacing, false, c, &s->within));
    s->points = c->points;
    RESULT_TRY(point_grid_create(&s->grid, c->points, c->count, CELL * m->frame->spacing, memory));
    RESULT_TRY(point_grid_create(&s->wide, c->points, c->count, WIDE * m->frame->spacing, memory));
    RESULT_TRY(sites_choose(m, &s->grid, CELL * m->frame->spacing, REACH * m->frame->spacing, samples, memory, &s->site,
                            &s->count));
    ARENA_TRY(memory, s->count, s->found);
    set_directions(s);
    parallel_for(s->count, GRAIN, look_at_sites, s);
    return DEW_OK;
}

/* Of all sites together; NaN where none has its reach full. */
static double mean_of(const sampling *s)
{
    double liquid = 0, room = 0;
    for (int k = 0; k < s->count; k++)
        if (!isnan(s->found[k].room)) liquid += s->found[k].liquid, room += s->found[k].room;
    return liquid / room - 1;
}

static dew_result density_in(const measurement *m, int samples, bool is_by_body, cloud *c, arena *memory,
                             liquid_density *out)
{
    sampling s;
    int32_t *body, *size;
    RESULT_TRY(sample_in(m, samples, c, memory, &s));
    if (!is_by_body) return out->mean = mean_of(&s), DEW_OK;
    RESULT_TRY(find_bodies(m, memory, &body, &size, &out->loose));
    return gather_density(&s, body, size, memory, out);
}

static dew_result find_density(const measurement *m, int samples, bool is_by_body, liquid_density *out)
{
    *out = (liquid_density){NAN, NAN, 0};
    if (m->count == 0) return DEW_OK;
    cloud c = {0};
    arena *memory = arena_create();
    dew_result result = memory ? density_in(m, samples, is_by_body, &c, memory, out)
                               : result_fail(DEW_NO_MEMORY, "no memory to measure the density");
    arena_destroy(memory);
    aligned_release(c.points);
    return result;
}

dew_result measure_density(const measurement *m, int samples, liquid_density *out)
{
    return find_density(m, samples, true, out);
}

dew_result measure_mean_density(const measurement *m, int samples, double *mean)
{
    liquid_density density;
    RESULT_TRY(find_density(m, samples, false, &density));
    *mean = density.mean;
    return DEW_OK;
}

dew_result measure_density_error(const measurement *m, const char *name, double *values)
{
    (void)name;
    liquid_density density;
    RESULT_TRY(measure_density(m, m->count, &density));
    values[0] = density.mean, values[1] = density.spread;
    return DEW_OK;
}

dew_result measure_loose(const measurement *m, const char *name, double *values)
{
    (void)name;
    int32_t *body, *size;
    if (m->count == 0) return DEW_OK;
    arena *memory = arena_create();
    dew_result result = memory ? find_bodies(m, memory, &body, &size, values)
                               : result_fail(DEW_NO_MEMORY, "no memory to measure the loose liquid");
    arena_destroy(memory);
    return result;
}
