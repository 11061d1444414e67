/* Materials, and the liquids and emitters that are made of them. */
#include "scene/tables.h"

#include <string.h>

enum { MAX_MATERIALS = 255 };

/* --- materials --- */

static void read_surface_tension(reader *r, const key *k, const node *n, void *object)
{
    dew_material_def *m = object;
    keys_read_number_or_function(r, k, n, "Tc", &m->surface_tension, &m->surface_tension_of_temperature);
}

static void write_surface_tension(writer *w, const key *k, const void *object)
{
    (void)k;
    const dew_material_def *m = object;
    keys_write_number_or_function(w, m->surface_tension, m->surface_tension_of_temperature);
}

static void read_viscosity(reader *r, const key *k, const node *n, void *object)
{
    dew_material_def *m = object;
    keys_read_number_or_function(r, k, n, "Tc", &m->viscosity, &m->viscosity_of_temperature);
}

static void write_viscosity(writer *w, const key *k, const void *object)
{
    (void)k;
    const dew_material_def *m = object;
    keys_write_number_or_function(w, m->viscosity, m->viscosity_of_temperature);
}

static bool is_elastic(const void *object) { return ((const dew_material_def *)object)->youngs_modulus > 0; }

static const key material_keys[] = {
    {.name = "density",
     .type = KEY_NUMBER,
     .flags = KEY_ABOVE,
     .unit = "kg/m3",
     .max = INFINITY,
     .offset = offsetof(dew_material_def, density),
     .sentence = "density"},
    {.name = "viscosity",
     .type = KEY_CUSTOM,
     .unit = "Pa s",
     .max = INFINITY,
     .read = read_viscosity,
     .write = write_viscosity,
     .sentence = "dynamic; or an expression of the temperature T (K) and the concentration c (kg/m3)"},
    {.name = "surface_tension",
     .type = KEY_CUSTOM,
     .unit = "N/m",
     .max = INFINITY,
     .read = read_surface_tension,
     .write = write_surface_tension,
     .sentence = "against the surrounding gas; or such an expression"},
    {.name = "conductivity",
     .type = KEY_NUMBER,
     .unit = "W/m/K",
     .max = INFINITY,
     .offset = offsetof(dew_material_def, conductivity),
     .sentence = "of heat"},
    {.name = "heat_capacity",
     .type = KEY_NUMBER,
     .flags = KEY_ABOVE,
     .unit = "J/kg/K",
     .max = INFINITY,
     .offset = offsetof(dew_material_def, heat_capacity),
     .sentence = "for each kg"},
    {.name = "melting_point",
     .type = KEY_NUMBER,
     .unit = "K",
     .max = INFINITY,
     .offset = offsetof(dew_material_def, melting_point),
     .sentence = "solid below it; without one it stays what it is"},
    {.name = "latent_heat",
     .type = KEY_NUMBER,
     .unit = "J/kg",
     .max = INFINITY,
     .offset = offsetof(dew_material_def, latent_heat),
     .sentence = "of melting"},
    {.name = "youngs_modulus",
     .type = KEY_NUMBER,
     .unit = "Pa",
     .max = INFINITY,
     .offset = offsetof(dew_material_def, youngs_modulus),
     .is_written = is_elastic,
     .sentence = "of an elastic solid; 0: it flows"},
    {.name = "poisson_ratio",
     .type = KEY_NUMBER,
     .flags = KEY_ABOVE,
     .unit = "1",
     .min = -1,
     .max = 0.499,
     .offset = offsetof(dew_material_def, poisson_ratio),
     .is_written = is_elastic,
     .sentence = "of an elastic solid"},
    {.name = "diffusivity",
     .type = KEY_NUMBER,
     .unit = "m2/s",
     .max = INFINITY,
     .offset = offsetof(dew_material_def, diffusivity),
     .sentence = "of what is dissolved"},
    {.name = "evaporation",
     .type = KEY_NUMBER,
     .unit = "m/s",
     .max = INFINITY,
     .offset = offsetof(dew_material_def, evaporation),
     .sentence = "of what is dissolved: evaporation x concentration leaves through the free surface"},
};
const key_table material_table = TABLE("material", material_keys, .is_flow = true);

