/* Heat: what methods share of it, scenes, conduction by mpm against solutions in closed form, what enters, what is
 * kept. */
#define DIM 3
#include "../laws/theory.h"
#include "dew/snapshot.h"
#include "heat/heat.h"
#include "methods/mpm/any/transfer.h"
#include "scene_files.h"

static void check_near(double found, double wanted, double tolerance, const char *what)
{
    if (!(fabs(found - wanted) <= tolerance)) fail_msg("%s is %.9g, not %.9g +- %.2g", what, found, wanted, tolerance);
}

/* --- scalars between points and nodes, against sums over all nodes --- */

static double random_number(void)
{
    static uint32_t state = 4321;
    state = state * 1664525u + 1013904223u;
    return (double)(state >> 8) / (1 << 23) - 1;
}

static double spline(double r)
{
    r = fabs(r);
    return r < 0.5 ? 0.75 - r * r : r < 1.5 ? 0.5 * (1.5 - r) * (1.5 - r) : 0;
}
static double spline_slope(double r)
{
    return fabs(r) < 0.5 ? -2 * r : fabs(r) < 1.5 ? -copysign(1.5 - fabs(r), r) : 0;
}

static double weight(int node, const double *x, double slope[3])
{
    const int at[3] = {node / 64, node / 8 % 8, node % 8};
    double n[3], d[3];
    for (int a = 0; a < 3; a++) n[a] = spline(at[a] - HALO - x[a]), d[a] = -spline_slope(at[a] - HALO - x[a]);
    slope[0] = d[0] * n[1] * n[2], slope[1] = n[0] * d[1] * n[2], slope[2] = n[0] * n[1] * d[2];
    return n[0] * n[1] * n[2];
}

static void test_scalars(void **state)
{
    (void)state;
    const block_place origin = {{0, 0, 0}};
    for (int trial = 0; trial < 50; trial++) {
        real in[TILE_ROOM] = {0}, out[TILE_ROOM] = {0}, value, slope[3], given[4];
        double x[3], sums[4] = {0};
        stencil s;
        for (int k = 0; k < TILE; k++) in[k] = (real)random_number();
        for (int a = 0; a < 3; a++) x[a] = (double)(real)(1.5 + 2.9 * random_number());
        for (int a = 0; a < 4; a++) given[a] = (real)random_number();
        stencil_of(&s, (vquad){(real)x[0], (real)x[1], (real)x[2], 0}, 1, &origin);
        gather_scalar(in, &s, &value, slope);
        deposit_scalar(out, &s, given[3], given);
        for (int k = 0; k < TILE; k++) {
            double g[3], n = weight(k, x, g), wanted = n * (double)given[3];
            sums[3] += n * (double)in[k];
            for (int a = 0; a < 3; a++) sums[a] += g[a] * (double)in[k], wanted += g[a] * (double)given[a];
            check_near((double)out[k], wanted, 2e-6, "what a node gets");
        }
        check_near((double)value, sums[3], 2e-6, "a value");
        for (int a = 0; a < 3; a++) check_near((double)slope[a], sums[a], 4e-6, "a gradient");
    }
}

/* --- what methods share --- */

static void test_melting_keeps_heat(void **state)
{
    (void)state;
    const double latents[] = {0, 80};
    for (int k = 0; k < 2; k++) {
        double temperature = 250, melting = 273, latent = latents[k];
        real melted = 0;
        for (int step = 0; step < 60; step++) { /* 3 K at a time up, then down */
            double all = temperature + latent * (double)melted + (step < 40 ? 3 : -3);
            temperature = heat_melt(melting, latent, all - latent * (double)melted, &melted);
            check_near(temperature + latent * (double)melted, all, 1e-9, "heat");
            if (temperature > melting + 1e-4) assert_true(melted == 1);
            if (temperature < melting - 1e-4) assert_true(melted == 0);
        }
    }
}

