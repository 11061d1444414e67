/* A step by the equations as they are printed, algorithm 1. What is ambiguous or cannot work is read so:
 *
 *   (3), (4)  density by continuity, as that of sums falls at the surface, where Tait's pressure would fill it up until
 *             nothing is detected as surface; pressure by Tait's equation, exponent 7;
 *   (6)       with the factor 10/rho and the denominator r^2 of its source (Monaghan);
 *   (7)       as printed a mean volume; read as D = sum V0 W, self included, surface below 0.88;
 *   (8)       the constant belongs to a support of 2h, so the kernel is cut there: H = 2h = 3 spacings;
 *   (9)       the sum over the outside is known, as that over all is zero: sum V grad W = -S. p_env = 0;
 *   (11)      n = S, which points inwards; outward unit normal -S/|S|;
 *   (13)(14)  over surface particles alone, in the tangent plane (curvature.c, which smooths normals too);
 *   (18)      a force per volume, as (1) has it: a, b in N/m3. Taken as accelerations, the paper's numbers freeze a
 * drop to a crystal. h of its cosines is `paper_radius`, 2 spacings, each cosine cut at its own radius. A solid pulls
 * as liquid in its place would, times (1 + cos theta)/2: the work of adhesion; (20)      on surface particles, by the
 * unnormalised n: gamma is in N/m, the material's surface tension.
 *
 * Not conserved by (9) and (20) is momentum: the net force on each body of liquid is taken off, as in the physical
 * mode. (17) and (20) both are the tension: a drop's pressure comes to 2.2 to 2.5 gamma kappa, and (9), which is no
 * longer the adjoint of the density's rate, is quiet for viscous liquids only: `alpha` 0.5 at least. */
#include "methods/sph/paper.h"

typedef struct paper {
    flow k;                   /* first: a pointer to the one is a pointer to the other */
    real radius, near_radius; /* of the two cosines, m */
    real a, b;                /* over the density, m/s2 */
    double viscosity;         /* m2/s */
} paper;

double sph_paper_speed(const sph_state *p, double density)
{
    double a = p->parameter[SPH_PAPER_A], b = p->parameter[SPH_PAPER_B], radius = p->parameter[SPH_PAPER_RADIUS];
    /* Virial pressure of a sharp interface: 0.299 a n h^4 (1 - 0.240 b/a), n = 1/s^3. */
    return sqrt(0.299 * fmax(a - 0.24 * b, 0) * pow(radius, 4) * (double)p->s / density);
}

/* Integral of cos(c r) (r^2 - u^2) from 0 to r. */
static double moment(double c, double r, double u)
{
    return (r * r - u * u) * sin(c * r) / c + 2 * r * cos(c * r) / (c * c) - 2 * sin(c * r) / (c * c * c);
}

double sph_paper_solid(double u, double radius)
{
    if (u >= radius) return 0;
    double c = 1.5 * PI / radius;
    return PI * (moment(c, radius, u) - moment(c, fmax(u, 0), u));
}

/* --- density and pressure --- */

/* The density is kept by the pressure that belongs to it, as the speed of sound may change: rho = rho0 (1 + p/B)^(1/7).
 */
static void advance_pressure(int begin, int end, void *context)
{
    flow *k = &((paper *)context)->k;
    real stiffness = k->rho * k->sound * k->sound / 7;
    for (int i = begin; i < end; i++) {
        real rate = k->rate[i] + k->spread[i] + (k->wall ? k->solid_rest[i].w : 0);
        k->shift[i] = (real4){0, 0, 0, 0};
        if (sph_is_held(k, i)) k->touch[i] = sph_touch(k, i);
        real density = pow(fmax(1 + k->a.pressure[i] / stiffness, (real)1e-3), (real)(1.0 / 7));
        density *= 1 + fmin(fmax(k->dt * rate, (real)-0.5), (real)0.5);
        real d2 = density * density, pressure = stiffness * (d2 * d2 * d2 * density - 1);
        k->a.pressure[i] = pressure;
        k->a.density[i] = k->rho * density;
        k->a.x[i].w = pressure / (k->rho * d2); /* rho0 p/rho^2 */
    }
}

/* --- forces between particles: (5), (6), (18) --- */

/* cos(3 PI q/2) for q from 0 to 1, 0 beyond: -cos(y), y = 3 PI (q - 2/3)/2, by its series. */
static inline vreal cosine(vreal q)
{
    vreal y = (real)4.71238898 * (vmin(q, vset(1)) - (real)(2.0 / 3)), z = y * y;
    vreal sum = vset((real)-1.1470746e-11);
    sum = (real)2.0876757e-9 + z * sum, sum = (real)-2.7557319e-7 + z * sum, sum = (real)2.4801587e-5 + z * sum;
    sum = (real)-1.3888889e-3 + z * sum, sum = (real)4.1666667e-2 + z * sum, sum = (real)-0.5 + z * sum;
    vreal value = -1 - z * sum;
    return vselect(q < 1, value, vset(0));
}

