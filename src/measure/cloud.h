/* The particles of a frame and their images in solids, periodic faces and planes of symmetry: what a sum over a kernel
 * needs to be whole there. */
#ifndef MEASURE_CLOUD_H
#define MEASURE_CLOUD_H

#include "base/bounds.h"
#include "measure/quantities.h"

typedef struct cloud {
    real4 *points; /* the particles come first; released by aligned_release */
    size_t room;
    int count;
} cloud;

/* Gathers the particles and the images that lie within `reach` (m) of a face of the domain, and of a solid where
 * `has_solids`. `within`: the faces that liquid passes through, infinite elsewhere. DEW_NO_MEMORY; the cloud is to be
 * released then, too. */
dew_result cloud_gather(const measurement *m, double reach, bool has_solids, cloud *c, bounds *within);

#endif
