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
 * A bulk that attracts itself so has no force from it but what its arrangement gives way by, like a glass: a drop
 * swings as it is its skin that holds it, and no drop would in another liquid (calibration.md).
 *
 * The paper's own words (`tension: paper`, equations 9 to 20): with P the sum of f e over all pairs, those of the solid
 * too, and n the normal, a particle next to a solid feels C (W_a (P . n) n - H W_d P), C from the tension of one
 * particle on a flat surface, H the smoothed step from 1 to 0 by |P| over that of a flat surface. Taken so a particle
 * next to the wall is not drawn by its neighbour as it draws it; what is over is given to the solid, and drops leave
 * the plate (calibration.md). It is here to be looked at. */
#include "methods/mps/mps.h"

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

/* Newtons, and the virial over a particle's volume. */
static void sum_force(int begin, int end, void *context)
{
    flow_step *k = context;
    double gamma = k->w->materials[0].surface_tension;
    vreal inv_h = vset(k->inv_h), zero = vset((real)(mps_of(k)->is_paper ? ZERO_OF_PAPER : ZERO));
    vreal bond = vset(-(real)(mps_bond(mps_of(k), k->w, gamma) / (double)k->h));
    vreal virial_scale = vset(k->h / (real)(2 * k->w->dimension * pow((double)k->p->s, k->w->dimension)));
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->x, block);
        vreal x = vset(0), y = vset(0), z = vset(0), virial = vset(0);
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->x, j);
            vreal dx = (i.x - b.x) * inv_h, dy = (i.y - b.y) * inv_h, dz = (i.z - b.z) * inv_h;
            vreal q2 = dx * dx + dy * dy + dz * dz + (real)1e-12, inv_q = vrsqrt(q2), q = q2 * inv_q;
            vreal f = bond * vmax(1 - q, vset(0)) * (q - zero) * inv_q;
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
    flow_step *k = context;
    const mps_state *p = mps_of(k);
    double gamma = k->w->materials[0].surface_tension;
    real size = (real)(mps_bond(p, k->w, gamma) / (double)k->h);
    for (int i = begin; i < end; i++) {
        real3 f = real3_of(k->force[i]);
        walls_here here = {0};
        if (near_walls_has(&k->near, i)) here = near_walls_at(&k->near, i, (real3){0, 0, 0}, k->inv_h, &k->p->crowd);
        real3 drawn = {0, 0, 0};
        for (int a = 0; a < here.count; a++) {
            int solid = k->near.solid[NEAR_WALLS * i + a];
            real3 n = real3_of(k->near.wall[NEAR_WALLS * i + a]);
            double cosine = solids_info_of(k->w->solids, solid, 0, gamma).cos_contact_angle;
            real adhesion = p->is_paper ? 1 : adhesion_of(cosine);
            real pull = size * adhesion * walls_here_part(&here, a) * half_space_at(p->bond.slope, here.distance[a]);
            drawn = real3_madd(drawn, -pull, n);
            if (!p->is_paper) solids_push(to, PUSH_PRESSURE, solid, real3_of(k->x[i]), real3_scale(pull * k->dt, n));
        }
        if (p->is_paper && here.count > 0) {
            int solid = k->near.solid[NEAR_WALLS * i];
            double cosine = solids_info_of(k->w->solids, solid, 0, gamma).cos_contact_angle;
            drawn = real3_sub(force_of_paper(k, i, f, drawn, size, cosine), f);
            solids_push(to, PUSH_PRESSURE, solid, real3_of(k->x[i]), real3_scale(-k->dt, drawn));
        }
        f = real3_add(f, drawn);
        real4_add(&k->v[i], real3_scale(k->dt / flow_mass(k, i), f));
    }
}

dew_result mps_tension(flow_step *k)
{
    if (!(k->w->materials[0].surface_tension > 0)) {
        for (int i = 0; i < k->count; i++) k->force[i] = (real4){0, 0, 0, 0};
        return DEW_OK;
    }
    parallel_for(k->blocks, FLOW_GRAIN, sum_force, k);
    solids_each(k->w->solids, k->count, add_force, k);
    return DEW_OK;
}
