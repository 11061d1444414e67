/* Implicit viscosity: (1 + dt A) v' = v, A the Laplacian model by pairs along the line of centres (Monaghan 2005),
 * which keeps angular momentum and does not resist a body's rotation, with the weight w/q of Koshizuka and Oka:
 *
 *     (A v)_i = sigma sum (w/q) ((v_i - v_j) . e_ij) e_ij,   sigma = 4 (D + 2) k s^D nu/h^(D + 2),
 *
 * k the norm of the kernel w^2. Walls have their part in the matrix (solids/shear.h): along them where they hold,
 * across them everywhere. Div counts images of the liquid in them (flow/projection.c); where viscosity did not, a
 * pressure that answers div v by mu is up to four times what stops it at walls, and swings ever higher from step to
 * step. Of several liquids each row is multiplied by its density over that of the first, so that the matrix is
 * symmetric; between two of them counts the harmonic mean of their viscosities, which is what two layers that are
 * sheared resist with. */
#include "laplacian/laplacian.h"
#include "methods/flow/flow.h"

/* Of the right side what is left when the iteration ends. A flow that is nearly steady changes by no more in a step,
 * and is changed least where it is smooth: dropped, such rests are the force that is missing, and a vessel spun its
 * liquid up without a moment on its wall. So they come to the velocity, which thereby has what the forces by v' have
 * made of v: both momenta to rounding, and of the error of v' what A leaves of it in a step, which is least where it is
 * smooth.
 */
#define REST 1e-4
enum { MOST_ITERATIONS = 400 };
/* 4 nu dt/s^2 up to which viscosity counts for nothing: water has as much. */
#define THIN ((real)0.01)

typedef struct viscous {
    flow_step *k;
    real sigma;        /* dt sigma, of the first liquid's density and 1 Pa s */
    real4 *b;          /* right side, then what v' answers: without its rest */
    laplacian laplace; /* 1 + dt A */
    wall_shear *walls; /* NULL: there are no solids */
    shear shear;
    real3 rest; /* over the sum of walls' diagonals */
    real3 mean; /* of what the iteration left, where that is rounding alone; else 0 */
} viscous;

/* mu of a pair, Pa s, where x.w has each one's over the part of its kernel that is not air. */
static inline vreal viscosity_of_pair(vreal a, vreal b) { return 2 * a * b / (a + b + (real)1e-30); }

/* Of the first liquid. */
static inline real inertia_of(const flow_step *k, int i)
{
    return flow_density(k, i) / (real)k->w->materials[0].density;
}

/* --- walls --- */

void flow_rub_line(const flow_step *k, int i, wall_shear *to)
{
    real3 line = real3_of(k->line[i]);
    real length = real3_length(line), volume = flow_mass(k, i) / flow_density(k, i);
    if (!(length > 0)) return;
    real rate = k->line[i].w / (length * volume * (real)k->w->materials[0].density);
    real3 with = solids_velocity(k->w->solids, k->near.solid[NEAR_WALLS * i], real3_of(k->x[i]));
    to->diagonal.x += rate * line.x * line.x, to->diagonal.y += rate * line.y * line.y,
        to->diagonal.z += rate * line.z * line.z;
    to->across.x += rate * line.y * line.z, to->across.y += rate * line.z * line.x,
        to->across.z += rate * line.x * line.y;
    real4_add(&to->push, real3_scale(rate * real3_dot(line, with), line));
}

static void find_walls(int begin, int end, void *context)
{
    const viscous *s = context;
    const flow_step *k = s->k;
    shear_find(&s->shear, begin, end, k->x, s->walls);
    for (int i = begin; i < end; i++) {
        real mu = (real)(flow_material(k, i)->viscosity / k->w->materials[0].density);
        real4 *of[3] = {&s->walls[i].diagonal, &s->walls[i].across, &s->walls[i].push};
        for (int n = 0; n < 3; n++) *of[n] = (real4){mu * of[n]->x, mu * of[n]->y, mu * of[n]->z, mu * of[n]->w};
        if (k->line) flow_rub_line(k, i, &s->walls[i]);
    }
}

static dew_result open_walls(viscous *s)
{
    flow_step *k = s->k;
    if (!k->near.wall) return DEW_OK;
    ARENA_TRY(k->w->scratch, k->count, s->walls);
    s->shear = (shear){.table = &k->p->shear_table, .across = &k->p->across_table, .solids = k->w->solids, .nu = 1};
    RESULT_TRY(flow_touch_shear(k, &s->shear));
    parallel_for(k->count, 1024, find_walls, s);
    return DEW_OK;
}

