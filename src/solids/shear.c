#include "solids/shear.h"

#include "base/simd.h"

#include <string.h>

enum { CHUNK = 256 };

/* --- the table --- */

/* Integrals of g cos and of g over the directions within the angle whose cosine is c of the wall's normal. */
static void cap_moments(double c, int dimension, shear_form form, double *through, double *beyond)
{
    double s2 = fmax(1 - c * c, 0), s = sqrt(s2);
    if (form == SHEAR_ACROSS) {
        *through = dimension == 3 ? 2.5 * PI * (1 - c * c * c * c) : 8 * s * (1 - s2 / 3);
        *beyond = dimension == 3 ? 10 * PI * (1 - c * c * c) / 3 : 4 * (acos(c) + s * c);
    } else if (dimension == 3 && form == SHEAR_PLAIN) {
        *through = PI * s2, *beyond = 2 * PI * (1 - c);
    } else if (dimension == 3) {
        *through = 1.25 * PI * s2 * s2, *beyond = 5 * PI * ((1 - c) - (1 - c * c * c) / 3);
    } else if (form == SHEAR_PLAIN) {
        *through = 2 * s, *beyond = 2 * acos(c);
    } else {
        *through = 8.0 / 3 * s * s2, *beyond = 4 * (acos(c) - s * c);
    }
}

/* A and B at distance u, over shells r = u + (1 - u) t^2: there the cap's size is smooth in t. Returns the integral of
 * -W' r^D, by which the kernel is normalised. */
static double half_space(real (*slope)(real q), double u, int dimension, shear_form form, double *through,
                         double *beyond)
{
    enum { SHELLS = 256 };
    double all = 0;
    *through = *beyond = 0;
    for (int k = 0; k < SHELLS; k++) {
        double t = (k + 0.5) / SHELLS, r = u + (1 - u) * t * t, dr = (1 - u) * 2 * t / SHELLS;
        double minus_slope = -(double)slope((real)r), cap_through, cap_beyond;
        cap_moments(u / r, dimension, form, &cap_through, &cap_beyond);
        double shell = minus_slope * (dimension == 3 ? r : 1) * dr; /* F r^(D - 1) dr */
        *through += shell * cap_through * r, *beyond += shell * cap_beyond;
        all += shell * r * r;
    }
    return all;
}

void shear_table_make(shear_table *t, real (*slope)(real q), double support, int dimension, shear_form form,
                      real most_ratio)
{
    double through, beyond, all = half_space(slope, 0, dimension, form, &through, &beyond);
    /* The integral of F z^2 over all space is that of W, which is 1. */
    double norm = dimension / (all * (dimension == 3 ? 4 * PI : 2 * PI));
    t->support = (real)support, t->most_ratio = most_ratio;
    for (int k = 0; k <= SHEAR_STEPS; k++) {
        half_space(slope, (double)k / SHEAR_STEPS, dimension, form, &through, &beyond);
        t->through[k] = (real)(norm * through), t->beyond[k] = (real)(norm * beyond);
    }
    t->through[SHEAR_STEPS + 1] = t->beyond[SHEAR_STEPS + 1] = 0;
    for (int k = 1; k <= SHEAR_STEPS; k++) {
        double q = (double)k / SHEAR_STEPS;
        t->weight[k] = (real)(-norm * (double)slope((real)q) / q);
    }
    t->weight[0] = t->weight[1], t->weight[SHEAR_STEPS + 1] = 0;
    t->volume_scale = (real)(dimension == 3 ? 1 / (support * support * support) : 1 / (support * support));
    t->off_axis = t->off_normal = form == SHEAR_CENTRAL ? (real)(dimension + 2) / (real)(dimension - 1) : 1;
    if (form == SHEAR_PLAIN) t->off_normal = 0;
}

/* --- rates --- */

/* k support^2/(2 nu) by distance and slip length over the support, both 0 or more. */
static inline vreal rate_at(const shear_table *t, vreal u, vreal slip)
{
    const vreal steps = vset(SHEAR_STEPS), one = vset(1);
    vreal behind = vmax(u + slip, vset((real)1e-4)); /* keeps 0/0 off */
    vreal c = vset(1 + t->most_ratio), bound = vmin(c * behind, one) * steps;
    vreal straight = vtable(t->through, vmin(u, one) * steps) - vtable(t->through, bound);
    return vmax(straight, vset(0)) / behind + c * vtable(t->beyond, bound);
}

