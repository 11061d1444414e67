/* What both faces of a film take from n.
 *
 * |F| tells how far away one face is (density.c). Amid a film what two faces make of it cancels, so that n was to be
 * that of liquid all around, and shifts drew films together until they had holes. Where the surface faces two ways its
 * particles tell where the faces are: one at r with the normal m lies on a face half a spacing farther, at the distance
 * r . m + s/2. Of each side the mean by w = 1 - q is the face's distance d, the part D(d/h) of all space is beyond it,
 * and n is to be that of liquid at rest less both. Sides are told by the principal axis of sum w m m. */
#include "methods/flow/flow.h"

#include <math.h>

/* |sum w m| over sqrt(sum w sum w m^2), from which on there is one face, and to which on there are two. */
#define ONE ((real)0.8)
#define TWO ((real)0.5)

enum { AXIS_ROUNDS = 3 };

typedef struct film {
    flow_step *k;
    real4 *axis; /* w: by how much there are two faces, 0 to 1 */
} film;

/* change = m of who was on the surface. */
static void put_normals(int begin, int end, void *context)
{
    flow_step *k = ((const film *)context)->k;
    for (int i = begin; i < end; i++) {
        real3 normal = k->is_surface[i] ? real3_normalise(real3_of(k->facing[i])) : (real3){0, 0, 0};
        k->change[i] = real4_of(normal, 0);
    }
}

/* Of the symmetric matrix of these diagonal and other components (yz, zx, xy). */
static real3 principal_axis(real3 diagonal, real3 other)
{
    real3 rows[3] = {{diagonal.x, other.z, other.y}, {other.z, diagonal.y, other.x}, {other.y, other.x, diagonal.z}};
    int largest = diagonal.x > diagonal.y ? 0 : 1;
    if (diagonal.z > real_max(diagonal.x, diagonal.y)) largest = 2;
    real3 axis = real3_normalise(rows[largest]);
    for (int round = 0; round < AXIS_ROUNDS; round++)
        axis = real3_normalise((real3){real3_dot(rows[0], axis), real3_dot(rows[1], axis), real3_dot(rows[2], axis)});
    return axis;
}

/* By how much there are two faces, 0 to 1, by n = sum w m, and the diagonal and other components of sum w m m. Next to
 * solids along them alone: what a meniscus has across a tube is no second face. */
static real count_faces(const flow_step *k, int i, real3 n, real3 diagonal, real3 other)
{
    real all = diagonal.x + diagonal.y + diagonal.z, across = 0;
    if (!(all > 0)) return 0;
    for (int a = 0; a < NEAR_WALLS && k->near.wall && k->near.solid[NEAR_WALLS * i + a] >= 0; a++) {
        real3 e = real3_of(k->near.wall[NEAR_WALLS * i + a]);
        across += e.x * e.x * diagonal.x + e.y * e.y * diagonal.y + e.z * e.z * diagonal.z +
                  2 * (e.y * e.z * other.x + e.z * e.x * other.y + e.x * e.y * other.z);
        n = real3_madd(n, -real3_dot(n, e), e);
    }
    real along = real_max(1 - across / all, 0), one = real3_length(n) / all;
    real root = (real)sqrt((double)along);
    return along * root > 0 ? along * real_min(real_max((ONE - one / root) / (ONE - TWO), 0), 1) : 0;
}

/* Not a face that a particle lies before, across a gap. */
static inline vreal counts(vreal away, vreal inv_half) { return vmin(vmax(away * inv_half, vset(0)), vset(1)); }

