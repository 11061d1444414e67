#include "methods/mpm/any/hold.h"

#include "methods/mpm/any/mirror.h"
#include "methods/mpm/any/split_merge.h"

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
            if (wall->is_sticky || isinf(wall->slip_length) || !mirror_of(f, o, j, f->a.x[o->slot], &m)) continue;
            real mass = mass_of(f, o->slot), mu = f->a.viscosity ? f->a.viscosity[o->slot] : f->viscosity, rate;
            real4 seen = real4_of(m.n, m.s * f->dx);
            shear_rates(&f->p->shear, mu * f->volume / (f->mass * mass), wall->slip_length, 1, &seen, &rate);
            real share = f->dt * rate / (1 + f->dt * rate);
            real3 slip = real3_across(real3_sub(real3_of(*v), m.velocity), m.n);
            add_push(o, -share * mass, real4_of(slip, 0));
            v->x -= share * slip.x, v->y -= share * slip.y, v->z -= share * slip.z;
        }
    }
}
