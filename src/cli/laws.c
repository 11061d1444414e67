/* `dew laws`: methods judged by laws of physics. */
#include "cli/cli.h"
#include "laws/law.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_SETTINGS = 64, MAX_LAWS = 64 };

typedef struct request {
    const law *laws[MAX_LAWS];
    int law_count;
    const dew_method_info *method; /* NULL: all */
    law_resolution resolution;
    const char *texts[MAX_SETTINGS];
    law_settings settings;
    bool is_json, is_quiet, is_list;
} request;

/* What progress lines begin with. */
typedef struct stage {
    const char *law, *method;
    bool is_terminal;
    int last; /* percent, for plain lines */
} stage;

static void print_help(void)
{
    puts("usage: dew laws [--law NAME]... [--method M] [--resolution coarse|medium|fine] [--set KEY=VALUE]...\n"
         "                [--json] [--quiet] [--threads N] [--list]\n"
         "\n"
         "Measures methods against laws of physics and prints a table.\n"
         "\n"
         "  --law NAME         this law only; may be repeated\n"
         "  --method M         this method only\n"
         "  --resolution R     coarse (default), medium or fine\n"
         "  --set KEY=VALUE    an option of a law (see --list) or a method's parameter, such as pbf.cfl=0.25\n"
         "  --json             one object a line instead of the table\n"
         "  --quiet            no progress on standard error\n"
         "  --threads N        default: all cores\n"
         "  --list             the laws, what they measure, their options\n"
         "\n"
         "Exit status: 0 measured (whether or not a target was met), 1 a run failed, 2 the command line is wrong.");
}

static void print_list(const request *r)
{
    for (int i = 0; i < r->law_count; i++) {
        const law *l = r->laws[i];
        printf("%s: %s\n", l->name, l->title);
        for (int k = 0; k < l->target_count; k++)
            printf("  measures %-22s within %g / %g / %g%s: %s\n", l->targets[k].quantity, l->targets[k].target[0],
                   l->targets[k].target[1], l->targets[k].target[2],
                   l->targets[k].error == LAW_DEGREES ? " degrees" : "", l->targets[k].sentence);
        for (int k = 0; k < l->option_count; k++) {
            const law_option *o = &l->options[k];
            printf("  --set %-16s [%s] default", o->name, o->unit);
            if (isnan(o->value[0]))
                printf(" by the law");
            else if (o->value[0] == o->value[1] && o->value[1] == o->value[2])
                printf(" %g", o->value[0]);
            else
                printf(" %g / %g / %g", o->value[0], o->value[1], o->value[2]);
            printf(": %s\n", o->sentence);
        }
    }
}

