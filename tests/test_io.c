/* Files: what is written is what is read; what goes wrong leaves what was there. */
#include "plain_frame.h"

#include "dew/frames.h"
#include "io/atomic.h"
#include "io/checkpoint.h"
#include "io/collection.h"
#include "io/vtp.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* HDF5 loses a few hundred bytes of its own when it refuses a damaged file; nothing of ours is among them. */
DEW_API const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libhdf5"; }

static plain_frame *plain;
static dew_snapshot_item items[6];
static checkpoint saved;
static char folder[64];

static int set_up(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/dew-io-XXXXXX");
    plain = plain_frame_create(1e-3);
    return plain && mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    char command[128];
    plain_frame_destroy(plain);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static const char *at(const char *name)
{
    static char paths[4][256];
    static int turn;
    char *path = paths[turn = (turn + 1) % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

/* Many particles, so that arrays need several blocks and do not end with one. */
static void fill_plain(int count)
{
    plain_frame_count(plain, count);
    for (int i = 0; i < count; i++) {
        for (int c = 0; c < 4; c++) {
            plain->position[i][c] = (dew_real)(sin(i * 12.9898 + c) * 1e-2);
            plain->velocity[i][c] = (dew_real)(cos(i * 78.233 + c));
        }
        plain->pressure[i] = (dew_real)i;
        plain->id[i] = 7 * i % count, plain->material[i] = (uint8_t)(i % 3);
    }
}

static int files_in(const char *path)
{
    int count = 0;
    DIR *d = opendir(path);
    for (struct dirent *e; d && (e = readdir(d));) count += e->d_name[0] != '.';
    if (d) closedir(d);
    return count;
}

static char *text_of(const char *path)
{
    char *text;
    size_t size;
    assert_int_equal(io_read_file(path, &text, &size), DEW_OK);
    return text;
}

static void spoil(const char *path, const char *text, size_t size)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, size, f), size);
    fclose(f);
}

/* --- frames --- */

static void check_loaded(const vtp_file *f, const char *path, vtp_section section, const char *name,
                         const dew_field *field)
{
    int index = vtp_find(f, section, name);
    assert_true(index >= 0);
    void *data;
    assert_int_equal(vtp_load(f, path, index, &data), DEW_OK);
    const vtp_array *a = &f->arrays[index];
    assert_int_equal(a->components, field->components);
    assert_int_equal(a->tuples, field->count);
    size_t size = number_size(a->type);
    for (int i = 0; i < field->count; i++)
        assert_memory_equal((char *)data + size * (size_t)(i * a->components),
                            (const char *)field->data + size * (size_t)(i * field->stride),
                            size * (size_t)a->components);
    free(data);
}

static void frames_come_back(void **state)
{
    (void)state;
    static const int counts[] = {0, 1, 5461, 16384, 40001};
    for (int k = 0; k < 5; k++) {
        fill_plain(counts[k]);
        plain->frame.index = k, plain->frame.time = k / 60.0;
        assert_int_equal(
            dew_frame_write(folder, &plain->frame, (const char *[]){"velocity", "pressure", "position", "id"}, 4),
            DEW_OK);
        char name[64];
        snprintf(name, sizeof name, "frames/particles_%04d.vtp", k);
        vtp_file f;
        assert_int_equal(vtp_read(at(name), &f), DEW_OK);
        assert_int_equal(f.points, counts[k]);
        assert_int_equal(f.verts, counts[k]);
        assert_true(f.time == k / 60.0);
        check_loaded(&f, at(name), VTP_POINTS, "Points", &plain->fields[0]);
        static const char *const names[] = {"velocity", "id", "material", "pressure"};
        for (int n = 0; n < 4; n++) {
            dew_field field;
            assert_true(dew_frame_field(&plain->frame, names[n], &field));
            check_loaded(&f, at(name), VTP_POINT_DATA, names[n], &field);
        }
        assert_int_equal(vtp_find(&f, VTP_POINT_DATA, "position"), -1);
        assert_string_equal(f.arrays[vtp_find(&f, VTP_POINT_DATA, "velocity")].unit, "m s-1");
        vtp_close(&f);
    }
    collection c = {0};
    assert_int_equal(collection_read(at("particles.pvd"), &c), DEW_OK);
    assert_int_equal(c.count, 5);
    for (int k = 0; k < 5; k++) assert_true(c.entries[k].time == k / 60.0);
    collection_free(&c);
    /* Resumed at frame 2: later frames are forgotten. A lost list is made again from the frames. */
    for (int lose = 0; lose < 2; lose++) {
        if (lose) unlink(at("particles.pvd"));
        plain->frame.index = 3 - lose, plain->frame.time = plain->frame.index / 60.0;
        assert_int_equal(dew_frame_write(folder, &plain->frame, NULL, 0), DEW_OK);
        assert_int_equal(collection_read(at("particles.pvd"), &c), DEW_OK);
        assert_int_equal(c.count, 4 - lose);
        assert_string_equal(c.entries[1].file, "frames/particles_0001.vtp");
        collection_free(&c);
    }
    assert_int_equal(files_in(at("frames")), 5);
}

