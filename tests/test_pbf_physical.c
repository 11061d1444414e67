/* The parts of pbf's physical mode, each against a plain twin: integrals, all pairs in double, numerical gradients. */
#include "particles/kernels.h"
#include "pbf_inside.h"

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
    pbf_fractions *f = pbf_fractions_create();
    for (double u = -0.95; u < 1; u += 0.19) {
        double whole = integrate_wedge(u, -2, 1);
        check_close((double)pbf_fraction(f, (real)u), whole, 3e-4, "fraction beyond a plane");
        check_close((double)(pbf_fraction(f, (real)u) + pbf_fraction(f, (real)-u)), 1, 2e-6, "both sides of a plane");
        double step = 0.01, slope = integrate_wedge(u - step, -2, 1) - integrate_wedge(u + step, -2, 1);
        check_close((double)pbf_fraction_slope(f, (real)u), slope / (2 * step), 5e-3, "slope");
    }
    assert_true(pbf_fraction(f, 1) == 0 && pbf_fraction(f, 5) == 0);
    assert_true(pbf_fraction(f, -1) == 1 && pbf_fraction(f, -5) == 1);
    check_close((double)pbf_fraction(f, 0), 0.5, 1e-6, "half");
    check_close((double)pbf_fraction_slope(f, 1), 0, 1e-6, "slope at the edge");
    pbf_fractions_destroy(f);
}

static void test_wedge(void **state)
{
    (void)state;
    pbf_fractions *f = pbf_fractions_create();
    static const double places[] = {-0.83, -0.31, 0.05, 0.33, 0.71}, cosines[] = {-0.97, -0.6, 0.02, 0.55, 0.93};
    double worst = 0;
    for (int a = 0; a < 5; a++)
        for (int b = a; b < 5; b++)
            for (int c = 0; c < 5; c++) {
                double u = places[a], v = places[b], whole = integrate_wedge(u, v, cosines[c]);
                double one = (double)pbf_fraction_wedge(f, (real)u, (real)v, (real)cosines[c]);
                double other = (double)pbf_fraction_wedge(f, (real)v, (real)u, (real)cosines[c]);
                worst = fmax(worst, fmax(fabs(one - whole), fabs(other - whole)));
            }
    check_below(worst, 0.012, "wedge");
    for (double u = -0.9; u < 1; u += 0.2) {
        real r = (real)u;
        check_close((double)pbf_fraction_wedge(f, r, -1, (real)0.3), (double)pbf_fraction(f, r), 4e-3, "one plane far");
        check_close((double)pbf_fraction_wedge(f, r, 1, (real)0.3), 0, 2e-3, "nothing beyond the other");
        check_close((double)pbf_fraction_wedge(f, r, r, 1), (double)pbf_fraction(f, r), 0.012, "twice the same plane");
        check_close((double)pbf_fraction_wedge(f, r, -r, -1), 0, 0.02, "back to back");
        /* Planes through the centre: the share of the full angle. */
        check_close((double)pbf_fraction_wedge(f, 0, 0, r), (PI - acos(u)) / (2 * PI), 0.01, "angle");
    }
    pbf_fractions_destroy(f);
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
        if (r > 5.3 * SPACING) assert_true(k.a.is_surface[i]);
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
    check_ok(pbf_spread_tension(&k));
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
    k.p->parameter[PBF_BALANCED] = 1;
    place *x = places_of(k.a.x, k.count), *pressure = calloc((size_t)k.count, sizeof *pressure);
    double g[3], kernel = kernel_norm();
    for (int i = 0; i < k.count; i++)
        for (int j = 0; j < k.count; j++)
            if (pair_gradient(kernel, x[i], x[j], g))
                for (int a = 0; a < 3; a++) pressure[i][a] += g[a];
    check_ok(pbf_find_surface(k.p, k.w, true));
    check_ok(pbf_tension_force(&k, (real)TENSION));
    assert_true(unbalanced(&k, pressure) > 0.2);
    check_ok(pbf_spread_tension(&k));
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
    pbf_sum_constraint(k.p, k.w, k.shift, k.previous);
    for (int i = 0; i < k.count; i++) k.fullness[i] = k.shift[i].w, k.previous[i] = 0;
    uint32_t seed = 5;
    for (int i = 0; i < k.count; i++) {
        real4 x = k.a.x[i];
        double size = stir * SPACING, c = -contraction;
        k.a.move[i] =
            (real4){(real)(c * (double)x.x + size * noise(&seed)), (real)(c * (double)x.y + size * noise(&seed)),
                    (real)(c * (double)x.z + size * noise(&seed)), 0};
        k.a.lambda[i] = 0;
    }
    k.p->saved_dt = dt;
    return k;
}

