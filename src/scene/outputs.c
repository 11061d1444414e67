/* Probes, frames and pictures. */
#include "scene/tables.h"

#include "base/real.h"

/* --- probes --- */

/* Reads a list of words, each known to `is_known` or in the scene's suspense until later (NULL). */
static void read_words(reader *r, const char *name, const node *n, const char *const **words, int *count)
{
    if (!keys_expect(r, name, n, NODE_LIST)) return;
    const char **list = keys_obtain(r, (size_t)n->count * sizeof *list);
    if (!list) return;
    int k = 0;
    for (const node *entry = n->first; entry; entry = entry->next)
        if (keys_expect(r, text_format(r->memory, "an entry of %s", name), entry, NODE_TEXT)) list[k++] = entry->text;
    *words = list;
    *count = k;
}

static void write_words(writer *w, const char *const *words, int count)
{
    fputc('[', w->out);
    for (int i = 0; i < count; i++) {
        if (i) fputs(", ", w->out);
        keys_write_text(w, words[i]);
    }
    fputc(']', w->out);
}

static void read_quantities(reader *r, const key *k, const node *n, void *object)
{
    dew_probe_def *probe = object;
    read_words(r, k->name, n, &probe->quantities, &probe->quantity_count);
    enum { MAX_QUANTITIES = 128 };
    const char *known[MAX_QUANTITIES];
    int count = dew_quantity_count() < MAX_QUANTITIES ? dew_quantity_count() : MAX_QUANTITIES;
    for (int i = 0; i < count; i++) known[i] = dew_quantity_name(i);
    for (const node *entry = n->kind == NODE_LIST ? n->first : NULL; entry; entry = entry->next)
        if (entry->kind == NODE_TEXT && dew_quantity_columns(entry->text, &(const char *const *){NULL}) == 0)
            complain(r->complaints, entry->at, suggest(r->memory, entry->text, "quantities", known, count),
                     "unknown quantity '%s'", entry->text);
    if (n->kind == NODE_LIST && n->count == 0)
        complain(r->complaints, n->at, "for example [kinetic_energy, height]", "a probe must measure something");
}

static void write_quantities(writer *w, const key *k, const void *object)
{
    (void)k;
    const dew_probe_def *probe = object;
    write_words(w, probe->quantities, probe->quantity_count);
}

static const key probe_keys[] = {
    {NAME(dew_probe_def, "probe"), .flags = KEY_REQUIRED, .sentence = "the first part of its columns' names"},
    {.name = "every",
     .type = KEY_NUMBER,
     .unit = "s",
     .max = INFINITY,
     .offset = offsetof(dew_probe_def, every),
     .sentence = "time between measurements; 0: at every frame"},
    {.name = "quantities",
     .type = KEY_CUSTOM,
     .flags = KEY_REQUIRED,
     .read = read_quantities,
     .write = write_quantities,
     .sentence = "what it measures, see `dew list quantities`"},
};
const key_table probe_table = TABLE("probe", probe_keys);
void probes_init(void *item) { *(dew_probe_def *)item = (dew_probe_def){0}; }

/* --- output --- */

static void read_fields(reader *r, const key *k, const node *n, void *object)
{
    dew_scene_output *output = object;
    read_words(r, k->name, n, &output->fields, &output->field_count);
}

static void write_fields(writer *w, const key *k, const void *object)
{
    (void)k;
    const dew_scene_output *output = object;
    write_words(w, output->fields, output->field_count);
}

static const key size_key = {.name = "size", .unit = "1", .min = 16, .max = 16384};
static const key colour_range_key = {.name = "colour_range"};

/* A list of two numbers. */
static bool read_pair(reader *r, const key *k, const node *n, double pair[2])
{
    if (n->kind != NODE_LIST || n->count != 2) {
        complain(r->complaints, n->at, NULL, "%s must be a list of 2 numbers, not %s", k->name, keys_describe(r, n));
        return false;
    }
    bool is_good = keys_read_number(r, k, n->first, &pair[0]);
    return keys_read_number(r, k, n->first->next, &pair[1]) && is_good;
}

static void read_size(reader *r, const key *k, const node *n, void *object)
{
    (void)k;
    dew_render_def *render = &((dew_scene_output *)object)->render;
    double size[2];
    if (!read_pair(r, &size_key, n, size)) return;
    if (size[0] != 2 * floor(size[0] / 2) || size[1] != 2 * floor(size[1] / 2)) {
        complain(r->complaints, n->at, "video needs even numbers", "size must be two even numbers, not [%s, %s]",
                 n->first->text, n->first->next->text);
        return;
    }
    render->width = (int)size[0], render->height = (int)size[1];
}

static void write_size(writer *w, const key *k, const void *object)
{
    (void)k;
    const dew_render_def *render = &((const dew_scene_output *)object)->render;
    fprintf(w->out, "[%d, %d]", render->width, render->height);
}

