/* `dew laws`: methods judged by laws of physics. */
#include "cli/cli.h"
#include "cli/laws_quick.h"
#include "cli/laws_table.h"
#include "cli/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_LAWS = 128, MAX_METHODS = 16, MOST_SETTINGS = 256 };

typedef struct request {
    bool is_chosen[MAX_LAWS]; /* of law_registry: named, or of a group that is named */
    const law *laws[MAX_LAWS];
    int law_count;
    const dew_method_info *methods[MAX_METHODS];
    int method_count;
    bool is_wanted[LAW_RESOLUTIONS];
    word_list texts;
    law_settings settings;
    const char *report; /* a folder; NULL: none */
    bool is_json, is_quiet, is_list, is_quick;
} request;

static const char help[] =
    "usage: dew laws [--law NAME]... [--group NAME]... [--method M]... [--resolution R]...\n"
    "                [--quick] [--level fine] [--filling N] [--set KEY=VALUE]... [--report DIR] [--json] [--quiet]\n"
    "                [--threads N] [--list]\n"
    "\n"
    "Measures methods against laws of physics and prints a table.\n"
    "\n"
    "  --law NAME         this law only; may be repeated\n"
    "  --group NAME       the laws of this group (and those named) only: statics, waves, walls, threads, jets,\n"
    "                     heat, conservation or trials; may be repeated\n"
    "  --method M         this method only; may be repeated\n"
    "  --resolution R     coarse (default), medium, fine, or all of them; may be repeated, or a list: "
    "coarse,fine.\n"
    "                     With more than one the order of convergence is shown\n"
    "  --quick            at sizes that take seconds, where a law has such a case for a method\n"
    "  --level LEVEL      fine: at 0.7 of each law's spacing, by which no error should grow; default: normal\n"
    "  --filling N        liquids filled with other particles (a scene's `filling`): how far errors scatter\n"
    "  --set KEY=VALUE    an option of a law (see --list; particles=500/1000/2000: for each resolution) or a\n"
    "                     method's parameter, such as pbf.cfl=0.25\n"
    "  --report DIR       writes DIR/index.html: table, plots, pictures; renewed after every law\n"
    "  --json             one object a line instead of the table\n"
    "  --quiet            no progress on standard error\n"
    "  --threads N        default: all cores\n"
    "  --list             the laws, what they measure, their options; with --json an object a figure\n"
    "\n"
    "Exit status: 0 measured (whether or not a target was met), 1 a run or the report failed, 2 the command line "
    "is\n"
    "wrong.";

