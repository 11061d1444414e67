/* What methods/flow does for mps, ddr and pbf, by mps: its sums against plain twins, walls that are full of images,
 * what rests rests, vessels, tubes and jets, contact lines. */
#include "flow_inside.h"
#include "methods/mps/mps.h"

#include <stdio.h>

/* --- sums --- */

static void densities_are_those_of_all_pairs(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        liquid l;
        begin_liquid(&l, dimension, ball(dimension == 2 ? 9 * SPACING : 4.5 * SPACING));
        dew_simulation *s = make(&l.u);
        flow_step k;
        open_step(s, 1e-5, &k);
        double worst = 0;
        for (int i = 0; i < k.count; i++) {
            double n = 0, f[3] = {0};
            for (int j = 0; j < k.count; j++) {
                double d[3] = {(double)(k.x[i].x - k.x[j].x), (double)(k.x[i].y - k.x[j].y),
                               (double)(k.x[i].z - k.x[j].z)};
                double r = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), w = 1 - r / (double)k.h;
                if (j == i || w <= 0) continue;
                n += w * w;
                for (int a = 0; a < 3; a++) f[a] += w * d[a] / r;
            }
            worst = fmax(worst, fabs((double)k.facing[i].w - n));
            worst = fmax(worst, fabs((double)k.facing[i].x - f[0]) + fabs((double)k.facing[i].y - f[1]) +
                                    fabs((double)k.facing[i].z - f[2]));
        }
        check_close(worst, 0, 2e-4, "n and F by blocks, less those of all pairs");
        dew_simulation_destroy(s);
    }
}

/* Moments that passes have noted are taken out of the pairs around: all of them, and nothing of momentum; of half a
 * drop at a plane of symmetry, whose other half is its image, what turns along the plane. */
static void moments_are_turned_back(void **state)
{
    (void)state;
    for (int how = 0; how < 3; how++) {
        liquid l;
        bool is_half = how == 2;
        begin_liquid(&l, how == 0 ? 2 : 3, ball(how == 0 ? 9 * SPACING : 4.5 * SPACING));
        double far = 20 * SPACING;
        l.u.def.domain.min = (dew_vec3){is_half ? 0 : -far, -far, -far};
        l.u.def.domain.max = (dew_vec3){far, far, far};
        if (is_half) l.u.def.domain.axis[0] = DEW_SYMMETRY;
        dew_simulation *s = make(&l.u);
        flow_step k;
        open_step(s, 1e-5, &k);
        if (flow_find_surface(&k) || flow_fit(&k)) fail_msg("%s", dew_message());
        double given[3] = {0}, all = 0, turned[3] = {0}, moved[3] = {0};
        for (int i = 0; i < k.count; i++) {
            k.v[i] = (real4){0, 0, 0, 0};
            for (int a = how == 0 ? 2 : 0; a < 3; a++) {
                (&k.moment[i].x)[a] = (real)SPACING * (1 + noise(3 * i + a));
                given[a] += (double)(&k.moment[i].x)[a], all += fabs((double)(&k.moment[i].x)[a]);
            }
        }
        if (flow_turn_back(&k, 1)) fail_msg("%s", dew_message());
        for (int i = 0; i < k.count; i++)
            for (int a = 0; a < 3; a++) {
                int b = (a + 1) % 3, c = (a + 2) % 3;
                const real *x = &k.x[i].x, *v = &k.v[i].x;
                turned[a] += (double)x[b] * (double)v[c] - (double)x[c] * (double)v[b];
                moved[a] += SPACING * (double)v[a];
            }
        for (int a = 0; a < 3; a++) {
            if (!is_half || a == 0) check_close(turned[a] / all, -given[a] / all, 1e-5, "moment turned back");
            if (!is_half || a > 0) check_close(moved[a] / all, 0, 1e-5, "momentum by turning");
        }
        dew_simulation_destroy(s);
    }
}

/* A floor is as full as the liquid on it lies, of its images: with a lifted lattice, whose particles stray, n there is
 * the sum over all particles and all that mirror them; at rest it is n0. */
