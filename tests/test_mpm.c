/* mpm: transfers against plain twins, the mirror in walls, the contour; momentum, oscillation and wetting. */
#include "../laws/measure.h"
#include "mpm_inside.h"

#define IS_DOUBLE (sizeof(real) == 8)
#define ROUND (IS_DOUBLE ? 1e-13 : 2e-6)

/* Numbers in -1 .. 1 without order. */
static double random_number(void)
{
    static uint32_t state = 12345;
    state = state * 1664525u + 1013904223u;
    return (double)(state >> 8) / (1 << 23) - 1;
}

static real4 random_record(void)
{
    return (real4){(real)random_number(), (real)random_number(), (real)random_number(), 0};
}

/* --- transfers --- */

/* The quadratic spline and its slope, of the distance in cells. */
static double spline(double r)
{
    r = fabs(r);
    return r < 0.5 ? 0.75 - r * r : r < 1.5 ? 0.5 * (1.5 - r) * (1.5 - r) : 0;
}
static double spline_slope(double r)
{
    return fabs(r) < 0.5 ? -2 * r : fabs(r) < 1.5 ? -copysign(1.5 - fabs(r), r) : 0;
}

/* Node `at` of a tile seen from x: arms (node - x), N and its gradient with respect to x. */
static double plain_weight(const int *at, const double *x, double *arm, double *slope)
{
    double n[3], d[3];
    for (int a = 0; a < 3; a++) {
        arm[a] = at[a] - HALO - x[a];
        n[a] = spline(arm[a]), d[a] = -spline_slope(arm[a]);
    }
    slope[0] = d[0] * n[1] * n[2], slope[1] = n[0] * d[1] * n[2], slope[2] = n[0] * n[1] * d[2];
    return n[0] * n[1] * n[2];
}

typedef struct sample_point {
    double x[3]; /* in cells, from the first node of the block */
    real4 p, b[3], f[3];
} sample_point;

static sample_point random_point(void)
{
    sample_point s;
    for (int a = 0; a < 3; a++) s.x[a] = (double)(real)(1.5 + 2.9 * random_number());
    s.p = random_record(), s.p.w = (real)(2 + random_number());
    for (int a = 0; a < 3; a++) s.b[a] = random_record(), s.f[a] = random_record();
    return s;
}

/* Points as a batch. */
static batch batch_of(const sample_point *s, int count)
{
    block_place origin = {{0, 0, 0}};
    batch q = {.count = 0};
    for (int l = 0; l < count; l++) {
        real4 x = {(real)s[l].x[0], (real)s[l].x[1], (real)s[l].x[2], 0};
        batch_add(&q, l, quad_load(&x));
    }
    batch_weigh(&q, 1, &origin, 1);
    return q;
}

/* What a node gets of a point. */
static double plain_deposit(const sample_point *s, int node, int component)
{
    int at[3] = {node / 64, node / 8 % 8, node % 8};
    double arm[3], slope[3], n = plain_weight(at, s->x, arm, slope), value = n * (double)(&s->p.x)[component];
    for (int a = 0; a < 3; a++)
        value += n * arm[a] * (double)(&s->b[a].x)[component] + slope[a] * (double)(&s->f[a].x)[component];
    return value;
}

