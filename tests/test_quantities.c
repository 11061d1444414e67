/* The reconstructed surface, and quantities of whole simulations, on bodies whose answer is known. */
#include "base/arena.h"
#include "known_points.h"
#include "measure/points.h"
#include "measure/surface.h"
#include "sim/simulation.h"
#include "toy_method.h"

#include <stdlib.h>

/* --- the reconstructed surface --- */

static const bounds everywhere = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};

/* A closed mesh faces every way alike, and each edge of it is met once from either side. */
static void check_closed(const liquid_mesh *mesh)
{
    dew_vec3 sum = {0, 0, 0};
    double total = 0;
    for (int k = 0; k < mesh->mesh.triangle_count; k++) {
        dew_vec3 n = liquid_mesh_normal(mesh, k);
        sum = vec3_add(sum, n), total += vec3_length(n);
    }
    check_close(vec3_length(sum), 0, 1e-6 * total);
    int edges = 3 * mesh->mesh.triangle_count;
    int64_t balance = 0;
    for (int e = 0; e < edges; e++) {
        int64_t a = mesh->mesh.triangles[e], b = mesh->mesh.triangles[e % 3 == 2 ? e - 2 : e + 1];
        balance += (a < b ? 1 : -1) * ((a < b ? a : b) * 2654435761 ^ (a < b ? b : a) * 40503);
    }
    assert_true(balance == 0);
}

static mesh_size size_of(const real4 *points, int count, double spacing, int dimension)
{
    reconstruct_def def = {
        .points = points, .count = count, .spacing = spacing, .dimension = dimension, .within = everywhere};
    liquid_mesh mesh;
    check_ok(reconstruct(&def, &mesh));
    mesh_size size = liquid_mesh_size(&mesh, dimension, spacing);
    check_closed(&mesh);
    liquid_mesh_free(&mesh);
    return size;
}

static mesh_size size_of_fill(const dew_shape_def *def, dew_fill fill, double spacing, int dimension)
{
    shape *body;
    real4 *points;
    int count;
    check_ok(shape_create(&body, def, spacing));
    check_ok(shape_fill(body, fill, 0, dimension, spacing, NULL, &points, &count));
    mesh_size size = size_of(points, count, spacing, dimension);
    aligned_release(points);
    shape_destroy(body);
    return size;
}

/* volume and area: expected; the tolerances are the accuracy that docs/probes.md states. */
static void check_size(const mesh_size *size, double volume, double volume_off, double area, double area_off)
{
    check_close(size->volume / volume, 1, volume_off);
    check_close(size->area[MESH_FREE] / area, 1, area_off);
}

static void test_reconstruction(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) { /* about 2000 and 16000 particles */
        double s = 1e-4, R = (k ? 15.6 : 7.8) * s, L = (k ? 25 : 13) * s, off = k ? 0.5 : 1;
        dew_shape_def ball_def = dew_sphere((dew_vec3){0.01, -0.02, 0.03}, R);
        dew_shape_def box_def = dew_box((dew_vec3){0, 0, 0}, (dew_vec3){L, L, L});
        double volume = 4 * PI / 3 * R * R * R, area = 4 * PI * R * R;
        mesh_size relaxed = size_of_fill(&ball_def, DEW_FILL_RELAXED, s, 3);
        check_size(&relaxed, volume, 0.01 * off, area, 0.006 * off);
        mesh_size lattice = size_of_fill(&ball_def, DEW_FILL_CUBIC, s, 3);
        check_size(&lattice, volume, 0.015 * off, area, 0.055);
        mesh_size cube = size_of_fill(&box_def, DEW_FILL_CUBIC, s, 3);
        check_size(&cube, L * L * L, 0.01 * off, 6 * L * L, 0.06 * off);
        mesh_size relaxed_cube = size_of_fill(&box_def, DEW_FILL_RELAXED, s, 3);
        check_size(&relaxed_cube, L * L * L, 0.01 * off, 6 * L * L, 0.025 * off);
    }
    double s = 1e-4, R = 25 * s; /* in two dimensions */
    dew_shape_def disc = dew_sphere((dew_vec3){0.01, 0.02, 0}, R);
    mesh_size round = size_of_fill(&disc, DEW_FILL_RELAXED, s, 2);
    check_size(&round, PI * R * R, 0.005, 2 * PI * R, 0.003);
}

