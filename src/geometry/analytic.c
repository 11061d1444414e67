#include "geometry/tessellate.h"

/* Shapes whose distance is a formula. Every loop is free of branches that a compiler cannot turn into a selection. */

static const double tiny = 1e-300;

/* --- sphere --- */

static dew_result sphere_create(shape *s, const dew_shape_def *def)
{
    s->round.start = def->sphere.centre;
    s->round.axis = (dew_vec3){0, 0, 1};
    s->round.side = (dew_vec3){1, 0, 0};
    s->round.r0 = def->sphere.radius;
    return DEW_OK;
}

static void sphere_distance(const shape *s, double band, int count, const point_block *p, distance_block *out)
{
    (void)band;
    double cx = s->round.start.x, cy = s->round.start.y, cz = s->round.start.z, radius = s->round.r0;
    for (int i = 0; i < count; i++) {
        double x = p->x[i] - cx, y = p->y[i] - cy, z = p->z[i] - cz;
        double r = sqrt(x * x + y * y + z * z), inverse = 1 / (r > tiny ? r : tiny);
        out->d[i] = r - radius;
        out->x[i] = x * inverse;
        out->y[i] = y * inverse;
        out->z[i] = r > tiny ? z * inverse : 1;
    }
}

static double sphere_support(const shape *s, dew_vec3 u) { return vec3_dot(s->round.start, u) + s->round.r0; }

/* --- box with rounded edges --- */

static dew_result box_create(shape *s, const dew_shape_def *def)
{
    dew_vec3 min = def->box.min, max = def->box.max;
    double rounding = def->box.rounding;
    s->box.centre = vec3_scale(0.5, vec3_add(min, max));
    s->box.half = vec3_sub(vec3_scale(0.5, vec3_sub(max, min)), (dew_vec3){rounding, rounding, rounding});
    s->box.rounding = rounding;
    return DEW_OK;
}

static void box_distance(const shape *s, double band, int count, const point_block *p, distance_block *out)
{
    (void)band;
    dew_vec3 c = s->box.centre, h = s->box.half;
    double rounding = s->box.rounding;
    for (int i = 0; i < count; i++) {
        double x = p->x[i] - c.x, y = p->y[i] - c.y, z = p->z[i] - c.z;
        double qx = fabs(x) - h.x, qy = fabs(y) - h.y, qz = fabs(z) - h.z;
        double ox = qx > 0 ? qx : 0, oy = qy > 0 ? qy : 0, oz = qz > 0 ? qz : 0;
        double outside = sqrt(ox * ox + oy * oy + oz * oz);
        double yz = qy > qz ? qy : qz, inside = qx > yz ? qx : yz;
        /* Inside, the gradient is that of the nearest face. */
        double fx = qx >= yz ? 1 : 0, fy = qx < yz && qy >= qz ? 1 : 0, fz = qx < yz && qy < qz ? 1 : 0;
        double inverse = 1 / (outside > tiny ? outside : tiny);
        double gx = outside > tiny ? ox * inverse : fx, gy = outside > tiny ? oy * inverse : fy,
               gz = outside > tiny ? oz * inverse : fz;
        out->d[i] = (outside > tiny ? outside : inside) - rounding;
        out->x[i] = x < 0 ? -gx : gx;
        out->y[i] = y < 0 ? -gy : gy;
        out->z[i] = z < 0 ? -gz : gz;
    }
}

static double box_support(const shape *s, dew_vec3 u)
{
    dew_vec3 h = s->box.half;
    return vec3_dot(s->box.centre, u) + fabs(u.x) * h.x + fabs(u.y) * h.y + fabs(u.z) * h.z +
           s->box.rounding * vec3_length(u);
}

/* --- bodies along an axis --- */

static void set_axis(shape *s, dew_vec3 from, dew_vec3 to)
{
    dew_vec3 along = vec3_sub(to, from);
    s->round.start = from;
    s->round.axis = vec3_normalise(along);
    s->round.side = vec3_perpendicular(s->round.axis);
    s->round.length = vec3_length(along);
}

