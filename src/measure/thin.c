/* How dense bodies are that are too thin for a kernel to lie within them: by the volume inside their mesh. */
#include "measure/thin.h"
#include "base/arena.h"
#include "measure/surface.h"
#include "particles/point_grid.h"
#include "surface/mesh_parts.h"

/* A mesh holds less than its particles do, by FLAT where it is flat and by BENT (1/r1 + 1/r2)^2 more where it is bent
 * (radii in spacings): measured on slabs and rods of 2 to 6 spacings, lattices and relaxed fills. A body 3 V/A thick
 * bends by no more than a ball of that radius; how much, it does not tell, so that a density between the two counts as
 * right; and how a method orders its outermost particles moves the mesh by up to SKIN spacings (a ball of 600 by pbf,
 * dense to 1 % inside, by 0.08). Thinner than LEAST, or of fewer particles, it is not told.
 *
 * A mesh does not see hollows that are less than HOLLOW spacings across: what lies within a skin that has parted from
 * it all around has no mesh of its own, and counts as what the skin's mesh holds. */
#define FLAT 0.011
#define BENT 0.11
#define SKIN 0.1
#define LEAST 1.5
#define HOLLOW 3.0
#define OWN 0.1
enum { FEWEST = 64 };

typedef struct body_sizes {
    double *volume, *area, *wetted; /* area: wetted too */
    int32_t *particles;             /* within its mesh */
    bool *has_mesh;                 /* of its own */
} body_sizes;

/* Within `reach`, of all bodies or of those with a mesh. */
static int nearest_particle(const measurement *m, const point_grid *grid, dew_vec3 place, double reach,
                            const int32_t *body, const bool *has_mesh)
{
    int nearest = -1;
    double least = reach * reach;
    POINTS_NEAR(grid, m->position, place, reach, i)
    {
        real4 y = m->position[i];
        dew_vec3 d = vec3_sub((dew_vec3){y.x, y.y, m->frame->dimension == 2 ? 0 : (double)y.z}, place);
        if (vec3_dot(d, d) < least && (!has_mesh || has_mesh[body[i]])) least = vec3_dot(d, d), nearest = i;
    }
    return nearest;
}

/* Bodies with next to no mesh lie within that of the nearest one, if one is near. */
static void find_enclosed(const measurement *m, const point_grid *grid, const int32_t *body, const int32_t *size,
                          body_sizes *of)
{
    double reach = HOLLOW * m->frame->spacing;
    double of_particle = pow(m->frame->spacing, m->frame->dimension);
    for (int b = 0; b < m->count && size[b] > 0; b++) of->has_mesh[b] = of->volume[b] > OWN * of_particle * size[b];
    for (int b = 0; b < m->count && size[b] > 0; b++) {
        int around = -1;
        of->particles[b] += size[b];
        if (of->has_mesh[b] || size[b] < FEWEST) continue;
        for (int i = 0; i < m->count && around < 0; i++) {
            if (body[i] != b) continue;
            real4 x = m->position[i];
            dew_vec3 place = {x.x, x.y, m->frame->dimension == 2 ? 0 : (double)x.z};
            int near = nearest_particle(m, grid, place, reach, body, of->has_mesh);
            if (near >= 0) around = body[near];
        }
        if (around < 0) continue;
        of->particles[b] -= size[b], of->particles[around] += size[b], of->volume[around] += of->volume[b];
        of->area[around] += of->area[b], of->wetted[around] += of->wetted[b];
    }
}

/* Shares the mesh's parts out among the bodies whose particles are nearest to their first vertices. */
static dew_result find_sizes(const measurement *m, const measured_surface *s, const int32_t *body, const int32_t *size,
                             arena *memory, body_sizes *of)
{
    const triangle_mesh *mesh = &s->mesh.mesh;
    bool is_flat = m->frame->dimension == 2;
    double depth = is_flat ? m->frame->spacing : 1;
    mesh_parts p;
    point_grid grid;
    ARENA_ARRAY_ZEROED(memory, mesh->vertex_count, double, wetted);
    RESULT_TRY(mesh_parts_begin(&p, mesh, memory));
    RESULT_TRY(point_grid_create(&grid, m->position, m->count, 2 * m->frame->spacing, memory));
    for (int k = 0; k < mesh->triangle_count; k++) mesh_parts_join(&p, k);
    for (int k = 0; k < mesh->triangle_count; k++) {
        int root = mesh_parts_root(&p, mesh->triangles[3 * k]);
        bool is_wetted = s->mesh.part[k] == MESH_SOLID, is_surface = is_wetted || s->mesh.part[k] == MESH_FREE;
        double area = vec3_length(mesh_normal(mesh, k)) / 2 / depth;
        p.volume[root] += mesh_volume(mesh, k, (dew_vec3){0}) / depth;
        p.area[root] += is_surface ? area : 0;
        wetted[root] += is_wetted ? area : 0;
    }
    for (int v = 0; v < mesh->vertex_count; v++) {
        if (mesh_parts_root(&p, v) != v || p.volume[v] == 0) continue;
        dew_vec3 place = vec3_add(mesh_vertex(mesh, v), s->mesh.origin);
        if (is_flat) place.z = 0;
        int i = nearest_particle(m, &grid, place, 2 * m->frame->spacing, body, NULL);
        if (i < 0) continue;
        of->volume[body[i]] += p.volume[v], of->area[body[i]] += p.area[v], of->wetted[body[i]] += wetted[v];
    }
    find_enclosed(m, &grid, body, size, of);
    return DEW_OK;
}

/* The share by which a body is denser than at rest, as far as its mesh tells. */
static double excess_of(const measurement *m, int particles, double volume, double area, double wetted)
{
    int dimension = m->frame->dimension;
    double s = m->frame->spacing, radius = dimension * volume / area / s;
    if (particles < FEWEST || !(radius > LEAST)) return NAN;
    double bend = (dimension - 1) / radius, found = particles * pow(s, dimension) / volume - 1;
    /* Layers come one by one, and leave a spacing free at a mouth before the next. */
    double slack = SKIN * s * area / volume;
    for (int k = 0; k < m->mouth_count; k++) slack += PI * m->mouths[k].radius * m->mouths[k].radius * s / volume;
    /* What is left free along a solid, up to half a spacing, the mesh takes for liquid. */
    double low = -FLAT - slack - 0.5 * s * wetted / volume, high = FLAT + BENT * bend * bend + slack;
    return found < low ? found - low : found > high ? found - high : 0;
}

dew_result measure_thin_density(const measurement *m, const int32_t *body, const int32_t *size, const bool *is_told,
                                arena *memory, double *worst)
{
    const measured_surface *s;
    bool is_any = false;
    for (int b = 0; b < m->count && size[b] > 0; b++) is_any |= !is_told[b] && size[b] >= FEWEST;
    if (!is_any) return DEW_OK;
    RESULT_TRY(measure_surface(m, &s));
    if (!s->is_there) return DEW_OK;
    body_sizes of;
    ARENA_TRY_ZEROED(memory, m->count, of.volume, of.area, of.wetted, of.particles, of.has_mesh);
    RESULT_TRY(find_sizes(m, s, body, size, memory, &of));
    for (int b = 0; b < m->count && size[b] > 0; b++) {
        double excess = is_told[b] ? NAN : excess_of(m, of.particles[b], of.volume[b], of.area[b], of.wetted[b]);
        if (!isnan(excess) && !(fabs(excess) <= fabs(*worst))) *worst = excess;
    }
    return DEW_OK;
}
