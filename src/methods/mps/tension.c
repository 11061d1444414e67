/* Surface tension and wetting as a potential of pairs (equations 7 to 16 of the paper, in the reading that keeps
 * momentum).
 *
 * A pair at q attracts by K f(q), f = (q - s/h)(1 - q): f_p of equation 15 over h^2. Its potential is -K h psi, psi(q)
 * = integral of f beyond q. To part liquid along a plane costs, an area,
 *
 *     W = 2 gamma = s^-2D h^(D + 1) K h ... = K h^2/s^D integral of Psi(u) du,
 *
 * Psi(u) the sum of psi over a half space at the distance u h: so K follows from gamma. Liquid and solid part at the
 * cost of the adhesional work W_a = gamma_s + gamma_l - gamma_sl (equation 7), so a solid attracts as liquid does that
 * fills it, times W_a/(2 gamma_l) = (1 + cos theta)/2; it has no particles, so nothing holds a line in place. What the
 * spreading work W_d = W_a - 2 gamma_l does is then done by the liquid's cohesion.
 *
 * Only skins are held so, at the air: a bulk that attracts itself has no force from it but what its arrangement gives
 * way by, like a glass. Solids draw skins. Of several liquids gamma is that of who is at the surface, and all below
 * attract each other alike, or what lies deeper would be drawn in where it is not the same liquid. What tension is
 * between them is interface.c's, but for a small part by which they repel each other, or they mix. (Had a pair half of
 * W_ab = gamma_a + gamma_b - gamma_ab everywhere, the interface would have it, too, but no drop in a liquid swings:
 * calibration.md.)
 *
 * The paper's own words (`tension: paper`, equations 9 to 20): with P the sum of f e over all pairs, those of the solid
 * too, and n the normal, a particle next to a solid feels C (W_a (P . n) n - H W_d P), C from the tension of one
 * particle on a flat surface, H the smoothed step from 1 to 0 by |P| over that of a flat surface. Taken so a particle
 * next to the wall is not drawn by its neighbour as it draws it; what is over is given to the solid, and drops leave
 * the plate (calibration.md). It is here to be looked at. */
#include "methods/mps/mps.h"
#include "particles/ghosts.h"

/* The potential's zero, over h: a third of a spacing. (The paper has a spacing: liquid at rest then is stiff, a drop
 * that swings is damped twice as much. Without it particles lie in pairs.) */
#define ZERO 0.1

/* The paper's: l0 over r_e. */
#define ZERO_OF_PAPER (1 / 3.1)

/* K over that of a continuum: by the frequency of a drop (law oscillation); of the paper, one particle's equation 12.
 */
#define K_OVER_CONTINUUM 1.2
#define K_OF_PAPER 1.85

static double potential(double q, double a)
{
    double t = 1 - q;
    if (q >= 1) return 0;
    return t * t * (1 - a) / 2 - t * t * t / 3; /* of (1 - a - t) t */
}

double mps_potential(double q) { return potential(q, ZERO); }
double mps_potential_of_paper(double q) { return potential(q, ZERO_OF_PAPER); }

double mps_bond(const mps_state *p, const world *w, double surface_tension)
{
    double s = (double)p->flow.s, h = (double)p->flow.h;
    return (p->is_paper ? K_OF_PAPER : K_OVER_CONTINUUM) * 2 * surface_tension * pow(s, w->dimension) /
           (p->cohesion * h * h) * h;
}

/* A solid's attraction over that of liquid in its place, by the cosine of its contact angle: what gives 180, 150 ... 0
 * degrees (calibration.md). By the works alone, in a continuum, it would be (1 + cos theta)/2; but the first layer of
 * particles is half a spacing away, where the potential is steep, and next to a wall a kernel counts as full. */
static const struct {
    double cosine, adhesion;
} adhesions[] = {{-1, -0.55}, {-0.866, -0.21}, {-0.5, 0.495}, {0, 0.905}, {0.5, 1.24}, {0.866, 1.5}, {1, 1.75}};
enum { ADHESIONS = sizeof adhesions / sizeof *adhesions };

static real adhesion_of(double cosine)
{
    int k = 0;
    while (k < ADHESIONS - 2 && cosine > adhesions[k + 1].cosine) k++;
    double part = (cosine - adhesions[k].cosine) / (adhesions[k + 1].cosine - adhesions[k].cosine);
    return (real)(adhesions[k].adhesion + part * (adhesions[k + 1].adhesion - adhesions[k].adhesion));
}

/* --- skins --- */

/* Sum of w over a layer at rest two spacings away, in space and in the plane. */
#define OF_LAYER ((real)2.9)
#define OF_ROW ((real)1.07)

/* Reals by slot, ghosts' too. */
typedef struct skins {
    flow_step *k;
    real *part, *tension, *of; /* how far a particle is of a skin; of which tension, N/m; both multiplied */
    real4 *apart;              /* what it repels each liquid by, N/m; NULL: there is one */
} skins;

