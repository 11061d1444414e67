/* Is a definition one that can be simulated? Every number that is wrong is named, with what would be right. Shapes are
 * checked where they are made. */
#include "sim/simulation.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct complaints {
    failures *all;
    char where[128]; /* "material 2 (\"oil\")" */
    bool *is_wrong;  /* set where it is not NULL: the part is not to be made */
} complaints;

__attribute__((format(printf, 2, 3))) static void complain(complaints *c, const char *format, ...)
{
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    failures_add(c->all, result_fail(DEW_INVALID, "%s%s%s", c->where, *c->where ? ": " : "", line));
    if (c->is_wrong) *c->is_wrong = true;
}

static void at(complaints *c, const char *kind, int index, const char *name, bool *is_wrong)
{
    c->is_wrong = is_wrong;
    if (name && *name)
        snprintf(c->where, sizeof c->where, "%s %d (\"%.60s\")", kind, index, name);
    else
        snprintf(c->where, sizeof c->where, "%s %d", kind, index);
}

#define MOST_FRAMES 1e9
/* Beyond it the squares of single precision are infinite. */
#define MOST 1e18

static void nowhere(complaints *c) { c->where[0] = 0, c->is_wrong = NULL; }

static void need_positive(complaints *c, const char *name, double value, const char *unit)
{
    if (!(value > 0)) complain(c, "%s is %g; it must be above 0 %s", name, value, unit);
    if (value > MOST) complain(c, "%s is %g; it must be below %g %s", name, value, MOST, unit);
}

static void need_not_negative(complaints *c, const char *name, double value, const char *unit)
{
    if (!(value >= 0)) complain(c, "%s is %g; it must be 0 %s or more", name, value, unit);
    if (value > MOST) complain(c, "%s is %g; it must be below %g %s", name, value, MOST, unit);
}

static void need_range(complaints *c, const char *name, double value, double min, double max, const char *unit)
{
    if (!(value >= min && value <= max)) {
        complain(c, "%s is %g; it must lie in %g .. %g%s%s", name, value, min, max, *unit ? " " : "", unit);
    }
}

static void need_finite(complaints *c, const char *name, dew_vec3 v)
{
    if (!(fabs(v.x) < MOST && fabs(v.y) < MOST && fabs(v.z) < MOST)) {
        complain(c, "%s is (%g, %g, %g); each component must be a number below %g", name, v.x, v.y, v.z, MOST);
    }
}

static void need_material(complaints *c, int index, int count)
{
    if (index < 0 || index >= count) {
        complain(c, "material is %d; the simulation has %d, numbered from 0", index, count);
    }
}

static void check_motion(complaints *c, const dew_motion_def *motion)
{
    for (int k = 0; k < motion->keyframe_count; k++) {
        const dew_keyframe *key = &motion->keyframes[k];
        if (!isfinite(key->time))
            complain(c, "keyframe %d: time is %g; it must be a finite number of seconds", k, key->time);
        if (k > 0 && !(key->time > key[-1].time)) {
            complain(c, "keyframe %d: time %g s is not after the one before it (%g s)", k, key->time, key[-1].time);
        }
        need_finite(c, "a keyframe's translation", key->translation);
        need_finite(c, "a keyframe's rotation", key->rotation);
    }
}

static void check_boundary(complaints *c, const dew_heat_boundary *b)
{
    need_not_negative(c, "heat.transfer", b->transfer, "W/(m2 K)");
    need_not_negative(c, "heat.surroundings", b->surroundings, "K");
    if (!isfinite(b->flux)) complain(c, "heat.flux is %g; it must be a finite number of W/m2", b->flux);
}

static void check_temperature(complaints *c, double temperature)
{
    if (!isnan(temperature)) need_not_negative(c, "temperature", temperature, "K");
}