static void test_deposit(void **state)
{
    (void)state;
    for (int trial = 0; trial < 3 * BATCH; trial++) {
        real4 tile[TILE_ROOM];
        patch around;
        sample_point s[BATCH];
        int count = 1 + trial % BATCH;
        double mass = 0;
        tile_clear(tile);
        for (int l = 0; l < count; l++) s[l] = random_point(), mass -= (double)s[l].p.w;
        batch all = batch_of(s, count);
        patch_load(&around, tile, 0);
        for (int l = 0; l < count; l++) {
            vrow b[3], f[3];
            for (int a = 0; a < 3; a++)
                b[a] = row_repeat(quad_load(&s[l].b[a])), f[a] = row_repeat(quad_load(&s[l].f[a]));
            deposit(&around, tile, &all, l, 1, row_repeat(quad_load(&s[l].p)), b, f);
        }
        patch_store(&around, tile);
        for (int k = 0; k < TILE; k++) {
            for (int c = 0; c < 4; c++) {
                double value = 0;
                for (int l = 0; l < count; l++) value += plain_deposit(&s[l], k, c);
                check_close((double)(&tile[k].x)[c], value, 5 * count * ROUND, "what a node gets");
            }
            mass += (double)tile[k].w;
        }
        check_close(mass, 0, 15 * count * ROUND, "mass on the nodes");
    }
}

static void test_gather(void **state)
{
    (void)state;
    for (int trial = 0; trial < 50; trial++) {
        real4 tile[TILE_ROOM];
        tile_clear(tile);
        for (int k = 0; k < TILE; k++) tile[k] = random_record();
        sample_point s = random_point();
        batch all = batch_of(&s, 1);
        patch around;
        gathered q;
        patch_load(&around, tile, 0);
        gather(&around, tile, &all, 0, 1, &q);
        double v[3] = {0}, b[3][3] = {{0}}, g[3][3] = {{0}};
        for (int k = 0; k < TILE; k++) {
            int at[3] = {k / 64, k / 8 % 8, k % 8};
            double arm[3], slope[3], n = plain_weight(at, s.x, arm, slope);
            for (int c = 0; c < 3; c++) {
                double node = (double)(&tile[k].x)[c];
                v[c] += n * node;
                for (int a = 0; a < 3; a++) b[a][c] += n * arm[a] * node, g[a][c] += slope[a] * node;
            }
        }
        for (int c = 0; c < 3; c++) {
            check_close((double)gathered_v(&q)[c], v[c], 5 * ROUND, "velocity");
            for (int a = 0; a < 3; a++) {
                check_close((double)row_record(q.b, a)[c], b[a][c], 5 * ROUND, "affine part");
                check_close((double)row_record(q.g, a)[c], g[a][c], 5 * ROUND, "gradient");
            }
        }
    }
}

/* --- walls --- */

/* The mirror of a ball of radius r about the origin, or of a cylinder about the z axis (or of what lies around them:
 * hollow), seen from x; in cells. Whether it is a cylinder, and whether liquid sticks to it, tests set. */
static bool is_sticky, is_cylinder;
static double distance_from(const double *x)
{
    return sqrt(x[0] * x[0] + x[1] * x[1] + (is_cylinder ? 0 : x[2] * x[2]));
}
static mirror mirror_at(const double *x, double r, bool is_hollow)
{
    double length = distance_from(x), sign = is_hollow ? -1 : 1, z = is_cylinder ? 0 : x[2];
    mirror m = {.velocity = {0, 0, 0}};
    real3 n = {(real)(sign * x[0] / length), (real)(sign * x[1] / length), (real)(sign * z / length)};
    real3 axis = {0, 0, is_cylinder ? 1 : 0};
    assert_true(mirror_set(&m, n, axis, (real)(sign * (length - r)), (real)(sign / r)));
    if (is_sticky) mirror_stick(&m);
    return m;
}

/* A velocity field, and what would be gathered of it at x; the affine part is a quarter of the gradient. */
static landed field_at(const double *x)
{
    landed q = {.v = {0, 0, 0, 0}};
    const double a[3][3] = {{0.3, -0.2, 0.1}, {0.05, 0.4, -0.3}, {0.2, 0.1, -0.6}}; /* a[e][d] = dv_d/dx_e */
    const double bend = 0.05;
    for (int d = 0; d < 3; d++) {
        double v = 0.7 - 0.4 * d + bend * x[d] * x[(d + 1) % 3];
        for (int e = 0; e < 3; e++) {
            v += a[e][d] * x[e];
            double slope = a[e][d] + (e == d ? bend * x[(d + 1) % 3] : e == (d + 1) % 3 ? bend * x[d] : 0);
            (&q.g[e].x)[d] = (real)slope, (&q.b[e].x)[d] = (real)(slope / 4);
        }
        (&q.v.x)[d] = (real)v;
    }
    return q;
}