static int add_law(request *r, const char *name)
{
    const law *l = law_find(name);
    if (!l) {
        const char *names[MAX_LAWS + 1] = {NULL}, *near;
        for (int i = 0; law_registry[i] && i < MAX_LAWS; i++) names[i] = law_registry[i]->name;
        near = cli_nearest(name, names);
        return cli_wrong("laws", "there is no law '%s'%s%s%s; `dew laws --list` shows those there are", name,
                         near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
    if (r->law_count < MAX_LAWS) r->laws[r->law_count++] = l;
    return 0;
}

static int read_option(request *r, int option)
{
    switch (option) {
    case 'l':
        return add_law(r, optarg);
    case 'm':
        r->method = dew_method_find(optarg);
        return r->method ? 0 : cli_wrong("laws", "there is no method '%s'; see `dew list`", optarg);
    case 'r':
        for (int i = 0; i < LAW_RESOLUTIONS; i++)
            if (strcmp(law_resolution_names[i], optarg) == 0) {
                r->resolution = (law_resolution)i;
                return 0;
            }
        return cli_wrong("laws", "there is no resolution '%s'; coarse, medium or fine is right", optarg);
    case 's':
        if (r->settings.count == MAX_SETTINGS) return cli_wrong("laws", "more than %d settings", MAX_SETTINGS);
        r->texts[r->settings.count++] = optarg;
        return 0;
    case 't':
        return cli_read_count("laws", "--threads", optarg, 1, &r->settings.threads) ? 0 : STATUS_WRONG;
    case 'j':
        r->is_json = true;
        return 0;
    case 'q':
        r->is_quiet = true;
        return 0;
    case 'L':
        r->is_list = true;
        return 0;
    default: /* cli_next_option has said what is wrong */
        return STATUS_WRONG;
    }
}

/* 0, or an exit status; *done when all is said. */
static int read_command_line(request *r, int argc, char **argv, bool *done)
{
    static const struct option table[] = {
        {"law", required_argument, 0, 'l'},
        {"method", required_argument, 0, 'm'},
        {"resolution", required_argument, 0, 'r'},
        {"set", required_argument, 0, 's'},
        {"threads", required_argument, 0, 't'},
        {"json", no_argument, 0, 'j'},
        {"quiet", no_argument, 0, 'q'},
        {"list", no_argument, 0, 'L'},
        {"help", no_argument, 0, 'h'},
        {0},
    };
    int option, status = 0;
    optind = 0;
    while (!status && (option = cli_next_option("laws", argc, argv, ":h", table)) != -1) {
        if (option == 'h') {
            print_help();
            *done = true;
            return 0;
        }
        status = read_option(r, option);
    }
    if (status) return status;
    if (optind < argc) return cli_wrong("laws", "no use for '%s'; laws are named by --law", argv[optind]);
    r->settings.texts = r->texts;
    for (int i = 0; r->law_count == 0 && law_registry[i] && i < MAX_LAWS; i++) r->laws[i] = law_registry[i];
    while (r->law_count < MAX_LAWS && r->laws[r->law_count]) r->law_count++;
    char message[4096];
    if (!law_settings_check(&r->settings, r->laws, r->law_count, message, sizeof message)) return 0;
    message[strlen(message) - 1] = '\0'; /* the last line's end */
    return cli_wrong("laws", "%s", message);
}

static void show_progress(void *context, const char *what, double part)
{
    stage *s = context;
    int percent = (int)(100 * part);
    if (s->is_terminal)
        fprintf(stderr, "\r%s %s: %s %3d %%\033[K", s->law, s->method, what, percent);
    else if (percent >= s->last + 10) {
        fprintf(stderr, "%s %s: %s %d %%\n", s->law, s->method, what, percent);
        s->last = percent - percent % 10;
    }
    fflush(stderr);
}

/* --- output --- */

static void print_number(const char *key, double value, int digits)
{
    if (isfinite(value))
        printf(", \"%s\": %.*g", key, digits, value);
    else
        printf(", \"%s\": null", key);
}

static void print_json(const law *l, const char *method, law_resolution resolution, const law_result *result)
{
    printf("{\"law\": \"%s\", \"quantity\": \"%s\", \"case\": \"%s\", \"unit\": \"%s\", \"method\": \"%s\", "
           "\"resolution\": \"%s\", \"particles\": %d",
           l->name, result->target->quantity, result->label, result->target->unit, method,
           law_resolution_names[resolution], result->particles);
    print_number("measured", result->measured, 9);
    print_number("theory", result->theory, 9);
    print_number("error", result->error, 6);
    print_number("target", result->limit, 6);
    printf(", \"pass\": %s, \"cpu_seconds\": %.2f}\n", result->has_passed ? "true" : "false", result->cpu_seconds);
}

static void print_heading(void)
{
    printf("%-14s %-34s %-6s %-7s %9s %12s %12s %10s %10s %-4s %8s\n", "law", "quantity", "method", "res.", "particles",
           "measured", "theory", "error", "target", "pass", "CPU s");
}

static void print_row(const law *l, const char *method, law_resolution resolution, const law_result *result)
{
    char name[128], error[32], target[32];
    snprintf(name, sizeof name, "%s%s%s", result->target->quantity, *result->label ? " " : "", result->label);
    bool is_relative = result->target->error == LAW_RELATIVE, is_angle = result->target->error == LAW_DEGREES;
    const char *unit = is_relative ? " %" : is_angle ? " deg" : "";
    double scale = is_relative ? 100 : 1;
    snprintf(error, sizeof error,
             is_relative ? "%+.2f%s"
             : is_angle  ? "%+.1f%s"
                         : "%.2g%s",
             scale * result->error, unit);
    snprintf(target, sizeof target, "%.3g%s", scale * result->limit, unit);
    printf("%-14s %-34s %-6s %-7s %9d %12.5g %12.5g %10s %10s %-4s %8.1f\n", l->name, name, method,
           law_resolution_names[resolution], result->particles, result->measured, result->theory, error, target,
           result->has_passed ? "yes" : "NO", result->cpu_seconds);
}

static void print_absent(const request *r, const law *l, const char *method)
{
    if (r->is_json)
        printf("{\"law\": \"%s\", \"method\": \"%s\", \"resolution\": \"%s\", \"particles\": null, \"measured\": null, "
               "\"theory\": null, \"error\": null, \"target\": null, \"pass\": null, \"cpu_seconds\": 0}\n",
               l->name, method, law_resolution_names[r->resolution]);
    else
        printf("%-14s %-34s %-6s %-7s %9s\n", l->name, "", method, law_resolution_names[r->resolution], "n/a");
}

/* Runs one law by one method and prints what was measured; whether the run succeeded. */
static bool run_law(request *r, const law *l, const dew_method_info *method)
{
    if ((method->features & l->features) != l->features) {
        print_absent(r, l, method->name);
        return true;
    }
    stage s = {l->name, method->name, isatty(STDERR_FILENO), 0};
    r->settings.progress = r->is_quiet ? NULL : show_progress;
    r->settings.context = &s;
    law_results results = {0};
    dew_result status = l->run(method, r->resolution, &r->settings, &results);
    if (s.is_terminal && !r->is_quiet) fputs("\r\033[K", stderr);
    for (int i = 0; i < results.count; i++)
        if (r->is_json)
            print_json(l, method->name, r->resolution, &results.list[i]);
        else
            print_row(l, method->name, r->resolution, &results.list[i]);
    fflush(stdout);
    if (status) fprintf(stderr, "dew laws: %s by %s: %s\n", l->name, method->name, dew_message());
    if (results.error_count) fprintf(stderr, "dew laws: %s: %d results lost\n", l->name, results.error_count);
    bool is_whole = !status && results.error_count == 0;
    law_results_free(&results);
    return is_whole;
}

int command_laws(int argc, char **argv)
{
    request r = {.resolution = LAW_COARSE};
    bool done = false, is_whole = true;
    int status = read_command_line(&r, argc, argv, &done);
    if (status || done) return status;
    if (r.is_list) {
        print_list(&r);
        return 0;
    }
    if (!r.is_json) print_heading();
    for (int i = 0; i < r.law_count; i++)
        for (int k = 0; k < dew_method_count(); k++)
            if (!r.method || r.method == dew_method_at(k))
                is_whole = run_law(&r, r.laws[i], dew_method_at(k)) && is_whole;
    return is_whole ? STATUS_DONE : STATUS_FAILED;
}
