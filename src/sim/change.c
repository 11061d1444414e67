/* What is set during a run: a number of the scene takes another value between two steps, and the method is told. A
 * resumed run must go on with it though its definition says what held at the start, so all such numbers are part of a
 * snapshot. The fingerprint stays that of the definition; where a resumed one differs, its own numbers hold. */
#include "sim/simulation.h"

#include <stdlib.h>

static const char *const names[WORLD_PROPERTIES] = {
    [WORLD_GRAVITY] = "gravity",
    [WORLD_VISCOSITY] = "viscosity",
    [WORLD_SURFACE_TENSION] = "surface_tension",
    [WORLD_CONTACT_ANGLE] = "contact_angle",
};

/* How many have it, and where in s->properties the numbers of the first are. Gravity has three components. */
static int owners_of(const dew_simulation *s, world_property what, int *first)
{
    const int counts[WORLD_PROPERTIES] = {3, s->w.material_count, s->w.material_count, solids_count(s->w.solids)};
    *first = 0;
    for (int k = 0; k < (int)what; k++) *first += counts[k];
    return counts[what];
}

dew_result properties_create(dew_simulation *s)
{
    int first, count = owners_of(s, WORLD_CONTACT_ANGLE, &first);
    s->property_count = first + count;
    double *p = s->properties = calloc((size_t)s->property_count, sizeof *p);
    if (!p) return result_fail(DEW_NO_MEMORY, "there is not enough memory for the simulation");
    *p++ = s->w.gravity.x, *p++ = s->w.gravity.y, *p++ = s->w.gravity.z;
    for (int k = 0; k < s->w.material_count; k++) *p++ = s->materials[k].viscosity;
    for (int k = 0; k < s->w.material_count; k++) *p++ = s->materials[k].surface_tension;
    for (int k = 0; k < count; k++) *p++ = solids_contact_angle(s->w.solids, k);
    return DEW_OK;
}

void properties_apply(dew_simulation *s)
{
    const double *p = s->properties;
    s->w.gravity = (dew_vec3){p[0], p[1], p[2]}, p += 3;
    for (int k = 0; k < s->w.material_count; k++) s->materials[k].viscosity = *p++;
    for (int k = 0; k < s->w.material_count; k++) s->materials[k].surface_tension = *p++;
    for (int k = 0; k < solids_count(s->w.solids); k++) solids_set_contact_angle(s->w.solids, k, *p++);
    if (s->method->changed) s->method->changed(s->state, &s->w);
}

static dew_result check(const dew_simulation *s, world_property what, int index, dew_vec3 value)
{
    const char *name = names[what];
    int first, count = what == WORLD_GRAVITY ? 1 : owners_of(s, what, &first);
    if (!(s->method->may_change & 1u << what))
        return result_fail(DEW_INVALID, "method \"%s\" cannot take another %s during a run", s->method->info.name,
                           name);
    if (index < 0 || index >= count)
        return result_fail(DEW_INVALID, "there is no %s %d; there are %d",
                           what == WORLD_CONTACT_ANGLE ? "solid" : "material", index, count);
    if (!isfinite(value.x) || !isfinite(value.y) || !isfinite(value.z))
        return result_fail(DEW_INVALID, "%s is (%g, %g, %g); it must be finite", name, value.x, value.y, value.z);
    if (what == WORLD_GRAVITY) return DEW_OK;
    if (value.x < 0 || (what == WORLD_CONTACT_ANGLE && value.x > 180))
        return result_fail(DEW_INVALID, "%s is %g; it must be %s", name, value.x,
                           what == WORLD_CONTACT_ANGLE ? "an angle from 0 to 180 degrees" : "0 or positive");
    const dew_material_def *m = &s->w.materials[index];
    if (what == WORLD_CONTACT_ANGLE ? solids_info(s->w.solids, index, 0).has_surface_energy
        : what == WORLD_VISCOSITY   ? m->viscosity_of_temperature.evaluate != NULL
                                    : m->surface_tension_of_temperature.evaluate != NULL)
        return result_fail(DEW_INVALID, "the %s of %d follows from an expression or from surface energies", name,
                           index);
    return DEW_OK;
}

dew_result simulation_set(dew_simulation *s, world_property what, int index, dew_vec3 value)
{
    int first;
    RESULT_TRY(check(s, what, index, value));
    owners_of(s, what, &first);
    for (int k = 0; k < (what == WORLD_GRAVITY ? 3 : 1); k++) s->properties[first + index + k] = (&value.x)[k];
    properties_apply(s);
    return DEW_OK;
}
