/* The report's page. Laws are rows, methods are columns: first the whole as a matrix, then law by law. */
#include "cli/report_html.h"
#include "cli/report_parts.h"

#include <math.h>
#include <string.h>

typedef struct page {
    atomic_file file;
    const report *report;
    const laws_runs *runs;
    int of;
    bool has_cases; /* the law's table at hand has a column for them */
} page;

static void text(page *p, const char *words) { html_text(&p->file, words); }

/* --- walking through the runs --- */

/* Whether run i is the first of its law (and of its method, where `method` says so). */
static bool is_first_of_law(const laws_runs *runs, int i)
{
    for (int k = 0; k < i; k++)
        if (runs->list[k].law == runs->list[i].law) return false;
    return true;
}

static bool is_first_of_method(const laws_runs *runs, int i)
{
    for (int k = 0; k < i; k++)
        if (runs->list[k].method == runs->list[i].method) return false;
    return true;
}

/* The run of a law by a method at the finest resolution; NULL: none. */
static const laws_run *finest(const laws_runs *runs, const law *l, const dew_method_info *method)
{
    const laws_run *best = NULL;
    for (int i = 0; i < runs->count; i++) {
        const laws_run *run = &runs->list[i];
        if (run->law == l && run->method == method && (!best || run->resolution > best->resolution)) best = run;
    }
    return best;
}

/* The result that is farthest beyond its target, or nearest to it; NULL: none. */
static const law_result *worst_of(const laws_run *run)
{
    const law_result *worst = NULL;
    for (int i = 0; i < run->results.count; i++)
        if (!worst || laws_ratio(&run->results.list[i]) > laws_ratio(worst)) worst = &run->results.list[i];
    return worst;
}

static const char *class_of_sum(const laws_sum *sum)
{
    if (sum->runs > 0 && sum->absent_runs == sum->runs) return "none";
    if (sum->failed_runs == 0 && sum->measured > 0 && sum->passed == sum->measured) return "pass";
    return sum->runs > 0 ? "fail" : "none";
}

/* --- head --- */

static void put_head(page *p)
{
    atomic_print(&p->file,
                 "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                 "<meta name=\"color-scheme\" content=\"light dark\">\n" REPORT_MARK "\n"
                 "<title>Liquid methods against laws of physics</title>\n<style>\n%s</style>\n</head>\n<body>\n",
                 html_style);
}

static void put_navigation(page *p)
{
    atomic_print(&p->file, "<nav aria-label=\"Laws\">\n<a class=\"brand\" href=\"#top\">dew laws</a>\n");
    if (p->runs->count) atomic_print(&p->file, "<a href=\"#overview\">Overview</a>\n");
    for (int i = 0; i < p->runs->count; i++) {
        if (!is_first_of_law(p->runs, i)) continue;
        const law *l = p->runs->list[i].law;
        laws_sum sum = laws_sum_of(p->runs, l, NULL, -1);
        char slug[64];
        html_slug(slug, sizeof slug, l->name);
        atomic_print(&p->file, "<a href=\"#law-%s\"><span class=\"dot %s\"></span>", slug, class_of_sum(&sum));
        text(p, l->name);
        atomic_print(&p->file, "</a>\n");
    }
    atomic_print(&p->file, "</nav>\n");
}

static void put_tile(page *p, const char *class, const char *number, const char *label)
{
    atomic_print(&p->file, "<div class=\"tile %s\"><b>%s</b><span>%s</span></div>\n", class, number, label);
}

