/* A drop that grows on a nozzle and falls, by the equations of slender jets with the whole curvature (Eggers and Dupont
 * 1994, J. Fluid Mech. 262, 205), which have its volume within some % of those of the whole flow (Ambravaneswaran,
 * Wilkes, Basaran 2002, Phys. Fluids 14, 2606):
 *
 *     d(h^2)/dt + d(h^2 v)/dz = 0,    rho dv/dt = -dp/dz + rho g + 3 mu/h^2 d(h^2 dv/dz)/dz.
 *
 * Slices of liquid that go along, each with its volume: h^2 = V/(pi D), D its thickness. Half of a slice's mass goes
 * with each of its faces. Tension is the derivative of the area of the cones between the middles of slices, from the
 * nozzle's edge, where the first is pinned, to the tip (Fuchikami, Ishioka, Kiyono 1999, J. Phys. Soc. Japan 68, 1185);
 * so it has the curvature along the drop, too. */
#include "../theory.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Slices in a radius of the nozzle: with 6, 8, 10 the volume of a drop of We 0.2 is 52.9, 52.9, 52.8 mm3. */
enum { FINENESS = 6, MOST_SLICES = 600, LEAST_SLICES = 8 };
/* In such slices: those that are thicker are split where they are thicker than 0.7 h, those thinner join the next. */
#define THICK 2.0
#define THIN 0.45
#define SHARE_OF_STEP 0.3
/* Of the nozzle's radius: a neck as thin as this has parted, where what hangs below is a drop; its volume is in radii
 * cubed, as is what is let in before none is thought to fall. */
#define PARTED 0.08
#define LEAST_DROP 5
#define MOST_LET_IN 100

typedef struct slender {
    double radius, speed, density, tension, viscosity, gravity, slice;
    int count;                                     /* of slices */
    double z[MOST_SLICES + 1], v[MOST_SLICES + 1]; /* of their faces, downwards from the nozzle */
    double volume[MOST_SLICES], h[MOST_SLICES];
} slender;

static double thickness(const slender *s, int k) { return s->z[k + 1] - s->z[k]; }
static void find_radii(slender *s)
{
    for (int k = 0; k < s->count; k++) s->h[k] = sqrt(s->volume[k] / (M_PI * thickness(s, k)));
}

/* Force along z on the faces, N. */
static void find_force(const slender *s, double *force)
{
    int n = s->count;
    memset(force, 0, (size_t)(n + 1) * sizeof *force);
    for (int k = 0; k <= n; k++) { /* the cone from slice k - 1, or the edge, to slice k, or the tip */
        double from = k > 0 ? 0.5 * (s->z[k - 1] + s->z[k]) : 0, to = k < n ? 0.5 * (s->z[k] + s->z[k + 1]) : s->z[n];
        double a = k > 0 ? s->h[k - 1] : s->radius, b = k < n ? s->h[k] : 0, length = hypot(to - from, b - a);
        double along = -s->tension * M_PI * (a + b) * (to - from) / length;
        double by_a = s->tension * M_PI * (length - (a + b) * (b - a) / length);
        double by_b = s->tension * M_PI * (length + (a + b) * (b - a) / length);
        if (k > 0) { /* dh/dD = -h/(2 D) */
            double push = by_a * a / (2 * thickness(s, k - 1));
            force[k - 1] -= 0.5 * along + push, force[k] += push - 0.5 * along;
        }
        if (k < n) {
            double push = by_b * b / (2 * thickness(s, k));
            force[k] += 0.5 * along - push, force[k + 1] += push + 0.5 * along;
        } else
            force[n] += along;
    }
    for (int k = 0; k < n; k++) {
        double pull = 3 * s->viscosity * M_PI * s->h[k] * s->h[k] * (s->v[k + 1] - s->v[k]) / thickness(s, k);
        force[k] += pull, force[k + 1] -= pull;
    }
}

static double longest_step(const slender *s)
{
    double step = INFINITY;
    for (int k = 0; k < s->count; k++) {
        double d = thickness(s, k), wave = s->density / s->tension;
        step = fmin(step, sqrt(wave * d * d * d * fmin(1, d / (2 * s->h[k]))));
        step = fmin(step, s->density * d * d / (6 * s->viscosity));
    }
    return SHARE_OF_STEP * step;
}

