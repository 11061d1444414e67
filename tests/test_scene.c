/* Scene files: every mistake with its exact complaint, good scenes field by field, settings, run.yaml, meshes. */
#include "dew/dew.h"
#include "dew/scene.h"
#include "scene/expression.h"
#include "scene/mesh_read.h"
#include "scene/quantity.h"
#include "scene/tables.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 512, MAX_FILES = 1000 };
static char start[PATH_SIZE], root[PATH_SIZE], scratch[PATH_SIZE];

/* The folder of the sources: this file's name as the compiler got it, seen from where the test was started. */
static void find_root(void)
{
    assert_non_null(getcwd(start, sizeof start));
    snprintf(root, sizeof root, "%s", __FILE__);
    char *slash = strrchr(root, '/');
    if (slash)
        *slash = 0;
    else
        snprintf(root, sizeof root, ".");
    char joined[PATH_SIZE * 2 + 4], *real;
    snprintf(joined, sizeof joined, "%s%s%s/..", root[0] == '/' ? "" : start, root[0] == '/' ? "" : "/", root);
    real = realpath(joined, NULL);
    assert_non_null(real);
    snprintf(root, sizeof root, "%s", real);
    free(real);
}

static const char *in(const char *folder, const char *name)
{
    static char path[4][PATH_SIZE * 4];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

static char *read_text(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f) return NULL;
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 20) - 1, f) < (1 << 20) - 1);
    fclose(f);
    return text;
}

static void write_bytes(const char *path, const void *bytes, size_t size)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

