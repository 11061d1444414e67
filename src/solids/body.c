/* How a rigid body moves.
 *
 * Alone. The velocity V of the centre of mass and the angular momentum H about it are what impulses change; without any
 * H stays exactly. Places move by the mean of the velocities before and after, so free fall is a parabola. Where
 * contacts or joints act a body moves by its new velocity, for which those hold (solids/constraints.h).
 *
 * The attitude turns by the H half way, whose energy is split so that each part is a turn that can be made exactly
 * (Touma & Wisdom 1994; Dullweber, Leimkuhler & McLachlan 1997): with I_1 <= I_2 <= I_3 the principal moments, a_i
 * their axes and L_i = H . a_i,
 *
 *     E = H^2/(2 I_2) + (1/I_1 - 1/I_2) L_1^2/2 + (1/I_3 - 1/I_2) L_3^2/2.
 *
 * The first turns all by H/I_2 about H, which alters no L_i, so that it may stand anywhere; the others turn about a_1
 * and a_3 by (1/I_i - 1/I_2) L_i. Half of that about a_1, that about a_3, the other half: symmetric in time and
 * symplectic, so of second order, and the energy of a free top swings but does not drift, however long the step. Balls
 * and bodies with two equal moments turn exactly, as one part of the last two is 0. (The spin half way, found by
 * iteration: by steps of 0.8 rad a box of three moments lost 5 % of its energy in 160 turns, one of two equal moments
 * gained 9 %, as what the iteration leaves is not symmetric.) Where contacts or joints act they alter the steady spin
 * that takes the body to where it would so turn: what they do nothing to turns as it does alone. (Of the spin at the
 * step's beginning a top in a ball joint gained energy until it spun about its long axis.)
 *
 * With the liquid. In a step the method moves the liquid around a body that goes by V_n, which it had got before; what
 * the liquid gives it, J_n, so answers the change of velocity of the step before: J_n = F_n - m_a (V_n - V_(n-1)), with
 * m_a the mass of liquid that is accelerated along, and F_n all else. Taken as it is, M (V_(n+1) - V_n) = J_n, changes
 * of velocity would grow by m_a/M a step where the body is lighter than the liquid that it moves. So the body is moved
 * as if it were heavier by an estimate M_a of m_a, and what it was thought to take last time is put back:
 *
 *     (M + M_a) D_(n+1) = J_n + M g dt + M_a D_n,     D_(n+1) = V_(n+1) - V_n.
 *
 * A steady acceleration has D_(n+1) = D_n, from which M_a falls out: the motion is right for any M_a. Errors change by
 * (M_a - m_a)/(M + M_a) a step, whose size is below 1 for all M_a > (m_a - M)/2, and near 0 where the estimate is near.
 * Steps may differ in length, as D and not D/dt is what the liquid answers.
 *
 * Drag answers V itself, and not its change: F_n holds -C V_n, C = c dt, which explicit steps bear up to 2 (M + m_a).
 * Heavier by C, too, a body comes to rest as by an implicit step, by 1/(1 + C/(M + m_a)); but were C D_n put back in
 * the next step, C V_n - C D_n = C V_(n-1) would be what acts, and in honey (C/M -> infinity) V_(n+1) = V_n - V_(n-1)
 * swings for ever. So what C keeps of a change, K, comes back by a share b of it a step:
 *
 *     (M + M_a + C) D_(n+1) = J_n + M g dt + M_a D_n + b K_n,     K_(n+1) = (1 - b) K_n + C D_(n+1).
 *
 * In honey errors change by l a step, l^2 - l + b = 0: by half for b = 1/4, where they die the fastest. A drag that is
 * f times the estimate, next to walls, has l^2 - (2 - f) l + 1 - f (1 - b) = 0, which is below 1 in size up to f =
 * 16/7.
 *
 * Momentum. T_n = M_a D_n is in transit: the body has received it, and has it not in M V. As M D_(n+1) = J_n + M g dt +
 * T_n - T_(n+1), the sum of M V + T (and K, likewise) and the liquid's momentum is exact whatever M_a is from step to
 * step; T is of the size of one step's impulse. In free flight no particle touches the body, M_a is 0, and what was in
 * transit is given back. The same in angles, with the inertia of the liquid. Moments are about a lever x for which the
 * angular momentum of the centre of mass keeps its sum too: x_n + dt V_n/2 where the place moves by the mean of two
 * velocities, x_n where it moves by the last: x_(n+1) x M V_(n+1) - x_n x M V_n = x x M (V_(n+1) - V_n).
 *
 * The estimate is that of an ellipsoid with the body's moments in unbounded inviscid liquid (Lamb 1932, articles 114
 * and 121a) but at least half of what it displaces, as edges carry liquid along too; and the boundary layer that a
 * step's jump of velocity drags: on a ball of radius R Basset's force, 12 R^2 sqrt(pi mu rho dt). C is twice Stokes's,
 * 12 pi mu R dt, as walls near make drag a multiple of that in an open sea. The like for turning. All count by the
 * share of the surface that the liquid touches: s^2/A for each particle nearer than s, and no more than the whole. Were
 * more taken for touched, what lies on a jelly would be thrown back by it: where m_a is below M_a, a force that goes by
 * place acts late, by (M_a - m_a) dt/M, and such springs gain energy. What a method ties to the body beside
 * (solids_tie) counts as it is, in turning as if it were spread alike about all axes. */
