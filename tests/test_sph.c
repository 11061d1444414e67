/* sph: the kernel's parts beyond planes, the curvature of balls, drops told apart and kept in balance, walls. */
#include "methods/sph/flow.h"
#include "methods/sph/paper.h"
#include "methods/sph/sph.h"
#include "particles/kernels.h"
#include "pbf_setup.h"

static dew_simulation *create_sph(setup *u)
{
    u->def.method = "sph";
    return create(u);
}

/* --- kernel --- */

/* The part of the kernel beyond a plane at distance u, over the whole; summed over a fine grid. */
static double summed_beyond(double u)
{
    enum { STEPS = 60 };
    double all = 0, beyond = 0;
    for (int x = -STEPS; x < STEPS; x++)
        for (int y = -STEPS; y < STEPS; y++)
            for (int z = -STEPS; z < STEPS; z++) {
                double a = (x + 0.5) / STEPS, b = (y + 0.5) / STEPS, c = (z + 0.5) / STEPS;
                double w = (double)wendland((real)sqrt(a * a + b * b + c * c));
                all += w;
                if (a > u) beyond += w;
            }
    return beyond / all;
}

static void test_kernel_beyond_planes(void **state)
{
    (void)state;
    const double places[] = {-0.75, -0.25, 0, 0.25, 0.5, 0.75};
    for (int k = 0; k < 6; k++) {
        double u = places[k], h = 1e-2;
        check_close((double)wendland_beyond((real)u), summed_beyond(u), 1e-3, "part beyond a plane");
        double slope = (double)(wendland_beyond((real)(u - h)) - wendland_beyond((real)(u + h))) / (2 * h);
        check_close((double)wendland_beyond_slope((real)u), slope, 5e-3, "its slope");
    }
    check_close((double)wendland_beyond(1), 0, 1e-7, "at the support");
    check_close((double)wendland_beyond(-1), 1, 1e-7, "at the other end");
    check_close((double)wendland_beyond(2), 0, 1e-7, "farther");
}

/* Layers of a lattice above a plane, the first half a spacing off it: what lies beyond completes the sums of each. */
static void test_layers_beyond_planes(void **state)
{
    (void)state;
    double all = 0, moment = 0, sum[3] = {0}, slope[3] = {0};
    for (int x = -3; x <= 3; x++)
        for (int y = -3; y <= 3; y++)
            for (int z = -3; z <= 3; z++) {
                double q = sqrt(x * x + y * y + z * z) / 3, t = fmax(1 - q, 0);
                all += (double)wendland((real)q), moment += t * t * t * q * q / 3;
                for (int layer = 0; layer < 3; layer++) {
                    if (z < -layer) continue;
                    sum[layer] += (double)wendland((real)q), slope[layer] += t * t * t * z / 3;
                }
            }
    for (int layer = 0; layer < 3; layer++) {
        real u = (real)((layer + 0.5) / 3), thick = (real)(1.0 / 3);
        check_close(sum[layer] / all + (double)wendland_layers(u, thick), 1, 1e-3, "the part that is filled");
        check_close(slope[layer] / moment, (double)wendland_layers_slope(u, thick), 2e-3, "S of liquid and solid");
    }
    double h = 1e-2, thick = 1.0 / 3;
    double by = (double)(wendland_layers((real)(0.3 - h), (real)thick) - wendland_layers((real)(0.3 + h), (real)thick));
    check_close((double)wendland_layers_slope((real)0.3, (real)thick), by / (2 * h), 5e-3, "slope of the layers");
    check_close((double)wendland_layers(-1, (real)thick), 1, 5e-3, "wholly beyond");
}

/* --- curvature --- */

typedef struct curvature_error {
    double mean, rms;
    int count;
} curvature_error;