static void floors_are_full_of_images(void **state)
{
    (void)state;
    liquid l;
    double wide = 8 * SPACING, tall = 10 * SPACING;
    for (int stirs = 0; stirs < 2; stirs++) {
        begin_liquid(&l, 3, dew_box((dew_vec3){0, 0, 0}, (dew_vec3){wide, wide, tall}));
        l.u.def.domain.max = (dew_vec3){wide, wide, 2 * tall};
        l.u.def.domain.axis[0] = l.u.def.domain.axis[1] = DEW_PERIODIC, l.u.def.domain.axis[2] = DEW_WALL;
        dew_simulation *s = make(&l.u);
        real4 *x = s->particles.position;
        for (int i = 0; i < s->particles.count; i++) {
            const double at[3] = {i % 8 + 0.5, i / 8 % 8 + 0.5, i / 64 + 0.5 + 0.05 * stirs};
            for (int a = 0; a < 3; a++)
                (&x[i].x)[a] = (real)(SPACING * (at[a] + 0.1 * stirs * (double)noise(3 * i + a)));
        }
        flow_step k;
        open_step(s, 1e-5, &k);
        double worst = 0;
        int low = 0;
        for (int i = 0; i < k.count; i++) {
            double n = -1;
            if ((double)k.x[i].z > 2 * SPACING) continue;
            for (int j = 0; j < k.count; j++)
                for (int side = -1; side <= 1; side += 2) {
                    double x_ij = remainder((double)(k.x[i].x - k.x[j].x), wide);
                    double y_ij = remainder((double)(k.x[i].y - k.x[j].y), wide);
                    double z_ij = (double)k.x[i].z + side * (double)k.x[j].z;
                    double w = fmax(1 - sqrt(x_ij * x_ij + y_ij * y_ij + z_ij * z_ij) / (double)k.h, 0);
                    n += w * w;
                }
            double expected = stirs ? n : (double)k.p->c.n0;
            worst = fmax(worst, fabs((double)k.facing[i].w - expected)), low++;
        }
        assert_true(low > 100);
        check_close(worst / (double)k.p->c.n0, 0, 2e-4, "n of the layers on a floor");
        dew_simulation_destroy(s);
    }
}

/* Walls that slip hold the weight of the liquid along them as liquid in their place would: water between them rests. */
static void pools_between_walls_rest(void **state)
{
    (void)state;
    liquid l;
    double s = 4e-3, width = 12 * s, depth = 8 * s;
    begin_liquid(&l, 3, dew_box((dew_vec3){0, 0, 0}, (dew_vec3){width, 8 * s, depth}));
    l.u.def.spacing = s, l.u.def.frame_rate = 50, l.u.def.gravity.z = -9.81, l.u.water.viscosity = 1e-3;
    l.u.def.domain.max = (dew_vec3){width, 8 * s, 2 * depth};
    l.u.def.domain.axis[0] = l.u.def.domain.axis[2] = DEW_WALL, l.u.def.domain.axis[1] = DEW_PERIODIC;
    dew_simulation *simulation = make(&l.u);
    advance(simulation, 20);
    const particles *all = &simulation->particles;
    double height = 0, square = 0;
    for (int i = 0; i < all->count; i++) {
        real3 v = real3_of(all->velocity[i]);
        height += 2 * (double)all->position[i].z / all->count, square += (double)real3_dot(v, v) / all->count;
    }
    check_close(height / depth, 1, 0.01, "depth");
    check_close(sqrt(square / (9.81 * depth)), 0, 0.025, "rms speed over sqrt(g H)");
    dew_simulation_destroy(simulation);
}

/* Steps of a thousandth of what forces let be (something else is fast) stir a pool at rest no more than long ones. */
static void short_steps_stir_nothing(void **state)
{
    (void)state;
    double speed[2];
    for (int is_short = 0; is_short < 2; is_short++) {
        liquid l;
        double s = 1.6e-3, width = 10 * s, depth = 5 * s;
        begin_liquid(&l, 3, dew_box((dew_vec3){0, 0, 0}, (dew_vec3){width, width, depth}));
        l.u.def.spacing = s, l.u.def.frame_rate = is_short ? 7.5e5 : 625, l.u.def.gravity.z = -9.81;
        l.u.water.viscosity = 1e-3;
        l.u.def.domain.max = (dew_vec3){width, width, 3 * depth};
        for (int a = 0; a < 3; a++) l.u.def.domain.axis[a] = DEW_WALL;
        dew_simulation *simulation = make(&l.u);
        advance(simulation, is_short ? 1200 : 1);
        if (dew_simulation_measure(simulation, "rms_speed", &speed[is_short])) fail_msg("%s", dew_message());
        dew_simulation_destroy(simulation);
    }
    if (!(speed[1] < 2 * speed[0])) fail_msg("rms speed %g m/s by long steps, %g by short ones", speed[0], speed[1]);
}

/* Next to a wall pairs and their images do as much as pairs inside: of a lattice the divergence of a flow across it,
 * which grows with the distance from it, is one in every layer, and the gradient of one pressure is none; lifted by a
 * tenth of a spacing it is within a tenth. */
