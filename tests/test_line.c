/* The contact line among particles: length and direction on still liquids whose line is known, and a plain twin.
 * Lengths are in spacings. SHOW_LINE=1 prints what was measured. */
#include "known_points.h"

#include "base/arena.h"
#include "geometry/shape.h"
#include "surface/line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- clouds on a wall --- */

enum { MOST = 60000 };

#define REACH 2.7

typedef struct cloud {
    int count;
    real4 *x;
} cloud;

typedef struct found_line {
    particles p;
    neighbours *n;
    real4 *wall, *line;
    double length;
} found_line;

/* The distance from the wall; the wall is z = 0 or, in 2D, y = 0, turned with the cloud by `turned` (NULL: not). */
static void find(found_line *f, const cloud *c, int dimension, const dew_vec3 *turned)
{
    line_table t;
    line_table_make(&t, dimension, 1, REACH);
    dew_vec3 up = dimension == 3 ? (dew_vec3){0, 0, 1} : (dew_vec3){0, 1, 0};
    real4 *x = aligned_obtain((size_t)c->count * sizeof *x);
    for (int i = 0; i < c->count; i++) {
        dew_vec3 at = {(double)c->x[i].x, (double)c->x[i].y, (double)c->x[i].z};
        x[i] = point_at(turned ? vec3_turned(turned, at) : at);
    }
    if (turned) up = vec3_turned(turned, up);
    check_ok(particles_create(&f->p));
    check_ok(particles_insert(&f->p, c->count, x, NULL, 0));
    check_ok(neighbours_create(&f->n, 2.8, 0.2));
    check_ok(neighbours_build(f->n, &f->p, NULL));
    size_t slots = (size_t)f->p.end + 20;
    f->wall = memset(aligned_obtain(slots * sizeof *f->wall), 0xff, slots * sizeof *f->wall); /* NaN at dummies */
    f->line = aligned_obtain(slots * sizeof *f->line);
    for (int i = 0; i < c->count; i++) {
        real4 p = f->p.position[i];
        double height = (double)p.x * up.x + (double)p.y * up.y + (double)p.z * up.z;
        f->wall[i] = (real4){(real)up.x, (real)up.y, (real)up.z, (real)height};
    }
    int blocks = PAIR_BLOCKS(c->count);
    line_find(&t, neighbours_lists(f->n), 0, blocks / 3, f->p.position, f->wall, f->line, NULL);
    line_find(&t, neighbours_lists(f->n), blocks / 3, blocks, f->p.position, f->wall, f->line, NULL);
    f->length = 0;
    for (int i = 0; i < c->count; i++) f->length += (double)f->line[i].w;
    aligned_release(x);
}

static void found_destroy(found_line *f)
{
    aligned_release(f->wall), aligned_release(f->line);
    neighbours_destroy(f->n);
    particles_destroy(&f->p);
}

/* Liquids: signed distance to the outline on the wall along it, and the outward direction there. */
typedef enum outline_kind { DISC, RING, SQUARE, CAP } outline_kind;

typedef struct liquid_on_wall {
    const char *name;
    outline_kind kind;
    double radius, inner; /* of a square: half its side; of a ring: inner radius; of a cap: angle in degrees */
} liquid_on_wall;

static double line_length(const liquid_on_wall *l)
{
    return l->kind == SQUARE ? 8 * l->radius : 2 * PI * (l->radius + (l->kind == RING ? l->inner : 0));
}

/* The angle between a particle's direction and the true one, degrees; corners of squares are left out: < 0. */
static double direction_error(const liquid_on_wall *l, real4 x, real4 out, double turn)
{
    double c = cos(turn), s = sin(turn), a = c * (double)x.x + s * (double)x.y, b = c * (double)x.y - s * (double)x.x;
    double oa = c * (double)out.x + s * (double)out.y, ob = c * (double)out.y - s * (double)out.x, r = hypot(a, b);
    double na = a / r, nb = b / r;
    if (l->kind == RING && r < (l->radius + l->inner) / 2) na = -na, nb = -nb;
    if (l->kind == SQUARE) {
        if (fabs(fabs(a) - fabs(b)) < 5) return -1;
        na = fabs(a) > fabs(b) ? copysign(1, a) : 0, nb = fabs(a) > fabs(b) ? 0 : copysign(1, b);
    }
    return acos(fmin(oa * na + ob * nb, 1)) / DEGREE;
}

static dew_shape_def cylinder(double radius, double height)
{
    dew_shape_def c = dew_default_shape_def();
    c.kind = DEW_SHAPE_CYLINDER, c.cylinder.radius = radius;
    c.cylinder.from = (dew_vec3){0, 0, 0}, c.cylinder.to = (dew_vec3){0, 0, height};
    return c;
}