static void put_summary(page *p)
{
    laws_sum sum = laws_sum_of(p->runs, NULL, NULL, -1);
    int laws = 0, methods = 0;
    char number[64];
    for (int i = 0; i < p->runs->count; i++) {
        laws += is_first_of_law(p->runs, i);
        methods += is_first_of_method(p->runs, i);
    }
    atomic_print(&p->file,
                 "<header id=\"top\">\n<h1>Liquid methods against laws of physics</h1>\n"
                 "<p class=\"lead\">Each method was given the same liquid in SI units; what it made of it was "
                 "measured and is compared with theory. A figure is met where its error is within its target."
                 "</p>\n");
    if (p->runs->count < p->of)
        atomic_print(&p->file, "<p class=\"note\">Not finished: %d of %d runs measured so far.</p>\n", p->runs->count,
                     p->of);
    atomic_print(&p->file, "<div class=\"tiles\">\n");
    snprintf(number, sizeof number, "%d<small> of %d</small>", sum.passed, sum.measured);
    put_tile(p, sum.measured == 0 ? "" : sum.passed == sum.measured ? "pass" : "fail", number, "figures within target");
    snprintf(number, sizeof number, "%d", laws);
    put_tile(p, "", number, laws == 1 ? "law" : "laws");
    snprintf(number, sizeof number, "%d", methods);
    put_tile(p, "", number, methods == 1 ? "method" : "methods");
    if (sum.failed_runs) {
        snprintf(number, sizeof number, "%d", sum.failed_runs);
        put_tile(p, "fail", number, sum.failed_runs == 1 ? "run failed" : "runs failed");
    }
    snprintf(number, sizeof number, sum.cpu_seconds < 100 ? "%.1f<small> s</small>" : "%.0f<small> s</small>",
             sum.cpu_seconds);
    put_tile(p, "", number, "CPU time, all threads");
    atomic_print(&p->file, "</div>\n<p class=\"by\">dew " DEW_VERSION ", by the command</p>\n<pre class=\"command\">");
    text(p, p->report->command);
    atomic_print(&p->file, "</pre>\n</header>\n");
}

/* --- the matrix --- */

static void put_worst(page *p, const law_result *worst)
{
    char error[32], limit[32];
    laws_format_error(error, sizeof error, worst);
    laws_format_limit(limit, sizeof limit, worst);
    atomic_print(&p->file, "<span>");
    text(p, worst->target->quantity);
    atomic_print(&p->file, " %s of %s</span>", error, limit);
}

static void put_cell(page *p, const law *l, const dew_method_info *method)
{
    const laws_run *run = finest(p->runs, l, method);
    char slug[64], lack[160];
    html_slug(slug, sizeof slug, l->name);
    if (!run) {
        atomic_print(&p->file, "<td class=\"none\">&#8230;</td>");
        return;
    }
    if (run->is_absent) {
        laws_format_lack(lack, sizeof lack, l, method);
        atomic_print(&p->file, "<td class=\"none\"><b>n/a</b><span>lacks %s</span></td>", lack);
        return;
    }
    laws_sum sum = laws_sum_of(p->runs, l, method, (int)run->resolution);
    const law_result *worst = worst_of(run);
    atomic_print(&p->file, "<td class=\"%s\"><a href=\"#law-%s\">", class_of_sum(&sum), slug);
    if (run->failure)
        atomic_print(&p->file, "<b>failed</b>");
    else
        atomic_print(&p->file, "<b>%d/%d</b>", sum.passed, sum.measured);
    if (worst) put_worst(p, worst);
    atomic_print(&p->file, "</a></td>");
}

static void put_matrix(page *p)
{
    atomic_print(&p->file, "<section id=\"overview\">\n<h2>Overview</h2>\n<p class=\"small\">Figures within target, "
                           "and the one that is worst against its target, at the finest "
                           "resolution measured. n/a: the method lacks what the law needs.</p>\n"
                           "<div class=\"wide\"><table class=\"matrix\">\n<thead><tr><th scope=\"col\">law</th>");
    for (int k = 0; k < p->runs->count; k++) {
        if (!is_first_of_method(p->runs, k)) continue;
        atomic_print(&p->file, "<th scope=\"col\">");
        text(p, p->runs->list[k].method->name);
        atomic_print(&p->file, "</th>");
    }
    atomic_print(&p->file, "</tr></thead>\n<tbody>\n");
    for (int i = 0; i < p->runs->count; i++) {
        if (!is_first_of_law(p->runs, i)) continue;
        const law *l = p->runs->list[i].law;
        char slug[64];
        html_slug(slug, sizeof slug, l->name);
        atomic_print(&p->file, "<tr><th scope=\"row\"><a href=\"#law-%s\">", slug);
        text(p, l->name);
        atomic_print(&p->file, "</a></th>");
        for (int k = 0; k < p->runs->count; k++)
            if (is_first_of_method(p->runs, k)) put_cell(p, l, p->runs->list[k].method);
        atomic_print(&p->file, "</tr>\n");
    }
    atomic_print(&p->file, "</tbody></table></div>\n</section>\n");
}

