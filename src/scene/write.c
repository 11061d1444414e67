/* Definitions back to YAML, by the same tables as for reading. */
#include "base/number.h"
#include "base/words.h"
#include "definition/changes.h"
#include "scene/reader.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static void write_text(writer *w, const char *text)
{
    bool is_word = isalpha((unsigned char)*text);
    for (const char *p = text; *p; p++) is_word &= isalnum((unsigned char)*p) || *p == '_' || *p == '-';
    if (is_word && strcmp(text, "true") != 0 && strcmp(text, "false") != 0 && strcmp(text, "null") != 0) {
        fputs(text, w->out);
        return;
    }
    fputc('"', w->out);
    static const char special[] = "\"\\\n\t\r", letters[] = "\"\\ntr";
    for (const char *p = text, *at; *p; p++) {
        at = strchr(special, *p);
        fprintf(w->out, at ? "\\%c" : "%c", at ? letters[at - special] : *p);
    }
    fputc('"', w->out);
}

/* A number with its unit where it needs one, or the expression in its place. */
static void write_component(writer *w, const dew_property *p, double value, const dew_function *function)
{
    const char *text = function && function->evaluate ? expression_text(*function) : NULL;
    if (text)
        write_text(w, text);
    else if (p->words && value == INFINITY)
        fputs(p->words, w->out);
    else
        number_print(w->out, value, 15);
    if (!text && p->flags & DEW_PROPERTY_NEEDS_UNIT && value != 0) fprintf(w->out, " %s", p->unit);
}

static void write_texts(writer *w, const char *const *texts, int count)
{
    fputc('[', w->out);
    for (int i = 0; i < count; i++) {
        if (i) fputs(", ", w->out);
        write_text(w, texts[i]);
    }
    fputc(']', w->out);
}

static void write_value(writer *w, const dew_property *p, const void *object);

/* A structure in brackets of its own, on the same line. */
static void write_flow(writer *w, const dew_property_table *table, const void *object)
{
    writer inner = *w;
    inner.is_flow = true;
    fputc(table->is_row ? '[' : '{', w->out);
    for (int k = 0; table->is_row && k < table->count; k++) {
        const dew_property *p = &table->properties[k];
        if (p->type == DEW_PROPERTY_SOLID && *(const int *)((const char *)object + p->offset) < 0)
            break; /* the world */
        if (k) fputs(", ", w->out);
        write_value(&inner, &table->properties[k], object);
    }
    if (!table->is_row) write_entries(&inner, table, object, true);
    fputc(table->is_row ? ']' : '}', w->out);
}

static bool is_on_one_line(const writer *w, const dew_property_table *table)
{
    return w->is_flow || table->is_flow || table->is_row;
}

static void write_record(writer *w, const dew_property_table *table, const void *object)
{
    if (is_on_one_line(w, table)) {
        write_flow(w, table, object);
        return;
    }
    writer inner = *w;
    inner.indent = w->indent + 2;
    fprintf(w->out, "\n%*s", inner.indent, "");
    write_entries(&inner, table, object, true);
}

/* The key of an entry of a map, which is the structure's first property. */
static void write_key_of(writer *w, const dew_property_table *table, const void *item)
{
    write_value(w, &table->properties[0], item);
    fputs(": ", w->out);
}

static void write_list(writer *w, const dew_property *p, const void *object)
{
    int count;
    const char *item = property_items(p, object, &count);
    bool is_keyed = p->flags & DEW_PROPERTY_KEYED, is_flow = w->is_flow || p->table->is_row;
    if (is_flow) fputc(is_keyed ? '{' : '[', w->out);
    for (int i = 0; i < count; i++, item += p->table->size) {
        writer inner = *w;
        inner.indent = w->indent + 4;
        if (is_flow)
            fputs(i ? ", " : "", w->out);
        else
            fprintf(w->out, "%s%*s%s", i && !is_keyed ? "" : "\n", w->indent + 2, "", is_keyed ? "" : "- ");
        if (is_keyed) write_key_of(w, p->table, item);
        if (p->table->is_value)
            write_value(w, &p->table->properties[1], item);
        else if (is_flow || is_keyed)
            write_flow(w, p->table, item);
        else
            write_entries(&inner, p->table, item, true);
    }
    if (is_flow) fputc(is_keyed ? '}' : ']', w->out);
}

/* As what its path leads to. */
static void write_setting(writer *w, const dew_setting_def *setting)
{
    world_property what;
    int index;
    change_fault fault;
    if (!change_find(&w->scene->def, setting->path, &what, &index, &fault)) return;
    if (setting->has_hysteresis) {
        write_flow(w, &hysteresis_table, &setting->hysteresis);
        return;
    }
    dew_property p = *world_number_of(what).property;
    p.offset = offsetof(dew_setting_def, value), p.variables = NULL;
    write_value(w, &p, setting);
}

