#include "cli/laws_table.h"
#include "base/words.h"
#include "cli/cli.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAME_WIDTH = 40 };

static const char green[] = "32", red[] = "1;31", grey[] = "2";

/* Characters of UTF-8, not bytes. */
static int length_of(const char *text)
{
    int length = 0;
    for (; *text; text++) length += ((unsigned char)*text & 0xc0) != 0x80;
    return length;
}

/* `text` in a column, to the left (width < 0) or right, in a colour; what is too long ends in "..". */
static void print_cell(const laws_table *table, const char *text, int width, const char *colour)
{
    int room = abs(width), length = length_of(text), kept = length > room ? room - 2 : length;
    const char *end = text;
    for (int k = 0; k < kept; k++) end += utf8_length(end);
    int pad = length > room ? 0 : room - length;
    if (width > 0) printf("%*s", pad, "");
    if (colour && table->is_coloured) printf("\033[%sm", colour);
    printf("%.*s%s", (int)(end - text), text, length > room ? ".." : "");
    if (colour && table->is_coloured) fputs("\033[0m", stdout);
    if (width < 0) printf("%*s", pad, "");
    putchar(' ');
}

void laws_table_begin(laws_table *table, const law *const *laws, int law_count)
{
    const char *terminal = getenv("TERM"), *no_colour = getenv("NO_COLOR");
    *table = (laws_table){.is_coloured = isatty(STDOUT_FILENO) && terminal && strcmp(terminal, "dumb") != 0 &&
                                         !(no_colour && *no_colour),
                          .law_width = 8,
                          .method_width = 6};
    for (int i = 0; i < law_count; i++)
        if ((int)strlen(laws[i]->name) > table->law_width) table->law_width = (int)strlen(laws[i]->name);
    printf("%-*s %-*s %-*s %-6s %9s %12s %12s %11s %9s %-4s %6s %8s\n", table->law_width, "law", NAME_WIDTH, "quantity",
           table->method_width, "method", "res.", "particles", "measured", "theory", "error", "target", "met", "order",
           "CPU s");
}

static void print_head(const laws_table *table, const laws_run *run, const law *l, const char *name)
{
    print_cell(table, l->name, -table->law_width, NULL);
    print_cell(table, name, -NAME_WIDTH, NULL);
    print_cell(table, run->method->name, -table->method_width, NULL);
    print_cell(table, law_resolution_names[run->resolution], -6, NULL);
}

static void print_value(double value)
{
    if (isfinite(value))
        printf("%12.5g ", value);
    else
        printf("%12s ", "none");
}

static void print_result(const laws_table *table, const laws_runs *runs, const laws_run *run, const law_result *result)
{
    char name[192], error[32], limit[32], order[16] = "";
    snprintf(name, sizeof name, "%s%s%s", result->target->quantity, *result->label ? " " : "", result->label);
    laws_format_error(error, sizeof error, result);
    laws_format_limit(limit, sizeof limit, result);
    double p = laws_order(runs, run, result);
    if (isfinite(p)) snprintf(order, sizeof order, "%.2f", p);
    const char *colour = result->has_passed ? green : red;
    print_head(table, run, result->law, name);
    printf("%9d ", result->particles);
    print_value(result->measured);
    print_value(result->theory);
    print_cell(table, error, 11, colour);
    print_cell(table, limit, 9, NULL);
    print_cell(table, result->has_passed ? "yes" : "NO", -4, colour);
    printf("%6s %8.1f\n", order, result->cpu_seconds);
}

static void print_absent(const laws_table *table, const laws_run *run, const char *name, const char *lacks)
{
    print_head(table, run, run->law, name);
    print_cell(table, "n/a", 9, grey);
    printf("lacks %s\n", lacks);
}