static void unknown_fields_are_named(void **state)
{
    (void)state;
    fill_plain(10);
    plain->frame.index = 0;
    assert_int_equal(dew_frame_write(folder, &plain->frame, (const char *[]){"presure"}, 1), DEW_INVALID);
    assert_non_null(strstr(dew_message(), "\"presure\""));
    assert_non_null(strstr(dew_message(), "position, velocity, id, material, pressure"));
}

static void solids_are_written_when_they_move(void **state)
{
    (void)state;
    static const double vertices[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const int32_t triangles[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    static const dew_keyframe keys[2] = {{.time = 0.1}, {.time = 0.3, .translation = {2, 0, 0}}};
    fill_plain(10);
    dew_solid_def defs[3];
    for (int k = 0; k < 3; k++) {
        defs[k] = dew_default_solid_def();
        defs[k].shape = dew_default_shape_def(), defs[k].shape.kind = DEW_SHAPE_MESH;
        defs[k].shape.mesh.vertices = vertices, defs[k].shape.mesh.triangles = triangles;
        defs[k].shape.mesh.vertex_count = defs[k].shape.mesh.triangle_count = 4;
    }
    defs[0].name = "still one", defs[1].name = "mover", defs[2].name = "plane";
    defs[1].shape.scale = 2, defs[1].motion.keyframes = keys, defs[1].motion.keyframe_count = 2;
    defs[2].shape = dew_plane((dew_vec3){0, 0, 0}, (dew_vec3){0, 0, 1});
    assert_true(plain_frame_solids(plain, defs, 3, 0.1));
    for (int k = 0; k < 4; k++) {
        plain->frame.index = k, plain->frame.time = 0.1 * k;
        solids_place(plain->solids, 0.1 * k, 0.1 * k);
        assert_int_equal(dew_frame_write(folder, &plain->frame, NULL, 0), DEW_OK);
    }
    static const char *const there[] = {"frames/solid_still_one_0000.vtp", "frames/solid_mover_0000.vtp",
                                        "frames/solid_mover_0002.vtp", "frames/solid_mover_0003.vtp"};
    for (int k = 0; k < 4; k++) assert_int_equal(access(at(there[k]), F_OK), 0);
    assert_int_equal(files_in(at("frames")), 4 + 4);
    collection c = {0};
    assert_int_equal(collection_read(at("solids.pvd"), &c), DEW_OK);
    assert_int_equal(c.count, 8);
    assert_string_equal(c.entries[6].file, there[0]);
    assert_string_equal(c.entries[7].file, there[3]);
    collection_free(&c);
    vtp_file f;
    assert_int_equal(vtp_read(at(there[2]), &f), DEW_OK);
    assert_int_equal(f.points, 4);
    assert_int_equal(f.polys, 4);
    void *data;
    assert_int_equal(vtp_load(&f, "", vtp_find(&f, VTP_POLYS, "connectivity"), &data), DEW_OK);
    assert_memory_equal(data, triangles, sizeof triangles);
    free(data);
    vtp_close(&f);
}

/* Every way to cut a frame short, and many ways to damage it, ends in a message. */
static void damaged_frames_are_refused(void **state)
{
    (void)state;
    fill_plain(3000);
    plain->frame.index = 0;
    assert_int_equal(dew_frame_write(folder, &plain->frame, (const char *[]){"velocity"}, 1), DEW_OK);
    const char *whole = at("frames/particles_0000.vtp");
    char *bytes, *text;
    size_t size;
    assert_int_equal(io_read_file(whole, &bytes, &size), DEW_OK);
    assert_int_equal(dew_file_describe(whole, &text), DEW_OK);
    assert_non_null(strstr(text, "particles  3000"));
    assert_non_null(strstr(text, "velocity.z [m s-1]"));
    free(text);
    for (size_t length = 0; length < size; length += length < 3000 ? 37 : 4001) {
        spoil(at("cut.vtp"), bytes, length);
        assert_int_equal(dew_file_describe(at("cut.vtp"), &text), DEW_INVALID);
        assert_null(text);
        assert_non_null(strstr(dew_message(), "cut.vtp is not a whole frame"));
    }
    unsigned seed = 1;
    for (int k = 0; k < 2000; k++) {
        seed = seed * 1664525 + 1013904223;
        size_t where = seed % (k % 2 ? size : 2500);
        char kept = bytes[where];
        bytes[where] = (char)(seed >> 24);
        spoil(at("hurt.vtp"), bytes, size);
        if (dew_file_describe(at("hurt.vtp"), &text) == DEW_OK) free(text);
        bytes[where] = kept;
    }
    free(bytes);
}

/* --- files written aside --- */

static dew_result write_old_and_new(const char *path, const char *text)
{
    atomic_file file;
    dew_result result = atomic_open(&file, path);
    if (result != DEW_OK) return result;
    for (int k = 0; k < 1000; k++) atomic_write(&file, text, strlen(text));
    return atomic_commit(&file);
}

/* Runs `write` where no file may grow beyond 4 KiB: it must fail with a message, and leave what was there. */
static void check_full_disk(dew_result (*write)(void), const char *path)
{
    char *before = text_of(path);
    int files = files_in(folder);
    struct rlimit old, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = old, small.rlim_cur = 4096;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    dew_result result = write();
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, handler);
    assert_int_equal(result, DEW_IO);
    assert_non_null(strstr(dew_message(), path));
    assert_non_null(strstr(dew_message(), strerror(EFBIG)));
    char *after = text_of(path);
    assert_string_equal(before, after);
    assert_int_equal(files_in(folder), files);
    free(before), free(after);
}

static dew_result write_long_text(void) { return write_old_and_new(at("text"), "new text "); }
static dew_result write_frame(void) { return dew_frame_write(folder, &plain->frame, NULL, 0); }
static dew_result write_checkpoint(void) { return checkpoint_save(at("checkpoint.h5"), &saved); }

static void full_disk_keeps_old_files(void **state)
{
    (void)state;
    fill_plain(5000);
    plain->frame.index = 0;
    items[0] = (dew_snapshot_item){"particles/position", DEW_ITEM_UINT8, sizeof plain->position, plain->position};
    saved = (checkpoint){.method = "plain", .items = items, .count = 1};
    assert_int_equal(write_old_and_new(at("text"), "old "), DEW_OK);
    assert_int_equal(write_frame(), DEW_OK);
    assert_int_equal(write_checkpoint(), DEW_OK);
    check_full_disk(write_long_text, at("text"));
    check_full_disk(write_frame, at("frames/particles_0000.vtp"));
    check_full_disk(write_checkpoint, at("checkpoint.h5"));
    checkpoint c;
    assert_int_equal(checkpoint_load(at("checkpoint.h5"), &c), DEW_OK);
    checkpoint_free(&c);
}

static void bad_places_are_explained(void **state)
{
    (void)state;
    fill_plain(10);
    spoil(at("file"), "x", 1);
    assert_int_equal(dew_frame_write(at("file"), &plain->frame, NULL, 0), DEW_IO);
    assert_non_null(strstr(dew_message(), strerror(ENOTDIR)));
    assert_int_equal(write_old_and_new(at("file/below"), "a"), DEW_IO);
    assert_non_null(strstr(dew_message(), "choose another folder"));
    assert_int_equal(write_old_and_new("/proc/dew-test", "a"), DEW_IO);
    assert_int_equal(write_old_and_new(at("not/there"), "a"), DEW_IO);
    assert_non_null(strstr(dew_message(), strerror(ENOENT)));
    assert_int_equal(mkdir(at("folder"), 0777), 0);
    assert_int_equal(write_old_and_new(at("folder"), "a"), DEW_IO);
    char *text;
    assert_int_equal(dew_file_describe(at("none.h5"), &text), DEW_IO);
    assert_int_equal(dew_file_describe(at("folder"), &text), DEW_INVALID);
    assert_int_equal(dew_file_describe(folder, &text), DEW_INVALID);
}

/* A folder that may not be written, for someone who is not root. */
static void read_only_folder_is_explained(void **state)
{
    (void)state;
    assert_int_equal(mkdir(at("locked"), 0555), 0);
    pid_t child = fork();
    if (child == 0) {
        if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) _exit(77);
        dew_result result = write_old_and_new(at("locked/file"), "a");
        _exit(result == DEW_IO && strstr(dew_message(), strerror(EACCES)) && strstr(dew_message(), "permissions") ? 0
                                                                                                                  : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == 77) skip();
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* --- checkpoints --- */

static const double some_doubles[3] = {0.1, -2e300, 5e-324};
static const int64_t some_counts[2] = {1LL << 62, -3};

static void fill_items(void)
{
    fill_plain(20000);
    int count = plain->frame.particle_count;
    items[0] = (dew_snapshot_item){"clock/time", DEW_ITEM_DOUBLE, 3, some_doubles};
    items[1] = (dew_snapshot_item){"clock/steps", DEW_ITEM_INT64, 2, some_counts};
    items[2] = (dew_snapshot_item){"method/state", DEW_ITEM_UINT8, 0, NULL};
    items[3] = (dew_snapshot_item){"particles/id", DEW_ITEM_INT32, count, plain->id};
    dew_item_type real_item = sizeof(dew_real) == 4 ? DEW_ITEM_FLOAT : DEW_ITEM_DOUBLE;
    items[4] = (dew_snapshot_item){"particles/position", real_item, 4 * count, plain->position};
    items[5] = (dew_snapshot_item){"particles/material", DEW_ITEM_UINT8, count, plain->material};
    saved = (checkpoint){.method = "plain",
                         .time = 0.2,
                         .frame = 12,
                         .steps = 120,
                         .particles = count,
                         .spacing = 1e-3,
                         .items = items,
                         .count = 6};
}

static const dew_snapshot_item *item_of(const checkpoint *c, const char *name)
{
    for (int k = 0; k < c->count; k++)
        if (strcmp(c->items[k].name, name) == 0) return &c->items[k];
    return NULL;
}

static void checkpoints_come_back(void **state)
{
    (void)state;
    static const size_t sizes[] = {4, 8, 4, 8, 1};
    fill_items();
    assert_int_equal(checkpoint_save(at("c.h5"), &saved), DEW_OK);
    checkpoint c;
    assert_int_equal(checkpoint_load(at("c.h5"), &c), DEW_OK);
    assert_int_equal(c.count, 6);
    assert_true(c.time == 0.2 && c.spacing == 1e-3 && c.frame == 12 && c.steps == 120 && c.particles == 20000);
    for (int k = 0; k < 6; k++) {
        const dew_snapshot_item *found = item_of(&c, items[k].name);
        assert_non_null(found);
        assert_int_equal(found->type, items[k].type);
        assert_int_equal(found->count, items[k].count);
        if (found->count) assert_memory_equal(found->data, items[k].data, (size_t)found->count * sizes[found->type]);
    }
    checkpoint_free(&c);
    char *text;
    assert_int_equal(dew_file_describe(at("c.h5"), &text), DEW_OK);
    assert_non_null(strstr(text, "method     plain"));
    assert_non_null(strstr(text, "particles  20000"));
    free(text);
}

static void damaged_checkpoints_are_refused(void **state)
{
    (void)state;
    fill_items();
    assert_int_equal(checkpoint_save(at("c.h5"), &saved), DEW_OK);
    char *bytes;
    size_t size;
    checkpoint c;
    assert_int_equal(io_read_file(at("c.h5"), &bytes, &size), DEW_OK);
    for (size_t length = 0; length < size; length += 1 + size / 150) {
        spoil(at("cut.h5"), bytes, length);
        assert_int_equal(checkpoint_load(at("cut.h5"), &c), DEW_INVALID);
        assert_non_null(strstr(dew_message(), "cut.h5 is not a whole checkpoint"));
        assert_int_equal(c.count, 0);
    }
    spoil(at("cut.h5"), bytes, size - 1);
    assert_int_equal(checkpoint_load(at("cut.h5"), &c), DEW_INVALID);
    /* A byte turned over: found by a checksum, or in a place that holds nothing. */
    unsigned seed = 7, refused = 0;
    for (int k = 0; k < 300; k++) {
        seed = seed * 1664525 + 1013904223;
        size_t where = (seed >> 4) % size;
        bytes[where] ^= 0x55;
        spoil(at("hurt.h5"), bytes, size);
        if (checkpoint_load(at("hurt.h5"), &c) != DEW_OK) {
            refused++;
        } else {
            const dew_snapshot_item *found = item_of(&c, "particles/position");
            if (found) assert_memory_equal(found->data, plain->position, sizeof(dew_real) * 80000);
            checkpoint_free(&c);
        }
        bytes[where] ^= 0x55;
    }
    assert_true(refused > 250);
    free(bytes);
    spoil(at("text.h5"), "not a checkpoint at all", 23);
    assert_int_equal(checkpoint_load(at("text.h5"), &c), DEW_INVALID);
    assert_int_equal(checkpoint_load(at("none.h5"), &c), DEW_IO);
}

/* --- probes --- */

static const dew_probe_def probes[2] = {{"all", 0, (const char *const[]){"kinetic_energy", "momentum"}, 2, {0}},
                                        {"often", 0.004, (const char *const[]){"kinetic_energy"}, 1, {0}}};

/* Steps of 1/600 s from step `from` to `to`; every tenth ends a frame. Ever faster. */
static void run_probes(dew_probe_table *t, int from, int to)
{
    plain_frame_count(plain, 100);
    for (int k = from; k <= to; k++) {
        plain->frame.index = k / 10, plain->frame.time = k / 600.0;
        for (int i = 0; i < 100; i++) plain->velocity[i][i % 3] = (dew_real)(1 + k / 3.0);
        assert_int_equal(dew_probe_table_update(t, &plain->frame), DEW_OK);
    }
}

static void probes_go_on_exactly(void **state)
{
    (void)state;
    dew_simulation_def def = {.frame_rate = 60, .probes = probes, .probe_count = 2};
    dew_probe_table *t;
    assert_int_equal(dew_probe_table_open(at("whole.csv"), &def, -1, &t), DEW_OK);
    run_probes(t, 0, 60);
    assert_int_equal(dew_probe_table_close(t), DEW_OK);
    char *whole = text_of(at("whole.csv"));
    const char *head = "time,all.kinetic_energy,all.momentum_x,all.momentum_y,all.momentum_z,often.kinetic_energy\n";
    assert_memory_equal(whole, head, strlen(head));
    int rows = -1;
    for (const char *c = whole; *c; c++) rows += *c == '\n';
    /* 7 frames and 26 multiples of 4 ms, of which those of 0 and 20 and 60 and 100 ms fall on frames' ends or steps. */
    assert_in_range(rows, 26, 33);
    for (int stop = 0; stop <= 60; stop += 10) {
        assert_int_equal(dew_probe_table_open(at("part.csv"), &def, -1, &t), DEW_OK);
        run_probes(t, 0, stop);
        assert_int_equal(dew_probe_table_sync(t), DEW_OK);
        run_probes(t, stop + 1, stop + 7);
        assert_int_equal(dew_probe_table_close(t), DEW_OK);
        FILE *f = fopen(at("part.csv"), "a");
        fprintf(f, "0.1,4"); /* killed within a row */
        fclose(f);
        assert_int_equal(dew_probe_table_open(at("part.csv"), &def, stop / 600.0, &t), DEW_OK);
        run_probes(t, stop + stop % 20 / 10, 60); /* with and without a call at the start */
        assert_int_equal(dew_probe_table_close(t), DEW_OK);
        char *part = text_of(at("part.csv"));
        assert_string_equal(part, whole);
        free(part);
    }
    free(whole);
    char *text;
    assert_int_equal(dew_file_describe(at("whole.csv"), &text), DEW_OK);
    assert_non_null(strstr(text, "often.kinetic_energy"));
    free(text);
}

static void probes_complain(void **state)
{
    (void)state;
    dew_probe_table *t;
    dew_probe_def wrong = {"p", 0, (const char *const[]){"wetness"}, 1, {0}};
    dew_simulation_def def = {.frame_rate = 60, .probes = &wrong, .probe_count = 1};
    assert_int_equal(dew_probe_table_open(at("p.csv"), &def, -1, &t), DEW_INVALID);
    assert_non_null(strstr(dew_message(), "\"wetness\""));
    def.probes = probes;
    assert_int_equal(dew_probe_table_open(at("none/p.csv"), &def, -1, &t), DEW_IO);
    spoil(at("other.csv"), "time,other\n0,1\n", 15);
    assert_int_equal(dew_probe_table_open(at("other.csv"), &def, 0.5, &t), DEW_INVALID);
    assert_int_equal(unlink(at("other.csv")), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(frames_come_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(unknown_fields_are_named, set_up, tear_down),
        cmocka_unit_test_setup_teardown(solids_are_written_when_they_move, set_up, tear_down),
        cmocka_unit_test_setup_teardown(damaged_frames_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(full_disk_keeps_old_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bad_places_are_explained, set_up, tear_down),
        cmocka_unit_test_setup_teardown(read_only_folder_is_explained, set_up, tear_down),
        cmocka_unit_test_setup_teardown(checkpoints_come_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(damaged_checkpoints_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(probes_go_on_exactly, set_up, tear_down),
        cmocka_unit_test_setup_teardown(probes_complain, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
