/* A box full of a liquid or an elastic solid, without gravity or tension, in one mode of shear that decays or swings:
 * what its viscosity and its modulus are, whatever the method.
 *
 * Where axes repeat it is a wave, v_y = A(t) cos k x, k = 2 pi/L. Elsewhere walls that let slip hold four vortices
 * (Taylor and Green 1937; in 3D the same at all z):
 *
 *     v_x = A sin kx cos ky,  v_y = -A cos kx sin ky,  k = 2 pi/L.
 *
 * Either is free of divergence, and the Laplacian of it is -K^2 times it, K^2 = k^2 and 2 k^2; so with the momentum
 * balance rho dv/dt = -grad p + div tau, and the material of Maxwell in shear, tau + lambda dtau/dt = 2 G lambda D,
 * with a solvent's viscosity mu = rho nu beside it, A goes as exp(s t) with
 *
 *     s^2 + s (1/lambda + nu K^2) + K^2 (nu/lambda + G/rho) = 0,
 *
 * where pressure balances what the vortices carry of themselves. On walls v n = 0 and the shear stress is 0, in a solid
 * too. */
#ifndef LAWS_SHEAR_MODE_H
#define LAWS_SHEAR_MODE_H

#include "law.h"
#include "measure.h"

typedef struct shear_mode {
    bool is_vortices;
    int dimension;
    double length; /* L of the box, m */
    double number; /* k, 1/m */
    double square; /* K^2, 1/m2 */
    double start;  /* A at the start, m/s */
    int frames;    /* of a run */
} shear_mode;

/* Options of the laws that use it. */
#define SHEAR_MODE_OPTIONS                                                                                             \
    {"along", "1", {24, 32, 48}, "spacings of a wave, or across four vortices", LAW_SPACINGS},                         \
        {"length", "m", {1e-3, 1e-3, 1e-3}, "of the wave, or the box of the vortices"}, {LAW_DENSITY},                 \
    {                                                                                                                  \
        "frames", "1", {20, 20, 20}, "of a run: no step is longer"                                                     \
    }

/* The box, its liquid and its velocity at the start: m->start is set by the caller, space->material's density here. The
 * mode must live until the simulation has been created. */
void shear_mode_fill(const law *l, const law_settings *settings, law_resolution resolution,
                     const dew_method_info *method, int dimension, dew_simulation_def *def, law_space *space,
                     shear_mode *m);
/* A now, by least squares over all particles, over that at the start. */
double shear_mode_amplitude(const dew_frame *frame, const shear_mode *m);
/* Runs for def->duration and follows the amplitude by step; def->frame_rate is set. The caller frees the series, and
 * adds what figures it has to give. */
dew_result shear_mode_run(dew_simulation_def *def, const shear_mode *m, const char *label, law_progress *progress,
                          series *amplitude, int *particles);
/* Both roots s of the equation above: real and imaginary part of the one with the larger real part, the imaginary one
 * not below 0. relaxation (s) may be INFINITY. */
void theory_shear_mode(const shear_mode *m, double density, double viscosity, double modulus, double relaxation,
                       double *real, double *imaginary);
/* A over that at the start, let go without stress. */
double theory_shear_course(const shear_mode *m, double density, double viscosity, double modulus, double relaxation,
                           double time);
/* Amplitude in time, measured and theory. */
void shear_mode_plot(law_results *results, const shear_mode *m, const char *title, const series *amplitude,
                     const dew_material_def *material, double end);

#endif
