/* How fast viscosity takes the liquid's energy: 2 mu D:D, D of the linear field that fits the velocities around a
 * particle best. */
#include "base/arena.h"
#include "base/matrix.h"
#include "base/parallel.h"
#include "measure/near.h"
#include "measure/quantities.h"

enum { MOST_NEAR = 512, GRAIN = 16 };
/* Of velocity gradients, and the width of the grid's cells, in spacings. */
#define REACH 2.0
#define CELL 1.15

typedef struct sampling {
    const measurement *m;
    point_grid grid;
    const real *viscosity; /* of each particle; NULL: that of its material */
    int count;
    int32_t *sample;
    double *taken; /* by each sample, W; NaN: it tells nothing */
} sampling;

/* D:D, 1/s^2; NaN with too few particles around. */
static double square_rate_at(const sampling *s, int i, near_point *near)
{
    const measurement *m = s->m;
    real4 x = m->position[i], v = m->velocity[i];
    double reach = REACH * m->frame->spacing, square[6] = {0}, moment[3][3] = {{0}};
    int count = near_points(&s->grid, m->position, (dew_vec3){x.x, x.y, x.z}, reach, MOST_NEAR, near);
    int dimension = m->frame->dimension;
    for (int k = 0; k < count; k++) {
        double fade = 1 - near[k].r2 / (reach * reach), w = fade * fade * fade * fade;
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
            double rate = 0.5 * (g[a][b] + g[b][a]);
            sum += rate * rate;
        }
    return sum;
}

static void find_rates(int begin, int end, void *context)
{
    const sampling *s = context;
    const measurement *m = s->m;
    near_point near[MOST_NEAR];
    double volume = pow(m->frame->spacing, m->frame->dimension);
    for (int k = begin; k < end; k++) {
        int i = s->sample[k];
        double mu = s->viscosity ? (double)s->viscosity[i] : m->frame->materials[material_of(m, i)].viscosity;
        s->taken[k] = 2 * mu * volume * square_rate_at(s, i, near);
    }
}

/* Chooses every step-th particle by its id, so that the order of storage does not matter. */
static void choose_samples(sampling *s, int samples)
{
    const measurement *m = s->m;
    dew_field id;
    const int32_t *ids = dew_frame_field(m->frame, "id", &id) && id.type == DEW_FIELD_INT32 ? id.data : NULL;
    int step = (m->count + samples - 1) / samples;
    for (int i = 0; i < m->count; i++)
        if ((ids ? ids[i] : i) % step == 0) s->sample[s->count++] = i;
}

static dew_result dissipation_in(const measurement *m, int samples, arena *memory, double *rate)
{
    sampling s = {.m = m};
    dew_field viscosity = {0};
    ARENA_TRY(memory, m->count, s.sample, s.taken);
    choose_samples(&s, samples);
    RESULT_TRY(point_grid_create(&s.grid, m->position, m->count, CELL * m->frame->spacing, memory));
    bool has_own = dew_frame_field(m->frame, "viscosity", &viscosity) && viscosity.type == DEW_FIELD_REAL;
    s.viscosity = has_own && viscosity.stride == 1 ? viscosity.data : NULL;
    parallel_for(s.count, GRAIN, find_rates, &s);
    double sum = 0;
    int count = 0;
    for (int k = 0; k < s.count; k++)
        if (!isnan(s.taken[k])) sum += s.taken[k], count++;
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
