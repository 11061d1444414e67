/* Viscosity in Pa s, at the step's end: (1 + dt V) v' = v, with Monaghan's (2005) pairs along the line of centres,
 *
 *     (V v)_i = 10 nu k/h^2 sum_j c_ij |W'|/q (v_ij . e_ij) e_ij,   c_ij = (1/phi_i + 1/phi_j)/2,
 *
 * which keep linear and angular momentum and leave rotation alone; phi is how full a kernel is next to air, where
 * strains would meet less resistance. Walls that hold, or let slip by a length, have their part in the system
 * (solids/shear.h), of the material's own viscosity. Solved by the shared solver (laplacian/). */
#include "laplacian/laplacian.h"
#include "methods/pbf/physical.h"
#include "solids/shear.h"

/* Of the right side: what is left when the iteration ends. It is a part of what the step takes of the shortest waves,
 * down to what rounding leaves: where the right side changes by a thousandth, a residual of 1e-4 of it is a tenth of
 * what walls give. */
#define REST 1e-4
#define LEAST_REST 1e-6
enum { MOST_ITERATIONS = 400 };
/* Least phi. */
#define LEAST_FULL ((real)0.4)
/* In h |grad c|: from the one on liquid next to air slips by a part of a spacing, from the other on by all of one. A
 * contact line moves only if something slips there (Huh, Scriven 1971); 1.2 is a first layer, 0.45 a second. */
#define SLIP_BEGINS ((real)0.4)
#define SLIP_WHOLE ((real)0.8)

typedef struct viscous {
    physical *k;
    laplacian a;
    real4 *b;
    wall_shear *walls; /* NULL: none hold */
    real *least_slip, *spread;
    shear shear;
} viscous;

static void put_fullness(int begin, int end, void *context)
{
    physical *k = context;
    for (int i = begin; i < end; i++) k->a.x[i].w = 1 / fmax(k->fullness[i], LEAST_FULL);
}

static void weigh(int begin, int end, void *context)
{
    viscous *s = context;
    const physical *k = s->k;
    real h = k->p->h, dt = k->dt;
    vreal inv_h = vset(1 / h), scale = vset(-5 * dt * s->shear.nu * k->p->kernel / (h * h));
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->a.x, block);
        laplacian_row row = {0};
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->a.x, j);
            vreal dx = i.x - b.x, dy = i.y - b.y, dz = i.z - b.z, r2 = dx * dx + dy * dy + dz * dz;
            vreal q2 = r2 * inv_h * inv_h + (real)1e-12, inv_q = vrsqrt(q2);
            laplacian_put(&s->a, &row, block, j, r2, scale * (i.w + b.w) * vcubic_spline_slope(q2 * inv_q) * inv_q);
        }
        laplacian_end(&s->a, block, row);
        for (int n = PAIR_I * block; n < PAIR_I * (block + 1) && n < k->count; n++) {
            s->a.diagonal[n] = 1;
            if (!s->walls) continue;
            real4 d = s->walls[n].diagonal, a = s->walls[n].across;
            s->a.mixing[n] = (laplacian_mixing){{dt * d.x, dt * d.y, dt * d.z, 0}, {dt * a.x, dt * a.y, dt * a.z, 0}};
        }
    }
}

/* Next to air the line slips. At the distance d from a solid of mean curvature H what it gives has spread over (1 + H
 * d)^2 of its area, and so much more liquid is there to take it. */
static void find_walls(int begin, int end, void *context)
{
    viscous *s = context;
    const physical *k = s->k;
    for (int i = begin; i < end; i++) {
        real near_air = (k->a.normal[i].w - SLIP_BEGINS) / (SLIP_WHOLE - SLIP_BEGINS);
        s->least_slip[i] = k->p->s * fmin(fmax(near_air, (real)0), (real)1);
        real spread = near_walls_has(&k->p->near, i) ? pbf_spread(k->p, i, 0) : 1;
        s->spread[i] = spread * spread;
    }
    shear_find(&s->shear, begin, end, k->a.x, s->walls);
}

static dew_result open_walls(viscous *s)
{
    physical *k = s->k;
    if (!solids_hold(k->w->solids)) return DEW_OK;
    ARENA_TRY(k->w->scratch, k->count, s->walls, s->a.mixing, s->least_slip, s->spread);
    s->shear.least_slip = s->least_slip, s->shear.lack = s->spread, s->shear.nearest = k->p->wall_solid;
    parallel_for(k->count, 1024, find_walls, s);
    return DEW_OK;
}

/* b = v, and what walls that move give. */
static void put_right_side(int begin, int end, void *context)
{
    const viscous *s = context;
    for (int i = begin; i < end; i++) {
        real3 v = real3_of(s->k->a.v[i]);
        if (s->walls) v = real3_madd(v, s->k->dt, real3_of(s->walls[i].push));
        s->b[i] = real4_of(v, 0);
    }
}

static void give_to_solids(int begin, int end, void *context, solid_pushes *to)
{
    const viscous *s = context;
    shear_push_solids(&s->shear, begin, end, s->k->a.x, s->k->a.v, (real)s->k->w->particle_mass[0] * s->k->dt, to);
}

dew_result pbf_viscosity(physical *k)
{
    world *w = k->w;
    double nu = w->materials[0].viscosity / w->materials[0].density, h = (double)k->p->h;
    if (!(nu > 0)) return DEW_OK;
    viscous s = {.k = k, .shear = {.table = &k->p->shear_table, .solids = w->solids, .nu = (real)nu}};
    laplacian_def def = {.name = "viscosity",
                         .particles = w->particles,
                         .neighbours = w->neighbours,
                         .domain = &w->domain,
                         .dimension = 3,
                         .is_central = true,
                         .spacing = w->spacing,
                         .unit = 10 * nu * (double)(k->dt * k->p->kernel) / (h * h),
                         .scratch = w->scratch};
    RESULT_TRY(laplacian_open(&s.a, &def));
    RESULT_TRY(open_walls(&s));
    ARENA_TRY(w->scratch, k->count, s.b);
    parallel_for(k->count, 4096, put_fullness, k);
    particles_update_ghosts(w->particles, FIELD_POSITION_INDEX);
    parallel_for(k->blocks, PBF_GRAIN, weigh, &s);
    parallel_for(k->count, 4096, put_right_side, &s);
    double taken = 4 * nu * (double)k->dt / (w->spacing * w->spacing), rest = fmax(REST * fmin(taken, 1), LEAST_REST);
    RESULT_TRY(laplacian_solve_vectors(&s.a, s.b, k->a.v, rest, MOST_ITERATIONS, NULL));
    if (s.walls) solids_each(w->solids, k->count, give_to_solids, &s);
    return DEW_OK;
}
