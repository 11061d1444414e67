/* The density pass, and the pressure that follows from it: dp/dt = -rho c^2 div v, with what diffuses and drifts. */
#include "methods/sph/flow.h"

/* Particles near the surface are driven apart where the density is so much of itself more than it should be. */
#define MOST_CROWDED ((real)0.1)
/* Parts of the kernel: with less than the one a particle is not inside liquid, with the other it may be. */
#define HOLLOW ((real)0.7)
#define FILLED ((real)0.85)
#define ALONE ((real)0.55) /* four in one place */
/* What lacks more than the first, beyond what |S| explains, is made up for faster, so many times as it is more times
 * the second, and in a step no more than the third of it. */
#define SLIGHT ((real)0.004)
#define LACKING ((real)0.004)
#define MADE_UP ((real)0.125)
/* Diffusion of the density is explicit, also where pressure is implicit: it moves so much of H^2 in a step, no more.
 * With 0.2 drops blow up, the sooner the better the solver converges. */
#define MOST_DIFFUSED 0.1

static void put_densities(int begin, int end, void *context)
{
    flow *k = context;
    real scale = sph_diffusion(k) / (k->rho * k->sound * k->sound);
    real3 g = {k->rho * (real)k->w->gravity.x, k->rho * (real)k->w->gravity.y, k->rho * (real)k->w->gravity.z};
    for (int i = begin; i < end; i++) /* less the weight of liquid at rest: that is not to diffuse */
        k->a.x[i].w = scale * (k->a.pressure[i] - real3_dot(g, real3_of(k->a.x[i])));
}

/* Of each sum over differences (q_i - q_j) the part with q_i is taken out of the loop: the passes over pairs are most
 * of a step, and what bounds them is the number of instructions. */
static void sum_density(int begin, int end, void *context)
{
    flow *k = context;
    const sph_state *p = k->p;
    vreal inv_support = vset(1 / p->support), kernel = vset(p->kernel), gradient = vset(p->gradient / p->support);
    vreal rate_scale = vset(p->gradient / (p->support * p->support));
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->a.x, block), vi = pair_i(k->a.v, block);
        vreal sum3 = vset(0), sum4 = vset(0), sum5 = vset(0); /* of powers of t */
        vreal rate = vset(0), spread = vset(0), sx = vset(0), sy = vset(0), sz = vset(0);
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->a.x, j), vb = pair_j(k->a.v, j);
            vreal dx = b.x - i.x, dy = b.y - i.y, dz = b.z - i.z;
            vreal t = vmax(1 - vsqrt(dx * dx + dy * dy + dz * dz) * inv_support, vset(0));
            vreal t2 = t * t, t3 = t2 * t;
            sum3 += t3, sum4 += t2 * t2, sum5 += t2 * t3;
            rate -= t3 * (dx * vb.x + dy * vb.y + dz * vb.z), spread += t3 * b.w;
            sx += t3 * dx, sy += t3 * dy, sz += t3 * dz;
        }
        rate += vi.x * sx + vi.y * sy + vi.z * sz, spread -= i.w * sum3;
        pair_store4(k->filled, block, gradient * sx, gradient * sy, gradient * sz, kernel * (5 * sum4 - 4 * sum5));
        pair_store(k->rate, block, rate_scale * rate);
        pair_store(k->spread, block, rate_scale * spread);
    }
}

void sph_sum_density(flow *k)
{
    parallel_for(k->count, 4096, put_densities, k);
    sph_mark_liquid(k);
    particles_update_ghosts(k->w->particles, FIELD_POSITION_INDEX);
    particles_update_ghosts(k->w->particles, FIELD_VELOCITY_INDEX);
    parallel_for(k->blocks, SPH_GRAIN, sum_density, k);
    sph_take_apart(k);
}

static void find_open(int begin, int end, void *context, double *maxima)
{
    const sph_arrays *a = context;
    for (int i = begin; i < end; i++)
        if (a->is_surface[i]) maxima[0] = 1;
}

bool sph_is_open(const sph_state *p, const world *w)
{
    double is_open = 0;
    sph_arrays a = sph_arrays_of(p, w);
    parallel_max(a.count, 1, find_open, &a, &is_open);
    return is_open > 0;
}

double sph_most_delta(const sph_state *p, double dt)
{
    return MOST_DIFFUSED * (double)p->support / (p->saved_sound * dt);
}

/* The density that is integrated knows nothing of where particles are, and strays from it in violent flow, until there
 * is a tenth more volume than liquid. So inside the liquid it slowly follows what their places tell, c - 1; there, too,
 * it diffuses. `size`: |S| H. */
static inline real inside_of(real size) { return real_max(1 - 2 * size, 0); }

