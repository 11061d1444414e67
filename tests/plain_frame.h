/* A frame of plain arrays: files, pictures and probes are tested on particles that lie just where a test puts them. */
#ifndef PLAIN_FRAME_H
#define PLAIN_FRAME_H

#include "dew/frame.h"
#include "solids/solids.h"

#include <stdlib.h>

enum { PLAIN_MOST = 60000 };

typedef struct plain_frame {
    dew_frame frame;
    dew_field fields[5];
    dew_material_def material_def;
    _Alignas(4 * sizeof(dew_real)) dew_real position[PLAIN_MOST][4];
    _Alignas(4 * sizeof(dew_real)) dew_real velocity[PLAIN_MOST][4];
    dew_real pressure[PLAIN_MOST];
    int32_t id[PLAIN_MOST];
    uint8_t material[PLAIN_MOST];
    solids *solids;
} plain_frame;

static inline void plain_frame_count(plain_frame *p, int count)
{
    const dew_field fields[5] = {{"position", "m", "place", DEW_FIELD_REAL, 3, 4, count, p->position},
                                 {"velocity", "m s-1", "velocity", DEW_FIELD_REAL, 3, 4, count, p->velocity},
                                 {"id", "1", "name", DEW_FIELD_INT32, 1, 1, count, p->id},
                                 {"material", "1", "material", DEW_FIELD_UINT8, 1, 1, count, p->material},
                                 {"pressure", "Pa", "pressure", DEW_FIELD_REAL, 1, 1, count, p->pressure}};
    for (int k = 0; k < 5; k++) p->fields[k] = fields[k];
    p->frame.fields = p->fields, p->frame.field_count = 5, p->frame.particle_count = count;
}

/* One more particle, while there is room. */
static inline void plain_frame_put(plain_frame *p, double x, double y, double z)
{
    int i = p->frame.particle_count;
    if (i >= PLAIN_MOST) abort();
    p->position[i][0] = (dew_real)x, p->position[i][1] = (dew_real)y, p->position[i][2] = (dew_real)z;
    plain_frame_count(p, i + 1);
}

/* Of water, without particles or solids; NULL without memory. */
static inline plain_frame *plain_frame_create(double spacing)
{
    plain_frame *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->material_def = dew_default_material_def();
    p->frame.spacing = spacing, p->frame.dimension = 3;
    p->frame.materials = &p->material_def, p->frame.material_count = 1;
    plain_frame_count(p, 0);
    return p;
}

/* In place of the solids before; false if they cannot be made. */
static inline bool plain_frame_solids(plain_frame *p, const dew_solid_def *defs, int count, double spacing)
{
    dew_simulation_def def = dew_default_simulation_def();
    def.spacing = spacing, def.solids = defs, def.solid_count = count;
    solids_destroy(p->solids);
    p->frame.solids = NULL;
    if (solids_create(&p->solids, &def) != DEW_OK) return false;
    p->frame.solids = p->solids;
    return true;
}

static inline void plain_frame_destroy(plain_frame *p)
{
    if (p) solids_destroy(p->solids);
    free(p);
}

#endif
