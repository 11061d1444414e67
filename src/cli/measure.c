/* `dew measure`: quantities of the frames that a run has left. */
#include "base/number.h"
#include "base/result.h"
#include "base/words.h"
#include "cli/cli.h"
#include "dew/frames.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct measure_request {
    const char *folder;
    char **quantities;
    int quantity_count, first, last; /* frames by their index, both included */
    dew_part_def of;
    bool is_csv, is_json;
} measure_request;

static const char help[] =
    "usage: dew measure DIR QUANTITY... [--of PART]... [--frames A:B] [--csv | --json]\n"
    "\n"
    "Measures the frames that `dew run` has left in a folder: a row a frame, in SI units, the same values as\n"
    "probes.csv would have. What a method knows only while it runs, and what needs a field that the scene's\n"
    "output did not name, cannot be measured so. `dew list quantities` shows what can be asked for.\n"
    "\n"
    "  --of PART          as a probe's `of`: material=NAME, body=N (1: the largest) or solid=NAME; may be repeated\n"
    "  --frames A:B       frames A to B, both included; A: from A on, :B up to B, A that one\n"
    "  --csv              every digit, commas between: as probes.csv\n"
    "  --json             one object a line\n"
    "\n"
    "Exit status: 0 done, 2 the folder or a quantity is wrong.";

/* --- what is asked for --- */

static int read_frames(const cli_option *option, const char *command, const char *value)
{
    measure_request *q = option->to;
    const cli_option ends[2] = {{.name = option->name, .to = &q->first}, {.name = option->name, .to = &q->last}};
    const char *colon = strchr(value, ':');
    char first[32];
    int status = STATUS_DONE;
    snprintf(first, sizeof first, "%.*s", (int)strcspn(value, ":"), value);
    if (*first || !colon) status = cli_read_index(&ends[0], command, first);
    if (!colon) q->last = q->first;
    if (status == STATUS_DONE && colon && colon[1]) status = cli_read_index(&ends[1], command, colon + 1);
    if (status == STATUS_DONE && q->first > q->last)
        status = cli_wrong(command, "--%s is '%s'; the first must not come after the last", option->name, value);
    return status;
}

static int read_part(const cli_option *option, const char *command, const char *value)
{
    static const char *const keys[] = {"material", "body", "solid"};
    dew_part_def *of = option->to;
    const char *equals = strchr(value, '=');
    char key[32];
    snprintf(key, sizeof key, "%.*s", (int)strcspn(value, "="), value);
    int index = word_index(keys, 3, key), body = 0;
    if (!equals || index < 0) {
        const char *nearest = nearest_word(key, keys, 3);
        return cli_wrong(command, "--%s is '%s'; it takes material=NAME, body=N or solid=NAME%s%s%s", option->name,
                         value, index < 0 && nearest ? "; did you mean '" : "", index < 0 && nearest ? nearest : "",
                         index < 0 && nearest ? "'?" : "");
    }
    if (index != 1) {
        *(index == 0 ? &of->material : &of->solid) = equals + 1;
        return STATUS_DONE;
    }
    const cli_option number = {.name = option->name, .to = &body};
    int status = cli_read_index(&number, command, equals + 1);
    if (status == STATUS_DONE && body < 1)
        status = cli_wrong(command, "--%s is '%s'; body=1 is the largest body, 2 the next", option->name, value);
    of->body = body;
    return status;
}

static int check_quantities(const measure_request *q)
{
    int status = STATUS_DONE;
    for (int i = 0; i < q->quantity_count; i++)
        if (dew_quantity_columns(q->quantities[i], NULL) == 0)
            status = cli_unknown("measure", "quantity", q->quantities[i], dew_quantity_name, "dew list quantities");
    return status;
}

/* --- what is printed --- */

/* Calls for each column of the quantities, values[DEW_MOST_COLUMNS i + c] being that of column c of quantity i. */
typedef void column_fcn(const measure_request *q, const char *name, double value);

static void for_columns(const measure_request *q, const double *values, column_fcn *visit)
{
    for (int i = 0; i < q->quantity_count; i++, values += DEW_MOST_COLUMNS) {
        const char *const *suffixes;
        int columns = dew_quantity_columns(q->quantities[i], &suffixes);
        for (int c = 0; c < columns; c++) {
            char name[96];
            snprintf(name, sizeof name, *suffixes[c] ? "%s_%s" : "%s", q->quantities[i], suffixes[c]);
            visit(q, name, values[c]);
        }
    }
}