/* Of the surface particles' curvature times the ball's radius. */
static curvature_error measure_curvature(const dew_simulation *s, double radius)
{
    sph_arrays a = sph_arrays_of(s->state, &s->w);
    curvature_error e = {0, 0, 0};
    for (int i = 0; i < a.count; i++) {
        if (!a.is_surface[i]) continue;
        double k = (double)a.mean_curvature[i] * radius;
        e.mean += k, e.rms += (k - 1) * (k - 1), e.count++;
    }
    e.mean /= e.count, e.rms = sqrt(e.rms / e.count);
    return e;
}

static void test_curvature_of_balls(void **state)
{
    (void)state;
    for (int size = 6; size <= 10; size += 4) {
        setup u;
        double radius = size * SPACING;
        begin(&u, dew_sphere((dew_vec3){0.3, -0.1, 0.2}, radius));
        dew_simulation *s = create_sph(&u);
        advance(s, 0.1);
        curvature_error e = measure_curvature(s, radius);
        check_above(8 * size * size, e.count, "surface particles");
        check_close(e.mean, 1, 0.02, "mean curvature of a ball");
        check_below(e.rms, 0.05, "rms error of the curvature");
        sph_arrays a = sph_arrays_of(s->state, &s->w);
        for (int i = 0; i < a.count; i++) {
            if (!a.is_surface[i]) continue;
            real4 x = a.x[i];
            real3 out = real3_normalise((real3){x.x - (real)0.3, x.y + (real)0.1, x.z - (real)0.2});
            check_above(0.98, (double)real3_dot(out, real3_of(a.normal[i])), "normals point outwards");
        }
        dew_simulation_destroy(s);
    }
}

/* Of a ball whose particles lie 0.1 s off their places, each its own way. */
static void test_curvature_of_a_jittered_ball(void **state)
{
    (void)state;
    setup u;
    double radius = 10 * SPACING;
    begin(&u, dew_sphere((dew_vec3){0, 0, 0}, radius));
    dew_simulation *s = create_sph(&u);
    advance(s, 0.1);
    sph_arrays a = sph_arrays_of(s->state, &s->w);
    uint32_t random = 12345;
    for (int i = 0; i < a.count; i++) {
        real *x = &a.x[i].x;
        for (int axis = 0; axis < 3; axis++) {
            random = random * 1664525u + 1013904223u;
            x[axis] += (real)(0.1 * SPACING * (2.0 * (random >> 8) / (1 << 24) - 1));
        }
    }
    advance(s, 1e-6);
    curvature_error e = measure_curvature(s, radius);
    check_close(e.mean, 1, 0.03, "mean curvature of a jittered ball");
    check_below(e.rms, 0.05, "rms error of its curvature");
    dew_simulation_destroy(s);
}

static void move_all(flow *k, real by)
{
    for (int i = 0; i < k->count; i++) k->a.x[i].x += by;
}

/* The liquid drifts through the face before lists of its surface are made: its particles stay where they are in memory,
 * a period away from the images that the lists know. */
static void test_curvature_across_a_face(void **state)
{
    (void)state;
    setup u;
    dew_vec3 half = {9 * SPACING, 4 * SPACING, 4 * SPACING};
    begin(&u, dew_box(vec3_scale(-1, half), half));
    u.def.domain.axis[0] = DEW_PERIODIC;
    u.def.domain.min = (dew_vec3){-half.x, -1, -1}, u.def.domain.max = (dew_vec3){half.x, 1, 1};
    u.def.method = "sph";
    dew_simulation *s = create(&u);
    advance(s, 0.05);
    flow k;
    check_ok(sph_begin_step(&k, s->state, &s->w, 1e-4));
    check_ok(sph_find_curvature(&k));
    real *before = calloc((size_t)k.count, sizeof *before);
    memcpy(before, k.a.mean_curvature, (size_t)k.count * sizeof *before);
    move_all(&k, (real)(1.5 * SPACING));
    ((sph_state *)s->state)->surface.has_lists = false;
    check_ok(sph_find_curvature(&k));
    double square = 0, change = 0;
    for (int i = 0; i < k.count; i++) {
        square += (double)(before[i] * before[i]);
        change += pow((double)k.a.mean_curvature[i] - (double)before[i], 2);
    }
    check_above(1, square, "curvature of a column");
    check_below(sqrt(change / square), 1e-3, "curvature after the face");
    free(before);
    dew_simulation_destroy(s);
}

