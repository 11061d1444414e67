/* Shifts mend places and make no velocity: density, who is too near, and skins that are uneven. ddr keeps its particles
 * apart by its own densities; the rest is alike. Shares are those of a step in which forces move liquid by a part of a
 * spacing; a shorter one takes as much less (pace).
 *
 * A shift makes n what it is to be, by one relaxed step along its gradient, x_i = sum w e (m_i + m_j) + 2 m_i S, m =
 * h/2 times the share of the error of n/n0, S what solids add to F, as pairs have no images here; the norm is that of a
 * full kernel. What it does to a pair is opposite, so that the centre of mass stays. A skin that presses is drawn in by
 * tension, and what lacks n there draws nobody, or it would stream (mps/calibration.md, "Even skins"). One that bears
 * suction draws by as much as it does, told by the mean of the last step's pressures around: nothing else takes back
 * what parts a meniscus from its column ("Under suction"). A film has no liquid within to draw.
 *
 * What keeps pairs apart keeps a particle from its own image in a solid, too: where it stopped at the first layer's
 * place instead, half a layer off, the first layer of liquid that is stirred could only be farther off, and 0.03
 * spacings of liquid were missing along every solid.
 *
 * Where viscosity rules, and something else than tension draws liquid out, forces do not tell how fast shifts have to
 * be: a thread of honey that weight stretches is strained by a hundredth in a step in which tension moves nothing.
 * Layers across it part, and within them particles come nearer. By symmetry no pair pushes along the thread, and n is
 * right on average; but such a layer is unstable: of two particles that push each other apart the one that lies higher
 * is pushed higher. That grows by about the share of what is missing by which pairs part, which has to be some times
 * the strain of the step. So pairs that come near part by the strain, whatever else a method does to pairs: the skin
 * and what is below it, too, or these are pressed into each other; and the density's part keeps up. Where inertia rules
 * the strain is also what single particles do, and to follow it would stir the skin. Within liquid pairs part by a
 * third of what they are too near, whatever strains it: a column that is sucked into a tube is foam otherwise (law
 * `trial_tube`, mps/calibration.md, "A tube that is dipped"). */
#include "methods/flow/flow.h"

/* What a pair is moved by in a step at the most, in spacings. */
#define LONGEST ((real)0.01)
/* Of the error of n. */
#define DENSITY_SHARE ((real)0.1)
/* Liquid that lacks more of n0, or has more too much, is mended as if it were this much. */
#define MOST_OFF ((real)0.1)
/* By which share of what is missing near pairs part, of the strain of a step that is beyond what pace keeps up with;
 * the most of it. It is the least pace of the density's part, too. */
#define FOLLOWING ((real)20)
#define MOST_FOLLOWING ((real)0.4)
/* Within liquid pairs that are nearer, in spacings, part by PART_WITHIN of that: in the plane and in space, where hard
 * discs and balls that are kept as far from each other would fill 0.71 and 0.52. They freeze at 0.70 and 0.49; balls of
 * 1.03 are a glass, which does not flow (mps/calibration.md, "A tube that is dipped"). */
static const real near_within[2] = {(real)0.95, 1};
#define PART_WITHIN ((real)0.3)
/* Suction, in gamma/s, from which on a skin draws, and at which it draws as liquid within does: films at rest have less
 * than the one, menisci that part the other. */
#define DRAWS ((real)0.03)
#define DRAWS_WHOLLY ((real)0.1)
/* Strain in the time that pace is of, below which it keeps up: surfaces at rest stir by less. */
#define KEPT_UP ((real)0.05)
/* Two solids shut liquid in where their normals are at such an angle; it goes by so many spacings in a step at the
 * most. */
#define SHUT_COSINE ((real)-0.9)
#define MOST_PRESSED ((real)0.3)
/* A shift ends before a solid's stop, in its distances: at it, rounding tells whether the velocity stops there too. */
#define BEFORE_STOP ((real)1.01)

/* By their x.w, of what a pair is nearer than FLOW_NEAR the share by which it parts. */
static inline vreal following(vreal wi, vreal wj) { return (vmax(wi, -wi) + vmax(wj, -wj)) * (real)0.5 - 1; }

/* |D| dt, D = sum w (v_ij e + e v_ij)/(2 r) over a D-th of sum w: the mean over pairs, where what single particles have
 * of their own is not in it. */
