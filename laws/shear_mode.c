#include "shear_mode.h"

#include "theory.h"

#include <complex.h>
#include <math.h>

enum { ACROSS = 8 }; /* spacings on axes along which nothing changes */

/* --- set-up --- */

static void mode_at(const shear_mode *m, double x, double y, double u[2])
{
    u[0] = m->is_vortices ? sin(m->number * x) * cos(m->number * y) : 0;
    u[1] = m->is_vortices ? -cos(m->number * x) * sin(m->number * y) : cos(m->number * x);
}

static void start_x(void *context, int count, const double *const *in, double *out)
{
    const shear_mode *m = context;
    double u[2];
    for (int i = 0; i < count; i++) mode_at(m, in[0][i], in[1][i], u), out[i] = m->start * u[0];
}

static void start_y(void *context, int count, const double *const *in, double *out)
{
    const shear_mode *m = context;
    double u[2];
    for (int i = 0; i < count; i++) mode_at(m, in[0][i], in[1][i], u), out[i] = m->start * u[1];
}

void shear_mode_fill(const law *l, const law_settings *settings, law_resolution resolution,
                     const dew_method_info *method, int dimension, dew_simulation_def *def, law_space *space,
                     shear_mode *m)
{
    double length = law_option_value(l, settings, resolution, "length");
    m->is_vortices = !(method->features & DEW_FEATURE_PERIODIC);
    m->frames = (int)law_option_value(l, settings, resolution, "frames");
    m->dimension = dimension, m->length = length, m->number = 2 * M_PI / length;
    m->square = (m->is_vortices ? 2 : 1) * m->number * m->number;
    def->dimension = dimension;
    def->spacing = length / law_option_value(l, settings, resolution, "along");
    double across = ACROSS * def->spacing;
    def->domain.max = (dew_vec3){length, m->is_vortices ? length : across, dimension == 3 ? across : 0};
    for (int a = 0; a < dimension; a++) def->domain.axis[a] = m->is_vortices ? DEW_WALL : DEW_PERIODIC;
    space->material.density = law_option_value(l, settings, resolution, "density");
    space->material.surface_tension = 0;
    dew_vec3 low = {0, 0, dimension == 3 ? 0 : -across}, high = def->domain.max;
    if (dimension == 2) high.z = across;
    space->liquids[0].shape = dew_box(low, high);
    if (m->is_vortices) space->liquids[0].velocity_of[0] = (dew_function){start_x, m};
    space->liquids[0].velocity_of[1] = (dew_function){start_y, m};
}

/* --- measurement --- */

double shear_mode_amplitude(const dew_frame *frame, const shear_mode *m)
{
    dew_field x, v;
    double sum = 0, square = 0;
    if (!dew_frame_field(frame, "position", &x) || !dew_frame_field(frame, "velocity", &v)) return NAN;
    for (int i = 0; i < x.count; i++) {
        const dew_real *p = (const dew_real *)x.data + (size_t)i * x.stride;
        const dew_real *w = (const dew_real *)v.data + (size_t)i * v.stride;
        double u[2];
        mode_at(m, (double)p[0], (double)p[1], u);
        sum += u[0] * (double)w[0] + u[1] * (double)w[1], square += u[0] * u[0] + u[1] * u[1];
    }
    return sum / square / m->start;
}

typedef struct following {
    const shear_mode *m;
    law_progress *progress;
    series *amplitude;
} following;

static bool follow(void *context, const dew_simulation *simulation)
{
    following *f = context;
    law_report_progress(f->progress, simulation);
    return series_add(f->amplitude, dew_simulation_time(simulation),
                      shear_mode_amplitude(dew_simulation_frame(simulation), f->m));
}

dew_result shear_mode_run(dew_simulation_def *def, const shear_mode *m, const char *label, law_progress *progress,
                          series *amplitude, int *particles)
{
    dew_simulation *simulation;
    def->frame_rate = m->frames / def->duration;
    dew_result status = dew_simulation_create(def, &simulation);
    if (status) return status;
    progress->end = def->duration, progress->what = label;
    *particles = dew_simulation_particle_count(simulation);
    if (!series_add(amplitude, 0, shear_mode_amplitude(dew_simulation_frame(simulation), m))) status = DEW_NO_MEMORY;
    if (!status) status = law_advance(simulation, m->frames, follow, &(following){m, progress, amplitude});
    if (!status) law_show(progress->settings, simulation, "%s", label);
    dew_simulation_destroy(simulation);
    return status;
}

/* --- theory --- */

static void roots(const shear_mode *m, double density, double viscosity, double modulus, double relaxation,
                  double complex s[2])
{
    double rate = 1 / relaxation, damping = viscosity / density * m->square; /* rate 0: it never relaxes */
    double b = rate + damping, c = damping * rate + m->square * modulus / density;
    double complex d = csqrt(b * b / 4 - c);
    s[0] = -b / 2 + d, s[1] = -b / 2 - d;
}

void theory_shear_mode(const shear_mode *m, double density, double viscosity, double modulus, double relaxation,
                       double *real, double *imaginary)
{
    double complex s[2];
    roots(m, density, viscosity, modulus, relaxation, s);
    *real = creal(s[0]), *imaginary = fabs(cimag(s[0]));
}

/* A(0) = 1 and, without stress, dA/dt = -nu K^2. */
double theory_shear_course(const shear_mode *m, double density, double viscosity, double modulus, double relaxation,
                           double time)
{
    double complex s[2];
    double slope = -viscosity / density * m->square;
    roots(m, density, viscosity, modulus, relaxation, s);
    if (cabs(s[0] - s[1]) < 1e-9 * cabs(s[0])) return creal(cexp(s[0] * time) * (1 + (slope - s[0]) * time));
    double complex first = (slope - s[1]) / (s[0] - s[1]);
    return creal(first * cexp(s[0] * time) + (1 - first) * cexp(s[1] * time));
}

void shear_mode_plot(law_results *results, const shear_mode *m, const char *title, const series *amplitude,
                     const dew_material_def *material, double end)
{
    enum { POINTS = 100 };
    double x[POINTS], y[POINTS], ms = 1e-3, poisson = 2 * (1 + material->poisson_ratio);
    double modulus = material->shear_modulus > 0 ? material->shear_modulus : material->youngs_modulus / poisson;
    for (int i = 0; i < POINTS; i++) {
        double t = end * i / (POINTS - 1);
        x[i] = t / ms;
        y[i] = theory_shear_course(m, material->density, material->viscosity, modulus, material->relaxation_time, t);
    }
    law_plot_begin(results, title, "time, ms", "amplitude over that at the start");
    series_plot(amplitude, results, LAW_CURVE_MEASURED, "measured", ms, 1);
    law_plot_curve(results, LAW_CURVE_THEORY, "theory", POINTS, x, y);
}
