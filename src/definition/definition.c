#include "definition/definition.h"

#include "base/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- one property --- */

static const void *at(const void *object, size_t offset) { return (const char *)object + offset; }
static bool is_set(const void *object, size_t offset) { return *(const bool *)at(object, offset); }

bool property_counts(const dew_property_table *table, const dew_property *p, const void *object)
{
    if (table->is_union && p->kind && *(const int *)object != p->kind) return false;
    if (p->has_offset && !is_set(object, p->has_offset)) return false;
    return !p->unless_offset || !is_set(object, p->unless_offset);
}

const dew_property *property_in_use(const dew_property *p, const void *object)
{
    return p->either && is_set(object, p->either->has_offset) ? p->either : p;
}

bool property_matters(const dew_property *p, const dew_simulation_def *def)
{
    return (p->feature != DEW_FEATURE_HEAT || def->has_heat) && (p->feature != DEW_FEATURE_SOLUTE || def->has_solute);
}

const void *property_items(const dew_property *p, const void *object, int *count)
{
    const void *value = at(object, p->offset);
    *count = 1;
    if (p->type == DEW_PROPERTY_RECORD && !(p->flags & DEW_PROPERTY_POINTER)) return value;
    const void *items = *(const void *const *)value;
    *count = p->type == DEW_PROPERTY_RECORD ? items != NULL : *(const int *)at(object, p->count_offset);
    return items;
}

const dew_function *property_functions(const dew_property *p, const void *object)
{
    return p->variables ? at(object, p->function_offset) : NULL;
}

static bool differs(double value, double usual) { return value != usual && !(isnan(value) && isnan(usual)); }

static bool is_any_given(const dew_property_table *table, const void *object)
{
    for (int k = 0; k < table->count; k++)
        if (property_counts(table, &table->properties[k], object) && property_is_given(&table->properties[k], object))
            return true;
    return false;
}

bool property_is_given(const dew_property *p, const void *object)
{
    p = property_in_use(p, object);
    const void *value = at(object, p->offset);
    const dew_function *functions = property_functions(p, object);
    for (int k = 0; functions && k < (p->type == DEW_PROPERTY_VECTOR ? 3 : 1); k++)
        if (functions[k].evaluate) return true;
    if (p->flags & DEW_PROPERTY_FUNCTION_ONLY) return false;
    int count;
    switch (p->type) {
    case DEW_PROPERTY_NUMBER:
        return differs(*(const double *)value, p->value[0]);
    case DEW_PROPERTY_INTEGER:
    case DEW_PROPERTY_WORD:
    case DEW_PROPERTY_MATERIAL:
    case DEW_PROPERTY_SOLID:
        return *(const int *)value != (int)p->value[0];
    case DEW_PROPERTY_SETTING:
        return true;
    case DEW_PROPERTY_FLAG:
        return *(const bool *)value != (p->value[0] != 0);
    case DEW_PROPERTY_VECTOR:
        for (int k = 0; k < 3; k++)
            if (differs(((const double *)value)[k], p->value[k])) return true;
        return false;
    case DEW_PROPERTY_RECORD:
        value = property_items(p, object, &count);
        return p->has_offset || (count > 0 && is_any_given(p->table, value));
    case DEW_PROPERTY_LIST:
    case DEW_PROPERTY_TEXTS:
        return *(const int *)at(object, p->count_offset) > 0;
    default:
        return *(const void *const *)value != NULL;
    }
}

bool property_is_wrong(const dew_property *p, double value, char *text, size_t size)
{
    /* Beyond it the squares of single precision are infinite. */
    static const double most = 1e18;
    if (!isfinite(p->value[0]) && !differs(value, p->value[0])) return false;
    if (p->type == DEW_PROPERTY_NUMBER && p->words && value == INFINITY) return false;
    const char *unit = unit_suffix(p->unit), *space = *unit ? " " : "";
    int length = snprintf(text, size, "is %g; it must be ", value);
    if (length < 0 || (size_t)length >= size) return false;
    text += length, size -= (size_t)length;
    bool is_above = p->flags & DEW_PROPERTY_ABOVE;
    if (!(fabs(value) < most)) {
        snprintf(text, size, "a number below %g", most);
        return true;
    }
    if (!(p->min < p->max) || (value <= p->max && (is_above ? value > p->min : value >= p->min))) return false;
    if (isfinite(p->max) && isfinite(p->min))
        snprintf(text, size, is_above ? "above %g and at most %g%s%s" : "between %g and %g%s%s", p->min, p->max, space,
                 unit);
    else if (isfinite(p->min))
        snprintf(text, size, "%s %g%s%s", is_above ? "above" : "at least", p->min, space, unit);
    else
        snprintf(text, size, "at most %g%s%s", p->max, space, unit);
    return true;
}