static bool is_in_slit(real4 x) { return fabs(x.x) < 4.5 && fabs(x.y) < 0.1 && fabs(x.z) < 1.1; }
static bool is_in_bubble(real4 x) { return x.x * x.x + x.y * x.y + x.z * x.z < 9; }

static mesh_size size_without(const real4 *points, int count, int dimension, bool (*is_out)(real4))
{
    real4 *kept = aligned_obtain((size_t)(count + 1) * sizeof *kept);
    int left = 0;
    for (int i = 0; i < count; i++)
        if (!is_out(points[i])) kept[left++] = points[i];
    mesh_size size = size_of(kept, left, 1, dimension);
    aligned_release(kept);
    return size;
}

/* A slit where a row or a plate of particles is missing is a gap; a bubble of three spacings' radius is surface. */
static void test_gaps(void **state)
{
    (void)state;
    enum { MOST = 8192 };
    real4 *points = aligned_obtain(MOST * sizeof *points);
    int count = ball(points, 0, 10, 1), flat = 0;
    mesh_size whole = size_of(points, count, 1, 3);
    mesh_size slit = size_without(points, count, 3, is_in_slit), bubble = size_without(points, count, 3, is_in_bubble);
    check_close(slit.area[MESH_FREE], whole.area[MESH_FREE], 1e-6 * whole.area[MESH_FREE]);
    check_close(bubble.area[MESH_FREE] - whole.area[MESH_FREE], 4 * PI * 9, 0.15 * 4 * PI * 9);
    for (int i = 0; i < count; i++)
        if (fabs(points[i].z) < 0.5) points[flat++] = point(points[i].x, points[i].y, 0);
    whole = size_of(points, flat, 1, 2), slit = size_without(points, flat, 2, is_in_slit);
    bubble = size_without(points, flat, 2, is_in_bubble);
    check_close(slit.area[MESH_FREE], whole.area[MESH_FREE], 1e-6 * whole.area[MESH_FREE]);
    check_close(bubble.area[MESH_FREE] - whole.area[MESH_FREE], 2 * PI * 3, 0.15 * 2 * PI * 3);
    aligned_release(points);
}

static void floor_distance(const void *context, double band, int count, const real4 *points, real4 *out)
{
    (void)context, (void)band;
    for (int i = 0; i < count; i++) out[i] = (real4){0, 0, 1, points[i].z};
}

/* Where particles are missing next to a floor the mesh has a dent, which is filled: the liquid wets the floor there, by
 * the floor's own area, and holds as much. */
static void test_dents(void **state)
{
    (void)state;
    enum { SIDE = 24, LAYERS = 6, MOST = 2 * LAYERS * SIDE * SIDE };
    mesh_size size[2];
    real4 *points = aligned_obtain(MOST * sizeof *points);
    for (int has_dents = 0; has_dents < 2; has_dents++) {
        int count = 0;
        for (int k = 0; k < MOST / 2; k++) {
            int x = k % SIDE, y = k / SIDE % SIDE, z = k / (SIDE * SIDE);
            if (has_dents && z == 0 && x % 6 >= 4 && y % 6 >= 4 && x < 22 && y < 22) continue;
            points[count++] = point(x, y, z + 0.5), points[count++] = point(x, y, -z - 0.5);
        }
        reconstruct_def def = {.points = points, .count = count, .spacing = 1, .dimension = 3, .within = everywhere};
        def.solid = floor_distance;
        liquid_mesh mesh;
        check_ok(reconstruct(&def, &mesh));
        size[has_dents] = liquid_mesh_size(&mesh, 3, 1);
        check_closed(&mesh);
        liquid_mesh_free(&mesh);
    }
    check_close(size[1].area[MESH_FREE], size[0].area[MESH_FREE], 1e-3 * size[0].area[MESH_FREE]);
    check_close(size[1].area[MESH_SOLID], size[0].area[MESH_SOLID], 1e-3 * size[0].area[MESH_SOLID]);
    check_close(size[1].volume, size[0].volume, 0.01 * size[0].volume);
    aligned_release(points);
}

