#include "methods/ddr/springs.h"

#include "base/parallel.h"
#include "base/simd.h"
#include "particles/ghosts.h"
#include "particles/pairs.h"

#include <string.h>

/* A row's place in the arrays is a multiple of so many springs, so that it is read by whole vectors: what fills the
 * last of them is a spring to itself, which does not pull. */
enum { ROW_STEP = 16 };
/* Of `other`: the row of the other end, and above it, a bit for each axis, whether it is an image of it. */
enum { IMAGE_SHIFT = 28, ROW_MASK = (1 << IMAGE_SHIFT) - 1 };
/* Rows are laid anew in the order of slots, which neighbours have nearly in common, after so many looks. */
enum { MOST_LOOKS = 32 };

/* --- ends --- */

static unsigned symmetry_axes(const dew_domain_def *d)
{
    unsigned axes = 0;
    for (int a = 0; a < 3; a++) axes |= (d->axis[a] == DEW_SYMMETRY ? 1u : 0u) << a;
    return axes;
}

/* From x to the other end y: of its images across a periodic axis the nearest, in a plane of symmetry if `image` says
 * so, the one next to x. */
static real3 to_other(const dew_domain_def *d, real4 x, real4 y, unsigned image)
{
    real from[3] = {x.x, x.y, x.z}, to[3] = {y.x, y.y, y.z}, way[3];
    for (int a = 0; a < 3; a++) {
        real low = (real)vec3_at(d->min, a), high = (real)vec3_at(d->max, a);
        if (image >> a & 1) to[a] = 2 * (from[a] - low < high - from[a] ? low : high) - to[a];
        way[a] = to[a] - from[a];
        if (d->axis[a] != DEW_PERIODIC) continue;
        if (way[a] > (high - low) / 2) way[a] -= high - low;
        if (way[a] < -(high - low) / 2) way[a] += high - low;
    }
    return (real3){way[0], way[1], way[2]};
}

/* --- rows --- */

static int row_of(int32_t other) { return other & ROW_MASK; }
static unsigned image_of(int32_t other) { return (unsigned)other >> IMAGE_SHIFT; }

typedef struct tying {
    ddr_springs *s;
    const ddr_springs *old; /* of which rows are laid anew */
    const world *w;
    const particles *p;
    const ddr_spring_numbers *n;
    pair_lists lists;
    real reach;
    real4 *tied;    /* field: place at the last look; w: 0 of a particle that has not been looked at */
    int32_t *row;   /* by slot */
    int32_t *lacks; /* by row: springs for which it had no room */
    int32_t *moved; /* by old row: the new one, or -1 */
    int32_t *from;  /* by row: the old one, or -1 */
} tying;

static void put_spring(ddr_springs *s, int at, int32_t other, real length)
{
    s->other[at] = other, s->length[at] = length;
}

static dew_result reserve(ddr_springs *s, int rows, size_t springs)
{
    static const char what[] = "springs";
    RESULT_TRY(buffer_reserve(&s->row_id, &s->id_room, (size_t)rows, 0, sizeof *s->row_id, what));
    RESULT_TRY(buffer_reserve(&s->slot, &s->slot_room, (size_t)rows, 0, sizeof *s->slot, what));
    RESULT_TRY(buffer_reserve(&s->count, &s->count_room, (size_t)rows, 0, sizeof *s->count, what));
    RESULT_TRY(buffer_reserve(&s->begin, &s->begin_room, (size_t)rows + 1, 0, sizeof *s->begin, what));
    RESULT_TRY(buffer_reserve(&s->other, &s->other_room, springs, 0, sizeof *s->other, what));
    RESULT_TRY(buffer_reserve(&s->length, &s->length_room, springs, 0, sizeof *s->length, what));
    s->rows = rows;
    return DEW_OK;
}

/* --- rows laid anew --- */

