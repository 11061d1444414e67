#include "sim/foresee_parts.h"

#include <math.h>

enum { MOST_MARCH = 64, THROUGH = 5 };
/* Half spacings below and above liquid in which gaps that it would run into are looked for. */
enum { BELOW = 4, ABOVE = 2 };
#define LEAST_THICKNESS 2 /* of a solid between two liquids, spacings */
#define LEAST_BODY 4      /* across a body that the liquid moves, spacings */
#define LEAST_DEPTH 4     /* of a solid that the plane z = 0 cuts, on either side of it, spacings */

/* --- gaps --- */

/* The width of the gap that a particle is in: from the nearest solid along its normal to one that faces it; infinite
 * beyond `most`. */
static double gap_at(const dew_simulation *s, real4 x, double most)
{
    real4 near, point[MOST_MARCH], wall[MOST_MARCH];
    int32_t which[MOST_MARCH];
    double step = s->w.spacing / 2;
    solids_nearest(s->w.solids, most, 1, &x, &near, which);
    if (which[0] < 0 || !(near.w > 0)) return INFINITY;
    int count = (int)fmin((most - near.w) / step, MOST_MARCH);
    dew_vec3 n = foresee_place(near);
    for (int k = 0; k < count; k++)
        point[k] = foresee_record(vec3_add(foresee_place(x), vec3_scale((k + 1) * step, n)));
    solids_nearest(s->w.solids, s->w.spacing, count, point, wall, which);
    for (int k = 0; k < count; k++)
        if (which[k] >= 0 && wall[k].w < step && vec3_dot(foresee_place(wall[k]), n) < -0.5)
            return (double)near.w + (k + 1) * step + (double)wall[k].w;
    return INFINITY;
}

/* The narrowest gap from a particle on, `count` steps far or as far as it sees, and where. */
static double gap_along(const dew_simulation *s, real4 x, double most, dew_vec3 step, int count, real4 *at)
{
    double narrowest = INFINITY;
    for (int k = 0; k <= count; k++) {
        real4 place = foresee_record(vec3_add(foresee_place(x), vec3_scale(k, step))), wall;
        int32_t which;
        solids_nearest(s->w.solids, s->w.spacing, 1, &place, &wall, &which);
        if (which >= 0 && !(wall.w > 0)) break;
        double gap = gap_at(s, place, most);
        if (gap < narrowest) narrowest = gap, *at = place;
    }
    return narrowest;
}

/* Liquid falls into what is below it, and is drawn into what it touches above. */
static double gap_near(const dew_simulation *s, real4 x, double most, real4 *at)
{
    bool falls = vec3_length(s->w.gravity) > 0;
    dew_vec3 down = falls ? vec3_scale(s->w.spacing / 2, vec3_normalise(s->w.gravity)) : (dew_vec3){0, 0, 0};
    real4 over = x;
    double below = gap_along(s, x, most, down, falls ? BELOW : 0, at);
    double above = gap_along(s, x, most, vec3_scale(-1, down), falls ? ABOVE : 0, &over);
    if (above < below) *at = over;
    return fmin(above, below);
}

static void foresee_gaps(const dew_simulation *s, FILE *out)
{
    const particles *p = &s->particles;
    double narrowest = INFINITY, most = s->method->info.least_across * s->w.spacing;
    int stride = (p->count + FORESEE_SAMPLES - 1) / FORESEE_SAMPLES;
    real4 x = {0, 0, 0, 0}, place = x;
    for (int i = 0; i < p->count && solids_count(s->w.solids) > 0; i += stride) {
        double gap = gap_near(s, p->position[i], most, &place);
        if (gap < narrowest) narrowest = gap, x = place;
    }
    if (narrowest < 0.99 * most)
        fprintf(out,
                "solids: liquid lies in, over or under a gap %.1f spacings wide, at (%.3g, %.3g, %.3g) m; method %s "
                "resolves %g\n",
                narrowest / s->w.spacing, (double)x.x, (double)x.y, (double)x.z, s->method->info.name,
                s->method->info.least_across);
}

/* --- thin solids --- */

/* How thick a solid is under a particle, m, if less than `most` spacings, where a liquid begins behind it that is not
 * its `own` (-1: any); infinite elsewhere, and past an edge, where the face beyond is not turned away from the one
 * before. */
