/* Order among particles: displacements without velocity, after each step, small and slow next to sound.
 *
 * Particles that only follow the flow stretch into rows and leave voids. Pressure does not mind either, but a void's
 * rim looks like a surface, tension acts there on noise, and opens it further: that is how drops of low viscosity came
 * to throw particles off. So particles move to where there are fewer (particle shifting; Lind, Xu, Stansby, Rogers
 * 2012), by -S: inside in all directions, near the surface along it, at a contact line along the line (more would wet
 * or dry the solid), next to a solid along it (S there is not quite zero at rest, and would stir without end).
 *
 * Where the surface shrinks, its layer is pressed together while liquid beneath it stretches: it stood off from what
 * lies below, as a shell, and a drop that bounced came to have a void of a quarter of its area. Pressure does not mind
 * that either, as div v is zero. So particles below the surface also move outward, until |S| is what it should be at
 * their depth.
 *
 * The surface itself is drawn level by `even`, which curvature.c finds. Neither moves the centre of mass of a body nor
 * turns it (drops.c). */
#include "methods/sph/flow.h"

/* The largest |S| H that counts: what is more does not shift faster. */
#define MOST_GRADIENT ((real)0.4)

/* What lacks outward in |S| H shifts so much faster than what is uneven inside; and its largest. */
#define FILL ((real)8)
#define MOST_LACK ((real)0.125)
/* What lacks L of |S| H is made up for by L H/2.5 of a particle's way: no more than half of that in a step, over L H.
 * Implicit steps are up to 16 times as long as sound's; without a bound the liquid below a skin went too far in the
 * first of them, and left 5 % of its density. */
#define MOST_FILLED ((real)0.2)

/* Length of the mean of the normals near, 1 below a plane: where it is less, as in films and at edges, depth is no
 * number. */
#define ONE_SIDED ((real)0.8)

/* (x_j - x_i) . n_j is more than the depth by kappa rho^2/4, rho the distance along the surface; its mean over a plane
 * by t^3 is (H^2) 0.143 at no depth, 2 (1 - depth)/5 at H, and between them to 3 % as here. The kernel's part beyond a
 * surface that curves by kappa has the slope (-dD/du) (1 + kappa H u/2). */
void sph_find_depths(int begin, int end, flow *k)
{
    real support = k->p->support;
    for (int i = begin; i < end; i++) {
        if (!k->is_near[i / PAIR_I] || !(k->force[i].w > 0)) continue;
        real inverse = 1 / k->force[i].w;
        real3 sum = real3_scale(inverse, real3_of(k->facing[i])), n = real3_normalise(sum);
        real curvature = k->gamma > 0 ? support * inverse * k->pull[i].w / k->gamma : 0;
        real depth = inverse * k->facing[i].w / support, far = real_min(fabs(depth), 1);
        depth -= curvature * (real)(0.143 / 4) * (1 - far) * (1 + far * ((real)1.6 + (real)0.2 * far));
        real u = depth + k->p->s / (2 * support), slope = wendland_beyond_slope(u) * real_max(1 + curvature * u / 2, 0);
        bool is_known = !k->gas && real3_dot(sum, n) > ONE_SIDED;
        k->facing[i] = real4_of(n, is_known ? slope : -1);
    }
}

static real3 shift_of(const flow *k, int i, real speed)
{
    real lack = 0;
    bool is_wetted = sph_wetted(k, i) > 0, is_near = k->is_near[i / PAIR_I] && k->force[i].w > 0;
    real3 s = is_wetted ? sph_whole_gradient(k, i) : real3_of(k->filled[i]);
    if (k->gas && !is_wetted) s = real3_add(s, real3_of(k->gas[i]));
    if (is_wetted) s = real3_across(s, real3_of(k->wall[i]));
    if (is_wetted && k->other_solid[i] >= 0) s = real3_across(s, real3_of(k->other[i]));
    if (is_near) {
        bool is_surface = k->a.v[i].w > (real)0.5;
        real3 n = real3_normalise(real3_of(is_surface ? k->a.normal[i] : k->facing[i]));
        if (is_wetted) {
            real3 line = real3_normalise(real3_cross(n, real3_of(k->wall[i])));
            s = real3_scale(k->other_solid[i] < 0 ? real3_dot(s, line) : 0, line);
        }
        if (k->facing[i].w >= 0 && !is_wetted)
            lack = (1 - k->a.v[i].w) * real_min(real_max(-real3_dot(s, n) - k->facing[i].w, 0), MOST_LACK);
        s = real3_across(s, n);
    }
    real size = real3_length(s);
    if (size > MOST_GRADIENT) s = real3_scale(MOST_GRADIENT / size, s);
    if (lack > 0)
        s = real3_madd(s, -real_min(FILL, MOST_FILLED * k->p->support / speed) * lack, real3_of(k->facing[i]));
    real3 even = k->a.is_candidate[i] ? real3_of(k->even[i]) : (real3){0, 0, 0};
    return real3_madd(even, -speed, s);
}

void sph_find_shifts(int begin, int end, flow *k)
{
    const sph_state *p = k->p;
    real speed = (real)p->parameter[SPH_SHIFT] * k->dt * k->order / p->support * p->s;
    for (int i = begin; i < end; i++) k->shift[i] = real4_of(shift_of(k, i, speed), 0);
}