static void find_strain(int begin, int end, void *context)
{
    flow_step *k = context;
    vreal inv_h = vset(k->inv_h);
    real following = FOLLOWING * k->creeping, kept_up = KEPT_UP * k->pace;
    real step = (real)k->w->dimension * k->dt * k->inv_h;
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->x, block), u = pair_i(k->v, block);
        vreal weight = vset((real)1e-6), rate[6] = {vset(0), vset(0), vset(0), vset(0), vset(0), vset(0)};
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->x, j), o = pair_j(k->v, j);
            vreal d[3] = {(i.x - b.x) * inv_h, (i.y - b.y) * inv_h, (i.z - b.z) * inv_h};
            vreal v[3] = {u.x - o.x, u.y - o.y, u.z - o.z};
            vreal q2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + (real)1e-6, inv_q = vrsqrt(q2);
            vreal w = vmax(1 - q2 * inv_q, vset(0)), f = w * inv_q * inv_q;
            weight += w;
            for (int a = 0; a < 3; a++) {
                int n = (a + 1) % 3;
                rate[a] += f * d[a] * v[a];
                rate[3 + a] += f * (d[a] * v[n] + d[n] * v[a]);
            }
        }
        _Alignas(64) real4 drawn[PAIR_I > 4 ? PAIR_I : 4], sheared[PAIR_I > 4 ? PAIR_I : 4];
        pair_store4(drawn, 0, rate[0], rate[1], rate[2], weight);
        pair_store4(sheared, 0, rate[3], rate[4], rate[5], vset(0));
        for (int l = 0; l < PAIR_I; l++) {
            real3 a = real3_of(drawn[l]), b = real3_of(sheared[l]);
            real strain = step * sqrt(real3_dot(a, a) + (real)0.5 * real3_dot(b, b)) / drawn[l].w;
            k->follow[PAIR_I * block + l] = real_min(following * real_max(strain - kept_up, 0), MOST_FOLLOWING);
        }
    }
}

/* What n of particle i may lack that is drawn, of n0. */
static real most_lack(const flow_step *k, int i)
{
    if (!k->is_surface[i]) return MOST_OFF;
    if (!k->around) return 0;
    real most_suction = (real)flow_material(k, i)->surface_tension / k->p->s;
    real draws = -k->around[i] - DRAWS * most_suction;
    return draws > 0 && most_suction > 0
               ? MOST_OFF * flow_one_faced(k, i) * real_min(draws / ((DRAWS_WHOLLY - DRAWS) * most_suction), 1)
               : 0;
}

static void put_errors(int begin, int end, void *context)
{
    flow_step *k = context;
    for (int i = begin; i < end; i++) {
        real excess = (k->facing[i].w - k->target[i]) / k->p->c.n0;
        bool is_held = k->is_held && k->is_held[i];
        excess = is_held ? 0 : real_min(real_max(excess, -most_lack(k, i)), MOST_OFF);
        k->lean[i] = (real4){0, 0, 0, DENSITY_SHARE * real_max(k->pace, k->follow[i]) / 2 * excess};
        k->x[i].w = (k->is_surface[i] ? -1 : 1) * (1 + k->follow[i]);
    }
}

dew_result flow_begin_shift(flow_step *k)
{
    ARENA_TRY(k->w->scratch, k->count, k->shift);
    ARENA_TRY(k->w->scratch, PAIR_I * k->blocks, k->follow);
    particles_update_ghosts(k->all, FIELD_VELOCITY_INDEX);
    parallel_for(k->blocks, FLOW_GRAIN, find_strain, k);
    parallel_for(k->count, 4096, put_errors, k);
    particles_update_ghosts(k->all, FIELD_POSITION_INDEX);
    particles_update_ghosts(k->all, k->p->lean);
    return DEW_OK;
}

typedef struct shifting {
    flow_step *k;
    const flow_parting *part;
    real share; /* of it, over h */
    real3 back; /* of all, over h */
} shifting;

/* What pairs push: by m, and apart; what that leaves of angular momentum is noted. `has_each`, known when compiled:
 * shares are of each particle. */
