/* Scenes of millimetres that every method can run, and what tests of all methods do with them. */
#ifndef TESTS_SET_UPS_H
#define TESTS_SET_UPS_H

#include "sim/simulation.h"

#include "dew/dew.h"
#include "dew/snapshot.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifndef __has_feature
#define __has_feature(name) 0 /* clang's; gcc has a macro */
#endif
#define MILLIMETRE 1e-3
/* Of the drops below. What memory is wrongly touched shows at the coarsest drop that every method can run. */
#if defined __SANITIZE_ADDRESS__ || __has_feature(address_sanitizer)
#define DROP_SPACING (0.25 * MILLIMETRE)
#else
#define DROP_SPACING (0.2 * MILLIMETRE)
#endif
/* m/s: sqrt(surface tension/(density radius)) of the drops below, the scale of their motion. */
#define WAVE_SPEED 0.85

static inline void for_each_method(void (*test)(const dew_method_info *info))
{
    assert_true(dew_method_count() > 0);
    for (int i = 0; i < dew_method_count(); i++) test(dew_method_at(i));
}

/* A definition with the arrays it points to. */
typedef struct set_up {
    dew_simulation_def def;
    dew_material_def water;
    dew_liquid_def drops[2];
    dew_solid_def plate;
    dew_emitter_def tap;
} set_up;

static inline void begin(set_up *u, const dew_method_info *info, double spacing)
{
    memset(u, 0, sizeof *u);
    u->water = dew_default_material_def();
    u->drops[0] = u->drops[1] = dew_default_liquid_def();
    u->plate = dew_default_solid_def();
    u->def = dew_default_simulation_def();
    u->def.method = info->name, u->def.dimension = info->features & DEW_FEATURE_3D ? 3 : 2;
    u->def.spacing = spacing, u->def.frame_rate = 4000, u->def.duration = 1;
    u->def.gravity = (dew_vec3){0, 0, 0};
    u->def.materials = &u->water, u->def.material_count = 1;
    u->def.liquids = u->drops, u->def.liquid_count = 1;
}

static inline void set_ellipsoid(dew_liquid_def *drop, dew_vec3 centre, dew_vec3 velocity)
{
    drop->shape.kind = DEW_SHAPE_ELLIPSOID;
    drop->shape.ellipsoid.centre = centre;
    drop->shape.ellipsoid.semi_axes = (dew_vec3){1.15 * MILLIMETRE, 0.95 * MILLIMETRE, 0.92 * MILLIMETRE};
    drop->velocity = velocity;
}

/* Two drops that meet off-centre. */
static inline void colliding_drops(set_up *u, const dew_method_info *info)
{
    begin(u, info, DROP_SPACING);
    bool is_flat = u->def.dimension == 2;
    set_ellipsoid(&u->drops[0], (dew_vec3){-1.3 * MILLIMETRE, 0, 0}, (dew_vec3){0.7, 0.1, 0});
    set_ellipsoid(&u->drops[1], (dew_vec3){1.3 * MILLIMETRE, 0.4 * MILLIMETRE, is_flat ? 0 : 0.2 * MILLIMETRE},
                  (dew_vec3){-0.7, 0, 0});
    u->def.liquid_count = 2;
}

/* A drop that falls on a plate, and liquid that flows in above it. */
static inline void falling_drop(set_up *u, const dew_method_info *info)
{
    begin(u, info, DROP_SPACING);
    bool is_flat = u->def.dimension == 2;
    dew_vec3 up = is_flat ? (dew_vec3){0, 1, 0} : (dew_vec3){0, 0, 1};
    set_ellipsoid(&u->drops[0], (dew_vec3){0, is_flat ? MILLIMETRE : 0, is_flat ? 0 : MILLIMETRE},
                  (dew_vec3){-0.5 * up.x, -0.5 * up.y, -0.5 * up.z});
    u->def.gravity = (dew_vec3){0, -9.81 * up.y, -9.81 * up.z};
    u->plate.shape = dew_plane((dew_vec3){0, 0, 0}, up);
    u->plate.contact_angle = 100, u->plate.slip_length = INFINITY;
    u->def.solids = &u->plate, u->def.solid_count = 1;
    u->tap = dew_default_emitter_def();
    u->tap.shape.kind = DEW_SHAPE_DISC;
    u->tap.shape.disc.centre = (dew_vec3){0, 3.2 * MILLIMETRE * up.y, 3.2 * MILLIMETRE * up.z};
    u->tap.shape.disc.normal = (dew_vec3){0, -up.y, -up.z};
    u->tap.shape.disc.radius = 0.6 * MILLIMETRE;
    u->tap.velocity = (dew_vec3){0, -up.y, -up.z};
    u->def.emitters = &u->tap, u->def.emitter_count = 1;
}

/* The fields that there are, are those that the tables of methods and of the core promise for the definition. */
static inline void check_fields(const set_up *u, const dew_simulation *s)
{
    const char *names[64];
    int count = simulation_field_names(&u->def, method_find(u->def.method), names, 64);
    dew_field field;
    assert_int_equal(count, dew_simulation_frame(s)->field_count);
    for (int k = 0; k < count; k++)
        if (!dew_simulation_field(s, names[k], &field)) fail_msg("%s has no field %s", u->def.method, names[k]);
}

static inline dew_simulation *make(const set_up *u)
{
    dew_simulation *s;
    if (dew_simulation_create(&u->def, &s) != DEW_OK) fail_msg("%s: %s", u->def.method, dew_message());
    check_fields(u, s);
    return s;
}

static inline void advance_frames(dew_simulation *s, int frames)
{
    for (int f = 0; f < frames; f++) {
        if (dew_simulation_advance_frame(s, NULL, NULL) != DEW_OK) fail_msg("%s", dew_message());
    }
}

static inline void measure(const dew_simulation *s, const char *name, double *values)
{
    if (dew_simulation_measure(s, name, values) != DEW_OK) fail_msg("%s: %s", name, dew_message());
}

/* --- snapshots --- */

static inline size_t item_bytes(const dew_snapshot_item *item)
{
    static const size_t sizes[] = {4, 8, 4, 8, 1};
    return (size_t)item->count * sizes[item->type];
}

static inline dew_snapshot_item *copy_items(dew_simulation *s, int *count)
{
    const dew_snapshot_item *items;
    if (dew_simulation_snapshot(s, &items, count) != DEW_OK) fail_msg("%s", dew_message());
    dew_snapshot_item *copy = calloc((size_t)*count, sizeof *copy);
    for (int i = 0; i < *count; i++) {
        copy[i] = items[i];
        copy[i].name = strdup(items[i].name);
        size_t bytes = item_bytes(&items[i]);
        void *data = malloc(bytes + 1);
        if (bytes > 0) memcpy(data, items[i].data, bytes); /* an empty array may be nowhere */
        copy[i].data = data;
    }
    return copy;
}

static inline void free_items(dew_snapshot_item *items, int count)
{
    for (int i = 0; i < count; i++) {
        free((void *)items[i].name);
        free((void *)items[i].data);
    }
    free(items);
}

#endif
