/* `dew bench`: speed and memory, as a table for people or as lines for programs. */
#include "bench/bench.h"
#include "base/json.h"
#include "base/parallel.h"
#include "cli/cli.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MAX_ROWS = 64 };

static const char help[] = "usage: dew bench [CASE...] [--threads N | --scaling] [--json] [--list]\n"
                           "\n"
                           "Measures how fast dew is on this machine; without names, every case.\n"
                           "\n"
                           "  -t, --threads N    default: all cores\n"
                           "  -s, --scaling      with 1, 2, 4, ... threads up to all cores, each case by itself\n"
                           "      --json         one object a line instead of the table\n"
                           "      --list         the cases and what each measures";

static const bench_case *find_case(const char *name)
{
    for (const bench_case *c = bench_registry; c->name; c++) {
        if (strcmp(c->name, name) == 0) return c;
    }
    return NULL;
}

static const char *case_name(int index) { return bench_registry[index].name; }

/* --- output --- */

typedef struct column {
    const char *key, *heading;
    size_t offset;
} column;

static const column columns[] = {
    {"ms_per_step", "ms a step", offsetof(bench_result, ms_per_step)},
    {"cpu_ms_per_step", "CPU ms", offsetof(bench_result, cpu_ms_per_step)},
    {"cpu_in_passes", "in passes", offsetof(bench_result, passes)},
    {"particle_steps_per_second", "particles/s", offsetof(bench_result, particle_steps_per_second)},
    {"simulated_per_step", "s a step", offsetof(bench_result, simulated)},
    {"iterations", "iterations", offsetof(bench_result, iterations)},
    {"ns_per_pair", "ns a pair", offsetof(bench_result, ns_per_pair)},
    {"bytes_per_particle", "B a particle", offsetof(bench_result, bytes_per_particle)},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static double value_of(const bench_result *row, const column *c)
{
    double value;
    memcpy(&value, (const char *)row + c->offset, sizeof value);
    return value;
}

static void print_json(const bench_result *row)
{
    json j = {.stream = stdout};
    json_open(&j, NULL, '{');
    json_text(&j, "case", row->name);
    if (row->method) json_text(&j, "method", row->method);
    json_number(&j, "particles", row->particles, 10);
    json_number(&j, "threads", row->threads, 10);
    for (int k = 0; k < COLUMNS; k++) {
        double value = value_of(row, &columns[k]);
        if (isfinite(value)) json_number(&j, columns[k].key, value, 6);
    }
    json_close(&j, '}');
    putchar('\n');
}

static void print_heading(void)
{
    printf("%-32s %-6s %9s %7s", "case", "method", "particles", "threads");
    for (int k = 0; k < COLUMNS; k++) printf(" %12s", columns[k].heading);
    putchar('\n');
}

static void print_row(const bench_result *row)
{
    printf("%-32s %-6s %9d %7d", row->name, row->method ? row->method : "", row->particles, row->threads);
    for (int k = 0; k < COLUMNS; k++) {
        double value = value_of(row, &columns[k]);
        if (isfinite(value))
            printf(" %12.4g", value);
        else
            printf(" %12s", "");
    }
    putchar('\n');
}

static int run_case(const bench_case *c, int threads, bool is_json)
{
    bench_result rows[MAX_ROWS];
    bool is_shown = isatty(STDERR_FILENO) && !is_json;
    if (is_shown) fprintf(stderr, "%s ...", c->name);
    int count = c->run(threads, rows, MAX_ROWS);
    if (is_shown) fputs("\r\033[K", stderr);
    if (count < 0) {
        cli_wrong("bench", "%s: %s", c->name, dew_message());
        return STATUS_FAILED;
    }
    for (int i = 0; i < count; i++) (is_json ? print_json : print_row)(&rows[i]);
    fflush(stdout);
    return STATUS_DONE;
}

enum { ONE_TO_ALL = -1 };

static int run_with_threads(const bench_case *c, int threads, bool is_json)
{
    int status = STATUS_DONE, cores = parallel_threads();
    if (threads != ONE_TO_ALL) return run_case(c, threads, is_json);
    for (int t = 1; t < 2 * cores; t *= 2) status |= run_case(c, t < cores ? t : cores, is_json);
    return status;
}

static int run_cases(int argc, char **argv, int threads, bool is_json)
{
    for (int i = optind; i < argc; i++) {
        if (!find_case(argv[i])) return cli_unknown("bench", "case", argv[i], case_name, "dew bench --list");
    }
    if (!is_json) print_heading();
    int status = STATUS_DONE;
    for (int i = optind; i < argc; i++) status |= run_with_threads(find_case(argv[i]), threads, is_json);
    for (const bench_case *c = bench_registry; optind == argc && c->name; c++)
        status |= run_with_threads(c, threads, is_json);
    return status;
}

int command_bench(int argc, char **argv)
{
    int threads = 0;
    bool is_json = false, is_list = false, is_scaling = false;
    const cli_option options[] = {{"threads", 't', cli_read_count, &threads},
                                  {"scaling", 's', cli_read_flag, &is_scaling},
                                  {"json", 0, cli_read_flag, &is_json},
                                  {"list", 0, cli_read_flag, &is_list},
                                  {0}};
    int status = cli_read_options("bench", help, options, argc, argv);
    if (status != STATUS_GO_ON) return status;
    if (!is_list) return run_cases(argc, argv, is_scaling ? ONE_TO_ALL : threads, is_json);
    for (const bench_case *c = bench_registry; c->name; c++) printf("  %-24s %s\n", c->name, c->sentence);
    return STATUS_DONE;
}
