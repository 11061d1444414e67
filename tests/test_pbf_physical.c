/* The parts of pbf's physical mode, each against a plain twin: integrals, all pairs in double, numerical gradients. */
#include "particles/kernels.h"
#include "pbf_inside.h"
#include "surface/tension.h"

/* --- fractions of the kernel --- */

enum { NODES = 80 };

/* The kernel beyond x >= u and c x + sin y >= v, by midpoints in intervals that end at the planes. */
static double integrate_wedge(double u, double v, double c)
{
    double sine = sqrt(fmax(1 - c * c, 0)), sum = 0;
    u = fmax(u, -1);
    for (int a = 0; a < NODES; a++) {
        double x = u + (1 - u) * (a + 0.5) / NODES, half = sqrt(1 - x * x), low = -half;
        if (sine > 1e-9)
            low = fmax(low, (v - c * x) / sine);
        else if (c * x < v)
            continue;
        if (low >= half) continue;
        for (int b = 0; b < NODES; b++) {
            double y = low + (half - low) * (b + 0.5) / NODES, top = sqrt(fmax(1 - x * x - y * y, 0));
            for (int n = 0; n < NODES / 2; n++) {
                double z = top * (n + 0.5) / (NODES / 2);
                sum += (1 - u) * (half - low) * 2 * top * (double)cubic_spline((real)sqrt(x * x + y * y + z * z));
            }
        }
    }
    return sum / NODES / NODES / (NODES / 2) * cubic_spline_norm(3, 1);
}

static void test_fraction(void **state)
{
    (void)state;
    fractions *f = fractions_create();
    for (double u = -0.95; u < 1; u += 0.19) {
        double whole = integrate_wedge(u, -2, 1);
        check_close((double)fraction_beyond(f, (real)u), whole, 3e-4, "fraction beyond a plane");
        check_close((double)(fraction_beyond(f, (real)u) + fraction_beyond(f, (real)-u)), 1, 2e-6,
                    "both sides of a plane");
        double step = 0.01, slope = integrate_wedge(u - step, -2, 1) - integrate_wedge(u + step, -2, 1);
        check_close((double)fraction_slope_beyond(f, (real)u), slope / (2 * step), 5e-3, "slope");
    }
    assert_true(fraction_beyond(f, 1) == 0 && fraction_beyond(f, 5) == 0);
    assert_true(fraction_beyond(f, -1) == 1 && fraction_beyond(f, -5) == 1);
    check_close((double)fraction_beyond(f, 0), 0.5, 1e-6, "half");
    check_close((double)fraction_slope_beyond(f, 1), 0, 1e-6, "slope at the edge");
    fractions_destroy(f);
}

static void test_wedge(void **state)
{
    (void)state;
    fractions *f = fractions_create();
    static const double places[] = {-0.83, -0.31, 0.05, 0.33, 0.71}, cosines[] = {-0.97, -0.6, 0.02, 0.55, 0.93};
    double worst = 0;
    for (int a = 0; a < 5; a++)
        for (int b = a; b < 5; b++)
            for (int c = 0; c < 5; c++) {
                double u = places[a], v = places[b], whole = integrate_wedge(u, v, cosines[c]);
                double one = (double)fraction_beyond_two(f, (real)u, (real)v, (real)cosines[c]);
                double other = (double)fraction_beyond_two(f, (real)v, (real)u, (real)cosines[c]);
                worst = fmax(worst, fmax(fabs(one - whole), fabs(other - whole)));
            }
    check_below(worst, 0.012, "wedge");
    for (double u = -0.9; u < 1; u += 0.2) {
        real r = (real)u;
        check_close((double)fraction_beyond_two(f, r, -1, (real)0.3), (double)fraction_beyond(f, r), 4e-3,
                    "one plane far");
        check_close((double)fraction_beyond_two(f, r, 1, (real)0.3), 0, 2e-3, "nothing beyond the other");
        check_close((double)fraction_beyond_two(f, r, r, 1), (double)fraction_beyond(f, r), 0.012,
                    "twice the same plane");
        check_close((double)fraction_beyond_two(f, r, -r, -1), 0, 0.02, "back to back");
        /* Planes through the centre: the share of the full angle. */
        check_close((double)fraction_beyond_two(f, 0, 0, r), (PI - acos(u)) / (2 * PI), 0.01, "angle");
    }
    fractions_destroy(f);
}

