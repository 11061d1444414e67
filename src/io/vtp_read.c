#include "base/words.h"
#include "io/atomic.h"
#include "io/vtp.h"
#include "io/xml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static dew_result broken(const char *path, const char *what)
{
    return result_fail(DEW_INVALID, "%s is not a whole frame of dew's: %s", path, what);
}

static dew_result read_array(vtp_file *f, const char *path, const xml_tag *tag, int section)
{
    char type[16];
    long long offset = -1, components = 1, tuples = 0;
    vtp_array *a = &f->arrays[f->count];
    if (section < 0) return broken(path, "an array lies outside of any part that dew knows");
    if (f->count == VTP_MOST_ARRAYS) return broken(path, "it has too many arrays");
    *a = (vtp_array){.section = (vtp_section)section};
    int kind = xml_attribute(tag, "type", type, sizeof type) ? word_index(vtp_type_names, NUMBER_TYPES, type) : -1;
    if (kind < 0 || !xml_attribute(tag, "Name", a->name, sizeof a->name) || !xml_integer(tag, "offset", &offset) ||
        offset < 0)
        return broken(path, "the head of an array is damaged");
    xml_integer(tag, "NumberOfComponents", &components);
    if (section == VTP_FIELD_DATA) xml_integer(tag, "NumberOfTuples", &tuples);
    if (section == VTP_POINT_DATA || section == VTP_POINTS) tuples = f->points;
    if (section == VTP_VERTS) tuples = f->verts;
    if (section == VTP_POLYS) tuples = strcmp(a->name, "connectivity") == 0 ? 3 * f->polys : f->polys;
    if (components < 1 || components > 16 || tuples < 0) return broken(path, "an array's size is damaged");
    a->type = (dew_item_type)kind, a->components = (int)components, a->tuples = tuples, a->offset = (uint64_t)offset;
    f->count++;
    return DEW_OK;
}

static dew_result read_head(vtp_file *f, const char *path)
{
    const char *data = memmem(f->bytes, f->size, "<AppendedData", 13);
    const char *mark = data ? memchr(data, '_', f->size - (size_t)(data - f->bytes)) : NULL;
    const char *tail = "</AppendedData>\n</VTKFile>\n";
    if (!mark || !memmem(f->bytes, (size_t)(data - f->bytes), "vtkZLibDataCompressor", 21) ||
        !memmem(f->bytes, (size_t)(data - f->bytes), "header_type=\"UInt64\"", 20))
        return broken(path, "its head is not that of a VTP file as dew writes it");
    if (f->size < strlen(tail) || memcmp(f->bytes + f->size - strlen(tail), tail, strlen(tail)) != 0)
        return broken(path, "it ends early");
    f->data_begin = (size_t)(mark + 1 - f->bytes);
    xml_tag tag;
    int section = -1;
    for (size_t at = 0; xml_next(f->bytes, (size_t)(data - f->bytes), &at, &tag);) {
        long long n[3] = {0};
        int named = word_index(vtp_section_names, VTP_SECTIONS, tag.name);
        if (named >= 0) {
            section = tag.is_closing ? -1 : named;
        } else if (strcmp(tag.name, "Piece") == 0 && !tag.is_closing) {
            if (!xml_integer(&tag, "NumberOfPoints", &n[0]) || !xml_integer(&tag, "NumberOfVerts", &n[1]) ||
                !xml_integer(&tag, "NumberOfPolys", &n[2]) || n[0] < 0 || n[1] < 0 || n[2] < 0 || n[0] > 1LL << 40 ||
                n[1] > 1LL << 40 || n[2] > 1LL << 40)
                return broken(path, "its numbers of points are damaged");
            f->points = n[0], f->verts = n[1], f->polys = n[2];
        } else if (strcmp(tag.name, "DataArray") == 0 && !tag.is_closing) {
            RESULT_TRY(read_array(f, path, &tag, section));
        } else if (strcmp(tag.name, "InformationKey") == 0 && !tag.is_closing && f->count > 0) {
            const char *unit = f->bytes + at, *end = memchr(unit, '<', f->size - at);
            vtp_array *a = &f->arrays[f->count - 1];
            if (end && (size_t)(end - unit) < sizeof a->unit) memcpy(a->unit, unit, (size_t)(end - unit));
        }
    }
    return DEW_OK;
}

