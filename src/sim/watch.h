/* A simulation watches itself, whatever its method: density, energy, momentum, mass, dissipation and loose liquid,
 * against what came in and went out. docs/watching.md has the formulas and what they are good for. */
#ifndef SIM_WATCH_H
#define SIM_WATCH_H

#include "base/result.h"
#include "dew/simulation.h"
#include "sim/emitters.h"
#include "sim/outflow.h"

/* Balances averaged over a quarter of the capillary time need so many of them at most. */
enum { WATCH_RECENT = 16 };
/* What meshes by which a rise of energy is looked at again tell of the liquid as it is: of the stored energy, less what
 * the usual one does (J); of the volume within, over its. */
enum { WATCH_OTHER_LOOKS = 3 };
typedef struct other_meshes {
    double stored[WATCH_OTHER_LOOKS], enclosed[WATCH_OTHER_LOOKS];
} other_meshes;

/* What is followed from step to step and from look to look. Doubles alone: a snapshot keeps it as one array. */
typedef struct watch_record {
    double is_begun;
    /* At the start. */
    double mass, momentum[3], energy, potential;
    double stored, excess; /* energy of the surface and of elastic strain, and above that at rest */
    double drift, motion;  /* kinetic energy of the centre of mass, and in its frame */
    double weight;         /* what potential energy there is above the lowest place of the liquid */
    other_meshes others;   /* then */
    /* Since then: of emitters; what has flowed out; of gravity; given to solids; work of solids, and the part of it
     * that was done on the liquid. */
    double mass_in, momentum_in[3], energy_in, potential_in;
    /* What heat did to the surface by changing its tension, to the last look, and the sum of its sizes. */
    double heated, heated_most;
    double count_out, mass_out, momentum_out[3], energy_out, potential_out;
    double momentum_of_gravity[3], momentum_given[3], work, work_done;
    double released, relaxed, stopped; /* the most that potential energy, the stored one and drift have fallen by */
    double dissipated, rate, rate_time;
    double sample_step, look_step; /* when these were last taken */
    double looks;                  /* how many have been */
    double largest_momentum;       /* sum of m |v| */
    double own_viscosity;          /* that the method added at the first step and at the last before a look, m2/s */
    double lowest;                 /* the least that the averaged balance of energy has been */
    double recent_count, recent_time[WATCH_RECENT], recent_balance[WATCH_RECENT];
    double now[DEW_WATCHED], worst[DEW_WATCHED], worst_time[DEW_WATCHED], is_beyond[DEW_WATCHED];
} watch_record;
enum { WATCH_VALUES = sizeof(watch_record) / sizeof(double) };

/* What a change to the scene alters at once, J; potential with what bodies are released with. */
typedef struct watch_change_state {
    double potential, stored;
    other_meshes others;
} watch_change_state;

typedef struct watch {
    watch_record record;
    watch_record peeked; /* what a look besides those of the course has found */
    bool is_peeked;
    watch_change_state before; /* a change */
    dew_watch_def limits;
    int look_steps; /* from look to look: of the method */
    const particles *particles;
    int tension_field; /* of tensions as they were at the last look; -1: tension never changes */
} watch;

/* A field that the particles need where a material's tension changes. */
extern const field_info watch_tension_field;

extern const char *const watch_names[DEW_WATCHED], *const watch_sentences[DEW_WATCHED];

/* At the start of a run, before its first step. */
dew_result watch_begin(watch *w, const dew_frame *frame);
/* After a step: what gravity, solids and periodic faces did in it. */
void watch_step(watch *w, const world *in, double dt);
/* Whether a look follows at the end of a frame that so many steps lead to. */
bool watch_is_due(const watch *w, int64_t steps);
/* What emitters brought, after the step. */
void watch_inflow(watch *w, const inflow *in);
/* What has left, after the step. The surface that goes with it is taken for lost: what a plane cuts off has more of it
 * than the cut, so that energy falls and no rise is seen where there is none. */
void watch_outflow(watch *w, const outflow *out);
/* Before a change is made to the scene, and after it (`is_made`): what energy it brings comes from outside. */
dew_result watch_change(watch *w, const dew_frame *frame, bool is_made);
/* At a frame's end: looks if it is time for it, by the number of steps; `is_now`: in any case. */
dew_result watch_frame(watch *w, const dew_frame *frame, int64_t steps, bool is_now);
/* Looks now and keeps what it finds apart from the course. */
dew_result watch_peek(watch *w, const dew_frame *frame, int64_t steps);
/* The quantities energy_balance, momentum_balance, mass_balance, dissipation and outflow; false where it is none of
 * them, or cannot be told. */
bool watch_measure(const watch *w, const dew_frame *frame, const char *quantity, double *values);

#endif