/* What it takes with it, what it lacked, and room for an eighth more. */
static void find_rooms(int begin, int end, void *context)
{
    const tying *t = context;
    const ddr_springs *old = t->old;
    for (int i = begin; i < end; i++) {
        int from = t->from[i], count = from < 0 ? 0 : old->count[from], lacks = from < 0 ? 0 : t->lacks[from];
        int room = count + lacks + (count + lacks) / 8 + ROW_STEP;
        t->s->begin[i] = room / ROW_STEP * ROW_STEP;
    }
}

static void lay_rows(int begin, int end, void *context)
{
    const tying *t = context;
    const ddr_springs *old = t->old;
    ddr_springs *s = t->s;
    for (int i = begin; i < end; i++) {
        int from = t->from[i], at = s->begin[i];
        s->row_id[i] = t->p->id[i], s->slot[i] = i;
        for (int a = from < 0 ? 0 : old->begin[from], last = from < 0 ? 0 : a + old->count[from]; a < last; a++) {
            int row = t->moved[row_of(old->other[a])];
            if (row >= 0) put_spring(s, at++, row | (old->other[a] & ~ROW_MASK), old->length[a]);
        }
        s->count[i] = at - s->begin[i];
        for (; at < s->begin[i + 1]; at++) put_spring(s, at, i, t->reach);
    }
}

/* A row for each slot. */
static dew_result lay(tying *t, ddr_springs *old)
{
    ddr_springs *s = t->s, now = *s;
    int count = t->p->count;
    *s = *old, *old = now, t->old = old;
    RESULT_TRY(reserve(s, count, 0));
    for (int i = 0; i < count; i++) t->from[i] = -1;
    for (int r = 0; r < old->rows; r++) {
        int slot = t->moved[r] = particles_slot_of_id(t->p, old->row_id[r]);
        if (slot >= 0) t->from[slot] = r;
    }
    parallel_for(count, 1024, find_rooms, t);
    int springs = parallel_prefix_sum(count, s->begin);
    RESULT_TRY(reserve(s, count, (size_t)springs));
    s->begin[count] = springs, s->looks = 0;
    parallel_for(count, 256, lay_rows, t);
    return DEW_OK;
}

/* --- a look --- */

/* Whose slots the rows are; false where there is one without or the other way round. */
static bool find_slots(const ddr_springs *s, const particles *p)
{
    if (s->rows != p->count) return false;
    for (int r = 0; r < s->rows; r++)
        if ((s->slot[r] = particles_slot_of_id(p, s->row_id[r])) < 0) return false;
    return true;
}

static real first_length(const tying *t, real distance) { return t->n->is_printed ? t->reach : distance; }

static bool has_gone(const tying *t, int row)
{
    const ddr_springs *s = t->s;
    unsigned gone = 0;
    for (int at = s->begin[row], last = at + s->count[row]; at < last; at += LANES)
        gone |= vless(vset(t->reach), vload(s->length + at));
    return gone;
}

/* A spring that is gone, whose ends lie within reach again, is there again; else another takes its place. */
static void clear_row(const tying *t, int row)
{
    ddr_springs *s = t->s;
    const real4 *x = t->p->position;
    for (int at = s->begin[row], last = at + s->count[row]; at < last; at++) {
        if (isfinite(s->length[at])) continue;
        real4 y = x[s->slot[row_of(s->other[at])]];
        real distance = real3_length(to_other(&t->w->domain, x[s->slot[row]], y, image_of(s->other[at])));
        if (distance < t->reach) {
            s->length[at] = first_length(t, distance);
            continue;
        }
        last--, s->count[row]--;
        put_spring(s, at, s->other[last], s->length[last]), at--;
        put_spring(s, last, row, t->reach);
    }
}

static void clear_gone(int begin, int end, void *context)
{
    for (int r = begin; r < end; r++)
        if (has_gone(context, r)) clear_row(context, r);
}

static bool has_spring(const ddr_springs *s, int row, int32_t other)
{
    int has = 0;
    for (const int32_t *at = s->other + s->begin[row], *end = at + s->count[row]; at < end; at += ROW_STEP)
        for (int l = 0; l < ROW_STEP; l++) has |= at[l] == other;
    return has;
}

