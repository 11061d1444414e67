/* Double density relaxation: its sums against plain twins, the Jacobi form against the printed one, springs, momentum,
 * what it is to give in SI. */
#include "methods/ddr/ddr.h"
#include "set_ups.h"

#include <math.h>
#include <stdio.h>

#define SPACING 1e-4
#define DENSITY 1000.0
#define TENSION 0.07

typedef struct liquid {
    set_up u;
    dew_parameter_value parameters[8];
} liquid;

static void set_number(liquid *l, const char *name, double value)
{
    l->parameters[l->u.def.parameter_count++] = (dew_parameter_value){name, value, NULL};
}

static void set_tension(liquid *l, int choice, const char *word)
{
    l->parameters[l->u.def.parameter_count++] = (dew_parameter_value){"tension", choice, word};
}

/* A liquid of 0.1 mm in SI, without gravity; the rest as a test sets it. */
static void begin_liquid(liquid *l, int dimension, dew_shape_def shape)
{
    memset(l, 0, sizeof *l);
    begin(&l->u, dew_method_find("ddr"), SPACING);
    l->u.def.dimension = dimension, l->u.def.threads = 1;
    l->u.water.density = DENSITY, l->u.water.surface_tension = TENSION, l->u.water.viscosity = 0;
    l->u.drops[0].shape = shape;
    l->u.def.parameters = l->parameters;
}

static dew_shape_def egg(int dimension, double radius)
{
    dew_shape_def s = dew_default_shape_def();
    s.kind = DEW_SHAPE_ELLIPSOID;
    s.ellipsoid.semi_axes = (dew_vec3){1.15 * radius, 0.95 * radius, dimension == 3 ? 0.92 * radius : radius};
    return s;
}

static void check_close(double measured, double expected, double tolerance, const char *what)
{
    if (!(fabs(measured - expected) <= tolerance))
        fail_msg("%s: %.9g is not %.9g +- %.3g", what, measured, expected, tolerance);
}

static ddr_numbers numbers_of(const dew_simulation *s) { return ddr_numbers_of(s->state, &s->w); }

/* --- plain twins --- */

/* Particles by their ids, which sorts do not change. */
static int slot_of(const dew_simulation *s, int32_t id)
{
    assert_int_equal(particles_map_ids((particles *)&s->particles), DEW_OK);
    return particles_slot_of_id(&s->particles, id);
}

static dew_vec3 place_of(const dew_simulation *s, int32_t id)
{
    real4 x = s->particles.position[slot_of(s, id)];
    return (dew_vec3){(double)x.x, (double)x.y, (double)x.z};
}

static dew_vec3 velocity_of(const dew_simulation *s, int32_t id)
{
    real4 v = s->particles.velocity[slot_of(s, id)];
    return (dew_vec3){(double)v.x, (double)v.y, (double)v.z};
}

/* Every particle's push by equations 1 to 6, of both sides of each pair, m/s2. */
static void push_plainly(const dew_vec3 *x, int count, double h, const ddr_numbers *n, dew_vec3 *push)
{
    double *P = calloc((size_t)count, sizeof *P), *near = calloc((size_t)count, sizeof *near);
    for (int i = 0; i < count; i++) {
        double rho = 0, rho_near = 0;
        for (int j = 0; j < count; j++) {
            double w = 1 - vec3_length(vec3_sub(x[j], x[i])) / h;
            if (j != i && w > 0) rho += w * w, rho_near += w * w * w;
        }
        P[i] = n->k * (rho - n->rho0), near[i] = n->k_near * rho_near;
    }
    for (int i = 0; i < count; i++) {
        push[i] = (dew_vec3){0, 0, 0};
        for (int j = 0; j < count; j++) {
            dew_vec3 way = vec3_sub(x[i], x[j]);
            double r = vec3_length(way), w = 1 - r / h;
            if (j == i || w <= 0) continue;
            double f = ((P[i] + P[j]) * w + (near[i] + near[j]) * w * w) / 2;
            push[i] = vec3_add(push[i], vec3_scale(f / r, way));
        }
    }
    free(P), free(near);
}

