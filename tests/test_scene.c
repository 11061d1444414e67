/* Scene files that are right: field by field, settings, run.yaml; and what becomes of one that is damaged. */
#include "scene/reader.h"
#include "scene_files.h"

/* --- good scenes --- */

/* A scene for methods whose contact lines stay between two angles: each without them refuses it by that name and for
 * nothing else; with one angle it is right for all. */
static const char *const with_one_angle[] = {"solids.pane.contact_angle=45"};
#define OF_HYSTERESIS "rain-on-a-window.yaml"

static void test_hysteresis_scene(void **state)
{
    (void)state;
    const char *path = in(root, "scenes/" OF_HYSTERESIS);
    for (int i = 0; i < dew_method_count(); i++) {
        const dew_method_info *method = dew_method_at(i);
        dew_scene_options options = {.method = method->name};
        dew_scene *scene = NULL;
        char *text = NULL, refusal[128];
        dew_result result = dew_scene_read(path, &options, &scene, &text);
        assert_int_equal(result == DEW_OK, (method->features & DEW_FEATURE_HYSTERESIS) != 0);
        if (result != DEW_OK) {
            snprintf(refusal, sizeof refusal, "method '%s' cannot do advancing and receding contact angles",
                     method->name);
            const char *first = strstr(text, "error: ");
            assert_non_null(first);
            assert_non_null(strstr(first, refusal));
            assert_null(strstr(first + 1, "error: "));
        }
        free(text);
        dew_scene_destroy(scene);
        options.settings = with_one_angle, options.setting_count = 1;
        dew_scene_destroy(read_good(path, &options));
    }
}

/* Scenes of two liquids with a tension between them: a method without such refuses them by what it cannot do, and for
 * nothing else. */
static bool is_refused_for_two_liquids(const char *path)
{
    static const char *const names[] = {"catheter-two-liquids", "drop-in-oil-on-plate", "two-liquids-rising-drop"};
    const dew_method_info *method = dew_method_find("mps");
    bool is_one = false;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) is_one |= strstr(path, names[k]) != NULL;
    if (!is_one || method->features & DEW_FEATURE_INTERFACES) return false;
    dew_scene *scene = NULL;
    char *text = NULL;
    assert_int_equal(dew_scene_read(path, NULL, &scene, &text), DEW_INVALID);
    int errors = 0, refusals = 0;
    for (const char *at = text; *at; at++)
        errors += strncmp(at, "error: ", 7) == 0, refusals += strncmp(at, "error: method 'mps' cannot do ", 30) == 0;
    assert_non_null(strstr(text, "method 'mps' cannot do tensions between materials"));
    assert_int_equal(errors, refusals);
    free(text);
    return true;
}

static void read_all_of(const char *name, int *count)
{
    char *names[MAX_FILES], folder[2 * PATH_SIZE];
    snprintf(folder, sizeof folder, "%s/%s", root, name);
    int files = list(folder, ".yaml", names);
    for (int i = 0; i < files; i++) {
        const dew_scene_options options = {.settings = with_one_angle, .setting_count = 1};
        if (is_refused_for_two_liquids(in(folder, names[i]))) {
            free(names[i]);
            continue;
        }
        bool is_refused = strcmp(names[i], OF_HYSTERESIS) == 0; /* by methods without: test_hysteresis_scene */
        dew_scene *scene = read_good(in(folder, names[i]), is_refused ? &options : NULL);
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
    "  - shape: {height: {min: [-0.3 mm, -0.3 mm, -9 mm], max: [0.3 mm, 0.3 mm, -7 mm], level: \"-8e-3 + x*y\", "
    "ridges: [\n"
    "                     {profile: rectangular, height: 0.3 mm, period: 0.5 mm, width: 40 %, shift: 0.1 mm},\n"
    "                     {profile: sinusoidal, across: y, height: 1e-5, period: 1e-3}]}}\n"
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
    assert_int_equal(def->solid_count, 4);
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
    const dew_shape_def *d = &def->solids[3].shape;
    assert_int_equal(d->kind, DEW_SHAPE_HEIGHT);
    assert_vec(d->height.min, -3e-4, -3e-4, -9e-3);
    assert_near(value_of(d->height.level_of, 1e-3, 2e-3, 0), -7.998e-3);
    assert_int_equal(d->height.ridge_count, 2);
    const dew_ridges *e = &d->height.ridges[0], *f = &d->height.ridges[1];
    assert_true(e->profile == DEW_PROFILE_RECTANGULAR && e->across == 0);
    assert_near(e->height, 3e-4), assert_near(e->period, 5e-4), assert_near(e->width, 0.4), assert_near(e->shift, 1e-4);
    assert_true(f->profile == DEW_PROFILE_SINUSOIDAL && f->across == 1 && f->width == 0.5 && f->shift == 0);
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
    dew_scene_options options = {.settings = settings, .setting_count = sizeof settings / sizeof settings[0]};
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
    dew_scene_options options = {.settings = settings, .setting_count = 1};
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

/* --- the documentation, and what is thrown at the reader --- */

static void check_documentation(const char *text, const dew_property_table *table, int depth)
{
    for (int k = 0; k < table->count && depth < 6; k++) {
        const dew_property *p = &table->properties[k];
        char name[80];
        snprintf(name, sizeof name, "`%s`", p->key);
        if (!table->is_row && !(p->flags & DEW_PROPERTY_IS_KEY) && !strstr(text, name))
            fail_msg("scene-format.md does not explain %s of %s", name, table->name);
        assert_non_null(p->sentence);
        if (p->table) check_documentation(text, p->table, depth + 1);
    }
}

static void test_documentation(void **state)
{
    (void)state;
    char *text = read_text(in(root, "docs/scene-format.md"));
    assert_non_null(text);
    check_documentation(text, dew_schema(), 0);
    check_documentation(text, output_property.table, 0);
    free(text);
}

/* Scenes with bytes changed, dropped and repeated: whatever comes, a result and no crash. */
static void test_damaged_scenes(void **state)
{
    (void)state;
    enum { TRIALS = 100 };
    uint64_t seed = 88172645463325252u;
    char coarse[sizeof full], text[sizeof full]; /* whose shapes are made in a tenth of the time */
    memcpy(coarse, full, sizeof full);
    memcpy(strstr(coarse, "0.1 mm"), "0.3 mm", 6);
    scratch_file("cube.obj", cube);
    dew_scene_destroy(read_good(scratch_file("damaged.yaml", coarse), NULL));
    for (int trial = 0; trial < TRIALS; trial++) {
        memcpy(text, coarse, sizeof full);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_scenes),     cmocka_unit_test(test_hysteresis_scene),
        cmocka_unit_test(test_every_field),    cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_json),           cmocka_unit_test(test_settings),
        cmocka_unit_test(test_round_trip),     cmocka_unit_test(test_written_with_simulation),
        cmocka_unit_test(test_write_fails),    cmocka_unit_test(test_documentation),
        cmocka_unit_test(test_damaged_scenes),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
