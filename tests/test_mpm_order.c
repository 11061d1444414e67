/* mpm: where the surface lies, and what keeps particles even: shifts, and strains that follow the density. */
#include "mpm_inside.h"

#include "methods/mpm/any/transfer_loss.h"

#define ROUND (sizeof(real) == 8 ? 1e-13 : 2e-6)

/* Levels of the nodes around a ball that is filled without order: how high they lie over it. Nothing here has been
 * moved to hold a volume. */
static void test_levels(void **state)
{
    (void)state;
    setup u;
    fluid f;
    real *level = NULL;
    dew_vec3 c = {0.3, -0.1, 0.2};
    begin(&u, dew_sphere(c, 12 * SPACING));
    dew_simulation *s = create_mpm(&u, 3);
    open_step(s, &f);
    double dx = f.g.dx, r = SPACING * cbrt(3 * f.a.count / (4 * 3.14159265358979)), average = 0, square = 0;
    double height = net_height(SPACING, dx);
    int count = 0, inside = 0, outside = 0;
    check_ok(level_set_find(&f.g, f.a.x, NULL, SPACING, &level));
    for (int k = 0; k < f.g.block_count * CELLS; k++) {
        int at[3];
        double x[3];
        local_of(k % CELLS, at);
        for (int a = 0; a < 3; a++) x[a] = (SIDE * f.g.block[k / CELLS].at[a] + at[a]) * dx - (&c.x)[a];
        double over = (sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) - r) / dx - height;
        inside += over < -0.3 && level[k] >= 0, outside += over > 0.3 && level[k] < 0;
        if (fabs(over) > 0.5) continue;
        double miss = (double)level[k] - over;
        average += miss, square += miss * miss, count++;
    }
    assert_int_equal(inside, 0), assert_int_equal(outside, 0);
    /* A weighted mean looks deeper into what is curved: nodes over a ball of 6 cells seem 0.1 cells higher. */
    check_close(average / count, 0.1, 0.05, "mean height of nodes, in cells");
    check_below(sqrt(square / count - average / count * average / count), 0.05, "scatter of the heights");
    dew_simulation_destroy(s);
}

/* The surface of a column in a box lies where the liquid ends, up to the walls: edges and corners are filled. */
static void test_column_surface(void **state)
{
    (void)state;
    setup u;
    fluid f;
    contour c;
    double half = 6 * SPACING, high = 16 * SPACING, free_area = 0, average = 0;
    begin(&u, dew_box((dew_vec3){-half, -half, 0}, (dew_vec3){half, half, high}));
    u.def.domain = (dew_domain_def){
        .min = {-half, -half, 0}, .max = {half, half, 2 * high}, .contact_angle = 90, .slip_length = INFINITY};
    for (int a = 0; a < 3; a++) u.def.domain.axis[a] = DEW_WALL;
    dew_simulation *s = create_mpm(&u, 3);
    open_step(s, &f);
    check_ok(walls_find(&f));
    check_ok(find_contour(&f, &c));
    double expected = f.a.count * pow(SPACING, 3) / (4 * half * half);
    for (int k = 0; k < c.face_count; k++) {
        real3 x, area;
        shift_face_point(&c, &c.faces[k], FACE_POINTS / 2, &x, &area);
        if (c.area[k].w == 1) continue;
        double part = (double)area.z * FACE_POINTS;
        free_area += part, average += part * (double)x.z;
    }
    check_close(free_area / (4 * half * half), 1, 0.03, "area of the free surface");
    check_close((average / free_area - expected) / f.g.dx, 0, 0.06, "height of the free surface, in cells");
    dew_simulation_destroy(s);
}

static double plain_wendland(double q) { return q < 1 ? pow(1 - q, 4) * (1 + 4 * q) : 0; }