static landed joined_at(const double *x, double r, bool is_hollow)
{
    mirror m = mirror_at(x, r, is_hollow);
    double image[3];
    for (int a = 0; a < 3; a++) image[a] = x[a] - 2 * (double)m.s * (double)(&m.n.x)[a];
    landed at = field_at(x), other = field_at(image);
    mirror_join(&m, &at, &other);
    return at;
}

/* On the wall nothing goes through it, or moves along one that liquid sticks to; the gradient is that of the velocity.
 */
static void test_mirror_of_velocity(void **state)
{
    (void)state;
    for (int k = 0; k < 24; k++) {
        is_cylinder = k >= 12;
        double r = 7, length = r * sqrt(is_cylinder ? 0.05 : 0.14), h = IS_DOUBLE ? 1e-5 : 2e-2;
        double s = ((const double[]){0, 0.4, 1.1, 0, -0.3, -0.9})[k % 6], x[3] = {0.1, 0.2, 0.3};
        bool is_hollow = k % 6 >= 3;
        is_sticky = k % 12 >= 6;
        for (int a = 0; a < 3; a++) x[a] *= (r + s) / length * r;
        landed q = joined_at(x, r, is_hollow);
        if (s == 0) {
            mirror m = mirror_at(x, r, is_hollow);
            check_close((double)real3_dot(m.n, real3_of(q.v)), 0, 20 * ROUND, "through the wall");
            if (is_sticky) check_close((double)real3_length(real3_of(q.v)), 0, 20 * ROUND, "along a sticky wall");
        }
        for (int e = 0; e < 3; e++) {
            double up[3] = {x[0], x[1], x[2]}, down[3] = {x[0], x[1], x[2]};
            up[e] += h, down[e] -= h;
            landed after = joined_at(up, r, is_hollow), before = joined_at(down, r, is_hollow);
            for (int d = 0; d < 3; d++) {
                double slope = ((double)(&after.v.x)[d] - (double)(&before.v.x)[d]) / (2 * h);
                check_close((double)(&q.g[e].x)[d], slope, IS_DOUBLE ? 1e-8 : 1e-3, "gradient next to a wall");
            }
        }
    }
}

/* Stress does the same work through the mirror's two points as at its own: they are each other's transposes. */
static void test_mirror_of_stress(void **state)
{
    (void)state;
    for (int k = 0; k < 40; k++) {
        double r = 6, x[3] = {0.5 + 0.3 * random_number(), random_number(), random_number()}, dx = 0.5;
        is_sticky = k >= 20, is_cylinder = k % 4 > 1;
        double length = distance_from(x);
        bool is_hollow = k & 1;
        for (int a = 0; a < 3; a++) x[a] *= (r + (is_hollow ? -1 : 1) * (0.6 + 0.6 * random_number())) / length;
        mirror m = mirror_at(x, r, is_hollow);
        point at = {.x = {(real)(dx * x[0]), (real)(dx * x[1]), (real)(dx * x[2]), 1}}, image;
        real4 stress[3];
        landed found[2], joined;
        for (int a = 0; a < 3; a++) at.f[a] = stress[a] = random_record();
        for (int n = 0; n < 2; n++) {
            found[n].v = random_record();
            for (int a = 0; a < 3; a++) found[n].g[a] = random_record(), found[n].b[a] = random_record();
        }
        joined = found[0];
        mirror_split(&m, (real)dx, &at, &image);
        mirror_join(&m, &joined, &found[1]);
        double through = 0, straight = 0;
        for (int n = 0; n < 2; n++) {
            const point *p = n ? &image : &at;
            through += (double)real3_dot(real3_of(p->p), real3_of(found[n].v));
            for (int a = 0; a < 3; a++) through += (double)real3_dot(real3_of(p->f[a]), real3_of(found[n].g[a]));
        }
        for (int a = 0; a < 3; a++) straight += (double)real3_dot(real3_of(stress[a]), real3_of(joined.g[a]));
        check_close(through, straight, 20 * ROUND, "work of a stress next to a wall");
        for (int a = 0; a < 3; a++)
            check_close((double)(&image.x.x)[a], dx * (x[a] - 2 * (double)m.s * (double)(&m.n.x)[a]), 10 * ROUND,
                        "image");
    }
}

