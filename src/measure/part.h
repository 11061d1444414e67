/* A part of a frame: one material, one body. */
#ifndef MEASURE_PART_H
#define MEASURE_PART_H

#include "base/arena.h"
#include "measure/quantities.h"

/* A frame with the part's particles alone; kept for as long as frame and part are the same. */
typedef struct cut_frame {
    uint64_t key;
    dew_part_def of;
    arena *memory;
    dew_frame frame;
} cut_frame;

/* The frame itself where it is measured whole; else the part, which belongs to `cut`. It knows no method. DEW_INVALID
 * where there is no such material. */
dew_result part_frame(const dew_frame *frame, const dew_part_def *of, cut_frame *cut, const dew_frame **part);
/* The index of of->solid; -1: all. DEW_INVALID where there is no such solid. */
dew_result part_solid(const dew_frame *frame, const dew_part_def *of, int *solid);
void cut_frame_clear(cut_frame *cut);

#endif
