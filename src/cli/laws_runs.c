#include "cli/laws_runs.h"
#include "base/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

laws_run *laws_runs_add(laws_runs *runs, const law *l, const dew_method_info *method, law_resolution resolution)
{
    laws_run *list = realloc(runs->list, ((size_t)runs->count + 1) * sizeof *list);
    if (!list) return NULL;
    runs->list = list;
    laws_run *run = &list[runs->count++];
    *run = (laws_run){.law = l, .method = method, .resolution = resolution, .is_absent = law_lacks(l, method) != 0};
    return run;
}

void laws_runs_free(laws_runs *runs)
{
    for (int i = 0; i < runs->count; i++) {
        law_results_free(&runs->list[i].results);
        free(runs->list[i].failure), free(runs->list[i].pictures);
    }
    free(runs->list);
    *runs = (laws_runs){0};
}

double laws_order(const laws_runs *runs, const laws_run *run, const law_result *result)
{
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (const laws_run *other = runs->list; other <= run; other++) {
        bool is_same = other->resolution == run->resolution && other != run; /* with other settings */
        if (other->law != run->law || other->method != run->method || is_same) continue;
        for (int k = 0; k < other->results.count; k++) {
            const law_result *r = &other->results.list[k];
            if (r->target != result->target || strcmp(r->label, result->label) != 0 || r->particles < 1) continue;
            double a = -log(r->particles) / 3, b = log(fabs(r->error));
            if (!isfinite(b)) return NAN;
            n++, x += a, y += b, xx += a * a, xy += a * b;
            break;
        }
    }
    double spread = n * xx - x * x;
    return n >= 2 && spread > 1e-4 ? (n * xy - x * y) / spread : NAN;
}

/* --- texts --- */

void laws_format_error(char *text, size_t size, const law_result *result)
{
    law_error kind = result->target->error;
    if (!isfinite(result->error))
        snprintf(text, size, "none");
    else if (kind == LAW_RELATIVE)
        snprintf(text, size, fabs(result->error) < 0.1 ? "%+.2f %%" : "%+.1f %%", 100 * result->error);
    else if (kind == LAW_DEGREES)
        snprintf(text, size, "%+.1f deg", result->error);
    else
        snprintf(text, size, "%.3g", result->error);
}

void laws_format_limit(char *text, size_t size, const law_result *result)
{
    law_error kind = result->target->error;
    snprintf(text, size, "%.3g%s", kind == LAW_RELATIVE ? 100 * result->limit : result->limit,
             kind == LAW_RELATIVE  ? " %"
             : kind == LAW_DEGREES ? " deg"
                                   : "");
}

/* --- JSON --- */

const char *const laws_level_names[2] = {"normal", "fine"};
const char *const laws_error_kinds[] = {"relative", "absolute", "degrees"};

/* A figure, or without `result` one that is n/a (`target`, or NULL: all of them). */
static void put_figure(json *j, const laws_runs *runs, const laws_run *run, const law_result *result,
                       const law_target *target)
{
    json_open(j, NULL, '{');
    const law *l = result ? result->law : run->law;
    json_text(j, "law", l->name);
    json_text(j, "group", law_group_names[l->group]);
    json_text(j, "quantity", target ? target->quantity : NULL);
    json_text(j, "case", result ? result->label : NULL);
    json_text(j, "unit", target ? target->unit : NULL);
    json_text(j, "method", run->method->name);
    json_text(j, "resolution", law_resolution_names[run->resolution]);
    json_text(j, "level", laws_level_names[runs->is_fine]);
    json_number(j, "filling", runs->filling, 9);
    json_number(j, "particles", result ? (double)result->particles : NAN, 9);
    json_number(j, "measured", result ? result->measured : NAN, 9);
    json_number(j, "theory", result ? result->theory : NAN, 9);
    json_number(j, "error", result ? result->error : NAN, 6);
    json_text(j, "error_kind", result ? laws_error_kinds[result->target->error] : NULL);
    json_number(j, "target", result ? result->limit : NAN, 6);
    if (!result && (run->is_absent || target))
        json_text(j, "pass", NULL);
    else
        json_bool(j, "pass", result && result->has_passed);
    if (result && result->is_watched) json_bool(j, "warned", result->has_warned);
    json_number(j, "order", result ? laws_order(runs, run, result) : NAN, 4);
    json_number(j, "cpu_seconds", result ? round(100 * result->cpu_seconds) / 100 : 0, 9);
    if (!result && !target && run->failure) json_text(j, "failure", run->failure);
    json_close(j, '}');
}

void laws_put_figure(json *j, const laws_runs *runs, const laws_run *run, const law_result *result)
{
    put_figure(j, runs, run, result, result->target);
}

static void print_line(FILE *stream, const laws_runs *runs, const laws_run *run, const law_result *result,
                       const law_target *target)
{
    json j = {.stream = stream};
    put_figure(&j, runs, run, result, target);
    fputc('\n', stream);
}

void laws_print_json(FILE *stream, const laws_runs *runs, const laws_run *run)
{
    const law_results *results = &run->results;
    for (int i = 0; i < results->count; i++) print_line(stream, runs, run, &results->list[i], results->list[i].target);
    for (int i = 0; i < results->absent_count; i++) print_line(stream, runs, run, NULL, results->absent[i].target);
    if (run->is_absent || run->failure) print_line(stream, runs, run, NULL, NULL);
}
