/* One step of weakly compressible flow with surface tension.
 *
 *   1. density pass: rate of density by the velocities there are, filled part c of each kernel, S = sum V0 grad W;
 *   2. pressures by that rate;
 *   3. curvature, of the few surface particles alone (curvature.c);
 *   4. force pass: pressure and viscosity between pairs; near the surface also the Shepard mean of the tension that
 *      surface particles carry;
 *   5. velocities, then places.
 *
 * Pressures from old velocities, velocities from new pressures: the staggered order keeps sound stable. The force of
 * pressure, -V0 sum V0 (p_i + p_j) grad W, is the adjoint of the density's rate, and where p = gamma kappa everywhere
 * it is balanced by the tension 2 gamma kappa S V0 in each particle on which tension acts wholly, whatever their order:
 * so a drop can rest. */
#include "methods/sph/projection.h"

#include "particles/ghosts.h"

/* In |S| H: where there is less, tension does not act, where there is more than the other, wholly. Between them it
 * grows: cut off at once, the particles two layers deep, whose |S| comes and goes, felt it in one step and not in the
 * next, and were three to seven times as fast as any are now in a drop at rest. */
#define NEAR_GRADIENT ((real)0.025)
#define WHOLE_GRADIENT ((real)0.075)

/* The share of viscosity that pairs at the surface have besides: a particle of a plane's first layer lacks a third of
 * the second moment, D - u D'/3 at u = s/2; its pairs count so much more, those of two of them twice. */
#define LACKING_VISCOSITY ((real)0.25)

/* At a solid, where what it takes of the sums is made up for too (walls.c), and in a groove, whose particles have their
 * neighbours along it: so much more may act there, and the step is so much shorter. With 1.3, and crowded particles
 * made up for as others, one drop of eight still flew off a floor with grooves two spacings wide. */
#define SOLID_VISCOSITY 1.5

/* Particles near the surface are driven apart where the density is so much of itself more than it should be. */
#define MOST_CROWDED ((real)0.1)
/* Parts of the kernel: with less than the one a particle is not inside liquid, with the other it may be. */
#define HOLLOW ((real)0.7)
#define FILLED ((real)0.85)
#define ALONE ((real)0.55) /* four in one place */

/* Where pressure is implicit: how many times sound's step it takes at most, so that the solver needs few turns; in
 * spacings how far a particle goes in it; and, as a step with it costs about twice as much, how many times the explicit
 * step it has to be for it to be chosen. */
#define IMPLICIT_STEP 16
#define IMPLICIT_MOTION 0.4
#define IMPLICIT_WORTH 2

/* Steps over the time sqrt(rho h^3/(2 pi gamma)) in which the shortest capillary wave that the kernel resolves goes by:
 * coarse drops are damped no more than by shorter ones. */
#define CAPILLARY_STEP 1.8

/* Diffusion of the density is explicit, also where pressure is implicit: it moves so much of H^2 in a step, no more.
 * With 0.2 drops blow up, the sooner the better the solver converges. */
#define MOST_DIFFUSED 0.1

/* --- time step --- */

/* Follows the largest of the scene's speed, the flow's and sqrt(p/rho) upwards at once; downwards slowly, sph.c. */
static void update_sound(sph_state *p, const world *w, double flow_speed)
{
    if (p->parameter[SPH_SOUND_SPEED] > 0) {
        p->saved_sound = p->parameter[SPH_SOUND_SPEED];
        return;
    }
    double typical = sqrt(world_typical_pressure(w, sph_arrays_of(p, w).pressure) / w->materials[0].density);
    double target = p->parameter[SPH_SOUND] * fmax(p->least_speed, fmax(flow_speed, typical));
    p->saved_sound = fmax(target, p->saved_sound);
    if (!(p->saved_sound > 0)) p->saved_sound = p->parameter[SPH_SOUND] * w->spacing; /* nothing moves anything */
}

double sph_viscosity_of(const sph_state *p, const world *w)
{
    const dew_material_def *m = &w->materials[0];
    return fmax(m->viscosity / m->density, p->parameter[SPH_ALPHA] * p->saved_sound * (double)p->support / 20);
}