void laws_table_print(const laws_table *table, const laws_runs *runs, const laws_run *run)
{
    char text[256];
    for (int i = 0; i < run->results.count; i++) {
        const law_result *result = &run->results.list[i];
        /* Of what every law is held to only the misses are told: five lines a law are too many. */
        if (result->law == run->law || !result->has_passed) print_result(table, runs, run, result);
    }
    for (int i = 0; i < run->results.absent_count; i++)
        print_absent(table, run, run->results.absent[i].target->quantity, run->results.absent[i].lacks);
    if (run->is_absent) {
        cli_format_features(text, sizeof text, law_lacks(run->law, run->method));
        print_absent(table, run, "", text);
    }
    if (run->failure) {
        print_head(table, run, run->law, "");
        print_cell(table, "FAILED", 9, red);
        printf("%.*s\n", (int)strcspn(run->failure, "\n"), run->failure);
    }
    fflush(stdout);
}

static bool has_met_all(const laws_run *run)
{
    bool is_met = !run->failure;
    for (int k = 0; k < run->results.count; k++)
        is_met = is_met && (run->results.list[k].has_passed || run->results.list[k].law != run->law);
    return is_met;
}

/* How many laws a method has met in all figures, at all resolutions. What it cannot do does not count. Runs of one law
 * by one method stand together. */
static void print_laws_met(const laws_runs *runs, const dew_method_info *method)
{
    int laws = 0, met = 0;
    bool is_met = false;
    for (int i = 0; i < runs->count; i++) {
        const laws_run *run = &runs->list[i];
        if (run->method != method || run->is_absent) continue;
        bool is_first = i == 0 || run[-1].law != run->law || run[-1].method != method;
        if (is_first) laws++, met++;
        if ((is_first || is_met) && !has_met_all(run)) met--;
        is_met = (is_first || is_met) && has_met_all(run);
    }
    printf("%s: %d of %d laws met in every figure\n", method->name, met, laws);
}

void laws_table_end(const laws_table *table, const laws_runs *runs)
{
    int measured = 0, passed = 0, watched = 0, kept = 0, absent = 0, failed = 0;
    double cpu_seconds = 0;
    for (const laws_run *run = runs->list; run < runs->list + runs->count; run++) {
        absent += run->is_absent, failed += run->failure != NULL;
        cpu_seconds += run->cpu_seconds;
        for (int k = 0; k < run->results.count; k++) {
            const law_result *result = &run->results.list[k];
            bool is_own = result->law == run->law;
            measured += is_own, watched += !is_own;
            *(is_own ? &passed : &kept) += result->has_passed;
        }
    }
    if (table->is_coloured) printf("\033[%sm", passed == measured && failed == 0 ? green : red);
    printf("%d of %d within target", passed, measured);
    if (table->is_coloured) fputs("\033[0m", stdout);
    if (watched) printf(", %d of %d watched", kept, watched);
    if (absent) printf(", %d n/a", absent);
    if (failed) printf(", %d failed", failed);
    printf(", %.1f CPU s\n", cpu_seconds);
    /* The first law's runs have every method. */
    for (int i = 0; i < runs->count && runs->list[i].law == runs->list[0].law; i++)
        if (i == 0 || runs->list[i].method != runs->list[i - 1].method) print_laws_met(runs, runs->list[i].method);
    fflush(stdout);
}

/* --- progress --- */

void laws_progress_show(void *context, const char *what, double part)
{
    laws_progress *p = context;
    part = fmin(1, fmax(0, part));
    if (!progress_is_due(&p->line, part, true)) return;
    char left[32], line[512];
    format_clock(left, sizeof left, part > 0.01 ? (wall_clock() - p->began) * (1 - part) / part : INFINITY);
    snprintf(line, sizeof line, "[%d/%d] %s by %s, %s: %s | %d %% | %s left", p->number, p->of, p->run->law->name,
             p->run->method->name, law_resolution_names[p->run->resolution], what, (int)(100 * part), left);
    if (p->line.is_terminal)
        fprintf(stderr, "\r%.*s\033[K", terminal_width() - 1, line);
    else
        fprintf(stderr, "%s\n", line);
    fflush(stderr);
}