/* Next to a wall alpha of the mass and momentum stays, beta g^2 goes to the image (beta along an axis, where momentum
 * is kept to the last digit), the momentum turned by Q; velocities come back by alpha and beta Q^-1. */
static void test_mirror_of_mass(void **state)
{
    (void)state;
    for (int k = 0; k < 40; k++) {
        double r = 6, x[3] = {0.5 + 0.3 * random_number(), random_number(), random_number()};
        is_sticky = k >= 20, is_cylinder = k % 4 > 1;
        double length = distance_from(x), mass = 2 + random_number();
        bool is_hollow = k & 1;
        for (int a = 0; a < 3; a++) x[a] *= (r + (is_hollow ? -1 : 1) * (0.6 + 0.6 * random_number())) / length;
        mirror m = mirror_at(x, r, is_hollow);
        point at = {.x = {(real)x[0], (real)x[1], (real)x[2], 1}, .p = random_record()}, image = {0};
        at.p.w = (real)mass;
        real4 whole = at.p;
        landed found[2] = {{.v = random_record()}, {.v = random_record()}};
        landed joined = found[0];
        mirror_split(&m, 1, &at, &image);
        check_close((double)at.p.w, (double)m.alpha * mass, 10 * ROUND, "mass that stays");
        real part = is_cylinder ? m.beta : m.beta * m.g * m.g;
        check_close((double)image.p.w, (double)part * mass, 10 * ROUND, "mass of the image");
        real3 back = real3_scale(1 / part, reflect(&m, m.g, real3_of(image.p)));
        for (int a = 0; a < 3; a++) {
            check_close((double)(&at.p.x)[a], (double)m.alpha * (double)(&whole.x)[a], 10 * ROUND,
                        "momentum that stays");
            check_close((double)(&back.x)[a], (double)(&whole.x)[a], 20 * ROUND, "momentum of the image, turned back");
        }
        mirror_join(&m, &joined, &found[1]);
        real3 turned = reflect(&m, m.g, real3_of(found[1].v));
        for (int a = 0; a < 3; a++) {
            double v = (double)m.alpha * (double)(&found[0].v.x)[a] + (double)m.beta * (double)(&turned.x)[a];
            check_close((double)(&joined.v.x)[a], v, 10 * ROUND, "velocity next to a wall");
        }
    }
}

/* --- drops --- */

static double measured(const dew_simulation *s, const char *name)
{
    double values[8];
    check_ok(dew_simulation_measure(s, name, values));
    return values[0];
}

/* The contour of balls and discs: area and volume. */
static void test_contour(void **state)
{
    (void)state;
    const double pi = 3.14159265358979;
    for (int dimension = 2; dimension <= 3; dimension++) {
        setup u;
        double r = 10 * SPACING;
        begin(&u, dew_sphere((dew_vec3){0.3, -0.1, dimension == 3 ? 0.2 : 0}, r));
        dew_simulation *s = create_mpm(&u, dimension);
        advance(s, 0.01);
        double volume = dew_simulation_particle_count(s) * pow(SPACING, dimension);
        r = dimension == 3 ? cbrt(3 * volume / (4 * pi)) : sqrt(volume / pi);
        double area = dimension == 3 ? 4 * pi * r * r : 2 * pi * r;
        check_close(measured(s, "own_volume") / volume, 1, 0.01, "volume within the contour");
        check_close(measured(s, "surface_area") / area, 1, 0.01, "area of the contour");
        check_close(measured(s, "surface_energy") / (TENSION * area), 1, 0.01, "energy of the contour");
        dew_simulation_destroy(s);
    }
}

