/* Making a simulation from a definition, and what may be asked of it. */
#include "sim/simulation.h"

#include "base/parallel.h"
#include "sim/measure_surface.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The temperature at which a surface tension that depends on it is taken where a method knows no heat. */
#define ROOM_TEMPERATURE 293.15

static dew_result no_memory(void)
{
    return result_fail(DEW_NO_MEMORY, "there is not enough memory for the simulation");
}

static dew_result copy_materials(dew_simulation *s, const dew_simulation_def *def)
{
    s->materials = calloc((size_t)def->material_count, sizeof *s->materials);
    if (!s->materials) return no_memory();
    for (int i = 0; i < def->material_count; i++) {
        const dew_material_def *from = &def->materials[i];
        material *to = &s->materials[i];
        snprintf(to->name, sizeof to->name, "%s", from->name ? from->name : "");
        to->density = from->density, to->viscosity = from->viscosity, to->surface_tension = from->surface_tension;
        to->surface_tension_of_temperature = from->surface_tension_of_temperature;
        dew_function f = from->surface_tension_of_temperature;
        if (f.evaluate) {
            double temperature = ROOM_TEMPERATURE;
            f.evaluate(f.context, 1, (const double *const[]){&temperature}, &to->surface_tension);
        }
        to->particle_mass = from->density * pow(def->spacing, def->dimension);
    }
    return DEW_OK;
}

static dew_result create_emitters(dew_simulation *s, const dew_simulation_def *def)
{
    size_t count = (size_t)def->emitter_count;
    if (count == 0) return DEW_OK;
    s->emitters = calloc(count, sizeof *s->emitters);
    s->emitter_travel = calloc(count, sizeof *s->emitter_travel);
    s->emitter_counts = calloc(2 * count, sizeof *s->emitter_counts);
    if (!s->emitters || !s->emitter_travel || !s->emitter_counts) return no_memory();
    s->emitter_count = def->emitter_count;
    for (int i = 0; i < def->emitter_count; i++) {
        dew_result result = emitter_create(&s->emitters[i], &def->emitters[i], def->dimension, def->spacing);
        if (result != DEW_OK) return result_within(result, "emitter %d: ", i);
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
    s->w.method = m, s->w.state = s->state;
    return m->create(s->state, &s->w, s->parameters);
}

static dew_result create_parts(dew_simulation *s, const dew_simulation_def *def)
{
    world *w = &s->w;
    s->frame_rate = def->frame_rate, s->max_particles = def->max_particles;
    *w = (world){.dimension = def->dimension,
                 .spacing = def->spacing,
                 .frame_interval = 1 / def->frame_rate,
                 .gravity = def->gravity,
                 .domain = def->domain,
                 .material_count = def->material_count,
                 .particles = &s->particles};
    if (def->dimension == 2) w->domain.axis[2] = DEW_OPEN, w->gravity.z = 0;
    RESULT_TRY(copy_materials(s, def));
    w->materials = s->materials;
    if (!(w->scratch = arena_create())) return no_memory();
    RESULT_TRY(particles_create(&s->particles));
    RESULT_TRY(neighbours_create(&w->neighbours, 3 * def->spacing, 0.3 * def->spacing));
    RESULT_TRY(solids_create(&w->solids, def));
    RESULT_TRY(create_emitters(s, def));
    RESULT_TRY(simulation_fill(s, def));
    RESULT_TRY(create_method(s, def));
    s->fingerprint = definition_fingerprint(def, &s->method->info, s->parameters);
    s->is_canonical = true;
    s->limit = "frame";
    return DEW_OK;
}

dew_result simulation_create_with(const method *m, const dew_simulation_def *def, dew_simulation **simulation)
{
    *simulation = NULL;
    RESULT_TRY(definition_check(def, m));
    dew_simulation *s = calloc(1, sizeof *s);
    if (!s) return no_memory();
    s->method = m, s->threads = def->threads;
    parallel_set_threads(s->threads);
    dew_result result = create_parts(s, def);
    if (result != DEW_OK)
        dew_simulation_destroy(s);
    else
        *simulation = s;
    return result;
}

dew_result dew_simulation_create(const dew_simulation_def *def, dew_simulation **simulation)
{
    return simulation_create_with(method_find(def->method), def, simulation);
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
    if (s->w.solids) solids_destroy(s->w.solids);
    if (s->w.neighbours) neighbours_destroy(s->w.neighbours);
    particles_destroy(&s->particles);
    arena_destroy(s->w.scratch);
    free(s->materials);
    free(s->parameters);
    measured_surface_destroy(s->surface);
    free(s->items);
    free(s->item_names);
    free(s);
}

double dew_simulation_time(const dew_simulation *s) { return s->time; }
int dew_simulation_frame(const dew_simulation *s) { return s->frame; }
int64_t dew_simulation_step_count(const dew_simulation *s) { return s->steps; }
int dew_simulation_particle_count(const dew_simulation *s) { return s->particles.count; }
double dew_simulation_spacing(const dew_simulation *s) { return s->w.spacing; }
const dew_method_info *dew_simulation_method(const dew_simulation *s) { return &s->method->info; }
const char *dew_simulation_notice(const dew_simulation *s) { return s->notice; }

double dew_simulation_time_step(const dew_simulation *s, const char **limit)
{
    if (limit) *limit = s->limit;
    return s->time_step;
}

double dew_simulation_parameter(const dew_simulation *s, int index)
{
    return index >= 0 && index < s->method->info.parameter_count ? s->parameters[index] : NAN;
}

/* Adds eight bytes to a hash (the mixing step of splitmix64). */
static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 32);
}

