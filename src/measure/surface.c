#include "measure/surface.h"

#include "base/arena.h"
#include "base/hash.h"
#include "measure/cloud.h"

#include <stdlib.h>
#include <string.h>

enum { SOLIDS_AT_ONCE = 256 };

void solid_choice_distance(const void *context, double band, int count, const real4 *points, real4 *out)
{
    const solid_choice *choice = context;
    int32_t which[SOLIDS_AT_ONCE];
    real4 moved[SOLIDS_AT_ONCE];
    for (int first = 0; first < count; first += SOLIDS_AT_ONCE) {
        int n = count - first < SOLIDS_AT_ONCE ? count - first : SOLIDS_AT_ONCE;
        for (int i = 0; i < n; i++) {
            real4 p = points[first + i];
            moved[i] = (real4){(real)(p.x + choice->origin.x), (real)(p.y + choice->origin.y),
                               (real)(p.z + choice->origin.z), 0};
        }
        if (choice->which >= 0)
            solids_distance(choice->solids, choice->which, band, n, moved, out + first);
        else
            solids_nearest(choice->solids, band, n, moved, out + first, which);
    }
}

/* --- what the mesh tells --- */

static bool find_points(measured_surface *m)
{
    const triangle_mesh *mesh = &m->mesh.mesh;
    m->points = aligned_obtain(((size_t)mesh->vertex_count + 1) * sizeof *m->points);
    if (!m->points) return false;
    for (int v = 0; v < mesh->vertex_count; v++) {
        const float *x = mesh->vertices + 3 * (size_t)v;
        m->points[v] = (real4){(real)x[0], (real)x[1], (real)x[2], 0};
    }
    for (int k = 0; k < mesh->triangle_count; k++) {
        if (m->mesh.part[k] != MESH_FREE) continue;
        real third = (real)(vec3_length(liquid_mesh_normal(&m->mesh, k)) / 6);
        for (int e = 0; e < 3; e++) m->points[mesh->triangles[3 * k + e]].w += third;
    }
    for (int v = 0; v < mesh->vertex_count; v++)
        if (m->points[v].w > 0) m->points[m->point_count++] = m->points[v];
    return true;
}

/* The solid at a place against the mesh's origin; -1: none is within a spacing. */
static int solid_at(const measurement *m, const measured_surface *s, dew_vec3 place)
{
    dew_vec3 x = vec3_add(place, s->mesh.origin);
    real4 point = {(real)x.x, (real)x.y, m->frame->dimension == 2 ? 0 : (real)x.z, 0}, wall;
    int32_t which;
    solids_nearest(m->frame->solids, m->frame->spacing, 1, &point, &wall, &which);
    return which;
}

static void find_wetted(const measurement *m, measured_surface *s)
{
    double depth = m->frame->dimension == 2 ? m->frame->spacing : 1;
    for (int k = 0; k < s->mesh.mesh.triangle_count; k++) {
        if (s->mesh.part[k] != MESH_SOLID && s->mesh.part[k] != MESH_FOLD) continue;
        int solid = solid_at(m, s, vec3_of_floats(s->mesh.mesh.vertices + 3 * (size_t)s->mesh.mesh.triangles[3 * k]));
        double area = vec3_length(liquid_mesh_normal(&s->mesh, k)) / 2 / depth;
        if (solid >= 0) s->wetted[solid] += s->mesh.part[k] == MESH_FOLD ? -area : area;
    }
}

/* A surface lies along a solid of 180 degrees before it lets go: there is no wedge to draw on, and wetted or free its
 * area counts the same. */
static bool touches_without_wetting(const measurement *m, int solid)
{
    if (solid < 0) return false;
    return solids_info(m->frame->solids, solid, m->frame->materials[0].surface_tension).cos_contact_angle < -0.999;
}

/* Finds the contact line, and takes what the mesh's bend there adds from the areas. */
static dew_result find_line(const measurement *m, measured_surface *s)
{
    /* The bend at the line is as wide as the kernel; in two dimensions the slab is a spacing thick. */
    bool is_wide = m->reach > 0 && m->frame->dimension == 3;
    double spacing = is_wide ? m->reach / RECONSTRUCT_REACH : m->frame->spacing;
    solid_choice choice = {m->frame->solids, -1, {0, 0, 0}};
    RESULT_TRY(
        contact_line_find(&s->mesh, m->frame->dimension, spacing, solid_choice_distance, &choice, s->memory, &s->line));
    for (int k = 0; k < s->line.count; k++) {
        line_piece *p = &s->line.pieces[k];
        p->solid = solid_at(m, s, p->place);
        if (isnan(p->angle) || touches_without_wetting(m, p->solid)) continue;
        s->size.area[MESH_FREE] +=
            cos(p->angle * PI / 180) * p->area - contact_line_excess(p->angle) * spacing * p->length;
        s->size.area[MESH_SOLID] += p->area;
        if (p->solid >= 0) s->wetted[p->solid] += p->area;
    }
    return DEW_OK;
}