#include "solids/body.h"

#include "base/matrix.h"

#include <string.h>

/* --- quaternions --- */

static void turn_by(double q[4], dew_vec3 vector)
{
    double angle = vec3_length(vector), f = angle > 1e-9 ? sin(angle / 2) / angle : 0.5, w = cos(angle / 2);
    dew_vec3 u = vec3_scale(f, vector), v = {q[1], q[2], q[3]};
    dew_vec3 part = vec3_add(vec3_add(vec3_scale(w, v), vec3_scale(q[0], u)), vec3_cross(u, v));
    double real_part = w * q[0] - vec3_dot(u, v);
    double size = sqrt(real_part * real_part + vec3_dot(part, part));
    q[0] = real_part / size, q[1] = part.x / size, q[2] = part.y / size, q[3] = part.z / size;
}

static dew_vec3 vector_of(const double q[4])
{
    double sign = q[0] < 0 ? -1 : 1;
    dew_vec3 v = {sign * q[1], sign * q[2], sign * q[3]};
    double sine = vec3_length(v);
    return sine > 0 ? vec3_scale(2 * atan2(sine, sign * q[0]) / sine, v) : v;
}

static void rows_of(const double q[4], dew_vec3 row[3])
{
    dew_vec3 v = {q[1], q[2], q[3]};
    double sine = vec3_length(v);
    dew_vec3 a = sine > 0 ? vec3_scale(1 / sine, v) : (dew_vec3){0, 0, 1};
    vec3_rotation(a, q[0] * q[0] - sine * sine, 2 * q[0] * sine, 2 * sine * sine, row);
}

/* --- what it is --- */

/* Carlson's R_D(x, y, z) = 3/2 integral over t > 0 of (t + x)^-1/2 (t + y)^-1/2 (t + z)^-3/2, by his duplication. */
static double carlson_d(double x, double y, double z)
{
    double sum = 0, factor = 1;
    for (int k = 0; k < 40; k++) {
        double l = sqrt(x * y) + sqrt(y * z) + sqrt(z * x);
        sum += factor / (sqrt(z) * (z + l));
        factor /= 4, x = (x + l) / 4, y = (y + l) / 4, z = (z + l) / 4;
    }
    return 3 * sum + factor / (z * sqrt(z));
}

