#include "solids/corners.h"

#include "solids/inside.h"

/* The signed distance of a union is the least of its parts'. From a place that is as far from a face as the reach,
 * along its normal, the nearest face is another one if there is any within reach: so on, until none is left. A bowl
 * stays one face, as its normal stays the same on the way. */

/* Foot of a face over the reach: one that ends before is none that the place sees. */
#define FOOT ((real)0.03)
/* Cosine of faces that look at each other. */
#define OPPOSITE ((real)-0.7)

/* Whether the nearest face goes on as a plane: the two sides of a slot, not one wall that a tube has all around. */
static bool is_plane_around(const solids *s, int index, real reach, real3 x, real3 n)
{
    enum { MOST_ENDS = 4 };
    real4 ring[MOST_ENDS], seen[MOST_ENDS];
    int ends = s->dimension == 2 ? 2 : MOST_ENDS;
    real3 u = s->dimension == 2 ? (real3){-n.y, n.x, 0} : real3_perpendicular(n), v = real3_cross(n, u);
    for (int k = 0; k < ends; k++) ring[k] = real4_of(real3_madd(x, k % 2 ? -reach / 4 : reach / 4, k < 2 ? u : v), 0);
    solids_distance(s, index, INFINITY, ends, ring, seen);
    bool is_plane = true;
    for (int k = 0; k < ends; k++) is_plane &= real3_dot(real3_of(seen[k]), n) > (real)0.99;
    return is_plane;
}

int solids_further_faces(const solids *s, int index, double reach, real4 point, real4 nearest, real4 *further)
{
    if (s->solid[index].is_removed || shape_is_convex(s->solid[index].shape)) return 0;
    real h = (real)reach;
    real3 x = real3_of(point), normal[1 + SOLID_FURTHER_FACES] = {real3_of(nearest)};
    real3 way = real3_scale(h - nearest.w, normal[0]);
    for (int count = 0; count < SOLID_FURTHER_FACES; count++) {
        real4 from = real4_of(real3_add(x, way), 0), seen, foot;
        solids_distance(s, index, INFINITY, 1, &from, &seen);
        real3 n = real3_of(seen);
        real4 face = real4_of(n, seen.w - real3_dot(n, way));
        if (!(face.w < h)) return count;
        for (int k = 0; k <= count; k++) {
            real cosine = real3_dot(normal[k], n);
            if (cosine > CORNER_COSINE) return count;
            if (cosine < OPPOSITE && !is_plane_around(s, index, h, x, normal[0])) return count;
        }
        real4 below = real4_of(real3_madd(x, -face.w, n), 0);
        solids_distance(s, index, INFINITY, 1, &below, &foot);
        if (foot.w > FOOT * h) return count;
        further[count] = face, normal[count + 1] = n;
        way = real3_madd(way, h - seen.w, n);
    }
    return SOLID_FURTHER_FACES;
}

void solids_drop_ends(const solids *s, int index, double reach, int count, const real4 *points, real4 *nearest)
{
    enum { MOST = 64 };
    real4 foot[MOST], seen[MOST];
    if (s->solid[index].is_removed || shape_is_convex(s->solid[index].shape)) return;
    for (int first = 0; first < count; first += MOST) {
        int n = count - first < MOST ? count - first : MOST;
        for (int i = 0; i < n; i++) {
            real4 wall = nearest[first + i];
            foot[i] = wall.w < (real)reach
                          ? real4_of(real3_madd(real3_of(points[first + i]), -wall.w, real3_of(wall)), 0)
                          : points[first + i];
        }
        solids_distance(s, index, reach, n, foot, seen);
        for (int i = 0; i < n; i++)
            if (nearest[first + i].w < (real)reach && seen[i].w > FOOT * (real)reach) nearest[first + i].w = INFINITY;
    }
}

/* Over the reach: how far behind and before a foot is looked. */
#define SEAM ((real)0.1)

/* Beyond the foot of a face, from the point's side, there is the solid. */
static bool is_in(const solids *s, int index, real reach, real4 point, real4 face, real beyond)
{
    real4 at = real4_of(real3_madd(real3_of(point), beyond - face.w, real3_of(face)), 0), seen;
    solids_distance(s, index, (double)reach, 1, &at, &seen);
    return seen.w < 0;
}

bool solids_share_face(const solids *s, double reach, real4 point, int a, real4 face_a, int b, real4 face_b)
{
    real h = (real)reach, seam = SEAM * h;
    if (a == b) return false;
    if (is_in(s, a, h, point, face_b, -seam)) return true;
    return real3_dot(real3_of(face_a), real3_of(face_b)) > CORNER_COSINE &&
           (is_in(s, a, h, point, face_b, seam) || is_in(s, b, h, point, face_a, -seam));
}
