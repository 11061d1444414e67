/* Tension between two liquids, where neither gives way as at the air: the capillary stress of the interface (Lafaurie,
 * Nardone, Scardovelli, Zaleski, Zanetti, J. Comput. Phys. 113 (1994) 134; for particles Hu, Adams, J. Comput. Phys.
 * 213 (2006) 844),
 *
 *     T = gamma_ab (|g| 1 - g g/|g|),    g_i = c sum w e_ij over pairs of a and b,
 *
 * g the gradient of what is 1 in one of the liquids and 0 in the other. Across a flat interface |g| sums to 1, whatever
 * the arrangement of particles tells of it elsewhere. The force is its divergence by pairs, c sum (T_i + T_j) w e_ij,
 * so that what pairs give each other is opposite. The nearest solid is full of the liquids' mirror images, g's and T's.
 * Along it lies gamma_s - gamma_m cos(theta_m) of the liquid m that it is wetted by, likewise as a stress; of that all
 * but gamma_s counts, as it is the same everywhere. Where the air is near, lines are the potential's. */
#include "methods/mps/mps.h"
#include "particles/ghosts.h"

typedef struct interfaces {
    flow_step *k;
    int a, b; /* the liquids of a pass */
    real tension;
    const real *skin; /* how far each particle is of one; NULL: wholly */
    real4 *row[3];    /* T, N/m2 */
    real4 *image;     /* of the sum of forces what images give */
    real4 *face;      /* of the nearest solid, by slot, ghosts' too: n; w: distance over h, FAR where there is none */
} interfaces;

#define FAR ((real)1e3)
/* Cosine between normals of what is one face. */
#define ALIKE ((real)0.8)

static void find_faces(int begin, int end, void *context)
{
    const interfaces *m = context;
    const flow_step *k = m->k;
    for (int i = begin; i < end; i++) {
        m->face[i] = (real4){0, 0, 0, FAR};
        if (!near_walls_has(&k->near, i)) continue;
        real4 wall = k->near.wall[NEAR_WALLS * i];
        m->face[i] = real4_of(real3_of(wall), real_max(wall.w, 0) * k->inv_h);
    }
}

static inline vreal weight_of(vreal4 d) { return vmax(vrsqrt(vdot3(d, d) + (real)1e-12) - 1, vset(0)); }

/* n of both, and the way from j's image, of j at d, to i; that is far where they do not have the same face. */
static inline vreal4 mirror(vreal4 own, vreal4 other, vreal4 d, vreal4 *n)
{
    vreal half = vset((real)0.5);
    d.x += vselect(vdot3(own, other) > ALIKE, vset(0), vset(FAR));
    *n = (vreal4){half * (own.x + other.x), half * (own.y + other.y), half * (own.z + other.z), vset(0)};
    vreal across = own.w + other.w - vdot3(d, *n);
    return (vreal4){d.x + across * n->x, d.y + across * n->y, d.z + across * n->z, vset(0)};
}

static inline void add_times(vreal sum[3], vreal f, vreal4 v)
{
    sum[0] += f * v.x, sum[1] += f * v.y, sum[2] += f * v.z;
}

static inline vreal4 stress_on(const vreal4 row[3], vreal4 d)
{
    return (vreal4){vdot3(row[0], d), vdot3(row[1], d), vdot3(row[2], d), vset(0)};
}

/* k->change = g: places' w hold materials. */
static void sum_colour(int begin, int end, void *context)
{
    const interfaces *m = context;
    flow_step *k = m->k;
    vreal inv_h = vset(k->inv_h), a = vset((real)m->a), b = vset((real)m->b), none = vset(0);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->x, block), face = pair_i(m->face, block), n;
        vreal sum[3] = {none, none, none};
        bool has_face = vless(face.w, vset(1));
        PAIRS(k->lists, block, j)
        {
            vreal4 o = pair_j(k->x, j);
            vreal4 d = {(i.x - o.x) * inv_h, (i.y - o.y) * inv_h, (i.z - o.z) * inv_h, none};
            vreal is_pair = vselect(i.w == a, vselect(o.w == b, vset(1), none),
                                    vselect(i.w == b, vselect(o.w == a, vset(1), none), none));
            add_times(sum, is_pair * weight_of(d), d);
            if (!has_face) continue;
            vreal4 from = mirror(face, pair_j(m->face, j), d, &n);
            add_times(sum, is_pair * weight_of(from), from);
        }
        pair_store4(k->change, block, sum[0], sum[1], sum[2], none);
    }
}

static void add_stress(int begin, int end, void *context)
{
    const interfaces *m = context;
    flow_step *k = m->k;
    for (int i = begin; i < end; i++) {
        real3 g = real3_scale(k->p->c.gradient, real3_of(k->change[i]));
        real size = real3_length(g), inverse = size > 0 ? 1 / size : 0;
        real of[3] = {g.x, g.y, g.z};
        for (int p = 0; p < 3; p++)
            for (int q = 0; q < 3; q++)
                (&m->row[p][i].x)[q] += m->tension * ((p == q ? size : 0) - of[p] * of[q] * inverse);
    }
}

