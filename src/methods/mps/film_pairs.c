/* The tension of a film whose tension is a potential between particles (Kirkwood, Buff 1949): what pulls along the
 * film, less what does across it, over the area of both its faces,
 *
 *     gamma = 1/(2 A) sum over pairs of f_i . (x_z - (x_x + x_y)/2),   x = x_i - x_j,
 *
 * f_i the force on i from j, of the potential and of the pressure as tension.c and pressure.c have them, in plain loops
 * over all pairs: it is for laws and tests, no step needs it. */
#include "methods/mps/mps.h"

typedef struct film {
    const mps_state *p;
    const world *w;
    const real4 *x;
    const real *pressure;
    real4 *lean; /* p times the change of D by F; w: p */
    int count;
    double h;       /* m */
    double bond;    /* K, N */
    double push;    /* s^D c, m2 */
    double size[3]; /* of periodic axes, m */
} film;

/* From j to i in units of h; across a periodic axis to the nearest image, as axes are longer than two reaches. */
static bool way(const film *f, int i, int j, double d[3])
{
    const double from[3] = {f->x[j].x, f->x[j].y, f->x[j].z}, to[3] = {f->x[i].x, f->x[i].y, f->x[i].z};
    double q2 = 0;
    for (int a = 0; a < 3; a++) {
        d[a] = to[a] - from[a];
        if (f->size[a] > 0) d[a] -= f->size[a] * rint(d[a] / f->size[a]);
        d[a] /= f->h, q2 += d[a] * d[a];
    }
    return q2 < 1 && q2 > 0;
}

static void find_lean(int begin, int end, void *context)
{
    film *f = context;
    for (int i = begin; i < end; i++) {
        double d[3], facing[3] = {0};
        for (int j = 0; j < f->count; j++) {
            if (!way(f, i, j, d)) continue;
            double q = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
            for (int a = 0; a < 3; a++) facing[a] += (1 - q) / q * d[a];
        }
        real3 grow = flow_growth(&f->p->flow, (real3){(real)facing[0], (real)facing[1], (real)facing[2]});
        f->lean[i] = real4_of(real3_scale(f->pressure[i], grow), f->pressure[i]);
    }
}

/* f of tension.c, in K: what the potential falls by. */
static double attraction(const mps_state *p, double q)
{
    const double step = 1e-4;
    double (*potential)(double) = p->is_paper ? mps_potential_of_paper : mps_potential;
    return (potential(q - step) - potential(q + step)) / (2 * step);
}

static void sum_pairs(int begin, int end, void *context, double *sums)
{
    const film *f = context;
    for (int i = begin; i < end; i++)
        for (int j = i + 1; j < f->count; j++) {
            double d[3], along = 0;
            if (!way(f, i, j, d)) continue;
            real4 a = f->lean[i], b = f->lean[j];
            const double t[3] = {(double)a.x - b.x, (double)a.y - b.y, (double)a.z - b.z};
            double q = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), w = (1 - q) / q;
            for (int n = 0; n < 3; n++) along += (1 + w) / (q * q) * d[n] * t[n];
            for (int n = 0; n < 3; n++) {
                double pressed = w * d[n] * ((double)a.w + b.w) - (w * t[n] - along * d[n]) / 2;
                double force = f->push * pressed - f->bond * attraction(f->p, q) / q * d[n];
                sums[0] += f->h * force * (n == 2 ? d[n] : -d[n] / 2);
            }
        }
}

bool mps_film_by_pairs(const mps_state *p, const world *w, double *tension)
{
    const dew_domain_def *d = &w->domain;
    film f = {.p = p, .w = w, .x = w->particles->position, .count = w->particles->count, .h = (double)p->flow.h};
    f.pressure = particles_field(w->particles, p->flow.solver_pressure);
    f.size[0] = d->max.x - d->min.x, f.size[1] = d->max.y - d->min.y;
    f.bond = mps_bond(p, w, w->materials[0].surface_tension) / f.h;
    f.push = pow((double)p->flow.s, w->dimension) * (double)p->flow.c.gradient;
    f.lean = arena_alloc(w->scratch, (size_t)f.count * sizeof *f.lean);
    if (!f.lean) return false;
    double sum;
    parallel_for(f.count, 16, find_lean, &f);
    parallel_sum(f.count, 1, sum_pairs, &f, &sum);
    *tension = sum / (2 * f.size[0] * f.size[1]);
    return true;
}
