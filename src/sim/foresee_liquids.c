#include "sim/foresee_parts.h"

#include <math.h>

/* Points in a shape that is looked through, at most. */
#define MOST_POINTS 2e5
#define COVERED 0.95 /* of a liquid in one before it, and nothing of use is left of it */

/* How deep a place is in a shape, if it is liquid in what solids leave of that; below 0 outside. */
static double depth_at(const dew_simulation *s, const shape *body, bool is_liquid, dew_vec3 x)
{
    double depth = -shape_distance_at(body, x, NULL);
    if (depth <= 0 || !s->method || !is_liquid) return depth;
    real4 point = foresee_record(x), wall;
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

looked_through foresee_look_through(const dew_simulation *s, const shape *body, bool is_liquid, const shape *other)
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

static void foresee_liquid(const dew_simulation *s, const shape *body, int index, FILE *out)
{
    if (!body) return;
    const dew_method_info *info = &s->method->info;
    looked_through found = foresee_look_through(s, body, true, NULL);
    double across = 2 * found.deepest / s->w.spacing;
    if (found.cut > FORESEE_SHARE * found.inside)
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
static void foresee_overlap(const dew_simulation *s, const liquid_shapes *b, FILE *out)
{
    for (int k = 0; k < b->count; k++)
        for (int j = 0; j < k; j++) {
            if (!b->of[k] || !b->of[j]) continue;
            looked_through later = foresee_look_through(s, b->of[k], true, b->of[j]);
            if (!(later.taken > FORESEE_SHARE * later.inside)) continue;
            looked_through first = foresee_look_through(s, b->of[j], true, b->of[k]);
            if (first.taken < (1 - FORESEE_SHARE) * first.inside)
                fprintf(
                    out,
                    "liquids[%d]: %.0f %% of its shape lies in that of liquids[%d], which comes first and keeps the "
                    "place\n",
                    k, 100 * later.taken / later.inside, j);
        }
}

void foresee_liquids(const dew_simulation *s, const liquid_shapes *liquids, FILE *out)
{
    for (int k = 0; k < liquids->count; k++) foresee_liquid(s, liquids->of[k], k, out);
    foresee_overlap(s, liquids, out);
}

int foresee_covered(const dew_simulation *s, shape *const *liquids, int index)
{
    for (int j = 0; j < index; j++) {
        if (!liquids[j]) continue;
        looked_through found = foresee_look_through(s, liquids[index], true, liquids[j]);
        if (found.taken > COVERED * found.inside) return j;
    }
    return -1;
}