/* --- a law's table --- */

static void put_value(page *p, double value, const char *unit)
{
    if (!isfinite(value)) {
        atomic_print(&p->file, "<td class=\"number\">none</td>");
        return;
    }
    atomic_print(&p->file, "<td class=\"number\">%.5g", value);
    if (strcmp(unit, "1") != 0) {
        atomic_print(&p->file, " <small>");
        text(p, unit);
        atomic_print(&p->file, "</small>");
    }
    atomic_print(&p->file, "</td>");
}

static void put_row_head(page *p, const laws_run *run, const char *quantity, const char *label)
{
    atomic_print(&p->file, "<td>");
    text(p, quantity);
    atomic_print(&p->file, "</td>");
    if (p->has_cases) {
        atomic_print(&p->file, "<td>");
        text(p, label);
        atomic_print(&p->file, "</td>");
    }
    atomic_print(&p->file, "<td>");
    text(p, run->method->name);
    atomic_print(&p->file, "</td><td>%s</td>", law_resolution_names[run->resolution]);
}

static void put_result(page *p, const laws_run *run, const law_result *r)
{
    char error[32], limit[32];
    laws_format_error(error, sizeof error, r);
    laws_format_limit(limit, sizeof limit, r);
    laws_series series = laws_series_of(p->runs, (int)(run - p->runs->list), run, r);
    double order = laws_order(&series), ratio = laws_ratio(r);
    const char *class = r->has_passed ? "pass" : "fail";
    atomic_print(&p->file, "<tr class=\"%s%s\">", class, r == run->results.list ? " first" : "");
    put_row_head(p, run, r->target->quantity, r->label);
    atomic_print(&p->file, "<td class=\"number\">%d</td>", r->particles);
    put_value(p, r->measured, r->target->unit);
    put_value(p, r->theory, r->target->unit);
    atomic_print(&p->file, "<td class=\"number error\" style=\"--part:%.0f%%\">%s</td><td class=\"number\">%s</td>",
                 100 * fmin(1, ratio), error, limit);
    atomic_print(&p->file, "<td><span class=\"badge %s\">%s</span></td>", class, r->has_passed ? "met" : "not met");
    if (isfinite(order))
        atomic_print(&p->file, "<td class=\"number\">%.2f</td>", order);
    else
        atomic_print(&p->file, "<td></td>");
    atomic_print(&p->file, "<td class=\"number\">%.1f</td></tr>\n", r->cpu_seconds);
}

static bool has_cases(const laws_runs *runs, const law *l)
{
    for (int i = 0; i < runs->count; i++)
        for (int k = 0; runs->list[i].law == l && k < runs->list[i].results.count; k++)
            if (*runs->list[i].results.list[k].label) return true;
    return false;
}