static void impel_plainly(const dew_vec3 *x, const dew_vec3 *v, int count, double h, const ddr_numbers *n,
                          dew_vec3 *push)
{
    for (int i = 0; i < count; i++) {
        push[i] = (dew_vec3){0, 0, 0};
        for (int j = 0; j < count; j++) {
            dew_vec3 way = vec3_sub(x[j], x[i]);
            double r = vec3_length(way), w = 1 - r / h;
            if (j == i || w <= 0) continue;
            double u = vec3_dot(vec3_sub(v[i], v[j]), way) / r, inward = fmax(u, 0);
            push[i] = vec3_sub(push[i], vec3_scale(w * (n->sigma * u + n->beta * inward * inward) / 2 / r, way));
        }
    }
}

static void read_all(const dew_simulation *s, dew_vec3 *x, dew_vec3 *v)
{
    for (int i = 0; i < s->particles.count; i++) x[i] = place_of(s, i), v[i] = velocity_of(s, i);
}

/* The largest difference of the change of velocity in the last step from what `push` says, over the largest push. */
static double error_of(const dew_simulation *s, const dew_vec3 *v, const dew_vec3 *push)
{
    double worst = 0, most = 0;
    for (int i = 0; i < s->particles.count; i++) {
        dew_vec3 got = vec3_scale(1 / s->time_step, vec3_sub(velocity_of(s, i), v[i]));
        worst = fmax(worst, vec3_length(vec3_sub(got, push[i]))), most = fmax(most, vec3_length(push[i]));
    }
    return worst / most;
}

/* One step of the method from where lists have just been made, so that slots stay. */
static void step_once(dew_simulation *s)
{
    double most = s->method->max_time_step(s->state, &s->w);
    s->time_step = most;
    solids_place(s->w.solids, s->w.time, s->w.time + most);
    if (s->method->step(s->state, &s->w, most) != DEW_OK) fail_msg("%s", dew_message());
}

/* Hyperviscosity's part in push: -rate (A/a)^2 v, A v what viscosity takes, a what it takes where neighbours stand. */
static void calm_plainly(const dew_vec3 *x, const dew_vec3 *taken, int count, int dimension, double h,
                         const ddr_numbers *n, dew_vec3 *push)
{
    dew_vec3 *twice = calloc((size_t)count, sizeof *twice);
    double a = n->sigma * M_PI / 3 * pow(h / SPACING, dimension) / dimension, rate = n->calming - a;
    if (!(rate > 0)) fail_msg("viscosity leaves nothing to do");
    impel_plainly(x, taken, count, h, n, twice);
    for (int i = 0; i < count; i++) push[i] = vec3_add(push[i], vec3_scale(-rate / (a * a), twice[i]));
    free(twice);
}

static void sums_are_those_of_all_pairs(void **state)
{
    static const char *const names[] = {"relaxation", "impulses", "hyperviscosity"};
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int kind = 0; kind < 3; kind++) {
            liquid l;
            begin_liquid(&l, dimension, egg(dimension, dimension == 2 ? 9 * SPACING : 4.5 * SPACING));
            set_tension(&l, 1, "densities");
            set_number(&l, "projections", 0), set_number(&l, "own_viscosity", 0), set_number(&l, "bulk", 0);
            set_number(&l, "beta", kind == 1 ? 2 : 0), set_number(&l, "hyperviscosity", kind == 2 ? 1 : 0);
            l.u.water.viscosity = kind == 1 ? 2e-5 : kind == 2 ? 1e-7 : 0;
            if (kind > 0) l.u.water.surface_tension = 0.0001;
            dew_simulation *s = make(&l.u);
            int count = s->particles.count;
            dew_vec3 *x = calloc((size_t)count, sizeof *x), *v = calloc((size_t)count, sizeof *v),
                     *push = calloc((size_t)count, sizeof *push), *other = calloc((size_t)count, sizeof *other);
            step_once(s);
            for (int i = 0; i < count && kind > 0; i++)
                s->particles.velocity[i] = (real4){(real)(0.01 * sin(i)), (real)(0.01 * cos(i)), 0, 0};
            read_all(s, x, v);
            ddr_numbers n = numbers_of(s);
            double h = (double)((ddr_state *)s->state)->h;
            push_plainly(x, count, h, &n, push);
            impel_plainly(x, v, count, h, &n, other);
            for (int i = 0; i < count; i++) push[i] = vec3_add(push[i], other[i]);
            if (kind == 2) calm_plainly(x, other, count, dimension, h, &n, push);
            step_once(s);
            check_close(error_of(s, v, push), 0, 1e-4, names[kind]);
            free(x), free(v), free(push), free(other);
            dew_simulation_destroy(s);
        }
}

