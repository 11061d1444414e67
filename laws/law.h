/* A law of physics as a judge of methods: a set-up made through the public interface, a measurement, a theory. One law
 * = one folder laws/<law>/ and one line in registry.c; which methods it judges follows from their features. */
#ifndef LAWS_LAW_H
#define LAWS_LAW_H

#include "dew/dew.h"

#include <math.h>

typedef enum law_resolution { LAW_COARSE, LAW_MEDIUM, LAW_FINE, LAW_RESOLUTIONS } law_resolution;
extern const char *const law_resolution_names[LAW_RESOLUTIONS]; /* "coarse", "medium", "fine" */

/* What a law is about: tables are grouped by it. */
typedef enum law_group {
    LAW_STATICS,      /* liquid at rest */
    LAW_WAVES,        /* what swings */
    LAW_WALLS,        /* flow along walls, lines that move */
    LAW_THREADS,      /* necks, films and threads, and what becomes of them */
    LAW_JETS,         /* liquid that comes in */
    LAW_HEAT,         /* temperature, and what it does to tension and phase */
    LAW_CONSERVATION, /* what must not change, or not grow */
    LAW_TRIALS,       /* scenes that a user writes first */
    LAW_GROUPS
} law_group;
extern const char *const law_group_names[LAW_GROUPS]; /* "statics", ... */

/* How far a measured value is from theory: (measured - theory)/theory, or measured - theory where theory may be zero or
 * the value is an angle. A value passes when |error| <= target. */
typedef enum law_error { LAW_RELATIVE, LAW_ABSOLUTE, LAW_DEGREES } law_error;

/* What goes wrong where a figure is missed: what a run can see of itself, or `other`, which only a comparison shows. */
typedef enum law_fault {
    LAW_OTHER,
    LAW_DENSITY_FAULT,
    LAW_ENERGY_FAULT,
    LAW_DISSIPATION_FAULT,
    LAW_MOMENTUM_FAULT,
    LAW_MASS_FAULT,
    LAW_LOOSE_LIQUID_FAULT,
    LAW_RESOLUTION_FAULT,
    LAW_FAULTS
} law_fault;
extern const char *const law_fault_names[LAW_FAULTS]; /* "other", "density", ... */

/* A figure that the law measures. Target per resolution. */
typedef struct law_target {
    const char *quantity; /* "frequency" */
    const char *unit;     /* of measured and theory; "1" for a pure number */
    law_error error;
    double target[LAW_RESOLUTIONS];
    const char *sentence;
    law_fault fault; /* of a method that misses the figure */
    const void *how; /* for the law's own use: of a row that says how it is measured */
    double right;    /* in such a row, the theory; NaN: it is measured too */
} law_target;

/* How a value follows the spacing where a law is run with a finer one (law_settings.is_fine). */
typedef enum law_scale {
    LAW_FIXED,       /* it does not */
    LAW_COUNT,       /* a number of particles */
    LAW_PLANE_COUNT, /* a number of particles in two dimensions, of a law that has three too */
    LAW_SPACINGS,    /* a length in spacings */
    LAW_SPACING      /* a spacing */
} law_scale;
#define LAW_FINER 0.7 /* a fine spacing over the law's own */

/* A value of the law's set-up that --set can replace. */
typedef struct law_option {
    const char *name;
    const char *unit;
    double value[LAW_RESOLUTIONS]; /* default per resolution; NaN: decided by the law, as the sentence says */
    const char *sentence;
    law_scale scale;
} law_option;

/* Entries of option tables that most laws have: how much of what liquid, in how many particles. law_liquid() reads
 * them. Where the viscosity follows from the size: LAW_OHNESORGE, and LAW_VISCOSITY(NAN), which can replace it. */
#define LAW_PARTICLES(coarse, medium, fine)                                                                            \
    "particles", "1", {coarse, medium, fine}, "particles of the liquid, about", LAW_COUNT
#define LAW_PLANE_PARTICLES(coarse, medium, fine)                                                                      \
    "plane_particles", "1", {coarse, medium, fine}, "the same in two dimensions", LAW_PLANE_COUNT
#define LAW_RADIUS(of) "radius", "m", {1e-3, 1e-3, 1e-3}, of, LAW_FIXED
#define LAW_DENSITY "density", "kg/m3", {1000, 1000, 1000}, "of the liquid", LAW_FIXED
#define LAW_SURFACE_TENSION "surface_tension", "N/m", {0.072, 0.072, 0.072}, "of the liquid", LAW_FIXED
#define LAW_VISCOSITY(mu) "viscosity", "Pa s", {mu, mu, mu}, "of the liquid", LAW_FIXED
#define LAW_OHNESORGE(oh) "ohnesorge", "1", {oh, oh, oh}, "mu/sqrt(rho gamma R): sets the viscosity", LAW_FIXED