static void put_table(page *p, const law *l)
{
    p->has_cases = has_cases(p->runs, l);
    atomic_print(
        &p->file,
        "<div class=\"wide\"><table class=\"results\">\n<thead><tr><th>figure</th>%s<th>method</th>"
        "<th>resolution</th><th class=\"number\">particles</th><th class=\"number\">measured</th>"
        "<th class=\"number\">theory</th><th class=\"number\">error</th><th class=\"number\">target</th><th></th>"
        "<th class=\"number\"><abbr title=\"of convergence: p of |error| ~ spacing^p, over this resolution and "
        "those above it\">order</abbr></th><th class=\"number\">CPU s</th></tr></thead>\n<tbody>\n",
        p->has_cases ? "<th>case</th>" : "");
    for (int i = 0; i < p->runs->count; i++) {
        const laws_run *run = &p->runs->list[i];
        if (run->law != l) continue;
        for (int k = 0; k < run->results.count; k++) put_result(p, run, &run->results.list[k]);
        char lack[160];
        if (run->is_absent) {
            laws_format_lack(lack, sizeof lack, l, run->method);
            atomic_print(&p->file, "<tr class=\"none\">");
            put_row_head(p, run, "", "");
            atomic_print(&p->file, "<td colspan=\"8\">n/a: lacks %s</td></tr>\n", lack);
        }
        if (run->failure) {
            atomic_print(&p->file, "<tr class=\"fail\">");
            put_row_head(p, run, "", "");
            atomic_print(&p->file, "<td colspan=\"8\"><span class=\"badge fail\">failed</span> ");
            text(p, run->failure);
            atomic_print(&p->file, "</td></tr>\n");
        }
    }
    atomic_print(&p->file, "</tbody></table></div>\n");
}

/* --- a law's figures --- */

static void put_plot(page *p, const char *name, const char *title, const char *caption)
{
    atomic_print(&p->file, "<figure><a href=\"plots/%s.svg\"><img loading=\"lazy\" src=\"plots/%s.svg\" alt=\"", name,
                 name);
    text(p, title);
    atomic_print(&p->file, "\"></a><figcaption>");
    text(p, caption);
    atomic_print(&p->file,
                 " <a href=\"plots/%s.dat\">data</a> <a href=\"plots/%s.gp\">script</a></figcaption></figure>\n", name,
                 name);
}

static void put_figures(page *p, const laws_run *run)
{
    char caption[96], name[192];
    snprintf(caption, sizeof caption, "%.32s, %s", run->method->name, law_resolution_names[run->resolution]);
    atomic_print(&p->file, "<div class=\"figures\">\n");
    for (int i = 0; i < run->picture_count; i++) {
        const laws_picture *picture = &run->pictures[i];
        atomic_print(&p->file,
                     "<figure><a href=\"%s\"><img loading=\"lazy\" width=\"800\" height=\"600\" src=\"%s\" alt=\"",
                     picture->file, picture->file);
        text(p, picture->caption);
        atomic_print(&p->file, "\"></a><figcaption>");
        text(p, picture->caption);
        atomic_print(&p->file, " &middot; ");
        text(p, caption);
        atomic_print(&p->file, "</figcaption></figure>\n");
    }
    for (int i = 0; i < run->results.plot_count; i++) {
        if (!run->has_plot || !run->has_plot[i]) continue;
        report_plot_name(name, sizeof name, run, i);
        put_plot(p, name, run->results.plots[i].title, caption);
    }
    atomic_print(&p->file, "</div>\n");
}

static bool has_figures(const laws_run *run)
{
    for (int i = 0; run->has_plot && i < run->results.plot_count; i++)
        if (run->has_plot[i]) return true;
    return run->picture_count > 0;
}

/* Every method's figures at its finest resolution; below them, folded away, those of the others. */
static void put_all_figures(page *p, const law *l)
{
    for (int i = 0; i < p->runs->count; i++) {
        const dew_method_info *method = p->runs->list[i].method;
        const laws_run *best = finest(p->runs, l, method);
        if (p->runs->list[i].law != l || &p->runs->list[i] != best) continue;
        if (has_figures(best)) {
            atomic_print(&p->file, "<h3>");
            text(p, method->name);
            atomic_print(&p->file, " <small>%s</small></h3>\n", law_resolution_names[best->resolution]);
            put_figures(p, best);
        }
        for (int k = 0; k < p->runs->count; k++) {
            const laws_run *run = &p->runs->list[k];
            if (run->law != l || run->method != method || run == best || !has_figures(run)) continue;
            atomic_print(&p->file, "<details><summary>");
            text(p, method->name);
            atomic_print(&p->file, ", %s</summary>\n", law_resolution_names[run->resolution]);
            put_figures(p, run);
            atomic_print(&p->file, "</details>\n");
        }
    }
}

