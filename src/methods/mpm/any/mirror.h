/* Walls of any shape: the velocity that liquid may have next to a wall is made from the grid's by a mirror,
 *
 *     u_s(x) = alpha u(x) + beta Q^-1 u(x'),   x' = x - 2 s n,   beta = 1 - alpha,
 *
 * s the distance, n the outward normal, Q = I - 2 n n^T - 2 s grad n the derivative of the mirror. alpha falls smoothly
 * from 1 at s = w to 1/2 on the wall, so n . u_s = 0 there exactly, while the grid knows of no wall. All transfers are
 * derived from this one formula: what goes to the grid goes by its transpose.
 *
 * Tangential motion is free so; where the wall does not let liquid slip, velocities of the image are turned round
 * (mirror_stick). Coulomb's friction is put on top (friction.h).
 *
 * grad n = kappa (I - n n^T), kappa the mean curvature, positive at a ball: exact for planes and balls, inside and
 * outside. Then Q = -n n^T + q T with T = I - n n^T, q = 1 - 2 s kappa, and Q^-1 the same with g = 1/q. Of several
 * walls the first is mirrored so, the others as planes, each in what the one before left: B_1 B_2 B_3.
 *
 * Lengths here are in cells: s, 1/kappa; derivatives are per cell, as those of points are. */
#ifndef METHODS_MPM_ANY_MIRROR_H
#define METHODS_MPM_ANY_MIRROR_H

#include "methods/mpm/any/fluid.h"

/* w: within how many cells of a wall the mirror acts. */
#define MIRROR_WIDTH ((real)1.5)

/* Over the radius of a wall's curve: nearer to its centre a point has no normal of its own and takes the owner's. */
#define SHORTEST_ARM ((real)0.05)

/* A wall as a point sees it. */
typedef struct mirror {
    real3 n;
    real3 axis; /* of a cylinder; 0: the wall is bent alike along all of it */
    real s, kappa;
    real3 velocity, beyond;  /* of the wall where the point is, and where its image is, m/s */
    bool is_turning;         /* the wall */
    real4 turn[DIM];         /* then: the gradient of its velocity, by columns, per cell */
    real alpha, beta, slope; /* slope: d alpha/ds */
    real bend, unbend;       /* q of the mirror's derivative Q, and 1/q */
    real q, g, q_s, g_s;     /* by which velocities turn, 1/q, their derivatives along n; -1, 0 where liquid sticks */
} mirror;

/* alpha at a distance; beyond the wall, what images have there by their beta: one curve. */
static inline real mirror_alpha(real s)
{
    real t = s / MIRROR_WIDTH;
    t = t > 1 ? 1 : t > -1 ? t : -1;
    return (real)0.5 + (real)0.5 * ((real)1.5 * t - (real)0.5 * t * t * t);
}

/* From n, s and the curvature of the wall's surface; false where the point is out of its reach. */
static inline bool mirror_set(mirror *m, real3 n, real3 axis, real s, real surface_curvature)
{
    if (!(s < MIRROR_WIDTH)) return false;
    s = s > -MIRROR_WIDTH ? s : -MIRROR_WIDTH; /* deeper, a curved wall's mirror would have no size */
    m->n = n, m->axis = axis, m->s = s, m->velocity = m->beyond = (real3){0, 0, 0}, m->is_turning = false;
    real t = s / MIRROR_WIDTH;
    m->alpha = mirror_alpha(s);
    m->beta = 1 - m->alpha;
    m->slope = (real)0.75 * (1 - t * t) / MIRROR_WIDTH;
    real k = m->kappa = surface_curvature / (1 + s * surface_curvature);
    m->q = m->bend = 1 - 2 * s * k, m->g = m->unbend = 1 / m->q;
    m->q_s = -2 * (k - s * k * k), m->g_s = -m->q_s * m->g * m->g;
    return true;
}

/* A wall to which liquid sticks turns velocities round, u_s(x) = alpha u(x) - beta u(x'): 0 on the wall, and a
 * velocity that grows with the distance is what it is. */
static inline void mirror_stick(mirror *m) { m->q = m->g = -1, m->q_s = m->g_s = 0; }

/* (-n n^T + q T + (1 - q) a a^T) v: along the axis a nothing is bent. q < 0: liquid sticks, along the axis too. */
static inline real3 reflect(const mirror *m, real q, real3 v)
{
    real along = q < 0 ? 0 : (1 - q) * real3_dot(m->axis, v);
    return real3_madd(real3_madd(real3_scale(q, v), -(1 + q) * real3_dot(m->n, v), m->n), along, m->axis);
}

/* What of v lies along the wall in the direction in which it is bent, T v. */
static inline real3 along_bent(const mirror *m, real3 v)
{
    return real3_madd(real3_across(v, m->n), -real3_dot(m->axis, v), m->axis);
}

