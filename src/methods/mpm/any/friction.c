#include "methods/mpm/any/friction.h"

#include "methods/mpm/any/mirror.h"
#include "methods/mpm/any/split_merge.h"
#include "solids/contact.h"

/* What a stress (as points have it) gets from the mirror in a wall. */
static inline real wall_impulse(const mirror *m, const real4 stress[DIM])
{
    return 2 * m->slope * real3_dot(m->n, matrix_times(stress, m->n));
}

/* What wall j gives to an owner's particle in a substep along its normal, over the particle's mass, m/s. `seen`: the
 * wall as the particle sees it. */
static real normal_impulse(const fluid *f, const owner *o, int j, const mirror *seen)
{
    const points *p = &f->points;
    int i = o->slot;
    vrow stress = own_stress(f, i, f->a.strain[i]);
    real4 own[DIM];
    for (int a = 0; a < DIM; a++) quad_store(&own[a], row_record(stress, a));
    real sum = wall_impulse(seen, own);
    for (int q = o->first_sample; q < o->first_sample + o->sample_count; q++) {
        mirror m;
        real4 film[DIM];
        if (!mirror_of(f, o, j, p->sample[q], &m)) continue;
        surface_stress(f, p->sample[q].w, p->area[q], film);
        sum += wall_impulse(&m, film);
    }
    return sum / mass_of(f, i) - 2 * seen->beta * real3_dot(seen->n, real3_of(f->kick));
}

/* How liquid slips on a wall, of a particle's velocity there: what it has at its place would hold back rolling drops.
 */
static real3 slip_at_wall(const fluid *f, int i, const mirror *m)
{
    real4 affine[DIM];
    for (int a = 0; a < DIM; a++) affine[a] = f->a.affine[a][i];
    real3 liquid = real3_madd(real3_of(f->a.v[i]), -m->s * f->dx, matrix_times(affine, m->n));
    return real3_across(real3_madd(liquid, (real)-0.5, real3_add(m->velocity, m->beyond)), m->n);
}

void rub_walls(int begin, int end, void *context)
{
    fluid local = *(const fluid *)context, *f = &local;
    f->modulus = f->bulk, f->implicit.viscosity = false; /* stresses of whatever is implicit too */
    for (int k = begin; k < end; k++) {
        owner *o = &f->points.owners[k];
        real4 *v = &f->a.v[o->slot], *x = &f->a.x[o->slot];
        for (int j = 0; j < o->wall_count; j++) {
            const wall_seen *wall = &o->wall[j];
            mirror m;
            if (!(wall->friction > 0) || !mirror_of(f, o, j, *x, &m)) continue;
            real most = wall->friction * normal_impulse(f, o, j, &m);
            if (!(most > 0)) continue;
            real3 slip = slip_at_wall(f, o->slot, &m);
            real share = contact_friction(slip, most);
            add_push(o, j, -share * mass_of(f, o->slot), *x, real4_of(slip, 0));
            v->x -= share * slip.x, v->y -= share * slip.y, v->z -= share * slip.z;
            x->x -= f->dt * share * slip.x, x->y -= f->dt * share * slip.y, x->z -= f->dt * share * slip.z;
        }
    }
}
