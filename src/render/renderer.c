/* Pictures: camera and floor chosen at the first one, then rays, light, smoothing. */
#include "base/parallel.h"
#include "base/real.h"
#include "frame/frame.h"
#include "render/legend.h"
#include "render/smooth.h"

#include <stdlib.h>
#include <string.h>

enum { TILE = 16, MAX_SIDE = 16384, MAX_SAMPLES = 4096 };

/* Radius of the spheres that particles are drawn as, in spacings: neighbours just overlap, so that the liquid looks
 * closed. */
#define SPHERE_RADIUS 0.54

struct dew_renderer {
    dew_render_def def;
    char *colour_by;
    int threads;
    ray_scene scene;
    pixel *pixels;
    float *shade_of;
    int shade_capacity;
    bool is_placed, is_scaled; /* camera and floor; range of colours */
    camera view;
    dew_vec3 up;
    double colour_min, colour_max;
};

static dew_result check(const dew_render_def *d)
{
    if (d->width < 2 || d->height < 2 || d->width > MAX_SIDE || d->height > MAX_SIDE || d->width % 2 || d->height % 2)
        return result_fail(DEW_INVALID, "a picture of %d x %d pixels: both must be even and in 2..%d", d->width,
                           d->height, MAX_SIDE);
    if (d->samples < 1 || d->samples > MAX_SAMPLES)
        return result_fail(DEW_INVALID, "%d rays a pixel: there must be 1..%d", d->samples, MAX_SAMPLES);
    if (!(d->field_of_view > 0.1 && d->field_of_view < 170))
        return result_fail(DEW_INVALID, "a field of view of %g degrees: it must lie between 0.1 and 170",
                           d->field_of_view);
    if (d->has_camera && !(vec3_length(vec3_sub(d->target, d->eye)) > 0))
        return result_fail(DEW_INVALID, "the camera's eye and target are the same point: it looks nowhere");
    if (d->has_cut && !(vec3_length(d->cut_normal) > 0))
        return result_fail(DEW_INVALID, "the cut's normal has no direction");
    if (!(vec3_length(d->up) > 0)) return result_fail(DEW_INVALID, "the camera's up has no direction");
    return DEW_OK;
}

dew_result dew_renderer_create(const dew_render_def *def, int threads, dew_renderer **renderer)
{
    *renderer = NULL;
    RESULT_TRY(check(def));
    dew_renderer *r = *renderer = calloc(1, sizeof *r);
    if (!r) return result_fail(DEW_NO_MEMORY, "no memory for a renderer");
    r->def = *def, r->threads = threads;
    r->pixels = malloc((size_t)def->width * (size_t)def->height * sizeof *r->pixels);
    r->colour_by = def->colour_by ? strdup(def->colour_by) : NULL;
    dew_result result = ray_scene_create(&r->scene);
    r->scene.has_cut = def->has_cut, r->scene.cut_point = def->cut_point, r->scene.cut_normal = def->cut_normal;
    if (result == DEW_OK && (!r->pixels || (def->colour_by && !r->colour_by)))
        result = result_fail(DEW_NO_MEMORY, "no memory for a picture of %d x %d pixels", def->width, def->height);
    r->colour_min = def->colour_min, r->colour_max = def->colour_max;
    r->is_scaled = def->colour_min != def->colour_max;
    if (result != DEW_OK) dew_renderer_destroy(r), *renderer = NULL;
    return result;
}

void dew_renderer_destroy(dew_renderer *r)
{
    if (!r) return;
    ray_scene_destroy(&r->scene);
    free(r->pixels), free(r->shade_of), free(r->colour_by);
    free(r);
}

/* --- camera and floor --- */

static void add_liquid(bounds *box, const dew_frame *frame, double radius)
{
    dew_field position;
    if (!dew_frame_field(frame, "position", &position)) return;
    for (int i = 0; i < position.count; i++) {
        const dew_real *p = (const dew_real *)position.data + (size_t)i * (size_t)position.stride;
        if (!(fabs(p[0]) < 1e9 && fabs(p[1]) < 1e9 && fabs(p[2]) < 1e9)) continue;
        bounds_add_ball(box, (dew_vec3){p[0], p[1], p[2]}, radius);
    }
}

