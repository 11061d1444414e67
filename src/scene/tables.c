/* The scene as a whole, its domain, and the blocks of methods. */
#include "scene/tables.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_LENGTH = 63 };

/* Names of materials, solids and probes become names of files and columns. */
bool names_check(reader *r, const char *what, place at, const char *name)
{
    bool is_good = *name != 0;
    for (const char *p = name; *p; p++) is_good &= isalnum((unsigned char)*p) || *p == '_' || *p == '-';
    if (is_good && strlen(name) <= NAME_LENGTH) return true;
    complain(r->complaints, at, text_format(r->memory, "use letters, digits, '_' and '-', at most %d", NAME_LENGTH),
             "'%.80s' cannot be the name of a %s", name, what);
    return false;
}

void names_read(reader *r, const key *k, const node *n, void *object)
{
    const char *name;
    if (keys_read_text(r, k, n, &name) && names_check(r, k->words, n->at, name))
        *(const char **)((char *)object + k->offset) = name;
}

void names_write(writer *w, const key *k, const void *object)
{
    keys_write_text(w, *(const char *const *)((const char *)object + k->offset));
}

/* --- domain --- */

#define AXIS(axis_name, index)                                                                                         \
    .name = axis_name, .type = KEY_WORD, .words = "open|wall|periodic|symmetry",                                       \
    .offset = offsetof(dew_domain_def, axis[index]), .sentence = "both faces of this axis"

static bool domain_has_heat(const void *object)
{
    return heat_boundary_is_given(&((const dew_domain_def *)object)->heat);
}

static const key domain_keys[] = {
    {.name = "min",
     .type = KEY_VECTOR,
     .unit = "m",
     .offset = offsetof(dew_domain_def, min),
     .sentence = "corner with the smallest x, y, z; counts on axes that are not open"},
    {.name = "max",
     .type = KEY_VECTOR,
     .unit = "m",
     .offset = offsetof(dew_domain_def, max),
     .sentence = "corner with the largest x, y, z"},
    {AXIS("x", 0)},
    {AXIS("y", 1)},
    {AXIS("z", 2)},
    {.name = "contact_angle",
     .type = KEY_NUMBER,
     .unit = "degree",
     .max = 180,
     .offset = offsetof(dew_domain_def, contact_angle),
     .sentence = "of the liquid on the walls, degrees"},
    {.name = "friction",
     .type = KEY_NUMBER,
     .unit = "1",
     .max = INFINITY,
     .offset = offsetof(dew_domain_def, friction),
     .sentence = "of the walls"},
    {.name = "no_slip",
     .type = KEY_FLAG,
     .offset = offsetof(dew_domain_def, no_slip),
     .sentence = "liquid that touches the walls is at rest"},
    {.name = "heat",
     .type = KEY_MAP,
     .table = &heat_boundary_table,
     .offset = offsetof(dew_domain_def, heat),
     .is_written = domain_has_heat,
     .sentence = "what passes between the walls and the liquid; none if left out"},
};

static void check_domain(reader *r, const node *map, void *object)
{
    const dew_domain_def *d = object;
    const double min[3] = {d->min.x, d->min.y, d->min.z}, max[3] = {d->max.x, d->max.y, d->max.z};
    const node *max_node = tree_get(map, "max");
    for (int axis = 0; axis < 3; axis++) {
        if (d->axis[axis] == DEW_OPEN) continue;
        if (!max_node || !tree_get(map, "min")) {
            complain(r->complaints, map->at, "give min: [x, y, z] and max: [x, y, z]",
                     "the domain is not open, so it needs min and max");
            return;
        }
        if (max[axis] <= min[axis])
            complain(r->complaints, max_node->at, "max must be above min on each axis that is not open",
                     "%c: max %g m is not above min %g m", "xyz"[axis], max[axis], min[axis]);
    }
}
static const key_table domain_table = TABLE("domain", domain_keys, .is_flow = true, .check = check_domain);

/* --- the scene --- */

static void read_method(reader *r, const key *k, const node *n, void *object)
{
    (void)k, (void)object;
    if (r->method || !keys_expect(r, "method", n, NODE_TEXT)) return; /* --method has decided */
    r->method = dew_method_find(n->text);
    if (r->method) {
        r->scene->def.method = r->method->name;
        return;
    }
    enum { MAX_METHODS = 64 };
    const char *names[MAX_METHODS];
    int count = 0;
    for (; count < dew_method_count() && count < MAX_METHODS; count++) names[count] = dew_method_at(count)->name;
    complain(r->complaints, n->at, suggest(r->memory, n->text, "methods", names, count), "unknown method '%s'",
             n->text);
}

static void write_method(writer *w, const key *k, const void *object)
{
    (void)k;
    keys_write_text(w, ((const dew_scene *)object)->def.method);
}

