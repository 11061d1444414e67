/* Shapes in a scene: {sphere: {centre: [0, 0, 0], radius: 1 mm}, translate: ..., rotate: ..., scale: ...}. */
#include "base/real.h"
#include "base/result.h"
#include "geometry/shape.h"
#include "scene/tables.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CHILDREN = 1000 };

#define AT(member) .offset = offsetof(dew_shape_def, member)
#define PLACE .type = KEY_VECTOR, .flags = KEY_REQUIRED, .unit = "m"
#define DIRECTION .type = KEY_VECTOR, .flags = KEY_REQUIRED | KEY_DIRECTION
#define POSITIVE .flags = KEY_REQUIRED | KEY_ABOVE, .unit = "m", .max = INFINITY
#define RADIUS .type = KEY_NUMBER, POSITIVE
#define OPTIONAL_RADIUS .type = KEY_NUMBER, .unit = "m", .max = INFINITY

static const key sphere_keys[] = {
    {.name = "centre", PLACE, AT(sphere.centre), .sentence = "its centre"},
    {.name = "radius", RADIUS, AT(sphere.radius), .sentence = "its radius"},
};

static const key box_keys[] = {
    {.name = "min", PLACE, AT(box.min), .sentence = "corner with the smallest x, y, z"},
    {.name = "max", PLACE, AT(box.max), .sentence = "corner with the largest x, y, z"},
    {.name = "rounding", OPTIONAL_RADIUS, AT(box.rounding), .sentence = "radius of the edges, inside of min..max"},
};

static const key ellipsoid_keys[] = {
    {.name = "centre", PLACE, AT(ellipsoid.centre), .sentence = "its centre"},
    {.name = "semi_axes",
     .type = KEY_VECTOR,
     POSITIVE,
     AT(ellipsoid.semi_axes),
     .sentence = "half lengths along x, y, z"},
};

static const key cylinder_keys[] = {
    {.name = "from", PLACE, AT(cylinder.from), .sentence = "centre of one end"},
    {.name = "to", PLACE, AT(cylinder.to), .sentence = "centre of the other end"},
    {.name = "radius", RADIUS, AT(cylinder.radius), .sentence = "its radius"},
};

static const key cone_keys[] = {
    {.name = "apex", PLACE, AT(cone.apex), .sentence = "tip"},
    {.name = "base", PLACE, AT(cone.base), .sentence = "centre of the base disc"},
    {.name = "radius", RADIUS, AT(cone.radius), .sentence = "radius of the base"},
    {.name = "apex_radius",
     OPTIONAL_RADIUS,
     AT(cone.apex_radius),
     .sentence = "radius at the tip, above 0 for a truncated cone"},
};

static const key capsule_keys[] = {
    {.name = "from", PLACE, AT(capsule.from), .sentence = "centre of one end's half ball"},
    {.name = "to", PLACE, AT(capsule.to), .sentence = "centre of the other end's half ball"},
    {.name = "radius", RADIUS, AT(capsule.radius), .sentence = "its radius"},
};

static const key torus_keys[] = {
    {.name = "centre", PLACE, AT(torus.centre), .sentence = "its centre"},
    {.name = "axis", DIRECTION, .unit = "1", AT(torus.axis), .sentence = "axis of revolution"},
    {.name = "major_radius", RADIUS, AT(torus.major_radius), .sentence = "from the centre to the middle of the tube"},
    {.name = "minor_radius", RADIUS, AT(torus.minor_radius), .sentence = "radius of the tube"},
};

static const key plane_keys[] = {
    {.name = "point", PLACE, AT(plane.point), .sentence = "a point of the plane"},
    {.name = "normal", DIRECTION, .unit = "1", AT(plane.normal), .sentence = "direction out of the solid half space"},
};

static const key disc_keys[] = {
    {.name = "centre", PLACE, AT(disc.centre), .sentence = "its centre"},
    {.name = "normal", DIRECTION, .unit = "1", AT(disc.normal), .sentence = "direction at right angles to the disc"},
    {.name = "radius", RADIUS, AT(disc.radius), .sentence = "its radius"},
};

