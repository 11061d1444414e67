/* The report's folder: what is written into it, and when. */
#include "cli/report_html.h"
#include "cli/report_parts.h"
#include "cli/report_plot.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- names --- */

static void run_name(char *name, size_t size, const laws_run *run)
{
    char l[64], method[64];
    html_slug(l, sizeof l, run->law->name), html_slug(method, sizeof method, run->method->name);
    snprintf(name, size, "%s-%s-%s", l, method, law_resolution_names[run->resolution]);
}

void report_plot_name(char *name, size_t size, const laws_run *run, int plot)
{
    char base[160];
    run_name(base, sizeof base, run);
    snprintf(name, size, "%s-%d", base, plot + 1);
}

void report_order_name(char *name, size_t size, const law *l, const law_target *target)
{
    char base[64], figure[64];
    html_slug(base, sizeof base, l->name), html_slug(figure, sizeof figure, target->quantity);
    snprintf(name, size, "%s-order-%s", base, figure);
}

/* --- opening --- */

/* A word of the command line as a shell would need it. */
static void put_word(FILE *stream, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,/:%@";
    if (*word && word[strspn(word, plain)] == '\0') {
        fputs(word, stream);
        return;
    }
    fputc('\'', stream);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", stream);
        else
            fputc(*word, stream);
    fputc('\'', stream);
}

static char *command_of(int argc, char **argv)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (!stream) return NULL;
    fputs("dew laws", stream);
    for (int i = 1; i < argc; i++) {
        fputc(' ', stream);
        put_word(stream, argv[i]);
    }
    return fclose(stream) == 0 ? text : NULL;
}

/* A page that is there must be one of ours: it will be replaced. */
static dew_result check_page(const char *folder)
{
    char path[ATOMIC_PATH], *text;
    size_t size;
    snprintf(path, sizeof path, "%s/index.html", folder);
    FILE *stream = fopen(path, "r");
    if (!stream) return errno == ENOENT ? DEW_OK : io_failure("read", path, errno);
    fclose(stream);
    RESULT_TRY(io_read_file(path, &text, &size));
    bool is_ours = size == 0 || strstr(text, REPORT_MARK);
    free(text);
    if (is_ours) return DEW_OK;
    return result_fail(DEW_INVALID, "%s is there and no report of `dew laws`: choose another folder for --report",
                       path);
}

static dew_result prepare(report *r, const char *folder)
{
    if (strlen(folder) >= sizeof r->folder) return io_failure("make the folder", folder, ENAMETOOLONG);
    snprintf(r->folder, sizeof r->folder, "%s", folder);
    if (!r->command) return result_fail(DEW_NO_MEMORY, "no memory for a report");
    RESULT_TRY(plot_check());
    RESULT_TRY(io_make_folder(folder));
    RESULT_TRY(check_page(folder));
    static const char *const below[] = {"plots", "pictures"};
    for (int i = 0; i < 2; i++) {
        char path[ATOMIC_PATH];
        snprintf(path, sizeof path, "%s/%s", folder, below[i]);
        RESULT_TRY(io_make_folder(path));
    }
    /* An empty page, so that a folder that cannot be written is found out before hours of measuring. */
    laws_runs none = {0};
    return report_page_write(r, &none, 1);
}

static void destroy(report *r)
{
    free(r->command), free(r->orders);
    free(r);
}

dew_result report_open(report **out, const char *folder, int argc, char **argv, int threads)
{
    *out = NULL;
    report *r = calloc(1, sizeof *r);
    if (!r) return result_fail(DEW_NO_MEMORY, "no memory for a report");
    r->command = command_of(argc, argv), r->threads = threads;
    dew_result result = prepare(r, folder);
    if (result)
        destroy(r);
    else
        *out = r;
    return result;
}

bool report_close(report *r)
{
    bool is_whole = r->failures == 0;
    fprintf(stderr, "Report: %s/index.html%s\n", r->folder,
            is_whole ? "" : " (not all of it could be made, see above)");
    destroy(r);
    return is_whole;
}

void report_complain(report *r)
{
    r->failures++;
    fprintf(stderr, "dew laws: report: %s\n", dew_message());
}

/* --- pictures and plots --- */

void report_add_picture(report *r, laws_run *run, const dew_simulation *simulation, const char *caption)
{
    if (report_picture_is_hidden(simulation)) return;
    laws_picture *pictures = realloc(run->pictures, ((size_t)run->picture_count + 1) * sizeof *pictures);
    if (!pictures) {
        r->failures++;
        return;
    }
    run->pictures = pictures;
    laws_picture *p = &pictures[run->picture_count];
    char name[160], path[ATOMIC_PATH];
    run_name(name, sizeof name, run);
    snprintf(p->file, sizeof p->file, "pictures/%.120s-%d.png", name, run->picture_count + 1);
    snprintf(p->caption, sizeof p->caption, "%s", caption);
    snprintf(path, sizeof path, "%s/%s", r->folder, p->file);
    if (report_picture_write(path, simulation, r->threads))
        report_complain(r);
    else
        run->picture_count++;
}

static bool draw(report *r, const char *name, const law_plot *plot, bool is_logarithmic)
{
    char folder[ATOMIC_PATH];
    if (!plot_has_points(plot, is_logarithmic)) return false;
    snprintf(folder, sizeof folder, "%s/plots", r->folder);
    if (!plot_write(folder, name, plot, is_logarithmic)) return true;
    report_complain(r);
    return false;
}

static void draw_plots(report *r, laws_run *run)
{
    if (run->results.plot_count == 0) return;
    run->has_plot = calloc((size_t)run->results.plot_count, sizeof *run->has_plot);
    for (int i = 0; run->has_plot && i < run->results.plot_count; i++) {
        char name[192];
        report_plot_name(name, sizeof name, run, i);
        run->has_plot[i] = draw(r, name, &run->results.plots[i], false);
    }
}

