/* Heat: what enters through surfaces, and sources. */
#include "scene/tables.h"

static const key heat_boundary_keys[] = {
    {.name = "transfer",
     .type = KEY_NUMBER,
     .unit = "W/m2/K",
     .max = INFINITY,
     .offset = offsetof(dew_heat_boundary, transfer),
     .sentence = "heat transfer coefficient: transfer x (surroundings - T) flows in"},
    {.name = "surroundings",
     .type = KEY_NUMBER,
     .unit = "K",
     .max = INFINITY,
     .offset = offsetof(dew_heat_boundary, surroundings),
     .sentence = "their temperature"},
    {.name = "flux",
     .type = KEY_NUMBER,
     .unit = "W/m2",
     .offset = offsetof(dew_heat_boundary, flux),
     .sentence = "flows in besides; below 0 it flows out"},
};
const key_table heat_boundary_table = TABLE("heat of a surface", heat_boundary_keys, .is_flow = true);

bool heat_boundary_is_given(const dew_heat_boundary *b)
{
    return b->transfer != 0 || b->flux != 0 || b->surroundings != dew_default_heat_boundary().surroundings;
}

static bool is_moving(const void *object)
{
    const dew_motion_def *m = &((const dew_heat_source_def *)object)->motion;
    bool is_any = m->keyframe_count > 0;
    for (int k = 0; k < 3; k++) is_any |= m->translation_of[k].evaluate || m->rotation_of[k].evaluate;
    return is_any;
}

static const key heat_source_keys[] = {
    {SHAPE(dew_heat_source_def, "the region in which it heats")},
    {.name = "power",
     .type = KEY_NUMBER,
     .unit = "W/m3",
     .offset = offsetof(dew_heat_source_def, power),
     .sentence = "in the liquid within the shape; below 0 it cools"},
    {.name = "flux",
     .type = KEY_NUMBER,
     .unit = "W/m2",
     .offset = offsetof(dew_heat_source_def, flux),
     .sentence = "through the free surface within the shape"},
    {SPAN_FROM(dew_heat_source_def)},
    {SPAN_TO(dew_heat_source_def)},
    {.name = "motion",
     .type = KEY_MAP,
     .table = &motion_table,
     .offset = offsetof(dew_heat_source_def, motion),
     .is_written = is_moving,
     .sentence = "how the shape moves; at rest if left out"},
};

static void check_source(reader *r, const node *map, void *object)
{
    dew_heat_source_def *s = object;
    shapes_check_body(r, tree_get(map, "shape"), &s->shape, "a heat source");
    if (s->power == 0 && s->flux == 0)
        complain(r->complaints, map->at, "give it a power (W/m3), a flux (W/m2), or both",
                 "the heat source gives no heat");
    if (s->to <= s->from)
        complain(r->complaints, tree_get(map, "to")->at, NULL, "the heat source ends at %g s, before it begins at %g s",
                 s->to, s->from);
}
const key_table heat_source_table = TABLE("heat source", heat_source_keys, .check = check_source);
static void init_source(void *item) { *(dew_heat_source_def *)item = dew_default_heat_source_def(); }

static const key heat_keys[] = {
    {.name = "surface",
     .type = KEY_MAP,
     .table = &heat_boundary_table,
     .offset = offsetof(dew_heat_def, surface),
     .sentence = "what passes through the free surface; none if left out"},
    {.name = "sources",
     .type = KEY_LIST,
     .table = &heat_source_table,
     .item_size = sizeof(dew_heat_source_def),
     .count_offset = offsetof(dew_heat_def, source_count),
     .init = init_source,
     .offset = offsetof(dew_heat_def, sources),
     .sentence = "regions that are heated, which may move"},
};
const key_table heat_table = TABLE("heat", heat_keys);