static const key rectangle_keys[] = {
    {.name = "centre", PLACE, AT(rectangle.centre), .sentence = "its centre"},
    {.name = "half_u",
     DIRECTION,
     .unit = "m",
     AT(rectangle.half_u),
     .sentence = "from the centre to the middle of one side"},
    {.name = "half_v",
     DIRECTION,
     .unit = "m",
     AT(rectangle.half_v),
     .sentence = "from the centre to the middle of the next side"},
};

static void read_implicit_value(reader *r, const key *k, const node *n, void *object)
{
    dew_shape_def *def = object;
    double constant = NAN;
    if (keys_read_number_or_function(r, k, n, "xyz", &constant, &def->implicit.value) && isfinite(constant))
        complain(r->complaints, n->at, "for example \"x^2 + y^2 + z^2 - 1e-6\"",
                 "%s must be an expression of x, y, z, not the number %s", k->name, n->text);
}

static void write_implicit_value(writer *w, const key *k, const void *object)
{
    (void)k;
    const char *text = expression_text(((const dew_shape_def *)object)->implicit.value);
    keys_write_text(w, text ? text : "");
}

static const key implicit_keys[] = {
    {.name = "value",
     .type = KEY_CUSTOM,
     .flags = KEY_REQUIRED,
     .unit = "1",
     .read = read_implicit_value,
     .write = write_implicit_value,
     .sentence = "an expression of x, y, z (m), negative inside"},
    {.name = "min", PLACE, AT(implicit.min), .sentence = "corner of a box that holds the surface"},
    {.name = "max", PLACE, AT(implicit.max), .sentence = "opposite corner"},
};

/* --- height fields --- */

static const key ridge_keys[] = {
    {.name = "profile",
     .type = KEY_WORD,
     .flags = KEY_REQUIRED,
     .words = "rectangular|sinusoidal",
     .offset = offsetof(dew_ridges, profile),
     .sentence = "rectangular or sinusoidal"},
    {.name = "across",
     .type = KEY_WORD,
     .words = "x|y",
     .offset = offsetof(dew_ridges, across),
     .sentence = "the axis along which the height varies"},
    {.name = "height",
     .type = KEY_NUMBER,
     POSITIVE,
     .offset = offsetof(dew_ridges, height),
     .sentence = "from the bottom of a groove to the top of a ridge"},
    {.name = "period",
     .type = KEY_NUMBER,
     POSITIVE,
     .offset = offsetof(dew_ridges, period),
     .sentence = "of the profile"},
    {.name = "width",
     .type = KEY_NUMBER,
     .flags = KEY_ABOVE,
     .unit = "1",
     .max = 1,
     .offset = offsetof(dew_ridges, width),
     .sentence = "of rectangular ridges, over the period"},
    {.name = "shift",
     .type = KEY_NUMBER,
     .unit = "m",
     .min = -INFINITY,
     .max = INFINITY,
     .offset = offsetof(dew_ridges, shift),
     .sentence = "where the middle of a ridge is"},
};
static const key_table ridge_table = TABLE("ridges", ridge_keys, .is_flow = true);

static void init_ridges(void *item) { *(dew_ridges *)item = dew_default_ridges(); }
static bool has_ridges(const void *object) { return ((const dew_shape_def *)object)->height.ridge_count > 0; }

static void read_level(reader *r, const key *k, const node *n, void *object)
{
    dew_shape_def *def = object;
    keys_read_number_or_function(r, k, n, "xy", &def->height.level, &def->height.level_of);
}

static void write_level(writer *w, const key *k, const void *object)
{
    (void)k;
    const dew_shape_def *def = object;
    const char *text = def->height.level_of.evaluate ? expression_text(def->height.level_of) : NULL;
    if (text)
        keys_write_text(w, text);
    else
        keys_write_number(w, def->height.level);
}

static const key height_keys[] = {
    {.name = "min", PLACE, AT(height.min), .sentence = "corner of a box that holds the surface: the body's bottom"},
    {.name = "max", PLACE, AT(height.max), .sentence = "opposite corner, not below the surface"},
    {.name = "level",
     .type = KEY_CUSTOM,
     .unit = "m",
     .min = -INFINITY,
     .max = INFINITY,
     .read = read_level,
     .write = write_level,
     .sentence = "height z of the surface, or an expression of x, y (m)"},
    {.name = "ridges",
     .type = KEY_LIST,
     AT(height.ridges),
     .count_offset = offsetof(dew_shape_def, height.ridge_count),
     .item_size = sizeof(dew_ridges),
     .table = &ridge_table,
     .init = init_ridges,
     .is_written = has_ridges,
     .sentence = "profiles that are added to the level"},
};