/* What an ellipsoid accelerates of a liquid of density 1: Lamb's alpha_i = (2/3) a b c R_D. */
static void add_of_ellipsoid(const double a[3], double *added, double *added_inertia)
{
    double volume = 4 * PI / 3 * a[0] * a[1] * a[2], alpha[3];
    for (int i = 0; i < 3; i++) {
        double j = a[(i + 1) % 3], k = a[(i + 2) % 3];
        alpha[i] = 2.0 / 3 * a[0] * a[1] * a[2] * carlson_d(j * j, k * k, a[i] * a[i]);
        added[i] = volume * alpha[i] / (2 - alpha[i]);
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double less = a[j] * a[j] - a[k] * a[k], sum = a[j] * a[j] + a[k] * a[k], turn = alpha[k] - alpha[j];
        double below = 2 * less - sum * turn;
        added_inertia[i] = fabs(less) > 1e-6 * sum ? volume / 5 * less * less * turn / below : 0;
    }
}

/* In two dimensions the same of an ellipse (Lamb, article 71). */
static void add_of_ellipse(const double a[3], double *added, double *added_inertia)
{
    double less = a[0] * a[0] - a[1] * a[1];
    added[0] = PI * a[1] * a[1], added[1] = PI * a[0] * a[0], added[2] = 0;
    added_inertia[0] = added_inertia[1] = 0, added_inertia[2] = PI / 8 * less * less;
}

static void find_added_mass(body *b, const double inertia[3])
{
    double a[3], longest = 0, share = b->dimension == 2 ? 4 : 5;
    for (int i = 0; i < 3; i++) {
        double j = inertia[(i + 1) % 3], k = inertia[(i + 2) % 3];
        a[i] = sqrt(fmax(share / 2 * (j + k - inertia[i]) / b->size, 0));
        longest = fmax(longest, a[i]);
    }
    for (int i = 0; i < 3; i++) a[i] = fmax(a[i], 1e-3 * longest);
    (b->dimension == 2 ? add_of_ellipse : add_of_ellipsoid)(a, b->added, b->added_inertia);
    for (int i = 0; i < 3; i++) {
        b->added[i] = fmax(b->added[i], b->size / 2);
        b->added_inertia[i] += inertia[i] / 2;
    }
    b->radius = b->dimension == 2 ? (a[0] + a[1]) / 2 : (a[0] + a[1] + a[2]) / 3;
}

/* Principal axes and moments of the shape. In two dimensions moments about axes in the plane are such that the longer
 * one of the section lies along the first. */
static void find_axes(body *b, const shape_moments *m, double inertia[3])
{
    double a[9], vectors[9];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) a[3 * i + k] = m->inertia[i][k];
    if (b->dimension == 2) a[2] = a[5] = a[6] = a[7] = 0;
    matrix_eigen(3, a, inertia, vectors);
    int last = 2;
    for (int i = 0; i < 3 && b->dimension == 2; i++)
        if (fabs(vectors[6 + i]) > 0.5) last = i;
    for (int i = 0; i < 3; i++) {
        int from = (last + 1 + i) % 3;
        b->axis[i] = (dew_vec3){vectors[from], vectors[3 + from], vectors[6 + from]};
        a[i] = inertia[from];
    }
    memcpy(inertia, a, 3 * sizeof *inertia);
    b->axis[2] = vec3_cross(b->axis[0], b->axis[1]);
}

static dew_result find_mass(body *b, const dew_rigid_def *def, const double inertia[3])
{
    bool has_inertia = b->dimension == 2 ? def->inertia.z > 0 : def->inertia.x > 0;
    b->mass = isnan(def->mass) ? def->density * b->size : def->mass;
    if (!(b->mass > 0) || !(b->mass < INFINITY))
        return result_fail(DEW_INVALID, "the body has no mass: neither its density nor its mass is above 0");
    for (int i = 0; i < 3; i++) b->inertia[i] = b->mass / b->size * inertia[i];
    if (!has_inertia) return DEW_OK;
    b->inertia[0] = def->inertia.x, b->inertia[1] = def->inertia.y, b->inertia[2] = def->inertia.z;
    if (b->dimension == 2) {
        b->inertia[0] = b->inertia[1] = b->inertia[2];
        return DEW_OK;
    }
    /* Moments that are given belong to x, y and z; the liquid's ones are taken as the largest about any. */
    double most = fmax(b->added_inertia[0], fmax(b->added_inertia[1], b->added_inertia[2])),
           most_mass = fmax(b->added[0], fmax(b->added[1], b->added[2]));
    for (int i = 0; i < 3; i++) {
        b->axis[i] = vec3_along(i, 1), b->added_inertia[i] = most, b->added[i] = most_mass;
    }
    return DEW_OK;
}

