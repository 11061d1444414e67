#include "methods/ddr/springs.h"

#include "base/parallel.h"
#include "base/simd.h"
#include "particles/ghosts.h"

#include <string.h>

/* Springs that a row may have. */
enum { MOST_NEAR = 1024 };

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

typedef struct spring {
    int32_t slot; /* of the other end */
    uint8_t image;
    real length;
} spring;

/* Springs that a row lacks, as they are found when they are counted; of those that lack more they are sought again. */
enum { KEPT = 16 };
typedef struct lacking {
    int count;
    spring first[KEPT];
} lacking;

typedef struct remaking {
    const ddr_springs *old;
    ddr_springs *made;
    const world *w;
    const ddr_spring_numbers *n;
    real reach;
    unsigned symmetric;
    const int32_t *old_row; /* by slot; -1: the particle is new */
    int *begin;             /* first the lengths of rows */
    lacking *lack;          /* by slot */
    uint32_t *marks;        /* mark_count of each strip */
    size_t mark_count;
} remaking;

/* Groups of four are gone through in strips, each with marks of its own: which of the four has a spring to whom, a bit
 * each, and above it the group that the bits are of. */
enum { STRIPS = 16 };

static uint32_t mark_of(int group) { return 16 * ((uint32_t)group + 1); }

static uint32_t *mark_at(const remaking *k, uint32_t *marks, int32_t slot, uint8_t image)
{
    return k->symmetric ? &marks[8 * slot + image] : &marks[slot];
}

static void put_mark(uint32_t *mark, int group, int a)
{
    uint32_t own = mark_of(group);
    *mark = ((*mark & ~15u) == own ? *mark : own) | 1u << a;
}

/* The old row of a particle, the a-th of its group: marks its ends; returns how many of its springs are left. */
static int note_row(const remaking *k, int group, int a, uint32_t *marks)
{
    const ddr_springs *s = k->old;
    const particles *p = k->w->particles;
    int left = 0, row = k->old_row[4 * group + a];
    for (int at = row < 0 ? 0 : s->begin[row], end = row < 0 ? 0 : s->begin[row + 1]; at < end; at++) {
        int32_t slot = particles_slot_of_id(p, s->other[at]);
        if (slot < 0) continue;
        put_mark(mark_at(k, marks, slot, s->image[at]), group, a);
        left += isfinite(s->length[at]);
    }
    return left;
}

/* A part of the list of a group of four: places, whose they are, which of the four have no spring to them, a bit each;
 * and the squares of their distances from one of the four. */
enum { PART = 64 };
typedef struct list_part {
    int count;
    int32_t slot[PART], lacking[PART];
    uint8_t image[PART];
    real x[PART], y[PART], z[PART];
} list_part;

/* From entry `first` on. What fills the last vector lies where nothing reaches. */
static void take_part(const remaking *k, int group, int first, uint32_t *marks, list_part *part)
{
    const particles *p = k->w->particles;
    uint32_t own = mark_of(group);
    part->count = neighbours_list(k->w->neighbours, group, first, PART, part->slot);
    for (int m = part->count; m < PART; m++)
        part->x[m] = part->y[m] = part->z[m] = (real)INFINITY, part->lacking[m] = 0;
    for (int m = 0; m < part->count; m++) {
        int32_t j = part->slot[m];
        real4 x = p->position[j];
        bool is_ghost = j >= p->ghost_begin && j < p->end;
        part->x[m] = x.x, part->y[m] = x.y, part->z[m] = x.z;
        part->image[m] = is_ghost ? (uint8_t)(ghosts_axes(p, j) & k->symmetric) : 0;
        if (is_ghost) part->slot[m] = j = particles_slot_of_id(p, p->id[j]);
        bool is_any = j >= 0 && j < p->count; /* else what fills lists */
        uint32_t mark = is_any ? *mark_at(k, marks, j, part->image[m]) : own | 15;
        part->lacking[m] = (mark & ~15u) == own ? (int32_t)(~mark & 15) : 15;
    }
}

