/* Detection by light, rings, references, components and areas, against plain twins and geometry. Lengths are in
 * spacings. */

#include "base/parallel.h"
#include "manifold.h"
#include "surface/area.h"
#include "surface/curvature.h"
#include "surface/surface.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* --- clouds of particles --- */

typedef real4 normal_fcn(real4 place);

typedef struct cloud {
    particles p;
    neighbours *n;
    arena *memory;
    real4 *normal;
    uint8_t *is_surface;
    int32_t *list;
    int count;
} cloud;

static const double pi = 3.14159265358979323846;

static double random_unit(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) / 16777216.0;
}

static real4 place_of(double x, double y, double z) { return (real4){(real)x, (real)y, (real)z, 0}; }

/* Records are aligned more strictly than malloc's memory. */
static real4 *obtain(int count)
{
    return memset(aligned_obtain((size_t)count * sizeof(real4)), 0, (size_t)count * sizeof(real4));
}

/* All particles are surface, with the normals of `normal` (NULL: up); slots are in the order of the sort. */
static void cloud_create(cloud *c, const real4 *place, int count, double cutoff, const dew_domain_def *domain,
                         normal_fcn *normal)
{
    memset(c, 0, sizeof(*c));
    c->memory = arena_create();
    real4 *rest = obtain(count);
    assert_int_equal(particles_create(&c->p), DEW_OK);
    assert_int_equal(particles_insert(&c->p, count, place, rest, 0), DEW_OK);
    aligned_release(rest);
    assert_int_equal(neighbours_create(&c->n, cutoff, 0.1), DEW_OK);
    assert_int_equal(neighbours_build(c->n, &c->p, domain), DEW_OK);
    size_t slots = (size_t)c->p.end + 4;
    c->count = c->p.count;
    c->normal = obtain((int)slots);
    c->is_surface = calloc(slots, 1);
    c->list = calloc(slots, sizeof(int32_t));
    for (int i = 0; i < c->p.end; i++) {
        if (i >= c->p.count && i < c->p.ghost_begin) continue;
        c->normal[i] = normal ? normal(c->p.position[i]) : place_of(0, 0, 1);
        c->is_surface[i] = 1;
    }
    for (int i = 0; i < c->count; i++) c->list[i] = i;
}

static void cloud_destroy(cloud *c)
{
    neighbours_destroy(c->n);
    particles_destroy(&c->p);
    arena_destroy(c->memory);
    aligned_release(c->normal), free(c->is_surface), free(c->list);
}

static rings cloud_rings(cloud *c, double reach, bool film_check)
{
    ring_params params = {.reach = (real)reach, .box = (real)reach, .film_check = film_check};
    rings r;
    assert_int_equal(
        surface_rings(&params, c->n, &c->p, c->p.position, c->normal, c->is_surface, c->list, c->count, c->memory, &r),
        DEW_OK);
    return r;
}

static real4 radial(real4 a)
{
    real r = sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
    return r > 0 ? (real4){a.x / r, a.y / r, a.z / r, 0} : (real4){0, 0, 1, 0};
}

static real4 *fibonacci_sphere(int count, double radius, double x0)
{
    real4 *place = obtain(count);
    for (int k = 0; k < count; k++) {
        double z = 1 - (2.0 * k + 1) / count, r = sqrt(1 - z * z), angle = 2.39996322972865332 * k;
        place[k] = place_of(x0 + radius * r * cos(angle), radius * r * sin(angle), radius * z);
    }
    return place;
}

/* The radius at which `count` points on a sphere are one spacing apart. */
static double sphere_radius(int count) { return sqrt(count * sqrt(0.75) / (4 * pi)); }

static real4 *lattice_ball(double radius, double jitter, int *count)
{
    int half = (int)radius + 1, side = 2 * half + 1;
    real4 *place = obtain(side * side * side);
    uint32_t state = 7;
    *count = 0;
    for (int x = -half; x <= half; x++)
        for (int y = -half; y <= half; y++)
            for (int z = -half; z <= half; z++) {
                if (x * x + y * y + z * z > radius * radius) continue;
                double d[3];
                for (int a = 0; a < 3; a++) d[a] = jitter * (2 * random_unit(&state) - 1);
                place[(*count)++] = place_of(x + d[0], y + d[1], z + d[2]);
            }
    return place;
}