/* The part of the kernel that liquid, gas and solids fill. */
static inline real filled_by_all(const flow *k, int i)
{
    return sph_filled_by_fluid(k, i) + (k->wall ? k->solid[i].w : 0);
}

/* By how much the liquid next to a particle is too dense. Inside, |S| H takes about 0.04 |S| H from c; a plane at which
 * |S| H is left takes D. Near the surface only what is much too dense counts: c there also falls at edges. In the
 * middle of a film or of a few particles that fly together |S| is small too, but so is c: they are not taken for liquid
 * inside that is too thin, which drew them together to a point, ever faster.
 *
 * Where meshes are, what lacks much is made up for faster, as a jet or a broken dam leaves it: a drop's strain lacks
 * less. In free drops the layers below the surface would be pressed. */
static inline real crowding(const flow *k, int i, real size)
{
    real filled = filled_by_all(k, i), more = filled - 1;
    real by_surface = size * ((real)0.05 + (real)0.132 * size), inside = inside_of(size);
    real dense = real_max(more + by_surface - MOST_CROWDED, 0);
    real whole = real_min(real_max((filled - HOLLOW) / (FILLED - HOLLOW), 0), 1);
    real lack = real_min(more, 0);
    if (sph_tension_mode(k->p) == SPH_TENSION_AREA) {
        real much = real_max(-more - by_surface - SLIGHT, 0) / LACKING;
        lack *= real_min(1 + much, real_max(MADE_UP / (k->dt * k->p->drift * k->sound), 1));
    }
    return inside * (real_max(more, 0) + whole * lack + (real)0.04 * size) + (1 - inside) * dense;
}

/* From 0 to 1: how much of the tension that liquid bears, 2 gamma/s, a particle bears. Few that fly together bear none,
 * which would draw them to a point. */
static inline real coherence(const flow *k, int i)
{
    real filled = filled_by_all(k, i);
    return real_min(real_max((filled - ALONE) / (FILLED - ALONE), 0), 1);
}

/* Over the step, from a rate of the density by velocities (1/s; *rate: with what diffuses), and drift, Pa. The density
 * follows c less what a pressure presses that does not last: sound, whose p + drift integral of p would feed it by
 * drift/2. What lasts presses nothing, else liquid under pressure stays the denser. In a box that is full nothing can
 * follow: there all of the pressure counts. */
static inline real pressure_change(const flow *k, int i, real by_velocities, real *rate)
{
    real size = real3_length(sph_whole_gradient(k, i)), inside = inside_of(size);
    real stiffness = k->rho * k->sound * k->sound, drift = k->p->drift * k->sound;
    real pressed = inside * (k->a.pressure[i] - k->a.lasting[i]);
    *rate = by_velocities + (k->wall && sph_wetted(k, i) > 0 ? 1 : inside) * k->spread[i];
    return k->dt * (stiffness * *rate + drift * (stiffness * crowding(k, i, size) - pressed));
}

real sph_pressure_source(const flow *k, int i)
{
    real rate;
    return pressure_change(k, i, 0, &rate);
}

real sph_set_pressure(flow *k, int i, real pressure)
{
    pressure /= 1 + k->dt * k->sound / k->p->support * (1 - sph_body(sph_filled_by_fluid(k, i)));
    k->a.density[i] = (k->rho + pressure / (k->sound * k->sound)) * sph_relative_mass(k, i);
    real follows = k->dt * k->p->drift * k->sound, lasting = (k->a.lasting[i] + follows * pressure) / (1 + follows);
    k->a.lasting[i] = k->is_open ? lasting : 0;
    return k->a.pressure[i] = pressure;
}

/* A solid draws liquid no further than adhesion goes: then it lets go, and what moves away from it lowers the pressure
 * no more. The liquid itself holds on to 2 gamma over a spacing. */
void sph_advance_pressure(int begin, int end, void *context)
{
    flow *k = context;
    const sph_state *p = k->p;
    real stiffness = k->rho * k->sound * k->sound, inv_rho = 1 / k->rho, least = -2 * k->gamma / p->s;
    real bulk = (real)p->parameter[SPH_BULK] * k->rho * k->sound * p->support / 2;
    for (int i = begin; i < end; i++) {
        real rate, pressure = k->a.pressure[i] + pressure_change(k, i, k->rate[i], &rate);
        if (sph_is_held(k, i)) {
            k->touch[i] = sph_touch(k, i);
            real more = k->touch[i] * sph_pressed(k, i) * k->solid_rest[i].w, held = sph_least_pressure(k, i);
            real pressed = pressure + k->dt * stiffness * more;
            pressure = more < 0 && pressed < held ? real_min(pressure, held) : pressed;
            rate += more;
        }
        pressure = sph_set_pressure(k, i, real_max(pressure, least * coherence(k, i)));
        k->a.x[i].w = (pressure + bulk * rate) * inv_rho;
    }
}