void flow_push_line(const flow_step *k, int i, solid_pushes *to)
{
    real3 line = real3_of(k->line[i]);
    real length = real3_length(line);
    if (!(length > 0)) return;
    int solid = k->near.solid[NEAR_WALLS * i];
    real slip = real3_dot(line, contact_slip(k->w->solids, solid, k->x[i], k->v[i]));
    solids_push(to, PUSH_LINE, solid, real3_of(k->x[i]), real3_scale(k->dt * k->line[i].w * slip / length, line));
}

static real hold_of(const viscous *s, int i)
{
    real4 d = s->walls[i].diagonal;
    return d.x + d.y + d.z;
}

/* What the liquid has lost and walls, by their part of the matrix, have not got; last, walls' diagonals. */
static void sum_rest(int begin, int end, void *context, double *sums)
{
    const viscous *s = context;
    const flow_step *k = s->k;
    for (int i = begin; i < end; i++) {
        real3 hold = wall_shear_hold(&s->walls[i], real3_of(k->v[i]));
        real inertia = inertia_of(k, i);
        double mass = (double)(flow_mass(k, i) / inertia);
        for (int a = 0; a < 3; a++)
            sums[a] += mass * ((double)(&s->b[i].x)[a] - (double)inertia * (double)(&k->v[i].x)[a] -
                               (double)k->dt * (double)(&hold.x)[a]);
        sums[3] += (double)hold_of(s, i);
    }
}

/* Velocities are floats, and of their last digit walls make dt nu/s^2 times as much: a creeping liquid's momentum is
 * less than that. So walls get it, too, each by what it does to the liquid; but not what faces of symmetry get. */
static void find_rest(viscous *s)
{
    const dew_domain_def *domain = &s->k->w->domain;
    double sums[4];
    parallel_sum(s->k->count, 4, sum_rest, s, sums);
    for (int a = 0; a < 3; a++)
        (&s->rest.x)[a] = sums[3] > 0 && domain->axis[a] != DEW_SYMMETRY ? (real)(sums[a] / sums[3]) : 0;
}

/* Across the nearest solid: liquid that viscosity holds presses on it by that as well as by its pressure. */
static void note_pressed(const viscous *s, int i)
{
    const flow_step *k = s->k;
    real3 n = real3_of(k->near.wall[NEAR_WALLS * i]), given = wall_shear_acceleration(&s->walls[i], real3_of(k->v[i]));
    real4_add(&k->pressed[i], real3_scale(k->dt / inertia_of(k, i) * real3_dot(given, n), n));
}

static void give_to_solids(int begin, int end, void *context, solid_pushes *to)
{
    const viscous *s = context;
    const flow_step *k = s->k;
    for (int i = begin; i < end && k->line; i++) flow_push_line(k, i, to);
    for (int i = begin; i < end; i++)
        if (near_walls_has(&k->near, i) && hold_of(s, i) > 0)
            solids_push(to, PUSH_SHEAR, k->near.solid[NEAR_WALLS * i], real3_of(k->x[i]),
                        real3_scale(hold_of(s, i), s->rest));
    for (int i = begin; i < end && k->pressed; i++)
        if (near_walls_has(&k->near, i)) note_pressed(s, i);
    for (int i = begin, next; i < end; i = next) {
        for (next = i + 1; next < end && k->all->material[next] == k->all->material[i];) next++;
        real volume = flow_mass(k, i) / flow_density(k, i);
        shear_push_solids(&s->shear, i, next, k->x, k->v, volume * (real)flow_material(k, i)->viscosity * k->dt, to);
    }
}

/* --- the system --- */

static void weigh(int begin, int end, void *context)
{
    const viscous *s = context;
    const flow_step *k = s->k;
    vreal scale = vset(s->sigma), h = vset(k->h);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->x, block);
        laplacian_row row = {0};
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->x, j);
            vreal dx = i.x - b.x, dy = i.y - b.y, dz = i.z - b.z, r2 = dx * dx + dy * dy + dz * dz;
            laplacian_put(&s->laplace, &row, block, j, r2,
                          scale * viscosity_of_pair(i.w, b.w) * flow_laplacian_weight(h * vrsqrt(r2 + (real)1e-30)));
        }
        laplacian_end(&s->laplace, block, row);
        for (int n = PAIR_I * block; n < PAIR_I * (block + 1) && n < k->count; n++) {
            s->laplace.diagonal[n] = inertia_of(k, n);
            if (!s->walls) continue;
            real4 d = s->walls[n].diagonal, a = s->walls[n].across;
            s->laplace.mixing[n] = (laplacian_mixing){{k->dt * d.x, k->dt * d.y, k->dt * d.z, 0},
                                                      {k->dt * a.x, k->dt * a.y, k->dt * a.z, 0}};
        }
    }
}

