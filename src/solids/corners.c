#include "solids/corners.h"

#include "solids/inside.h"

/* The signed distance of a union is the least of its parts'. From a place that is as far from a face as the reach,
 * along its normal, the nearest face is another one if there is any within reach: so on, until none is left. A bowl
 * stays one face, as its normal stays the same on the way. */

/* Foot of a face over the reach: one that ends before is none that the place sees. */
#define FOOT ((real)0.03)
/* Cosine of faces that look at each other. */
#define OPPOSITE ((real)-0.7)

/* Faces that make one smooth surface, or look at each other, have no edge: 1 - cos^2 of their normals. */
#define NO_EDGE ((real)1e-3)

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

/* The edge of the face that was seen from x and of the one that its foot lies before, by their planes: its nearest
 * place is x - a n - b m. */
static real4 edge_of(real4 face, real4 beyond)
{
    real3 n = real3_of(face), m = real3_of(beyond);
    real c = real3_dot(n, m), square = 1 - c * c;
    if (square < NO_EDGE) return face;
    real b = beyond.w / square, a = face.w - c * b;
    real3 way = real3_add(real3_scale(a, n), real3_scale(b, m));
    real distance = real3_length(way);
    return a > 0 ? real4_of(real3_scale(1 / distance, way), distance) : face;
}

void solids_find_edges(const solids *s, int index, double reach, int count, const real4 *points, real4 *nearest)
{
    enum { MOST = 64 };
    real4 foot[MOST], seen[MOST];
    if (s->solid[index].is_removed || shape_is_convex(s->solid[index].shape)) return;
    for (int first = 0; first < count; first += MOST) {
        int n = count - first < MOST ? count - first : MOST;
        bool is_any = false;
        for (int i = 0; i < n; i++) {
            real4 wall = nearest[first + i], x = points[first + i];
            bool is_near = wall.w > 0 && wall.w < (real)reach;
            foot[i] = is_near ? real4_of(real3_madd(real3_of(x), -wall.w, real3_of(wall)), 0) : x, is_any |= is_near;
        }
        if (!is_any) continue;
        solids_distance(s, index, reach, n, foot, seen);
        for (int i = 0; i < n; i++) {
            real4 *wall = &nearest[first + i];
            if (wall->w > 0 && wall->w < (real)reach && seen[i].w > FOOT * (real)reach) *wall = edge_of(*wall, seen[i]);
        }
    }
}

/* How far aside of an edge its faces are looked at, in spacings: a bend turns by less than 30 degrees between. */
#define ASIDE 0.1

bool solids_edge(const solids *s, int index, real4 point, real4 nearest, real3 face[2])
{
    enum { MOST_ENDS = 4 };
    real3 n = real3_of(nearest), foot = real3_madd(real3_of(point), -nearest.w, n);
    real3 u = s->dimension == 2 ? (real3){-n.y, n.x, 0} : real3_perpendicular(n), v = real3_cross(n, u);
    real4 ring[MOST_ENDS], seen[MOST_ENDS];
    real step = (real)(ASIDE * s->spacing), least = CORNER_COSINE;
    int ends = s->dimension == 2 ? 2 : MOST_ENDS;
    for (int k = 0; k < ends; k++) ring[k] = real4_of(real3_madd(foot, k % 2 ? -step : step, k < 2 ? u : v), 0);
    solids_distance(s, index, INFINITY, ends, ring, seen);
    bool is_edge = false;
    for (int a = 0; a < ends; a++)
        for (int b = 0; b < a; b++) {
            real cosine = real3_dot(real3_of(seen[a]), real3_of(seen[b]));
            if (cosine >= least) continue;
            face[0] = real3_of(seen[a]), face[1] = real3_of(seen[b]), least = cosine, is_edge = true;
        }
    return is_edge;
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