/* --- meshes --- */

static const mesh_file *find_mesh(const reader *r, const char *path)
{
    for (const mesh_link *link = r->scene->meshes; link; link = link->next)
        if (strcmp(link->path, path) == 0) return &link->mesh;
    return NULL;
}

static const char *full_path(reader *r, const char *file)
{
    const char *joined = file[0] == '/' ? file : text_format(r->memory, "%s/%s", r->scene->directory, file);
    char *found = realpath(joined, NULL);
    const char *path = text_copy(r->memory, found ? found : joined, strlen(found ? found : joined));
    free(found);
    return path;
}

static const mesh_file *load_mesh(reader *r, const node *n, const char *path)
{
    const mesh_file *known = find_mesh(r, path);
    if (known) return known;
    mesh_link *link = keys_obtain(r, sizeof *link);
    if (!link) return NULL;
    dew_result result = mesh_read(path, &link->mesh);
    if (result != DEW_OK) {
        const char *hint =
            text_format(r->memory, "a path is relative to the scene file: %s/%s", r->scene->directory, n->text);
        complain(r->complaints, n->at, result == DEW_IO ? hint : NULL, "mesh '%s': %s", n->text, dew_message());
        return NULL;
    }
    *link = (mesh_link){link->mesh, path, r->scene->meshes};
    r->scene->meshes = link;
    return &link->mesh;
}

static void read_mesh_file(reader *r, const key *k, const node *n, void *object)
{
    dew_shape_def *def = object;
    if (!keys_expect(r, k->name, n, NODE_TEXT)) return;
    const char *path = full_path(r, n->text);
    const mesh_file *mesh = load_mesh(r, n, path);
    if (!mesh) return;
    if (mesh->open_edges > 0) {
        complain(
            r->complaints, n->at,
            "close its holes and make its triangles face one way in a mesh editor, so that inside and outside differ",
            "mesh '%s' is not watertight: %d of its edges are open, one at (%.4g, %.4g, %.4g)", n->text,
            mesh->open_edges, mesh->open_at[0], mesh->open_at[1], mesh->open_at[2]);
        return;
    }
    def->mesh.vertices = mesh->vertices, def->mesh.triangles = mesh->triangles;
    def->mesh.vertex_count = mesh->vertex_count, def->mesh.triangle_count = mesh->triangle_count;
    def->mesh.name = path;
}

static void write_mesh_file(writer *w, const key *k, const void *object)
{
    (void)k;
    const dew_shape_def *def = object;
    keys_write_text(w, def->mesh.name ? def->mesh.name : "");
}

/* Both scales of a mesh, of its units and of its placement, are one factor. */
static void read_scale(reader *r, const key *k, const node *n, void *object)
{
    double scale = 1;
    if (keys_read_number(r, k, n, &scale)) ((dew_shape_def *)object)->scale *= scale;
}

static void write_scale(writer *w, const key *k, const void *object)
{
    (void)k;
    keys_write_number(w, ((const dew_shape_def *)object)->scale);
}

static bool is_never_written(const void *object)
{
    (void)object;
    return false;
}

static bool is_scaled(const void *object) { return ((const dew_shape_def *)object)->scale != 1; }

static const key mesh_keys[] = {
    {.name = "file",
     .type = KEY_CUSTOM,
     .flags = KEY_REQUIRED,
     .read = read_mesh_file,
     .write = write_mesh_file,
     .sentence = "an OBJ, STL or PLY file, relative to the scene file; its coordinates count as m (see scale)"},
    {.name = "scale",
     .type = KEY_CUSTOM,
     .flags = KEY_ABOVE,
     .unit = "1",
     .max = INFINITY,
     .read = read_scale,
     .is_written = is_never_written,
     .sentence = "length of the file's unit in m: 0.001 for a mesh in mm"},
};

/* --- shapes made of shapes --- */

static bool read_shape(reader *r, const node *n, dew_shape_def *def);
static void read_body(reader *r, const node *n, dew_shape_def *def);
static void write_shape(writer *w, const dew_shape_def *def);