static void sum_forces(int begin, int end, void *context)
{
    const paper *m = context;
    const flow *k = &m->k;
    const sph_state *p = k->p;
    vreal inv_support = vset(1 / p->support), scale = vset(p->gradient / (p->support * p->support));
    vreal inv_far = vset(1 / m->radius), inv_near = vset(1 / m->near_radius),
          viscosity = vset((real)(10 * m->viscosity));
    vreal far = vset(m->a), near = vset(m->b);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->a.x, block), vi = pair_i(k->a.v, block);
        vreal x = vset(0), y = vset(0), z = vset(0);
        PAIRS(k->lists, block, j)
        {
            vreal4 c = pair_j(k->a.x, j), vj = pair_j(k->a.v, j);
            vreal dx = i.x - c.x, dy = i.y - c.y, dz = i.z - c.z;
            vreal r2 = dx * dx + dy * dy + dz * dz + (real)1e-30, inv_r = vrsqrt(r2), r = r2 * inv_r;
            vreal t = vmax(1 - r * inv_support, vset(0));
            vreal along = dx * (vi.x - vj.x) + dy * (vi.y - vj.y) + dz * (vi.z - vj.z);
            vreal f = scale * t * t * t * (i.w + c.w - viscosity * along * inv_r * inv_r);
            f += inv_r * (far * cosine(r * inv_far) - near * cosine(r * inv_near));
            x += f * dx, y += f * dy, z += f * dz;
        }
        pair_store4(k->force, block, x, y, z, vset(0));
    }
}

/* --- the surface: (9), (17), (20) --- */

static void find_pulls(int begin, int end, void *context)
{
    flow *k = context;
    real inv_rho = 1 / k->rho, inv_support = 1 / k->p->support;
    for (int i = begin; i < end; i++) {
        real kappa = 2 * k->a.mean_curvature[i], filled = fmax(k->filled[i].w, (real)0.1);
        real jump = k->gamma / 2 * kappa * (1 / filled + 1);
        real f = k->a.x[i].w + inv_rho * (jump + k->gamma * kappa);
        f *= inv_support * k->a.v[i].w;
        k->pull[i] = real4_of(real3_scale(f, real3_of(k->filled[i])), 0);
    }
}

/* --- solids --- */

static void add_solids(int begin, int end, void *context, solid_pushes *to)
{
    const paper *m = context;
    const flow *k = &m->k;
    double density = 1 / pow((double)k->p->s, 3);
    for (int i = begin; i < end; i++) {
        if (k->wall_solid[i] < 0) continue;
        real3 pressure = sph_wall_pressure(k, i), friction = sph_wall_friction(k, i, pressure);
        real3 force = real3_add(real3_add(pressure, friction), sph_along_wall(k, i));
        for (int n = 0; n < 2; n++) {
            int solid = n ? k->other_solid[i] : k->wall_solid[i];
            if (solid < 0) continue;
            real4 wall = n ? k->other[i] : k->wall[i];
            double share = (1 + solids_info(k->w->solids, solid, (double)k->gamma).cos_contact_angle) / 2;
            double pull = (double)m->a * sph_paper_solid((double)wall.w, (double)m->radius) -
                          (double)m->b * sph_paper_solid((double)wall.w, (double)m->near_radius);
            force = real3_madd(force, (real)(share * density * pull), real3_of(wall));
        }
        real4_add(&k->force[i], force);
        sph_push_solids(k, PUSH_WHOLE, i, real3_scale(k->dt, force), to);
    }
}

static void integrate(int begin, int end, void *context, solid_pushes *to)
{
    const flow *k = context;
    if (k->wall) add_solids(begin, end, context, to);
    real3 g = {(real)k->w->gravity.x, (real)k->w->gravity.y, (real)k->w->gravity.z};
    for (int i = begin; i < end; i++) {
        real3 a = real3_add(real3_add(real3_of(k->force[i]), real3_of(k->pull[i])), g);
        real4_add(&k->a.v[i], real3_scale(k->dt, a));
        real4_add(&k->a.x[i], real3_scale(k->dt, real3_of(k->a.v[i])));
    }
}

dew_result sph_paper_step(sph_state *p, world *w, double dt)
{
    paper m = {.radius = (real)(p->parameter[SPH_PAPER_RADIUS] * w->spacing),
               .near_radius = (real)(0.7 * p->parameter[SPH_PAPER_RADIUS] * w->spacing),
               .a = (real)(p->parameter[SPH_PAPER_A] / w->materials[0].density),
               .b = (real)(p->parameter[SPH_PAPER_B] / w->materials[0].density)};
    flow *k = &m.k;
    RESULT_TRY(sph_begin_step(k, p, w, dt));
    RESULT_TRY(sph_hold_at_walls(k));
    m.viscosity = sph_viscosity_of(p, w);
    parallel_for(k->count, 4096, advance_pressure, &m);
    RESULT_TRY(sph_find_curvature(k));
    p->saved_started = 1;
    particles_update_ghosts(w->particles, FIELD_POSITION_INDEX);
    parallel_for(k->blocks, SPH_GRAIN, sum_forces, &m);
    RESULT_TRY(sph_balance_tension(k, find_pulls, integrate));
    sph_leave_walls(k);
    return DEW_OK;
}
