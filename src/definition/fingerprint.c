/* A number for a definition. Functions are hashed by their values at a few places. */
#include "base/hash.h"
#include "definition/changes.h"

#include <math.h>
#include <string.h>

typedef struct hashing {
    uint64_t hash;
    const dew_simulation_def *def;
} hashing;

static void mix_bits(hashing *h, uint64_t value) { h->hash = hash_mix(h->hash, value); }

static void mix(hashing *h, double value)
{
    uint64_t bits;
    value = isnan(value) ? INFINITY : value + 0.0; /* -0 is 0 */
    memcpy(&bits, &value, sizeof bits);
    mix_bits(h, bits);
}

static void mix_function(hashing *h, const dew_property *p, dew_function f)
{
    mix_bits(h, f.evaluate != NULL);
    if (!f.evaluate) return;
    /* Typical values of a temperature, a time, and places. */
    double scale = p->variables[0] == 'T' ? 300 : p->variables[0] == 't' ? 1 : 100 * h->def->spacing;
    double in[3][4], value[4] = {0};
    for (int k = 0; k < 4; k++)
        for (int a = 0; a < 3; a++) in[a][k] = scale * (0.25 + 0.5 * k + 0.125 * a * (k - 1));
    f.evaluate(f.context, 4, (const double *const[]){in[0], in[1], in[2]}, value);
    for (int k = 0; k < 4; k++) mix(h, value[k]);
}

static void mix_mesh(hashing *h, const dew_shape_def *s)
{
    mix_bits(h, (uint64_t)s->mesh.vertex_count), mix_bits(h, (uint64_t)s->mesh.triangle_count);
    for (int i = 0; i < 3 * s->mesh.vertex_count; i++) mix(h, s->mesh.vertices[i]);
    for (int i = 0; i < 3 * s->mesh.triangle_count; i++) mix_bits(h, (uint64_t)s->mesh.triangles[i]);
}

/* By where its path leads, not by names. */
static void mix_setting(hashing *h, const dew_setting_def *setting)
{
    world_property what = WORLD_PROPERTIES;
    int index = 0;
    change_fault fault;
    change_find(h->def, setting->path, &what, &index, &fault);
    mix_bits(h, (uint64_t)what), mix_bits(h, (uint64_t)index);
    dew_vec3 value = change_value(what, setting);
    mix(h, value.x);
    if (what == WORLD_GRAVITY) mix(h, value.y), mix(h, value.z);
    if (what == WORLD_CONTACT_ANGLE && value.y != value.x) mix(h, value.y);
}

static void mix_record(hashing *h, const dew_property_table *table, const void *object);

static void mix_property(hashing *h, const dew_property *p, const void *object)
{
    const void *value = (const char *)object + p->offset;
    const dew_function *functions = property_functions(p, object);
    for (int k = 0; functions && k < (p->type == DEW_PROPERTY_VECTOR ? 3 : 1); k++) mix_function(h, p, functions[k]);
    if (p->flags & DEW_PROPERTY_FUNCTION_ONLY) return;
    int count;
    switch (p->type) {
    case DEW_PROPERTY_NUMBER:
        mix(h, *(const double *)value);
        break;
    case DEW_PROPERTY_VECTOR:
        for (int k = 0; k < 3; k++) mix(h, ((const double *)value)[k]);
        break;
    case DEW_PROPERTY_INTEGER:
    case DEW_PROPERTY_WORD:
    case DEW_PROPERTY_MATERIAL:
    case DEW_PROPERTY_SOLID:
        mix_bits(h, (uint64_t) * (const int *)value);
        break;
    case DEW_PROPERTY_FLAG:
        mix_bits(h, *(const bool *)value);
        break;
    case DEW_PROPERTY_RECORD:
    case DEW_PROPERTY_LIST:
        value = property_items(p, object, &count);
        mix_bits(h, (uint64_t)count);
        for (int k = 0; k < count; k++) mix_record(h, p->table, (const char *)value + (size_t)k * p->table->size);
        break;
    case DEW_PROPERTY_SETTING:
        mix_setting(h, object);
        break;
    case DEW_PROPERTY_MESH:
        mix_mesh(h, object);
        break;
    default: /* what things are called makes no difference */
        break;
    }
}

static void mix_record(hashing *h, const dew_property_table *table, const void *object)
{
    if (table->is_union) mix_bits(h, (uint64_t) * (const int *)object);
    for (int k = 0; k < table->count; k++) {
        const dew_property *p = &table->properties[k];
        bool counts = property_counts(table, p, object);
        if (p->has_offset) mix_bits(h, counts);
        p = property_in_use(p, object);
        /* What is there for pictures and probes makes no difference either. */
        if (counts && !(p->flags & DEW_PROPERTY_BESIDE) && property_matters(p, h->def)) mix_property(h, p, object);
    }
}

uint64_t definition_fingerprint(const dew_simulation_def *def, const dew_method_info *info, const double *parameters)
{
    hashing h = {.def = def};
    for (const char *c = info->name; *c; c++) mix_bits(&h, (unsigned char)*c);
    for (int i = 0; i < info->parameter_count; i++) mix(&h, parameters[i]);
    mix_record(&h, dew_schema(), def);
    return h.hash;
}