/* Filled as simulations fill it. */
static cloud fill_shape(const liquid_on_wall *l, int filling)
{
    dew_shape_def parts[2] = {cylinder(l->radius, 5), cylinder(l->inner, 6)}, whole = parts[0];
    parts[1].cylinder.from.z = -1;
    if (l->kind == SQUARE) whole = dew_box((dew_vec3){-l->radius, -l->radius, 0}, (dew_vec3){l->radius, l->radius, 5});
    if (l->kind == CAP) {
        double ball = l->radius / sin(l->inner * DEGREE);
        parts[0] = dew_sphere((dew_vec3){0, 0, -ball * cos(l->inner * DEGREE)}, ball);
        parts[1] = dew_plane((dew_vec3){0, 0, 0}, (dew_vec3){0, 0, 1});
    }
    if (l->kind == RING || l->kind == CAP) {
        whole = dew_default_shape_def(), whole.kind = DEW_SHAPE_DIFFERENCE;
        whole.combination.children = parts, whole.combination.count = 2;
    }
    shape *s;
    check_ok(shape_create(&s, &whole, 1));
    cloud c;
    check_ok(shape_fill(s, DEW_FILL_RELAXED, filling, 3, 1, NULL, &c.x, &c.count));
    shape_destroy(s);
    return c;
}

/* A cubic lattice whose rows are turned by `turn` against the outline and shifted; layers lie half a spacing from the
 * wall and on. */
static cloud fill_rows(const liquid_on_wall *l, double turn, double shift, int layers)
{
    cloud c = {0, aligned_obtain(MOST * sizeof *c.x)};
    int reach = (int)(1.5 * l->radius) + 2;
    for (int k = 0; k < layers; k++)
        for (int i = -reach; i <= reach; i++)
            for (int j = -reach; j <= reach; j++) {
                double a = i + shift, b = j + 0.37 * shift, cs = cos(turn), sn = sin(turn);
                double x = cs * a - sn * b, y = sn * a + cs * b, r = hypot(x, y);
                bool is_in = l->kind == SQUARE ? fmax(fabs(x), fabs(y)) < l->radius : r < l->radius;
                if (!is_in || (l->kind == RING && r < l->inner)) continue;
                assert_true(c.count < MOST);
                c.x[c.count++] = point(x, y, k + 0.5);
            }
    return c;
}

typedef struct scatter {
    int n;
    double sum, worst, angle;
} scatter;

static void look(scatter *s, const liquid_on_wall *l, const cloud *c)
{
    found_line f;
    find(&f, c, 3, NULL);
    double off = f.length / line_length(l) - 1, angles = 0, weights = 0;
    for (int i = 0; i < c->count; i++) {
        real4 o = f.line[i];
        assert_true(o.w >= 0 && (o.w == 0 || fabs(real3_length(real3_of(o)) - 1) < (real)1e-4));
        assert_true(o.w == 0 || (fabs(o.z) < (real)1e-6 && f.wall[i].w < LINE_LAYER_END));
        double error = o.w > 0 ? direction_error(l, f.p.position[i], o, 0) : -1;
        if (error >= 0) angles += (double)o.w * error * error, weights += (double)o.w;
    }
    s->n++, s->sum += off, s->worst = fmax(s->worst, fabs(off));
    s->angle = fmax(s->angle, sqrt(angles / weights));
    found_destroy(&f);
}

static const liquid_on_wall liquids[] = {
    {"disc", DISC, 6, 0},     {"disc", DISC, 9, 0},      {"disc", DISC, 13, 0}, {"ring", RING, 14, 7},
    {"square", SQUARE, 8, 0}, {"square", SQUARE, 12, 0}, {"cap", CAP, 10, 45},  {"cap", CAP, 10, 60},
    {"cap", CAP, 10, 90},     {"cap", CAP, 10, 120},
};

static void test_filled(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof liquids / sizeof *liquids; k++) {
        const liquid_on_wall *l = &liquids[k];
        scatter s = {0};
        for (int filling = 0; filling < 3; filling++) {
            cloud c = fill_shape(l, filling);
            look(&s, l, &c);
            aligned_release(c.x);
        }
        assert_true(s.angle < 4);
        if (l->kind == CAP && l->inner < 60)
            check_close(s.sum / s.n, -0.11, 0.03); /* as line.h says */
        else
            assert_true(s.worst < 0.05 && fabs(s.sum / s.n) < 0.04);
    }
}

/* Edges at any angle to the rows: there the outline itself is as rough as its steps. */
static void test_rows(void **state)
{
    (void)state;
    for (size_t k = 0; k < 6; k++) {
        scatter s = {0};
        for (int turn = 0; turn < 10; turn++) {
            cloud c = fill_rows(&liquids[k], turn * 9 * DEGREE / 2, 0.1 * turn + 0.5, 3);
            look(&s, &liquids[k], &c);
            aligned_release(c.x);
        }
        assert_true(fabs(s.sum / s.n) < 0.03 && s.worst < 0.055 && s.angle < 9);
    }
}

/* A wall of any tilt changes nothing; nor does liquid above the layer, or another number of layers. A drop that does
 * not touch has no line. */
