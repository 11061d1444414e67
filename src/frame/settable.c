#include "frame/settable.h"

static int count_of(const settable *s, world_property what)
{
    world_owner owner = world_number_of(what).owner;
    return owner == OF_SCENE ? 3 : owner == OF_MATERIAL ? s->material_count : solids_count(s->solids);
}

int settable_owners(const settable *s, world_property what, int *first)
{
    *first = 0;
    for (int k = 0; k < (int)what; k++) *first += count_of(s, (world_property)k);
    return what == WORLD_GRAVITY ? 1 : count_of(s, what);
}

int settable_count(const settable *s)
{
    int first, count = settable_owners(s, (world_property)(WORLD_PROPERTIES - 1), &first);
    return first + count;
}

void settable_read(const settable *s, double *values)
{
    *values++ = s->gravity->x, *values++ = s->gravity->y, *values++ = s->gravity->z;
    for (int what = WORLD_GRAVITY + 1; what < WORLD_PROPERTIES; what++)
        for (int k = 0; k < count_of(s, (world_property)what); k++)
            *values++ = world_number_of((world_property)what).owner == OF_MATERIAL
                            ? *world_number_in((world_property)what, &s->materials[k])
                            : solids_number(s->solids, k, (world_property)what);
}

void settable_write(const settable *s, const double *values)
{
    *s->gravity = (dew_vec3){values[0], values[1], values[2]}, values += 3;
    for (int what = WORLD_GRAVITY + 1; what < WORLD_PROPERTIES; what++)
        for (int k = 0; k < count_of(s, (world_property)what); k++, values++)
            if (world_number_of((world_property)what).owner == OF_MATERIAL)
                *world_number_in((world_property)what, &s->materials[k]) = *values;
            else
                solids_set(s->solids, k, (world_property)what, *values);
}

static void set_number(const settable *s, double *values, world_property what, int index, double value)
{
    int first, count = settable_owners(s, what, &first);
    if (index != ALL_WALLS)
        values[first + index] = value;
    else
        for (int k = solids_first_wall(s->solids); k < count; k++) values[first + k] = value;
}

void settable_change(const settable *s, double *values, const change_step *c)
{
    if (c->what == WORLD_GRAVITY)
        values[0] = c->value.x, values[1] = c->value.y, values[2] = c->value.z;
    else
        set_number(s, values, c->what, c->index, c->value.x);
    if (c->what == WORLD_CONTACT_ANGLE) set_number(s, values, WORLD_RECEDING_ANGLE, c->index, c->value.y);
}
