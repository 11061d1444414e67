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
 * spreading work W_d = W_a - 2 gamma_l does is then done by the liquid's cohesion. */
#include "methods/mps/mps.h"

/* The potential's zero, over h: a third of a spacing. (The paper has a spacing: liquid at rest then is stiff, a drop
 * that swings is damped twice as much. Without it particles lie in pairs.) */
#define ZERO 0.1

/* K over that of a continuum: by the frequency of a drop (law oscillation). */
#define K_OVER_CONTINUUM 1.2

double mps_potential(double q)
{
    double a = ZERO, t = 1 - q;
    if (q >= 1) return 0;
    return t * t * (1 - a) / 2 - t * t * t / 3; /* of (1 - a - t) t */
}

double mps_bond(const mps_state *p, const world *w, double surface_tension)
{
    double s = (double)p->s, h = (double)p->h;
    return K_OVER_CONTINUUM * 2 * surface_tension * pow(s, w->dimension) / (p->c.cohesion * h * h) * h;
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

static void sum_force(int begin, int end, void *context)
{
    mps_step *k = context;
    vreal inv_h = vset(k->inv_h), zero = vset((real)ZERO);
    real size = (real)(mps_bond(k->p, k->w, k->w->materials[0].surface_tension) / (double)k->h);
    vreal scale = vset(-size / (real)k->w->particle_mass[0]);
    vreal virial_scale = vset(-size * k->h / (real)(2 * k->w->dimension * pow((double)k->p->s, k->w->dimension)));
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->x, block);
        vreal x = vset(0), y = vset(0), z = vset(0), virial = vset(0);
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->x, j);
            vreal dx = (i.x - b.x) * inv_h, dy = (i.y - b.y) * inv_h, dz = (i.z - b.z) * inv_h;
            vreal q2 = dx * dx + dy * dy + dz * dz + (real)1e-12, inv_q = vrsqrt(q2), q = q2 * inv_q;
            vreal f = vmax(1 - q, vset(0)) * (q - zero) * inv_q;
            x += f * dx, y += f * dy, z += f * dz, virial += f * q2;
        }
        pair_store4(k->force, block, scale * x, scale * y, scale * z, virial_scale * virial);
    }
}

static void add_force(int begin, int end, void *context, solid_pushes *to)
{
    mps_step *k = context;
    const mps_state *p = k->p;
    double gamma = k->w->materials[0].surface_tension;
    real size = (real)(mps_bond(p, k->w, gamma) / (double)p->h), mass = (real)k->w->particle_mass[0];
    for (int i = begin; i < end; i++) {
        real3 f = real3_of(k->force[i]);
        walls_here here = {0};
        if (near_walls_has(&k->near, i)) here = near_walls_at(&k->near, i, (real3){0, 0, 0}, k->inv_h, &p->crowd);
        for (int a = 0; a < here.count; a++) {
            int solid = k->near.solid[NEAR_WALLS * i + a];
            real3 n = real3_of(k->near.wall[NEAR_WALLS * i + a]);
            real adhesion = adhesion_of(solids_info(k->w->solids, solid, gamma).cos_contact_angle);
            real pull = size * adhesion * walls_here_part(&here, a) * half_space_at(p->bond.slope, here.distance[a]);
            f = real3_madd(f, -pull / mass, n);
            solids_push(to, PUSH_PRESSURE, solid, real3_of(k->x[i]), real3_scale(pull * k->dt, n));
        }
        real4_add(&k->v[i], real3_scale(k->dt, f));
    }
}

dew_result mps_tension(mps_step *k)
{
    if (!(k->w->materials[0].surface_tension > 0)) {
        for (int i = 0; i < k->count; i++) k->force[i] = (real4){0, 0, 0, 0};
        return DEW_OK;
    }
    parallel_for(k->blocks, MPS_GRAIN, sum_force, k);
    solids_each(k->w->solids, k->count, add_force, k);
    return DEW_OK;
}