static const char *scratch_file(const char *name, const char *text)
{
    const char *path = in(scratch, name);
    write_bytes(path, text, strlen(text));
    return path;
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* Names in a folder that end so, sorted; the caller frees them. */
static int list(const char *folder, const char *ending, char *names[MAX_FILES])
{
    DIR *d = opendir(folder);
    if (!d) return 0;
    int count = 0;
    for (struct dirent *e; (e = readdir(d)) && count < MAX_FILES;) {
        size_t length = strlen(e->d_name), tail = strlen(ending);
        if (e->d_name[0] == '.' || length <= tail || strcmp(e->d_name + length - tail, ending) != 0) continue;
        names[count++] = strdup(e->d_name);
    }
    closedir(d);
    qsort(names, (size_t)count, sizeof *names, by_name);
    return count;
}

static dew_scene *read_good(const char *path, const dew_scene_options *options)
{
    dew_scene *scene = NULL;
    char *text = NULL;
    dew_result result = dew_scene_read(path, options, &scene, &text);
    if (result != DEW_OK) print_error("%s\n", text ? text : "(no complaint)");
    assert_int_equal(result, DEW_OK);
    assert_null(text);
    return scene;
}

/* The complaints of a scene that is wrong; the caller frees them. */
static char *read_wrong(const char *path, const dew_scene_options *options)
{
    dew_scene *scene = (dew_scene *)&start;
    char *text = NULL;
    dew_result result = dew_scene_read(path, options, &scene, &text);
    assert_true(result == DEW_INVALID || result == DEW_IO);
    assert_null(scene);
    assert_non_null(text);
    assert_true(strlen(text) > 0);
    return text;
}

/* --- wrong scenes --- */

static void test_wrong_scenes(void **state)
{
    (void)state;
    char *names[MAX_FILES];
    int count = list(in(root, "tests/scenes_wrong"), ".yaml", names), different = 0;
    assert_int_equal(chdir(in(root, "tests/scenes_wrong")), 0);
    for (int i = 0; i < count; i++) {
        char *found = read_wrong(names[i], NULL);
        char expected_name[PATH_SIZE];
        snprintf(expected_name, sizeof expected_name, "%.*s.expected", (int)strlen(names[i]) - 5, names[i]);
        char *expected = read_text(expected_name);
        if (!expected || strcmp(found, expected) != 0) {
            size_t same = 0; /* print_error cuts at 1000 letters */
            while (expected && found[same] && found[same] == expected[same]) same++;
            print_error("%s: after %zu letters: found\n%.400s\nexpected\n%.400s\n", names[i], same, found + same,
                        expected ? expected + same : "(no file)");
            different++;
        }
        free(found), free(expected), free(names[i]);
    }
    assert_int_equal(chdir(start), 0);
    assert_int_equal(different, 0);
    assert_true(count >= 60);
}

static void test_missing_file(void **state)
{
    (void)state;
    char *found = read_wrong("no/such/scene.yaml", NULL);
    assert_string_equal(found, "no/such/scene.yaml: error: No such file or directory\n");
    assert_string_equal(dew_message(), found);
    free(found);
    found = read_wrong(scratch, NULL);
    assert_non_null(strstr(found, "error: it is a folder"));
    free(found);
}

/* --- good scenes --- */

static void read_all_of(const char *name, int *count)
{
    char *names[MAX_FILES], folder[2 * PATH_SIZE];
    snprintf(folder, sizeof folder, "%s/%s", root, name);
    int files = list(folder, ".yaml", names);
    for (int i = 0; i < files; i++) {
        dew_scene *scene = read_good(in(folder, names[i]), NULL);
        assert_true(dew_scene_definition(scene)->spacing > 0);
        assert_true(dew_scene_output_of(scene)->field_count > 0);
        dew_scene_destroy(scene);
        free(names[i]);
    }
    *count += files;
}

static void test_all_scenes(void **state)
{
    (void)state;
    int count = 0;
    read_all_of("scenes", &count);
    for (int i = 0; i < dew_method_count(); i++) {
        char folder[PATH_SIZE];
        snprintf(folder, sizeof folder, "scenes/%s", dew_method_at(i)->name);
        read_all_of(folder, &count);
    }
    assert_true(count >= 3);
}

static const char full[] =
    "title: \"Everything: \\\"quoted\\\"\"\n"
    "method: pbf\n"
    "dimension: 3\n"
    "spacing: 0.1 mm\n"
    "duration: 50 ms\n"
    "frame_rate: 0.24 kHz\n"
    "gravity: [0, 1, -981 cm/s2]\n"
    "max_particles: 1000\n"
    "domain: {min: [-5e-3, -5e-3, 0], max: [5e-3, 5e-3, 1e-2], x: periodic, y: symmetry, z: wall, contact_angle: 70,\n"
    "         friction: 0.25}\n"
    "materials:\n"
    "  water: {density: 0.998 g/cm3, viscosity: 1 cP, surface_tension: 72.8 dyn/cm}\n"
    "liquids:\n"
    "  - material: water\n"
    "    shape: {sphere: {centre: [0, 0, 2 mm], radius: 1e-3}, translate: [1 mm, 0, 0], scale: 2}\n"
    "    velocity: [0, 1 cm/s, -100*z]\n"
    "    fill: hexagonal\n"
    "  - shape:\n"
    "      difference:\n"
    "        - box: {min: [0, 0, 0], max: [1e-3, 1e-3, 1e-3], rounding: 0.1 mm}\n"
    "        - {cylinder: {from: [0, 0, 0], to: [0, 0, 1e-3], radius: 0.2 mm}, rotate: {axis: [1, 0, 0], angle: 90 "
    "deg}}\n"
    "        - union: [{cone: {apex: [0, 0, 1e-3], base: [0, 0, 0], radius: 1e-4, apex_radius: 5e-5}},\n"
    "                  {capsule: {from: [0, 0, 0], to: [1e-3, 0, 0], radius: 1e-4}}]\n"
    "  - shape: {intersection: [{ellipsoid: {centre: [0, 0, 0], semi_axes: [1e-3, 2e-3, 3e-3]}},\n"
    "                           {torus: {centre: [0, 0, 0], axis: [0, 0, 2], major_radius: 1e-3, minor_radius: "
    "5e-4}}]}\n"
    "solids:\n"
    "  - name: plate\n"
    "    shape: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n"
    "    contact_angle: 110 deg\n"
    "    friction: 0.5\n"
    "    adhesion: 0.1\n"
    "    visible: false\n"
    "  - shape: {shell: {shape: {implicit: {value: \"x^2 + y^2 + z^2 - 1e-6\", min: [-2e-3, -2e-3, -2e-3],\n"
    "                                       max: [2e-3, 2e-3, 2e-3]}}, thickness: 0.3 mm}}\n"
    "    surface_energy: {solid: 10.5 mJ/m2, between: 0.8 mJ/m2}\n"
    "    motion: {keyframes: [[0 s, [0, 0, 0]], [1 s, [0, 0, 1 mm], [0, 0, 180 deg]]], pivot: [1 mm, 0, 0]}\n"
    "  - shape: {mesh: {file: cube.obj, scale: 0.001}, scale: 2}\n"
    "    motion: {translation: [1e-3*sin(2*pi*t), 0, 1 mm], rotation: [0, 0, \"3*t\"]}\n"
    "emitters:\n"
    "  - {material: water, shape: {disc: {centre: [0, 0, 1e-2], normal: [0, 0, -1], radius: 1 mm}},\n"
    "     velocity: [0, 0, -0.2], from: 1 s, to: 2 s}\n"
    "  - {shape: {rectangle: {centre: [0, 0, 0], half_u: [1e-3, 0, 0], half_v: [0, 1e-3, 0]}}, velocity: [0, 0, 0.1]}\n"
    "probes:\n"
    "  - {name: drop, every: 1 ms, quantities: [kinetic_energy, height]}\n"
    "output:\n"
    "  fields: [velocity, pressure]\n"
    "  camera: {eye: [0, -1, 0], target: [0, 0, 0], up: [0, 0, 1], field_of_view: 40 deg}\n"
    "  size: [640, 480]\n"
    "  samples: 8\n"
    "  colour_by: velocity\n"
    "  colour_range: [0, 0.5]\n"
    "  ground: false\n"
    "pbf: {tension: paper, paper_step: 10 ms}\n";

static const char cube[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\n"
                           "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";

#define assert_near(a, b) assert_true(fabs((double)(a) - (double)(b)) <= 1e-15 * (1 + fabs((double)(b))))
#define assert_vec(v, a, b, c) assert_true((v).x == (a) && (v).y == (b) && (v).z == (c))

static double value_of(dew_function f, double a, double b, double c)
{
    const double *inputs[3] = {&a, &b, &c};
    double value = NAN;
    assert_non_null((void *)(size_t)f.evaluate);
    f.evaluate(f.context, 1, inputs, &value);
    return value;
}

static void check_head(const dew_simulation_def *def)
{
    assert_string_equal(def->title, "Everything: \"quoted\"");
    assert_string_equal(def->method, "pbf");
    assert_int_equal(def->dimension, 3);
    assert_true(def->spacing == 1e-4 && def->duration == 0.05 && def->frame_rate == 240);
    assert_vec(def->gravity, 0, 1, -9.81);
    assert_int_equal(def->max_particles, 1000);
    assert_vec(def->domain.min, -5e-3, -5e-3, 0);
    assert_vec(def->domain.max, 5e-3, 5e-3, 1e-2);
    assert_int_equal(def->domain.axis[0], DEW_PERIODIC);
    assert_int_equal(def->domain.axis[1], DEW_SYMMETRY);
    assert_int_equal(def->domain.axis[2], DEW_WALL);
    assert_true(def->domain.contact_angle == 70 && def->domain.friction == 0.25);
    assert_int_equal(def->material_count, 1);
    assert_string_equal(def->materials[0].name, "water");
    assert_near(def->materials[0].density, 998);
    assert_near(def->materials[0].viscosity, 1e-3);
    assert_near(def->materials[0].surface_tension, 0.0728);
    assert_null((void *)(size_t)def->materials[0].surface_tension_of_temperature.evaluate);
    bool has_tension = false, has_step = false;
    for (int i = 0; i < def->parameter_count; i++) {
        const dew_parameter_value *v = &def->parameters[i];
        if (strcmp(v->name, "tension") == 0) has_tension = v->text && strcmp(v->text, "paper") == 0;
        if (strcmp(v->name, "paper_step") == 0) has_step = v->number == 0.01 && !v->text;
    }
    assert_true(has_tension && has_step);
}

static void check_liquids(const dew_simulation_def *def)
{
    assert_int_equal(def->liquid_count, 3);
    const dew_liquid_def *a = &def->liquids[0], *b = &def->liquids[1], *c = &def->liquids[2];
    assert_int_equal(a->shape.kind, DEW_SHAPE_SPHERE);
    assert_vec(a->shape.sphere.centre, 0, 0, 2e-3);
    assert_true(a->shape.sphere.radius == 1e-3 && a->shape.scale == 2);
    assert_vec(a->shape.translation, 1e-3, 0, 0);
    assert_int_equal(a->fill, DEW_FILL_HEXAGONAL);
    assert_vec(a->velocity, 0, 0.01, 0);
    assert_null((void *)(size_t)a->velocity_of[0].evaluate);
    assert_near(value_of(a->velocity_of[2], 1, 2, 3), -300);
    assert_int_equal(b->fill, DEW_FILL_RELAXED);
    assert_int_equal(b->shape.kind, DEW_SHAPE_DIFFERENCE);
    assert_int_equal(b->shape.combination.count, 3);
    const dew_shape_def *children = b->shape.combination.children;
    assert_int_equal(children[0].kind, DEW_SHAPE_BOX);
    assert_true(children[0].box.rounding == 1e-4);
    assert_int_equal(children[1].kind, DEW_SHAPE_CYLINDER);
    assert_vec(children[1].rotation_axis, 1, 0, 0);
    assert_near(children[1].rotation_angle, 1.5707963267948966);
    assert_int_equal(children[2].kind, DEW_SHAPE_UNION);
    assert_true(children[2].combination.children[0].cone.apex_radius == 5e-5);
    assert_int_equal(children[2].combination.children[1].kind, DEW_SHAPE_CAPSULE);
    assert_int_equal(c->shape.kind, DEW_SHAPE_INTERSECTION);
    assert_vec(c->shape.combination.children[0].ellipsoid.semi_axes, 1e-3, 2e-3, 3e-3);
    assert_true(c->shape.combination.children[1].torus.minor_radius == 5e-4);
}

static void check_solids(const dew_simulation_def *def)
{
    assert_int_equal(def->solid_count, 3);
    const dew_solid_def *a = &def->solids[0], *b = &def->solids[1], *c = &def->solids[2];
    assert_string_equal(a->name, "plate");
    assert_vec(a->shape.plane.normal, 0, 0, 1);
    assert_true(a->contact_angle == 110 && a->friction == 0.5 && a->adhesion == 0.1);
    assert_true(!a->is_visible && !a->has_surface_energy);
    assert_string_equal(b->name, "solid_2");
    assert_true(b->has_surface_energy && b->is_visible);
    assert_near(b->solid_energy, 0.0105);
    assert_near(b->between_energy, 0.0008);
    assert_int_equal(b->shape.kind, DEW_SHAPE_SHELL);
    assert_true(b->shape.shell.thickness == 3e-4);
    assert_near(value_of(b->shape.shell.child->implicit.value, 1e-3, 1e-3, 0), 1e-6);
    assert_int_equal(b->motion.keyframe_count, 2);
    assert_true(b->motion.keyframes[1].time == 1);
    assert_vec(b->motion.keyframes[1].translation, 0, 0, 1e-3);
    assert_near(b->motion.keyframes[1].rotation.z, 3.141592653589793);
    assert_vec(b->motion.pivot, 1e-3, 0, 0);
    assert_int_equal(c->shape.kind, DEW_SHAPE_MESH);
    assert_int_equal(c->shape.mesh.vertex_count, 8);
    assert_int_equal(c->shape.mesh.triangle_count, 12);
    assert_near(c->shape.scale, 0.002);
    assert_near(value_of(c->motion.translation_of[0], 0.25, 0, 0), 1e-3);
    assert_null((void *)(size_t)c->motion.translation_of[1].evaluate);
    assert_near(value_of(c->motion.translation_of[2], 0, 0, 0), 1e-3);
    assert_near(value_of(c->motion.rotation_of[2], 2, 0, 0), 6);
}

static void check_rest(const dew_scene *scene)
{
    const dew_simulation_def *def = dew_scene_definition(scene);
    assert_int_equal(def->emitter_count, 2);
    assert_int_equal(def->emitters[0].shape.kind, DEW_SHAPE_DISC);
    assert_true(def->emitters[0].from == 1 && def->emitters[0].to == 2);
    assert_true(def->emitters[1].from == 0 && isinf(def->emitters[1].to));
    assert_vec(def->emitters[1].shape.rectangle.half_v, 0, 1e-3, 0);
    assert_int_equal(def->probe_count, 1);
    assert_string_equal(def->probes[0].name, "drop");
    assert_true(def->probes[0].every == 1e-3);
    assert_int_equal(def->probes[0].quantity_count, 2);
    assert_string_equal(def->probes[0].quantities[1], "height");
    const dew_scene_output *output = dew_scene_output_of(scene);
    assert_int_equal(output->field_count, 2);
    assert_string_equal(output->fields[1], "pressure");
    const dew_render_def *render = &output->render;
    assert_true(render->has_camera && !render->has_ground);
    assert_vec(render->eye, 0, -1, 0);
    assert_true(render->field_of_view == 40 && render->width == 640 && render->height == 480 && render->samples == 8);
    assert_string_equal(render->colour_by, "velocity");
    assert_true(render->colour_min == 0 && render->colour_max == 0.5);
}

static void check_everything(const dew_scene *scene)
{
    check_head(dew_scene_definition(scene));
    check_liquids(dew_scene_definition(scene));
    check_solids(dew_scene_definition(scene));
    check_rest(scene);
}

static void test_every_field(void **state)
{
    (void)state;
    scratch_file("cube.obj", cube);
    dew_scene *scene = read_good(scratch_file("full.yaml", full), NULL);
    check_everything(scene);
    dew_scene_destroy(scene);
}

static const char small[] = "spacing: 0.2 mm\n"
                            "materials: {water: {}}\n"
                            "liquids: [{shape: {sphere: {centre: [0, 0, 0], radius: 1 mm}}}]\n";

static void test_defaults(void **state)
{
    (void)state;
    dew_scene *scene = read_good(scratch_file("small.yaml", small), NULL);
    const dew_simulation_def *def = dew_scene_definition(scene);
    dew_simulation_def d = dew_default_simulation_def();
    dew_material_def m = dew_default_material_def();
    assert_true(def->duration == d.duration && def->frame_rate == d.frame_rate && def->gravity.z == d.gravity.z);
    assert_true(def->materials[0].density == m.density && def->materials[0].viscosity == m.viscosity);
    assert_int_equal(def->parameter_count, 0);
    assert_int_equal(dew_scene_output_of(scene)->field_count, 3);
    assert_string_equal(dew_scene_output_of(scene)->fields[0], "velocity");
    dew_scene_destroy(scene);
}

static void test_json(void **state)
{
    (void)state;
    dew_scene *scene =
        read_good(scratch_file("small.json", "{\"spacing\": \"0.2 mm\", \"materials\": {\"oil\": {\"density\": 900}},\n"
                                             " \"liquids\": [{\"shape\": {\"sphere\": {\"centre\": [0, 0, 0],\n"
                                             "   \"radius\": 1e-3}}}]}\n"),
                  NULL);
    assert_true(dew_scene_definition(scene)->materials[0].density == 900);
    dew_scene_destroy(scene);
}

/* --- settings --- */

static void test_settings(void **state)
{
    (void)state;
    static const char *const settings[] = {
        "spacing=0.3mm",
        "materials.water.viscosity=1e-2",
        "pbf.tension=paper",
        "liquids.0.fill=cubic",
        "liquids.0.shape={box: {min: [0, 0, 0], max: [1e-3, 1e-3, 1e-3]}}",
        "gravity=[0, 0, 0]",
        "output.colour_by=velocity",
        "solids=[{name: plate, shape: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}]",
        "solids.plate.contact_angle=30",
        "title="};
    dew_scene_options options = {NULL, settings, sizeof settings / sizeof settings[0]};
    dew_scene *scene = read_good(scratch_file("small.yaml", small), &options);
    const dew_simulation_def *def = dew_scene_definition(scene);
    assert_true(def->spacing == 3e-4 && def->materials[0].viscosity == 0.01 && def->gravity.z == 0);
    assert_int_equal(def->liquids[0].fill, DEW_FILL_CUBIC);
    assert_int_equal(def->liquids[0].shape.kind, DEW_SHAPE_BOX);
    assert_int_equal(def->parameter_count, 1);
    assert_string_equal(def->parameters[0].text, "paper");
    assert_string_equal(dew_scene_output_of(scene)->render.colour_by, "velocity");
    assert_true(def->solids[0].contact_angle == 30);
    assert_string_equal(def->title, "");
    dew_scene_destroy(scene);
}

static void test_wrong_settings(void **state)
{
    (void)state;
    static const char *const settings[] = {
        "pbf.tenson=paper", "spacing",       "spacing=1 kg", "liquids.3.fill=cubic",
        "spacing.x=1",      "gravity=[0, 0", "a..b=1",       "matrials.water.density=1"};
    dew_scene_options options = {"pbd", settings, sizeof settings / sizeof settings[0]};
    char *found = read_wrong(scratch_file("small.yaml", small), &options);
    assert_string_equal(found, "--set pbf.tenson=paper: error: method 'pbf' has no parameter 'tenson'\n"
                               "      = did you mean 'tension'?\n"
                               "--set spacing: error: there is no '=' in it\n"
                               "      = write KEY=VALUE, such as spacing=0.2mm\n"
                               "--set spacing=1 kg: error: unit 'kg' does not fit spacing, which is in m\n"
                               "      = write a number, in m if it names no unit\n"
                               "--set liquids.3.fill=cubic: error: liquids has no entry '3'\n"
                               "      = it has one, 0\n"
                               "--set spacing.x=1: error: spacing is a single value, there is no 'x' in it\n"
                               "--set gravity=[0, 0: error: not YAML: flow sequence without a closing bracket\n"
                               "--set a..b=1: error: the path 'a..b' has an empty part\n"
                               "      = write KEY=VALUE, such as materials.water.viscosity=1e-3\n"
                               "--set matrials.water.density=1: error: unknown key 'matrials' in the scene\n"
                               "      = did you mean 'materials'?\n"
                               "--method pbd: error: unknown method 'pbd'\n"
                               "      = did you mean 'pbf'?\n");
    free(found);
}

/* --- run.yaml --- */

static void test_round_trip(void **state)
{
    (void)state;
    scratch_file("cube.obj", cube);
    dew_scene *scene = read_good(scratch_file("full.yaml", full), NULL);
    const char *path = in(scratch, "run.yaml");
    assert_int_equal(dew_scene_write(scene, NULL, path), DEW_OK);
    dew_scene_destroy(scene);
    scene = read_good(path, NULL);
    check_everything(scene);
    char *first = read_text(path);
    assert_int_equal(dew_scene_write(scene, NULL, path), DEW_OK);
    char *second = read_text(path);
    assert_non_null(first);
    assert_non_null(second);
    assert_string_equal(strstr(first, "# dew"), strstr(second, "# dew"));
    const dew_method_info *method = dew_method_find("pbf");
    for (int i = 0; i < method->parameter_count; i++) assert_non_null(strstr(second, method->parameters[i].name));
    free(first), free(second);
    dew_scene_destroy(scene);
}

static void test_written_with_simulation(void **state)
{
    (void)state;
    static const char *const settings[] = {"pbf.cfl=0.25"};
    dew_scene_options options = {NULL, settings, 1};
    dew_scene *scene = read_good(scratch_file("small.yaml", small), &options);
    dew_simulation *simulation = NULL;
    assert_int_equal(dew_simulation_create(dew_scene_definition(scene), &simulation), DEW_OK);
    const char *path = in(scratch, "run.yaml");
    assert_int_equal(dew_scene_write(scene, simulation, path), DEW_OK);
    char *text = read_text(path);
    assert_non_null(strstr(text, "  cfl: 0.25\n"));
    assert_non_null(strstr(text, "  tension: physical\n"));
    free(text);
    dew_simulation_destroy(simulation);
    dew_scene_destroy(scene);
}

static void test_write_fails(void **state)
{
    (void)state;
    dew_scene *scene = read_good(scratch_file("small.yaml", small), NULL);
    assert_int_equal(dew_scene_write(scene, NULL, in(scratch, "no-such-folder/run.yaml")), DEW_IO);
    assert_non_null(strstr(dew_message(), "no-such-folder/run.yaml"));
    assert_non_null(strstr(dew_message(), "No such file or directory"));
    dew_scene_destroy(scene);
}

/* --- meshes --- */

static void expect_mesh(const char *path, dew_result result, const char *message)
{
    mesh_file mesh;
    assert_int_equal(mesh_read(path, &mesh), result);
    if (message && !strstr(dew_message(), message)) fail_msg("'%s' lacks '%s'", dew_message(), message);
    assert_null(mesh.vertices);
}

static void test_broken_meshes(void **state)
{
    (void)state;
    expect_mesh(in(scratch, "none.stl"), DEW_IO, "No such file");
    expect_mesh(scratch_file("words.stl", "this is no mesh at all\n"), DEW_INVALID, NULL);
    expect_mesh(scratch_file("words.ply", "this is no mesh at all\n"), DEW_INVALID, "cannot be read as a mesh");
    expect_mesh(scratch_file("words.obj", "this is no mesh at all\n"), DEW_INVALID, NULL);
    expect_mesh(scratch_file("cut.ply", "ply\nformat ascii 1.0\nelement vertex 1000000000\nproperty float x\n"),
                DEW_INVALID, "was it cut short?");
    expect_mesh(scratch_file("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 0 0\nf 1 2 3\n"), DEW_INVALID, "no triangles");
    expect_mesh(scratch_file("nan.obj", "v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"), DEW_INVALID, NULL);
    const char *huge = scratch_file("huge.stl", "solid\n");
    if (truncate(huge, 3LL << 30) == 0) expect_mesh(huge, DEW_INVALID, "more than the 2 GB that are read");
    unlink(huge);
}

static double volume_of(const mesh_file *mesh)
{
    double volume = 0;
    for (int t = 0; t < mesh->triangle_count; t++) {
        const double *a = &mesh->vertices[3 * mesh->triangles[3 * t]],
                     *b = &mesh->vertices[3 * mesh->triangles[3 * t + 1]],
                     *c = &mesh->vertices[3 * mesh->triangles[3 * t + 2]];
        volume += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                   a[2] * (b[0] * c[1] - b[1] * c[0])) /
                  6;
    }
    return volume;
}

/* The same cube by an OBJ that is right, one inside out, a binary STL whose corners are not shared, and a PLY, all in
 * millimetres of a metre: corners must not be joined because they are close. */
static void test_good_meshes(void **state)
{
    (void)state;
    mesh_file m;
    assert_int_equal(mesh_read(scratch_file("cube.obj", cube), &m), DEW_OK);
    assert_true(m.vertex_count == 8 && m.triangle_count == 12 && m.open_edges == 0);
    assert_true(fabs(volume_of(&m) - 1) < 1e-12);
    struct __attribute__((packed)) {
        char header[80];
        uint32_t count;
        struct __attribute__((packed)) {
            float normal[3], corner[3][3];
            uint16_t extra;
        } triangle[12];
    } stl = {.count = 12};
    for (int t = 0; t < 12; t++)
        for (int k = 0; k < 3; k++)
            for (int a = 0; a < 3; a++)
                stl.triangle[t].corner[k][a] = 1e-6f * (float)m.vertices[3 * m.triangles[3 * t + k] + a];
    mesh_file_free(&m);
    write_bytes(in(scratch, "tiny.stl"), &stl, sizeof stl);
    assert_int_equal(mesh_read(in(scratch, "tiny.stl"), &m), DEW_OK);
    assert_true(m.vertex_count == 8 && m.triangle_count == 12 && m.open_edges == 0);
    assert_true(fabs(volume_of(&m) * 1e18 - 1) < 1e-5);
    mesh_file_free(&m);
    assert_int_equal(mesh_read(in(root, "tests/scenes_wrong/meshes/inside-out.obj"), &m), DEW_OK);
    assert_true(m.open_edges == 0 && fabs(volume_of(&m) - 1) < 1e-12);
    mesh_file_free(&m);
    assert_int_equal(mesh_read(scratch_file("one.ply", "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\n"
                                                       "property float y\nproperty float z\nelement face 1\n"
                                                       "property list uchar int vertex_indices\nend_header\n"
                                                       "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"),
                               &m),
                     DEW_OK);
    assert_true(m.triangle_count == 1 && m.open_edges == 3);
    mesh_file_free(&m);
}

/* --- quantities, expressions --- */

static void test_quantities(void **state)
{
    (void)state;
    static const struct {
        const char *text, *unit;
        quantity_status status;
        double value;
    } cases[] = {
        {"0.1 mm", "m", QUANTITY_OK, 1e-4},
        {"0.1mm", "m", QUANTITY_OK, 1e-4},
        {"1e-1 mm", "m", QUANTITY_OK, 1e-4},
        {" 3 µm ", "m", QUANTITY_OK, 3e-6},
        {"3 \u03bcm", "m", QUANTITY_OK, 3e-6},
        {"-2", "m", QUANTITY_OK, -2},
        {".5", "m", QUANTITY_OK, 0.5},
        {"1e3", "1", QUANTITY_OK, 1000},
        {"20 degC", "K", QUANTITY_OK, 293.15},
        {"50 %", "1", QUANTITY_OK, 0.5},
        {"90 deg", "degree", QUANTITY_OK, 90},
        {"1 mPa s", "Pa s", QUANTITY_OK, 1e-3},
        {"1 mPa.s", "Pa s", QUANTITY_OK, 1e-3},
        {"10 mJ/m2", "J/m2", QUANTITY_OK, 0.01},
        {"10 mJ m^-2", "J/m2", QUANTITY_OK, 0.01},
        {"72 mJ/m2", "N/m", QUANTITY_OK, 0.072},
        {"1 g/cm3", "kg/m3", QUANTITY_OK, 1000},
        {"240 Hz", "1/s", QUANTITY_OK, 240},
        {"1 s", "m", QUANTITY_WRONG_UNIT, 0},
        {"1 foo", "m", QUANTITY_UNKNOWN_UNIT, 0},
        {"1 m", NULL, QUANTITY_WRONG_UNIT, 0},
        {"0x10", "m", QUANTITY_UNKNOWN_UNIT, 0},
        {"inf", "m", QUANTITY_NO_NUMBER, 0},
        {"nan", "m", QUANTITY_NO_NUMBER, 0},
        {"1e400", "m", QUANTITY_NO_NUMBER, 0},
        {"", "m", QUANTITY_NO_NUMBER, 0},
        {"mm", "m", QUANTITY_NO_NUMBER, 0},
    };
    units *u = units_create();
    assert_non_null(u);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double value = 0;
        quantity_status status = quantity_read(u, cases[i].text, cases[i].unit, &value, NULL);
        if (status != cases[i].status) fail_msg("'%s': status %d", cases[i].text, (int)status);
        if (status == QUANTITY_OK && fabs(value - cases[i].value) > 1e-15 * fabs(cases[i].value))
            fail_msg("'%s': %.17g", cases[i].text, value);
    }
    units_destroy(u);
    assert_true(looks_like_quantity("1 mm") && looks_like_quantity("-3e-2") && looks_like_quantity("2 µm"));
    assert_false(looks_like_quantity("2*x") || looks_like_quantity("x") || looks_like_quantity("1 - x"));
}