static real4 *patch(int side, double jitter, double z)
{
    real4 *place = obtain(side * side);
    uint32_t state = 11;
    for (int k = 0; k < side * side; k++) {
        double dx = jitter * (2 * random_unit(&state) - 1), dy = jitter * (2 * random_unit(&state) - 1);
        place[k] = place_of(k % side + dx, k / side + dy, z);
    }
    return place;
}

/* --- light --- */

/* Every direction against every other particle, in double. Directions on a shadow's very edge may go either way. */
static void plain_light(const cloud *c, const double (*direction)[3], int i, double *least, double *most)
{
    real4 a = c->p.position[i];
    int least_lit = 0, most_lit = 0;
    for (int u = 0; u < VISIBILITY_DIRECTIONS; u++) {
        double dark = -1;
        for (int j = 0; j < c->count; j++) {
            real4 b = c->p.position[j];
            double d[3] = {(double)b.x - a.x, (double)b.y - a.y, (double)b.z - a.z};
            double d2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
            if (d2 < 1e-12 || d2 > 4) continue;
            double along = (direction[u][0] * d[0] + direction[u][1] * d[1] + direction[u][2] * d[2]) / sqrt(d2);
            dark = fmax(dark, along - sqrt(fmax(1 - 0.5625 / d2, 0.5)));
        }
        least_lit += dark < -1e-5, most_lit += dark < 1e-5;
    }
    *least = (double)least_lit / VISIBILITY_DIRECTIONS, *most = (double)most_lit / VISIBILITY_DIRECTIONS;
}

static void fibonacci_directions(double (*direction)[3])
{
    for (int k = 0; k < VISIBILITY_DIRECTIONS; k++) {
        double z = 1 - (2.0 * k + 1) / VISIBILITY_DIRECTIONS, r = sqrt(1 - z * z), angle = 2.39996322972865332 * k;
        direction[k][0] = r * cos(angle), direction[k][1] = r * sin(angle), direction[k][2] = z;
    }
}

static void light_equals_its_plain_twin(void **state)
{
    (void)state;
    int count;
    real4 *place = lattice_ball(6, 0.15, &count);
    cloud c;
    cloud_create(&c, place, count, 3, NULL, radial);
    real *light = malloc((size_t)count * sizeof(real));
    surface_visibility(false, 1, NULL, c.n, c.p.position, c.list, count, light);
    double direction[VISIBILITY_DIRECTIONS][3];
    fibonacci_directions(direction);
    for (int k = 0; k < count; k++) {
        double least, most;
        plain_light(&c, direction, k, &least, &most);
        assert_true(light[k] >= least - 1e-6 && light[k] <= most + 1e-6);
    }
    free(light), aligned_release(place);
    cloud_destroy(&c);
}

static void light_tells_surface_from_interior(void **state)
{
    (void)state;
    int count, surface = 0;
    double radius = 9;
    real4 *place = lattice_ball(radius, 0.05, &count);
    cloud c;
    cloud_create(&c, place, count, 3, NULL, radial);
    real *light = malloc((size_t)count * sizeof(real));
    surface_visibility(false, 1, NULL, c.n, c.p.position, c.list, count, light);
    for (int k = 0; k < count; k++) {
        real4 a = c.p.position[k];
        double r = sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
        if (r < radius - 2) assert_true(light[k] <= 0.05);
        if (r > radius - 0.3) assert_true(light[k] > 1.0 / 9);
        surface += light[k] > 1.0 / 9;
    }
    assert_true(surface > 0.6 * 4 * pi * radius * radius && surface < 0.8 * 4 * pi * radius * radius);
    free(light), aligned_release(place);
    cloud_destroy(&c);
}

/* A lone particle sees everything; a twin in its very place hides nothing; a wall hides a cap of known size; a close
 * neighbour hides no more than a cap of 45 degrees, and in the plane neither does a wall. */
