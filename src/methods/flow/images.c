/* How full solids are of the images of the very particles that lie on them.
 *
 * Thought full of liquid at rest (half_space.h), a solid gives n by the particle's own distance alone. Where the first
 * layers stand off by a twentieth of a spacing that is too little by a fiftieth of n0, and the same layers' particles,
 * which lie as much denser, make up for it: n is what it should be, and liquid that is stirred stayed off its walls by
 * so much. Its mirror image stands off twice as far, and lies denser likewise: by it n of such layers lacks 5, 3 and
 * 1.5 %.
 *
 * Across a plane the image of j is sqrt(r^2 + 4 d_i d_j) away from particle i, d their distances from it. Of a solid
 * that bends with the mean curvature H that holds too, to first order, with d_j = d_i + e . x_ji + H rho^2/2, rho of
 * x_ji across the normal e. What particles at rest have of it is then
 *
 *     E = filled(d) + H bent(d),  bent = int_z=-d rho^2/2 w^2 dA - 2 d int_z>d rho^2 w/(h r) dV,
 *
 * in corners less the images that others have (near_walls.h), and between faces less what is images of images. */
#include "methods/flow/flow.h"

/* Mean curvature times the spacing up to which the first order does, and from which it does not. */
#define BENT ((real)0.15)
#define TOO_BENT ((real)0.3)
/* Of n0: a solid that gives less is full as it is. A ratio is at most so much off. */
#define LEAST ((real)0.01)
#define MOST_OFF ((real)0.3)

/* Of z > d the integral of rho^2 over a shell of radius r, over r^(D + 1). */
static double across(int dimension, double c)
{
    return dimension == 3 ? 2 * PI * (2.0 / 3 - c + c * c * c / 3) : acos(c) - c * sqrt(1 - c * c);
}

void flow_make_images(flow_state *p, int dimension)
{
    enum { STEPS = 200 };
    double number = pow(FLOW_REACH, dimension);
    for (int k = 0; k < HALF_SPACE_STEPS; k++) {
        double d = (double)k / HALF_SPACE_STEPS, sum = 0;
        for (int n = 0; n < STEPS; n++) {
            double r = d + (1 - d) * (n + 0.5) / STEPS, w = 1 - r, rho2 = r * r - d * d;
            sum += (dimension == 3 ? PI * rho2 : sqrt(rho2)) * r * w * w;
            sum -= 2 * d * w * pow(r, dimension) * across(dimension, d / r);
        }
        p->image_bend[k] = (real)(number * sum * (1 - d) / STEPS);
    }
    p->image_bend[HALF_SPACE_STEPS] = p->image_bend[HALF_SPACE_STEPS + 1] = 0;
}

static real curvature(const flow_step *k, int at)
{
    return k->near.bend ? 2 * k->near.bend[at].farther / (k->p->sight * k->p->sight) : 0;
}

/* sum w^2 over the images of a block's neighbours in the a-th solid near each of its particles; false where none has
 * one. */
static bool sum_images(const flow_step *k, int block, int a, real *sum)
{
    _Alignas(64) real4 wall[PAIR_I];
    _Alignas(64) real bend[PAIR_I];
    bool has_any = false;
    for (int l = 0; l < PAIR_I; l++) {
        int i = PAIR_I * block + l, at = NEAR_WALLS * i + a;
        bool has = i < k->count && k->near.solid[at] >= 0;
        wall[l] = has ? k->near.wall[at] : (real4){0, 0, 0, k->h};
        bend[l] = has ? curvature(k, at) * k->h / 2 : 0;
        has_any |= has;
    }
    if (!has_any) return false;
    vreal4 i = pair_i(k->x, block), e = pair_i(wall, 0);
    vreal inv_h = vset(k->inv_h), di = e.w * inv_h, half = pair_i1(bend, 0), n = vset(0);
    PAIRS(k->lists, block, j)
    {
        vreal4 b = pair_j(k->x, j);
        vreal dx = (i.x - b.x) * inv_h, dy = (i.y - b.y) * inv_h, dz = (i.z - b.z) * inv_h;
        vreal q2 = dx * dx + dy * dy + dz * dz, off = dx * e.x + dy * e.y + dz * e.z;
        vreal dj = vmax(di - off + half * (q2 - off * off), vset(0));
        q2 += vset(4) * di * dj + (real)1e-12;
        vreal w = vmax(1 - q2 * vrsqrt(q2), vset(0));
        n += w * w;
    }
    pair_store(sum, 0, n);
    return true;
}

/* E of the a-th solid. */
static real at_rest(const flow_step *k, const walls_here *here, int i, int a)
{
    const flow_state *p = k->p;
    const real4 *wall = k->near.wall + NEAR_WALLS * i;
    real d = wall[a].w * k->inv_h, bent = curvature(k, NEAR_WALLS * i + a) * k->h;
    real sum = half_space_at(p->filled, d) + bent * half_space_at(p->image_bend, d), behind = 0;
    for (int b = 0; b < here->count; b++) {
        if (a == b) continue;
        real same = real3_dot(real3_of(wall[a]), real3_of(wall[b])), wet = near_walls_wet(&k->near, NEAR_WALLS * i + b);
        sum *= real_max(1 - wet * (1 + same) * half_space_at(p->crowd.sum, here->distance[b]) / p->c.full, 0);
        behind += real_max(-same, 0) * half_space_at(p->filled, 2 * d + wall[b].w * k->inv_h);
    }
    return sum - behind;
}

static void find_images(int begin, int end, void *context)
{
    flow_step *k = context;
    _Alignas(64) real sum[PAIR_I > 4 ? PAIR_I : 4];
    for (int block = begin; block < end; block++)
        for (int a = 0; a < NEAR_WALLS && sum_images(k, block, a, sum); a++)
            for (int i = PAIR_I * block, l = 0; i < flow_end_of(k, block); i++, l++)
                k->images[NEAR_WALLS * i + a] = sum[l];
}

dew_result flow_find_images(flow_step *k)
{
    if (!k->near.wall || !k->p->is_area) return DEW_OK;
    ARENA_TRY(k->w->scratch, NEAR_WALLS * k->count, k->images);
    parallel_for(k->blocks, FLOW_GRAIN, find_images, k);
    return DEW_OK;
}

/* As far as a solid that bends by so much in a spacing does as a plane does. */
static real flat_part(real bent) { return real_min(real_max((TOO_BENT - bent) / (TOO_BENT - BENT), 0), 1); }

real flow_image_room(const flow_step *k, int i, int a)
{
    return flat_part(-curvature(k, NEAR_WALLS * i + a) * k->p->s);
}

real flow_image_share(const flow_step *k, const walls_here *here, int i, int a)
{
    if (!k->images) return 1;
    real bent = curvature(k, NEAR_WALLS * i + a) * k->p->s, expected = at_rest(k, here, i, a);
    if (!(expected > LEAST * k->p->c.n0)) return 1;
    real part = flat_part(real_max(bent, -bent));
    real off = real_min(real_max(k->images[NEAR_WALLS * i + a] / expected - 1, -MOST_OFF), MOST_OFF);
    return 1 + part * off;
}