/* A spring from the particle in `slot` to what is in slot j, unless there is one. */
static void tie(const tying *t, int slot, int j, real distance)
{
    ddr_springs *s = t->s;
    const particles *p = t->p;
    unsigned image = 0;
    if (slot >= p->count) return;
    if (j >= p->count) {
        image = ghosts_axes(p, j) & symmetry_axes(&t->w->domain);
        j = particles_slot_of_id(p, p->id[j]);
    }
    int row = t->row[slot], at = s->begin[row] + s->count[row];
    int32_t other = t->row[j] | (int32_t)(image << IMAGE_SHIFT);
    if (other == row || has_spring(s, row, other)) return;
    if (at == s->begin[row + 1])
        t->lacks[row]++;
    else
        put_spring(s, at, other, first_length(t, distance)), s->count[row]++;
}

/* Who was within reach at the last look has a spring, or had one that is gone, if both were looked at: who is tied now
 * is who comes within reach, and who is new. (A little is both, so that rounding loses none.) */
static void tie_blocks(int begin, int end, void *context)
{
    const tying *t = context;
    vreal infinite = vset((real)INFINITY), was = vset(t->reach * t->reach * (real)(1 - 1e-5));
    vreal is = vset(t->reach * t->reach), of_known = vset(t->n->is_lasting ? 0 : 1);
    for (int block = begin; block < end; block++) {
        vreal4 x = pair_i(t->p->position, block), a = pair_i(t->tied, block);
        PAIRS(t->lists, block, j)
        {
            vreal4 y = pair_j(t->p->position, j), b = pair_j(t->tied, j);
            vreal dx = x.x - y.x, dy = x.y - y.y, dz = x.z - y.z, now = dx * dx + dy * dy + dz * dz;
            vreal ex = a.x - b.x, ey = a.y - b.y, ez = a.z - b.z, then = ex * ex + ey * ey + ez * ez;
            then = vselect(a.w * b.w > 0, of_known * then, infinite);
            unsigned found = vless(now, is) & vless(was, then);
            if (!found) continue;
            real square[LANES];
            for (vstore(square, now); found; found &= found - 1) {
                int l = __builtin_ctz(found);
                tie(t, PAIR_I * block + l % PAIR_I, pair_slot(j, l / PAIR_I), sqrt(square[l]));
            }
        }
    }
}

static void find_rows(tying *t)
{
    for (int r = 0; r < t->s->rows; r++) t->row[t->s->slot[r]] = r;
    memset(t->lacks, 0, (size_t)t->s->rows * sizeof *t->lacks);
    particles_update_ghosts(t->w->particles, t->s->tied);
    parallel_for(PAIR_BLOCKS(t->p->count), 16, tie_blocks, t);
}

static bool have_room(const tying *t)
{
    for (int r = 0; r < t->s->rows; r++)
        if (t->lacks[r]) return false;
    return true;
}

static void note_places(int begin, int end, void *context)
{
    const tying *t = context;
    for (int i = begin; i < end; i++) t->tied[i] = real4_of(real3_of(t->p->position[i]), 1);
}

dew_result ddr_springs_update(ddr_springs *s, ddr_springs *old, world *w, const ddr_spring_numbers *n, double reach)
{
    const particles *p = w->particles;
    if (!s->is_stale) return DEW_OK;
    size_t mark = arena_mark(w->scratch), most = (size_t)(s->rows > p->count ? s->rows : p->count);
    RESULT_TRY(particles_map_ids(w->particles));
    tying t = {.s = s, .w = w, .p = p, .n = n, .lists = neighbours_lists(w->neighbours), .reach = (real)reach};
    t.tied = particles_field(p, s->tied);
    ARENA_TRY(w->scratch, most, t.row, t.moved, t.from);
    ARENA_TRY_ZEROED(w->scratch, most, t.lacks);
    if (!find_slots(s, p) || ++s->looks >= MOST_LOOKS) RESULT_TRY(lay(&t, old));
    parallel_for(s->rows, 256, clear_gone, &t);
    for (find_rows(&t); !have_room(&t); find_rows(&t)) RESULT_TRY(lay(&t, old));
    parallel_for(p->count, 4096, note_places, &t);
    arena_release(w->scratch, mark);
    s->is_stale = false;
    return DEW_OK;
}