static void light_of_few(void **state)
{
    (void)state;
    real4 place[] = {place_of(0, 0, 0),  place_of(10, 0, 0), place_of(10, 0, 0),
                     place_of(20, 0, 0), place_of(30, 0, 0), place_of(30.1, 0, 0)};
    double beside = 1 - (1 - sqrt(0.5)) / 2;
    double expected[2][6] = {{1, 1, 1, 0.7, beside, beside}, {1, 1, 1, 0.75, 0.75, 0.75}};
    int count = 6;
    cloud c;
    cloud_create(&c, place, count, 3, NULL, NULL);
    real4 wall[16];
    real light[6];
    for (int is_flat = 0; is_flat < 2; is_flat++) {
        for (int i = 0; i < count; i++)
            wall[i] =
                (real4){0, (real)is_flat, 1 - (real)is_flat, fabs(c.p.position[i].x - 20) < 1 ? (real)0.5 : (real)1.5};
        surface_visibility(is_flat, 1, wall, c.n, c.p.position, c.list, count, light);
        for (int i = 0; i < count; i++) {
            int k = 0;
            while (fabs(place[k].x - c.p.position[i].x) > 0.05) k++;
            assert_true(fabs(light[i] - expected[is_flat][k]) < 0.02);
        }
    }
    cloud_destroy(&c);
}

/* --- rings --- */

static void assert_references(const rings *r, int end)
{
    int members = r->begin[r->count];
    assert_int_equal(r->reference_begin[0], 0);
    assert_int_equal(r->reference_begin[end], members);
    for (int j = 0; j < end; j++)
        for (int m = r->reference_begin[j]; m < r->reference_begin[j + 1]; m++) {
            assert_int_equal(r->member[r->reference[m]], j);
            if (m > r->reference_begin[j]) assert_true(r->reference[m] > r->reference[m - 1]);
        }
    for (int k = 0; k < r->count; k++) assert_true(r->begin[k + 1] - r->begin[k] <= RING_MAX);
}

/* Closed rings, counter-clockwise, nearly all agreed; Euler's formula; area and volume of second order. */
static void rings_of_a_sphere(void **state)
{
    (void)state;
    double last = 1;
    for (int count = 500; count <= 8000; count *= 4) {
        double radius = sphere_radius(count);
        real4 *place = fibonacci_sphere(count, radius, 0);
        cloud c;
        cloud_create(&c, place, count, 3, NULL, radial);
        rings r = cloud_rings(&c, 3, true);
        for (int k = 0; k < count; k++) {
            assert_int_equal(r.gaps[k], 0);
            real3 centre = real3_of(c.p.position[k]);
            for (int m = r.begin[k]; m < r.begin[k + 1]; m++) {
                int next = m + 1 < r.begin[k + 1] ? m + 1 : r.begin[k];
                real3 a = real3_sub(real3_of(c.p.position[r.member[m]]), centre);
                real3 b = real3_sub(real3_of(c.p.position[r.member[next]]), centre);
                assert_true(r.has_triangle[m]);
                assert_true(real3_dot(real3_cross(a, b), centre) > 0);
            }
        }
        double mean = (double)r.begin[count] / count, error = rings_measure(&r, c.p.position, NULL, 0).area;
        error = fabs(error / (4 * pi * radius * radius) - 1);
        print_message("sphere of %d: ring size %.5f (6 - 12/N = %.5f), non-manifold %.2e, area error %.2e\n", count,
                      mean, 6 - 12.0 / count, rings_non_manifold(&r, &c.p), error);
        assert_true(fabs(mean - (6 - 12.0 / count)) < 0.01);
        assert_true(rings_non_manifold(&r, &c.p) < 0.01);
        assert_true(error < 0.35 * last && error < 10.0 / count);
        double volume = rings_measure(&r, c.p.position, NULL, 0).volume / (4 * pi / 3 * pow(radius, 3));
        assert_true(fabs(volume - 1) < 20.0 / count);
        double outside = rings_measure(&r, c.p.position, c.normal, (real)0.5).area / (4 * pi * pow(radius + 0.5, 2));
        assert_true(fabs(outside - 1) < 10.0 / count);
        assert_references(&r, c.p.end);
        last = error;
        aligned_release(place);
        cloud_destroy(&c);
    }
}

