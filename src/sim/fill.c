/* The liquids at the start: particles in each shape, clear of solids and of the liquids before it. */
#include "geometry/shape.h"
#include "sim/foresee.h"
#include "sim/simulation.h"

#include <stdlib.h>
#include <string.h>

/* Particles begin no nearer to a solid than this share of a spacing; the outermost layer of a shape that fits its
 * vessel lies half a spacing from it, give or take its relaxation. */
#define CLEARANCE 0.35

typedef struct filling {
    shape *box, *cut, *avoid; /* cut: the liquid's shape within the box that is the domain */
    const shape *body;        /* to be filled: the liquid's shape, or `cut` */
    real4 *places, *velocities, *walls;
    int32_t *which;
    double *inputs; /* x, y, z, then the output: blocks of count */
    int count;
    int number; /* dew_simulation_def.filling */
} filling;

static void release_places(filling *f)
{
    aligned_release(f->places);
    aligned_release(f->velocities);
    aligned_release(f->walls);
    free(f->which);
    free(f->inputs);
    *f = (filling){.box = f->box, .cut = f->cut, .avoid = f->avoid, .body = f->body, .number = f->number};
}

static void filling_free(filling *f)
{
    release_places(f);
    shape_destroy(f->cut);
    shape_destroy(f->box);
    shape_destroy(f->avoid);
}

static dew_result no_memory(void) { return result_fail(DEW_NO_MEMORY, "no memory for the liquid's particles"); }

static dew_result check_span(char axis, double min, double max, bool is_empty, const dew_domain_def *d)
{
    if (is_empty) {
        return result_fail(DEW_INVALID, "the shape is empty: its parts do not meet along %c", axis);
    }
    if (!isfinite(min) || !isfinite(max)) {
        return result_fail(DEW_INVALID,
                           "the shape has no end along %c; intersect it with a box, or give the domain walls there",
                           axis);
    }
    if (min < max) return DEW_OK;
    return result_fail(DEW_INVALID, "the shape lies outside the domain (axis %c: %g .. %g m)", axis,
                       vec3_at(d->min, axis - 'x'), vec3_at(d->max, axis - 'x'));
}

/* Cuts a shape to the domain, on the axes where that has an end. */
static dew_result choose_body(filling *f, const dew_simulation_def *def, const shape *whole)
{
    bounds b = shape_bounds(whole);
    double min[3] = {b.min.x, b.min.y, b.min.z}, max[3] = {b.max.x, b.max.y, b.max.z};
    bool is_cut = false;
    for (int a = 0; a < 3; a++) {
        bool is_empty = min[a] >= max[a];
        if (def->dimension == 2 && a == 2) {
            min[a] = fmax(min[a], -def->spacing), max[a] = fmin(max[a], def->spacing);
            continue;
        }
        if (def->domain.axis[a] != DEW_OPEN) {
            double low = vec3_at(def->domain.min, a), high = vec3_at(def->domain.max, a);
            is_cut |= min[a] < low || max[a] > high;
            min[a] = fmax(min[a], low), max[a] = fmin(max[a], high);
        }
        RESULT_TRY(check_span((char)('x' + a), min[a], max[a], is_empty, &def->domain));
    }
    f->body = whole;
    if (!is_cut) return DEW_OK;
    dew_shape_def box = dew_box((dew_vec3){min[0], min[1], min[2]}, (dew_vec3){max[0], max[1], max[2]});
    RESULT_TRY(shape_create(&f->box, &box, def->spacing));
    RESULT_TRY(shape_join(&f->cut, DEW_SHAPE_INTERSECTION, (const shape *const[]){whole, f->box}, 2));
    f->body = f->cut;
    return DEW_OK;
}

/* Drops what still lies in a solid or a wall: solids may have moved before time 0. What is only too near is moved off,
 * as dropping it would take from the liquid's mass. */
static dew_result clear_of_solids(filling *f, const dew_simulation *s)
{
    if (solids_count(s->w.solids) == 0) return DEW_OK;
    f->walls = aligned_obtain((size_t)f->count * sizeof *f->walls);
    f->which = malloc((size_t)f->count * sizeof *f->which);
    if (!f->walls || !f->which) return no_memory();
    /* A corner has three walls at most, from each of which a particle is moved off once. */
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
            dew_result result = result_fail(DEW_INVALID, "its %c component is %s at (%.4g, %.4g, %.4g) m", 'x' + axis,
                                            isnan(out[i]) ? "not a number" : "infinite", x[i], y[i], z[i]);
            return result_under(result, "velocity");
        }
    }
    return DEW_OK;
}

static dew_result place(filling *f, const dew_simulation *s, const dew_liquid_def *liquid, dew_fill fill)
{
    dew_result result =
        shape_fill(f->body, fill, f->number, s->w.dimension, s->w.spacing, f->avoid, &f->places, &f->count);
    if (result == DEW_OK) result = clear_of_solids(f, s);
    if (result == DEW_OK && f->count == 0)
        result = result_fail(
            DEW_INVALID, "no particle %g m wide fits into the shape; make it larger or spacing smaller", s->w.spacing);
    return result == DEW_OK ? set_velocities(f, liquid) : result_under(result, "shape");
}

/* Whether a liquid can be filled, when it is not going to be: a lattice is made much faster than a relaxed filling, and
 * tells as much unless it has hardly a site. A shape that has room for very many particles is hardly empty. */
