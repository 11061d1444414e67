/* What can be told before a run: liquid that solids cut away, what is too narrow for the method, pipes that leak at
 * their end, solids through which kernels would reach, liquids that flow as others would, and steps that are very
 * short.
 */
#include "sim/foresee.h"

#include "base/arena.h"
#include "definition/definition.h"
#include "sim/drift.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 4096, MOST_MARCH = 64, AROUND = 16, THROUGH = 5 };
/* Half spacings below and above liquid in which gaps that it would run into are looked for. */
enum { BELOW = 4, ABOVE = 2 };
/* Points in a shape that is looked through, at most. */
#define MOST_POINTS 2e5
/* Liquid that is cut away is worth a word from this share on. */
#define CUT_SHARE 0.02
#define COVERED 0.95      /* of a liquid in one before it, and nothing of use is left of it */
#define LEAST_THICKNESS 2 /* of a solid between two liquids, spacings */
#define LEAST_BODY 4      /* across a body that the liquid moves, spacings */
#define LEAST_DEPTH 4     /* of a solid that the plane z = 0 cuts, on either side of it, spacings */
#define MOUTHS_APART 0.8  /* sites of two mouths, spacings: nearer to each other they are in one */

static dew_vec3 place_of(real4 x) { return (dew_vec3){x.x, x.y, x.z}; }
static real4 record_of(dew_vec3 x) { return (real4){(real)x.x, (real)x.y, (real)x.z, 0}; }

/* --- liquids --- */

typedef struct looked_through {
    double inside, cut; /* numbers of points in the shape; of these in solids */
    double taken;       /* of these in the other shape */
    double deepest,
        thinnest; /* half the thickness where it is largest, and where a thread, film or neck is thinnest, m */
} looked_through;

/* How deep a place is in a shape, if it is liquid in what solids leave of that; below 0 outside. */
static double depth_at(const dew_simulation *s, const shape *body, bool is_liquid, dew_vec3 x)
{
    double depth = -shape_distance_at(body, x, NULL);
    if (depth <= 0 || !s->method || !is_liquid) return depth;
    real4 point = record_of(x), wall;
    int32_t which;
    solids_nearest(s->w.solids, s->method->info.least_across * s->w.spacing, 1, &point, &wall, &which);
    return which >= 0 ? fmin(depth, (double)wall.w) : depth;
}

/* In the middle of a thread, a film or a neck the depth does not change; towards an edge of a box, where the depth has
 * a ridge too, it falls by 0.7 a length. A length e off the middle differences over a spacing are e over it. */
#define FLAT_DEPTH 0.4

/* Half the thickness about a point so deep; infinite where that is no middle. */
static double thickness_at(const dew_simulation *s, const shape *body, dew_vec3 x, double depth)
{
    double sum = 0, h = s->w.spacing;
    for (int a = 0; a < s->w.dimension; a++) {
        dew_vec3 step = {a == 0 ? h : 0, a == 1 ? h : 0, a == 2 ? h : 0};
        double before = shape_distance_at(body, vec3_sub(x, step), NULL);
        double slope = (shape_distance_at(body, vec3_add(x, step), NULL) - before) / (2 * h);
        sum += slope * slope;
    }
    return sum < FLAT_DEPTH * FLAT_DEPTH ? depth + sqrt(sum) * h : INFINITY;
}

/* How deep a shape is at the deepest place near x, where points of a grid `step` apart miss it. */
static double deepest_near(const dew_simulation *s, const shape *body, bool is_liquid, dew_vec3 x, double step)
{
    double depth = depth_at(s, body, is_liquid, x);
    for (; step > s->w.spacing / 512; step /= 2)
        for (int k = 0; k < 2 * s->w.dimension; k++) {
            double way = k % 2 ? -step : step;
            dew_vec3 y = vec3_add(x, (dew_vec3){k / 2 == 0 ? way : 0, k / 2 == 1 ? way : 0, k / 2 == 2 ? way : 0});
            double there = depth_at(s, body, is_liquid, y);
            if (there > depth) depth = there, x = y;
        }
    return depth;
}

