/* What is told of a run before it starts, beyond what a scene's words are judged by. */
#include "set_ups.h"

#include <stdio.h>

static void check_told(set_up *u, const char *what, bool is_told)
{
    char *text;
    dew_simulation *s = make(u);
    if (dew_simulation_foresee(s, &u->def, &text) != DEW_OK) fail_msg("%s", dew_message());
    if ((strstr(text, what) != NULL) != is_told)
        fail_msg("%s: '%s' is %s in: %s", u->def.method, what, is_told ? "not" : "there", text);
    free(text);
    dew_simulation_destroy(s);
}

/* Water in millimetres is more fluid than what methods add; liquid of 0.1 Pa s is not. */
static void a_methods_own_viscosity(void **state)
{
    (void)state;
    for (int k = 0; k < dew_method_count(); k++) {
        set_up u;
        const char *what = "Pa s of its own";
        falling_drop(&u, dew_method_at(k));
        u.def.spacing = 0.17 * MILLIMETRE;
        check_told(&u, what, true);
        u.water.viscosity = 0.1;
        check_told(&u, what, false);
        /* What flies is damped more by most of them. */
        double slow = 0, fast = 0;
        for (int is_fast = 0; is_fast < 2; is_fast++) {
            u.water.viscosity = 1e-5, u.drops[0].velocity = (dew_vec3){is_fast ? 20 : 0, 0, 0};
            dew_simulation *s = make(&u);
            *(is_fast ? &fast : &slow) = s->method->own_viscosity(s->state, &s->w);
            dew_simulation_destroy(s);
        }
        const char *const by_time[] = {"pbf", "ddr", "mps"}; /* damping that knows nothing of steps */
        bool knows = true;
        for (int n = 0; n < 3; n++) knows &= strcmp(u.def.method, by_time[n]) != 0;
        if (!knows)
            assert_true(fabs(fast - slow) <= 1e-9 * slow);
        else
            assert_true(fast > 1.5 * slow);
    }
}

/* A stiffness that takes a million steps and more is told with what mends it; one that takes some thousand is not. */
static void stiffness_beyond_its_steps(void **state)
{
    (void)state;
    const char *const methods[] = {"ddr", "mps"};
    for (int k = 0; k < 4; k++) {
        set_up u;
        falling_drop(&u, dew_method_find(methods[k / 2]));
        u.water.shear_modulus = k % 2 == 0 ? 1e3 : 1e13;
        check_told(&u, "(limit: elastic", k % 2 == 1);
        check_told(&u, "like it; a lower modulus or a coarser spacing", k % 2 == 1);
    }
}

/* Looking ahead leaves no trace: a run goes on as one that was not looked at. */
static void check_no_trace(const set_up *u)
{
    dew_simulation *plain = make(u), *seen = make(u);
    char *text;
    if (dew_simulation_foresee(seen, &u->def, &text) != DEW_OK) fail_msg("%s", dew_message());
    free(text);
    advance_frames(plain, 1), advance_frames(seen, 1);
    int count, other;
    dew_snapshot_item *a = copy_items(plain, &count), *b = copy_items(seen, &other);
    assert_int_equal(count, other);
    for (int k = 0; k < count; k++) assert_memory_equal(a[k].data, b[k].data, item_bytes(&a[k]));
    free_items(a, count), free_items(b, count);
    dew_simulation_destroy(plain), dew_simulation_destroy(seen);
}

/* A change that makes a jelly so stiff that the run crawls is told by what it makes of the steps, while it holds; one
 * to twice the modulus is not. */
static void stiffness_that_comes_later(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        set_up u;
        falling_drop(&u, dew_method_find(k / 2 ? "mpm" : "ddr"));
        u.def.duration = 0.1, u.water.shear_modulus = 1e3;
        dew_setting_def set[2] = {{.path = "materials.water.shear_modulus", .value = {k % 2 ? 1e9 : 2e3, 0, 0}},
                                  {.path = "materials.water.shear_modulus", .value = {1e3, 0, 0}}};
        dew_change_def changes[2] = {dew_default_change_def(), dew_default_change_def()};
        for (int c = 0; c < 2; c++) changes[c].at = 0.02 + 0.04 * c, changes[c].set = &set[c], changes[c].set_count = 1;
        u.def.changes = changes, u.def.change_count = 2;
        check_told(&u, "changes[0]: from 0.02 s on steps are", k % 2 == 1);
        check_told(&u, "changes[1]", false);
        check_told(&u, "times shorter than before any change", k % 2 == 1);
        check_no_trace(&u);
    }
}