/* Of the nearest solid: 2/h (1 - d/h) sums to 1 over layers. */
static void add_wetting(int begin, int end, void *context)
{
    const interfaces *m = context;
    flow_step *k = m->k;
    for (int i = begin; i < end && m->skin; i++) {
        real4 n = m->face[i];
        if (!(n.w < 1)) continue;
        double gamma = flow_material(k, i)->surface_tension;
        solid_info wall = solids_info_of(k->w->solids, k->near.solid[NEAR_WALLS * i], k->all->material[i], gamma);
        real tension = (m->skin[i] - 1) * (real)(gamma * wall.cos_contact_angle) * 2 * k->inv_h * (1 - n.w);
        for (int p = 0; p < 3; p++)
            for (int q = 0; q < 3; q++) (&m->row[p][i].x)[q] += tension * ((p == q ? 1 : 0) - (&n.x)[p] * (&n.x)[q]);
    }
}

/* k->change = sum (T_i + T_j) w e */
static void sum_force(int begin, int end, void *context)
{
    const interfaces *m = context;
    flow_step *k = m->k;
    vreal inv_h = vset(k->inv_h), none = vset(0);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->x, block), face = pair_i(m->face, block), own[3], row[3], n;
        for (int a = 0; a < 3; a++) own[a] = pair_i(m->row[a], block);
        vreal sum[3] = {none, none, none}, image[3] = {none, none, none};
        bool has_face = vless(face.w, vset(1));
        PAIRS(k->lists, block, j)
        {
            vreal4 o = pair_j(k->x, j);
            vreal4 d = {(i.x - o.x) * inv_h, (i.y - o.y) * inv_h, (i.z - o.z) * inv_h, none};
            for (int a = 0; a < 3; a++) row[a] = pair_j(m->row[a], j);
            vreal w = weight_of(d);
            add_times(sum, w, stress_on(own, d)), add_times(sum, w, stress_on(row, d));
            if (!has_face) continue;
            vreal4 from = mirror(face, pair_j(m->face, j), d, &n);
            vreal twice = 2 * vdot3(from, n);
            vreal4 mine = stress_on(own, from);
            vreal4 its =
                stress_on(row, (vreal4){from.x - twice * n.x, from.y - twice * n.y, from.z - twice * n.z, none});
            twice = 2 * vdot3(its, n), w = weight_of(from);
            its = (vreal4){its.x - twice * n.x, its.y - twice * n.y, its.z - twice * n.z, none};
            add_times(image, w, mine), add_times(image, w, its);
        }
        pair_store4(k->change, block, sum[0], sum[1], sum[2], none);
        pair_store4(m->image, block, image[0], image[1], image[2], none);
    }
}

static void take_force(int begin, int end, void *context, solid_pushes *to)
{
    const interfaces *m = context;
    flow_step *k = m->k;
    for (int i = begin; i < end; i++) {
        real scale = -k->p->c.gradient * k->dt / flow_density(k, i);
        real3 image = real3_scale(scale, real3_of(m->image[i]));
        real4_add(&k->v[i], real3_madd(image, scale, real3_of(k->change[i])));
        if (near_walls_has(&k->near, i))
            solids_push(to, PUSH_LINE, k->near.solid[NEAR_WALLS * i], real3_of(k->x[i]),
                        real3_scale(-flow_mass(k, i), image));
    }
}

dew_result mps_interfaces(flow_step *k, const real *skin)
{
    interfaces m = {.k = k, .skin = skin};
    ARENA_TRY_ZEROED(k->w->scratch, k->all->end + 4, m.row[0], m.row[1], m.row[2]);
    ARENA_TRY(k->w->scratch, k->all->end + 4, m.face, m.image);
    for (int i = 0; i < k->all->end + 4; i++) m.face[i] = (real4){0, 0, 0, FAR};
    parallel_for(k->count, 4096, find_faces, &m);
    ghosts_copy_vectors(k->all, m.face);
    for (m.a = 0; m.a < k->w->material_count; m.a++)
        for (m.b = m.a + 1; m.b < k->w->material_count; m.b++) {
            m.tension = (real)((1 - MPS_BY_PAIRS) * world_tension_between(k->w, m.a, m.b));
            if (!(m.tension > 0)) continue;
            parallel_for(k->blocks, FLOW_GRAIN, sum_colour, &m);
            parallel_for(k->count, 4096, add_stress, &m);
        }
    if (k->near.wall) parallel_for(k->count, 4096, add_wetting, &m);
    ghosts_copy_matrices(k->all, m.row);
    parallel_for(k->blocks, FLOW_GRAIN, sum_force, &m);
    solids_each(k->w->solids, k->count, take_force, &m);
    return DEW_OK;
}