const char *unit_suffix(const char *unit)
{
    if (!unit || strcmp(unit, "1") == 0) return "";
    return strcmp(unit, "degree") == 0 ? "deg" : unit;
}

/* --- defaults --- */

static void set_default(const dew_property *p, void *object)
{
    void *value = (char *)object + p->offset;
    if (p->flags & DEW_PROPERTY_FUNCTION_ONLY) return;
    switch (p->type) {
    case DEW_PROPERTY_NUMBER:
        *(double *)value = p->value[0];
        break;
    case DEW_PROPERTY_VECTOR:
        memcpy(value, p->value, sizeof p->value);
        break;
    case DEW_PROPERTY_INTEGER:
    case DEW_PROPERTY_WORD:
    case DEW_PROPERTY_SOLID:
        *(int *)value = (int)p->value[0];
        break;
    case DEW_PROPERTY_FLAG:
        *(bool *)value = p->value[0] != 0;
        break;
    case DEW_PROPERTY_TEXT:
    case DEW_PROPERTY_NAME:
    case DEW_PROPERTY_METHOD:
        *(const char **)value = p->text;
        break;
    case DEW_PROPERTY_RECORD:
        if (!p->kind && !(p->flags & DEW_PROPERTY_POINTER)) definition_set_defaults(p->table, value);
        break;
    default: /* none, or the first */
        break;
    }
}

void definition_set_defaults(const dew_property_table *table, void *object)
{
    for (int k = 0; k < table->count; k++) set_default(&table->properties[k], object);
}

#define DEFAULT_OF(structure, name, table)                                                                             \
    structure name(void)                                                                                               \
    {                                                                                                                  \
        structure def;                                                                                                 \
        memset(&def, 0, sizeof def);                                                                                   \
        definition_set_defaults(table, &def);                                                                          \
        return def;                                                                                                    \
    }
DEFAULT_OF(dew_shape_def, dew_default_shape_def, &shape_table)
DEFAULT_OF(dew_ridges, dew_default_ridges, &ridges_table)
DEFAULT_OF(dew_material_def, dew_default_material_def, &material_table)
DEFAULT_OF(dew_liquid_def, dew_default_liquid_def, &liquid_table)
DEFAULT_OF(dew_solid_def, dew_default_solid_def, &solid_table)
DEFAULT_OF(dew_rigid_def, dew_default_rigid_def, &rigid_table)
DEFAULT_OF(dew_joint_def, dew_default_joint_def, &joint_table)
DEFAULT_OF(dew_emitter_def, dew_default_emitter_def, &emitter_table)
DEFAULT_OF(dew_heat_boundary, dew_default_heat_boundary, &heat_boundary_table)
DEFAULT_OF(dew_heat_source_def, dew_default_heat_source_def, &heat_source_table)
DEFAULT_OF(dew_change_def, dew_default_change_def, &change_table)
DEFAULT_OF(dew_simulation_def, dew_default_simulation_def, dew_schema())

/* --- what is made of a definition --- */

static bool is_alike(const dew_solid_def *a, const dew_solid_def *b)
{
    if (a->has_surface_energy != b->has_surface_energy || a->has_hysteresis != b->has_hysteresis) return false;
    if (a->has_hysteresis)
        return a->hysteresis.advancing == b->hysteresis.advancing && a->hysteresis.receding == b->hysteresis.receding;
    return a->has_surface_energy ? a->solid_energy == b->solid_energy && a->between_energy == b->between_energy
                                 : a->contact_angle == b->contact_angle;
}