static void images_do_as_much_as_pairs(void **state)
{
    (void)state;
    liquid l;
    double wide = 8 * SPACING, tall = 10 * SPACING;
    begin_liquid(&l, 3, dew_box((dew_vec3){0, 0, 0}, (dew_vec3){wide, wide, tall}));
    l.u.def.domain.max = (dew_vec3){wide, wide, 2 * tall};
    l.u.def.domain.axis[0] = l.u.def.domain.axis[1] = DEW_PERIODIC, l.u.def.domain.axis[2] = DEW_WALL;
    for (int lifted = 0; lifted < 2; lifted++) {
        dew_simulation *s = make(&l.u);
        real4 *x = s->particles.position;
        for (int i = 0; i < s->particles.count; i++) {
            const double at[3] = {i % 8 + 0.5, i / 8 % 8 + 0.5, i / 64 + 0.5 + 0.1 * lifted};
            for (int a = 0; a < 3; a++) (&x[i].x)[a] = (real)(SPACING * at[a]);
        }
        flow_step k;
        open_step(s, 1e-5, &k);
        if (flow_fit(&k)) fail_msg("%s", dew_message());
        for (int block = 0; block < k.blocks; block++) {
            vreal4 i = pair_i(k.x, block);
            vreal flow = vset(0), force = vset(0);
            _Alignas(64) real div[16], g[16];
            PAIRS(k.lists, block, j)
            {
                size_t at = flow_at_pair(&k, block, j);
                vreal own = vload_half(k.weight[2] + at);
                flow += own * (i.z - pair_j(k.x, j).z), force += own + vload_half(k.other[2] + at);
            }
            pair_store(div, 0, flow), pair_store(g, 0, force);
            for (int n = PAIR_I * block, lane = 0; n < flow_end_of(&k, block); n++, lane++) {
                double z = (double)k.x[n].z, c = (double)k.p->c.gradient, slope = (double)k.wall[n].z;
                if (z > 6 * SPACING) continue;
                check_close(c * ((double)div[lane] + 2 * slope * z), 1, lifted ? 0.1 : 0.03,
                            "divergence of a flow across a wall");
                if (!lifted) check_close((double)g[lane] + 2 * slope, 0, 0.05, "gradient of one pressure");
            }
        }
        dew_simulation_destroy(s);
    }
}

/* What a pair and its images in all of a corner's walls do, one by one: sums of `along` d^T and of `across` of particle
 * i, the walls the planes through 0. */
static void add_images_of_corner(const flow_step *k, int i, int j, double along[3][3], double across[3])
{
    double own[3], d[3];
    for (int a = 0; a < 3; a++) {
        own[a] = (double)(&k->x[i].x)[a] / (double)k->h;
        d[a] = own[a] - (double)(&k->x[j].x)[a] / (double)k->h;
    }
    for (int mirrored = 0; mirrored < 8; mirrored++) {
        double r2 = 0, apart[3];
        for (int a = 0; a < 3; a++) {
            apart[a] = mirrored >> a & 1 ? 2 * own[a] - d[a] : d[a];
            r2 += apart[a] * apart[a];
        }
        double f = r2 > 0 ? fmax(1 / sqrt(r2) - 1, 0) : 0;
        for (int a = 0; a < 3; a++) {
            if (mirrored >> a & 1) across[a] -= f * apart[a];
            for (int b = 0; b < 3 && !(mirrored >> a & 1); b++) along[a][b] += f * d[a] * d[b];
        }
    }
}

/* The plain twin of mirrors.h: of stirred liquid in a corner of three walls all pairs have the images of their places
 * mirrored across one, two and three of them, their own among them. */