static void test_theories(void **state)
{
    (void)state;
    /* Rows of heat_robin.csv: centre, surface. */
    check_near(theory_robin(2, 1, 0.5, 0), 0.5485862, 1e-6, "disc, centre");
    check_near(theory_robin(2, 0.1, 0.1, 1), 0.95943667, 1e-6, "disc, surface");
    /* Rows of stefan_one_phase.csv. */
    check_near(theory_stefan(0.2), 0.30642391, 1e-8, "lambda");
    check_near(theory_stefan(5), 1.059687, 1e-6, "lambda");
    const struct {
        const char *file, *geometry;
        int dimension;
    } tables[] = {{"laws/robin_heat/heat_robin.csv", "cylinder", 2}, {"laws/robin_heat/heat_robin.csv", "sphere", 3}};
    for (int t = 0; t < 2; t++) {
        FILE *f = fopen(in(root, tables[t].file), "r");
        assert_non_null(f);
        char line[512], format[64];
        int rows = 0;
        snprintf(format, sizeof format, "%s,%%lf,%%lf,%%lf,%%lf", tables[t].geometry);
        while (fgets(line, sizeof line, f)) {
            double biot, fourier, centre, surface;
            if (sscanf(line, format, &biot, &fourier, &centre, &surface) != 4 || biot > 20) continue;
            if (++rows % 5) continue;
            check_near(theory_robin(tables[t].dimension, biot, fourier, 0), centre, 2e-6, line);
            check_near(theory_robin(tables[t].dimension, biot, fourier, 1), surface, 2e-6, line);
        }
        fclose(f);
        assert_true(rows > 30);
    }
}

/* --- a bar of liquid at rest --- */

typedef struct bar {
    dew_simulation_def def;
    dew_material_def material;
    dew_liquid_def liquid;
    dew_heat_source_def source;
} bar;

#define LENGTH 2e-3
#define ALPHA 1e-6 /* conductivity over density and heat capacity, m2/s */

static void cosine(void *context, int count, const double *const *inputs, double *output)
{
    (void)context;
    for (int i = 0; i < count; i++) output[i] = 300 + 5 * cos(M_PI * inputs[0][i] / LENGTH);
}

/* LENGTH x LENGTH/4 (x LENGTH/4), 32 particles long, from the origin on. */
static void begin_bar(bar *b, int dimension)
{
    *b = (bar){.def = dew_default_simulation_def(),
               .material = dew_default_material_def(),
               .liquid = dew_default_liquid_def(),
               .source = dew_default_heat_source_def()};
    b->material.surface_tension = 0;
    b->material.density = 1000, b->material.heat_capacity = 1000, b->material.conductivity = 1;
    double across = LENGTH / 4, deep = dimension == 2 ? 1 : across;
    b->liquid.shape = dew_box((dew_vec3){0, 0, dimension == 2 ? -1 : 0}, (dew_vec3){LENGTH, across, deep});
    b->liquid.fill = DEW_FILL_CUBIC, b->liquid.temperature = 300;
    b->def.method = "mpm", b->def.dimension = dimension, b->def.spacing = LENGTH / 32;
    b->def.gravity = (dew_vec3){0, 0, 0};
    b->def.has_heat = true;
    b->def.materials = &b->material, b->def.material_count = 1;
    b->def.liquids = &b->liquid, b->def.liquid_count = 1;
    b->def.frame_rate = 10, b->def.threads = 1;
}

static dew_simulation *make(bar *b)
{
    dew_simulation *s;
    if (dew_simulation_create(&b->def, &s) != DEW_OK) fail_msg("%s", dew_message());
    return s;
}

static void advance(dew_simulation *s, int frames)
{
    for (int k = 0; k < frames; k++)
        if (dew_simulation_advance_frame(s, NULL, NULL) != DEW_OK) fail_msg("%s", dew_message());
}

static double measure(const dew_simulation *s, const char *quantity)
{
    double values[8];
    assert_int_equal(dew_simulation_measure(s, quantity, values), DEW_OK);
    return values[0];
}

/* Amplitude of cos(pi x/LENGTH). */
static double wave(const dew_simulation *s)
{
    dew_field x, t;
    assert_true(dew_simulation_field(s, "position", &x) && dew_simulation_field(s, "temperature", &t));
    double product = 0, square = 0;
    for (int i = 0; i < x.count; i++) {
        double c = cos(M_PI * (double)((const dew_real *)x.data)[(ptrdiff_t)i * x.stride] / LENGTH);
        product += c * ((double)((const dew_real *)t.data)[(ptrdiff_t)i * t.stride] - 300), square += c * c;
    }
    return product / square;
}

