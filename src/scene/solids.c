/* Solids and their motion. */
#include "scene/tables.h"

/* --- solids --- */

static const key surface_energy_keys[] = {
    {.name = "solid",
     .type = KEY_NUMBER,
     .flags = KEY_REQUIRED,
     .unit = "J/m2",
     .max = INFINITY,
     .offset = offsetof(dew_solid_def, solid_energy),
     .sentence = "surface free energy of the solid against the gas"},
    {.name = "between",
     .type = KEY_NUMBER,
     .flags = KEY_REQUIRED,
     .unit = "J/m2",
     .max = INFINITY,
     .offset = offsetof(dew_solid_def, between_energy),
     .sentence = "energy of the boundary between solid and liquid"},
};
const key_table surface_energy_table = TABLE("surface_energy", surface_energy_keys, .is_flow = true);

static void read_surface_energy(reader *r, const key *k, const node *n, void *object)
{
    (void)k;
    ((dew_solid_def *)object)->has_surface_energy = true;
    keys_read_map(r, &surface_energy_table, n, object);
}

static void write_surface_energy(writer *w, const key *k, const void *object)
{
    (void)k;
    writer flow = *w;
    flow.is_flow = true;
    fputc('{', w->out);
    keys_write_map(&flow, &surface_energy_table, object);
    fputc('}', w->out);
}

static bool has_surface_energy(const void *object) { return ((const dew_solid_def *)object)->has_surface_energy; }
static bool has_contact_angle(const void *object) { return !has_surface_energy(object); }

static const key keyframe_time = {.name = "the time of a keyframe", .unit = "s", .min = -INFINITY, .max = INFINITY};
static const key keyframe_translation = {.name = "the translation of a keyframe", .unit = "m"};
static const key keyframe_rotation = {.name = "the rotation of a keyframe", .unit = "rad", .flags = KEY_NEEDS_UNIT};

static bool read_keyframe(reader *r, const node *n, dew_keyframe *f)
{
    if (n->kind != NODE_LIST || n->count < 2 || n->count > 3) {
        complain(r->complaints, n->at, "[time, [x, y, z]] or [time, [x, y, z], [rx, ry, rz]]",
                 "a keyframe must be a list of time, translation and perhaps rotation, not %s", keys_describe(r, n));
        return false;
    }
    const node *translation = n->first->next, *rotation = translation->next;
    bool is_good = keys_read_number(r, &keyframe_time, n->first, &f->time);
    is_good &= keys_read_vector(r, &keyframe_translation, translation, &f->translation);
    if (rotation) is_good &= keys_read_vector(r, &keyframe_rotation, rotation, &f->rotation);
    return is_good;
}

static void read_keyframes(reader *r, const key *k, const node *n, void *object)
{
    dew_motion_def *motion = object;
    if (!keys_expect(r, k->name, n, NODE_LIST)) return;
    dew_keyframe *frames = keys_obtain(r, (size_t)n->count * sizeof *frames);
    if (!frames) return;
    int count = 0, before = complaints_count(r->complaints);
    bool is_good = true;
    for (const node *entry = n->first; entry; entry = entry->next) {
        is_good &= read_keyframe(r, entry, &frames[count]);
        if (is_good && count > 0 && frames[count].time <= frames[count - 1].time)
            complain(r->complaints, entry->at, "keyframes must follow each other in time",
                     "the keyframe at %g s is not after the one before, at %g s", frames[count].time,
                     frames[count - 1].time);
        count++;
    }
    if (complaints_count(r->complaints) > before) return; /* it rests */
    motion->keyframes = frames;
    motion->keyframe_count = count;
}

static void write_keyframes(writer *w, const key *k, const void *object)
{
    (void)k;
    const dew_motion_def *motion = object;
    for (int i = 0; i < motion->keyframe_count; i++) {
        const dew_keyframe *f = &motion->keyframes[i];
        fputs(i ? ", [" : "[[", w->out);
        keys_write_number(w, f->time);
        fputs(", ", w->out);
        keys_write_vector(w, f->translation);
        const double rotation[3] = {f->rotation.x, f->rotation.y, f->rotation.z};
        for (int axis = 0; axis < 3; axis++) {
            fputs(axis ? ", " : ", [", w->out);
            keys_write_number(w, rotation[axis]);
            fputs(" rad", w->out);
        }
        fputs("]]", w->out);
    }
    fputc(']', w->out);
}

/* Numbers among expressions become expressions too: a motion has functions only. */
static void read_motion_functions(reader *r, const key *k, const node *n, void *object)
{
    dew_function *functions = (dew_function *)((char *)object + k->offset);
    dew_vec3 constant = {0};
    if (!keys_read_vector_or_functions(r, k, n, "t", &constant, functions)) return;
    const double c[3] = {constant.x, constant.y, constant.z};
    for (int axis = 0; axis < 3; axis++) {
        if (functions[axis].evaluate || c[axis] == 0) continue;
        node number = {.kind = NODE_TEXT, .text = text_format(r->memory, "0 + %.17g", c[axis]), .at = n->at};
        keys_read_number_or_function(r, k, &number, "t", &(double){0}, &functions[axis]);
    }
}

static void write_motion_functions(writer *w, const key *k, const void *object)
{
    keys_write_vector_or_functions(w, (dew_vec3){0}, (const dew_function *)((const char *)object + k->offset));
}