static void images_are_those_of_mirrored_places(void **state)
{
    (void)state;
    liquid l;
    double wide = 7 * SPACING;
    begin_liquid(&l, 3, dew_box((dew_vec3){0, 0, 0}, (dew_vec3){wide, wide, wide}));
    l.u.def.domain.max = (dew_vec3){2 * wide, 2 * wide, 2 * wide};
    for (int a = 0; a < 3; a++) l.u.def.domain.axis[a] = DEW_WALL;
    dew_simulation *s = make(&l.u);
    for (int i = 0; i < s->particles.count; i++)
        for (int a = 0; a < 3; a++) (&s->particles.position[i].x)[a] += (real)(0.2 * SPACING) * noise(3 * i + a);
    flow_step k;
    open_step(s, 1e-5, &k);
    if (flow_find_mirrors(&k)) fail_msg("%s", dew_message());
    double worst = 0, inv_h = 1 / (double)k.h;
    for (int block = 0; block < k.blocks; block++) {
        vreal4 i = pair_i(k.x, block);
        vreal sum[12], slope[NEAR_WALLS] = {vset(0), vset(0), vset(0)};
        block_mirrors faces = mirrors_of_block(&k.mirrors, block);
        for (int n = 0; n < 12; n++) sum[n] = vset(0);
        PAIRS(k.lists, block, j)
        {
            vreal4 b = pair_j(k.x, j);
            vreal4 d = {(i.x - b.x) * k.inv_h, (i.y - b.y) * k.inv_h, (i.z - b.z) * k.inv_h, vset(0)};
            vreal f;
            pair_images w = flow_weigh_pair(&k, &faces, j, d, &f, slope);
            const vreal of_d[] = {d.x, d.y, d.z}, along[] = {w.along.x, w.along.y, w.along.z};
            for (int n = 0; n < 9; n++) sum[n] += along[n / 3] * of_d[n % 3];
            sum[9] += w.across.x, sum[10] += w.across.y, sum[11] += w.across.z;
        }
        _Alignas(64) real lanes[12][PAIR_I > 4 ? PAIR_I : 4];
        for (int n = 0; n < 12; n++) pair_store(lanes[n], 0, sum[n]);
        for (int n = PAIR_I * block, lane = 0; n < flow_end_of(&k, block); n++, lane++) {
            double along[3][3] = {{0}}, across[3] = {0};
            for (int j = 0; j < k.count; j++) add_images_of_corner(&k, n, j, along, across);
            for (int m = 0; m < 9; m++) worst = fmax(worst, fabs((double)lanes[m][lane] - along[m / 3][m % 3]));
            for (int m = 0; m < 3; m++) worst = fmax(worst, fabs((double)lanes[9 + m][lane] - across[m]));
        }
    }
    check_close(worst / (inv_h * SPACING), 0, 1e-3, "images of pairs less those of mirrored places");
    dew_simulation_destroy(s);
}

/* What noise is taken out of velocities by leaves the parabola of a flow between plates alone, above all next to them,
 * where what it changed would be a drag (1e-5 of it is 2 % of the drag in a creeping flow); and takes noise. */
static void noise_is_told_from_flow_along_walls(void **state)
{
    (void)state;
    liquid l;
    double width = 10 * SPACING;
    begin_liquid(&l, 3, dew_box((dew_vec3){0, 0, 0}, (dew_vec3){8 * SPACING, 8 * SPACING, width}));
    l.u.def.domain.max = (dew_vec3){8 * SPACING, 8 * SPACING, width};
    l.u.def.domain.axis[0] = l.u.def.domain.axis[1] = DEW_PERIODIC, l.u.def.domain.axis[2] = DEW_WALL;
    dew_simulation *s = make(&l.u);
    for (int has_noise = 0; has_noise < 2; has_noise++) {
        flow_step k;
        open_step(s, 1e-4, &k);
        double change = 0, at_walls = 0, left = 0, was = 0;
        for (int i = 0; i < k.count; i++) {
            double z = (double)k.x[i].z / width;
            real shaken = has_noise ? noise(i) : 0;
            k.v[i] = (real4){(real)(4 * z * (1 - z)) + shaken, 0, 0, 0};
            was += (double)(shaken * shaken);
        }
        if (flow_smooth(&k)) fail_msg("%s", dew_message());
        for (int i = 0; i < k.count; i++) {
            double z = (double)k.x[i].z / width, off = (double)k.v[i].x - 4 * z * (1 - z);
            change = fmax(change, fabs(off)), left += off * off;
            if (z < 0.2 || z > 0.8) at_walls += off / k.count;
        }
        if (has_noise) {
            assert_true(left < 0.8 * was);
        } else {
            check_close(change, 0, 0.0035, "what a parabola of 1 m/s is changed by, at most");
            check_close(at_walls, 0, 1e-6, "what it is changed by in the layers next to plates, of all");
        }
    }
    dew_simulation_destroy(s);
}

