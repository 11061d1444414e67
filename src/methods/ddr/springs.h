/* Springs between particles, with rest lengths that flow (sections 5.1 and 5.2 of the paper).
 *
 * Each particle has a row: the springs that it is an end of. A spring so stands in two rows, and each end sums for
 * itself: nothing is scattered. Both see the same length and change it alike. Rows keep their places as slots change:
 * what springs need of particles is brought into the order of rows in each step, a record for each. When neighbours are
 * found anew springs are looked at: those that are gone leave their places, new ones are tied. */
#ifndef METHODS_DDR_SPRINGS_H
#define METHODS_DDR_SPRINGS_H

#include "methods/method.h"

typedef struct ddr_spring_numbers {
    double stiffness; /* k_spring, 1/s2; 0: no springs */
    double rate[2];   /* alpha of stretch and of compression, 1/s */
    double yield[2];  /* gamma of both: tolerated deformation over the rest length */
    bool is_lasting;  /* rest lengths never change: only who is new is tied to others */
    bool is_printed;  /* a new spring has rest length h, not the present length; rest lengths flow explicitly */
} ddr_spring_numbers;

typedef struct ddr_springs {
    int32_t *row_id; /* whose row it is, rows of them */
    int32_t *slot;   /* where that is, unless slots have changed; no part of the state */
    int32_t *begin;  /* of each row in what follows, rows + 1 */
    int32_t *count;  /* springs of the row, the first of those that it has room for */
    int rows;
    int32_t looks;  /* since rows were laid */
    int32_t *other; /* row of the other end, and in which planes of symmetry it is an image (springs.c) */
    real *length;   /* rest length, m; INFINITY: gone */
    int tied;       /* field: place of particles at the last look; w: 1 of who was looked at */
    bool is_stale;  /* slots have changed */
    size_t id_room, slot_room, begin_room, count_room, other_room, length_room;
} ddr_springs;

/* Where there are to be springs, on lists that hold: looks at them if they are stale. `old`: memory for rows that are
 * laid anew, with the same field `tied`. `reach`: h, m. */
dew_result ddr_springs_update(ddr_springs *s, ddr_springs *old, world *w, const ddr_spring_numbers *n, double reach);
/* Rest lengths flow over dt (algorithm 4, equation 8), and springs accelerate their ends over dt (algorithm 3). `place`
 * by slot. */
dew_result ddr_springs_act(ddr_springs *s, world *w, const ddr_spring_numbers *n, double reach, const real4 *place,
                           real4 *velocity, double dt);
/* Places are about to be shifted (m, by slot) without velocity: rest lengths go along, so that springs are fed nothing.
 */
dew_result ddr_springs_follow(ddr_springs *s, const world *w, const ddr_spring_numbers *n, double reach,
                              const real4 *shift);
/* Of all springs, J. */
double ddr_springs_energy(const ddr_springs *s, const world *w, const ddr_spring_numbers *n, double reach);

/* There are none from now on. */
void ddr_springs_clear(ddr_springs *s, const particles *p);

void ddr_springs_visit(ddr_springs *s, state_array_fcn *array, void *context);
/* counts: of the arrays of visit. */
dew_result ddr_springs_resize(ddr_springs *s, const int64_t *counts);
void ddr_springs_destroy(ddr_springs *s);

#endif
