/* Quantities of a flow as a whole: waves along a column of liquid, the velocity across a channel. */
#include "base/parallel.h"
#include "measure/points.h"
#include "measure/surface.h"

/* --- waves --- */

enum { WAVES = 2 };

typedef struct column {
    const measurement *m;
    int axis;
    double low, length, wave; /* wave: number of the first, 1/m */
} column;

static dew_vec3 place_of(const measurement *m, int i)
{
    return (dew_vec3){m->position[i].x, m->position[i].y, m->position[i].z};
}

static void add_waves(int begin, int end, void *context, double *sums)
{
    const column *c = context;
    for (int i = begin; i < end; i++) {
        double place = vec3_at(place_of(c->m, i), c->axis) - c->low;
        sums[0] += 1;
        for (int n = 1; n <= WAVES; n++) {
            sums[2 * n - 1] += cos(n * c->wave * place), sums[2 * n] += sin(n * c->wave * place);
        }
    }
}

/* From where to where the liquid goes along an axis. */
static void find_extent(const measurement *m, int axis, double *low, double *high)
{
    *low = INFINITY, *high = -INFINITY;
    for (int i = 0; i < m->count; i++) {
        double place = vec3_at(place_of(m, i), axis);
        if (place < *low) *low = place;
        if (place > *high) *high = place;
    }
}

/* Where solids end the liquid on both sides along an axis, as those of a tank: the faces there; false where they do
 * not.
 */
static bool find_faces(const measurement *m, int axis, double face[2])
{
    double s = m->frame->spacing, low, high;
    bool is_there[2] = {false, false};
    if (!m->frame->solids || solids_count(m->frame->solids) == 0) return false;
    find_extent(m, axis, &low, &high);
    for (int i = 0; i < m->count && !(is_there[0] && is_there[1]); i++) {
        double place = vec3_at(place_of(m, i), axis);
        int side = place > (low + high) / 2;
        if (fabs(place - (side ? high : low)) > s / 2) continue;
        real4 wall;
        int32_t which;
        solids_nearest(m->frame->solids, 1.5 * s, 1, &m->position[i], &wall, &which);
        double facing = vec3_at((dew_vec3){wall.x, wall.y, wall.z}, axis);
        if (which < 0 || !((double)wall.w < 1.5 * s) || !((side ? -facing : facing) > 0.9)) continue;
        is_there[side] = true, face[side] = place - (double)wall.w * facing;
    }
    return is_there[0] && is_there[1];
}

typedef enum column_end { END_NONE, END_SOLID, END_WALL, END_SYMMETRY, END_PERIODIC } column_end;

static column_end end_of(const measurement *m, int axis, double *low, double *length)
{
    static const column_end of[] = {
        [DEW_WALL] = END_WALL, [DEW_SYMMETRY] = END_SYMMETRY, [DEW_PERIODIC] = END_PERIODIC};
    const dew_domain_def *d = &m->frame->domain;
    dew_boundary is = d->axis[axis];
    int up = m->frame->dimension == 2 ? 1 : 2;
    *low = vec3_at(d->min, axis), *length = vec3_at(d->max, axis) - *low;
    if (is == DEW_PERIODIC || is == DEW_SYMMETRY || (is == DEW_WALL && axis != up)) return of[is];
    if (is == DEW_WALL || axis == up) return END_NONE;
    double face[2];
    if (!find_faces(m, axis, face)) return END_NONE;
    return *low = face[0], *length = face[1] - face[0], END_SOLID;
}

/* Periodic axes come before planes of symmetry, these before walls, and these before solids; of several the longest.
 * What ends the liquid below is none. */
static column_end choose_axis(const measurement *m, column *c)
{
    column_end best = END_NONE;
    for (int a = 0; a < m->frame->dimension; a++) {
        double low, length;
        column_end is = end_of(m, a, &low, &length);
        if (is == END_NONE || is < best || (is == best && !(length > c->length))) continue;
        best = is, c->axis = a, c->low = low, c->length = length;
    }
    return best;
}