/* Next to air a kernel is not full, and strains there would meet less resistance: over the part of it that is not air.
 */
static void put_fullness(int begin, int end, void *context)
{
    flow_step *k = context;
    real mu[FLOW_MOST_LIQUIDS];
    for (int m = 0; m < k->w->material_count; m++)
        mu[m] = (real)(flow_viscosity(k->p, k->w, m) * k->w->materials[m].density);
    for (int i = begin; i < end; i++)
        k->x[i].w = mu[k->all->material[i]] * k->p->c.n0 / real_max(k->target[i], (real)0.4 * k->p->c.n0);
}

/* b = v, and what walls that move give. */
static void put_right_side(int begin, int end, void *context)
{
    const viscous *s = context;
    for (int i = begin; i < end; i++) {
        real3 v = real3_scale(inertia_of(s->k, i), real3_of(s->k->v[i]));
        if (s->walls) v = real3_madd(v, s->k->dt, real3_of(s->walls[i].push));
        s->b[i] = real4_of(v, 0), s->k->v[i].w = 0;
    }
}

static void set_rest_apart(int begin, int end, void *context)
{
    const viscous *s = context;
    for (int i = begin; i < end; i++) real4_add(&s->b[i], real3_scale(-1, real3_of(s->laplace.rest[i])));
}

static void sum_left(int begin, int end, void *context, double *sums)
{
    const real4 *rest = context;
    for (int i = begin; i < end; i++)
        for (int a = 0; a < 3; a++) sums[a] += (double)(&rest[i].x)[a];
}

static void add_rest(int begin, int end, void *context)
{
    const viscous *s = context;
    for (int i = begin; i < end; i++) {
        real3 rest = real3_sub(real3_of(s->laplace.rest[i]), s->mean);
        real4_add(&s->k->v[i], real3_scale(1 / inertia_of(s->k, i), rest));
    }
}

/* Pairs give each other what is opposite, so that without walls what is left sums up to rounding alone. */
static void find_mean(viscous *s)
{
    double sums[3];
    parallel_sum(s->k->count, 3, sum_left, s->laplace.rest, sums);
    for (int a = 0; a < 3; a++)
        (&s->mean.x)[a] = s->k->w->domain.axis[a] == DEW_SYMMETRY ? 0 : (real)(sums[a] / s->k->count);
}

static void push_solids(viscous *s)
{
    parallel_for(s->k->count, 4096, set_rest_apart, s);
    find_rest(s);
    solids_each(s->k->w->solids, s->k->count, give_to_solids, s);
}

real flow_viscous_part(const flow_step *k)
{
    real x = (real)(4 * flow_viscosity(k->p, k->w, flow_thinnest(k->w))) * k->dt / (k->p->s * k->p->s);
    return real_max(x - THIN, 0) / (1 + x);
}

dew_result flow_resist(flow_step *k)
{
    world *w = k->w;
    double most = 0;
    for (int m = 0; m < w->material_count; m++) most = fmax(most, flow_viscosity(k->p, w, m) * w->materials[m].density);
    if (!(most > 0)) return DEW_OK;
    viscous s = {.k = k};
    s.sigma = (real)(k->p->viscous / w->materials[0].density) * k->dt;
    ARENA_TRY(w->scratch, k->count, s.b);
    RESULT_TRY(open_walls(&s));
    laplacian_def def = {.name = "viscosity",
                         .particles = k->all,
                         .lists = k->lists,
                         .reach = (double)k->h,
                         .domain = &w->domain,
                         .dimension = w->dimension,
                         .is_central = true,
                         .spacing = w->spacing,
                         .unit = most * (double)(s.sigma * (k->h / k->p->s - 1)),
                         .scratch = w->scratch};
    RESULT_TRY(laplacian_open(&s.laplace, &def));
    if (s.walls) ARENA_TRY(w->scratch, k->count, s.laplace.mixing);
    parallel_for(k->count, 4096, put_fullness, k);
    particles_update_ghosts(k->all, FIELD_POSITION_INDEX);
    parallel_for(k->blocks, FLOW_GRAIN, weigh, &s);
    parallel_for(k->count, 4096, put_right_side, &s);
    ARENA_TRY(w->scratch, k->count, s.laplace.rest);
    RESULT_TRY(laplacian_solve_vectors(&s.laplace, s.b, k->v, REST, MOST_ITERATIONS, &k->p->viscous_iterations));
    if (s.walls)
        push_solids(&s);
    else
        find_mean(&s);
    parallel_for(k->count, 4096, add_rest, &s);
    return DEW_OK;
}
