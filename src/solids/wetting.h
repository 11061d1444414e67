/* How liquid seen through a kernel meets a solid: what of the solid it wets, and what is left of angles that come out
 * wrong. For methods whose surface is a mesh of particles. */
#ifndef SOLIDS_WETTING_H
#define SOLIDS_WETTING_H

#include "base/arena.h"
#include "solids/fractions.h"
#include "solids/near_walls.h"

/* The share of the solid in a kernel of radius h that liquid wets, `distance` from it, where the liquid's surface meets
 * the solid at the angle of this cosine and lies half a `spacing` outside of the particle; lengths in m. */
real wetted_share(const fractions *f, real h, real spacing, real distance, real cosine);

/* By how much the detection of surface particles is eased next to a solid: clamp((180 - theta)/90, 0.4, 1). */
real wetting_ease(real cosine);

/* Which liquid is where. */
typedef struct liquids_there {
    const dew_material_def *materials;
    const uint8_t *material; /* by slot, or NULL: there is one */
} liquids_there;
static inline int liquid_at(liquids_there l, int i) { return l.material ? l.material[i] : 0; }

/* The faces that a contact line may be on, as surface_area_force asks for them: of each particle the nearest and, as in
 * a corner, the next; outward normal, w = distance (m), the cosine of its contact angle, NO_SOLID where there is none.
 */
typedef struct line_faces {
    real4 *wall[2];
    real *cosine[2];
    int32_t *solid[2]; /* which; -1 where there is none */
    real *drawn[2];    /* NULL, or the cosines that lines are drawn along them with: moving_line.h */
    real4 *meets[2];   /* NULL, or the normals where the surface meets them: wall_strip.h */
} line_faces;
/* Memory is the arena's: DEW_NO_MEMORY. */
dew_result line_faces_find(line_faces *f, const near_walls *near, const solids *s, liquids_there liquids, arena *memory,
                           int count);

#endif