/* Shifts against sums over all particles and all points of the contour. */
static void test_shift(void **state)
{
    (void)state;
    setup u;
    fluid f;
    contour c;
    begin(&u, dew_sphere((dew_vec3){0.3, -0.1, 0.2}, 6 * SPACING));
    dew_simulation *s = create_mpm(&u, 3);
    open_step(s, &f);
    check_ok(find_contour(&f, &c));
    size_t n = (size_t)f.a.count + 16;
    shift_work w = {.f = &f, .c = &c, .support = (real)(2 * SPACING)};
    w.shift = arena_alloc(f.g.memory, n * sizeof *w.shift);
    for (int a = 0; a < 3; a++) w.x[a] = arena_alloc(f.g.memory, n * sizeof(real));
    check_ok(shift_film(&w));
    shift_streams(0, f.a.count, &w);
    each_home(&f.g, shift_block, &w);
    double h = 2 * SPACING, unit = 21 / (2 * 3.14159265358979 * h * h * h), volume = pow(SPACING, 3), largest = 0;
    for (int i = 0; i < f.a.count; i++) {
        double sum[3] = {0};
        real4 x = f.a.x[i];
        for (int j = 0; j < f.a.count; j++) {
            double d[3], r = 0;
            for (int a = 0; a < 3; a++) d[a] = (double)(&x.x)[a] - (double)(&f.a.x[j].x)[a], r += d[a] * d[a];
            r = sqrt(r) / h;
            for (int a = 0; a < 3 && r < 1; a++) sum[a] -= 20 * volume * unit / (h * h) * pow(1 - r, 3) * d[a];
        }
        for (int k = 0; k < c.face_count * FACE_POINTS; k++) {
            real3 y, area;
            shift_face_point(&c, &c.faces[k / FACE_POINTS], k % FACE_POINTS, &y, &area);
            real3 d = real3_sub(real3_of(x), y);
            double weight = FILM_WEIGHT * unit * plain_wendland((double)real3_length(d) / h);
            for (int a = 0; a < 3; a++) sum[a] += weight * (double)(&area.x)[a];
        }
        double scale = -f.p->parameter[MPM_SHIFT] * SPACING * SPACING, size = 0;
        for (int a = 0; a < 3; a++) sum[a] *= scale, size += sum[a] * sum[a];
        size = sqrt(size), largest = fmax(largest, size);
        scale = size > MOST_SHIFT * SPACING ? MOST_SHIFT * SPACING / size : 1;
        for (int a = 0; a < 3; a++)
            check_close((double)(&w.shift[i].x)[a] / SPACING, scale * sum[a] / SPACING, 100 * ROUND, "shift");
    }
    check_above(0.001 * SPACING, largest, "something is shifted");
    dew_simulation_destroy(s);
}

/* Two drops, one of them turning: shifts leave each its centre of mass, momentum and angular momentum. */
static void test_shift_keeps(void **state)
{
    (void)state;
    setup u;
    fluid f;
    contour c;
    begin(&u, dew_box((dew_vec3){-0.5, -0.1, -0.1}, (dew_vec3){-0.3, 0.1, 0.15}));
    u.liquids[1] = u.liquids[0];
    u.liquids[1].shape = dew_sphere((dew_vec3){0.3, 0.1, 0}, 7 * SPACING);
    u.def.liquid_count = 2;
    dew_simulation *s = create_mpm(&u, 3);
    open_step(s, &f);
    double sums[2][2][9] = {{{0}}}, shifted = 0; /* before, after; of each drop: x, v, x times v */
    for (int i = 0; i < f.a.count; i++) {
        f.a.v[i] = (real4){(real)(0.3 - f.a.x[i].y), f.a.x[i].x, (real)0.2, 0};
        f.a.affine[0][i] = (real4){0, 1, 0, 0}, f.a.affine[1][i] = (real4){-1, 0, 0, 0};
        f.a.affine[2][i] = (real4){(real)0.5, 0, 0, 0};
    }
    check_ok(find_contour(&f, &c));
    assert_int_equal(c.bodies.count, 2);
    real4 *before = arena_alloc(f.g.memory, (size_t)f.a.count * sizeof *before);
    memcpy(before, f.a.x, (size_t)f.a.count * sizeof *before);
    for (int time = 0; time < 2; time++) {
        for (int i = 0; i < f.a.count; i++) {
            double *own = sums[time][before[i].x > 0], x[3], v[3];
            for (int a = 0; a < 3; a++) x[a] = (double)(&f.a.x[i].x)[a], v[a] = (double)(&f.a.v[i].x)[a];
            for (int a = 0; a < 3; a++) {
                own[a] += x[a], own[3 + a] += v[a];
                own[6 + a] += x[(a + 1) % 3] * v[(a + 2) % 3] - x[(a + 2) % 3] * v[(a + 1) % 3];
            }
            shifted = fmax(shifted, fabs(x[0] - (double)before[i].x));
        }
        if (time == 0) {
            check_ok(depths_find(&c));
            check_ok(shift_particles(&f, &c));
        }
    }
    check_above(0.005 * SPACING, shifted, "corners of a box are shifted");
    for (int d = 0; d < 2; d++)
        for (int k = 0; k < 9; k++)
            check_close(sums[1][d][k] / f.a.count, sums[0][d][k] / f.a.count, ROUND / 10,
                        "mean place, velocity and moment of a drop");
    dew_simulation_destroy(s);
}