/* A thread between thick parts is told; a body that is thick everywhere, edges and corners and all, is not. */
static void threads_between_thick_parts(void **state)
{
    (void)state;
    const double s = DROP_SPACING;
    const dew_vec3 up = {7 * s, 2 * s, 14 * s}, down = {-7 * s, -2 * s, -14 * s};
    dew_shape_def thread = dew_default_shape_def();
    thread.kind = DEW_SHAPE_CYLINDER;
    thread.cylinder.from = down, thread.cylinder.to = up, thread.cylinder.radius = 2 * s;
    dew_shape_def parts[] = {dew_sphere(up, 7 * s), dew_sphere(down, 7 * s), thread};
    dew_shape_def dumbbell = dew_default_shape_def();
    dumbbell.kind = DEW_SHAPE_UNION, dumbbell.combination.children = parts, dumbbell.combination.count = 3;
    const dew_shape_def thick[] = {dew_sphere(up, 7 * s),
                                   dew_box((dew_vec3){0, 0, 0}, (dew_vec3){13 * s, 16 * s, 14 * s})};
    for (int k = 0; k < 3; k++) {
        set_up u;
        colliding_drops(&u, dew_method_find("sph"));
        u.def.liquid_count = 1, u.drops[0].shape = k == 2 ? dumbbell : thick[k];
        check_told(&u, "has a thread, film or neck about 4.0 spacings across", k == 2);
        check_told(&u, "thread", k == 2);
    }
}

/* Energies of which more than full wetting follows are told with the angle that comes out; others are not. */
static void energies_that_spread(void **state)
{
    (void)state;
    const double between[] = {0.005, 0.02};
    for (int k = 0; k < 2; k++) {
        set_up u;
        falling_drop(&u, dew_method_find("pbf"));
        u.plate.name = "plate", u.water.name = "water", u.water.surface_tension = 0.02;
        u.plate.has_surface_energy = true, u.plate.solid_energy = 0.03, u.plate.between_energy = between[k];
        check_told(&u, "solids.plate: gains 0.005 J/m2 of each area that water spreads over", k == 0);
        check_told(&u, "the angle that comes out is 0 degrees", k == 0);
    }
}

/* The line where two liquids meet on a plate, by what each gains there: with an angle, or with 0 or 180 degrees. */
static void liquids_that_cannot_stand_on_a_plate(void **state)
{
    (void)state;
    /* Gains: of water -0.01, 0.015, 0.055, 0.015; of oil 0.032, 0.01, 0.01, 0. */
    const double water[] = {0.07, 0.045, 0.005, 0.045}, oil[] = {0.028, 0.05, 0.05, 0.05},
                 dry[] = {0.06, 0.06, 0.06, 0.05};
    for (int k = 0; k < 4; k++) {
        set_up u;
        falling_drop(&u, dew_method_find("mps"));
        dew_material_def both[2] = {u.water, u.water};
        both[0].name = "water", both[1].name = "oil", both[0].surface_tension = 0.072, both[1].surface_tension = 0.03;
        dew_interface_def interface = {{0, 1}, 0.04};
        dew_wets_def wets[2] = {0};
        wets[0].material = 0, wets[0].solid_energy = 0.06, wets[0].between_energy = water[k];
        wets[1].material = 1, wets[1].solid_energy = dry[k], wets[1].between_energy = oil[k];
        wets[0].has_surface_energy = wets[1].has_surface_energy = true;
        u.plate.name = "plate", u.plate.wets = wets, u.plate.wets_count = 2;
        u.def.materials = both, u.def.material_count = 2;
        u.def.interfaces = &interface, u.def.interface_count = 1;
        check_told(&u, "the angle that comes out in water is 180 degrees", k == 0);
        check_told(&u, "the angle that comes out in water is 0 degrees", k == 2);
        check_told(&u, "one solid has one energy", k == 3);
    }
}

