/* The angle of a moving line: by Cox and Voinov at a wall that holds, whichever way it goes and however the wall moves;
 * at rest, and where the wall lets slip, Young's. A block of particles stands on a wall. */
#include "known_points.h"

#include "base/arena.h"
#include "solids/moving_line.h"

#include <string.h>

enum { WIDE = 12, HIGH = 5, COUNT = WIDE * WIDE * HIGH };

#define SPACING 1e-4
#define TENSION 0.07
#define VISCOSITY 0.02
#define CONTACT_ANGLE 60.0

typedef struct block {
    solids *solids;
    particles p;
    neighbours *n;
    near_walls near;
    arena *memory;
    real4 *way, *normal;
    uint8_t *is_surface;
} block;

/* `slip`: of the wall, m; it goes along x by `speed`, m/s. */
static void block_create(block *b, double slip, double speed)
{
    dew_solid_def plate = dew_default_solid_def();
    dew_simulation_def def = dew_default_simulation_def();
    plate.shape = dew_plane((dew_vec3){0}, (dew_vec3){0, 0, 1});
    plate.contact_angle = CONTACT_ANGLE, plate.slip_length = slip;
    dew_keyframe keys[2];
    memset(keys, 0, sizeof keys);
    keys[1].time = 1, keys[1].translation.x = speed;
    plate.motion.keyframes = keys, plate.motion.keyframe_count = 2;
    def.spacing = SPACING, def.solids = &plate, def.solid_count = 1;
    memset(b, 0, sizeof *b);
    b->memory = arena_create();
    assert_non_null(b->memory);
    check_ok(solids_create(&b->solids, &def));
    solids_place(b->solids, 0, 0.5);
    real4 *x = aligned_obtain(COUNT * sizeof *x);
    for (int i = 0; i < COUNT; i++) {
        int a = i % WIDE, c = i / WIDE % WIDE, up = i / WIDE / WIDE;
        x[i] = point((a - (WIDE - 1) / 2.0) * SPACING, (c - (WIDE - 1) / 2.0) * SPACING, (up + 0.5) * SPACING);
    }
    check_ok(particles_create(&b->p));
    check_ok(particles_insert(&b->p, COUNT, x, NULL, 0));
    check_ok(neighbours_create(&b->n, 3 * SPACING, 0.2 * SPACING));
    check_ok(neighbours_build(b->n, &b->p, NULL));
    aligned_release(x);
    check_ok(near_walls_find(&b->near, b->solids, b->memory, (real)(3 * SPACING), 0, COUNT, b->p.position));
    size_t slots = (size_t)b->p.end + 20;
    b->way = memset(aligned_obtain(slots * sizeof *b->way), 0, slots * sizeof *b->way);
    b->normal = memset(aligned_obtain(slots * sizeof *b->normal), 0, slots * sizeof *b->normal);
    b->is_surface = memset(aligned_obtain(slots), 0, slots);
    for (int i = 0; i < COUNT; i++) {
        bool is_side = fabs((double)b->p.position[i].x) > (WIDE / 2 - 1) * SPACING;
        b->is_surface[i] = is_side;
        b->normal[i] = point(b->p.position[i].x > 0 ? 0.8 : -0.8, 0, 0.6);
    }
}

static void block_destroy(block *b)
{
    aligned_release(b->way), aligned_release(b->normal), aligned_release(b->is_surface);
    neighbours_destroy(b->n);
    particles_destroy(&b->p);
    solids_destroy(b->solids);
    arena_destroy(b->memory);
}

