/* Moving particle semi-implicit, beside what methods/flow does for it: the divergence against what densities do,
 * gradient and divergence adjoint, pools, energies that are angles, momentum of two liquids, strain. */
#include "flow_inside.h"
#include "methods/mps/mps.h"

#include <stdio.h>

/* Of pairs' potential, and the Laplacian model's pressure. */
static void take_pairs(liquid *l)
{
    l->parameters[0] = (dew_parameter_value){.name = "tension", .text = "pairs"};
    l->u.def.parameter_count = 1;
}

/* A drop on a plate: solids and a free surface are in every sum. */
static dew_simulation *make_sitting(liquid *l, int dimension, double angle)
{
    begin_liquid(l, dimension, ball(4.6 * SPACING));
    take_pairs(l);
    dew_vec3 up = dimension == 3 ? (dew_vec3){0, 0, 1} : (dew_vec3){0, 1, 0};
    dew_vec3 foot = {0, dimension == 3 ? 0 : -3.5 * SPACING, dimension == 3 ? -3.5 * SPACING : 0};
    l->u.plate.shape = dew_plane(foot, up), l->u.plate.contact_angle = angle;
    l->u.def.solids = &l->u.plate, l->u.def.solid_count = 1;
    static dew_shape_def parts[2];
    parts[0] = l->u.drops[0].shape, parts[1] = dew_plane(foot, (dew_vec3){0, -up.y, -up.z});
    l->u.drops[0].shape = dew_default_shape_def();
    l->u.drops[0].shape.kind = DEW_SHAPE_INTERSECTION;
    l->u.drops[0].shape.combination.children = parts, l->u.drops[0].shape.combination.count = 2;
    return make(&l->u);
}

/* The divergence is how n less its target changes as particles move. */
static void divergence_is_the_change_of_density(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        liquid l;
        dew_simulation *s = make_sitting(&l, dimension, 90);
        flow_step k;
        open_step(s, 1e-5, &k);
        shake(s);
        size_t bytes = ((size_t)k.count + 16) * sizeof(real);
        real *rate = memset(aligned_obtain(bytes), 0, bytes), *before = calloc((size_t)k.count, sizeof *before);
        mps_find_divergence(&k, rate);
        double unit = (double)(k.p->c.gradient * k.h / 2), way = 1e-3 * SPACING, product = 0, squares[2] = {0};
        for (int i = 0; i < k.count; i++) {
            before[i] = k.facing[i].w - k.target[i];
            real4_add(&k.x[i], real3_scale((real)way, real3_of(k.v[i])));
        }
        if (near_walls_find(&k.near, s->w.solids, s->w.scratch, k.h, 0, k.count, k.x)) fail_msg("%s", dew_message());
        if (flow_find_density(&k)) fail_msg("%s", dew_message());
        for (int i = 0; i < k.count; i++) {
            if (near_walls_has(&k.near, i)) continue; /* the mirrored half of a wall is in the divergence alone */
            double change = -unit * (double)(k.facing[i].w - k.target[i] - before[i]) / way, found = (double)rate[i];
            product += change * found, squares[0] += change * change, squares[1] += found * found;
        }
        check_close(product / sqrt(squares[0] * squares[1]), 1, 0.01, "correlation of divergence and change of n");
        check_close(sqrt(squares[0] / squares[1]), 1, 0.03, "size of the change of n over that of the divergence");
        aligned_release(rate), free(before);
        dew_simulation_destroy(s);
    }
}