static void read_colour_range(reader *r, const key *k, const node *n, void *object)
{
    (void)k;
    dew_render_def *render = &((dew_scene_output *)object)->render;
    double range[2];
    if (!read_pair(r, &colour_range_key, n, range)) return;
    if (range[0] >= range[1]) {
        complain(r->complaints, n->at, "write [smallest, largest]", "colour_range: %s is not below %s", n->first->text,
                 n->first->next->text);
        return;
    }
    render->colour_min = range[0], render->colour_max = range[1];
}

static void write_colour_range(writer *w, const key *k, const void *object)
{
    (void)k;
    const dew_render_def *render = &((const dew_scene_output *)object)->render;
    fputc('[', w->out);
    keys_write_number(w, render->colour_min);
    fputs(", ", w->out);
    keys_write_number(w, render->colour_max);
    fputc(']', w->out);
}

static bool has_colour_range(const void *object)
{
    const dew_render_def *render = &((const dew_scene_output *)object)->render;
    return render->colour_min < render->colour_max;
}

static const key camera_keys[] = {
    {.name = "eye",
     .type = KEY_VECTOR,
     .flags = KEY_REQUIRED,
     .unit = "m",
     .offset = offsetof(dew_render_def, eye),
     .sentence = "where the camera is"},
    {.name = "target",
     .type = KEY_VECTOR,
     .flags = KEY_REQUIRED,
     .unit = "m",
     .offset = offsetof(dew_render_def, target),
     .sentence = "the point in the middle of the picture"},
    {.name = "up",
     .type = KEY_VECTOR,
     .flags = KEY_DIRECTION,
     .unit = "1",
     .offset = offsetof(dew_render_def, up),
     .sentence = "direction that is up in the picture"},
    {.name = "field_of_view",
     .type = KEY_NUMBER,
     .unit = "degree",
     .min = 1,
     .max = 150,
     .offset = offsetof(dew_render_def, field_of_view),
     .sentence = "vertical, degrees"},
};

static void check_camera(reader *r, const node *map, void *object)
{
    const dew_render_def *render = object;
    dew_vec3 view = vec3_sub(render->target, render->eye);
    if (!(vec3_length(view) > 0))
        complain(r->complaints, tree_get(map, "target")->at, NULL, "eye and target are the same point");
    else if (!(vec3_length(vec3_cross(view, render->up)) > 1e-9 * vec3_length(view) * vec3_length(render->up)))
        complain(r->complaints, map->at, "for a view from above take up: [0, 1, 0]",
                 "the camera looks along its up direction");
}
const key_table camera_table = TABLE("camera", camera_keys, .is_flow = true, .check = check_camera);

static void read_camera(reader *r, const key *k, const node *n, void *object)
{
    (void)k;
    dew_render_def *render = &((dew_scene_output *)object)->render;
    render->has_camera = true;
    if (render->up.x == 0 && render->up.y == 0 && render->up.z == 0) render->up.z = 1;
    keys_read_map(r, &camera_table, n, render);
}

static void write_camera(writer *w, const key *k, const void *object)
{
    (void)k;
    writer flow = *w;
    flow.is_flow = true;
    fputc('{', w->out);
    keys_write_map(&flow, &camera_table, &((const dew_scene_output *)object)->render);
    fputc('}', w->out);
}

static bool has_camera(const void *object) { return ((const dew_scene_output *)object)->render.has_camera; }

static const key output_keys[] = {
    {.name = "fields",
     .type = KEY_CUSTOM,
     .read = read_fields,
     .write = write_fields,
     .sentence = "values of particles written to frames; velocity, pressure and is_surface if left out"},
    {.name = "camera",
     .type = KEY_CUSTOM,
     .read = read_camera,
     .write = write_camera,
     .is_written = has_camera,
     .sentence = "of pictures; fitted to the scene if left out"},
    {.name = "size",
     .type = KEY_CUSTOM,
     .unit = "1",
     .read = read_size,
     .write = write_size,
     .sentence = "[width, height] of pictures, pixels, even"},
    {.name = "samples",
     .type = KEY_INTEGER,
     .unit = "1",
     .min = 1,
     .max = 4096,
     .offset = offsetof(dew_scene_output, render.samples),
     .sentence = "rays a pixel"},
    {.name = "colour_by",
     .type = KEY_TEXT,
     .offset = offsetof(dew_scene_output, render.colour_by),
     .sentence = "the field that colours particles; the liquid's own colour if left out"},
    {.name = "colour_range",
     .type = KEY_CUSTOM,
     .read = read_colour_range,
     .write = write_colour_range,
     .is_written = has_colour_range,
     .sentence = "[smallest, largest] value coloured, SI; fitted if left out"},
    {.name = "ground",
     .type = KEY_FLAG,
     .offset = offsetof(dew_scene_output, render.has_ground),
     .sentence = "whether there is a floor below everything"},
};
const key_table output_table = TABLE("output", output_keys);
