#include "scene/complaints.h"

#include "base/words.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SOURCES = 256, MAX_SHOWN = 100, LINE_SHOWN = 110 };

typedef struct complaint {
    place at;
    int order;
    const char *text, *hint;
} complaint;

struct complaints {
    arena *memory;
    int source_count, count, capacity;
    const char *label[MAX_SOURCES], *text[MAX_SOURCES];
    complaint *all;
};

complaints *complaints_create(arena *memory)
{
    complaints *c = arena_zeroed(memory, sizeof *c);
    if (c) c->memory = memory;
    return c;
}

int complaints_add_source(complaints *c, const char *label, const char *text)
{
    if (c->source_count == MAX_SOURCES) return MAX_SOURCES - 1;
    c->label[c->source_count] = text_copy(c->memory, label, strlen(label));
    c->text[c->source_count] = text;
    return c->source_count++;
}

complaints *complaints_about_same(const complaints *c)
{
    complaints *other = complaints_create(c->memory);
    if (!other) return NULL;
    *other = *c;
    other->count = other->capacity = 0, other->all = NULL;
    return other;
}

void complaints_set_text(complaints *c, int source, const char *text) { c->text[source] = text; }

int complaints_count(const complaints *c) { return c->count; }
arena *complaints_memory(const complaints *c) { return c->memory; }

static const char *format_in(arena *memory, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = length >= 0 ? arena_alloc(memory, (size_t)length + 1) : NULL;
    if (!text) return "";
    vsnprintf(text, (size_t)length + 1, format, arguments);
    return text;
}

const char *text_format(arena *memory, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = format_in(memory, format, arguments);
    va_end(arguments);
    return text;
}

const char *text_copy(arena *memory, const char *text, size_t length)
{
    char *copy = arena_alloc(memory, length + 1);
    if (!copy) return "";
    memcpy(copy, text, length);
    copy[length] = 0;
    return copy;
}

void complain(complaints *c, place at, const char *hint, const char *format, ...)
{
    if (c->count == c->capacity) {
        int capacity = c->capacity ? 2 * c->capacity : 16;
        complaint *all = arena_alloc(c->memory, (size_t)capacity * sizeof *all);
        if (!all) return;
        if (c->count) memcpy(all, c->all, (size_t)c->count * sizeof *all);
        c->all = all, c->capacity = capacity;
    }
    va_list arguments;
    va_start(arguments, format);
    c->all[c->count] = (complaint){at, c->count, format_in(c->memory, format, arguments), hint};
    c->count++;
    va_end(arguments);
}

static int by_place(const void *left, const void *right)
{
    const complaint *a = left, *b = right;
    if (a->at.source != b->at.source) return a->at.source < b->at.source ? -1 : 1;
    if (a->at.line != b->at.line) return a->at.line < b->at.line ? -1 : 1;
    if (a->at.column != b->at.column) return a->at.column < b->at.column ? -1 : 1;
    return a->order - b->order;
}

static const char *find_line(const char *text, int line, size_t *length)
{
    for (int k = 1; k < line && text; k++) {
        text = strchr(text, '\n');
        if (text) text++;
    }
    if (!text) text = "";
    *length = strcspn(text, "\r\n");
    return text;
}

static const char *next_character(const char *at)
{
    at++;
    while (((unsigned char)*at & 0xc0) == 0x80) at++;
    return at;
}

/* The source line with a mark under the place. Of a long line only the part around the place is shown. */
static void show_line(FILE *out, const char *text, place at)
{
    size_t length;
    const char *line = find_line(text, at.line, &length), *end = line + length;
    int first = at.column > LINE_SHOWN - 20 ? at.column - 40 : 1, column = 1;
    while (column < first && line < end) line = next_character(line), column++;
    const char *lead = first > 1 ? "..." : "";
    fprintf(out, "%5d | %s", at.line, lead);
    const char *stop = line;
    for (int shown = 0; stop < end && shown < LINE_SHOWN; shown++) stop = next_character(stop);
    for (const char *p = line; p < stop; p++) fputc((unsigned char)*p < ' ' && *p != '\t' ? '?' : *p, out);
    fprintf(out, "%s\n      | %*s", stop < end ? "..." : "", (int)strlen(lead), "");
    for (; column < at.column && line < end; line = next_character(line), column++)
        fputc(*line == '\t' ? '\t' : ' ', out);
    fputc('^', out);
    if (line < end) line = next_character(line);
    for (int k = 1; k < at.length && line < stop; k++, line = next_character(line)) fputc('~', out);
    fputc('\n', out);
}

char *complaints_text(const complaints *c)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return NULL;
    if (c->count) qsort(c->all, (size_t)c->count, sizeof *c->all, by_place);
    for (int k = 0; k < c->count && k < MAX_SHOWN; k++) {
        const complaint *m = &c->all[k], *last = k > 0 ? m - 1 : NULL;
        bool is_here = last && m->at.source == last->at.source && m->at.line == last->at.line;
        if (is_here && m->at.column == last->at.column && strcmp(last->text, m->text) == 0) continue;
        const char *source = c->text[m->at.source];
        fprintf(out, "%s:", c->label[m->at.source]);
        if (source && m->at.line > 0) fprintf(out, "%d:%d:", m->at.line, m->at.column);
        fprintf(out, " error: %s\n", m->text);
        if (source && m->at.line > 0) show_line(out, source, m->at);
        if (m->hint) fprintf(out, "      = %s\n", m->hint);
    }
    if (c->count > MAX_SHOWN) fprintf(out, "... and %d more\n", c->count - MAX_SHOWN);
    fclose(out);
    return text;
}

const char *suggest(arena *memory, const char *word, const char *what, const char *const *words, int count)
{
    const char *nearest = nearest_word(word, words, count);
    if (nearest) return text_format(memory, "did you mean '%s'?", nearest);
    if (!count) return NULL;
    const char *list = words[0];
    for (int k = 1; k < count; k++) list = text_format(memory, "%s, %s", list, words[k]);
    return text_format(memory, "known %s: %s", what, list);
}
