/* The paper mode: algorithm 1 of Xing et al. 2022 with its epsilons.
 *
 * A step predicts places, then moves them through `paper_iterations` rounds of constraints: density (2), (3) and
 * unilateral distance (9), (10) between neighbours, area (7), (8) on the rings of surface particles, adhesion to
 * solids. Every `reset_iterations` rounds the surface, the rings and the lists are found anew. Velocity is the way gone
 * over dt, smoothed by XSPH.
 *
 * All constraints of a round are projected from the same places and added (Jacobi): each exchanges equal and opposite
 * moves, so momentum is kept, and the result depends on neither order nor threads. Nothing is averaged: the epsilons, a
 * literal term in each denominator, relax enough in the paper's examples. Where a user's epsilon would not (another
 * unit of length), the denominators have a floor: a density step of a quarter of the constraint, below the 0.28 at
 * which Jacobi diverges, and half the step at which areas do.
 *
 * The density constraint is unilateral. With attraction (C < 0 corrected too) the surface, where half the kernel is
 * empty, would collapse. Its rest density, "the density at the initial configuration", is that of a particle as deep
 * below the surface: with the bulk's for all, surface particles sink between those below until the skin is twice as
 * dense, and a ball has pits and has lost a tenth of its volume. A film of two layers is better off with the bulk's,
 * and with areas through the centres (`skin: off`): it is held apart by distances alone, while density constraints that
 * come and go stir it until it tears.
 *
 * The paper's steps are 1/30 s. Where steps must be shorter (a frame does not divide, a solid is fast) epsilon_area
 * grows by (paper_step/dt)^2, which keeps the tension the same: gamma is about 3 K 2.6 s^2 m/(epsilon_area dt^2), K
 * iterations, m the particle's mass. */
#include "methods/pbf/paper.h"

/* The largest share of a density constraint that one round may take. */
#define DENSITY_SHARE ((real)0.25)

/* A neighbourhood is a filament where its extent along one axis exceeds that along the others by this (variances): two
 * rows of particles have 6, three 3, a film of two layers 1, the bulk 1, a rim 2. */
#define FILAMENT_RATIO ((real)2.5)

double pbf_paper_time_step(pbf_state *p, world *w)
{
    double solid = world_solid_speed(w), step = p->parameter[PBF_PAPER_STEP];
    /* A solid may not pass over a particle. */
    double moving = solid > 0 ? (double)p->s / solid : INFINITY;
    w->limit = step <= moving ? "paper_step" : "speed";
    return fmin(step, moving);
}

/* --- density and distance --- */

/* Equation (3). The payload of a place carries lambda and, as its sign, the type: positive for surface particles. */
static void find_lambda(int begin, int end, void *context)
{
    paper *k = context;
    const real least = (real)1e-15;
    for (int i = begin; i < end; i++) {
        real4 g = k->shift[i];
        real norm = k->lambda[i] + g.x * g.x + g.y * g.y + g.z * g.z;
        real excess = fmax(g.w - (k->fullness ? k->fullness[i] : 1), (real)0);
        if (k->is_filament && k->is_filament[i]) excess = 0;
        real lambda = excess > 0 ? excess / fmax(norm + k->epsilon_density, norm / DENSITY_SHARE) : 0;
        k->a.density[i] = g.w;
        k->a.lambda[i] += lambda;
        k->a.x[i].w = k->a.is_surface[i] ? fmax(lambda, least) : -fmax(lambda, least);
    }
}

/* Sums equations (4), without its artificial pressure, and (9), (10). */
static void sum_shift(int begin, int end, void *context)
{
    paper *k = context;
    real h = k->p->h;
    vreal inv_h = vset(1 / h), kernel = vset(6 * k->p->kernel);
    vreal distance = vset(k->p->s / h), push = vset(1 / (fmax(2 + k->epsilon_distance, (real)24)));
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->a.x, block);
        vreal x = vset(0), y = vset(0), z = vset(0), lambda = vmax(i.w, -i.w) * kernel;
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->a.x, j);
            vreal dx = (i.x - b.x) * inv_h, dy = (i.y - b.y) * inv_h, dz = (i.z - b.z) * inv_h;
            vreal q2 = dx * dx + dy * dy + dz * dz + (real)1e-12, inv_q = vrsqrt(q2), q = q2 * inv_q;
            vreal s = vmax(1 - q, vset(0)), t = vmax(1 - 2 * q, vset(0));
            vreal f = (lambda + kernel * vmax(b.w, -b.w)) * (s * s - t * t);
            f += vselect(i.w * b.w > 0, push * vmax(distance - q, vset(0)), vset(0));
            f *= inv_q;
            x += f * dx, y += f * dy, z += f * dz;
        }
        vreal scale = vset(h);
        pair_store4(k->shift, block, scale * x, scale * y, scale * z, vset(0));
    }
}

static void apply(int begin, int end, void *context)
{
    paper *k = context;
    for (int i = begin; i < end; i++) {
        real3 d = real3_add(real3_of(k->shift[i]), real3_of(k->area_shift[i]));
        real4_add(&k->a.x[i], d);
        real4_add(&k->a.move[i], d);
    }
}

static void project(paper *k)
{
    particles *store = k->w->particles;
    particles_update_ghosts(store, FIELD_POSITION_INDEX);
    pbf_paper_project_areas(k);
    pbf_sum_constraint(k->p, k->w, k->shift, k->lambda);
    parallel_for(k->count, 4096, find_lambda, k);
    particles_update_ghosts(store, FIELD_POSITION_INDEX);
    parallel_for(k->blocks, PBF_GRAIN, sum_shift, k);
    parallel_for(k->count, 4096, apply, k);
    pbf_paper_project_contacts(k);
}

