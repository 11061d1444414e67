/* Is a definition one that can be simulated? Every value that is wrong is named by its path, with what would be right:
 * ranges and features as the tables say, then what concerns several values at once. */
#include "definition/changes.h"

#include "base/real.h"
#include "base/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct check {
    failures *all;
    const dew_simulation_def *def; /* of which a part is looked at; NULL: what is looked at belongs to none */
    const definition_judge *judge;
    unsigned lacking; /* features that have been found wanting */
    bool has_holes;   /* a list is announced but not there */
    size_t length;    /* of the path */
    char path[256];   /* to what is looked at */
} check;

#define MOST_FRAMES 1e9

/* --- saying --- */

/* Goes on to a part ("radius", "[2]"); what it returns leads back. */
__attribute__((format(printf, 2, 3))) static size_t enter(check *c, const char *format, ...)
{
    size_t before = c->length;
    if (before > 0 && *format != '[') c->path[c->length++] = '.';
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(c->path + c->length, sizeof c->path - c->length, format, arguments);
    va_end(arguments);
    c->length += (size_t)length;
    if (c->length > sizeof c->path - 2) c->length = sizeof c->path - 2; /* nobody nests as deep */
    return before;
}

static void leave(check *c, size_t before)
{
    c->length = before;
    c->path[before] = 0;
}

/* What stands here is wrong: a sentence of its own. */
#define SAY(c, advice, ...) failures_note((c)->all, (c)->path, 0, advice, __VA_ARGS__)
/* What stands at a part of this place is wrong: SAY or say_of_it is said there. */
#define AT_PART(c, part, say, ...)                                                                                     \
    do {                                                                                                               \
        size_t here_ = enter(c, "%s", part);                                                                           \
        say(c, __VA_ARGS__);                                                                                           \
        leave(c, here_);                                                                                               \
    } while (0)

/* What stands here is wrong: a sentence of which it is the subject ("is -1"). */
__attribute__((format(printf, 3, 4))) static void say_of_it(check *c, const char *advice, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const char *dot = strrchr(c->path, '.'), *key = dot ? dot + 1 : c->path;
    failures_note(c->all, c->path, strlen(key), advice, "%s %s", key, text);
}

static bool lacks(const check *c, unsigned features)
{
    return c->judge && c->judge->method && !(c->judge->method->features & features);
}

/* `part`: of this place, what asks for the features; "": the place itself. */
static void need_feature(check *c, const char *part, unsigned features, const char *what)
{
    if (!lacks(c, features)) return;
    c->lacking |= features;
    size_t before = *part ? enter(c, "%s", part) : c->length;
    SAY(c, c->judge->who_can ? c->judge->who_can(features) : NULL, "method '%s' cannot do %s", c->judge->method->name,
        what ? what : dew_feature_name(features));
    leave(c, before);
}

/* --- values --- */

static void check_number(check *c, const dew_property *p, double value)
{
    char text[160];
    if (property_is_wrong(p, value, text, sizeof text)) say_of_it(c, NULL, "%s", text);
}

static void check_vector(check *c, const dew_property *p, const double v[3])
{
    if (p->flags & DEW_PROPERTY_DIRECTION && v[0] == 0 && v[1] == 0 && v[2] == 0)
        say_of_it(c, "for example [0, 0, 1]", "has no direction: all of it is 0");
    for (int k = 0; k < 3; k++) {
        size_t before = enter(c, "[%d]", k);
        check_number(c, p, v[k]);
        leave(c, before);
    }
}

static void check_material(check *c, int value, int count)
{
    if (value < 0 || value >= count) say_of_it(c, NULL, "is %d; there are %d, numbered from 0", value, count);
}

static void check_which_solid(check *c, int value, int count)
{
    if (value < -1 || value >= count) say_of_it(c, NULL, "is %d; there are %d, numbered from 0", value, count);
}

/* Checks how many entries a list has. */
static void check_number_of(check *c, const dew_property *p, int count)
{
    if (!(p->min < p->max) || (count >= p->min && count <= p->max)) return;
    if (isfinite(p->max))
        say_of_it(c, p->sentence, "holds %d; %g to %g are possible", count, p->min, p->max);
    else
        say_of_it(c, p->sentence, "holds %d; there must be at least %g", count, p->min);
}