static bool has_any(const dew_function f[3]) { return f[0].evaluate || f[1].evaluate || f[2].evaluate; }
static bool has_translation(const void *object) { return has_any(((const dew_motion_def *)object)->translation_of); }
static bool has_rotation(const void *object) { return has_any(((const dew_motion_def *)object)->rotation_of); }
static bool has_keyframes(const void *object) { return ((const dew_motion_def *)object)->keyframe_count > 0; }

static const key motion_keys[] = {
    {.name = "keyframes",
     .type = KEY_CUSTOM,
     .read = read_keyframes,
     .write = write_keyframes,
     .is_written = has_keyframes,
     .sentence = "[[time, [x, y, z]], ...], each with a rotation vector at will: times ascend"},
    {.name = "translation",
     .type = KEY_CUSTOM,
     .unit = "m",
     .offset = offsetof(dew_motion_def, translation_of),
     .read = read_motion_functions,
     .write = write_motion_functions,
     .is_written = has_translation,
     .sentence = "three expressions of t (s), in m"},
    {.name = "rotation",
     .type = KEY_CUSTOM,
     .flags = KEY_NEEDS_UNIT,
     .unit = "rad",
     .offset = offsetof(dew_motion_def, rotation_of),
     .read = read_motion_functions,
     .write = write_motion_functions,
     .is_written = has_rotation,
     .sentence = "rotation vector: three expressions of t (s), in radians"},
    {.name = "pivot",
     .type = KEY_VECTOR,
     .unit = "m",
     .offset = offsetof(dew_motion_def, pivot),
     .sentence = "the point that rotations leave in place"},
};

static void check_motion(reader *r, const node *map, void *object)
{
    const node *keyframes = tree_get(map, "keyframes");
    if (!keyframes || !(has_translation(object) || has_rotation(object))) return;
    complain(r->complaints, keyframes->key_at, "keep one of them",
             "a motion has either keyframes or expressions, not both");
    *(dew_motion_def *)object = (dew_motion_def){.keyframes = NULL};
}
const key_table motion_table = TABLE("motion", motion_keys, .is_flow = true, .check = check_motion);

static bool is_moving(const void *object)
{
    const dew_motion_def *motion = &((const dew_solid_def *)object)->motion;
    return has_keyframes(motion) || has_translation(motion) || has_rotation(motion);
}

static bool has_heat(const void *object) { return heat_boundary_is_given(&((const dew_solid_def *)object)->heat); }

static const key solid_keys[] = {
    {NAME(dew_solid_def, "solid"), .sentence = "its name in messages and files; solid_1, solid_2, ... if left out"},
    {SHAPE(dew_solid_def, "the region that it fills")},
    {.name = "contact_angle",
     .type = KEY_NUMBER,
     .unit = "degree",
     .max = 180,
     .offset = offsetof(dew_solid_def, contact_angle),
     .is_written = has_contact_angle,
     .sentence = "of the liquid on it, measured in the liquid, degrees"},
    {.name = "surface_energy",
     .type = KEY_CUSTOM,
     .read = read_surface_energy,
     .write = write_surface_energy,
     .is_written = has_surface_energy,
     .sentence = "in place of the contact angle: cos(angle) = (solid - between)/surface_tension"},
    {.name = "friction",
     .type = KEY_NUMBER,
     .unit = "1",
     .max = INFINITY,
     .offset = offsetof(dew_solid_def, friction),
     .sentence = "Coulomb coefficient; 0: the liquid slips freely"},
    {.name = "no_slip",
     .type = KEY_FLAG,
     .offset = offsetof(dew_solid_def, no_slip),
     .sentence = "liquid that touches it has its velocity, as viscous liquids do"},
    {.name = "adhesion",
     .type = KEY_NUMBER,
     .unit = "1",
     .max = 1,
     .offset = offsetof(dew_solid_def, adhesion),
     .sentence = "how firmly particles at the surface follow it"},
    {.name = "visible",
     .type = KEY_FLAG,
     .offset = offsetof(dew_solid_def, is_visible),
     .sentence = "whether pictures show it"},
    {.name = "motion",
     .type = KEY_MAP,
     .table = &motion_table,
     .offset = offsetof(dew_solid_def, motion),
     .is_written = is_moving,
     .sentence = "how it moves; at rest if left out"},
    {.name = "heat",
     .type = KEY_MAP,
     .table = &heat_boundary_table,
     .offset = offsetof(dew_solid_def, heat),
     .is_written = has_heat,
     .sentence = "what passes between it and the liquid; none if left out"},
};

static void check_solid(reader *r, const node *map, void *object)
{
    dew_solid_def *solid = object;
    const node *energy = tree_get(map, "surface_energy");
    if (energy && tree_get(map, "contact_angle"))
        complain(r->complaints, energy->key_at, "keep one of them",
                 "a solid has either a contact_angle or a surface_energy, not both");
    shapes_check_body(r, tree_get(map, "shape"), &solid->shape, "a solid");
}
const key_table solid_table = TABLE("solid", solid_keys, .check = check_solid);
void solids_init(void *item)
{
    *(dew_solid_def *)item = dew_default_solid_def();
    ((dew_solid_def *)item)->name = NULL;
}
