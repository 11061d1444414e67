/* Hysteresis: the wall holds the contact line. Between the receding and the advancing angle the line stays where it is,
 * as the wall ahead of it is dry and the wall behind it wet, and to wet the one gains less, gamma cos(theta_a), than to
 * part from the other costs, gamma cos(theta_r). So Young's pull goes with how far the line is from where it was held,
 *
 *     cos(theta) = (cos(theta_r) + cos(theta_a))/2 - (cos(theta_r) - cos(theta_a))/2 e/w,   |e| <= w,
 *
 * and beyond w the place where it is held comes along. A line moves by particles that go along the wall, and as well by
 * those that come down on it ahead or lift off behind: friction of particles holds against the first alone. What tells
 * both is the depth of a particle behind the line (surface/line.h) and its own way along the wall: e is what their sum
 * has changed by, so noise adds nothing to it in the long run. A spring of memory, unlike friction by velocities, does
 * not creep when particles tremble. */
#ifndef SOLIDS_HELD_LINE_H
#define SOLIDS_HELD_LINE_H

#include "particles/pairs.h"
#include "particles/particles.h"
#include "solids/wetting.h"
#include "surface/line.h"

/* What a line is held by in a step. */
typedef struct held_line {
    const solids *solids;
    double surface_tension; /* N/m */
    const line_table *table;
    particles *all;
    pair_lists lists;
    int hold; /* a field of four, saved and ghosts' too: what each remembers; x its depth, y e, z 1: e is known */
    int first, other;              /* fields of ghosts, whose values are lost */
    real spacing, reach;           /* m; the reach of means over the line, no more than that of the lists */
    real dt;                       /* of the step, s */
    const real4 *normal;           /* out of the liquid, by slot */
    real (*cosine)(double cosine); /* NULL, or the one to set, that lines are at rest at the angle of `cosine` */
    const int32_t *solid;          /* the nearest, by slot; held_line_pull sets this and what follows */
    real4 *line;                   /* by slot: the line's direction out of the liquid; w: 0 where there is none */
} held_line;

/* The first solid whose angle with a material advances and recedes differently; -1: none does. */
int held_line_first(const solids *s, int material, double surface_tension);

/* For methods, or their modes, that cannot: DEW_INVALID at such a solid, with what would. */
dew_result held_line_refuse(const solids *s, int material, double surface_tension, const char *method,
                            const char *needs);

/* Changes the cosines of the nearest faces by where the line is held. DEW_NO_MEMORY. */
dew_result held_line_pull(held_line *h, line_faces *faces, arena *memory);

/* Particle i is about to go this way, m. */
void held_line_moves(const held_line *h, int i, real3 way);

#endif