/* A plug in a tube of four to six spacings is as dense as it should be, and stays as long as it is. */
static void tubes_are_filled(void **state)
{
    (void)state;
    for (int across = 4; across <= 6; across++) {
        liquid l;
        double radius = across * SPACING / 2, half = 8 * SPACING;
        begin_liquid(&l, 3, dew_cylinder((dew_vec3){0, 0, -half}, (dew_vec3){0, 0, half}, radius));
        dew_shape_def parts[2] = {
            dew_cylinder((dew_vec3){0, 0, -2 * half}, (dew_vec3){0, 0, 2 * half}, radius + 3 * SPACING),
            dew_cylinder((dew_vec3){0, 0, -3 * half}, (dew_vec3){0, 0, 3 * half}, radius)};
        l.u.plate.shape.kind = DEW_SHAPE_DIFFERENCE;
        l.u.plate.shape.combination.children = parts, l.u.plate.shape.combination.count = 2;
        l.u.def.solids = &l.u.plate, l.u.def.solid_count = 1;
        l.u.water.surface_tension = 0.02;
        dew_simulation *s = make(&l.u);
        for (int frames = 0; frames <= 20; frames += 20) {
            advance(s, frames);
            flow_step k;
            open_step(s, 1e-5, &k);
            double square = 0, density = 0, inside = 0;
            for (int i = 0; i < k.count; i++) {
                double z = (double)k.x[i].z;
                square += z * z / k.count;
                if (fabs(z) > half / 2) continue;
                density += (double)(k.facing[i].w / k.target[i]), inside++;
            }
            double length = s->particles.count * pow(SPACING, 3) / (M_PI * radius * radius);
            check_close(density / inside, 1, 0.015, "density in a tube");
            check_close(sqrt(12 * square) / length, 1, 0.045, "length of a plug in a tube");
        }
        dew_simulation_destroy(s);
    }
}

/* What fills a vessel has no room to part, nor a level of pressure: however dense it was filled, it is not pressed. Of
 * gamma/s it were 0.14. */
static void full_vessels_are_not_pressed(void **state)
{
    (void)state;
    liquid l;
    double radius = 6 * SPACING, half = 4 * SPACING, beyond = 8 * SPACING, sum = 0;
    begin_liquid(&l, 3, dew_cylinder((dew_vec3){0, 0, -half}, (dew_vec3){0, 0, half}, radius));
    dew_shape_def parts[2] = {dew_cylinder((dew_vec3){0, 0, -beyond}, (dew_vec3){0, 0, beyond}, radius + 4 * SPACING),
                              dew_cylinder((dew_vec3){0, 0, -2 * beyond}, (dew_vec3){0, 0, 2 * beyond}, radius)};
    l.u.plate.shape.kind = DEW_SHAPE_DIFFERENCE;
    l.u.plate.shape.combination.children = parts, l.u.plate.shape.combination.count = 2;
    l.u.def.solids = &l.u.plate, l.u.def.solid_count = 1;
    l.u.def.domain.min.z = -half, l.u.def.domain.max.z = half, l.u.def.domain.axis[2] = DEW_PERIODIC;
    dew_simulation *s = make(&l.u);
    advance(s, 5);
    const real *told = particles_field(&s->particles, ((mps_state *)s->state)->flow.pressure);
    for (int i = 0; i < s->particles.count; i++) sum += (double)told[i] / s->particles.count;
    check_close(sum * SPACING / TENSION, 0, 1e-3, "pressure over gamma/s");
    dew_simulation_destroy(s);
}

/* A pipe along z whose mouth is at 0, that an emitter at this height ends, full of liquid that flows down. */
static void begin_pipe(liquid *l, dew_shape_def parts[2], double radius, double length, double speed)
{
    begin_liquid(l, 3, dew_cylinder((dew_vec3){0, 0, 0}, (dew_vec3){0, 0, length}, radius));
    double end = length + SPACING / 2, far = 1e3 * SPACING;
    parts[0] = dew_cylinder((dew_vec3){0, 0, 0}, (dew_vec3){0, 0, end + 3 * SPACING}, radius + 3 * SPACING);
    parts[1] = dew_cylinder((dew_vec3){0, 0, -length}, (dew_vec3){0, 0, end}, radius);
    l->u.plate.shape.kind = DEW_SHAPE_DIFFERENCE;
    l->u.plate.shape.combination.children = parts, l->u.plate.shape.combination.count = 2;
    l->u.def.solids = &l->u.plate, l->u.def.solid_count = 1;
    l->u.def.domain.min = (dew_vec3){-far, -far, -far}, l->u.def.domain.max = (dew_vec3){far, far, far};
    l->u.drops[0].velocity = (dew_vec3){0, 0, -speed};
    l->u.tap = dew_default_emitter_def();
    l->u.tap.shape.kind = DEW_SHAPE_DISC;
    l->u.tap.shape.disc.centre = (dew_vec3){0, 0, length}, l->u.tap.shape.disc.normal = (dew_vec3){0, 0, -1};
    l->u.tap.shape.disc.radius = radius, l->u.tap.velocity = (dew_vec3){0, 0, -speed};
    l->u.def.emitters = &l->u.tap, l->u.def.emitter_count = 1;
}