/* --- the printed form --- */

/* Algorithm 2 as printed, particle after particle, in a fixed order; k as an acceleration. */
static void relax_in_turn(dew_vec3 *x, int count, double h, const ddr_numbers *n, double dt)
{
    for (int turn = 0; turn < count; turn++) {
        int i = (int)((int64_t)turn * 7919 % count);
        double rho = 0, near = 0;
        for (int j = 0; j < count; j++) {
            double w = 1 - vec3_length(vec3_sub(x[j], x[i])) / h;
            if (j != i && w > 0) rho += w * w, near += w * w * w;
        }
        double P = n->k * (rho - n->rho0), P_near = n->k_near * near;
        dew_vec3 dx = {0, 0, 0};
        for (int j = 0; j < count; j++) {
            dew_vec3 way = vec3_sub(x[j], x[i]);
            double r = vec3_length(way), w = 1 - r / h;
            if (j == i || w <= 0) continue;
            dew_vec3 D = vec3_scale(dt * dt * (P * w + P_near * w * w) / 2 / r, way);
            x[j] = vec3_add(x[j], D), dx = vec3_sub(dx, D);
        }
        x[i] = vec3_add(x[i], dx);
    }
}

static void sizes_of(const dew_vec3 *x, int count, double size[3])
{
    double mean[3] = {0}, square[3] = {0};
    for (int i = 0; i < count; i++)
        for (int a = 0; a < 3; a++) mean[a] += vec3_at(x[i], a), square[a] += pow(vec3_at(x[i], a), 2);
    for (int a = 0; a < 3; a++) size[a] = sqrt(square[a] / count - pow(mean[a] / count, 2));
}

/* A drop of the paper's numbers at a quarter of its step, by the method and by the printed algorithm: it swings at the
 * same frequency and has the same size, which is that it was filled
 * with but for a skin that draws together. */
static void jacobi_is_as_printed(void **state)
{
    (void)state;
    enum { STEPS = 400 };
    liquid l;
    begin_liquid(&l, 3, egg(3, 4 * SPACING));
    set_tension(&l, 2, "paper");
    double step = 1.0 / 120;
    set_number(&l, "paper_step", step), set_number(&l, "paper_beta", 0);
    dew_simulation *s = make(&l.u);
    int count = s->particles.count;
    dew_vec3 *x = calloc((size_t)count, sizeof *x), *v = calloc((size_t)count, sizeof *v);
    ddr_numbers n = numbers_of(s);
    n.k /= 16, n.k_near /= 16; /* printed numbers are over the step as printed, 1/30 s */
    ddr_state *p = s->state;
    p->parameter[DDR_PAPER_K] /= 16, p->parameter[DDR_PAPER_K_NEAR] /= 16;
    read_all(s, x, v);
    double size[2][3], filled[3], sum[2] = {0}, last[2] = {0};
    int crossings[2] = {0};
    sizes_of(x, count, filled);
    for (int k = 0; k < STEPS; k++) {
        step_once(s);
        for (int i = 0; i < count; i++) {
            dew_vec3 before = x[i];
            x[i] = vec3_add(x[i], vec3_scale(step, v[i]));
            v[i] = before;
        }
        relax_in_turn(x, count, (double)p->h, &n, step);
        for (int i = 0; i < count; i++) v[i] = vec3_scale(1 / step, vec3_sub(x[i], v[i]));
        dew_vec3 *now = calloc((size_t)count, sizeof *now), *unused = calloc((size_t)count, sizeof *unused);
        read_all(s, now, unused);
        sizes_of(now, count, size[0]), sizes_of(x, count, size[1]);
        free(now), free(unused);
        for (int m = 0; m < 2; m++) {
            double swing = size[m][0] - (size[m][1] + size[m][2]) / 2;
            crossings[m] += k > 0 && (swing > 0) != (last[m] > 0) && crossings[m] == 0 ? k : 0;
            last[m] = swing, sum[m] = size[m][0] + size[m][1] + size[m][2];
        }
    }
    check_close(sum[0] / sum[1], 1, 0.01, "size of the drop");
    check_close(sum[0] / (filled[0] + filled[1] + filled[2]), 1, 0.1, "size of the drop as it was filled");
    assert_true(crossings[0] > 0 && crossings[1] > 0);
    check_close((double)crossings[0] / crossings[1], 1, 0.1, "a quarter of its swing");
    free(x), free(v);
    dew_simulation_destroy(s);
}