static void begin_skins(int begin, int end, void *context)
{
    const skins *m = context;
    const flow_step *k = m->k;
    for (int i = begin; i < end; i++) {
        m->part[i] = k->is_surface[i];
        m->tension[i] = (real)flow_material(k, i)->surface_tension;
    }
}

static void multiply(int begin, int end, void *context)
{
    const skins *m = context;
    for (int i = begin; i < end; i++) m->of[i] = m->part[i] * m->tension[i];
}

/* Whoever is near to one of a skin is of it: within two spacings wholly, from h on not; and has its tension. */
static void widen(int begin, int end, void *context)
{
    const skins *m = context;
    const flow_step *k = m->k;
    vreal inv_h = vset(k->inv_h);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->x, block);
        vreal part = vset(0), of = vset(0);
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->x, j);
            vreal4 d = {(i.x - b.x) * inv_h, (i.y - b.y) * inv_h, (i.z - b.z) * inv_h, vset(0)};
            vreal w = vmax(1 - vsqrt(vdot3(d, d)), vset(0));
            part += w * pair_j1(m->part, j), of += w * pair_j1(m->of, j);
        }
        pair_store4(k->force, block, part, of, vset(0), vset(0));
    }
}

static void take_widened(int begin, int end, void *context)
{
    const skins *m = context;
    const flow_step *k = m->k;
    real whole = k->w->dimension == 2 ? OF_ROW : OF_LAYER;
    for (int i = begin; i < end; i++) {
        if (k->force[i].x > 0) m->tension[i] = k->force[i].y / k->force[i].x;
        m->part[i] = real_min(k->force[i].x / whole, 1);
    }
}

/* part: 1 within h of the air, 0 beyond twice that. */
static dew_result find_skins(skins *m)
{
    const flow_step *k = m->k;
    ARENA_TRY_ZEROED(k->w->scratch, k->all->end + 4, m->part, m->tension, m->of);
    parallel_for(k->count, 4096, begin_skins, m);
    for (int round = 0; round < 2; round++) {
        parallel_for(k->count, 4096, multiply, m);
        ghosts_copy(k->all, FIELD_REAL, m->part);
        ghosts_copy(k->all, FIELD_REAL, m->of);
        parallel_for(k->blocks, FLOW_GRAIN, widen, m);
        parallel_for(k->count, 4096, take_widened, m);
    }
    parallel_for(k->count, 4096, multiply, m);
    ghosts_copy(k->all, FIELD_REAL, m->part);
    ghosts_copy(k->all, FIELD_REAL, m->of);
    return DEW_OK;
}

/* --- forces --- */

/* What unlike pairs repel each other by that has all of the tension between two liquids: there particles stay as dense
 * as inside, where at a free surface they give way (K_OVER_CONTINUUM); by the pressure in a drop (two_liquid_drop). */
#define REPULSION 0.71

static void put_repulsion(int begin, int end, void *context)
{
    const skins *m = context;
    const world *w = m->k->w;
    for (int i = begin; i < end; i++) {
        int material = m->k->all->material[i];
        m->k->x[i].w = (real)material, m->apart[i] = (real4){0, 0, 0, 0};
        for (int b = 0; b < w->material_count; b++)
            if (b != material)
                (&m->apart[i].x)[b] = (real)(REPULSION * MPS_BY_PAIRS * world_tension_between(w, material, b));
    }
}

static inline vreal of_material(vreal4 of, vreal material)
{
    vreal last = vselect(material < (real)2.5, of.z, of.w);
    return vselect(material < (real)0.5, of.x, vselect(material < (real)1.5, of.y, last));
}

/* Newtons, and the virial over a particle's volume. */
static void sum_force(int begin, int end, void *context)
{
    const skins *m = context;
    flow_step *k = m->k;
    vreal inv_h = vset(k->inv_h), zero = vset((real)(mps_of(k)->is_paper ? ZERO_OF_PAPER : ZERO));
    vreal virial_scale = vset(k->h / (real)(2 * k->w->dimension * pow((double)k->p->s, k->w->dimension)));
    vreal mean = vset(-(real)(mps_bond(mps_of(k), k->w, 1) / (double)k->h) / 2);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->x, block);
        vreal x = vset(0), y = vset(0), z = vset(0), virial = vset(0), own = pair_i1(m->of, block);
        vreal4 apart = {own, own, own, own};
        if (m->apart) apart = pair_i(m->apart, block);
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->x, j);
            vreal dx = (i.x - b.x) * inv_h, dy = (i.y - b.y) * inv_h, dz = (i.z - b.z) * inv_h;
            vreal q2 = dx * dx + dy * dy + dz * dz + (real)1e-12, inv_q = vrsqrt(q2), q = q2 * inv_q;
            vreal tension = own + pair_j1(m->of, j);
            if (m->apart) tension -= of_material(apart, b.w);
            vreal f = vmax(1 - q, vset(0)) * (q - zero) * inv_q * mean * tension;
            x += f * dx, y += f * dy, z += f * dz, virial += f * q2;
        }
        pair_store4(k->force, block, x, y, z, virial_scale * virial);
    }
}

