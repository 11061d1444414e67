/* The pressure (section 4.3, with physical units): multipliers Lambda of the density constraints. Those of the last
 * step act before viscosity; how much they change, L, follows from what change of density is left,
 *
 *     A L = e,   A = G G*,   e = G m + what is let go,
 *     (G m)_i  = k sum W' (C_ij e_ij) . (m_i - m_j) - S_i . (m_i - m_wall),
 *     (G* L)_i = k sum W' (L_i + L_j) C_ij e_ij - L_i S_i,
 *
 * with m = dt v the way with the last pressure, all lengths over h; S and C = 1 + T_i + T_j are the solids' (walls.c).
 * Inside the liquid Lambda has either sign: liquid holds together far below the air's pressure. Who sees the air has
 * Lambda >= -b, b up to gamma/s, and A Lambda >= e in place of the equation where Lambda = -b; so has, with b = 0, who
 * is next to a hollow that what is around presses, and that the equation else would keep open. G and G* are adjoint, so
 * pairs exchange momentum exactly however well the system is solved, and forces point along the pairs where the lever
 * arms are measured: angular momentum stays too.
 *
 * Conjugate gradients start from no change; multipliers at the surface that come out below -b leave, and the rest is
 * solved anew. Viscosity answers a push before the next step does, so nu dt/h^2 e comes to Lambda beside it (Cahouet,
 * Chabard 1988). */
#include "base/conjugate_gradient.h"
#include "methods/pbf/physical.h"
#include "solids/bracing.h"

/* What may be left of a step's change of rho/rho0, rms. */
#define REST 1e-4
/* How much a change of pressure that differs from its neighbours counts, over what it does. G hardly sees what
 * alternates from particle to particle: this bounds it. What all neighbours share is left as it is. */
#define SMOOTHING ((real)0.1)
/* Minus the cosine of the contact angle. */
#define UNWETTED ((real)0.99)
enum { MOST_SWEEPS = 400, MOST_ROUNDS = 8 };
/* Surface particles whose density is below this of what it may be are let go nearer: spray and liquid about to meet. */
#define LOOSE ((real)0.97)
/* Of that, too: from the one on down their suction fades, and below the other there is none. */
#define HOLDS ((real)0.95)
#define LET_GO ((real)0.85)

/* The sum of -W'/q over neighbours inside the liquid, by which `shift.w` over 2 becomes what Lambda is above their
 * mean. */
#define SLOPES ((real)12)

typedef struct pressing {
    physical *k;
    real *from;   /* multipliers of this product */
    real *change; /* of the multipliers in this step, L */
    real *r, *p, *Ap;
    bool is_first;
    real answer;   /* nu dt/h^2 */
    real *inverse; /* 1/A_ii, 0 where Lambda stays 0 */
    conjugate_gradient cg;
} pressing;

/* Whether the pressure may not be below the air's: at the surface, next to a hollow that is pressed, and next to a
 * solid that liquid does not wet at all, which it leaves as soon as it is drawn away. */
static bool cannot_pull(const physical *k, int i)
{
    if (k->a.is_surface[i] || k->is_hollow[i]) return true;
    return k->cosine && k->cosine[i] < -UNWETTED && k->p->wall[i].w < 2 * k->p->s;
}

/* The least multiplier of who cannot pull. The skin holds together: to tear it off by s takes 2 gamma/s, and half of
 * that it bears, less where it is loose, nothing next to hollows and solids. Else a trough's skin leaves what is below
 * and is caught again. */
static real least_of(const physical *k, int i)
{
    if (!k->a.is_surface[i] || k->is_hollow[i] || (k->p->wall && k->p->wall_solid[i] >= 0)) return 0;
    const dew_material_def *m = &k->w->materials[0];
    real way = k->dt / k->p->h, most = (real)(m->surface_tension / m->density) * way * way / k->p->s;
    real whole = (k->a.density[i] / k->fullness[i] - LET_GO) / (HOLDS - LET_GO);
    return -most * fmin(fmax(whole, (real)0), (real)1);
}

/* --- G* and G --- */

static void put_multipliers(int begin, int end, void *context)
{
    const pressing *s = context;
    for (int i = begin; i < end; i++) s->k->a.x[i].w = s->from[i];
}

/* The rows of T of a block. */
static inline void block_along(const physical *k, bool has_walls, int block, vreal4 ti[3])
{
    vreal4 none = {vset(0), vset(0), vset(0), vset(0)};
    for (int n = 0; n < 3; n++) ti[n] = has_walls ? pair_i(k->along[n], block) : none;
}