/* In the plane the rings are Delaunay: no point in any triangle's circumcircle (within what the tie-breaking weights
 * may shift), every ring away from the border closed, every triangle in three rings. */
static void rings_in_the_plane_are_delaunay(void **state)
{
    (void)state;
    int side = 24;
    real4 *place = patch(side, 0.45, 0);
    cloud c;
    cloud_create(&c, place, side * side, 5, NULL, NULL);
    rings r = cloud_rings(&c, 5, true);
    for (int k = 0; k < c.count; k++) {
        real4 a = c.p.position[k];
        if (fmin(fmin(a.x, a.y), fmin(side - 1 - a.x, side - 1 - a.y)) < 4) continue;
        assert_int_equal(r.gaps[k], 0);
        for (int m = r.begin[k]; m < r.begin[k + 1]; m++) {
            int next = m + 1 < r.begin[k + 1] ? m + 1 : r.begin[k];
            real4 b = c.p.position[r.member[m]], d = c.p.position[r.member[next]];
            double bx = (double)b.x - a.x, by = (double)b.y - a.y, dx = (double)d.x - a.x, dy = (double)d.y - a.y;
            double twice = 2 * (bx * dy - by * dx), b2 = bx * bx + by * by, d2 = dx * dx + dy * dy;
            assert_true(twice > 0);
            double ux = (dy * b2 - by * d2) / twice, uy = (bx * d2 - dx * b2) / twice, r2 = ux * ux + uy * uy;
            for (int j = 0; j < c.count; j++) {
                double px = (double)c.p.position[j].x - a.x - ux, py = (double)c.p.position[j].y - a.y - uy;
                assert_true(px * px + py * py > r2 - 5e-3 * (1 + r2));
            }
        }
    }
    assert_true(rings_non_manifold(&r, &c.p) < 2e-3); /* slivers at the border may reach beyond `reach` */
    aligned_release(place);
    cloud_destroy(&c);
}

/* On a lattice every square is a tie; the border's rings are open with one gap; cells have area 1 and no shift inside.
 * Wherever it lies and however it turns. */
static void rings_of_a_lattice_patch(void **state)
{
    (void)state;
    int side = 15;
    real4 *place = patch(side, 0, 0);
    cloud c;
    cloud_create(&c, place, side * side, 3, NULL, NULL);
    rings r = cloud_rings(&c, 3, true);
    for (int k = 0; k < c.count; k++) {
        real4 a = c.p.position[k];
        bool is_border = a.x < 0.5 || a.y < 0.5 || a.x > side - 1.5 || a.y > side - 1.5;
        assert_int_equal(r.gaps[k], is_border);
        int last = r.begin[k + 1] - 1;
        for (int m = r.begin[k]; m <= last; m++) assert_int_equal(r.has_triangle[m], !is_border || m < last);
        if (is_border) continue;
        assert_true(fabs(r.shift[k].w - 1) < 5e-3);
        assert_true(fabs(r.shift[k].x) + fabs(r.shift[k].y) < 5e-3 && r.shift[k].z == 0);
    }
    assert_true(rings_non_manifold(&r, &c.p) == 0);
    assert_true(fabs(rings_measure(&r, c.p.position, NULL, 0).area - (side - 1) * (side - 1)) < 1e-3);
    assert_references(&r, c.p.end);
    aligned_release(place);
    cloud_destroy(&c);
}

/* The same lattice on a torus: members are ghosts, nothing is open, the area is the torus's. */
static void rings_across_periodic_faces(void **state)
{
    (void)state;
    int side = 12;
    real4 *place = patch(side, 0.3, 0);
    dew_domain_def domain = {.min = {-0.5, -0.5, -1}, .max = {side - 0.5, side - 0.5, 1}};
    domain.axis[0] = domain.axis[1] = DEW_PERIODIC;
    cloud c;
    cloud_create(&c, place, side * side, 3, &domain, NULL);
    assert_true(c.p.end > c.p.ghost_begin);
    rings r = cloud_rings(&c, 3, true);
    int ghosts = 0;
    for (int k = 0; k < c.count; k++) assert_int_equal(r.gaps[k], 0);
    for (int m = 0; m < r.begin[r.count]; m++) ghosts += r.member[m] >= c.p.ghost_begin;
    assert_true(ghosts > 0);
    assert_true(rings_non_manifold(&r, &c.p) == 0);
    assert_true(fabs(rings_measure(&r, c.p.position, NULL, 0).area - side * side) < 1e-3);
    assert_references(&r, c.p.end);
    aligned_release(place);
    cloud_destroy(&c);
}

