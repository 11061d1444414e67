/* What a scene says besides the definition of a simulation: frames and pictures. */
#include "scene/reader.h"

#include "base/real.h"
#include "definition/entries.h"

#define OF dew_render_def
static const dew_property camera[] = {
    {VECTOR("eye", eye, "m"), REQUIRED, SAYS "where the camera is"},
    {VECTOR("target", target, "m"), REQUIRED, SAYS "the point in the middle of the picture"},
    {VECTOR("up", up, "1"), .flags = DEW_PROPERTY_DIRECTION, .value = {0, 0, 1},
     SAYS "direction that is up in the picture"},
    {NUMBER("field_of_view", field_of_view, "degree", 1, 150, 30), SAYS "vertical"},
};
static const dew_property cut[] = {
    {VECTOR("point", cut_point, "m"), REQUIRED, SAYS "in the plane"},
    {VECTOR("normal", cut_normal, "1"), REQUIRED | DEW_PROPERTY_DIRECTION, SAYS "towards what is not drawn"},
};
static const dew_property size[] = {
    {INTEGER("width", width, 16, 16384, 960), REQUIRED, SAYS "pixels, even"},
    {INTEGER("height", height, 16, 16384, 720), REQUIRED, SAYS "pixels, even"},
};
static const dew_property range[] = {
    {NUMBER("smallest", colour_min, NULL, 0, 0, 0), REQUIRED, SAYS "SI"},
    {NUMBER("largest", colour_max, NULL, 0, 0, 0), REQUIRED, SAYS "SI"},
};
#undef OF
static const dew_property_table camera_table = TABLE("camera", camera, dew_render_def, .is_flow = true),
                                cut_table = TABLE("cut", cut, dew_render_def, .is_flow = true),
                                size_table = TABLE("size", size, dew_render_def, .is_row = true),
                                range_table = TABLE("colour_range", range, dew_render_def, .is_row = true);

#define OF dew_scene_output
static const dew_property output[] = {
    {AT("fields", fields), .type = DEW_PROPERTY_TEXTS, .words = "fields", .count_offset = offsetof(OF, field_count),
     SAYS
     "values of particles written to frames, which depend on the method; velocity, pressure and is_surface if left "
     "out"},
    {RECORD("camera", render, &camera_table), .has_offset = offsetof(OF, render.has_camera),
     SAYS "of pictures; fitted to the scene if left out"},
    {RECORD("cut", render, &cut_table), .has_offset = offsetof(OF, render.has_cut),
     SAYS "particles beyond this plane are not drawn: a look into a tank"},
    {RECORD("size", render, &size_table), SAYS "[width, height] of pictures"},
    {INTEGER("samples", render.samples, 1, 4096, 4), SAYS "rays a pixel"},
    {AT("colour_by", render.colour_by), .type = DEW_PROPERTY_TEXT,
     SAYS "the field that colours particles (a vector: its length); the liquid's own colour if left out"},
    {RECORD("colour_range", render, &range_table), .flags = DEW_PROPERTY_SPARSE,
     SAYS "[smallest, largest] value coloured; fitted if left out"},
    {FLAG("strict", is_strict, 0), SAYS "whether a run ends, with status 1, at its first warning (see watch)"},
    {FLAG("ground", render.has_ground, 1), SAYS "whether there is a floor below everything"},
};
#undef OF
static const dew_property_table output_table = TABLE("output", output, dew_scene_output);

#define OF dew_scene
const dew_property output_property = {RECORD("output", output, &output_table),
                                      SAYS "what frames hold and how pictures look"};
#undef OF

/* The tables of the output are where the defaults of pictures are written down. */
dew_render_def dew_default_render_def(void)
{
    dew_scene_output usual = {.field_count = 0};
    definition_set_defaults(&output_table, &usual);
    return usual.render;
}

void check_output(const dew_scene_output *o, failures *all)
{
    const dew_render_def *d = &o->render;
    definition_check_record(&output_table, o, "output", all);
    if (d->width % 2 || d->height % 2)
        failures_note(all, "output.size", 0, "video needs even numbers", "size must be two even numbers, not [%d, %d]",
                      d->width, d->height);
    if (d->colour_min > d->colour_max)
        failures_note(all, "output.colour_range", 0, "write [smallest, largest]", "colour_range: %g is not below %g",
                      d->colour_min, d->colour_max);
    if (!d->has_camera) return;
    dew_vec3 view = vec3_sub(d->target, d->eye);
    if (!(vec3_length(view) > 0))
        failures_note(all, "output.camera.target", 0, NULL, "eye and target are the same point");
    else if (!(vec3_length(vec3_cross(view, d->up)) > 1e-9 * vec3_length(view) * vec3_length(d->up)))
        failures_note(all, "output.camera", 0, "for a view from above take up: [0, 1, 0]",
                      "the camera looks along its up direction");
}
