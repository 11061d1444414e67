/* The trials: scenes, and what is right. Times and values in SI units, or pure numbers where the scene has none. Where
 * a value has bounds it stands in their middle, and the target is half their distance. */
#include "probes.h"

/* How a figure is measured: of a quantity, or by a probe; then the reduction, from when to when, and its number. */
#define OF(quantity, ...)                                                                                              \
    &(const trial_figure) { quantity, NULL, __VA_ARGS__ }
#define BY(probe, ...)                                                                                                 \
    &(const trial_figure) { NULL, probe, __VA_ARGS__ }
/* The farthest from 0 that the run has seen of what the figure's fault is of (docs/watching.md). */
#define WATCHED                                                                                                        \
    &(const trial_figure) { .is_watched = true }
/* As of every law. */
#define DENSITY_KEPT                                                                                                   \
    {                                                                                                                  \
        "density", "1", LAW_ABSOLUTE, ALL(0.01), "of a body, less that at rest, at its worst", LAW_DENSITY_FAULT,      \
            WATCHED, 0                                                                                                 \
    }
#define ENERGY_KEPT                                                                                                    \
    {                                                                                                                  \
        "energy gain", "1", LAW_ABSOLUTE, ALL(0.01), "from nothing, of what there was to give", LAW_ENERGY_FAULT,      \
            WATCHED, 0                                                                                                 \
    }
#define NOTHING_LOOSE                                                                                                  \
    {                                                                                                                  \
        "loose liquid", "1", LAW_ABSOLUTE, ALL(0.001), "of the mass, the most at any time", LAW_LOOSE_LIQUID_FAULT,    \
            WATCHED, 0                                                                                                 \
    }
#define ALL(x)                                                                                                         \
    {                                                                                                                  \
        x, x, x                                                                                                        \
    }

#define TRIAL(id, heading, needs, needs_one_of, ...)                                                                   \
    extern const char trial_scene_##id[];                                                                              \
    static const trial id##_trial = {.scene = trial_scene_##id, __VA_ARGS__};                                          \
    extern const law law_trial_##id;                                                                                   \
    const law law_trial_##id = {.name = "trial_" #id,                                                                  \
                                .group = LAW_TRIALS,                                                                   \
                                .title = heading,                                                                      \
                                .features = DEW_FEATURE_3D | (needs),                                                  \
                                .either = needs_one_of,                                                                \
                                .targets = id,                                                                         \
                                .target_count = sizeof id / sizeof *id,                                                \
                                .options = trial_options,                                                              \
                                .option_count = TRIAL_OPTIONS,                                                         \
                                .data = &id##_trial,                                                                   \
                                .run = trial_run}

enum { WALL_ANGLE = DEW_FEATURE_CONTACT_ANGLE };

/* --- pools --- */

static const law_target dam_break[] = {
    {"front", "s", LAW_RELATIVE, ALL(0.06), "when it has come 3 widths: T = t sqrt(2 g/a) = 2.51 (Martin, Moyce 1952)",
     LAW_OTHER, OF("front_position.x_max", trial_reached, 0, 1, 0.171), 0.13532},
    {"depth", "m", LAW_RELATIVE, ALL(0.03), "by the centre of mass, waves aside, 2 to 3 s: the volume is kept",
     LAW_DENSITY_FAULT, BY(probe_pool_depth, trial_mean, 2, 3, 0), 0.0285},
    DENSITY_KEPT,
    ENERGY_KEPT,
};
TRIAL(dam_break, "A dam breaks, and the pool afterwards", 0, 0, .samples = 300);

static const law_target pool[] = {
    {"depth", "m", LAW_RELATIVE, ALL(0.02), "by the centre of mass, 0.5 to 1 s: the volume is kept", LAW_DENSITY_FAULT,
     BY(probe_pool_depth, trial_mean, 0.5, 1, 0), 0.04},
    DENSITY_KEPT,
    {"rms speed", "m/s", LAW_ABSOLUTE, ALL(0.01), "0.5 to 1 s: it is at rest (sqrt(g H) = 0.63)", LAW_ENERGY_FAULT,
     OF("rms_speed", trial_mean, 0.5, 1, 0), 0},
};
TRIAL(pool, "Water at rest in a box", 0, 0, .samples = 100);

