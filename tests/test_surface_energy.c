/* Areas and energy of reconstructed surfaces on bodies whose answer is known: how far off they are, and how much that
 * differs from filling to filling. With an argument, for every body: the table of docs/probes.md, volume over its own,
 * areas and energy (over the surface tension) over the area of a ball as large as the body (of a film: its free area),
 * all in %. */
#include "base/arena.h"
#include "known_points.h"
#include "measure/surface.h"
#include "sim/simulation.h"
#include "toy_method.h"

#include <stdio.h>
#include <stdlib.h>

static const double spacing = 1e-4;
enum { FILLINGS = 4, MOVES = 3 };
static bool has_all_bodies; /* else every second cap */

typedef struct body {
    char name[48];
    double cosine, free_area, wetted_area, volume;
    dew_shape_def liquid;
    dew_solid_def solids[2];
    int solid_count;
    dew_domain_def domain;
} body;

/* --- turning --- */

typedef struct turning {
    dew_vec3 x, y, z, shift;
} turning;

static turning turning_of(int filling)
{
    unsigned seed = 77u + 1013u * (unsigned)filling;
    dew_vec3 z = vec3_normalise((dew_vec3){chance(&seed) - 0.5, chance(&seed) - 0.5, chance(&seed) - 0.5});
    if (filling == 0) z = (dew_vec3){0, 0, 1};
    dew_vec3 x = vec3_perpendicular(z);
    return (turning){x,
                     vec3_cross(z, x),
                     z,
                     {0.01 + spacing * chance(&seed), 0.02 + spacing * chance(&seed), spacing * chance(&seed)}};
}

static dew_vec3 turn(const turning *t, dew_vec3 a)
{
    dew_vec3 b = vec3_add(t->shift, vec3_scale(a.x, t->x));
    b = vec3_add(b, vec3_scale(a.y, t->y));
    return vec3_add(b, vec3_scale(a.z, t->z));
}

static dew_solid_def plane_at(const turning *t, double z, double sign, const char *name)
{
    dew_solid_def s = dew_default_solid_def();
    s.name = name;
    s.shape = dew_plane(turn(t, (dew_vec3){0, 0, z}), vec3_scale(sign, t->z));
    return s;
}

/* --- bodies --- */

static void make_cap(body *b, double degrees, int size, const turning *t)
{
    double c = cos(degrees * DEGREE), unit = PI / 3 * (2 + c) * (1 - c) * (1 - c);
    double R = spacing * cbrt(size / unit), line = R * sin(degrees * DEGREE);
    snprintf(b->name, sizeof b->name, "cap of %g degrees, %d", degrees, size);
    b->cosine = c, b->free_area = 2 * PI * R * R * (1 - c), b->wetted_area = PI * line * line;
    b->volume = unit * R * R * R;
    b->liquid = dew_sphere(turn(t, (dew_vec3){0, 0, -R * c}), R);
    b->solids[0] = plane_at(t, 0, 1, "floor"), b->solid_count = 1;
}

static void make_ball(body *b, int size, const turning *t)
{
    double R = spacing * cbrt(size / (4 * PI / 3));
    snprintf(b->name, sizeof b->name, "ball, %d", size);
    b->free_area = 4 * PI * R * R, b->volume = 4 * PI / 3 * R * R * R;
    b->liquid = dew_sphere(turn(t, (dew_vec3){0, 0, 0}), R);
}

static void make_edge(body *b, const turning *t)
{
    double R = 12 * spacing;
    snprintf(b->name, sizeof b->name, "quarter of a ball in an edge, %d", (int)(PI / 3 * 12 * 12 * 12));
    b->free_area = PI * R * R, b->wetted_area = PI * R * R, b->volume = PI / 3 * R * R * R;
    b->liquid = dew_sphere(turn(t, (dew_vec3){0, 0, 0}), R);
    b->solids[0] = plane_at(t, 0, 1, "floor"), b->solids[1] = plane_at(t, 0, 1, "side"), b->solid_count = 2;
    b->solids[1].shape = dew_plane(t->shift, t->x);
}

