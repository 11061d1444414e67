#include "cli/laws_runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

laws_run *laws_runs_add(laws_runs *runs, const law *l, const dew_method_info *method, law_resolution resolution)
{
    laws_run *list = realloc(runs->list, ((size_t)runs->count + 1) * sizeof *list);
    if (!list) return NULL;
    runs->list = list;
    laws_run *run = &list[runs->count++];
    *run = (laws_run){.law = l,
                      .method = method,
                      .resolution = resolution,
                      .is_absent = (method->features & l->features) != l->features};
    return run;
}

void laws_runs_free(laws_runs *runs)
{
    for (int i = 0; i < runs->count; i++) {
        law_results_free(&runs->list[i].results);
        free(runs->list[i].failure), free(runs->list[i].pictures), free(runs->list[i].has_plot);
    }
    free(runs->list);
    *runs = (laws_runs){0};
}

/* --- orders and sums --- */

double laws_spacing(const law_result *result) { return 1 / cbrt(result->particles); }

laws_series laws_series_of(const laws_runs *runs, int last, const laws_run *run, const law_result *result)
{
    laws_series series = {0};
    for (int i = 0; i <= last && i < runs->count; i++) {
        const laws_run *other = &runs->list[i];
        if (other->law != run->law || other->method != run->method) continue;
        for (int k = 0; k < other->results.count && series.count < LAW_RESOLUTIONS; k++) {
            const law_result *r = &other->results.list[k];
            if (r->target != result->target || strcmp(r->label, result->label) != 0 || r->particles < 1) continue;
            series.spacing[series.count] = laws_spacing(r);
            series.error[series.count] = fabs(r->error);
            series.limit[series.count++] = r->limit;
            break;
        }
    }
    return series;
}

double laws_order(const laws_series *series)
{
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (int i = 0; i < series->count; i++) {
        double a = log(series->spacing[i]), b = log(series->error[i]);
        if (!isfinite(a) || !isfinite(b)) return NAN;
        n++, x += a, y += b, xx += a * a, xy += a * b;
    }
    double spread = n * xx - x * x;
    return n >= 2 && spread > 1e-4 ? (n * xy - x * y) / spread : NAN;
}

laws_sum laws_sum_of(const laws_runs *runs, const law *l, const dew_method_info *method, int resolution)
{
    laws_sum sum = {0};
    for (int i = 0; i < runs->count; i++) {
        const laws_run *run = &runs->list[i];
        if ((l && run->law != l) || (method && run->method != method)) continue;
        if (resolution >= 0 && (int)run->resolution != resolution) continue;
        sum.runs++, sum.absent_runs += run->is_absent, sum.failed_runs += run->failure != NULL;
        sum.cpu_seconds += run->cpu_seconds;
        for (int k = 0; k < run->results.count; k++) sum.measured++, sum.passed += run->results.list[k].has_passed;
    }
    return sum;
}

double laws_ratio(const law_result *result)
{
    double size = fabs(result->error);
    if (result->has_passed) return result->limit > 0 ? size / result->limit : 0;
    return isfinite(size) && result->limit > 0 ? size / result->limit : INFINITY;
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

void laws_format_lack(char *text, size_t size, const law *l, const dew_method_info *method)
{
    static const char *const names[] = {"three dimensions",
                                        "two dimensions",
                                        "two liquids",
                                        "heat",
                                        "springs",
                                        "rigid bodies",
                                        "contact angles",
                                        "periodic axes",
                                        "planes of symmetry",
                                        "walls without slip",
                                        "something dissolved"};
    unsigned lack = l->features & ~method->features;
    size_t used = 0;
    text[0] = '\0';
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (lack >> i & 1 && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", names[i]);
}

/* --- JSON --- */

static void print_text(FILE *stream, const char *key, const char *text)
{
    fprintf(stream, ", \"%s\": ", key);
    if (!text) {
        fputs("null", stream);
        return;
    }
    fputc('"', stream);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        if (*c == '"' || *c == '\\')
            fprintf(stream, "\\%c", *c);
        else if (*c < 0x20)
            fprintf(stream, "\\u%04x", *c);
        else
            fputc(*c, stream);
    fputc('"', stream);
}

static void print_number(FILE *stream, const char *key, double value, int digits)
{
    if (isfinite(value))
        fprintf(stream, ", \"%s\": %.*g", key, digits, value);
    else
        fprintf(stream, ", \"%s\": null", key);
}

/* The line of a result; `result` NULL: of a run that measured nothing. */
static void print_line(FILE *stream, const laws_runs *runs, const laws_run *run, const law_result *result)
{
    fprintf(stream, "{\"law\": \"%s\"", run->law->name);
    print_text(stream, "quantity", result ? result->target->quantity : NULL);
    print_text(stream, "case", result ? result->label : NULL);
    print_text(stream, "unit", result ? result->target->unit : NULL);
    print_text(stream, "method", run->method->name);
    print_text(stream, "resolution", law_resolution_names[run->resolution]);
    print_number(stream, "particles", result ? (double)result->particles : NAN, 9);
    print_number(stream, "measured", result ? result->measured : NAN, 9);
    print_number(stream, "theory", result ? result->theory : NAN, 9);
    print_number(stream, "error", result ? result->error : NAN, 6);
    static const char *const kinds[] = {"relative", "absolute", "degrees"};
    print_text(stream, "error_kind", result ? kinds[result->target->error] : NULL);
    print_number(stream, "target", result ? result->limit : NAN, 6);
    fprintf(stream, ", \"pass\": %s",
            result && result->has_passed ? "true"
            : !result && run->is_absent  ? "null"
                                         : "false");
    laws_series series = {0};
    if (result) series = laws_series_of(runs, (int)(run - runs->list), run, result);
    print_number(stream, "order", laws_order(&series), 4);
    fprintf(stream, ", \"cpu_seconds\": %.2f", result ? result->cpu_seconds : 0);
    if (!result && run->failure) print_text(stream, "failure", run->failure);
    fputs("}\n", stream);
}

void laws_print_json(FILE *stream, const laws_runs *runs, const laws_run *run)
{
    for (int i = 0; i < run->results.count; i++) print_line(stream, runs, run, &run->results.list[i]);
    if (run->is_absent || run->failure) print_line(stream, runs, run, NULL);
}
