/* Checkpoints: the items of a snapshot as HDF5 datasets, each with a checksum. The file is made in memory and written
 * by us: HDF5 does not get over a disk that fills up while it closes a file. */
#include "io/checkpoint.h"
#include "base/number.h"
#include "dew/dew.h"
#include "dew/frames.h"
#include "dew/snapshot.h"
#include "io/atomic.h"

#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { VERSION = 1, CHUNK = 1 << 18 };

/* HDF5's names of types are calls, hence not constants. */
static hid_t stored_type(int type)
{
    const hid_t types[NUMBER_TYPES] = {H5T_IEEE_F32LE, H5T_IEEE_F64LE, H5T_STD_I32LE, H5T_STD_I64LE, H5T_STD_U8LE};
    return types[type];
}

/* HDF5 prints a page for every failure unless told not to; ours say what it means. */
typedef struct silence {
    H5E_auto2_t function;
    void *context;
} silence;

static silence silence_begin(void)
{
    silence s;
    /* We close what we open; what is left of a damaged file HDF5 would try to close at exit again and again, aloud. */
    H5dont_atexit();
    H5Eget_auto2(H5E_DEFAULT, &s.function, &s.context);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return s;
}

static void silence_end(silence s) { H5Eset_auto2(H5E_DEFAULT, s.function, s.context); }

/* --- writing --- */

static bool write_number(hid_t file, const char *name, hid_t type, const void *value)
{
    hid_t space = H5Screate(H5S_SCALAR), attribute = H5Acreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    bool is_done = attribute >= 0 && H5Awrite(attribute, type, value) >= 0;
    if (attribute >= 0) H5Aclose(attribute);
    H5Sclose(space);
    return is_done;
}

static bool write_text(hid_t file, const char *name, const char *text)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, strlen(text) + 1);
    bool is_done = write_number(file, name, type, text);
    H5Tclose(type);
    return is_done;
}

/* The groups that a path leads through. */
static bool make_groups(hid_t file, hid_t groups, const char *path)
{
    char name[128];
    bool is_done = true;
    for (const char *slash = strchr(path, '/'); slash && is_done; slash = strchr(slash + 1, '/')) {
        snprintf(name, sizeof name, "%.*s", (int)(slash - path), path);
        if (H5Lexists(file, name, H5P_DEFAULT) > 0) continue;
        hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, groups, H5P_DEFAULT);
        is_done = group >= 0;
        if (is_done) H5Gclose(group);
    }
    return is_done;
}

static bool write_item(hid_t file, hid_t groups, const dew_snapshot_item *item)
{
    if (!make_groups(file, groups, item->name)) return false;
    hsize_t count = (hsize_t)item->count, chunk = count < CHUNK ? count : CHUNK;
    hid_t space = H5Screate_simple(1, &count, NULL), layout = H5Pcreate(H5P_DATASET_CREATE), set = -1;
    if (count > 0) H5Pset_chunk(layout, 1, &chunk), H5Pset_fletcher32(layout);
    H5Pset_obj_track_times(layout, false);
    set = H5Dcreate2(file, item->name, stored_type((int)item->type), space, H5P_DEFAULT, layout, H5P_DEFAULT);
    bool is_done = set >= 0 && (count == 0 || H5Dwrite(set, stored_type((int)item->type), H5S_ALL, H5S_ALL, H5P_DEFAULT,
                                                       item->data) >= 0);
    if (set >= 0) H5Dclose(set);
    H5Pclose(layout), H5Sclose(space);
    return is_done;
}

static bool write_all(hid_t file, const checkpoint *c)
{
    int32_t version = VERSION;
    hid_t groups = H5Pcreate(H5P_GROUP_CREATE);
    H5Pset_obj_track_times(groups, false);
    bool is_done = write_number(file, "dew_checkpoint", H5T_NATIVE_INT32, &version) &&
                   write_text(file, "dew_version", DEW_VERSION) && write_text(file, "method", c->method) &&
                   write_number(file, "time", H5T_NATIVE_DOUBLE, &c->time) &&
                   write_number(file, "spacing", H5T_NATIVE_DOUBLE, &c->spacing) &&
                   write_number(file, "frame", H5T_NATIVE_INT32, &c->frame) &&
                   write_number(file, "steps", H5T_NATIVE_INT64, &c->steps) &&
                   write_number(file, "particles", H5T_NATIVE_INT32, &c->particles);
    for (int k = 0; k < c->count && is_done; k++) is_done = write_item(file, groups, &c->items[k]);
    H5Pclose(groups);
    return is_done;
}

