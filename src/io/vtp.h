/* VTK XML PolyData (.vtp), as ParaView reads it: a header of text, then the arrays as raw bytes, cut into blocks and
 * compressed by zlib. Writing, and reading of what is written here. */
#ifndef IO_VTP_H
#define IO_VTP_H

#include "base/number.h"
#include "base/result.h"

/* Parts of a file that an array may lie in. */
typedef enum vtp_section { VTP_FIELD_DATA, VTP_POINT_DATA, VTP_POINTS, VTP_VERTS, VTP_POLYS, VTP_SECTIONS } vtp_section;

/* How VTK spells types and sections. */
extern const char *const vtp_type_names[NUMBER_TYPES], *const vtp_section_names[VTP_SECTIONS];

typedef struct vtp_array {
    vtp_section section;
    char name[64], unit[32];
    dew_item_type type;
    int components;
    int64_t tuples;
    const void *data; /* of a file that was read: NULL, see vtp_load */
    uint64_t offset;  /* of a file that was read */
} vtp_array;

/* Writes the arrays, in the order of their sections, through a temporary file. `remark` may be NULL: a line of the
 * header, see vtp_remark. */
dew_result vtp_write(const char *path, int64_t points, int64_t verts, int64_t polys, const vtp_array *arrays, int count,
                     const char *remark);

enum { VTP_MOST_ARRAYS = 64 };
/* The array in which frames keep their rigid bodies. */
#define VTP_BODIES "bodies"

/* A file that was read: its header understood, its arrays still compressed. */
typedef struct vtp_file {
    char *bytes;
    size_t size, data_begin;
    int64_t points, verts, polys;
    vtp_array arrays[VTP_MOST_ARRAYS];
    int count;
    double time; /* NaN if the file tells none */
} vtp_file;

/* DEW_IO if the file cannot be read, DEW_INVALID if it is not a whole one of this kind. */
dew_result vtp_read(const char *path, vtp_file *file);
void vtp_close(vtp_file *file);
/* Array of that name, or -1. */
int vtp_find(const vtp_file *file, vtp_section section, const char *name);
/* An array's values; the caller frees *data. */
dew_result vtp_load(const vtp_file *file, const char *path, int index, void **data);

/* The remark in the first bytes of a file, without reading on; false if there is none. */
bool vtp_remark(const char *path, char *remark, size_t size);

#endif
