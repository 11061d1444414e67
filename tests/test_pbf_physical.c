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
    }
    assert_true(fraction_beyond(f, 1) == 0 && fraction_beyond(f, 5) == 0);
    assert_true(fraction_beyond(f, -1) == 1 && fraction_beyond(f, -5) == 1);
    check_close((double)fraction_beyond(f, 0), 0.5, 1e-6, "half");
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

/* F and n of the flow, and the density and the gradient of the paper mode. */
static void test_density_against_all_pairs(void **state)
{
    (void)state;
    dew_simulation *s = relaxed_ball(2);
    flow_step k = open_up(s, 1, true);
    place *x = places_of(k.x, k.count);
    double worst = 0;
    for (int i = 0; i < k.count; i++) {
        double sum[4] = {0, 0, 0, 0}, d[3];
        for (int j = 0; j < k.count; j++) {
            double q = from_to(x[j], x[i], d) * 3 / FLOW_REACH, w = fmax(1 - q, 0);
            if (i == j) continue;
            sum[3] += w * w;
            for (int a = 0; a < 3; a++) sum[a] += w * d[a] / length_of(d);
        }
        double told[4] = {(double)k.facing[i].x, (double)k.facing[i].y, (double)k.facing[i].z, (double)k.facing[i].w};
        for (int a = 0; a < 4; a++) worst = fmax(worst, fabs(told[a] - sum[a]) / (double)k.p->c.n0);
    }
    check_below(worst, 3 * ROUNDING, "F and n against all pairs");
    free(x);
    dew_simulation_destroy(s);
}