/* Cylinders and capsules are defined by the same numbers in the same order. */
static dew_result cylinder_create(shape *s, const dew_shape_def *def)
{
    set_axis(s, def->cylinder.from, def->cylinder.to);
    s->round.r0 = s->round.r1 = def->cylinder.radius;
    return DEW_OK;
}

static dew_result cone_create(shape *s, const dew_shape_def *def)
{
    set_axis(s, def->cone.base, def->cone.apex);
    s->round.r0 = def->cone.radius;
    s->round.r1 = def->cone.apex_radius;
    return DEW_OK;
}

static dew_result torus_create(shape *s, const dew_shape_def *def)
{
    s->round.start = def->torus.centre;
    s->round.axis = shape_direction(def->torus.axis);
    s->round.side = vec3_perpendicular(s->round.axis);
    s->round.r0 = def->torus.major_radius;
    s->round.r1 = def->torus.minor_radius;
    return DEW_OK;
}

/* A point in the half plane of a body of revolution: t along the axis, r >= 0 away from it, `x, y, z` the unit vector
 * away from it (the body's `side` on the axis itself). */
typedef struct axial {
    double t, r, x, y, z;
} axial;

static inline axial axial_of(const shape *s, const point_block *p, int i)
{
    dew_vec3 a = s->round.axis, o = s->round.start, side = s->round.side;
    double x = p->x[i] - o.x, y = p->y[i] - o.y, z = p->z[i] - o.z;
    axial q;
    q.t = x * a.x + y * a.y + z * a.z;
    x -= q.t * a.x, y -= q.t * a.y, z -= q.t * a.z;
    q.r = sqrt(x * x + y * y + z * z);
    double inverse = 1 / (q.r > tiny ? q.r : tiny);
    q.x = q.r > tiny ? x * inverse : side.x;
    q.y = q.r > tiny ? y * inverse : side.y;
    q.z = q.r > tiny ? z * inverse : side.z;
    return q;
}

/* The gradient (gt along the axis, gr away from it) in space. */
static inline void axial_store(const shape *s, axial q, double d, double gt, double gr, distance_block *out, int i)
{
    dew_vec3 a = s->round.axis;
    out->d[i] = d;
    out->x[i] = gt * a.x + gr * q.x;
    out->y[i] = gt * a.y + gr * q.y;
    out->z[i] = gt * a.z + gr * q.z;
}

/* Cylinder and (truncated) cone: the profile is the trapezium (0, 0), (0, r0), (length, r1), (length, 0) in (t, r). Of
 * its three outer edges the nearest counts; inside the sign changes. */
static void cone_distance(const shape *s, double band, int count, const point_block *p, distance_block *out)
{
    (void)band;
    double length = s->round.length, r0 = s->round.r0, r1 = s->round.r1;
    double slant = sqrt(length * length + (r1 - r0) * (r1 - r0)), et = length / slant, er = (r1 - r0) / slant;
    double close = 1e-12 * (length + r0 + r1);
    for (int i = 0; i < count; i++) {
        axial q = axial_of(s, p, i);
        /* From the nearest point of each edge to q. */
        double r_low = q.r - r0 > 0 ? q.r - r0 : 0, r_high = q.r - r1 > 0 ? q.r - r1 : 0;
        double along = q.t * et + (q.r - r0) * er;
        along = along < 0 ? 0 : along > slant ? slant : along;
        double side_t = q.t - along * et, side_r = q.r - r0 - along * er;
        double low2 = q.t * q.t + r_low * r_low, high2 = (q.t - length) * (q.t - length) + r_high * r_high,
               side2 = side_t * side_t + side_r * side_r;
        double out_of_side = (q.r - r0) * et - q.t * er; /* > 0 beyond the line of the side */
        double sign = q.t > 0 && q.t < length && out_of_side < 0 ? -1 : 1;
        int is_low = low2 < side2 && low2 <= high2, is_high = high2 < side2 && high2 < low2;
        double d2 = is_low ? low2 : is_high ? high2 : side2;
        double vt = is_low ? q.t : is_high ? q.t - length : side_t, vr = is_low ? r_low : is_high ? r_high : side_r;
        double d = sqrt(d2), inverse = sign / (d > close ? d : close);
        /* On the surface itself the edge's own normal. */
        double nt = is_low ? -1 : is_high ? 1 : -er, nr = is_low || is_high ? 0 : et;
        axial_store(s, q, sign * d, d > close ? vt * inverse : nt, d > close ? vr * inverse : nr, out, i);
    }
}