static dew_result read_time(vtp_file *f, const char *path)
{
    int index = vtp_find(f, VTP_FIELD_DATA, "TimeValue");
    if (index < 0 || f->arrays[index].tuples != 1 || f->arrays[index].type != DEW_ITEM_DOUBLE) return DEW_OK;
    void *data;
    RESULT_TRY(vtp_load(f, path, index, &data));
    f->time = *(double *)data;
    free(data);
    return DEW_OK;
}

dew_result vtp_read(const char *path, vtp_file *file)
{
    *file = (vtp_file){.time = NAN};
    RESULT_TRY(io_read_file(path, &file->bytes, &file->size));
    dew_result result = read_head(file, path);
    if (result == DEW_OK) result = read_time(file, path);
    if (result != DEW_OK) vtp_close(file);
    return result;
}

void vtp_close(vtp_file *file)
{
    free(file->bytes);
    *file = (vtp_file){0};
}

int vtp_find(const vtp_file *file, vtp_section section, const char *name)
{
    for (int k = 0; k < file->count; k++)
        if (file->arrays[k].section == section && strcmp(file->arrays[k].name, name) == 0) return k;
    return -1;
}

/* Number k of 8 bytes from `at` on; the caller has made sure that it is there. */
static uint64_t word_at(const vtp_file *f, size_t at, uint64_t k)
{
    uint64_t word;
    memcpy(&word, f->bytes + at + 8 * k, 8);
    return word;
}

dew_result vtp_load(const vtp_file *f, const char *path, int index, void **data)
{
    const vtp_array *a = &f->arrays[index];
    *data = NULL;
    uint64_t bytes = (uint64_t)a->tuples * (uint64_t)a->components * number_size(a->type), done = 0;
    if (a->offset > f->size || f->size - a->offset < f->data_begin + 24)
        return broken(path, "an array lies past its end");
    size_t head = f->data_begin + a->offset, room = f->size - head;
    uint64_t blocks = word_at(f, head, 0), block = word_at(f, head, 1), last = word_at(f, head, 2);
    /* zlib makes nothing smaller than a thousandth, so a size beyond that is damage, not a reason to ask for memory. */
    if (blocks > room / 8 - 3 || block > 1u << 30 || last > block || bytes / 2048 > f->size ||
        (blocks == 0 ? bytes != 0 : block * (blocks - (last > 0)) + last != bytes))
        return broken(path, "the sizes in an array's head contradict each other");
    uint8_t *out = malloc(bytes + 1);
    if (!out) return result_fail(DEW_NO_MEMORY, "no memory to read %s", path);
    size_t at = head + 24 + 8 * (size_t)blocks;
    for (uint64_t k = 0; k < blocks; k++) {
        uint64_t packed = word_at(f, head + 24, k), want = k + 1 == blocks && last > 0 ? last : block;
        uLongf size = want;
        if (packed > f->size - at || uncompress(out + done, &size, (const Bytef *)f->bytes + at, packed) != Z_OK ||
            size != want) {
            free(out);
            return broken(path, "the compressed bytes of an array are damaged");
        }
        at += packed, done += want;
    }
    *data = out;
    return DEW_OK;
}

bool vtp_remark(const char *path, char *remark, size_t size)
{
    char text[512] = "";
    FILE *f = fopen(path, "rb");
    if (!f) return false;
    size_t got = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    text[got] = 0;
    char *begin = strstr(text, "<!-- "), *end = begin ? strstr(begin, " -->") : NULL;
    return end && snprintf(remark, size, "%.*s", (int)(end - begin - 5), begin + 5) < (int)size;
}
