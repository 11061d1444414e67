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

/* Means over the free surface, of each value. */
static dew_result find_free_means(const measurement *m, const measured_surface *s, arena *memory, int values,
                                  const real *const *value, double *mean)
{
    double area = 0, reach = REACH * m->frame->spacing;
    near_point near[MOST_NEAR];
    point_grid grid;
    RESULT_TRY(point_grid_create(&grid, m->position, m->count, reach, memory));
    for (int k = 0; k < values; k++) mean[k] = 0;
    for (int v = 0; v < s->point_count; v++) {
        real4 p = s->points[v];
        dew_vec3 x = vec3_add((dew_vec3){p.x, p.y, p.z}, s->mesh.origin);
        if (m->frame->dimension == 2) x.z = 0;
        int count = near_points(&grid, m->position, x, reach, MOST_NEAR, near), best = 0;
        for (int k = 1; k < count; k++)
            if (near[k].r2 < near[best].r2 || (near[k].r2 == near[best].r2 && near[k].index < near[best].index))
                best = k;
        if (count == 0) continue;
        for (int k = 0; k < values; k++) mean[k] += (double)(p.w * value[k][near[best].index]);
        area += (double)p.w;
    }
    for (int k = 0; k < values && area > 0; k++) mean[k] /= area;
    return DEW_OK;
}

/* Means over the layer on solids. */
static void find_wetted_means(const measurement *m, int values, const real *const *value, double *mean)
{
    double count = 0;
    for (int k = 0; k < values; k++) mean[k] = 0;
    for (int begin = 0; begin < m->count; begin += BLOCK) {
        int n = m->count - begin < BLOCK ? m->count - begin : BLOCK;
        real4 wall[BLOCK];
        int32_t which[BLOCK];
        solids_nearest(m->frame->solids, LAYER * m->frame->spacing, n, m->position + begin, wall, which);
        for (int i = 0; i < n; i++) {
            if (which[i] < 0) continue;
            for (int k = 0; k < values; k++) mean[k] += (double)value[k][begin + i];
            count++;
        }
    }
    for (int k = 0; k < values && count > 0; k++) mean[k] /= count;
}

dew_result measure_surface_sums(const measurement *m, const measured_surface *s, int values, const real *const *value,
                                arena *memory, double *sum)
{
    RESULT_TRY(find_free_means(m, s, memory, values, value, sum));
    for (int k = 0; k < values; k++) sum[k] *= s->size.area[MESH_FREE];
    if (dew_frame_solid_count(m->frame) == 0) return DEW_OK;
    double cosine = measure_wetted_cosine(m, s);
    ARENA_ARRAY(memory, values, double, wetted);
    find_wetted_means(m, values, value, wetted);
    for (int k = 0; k < values; k++) sum[k] -= cosine * wetted[k];
    return DEW_OK;
}
