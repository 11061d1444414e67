/* Making a simulation from a definition. All mistakes are found before it fails: what is right is made for the sake of
 * those that show only then. */
#include "base/parallel.h"
#include "frame/frame.h"
#include "geometry/shape.h"
#include "sim/simulation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static dew_result no_memory(void)
{
    return result_fail(DEW_NO_MEMORY, "there is not enough memory for the simulation");
}

/* The frame that the simulation lends, and what methods compute with, which has the same numbers. */
static dew_result begin_frame(dew_simulation *s, const dew_simulation_def *def)
{
    size_t count = (size_t)def->material_count + 1;
    s->lent = calloc(1, sizeof *s->lent);
    s->materials = calloc(count, sizeof *s->materials + sizeof(double) + sizeof(char[64]));
    s->interfaces = calloc((size_t)def->interface_count + 1, sizeof *s->interfaces);
    if (!s->lent || !s->materials || !s->interfaces) return no_memory();
    for (int k = 0; k < def->interface_count; k++) s->interfaces[k] = def->interfaces[k];
    s->particle_mass = (double *)(s->materials + count);
    char(*names)[64] = (char(*)[64])(s->particle_mass + count);
    s->lent->frame = frame_of_definition(def, s->materials);
    s->lent->frame.interfaces = s->interfaces;
    for (int i = 0; i < def->material_count; i++) {
        dew_material_def *m = &s->materials[i];
        snprintf(names[i], sizeof names[i], "%s", m->name ? m->name : "");
        m->name = names[i];
        s->particle_mass[i] = m->density * pow(def->spacing, def->dimension);
    }
    return dew_measurer_create(&s->measurer);
}

static dew_result create_emitters(dew_simulation *s, const dew_simulation_def *def, failures *all)
{
    size_t count = (size_t)def->emitter_count;
    if (count == 0) return DEW_OK;
    s->emitters = calloc(count, sizeof *s->emitters);
    s->mouths.of = calloc(count, sizeof *s->mouths.of);
    s->w.held = s->held = calloc(EMITTER_MOST_HELD * count, sizeof *s->held);
    if (!s->emitters || !s->mouths.of || !s->held) return no_memory();
    s->emitter_count = def->emitter_count;
    for (int i = 0; i < def->emitter_count; i++) {
        if (failures_concern(all, "emitters[%d]", i)) continue;
        emitter *e = &s->emitters[i];
        dew_result result = emitter_create(e, &def->emitters[i], &s->w.domain, def->dimension, def->spacing);
        if (result == DEW_OK) result = emitter_check_clear(e, s->w.solids, def->spacing);
        if (result == DEW_OK) {
            double tension = def->materials[e->material].surface_tension;
            emitter_find_surface(e, &def->emitters[i], s->w.solids, def->dimension, def->spacing, tension);
            double skin = s->method ? s->method->skin[def->dimension - 2] : 0; /* in a trial there is no method */
            if (tension > 0 && skin > 0)
                emitter_pack(e, &def->emitters[i], def->dimension, def->spacing, skin * def->spacing);
        }
        failures_add(all, result, "emitters[%d]", i);
        s->mouths.of[s->mouths.count++] = emitter_mouth(e);
    }
    return DEW_OK;
}

static dew_result create_method(dew_simulation *s, const dew_simulation_def *def)
{
    const method *m = s->method;
    s->parameters = calloc((size_t)m->info.parameter_count + 1, sizeof *s->parameters);
    s->state = aligned_obtain(m->state_size ? m->state_size : 1);
    if (!s->parameters || !s->state) return no_memory();
    memset(s->state, 0, m->state_size);
    definition_parameters(def, &m->info, s->parameters);
    RESULT_TRY(properties_create(s, def));
    s->w.method = m, s->w.state = s->state, s->scene_fields = s->particles.field_count;
    RESULT_TRY(m->create(s->state, &s->w, s->parameters));
    if (m->remark) m->remark(s->state, &s->w, s->remark, sizeof s->remark);
    return DEW_OK;
}

/* All but the method. What of the definition cannot be made is noted; fails for want of memory only. */
static dew_result create_parts(dew_simulation *s, const dew_simulation_def *def, failures *all, bool is_trial)
{
    world *w = &s->w;
    s->frame_rate = def->frame_rate, s->max_particles = def->max_particles;
    RESULT_TRY(begin_frame(s, def));
    *w = (world){.dimension = def->dimension,
                 .spacing = def->spacing,
                 .frame_interval = 1 / def->frame_rate,
                 .gravity = s->lent->frame.gravity,
                 .domain = s->lent->frame.domain,
                 .materials = s->materials,
                 .particle_mass = s->particle_mass,
                 .material_count = def->material_count,
                 .interfaces = s->interfaces,
                 .interface_count = def->interface_count,
                 .has_inflow = def->emitter_count > 0,
                 .particles = &s->particles};
    if (!(w->scratch = arena_create())) return no_memory();
    RESULT_TRY(particles_create(&s->particles));
    s->particles.material_mass = s->particle_mass;
    RESULT_TRY(neighbours_create(&w->neighbours, 3 * def->spacing, 0.3 * def->spacing));
    RESULT_TRY(solids_create_right(&w->solids, def, s->method ? &s->method->info : NULL, all));
    RESULT_TRY(heat_create(&w->heat, def, &s->particles, all));
    RESULT_TRY(solute_create(&w->solute, def, &s->particles));
    s->watch.particles = &s->particles, s->watch.tension_field = -1;
    if (frame_has_changing_tension(&s->lent->frame))
        RESULT_TRY(particles_add_field(&s->particles, &watch_tension_field, &s->watch.tension_field));
    RESULT_TRY(create_emitters(s, def, all));
    return simulation_fill(s, def, all, is_trial);
}

