/* Tension between two liquids, where neither gives way as at the air: the capillary stress of the interface (Lafaurie,
 * Nardone, Scardovelli, Zaleski, Zanetti, J. Comput. Phys. 113 (1994) 134; for particles Hu, Adams, J. Comput. Phys.
 * 213 (2006) 844),
 *
 *     T = gamma_ab l (g^2 1 - g g),    g_i = c sum a_ij over pairs of a and b,
 *
 * g the gradient, to its sign, of what is 1 in one of the liquids and 0 in the other, l such that l g^2 sums to 1
 * across a flat interface; by |g| in its place what disordered particles tell of it elsewhere would pull, too. With the
 * weights a_ij of fit.c the gradient of a velocity is exact for linear flow, so that its adjoint,
 *
 *     F_i = -c sum (T_i a_ij - T_j a_ji) - 2 c n (n . T_i n) |S_i|,
 *
 * does the work of the stress, and neither pushes nor turns the liquid as a whole. As g is, T is spread over a kernel
 * on either side, and what is read of velocities there is not what they are at the interface, from which they may fall
 * within its radius: a drop of 8 spacings' radius was held in its mode n = 2 by 0.62 to 0.7 of what holds it. So in the
 * place of T acts T + b (T - <T>), the mean taken by w, with b such that across a flat interface the mean of its
 * distance from there, to its size, is none: the same sum, and T where its work is told right for velocities that
 * change linearly on either side. Solids are full of its mirror
 * images, which along the solid are in a_ij.
 *
 * Along a solid lies the energy gamma_sm = gamma_s - gamma_m cos(theta_m) of the liquid m that it is wetted by. Where
 * two liquids meet on it the line is drawn to the one that costs more,
 *
 *     F_i = (gamma_sb - gamma_sa) delta_i P g_i,    delta = 2/h (1 - d/h),
 *
 * P along the solid, d the distance from it, g towards b: over layers delta sums to 1, and so does g along the solid,
 * however the interface bends there; g^2 does not, and lines went too far (law `liquid_angle`). */
#include "methods/flow/flow.h"
#include "particles/ghosts.h"

typedef struct interfaces {
    flow_step *k;
    int a, b; /* the liquids of a pass */
    real tension;
    real4 *row[3];   /* T, N/m2 */
    real4 *sharp[3]; /* T + b (T - <T>), which acts */
    real4 *line;     /* what solids give, N/m3 */
} interfaces;

static inline void load_weights(const flow_step *k, uint16_t *const of[3], int block, pair_cursor j, vreal a[3])
{
    size_t at = flow_at_pair(k, block, j);
    for (int n = 0; n < 3; n++) a[n] = vload_half(of[n] + at);
}

/* k->change = g/c, from a to b: places' w hold materials. */
static void sum_colour(int begin, int end, void *context)
{
    const interfaces *m = context;
    flow_step *k = m->k;
    vreal a = vset((real)m->a), b = vset((real)m->b), none = vset(0), one = vset(1);
    for (int block = begin; block < end; block++) {
        vreal own = pair_i(k->x, block).w, sum[3] = {none, none, none};
        vreal seeks = vselect(own == a, b, vselect(own == b, a, vset(-1)));
        vreal way = vselect(own == a, -one, one);
        PAIRS(k->lists, block, j)
        {
            vreal w[3], counts = vselect(pair_j(k->x, j).w == seeks, way, none);
            load_weights(k, k->weight, block, j, w);
            for (int n = 0; n < 3; n++) sum[n] += counts * w[n];
        }
        pair_store4(k->change, block, sum[0], sum[1], sum[2], none);
    }
}

/* Of the solids near, where material m is: gamma_sm less gamma_s. */
static real wetting_energy(const flow_step *k, int solid, int material)
{
    double gamma = k->w->materials[material].surface_tension;
    return -(real)(gamma * solids_info_of(k->w->solids, solid, material, gamma).cos_contact_angle);
}

static void add_line(const interfaces *m, int i, real3 g)
{
    const flow_step *k = m->k;
    if (!near_walls_has(&k->near, i) || !(real3_dot(g, g) > 0)) return;
    real4 wall = k->near.wall[NEAR_WALLS * i];
    int solid = k->near.solid[NEAR_WALLS * i];
    real delta = 2 * k->inv_h * real_max(1 - wall.w * k->inv_h, 0);
    real more = wetting_energy(k, solid, m->b) - wetting_energy(k, solid, m->a);
    real4_add(&m->line[i], real3_scale(more * delta, real3_across(g, real3_of(wall))));
}

static void add_stress(int begin, int end, void *context)
{
    const interfaces *m = context;
    flow_step *k = m->k;
    for (int i = begin; i < end; i++) {
        real3 g = real3_scale(k->p->c.gradient, real3_of(k->change[i]));
        real square = real3_dot(g, g), of[3] = {g.x, g.y, g.z}, scale = m->tension * k->p->interface;
        for (int p = 0; p < 3; p++)
            for (int q = 0; q < 3; q++) (&m->row[p][i].x)[q] += scale * ((p == q ? square : 0) - of[p] * of[q]);
        add_line(m, i, g);
    }
}

