/* What follows from the spacing and the dimension alone: sums over the lattice, and what half spaces give. */
#include "methods/flow/flow.h"
#include "particles/kernels.h"

/* Up to it |F| over that of a plane through the particle tells the depth; edges have more. */
#define MOST_FACING 0.9
/* The square is the mean of q^2 over a plane through a kernel's centre: so bent solids fill what they do. */
#define SIGHT 0.447
/* Of the kernel that finds the contact line, in spacings. */
#define LINE_REACH 2.7
/* In spacings, off solids: images keep a first layer farther off; what is thrown at a solid stops here. Half of what
 * nine of ten particles keep from their nearest where liquid is stirred (0.68, the trial dam_break). */
#define STOP 0.34
/* What is elastic keeps its particles' order, and its first layer stays where it was filled. */
#define ELASTIC_STOP 0.5

static double square(double q) { return q < 1 ? (1 - q) * (1 - q) : 0; }
static double spline_of(double q) { return (double)cubic_spline((real)q); }
static double laplace(double q) { return q > 0 && q < 1 ? 1 / q - 1 : 0; }

/* Sums over the lattice that liquids are filled with: n0, and sum of w q. */
static void sum_lattice(int dimension, double *n0, double *moment, double *spline)
{
    int most = 4;
    *n0 = *moment = *spline = 0;
    for (int x = -most; x <= most; x++)
        for (int y = -most; y <= most; y++)
            for (int z = dimension == 3 ? -most : 0; z <= (dimension == 3 ? most : 0); z++) {
                double q = sqrt(x * x + y * y + z * z) / FLOW_REACH, w = fmax(1 - q, 0);
                *spline += (double)cubic_spline((real)q);
                if (q == 0) continue;
                *n0 += w * w, *moment += w * q;
            }
}

/* What a half space gives, by the slope that `crowd` has at the same distance; straight on from MOST_FACING. */
static void make_by_facing(real *table, const half_space *crowd, const half_space *of, real scale)
{
    int at = HALF_SPACE_STEPS, straight = (int)((real)MOST_FACING * FLOW_MISSING_STEPS);
    for (int k = 0; k <= straight; k++) {
        real facing = (real)k / FLOW_MISSING_STEPS * crowd->slope[0];
        while (at > 0 && crowd->slope[at] < facing) at--;
        real low = crowd->slope[at + 1], high = crowd->slope[at];
        real part = high > low ? (facing - low) / (high - low) : 1;
        table[k] = scale * (of->sum[at + 1] + part * (of->sum[at] - of->sum[at + 1]));
    }
    for (int k = straight + 1; k < FLOW_MISSING_STEPS + 2; k++)
        table[k] = table[k - 1] + (table[straight] - table[straight - 8]) / 8;
}

/* One over the integral across of g^2 by u, g as it is of a half space and of the integral 1. */
static real interface_of(const half_space *crowd)
{
    double whole = 0, square = 0;
    for (int k = 0; k < HALF_SPACE_STEPS; k++) {
        double mean = (double)(crowd->slope[k] + crowd->slope[k + 1]) / 2;
        whole += 2 * mean / HALF_SPACE_STEPS, square += 2 * mean * mean / HALF_SPACE_STEPS;
    }
    return (real)(whole * whole / square);
}

/* b: of a flat interface's stress, as f^2 of the half space's f at the distance u over h, the mean distance m, and m'
 * of what its mean over the kernel w is; (1 + b) m - b m' = 0. Of w, at u, what a plane across the kernel has: in 3D
 * integral of (1 - r) r, in 2D of 1 - r along a line, r from u to 1. */
static real sharpening_of(const half_space *crowd, int dimension)
{
    enum { STEPS = 100 };
    double of_stress[2 * STEPS], of_kernel[4 * STEPS], sums[4] = {0};
    for (int k = 0; k < 2 * STEPS; k++) {
        double f = (double)half_space_at(crowd->slope, (real)(fabs(k + 0.5 - STEPS) / STEPS));
        of_stress[k] = f * f;
    }
    for (int k = 0; k < 4 * STEPS; k++) {
        double u = fabs(k - 2.0 * STEPS) / STEPS, c = sqrt(fmax(1 - u * u, 0));
        of_kernel[k] = 0;
        if (u < 1)
            of_kernel[k] =
                dimension == 3 ? (1 - u * u) / 2 - (1 - u * u * u) / 3 : c - (u > 0 ? u * u * log((1 + c) / u) : 0);
    }
    for (int k = 0; k < 2 * STEPS; k++) {
        sums[0] += of_stress[k], sums[1] += of_stress[k] * fabs(k + 0.5 - STEPS);
        for (int n = 0; n < 2 * STEPS + 2 * STEPS; n++) {
            double at = k + 0.5 - STEPS + n - 2 * STEPS;
            sums[2] += of_stress[k] * of_kernel[n], sums[3] += of_stress[k] * of_kernel[n] * fabs(at);
        }
    }
    double own = sums[1] / sums[0], mean = sums[3] / sums[2];
    return (real)(own / (mean - own));
}