static void check_record(check *c, const dew_property_table *table, const void *object);

static bool is_flat(const dew_shape_def *s) { return s->kind == DEW_SHAPE_DISC || s->kind == DEW_SHAPE_RECTANGLE; }

/* False where there is no shape of the sort that is wanted: a body, or what liquid flows through. */
static bool check_sort(check *c, const dew_shape_def *s, bool is_to_be_flat)
{
    if ((int)s->kind <= DEW_SHAPE_NONE || s->kind >= DEW_SHAPE_KINDS)
        SAY(c, "for example {sphere: {centre: [0, 0, 0], radius: 1 mm}}", "no shape is given");
    else if (is_to_be_flat && !is_flat(s))
        SAY(c, "use a disc or a rectangle", "liquid can only flow in through a flat shape");
    else if (!is_to_be_flat && is_flat(s))
        SAY(c, "use a cylinder or a box; flat shapes are for emitters", "a body cannot be flat");
    else
        return true;
    return false;
}

static void check_items(check *c, const dew_property *p, const void *object)
{
    int count;
    const char *items = property_items(p, object, &count);
    bool is_list = p->type == DEW_PROPERTY_LIST;
    if (count < 0 || (count > 0 && !items)) {
        say_of_it(c, NULL, "announces %d, but none is given", count);
        c->has_holes = true;
        return;
    }
    if (is_list) check_number_of(c, p, count);
    for (int k = 0; k < count; k++, items += p->table->size) {
        size_t before = is_list ? enter(c, "[%d]", k) : c->length;
        if (p->table != &shape_table || check_sort(c, (const void *)items, p->flags & DEW_PROPERTY_FLAT))
            check_record(c, p->table, items);
        leave(c, before);
    }
    if (!is_list && count == 0) SAY(c, p->sentence, "nothing is given");
}

static void check_property(check *c, const dew_property *p, const void *object)
{
    const void *value = (const char *)object + p->offset;
    const dew_function *functions = property_functions(p, object);
    bool is_function = functions && functions[0].evaluate && p->type == DEW_PROPERTY_NUMBER;
    if (p->flags & DEW_PROPERTY_FUNCTION_ONLY) {
        if (p->flags & DEW_PROPERTY_REQUIRED && !is_function) SAY(c, p->sentence, "no function is given");
        return;
    }
    switch (p->type) {
    case DEW_PROPERTY_NUMBER:
        if (!is_function) check_number(c, p, *(const double *)value);
        break;
    case DEW_PROPERTY_INTEGER:
        check_number(c, p, *(const int *)value);
        break;
    case DEW_PROPERTY_WORD:
        if (*(const int *)value < 0 || *(const int *)value >= words_count(p->words))
            say_of_it(c, NULL, "is %d; the words %s are numbered from 0", *(const int *)value, p->words);
        break;
    case DEW_PROPERTY_VECTOR:
        if (!(p->flags & DEW_PROPERTY_CONDITIONAL)) check_vector(c, p, value);
        break;
    case DEW_PROPERTY_MATERIAL:
        if (c->def && c->def->material_count > 0) check_material(c, *(const int *)value, c->def->material_count);
        break;
    case DEW_PROPERTY_SOLID:
        if (c->def) check_which_solid(c, *(const int *)value, c->def->solid_count);
        break;
    case DEW_PROPERTY_RECORD:
    case DEW_PROPERTY_LIST:
        check_items(c, p, object);
        break;
    case DEW_PROPERTY_TEXTS:
        check_number_of(c, p, *(const int *)((const char *)object + p->count_offset));
        break;
    default: /* texts may be anything, and geometry checks meshes */
        break;
    }
}

static void enter_and_check(check *c, const dew_property_table *table, int k, const void *object)
{
    const dew_property *p = property_in_use(&table->properties[k], object);
    bool matters = !c->def || property_matters(p, c->def), is_thorough = c->judge && c->judge->try_shape;
    if (!property_counts(table, p, object) || !(matters || is_thorough)) return;
    size_t before = table->is_row ? enter(c, "[%d]", k) : enter(c, "%s", p->key);
    check_property(c, p, object);
    if (p->feature && matters && !(p->flags & DEW_PROPERTY_REFINES) && property_is_given(p, object))
        need_feature(c, "", p->feature, NULL);
    leave(c, before);
}

