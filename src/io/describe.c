/* What a file holds, for people. */
#include "dew/frames.h"
#include "io/atomic.h"
#include "io/checkpoint.h"
#include "io/collection.h"
#include "io/vtp.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct summary {
    double least, most, sum;
    int64_t count;
} summary;

static void summary_add(summary *s, double value)
{
    if (!isfinite(value)) return;
    if (s->count == 0 || value < s->least) s->least = value;
    if (s->count == 0 || value > s->most) s->most = value;
    s->sum += value, s->count++;
}

static void print_summary(FILE *out, const char *label, const summary *s)
{
    if (s->count == 0)
        fprintf(out, "  %-34s  no values\n", label);
    else
        fprintf(out, "  %-34s  %12.5g %12.5g %12.5g\n", label, s->least, s->sum / (double)s->count, s->most);
}

static void print_table_head(FILE *out, const char *what)
{
    fprintf(out, "  %-34s  %12s %12s %12s\n", what, "least", "mean", "most");
}

/* --- frames --- */

static dew_result describe_array(FILE *out, const vtp_file *f, const char *path, int index)
{
    const vtp_array *a = &f->arrays[index];
    void *data;
    RESULT_TRY(vtp_load(f, path, index, &data));
    for (int c = 0; c < a->components; c++) {
        static const char *const axes[] = {"x", "y", "z"};
        char label[160];
        summary s = {0};
        for (int64_t i = 0; i < a->tuples; i++) summary_add(&s, number_at(a->type, data, i * a->components + c));
        const char *name = a->section == VTP_POINTS ? "position" : a->name;
        const char *unit = a->section == VTP_POINTS ? "m" : a->unit;
        snprintf(label, sizeof label, "%s%s%s%s%s%s", name, a->components > 1 ? "." : "",
                 a->components > 3   ? ""
                 : a->components > 1 ? axes[c]
                                     : "",
                 unit[0] ? " [" : "", unit, unit[0] ? "]" : "");
        print_summary(out, label, &s);
    }
    free(data);
    return DEW_OK;
}

static dew_result describe_frame(FILE *out, const char *path)
{
    vtp_file f;
    RESULT_TRY(vtp_read(path, &f));
    fprintf(out, "%s: a frame (VTK PolyData)\n", path);
    if (isfinite(f.time)) fprintf(out, "  time       %.9g s\n", f.time);
    fprintf(out, f.polys > 0 ? "  vertices   %lld\n" : "  particles  %lld\n", (long long)f.points);
    if (f.polys > 0) fprintf(out, "  triangles  %lld\n", (long long)f.polys);
    print_table_head(out, "field");
    dew_result result = DEW_OK;
    for (int k = 0; k < f.count && result == DEW_OK; k++)
        if (f.arrays[k].section == VTP_POINTS || f.arrays[k].section == VTP_POINT_DATA)
            result = describe_array(out, &f, path, k);
    vtp_close(&f);
    return result;
}

/* --- collections --- */

static dew_result describe_collection(FILE *out, const char *path)
{
    collection c = {0};
    dew_result result = collection_read(path, &c);
    if (result == DEW_OK) {
        int times = 0;
        for (int k = 0; k < c.count; k++) times += k == 0 || c.entries[k].time != c.entries[k - 1].time;
        fprintf(out, "%s: a list of frames (PVD, opens in ParaView)\n  files      %d\n  times      %d\n", path, c.count,
                times);
        if (c.count > 0)
            fprintf(out, "  first      %.9g s  %s\n  last       %.9g s  %s\n", c.entries[0].time, c.entries[0].file,
                    c.entries[c.count - 1].time, c.entries[c.count - 1].file);
    }
    collection_free(&c);
    return result;
}

/* --- checkpoints --- */

static dew_result describe_checkpoint(FILE *out, const char *path)
{
    checkpoint c;
    RESULT_TRY(checkpoint_load(path, &c));
    fprintf(out, "%s: a checkpoint (HDF5) of dew %s\n  method     %s\n  time       %.9g s\n  frame      %d\n", path,
            c.dew_version, c.method, c.time, (int)c.frame);
    fprintf(out, "  steps      %lld\n  particles  %d\n  spacing    %.6g m\n", (long long)c.steps, (int)c.particles,
            c.spacing);
    print_table_head(out, "item");
    for (int k = 0; k < c.count; k++) {
        const dew_snapshot_item *item = &c.items[k];
        char label[160];
        snprintf(label, sizeof label, "%s (%s x %lld)", item->name, number_names[item->type], (long long)item->count);
        summary s = {0};
        for (int64_t i = 0; i < item->count; i++) summary_add(&s, number_at(item->type, item->data, i));
        print_summary(out, label, &s);
    }
    checkpoint_free(&c);
    return DEW_OK;
}

/* --- tables --- */

enum { MOST_COLUMNS = 256 };

/* Splits a line at commas, in place; returns how many fields. */
static int split(char *line, char **fields)
{
    int count = 0;
    while (line && count < MOST_COLUMNS) fields[count++] = strsep(&line, ",");
    return count;
}