/* What rounding can lose is given back, a momentum that a fault has lost is not. */
static void test_give_back(void **state)
{
    (void)state;
    setup u;
    fluid f;
    begin(&u, dew_sphere((dew_vec3){0, 0, 0}, 4 * SPACING));
    dew_simulation *s = create_mpm(&u, 3);
    open_step(s, &f);
    double epsilon = IS_DOUBLE ? 2.2e-16 : 1.2e-7, before[MOMENTUM_SUMS] = {0}, after[MOMENTUM_SUMS];
    for (int i = 0; i < f.a.count; i++) f.a.v[i] = (real4){1, 0, 0, 0};
    for (int k = 0; k < 2; k++) {
        double lost = k ? 0.1 : 20 * epsilon;
        before[0] = f.a.count * (1 + lost);
        for (int i = 0; i < f.a.count; i++) f.a.v[i].x = 1;
        give_back_rounding(&f, before, 0);
        parallel_sum(f.a.count, MOMENTUM_SUMS, sum_momentum, &f, after);
        double given = after[0] / f.a.count - 1;
        if (k)
            check_below(given, 100 * epsilon * (1 + f.p->least_speed) + 2 * epsilon, "a fault's momentum given back");
        else
            check_close(given, lost, 2 * epsilon, "rounding given back");
    }
    dew_simulation_destroy(s);
}

/* The paper's ellipse (section 6.1), coarser: it turns and flies while it swings. */
static void test_ellipse_conserves(void **state)
{
    (void)state;
    setup u;
    dew_shape_def ellipse = dew_default_shape_def();
    ellipse.kind = DEW_SHAPE_ELLIPSOID;
    ellipse.ellipsoid.centre = (dew_vec3){0.5, 0.5, 0};
    ellipse.ellipsoid.semi_axes = (dew_vec3){0.3, 0.1, 0.1};
    begin(&u, ellipse);
    u.def.spacing = 1.0 / 96, u.material.density = 10, u.material.surface_tension = 0.1;
    u.liquids[0].velocity = (dew_vec3){0.02, -0.01, 0};
    u.parameters[0] = (dew_parameter_value){"cell", 3, NULL};
    u.def.parameter_count = 1, u.def.frame_rate = 20;
    dew_simulation *s = create_mpm(&u, 2);
    double before[3], after[3], spin[3], spin_after[3], from[3], to[3], mass = measured(s, "mass"), time = 0.4;
    check_ok(dew_simulation_measure(s, "momentum", before));
    check_ok(dew_simulation_measure(s, "angular_momentum", spin));
    check_ok(dew_simulation_measure(s, "centre_of_mass", from));
    advance(s, time);
    check_ok(dew_simulation_measure(s, "momentum", after));
    check_ok(dew_simulation_measure(s, "angular_momentum", spin_after));
    check_ok(dew_simulation_measure(s, "centre_of_mass", to));
    double speed = sqrt(0.1 / (10 * 0.17)), most = IS_DOUBLE ? 1e-11 : 1e-5;
    check_above(0.3 * speed, measured(s, "rms_speed"), "the ellipse moves");
    for (int a = 0; a < 2; a++) {
        check_close(after[a] / (mass * speed), before[a] / (mass * speed), most, "momentum");
        check_close(to[a], from[a] + before[a] / mass * time, most, "centre of mass");
    }
    check_close(spin_after[2] / (mass * speed * 0.17), spin[2] / (mass * speed * 0.17), most, "angular momentum");
    dew_simulation_destroy(s);
}

