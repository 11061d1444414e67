/* Liquids that remember (Maxwell; upper-convected: Oldroyd 1950). A particle's elastic strain b, 1 at rest, goes with
 * the flow and relaxes,
 *
 *     db/dt = L b + b L^T - (b - 1)/lambda,    tau = G (b - 1),
 *
 * L the velocity gradient; without lambda it is a solid of Hooke's (small strains) and Rivlin's. With f = (1 - q)^4/q,
 * d = e q,
 *
 *     L_i = c [sum f (v_i - v_j) d^T + 2 (v_i - v_wall) S_i^T] M_i^-1,
 *     M_i = c [h sum f d d^T + 2 (phi + l) n S_i^T],
 *     rho a_i = -c [sum f (tau_i M_i^-1 + tau_j M_j^-1) d + 2 tau_i M_i^-1 S_i],
 *
 * phi the distance of a wall that holds, l its slip length. L is exact for linear flow, next to air and to walls too;
 * the force is its adjoint, so that what strain takes of motion it gives back, pairs exchange momentum exactly, and as
 * the tau_i are symmetric their torque is none: sum f (tau M^-1 d) d^T is tau_i. Strain by the velocities that the last
 * step left comes before force by that strain: steps of a wave are symplectic, and explicit. */
#include "definition/definition.h"
#include "methods/mps/mps.h"

#include "base/matrix.h"
#include "particles/ghosts.h"

#include <string.h>

/* Of M's determinant, 1 inside the liquid: spray has less, and is not strained. */
#define LEAST_KNOWN ((real)0.02)
/* Of the time in which a wave of shear crosses a spacing, the longest step. */
#define ELASTIC_STEP 0.5

typedef struct elastic {
    flow_step *k;
    real4 *row[3];          /* sums for L, then tau M^-1 */
    real4 *moment, *across; /* M: xx, yy, zz; yz, zx, xy */
    real4 *strain, *shear;  /* fields: b - 1, likewise */
} elastic;

/* f by q2: (1 - q)^4/q, so scaled that M is about 1 inside the liquid. Of a wave across 16 spacings w/q would see a
 * tenth less than there is. */
static inline vreal weight_at(vreal q2)
{
    vreal inv_q = vrsqrt(q2 + (real)1e-12), t = vmax(1 - q2 * inv_q, vset(0));
    return 14 * t * t * t * flow_laplacian_weight(inv_q);
}

bool mps_is_elastic(const world *w)
{
    for (int m = 0; m < w->material_count; m++)
        if (definition_shear_modulus(&w->materials[m]) > 0) return true;
    return false;
}

static void sum_moments(int begin, int end, void *context)
{
    const elastic *e = context;
    const flow_step *k = e->k;
    vreal inv_h = vset(k->inv_h), c = vset(k->p->c.gradient), ch = c * vset(k->h);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->x, block), vi = pair_i(k->v, block), none = {vset(0), vset(0), vset(0), vset(0)};
        vreal4 m = none, a = none, row[3] = {none, none, none};
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->x, j), vb = pair_j(k->v, j);
            vreal dx = (i.x - b.x) * inv_h, dy = (i.y - b.y) * inv_h, dz = (i.z - b.z) * inv_h;
            vreal f = weight_at(dx * dx + dy * dy + dz * dz);
            vreal fx = f * dx, fy = f * dy, fz = f * dz, v[] = {vi.x - vb.x, vi.y - vb.y, vi.z - vb.z};
            m.x += fx * dx, m.y += fy * dy, m.z += fz * dz, a.x += fy * dz, a.y += fz * dx, a.z += fx * dy;
            for (int n = 0; n < 3; n++) row[n].x += fx * v[n], row[n].y += fy * v[n], row[n].z += fz * v[n];
        }
        pair_store4(e->moment, block, ch * m.x, ch * m.y, ch * m.z, vset(0));
        pair_store4(e->across, block, ch * a.x, ch * a.y, ch * a.z, vset(0));
        for (int n = 0; n < 3; n++) pair_store4(e->row[n], block, c * row[n].x, c * row[n].y, c * row[n].z, vset(0));
    }
}

/* What a wall that holds adds to both. */
static void add_walls(const elastic *e, int i)
{
    const flow_step *k = e->k;
    walls_here here = near_walls_at(&k->near, i, (real3){0, 0, 0}, k->inv_h, &k->p->crowd);
    for (int a = 0; a < here.count; a++) {
        int solid = k->near.solid[NEAR_WALLS * i + a];
        real slip = (real)solids_info(k->w->solids, solid, 0).slip_length;
        if (!(slip < k->h)) continue;
        real4 wall = k->near.wall[NEAR_WALLS * i + a];
        real3 n = real3_of(wall), s = flow_wall_slope(k, &here, i, a);
        real3 v = contact_slip(k->w->solids, solid, k->x[i], k->v[i]);
        real c = 2 * k->p->c.gradient, far = c * (real_max(wall.w, 0) + slip);
        real4_add(&e->moment[i], (real3){far * n.x * s.x, far * n.y * s.y, far * n.z * s.z});
        real4_add(&e->across[i], (real3){far * n.y * s.z, far * n.z * s.x, far * n.x * s.y});
        for (int m = 0; m < 3; m++) real4_add(&e->row[m][i], real3_scale(c * (&v.x)[m], s));
    }
}