/* --- springs --- */

typedef struct plain_spring {
    int32_t a, b;
    double length;
} plain_spring;

/* Springs of all pairs within h, none of which are near enough to h to be made or to go meanwhile. */
static void springs_are_those_of_all_pairs(void **state)
{
    (void)state;
    liquid l;
    begin_liquid(&l, 3, egg(3, 3.5 * SPACING));
    l.u.water.shear_modulus = 500, l.u.water.yield_stress = 20, l.u.water.relaxation_time = 2e-3;
    set_number(&l, "compression_yield", 0.5);
    dew_simulation *s = make(&l.u);
    step_once(s);
    ddr_state *p = s->state;
    ddr_numbers n = numbers_of(s);
    double h = (double)p->h, dt = s->time_step;
    int count = s->particles.count, springs = 0, ends = 0;
    plain_spring *all = calloc((size_t)p->springs.begin[p->springs.rows], sizeof *all);
    for (int row = 0; row < p->springs.rows; row++)
        for (int k = 0; k < p->springs.count[row]; k++, ends++) {
            int at = p->springs.begin[row] + k, other = p->springs.other[at]; /* a row: nothing is mirrored */
            if (p->springs.row_id[row] < p->springs.row_id[other])
                all[springs++] =
                    (plain_spring){p->springs.row_id[row], p->springs.row_id[other], (double)p->springs.length[at]};
        }
    assert_int_equal(2 * springs, ends);
    dew_vec3 *push = calloc((size_t)count, sizeof *push), *v = calloc((size_t)count, sizeof *v);
    for (int turn = 0; turn < 3; turn++) {
        for (int i = 0; i < count; i++) { /* stretch it */
            real4 *x = &s->particles.position[slot_of(s, i)];
            x->x *= (real)1.03, x->y *= (real)0.98, v[i] = velocity_of(s, i), push[i] = (dew_vec3){0, 0, 0};
        }
        for (int k = 0; k < springs; k++) {
            int i = all[k].a, j = all[k].b;
            dew_vec3 way = vec3_sub(place_of(s, j), place_of(s, i));
            double r = vec3_length(way), d = n.spring.yield[r < all[k].length] * all[k].length, flow;
            double rate = n.spring.rate[r < all[k].length] * dt;
            flow = rate / (1 + rate);
            if (r > all[k].length + d) all[k].length += flow * (r - all[k].length - d);
            if (r < all[k].length - d) all[k].length -= flow * (all[k].length - d - r);
            if (all[k].length > h) {
                all[k] = all[--springs], k--;
                continue;
            }
            double f = n.spring.stiffness / 2 * (1 - all[k].length / h) * (r - all[k].length) / r;
            push[i] = vec3_add(push[i], vec3_scale(f, way)), push[j] = vec3_sub(push[j], vec3_scale(f, way));
        }
        assert_int_equal(
            ddr_springs_act(&p->springs, &s->w, &n.spring, h, s->particles.position, s->particles.velocity, dt),
            DEW_OK);
        check_close(error_of(s, v, push), 0, 1e-4, "springs");
    }
    free(all), free(push), free(v);
    dew_simulation_destroy(s);
}