static uint64_t hash_records(uint64_t hash, const real4 *a, int count)
{
    for (int i = 0; i < count; i++) {
        double v[3] = {a[i].x, a[i].y, a[i].z};
        for (int k = 0; k < 3; k++) {
            uint64_t bits;
            memcpy(&bits, &v[k], sizeof bits);
            hash = mix(hash, bits);
        }
    }
    return hash;
}

uint64_t dew_simulation_hash(const dew_simulation *s)
{
    uint64_t hash = mix(0, (uint64_t)s->particles.count);
    hash = hash_records(hash, s->particles.position, s->particles.count);
    return hash_records(hash, s->particles.velocity, s->particles.count);
}

static dew_field field_of(const particles *p, int index)
{
    static const dew_field_type types[] = {[FIELD_REAL] = DEW_FIELD_REAL,
                                           [FIELD_REAL4] = DEW_FIELD_REAL,
                                           [FIELD_INT32] = DEW_FIELD_INT32,
                                           [FIELD_UINT8] = DEW_FIELD_UINT8};
    const field_info *info = &p->info[index];
    bool is_record = info->type == FIELD_REAL4;
    return (dew_field){.name = info->name,
                       .unit = info->unit,
                       .sentence = info->sentence,
                       .type = types[info->type],
                       .components = is_record ? info->components : 1,
                       .stride = is_record ? 4 : 1,
                       .count = p->count,
                       .data = p->data[index]};
}

int dew_simulation_field_count(const dew_simulation *s)
{
    int count = 0;
    for (int i = 0; i < s->particles.field_count; i++) count += (s->particles.info[i].flags & FIELD_OUTPUT) != 0;
    return count;
}

dew_field dew_simulation_field_at(const dew_simulation *s, int index)
{
    for (int i = 0; i < s->particles.field_count; i++) {
        if (!(s->particles.info[i].flags & FIELD_OUTPUT)) continue;
        if (index-- == 0) return field_of(&s->particles, i);
    }
    return (dew_field){.name = NULL};
}

bool dew_simulation_field(const dew_simulation *s, const char *name, dew_field *field)
{
    int index = particles_find_field(&s->particles, name);
    if (index < 0 || !(s->particles.info[index].flags & FIELD_OUTPUT)) return false;
    *field = field_of(&s->particles, index);
    return true;
}

int dew_simulation_solid_count(const dew_simulation *s) { return solids_count(s->w.solids); }

dew_result dew_simulation_solid_mesh(const dew_simulation *s, int index, dew_solid_mesh *mesh)
{
    if (index < 0 || index >= solids_count(s->w.solids)) {
        return result_fail(DEW_INVALID, "there is no solid %d; there are %d", index, solids_count(s->w.solids));
    }
    return solids_mesh(s->w.solids, index, mesh);
}