static void load(const elastic *e, int i, double moment[3][3], double rows[3][3], double b[3][3])
{
    const real4 *of[] = {&e->moment[i], &e->across[i], &e->strain[i], &e->shear[i]};
    for (int m = 0; m < 3; m++)
        for (int n = 0; n < 3; n++) {
            int at = m == n ? m : 3 - m - n;
            moment[m][n] = (double)(&of[m != n]->x)[at];
            b[m][n] = (double)(&of[2 + (m != n)]->x)[at] + (m == n);
            rows[m][n] = (double)(&e->row[m][i].x)[n];
        }
    if (e->k->w->dimension == 2) moment[2][2] = 1;
}

/* b after dt of flow with the gradient L and of relaxation, of 1/e in lambda: what comes of flow is of the mean age
 * that it has at the end, so that slow flow is that of a viscosity G lambda however long steps are. Flow alone makes
 * F b F^T of it, F = 1 + dt (L - tr L/D). */
static void carry(double L[3][3], double dt, double lambda, int dimension, double b[3][3])
{
    double F[3][3], Fb[3][3], spread = 0, left = exp(-dt / lambda),
                              gain = dt / lambda > 1e-6 ? (1 - left) * lambda / dt : 1;
    for (int n = 0; n < dimension; n++) spread += L[n][n] / dimension;
    for (int m = 0; m < 3; m++)
        for (int n = 0; n < 3; n++) F[m][n] = dt * (L[m][n] - (m == n && m < dimension ? spread : 0)) + (m == n);
    for (int m = 0; m < 3; m++)
        for (int n = 0; n < 3; n++) Fb[m][n] = F[m][0] * b[0][n] + F[m][1] * b[1][n] + F[m][2] * b[2][n];
    for (int m = 0; m < 3; m++)
        for (int n = 0; n < 3; n++) {
            double flown = Fb[m][0] * F[n][0] + Fb[m][1] * F[n][1] + Fb[m][2] * F[n][2];
            b[m][n] = (m == n) + left * (b[m][n] - (m == n)) + gain * (flown - b[m][n]);
        }
}

static void multiply(double a[3][3], double b[3][3], double ab[3][3])
{
    for (int m = 0; m < 3; m++)
        for (int n = 0; n < 3; n++) ab[m][n] = a[m][0] * b[0][n] + a[m][1] * b[1][n] + a[m][2] * b[2][n];
}

static void strain(int begin, int end, void *context)
{
    const elastic *e = context;
    const flow_step *k = e->k;
    for (int i = begin; i < end; i++) {
        const dew_material_def *of = flow_material(k, i);
        double modulus = definition_shear_modulus(of), M[3][3], rows[3][3], b[3][3], inverse[3][3], product[3][3];
        if (near_walls_has(&k->near, i) && !(k->is_held && k->is_held[i])) add_walls(e, i);
        load(e, i, M, rows, b);
        bool is_known = modulus > 0 && matrix_invert_3(M, inverse) > (double)LEAST_KNOWN;
        if (is_known)
            multiply(rows, inverse, product);
        else
            memset(product, 0, sizeof product);
        carry(product, (double)k->dt, modulus > 0 ? of->relaxation_time : 1, k->w->dimension, b);
        for (int n = 0; n < 3; n++) {
            (&e->strain[i].x)[n] = (real)(b[n][n] - 1);
            (&e->shear[i].x)[n] = (real)b[(n + 1) % 3][(n + 2) % 3];
        }
        for (int m = 0; m < 3; m++)
            for (int n = 0; n < 3; n++) b[m][n] = modulus * (b[m][n] - (m == n));
        if (is_known) multiply(b, inverse, product);
        for (int n = 0; n < 3; n++)
            e->row[n][i] = is_known ? (real4){(real)product[n][0], (real)product[n][1], (real)product[n][2], 0}
                                    : (real4){0, 0, 0, 0};
    }
}

static void sum_force(int begin, int end, void *context)
{
    const elastic *e = context;
    const flow_step *k = e->k;
    vreal inv_h = vset(k->inv_h), c = vset(-k->p->c.gradient);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->x, block), own[3];
        vreal force[3] = {vset(0), vset(0), vset(0)};
        for (int n = 0; n < 3; n++) own[n] = pair_i(e->row[n], block);
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->x, j);
            vreal dx = (i.x - b.x) * inv_h, dy = (i.y - b.y) * inv_h, dz = (i.z - b.z) * inv_h;
            vreal f = weight_at(dx * dx + dy * dy + dz * dz);
            for (int n = 0; n < 3; n++) {
                vreal4 o = pair_j(e->row[n], j);
                force[n] += f * ((own[n].x + o.x) * dx + (own[n].y + o.y) * dy + (own[n].z + o.z) * dz);
            }
        }
        pair_store4(k->change, block, c * force[0], c * force[1], c * force[2], vset(0));
    }
}