/* <p, div u> = <G p, u>; and what G p gives to liquid and solid together is nothing. */
static void gradient_is_the_adjoint_of_divergence(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        liquid l;
        dew_simulation *s = make_sitting(&l, dimension, 60);
        flow_step k;
        double dt = 1e-5;
        open_step(s, dt, &k);
        shake(s);
        size_t bytes = ((size_t)k.count + 16) * sizeof(real);
        real *rate = memset(aligned_obtain(bytes), 0, bytes), *p = memset(aligned_obtain(bytes), 0, bytes);
        real4 *u = aligned_obtain((size_t)k.count * sizeof *u);
        mps_find_divergence(&k, rate);
        double left = 0, right = 0, size = 0, sum[3] = {0}, all = 0;
        for (int i = 0; i < k.count; i++) {
            p[i] = 1000 * noise(7 * i + 5), u[i] = k.v[i];
            left += (double)p[i] * (double)rate[i];
        }
        solids_place(s->w.solids, 0, dt);
        mps_push(&k, p);
        for (int i = 0; i < k.count; i++) {
            real3 a = real3_sub(real3_of(k.v[i]), real3_of(u[i]));
            double f = DENSITY / dt;
            right += f * (double)real3_dot(a, real3_of(u[i])),
                size += f * (double)(real3_length(a) * real3_length(real3_of(u[i])));
            sum[0] += (double)a.x, sum[1] += (double)a.y, sum[2] += (double)a.z, all += (double)real3_length(a);
        }
        check_close(left / size, right / size, 1e-5, "p . div u less G p . u");
        dew_vec3 given = solids_impulse(s->w.solids, 0, (dew_vec3){0, 0, 0}).step.linear;
        double mass = s->w.particle_mass[0];
        check_close((mass * sum[0] + given.x) / (mass * all), 0, 1e-6, "momentum along x");
        check_close((mass * sum[1] + given.y) / (mass * all), 0, 1e-6, "momentum along y");
        check_close((mass * sum[2] + given.z) / (mass * all), 0, 1e-6, "momentum along z");
        aligned_release(rate), aligned_release(p), aligned_release(u);
        dew_simulation_destroy(s);
    }
}

/* --- what it is for --- */

/* A pool rests at its depth, as dense at the floor as at the surface. */
static void keep_pool(bool has_pairs)
{
    liquid l;
    double s = 1e-3, width = 8 * s, depth = 12 * s;
    begin_liquid(&l, 3, dew_box((dew_vec3){0, 0, 0}, (dew_vec3){width, width, depth}));
    if (has_pairs) take_pairs(&l);
    l.u.def.spacing = s, l.u.def.frame_rate = 20, l.u.def.gravity.z = -9.81, l.u.water.viscosity = 0.1;
    l.u.def.domain.max = (dew_vec3){width, width, 3 * depth};
    l.u.def.domain.axis[0] = l.u.def.domain.axis[1] = DEW_PERIODIC, l.u.def.domain.axis[2] = DEW_WALL;
    dew_simulation *simulation = make(&l.u);
    advance(simulation, 4);
    const particles *all = &simulation->particles;
    const mps_state *p = simulation->state;
    const real *density = particles_field(all, p->flow.density), *pressure = particles_field(all, p->flow.pressure);
    const uint8_t *is_surface = particles_field(all, p->flow.is_surface);
    const uint8_t *unrest = particles_field(all, p->flow.unrest);
    double height = 0, dense = 0, weight[2] = {0}, pressed = 0, surface = 0, come_or_left = 0;
    for (int i = 0; i < all->count; i++) {
        double z = (double)all->position[i].z;
        surface += is_surface[i], come_or_left += unrest[i] > 0;
        height += 2 * z / all->count;
        /* Nothing draws what lies a bit too high to a surface that is one of area. */
        if (has_pairs || !is_surface[i]) dense = fmax(dense, fabs((double)density[i] - 1));
        if (z > 3 * s && z < 8 * s)
            weight[0] += DENSITY * 9.81 * (depth - z), weight[1] += (double)pressure[i], pressed++;
    }
    check_close(height / depth, 1, 0.02, "depth");
    check_close(dense, 0, 0.05, "largest error of density");
    check_close(weight[1] / weight[0], 1, 0.2, "pressure between three spacings and the surface's skin");
    check_close(come_or_left / surface, 0, 0.05, "who came to the surface of late, or left it, of all on it");
    dew_simulation_destroy(simulation);
}

static void pools_keep_their_density(void **state)
{
    (void)state;
    keep_pool(false);
    keep_pool(true);
}