static double thickness_under(const dew_simulation *s, real4 x, double most, int own, shape *const *liquids, int count,
                              int *solid)
{
    double spacing = s->w.spacing;
    real4 near, point, wall;
    int32_t which;
    solids_nearest(s->w.solids, spacing, 1, &x, &near, &which);
    if (which < 0 || !solids_shape(s->w.solids, which)) return INFINITY;
    *solid = which;
    for (int k = 1; k <= THROUGH; k++) {
        double deep = k * most * spacing / (THROUGH - 1);
        point = foresee_record(vec3_sub(foresee_place(x), vec3_scale((double)near.w + deep, foresee_place(near))));
        solids_distance(s->w.solids, which, spacing, 1, &point, &wall);
        if (!(wall.w > 0)) continue;
        if (deep - (double)wall.w > 0.99 * most * spacing || deep < (double)wall.w) return INFINITY;
        if (real3_dot(real3_of(near), real3_of(wall)) > (real)-0.5) return INFINITY;
        for (int j = 0; j < count; j++)
            if (j != own && liquids[j] && shape_distance_at(liquids[j], foresee_place(point), NULL) < 0)
                return deep - (double)wall.w;
    }
    return INFINITY;
}

/* A solid with one liquid on both sides, which feels itself through it. */
static void foresee_sheets(const dew_simulation *s, const liquid_shapes *b, FILE *out)
{
    const particles *p = &s->particles;
    int stride = (p->count + FORESEE_SAMPLES - 1) / FORESEE_SAMPLES, solid = -1, thin = -1;
    double least = INFINITY, least_thick = fmax(s->method->info.least_thick, LEAST_THICKNESS);
    for (int i = 0; i < p->count && solids_count(s->w.solids) > 0; i += stride) {
        double thick = thickness_under(s, p->position[i], least_thick, -1, b->of, b->count, &solid);
        if (thick < least) least = thick, thin = solid;
    }
    if (thin >= 0)
        fprintf(out,
                "solids.%s: is %.2g spacings thick between liquid on both sides, which by method %s feels itself "
                "through less than %g\n",
                solids_info(s->w.solids, thin, 0).name, least / s->w.spacing, s->method->info.name, least_thick);
}

/* Bodies that the liquid moves: layers next to them keep some tenths of a spacing more off than half a spacing, which
 * lifts what is thin by what it is not (a plate two spacings thick by a third of its volume). */
static void foresee_thin_bodies(const dew_simulation *s, const dew_simulation_def *def, FILE *out)
{
    for (int k = 0; k < def->solid_count; k++) {
        shape *body;
        if (!def->solids[k].has_rigid || shape_create(&body, &def->solids[k].shape, s->w.spacing) != DEW_OK) continue;
        looked_through found = foresee_look_through(s, body, false, NULL);
        double across = 2 * found.deepest / s->w.spacing;
        if (found.inside > 0 && across < 0.99 * LEAST_BODY)
            fprintf(
                out,
                "solids.%s: is about %.1f spacings across where it is thickest; a body of less than %d is lifted as "
                "if it were thicker\n",
                solids_info(s->w.solids, k, 0).name, across, LEAST_BODY);
        shape_destroy(body);
    }
}

/* In two dimensions a solid is what the plane z = 0 cuts of its shape, whose faces along that plane are none: nearer to
 * it than kernels reach, and than the solid is thick, they are taken for the nearest. */
static void foresee_planes(const dew_simulation *s, const dew_simulation_def *def, FILE *out)
{
    for (int k = 0; k < def->solid_count && s->w.dimension == 2; k++) {
        shape *of;
        if (shape_create(&of, &def->solids[k].shape, s->w.spacing) != DEW_OK) continue;
        bounds b = shape_bounds(of);
        double depth = fmin(b.max.z, -b.min.z), thickness = fmin(b.max.x - b.min.x, b.max.y - b.min.y);
        if (depth < 0.99 * fmin(LEAST_DEPTH * s->w.spacing, thickness / 2))
            fprintf(out,
                    "solids.%s: reaches from z = %g to %g m; in two dimensions the plane z = 0 must lie well within it "
                    "(for example from -1 to 1 m), or its sides are not seen\n",
                    solids_info(s->w.solids, k, 0).name, b.min.z, b.max.z);
        shape_destroy(of);
    }
}

/* --- faces that are not there --- */

/* Whether the face that a particle sees is none: neither at its foot nor 1.5 spacings around that does a solid begin.
 * Two holes that overlap by less than particles keep off walls are such: each has an end there, and the distance to
 * what is left of the solid is taken for that to the nearer one. */
static bool sees_no_face(const dew_simulation *s, real4 x, int *solid)
{
    enum { AROUND_FOOT = 8 };
    const double spacing = s->w.spacing;
    real4 wall, point[AROUND_FOOT + 1], below[AROUND_FOOT + 1];
    int32_t which, there[AROUND_FOOT + 1];
    solids_nearest(s->w.solids, spacing, 1, &x, &wall, &which);
    if (which < 0 || !(wall.w > 0 && (double)wall.w < spacing)) return false;
    const dew_vec3 n = foresee_place(wall), u = vec3_perpendicular(n), v = vec3_cross(n, u);
    const dew_vec3 foot = vec3_sub(foresee_place(x), vec3_scale((double)wall.w + spacing / 10, n));
    for (int k = 0; k < AROUND_FOOT; k++) {
        const double angle = 2 * PI * k / AROUND_FOOT;
        const dew_vec3 way = s->w.dimension == 2 ? vec3_scale(k % 2 ? -1 : 1, vec3_cross(n, (dew_vec3){0, 0, 1}))
                                                 : vec3_add(vec3_scale(cos(angle), u), vec3_scale(sin(angle), v));
        point[k] = foresee_record(vec3_add(foot, vec3_scale(1.5 * spacing, way)));
    }
    point[AROUND_FOOT] = foresee_record(foot);
    solids_nearest(s->w.solids, spacing, AROUND_FOOT + 1, point, below, there);
    for (int k = 0; k <= AROUND_FOOT; k++)
        if (there[k] >= 0 && !(below[k].w > 0)) return false;
    return *solid = which, true;
}

