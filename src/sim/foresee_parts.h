/* Inside foresee: what the looks at a scene share, and each of them; they print a line for each thing they find. */
#ifndef SIM_FORESEE_PARTS_H
#define SIM_FORESEE_PARTS_H

#include "definition/definition.h"
#include "sim/foresee.h"

#include <stdio.h>

/* Particles or sites that are looked at, at most. */
enum { FORESEE_SAMPLES = 4096 };
/* Liquid that is cut away, or a mouth that is covered, is worth a word from this share on. */
#define FORESEE_SHARE 0.02

static inline dew_vec3 foresee_place(real4 x) { return (dew_vec3){x.x, x.y, x.z}; }
static inline real4 foresee_record(dew_vec3 x) { return (real4){(real)x.x, (real)x.y, (real)x.z, 0}; }

typedef struct looked_through {
    double inside, cut; /* numbers of points in the shape; of these in solids */
    double taken;       /* of these in the other shape */
    double deepest,
        thinnest; /* half the thickness where it is largest, and where a thread, film or neck is thinnest, m */
} looked_through;
/* Counts points of a grid over the part of the shape that lies in the domain. `other` may be NULL. */
looked_through foresee_look_through(const dew_simulation *s, const shape *body, bool is_liquid, const shape *other);

/* The shapes that liquids begin in, which take as long to make as all that is asked of them; NULL where one cannot be
 * made. */
typedef struct liquid_shapes {
    shape **of;
    int count;
} liquid_shapes;

/* Liquid that solids cut away, what is too narrow for the method, liquids in one place. */
void foresee_liquids(const dew_simulation *s, const liquid_shapes *liquids, FILE *out);
/* Gaps, sheets and bodies that are too thin, faces that are not there or are two solids'. */
void foresee_solids(const dew_simulation *s, const dew_simulation_def *def, const liquid_shapes *liquids, FILE *out);
/* Mouths that are narrow, buried, open at the back, or in one place. */
void foresee_emitters(const dew_simulation *s, FILE *out);
/* What the method adds to viscosities, and how many steps it would take. Leaves no trace. */
dew_result foresee_method(dew_simulation *s, const dew_simulation_def *def, FILE *out);
/* Surface energies of which no angle follows. */
void foresee_wetting(const dew_simulation *s, const dew_simulation_def *def, FILE *out);

#endif
