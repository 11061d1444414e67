/* Liquid that flows in: layers of particles on a square lattice `spacing` wide. Layers are as far apart along the flow
 * as makes the inflow that of the shape's area, whatever number of sites fits into it. A layer is released when its
 * plane passes the disc; until so many others are as the method asks for, it moves with the inflow whatever the method
 * did to it, so that the column does not leak back and what flows sees liquid behind it. An emitter with a pipe around
 * it is the pipe's end: what comes behind the foremost layer that it holds is turned back. */
#ifndef SIM_EMITTERS_H
#define SIM_EMITTERS_H

#include "dew/definition.h"
#include "frame/frame.h"
#include "methods/method.h"

enum { EMITTER_MOST_HELD = 4 };

typedef struct emitter {
    uint8_t material;
    double from, to, inflow; /* inflow: m/s along the normal */
    double temperature;      /* K; NaN: that of the surroundings */
    double concentration;    /* kg/m3 */
    dew_vec3 velocity;
    dew_vec3 *sites; /* of a layer in the plane of the disc */
    int site_count;
    double pitch; /* from layer to layer along the normal, m */
    dew_vec3 centre, normal;
    double radius;    /* of the sites, m */
    double share;     /* of its shape that planes of symmetry leave, 0..1 */
    bool is_closed;   /* in a pipe, which it ends: no liquid passes it backwards */
    bool is_flush;    /* in a solid's face: the column's end is never in the open */
    double side, end; /* energy of a layer's side, free or wetted, and of an end of the column in the open, J */
    /* State */
    double travel;                   /* how far the inflow has moved, m */
    int64_t layers;                  /* released so far */
    int32_t held[EMITTER_MOST_HELD]; /* first ids of the layers that move with the inflow, the last first; -1: none */
} emitter;

/* Planes of symmetry of the domain cut it. */
dew_result emitter_create(emitter *e, const dew_emitter_def *def, const dew_domain_def *domain, int dimension,
                          double spacing);
/* DEW_INVALID if it lies within a solid when it begins to flow; the solids are left where they are at time 0. */
dew_result emitter_check_clear(const emitter *e, solids *s, double spacing);
/* Finds the energy of the surface that layers bring: free in the open, wetted where a pipe is around the emitter. */
void emitter_find_surface(emitter *e, const dew_emitter_def *def, solids *s, int dimension, double spacing,
                          double surface_tension);
/* Packs the rim of its layers where that is in the open, and has tension: `skin` (method.h) in metres, less by 1/e a
 * spacing farther in. */
void emitter_pack(emitter *e, const dew_emitter_def *def, int dimension, double spacing, double skin);
inflow_mouth emitter_mouth(const emitter *e);
void emitter_destroy(emitter *e);

/* What emitters brought in: new layers, and what moving the held ones did. */
typedef struct inflow {
    double mass, kinetic, potential;
    double
        surface; /* the energy of the surface that comes with new layers, and that the column's end has when it parts */
    dew_vec3 momentum;
} inflow;

/* After a step over [begin, end]: moves the held layers, telling the method, and releases new ones. *is_full is set
 * where `max_particles` (0: no limit) kept a layer back. */
dew_result emitters_advance(emitter *emitters, int count, world *w, double begin, double end, int max_particles,
                            bool *is_full, inflow *in);

/* Lists the layers that they hold, EMITTER_MOST_HELD each at most; how many. */
int emitters_list_held(const emitter *emitters, int count, held_layer *held);

#endif
