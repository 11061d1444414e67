/* Inside frames: how they begin, and fields that someone asks for. */
#ifndef FRAME_FRAME_H
#define FRAME_FRAME_H

#include "base/real.h"
#include "base/result.h"
#include "dew/frame.h"

/* Where liquid flows in, from one time to another: the disc about an emitter's shape, its normal along the flow. */
typedef struct inflow_mouth {
    dew_vec3 centre, normal;
    double radius, from, to;
} inflow_mouth;
struct dew_mouths {
    inflow_mouth *of;
    int count;
};

/* What a definition tells of all its frames, without particles and solids. `materials` gets def->material_count
 * materials, whose names remain the definition's. */
dew_frame frame_of_definition(const dew_simulation_def *def, dew_material_def *materials);

/* Whether the energy of all surfaces is one tension times the free area, solids aside. */
bool frame_has_one_tension(const dew_frame *frame);
/* Whether there are two, with tensions of their own and between them, which the method knows. */
bool frame_is_of_two_liquids(const dew_frame *frame);
/* The largest of all tensions, with air and between materials, N/m. */
double frame_largest_tension(const dew_frame *frame);
/* Whether there is one material, whose tension depends on temperature or on what is dissolved. */
bool frame_has_changing_tension(const dew_frame *frame);

/* DEW_INVALID with the names that there are; `purpose`: "to write", "to colour by". */
dew_result frame_need_field(const dew_frame *frame, const char *name, const char *purpose, dew_field *field);

#endif