static inline void push_block(const shifting *s, int block, bool has_each)
{
    flow_step *k = s->k;
    vreal inv_h = vset(k->inv_h), share = vset(s->share), inv_reach = vset(k->h / (s->part->reach * k->p->s));
    vreal part_within = vset(PART_WITHIN * k->pace), zero = vset(0);
    vreal within_reach = vset(near_within[k->w->dimension - 2] * k->p->s * k->inv_h);
    vreal near = vset(FLOW_NEAR * k->p->s * k->inv_h), longest = vset(LONGEST * k->p->s * k->inv_h);
    vreal half = vset((real)0.5), of_i = has_each ? pair_i1(s->part->of_each, block) : vset(0);
    vreal4 i = pair_i(k->x, block), v = pair_i(k->v, block);
    vreal mi = pair_i(k->lean, block).w;
    vreal x = vset(0), y = vset(0), z = vset(0), turn[3] = {vset(0), vset(0), vset(0)};
    PAIRS(k->lists, block, j)
    {
        vreal4 b = pair_j(k->x, j);
        vreal dx = (i.x - b.x) * inv_h, dy = (i.y - b.y) * inv_h, dz = (i.z - b.z) * inv_h;
        vreal q2 = dx * dx + dy * dy + dz * dz + (real)1e-12, inv_q = vrsqrt(q2), q = q2 * inv_q;
        vreal apart = has_each ? share * half * (of_i + pair_j1(s->part->of_each, j)) : share;
        apart = vselect(i.w * b.w > 0, apart, vset(0)) * vmax(1 - q * inv_reach, vset(0));
        apart += following(i.w, b.w) * vmax(near - q, vset(0));
        vreal way = apart + (mi + pair_j(k->lean, j).w) * vmax(1 - q, vset(0));
        vreal within = vselect(vmin(i.w, b.w) > 0, part_within * vmax(within_reach - q, zero), zero);
        vreal f = (vmin(vmax(way, -longest), longest) + within) * inv_q;
        x += f * dx, y += f * dy, z += f * dz;
        vreal4 u = pair_j(k->v, j);
        vreal ux = f * (v.x - u.x), uy = f * (v.y - u.y), uz = f * (v.z - u.z);
        turn[0] += dy * uz - dz * uy, turn[1] += dz * ux - dx * uz, turn[2] += dx * uy - dy * ux;
    }
    pair_store4(k->change, block, x, y, z, vset(0));
    _Alignas(64) real4 moment[PAIR_I > 4 ? PAIR_I : 4];
    half *= k->h;
    pair_store4(moment, 0, half * turn[0], half * turn[1], half * turn[2], vset(0));
    for (int n = PAIR_I * block, l = 0; n < flow_end_of(k, block); n++, l++)
        flow_note_moment(k, n, real3_of(moment[l]));
}

static void push_pairs(int begin, int end, void *context)
{
    const shifting *s = context;
    bool has_each = s->part->of_each != NULL;
    for (int block = begin; block < end; block++) has_each ? push_block(s, block, true) : push_block(s, block, false);
}

/* --- even skins --- */

static void go(const shifting *s, int i, real3 way)
{
    real4_add(&s->k->change[i], way);
    flow_note_moment(s->k, i, real3_scale(s->k->h, real3_cross(way, real3_of(s->k->v[i]))));
}

/* Who has a closed ring goes a part of the way to its cell's centroid (Lloyd), but not where a wall is touched. sums:
 * of these ways, over h. */
static void go_to_centroids(int begin, int end, void *context, double *sums)
{
    const shifting *s = context;
    flow_step *k = s->k;
    real even = s->part->even * k->pace * k->inv_h;
    for (int n = begin; n < end; n++) {
        int i = k->rings.list[n];
        if (k->rings.gaps[n] || (k->is_held && k->is_held[i])) continue;
        real3 way = real3_scale(even * (1 - flow_touch(k, i)), real3_of(k->rings.shift[n]));
        go(s, i, way);
        for (int a = 0; a < 3; a++) sums[a] += (double)(&way.x)[a];
    }
}

static void go_back(int begin, int end, void *context)
{
    const shifting *s = context;
    for (int i = begin; i < end; i++) go(s, i, s->back);
}