static void make_constants(flow_state *p, const world *w)
{
    double n0, moment, spline, h = (double)p->h, number = pow(FLOW_REACH, w->dimension);
    int D = w->dimension;
    half_space of_laplace; /* of w/q */
    half_space_make(&of_laplace, laplace, D, number);
    half_space_make(&p->crowd, square, D, number);
    sum_lattice(D, &n0, &moment, &spline);
    p->kernel = (real)(1 / spline);
    half_space_make(&p->spline, spline_of, D, number / spline);
    p->c = (flow_constants){.n0 = (real)n0,
                            .gradient = (real)(D / (moment * h)),
                            .laplacian = (real)(2 * D / (moment * h * h)),
                            .full = 2 * p->crowd.sum[0],
                            .slope0 = p->crowd.slope[0]};
    p->interface = interface_of(&p->crowd) * p->h;
    p->sharpening = sharpening_of(&p->crowd, D);
    make_by_facing(p->missing, &p->crowd, &p->crowd, 1 / p->c.full);
    for (int k = 0; k <= FLOW_MISSING_STEPS; k++)
        p->growth[k] = p->c.n0 * (p->missing[k + 1] - p->missing[k]) * FLOW_MISSING_STEPS / (p->c.slope0 / 2);
    p->growth[FLOW_MISSING_STEPS + 1] = 0;
    make_by_facing(p->air, &p->crowd, &of_laplace, 1);
}

static real viscous_slope(real q) { return -real_max(1 - q, 0); }

/* sum (w/q) q^2 over the lattice of the plane, over the integral: what viscosity's pairs lack there. In 3D it is 0.979,
 * and smoothing takes as much as that (mps/calibration.md). */
static double plane_sum(void)
{
    double sum = 0;
    int most = (int)FLOW_REACH;
    for (int x = -most; x <= most; x++)
        for (int y = -most; y <= most; y++) {
            double q = sqrt(x * x + y * y) / FLOW_REACH;
            sum += q * fmax(1 - q, 0);
        }
    return sum / (FLOW_REACH * FLOW_REACH * PI / 6);
}

/* Of the viscosity of pairs. */
static void make_viscous(flow_state *p, int D)
{
    double h = (double)p->h, norm = D == 3 ? 7.5 / PI : 6 / PI;
    p->viscous = 4 * (D + 2) * norm / pow(FLOW_REACH, D) / (h * h) / (D == 2 ? plane_sum() : 1);
    shear_table_make(&p->shear_table, viscous_slope, h, D, SHEAR_CENTRAL, SHEAR_RATIO_IMPLICIT);
    shear_table_make(&p->across_table, viscous_slope, h, D, SHEAR_ACROSS, SHEAR_RATIO_IMPLICIT);
    for (int layer = 0; layer < FLOW_REACH; layer++) {
        real4 wall = {0, 0, 0, (real)(layer + 0.5) * p->s};
        real rate;
        shear_rates(&p->shear_table, 1, 0, 1, &wall, &rate);
        p->all_shear += rate * p->s;
        if (layer == 0) p->first_shear = rate * p->s;
    }
}

dew_result flow_make(flow_state *p, const world *w)
{
    p->s = (real)w->spacing, p->h = (real)(FLOW_REACH * w->spacing);
    for (int m = 0; m < w->material_count && m < FLOW_MOST_LIQUIDS; m++)
        p->stop[m] = (real)((definition_shear_modulus(&w->materials[m]) > 0 ? ELASTIC_STOP : STOP) * w->spacing);
    p->sight = p->is_area ? (real)SIGHT * p->h : 0;
    make_constants(p, w), make_viscous(p, w->dimension);
    double layer = p->is_area ? 1 / FLOW_REACH : 0;
    half_space_fill(&p->crowd, layer, p->filled);
    half_space_fill_slope(&p->crowd, layer, p->slope);
    flow_make_images(p, w->dimension);
    if (p->is_area && !(p->fractions = fractions_create()))
        return result_fail(DEW_NO_MEMORY, "no memory for the tables of kernel fractions");
    line_table_make(&p->line_table, w->dimension, w->spacing, LINE_REACH * w->spacing);
    return DEW_OK;
}
