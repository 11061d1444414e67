/* Making a simulation from a definition. All mistakes are found before it fails: what is right is made for the sake of
 * those that show only then. */
#include "base/parallel.h"
#include "sim/measure_surface.h"
#include "sim/simulation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static dew_result no_memory(void)
{
    return result_fail(DEW_NO_MEMORY, "there is not enough memory for the simulation");
}

/* The temperature at which what depends on it is taken before any step: of the first liquid of a material. */
static double first_temperature(const dew_simulation_def *def, int index)
{
    for (int i = 0; i < def->liquid_count; i++) {
        const dew_liquid_def *l = &def->liquids[i];
        if (l->material == index && !l->temperature_of.evaluate && isfinite(l->temperature)) return l->temperature;
    }
    return def->heat.surface.surroundings;
}

/* The same of what is dissolved. */
static double first_concentration(const dew_simulation_def *def, int index)
{
    for (int i = 0; i < def->liquid_count; i++) {
        const dew_liquid_def *l = &def->liquids[i];
        if (l->material == index && !l->concentration_of.evaluate) return l->concentration;
    }
    return 0;
}

static dew_result copy_materials(dew_simulation *s, const dew_simulation_def *def)
{
    s->materials = calloc((size_t)def->material_count + 1, sizeof *s->materials);
    if (!s->materials) return no_memory();
    for (int i = 0; i < def->material_count; i++) {
        const dew_material_def *from = &def->materials[i];
        material *to = &s->materials[i];
        snprintf(to->name, sizeof to->name, "%s", from->name ? from->name : "");
        to->density = from->density, to->viscosity = from->viscosity, to->surface_tension = from->surface_tension;
        to->surface_tension_of_temperature = from->surface_tension_of_temperature;
        to->viscosity_of_temperature = from->viscosity_of_temperature;
        to->conductivity = from->conductivity, to->heat_capacity = from->heat_capacity;
        to->melting_point = def->has_heat ? from->melting_point : NAN, to->latent_heat = from->latent_heat;
        to->youngs_modulus = from->youngs_modulus, to->poisson_ratio = from->poisson_ratio;
        to->diffusivity = from->diffusivity, to->evaporation = from->evaporation;
        double temperature = first_temperature(def, i), concentration = first_concentration(def, i);
        const double *const inputs[] = {&temperature, &concentration};
        dew_function tension = from->surface_tension_of_temperature, viscosity = from->viscosity_of_temperature;
        if (tension.evaluate) tension.evaluate(tension.context, 1, inputs, &to->surface_tension);
        if (viscosity.evaluate) viscosity.evaluate(viscosity.context, 1, inputs, &to->viscosity);
        to->particle_mass = from->density * pow(def->spacing, def->dimension);
    }
    return DEW_OK;
}