/* Sheets of one to three layers keep both faces; a hole of one particle is no surface; none makes an empty mesh. */
static void test_sheets_and_holes(void **state)
{
    (void)state;
    enum { SIDE = 30, MOST = 30 * SIDE * SIDE };
    real4 *points = aligned_obtain(MOST * sizeof *points);
    for (int layers = 1; layers <= 3; layers++) {
        int count = 0;
        for (int k = 0; k < SIDE * SIDE * layers; k++)
            points[count++] = point(k % SIDE, k / SIDE % SIDE, k / (SIDE * SIDE));
        mesh_size size = size_of(points, count, 1, 3);
        double rim = 4.0 * SIDE * layers;
        check_close(size.volume / count, 1, 0.12 / layers);
        check_close(size.area[MESH_FREE] / (2 * SIDE * SIDE + rim), 1, 0.05 * layers);
    }
    int count = ball(points, 0, 8, 1);
    mesh_size whole = size_of(points, count, 1, 3);
    for (int i = 0; i < count; i++) {
        real4 x = points[i];
        if (x.x * x.x + x.y * x.y + x.z * x.z < 0.1) points[i] = points[--count];
    }
    mesh_size holed = size_of(points, count, 1, 3);
    check_close(holed.area[MESH_FREE], whole.area[MESH_FREE], 1e-6 * whole.area[MESH_FREE]);
    mesh_size nothing = size_of(points, 0, 1, 3), single = size_of(points, 1, 1, 3);
    check_close(nothing.volume, 0, 0), check_close(single.volume, 0, 0);
    aligned_release(points);
}

/* --- quantities of a simulation --- */

typedef struct scene {
    dew_material_def water;
    dew_liquid_def liquid;
    dew_solid_def solid;
    dew_simulation_def def;
} scene;

static const double spacing = 1e-4;

static void set_scene(scene *s)
{
    s->water = dew_default_material_def(), s->liquid = dew_default_liquid_def();
    s->solid = dew_default_solid_def(), s->def = dew_default_simulation_def();
    s->solid.name = "solid";
    s->def.method = "toy", s->def.spacing = spacing, s->def.threads = 1, s->def.gravity = (dew_vec3){0, 0, 0};
    s->def.materials = &s->water, s->def.material_count = 1;
    s->def.liquids = &s->liquid, s->def.liquid_count = 1;
    s->def.solids = &s->solid, s->def.solid_count = 0;
}

static dew_simulation *make(const scene *s)
{
    static method able;
    able = method_toy;
    able.info.features |= DEW_FEATURE_2D | DEW_FEATURE_CONTACT_ANGLE | DEW_FEATURE_SYMMETRY;
    dew_simulation *simulation;
    check_ok(simulation_create_with(&able, &s->def, &simulation));
    return simulation;
}

static double measured(const dew_simulation *s, const char *name, int column)
{
    double values[8];
    check_ok(dew_simulation_measure(s, name, values));
    return values[column];
}