/* A lid that is drawn on a wall of the domain, which is at rest; one that the domain leaves open is no matter. */
static void a_lid_on_a_wall(void **state)
{
    (void)state;
    const double length = 16 * DROP_SPACING, far = 4 * length;
    const dew_keyframe keys[2] = {{.time = 0}, {.time = 1, .translation = {1, 0, 0}}};
    for (int k = 0; k < 2; k++) {
        set_up u;
        falling_drop(&u, dew_method_find("mps"));
        u.def.emitter_count = 0;
        u.def.domain.min = (dew_vec3){0, 0, 0}, u.def.domain.max = (dew_vec3){length, length, length};
        u.def.domain.axis[0] = u.def.domain.axis[1] = DEW_WALL;
        u.def.domain.axis[2] = k == 0 ? DEW_WALL : DEW_OPEN;
        u.drops[0].shape = dew_box(u.def.domain.min, u.def.domain.max);
        u.plate.name = "lid", u.plate.motion.keyframes = keys, u.plate.motion.keyframe_count = 2;
        u.plate.shape = dew_box((dew_vec3){-far, -far, length}, (dew_vec3){far, far, far});
        check_told(&u, "solids.lid: has one face with", k == 0);
    }
}

/* A tube of less than three spacings, with its emitter, is told by every method. */
static void narrow_tubes(void **state)
{
    (void)state;
    for (int k = 0; k < dew_method_count(); k++) {
        set_up u;
        falling_drop(&u, dew_method_at(k));
        bool is_flat = u.def.dimension == 2;
        double radius = 1.4 * u.def.spacing;
        dew_vec3 mouth = {0, is_flat ? 3e-3 : 0, is_flat ? 0 : 3e-3}, end = {0, 2 * mouth.y, 2 * mouth.z};
        dew_shape_def parts[2] = {dew_default_shape_def(), dew_default_shape_def()};
        for (int i = 0; i < 2; i++) {
            parts[i].kind = DEW_SHAPE_CYLINDER;
            parts[i].cylinder.from = mouth, parts[i].cylinder.to = end, parts[i].cylinder.radius = radius;
        }
        parts[0].cylinder.radius += 1e-3, parts[1].cylinder.from = (dew_vec3){0, 0.9 * mouth.y, 0.9 * mouth.z};
        u.plate.shape = dew_default_shape_def(), u.plate.shape.kind = DEW_SHAPE_DIFFERENCE;
        u.plate.shape.combination.children = parts, u.plate.shape.combination.count = 2;
        u.def.liquid_count = 0;
        u.tap.shape.disc.centre = (dew_vec3){0, 1.9 * mouth.y, 1.9 * mouth.z}, u.tap.shape.disc.radius = radius;
        check_told(&u, "emitters[0]: is 2.8 spacings across", true);
    }
}

/* Two liquids that claim one place are told of, unless the first lies in the second, which is filled around it. */
static void overlapping_liquids(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        set_up u;
        colliding_drops(&u, dew_method_find("mpm"));
        u.drops[0].shape = dew_sphere((dew_vec3){0, 0, 0}, 2e-3);
        u.drops[1].shape = dew_box((dew_vec3){k ? 0 : -3e-3, -3e-3, -3e-3}, (dew_vec3){3e-3, 3e-3, 3e-3});
        check_told(&u, "lies in that of liquids[0], which comes first", k == 1);
    }
}

/* A thread is as thick as it is, though no point of the grid that looks through it lies on its axis. */
static void threads_as_thick_as_they_are(void **state)
{
    (void)state;
    const double across[] = {3, 4, 5};
    for (int k = 0; k < 3; k++) {
        set_up u;
        char text[64];
        colliding_drops(&u, dew_method_find("mps"));
        double s = u.def.spacing;
        u.def.liquid_count = 1, u.drops[0].shape = dew_default_shape_def();
        u.drops[0].shape.kind = DEW_SHAPE_CYLINDER, u.drops[0].shape.cylinder.radius = across[k] / 2 * s;
        u.drops[0].shape.cylinder.from = (dew_vec3){0.3 * s, 0.2 * s, -11 * s};
        u.drops[0].shape.cylinder.to = (dew_vec3){0.3 * s, 0.2 * s, 11 * s};
        snprintf(text, sizeof text, "is about %.1f spacings across", across[k]);
        check_told(&u, text, k == 0);
        check_told(&u, "across where it is thickest", k == 0);
    }
}

