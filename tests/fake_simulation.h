/* A simulation of plain arrays in place of the real one: files and pictures are tested on particles that lie just where
 * a test puts them. Include it in one file of a test that does not link the room sim. */
#ifndef FAKE_SIMULATION_H
#define FAKE_SIMULATION_H

#include "dew/dew.h"
#include "dew/snapshot.h"

#include <stdlib.h>
#include <string.h>

enum { FAKE_MOST = 60000, FAKE_SOLIDS = 3, FAKE_ITEMS = 6 };

struct dew_simulation {
    int count, frame;
    double time, spacing;
    dew_real position[FAKE_MOST][4], velocity[FAKE_MOST][4], pressure[FAKE_MOST];
    int32_t id[FAKE_MOST];
    uint8_t material[FAKE_MOST];
    dew_solid_mesh solids[FAKE_SOLIDS];
    int solid_count;
    dew_snapshot_item items[FAKE_ITEMS], restored[FAKE_ITEMS];
    int item_count, restored_count;
};

double dew_simulation_time(const dew_simulation *s) { return s->time; }
int dew_simulation_frame(const dew_simulation *s) { return s->frame; }
int64_t dew_simulation_step_count(const dew_simulation *s) { return 10 * (int64_t)s->frame; }
int dew_simulation_particle_count(const dew_simulation *s) { return s->count; }
double dew_simulation_spacing(const dew_simulation *s) { return s->spacing; }
const dew_method_info *dew_simulation_method(const dew_simulation *s)
{
    static const dew_method_info info = {.name = "fake", .title = "a fake"};
    (void)s;
    return &info;
}

int dew_simulation_field_count(const dew_simulation *s)
{
    (void)s;
    return 5;
}

dew_field dew_simulation_field_at(const dew_simulation *s, int index)
{
    switch (index) {
    case 0:
        return (dew_field){"position", "m", "place", DEW_FIELD_REAL, 3, 4, s->count, s->position};
    case 1:
        return (dew_field){"velocity", "m s-1", "velocity", DEW_FIELD_REAL, 3, 4, s->count, s->velocity};
    case 2:
        return (dew_field){"id", "1", "name", DEW_FIELD_INT32, 1, 1, s->count, s->id};
    case 3:
        return (dew_field){"material", "1", "material", DEW_FIELD_UINT8, 1, 1, s->count, s->material};
    default:
        return (dew_field){"pressure", "Pa", "pressure", DEW_FIELD_REAL, 1, 1, s->count, s->pressure};
    }
}

bool dew_simulation_field(const dew_simulation *s, const char *name, dew_field *field)
{
    for (int k = 0; k < dew_simulation_field_count(s); k++) {
        *field = dew_simulation_field_at(s, k);
        if (strcmp(field->name, name) == 0) return true;
    }
    return false;
}

static const char *const fake_vector[] = {"x", "y", "z"}, *const fake_scalar[] = {""};

int dew_quantity_columns(const char *quantity, const char *const **suffixes)
{
    bool is_vector = strcmp(quantity, "momentum") == 0, is_scalar = strcmp(quantity, "kinetic_energy") == 0;
    if (suffixes) *suffixes = is_vector ? fake_vector : fake_scalar;
    return is_vector ? 3 : is_scalar ? 1 : 0;
}

dew_result dew_simulation_measure(const dew_simulation *s, const char *quantity, double *values)
{
    const char *const *suffixes;
    int columns = dew_quantity_columns(quantity, &suffixes);
    for (int c = 0; c < columns; c++) values[c] = s->time * (c + 1) / 3;
    return DEW_OK;
}

int dew_simulation_solid_count(const dew_simulation *s) { return s->solid_count; }
dew_result dew_simulation_solid_mesh(const dew_simulation *s, int index, dew_solid_mesh *mesh)
{
    *mesh = s->solids[index];
    return DEW_OK;
}

dew_result dew_simulation_snapshot(dew_simulation *s, const dew_snapshot_item **items, int *count)
{
    *items = s->items, *count = s->item_count;
    return DEW_OK;
}

/* Keeps copies of the data, so that a test can compare them. */
dew_result dew_simulation_restore(dew_simulation *s, const dew_snapshot_item *items, int count)
{
    static const size_t sizes[] = {4, 8, 4, 8, 1};
    if (count > FAKE_ITEMS) return DEW_INVALID;
    for (int k = 0; k < count; k++) {
        size_t bytes = (size_t)items[k].count * sizes[items[k].type];
        void *data = malloc(bytes + 1);
        memcpy(data, items[k].data, bytes);
        s->restored[k] = (dew_snapshot_item){strdup(items[k].name), items[k].type, items[k].count, data};
    }
    s->restored_count = count;
    return DEW_OK;
}

#endif
