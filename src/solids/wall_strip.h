/* Where the surface beyond the last corner of a mesh meets the solid. The strip from that corner p goes on straight to
 * the place q of least energy |p - q| - w(q) cos(theta), w what of the solid is wet on the way to q. Its pull on p is
 * towards q, and on a smooth solid it meets q at theta: so Young's law is of the solid's normal there, which lies
 * s/2 (1 + cos(theta))/sin(theta) before a particle. Lines drawn by the normal below particles come to rest at
 * cos(theta) + s/2 (1 + cos(theta))/R on a solid that bends by 1/R, 12 degrees too low at 60 on a ball of four
 * spacings. At an edge q stays for a range of angles (Gibbs), while the normal below the particle turns. */
#ifndef SOLIDS_WALL_STRIP_H
#define SOLIDS_WALL_STRIP_H

#include "solids/wetting.h"
#include "surface/surface.h"

typedef struct strip_search {
    const solids *solids;
    const rings *rings;
    const real4 *position, *normal; /* of their particles; normal: out of the liquid */
    real spacing, lift;             /* m: the mesh's corner is at position + lift normal */
    int count;
} strip_search;

/* Makes f->meets (wall[0] NULL: nothing): where a ring has one gap, for each face the normal n of the plane that the
 * strip meets at theta, so that it goes along cos(theta) t - sin(theta) n, t the plane's way outward; else the face's
 * own. DEW_NO_MEMORY. */
dew_result line_faces_meet(line_faces *f, const strip_search *s, arena *memory);

#endif
