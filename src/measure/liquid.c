/* Quantities of the liquid's surface. What the method measures itself comes first; else, and for all that is fitted,
 * the surface reconstructed from the particles, which is the same for every method. */
#include "base/arena.h"
#include "frame/frame.h"
#include "measure/points.h"
#include "measure/surface.h"

#include <stdlib.h>
#include <string.h>

double measure_wetted(const measurement *m, const measured_surface *surface)
{
    double sum = 0;
    for (int k = 0; k < dew_frame_solid_count(m->frame); k++)
        if (m->solid < 0 || m->solid == k) sum += surface->wetted[k];
    return sum;
}

double measure_wetted_cosine(const measurement *m, const measured_surface *surface)
{
    double sum = 0, tension = m->frame->materials[0].surface_tension;
    for (int k = 0; k < dew_frame_solid_count(m->frame); k++)
        sum += solids_info(m->frame->solids, k, tension).cos_contact_angle * surface->wetted[k];
    return sum;
}

dew_result measure_area(const measurement *m, const char *name, double *values)
{
    const measured_surface *surface;
    RESULT_TRY(measure_surface(m, &surface));
    if (!surface->is_there) return DEW_OK;
    values[0] = strcmp(name, "wetted_area") == 0 ? measure_wetted(m, surface) : surface->size.area[MESH_FREE];
    return DEW_OK;
}

static dew_result measure_changing_energy(const measurement *m, double *energy)
{
    const measured_surface *surface;
    RESULT_TRY(measure_surface(m, &surface));
    if (!surface->is_there) return DEW_OK;
    arena *memory = arena_create();
    real *tension = memory ? arena_alloc(memory, (size_t)m->count * sizeof *tension) : NULL;
    if (tension) measure_tensions(m, tension);
    dew_result result = tension ? measure_surface_sums(m, surface, 1, (const real *const[]){tension}, memory, energy)
                                : result_fail(DEW_NO_MEMORY, "no memory to measure the surface's tension");
    arena_destroy(memory);
    return result;
}

/* gamma (A_free - sum of cos(theta) A_wetted): Young's law is where it is least. */
dew_result measure_surface_energy(const measurement *m, const char *name, double *values)
{
    (void)name;
    const measured_surface *surface;
    double area;
    if (frame_has_changing_tension(m->frame)) return measure_changing_energy(m, values);
    if (!frame_has_one_tension(m->frame) && !frame_is_of_two_liquids(m->frame)) return DEW_OK;
    RESULT_TRY(measure_named(m, "surface_area", &area));
    RESULT_TRY(measure_surface(m, &surface));
    if (!surface->is_there) return DEW_OK;
    if (frame_is_of_two_liquids(m->frame)) return measure_mixed_energy(m, surface, values);
    values[0] = m->frame->materials[0].surface_tension * (area - measure_wetted_cosine(m, surface));
    return DEW_OK;
}

dew_result measure_volume(const measurement *m, const char *name, double *values)
{
    (void)name;
    const measured_surface *surface;
    RESULT_TRY(measure_surface(m, &surface));
    values[0] = surface->is_there ? surface->size.volume : measure_sums(m).volume;
    return DEW_OK;
}

/* Radius of the ball (2D: disc) that holds the liquid's mass at its density. */
static double radius_of(const measurement *m, const liquid_sums *sums)
{
    return m->frame->dimension == 2 ? sqrt(sums->volume / PI) : cbrt(3 * sums->volume / (4 * PI));
}

/* Sphericity and deviation from the mean radius. */
dew_result measure_form(const measurement *m, const char *name, double *values)
{
    const measured_surface *surface;
    RESULT_TRY(measure_surface(m, &surface));
    if (!surface->is_there || surface->point_count == 0) return DEW_OK;
    if (strcmp(name, "sphericity") == 0) {
        double area = surface->size.area[MESH_FREE] + surface->size.area[MESH_SOLID], volume = surface->size.volume;
        values[0] = (m->frame->dimension == 2 ? 2 * sqrt(PI * volume) : cbrt(PI * 36 * volume * volume)) / area;
        return DEW_OK;
    }
    liquid_sums sums = measure_sums(m);
    double mean, deviation;
    measure_roundness(surface->points, surface->point_count, m->frame->dimension,
                      vec3_sub(sums.centre, surface->mesh.origin), &mean, &deviation);
    values[0] = deviation / mean;
    return DEW_OK;
}

