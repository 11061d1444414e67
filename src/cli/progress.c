#include "cli/progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

double wall_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void format_time(char *text, size_t size, double seconds)
{
    if (fabs(seconds) >= 1 || seconds == 0)
        snprintf(text, size, "%.3f s", seconds);
    else if (fabs(seconds) >= 1e-3)
        snprintf(text, size, "%.3g ms", 1e3 * seconds);
    else
        snprintf(text, size, "%.3g us", 1e6 * seconds);
}

void format_clock(char *text, size_t size, double seconds)
{
    if (!(seconds < 360000)) {
        snprintf(text, size, "--:--");
        return;
    }
    int s = (int)(seconds + 0.5);
    if (s >= 3600)
        snprintf(text, size, "%d:%02d:%02d", s / 3600, s / 60 % 60, s % 60);
    else
        snprintf(text, size, "%d:%02d", s / 60, s % 60);
}

void progress_begin(progress *p, const dew_simulation *s, double duration, bool is_quiet)
{
    bool is_terminal = isatty(STDERR_FILENO);
    double now = wall_clock(), from = dew_simulation_time(s);
    *p = (progress){.line = {is_quiet, is_terminal, is_terminal ? 0 : now, (int)(10 * from / fmax(duration, 1e-300))},
                    .duration = duration,
                    .began = now,
                    .from = from,
                    .first_step = dew_simulation_step_count(s)};
}

double progress_ms_per_step(const progress *p, const dew_simulation *s)
{
    int64_t steps = dew_simulation_step_count(s) - p->first_step;
    return steps > 0 ? 1e3 * (wall_clock() - p->began - p->outside) / (double)steps : 0;
}

static void describe(const progress *p, const dew_simulation *s, char *text, size_t size)
{
    double time = dew_simulation_time(s), now = wall_clock();
    double left = time > p->from ? (now - p->began) * (p->duration - time) / (time - p->from) : INFINITY;
    char at[32], of[32], remaining[32];
    format_time(at, sizeof at, time);
    format_time(of, sizeof of, p->duration);
    format_clock(remaining, sizeof remaining, fmax(left, 0));
    snprintf(text, size, "%s of %s | step %lld, %.3g ms each | %d particles | %s left", at, of,
             (long long)dew_simulation_step_count(s), progress_ms_per_step(p, s), dew_simulation_particle_count(s),
             remaining);
}

int terminal_width(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

static void draw_bar(double part, const char *text)
{
    static const char done[] = "##############################", open[] = "..............................";
    const int widest = sizeof done - 1;
    int room = terminal_width() - (int)strlen(text) - 10, width = room > widest ? widest : room;
    int full = (int)(part * width);
    if (width > 3)
        fprintf(stderr, "\r[%.*s%.*s] %3.0f %% %s\033[K", full, done, width - full, open, 100 * part, text);
    else
        fprintf(stderr, "\r%3.0f %% %.*s\033[K", 100 * part, terminal_width() - 7, text);
}

bool progress_is_due(progress_line *line, double part, bool is_stage)
{
    double now = wall_clock(), passed = now - line->shown;
    int tenth = (int)(10 * part + 1e-9);
    bool is_due = line->is_terminal ? passed >= 0.1 || part >= 1 : (is_stage && tenth > line->tenth) || passed >= 30;
    if (line->is_quiet || !is_due) return false;
    line->shown = now, line->tenth = tenth;
    return true;
}

void progress_clear(const progress_line *line)
{
    if (line->is_terminal && !line->is_quiet) fputs("\r\033[K", stderr);
}

void progress_update(progress *p, const dew_simulation *s, bool is_frame)
{
    double part = fmin(1, dew_simulation_time(s) / fmax(p->duration, 1e-300));
    char text[256];
    if (!progress_is_due(&p->line, part, is_frame)) return;
    describe(p, s, text, sizeof text);
    if (p->line.is_terminal)
        draw_bar(part, text);
    else
        fprintf(stderr, "%3.0f %%: frame %d, %s\n", 100 * part, dew_simulation_frame(s)->index, text);
    fflush(stderr);
}
