/* probes.csv: a row whenever a probe is due; columns of probes that are not due at that time stay empty. */
#include "base/number.h"
#include "dew/frames.h"
#include "io/atomic.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct series {
    const dew_probe_def *def;
    int columns;
    int64_t done; /* the last multiple of def->every, or the last frame, that has been measured; -1: none yet */
    bool is_due;
} series;

struct dew_probe_table {
    char path[ATOMIC_PATH];
    FILE *stream;
    series *probes;
    int count;
    dew_measurer *measurer;
};

static void table_free(dew_probe_table *t)
{
    if (!t) return;
    free(t->probes);
    dew_measurer_destroy(t->measurer);
    if (t->stream) fclose(t->stream);
    free(t);
}

/* Multiples of `every` passed by `time`; a step that ends on one within rounding counts as having reached it. */
static int64_t multiples(double time, double every) { return (int64_t)floor(time / every * (1 + 1e-12) + 1e-9); }

static dew_result add_probe(series *to, const dew_probe_def *probe, double frame_rate, double resume_time)
{
    to->def = probe;
    for (int q = 0; q < probe->quantity_count; q++) {
        int columns = dew_quantity_columns(probe->quantities[q], NULL);
        if (columns < 1 || columns > DEW_MOST_COLUMNS)
            return result_fail(DEW_INVALID, "probe \"%s\": no quantity \"%s\" to measure", probe->name,
                               probe->quantities[q]);
        to->columns += columns;
    }
    /* Rows up to and at resume_time are in the file already. */
    to->done = resume_time >= 0 ? multiples(resume_time, probe->every > 0 ? probe->every : 1 / frame_rate) : -1;
    return DEW_OK;
}

static void print_head(FILE *f, const dew_simulation_def *def)
{
    fprintf(f, "time");
    for (int k = 0; k < def->probe_count; k++)
        for (int q = 0; q < def->probes[k].quantity_count; q++) {
            const char *const *suffixes;
            int columns = dew_quantity_columns(def->probes[k].quantities[q], &suffixes);
            for (int c = 0; c < columns; c++) {
                fprintf(f, ",%s.%s", def->probes[k].name, def->probes[k].quantities[q]);
                if (suffixes[c][0]) fprintf(f, "_%s", suffixes[c]);
            }
        }
    fprintf(f, "\n");
}

/* The head line as text; the caller frees it. */
static char *head_text(const dew_simulation_def *def)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    if (!f) return NULL;
    print_head(f, def);
    if (fclose(f) == 0) return text;
    free(text);
    return NULL;
}

/* The table to begin with: the head, and of the file that is there the whole rows up to resume_time. */
static dew_result write_kept(const char *path, const char *head, const char *old, double resume_time)
{
    atomic_file file;
    RESULT_TRY(atomic_open(&file, path));
    atomic_write(&file, head, strlen(head));
    if (old && strncmp(old, head, strlen(head)) == 0) {
        const char *row = old + strlen(head);
        for (const char *end; (end = strchr(row, '\n')); row = end + 1) {
            char *number_end;
            double time = strtod(row, &number_end);
            if (number_end == row || *number_end != ',' || !(time <= resume_time)) break;
            atomic_write(&file, row, (size_t)(end + 1 - row));
        }
    }
    return atomic_commit(&file);
}

static dew_result begin_table(const char *path, const dew_simulation_def *def, double resume_time)
{
    char *head = head_text(def), *old = NULL;
    size_t size;
    if (!head) return result_fail(DEW_NO_MEMORY, "no memory for the table of probes");
    dew_result result = DEW_OK;
    if (resume_time >= 0 && access(path, F_OK) == 0) result = io_read_file(path, &old, &size);
    if (result == DEW_OK && old && strncmp(old, head, strlen(head)) != 0)
        result = result_fail(DEW_INVALID,
                             "%s has other columns than the scene's probes: move it away, or resume with the "
                             "scene it was made by",
                             path);
    if (result == DEW_OK) result = write_kept(path, head, old, resume_time);
    free(head), free(old);
    return result;
}

