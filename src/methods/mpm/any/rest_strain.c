#include "methods/mpm/any/rest_strain.h"

#include "methods/mpm/any/deformation.h"

/* Bodies smaller than a ball of that radius, in cells, have less of it: their contours are of few faces, and may be
 * folded. */
#define LEAST_RADIUS 2

/* By how much a face's area grows where its corner k moves by a unit along each axis. */
static real3 area_slope(const contour *c, const face *f, int k, real3 normal)
{
#if DIM == 3
    const real3 next = face_corner(c, f, (k + 1) % 4), last = face_corner(c, f, (k + 3) % 4);
    return real3_scale((real)0.5, real3_cross(real3_sub(next, last), normal));
#else
    (void)normal;
    return real3_normalise(real3_sub(face_corner(c, f, k), face_corner(c, f, 1 - k)));
#endif
}

enum { SUM_SLOPE, SUM_AREA, SUM_ON_PLANES, VERTEX_SUMS = SUM_ON_PLANES + DIM };

/* Adds up dA and dV of vertices that move outwards by a unit, away from walls: all around the contact line, whose
 * faces are wet on one side, energies other than the free surface's have a part in it. */
static void add_vertices(int begin, int end, void *context, double *sums)
{
    const contour *c = context;
    for (int v = begin; v < end; v++) {
        if (c->x[v].w != 0 || c->body[v] < 0) continue;
        real3 slope = {0, 0, 0}, area = {0, 0, 0};
        for (int e = 0; e < EDGES; e++) {
            const int32_t which = c->around[v * EDGES + e];
            if (which < 0) continue;
            const face *f = &c->faces[which];
            const real3 a = real3_of(c->area[which]), normal = real3_normalise(a);
            for (int k = 0; k < FACE_CORNERS; k++)
                if (f->corner[k] == v) slope = real3_add(slope, area_slope(c, f, k, normal));
            area = real3_madd(area, (real)1 / FACE_CORNERS, a);
        }
        const real3 out = c->g->has_planes ? real3_normalise(contour_along_planes(c, v, area)) : real3_normalise(area);
        const double part = 1.0 / (1 << __builtin_popcount(c->on_planes[v])); /* faces at planes stand there twice */
        double *own = sums + VERTEX_SUMS * (size_t)c->body[v];
        own[SUM_SLOPE] += part * (double)real3_dot(slope, out), own[SUM_AREA] += part * (double)real3_dot(area, out);
        for (int a = 0; a < DIM; a++) own[SUM_ON_PLANES + a] += c->on_planes[v] >> a & 1;
    }
}

enum { SUM_ENERGY, SUM_FREE, SAMPLE_SUMS };

typedef struct rest_work {
    fluid *f;
    const samples *s;
    const real *of_body;
} rest_work;

/* Adds up, for each body, the free surface's energy and area. */
static void add_samples(int begin, int end, void *context, double *sums)
{
    const rest_work *w = context;
    const contour *c = &w->f->surface;
    for (int k = SAMPLES_OF_FACE * begin; k < SAMPLES_OF_FACE * end; k++) {
        double *own = sums + SAMPLE_SUMS * (size_t)c->faces[k / SAMPLES_OF_FACE].body;
        const double area = w->s->area[k].w == 0 ? (double)real3_length(real3_of(w->s->area[k])) : 0;
        own[SUM_ENERGY] += area * (double)w->s->x[k].w, own[SUM_FREE] += area;
    }
}

/* Pressures of what is solid are its own. */
static void give_strains(int begin, int end, void *context)
{
    const rest_work *w = context;
    const fluid *f = w->f;
    for (int i = begin; i < end; i++) {
        const real q = f->body[i] >= 0 ? w->of_body[f->body[i]] : 0;
        if (!(f->has_solids && is_solid(&f->a, i))) f->a.strain[i] += f->a.rest_strain[i] - q;
        f->a.rest_strain[i] = q;
    }
}

dew_result rest_strains_find(fluid *f, const samples *s)
{
    contour *c = &f->surface;
    const int count = c->bodies.count;
    const double radius = LEAST_RADIUS * f->p->dx, least = DIM == 3 ? 4 * PI * radius * radius : 2 * PI * radius;
    rest_work w = {.f = f, .s = s};
    ARENA_ARRAY(f->g.memory, count * VERTEX_SUMS, double, of_vertices);
    ARENA_ARRAY(f->g.memory, count * SAMPLE_SUMS, double, of_samples);
    ARENA_ARRAY(f->g.memory, count, real, of_body);
    liquid_bodies_sum(count, c->vertex_count, VERTEX_SUMS, add_vertices, c, of_vertices);
    liquid_bodies_sum(count, c->face_count, SAMPLE_SUMS, add_samples, &w, of_samples);
    for (int b = 0; b < count; b++) {
        const double *vertices = of_vertices + VERTEX_SUMS * b, *free = of_samples + SAMPLE_SUMS * b;
        const double tension = free[SUM_FREE] > 0 && f->bulk > 0 ? free[SUM_ENERGY] / free[SUM_FREE] : 0;
        double part = 1; /* of the body, that planes of symmetry leave */
        for (int a = 0; a < DIM; a++)
            if (vertices[SUM_ON_PLANES + a] > 0) part /= 2;
        of_body[b] = 0;
        if (tension > 0)
            of_body[b] =
                (real)(tension * vertices[SUM_SLOPE] / (fmax(vertices[SUM_AREA], part * least) * (double)f->bulk));
    }
    f->rest_strain = w.of_body = of_body;
    parallel_for(f->a.count, 4096, give_strains, &w);
    return DEW_OK;
}

real rest_strain_of_cube(const fluid *f, int cube)
{
    int at[DIM];
    local_of(cube % CELLS, at);
    for (int k = 0; k < CUBE_CORNERS; k++) {
        const int64_t node = corner_node(&f->g, cube / CELLS, at, k);
        const int32_t body = node >= 0 ? f->surface.bodies.of_node[node] : -1;
        if (body >= 0) return f->rest_strain[body];
    }
    return 0;
}
