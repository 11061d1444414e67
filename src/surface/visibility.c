/* How much of its surroundings a particle sees, by the light shading of Shibata et al. 2015 (Xing et al. 2022, section
 * 4.1): a lamp stands in the particle's centre, each neighbour is a disc that casts a round shadow; the directions left
 * lit are those in which the particle sees out. With discs of the particles' own radius the interior stays 10-20 % lit;
 * wider ones (0.75 spacing) separate surface from interior, and the cap at 45 degrees keeps one close neighbour from
 * hiding half the sky. */

#include "base/parallel.h"
#include "base/simd.h"
#include "surface/select.h"
#include "surface/surface.h"

#include <string.h>

enum {
    VISIBILITY_GRAIN = 128,
    SLAB = 64,             /* candidates looked at between two checks for room */
    SHADOW_MAX = 2 * SLAB, /* shadows cast at once */
    BLOCKS = VISIBILITY_DIRECTIONS / LANES,
    FORM_AT_ONCE = 16,
    TOGETHER = 4, /* blocks of directions kept in registers while the shadows pass by */
};

typedef struct visibility_work {
    vreal x[BLOCKS], y[BLOCKS], z[BLOCKS]; /* the directions */
    bool is_flat;
    real spacing;
    const real4 *wall;
    const neighbours *n;
    const real4 *position;
    const int32_t *list;
    real *visibility;
} visibility_work;

/* Discs as seen from the lamp: offsets with squared distances first, then unit directions with the cosine of the half
 * angle. */
typedef struct shadows {
    int count;
    _Alignas(64) real x[SHADOW_MAX];
    real y[SHADOW_MAX], z[SHADOW_MAX], w[SHADOW_MAX];
} shadows;

/* A Fibonacci lattice: even to a few per cent, no preferred axis; in the plane even steps. */
static void spread_directions(visibility_work *work, bool is_flat)
{
    real u[3][VISIBILITY_DIRECTIONS];
    const double golden_angle = 2.39996322972865332;
    for (int k = 0; k < VISIBILITY_DIRECTIONS; k++) {
        double z = 1 - (2.0 * k + 1) / VISIBILITY_DIRECTIONS, radius = sqrt(1 - z * z), angle = golden_angle * k;
        u[0][k] = (real)(radius * cos(angle)), u[1][k] = (real)(radius * sin(angle)), u[2][k] = (real)z;
        if (!is_flat) continue;
        angle = 2 * PI * (k + 0.5) / VISIBILITY_DIRECTIONS;
        u[0][k] = (real)cos(angle), u[1][k] = (real)sin(angle), u[2][k] = 0;
    }
    memcpy(work->x, u[0], sizeof(u[0]));
    memcpy(work->y, u[1], sizeof(u[1]));
    memcpy(work->z, u[2], sizeof(u[2]));
}

/* From offsets to directions and cosines. A neighbour in the very same place has no direction: its zero vector hides
 * nothing, and so does the particle itself. */
static void shadows_form(shadows *s, real spacing)
{
    real disc2 = (real)(0.75 * 0.75) * spacing * spacing, tiny = (real)1e-12 * spacing * spacing;
    int padded = (s->count + FORM_AT_ONCE - 1) / FORM_AT_ONCE * FORM_AT_ONCE; /* whole registers; the rest is unused */
    for (int k = 0; k < padded; k++) {
        real inverse = s->w[k] > tiny ? 1 / sqrt(s->w[k]) : 0, cosine2 = 1 - disc2 * inverse * inverse;
        s->x[k] *= inverse, s->y[k] *= inverse, s->z[k] *= inverse;
        s->w[k] = sqrt(cosine2 > (real)0.5 ? cosine2 : (real)0.5);
    }
}