/* The rates of one solid; least_slip: NULL, or of each particle. */
static void rates_of(const shear_table *t, real nu, real slip_length, const real *least_slip, int count,
                     const real4 *wall, real *rate)
{
    vreal scale = vset(2 * nu / (t->support * t->support)), inverse = vset(1 / t->support);
    for (int i = 0; i < count; i += LANES) {
        int lanes = count - i < LANES ? count - i : LANES;
        real u[LANES], slip[LANES], r[LANES];
        for (int l = 0; l < LANES; l++) {
            u[l] = l < lanes ? wall[i + l].w : t->support;
            slip[l] = l < lanes && least_slip ? real_max(least_slip[i + l], slip_length) : slip_length;
        }
        vreal distance = vmax(vload(u) * inverse, vset(0));
        vstore(r, vless(distance, vset(1)) ? scale * rate_at(t, distance, vload(slip) * inverse) : vset(0));
        memcpy(rate + i, r, (size_t)lanes * sizeof *r);
    }
}

void shear_rates(const shear_table *t, real nu, real slip_length, int count, const real4 *normal_and_distance,
                 real *rate)
{
    rates_of(t, nu, slip_length, NULL, count, normal_and_distance, rate);
}

real shear_most_rate(const shear_table *t, real nu)
{
    return 2 * nu / (t->support * t->support) * (1 + t->most_ratio) * t->beyond[0];
}

/* --- what layers of liquid lack --- */

static real through_at(const shear_table *t, real u)
{
    real x = real_min(real_max(u, 0), 1) * SHEAR_STEPS;
    int k = (int)x;
    return t->through[k] + (x - (real)k) * (t->through[k + 1] - t->through[k]);
}

/* S/A at distance u of the support by what lies above and below. Sums over lattices differ from integrals by up to a
 * third. Where much less than that is above, liquid ends there: then the integral stands for it. S is within what A is
 * half a spacing nearer to the wall and farther. */
static real lack_of(const shear_table *t, real u, real half_spacing, real above, real below)
{
    const real low = (real)0.6, high = (real)1.6, full = t->through[0];
    real trust = real_min(real_max(5 * (above / full - low) + 1, 0), 1);
    real all = full + trust * (real_min(above, high * full) - full);
    real least = low * through_at(t, u + half_spacing), most = high * through_at(t, u - half_spacing);
    real even = through_at(t, u);
    return even > (real)1e-5 * full ? real_min(real_max(all - below, least), most) / even : 1;
}

void shear_find_lack(const shear_table *t, pair_lists lists, int begin, int end, const real4 *position,
                     const real4 *wall, real volume, real spacing, real *lack)
{
    real inverse = 1 / t->support, share = volume * t->volume_scale;
    const vreal steps = vset(SHEAR_STEPS), off_axis = vset(t->off_axis), off_normal = vset(t->off_normal);
    for (int block = begin; block < end; block++) {
        bool is_near = false;
        for (int l = 0; l < PAIR_I; l++) {
            lack[PAIR_I * block + l] = 1;
            is_near = is_near || wall[PAIR_I * block + l].w < t->support;
        }
        if (!is_near) continue;
        vreal4 i = pair_i(position, block), n = pair_i(wall, block);
        vreal above = vset(0), below = vset(0), scale = vset(inverse);
        PAIRS(lists, block, j)
        {
            vreal4 b = pair_j(position, j);
            vreal x = (b.x - i.x) * scale, y = (b.y - i.y) * scale, z = (b.z - i.z) * scale;
            vreal r2 = vmin(x * x + y * y + z * z, vset(1)) + vset((real)1e-12), inv_r = vrsqrt(r2);
            vreal height = n.x * x + n.y * y + n.z * z, up = vmin(vmax(height, vset(-1)), vset(1));
            vreal f = vtable(t->weight, r2 * inv_r * steps) * (off_axis - off_normal * up * up * inv_r * inv_r);
            above += f * vmax(up, vset(0)), below += f * vmax(-up, vset(0));
        }
        _Alignas(64) real sum[2][PAIR_I > 4 ? PAIR_I : 4];
        pair_store(sum[0], 0, above), pair_store(sum[1], 0, below);
        for (int l = 0; l < PAIR_I; l++) {
            real distance = real_max(wall[PAIR_I * block + l].w * inverse, 0);
            if (distance < 1)
                lack[PAIR_I * block + l] =
                    lack_of(t, distance, spacing * inverse / 2, share * sum[0][l], share * sum[1][l]);
        }
    }
}