static dew_result find_contact(const measurement *m, measured_surface *s)
{
    if (!(s->memory = arena_create())) return result_fail(DEW_NO_MEMORY, "no memory to measure the contact line");
    ARENA_TRY_ZEROED(s->memory, dew_frame_solid_count(m->frame), s->wetted);
    find_wetted(m, s);
    return find_line(m, s);
}

void measured_surface_clear(measured_surface *s)
{
    liquid_mesh_free(&s->mesh);
    aligned_release(s->points);
    arena_destroy(s->memory);
    *s = (measured_surface){0};
}

/* From the disc of a mouth to the end of the last layer: as far as one layer comes after the other, and what the mesh
 * is off. In spacings. */
#define MOUTH 1.2

/* Liquid goes on behind a mouth that it flows in by: the end of its last layer there is no surface. A mouth in a
 * solid's face is a hole in it, which nothing wets, open or not. */
static void leave_mouths_out(const measurement *m, liquid_mesh *mesh)
{
    double spacing = m->frame->spacing;
    for (int k = 0; k < m->mouth_count; k++) {
        const inflow_mouth *of = &m->mouths[k];
        bool is_open = m->frame->time >= of->from && m->frame->time <= of->to;
        for (int t = 0; t < mesh->mesh.triangle_count; t++) {
            dew_vec3 n = vec3_normalise(liquid_mesh_normal(mesh, t));
            const float *vertex = mesh->mesh.vertices + 3 * (size_t)mesh->mesh.triangles[3 * t];
            dew_vec3 x = vec3_add(vec3_of_floats(vertex), mesh->origin);
            dew_vec3 d = vec3_sub(x, of->centre);
            double along = vec3_dot(d, of->normal), across = vec3_length(vec3_sub(d, vec3_scale(along, of->normal)));
            bool is_behind = fabs(along) < MOUTH * spacing && across < of->radius + 0.5 * spacing;
            if (is_behind && vec3_dot(n, of->normal) < -0.7 && (is_open || mesh->part[t] == MESH_SOLID))
                mesh->part[t] = MESH_CUT;
        }
    }
}

static dew_result make_surface(const measurement *m, measured_surface *s)
{
    cloud c = {0};
    bounds within;
    double reach = m->reach > 0 ? m->reach : RECONSTRUCT_REACH * m->frame->spacing;
    dew_result result = cloud_gather(m, reach, true, &c, &within);
    solid_choice choice = {m->frame->solids, -1, {0, 0, 0}};
    reconstruct_def def = {.points = c.points,
                           .count = c.count,
                           .spacing = m->frame->spacing,
                           .dimension = m->frame->dimension,
                           .cell = m->cell,
                           .reach = reach,
                           .within = within,
                           .solid = dew_frame_solid_count(m->frame) > 0 ? solid_choice_distance : NULL,
                           .solid_context = &choice};
    if (result == DEW_OK) result = reconstruct(&def, &s->mesh);
    aligned_release(c.points);
    if (result == DEW_INVALID) return DEW_OK; /* spread too widely: what needs a surface is NaN */
    RESULT_TRY(result);
    leave_mouths_out(m, &s->mesh);
    s->size = liquid_mesh_size(&s->mesh, m->frame->dimension, m->frame->spacing);
    if (def.solid) RESULT_TRY(find_contact(m, s));
    if (!find_points(s)) return result_fail(DEW_NO_MEMORY, "no memory to measure the surface");
    s->is_there = true;
    return DEW_OK;
}

uint64_t measure_key(const dew_frame *f)
{
    uint64_t time;
    memcpy(&time, &f->time, sizeof time);
    return hash_mix(hash_mix(hash_mix(dew_frame_hash(f), time), (uintptr_t)f->solids), (uintptr_t)f->mouths);
}

dew_result measure_surface(const measurement *m, const measured_surface **surface)
{
    measured_surface *s = m->surface;
    uint64_t key = measure_key(m->frame);
    *surface = s;
    if (s->key == key && s->points) return DEW_OK;
    measured_surface_clear(s);
    if (m->count == 0) return DEW_OK;
    dew_result result = make_surface(m, s);
    if (result != DEW_OK) measured_surface_clear(s);
    if (result == DEW_OK) s->key = key;
    return result;
}