dew_result measure_mode_amplitudes(const measurement *m, const char *name, double *values)
{
    const measured_surface *surface;
    RESULT_TRY(measure_surface(m, &surface));
    if (!surface->is_there) return DEW_OK;
    liquid_sums sums = measure_sums(m);
    mode_amplitudes modes;
    if (measure_modes(surface->points, surface->point_count, m->frame->dimension,
                      vec3_sub(sums.centre, surface->mesh.origin), radius_of(m, &sums), &modes))
        memcpy(values, strcmp(name, "modes") == 0 ? modes.axial : modes.total, sizeof modes.axial);
    return DEW_OK;
}

static real4 vertex_record(const triangle_mesh *mesh, int v)
{
    dew_vec3 x = vec3_of_floats(mesh->vertices + 3 * (size_t)v);
    return (real4){(real)x.x, (real)x.y, (real)x.z, 0};
}

dew_result measure_thinnest(const measurement *m, const char *name, double *values)
{
    (void)name;
    const measured_surface *surface;
    RESULT_TRY(measure_surface(m, &surface));
    if (!surface->is_there) return DEW_OK;
    /* By the whole mesh: what fills a channel or a tube has no free surface between its ends. */
    const triangle_mesh *mesh = &surface->mesh.mesh;
    real4 *all = aligned_obtain(((size_t)mesh->vertex_count + 1) * sizeof *all);
    if (!all) return result_fail(DEW_NO_MEMORY, "no memory to measure the neck");
    for (int v = 0; v < mesh->vertex_count; v++) all[v] = vertex_record(mesh, v);
    liquid_sums sums = measure_sums(m);
    values[0] = measure_neck(all, mesh->vertex_count, m->frame->dimension, vec3_sub(sums.centre, surface->mesh.origin),
                             0.75 * m->frame->spacing, 0.25 * m->frame->spacing);
    aligned_release(all);
    return DEW_OK;
}

/* --- the wall below --- */

/* Cosine of the angle up to which a wall faces a way. */
#define FACES 0.9

typedef struct wall_rows {
    real4 *wall;
    int32_t *which;
    int *votes;
    dew_vec3 facing; /* the way that a wall faces which counts; 0: all do */
} wall_rows;

static bool wall_counts(const measurement *m, const wall_rows *rows, int i)
{
    real4 a = rows->wall[i];
    if (rows->which[i] < 0 || !(a.w < 1.5 * m->frame->spacing)) return false;
    return vec3_length(rows->facing) == 0 || vec3_dot(rows->facing, (dew_vec3){a.x, a.y, a.z}) > FACES;
}

static void find_mean_wall(const measurement *m, const wall_rows *rows, touched_wall *w)
{
    int count = 0;
    for (int i = 0; i < m->count; i++) {
        if (rows->which[i] != w->solid || !wall_counts(m, rows, i)) continue;
        real4 a = rows->wall[i], x = m->position[i];
        dew_vec3 n = {a.x, a.y, a.z},
                 from = {x.x - m->frame->origin.x, x.y - m->frame->origin.y, x.z - m->frame->origin.z};
        w->normal = vec3_add(w->normal, n);
        w->point = vec3_add(w->point, vec3_sub(from, vec3_scale((double)a.w, n)));
        count++;
    }
    w->normal = vec3_normalise(w->normal);
    w->point = vec3_add(m->frame->origin, vec3_scale(1.0 / count, w->point));
    w->is_there = vec3_length(w->normal) > 0.5, w->is_plane = true;
    for (int i = 0; i < m->count; i++) {
        if (rows->which[i] != w->solid || !wall_counts(m, rows, i)) continue;
        real4 a = rows->wall[i];
        if (vec3_dot(w->normal, (dew_vec3){a.x, a.y, a.z}) < 0.9999) w->is_plane = false;
    }
}