/* Counts points of a grid over the part of the shape that lies in the domain. `other` may be NULL. */
static looked_through look_through(const dew_simulation *s, const shape *body, bool is_liquid, const shape *other)
{
    bounds b = shape_bounds(body);
    double low[3] = {b.min.x, b.min.y, b.min.z}, high[3] = {b.max.x, b.max.y, b.max.z}, volume = 1;
    for (int a = 0; a < 3; a++) {
        if (s->w.domain.axis[a] != DEW_OPEN) {
            low[a] = fmax(low[a], vec3_at(s->w.domain.min, a));
            high[a] = fmin(high[a], vec3_at(s->w.domain.max, a));
        }
        if (a == 2 && s->w.dimension == 2) low[a] = high[a] = 0;
        volume *= fmax(high[a] - low[a], s->w.spacing);
    }
    double cell = fmax(s->w.spacing / 2, cbrt(volume / MOST_POINTS));
    looked_through found = {.thinnest = INFINITY};
    dew_vec3 at = {0, 0, 0};                                                           /* the deepest of the points */
    double narrow = s->method ? 0.5 * s->method->info.least_across * s->w.spacing : 0; /* none while only trying */
    for (double z = low[2] + (s->w.dimension == 2 ? 0 : cell / 2); z <= high[2]; z += cell)
        for (double y = low[1] + cell / 2; y <= high[1]; y += cell)
            for (double x = low[0] + cell / 2; x <= high[0]; x += cell) {
                dew_vec3 place = {x, y, z};
                double d = shape_distance_at(body, place, NULL);
                if (d >= 0) continue;
                double depth = depth_at(s, body, is_liquid, place);
                found.inside++, found.cut += depth < 0;
                found.taken += other && shape_distance_at(other, place, NULL) < 0;
                if (depth > found.deepest) found.deepest = depth, at = place;
                if (-d < fmin(narrow, found.thinnest))
                    found.thinnest = fmin(found.thinnest, thickness_at(s, body, place, -d));
            }
    if (found.deepest > 0) found.deepest = deepest_near(s, body, is_liquid, at, cell / 2);
    return found;
}

/* The shapes that liquids begin in, which take as long to make as all that is asked of them; NULL where one cannot be
 * made. */
typedef struct bodies {
    shape **of;
    int count;
} bodies;

static bodies make_bodies(const dew_simulation *s, const dew_simulation_def *def)
{
    bodies b = {calloc((size_t)def->liquid_count + 1, sizeof *b.of), def->liquid_count};
    if (!b.of) b.count = 0;
    for (int k = 0; k < b.count; k++)
        if (shape_create(&b.of[k], &def->liquids[k].shape, s->w.spacing) != DEW_OK) b.of[k] = NULL;
    return b;
}

static void free_bodies(bodies *b)
{
    for (int k = 0; k < b->count; k++) shape_destroy(b->of[k]);
    free(b->of);
}

static void foresee_liquid(const dew_simulation *s, const shape *body, int index, FILE *out)
{
    if (!body) return;
    const dew_method_info *info = &s->method->info;
    looked_through found = look_through(s, body, true, NULL);
    double across = 2 * found.deepest / s->w.spacing;
    if (found.cut > CUT_SHARE * found.inside)
        fprintf(out, "liquids[%d]: %.0f %% of its shape lies in solids, where no liquid is put\n", index,
                100 * found.cut / found.inside);
    if (found.inside > 0 && across < info->least_across)
        fprintf(out, "liquids[%d]: is about %.1f spacings across where it is thickest; method %s resolves %g\n", index,
                across, info->name, info->least_across);
    else if (found.inside > 0 && 2 * found.thinnest < 0.99 * info->least_across * s->w.spacing)
        fprintf(out, "liquids[%d]: has a thread, film or neck about %.1f spacings across; method %s resolves %g\n",
                index, 2 * found.thinnest / s->w.spacing, info->name, info->least_across);
}

/* Two liquids that claim the same place, where the first does not lie in the second to be cut out of it. */
static void foresee_overlap(const dew_simulation *s, const bodies *b, FILE *out)
{
    for (int k = 0; k < b->count; k++)
        for (int j = 0; j < k; j++) {
            if (!b->of[k] || !b->of[j]) continue;
            looked_through later = look_through(s, b->of[k], true, b->of[j]);
            if (!(later.taken > CUT_SHARE * later.inside)) continue;
            looked_through first = look_through(s, b->of[j], true, b->of[k]);
            if (first.taken < (1 - CUT_SHARE) * first.inside)
                fprintf(
                    out,
                    "liquids[%d]: %.0f %% of its shape lies in that of liquids[%d], which comes first and keeps the "
                    "place\n",
                    k, 100 * later.taken / later.inside, j);
        }
}

