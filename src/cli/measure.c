/* `dew measure`: quantities of the frames that a run has left. */
#include "base/result.h"
#include "cli/cli.h"
#include "dew/frames.h"
#include "io/number.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum style { STYLE_TABLE, STYLE_CSV, STYLE_JSON } style;

typedef struct measure_request {
    const char *folder;
    char **quantities;
    int quantity_count, first, last; /* frames by their index, both included */
    style style;
} measure_request;

static int print_help(void)
{
    puts("usage: dew measure DIR QUANTITY... [--frames A:B] [--csv | --json]\n"
         "\n"
         "Measures the frames that `dew run` has left in a folder: a row a frame, in SI units, the same values as\n"
         "probes.csv would have. What a method knows only while it runs, and what needs a field that the scene's\n"
         "output did not name, cannot be measured so. `dew list quantities` shows what can be asked for.\n"
         "\n"
         "  --frames A:B       frames A to B, both included; A: from A on, :B up to B, A that one\n"
         "  --csv              every digit, commas between: as probes.csv\n"
         "  --json             one object a line\n"
         "\n"
         "Exit status: 0 done, 2 the folder or a quantity is wrong.");
    return STATUS_DONE;
}

/* --- what is asked for --- */

static bool read_frames(const char *text, measure_request *q)
{
    char *end = (char *)text;
    long first = *text == ':' ? 0 : strtol(text, &end, 10), last = first;
    bool is_right = end > text || *text == ':';
    if (*end == ':' && end[1] == 0)
        last = INT_MAX, end++;
    else if (*end == ':') {
        const char *number = end + 1;
        last = strtol(number, &end, 10);
        is_right = is_right && end > number;
    }
    is_right = is_right && *end == 0 && first >= 0 && first <= last && last <= INT_MAX;
    q->first = (int)first, q->last = (int)last;
    if (!is_right)
        cli_wrong("measure", "--frames is '%s'; it must be like 3:8, 3:, :8 or 3, the first not after the last", text);
    return is_right;
}

static int check_quantities(const measure_request *q)
{
    enum { MOST_WORDS = 128 };
    const char *words[MOST_WORDS] = {NULL};
    for (int i = 0; i < dew_quantity_count() && i < MOST_WORDS - 1; i++) words[i] = dew_quantity_name(i);
    int status = STATUS_DONE;
    for (int i = 0; i < q->quantity_count; i++) {
        if (dew_quantity_columns(q->quantities[i], NULL) > 0) continue;
        const char *nearest = cli_nearest(q->quantities[i], words);
        status = cli_wrong("measure", "there is no quantity '%s'%s%s%s; `dew list quantities` shows those there are",
                           q->quantities[i], nearest ? " (did you mean '" : "", nearest ? nearest : "",
                           nearest ? "'?)" : "");
    }
    return status;
}

/* --- what is printed --- */

static void column_name(const char *quantity, const char *suffix, char *name, size_t size)
{
    snprintf(name, size, *suffix ? "%s_%s" : "%s", quantity, suffix);
}

static void print_head(const measure_request *q)
{
    if (q->style == STYLE_JSON) return;
    fputs(q->style == STYLE_CSV ? "time" : "frame          time", stdout);
    for (int i = 0; i < q->quantity_count; i++) {
        const char *const *suffixes;
        int columns = dew_quantity_columns(q->quantities[i], &suffixes);
        for (int c = 0; c < columns; c++) {
            char name[96];
            column_name(q->quantities[i], suffixes[c], name, sizeof name);
            printf(q->style == STYLE_CSV ? ",%s" : "  %12s", name);
        }
    }
    putchar('\n');
}

/* Under a column's name, as wide. */
static void print_cell(const char *quantity, const char *suffix, double value)
{
    char name[96];
    column_name(quantity, suffix, name, sizeof name);
    int width = (int)strlen(name);
    printf("  %*.6g", width > 12 ? width : 12, value);
}