/* The particles of the part within reach of the a-th of a group to which it is to have a spring and has none. */
static int find_lacking(const remaking *k, int group, int a, const list_part *part, spring *near, int count)
{
    int slot = 4 * group + a;
    real4 x = k->w->particles->position[slot];
    bool ties_all = k->old_row[slot] < 0 || !k->n->is_lasting;
    real square[PART];
    int32_t is_lacking[PART];
    for (int m = 0; m < PART; m++) {
        real dx = part->x[m] - x.x, dy = part->y[m] - x.y, dz = part->z[m] - x.z;
        square[m] = dx * dx + dy * dy + dz * dz, is_lacking[m] = part->lacking[m] >> a;
    }
    for (int first = 0; first < part->count; first += LANES) {
        unsigned found = vless(vload(square + first), vset(k->reach * k->reach)) & vodd(is_lacking + first);
        for (; found && count < MOST_NEAR; found &= found - 1) {
            int m = first + __builtin_ctz(found);
            if (!ties_all && k->old_row[part->slot[m]] >= 0) continue;
            near[count++] = (spring){part->slot[m], part->image[m], k->n->is_printed ? k->reach : sqrt(square[m])};
        }
    }
    return count;
}

/* The springs that the four rows of a group lack. */
typedef struct group_rows {
    int kept[4], count[4]; /* of the old row's, and of what it lacks */
    spring near[4][MOST_NEAR];
} group_rows;

static void find_group(const remaking *k, int group, uint32_t *marks, group_rows *g)
{
    list_part part;
    int end = 4 * group + 4 < k->w->particles->count ? 4 : k->w->particles->count - 4 * group;
    for (int a = 0; a < end; a++) {
        g->count[a] = 0, g->kept[a] = note_row(k, group, a, marks);
        put_mark(mark_at(k, marks, 4 * group + a, 0), group, a); /* it has none to itself */
    }
    for (int first = 0;; first += PART) {
        take_part(k, group, first, marks, &part);
        for (int a = 0; a < end; a++) g->count[a] = find_lacking(k, group, a, &part, g->near[a], g->count[a]);
        if (part.count < PART) return;
    }
}

/* Groups of a strip, and its marks. */
static uint32_t *open_strip(const remaking *k, int strip, int *begin, int *end)
{
    int64_t groups = (k->w->particles->count + 3) / 4;
    *begin = (int)(groups * strip / STRIPS), *end = (int)(groups * (strip + 1) / STRIPS);
    uint32_t *marks = k->marks + (size_t)strip * k->mark_count;
    memset(marks, 0, k->mark_count * sizeof *marks);
    return marks;
}

static void count_strip(const remaking *k, int strip)
{
    group_rows g;
    int begin, end;
    uint32_t *marks = open_strip(k, strip, &begin, &end);
    for (int group = begin; group < end; group++) {
        find_group(k, group, marks, &g);
        for (int a = 0, i = 4 * group; a < 4 && i < k->w->particles->count; a++, i++) {
            lacking *lack = &k->lack[i];
            lack->count = g.count[a], k->begin[i] = g.kept[a] + g.count[a];
            for (int m = 0; m < KEPT && m < g.count[a]; m++) lack->first[m] = g.near[a][m];
        }
    }
}

static void count_rows(int begin, int end, void *context)
{
    for (int strip = begin; strip < end; strip++) count_strip(context, strip);
}

/* What is left of the old row, then what is new. */
static void fill_row(const remaking *k, int i, int count, const spring *near)
{
    const ddr_springs *old = k->old;
    const particles *p = k->w->particles;
    int row = k->old_row[i], at = k->begin[i];
    int32_t *restrict other = k->made->other, *restrict slots = k->made->slot;
    real *restrict lengths = k->made->length;
    uint8_t *restrict images = k->made->image;
    k->made->row_id[i] = p->id[i], k->made->begin[i] = at;
    for (int from = row < 0 ? 0 : old->begin[row], end = row < 0 ? 0 : old->begin[row + 1]; from < end; from++) {
        int32_t id = old->other[from], slot = particles_slot_of_id(p, id);
        real length = old->length[from];
        if (slot < 0 || !isfinite(length)) continue;
        other[at] = id, slots[at] = slot, lengths[at] = length, images[at] = old->image[from], at++;
    }
    for (int m = 0; m < count; m++, at++) {
        other[at] = p->id[near[m].slot], slots[at] = near[m].slot;
        lengths[at] = near[m].length, images[at] = near[m].image;
    }
}