static void find_axes(int begin, int end, void *context)
{
    const film *f = context;
    flow_step *k = f->k;
    vreal inv_h = vset(k->inv_h), half = vset(k->p->s / 2 * k->inv_h), inv_half = 1 / half;
    _Alignas(64) real4 sum[PAIR_I > 4 ? PAIR_I : 4], diagonal[PAIR_I > 4 ? PAIR_I : 4], other[PAIR_I > 4 ? PAIR_I : 4];
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->x, block);
        vreal n[3] = {vset(0), vset(0), vset(0)}, d[3] = {vset(0), vset(0), vset(0)},
              o[3] = {vset(0), vset(0), vset(0)};
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->x, j), m = pair_j(k->change, j);
            vreal x = (b.x - i.x) * inv_h, y = (b.y - i.y) * inv_h, z = (b.z - i.z) * inv_h;
            vreal w =
                counts(x * m.x + y * m.y + z * m.z + half, inv_half) * vmax(1 - vsqrt(x * x + y * y + z * z), vset(0));
            vreal wx = w * m.x, wy = w * m.y, wz = w * m.z;
            n[0] += wx, n[1] += wy, n[2] += wz;
            d[0] += wx * m.x, d[1] += wy * m.y, d[2] += wz * m.z;
            o[0] += wy * m.z, o[1] += wz * m.x, o[2] += wx * m.y;
        }
        pair_store4(sum, 0, n[0], n[1], n[2], vset(0));
        pair_store4(diagonal, 0, d[0], d[1], d[2], vset(0));
        pair_store4(other, 0, o[0], o[1], o[2], vset(0));
        for (int a = PAIR_I * block, l = 0; a < flow_end_of(k, block); a++, l++) {
            real two = count_faces(k, a, real3_of(sum[l]), real3_of(diagonal[l]), real3_of(other[l]));
            f->axis[a] = (real4){0, 0, 0, 0}, k->two_faced[a] = two;
            if (two > 0) f->axis[a] = real4_of(principal_axis(real3_of(diagonal[l]), real3_of(other[l])), two);
        }
    }
}

static bool has_film(const film *f, int block)
{
    for (int i = PAIR_I * block; i < flow_end_of(f->k, block); i++)
        if (f->axis[i].w > 0) return true;
    return false;
}

static void take_faces(int begin, int end, void *context)
{
    const film *f = context;
    flow_step *k = f->k;
    real *density = particles_field(k->all, k->p->density);
    vreal inv_h = vset(k->inv_h), none = vset(0);
    vreal half = vset(k->p->s / 2 * k->inv_h), inv_half = 1 / half;
    _Alignas(64) real4 sides[PAIR_I > 4 ? PAIR_I : 4];
    for (int block = begin; block < end; block++) {
        if (!has_film(f, block)) continue;
        vreal4 i = pair_i(k->x, block), e = pair_i(f->axis, block);
        vreal distance[2] = {none, none}, weight[2] = {none, none};
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->x, j), m = pair_j(k->change, j);
            vreal x = (b.x - i.x) * inv_h, y = (b.y - i.y) * inv_h, z = (b.z - i.z) * inv_h;
            vreal c = vdot3(m, e);
            vreal away = x * m.x + y * m.y + z * m.z + half;
            vreal w = c * counts(away, inv_half) * vmax(1 - vsqrt(x * x + y * y + z * z), none);
            vreal up = vmax(w, none), down = vmax(-w, none);
            weight[0] += up, distance[0] += up * away;
            weight[1] += down, distance[1] += down * away;
        }
        pair_store4(sides, 0, distance[0], weight[0], distance[1], weight[1]);
        for (int a = PAIR_I * block, l = 0; a < flow_end_of(k, block); a++, l++) {
            if (!(f->axis[a].w > 0 && sides[l].y > 0 && sides[l].w > 0)) continue;
            real air = (half_space_at(k->p->crowd.sum, sides[l].x / sides[l].y) +
                        half_space_at(k->p->crowd.sum, sides[l].z / sides[l].w)) /
                       k->p->c.full;
            k->target[a] -= f->axis[a].w * real_max(k->target[a] - k->p->c.n0 * (1 - air), 0);
            density[a] = k->facing[a].w / k->target[a];
        }
    }
}

dew_result flow_find_films(flow_step *k)
{
    film f = {.k = k};
    ARENA_TRY(k->w->scratch, k->count, k->two_faced);
    size_t mark = arena_mark(k->w->scratch);
    ARENA_TRY(k->w->scratch, PAIR_I * k->blocks, f.axis);
    parallel_for(k->count, 4096, put_normals, &f);
    particles_update_ghosts(k->all, k->p->change);
    parallel_for(k->blocks, FLOW_GRAIN, find_axes, &f);
    parallel_for(k->blocks, FLOW_GRAIN, take_faces, &f);
    arena_release(k->w->scratch, mark);
    return DEW_OK;
}