/* The box of a solid, cut to what lies `reach` around `near` (all of it if `near` is empty). */
static void add_solid(bounds *box, const dew_solid_mesh *mesh, const bounds *near, double reach)
{
    bounds solid = bounds_empty();
    for (int i = 0; i < mesh->vertex_count; i++) {
        const float *v = mesh->vertices + 3 * (size_t)i;
        bounds_add(&solid, (dew_vec3){v[0], v[1], v[2]});
    }
    if (!bounds_are_empty(*near)) solid = bounds_common(solid, bounds_grown(*near, reach));
    if (bounds_are_empty(solid)) return;
    bounds_add(box, solid.min), bounds_add(box, solid.max);
}

static dew_result add_solids(bounds *box, const dew_frame *frame)
{
    bounds near = *box;
    double reach = !bounds_are_empty(near) ? 0.5 * bounds_diagonal(near) : 0;
    for (int k = 0; k < dew_frame_solid_count(frame); k++) {
        dew_solid_mesh mesh;
        RESULT_TRY(dew_frame_solid_mesh(frame, k, &mesh));
        if (mesh.is_visible && mesh.triangle_count > 0) add_solid(box, &mesh, &near, reach);
    }
    return DEW_OK;
}

/* The lowest of the box's corners along a direction. */
static double lowest(const bounds *box, dew_vec3 up)
{
    return (up.x > 0 ? box->min.x : box->max.x) * up.x + (up.y > 0 ? box->min.y : box->max.y) * up.y +
           (up.z > 0 ? box->min.z : box->max.z) * up.z;
}

/* Adds the box's shade on a floor that is not far, so that what falls is seen to arrive. */
static void add_floor(bounds *box, dew_vec3 point, dew_vec3 normal)
{
    double gap = lowest(box, normal) - vec3_dot(point, normal);
    if (!(gap > 0) || gap > 2 * bounds_diagonal(*box)) return;
    bounds_add(box, vec3_sub(box->min, vec3_scale(gap, normal)));
    bounds_add(box, vec3_sub(box->max, vec3_scale(gap, normal)));
}

static bool is_flat(const bounds *box, double radius) { return box->max.z - box->min.z < 2.001 * radius; }

static dew_vec3 direction_of_view(dew_vec3 up, bool flat)
{
    if (flat) return (dew_vec3){0, 0, -1};
    const double height = 15 * M_PI / 180, turn = 24 * M_PI / 180;
    dew_vec3 ahead = fabs(up.y) < 0.9 ? (dew_vec3){0, 1, 0} : (dew_vec3){0, 0, -1};
    ahead = vec3_normalise(vec3_sub(ahead, vec3_scale(vec3_dot(ahead, up), up)));
    dew_vec3 level = vec3_add(vec3_scale(cos(turn), ahead), vec3_scale(sin(turn), vec3_cross(up, ahead)));
    return vec3_sub(vec3_scale(cos(height), level), vec3_scale(sin(height), up));
}

/* What the picture must hold: liquid, the box asked for, solids near them. `gap`: how far a floor that is not given
 * lies below; solids stand on it, liquid that nothing holds floats over it. */
static dew_result fit_box(const dew_renderer *r, const dew_frame *frame, double radius, bounds *box, bool *has_liquid,
                          double *gap)
{
    const dew_render_def *d = &r->def;
    *box = bounds_empty();
    add_liquid(box, frame, radius);
    *has_liquid = !bounds_are_empty(*box);
    if (d->has_view) bounds_add(box, d->view_min), bounds_add(box, d->view_max);
    double lowest_liquid = !bounds_are_empty(*box) ? lowest(box, d->up) : INFINITY;
    RESULT_TRY(add_solids(box, frame));
    if (bounds_are_empty(*box)) bounds_add_ball(box, (dew_vec3){0, 0, 0}, 10 * radius);
    *gap = lowest(box, d->up) < lowest_liquid ? 0 : 0.1 * bounds_diagonal(*box);
    return DEW_OK;
}

static dew_result place(dew_renderer *r, const dew_frame *frame, double radius)
{
    const dew_render_def *d = &r->def;
    bounds box;
    bool has_liquid;
    double gap;
    RESULT_TRY(fit_box(r, frame, radius, &box, &has_liquid, &gap));
    /* A scene of two dimensions is looked at from the front. */
    bool flat = has_liquid && !d->has_camera && is_flat(&box, radius) && box.max.x - box.min.x > 8 * radius;
    r->up = flat ? (dew_vec3){0, 1, 0} : vec3_normalise(d->up);
    dew_vec3 normal = d->has_ground_plane ? vec3_normalise(d->ground_normal) : r->up, point = d->ground_point;
    if (d->has_ground_plane)
        add_floor(&box, point, normal);
    else
        point = vec3_scale(lowest(&box, r->up) - gap, r->up);
    r->view = d->has_camera ? camera_given(d) : camera_fitted(d, &box, direction_of_view(r->up, flat), r->up);
    r->scene.origin = bounds_centre(box), r->scene.unit = 0.5 * bounds_diagonal(box);
    float3 n = float3_of(normal);
    r->scene.has_ground = d->has_ground && !flat, r->scene.ground_normal = n;
    r->scene.ground_offset = dot3(n, ray_scene_place(&r->scene, point));
    /* An empty scene may fill later: the view is chosen once there is something to see. */
    r->is_placed = has_liquid || d->has_camera || d->has_view;
    return DEW_OK;
}