/* Mean pressure of what is 5 to 8 spacings below an emitter, over that of Poiseuille. */
static double resistance_told(const dew_simulation *s, double length, double wall)
{
    const real *told = particles_field(&s->particles, ((const mps_state *)s->state)->flow.pressure);
    double pressure = 0, height = 0;
    for (int i = 0; i < s->particles.count; i++) {
        double z = (double)s->particles.position[i].z;
        if (z > length - 5 * SPACING || z < length - 8 * SPACING) continue;
        pressure += (double)told[i], height += z;
    }
    return pressure / (wall * height);
}

/* What an emitter holds is a piston: it presses as much as the pipe resists (Poiseuille; 4 spacings across, 17 spacings
 * on the way), and nothing gathers where it is, though a wall that holds keeps liquid back. Pressure takes a third of
 * the way to come to rest, swinging by as much as it is, so that it is the mean over the second half; so narrow a pipe
 * has 0.89 of it. */
static void pistons_press_and_do_not_leak(void **state)
{
    (void)state;
    enum { FRAMES = 16 };
    liquid l;
    dew_shape_def parts[2];
    double radius = 2 * SPACING, length = 15 * SPACING, speed = 8.5e-3, pressure = 0, top = 0;
    begin_pipe(&l, parts, radius, length, speed);
    l.u.water.viscosity = 0.7, l.u.water.surface_tension = 0.01;
    l.u.def.frame_rate = FRAMES * speed / (17 * SPACING);
    dew_simulation *s = make(&l.u);
    for (int frame = 1; frame <= FRAMES; frame++) {
        advance(s, 1);
        double told = resistance_told(s, length, 8 * 0.7 * speed / (radius * radius));
        if (frame > FRAMES / 2) pressure += told / (FRAMES / 2);
    }
    for (int i = 0; i < s->particles.count; i++) top += (double)s->particles.position[i].z > length - 5 * SPACING;
    check_close(top * pow(SPACING, 2) / (5 * M_PI * radius * radius), 1, 0.2, "density at a piston");
    check_close(pressure, 1, 0.2, "pressure in a tube");
    dew_simulation_destroy(s);
}

/* The surface that a jet makes at the mouth of a pipe is held there by the mouth's edge, and costs what it is worth: no
 * energy comes from nothing, and the jet is as fast as the liquid in the pipe. */
static void jets_gain_nothing_at_mouths(void **state)
{
    (void)state;
    liquid l;
    dew_shape_def parts[2];
    double radius = 2.5 * SPACING, speed = 3, sum = 0, there = 0;
    begin_pipe(&l, parts, radius, 10 * SPACING, speed);
    l.u.water.viscosity = 1e-3, l.u.plate.slip_length = INFINITY;
    l.u.def.frame_rate = 4 * speed / (50 * SPACING);
    dew_simulation *s = make(&l.u);
    advance(s, 4);
    for (int i = 0; i < s->particles.count; i++) {
        double z = (double)s->particles.position[i].z;
        if (z > -5 * SPACING || z < -30 * SPACING) continue;
        sum -= (double)s->particles.velocity[i].z, there++;
    }
    check_close(sum / there / speed, 1, 0.03, "speed of a jet");
    check_close(dew_simulation_watched(s, DEW_WATCHED_ENERGY).worst, 0, 0.01, "energy from nothing");
    dew_simulation_destroy(s);
}

/* A wave of shear without viscosity dies of what particles that go past each other cost alone. */
static void shear_is_not_worn_by_disorder(void **state)
{
    (void)state;
    liquid l;
    double length = 16 * SPACING, across = 8 * SPACING, sums[2] = {0};
    begin_liquid(&l, 3, dew_box((dew_vec3){0, 0, 0}, (dew_vec3){across, across, length}));
    l.u.water.surface_tension = l.u.water.viscosity = 0;
    l.u.def.domain.max = (dew_vec3){across, across, length};
    for (int a = 0; a < 3; a++) l.u.def.domain.axis[a] = DEW_PERIODIC;
    l.u.def.frame_rate = 1e3; /* in a frame the fastest go 1 mm, 10 spacings */
    dew_simulation *s = make(&l.u);
    for (int i = 0; i < s->particles.count; i++)
        s->particles.velocity[i] = (real4){(real)sin(2 * M_PI * (double)s->particles.position[i].z / length), 0, 0, 0};
    advance(s, 2);
    for (int i = 0; i < s->particles.count; i++) {
        double wave = sin(2 * M_PI * (double)s->particles.position[i].z / length);
        sums[0] += wave * (double)s->particles.velocity[i].x, sums[1] += wave * wave;
    }
    check_close(sums[0] / sums[1], 1, 0.06, "amplitude of a wave of 1 m/s when its crests have gone 20 spacings");
    dew_simulation_destroy(s);
}