/* The finished file's bytes, taken where HDF5 keeps them. */
static dew_result write_image(hid_t file, hid_t access, const char *path)
{
    void **image = NULL;
    /* Asked without a buffer it tells the size alone; the file's own size counts the memory held ready as well. */
    ssize_t size = H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0 ? H5Fget_file_image(file, NULL, 0) : -1;
    if (size <= 0 || H5Fget_vfd_handle(file, access, (void **)&image) < 0 || !image || !*image)
        return result_fail(DEW_NO_MEMORY, "no memory to put together the checkpoint %s", path);
    return io_write_file(path, *image, (size_t)size);
}

dew_result checkpoint_save(const char *path, const checkpoint *c)
{
    size_t total = 1 << 16;
    for (int k = 0; k < c->count; k++) total += (size_t)c->items[k].count * number_size(c->items[k].type) + 1024;
    silence s = silence_begin();
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(access, total, false);
    /* The format of 1.8 has checksums on its own bookkeeping, so that damage is found rather than followed; later ones
     * mark a file as being written until it is closed, which the image would keep. */
    H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18);
    /* No times of writing: runs that are alike leave the same bytes. */
    hid_t root = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_obj_track_times(root, false);
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, root, access);
    H5Pclose(root);
    dew_result result = file >= 0 && write_all(file, c)
                            ? write_image(file, access, path)
                            : result_fail(DEW_NO_MEMORY, "no memory to put together the checkpoint %s", path);
    if (file >= 0) H5Fclose(file);
    H5Pclose(access);
    silence_end(s);
    return result;
}

dew_result dew_checkpoint_write(const char *path, dew_simulation *simulation)
{
    const dew_frame *f = dew_simulation_frame(simulation);
    const dew_snapshot_item *items;
    checkpoint c = {.time = f->time,
                    .spacing = f->spacing,
                    .frame = f->index,
                    .particles = f->particle_count,
                    .steps = dew_simulation_step_count(simulation)};
    snprintf(c.method, sizeof c.method, "%s", f->method->name);
    RESULT_TRY(dew_simulation_snapshot(simulation, &items, &c.count));
    c.items = (dew_snapshot_item *)items;
    return checkpoint_save(path, &c);
}

/* --- reading --- */

static dew_result broken(const char *path, const char *what)
{
    return result_fail(DEW_INVALID,
                       "%s is not a whole checkpoint of dew's: %s\n  start anew without --resume, or put an "
                       "earlier copy in its place",
                       path, what);
}

void checkpoint_free(checkpoint *c)
{
    for (int k = 0; k < c->count; k++) free((void *)c->items[k].name), free((void *)c->items[k].data);
    free(c->items);
    *c = (checkpoint){0};
}

static int item_type(hid_t set)
{
    hid_t type = H5Dget_type(set);
    int found = -1;
    for (int k = 0; k < NUMBER_TYPES && type >= 0; k++)
        if (H5Tequal(type, stored_type(k)) > 0) found = k;
    if (type >= 0) H5Tclose(type);
    return found;
}