/* --- several values at once: shapes --- */

/* Two places of a shape must differ; the second is said to be wrong. */
static void need_apart(check *c, const char *first, const char *second, dew_vec3 a, dew_vec3 b)
{
    if (!(vec3_length(vec3_sub(a, b)) > 0))
        SAY(c, NULL, "%s and %s are the same point; they must be apart", first, second);
}

static void need_corners(check *c, dew_vec3 min, dew_vec3 max)
{
    for (int axis = 0; axis < 3; axis++)
        if (!(vec3_at(min, axis) < vec3_at(max, axis)))
            AT_PART(c, "max", SAY,
                    axis == 2 && c->def && c->def->dimension == 2 ? "in two dimensions let z go from -1 to 1 m"
                                                                  : "max must be above min on each axis",
                    "%c: max %g m is not above min %g m", "xyz"[axis], vec3_at(max, axis), vec3_at(min, axis));
}

static void check_rounding(check *c, const dew_shape_def *s)
{
    dew_vec3 size = vec3_sub(s->box.max, s->box.min);
    double most = fmin(size.x, fmin(size.y, size.z)) / 2;
    if (most > 0 && s->box.rounding > most)
        AT_PART(c, "rounding", say_of_it, NULL, "is %g; it must lie between 0 and half the shortest edge, %g m",
                s->box.rounding, most);
}

static void check_torus(check *c, const dew_shape_def *s)
{
    if (s->torus.minor_radius >= s->torus.major_radius)
        AT_PART(c, "minor_radius", say_of_it, "the tube must not close the hole",
                "is %g; it must be below major_radius, %g m", s->torus.minor_radius, s->torus.major_radius);
}

static void check_rectangle(check *c, const dew_shape_def *s)
{
    if (!(vec3_length(vec3_cross(s->rectangle.half_u, s->rectangle.half_v)) > 0))
        AT_PART(c, "half_v", SAY, "take two directions that differ",
                "half_u and half_v are parallel: the rectangle has no area");
}

static void check_kind(check *c, const dew_shape_def *s, const char *key)
{
    size_t before = enter(c, "%s", key);
    switch (s->kind) {
    case DEW_SHAPE_BOX:
        need_corners(c, s->box.min, s->box.max), check_rounding(c, s);
        break;
    case DEW_SHAPE_IMPLICIT:
        need_corners(c, s->implicit.min, s->implicit.max);
        break;
    case DEW_SHAPE_HEIGHT:
        need_corners(c, s->height.min, s->height.max);
        break;
    case DEW_SHAPE_CYLINDER:
    case DEW_SHAPE_CAPSULE: /* the same layout */
        need_apart(c, "from", "to", s->cylinder.from, s->cylinder.to);
        break;
    case DEW_SHAPE_CONE:
        need_apart(c, "base", "apex", s->cone.base, s->cone.apex);
        break;
    case DEW_SHAPE_TORUS:
        check_torus(c, s);
        break;
    case DEW_SHAPE_RECTANGLE:
        check_rectangle(c, s);
        break;
    default:
        break;
    }
    leave(c, before);
}

static void check_shape(check *c, const void *object)
{
    const dew_shape_def *s = object;
    for (int k = 0; k < shape_table.count; k++)
        if (shape_table.properties[k].kind == (int)s->kind && s->kind) check_kind(c, s, shape_table.properties[k].key);
    bool is_subtle = s->kind == DEW_SHAPE_IMPLICIT || s->kind == DEW_SHAPE_HEIGHT;
    if (!is_subtle || !c->judge || !c->judge->try_shape || !c->def || failures_concern(c->all, "%s", c->path)) return;
    failures_add(c->all, c->judge->try_shape(s, c->def->spacing > 0 ? c->def->spacing : 1e-4), "%s", c->path);
}

/* --- several values at once: all else --- */

static bool has_functions(const dew_motion_def *m)
{
    for (int k = 0; k < 3; k++)
        if (m->translation_of[k].evaluate || m->rotation_of[k].evaluate) return true;
    return false;
}