static void check_heat(complaints *c, const dew_simulation_def *def, const dew_method_info *info)
{
    nowhere(c);
    if (!def->has_heat) return;
    if (info && !(info->features & DEW_FEATURE_HEAT)) complain(c, "method \"%s\" cannot do heat", info->name);
    snprintf(c->where, sizeof c->where, "heat");
    check_boundary(c, &def->heat.surface);
    for (int i = 0; i < def->material_count; i++) {
        const dew_material_def *m = &def->materials[i];
        at(c, "material", i, m->name, NULL);
        need_not_negative(c, "conductivity", m->conductivity, "W/(m K)");
        need_positive(c, "heat_capacity", m->heat_capacity, "J/(kg K)");
        if (!isnan(m->melting_point)) need_not_negative(c, "melting_point", m->melting_point, "K");
        need_not_negative(c, "latent_heat", m->latent_heat, "J/kg");
    }
    for (int i = 0; i < def->liquid_count; i++) {
        at(c, "liquid", i, NULL, NULL);
        check_temperature(c, def->liquids[i].temperature);
    }
    for (int i = 0; i < def->solid_count; i++) {
        at(c, "solid", i, def->solids[i].name, NULL);
        check_boundary(c, &def->solids[i].heat);
    }
    for (int i = 0; i < def->emitter_count; i++) {
        at(c, "emitter", i, NULL, NULL);
        check_temperature(c, def->emitters[i].temperature);
    }
    for (int i = 0; i < def->heat.source_count; i++) {
        const dew_heat_source_def *s = &def->heat.sources[i];
        at(c, "heat source", i, NULL, NULL);
        if (!isfinite(s->power)) complain(c, "power is %g; it must be a finite number of W/m3", s->power);
        if (!isfinite(s->flux)) complain(c, "flux is %g; it must be a finite number of W/m2", s->flux);
        if (!isfinite(s->from) || !(s->to >= s->from))
            complain(c, "it acts from %g s to %g s; 'to' must not be before 'from'", s->from, s->to);
        check_motion(c, &s->motion);
    }
    snprintf(c->where, sizeof c->where, "domain");
    check_boundary(c, &def->domain.heat);
    nowhere(c);
}

static void check_solute(complaints *c, const dew_simulation_def *def, const dew_method_info *info)
{
    nowhere(c);
    if (!def->has_solute) return;
    if (info && !(info->features & DEW_FEATURE_SOLUTE))
        complain(c, "method \"%s\" cannot do concentrations of what is dissolved", info->name);
    for (int i = 0; i < def->material_count; i++) {
        const dew_material_def *m = &def->materials[i];
        at(c, "material", i, m->name, NULL);
        need_not_negative(c, "diffusivity", m->diffusivity, "m2/s");
        need_not_negative(c, "evaporation", m->evaporation, "m/s");
    }
    for (int i = 0; i < def->liquid_count; i++) {
        at(c, "liquid", i, NULL, NULL);
        need_not_negative(c, "concentration", def->liquids[i].concentration, "kg/m3");
    }
    for (int i = 0; i < def->emitter_count; i++) {
        at(c, "emitter", i, NULL, NULL);
        need_not_negative(c, "concentration", def->emitters[i].concentration, "kg/m3");
    }
    nowhere(c);
}

static void need_no_slip(complaints *c, const dew_method_info *info)
{
    if (info && !(info->features & DEW_FEATURE_NO_SLIP))
        complain(c, "method \"%s\" cannot do walls without slip", info->name);
}