static void fill_strip(const remaking *k, int strip)
{
    group_rows g;
    int begin, end;
    uint32_t *marks = open_strip(k, strip, &begin, &end);
    for (int group = begin; group < end; group++) {
        int first = 4 * group, count = k->w->particles->count - first < 4 ? k->w->particles->count - first : 4;
        bool is_known = true;
        for (int a = 0; a < count; a++) is_known &= k->lack[first + a].count <= KEPT;
        if (!is_known) find_group(k, group, marks, &g);
        for (int a = 0; a < count; a++)
            fill_row(k, first + a, k->lack[first + a].count, is_known ? k->lack[first + a].first : g.near[a]);
    }
}

static void fill_rows(int begin, int end, void *context)
{
    for (int strip = begin; strip < end; strip++) fill_strip(context, strip);
}

static dew_result reserve(ddr_springs *s, int rows, size_t springs)
{
    static const char what[] = "springs";
    RESULT_TRY(buffer_reserve(&s->row_id, &s->rows_room, (size_t)rows, 0, sizeof *s->row_id, what));
    RESULT_TRY(buffer_reserve(&s->begin, &s->begin_room, (size_t)rows + 1, 0, sizeof *s->begin, what));
    RESULT_TRY(buffer_reserve(&s->other, &s->other_room, springs, 0, sizeof *s->other, what));
    RESULT_TRY(buffer_reserve(&s->slot, &s->slot_room, springs, 0, sizeof *s->slot, what));
    RESULT_TRY(buffer_reserve(&s->length, &s->length_room, springs, 0, sizeof *s->length, what));
    RESULT_TRY(buffer_reserve(&s->image, &s->image_room, springs, 0, sizeof *s->image, what));
    s->rows = rows;
    return DEW_OK;
}

dew_result ddr_springs_update(ddr_springs *s, ddr_springs *old, world *w, const ddr_spring_numbers *n, double reach)
{
    const particles *p = w->particles;
    if (!s->is_stale) return DEW_OK;
    size_t mark = arena_mark(w->scratch);
    RESULT_TRY(particles_map_ids(w->particles));
    ddr_springs now = *s;
    *s = *old, *old = now;
    ARENA_ARRAY(w->scratch, p->count, int32_t, old_row);
    ARENA_ARRAY(w->scratch, p->count, int, begin);
    ARENA_ARRAY(w->scratch, p->count, lacking, lack);
    for (int i = 0; i < p->count; i++) old_row[i] = -1;
    for (int r = 0; r < old->rows; r++) {
        int slot = particles_slot_of_id(p, old->row_id[r]);
        if (slot >= 0) old_row[slot] = r;
    }
    remaking k = {old, NULL, w, n, (real)reach, symmetry_axes(&w->domain), old_row, begin, lack, NULL, 0};
    k.mark_count = (size_t)(k.symmetric ? 8 : 1) * (size_t)p->count;
    ARENA_TRY(w->scratch, STRIPS * k.mark_count, k.marks);
    parallel_for(STRIPS, 1, count_rows, &k);
    int springs = parallel_prefix_sum(p->count, begin);
    RESULT_TRY(reserve(s, p->count, (size_t)springs));
    s->begin[p->count] = springs;
    k.made = s;
    parallel_for(STRIPS, 1, fill_rows, &k);
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
    const real4 *place, *shift;
    real4 *velocity;
    real reach, dt, flow[2], stiffness;
    axis_images axis[3];
    bool has_images; /* an axis is periodic or has a plane of symmetry */
} acting;

/* Of mirrored ends 1, else 0. */
static vreal is_image(int axis, const uint8_t *image)
{
    real bits[LANES];
    for (int l = 0; l < LANES; l++) bits[l] = (real)(image[l] >> axis & 1);
    return vload(bits);
}

/* From x to the other ends y: to_other, along one axis. */
static vreal to_images(const axis_images *a, int axis, real x, vreal y, const uint8_t *image)
{
    vreal size = vset(a->high - a->low), half = vset((a->high - a->low) / 2);
    vreal plane = vset(x - a->low < a->high - x ? a->low : a->high);
    if (a->is_mirrored) y = vselect(is_image(axis, image) > 0, 2 * plane - y, y);
    vreal way = y - x;
    if (!a->is_periodic) return way;
    way -= vselect(way > half, size, vset(0));
    return way + vselect(way < -half, size, vset(0));
}

/* A vector's component at the other ends, as their images have it. */
static vreal mirrored(const acting *k, int axis, vreal a, const uint8_t *image)
{
    return k->axis[axis].is_mirrored ? a * (1 - 2 * is_image(axis, image)) : a;
}