static void make_film(body *b, double layers, bool has_wall, int filling)
{
    double L = (24 + 0.21 * filling) * spacing, h = layers * spacing;
    snprintf(b->name, sizeof b->name, has_wall ? "film of %g spacings on a wall" : "free film of %g spacings", layers);
    b->free_area = has_wall ? L * L : 2 * L * L, b->wetted_area = has_wall ? L * L : 0, b->volume = h * L * L;
    b->cosine = 0.5;
    b->domain.min = (dew_vec3){0, 0, -L}, b->domain.max = (dew_vec3){L, L, L};
    b->domain.axis[0] = b->domain.axis[1] = DEW_PERIODIC;
    b->liquid = dew_box((dew_vec3){0, 0, has_wall ? 0 : -0.5 * h}, (dew_vec3){L, L, has_wall ? h : 0.5 * h});
    if (!has_wall) return;
    turning t = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}};
    b->solids[0] = plane_at(&t, 0, 1, "floor"), b->solid_count = 1;
}

/* Between plates at z = -half and half: the meridian is an arc that meets them under the contact angle. */
typedef struct bridge {
    double half, neck, arc;
    bool is_concave;
    turning turn;
} bridge;

static void bridge_value(void *context, int count, const double *const *x, double *output)
{
    const bridge *b = context;
    for (int i = 0; i < count; i++) {
        dew_vec3 d = vec3_sub((dew_vec3){x[0][i], x[1][i], x[2][i]}, b->turn.shift);
        double r = hypot(vec3_dot(d, b->turn.x), vec3_dot(d, b->turn.y)), z = vec3_dot(d, b->turn.z);
        double out = b->is_concave ? b->arc - hypot(r - b->neck - b->arc, z) : hypot(r - b->neck + b->arc, z) - b->arc;
        output[i] = fmax(out, fabs(z) - b->half - 2 * spacing);
        if (b->is_concave && r > b->neck + b->arc) output[i] = spacing;
    }
}

static void make_bridge(body *b, double degrees, const turning *t, bridge *arch)
{
    *arch = (bridge){6 * spacing, 8 * spacing, 0, degrees < 90, *t};
    arch->arc = arch->half / fabs(cos(degrees * DEGREE));
    snprintf(b->name, sizeof b->name, "bridge at %g degrees", degrees);
    b->cosine = cos(degrees * DEGREE);
    enum { PARTS = 2000 };
    double r = 0;
    for (int k = 0; k <= PARTS; k++) {
        double z = arch->half * k / PARTS, w = (k == 0 || k == PARTS ? 1 : k % 2 ? 4 : 2) / 3.0 * arch->half / PARTS;
        double bow = sqrt(arch->arc * arch->arc - z * z), sign = arch->is_concave ? 1 : -1;
        r = arch->neck + sign * (arch->arc - bow);
        b->free_area += 2 * w * 2 * PI * r * arch->arc / bow, b->volume += 2 * w * PI * r * r;
    }
    b->wetted_area = 2 * PI * r * r;
    b->liquid = dew_default_shape_def();
    b->liquid.kind = DEW_SHAPE_IMPLICIT;
    b->liquid.implicit.value = (dew_function){bridge_value, arch};
    double side = 20 * spacing;
    b->liquid.implicit.min = vec3_sub(t->shift, (dew_vec3){side, side, side});
    b->liquid.implicit.max = vec3_add(t->shift, (dew_vec3){side, side, side});
    b->solids[0] = plane_at(t, -arch->half, 1, "floor"), b->solids[1] = plane_at(t, arch->half, -1, "lid");
    b->solid_count = 2;
}

/* --- measuring --- */

typedef struct figures {
    double free_area, wetted_area, volume, energy; /* off, the areas and the energy over `scale` x tension */
} figures;

static double scale_of(const body *b)
{
    return b->domain.axis[0] == DEW_PERIODIC ? b->free_area : cbrt(36 * PI * b->volume * b->volume);
}

static figures measure_frame(const body *b, const dew_frame *frame)
{
    double area, wetted, volume, energy, scale = scale_of(b);
    dew_measurer *measurer;
    check_ok(dew_measurer_create(&measurer));
    check_ok(dew_measure(measurer, frame, "surface_area", &area));
    check_ok(dew_measure(measurer, frame, "wetted_area", &wetted));
    check_ok(dew_measure(measurer, frame, "volume", &volume));
    check_ok(dew_measure(measurer, frame, "surface_energy", &energy));
    dew_measurer_destroy(measurer);
    return (figures){(area - b->free_area) / scale, (wetted - b->wetted_area) / scale, volume / b->volume - 1,
                     (energy / 0.072 - (b->free_area - b->cosine * b->wetted_area)) / scale};
}

