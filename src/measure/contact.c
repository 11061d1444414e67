/* Where a drop's fitted surface meets a solid: a sphere on any solid, the profile of Bashforth and Adams on a plane. */
#include "measure/least_squares.h"
#include "measure/points.h"

#include <string.h>

static const double degree = 0.017453292519943295;

/* --- a sphere on a solid --- */

enum { MERIDIANS = 32, BISECTIONS = 40, PLACES = 90 };

static double solid_at(solid_distance_fcn *solid, const void *context, dew_vec3 x, dew_vec3 *normal)
{
    real4 point = {(real)x.x, (real)x.y, (real)x.z, 0}, d;
    solid(context, INFINITY, 1, &point, &d);
    *normal = vec3_normalise((dew_vec3){d.x, d.y, d.z});
    return d.w;
}

/* A half circle from the sphere's top down to its bottom, across the axis to one side. */
typedef struct meridian {
    const fitted_sphere *sphere;
    dew_vec3 axis, side;
    solid_distance_fcn *solid;
    const void *context;
} meridian;

/* The solid's distance and normal at an angle from the top; m: the sphere's own normal there. */
static double meridian_at(const meridian *c, double angle, dew_vec3 *m, dew_vec3 *normal)
{
    *m = vec3_add(vec3_scale(cos(angle), c->axis), vec3_scale(sin(angle), c->side));
    return solid_at(c->solid, c->context, vec3_add(c->sphere->centre, vec3_scale(c->sphere->radius, *m)), normal);
}

/* The angle from the top at which it enters the solid; false where the top is within it, or none of it. Of a thin solid
 * the sphere may come out again below. */
static bool meets_solid(const meridian *c, double *angle, dew_vec3 *m, dew_vec3 *normal)
{
    double low = 0, high = 0;
    if (meridian_at(c, 0, m, normal) < 0) return false;
    for (int k = 1; k <= PLACES && high == 0; k++) {
        double at = 180 * degree * k / PLACES;
        *(meridian_at(c, at, m, normal) > 0 ? &low : &high) = at;
    }
    if (high == 0) return false;
    for (int i = 0; i < BISECTIONS; i++) {
        double middle = 0.5 * (low + high);
        *(meridian_at(c, middle, m, normal) > 0 ? &low : &high) = middle;
    }
    *angle = low;
    return true;
}

bool measure_sphere_on_solid(const fitted_sphere *sphere, int dimension, dew_vec3 axis, solid_distance_fcn *solid,
                             const void *context, drop_contact *contact)
{
    /* In two dimensions the two meridians lie in the plane z = 0. */
    dew_vec3 u = dimension == 2 ? (dew_vec3){axis.y, -axis.x, 0} : vec3_perpendicular(axis), v = vec3_cross(axis, u);
    int meridians = dimension == 2 ? 2 : MERIDIANS, met = 0;
    double angles = 0, radii = 0;
    for (int k = 0; k < meridians; k++) {
        double turn = 360 * degree * k / meridians, angle;
        dew_vec3 m, n;
        meridian c = {sphere, axis, vec3_add(vec3_scale(cos(turn), u), vec3_scale(sin(turn), v)), solid, context};
        if (!meets_solid(&c, &angle, &m, &n)) continue;
        angles += acos(fmax(-1, fmin(1, vec3_dot(m, n)))) / degree;
        radii += sphere->radius * sin(angle);
        met++;
    }
    if (2 * met < meridians) return false;
    *contact = (drop_contact){angles / met, radii / met};
    return true;
}

/* --- the profile of a drop under gravity --- */

enum { PROFILE_MAX = 400, PROFILE_MOST_POINTS = 3000, PROFILE_MIN_POINTS = 20, PROFILE_TURNS = 60, PROFILE_RAMP = 8 };

/* Points of the profile from the apex on, z towards the wall; the normal out of the liquid is (sin phi, -cos phi). */
typedef struct profile {
    int count;
    double r[PROFILE_MAX], z[PROFILE_MAX], phi[PROFILE_MAX];
} profile;

