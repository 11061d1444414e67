/* The wall's part of a viscous sum: against a sum over ghosts in the solid, and against flows that are known. Lengths
 * are in spacings unless said. SHOW_SHEAR=1 prints the errors. */
#include "known_points.h"

#include "base/arena.h"
#include "particles/kernels.h"
#include "solids/shear.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct kernel {
    const char *name;
    real (*slope)(real q);
    double (*norm)(int dimension, double h);
} kernel;

static const kernel kernels[] = {{"cubic spline", cubic_spline_slope, cubic_spline_norm},
                                 {"Wendland", wendland_slope, wendland_norm}};

/* F = -W'/r */
static double weight(const kernel *k, int dimension, double h, double r)
{
    return r > 0 && r < h ? -k->norm(dimension, h) * (double)k->slope((real)(r / h)) / (h * r) : 0;
}

/* The acceleration of a pair along the way in question, in units of nu V, where particles differ by one along it, and
 * lie x apart along it. */
static double pair_rate(const kernel *k, int dimension, shear_form form, double h, double x, double r2)
{
    double f = weight(k, dimension, h, sqrt(r2));
    return r2 > 0 ? 2 * f * (form == SHEAR_PLAIN ? 1 : (dimension + 2) * x * x / r2) : 0;
}

/* --- one particle --- */

/* Adds up ghosts on a fine lattice, each with the velocity that the formula gives it. */
static double plain_rate(const kernel *k, int dimension, shear_form form, double h, double phi, double slip,
                         double most)
{
    enum { N = 120 };
    double cell = h / N, sum = 0;
    int layers = dimension == 3 ? N : 1;
    for (int a = 0; a < N; a++)
        for (int b = 0; b < layers; b++)
            for (double d = cell / 2; phi + d < h; d += cell) {
                double x = (a + 0.5) * cell, y = dimension == 3 ? (b + 0.5) * cell : 0, z = phi + d;
                double ratio = fmin((d - slip) / (phi + slip), most);
                double way = form == SHEAR_ACROSS ? z : x;
                sum += (1 + ratio) * pair_rate(k, dimension, form, h, way, x * x + y * y + z * z);
            }
    return sum * (dimension == 3 ? 4 * cell : 2) * cell * cell;
}

static void test_plain_twin(void **state)
{
    (void)state;
    const double h = 2.5, slips[] = {0, 0.3, 4}, mosts[] = {1.5, 30};
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int form = SHEAR_PLAIN; form <= SHEAR_ACROSS; form++)
            for (int n = 0; n < 4; n++) {
                const kernel *k = &kernels[n & 1];
                shear_table t;
                shear_table_make(&t, k->slope, h, dimension, (shear_form)form, (real)mosts[n >> 1]);
                for (double phi = 0.05; phi < h; phi += 0.31)
                    for (int l = 0; l < 3; l++) {
                        real4 wall = {0, 0, 1, (real)phi};
                        real rate;
                        shear_rates(&t, 3, (real)slips[l], 1, &wall, &rate);
                        double plain = 3 * plain_rate(k, dimension, (shear_form)form, h, phi, slips[l], mosts[n >> 1]);
                        check_close((double)rate, plain, 4e-3 * plain + 2e-4);
                    }
            }
}

/* At its ends: no slip is finite at the wall, free slip is nothing, as is a wall out of reach. Any number at once. */
static void test_ends(void **state)
{
    (void)state;
    enum { N = 37 };
    shear_table t;
    shear_table_make(&t, wendland_slope, 2e-4, 3, SHEAR_CENTRAL, SHEAR_RATIO_IMPLICIT);
    real4 wall[N];
    real rate[N + 1], one, most = shear_most_rate(&t, (real)1e-6);
    for (int k = 0; k < N; k++) wall[k] = (real4){0, 0, 1, (real)(1e-5 * (k - 4))};
    rate[N] = -7;
    shear_rates(&t, (real)1e-6, 0, N, wall, rate);
    assert_true(rate[N] == -7);
    for (int k = 0; k < N; k++) {
        shear_rates(&t, (real)1e-6, 0, 1, &wall[k], &one);
        assert_true(one == rate[k] && isfinite(one) && one <= most * (real)1.0001);
        assert_true(k <= 4 ? one > (real)0.99 * most : one <= rate[k - 1]);
        assert_true(wall[k].w < t.support ? one > 0 : one == 0);
    }
    real before = rate[5];
    for (int k = -7; k < 3; k++) { /* less and less with the slip length */
        shear_rates(&t, (real)1e-6, (real)(2e-4 * pow(10, k)), 1, &wall[5], &one);
        assert_true(one > 0 && one < before);
        before = one;
    }
    shear_rates(&t, (real)1e-6, INFINITY, N, wall, rate);
    for (int k = 0; k < N; k++) assert_true(rate[k] == 0);
}

