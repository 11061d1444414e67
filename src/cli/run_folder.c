#include "cli/run_folder.h"

#include "io/atomic.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

const char *run_folder_file(const run_request *q, const char *file)
{
    static io_path path;
    path = io_path_of("%s/%s", q->folder, file);
    return path.text;
}

bool run_folder_has(const run_request *q, const char *file) { return access(run_folder_file(q, file), F_OK) == 0; }

/* --- files --- */

static bool ends_with(const char *name, const char *ending)
{
    const char *dot = strrchr(name, '.');
    return dot && strcmp(dot, ending) == 0;
}

static bool is_frame(const char *name) { return ends_with(name, ".vtp"); }

static bool is_picture(const char *name) { return ends_with(name, ".png"); }

/* How many files of a folder of the run are such; removes them on wish, and nothing else. */
static int count_files(const run_request *q, const char *folder, bool (*is_such)(const char *name), bool is_removal)
{
    int count = 0;
    DIR *d = opendir(run_folder_file(q, folder));
    for (const struct dirent *entry; d && (entry = readdir(d));) {
        if (!is_such(entry->d_name)) continue;
        count++;
        if (is_removal) unlink(io_path_of("%s/%s/%s", q->folder, folder, entry->d_name).text);
    }
    if (d) closedir(d);
    return count;
}

static const char *const run_files[] = {"preview.png",   "preview.mp4", "checkpoint.h5",
                                        "particles.pvd", "solids.pvd",  "probes.csv"};
enum { RUN_FILES = sizeof run_files / sizeof *run_files, PREVIEWS = 2 };

static void remove_run(const run_request *q)
{
    for (int i = 0; i < RUN_FILES; i++) unlink(run_folder_file(q, run_files[i]));
    count_files(q, "frames", is_frame, true);
    count_files(q, "pictures", is_picture, true);
    unlink(run_folder_file(q, "run.yaml")); /* last: what it stands beside is a run's, and may be removed */
}

/* Whether it is the half of one of the run's own files. */
static bool is_half_file(const char *name)
{
    bool is_own = strncmp(name, "run.yaml.", 9) == 0;
    for (int i = 0; i < RUN_FILES; i++) {
        size_t n = strlen(run_files[i]);
        is_own = is_own || (strncmp(name, run_files[i], n) == 0 && name[n] == '.');
    }
    return is_own && atomic_is_temporary(name);
}

void run_folder_tidy(const run_request *q)
{
    count_files(q, ".", is_half_file, true);
    count_files(q, "frames", atomic_is_temporary, true);
    count_files(q, "pictures", atomic_is_temporary, true);
}

/* --- whose it is --- */

/* A folder with such files but no run.yaml is someone's own: nothing in it is replaced. */
static int refuse_strange_folder(const run_request *q)
{
    const char *found = NULL;
    for (int i = PREVIEWS; i < RUN_FILES; i++)
        if (run_folder_has(q, run_files[i])) found = run_files[i];
    if (count_files(q, "frames", is_frame, false)) found = "frames";
    if (count_files(q, "pictures", is_picture, false)) found = "pictures";
    if (!found) return STATUS_DONE;
    return cli_wrong("run", "%s holds %s but no run.yaml, so it is not the folder of a run; choose another by -o DIR",
                     q->folder, found);
}

/* A lock on the folder itself leaves nothing behind, however the run ends. Where the file system has no locks there is
 * none. */
static int lock_folder(const run_request *q, int *lock)
{
    *lock = open(q->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*lock < 0 || flock(*lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return STATUS_DONE;
    return cli_wrong("run", "another run is writing into %s; wait until it is done, or choose another folder by -o DIR",
                     q->folder);
}

void run_folder_release(int lock)
{
    if (lock >= 0) close(lock);
}

int run_folder_claim(const run_request *q, int *lock)
{
    *lock = -1;
    dew_result result = io_make_folder(q->folder);
    if (result != DEW_OK) return cli_failed("run", result);
    int status = lock_folder(q, lock);
    if (status != STATUS_DONE) return status;
    if (run_folder_has(q, "run.yaml") && !q->is_resume && !q->is_force) {
        return cli_wrong("run",
                         "%s holds a run already; --resume goes on with it, --force replaces it, -o DIR writes "
                         "elsewhere",
                         q->folder);
    }
    if (q->is_resume && !run_folder_has(q, "checkpoint.h5") && !q->is_quiet) {
        fprintf(stderr, "%s holds no checkpoint: the run starts from the beginning\n", q->folder);
    }
    bool is_run = run_folder_has(q, "run.yaml") || (q->is_resume && run_folder_has(q, "checkpoint.h5"));
    if (!is_run && refuse_strange_folder(q) != STATUS_DONE) return STATUS_WRONG;
    if (!q->is_resume && run_folder_has(q, "run.yaml")) remove_run(q);
    if (is_run) run_folder_tidy(q); /* nobody writes on */
    return STATUS_DONE;
}
