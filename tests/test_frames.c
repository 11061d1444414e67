/* Frames read back from the files of a run: they are measured and drawn as the simulation that left them was. */
#include "scene_files.h"

#include "dew/frames.h"
#include "dew/render.h"
#include "plain_frame.h"

enum { FRAMES = 3, MOST_VALUES = 256 };

/* Each test has a folder of its own. */
static char folder[PATH_SIZE];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/dew-frames-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[PATH_SIZE + 16];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static void write_file(const char *name, const char *text) { write_bytes(in(folder, name), text, strlen(text)); }

/* --- a run --- */

/* A drop over a block from a mesh that rises and turns, and beside a ball that is removed, under a gravity that
 * changes; with every quantity in a probe. */
static void write_scene(const dew_method_info *method, int dimension, bool has_heat)
{
    bool is_periodic = method->features & DEW_FEATURE_PERIODIC;
    write_file("block.obj", "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\n"
                            "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n");
    FILE *f = fopen(in(folder, "scene.yaml"), "w");
    assert_non_null(f);
    double y = dimension == 2, z = dimension == 3; /* up */
    fprintf(f, "title: Frames\nmethod: %s\ndimension: %d\nspacing: 0.2 mm\nframe_rate: 2000\n", method->name,
            dimension);
    fprintf(f, "gravity: [0, %g, %g]\n", -9.81 * y, -9.81 * z);
    if (is_periodic) fputs("domain: {min: [-1.5 mm, 0, 0], max: [1.5 mm, 0, 0], x: periodic}\n", f);
    fprintf(f, "materials:\n  water: {density: 998, viscosity: 2 mPa s, surface_tension: %s%s}\n",
            has_heat ? "\"0.07 - 1e-4*(T - 293)\"" : "0.07", has_heat ? ", melting_point: 290, latent_heat: 1e4" : "");
    fprintf(f, "liquids:\n  - shape: {sphere: {centre: [0, %g, %g], radius: 1 mm}}\n    velocity: [0.1, 0.2, 0]\n",
            1.1e-3 * y, 1.1e-3 * z);
    if (has_heat) fputs("    temperature: \"300 + 4e3*x\"\nheat: {surface: {transfer: 1e4, surroundings: 280}}\n", f);
    fprintf(f,
            "solids:\n  - name: block\n    shape: {mesh: {file: block.obj, scale: 0.0011}, translate: [0, %g, %g]}\n",
            -1.1e-3 * y, -1.1e-3 * z);
    fprintf(f, "    contact_angle: 70\n    motion:\n      keyframes: [[0, [0, 0, 0]], ");
    fprintf(f, "[1e-3, [0, %g, %g], [%g rad, 0, %g rad]]]\n", 5e-5 * y, 5e-5 * z, 0.02 * z, 0.02 * y);
    fprintf(f, "  - {name: ball, shape: {sphere: {centre: [0, 9e-3, 0], radius: 1 mm}}}\n");
    fprintf(f, "  - {name: floor, shape: {plane: {point: [0, -4e-3, -4e-3], normal: [0, %g, %g]}}}\n", y, z);
    fprintf(f, "changes:\n  - {at: 0.75 ms, set: {gravity: [3, 0, 0], solids.block.contact_angle: 40, ");
    fprintf(f, "materials.water.viscosity: 5 mPa s}}\n  - {at: 1 ms, remove: ball}\n");
    fputs("probes:\n  - name: all\n    quantities: [", f);
    for (int k = 0; k < dew_quantity_count(); k++) fprintf(f, "%s%s", k ? ", " : "", dew_quantity_name(k));
    fprintf(f, "]\noutput: {fields: [velocity%s]}\n", has_heat ? ", temperature, melted" : "");
    fclose(f);
}

typedef struct run {
    dew_scene *scene;
    dew_simulation *simulation;
} run;

static void finish(run *r)
{
    dew_simulation_destroy(r->simulation);
    dew_scene_destroy(r->scene);
}