/* What springs are stretched by, largest change from `before`, m; by row and place in it. */
static double stretch_change(const dew_simulation *s, const ddr_springs *springs, double *stretch, bool is_first)
{
    double most = 0;
    for (int row = 0; row < springs->rows; row++)
        for (int k = 0; k < springs->count[row]; k++) {
            int at = springs->begin[row] + k, other = springs->row_id[springs->other[at]];
            dew_vec3 way = vec3_sub(place_of(s, other), place_of(s, springs->row_id[row]));
            double now = vec3_length(way) - (double)springs->length[at];
            if (is_first) stretch[at] = now;
            if (isfinite(springs->length[at])) most = fmax(most, fabs(now - stretch[at]));
        }
    return most;
}

/* A shift of places feeds no spring: rest lengths go along, to the square of the shift over the distance. */
static void rest_lengths_follow_shifts(void **state)
{
    (void)state;
    liquid l;
    begin_liquid(&l, 3, egg(3, 3.5 * SPACING));
    l.u.water.shear_modulus = 500, l.u.water.relaxation_time = 2e-3;
    dew_simulation *s = make(&l.u);
    step_once(s);
    ddr_state *p = s->state;
    ddr_numbers n = numbers_of(s);
    int count = s->particles.count;
    double *stretch = calloc((size_t)p->springs.begin[p->springs.rows], sizeof *stretch);
    real4 *shift = calloc((size_t)count, sizeof *shift);
    for (int i = 0; i < count; i++) {
        real phase = (real)(2.4 * s->particles.id[i]), size = (real)(0.01 * SPACING);
        shift[i] = (real4){size * sin(phase), size * cos(2 * phase), size * sin(3 * phase), 0};
    }
    stretch_change(s, &p->springs, stretch, true);
    assert_int_equal(ddr_springs_follow(&p->springs, &s->w, &n.spring, (double)p->h, shift), DEW_OK);
    assert_true(stretch_change(s, &p->springs, stretch, false) > 0.01 * SPACING); /* they have changed */
    for (int i = 0; i < count; i++) real4_add(&s->particles.position[i], (real3){shift[i].x, shift[i].y, shift[i].z});
    check_close(stretch_change(s, &p->springs, stretch, false) / SPACING, 0, 1e-3, "stretch that a shift gives");
    free(stretch), free(shift);
    dew_simulation_destroy(s);
}

/* --- momentum --- */

static void momentum_of(const dew_simulation *s, double linear[3], double angular[3])
{
    measure(s, "momentum", linear), measure(s, "angular_momentum", angular);
}

/* Two balls that meet off-centre, of water and of a gel that relaxes: in 3D and in 2D by area, and in 2D by densities.
 */
static void momentum_is_kept(void **state)
{
    (void)state;
    for (int is_gel = 0; is_gel < 2; is_gel++)
        for (int kind = 0; kind < 3; kind++) {
            int dimension = kind == 0 ? 3 : 2;
            liquid l;
            begin_liquid(&l, dimension, dew_sphere((dew_vec3){-0.6e-3, 0, 0}, 0.5e-3));
            if (kind == 2) set_tension(&l, 1, "densities");
            l.u.drops[1] = l.u.drops[0], l.u.def.liquid_count = 2;
            l.u.drops[1].shape = dew_sphere((dew_vec3){0.6e-3, 0.3e-3, 0}, 0.5e-3);
            l.u.drops[0].velocity.x = 0.5, l.u.drops[1].velocity.x = -0.5, l.u.water.viscosity = 1e-3;
            if (is_gel) l.u.water.shear_modulus = 1e3, l.u.water.relaxation_time = 1e-3;
            dew_simulation *s = make(&l.u);
            double before[2][3], after[2][3];
            momentum_of(s, before[0], before[1]);
            advance_frames(s, 8);
            momentum_of(s, after[0], after[1]);
            double mass, scale = 0.5;
            measure(s, "mass", &mass);
            for (int a = 0; a < 3; a++) {
                check_close(after[0][a], before[0][a], 1e-6 * mass * scale, "momentum");
                check_close(after[1][a], before[1][a], 1e-5 * mass * scale * 1e-3, "angular momentum");
            }
            dew_simulation_destroy(s);
        }
}

/* --- restart --- */

