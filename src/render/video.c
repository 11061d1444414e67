/* Video by the program ffmpeg, which is fed raw pictures on its standard input. That is a socket rather than a pipe: a
 * send to a program that has died is then an error here, never a signal that ends the process. */
#include "dew/render.h"
#include "io/atomic.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct dew_video {
    atomic_file file;
    char path[ATOMIC_PATH];
    size_t picture_size;
    int to_program; /* the socket; -1 when closed */
    int complaints; /* a file in memory: what ffmpeg says */
    pid_t program;  /* 0 when it has ended */
    bool has_failed;
};

static void video_destroy(dew_video *v)
{
    if (v->to_program >= 0) close(v->to_program);
    if (v->program > 0) waitpid(v->program, NULL, 0);
    if (v->complaints >= 0) close(v->complaints);
    atomic_abandon(&v->file);
    free(v);
}

static int spawn_ffmpeg(dew_video *v, int input, int width, int height, double frame_rate)
{
    char size[32], rate[32];
    snprintf(size, sizeof size, "%dx%d", width, height);
    snprintf(rate, sizeof rate, "%.9g", frame_rate);
    char *arguments[] = {"ffmpeg",     "-nostdin",    "-hide_banner",
                         "-loglevel",  "error",       "-y",
                         "-f",         "rawvideo",    "-pixel_format",
                         "rgb24",      "-video_size", size,
                         "-framerate", rate,          "-i",
                         "pipe:0",     "-an",         "-c:v",
                         "libx264",    "-preset",     "veryfast",
                         "-crf",       "17",          "-pix_fmt",
                         "yuv420p",    "-movflags",   "+faststart",
                         "-f",         "mp4",         v->file.temporary,
                         NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    /* A group of its own: ctrl-C ends the run, which then ends the video properly. */
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    posix_spawn_file_actions_adddup2(&actions, input, 0);
    posix_spawn_file_actions_adddup2(&actions, v->complaints, 1);
    posix_spawn_file_actions_adddup2(&actions, v->complaints, 2);
    int error = posix_spawnp(&v->program, "ffmpeg", &actions, &attributes, arguments, environ);
    if (error) v->program = 0;
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

dew_result dew_video_create(const char *path, int width, int height, double frame_rate, dew_video **video)
{
    *video = NULL;
    if (width < 2 || height < 2 || width % 2 || height % 2)
        return result_fail(DEW_INVALID, "a video of %d x %d pixels: both must be even and at least 2", width, height);
    if (!(frame_rate > 0 && frame_rate < 1e6))
        return result_fail(DEW_INVALID, "a video of %g pictures a second: there must be more than 0", frame_rate);
    dew_video *v = calloc(1, sizeof *v);
    if (!v) return result_fail(DEW_NO_MEMORY, "no memory for a video");
    int ends[2] = {-1, -1};
    v->to_program = -1, v->complaints = -1, v->picture_size = 3 * (size_t)width * (size_t)height;
    dew_result result = atomic_begin(&v->file, path);
    if (result == DEW_OK) {
        strcpy(v->path, path);
        v->complaints = memfd_create("ffmpeg", MFD_CLOEXEC);
        int error = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0 && v->complaints >= 0 ? 0 : errno;
        if (!error) error = spawn_ffmpeg(v, ends[0], width, height, frame_rate);
        if (ends[0] >= 0) close(ends[0]);
        v->to_program = ends[1];
        if (error == ENOENT)
            result = result_fail(DEW_IO,
                                 "no video %s: the program ffmpeg is not there\n  install it (apt install "
                                 "ffmpeg), or do without a video",
                                 path);
        else if (error)
            result = result_fail(DEW_IO, "no video %s: ffmpeg could not be started: %s", path, strerror(error));
    }
    if (result != DEW_OK) {
        video_destroy(v);
        return result;
    }
    *video = v;
    return DEW_OK;
}

/* What ffmpeg said last, or how it ended. */
static dew_result ffmpeg_failure(dew_video *v, int status)
{
    char text[1500];
    off_t length = lseek(v->complaints, 0, SEEK_END);
    off_t from = length > (off_t)sizeof text - 1 ? length - ((off_t)sizeof text - 1) : 0;
    ssize_t got = pread(v->complaints, text, sizeof text - 1, from);
    while (got > 0 && (text[got - 1] == '\n' || text[got - 1] == ' ')) got--;
    text[got > 0 ? got : 0] = 0;
    if (!text[0] && WIFSIGNALED(status)) snprintf(text, sizeof text, "it was ended by signal %d", WTERMSIG(status));
    if (!text[0]) snprintf(text, sizeof text, "it ended with status %d", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    return result_fail(DEW_IO,
                       "no video %s: ffmpeg failed:\n  %s\n  check the disk's free space and that ffmpeg can "
                       "encode H.264 (libx264)",
                       v->path, text);
}

static dew_result finish_program(dew_video *v)
{
    if (v->to_program >= 0) close(v->to_program);
    v->to_program = -1;
    int status = 0;
    while (v->program > 0 && waitpid(v->program, &status, 0) < 0 && errno == EINTR) continue;
    v->program = 0;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? DEW_OK : ffmpeg_failure(v, status);
}

dew_result dew_video_add(dew_video *v, const uint8_t *rgb)
{
    if (v->has_failed) return result_fail(DEW_IO, "no video %s: ffmpeg has failed before", v->path);
    for (size_t sent = 0; sent < v->picture_size;) {
        ssize_t n = send(v->to_program, rgb + sent, v->picture_size - sent, MSG_NOSIGNAL);
        if (n >= 0) {
            sent += (size_t)n;
        } else if (errno != EINTR) {
            int error = errno;
            v->has_failed = true;
            dew_result result = finish_program(v);
            return result != DEW_OK ? result : io_failure("send pictures to ffmpeg for", v->path, error);
        }
    }
    return DEW_OK;
}

dew_result dew_video_finish(dew_video *v)
{
    dew_result result =
        v->has_failed ? result_fail(DEW_IO, "no video %s: ffmpeg has failed before", v->path) : finish_program(v);
    if (result == DEW_OK) result = atomic_commit(&v->file);
    video_destroy(v);
    return result;
}