static bool read_item(hid_t set, const char *name, checkpoint *c, size_t file_size)
{
    hid_t space = H5Dget_space(set);
    hssize_t count = space >= 0 && H5Sget_simple_extent_ndims(space) == 1 ? H5Sget_simple_extent_npoints(space) : -1;
    if (space >= 0) H5Sclose(space);
    int type = item_type(set);
    if (count < 0 || type < 0 || (size_t)count > file_size / number_size((dew_item_type)type)) return false;
    dew_snapshot_item *items = realloc(c->items, ((size_t)c->count + 1) * sizeof *items);
    if (!items) return false;
    c->items = items;
    void *data = malloc((size_t)count * number_size((dew_item_type)type) + 1);
    char *copy = strdup(name);
    items[c->count++] = (dew_snapshot_item){copy, (dew_item_type)type, count, data};
    return data && copy && (count == 0 || H5Dread(set, stored_type(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
}

typedef struct walk {
    checkpoint *c;
    size_t file_size;
} walk;

static herr_t visit(hid_t file, const char *name, const H5L_info_t *info, void *context)
{
    (void)info;
    walk *w = context;
    hid_t object = H5Oopen(file, name, H5P_DEFAULT);
    if (object < 0) return -1;
    bool is_fine = H5Iget_type(object) != H5I_DATASET || read_item(object, name, w->c, w->file_size);
    H5Oclose(object);
    return is_fine ? 0 : -1;
}

static bool read_number(hid_t file, const char *name, hid_t type, void *value)
{
    hid_t attribute = H5Aopen(file, name, H5P_DEFAULT);
    bool is_done = attribute >= 0 && H5Aread(attribute, type, value) >= 0;
    if (attribute >= 0) H5Aclose(attribute);
    return is_done;
}

static bool read_text(hid_t file, const char *name, char *text, size_t size)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, size);
    bool is_done = read_number(file, name, type, text);
    H5Tclose(type);
    text[size - 1] = 0;
    return is_done;
}

static dew_result read_file(hid_t file, const char *path, size_t size, checkpoint *c)
{
    int32_t version = 0;
    if (!read_number(file, "dew_checkpoint", H5T_NATIVE_INT32, &version))
        return broken(path, "it is an HDF5 file, but not one that dew wrote");
    if (version != VERSION)
        return result_fail(DEW_INVALID,
                           "%s is a checkpoint of format %d; this dew (" DEW_VERSION ") reads format %d: go on "
                           "with the dew that wrote it",
                           path, (int)version, VERSION);
    if (!read_text(file, "method", c->method, sizeof c->method) ||
        !read_text(file, "dew_version", c->dew_version, sizeof c->dew_version) ||
        !read_number(file, "time", H5T_NATIVE_DOUBLE, &c->time) ||
        !read_number(file, "spacing", H5T_NATIVE_DOUBLE, &c->spacing) ||
        !read_number(file, "frame", H5T_NATIVE_INT32, &c->frame) ||
        !read_number(file, "steps", H5T_NATIVE_INT64, &c->steps) ||
        !read_number(file, "particles", H5T_NATIVE_INT32, &c->particles))
        return broken(path, "its description is damaged");
    walk w = {c, size};
    if (H5Lvisit(file, H5_INDEX_NAME, H5_ITER_INC, visit, &w) < 0) return broken(path, "its data are damaged");
    return DEW_OK;
}

dew_result checkpoint_load(const char *path, checkpoint *c)
{
    *c = (checkpoint){0};
    struct stat about;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return io_failure("read", path, errno);
    int error = fstat(descriptor, &about) != 0 ? errno : S_ISDIR(about.st_mode) ? EISDIR : 0;
    close(descriptor);
    if (error) return io_failure("read", path, error);
    silence s = silence_begin();
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, access);
    dew_result result =
        file >= 0 ? read_file(file, path, (size_t)about.st_size, c) : broken(path, "it ends early or is damaged");
    if (file >= 0) H5Fclose(file);
    H5Pclose(access);
    silence_end(s);
    if (result != DEW_OK) checkpoint_free(c);
    return result;
}

dew_result dew_checkpoint_read(const char *path, dew_simulation *simulation)
{
    checkpoint c;
    RESULT_TRY(checkpoint_load(path, &c));
    const char *method = dew_simulation_method(simulation)->name;
    dew_result result = DEW_OK;
    if (strcmp(c.method, method) != 0)
        result = result_fail(DEW_INVALID, "%s is a checkpoint of a run with method %s, this run's is %s", path,
                             c.method, method);
    else if (c.spacing != dew_simulation_spacing(simulation))
        result = result_fail(DEW_INVALID, "%s is a checkpoint of a run with a spacing of %g m, this run's is %g m",
                             path, c.spacing, dew_simulation_spacing(simulation));
    else if (dew_simulation_restore(simulation, c.items, c.count) != DEW_OK)
        result = result_within(DEW_INVALID, "%s does not fit this run: ", path);
    checkpoint_free(&c);
    return result;
}
