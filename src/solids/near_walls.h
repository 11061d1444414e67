/* The solids near each particle, for methods that think solids filled with liquid at rest (half_space.h). Where two of
 * them overlap, as planes in a corner do, what both have is to count once: of fractions f and g of all space (1 + n .
 * m) f g/2 each is too much, exactly so at right angles to the corner and for planes that face each other or are the
 * same. */
#ifndef SOLIDS_NEAR_WALLS_H
#define SOLIDS_NEAR_WALLS_H

#include "base/arena.h"
#include "solids/half_space.h"
#include "solids/solids.h"

/* Of the solids within reach of a particle, so many of the nearest count. */
enum { NEAR_WALLS = 3 };

/* The nearest first, NEAR_WALLS for each particle: outward normal, w = distance (m); which, or -1. Both NULL where
 * there are no solids. A solid that is bent, or has an edge there, seems `farther` (m); `bend` tells more (both NULL:
 * not asked for; solids_mean_distance). */
typedef struct near_walls {
    real4 *wall;
    real *farther;
    solids_bend *bend;
    int32_t *solid;
    real *coming; /* NULL, or how much nearer each comes within the step, m (near_walls_take_back) */
    real *wet;    /* NULL, or 0 to 1, the caller's: liquid lies on the solid; what is dry counts as much less */
} near_walls;

/* Those within `reach` (m) of each of `count` places; memory is the arena's. sight > 0: how much
 * farther they seem to a kernel with such a radius (m, solids_mean_distance) is found, too. */
dew_result near_walls_find(near_walls *n, const solids *s, arena *memory, real reach, double sight, int count,
                           const real4 *x);

/* Distances become those at the beginning of a step of dt, as places are: solids have been found where they are at its
 * end, and one that moves by a twentieth of a spacing in a step would hold its liquid so much too near. */
dew_result near_walls_take_back(near_walls *n, const solids *s, arena *memory, real dt, int count, const real4 *x);

static inline real near_walls_wet(const near_walls *n, int at) { return n->wet ? n->wet[at] : 1; }
static inline bool near_walls_has(const near_walls *n, int i) { return n->wall && n->solid[NEAR_WALLS * i] >= 0; }
/* Whether one of the particles has this solid near it. */
bool near_walls_have(const near_walls *n, int begin, int end, int solid);
/* d without what would take particle i into one of its solids beyond `distance` from it (m), where that is at the
 * step's end; `way`: how far the particle has moved since its walls were found. */
real3 near_walls_keep_out(const near_walls *n, int i, real distance, real3 way, real3 d);

/* Those of one particle: distance over the reach h; of what each fills, the share that counts as its own, so that all
 * together are what the solids fill; and of an interaction with it, which is the derivative of that, the part that
 * counts. */
typedef struct walls_here {
    int count;
    real distance[NEAR_WALLS], share[NEAR_WALLS], part[NEAR_WALLS];
} walls_here;

/* `moved`: how far the particle is from where its walls were found, m. `t`: whose sums tell fractions of space. */
walls_here near_walls_at(const near_walls *n, int i, real3 moved, real inv_h, const half_space *t);

static inline real walls_here_part(const walls_here *h, int a) { return h->part[a]; }
/* The part that counts of the a-th as a mirror. Of two faces at right angles, or that face each other, each mirrors the
 * other's images as well, so that both are whole; the more they face the same way the more of their images is one. */
real near_walls_mirror(const near_walls *n, const walls_here *here, int i, int a, const half_space *t);

#endif