void materials_read(reader *r, const key *k, const node *n, void *object)
{
    (void)object;
    if (!keys_expect(r, k->name, n, NODE_MAP)) return;
    if (n->count < 1 || n->count > MAX_MATERIALS) {
        complain(r->complaints, n->at, "for example {water: {density: 998, viscosity: 1e-3, surface_tension: 0.0728}}",
                 "materials must hold 1 to %d liquids, not %d", MAX_MATERIALS, n->count);
        return;
    }
    dew_material_def *materials = keys_obtain(r, (size_t)n->count * sizeof *materials), *m = materials;
    if (!materials) return;
    for (const node *entry = n->first; entry; entry = entry->next, m++) {
        *m = dew_default_material_def();
        m->name = entry->key;
        names_check(r, "material", entry->key_at, entry->key);
        if (entry->kind != NODE_NULL) keys_read_map(r, &material_table, entry, m);
    }
    r->scene->def.materials = materials;
    r->scene->def.material_count = n->count;
}

void materials_write(writer *w, const key *k, const void *object)
{
    (void)k;
    const dew_simulation_def *def = &((const dew_scene *)object)->def;
    writer flow = *w;
    flow.is_flow = true;
    for (int i = 0; i < def->material_count; i++) {
        fprintf(w->out, "\n%*s", w->indent + 2, "");
        keys_write_text(w, def->materials[i].name);
        fputs(": {", w->out);
        keys_write_map(&flow, &material_table, &def->materials[i]);
        fputc('}', w->out);
    }
}

/* The index of a material by its name, for liquids and emitters. */
static void read_material(reader *r, const key *k, const node *n, void *object)
{
    const dew_simulation_def *def = &r->scene->def;
    if (!keys_expect(r, k->name, n, NODE_TEXT)) return;
    const char *names[MAX_MATERIALS];
    for (int i = 0; i < def->material_count; i++) {
        names[i] = def->materials[i].name;
        if (strcmp(names[i], n->text) == 0) {
            *(int *)((char *)object + k->offset) = i;
            return;
        }
    }
    if (!def->material_count) return; /* complained of already */
    complain(r->complaints, n->at, suggest(r->memory, n->text, "materials", names, def->material_count),
             "unknown material '%s'", n->text);
}

static void write_material(writer *w, const key *k, const void *object)
{
    int index = *(const int *)((const char *)object + k->offset);
    keys_write_text(w, w->scene->def.materials[index].name);
}

/* Which of several materials a liquid is of must be said. */
static void check_material(reader *r, const node *map, const char *what)
{
    if (r->scene->def.material_count > 1 && !tree_get(map, "material"))
        complain(r->complaints, map->at, "which of the materials is it?", "%s lacks the key 'material'", what);
}

#define MATERIAL(structure)                                                                                            \
    .name = "material", .type = KEY_CUSTOM, .offset = offsetof(structure, material), .read = read_material,            \
    .write = write_material, .sentence = "name of one of the materials; may be left out if there is one only"

/* --- liquids --- */

static void read_velocity(reader *r, const key *k, const node *n, void *object)
{
    dew_liquid_def *liquid = object;
    keys_read_vector_or_functions(r, k, n, "xyz", &liquid->velocity, liquid->velocity_of);
}

static void write_velocity(writer *w, const key *k, const void *object)
{
    (void)k;
    const dew_liquid_def *liquid = object;
    keys_write_vector_or_functions(w, liquid->velocity, liquid->velocity_of);
}

static void read_temperature(reader *r, const key *k, const node *n, void *object)
{
    dew_liquid_def *liquid = object;
    keys_read_number_or_function(r, k, n, "xyz", &liquid->temperature, &liquid->temperature_of);
}

static void write_temperature(writer *w, const key *k, const void *object)
{
    (void)k;
    const dew_liquid_def *liquid = object;
    keys_write_number_or_function(w, liquid->temperature, liquid->temperature_of);
}

static bool has_temperature(const void *object)
{
    const dew_liquid_def *liquid = object;
    return isfinite(liquid->temperature) || liquid->temperature_of.evaluate;
}

static void read_concentration(reader *r, const key *k, const node *n, void *object)
{
    dew_liquid_def *liquid = object;
    keys_read_number_or_function(r, k, n, "xyz", &liquid->concentration, &liquid->concentration_of);
}