bool report_has_order(const report *r, const law *l, const law_target *target)
{
    char name[160];
    report_order_name(name, sizeof name, l, target);
    for (int i = 0; i < r->order_count; i++)
        if (strcmp(r->orders[i].file, name) == 0) return true;
    return false;
}

/* --- error against resolution --- */

enum { MOST_CURVES = 10 };

/* The largest |error| of a method's cases at each resolution, as one series. */
static laws_series worst_series(const laws_runs *runs, const laws_run *of, const law_target *target)
{
    laws_series worst = {0};
    for (int i = 0; i < runs->count; i++) {
        const laws_run *run = &runs->list[i];
        if (run->law != of->law || run->method != of->method || worst.count == LAW_RESOLUTIONS) continue;
        bool is_found = false;
        for (int k = 0; k < run->results.count; k++) {
            const law_result *r = &run->results.list[k];
            if (r->target != target || r->particles < 1 || !isfinite(r->error)) continue;
            double size = fabs(r->error);
            if (is_found && size <= worst.error[worst.count]) continue;
            worst.spacing[worst.count] = laws_spacing(r), worst.error[worst.count] = size;
            worst.limit[worst.count] = r->limit;
            is_found = true;
        }
        worst.count += is_found;
    }
    return worst;
}

static void add_series(law_results *results, const laws_series *series, const char *method, const char *label,
                       law_error kind)
{
    double scale = kind == LAW_RELATIVE ? 100 : 1, y[LAW_RESOLUTIONS], p = laws_order(series);
    if (!isfinite(p)) return;
    char text[64];
    for (int i = 0; i < series->count; i++) y[i] = scale * series->error[i];
    snprintf(text, sizeof text, "%.8s%s%.36s, p = %.2f", method, *label ? ", " : "", label, p);
    law_plot_curve(results, LAW_CURVE_MEASURED, text, series->count, series->spacing, y);
}

/* Every case of every method, or, where those are too many, each method's worst. Targets as the line below which all
 * should lie. */
static void add_order_curves(law_results *results, const laws_runs *runs, const law *l, const law_target *target)
{
    int cases = 0;
    laws_series limits = {0};
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < runs->count; i++) {
            const laws_run *run = &runs->list[i];
            bool is_first = run->law == l;
            for (int k = 0; k < i && is_first; k++)
                is_first = runs->list[k].law != l || runs->list[k].method != run->method;
            if (!is_first) continue;
            if (pass == 1 && cases > MOST_CURVES) {
                laws_series worst = worst_series(runs, run, target);
                add_series(results, &worst, run->method->name, "worst case", target->error);
                if (worst.count > limits.count) limits = worst;
                continue;
            }
            for (int k = 0; k < run->results.count; k++) {
                const law_result *r = &run->results.list[k];
                if (r->target != target) continue;
                laws_series series = laws_series_of(runs, runs->count - 1, run, r);
                cases += pass == 0 && isfinite(laws_order(&series));
                if (pass == 1) add_series(results, &series, run->method->name, r->label, target->error);
                if (series.count > limits.count) limits = series;
            }
        }
    double scale = target->error == LAW_RELATIVE ? 100 : 1;
    for (int i = 0; i < limits.count; i++) limits.limit[i] *= scale;
    if (results->plots[0].curve_count)
        law_plot_curve(results, LAW_CURVE_THEORY, "target", limits.count, limits.spacing, limits.limit);
}

static void draw_orders(report *r, const laws_runs *runs, const law *l)
{
    for (int i = 0; i < l->target_count; i++) {
        const law_target *target = &l->targets[i];
        law_results results = {0};
        char title[96], name[160], unit[64];
        snprintf(title, sizeof title, "Error of %s against resolution", target->quantity);
        snprintf(unit, sizeof unit, "|error|%s",
                 target->error == LAW_RELATIVE  ? " (%)"
                 : target->error == LAW_DEGREES ? " (degrees)"
                                                : "");
        law_plot_begin(&results, title, "spacing over size, particles^(-1/3)", unit);
        if (results.plot_count) add_order_curves(&results, runs, l, target);
        report_order_name(name, sizeof name, l, target);
        bool has_curve = results.plot_count && results.plots[0].curve_count > 0;
        if (has_curve && draw(r, name, &results.plots[0], true) && !report_has_order(r, l, target)) {
            laws_picture *orders = realloc(r->orders, ((size_t)r->order_count + 1) * sizeof *orders);
            if (orders) {
                r->orders = orders;
                snprintf(orders[r->order_count++].file, sizeof orders->file, "%s", name);
            }
        }
        law_results_free(&results);
    }
}

/* --- a run is done --- */

static dew_result write_results(const report *r, const laws_runs *runs)
{
    char path[ATOMIC_PATH];
    atomic_file file;
    snprintf(path, sizeof path, "%s/results.jsonl", r->folder);
    RESULT_TRY(atomic_open(&file, path));
    for (int i = 0; i < runs->count; i++) laws_print_json(file.stream, runs, &runs->list[i]);
    return atomic_commit(&file);
}

void report_add_run(report *r, const laws_runs *runs, int of)
{
    laws_run *run = &runs->list[runs->count - 1];
    draw_plots(r, run);
    bool is_repeated = false;
    for (int i = 0; i + 1 < runs->count; i++)
        is_repeated = is_repeated || (runs->list[i].law == run->law && runs->list[i].method == run->method);
    if (is_repeated && !run->is_absent) draw_orders(r, runs, run->law);
    if (write_results(r, runs) || report_page_write(r, runs, of)) report_complain(r);
}