/* Moves the liquid along x by `speed` for `time` and checks the cosines on both sides. */
static void check_angles(block *b, double speed, double time, double advancing, double receding)
{
    line_faces faces;
    for (int i = 0; i < COUNT; i++) b->way[i].x = (real)(speed * time);
    dew_material_def liquid = dew_default_material_def();
    liquid.surface_tension = TENSION, liquid.viscosity = VISCOSITY, liquid.density = 1000;
    liquids_there liquids = {&liquid, NULL};
    check_ok(line_faces_find(&faces, &b->near, b->solids, liquids, b->memory, COUNT));
    moving_line line = {.solids = b->solids,
                        .liquids = liquids,
                        .dt = (real)1e-9,
                        .spacing = (real)SPACING,
                        .reach = (real)(3 * SPACING),
                        .lists = neighbours_lists(b->n),
                        .count = COUNT,
                        .position = b->p.position,
                        .way = b->way,
                        .normal = b->normal,
                        .is_surface = b->is_surface,
                        .time = (real)time};
    check_ok(line_faces_bend(&faces, &line, b->memory));
    double rest = cos(CONTACT_ANGLE * DEGREE);
    int seen[3] = {0};
    for (int i = 0; i < COUNT; i++) {
        real4 x = b->p.position[i];
        bool is_line = b->is_surface[i] && (double)x.z < 1.9 * SPACING;
        double expected = !is_line ? rest : x.x > 0 ? advancing : receding;
        if (!near_walls_has(&b->near, i)) continue;
        check_close((double)(faces.drawn[0] ? faces.drawn : faces.cosine)[0][i], expected, 2e-4);
        seen[!is_line ? 0 : x.x > 0 ? 1 : 2]++;
    }
    for (int k = 0; k < 3; k++) assert_true(seen[k] > WIDE);
}

static double cox(double rest, double speed, double slip)
{
    double cube = pow(acos(rest), 3) + 9 * VISCOSITY * speed / TENSION * log(SPACING / slip);
    return cos(fmin(cbrt(fmax(cube, 0)), PI));
}

static void test_moving_line(void **state)
{
    (void)state;
    block b;
    double rest = cos(CONTACT_ANGLE * DEGREE);
    block_create(&b, 0, 0);
    check_angles(&b, 0, 1e-5, rest, rest);
    for (double speed = 0.003; speed < 5; speed *= 5)
        check_angles(&b, speed, 1e-5, cox(rest, speed, LINE_SLIP), cox(rest, -speed, LINE_SLIP));
    assert_true(cox(rest, 3, LINE_SLIP) == -1 && cox(rest, -3, LINE_SLIP) == 1);
    check_angles(&b, 0.1, 0, rest, rest); /* no step has been made */
    block_destroy(&b);
}

static void test_what_slips(void **state)
{
    (void)state;
    block b;
    double rest = cos(CONTACT_ANGLE * DEGREE);
    block_create(&b, INFINITY, 0);
    check_angles(&b, 0.1, 1e-5, rest, rest);
    block_destroy(&b);
    block_create(&b, SPACING / 20, 0);
    check_angles(&b, 0.1, 1e-5, cox(rest, 0.1, SPACING / 20), cox(rest, -0.1, SPACING / 20));
    block_destroy(&b);
}

/* What counts is motion against the wall. */
static void test_wall_that_moves(void **state)
{
    (void)state;
    block b;
    double rest = cos(CONTACT_ANGLE * DEGREE);
    block_create(&b, 0, 0.3);
    check_angles(&b, 0.3, 1e-5, rest, rest);
    check_angles(&b, 0.35, 1e-5, cox(rest, 0.05, LINE_SLIP), cox(rest, -0.05, LINE_SLIP));
    block_destroy(&b);
}

/* Over its speed: of any speed what the angle takes of the pull; of a line as good as at rest 3 mu ln(s/l) sin(theta_e)
 * over theta_e^2, which is the limit. */
static void test_friction(void **state)
{
    (void)state;
    double scales = moving_line_scales(SPACING, 0);
    for (double angle = 20; angle <= 160; angle += 35) {
        double rest = angle * DEGREE, cosine = cos(rest);
        double limit = 3 * VISCOSITY * scales * sin(rest) / (rest * rest);
        for (double speed = -1; speed < 1.5; speed += 2) {
            double fast = 0.02 * speed, lost = moving_line_lost(cosine, VISCOSITY, fast, TENSION, scales);
            check_close(moving_line_friction(cosine, VISCOSITY, fast, TENSION, scales) * fast / TENSION, lost, 1e-12);
            check_close(moving_line_friction(cosine, VISCOSITY, 1e-12 * speed, TENSION, scales) / limit, 1, 2e-3);
        }
    }
    check_close(moving_line_friction(0.5, VISCOSITY, 1, TENSION, -1), 0, 0);
    assert_true(isfinite(moving_line_friction(1, VISCOSITY, 0, TENSION, scales)));
}

int main(void)
{
    const struct CMUnitTest all[] = {
        cmocka_unit_test(test_moving_line),
        cmocka_unit_test(test_what_slips),
        cmocka_unit_test(test_wall_that_moves),
        cmocka_unit_test(test_friction),
    };
    return cmocka_run_group_tests(all, NULL, NULL);
}