/* --- drops --- */

/* A sheet so viscous that viscosity bounds the step keeps its velocity: pairs of two surface particles count for half
 * as much again, and a sheet of three layers is nearly all of them. */
static void test_viscous_sheet(void **state)
{
    (void)state;
    setup u;
    const double speed = 0.4, side = 10 * SPACING;
    begin(&u, dew_box((dew_vec3){0, 0, 0}, (dew_vec3){side, side, 3 * SPACING}));
    u.material.viscosity = 30 * DENSITY * SPACING * speed;
    u.liquids[0].velocity = (dew_vec3){speed, 0, 0};
    dew_simulation *s = create_sph(&u);
    advance(s, 0.15);
    check_below(measure(s, "max_speed") / speed, 1.05, "largest speed over the sheet's");
    dew_simulation_destroy(s);
}

/* A drop that bounces has no void: where its surface shrinks, what lies beneath follows. Without (FILL 0 in shift.c)
 * the area comes to 1.25 of the ball's and more. */
static void test_no_void_in_a_bounce(void **state)
{
    (void)state;
    setup u;
    double radius = 8 * SPACING, pi = acos(-1.0), time = sqrt(DENSITY * radius * radius * radius / TENSION);
    begin(&u, dew_sphere((dew_vec3){0, 0, 1.1 * radius}, radius));
    u.material.viscosity = 0.1 * sqrt(DENSITY * TENSION * radius);
    u.liquids[0].velocity = (dew_vec3){0, 0, -sqrt(1.5 * TENSION / (DENSITY * radius))};
    u.solids[0].shape = dew_plane((dew_vec3){0, 0, 0}, (dew_vec3){0, 0, 1});
    u.solids[0].contact_angle = 180;
    u.def.solid_count = 1;
    dew_simulation *s = create_sph(&u);
    for (int k = 0; k < 10; k++) {
        advance(s, 0.2 * time);
        double area = measure(s, "surface_area") + measure(s, "wetted_area");
        if (k >= 5) check_below(area / (4 * pi * radius * radius), 1.2, "area as a drop leaves a plate");
    }
    dew_simulation_destroy(s);
}

static void test_drops_are_told_apart(void **state)
{
    (void)state;
    setup u;
    begin(&u, dew_sphere((dew_vec3){0, 0, 0}, 5 * SPACING));
    u.liquids[1].shape = dew_sphere((dew_vec3){14 * SPACING, 0, 0}, 4 * SPACING);
    u.liquids[1].velocity = (dew_vec3){0.01, 0, 0};
    u.def.liquid_count = 2;
    dew_simulation *s = create_sph(&u);
    advance(s, 0.5);
    sph_state *p = s->state;
    assert_int_equal(p->drop_count, 2);
    sph_arrays a = sph_arrays_of(p, &s->w);
    double momentum[2][3] = {{0}}, count[2] = {0};
    for (int i = 0; i < a.count; i++) {
        bool is_second = a.x[i].x > (real)(8 * SPACING);
        momentum[is_second][0] += (double)a.v[i].x, momentum[is_second][1] += (double)a.v[i].y;
        momentum[is_second][2] += (double)a.v[i].z, count[is_second] += 1;
    }
    for (int k = 0; k < 3; k++) {
        check_close(momentum[0][k] / count[0], 0, ROUNDING, "momentum of the drop at rest");
        check_close(momentum[1][k] / count[1], k ? 0 : 0.01, ROUNDING, "momentum of the drop that moves");
    }
    dew_simulation_destroy(s);
}

