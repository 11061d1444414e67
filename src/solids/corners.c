#include "solids/corners.h"

#include "solids/inside.h"

/* The signed distance of a union is the least of its parts': around an edge that points inwards it is one face's on one
 * side and the other's beyond. So a look along some directions, half the reach and the whole of it away, finds every
 * face within reach. A bowl bends as well, but not at once: the look half as far sees a normal in between. */

enum { MOST_WAYS = 13 };

/* Around across the normal, up at 45 degrees, and away from the face. */
static int choose_ways(int dimension, real3 n, real3 *way)
{
    static const real slant = (real)0.70710678118654752;
    int count = 0;
    real3 u = dimension == 2 ? (real3){-n.y, n.x, 0} : real3_perpendicular(n), v = real3_cross(n, u);
    int around = dimension == 2 ? 2 : 8;
    for (int k = 0; k < around; k++) {
        double angle = 2 * PI * k / around;
        real3 across = real3_madd(real3_scale((real)cos(angle), u), dimension == 2 ? 0 : (real)sin(angle), v);
        way[count++] = across;
        if (dimension == 2 || k % 2 == 0) way[count++] = real3_scale(slant, real3_add(across, n));
    }
    way[count++] = n;
    return count;
}

typedef struct view {
    const solids *s;
    int index, ways;
    double band;
    real3 x, n;
    real away;
    real3 way[MOST_WAYS];
} view;

static void look(const view *v, real radius, real4 *seen)
{
    real4 at[MOST_WAYS];
    for (int k = 0; k < v->ways; k++) at[k] = real4_of(real3_madd(v->x, radius, v->way[k]), 0);
    solids_distance(v->s, v->index, v->band, v->ways, at, seen);
}

static bool is_other(const view *v, int way, real radius, real4 seen)
{
    return corner_is_other(seen, v->n, v->away + radius * real3_dot(v->n, v->way[way]));
}

/* Whether the way bends at once: half as far it still sees the first face, or the second already. */
static bool is_sharp(const view *v, real4 half_way, real4 seen)
{
    static const real same = (real)0.985; /* cos 10 degrees */
    real3 n = real3_of(half_way);
    return real3_dot(n, v->n) > same || real3_dot(n, real3_of(seen)) > same;
}

/* A face that was seen from x + radius way, as a plane: how far x is from it. */
static real4 plane_of(const view *v, int way, real radius, real4 seen)
{
    real3 n = real3_of(seen);
    return real4_of(n, seen.w - radius * real3_dot(n, v->way[way]));
}

static int keep(real4 *face, int count, real4 found)
{
    for (int k = 0; k < count; k++) {
        if (real3_dot(real3_of(face[k]), real3_of(found)) < CORNER_COSINE) continue;
        if (found.w < face[k].w) face[k] = found;
        return count;
    }
    if (count < SOLID_FURTHER_FACES) {
        face[count] = found;
        return count + 1;
    }
    int farthest = 0;
    for (int k = 1; k < count; k++) farthest = face[k].w > face[farthest].w ? k : farthest;
    if (found.w < face[farthest].w) face[farthest] = found;
    return count;
}

/* Looks at the face where x is nearest to it: it may be bent, or end before. A foot behind the first face is out of
 * sight, and the plane stays as it is. */
static bool confirm(const view *v, real reach, real4 *face)
{
    real before = reach * (real)0.02;
    real3 n = real3_of(*face), foot = real3_scale(before - face->w, n);
    if (v->away + real3_dot(foot, v->n) < before) return true;
    real4 at = real4_of(real3_add(v->x, foot), 0), seen;
    solids_distance(v->s, v->index, v->band, 1, &at, &seen);
    if (real3_dot(real3_of(seen), n) < CORNER_COSINE) return seen.w < reach * (real)0.25;
    *face = real4_of(real3_of(seen), seen.w - real3_dot(real3_of(seen), foot));
    return face->w < reach;
}

int solids_further_faces(const solids *s, int index, double reach, real4 point, real4 nearest, real4 *further)
{
    if (s->solid[index].is_removed || shape_is_convex(s->solid[index].shape)) return 0;
    real h = (real)reach;
    view v = {
        .s = s, .index = index, .band = 3 * reach, .x = real3_of(point), .n = real3_of(nearest), .away = nearest.w};
    v.ways = choose_ways(s->dimension, v.n, v.way);
    real4 whole[MOST_WAYS], half[MOST_WAYS], quarter[MOST_WAYS];
    look(&v, h, whole);
    bool any = false;
    for (int k = 0; k < v.ways; k++) any |= is_other(&v, k, h, whole[k]);
    if (!any) return 0;
    look(&v, h / 2, half);
    look(&v, h / 4, quarter);
    int count = 0;
    for (int k = 0; k < v.ways; k++) {
        bool near = is_other(&v, k, h / 2, half[k]) && is_sharp(&v, quarter[k], half[k]);
        bool far = !near && is_other(&v, k, h, whole[k]) && is_sharp(&v, half[k], whole[k]);
        if (!near && !far) continue;
        real4 found = near ? plane_of(&v, k, h / 2, half[k]) : plane_of(&v, k, h, whole[k]);
        if (found.w >= nearest.w && found.w < h) count = keep(further, count, found);
    }
    int kept = 0;
    for (int k = 0; k < count; k++)
        if (confirm(&v, h, &further[k])) further[kept++] = further[k];
    return kept;
}