static void put_orders(page *p, const law *l)
{
    bool has_any = false;
    for (int i = 0; i < l->target_count; i++) {
        const law_target *target = &l->targets[i];
        if (!report_has_order(p->report, l, target)) continue;
        if (!has_any)
            atomic_print(&p->file,
                         "<h3>Convergence</h3>\n<p class=\"small\">p: order of the error in the spacing, by least "
                         "squares. Points below the dashed line are within target.</p>\n<div class=\"figures\">\n");
        has_any = true;
        char name[160];
        report_order_name(name, sizeof name, l, target);
        char caption[256];
        snprintf(caption, sizeof caption, "%s: %s", target->quantity, target->sentence);
        put_plot(p, name, target->quantity, caption);
    }
    if (has_any) atomic_print(&p->file, "</div>\n");
}

static void put_targets(page *p, const law *l)
{
    static const char *const units[] = {" %", "", "°"};
    atomic_print(&p->file, "<dl>\n");
    for (int i = 0; i < l->target_count; i++) {
        const law_target *target = &l->targets[i];
        double scale = target->error == LAW_RELATIVE ? 100 : 1;
        const double *t = target->target;
        atomic_print(&p->file, "<div><dt>");
        text(p, target->quantity);
        atomic_print(&p->file, "</dt><dd>");
        text(p, target->sentence);
        atomic_print(&p->file, "; target %.3g", scale * t[0]);
        if (t[0] != t[1] || t[1] != t[2]) atomic_print(&p->file, " / %.3g / %.3g", scale * t[1], scale * t[2]);
        atomic_print(&p->file, "%s</dd></div>\n", units[target->error]);
    }
    atomic_print(&p->file, "</dl>\n");
}

static void put_law(page *p, const law *l)
{
    char slug[64];
    html_slug(slug, sizeof slug, l->name);
    atomic_print(&p->file, "<section class=\"law\" id=\"law-%s\">\n<h2><code>", slug);
    text(p, l->name);
    atomic_print(&p->file, "</code>");
    text(p, l->title);
    atomic_print(&p->file, "</h2>\n");
    if (l->physics) {
        atomic_print(&p->file, "<p>");
        text(p, l->physics);
        atomic_print(&p->file, "</p>\n");
    }
    if (l->equation) {
        atomic_print(&p->file, "<div class=\"equation\">");
        html_equation(&p->file, l->equation);
        atomic_print(&p->file, "</div>\n");
    }
    put_targets(p, l);
    put_table(p, l);
    put_orders(p, l);
    put_all_figures(p, l);
    atomic_print(&p->file, "</section>\n");
}

dew_result report_page_write(const report *r, const laws_runs *runs, int of)
{
    page p = {.report = r, .runs = runs, .of = of};
    char path[ATOMIC_PATH];
    snprintf(path, sizeof path, "%s/index.html", r->folder);
    RESULT_TRY(atomic_open(&p.file, path));
    put_head(&p);
    put_navigation(&p);
    atomic_print(&p.file, "<main>\n");
    put_summary(&p);
    if (runs->count) put_matrix(&p);
    for (int i = 0; i < runs->count; i++)
        if (is_first_of_law(runs, i)) put_law(&p, runs->list[i].law);
    atomic_print(&p.file,
                 "<footer>Errors are relative (%%), in degrees, or absolute where theory may be zero. CPU seconds "
                 "count all threads. Every number of this page: <a href=\"results.jsonl\">results.jsonl</a>, one "
                 "JSON object a line; every plot has its data and its gnuplot script beside it.</footer>\n"
                 "</main>\n</body>\n</html>\n");
    return atomic_commit(&p.file);
}
