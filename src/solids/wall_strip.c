#include "solids/wall_strip.h"

#include "base/parallel.h"
#include "solids/inside.h"

/* How far from the particle a strip is followed, and from how far off the solid one begins, in spacings. */
#define FARTHEST ((real)2)
/* Between two places so near, in spacings, or with normals so alike, the solid is an arc. */
#define ONE_PLACE ((real)0.01)
#define ONE_BEND ((real)0.98)
/* A cosine of 1 has no place where a strip ends. */
#define MOST_COSINE ((real)0.999)
/* Beyond a place along the solid, and below its face, in spacings: another solid that is there goes on with the face.
 */
#define BEYOND ((real)0.25)
#define BELOW ((real)0.1)
enum { LOOKS = 10, HALVINGS = 12, GRAIN = 64 };

/* The plane across the line; its origin is where the particle's foot is, or near it. */
typedef struct cut {
    const solids *solids;
    int solid;
    real3 foot, along, up; /* along: outward */
    real x, y;             /* the corner, by these */
    real cosine, spacing;
} cut;

/* What the solid has at a way from the foot. */
typedef struct wall_place {
    real way, x, y, nx, ny;
    real gain; /* of energy over gamma where the strip's end goes on outward */
} wall_place;

static real gain_at(const cut *c, const wall_place *w)
{
    real dx = w->x - c->x, dy = w->y - c->y, length = sqrt(dx * dx + dy * dy);
    return (length > 0 ? (dx * w->ny - dy * w->nx) / length : 0) - c->cosine;
}

static wall_place look(const cut *c, real way)
{
    real4 at = real4_of(real3_madd(c->foot, way, c->along), 0), seen;
    solids_distance(c->solids, c->solid, INFINITY, 1, &at, &seen);
    solids_find_edges(c->solids, c->solid, (double)(2 * FARTHEST * c->spacing), 1, &at, &seen);
    real nx = real3_dot(real3_of(seen), c->along), ny = real3_dot(real3_of(seen), c->up), length = hypot(nx, ny);
    wall_place w = {way, way - seen.w * nx, -seen.w * ny, nx, ny, 0};
    if (length > 0) w.nx /= length, w.ny /= length;
    w.gain = gain_at(c, &w);
    return w;
}

static wall_place between(const cut *c, const wall_place *a, const wall_place *b, real part)
{
    wall_place w = {a->way + part * (b->way - a->way), a->x + part * (b->x - a->x),    a->y + part * (b->y - a->y),
                    a->nx + part * (b->nx - a->nx),    a->ny + part * (b->ny - a->ny), 0};
    real length = hypot(w.nx, w.ny);
    if (length > 0) w.nx /= length, w.ny /= length;
    w.gain = gain_at(c, &w);
    return w;
}

static bool is_arc(const cut *c, const wall_place *a, const wall_place *b)
{
    return a->nx * b->nx + a->ny * b->ny > ONE_BEND || hypot(b->x - a->x, b->y - a->y) < ONE_PLACE * c->spacing;
}

/* Between two places that have the strip's end between them. At an edge they are one, and only the normal turns. */
static wall_place end_between(const cut *c, wall_place a, wall_place b)
{
    for (int k = 0; k < LOOKS && !is_arc(c, &a, &b); k++) {
        wall_place w = look(c, (a.way + b.way) / 2);
        *(w.gain > 0 ? &b : &a) = w;
    }
    real low = 0, high = 1;
    for (int k = 0; k < HALVINGS; k++) {
        real middle = (low + high) / 2;
        *(between(c, &a, &b, middle).gain > 0 ? &high : &low) = middle;
    }
    return between(c, &a, &b, (low + high) / 2);
}

/* Whether another solid, flush with this one, has the place beyond: then what looks like an edge is none. */
static bool goes_on(const cut *c, real way)
{
    real3 x = real3_madd(c->foot, way + BEYOND * c->spacing, c->along);
    real4 at = real4_of(real3_madd(x, -BELOW * c->spacing, c->up), 0), seen;
    int32_t which;
    solids_nearest(c->solids, c->spacing, 1, &at, &seen, &which);
    return which >= 0 && which != c->solid && seen.w < 0;
}

/* The normal that the strip meets. It is looked for from where it is on a plane. */
static real3 find_end(const cut *c)
{
    real farthest = FARTHEST * c->spacing, step = c->spacing / 2;
    real guess = c->x + c->y * c->cosine / sqrt(1 - c->cosine * c->cosine);
    wall_place a = look(c, real_min(real_max(guess, -farthest), farthest)), b = a;
    while (a.gain > 0 && a.way > -farthest) b = a, a = look(c, a.way - step);
    while (b.gain <= 0 && b.way < farthest) a = b, b = look(c, b.way + step);
    if (a.gain <= 0 && b.gain > 0) a = end_between(c, a, b);
    return goes_on(c, a.way) ? c->up : real3_madd(real3_scale(a.nx, c->along), a.ny, c->up);
}

typedef struct meeting {
    line_faces *f;
    const strip_search *s;
} meeting;

static void copy_normals(int begin, int end, void *context)
{
    const meeting *m = context;
    for (int i = begin; i < end; i++)
        for (int a = 0; a < 2; a++) m->f->meets[a][i] = m->f->wall[a][i];
}

static void meet_face(const meeting *m, int i, int a)
{
    const strip_search *s = m->s;
    const line_faces *f = m->f;
    real4 wall = f->wall[a][i];
    if (wall.w > FARTHEST * s->spacing || shape_is_plane(s->solids->solid[f->solid[a][i]].shape)) return;
    real3 up = real3_of(wall), normal = real3_of(s->normal[i]), along = real3_normalise(real3_across(normal, up));
    real cosine = (f->drawn[a] ? f->drawn[a] : f->cosine[a])[i];
    cut c = {.solids = s->solids,
             .solid = f->solid[a][i],
             .foot = real3_madd(real3_of(s->position[i]), -wall.w, up),
             .along = along,
             .up = up,
             .x = s->lift * real3_dot(normal, along),
             .y = wall.w + s->lift * real3_dot(normal, up),
             .cosine = real_max(real_min(cosine, MOST_COSINE), -MOST_COSINE),
             .spacing = s->spacing};
    if (c.x > 0 && c.y > 0) f->meets[a][i] = real4_of(find_end(&c), 0);
}

static void meet(int begin, int end, void *context)
{
    const meeting *m = context;
    for (int ring = begin; ring < end; ring++) {
        int i = m->s->rings->list[ring];
        if (m->s->rings->gaps[ring] != 1) continue;
        for (int a = 0; a < 2 && m->f->solid[a][i] >= 0; a++) meet_face(m, i, a);
    }
}

dew_result line_faces_meet(line_faces *f, const strip_search *s, arena *memory)
{
    if (!f->wall[0]) return DEW_OK;
    ARENA_TRY(memory, s->count, f->meets[0], f->meets[1]);
    meeting m = {f, s};
    parallel_for(s->count, 4096, copy_normals, &m);
    parallel_for(s->rings->count, GRAIN, meet, &m);
    return DEW_OK;
}