/* --- channels: layers of a cubic lattice between two planes --- */

enum { MOST_LAYERS = 32, ACROSS = 8 };

/* The first layer lies `first` above the lower plane, the last 1 - first below the upper one: there is as much liquid
 * as there is room. */
typedef struct channel {
    const kernel *kernel;
    int dimension, layers;
    shear_form form;
    double h, first, slip, ratio;
    double velocity; /* of the upper plane, spacings/s */
    bool is_even;    /* as if the liquid ended at the wall: without shear_find_lack */
} channel;

#define SPACING 1e-3 /* m; the viscosity is SPACING^2/s, so that all is in spacings and seconds */

static solids *make_planes(const channel *c)
{
    dew_solid_def planes[2] = {dew_default_solid_def(), dew_default_solid_def()};
    int up = c->dimension - 1;
    planes[0].shape = dew_plane((dew_vec3){0, 0, 0}, vec3_along(up, 1));
    planes[1].shape = dew_plane(vec3_along(up, c->layers * SPACING), vec3_along(up, -1));
    planes[0].slip_length = planes[1].slip_length = c->slip * SPACING;
    dew_keyframe keys[2];
    memset(keys, 0, sizeof keys);
    keys[1].time = 1, keys[1].translation.x = c->velocity * SPACING;
    planes[1].motion.keyframes = keys, planes[1].motion.keyframe_count = 2;
    dew_simulation_def def = dew_default_simulation_def();
    def.dimension = c->dimension, def.spacing = SPACING, def.solids = planes, def.solid_count = 2;
    solids *s;
    check_ok(solids_create(&s, &def));
    solids_place(s, 0, 0.5);
    return s;
}

/* A periodic lattice, its particles sorted, and where each layer's first is. */
typedef struct lattice {
    particles p;
    neighbours *n;
    int slot[MOST_LAYERS];
} lattice;

static void lattice_create(lattice *l, const channel *c)
{
    int deep = c->dimension == 3 ? ACROSS : 1, count = 0;
    real4 *place = aligned_obtain((size_t)(ACROSS * ACROSS * MOST_LAYERS) * sizeof *place);
    for (int k = 0; k < c->layers; k++)
        for (int b = 0; b < deep; b++)
            for (int a = 0; a < ACROSS; a++) {
                double x = (a + 0.5) * SPACING, y = (b + 0.5) * SPACING, z = (c->first + k) * SPACING;
                place[count++] = c->dimension == 3 ? point(x, y, z) : point(x, z, 0);
            }
    dew_domain_def domain = dew_default_simulation_def().domain;
    domain.min.x = 0, domain.max.x = ACROSS * SPACING, domain.axis[0] = DEW_PERIODIC;
    if (c->dimension == 3) domain.min.y = 0, domain.max.y = ACROSS * SPACING, domain.axis[1] = DEW_PERIODIC;
    check_ok(particles_create(&l->p));
    check_ok(particles_insert(&l->p, count, place, NULL, 0));
    check_ok(neighbours_create(&l->n, c->h * SPACING, 0.1 * SPACING));
    check_ok(neighbours_build(l->n, &l->p, &domain));
    for (int i = 0; i < l->p.count; i++) {
        double z = (double)(c->dimension == 3 ? l->p.position[i].z : l->p.position[i].y) / SPACING - c->first;
        l->slot[(int)floor(z + 0.5)] = i;
    }
    aligned_release(place);
}

static void lattice_destroy(lattice *l)
{
    neighbours_destroy(l->n);
    particles_destroy(&l->p);
}

/* What a layer exchanges with one k away, 1/s. */
static double layer_rate(const channel *c, int k)
{
    int reach = (int)c->h + 1, deep = c->dimension == 3 ? reach : 0;
    double sum = 0;
    for (int a = -reach; a <= reach; a++)
        for (int b = -deep; b <= deep; b++)
            sum += pair_rate(c->kernel, c->dimension, c->form, c->h, a, a * a + b * b + k * k);
    return sum;
}