static const law_target closed_box[] = {
    {"depth", "m", LAW_RELATIVE, ALL(0.02), "by the centre of mass, 10 to 20 ms: the volume is kept", LAW_DENSITY_FAULT,
     BY(probe_pool_depth, trial_mean, 10e-3, 20e-3, 0), 2.7e-3},
    DENSITY_KEPT,
    {"top", "m", LAW_RELATIVE, ALL(0.05), "of the liquid, 10 to 20 ms: the surface is flat", LAW_DENSITY_FAULT,
     OF("front_position.z_max", trial_mean, 10e-3, 20e-3, 0), 2.7e-3},
    {"rms speed", "m/s", LAW_ABSOLUTE, ALL(0.01), "10 to 20 ms: it is at rest (sqrt(g H) = 0.16)", LAW_ENERGY_FAULT,
     OF("rms_speed", trial_mean, 10e-3, 20e-3, 0), 0},
};
TRIAL(closed_box, "A closed box nine tenths full", WALL_ANGLE, 0, .samples = 40);

static const law_target wave_on_pool[] = {
    {"frequency", "1", LAW_RELATIVE, ALL(0.03), "omega of the wave, 0 to 20 (Prosperetti 1981)", LAW_OTHER,
     BY(probe_wave, trial_omega, 0, 20, 0.98), 0.982},
    {"damping", "1", LAW_RELATIVE, ALL(0.15), "rate of the wave's decay, 0 to 20 (Prosperetti 1981)",
     LAW_DISSIPATION_FAULT, BY(probe_wave, trial_beta, 0, 20, 0.98), 0.083},
    {"depth", "1", LAW_RELATIVE, ALL(0.02), "by the centre of mass, 10 to 20: the volume is kept", LAW_DENSITY_FAULT,
     BY(probe_pool_depth, trial_mean, 10, 20, 0), 3.1416},
    DENSITY_KEPT,
};
TRIAL(wave_on_pool, "A capillary wave on a pool without gravity", 0, 0, .samples = 200);

static const law_target rise[] = {
    {"rise", "1", LAW_RELATIVE, ALL(0.08),
     "mean level between the plates above that outside, 10 to 20: 2 - 0.4167 (Jurin)", LAW_OTHER,
     BY(probe_rise, trial_mean, 10, 20, 0), 1.583},
    DENSITY_KEPT,
};
TRIAL(rise, "Rise between two plates", WALL_ANGLE, 0, .samples = 100);

/* By tube.py. What is drawn out at the mouth and hangs on its meniscus must not tear. */
static const law_target tube[] = {
    {"rise", "m", LAW_RELATIVE, ALL(0.15), "of the column, 30 to 40 ms (Bosanquet 1923, mouth by Borda)", LAW_OTHER,
     BY(probe_bore_rise, trial_mean, 30e-3, 40e-3, 0), 6.95e-3},
    {"filling", "1", LAW_RELATIVE, ALL(0.05), "the part of the bore that is full, 20 to 40 ms", LAW_DENSITY_FAULT,
     BY(probe_bore_filling, trial_mean, 20e-3, 40e-3, 0), 1},
    ENERGY_KEPT,
};
TRIAL(tube, "Water rises in a tube that is dipped into it", WALL_ANGLE, 0, .samples = 40);

/* --- drops on walls --- */

static const law_target ball_on_plate[] = {
    {"bodies", "1", LAW_ABSOLUTE, ALL(0), "the most there are at any time", LAW_LOOSE_LIQUID_FAULT,
     OF("drop_count", trial_most, 0, 1, 0), 1},
    NOTHING_LOOSE,
    ENERGY_KEPT,
};
TRIAL(ball_on_plate, "A ball of water is put on a plate", WALL_ANGLE, 0, .samples = 60);

static const law_target mercury[] = {
    {"height", "m", LAW_RELATIVE, ALL(0.05), "30 to 50 ms (Bashforth, Adams 1883)", LAW_OTHER,
     OF("height", trial_mean, 30e-3, 50e-3, 0), 1.613e-3},
    {"bodies", "1", LAW_ABSOLUTE, ALL(0), "the most there are at any time", LAW_LOOSE_LIQUID_FAULT,
     OF("drop_count", trial_most, 0, 1, 0), 1},
    ENERGY_KEPT,
};
TRIAL(mercury, "A drop of mercury on glass", WALL_ANGLE, 0, .samples = 100);

static const law_target rest_60[] = {
    {"contact angle", "degree", LAW_DEGREES, ALL(5), "40 to 60 ms (Young)", LAW_OTHER,
     OF("contact_angle", trial_mean, 40e-3, 60e-3, 0), 60},
    ENERGY_KEPT,
};
TRIAL(rest_60, "A cap of 120 degrees spreads to 60", WALL_ANGLE, 0, .samples = 60);