/* Root of the mean square of the particles' distances from the upright axis through their centre. */
static double radius_of_gyration(const dew_simulation *s)
{
    double sum = 0, x = 0, y = 0, n = s->particles.count;
    for (int i = 0; i < s->particles.count; i++) {
        real4 p = s->particles.position[i];
        sum += (double)(p.x * p.x + p.y * p.y), x += (double)p.x / n, y += (double)p.y / n;
    }
    return sqrt(sum / n - x * x - y * y);
}

/* By energies and by the angle that follows from them a drop does the same. */
static void energies_are_angles(void **state)
{
    (void)state;
    double radius[2];
    for (int by_energies = 0; by_energies < 2; by_energies++) {
        liquid l;
        begin_liquid(&l, 3, ball(5 * SPACING));
        l.u.plate.shape = dew_plane((dew_vec3){0, 0, -5 * SPACING}, (dew_vec3){0, 0, 1});
        l.u.plate.slip_length = INFINITY, l.u.water.viscosity = 0.05; /* soon at rest */
        if (by_energies)
            l.u.plate.has_surface_energy = true, l.u.plate.solid_energy = 0.045, l.u.plate.between_energy = 0.01;
        else
            l.u.plate.contact_angle = 60;
        l.u.def.solids = &l.u.plate, l.u.def.solid_count = 1;
        dew_simulation *s = make(&l.u);
        advance(s, 24);
        radius[by_energies] = radius_of_gyration(s);
        dew_simulation_destroy(s);
    }
    check_close(radius[1], radius[0], 1e-6 * SPACING, "radius of the drop by energies");
    /* A cap of 60 degrees, cut from a ball of radius rho at half of it, holds 5/24 pi rho^3, and its <r^2> is 0.265
     * rho^2: 524 particles have rho of 9.29 spacings. */
    check_close(radius[1] / (sqrt(0.265) * 9.29 * SPACING), 1, 0.05, "radius of gyration of the cap of 60 degrees");
}

/* Two liquids side by side, in free space: the tension between them, and viscosities 1:100, give neither of them
 * momentum, and where they are two by name alone they move as one does. */
static void two_liquids_keep_momentum(void **state)
{
    (void)state;
    real4 *alone = NULL;
    for (int kind = 0; kind < 3; kind++) { /* one liquid; two that are alike; two that are not */
        liquid l;
        begin_liquid(&l, 3, ball(4.5 * SPACING));
        dew_material_def both[2] = {l.u.water, l.u.water};
        both[0].name = "left", both[1].name = "right";
        /* Alike liquids have no tension between them. */
        if (kind == 2) both[1].density *= 1.2, both[1].viscosity *= 100, both[1].surface_tension *= 0.6;
        dew_interface_def between = {{0, 1}, kind == 2 ? 0.8 * l.u.water.surface_tension : 0};
        dew_liquid_def halves[2] = {l.u.drops[0], l.u.drops[0]};
        dew_shape_def parts[2][2];
        for (int side = 0; side < 2; side++) {
            parts[side][0] = l.u.drops[0].shape;
            parts[side][1] = dew_plane((dew_vec3){0, 0, 0}, (dew_vec3){side ? 1 : -1, 0, 0});
            halves[side].shape = dew_default_shape_def();
            halves[side].shape.kind = DEW_SHAPE_INTERSECTION;
            halves[side].shape.combination.children = parts[side], halves[side].shape.combination.count = 2;
            halves[side].material = kind > 0 ? side : 0;
        }
        l.u.def.materials = both, l.u.def.material_count = kind > 0 ? 2 : 1;
        l.u.def.liquids = halves, l.u.def.liquid_count = 2;
        if (kind == 2) l.u.def.interfaces = &between, l.u.def.interface_count = 1;
        dew_simulation *s = make(&l.u);
        advance(s, 2);
        const particles *all = &s->particles;
        double sum[3] = {0}, size = 0, apart = 0;
        for (int i = 0; i < all->count; i++) {
            double m = s->w.particle_mass[all->material[i]];
            real4 v = all->velocity[i];
            sum[0] += m * (double)v.x, sum[1] += m * (double)v.y, sum[2] += m * (double)v.z;
            size += m * (double)real3_length(real3_of(v));
            if (kind == 1)
                apart = fmax(apart,
                             (double)real3_length(real3_sub(real3_of(all->position[i]), real3_of(alone[all->id[i]]))));
        }
        for (int a = 0; a < 3; a++) check_close(sum[a] / size, 0, 1e-5, "momentum over that of its parts");
        if (kind == 1) check_close(apart / SPACING, 0, 1e-3, "way from where one liquid is, spacings");
        if (kind == 0) {
            alone = aligned_obtain((size_t)all->count * sizeof *alone);
            for (int i = 0; i < all->count; i++) alone[all->id[i]] = all->position[i];
        }
        dew_simulation_destroy(s);
    }
    aligned_release(alone);
}