static real4 film_normal(real4 a) { return place_of(0, 0, a.z > 0 ? 1 : -1); }

static void film_check_keeps_the_sides_apart(void **state)
{
    (void)state;
    int side = 12, count = side * side;
    real4 *place = obtain(2 * count), *upper = patch(side, 0.2, 0.3);
    for (int k = 0; k < count; k++) {
        place[k] = upper[k];
        place[count + k] = place_of(upper[count - 1 - k].x + 0.3, upper[count - 1 - k].y + 0.2, -0.3);
    }
    cloud c;
    cloud_create(&c, place, 2 * count, 3, NULL, film_normal);
    for (int check = 0; check < 2; check++) {
        rings r = cloud_rings(&c, 3, check);
        int mixed = 0;
        for (int k = 0; k < c.count; k++)
            for (int m = r.begin[k]; m < r.begin[k + 1]; m++)
                mixed += c.p.position[k].z * c.p.position[r.member[m]].z < 0;
        assert_int_equal(mixed > 0, !check);
    }
    aligned_release(place), aligned_release(upper);
    cloud_destroy(&c);
}

static const double approach = 5.7; /* half the distance of two spheres' centres */

static real4 pair_normal(real4 a)
{
    a.x += a.x > 0 ? -(real)approach : (real)approach;
    return radial(a);
}

/* Facing surfaces of two volumes must be able to merge: the check drops none of the others' particles there, and
 * elsewhere every ring stays on its own sphere. */
static void approaching_spheres_meet(void **state)
{
    (void)state;
    int count = 400, meeting = 0;
    double radius = sphere_radius(count);
    real4 *left = fibonacci_sphere(count, radius, -approach), *right = fibonacci_sphere(count, radius, approach);
    real4 *place = obtain(2 * count);
    memcpy(place, left, (size_t)count * sizeof(real4));
    memcpy(place + count, right, (size_t)count * sizeof(real4));
    cloud c;
    cloud_create(&c, place, 2 * count, 3, NULL, pair_normal);
    rings r = cloud_rings(&c, 3, true);
    for (int k = 0; k < c.count; k++)
        for (int m = r.begin[k]; m < r.begin[k + 1]; m++) {
            bool is_other = c.p.position[k].x * c.p.position[r.member[m]].x < 0;
            meeting += is_other;
            if (is_other) assert_true(fabs(c.p.position[k].x) < 3);
        }
    assert_true(meeting > 0);
    aligned_release(left), aligned_release(right), aligned_release(place);
    cloud_destroy(&c);
}

/* Alone, two, three in a row, all in one place, a clump denser than any liquid: no ring is wrong, none is too long. */
static void rings_of_degenerate_clouds(void **state)
{
    (void)state;
    real4 place[1000];
    uint32_t random = 5;
    int count = 0;
    place[count++] = place_of(0, 0, 0);
    for (int k = 0; k < 2; k++) place[count++] = place_of(20 + k, 0, 0);
    for (int k = 0; k < 3; k++) place[count++] = place_of(40 + k, 0, 0);
    for (int k = 0; k < 5; k++) place[count++] = place_of(60, 0, 0);
    for (int k = 0; k < 5; k++) place[count++] = place_of(80, 0, 0.3 * k); /* a column along the normal */
    for (; count < 900; count++)
        place[count] = place_of(100 + random_unit(&random), random_unit(&random), 0.1 * random_unit(&random));
    for (; count < 940; count++) { /* a wheel: more neighbours than a ring has room for */
        double angle = 2 * pi * (count - 900) / 40;
        place[count] = place_of(120 + cos(angle), sin(angle), 0);
    }
    place[count++] = place_of(120, 0, 0);
    cloud c;
    cloud_create(&c, place, count, 3, NULL, NULL);
    rings r = cloud_rings(&c, 3, true);
    assert_references(&r, c.p.end);
    for (int k = 0; k < c.count; k++) {
        real4 a = c.p.position[k];
        int size = r.begin[k + 1] - r.begin[k];
        assert_true(isfinite(r.shift[k].x + r.shift[k].y + r.shift[k].z) && r.shift[k].w > 0);
        if (a.x < 10) assert_true(size == 0 && r.gaps[k] == 1);
        if (a.x > 10 && a.x < 30) assert_true(size == 1 && r.gaps[k] == 1 && !r.has_triangle[r.begin[k]]);
        if (a.x > 30 && a.x < 50) {
            bool is_middle = fabs(a.x - 41) < 0.5;
            assert_true(size == (is_middle ? 2 : 1) && r.gaps[k] == (is_middle ? 2 : 1));
            for (int m = r.begin[k]; m < r.begin[k + 1]; m++) assert_false(r.has_triangle[m]);
        }
        if (a.x > 50 && a.x < 90) assert_true(size == 0 && r.gaps[k] == 1);
        if (a.x == 120 && a.y == 0) assert_true(size >= 8 && r.gaps[k] == 0);
    }
    assert_true(isfinite(rings_non_manifold(&r, &c.p)));
    cloud_destroy(&c);
}