static void slope_of(const double y[3], int dimension, double curvature, double c, double out[3])
{
    out[0] = cos(y[2]), out[1] = sin(y[2]);
    out[2] = curvature * (dimension - 1) + c * y[1];
    if (dimension == 3) out[2] -= y[0] > 0 ? sin(y[2]) / y[0] : curvature;
}

/* Runge and Kutta's fourth order, steps of `step`, until the profile closes, turns back or has gone on beyond `depth`.
 */
static void integrate(profile *p, int dimension, double curvature, double c, double step, double depth)
{
    double y[3] = {0, 0, 0};
    p->count = 0;
    while (p->count < PROFILE_MAX) {
        p->r[p->count] = y[0], p->z[p->count] = y[1], p->phi[p->count] = y[2];
        p->count++;
        if (y[2] > 3.14159265 || y[1] > depth || (p->count > 2 && (y[2] <= 0 || y[0] <= 0))) break;
        double k[4][3], at[3];
        slope_of(y, dimension, curvature, c, k[0]);
        for (int stage = 1; stage < 4; stage++) {
            double part = stage == 3 ? step : step / 2;
            for (int a = 0; a < 3; a++) at[a] = y[a] + part * k[stage - 1][a];
            slope_of(at, dimension, curvature, c, k[stage]);
        }
        for (int a = 0; a < 3; a++) y[a] += step / 6 * (k[0][a] + 2 * k[1][a] + 2 * k[2][a] + k[3][a]);
    }
}

/* Signed distance of a point to the profile, > 0 outside; *phi: of the nearest place. */
static double miss(const profile *p, double r, double z, double *phi)
{
    int best = 0;
    double least = INFINITY;
    for (int k = 0; k < p->count; k++) {
        double square = (p->r[k] - r) * (p->r[k] - r) + (p->z[k] - z) * (p->z[k] - z);
        if (square < least) least = square, best = k;
    }
    /* Along the tangent the nearest place is a part of a step away: as far as there, the curve is a parabola. */
    double t = p->phi[best], dr = r - p->r[best], dz = z - p->z[best], along = dr * cos(t) + dz * sin(t);
    int other = along > 0 ? best + 1 : best - 1;
    double out = dr * sin(t) - dz * cos(t);
    *phi = t;
    if (other < 0 || other >= p->count) return out;
    double chord = hypot(p->r[other] - p->r[best], p->z[other] - p->z[best]);
    double bend = chord > 0 ? (p->phi[other] - t) / chord * (along > 0 ? 1 : -1) : 0;
    *phi = t + bend * along;
    return out + 0.5 * bend * along * along;
}

typedef struct drop_fit {
    const profile_def *def;
    dew_vec3 across[2]; /* tangents of the wall; in two dimensions the first alone counts */
    dew_vec3 foot;      /* of the first sphere's centre, on the wall */
    double scale;       /* of lengths: the first sphere's radius */
    /* sought, in units of `scale`: */
    double curvature, height, shift[2];
} drop_fit;

/* Finds a point in units of `scale`: its distance from the axis, its depth below the apex, its place across. */
static void locate(const drop_fit *f, real4 point, double *r, double *z, double side[2])
{
    dew_vec3 d = vec3_scale(1 / f->scale, vec3_sub((dew_vec3){point.x, point.y, point.z}, f->foot));
    side[0] = vec3_dot(d, f->across[0]) - f->shift[0];
    side[1] = f->def->dimension == 2 ? 0 : vec3_dot(d, f->across[1]) - f->shift[1];
    *r = hypot(side[0], side[1]);
    *z = f->height - vec3_dot(d, f->def->normal);
}

static bool is_used(const drop_fit *f, const profile *p, int i, double most)
{
    double r, z, side[2], phi;
    locate(f, f->def->points[i], &r, &z, side);
    if ((f->height - z) * f->scale < f->def->near) return false;
    return !(most < INFINITY) || fabs(miss(p, r, z, &phi)) <= most;
}

/* One turn of Gauss-Newton with the gravity `c` (in units of scale). Points that lie farther than `most` from the
 * profile are left out. Returns the largest change, or -1; *deviation: of the points, before. */
