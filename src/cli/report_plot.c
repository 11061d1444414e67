#include "cli/report_plot.h"
#include "io/atomic.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* A curve of more points is thinned in the picture, not in the data: it would make files of megabytes. */
enum { MOST_POINTS = 1500 };

/* Readable on white and on black; ink, axes and grid turn with the reader's colours, see `style`. */
static const char *const colours[] = {"#2f74d0", "#e0702d", "#2a9d6a", "#9159d1",
                                      "#d1435b", "#1f9bb0", "#b58900", "#7a7f87"};
enum { COLOURS = sizeof colours / sizeof *colours };
#define INK "#1f2328"
#define AXIS "#59636e"
#define GRID "#e4e7eb"

/* gnuplot writes a colour as rgb( 31,  35,  40) or rgb(31,35,40). */
static const char style[] = "\n<style>text{font-family:system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif}\n"
                            "@media (prefers-color-scheme: dark){\n"
                            "[stroke='rgb( 31,  35,  40)']{stroke:#e6edf3}[fill='rgb(31,35,40)']{fill:#e6edf3}\n"
                            "[stroke='rgb( 89,  99, 110)']{stroke:#8b949e}[fill='rgb(89,99,110)']{fill:#9da7b1}\n"
                            "[stroke='rgb(228, 231, 235)']{stroke:#2b323b}\n"
                            "[color='black']{color:#8b949e}}</style>\n";

/* --- the program --- */

/* What a descriptor of a file in memory holds, as a text that the caller frees; NULL for want of memory. */
static char *text_of(int file, size_t *size)
{
    off_t length = lseek(file, 0, SEEK_END);
    char *text = malloc((size_t)(length > 0 ? length : 0) + 1);
    *size = 0;
    while (text && (off_t)*size < length) {
        ssize_t got = pread(file, text + *size, (size_t)length - *size, (off_t)*size);
        if (got <= 0) break;
        *size += (size_t)got;
    }
    if (text) text[*size] = '\0';
    return text;
}

/* Runs gnuplot in a folder, its output and complaints to files in memory; *status as waitpid tells it. An errno. */
static int run_gnuplot(const char *folder, char *const *arguments, int output, int complaints, int *status)
{
    posix_spawn_file_actions_t actions;
    pid_t program;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, 1);
    posix_spawn_file_actions_adddup2(&actions, complaints, 2);
    if (folder) posix_spawn_file_actions_addchdir_np(&actions, folder);
    int error = posix_spawnp(&program, "gnuplot", &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error) return error;
    while (waitpid(program, status, 0) < 0)
        if (errno != EINTR) return errno;
    return 0;
}

/* The program's output, which the caller frees; `what` is made: for messages. */
static dew_result call_gnuplot(const char *folder, char *const *arguments, const char *what, char **output,
                               size_t *size)
{
    *output = NULL;
    int out = memfd_create("gnuplot", MFD_CLOEXEC), complaints = memfd_create("gnuplot", MFD_CLOEXEC), status = 0;
    int error = out >= 0 && complaints >= 0 ? run_gnuplot(folder, arguments, out, complaints, &status) : errno;
    dew_result result = DEW_OK;
    if (error == ENOENT)
        result =
            result_fail(DEW_IO, "no %s: the program gnuplot is not there; install it (apt install gnuplot-nox)", what);
    else if (error)
        result = result_fail(DEW_IO, "no %s: gnuplot could not be started: %s", what, strerror(error));
    else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        size_t length;
        char *text = text_of(complaints, &length);
        while (length > 0 && text[length - 1] == '\n') text[--length] = '\0';
        result = result_fail(DEW_IO, "no %s: gnuplot failed:\n  %.1000s", what,
                             text && length ? text : "it did not say why");
        free(text);
    } else {
        *output = text_of(out, size);
        if (!*output) result = result_fail(DEW_NO_MEMORY, "no memory for %s", what);
    }
    if (out >= 0) close(out);
    if (complaints >= 0) close(complaints);
    return result;
}

dew_result plot_check(void)
{
    char *output, *arguments[] = {"gnuplot", "--version", NULL};
    size_t size;
    dew_result result = call_gnuplot(NULL, arguments, "plots", &output, &size);
    free(output);
    return result;
}

/* --- data and script --- */

static bool is_drawn(double x, double y, bool is_logarithmic)
{
    return isfinite(x) && isfinite(y) && (!is_logarithmic || (x > 0 && y > 0));
}