static void test_tilt_and_height(void **state)
{
    (void)state;
    const liquid_on_wall *disc = &liquids[1];
    dew_vec3 row[3];
    vec3_rotation(vec3_normalise((dew_vec3){1, 2, -0.5}), cos(1.1), sin(1.1), 1 - cos(1.1), row);
    double lengths[4];
    for (int k = 0; k < 4; k++) {
        cloud c = fill_rows(disc, 0.2, 0.3, k == 2 ? 1 : 4);
        for (int i = 0; k == 3 && i < c.count; i++) c.x[i].z += (real)0.8;
        found_line f;
        find(&f, &c, 3, k == 1 ? row : NULL);
        lengths[k] = f.length;
        found_destroy(&f);
        aligned_release(c.x);
    }
    check_close(lengths[1], lengths[0], 1e-3 * lengths[0]);
    check_close(lengths[2], lengths[0], 1e-3 * lengths[0]);
    assert_true(lengths[3] == 0);
}

/* In 2D a strip of liquid has two ends. */
static void test_flat(void **state)
{
    (void)state;
    for (int n = 8; n < 20; n++)
        for (int layers = 1; layers < 4; layers++) {
            cloud c = {0, aligned_obtain(MOST * sizeof *c.x)};
            for (int k = 0; k < layers; k++)
                for (int i = 0; i < n; i++) c.x[c.count++] = point(i - (n - 1) / 2.0, k + 0.5, 0);
            found_line f;
            find(&f, &c, 2, NULL);
            check_close(f.length, 2, 0.1);
            for (int i = 0; i < c.count; i++)
                if (f.line[i].w > 0)
                    assert_true(f.line[i].x * f.p.position[i].x > 0 && fabs(f.line[i].x) > (real)0.999);
            found_destroy(&f);
            aligned_release(c.x);
        }
}

/* --- a plain twin: double loops, and the table's function by bisection on sums over a fine edge --- */

static double edge_sum(double depth, int dimension, double *gradient)
{
    enum { N = 240 };
    double cell = REACH / N, c = 0;
    *gradient = 0;
    for (int i = -N; i < N; i++) {
        double x = (i + 0.5) * cell;
        if (x > depth) continue;
        for (int j = dimension == 3 ? -N : 0; j < (dimension == 3 ? N : 1); j++) {
            double y = dimension == 3 ? (j + 0.5) * cell : 0, q = 1 - (x * x + y * y) / (REACH * REACH);
            if (q <= 0) continue;
            double area = dimension == 3 ? cell * cell : cell;
            c += q * q * area, *gradient -= 4 * q * x / (REACH * REACH) * area;
        }
    }
    return c;
}

static double plain_share(double c, double g, int dimension)
{
    double low = 0, high = REACH, slope, area;
    for (int k = 0; k < 12; k++) {
        double middle = (low + high) / 2;
        area = edge_sum(middle, dimension, &slope);
        if (slope / area > g / c)
            low = middle;
        else
            high = middle;
    }
    double b = 0.62 * REACH, v = low / b;
    return v < 1 ? edge_sum(low, dimension, &slope) / c * (1 - v * v) * (1 - v * v) * 15 / (8 * b) : 0;
}

static void test_plain_twin(void **state)
{
    (void)state;
    unsigned seed = 9;
    cloud c = {700, aligned_obtain(700 * sizeof *c.x)};
    for (int i = 0; i < c.count; i++) c.x[i] = point(14 * chance(&seed), 14 * chance(&seed), 3 * chance(&seed));
    found_line f;
    find(&f, &c, 3, NULL);
    int checked = 0;
    for (int i = 0; i < c.count; i += 3) {
        real4 a = f.p.position[i];
        double sum = 0, gx = 0, gy = 0, chi = fmin(fmax((1.2 - (double)a.z) / 0.6, 0), 1);
        for (int j = 0; j < c.count; j++) {
            real4 b = f.p.position[j];
            double x = (double)(b.x - a.x), y = (double)(b.y - a.y), q = 1 - (x * x + y * y) / (REACH * REACH);
            double weight = fmin(fmax((1.2 - (double)b.z) / 0.6, 0), 1) * fmax(q, 0);
            sum += weight * q, gx -= 4 * weight * x / (REACH * REACH), gy -= 4 * weight * y / (REACH * REACH);
        }
        double g = hypot(gx, gy), share = chi > 0 ? chi * plain_share(sum, g, 3) : 0;
        check_close((double)f.line[i].w, share, 0.01 * share + 2e-3);
        if (share < 0.05) continue;
        check_close((double)f.line[i].x, gx / g, 1e-3), check_close((double)f.line[i].y, gy / g, 1e-3);
        checked++;
    }
    assert_true(checked > 20);
    found_destroy(&f);
    aligned_release(c.x);
}

int main(void)
{
    const struct CMUnitTest all[] = {cmocka_unit_test(test_filled), cmocka_unit_test(test_rows),
                                     cmocka_unit_test(test_tilt_and_height), cmocka_unit_test(test_flat),
                                     cmocka_unit_test(test_plain_twin)};
    return cmocka_run_group_tests(all, NULL, NULL);
}