static void read_children(reader *r, const node *n, const char *name, dew_shape_def *def)
{
    if (!keys_expect(r, name, n, NODE_LIST)) return;
    if (n->count < 2 || n->count > MAX_CHILDREN) {
        complain(r->complaints, n->at, text_format(r->memory, "write %s: [shape, shape, ...]", name),
                 "%s needs 2 to %d shapes, not %d", name, MAX_CHILDREN, n->count);
        return;
    }
    dew_shape_def *children = keys_obtain(r, (size_t)n->count * sizeof *children), *child = children;
    if (!children) return;
    for (const node *entry = n->first; entry; entry = entry->next) read_body(r, entry, child++);
    def->combination.children = children;
    def->combination.count = n->count;
}

static void write_children(writer *w, const dew_shape_def *def)
{
    fputc('[', w->out);
    for (int i = 0; i < def->combination.count; i++) {
        if (i) fputs(", ", w->out);
        write_shape(w, &def->combination.children[i]);
    }
    fputc(']', w->out);
}

static void read_shell_child(reader *r, const key *k, const node *n, void *object)
{
    (void)k;
    dew_shape_def *child = keys_obtain(r, sizeof *child);
    if (child) read_body(r, n, child);
    ((dew_shape_def *)object)->shell.child = child;
}

static void write_shell_child(writer *w, const key *k, const void *object)
{
    (void)k;
    write_shape(w, ((const dew_shape_def *)object)->shell.child);
}

static const key shell_keys[] = {
    {.name = "shape",
     .type = KEY_CUSTOM,
     .flags = KEY_REQUIRED,
     .read = read_shell_child,
     .write = write_shell_child,
     .sentence = "the shape whose wall it is"},
    {.name = "thickness",
     .type = KEY_NUMBER,
     POSITIVE,
     AT(shell.thickness),
     .sentence = "of the wall, inwards from the shape's surface"},
};

static void check_corners(reader *r, const node *map, dew_vec3 min, dew_vec3 max)
{
    const double low[3] = {min.x, min.y, min.z}, high[3] = {max.x, max.y, max.z};
    for (int axis = 0; axis < 3; axis++)
        if (low[axis] >= high[axis])
            complain(r->complaints, tree_get(map, "max")->at, "max must be above min on each axis",
                     "%c: max %g m is not above min %g m", "xyz"[axis], high[axis], low[axis]);
}

static void check_box(reader *r, const node *map, void *object)
{
    const dew_shape_def *def = object;
    check_corners(r, map, def->box.min, def->box.max);
}

static void check_implicit(reader *r, const node *map, void *object)
{
    const dew_shape_def *def = object;
    check_corners(r, map, def->implicit.min, def->implicit.max);
}

static void check_height(reader *r, const node *map, void *object)
{
    const dew_shape_def *def = object;
    check_corners(r, map, def->height.min, def->height.max);
}

static void check_torus(reader *r, const node *map, void *object)
{
    const dew_shape_def *def = object;
    if (def->torus.minor_radius >= def->torus.major_radius)
        complain(r->complaints, tree_get(map, "minor_radius")->at, "the tube must not close the hole",
                 "minor_radius %g m is not below major_radius %g m", def->torus.minor_radius, def->torus.major_radius);
}

static void check_rectangle(reader *r, const node *map, void *object)
{
    const dew_shape_def *def = object;
    dew_vec3 normal = vec3_cross(def->rectangle.half_u, def->rectangle.half_v);
    if (!(vec3_length(normal) > 0))
        complain(r->complaints, tree_get(map, "half_v")->at, "take two directions that differ",
                 "half_u and half_v are parallel: the rectangle has no area");
}