/* q C e of a pair of places i and b, lengths over h; w: W'/q. What sums them is compiled with walls and without: liquid
 * that flies free is not to ask for them at every pair. */
static inline vreal4 pair_way(const physical *k, bool has_walls, const vreal4 ti[3], pair_cursor j, vreal4 i, vreal4 b,
                              vreal inv_h)
{
    vreal4 d = {(i.x - b.x) * inv_h, (i.y - b.y) * inv_h, (i.z - b.z) * inv_h, vset(0)};
    vreal q2 = bracing_dot(d, d) + (real)1e-12, inv_q = vrsqrt(q2), f = vcubic_spline_slope(q2 * inv_q) * inv_q;
    if (has_walls) d = braced(k->along, ti, j, d);
    return (vreal4){d.x, d.y, d.z, f};
}

static inline void shift_block(physical *k, bool has_walls, int block)
{
    vreal inv_h = vset(1 / k->p->h), kernel = vset(k->p->kernel);
    vreal4 i = pair_i(k->a.x, block), ti[3];
    vreal x = vset(0), y = vset(0), z = vset(0), rough = vset(0);
    block_along(k, has_walls, block, ti);
    PAIRS(k->lists, block, j)
    {
        vreal4 b = pair_j(k->a.x, j), e = pair_way(k, has_walls, ti, j, i, b, inv_h);
        vreal both = e.w * (i.w + b.w);
        x -= both * e.x, y -= both * e.y, z -= both * e.z, rough -= e.w * (i.w - b.w);
    }
    pair_store4(k->shift, block, kernel * x, kernel * y, kernel * z, 2 * kernel * rough);
    for (int n = PAIR_I * block; has_walls && n < PAIR_I * (block + 1) && n < k->count; n++)
        real4_add(&k->shift[n], real3_scale(k->a.x[n].w, real3_of(k->solid[n])));
}

static inline void change_block(physical *k, bool has_walls, int block)
{
    vreal inv_h = vset(1 / k->p->h), kernel = vset(k->p->kernel);
    vreal4 i = pair_i(k->a.x, block), si = pair_i(k->shift, block), ti[3];
    vreal change = vset(0);
    block_along(k, has_walls, block, ti);
    PAIRS(k->lists, block, j)
    {
        vreal4 b = pair_j(k->a.x, j), sb = pair_j(k->shift, j), e = pair_way(k, has_walls, ti, j, i, b, inv_h);
        change += e.w * (e.x * (si.x - sb.x) + e.y * (si.y - sb.y) + e.z * (si.z - sb.z));
    }
    pair_store(k->change, block, kernel * change);
    for (int n = PAIR_I * block; has_walls && n < PAIR_I * (block + 1) && n < k->count; n++)
        k->change[n] -= real3_dot(real3_of(k->solid[n]), real3_of(k->shift[n]));
}

static void sum_shift(int begin, int end, void *context)
{
    physical *k = context;
    for (int block = begin; block < end && k->solid; block++) shift_block(k, true, block);
    for (int block = begin; block < end && !k->solid; block++) shift_block(k, false, block);
}

static void sum_change(int begin, int end, void *context)
{
    physical *k = context;
    for (int block = begin; block < end && k->solid; block++) change_block(k, true, block);
    for (int block = begin; block < end && !k->solid; block++) change_block(k, false, block);
}

/* k->shift = the displacement by `from`. */
static void displace(pressing *s, real *from)
{
    physical *k = s->k;
    s->from = from;
    parallel_for(k->count, 4096, put_multipliers, s);
    particles_update_ghosts(k->w->particles, FIELD_POSITION_INDEX);
    parallel_for(k->blocks, PBF_GRAIN, sum_shift, k);
    particles_update_ghosts(k->w->particles, k->p->shift);
}

static void take_product(int begin, int end, void *context, double *sums)
{
    const pressing *s = context;
    for (int i = begin; i < end; i++) {
        s->Ap[i] = SMOOTHING * s->k->shift[i].w - s->k->change[i];
        sums[0] += (double)(s->from[i] * s->Ap[i]);
    }
}

/* What is held to an inflow goes its way whatever presses: of A it is no part. */
static void keep_held(int begin, int end, void *context)
{
    physical *k = context;
    for (int i = begin; i < end; i++)
        if (k->is_held[i]) k->shift[i] = (real4){0, 0, 0, k->shift[i].w};
}