/* A liquid a thousand times as viscous as the one that lies on it: whichever comes first, neither moves. (Steps by the
 * viscosity of the first alone let pressures move the thin one too far, which stirred both.) */
static void order_of_liquids_does_not_matter(void **state)
{
    (void)state;
    for (int heavy = 0; heavy < 2; heavy++) {
        liquid l;
        begin_liquid(&l, 2, dew_default_shape_def());
        dew_material_def both[2] = {l.u.water, l.u.water};
        dew_liquid_def layers[2] = {l.u.drops[0], l.u.drops[0]};
        for (int k = 0; k < 2; k++) {
            int upper = k != heavy;
            double low = 10 * upper * SPACING, high = low + 10 * SPACING;
            both[k].name = upper ? "light" : "heavy", both[k].surface_tension = 0.03;
            both[k].density = upper ? 1000 : 1200, both[k].viscosity = upper ? 0.01 : 10;
            layers[k].shape = dew_box((dew_vec3){0, low, -SPACING}, (dew_vec3){10 * SPACING, high, SPACING});
            layers[k].material = k;
        }
        dew_interface_def between = {{0, 1}, 0.01};
        l.u.def.materials = both, l.u.def.material_count = 2;
        l.u.def.interfaces = &between, l.u.def.interface_count = 1;
        l.u.def.liquids = layers, l.u.def.liquid_count = 2;
        l.u.def.gravity.y = -9.81, l.u.def.frame_rate = 200, l.u.def.duration = 0.02;
        l.u.def.domain.max = (dew_vec3){10 * SPACING, 22 * SPACING, 0};
        l.u.def.domain.axis[0] = DEW_PERIODIC, l.u.def.domain.axis[1] = DEW_WALL;
        dew_simulation *s = make(&l.u);
        double speed, fastest = 0;
        for (int frame = 0; frame < 4; frame++) {
            advance(s, 1);
            if (dew_simulation_measure(s, "rms_speed", &speed)) fail_msg("%s", dew_message());
            fastest = fmax(fastest, speed);
        }
        if (dew_simulation_look(s)) fail_msg("%s", dew_message());
        check_close(fastest, 0, 0.01, "speed, m/s");
        check_close(dew_simulation_watched(s, DEW_WATCHED_ENERGY).worst, 0, 0.01, "energy from nothing");
        dew_simulation_destroy(s);
    }
}

/* A ball within a ball has the energies of its two surfaces; on a plate that cuts both in half, of 120 degrees, that of
 * what they wet besides. */
static void two_liquids_have_the_energy_of_their_surfaces(void **state)
{
    (void)state;
    for (int has_plate = 0; has_plate < 2; has_plate++) {
        liquid l;
        double inner = 8.5 * SPACING, outer = 14.5 * SPACING, gamma[3] = {TENSION, 0.5 * TENSION, 0.8 * TENSION};
        begin_liquid(&l, 3, ball(inner));
        dew_material_def both[2] = {l.u.water, l.u.water};
        both[0].name = "inner", both[1].name = "outer", both[1].surface_tension = gamma[1];
        dew_interface_def between = {{0, 1}, gamma[2]};
        dew_liquid_def liquids[2] = {l.u.drops[0], l.u.drops[0]};
        liquids[1].shape = ball(outer), liquids[1].material = 1;
        l.u.plate.shape = dew_plane((dew_vec3){0, 0, has_plate ? 0 : -1}, (dew_vec3){0, 0, 1});
        l.u.plate.contact_angle = 120;
        l.u.def.solids = &l.u.plate, l.u.def.solid_count = 1;
        l.u.def.materials = both, l.u.def.material_count = 2;
        l.u.def.interfaces = &between, l.u.def.interface_count = 1;
        l.u.def.liquids = liquids, l.u.def.liquid_count = 2;
        dew_simulation *s = make(&l.u);
        double energy, part = has_plate ? 0.5 : 1;
        double right = part * 4 * PI * (gamma[2] * inner * inner + gamma[1] * outer * outer);
        if (has_plate) right += 0.5 * PI * (gamma[0] * inner * inner + gamma[1] * (outer * outer - inner * inner));
        if (dew_simulation_measure(s, "surface_energy", &energy)) fail_msg("%s", dew_message());
        check_close(energy / right, 1, 0.02, "energy of two surfaces");
        dew_simulation_destroy(s);
    }
}