dew_solid_def definition_solid_of(const dew_solid_def *solid, int material)
{
    dew_solid_def one = *solid;
    for (int k = 0; k < solid->wets_count && solid->wets; k++) {
        const dew_wets_def *w = &solid->wets[k];
        if (w->material != material) continue;
        one.contact_angle = w->contact_angle, one.has_surface_energy = w->has_surface_energy;
        one.has_hysteresis = w->has_hysteresis, one.hysteresis = w->hysteresis;
        one.solid_energy = w->solid_energy, one.between_energy = w->between_energy;
    }
    return one;
}

int definition_liquid_count(const dew_simulation_def *def, const dew_method_info *method)
{
    bool has_gas = method && method->features & DEW_FEATURE_GAS && !(method->features & DEW_FEATURE_SEVERAL_LIQUIDS);
    return has_gas && def->material_count > 1 ? 1 : def->material_count;
}

dew_solid_def definition_plain_solid(const dew_simulation_def *def, const dew_solid_def *solid, bool *is_same)
{
    dew_solid_def plain = *solid;
    *is_same = true;
    for (int m = 0; m < def->material_count; m++) {
        dew_solid_def one = definition_solid_of(solid, m);
        if (m == 0) plain = one;
        *is_same = *is_same && is_alike(&plain, &one);
    }
    return *is_same ? plain : *solid;
}

const char *definition_replacement_of(const char *key)
{
    return strcmp(key, "no_slip") == 0 ? "write 'slip_length: 0' for a wall that holds liquid, 'slip_length: free' for "
                                         "one on which it slips"
                                       : NULL;
}

double definition_shear_modulus(const dew_material_def *m)
{
    return m->shear_modulus > 0 ? m->shear_modulus : m->youngs_modulus / (2 * (1 + m->poisson_ratio));
}

double definition_youngs_modulus(const dew_material_def *m)
{
    return 2 * (1 + m->poisson_ratio) * definition_shear_modulus(m);
}

double definition_tension_between(const dew_material_def *materials, const dew_interface_def *interfaces, int count,
                                  int first, int second)
{
    for (int k = 0; k < count; k++) {
        const int *between = interfaces[k].between;
        if ((between[0] == first && between[1] == second) || (between[0] == second && between[1] == first))
            return interfaces[k].surface_tension;
    }
    return fabs(materials[first].surface_tension - materials[second].surface_tension);
}

double definition_slip_length(double given, double friction, const dew_method_info *method)
{
    if (!isnan(given)) return given;
    return friction > 0 || !method ? INFINITY : method->slip_length;
}

void definition_set_slip_lengths(dew_simulation_def *def, dew_solid_def *solids, const dew_method_info *method)
{
    dew_domain_def *d = &def->domain;
    d->slip_length = definition_slip_length(d->slip_length, d->friction, method);
    for (int k = 0; k < def->solid_count; k++)
        solids[k].slip_length = definition_slip_length(solids[k].slip_length, solids[k].friction, method);
}

void definition_parameters(const dew_simulation_def *def, const dew_method_info *info, double *values)
{
    for (int i = 0; i < info->parameter_count; i++) {
        const dew_parameter *parameter = &info->parameters[i];
        values[i] = parameter->default_value;
        for (int k = 0; k < def->parameter_count; k++) {
            const dew_parameter_value *given = &def->parameters[k];
            if (strcmp(given->name, parameter->name) != 0) continue;
            values[i] = parameter->choices && given->text ? words_find(parameter->choices, given->text) : given->number;
        }
    }
}

const char *dew_feature_name(unsigned features)
{
    static const char *const names[] = {"3D",
                                        "2D",
                                        "a gas beside the liquid",
                                        "heat",
                                        "elastic materials that yield",
                                        "rigid bodies",
                                        "contact angles",
                                        "periodic axes",
                                        "symmetry planes",
                                        "elastic solids",
                                        "walls that hold liquid (slip_length: 0)",
                                        "something dissolved",
                                        "several liquids",
                                        "tensions between materials",
                                        "materials that wet a solid differently",
                                        "slip lengths between 0 and free",
                                        "advancing and receding contact angles",
                                        "elastic materials that relax"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (features & 1u << k) return names[k];
    return "";
}
