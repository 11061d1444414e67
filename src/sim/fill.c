/* The liquids at the start: particles in each shape, clear of solids and of the liquids before it. */
#include "geometry/shape.h"
#include "sim/simulation.h"

#include <stdlib.h>
#include <string.h>

/* Particles begin no nearer to a solid than this share of a spacing; the outermost layer of a shape that fits its
 * vessel lies half a spacing from it, give or take its relaxation. */
#define CLEARANCE 0.35

typedef struct filling {
    shape *body, *avoid;
    real4 *places, *velocities, *walls;
    int32_t *which;
    double *inputs; /* x, y, z, then the output: blocks of count */
    int count;
} filling;

static void filling_free(filling *f)
{
    if (f->body) shape_destroy(f->body);
    if (f->avoid) shape_destroy(f->avoid);
    aligned_release(f->places);
    aligned_release(f->velocities);
    aligned_release(f->walls);
    free(f->which);
    free(f->inputs);
}

static dew_result no_memory(void) { return result_fail(DEW_NO_MEMORY, "no memory for the liquid's particles"); }

/* Cuts a shape without an end to the domain, on the axes where that has one. */
static dew_result create_body(filling *f, const dew_simulation_def *def, const dew_liquid_def *liquid)
{
    RESULT_TRY(shape_create(&f->body, &liquid->shape, def->spacing));
    bounds b = shape_bounds(f->body);
    double min[3] = {b.min.x, b.min.y, b.min.z}, max[3] = {b.max.x, b.max.y, b.max.z};
    const double low[3] = {def->domain.min.x, def->domain.min.y, def->domain.min.z};
    const double high[3] = {def->domain.max.x, def->domain.max.y, def->domain.max.z};
    bool is_cut = false;
    for (int a = 0; a < 3; a++) {
        if (def->dimension == 2 && a == 2) {
            min[a] = fmax(min[a], -def->spacing), max[a] = fmin(max[a], def->spacing);
            continue;
        }
        if (def->domain.axis[a] != DEW_OPEN) {
            is_cut |= min[a] < low[a] || max[a] > high[a];
            min[a] = fmax(min[a], low[a]), max[a] = fmin(max[a], high[a]);
        }
        if (!isfinite(min[a]) || !isfinite(max[a])) {
            return result_fail(DEW_INVALID,
                               "the shape has no end along %c; intersect it with a box, or give the domain walls there",
                               'x' + a);
        }
        if (min[a] >= max[a]) {
            return result_fail(DEW_INVALID, "the shape lies outside the domain (axis %c: %g .. %g m)", 'x' + a, low[a],
                               high[a]);
        }
    }
    if (!is_cut) return DEW_OK;
    dew_shape_def parts[2] = {liquid->shape,
                              dew_box((dew_vec3){min[0], min[1], min[2]}, (dew_vec3){max[0], max[1], max[2]})};
    dew_shape_def both = dew_default_shape_def();
    both.kind = DEW_SHAPE_INTERSECTION;
    both.combination.children = parts, both.combination.count = 2;
    shape_destroy(f->body);
    f->body = NULL;
    return shape_create(&f->body, &both, def->spacing);
}

/* Solids where their definitions put them, and the liquids before this one, as one shape to keep clear of. */
static dew_result create_avoid(filling *f, const dew_simulation_def *def, int liquid)
{
    int count = def->solid_count + liquid;
    if (count == 0) return DEW_OK;
    dew_shape_def *parts = malloc((size_t)count * sizeof *parts), all = dew_default_shape_def();
    if (!parts) return no_memory();
    for (int i = 0; i < def->solid_count; i++) parts[i] = def->solids[i].shape;
    for (int i = 0; i < liquid; i++) parts[def->solid_count + i] = def->liquids[i].shape;
    all.kind = DEW_SHAPE_UNION;
    all.combination.children = parts, all.combination.count = count;
    dew_result result = shape_create(&f->avoid, &all, def->spacing);
    free(parts);
    return result;
}

/* Drops what still lies in a solid or a wall: solids may have moved before time 0. What is only too near is moved off,
 * as dropping it would take from the liquid's mass. */