/* All go back alike, so that the centre of mass stays; across a plane of symmetry the other half goes the other way. */
static void even_skin(shifting *s)
{
    flow_step *k = s->k;
    double sums[3];
    parallel_sum(k->rings.count, 3, go_to_centroids, s, sums);
    for (int a = 0; a < 3; a++)
        (&s->back.x)[a] = k->w->domain.axis[a] == DEW_SYMMETRY ? 0 : (real)(-sums[a] / k->count);
    parallel_for(k->count, 4096, go_back, s);
}

/* --- solids --- */

/* What its own images push particle i, over h. */
static real3 push_images(const shifting *s, int i)
{
    const flow_step *k = s->k;
    real share = s->share * (s->part->of_each ? s->part->of_each[i] : 1), longest = LONGEST * k->p->s;
    real3 sum = {0, 0, 0};
    for (int a = NEAR_WALLS * i; a < NEAR_WALLS * (i + 1) && k->near.solid[a] >= 0; a++) {
        real apart = 2 * k->near.wall[a].w / k->p->s;
        real way = share * real_max(1 - apart / s->part->reach, 0);
        way += k->follow[i] * real_max(FLOW_NEAR - apart, 0) * k->p->s * k->inv_h;
        sum = real3_madd(sum, real_min(way, longest * k->inv_h), real3_of(k->near.wall[a]));
    }
    return sum;
}

/* A contact line goes where velocities take it. Pairs part on its liquid's side alone, and so push it outwards in every
 * step, which no force answers but the friction of a line that always draws back: it stayed far below its angle. In
 * the plane there is no way along a line, and those that met at one stayed a third of a spacing apart: none is spared.
 */
static real3 spare_line(const flow_step *k, int i, real3 d)
{
    real3 line = k->line && k->w->dimension == 3 ? real3_of(k->line[i]) : (real3){0, 0, 0};
    return real3_length(line) > 0 ? real3_across(d, real3_normalise(line)) : d;
}

/* What a body that comes down on another solid shuts in has no room between them, and no force tells it where to go: it
 * leaves as in Stefan's flow, from the middle of the body outwards as fast as it is far from there. */
static real3 press_out(const flow_step *k, int i)
{
    const real4 *wall = k->near.wall + NEAR_WALLS * i;
    const int32_t *solid = k->near.solid + NEAR_WALLS * i;
    for (int a = 0; a < NEAR_WALLS && solid[a] >= 0; a++) {
        if (!solids_is_body(k->w->solids, solid[a])) continue;
        real3 n = real3_of(wall[a]);
        for (int b = 0; b < NEAR_WALLS && solid[b] >= 0; b++) {
            if (wall[a].w + wall[b].w >= 2 * flow_stop(k, i) || real3_dot(n, real3_of(wall[b])) > SHUT_COSINE) continue;
            dew_vec3 c = solids_stand(k->w->solids, solid[a]).centre;
            real3 way = real3_sub(real3_of(k->x[i]), (real3){(real)c.x, (real)c.y, (real)c.z});
            way = real3_scale(DENSITY_SHARE * k->pace / (real)(k->w->dimension - 1), real3_across(way, n));
            return real3_scale(real_min(1, MOST_PRESSED * k->p->s / (real3_length(way) + (real)1e-30)), way);
        }
    }
    return (real3){0, 0, 0};
}

static void finish_shift(int begin, int end, void *context)
{
    const shifting *s = context;
    flow_step *k = s->k;
    for (int i = begin; i < end; i++) {
        real3 d = real3_scale(k->h, real3_madd(real3_of(k->change[i]), 2 * k->lean[i].w, real3_of(k->beyond[i])));
        if (near_walls_has(&k->near, i)) {
            d = spare_line(k, i, real3_madd(d, k->h, push_images(s, i)));
            d = near_walls_keep_out(&k->near, i, BEFORE_STOP * flow_stop(k, i), real3_scale(k->dt, real3_of(k->v[i])),
                                    d);
            d = real3_add(d, press_out(k, i));
        }
        k->shift[i] = real4_of(d, 0);
    }
}

void flow_find_shift(flow_step *k, const flow_parting *part)
{
    shifting s = {.k = k, .part = part, .share = part->share * k->pace * part->reach * k->p->s * k->inv_h};
    parallel_for(k->blocks, FLOW_GRAIN, push_pairs, &s);
    if (k->rings.count > 0) even_skin(&s);
    k->pushed = k->change;
    parallel_for(k->count, 4096, finish_shift, &s);
}