/* A ball on a plate of a contact angle (degrees) that cuts it at a height (m); parts has to outlive the simulation's
 * creation. */
static void begin_cap(liquid *l, double radius, double height, double angle, dew_shape_def parts[2])
{
    begin_liquid(l, 3, ball(radius));
    l->u.plate.shape = dew_plane((dew_vec3){0, 0, height}, (dew_vec3){0, 0, 1}), l->u.plate.contact_angle = angle;
    l->u.def.solids = &l->u.plate, l->u.def.solid_count = 1;
    dew_shape_def *shape = &l->u.drops[0].shape;
    parts[0] = *shape, parts[1] = l->u.plate.shape;
    *shape = dew_default_shape_def();
    shape->kind = DEW_SHAPE_DIFFERENCE;
    shape->combination.children = parts, shape->combination.count = 2;
}

/* The way of a cap of 85 degrees in ten capillary times, in spacings, drawn along the plate by 0.7 of what a line
 * between 110 and 60 degrees holds. In the ten before it leans, held or not. */
static double way_along_plate(bool has_hysteresis, int filling)
{
    liquid l;
    dew_shape_def parts[2];
    double cosine = (cos(M_PI / 3) + cos(110 * M_PI / 180)) / 2, radius = 7 * SPACING, height = -radius * cosine;
    begin_cap(&l, radius, height, acos(cosine) * 180 / M_PI, parts);
    l.u.plate.slip_length = 0;
    l.u.plate.has_hysteresis = has_hysteresis, l.u.plate.hysteresis = (dew_hysteresis){110, 60};
    l.u.def.filling = filling;
    double volume = M_PI * pow(radius - height, 2) * (2 * radius + height) / 3;
    double most =
        24 / pow(M_PI, 3) * TENSION * 2 * radius * sqrt(1 - cosine * cosine) * (cos(M_PI / 3) - cos(110 * M_PI / 180));
    l.u.def.gravity = (dew_vec3){0.7 * most / (DENSITY * volume), 0, 0};
    l.u.def.frame_rate = 1 / (10 * sqrt(DENSITY * pow(radius, 3) / TENSION));
    dew_simulation *s = make(&l.u);
    double x[2] = {0};
    for (int k = 0; k < 2; k++) {
        advance(s, 1);
        for (int i = 0; i < s->particles.count; i++) x[k] += (double)s->particles.position[i].x / s->particles.count;
    }
    dew_simulation_destroy(s);
    return (x[1] - x[0]) / SPACING;
}

/* Of one filling held lines go -0.04 to 0.27 spacings, by rounding alone; of twelve 0.12. Under the address sanitizer,
 * where that takes minutes, one filling shows that lines are held. */
#if defined __SANITIZE_ADDRESS__ || __has_feature(address_sanitizer)
enum { FILLINGS = 1, HAS_FREE = 0 };
static const double most_way = 0.5;
#else
enum { FILLINGS = 9, HAS_FREE = 1 };
static const double most_way = 0.15;
#endif

static void contact_lines_hold(void **state)
{
    (void)state;
    double held = 0, free = HAS_FREE ? way_along_plate(false, 0) : INFINITY;
    for (int filling = 0; filling < FILLINGS; filling++) held += way_along_plate(true, filling) / FILLINGS;
    if (!(fabs(held) < most_way && free > 10)) fail_msg("%g spacings, %g without hysteresis", held, free);
}

/* Of a cap on a plate. What lies on the line is shifted along it alone, though pairs push it out of the liquid; and
 * how deep the surface's particles lie is not the plate's as soon as that comes within the kernel. */
static void contact_lines_go_with_velocities(void **state)
{
    (void)state;
    liquid l;
    dew_shape_def parts[2];
    double lowest = 1, h = FLOW_REACH * SPACING;
    int on_line = 0, near_end = 0, off = 0;
    begin_cap(&l, 7 * SPACING, 0, 90, parts);
    l.u.def.frame_rate = 1e4;
    dew_simulation *s = make(&l.u);
    advance(s, 5);
    flow_step k;
    open_step(s, 1e-6, &k);
    if (flow_begin(&k) || flow_force(&k) || flow_begin_shift(&k)) fail_msg("%s", dew_message());
    flow_find_shift(&k, &(flow_parting){FLOW_NEAR, FLOW_APART, FLOW_EVEN, NULL});
    for (int i = 0; i < k.count; i++) {
        real3 line = real3_of(k.line[i]), way = real3_of(k.shift[i]);
        if (!(real3_length(line) > 0)) continue;
        on_line++;
        lowest = fmin(lowest, (double)k.near.wall[NEAR_WALLS * i].w);
        check_close((double)real3_dot(way, real3_normalise(line)) / SPACING, 0, 1e-6, "shift across the line");
    }
    assert_true(on_line > 20 && lowest < SPACING);
    for (int i = 0; i < k.count; i++) {
        double d = (double)k.x[i].z;
        if (!k.is_surface[i] || d < 0.7 * h || d > h) continue;
        near_end++, off += fabs((double)k.depth[i] / SPACING - 0.5) > 1e-3;
    }
    assert_true(near_end > 10);
    check_close(off / (double)near_end, 1, 0.2, "who has a depth of its own at the kernel's end");
    dew_simulation_destroy(s);
}