static void check_motion(check *c, const void *object)
{
    const dew_motion_def *m = object;
    size_t before = enter(c, "keyframes");
    if (m->keyframe_count > 0 && has_functions(m))
        SAY(c, "keep one of them", "a motion has either keyframes or expressions, not both");
    for (int k = 1; m->keyframes && k < m->keyframe_count; k++) {
        size_t at = enter(c, "[%d]", k);
        if (m->keyframes[k].time <= m->keyframes[k - 1].time)
            SAY(c, "keyframes must follow each other in time",
                "the keyframe at %g s is not after the one before, at %g s", m->keyframes[k].time,
                m->keyframes[k - 1].time);
        leave(c, at);
    }
    leave(c, before);
}

static void check_span(check *c, const char *what, double from, double to)
{
    if (to <= from) AT_PART(c, "to", SAY, NULL, "the %s ends at %g s, before it begins at %g s", what, to, from);
}

static void check_emitter(check *c, const void *object)
{
    const dew_emitter_def *e = object;
    check_span(c, "emitter", e->from, e->to);
}

static void check_source(check *c, const void *object)
{
    const dew_heat_source_def *s = object;
    check_span(c, "heat source", s->from, s->to);
    if (s->power == 0 && s->flux == 0)
        SAY(c, "give it a power (W/m3), a flux (W/m2), or both", "the heat source gives no heat");
}

/* A half space that the domain cuts on every axis has an end. */
static void check_liquid(check *c, const void *object)
{
    const dew_liquid_def *liquid = object;
    bool is_open = false;
    for (int axis = 0; c->def && axis < 3 && axis < c->def->dimension; axis++)
        is_open |= c->def->domain.axis[axis] == DEW_OPEN;
    if (is_open && liquid->shape.kind == DEW_SHAPE_PLANE)
        AT_PART(c, "shape", SAY, "use a box, or its intersection with the plane",
                "a liquid cannot be endless, as a half space is");
}

/* How liquid slips on a wall: lengths and friction exclude each other, and not every method can do all. */
static void check_slip(check *c, double slip_length, double friction)
{
    if (!isfinite(slip_length)) return;
    if (friction > 0)
        AT_PART(c, "friction", SAY, "leave out the one or the other",
                "friction acts where liquid slips freely, and the slip length here is %g m", slip_length);
    if (slip_length >= 0)
        need_feature(c, "slip_length", slip_length > 0 ? DEW_FEATURE_SLIP_LENGTH : DEW_FEATURE_NO_SLIP, NULL);
}

static void check_hysteresis(check *c, const void *object)
{
    const dew_hysteresis *h = object;
    if (h->advancing < h->receding)
        AT_PART(c, "advancing", say_of_it, "the line advances at the larger angle",
                "is %g deg; it must be at least the receding one, %g deg", h->advancing, h->receding);
}

/* To part liquid from a solid takes work: W_a = solid + tension - between (Dupre). */
static void check_adhesion(check *c, const dew_solid_def *solid)
{
    for (int m = 0; m < definition_liquid_count(c->def, c->judge ? c->judge->method : NULL); m++) {
        const dew_material_def *liquid = &c->def->materials[m];
        dew_solid_def one = definition_solid_of(solid, m);
        double tension = liquid->surface_tension, work = one.solid_energy + tension - one.between_energy;
        bool is_known = one.has_surface_energy && tension > 0 && !liquid->surface_tension_of_temperature.evaluate;
        if (!is_known || !isfinite(work) || work > 0) continue;
        int own = -1;
        for (int k = 0; k < solid->wets_count; k++)
            if (solid->wets[k].material == m) own = k;
        size_t before = own < 0 ? c->length : enter(c, "wets[%d]", own);
        AT_PART(c, "surface_energy", SAY, "`between` must be below the sum of `solid` and the surface tension",
                "the liquid '%s' would push itself off: to part it from the solid takes solid + surface_tension - "
                "between = %g J/m2",
                liquid->name ? liquid->name : "", work);
        leave(c, before);
        if (own < 0) return; /* which the others share */
    }
}

