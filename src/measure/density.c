/* How dense the liquid is, how fast viscosity takes its energy, how much of it is loose: sums over kernels that reach
 * farther than a method's own, so that they see what its own sum is blind to.
 *
 * Density: rho/rho0 = sum_j s^D W(x_i - x_j) / (1 - S), W ~ (1 - q^2)^4 of reach 3 s, S the solids' part of the
 * kernel's integral. Only particles whose whole reach is full tell it: in each of 26 directions (in two dimensions 8)
 * there is liquid between 2.4 s and 3.4 s away, or a solid. */
#include "base/arena.h"
#include "base/matrix.h"
#include "base/parallel.h"
#include "measure/cloud.h"
#include "measure/points.h"
#include "measure/thin.h"
#include "particles/point_grid.h"
#include "solids/solids.h"

#include <stdlib.h>
#include <string.h>

enum { POWER = 4, DIRECTIONS = 26, SHELLS = 4, PLACES = DIRECTIONS * SHELLS };
enum { MOST_NEAR = 2048, LEAST_OF_BODY = 16, SPRAY = 4, GRAIN = 16 };
/* In spacings: the reach of the density's kernel, the shell in which neighbours show that a particle is deep, over
 * which depth a solid's edge is spread, and the reach of velocity gradients. */
#define REACH 3.0
#define SHELL_FROM 2.4
#define SHELL_TO 3.4
#define SOLID_EDGE 0.6
#define GRADIENT_REACH 2.0
#define CELL 1.15

typedef struct sampling {
    const measurement *m;
    const real4 *points; /* the particles, and what else counts */
    point_grid grid;
    int step, count; /* every step-th particle, by id, is a sample */
    int32_t *sample;
    double *value; /* of each sample; NaN: it tells nothing */
    double norm;   /* of the kernel: s^D W(0) */
    int direction_count;
    dew_vec3 direction[DIRECTIONS];
    double weight[DIRECTIONS];            /* of a direction in a mean over the sphere */
    double narrow;                        /* cosine of the half angle of a direction's cone */
    double radius[SHELLS], share[SHELLS]; /* of shells: middle (m), share of the kernel's integral */
} sampling;

/* A point near another, against it, in spacings. */
typedef struct near_point {
    dew_vec3 d;
    double r2;
    int32_t index;
} near_point;

static int find_near(const sampling *s, int i, double reach, near_point *near)
{
    double spacing = s->m->frame->spacing;
    dew_vec3 x = {s->points[i].x, s->points[i].y, s->points[i].z};
    int count = 0;
    POINTS_NEAR(&s->grid, s->points, x, reach * spacing, j)
    {
        real4 y = s->points[j];
        dew_vec3 d = vec3_scale(1 / spacing, vec3_sub((dew_vec3){y.x, y.y, y.z}, x));
        if (count < MOST_NEAR) near[count++] = (near_point){d, vec3_dot(d, d), j};
    }
    return count;
}

/* Chooses the samples: by id, so that the order of storage does not matter. */
static dew_result begin_sampling(sampling *s, const measurement *m, int samples, const real4 *points, int count,
                                 arena *memory)
{
    dew_field id;
    const int32_t *ids = dew_frame_field(m->frame, "id", &id) && id.type == DEW_FIELD_INT32 ? id.data : NULL;
    *s = (sampling){.m = m, .points = points, .step = (m->count + samples - 1) / samples};
    ARENA_TRY(memory, m->count, s->sample, s->value);
    for (int i = 0; i < m->count; i++)
        if ((ids ? ids[i] : i) % s->step == 0) s->sample[s->count++] = i;
    return point_grid_create(&s->grid, points, count, CELL * m->frame->spacing, memory);
}

/* --- density --- */

static double kernel(double q2)
{
    double s = fmax(0, 1 - q2);
    return s * s * s * s;
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
    for (int k = 0; k < 27; k++) {
        int x = k % 3 - 1, y = k / 3 % 3 - 1, z = k / 9 - 1, kind = abs(x) + abs(y) + abs(z);
        if (kind == 0 || (is_flat && z != 0)) continue;
        s->direction[s->direction_count] = vec3_normalise((dew_vec3){x, y, z});
        s->weight[s->direction_count++] = is_flat ? 0.125 : of_kind[kind];
    }
    s->narrow = is_flat ? 0.85 : 0.9;
    s->norm = 1 / (kernel_integral(s->m->frame->dimension) * pow(REACH, s->m->frame->dimension));
    double sum = 0;
    for (int k = 0; k < SHELLS; k++) {
        double q = (k + 0.5) / SHELLS;
        s->radius[k] = q * REACH * s->m->frame->spacing;
        sum += s->share[k] = kernel(q * q) * pow(q, s->m->frame->dimension - 1);
    }
    for (int k = 0; k < SHELLS; k++) s->share[k] /= sum;
}