static void print_json(const char *quantity, int columns, const double *values)
{
    printf(", \"%s\": %s", quantity, columns > 1 ? "[" : "");
    for (int c = 0; c < columns; c++) {
        if (c) fputs(", ", stdout);
        if (isfinite(values[c]))
            number_print(stdout, values[c]);
        else
            fputs("null", stdout);
    }
    if (columns > 1) putchar(']');
}

static void print_row(const measure_request *q, const dew_frame *frame, const double *values)
{
    if (q->style == STYLE_JSON) printf("{\"frame\": %d, \"time\": ", frame->index);
    if (q->style == STYLE_TABLE)
        printf("%5d  %12.6g", frame->index, frame->time);
    else
        number_print(stdout, frame->time);
    for (int i = 0; i < q->quantity_count; i++, values += DEW_MOST_COLUMNS) {
        const char *const *suffixes, *name = q->quantities[i];
        int columns = dew_quantity_columns(name, &suffixes);
        if (q->style == STYLE_JSON) print_json(name, columns, values);
        for (int c = 0; c < columns && q->style != STYLE_JSON; c++) {
            if (q->style == STYLE_TABLE)
                print_cell(name, suffixes[c], values[c]);
            else
                putchar(','), number_print(stdout, values[c]);
        }
    }
    puts(q->style == STYLE_JSON ? "}" : "");
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
        if (measured++ == 0) print_head(q);
        print_row(q, frame, values);
    }
    if (measured > 0) return DEW_OK;
    if (count == 0) return result_fail(DEW_INVALID, "%s holds no frames", q->folder);
    return result_fail(DEW_INVALID, "%s holds no such frame: there are %d to %d", q->folder,
                       dew_frame_reader_index(reader, 0), dew_frame_reader_index(reader, count - 1));
}

static int measure(const measure_request *q)
{
    dew_frame_reader *reader = NULL;
    dew_measurer *measurer = NULL;
    double *values = calloc((size_t)q->quantity_count, DEW_MOST_COLUMNS * sizeof *values);
    dew_result result = values ? dew_measurer_create(&measurer) : result_fail(DEW_NO_MEMORY, "no memory to measure");
    if (result == DEW_OK) result = dew_frame_reader_open(q->folder, &reader);
    if (result == DEW_OK) result = measure_frames(q, reader, measurer, values);
    fflush(stdout);
    free(values);
    if (result != DEW_OK) cli_wrong("measure", "%s", dew_message());
    dew_measurer_destroy(measurer);
    dew_frame_reader_close(reader);
    return result == DEW_OK ? STATUS_DONE : result == DEW_NO_MEMORY ? STATUS_FAILED : STATUS_WRONG;
}

int command_measure(int argc, char **argv)
{
    static const struct option options[] = {{"help", no_argument, NULL, 'h'},
                                            {"frames", required_argument, NULL, 'f'},
                                            {"csv", no_argument, NULL, 'c'},
                                            {"json", no_argument, NULL, 'j'},
                                            {0}};
    measure_request q = {.last = INT_MAX};
    optind = 0;
    for (int letter; (letter = cli_next_option("measure", argc, argv, ":hf:cj", options)) != -1;) {
        if (letter == 'h') return print_help();
        if (letter == 'f' && !read_frames(optarg, &q)) return STATUS_WRONG;
        if (letter == '?') return STATUS_WRONG;
        if (letter != 'f') q.style = letter == 'c' ? STYLE_CSV : STYLE_JSON;
    }
    q.quantities = argv + optind + 1, q.quantity_count = argc - optind - 1;
    if (q.quantity_count < 1)
        return cli_wrong("measure", "of which run, what? usage: dew measure DIR QUANTITY...; `dew list quantities` "
                                    "shows what there is");
    q.folder = argv[optind];
    int status = check_quantities(&q);
    return status == STATUS_DONE ? measure(&q) : status;
}
