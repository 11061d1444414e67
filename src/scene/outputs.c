/* What a scene says besides the definition of a simulation: frames and pictures. */
#include "scene/reader.h"

#include "base/real.h"

static const dew_property camera[] = {
    {.key = "eye",
     .type = DEW_PROPERTY_VECTOR,
     .flags = DEW_PROPERTY_REQUIRED,
     .unit = "m",
     .offset = offsetof(dew_render_def, eye),
     .sentence = "where the camera is"},
    {.key = "target",
     .type = DEW_PROPERTY_VECTOR,
     .flags = DEW_PROPERTY_REQUIRED,
     .unit = "m",
     .offset = offsetof(dew_render_def, target),
     .sentence = "the point in the middle of the picture"},
    {.key = "up",
     .type = DEW_PROPERTY_VECTOR,
     .flags = DEW_PROPERTY_DIRECTION,
     .unit = "1",
     .offset = offsetof(dew_render_def, up),
     .value = {0, 0, 1},
     .sentence = "direction that is up in the picture"},
    {.key = "field_of_view",
     .type = DEW_PROPERTY_NUMBER,
     .unit = "degree",
     .min = 1,
     .max = 150,
     .offset = offsetof(dew_render_def, field_of_view),
     .value = {30},
     .sentence = "vertical"},
};
static const dew_property size[] = {
    {.key = "width",
     .type = DEW_PROPERTY_INTEGER,
     .flags = DEW_PROPERTY_REQUIRED,
     .unit = "1",
     .min = 16,
     .max = 16384,
     .offset = offsetof(dew_render_def, width),
     .value = {960},
     .sentence = "pixels, even"},
    {.key = "height",
     .type = DEW_PROPERTY_INTEGER,
     .flags = DEW_PROPERTY_REQUIRED,
     .unit = "1",
     .min = 16,
     .max = 16384,
     .offset = offsetof(dew_render_def, height),
     .value = {720},
     .sentence = "pixels, even"},
};
static const dew_property range[] = {
    {.key = "smallest",
     .type = DEW_PROPERTY_NUMBER,
     .flags = DEW_PROPERTY_REQUIRED,
     .offset = offsetof(dew_render_def, colour_min),
     .sentence = "SI"},
    {.key = "largest",
     .type = DEW_PROPERTY_NUMBER,
     .flags = DEW_PROPERTY_REQUIRED,
     .offset = offsetof(dew_render_def, colour_max),
     .sentence = "SI"},
};

#define TABLE(title, entries, ...)                                                                                     \
    {                                                                                                                  \
        .name = title, .properties = entries, .count = (int)(sizeof entries / sizeof entries[0]), __VA_ARGS__          \
    }
static const dew_property_table camera_table = TABLE("camera", camera, .is_flow = true),
                                size_table = TABLE("size", size, .is_row = true),
                                range_table = TABLE("colour_range", range, .is_row = true);

static const dew_property output[] = {
    {.key = "fields",
     .type = DEW_PROPERTY_TEXTS,
     .words = "fields",
     .offset = offsetof(dew_scene_output, fields),
     .count_offset = offsetof(dew_scene_output, field_count),
     .sentence = "values of particles written to frames, which depend on the method; velocity, pressure and is_surface "
                 "if left out"},
    {.key = "camera",
     .type = DEW_PROPERTY_RECORD,
     .table = &camera_table,
     .offset = offsetof(dew_scene_output, render),
     .has_offset = offsetof(dew_scene_output, render.has_camera),
     .sentence = "of pictures; fitted to the scene if left out"},
    {.key = "size",
     .type = DEW_PROPERTY_RECORD,
     .table = &size_table,
     .offset = offsetof(dew_scene_output, render),
     .sentence = "[width, height] of pictures"},
    {.key = "samples",
     .type = DEW_PROPERTY_INTEGER,
     .unit = "1",
     .min = 1,
     .max = 4096,
     .offset = offsetof(dew_scene_output, render.samples),
     .value = {4},
     .sentence = "rays a pixel"},
    {.key = "colour_by",
     .type = DEW_PROPERTY_TEXT,
     .offset = offsetof(dew_scene_output, render.colour_by),
     .sentence = "the field that colours particles (a vector: its length); the liquid's own colour if left out"},
    {.key = "colour_range",
     .type = DEW_PROPERTY_RECORD,
     .flags = DEW_PROPERTY_SPARSE,
     .table = &range_table,
     .offset = offsetof(dew_scene_output, render),
     .sentence = "[smallest, largest] value coloured; fitted if left out"},
    {.key = "ground",
     .type = DEW_PROPERTY_FLAG,
     .offset = offsetof(dew_scene_output, render.has_ground),
     .value = {1},
     .sentence = "whether there is a floor below everything"},
};
static const dew_property_table output_table = TABLE("output", output);

const dew_property output_property = {.key = "output",
                                      .type = DEW_PROPERTY_RECORD,
                                      .table = &output_table,
                                      .offset = offsetof(dew_scene, output),
                                      .sentence = "what frames hold and how pictures look"};

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