/* A wave of temperature dies as exp(-alpha k^2 t), insulated, and nothing is lost. */
static void test_wave(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        bar b;
        begin_bar(&b, dimension);
        b.liquid.temperature_of = (dew_function){cosine, NULL};
        dew_simulation *s = make(&b);
        double before = measure(s, "heat"), end = 0.4;
        advance(s, 4);
        check_near(wave(s), 5 * exp(-ALPHA * M_PI * M_PI / (LENGTH * LENGTH) * end), 0.01, "the wave");
        check_near(measure(s, "heat") / before, 1, 1e-7, "heat");
        dew_simulation_destroy(s);
    }
}

/* A step a hundred times as long as heat takes to spread over a cell neither blows up nor overshoots. */
static void test_long_steps(void **state)
{
    (void)state;
    bar b;
    begin_bar(&b, 2);
    b.liquid.temperature_of = (dew_function){cosine, NULL};
    dew_parameter_value step = {.name = "heat_step", .number = 1e6};
    b.def.parameters = &step, b.def.parameter_count = 1;
    b.def.frame_rate = ALPHA / (100 * 4 * b.def.spacing * b.def.spacing);
    dew_simulation *s = make(&b);
    double range[2];
    advance(s, 2);
    assert_int_equal(dew_simulation_measure(s, "temperature", range), DEW_OK);
    assert_true(range[0] > 298.5 && range[1] < 301.5);
    advance(s, 6);
    check_near(wave(s), 0, 0.02, "the wave");
    dew_simulation_destroy(s);
    /* Nor does a surface that is held at a temperature, however firmly. */
    for (int k = 0; k < 2; k++) {
        b.def.parameter_count = k;
        b.def.frame_rate = k ? 0.1 : 100;
        b.def.heat.surface = (dew_heat_boundary){.transfer = 1e8, .surroundings = 310};
        s = make(&b);
        for (int frame = 0; frame < 3; frame++) {
            advance(s, 1);
            assert_int_equal(dew_simulation_measure(s, "temperature", range), DEW_OK);
            if (!(range[0] > 294 && range[1] < 311)) fail_msg("%g to %g K", range[0], range[1]);
        }
        dew_simulation_destroy(s);
    }
}

/* What enters: flux through all of the surface, through a part, power inside, and none where a source has ended. */
static void test_what_enters(void **state)
{
    (void)state;
    const double area = 2.5 * LENGTH, end = 0.2; /* of the bar in two dimensions, for each m of depth */
    bar b;
    begin_bar(&b, 2);
    b.def.heat.surface.flux = 1000;
    dew_simulation *s = make(&b);
    double before = measure(s, "heat");
    advance(s, 2);
    check_near((measure(s, "heat") - before) / (1000 * area * end), 1, 0.03, "flux through the surface");
    dew_simulation_destroy(s);

    begin_bar(&b, 2);
    b.def.heat.sources = &b.source, b.def.heat.source_count = 1;
    b.source.shape = dew_box((dew_vec3){-1, -1, -1}, (dew_vec3){LENGTH / 2, 1, 1});
    b.source.power = 1e6, b.source.flux = 0;
    s = make(&b);
    before = measure(s, "heat");
    advance(s, 2);
    check_near((measure(s, "heat") - before) / (1e6 * LENGTH * LENGTH / 8 * end), 1, 1e-3, "power of a source");
    dew_simulation_destroy(s);

    b.source.power = 0, b.source.flux = 1000, b.source.to = end / 2;
    s = make(&b);
    before = measure(s, "heat");
    advance(s, 2);
    check_near((measure(s, "heat") - before) / (1000 * area / 2 * end / 2), 1, 0.04, "flux of a source that ends");
    dew_simulation_destroy(s);
}

