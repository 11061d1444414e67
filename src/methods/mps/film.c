/* The tension of a film between periodic faces, by all forces between its particles (Kirkwood, Buff 1949): what pulls
 * along the film, less what does across it, over the area of both its faces,
 *
 *     gamma = 1/(2 A) sum over pairs of F r (e_z^2 - (e_x^2 + e_y^2)/2),
 *
 * F what the two push each other apart with: the potential's -K (q - s/h)(1 - q), and the pressures' s^D c (p_i + p_j)
 * (1 - q). A plain loop over all pairs, for laws and tests: no step needs it. */
#include "methods/mps/mps.h"

typedef struct film {
    const mps_state *p;
    const world *w;
    const real4 *x;
    const real *pressure;
    int count;
    double bond; /* K, N */
    double push; /* s^D c, m2 */
    double size[3];
} film;

/* Across a periodic axis the nearest image counts: axes are longer than two reaches. */
static double way(const film *f, int axis, double d)
{
    return f->size[axis] > 0 ? d - f->size[axis] * rint(d / f->size[axis]) : d;
}

static void sum_pairs(int begin, int end, void *context, double *sums)
{
    const film *f = context;
    double h = (double)f->p->h, zero = (double)f->p->s / h;
    for (int i = begin; i < end; i++)
        for (int j = i + 1; j < f->count; j++) {
            double x = way(f, 0, (double)f->x[i].x - (double)f->x[j].x);
            double y = way(f, 1, (double)f->x[i].y - (double)f->x[j].y), z = (double)f->x[i].z - (double)f->x[j].z;
            double r2 = x * x + y * y + z * z;
            if (r2 >= h * h || r2 == 0) continue;
            double r = sqrt(r2), q = r / h;
            double apart = (1 - q) * (f->push * (double)(f->pressure[i] + f->pressure[j]) - f->bond * (q - zero));
            sums[0] += apart / r * (z * z - (x * x + y * y) / 2);
        }
}

bool mps_film_tension(const mps_state *p, const world *w, double *tension)
{
    const dew_domain_def *d = &w->domain;
    film f = {.p = p, .w = w, .x = w->particles->position, .count = w->particles->count};
    if (d->axis[0] != DEW_PERIODIC || d->axis[1] != DEW_PERIODIC || f.count == 0) return false;
    f.pressure = particles_field(w->particles, p->solver_pressure);
    f.size[0] = d->max.x - d->min.x, f.size[1] = d->max.y - d->min.y;
    f.bond = mps_bond(p, w, w->materials[0].surface_tension) / (double)p->h;
    f.push = pow((double)p->s, w->dimension) * (double)p->c.gradient;
    double sum;
    parallel_sum(f.count, 1, sum_pairs, &f, &sum);
    *tension = sum / (2 * f.size[0] * f.size[1]);
    return true;
}