/* M n, of a matrix by columns. */
static inline real3 matrix_times(const real4 column[DIM], real3 n)
{
    real3 sum = {0, 0, 0};
    for (int a = 0; a < DIM; a++) sum = real3_madd(sum, (&n.x)[a], real3_of(column[a]));
    return sum;
}

/* out = Q(left) M Q(right) */
static inline void reflect_matrix(const mirror *m, real left, const real4 in[DIM], real right, real4 out[DIM])
{
    real3 mn = matrix_times(in, m->n), ma = matrix_times(in, m->axis);
    for (int a = 0; a < DIM; a++) {
        real3 c = real3_madd(real3_scale(right, real3_of(in[a])), -(1 + right) * (&m->n.x)[a], mn);
        if (right > 0) c = real3_madd(c, (1 - right) * (&m->axis.x)[a], ma);
        out[a] = real4_of(reflect(m, left, c), 0);
    }
}

/* Adds scale K(v; q), K_de = q_s (T v)_d n_e - (1 + q) kappa (T_de n.v + n_d (T v)_e): what v gains in gradient because
 * Q changes from place to place. */
static inline void add_turning(const mirror *m, real q, real q_s, real3 v, real scale, real4 out[DIM])
{
    real3 tv = along_bent(m, v);
    real bent = -(1 + q) * m->kappa * scale, nv = real3_dot(m->n, v);
    for (int a = 0; a < DIM; a++) {
        real na = (&m->n.x)[a];
        real3 c = real3_scale(scale * q_s * na, tv);
        c = real3_madd(c, bent * (&tv.x)[a] - bent * nv * na, m->n);
        (&c.x)[a] += bent * nv;
        c = real3_madd(c, -bent * nv * (&m->axis.x)[a], m->axis);
        out[a].x += c.x, out[a].y += c.y, out[a].z += c.z;
    }
}

/* What goes to the grid at x is split: `at` keeps its part there, `image` gets what belongs at x'. */
static inline void mirror_split(const mirror *m, real dx, point *at, point *image)
{
    real3 p = real3_of(at->p), n = m->n;
    /* Along an axis momentum is kept exactly, elsewhere that about the centre of a ball. */
    real mass = at->p.w, turned = m->beta * (real3_dot(m->axis, m->axis) > 0 ? 1 : m->g * m->g);
    real3 fn = matrix_times(at->f, n);
    /* The image: where, mass and momentum; of a moving wall, what moves against it is mirrored. */
    real3 x = real3_madd(real3_of(at->x), -2 * m->s * dx, n);
    real3 relative = real3_madd(p, -mass, m->velocity);
    real3 q = real3_scale(turned, real3_madd(reflect(m, m->q, relative), mass, m->velocity));
    /* A' = (Q A + K(v; q)) Q^-1 */
    real4 turning[DIM], product[DIM];
    for (int a = 0; a < DIM; a++) turning[a] = real4_of(reflect(m, m->q, real3_of(at->b[a])), 0);
    add_turning(m, m->q, m->q_s, relative, 1, turning);
    real3 bn = matrix_times(turning, n), ba = matrix_times(turning, m->axis);
    for (int a = 0; a < DIM; a++) {
        real3 c = real3_madd(real3_scale(m->unbend, real3_of(turning[a])), -(1 + m->unbend) * (&n.x)[a], bn);
        c = real3_madd(c, (1 - m->unbend) * (&m->axis.x)[a], ba);
        image->b[a] = real4_of(real3_scale(turned, c), 0);
    }
    /* Stress: the transpose of the velocity's gradient. */
    reflect_matrix(m, m->g, at->f, m->bend, product);
    real trace = 0;
    real3 transposed = {0, 0, 0}; /* f^T n */
    for (int a = 0; a < DIM; a++) {
        trace += (&at->f[a].x)[a];
        (&transposed.x)[a] = real3_dot(real3_of(at->f[a]), n);
        image->f[a] = real4_of(real3_scale(m->beta, real3_of(product[a])), 0);
    }
    real across = trace - real3_dot(fn, n) - real3_dot(matrix_times(at->f, m->axis), m->axis); /* f : T */
    q = real3_madd(q, -m->slope, reflect(m, m->g, fn));
    q = real3_madd(q, m->beta * m->g_s, along_bent(m, fn));
    q = real3_madd(q, -m->beta * (1 + m->g) * m->kappa, real3_add(real3_scale(across, n), along_bent(m, transposed)));
    image->p = real4_of(q, turned * mass);
    image->x = real4_of(x, 1);
    at->p = real4_of(real3_madd(real3_scale(m->alpha, p), m->slope, fn), m->alpha * mass);
    for (int a = 0; a < DIM; a++) {
        at->b[a] = real4_of(real3_scale(m->alpha, real3_of(at->b[a])), 0);
        at->f[a] = real4_of(real3_scale(m->alpha, real3_of(at->f[a])), 0);
    }
}