static void foresee_holes(const dew_simulation *s, FILE *out)
{
    const particles *p = &s->particles;
    int stride = (p->count + FORESEE_SAMPLES - 1) / FORESEE_SAMPLES, solid;
    for (int i = 0; i < p->count && solids_count(s->w.solids) > 0; i += stride) {
        real4 x = p->position[i];
        if (!sees_no_face(s, x, &solid)) continue;
        fprintf(out,
                "solids.%s: closes a hole at (%.3g, %.3g, %.3g) m: what is cut out of it overlaps there by less than "
                "particles keep off walls; let the one reach farther into the other, by four spacings\n",
                solids_info(s->w.solids, solid, 0).name, (double)x.x, (double)x.y, (double)x.z);
        return;
    }
}

/* --- faces of two solids --- */

/* Two solids with one face at a particle that do not move alike: a lid drawn on a wall of the domain that is at rest.
 */
static bool find_rubbing(const dew_simulation *s, real4 x, int *moving, int *other)
{
    const solids *all = s->w.solids;
    double spacing = s->w.spacing;
    for (int a = 0; a < solids_count(all); a++) {
        real4 at, beside;
        solids_distance(all, a, spacing, 1, &x, &at);
        for (int b = a + 1; b < solids_count(all) && at.w < spacing; b++) {
            solids_distance(all, b, spacing, 1, &x, &beside);
            if (!(beside.w < spacing) || !solids_share_face(all, 2 * spacing, x, a, at, b, beside)) continue;
            dew_vec3 u = solids_coming_velocity(all, a, foresee_place(x), s->time, s->w.frame_interval);
            dew_vec3 v = solids_coming_velocity(all, b, foresee_place(x), s->time, s->w.frame_interval);
            bool is_first = vec3_length(u) > vec3_length(v);
            *moving = is_first ? a : b, *other = is_first ? b : a;
            if (vec3_length(vec3_sub(u, v)) > 0) return true;
        }
    }
    return false;
}

static void foresee_rubbing(const dew_simulation *s, FILE *out)
{
    const particles *p = &s->particles;
    int stride = (p->count + FORESEE_SAMPLES - 1) / FORESEE_SAMPLES, moving, other;
    for (int i = 0; i < p->count && solids_count(s->w.solids) > 1; i += stride) {
        if (!find_rubbing(s, p->position[i], &moving, &other)) continue;
        fprintf(out,
                "solids.%s: has one face with %s, which does not move alike; liquid there follows now one, now the "
                "other\n",
                solids_info(s->w.solids, moving, 0).name, solids_info(s->w.solids, other, 0).name);
        return;
    }
}

void foresee_solids(const dew_simulation *s, const dew_simulation_def *def, const liquid_shapes *liquids, FILE *out)
{
    foresee_gaps(s, out);
    foresee_sheets(s, liquids, out);
    if (s->particles.count > 0) foresee_thin_bodies(s, def, out);
    foresee_planes(s, def, out);
    foresee_holes(s, out);
    foresee_rubbing(s, out);
}

/* --- solids between two liquids, which make it an error --- */

void foresee_thin_solids(const dew_simulation *s, shape *const *liquids, const int *begin, int count, failures *all)
{
    const particles *p = &s->particles;
    for (int j = 0; j < count; j++)
        for (int i = begin[j]; i < begin[j + 1]; i++) {
            int solid = -1;
            double thick = thickness_under(s, p->position[i], LEAST_THICKNESS, j, liquids, count, &solid);
            if (isinf(thick)) continue;
            real4 x = p->position[i];
            char path[32];
            snprintf(path, sizeof path, "solids[%d].shape", solid);
            failures_note(
                all, path, 0, "make it thicker, or spacing smaller",
                "solid '%s' is %.2g spacings thick at (%.3g, %.3g, %.3g) m, between two liquids; they would feel "
                "each other through less than %d",
                solids_info(s->w.solids, solid, 0).name, thick / s->w.spacing, (double)x.x, (double)x.y, (double)x.z,
                LEAST_THICKNESS);
            return;
        }
}