/* --- forces --- */

/* How places across one axis are told: of its images the one next to x, or of a mirrored one that behind the plane. */
typedef struct axis_images {
    bool is_periodic, is_mirrored;
    real low, high;
} axis_images;

typedef struct acting {
    ddr_springs *s;
    const world *w;
    const ddr_spring_numbers *n;
    const real4 *of_slot; /* places */
    real4 *place, *shift; /* by row */
    real4 *velocity;      /* by slot */
    real reach, dt, flow[2], stiffness;
    axis_images axis[3];
    bool has_images, has_mirrors; /* an axis is periodic or has a plane of symmetry; the second alone */
} acting;

/* Of mirrored ends 1, else 0. */
static vreal is_image(int axis, const int32_t *other)
{
    real bits[LANES];
    for (int l = 0; l < LANES; l++) bits[l] = (real)(image_of(other[l]) >> axis & 1);
    return vload(bits);
}

/* From x to the other ends y: to_other, along one axis. */
static vreal to_images(const axis_images *a, int axis, real x, vreal y, const int32_t *other)
{
    vreal size = vset(a->high - a->low), half = vset((a->high - a->low) / 2);
    vreal plane = vset(x - a->low < a->high - x ? a->low : a->high);
    if (a->is_mirrored) y = vselect(is_image(axis, other) > 0, 2 * plane - y, y);
    vreal way = y - x;
    if (!a->is_periodic) return way;
    way -= vselect(way > half, size, vset(0));
    return way + vselect(way < -half, size, vset(0));
}

/* A vector's component at the other ends, as their images have it. */
static vreal mirrored(const acting *k, int axis, vreal a, const int32_t *other)
{
    return k->axis[axis].is_mirrored ? a * (1 - 2 * is_image(axis, other)) : a;
}

/* What the rows of LANES other ends have. */
static vreal4 of_ends(const acting *k, const real4 *by_row, const int32_t *other)
{
    int32_t row[LANES];
    if (!k->has_mirrors) return vrecords(by_row, other);
    for (int l = 0; l < LANES; l++) row[l] = row_of(other[l]);
    return vrecords(by_row, row);
}

static vreal4 ways(const acting *k, real4 x, const int32_t *other)
{
    vreal4 y = of_ends(k, k->place, other);
    if (!k->has_images) return (vreal4){y.x - x.x, y.y - x.y, y.z - x.z, vset(0)};
    return (vreal4){to_images(&k->axis[0], 0, x.x, y.x, other), to_images(&k->axis[1], 1, x.y, y.y, other),
                    to_images(&k->axis[2], 2, x.z, y.z, other), vset(0)};
}

/* Equation 8: what is stretched or compressed beyond what yields flows after it, at the step's end, by rate dt/(1 +
 * rate dt) of that: then a spring that is stretched at a steady pace pulls as hard as Maxwell's, whatever the step. As
 * printed, by rate dt, it pulls by 1 - rate dt of it, and not at all where the relaxation time is a step. A spring that
 * grows longer than the reach is gone. */
static vreal flowed(const acting *k, vreal r, vreal length)
{
    vreal off = r - length;
    vmask is_short = off < 0;
    vreal limit = vselect(is_short, vset((real)k->n->yield[1]), vset((real)k->n->yield[0])) * length;
    vreal flow = vselect(is_short, vset(k->flow[1]), vset(k->flow[0]));
    vreal beyond = vselect(is_short, vmin(off + limit, vset(0)), vmax(off - limit, vset(0)));
    length += flow * beyond;
    return vselect(length <= k->reach, length, vset((real)INFINITY));
}