/* A source that goes from one end to the other heats it at last. */
static void test_moving_source(void **state)
{
    (void)state;
    const dew_keyframe keys[] = {{.time = 0}, {.time = 0.2, .translation = {LENGTH, 0, 0}}};
    bar b;
    begin_bar(&b, 2);
    b.material.conductivity = 0;
    b.def.heat.sources = &b.source, b.def.heat.source_count = 1;
    b.source.shape = dew_box((dew_vec3){-LENGTH / 8, -1, -1}, (dew_vec3){LENGTH / 8, 1, 1});
    b.source.power = 1e6, b.source.motion.keyframes = keys, b.source.motion.keyframe_count = 2;
    b.def.frame_rate = 200;
    dew_simulation *s = make(&b);
    advance(s, 40);
    dew_field x, t;
    assert_true(dew_simulation_field(s, "position", &x) && dew_simulation_field(s, "temperature", &t));
    for (int i = 0; i < x.count; i++) {
        double at = (double)((const dew_real *)x.data)[(ptrdiff_t)i * x.stride] / LENGTH;
        double rise = (double)((const dew_real *)t.data)[(ptrdiff_t)i * t.stride] - 300;
        /* It is over each inner place for 0.05 s: 1e6 W/m3 over 1e6 J/(m3 K). */
        if (at > 0.15 && at < 0.85) check_near(rise, 0.05, 0.006, "warmth along the way");
    }
    dew_simulation_destroy(s);
}

/* The flow that a gradient of tension makes, the same bytes on 1 and 2 threads and after a resume. */
static void warm_drop(bar *b, int dimension, int threads)
{
    begin_bar(b, dimension);
    b->liquid.shape = dew_sphere((dew_vec3){0, 0, 0}, LENGTH / 4);
    b->liquid.temperature_of = (dew_function){cosine, NULL};
    b->def.heat.surface = (dew_heat_boundary){20, 290, 5};
    b->material.melting_point = 304, b->material.latent_heat = 1000;
    b->def.threads = threads, b->def.frame_rate = 2000;
}

static void tension(void *context, int count, const double *const *inputs, double *output)
{
    const double *base = context;
    for (int i = 0; i < count; i++) output[i] = *base + 2e-3 * (inputs[0][i] - 300);
}

static void viscosity(void *context, int count, const double *const *inputs, double *output)
{
    (void)context;
    for (int i = 0; i < count; i++) output[i] = 0.01 * exp(0.1 * (300 - inputs[0][i]));
}

static uint64_t heat_hash(const dew_simulation *s)
{
    dew_field t, id;
    assert_true(dew_simulation_field(s, "temperature", &t) && dew_simulation_field(s, "id", &id));
    uint64_t hash = dew_simulation_hash(s);
    for (int i = 0; i < t.count; i++) {
        double value = (double)((const dew_real *)t.data)[(ptrdiff_t)i * t.stride];
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        hash += (bits ^ (uint64_t)((const int32_t *)id.data)[(ptrdiff_t)i * id.stride] << 32) * 0x9e3779b97f4a7c15u;
    }
    return hash;
}

static void test_same_bytes(void **state)
{
    (void)state;
    double base = 0.05;
    for (int dimension = 2; dimension <= 3; dimension++) {
        uint64_t hash[3];
        for (int k = 0; k < 3; k++) {
            bar b;
            warm_drop(&b, dimension, k == 1 ? 2 : 1);
            b.material.surface_tension_of_temperature = (dew_function){tension, &base};
            b.material.viscosity_of_temperature = (dew_function){viscosity, NULL};
            dew_simulation *s = make(&b);
            advance(s, 2);
            if (k == 2) { /* a snapshot into another simulation, which goes on */
                const dew_snapshot_item *items;
                int count;
                dew_simulation *other = make(&b);
                assert_int_equal(dew_simulation_snapshot(s, &items, &count), DEW_OK);
                if (dew_simulation_restore(other, items, count) != DEW_OK) fail_msg("%s", dew_message());
                dew_simulation_destroy(s);
                s = other;
            }
            advance(s, 2);
            hash[k] = heat_hash(s);
            dew_simulation_destroy(s);
        }
        assert_true(hash[0] == hash[1]);
        assert_true(hash[0] == hash[2]);
    }
}

/* Without temperatures, mpm runs as if there were none: no field, quantities NaN. */
/* Heat that raises a drop's tension by two fifths gives its surface so much energy: none of it came from nothing, nor
 * does any where tension is uneven and the liquid flows. */