static double disc_support(dew_vec3 centre, dew_vec3 axis, double radius, dew_vec3 u)
{
    double along = vec3_dot(axis, u), across = vec3_dot(u, u) - along * along;
    return vec3_dot(centre, u) + radius * sqrt(across > 0 ? across : 0);
}

static double cone_support(const shape *s, dew_vec3 u)
{
    dew_vec3 end = vec3_madd(s->round.start, s->round.length, s->round.axis);
    return fmax(disc_support(s->round.start, s->round.axis, s->round.r0, u),
                disc_support(end, s->round.axis, s->round.r1, u));
}

static void capsule_distance(const shape *s, double band, int count, const point_block *p, distance_block *out)
{
    (void)band;
    double length = s->round.length, radius = s->round.r0;
    for (int i = 0; i < count; i++) {
        axial q = axial_of(s, p, i);
        double t = q.t < 0 ? q.t : q.t > length ? q.t - length : 0;
        double r = sqrt(t * t + q.r * q.r), inverse = 1 / (r > tiny ? r : tiny);
        axial_store(s, q, r - radius, t * inverse, r > tiny ? q.r * inverse : 1, out, i);
    }
}

static double capsule_support(const shape *s, dew_vec3 u)
{
    double start = vec3_dot(s->round.start, u), along = s->round.length * vec3_dot(s->round.axis, u);
    return start + (along > 0 ? along : 0) + s->round.r0;
}

static void torus_distance(const shape *s, double band, int count, const point_block *p, distance_block *out)
{
    (void)band;
    double major = s->round.r0, minor = s->round.r1;
    for (int i = 0; i < count; i++) {
        axial q = axial_of(s, p, i);
        double away = q.r - major, r = sqrt(q.t * q.t + away * away), inverse = 1 / (r > tiny ? r : tiny);
        axial_store(s, q, r - minor, r > tiny ? q.t * inverse : 1, away * inverse, out, i);
    }
}

static double torus_support(const shape *s, dew_vec3 u)
{
    return disc_support(s->round.start, s->round.axis, s->round.r0, u) + s->round.r1;
}

/* --- half space --- */

static dew_result plane_create(shape *s, const dew_shape_def *def)
{
    s->round.axis = shape_direction(def->plane.normal);
    s->round.start = def->plane.point;
    return DEW_OK;
}

static void plane_distance(const shape *s, double band, int count, const point_block *p, distance_block *out)
{
    (void)band;
    dew_vec3 n = s->round.axis;
    double offset = vec3_dot(n, s->round.start);
    for (int i = 0; i < count; i++) {
        out->d[i] = n.x * p->x[i] + n.y * p->y[i] + n.z * p->z[i] - offset;
        out->x[i] = n.x;
        out->y[i] = n.y;
        out->z[i] = n.z;
    }
}

static double plane_support(const shape *s, dew_vec3 u)
{
    bool is_along = vec3_dot(s->round.axis, u) > (1 - 1e-14) * vec3_length(u);
    return is_along ? vec3_dot(s->round.start, u) : INFINITY;
}

const shape_kind shape_sphere = {"sphere", sphere_create, NULL, sphere_distance, sphere_support, tessellate_capsule};
const shape_kind shape_box = {"box", box_create, NULL, box_distance, box_support, tessellate_box};
const shape_kind shape_cylinder = {"cylinder", cylinder_create, NULL, cone_distance, cone_support, tessellate_cone};
const shape_kind shape_cone = {"cone", cone_create, NULL, cone_distance, cone_support, tessellate_cone};
const shape_kind shape_capsule = {"capsule",        cylinder_create, NULL,
                                  capsule_distance, capsule_support, tessellate_capsule};
const shape_kind shape_torus = {"torus", torus_create, NULL, torus_distance, torus_support, tessellate_torus};
const shape_kind shape_plane = {"plane", plane_create, NULL, plane_distance, plane_support, NULL};