/* The viscosity that the lattice's own sum has: 1 but for what it differs from an integral. */
static double lattice_viscosity(const channel *c)
{
    double sum = 0;
    for (int k = 1; k < c->h; k++) sum += layer_rate(c, k) * k * k;
    return sum;
}

static void solve(int n, double a[][MOST_LAYERS], double *b)
{
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            double f = a[i][k] / a[k][k];
            for (int j = k; j < n; j++) a[i][j] -= f * a[k][j];
            b[i] -= f * b[k];
        }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) b[k] -= a[k][j] * b[j];
        b[k] /= a[k][k];
    }
}

typedef struct push_work {
    const shear *s;
    const real4 *position, *velocity;
} push_work;

static void push(int begin, int end, void *context, solid_pushes *to)
{
    const push_work *w = context;
    shear_push_solids(w->s, begin, end, w->position, w->velocity, 1, to);
}

/* The velocities of layers with which all forces balance, the body's being `force` spacings/s2, in spacings/s; and that
 * the planes get all that it gives. */
static void flow_in(const channel *c, double force, double *v)
{
    static double a[MOST_LAYERS][MOST_LAYERS];
    int n = c->layers;
    lattice l;
    lattice_create(&l, c);
    shear_table t;
    shear_table_make(&t, c->kernel->slope, c->h * SPACING, c->dimension, c->form, (real)c->ratio);
    solids *planes = make_planes(c);
    size_t slots = (size_t)l.p.end + 8;
    real4 *wall = aligned_obtain(slots * sizeof *wall);
    wall_shear *found = aligned_obtain(slots * sizeof *found);
    real *lack = aligned_obtain(slots * sizeof *lack);
    int32_t *nearest = calloc(slots, sizeof *nearest);
    solids_nearest(planes, (double)t.support, l.p.ghost_begin, l.p.position, wall, nearest);
    double volume = c->dimension == 3 ? SPACING * SPACING * SPACING : SPACING * SPACING;
    shear_find_lack(&t, neighbours_lists(l.n), 0, PAIR_BLOCKS(l.p.count), l.p.position, wall, (real)volume, SPACING,
                    lack);
    shear s = {.table = &t, .solids = planes, .nu = SPACING * SPACING};
    if (!c->is_even) s.lack = lack, s.nearest = nearest;
    shear_find(&s, 0, l.p.count, l.p.position, found);
    memset(a, 0, sizeof a);
    for (int i = 0; i < n; i++) {
        const wall_shear *w = &found[l.slot[i]];
        v[i] = force + (double)w->push.x / SPACING;
        a[i][i] += (double)w->diagonal.x;
        for (int j = 0; j < n; j++) {
            double rate = i != j ? layer_rate(c, abs(i - j)) : 0;
            a[i][i] += rate, a[i][j] -= rate;
        }
    }
    solve(n, a, v);
    for (int i = 0; i < l.p.count; i++) {
        double z = (double)(c->dimension == 3 ? l.p.position[i].z : l.p.position[i].y) / SPACING - c->first;
        l.p.velocity[i] = point(v[(int)floor(z + 0.5)] * SPACING, 0, 0);
    }
    push_work work = {&s, l.p.position, l.p.velocity};
    solids_each(planes, l.p.count, push, &work);
    double got = 0, size = 0;
    for (int k = 0; k < 2; k++) {
        double one = solids_impulse(planes, k, (dew_vec3){0, 0, 0}).step.linear.x;
        got += one, size += fabs(one);
    }
    check_close(got, force * SPACING * l.p.count, 2e-5 * size);
    free(nearest);
    aligned_release(wall), aligned_release(found), aligned_release(lack);
    solids_destroy(planes);
    lattice_destroy(&l);
}

/* Against the flow that body forces drive where the particles are, y_k: u = tau (y + l) - sum over y_k < y of (y -
 * y_k). That is Poiseuille's parabola to second order where the walls hold. */
static double exact_velocity(const channel *c, double y)
{
    double w = c->layers, tau = 0, below = 0;
    for (int k = 0; k < c->layers; k++) {
        double at = c->first + k;
        tau += (w + c->slip - at) / (w + 2 * c->slip);
        if (at < y) below += y - at;
    }
    return tau * (y + c->slip) - below;
}