static void check_solid(check *c, const void *object)
{
    const dew_solid_def *solid = object;
    if (c->def && c->def->materials) check_adhesion(c, solid);
    check_slip(c, solid->slip_length, solid->friction);
    if (solid->has_rigid && (solid->motion.keyframe_count > 0 || has_functions(&solid->motion)))
        AT_PART(c, "motion", SAY, "keep one of them", "a solid has either a motion or a rigid, not both");
    if (!c->def || solid->wets_count < 1 || !solid->wets) return;
    bool is_same;
    definition_plain_solid(c->def, solid, &is_same);
    if (!is_same) need_feature(c, "wets", DEW_FEATURE_WETTING_PAIRS, NULL);
}

static void check_elasticity(check *c, const void *object)
{
    const dew_material_def *m = object;
    bool is_elastic = m->youngs_modulus > 0 || m->shear_modulus > 0;
    if (m->youngs_modulus > 0 && m->shear_modulus > 0)
        AT_PART(c, "shear_modulus", SAY, "leave out the one or the other",
                "one modulus is enough: youngs_modulus and poisson_ratio give a shear modulus, %g Pa",
                m->youngs_modulus / (2 * (1 + m->poisson_ratio)));
    if (!is_elastic && isfinite(m->yield_stress))
        AT_PART(c, "yield_stress", SAY, "give it a shear_modulus", "what is not elastic has no yield stress");
    if (!is_elastic && isfinite(m->relaxation_time))
        AT_PART(c, "relaxation_time", SAY, "give it a shear_modulus", "what is not elastic has no stress to relax");
}

static void check_rigid(check *c, const void *object)
{
    const dew_rigid_def *r = object;
    bool has_density = !isnan(r->density), has_mass = !isnan(r->mass);
    if (!has_density && !has_mass)
        SAY(c, "give it a density (kg/m3) or a mass (kg)", "the body has no mass: neither density nor mass is given");
    if (has_density && has_mass)
        AT_PART(c, "mass", SAY, "keep one of them", "a body has either a density or a mass, not both");
    dew_vec3 i = r->inertia;
    double most = fmax(i.x, fmax(i.y, i.z));
    if (c->def && c->def->dimension == 3 && most > 0 &&
        (!(i.x > 0 && i.y > 0 && i.z > 0) || 2 * most > i.x + i.y + i.z))
        AT_PART(c, "inertia", SAY, "each must be above 0 and none above the sum of the two others",
                "no body has the moments %g, %g, %g kg m2", i.x, i.y, i.z);
    if (c->def && c->def->dimension == 2 && (r->velocity.z != 0 || r->spin.x != 0 || r->spin.y != 0))
        SAY(c, "velocity: [vx, vy, 0], spin: [0, 0, w]", "two dimensions are the plane z = 0: the body would leave it");
}

static bool is_rigid(const dew_simulation_def *def, int solid)
{
    return solid >= 0 && solid < def->solid_count && def->solids && def->solids[solid].has_rigid;
}

/* A key that only one kind of joint has. */
static void check_joint_key(check *c, bool is_given, bool may_be, const char *key, const char *kind)
{
    if (is_given && !may_be) AT_PART(c, key, SAY, "leave it out", "only a %s has %s", kind, key);
}

static void check_joint(check *c, const void *object)
{
    const dew_joint_def *j = object;
    bool is_hinge = j->kind == DEW_JOINT_HINGE, is_slider = j->kind == DEW_JOINT_SLIDER;
    check_joint_key(c, j->has_angles, is_hinge, "angles", "hinge");
    check_joint_key(c, j->has_motor, is_hinge, "motor", "hinge");
    check_joint_key(c, j->has_range, is_slider, "range", "slider");
    check_joint_key(c, j->has_drive, is_slider, "drive", "slider");
    if (!c->def || failures_concern(c->all, "solids") || failures_concern(c->all, "%s", c->path)) return;
    if (j->first == j->second && j->first >= 0)
        AT_PART(c, "between", SAY, "name two solids, or the body alone to hold it to the world",
                "a joint of a body with itself holds nothing");
    else if (!is_rigid(c->def, j->first))
        AT_PART(c, "between", SAY, "give the first solid of the joint `rigid: {density: ...}`, or name it second",
                "the joint holds no rigid body: its first solid is not one");
    if (c->def->dimension == 2 && is_hinge && (j->axis.x != 0 || j->axis.y != 0))
        AT_PART(c, "axis", SAY, "axis: [0, 0, 1]", "in two dimensions a hinge turns about z");
    if (c->def->dimension == 2 && is_slider && j->axis.z != 0)
        AT_PART(c, "axis", SAY, "for example axis: [0, 1, 0]", "in two dimensions a slider moves in the plane z = 0");
}