static bool curve_has_points(const law_curve *curve, bool is_logarithmic)
{
    for (int i = 0; i < curve->count; i++)
        if (is_drawn(curve->x[i], curve->y[i], is_logarithmic)) return true;
    return false;
}

bool plot_has_points(const law_plot *plot, bool is_logarithmic)
{
    for (int k = 0; k < plot->curve_count; k++)
        if (curve_has_points(&plot->curves[k], is_logarithmic)) return true;
    return false;
}

/* Without line ends: for a comment, or within the quotes of a script, which are doubled. */
static void print_line(atomic_file *file, const char *text, bool is_quoted)
{
    for (; *text; text++) {
        if (is_quoted && *text == '\'') atomic_write(file, "'", 1);
        atomic_write(file, (unsigned char)*text < 0x20 ? " " : text, 1);
    }
}

static dew_result write_data(const char *path, const law_plot *plot, bool is_logarithmic)
{
    atomic_file file;
    RESULT_TRY(atomic_open(&file, path));
    for (int k = 0; k < plot->curve_count; k++) {
        const law_curve *curve = &plot->curves[k];
        atomic_print(&file, "%s# %s: ", k ? "\n\n" : "", curve->kind == LAW_CURVE_THEORY ? "theory" : "measured");
        print_line(&file, curve->label, false);
        atomic_print(&file, "\n# ");
        print_line(&file, plot->x_label, false);
        atomic_print(&file, " | ");
        print_line(&file, plot->y_label, false);
        atomic_print(&file, "\n");
        for (int i = 0; i < curve->count; i++)
            if (is_drawn(curve->x[i], curve->y[i], is_logarithmic))
                atomic_print(&file, "%.9g %.9g\n", curve->x[i], curve->y[i]);
            else
                atomic_print(&file, "NaN NaN\n");
    }
    return atomic_commit(&file);
}

/* `after`: put behind the text. */
static void print_setting(atomic_file *file, const char *setting, const char *text, const char *after)
{
    atomic_print(file, "set %s '", setting);
    print_line(file, text, true);
    atomic_print(file, "'%s noenhanced textcolor rgb '" INK "'\n", after);
}

static void print_curve(atomic_file *file, const char *name, const law_curve *curve, int index, int number,
                        bool is_logarithmic)
{
    int every = curve->count / MOST_POINTS + 1;
    atomic_print(file, "'%s.dat' index %d every %d using 1:2 ", name, index, every);
    if (curve->kind == LAW_CURVE_THEORY)
        atomic_print(file, "with lines linewidth 1.2 dashtype %d linecolor rgb '" INK "'",
                     is_logarithmic ? number + 2 : number + 1);
    else
        atomic_print(file, "with %s linecolor rgb '%s' ",
                     curve->kind == LAW_CURVE_POINTS ? "points pointtype 7 pointsize 0.5"
                     : is_logarithmic                ? "linespoints linewidth 1.6 pointtype 7 pointsize 0.7"
                                                     : "lines linewidth 2.4",
                     colours[number % COLOURS]);
    if (*curve->label) {
        atomic_print(file, " title '");
        print_line(file, curve->label, true);
        atomic_print(file, "' noenhanced");
    } else
        atomic_print(file, " notitle");
}

/* Labels for axes that may have no power of ten on them: in x the places measured, in y 1, 2 and 5. */
static void print_logarithmic(atomic_file *file, const law_plot *plot)
{
    enum { MOST_PLACES = 12 };
    double least = INFINITY, most = 0, places[MOST_PLACES];
    int count = 0;
    for (int k = 0; k < plot->curve_count; k++)
        for (int i = 0; i < plot->curves[k].count; i++) {
            double x = plot->curves[k].x[i], y = plot->curves[k].y[i];
            if (!is_drawn(x, y, true)) continue;
            least = fmin(least, y), most = fmax(most, y);
            bool is_near = count == MOST_PLACES; /* to a label that is there */
            for (int n = 0; n < count; n++) is_near = is_near || fabs(log(x / places[n])) < 0.08;
            if (!is_near) places[count++] = x;
        }
    atomic_print(file, "set logscale xy\nset mxtics 1\nset xtics (");
    for (int n = 0; n < count; n++) atomic_print(file, "%s'%.3g' %.9g", n ? ", " : "", places[n], places[n]);
    atomic_print(file, ")\nset format y '%%.3g'\n");
    if (!(most / least < 300)) return;
    static const char *const few[] = {"1", "2", "5"}, *const many[] = {"1", "1.5", "2", "3", "5", "7"};
    bool is_narrow = most / least < 8;
    int marks = is_narrow ? 6 : 3, first = (int)floor(log10(least)) - 1, last = (int)ceil(log10(most));
    atomic_print(file, "set ytics (");
    for (int k = 0; k < marks * (last - first + 1); k++)
        atomic_print(file, "%s%se%d", k ? ", " : "", is_narrow ? many[k % marks] : few[k % marks], first + k / marks);
    atomic_print(file, ")\n");
}