static const struct {
    dew_shape_kind kind;
    bool is_list;
    key_table table; /* of a kind that is no list */
} kinds[] = {
    {DEW_SHAPE_SPHERE, false, TABLE("sphere", sphere_keys, .is_flow = true)},
    {DEW_SHAPE_BOX, false, TABLE("box", box_keys, .is_flow = true, .check = check_box)},
    {DEW_SHAPE_ELLIPSOID, false, TABLE("ellipsoid", ellipsoid_keys, .is_flow = true)},
    {DEW_SHAPE_CYLINDER, false, TABLE("cylinder", cylinder_keys, .is_flow = true)},
    {DEW_SHAPE_CONE, false, TABLE("cone", cone_keys, .is_flow = true)},
    {DEW_SHAPE_CAPSULE, false, TABLE("capsule", capsule_keys, .is_flow = true)},
    {DEW_SHAPE_TORUS, false, TABLE("torus", torus_keys, .is_flow = true, .check = check_torus)},
    {DEW_SHAPE_PLANE, false, TABLE("plane", plane_keys, .is_flow = true)},
    {DEW_SHAPE_IMPLICIT, false, TABLE("implicit", implicit_keys, .is_flow = true, .check = check_implicit)},
    {DEW_SHAPE_HEIGHT, false, TABLE("height", height_keys, .is_flow = true, .check = check_height)},
    {DEW_SHAPE_MESH, false, TABLE("mesh", mesh_keys, .is_flow = true)},
    {DEW_SHAPE_UNION, true, {.name = "union"}},
    {DEW_SHAPE_DIFFERENCE, true, {.name = "difference"}},
    {DEW_SHAPE_INTERSECTION, true, {.name = "intersection"}},
    {DEW_SHAPE_SHELL, false, TABLE("shell", shell_keys, .is_flow = true)},
    {DEW_SHAPE_DISC, false, TABLE("disc", disc_keys, .is_flow = true)},
    {DEW_SHAPE_RECTANGLE, false, TABLE("rectangle", rectangle_keys, .is_flow = true, .check = check_rectangle)},
};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

/* --- placement --- */

static const key rotate_keys[] = {
    {.name = "axis", DIRECTION, .unit = "1", AT(rotation_axis), .sentence = "through the origin"},
    {.name = "angle",
     .type = KEY_NUMBER,
     .flags = KEY_REQUIRED | KEY_NEEDS_UNIT,
     .unit = "rad",
     AT(rotation_angle),
     .sentence = "right-handed about the axis, with its unit (deg or rad)"},
};
static const key_table rotate_table = TABLE("rotate", rotate_keys, .is_flow = true);

static bool is_rotated(const void *object) { return ((const dew_shape_def *)object)->rotation_angle != 0; }
static bool is_translated(const void *object)
{
    dew_vec3 t = ((const dew_shape_def *)object)->translation;
    return t.x != 0 || t.y != 0 || t.z != 0;
}

static const key placement_keys[] = {
    {.name = "scale",
     .type = KEY_CUSTOM,
     .flags = KEY_ABOVE,
     .unit = "1",
     .max = INFINITY,
     .read = read_scale,
     .write = write_scale,
     .is_written = is_scaled,
     .sentence = "factor about the origin, applied first"},
    {.name = "rotate",
     .type = KEY_MAP,
     .table = &rotate_table,
     .is_written = is_rotated,
     .sentence = "turn about an axis through the origin, applied second"},
    {.name = "translate",
     .type = KEY_VECTOR,
     .unit = "m",
     AT(translation),
     .is_written = is_translated,
     .sentence = "shift, applied last"},
};
static const key_table placement_table = TABLE("shape", placement_keys, .is_flow = true);

const key_table *shapes_table_at(int index)
{
    if (index < KIND_COUNT) return &kinds[index].table;
    return index == KIND_COUNT       ? &placement_table
           : index == KIND_COUNT + 1 ? &rotate_table
           : index == KIND_COUNT + 2 ? &ridge_table
                                     : NULL;
}

bool shapes_is_flat(const dew_shape_def *def)
{
    return def->kind == DEW_SHAPE_DISC || def->kind == DEW_SHAPE_RECTANGLE;
}

static int find_kind(const char *name)
{
    for (int i = 0; i < KIND_COUNT; i++)
        if (strcmp(kinds[i].table.name, name) == 0) return i;
    return -1;
}

static const key *find_placement(const char *name)
{
    for (int i = 0; i < placement_table.count; i++)
        if (strcmp(placement_keys[i].name, name) == 0) return &placement_keys[i];
    return NULL;
}

static void complain_of_unknown_shape(reader *r, const node *entry)
{
    const char *names[KIND_COUNT + 3];
    int count = 0;
    for (int i = 0; i < KIND_COUNT; i++) names[count++] = kinds[i].table.name;
    for (int i = 0; i < placement_table.count; i++) names[count++] = placement_keys[i].name;
    complain(r->complaints, entry->key_at, suggest(r->memory, entry->key, "shapes", names, count), "unknown shape '%s'",
             entry->key);
}

