/* Pictures for the report: a law tells no more than its simulation, so the plate that a drop sits on or hangs from is
 * found from the simulation's solids. */
#include "cli/report_picture.h"
#include "base/bounds.h"
#include "base/result.h"
#include "dew/render.h"
#include "dew/simulation.h"
#include "solids/solids.h"

#include <math.h>
#include <stdlib.h>

enum { WIDTH = 800, HEIGHT = 600, SAMPLES = 16 };

/* The liquid's middle and the radius of the ball around it that holds it; false where there is none. */
static bool find_liquid(const dew_frame *frame, dew_vec3 *centre, double *radius)
{
    dew_field f;
    if (!dew_frame_field(frame, "position", &f) || f.count < 1) return false;
    bounds box = bounds_empty();
    for (int i = 0; i < f.count; i++) {
        const dew_real *p = (const dew_real *)f.data + (size_t)i * (size_t)f.stride;
        bounds_add(&box, (dew_vec3){p[0], p[1], p[2]});
    }
    *centre = bounds_centre(box), *radius = 0.5 * bounds_diagonal(box);
    return isfinite(*radius) && *radius > 0;
}

/* A plane near the liquid becomes the picture's ground: planes have no triangles. One that faces down is looked at from
 * below. */
static void find_ground(dew_render_def *def, const dew_frame *frame)
{
    dew_vec3 centre;
    double radius;
    if (!find_liquid(frame, &centre, &radius)) return;
    for (int k = 0; k < dew_frame_solid_count(frame); k++) {
        dew_solid_mesh mesh;
        if (dew_frame_solid_mesh(frame, k, &mesh) || mesh.triangle_count > 0) continue;
        real4 at[4], plane[4];
        for (int i = 0; i < 4; i++) at[i] = (real4){(real)centre.x, (real)centre.y, (real)centre.z, 0};
        solids_distance(frame->solids, k, 4 * radius, 4, at, plane);
        double gap = plane[0].w;
        if (!(fabs(gap) < 2 * radius)) continue;
        dew_vec3 n = {plane[0].x, plane[0].y, plane[0].z};
        if (n.z > -0.2 && n.z < 0.2) continue; /* a wall would hide what stands before it */
        def->has_ground_plane = true, def->ground_normal = n;
        def->ground_point = vec3_sub(centre, vec3_scale(gap, n));
        if (n.z > 0) return;
        double away = 1.15 * radius / sin(0.5 * def->field_of_view * M_PI / 180);
        def->has_camera = true, def->target = centre;
        def->eye = (dew_vec3){centre.x - 0.39 * away, centre.y - 0.88 * away, centre.z - 0.26 * away};
    }
}

/* A bowl that is closed above hides it. */
bool report_picture_is_hidden(const dew_simulation *simulation)
{
    enum { SIDES = 8, POINTS = 32 };
    const dew_frame *frame = dew_simulation_frame(simulation);
    dew_vec3 centre;
    double radius;
    if (!find_liquid(frame, &centre, &radius)) return false;
    for (int k = 0; k < dew_frame_solid_count(frame); k++) {
        dew_solid_mesh mesh;
        if (dew_frame_solid_mesh(frame, k, &mesh) || !mesh.is_visible || mesh.triangle_count == 0) continue;
        int blocked = 0;
        for (int side = 0; side < SIDES; side++) {
            double turn = side * M_PI / 4, rise = (side % 2 ? 60 : 15) * M_PI / 180;
            real4 at[POINTS], found[POINTS];
            for (int i = 0; i < POINTS; i++) {
                double r = radius * (1 + 0.5 * i);
                at[i] = (real4){(real)(centre.x + r * cos(rise) * cos(turn)),
                                (real)(centre.y + r * cos(rise) * sin(turn)), (real)(centre.z + r * sin(rise)), 0};
            }
            solids_distance(frame->solids, k, radius, POINTS, at, found);
            bool is_hit = false;
            for (int i = 0; i < POINTS; i++) is_hit = is_hit || found[i].w < 0;
            blocked += is_hit;
        }
        if (blocked == SIDES) return true;
    }
    return false;
}

dew_result report_picture_write(const char *path, const dew_simulation *simulation, int threads)
{
    dew_render_def def = dew_default_render_def();
    def.width = WIDTH, def.height = HEIGHT, def.samples = SAMPLES;
    const dew_frame *frame = dew_simulation_frame(simulation);
    find_ground(&def, frame);
    dew_renderer *renderer = NULL;
    uint8_t *rgb = malloc((size_t)WIDTH * HEIGHT * 3);
    dew_result result = rgb ? DEW_OK : result_fail(DEW_NO_MEMORY, "no memory for a picture");
    if (!result) result = dew_renderer_create(&def, threads, &renderer);
    if (!result) result = dew_renderer_draw(renderer, frame, 0, rgb);
    if (!result) result = dew_picture_write(path, WIDTH, HEIGHT, rgb);
    dew_renderer_destroy(renderer);
    free(rgb);
    return result;
}