typedef struct channel_errors {
    double loads, parabola; /* largest, over the greatest velocity */
} channel_errors;

static channel_errors poiseuille(const channel *c)
{
    double v[MOST_LAYERS], w = c->layers, greatest = w * w / 8 + c->slip * w / 2;
    channel_errors e = {0, 0};
    flow_in(c, lattice_viscosity(c), v);
    for (int k = 0; k < c->layers; k++) {
        double y = c->first + k, parabola = y * (w - y) / 2 + c->slip * w / 2;
        e.loads = fmax(e.loads, fabs(v[k] - exact_velocity(c, y)) / greatest);
        e.parabola = fmax(e.parabola, fabs(v[k] - parabola) / greatest);
    }
    return e;
}

/* Errors at 8, 16 and 32 layers. */
static void converge(channel c, double slip_of_width, double *loads, double *parabola)
{
    for (int m = 0; m < 3; m++) {
        c.layers = 8 << m, c.slip = slip_of_width * c.layers;
        channel_errors e = poiseuille(&c);
        loads[m] = e.loads, parabola[m] = e.parabola;
    }
}

/* Wherever layers lie, errors fall with the square of the spacing where walls know what layers lack; where they do not,
 * or ghosts are bounded, by the first power or, for a wall that slips, not at all. */
static void test_poiseuille(void **state)
{
    (void)state;
    for (int n = 0; n < 8; n++)
        for (int f = 1; f < 10; f += 2) {
            channel c = {.kernel = &kernels[n & 1],
                         .dimension = 2 + (n >> 2),
                         .form = n & 2 ? SHEAR_CENTRAL : SHEAR_PLAIN,
                         .h = 3,
                         .first = 0.1 * f,
                         .ratio = SHEAR_RATIO_IMPLICIT};
            double loads[3], parabola[3];
            for (int slips = 0; slips < 2; slips++) {
                converge(c, slips ? 0.125 : 0, loads, parabola);
                assert_true(loads[0] < 0.015 && loads[2] < 0.0011);
                assert_true(loads[1] < 0.3 * loads[0] || loads[1] < 0.002);
                assert_true(loads[2] < 0.3 * loads[1] || loads[2] < 0.0005);
                assert_true(slips || (parabola[0] < 0.03 && parabola[2] < 0.3 * parabola[1] + 2e-4));
            }
            if (n != 4 && n != 5) continue;
            channel even = c, bounded = c;
            even.is_even = true, bounded.ratio = SHEAR_RATIO_EXPLICIT;
            converge(even, 0, loads, parabola);
            assert_true(f == 5 ? loads[0] < 0.02 && loads[2] < 0.004 : loads[2] > 0.02 && loads[2] < 0.1);
            converge(even, 0.125, loads, parabola);
            assert_true(f == 5 ? loads[0] < 0.02 && loads[2] < 0.006 : loads[2] > 0.07 && loads[2] < 0.21);
            converge(bounded, 0, loads, parabola);
            assert_true(loads[2] < 0.03 && loads[1] < 0.6 * loads[0] && loads[2] < 0.6 * loads[1]);
        }
}

/* Between a plane that moves and one that rests the profile is straight: exact but for what
 * bounds and tables take off. */
static void test_couette(void **state)
{
    (void)state;
    for (int n = 0; n < 8; n++)
        for (int f = 1; f < 10; f += 2)
            for (int slips = 0; slips < 2; slips++) {
                channel c = {.kernel = &kernels[n & 1],
                             .dimension = 2 + (n >> 2),
                             .form = n & 2 ? SHEAR_CENTRAL : SHEAR_PLAIN,
                             .layers = 11,
                             .h = 3,
                             .first = 0.1 * f,
                             .slip = slips * 0.7,
                             .ratio = SHEAR_RATIO_IMPLICIT,
                             .velocity = 0.3};
                double v[MOST_LAYERS];
                flow_in(&c, 0, v);
                for (int k = 0; k < c.layers; k++)
                    check_close(v[k], 0.3 * (c.first + k + c.slip) / (c.layers + 2 * c.slip), 5e-4 * 0.3);
            }
}

/* --- clouds --- */

enum { CLOUD = 3000 };