static const law_target cap_15[] = {
    {"height", "1", LAW_RELATIVE, ALL(0.1), "8 to 12", LAW_OTHER, OF("height", trial_mean, 8, 12, 0), 0.2222},
    {"contact radius", "1", LAW_RELATIVE, ALL(0.1), "8 to 12", LAW_OTHER,
     OF("spread_radius.mean", trial_mean, 8, 12, 0), 1.6878},
    {"bodies", "1", LAW_ABSOLUTE, ALL(0), "the most there are at any time", LAW_LOOSE_LIQUID_FAULT,
     OF("drop_count", trial_most, 0, 12, 0), 1},
};
TRIAL(cap_15, "A cap of 15 degrees stays", WALL_ANGLE, 0, .samples = 48);

static const law_target cap_165[] = {
    {"contact angle", "degree", LAW_DEGREES, ALL(5), "8 to 12", LAW_OTHER, OF("contact_angle", trial_mean, 8, 12, 0),
     165},
    {"height", "1", LAW_RELATIVE, ALL(0.1), "8 to 12", LAW_OTHER, OF("height", trial_mean, 8, 12, 0), 1.2199},
};
TRIAL(cap_165, "A cap of 165 degrees stays", WALL_ANGLE, 0, .samples = 48);

static const law_target impact[] = {
    {"bodies", "1", LAW_ABSOLUTE, ALL(0),
     "the most there are at any time: We^1/2 Re^1/4 = 31, splashing begins at 57 (Mundo 1995)", LAW_LOOSE_LIQUID_FAULT,
     OF("drop_count", trial_most, 0, 2, 0), 1},
    {"spread", "1", LAW_RELATIVE, ALL(0.12), "the largest diameter: D_max/D = 2.1 on a wall that holds (Laan 2014)",
     LAW_DISSIPATION_FAULT, BY(probe_girth, trial_most, 0, 2, 0), 4.2},
};
TRIAL(impact, "A drop hits a dry wall at We 30", WALL_ANGLE, 0, .samples = 100);

static const law_target inkjet[] = {
    {"spread", "m", LAW_RELATIVE, ALL(0.104),
     "radius of what is wet at the impact's end, 10 us: D/D0 = 1.3 to 1.6 on glass that holds (Laan 2014: 1.37)",
     LAW_DISSIPATION_FAULT, OF("spread_radius.mean", trial_mean, 9.5e-6, 10.5e-6, 0), 26.1e-6},
    {"largest spread", "m", LAW_RELATIVE, ALL(0.16),
     "to 40 us: at least that at 10 us, never beyond the cap at rest's 1.91", LAW_DISSIPATION_FAULT,
     OF("spread_radius.mean", trial_most, 0, 40e-6, 0), 29.65e-6},
};
TRIAL(inkjet, "A drop of ink hits glass", WALL_ANGLE, 0, .samples = 40);

static const law_target cup[] = {
    {"bodies", "1", LAW_ABSOLUTE, ALL(1.5), "at the end: one to four", LAW_LOOSE_LIQUID_FAULT,
     OF("drop_count", trial_last, 0.1, 1, 0), 2.5},
    NOTHING_LOOSE,
    ENERGY_KEPT,
};
TRIAL(cup, "Water is poured from a cup", WALL_ANGLE, 0, .samples = 120);

/* 36 mm2 wide; the jet brings pi (0.75 mm)^2 1 m/s for 50 ms. */
static const law_target glass[] = {
    {"mass", "kg", LAW_RELATIVE, ALL(0.01), "at the end: the flux times 50 ms", LAW_MASS_FAULT,
     OF("mass", trial_last, 0.1, 1, 0), 8.818e-5},
    {"depth", "m", LAW_RELATIVE, ALL(0.02), "by the centre of mass, 100 to 150 ms: the volume is kept",
     LAW_DENSITY_FAULT, BY(probe_pool_depth, trial_mean, 0.1, 0.15, 0), 2.4544e-3},
    {"density", "1", LAW_ABSOLUTE, ALL(0.01), "of the liquid, less that at rest, 100 to 150 ms", LAW_DENSITY_FAULT,
     OF("density_error.mean", trial_mean, 0.1, 0.15, 0), 0},
    {"foam", "1", LAW_ABSOLUTE, ALL(0.05), "the same at 60 ms, 10 ms after the jet has ended", LAW_DENSITY_FAULT,
     OF("density_error.mean", trial_mean, 0.0575, 0.0625, 0), 0},
};
TRIAL(glass, "Water is poured into a glass", WALL_ANGLE, 0, .samples = 60);