static void test_expressions(void **state)
{
    (void)state;
    expression_error error;
    expression *e = expression_create("x + 2*y^2 + sin(pi/2)*z", "xyz", &error);
    assert_non_null(e);
    enum { COUNT = 1000 };
    double in_x[COUNT], in_y[COUNT], in_z[COUNT], out[COUNT];
    for (int i = 0; i < COUNT; i++) in_x[i] = i, in_y[i] = 0.5 * i, in_z[i] = -i;
    dew_function f = expression_function(e);
    f.evaluate(f.context, COUNT, (const double *const[]){in_x, in_y, in_z}, out);
    for (int i = 0; i < COUNT; i++) assert_near(out[i], 0.5 * i * i);
    assert_string_equal(expression_text(f), "x + 2*y^2 + sin(pi/2)*z");
    expression_destroy(e);
    assert_null(expression_create("x + ", "t", &error));
    assert_int_equal(error.position, 0);
    assert_null(expression_create("", "t", &error));
    e = expression_create("t >= 1 ? 2 : 3", "t", &error);
    assert_non_null(e);
    expression_destroy(e);
}

/* --- the documentation, and what is thrown at the reader --- */

static void test_documentation(void **state)
{
    (void)state;
    char *text = read_text(in(root, "docs/scene-format.md"));
    assert_non_null(text);
    const key_table *table;
    for (int i = 0; (table = tables_at(i)); i++) {
        for (int k = 0; k < table->count; k++) {
            char name[80];
            snprintf(name, sizeof name, "`%s`", table->keys[k].name);
            if (!strstr(text, name)) fail_msg("docs/scene-format.md does not explain %s of %s", name, table->name);
            assert_non_null(table->keys[k].sentence);
        }
    }
    free(text);
}

