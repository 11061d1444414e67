/* The liquid's surface as particles see it: which particles are surface, normals, the ring of triangles around each.
 * Shared by every method that works on surface particles; arrays are the caller's, indexed by slot over [0, end) where
 * ghosts matter. `position` must be far away (PARTICLE_FAR) in the dummy slots, as particles.h has it. */
#ifndef SURFACE_SURFACE_H
#define SURFACE_SURFACE_H

#include "base/arena.h"
#include "base/real.h"
#include "particles/neighbours.h"
#include "particles/particles.h"

/* --- detection by light shading (Shibata et al. 2015; Xing et al. 2022, section 4.1) --- */

enum { VISIBILITY_DIRECTIONS = 128 };

/* Fraction of directions in which particle i sees out, for each i of list[0..count): neighbours within 2 spacing cast
 * discs of radius 0.75 spacing capped at 45 degrees. visibility[k] belongs to list[k]. `wall`, by slot: the normal of
 * the solid near particle i in xyz, its distance phi in w; it hides the directions u with -u . n_w > 0.8 phi/spacing,
 * none where phi >= 1.5 spacing. NULL: there is no solid. In two dimensions directions are those of the plane, and a
 * solid hides no more than a neighbour does, 45 degrees to either side: what lies on the surface next to a wall sees as
 * much of the plane there as elsewhere. */
void surface_visibility(bool is_flat, real spacing, const real4 *wall, const neighbours *n, const real4 *position,
                        const int32_t *list, int count, real *visibility);

/* Steps that `unrest` counts down from. */
enum { SURFACE_UNREST = 40 };

/* By slot of [0, count). */
typedef struct surface_detection {
    real spacing;
    const real4 *wall;     /* as of surface_visibility */
    const real *ease;      /* what a particle has to see is less by this factor; NULL: 1 */
    uint8_t *is_candidate; /* who may be on the surface; afterwards, who is */
    uint8_t *is_surface;   /* who was; afterwards, who is */
    uint8_t *unrest;       /* for so many steps a particle has come to the surface, or left it, of late */
    bool is_flat;          /* two dimensions */
    real comes;            /* of all directions, what one has to see that was not on the surface; 0: a ninth, in the
                              plane 0.216 */
} surface_detection;

/* DEW_NO_MEMORY. */
dew_result surface_detect(const surface_detection *d, const neighbours *n, const real4 *position, int count,
                          arena *memory);

/* --- local mesh: the ring of a surface particle (section 4.2; tangent-plane Delaunay by clipping the Voronoi cell) ---
 */

enum { RING_MAX = 16 };

/* Rings of all surface particles, packed. Ring k belongs to particle list[k]; its members in order around the normal
 * (counter-clockwise seen from outside) are member[begin[k] .. begin[k + 1]); consecutive members are a triangle with
 * the centre, the last with the first too where the ring is closed (gaps[k] is 0). An open ring starts behind its gap;
 * with more gaps than one has_triangle tells for each member whether it makes a triangle with the next.
 * Members may be ghosts. */
typedef struct rings {
    int count;
    const int32_t *list;
    int32_t *begin;
    int32_t *member;
    uint8_t *has_triangle; /* for each member: with the next member (cyclically) */
    uint8_t *gaps;         /* for each ring: 0 = closed */
    real4 *shift; /* for each ring: Voronoi centroid of its cell - centre (m), tangential; w = area of the cell */
    /* Which (ring, member) refer to slot j: reference[reference_begin[j] .. reference_begin[j + 1]) index into member;
     * for scattering without races, in a fixed order. Ghost slots' references are folded into their own range
     * [ghost_begin, end). */
    int32_t *reference_begin, *reference;
} rings;

typedef struct ring_params {
    real reach;         /* members within this of the centre, m (<= cutoff of the lists) */
    real box;           /* half side of the square the cell starts from, m; 3 spacing */
    const real *box_of; /* for each slot, or NULL: replaces `box` where > 0 */
    bool film_check;    /* drop j if n_i . n_j <= cos(45) and (n_i - n_j) . (p_i - p_j) >= 0 (section 5) */
    /* For each slot, or NULL. The check lets j stand as far as 102 degrees from i where i is of a thread: in one of two
     * particles across, the next around it stands at 90. */
    const uint8_t *is_thread;
} ring_params;

/* Next to a solid, where the liquid ends, the cell starts from a smaller square, the more so where the solid repels:
 * its half side by the distance to the solid and the cosine of the contact angle, m; 0: `box`. */
static inline real ring_box_at_solid(real distance, double cosine, real spacing)
{
    return distance < (real)1.5 * spacing ? (cosine < -0.7 ? (real)1.6 : (real)2) * spacing : 0;
}

/* Builds the rings of list[0..count): particles whose is_surface is set are members. normal: unit, xyz. All arrays from
 * `memory`, about 220 bytes a ring; DEW_NO_MEMORY when there is none. */
dew_result surface_rings(const ring_params *params, const neighbours *n, const particles *p, const real4 *position,
                         const real4 *normal, const uint8_t *is_surface, const int32_t *list, int count, arena *memory,
                         rings *r);

/* The same in the plane, where the surface is a line: a ring has one member on each side, the
 * first to the left of the normal, at the most; has_triangle is set, as each member makes an edge with the centre; with
 * less than two gaps[k] is 1. The cell is half of each edge, and its area their length, m. */
dew_result surface_outline(const ring_params *params, const neighbours *n, const particles *p, const real4 *position,
                           const real4 *normal, const uint8_t *is_surface, const int32_t *list, int count,
                           arena *memory, rings *r);

/* --- codimension --- */

/* Principal component analysis of the places of the neighbours within `reach` (supplementary 2): eigenvalues of the
 * covariance, descending, for each i of list. A filament has values[0] much larger than the others. xyz = eigenvalues,
 * w = neighbours within reach. */
void surface_principal_components(const neighbours *n, const real4 *position, real reach, const int32_t *list,
                                  int count, real4 *values);

/* Slots of [0, count) whose flag is set, ascending; returns how many. `list` has room for count. Deterministic,
 * parallel. */
int surface_compact(const uint8_t *flag, int count, int32_t *list);

#endif