static double mass_at(const slender *s, int face)
{
    double above = face > 0 ? s->volume[face - 1] : 0, below = face < s->count ? s->volume[face] : 0;
    return 0.5 * s->density * (above + below);
}

static void advance(slender *s, double dt)
{
    double force[MOST_SLICES + 1], inflow = M_PI * s->radius * s->radius * s->speed * dt;
    find_force(s, force);
    for (int k = 1; k <= s->count; k++) {
        s->v[k] += dt * (force[k] / mass_at(s, k) + s->gravity);
        s->z[k] += dt * s->v[k];
    }
    s->volume[0] += inflow;
    s->v[1] += 0.5 * s->density * inflow / mass_at(s, 1) * (s->speed - s->v[1]);
}

static void insert(double *values, int at, int count, double value)
{
    memmove(values + at + 1, values + at, (size_t)(count - at) * sizeof *values);
    values[at] = value;
}
static void take_out(double *values, int at, int count)
{
    memmove(values + at, values + at + 1, (size_t)(count - at - 1) * sizeof *values);
}

static void split(slender *s, int k)
{
    int n = s->count++;
    insert(s->z, k + 1, n + 1, 0.5 * (s->z[k] + s->z[k + 1]));
    insert(s->v, k + 1, n + 1, 0.5 * (s->v[k] + s->v[k + 1]));
    s->volume[k] *= 0.5;
    insert(s->volume, k, n, s->volume[k]);
}

/* Slices k and k + 1 become one: what mass of the face between them the others get brings its momentum along. */
static void join(slender *s, int k)
{
    double to_first = 0.5 * s->density * s->volume[k + 1], to_last = 0.5 * s->density * s->volume[k], u = s->v[k + 1];
    s->v[k] += to_first / (mass_at(s, k) + to_first) * (u - s->v[k]);
    s->v[k + 2] += to_last / (mass_at(s, k + 2) + to_last) * (u - s->v[k + 2]);
    s->volume[k] += s->volume[k + 1];
    take_out(s->volume, k + 1, s->count), take_out(s->z, k + 1, s->count + 1), take_out(s->v, k + 1, s->count + 1);
    s->count--;
}

static void reslice(slender *s)
{
    double unit = M_PI * s->radius * s->radius * s->slice;
    if (s->volume[0] > 2 * unit && thickness(s, 0) > 1.2 * s->slice && s->count < MOST_SLICES) split(s, 0);
    for (int k = 0; k < s->count && s->count < MOST_SLICES; k++)
        if (thickness(s, k) > THICK * s->slice && thickness(s, k) > 0.7 * s->h[k]) {
            split(s, k);
            return;
        }
    for (int k = 1; k < s->count && s->count > LEAST_SLICES; k++)
        if (thickness(s, k) < THIN * s->slice) {
            bool with_last = k == s->count - 1 || (k > 1 && thickness(s, k - 1) < thickness(s, k + 1));
            join(s, with_last ? k - 1 : k);
            return;
        }
}

/* What hangs below a neck that has parted; 0: there is none. */
static double parted(const slender *s)
{
    int neck = 2;
    double below = 0;
    for (int k = 2; k < s->count - 4; k++)
        if (s->h[k] < s->h[neck]) neck = k;
    for (int k = neck; k < s->count; k++) below += s->volume[k];
    return s->count > LEAST_SLICES && s->h[neck] < PARTED * s->radius && below > LEAST_DROP * pow(s->radius, 3) ? below
                                                                                                                : 0;
}

double theory_slender_drop(double radius, double speed, double density, double tension, double viscosity,
                           double gravity)
{
    slender s = {radius, speed, density, tension, viscosity, gravity, radius / FINENESS, FINENESS, {0}, {0}, {0}, {0}};
    for (int k = 0; k <= FINENESS; k++) { /* half a ball hangs from the nozzle */
        double z = s.z[k] = k * s.slice, before = z - s.slice;
        s.v[k] = speed;
        if (k > 0) s.volume[k - 1] = M_PI * (radius * radius * s.slice - (z * z * z - before * before * before) / 3);
    }
    double longest = MOST_LET_IN * radius / (M_PI * speed), volume = 0;
    for (double t = 0; volume == 0 && t < longest;) {
        find_radii(&s);
        double dt = longest_step(&s);
        advance(&s, dt), t += dt;
        find_radii(&s);
        volume = parted(&s);
        reslice(&s);
    }
    return volume > 0 ? volume : NAN;
}
