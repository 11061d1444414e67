/* Definitions back to YAML, by the same tables as for reading. */
#include "scene/keys.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void keys_write_number(writer *w, double value)
{
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    fputs(text, w->out);
}

static void write_three(writer *w, const double c[3])
{
    for (int axis = 0; axis < 3; axis++) {
        fputs(axis ? ", " : "[", w->out);
        keys_write_number(w, c[axis]);
    }
    fputc(']', w->out);
}

void keys_write_vector(writer *w, dew_vec3 v) { write_three(w, (double[3]){v.x, v.y, v.z}); }

void keys_write_text(writer *w, const char *text)
{
    bool is_word = isalpha((unsigned char)*text);
    for (const char *p = text; *p; p++) is_word &= isalnum((unsigned char)*p) || *p == '_' || *p == '-';
    if (is_word && strcmp(text, "true") != 0 && strcmp(text, "false") != 0 && strcmp(text, "null") != 0) {
        fputs(text, w->out);
        return;
    }
    fputc('"', w->out);
    for (const char *p = text; *p; p++) {
        if (*p == '"' || *p == '\\')
            fprintf(w->out, "\\%c", *p);
        else if (*p == '\n')
            fputs("\\n", w->out);
        else if (*p == '\t')
            fputs("\\t", w->out);
        else if (*p == '\r')
            fputs("\\r", w->out);
        else
            fputc(*p, w->out);
    }
    fputc('"', w->out);
}

void keys_write_number_or_function(writer *w, double value, dew_function function)
{
    const char *text = function.evaluate ? expression_text(function) : NULL;
    if (text)
        keys_write_text(w, text);
    else
        keys_write_number(w, value);
}

void keys_write_vector_or_functions(writer *w, dew_vec3 value, const dew_function functions[3])
{
    double c[3] = {value.x, value.y, value.z};
    for (int axis = 0; axis < 3; axis++) {
        fputs(axis ? ", " : "[", w->out);
        keys_write_number_or_function(w, c[axis], functions[axis]);
    }
    fputc(']', w->out);
}

void keys_write_key(writer *w, const char *name, const char *after, bool is_first)
{
    if (w->is_flow)
        fputs(is_first ? "" : ", ", w->out);
    else if (!is_first)
        fprintf(w->out, "%*s", w->indent, "");
    keys_write_text(w, name);
    fputs(after, w->out);
}

static void write_word(writer *w, const char *words, int index)
{
    for (; index > 0; index--) words += strcspn(words, "|") + 1;
    fprintf(w->out, "%.*s", (int)strcspn(words, "|"), words);
}

static void write_nested(writer *w, const key_table *table, const void *object)
{
    writer inner = *w;
    if (w->is_flow || table->is_flow) {
        inner.is_flow = true;
        fputc('{', w->out);
        keys_write_map(&inner, table, object);
        fputc('}', w->out);
        return;
    }
    inner.indent = w->indent + 2;
    fprintf(w->out, "\n%*s", inner.indent, "");
    keys_write_map(&inner, table, object);
}

static void write_list(writer *w, const key *k, const void *object)
{
    const char *item = *(const char *const *)((const char *)object + k->offset);
    int count = *(const int *)((const char *)object + k->count_offset);
    if (w->is_flow) {
        fputc('[', w->out);
        for (int i = 0; i < count; i++, item += k->item_size) {
            if (i) fputs(", ", w->out);
            write_nested(w, k->table, item);
        }
        fputc(']', w->out);
        return;
    }
    fputc('\n', w->out);
    for (int i = 0; i < count; i++, item += k->item_size) {
        fprintf(w->out, "%*s- ", w->indent + 2, "");
        writer inner = *w;
        inner.indent = w->indent + 4;
        keys_write_map(&inner, k->table, item);
    }
}

static void write_value(writer *w, const key *k, const void *object)
{
    const void *from = (const char *)object + k->offset;
    switch (k->type) {
    case KEY_NUMBER:
        keys_write_number(w, *(const double *)from);
        if (k->flags & KEY_NEEDS_UNIT) fprintf(w->out, " %s", k->unit);
        break;
    case KEY_INTEGER:
        fprintf(w->out, "%d", *(const int *)from);
        break;
    case KEY_FLAG:
        fputs(*(const bool *)from ? "true" : "false", w->out);
        break;
    case KEY_TEXT:
        keys_write_text(w, *(const char *const *)from);
        break;
    case KEY_WORD:
        write_word(w, k->words, *(const int *)from);
        break;
    case KEY_VECTOR:
        keys_write_vector(w, *(const dew_vec3 *)from);
        break;
    case KEY_MAP:
        write_nested(w, k->table, from);
        break;
    case KEY_LIST:
        write_list(w, k, object);
        break;
    case KEY_CUSTOM:
        k->write(w, k, object);
        break;
    }
}

/* Whether there is something to write: absent texts, empty lists and infinite times are left out. */
static bool is_written(const key *k, const void *object)
{
    const void *from = (const char *)object + k->offset;
    if (k->is_written && !k->is_written(object)) return false;
    if (k->type == KEY_TEXT) return *(const char *const *)from != NULL;
    if (k->type == KEY_NUMBER) return isfinite(*(const double *)from);
    if (k->type == KEY_LIST) return *(const int *)((const char *)object + k->count_offset) > 0;
    return true;
}

void keys_write_map(writer *w, const key_table *table, const void *object)
{
    bool is_first = true;
    for (int i = 0; i < table->count; i++) {
        const key *k = &table->keys[i];
        if (!is_written(k, object)) continue;
        bool has_newline = k->type == KEY_LIST || (k->type == KEY_MAP && !k->table->is_flow);
        keys_write_key(w, k->name, !w->is_flow && (has_newline || k->flags & KEY_BLOCK) ? ":" : ": ", is_first);
        write_value(w, k, object);
        is_first = false;
        if (!w->is_flow && !has_newline) fputc('\n', w->out);
    }
}