static dew_result clear_of_solids(filling *f, const dew_simulation *s)
{
    if (solids_count(s->w.solids) == 0) return DEW_OK;
    f->walls = aligned_obtain((size_t)f->count * sizeof *f->walls);
    f->which = malloc((size_t)f->count * sizeof *f->which);
    if (!f->walls || !f->which) return no_memory();
    /* As often as a corner has walls. */
    for (int turn = 0; turn < 3; turn++) {
        solids_nearest(s->w.solids, s->w.spacing, f->count, f->places, f->walls, f->which);
        int kept = 0;
        for (int i = 0; i < f->count; i++) {
            real4 x = f->places[i], wall = f->walls[i];
            real lack = f->which[i] >= 0 ? (real)(CLEARANCE * s->w.spacing) - wall.w : 0;
            if (lack > 0) {
                if (wall.w < 0) continue;
                x.x += lack * wall.x, x.y += lack * wall.y, x.z += lack * wall.z;
            }
            f->places[kept++] = x;
        }
        f->count = kept;
    }
    return DEW_OK;
}

static dew_result set_velocities(filling *f, const dew_liquid_def *liquid)
{
    size_t n = (size_t)f->count;
    f->velocities = aligned_obtain(n * sizeof *f->velocities);
    f->inputs = malloc(4 * n * sizeof *f->inputs);
    if (!f->velocities || !f->inputs) return no_memory();
    double *x = f->inputs, *y = x + n, *z = y + n, *out = z + n;
    dew_vec3 v = liquid->velocity;
    for (size_t i = 0; i < n; i++) {
        x[i] = f->places[i].x, y[i] = f->places[i].y, z[i] = f->places[i].z;
        f->velocities[i] = (real4){(real)v.x, (real)v.y, (real)v.z, 0};
    }
    for (int axis = 0; axis < 3; axis++) {
        dew_function of = liquid->velocity_of[axis];
        if (!of.evaluate) continue;
        of.evaluate(of.context, f->count, (const double *const[]){x, y, z}, out);
        for (size_t i = 0; i < n; i++) {
            real4 *u = &f->velocities[i];
            *(axis == 0 ? &u->x : axis == 1 ? &u->y : &u->z) = (real)out[i];
            if (isfinite(out[i])) continue;
            return result_fail(DEW_INVALID, "its velocity's %c component is %g at (%g, %g, %g) m", 'x' + axis, out[i],
                               x[i], y[i], z[i]);
        }
    }
    return DEW_OK;
}

static dew_result fill_liquid(filling *f, dew_simulation *s, const dew_simulation_def *def, int index)
{
    const dew_liquid_def *liquid = &def->liquids[index];
    RESULT_TRY(create_body(f, def, liquid));
    RESULT_TRY(create_avoid(f, def, index));
    RESULT_TRY(shape_fill(f->body, liquid->fill, def->dimension, def->spacing, f->avoid, &f->places, &f->count));
    RESULT_TRY(clear_of_solids(f, s));
    if (f->count == 0) {
        return result_fail(DEW_INVALID, "no particle %g m wide fits into the shape; make it larger or spacing smaller",
                           def->spacing);
    }
    RESULT_TRY(set_velocities(f, liquid));
    return particles_insert(&s->particles, f->count, f->places, f->velocities, (uint8_t)liquid->material);
}

static void include(dew_vec3 *min, dew_vec3 *max, dew_vec3 a)
{
    *min = (dew_vec3){fmin(min->x, a.x), fmin(min->y, a.y), fmin(min->z, a.z)};
    *max = (dew_vec3){fmax(max->x, a.x), fmax(max->y, a.y), fmax(max->z, a.z)};
}

static void measure_extent(dew_simulation *s, const dew_simulation_def *def)
{
    dew_vec3 min = {INFINITY, INFINITY, INFINITY}, max = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < s->particles.count; i++) {
        real4 a = s->particles.position[i];
        include(&min, &max, (dew_vec3){a.x, a.y, a.z});
    }
    for (int i = 0; i < s->emitter_count; i++) {
        for (int k = 0; k < s->emitters[i].site_count; k++) include(&min, &max, s->emitters[i].sites[k]);
    }
    s->centre = vec3_scale(0.5, vec3_add(min, max));
    s->size = fmax(vec3_length(vec3_sub(max, min)), def->spacing);
    const double low[3] = {def->domain.min.x, def->domain.min.y, def->domain.min.z};
    const double high[3] = {def->domain.max.x, def->domain.max.y, def->domain.max.z};
    for (int a = 0; a < 3; a++) {
        if (s->w.domain.axis[a] != DEW_OPEN) s->size = fmax(s->size, high[a] - low[a]);
    }
}

dew_result simulation_fill(dew_simulation *s, const dew_simulation_def *def)
{
    for (int i = 0; i < def->liquid_count; i++) {
        filling f = {.count = 0};
        dew_result result = fill_liquid(&f, s, def, i);
        filling_free(&f);
        if (result != DEW_OK) return result_within(result, "liquid %d: ", i);
    }
    measure_extent(s, def);
    return DEW_OK;
}