static dew_result create_emitters(dew_simulation *s, const dew_simulation_def *def, wrong_parts *wrong, failures *all)
{
    size_t count = (size_t)def->emitter_count;
    if (count == 0) return DEW_OK;
    s->emitters = calloc(count, sizeof *s->emitters);
    s->emitter_travel = calloc(count, sizeof *s->emitter_travel);
    s->emitter_counts = calloc(2 * count, sizeof *s->emitter_counts);
    if (!s->emitters || !s->emitter_travel || !s->emitter_counts) return no_memory();
    s->emitter_count = def->emitter_count;
    for (int i = 0; i < def->emitter_count; i++) {
        if (wrong->emitters[i]) continue;
        emitter *e = &s->emitters[i];
        dew_result result = emitter_create(e, &def->emitters[i], def->dimension, def->spacing);
        if (result == DEW_OK) result = emitter_check_clear(e, s->w.solids, def->spacing);
        if (result == DEW_OK) continue;
        wrong->emitters[i] = true;
        failures_add(all, result_within(result, "emitter %d: ", i));
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
    RESULT_TRY(properties_create(s));
    s->w.method = m, s->w.state = s->state;
    RESULT_TRY(m->create(s->state, &s->w, s->parameters));
    if (m->remark) m->remark(s->state, &s->w, s->remark, sizeof s->remark);
    return DEW_OK;
}

/* All but the method. What of the definition cannot be made is noted; fails for want of memory only. */
static dew_result create_parts(dew_simulation *s, const dew_simulation_def *def, wrong_parts *wrong, failures *all,
                               bool is_trial)
{
    world *w = &s->w;
    s->frame_rate = def->frame_rate, s->max_particles = def->max_particles;
    *w = (world){.dimension = def->dimension,
                 .spacing = def->spacing,
                 .frame_interval = 1 / def->frame_rate,
                 .gravity = def->gravity,
                 .domain = def->domain,
                 .material_count = def->material_count,
                 .has_inflow = def->emitter_count > 0,
                 .particles = &s->particles};
    if (def->dimension == 2) w->domain.axis[2] = DEW_OPEN, w->gravity.z = 0;
    RESULT_TRY(copy_materials(s, def));
    w->materials = s->materials;
    if (!(w->scratch = arena_create())) return no_memory();
    RESULT_TRY(particles_create(&s->particles));
    RESULT_TRY(neighbours_create(&w->neighbours, 3 * def->spacing, 0.3 * def->spacing));
    RESULT_TRY(solids_create_right(&w->solids, def, wrong->solids, all));
    RESULT_TRY(heat_create(&w->heat, def, &s->particles, all));
    RESULT_TRY(solute_create(&w->solute, def, &s->particles));
    RESULT_TRY(create_emitters(s, def, wrong, all));
    return simulation_fill(s, def, wrong, all, is_trial);
}

static dew_result begin(dew_simulation **s, const dew_simulation_def *def, const method *m, wrong_parts *wrong)
{
    size_t liquids = def->liquid_count > 0 ? (size_t)def->liquid_count : 0;
    size_t bodies = liquids + (def->solid_count > 0 ? (size_t)def->solid_count : 0);
    size_t all = bodies + (def->emitter_count > 0 ? (size_t)def->emitter_count : 0);
    *s = calloc(1, sizeof **s);
    wrong->liquids = calloc(all + 1, sizeof *wrong->liquids);
    if (!*s || !wrong->liquids) return no_memory();
    wrong->solids = wrong->liquids + liquids, wrong->emitters = wrong->liquids + bodies;
    (*s)->method = m, (*s)->threads = def->threads;
    parallel_set_threads((*s)->threads);
    return DEW_OK;
}

static dew_result create_all(dew_simulation *s, const dew_simulation_def *def, wrong_parts *wrong)
{
    failures all = {.result = DEW_OK};
    definition_check(def, s->method, wrong, &all);
    if (!wrong->is_basis) RESULT_TRY(create_parts(s, def, wrong, &all, all.result != DEW_OK));
    RESULT_TRY(failures_end(&all));
    RESULT_TRY(create_method(s, def));
    s->fingerprint = definition_fingerprint(def, &s->method->info, s->parameters);
    s->is_canonical = true;
    s->limit = "frame";
    return DEW_OK;
}

dew_result simulation_create_with(const method *m, const dew_simulation_def *def, dew_simulation **simulation)
{
    wrong_parts wrong = {.is_basis = false};
    dew_result result = begin(simulation, def, m, &wrong);
    if (result == DEW_OK) result = create_all(*simulation, def, &wrong);
    free(wrong.liquids);
    if (result == DEW_OK) return DEW_OK;
    dew_simulation_destroy(*simulation);
    *simulation = NULL;
    return result;
}

dew_result dew_simulation_create(const dew_simulation_def *def, dew_simulation **simulation)
{
    return simulation_create_with(method_find(def->method), def, simulation);
}

dew_result simulation_try(const dew_simulation_def *def)
{
    wrong_parts wrong = {.is_basis = false};
    failures all = {.result = DEW_OK};
    dew_simulation *s;
    dew_result result = begin(&s, def, NULL, &wrong);
    if (result == DEW_OK) {
        for (int i = 0; i < def->liquid_count; i++) wrong.liquids[i] = def->liquids[i].shape.kind == DEW_SHAPE_NONE;
        for (int i = 0; i < def->solid_count; i++) wrong.solids[i] = def->solids[i].shape.kind == DEW_SHAPE_NONE;
        for (int i = 0; i < def->emitter_count; i++) {
            const dew_emitter_def *e = &def->emitters[i];
            wrong.emitters[i] = e->shape.kind == DEW_SHAPE_NONE || !(vec3_length(e->velocity) > 0);
        }
        result = create_parts(s, def, &wrong, &all, true);
    }
    free(wrong.liquids);
    dew_simulation_destroy(s);
    return result != DEW_OK ? result : failures_end(&all);
}

void dew_simulation_destroy(dew_simulation *s)
{
    if (!s) return;
    if (s->state && s->w.state && s->method->destroy) s->method->destroy(s->state);
    aligned_release(s->state);
    for (int i = 0; i < s->emitter_count; i++) emitter_destroy(&s->emitters[i]);
    free(s->emitters);
    free(s->emitter_travel);
    free(s->emitter_counts);
    heat_destroy(s->w.heat);
    solute_destroy(s->w.solute);
    if (s->w.solids) solids_destroy(s->w.solids);
    if (s->w.neighbours) neighbours_destroy(s->w.neighbours);
    particles_destroy(&s->particles);
    arena_destroy(s->w.scratch);
    free(s->materials);
    free(s->parameters);
    free(s->properties);
    measured_surface_destroy(s->surface);
    look_ahead_forget(s);
    free(s->items);
    free(s->item_names);
    free(s);
}