static void check_bodies(complaints *c, const dew_simulation_def *def, const dew_method_info *info, wrong_parts *wrong)
{
    for (int i = 0; i < def->material_count; i++) {
        const dew_material_def *m = &def->materials[i];
        at(c, "material", i, m->name, NULL);
        need_positive(c, "density", m->density, "kg/m3");
        if (!m->viscosity_of_temperature.evaluate) need_not_negative(c, "viscosity", m->viscosity, "Pa s");
        if (!m->surface_tension_of_temperature.evaluate)
            need_not_negative(c, "surface_tension", m->surface_tension, "N/m");
        need_not_negative(c, "youngs_modulus", m->youngs_modulus, "Pa");
        if (m->youngs_modulus > 0) need_range(c, "poisson_ratio", m->poisson_ratio, -0.999, 0.499, "");
        if (m->youngs_modulus > 0 && info && !(info->features & DEW_FEATURE_ELASTIC))
            complain(c, "youngs_modulus is %g Pa; method \"%s\" cannot do elastic solids", m->youngs_modulus,
                     info->name);
    }
    for (int i = 0; i < def->liquid_count; i++) {
        at(c, "liquid", i, NULL, &wrong->liquids[i]);
        need_material(c, def->liquids[i].material, def->material_count);
        need_finite(c, "velocity", def->liquids[i].velocity);
    }
    for (int i = 0; i < def->solid_count; i++) {
        const dew_solid_def *s = &def->solids[i];
        at(c, "solid", i, s->name, &wrong->solids[i]);
        if (s->has_surface_energy) {
            need_not_negative(c, "surface_energy.solid", s->solid_energy, "J/m2");
            need_not_negative(c, "surface_energy.between", s->between_energy, "J/m2");
        } else {
            need_range(c, "contact_angle", s->contact_angle, 0, 180, "degrees");
        }
        need_not_negative(c, "friction", s->friction, "");
        need_range(c, "adhesion", s->adhesion, 0, 1, "");
        if (s->no_slip) need_no_slip(c, info);
        check_motion(c, &s->motion);
    }
    for (int i = 0; i < def->emitter_count; i++) {
        const dew_emitter_def *e = &def->emitters[i];
        at(c, "emitter", i, NULL, &wrong->emitters[i]);
        need_material(c, e->material, def->material_count);
        need_finite(c, "velocity", e->velocity);
        if (e->shape.kind != DEW_SHAPE_DISC && e->shape.kind != DEW_SHAPE_RECTANGLE) {
            complain(c, "shape must be a disc or a rectangle, which liquid can flow through");
        }
        if (!isfinite(e->from) || !(e->to >= e->from)) {
            complain(c, "it flows from %g s to %g s; 'to' must not be before 'from'", e->from, e->to);
        }
    }
    nowhere(c);
}

static void check_domain(complaints *c, const dew_simulation_def *def, const dew_method_info *info, wrong_parts *wrong)
{
    const dew_domain_def *d = &def->domain;
    const double min[3] = {d->min.x, d->min.y, d->min.z}, max[3] = {d->max.x, d->max.y, d->max.z};
    snprintf(c->where, sizeof c->where, "domain");
    c->is_wrong = &wrong->is_basis;
    bool has_walls = false;
    for (int a = 0; a < 3; a++) {
        char axis = (char)('x' + a);
        if (d->axis[a] < DEW_OPEN || d->axis[a] > DEW_SYMMETRY) complain(c, "the kind of axis %c is unknown", axis);
        if (d->axis[a] == DEW_OPEN || (def->dimension == 2 && a == 2)) continue;
        has_walls |= d->axis[a] == DEW_WALL;
        if (!isfinite(min[a]) || !isfinite(max[a]) || !(max[a] > min[a])) {
            complain(c, "axis %c runs from min %g to max %g m; max must be above min", axis, min[a], max[a]);
        } else if (d->axis[a] == DEW_PERIODIC && def->spacing > 0 && max[a] - min[a] < 8 * def->spacing) {
            complain(c, "the periodic axis %c is %g m long; it needs at least 8 spacings (%g m)", axis, max[a] - min[a],
                     8 * def->spacing);
        }
        if (info && d->axis[a] == DEW_PERIODIC && !(info->features & DEW_FEATURE_PERIODIC)) {
            complain(c, "axis %c is periodic, which method \"%s\" cannot do", axis, info->name);
        }
        if (info && d->axis[a] == DEW_SYMMETRY && !(info->features & DEW_FEATURE_SYMMETRY)) {
            complain(c, "axis %c is a symmetry plane, which method \"%s\" cannot do", axis, info->name);
        }
    }
    if (has_walls) {
        need_range(c, "contact_angle", d->contact_angle, 0, 180, "degrees");
        need_not_negative(c, "friction", d->friction, "");
        if (d->no_slip) need_no_slip(c, info);
    }
    nowhere(c);
}

static const dew_parameter *parameter_named(const dew_method_info *info, const char *name)
{
    for (int i = 0; i < info->parameter_count; i++) {
        if (strcmp(info->parameters[i].name, name) == 0) return &info->parameters[i];
    }
    return NULL;
}

static void check_parameters(complaints *c, const dew_simulation_def *def, const dew_method_info *info)
{
    snprintf(c->where, sizeof c->where, "method \"%s\"", info->name);
    for (int k = 0; k < def->parameter_count; k++) {
        const dew_parameter_value *given = &def->parameters[k];
        const dew_parameter *p = given->name ? parameter_named(info, given->name) : NULL;
        if (!p) {
            complain(c, "it has no parameter \"%s\"; `dew list %s` shows those it has", given->name ? given->name : "",
                     info->name);
        } else if (p->choices && given->text) {
            if (definition_choice(p->choices, given->text) < 0) {
                complain(c, "%s is \"%s\"; it must be one of %s", p->name, given->text, p->choices);
            }
        } else if (given->text) {
            complain(c, "%s is \"%s\"; it must be a number (%s)", p->name, given->text, p->unit);
        } else {
            need_range(c, p->name, given->number, p->min, p->max, strcmp(p->unit, "1") ? p->unit : "");
        }
    }
    nowhere(c);
}