static bool is_before_step_60(void *context, const dew_simulation *s)
{
    (void)context;
    return dew_simulation_step_count(s) < 60;
}

/* Of a drop's mass: by how much it is longer along z than across, of the mean square radius. */
static double elongation_of(const dew_simulation *s)
{
    double square[3] = {0, 0, 0};
    for (int i = 0; i < s->particles.count; i++)
        for (int a = 0; a < 3; a++) {
            double x = (double)(&s->particles.position[i].x)[a];
            square[a] += x * x;
        }
    return (square[2] - (square[0] + square[1]) / 2) / (square[0] + square[1] + square[2]);
}

/* Liquid so viscous that it would take thousands of times as long to become round: what orders particles may not do it
 * in its stead (by flows of their own, 60 steps took 0.13 of what it is longer than wide). */
static void test_shift_of_shape(void **state)
{
    (void)state;
    setup u;
    const double radius = 5 * SPACING;
    dew_shape_def drop = dew_default_shape_def();
    drop.kind = DEW_SHAPE_ELLIPSOID, drop.ellipsoid.semi_axes = (dew_vec3){0.9 * radius, 0.9 * radius, 1.3 * radius};
    begin(&u, drop);
    u.material.viscosity = 1e4;
    dew_simulation *s = create_mpm(&u, 3);
    double before = elongation_of(s);
    check_ok(dew_simulation_advance(s, 1e6, is_before_step_60, NULL));
    check_close(elongation_of(s) / before, 1, 0.005, "elongation over that at first");
    dew_simulation_destroy(s);
}

/* Each drop's contour holds that drop's volume, whatever the other's strain. */
static void test_volumes(void **state)
{
    (void)state;
    setup u;
    fluid f;
    contour c;
    begin(&u, dew_sphere((dew_vec3){-0.3, 0.1, 0}, 7 * SPACING));
    u.liquids[1] = u.liquids[0];
    u.liquids[1].shape = dew_sphere((dew_vec3){0.3, 0.1, 0}, 6 * SPACING);
    u.def.liquid_count = 2;
    dew_simulation *s = create_mpm(&u, 3);
    open_step(s, &f);
    double expected[2] = {0};
    for (int i = 0; i < f.a.count; i++) {
        bool is_right = f.a.x[i].x > 0;
        f.a.strain[i] = (real)(is_right ? -0.03 : 0.02);
        expected[is_right] += pow(SPACING, 3) * (is_right ? 0.97 : 1.02);
    }
    check_ok(find_contour(&f, &c));
    check_ok(contour_measure(&c));
    assert_int_equal(c.bodies.count, 2);
    for (int b = 0; b < 2; b++) {
        int which = 0;
        for (int v = 0; v < c.vertex_count; v++)
            if (c.body[v] == b) which = c.x[v].x > 0;
        check_close(c.sums[b * BODY_SUMS + BODY_VOLUME] / expected[which], 1, 0.01, "volume within a drop's contour");
    }
    dew_simulation_destroy(s);
}

/* --- density --- */

/* Tension presses neither of two drops, from the beginning on: each has its own pressure, and its volume. (What nothing
 * knew beforehand was pressed by 3 % at first, by 1.4 % for ever.) */
