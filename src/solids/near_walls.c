#include "solids/near_walls.h"

#include "base/parallel.h"
#include "solids/corners.h"

#include <string.h>

enum { CHUNK = 256 };

/* A solid as one particle sees it. */
typedef struct sighting {
    real4 wall;
    real farther;
    solids_bend bend;
    int32_t solid;
} sighting;

static void keep_nearest(const near_walls *n, int i, sighting found)
{
    for (int k = NEAR_WALLS * i; k < NEAR_WALLS * (i + 1); k++) {
        if (n->solid[k] >= 0 && n->wall[k].w <= found.wall.w) continue;
        sighting other = {.wall = n->wall[k], .solid = n->solid[k]};
        n->wall[k] = found.wall, n->solid[k] = found.solid;
        if (n->farther) {
            other.farther = n->farther[k], other.bend = n->bend[k];
            n->farther[k] = found.farther, n->bend[k] = found.bend;
        }
        if (other.solid < 0) return;
        found = other;
    }
}

typedef struct finding {
    const near_walls *n;
    const solids *solids;
    const real4 *x;
    real reach;
    double sight;
} finding;

/* What else of a solid is near a particle where it bends inwards. */
static void keep_further(const finding *f, int solid, int i, real4 nearest)
{
    real4 face[SOLID_FURTHER_FACES], seen[SOLID_FURTHER_FACES], place[SOLID_FURTHER_FACES];
    solids_bend bend[SOLID_FURTHER_FACES] = {0};
    int count = solids_further_faces(f->solids, solid, (double)f->reach, f->x[i], nearest, face);
    for (int k = 0; k < count; k++) seen[k] = face[k], place[k] = f->x[i];
    if (f->sight > 0) solids_mean_distance(f->solids, solid, f->sight, (double)f->reach, count, place, seen, bend);
    for (int k = 0; k < count; k++) keep_nearest(f->n, i, (sighting){face[k], seen[k].w - face[k].w, bend[k], solid});
}

static void drop(const near_walls *n, int at, int end)
{
    for (; at + 1 < end; at++) {
        n->wall[at] = n->wall[at + 1], n->solid[at] = n->solid[at + 1];
        if (n->farther) n->farther[at] = n->farther[at + 1], n->bend[at] = n->bend[at + 1];
    }
    n->solid[at] = -1;
}

/* Of two solids whose faces are one (solids_share_face) the nearer stays, as near as that which seems nearer. */
static void join_faces(const near_walls *n, const finding *f, int i)
{
    int end = NEAR_WALLS * (i + 1);
    for (int a = NEAR_WALLS * i; a < end && n->solid[a] >= 0; a++)
        for (int b = a + 1; b < end && n->solid[b] >= 0;) {
            real4 wall = n->wall[a], other = n->wall[b];
            if (!solids_share_face(f->solids, (double)f->reach, f->x[i], n->solid[a], wall, n->solid[b], other)) {
                b++;
                continue;
            }
            real nearer = n->farther ? other.w + n->farther[b] - wall.w : 0;
            if (n->farther && nearer < n->farther[a] && real3_dot(real3_of(wall), real3_of(other)) > CORNER_COSINE)
                n->farther[a] = nearer, n->bend[a] = n->bend[b];
            drop(n, b, end);
        }
}

static void find(int begin, int end, void *context)
{
    const finding *f = context;
    real4 found[CHUNK], seen[CHUNK];
    solids_bend bend[CHUNK] = {0};
    for (int i = NEAR_WALLS * begin; i < NEAR_WALLS * end; i++) f->n->solid[i] = -1;
    for (int first = begin; first < end; first += CHUNK) {
        int n = end - first < CHUNK ? end - first : CHUNK;
        for (int solid = 0; solid < solids_count(f->solids); solid++) {
            solids_distance(f->solids, solid, (double)f->reach, n, f->x + first, found);
            solids_find_edges(f->solids, solid, (double)f->reach, n, f->x + first, found);
            memcpy(seen, found, sizeof *seen * (size_t)n);
            if (f->sight > 0)
                solids_mean_distance(f->solids, solid, f->sight, (double)f->reach, n, f->x + first, seen, bend);
            for (int i = 0; i < n; i++) {
                if (!(real_min(found[i].w, seen[i].w) < f->reach)) continue;
                keep_nearest(f->n, first + i, (sighting){found[i], seen[i].w - found[i].w, bend[i], solid});
                keep_further(f, solid, first + i, found[i]);
            }
        }
    }
    for (int i = begin; i < end; i++) join_faces(f->n, f, i);
}