static void list_methods(complaints *c, const char *name)
{
    char names[256] = "";
    for (int i = 0; i < dew_method_count(); i++) {
        size_t length = strlen(names);
        snprintf(names + length, sizeof names - length, "%s%s", i ? ", " : "", dew_method_at(i)->name);
    }
    complain(c, "there is no method \"%s\"; there are: %s", name ? name : "", names);
}

static void check_dimension(complaints *c, const dew_simulation_def *def, const dew_method_info *info)
{
    unsigned needed = def->dimension == 2 ? DEW_FEATURE_2D : DEW_FEATURE_3D;
    if (def->dimension != 2 && def->dimension != 3)
        complain(c, "dimension is %d; it must be 2 or 3", def->dimension);
    else if (info && !(info->features & needed)) {
        complain(c, "method \"%s\" cannot do dimension %d; set dimension to %d", info->name, def->dimension,
                 5 - def->dimension);
    }
}

/* False where counts and arrays do not fit together: then there is nothing that could be looked at. */
static bool check_lists(complaints *c, const dew_simulation_def *def)
{
    const struct {
        const char *name;
        int count;
        const void *list;
    } lists[] = {{"materials", def->material_count, def->materials},
                 {"liquids", def->liquid_count, def->liquids},
                 {"solids", def->solid_count, def->solids},
                 {"emitters", def->emitter_count, def->emitters},
                 {"heat sources", def->heat.source_count, def->heat.sources},
                 {"parameters", def->parameter_count, def->parameters}};
    bool is_good = true;
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        if (lists[k].count == 0 || (lists[k].count > 0 && lists[k].list)) continue;
        complain(c, "%d %s are announced but none is given", lists[k].count, lists[k].name);
        is_good = false;
    }
    return is_good;
}

static void check_numbers(complaints *c, const dew_simulation_def *def, const dew_method_info *info)
{
    need_not_negative(c, "duration", def->duration, "s");
    need_positive(c, "frame_rate", def->frame_rate, "1/s");
    if (def->duration * def->frame_rate > MOST_FRAMES) {
        complain(c, "duration is %g s, which is %.3g frames at a frame_rate of %g 1/s; %.0e are possible",
                 def->duration, def->duration * def->frame_rate, def->frame_rate, MOST_FRAMES);
    }
    need_finite(c, "gravity", def->gravity);
    if (def->material_count < 1) complain(c, "there is no material; a simulation needs at least one");
    if (def->material_count > 255) complain(c, "there are %d materials; 255 are possible", def->material_count);
    if (info && def->material_count > 1 && !(info->features & DEW_FEATURE_TWO_LIQUIDS)) {
        complain(c, "method \"%s\" knows one liquid only; there are %d materials", info->name, def->material_count);
    }
    if (def->liquid_count + def->emitter_count < 1) complain(c, "there is neither a liquid nor an emitter");
    if (def->threads < 0) complain(c, "threads is %d; it must be 0 (all cores) or more", def->threads);
    if (def->max_particles < 0) complain(c, "max_particles is %d; it must be 0 (no limit) or more", def->max_particles);
}

void definition_check(const dew_simulation_def *def, const method *m, wrong_parts *wrong, failures *all)
{
    complaints c = {.all = all, .is_wrong = &wrong->is_basis};
    const dew_method_info *info = m ? &m->info : NULL;
    if (!check_lists(&c, def)) return;
    check_dimension(&c, def, info);
    need_positive(&c, "spacing", def->spacing, "m");
    nowhere(&c);
    if (!m) list_methods(&c, def->method);
    check_numbers(&c, def, info);
    check_domain(&c, def, info, wrong);
    check_bodies(&c, def, info, wrong);
    check_heat(&c, def, info);
    check_solute(&c, def, info);
    if (m) check_parameters(&c, def, info);
}