static void print_name(const measure_request *q, const char *name, double value)
{
    (void)value;
    printf(q->is_csv ? ",%s" : "  %12s", name);
}

static void print_value(const measure_request *q, const char *name, double value)
{
    if (q->is_csv)
        putchar(',');
    else if (q->is_json)
        printf(", \"%s\": ", name);
    if (q->is_json && !isfinite(value))
        fputs("null", stdout);
    else if (q->is_csv || q->is_json)
        number_print(stdout, value, 6);
    else
        printf("  %*.6g", strlen(name) > 12 ? (int)strlen(name) : 12, value);
}

static void print_row(const measure_request *q, const dew_frame *frame, const double *values)
{
    if (q->is_json) printf("{\"frame\": %d, \"time\": ", frame->index);
    if (q->is_csv || q->is_json)
        number_print(stdout, frame->time, 6);
    else
        printf("%5d  %12.6g", frame->index, frame->time);
    for_columns(q, values, print_value);
    puts(q->is_json ? "}" : "");
}

/* --- the command --- */

/* Every value of a frame is measured before its row is printed, so that no row is left half. */
static dew_result measure_frames(const measure_request *q, dew_frame_reader *reader, dew_measurer *measurer,
                                 double *values)
{
    int count = dew_frame_reader_count(reader), measured = 0;
    for (int k = 0; k < count; k++) {
        int index = dew_frame_reader_index(reader, k);
        const dew_frame *frame;
        if (index < q->first || index > q->last) continue;
        RESULT_TRY(dew_frame_reader_read(reader, k, &frame));
        for (int i = 0; i < q->quantity_count; i++)
            RESULT_TRY(dew_measure(measurer, frame, q->quantities[i], values + (size_t)i * DEW_MOST_COLUMNS));
        if (measured++ == 0 && !q->is_json) {
            fputs(q->is_csv ? "time" : "frame          time", stdout);
            for_columns(q, values, print_name);
            puts("");
        }
        print_row(q, frame, values);
    }
    if (measured > 0) return DEW_OK;
    return result_fail(DEW_INVALID, "%s holds no such frame; there are %d, the last is %d", q->folder, count,
                       dew_frame_reader_index(reader, count - 1));
}

static int measure(const measure_request *q)
{
    dew_frame_reader *reader = NULL;
    dew_measurer *measurer = NULL;
    double *values = calloc((size_t)q->quantity_count, DEW_MOST_COLUMNS * sizeof *values);
    dew_result result = values ? dew_measurer_create(&measurer) : result_fail(DEW_NO_MEMORY, "no memory to measure");
    if (result == DEW_OK) dew_measurer_select(measurer, &q->of);
    if (result == DEW_OK) result = dew_frame_reader_open(q->folder, &reader);
    if (result == DEW_OK) result = measure_frames(q, reader, measurer, values);
    fflush(stdout);
    free(values);
    dew_measurer_destroy(measurer);
    dew_frame_reader_close(reader);
    if (result != DEW_OK) cli_wrong("measure", "%s", dew_message());
    return result == DEW_OK ? STATUS_DONE : result == DEW_NO_MEMORY ? STATUS_FAILED : STATUS_WRONG;
}

int command_measure(int argc, char **argv)
{
    measure_request q = {.last = INT_MAX};
    const cli_option options[] = {{"of", 0, read_part, &q.of},
                                  {"frames", 0, read_frames, &q},
                                  {"csv", 0, cli_read_flag, &q.is_csv},
                                  {"json", 0, cli_read_flag, &q.is_json},
                                  {0}};
    int status = cli_read_options("measure", help, options, argc, argv);
    if (status != STATUS_GO_ON) return status;
    q.folder = argv[optind], q.quantities = argv + optind + 1, q.quantity_count = argc - optind - 1;
    if (q.quantity_count < 1) return cli_wrong("measure", "of which run, what? usage: dew measure DIR QUANTITY...");
    if (q.is_csv && q.is_json) return cli_wrong("measure", "--csv and --json are two ways to print; choose one");
    status = check_quantities(&q);
    return status == STATUS_DONE ? measure(&q) : status;
}