/* A block of a method's own parameters. Blocks of methods other than the scene's are checked too, but not used. */
static bool read_method_block(reader *r, const node *entry)
{
    const dew_method_info *method = dew_method_find(entry->key);
    if (!method) return false;
    if (entry->kind == NODE_NULL) return true;
    if (!keys_expect(r, entry->key, entry, NODE_MAP)) return true;
    dew_parameter_value *values = keys_obtain(r, (size_t)entry->count * sizeof *values);
    const char **names = keys_obtain(r, (size_t)method->parameter_count * sizeof *names);
    if (!values || !names) return true;
    for (int i = 0; i < method->parameter_count; i++) names[i] = method->parameters[i].name;
    int count = 0;
    for (const node *n = entry->first; n; n = n->next) {
        int i = 0;
        while (i < method->parameter_count && strcmp(names[i], n->key) != 0) i++;
        if (i == method->parameter_count) {
            complain(r->complaints, n->key_at, suggest(r->memory, n->key, "parameters", names, method->parameter_count),
                     "method '%s' has no parameter '%s'", method->name, n->key);
            continue;
        }
        const dew_parameter *p = &method->parameters[i];
        dew_parameter_value *v = &values[count];
        key k = {.name = p->name, .unit = p->unit, .min = p->min, .max = p->max, .words = p->choices};
        int word = 0;
        *v = (dew_parameter_value){.name = p->name};
        bool is_good = p->choices ? keys_read_word(r, &k, n, &word) : keys_read_number(r, &k, n, &v->number);
        if (is_good && p->choices) v->text = n->text, v->number = word;
        count += is_good;
    }
    if (method == r->method) r->scene->def.parameters = values, r->scene->def.parameter_count = count;
    return true;
}

static bool scene_has_heat(const void *object) { return ((const dew_scene *)object)->def.has_heat; }

#define IN_DEFINITION(member) .offset = offsetof(dew_scene, def.member)

static const key scene_keys[] = {
    {.name = "title", .type = KEY_TEXT, IN_DEFINITION(title), .sentence = "one line for people"},
    {.name = "method",
     .type = KEY_CUSTOM,
     .read = read_method,
     .write = write_method,
     .sentence = "see `dew list methods`; the option --method replaces it"},
    {.name = "dimension",
     .type = KEY_INTEGER,
     .flags = KEY_BASIS,
     .unit = "1",
     .min = 2,
     .max = 3,
     IN_DEFINITION(dimension),
     .sentence = "3, or 2 where the method can: then everything lies in the plane z = 0"},
    {.name = "spacing",
     .type = KEY_NUMBER,
     .flags = KEY_REQUIRED | KEY_ABOVE | KEY_BASIS,
     .unit = "m",
     .max = INFINITY,
     IN_DEFINITION(spacing),
     .sentence = "distance between particles, for example 0.1 mm"},
    {.name = "duration",
     .type = KEY_NUMBER,
     .unit = "s",
     .max = INFINITY,
     IN_DEFINITION(duration),
     .sentence = "simulated time"},
    {.name = "frame_rate",
     .type = KEY_NUMBER,
     .flags = KEY_ABOVE,
     .unit = "1/s",
     .max = INFINITY,
     IN_DEFINITION(frame_rate),
     .sentence = "frames per second of simulated time"},
    {.name = "gravity", .type = KEY_VECTOR, .unit = "m/s2", IN_DEFINITION(gravity), .sentence = "acceleration"},
    {.name = "max_particles",
     .type = KEY_INTEGER,
     .unit = "1",
     .max = 2147483647,
     IN_DEFINITION(max_particles),
     .sentence = "emitters stop there; 0: no limit"},
    {.name = "domain",
     .type = KEY_MAP,
     .flags = KEY_BASIS,
     .table = &domain_table,
     IN_DEFINITION(domain),
     .sentence = "a box whose faces are walls, periodic or symmetry planes; open to all sides if left out"},
    {.name = "materials",
     .type = KEY_CUSTOM,
     .flags = KEY_REQUIRED | KEY_BLOCK,
     .read = materials_read,
     .write = materials_write,
     .sentence = "the liquids' properties by name, for example {water: {density: 998}}"},
    {.name = "liquids",
     .type = KEY_LIST,
     .table = &liquid_table,
     .item_size = sizeof(dew_liquid_def),
     .count_offset = offsetof(dew_scene, def.liquid_count),
     .init = liquids_init,
     IN_DEFINITION(liquids),
     .sentence = "bodies of liquid at the start"},
    {.name = "solids",
     .type = KEY_LIST,
     .table = &solid_table,
     .item_size = sizeof(dew_solid_def),
     .count_offset = offsetof(dew_scene, def.solid_count),
     .init = solids_init,
     IN_DEFINITION(solids),
     .sentence = "obstacles, at rest or moving"},
    {.name = "emitters",
     .type = KEY_LIST,
     .table = &emitter_table,
     .item_size = sizeof(dew_emitter_def),
     .count_offset = offsetof(dew_scene, def.emitter_count),
     .init = emitters_init,
     IN_DEFINITION(emitters),
     .sentence = "where liquid flows in"},
    {.name = "heat",
     .type = KEY_MAP,
     .table = &heat_table,
     IN_DEFINITION(heat),
     .is_written = scene_has_heat,
     .sentence = "how the liquid is heated and cooled"},
    {.name = "probes",
     .type = KEY_LIST,
     .table = &probe_table,
     .item_size = sizeof(dew_probe_def),
     .count_offset = offsetof(dew_scene, def.probe_count),
     .init = probes_init,
     IN_DEFINITION(probes),
     .sentence = "series of measurements, written to probes.csv"},
    {.name = "output",
     .type = KEY_MAP,
     .table = &output_table,
     .offset = offsetof(dew_scene, output),
     .sentence = "what frames hold and how pictures look"},
};

const key_table scene_table = TABLE("the scene", scene_keys, .other = read_method_block);

static const key_table *const tables[] = {
    &scene_table,          &domain_table, &material_table,      &liquid_table,      &solid_table,
    &surface_energy_table, &motion_table, &emitter_table,       &probe_table,       &output_table,
    &camera_table,         &heat_table,   &heat_boundary_table, &heat_source_table,
};

const key_table *tables_at(int index)
{
    int count = (int)(sizeof tables / sizeof tables[0]);
    return index < count ? tables[index] : shapes_table_at(index - count);
}
