/* The clock: frames, and what changes in them, divided into steps; solids placed before each, emitters and the guard
 * after it. */
#include "base/parallel.h"
#include "sim/drift.h"
#include "sim/outflow.h"
#include "sim/simulation.h"

#include <stdio.h>
#include <string.h>

/* More steps than this to a frame's end mean that a limit has collapsed. */
#define MAX_STEPS_AHEAD 1e8
/* A particle farther than this many sizes of the scene from its centre has run away. */
#define RUNAWAY_SIZES 1e4

/* --- the guard --- */

typedef struct guard {
    const dew_simulation *s;
    double reach2;
} guard;

static bool is_bad(const guard *g, int i)
{
    real4 x = g->s->particles.position[i], v = g->s->particles.velocity[i];
    dew_vec3 c = g->s->centre;
    double dx = x.x - c.x, dy = x.y - c.y, dz = x.z - c.z;
    double speed2 = (double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z;
    return !(dx * dx + dy * dy + dz * dz < g->reach2) || !(speed2 < INFINITY);
}

static void count_bad(int begin, int end, void *context, double *sums)
{
    int bad = 0;
    for (int i = begin; i < end; i++) bad += is_bad(context, i);
    sums[0] += bad;
}

static dew_result guard_failure(const guard *g, int count)
{
    const dew_simulation *s = g->s;
    const particles *p = &s->particles;
    int first = -1;
    for (int i = 0; i < p->count; i++) {
        if (is_bad(g, i) && (first < 0 || p->id[i] < p->id[first])) first = i;
    }
    real4 x = p->position[first], v = p->velocity[first];
    bool has_place = isfinite(x.x) && isfinite(x.y) && isfinite(x.z);
    bool has_velocity = isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
    const char *what = !has_velocity ? "its velocity is not a number"
                       : !has_place  ? "its position is not a number"
                                     : "it has run away from the scene";
    return result_fail(DEW_FAILED,
                       "the run failed at time %.6g s (step %lld, frame %d): particle %d: %s: position (%g, %g, %g) m, "
                       "velocity (%g, %g, "
                       "%g) m/s; %d particle%s in all.\n"
                       "Likely cause: %s.\n"
                       "What to change: %s, or resume from the last checkpoint with a smaller step.",
                       s->time, (long long)s->steps, s->frame, p->id[first], what, (double)x.x, (double)x.y,
                       (double)x.z, (double)v.x, (double)v.y, (double)v.z, count, count == 1 ? "" : "s",
                       has_place && has_velocity
                           ? "nothing stops the liquid there (an open axis, a gap in a solid), or the step was too "
                             "long for it"
                           : "the step was too long for the forces on it, or a solid moves too fast",
                       has_place && has_velocity
                           ? "close the domain with walls, lower the step's safety factor (cfl) of the method"
                           : "lower the step's safety factor (cfl) of the method, raise viscosity, slow the solids");
}

static dew_result guard_bodies(const guard *g)
{
    const dew_simulation *s = g->s;
    for (int k = 0; k < solids_count(s->w.solids); k++) {
        if (!solids_is_body(s->w.solids, k) || solids_is_removed(s->w.solids, k)) continue;
        solid_stand b = solids_stand(s->w.solids, k);
        dew_vec3 way = vec3_sub(b.centre, s->centre);
        bool is_number = isfinite(vec3_length(b.velocity)) && isfinite(vec3_length(b.spin)) &&
                         isfinite(vec3_length(b.centre)) && isfinite(vec3_length(b.rotation));
        if (is_number && vec3_dot(way, way) < g->reach2) continue;
        return result_fail(
            DEW_FAILED,
            "the run failed at time %.6g s (step %lld, frame %d): the body '%s' %s: centre (%g, %g, %g) m, velocity "
            "(%g, %g, %g) m/s, spin (%g, %g, %g) 1/s.\n"
            "Likely cause: %s.\n"
            "What to change: %s, or resume from the last checkpoint with a smaller step.",
            s->time, (long long)s->steps, s->frame, solids_info(s->w.solids, k, 0).name,
            is_number ? "has flown away from the scene" : "moves by what is not a number", b.centre.x, b.centre.y,
            b.centre.z, b.velocity.x, b.velocity.y, b.velocity.z, b.spin.x, b.spin.y, b.spin.z,
            is_number ? "nothing stops it there (an open axis, a gap in a solid)"
                      : "the step was too long for the forces on it, or a joint asks for what cannot be",
            is_number ? "close the domain with walls, give it a floor or a joint"
                      : "lower the step's safety factor (cfl) of the method, look at its joints and motors");
    }
    return DEW_OK;
}

static guard guard_of(const dew_simulation *s)
{
    double reach =
        RUNAWAY_SIZES * s->size + vec3_length(s->w.gravity) * s->time * s->time; /* free fall is no runaway */
    return (guard){s, reach * reach};
}

dew_result simulation_guard(const dew_simulation *s)
{
    guard look = guard_of(s);
    RESULT_TRY(guard_bodies(&look)); /* first: one that is no number takes the liquid with it */
    double bad = 0;
    parallel_sum(s->particles.count, 1, count_bad, &look, &bad);
    return bad > 0 ? guard_failure(&look, (int)bad) : DEW_OK;
}

/* A motion whose expression is no number at some time. */
static dew_result check_motions(const dew_simulation *s, double time)
{
    for (int k = 0; k < solids_count(s->w.solids); k++) {
        if (solids_is_body(s->w.solids, k) || solids_is_removed(s->w.solids, k)) continue;
        solid_stand at = solids_stand(s->w.solids, k);
        if (isfinite(vec3_length(at.centre)) && isfinite(vec3_length(at.rotation)) &&
            isfinite(vec3_length(at.velocity)))
            continue;
        return result_fail(DEW_FAILED,
                           "the run failed at time %.6g s: the motion of the solid '%s' is not a number there.\n"
                           "What to change: its expressions, so that they have a value at all times from 0 to the end.",
                           time, solids_info(s->w.solids, k, 0).name);
    }
    return DEW_OK;
}

/* --- one step --- */

static dew_result fail_to_step(const dew_simulation *s, double limit)
{
    char cause[160] = "a particle or a solid has become very fast";
    const char *change = "lower the step's safety factor (cfl) of the method, raise viscosity or slow the solids";
    double speed;
    int fastest = solids_fastest(s->w.solids, s->time, s->w.frame_interval, &speed);
    if (strncmp(s->w.limit, "elastic", 7) == 0) {
        snprintf(cause, sizeof cause, "the material is too stiff for this spacing");
        change = "take a lower modulus or a coarser spacing";
    } else if (speed > world_largest_speed(&s->w)) {
        snprintf(cause, sizeof cause, "the solid '%s' has become very fast, %g m/s",
                 solids_info(s->w.solids, fastest, 0).name, speed);
        change = "look at its motion, or of a body at its joints and motors";
    }
    return result_fail(DEW_FAILED,
                       "the run failed at time %.6g s: the largest safe step has fallen to %g s (limit: %s).\n"
                       "Likely cause: %s.\n"
                       "What to change: %s.",
                       s->time, limit, s->w.limit, cause, change);
}

/* Divides the time that is left into equal steps no longer than the method's limit; *is_last: one is enough. */
static dew_result choose_step(dew_simulation *s, double left, double *dt, bool *is_last)
{
    s->w.limit = "frame";
    double limit = s->method->max_time_step ? s->method->max_time_step(s->state, &s->w) : INFINITY;
    if (!(limit > 0) || left / limit > MAX_STEPS_AHEAD) return fail_to_step(s, limit);
    double steps = fmax(1, ceil(left / limit * (1 - 1e-9)));
    *is_last = steps == 1;
    *dt = left / steps;
    s->time_step = *dt;
    s->limit = s->w.limit;
    return DEW_OK;
}

/* From its beginning to *after, in the frame that the liquid has entered; dt stays 0 if it has none. */
static dew_result step_in_frame(dew_simulation *s, drift *frame, double end, double *dt, double *after)
{
    world *w = &s->w;
    bool is_last = false;
    RESULT_TRY(choose_step(s, end - s->time, dt, &is_last));
    if (!drift_may_last(frame, w, *dt)) {
        drift_return(frame, w, 0);
        *frame = (drift){.gravity = w->gravity, .is_alone = false}, *dt = 0;
        RESULT_TRY(choose_step(s, end - s->time, dt, &is_last));
    }
    bool is_watched = s->steps == 0 || (is_last && watch_is_due(&s->watch, s->steps + 1));
    if (is_watched && s->method->own_viscosity) s->watch.record.own_viscosity = s->method->own_viscosity(s->state, w);
    *after = is_last ? end : s->time + *dt;
    solids_place(w->solids, s->time, *after);
    RESULT_TRY(check_motions(s, *after));
    w->time = s->time;
    w->held_count = emitters_list_held(s->emitters, s->emitter_count, s->held);
    memset(s->particles.brought_back, 0, sizeof s->particles.brought_back);
    size_t mark = arena_mark(w->scratch);
    dew_result result = s->particles.count > 0 ? s->method->step(s->state, w, *dt) : DEW_OK;
    arena_release(w->scratch, mark);
    if (result == DEW_OK) return DEW_OK;
    guard look = guard_of(s);
    result = result_within(result, "the run failed at time %.6g s: ", s->time);
    return guard_bodies(&look) == DEW_OK ? result : DEW_FAILED; /* told: a body that took the liquid with it */
}

static dew_result take_step(dew_simulation *s, double end)
{
    world *w = &s->w;
    s->is_canonical = false;
    look_ahead_forget(s);
    double dt = 0, begin = s->time, after = begin;
    drift frame = drift_of(w, s->emitter_count > 0);
    drift_leave(&frame, w);
    dew_result result = step_in_frame(s, &frame, end, &dt, &after);
    drift_return(&frame, w, dt);
    if (result != DEW_OK) return result;
    world_advance_bodies(w, dt);
    solids_note_leaving(w->solids, &w->domain, after);
    solids_note_crushed(w->solids, after);
    s->time = w->time = after;
    s->steps++;
    watch_step(&s->watch, w, after - begin);
    bool is_full;
    inflow in;
    RESULT_TRY(emitters_advance(s->emitters, s->emitter_count, w, begin, after, s->max_particles, &is_full, &in));
    watch_inflow(&s->watch, &in);
    outflow out;
    RESULT_TRY(outflow_take(w, &out));
    watch_outflow(&s->watch, &out);
    if (is_full) {
        snprintf(s->notice, sizeof s->notice,
                 "an emitter stopped at %.6g s: there are %d particles, max_particles is %d", after, s->particles.count,
                 s->max_particles);
    }
    return simulation_guard(s);
}

static double frame_time(const dew_simulation *s, int frame) { return frame / s->frame_rate; }

dew_result dew_simulation_advance(dew_simulation *s, double time, dew_step_fcn *after_step, void *context)
{
    if (!isfinite(time) || time < s->time) {
        return result_fail(DEW_INVALID, "cannot advance from %g s to %g s", s->time, time);
    }
    parallel_set_threads(s->threads);
    s->watch.is_peeked = false;
    if (s->watch.record.is_begun == 0) RESULT_TRY(watch_begin(&s->watch, dew_simulation_frame(s)));
    /* Times within rounding of each other are the same: no step is made between them. */
    double least = changes_least_time(s->frame_rate);
    while (time - s->time > least) {
        RESULT_TRY(changes_make(s));
        double frame_end = frame_time(s, s->frame + 1), end = time > frame_end - least ? frame_end : time;
        RESULT_TRY(take_step(s, changes_next(s) < end - least ? changes_next(s) : end));
        if (s->time == frame_end) {
            /* What follows must not depend on what came before but through the particles: see snapshot.h. */
            s->frame++;
            s->is_canonical = true;
            neighbours_invalidate(s->w.neighbours);
            RESULT_TRY(watch_frame(&s->watch, dew_simulation_frame(s), s->steps, false));
        }
        if (after_step && !after_step(context, s)) break;
    }
    return DEW_OK;
}

dew_result dew_simulation_advance_frame(dew_simulation *s, dew_step_fcn *after_step, void *context)
{
    return dew_simulation_advance(s, frame_time(s, s->frame + 1), after_step, context);
}