typedef struct plain_solver {
    int count;
    place *x, *ahead; /* at the step's start, and where free motion ends */
    double *lambda, *least;
    place *shift;
} plain_solver;

static plain_solver plain_solver_of(const physical *k)
{
    size_t count = (size_t)k->count;
    plain_solver p = {k->count,
                      places_of(k->a.x, k->count),
                      places_of(k->a.x, k->count),
                      calloc(count, sizeof(double)),
                      calloc(count, sizeof(double)),
                      calloc(count, sizeof(place))};
    double dt = (double)k->dt, pressure = k->p->parameter[PBF_SUCTION] * k->w->materials[0].surface_tension / SPACING;
    for (int i = 0; i < k->count; i++) {
        if (!k->a.is_surface[i])
            p.least[i] = -pressure * dt * dt / (k->w->materials[0].density * 9 * SPACING * SPACING);
        p.ahead[i][0] += (double)k->a.move[i].x, p.ahead[i][1] += (double)k->a.move[i].y;
        p.ahead[i][2] += (double)k->a.move[i].z;
    }
    return p;
}

static void plain_solver_free(plain_solver *p)
{
    free(p->x), free(p->ahead), free(p->lambda), free(p->least), free(p->shift);
}

static void plain_displace(plain_solver *p)
{
    double kernel = kernel_norm(), g[3];
    memset(p->shift, 0, (size_t)p->count * sizeof *p->shift);
    for (int i = 0; i < p->count; i++)
        for (int j = 0; j < p->count; j++)
            if (pair_gradient(kernel, p->x[i], p->x[j], g))
                for (int a = 0; a < 3; a++) p->shift[i][a] -= (p->lambda[i] + p->lambda[j]) * g[a];
}

/* Lambda <- max(least, Lambda + 0.13 ((e + change by Lambda)/D - 0.1 min(Lambda, 0))), gradients at the start, e at the
 * end of free motion. */
static void plain_iteration(plain_solver *p, double smallest_norm)
{
    double kernel = kernel_norm(), g[3], *target = densities(p->x, p->count), *rho = densities(p->ahead, p->count);
    plain_displace(p);
    for (int i = 0; i < p->count; i++) {
        double own[3] = {0, 0, 0}, norm = 0, change = 0;
        for (int j = 0; j < p->count; j++) {
            if (!pair_gradient(kernel, p->x[i], p->x[j], g)) continue;
            for (int a = 0; a < 3; a++) {
                own[a] += g[a], norm += g[a] * g[a];
                change += g[a] * (p->shift[i][a] - p->shift[j][a]);
            }
        }
        norm += own[0] * own[0] + own[1] * own[1] + own[2] * own[2];
        double error = (rho[i] - target[i] + change) / fmax(norm, smallest_norm);
        p->lambda[i] = fmax(p->lambda[i] + 0.13 * (error - 0.1 * fmin(p->lambda[i], 0)), p->least[i]);
    }
    plain_displace(p);
    free(rho), free(target);
}