static void print_list(const request *r)
{
    for (int i = 0; i < r->law_count; i++) {
        const law *l = r->laws[i];
        if (i == 0 || l->group != r->laws[i - 1]->group)
            printf("%sGroup %s:\n", i > 0 ? "\n" : "", law_group_names[l->group]);
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

/* One object a line for each figure: what it is measured against. */
static void print_list_json(const request *r)
{
    for (int i = 0; i < r->law_count; i++)
        for (int k = 0; k < r->laws[i]->target_count; k++) {
            const law *l = r->laws[i];
            const law_target *t = &l->targets[k];
            char needs[1024], either[1024];
            cli_format_features(needs, sizeof needs, l->features);
            cli_format_features(either, sizeof either, l->either);
            json j = {.stream = stdout};
            json_open(&j, NULL, '{');
            json_text(&j, "law", l->name);
            json_text(&j, "group", law_group_names[l->group]);
            json_text(&j, "title", l->title);
            json_text(&j, "needs", needs);
            json_text(&j, "needs_one_of", l->either ? either : NULL);
            json_text(&j, "quantity", t->quantity);
            json_text(&j, "unit", t->unit);
            json_number(&j, "right", t->how ? t->right : NAN, 9);
            json_text(&j, "error_kind", laws_error_kinds[t->error]);
            json_number(&j, "target", t->target[LAW_COARSE], 6);
            json_text(&j, "fault", law_fault_names[t->fault]);
            json_text(&j, "sentence", t->sentence);
            json_close(&j, '}');
            putchar('\n');
        }
}

static const char *law_name(int index) { return law_registry[index] ? law_registry[index]->name : NULL; }

static const char *group_name(int index) { return index < LAW_GROUPS ? law_group_names[index] : NULL; }

static int choose_law(const cli_option *option, const char *command, const char *name)
{
    request *r = option->to;
    for (int i = 0; law_registry[i]; i++)
        if (strcmp(law_registry[i]->name, name) == 0) {
            r->is_chosen[i] = true;
            return STATUS_DONE;
        }
    return cli_unknown(command, "law", name, law_name, "dew laws --list");
}

static int choose_group(const cli_option *option, const char *command, const char *name)
{
    request *r = option->to;
    int group = 0;
    while (group < LAW_GROUPS && strcmp(law_group_names[group], name) != 0) group++;
    if (group == LAW_GROUPS) return cli_unknown(command, "group of laws", name, group_name, "dew laws --list");
    bool is_empty = true;
    for (int i = 0; law_registry[i]; i++)
        if (law_registry[i]->group == (law_group)group) r->is_chosen[i] = true, is_empty = false;
    return is_empty ? cli_wrong(command, "no law is in the group '%s' yet", name) : STATUS_DONE;
}

static int add_method(const cli_option *option, const char *command, const char *name)
{
    request *r = option->to;
    const dew_method_info *method = dew_method_find(name);
    if (!method) return cli_unknown(command, "method", name, cli_method_name, "dew list methods");
    for (int i = 0; i < r->method_count; i++)
        if (r->methods[i] == method) return STATUS_DONE;
    if (r->method_count < MAX_METHODS) r->methods[r->method_count++] = method;
    return STATUS_DONE;
}

/* "coarse,fine", "all". */
static int add_resolutions(const cli_option *option, const char *command, const char *list)
{
    request *r = option->to;
    for (const char *word = list;; word++) {
        size_t length = strcspn(word, ",");
        bool is_all = length == 3 && strncmp(word, "all", 3) == 0, is_found = is_all;
        for (int i = 0; i < LAW_RESOLUTIONS; i++) {
            const char *name = law_resolution_names[i];
            if (!is_all && (strlen(name) != length || strncmp(name, word, length) != 0)) continue;
            r->is_wanted[i] = is_found = true;
        }
        if (!is_found)
            return cli_wrong(command, "there is no resolution '%.*s'; coarse, medium, fine or all is right",
                             (int)length, word);
        word += length;
        if (!*word) return STATUS_DONE;
    }
}

static int choose_level(const cli_option *option, const char *command, const char *name)
{
    request *r = option->to;
    for (int i = 0; i < 2; i++)
        if (strcmp(laws_level_names[i], name) == 0) {
            r->settings.is_fine = i == 1;
            return STATUS_DONE;
        }
    return cli_wrong(command, "there is no level '%s'; normal or fine is right", name);
}

static void choose_defaults(request *r)
{
    bool is_any = false, is_all = true;
    for (int i = 0; i < LAW_RESOLUTIONS; i++) is_any = is_any || r->is_wanted[i];
    if (!is_any) r->is_wanted[LAW_COARSE] = true;
    for (int i = 0; law_registry[i]; i++) is_all = is_all && !r->is_chosen[i];
    for (int i = 0; law_registry[i]; i++)
        if (is_all || r->is_chosen[i]) r->laws[r->law_count++] = law_registry[i];
    if (r->method_count == 0)
        for (; r->method_count < dew_method_count() && r->method_count < MAX_METHODS; r->method_count++)
            r->methods[r->method_count] = dew_method_at(r->method_count);
    r->settings.texts = r->texts.words, r->settings.count = r->texts.count;
}

/* --- measuring --- */

/* What the settings tell of a run that is going on. */
typedef struct listener {
    laws_progress progress;
    report *report; /* NULL: none */
    laws_run *run;
} listener;

static void on_progress(void *context, const char *what, double part)
{
    laws_progress_show(&((listener *)context)->progress, what, part);
}

static void on_show(void *context, const dew_simulation *simulation, const char *caption)
{
    listener *l = context;
    report_add_picture(l->report, l->run, simulation, caption);
}

/* Whether the run succeeded, or there was nothing to run. */
static bool measure(request *r, listener *listening, laws_run *run)
{
    if (run->is_absent) return true;
    listening->run = run, listening->progress.run = run;
    listening->progress.began = wall_clock(), listening->progress.line.tenth = 0;
    r->settings.progress = on_progress;
    r->settings.show = listening->report ? on_show : NULL;
    r->settings.context = listening;
    r->settings.law = run->law;
    double start = law_cpu_seconds();
    dew_result status = law_run(run->law, run->method, run->resolution, &r->settings, &run->results);
    run->cpu_seconds = law_cpu_seconds() - start;
    progress_clear(&listening->progress.line);
    if (status) {
        run->failure = strdup(dew_message());
        fprintf(stderr, "dew laws: %s by %s, %s: %s\n", run->law->name, run->method->name,
                law_resolution_names[run->resolution], dew_message());
    }
    if (run->results.error_count)
        fprintf(stderr, "dew laws: %s: %d results lost\n", run->law->name, run->results.error_count);
    return !status && run->results.error_count == 0;
}

/* One law by one method at one resolution; the words of a quick case's --set, or "". */
typedef struct job {
    const law *law;
    const dew_method_info *method;
    law_resolution resolution;
    char settings[QUICK_TEXT];
} job;

enum { MOST_JOBS = 4096, MOST_WORDS = 16 };

/* What is to be measured: law by law, method by method. Returns how many. */
static int plan_jobs(const request *r, job *jobs)
{
    int count = 0;
    for (int i = 0; i < r->law_count; i++)
        for (int k = 0; k < r->method_count; k++) {
            job j = {.law = r->laws[i], .method = r->methods[k]};
            for (int n = 0; n < LAW_RESOLUTIONS && !r->is_quick; n++) {
                j.resolution = (law_resolution)n;
                if (r->is_wanted[n] && count < MOST_JOBS) jobs[count++] = j;
            }
            for (quick_case c = {0}; r->is_quick && laws_quick_next(&c);) {
                if (strcmp(c.law, j.law->name) != 0 || strcmp(c.method, j.method->name) != 0) continue;
                memcpy(j.settings, c.settings, sizeof j.settings);
                if (count < MOST_JOBS) jobs[count++] = j;
            }
        }
    return count;
}

/* Measures by the job's settings, over which those of the user go. */
static bool measure_with(request *r, listener *listening, laws_run *run, char *settings)
{
    law_settings before = r->settings;
    const char *texts[MOST_WORDS + MOST_SETTINGS];
    int count = 0;
    for (char *rest, *word = strtok_r(settings, " ", &rest); word && count < MOST_WORDS;
         word = strtok_r(NULL, " ", &rest))
        texts[count++] = word;
    for (int i = 0; i < before.count; i++) texts[count++] = before.texts[i];
    r->settings.texts = texts, r->settings.count = count;
    bool is_whole = measure(r, listening, run);
    r->settings.texts = before.texts, r->settings.count = before.count;
    return is_whole;
}

/* A job measured, shown, put into the report. */
static bool measure_next(request *r, listener *listening, const laws_table *table, laws_runs *runs, job *j)
{
    laws_run *run = laws_runs_add(runs, j->law, j->method, j->resolution);
    if (!run) {
        fputs("dew laws: no memory for more results\n", stderr);
        return false;
    }
    listening->progress.number++;
    bool is_whole = measure_with(r, listening, run, j->settings);
    if (r->is_json) {
        laws_print_json(stdout, runs, run);
        fflush(stdout);
    } else
        laws_table_print(table, runs, run);
    if (listening->report) report_add_run(listening->report, runs, listening->progress.of);
    return is_whole;
}

static bool measure_all(request *r, report *rep, job *jobs, int count)
{
    listener listening = {
        .report = rep,
        .progress = {.of = count, .line = {.is_quiet = r->is_quiet, .is_terminal = isatty(STDERR_FILENO)}}};
    laws_table table;
    laws_runs runs = {.is_fine = r->settings.is_fine, .filling = r->settings.filling};
    bool is_whole = true;
    if (!r->is_json) laws_table_begin(&table, r->laws, r->law_count);
    for (int i = 0; i < count; i++) is_whole = measure_next(r, &listening, &table, &runs, &jobs[i]) && is_whole;
    if (!r->is_json) laws_table_end(&table, &runs);
    laws_runs_free(&runs);
    return is_whole;
}

static int run_jobs(request *r, int argc, char **argv)
{
    job *jobs = calloc(MOST_JOBS, sizeof *jobs);
    if (!jobs) return cli_failed("laws", DEW_NO_MEMORY);
    int count = plan_jobs(r, jobs);
    if (count == 0) {
        free(jobs);
        return cli_wrong("laws", "there is no quick case of what was chosen; leave --quick away");
    }
    report *rep = NULL;
    dew_result result = r->report ? report_open(&rep, r->report, argc, argv, r->settings.threads) : DEW_OK;
    bool is_whole = result == DEW_OK && measure_all(r, rep, jobs, count);
    free(jobs);
    if (result) return cli_failed("laws", result);
    if (rep) is_whole = report_close(rep) && is_whole;
    return is_whole ? STATUS_DONE : STATUS_FAILED;
}

static int judge(request *r, int argc, char **argv)
{
    char message[4096];
    if (optind < argc) return cli_wrong("laws", "no use for '%s'; laws are named by --law", argv[optind]);
    if (r->texts.count > MOST_SETTINGS)
        return cli_wrong("laws", "--set is given %d times; %d are the most", r->texts.count, MOST_SETTINGS);
    for (int i = 0; i < LAW_RESOLUTIONS && r->is_quick; i++)
        if (r->is_wanted[i]) return cli_wrong("laws", "--quick has sizes of its own: leave --resolution away");
    choose_defaults(r);
    if (law_settings_check(&r->settings, r->laws, r->law_count, message, sizeof message)) {
        message[strlen(message) - 1] = '\0'; /* the last line's end */
        return cli_wrong("laws", "%s", message);
    }
    if (r->is_list) {
        if (r->is_json)
            print_list_json(r);
        else
            print_list(r);
        return STATUS_DONE;
    }
    return run_jobs(r, argc, argv);
}

int command_laws(int argc, char **argv)
{
    request r = {.law_count = 0};
    const cli_option options[] = {{"law", 0, choose_law, &r},
                                  {"group", 0, choose_group, &r},
                                  {"method", 0, add_method, &r},
                                  {"resolution", 0, add_resolutions, &r},
                                  {"level", 0, choose_level, &r},
                                  {"filling", 0, cli_read_index, &r.settings.filling},
                                  {"set", 0, cli_read_word, &r.texts},
                                  {"report", 0, cli_read_folder, &r.report},
                                  {"threads", 0, cli_read_count, &r.settings.threads},
                                  {"quick", 0, cli_read_flag, &r.is_quick},
                                  {"json", 0, cli_read_flag, &r.is_json},
                                  {"quiet", 0, cli_read_flag, &r.is_quiet},
                                  {"list", 0, cli_read_flag, &r.is_list},
                                  {0}};
    int status = cli_read_options("laws", help, options, argc, argv);
    if (status == STATUS_GO_ON) status = judge(&r, argc, argv);
    free(r.texts.words);
    return status;
}