/* Uniaxial stress of an incompressible neo-Hookean bar, -rho g (H - Z) = E (l - 1/l^2)/3, integrated; a Hookean's
 * centre is at 4.673 mm. A rest speed of so much would be a sixth of the sag in the time that is looked at. */
static const law_target jelly[] = {
    {"centre", "m", LAW_RELATIVE, ALL(0.01), "height of the centre of mass, 0.2 to 0.4 s: sunk by its weight",
     LAW_OTHER, OF("centre_of_mass.z", trial_mean, 0.2, 0.4, 0), 4.696e-3},
    {"rms speed", "m/s", LAW_ABSOLUTE, ALL(5e-4), "0.3 to 0.4 s: it is at rest, by its viscosity (damping ratio 0.2)",
     LAW_DISSIPATION_FAULT, OF("rms_speed", trial_mean, 0.3, 0.4, 0), 0},
    {"aside", "m", LAW_ABSOLUTE, ALL(0.1e-3), "distance of the centre of mass from the middle, at the end",
     LAW_MOMENTUM_FAULT, BY(probe_off_axis, trial_last, 0.35, 1, 0), 0},
    ENERGY_KEPT,
};
TRIAL(jelly, "A cube of jelly stands on a floor", DEW_FEATURE_ELASTIC, 0, .samples = 80);

static const law_target fibre[] = {
    {"aside", "m", LAW_ABSOLUTE, ALL(0.1e-3), "distance of the centre of mass from the middle, at 40 ms",
     LAW_MOMENTUM_FAULT, BY(probe_off_axis, trial_last, 35e-3, 1, 0), 0},
    {"hangs", "m", LAW_ABSOLUTE, ALL(0.45e-3), "height of the centre of mass, 20 to 40 ms: below the fibre, and on it",
     LAW_OTHER, OF("centre_of_mass.z", trial_mean, 20e-3, 40e-3, 0), -0.45e-3},
};
TRIAL(fibre, "A drop hangs from a fibre", WALL_ANGLE, 0, .samples = 80);

/* --- bridges, threads, free drops --- */

static const law_target bridge[] = {
    {"neck", "m", LAW_RELATIVE, ALL(0.05), "20 to 30 ms: constant mean curvature, by shooting", LAW_OTHER,
     OF("neck_radius", trial_mean, 20e-3, 30e-3, 0), 0.942e-3},
    {"diameter", "m", LAW_RELATIVE, ALL(0.05), "on the plates, 20 to 30 ms: twice 1.113 mm", LAW_OTHER,
     OF("extent.x", trial_mean, 20e-3, 30e-3, 0), 2.226e-3},
    {"pressure", "Pa", LAW_ABSOLUTE, ALL(7.5), "20 to 30 ms; a tenth of gamma over the neck", LAW_OTHER,
     OF("pressure_jump", trial_mean, 20e-3, 30e-3, 0), 9},
    DENSITY_KEPT,
    {"rms speed", "m/s", LAW_ABSOLUTE, ALL(0.02), "20 to 30 ms (sqrt(gamma/(rho R)) = 0.27)", LAW_ENERGY_FAULT,
     OF("rms_speed", trial_mean, 20e-3, 30e-3, 0), 0},
    {"lesser drop", "m3", LAW_RELATIVE, ALL(0.4), "at the end: half of 3.77 mm3, give or take what the motion does",
     LAW_OTHER, OF("drop_volumes.2", trial_last, 60e-3, 1, 0), 1.885e-9},
    {"two drops", "m3", LAW_RELATIVE, ALL(0.05), "at the end, together", LAW_LOOSE_LIQUID_FAULT,
     BY(probe_two_bodies, trial_last, 60e-3, 1, 0), 3.77e-9},
};
TRIAL(bridge, "A bridge between plates, then pulled", WALL_ANGLE, 0, .samples = 140);

static const law_target squeeze[] = {
    {"diameter", "m", LAW_RELATIVE, ALL(0.05), "45 to 60 ms: twice 1.202 mm, by the volume", LAW_OTHER,
     BY(probe_girth, trial_mean, 45e-3, 60e-3, 0), 2.404e-3},
    {"largest speed", "m/s", LAW_ABSOLUTE, ALL(0.1), "its mean, 45 to 60 ms: at rest (sqrt(gamma/(rho R)) = 0.25)",
     LAW_ENERGY_FAULT, OF("max_speed", trial_mean, 45e-3, 60e-3, 0), 0},
};
TRIAL(squeeze, "A drop is squeezed between plates", WALL_ANGLE, 0, .samples = 60);