/* --- all pairs --- */

/* Normalises the kernel so that a lattice has density 1. */
static double kernel_norm(void)
{
    double sum = 0;
    for (int x = -3; x <= 3; x++)
        for (int y = -3; y <= 3; y++)
            for (int z = -3; z <= 3; z++) sum += (double)cubic_spline((real)(sqrt(x * x + y * y + z * z) / 3));
    return 1 / sum;
}

/* kernel W'(q) along the way from j to i: the gradient of i's density by pair (i, j), in 1/h. */
static bool pair_gradient(double kernel, const double *i, const double *j, double *g)
{
    double q = from_to(j, i, g);
    if (q >= 1 || q <= 0) return false;
    double f = kernel * (double)cubic_spline_slope((real)q) / (q * 3 * SPACING);
    for (int k = 0; k < 3; k++) g[k] *= f;
    return true;
}

static double *densities(const place *x, int count)
{
    double *rho = calloc((size_t)count, sizeof *rho), kernel = kernel_norm(), d[3];
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) rho[i] += kernel * (double)cubic_spline((real)from_to(x[i], x[j], d));
    return rho;
}

/* --- skin --- */

static void test_skin_against_all_pairs(void **state)
{
    (void)state;
    dew_simulation *s = relaxed_ball(2);
    physical k = open_up(s, 1);
    int count = k.count;
    double kernel = kernel_norm(), *volume = calloc((size_t)count, sizeof *volume);
    for (int i = 0; i < count; i++) volume[i] = 1 / (double)k.a.density[i];
    check_ok(pbf_find_surface(k.p, k.w, true));
    place *x = places_of(k.a.x, count);
    double *rho = densities(x, count), worst_density = 0, worst_size = 0, worst_normal = 0;
    for (int i = 0; i < count; i++) {
        double sum[3] = {0, 0, 0}, g[3];
        for (int j = 0; j < count; j++)
            if (pair_gradient(kernel, x[i], x[j], g))
                for (int a = 0; a < 3; a++) sum[a] += volume[j] * g[a];
        double size = length_of(sum);
        real4 n = k.a.normal[i];
        worst_density = fmax(worst_density, fabs((double)k.a.density[i] - rho[i]));
        worst_size = fmax(worst_size, fabs((double)n.w - size));
        if (size < 0.1) continue;
        double along = -(sum[0] * (double)n.x + sum[1] * (double)n.y + sum[2] * (double)n.z) / size;
        worst_normal = fmax(worst_normal, 1 - along);
    }
    check_below(worst_density, 3 * ROUNDING, "density against all pairs");
    check_below(worst_size, 20 * ROUNDING, "gradient against all pairs");
    check_below(worst_normal, 20 * ROUNDING, "normal against all pairs");
    free(x), free(rho), free(volume);
    dew_simulation_destroy(s);
}

static void test_surface_is_the_outermost_layer(void **state)
{
    (void)state;
    dew_simulation *s = relaxed_ball(10);
    physical k = open_up(s, 1);
    check_ok(pbf_find_surface(k.p, k.w, true));
    double centre[8], worst_angle = 0, mean_radius = 0;
    check_ok(dew_simulation_measure(s, "centre_of_mass", centre));
    place *x = places_of(k.a.x, k.count);
    for (int i = 0; i < k.count; i++) {
        double d[3], r = from_to(centre, x[i], d) * 3 * SPACING;
        real4 n = k.a.normal[i];
        /* Particles of the outermost layer lie s/2 under the surface, those of the next a layer deeper. */
        if (r > 5.35 * SPACING) assert_true(k.a.is_surface[i]);
        if (r < 5.3 * SPACING) assert_false(k.a.is_surface[i]);
        if (!k.a.is_surface[i]) continue;
        mean_radius += r;
        double along = (d[0] * (double)n.x + d[1] * (double)n.y + d[2] * (double)n.z) / r;
        worst_angle = fmax(worst_angle, acos(fmin(along, 1)) * 180 / PI);
    }
    check_close(mean_radius / k.p->surface_count, 5.5 * SPACING, 0.1 * SPACING, "surface particles' depth");
    check_below(worst_angle, 5, "normals off radial, degrees");
    /* Closed rings throughout; in a triangulation of the sphere they have 6 - 12/V members, of which some disagree. */
    const rings *r = &k.p->rings;
    for (int n = 0; n < r->count; n++) assert_int_equal(r->gaps[n], 0);
    check_close((double)r->begin[r->count] / r->count, 6 - 12.0 / r->count, 0.06, "members of a ring");
    free(x);
    dew_simulation_destroy(s);
}

