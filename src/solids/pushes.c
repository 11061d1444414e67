/* What passes over particles give solids: impulses, moments, shifts, summed in blocks of the particles' order, whatever
 * the number of threads. */
#include "base/parallel.h"
#include "solids/inside.h"

#include <string.h>

enum { LEAST_BLOCK = 128 }; /* particles */

typedef struct push_pass {
    solids *s;
    int count, blocks;
    solids_pass *pass;
    void *context;
} push_pass;

static void run_blocks(int begin, int end, void *context)
{
    const push_pass *p = context;
    for (int b = begin; b < end; b++) {
        solid_pushes *to = p->s->pushes + (size_t)b * (size_t)p->s->count;
        memset(to, 0, (size_t)p->s->count * sizeof *to);
        p->pass((int)((long long)p->count * b / p->blocks), (int)((long long)p->count * (b + 1) / p->blocks),
                p->context, to);
    }
}

/* What an impulse about the origin does on what moves so. */
static double work_of(const twist *t, const dew_impulse *p)
{
    dew_vec3 angular = vec3_sub(p->angular, vec3_cross(t->centre, p->linear));
    return vec3_dot(p->linear, t->linear) + vec3_dot(angular, t->angular);
}

void solids_each(solids *s, int count, solids_pass *pass, void *context)
{
    int blocks = (count + LEAST_BLOCK - 1) / LEAST_BLOCK;
    push_pass p = {s, count, blocks < PUSH_BLOCKS ? blocks : PUSH_BLOCKS, pass, context};
    parallel_for(p.blocks, 1, run_blocks, &p);
    for (int k = 0; k < s->count; k++)
        for (int b = 0; b < p.blocks; b++) {
            const solid_pushes *of = &s->pushes[(size_t)b * (size_t)s->count + (size_t)k];
            solid *to = &s->solid[k];
            to->got.step = impulse_add(to->got.step, of->sum), to->got.run = impulse_add(to->got.run, of->sum);
            if (!free_body(to)) s->work -= work_of(&to->twist, &of->sum) + vec3_dot(s->frame, of->sum.linear);
            if (to->body) to->body->state.due = impulse_add(to->body->state.due, of->sum);
            to->shift = vec3_add(to->shift, of->shift), to->shifted += of->shifted;
            to->idle = vec3_add(to->idle, of->idle);
            if (to->body) body_tie(&to->body->tied, of->tied.mass, of->tied.moment, of->tied.square);
            for (int kind = 0; kind < PUSH_KINDS; kind++) to->part[kind] = vec3_add(to->part[kind], of->part[kind]);
        }
}

void solids_push(solid_pushes *to, push_kind kind, int index, real3 point, real3 impulse)
{
    dew_vec3 x = {point.x, point.y, point.z}, p = {impulse.x, impulse.y, impulse.z};
    to[index].sum = impulse_add(to[index].sum, (dew_impulse){p, vec3_cross(x, p)});
    to[index].part[kind] = vec3_add(to[index].part[kind], p);
}

void solids_shift(solid_pushes *to, int index, real mass, real3 way)
{
    to[index].shift = vec3_add(to[index].shift, vec3_scale(mass, (dew_vec3){way.x, way.y, way.z}));
    to[index].shifted += mass;
}

real3 solids_mean_shift(const solids *s, int index)
{
    const solid *b = &s->solid[index];
    dew_vec3 mean = b->shifted > 0 ? vec3_scale(1 / b->shifted, b->shift) : (dew_vec3){0, 0, 0};
    return (real3){(real)mean.x, (real)mean.y, (real)mean.z};
}

void solids_tie(solid_pushes *to, int index, real3 point, double mass)
{
    dew_vec3 x = {point.x, point.y, point.z};
    body_tie(&to[index].tied, mass, vec3_scale(mass, x), mass * vec3_dot(x, x));
}

void solids_turn(solid_pushes *to, int index, real3 moment)
{
    to[index].sum = impulse_add(to[index].sum, (dew_impulse){.angular = {moment.x, moment.y, moment.z}});
}

void solids_take_idle_moment(const solids *s, int index, real3 moment, solid_pushes *to)
{
    const solid *b = &s->solid[index];
    dew_vec3 of = {moment.x, moment.y, moment.z}, idle = {0, 0, 0};
    for (int k = 0; b->body && k < b->body->round_count; k++) {
        dew_vec3 axis = vec3_turned(b->pose.row, b->body->round[k]);
        idle = vec3_add(idle, vec3_scale(vec3_dot(axis, of), axis));
    }
    to[index].sum = impulse_add(to[index].sum, (dew_impulse){.angular = vec3_scale(-1, idle)});
    to[index].idle = vec3_add(to[index].idle, idle);
}

/* About where body.c takes moments about: half way in the step. */
void solids_take_idle(const solids *s, int index, real3 point, real3 impulse, solid_pushes *to)
{
    const solid *b = &s->solid[index];
    if (!b->body || b->body->round_count == 0) return;
    dew_vec3 lever = vec3_scale(0.5, vec3_add(b->body->state.place, vec3_add(b->pose.pivot, b->pose.translation)));
    real3 arm = {(real)((double)point.x - lever.x), (real)((double)point.y - lever.y),
                 (real)((double)point.z - lever.z)};
    solids_take_idle_moment(s, index, real3_cross(arm, impulse), to);
}

dew_vec3 solids_idle(const solids *s, int index) { return s->solid[index].idle; }

void solids_push_together(solid_pushes *to, push_kind kind, int count, const int32_t *which, const real4 *wall,
                          real3 point, real3 impulse)
{
    real3 rest = impulse;
    for (int k = count - 1; k > 0; k--) {
        /* What of its normal is across those of the solids before; little where it faces the same way as one of them.
         */
        real3 axis = real3_across(real3_of(wall[k]), real3_of(wall[0]));
        if (k == 2) axis = real3_across(axis, real3_normalise(real3_across(real3_of(wall[1]), real3_of(wall[0]))));
        real square = real3_dot(axis, axis);
        if (square < (real)0.01) continue;
        real3 part = real3_scale(real3_dot(rest, axis) / square, real3_of(wall[k]));
        solids_push(to, kind, which[k], point, part);
        rest = real3_sub(rest, part);
    }
    solids_push(to, kind, which[0], point, rest);
}

dew_solid_impulse solids_impulse(const solids *s, int index, dew_vec3 about)
{
    dew_solid_impulse got = s->solid[index].got;
    got.step.angular = vec3_sub(got.step.angular, vec3_cross(about, got.step.linear));
    got.run.angular = vec3_sub(got.run.angular, vec3_cross(about, got.run.linear));
    return got;
}

dew_vec3 solids_part(const solids *s, int index, push_kind kind)
{
    const dew_vec3 *part = s->solid[index].part;
    return vec3_length(part[PUSH_WHOLE]) > 0 ? (dew_vec3){NAN, NAN, NAN} : part[kind];
}

double solids_work(const solids *s) { return s->work; }

void solids_forget_impulses(solids *s, double time)
{
    for (int k = 0; k < s->count; k++) s->solid[k].got = (dew_solid_impulse){.since = time};
}
