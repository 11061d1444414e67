/* Trials: scenes as a user writes them first, judged by what is right. Each is a law of the group `trials`: its targets
 * are rows of table.c, its data a `trial`, and trial_run() runs them all. */
#ifndef LAWS_TRIALS_TRIAL_H
#define LAWS_TRIALS_TRIAL_H

#include "../law.h"
#include "../measure.h"

/* What is measured at each sample where no quantity gives it. NaN: there is none. */
typedef double trial_probe(const dew_simulation *simulation);

typedef struct trial_figure trial_figure;
/* A number made of the samples; NaN where they do not tell it. `of` says when, and what `number` is. */
typedef double trial_reduction(const series *samples, const trial_figure *of);

/* How a figure is measured: the `how` of its law_target, whose `right` is NaN where the trial's reference gives it. */
struct trial_figure {
    const char *quantity; /* "height", "front_position.x_max"; NULL: `probe` */
    trial_probe *probe;
    trial_reduction *reduce;
    double from, to; /* of the samples that count, s */
    double number;   /* by the reduction: see there */
    bool is_watched; /* none of these: what the run has watched itself, by the target's fault */
};

typedef struct trial {
    const char *scene;     /* the file's text */
    double duration;       /* to run, s; 0: the scene's */
    int samples;           /* evenly over that time, besides the first */
    const char *reference; /* a setting: the scene with it gives figures their right value; NULL: none */
} trial;

/* law.run of every trial. */
dew_result trial_run(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                     law_results *results);

/* Options of every trial. */
enum { TRIAL_OPTIONS = 2 };
extern const law_option trial_options[TRIAL_OPTIONS];

/* The figures: over the samples from `from` to `to`, of which at least half must be numbers, or NaN. */
trial_reduction trial_mean, trial_most, trial_last;
/* When the samples first reach `number`, s. */
trial_reduction trial_reached;
/* The rate of an exponential decay to 0, 1/s. */
trial_reduction trial_rate;
/* omega and beta of a decaying wave, by fit_decay from omega = `number`, 1/s. */
trial_reduction trial_omega, trial_beta;
/* The mean of sample/sqrt(t). */
trial_reduction trial_root;

/* Splits "quantity" or "quantity.suffix": the quantity's name, for which `name` has room for 64, and which of its
 * columns; -1: there is no such. */
int trial_column(const char *text, char *name);

#endif