static void write_value(writer *w, const dew_property *p, const void *object)
{
    const void *from = (const char *)object + p->offset;
    const dew_function *functions = property_functions(p, object);
    bool is_function_only = p->flags & DEW_PROPERTY_FUNCTION_ONLY;
    int count;
    const char *word;
    switch (p->type) {
    case DEW_PROPERTY_NUMBER:
        write_component(w, p, is_function_only ? 0 : *(const double *)from, functions);
        break;
    case DEW_PROPERTY_INTEGER:
        fprintf(w->out, "%d", *(const int *)from);
        break;
    case DEW_PROPERTY_FLAG:
        fputs(*(const bool *)from ? "true" : "false", w->out);
        break;
    case DEW_PROPERTY_TEXT:
    case DEW_PROPERTY_NAME:
    case DEW_PROPERTY_METHOD:
        write_text(w, *(const char *const *)from);
        break;
    case DEW_PROPERTY_MESH:
        word = ((const dew_shape_def *)object)->mesh.name;
        write_text(w, word ? word : "");
        break;
    case DEW_PROPERTY_WORD:
        word = words_at(p->words, *(const int *)from, &count);
        fprintf(w->out, "%.*s", count, word);
        break;
    case DEW_PROPERTY_MATERIAL:
        write_text(w, w->scene->def.materials[*(const int *)from].name);
        break;
    case DEW_PROPERTY_SOLID:
        write_text(w, w->scene->def.solids[*(const int *)from].name);
        break;
    case DEW_PROPERTY_SETTING:
        write_setting(w, object);
        break;
    case DEW_PROPERTY_VECTOR:
        for (int axis = 0; axis < 3; axis++) {
            fputs(axis ? ", " : "[", w->out);
            write_component(w, p, is_function_only ? 0 : ((const double *)from)[axis],
                            functions ? &functions[axis] : NULL);
        }
        fputc(']', w->out);
        break;
    case DEW_PROPERTY_TEXTS:
        write_texts(w, *(const char *const *const *)from, *(const int *)((const char *)object + p->count_offset));
        break;
    case DEW_PROPERTY_RECORD:
        write_record(w, p->table, property_items(p, object, &count));
        break;
    case DEW_PROPERTY_LIST:
        write_list(w, p, object);
        break;
    }
}

/* Absent texts, empty lists and numbers that are none are left out; and the factor of a mesh, which is in the shape's.
 */
static bool is_written(const dew_property_table *table, const dew_property *p, const void *object)
{
    bool is_elsewhere = p->flags & DEW_PROPERTY_IS_KEY || (p->flags & DEW_PROPERTY_FACTOR && !table->is_union);
    if (is_elsewhere || !property_counts(table, p, object)) return false;
    bool is_given = property_is_given(p, object);
    if (p->flags & (DEW_PROPERTY_SPARSE | DEW_PROPERTY_FUNCTION_ONLY)) return is_given;
    if (p->type == DEW_PROPERTY_NUMBER)
        return isfinite(*(const double *)((const char *)object + p->offset)) || is_given;
    bool may_lack = p->type == DEW_PROPERTY_TEXT || p->type == DEW_PROPERTY_NAME || p->type == DEW_PROPERTY_LIST;
    return is_given || !may_lack;
}

void write_entry(writer *w, const dew_property *p, const void *object, bool is_first)
{
    bool is_list = p->type == DEW_PROPERTY_LIST && !w->is_flow && !p->table->is_row;
    bool is_block = is_list || (p->type == DEW_PROPERTY_RECORD && !is_on_one_line(w, p->table));
    if (w->is_flow)
        fputs(is_first ? "" : ", ", w->out);
    else if (!is_first)
        fprintf(w->out, "%*s", w->indent, "");
    p = property_in_use(p, object);
    fprintf(w->out, "%s:%s", p->key, is_block ? "" : " ");
    write_value(w, p, object);
    bool has_ended = is_block && !(is_list && p->flags & DEW_PROPERTY_KEYED);
    if (!w->is_flow && !has_ended) fputc('\n', w->out);
}

void write_entries(writer *w, const dew_property_table *table, const void *object, bool is_first)
{
    for (int k = 0; k < table->count; k++) {
        const dew_property *p = &table->properties[k];
        if (!is_written(table, p, object)) continue;
        write_entry(w, p, object, is_first);
        is_first = false;
    }
}
