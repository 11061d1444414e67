#include "methods/mpm/any/mirror.h"

void mirror_move(mirror *m, const solids *s, int solid, real3 x, real dx, real share)
{
    const real3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    real3 spin = real3_scale(share, solids_spin(s, solid));
    m->velocity = m->beyond = solids_velocity(s, solid, x);
    m->is_turning = real3_dot(spin, spin) > 0;
    if (!m->is_turning) return;
    m->beyond = real3_madd(m->velocity, -2 * m->s * dx, real3_cross(spin, m->n));
    for (int a = 0; a < DIM; a++) m->turn[a] = real4_of(real3_scale(dx, real3_cross(spin, axis[a])), 0);
}