static void test_free_drop(void **state)
{
    (void)state;
    scene s;
    set_scene(&s);
    double R = 8 * spacing;
    s.liquid.shape = dew_sphere((dew_vec3){0.1, -0.2, 0.05}, R);
    s.liquid.velocity = (dew_vec3){0, 0.3, 0.4};
    s.def.gravity = (dew_vec3){0, 0, -9.81};
    dew_simulation *drop = make(&s);
    double volume = 4 * PI / 3 * R * R * R, area = 4 * PI * R * R, mass = 1000 * volume;
    check_close(measured(drop, "volume", 0), volume, 0.01 * volume);
    check_close(measured(drop, "surface_area", 0), area, 0.01 * area);
    check_close(measured(drop, "surface_energy", 0), 0.072 * area, 0.01 * 0.072 * area);
    check_close(measured(drop, "wetted_area", 0), 0, 0);
    double energy = 0.072 * area + mass * (0.5 * 0.25 + 9.81 * 0.05);
    check_close(measured(drop, "energy", 0), energy, 0.01 * energy);
    check_close(measured(drop, "rms_speed", 0), 0.5, 1e-6);
    check_close(measured(drop, "sphericity", 0), 1, 0.003);
    check_close(measured(drop, "radius_deviation", 0), 0, 0.003);
    for (int n = 0; n < MODE_COUNT; n++) check_close(measured(drop, "mode_amplitudes", n), 0, 0.002);
    check_close(measured(drop, "front_position", 0), 0.1 - R, 0.1 * spacing);
    check_close(measured(drop, "front_position", 3), -0.2 + R, 0.1 * spacing);
    check_close(measured(drop, "front_position", 5), 0.05 + R, 0.1 * spacing);
    check_close(measured(drop, "drop_volumes", 0), volume, 0.005 * volume);
    check_close(measured(drop, "drop_volumes", 1), 0, 0);
    assert_true(isnan(measured(drop, "contact_angle", 0)));
    assert_true(isnan(measured(drop, "pressure_jump", 0)));
    /* What is kept of the surface goes with the particles: half a metre on all is the same. */
    double before = measured(drop, "surface_area", 0);
    s.def.gravity = (dew_vec3){0, 0, 0};
    check_ok(dew_simulation_advance(drop, 0.1, NULL, NULL));
    check_close(measured(drop, "surface_area", 0), before, 0.002 * before);
    check_close(measured(drop, "front_position", 3), -0.2 + 0.03 + R, 0.1 * spacing);
    dew_simulation_destroy(drop);
}

static double cap_volume(double angle)
{
    double c = cos(angle * DEGREE);
    return PI / 3 * (2 + c) * (1 - c) * (1 - c);
}

static void test_caps(void **state)
{
    (void)state;
    for (int k = 0; k < 5; k++) {
        double angle = 30 + 30 * k, R = spacing * cbrt(2000 / cap_volume(angle)), c = cos(angle * DEGREE);
        scene s;
        set_scene(&s);
        dew_vec3 normal = vec3_normalise(k % 2 ? (dew_vec3){0.3, -0.4, 0.8} : (dew_vec3){0, 0, -1});
        dew_vec3 foot = {0.01, 0.02, 0.03};
        s.solid.shape = dew_plane(foot, normal), s.solid.contact_angle = angle, s.def.solid_count = 1;
        s.liquid.shape = dew_sphere(vec3_add(foot, vec3_scale(-R * c, normal)), R);
        dew_simulation *drop = make(&s);
        double line = R * sin(angle * DEGREE), area = 2 * PI * R * R * (1 - c);
        check_close(measured(drop, "contact_angle", 0), angle, 0.3);
        check_close(measured(drop, "contact_radius", 0), line, 0.01 * line);
        check_close(measured(drop, "volume", 0), cap_volume(angle) * R * R * R, 0.01 * cap_volume(angle) * R * R * R);
        check_close(measured(drop, "surface_area", 0), area, 0.02 * area);
        measurement m;
        measured_surface kept = {0};
        const measured_surface *surface;
        check_ok(measurement_begin(&m, dew_simulation_frame(drop), &kept));
        check_ok(measure_surface(&m, &surface));
        check_closed(&surface->mesh);
        measured_surface_clear(&kept);
        double energy = 0.072 * (area - c * PI * line * line);
        check_close(measured(drop, "surface_energy", 0), energy, (angle >= 60 ? 0.01 : 0.08) * energy);
        check_close(measured(drop, "wetted_area", 0), PI * line * line, 0.05 * PI * line * line);
        dew_simulation_destroy(drop);
    }
}

