/* The pieces of a step of the paper mode. Order and reasons: paper.c. */
#ifndef METHODS_PBF_PAPER_H
#define METHODS_PBF_PAPER_H

#include "methods/pbf/pbf.h"
#include "surface/ring_sums.h"

/* What a step works on between two resets; arrays by slot, from the arena, made anew at each reset. */
typedef struct paper {
    pbf_state *p;
    world *w;
    pbf_arrays a;
    pair_lists lists;
    int count, blocks, iterations;
    real dt;
    real lift; /* from the centres to the liquid's surface, m: s/2, or 0 */
    /* Epsilons for this dt; density in 1/h^2, area in m2. */
    real epsilon_density, epsilon_area, epsilon_distance;
    uint8_t *is_filament; /* NULL: none is looked for */
    real4 *components;    /* of the neighbourhood of each surface particle, where filaments are looked for */
    real *fullness;       /* rest density, rho/rho0; NULL: 1 everywhere */
    real *lambda;         /* of the density constraints, in h^2, >= 0: against the sense of equation (3) */
    real4 *shift;         /* displacement by density and distance constraints, m */
    /* Area constraints: gradient of each ring's area by each of its corners, then times lambda; what each slot gets of
     * it. */
    ring_sums pull;
    real4 *area_shift;
    /* Particles that may meet a solid before the next reset. */
    uint8_t *is_near;
    int32_t *near; /* which they are */
    int near_count;
} paper;

/* --- paper_area.c: equations (7), (8) --- */
dew_result pbf_paper_build_areas(paper *k);
/* Fills k->area_shift. */
void pbf_paper_project_areas(paper *k);

/* --- paper_contact.c: solids --- */
/* x += dt v, no particle through a solid; a.move = the way gone. */
void pbf_paper_predict(paper *k);
dew_result pbf_paper_find_contacts(paper *k);
/* Moves particles out of solids, with friction, and draws to them those that adhere. */
void pbf_paper_project_contacts(paper *k);

#endif