static void a_gel_goes_on_after_a_restart(void **state)
{
    (void)state;
    liquid l;
    begin_liquid(&l, 3, egg(3, 5 * SPACING));
    l.u.water.shear_modulus = 300, l.u.water.yield_stress = 10, l.u.water.relaxation_time = 1e-3;
    dew_simulation *whole = make(&l.u);
    l.u.def.threads = 3;
    dew_simulation *resumed = make(&l.u);
    advance_frames(whole, 2);
    int count, other;
    dew_snapshot_item *items = copy_items(whole, &count);
    assert_int_equal(dew_simulation_restore(resumed, items, count), DEW_OK);
    free_items(items, count);
    advance_frames(whole, 2), advance_frames(resumed, 2);
    items = copy_items(whole, &count);
    dew_snapshot_item *again = copy_items(resumed, &other);
    assert_int_equal(count, other);
    for (int i = 0; i < count; i++) {
        assert_int_equal(items[i].count, again[i].count);
        assert_memory_equal(items[i].data, again[i].data, item_bytes(&items[i]));
    }
    free_items(items, count), free_items(again, other);
    dew_simulation_destroy(whole), dew_simulation_destroy(resumed);
}

/* --- what it gives in SI --- */

static void a_drop_has_its_pressure(void **state)
{
    (void)state;
    enum { FRAMES = 12 };
    double radius = 8 * SPACING, pressure, sum = 0;
    liquid l;
    begin_liquid(&l, 3, dew_sphere((dew_vec3){0, 0, 0}, radius));
    l.u.water.viscosity = 0.03, l.u.def.frame_rate = 1000;
    dew_simulation *s = make(&l.u);
    for (int f = 0; f < FRAMES; f++) {
        advance_frames(s, 1);
        measure(s, "pressure_jump", &pressure);
        if (f >= 6) sum += pressure / (FRAMES - 6);
    }
    check_close(sum / (2 * TENSION / radius), 1, 0.1, "pressure in a drop");
    dew_simulation_destroy(s);
}

typedef struct shear_wave {
    double length, speed;
    int across;
} shear_wave;

static void wave_of(void *context, int count, const double *const *inputs, double *output)
{
    const shear_wave *w = context;
    for (int i = 0; i < count; i++) output[i] = w->speed * sin(2 * PI * inputs[w->across][i] / w->length);
}

static double amplitude_of(const dew_simulation *s, const shear_wave *w)
{
    double sum = 0;
    for (int i = 0; i < s->particles.count; i++)
        sum += 2 * velocity_of(s, i).x * sin(2 * PI * vec3_at(place_of(s, i), w->across) / w->length);
    return sum / s->particles.count / w->speed;
}

/* A wave of shear, 16 spacings long, in a periodic box: where it has come to after `duration`. */
static double shear_amplitude(int dimension, double viscosity, double modulus, double speed, double duration)
{
    liquid l;
    shear_wave w = {16 * SPACING, speed, dimension == 2 ? 1 : 2};
    dew_vec3 end = {10 * SPACING, dimension == 2 ? w.length : 10 * SPACING, w.length};
    begin_liquid(&l, dimension, dew_box((dew_vec3){0, 0, dimension == 2 ? -w.length : 0}, end));
    for (int a = 0; a < dimension; a++) l.u.def.domain.axis[a] = DEW_PERIODIC;
    l.u.def.domain.min = l.u.drops[0].shape.box.min, l.u.def.domain.max = end;
    l.u.drops[0].velocity_of[0] = (dew_function){wave_of, &w};
    l.u.water.viscosity = viscosity, l.u.water.shear_modulus = modulus;
    l.u.def.frame_rate = 8 / duration;
    dew_simulation *s = make(&l.u);
    advance_frames(s, 8);
    double amplitude = amplitude_of(s, &w);
    dew_simulation_destroy(s);
    return amplitude;
}

static void shear_dies_by_viscosity(void **state)
{
    (void)state;
    double viscosity = 0.2, k = 2 * PI / (16 * SPACING), time = DENSITY / (viscosity * k * k);
    for (int dimension = 2; dimension <= 3; dimension++)
        check_close(-log(shear_amplitude(dimension, viscosity, 0, 2, time)), 1, 0.12, "decay of a shear wave");
}