/* Of a ball that a plate cuts, what is left counts: a cap two spacings high. A mouth of which the plate takes 40 %
 * is told, not one that stands on it. */
static void what_plates_leave_is_told(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        set_up u;
        falling_drop(&u, dew_method_find("mps"));
        double s = u.def.spacing;
        u.drops[0].shape = dew_sphere((dew_vec3){0, 0, k ? 0 : -8 * s}, 10 * s);
        check_told(&u, "spacings across where it is thickest", k == 0);
        u.def.liquid_count = 0;
        u.tap.shape.disc.centre = (dew_vec3){0, 0, k ? 0 : 0.5e-3}, u.tap.shape.disc.normal = (dew_vec3){1, 0, 0};
        u.tap.shape.disc.radius = 1.5e-3, u.tap.velocity = (dew_vec3){1, 0, 0};
        check_told(&u, "of its mouth lies in solids", true);
        u.tap.shape.disc.centre.z = 1.5e-3;
        check_told(&u, "of its mouth lies in solids", false);
    }
}

/* In two dimensions: a plate one side of which lies in the plane, one that is a film about it, one that goes far. */
static void solids_beside_the_plane(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        set_up u;
        falling_drop(&u, dew_method_find("ddr"));
        u.def.dimension = 2, u.def.gravity = (dew_vec3){0, -9.81, 0};
        u.drops[0].shape.ellipsoid.centre.z = 0;
        u.plate.shape.kind = DEW_SHAPE_BOX;
        double below = k == 0 ? 0 : k == 1 ? 1e-5 : 1, above = k == 3 ? 1e-5 : 1;
        u.plate.shape.box.min = (dew_vec3){-0.01, -0.02, -below},
        u.plate.shape.box.max = (dew_vec3){0.01, -0.01, above};
        check_told(&u, "the plane z = 0 must lie well within it", k != 2);
    }
}

/* A free plate two spacings thick; a ball of six. */
static void thin_bodies(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        set_up u;
        falling_drop(&u, dew_method_find("pbf"));
        double s = u.def.spacing;
        u.plate.shape = k ? dew_sphere((dew_vec3){0, 0, 20 * s}, 3 * s)
                          : dew_box((dew_vec3){-5 * s, -5 * s, 20 * s}, (dew_vec3){5 * s, 5 * s, 22 * s});
        u.plate.has_rigid = true, u.plate.rigid.density = 1150, u.def.emitter_count = 0;
        check_told(&u, "is lifted as if it were thicker", k == 0);
    }
}

/* A vessel with a hole in its floor, by a bore that ends half a spacing above the floor and by one that goes on. */
static void holes_that_are_closed(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        set_up u;
        falling_drop(&u, dew_method_find("pbf"));
        double s = u.def.spacing, h = 10 * s;
        dew_shape_def parts[3] = {
            dew_box((dew_vec3){-h - 4 * s, -h - 4 * s, -4 * s}, (dew_vec3){h + 4 * s, h + 4 * s, h}),
            dew_box((dew_vec3){-h, -h, 0}, (dew_vec3){h, h, 2 * h}), dew_default_shape_def()};
        parts[2].kind = DEW_SHAPE_CYLINDER, parts[2].cylinder.radius = 4 * s;
        parts[2].cylinder.from = (dew_vec3){0, 0, -6 * s}, parts[2].cylinder.to = (dew_vec3){0, 0, k ? h : 0.5 * s};
        u.plate.shape = dew_default_shape_def(), u.plate.shape.kind = DEW_SHAPE_DIFFERENCE;
        u.plate.shape.combination.children = parts, u.plate.shape.combination.count = 3;
        u.drops[0].shape = dew_box((dew_vec3){-h, -h, 0}, (dew_vec3){h, h, h / 2});
        u.drops[0].velocity = (dew_vec3){0, 0, 0}, u.def.emitter_count = 0;
        check_told(&u, "closes a hole", k == 0);
    }
}