static dew_vec3 about_axes(const dew_vec3 *axis, const double *scale, dew_vec3 v)
{
    dew_vec3 own = vec3_turned(axis, v);
    return vec3_turned_back(axis, (dew_vec3){own.x * scale[0], own.y * scale[1], own.z * scale[2]});
}

/* In its size: as well as sampling tells centres. */
#define ROUND 1e-3
/* A side of the lattice at which distances are looked at. */
enum { LOOKS = 12 };

/* A surface goes over into itself as it turns about w where its distance d does not change: (x x grad d) . w = 0
 * everywhere, or w^T (sum (x x grad d) (x x grad d)^T) w = 0. */
static void find_round(body *b, const shape *s, bounds box)
{
    double sum[9] = {0}, value[3], vectors[9], square = 0;
    int planar = b->dimension == 2, count = LOOKS * LOOKS * (planar ? 1 : LOOKS);
    for (int k = 0; k < count; k++) {
        dew_vec3 part = {(k % LOOKS + 0.5) / LOOKS, (k / LOOKS % LOOKS + 0.5) / LOOKS,
                         (k / (LOOKS * LOOKS) + 0.5) / LOOKS},
                 n;
        dew_vec3 at = {box.min.x + part.x * (box.max.x - box.min.x), box.min.y + part.y * (box.max.y - box.min.y),
                       planar ? 0 : box.min.z + part.z * (box.max.z - box.min.z)};
        shape_distance_at(s, at, &n);
        dew_vec3 x = vec3_sub(at, b->centre), turn = vec3_cross(x, n);
        for (int i = 0; i < 9; i++) sum[i] += vec3_at(turn, i / 3) * vec3_at(turn, i % 3);
        square += vec3_dot(x, x);
    }
    if (planar) sum[0] = sum[4] = square, sum[1] = sum[2] = sum[3] = sum[5] = sum[6] = sum[7] = 0;
    matrix_eigen(3, sum, value, vectors);
    for (int i = 0; i < 3; i++)
        if (value[i] < ROUND * ROUND * square)
            b->round[b->round_count++] = (dew_vec3){vectors[i], vectors[3 + i], vectors[6 + i]};
}

dew_result body_create(body *b, const shape *s, const dew_rigid_def *def, int dimension, double spacing)
{
    shape_moments m;
    double inertia[3];
    memset(b, 0, sizeof *b);
    b->dimension = dimension;
    bounds box = shape_bounds(s);
    double longest = fmax(box.max.x - box.min.x, box.max.y - box.min.y);
    if (dimension == 3) longest = fmax(longest, box.max.z - box.min.z);
    double cell = isfinite(longest) && longest > 0 ? fmin(spacing, longest / 48) : spacing;
    RESULT_TRY(shape_find_moments(s, dimension, cell, &m));
    if (!(m.size > 0))
        return result_fail(DEW_INVALID,
                           "the body has no volume: nothing is left of its shape; make what is cut from it smaller");
    b->size = m.size, b->centre = m.centre;
    if (dimension == 2) b->centre.z = 0;
    find_axes(b, &m, inertia);
    find_round(b, s, box);
    find_added_mass(b, inertia);
    RESULT_TRY(find_mass(b, def, inertia));
    b->state = (body_state){.place = b->centre, .velocity = def->velocity, .attitude = {1}, .is_held = def->is_held};
    b->state.angular_momentum = about_axes(b->axis, b->inertia, def->spin);
    return DEW_OK;
}

/* --- where it is --- */