static double square_radius(const dew_simulation *s)
{
    double sum = 0;
    for (int i = 0; i < s->particles.count; i++)
        for (int a = 0; a < 3; a++) sum += pow((double)(&s->particles.position[i].x)[a], 2) / s->particles.count;
    return sum;
}

/* A disc that has been drawn out evenly to nine tenths of its density comes together again: nothing else would fill
 * liquid that is too thin inside, and where it is under suction it would open. */
static void what_is_thin_comes_together(void **state)
{
    (void)state;
    liquid l;
    begin_liquid(&l, 2, ball(12 * SPACING));
    dew_simulation *s = make(&l.u);
    advance(s, 2);
    double rest = square_radius(s), out = sqrt(1 / 0.9);
    for (int i = 0; i < s->particles.count; i++)
        for (int a = 0; a < 2; a++) (&s->particles.position[i].x)[a] *= (real)out;
    neighbours_invalidate(s->w.neighbours);
    advance(s, 3);
    check_close(square_radius(s) / rest, 1, 0.025, "square of the radius over that at rest");
    dew_simulation_destroy(s);
}

/* A film of two layers and a half has no pressure and stays: thickness, and next to no motion. Where n was to be that
 * of liquid all around amid its faces one between periodic faces burst in this time; where that was so next to solids
 * one that stands on walls stirred four times as fast. */
static void check_film(dew_boundary ends, double most)
{
    liquid l;
    double wide = 16 * SPACING, half = 1.25 * SPACING, sum = 0, highest = 0;
    begin_liquid(&l, 3, dew_box((dew_vec3){0, 0, -half}, (dew_vec3){wide, wide, half}));
    l.u.def.domain.min = (dew_vec3){0, 0, -wide}, l.u.def.domain.max = (dew_vec3){wide, wide, wide};
    l.u.def.domain.axis[0] = ends, l.u.def.domain.axis[1] = DEW_PERIODIC;
    l.u.def.frame_rate = 250;
    dew_simulation *s = make(&l.u);
    advance(s, 3);
    for (int i = 0; i < s->particles.count; i++) {
        real4 v = s->particles.velocity[i];
        sum += (double)(v.x * v.x + v.y * v.y + v.z * v.z) / s->particles.count;
        highest = fmax(highest, fabs((double)s->particles.position[i].z));
    }
    check_close(highest / half, 0.75, 0.25, "height of the highest over that of a face");
    check_close(sqrt(sum) / sqrt(TENSION / (DENSITY * SPACING)), 0, most, "speed over that of capillary waves");
    dew_simulation_destroy(s);
}

static void films_stay(void **state)
{
    (void)state;
    check_film(DEW_PERIODIC, 0.01);
}

static void films_on_walls_stay(void **state)
{
    (void)state;
    check_film(DEW_WALL, 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(densities_are_those_of_all_pairs),
        cmocka_unit_test(moments_are_turned_back),
        cmocka_unit_test(floors_are_full_of_images),
        cmocka_unit_test(pools_between_walls_rest),
        cmocka_unit_test(short_steps_stir_nothing),
        cmocka_unit_test(images_do_as_much_as_pairs),
        cmocka_unit_test(images_are_those_of_mirrored_places),
        cmocka_unit_test(shear_is_not_worn_by_disorder),
        cmocka_unit_test(contact_lines_hold),
        cmocka_unit_test(contact_lines_go_with_velocities),
        cmocka_unit_test(noise_is_told_from_flow_along_walls),
        cmocka_unit_test(what_is_thin_comes_together),
        cmocka_unit_test(films_stay),
        cmocka_unit_test(films_on_walls_stay),
        cmocka_unit_test(tubes_are_filled),
        cmocka_unit_test(full_vessels_are_not_pressed),
        cmocka_unit_test(pistons_press_and_do_not_leak),
        cmocka_unit_test(jets_gain_nothing_at_mouths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
