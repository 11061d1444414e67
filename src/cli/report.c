/* The report's folder: a page made of a template and one JSON object, which laws.json holds too, and the pictures. */
#include "cli/report.h"
#include "base/json.h"
#include "cli/cli.h"
#include "cli/report_picture.h"
#include "io/atomic.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REPORT_MARK "<meta name=\"generator\" content=\"dew laws\">"
#define DATA_MARK "{{data}}"

extern const char report_template[]; /* report.html */

struct report {
    char folder[ATOMIC_PATH - 512]; /* leaves room for the names below it */
    char *command;
    int threads, failures;
};

/* --- data --- */

static void put_numbers(json *j, const char *key, const double *values, int count, int digits)
{
    json_open(j, key, '[');
    for (int i = 0; i < count; i++) json_number(j, NULL, values[i], digits);
    json_close(j, ']');
}

static void put_law(json *j, const law *l)
{
    json_open(j, NULL, '{');
    json_text(j, "name", l->name);
    json_text(j, "group", law_group_names[l->group]);
    json_text(j, "title", l->title);
    json_text(j, "physics", l->physics);
    json_text(j, "equation", l->equation);
    json_open(j, "targets", '[');
    for (int i = 0; i < l->target_count; i++) {
        const law_target *t = &l->targets[i];
        json_open(j, NULL, '{');
        json_text(j, "quantity", t->quantity);
        json_text(j, "unit", t->unit);
        json_text(j, "error_kind", laws_error_kinds[t->error]);
        json_text(j, "sentence", t->sentence);
        put_numbers(j, "target", t->target, LAW_RESOLUTIONS, 6);
        json_close(j, '}');
    }
    json_close(j, ']');
    json_close(j, '}');
}

static void put_method(json *j, const dew_method_info *method)
{
    json_open(j, NULL, '{');
    json_text(j, "name", method->name);
    json_text(j, "title", method->title);
    json_text(j, "source", method->source);
    json_close(j, '}');
}

static void put_plot(json *j, const law_plot *plot)
{
    static const char *const kinds[] = {"measured", "points", "theory"};
    json_open(j, NULL, '{');
    json_text(j, "title", plot->title);
    json_text(j, "x", plot->x_label);
    json_text(j, "y", plot->y_label);
    json_bool(j, "has_equal_axes", plot->has_equal_axes);
    json_open(j, "curves", '[');
    for (int i = 0; i < plot->curve_count; i++) {
        const law_curve *curve = &plot->curves[i];
        json_open(j, NULL, '{');
        json_text(j, "label", curve->label);
        json_text(j, "kind", kinds[curve->kind]);
        put_numbers(j, "x", curve->x, curve->count, 9);
        put_numbers(j, "y", curve->y, curve->count, 9);
        json_close(j, '}');
    }
    json_close(j, ']');
    json_close(j, '}');
}

static void put_run(json *j, const laws_runs *runs, const laws_run *run)
{
    char lack[160];
    cli_format_features(lack, sizeof lack, law_lacks(run->law, run->method));
    json_open(j, NULL, '{');
    json_text(j, "law", run->law->name);
    json_text(j, "method", run->method->name);
    json_text(j, "resolution", law_resolution_names[run->resolution]);
    json_text(j, "lacks", run->is_absent ? lack : NULL);
    json_text(j, "failure", run->failure);
    json_number(j, "cpu_seconds", run->cpu_seconds, 6);
    json_open(j, "results", '[');
    for (int i = 0; i < run->results.count; i++) {
        const law_result *result = &run->results.list[i];
        if (result->law == run->law) laws_put_figure(j, runs, run, result);
    }
    json_close(j, ']');
    json_open(j, "absent", '[');
    for (int i = 0; i < run->results.absent_count; i++) {
        json_open(j, NULL, '{');
        json_text(j, "quantity", run->results.absent[i].target->quantity);
        json_text(j, "case", "");
        json_text(j, "lacks", run->results.absent[i].lacks);
        json_close(j, '}');
    }
    json_close(j, ']');
    json_open(j, "plots", '[');
    for (int i = 0; i < run->results.plot_count; i++) put_plot(j, &run->results.plots[i]);
    json_close(j, ']');
    json_open(j, "pictures", '[');
    for (int i = 0; i < run->picture_count; i++) {
        json_open(j, NULL, '{');
        json_text(j, "file", run->pictures[i].file);
        json_text(j, "caption", run->pictures[i].caption);
        json_close(j, '}');
    }
    json_close(j, ']');
    json_close(j, '}');
}