static void test_caps_on_balls(void **state)
{
    (void)state;
    for (int k = 0; k < 6; k++) {
        bool is_hollow = k >= 3;
        double angle = 60 + 30 * (k % 3), A = 30 * spacing, R = (is_hollow ? 10 : 11) * spacing;
        double d = R * distance_of_centres(A / R, angle, is_hollow);
        scene s;
        set_scene(&s);
        dew_vec3 up = vec3_normalise((dew_vec3){0.2, 0.1, 1});
        dew_shape_def parts[2] = {dew_box((dew_vec3){-60 * spacing, -60 * spacing, -60 * spacing},
                                          (dew_vec3){60 * spacing, 60 * spacing, 60 * spacing}),
                                  dew_sphere((dew_vec3){0, 0, 0}, A)};
        s.solid.shape = parts[1];
        if (is_hollow) {
            s.solid.shape = dew_default_shape_def();
            s.solid.shape.kind = DEW_SHAPE_DIFFERENCE;
            s.solid.shape.combination.children = parts, s.solid.shape.combination.count = 2;
        }
        s.def.solid_count = 1;
        s.liquid.shape = dew_sphere(vec3_scale(is_hollow ? -d : d, up), R);
        dew_simulation *drop = make(&s);
        check_close(measured(drop, "contact_angle", 0), angle, 0.3);
        dew_simulation_destroy(drop);
    }
}

/* Signed distance to a drop of revolution: its outline and the wall z = 0 (hanging: turned over), lengths in `unit`. */
typedef struct turned_outline {
    const outline *outline;
    double unit, up;
} turned_outline;

static void outline_value(void *context, int count, const double *const *x, double *output)
{
    const turned_outline *t = context;
    const outline *o = t->outline;
    for (int i = 0; i < count; i++) {
        double r = hypot(x[0][i], x[1][i]) / t->unit, h = t->up * x[2][i] / t->unit, nearest = INFINITY;
        int at = 0;
        for (int k = 0; k < o->count; k += 32) {
            double square = (o->r[k] - r) * (o->r[k] - r) + (o->h[k] - h) * (o->h[k] - h);
            if (square < nearest) nearest = square, at = k;
        }
        int next = at + 32 < o->count ? at + 32 : at, last = at > 32 ? at - 32 : 0;
        double along_r = o->r[next] - o->r[last], along_h = o->h[next] - o->h[last];
        double outside = (r - o->r[at]) * -along_h + (h - o->h[at]) * along_r;
        output[i] = t->unit * fmax(copysign(sqrt(nearest), outside), -h);
    }
}

static void check_drop(const drop_row *drop, outline *o)
{
    drop_row drawn = draw_outline(drop, o);
    double unit = spacing * cbrt(2500), up = drop->bond > 0 ? 1 : -1, side = 1.6 * unit;
    turned_outline turned = {o, unit, up};
    scene s;
    set_scene(&s);
    s.liquid.shape = dew_default_shape_def();
    s.liquid.shape.kind = DEW_SHAPE_IMPLICIT;
    s.liquid.shape.implicit.value = (dew_function){outline_value, &turned};
    s.liquid.shape.implicit.min = (dew_vec3){-side, -side, -side};
    s.liquid.shape.implicit.max = (dew_vec3){side, side, side};
    s.solid.shape = dew_plane((dew_vec3){0, 0, 0}, (dew_vec3){0, 0, up}), s.def.solid_count = 1;
    s.def.gravity = (dew_vec3){0, 0, -fabs(drop->bond) * 0.072 / (1000 * unit * unit)};
    dew_simulation *made = make(&s);
    check_close(measured(made, "contact_angle", 0), drawn.angle, 1);
    check_close(measured(made, "contact_radius", 0), drawn.radius * unit, 0.01 * drawn.radius * unit);
    if (up > 0) check_close(measured(made, "height", 0), drop->height * unit, 0.25 * spacing);
    dew_simulation_destroy(made);
}

static void test_drops_under_gravity(void **state)
{
    (void)state;
    const drop_row hanging[] = {{0, -3, 1.1, 0, 0.5}, {0, -1.5, 0.9, 0, 0.6}};
    outline *o = malloc(sizeof *o);
    for (int k = 2; k < 7; k += 2) check_drop(&standing[k], o);
    for (int k = 0; k < 2; k++) check_drop(&hanging[k], o);
    free(o);
}