static void act(int begin, int end, void *context)
{
    acting *k = context;
    const ddr_springs *s = k->s;
    bool flows = k->flow[0] > 0 || k->flow[1] > 0;
    vreal reach = vset(k->reach), inv_reach = vset(1 / k->reach), none = vset((real)1e-12 * k->reach * k->reach);
    for (int i = begin; i < end; i++) {
        vreal x = vset(0), y = vset(0), z = vset(0);
        for (int at = s->begin[i], last = at + s->count[i]; at < last; at += LANES) {
            vreal4 d = ways(k, k->place[i], s->other + at);
            vreal r2 = vdot3(d, d) + none, inv_r = vrsqrt(r2), length = vload(s->length + at);
            if (flows) vstore(s->length + at, length = flowed(k, r2 * inv_r, length));
            length = vmin(length, reach);
            vreal f =
                (1 - length * inv_reach) * (1 - length * inv_r); /* algorithm 3, of one side, over the stiffness */
            x += f * d.x, y += f * d.y, z += f * d.z;
        }
        real scale = k->dt * k->stiffness;
        real4_add(&k->velocity[s->slot[i]], (real3){scale * vsum(x), scale * vsum(y), scale * vsum(z)});
    }
}

/* As far as a shift, k->shift, parts two ends their rest length grows. */
static void follow(int begin, int end, void *context)
{
    acting *k = context;
    const ddr_springs *s = k->s;
    for (int i = begin; i < end; i++) {
        real4 own = k->shift[i];
        for (int at = s->begin[i], last = at + s->count[i]; at < last; at += LANES) {
            const int32_t *other = s->other + at;
            vreal4 d = ways(k, k->place[i], other), o = of_ends(k, k->shift, other);
            if (k->has_mirrors)
                o = (vreal4){mirrored(k, 0, o.x, other), mirrored(k, 1, o.y, other), mirrored(k, 2, o.z, other),
                             vset(0)};
            vreal r = vsqrt(vdot3(d, d)), length = vload(s->length + at);
            vreal apart = d.x * (o.x - own.x) + d.y * (o.y - own.y) + d.z * (o.z - own.z);
            length = vmax(length + apart / vmax(r, vset((real)1e-6 * k->reach)), vset(0));
            vstore(s->length + at, vselect(length <= k->reach, length, vset((real)INFINITY)));
        }
    }
}

static void take_places(int begin, int end, void *context)
{
    acting *k = context;
    for (int r = begin; r < end; r++) k->place[r] = k->of_slot[k->s->slot[r]];
}

/* `place` by slot. */
static dew_result open_acting(ddr_springs *s, const world *w, const ddr_spring_numbers *n, double reach,
                              const real4 *place, acting *k)
{
    *k = (acting){.s = s, .w = w, .n = n, .of_slot = place, .reach = (real)reach};
    for (int a = 0; a < 3; a++) {
        dew_boundary kind = w->domain.axis[a];
        k->axis[a] = (axis_images){kind == DEW_PERIODIC, kind == DEW_SYMMETRY, (real)vec3_at(w->domain.min, a),
                                   (real)vec3_at(w->domain.max, a)};
        k->has_mirrors |= kind == DEW_SYMMETRY;
        k->has_images |= kind == DEW_PERIODIC || kind == DEW_SYMMETRY;
    }
    ARENA_TRY(w->scratch, s->rows, k->place);
    parallel_for(s->rows, 4096, take_places, k);
    return DEW_OK;
}

dew_result ddr_springs_follow(ddr_springs *s, const world *w, const ddr_spring_numbers *n, double reach,
                              const real4 *shift)
{
    acting k;
    size_t mark = arena_mark(w->scratch);
    RESULT_TRY(open_acting(s, w, n, reach, w->particles->position, &k));
    ARENA_TRY(w->scratch, s->rows, k.shift);
    for (int r = 0; r < s->rows; r++) k.shift[r] = shift[s->slot[r]];
    parallel_for(s->rows, 128, follow, &k);
    arena_release(w->scratch, mark);
    return DEW_OK;
}