/* What the user set, and how to run. */
typedef struct law_settings {
    const char *const *texts; /* "key=value": key an option of the law (value for each resolution: 1/2/3), or
                                 METHOD.PARAMETER */
    int count;
    int threads;           /* 0: all cores */
    bool is_fine;          /* options that decide the spacing are changed so that it is LAW_FINER of what it was */
    int filling;           /* dew_simulation_def.filling */
    const struct law *law; /* that is being run */
    /* Told now and then what is being done (`part` in 0..1 of the law); may be NULL. */
    void (*progress)(void *context, const char *what, double part);
    /* Shown a simulation worth a picture, with a caption; NULL where nobody looks. */
    void (*show)(void *context, const dew_simulation *simulation, const char *caption);
    void *context;
} law_settings;

typedef struct law_result {
    const struct law *law;    /* whose figure it is */
    const law_target *target; /* what was measured */
    char label[64];           /* which case of several: "60 deg, plane, from below"; "" where there is one */
    int particles;
    double measured, theory, error;
    double limit; /* the target at this resolution */
    bool has_passed;
    bool is_watched, has_warned; /* the run follows the figure's fault itself; it has warned of that */
    double cpu_seconds;          /* of the case, on all threads together */
} law_result;

/* How a curve is drawn: what was measured as a line (a series in time) or as points, theory as a thin line. */
typedef enum law_curve_kind { LAW_CURVE_MEASURED, LAW_CURVE_POINTS, LAW_CURVE_THEORY } law_curve_kind;

typedef struct law_curve {
    char label[64];
    law_curve_kind kind;
    int count;
    double *x, *y; /* NaN: a gap */
} law_curve;

/* A plot for the report. */
typedef struct law_plot {
    char title[96], x_label[64], y_label[64];
    bool has_equal_axes; /* a shape: as long in x as in y */
    law_curve *curves;
    int curve_count;
} law_plot;

/* A figure that the method cannot be judged by though it can by the law's others, and for want of what: "walls that
 * hold liquid". */
typedef struct law_absent {
    const law_target *target;
    const char *lacks;
} law_absent;

enum { LAW_ABSENT = 4 };
typedef struct law_results {
    law_result *list; /* freed by law_results_free */
    int count, capacity;
    law_absent absent[LAW_ABSENT];
    int absent_count;
    law_plot *plots; /* the same */
    int plot_count;
    int error_count; /* results that could not be kept for want of memory */
} law_results;

/* A law's measurement in one dimension (2, 3); `share` of the law's work comes after `part` of it. */
typedef dew_result law_measure_fcn(const dew_method_info *method, law_resolution resolution,
                                   const law_settings *settings, int dimension, double part, double share,
                                   law_results *results);

typedef struct law {
    const char *name;
    law_group group;
    const char *title;
    const char *physics;  /* a paragraph: what happens and why */
    const char *equation; /* the law itself, in plain text: "omega^2 = 8 gamma/(rho R^3)" */
    unsigned features;    /* of dew_feature, that a method must have */
    unsigned either;      /* of which it must have one; 0: none */
    const law_target *targets;
    int target_count;
    const law_option *options;
    int option_count;
    bool breaks_up;   /* liquid parts by itself: single particles that come off then do not count */
    const void *data; /* for the law's own use */
    /* Measures and adds a result for each target (and case). Settings were checked by law_settings_check. On failure
     * dew_message() says why; results found before stay. */
    dew_result (*run)(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                      law_results *results);
    law_measure_fcn *measure; /* the same where there is no `run`: in each dimension that the method has */
} law;

/* Every law, in the order they are shown: group by group, in the order of law_group; NULL at the end. */
extern const law *const law_registry[];
const law *law_find(const char *name);
/* Runs a law. To its results it adds what its simulations have seen of themselves, at all times, each the worst of all:
 * figures of the law `watch`, whose cases are the laws. Trials have rows of their own for these. */
dew_result law_run(const law *l, const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                   law_results *results);
extern const law law_watch;
/* By how much a run may be off in what every law and trial is held to, in the order of dew_watched_quantity. */
extern const law_target law_watch_targets[];
/* What was farthest from 0; NaN: the run could not tell it. */
double law_worst(const dew_watched *watched);

/* The features for want of which a method cannot do it; 0: it can. */
unsigned law_lacks(const law *l, const dew_method_info *method);

/* Whether every setting is an option of at least one of the laws, or a parameter of a method, with a readable value. On
 * DEW_INVALID every mistake is in `message`, one a line. */
dew_result law_settings_check(const law_settings *settings, const law *const *laws, int law_count, char *message,
                              size_t size);

/* --- for use by laws --- */

/* The value of the law's option at this resolution, or what the user set; finer where that is asked for. */
double law_option_value(const law *l, const law_settings *settings, law_resolution resolution, const char *name);
/* At most `capacity` parameters of the method as the user set them, for dew_simulation_def.parameters. The texts belong
 * to the settings. */