/* The width of a pool across its column: of the domain along a bounded axis, not upwards, that the liquid fills; 0: it
 * is a thread. */
static double pool_width(const measurement *m, int axis)
{
    const dew_domain_def *d = &m->frame->domain;
    if (m->frame->dimension == 2) return 1;
    for (int a = 0; a < 3; a++) {
        if (a == axis || (a == 2 && axis != 2)) continue;
        double length = vec3_at(d->max, a) - vec3_at(d->min, a), low, high;
        if (d->axis[a] == DEW_OPEN) {
            double face[2];
            if (find_faces(m, a, face)) return face[1] - face[0];
            continue;
        }
        find_extent(m, a, &low, &high);
        if (high - low + 2 * m->frame->spacing > length) return length;
    }
    return 0;
}

/* The cross section A(x) = A_0 + sum of a_n cos(n k x) + b_n sin(n k x) is known from sums over particles alone. Of a
 * pool the height is A/width; of a thread the radius is sqrt(A/pi), and a wave of it A's over 2 pi times the mean
 * radius. */
dew_result measure_column(const measurement *m, const char *name, double *values)
{
    (void)name;
    column c = {.m = m};
    column_end ends = m->count > 0 ? choose_axis(m, &c) : END_NONE;
    if (ends == END_NONE) return DEW_OK;
    bool is_periodic = ends == END_PERIODIC;
    c.wave = (is_periodic ? 2 : 1) * PI / c.length;
    double sums[1 + 2 * WAVES], part = pow(m->frame->spacing, m->frame->dimension), width = pool_width(m, c.axis);
    parallel_sum(m->count, 1 + 2 * WAVES, add_waves, &c, sums);
    double mean = sums[0] * part / c.length, over = width > 0 ? width : 2 * sqrt(PI * mean);
    for (int k = 0; k < 2 * WAVES; k++) {
        bool is_sine = k % 2;
        values[k] = is_sine && !is_periodic ? 0 : 2 * sums[k + 1] * part / c.length / over;
    }
    return DEW_OK;
}

/* --- the profile of a channel --- */

typedef struct channel {
    const measurement *m;
    dew_vec3 across, along, beside, middle; /* beside: 0 in a flat channel */
    double low, high;
} channel;

/* Of particles within 1.5 spacings of solids: how their walls face (the sum of n n^T: xx, yy, zz, yz, zx, xy), and
 * where along `across` those are that face along it. */
static void find_walls(const measurement *m, double facing[6], dew_vec3 across, double *low, double *high)
{
    enum { AT_ONCE = 256 };
    real4 wall[AT_ONCE];
    int32_t which[AT_ONCE];
    double near = 1.5 * m->frame->spacing;
    for (int k = 0; k < 6; k++) facing[k] = 0;
    *low = INFINITY, *high = -INFINITY;
    for (int first = 0; first < m->count; first += AT_ONCE) {
        int n = m->count - first < AT_ONCE ? m->count - first : AT_ONCE;
        solids_nearest(m->frame->solids, near, n, m->position + first, wall, which);
        for (int i = 0; i < n; i++) {
            if (which[i] < 0 || !(wall[i].w < near)) continue;
            double x = (double)wall[i].x, y = (double)wall[i].y, z = (double)wall[i].z;
            real4 p = m->position[first + i];
            facing[0] += x * x, facing[1] += y * y, facing[2] += z * z;
            facing[3] += y * z, facing[4] += z * x, facing[5] += x * y;
            double face = vec3_dot(across, (dew_vec3){x, y, z});
            double at = vec3_dot(across, (dew_vec3){p.x, p.y, p.z}) - (double)wall[i].w * face;
            if (face > 0.9) *low = fmin(*low, at);
            if (face < -0.9) *high = fmax(*high, at);
        }
    }
}