int foresee_covered(const dew_simulation *s, shape *const *liquids, int index)
{
    for (int j = 0; j < index; j++) {
        if (!liquids[j]) continue;
        looked_through found = look_through(s, liquids[index], true, liquids[j]);
        if (found.taken > COVERED * found.inside) return j;
    }
    return -1;
}

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
    dew_vec3 n = place_of(near);
    for (int k = 0; k < count; k++) point[k] = record_of(vec3_add(place_of(x), vec3_scale((k + 1) * step, n)));
    solids_nearest(s->w.solids, s->w.spacing, count, point, wall, which);
    for (int k = 0; k < count; k++)
        if (which[k] >= 0 && wall[k].w < step && vec3_dot(place_of(wall[k]), n) < -0.5)
            return (double)near.w + (k + 1) * step + (double)wall[k].w;
    return INFINITY;
}

/* The narrowest gap from a particle on, `count` steps far or as far as it sees, and where. */
static double gap_along(const dew_simulation *s, real4 x, double most, dew_vec3 step, int count, real4 *at)
{
    double narrowest = INFINITY;
    for (int k = 0; k <= count; k++) {
        real4 place = record_of(vec3_add(place_of(x), vec3_scale(k, step))), wall;
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
    int stride = (p->count + SAMPLES - 1) / SAMPLES;
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
        point = record_of(vec3_sub(place_of(x), vec3_scale((double)near.w + deep, place_of(near))));
        solids_distance(s->w.solids, which, spacing, 1, &point, &wall);
        if (!(wall.w > 0)) continue;
        if (deep - (double)wall.w > 0.99 * most * spacing || deep < (double)wall.w) return INFINITY;
        if (real3_dot(real3_of(near), real3_of(wall)) > (real)-0.5) return INFINITY;
        for (int j = 0; j < count; j++)
            if (j != own && liquids[j] && shape_distance_at(liquids[j], place_of(point), NULL) < 0)
                return deep - (double)wall.w;
    }
    return INFINITY;
}