static void no_particles(void **state)
{
    (void)state;
    real4 place[] = {place_of(0, 0, 0)};
    cloud c;
    cloud_create(&c, place, 1, 3, NULL, NULL);
    c.count = 0;
    rings r = cloud_rings(&c, 3, true);
    assert_int_equal(r.begin[0], 0);
    assert_true(rings_measure(&r, c.p.position, NULL, 0).area == 0 && rings_non_manifold(&r, &c.p) == 0);
    surface_visibility(false, 1, NULL, c.n, c.p.position, c.list, 0, NULL);
    surface_principal_components(c.n, c.p.position, 2, c.list, 0, NULL);
    assert_int_equal(surface_compact(NULL, 0, NULL), 0);
    cloud_destroy(&c);
}

/* --- components --- */

static void components_know_lines_planes_balls(void **state)
{
    (void)state;
    real4 place[3000];
    int count = 0, ball;
    double turn = 0.7; /* not along an axis */
    for (int k = -8; k <= 8; k++) place[count++] = place_of(k * cos(turn), k * sin(turn), 0);
    for (int k = 0; k < 15 * 15; k++) {
        double x = k % 15 - 7, y = k / 15 - 7;
        place[count++] = place_of(40 + x * cos(turn), y, 40 + x * sin(turn));
    }
    real4 *lattice = lattice_ball(6, 0, &ball);
    for (int k = 0; k < ball; k++) place[count++] = place_of(80 + lattice[k].x, lattice[k].y, lattice[k].z);
    aligned_release(lattice);
    cloud c;
    cloud_create(&c, place, count, 4.5, NULL, NULL);
    int32_t list[3] = {0, 0, 0};
    for (int i = 0; i < count; i++) {
        real4 a = c.p.position[i];
        if (a.x == 0 && a.y == 0 && a.z == 0) list[0] = i;
        if (a.x == 40 && a.y == 0 && a.z == 40) list[1] = i;
        if (a.x == 80 && a.y == 0 && a.z == 0) list[2] = i;
    }
    real4 v[3];
    surface_principal_components(c.n, c.p.position, (real)4.1, list, 3, v);
    double line = 4 * 5 / 3.0; /* variance of -4 .. 4 */
    assert_true(v[0].w == 9 && fabs(v[0].x / line - 1) < 1e-5 && v[0].y < 1e-5 && v[0].z <= v[0].y);
    assert_true(fabs(v[1].x / v[1].y - 1) < 1e-5 && v[1].z < 1e-5 && v[1].w == 49);
    assert_true(fabs(v[2].x / v[2].z - 1) < 1e-5 && v[2].x >= v[2].y && v[2].y >= v[2].z);
    assert_true(fabs(v[2].x / (4.1 * 4.1 / 5) - 1) < 0.1);
    cloud_destroy(&c);
}

/* --- order and threads --- */