enum { FEW = 8 };
static dew_result try_to_place(filling *f, const dew_simulation *s, const dew_liquid_def *liquid)
{
    bounds b = shape_bounds(f->body);
    double volume =
        (b.max.x - b.min.x) * (b.max.y - b.min.y) * (s->w.dimension == 2 ? s->w.spacing : b.max.z - b.min.z);
    if (volume > 3e6 * pow(s->w.spacing, 3)) return DEW_OK;
    if (place(f, s, liquid, DEW_FILL_CUBIC) == DEW_OK && f->count >= FEW) return DEW_OK;
    release_places(f);
    return place(f, s, liquid, liquid->fill);
}

/* What liquids keep clear of: solids, but for those whose motion has them elsewhere at the start, where clear_of_solids
 * sees them; then the liquids before. */
typedef struct taken {
    const shape **parts;
    int count;
    shape **liquids; /* owned */
} taken;

static dew_result taken_begin(taken *t, const dew_simulation *s, int liquid_count)
{
    int solid_count = solids_count(s->w.solids);
    t->parts = calloc((size_t)(solid_count + liquid_count) + 1, sizeof *t->parts);
    t->liquids = calloc((size_t)liquid_count + 1, sizeof *t->liquids);
    if (!t->parts || !t->liquids) return no_memory();
    for (int i = 0; i < solid_count; i++) {
        const shape *solid = solids_shape(s->w.solids, i);
        if (solid && solids_is_in_place(s->w.solids, i) && !solids_is_removed(s->w.solids, i))
            t->parts[t->count++] = solid;
    }
    return DEW_OK;
}

static void taken_free(taken *t, int liquid_count)
{
    for (int i = 0; t->liquids && i < liquid_count; i++) shape_destroy(t->liquids[i]);
    free(t->liquids);
    free(t->parts);
}

static dew_result fail_inside(const dew_simulation_def *def, int index, int holder)
{
    const char *name[2] = {"?", "?"};
    for (int k = 0; k < 2; k++) {
        int material = def->liquids[k ? holder : index].material;
        if (material >= 0 && material < def->material_count && def->materials[material].name)
            name[k] = def->materials[material].name;
    }
    dew_result result = result_fail(DEW_INVALID,
                                    "liquids[%d] ('%s') begins inside liquids[%d] ('%s'), which comes first and fills "
                                    "the place; put liquids[%d] before it, and the other is filled around it",
                                    index, name[0], holder, name[1], index);
    return result_under(result, "shape");
}

static dew_result fill_liquid(dew_simulation *s, const dew_simulation_def *def, int index, filling *f, taken *t,
                              bool is_trial)
{
    const dew_liquid_def *liquid = &def->liquids[index];
    dew_result result = shape_create(&t->liquids[index], &liquid->shape, def->spacing);
    if (result == DEW_OK) result = choose_body(f, def, t->liquids[index]);
    if (result != DEW_OK) return result_under(result, "shape");
    int holder = foresee_covered(s, t->liquids, index);
    if (holder >= 0) return fail_inside(def, index, holder);
    if (t->count > 0) RESULT_TRY(shape_join(&f->avoid, DEW_SHAPE_UNION, t->parts, t->count));
    t->parts[t->count++] = t->liquids[index];
    if (is_trial) return try_to_place(f, s, liquid);
    RESULT_TRY(place(f, s, liquid, liquid->fill));
    int begin = s->particles.count;
    RESULT_TRY(particles_insert(&s->particles, f->count, f->places, f->velocities, (uint8_t)liquid->material));
    if (s->w.solute) RESULT_TRY(solute_begin(s->w.solute, &s->particles, begin, liquid, 0));
    return s->w.heat ? heat_begin(s->w.heat, &s->particles, begin, liquid, NAN) : DEW_OK;
}

static void measure_extent(dew_simulation *s, const dew_simulation_def *def)
{
    bounds b = bounds_empty();
    for (int i = 0; i < s->particles.count; i++) {
        real4 a = s->particles.position[i];
        bounds_add(&b, (dew_vec3){a.x, a.y, a.z});
    }
    for (int i = 0; i < s->emitter_count; i++) {
        for (int k = 0; k < s->emitters[i].site_count; k++) bounds_add(&b, s->emitters[i].sites[k]);
    }
    s->centre = bounds_centre(b);
    s->size = fmax(bounds_diagonal(b), def->spacing);
    for (int a = 0; a < 3; a++) {
        double length = vec3_at(def->domain.max, a) - vec3_at(def->domain.min, a);
        if (s->w.domain.axis[a] != DEW_OPEN) s->size = fmax(s->size, length);
    }
}

dew_result simulation_fill(dew_simulation *s, const dew_simulation_def *def, failures *all, bool is_trial)
{
    taken t = {.count = 0};
    dew_result begun = taken_begin(&t, s, def->liquid_count);
    int *first = calloc((size_t)def->liquid_count + 1, sizeof *first); /* of the particles of each */
    if (!first && begun == DEW_OK) begun = no_memory();
    for (int i = 0; i < def->liquid_count && begun == DEW_OK; i++) {
        first[i] = s->particles.count;
        if (failures_concern(all, "liquids[%d]", i)) continue;
        filling f = {.number = def->filling};
        dew_result result = fill_liquid(s, def, i, &f, &t, is_trial);
        filling_free(&f);
        failures_add(all, result, "liquids[%d]", i);
    }
    if (begun == DEW_OK && !failures_concern(all, "solids")) {
        first[def->liquid_count] = s->particles.count;
        foresee_thin_solids(s, t.liquids, first, def->liquid_count, all);
    }
    free(first);
    taken_free(&t, def->liquid_count);
    measure_extent(s, def);
    return begun;
}
