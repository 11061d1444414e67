/* Order among particles: displacements without velocity, after each step, small and slow next to sound.
 *
 * Particles that only follow the flow stretch into rows and leave voids. Pressure does not mind either, but a void's
 * rim looks like a surface, tension acts there on noise, and opens it further: that is how drops of low viscosity came
 * to throw particles off. So particles move to where there are fewer (particle shifting; Lind, Xu, Stansby, Rogers
 * 2012), by -S: inside in all directions, near the surface along it, at a contact line along the line (more would wet
 * or dry the solid), next to a solid along it (S there is not quite zero at rest, and would stir without end).
 *
 * The surface itself is drawn level by `even`, which curvature.c finds. Neither moves the centre of mass of a body nor
 * turns it (drops.c). */
#include "methods/sph/flow.h"

/* Of |S| H: what is more does not shift faster. */
#define MOST_GRADIENT ((real)0.4)

static real3 remove_part(real3 a, real3 n) { return real3_madd(a, -real3_dot(a, n), n); }

static real3 shift_of(const flow *k, int i, real speed)
{
    bool is_held = sph_wetted(k, i) > 0, is_near = k->is_near[i / PAIR_I] && k->force[i].w > 0;
    real3 s = is_held ? sph_whole_gradient(k, i) : real3_of(k->filled[i]);
    if (k->gas && !is_held) s = real3_add(s, real3_of(k->gas[i]));
    if (is_held) s = remove_part(s, real3_of(k->wall[i]));
    if (is_held && k->other_solid[i] >= 0) s = remove_part(s, real3_of(k->other[i]));
    if (is_near) {
        bool is_surface = k->a.v[i].w > (real)0.5;
        real3 n = real3_normalise(real3_of(is_surface ? k->a.normal[i] : k->facing[i]));
        if (is_held) {
            real3 line = real3_normalise(real3_cross(n, real3_of(k->wall[i])));
            s = real3_scale(k->other_solid[i] < 0 ? real3_dot(s, line) : 0, line);
        }
        s = remove_part(s, n);
    }
    real size = real3_length(s);
    if (size > MOST_GRADIENT) s = real3_scale(MOST_GRADIENT / size, s);
    return real3_madd(real3_of(k->even[i]), -speed, s);
}

void sph_find_shifts(int begin, int end, flow *k)
{
    const sph_state *p = k->p;
    real speed = (real)p->parameter[SPH_SHIFT] * k->dt * k->sound / p->support * p->s;
    for (int i = begin; i < end; i++) {
        real3 d = shift_of(k, i, speed);
        k->shift[i] = (real4){d.x, d.y, d.z, 0};
    }
}