/* One drop across a periodic face is one drop. */
static void test_drop_across_a_face(void **state)
{
    (void)state;
    setup u;
    begin(&u, dew_sphere((dew_vec3){10 * SPACING, 0, 0}, 5 * SPACING));
    u.def.domain.axis[0] = DEW_PERIODIC;
    u.def.domain.min.x = -10 * SPACING, u.def.domain.max.x = 10 * SPACING;
    dew_simulation *s = create_sph(&u);
    /* A fill ends at the face; the other half is put there by hand. */
    advance(s, 0.05);
    assert_int_equal(((sph_state *)s->state)->drop_count, 1);
    dew_simulation_destroy(s);
}

/* --- solids --- */

/* A pool in a box stands still, its pressure that of its depth; corners hold. */
static void test_pool_in_a_box(void **state)
{
    (void)state;
    setup u;
    double depth = 10 * SPACING, g = 2;
    begin(&u, dew_box((dew_vec3){0, 0, 0}, (dew_vec3){8 * SPACING, 8 * SPACING, depth}));
    u.liquids[0].fill = DEW_FILL_CUBIC;
    u.material.surface_tension = 0, u.material.viscosity = 0.05 * DENSITY * SPACING * sqrt(g * depth);
    u.def.gravity = (dew_vec3){0, 0, -g};
    for (int k = 0; k < 3; k++) u.def.domain.axis[k] = DEW_WALL;
    u.def.domain.max = (dew_vec3){8 * SPACING, 8 * SPACING, 2 * depth};
    dew_simulation *s = create_sph(&u);
    advance(s, 10 * sqrt(depth / g));
    sph_arrays a = sph_arrays_of(s->state, &s->w);
    double middle = 0, mean = 0, moment = 0;
    for (int i = 0; i < a.count; i++) middle += (double)a.x[i].z / a.count, mean += (double)a.pressure[i] / a.count;
    for (int i = 0; i < a.count; i++) moment += ((double)a.pressure[i] - mean) * (middle - (double)a.x[i].z) / a.count;
    check_close(2 * middle, depth, 0.03 * depth, "height of the pool");
    /* In density: c = 10 sqrt(g depth). */
    check_close(mean, DENSITY * g * middle, 0.002 * 100 * DENSITY * g * depth, "mean pressure of the pool");
    /* A straight line of slope rho g has this moment. */
    check_close(moment, DENSITY * g * depth * depth / 12, 0.1 * DENSITY * g * depth * depth / 12, "rise of pressure");
    check_below(sqrt(2 * measure(s, "kinetic_energy") / measure(s, "mass")), 0.02 * sqrt(g * depth),
                "speed of the pool");
    dew_simulation_destroy(s);
}

/* Liquid that fills its box, which a floor draws along from a start at once, has the momentum of Stokes' layer (1851),
 * 2 rho U sqrt(nu t/pi) on an area, by its own viscosity: half of what a free surface would need. */
static void test_layer_in_a_full_box(void **state)
{
    (void)state;
    setup u;
    double side = 8 * SPACING, height = 16 * SPACING, nu = 1e-4, thick = 2.5 * SPACING, time = thick * thick / nu;
    double speed = 2 * nu / (0.1 * 1.5 * SPACING);
    begin(&u, dew_box((dew_vec3){0, 0, 0}, (dew_vec3){side, side, height}));
    u.liquids[0].fill = DEW_FILL_CUBIC;
    u.material.surface_tension = 0, u.material.viscosity = nu * DENSITY;
    u.solids[0].shape = dew_plane((dew_vec3){0, 0, 0}, (dew_vec3){0, 0, 1});
    set_in_motion(&u, (dew_vec3){speed, 0, 0});
    u.def.solid_count = 1;
    for (int k = 0; k < 3; k++) u.def.domain.axis[k] = k < 2 ? DEW_PERIODIC : DEW_WALL;
    u.def.domain.min.z = -4 * SPACING, u.def.domain.max = (dew_vec3){side, side, height};
    dew_simulation *s = create_sph(&u);
    advance(s, time);
    double momentum[3], expected = 2 * DENSITY * speed * side * side * thick / sqrt(M_PI);
    dew_simulation_measure(s, "momentum", momentum);
    check_close(momentum[0] / expected, 1, 0.06, "momentum of the layer");
    dew_simulation_destroy(s);
}