static dew_vec3 facing_times(const double f[6], dew_vec3 a)
{
    return (dew_vec3){f[0] * a.x + f[5] * a.y + f[4] * a.z, f[5] * a.x + f[1] * a.y + f[3] * a.z,
                      f[4] * a.x + f[3] * a.y + f[2] * a.z};
}

/* The direction that walls face most across the flow, by repeated multiplication; *share: of all facing. */
static dew_vec3 main_direction(const double f[6], dew_vec3 along, double *share)
{
    dew_vec3 a = {0.31, 0.52, 0.79};
    for (int turn = 0; turn < 200; turn++) {
        a = vec3_sub(a, vec3_scale(vec3_dot(a, along), along));
        a = vec3_normalise(facing_times(f, a));
    }
    a = vec3_normalise(vec3_sub(a, vec3_scale(vec3_dot(a, along), along)));
    *share = vec3_dot(a, facing_times(f, a)) / (f[0] + f[1] + f[2]);
    /* The same way round for every frame. */
    double largest = fabs(a.x) > fabs(a.y) ? a.x : a.y;
    if (fabs(a.z) > fabs(largest)) largest = a.z;
    return largest < 0 ? vec3_scale(-1, a) : a;
}

/* Where there is no wall on one side, the channel ends half a spacing beyond the outermost particle. */
static void close_channel(channel *c)
{
    double low = INFINITY, high = -INFINITY, half = 0.5 * c->m->frame->spacing;
    for (int i = 0; i < c->m->count; i++) {
        real4 p = c->m->position[i];
        double at = vec3_dot(c->across, (dew_vec3){p.x, p.y, p.z});
        low = fmin(low, at - half), high = fmax(high, at + half);
    }
    if (!isfinite(c->low)) c->low = low;
    if (!isfinite(c->high)) c->high = high;
}

/* A particle counts in every layer that it lies in, a spacing wide. */
static void add_layers(int begin, int end, void *context, double *sums)
{
    const channel *c = context;
    double strip = 1.5 * c->m->frame->spacing;
    for (int i = begin; i < end; i++) {
        real4 p = c->m->position[i], u = c->m->velocity[i];
        dew_vec3 x = {p.x, p.y, p.z}, v = {u.x, u.y, u.z};
        if (fabs(vec3_dot(c->beside, vec3_sub(x, c->middle))) > strip) continue;
        double mass = c->m->mass[material_of(c->m, i)], along = vec3_dot(v, c->along);
        double width = (c->high - c->low) / PROFILE_LAYERS, half = 0.5 * c->m->frame->spacing;
        double at = vec3_dot(x, c->across) - c->low;
        for (int k = 0; k < PROFILE_LAYERS; k++) {
            double part = fmin(at + half, (k + 1) * width) - fmax(at - half, k * width);
            if (part > 0) sums[2 * k] += part * mass, sums[2 * k + 1] += part * mass * along;
        }
    }
}

dew_result measure_layers(const measurement *m, const char *name, double *values)
{
    (void)name;
    channel c = {.m = m};
    double facing[6], share, sums[2 * PROFILE_LAYERS];
    if (m->count == 0 || dew_frame_solid_count(m->frame) == 0) return DEW_OK;
    liquid_sums total = measure_sums(m);
    c.middle = total.centre;
    c.along = vec3_normalise(total.momentum);
    find_walls(m, facing, c.along, &c.low, &c.high);
    if (!(facing[0] + facing[1] + facing[2] > 0) || !(vec3_length(c.along) > 0)) return DEW_OK;
    c.across = main_direction(facing, c.along, &share);
    if (share < 0.7) c.beside = vec3_cross(c.across, c.along); /* a tube: a strip through its middle */
    find_walls(m, facing, c.across, &c.low, &c.high);
    close_channel(&c);
    parallel_sum(m->count, 2 * PROFILE_LAYERS, add_layers, &c, sums);
    for (int k = 0; k < PROFILE_LAYERS; k++)
        if (sums[2 * k] > 0) values[k] = sums[2 * k + 1] / sums[2 * k];
    return DEW_OK;
}
