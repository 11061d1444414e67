#include "methods/mpm/any/hold.h"

#include "methods/mpm/any/mirror.h"
#include "methods/mpm/any/split_merge.h"
#include "solids/moving_line.h"

/* What the moving contact line takes of a particle's velocity `slip` along the wall: the pull gamma (cos(theta_e) -
 * cos(theta)) a length, theta the angle that the line is drawn along by (moving_line.h). `m`: the particle's mass, kg.
 */
static real3 take_line(const fluid *f, const owner *o, const wall_seen *wall, real mu, real mass, real3 slip)
{
    real tension = 0;
    for (int q = 0; q < o->sample_count; q++) tension = real_max(tension, f->points.sample[o->first_sample + q].w);
    const real3 out = real3_normalise(real3_across(real3_of(o->line), real3_of(wall->seen)));
    const real speed = real3_dot(slip, out);
    if (!(tension > 0) || speed == 0) return (real3){0, 0, 0};
    const solid_info info = solids_info(f->w->solids, wall->solid, (double)tension);
    const double scales = moving_line_scales(f->w->spacing, info.slip_length);
    const double lost = moving_line_lost(info.cos_contact_angle, (double)mu, (double)speed, (double)tension, scales);
    const real rate = tension * (real)lost * o->line.w / (mass * speed);
    return real3_scale(f->dt * rate / (1 + f->dt * rate) * speed, out);
}

void hold_at_walls(int begin, int end, void *context)
{
    const fluid *f = context;
    for (int k = begin; k < end; k++) {
        owner *o = &f->points.owners[k];
        real4 *v = &f->a.v[o->slot];
        if (is_solid_slot(f, o->slot)) continue;
        for (int j = 0; j < o->wall_count && o->wall[j].seen.w < INFINITY; j++) {
            const wall_seen *wall = &o->wall[j];
            mirror m;
            if (wall->is_sticky || isinf(wall->slip_length)) continue;
            if (!mirror_of(f, o, j, f->a.x[o->slot], &m)) continue;
            real mass = mass_of(f, o->slot), mu = f->a.viscosity ? f->a.viscosity[o->slot] : f->viscosity, rate;
            real4 seen = real4_of(m.n, m.s * f->dx);
            shear_rates(&f->p->shear, mu * f->volume / (f->mass * mass), wall->slip_length, 1, &seen, &rate);
            real share = f->dt * rate / (1 + f->dt * rate);
            real3 slip = real3_across(real3_sub(real3_of(*v), m.velocity), m.n);
            real3 taken = real3_scale(share, slip);
            if (j == 0 && o->line.w > 0)
                taken = real3_add(taken, take_line(f, o, wall, mu, f->mass * mass, real3_sub(slip, taken)));
            add_push(o, j, -mass, f->a.x[o->slot], real4_of(taken, 0));
            v->x -= taken.x, v->y -= taken.y, v->z -= taken.z;
        }
    }
}
