#include "surface/line.h"

/* --- the table --- */

/* Phi over R^(D - 1): the integral of w over a half plane (in 2D, a half line) with the centre u reaches within it.
 * *slope: its derivative by u. */
static double half_plane(double u, int dimension, double *slope)
{
    double norm = dimension == 3 ? 16.0 / 15 : 1; /* of w across the edge */
    double x = fmin(fmax(u, -1), 1), q = 1 - x * x, root = sqrt(q);
    *slope = norm * q * q * (dimension == 3 ? root : 1);
    if (dimension == 2) return 8.0 / 15 + x * (1 - x * x * (2.0 / 3 - x * x / 5));
    return norm * (5 * PI / 32 + 5.0 / 16 * asin(x) + x * root * (5.0 / 16 + q * (5.0 / 24 + q / 6)));
}

#define DELTA_REACH 0.62 /* b/R */

/* How deep within a straight edge R |g|/c is this, in reaches: it falls inward. */
static double depth_of(double ratio, int dimension)
{
    double low = 0, high = 1;
    for (int k = 0; k < 50; k++) {
        double middle = (low + high) / 2, slope, c = half_plane(middle, dimension, &slope);
        if (slope / c > ratio)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void line_table_make(line_table *t, int dimension, double spacing, double reach)
{
    double slope, c = half_plane(0, dimension, &slope), most = slope / c;
    c = half_plane(DELTA_REACH, dimension, &slope);
    t->spacing = (real)spacing, t->reach = (real)reach, t->dimension = dimension;
    t->least_ratio = (real)(slope / c), t->most_ratio = (real)most;
    for (int k = 0; k <= LINE_STEPS; k++) {
        double u = depth_of(most * k / LINE_STEPS, dimension), v = fmin(u / DELTA_REACH, 1);
        double delta = (1 - v * v) * (1 - v * v) / (DELTA_REACH * 8 / 15) / reach;
        double area = half_plane(u, dimension, &slope) * pow(reach, dimension - 1);
        t->share[k] = (real)(area * delta), t->depth[k] = (real)(u * reach);
    }
    t->share[LINE_STEPS + 1] = t->share[LINE_STEPS], t->depth[LINE_STEPS + 1] = t->depth[LINE_STEPS];
}

/* --- finding it --- */

/* chi at a distance from the wall in spacings. */
static inline vreal layer_weight(vreal distance)
{
    const vreal inverse = vset(1 / (LINE_LAYER_END - LINE_LAYER_WHOLE));
    return vmin(vmax((vset(LINE_LAYER_END) - distance) * inverse, vset(0)), vset(1));
}

/* From the sums -grad c (in xyz, without factors) and c to direction and share, and depth where there is a share. */
static real4 line_of(const line_table *t, real4 sums, real distance, real *depth)
{
    real3 g = real3_of(sums);
    real size = real3_length(g), chi = (LINE_LAYER_END - distance / t->spacing) / (LINE_LAYER_END - LINE_LAYER_WHOLE);
    real ratio = 4 * size / sums.w; /* grad w = -4 (1 - (t/R)^2) t/R^2 */
    if (!(ratio > t->least_ratio && chi > 0)) return (real4){0, 0, 0, 0};
    real x = real_min(ratio / t->most_ratio, 1) * LINE_STEPS;
    int k = (int)x;
    real share = t->share[k] + (x - (real)k) * (t->share[k + 1] - t->share[k]);
    *depth = t->depth[k] + (x - (real)k) * (t->depth[k + 1] - t->depth[k]);
    return real4_of(real3_scale(1 / size, g), share / sums.w * real_min(chi, 1));
}

static bool has_layer(const line_table *t, const real4 *wall, int block)
{
    for (int l = 0; l < PAIR_I; l++)
        if (wall[PAIR_I * block + l].w < LINE_LAYER_END * t->spacing) return true;
    return false;
}

void line_find(const line_table *t, pair_lists lists, int begin, int end, const real4 *position, const real4 *wall,
               real4 *line, real *depth)
{
    const vreal inverse = vset(1 / t->reach), of_spacing = vset(1 / t->spacing), one = vset(1), none = vset(0);
    /* Who is farther off than the layer is thick is of no such layer; dummies are far off. */
    const vreal high = vset(LINE_LAYER_END * t->spacing / t->reach);
    for (int block = begin; block < end; block++) {
        if (!has_layer(t, wall, block)) {
            pair_store4(line, block, none, none, none, none);
            continue;
        }
        vreal4 i = pair_i(position, block), n = pair_i(wall, block);
        vreal c = none, gx = none, gy = none, gz = none;
        PAIRS(lists, block, j)
        {
            vreal4 b = pair_j(position, j), m = pair_j(wall, j);
            vreal x = (b.x - i.x) * inverse, y = (b.y - i.y) * inverse, z = (b.z - i.z) * inverse;
            vreal up = x * n.x + y * n.y + z * n.z;
            x -= up * n.x, y -= up * n.y, z -= up * n.z;
            vreal near = vselect(up * up < high * high, layer_weight(m.w * of_spacing), none);
            near *= vmax(vdot3(n, m), none); /* not a wall across a gap */
            vreal q = vmax(one - (x * x + y * y + z * z), none), slope = near * q;
            c += slope * q;
            gx -= slope * x, gy -= slope * y, gz -= slope * z;
        }
        pair_store4(line, block, gx, gy, gz, c);
        for (int k = PAIR_I * block; k < PAIR_I * (block + 1); k++) {
            real unused;
            line[k] = line_of(t, line[k], wall[k].w, depth ? &depth[k] : &unused);
        }
    }
}