/* A floor that holds, a wall that moves and slips a little, a ball that turns and holds. */
static solids *make_corner(void)
{
    dew_solid_def all[4];
    for (int k = 0; k < 4; k++) all[k] = dew_default_solid_def(), all[k].slip_length = 0;
    all[0].shape = dew_plane((dew_vec3){0, 0, 0}, (dew_vec3){0, 0, 1});
    all[1].shape = dew_plane((dew_vec3){0, 0, 0}, (dew_vec3){0.6, 0.8, 0}), all[1].slip_length = 0.4;
    all[2].shape = dew_sphere((dew_vec3){4, 2, 1}, 1);
    all[3].shape = dew_plane((dew_vec3){0, 0, 6}, (dew_vec3){0, 0, -1}), all[3].slip_length = INFINITY;
    dew_keyframe keys[2][2];
    memset(keys, 0, sizeof keys);
    keys[0][1].time = keys[1][1].time = 1;
    keys[0][1].translation = (dew_vec3){0.3, -0.2, 0.5}, keys[1][1].rotation = (dew_vec3){0.2, 0.4, -0.1};
    for (int k = 0; k < 2; k++) all[1 + k].motion.keyframes = keys[k], all[1 + k].motion.keyframe_count = 2;
    dew_simulation_def def = dew_default_simulation_def();
    def.dimension = 3, def.spacing = 0.5, def.solids = all, def.solid_count = 4;
    solids *s;
    check_ok(solids_create(&s, &def));
    solids_place(s, 0, 1e-3);
    return s;
}

static void fill_cloud(real4 *x, real4 *v)
{
    unsigned seed = 5;
    for (int i = 0; i < CLOUD; i++) {
        x[i] = point(6 * chance(&seed), 4 * chance(&seed), 6 * chance(&seed));
        v[i] = point(2 * chance(&seed) - 1, 2 * chance(&seed) - 1, 2 * chance(&seed) - 1);
    }
}

/* Each solid takes of a particle's motion against its own; what comes of all of them is the sum; what one alone does
 * is along it. */
static void test_dissipation(void **state)
{
    (void)state;
    solids *corner = make_corner();
    shear_table t;
    shear_table_make(&t, wendland_slope, 1.5, 3, SHEAR_CENTRAL, SHEAR_RATIO_IMPLICIT);
    shear s = {.table = &t, .solids = corner, .nu = (real)0.02};
    real4 *x = aligned_obtain(CLOUD * sizeof *x), *v = aligned_obtain(CLOUD * sizeof *v);
    wall_shear *found = aligned_obtain(CLOUD * sizeof *found);
    fill_cloud(x, v);
    shear_find(&s, 0, 1001, x, found), shear_find(&s, 1001, CLOUD, x, found); /* any range */
    int held = 0, by_many = 0;
    for (int i = 0; i < CLOUD; i++) {
        double sum[3] = {0}, most = 0, power = 0;
        int near = 0;
        for (int k = 0; k < 4; k++) {
            real4 wall;
            real rate;
            solids_distance(corner, k, 1.5, 1, &x[i], &wall);
            shear_rates(&t, s.nu, (real)solids_info(corner, k, 0).slip_length, 1, &wall, &rate);
            assert_true(rate >= 0 && (k < 3 || rate == 0));
            real3 slip = real3_sub(real3_of(v[i]), solids_velocity(corner, k, real3_of(x[i])));
            real3 f = real3_scale(-rate, real3_across(slip, real3_of(wall)));
            assert_true(real3_dot(f, slip) <= 0);
            sum[0] += (double)f.x, sum[1] += (double)f.y, sum[2] += (double)f.z;
            most += (double)rate, near += rate > 0;
        }
        held += near > 0, by_many += near > 1;
        real3 a = wall_shear_acceleration(&found[i], real3_of(v[i])), hold = wall_shear_hold(&found[i], real3_of(v[i]));
        check_close((double)a.x, sum[0], 1e-5 * most), check_close((double)a.y, sum[1], 1e-5 * most);
        check_close((double)a.z, sum[2], 1e-5 * most), check_close((double)found[i].diagonal.w, most, 1e-5 * most);
        power = (double)real3_dot(hold, real3_of(v[i]));
        double square = (double)real3_dot(real3_of(v[i]), real3_of(v[i]));
        assert_true(power >= -1e-6 * most && power <= most * square * (1 + 1e-5));
    }
    assert_true(held > 500 && by_many > 100);
    /* Next to a contact line all slip, if only so far; those who slip more do as before. */
    real *least = aligned_obtain(CLOUD * sizeof *least);
    wall_shear *eased = aligned_obtain(CLOUD * sizeof *eased);
    for (int i = 0; i < CLOUD; i++) least[i] = i & 1 ? (real)0.3 : 0;
    s.least_slip = least;
    shear_find(&s, 0, CLOUD, x, eased);
    for (int i = 0; i < CLOUD; i++) {
        assert_true(eased[i].diagonal.w <= found[i].diagonal.w);
        assert_true(i & 1 || memcmp(&eased[i], &found[i], sizeof *eased) == 0);
    }
    aligned_release(least), aligned_release(eased);
    aligned_release(x), aligned_release(v), aligned_release(found);
    solids_destroy(corner);
}

