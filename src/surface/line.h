/* The contact line among particles, in every step: where it is, which way it faces, how much of its length each
 * particle has. (measure/line.h finds it on a mesh, for measuring.)
 *
 * The liquid wets the wall where particles are in the layer next to it. Smoothed along the wall with the kernel w = (1
 * - (t/R)^2)^2 of reach R, what is wetted is c_i = sum_j chi_j w(t_ij), t_ij the part of x_ij along the wall, chi = 1
 * up to 0.6 spacings from the wall and 0 from 1.2 on. It falls along g = -grad c, which is outward. At the depth d
 * within a straight edge of an even layer with n particles an area, c = n Phi(d) and |g| = n Phi'(d), Phi the kernel's
 * integral over the layer: so R |g|/c tells d, and then Phi(d)/c the area that a particle stands for, whatever the
 * density. The length of the line is the integral over the wetted area of any delta(d) whose integral over d is one,
 * here of (1 - (d/b)^2)^2 up to b = 0.62 R (the idea of continuum surface forces: Brackbill, Kothe, Zemach 1992): a
 * particle's share of it is chi delta(d) Phi(d)/c. In 2D a line is a point and its length a number.
 *
 * b was set once, so that two rows count: discs, rings and squares 12 to 28 spacings wide have the right length within
 * 3 % in the mean over fillings, one filling within 5.5 % (tests/test_line.c). It is the line of the layer's middle,
 * half a spacing above the wall: of a drop under the angle theta it is cot(theta)/2 spacings farther in, and more below
 * 60 degrees, where the second layer's edge is far off: a cap of 45 degrees and a radius of 10 spacings has a tenth too
 * little. */
#ifndef SURFACE_LINE_H
#define SURFACE_LINE_H

#include "particles/pairs.h"

/* Where the layer at the wall begins to end, and where it has ended, in spacings. */
#define LINE_LAYER_WHOLE ((real)0.6)
#define LINE_LAYER_END ((real)1.2)

enum { LINE_STEPS = 256 };

typedef struct line_table {
    real spacing, reach; /* s, R; m */
    int dimension;
    /* At R |g|/c = most_ratio k/LINE_STEPS: Phi(d) delta(d), m (2D: 1); the last stands twice. Shares are 0 up to
     * least_ratio.
     */
    real share[LINE_STEPS + 2];
    real depth[LINE_STEPS + 2]; /* d, m */
    real least_ratio, most_ratio;
} line_table;

/* dimension 2 or 3; spacing in m; reach in m, about 2.7 spacings. Lists are to reach sqrt(reach^2 + (0.6 spacings)^2),
 * or what is at the reach is missed. */
void line_table_make(line_table *t, int dimension, double spacing, double reach);

/* line[i] of the particles in the blocks [begin, end): the line's unit direction along the wall, out of the liquid, and
 * in w the particle's share of its length, m (in 2D: of one); all 0 where there is none. `wall`: outward normal and
 * distance (m) of the nearest solid, by slot, at ghosts too; it may be anything at dummies. Writes whole blocks.
 * `depth`: NULL, or takes d of those that have a share, m. */
void line_find(const line_table *t, pair_lists lists, int begin, int end, const real4 *position, const real4 *wall,
               real4 *line, real *depth);

#endif