static void read_kind(reader *r, const node *entry, int index, dew_shape_def *def)
{
    def->kind = kinds[index].kind;
    if (kinds[index].is_list)
        read_children(r, entry, kinds[index].table.name, def);
    else
        keys_read_map(r, &kinds[index].table, entry, def);
}

/* What the tables do not know (a truncated cone that widens, an implicit surface that leaves its box, ...) geometry
 * does. Meshes are costly to make, and mesh_read has checked them. */
static void check_kind(reader *r, const node *entry, const dew_shape_def *def)
{
    bool is_checked = shapes_is_flat(def) || def->kind == DEW_SHAPE_MESH || def->kind == DEW_SHAPE_SHELL ||
                      kinds[find_kind(entry->key)].is_list;
    if (is_checked) return;
    shape *made = NULL;
    double spacing = r->scene->def.spacing > 0 ? r->scene->def.spacing : 1e-4;
    if (shape_create(&made, def, spacing) != DEW_OK) complain(r->complaints, entry->key_at, NULL, "%s", dew_message());
    shape_destroy(made);
}

/* Fills a shape; true when nothing was wrong with it. */
static bool read_shape(reader *r, const node *n, dew_shape_def *def)
{
    *def = dew_default_shape_def();
    int before = complaints_count(r->complaints);
    if (!keys_expect(r, "shape", n, NODE_MAP)) return false;
    const node *kind = NULL;
    bool is_unknown = false;
    for (const node *entry = n->first; entry; entry = entry->next) {
        int index = find_kind(entry->key);
        const key *placement = index < 0 ? find_placement(entry->key) : NULL;
        if (placement) {
            keys_read_value(r, placement, entry, def);
        } else if (index < 0) {
            is_unknown = true;
            complain_of_unknown_shape(r, entry);
        } else if (kind) {
            complain(r->complaints, entry->key_at, "join shapes by union, difference or intersection",
                     "a second shape '%s' beside '%s'", entry->key, kind->key);
        } else {
            kind = entry;
            read_kind(r, entry, index, def);
        }
    }
    if (!kind && !is_unknown)
        complain(r->complaints, n->at, "for example {sphere: {centre: [0, 0, 0], radius: 1 mm}}",
                 "the shape is of no kind");
    if (kind && complaints_count(r->complaints) == before) check_kind(r, kind, def);
    return complaints_count(r->complaints) == before;
}

/* A shape that other shapes are made of. */
static void read_body(reader *r, const node *n, dew_shape_def *def)
{
    if (read_shape(r, n, def)) shapes_check_body(r, n, def, "a part of a body");
}

void shapes_check_body(reader *r, const node *n, dew_shape_def *def, const char *what)
{
    if (!shapes_is_flat(def)) return;
    complain(r->complaints, n->at, "use a cylinder or a box; flat shapes are for emitters", "%s cannot be flat", what);
    *def = dew_default_shape_def();
}

void shapes_read(reader *r, const key *k, const node *n, void *object)
{
    dew_shape_def *def = (dew_shape_def *)((char *)object + k->offset);
    if (!read_shape(r, n, def)) *def = dew_default_shape_def(); /* nothing is to be made of it */
}

static void write_shape(writer *w, const dew_shape_def *def)
{
    writer inner = *w;
    inner.is_flow = true;
    fputc('{', w->out);
    for (int i = 0; i < KIND_COUNT; i++) {
        if (kinds[i].kind != def->kind) continue;
        keys_write_key(&inner, kinds[i].table.name, ": ", true);
        if (kinds[i].is_list) {
            write_children(&inner, def);
        } else {
            fputc('{', w->out);
            keys_write_map(&inner, &kinds[i].table, def);
            fputc('}', w->out);
        }
    }
    if (is_scaled(def) || is_rotated(def) || is_translated(def)) {
        fputs(", ", w->out);
        keys_write_map(&inner, &placement_table, def);
    }
    fputc('}', w->out);
}

void shapes_write(writer *w, const key *k, const void *object)
{
    write_shape(w, (const dew_shape_def *)((const char *)object + k->offset));
}