static void write_concentration(writer *w, const key *k, const void *object)
{
    (void)k;
    const dew_liquid_def *liquid = object;
    keys_write_number_or_function(w, liquid->concentration, liquid->concentration_of);
}

static bool has_concentration(const void *object)
{
    const dew_liquid_def *liquid = object;
    return liquid->concentration != 0 || liquid->concentration_of.evaluate;
}

static const key liquid_keys[] = {
    {MATERIAL(dew_liquid_def)},
    {SHAPE(dew_liquid_def, "the region that it fills")},
    {.name = "fill",
     .type = KEY_WORD,
     .words = "cubic|hexagonal|relaxed",
     .offset = offsetof(dew_liquid_def, fill),
     .sentence = "how particles are placed: on a lattice, or relaxed, with the mass right to 0.5 %"},
    {.name = "velocity",
     .type = KEY_CUSTOM,
     .unit = "m/s",
     .read = read_velocity,
     .write = write_velocity,
     .sentence = "at the start; components may be expressions of x, y, z (m)"},
    {.name = "temperature",
     .type = KEY_CUSTOM,
     .unit = "K",
     .max = INFINITY,
     .read = read_temperature,
     .write = write_temperature,
     .is_written = has_temperature,
     .sentence = "at the start; or an expression of x, y, z (m)"},
    {.name = "concentration",
     .type = KEY_CUSTOM,
     .unit = "kg/m3",
     .max = INFINITY,
     .read = read_concentration,
     .write = write_concentration,
     .is_written = has_concentration,
     .sentence = "of what is dissolved, at the start; or an expression of x, y, z (m)"},
};

static void check_liquid(reader *r, const node *map, void *object)
{
    dew_liquid_def *liquid = object;
    const node *shape = tree_get(map, "shape");
    check_material(r, map, "liquid");
    shapes_check_body(r, shape, &liquid->shape, "a liquid");
    if (liquid->shape.kind == DEW_SHAPE_PLANE) {
        complain(r->complaints, shape->at, "use a box, or its intersection with the plane",
                 "a liquid cannot be endless, as a half space is");
        liquid->shape = dew_default_shape_def();
    }
}
const key_table liquid_table = TABLE("liquid", liquid_keys, .check = check_liquid);
void liquids_init(void *item) { *(dew_liquid_def *)item = dew_default_liquid_def(); }

/* --- emitters --- */

static bool emits_solute(const void *object) { return ((const dew_emitter_def *)object)->concentration != 0; }

static const key emitter_keys[] = {
    {MATERIAL(dew_emitter_def)},
    {SHAPE(dew_emitter_def, "a disc or a rectangle")},
    {.name = "velocity",
     .type = KEY_VECTOR,
     .flags = KEY_REQUIRED | KEY_DIRECTION,
     .unit = "m/s",
     .offset = offsetof(dew_emitter_def, velocity),
     .sentence = "of the liquid that comes in"},
    {SPAN_FROM(dew_emitter_def)},
    {SPAN_TO(dew_emitter_def)},
    {.name = "temperature",
     .type = KEY_NUMBER,
     .unit = "K",
     .max = INFINITY,
     .offset = offsetof(dew_emitter_def, temperature),
     .sentence = "of the liquid that comes in"},
    {.name = "concentration",
     .type = KEY_NUMBER,
     .unit = "kg/m3",
     .max = INFINITY,
     .offset = offsetof(dew_emitter_def, concentration),
     .is_written = emits_solute,
     .sentence = "of what is dissolved in it"},
};

static void check_emitter(reader *r, const node *map, void *object)
{
    dew_emitter_def *emitter = object;
    check_material(r, map, "emitter");
    if (!shapes_is_flat(&emitter->shape)) {
        complain(r->complaints, tree_get(map, "shape")->at, "use a disc or a rectangle",
                 "liquid can only flow in through a flat shape");
        emitter->shape = dew_default_shape_def();
    }
    if (emitter->to <= emitter->from)
        complain(r->complaints, tree_get(map, "to")->at, NULL, "the emitter ends at %g s, before it begins at %g s",
                 emitter->to, emitter->from);
}
const key_table emitter_table = TABLE("emitter", emitter_keys, .check = check_emitter);
void emitters_init(void *item) { *(dew_emitter_def *)item = dew_default_emitter_def(); }