static void axes_of(const body *b, const double attitude[4], dew_vec3 axis[3])
{
    dew_vec3 row[3];
    rows_of(attitude, row);
    for (int i = 0; i < 3; i++) axis[i] = vec3_turned(row, b->axis[i]);
}

void body_axes(const body *b, dew_vec3 axis[3]) { axes_of(b, b->state.attitude, axis); }

static dew_vec3 spin_of(const body *b, const double attitude[4], dew_vec3 angular_momentum)
{
    dew_vec3 axis[3];
    axes_of(b, attitude, axis);
    return about_axes(axis, (double[]){1 / b->inertia[0], 1 / b->inertia[1], 1 / b->inertia[2]}, angular_momentum);
}

dew_vec3 body_spin(const body *b)
{
    return b->state.is_held != 0 ? (dew_vec3){0, 0, 0} : spin_of(b, b->state.attitude, b->state.angular_momentum);
}

static pose pose_of(const body *b, const body_state *s)
{
    pose p = {.pivot = b->centre, .translation = vec3_sub(s->place, b->centre), .rotation = vector_of(s->attitude)};
    rows_of(s->attitude, p.row);
    p.is_identity = vec3_dot(p.translation, p.translation) == 0 && s->attitude[0] == 1;
    return p;
}

pose body_pose(const body *b) { return pose_of(b, &b->state); }

/* Turns about a principal axis by its share of the spin, above what `moment` alone would give. */
static void turn_about_axis(const body *b, int i, double moment, double attitude[4], dew_vec3 angular_momentum,
                            double dt)
{
    dew_vec3 axis[3];
    axes_of(b, attitude, axis);
    double spin = (1 / b->inertia[i] - 1 / moment) * vec3_dot(angular_momentum, axis[i]);
    turn_by(attitude, vec3_scale(dt * spin, axis[i]));
}

static void turn_freely(const body *b, double attitude[4], dew_vec3 angular_momentum, double dt)
{
    int least = 0, most = 0;
    for (int i = 1; i < 3; i++) {
        if (b->inertia[i] < b->inertia[least]) least = i;
        if (b->inertia[i] >= b->inertia[most]) most = i;
    }
    double moment = b->inertia[3 - least - most]; /* the middle one */
    turn_about_axis(b, least, moment, attitude, angular_momentum, dt / 2);
    turn_about_axis(b, most, moment, attitude, angular_momentum, dt);
    turn_about_axis(b, least, moment, attitude, angular_momentum, dt / 2);
    turn_by(attitude, vec3_scale(dt / moment, angular_momentum));
}

/* The steady spin that takes the body where it turns freely in a step. A turn looks the same with whole ones added: as
 * many as bring it nearest to what it spins by now. */
static dew_vec3 free_spin(const body *b, double dt)
{
    const body_state *s = &b->state;
    const double *p = s->attitude;
    double q[4];
    memcpy(q, p, sizeof q);
    turn_freely(b, q, s->angular_momentum, dt);
    dew_vec3 from = {p[1], p[2], p[3]}, to = {q[1], q[2], q[3]};
    dew_vec3 part = vec3_sub(vec3_sub(vec3_scale(p[0], to), vec3_scale(q[0], from)), vec3_cross(to, from));
    dew_vec3 turn = vector_of((double[]){q[0] * p[0] + vec3_dot(to, from), part.x, part.y, part.z});
    dew_vec3 axis = vec3_normalise(turn), now = spin_of(b, s->attitude, s->angular_momentum);
    double whole = round((dt * vec3_dot(now, axis) - vec3_length(turn)) / (2 * PI));
    return vec3_scale(1 / dt, vec3_add(turn, vec3_scale(2 * PI * whole, axis)));
}

pose body_predicted_pose(const body *b, double dt)
{
    body_state s = b->state;
    if (s.is_held == 0 && dt > 0) {
        s.place = vec3_add(s.place, vec3_scale(dt, s.velocity));
        turn_freely(b, s.attitude, s.angular_momentum, dt);
    }
    return pose_of(b, &s);
}