static void check_interface(check *c, const void *object)
{
    const dew_interface_def *i = object;
    if (i->between[0] == i->between[1])
        AT_PART(c, "between", SAY, NULL, "an interface lies between two materials that differ");
    const dew_material_def *of = c->def ? c->def->materials : NULL;
    int first = i->between[0], second = i->between[1], count = c->def ? c->def->material_count : 0;
    if (!of || first < 0 || second < 0 || first >= count || second >= count) return;
    double most = of[first].surface_tension + of[second].surface_tension;
    bool is_function =
        of[first].surface_tension_of_temperature.evaluate || of[second].surface_tension_of_temperature.evaluate;
    if (!is_function && i->surface_tension > most * (1 + 1e-9))
        AT_PART(c, "surface_tension", say_of_it, "liquids with more between them would part and let gas in",
                "is %g; it must be at most the sum of both liquids' own, %g N/m", i->surface_tension, most);
}

static void check_axis(check *c, const dew_domain_def *d, int axis, bool has_size, double min, double max)
{
    const char key[2] = {"xyz"[axis], 0};
    if ((!(max > min) || !isfinite(max - min)) && has_size)
        AT_PART(c, "max", SAY, "max must be above min on each axis that is not open",
                "%s: max %g m is not above min %g m", key, max, min);
    double least = 8 * c->def->spacing;
    if (d->axis[axis] == DEW_PERIODIC && max > min && c->def->spacing > 0 && max - min < least)
        AT_PART(c, key, SAY, NULL, "the periodic axis %s is %g m long; it needs at least 8 spacings (%g m)", key,
                max - min, least);
    if (d->axis[axis] == DEW_PERIODIC) need_feature(c, key, DEW_FEATURE_PERIODIC, NULL);
    if (d->axis[axis] == DEW_SYMMETRY) need_feature(c, key, DEW_FEATURE_SYMMETRY, NULL);
}

static void check_domain(check *c, const void *object)
{
    const dew_domain_def *d = object;
    bool is_open = true, has_size = false;
    for (int a = 0; a < 3; a++)
        is_open &= d->axis[a] == DEW_OPEN, has_size |= vec3_at(d->min, a) != 0 || vec3_at(d->max, a) != 0;
    if (!c->def || is_open) return;
    check_slip(c, d->slip_length, d->friction);
    if (!has_size)
        AT_PART(c, "min", SAY, "give min: [x, y, z] and max: [x, y, z]",
                "the domain is not open, so it needs min and max");
    for (int a = 0; a < c->def->dimension && a < 3; a++)
        if (d->axis[a] != DEW_OPEN) check_axis(c, d, a, has_size, vec3_at(d->min, a), vec3_at(d->max, a));
}

static void check_parameter(check *c, const dew_method_info *info, const dew_parameter_value *given)
{
    const dew_parameter *p = NULL;
    for (int i = 0; given->name && i < info->parameter_count; i++)
        if (strcmp(info->parameters[i].name, given->name) == 0) p = &info->parameters[i];
    if (!p)
        SAY(c, "`dew list` and the method's name show those it has", "method '%s' has no parameter '%s'", info->name,
            given->name ? given->name : "");
    else if (p->choices && given->text && words_find(p->choices, given->text) < 0)
        say_of_it(c, NULL, "is '%s'; it must be one of %s", given->text, p->choices);
    else if (!p->choices && given->text)
        say_of_it(c, NULL, "is '%s'; it must be a number (%s)", given->text, p->unit);
    else if (!given->text)
        check_number(c, &(dew_property){.unit = p->unit, .min = p->min, .max = p->max}, given->number);
}