/* The disc's mode n = 2: omega^2 = n (n^2 - 1) gamma/(rho R^3). */
static void test_disc_swings(void **state)
{
    (void)state;
    enum { FRAMES = 100 };
    setup u;
    double r = 32 * SPACING, a = 0.02, pi = 3.14159265358979, omega = sqrt(6 * TENSION / (DENSITY * r * r * r));
    dew_shape_def shape = dew_default_shape_def();
    shape.kind = DEW_SHAPE_ELLIPSOID;
    shape.ellipsoid.semi_axes = (dew_vec3){r * (1 + a), r / (1 + a), r};
    begin(&u, shape);
    u.def.frame_rate = 40 * omega / (2 * pi);
    dew_simulation *s = create_mpm(&u, 2);
    series swing = {0};
    for (int k = 0; k < FRAMES; k++) {
        check_ok(dew_simulation_advance_frame(s, NULL, NULL));
        bulk b = measure_bulk(s);
        assert_true(series_add(&swing, dew_simulation_time(s), b.moment[0][0] - b.moment[1][1]));
    }
    decay_fit fit = fit_decay(&swing, swing.time[10], INFINITY, omega);
    check_close(fit.omega / omega, 1, 0.006, "frequency of a disc of 16 cells");
    check_close(fit.beta / omega, 0, 0.02, "its damping");
    series_free(&swing);
    dew_simulation_destroy(s);
}

/* A drop in two dimensions on a tilted plane that holds it, without gravity: it ends at the angle that is set, in twice
 * the time that it takes where the wall lets slip. */
static void test_disc_on_a_plane(void **state)
{
    (void)state;
    setup u;
    dew_vec3 up = {-0.5, 0.8660254037844386, 0};
    double r = 14 * SPACING;
    begin(&u, dew_sphere((dew_vec3){0.3 * r * up.x, 0.3 * r * up.y, 0}, r));
    u.material.viscosity = 0.3 * sqrt(DENSITY * TENSION * r);
    u.solids[0].shape = dew_plane((dew_vec3){0, 0, 0}, up);
    u.solids[0].contact_angle = 60;
    u.def.solid_count = 1;
    dew_shape_def parts[2] = {u.liquids[0].shape, u.solids[0].shape};
    u.liquids[0].shape = dew_default_shape_def();
    u.liquids[0].shape.kind = DEW_SHAPE_DIFFERENCE;
    u.liquids[0].shape.combination.children = parts, u.liquids[0].shape.combination.count = 2;
    dew_simulation *s = create_mpm(&u, 2);
    advance(s, 12 * sqrt(DENSITY * r * r * r / TENSION));
    check_close(measured(s, "contact_angle"), 60, 3, "contact angle in two dimensions");
    dew_simulation_destroy(s);
}

/* What probes write at the moment of a restart is what they wrote there before. */
static void test_restart_measures(void **state)
{
    (void)state;
    static const char *const names[] = {"surface_area", "surface_energy", "own_volume", "pressure_jump"};
    setup u;
    begin(&u, dew_sphere((dew_vec3){0, 0, 0}, 5 * SPACING));
    dew_simulation *whole = create_mpm(&u, 3), *resumed = create_mpm(&u, 3);
    check_ok(dew_simulation_advance_frame(resumed, NULL, NULL)); /* what was there must not show */
    for (int k = 0; k < 2; k++) {
        const dew_snapshot_item *items;
        int count;
        check_ok(dew_simulation_snapshot(whole, &items, &count));
        check_ok(dew_simulation_restore(resumed, items, count));
        for (int n = 0; n < 4; n++) {
            double value = measured(resumed, names[n]), expected = measured(whole, names[n]);
            if (value != expected && !(isnan(value) && isnan(expected)))
                fail_msg("%s after a restart: %g, not %g", names[n], value, expected);
            assert_true(k == 0 || isfinite(value));
        }
        check_ok(dew_simulation_advance_frame(whole, NULL, NULL));
    }
    dew_simulation_destroy(whole);
    dew_simulation_destroy(resumed);
}