/* Equation 20, and half of its width: the most that a potential's force is, over that of a flat surface. */
static real smoothed_step(real x)
{
    const real half = (real)0.375;
    x = real_min(real_max(x, -half), half) / (2 * half);
    return (real)0.5 - x - sin((real)(2 * PI) * x) / (real)(2 * PI);
}

/* Equations 17 and 18 of particle i: what it feels, where the liquid's pairs give `cohesion` and the solid as the same
 * liquid would `adhesion`; N. */
static real3 force_of_paper(const flow_step *k, int i, real3 cohesion, real3 adhesion, real size, double cosine)
{
    real3 all = real3_add(cohesion, adhesion), n = real3_normalise(real3_of(k->facing[i]));
    real works[2] = {(real)(1 + cosine), (real)(cosine - 1)}, flat = size * mps_of(k)->bond.slope[0];
    real step = smoothed_step(real3_length(all) / flat - (real)0.375);
    return real3_madd(real3_scale(works[0] * real3_dot(all, n), n), -step * works[1], all);
}

static void add_force(int begin, int end, void *context, solid_pushes *to)
{
    const skins *m = context;
    flow_step *k = m->k;
    const mps_state *p = mps_of(k);
    for (int i = begin; i < end; i++) {
        int material = k->all->material[i];
        double gamma = flow_material(k, i)->surface_tension;
        real size = (real)(mps_bond(p, k->w, gamma) / (double)k->h);
        real3 f = real3_of(k->force[i]);
        walls_here here = {0};
        if (near_walls_has(&k->near, i)) here = near_walls_at(&k->near, i, (real3){0, 0, 0}, k->inv_h, &k->p->crowd);
        real3 drawn = {0, 0, 0};
        for (int a = 0; a < here.count; a++) {
            int solid = k->near.solid[NEAR_WALLS * i + a];
            real3 n = real3_of(k->near.wall[NEAR_WALLS * i + a]);
            double cosine = solids_info_of(k->w->solids, solid, material, gamma).cos_contact_angle;
            real adhesion = p->is_paper ? 1 : m->part[i] * adhesion_of(cosine);
            real pull = size * adhesion * walls_here_part(&here, a) * half_space_at(p->bond.slope, here.distance[a]);
            drawn = real3_madd(drawn, -pull, n);
            if (!p->is_paper) solids_push(to, PUSH_PRESSURE, solid, real3_of(k->x[i]), real3_scale(pull * k->dt, n));
        }
        if (p->is_paper && here.count > 0) {
            int solid = k->near.solid[NEAR_WALLS * i];
            double cosine = solids_info_of(k->w->solids, solid, material, gamma).cos_contact_angle;
            drawn = real3_sub(force_of_paper(k, i, f, drawn, size, cosine), f);
            solids_push(to, PUSH_PRESSURE, solid, real3_of(k->x[i]), real3_scale(-k->dt, drawn));
        }
        f = real3_add(f, drawn);
        real4_add(&k->v[i], real3_scale(k->dt / flow_mass(k, i), f));
    }
}

/* All is skin. */
static void put_tension(int begin, int end, void *context)
{
    const skins *m = context;
    for (int i = begin; i < end; i++) m->of[i] = (real)flow_material(m->k, i)->surface_tension;
}

static bool has_tension(const world *w)
{
    bool has = false;
    for (int m = 0; m < w->material_count; m++) has |= w->materials[m].surface_tension > 0;
    for (int n = 0; n < w->interface_count; n++) has |= w->interfaces[n].surface_tension > 0;
    return has;
}

dew_result mps_tension(flow_step *k, const real **skin)
{
    skins m = {.k = k};
    if (!has_tension(k->w)) {
        for (int i = 0; i < k->count; i++) k->force[i] = (real4){0, 0, 0, 0};
        ARENA_TRY_ZEROED(k->w->scratch, k->all->end + 4, m.part);
        return *skin = m.part, DEW_OK;
    }
    if (mps_of(k)->is_paper) {
        ARENA_TRY_ZEROED(k->w->scratch, k->all->end + 4, m.of);
        parallel_for(k->count, 4096, put_tension, &m);
        ghosts_copy(k->all, FIELD_REAL, m.of);
    } else {
        RESULT_TRY(find_skins(&m));
    }
    if (k->w->material_count > 1) {
        ARENA_TRY(k->w->scratch, k->count, m.apart);
        parallel_for(k->count, 4096, put_repulsion, &m);
        particles_update_ghosts(k->all, FIELD_POSITION_INDEX);
        RESULT_TRY(mps_interfaces(k, m.part));
    }
    parallel_for(k->blocks, FLOW_GRAIN, sum_force, &m);
    solids_each(k->w->solids, k->count, add_force, &m);
    return *skin = m.part, DEW_OK;
}
