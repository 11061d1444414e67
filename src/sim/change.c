/* What is set during a run: numbers of the scene take other values between two steps, and the method is told. A resumed
 * run must go on with them though its definition says what held at the start, so all such numbers are part of a
 * snapshot. The fingerprint stays that of the definition; where a resumed one differs, its own numbers hold, with those
 * of its changes that lie before. */
#include "sim/simulation.h"

#include <stdlib.h>

static settable settable_of(dew_simulation *s)
{
    return (settable){&s->w.gravity, s->materials, s->w.material_count, s->w.solids};
}

dew_result properties_create(dew_simulation *s, const dew_simulation_def *def)
{
    settable of = settable_of(s);
    s->property_count = settable_count(&of), s->change_count = changes_list(def, NULL);
    s->properties = calloc((size_t)s->property_count, sizeof *s->properties);
    s->changes = calloc((size_t)s->change_count + 1, sizeof *s->changes);
    if (!s->properties || !s->changes)
        return result_fail(DEW_NO_MEMORY, "there is not enough memory for the simulation");
    changes_list(def, s->changes);
    s->w.will_change = changes_all(def);
    settable_read(&of, s->properties);
    return DEW_OK;
}

void properties_apply(dew_simulation *s)
{
    settable of = settable_of(s);
    settable_write(&of, s->properties);
    s->lent->frame.gravity = s->w.gravity;
    if (s->method->changed) s->method->changed(s->state, &s->w);
}

static dew_result check(dew_simulation *s, world_property what, int index, dew_vec3 value)
{
    const world_number n = world_number_of(what);
    settable of = settable_of(s);
    int first, count = settable_owners(&of, what, &first), components = what == WORLD_GRAVITY ? 3 : 1;
    char text[160];
    if (n.key && !(s->method->may_change & 1u << what))
        return result_fail(DEW_INVALID, "method \"%s\" cannot take another %s during a run", s->method->info.name,
                           n.key);
    if (index < 0 || index >= count)
        return result_fail(DEW_INVALID, "there is no %s %d; there are %d", n.owner == OF_SOLID ? "solid" : "material",
                           index, count);
    for (int k = 0; k < components && n.key; k++)
        if (property_is_wrong(n.property, (&value.x)[k], text, sizeof text))
            return result_fail(DEW_INVALID, "%s %s", n.key, text);
    const dew_function *f = n.owner == OF_MATERIAL ? property_functions(n.property, &s->w.materials[index]) : NULL;
    if ((f && f->evaluate) || (what == WORLD_CONTACT_ANGLE && solids_info(s->w.solids, index, 0).has_surface_energy))
        return result_fail(DEW_INVALID, "the %s of %d follows from an expression or from surface energies", n.key,
                           index);
    return DEW_OK;
}

dew_result simulation_set(dew_simulation *s, world_property what, int index, dew_vec3 value)
{
    settable of = settable_of(s);
    RESULT_TRY(check(s, what, index, value));
    settable_change(&of, s->properties, &(change_step){s->time, what, index, value});
    properties_apply(s);
    return DEW_OK;
}

/* --- changes of the definition --- */

double changes_next(const dew_simulation *s)
{
    return s->changes_made < s->change_count ? s->changes[s->changes_made].at : INFINITY;
}

/* What energy a change brings comes from outside: the watch sees the frame before and after it. */
dew_result changes_make(dew_simulation *s)
{
    const double due = s->time + changes_least_time(s->frame_rate);
    if (!(changes_next(s) <= due)) return DEW_OK;
    settable of = settable_of(s);
    RESULT_TRY(watch_change(&s->watch, dew_simulation_frame(s), false));
    while (changes_next(s) <= due) settable_change(&of, s->properties, &s->changes[s->changes_made++]);
    properties_apply(s);
    return watch_change(&s->watch, dew_simulation_frame(s), true);
}

void changes_resume(dew_simulation *s)
{
    settable of = settable_of(s);
    s->changes_made = changes_made(s->changes, s->change_count, s->time, s->frame_rate);
    for (int k = 0; k < s->changes_made && s->is_changed; k++) settable_change(&of, s->properties, &s->changes[k]);
}