/* The solids' part of the kernel's integral about a particle; directions that end in one are filled. */
static double solid_part(const sampling *s, int i, bool *is_filled)
{
    real4 place[PLACES], wall[PLACES], here = s->points[i], nearest;
    int32_t which[PLACES];
    double spacing = s->m->frame->spacing, inside = 0;
    if (dew_frame_solid_count(s->m->frame) == 0) return 0;
    solids_nearest(s->m->frame->solids, (SHELL_TO + 1) * spacing, 1, &here, &nearest, which);
    if (which[0] < 0) return 0;
    int count = s->direction_count * SHELLS;
    for (int k = 0; k < count; k++) {
        dew_vec3 d = vec3_scale(s->radius[k % SHELLS], s->direction[k / SHELLS]);
        place[k] = (real4){(real)(here.x + d.x), (real)(here.y + d.y), (real)(here.z + d.z), 0};
    }
    solids_nearest(s->m->frame->solids, spacing, count, place, wall, which);
    for (int k = 0; k < count; k++) {
        double part = which[k] < 0 ? 0 : fmin(fmax(0.5 - (double)wall[k].w / (SOLID_EDGE * spacing), 0), 1);
        inside += part * s->weight[k / SHELLS] * s->share[k % SHELLS];
        if (k % SHELLS == SHELLS - 1 && part > 0) is_filled[k / SHELLS] = true;
    }
    return inside;
}

/* Layers come one by one, and leave half a spacing free behind them. */
static bool is_at_mouth(const sampling *s, int i)
{
    for (int k = 0; k < s->m->mouth_count; k++) {
        real4 c = s->m->mouths[k], x = s->points[i];
        dew_vec3 d = {(double)x.x - c.x, (double)x.y - c.y, (double)x.z - c.z};
        if (vec3_length(d) < (double)c.w + SHELL_TO * s->m->frame->spacing) return true;
    }
    return false;
}

/* The share by which it is denser than at rest; NaN where its reach is not full. */
static double excess_at(const sampling *s, int i, near_point *near)
{
    bool is_filled[DIRECTIONS] = {false};
    if (is_at_mouth(s, i)) return NAN;
    int count = find_near(s, i, SHELL_TO, near);
    double sum = 0, solid = solid_part(s, i, is_filled);
    for (int k = 0; k < count; k++) {
        double r = sqrt(near[k].r2);
        sum += kernel(near[k].r2 / (REACH * REACH));
        for (int u = 0; u < s->direction_count && r > SHELL_FROM; u++)
            is_filled[u] |= vec3_dot(near[k].d, s->direction[u]) > s->narrow * r;
    }
    for (int u = 0; u < s->direction_count; u++)
        if (!is_filled[u]) return NAN;
    return sum * s->norm / (1 - solid) - 1;
}