/* What faces near x tell of the kernel's part in a solid, against a sum over the solid's points. */
static void check_part(const solids *all, real3 x, double support, const char *where)
{
    enum { STEPS = 24 };
    half_space beyond;
    near_walls near;
    arena *memory = arena_create();
    real4 at = real4_of(x, 0), d;
    for (int k = 0; k < HALF_SPACE_STEPS + 2; k++)
        beyond.sum[k] = wendland_beyond(real_min((real)k / HALF_SPACE_STEPS, 1));
    assert_int_equal(near_walls_find(&near, all, memory, (real)support, SPH_SIGHT * support, 1, &at), DEW_OK);
    walls_here here = near_walls_at(&near, 0, (real3){0, 0, 0}, (real)(1 / support), &beyond);
    double told = 0, whole = 0, part = 0;
    for (int a = 0; a < here.count; a++) told += (double)(here.share[a] * wendland_beyond(here.distance[a]));
    for (int k = 0; k < 8 * STEPS * STEPS * STEPS; k++) {
        double p[3] = {k % (2 * STEPS) + 0.5 - STEPS, k / (2 * STEPS) % (2 * STEPS) + 0.5 - STEPS,
                       k / (4 * STEPS * STEPS) + 0.5 - STEPS};
        double w = (double)wendland((real)(sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) / STEPS));
        if (!(w > 0)) continue;
        at = (real4){x.x + (real)(p[0] * support / STEPS), x.y + (real)(p[1] * support / STEPS),
                     x.z + (real)(p[2] * support / STEPS), 0};
        solids_distance(all, 0, support, 1, &at, &d);
        whole += w, part += d.w < 0 ? w : 0;
    }
    check_close(told, part / whole, 0.03, where);
    arena_destroy(memory);
}

/* In a groove as wide as what it lies in sees, and on the ridge beside it. */
static void test_kernel_in_a_groove(void **state)
{
    (void)state;
    const double support = 3 * SPACING, middle = 12.5 * SPACING;
    dew_ridges ridges = dew_default_ridges();
    ridges.height = 8 * SPACING, ridges.period = 25 * SPACING, ridges.width = 0.8;
    dew_solid_def floor = dew_default_solid_def();
    floor.shape.kind = DEW_SHAPE_HEIGHT;
    floor.shape.height.min = (dew_vec3){-1, -1, -1}, floor.shape.height.max = (dew_vec3){1, 1, 1};
    floor.shape.height.ridges = &ridges, floor.shape.height.ridge_count = 1;
    dew_simulation_def def = dew_default_simulation_def();
    def.spacing = SPACING, def.solids = &floor, def.solid_count = 1;
    solids *all;
    assert_int_equal(solids_create(&all, &def), DEW_OK);
    check_part(all, (real3){(real)(middle + 0.1 * SPACING), (real)0.1, (real)(1.2 * SPACING)}, support,
               "part at a groove's floor");
    check_part(all, (real3){(real)(middle + 0.1 * SPACING), (real)0.1, (real)(3 * SPACING)}, support,
               "part between its walls");
    check_part(all, (real3){(real)(middle - 2 * SPACING), (real)0.1, (real)(3 * SPACING)}, support, "part next to one");
    check_part(all, (real3){(real)(middle - 2 * SPACING), (real)0.1, (real)(0.6 * SPACING)}, support,
               "part in a corner");
    check_part(all, (real3){0, (real)0.1, (real)(8.5 * SPACING)}, support, "part on a ridge");
    solids_destroy(all);
}

/* A viscous drop that sits on the crest of a ridge, in it half a kernel wide, comes to rest: what a crest takes of the
 * kernel is made up for, no more. Made up for as a plane's, particles there jumped in each step, each time faster. */
