#include "geometry/tessellate.h"

/* A profile turned about an axis: rings of vertices, one ring for each point of the profile (a single vertex on the
 * axis), quadrilaterals between consecutive rings. */

static int add_ring(const shape *s, profile_point at, int around, triangle_mesh *mesh)
{
    int first = mesh->vertex_count, count = at.r > 0 ? around : 1;
    dew_vec3 across = vec3_cross(s->round.axis, s->round.side);
    for (int k = 0; k < count; k++) {
        double angle = 2 * PI * k / around;
        dew_vec3 x = vec3_madd(s->round.start, at.t, s->round.axis);
        x = vec3_madd(x, at.r * cos(angle), s->round.side);
        x = vec3_madd(x, at.r * sin(angle), across);
        vec3_to_floats(x, mesh->vertices + 3 * (size_t)mesh->vertex_count++);
    }
    return first;
}

static void add_triangle(triangle_mesh *mesh, int a, int b, int c)
{
    int32_t *t = mesh->triangles + 3 * (size_t)mesh->triangle_count++;
    t[0] = a, t[1] = b, t[2] = c;
}

/* The profile runs along the axis with the outside on its left (r upwards): seen so, triangles face outwards. */
static void add_band(triangle_mesh *mesh, int low, bool low_is_point, int high, bool high_is_point, int around)
{
    for (int k = 0; k < around; k++) {
        int next = (k + 1) % around, a = low_is_point ? low : low + k, b = low_is_point ? low : low + next,
            c = high_is_point ? high : high + k, d = high_is_point ? high : high + next;
        if (!low_is_point) add_triangle(mesh, a, b, d);
        if (!high_is_point) add_triangle(mesh, a, d, c);
    }
}

static dew_result revolve(const shape *s, const profile_point *profile, int count, bool is_loop, int around,
                          triangle_mesh *mesh)
{
    size_t vertices = (size_t)(count * around);
    RESULT_TRY(triangle_mesh_obtain(mesh, vertices, 2 * vertices));
    int first = 0, before = 0;
    for (int k = 0; k < count; k++) {
        int ring = add_ring(s, profile[k], around, mesh);
        if (k > 0) add_band(mesh, before, profile[k - 1].r <= 0, ring, profile[k].r <= 0, around);
        if (k == 0) first = ring;
        before = ring;
    }
    if (is_loop) add_band(mesh, before, false, first, false, around);
    return DEW_OK;
}

enum { MOST = 256 };

/* Parts of a length about `cell` long. */
static int parts(double length, double cell, int least)
{
    double count = ceil(length / cell);
    return count < least ? least : count > MOST ? MOST : (int)count;
}

static int add_arc(profile_point *p, int count, double t, double r, double radius, double from, double to, double cell)
{
    int steps = parts(fabs(to - from) * radius, cell, 6);
    for (int k = 0; k <= steps; k++) {
        double angle = from + (to - from) * k / steps, away = r + radius * sin(angle);
        p[count++] = (profile_point){t - radius * cos(angle), away < 1e-9 * radius ? 0 : away};
    }
    return count;
}

dew_result tessellate_capsule(const shape *s, double cell, triangle_mesh *mesh)
{
    profile_point p[2 * MOST + 4];
    double radius = s->round.r0;
    int count = add_arc(p, 0, 0, 0, radius, 0, s->round.length > 0 ? PI / 2 : PI, cell);
    if (s->round.length > 0) count = add_arc(p, count, s->round.length, 0, radius, PI / 2, PI, cell);
    return revolve(s, p, count, false, parts(2 * PI * radius, cell, 12), mesh);
}

dew_result tessellate_cone(const shape *s, double cell, triangle_mesh *mesh)
{
    const profile_point p[4] = {{0, 0}, {0, s->round.r0}, {s->round.length, s->round.r1}, {s->round.length, 0}};
    double radius = fmax(s->round.r0, s->round.r1);
    return revolve(s, p, s->round.r1 > 0 ? 4 : 3, false, parts(2 * PI * radius, cell, 24), mesh);
}

dew_result tessellate_torus(const shape *s, double cell, triangle_mesh *mesh)
{
    profile_point p[MOST + 1];
    int count = add_arc(p, 0, 0, s->round.r0, s->round.r1, 0, 2 * PI, cell) - 1; /* the last is the first again */
    return revolve(s, p, count, true, parts(2 * PI * (s->round.r0 + s->round.r1), cell, 24), mesh);
}

dew_result tessellate_box(const shape *s, double cell, triangle_mesh *mesh)
{
    (void)cell;
    if (s->box.rounding > 0) return DEW_OK;
    RESULT_TRY(triangle_mesh_obtain(mesh, 8, 12));
    dew_vec3 c = s->box.centre, h = s->box.half;
    for (int k = 0; k < 8; k++) {
        dew_vec3 corner = {k & 1 ? h.x : -h.x, k & 2 ? h.y : -h.y, k & 4 ? h.z : -h.z};
        vec3_to_floats(vec3_add(c, corner), mesh->vertices + 3 * mesh->vertex_count++);
    }
    static const int face[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    for (int k = 0; k < 6; k++) {
        add_triangle(mesh, face[k][0], face[k][1], face[k][2]);
        add_triangle(mesh, face[k][0], face[k][2], face[k][3]);
    }
    return DEW_OK;
}