static vreal4 ways(const acting *k, real4 x, const int32_t *slot, const uint8_t *image)
{
    vreal4 y = vrecords(k->place, slot);
    if (!k->has_images) return (vreal4){y.x - x.x, y.y - x.y, y.z - x.z, vset(0)};
    return (vreal4){to_images(&k->axis[0], 0, x.x, y.x, image), to_images(&k->axis[1], 1, x.y, y.y, image),
                    to_images(&k->axis[2], 2, x.z, y.z, image), vset(0)};
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

/* Algorithm 3, of one side: f d, all over the stiffness. */
static vreal pull_of(const acting *k, vreal r, vreal length)
{
    length = vmin(length, vset(k->reach));
    return (1 - length / k->reach) * (r - length) / vmax(r, vset((real)1e-6 * k->reach));
}

/* LANES springs of a row. What fills the last of them is a spring to itself that does not pull. */
typedef struct spring_lanes {
    int count;
    int32_t slot[LANES];
    uint8_t image[LANES];
    real length[LANES];
} spring_lanes;

static void take_lanes(const acting *k, int i, int at, spring_lanes *some)
{
    const ddr_springs *s = k->s;
    some->count = s->begin[i + 1] - at < LANES ? s->begin[i + 1] - at : LANES;
    for (int l = some->count; l < LANES; l++) some->slot[l] = i, some->image[l] = 0, some->length[l] = k->reach;
    memcpy(some->slot, s->slot + at, (size_t)some->count * sizeof *some->slot);
    memcpy(some->image, s->image + at, (size_t)some->count * sizeof *some->image);
    memcpy(some->length, s->length + at, (size_t)some->count * sizeof *some->length);
}

static void put_lengths(const acting *k, int at, spring_lanes *some, vreal length)
{
    vstore(some->length, length);
    memcpy(k->s->length + at, some->length, (size_t)some->count * sizeof *some->length);
}

static void act(int begin, int end, void *context)
{
    acting *k = context;
    bool flows = k->flow[0] > 0 || k->flow[1] > 0;
    spring_lanes some;
    for (int i = begin; i < end; i++) {
        vreal sum[3] = {vset(0), vset(0), vset(0)};
        for (int at = k->s->begin[i]; at < k->s->begin[i + 1]; at += LANES) {
            take_lanes(k, i, at, &some);
            vreal4 d = ways(k, k->place[i], some.slot, some.image);
            vreal r = vsqrt(d.x * d.x + d.y * d.y + d.z * d.z), length = vload(some.length);
            if (flows) put_lengths(k, at, &some, length = flowed(k, r, length));
            vreal f = pull_of(k, r, length);
            sum[0] += f * d.x, sum[1] += f * d.y, sum[2] += f * d.z;
        }
        real scale = k->dt * k->stiffness;
        real4_add(&k->velocity[i], (real3){scale * vsum(sum[0]), scale * vsum(sum[1]), scale * vsum(sum[2])});
    }
}

/* As far as a shift, k->shift, parts two ends their rest length grows. */
static void follow(int begin, int end, void *context)
{
    acting *k = context;
    spring_lanes some;
    for (int i = begin; i < end; i++) {
        real4 own = k->shift[i];
        for (int at = k->s->begin[i]; at < k->s->begin[i + 1]; at += LANES) {
            take_lanes(k, i, at, &some);
            vreal4 d = ways(k, k->place[i], some.slot, some.image), o = vrecords(k->shift, some.slot);
            if (k->has_images)
                o = (vreal4){mirrored(k, 0, o.x, some.image), mirrored(k, 1, o.y, some.image),
                             mirrored(k, 2, o.z, some.image), vset(0)};
            vreal r = vsqrt(d.x * d.x + d.y * d.y + d.z * d.z), length = vload(some.length);
            vreal apart = d.x * (o.x - own.x) + d.y * (o.y - own.y) + d.z * (o.z - own.z);
            length = vmax(length + apart / vmax(r, vset((real)1e-6 * k->reach)), vset(0));
            put_lengths(k, at, &some, vselect(length <= k->reach, length, vset((real)INFINITY)));
        }
    }
}

static acting open_acting(ddr_springs *s, const world *w, const ddr_spring_numbers *n, double reach, const real4 *place)
{
    acting k = {.s = s, .w = w, .n = n, .place = place, .reach = (real)reach};
    for (int a = 0; a < 3; a++) {
        dew_boundary kind = w->domain.axis[a];
        k.axis[a] = (axis_images){kind == DEW_PERIODIC, kind == DEW_SYMMETRY, (real)vec3_at(w->domain.min, a),
                                  (real)vec3_at(w->domain.max, a)};
        k.has_images |= kind == DEW_PERIODIC || kind == DEW_SYMMETRY;
    }
    return k;
}

void ddr_springs_follow(ddr_springs *s, const world *w, const ddr_spring_numbers *n, double reach, const real4 *shift)
{
    acting k = open_acting(s, w, n, reach, w->particles->position);
    k.shift = shift;
    parallel_for(w->particles->count, 128, follow, &k);
}

dew_result ddr_springs_act(ddr_springs *s, world *w, const ddr_spring_numbers *n, double reach, const real4 *place,
                           real4 *velocity, double dt)
{
    acting k = open_acting(s, w, n, reach, place);
    k.velocity = velocity, k.dt = (real)dt, k.stiffness = (real)(n->stiffness / 2);
    for (int side = 0; side < 2; side++) {
        double flow = n->rate[side] * dt;
        k.flow[side] = (real)(n->is_printed ? fmin(flow, 1) : 1 - 1 / (1 + flow));
    }
    parallel_for(w->particles->count, 128, act, &k);
    return DEW_OK;
}

/* --- energy --- */

static void sum_energy(int begin, int end, void *context, double *sums)
{
    const acting *k = context;
    const ddr_springs *s = k->s;
    for (int row = begin; row < end; row++) {
        int i = particles_slot_of_id(k->w->particles, s->row_id[row]);
        for (int at = s->begin[row]; i >= 0 && at < s->begin[row + 1]; at++) {
            int j = particles_slot_of_id(k->w->particles, s->other[at]);
            if (j < 0 || !isfinite(s->length[at])) continue;
            real3 d = to_other(&k->w->domain, k->place[i], k->place[j], s->image[at]);
            double strain = (double)(real3_length(d) - s->length[at]);
            sums[0] += strain * strain * (double)(1 - s->length[at] / k->reach);
        }
    }
}

double ddr_springs_energy(const ddr_springs *s, const world *w, const ddr_spring_numbers *n, double reach)
{
    double sum = 0;
    acting k = {.s = (ddr_springs *)s, .w = w, .place = w->particles->position, .reach = (real)reach};
    if (s->rows == 0 || particles_map_ids(w->particles)) return 0;
    parallel_sum(s->rows, 1, sum_energy, &k, &sum);
    return w->particle_mass[0] * n->stiffness / 8 * sum; /* each stands twice */
}

/* --- keeping --- */

void ddr_springs_clear(ddr_springs *s) { s->rows = 0, s->is_stale = true; }

void ddr_springs_visit(ddr_springs *s, state_array_fcn *array, void *context)
{
    int springs = s->rows ? s->begin[s->rows] : 0;
    array(context, "springs/row", DEW_ITEM_INT32, s->rows, s->row_id);
    array(context, "springs/begin", DEW_ITEM_INT32, s->rows ? s->rows + 1 : 0, s->begin);
    array(context, "springs/other", DEW_ITEM_INT32, springs, s->other);
    array(context, "springs/length", sizeof(real) == sizeof(float) ? DEW_ITEM_FLOAT : DEW_ITEM_DOUBLE, springs,
          s->length);
    array(context, "springs/image", DEW_ITEM_UINT8, springs, s->image);
}

dew_result ddr_springs_resize(ddr_springs *s, const int64_t *counts)
{
    int64_t rows = counts[0], springs = counts[2];
    if (counts[1] != (rows ? rows + 1 : 0) || counts[3] != springs || counts[4] != springs || rows > INT32_MAX / 2 ||
        springs > INT32_MAX || (!rows && springs))
        return result_fail(DEW_INVALID, "ddr: rows and springs of the snapshot do not fit each other");
    RESULT_TRY(reserve(s, (int)rows, (size_t)springs));
    if (rows) s->begin[rows] = (int32_t)springs;
    s->is_stale = true;
    return DEW_OK;
}

void ddr_springs_destroy(ddr_springs *s)
{
    aligned_release(s->row_id), aligned_release(s->begin), aligned_release(s->other);
    aligned_release(s->slot), aligned_release(s->length), aligned_release(s->image);
}