/* Two mouths of which one lies by half in the other, beside it, and in it when it has ended. */
static void mouths_in_one_place(void **state)
{
    (void)state;
    set_up u;
    falling_drop(&u, dew_method_find("mps"));
    double radius = 5 * u.def.spacing;
    u.def.liquid_count = 0, u.tap.shape.disc.radius = radius, u.tap.to = 0.1;
    dew_emitter_def taps[2] = {u.tap, u.tap};
    u.def.emitters = taps, u.def.emitter_count = 2;
    taps[1].shape.disc.centre.x += 0.8 * radius;
    check_told(&u, "of its mouth lies in that of emitters[0]", true);
    taps[1].from = 0.1, taps[1].to = 0.2;
    check_told(&u, "of its mouth lies in that of emitters[0]", false);
    taps[1] = taps[0], taps[1].shape.disc.centre.x += 2 * radius + u.def.spacing;
    check_told(&u, "of its mouth lies in that of emitters[0]", false);
}

/* A pipe wider than the emitter in it leaks at its back; liquid in a slit, and on both sides of a sheet, is told. */
static void pipes_slits_and_sheets(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        set_up u;
        falling_drop(&u, dew_method_find("sph"));
        double s = u.def.spacing;
        dew_shape_def parts[2] = {dew_default_shape_def(), dew_default_shape_def()};
        for (int i = 0; i < 2; i++) {
            parts[i].kind = DEW_SHAPE_CYLINDER, parts[i].cylinder.radius = (i ? 8 : 11) * s;
            parts[i].cylinder.from = (dew_vec3){0, 0, (i ? 2.5 : 3) * 1e-3};
            parts[i].cylinder.to = (dew_vec3){0, 0, 8e-3};
        }
        u.plate.shape = dew_default_shape_def(), u.plate.shape.kind = DEW_SHAPE_DIFFERENCE;
        u.plate.shape.combination.children = parts, u.plate.shape.combination.count = 2;
        u.def.liquid_count = 0;
        u.tap.shape.disc.centre = (dew_vec3){0, 0, 5e-3}, u.tap.shape.disc.radius = (k ? 5 : 8) * s;
        check_told(&u, "its back is open", k == 1);
    }
    for (int k = 0; k < 5; k++) { /* a wide slit, a narrow one; a sheet in the middle of the liquid, two thicker */
        set_up u;
        falling_drop(&u, dew_method_find(k == 4 ? "mpm" : "sph"));
        double s = u.def.spacing, half = k == 1 ? 2 : 5, thick = k == 2 ? 0.5 : 1.5;
        dew_shape_def sides[2] = {dew_box((dew_vec3){-9 * s, -9 * s, -9 * s}, (dew_vec3){-half * s, 9 * s, 9 * s}),
                                  dew_box((dew_vec3){half * s, -9 * s, -9 * s}, (dew_vec3){9 * s, 9 * s, 9 * s})};
        u.plate.name = "slit", u.plate.shape = dew_default_shape_def(), u.plate.shape.kind = DEW_SHAPE_UNION;
        u.plate.shape.combination.children = sides, u.plate.shape.combination.count = 2;
        if (k >= 2)
            u.plate.shape = dew_box((dew_vec3){-thick * s, -9 * s, -9 * s}, (dew_vec3){thick * s, 9 * s, 9 * s});
        u.drops[0].shape = dew_box((dew_vec3){-8 * s, -8 * s, -8 * s}, (dew_vec3){8 * s, 8 * s, 8 * s});
        check_told(&u, "solids: liquid lies in, over or under a gap 4.0 spacings wide", k == 1);
        check_told(&u, "solids.slit: is 1 spacings thick between liquid on both sides", k == 2);
        check_told(&u, "solids.slit: is 3 spacings thick between liquid on both sides", k == 4);
        check_told(&u, "thick between liquid", k == 2 || k == 4);
    }
}