static void test_heat_of_the_surface(void **state)
{
    (void)state;
    double base = 0.05, seconds = 3e-3;
    for (int is_uneven = 0; is_uneven < 2; is_uneven++) {
        bar b;
        warm_drop(&b, 3, 1);
        b.def.heat.surface = dew_default_heat_boundary();
        b.material.melting_point = NAN, b.material.latent_heat = 0, b.material.viscosity = 0.05;
        b.liquid.fill = DEW_FILL_RELAXED;
        b.material.surface_tension_of_temperature = (dew_function){tension, &base};
        if (!is_uneven) {
            b.liquid.temperature_of = (dew_function){NULL, NULL};
            b.def.heat.sources = &b.source, b.def.heat.source_count = 1;
            b.source.shape = dew_box((dew_vec3){-1, -1, -1}, (dew_vec3){1, 1, 1});
            b.source.power = 1e6 * 10 / seconds, b.source.flux = 0;
        }
        dew_simulation *s = make(&b);
        double before = measure(s, "surface_energy");
        for (int frame = 0; frame < (int)(seconds * b.def.frame_rate + 0.5); frame++) {
            advance(s, 1);
            double balance = measure(s, "energy_balance");
            if (!(balance < 0.01 * before && balance > -0.1 * before))
                fail_msg("%g J of %g are not told", balance, before);
        }
        if (!is_uneven) check_near(measure(s, "surface_energy") / before, 1.4, 0.02, "energy of the surface");
        assert_int_equal(dew_simulation_look(s), DEW_OK);
        check_near(dew_simulation_watched(s, DEW_WATCHED_ENERGY).worst, 0, 0.01, "energy from nothing");
        dew_simulation_destroy(s);
    }
}

static void test_without_heat(void **state)
{
    (void)state;
    bar b;
    dew_field t;
    begin_bar(&b, 2);
    b.def.has_heat = false;
    dew_simulation *s = make(&b);
    assert_false(dew_simulation_field(s, "temperature", &t));
    assert_true(isnan(measure(s, "heat")) && isnan(measure(s, "mean_temperature")));
    dew_simulation_destroy(s);
    b.def.has_heat = true, b.def.method = "pbf", b.def.dimension = 3;
    assert_int_equal(dew_simulation_create(&b.def, &s), DEW_INVALID);
    assert_non_null(strstr(dew_message(), "method 'pbf' cannot do heat"));
}

static void test_wrong_numbers(void **state)
{
    (void)state;
    bar b;
    dew_simulation *s;
    begin_bar(&b, 2);
    b.material.heat_capacity = 0, b.liquid.temperature = -1, b.def.heat.surface.transfer = -2;
    b.def.heat.sources = &b.source, b.def.heat.source_count = 1; /* without a shape */
    assert_int_equal(dew_simulation_create(&b.def, &s), DEW_INVALID);
    const char *const wanted[] = {"heat_capacity is 0", "liquids[0].temperature is -1", "heat.surface.transfer is -2",
                                  "heat.sources[0].shape: "};
    for (int k = 0; k < 4; k++)
        if (!strstr(dew_message(), wanted[k])) fail_msg("no \"%s\" in\n%s", wanted[k], dew_message());
    /* Temperatures below 0 K. */
    begin_bar(&b, 2);
    double far = -1e6;
    b.liquid.temperature_of = (dew_function){tension, &far};
    assert_int_equal(dew_simulation_create(&b.def, &s), DEW_INVALID);
    assert_non_null(strstr(dew_message(), "liquids[0].temperature: it is -1e+06 K at "));
    /* A tension below 0 at some temperature. */
    double base = 0.005;
    begin_bar(&b, 2);
    b.liquid.temperature_of = (dew_function){cosine, NULL};
    b.material.surface_tension_of_temperature = (dew_function){tension, &base};
    assert_int_equal(dew_simulation_create(&b.def, &s), DEW_FAILED);
    assert_non_null(strstr(dew_message(), "bound the expression"));
}

/* --- scenes --- */