dew_result measure_wall(const measurement *m, dew_vec3 facing, touched_wall *wall)
{
    int total = dew_frame_solid_count(m->frame);
    *wall = (touched_wall){.solid = -1};
    if (total == 0 || m->count == 0) return DEW_OK;
    wall_rows rows = {aligned_obtain((size_t)m->count * sizeof *rows.wall),
                      malloc((size_t)m->count * sizeof *rows.which), calloc((size_t)total, sizeof *rows.votes), facing};
    dew_result result = DEW_OK;
    if (rows.wall && rows.which && rows.votes) {
        int most = 0;
        solids_nearest(m->frame->solids, 1.5 * m->frame->spacing, m->count, m->position, rows.wall, rows.which);
        for (int i = 0; i < m->count; i++)
            if (wall_counts(m, &rows, i)) rows.votes[rows.which[i]]++;
        for (int k = 0; k < total; k++)
            if (rows.votes[k] > most) most = rows.votes[k], wall->solid = k;
        if (most > 0) find_mean_wall(m, &rows, wall);
    } else {
        result = result_fail(DEW_NO_MEMORY, "no memory to measure the wall");
    }
    aligned_release(rows.wall);
    free(rows.which);
    free(rows.votes);
    return result;
}

/* --- contact --- */

/* Points of the free surface that are farther than this from every solid: nearer ones are bent by how the contact line
 * is drawn. */
#define NEAR_WALL 1.5 /* spacings */

static int points_off_walls(const measurement *m, const measured_surface *surface, real4 *kept, real4 *wall)
{
    solid_choice nearest = {m->frame->solids, -1, surface->mesh.origin};
    double near = NEAR_WALL * m->frame->spacing;
    int count = 0;
    solid_choice_distance(&nearest, near, surface->point_count, surface->points, wall);
    for (int i = 0; i < surface->point_count; i++)
        if (wall[i].w >= near) kept[count++] = surface->points[i];
    return count;
}

/* c of measure_profile; 0 where gravity is not along the wall's normal, or bends the drop by nothing that can be seen.
 */
static double capillarity_of(const measurement *m, const touched_wall *wall, double radius)
{
    dew_vec3 g = m->frame->gravity;
    const dew_material_def *of = &m->frame->materials[0];
    double along = vec3_dot(g, wall->normal);
    if (m->frame->material_count != 1 || !(of->surface_tension > 0) || !wall->is_plane) return 0;
    if (vec3_length(vec3_cross(g, wall->normal)) > 0.02 * fabs(along)) return 0;
    double c = -of->density * along / of->surface_tension;
    return fabs(c) * radius * radius > 1e-4 ? c : 0;
}

static bool fit_contact(const measurement *m, const measured_surface *surface, const touched_wall *wall,
                        const real4 *points, int count, drop_contact *contact)
{
    dew_vec3 origin = surface->mesh.origin;
    fitted_sphere sphere;
    if (!measure_sphere(points, count, m->frame->dimension, &sphere)) return false;
    double c = capillarity_of(m, wall, sphere.radius);
    if (c != 0) {
        profile_def def = {.points = points,
                           .count = count,
                           .dimension = m->frame->dimension,
                           .wall = vec3_sub(wall->point, origin),
                           .normal = wall->normal,
                           .capillarity = c,
                           .near = 0,
                           .start = sphere};
        return measure_profile(&def, contact);
    }
    solid_choice solid = {m->frame->solids, wall->solid, origin};
    return measure_sphere_on_solid(&sphere, m->frame->dimension, wall->normal, solid_choice_distance, &solid, contact);
}

dew_result measure_contact(const measurement *m, const char *name, double *values)
{
    touched_wall wall;
    const measured_surface *surface;
    RESULT_TRY(measure_wall(m, (dew_vec3){0, 0, 0}, &wall));
    if (!wall.is_there) return DEW_OK;
    RESULT_TRY(measure_surface(m, &surface));
    if (!surface->is_there || surface->point_count == 0) return DEW_OK;
    size_t bytes = (size_t)surface->point_count * sizeof(real4);
    real4 *kept = aligned_obtain(bytes), *distance = aligned_obtain(bytes);
    dew_result result = kept && distance ? DEW_OK : result_fail(DEW_NO_MEMORY, "no memory to measure the contact");
    if (result == DEW_OK) {
        drop_contact contact;
        int count = points_off_walls(m, surface, kept, distance);
        if (fit_contact(m, surface, &wall, kept, count, &contact))
            values[0] = strcmp(name, "contact_angle") == 0 ? contact.angle : contact.radius;
    }
    aligned_release(kept);
    aligned_release(distance);
    return result;
}