static void check_pressure_against_plain_iteration(double suction)
{
    dew_simulation *s = relaxed_ball(0.2);
    physical k = contracting_ball(s, 0.005, 0.03);
    k.p->parameter[PBF_SUCTION] = suction;
    plain_solver p = plain_solver_of(&k);
    uint32_t seed = 9;
    for (int i = 0; i < k.count; i++) {
        p.lambda[i] = fmax(p.least[i], 0.01 * noise(&seed));
        k.a.lambda[i] = (real)(4 * p.lambda[i]); /* of a step twice as long */
    }
    k.p->saved_dt = 2 * (double)k.dt;
    plain_iteration(&p, 0.3 * (double)k.p->bulk_norm);
    check_ok(pbf_solve_pressure(&k, 1));
    double worst_lambda = 0, largest_lambda = 0, worst = 0, largest = 0;
    for (int i = 0; i < k.count; i++) {
        const double *from = p.ahead[i];
        double way[3] = {(double)k.a.x[i].x - from[0], (double)k.a.x[i].y - from[1], (double)k.a.x[i].z - from[2]};
        worst_lambda = fmax(worst_lambda, fabs((double)k.a.lambda[i] - p.lambda[i]));
        largest_lambda = fmax(largest_lambda, p.lambda[i]);
        for (int a = 0; a < 3; a++) way[a] -= 3 * SPACING * p.shift[i][a];
        worst = fmax(worst, length_of(way)), largest = fmax(largest, 3 * SPACING * length_of(p.shift[i]));
    }
    assert_true(largest_lambda > 1e-3 && largest > 1e-3 * SPACING);
    check_below(worst_lambda / largest_lambda, 1e-4, "multipliers against the plain ones");
    check_below(worst / largest, 1e-4, "displacements against the plain ones");
    plain_solver_free(&p);
    dew_simulation_destroy(s);
}

static void test_pressure_against_plain_iteration(void **state)
{
    (void)state;
    check_pressure_against_plain_iteration(0);
    check_pressure_against_plain_iteration(4);
}

/* Root mean square of what is too dense. */
static double compression(int count, const double *density, const double *full)
{
    double sum = 0;
    for (int i = 0; i < count; i++) sum += pow(fmax(density[i] - full[i], 0), 2);
    return sqrt(sum / count);
}

static void test_pressure_removes_compression(void **state)
{
    (void)state;
    static const int iterations[] = {4, 16, 200};
    static const double most[] = {0.3, 0.05, 0.04};
    for (int n = 0; n < 3; n++) {
        dew_simulation *s = relaxed_ball(0.2);
        physical k = contracting_ball(s, 0.005, 0.02);
        plain_solver p = plain_solver_of(&k);
        double *full = densities(p.x, k.count), *ahead = densities(p.ahead, k.count);
        check_ok(pbf_solve_pressure(&k, iterations[n]));
        place *after = places_of(k.a.x, k.count);
        double *density = densities(after, k.count), before = compression(k.count, ahead, full);
        double sum[3] = {0, 0, 0}, turn[3] = {0, 0, 0}, ways = 0;
        assert_true(before > 0.005);
        check_below(compression(k.count, density, full) / before, most[n], "compression that is left");
        for (int i = 0; i < k.count; i++) {
            check_below(p.least[i] * (1 + ROUNDING) - (double)k.a.lambda[i], 1e-12, "below the least multiplier");
            double way[3];
            from_to(p.ahead[i], after[i], way);
            for (int a = 0; a < 3; a++) {
                int b = (a + 1) % 3, c = (a + 2) % 3;
                sum[a] += way[a], turn[a] += p.x[i][b] * way[c] - p.x[i][c] * way[b];
            }
            ways += length_of(way);
            /* Who presses is at the target. */
            if (n == 2 && k.a.lambda[i] > 1e-3) check_close(density[i], full[i], 3e-3, "density");
        }
        check_below(length_of(sum) / ways, 2e-5, "momentum made by pressure");
        check_below(length_of(turn) / (ways * 6 * SPACING), 2e-5, "angular momentum made by pressure");
        plain_solver_free(&p);
        free(after), free(full), free(ahead), free(density);
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
        cmocka_unit_test(test_pressure_against_plain_iteration),
        cmocka_unit_test(test_pressure_removes_compression),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