static const law_target dumbbell[] = {
    {"bodies", "1", LAW_ABSOLUTE, ALL(0), "at 3 ms: the thread parts at both ends", LAW_RESOLUTION_FAULT,
     OF("drop_count", trial_last, 2e-3, 3e-3, 0), 3},
};
TRIAL(dumbbell, "Two balls joined by a thin thread", 0, 0, .duration = 3e-3, .samples = 60);

static const law_target coalescence[] = {
    {"neck", "m/s1/2", LAW_RELATIVE, ALL(0.186),
     "over sqrt(t), 1 to 2 ms: C R/sqrt(tau), C = 1.1 to 1.6 (inertial; experiments), tau = 3.7 ms", LAW_OTHER,
     OF("neck_radius", trial_root, 1e-3, 2e-3, 0), 22.19e-3},
};
TRIAL(coalescence, "Two drops touch", 0, 0, .duration = 4e-3, .samples = 80);

static const law_target honey[] = {
    {"rate", "1/s", LAW_RELATIVE, ALL(0.1), "of the mode n = 2, 20 to 60 ms: the aperiodic root at Oh = 35",
     LAW_DISSIPATION_FAULT, OF("modes.2", trial_rate, 20e-3, 60e-3, 0), 6.32},
};
TRIAL(honey, "A drop of honey becomes round", 0, 0, .duration = 60e-3, .samples = 60);

static const law_target moving_drop[] = {
    {"frequency", "1/s", LAW_RELATIVE, ALL(0.02), "omega of the mode n = 2, 1 to 20 ms, against that of a drop at rest",
     LAW_OTHER, OF("modes.2", trial_omega, 1e-3, 20e-3, 755), NAN},
    {"damping", "1/s", LAW_RELATIVE, ALL(0.25), "rate of its decay, against that of a drop at rest",
     LAW_DISSIPATION_FAULT, OF("modes.2", trial_beta, 1e-3, 20e-3, 755), NAN},
};
TRIAL(moving_drop, "A drop swings while it flies at 10 m/s", 0, 0, .samples = 200,
      .reference = "liquids.0.velocity=[0, 0, 0]");

/* --- inflow, gas --- */

static const law_target nozzle[] = {
    {"speed", "m/s", LAW_RELATIVE, ALL(0.05),
     "of the jet 1 to 4 mm below the mouth, 6 to 12 ms: 2 m/s, and what it falls", LAW_MOMENTUM_FAULT,
     BY(probe_jet_speed, trial_mean, 6e-3, 12e-3, 0), 2.012},
    {"section", "m2", LAW_RELATIVE, ALL(0.05), "liquid a length of the jet there: the flux over the speed",
     LAW_MASS_FAULT, BY(probe_jet_section, trial_mean, 6e-3, 12e-3, 0), 7.807e-7},
    {"mass", "kg", LAW_RELATIVE, ALL(0.02), "at 12 ms: that at the start and the flux", LAW_MASS_FAULT,
     OF("mass", trial_last, 11e-3, 1, 0), 1.9438e-5},
    {"density", "1", LAW_RELATIVE, ALL(0.1), "volume within the surface over the particles', 6 to 12 ms",
     LAW_DENSITY_FAULT, BY(probe_swelling, trial_mean, 6e-3, 12e-3, 0), 1},
};
TRIAL(nozzle, "A jet from a nozzle 5 spacings wide", WALL_ANGLE, 0, .samples = 60);

static const law_target bubble[] = {
    {"speed", "m/s", LAW_RELATIVE, ALL(0.25), "the largest, as buoyancy and added mass let it, to 25 ms: 0.15 to 0.25",
     LAW_OTHER, BY(probe_bubble_speed, trial_most, 0, 25e-3, 0), 0.2},
    {"pressure", "Pa", LAW_RELATIVE, ALL(0.15), "inside, 2 to 10 ms (Laplace)", LAW_OTHER,
     OF("pressure_jump", trial_mean, 2e-3, 10e-3, 0), 161.8},
};
TRIAL(bubble, "A gas bubble rises in a closed box", 0, DEW_FEATURE_GAS | DEW_FEATURE_SEVERAL_LIQUIDS, .samples = 60);
