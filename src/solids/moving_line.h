/* The angle that a contact line sets while it moves. Down to the size of molecules the surface next to the line is bent
 * by the viscous flow in the wedge; what of that lies below a spacing a method cannot resolve, and the angle that its
 * surface has to meet the solid at is not Young's but, where the line advances by the speed U (Voinov 1976, Cox 1986),
 *
 *     theta^3 = theta_e^3 + 9 Ca ln(s/l),   Ca = mu U/gamma,
 *
 * s the spacing and l the length by which liquid slips at the line: the solid's slip length, and a molecule at least.
 * It is what makes the angle of the drop as a whole the same whatever the spacing (Afkhami, Zaleski, Bussmann 2009), it
 * only ever takes energy, and a line at rest knows nothing of it.
 *
 * U is the velocity of the liquid around along the wall: in a wedge that moves unchanged it is U on average over the
 * wedge's height, though at the wall it is 0 and at the surface 3/2 U. What the angle takes of the pull, gamma
 * (cos(theta_e) - cos(theta)) a length, acts on the particles of the line and is friction: in a step it takes no more
 * than would stop that mean. */
#ifndef SOLIDS_MOVING_LINE_H
#define SOLIDS_MOVING_LINE_H

#include "particles/pairs.h"
#include "solids/wetting.h"

/* l at a solid that holds: the size of molecules, and the slip of liquids that wet (Bonn, Eggers, Indekeu, Meunier,
 * Rolley 2009); m. */
#define LINE_SLIP 1e-9
/* Of 9 Ca ln(s/l) over theta_e^3, or over 1 where that is less: the line is as good as at rest. */
#define LINE_SLOW 1e-3

typedef struct moving_line {
    const solids *solids;
    liquids_there liquids;
    real spacing, reach; /* m; the reach of means over particles */
    pair_lists lists;
    int count;
    /* By slot; the first two at ghosts too. way: how far each went in the last step, which took `time` (s; 0: there was
     * none), shifts without velocity and all: m. normal: out of the liquid. */
    const real4 *position, *way, *normal;
    real time;
    real dt; /* of the present step, s */
    const uint8_t *is_surface;
} moving_line;

/* ln(s/l) at a solid of a slip length (m); not positive: the line knows nothing of its speed. */
double moving_line_scales(double spacing, double slip_length);
/* cos(theta_e) - cos(theta) of a line that advances by `speed`, of the speed's sign; of theta_e its cosine is given. */
double moving_line_lost(double cosine, double viscosity, double speed, double surface_tension, double scales);

/* The same as friction, N s/m2: what a length of the line is held back by, over `speed`. Where lines hardly move it is
 * that of LINE_SLOW. */
double moving_line_friction(double cosine, double viscosity, double speed, double surface_tension, double scales);

/* The friction of f's nearest solids, by slot, for methods that solve for velocities with it: a viscous liquid's line
 * is stopped within a step many times over. 0 but at surface particles within two spacings of a solid that does not let
 * slip freely. `friction`: m->count entries. DEW_NO_MEMORY. */
dew_result line_faces_rub(const line_faces *f, const moving_line *m, arena *memory, real *friction);

/* Makes f->drawn (wall[0] NULL: nothing): the cosines but at surface particles within two spacings of a solid that does
 * not let slip freely. DEW_NO_MEMORY. */
dew_result line_faces_bend(line_faces *f, const moving_line *m, arena *memory);

#endif