/* What `dew run` leaves of a scene, as far as frames are concerned. */
static run make_run(const char *const *fields, int field_count)
{
    run r = {NULL, NULL};
    char *complaints = NULL;
    dew_probe_table *table;
    if (dew_scene_read(in(folder, "scene.yaml"), NULL, &r.scene, &complaints) != DEW_OK) fail_msg("%s", complaints);
    const dew_simulation_def *def = dew_scene_definition(r.scene);
    if (dew_simulation_create(def, &r.simulation) != DEW_OK) fail_msg("%s", dew_message());
    assert_int_equal(dew_simulation_look_ahead(r.simulation), DEW_OK);
    assert_int_equal(dew_scene_write(r.scene, r.simulation, in(folder, "run.yaml")), DEW_OK);
    assert_int_equal(dew_probe_table_open(in(folder, "probes.csv"), def, -1, &table), DEW_OK);
    for (int k = 0; k <= FRAMES; k++) {
        if (k > 0 && dew_simulation_advance_frame(r.simulation, NULL, NULL) != DEW_OK) fail_msg("%s", dew_message());
        const dew_frame *frame = dew_simulation_frame(r.simulation);
        if (dew_probe_table_update(table, frame) != DEW_OK) fail_msg("%s", dew_message());
        assert_int_equal(dew_frame_write(folder, frame, fields, field_count), DEW_OK);
    }
    assert_int_equal(dew_probe_table_close(table), DEW_OK);
    return r;
}

static run make_whole_run(const dew_method_info *method, bool has_heat)
{
    const char *fields[4] = {"velocity"};
    int count = 1;
    if (method->has_spin) fields[count++] = "spin";
    if (has_heat) fields[count++] = "temperature", fields[count++] = "melted";
    return make_run(fields, count);
}

/* --- the same measures --- */

typedef struct row {
    double time, value[MOST_VALUES];
} row;

static void read_probes(row rows[FRAMES + 1])
{
    char *text = read_text(in(folder, "probes.csv")), *at = strchr(text, '\n') + 1;
    for (int k = 0; k <= FRAMES; k++) {
        rows[k].time = strtod(at, &at);
        for (int v = 0; *at == ','; v++) rows[k].value[v] = strtod(at + 1, &at);
        assert_int_equal(*at++, '\n');
    }
    free(text);
}

static bool is_of_state(const dew_method_info *method, const char *quantity)
{
    for (const char *const *known = method->measures; *known; known++)
        if (strcmp(*known, quantity) == 0) return true;
    return false;
}

/* What a simulation follows of its course. */
static bool is_of_run(const char *quantity)
{
    return strstr(quantity, "_balance") || strcmp(quantity, "dissipation") == 0 || strcmp(quantity, "outflow") == 0;
}

/* The energies take the surface from the method, where it has one. The force on solids comes from the step. */
static bool needs_state(const dew_method_info *method, const char *quantity)
{
    bool is_energy = strcmp(quantity, "energy") == 0 || strcmp(quantity, "surface_energy") == 0;
    return is_of_run(quantity) || is_of_state(method, quantity) || (is_energy && is_of_state(method, "surface_area")) ||
           strncmp(quantity, "wall_", strlen("wall_")) == 0 || strcmp(quantity, "solid_torque") == 0 ||
           strcmp(quantity, "solid_momentum") == 0;
}

/* Float rounding, against the largest value that the quantity has in any column at any time. */
static void check_values(const char *name, int columns, const double *found, const row *rows, int frame, int first)
{
    double scale = 0;
    for (int k = 0; k <= FRAMES; k++)
        for (int c = first; c < first + columns; c++)
            if (isfinite(rows[k].value[c])) scale = fmax(scale, fabs(rows[k].value[c]));
    for (int c = 0; c < columns; c++) {
        double probed = rows[frame].value[first + c];
        if (isnan(found[c]) && isnan(probed)) continue;
        if (!(fabs(found[c] - probed) <= 1e-6 * scale))
            fail_msg("%s, column %d: %.9g from the frame, %.9g by the probe", name, c, found[c], probed);
    }
}

