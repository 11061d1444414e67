#include "io/collection.h"
#include "io/atomic.h"
#include "io/xml.h"

#include <stdlib.h>
#include <string.h>

dew_result collection_add(collection *c, double time, int part, const char *file)
{
    if (c->count == c->capacity) {
        int capacity = c->capacity ? 2 * c->capacity : 64;
        collection_entry *entries = realloc(c->entries, (size_t)capacity * sizeof *entries);
        if (!entries) return result_fail(DEW_NO_MEMORY, "no memory to list %d frames", capacity);
        c->entries = entries, c->capacity = capacity;
    }
    collection_entry *e = &c->entries[c->count++];
    *e = (collection_entry){.time = time, .part = part};
    snprintf(e->file, sizeof e->file, "%s", file);
    return DEW_OK;
}

static dew_result read_entries(const char *path, const char *text, size_t size, collection *c)
{
    xml_tag tag;
    bool is_whole = false;
    for (size_t at = 0; xml_next(text, size, &at, &tag);) {
        if (strcmp(tag.name, "VTKFile") == 0) is_whole = tag.is_closing;
        if (strcmp(tag.name, "DataSet") != 0) continue;
        collection_entry e;
        long long part = 0;
        if (!xml_number(&tag, "timestep", &e.time) || !xml_attribute(&tag, "file", e.file, sizeof e.file))
            return result_fail(DEW_INVALID, "%s is not a whole collection of dew's: an entry lacks its time or file",
                               path);
        xml_integer(&tag, "part", &part);
        RESULT_TRY(collection_add(c, e.time, (int)part, e.file));
    }
    return is_whole ? DEW_OK : result_fail(DEW_INVALID, "%s is not a whole collection of dew's: it has no end", path);
}

dew_result collection_read(const char *path, collection *c)
{
    char *text;
    size_t size;
    RESULT_TRY(io_read_file(path, &text, &size));
    dew_result result = read_entries(path, text, size, c);
    free(text);
    return result;
}

dew_result collection_write(const char *path, const collection *c)
{
    atomic_file file;
    RESULT_TRY(atomic_open(&file, path));
    atomic_print(&file, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
                        "byte_order=\"LittleEndian\">\n<Collection>\n");
    for (int k = 0; k < c->count; k++)
        atomic_print(&file, "<DataSet timestep=\"%.17g\" part=\"%d\" file=\"%s\"/>\n", c->entries[k].time,
                     c->entries[k].part, c->entries[k].file);
    atomic_print(&file, "</Collection>\n</VTKFile>\n");
    return atomic_commit(&file);
}

void collection_free(collection *c)
{
    free(c->entries);
    *c = (collection){0};
}