/* In the plane: a drop on a floor, and one between periodic faces. */
static void test_in_the_plane(void **state)
{
    (void)state;
    for (int angle = 60; angle <= 120; angle += 30) {
        double R = 25 * spacing, c = cos(angle * DEGREE), half = angle * DEGREE;
        scene s;
        set_scene(&s);
        s.def.dimension = 2;
        s.solid.shape = dew_plane((dew_vec3){0, 0, 0}, (dew_vec3){0, 1, 0}), s.def.solid_count = 1;
        s.liquid.shape = dew_sphere((dew_vec3){0.01, -R * c, 0}, R);
        dew_simulation *drop = make(&s);
        double arc = 2 * R * half, size = R * R * (half - sin(half) * c), line = R * sin(half);
        check_close(measured(drop, "contact_angle", 0), angle, 0.2);
        check_close(measured(drop, "contact_radius", 0), line, 0.01 * line);
        check_close(measured(drop, "surface_area", 0), arc, 0.01 * arc);
        check_close(measured(drop, "wetted_area", 0), 2 * line, 0.04 * 2 * line);
        check_close(measured(drop, "volume", 0), size, 0.006 * size);
        check_close(measured(drop, "height", 0), R * (1 - c), 0.2 * spacing);
        dew_simulation_destroy(drop);
    }
    scene s;
    set_scene(&s);
    s.def.dimension = 2;
    s.liquid.shape = dew_default_shape_def();
    s.liquid.shape.kind = DEW_SHAPE_ELLIPSOID;
    s.liquid.shape.ellipsoid.semi_axes = (dew_vec3){21e-4, 19e-4, 21e-4};
    dew_simulation *drop = make(&s);
    check_close(measured(drop, "modes", 0), 0.05, 0.003);
    check_close(measured(drop, "sphericity", 0), 1, 0.006);
    dew_simulation_destroy(drop);
}

/* The floor of a vessel that is one solid is its bottom, whatever its sides touch. */
static void test_height_in_a_vessel(void **state)
{
    (void)state;
    double R = 10 * spacing, depth = 12 * spacing;
    dew_vec3 under = {0, 0, -4 * spacing}, bottom = {0, 0, 0}, top = {0, 0, 20 * spacing};
    dew_shape_def parts[] = {dew_cylinder(under, top, R + 4 * spacing),
                             dew_cylinder(bottom, (dew_vec3){0, 0, 30 * spacing}, R)};
    scene s;
    set_scene(&s);
    s.solid.shape = dew_default_shape_def(), s.def.solid_count = 1;
    s.solid.shape.kind = DEW_SHAPE_DIFFERENCE;
    s.solid.shape.combination.children = parts, s.solid.shape.combination.count = 2;
    s.liquid.shape = dew_cylinder(bottom, (dew_vec3){0, 0, depth}, R);
    dew_simulation *made = make(&s);
    check_close(measured(made, "height", 0), depth, 0.25 * spacing);
    dew_simulation_destroy(made);
}

/* A layer of liquid between periodic faces has two surfaces; a quarter of a drop in a corner of symmetry, a quarter of
 * a drop's. */
static void test_faces(void **state)
{
    (void)state;
    double L = 12 * spacing, R = 9 * spacing;
    scene s;
    set_scene(&s);
    s.def.domain.min = (dew_vec3){0, 0, -10 * L}, s.def.domain.max = (dew_vec3){L, L, 10 * L};
    s.def.domain.axis[0] = s.def.domain.axis[1] = DEW_PERIODIC;
    s.liquid.fill = DEW_FILL_CUBIC;
    s.liquid.shape = dew_box((dew_vec3){0, 0, 0}, (dew_vec3){L, L, 6 * spacing});
    dew_simulation *layer = make(&s);
    check_close(measured(layer, "surface_area", 0), 2 * L * L, 0.002 * L * L);
    check_close(measured(layer, "volume", 0), 6 * spacing * L * L, 0.005 * 6 * spacing * L * L);
    dew_simulation_destroy(layer);
    s.def.domain.axis[0] = s.def.domain.axis[1] = DEW_SYMMETRY;
    s.liquid.shape = dew_sphere((dew_vec3){0, 0, 0}, R);
    s.liquid.fill = DEW_FILL_RELAXED;
    dew_simulation *quarter = make(&s);
    check_close(measured(quarter, "surface_area", 0), PI * R * R, 0.02 * PI * R * R);
    check_close(measured(quarter, "volume", 0), PI / 3 * R * R * R, 0.01 * PI / 3 * R * R * R);
    dew_simulation_destroy(quarter);
}