/* A vessel with a hole below the liquid, in which there is none yet. */
static void holes_below(void **state)
{
    (void)state;
    for (int is_narrow = 0; is_narrow < 2; is_narrow++) {
        set_up u;
        falling_drop(&u, dew_method_find("sph"));
        double s = u.def.spacing;
        dew_shape_def parts[3] = {dew_box((dew_vec3){-9 * s, -9 * s, -5 * s}, (dew_vec3){9 * s, 9 * s, 9 * s}),
                                  dew_box((dew_vec3){-6 * s, -6 * s, 0}, (dew_vec3){6 * s, 6 * s, 10 * s}),
                                  dew_default_shape_def()};
        parts[2].kind = DEW_SHAPE_CYLINDER, parts[2].cylinder.radius = (is_narrow ? 1.25 : 3) * s;
        parts[2].cylinder.from = (dew_vec3){0, 0, -6 * s}, parts[2].cylinder.to = (dew_vec3){0, 0, s};
        u.plate.shape = dew_default_shape_def(), u.plate.shape.kind = DEW_SHAPE_DIFFERENCE;
        u.plate.shape.combination.children = parts, u.plate.shape.combination.count = 3;
        u.drops[0].shape = dew_box((dew_vec3){-6 * s, -6 * s, 0}, (dew_vec3){6 * s, 6 * s, 6 * s});
        u.def.liquid_count = 1, u.def.emitter_count = 0, u.def.gravity = (dew_vec3){0, 0, -9.81};
        check_told(&u, "solids: liquid lies in, over or under a gap 2.5 spacings wide", is_narrow);
    }
}

/* A dry tube whose end touches a pool will draw it up. */
static void tubes_above(void **state)
{
    (void)state;
    for (int is_narrow = 0; is_narrow < 2; is_narrow++) {
        set_up u;
        falling_drop(&u, dew_method_find("sph"));
        double s = u.def.spacing, bore = (is_narrow ? 1.25 : 4) * s;
        dew_shape_def parts[2] = {dew_default_shape_def(), dew_default_shape_def()};
        for (int k = 0; k < 2; k++) {
            parts[k].kind = DEW_SHAPE_CYLINDER, parts[k].cylinder.radius = k ? bore : bore + 4 * s;
            parts[k].cylinder.from = (dew_vec3){0, 0, k ? 4 * s : 6 * s};
            parts[k].cylinder.to = (dew_vec3){0, 0, k ? 22 * s : 20 * s};
        }
        u.plate.shape = dew_default_shape_def(), u.plate.shape.kind = DEW_SHAPE_DIFFERENCE;
        u.plate.shape.combination.children = parts, u.plate.shape.combination.count = 2;
        u.drops[0].shape = dew_box((dew_vec3){-12 * s, -12 * s, 0}, (dew_vec3){12 * s, 12 * s, 6 * s});
        u.def.liquid_count = 1, u.def.emitter_count = 0, u.def.gravity = (dew_vec3){0, 0, -9.81};
        check_told(&u, "solids: liquid lies in, over or under a gap 2.", is_narrow);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_methods_own_viscosity),
        cmocka_unit_test(stiffness_beyond_its_steps),
        cmocka_unit_test(stiffness_that_comes_later),
        cmocka_unit_test(threads_between_thick_parts),
        cmocka_unit_test(energies_that_spread),
        cmocka_unit_test(liquids_that_cannot_stand_on_a_plate),
        cmocka_unit_test(a_lid_on_a_wall),
        cmocka_unit_test(narrow_tubes),
        cmocka_unit_test(overlapping_liquids),
        cmocka_unit_test(threads_as_thick_as_they_are),
        cmocka_unit_test(what_plates_leave_is_told),
        cmocka_unit_test(mouths_in_one_place),
        cmocka_unit_test(thin_bodies),
        cmocka_unit_test(solids_beside_the_plane),
        cmocka_unit_test(holes_that_are_closed),
        cmocka_unit_test(pipes_slits_and_sheets),
        cmocka_unit_test(holes_below),
        cmocka_unit_test(tubes_above),
    };
    return cmocka_run_group_tests_name("foresee", tests, NULL, NULL);
}
