/* Pressure and tension do not turn a body about an axis about which it looks the same, and what the mesh's unevenness
 * makes of lines there is noise (a coin on water spun up by it). What a body so does not take turns all liquid next to
 * it as one, so that angular momentum stays: left where it came about it stirred what lies around a ball (law
 * `floating_sphere` -20 to +35 % for +0.2 to +8 %, with a gain of 0.02). */
#include "base/matrix.h"
#include "methods/flow/flow.h"

/* Of the sum's trace cubed, below which its determinant leaves no way to turn. */
#define FAINT 1e-9

void flow_push_solid(const flow_step *k, int i, push_kind kind, int solid, real3 impulse, solid_pushes *to)
{
    solids_push(to, kind, solid, real3_of(k->x[i]), impulse);
    solids_take_idle(k->w->solids, solid, real3_of(k->x[i]), impulse, to);
}

typedef struct whirl {
    flow_step *k;
    int solid;
    real3 centre, spin;
} whirl;

enum { WHIRL_MASS = 6, WHIRL_X, WHIRL_SUMS = WHIRL_X + 3 };

static bool is_of_whirl(const whirl *m, int i)
{
    return near_walls_has(&m->k->near, i) && m->k->near.solid[NEAR_WALLS * i] == m->solid;
}

/* About `centre`: what resists turning, yy + zz and so on, then -yz, -zx, -xy; mass, mass times place. */
static void sum_whirl(int begin, int end, void *context, double *sums)
{
    const whirl *m = context;
    for (int i = begin; i < end; i++) {
        if (!is_of_whirl(m, i)) continue;
        real3 r = real3_sub(real3_of(m->k->x[i]), m->centre);
        double mass = (double)flow_mass(m->k, i), x[3] = {(double)r.x, (double)r.y, (double)r.z};
        for (int a = 0; a < 3; a++) {
            int b = (a + 1) % 3, c = (a + 2) % 3;
            sums[a] += mass * (x[b] * x[b] + x[c] * x[c]), sums[3 + a] -= mass * x[b] * x[c];
            sums[WHIRL_X + a] += mass * x[a];
        }
        sums[WHIRL_MASS] += mass;
    }
}

static void add_whirl(int begin, int end, void *context)
{
    const whirl *m = context;
    for (int i = begin; i < end; i++)
        if (is_of_whirl(m, i)) real4_add(&m->k->v[i], real3_cross(m->spin, real3_sub(real3_of(m->k->x[i]), m->centre)));
}

void flow_turn_around_bodies(flow_step *k)
{
    for (int n = 0; k->near.wall && n < solids_count(k->w->solids); n++) {
        dew_vec3 idle = solids_idle(k->w->solids, n), at = solids_stand(k->w->solids, n).centre;
        if (!(vec3_length(idle) > 0)) continue;
        whirl m = {k, n, {(real)at.x, (real)at.y, (real)at.z}, {0, 0, 0}};
        double sums[WHIRL_SUMS], spin[3];
        parallel_sum(k->count, WHIRL_SUMS, sum_whirl, &m, sums);
        if (!(sums[WHIRL_MASS] > 0)) continue;
        double over = 1 / sums[WHIRL_MASS];
        m.centre = real3_add(m.centre, (real3){(real)(over * sums[WHIRL_X]), (real)(over * sums[WHIRL_X + 1]),
                                               (real)(over * sums[WHIRL_X + 2])});
        parallel_sum(k->count, WHIRL_SUMS, sum_whirl, &m, sums);
        if (!matrix_solve_symmetric(sums, (double[]){idle.x, idle.y, idle.z}, FAINT, spin)) continue;
        m.spin = (real3){(real)spin[0], (real)spin[1], (real)spin[2]};
        parallel_for(k->count, 4096, add_whirl, &m);
    }
}