static int check_frame(dew_measurer *measurer, const dew_frame *frame, const row *rows, bool has_tension_of_heat)
{
    int compared = 0, first = 0;
    assert_true(frame->time == rows[frame->index].time);
    for (int k = 0; k < dew_quantity_count(); k++) {
        const char *name = dew_quantity_name(k);
        double found[DEW_MOST_COLUMNS];
        int columns = dew_quantity_columns(name, NULL);
        dew_result result = dew_measure(measurer, frame, name, found);
        bool is_undefined = has_tension_of_heat && strstr(name, "energy") && !is_of_state(frame->method, name);
        if (needs_state(frame->method, name) && !(is_undefined && result == DEW_OK)) {
            assert_int_equal(result, DEW_INVALID);
            assert_non_null(strstr(dew_message(), name));
            assert_true(is_of_run(name) || strstr(dew_message(), frame->method->name));
        } else {
            if (result != DEW_OK) fail_msg("%s", dew_message());
            check_values(name, columns, found, rows, frame->index, first);
            compared++;
        }
        first += columns;
    }
    return compared;
}

/* The table of the method lists all that its state tells. */
static void check_table(const dew_frame *lent)
{
    for (int k = 0; k < dew_quantity_count(); k++) {
        double values[DEW_MOST_COLUMNS];
        const char *name = dew_quantity_name(k);
        if (lent->measure(lent->state, name, values) && !is_of_state(lent->method, name) && !is_of_run(name))
            fail_msg("method %s measures %s, which its table does not list", lent->method->name, name);
    }
}

static void check_run(const dew_method_info *method, bool has_heat)
{
    run r = make_whole_run(method, has_heat);
    row rows[FRAMES + 1];
    dew_frame_reader *reader;
    dew_measurer *measurer;
    const dew_frame *frame;
    read_probes(rows);
    if (dew_frame_reader_open(folder, &reader) != DEW_OK) fail_msg("%s", dew_message());
    assert_int_equal(dew_measurer_create(&measurer), DEW_OK);
    assert_int_equal(dew_frame_reader_count(reader), FRAMES + 1);
    for (int k = 0; k <= FRAMES; k++) {
        assert_int_equal(dew_frame_reader_index(reader, k), k);
        if (dew_frame_reader_read(reader, k, &frame) != DEW_OK) fail_msg("%s", dew_message());
        assert_int_equal(frame->index, k);
        int compared = check_frame(measurer, frame, rows, has_heat);
        assert_in_range(compared, dew_quantity_count() - 17, dew_quantity_count());
    }
    assert_ptr_equal(frame->method, method);
    check_table(dew_simulation_frame(r.simulation));
    dew_measurer_destroy(measurer);
    dew_frame_reader_close(reader);
    finish(&r);
}

static void frames_measure_as_probes_did(void **state)
{
    (void)state;
    for (int m = 0; m < dew_method_count(); m++) {
        const dew_method_info *method = dew_method_at(m);
        for (int dimension = 2; dimension <= 3; dimension++) {
            if (dimension == 2 && !(method->features & DEW_FEATURE_2D)) continue;
            write_scene(method, dimension, false);
            check_run(method, false);
            if (!(method->features & DEW_FEATURE_HEAT)) continue;
            write_scene(method, dimension, true);
            check_run(method, true);
        }
    }
}

/* --- the same frame --- */

static void draw(const dew_frame *frame, uint8_t *rgb)
{
    dew_render_def def = dew_default_render_def();
    dew_renderer *renderer;
    def.width = 96, def.height = 64, def.colour_by = "velocity";
    assert_int_equal(dew_renderer_create(&def, 1, &renderer), DEW_OK);
    if (dew_renderer_draw(renderer, frame, 2, rgb) != DEW_OK) fail_msg("%s", dew_message());
    dew_renderer_destroy(renderer);
}

/* Particles are written as they are held and solids placed by the same motion: everything is the same to the byte, and
 * so is a picture of it. */