static void find_excess(int begin, int end, void *context)
{
    const sampling *s = context;
    near_point near[MOST_NEAR];
    for (int k = begin; k < end; k++) s->value[k] = excess_at(s, s->sample[k], near);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Takes means by body, and the share of all that is not exceeded by 99 %. */
static dew_result gather_density(sampling *s, const int32_t *body, const int32_t *size, arena *memory,
                                 liquid_density *out)
{
    int count = 0, bodies = s->m->count;
    ARENA_ARRAY_ZEROED(memory, bodies, bool, is_told);
    ARENA_ARRAY_ZEROED(memory, bodies, double, sum);
    ARENA_ARRAY_ZEROED(memory, bodies, int32_t, number);
    for (int k = 0; k < s->count; k++) {
        if (isnan(s->value[k])) continue;
        int b = body[s->sample[k]];
        sum[b] += s->value[k], number[b]++;
        s->value[count++] = fabs(s->value[k]);
    }
    for (int b = 0; b < bodies; b++) {
        double mean = sum[b] / number[b];
        is_told[b] = number[b] >= LEAST_OF_BODY;
        if (is_told[b] && !(fabs(mean) <= fabs(out->mean))) out->mean = mean;
    }
    RESULT_TRY(measure_thin_density(s->m, body, size, is_told, memory, &out->mean));
    if (count < LEAST_OF_BODY) return DEW_OK;
    qsort(s->value, (size_t)count, sizeof *s->value, ascending);
    out->spread = s->value[(int)(0.99 * (count - 1))];
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

static dew_result density_in(const measurement *m, int samples, cloud *c, arena *memory, liquid_density *out)
{
    sampling s;
    bounds within;
    int32_t *body, *size;
    RESULT_TRY(cloud_gather(m, SHELL_TO * m->frame->spacing, false, c, &within));
    RESULT_TRY(begin_sampling(&s, m, samples, c->points, c->count, memory));
    set_directions(&s);
    parallel_for(s.count, GRAIN, find_excess, &s);
    RESULT_TRY(find_bodies(m, memory, &body, &size, &out->loose));
    return gather_density(&s, body, size, memory, out);
}

dew_result measure_density(const measurement *m, int samples, liquid_density *out)
{
    *out = (liquid_density){NAN, NAN, 0};
    if (m->count == 0) return DEW_OK;
    cloud c = {0};
    arena *memory = arena_create();
    dew_result result = memory ? density_in(m, samples, &c, memory, out)
                               : result_fail(DEW_NO_MEMORY, "no memory to measure the density");
    arena_destroy(memory);
    aligned_release(c.points);
    return result;
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

/* --- what viscosity takes --- */

/* D:D of the linear field that fits the velocities around best, 1/s^2; NaN with too few of them. */
static double square_rate_at(const sampling *s, int i, near_point *near)
{
    const measurement *m = s->m;
    int count = find_near(s, i, GRADIENT_REACH, near), dimension = m->frame->dimension;
    double square[6] = {0}, moment[3][3] = {{0}};
    real4 v = m->velocity[i];
    for (int k = 0; k < count; k++) {
        double w = kernel(near[k].r2 / (GRADIENT_REACH * GRADIENT_REACH));
        real4 u = m->velocity[near[k].index];
        const double d[3] = {near[k].d.x, near[k].d.y, near[k].d.z};
        const double dv[3] = {(double)u.x - v.x, (double)u.y - v.y, (double)u.z - v.z};
        square[0] += w * d[0] * d[0], square[1] += w * d[1] * d[1], square[2] += w * d[2] * d[2];
        square[3] += w * d[1] * d[2], square[4] += w * d[2] * d[0], square[5] += w * d[0] * d[1];
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) moment[a][b] += w * dv[a] * d[b];
    }
    if (dimension == 2) square[2] = square[0] + square[1];
    double g[3][3] = {{0}}, sum = 0;
    for (int a = 0; a < dimension; a++)
        if (!matrix_solve_symmetric(square, moment[a], 1e-4, g[a])) return NAN;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            double rate = (g[a][b] + g[b][a]) / (2 * m->frame->spacing);
            sum += rate * rate;
        }
    return sum;
}

typedef struct taking {
    sampling s;
    const real *viscosity; /* of each particle; NULL: that of its material */
} taking;

static void find_rates(int begin, int end, void *context)
{
    const taking *t = context;
    const measurement *m = t->s.m;
    near_point near[MOST_NEAR];
    double volume = pow(m->frame->spacing, m->frame->dimension);
    for (int k = begin; k < end; k++) {
        int i = t->s.sample[k];
        double mu = t->viscosity ? (double)t->viscosity[i] : m->frame->materials[material_of(m, i)].viscosity;
        t->s.value[k] = 2 * mu * volume * square_rate_at(&t->s, i, near);
    }
}

static dew_result dissipation_in(const measurement *m, int samples, arena *memory, double *rate)
{
    taking t;
    dew_field viscosity = {0};
    RESULT_TRY(begin_sampling(&t.s, m, samples, m->position, m->count, memory));
    bool has_own = dew_frame_field(m->frame, "viscosity", &viscosity) && viscosity.type == DEW_FIELD_REAL;
    t.viscosity = has_own && viscosity.stride == 1 ? viscosity.data : NULL;
    parallel_for(t.s.count, GRAIN, find_rates, &t);
    double sum = 0;
    int count = 0;
    for (int k = 0; k < t.s.count; k++)
        if (!isnan(t.s.value[k])) sum += t.s.value[k], count++;
    *rate = count > 0 ? sum / count * m->count : 0;
    return DEW_OK;
}

dew_result measure_dissipation(const measurement *m, int samples, double *rate)
{
    *rate = 0;
    if (m->count == 0 || !m->velocity) return DEW_OK;
    arena *memory = arena_create();
    dew_result result =
        memory ? dissipation_in(m, samples, memory, rate) : result_fail(DEW_NO_MEMORY, "no memory to measure");
    arena_destroy(memory);
    return result;
}