/* --- resets --- */

static void judge_components(int begin, int end, void *context)
{
    paper *k = context;
    for (int n = begin; n < end; n++) {
        real4 v = k->components[n];
        k->is_filament[k->p->surface_list[n]] = v.w > 2 && v.x > FILAMENT_RATIO * v.y;
    }
}

/* Looks among surface particles alone: filaments are so thin that all of their particles are surface. */
static dew_result find_filaments(paper *k)
{
    k->is_filament = NULL;
    if (k->p->parameter[PBF_FILAMENTS] < 0.5) return DEW_OK;
    pbf_state *p = k->p;
    ARENA_TRY(k->w->scratch, p->surface_count, k->components);
    ARENA_TRY_ZEROED(k->w->scratch, k->count, k->is_filament);
    surface_principal_components(k->w->neighbours, k->a.x, p->h, p->surface_list, p->surface_count, k->components);
    parallel_for(p->surface_count, 1024, judge_components, k);
    return DEW_OK;
}

static void refresh(paper *k)
{
    k->a = pbf_arrays_of(k->p, k->w);
    k->count = k->a.count;
    k->blocks = PAIR_BLOCKS(k->count);
}

/* Finds surface, rings and constraints at the present places. Solids are not seen here: the surface is whole where the
 * liquid lies on a solid, and what holds it there is the adhesion constraint. */
static dew_result reset(paper *k, size_t mark)
{
    arena *memory = k->w->scratch;
    arena_release(memory, mark);
    RESULT_TRY(world_update_neighbours(k->w, false));
    refresh(k);
    k->lists = neighbours_lists(k->w->neighbours);
    RESULT_TRY(pbf_find_surface(k->p, k->w));
    RESULT_TRY(find_filaments(k));
    RESULT_TRY(pbf_find_rings(k->p, k->w, k->is_filament));
    RESULT_TRY(pbf_paper_build_areas(k));
    ARENA_TRY(memory, k->count, k->lambda, k->shift);
    if (k->lift > 0) {
        ARENA_TRY(memory, k->count, k->fullness);
        pbf_find_fullness(k->p, k->w, k->lambda, k->fullness);
    }
    return pbf_paper_find_contacts(k);
}

/* --- velocities --- */

static void accelerate(int begin, int end, void *context)
{
    paper *k = context;
    real3 g = {(real)k->w->gravity.x, (real)k->w->gravity.y, (real)k->w->gravity.z};
    for (int i = begin; i < end; i++) {
        real4_add(&k->a.v[i], real3_scale(k->dt, g));
        k->a.lambda[i] = 0;
    }
}

/* v_i += c sum V W (v_j - v_i): equal and opposite in each pair. */
static void sum_xsph(int begin, int end, void *context)
{
    paper *k = context;
    vreal inv_h = vset(1 / k->p->h), share = vset((real)k->p->parameter[PBF_PAPER_XSPH] * k->p->kernel);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->a.x, block), v = pair_i(k->a.v, block);
        vreal x = vset(0), y = vset(0), z = vset(0);
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->a.x, j), u = pair_j(k->a.v, j);
            vreal dx = (i.x - b.x) * inv_h, dy = (i.y - b.y) * inv_h, dz = (i.z - b.z) * inv_h;
            vreal weight = vcubic_spline(vsqrt(dx * dx + dy * dy + dz * dz));
            x += weight * (u.x - v.x), y += weight * (u.y - v.y), z += weight * (u.z - v.z);
        }
        pair_store4(k->shift, block, share * x, share * y, share * z, vset(0));
    }
}

static void apply_xsph(int begin, int end, void *context)
{
    paper *k = context;
    for (int i = begin; i < end; i++) real4_add(&k->a.v[i], real3_of(k->shift[i]));
}

static void smooth_velocities(paper *k)
{
    if (!(k->p->parameter[PBF_PAPER_XSPH] > 0)) return;
    particles_update_ghosts(k->w->particles, FIELD_POSITION_INDEX);
    particles_update_ghosts(k->w->particles, FIELD_VELOCITY_INDEX);
    parallel_for(k->blocks, PBF_GRAIN, sum_xsph, k);
    parallel_for(k->count, 4096, apply_xsph, k);
}

dew_result pbf_paper_step(pbf_state *p, world *w, double dt)
{
    double ratio = p->parameter[PBF_PAPER_STEP] / dt;
    paper k = {.p = p,
               .w = w,
               .dt = (real)dt,
               .lift = p->parameter[PBF_SKIN] > 0.5 ? p->s / 2 : 0,
               .iterations = (int)p->parameter[PBF_PAPER_ITERATIONS],
               .epsilon_density = (real)p->parameter[PBF_EPSILON_DENSITY] * p->h * p->h,
               .epsilon_area = (real)(p->parameter[PBF_EPSILON_AREA] * ratio * ratio),
               .epsilon_distance = (real)p->parameter[PBF_EPSILON_DISTANCE]};
    int resets = (int)p->parameter[PBF_RESET_ITERATIONS];
    size_t mark = arena_mark(w->scratch);
    refresh(&k);
    parallel_for(k.count, 4096, accelerate, &k);
    pbf_paper_predict(&k);
    for (int n = 0; n < k.iterations; n++) {
        if (n % resets == 0) RESULT_TRY(reset(&k, mark));
        project(&k);
    }
    pbf_end_moves(p, w, k.dt);
    smooth_velocities(&k);
    return DEW_OK;
}