/* --- tension --- */

/* A ring's area with the particles at p. */
static double ring_area(const rings *r, int ring, const place *p)
{
    const double *c = p[r->list[ring]];
    double area = 0;
    for (int m = r->begin[ring]; m < r->begin[ring + 1]; m++) {
        if (!r->has_triangle[m]) continue;
        const double *a = p[r->member[m]], *b = p[r->member[m + 1 < r->begin[ring + 1] ? m + 1 : r->begin[ring]]];
        double u[3], v[3];
        for (int k = 0; k < 3; k++) u[k] = a[k] - c[k], v[k] = b[k] - c[k];
        double w[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
        area += length_of(w) / 2;
    }
    return area;
}

/* d area/d p[slot] by central differences. */
static void area_gradient(const rings *r, int ring, place *p, int slot, double *g)
{
    double step = 1e-4 * SPACING;
    for (int k = 0; k < 3; k++) {
        double at = p[slot][k];
        p[slot][k] = at + step;
        double more = ring_area(r, ring, p);
        p[slot][k] = at - step;
        g[k] = (more - ring_area(r, ring, p)) / (2 * step);
        p[slot][k] = at;
    }
}

static double dot(const double *a, real4 b) { return a[0] * (double)b.x + a[1] * (double)b.y + a[2] * (double)b.z; }

/* -gamma sum over rings of (1 + H s/2) grad(area)/3 at the lifted places. */
static void plain_pulls(const physical *k, place *lifted, place *force)
{
    const rings *r = &k->p->rings;
    for (int n = 0; n < r->count; n++) {
        int i = r->list[n];
        double g[3], factor = 1;
        area_gradient(r, n, lifted, i, g);
        if (!r->gaps[n]) {
            double curvature = 1.5 * dot(g, k->a.normal[i]) / ring_area(r, n, lifted);
            factor += fmin(fmax(curvature * SPACING / 2, -0.3), 0.3);
        }
        for (int a = 0; a < 3; a++) force[i][a] -= TENSION / 3 * factor * g[a];
        for (int m = r->begin[n]; m < r->begin[n + 1]; m++) {
            area_gradient(r, n, lifted, r->member[m], g);
            for (int a = 0; a < 3; a++) force[r->member[m]][a] -= TENSION / 3 * factor * g[a];
        }
    }
}

/* Closed rings hand the tangential part on to their members. */
static void plain_handing_on(const physical *k, place *force)
{
    const rings *r = &k->p->rings;
    place *old = calloc((size_t)k->count, sizeof *old);
    memcpy(old, force, (size_t)k->count * sizeof *old);
    for (int n = 0; n < r->count; n++) {
        int i = r->list[n], size = r->begin[n + 1] - r->begin[n];
        if (r->gaps[n]) continue;
        real4 normal = k->a.normal[i];
        double along = dot(old[i], normal),
               part[3] = {old[i][0] - along * (double)normal.x, old[i][1] - along * (double)normal.y,
                          old[i][2] - along * (double)normal.z};
        for (int a = 0; a < 3; a++) {
            force[i][a] -= part[a];
            for (int m = r->begin[n]; m < r->begin[n + 1]; m++) force[r->member[m]][a] += part[a] / size;
        }
    }
    free(old);
}

/* A ball with a rough skin. */
static physical rough_ball(dew_simulation *s)
{
    uint32_t seed = 3;
    for (int i = 0; i < s->particles.count; i++) {
        real4 *x = &s->particles.position[i];
        x->x += (real)(0.2 * SPACING * noise(&seed)), x->y += (real)(0.2 * SPACING * noise(&seed));
        x->z = (real)((double)x->z * 1.1 + 0.2 * SPACING * noise(&seed));
    }
    physical k = open_up(s, 1);
    check_ok(pbf_find_surface(k.p, k.w, true));
    check_ok(pbf_tension_force(&k, (real)TENSION));
    return k;
}

static void test_tension_is_the_gradient_of_area(void **state)
{
    (void)state;
    dew_simulation *s = relaxed_ball(0.2);
    physical k = rough_ball(s);
    place *lifted = places_of(k.a.x, k.count), *force = calloc((size_t)k.count, sizeof *force);
    for (int i = 0; i < k.count; i++) {
        lifted[i][0] += SPACING / 2 * (double)k.a.normal[i].x;
        lifted[i][1] += SPACING / 2 * (double)k.a.normal[i].y;
        lifted[i][2] += SPACING / 2 * (double)k.a.normal[i].z;
    }
    plain_pulls(&k, lifted, force);
    for (int round = 0; round < 2; round++) plain_handing_on(&k, force);
    double largest = 0, worst = 0, sum[3] = {0, 0, 0};
    for (int i = 0; i < k.count; i++) {
        double f[3] = {(double)k.force[i].x, (double)k.force[i].y, (double)k.force[i].z};
        largest = fmax(largest, length_of(force[i]));
        for (int a = 0; a < 3; a++) sum[a] += f[a], f[a] -= force[i][a];
        worst = fmax(worst, length_of(f));
    }
    assert_true(largest > 0.3 * TENSION * SPACING);
    check_below(worst / largest, 1e-4, "tension against the numerical gradient");
    check_below(length_of(sum) / largest, k.p->surface_count * ROUNDING / 10, "sum of tension's forces");
    free(lifted), free(force);
    dew_simulation_destroy(s);
}

/* Weight of the particle at x in the point half a spacing above y along n. */
static double plain_weight(const double *x, const double *y, real4 n)
{
    double up[3] = {(double)n.x, (double)n.y, (double)n.z}, point[3], d[3], along = 0;
    for (int a = 0; a < 3; a++) point[a] = y[a] + SPACING / 2 * up[a], along += (x[a] - point[a]) * up[a];
    if (from_to(y, x, d) >= 1) return 0;
    double q = from_to(point, x, d), near = fmax(1 - q, 0), half = fmax(1 - 2 * q, 0);
    return (2 * pow(near, 3) - pow(half, 3)) * fmin(fmax(0.5 - along / SPACING, 0), 1);
}

static void spread(physical *k)
{
    spread_params by = {.support = k->p->h, .spacing = k->p->s, .share = k->p->shift};
    check_ok(
        surface_spread_force(&by, k->lists, k->w->particles, k->a.normal, k->a.is_surface, k->w->scratch, k->force));
}

static void test_spread_against_all_pairs(void **state)
{
    (void)state;
    dew_simulation *s = relaxed_ball(0.2);
    physical k = rough_ball(s);
    size_t count = (size_t)k.count;
    place *x = places_of(k.a.x, k.count), *before = places_of(k.force, k.count), *force = calloc(count, sizeof *force);
    for (int i = 0; i < k.count; i++) {
        double all = 0;
        if (!k.a.is_surface[i]) continue;
        for (int j = 0; j < k.count; j++) all += plain_weight(x[j], x[i], k.a.normal[i]);
        for (int j = 0; j < k.count; j++)
            for (int a = 0; a < 3; a++) force[j][a] += before[i][a] * plain_weight(x[j], x[i], k.a.normal[i]) / all;
    }
    spread(&k);
    place *after = places_of(k.force, k.count);
    double worst = 0, largest = 0, sum[3] = {0, 0, 0}, d[3];
    for (int i = 0; i < k.count; i++) {
        worst = fmax(worst, from_to(force[i], after[i], d)), largest = fmax(largest, length_of(force[i]));
        for (int a = 0; a < 3; a++) sum[a] += after[i][a] - before[i][a];
    }
    check_below(worst * 3 * SPACING / largest, 1e-4, "spread force against all pairs");
    check_below(length_of(sum) / largest, k.count * ROUNDING / 10, "sum of forces, changed");
    free(x), free(before), free(force), free(after);
    dew_simulation_destroy(s);
}

/* What no single pressure balances of the forces, over them: sum |f - c S|^2/sum |f|^2 at the best c. */
static double unbalanced(const physical *k, const place *pressure)
{
    double ff = 0, fs = 0, ss = 0;
    for (int i = 0; i < k->count; i++) {
        double f[3] = {(double)k->force[i].x, (double)k->force[i].y, (double)k->force[i].z};
        for (int a = 0; a < 3; a++)
            ff += f[a] * f[a], fs += f[a] * pressure[i][a], ss += pressure[i][a] * pressure[i][a];
    }
    return sqrt(fmax(1 - fs * fs / (ff * ss), 0));
}

static void test_one_pressure_balances_the_tension_of_a_ball(void **state)
{
    (void)state;
    dew_simulation *s = relaxed_ball(1);
    physical k = open_up(s, 1);
    place *x = places_of(k.a.x, k.count), *pressure = calloc((size_t)k.count, sizeof *pressure);
    double g[3], kernel = kernel_norm();
    for (int i = 0; i < k.count; i++)
        for (int j = 0; j < k.count; j++)
            if (pair_gradient(kernel, x[i], x[j], g))
                for (int a = 0; a < 3; a++) pressure[i][a] += g[a];
    check_ok(pbf_find_surface(k.p, k.w, true));
    check_ok(pbf_tension_force(&k, (real)TENSION));
    assert_true(unbalanced(&k, pressure) > 0.2);
    spread(&k);
    check_below(unbalanced(&k, pressure), 0.1, "tension that one pressure does not balance");
    free(x), free(pressure);
    dew_simulation_destroy(s);
}

/* Forces by id. */
static place *forces_of_shifted(double shift)
{
    setup u;
    begin(&u, dew_sphere((dew_vec3){0, 0, 0}, 5 * SPACING));
    u.def.domain.axis[0] = DEW_PERIODIC, u.def.domain.axis[1] = DEW_PERIODIC;
    u.def.domain.min = (dew_vec3){-0.25, -0.25, 0}, u.def.domain.max = (dew_vec3){0.25, 0.25, 0};
    dew_simulation *s = create(&u);
    for (int i = 0; i < s->particles.count; i++) {
        real4 *x = &s->particles.position[i];
        x->x *= (real)1.1, x->z *= (real)0.95; /* no ball */
        x->x += (real)shift, x->y += (real)shift;
    }
    physical k = open_up(s, 1);
    assert_true((shift > 0) == (s->particles.end > s->particles.ghost_begin));
    check_ok(pbf_find_surface(k.p, k.w, true));
    check_ok(pbf_tension_force(&k, (real)TENSION));
    place *force = calloc((size_t)k.count + 1, sizeof *force);
    for (int i = 0; i < k.count; i++) {
        double *f = force[s->particles.id[i] + 1];
        f[0] = (double)k.force[i].x, f[1] = (double)k.force[i].y, f[2] = (double)k.force[i].z;
    }
    force[0][0] = k.count;
    dew_simulation_destroy(s);
    return force;
}

static void test_tension_across_periodic_faces(void **state)
{
    (void)state;
    place *middle = forces_of_shifted(0), *edge = forces_of_shifted(0.25);
    assert_true(middle[0][0] == edge[0][0]);
    double worst = 0, largest = 0;
    for (int i = 1; i <= (int)middle[0][0]; i++) {
        double d[3];
        worst = fmax(worst, from_to(middle[i], edge[i], d) * 3 * SPACING);
        largest = fmax(largest, length_of(middle[i]));
    }
    assert_true(largest > 0.1 * TENSION * SPACING);
    check_below(worst / largest, 1e-3, "tension across faces against one in the middle");
    free(middle), free(edge);
}

/* --- pressure --- */

/* A ball that is about to contract and is stirred. All is as full as it may be. */
static physical contracting_ball(dew_simulation *s, double contraction, double stir)
{
    double dt = 0.01;
    physical k = open_up(s, dt);
    pbf_sum_constraint(k.p, k.w, k.own, k.inv_norm);
    uint32_t seed = 5;
    for (int i = 0; i < k.count; i++) {
        real4 x = k.a.x[i];
        double size = stir * SPACING, c = -contraction;
        k.a.move[i] =
            (real4){(real)(c * (double)x.x + size * noise(&seed)), (real)(c * (double)x.y + size * noise(&seed)),
                    (real)(c * (double)x.z + size * noise(&seed)), 0};
        k.a.lambda[i] = 0, k.fullness[i] = k.a.density[i] = k.own[i].w;
    }
    k.p->saved_dt = dt;
    return k;
}

/* By all pairs: how rho/rho0 changes with the ways, and the ways that multipliers make. */
static void plain_change(int count, const place *x, const place *way, double *change)
{
    double kernel = kernel_norm(), g[3];
    for (int i = 0; i < count; i++) {
        change[i] = 0;
        for (int j = 0; j < count; j++)
            if (pair_gradient(kernel, x[i], x[j], g))
                for (int a = 0; a < 3; a++) change[i] += g[a] * (way[i][a] - way[j][a]) / (3 * SPACING);
    }
}

static void plain_way(int count, const place *x, const real *lambda, place *way)
{
    double kernel = kernel_norm(), g[3];
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            if (pair_gradient(kernel, x[i], x[j], g))
                for (int a = 0; a < 3; a++) way[i][a] -= (double)(lambda[i] + lambda[j]) * g[a] * 3 * SPACING;
}

/* Root mean square over those whose density is to stay: inside, and who presses. */
static double kept(const physical *k, const double *change)
{
    double sum = 0;
    for (int i = 0; i < k->count; i++)
        if (!k->a.is_surface[i] || k->a.lambda[i] > 0) sum += change[i] * change[i];
    return sqrt(sum / k->count);
}

/* gamma/s as a multiplier. */
static double skin_bears(const physical *k)
{
    const dew_material_def *m = &k->w->materials[0];
    return m->surface_tension / m->density * (double)(k->dt * k->dt) / (9 * SPACING * SPACING * SPACING);
}

/* Whether liquid is pressed together or drawn apart, its density stays; at the surface it is drawn by gamma/s at most.
 */
static void test_pressure_keeps_density(void **state)
{
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        dew_simulation *s = relaxed_ball(0.2);
        physical k = contracting_ball(s, sign * 0.005, 0.02);
        size_t count = (size_t)k.count;
        place *x = places_of(k.a.x, k.count), *before = places_of(k.a.move, k.count), *way = calloc(count, sizeof *way);
        double *change = calloc(count, sizeof *change), *rest = calloc(count, sizeof *rest);
        check_ok(pbf_push_as_before(&k));
        check_ok(pbf_solve_pressure(&k));
        place *after = places_of(k.a.move, k.count);
        plain_change(k.count, x, before, change);
        plain_change(k.count, x, after, rest);
        plain_way(k.count, x, k.a.lambda, way);
        double was = kept(&k, change), sum[3] = {0, 0, 0}, turn[3] = {0, 0, 0}, ways = 0, worst = 0, least = 0;
        assert_true(was > 0.005);
        check_below(kept(&k, rest) / was, 0.2, "change of density that is left");
        for (int i = 0; i < k.count; i++) {
            least = fmin(least, (double)k.a.lambda[i]);
            if (k.a.is_surface[i]) assert_true((double)k.a.lambda[i] >= -1.0001 * skin_bears(&k));
            double d[3];
            for (int a = 0; a < 3; a++) {
                int b = (a + 1) % 3, c = (a + 2) % 3;
                d[a] = after[i][a] - before[i][a], sum[a] += d[a];
                turn[a] += x[i][b] * (after[i][c] - before[i][c]) - x[i][c] * (after[i][b] - before[i][b]);
                d[a] -= way[i][a];
            }
            worst = fmax(worst, length_of(d)), ways += length_of(way[i]);
        }
        assert_true(sign > 0 || least < -1e-3);
        check_below(worst / (ways / k.count), 1e-3, "ways against those of all pairs");
        check_below(length_of(sum) / ways, 2e-5, "momentum made by pressure");
        check_below(length_of(turn) / (ways * 6 * SPACING), 2e-5, "angular momentum made by pressure");
        free(x), free(before), free(after), free(way), free(change), free(rest);
        dew_simulation_destroy(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fraction),
        cmocka_unit_test(test_wedge),
        cmocka_unit_test(test_skin_against_all_pairs),
        cmocka_unit_test(test_surface_is_the_outermost_layer),
        cmocka_unit_test(test_tension_is_the_gradient_of_area),
        cmocka_unit_test(test_spread_against_all_pairs),
        cmocka_unit_test(test_one_pressure_balances_the_tension_of_a_ball),
        cmocka_unit_test(test_tension_across_periodic_faces),
        cmocka_unit_test(test_pressure_keeps_density),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