static dew_simulation *fill_body(body *b)
{
    static method able;
    dew_material_def water = dew_default_material_def();
    dew_liquid_def liquid = dew_default_liquid_def();
    dew_simulation_def def = dew_default_simulation_def();
    able = method_toy;
    able.info.features |= DEW_FEATURE_CONTACT_ANGLE | DEW_FEATURE_SYMMETRY;
    for (int k = 0; k < b->solid_count; k++) b->solids[k].contact_angle = acos(b->cosine) / DEGREE;
    liquid.shape = b->liquid;
    def.method = "toy", def.spacing = spacing, def.gravity = (dew_vec3){0, 0, 0}, def.domain = b->domain;
    def.materials = &water, def.material_count = 1, def.liquids = &liquid, def.liquid_count = 1;
    def.solids = b->solids, def.solid_count = b->solid_count;
    dew_simulation *s;
    check_ok(simulation_create_with(&able, &def, &s));
    return s;
}

/* The frame with every particle moved by up to `most` along each axis. */
static figures measure_moved(const body *b, const dew_frame *frame, double most, unsigned seed)
{
    dew_field fields[8];
    dew_frame moved = *frame;
    real4 *places = aligned_obtain((size_t)frame->particle_count * sizeof *places);
    for (int k = 0; k < frame->field_count; k++) {
        fields[k] = frame->fields[k];
        if (strcmp(fields[k].name, "position") != 0) continue;
        memcpy(places, fields[k].data, (size_t)frame->particle_count * sizeof *places);
        for (int i = 0; i < frame->particle_count; i++) {
            places[i].x += (real)(most * (2 * chance(&seed) - 1)),
                places[i].y += (real)(most * (2 * chance(&seed) - 1));
            places[i].z += (real)(most * (2 * chance(&seed) - 1));
        }
        fields[k].data = places;
    }
    moved.fields = fields;
    figures f = measure_frame(b, &moved);
    aligned_release(places);
    return f;
}

typedef void make_fcn(body *b, int kind, int filling, bridge *arch);

static void make_body(body *b, int kind, int filling, bridge *arch)
{
    static const double angles[] = {10, 15, 20, 30, 45, 60, 90, 120, 135, 150, 160, 165, 170};
    enum { ANGLES = sizeof angles / sizeof *angles };
    turning t = turning_of(filling);
    *b = (body){.domain = dew_default_simulation_def().domain};
    if (kind < ANGLES)
        make_cap(b, angles[kind], kind < 3 ? 10000 : 2500, &t);
    else if (kind < ANGLES + 3)
        make_film(b, (const double[]){2, 3, 5}[kind - ANGLES], true, filling);
    else if (kind < ANGLES + 6)
        make_film(b, (const double[]){2, 3, 5}[kind - ANGLES - 3], false, filling);
    else if (kind < ANGLES + 8)
        make_bridge(b, kind - ANGLES == 6 ? 60 : 120, &t, arch);
    else if (kind == ANGLES + 8)
        make_edge(b, &t);
    else
        make_ball(b, kind == ANGLES + 9 ? 2000 : 10000, &t);
}
enum { CAPS = 13, KINDS = CAPS + 6 + 2 + 1 + 2 };

enum { VOLUME, FREE, WETTED, ENERGY, FIGURES };

typedef struct statistics {
    double sum[FIGURES], squares[FIGURES];
    int count;
} statistics;

static void add(statistics *s, figures f)
{
    const double x[FIGURES] = {f.volume, f.free_area, f.wetted_area, f.energy};
    for (int k = 0; k < FIGURES; k++) s->sum[k] += x[k], s->squares[k] += x[k] * x[k];
    s->count++;
}

static double mean(const statistics *s, int k) { return 100 * s->sum[k] / s->count; }

static double scatter(const statistics *s, int k)
{
    double square = s->squares[k] / s->count - s->sum[k] * s->sum[k] / s->count / s->count;
    return 100 * sqrt(fmax(0, square * s->count / (s->count - 1)));
}

/* Over fillings: turned and shifted. Over moves of the first of them: what it differs by. */
static int measure_body(int kind, body *b, statistics *fillings, statistics *moves)
{
    int count = 0;
    bridge arch;
    for (int k = 0; k < FILLINGS; k++) {
        make_body(b, kind, k, &arch);
        dew_simulation *s = fill_body(b);
        const dew_frame *frame = dew_simulation_frame(s);
        figures f = measure_frame(b, frame);
        add(fillings, f);
        count = frame->particle_count;
        for (unsigned m = 0; k == 0 && m < MOVES; m++) {
            figures g = measure_moved(b, frame, 0.05 * sqrt(3) * spacing, 5 + m);
            g.energy -= f.energy;
            add(moves, g);
        }
        dew_simulation_destroy(s);
    }
    return count;
}