static void files_hold_the_frame(void **state)
{
    (void)state;
    static uint8_t lent_picture[3 * 96 * 64], read_picture[3 * 96 * 64];
    write_scene(dew_method_find("pbf"), 3, false);
    run r = make_whole_run(dew_method_find("pbf"), false);
    const dew_frame *lent = dew_simulation_frame(r.simulation), *read;
    dew_frame_reader *reader;
    assert_int_equal(dew_frame_reader_open(folder, &reader), DEW_OK);
    if (dew_frame_reader_read(reader, FRAMES, &read) != DEW_OK) fail_msg("%s", dew_message());
    assert_true(read->time == lent->time && read->spacing == lent->spacing && read->dimension == lent->dimension);
    assert_int_equal(read->particle_count, lent->particle_count);
    assert_true(dew_frame_hash(read) == dew_frame_hash(lent));
    assert_memory_equal(&read->gravity, &lent->gravity, sizeof lent->gravity);
    assert_memory_equal(read->domain.axis, lent->domain.axis, sizeof lent->domain.axis);
    assert_int_equal(read->material_count, 1);
    assert_string_equal(read->materials[0].name, lent->materials[0].name);
    assert_true(read->materials[0].surface_tension == lent->materials[0].surface_tension);
    assert_int_equal(dew_frame_solid_count(read), dew_frame_solid_count(lent));
    for (int k = 0; k < dew_frame_solid_count(lent); k++) {
        dew_solid_mesh a, b;
        assert_int_equal(dew_frame_solid_mesh(lent, k, &a), DEW_OK);
        assert_int_equal(dew_frame_solid_mesh(read, k, &b), DEW_OK);
        assert_string_equal(a.name, b.name);
        assert_int_equal(a.vertex_count, b.vertex_count);
        if (a.vertex_count) assert_memory_equal(a.vertices, b.vertices, 12 * (size_t)a.vertex_count);
    }
    draw(lent, lent_picture), draw(read, read_picture);
    assert_memory_equal(lent_picture, read_picture, sizeof lent_picture);
    dew_frame_reader_close(reader);
    finish(&r);
}

/* --- what is wrong --- */

static void refuses_folder(const char *what)
{
    dew_frame_reader *reader;
    assert_int_equal(dew_frame_reader_open(folder, &reader), DEW_INVALID);
    assert_null(reader);
    if (!strstr(dew_message(), what)) fail_msg("\"%s\" does not say \"%s\"", dew_message(), what);
}

static void refuses_frame(int k, const char *what)
{
    dew_frame_reader *reader;
    const dew_frame *frame;
    if (dew_frame_reader_open(folder, &reader) != DEW_OK) fail_msg("%s", dew_message());
    assert_int_not_equal(dew_frame_reader_read(reader, k, &frame), DEW_OK);
    assert_null(frame);
    if (!strstr(dew_message(), what)) fail_msg("\"%s\" does not say \"%s\"", dew_message(), what);
    assert_int_equal(dew_frame_reader_read(reader, 0, &frame), DEW_OK); /* the others are as good as before */
    dew_frame_reader_close(reader);
}

static void fields_that_are_not_written_are_named(void)
{
    dew_frame_reader *reader;
    dew_measurer *measurer;
    const dew_frame *frame;
    double value[DEW_MOST_COLUMNS];
    assert_int_equal(dew_frame_reader_open(folder, &reader), DEW_OK);
    assert_int_equal(dew_measurer_create(&measurer), DEW_OK);
    assert_int_equal(dew_frame_reader_read(reader, 1, &frame), DEW_OK);
    assert_int_equal(dew_measure(measurer, frame, "kinetic_energy", value), DEW_INVALID);
    assert_non_null(strstr(dew_message(), "add it to the scene's output: {fields: [velocity]}"));
    assert_int_equal(dew_measure(measurer, frame, "mean_temperature", value), DEW_INVALID);
    assert_non_null(strstr(dew_message(), "[temperature]"));
    assert_int_equal(dew_measure(measurer, frame, "melted_fraction", value), DEW_INVALID);
    assert_int_equal(dew_measure(measurer, frame, "mass", value), DEW_OK);
    assert_int_equal(dew_measure(measurer, frame, "wetness", value), DEW_INVALID);
    dew_measurer_destroy(measurer);
    dew_frame_reader_close(reader);
}