static void test_rest_on_a_crest(void **state)
{
    (void)state;
    setup u;
    const double radius = 6 * SPACING;
    begin(&u, dew_sphere((dew_vec3){0, 0, 5 * SPACING}, radius));
    dew_ridges ridges[2] = {dew_default_ridges(), dew_default_ridges()};
    ridges[0].profile = ridges[1].profile = DEW_PROFILE_SINUSOIDAL;
    ridges[0].height = 6 * SPACING, ridges[0].period = 10 * SPACING;
    ridges[1].height = SPACING, ridges[1].period = 2 * SPACING;
    u.solids[0].shape.kind = DEW_SHAPE_HEIGHT;
    u.solids[0].shape.height.min = (dew_vec3){-2 * radius, -2 * radius, -4 * SPACING};
    u.solids[0].shape.height.max = (dew_vec3){2 * radius, 2 * radius, 8 * SPACING};
    u.solids[0].shape.height.ridges = ridges, u.solids[0].shape.height.ridge_count = 2;
    u.solids[0].contact_angle = 90;
    u.def.solid_count = 1;
    const double speed = sqrt(TENSION / (DENSITY * radius));
    u.material.viscosity = 2 * DENSITY * radius * speed;
    dew_simulation *s = create_sph(&u);
    for (int k = 0; k < 5; k++) {
        advance(s, radius / speed);
        if (k > 0) check_below(measure(s, "max_speed") / speed, 0.1, "largest speed on a crest");
    }
    dew_simulation_destroy(s);
}

/* --- gas --- */

static double mean_pressure(const dew_simulation *s, double low, double high)
{
    sph_arrays a = sph_arrays_of(s->state, &s->w);
    double sum = 0, count = 0;
    for (int i = 0; i < a.count; i++) {
        double r = (double)real3_length(real3_of(a.x[i]));
        if (r >= low && r < high) sum += (double)a.pressure[i], count++;
    }
    return sum / count;
}

/* A film around gas without anything outside: the gas is at 2 gamma (1/R1 + 1/R2), and the body keeps its momentum. */
static void test_bubble_of_a_film(void **state)
{
    (void)state;
    setup u;
    double outer = 8 * SPACING, inner = 4.5 * SPACING;
    begin(&u, dew_default_shape_def());
    dew_shape_def ball = dew_sphere((dew_vec3){0, 0, 0}, outer);
    u.liquids[0].shape.kind = DEW_SHAPE_SHELL;
    u.liquids[0].shape.shell.child = &ball, u.liquids[0].shape.shell.thickness = outer - inner;
    u.liquids[1].shape = dew_sphere((dew_vec3){0, 0, 0}, inner), u.liquids[1].material = 1;
    u.liquids[0].velocity = u.liquids[1].velocity = (dew_vec3){0.01, 0, 0};
    dew_material_def materials[2] = {u.material, u.material};
    materials[0].viscosity = 0.3 * sqrt(DENSITY * u.material.surface_tension * outer);
    materials[1].name = "gas", materials[1].density = DENSITY / 4, materials[1].surface_tension = 0;
    u.def.materials = materials, u.def.material_count = 2, u.def.liquid_count = 2;
    dew_simulation *s = create_sph(&u);
    double momentum[3], gamma = u.material.surface_tension, mass = measure(s, "mass");
    advance(s, 0.5 * sqrt(DENSITY * outer * outer * outer / gamma));
    check_close(mean_pressure(s, 0, inner - 2 * SPACING) / (2 * gamma * (1 / inner + 1 / outer)), 1, 0.1,
                "pressure in a bubble");
    dew_simulation_measure(s, "momentum", momentum);
    check_close(momentum[0] / mass, 0.01, ROUNDING, "momentum of a bubble");
    dew_simulation_destroy(s);
}