/* The neck by the mesh: much finer than by particles. */
static void neck_value(void *context, int count, const double *const *x, double *output)
{
    double unit = *(double *)context;
    for (int i = 0; i < count; i++) {
        double z = x[2][i] / unit;
        output[i] = fmax(hypot(x[0][i], x[1][i]) - unit * hourglass(z), unit * (fabs(z) - 0.9));
    }
}

static void test_neck_of_liquid(void **state)
{
    (void)state;
    double unit = 15 * spacing;
    scene s;
    set_scene(&s);
    s.liquid.shape = dew_default_shape_def();
    s.liquid.shape.kind = DEW_SHAPE_IMPLICIT;
    s.liquid.shape.implicit.value = (dew_function){neck_value, &unit};
    s.liquid.shape.implicit.min = (dew_vec3){-unit, -unit, -unit};
    s.liquid.shape.implicit.max = (dew_vec3){unit, unit, unit};
    dew_simulation *made = make(&s);
    check_close(measured(made, "neck_radius", 0), 0.3 * unit, 0.1 * spacing);
    dew_simulation_destroy(made);
}

/* What fills a channel has no free surface, and is as wide as the channel. */
static void test_neck_of_a_channel(void **state)
{
    (void)state;
    scene s;
    set_scene(&s);
    double L = 16 * spacing;
    s.def.dimension = 2;
    s.def.domain = (dew_domain_def){.max = {L, L, 0}, .axis = {DEW_PERIODIC, DEW_WALL, DEW_OPEN}};
    s.def.domain.slip_length = INFINITY;
    s.liquid.shape = dew_box((dew_vec3){0, 0, -1}, (dew_vec3){L, L, 1});
    dew_simulation *full = make(&s);
    check_close(measured(full, "neck_radius", 0), L / 2, 0.05 * L);
    dew_simulation_destroy(full);
}

/* The same bytes for any number of threads. */
static void test_threads(void **state)
{
    (void)state;
    double area[2], angle[2];
    for (int k = 0; k < 2; k++) {
        scene s;
        set_scene(&s);
        s.def.threads = k ? 3 : 1, s.def.solid_count = 1;
        s.solid.shape = dew_plane((dew_vec3){0, 0, 0}, (dew_vec3){0, 0, 1});
        s.liquid.shape = dew_sphere((dew_vec3){0, 0, 0}, 9 * spacing);
        dew_simulation *drop = make(&s);
        area[k] = measured(drop, "surface_area", 0), angle[k] = measured(drop, "contact_angle", 0);
        dew_simulation_destroy(drop);
    }
    assert_true(area[0] == area[1] && angle[0] == angle[1]);
}

int main(void)
{
    const struct CMUnitTest all[] = {cmocka_unit_test(test_reconstruction), cmocka_unit_test(test_sheets_and_holes),
                                     cmocka_unit_test(test_gaps),           cmocka_unit_test(test_dents),
                                     cmocka_unit_test(test_free_drop),      cmocka_unit_test(test_caps),
                                     cmocka_unit_test(test_caps_on_balls),  cmocka_unit_test(test_drops_under_gravity),
                                     cmocka_unit_test(test_in_the_plane),   cmocka_unit_test(test_faces),
                                     cmocka_unit_test(test_neck_of_liquid), cmocka_unit_test(test_neck_of_a_channel),
                                     cmocka_unit_test(test_threads),        cmocka_unit_test(test_height_in_a_vessel)};
    return cmocka_run_group_tests(all, NULL, NULL);
}