static dew_result describe_table(FILE *out, const char *path)
{
    char *text, *names[MOST_COLUMNS], *fields[MOST_COLUMNS];
    size_t size;
    RESULT_TRY(io_read_file(path, &text, &size));
    if (strncmp(text, "time", 4) != 0 || !strchr(text, '\n')) {
        free(text);
        return result_fail(DEW_INVALID, "%s is not a table of dew's probes: its first column is not the time", path);
    }
    summary summaries[MOST_COLUMNS] = {0};
    int columns = 0, rows = 0;
    char *end;
    for (char *line = text; (end = strchr(line, '\n')); line = end + 1) {
        *end = 0;
        if (line == text) {
            columns = split(line, names);
            continue;
        }
        int count = split(line, fields);
        for (int c = 0; c < count && c < columns; c++) {
            char *number_end;
            double value = strtod(fields[c], &number_end);
            if (number_end != fields[c]) summary_add(&summaries[c], value);
        }
        rows++;
    }
    fprintf(out, "%s: a table of probes (CSV)\n  rows       %d\n", path, rows);
    print_table_head(out, "column");
    for (int c = 0; c < columns; c++) print_summary(out, names[c], &summaries[c]);
    free(text);
    return DEW_OK;
}

/* --- which of them --- */

typedef dew_result describe_fcn(FILE *out, const char *path);

static describe_fcn *by_ending(const char *path)
{
    static const struct {
        const char *ending;
        describe_fcn *describe;
    } kinds[] = {{".vtp", describe_frame},
                 {".pvd", describe_collection},
                 {".h5", describe_checkpoint},
                 {".csv", describe_table}};
    const char *dot = strrchr(path, '.');
    for (size_t k = 0; dot && k < sizeof kinds / sizeof *kinds; k++)
        if (strcasecmp(dot, kinds[k].ending) == 0) return kinds[k].describe;
    return NULL;
}

/* What the first bytes tell of a file whose name says nothing. */
static const struct content {
    const char *mark;
    size_t at, length;
    describe_fcn *describe; /* NULL: `what` says what it is and who knows more */
    const char *what;
} contents[] = {
    {"\x89HDF\r\n", 0, 6, describe_checkpoint, NULL},
    {"type=\"PolyData\"", SIZE_MAX, 15, describe_frame, NULL},
    {"type=\"Collection\"", SIZE_MAX, 17, describe_collection, NULL},
    {"time", 0, 4, describe_table, NULL},
    {"\x89PNG\r\n", 0, 6, NULL, "it is a picture (PNG)"},
    {"ftyp", 4, 4, NULL, "it is a video (MP4)"},
    {"ply\n", 0, 4, NULL, "it is a mesh (PLY); a scene's shape names it: {mesh: {file: ...}}"},
    {"solid", 0, 5, NULL, "it is a mesh (STL); a scene's shape names it: {mesh: {file: ...}}"},
    {"\nv ", SIZE_MAX, 3, NULL, "it is a mesh (OBJ); a scene's shape names it: {mesh: {file: ...}}"},
    {"\nmaterials:", SIZE_MAX, 11, NULL, "it is a scene; `dew check` says what it holds"},
    {"<VTKFile", SIZE_MAX, 8, NULL, "it is a VTK file of a kind that dew does not write"},
};

static const char *unknown_content(const char *head, size_t size)
{
    if (size == 0) return "it is empty";
    for (size_t k = 0; k < size; k++)
        if ((unsigned char)head[k] < ' ' && !strchr("\t\r\n\f", head[k] ? head[k] : 1))
            return "it holds bytes that dew does not know";
    return "it is a text that dew does not know";
}

static describe_fcn *by_content(const char *head, size_t size, const char **what)
{
    *what = unknown_content(head, size);
    for (size_t k = 0; k < sizeof contents / sizeof *contents; k++) {
        const struct content *c = &contents[k];
        bool is_it = c->at == SIZE_MAX ? memmem(head, size, c->mark, c->length) != NULL
                                       : size >= c->at + c->length && !memcmp(head + c->at, c->mark, c->length);
        if (!is_it) continue;
        *what = c->what;
        return c->describe;
    }
    return NULL;
}

static dew_result find_describer(const char *path, describe_fcn **describe)
{
    *describe = by_ending(path);
    if (*describe) return DEW_OK;
    char head[4096];
    FILE *in = fopen(path, "rb");
    if (!in) return io_failure("read", path, errno);
    size_t size = fread(head, 1, sizeof head, in);
    int error = ferror(in) ? errno : 0;
    fclose(in);
    if (error && error != EISDIR) return io_failure("read", path, error);
    const char *what = "it is a folder";
    if (!error) *describe = by_content(head, size, &what);
    if (*describe) return DEW_OK;
    return result_fail(
        DEW_INVALID,
        "%s: %s\n  described are checkpoints (.h5), frames (.vtp), series (.pvd), tables of probes (.csv) "
        "and the folder of a run",
        path, what);
}

dew_result dew_file_describe(const char *path, char **text)
{
    size_t size = 0;
    describe_fcn *describe;
    *text = NULL;
    RESULT_TRY(find_describer(path, &describe));
    FILE *out = open_memstream(text, &size);
    if (!out) return result_fail(DEW_NO_MEMORY, "no memory to describe %s", path);
    dew_result result = describe(out, path);
    if (fclose(out) != 0 && result == DEW_OK) result = result_fail(DEW_NO_MEMORY, "no memory to describe %s", path);
    if (result != DEW_OK) free(*text), *text = NULL;
    return result;
}