static void test_unpressed(void **state)
{
    (void)state;
    enum { FRAMES = 20 };
    setup u;
    const double radius[2] = {7 * SPACING, 5 * SPACING}, time = sqrt(DENSITY * pow(radius[0], 3) / TENSION);
    begin(&u, dew_sphere((dew_vec3){-0.3, 0.1, 0}, radius[0]));
    u.liquids[1] = u.liquids[0];
    u.liquids[1].shape = dew_sphere((dew_vec3){0.3, 0.1, 0}, radius[1]);
    u.def.liquid_count = 2, u.material.viscosity = 0.1 * sqrt(DENSITY * TENSION * radius[0]);
    u.def.frame_rate = FRAMES / (0.5 * time);
    dew_simulation *s = create_mpm(&u, 3);
    for (int frame = 0; frame < FRAMES; frame++) {
        double volume[2] = {0, 0}, pressure[2] = {0, 0}, count[2] = {0, 0};
        check_ok(dew_simulation_advance_frame(s, NULL, NULL));
        mpm_arrays a = mpm_arrays_of(s->state, &s->w);
        for (int i = 0; i < a.count; i++) {
            const int which = a.x[i].x > 0;
            count[which] += 1, pressure[which] += (double)a.pressure[i];
            volume[which] += 1 + (double)a.strain[i] + (double)a.rest_strain[i];
        }
        for (int k = 0; k < 2; k++) {
            check_close(volume[k] / count[k], 1, 0.004, "volume over that at rest");
            check_close(pressure[k] / count[k] / (2 * TENSION / radius[k]), 1, 0.1, "pressure over 2 gamma/R");
        }
    }
    dew_simulation_destroy(s);
}

/* Liquid in a box that fills its corners, so many times as dense as it should be. */
static dew_simulation *open_box(setup *u, fluid *f, double crowding)
{
    double half = 8 * SPACING, high = 16 * SPACING;
    begin(u, dew_box((dew_vec3){-half, -half, 0}, (dew_vec3){half, half, high}));
    u->def.domain = (dew_domain_def){
        .min = {-half, -half, 0}, .max = {half, half, 2 * high}, .contact_angle = 90, .slip_length = INFINITY};
    for (int a = 0; a < 3; a++) u->def.domain.axis[a] = DEW_WALL;
    u->parameters[0] = (dew_parameter_value){"cell", 2, NULL}, u->def.parameter_count = 1;
    dew_simulation *s = create_mpm(u, 3);
    mpm_state *p = s->state;
    p->saved_sound = 1;
    for (int i = 0; i < s->w.particles->count; i++) s->w.particles->position[i].z /= (real)crowding;
    check_ok(fluid_begin(f, p, &s->w, 1e-3, 1e-3));
    return s;
}

/* Next to walls, in their edges and corners nodes below the surface have as many particles as they should. */
static void test_shares(void **state)
{
    (void)state;
    setup u;
    fluid f;
    density_work w;
    dew_simulation *s = open_box(&u, &f, 1);
    check_ok(density_find(&w, &f));
    int inside = 0, beyond = 0;
    double sum = 0, square = 0, all = 0;
    for (int k = 0; k < f.g.block_count * CELLS; k++) {
        double share = (double)w.beyond[k], excess = (double)(w.count[k] / w.full) - share;
        if (share < 0.01 || !(w.count[k] > 0) || f.depth[k] < 2) continue;
        inside += share > 0.9, beyond += share < 0.5;
        sum += excess, square += excess * excess, all += share;
        if (f.depth[k] >= DEEP) check_below(fabs(excess), 0.06, "what a node has too much, of a full one");
    }
    check_above(50, inside, "nodes inside"), check_above(100, beyond, "nodes beyond walls");
    check_below(fabs(sum / all), 0.01, "what all nodes have too much");
    check_below(sqrt(square / all), 0.05, "its scatter");
    dew_simulation_destroy(s);
}

/* Liquid that is crowded by a twentieth rises by a part of that, in proportion to its height, and gets no velocity. */
static void test_crowded(void **state)
{
    (void)state;
    setup u;
    fluid f;
    const double crowding = 1.05;
    dew_simulation *s = open_box(&u, &f, crowding);
    double moved = 0, square = 0, fastest = 0;
    check_ok(find_nodes(&f));
    check_ok(density_displacements(&f));
    check_ok(density_displace(&f));
    for (int i = 0; i < f.a.count; i++) {
        double z = (double)f.a.x[i].z;
        moved += z * (double)f.displaced[i].z, square += z * z;
        fastest = fmax(fastest, (double)real3_length(real3_of(f.a.v[i])));
    }
    check_close(moved / square / ((double)DENSITY_RATE * (1 - 1 / crowding)), 1, 0.25, "rise over what is asked for");
    check_close(fastest, 0, 0, "velocity");
    dew_simulation_destroy(s);
}