static dew_result write_script(const char *path, const char *name, const law_plot *plot, bool is_logarithmic)
{
    atomic_file file;
    RESULT_TRY(atomic_open(&file, path));
    int labels = 0;
    for (int k = 0; k < plot->curve_count; k++) labels += *plot->curves[k].label != '\0';
    int height = 390 + 20 * ((labels + 1) / 2) + (plot->has_equal_axes ? 80 : 0);
    atomic_print(&file, "# gnuplot %s.gp > %s.svg\n", name, name);
    atomic_print(&file,
                 "set encoding utf8\nset terminal svg size 640,%d dynamic noenhanced rounded font 'Helvetica,14'\n"
                 "set border 3 linecolor rgb '" AXIS "'\nset tics nomirror scale 0.5 textcolor rgb '" AXIS "'\n"
                 "set grid linetype 1 linewidth 1 linecolor rgb '" GRID "'\n"
                 "set key outside bottom center horizontal maxcols 2 samplen 2 spacing 1.15 textcolor rgb '" INK "'\n"
                 "set autoscale fix\nset offsets graph 0.02, graph 0.02, graph 0.05, graph 0.05\n",
                 height);
    print_setting(&file, "title", plot->title, "");
    print_setting(&file, "xlabel", plot->x_label, ".\"\\n \""); /* a line between it and the key */
    print_setting(&file, "ylabel", plot->y_label, "");
    if (plot->has_equal_axes) atomic_print(&file, "set size ratio -1\n");
    if (is_logarithmic) print_logarithmic(&file, plot);
    /* Theory is thin and lies on top. */
    int drawn = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0, number = 0; k < plot->curve_count; k++) {
            const law_curve *curve = &plot->curves[k];
            if ((curve->kind == LAW_CURVE_THEORY) != (pass == 1)) continue;
            int own = number++;
            if (!curve_has_points(curve, is_logarithmic)) continue;
            atomic_print(&file, drawn++ ? ", \\\n  " : "plot ");
            print_curve(&file, name, curve, k, own, is_logarithmic);
        }
    atomic_print(&file, "\n");
    return atomic_commit(&file);
}

static dew_result write_svg(const char *path, const char *svg, size_t size)
{
    const char *root = strstr(svg, "<svg"), *inside = root ? strchr(root, '>') : NULL;
    if (!inside) return result_fail(DEW_IO, "no plot %s: what gnuplot wrote is no SVG", path);
    size_t head = (size_t)(inside - svg) + 1;
    atomic_file file;
    RESULT_TRY(atomic_open(&file, path));
    atomic_write(&file, svg, head);
    atomic_write(&file, style, sizeof style - 1);
    atomic_write(&file, svg + head, size - head);
    return atomic_commit(&file);
}

dew_result plot_write(const char *folder, const char *name, const law_plot *plot, bool is_logarithmic)
{
    char path[ATOMIC_PATH], script[256], *svg;
    size_t size;
    snprintf(script, sizeof script, "%s.gp", name);
    if (snprintf(path, sizeof path, "%s/%s.dat", folder, name) >= (int)sizeof path)
        return io_failure("write", folder, ENAMETOOLONG);
    RESULT_TRY(write_data(path, plot, is_logarithmic));
    snprintf(path, sizeof path, "%s/%s", folder, script);
    RESULT_TRY(write_script(path, name, plot, is_logarithmic));
    char what[300], *arguments[] = {"gnuplot", "-d", script, NULL};
    snprintf(what, sizeof what, "plot %s", name);
    RESULT_TRY(call_gnuplot(folder, arguments, what, &svg, &size));
    snprintf(path, sizeof path, "%s/%s.svg", folder, name);
    dew_result result = write_svg(path, svg, size);
    free(svg);
    return result;
}