static double multiply_by(pressing *s, real *from)
{
    double product;
    displace(s, from);
    if (s->k->is_held) {
        parallel_for(s->k->count, 4096, keep_held, s->k);
        particles_update_ghosts(s->k->w->particles, s->k->p->shift);
    }
    parallel_for(s->k->blocks, PBF_GRAIN, sum_change, s->k);
    parallel_sum(s->k->count, 1, take_product, s, &product);
    return product;
}

static double multiply(void *context)
{
    pressing *s = context;
    return multiply_by(s, s->p);
}

/* --- the system --- */

/* Sum of the pressure's forces times places; sums: that, the forces and the places, to take the origin out. */
static void add_virial(int begin, int end, void *context, double *sums)
{
    physical *k = context;
    for (int i = begin; i < end; i++) {
        real4 d = k->shift[i], x = k->a.x[i];
        sums[0] += (double)(d.x * x.x + d.y * x.y + d.z * x.z);
        sums[1] += (double)d.x, sums[2] += (double)d.y, sums[3] += (double)d.z;
        sums[4] += (double)x.x, sums[5] += (double)x.y, sums[6] += (double)x.z;
    }
}

/* Of the displacement k->shift. */
static double pbf_virial(physical *k)
{
    if (k->count == 0) return 0;
    double sums[7], force = k->w->particle_mass[0] * (double)k->p->h / ((double)k->dt * (double)k->dt);
    parallel_sum(k->count, 7, add_virial, k, sums);
    return force * (sums[0] - (sums[1] * sums[4] + sums[2] * sums[5] + sums[3] * sums[6]) / k->count);
}

static void put_way(int begin, int end, void *context)
{
    physical *k = context;
    real inv_h = 1 / k->p->h;
    for (int i = begin; i < end; i++) k->shift[i] = real4_of(real3_scale(inv_h, real3_of(k->a.move[i])), 0);
    for (int i = begin; i < end && k->is_held; i++)
        if (k->is_held[i]) k->shift[i] = real4_of(real3_scale(inv_h * k->dt, world_held(k->w, i)->velocity), 0);
}

/* How much denser a particle may become that is below the bound. It is continuous in rho, or particles that cross the
 * bound would lose all their pressure at once and start to bounce. */
static real room_of(real rho, real fullness, real bound)
{
    real loose = bound - rho;
    return loose <= 0 ? 0 : fmin(2 * loose, fullness - rho);
}

static void begin_solution(int begin, int end, void *context)
{
    pressing *s = context;
    physical *k = s->k;
    const pbf_state *p = k->p;
    real floor = (real)0.3 * p->bulk_norm;
    for (int i = begin; i < end; i++) {
        real3 own = real3_of(k->own[i]);
        k->excess[i] = k->change[i];
        if (k->solid) own = real3_sub(own, real3_of(k->solid[i])), k->excess[i] += k->solid[i].w;
        k->inv_norm[i] = 1 / fmax(k->inv_norm[i] + real3_dot(own, own), floor);
        real full = k->fullness[i];
        if (cannot_pull(k, i))
            k->excess[i] -= room_of(k->a.density[i], full, k->a.is_surface[i] ? LOOSE * full : pbf_hollow(full));
        s->change[i] = 0;
    }
}

/* r = e - A Lambda. Who takes part: inside all, at the surface who presses or has to. sums: r . r/A_ii. */
static void find_rest(int begin, int end, void *context, double *sums)
{
    pressing *s = context;
    physical *k = s->k;
    for (int i = begin; i < end; i++) {
        s->r[i] = k->excess[i] - (s->is_first ? 0 : s->Ap[i]);
        bool is_free = cannot_pull(k, i) && !(k->a.lambda[i] + s->change[i] > least_of(k, i)) && !(s->r[i] > 0);
        s->inverse[i] = is_free ? 0 : k->inv_norm[i];
        sums[0] += (double)(s->r[i] * s->r[i] * s->inverse[i]);
    }
}

/* sums: how many had to leave, how many cannot pull, Lambda. */
static void cut(int begin, int end, void *context, double *sums)
{
    pressing *s = context;
    for (int i = begin; i < end; i++) {
        bool can = !cannot_pull(s->k, i);
        real least = can ? 0 : least_of(s->k, i) - s->k->a.lambda[i];
        if (!can && s->change[i] < least) s->change[i] = least, sums[0] += 1;
        sums[1] += !can, sums[2] += (double)(s->k->a.lambda[i] + s->change[i]);
    }
}