static const char scene_text[] =
    "method: mpm\ndimension: 2\nspacing: 0.2 mm\nframe_rate: 2000\n"
    "domain: {min: [-2 mm, -2 mm, 0], max: [2 mm, 2 mm, 0], x: wall, heat: {flux: 3}}\n"
    "materials: {wax: {viscosity: '0.01*exp(100/T)', surface_tension: 'max(0, 0.03 - 1e-5*(T - 300))',\n"
    "  conductivity: 0.25 W/m/K, heat_capacity: 2.1 kJ/kg/K, melting_point: 30 degC, latent_heat: 200 kJ/kg}}\n"
    "liquids:\n  - {shape: {sphere: {centre: [0, 0, 0], radius: 1 mm}}, temperature: 300 + 1e3*x}\n"
    "  - {shape: {sphere: {centre: [0, 1.6 mm, 0], radius: 0.5 mm}}, temperature: 20 degC}\n"
    "solids: [{shape: {plane: {point: [0, -1 mm, 0], normal: [0, 1, 0]}}, heat: {transfer: 1 kW/m2/K, surroundings: 0 "
    "degC}}]\n"
    "heat:\n  surface: {transfer: 10 W/m2/K, surroundings: 295 K}\n  sources:\n"
    "    - {shape: {sphere: {centre: [1 mm, 0, 0], radius: 0.3 mm}}, flux: 5 kW/m2, power: 1 W/cm3, from: 1 ms, to: 2 "
    "s,\n"
    "       motion: {rotation: [0, 0, 2*pi*t]}}\n"
    "output: {fields: [temperature, melted, viscosity]}\n";

static void check_scene(const dew_simulation_def *d)
{
    assert_true(d->has_heat);
    check_near(d->materials[0].melting_point, 303.15, 1e-9, "melting point");
    check_near(d->materials[0].latent_heat, 2e5, 1e-6, "latent heat");
    check_near(d->materials[0].heat_capacity, 2100, 1e-9, "heat capacity");
    assert_non_null(d->materials[0].viscosity_of_temperature.evaluate);
    assert_non_null(d->liquids[0].temperature_of.evaluate);
    check_near(d->liquids[1].temperature, 293.15, 1e-9, "temperature");
    check_near(d->solids[0].heat.transfer, 1000, 1e-9, "transfer");
    check_near(d->solids[0].heat.surroundings, 273.15, 1e-9, "surroundings");
    check_near(d->domain.heat.flux, 3, 0, "flux");
    check_near(d->heat.surface.surroundings, 295, 0, "surroundings");
    assert_int_equal(d->heat.source_count, 1);
    check_near(d->heat.sources[0].power, 1e6, 1e-6, "power");
    check_near(d->heat.sources[0].flux, 5000, 1e-9, "flux");
    check_near(d->heat.sources[0].to, 2, 0, "end");
    assert_non_null(d->heat.sources[0].motion.rotation_of[2].evaluate);
}

/* What is read is what run.yaml says again. */
static void test_scene(void **state)
{
    (void)state;
    dew_scene *scene = read_good(scratch_file("heat.yaml", scene_text), NULL);
    check_scene(dew_scene_definition(scene));
    char *text = dew_scene_text(scene, NULL);
    assert_non_null(text);
    dew_scene *again = read_good(scratch_file("heat-again.yaml", text), NULL);
    check_scene(dew_scene_definition(again));
    dew_simulation *s;
    if (dew_simulation_create(dew_scene_definition(again), &s) != DEW_OK) fail_msg("%s", dew_message());
    advance(s, 1);
    dew_simulation_destroy(s);
    dew_scene_destroy(scene);
    dew_scene_destroy(again);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scalars),
        cmocka_unit_test(test_melting_keeps_heat),
        cmocka_unit_test(test_theories),
        cmocka_unit_test(test_wave),
        cmocka_unit_test(test_long_steps),
        cmocka_unit_test(test_what_enters),
        cmocka_unit_test(test_moving_source),
        cmocka_unit_test(test_same_bytes),
        cmocka_unit_test(test_without_heat),
        cmocka_unit_test(test_wrong_numbers),
        cmocka_unit_test(test_heat_of_the_surface),
        cmocka_unit_test(test_scene),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
