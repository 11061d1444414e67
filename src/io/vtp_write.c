#include "base/parallel.h"
#include "io/atomic.h"
#include "io/vtp.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Uncompressed bytes of a block: small enough to keep all cores busy, large enough for zlib's window. */
enum { BLOCK = 1 << 16 };

const char *const vtp_type_names[NUMBER_TYPES] = {"Float32", "Float64", "Int32", "Int64", "UInt8"};
const char *const vtp_section_names[VTP_SECTIONS] = {"FieldData", "PointData", "Points", "Verts", "Polys"};

typedef struct block {
    const uint8_t *from;
    size_t size, packed_size;
    uint8_t *packed; /* its place in the work memory */
} block;

typedef struct packing {
    block *blocks;
    int count, *first; /* of each array; one more than there are arrays */
    uint8_t *memory;
} packing;

static size_t array_bytes(const vtp_array *a)
{
    return (size_t)a->tuples * (size_t)a->components * number_size(a->type);
}

static void pack_blocks(int begin, int end, void *context)
{
    packing *p = context;
    for (int k = begin; k < end; k++) {
        block *b = &p->blocks[k];
        uLongf size = compressBound(BLOCK);
        /* The highest speed: particles' digits do not get much smaller by trying harder. */
        b->packed_size = compress2(b->packed, &size, b->from, b->size, Z_BEST_SPEED) == Z_OK ? size : 0;
    }
}

static void packing_free(packing *p) { free(p->blocks), free(p->first), free(p->memory); }

static dew_result pack(packing *p, const vtp_array *arrays, int count)
{
    *p = (packing){.first = malloc(((size_t)count + 1) * sizeof *p->first)};
    if (!p->first) return result_fail(DEW_NO_MEMORY, "no memory to write a frame");
    for (int a = 0; a < count; a++) {
        p->first[a] = p->count;
        p->count += (int)((array_bytes(&arrays[a]) + BLOCK - 1) / BLOCK);
    }
    p->first[count] = p->count;
    size_t bound = compressBound(BLOCK);
    p->blocks = malloc(((size_t)p->count + 1) * sizeof *p->blocks);
    p->memory = malloc((size_t)p->count * bound + 1);
    if (!p->blocks || !p->memory) return result_fail(DEW_NO_MEMORY, "no memory to compress a frame");
    for (int a = 0; a < count; a++) {
        size_t bytes = array_bytes(&arrays[a]), at = 0;
        for (int k = p->first[a]; k < p->first[a + 1]; k++, at += BLOCK)
            p->blocks[k] = (block){(const uint8_t *)arrays[a].data + at, bytes - at < BLOCK ? bytes - at : BLOCK, 0,
                                   p->memory + (size_t)k * bound};
    }
    parallel_for(p->count, 1, pack_blocks, p);
    for (int k = 0; k < p->count; k++)
        if (p->blocks[k].packed_size == 0) return result_fail(DEW_NO_MEMORY, "no memory to compress a frame");
    return DEW_OK;
}

/* VTK's head of compressed data: number of blocks, their size, the size of the last one if it is shorter, and the
 * compressed size of each. */
static size_t head_size(const packing *p, int a) { return (3 + (size_t)(p->first[a + 1] - p->first[a])) * 8; }

static void write_data(atomic_file *file, const packing *p, const vtp_array *arrays, int a)
{
    size_t bytes = array_bytes(&arrays[a]);
    uint64_t head[3] = {(uint64_t)(p->first[a + 1] - p->first[a]), BLOCK, bytes % BLOCK};
    atomic_write(file, head, sizeof head);
    for (int k = p->first[a]; k < p->first[a + 1]; k++) {
        uint64_t size = p->blocks[k].packed_size;
        atomic_write(file, &size, sizeof size);
    }
    for (int k = p->first[a]; k < p->first[a + 1]; k++)
        atomic_write(file, p->blocks[k].packed, p->blocks[k].packed_size);
}

static void write_array_head(atomic_file *f, const vtp_array *a, uint64_t offset)
{
    atomic_print(f, "<DataArray type=\"%s\" Name=\"%s\"", vtp_type_names[a->type], a->name);
    if (a->section == VTP_FIELD_DATA)
        atomic_print(f, " NumberOfTuples=\"%lld\"", (long long)a->tuples);
    else
        atomic_print(f, " NumberOfComponents=\"%d\"", a->components);
    atomic_print(f, " format=\"appended\" offset=\"%llu\"", (unsigned long long)offset);
    if (a->unit[0])
        atomic_print(
            f, "><InformationKey name=\"UNITS_LABEL\" location=\"vtkDataArray\">%s</InformationKey></DataArray>\n",
            a->unit);
    else
        atomic_print(f, "/>\n");
}

static void write_section(atomic_file *f, vtp_section section, const vtp_array *arrays, int count, const packing *p)
{
    atomic_print(f, "<%s>\n", vtp_section_names[section]);
    uint64_t offset = 0;
    for (int a = 0; a < count; a++) {
        if (arrays[a].section == section) write_array_head(f, &arrays[a], offset);
        offset += head_size(p, a);
        for (int k = p->first[a]; k < p->first[a + 1]; k++) offset += p->blocks[k].packed_size;
    }
    atomic_print(f, "</%s>\n", vtp_section_names[section]);
}

dew_result vtp_write(const char *path, int64_t points, int64_t verts, int64_t polys, const vtp_array *arrays, int count,
                     const char *remark)
{
    atomic_file file, *f = &file;
    packing p;
    dew_result result = pack(&p, arrays, count);
    if (result == DEW_OK) result = atomic_open(f, path);
    if (result == DEW_OK) {
        atomic_print(f, "<?xml version=\"1.0\"?>\n");
        if (remark) atomic_print(f, "<!-- %s -->\n", remark);
        atomic_print(f, "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\" "
                        "compressor=\"vtkZLibDataCompressor\">\n<PolyData>\n");
        write_section(f, VTP_FIELD_DATA, arrays, count, &p);
        atomic_print(f,
                     "<Piece NumberOfPoints=\"%lld\" NumberOfVerts=\"%lld\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
                     "NumberOfPolys=\"%lld\">\n",
                     (long long)points, (long long)verts, (long long)polys);
        for (vtp_section s = VTP_POINT_DATA; s < VTP_SECTIONS; s++) write_section(f, s, arrays, count, &p);
        atomic_print(f, "</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_");
        for (int a = 0; a < count; a++) write_data(f, &p, arrays, a);
        atomic_print(f, "\n</AppendedData>\n</VTKFile>\n");
        result = atomic_commit(f);
    }
    packing_free(&p);
    return result;
}