/* In the place of frame 2. */
static void write_plain(plain_frame *p)
{
    p->frame.index = 2, p->frame.time = 1e-3;
    assert_int_equal(dew_frame_write(folder, &p->frame, (const char *[]){"velocity"}, 1), DEW_OK);
}

/* Whatever bytes a frame is of, it is refused or it is one that can be measured. */
static void any_bytes_are_survived(void)
{
    dew_frame_reader *reader;
    dew_measurer *measurer;
    char path[PATH_SIZE * 2];
    static char bytes[1 << 20];
    snprintf(path, sizeof path, "%s/frames/particles_0001.vtp", folder);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    size_t size = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    assert_in_range(size, 1000, sizeof bytes - 1);
    assert_int_equal(dew_frame_reader_open(folder, &reader), DEW_OK);
    assert_int_equal(dew_measurer_create(&measurer), DEW_OK);
    unsigned seed = 5, refused = 0;
    for (int k = 0; k < 600; k++) {
        seed = seed * 1664525 + 1013904223;
        size_t where = (seed >> 4) % (k % 3 ? 1400 : size);
        char kept = bytes[where];
        bytes[where] = k % 2 ? (char)('0' + (seed >> 16) % 10) : (char)(seed >> 24);
        write_bytes(path, bytes, size);
        const dew_frame *frame;
        static const char *const quantities[] = {"volume", "height", "heat", "drop_count", "kinetic_energy", "modes"};
        if (dew_frame_reader_read(reader, 1, &frame) == DEW_OK) {
            for (int q = 0; q < 6; q++) {
                double values[DEW_MOST_COLUMNS];
                dew_measure(measurer, frame, quantities[q], values);
            }
        } else {
            refused++;
        }
        bytes[where] = kept;
    }
    assert_true(refused > 100);
    write_bytes(path, bytes, size);
    dew_measurer_destroy(measurer);
    dew_frame_reader_close(reader);
}

static void damaged_runs_are_refused(void **state)
{
    (void)state;
    refuses_folder("holds no run.yaml, so it is not the folder of a run");
    write_file("run.yaml", "spacing: 1 mm\n");
    refuses_folder("run.yaml");
    write_scene(dew_method_find("mpm"), 2, true);
    run r = make_run(NULL, 0);
    finish(&r);
    fields_that_are_not_written_are_named();
    any_bytes_are_survived();
    plain_frame *p = plain_frame_create(2e-4);
    plain_frame_count(p, 3);
    p->material[1] = 7;
    write_plain(p);
    refuses_frame(2, "particle 1 is of material 7; there are 1");
    p->material[1] = 0, p->position[2][1] = (dew_real)NAN;
    write_plain(p);
    refuses_frame(2, "particle 2 lies at (0, nan, 0)");
    p->position[2][1] = (dew_real)1e30;
    write_plain(p);
    refuses_frame(2, "particle 2 lies at");
    plain_frame_destroy(p);
    char *bytes = read_text(in(folder, "frames/particles_0001.vtp"));
    bytes[200] = 0;
    write_file("frames/particles_0002.vtp", bytes);
    free(bytes);
    refuses_frame(2, "is not a whole frame");
    unlink(in(folder, "frames/particles_0002.vtp"));
    refuses_frame(2, "frames/particles_0002.vtp");
    write_file("particles.pvd",
               "<VTKFile type=\"Collection\"><DataSet timestep=\"0\" file=\"../other.vtp\"/></VTKFile>");
    refuses_folder("lists \"../other.vtp\"");
    write_file("particles.pvd", "<VTKFile");
    refuses_folder("particles.pvd");
    unlink(in(folder, "particles.pvd"));
    refuses_folder("holds no frames: there is no particles.pvd");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(frames_measure_as_probes_did, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(files_hold_the_frame, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(damaged_runs_are_refused, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