dew_result dew_probe_table_open(const char *path, const dew_simulation_def *def, double resume_time,
                                dew_probe_table **table)
{
    dew_probe_table *t = *table = calloc(1, sizeof *t);
    if (t) t->probes = calloc((size_t)def->probe_count + 1, sizeof *t->probes);
    dew_result result = t && t->probes ? dew_measurer_create(&t->measurer)
                                       : result_fail(DEW_NO_MEMORY, "no memory for the table of probes");
    if (result == DEW_OK && snprintf(t->path, sizeof t->path, "%s", path) >= ATOMIC_PATH)
        result = io_failure("write", path, ENAMETOOLONG);
    for (int k = 0; k < def->probe_count && result == DEW_OK; k++)
        result = add_probe(&t->probes[t->count++], &def->probes[k], def->frame_rate, resume_time);
    if (result == DEW_OK) result = begin_table(path, def, resume_time);
    if (result == DEW_OK && !(t->stream = fopen(path, "ab"))) result = io_failure("write", path, errno);
    if (result != DEW_OK) table_free(t), *table = NULL;
    return result;
}

static bool is_due(series *p, const dew_frame *frame)
{
    int64_t now = p->def->every > 0 ? multiples(frame->time, p->def->every) : frame->index;
    if (now <= p->done) return false;
    p->done = now;
    return true;
}

/* A due probe's values, or empty places. */
static dew_result print_probe(FILE *f, const dew_probe_table *t, const series *p, const dew_frame *frame)
{
    if (!p->is_due) {
        for (int c = 0; c < p->columns; c++) fprintf(f, ",");
        return DEW_OK;
    }
    dew_measurer_select(t->measurer, &p->def->of);
    for (int q = 0; q < p->def->quantity_count; q++) {
        double values[DEW_MOST_COLUMNS];
        RESULT_TRY(dew_measure(t->measurer, frame, p->def->quantities[q], values));
        int columns = dew_quantity_columns(p->def->quantities[q], NULL);
        for (int c = 0; c < columns; c++) fprintf(f, ","), number_print(f, values[c], 6);
    }
    return DEW_OK;
}

static dew_result print_row(FILE *f, dew_probe_table *t, const dew_frame *frame, bool *has_row)
{
    *has_row = false;
    for (int k = 0; k < t->count; k++)
        if ((t->probes[k].is_due = is_due(&t->probes[k], frame))) *has_row = true;
    if (!*has_row) return DEW_OK;
    number_print(f, frame->time, 6);
    for (int k = 0; k < t->count; k++) RESULT_TRY(print_probe(f, t, &t->probes[k], frame));
    fprintf(f, "\n");
    return DEW_OK;
}

/* The row is put together in memory and written at once, so that what is measured in vain leaves no half row. */
dew_result dew_probe_table_update(dew_probe_table *t, const dew_frame *frame)
{
    char *text = NULL;
    size_t size = 0;
    bool has_row;
    FILE *f = open_memstream(&text, &size);
    if (!f) return result_fail(DEW_NO_MEMORY, "no memory for a row of %s", t->path);
    dew_result result = print_row(f, t, frame, &has_row);
    if (fclose(f) != 0 && result == DEW_OK) result = result_fail(DEW_NO_MEMORY, "no memory for a row of %s", t->path);
    if (result == DEW_OK && has_row && (fwrite(text, 1, size, t->stream) != size || fflush(t->stream) != 0))
        result = io_failure("write", t->path, errno);
    free(text);
    return result;
}

dew_result dew_probe_table_sync(dew_probe_table *t)
{
    bool is_whole = fflush(t->stream) == 0 && (fsync(fileno(t->stream)) == 0 || errno == EINVAL);
    return is_whole ? DEW_OK : io_failure("write", t->path, errno);
}

dew_result dew_probe_table_close(dew_probe_table *t)
{
    if (!t) return DEW_OK;
    dew_result result = dew_probe_table_sync(t);
    if (fclose(t->stream) != 0 && result == DEW_OK) result = io_failure("write", t->path, errno);
    t->stream = NULL;
    table_free(t);
    return result;
}