/* T + b (T - <T>), the mean by w. */
static void sharpen(int begin, int end, void *context)
{
    const interfaces *m = context;
    const flow_step *k = m->k;
    vreal inv_h = vset(k->inv_h), none = vset(0);
    real b = k->p->sharpening;
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->x, block);
        vreal sum[9], all = none;
        for (int p = 0; p < 9; p++) sum[p] = none;
        PAIRS(k->lists, block, j)
        {
            vreal4 o = pair_j(k->x, j);
            vreal dx = (i.x - o.x) * inv_h, dy = (i.y - o.y) * inv_h, dz = (i.z - o.z) * inv_h;
            vreal w = vmax(1 - vsqrt(dx * dx + dy * dy + dz * dz), none);
            all += w;
            for (int p = 0; p < 3; p++) {
                vreal4 t = pair_j(m->row[p], j);
                sum[3 * p] += w * t.x, sum[3 * p + 1] += w * t.y, sum[3 * p + 2] += w * t.z;
            }
        }
        _Alignas(64) real4 mean[PAIR_I > 4 ? PAIR_I : 4];
        for (int p = 0; p < 3; p++) {
            pair_store4(mean, 0, sum[3 * p], sum[3 * p + 1], sum[3 * p + 2], all);
            for (int n = PAIR_I * block, l = 0; n < flow_end_of(k, block); n++, l++) {
                real3 less = real3_scale(-b / mean[l].w, real3_of(mean[l]));
                m->sharp[p][n] = real4_of(real3_madd(less, 1 + b, real3_of(m->row[p][n])), 0);
            }
        }
    }
}

static inline void add_times(vreal sum[3], const vreal4 row[3], const vreal a[3])
{
    for (int n = 0; n < 3; n++) sum[n] += row[n].x * a[0] + row[n].y * a[1] + row[n].z * a[2];
}

/* k->change = sum (T_i a_ij - T_j a_ji) */
static void sum_force(int begin, int end, void *context)
{
    const interfaces *m = context;
    flow_step *k = m->k;
    for (int block = begin; block < end; block++) {
        vreal4 own[3], row[3];
        vreal sum[3] = {vset(0), vset(0), vset(0)}, a[3];
        for (int n = 0; n < 3; n++) own[n] = pair_i(m->sharp[n], block);
        PAIRS(k->lists, block, j)
        {
            for (int n = 0; n < 3; n++) row[n] = pair_j(m->sharp[n], j);
            load_weights(k, k->weight, block, j, a);
            add_times(sum, own, a);
            load_weights(k, k->other, block, j, a);
            add_times(sum, row, a);
        }
        pair_store4(k->change, block, sum[0], sum[1], sum[2], vset(0));
    }
}

static void take_force(int begin, int end, void *context, solid_pushes *to)
{
    const interfaces *m = context;
    flow_step *k = m->k;
    for (int i = begin; i < end; i++) {
        real3 force = real3_scale(-k->p->c.gradient, real3_of(k->change[i])), of_solid = {0, 0, 0};
        if (near_walls_has(&k->near, i)) {
            real3 s = real3_of(k->wall[i]), n = real3_normalise(s), t = {0, 0, 0};
            for (int p = 0; p < 3; p++) (&t.x)[p] = real3_dot(real3_of(m->sharp[p][i]), n);
            of_solid = real3_madd(real3_of(m->line[i]), -2 * k->p->c.gradient * real3_dot(t, n), s);
            flow_push_solid(k, i, PUSH_LINE, k->near.solid[NEAR_WALLS * i],
                            real3_scale(-k->dt * flow_mass(k, i) / flow_density(k, i), of_solid), to);
        }
        real4_add(&k->v[i], real3_scale(flow_ease(k, i), real3_add(force, of_solid)));
    }
}

static void put_material(int begin, int end, void *context)
{
    flow_step *k = context;
    for (int i = begin; i < end; i++) k->x[i].w = (real)k->all->material[i];
}

dew_result flow_interfaces(flow_step *k)
{
    const world *w = k->w;
    interfaces m = {.k = k};
    if (w->material_count == 1) return DEW_OK;
    ARENA_TRY_ZEROED(w->scratch, k->all->end + 4, m.row[0], m.row[1], m.row[2], m.sharp[0], m.sharp[1], m.sharp[2]);
    ARENA_TRY_ZEROED(w->scratch, k->count, m.line);
    parallel_for(k->count, 4096, put_material, k);
    particles_update_ghosts(k->all, FIELD_POSITION_INDEX);
    for (m.a = 0; m.a < w->material_count; m.a++)
        for (m.b = m.a + 1; m.b < w->material_count; m.b++) {
            m.tension = (real)world_tension_between(w, m.a, m.b);
            parallel_for(k->blocks, FLOW_GRAIN, sum_colour, &m);
            parallel_for(k->count, 4096, add_stress, &m);
        }
    ghosts_copy_matrices(k->all, m.row);
    parallel_for(k->blocks, FLOW_GRAIN, sharpen, &m);
    ghosts_copy_matrices(k->all, m.sharp);
    parallel_for(k->blocks, FLOW_GRAIN, sum_force, &m);
    solids_each(w->solids, k->count, take_force, &m);
    return DEW_OK;
}