/* Momentum and, of velocities and affine parts, angular momentum of the liquid, over a particle's mass. */
static void find_momenta(const fluid *f, double sums[6])
{
    memset(sums, 0, 6 * sizeof *sums);
    for (int i = 0; i < f->a.count; i++) {
        const real3 x = real3_of(f->a.x[i]), v = real3_of(f->a.v[i]);
        real3 turn = real3_cross(x, v);
        for (int a = 0; a < 3; a++) {
            const real3 axis = {(real)(a == 0), (real)(a == 1), (real)(a == 2)};
            turn = real3_madd(turn, f->dx * f->dx / 4, real3_cross(axis, real3_of(f->a.affine[a][i])));
        }
        for (int a = 0; a < 3; a++) sums[a] += (double)(&v.x)[a], sums[3 + a] += (double)(&turn.x)[a];
    }
}

/* What is left of v = (sin k y, 0, 0) in the middle of a ball after ten ways to the grid and back. */
static double left_of_wave(bool is_given_back)
{
    enum { WAYS = 10 };
    setup u;
    fluid f;
    double along = 0, square = 0, before[6], after[6];
    begin(&u, dew_sphere((dew_vec3){0, 0, 0}, 12 * SPACING));
    dew_simulation *s = create_mpm(&u, 3);
    mpm_state *p = s->state;
    p->saved_sound = 1;
    check_ok(fluid_begin(&f, p, &s->w, 1e-3, 1e-3));
    const real k = (real)(2 * 3.14159265358979 / (8 * f.g.dx));
    for (int i = 0; i < f.a.count; i++) {
        const real y = f.a.x[i].y;
        f.a.v[i].x += sin(k * y), f.a.affine[1][i].x += k * cos(k * y);
    }
    f.implicit.pressure = false;
    find_momenta(&f, before);
    if (is_given_back) check_ok(transfer_loss_give_back(&f, WAYS));
    find_momenta(&f, after);
    for (int a = 0; a < 6; a++)
        check_close((after[a] - before[a]) / (f.a.count * (a < 3 ? 1 : 12 * SPACING)), 0, ROUND, "momenta given back");
    f.dt = 0, f.kick = (real4){0, 0, 0, 1};
    for (int n = 0; n < WAYS; n++) {
        check_ok(find_nodes(&f));
        each_block(&f.g, particles_from_grid, &f);
        merge_owners(0, f.points.owner_count, &f);
    }
    for (int i = 0; i < f.a.count; i++) {
        if (!(real3_length(real3_of(f.a.x[i])) < 6 * (real)SPACING)) continue;
        const double wave = (double)sin(k * f.a.x[i].y);
        along += wave * (double)f.a.v[i].x, square += wave * wave;
    }
    dew_simulation_destroy(s);
    return along / square;
}

/* Of a wave eight cells long ten ways take a fifth; given back before, a few hundredths, and no momentum. */
static void test_given_back(void **state)
{
    (void)state;
    const double taken = 1 - left_of_wave(false), rest = 1 - left_of_wave(true);
    check_above(0.05, taken, "what ten ways take of a wave");
    check_below(fabs(rest), 0.3 * taken, "what they take of it when that is given back");
}

/* A column at rest keeps its height: its centre of mass, that no surface need be found for. */
static void test_column_stands(void **state)
{
    (void)state;
    setup u;
    double half = 5 * SPACING, high = 20 * SPACING;
    begin(&u, dew_box((dew_vec3){-half, 0, -1}, (dew_vec3){half, high, 1}));
    u.def.domain = (dew_domain_def){
        .min = {-half, 0, 0}, .max = {half, 2 * high, 0}, .contact_angle = 90, .slip_length = INFINITY};
    for (int a = 0; a < 2; a++) u.def.domain.axis[a] = DEW_WALL;
    u.def.gravity = (dew_vec3){0, -1, 0};
    u.material.viscosity = 1;
    dew_simulation *s = create_mpm(&u, 2);
    for (int time = 0; time < 4; time++) {
        double centre[3];
        advance(s, 10);
        check_ok(dew_simulation_measure(s, "centre_of_mass", centre));
        check_close(2 * centre[1] / high, 1, 0.012, "height of the centre of mass");
    }
    dew_simulation_destroy(s);
}

/* Liquid that flows in from a wall, through an emitter flush with it, makes room for itself: a cap of 90 degrees that
 * has taken in as much again stands as high as one of all its particles. */