static void test_skin_of_paper_against_all_pairs(void **state)
{
    (void)state;
    setup u;
    begin(&u, dew_sphere((dew_vec3){0.01, -0.02, 0.03}, 6 * SPACING));
    u.parameters[0] = (dew_parameter_value){"tension", 0, "paper"}, u.def.parameter_count = 1;
    dew_simulation *s = create(&u);
    check_ok(world_update_neighbours(&s->w, true));
    pbf_state *p = s->state;
    pbf_arrays p_of = pbf_arrays_of(p, &s->w);
    int count = p_of.count;
    double kernel = kernel_norm(), *volume = calloc((size_t)count, sizeof *volume);
    check_ok(pbf_find_surface(p, &s->w));
    for (int i = 0; i < count; i++) volume[i] = 1 / (double)p_of.density[i];
    check_ok(pbf_find_surface(p, &s->w));
    place *x = places_of(p_of.x, count);
    double *rho = densities(x, count), worst_density = 0, worst_size = 0, worst_normal = 0;
    for (int i = 0; i < count; i++) {
        double sum[3] = {0, 0, 0}, g[3];
        for (int j = 0; j < count; j++)
            if (pair_gradient(kernel, x[i], x[j], g))
                for (int a = 0; a < 3; a++) sum[a] += volume[j] * g[a];
        double size = length_of(sum);
        real4 n = p_of.normal[i];
        worst_density = fmax(worst_density, fabs((double)p_of.density[i] - rho[i]));
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
    flow_step k = open_up(s, 1, true);
    double centre[8], worst_angle = 0, mean_radius = 0;
    check_ok(dew_simulation_measure(s, "centre_of_mass", centre));
    place *x = places_of(k.x, k.count);
    for (int i = 0; i < k.count; i++) {
        double d[3], r = from_to(centre, x[i], d) * 3 * SPACING;
        real4 n = k.normal[i];
        /* Particles of the outermost layer lie s/2 under the surface, those of the next a layer deeper. */
        if (r > 5.35 * SPACING) assert_true(k.is_surface[i]);
        if (r < 5.3 * SPACING) assert_false(k.is_surface[i]);
        if (!k.is_surface[i]) continue;
        mean_radius += r;
        double along = (d[0] * (double)n.x + d[1] * (double)n.y + d[2] * (double)n.z) / r;
        worst_angle = fmax(worst_angle, acos(fmin(along, 1)) * 180 / PI);
    }
    check_close(mean_radius / k.rings.count, 5.5 * SPACING, 0.1 * SPACING, "surface particles' depth");
    check_below(worst_angle, 5, "normals off radial, degrees");
    /* Closed rings throughout; in a triangulation of the sphere they have 6 - 12/V members, of which some disagree. */
    const rings *r = &k.rings;
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
static void plain_pulls(const flow_step *k, place *lifted, place *force)
{
    const rings *r = &k->rings;
    for (int n = 0; n < r->count; n++) {
        int i = r->list[n];
        double g[3], factor = 1;
        area_gradient(r, n, lifted, i, g);
        if (!r->gaps[n]) {
            double curvature = 1.5 * dot(g, k->normal[i]) / ring_area(r, n, lifted);
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
static void plain_handing_on(const flow_step *k, place *force)
{
    const rings *r = &k->rings;
    place *old = calloc((size_t)k->count, sizeof *old);
    memcpy(old, force, (size_t)k->count * sizeof *old);
    for (int n = 0; n < r->count; n++) {
        int i = r->list[n], size = r->begin[n + 1] - r->begin[n];
        if (r->gaps[n]) continue;
        real4 normal = k->normal[i];
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

/* Forces by the area of the mesh at half a spacing, N. */
static real4 *tension_of(const flow_step *k)
{
    area_tension t = {.surface_tension = (real)TENSION, .spacing = k->p->s, .lift = k->p->s / 2, .rounds = 2};
    real4 *force = arena_zeroed(k->w->scratch, ((size_t)k->all->end + 8) * sizeof *force);
    assert_non_null(force);
    check_ok(surface_area_force(&t, &k->rings, k->all, k->x, k->normal, k->w->scratch, force));
    return force;
}

/* A ball with a rough skin. */
static flow_step rough_ball(dew_simulation *s, real4 **force)
{
    uint32_t seed = 3;
    for (int i = 0; i < s->particles.count; i++) {
        real4 *x = &s->particles.position[i];
        x->x += (real)(0.2 * SPACING * noise(&seed)), x->y += (real)(0.2 * SPACING * noise(&seed));
        x->z = (real)((double)x->z * 1.1 + 0.2 * SPACING * noise(&seed));
    }
    flow_step k = open_up(s, 1, true);
    *force = tension_of(&k);
    return k;
}

static void test_tension_is_the_gradient_of_area(void **state)
{
    (void)state;
    dew_simulation *s = relaxed_ball(0.2);
    real4 *told;
    flow_step k = rough_ball(s, &told);
    place *lifted = places_of(k.x, k.count), *force = calloc((size_t)k.count, sizeof *force);
    for (int i = 0; i < k.count; i++) {
        lifted[i][0] += SPACING / 2 * (double)k.normal[i].x;
        lifted[i][1] += SPACING / 2 * (double)k.normal[i].y;
        lifted[i][2] += SPACING / 2 * (double)k.normal[i].z;
    }
    plain_pulls(&k, lifted, force);
    for (int round = 0; round < 2; round++) plain_handing_on(&k, force);
    double largest = 0, worst = 0, sum[3] = {0, 0, 0};
    for (int i = 0; i < k.count; i++) {
        double f[3] = {(double)told[i].x, (double)told[i].y, (double)told[i].z};
        largest = fmax(largest, length_of(force[i]));
        for (int a = 0; a < 3; a++) sum[a] += f[a], f[a] -= force[i][a];
        worst = fmax(worst, length_of(f));
    }
    assert_true(largest > 0.3 * TENSION * SPACING);
    check_below(worst / largest, 1e-4, "tension against the numerical gradient");
    check_below(length_of(sum) / largest, k.rings.count * ROUNDING / 10, "sum of tension's forces");
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

static void spread(const flow_step *k, real4 *force)
{
    spread_params by = {.support = 3 * k->p->s, .spacing = k->p->s, .share = k->p->change};
    check_ok(surface_spread_force(&by, k->lists, k->all, k->normal, k->is_surface, k->w->scratch, force));
}

static void test_spread_against_all_pairs(void **state)
{
    (void)state;
    dew_simulation *s = relaxed_ball(0.2);
    real4 *told;
    flow_step k = rough_ball(s, &told);
    size_t count = (size_t)k.count;
    place *x = places_of(k.x, k.count), *before = places_of(told, k.count), *force = calloc(count, sizeof *force);
    for (int i = 0; i < k.count; i++) {
        double all = 0;
        if (!k.is_surface[i]) continue;
        for (int j = 0; j < k.count; j++) all += plain_weight(x[j], x[i], k.normal[i]);
        for (int j = 0; j < k.count; j++)
            for (int a = 0; a < 3; a++) force[j][a] += before[i][a] * plain_weight(x[j], x[i], k.normal[i]) / all;
    }
    spread(&k, told);
    place *after = places_of(told, k.count);
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
static double unbalanced(const flow_step *k, const real4 *force, const place *pressure)
{
    double ff = 0, fs = 0, ss = 0;
    for (int i = 0; i < k->count; i++) {
        double f[3] = {(double)force[i].x, (double)force[i].y, (double)force[i].z};
        for (int a = 0; a < 3; a++)
            ff += f[a] * f[a], fs += f[a] * pressure[i][a], ss += pressure[i][a] * pressure[i][a];
    }
    return sqrt(fmax(1 - fs * fs / (ff * ss), 0));
}

static void test_one_pressure_balances_the_tension_of_a_ball(void **state)
{
    (void)state;
    dew_simulation *s = relaxed_ball(1);
    flow_step k = open_up(s, 1, true);
    place *x = places_of(k.x, k.count), *pressure = calloc((size_t)k.count, sizeof *pressure);
    double g[3], kernel = kernel_norm();
    for (int i = 0; i < k.count; i++)
        for (int j = 0; j < k.count; j++)
            if (pair_gradient(kernel, x[i], x[j], g))
                for (int a = 0; a < 3; a++) pressure[i][a] += g[a];
    real4 *told = tension_of(&k);
    assert_true(unbalanced(&k, told, pressure) > 0.2);
    spread(&k, told);
    check_below(unbalanced(&k, told, pressure), 0.1, "tension that one pressure does not balance");
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
    flow_step k = open_up(s, 1, true);
    assert_true((shift > 0) == (s->particles.end > s->particles.ghost_begin));
    check_ok(flow_force(&k)); /* what is at rest: dt times the forces of tension */
    place *force = calloc((size_t)k.count + 1, sizeof *force);
    for (int i = 0; i < k.count; i++) {
        double *f = force[s->particles.id[i] + 1];
        for (int a = 0; a < 3; a++) f[a] = DENSITY * pow(SPACING, 3) * (double)(&k.v[i].x)[a];
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

/* How fast the inner half grows, 1/s. */
static double growth(const flow_step *k)
{
    double sum = 0, square = 0;
    for (int i = 0; i < k->count; i++) {
        double x[3] = {(double)k->x[i].x, (double)k->x[i].y, (double)k->x[i].z};
        if (length_of(x) > 3.5 * SPACING) continue;
        for (int a = 0; a < 3; a++) sum += x[a] * (double)(&k->v[i].x)[a], square += x[a] * x[a];
    }
    return 3 * sum / square;
}

/* A ball that contracts or grows, and turns, is stirred: what is left grows no more, no momentum is made of either
 * kind, energy is only taken, and the skin is drawn by gamma/s at most. */
static void test_projection(void **state)
{
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        dew_simulation *s = relaxed_ball(0.2);
        flow_step k = open_up(s, 0.01, true);
        double mean[3] = {0, 0, 0}, sums[2][7] = {{0}}, rate = sign * 0.2, was;
        uint32_t seed = 5;
        for (int i = 0; i < k.count; i++)
            for (int a = 0; a < 3; a++) mean[a] += (double)(&k.x[i].x)[a] / k.count;
        for (int i = 0; i < k.count; i++) {
            real4 *x = &k.x[i];
            for (int a = 0; a < 3; a++)
                (&x->x)[a] -= (real)mean[a],
                    (&k.v[i].x)[a] = (real)(rate * (double)(&x->x)[a] + 0.02 * SPACING * noise(&seed));
            k.v[i].x -= (real)0.1 * x->y, k.v[i].y += (real)0.1 * x->x;
            k.pressure[i] = 0, k.target[i] = k.facing[i].w; /* all is as full as it may be */
        }
        was = growth(&k);
        check_ok(flow_push_as_before(&k));
        for (int n = 0; n < 2; n++) {
            for (int i = 0; i < k.count; i++)
                for (int a = 0; a < 3; a++) {
                    int b = (a + 1) % 3, c = (a + 2) % 3;
                    const real *x = &k.x[i].x, *v = &k.v[i].x;
                    sums[n][a] += (double)v[a], sums[n][3 + a] += (double)(x[b] * v[c] - x[c] * v[b]);
                    sums[n][6] += (double)(v[a] * v[a]);
                }
            if (n == 0) check_ok(flow_project(&k));
        }
        /* A tenth is left by what bounds pressures that alternate (projection.c). */
        check_close(growth(&k) / was, 0, 0.12, "growth that is left");
        double speed = sqrt(sums[0][6] / k.count);
        for (int a = 0; a < 3; a++) {
            check_close(sums[1][a], sums[0][a], 1e-4 * speed * sqrt(k.count), "momentum");
            check_close(sums[1][3 + a], sums[0][3 + a], 1e-3 * speed * 6 * SPACING * sqrt(k.count), "angular momentum");
        }
        check_below(sums[1][6], sums[0][6], "energy");
        for (int i = 0; i < k.count; i++)
            if (k.is_surface[i]) assert_true((double)k.pressure[i] >= -1.0001 * TENSION / SPACING);
        dew_simulation_destroy(s);
    }
}

/* --- order --- */

/* An uneven skin becomes even without moving the centre of mass, no velocity comes of it, and what angular momentum
 * that leaves is noted. */
static void test_order(void **state)
{
    (void)state;
    dew_simulation *s = relaxed_ball(1);
    uint32_t seed = 7;
    double spread_of[2] = {0, 0}, sum[3] = {0, 0, 0};
    for (int i = 0; i < s->particles.count; i++)
        for (int a = 0; a < 3; a++) (&s->particles.position[i].x)[a] += (real)(0.2 * SPACING * noise(&seed));
    for (int turn = 0; turn < 40; turn++) {
        flow_step k = open_up(s, 1e-3, true);
        double square = 0;
        for (int n = 0; n < k.rings.count; n++) square += pow((double)real3_length(real3_of(k.rings.shift[n])), 2);
        if (turn == 0 || turn == 39) spread_of[turn > 0] = sqrt(square / k.rings.count) / SPACING;
        k.pace = 1;
        for (int i = 0; i < k.count; i++)
            k.v[i] = (real4){(real)noise(&seed), (real)noise(&seed), (real)noise(&seed), 0}, k.moment[i] = (real4){0};
        check_ok(flow_begin_shift(&k));
        flow_find_shift(&k, &(flow_parting){FLOW_NEAR, FLOW_APART, FLOW_EVEN, NULL});
        double left[3] = {0}, most = 0;
        for (int i = 0; i < k.count; i++) {
            real3 moment = real3_cross(real3_of(k.shift[i]), real3_of(k.v[i]));
            most += (double)real3_length(moment), moment = real3_sub(moment, real3_of(k.moment[i]));
            for (int a = 0; a < 3; a++) {
                (&k.x[i].x)[a] += (&k.shift[i].x)[a], sum[a] += (double)(&k.shift[i].x)[a];
                left[a] += (double)(&moment.x)[a];
            }
        }
        check_below(length_of(left) / most, 1e-5, "angular momentum that is not noted");
    }
    check_below(spread_of[1] / spread_of[0], 0.5, "ways to the cells' centroids, over those at first");
    check_below(length_of(sum) / s->particles.count, 1e-6 * SPACING, "way of the centre of mass");
    dew_simulation_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fraction),
        cmocka_unit_test(test_wedge),
        cmocka_unit_test(test_density_against_all_pairs),
        cmocka_unit_test(test_skin_of_paper_against_all_pairs),
        cmocka_unit_test(test_surface_is_the_outermost_layer),
        cmocka_unit_test(test_tension_is_the_gradient_of_area),
        cmocka_unit_test(test_spread_against_all_pairs),
        cmocka_unit_test(test_one_pressure_balances_the_tension_of_a_ball),
        cmocka_unit_test(test_tension_across_periodic_faces),
        cmocka_unit_test(test_projection),
        cmocka_unit_test(test_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