static double improve(drop_fit *f, double c, double most, double *deviation)
{
    enum { STEPS_A_RADIUS = 80 };
    profile here, bent;
    const profile_def *def = f->def;
    double step = 1.0 / STEPS_A_RADIUS, bend = 1e-4, depth = f->height + 0.1, sum = 0, weight = 0;
    integrate(&here, def->dimension, f->curvature, c, step, depth);
    integrate(&bent, def->dimension, f->curvature + bend, c, step, depth);
    least_squares q = {.unknowns = def->dimension == 2 ? 3 : 4};
    int stride = 1 + def->count / PROFILE_MOST_POINTS;
    for (int i = 0; i < def->count; i += stride) {
        if (!is_used(f, &here, i, most)) continue;
        double r, z, side[2], phi, other;
        locate(f, def->points[i], &r, &z, side);
        double e = miss(&here, r, z, &phi), slope = (miss(&bent, r, z, &other) - e) / bend;
        double towards = r > 0 ? -sin(phi) / r : 0;
        /* e + slope dk + de/dH dH + de/dshift dshift = 0 */
        const double row[4] = {slope, -cos(phi), towards * side[0], towards * side[1]};
        least_squares_add(&q, row, -e, def->points[i].w);
        sum += (double)def->points[i].w * e * e, weight += (double)def->points[i].w;
    }
    double x[4] = {0, 0, 0, 0}, largest = 0;
    if (q.rows < PROFILE_MIN_POINTS || !least_squares_solve(&q, x)) return -1;
    *deviation = sqrt(sum / weight);
    for (int k = 0; k < 4; k++) largest = fmax(largest, fabs(x[k]));
    double damping = largest > 0.3 ? 0.3 / largest : 1;
    f->curvature += damping * x[0], f->height += damping * x[1];
    f->shift[0] += damping * x[2], f->shift[1] += damping * x[3];
    return largest;
}

/* Follows the profile to where it meets the wall. */
static bool find_line(const drop_fit *f, double c, drop_contact *contact)
{
    profile p;
    integrate(&p, f->def->dimension, f->curvature, c, 1.0 / 80, f->height + 0.1);
    for (int k = 1; k < p.count; k++) {
        if (p.z[k] < f->height) continue;
        double part = (f->height - p.z[k - 1]) / (p.z[k] - p.z[k - 1]);
        if (!(part >= 0 && part <= 1)) return false;
        contact->angle = (p.phi[k - 1] + part * (p.phi[k] - p.phi[k - 1])) / degree;
        contact->radius = f->scale * (p.r[k - 1] + part * (p.r[k] - p.r[k - 1]));
        return contact->angle <= 180;
    }
    return false;
}

bool measure_profile(const profile_def *def, drop_contact *contact)
{
    drop_fit f = {.def = def, .scale = def->start.radius, .curvature = 1};
    double rise = vec3_dot(vec3_sub(def->start.centre, def->wall), def->normal);
    f.foot = vec3_sub(def->start.centre, vec3_scale(rise, def->normal));
    f.height = rise / f.scale + 1;
    f.across[0] = def->dimension == 2 ? (dew_vec3){def->normal.y, -def->normal.x, 0} : vec3_perpendicular(def->normal);
    f.across[1] = vec3_cross(def->normal, f.across[0]);
    double c = def->capillarity * f.scale * f.scale, most = INFINITY, deviation = 0;
    for (int round = 0; round < 2; round++) {
        double change = INFINITY;
        for (int turn = 0; turn < PROFILE_TURNS && change > 1e-9; turn++) {
            double part = round == 0 && turn < PROFILE_RAMP ? (turn + 1.0) / PROFILE_RAMP : 1;
            change = improve(&f, part * c, most, &deviation);
            if (change < 0 || !isfinite(f.curvature) || !(f.height > 0)) return false;
            if (part < 1) change = INFINITY;
        }
        if (change > 1e-4) return false;
        most = fmax(3 * deviation, 1e-6);
    }
    return find_line(&f, c, contact);
}
