/* Where the surface beyond a particle meets the solid: against the least of |p - q| - w(q) cos(theta) over finely
 * sampled places q of a plane, a ball, a bowl and an edge. */
#include "known_points.h"

#include "base/arena.h"
#include "solids/wall_strip.h"

#define SPACING 1e-4
#define RADIUS (4 * SPACING)

typedef enum place { PLANE, BALL, BOWL, EDGE } place;

/* The solid's outline in the plane y = 0 at the way w along x from the top, which is at the origin, up along z. */
static void wall_at(place kind, double way, double *x, double *z)
{
    double bend = kind == BALL ? 1 / RADIUS : kind == BOWL ? -1 / RADIUS : 0;
    *x = way, *z = 0;
    if (bend != 0) *x = sin(way * bend) / bend, *z = (cos(way * bend) - 1) / bend;
    if (kind == EDGE && way > 0) *x = 0, *z = -way;
}

static dew_shape_def shape_of(place kind, dew_shape_def parts[2])
{
    dew_shape_def shape;
    if (kind == PLANE) return dew_plane((dew_vec3){0}, (dew_vec3){0, 0, 1});
    if (kind == BALL) return dew_sphere((dew_vec3){0, 0, -RADIUS}, RADIUS);
    if (kind == EDGE)
        return dew_box((dew_vec3){-40 * SPACING, -40 * SPACING, -40 * SPACING}, (dew_vec3){0, 40 * SPACING, 0});
    parts[0] = dew_box((dew_vec3){-20 * SPACING, -20 * SPACING, -20 * SPACING},
                       (dew_vec3){20 * SPACING, 20 * SPACING, RADIUS});
    parts[1] = dew_sphere((dew_vec3){0, 0, RADIUS}, RADIUS);
    shape = dew_default_shape_def();
    shape.kind = DEW_SHAPE_DIFFERENCE, shape.combination.children = parts, shape.combination.count = 2;
    return shape;
}

/* The way of the strip from (x, z): towards the place of least energy within two spacings. Returns its length. */
static double find_least(place kind, double cosine, double x, double z, double *way_x, double *way_z)
{
    double least = INFINITY, length_there = 0;
    for (double way = -2 * SPACING; way < 2 * SPACING; way += 1e-4 * SPACING) {
        double at_x, at_z;
        wall_at(kind, way, &at_x, &at_z);
        double length = hypot(at_x - x, at_z - z), energy = length - way * cosine;
        if (energy >= least) continue;
        least = energy, length_there = length, *way_x = (at_x - x) / length, *way_z = (at_z - z) / length;
    }
    return length_there;
}

/* The strip of a particle whose foot is at `way`, its surface at `slope` to the horizontal. */
static void check_strip(place kind, double angle, double way, double slope)
{
    dew_shape_def parts[2];
    dew_solid_def body = dew_default_solid_def();
    dew_simulation_def def = dew_default_simulation_def();
    solids *s;
    arena *memory = arena_create();
    body.shape = shape_of(kind, parts), body.contact_angle = angle;
    def.spacing = SPACING, def.solids = &body, def.solid_count = 1;
    check_ok(solids_create(&s, &def));
    double x, z, before_x, before_z;
    wall_at(kind, way, &x, &z), wall_at(kind, way - 1e-3 * SPACING, &before_x, &before_z);
    double along_x = (x - before_x) / (1e-3 * SPACING), along_z = (z - before_z) / (1e-3 * SPACING);
    real4 at = point(x - SPACING / 2 * along_z, 0, z + SPACING / 2 * along_x),
          normal = point(sin(slope), 0, cos(slope));
    near_walls near;
    line_faces faces;
    check_ok(near_walls_find(&near, s, memory, (real)(3 * SPACING), 0, 1, &at));
    dew_material_def liquid = dew_default_material_def();
    liquid.surface_tension = 0.07;
    check_ok(line_faces_find(&faces, &near, s, (liquids_there){&liquid, NULL}, memory, 1));
    int32_t one = 0;
    uint8_t gap = 1;
    rings r = {.count = 1, .list = &one, .gaps = &gap};
    check_ok(
        line_faces_meet(&faces, &(strip_search){s, &r, &at, &normal, (real)SPACING, (real)(SPACING / 2), 1}, memory));
    double cosine = (double)faces.cosine[0][0], sine = sqrt(1 - cosine * cosine), want_x = 0, want_z = 0;
    real3 meets = real3_of(faces.meets[0][0]);
    double seen_x = cosine * (double)meets.z - sine * (double)meets.x;
    double seen_z = -cosine * (double)meets.x - sine * (double)meets.z;
    double length = find_least(kind, cosine, (double)at.x + SPACING / 2 * sin(slope),
                               (double)at.z + SPACING / 2 * cos(slope), &want_x, &want_z);
    double near_by = 0.01 + 0.005 * SPACING / length; /* its end is found so well */
    check_close((double)meets.y, 0, 1e-5);
    check_close(seen_x, want_x, near_by);
    check_close(seen_z, want_z, near_by);
    solids_destroy(s);
    arena_destroy(memory);
}

static void test_smooth(void **state)
{
    (void)state;
    for (place kind = PLANE; kind < EDGE; kind++)
        for (double angle = 60; angle < 160; angle += 15)
            for (double off = -20; off < 30; off += 20) check_strip(kind, angle, 0, (angle + off) * DEGREE);
}

/* On the top before the edge, and about it. */
static void test_edge(void **state)
{
    (void)state;
    for (double way = -1.4 * SPACING; way < 0; way += 0.3 * SPACING)
        for (double angle = 60; angle < 130; angle += 30)
            for (double slope = angle; slope < angle + 60; slope += 15) check_strip(EDGE, angle, way, slope * DEGREE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_smooth), cmocka_unit_test(test_edge)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