int law_parameters(const law_settings *settings, const char *method, dew_parameter_value *values, int capacity);
/* Adds the figure `quantity` of the law; computes its error and whether it passes. */
void law_add(law_results *results, const law *l, law_resolution resolution, const char *quantity, const char *label,
             int particles, double measured, double theory, double cpu_seconds);
/* Says that the figure is n/a, for want of this; the text must stay. */
void law_add_absent(law_results *results, const law *l, const char *quantity, const char *lacks);
/* Begins a plot; curves are added to the plot begun last. Texts and numbers are copied; want of memory is counted in
 * error_count. */
void law_plot_begin(law_results *results, const char *title, const char *x_label, const char *y_label);
void law_plot_equal_axes(law_results *results);
void law_plot_curve(law_results *results, law_curve_kind kind, const char *label, int count, const double *x,
                    const double *y);
/* A picture for the report, where one is made. */
void law_show(const law_settings *settings, const dew_simulation *simulation, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void law_results_free(law_results *results);
void law_report(const law_settings *settings, double part, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Tells how far a run has come, fifty times in all: `share` of the law's work, after `part` of it. */
typedef struct law_progress {
    const law_settings *settings;
    double end; /* of the run, s */
    double part, share;
    double reported; /* 0 at first */
    const char *what;
} law_progress;
void law_report_progress(law_progress *progress, const dew_simulation *simulation);
/* Advances by whole frames, so that no step is cut short by a time between them; ends early when `after_step` (may be
 * NULL) returns false. */
dew_result law_advance(dew_simulation *simulation, int frames, dew_step_fcn *after_step, void *context);
/* CPU time of the process, all threads, but without pictures, s. */
double law_cpu_seconds(void);

/* A definition with the method, its parameters as set, the threads, no gravity, walls and solids on which liquid slips
 * freely, and one liquid material. `space` must live until the simulation has been created. */
enum { LAW_PARAMETERS = 32, LAW_SOLIDS = 4 };
typedef struct law_space {
    dew_parameter_value parameters[LAW_PARAMETERS];
    dew_material_def material;
    dew_liquid_def liquids[2];
    dew_solid_def solids[LAW_SOLIDS];
} law_space;
dew_simulation_def law_definition(const dew_method_info *method, const law_settings *settings, law_space *space);

/* The dimensions in which the method is judged: 3, and 2 where it has both; returns their number. */
int law_dimensions(const dew_method_info *method, int dimensions[2]);
/* A place or direction of a set-up that has two dimensions too: up is z, and y where there are two (across is left
 * out).
 */
dew_vec3 law_place(int dimension, double along, double across, double up);
/* For an axis on which the set-up repeats and is its own mirror image: periodic where the method can, else planes of
 * symmetry, else walls (to be met at 90 degrees, slipping). */
dew_boundary law_repeats(const dew_method_info *method);

/* A tank from the origin on, of a floor (solid 0) and no lid, with these boundaries at the ends along x and, in three
 * dimensions, at the sides. */
void law_tank(dew_simulation_def *def, law_space *space, int dimension, dew_vec3 size, dew_boundary ends,
              dew_boundary sides);

/* Makes solids[index] a rigid ball that slips, met at 90 degrees, so many times as dense as the liquid. */
void law_ball(law_space *space, int index, dew_vec3 centre, double radius, double density_ratio);

/* The liquid as the law's options have it: density, surface tension, and the viscosity, which is mu where the option
 * `viscosity` has a value and Oh sqrt(rho gamma R) where it has none. Returns R, the option `radius`. */
double law_liquid(const law *l, const law_settings *settings, law_resolution resolution, dew_material_def *material);
/* The same of a drop, a ball or a disc: sets the definition's dimension too, and the spacing at which the drop has as
 * many particles as the option `particles` or `plane_particles` says. */
double law_drop(const law *l, const law_settings *settings, law_resolution resolution, int dimension,
                dew_simulation_def *def, dew_material_def *material);
/* An ellipsoid of semi-axes R (1 + a) along z, R (1 - a/2) across, scaled to the ball's volume; in two dimensions an
 * ellipse, R (1 + a) along y and R (1 - a) across, scaled to the disc's area. */
dew_shape_def law_stretched_drop(int dimension, double radius, double a);
/* The label of a case: `what`, after the dimension where that is 2. */
enum { LAW_LABEL = 64 };
void law_label(char label[LAW_LABEL], int dimension, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* sqrt(rho R^3/gamma), s. */
double law_capillary_time(const dew_material_def *material, double radius);
/* Plans `times` capillary times, with `frames` frames in each; returns the number of frames. */
int law_plan(dew_simulation_def *def, double radius, double times, int frames);

#endif