/* --- all solids --- */

/* Of one solid and a chunk of particles: k, and k' across it. */
typedef struct chunk_rates {
    real4 wall[CHUNK];
    real along[CHUNK], across[CHUNK];
} chunk_rates;

/* What one solid does to the particles begin .. begin + count, count <= CHUNK: false where it does nothing. */
static bool near_solid(const shear *s, int solid, int begin, int count, const real4 *position, chunk_rates *of)
{
    real slip = (real)solids_info(s->solids, solid, 0).slip_length;
    if (isinf(slip) && !s->across) return false;
    solids_distance(s->solids, solid, (double)s->table->support, count, position + begin, of->wall);
    rates_of(s->table, s->nu, slip, s->least_slip ? s->least_slip + begin : NULL, count, of->wall, of->along);
    if (s->across)
        rates_of(s->across, s->nu, 0, NULL, count, of->wall, of->across);
    else
        memset(of->across, 0, sizeof of->across);
    for (int i = 0; s->lack && i < count; i++)
        if (s->nearest[begin + i] == solid) of->along[i] *= s->lack[begin + i], of->across[i] *= s->lack[begin + i];
    for (int i = 0; s->fresh && i < count; i++)
        if (s->nearest[begin + i] == solid) of->along[i] *= s->fresh[begin + i];
    return true;
}

/* hold of one solid, of the velocity v. */
static real3 hold_of(const chunk_rates *of, int i, real3 v)
{
    real3 n = real3_of(of->wall[i]);
    return real3_madd(real3_scale(of->along[i], v), (of->across[i] - of->along[i]) * real3_dot(n, v), n);
}

static void add_solid(wall_shear *to, const chunk_rates *of, int i, real3 wall_velocity)
{
    real4 n = of->wall[i];
    real along = of->along[i], more = of->across[i] - along;
    to->diagonal.x += along + more * n.x * n.x, to->diagonal.y += along + more * n.y * n.y;
    to->diagonal.z += along + more * n.z * n.z, to->diagonal.w += real_max(along, of->across[i]);
    to->across.x += more * n.y * n.z, to->across.y += more * n.z * n.x, to->across.z += more * n.x * n.y;
    real4_add(&to->push, hold_of(of, i, wall_velocity));
}

static void find_chunk(const shear *s, int begin, int count, const real4 *position, wall_shear *found)
{
    chunk_rates of;
    for (int i = 0; i < count; i++) found[begin + i] = (wall_shear){0};
    for (int solid = 0; solid < solids_count(s->solids); solid++) {
        if (!near_solid(s, solid, begin, count, position, &of)) continue;
        for (int i = 0; i < count; i++) {
            if (!(of.along[i] > 0) && !(of.across[i] > 0)) continue;
            real3 at = real3_of(position[begin + i]);
            add_solid(&found[begin + i], &of, i, solids_velocity(s->solids, solid, at));
        }
    }
}

static int piece_of(int at, int end) { return end - at < CHUNK ? end - at : CHUNK; }

void shear_find(const shear *s, int begin, int end, const real4 *position, wall_shear *found)
{
    for (int at = begin; at < end; at += CHUNK) find_chunk(s, at, piece_of(at, end), position, found);
}

void shear_push_solids(const shear *s, int begin, int end, const real4 *position, const real4 *velocity, real impulse,
                       solid_pushes *to)
{
    chunk_rates of;
    for (int solid = 0; solid < solids_count(s->solids); solid++) {
        for (int at = begin; at < end; at += CHUNK) {
            int count = piece_of(at, end);
            if (!near_solid(s, solid, at, count, position, &of)) break;
            for (int i = 0; i < count; i++) {
                if (!(of.along[i] > 0) && !(of.across[i] > 0)) continue;
                real3 x = real3_of(position[at + i]), n = real3_of(of.wall[i]);
                real3 slip = real3_sub(real3_of(velocity[at + i]), solids_velocity(s->solids, solid, x));
                solids_push(to, PUSH_SHEAR, solid, x, real3_scale(impulse * of.along[i], real3_across(slip, n)));
                if (s->across)
                    solids_push(to, PUSH_PRESSURE, solid, x,
                                real3_scale(impulse * of.across[i] * real3_dot(slip, n), n));
            }
        }
    }
}