/* --- colours by a field --- */

static double field_value(const dew_field *f, int i)
{
    size_t at = (size_t)i * (size_t)f->stride;
    if (f->type == DEW_FIELD_INT32) return ((const int32_t *)f->data)[at];
    if (f->type == DEW_FIELD_UINT8) return ((const uint8_t *)f->data)[at];
    const dew_real *v = (const dew_real *)f->data + at;
    if (f->components == 1) return v[0];
    double square = 0;
    for (int c = 0; c < f->components; c++) square += (double)v[c] * (double)v[c];
    return sqrt(square);
}

static dew_result colour_particles(dew_renderer *r, const dew_frame *frame, dew_field *f)
{
    RESULT_TRY(frame_need_field(frame, r->colour_by, "to colour by", f));
    if (f->count > r->shade_capacity) {
        float *shade_of = realloc(r->shade_of, (size_t)f->count * sizeof *shade_of);
        if (!shade_of) return result_fail(DEW_NO_MEMORY, "no memory to colour %d particles", f->count);
        r->shade_of = shade_of, r->shade_capacity = f->count;
    }
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < f->count; i++) {
        double v = field_value(f, i);
        if (v < least) least = v;
        if (v > most) most = v;
    }
    if (!r->is_scaled && f->count > 0) {
        r->colour_min = least, r->colour_max = most;
        r->is_scaled = most - least > 1e-6 * fmax(fabs(most), fabs(least));
    }
    double range = r->colour_max - r->colour_min;
    for (int i = 0; i < f->count; i++)
        r->shade_of[i] = range != 0 ? (float)((field_value(f, i) - r->colour_min) / range) : 0.5f;
    return DEW_OK;
}

bool dew_renderer_colour_range(const dew_renderer *r, double *min, double *max)
{
    *min = r->colour_min, *max = r->colour_max;
    return r->colour_by && r->is_scaled;
}

/* --- a picture --- */

typedef struct drawing {
    look look;
    int samples, tiles_across;
    pixel *pixels;
} drawing;

static void draw_tiles(int begin, int end, void *context)
{
    drawing *d = context;
    for (int t = begin; t < end; t++) {
        int x0 = t % d->tiles_across * TILE, y0 = t / d->tiles_across * TILE;
        for (int y = y0; y < y0 + TILE && y < d->look.height; y++)
            for (int x = x0; x < x0 + TILE && x < d->look.width; x++)
                shade_pixel(&d->look, x, y, d->samples, &d->pixels[(size_t)y * (size_t)d->look.width + (size_t)x]);
    }
}

dew_result dew_renderer_draw(dew_renderer *r, const dew_frame *frame, int samples, uint8_t *rgb)
{
    parallel_set_threads(r->threads);
    double radius = SPHERE_RADIUS * frame->spacing;
    if (!r->is_placed) RESULT_TRY(place(r, frame, radius));
    dew_field field = {0};
    if (r->colour_by) RESULT_TRY(colour_particles(r, frame, &field));
    RESULT_TRY(ray_scene_build(&r->scene, frame, radius));
    int width = r->def.width, height = r->def.height, across = (width + TILE - 1) / TILE;
    drawing d = {.look = {.scene = &r->scene,
                          .view = r->view,
                          .width = width,
                          .height = height,
                          .up = float3_of(r->up),
                          .shade_of = r->colour_by ? r->shade_of : NULL},
                 .samples = samples > 0 ? samples : r->def.samples,
                 .tiles_across = across,
                 .pixels = r->pixels};
    look_prepare(&d.look);
    parallel_for(across * ((height + TILE - 1) / TILE), 1, draw_tiles, &d);
    RESULT_TRY(smooth_develop(r->pixels, width, height, d.samples, rgb));
    if (r->colour_by) legend_draw(rgb, width, height, &field, r->colour_min, r->colour_max);
    return DEW_OK;
}
