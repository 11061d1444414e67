/* Scenes and other files for tests of the scene reader: a folder for them, and reading with what is expected. */
#ifndef SCENE_FILES_H
#define SCENE_FILES_H

#include "dew/dew.h"
#include "dew/scene.h"

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
static inline void find_root(void)
{
    assert_non_null(getcwd(start, sizeof start));
    snprintf(root, sizeof root, "%s", __FILE__);
    char *slash = strrchr(root, '/');
    if (slash)
        *slash = 0;
    else
        snprintf(root, sizeof root, ".");
    char joined[PATH_SIZE * 2 + 4], *absolute;
    snprintf(joined, sizeof joined, "%s%s%s/..", root[0] == '/' ? "" : start, root[0] == '/' ? "" : "/", root);
    absolute = realpath(joined, NULL);
    assert_non_null(absolute);
    snprintf(root, sizeof root, "%s", absolute);
    free(absolute);
}

static inline const char *in(const char *folder, const char *name)
{
    static char path[4][PATH_SIZE * 4];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

static inline char *read_text(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f) return NULL;
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 20) - 1, f) < (1 << 20) - 1);
    fclose(f);
    return text;
}

static inline void write_bytes(const char *path, const void *bytes, size_t size)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

static inline const char *scratch_file(const char *name, const char *text)
{
    const char *path = in(scratch, name);
    write_bytes(path, text, strlen(text));
    return path;
}

static inline int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* Names in a folder that end so, sorted; the caller frees them. */
static inline int list(const char *folder, const char *ending, char *names[MAX_FILES])
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

static inline dew_scene *read_good(const char *path, const dew_scene_options *options)
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
static inline char *read_wrong(const char *path, const dew_scene_options *options)
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

#define assert_near(a, b) assert_true(fabs((double)(a) - (double)(b)) <= 1e-15 * (1 + fabs((double)(b))))

/* The smallest scene, and a mesh. */
static const char small[] = "spacing: 0.2 mm\n"
                            "materials: {water: {}}\n"
                            "liquids: [{shape: {sphere: {centre: [0, 0, 0], radius: 1 mm}}}]\n";

static const char cube[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\n"
                           "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";

static inline int set_up(void **state)
{
    (void)state;
    find_root();
    const char *temporary = getenv("TMPDIR");
    snprintf(scratch, sizeof scratch, "%s/dew-scene-XXXXXX", temporary ? temporary : "/tmp");
    return mkdtemp(scratch) ? 0 : -1;
}

static inline int tear_down(void **state)
{
    (void)state;
    char *names[MAX_FILES];
    int count = list(scratch, "", names);
    for (int i = 0; i < count; i++) unlink(in(scratch, names[i])), free(names[i]);
    return rmdir(scratch);
}

#endif
