#include "methods/mpm/any/rigid.h"

#include "particles/bodies.h"

enum { SUM_MASS, SUM_PLACE, SUM_MOMENTUM = SUM_PLACE + 3, RIGID_SUMS = SUM_MOMENTUM + 3 };
enum { SUM_SQUARE, SUM_SPIN = SUM_SQUARE + 6, TURN_SUMS = SUM_SPIN + 3 };

typedef struct turning {
    const fluid *f;
    const double *centre, *velocity;
} turning;

/* Where a node is from `from`, in cells. */
static void arm_of(const fluid *f, int node, const double from[3], double arm[3])
{
    int at[DIM];
    local_of(node % CELLS, at);
    for (int a = 0; a < 3; a++) arm[a] = a < DIM ? f->g.first[node / CELLS].at[a] + at[a] - from[a] : 0;
}

static void sum_masses(int begin, int end, void *context, double *sums)
{
    const fluid *f = context;
    const double origin[3] = {0, 0, 0};
    for (int k = begin; k < end; k++) {
        const double mass = (double)f->node[k].w;
        double x[3];
        if (!(mass > 0)) continue;
        arm_of(f, k, origin, x);
        sums[SUM_MASS] += mass;
        for (int a = 0; a < 3; a++) {
            sums[SUM_PLACE + a] += mass * x[a];
            sums[SUM_MOMENTUM + a] += mass * (double)(&f->node[k].x)[a];
        }
    }
}

static void sum_turns(int begin, int end, void *context, double *sums)
{
    const turning *t = context;
    for (int k = begin; k < end; k++) {
        const double mass = (double)t->f->node[k].w;
        double x[3], v[3];
        if (!(mass > 0)) continue;
        arm_of(t->f, k, t->centre, x);
        for (int a = 0; a < 3; a++) v[a] = (double)(&t->f->node[k].x)[a] - t->velocity[a];
        for (int a = 0; a < 3; a++) {
            const int b = (a + 1) % 3, c = (a + 2) % 3;
            sums[SUM_SQUARE + a] += mass * x[a] * x[a];
            sums[SUM_SQUARE + 3 + a] += mass * x[b] * x[c];
            sums[SUM_SPIN + a] += mass * (x[b] * v[c] - x[c] * v[b]);
        }
    }
}

rigid_motion nodes_rigid_motion(fluid *f)
{
    rigid_motion r = {.turn = {0, 0, 0}};
    double sums[RIGID_SUMS], turns[TURN_SUMS];
    const int count = f->g.block_count * CELLS;
    parallel_sum(count, RIGID_SUMS, sum_masses, f, sums);
    if (!(sums[SUM_MASS] > 0)) return r;
    for (int a = 0; a < 3; a++) {
        r.centre[a] = sums[SUM_PLACE + a] / sums[SUM_MASS];
        r.velocity[a] = a < DIM && f->g.is_mirrored[a] ? 0 : sums[SUM_MOMENTUM + a] / sums[SUM_MASS];
    }
    if (f->g.is_periodic || f->g.has_planes) return r; /* what turns is torn there */
    parallel_sum(count, TURN_SUMS, sum_turns, &(turning){f, r.centre, r.velocity}, turns);
    const double inertia = turns[SUM_SQUARE] + turns[SUM_SQUARE + 1];
    if (DIM == 3)
        bodies_turn(turns + SUM_SQUARE, turns + SUM_SPIN, r.turn);
    else if (inertia > 0)
        r.turn[2] = turns[SUM_SPIN + 2] / inertia;
    return r;
}

vquad rigid_velocity(const fluid *f, const rigid_motion *r, int node)
{
    double x[3];
    vquad v = quad_set(0);
    arm_of(f, node, r->centre, x);
    for (int a = 0; a < DIM; a++) {
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        v[a] = (real)(r->velocity[a] + r->turn[b] * x[c] - r->turn[c] * x[b]);
    }
    return v;
}