/* --- moving --- */

/* Impulses about the origin, seen from another place. */
static dew_impulse impulse_about(dew_impulse p, dew_vec3 place)
{
    return (dew_impulse){p.linear, vec3_sub(p.angular, vec3_cross(place, p.linear))};
}

/* C over what drag in an open sea would make it. */
#define CONFINED 2

/* What stands for the boundary layer of a step's jump of velocity, and for drag, of moving and of turning. */
typedef struct viscous_masses {
    double layer, layer_inertia, drag, drag_inertia;
} viscous_masses;

static viscous_masses find_viscous(const body *b, const body_surroundings *around, double dt)
{
    double r = b->radius, mu = around->viscosity, layer = 2 * sqrt(mu * around->density * dt / PI); /* kg/m2 */
    viscous_masses v;
    if (b->dimension == 2) {
        v.layer = 2 * PI * r * layer, v.drag = CONFINED * 4 * PI * mu * dt;
        v.layer_inertia = r * r * v.layer, v.drag_inertia = r * r * v.drag;
        return v;
    }
    v.layer = 6 * PI * r * r * layer, v.drag = CONFINED * 6 * PI * mu * r * dt;
    v.layer_inertia = 8 * PI / 3 * r * r * r * r * layer, v.drag_inertia = CONFINED * 8 * PI * mu * r * r * r * dt;
    return v;
}

static double wetted_share(const body *b, double spacing)
{
    if (b->dimension == 2) return fmin(1, b->touching * spacing / (2 * sqrt(PI * b->size)));
    return fmin(1, b->touching * spacing * spacing / cbrt(36 * PI * b->size * b->size));
}

/* The sum of mass times the square of the distance from the centre. */
static double tied_square(const body *b)
{
    const body_tied *t = &b->tied;
    const dew_vec3 c = b->state.place;
    return fmax(t->square - 2 * vec3_dot(c, t->moment) + t->mass * vec3_dot(c, c), 0);
}

/* Of what drag keeps, what comes back in a step. */
#define COMES_BACK 0.25

static dew_impulse impulse_scaled(double share, dew_impulse p)
{
    return (dew_impulse){vec3_scale(share, p.linear), vec3_scale(share, p.angular)};
}

double body_drag_time(const body *b, const body_surroundings *around)
{
    return (b->mass + around->density * b->size / 2) / find_viscous(b, around, 1).drag;
}

void body_begin_move(const body *b, const body_surroundings *around, double dt, bool is_constrained, body_move *m)
{
    const body_state *s = &b->state;
    dew_vec3 axis[3];
    body_axes(b, axis);
    *m = (body_move){.dt = dt, .is_constrained = is_constrained, .lever = s->place};
    if (!is_constrained) m->lever = vec3_add(s->place, vec3_scale(dt / 2, s->velocity));
    double wet = wetted_share(b, around->spacing), back = wet > 0 ? COMES_BACK : 1, less[3], less_inertia[3];
    m->kept = impulse_scaled(1 - back, s->kept);
    dew_impulse all = impulse_add(impulse_add(s->due, s->transit), impulse_scaled(back, s->kept));
    m->given = impulse_about(all, m->lever);
    m->given.linear = vec3_add(m->given.linear, vec3_scale(b->mass * dt, around->gravity));
    if (b->dimension == 2) m->given.linear.z = m->given.angular.x = m->given.angular.y = 0;
    const double tied_inertia = 2.0 / (b->dimension == 2 ? 2 : 3) * tied_square(b);
    viscous_masses v = find_viscous(b, around, dt);
    m->drag = wet * v.drag, m->drag_inertia = wet * v.drag_inertia;
    for (int i = 0; i < 3; i++) {
        double mass = b->mass + b->tied.mass + wet * (around->density * b->added[i] + v.layer) + m->drag;
        m->inertia[i] = b->inertia[i] + tied_inertia + wet * (around->density * b->added_inertia[i] + v.layer_inertia) +
                        m->drag_inertia;
        less[i] = 1 / mass, less_inertia[i] = 1 / m->inertia[i];
        if (i < b->dimension) m->mass += mass / b->dimension;
    }
    dew_vec3 gained = about_axes(axis, less, m->given.linear),
             turned = about_axes(axis, less_inertia, m->given.angular);
    m->velocity = m->velocity_free = vec3_add(s->velocity, gained);
    m->spin_before = is_constrained ? free_spin(b, dt) : spin_of(b, s->attitude, s->angular_momentum);
    m->spin = m->spin_free = vec3_add(m->spin_before, turned);
}