/* dark[direction] = how deep the direction lies in the deepest shadow so far; lit while <= 0. */
static void shadows_cast(const visibility_work *work, const shadows *s, vreal *dark)
{
    for (int b = 0; b < BLOCKS; b += TOGETHER) {
        vreal d0 = dark[b], d1 = dark[b + 1], d2 = dark[b + 2], d3 = dark[b + 3];
        for (int k = 0; k < s->count; k++) {
            vreal x = vset(s->x[k]), y = vset(s->y[k]), z = vset(s->z[k]), w = vset(s->w[k]);
            d0 = vmax(d0, work->x[b] * x + work->y[b] * y + work->z[b] * z - w);
            d1 = vmax(d1, work->x[b + 1] * x + work->y[b + 1] * y + work->z[b + 1] * z - w);
            d2 = vmax(d2, work->x[b + 2] * x + work->y[b + 2] * y + work->z[b + 2] * z - w);
            d3 = vmax(d3, work->x[b + 3] * x + work->y[b + 3] * y + work->z[b + 3] * z - w);
        }
        dark[b] = d0, dark[b + 1] = d1, dark[b + 2] = d2, dark[b + 3] = d3;
    }
}

static int count_lit(const vreal *dark)
{
    real depth[VISIBILITY_DIRECTIONS];
    memcpy(depth, dark, sizeof(depth));
    int lit = 0;
    for (int k = 0; k < VISIBILITY_DIRECTIONS; k++) lit += depth[k] <= 0;
    return lit;
}

/* Appends the candidates within 2 spacings. */
static void shadows_gather(shadows *s, const real4 *position, real4 centre, real range2, const int32_t *candidate,
                           int length)
{
    int32_t selected[SLAB];
    length = select_within(position, centre, range2, candidate, length, selected);
    for (int k = 0, l = s->count; k < length; k++, l++) {
        real4 b = position[selected[k]];
        real x = b.x - centre.x, y = b.y - centre.y, z = b.z - centre.z;
        s->x[l] = x, s->y[l] = y, s->z[l] = z, s->w[l] = x * x + y * y + z * z;
    }
    s->count += length;
}

static real visibility_of(const visibility_work *work, int i)
{
    real spacing = work->spacing;
    vreal dark[BLOCKS];
    for (int b = 0; b < BLOCKS; b++) dark[b] = vset(-1);
    shadows s;
    s.count = 0;
    int lit = VISIBILITY_DIRECTIONS;
    int32_t candidate[SLAB];
    for (int begin = 0, slab = SLAB; slab == SLAB && lit; begin += SLAB) {
        slab = neighbours_list(work->n, i / 4, begin, SLAB, candidate);
        shadows_gather(&s, work->position, work->position[i], 4 * spacing * spacing, candidate, slab);
        if (s.count <= SHADOW_MAX - SLAB && slab == SLAB) continue;
        shadows_form(&s, spacing);
        shadows_cast(work, &s, dark);
        lit = count_lit(dark);
        s.count = 0;
    }
    if (lit && work->wall && work->wall[i].w < (real)1.5 * spacing) {
        real4 wall = work->wall[i];
        s.count = 1;
        s.x[0] = -wall.x, s.y[0] = -wall.y, s.z[0] = -wall.z, s.w[0] = (real)0.8 * wall.w / spacing;
        if (work->is_flat) s.w[0] = real_max(s.w[0], (real)M_SQRT1_2);
        shadows_cast(work, &s, dark);
        lit = count_lit(dark);
    }
    return (real)lit / VISIBILITY_DIRECTIONS;
}

static void find_piece(int begin, int end, void *context)
{
    const visibility_work *work = context;
    for (int k = begin; k < end; k++) work->visibility[k] = visibility_of(work, work->list[k]);
}

void surface_visibility(bool is_flat, real spacing, const real4 *wall, const neighbours *n, const real4 *position,
                        const int32_t *list, int count, real *visibility)
{
    visibility_work work = {.is_flat = is_flat,
                            .spacing = spacing,
                            .wall = wall,
                            .n = n,
                            .position = position,
                            .list = list,
                            .visibility = visibility};
    spread_directions(&work, is_flat);
    parallel_for(count, VISIBILITY_GRAIN, find_piece, &work);
}
