/* A tension that depends on temperature or on what is dissolved, as it is over the surface of a frame. */
#include "base/arena.h"
#include "frame/frame.h"
#include "measure/near.h"
#include "measure/surface.h"

enum { BLOCK = 256, MOST_NEAR = 128 };
/* In spacings: from a place of the surface to its particle, and from a solid to those of the layer that lies on it. */
#define REACH 2.0
#define LAYER 1.0

void measure_tensions(const measurement *m, real *tension)
{
    const dew_material_def *material = &m->frame->materials[0];
    dew_function f = material->surface_tension_of_temperature;
    double t[BLOCK], c[BLOCK], value[BLOCK];
    for (int begin = 0; begin < m->count; begin += BLOCK) {
        int n = m->count - begin < BLOCK ? m->count - begin : BLOCK;
        for (int i = 0; i < n; i++) {
            t[i] = m->temperature ? (double)m->temperature[begin + i] : dew_default_heat_boundary().surroundings;
            c[i] = m->concentration ? (double)m->concentration[begin + i] : 0;
            value[i] = material->surface_tension;
        }
        if (f.evaluate) f.evaluate(f.context, n, (const double *const[]){t, c}, value);
        for (int i = 0; i < n; i++) tension[begin + i] = (real)value[i];
    }
}

static dew_result find_free_mean(const measurement *m, const measured_surface *s, arena *memory, const real *value,
                                 double *mean)
{
    double sum = 0, area = 0, reach = REACH * m->frame->spacing;
    near_point near[MOST_NEAR];
    point_grid grid;
    RESULT_TRY(point_grid_create(&grid, m->position, m->count, reach, memory));
    for (int v = 0; v < s->point_count; v++) {
        real4 p = s->points[v];
        dew_vec3 x = vec3_add((dew_vec3){p.x, p.y, p.z}, s->mesh.origin);
        if (m->frame->dimension == 2) x.z = 0;
        int count = near_points(&grid, m->position, x, reach, MOST_NEAR, near), best = 0;
        for (int k = 1; k < count; k++)
            if (near[k].r2 < near[best].r2 || (near[k].r2 == near[best].r2 && near[k].index < near[best].index))
                best = k;
        if (count > 0) sum += (double)(p.w * value[near[best].index]), area += (double)p.w;
    }
    *mean = area > 0 ? sum / area : 0;
    return DEW_OK;
}

/* Of the layer on solids. */
static double find_wetted_mean(const measurement *m, const real *value)
{
    double sum = 0, count = 0;
    for (int begin = 0; begin < m->count; begin += BLOCK) {
        int n = m->count - begin < BLOCK ? m->count - begin : BLOCK;
        real4 wall[BLOCK];
        int32_t which[BLOCK];
        solids_nearest(m->frame->solids, LAYER * m->frame->spacing, n, m->position + begin, wall, which);
        for (int i = 0; i < n; i++)
            if (which[i] >= 0) sum += (double)value[begin + i], count++;
    }
    return count > 0 ? sum / count : 0;
}

dew_result measure_surface_sum(const measurement *m, const measured_surface *s, const real *value, arena *memory,
                               double *sum)
{
    double free;
    RESULT_TRY(find_free_mean(m, s, memory, value, &free));
    *sum = free * s->size.area[MESH_FREE];
    if (dew_frame_solid_count(m->frame) > 0) *sum -= find_wetted_mean(m, value) * measure_wetted_cosine(m, s);
    return DEW_OK;
}