/* The implicit solver does not know that a solid which repels lets go of liquid: on a cone of 175 degrees a ring sticks
 * that by explicit pressure slides and falls apart into drops, and with steps as long as fast liquid allows it blew up.
 */
static bool has_repelling_solid(const world *w)
{
    bool repels = false;
    for (int solid = 0; solid < solids_count(w->solids); solid++)
        repels |= solids_info(w->solids, solid, w->materials[0].surface_tension).cos_contact_angle < -0.5 + 1e-6;
    return repels;
}

/* `longer`: the implicit step over the explicit one. */
static bool choose_pressure(const sph_state *p, const world *w, double longer)
{
    double choice = p->parameter[SPH_PRESSURE];
    if (sph_tension_mode(p) == SPH_TENSION_PAPER) return false;
    return choice > 1.5 || (choice < 0.5 && longer > IMPLICIT_WORTH && !has_repelling_solid(w));
}

double sph_flow_time_step(void *state, world *w)
{
    sph_state *p = state;
    const dew_material_def *m = &w->materials[0];
    double speed = world_largest_speed(w), solid = solids_max_speed(w->solids, w->time, w->frame_interval);
    update_sound(p, w, fmax(speed, solid));
    double h = (double)p->support / 2, s = (double)p->s;
    /* Waves in gas are faster, as is the spreading of momentum: forces are the same, masses less. */
    double lightness = w->material_count > 1 ? m->density / w->materials[1].density : 1;
    double acoustic = p->parameter[SPH_CFL] * h / (p->saved_sound * sqrt(lightness));
    double wave = m->surface_tension > 0 ? sqrt(m->density * h * h * h / (2 * PI * m->surface_tension)) : INFINITY;
    double most_viscosity = (1 + 2 * (double)LACKING_VISCOSITY) * sph_viscosity_of(p, w); /* of pairs at the surface */
    if (solids_count(w->solids) > 0) most_viscosity *= SOLID_VISCOSITY;
    double viscous = 0.125 * h * h / (lightness * most_viscosity);
    double moving = solid > 0 ? 0.2 * s / solid : INFINITY, motion = speed > 0 ? IMPLICIT_MOTION * s / speed : INFINITY;
    double all = fmin(viscous, moving), capillary = CAPILLARY_STEP * wave;
    double explicit = fmin(fmin(all, capillary), acoustic);
    double most = fmin(fmin(motion, w->frame_interval), IMPLICIT_STEP * acoustic);
    double implicit = fmin(fmin(all, capillary), most);
    p->is_implicit = choose_pressure(p, w, implicit / explicit);
    double limit = p->is_implicit ? implicit : explicit;
    w->limit = limit == viscous     ? "viscous"
               : limit == acoustic  ? "acoustic"
               : limit == capillary ? "capillary"
                                    : "speed";
    return limit;
}

/* --- density --- */

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
 * inside that is too thin, which drew them together to a point, ever faster. */
static inline real crowding(const flow *k, int i, real size)
{
    real filled = filled_by_all(k, i), more = filled - 1;
    real dense = real_max(more + size * ((real)0.05 + (real)0.132 * size) - MOST_CROWDED, 0), inside = inside_of(size);
    real whole = real_min(real_max((filled - HOLLOW) / (FILLED - HOLLOW), 0), 1);
    return inside * (real_max(more, 0) + whole * real_min(more, 0) + (real)0.04 * size) + (1 - inside) * dense;
}

/* From 0 to 1: how much of the tension that liquid bears, 2 gamma/s, a particle bears. Few that fly together bear none,
 * which would draw them to a point. */
static inline real coherence(const flow *k, int i)
{
    real filled = filled_by_all(k, i);
    return real_min(real_max((filled - ALONE) / (FILLED - ALONE), 0), 1);
}