static void check_parameters(check *c, const dew_simulation_def *def, const dew_method_info *info)
{
    for (int k = 0; k < def->parameter_count && def->parameters; k++) {
        size_t before = enter(c, "%s.%s", info->name, def->parameters[k].name ? def->parameters[k].name : "");
        check_parameter(c, info, &def->parameters[k]);
        leave(c, before);
    }
}

/* Features that no single value asks for. */
static void check_features(check *c, const dew_simulation_def *def)
{
    if (def->dimension == 2) need_feature(c, "dimension", DEW_FEATURE_2D, "dimension 2");
    if (def->dimension == 3) need_feature(c, "dimension", DEW_FEATURE_3D, "dimension 3");
    if (def->material_count > 1)
        need_feature(c, "materials[1]", DEW_FEATURE_SEVERAL_LIQUIDS | DEW_FEATURE_GAS, "more than one liquid");
    if (def->has_heat && !(c->lacking & DEW_FEATURE_HEAT)) need_feature(c, "heat", DEW_FEATURE_HEAT, NULL);
    if (def->has_solute && !(c->lacking & DEW_FEATURE_SOLUTE)) need_feature(c, "", DEW_FEATURE_SOLUTE, NULL);
}

static void check_simulation(check *c, const void *object)
{
    const dew_simulation_def *def = object;
    if (def->duration * def->frame_rate > MOST_FRAMES)
        AT_PART(c, "duration", say_of_it, NULL,
                "is %g s, which is %.3g frames at a frame_rate of %g 1/s; %.0e are possible", def->duration,
                def->duration * def->frame_rate, def->frame_rate, MOST_FRAMES);
    if (def->liquid_count + def->emitter_count < 1)
        AT_PART(c, "liquids", SAY, "for example liquids: [{shape: {sphere: {centre: [0, 0, 0], radius: 1 mm}}}]",
                "there is neither a liquid nor an emitter");
    if (def->threads < 0)
        AT_PART(c, "threads", say_of_it, NULL, "is %d; it must be 0 (all cores) or more", def->threads);
    check_features(c, def);
    if (!c->has_holes) changes_check(def, c->judge, c->all);
    if (c->judge && c->judge->method) check_parameters(c, def, c->judge->method);
}

static void check_together(check *c, const dew_property_table *table, const void *object)
{
    static const struct {
        const dew_property_table *table;
        void (*check)(check *c, const void *object);
    } all[] = {
        {&shape_table, check_shape},   {&motion_table, check_motion},       {&liquid_table, check_liquid},
        {&solid_table, check_solid},   {&emitter_table, check_emitter},     {&heat_source_table, check_source},
        {&domain_table, check_domain}, {&interface_table, check_interface}, {&hysteresis_table, check_hysteresis},
        {&rigid_table, check_rigid},   {&joint_table, check_joint},         {&material_table, check_elasticity}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (all[k].table == table) all[k].check(c, object);
    if (table == dew_schema()) check_simulation(c, object);
}

static void check_record(check *c, const dew_property_table *table, const void *object)
{
    for (int k = 0; k < table->count; k++) enter_and_check(c, table, k, object);
    check_together(c, table, object);
}

/* --- from outside --- */

bool definition_check(const dew_simulation_def *def, const definition_judge *judge, failures *all)
{
    check c = {.all = all, .def = def, .judge = judge};
    check_record(&c, dew_schema(), def);
    return !c.has_holes;
}

void definition_check_part(const dew_simulation_def *def, const char *key, failures *all)
{
    check c = {.all = all, .def = def};
    const dew_property_table *table = dew_schema();
    for (int k = 0; k < table->count; k++)
        if (strcmp(table->properties[k].key, key) == 0) enter_and_check(&c, table, k, def);
}

void definition_check_record(const dew_property_table *table, const void *object, const char *path, failures *all)
{
    check c = {.all = all};
    enter(&c, "%s", path);
    check_record(&c, table, object);
}

dew_result definition_check_shape(const dew_shape_def *shape)
{
    failures all = {.result = DEW_OK};
    check c = {.all = &all};
    if (check_sort(&c, shape, false)) check_record(&c, &shape_table, shape);
    return failures_end(&all);
}