static void take_force(int begin, int end, void *context, solid_pushes *to)
{
    const elastic *e = context;
    flow_step *k = e->k;
    for (int i = begin; i < end; i++) {
        real scale = k->dt / flow_density(k, i);
        real4_add(&k->v[i], real3_scale(scale, real3_of(k->change[i])));
        if (!near_walls_has(&k->near, i) || (k->is_held && k->is_held[i])) continue;
        walls_here here = near_walls_at(&k->near, i, (real3){0, 0, 0}, k->inv_h, &k->p->crowd);
        for (int a = 0; a < here.count; a++) {
            int solid = k->near.solid[NEAR_WALLS * i + a];
            if (!(solids_info(k->w->solids, solid, 0).slip_length < (double)k->h)) continue;
            real3 s = real3_scale(-2 * k->p->c.gradient * scale, flow_wall_slope(k, &here, i, a)), v;
            for (int n = 0; n < 3; n++) (&v.x)[n] = real3_dot(real3_of(e->row[n][i]), s);
            real4_add(&k->v[i], v);
            solids_push(to, PUSH_SHEAR, solid, real3_of(k->x[i]), real3_scale(-flow_mass(k, i), v));
        }
    }
}

dew_result mps_elastic(flow_step *k)
{
    arena *memory = k->w->scratch;
    if (!mps_is_elastic(k->w)) return DEW_OK;
    elastic e = {.k = k,
                 .strain = particles_field(k->all, mps_of(k)->strain),
                 .shear = particles_field(k->all, mps_of(k)->strain_across)};
    ARENA_TRY_ZEROED(memory, k->all->end + 4, e.row[0], e.row[1], e.row[2]);
    ARENA_TRY(memory, k->count, e.moment, e.across);
    particles_update_ghosts(k->all, FIELD_POSITION_INDEX);
    particles_update_ghosts(k->all, FIELD_VELOCITY_INDEX);
    parallel_for(k->blocks, FLOW_GRAIN, sum_moments, &e);
    parallel_for(k->count, 1024, strain, &e);
    ghosts_copy_matrices(k->all, e.row);
    parallel_for(k->blocks, FLOW_GRAIN, sum_force, &e);
    solids_each(k->w->solids, k->count, take_force, &e);
    return DEW_OK;
}

/* --- what it stores --- */

typedef struct storing {
    const world *w;
    const real4 *strain, *shear;
} storing;

/* The energy that tau = G (b - 1) comes of, G/2 (tr b - 3 - ln det b) a volume; ln(1 + x) of what is off 1, which of
 * small strains is next to nothing. */
static void sum_energy(int begin, int end, void *context, double *sums)
{
    const storing *s = context;
    double volume = pow(s->w->spacing, s->w->dimension);
    for (int i = begin; i < end; i++) {
        double modulus = definition_shear_modulus(&s->w->materials[s->w->particles->material[i]]);
        double x = (double)s->strain[i].x, y = (double)s->strain[i].y, z = (double)s->strain[i].z;
        double yz = (double)s->shear[i].x, zx = (double)s->shear[i].y, xy = (double)s->shear[i].z;
        double grown = x + y + z + x * y + y * z + z * x + x * y * z - (1 + x) * yz * yz - (1 + y) * zx * zx -
                       (1 + z) * xy * xy + 2 * yz * zx * xy; /* det b - 1 */
        if (grown > -1) sums[0] += modulus / 2 * (x + y + z - log1p(grown)) * volume;
    }
}

double mps_elastic_energy(const mps_state *p, const world *w)
{
    double sum = 0;
    if (!mps_is_elastic(w)) return 0;
    parallel_sum(
        w->particles->count, 1, sum_energy,
        &(storing){w, particles_field(w->particles, p->strain), particles_field(w->particles, p->strain_across)}, &sum);
    return sum;
}

/* --- the step's length --- */

typedef struct stiffest {
    const world *w;
    const real4 *strain;
} stiffest;

static void largest_stress(int begin, int end, void *context, double *maxima)
{
    const stiffest *s = context;
    for (int i = begin; i < end; i++) {
        const dew_material_def *m = &s->w->materials[s->w->particles->material[i]];
        real4 b = s->strain[i];
        double most = 1 + fmax((double)real_max(real_max(b.x, b.y), b.z), 0);
        maxima[0] = fmax(maxima[0], definition_shear_modulus(m) / m->density * most);
    }
}

double mps_elastic_step(const mps_state *p, const world *w)
{
    double square = 0;
    if (!mps_is_elastic(w) || w->particles->count == 0) return INFINITY;
    parallel_max(w->particles->count, 1, largest_stress, &(stiffest){w, particles_field(w->particles, p->strain)},
                 &square);
    return square > 0 ? ELASTIC_STEP * w->spacing / sqrt(square) : INFINITY;
}
