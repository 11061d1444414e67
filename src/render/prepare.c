/* What the definition of a simulation tells its pictures. */
#include "base/real.h"
#include "dew/render.h"
#include "render/camera.h"

/* A plane that faces up more than this (cosine) is a floor. */
#define FLOOR 0.5

static void find_floor(dew_render_def *def, const dew_simulation_def *s)
{
    dew_vec3 up = vec3_normalise(def->up);
    double best = FLOOR;
    for (int k = 0; k < s->solid_count; k++) {
        const dew_shape_def *shape = &s->solids[k].shape;
        if (!s->solids[k].is_visible || shape->kind != DEW_SHAPE_PLANE) continue;
        dew_vec3 normal = vec3_normalise(shape->plane.normal);
        if (vec3_dot(normal, up) <= best || shape->rotation_angle != 0) continue;
        best = vec3_dot(normal, up);
        def->has_ground_plane = true, def->ground_normal = normal;
        def->ground_point = vec3_add(vec3_scale(shape->scale, shape->plane.point), shape->translation);
    }
    const dew_domain_def *domain = &s->domain;
    if (!def->has_ground_plane && up.z > FLOOR && domain->axis[2] == DEW_WALL) {
        def->has_ground_plane = true;
        def->ground_point = domain->min, def->ground_normal = (dew_vec3){0, 0, 1};
    }
}

/* How far a view follows what flows in, in radii of its mouth. */
#define FOLLOWED 12

/* Emitters pour along gravity: the view holds the mouth and some way below it, down to the floor where that is near,
 * and as much of the way that liquid goes by itself. */
static void find_view(dew_render_def *def, const dew_simulation_def *s)
{
    bounds box = bounds_empty();
    double size = 0;
    for (int k = 0; k < s->emitter_count; k++) {
        const dew_shape_def *shape = &s->emitters[k].shape;
        bool is_disc = shape->kind == DEW_SHAPE_DISC;
        dew_vec3 centre = vec3_add(is_disc ? shape->disc.centre : shape->rectangle.centre, shape->translation);
        double reach =
            is_disc ? shape->disc.radius : vec3_length(vec3_add(shape->rectangle.half_u, shape->rectangle.half_v));
        size = fmax(size, reach);
        bounds_add_ball(&box, centre, reach);
        double speed = vec3_length(s->emitters[k].velocity), way = fmin(speed * s->duration, FOLLOWED * reach);
        if (speed > 0) bounds_add_ball(&box, vec3_add(centre, vec3_scale(way / speed, s->emitters[k].velocity)), reach);
    }
    double weight = vec3_length(s->gravity);
    if (!(size > 0)) return;
    dew_vec3 down = weight > 0 ? vec3_scale(1 / weight, s->gravity) : (dew_vec3){0, 0, 0};
    double fall = FOLLOWED * size;
    if (def->has_ground_plane) {
        double gap = vec3_dot(vec3_sub(bounds_centre(box), def->ground_point), vec3_normalise(def->ground_normal));
        if (gap > 0 && gap < 40 * size) fall = gap;
    }
    bounds_add(&box, vec3_add(box.min, vec3_scale(fall, down)));
    bounds_add(&box, vec3_add(box.max, vec3_scale(fall, down)));
    def->has_view = true, def->view_min = box.min, def->view_max = box.max;
}

void dew_render_prepare(dew_render_def *def, const dew_simulation_def *simulation)
{
    if (!def->has_ground_plane && def->has_ground) find_floor(def, simulation);
    if (!def->has_camera && !def->has_view) find_view(def, simulation);
}