/* What came from the grid at x and at x' becomes what the liquid has at x. */
static inline void mirror_join(const mirror *m, landed *at, const landed *image)
{
    real3 v0 = real3_of(at->v), v1 = real3_sub(real3_of(image->v), m->velocity), n = m->n;
    real3 back = real3_add(reflect(m, m->g, v1), m->velocity), step = real3_sub(v0, back);
    landed turned;
    reflect_matrix(m, m->g, image->b, m->bend, turned.b);
    reflect_matrix(m, m->g, image->g, m->bend, turned.g);
    add_turning(m, m->g, m->g_s, v1, (real)0.25, turned.b); /* b is a quarter of the affine part */
    add_turning(m, m->g, m->g_s, v1, 1, turned.g);
    real3 v = real3_madd(real3_scale(m->alpha, v0), m->beta, back);
    at->v = real4_of(v, at->v.w);
    for (int a = 0; a < DIM; a++) {
        real3 b = real3_madd(real3_scale(m->alpha, real3_of(at->b[a])), m->beta, real3_of(turned.b[a]));
        real3 g = real3_madd(real3_scale(m->alpha, real3_of(at->g[a])), m->beta, real3_of(turned.g[a]));
        at->b[a] = real4_of(b, 0);
        at->g[a] = real4_of(real3_madd(g, m->slope * (&n.x)[a], step), 0);
    }
}

/* Adds scale times the gradient of the wall's velocity. */
static inline void add_turn(const mirror *m, real scale, real4 out[DIM])
{
    for (int a = 0; a < DIM; a++)
        out[a].x += scale * m->turn[a].x, out[a].y += scale * m->turn[a].y, out[a].z += scale * m->turn[a].z;
}

static inline void mirror_split_turning(const mirror *m, real dx, point *at, point *image)
{
    real mass = at->p.w;
    add_turn(m, -mass, at->b);
    mirror_split(m, dx, at, image);
    add_turn(m, at->p.w, at->b), add_turn(m, image->p.w, image->b);
    real3 p = real3_madd(real3_of(image->p), image->p.w, real3_sub(m->beyond, m->velocity));
    image->p = real4_of(p, image->p.w);
}

static inline void mirror_join_turning(const mirror *m, landed *at, const landed *image)
{
    landed still = *image;
    still.v = real4_of(real3_add(real3_of(image->v), real3_sub(m->velocity, m->beyond)), image->v.w);
    add_turn(m, (real)-0.25, still.b), add_turn(m, -1, still.g);
    mirror_join(m, at, &still);
    add_turn(m, (real)0.25 * m->beta, at->b), add_turn(m, m->beta, at->g);
}

/* Within how many cells of a wall a particle's points may come into the mirror in a step: what it moves, and how far
 * its samples lie from it. */
#define NEAR_REACH (MIRROR_WIDTH + (real)1.5)

/* Sets how the wall of a mirror moves at a point x. `share`: of the wall's curvature that the mirror has. A ball that
 * spins in its place moves along itself alone; one that is taken for a larger one must do so too, and not seem to rise
 * on one side: it turns the less, or liquid that slips would drive it. */
void mirror_move(mirror *m, const solids *s, int solid, real3 x, real dx, real share);

/* The solid's wall j as a point x of an owner sees it. The wall is the plane, or the ball, that the owner saw. */
static inline bool mirror_of(const fluid *f, const owner *o, int j, real4 x, mirror *m)
{
    const wall_seen *wall = &o->wall[j];
    real3 n = real3_of(wall->seen), e = real3_scale((real)(1 / f->g.dx), real3_sub(real3_of(x), real3_of(o->from)));
    real s = wall->seen.w, k = j == 0 ? o->curvature : 0;
    if (!(s < NEAR_REACH)) return false;
    /* The centre is 1/k under the foot: (x - centre) k = e k + n (1 + k s), across the axis. */
    real3 axis = j == 0 ? o->axis : (real3){0, 0, 0};
    e = real3_madd(e, -real3_dot(axis, e), axis);
    real a = 1 + k * s, along = real3_dot(n, e);
    real3 out = real3_madd(real3_scale(k, e), a, n);
    real length = real3_length(out);
    if (length < SHORTEST_ARM) out = real3_scale(SHORTEST_ARM, n), length = SHORTEST_ARM;
    s = (s * (1 + a) + 2 * a * along + k * real3_dot(e, e)) / (length + 1);
    if (!mirror_set(m, real3_scale(1 / length, out), axis, s, k)) return false;
    if (wall->is_sticky) mirror_stick(m);
    if (wall->is_moving && !f->walls_rest)
        mirror_move(m, f->w->solids, wall->solid, real3_of(x), (real)f->g.dx, j == 0 ? o->turn_share : 1);
    return true;
}

#endif