/* *spread: by what rate density that diffuses changes it, 1/s. */
static inline real pressure_source(const flow *k, int i, real *spread)
{
    real size = real3_length(sph_whole_gradient(k, i)), inside = inside_of(size);
    real stiffness = k->rho * k->sound * k->sound, drift = k->p->drift * k->sound;
    *spread = (k->wall && sph_wetted(k, i) > 0 ? 1 : inside) * k->spread[i];
    return k->dt * (stiffness * *spread + drift * (stiffness * crowding(k, i, size) - k->a.pressure[i] * inside));
}

real sph_pressure_source(const flow *k, int i)
{
    real spread;
    return pressure_source(k, i, &spread);
}

real sph_set_pressure(flow *k, int i, real pressure)
{
    pressure /= 1 + k->dt * k->sound / k->p->support * (1 - sph_body(sph_filled_by_fluid(k, i)));
    k->a.density[i] = (k->rho + pressure / (k->sound * k->sound)) * sph_relative_mass(k, i);
    return k->a.pressure[i] = pressure;
}

/* A solid draws liquid no further than adhesion goes: then it lets go, and what moves away from it lowers the pressure
 * no more. The liquid itself holds on to 2 gamma over a spacing. */
static void advance_pressure(int begin, int end, void *context)
{
    flow *k = context;
    const sph_state *p = k->p;
    real stiffness = k->rho * k->sound * k->sound, inv_rho = 1 / k->rho, least = -2 * k->gamma / p->s;
    real bulk = (real)p->parameter[SPH_BULK] * k->rho * k->sound * p->support / 2;
    for (int i = begin; i < end; i++) {
        real spread, pressure = k->a.pressure[i] + k->dt * stiffness * k->rate[i] + pressure_source(k, i, &spread);
        real rate = k->rate[i] + spread;
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

/* --- forces --- */

/* Sums over pairs of a block. Of surface particles near: `weight`, their normals, how far out they lie (`depth`), and
 * the tension that they carry. */
typedef struct force_sums {
    vreal x, y, z;
    vreal weight, nx, ny, nz, depth;
    vreal gx, gy, gz, curvature;
} force_sums;

/* `has_tension`, known when compiled: the loop is over particles that may be surface, for a block that they act on.
 * Viscosity takes 1/r^2 roughly, the same of both particles of a pair: momentum is kept, and pressure takes r whole. */
static inline void add_forces(const flow *k, int block, pair_part j_part, const uint16_t *from, const uint16_t *to,
                              bool has_tension, vreal viscosity, force_sums *sums)
{
    vreal inv_support = vset(1 / k->p->support);
    vreal4 i = pair_i(k->a.x, block), vi = pair_i(k->a.v, block);
    vreal lacking = vset(LACKING_VISCOSITY) * viscosity, own = viscosity + lacking * vi.w;
    force_sums s = *sums;
    PAIRS_FROM(j, from, to)
    {
        vreal4 b = pair_j(k->a.x, j), vb = pair_j(k->a.v, j);
        vreal dx = i.x - b.x, dy = i.y - b.y, dz = i.z - b.z;
        vreal r2 = dx * dx + dy * dy + dz * dz, inv_r2 = vrcp_rough(r2 + (real)1e-30);
        vreal t = vmax(1 - vsqrt(r2) * inv_support, vset(0)), t3 = t * t * t;
        vreal along = dx * (vi.x - vb.x) + dy * (vi.y - vb.y) + dz * (vi.z - vb.z);
        vreal f = t3 * (i.w + b.w - (own + lacking * vb.w) * along * inv_r2);
        s.x += f * dx, s.y += f * dy, s.z += f * dz;
        if (has_tension) {
            vreal4 tension = pair_j(k->a.tension, j), n = pair_j(k->a.normal, j);
            vreal share = t3 * vb.w;
            s.weight += share, s.nx += share * n.x, s.ny += share * n.y, s.nz += share * n.z;
            s.depth -= share * (dx * n.x + dy * n.y + dz * n.z);
            s.gx += t3 * tension.x, s.gy += t3 * tension.y, s.gz += t3 * tension.z, s.curvature += t3 * tension.w;
        }
    }
    *sums = s;
}

/* `is_near`, known when compiled: the block's particles also gather the tension of surface particles. */
static inline void sum_block(flow *k, int block, bool is_near, vreal viscosity)
{
    const sph_state *p = k->p;
    vreal zero = vset(0), scale = vset(p->gradient / (p->support * p->support));
    bool is_whole = k->is_near[block] & BLOCK_WHOLE;
    force_sums s = {zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero};
    PAIR_PARTS(k->lists, block, j)
    {
        const uint16_t *front = !is_near ? j_part.begin : is_whole ? j_part.end : j_part.front;
        if (is_near) add_forces(k, block, j_part, j_part.begin, front, true, viscosity, &s);
        add_forces(k, block, j_part, front, j_part.end, false, viscosity, &s);
    }
    pair_store4(k->force, block, scale * s.x, scale * s.y, scale * s.z, s.weight);
    if (!is_near) return;
    pair_store4(k->pull, block, s.gx, s.gy, s.gz, s.curvature);
    pair_store4(k->facing, block, s.nx, s.ny, s.nz, s.depth);
}

static void sum_forces(int begin, int end, void *context)
{
    flow *k = context;
    vreal viscosity = vset((real)(10 * sph_viscosity_of(k->p, k->w)));
    for (int block = begin; block < end; block++) {
        if (k->is_near[block])
            sum_block(k, block, true, viscosity);
        else
            sum_block(k, block, false, viscosity);
    }
}

static void find_near_blocks(int begin, int end, void *context)
{
    flow *k = context;
    for (int block = begin; block < end; block++) {
        bool is_near = false;
        for (int i = PAIR_I * block; i < PAIR_I * block + PAIR_I && i < k->count; i++) {
            real3 s = real3_of(k->filled[i]);
            is_near |= real3_dot(s, s) > NEAR_GRADIENT * NEAR_GRADIENT;
        }
        k->is_near[block] = is_near ? k->is_near[block] | BLOCK_NEAR : 0;
    }
}

void sph_sum_forces(flow *k)
{
    particles *store = k->w->particles;
    parallel_for(k->blocks, 1024, find_near_blocks, k);
    particles_update_ghosts(store, FIELD_POSITION_INDEX);
    particles_update_ghosts(store, FIELD_VELOCITY_INDEX);
    particles_update_ghosts(store, k->p->tension);
    particles_update_ghosts(store, k->p->normal);
    parallel_for(k->blocks, SPH_GRAIN, sum_forces, k);
}

/* From the means of kappa and its gradient to the acceleration 2 gamma kappa S/rho. That force acts at depths z below
 * the surface, where liquid moves less than the surface does: in a flow without divergence, by z div_t v. So it would
 * do too little work, 2 gamma kappa |S| z div_t v over the layer, and the force that does this work, by parts, is -2
 * gamma |S| z grad_t kappa. The integral of |S| z over the layer is that of the kernel's empty part 1 - c, which is
 * used instead: it is at hand, and half of it is what pressure gradients lack along the surface where the kernel is not
 * filled. With the meshes' force only that half is needed. */
static real3 pull_of_curvature(const flow *k, int i)
{
    real4 s = k->filled[i];
    real inv_rho = 1 / k->rho, inv_support = 1 / k->p->support;
    real weight = k->is_near[i / PAIR_I] ? k->force[i].w : 0, size2 = real3_dot(real3_of(s), real3_of(s));
    bool is_mesh = k->mesh != NULL;
    if (is_mesh && sph_is_held(k, i)) return (real3){0, 0, 0};
    if (!(weight > 0) || !(size2 > NEAR_GRADIENT * NEAR_GRADIENT)) return (real3){0, 0, 0};
    real inv_weight = 1 / weight, curvature = k->pull[i].w * inv_weight;
    real3 gradient = real3_scale(inv_weight, real3_of(k->pull[i]));
    gradient = real3_madd(gradient, -real3_dot(gradient, real3_of(s)) / size2, real3_of(s));
    real3 f = real3_scale((is_mesh ? 1 : 2) * real_min(s.w - 1, 0), gradient);
    if (!is_mesh) {
        real3 inward = real3_of(s), n = real3_of(k->a.normal[i]);
        real tangential = sph_wetted(k, i) > 0 ? 0 : k->a.v[i].w;
        inward = real3_madd(real3_scale(1 - tangential, inward), tangential * real3_dot(inward, n), n);
        f = real3_madd(f, 2 * curvature * inv_support, inward);
    }
    real part = (sqrt(size2) - NEAR_GRADIENT) / (WHOLE_GRADIENT - NEAR_GRADIENT);
    f = real3_scale(inv_rho * real_min(part, 1), f);
    real company = sph_is_held(k, i) ? k->bare[i].w / sph_free(k, i) : sph_filled_by_fluid(k, i);
    f = real3_scale(sph_body(company), f);
    return k->gas ? real3_scale(sph_tension_share(k, i), f) : f;
}

static void find_pulls(int begin, int end, void *context)
{
    flow *k = context;
    real inv_mass = (real)(1 / k->w->particle_mass[0]);
    for (int i = begin; i < end; i++) {
        real3 f = pull_of_curvature(k, i);
        if (k->mesh) f = real3_madd(f, inv_mass, real3_of(k->mesh[i]));
        if (sph_is_held(k, i)) {
            k->mended[i] = real4_of(sph_along_wall(k, i), 0);
            f = real3_add(f, real3_of(k->mended[i]));
        }
        k->pull[i] = real4_of(f, 0);
    }
}

static void find_pulls_and_shifts(int begin, int end, void *context)
{
    sph_find_depths(begin, end, context);
    find_pulls(begin, end, context);
    sph_find_shifts(begin, end, context);
}

static void accelerate(int begin, int end, void *context, solid_pushes *to)
{
    flow *k = context;
    real3 g = {(real)k->w->gravity.x, (real)k->w->gravity.y, (real)k->w->gravity.z};
    for (int i = begin; i < end; i++) {
        real3 a = real3_add(real3_add(real3_of(k->force[i]), real3_of(k->pull[i])), g);
        if (sph_is_held(k, i)) {
            real3 pressure = sph_wall_pressure(k, i), friction = sph_wall_friction(k, i, pressure);
            a = real3_add(a, real3_add(pressure, friction));
            sph_push_solids(k, PUSH_PRESSURE, i, real3_scale(k->dt, pressure), to);
            solids_push(to, PUSH_SHEAR, k->wall_solid[i], real3_of(k->a.x[i]),
                        real3_scale(-k->dt * (real)k->w->particle_mass[0], friction));
        }
        if (sph_is_gas(k, i)) a = real3_madd(real3_scale(k->lightness, a), 1 - k->lightness, g);
        real4_add(&k->a.v[i], real3_scale(k->dt, a));
    }
}

static void move(int begin, int end, void *context)
{
    const flow *k = context;
    for (int i = begin; i < end; i++) {
        real4 *x = &k->a.x[i], v = k->a.v[i], d = k->shift[i];
        x->x += k->dt * v.x + d.x, x->y += k->dt * v.y + d.y, x->z += k->dt * v.z + d.z;
    }
}

static void integrate(int begin, int end, void *context, solid_pushes *to)
{
    accelerate(begin, end, context, to);
    move(begin, end, context);
}

/* With an implicit pressure bodies are balanced twice, as what shifts turn hangs on the velocities that pressure
 * leaves: tension before the solver, shifts after it. */
static void find_pulls_alone(int begin, int end, void *context)
{
    flow *k = context;
    sph_find_depths(begin, end, k);
    find_pulls(begin, end, k);
    for (int i = begin; i < end; i++) k->shift[i] = (real4){0, 0, 0, 0};
}

static void find_shifts_alone(int begin, int end, void *context)
{
    flow *k = context;
    sph_find_shifts(begin, end, k);
    for (int i = begin; i < end; i++) { /* velocities have them */
        k->pull[i] = (real4){0, 0, 0, 0};
        k->force[i] = (real4){0, 0, 0, k->force[i].w};
    }
}

static void turn_and_move(int begin, int end, void *context, solid_pushes *to)
{
    const flow *k = context;
    (void)to;
    for (int i = begin; i < end; i++) {
        real turn = k->dt / sph_relative_mass(k, i);
        real4_add(&k->a.v[i], real3_scale(turn, real3_of(k->pull[i])));
    }
    move(begin, end, context);
}

static dew_result advance_implicitly(flow *k, projection *m)
{
    RESULT_TRY(sph_balance_tension(k, find_pulls_alone, accelerate));
    k->of_line = k->mended = NULL; /* are given */
    if (k->wall) solids_each(k->w->solids, k->count, sph_stop_at_walls, k);
    sph_project(m);
    return sph_balance_tension(k, find_shifts_alone, turn_and_move);
}

/* --- the step --- */

/* Lists that are to hold for many steps are long, and slow every pass; a build costs about a third of a step. So the
 * best number of steps goes with the root of 1/(motion in a step). Each particle is allowed its own motion, as few are
 * fast: by its velocity, or by how far it went while the lists before held, as it is shifted too. */
#define STEPS_OF_MOTION 0.43
/* What a particle is allowed: so many times that motion, as it may come to be faster, and so many spacings in each step
 * besides. */
#define MOTION_MARGIN 1.5
#define LEAST_MOTION 0.003
/* In their place where how far it went is not known, besides its velocity. */
#define UNKNOWN_MOTION 0.004
/* In spacings: the most that a particle is allowed. */
#define MOST_ALLOWED 0.4

/* In spacings: when the fastest particle has gone so far, bodies of liquid are told apart anew. Until then two that
 * meet may count as two, one that parts as one. */
#define BODIES_TRAVEL 2

typedef struct allowing {
    const sph_arrays *a;
    real3 mean; /* velocity of all, which does not change who is near to whom */
    real rate;  /* from `allowance`, how far each went, to a speed; 0 where that is not known */
    real time, least, most;
} allowing;

/* sums: velocity. */
static void add_velocity(int begin, int end, void *context, double *sums)
{
    const real4 *v = ((const allowing *)context)->a->v;
    for (int i = begin; i < end; i++) sums[0] += (double)v[i].x, sums[1] += (double)v[i].y, sums[2] += (double)v[i].z;
}

/* From distances to speeds. sums: of these. */
static void find_speeds(int begin, int end, void *context, double *sums)
{
    const allowing *s = context;
    for (int i = begin; i < end; i++) {
        real speed = real3_length(real3_sub(real3_of(s->a->v[i]), s->mean)), *allowance = &s->a->allowance[i];
        *allowance = s->rate > 0 ? real_max(speed, s->rate * *allowance) : speed;
        sums[0] += (double)*allowance;
    }
}

/* In |S| H: who has more may come to the surface while lists hold. */
#define FRONT_GRADIENT ((real)0.5)

/* From speeds to allowances; who is in front. maxima: the largest allowance. */
static void allow(int begin, int end, void *context, double *maxima)
{
    const allowing *s = context;
    real most = 0;
    for (int i = begin; i < end; i++) {
        real allowance = real_min(s->time * s->a->allowance[i] + s->least, s->most);
        s->a->allowance[i] = allowance;
        s->a->is_front[i] = s->a->v[i].w > 0 || s->a->normal[i].w > FRONT_GRADIENT;
        most = real_max(most, allowance);
    }
    if ((double)most > maxima[0]) maxima[0] = (double)most;
}

static dew_result update_lists(sph_state *p, world *w, double dt)
{
    particles *store = w->particles;
    if (!neighbours_is_stale(w->neighbours, store)) return DEW_OK;
    sph_arrays a = sph_arrays_of(p, w);
    allowing s = {.a = &a, .most = (real)MOST_ALLOWED * p->s};
    double sums[3], motion = 0, most = 0, spacing = (double)p->s, since = w->time - p->listed;
    if (!ghosts_may_exist(&w->domain)) {
        parallel_sum(store->count, 3, add_velocity, &s, sums);
        for (int axis = 0; axis < 3; axis++) (&s.mean.x)[axis] = (real)(sums[axis] / store->count);
    }
    bool is_known = since > 0 && neighbours_motion(w->neighbours, store, a.allowance);
    if (is_known) s.rate = (real)(1 / since);
    double least = is_known ? LEAST_MOTION : UNKNOWN_MOTION, margin = is_known ? MOTION_MARGIN : 1;
    parallel_sum(store->count, 1, find_speeds, &s, &motion);
    motion = margin * motion / fmax(store->count, 1) * dt / spacing + least;
    double steps = sqrt(STEPS_OF_MOTION / motion);
    s.time = (real)(margin * steps * dt), s.least = (real)(steps * least * spacing);
    parallel_max(store->count, 1, allow, &s, &most);
    neighbours_set_allowance(w->neighbours, p->allowance, fmax(most, 0));
    neighbours_set_front(w->neighbours, p->is_front);
    neighbours_set_reach(w->neighbours, (double)p->support, 2 * steps * motion * spacing);
    if (!is_known || p->travelled + most > BODIES_TRAVEL * spacing) p->has_drops = false, p->travelled = 0;
    p->listed = w->time, p->travelled += fmax(most, 0);
    return world_update_neighbours(w, true);
}

dew_result sph_begin_step(flow *k, sph_state *p, world *w, double dt)
{
    RESULT_TRY(update_lists(p, w, dt));
    if (!p->has_drops) RESULT_TRY(sph_find_drops(p, w));
    int count = w->particles->count;
    double delta = p->parameter[SPH_DELTA], most = MOST_DIFFUSED * (double)p->support / (p->saved_sound * dt);
    *k = (flow){.p = p,
                .w = w,
                .a = sph_arrays_of(p, w),
                .lists = neighbours_lists(w->neighbours),
                .count = count,
                .blocks = PAIR_BLOCKS(count),
                .dt = (real)dt,
                .is_implicit = p->is_implicit,
                .sound = (real)p->saved_sound,
                .delta = (real)fmin(delta, most),
                .rho = (real)w->materials[0].density,
                .gamma = (real)w->materials[0].surface_tension};
    ARENA_TRY(w->scratch, count, k->filled, k->force, k->pull, k->facing, k->shift, k->even, k->rate, k->spread);
    ARENA_TRY_ZEROED(w->scratch, count, k->is_near);
    RESULT_TRY(sph_open_gas(k));
    RESULT_TRY(sph_find_walls(k));
    RESULT_TRY(sph_hold_at_walls(k));
    parallel_for(k->count, 4096, put_densities, k);
    sph_mark_liquid(k);
    particles_update_ghosts(w->particles, FIELD_POSITION_INDEX);
    particles_update_ghosts(w->particles, FIELD_VELOCITY_INDEX);
    parallel_for(k->blocks, SPH_GRAIN, sum_density, k);
    sph_take_apart(k);
    return DEW_OK;
}

dew_result sph_flow_step(sph_state *p, world *w, double dt)
{
    flow k;
    projection implicit;
    RESULT_TRY(sph_begin_step(&k, p, w, dt));
    if (k.is_implicit)
        RESULT_TRY(sph_projection_open(&implicit, &k));
    else
        parallel_for(k.count, 4096, advance_pressure, &k);
    RESULT_TRY(sph_find_curvature(&k));
    sph_join_gas(&k);
    if (p->saved_started == 0) RESULT_TRY(sph_start_pressure(&k));
    sph_sum_forces(&k);
    if (k.wall) ARENA_TRY_ZEROED(w->scratch, k.count, k.mended);
    RESULT_TRY(sph_tension_mode(p) == SPH_TENSION_AREA ? sph_find_area_tension(&k) : sph_find_line_pull(&k));
    if (k.is_implicit)
        RESULT_TRY(advance_implicitly(&k, &implicit));
    else
        RESULT_TRY(sph_balance_tension(&k, find_pulls_and_shifts, integrate));
    sph_leave_walls(&k);
    return DEW_OK;
}