/* The accuracy that docs/probes.md states. */
static void test_energies(void **state)
{
    (void)state;
    puts("body, particles: off in volume, free area, wetted area, energy | scatter of the last three | particles moved "
         "by "
         "0.05 spacings: energy off, scatter");
    for (int kind = 0; kind < KINDS; kind++) {
        if (kind < CAPS && kind % 2 && !has_all_bodies) continue;
        statistics fillings = {0}, moves = {0};
        body b;
        int count = measure_body(kind, &b, &fillings, &moves);
        printf("%s, %d: %+.1f %+.1f %+.1f %+.1f | %.2f %.2f %.2f | %+.1f %.2f\n", b.name, count,
               mean(&fillings, VOLUME), mean(&fillings, FREE), mean(&fillings, WETTED), mean(&fillings, ENERGY),
               scatter(&fillings, FREE), scatter(&fillings, WETTED), scatter(&fillings, ENERGY), mean(&moves, ENERGY),
               scatter(&moves, ENERGY));
        fflush(stdout);
        bool is_thin = b.wetted_area > 0 && b.volume / b.wetted_area < 2.9 * spacing;
        check_close(mean(&fillings, VOLUME), 0, 1);
        check_close(mean(&fillings, ENERGY), 0, is_thin ? 3 : 1.7);
        check_close(scatter(&fillings, ENERGY), 0, is_thin ? 0.6 : 0.35);
        check_close(mean(&moves, ENERGY), 0, is_thin ? 1.4 : 0.8);
        check_close(scatter(&moves, ENERGY), 0, is_thin ? 0.3 : 0.15);
        if (b.wetted_area > 0) check_close(mean(&fillings, WETTED), 0, 1.5);
    }
}

/* --- the line's bend --- */

/* The kernel of the reconstruction, along a line through it: what a wedge that goes on along the line sees. */
static double kernel_beside(double rho)
{
    enum { PARTS = 100 };
    double sum = 0;
    for (int k = 0; k < PARTS; k++) {
        double z = (k + 0.5) / PARTS, s = 1 - rho * rho - z * z;
        if (s > 0) sum += (1 - 3 * (1 - s)) * s * s * s * s / PARTS;
    }
    return sum;
}

enum { GRID = 80 };
static double kernel_sum, kernel_at[2 * GRID][2 * GRID];

static void make_kernel(void)
{
    for (int i = 0; i < 2 * GRID; i++) {
        for (int j = 0; j < 2 * GRID; j++) {
            kernel_at[i][j] = kernel_beside(hypot(i + 0.5 - GRID, j + 0.5 - GRID) / GRID);
            kernel_sum += kernel_at[i][j];
        }
    }
}

/* The colour of a wedge of liquid, x < -abs(z) cot(angle), at a place; in spacings. */
static double wedge_colour(double x, double z, double cotangent)
{
    double sum = 0, cell = 2.5 / GRID;
    for (int i = 0; i < 2 * GRID; i++) {
        for (int j = 0; j < 2 * GRID; j++) {
            double at = x + (i + 0.5 - GRID) * cell, up = fabs(z + (j + 0.5 - GRID) * cell);
            double within = 0.5 - (at + up * cotangent) / hypot(1, cotangent) / cell;
            sum += kernel_at[i][j] * fmax(0, fmin(1, within));
        }
    }
    return sum / kernel_sum;
}

static void test_bend(void **state)
{
    (void)state;
    enum { PARTS = 20 };
    make_kernel();
    for (double angle = 20; angle <= 160; angle += 35) {
        double cotangent = 1 / tan(angle * DEGREE), top = 2.5, length = 0, last = 0, shift = 0;
        for (int k = 0; k <= PARTS; k++) {
            double z = top * k / PARTS, low = -z * cotangent - 3, high = -z * cotangent + 3;
            for (int turn = 0; turn < 16; turn++) {
                double middle = (low + high) / 2;
                if (wedge_colour(middle, z, cotangent) > 0.5)
                    low = middle;
                else
                    high = middle;
            }
            if (k == 0) shift = low;
            if (k > 0) length += hypot(low - last, top / PARTS);
            last = low;
        }
        double excess = length - top / sin(angle * DEGREE) - shift * cos(angle * DEGREE);
        check_close(contact_line_excess(angle), excess, 0.004);
    }
}

int main(int argc, char **argv)
{
    (void)argv;
    has_all_bodies = argc > 1;
    const struct CMUnitTest all[] = {cmocka_unit_test(test_bend), cmocka_unit_test(test_energies)};
    return cmocka_run_group_tests(all, NULL, NULL);
}