/* Strain goes with flow that is linear, next to air and to a wall that holds too: db/dt = L b + b L^T; what its stress
 * gives liquid and solid is nothing in sum, and turns a drop in free space by nothing. */
static void strain_is_that_of_the_flow(void **state)
{
    (void)state;
    for (int has_wall = 0; has_wall < 2; has_wall++) {
        liquid l;
        begin_liquid(&l, 3, ball(5.3 * SPACING));
        l.u.water.shear_modulus = 5e5, l.u.water.relaxation_time = 1;
        l.u.plate.shape = dew_plane((dew_vec3){0, 0, has_wall ? -5.3 * SPACING : -1}, (dew_vec3){0, 0, 1});
        l.u.plate.slip_length = 0;
        l.u.def.solids = &l.u.plate, l.u.def.solid_count = 1;
        dew_simulation *s = make(&l.u);
        flow_step k;
        double dt = 1e-5, rate = 100, floor = -5.3 * SPACING, worst = 0, sum[3] = {0}, turn = 0, size = 0;
        open_step(s, dt, &k);
        for (int i = 0; i < k.count; i++) k.v[i] = (real4){(real)(rate * ((double)k.x[i].z - floor)), 0, 0, 0};
        real4 *before = aligned_obtain((size_t)k.count * sizeof *before);
        memcpy(before, k.v, (size_t)k.count * sizeof *before);
        solids_place(s->w.solids, 0, dt);
        if (mps_elastic(&k)) fail_msg("%s", dew_message());
        const real4 *across = particles_field(&s->particles, mps_of(&k)->strain_across);
        for (int i = 0; i < k.count; i++) {
            worst = fmax(worst, fabs((double)across[i].y / (rate * dt) - 1));
            real3 a = real3_sub(real3_of(k.v[i]), real3_of(before[i]));
            sum[0] += (double)a.x, sum[1] += (double)a.y, sum[2] += (double)a.z, size += (double)real3_length(a);
            turn += (double)k.x[i].z * (double)a.x - (double)k.x[i].x * (double)a.z;
        }
        check_close(worst, 0, 2e-3, "shear strain over that of the flow, less 1, at worst");
        dew_vec3 given = solids_impulse(s->w.solids, 0, (dew_vec3){0, 0, 0}).step.linear;
        double mass = s->w.particle_mass[0];
        check_close((sum[0] + given.x / mass) / size, 0, 1e-5, "momentum along x");
        check_close((sum[2] + given.z / mass) / size, 0, 1e-5, "momentum along z");
        if (!has_wall) check_close(turn / (size * 5 * SPACING), 0, 1e-5, "angular momentum");
        aligned_release(before);
        dew_simulation_destroy(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(divergence_is_the_change_of_density),
        cmocka_unit_test(gradient_is_the_adjoint_of_divergence),
        cmocka_unit_test(pools_keep_their_density),
        cmocka_unit_test(energies_are_angles),
        cmocka_unit_test(two_liquids_keep_momentum),
        cmocka_unit_test(order_of_liquids_does_not_matter),
        cmocka_unit_test(two_liquids_have_the_energy_of_their_surfaces),
        cmocka_unit_test(strain_is_that_of_the_flow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