/* Parameters changed at a restart: a speed of sound that is set holds, and a lower `sound` does; pressures stay. */
static void test_sound_of_a_restart(void **state)
{
    (void)state;
    static const dew_parameter_value later[] = {{"sound_speed", 0.7, NULL}, {"sound", 6, NULL}, {"sound", 12, NULL}};
    setup u;
    begin(&u, dew_sphere((dew_vec3){0, 0, 0}, 8 * SPACING));
    dew_simulation *whole = create_mpm(&u, 2);
    advance(whole, 0.05);
    double fast = ((mpm_state *)whole->state)->saved_sound, pressure = measured(whole, "pressure_jump");
    const dew_snapshot_item *items;
    int count;
    check_ok(dew_simulation_snapshot(whole, &items, &count));
    for (int k = 0; k < 3; k++) {
        u.parameters[0] = later[k], u.def.parameter_count = 1;
        u.parameters[0].number = k == 0 ? later[k].number * fast : later[k].number;
        dew_simulation *s = create_mpm(&u, 2);
        dew_simulation_accept_changes(s);
        check_ok(dew_simulation_restore(s, items, count));
        advance(s, 1e-4); /* much less than sound takes through the drop: 0.2 s */
        double expected = k == 0 ? 0.7 : k == 1 ? 0.5 : 1;
        check_close(((mpm_state *)s->state)->saved_sound / fast, expected, 1e-12, "speed of sound after a restart");
        check_close(measured(s, "pressure_jump") / pressure, 1, 0.02, "pressure after a restart");
        dew_simulation_destroy(s);
    }
    dew_simulation_destroy(whole);
}

/* A plate, four cells thick, runs through a drop at 30 times the speed that tension gives it: nothing ends inside, or
 * behind it where it is wide. */
static void test_fast_plate(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) { /* much wider than the drop, and half as wide */
        setup u;
        double r = 8 * SPACING, high = (k ? 0.5 : 6) * r, thick = 8 * SPACING, front = -r - SPACING, speed = 2;
        begin(&u, dew_sphere((dew_vec3){0, 0, 0}, r));
        u.solids[0].shape = dew_box((dew_vec3){front - thick, -high, -1}, (dew_vec3){front, high, 1});
        u.def.solid_count = 1, u.def.frame_rate = 1 / 0.12;
        set_in_motion(&u, (dew_vec3){speed, 0, 0});
        dew_simulation *s = create_mpm(&u, 2);
        for (int frame = 0; frame < 2; frame++) {
            check_ok(dew_simulation_advance_frame(s, NULL, NULL));
            double at = front + speed * dew_simulation_time(s), within = 0.01 * SPACING;
            for (int i = 0; i < s->particles.count; i++) {
                double x = (double)s->particles.position[i].x, y = fabs((double)s->particles.position[i].y);
                bool is_behind_face = x < at - within && y < high - within;
                if (is_behind_face && (k == 0 || x > at - thick + within))
                    fail_msg("a particle %.2g spacings behind the face of a plate that moves", (at - x) / SPACING);
            }
        }
        dew_simulation_destroy(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_deposit),
        cmocka_unit_test(test_gather),
        cmocka_unit_test(test_mirror_of_velocity),
        cmocka_unit_test(test_mirror_of_stress),
        cmocka_unit_test(test_mirror_of_mass),
        cmocka_unit_test(test_contour),
        cmocka_unit_test(test_give_back),
        cmocka_unit_test(test_ellipse_conserves),
        cmocka_unit_test(test_disc_swings),
        cmocka_unit_test(test_disc_on_a_plane),
        cmocka_unit_test(test_restart_measures),
        cmocka_unit_test(test_sound_of_a_restart),
        cmocka_unit_test(test_fast_plate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