static void test_fed_from_wall(void **state)
{
    (void)state;
    setup u;
    const double pi = 3.14159265358979, radius = 6 * SPACING, opening = 2 * SPACING;
    double time_scale = sqrt(DENSITY * pow(radius, 3) / TENSION), centre[3];
    begin(&u, dew_sphere((dew_vec3){0, 0, 0}, radius));
    u.solids[0].shape = dew_plane((dew_vec3){0, 0, 0}, (dew_vec3){0, 0, 1}), u.solids[0].contact_angle = 90;
    u.def.solid_count = 1, u.material.viscosity = 0.1 * sqrt(DENSITY * TENSION * radius);
    u.emitter.shape.kind = DEW_SHAPE_DISC;
    u.emitter.shape.disc.centre = (dew_vec3){0, 0, 0.5 * SPACING}, u.emitter.shape.disc.normal = (dew_vec3){0, 0, 1};
    u.emitter.shape.disc.radius = opening;
    u.emitter.to = 10 * time_scale;
    u.emitter.velocity.z = 2 * pi / 3 * pow(radius, 3) / (pi * opening * opening * u.emitter.to);
    u.def.emitter_count = 1;
    dew_simulation *s = create_mpm(&u, 3);
    int first = dew_simulation_particle_count(s);
    check_ok(dew_simulation_advance(s, 13 * time_scale, NULL, NULL));
    check_close((double)dew_simulation_particle_count(s) / first, 2, 0.1, "particles over those at first");
    double expected = SPACING * cbrt(3 * dew_simulation_particle_count(s) / (2 * pi));
    check_ok(dew_simulation_measure(s, "centre_of_mass", centre));
    check_close(centre[2] / (3 * expected / 8), 1, 0.06, "height of the centre of mass");
    dew_simulation_destroy(s);
}

/* What flows out of a pipe without friction, which is full at first, so fast that it becomes a jet. `parts`: of its
 * shape. */
static void begin_jet(setup *u, dew_shape_def parts[2], double radius, double length, double speed)
{
    begin(u, dew_cylinder((dew_vec3){0, 0, 0}, (dew_vec3){0, 0, length}, radius));
    u->liquids[0].velocity.z = -speed;
    parts[0] = dew_cylinder((dew_vec3){0, 0, 0}, (dew_vec3){0, 0, length + 8 * SPACING}, radius + 4 * SPACING);
    parts[1] = dew_cylinder((dew_vec3){0, 0, -length}, (dew_vec3){0, 0, length + 0.5 * SPACING}, radius);
    u->solids[0].shape = dew_default_shape_def();
    u->solids[0].shape.kind = DEW_SHAPE_DIFFERENCE;
    u->solids[0].shape.combination.children = parts, u->solids[0].shape.combination.count = 2;
    u->solids[0].slip_length = INFINITY, u->solids[0].contact_angle = 90;
    u->def.solid_count = 1;
    u->emitter.shape.kind = DEW_SHAPE_DISC;
    u->emitter.shape.disc.centre = (dew_vec3){0, 0, length}, u->emitter.shape.disc.normal = (dew_vec3){0, 0, -1};
    u->emitter.shape.disc.radius = radius;
    u->emitter.velocity.z = -speed;
    u->def.emitter_count = 1;
}

/* The lid of a pipe, half a spacing behind what an emitter holds there, does not hold that back: what flows on is as
 * fast as what comes in. */
static void test_lid(void **state)
{
    (void)state;
    setup u;
    dew_shape_def parts[2];
    const double radius = 4 * SPACING, length = 10 * SPACING, speed = sqrt(55 * TENSION / (2 * DENSITY * radius));
    double momentum[3], mass;
    begin_jet(&u, parts, radius, length, speed);
    dew_simulation *s = create_mpm(&u, 3);
    check_ok(dew_simulation_advance(s, 2 * length / speed, NULL, NULL));
    check_ok(dew_simulation_measure(s, "momentum", momentum));
    check_ok(dew_simulation_measure(s, "mass", &mass));
    check_close(-momentum[2] / (mass * speed), 1, 0.03, "speed over that at which liquid comes in");
    dew_simulation_destroy(s);
}

/* A jet's surface comes into being at the edge of the mouth, which holds its end by 2 pi R gamma: the piston works
 * against that, and the energies of liquid and surface grow by no more than it gives. */