static dew_result begin(dew_simulation **s, const dew_simulation_def *def, const method *m)
{
    *s = calloc(1, sizeof **s);
    if (!*s) return no_memory();
    (*s)->method = m, (*s)->threads = def->threads;
    parallel_set_threads((*s)->threads);
    return DEW_OK;
}

static dew_result try_shape(const dew_shape_def *def, double spacing)
{
    shape *made = NULL;
    dew_result result = shape_create(&made, def, spacing);
    shape_destroy(made);
    return result;
}

/* Notes what is wrong; false where that keeps other parts from being made. */
static bool check(const dew_simulation_def *def, const method *m, bool has_shapes_tried, failures *all)
{
    char names[256] = "";
    for (int i = 0; i < dew_method_count(); i++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i ? ", " : "", dew_method_at(i)->name);
    if (!m)
        failures_note(all, "method", 0, NULL, "there is no method '%s'; there are: %s", def->method ? def->method : "",
                      names);
    definition_judge judge = {.method = m ? &m->info : NULL,
                              .who_can = method_who_can,
                              .may_change = m ? m->may_change : 0,
                              .who_may = method_who_may,
                              .try_shape = has_shapes_tried ? try_shape : NULL};
    bool is_whole = definition_check(def, &judge, all);
    static const char *const basis[] = {"spacing", "dimension", "domain.min", "domain.max"};
    for (int k = 0; k < 4; k++) is_whole = is_whole && !failures_concern(all, "%s", basis[k]);
    return is_whole;
}

static dew_result create_all(dew_simulation *s, const dew_simulation_def *def)
{
    failures all = {.result = DEW_OK};
    if (check(def, s->method, false, &all)) RESULT_TRY(create_parts(s, def, &all, all.result != DEW_OK));
    RESULT_TRY(failures_end(&all));
    RESULT_TRY(create_method(s, def));
    s->fingerprint = definition_fingerprint(def, &s->method->info, s->parameters);
    s->is_canonical = true;
    s->limit = "frame";
    s->watch.limits = def->watch;
    s->watch.look_steps = def->watch.steps > 0 ? def->watch.steps : s->method->look_steps;
    return DEW_OK;
}

dew_result simulation_create_with(const method *m, const dew_simulation_def *def, dew_simulation **simulation)
{
    dew_result result = begin(simulation, def, m);
    if (result == DEW_OK) result = create_all(*simulation, def);
    if (result == DEW_OK) return DEW_OK;
    dew_simulation_destroy(*simulation);
    *simulation = NULL;
    return result;
}

dew_result dew_simulation_create(const dew_simulation_def *def, dew_simulation **simulation)
{
    return simulation_create_with(method_find(def->method), def, simulation);
}

bool simulation_check(const dew_simulation_def *def, failures *all)
{
    return check(def, method_find(def->method), true, all);
}

void simulation_try(const dew_simulation_def *def, failures *all)
{
    dew_simulation *s;
    dew_result result = begin(&s, def, NULL);
    if (result == DEW_OK) result = create_parts(s, def, all, true);
    failures_add(all, result, "%s", "");
    dew_simulation_destroy(s);
}

void dew_simulation_destroy(dew_simulation *s)
{
    if (!s) return;
    if (s->state && s->w.state && s->method->destroy) s->method->destroy(s->state);
    aligned_release(s->state);
    for (int i = 0; i < s->emitter_count; i++) emitter_destroy(&s->emitters[i]);
    free(s->emitters);
    free(s->held);
    free(s->mouths.of);
    heat_destroy(s->w.heat);
    solute_destroy(s->w.solute);
    if (s->w.solids) solids_destroy(s->w.solids);
    if (s->w.neighbours) neighbours_destroy(s->w.neighbours);
    particles_destroy(&s->particles);
    arena_destroy(s->w.scratch);
    free(s->materials);
    free(s->interfaces);
    free(s->parameters);
    dew_measurer_destroy(s->measurer);
    free(s->lent);
    free(s->properties);
    free(s->changes);
    look_ahead_forget(s);
    free(s->items);
    free(s->item_names);
    free(s);
}
