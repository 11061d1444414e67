#include "frame/frame.h"

#include "base/hash.h"
#include "solids/solids.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- what a definition tells --- */

/* A property that depends on the temperature and the concentration is taken, before any step, at those of the first
 * liquid of the material that has a number for them. */
static dew_material_def material_at_start(const dew_simulation_def *def, int index)
{
    dew_material_def m = def->materials[index];
    double temperature = def->heat.surface.surroundings, concentration = 0;
    for (int i = def->liquid_count; i-- > 0;) {
        const dew_liquid_def *l = &def->liquids[i];
        if (l->material != index) continue;
        if (!l->temperature_of.evaluate && isfinite(l->temperature)) temperature = l->temperature;
        if (!l->concentration_of.evaluate) concentration = l->concentration;
    }
    const double *const inputs[] = {&temperature, &concentration};
    dew_function tension = m.surface_tension_of_temperature, viscosity = m.viscosity_of_temperature;
    if (tension.evaluate) tension.evaluate(tension.context, 1, inputs, &m.surface_tension);
    if (viscosity.evaluate) viscosity.evaluate(viscosity.context, 1, inputs, &m.viscosity);
    if (!def->has_heat) m.melting_point = NAN;
    return m;
}

dew_frame frame_of_definition(const dew_simulation_def *def, dew_material_def *materials)
{
    dew_frame f = {.dimension = def->dimension,
                   .spacing = def->spacing,
                   .gravity = def->gravity,
                   .domain = def->domain,
                   .has_heat = def->has_heat,
                   .has_solute = def->has_solute,
                   .interfaces = def->interfaces,
                   .interface_count = def->interface_count,
                   .materials = materials,
                   .material_count = def->material_count};
    if (def->dimension == 2) f.domain.axis[2] = DEW_OPEN, f.gravity.z = 0;
    for (int i = 0; i < def->material_count; i++) materials[i] = material_at_start(def, i);
    return f;
}

bool frame_has_one_tension(const dew_frame *f)
{
    for (int k = 0; k < f->material_count; k++) {
        const dew_material_def *m = &f->materials[k];
        if (m->surface_tension_of_temperature.evaluate || m->surface_tension != f->materials[0].surface_tension)
            return false;
    }
    return f->interface_count == 0;
}

bool frame_is_of_two_liquids(const dew_frame *f)
{
    bool knows = f->method && (f->method->features & DEW_FEATURE_INTERFACES), is_plain = true;
    for (int k = 0; k < f->material_count; k++) is_plain &= !f->materials[k].surface_tension_of_temperature.evaluate;
    return f->material_count == 2 && knows && is_plain && !frame_has_one_tension(f);
}

double frame_largest_tension(const dew_frame *f)
{
    double most = 0;
    for (int k = 0; k < f->material_count; k++) most = fmax(most, f->materials[k].surface_tension);
    for (int k = 0; k < f->interface_count; k++) most = fmax(most, f->interfaces[k].surface_tension);
    return most;
}

bool frame_has_changing_tension(const dew_frame *f)
{
    return f->material_count == 1 && f->materials[0].surface_tension_of_temperature.evaluate != NULL;
}

/* --- fields --- */

bool dew_frame_field(const dew_frame *f, const char *name, dew_field *field)
{
    for (int k = 0; k < f->field_count; k++) {
        if (strcmp(f->fields[k].name, name) != 0) continue;
        *field = f->fields[k];
        return true;
    }
    return false;
}

dew_result frame_need_field(const dew_frame *f, const char *name, const char *purpose, dew_field *field)
{
    if (dew_frame_field(f, name, field)) return DEW_OK;
    char known[1024] = "";
    for (int k = 0; k < f->field_count; k++) {
        size_t length = strlen(known);
        snprintf(known + length, sizeof known - length, "%s%s", k ? ", " : "", f->fields[k].name);
    }
    return result_fail(DEW_INVALID, "no field \"%s\" %s; the frame has: %s", name, purpose, known);
}

/* --- solids --- */

int dew_frame_solid_count(const dew_frame *f) { return f->solids ? solids_count(f->solids) : 0; }

dew_result dew_frame_solid_mesh(const dew_frame *f, int index, dew_solid_mesh *mesh)
{
    int count = dew_frame_solid_count(f);
    if (index < 0 || index >= count)
        return result_fail(DEW_INVALID, "there is no solid %d; there are %d", index, count);
    return solids_mesh(f->solids, index, mesh);
}

/* --- reproducibility --- */

static uint64_t hash_vectors(uint64_t hash, const dew_frame *f, const char *name)
{
    dew_field v;
    if (!dew_frame_field(f, name, &v)) return hash;
    for (int i = 0; i < v.count; i++) {
        for (int k = 0; k < 3; k++) {
            double value = ((const dew_real *)v.data)[(size_t)i * (size_t)v.stride + (size_t)k];
            uint64_t bits;
            memcpy(&bits, &value, sizeof bits);
            hash = hash_mix(hash, bits);
        }
    }
    return hash;
}

uint64_t dew_frame_hash(const dew_frame *f)
{
    return hash_vectors(hash_vectors(hash_mix(0, (uint64_t)f->particle_count), f, "position"), f, "velocity");
}