static void test_gas_mistakes(void **state)
{
    (void)state;
    setup u;
    begin(&u, dew_sphere((dew_vec3){0, 0, 0}, 4 * SPACING));
    dew_material_def materials[3] = {u.material, u.material, u.material};
    materials[1].density = 2 * DENSITY;
    u.def.method = "sph", u.def.materials = materials, u.def.material_count = 2;
    dew_simulation *s;
    assert_int_equal(dew_simulation_create(&u.def, &s), DEW_INVALID);
    assert_non_null(strstr(dew_message(), "the second for a gas"));
    u.def.material_count = 3;
    assert_int_equal(dew_simulation_create(&u.def, &s), DEW_INVALID);
    assert_non_null(strstr(dew_message(), "there are 3 materials"));
    u.def.material_count = 2;
    u.parameters[0] = (dew_parameter_value){"tension", 0, "area"}, u.def.parameter_count = 1;
    assert_int_equal(dew_simulation_create(&u.def, &s), DEW_INVALID);
    assert_non_null(strstr(dew_message(), "tension: area knows one liquid only"));
}

/* --- tension by the area of local meshes --- */

/* A cube comes to rest as a ball with 2 gamma/R inside, its momentum kept. */
static void test_tension_by_area(void **state)
{
    (void)state;
    setup u;
    double radius = 6 * SPACING, half = radius * cbrt(acos(-1.0) / 6), momentum[3];
    begin(&u, dew_box((dew_vec3){-half, -half, -half}, (dew_vec3){half, half, half}));
    u.material.viscosity = 0.3 * sqrt(DENSITY * TENSION * radius);
    u.parameters[0] = (dew_parameter_value){"tension", 0, "area"}, u.def.parameter_count = 1;
    dew_simulation *s = create_sph(&u);
    advance(s, 6 * sqrt(DENSITY * radius * radius * radius / TENSION));
    check_below(measure(s, "radius_deviation"), 0.01, "the ball's roughness");
    check_close(measure(s, "pressure_jump") * radius / (2 * TENSION), 1, 0.04, "pressure in the ball");
    dew_simulation_measure(s, "momentum", momentum);
    double speed = sqrt(TENSION / (DENSITY * radius)) * measure(s, "mass");
    for (int a = 0; a < 3; a++) check_close(momentum[a] / speed, 0, ROUNDING, "momentum");
    dew_simulation_destroy(s);
}

/* --- lines that a wall holds --- */

/* The way of a cap of 85 degrees in ten capillary times, in spacings, drawn along the plate by 0.7 of what a line
 * between 110 and 60 degrees holds. In the ten before it leans, held or not. */
static double way_along_plate(bool has_hysteresis)
{
    setup u;
    double receding = cos(M_PI / 3), advancing = cos(110 * M_PI / 180), cosine = (receding + advancing) / 2;
    double radius = 7 * SPACING, height = -radius * cosine, way[2];
    begin(&u, dew_sphere((dew_vec3){0, 0, 0}, radius));
    u.solids[0].shape = dew_plane((dew_vec3){0, 0, height}, (dew_vec3){0, 0, 1});
    u.solids[0].contact_angle = acos(cosine) * 180 / M_PI;
    u.solids[0].has_hysteresis = has_hysteresis, u.solids[0].hysteresis = (dew_hysteresis){110, 60};
    u.def.solid_count = 1;
    u.material.viscosity = 0.3 * sqrt(DENSITY * TENSION * radius);
    const dew_shape_def parts[2] = {u.liquids[0].shape, u.solids[0].shape};
    u.liquids[0].shape = dew_default_shape_def();
    u.liquids[0].shape.kind = DEW_SHAPE_DIFFERENCE;
    u.liquids[0].shape.combination.children = parts, u.liquids[0].shape.combination.count = 2;
    double volume = M_PI * pow(radius - height, 2) * (2 * radius + height) / 3;
    double most = 24 / pow(M_PI, 3) * TENSION * 2 * radius * sqrt(1 - cosine * cosine) * (receding - advancing);
    u.def.gravity = (dew_vec3){0.7 * most / (DENSITY * volume), 0, 0};
    dew_simulation *s = create_sph(&u);
    for (int k = 0; k < 2; k++) {
        double centre[3];
        advance(s, 10 * sqrt(DENSITY * pow(radius, 3) / TENSION));
        dew_simulation_measure(s, "centre_of_mass", centre);
        way[k] = centre[0] / SPACING;
    }
    dew_simulation_destroy(s);
    return way[1] - way[0];
}