/* A solid with one liquid on both sides, which feels itself through it. */
static void foresee_sheets(const dew_simulation *s, const bodies *b, FILE *out)
{
    const particles *p = &s->particles;
    int stride = (p->count + SAMPLES - 1) / SAMPLES, solid = -1, thin = -1;
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
static void foresee_bodies(const dew_simulation *s, const dew_simulation_def *def, FILE *out)
{
    for (int k = 0; k < def->solid_count; k++) {
        shape *body;
        if (!def->solids[k].has_rigid || shape_create(&body, &def->solids[k].shape, s->w.spacing) != DEW_OK) continue;
        looked_through found = look_through(s, body, false, NULL);
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
    const dew_vec3 n = place_of(wall), u = vec3_perpendicular(n), v = vec3_cross(n, u);
    const dew_vec3 foot = vec3_sub(place_of(x), vec3_scale((double)wall.w + spacing / 10, n));
    for (int k = 0; k < AROUND_FOOT; k++) {
        const double angle = 2 * PI * k / AROUND_FOOT;
        const dew_vec3 way = s->w.dimension == 2 ? vec3_scale(k % 2 ? -1 : 1, vec3_cross(n, (dew_vec3){0, 0, 1}))
                                                 : vec3_add(vec3_scale(cos(angle), u), vec3_scale(sin(angle), v));
        point[k] = record_of(vec3_add(foot, vec3_scale(1.5 * spacing, way)));
    }
    point[AROUND_FOOT] = record_of(foot);
    solids_nearest(s->w.solids, spacing, AROUND_FOOT + 1, point, below, there);
    for (int k = 0; k <= AROUND_FOOT; k++)
        if (there[k] >= 0 && !(below[k].w > 0)) return false;
    return *solid = which, true;
}

static void foresee_holes(const dew_simulation *s, FILE *out)
{
    const particles *p = &s->particles;
    int stride = (p->count + SAMPLES - 1) / SAMPLES, solid;
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
            dew_vec3 u = solids_coming_velocity(all, a, place_of(x), s->time, s->w.frame_interval);
            dew_vec3 v = solids_coming_velocity(all, b, place_of(x), s->time, s->w.frame_interval);
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
    int stride = (p->count + SAMPLES - 1) / SAMPLES, moving, other;
    for (int i = 0; i < p->count && solids_count(s->w.solids) > 1; i += stride) {
        if (!find_rubbing(s, p->position[i], &moving, &other)) continue;
        fprintf(out,
                "solids.%s: has one face with %s, which does not move alike; liquid there follows now one, now the "
                "other\n",
                solids_info(s->w.solids, moving, 0).name, solids_info(s->w.solids, other, 0).name);
        return;
    }
}

/* --- emitters --- */

/* Whether a place is in a solid, nearer to it than `least`. */
static bool is_buried(const dew_simulation *s, dew_vec3 x, double least)
{
    real4 point = record_of(x), wall;
    int32_t which;
    solids_nearest(s->w.solids, s->w.spacing, 1, &point, &wall, &which);
    return which >= 0 && (double)wall.w < least;
}

static void foresee_emitter(const dew_simulation *s, const emitter *e, int index, FILE *out)
{
    const dew_method_info *info = &s->method->info;
    double across = 2 * e->radius / s->w.spacing;
    if (across < 0.99 * info->least_across)
        fprintf(out, "emitters[%d]: is %.1f spacings across; method %s resolves %g\n", index, across, info->name,
                info->least_across);
    int walls = 0, buried = 0;
    for (int k = 0; k < e->site_count; k++) buried += is_buried(s, e->sites[k], -s->w.spacing / 2);
    if (buried > CUT_SHARE * e->site_count)
        fprintf(out, "emitters[%d]: %.0f %% of its mouth lies in solids, and all that flows in leaves by the rest\n",
                index, 100.0 * buried / e->site_count);
    dew_vec3 u = vec3_perpendicular(e->normal), v = vec3_cross(e->normal, u);
    for (int k = 0; k < AROUND; k++) {
        double angle = 2 * PI * k / AROUND;
        dew_vec3 out_there = vec3_add(vec3_scale(cos(angle), u), vec3_scale(sin(angle), v));
        bool is_wall = false;
        for (double r = e->radius; r < 3 * e->radius && !is_wall; r += s->w.spacing / 2) {
            is_wall = is_buried(s, vec3_add(e->centre, vec3_scale(r, out_there)), 0);
        }
        walls += is_wall;
    }
    bool has_wall_behind = is_buried(s, vec3_add(e->centre, vec3_scale(-s->w.spacing, e->normal)), 0);
    if (!e->is_closed && !has_wall_behind && 4 * walls > 3 * AROUND)
        fprintf(out,
                "emitters[%d]: its back is open: the pipe around it is wider than it is; give it the pipe's radius\n",
                index);
}

/* Part of a mouth that lies in another one, which flows at the same time: their layers come out in one place. */
static double share_in_mouth(const dew_simulation *s, const emitter *e, const emitter *other)
{
    int count = 0, stride = (e->site_count + SAMPLES - 1) / SAMPLES, asked = 0;
    if (e->to <= other->from || other->to <= e->from) return 0;
    if (vec3_length(vec3_sub(e->centre, other->centre)) > e->radius + other->radius + s->w.spacing) return 0;
    for (int k = 0; k < e->site_count; k += stride, asked++)
        for (int j = 0; j < other->site_count; j++) {
            if (vec3_length(vec3_sub(e->sites[k], other->sites[j])) > MOUTHS_APART * s->w.spacing) continue;
            count++;
            break;
        }
    return (double)count / asked;
}

static void foresee_mouths(const dew_simulation *s, FILE *out)
{
    for (int k = 0; k < s->emitter_count; k++)
        for (int j = 0; j < k; j++) {
            double share = share_in_mouth(s, &s->emitters[k], &s->emitters[j]);
            if (share > CUT_SHARE)
                fprintf(out,
                        "emitters[%d]: %.0f %% of its mouth lies in that of emitters[%d], and both bring liquid to one "
                        "place\n",
                        k, 100 * share, j);
        }
}

/* --- what the method says --- */

/* What the method adds to a liquid's viscosity is told from this share on: the tightest target of the laws that judge
 * it. */
#define VISCOSITY_SHARE 0.1
/* A run of more steps than this is told. */
#define MANY_STEPS 1e6
/* And a change that makes them so many times as many as the whole run had without. */
#define MANY_TIMES 10

typedef struct said {
    double own_viscosity; /* kinematic, m2/s */
    double longest_step;  /* at the start, s */
    const char *limit;    /* what decided on it */
} said;

/* In the frame in which a step would be. */
static said ask_method(dew_simulation *s)
{
    const method *m = s->method;
    said found = {0, INFINITY, ""};
    drift frame = drift_of(&s->w, s->emitter_count > 0);
    drift_leave(&frame, &s->w);
    if (m->own_viscosity) found.own_viscosity = m->own_viscosity(s->state, &s->w);
    if (m->max_time_step) found.longest_step = m->max_time_step(s->state, &s->w), found.limit = s->w.limit;
    drift_return(&frame, &s->w, 0);
    return found;
}

static void foresee_viscosity(const dew_simulation *s, double kinematic, FILE *out)
{
    for (int k = 0; k < s->w.material_count; k++) {
        const dew_material_def *m = &s->w.materials[k];
        double own = kinematic * m->density;
        if (definition_shear_modulus(m) > 0 || !(own > VISCOSITY_SHARE * m->viscosity)) continue;
        fprintf(out,
                "materials.%s: method %s adds about %.2g Pa s of its own to the %.2g Pa s at this spacing: waves die "
                "sooner\n",
                m->name, s->method->info.name, own, m->viscosity);
    }
}

static const char *mend_of(const said *found)
{
    return strncmp(found->limit, "elastic", 7) == 0 ? "; a lower modulus or a coarser spacing makes them longer" : "";
}

static void foresee_steps(const said *found, double duration, FILE *out)
{
    double steps = duration / found->longest_step;
    if (!(steps > MANY_STEPS)) return;
    fprintf(out, "steps: the first is %.2g s at most (limit: %s), and the run would be %.2g like it%s\n",
            found->longest_step, found->limit, steps, mend_of(found));
}

/* With the scene as it begins, so that what differs is the changes' doing. */
static void foresee_changed_steps(dew_simulation *s, const dew_simulation_def *def, const said *first, FILE *out)
{
    const double least = changes_least_time(def->frame_rate);
    settable of = {&s->w.gravity, s->materials, s->w.material_count, s->w.solids};
    for (int k = 0, made = 0; k < def->change_count; k++) {
        double at = def->changes[k].at, next = k + 1 < def->change_count ? def->changes[k + 1].at : INFINITY;
        if (next <= at + least) continue; /* made with it */
        while (made < s->change_count && s->changes[made].at <= at + least)
            settable_change(&of, s->properties, &s->changes[made++]);
        properties_apply(s);
        said found = ask_method(s);
        double steps = (fmin(next, def->duration) - at) / found.longest_step,
               as_it_begins = def->duration / first->longest_step;
        if (!(steps > fmin(MANY_STEPS, MANY_TIMES * as_it_begins)) || !(found.longest_step < first->longest_step))
            continue;
        fprintf(out,
                "changes[%d]: from %g s on steps are %.2g s at most (limit: %s), %.2g times shorter than before any "
                "change, and the run would be %.2g of them%s\n",
                k, at, found.longest_step, found.limit, first->longest_step / found.longest_step, steps,
                mend_of(&found));
    }
}

/* Leaves no trace. */
static dew_result foresee_method(dew_simulation *s, const dew_simulation_def *def, FILE *out)
{
    dew_snapshot_item *before;
    int count;
    RESULT_TRY(dew_simulation_snapshot_copy(s, &before, &count));
    said found = ask_method(s);
    foresee_viscosity(s, found.own_viscosity, out);
    foresee_steps(&found, def->duration, out);
    foresee_changed_steps(s, def, &found, out);
    dew_result result = dew_simulation_restore(s, before, count);
    free(before);
    return result;
}

/* --- wetting --- */

/* Energies of which no angle follows, for liquid spreads as far as it can. */
static void foresee_spreading(const dew_simulation *s, const dew_simulation_def *def, FILE *out)
{
    for (int k = 0; k < def->solid_count; k++)
        for (int m = 0; m < definition_liquid_count(def, &s->method->info); m++) {
            dew_solid_def one = definition_solid_of(&def->solids[k], m);
            double tension = def->materials[m].surface_tension,
                   spreading = one.solid_energy - tension - one.between_energy;
            if (!one.has_surface_energy || !(spreading > 1e-9 * tension)) continue;
            fprintf(out,
                    "solids.%s: gains %.3g J/m2 of each area that %s spreads over (solid - surface_tension - between): "
                    "the angle that comes out is 0 degrees\n",
                    one.name, spreading, def->materials[m].name);
        }
}

/* What an area of a solid gains as the liquid covers it, J/m2. */
static double gain_of(const dew_simulation *s, const dew_solid_def *one, int solid, int material)
{
    double tension = s->w.materials[material].surface_tension;
    return one->has_surface_energy ? one->solid_energy - one->between_energy
                                   : tension * solids_info_of(s->w.solids, solid, material, tension).cos_contact_angle;
}

/* Where two liquids meet on a solid: cos(theta) = (gain_a - gain_b)/gamma_ab in a, if the solid is the same before. */
static void foresee_pairs(const dew_simulation *s, const dew_simulation_def *def, FILE *out)
{
    int liquids =
        s->method->info.features & DEW_FEATURE_INTERFACES ? definition_liquid_count(def, &s->method->info) : 0;
    for (int k = 0; k < def->solid_count; k++)
        for (int a = 0; a < liquids; a++)
            for (int b = a + 1; b < liquids; b++) {
                dew_solid_def one = definition_solid_of(&def->solids[k], a),
                              other = definition_solid_of(&def->solids[k], b);
                const dew_material_def *first = &def->materials[a], *second = &def->materials[b];
                double gamma = world_tension_between(&s->w, a, b);
                double more = gain_of(s, &one, k, a) - gain_of(s, &other, k, b);
                if (one.has_surface_energy && other.has_surface_energy && one.solid_energy != other.solid_energy)
                    fprintf(out,
                            "solids.%s: dry it has %.3g J/m2 for %s and %.3g J/m2 for %s (solid): one solid has one "
                            "energy\n",
                            one.name, one.solid_energy, first->name, other.solid_energy, second->name);
                if (gamma > 0 && fabs(more) > (1 + 1e-9) * gamma)
                    fprintf(out,
                            "solids.%s: gains %.3g J/m2 where %s takes the place of %s, more than their tension of "
                            "%.3g N/m: the angle that comes out in %s is %d degrees\n",
                            one.name, fabs(more), more > 0 ? first->name : second->name,
                            more > 0 ? second->name : first->name, gamma, first->name, more > 0 ? 0 : 180);
            }
}

/* --- changes --- */

static void foresee_changes(const dew_simulation_def *def, FILE *out)
{
    for (int k = 0; k < def->change_count; k++)
        if (def->changes[k].at >= def->duration)
            fprintf(out, "changes[%d]: at %g s the run has ended: its duration is %g s\n", k, def->changes[k].at,
                    def->duration);
}

dew_result dew_simulation_foresee(dew_simulation *s, const dew_simulation_def *def, char **text)
{
    size_t size = 0;
    *text = NULL;
    FILE *out = open_memstream(text, &size);
    if (!out) return result_fail(DEW_NO_MEMORY, "no memory to look at the scene");
    bodies b = make_bodies(s, def);
    for (int k = 0; k < b.count; k++) foresee_liquid(s, b.of[k], k, out);
    foresee_overlap(s, &b, out);
    foresee_gaps(s, out);
    foresee_sheets(s, &b, out);
    free_bodies(&b);
    if (s->particles.count > 0) foresee_bodies(s, def, out);
    foresee_planes(s, def, out);
    foresee_holes(s, out);
    foresee_rubbing(s, out);
    for (int k = 0; k < s->emitter_count; k++) foresee_emitter(s, &s->emitters[k], k, out);
    foresee_mouths(s, out);
    dew_result result = foresee_method(s, def, out);
    foresee_spreading(s, def, out);
    foresee_pairs(s, def, out);
    foresee_changes(def, out);
    if (fclose(out) != 0) return result_fail(DEW_NO_MEMORY, "no memory to look at the scene");
    return result;
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
