/* The longest step: of capillary waves, motion, viscosity, pressure. */
#include "definition/definition.h"
#include "methods/flow/flow.h"

double flow_viscosity(const flow_state *p, const world *w, int material)
{
    const dew_material_def *m = &w->materials[material];
    double calming = p->own_viscosity * sqrt(m->surface_tension * w->spacing / m->density);
    return fmax(m->viscosity / m->density, calming);
}

double flow_added_viscosity(const flow_state *p, const world *w)
{
    double most = 0;
    for (int m = 0; m < w->material_count; m++)
        most = fmax(most, flow_viscosity(p, w, m) - w->materials[m].viscosity / w->materials[m].density);
    return most;
}

int flow_thinnest(const world *w)
{
    int thinnest = 0;
    for (int m = 1; m < w->material_count; m++)
        if (w->materials[m].viscosity < w->materials[thinnest].viscosity) thinnest = m;
    return thinnest;
}

static void sum_velocity(int begin, int end, void *context, double *sums)
{
    const real4 *v = context;
    for (int i = begin; i < end; i++) sums[0] += (double)v[i].x, sums[1] += (double)v[i].y, sums[2] += (double)v[i].z;
}

typedef struct speeds {
    const real4 *v;
    double mean[3];
} speeds;

static void largest_square(int begin, int end, void *context, double *maxima)
{
    const speeds *s = context;
    for (int i = begin; i < end; i++) {
        double x = (double)s->v[i].x - s->mean[0], y = (double)s->v[i].y - s->mean[1],
               z = (double)s->v[i].z - s->mean[2];
        maxima[0] = fmax(maxima[0], x * x + y * y + z * z);
    }
}

/* The largest speed against the liquid's mean, m/s, and where there are solids of them too. */
static double largest_speed(const world *w)
{
    const particles *all = w->particles;
    speeds s = {all->velocity, {0, 0, 0}};
    double square_of;
    if (solids_count(w->solids) == 0 && !w->has_inflow && all->count > 0) {
        parallel_sum(all->count, 3, sum_velocity, all->velocity, s.mean);
        for (int a = 0; a < 3; a++) s.mean[a] /= all->count;
    }
    parallel_max(all->count, 1, largest_square, &s, &square_of);
    return fmax(square_of > 0 ? sqrt(square_of) : 0, world_solid_speed(w));
}

/* Of what gamma/mu lets a particle go in a step, spacings; and of dt nu/s^2, beyond which floats cannot solve for
 * velocities. */
#define VISCOUS_STEP 0.1
#define MOST_SPREAD 400
/* Of p dt^2/(rho h^2), so that waves of speed sqrt(p/rho), those of a pool among them, cross a quarter of a spacing; or
 * of p dt/mu, which is how far p strains liquid that its viscosity alone holds (one that is elastic bears waves as
 * well). */
#define MOST_PRESSED 0.006
#define MOST_STRAIN 1
/* Of an inertial liquid and of one that its viscosity holds, where forces move particles by gamma/mu. */
double flow_capillary_time(const world *w)
{
    double s = w->spacing, time = INFINITY;
    for (int a = 0; a < w->material_count; a++)
        for (int b = 0; b <= a; b++) {
            const dew_material_def *m = &w->materials[a], *n = &w->materials[b];
            double gamma = a == b ? m->surface_tension : world_tension_between(w, a, b);
            double density = (m->density + n->density) / 2, mu = fmin(m->viscosity, n->viscosity);
            if (gamma > 0)
                time = fmin(time, sqrt(density * s * s * s / (2 * PI * gamma)) + VISCOUS_STEP * mu * s / gamma);
        }
    return time;
}

/* Over all liquids, m2/s. */
static double most_viscosity(const flow_state *p, const world *w)
{
    double most = 0;
    for (int m = 0; m < w->material_count; m++) most = fmax(most, flow_viscosity(p, w, m));
    return most;
}

double flow_pressing_step(const flow_state *p, const world *w)
{
    double pressure = world_typical_pressure(w, particles_field(w->particles, p->solver_pressure));
    double time = INFINITY;
    if (!(pressure > 0)) return INFINITY;
    for (int a = 0; a < w->material_count; a++) {
        const dew_material_def *m = &w->materials[a];
        double waves = sqrt(MOST_PRESSED * m->density * (double)(p->h * p->h) / pressure);
        bool is_elastic = definition_shear_modulus(m) > 0;
        time = fmin(time, is_elastic ? waves : fmax(waves, MOST_STRAIN * m->viscosity / pressure));
    }
    return time;
}

double flow_max_time_step(const flow_state *p, world *w)
{
    double s = w->spacing, reach = p->cfl * s, g = vec3_length(w->gravity);
    double capillary = p->capillary * flow_capillary_time(w);
    double fastest = largest_speed(w);
    /* speed dt + g dt^2/2 = reach */
    double moving = fastest > 0 || g > 0 ? 2 * reach / (fastest + sqrt(fastest * fastest + 2 * g * reach)) : INFINITY;
    double spreading = MOST_SPREAD * w->spacing * w->spacing / most_viscosity(p, w);
    double limit = fmin(fmin(capillary, moving), spreading);
    if (p->is_area) limit = fmin(limit, flow_pressing_step(p, w));
    double dragging = world_drag_step(w, limit);
    if (dragging < limit) return w->limit = "drag", dragging;
    w->limit = limit == capillary   ? "capillary"
               : limit == moving    ? "motion"
               : limit == spreading ? "viscosity"
                                    : "pressure";
    return limit;
}
