#include "io/atomic.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Between a file's name and the number of the process that writes it. */
#define MARK ".part-"

static const char *remedy(int error)
{
    static const struct {
        int error;
        const char *remedy;
    } known[] = {
        {ENOSPC, "the disk is full: free some space or choose another folder, then go on with --resume"},
        {EDQUOT, "your quota of the disk is used up: free some space or choose another folder"},
        {EFBIG, "the largest size of a file allowed here (ulimit -f) is reached: raise it or choose another disk"},
        {EACCES, "you may not write there: choose another folder or change its permissions"},
        {EPERM, "you may not write there: choose another folder or change its permissions"},
        {EROFS, "that disk is read-only: choose another folder"},
        {ENOENT, "no such file or folder: check the path"},
        {ENOTDIR, "a part of the path is a file, not a folder: choose another folder"},
        {EISDIR, "there is a folder of that name: move it away or choose another name"},
        {ENAMETOOLONG, "the path is too long: choose a shorter one"},
        {EMFILE, "too many files are open: close some programs or raise the limit (ulimit -n)"},
        {ENFILE, "too many files are open: close some programs or raise the limit (ulimit -n)"},
        {EIO, "the disk reports an error: check it, and write elsewhere"},
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (known[k].error == error) return known[k].remedy;
    return "check the path and the disk";
}

dew_result io_failure(const char *doing, const char *path, int error)
{
    return result_fail(DEW_IO, "cannot %s %s: %s\n  %s", doing, path, strerror(error), remedy(error));
}

bool atomic_is_temporary(const char *name)
{
    const char *mark = strstr(name, MARK);
    return mark && mark != name && mark[strlen(MARK)] &&
           !mark[strlen(MARK) + strspn(mark + strlen(MARK), "0123456789")];
}

dew_result atomic_begin(atomic_file *file, const char *path)
{
    *file = (atomic_file){0};
    int length = snprintf(file->temporary, sizeof file->temporary, "%s" MARK "%ld", path, (long)getpid());
    bool is_short = length >= 0 && length < ATOMIC_PATH;
    int descriptor = is_short ? open(file->temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
    if (descriptor < 0) {
        int error = is_short ? errno : ENAMETOOLONG;
        *file = (atomic_file){0};
        return io_failure("write", path, error);
    }
    close(descriptor);
    strcpy(file->path, path);
    return DEW_OK;
}

dew_result atomic_open(atomic_file *file, const char *path)
{
    RESULT_TRY(atomic_begin(file, path));
    file->stream = fopen(file->temporary, "wb");
    if (file->stream) return DEW_OK;
    file->error = errno;
    return atomic_commit(file);
}

/* Kept at the first failure: the stream remembers that it failed, but not why. */
static void note_failure(atomic_file *file)
{
    if (!file->error) file->error = errno ? errno : EIO;
}

void atomic_write(atomic_file *file, const void *data, size_t bytes)
{
    if (!file->error && bytes && fwrite(data, 1, bytes, file->stream) != bytes) note_failure(file);
}

void atomic_print(atomic_file *file, const char *format, ...)
{
    if (file->error) return;
    va_list arguments;
    va_start(arguments, format);
    if (vfprintf(file->stream, format, arguments) < 0) note_failure(file);
    va_end(arguments);
}

/* Syncs the file or folder of that name; 0 or an errno. */
static int sync_path(const char *path, int flags)
{
    int descriptor = open(path, flags | O_CLOEXEC), error = 0;
    if (descriptor < 0) return errno;
    if (fsync(descriptor) != 0 && errno != EINVAL && errno != ENOTSUP) error = errno;
    if (close(descriptor) != 0 && !error) error = errno;
    return error;
}

static int sync_folder_of(const char *path)
{
    char folder[ATOMIC_PATH];
    strcpy(folder, path);
    char *slash = strrchr(folder, '/');
    if (!slash) return sync_path(".", O_RDONLY | O_DIRECTORY);
    slash[slash == folder] = 0;
    return sync_path(folder, O_RDONLY | O_DIRECTORY);
}

static int close_stream(atomic_file *file)
{
    if (!file->stream) return file->error;
    if (fflush(file->stream) != 0 || ferror(file->stream)) note_failure(file);
    if (fclose(file->stream) != 0) note_failure(file);
    file->stream = NULL;
    return file->error;
}

dew_result atomic_commit(atomic_file *file)
{
    int error = close_stream(file);
    if (!error) error = sync_path(file->temporary, O_RDONLY);
    if (!error && rename(file->temporary, file->path) != 0) error = errno;
    /* The folder's entry: where a file system cannot sync it the file is in place all the same. */
    if (!error) sync_folder_of(file->path), file->temporary[0] = 0;
    dew_result result = error ? io_failure("write", file->path, error) : DEW_OK;
    atomic_abandon(file);
    return result;
}

void atomic_abandon(atomic_file *file)
{
    int error = errno;
    if (file->stream) fclose(file->stream);
    if (file->temporary[0]) unlink(file->temporary);
    *file = (atomic_file){0};
    errno = error;
}

dew_result io_make_folder(const char *path)
{
    char part[ATOMIC_PATH];
    size_t length = strlen(path);
    if (length == 0 || length >= sizeof part)
        return io_failure("make the folder", path, length ? ENAMETOOLONG : ENOENT);
    for (size_t k = 1; k <= length; k++) {
        if (path[k] != '/' && path[k] != 0) continue;
        memcpy(part, path, k);
        part[k] = 0;
        struct stat about;
        if (mkdir(part, 0777) == 0 || (errno == EEXIST && stat(part, &about) == 0 && S_ISDIR(about.st_mode))) continue;
        return io_failure("make the folder", part, errno == EEXIST ? ENOTDIR : errno);
    }
    return DEW_OK;
}

dew_result io_read_file(const char *path, char **data, size_t *size)
{
    *data = NULL, *size = 0;
    FILE *stream = fopen(path, "rb");
    if (!stream) return io_failure("read", path, errno);
    struct stat about;
    bool is_file = fstat(fileno(stream), &about) == 0 && !S_ISDIR(about.st_mode);
    size_t length = is_file && about.st_size > 0 ? (size_t)about.st_size : 0;
    char *bytes = calloc(length + 1, 1);
    if (bytes) *size = fread(bytes, 1, length, stream);
    int error = !is_file ? EISDIR : ferror(stream) ? errno : 0;
    fclose(stream);
    *data = bytes;
    if (bytes && !error) return DEW_OK;
    free(bytes);
    *data = NULL, *size = 0;
    return error ? io_failure("read", path, error)
                 : result_fail(DEW_NO_MEMORY, "no memory to read %s (%zu bytes)", path, length);
}

io_path io_path_of(const char *format, ...)
{
    io_path path;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(path.text, sizeof path.text, format, arguments);
    va_end(arguments);
    return path;
}

dew_result io_write_file(const char *path, const void *data, size_t bytes)
{
    atomic_file file;
    RESULT_TRY(atomic_open(&file, path));
    atomic_write(&file, data, bytes);
    return atomic_commit(&file);
}