dew_result near_walls_find(near_walls *n, const solids *s, arena *memory, real reach, double sight, int count,
                           const real4 *x)
{
    *n = (near_walls){0};
    if (solids_count(s) == 0) return DEW_OK;
    ARENA_TRY(memory, NEAR_WALLS * count, n->wall, n->solid);
    if (sight > 0) ARENA_TRY(memory, NEAR_WALLS * count, n->farther, n->bend);
    parallel_for(count, 512, find, &(finding){n, s, x, reach, sight});
    return DEW_OK;
}

typedef struct going {
    const near_walls *n;
    const solids *solids;
    const real4 *x;
    real dt;
} going;

static void take_back(int begin, int end, void *context)
{
    const going *g = context;
    for (int i = begin; i < end; i++)
        for (int a = NEAR_WALLS * i; a < NEAR_WALLS * (i + 1) && g->n->solid[a] >= 0; a++) {
            real3 v = solids_velocity(g->solids, g->n->solid[a], real3_of(g->x[i]));
            g->n->coming[a] = g->dt * real3_dot(v, real3_of(g->n->wall[a]));
            g->n->wall[a].w += g->n->coming[a];
        }
}

dew_result near_walls_take_back(near_walls *n, const solids *s, arena *memory, real dt, int count, const real4 *x)
{
    if (!n->wall) return DEW_OK;
    ARENA_TRY(memory, NEAR_WALLS * count, n->coming);
    parallel_for(count, 1024, take_back, &(going){n, s, x, dt});
    return DEW_OK;
}

bool near_walls_have(const near_walls *n, int begin, int end, int solid)
{
    for (int i = NEAR_WALLS * begin; i < NEAR_WALLS * end; i++)
        if (n->solid[i] == solid) return true;
    return false;
}

real3 near_walls_keep_out(const near_walls *n, int i, real distance, real3 way, real3 d)
{
    for (int a = NEAR_WALLS * i; a < NEAR_WALLS * (i + 1) && n->solid[a] >= 0; a++) {
        real3 out = real3_of(n->wall[a]);
        real away = n->wall[a].w - (n->coming ? n->coming[a] : 0);
        real room = fmax(away + real3_dot(way, out) - distance, (real)0);
        d = real3_madd(d, fmax(-room - real3_dot(d, out), (real)0), out);
    }
    return d;
}

walls_here near_walls_at(const near_walls *n, int i, real3 moved, real inv_h, const half_space *t)
{
    const real4 *wall = n->wall + NEAR_WALLS * i;
    walls_here h = {0};
    while (h.count < NEAR_WALLS && n->solid[NEAR_WALLS * i + h.count] >= 0) {
        real away = wall[h.count].w + (n->farther ? n->farther[NEAR_WALLS * i + h.count] : 0);
        h.distance[h.count] = (away + real3_dot(moved, real3_of(wall[h.count]))) * inv_h;
        h.count++;
    }
    real full = 2 * t->sum[0];
    for (int a = 0; a < h.count; a++) {
        real left[2] = {1, 1};
        for (int b = 0, others = 0; b < h.count; b++) {
            if (a == b) continue;
            real both = 1 + real3_dot(real3_of(wall[a]), real3_of(wall[b]));
            both *= near_walls_wet(n, NEAR_WALLS * i + b);
            left[others++] = real_max(1 - both * half_space_at(t->sum, h.distance[b]) / full, 0);
        }
        real one = 1 - left[0], two = 1 - left[1], wet = near_walls_wet(n, NEAR_WALLS * i + a);
        real slope = n->bend ? n->bend[NEAR_WALLS * i + a].slope : 1;
        h.part[a] = wet * left[0] * left[1] * slope, h.share[a] = wet * (1 - (one + two) / 2 + one * two / 3);
    }
    return h;
}

real near_walls_mirror(const near_walls *n, const walls_here *here, int i, int a, const half_space *t)
{
    const real4 *wall = n->wall + NEAR_WALLS * i;
    real part = near_walls_wet(n, NEAR_WALLS * i + a), full = 2 * t->sum[0];
    for (int b = 0; b < here->count; b++) {
        if (a == b) continue;
        real both = 2 * real_max(real3_dot(real3_of(wall[a]), real3_of(wall[b])), 0);
        both *= near_walls_wet(n, NEAR_WALLS * i + b);
        part *= real_max(1 - both * half_space_at(t->sum, here->distance[b]) / full, 0);
    }
    return part;
}
