#include "methods/mpm/any/rounding.h"

#include "methods/mpm/any/stress.h"

void sum_momentum(int begin, int end, void *context, double *sums)
{
    const fluid *f = context;
    for (int i = begin; i < end; i++) {
        double mass = (double)mass_of(f, i);
        sums[MOMENTUM_MASS] += mass;
        for (int a = 0; a < 3; a++) {
            double part = mass * (double)(&f->a.v[i].x)[a];
            sums[a] += part, sums[MOMENTUM_SIZE] += fabs(part);
        }
    }
}

static void add_velocity(int begin, int end, void *context)
{
    const fluid *f = context;
    vquad change = quad_load(&f->owed);
    for (int i = begin; i < end; i++) quad_store(&f->a.v[i], quad_load(&f->a.v[i]) + change);
}

static void sum_pushes(int begin, int end, void *context, double *sums)
{
    const fluid *f = context;
    for (int k = begin; k < end; k++)
        for (int j = 0; j < MOST_WALLS; j++)
            for (int a = 0; a < 3; a++) sums[a] += (double)(&f->points.owners[k].wall[j].push.x)[a];
}

void give_back_rounding(fluid *f, const double before[MOMENTUM_SUMS], double dt)
{
    const double epsilon = sizeof(real) == 8 ? 2.2e-16 : 1.2e-7;
    double after[MOMENTUM_SUMS], g[3] = {f->w->gravity.x, f->w->gravity.y, f->w->gravity.z}, owed[3], pushed[3];
    parallel_sum(f->a.count, MOMENTUM_SUMS, sum_momentum, f, after);
    parallel_sum(f->points.owner_count, 3, sum_pushes, f, pushed);
    double mass = after[MOMENTUM_MASS], most = 100 * epsilon * (after[MOMENTUM_SIZE] / mass + f->p->least_speed);
    for (int k = 0; k < 3; k++)
        owed[k] = k < DIM && f->g.is_mirrored[k]
                      ? 0
                      : fmax(-most, fmin((before[k] + pushed[k] - after[k]) / mass + g[k] * dt, most));
    f->owed = (real4){(real)owed[0], (real)owed[1], (real)owed[2], 0};
    parallel_for(f->a.count, 4096, add_velocity, f);
}