static void compact_lists_flags_in_order(void **state)
{
    (void)state;
    int sizes[] = {1, 5, 4096, 4097, 100000, 1200000};
    for (int s = 0; s < 6; s++) {
        int count = sizes[s], expected = 0;
        uint8_t *flag = malloc((size_t)count);
        int32_t *list = malloc((size_t)count * sizeof(int32_t));
        uint32_t random = (uint32_t)s;
        for (int i = 0; i < count; i++) flag[i] = random_unit(&random) < 0.2 ? 3 : 0;
        int found = surface_compact(flag, count, list);
        for (int i = 0; i < count; i++)
            if (flag[i]) assert_int_equal(list[expected++], i);
        assert_int_equal(found, expected);
        free(flag), free(list);
    }
}

static void same_bytes_for_any_number_of_threads(void **state)
{
    (void)state;
    int count = 3000;
    real4 *place = fibonacci_sphere(count, sphere_radius(count), 0);
    cloud c;
    cloud_create(&c, place, count, 3, NULL, radial);
    size_t room = (size_t)count;
    real *light[2] = {malloc(room * sizeof(real)), malloc(room * sizeof(real))};
    real4 *values[2] = {obtain(count), obtain(count)};
    int threads[] = {1, 2, 3, 8};
    rings first = {0};
    double area = 0;
    for (int t = 0; t < 4; t++) {
        parallel_set_threads(threads[t]);
        int at = t > 0;
        surface_visibility(false, 1, NULL, c.n, c.p.position, c.list, count, light[at]);
        surface_principal_components(c.n, c.p.position, 2, c.list, count, values[at]);
        rings r = cloud_rings(&c, 3, true);
        double this_area = rings_measure(&r, c.p.position, NULL, 0).area;
        if (t == 0) {
            first = r, area = this_area;
            continue;
        }
        size_t members = (size_t)r.begin[count];
        assert_memory_equal(light[0], light[1], room * sizeof(real));
        assert_memory_equal(values[0], values[1], room * sizeof(real4));
        assert_memory_equal(r.begin, first.begin, (room + 1) * sizeof(int32_t));
        assert_memory_equal(r.member, first.member, members * sizeof(int32_t));
        assert_memory_equal(r.has_triangle, first.has_triangle, members);
        assert_memory_equal(r.gaps, first.gaps, room);
        assert_memory_equal(r.shift, first.shift, room * sizeof(real4));
        assert_memory_equal(r.reference, first.reference, members * sizeof(int32_t));
        assert_true(area == this_area);
    }
    parallel_set_threads(0);
    aligned_release(place), free(light[0]), free(light[1]), aligned_release(values[0]), aligned_release(values[1]);
    cloud_destroy(&c);
}

/* Half a spacing above the points: of a ball and of a column what is known; of any saddle a finite kappa, and of its
 * sign. */
static void curvature_above_the_points(void **state)
{
    (void)state;
    for (double radius = 2; radius < 20; radius *= 2) {
        real k = (real)(1 / (radius - 0.5));
        assert_float_equal(surface_curvature_above(2 * k, k * k, 1), 2 / radius, 1e-5);
        assert_float_equal(surface_curvature_above(k, 0, 1), 1 / radius, 1e-5);
        for (real other = 0; other < k; other += k / 8) {
            real above = surface_curvature_above(k - other, -k * other, 1);
            assert_true(above > 0 && above <= k);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(light_equals_its_plain_twin),
        cmocka_unit_test(light_tells_surface_from_interior),
        cmocka_unit_test(light_of_few),
        cmocka_unit_test(rings_of_a_sphere),
        cmocka_unit_test(rings_in_the_plane_are_delaunay),
        cmocka_unit_test(rings_of_a_lattice_patch),
        cmocka_unit_test(rings_across_periodic_faces),
        cmocka_unit_test(film_check_keeps_the_sides_apart),
        cmocka_unit_test(approaching_spheres_meet),
        cmocka_unit_test(rings_of_degenerate_clouds),
        cmocka_unit_test(no_particles),
        cmocka_unit_test(components_know_lines_planes_balls),
        cmocka_unit_test(compact_lists_flags_in_order),
        cmocka_unit_test(curvature_above_the_points),
        cmocka_unit_test(same_bytes_for_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