/* A quarter and three quarters of a period on, the amplitude crosses zero: there cos(omega t) tells omega. */
static void gels_swing_by_their_modulus(void **state)
{
    (void)state;
    double modulus = 2e4, k = 2 * PI / (16 * SPACING), period = 2 * PI / (k * sqrt(modulus / DENSITY));
    for (int dimension = 2; dimension <= 3; dimension++) {
        double half = shear_amplitude(dimension, 0, modulus, 0.01, period / 2);
        assert_true(half < -0.9);
        check_close(shear_amplitude(dimension, 0, modulus, 0.01, 0.75 * period), 0, 0.35, "modulus");
    }
}

/* With water's viscosity, which lets what stirs at first go on for seconds. */
static void a_pool_keeps_its_depth_and_rests(void **state)
{
    (void)state;
    liquid l;
    double s0 = 2.5e-3, width = 24 * s0, depth = 16 * s0, centre[3], speed, extent[6];
    begin_liquid(&l, 2, dew_box((dew_vec3){0, 0, -1}, (dew_vec3){width, depth, 1}));
    l.u.def.spacing = s0, l.u.def.gravity = (dew_vec3){0, -9.81, 0}, l.u.def.frame_rate = 10;
    l.u.water.viscosity = 0.001;
    for (int a = 0; a < 2; a++) l.u.def.domain.axis[a] = DEW_WALL;
    l.u.def.domain.min = (dew_vec3){0, 0, -1}, l.u.def.domain.max = (dew_vec3){width, 3 * depth, 1};
    dew_simulation *s = make(&l.u);
    advance_frames(s, 6);
    measure(s, "centre_of_mass", centre), measure(s, "rms_speed", &speed), measure(s, "front_position", extent);
    check_close(2 * centre[1] / depth, 1, 0.02, "depth of a pool");
    check_close(speed, 0, 0.01, "speed of a pool at rest");
    /* From half a particle's width off the wall, 0.1 for the weight and 0.1 for the time. */
    for (int a = 0; a < 2; a++) check_close(extent[2 * a] / s0, 0, 0.2, "first layer's distance from its wall");
    dew_simulation_destroy(s);
}

/* A cube of rubber that stands on a plate, and nothing pulls at it, lies still: it is tied where it will stay. */
static void rubber_on_a_table_lies_still(void **state)
{
    (void)state;
    liquid l;
    begin_liquid(&l, 3, dew_box((dew_vec3){0, 0, 0}, (dew_vec3){10 * SPACING, 10 * SPACING, 10 * SPACING}));
    l.u.water.surface_tension = 0, l.u.water.viscosity = 0.1, l.u.water.shear_modulus = 1e5;
    l.u.plate.shape = dew_plane((dew_vec3){0, 0, 0}, (dew_vec3){0, 0, 1});
    l.u.def.solids = &l.u.plate, l.u.def.solid_count = 1;
    l.u.def.frame_rate = 1e4;
    dew_simulation *s = make(&l.u);
    advance_frames(s, 2);
    double speed;
    assert_int_equal(dew_simulation_measure(s, "max_speed", &speed), DEW_OK);
    if (!(speed < 1e-4)) fail_msg("rubber at rest moves at %g m/s", speed);
    dew_simulation_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_those_of_all_pairs),
        cmocka_unit_test(jacobi_is_as_printed),
        cmocka_unit_test(springs_are_those_of_all_pairs),
        cmocka_unit_test(rest_lengths_follow_shifts),
        cmocka_unit_test(momentum_is_kept),
        cmocka_unit_test(a_gel_goes_on_after_a_restart),
        cmocka_unit_test(a_drop_has_its_pressure),
        cmocka_unit_test(shear_dies_by_viscosity),
        cmocka_unit_test(gels_swing_by_their_modulus),
        cmocka_unit_test(a_pool_keeps_its_depth_and_rests),
        cmocka_unit_test(rubber_on_a_table_lies_still),
    };
    return cmocka_run_group_tests_name("ddr", tests, NULL, NULL);
}