void body_end_move(body *b, body_move *m)
{
    body_state *s = &b->state;
    dew_vec3 axis[3], before = s->velocity, momentum_before = s->angular_momentum;
    body_axes(b, axis);
    dew_vec3 gained = vec3_sub(m->velocity, before), turned = vec3_sub(m->spin, m->spin_before);
    dew_vec3 linear = vec3_scale(b->mass, gained), angular = about_axes(axis, b->inertia, turned);
    /* All that was given, that of constraints with it, is motion, in transit or kept. */
    dew_vec3 by_joints = vec3_scale(m->mass, vec3_sub(m->velocity, m->velocity_free));
    dew_vec3 by_joints_turned = about_axes(axis, m->inertia, vec3_sub(m->spin, m->spin_free));
    /* Impulses work at the mean of the velocities before and after: what carries a weight at rest does nothing. */
    m->work = (vec3_dot(by_joints, vec3_add(before, m->velocity)) +
               vec3_dot(by_joints_turned, vec3_add(m->spin_before, m->spin))) /
              2;
    dew_impulse left = {vec3_sub(vec3_add(m->given.linear, by_joints), linear),
                        vec3_sub(vec3_add(m->given.angular, by_joints_turned), angular)};
    dew_impulse drag = {vec3_scale(m->drag, gained), vec3_scale(m->drag_inertia, turned)};
    dew_vec3 origin = vec3_scale(-1, m->lever);
    s->transit = impulse_about(impulse_add(left, impulse_scaled(-1, drag)), origin);
    s->kept = impulse_add(m->kept, impulse_about(drag, origin));
    s->due = (dew_impulse){{0, 0, 0}, {0, 0, 0}};
    s->velocity = m->velocity, s->gain = gained;
    s->angular_momentum = vec3_add(momentum_before, angular);
    if (m->is_constrained) {
        s->place = vec3_add(s->place, vec3_scale(m->dt, s->velocity));
        turn_by(s->attitude, vec3_scale(m->dt, m->spin));
    } else {
        s->place = vec3_add(s->place, vec3_scale(m->dt / 2, vec3_add(before, s->velocity)));
        dew_vec3 middle = vec3_scale(0.5, vec3_add(momentum_before, s->angular_momentum));
        turn_freely(b, s->attitude, middle, m->dt);
    }
}

void body_shift(body *b, dew_vec3 way) { b->state.place = vec3_add(b->state.place, way); }

/* --- sums --- */

double body_energy(const body *b)
{
    dew_vec3 axis[3];
    body_axes(b, axis);
    const dew_vec3 velocity = b->state.velocity, spin = body_spin(b);
    return (b->mass * vec3_dot(velocity, velocity) + vec3_dot(spin, about_axes(axis, b->inertia, spin))) / 2;
}

void body_hold(body *b, bool is_held)
{
    if (!is_held && b->state.is_held != 0) b->state.due = (dew_impulse){{0, 0, 0}, {0, 0, 0}};
    b->state.is_held = is_held;
}

dew_impulse body_momentum(const body *b)
{
    const body_state *s = &b->state;
    dew_vec3 linear = vec3_scale(b->mass, s->velocity);
    dew_vec3 angular = vec3_add(s->angular_momentum, vec3_cross(s->place, linear));
    return impulse_add((dew_impulse){linear, angular}, impulse_add(impulse_add(s->transit, s->kept), s->due));
}