static double moment_at(const shear_table *t, double u)
{
    double x = fmin(fmax(u, 0), 1) * SHEAR_STEPS;
    int k = (int)x;
    return (double)t->through[k] + (x - k) * (double)(t->through[k + 1] - t->through[k]);
}

/* What is above and below, by a double loop. */
static void test_lack(void **state)
{
    (void)state;
    solids *corner = make_corner();
    shear_table t;
    shear_table_make(&t, cubic_spline_slope, 1.5, 3, SHEAR_CENTRAL, SHEAR_RATIO_IMPLICIT);
    real4 *x = aligned_obtain(CLOUD * sizeof *x), *v = aligned_obtain(CLOUD * sizeof *v);
    fill_cloud(x, v);
    particles p;
    neighbours *n;
    check_ok(particles_create(&p));
    check_ok(particles_insert(&p, CLOUD, x, v, 0));
    check_ok(neighbours_create(&n, 1.5, 0.1));
    check_ok(neighbours_build(n, &p, NULL));
    static int32_t which[CLOUD + 4];
    static real lack[CLOUD + 16];
    real4 *wall = aligned_obtain((CLOUD + 4) * sizeof *wall);
    real volume = 6 * 4 * 6 / (real)CLOUD, spacing = cbrt(volume);
    solids_nearest(corner, 1.5, p.ghost_begin, p.position, wall, which);
    shear_find_lack(&t, neighbours_lists(n), 0, PAIR_BLOCKS(CLOUD), p.position, wall, volume, spacing, lack);
    int checked = 0;
    for (int i = 0; i < CLOUD; i++) {
        if (wall[i].w >= (real)1.5) assert_true(lack[i] == 1);
        assert_true(lack[i] >= 0 && isfinite(lack[i]));
        if (wall[i].w > (real)0.9 || wall[i].w < 0) continue;
        double above = 0, below = 0, u = (double)wall[i].w / 1.5, half = (double)spacing / 3;
        for (int j = 0; j < CLOUD; j++) {
            real3 d = real3_sub(real3_of(p.position[j]), real3_of(p.position[i]));
            double r = (double)real3_length(d), up = (double)real3_dot(d, real3_of(wall[i]));
            double f = r > 0 ? weight(&kernels[0], 3, 1.5, r) * 2.5 * (1 - up * up / (r * r)) * (double)volume : 0;
            above += f * fmax(up, 0), below += f * fmax(-up, 0);
        }
        double a[4] = {0, 0, 0, moment_at(&t, 0)};
        for (int k = 0; k < 3; k++) a[k] = moment_at(&t, u + (k - 1) * half);
        above *= 1.5, below *= 1.5;                               /* over the support, as tables are */
        if (above < 0.61 * a[3] || above > 1.59 * a[3]) continue; /* all else is bounded */
        double expected = fmin(fmax(above - below, 0.6 * a[2]), 1.6 * a[0]) / a[1];
        check_close((double)lack[i], expected, 1e-3 * expected);
        checked++;
    }
    assert_true(checked > 200);
    aligned_release(x), aligned_release(v), aligned_release(wall);
    neighbours_destroy(n);
    particles_destroy(&p);
    solids_destroy(corner);
}

int main(void)
{
    const struct CMUnitTest all[] = {cmocka_unit_test(test_plain_twin),  cmocka_unit_test(test_ends),
                                     cmocka_unit_test(test_poiseuille),  cmocka_unit_test(test_couette),
                                     cmocka_unit_test(test_dissipation), cmocka_unit_test(test_lack)};
    return cmocka_run_group_tests(all, NULL, NULL);
}