dew_result ddr_springs_act(ddr_springs *s, world *w, const ddr_spring_numbers *n, double reach, const real4 *place,
                           real4 *velocity, double dt)
{
    acting k;
    size_t mark = arena_mark(w->scratch);
    RESULT_TRY(open_acting(s, w, n, reach, place, &k));
    k.velocity = velocity, k.dt = (real)dt, k.stiffness = (real)(n->stiffness / 2);
    for (int side = 0; side < 2; side++) {
        double flow = n->rate[side] * dt;
        k.flow[side] = (real)(n->is_printed ? fmin(flow, 1) : 1 - 1 / (1 + flow));
    }
    parallel_for(s->rows, 128, act, &k);
    arena_release(w->scratch, mark);
    return DEW_OK;
}

/* --- energy --- */

static void sum_energy(int begin, int end, void *context, double *sums)
{
    const acting *k = context;
    const ddr_springs *s = k->s;
    const particles *p = k->w->particles;
    for (int row = begin; row < end; row++) {
        int i = particles_slot_of_id(p, s->row_id[row]);
        for (int at = s->begin[row], last = at + s->count[row]; i >= 0 && at < last; at++) {
            int j = particles_slot_of_id(p, s->row_id[row_of(s->other[at])]);
            if (j < 0 || !isfinite(s->length[at])) continue;
            real3 d = to_other(&k->w->domain, k->of_slot[i], k->of_slot[j], image_of(s->other[at]));
            double strain = (double)(real3_length(d) - s->length[at]);
            sums[0] += strain * strain * (double)(1 - s->length[at] / k->reach);
        }
    }
}

double ddr_springs_energy(const ddr_springs *s, const world *w, const ddr_spring_numbers *n, double reach)
{
    double sum = 0;
    acting k = {.s = (ddr_springs *)s, .w = w, .of_slot = w->particles->position, .reach = (real)reach};
    if (s->rows == 0 || particles_map_ids(w->particles)) return 0;
    parallel_sum(s->rows, 1, sum_energy, &k, &sum);
    return w->particle_mass[0] * n->stiffness / 8 * sum; /* each stands twice */
}

/* --- keeping --- */

void ddr_springs_clear(ddr_springs *s, const particles *p)
{
    real4 *tied = particles_field(p, s->tied);
    for (int i = 0; i < p->count; i++) tied[i].w = 0;
    s->rows = 0, s->is_stale = true;
}

void ddr_springs_visit(ddr_springs *s, state_array_fcn *array, void *context)
{
    int springs = s->rows ? s->begin[s->rows] : 0;
    array(context, "springs/looks", DEW_ITEM_INT32, 1, &s->looks);
    array(context, "springs/row", DEW_ITEM_INT32, s->rows, s->row_id);
    array(context, "springs/begin", DEW_ITEM_INT32, s->rows ? s->rows + 1 : 0, s->begin);
    array(context, "springs/count", DEW_ITEM_INT32, s->rows, s->count);
    array(context, "springs/other", DEW_ITEM_INT32, springs, s->other);
    array(context, "springs/length", sizeof(real) == sizeof(float) ? DEW_ITEM_FLOAT : DEW_ITEM_DOUBLE, springs,
          s->length);
}

dew_result ddr_springs_resize(ddr_springs *s, const int64_t *counts)
{
    int64_t rows = counts[1], springs = counts[4];
    if (counts[0] != 1 || counts[2] != (rows ? rows + 1 : 0) || counts[3] != rows || counts[5] != springs ||
        rows > ROW_MASK || springs > INT32_MAX || (!rows && springs))
        return result_fail(DEW_INVALID, "ddr: rows and springs of the snapshot do not fit each other");
    RESULT_TRY(reserve(s, (int)rows, (size_t)springs));
    if (rows) s->begin[rows] = (int32_t)springs;
    s->is_stale = true;
    return DEW_OK;
}

void ddr_springs_destroy(ddr_springs *s)
{
    aligned_release(s->row_id), aligned_release(s->slot), aligned_release(s->begin);
    aligned_release(s->count), aligned_release(s->other), aligned_release(s->length);
}