static void put_data(json *j, const report *r, const laws_runs *runs, int of)
{
    json_open(j, NULL, '{');
    json_text(j, "dew", DEW_VERSION);
    json_text(j, "command", r->command);
    json_number(j, "planned_runs", of, 9);
    json_open(j, "laws", '[');
    for (int i = 0; i < runs->count; i++)
        if (i == 0 || runs->list[i].law != runs->list[i - 1].law) put_law(j, runs->list[i].law);
    json_close(j, ']');
    json_open(j, "methods", '[');
    /* The first law's runs have every method. */
    for (int i = 0; i < runs->count && runs->list[i].law == runs->list[0].law; i++)
        if (i == 0 || runs->list[i].method != runs->list[i - 1].method) put_method(j, runs->list[i].method);
    json_close(j, ']');
    json_open(j, "runs", '[');
    for (int i = 0; i < runs->count; i++) put_run(j, runs, &runs->list[i]);
    json_close(j, ']');
    json_close(j, '}');
    fputc('\n', j->stream);
}

/* --- files --- */

static dew_result write_lines(const report *r, const laws_runs *runs)
{
    atomic_file file;
    RESULT_TRY(atomic_open(&file, io_path_of("%s/results.jsonl", r->folder).text));
    for (int i = 0; i < runs->count; i++) laws_print_json(file.stream, runs, &runs->list[i]);
    return atomic_commit(&file);
}

static dew_result write_page(const report *r, const char *data, size_t size)
{
    const char *slot = strstr(report_template, DATA_MARK), *after = slot + strlen(DATA_MARK);
    atomic_file file;
    RESULT_TRY(atomic_open(&file, io_path_of("%s/index.html", r->folder).text));
    atomic_write(&file, report_template, (size_t)(slot - report_template));
    atomic_write(&file, data, size);
    atomic_write(&file, after, strlen(after));
    return atomic_commit(&file);
}

static dew_result write_report(const report *r, const laws_runs *runs, int of)
{
    char *data = NULL;
    size_t size = 0;
    json j = {.stream = open_memstream(&data, &size)};
    if (j.stream) put_data(&j, r, runs, of);
    bool is_whole = j.stream && !ferror(j.stream);
    if (j.stream && fclose(j.stream) != 0) is_whole = false;
    dew_result result = is_whole ? write_lines(r, runs) : result_fail(DEW_NO_MEMORY, "no memory for a report");
    if (!result) result = io_write_file(io_path_of("%s/laws.json", r->folder).text, data, size);
    if (!result) result = write_page(r, data, size);
    free(data);
    return result;
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
    for (; *word; word++) fprintf(stream, *word == '\'' ? "'\\'%c" : "%c", *word);
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
    io_path path = io_path_of("%s/index.html", folder);
    char *text;
    size_t size;
    if (access(path.text, F_OK) != 0 && errno == ENOENT) return DEW_OK;
    RESULT_TRY(io_read_file(path.text, &text, &size));
    bool is_ours = size == 0 || strstr(text, REPORT_MARK);
    free(text);
    if (is_ours) return DEW_OK;
    return result_fail(DEW_INVALID, "%s is there and no report of `dew laws`: choose another folder for --report",
                       path.text);
}

static dew_result prepare(report *r, const char *folder)
{
    if (strlen(folder) >= sizeof r->folder) return io_failure("make the folder", folder, ENAMETOOLONG);
    snprintf(r->folder, sizeof r->folder, "%s", folder);
    if (!r->command) return result_fail(DEW_NO_MEMORY, "no memory for a report");
    RESULT_TRY(io_make_folder(folder));
    RESULT_TRY(check_page(folder));
    RESULT_TRY(io_make_folder(io_path_of("%s/pictures", folder).text));
    /* An empty page, so that a folder that cannot be written is found out before hours of measuring. */
    laws_runs none = {0};
    return write_report(r, &none, 1);
}

dew_result report_open(report **out, const char *folder, int argc, char **argv, int threads)
{
    report *r = *out = calloc(1, sizeof *r);
    if (!r) return result_fail(DEW_NO_MEMORY, "no memory for a report");
    r->command = command_of(argc, argv), r->threads = threads;
    dew_result result = prepare(r, folder);
    if (result) free(r->command), free(r), *out = NULL;
    return result;
}

bool report_close(report *r)
{
    bool is_whole = r->failures == 0;
    fprintf(stderr, "Report: %s/index.html%s\n", r->folder,
            is_whole ? "" : " (not all of it could be made, see above)");
    free(r->command), free(r);
    return is_whole;
}

/* --- while measuring --- */

static void complain(report *r)
{
    r->failures++;
    fprintf(stderr, "dew laws: report: %s\n", dew_message());
}

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
    snprintf(p->file, sizeof p->file, "pictures/%s-%s-%s-%d.png", run->law->name, run->method->name,
             law_resolution_names[run->resolution], run->picture_count + 1);
    snprintf(p->caption, sizeof p->caption, "%s", caption);
    if (report_picture_write(io_path_of("%s/%s", r->folder, p->file).text, simulation, r->threads))
        complain(r);
    else
        run->picture_count++;
}

void report_add_run(report *r, const laws_runs *runs, int of)
{
    if (write_report(r, runs, of)) complain(r);
}