/* Scenes with bytes changed, dropped and repeated: whatever comes, a result and no crash. */
static void test_damaged_scenes(void **state)
{
    (void)state;
    enum { TRIALS = 100 };
    uint64_t seed = 88172645463325252u;
    char text[sizeof full];
    scratch_file("cube.obj", cube);
    for (int trial = 0; trial < TRIALS; trial++) {
        memcpy(text, full, sizeof full);
        for (int change = 0; change < 1 + trial % 4; change++) {
            seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
            size_t at = (size_t)(seed % (sizeof full - 2)), from = (size_t)((seed >> 20) % (sizeof full - 2));
            text[at] = (seed >> 50) % 3 == 0 ? (char)(' ' + (seed >> 40) % 95) : text[from];
        }
        dew_scene *scene = NULL;
        char *found = NULL;
        dew_result result = dew_scene_read(scratch_file("damaged.yaml", text), NULL, &scene, &found);
        assert_true((result == DEW_OK) == (scene != NULL));
        assert_true((result == DEW_OK) == (found == NULL));
        dew_scene_destroy(scene);
        free(found);
    }
}

static int set_up(void **state)
{
    (void)state;
    find_root();
    const char *temporary = getenv("TMPDIR");
    snprintf(scratch, sizeof scratch, "%s/dew-scene-XXXXXX", temporary ? temporary : "/tmp");
    return mkdtemp(scratch) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    char *names[MAX_FILES];
    int count = list(scratch, "", names);
    for (int i = 0; i < count; i++) unlink(in(scratch, names[i])), free(names[i]);
    return rmdir(scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_scenes),   cmocka_unit_test(test_missing_file),
        cmocka_unit_test(test_all_scenes),     cmocka_unit_test(test_every_field),
        cmocka_unit_test(test_defaults),       cmocka_unit_test(test_json),
        cmocka_unit_test(test_settings),       cmocka_unit_test(test_wrong_settings),
        cmocka_unit_test(test_round_trip),     cmocka_unit_test(test_written_with_simulation),
        cmocka_unit_test(test_write_fails),    cmocka_unit_test(test_broken_meshes),
        cmocka_unit_test(test_good_meshes),    cmocka_unit_test(test_quantities),
        cmocka_unit_test(test_expressions),    cmocka_unit_test(test_documentation),
        cmocka_unit_test(test_damaged_scenes),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