static void apply_pressure(int begin, int end, void *context, solid_pushes *to)
{
    pressing *s = context;
    physical *k = s->k;
    real h = k->p->h;
    pbf_contact c = pbf_contact_of(k->p, k->w, k->dt, to);
    for (int i = begin; i < end; i++) {
        k->a.lambda[i] += s->change[i];
        if (k->solid && near_walls_has(&k->p->near, i))
            pbf_press_solids(&c, i, real3_scale(h * k->a.lambda[i], real3_of(k->solid[i])));
        k->a.lambda[i] += s->answer * k->excess[i];
        if (cannot_pull(k, i)) k->a.lambda[i] = fmax(k->a.lambda[i], least_of(k, i));
        real4_add(&k->a.move[i], real3_scale(h, real3_of(k->shift[i])));
    }
}

static void begin_push(int begin, int end, void *context)
{
    physical *k = context;
    real ratio = k->p->saved_dt > 0 ? k->dt / (real)k->p->saved_dt : 0;
    for (int i = begin; i < end; i++) {
        k->a.lambda[i] *= ratio * ratio, k->is_hollow[i] = false;
        if (cannot_pull(k, i)) k->a.lambda[i] = fmax(k->a.lambda[i], least_of(k, i));
    }
}

static void push(int begin, int end, void *context)
{
    physical *k = context;
    for (int i = begin; i < end; i++) {
        real4_add(&k->a.v[i], real3_scale(k->p->h / k->dt, real3_of(k->shift[i])));
        real around = k->a.lambda[i] - k->shift[i].w / (2 * SLOPES);
        k->suction[i] = (real)sqrt(fmax((double)-around, 0));
        k->is_hollow[i] = around > 0 && k->a.density[i] < pbf_hollow(k->fullness[i]);
    }
}

dew_result pbf_push_as_before(physical *k)
{
    ARENA_TRY(k->w->scratch, k->count, k->change, k->is_hollow, k->suction);
    parallel_for(k->count, 4096, begin_push, k);
    displace(&(pressing){.k = k}, k->a.lambda);
    k->virial = pbf_virial(k);
    parallel_for(k->count, 4096, push, k);
    return DEW_OK;
}

dew_result pbf_solve_pressure(physical *k)
{
    world *w = k->w;
    particles *store = w->particles;
    pressing s = {.k = k};
    ARENA_TRY(w->scratch, k->count, k->excess, s.change, s.r, s.Ap, s.inverse);
    ARENA_TRY_ZEROED(w->scratch, k->count, s.p);
    s.cg = (conjugate_gradient){.count = k->count,
                                .x = s.change,
                                .r = s.r,
                                .p = s.p,
                                .Ap = s.Ap,
                                .inverse = s.inverse,
                                .multiply = multiply,
                                .context = &s};
    parallel_for(k->count, 4096, put_way, k);
    particles_update_ghosts(store, k->p->shift);
    parallel_for(k->blocks, PBF_GRAIN, sum_change, k);
    parallel_for(k->count, 4096, begin_solution, &s);
    double least = REST * REST * k->count / (double)k->p->bulk_norm, square, sums[3] = {1, 1, 0};
    for (int round = 0; round < MOST_ROUNDS && sums[0] > 0; round++) {
        if (round > 0) multiply_by(&s, s.change);
        s.is_first = round == 0;
        parallel_sum(k->count, 1, find_rest, &s, &square);
        if (square <= least && round > 0) break;
        conjugate_gradient_solve(&s.cg, &square, least, MOST_SWEEPS);
        parallel_sum(k->count, 3, cut, &s, sums);
    }
    /* Where nothing is at the air's pressure only differences act, and the mean would wander: as a pressure it shortens
     * steps, as suction it makes order where there is none to be made. */
    for (int i = 0; i < k->count && !(sums[1] > 0); i++) s.change[i] -= (real)(sums[2] / k->count);
    s.answer = k->dt * (real)(w->materials[0].viscosity / w->materials[0].density) / (k->p->h * k->p->h);
    displace(&s, s.change);
    k->virial += pbf_virial(k);
    solids_each(w->solids, k->count, apply_pressure, &s);
    return DEW_OK;
}