static void test_mouth_holds_the_surface(void **state)
{
    (void)state;
    setup u;
    dew_shape_def parts[2];
    dew_solid_impulse before, after;
    const double pi = 3.14159265358979, radius = 4 * SPACING, length = 10 * SPACING;
    const double speed = sqrt(55 * TENSION / (2 * DENSITY * radius)), time = length / speed;
    const double pull = 2 * pi * radius * TENSION;
    double balance[2];
    begin_jet(&u, parts, radius, length, speed);
    dew_simulation *s = create_mpm(&u, 3);
    check_ok(dew_simulation_advance(s, time, NULL, NULL));
    check_ok(dew_simulation_solid_impulse(s, 0, (dew_vec3){0, 0, 0}, &before));
    check_ok(dew_simulation_measure(s, "energy_balance", &balance[0]));
    check_ok(dew_simulation_advance(s, 4 * time, NULL, NULL));
    check_ok(dew_simulation_solid_impulse(s, 0, (dew_vec3){0, 0, 0}, &after));
    check_ok(dew_simulation_measure(s, "energy_balance", &balance[1]));
    check_close(-(after.run.linear.z - before.run.linear.z) / (3 * time * pull), 1, 0.1, "pull at the mouth");
    check_close((balance[1] - balance[0]) / (3 * length * pull), 0, 0.1, "energy of the surface from nothing");
    dew_simulation_destroy(s);
}

/* Liquid that is drawn flat on a wall: areas of its free surface go with it, those that wet keep what they were, or a
 * pull outwards that is theirs would feed itself. */
static void test_what_wets_does_not_grow(void **state)
{
    (void)state;
    enum { MOST_SAMPLES = 20000 };
    static real before[MOST_SAMPLES];
    setup u;
    fluid f;
    begin(&u, dew_sphere((dew_vec3){0, 0, 0}, 8 * SPACING));
    u.solids[0].shape = dew_plane((dew_vec3){0, 0, 0}, (dew_vec3){0, 0, 1});
    u.solids[0].contact_angle = 60, u.def.solid_count = 1;
    dew_shape_def parts[2] = {u.liquids[0].shape, u.solids[0].shape};
    u.liquids[0].shape = dew_default_shape_def();
    u.liquids[0].shape.kind = DEW_SHAPE_DIFFERENCE;
    u.liquids[0].shape.combination.children = parts, u.liquids[0].shape.combination.count = 2;
    dew_simulation *s = create_mpm(&u, 3);
    mpm_state *p = s->state;
    p->saved_sound = 1;
    check_ok(fluid_begin(&f, p, &s->w, 1e-6, 1e-6));
    const real rate = (real)(0.05 / (double)f.dt);
    for (int i = 0; i < f.a.count; i++) {
        const real4 x = f.a.x[i];
        f.a.v[i].x = rate * x.x, f.a.v[i].y = rate * x.y, f.a.v[i].z = -2 * rate * x.z;
        f.a.affine[0][i].x = f.a.affine[1][i].y = rate, f.a.affine[2][i].z = -2 * rate;
    }
    const points *q = &f.points;
    const owner *last = &q->owners[q->owner_count - 1];
    int count = last->first_sample + last->sample_count, wet = 0, grown = 0;
    assert_true(count <= MOST_SAMPLES);
    for (int k = 0; k < count; k++) before[k] = real3_length(real3_of(q->area[k]));
    check_ok(find_nodes(&f));
    each_block(&f.g, particles_from_grid, &f);
    merge_owners(0, q->owner_count, &f);
    for (int k = 0; k < count; k++) {
        double now = (double)(real3_length(real3_of(q->area[k])) / before[k]);
        if (q->lies_on[k] >= 0)
            check_close(now, 1, 0, "an area that wets"), wet++;
        else
            grown += fabs(now - 1) > 0.02;
    }
    check_above(100, wet, "samples on the wall"), check_above(100, grown, "areas that go with the liquid");
    dew_simulation_destroy(s);
}

int main(void)
{
    const struct CMUnitTest all[] = {
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_column_surface),
        cmocka_unit_test(test_shift),
        cmocka_unit_test(test_shift_keeps),
        cmocka_unit_test(test_shift_of_shape),
        cmocka_unit_test(test_volumes),
        cmocka_unit_test(test_shares),
        cmocka_unit_test(test_crowded),
        cmocka_unit_test(test_given_back),
        cmocka_unit_test(test_column_stands),
        cmocka_unit_test(test_fed_from_wall),
        cmocka_unit_test(test_unpressed),
        cmocka_unit_test(test_lid),
        cmocka_unit_test(test_mouth_holds_the_surface),
        cmocka_unit_test(test_what_wets_does_not_grow),
    };
    return cmocka_run_group_tests(all, NULL, NULL);
}