static void test_held_lines(void **state)
{
    (void)state;
    double held = way_along_plate(true), free = way_along_plate(false);
    if (!(fabs(held) < 0.1 && free > 5)) fail_msg("%g spacings, %g without hysteresis", held, free);
}

/* --- the paper's mode --- */

/* (18) summed over a fine lattice that fills a half space. */
static double summed_pull(double distance, double radius)
{
    const double pi = 3.14159265358979323846, step = radius / 40;
    double sum = 0;
    for (int z = 0; distance + z * step < radius; z++)
        for (int y = -40; y < 40; y++)
            for (int x = -40; x < 40; x++) {
                double a = (x + 0.5) * step, b = (y + 0.5) * step, c = distance + (z + 0.5) * step;
                double r = sqrt(a * a + b * b + c * c);
                if (r < radius) sum += cos(1.5 * pi * r / radius) * c / r * step * step * step;
            }
    return sum;
}

static void test_paper_pull_of_solids(void **state)
{
    (void)state;
    const double radius = 0.3, most = 1e-3 * radius * radius * radius;
    for (int k = 0; k <= 4; k++) {
        double u = 0.2 * k * radius;
        check_close(sph_paper_solid(u, radius), summed_pull(u, radius), most, "pull of a solid");
    }
    check_close(sph_paper_solid(radius, radius), 0, 1e-12, "pull from afar");
}

/* What the printed equations come to: both (17) and (20) are the tension. */
static void test_paper_counts_tension_twice(void **state)
{
    (void)state;
    setup u;
    double radius = 7 * SPACING;
    begin(&u, dew_sphere((dew_vec3){0, 0, 0}, radius));
    dew_parameter_value values[] = {{"tension", 0, "paper"}, {"alpha", 0.5, NULL}, {"paper_a", 1, NULL}};
    u.def.parameters = values, u.def.parameter_count = 3;
    dew_simulation *s = create_sph(&u);
    advance(s, 8 * sqrt(DENSITY * radius * radius * radius / u.material.surface_tension));
    double jump = measure(s, "pressure_jump") * radius / (2 * u.material.surface_tension), momentum[3];
    check_close(jump, 2.2, 0.3, "pressure in a drop");
    dew_simulation_measure(s, "momentum", momentum);
    double speed = sqrt(2 * u.material.surface_tension / (DENSITY * radius)), mass = measure(s, "mass");
    for (int k = 0; k < 3; k++) check_close(momentum[k] / (mass * speed), 0, ROUNDING, "momentum");
    check_below(measure(s, "radius_deviation"), 0.03, "a ball stays one");
    dew_simulation_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernel_beyond_planes),    cmocka_unit_test(test_layers_beyond_planes),
        cmocka_unit_test(test_curvature_of_balls),      cmocka_unit_test(test_curvature_of_a_jittered_ball),
        cmocka_unit_test(test_curvature_across_a_face), cmocka_unit_test(test_no_void_in_a_bounce),
        cmocka_unit_test(test_viscous_sheet),           cmocka_unit_test(test_drops_are_told_apart),
        cmocka_unit_test(test_drop_across_a_face),      cmocka_unit_test(test_pool_in_a_box),
        cmocka_unit_test(test_paper_pull_of_solids),    cmocka_unit_test(test_paper_counts_tension_twice),
        cmocka_unit_test(test_kernel_in_a_groove),      cmocka_unit_test(test_rest_on_a_crest),
        cmocka_unit_test(test_bubble_of_a_film),        cmocka_unit_test(test_gas_mistakes),
        cmocka_unit_test(test_tension_by_area),         cmocka_unit_test(test_held_lines),
        cmocka_unit_test(test_layer_in_a_full_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
