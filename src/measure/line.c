#include "measure/line.h"

#include "base/parallel.h"
#include "measure/least_squares.h"
#include "particles/point_grid.h"

enum { FEWEST = 12, UNKNOWNS = 6, TURNS = 4 };
/* Where the mesh meets a solid, in spacings outside of the line: particles of a first layer are packed, and rims are
 * cut off in proportion to the cotangent. Measured on relaxed caps of 10 to 165 degrees, within 0.1 from 20 to 160. */
static const double packed = 0.24, cut = 0.22;
/* The bend, and that up to `highest` above a solid a surface is seen as a quadratic one, in spacings; how near to a
 * piece it is taken from, and how much of it there must be, in square spacings: less where the surface leans over the
 * solid, as then it is the drop's own roundness that the quadratic one misses. Measured on relaxed caps. */
static const double bent = 1.3, highest = 5, near = 4, far = 14, enough = 30, enough_below = 10, of_slab = 0.1;

typedef struct line_search {
    const liquid_mesh *mesh;
    int dimension;
    double spacing;
    solid_distance_fcn *solid;
    const void *context;
    contact_line *line;
    /* Middles of the free surface's triangles that are neither bent nor far from a solid; w: their area. */
    int count;
    real4 *middle;
    dew_vec3 *normal;
    point_grid grid;
} line_search;

static dew_vec3 vertex_of(const line_search *s, int32_t v)
{
    return vec3_of_floats(s->mesh->mesh.vertices + 3 * (size_t)v);
}

/* --- pieces --- */

/* An edge of the free surface between two vertices on the line. */
static bool edge_on_line(const line_search *s, int triangle, int edge, int32_t ends[2])
{
    const int32_t *t = s->mesh->mesh.triangles + 3 * (size_t)triangle;
    ends[0] = t[edge], ends[1] = t[(edge + 1) % 3];
    return s->mesh->part[triangle] == MESH_FREE && ends[0] >= s->mesh->line_vertex && ends[1] >= s->mesh->line_vertex;
}

static void add_piece(line_search *s, const int32_t ends[2])
{
    dew_vec3 from = vertex_of(s, ends[0]), to = vertex_of(s, ends[1]);
    line_piece p = {.place = vec3_scale(0.5, vec3_add(from, to)), .angle = NAN, .ends = {ends[0], ends[1]}};
    dew_vec3 along = vec3_sub(to, from), o = s->mesh->origin;
    if (s->dimension == 2) along.x = along.y = 0;
    real4 x = {(real)(p.place.x + o.x), (real)(p.place.y + o.y), s->dimension == 2 ? 0 : (real)(p.place.z + o.z), 0}, d;
    s->solid(s->context, s->spacing, 1, &x, &d);
    p.normal = (dew_vec3){d.x, d.y, d.z};
    p.length = vec3_length(along);
    p.out = vec3_normalise(vec3_cross(along, p.normal));
    if (s->dimension == 2) p.length /= s->spacing;
    if (p.length > 0) s->line->pieces[s->line->count++] = p;
}

static dew_result find_pieces(line_search *s, arena *memory)
{
    int32_t ends[2];
    int triangles = s->mesh->mesh.triangle_count, count = 0;
    for (int k = 0; k < 3 * triangles; k++) count += edge_on_line(s, k / 3, k % 3, ends);
    ARENA_TRY(memory, count, s->line->pieces);
    for (int k = 0; k < 3 * triangles; k++)
        if (edge_on_line(s, k / 3, k % 3, ends)) add_piece(s, ends);
    return DEW_OK;
}

/* --- the surface near them --- */

static dew_result find_middles(line_search *s, arena *memory)
{
    enum { AT_ONCE = 256 };
    const triangle_mesh *m = &s->mesh->mesh;
    real4 wall[AT_ONCE];
    ARENA_TRY(memory, m->triangle_count, s->middle, s->normal);
    for (int first = 0; first < m->triangle_count;) {
        int start = s->count, n = 0;
        real4 place[AT_ONCE];
        for (; first < m->triangle_count && n < AT_ONCE; first++) {
            if (s->mesh->part[first] != MESH_FREE) continue;
            const int32_t *t = m->triangles + 3 * (size_t)first;
            dew_vec3 x =
                vec3_scale(1.0 / 3, vec3_add(vec3_add(vertex_of(s, t[0]), vertex_of(s, t[1])), vertex_of(s, t[2])));
            dew_vec3 o = s->mesh->origin, normal = liquid_mesh_normal(s->mesh, first);
            double twice = vec3_length(normal);
            if (!(twice > 0)) continue;
            if (s->dimension == 2) x.z = 0, o.z = 0;
            place[n] = (real4){(real)(x.x + o.x), (real)(x.y + o.y), (real)(x.z + o.z), 0};
            s->middle[start + n] = (real4){(real)x.x, (real)x.y, (real)x.z, (real)(twice / 2)};
            s->normal[start + n++] = vec3_scale(1 / twice, normal);
        }
        s->solid(s->context, highest * s->spacing, n, place, wall);
        for (int i = 0; i < n; i++) {
            if (wall[i].w < bent * s->spacing || wall[i].w > highest * s->spacing) continue;
            s->middle[s->count] = s->middle[start + i], s->normal[s->count++] = s->normal[start + i];
        }
    }
    return point_grid_create(&s->grid, s->middle, s->count, near * s->spacing, memory);
}

/* --- the quadratic surface --- */

/* Height over a plane through the patch's middle: c0 + c1 u + c2 t + c3 u^2 + c4 u t + c5 t^2, u towards the solid and
 * t along the line, in spacings. Of a slab the terms in t are 0. */
typedef struct patch {
    int count;
    double area;
    dew_vec3 middle, normal, u, t;
    double c[UNKNOWNS];
} patch;

static dew_vec3 patch_centre(const line_search *s, const line_piece *p)
{
    return (dew_vec3){p->place.x, p->place.y, s->dimension == 2 ? 0 : p->place.z};
}

static void gather_patch(const line_search *s, const line_piece *piece, double reach, patch *p)
{
    dew_vec3 centre = patch_centre(s, piece);
    *p = (patch){0};
    POINTS_NEAR(&s->grid, s->middle, centre, reach, i)
    {
        real4 x = s->middle[i];
        p->count++, p->area += (double)x.w;
        p->middle = vec3_add(p->middle, vec3_scale((double)x.w, (dew_vec3){x.x, x.y, x.z}));
        p->normal = vec3_add(p->normal, vec3_scale((double)x.w, s->normal[i]));
    }
}

/* A place of the surface, against the patch's middle. */
static void add_place(least_squares *fit, const line_search *s, const patch *p, dew_vec3 place, double weight)
{
    dew_vec3 d = vec3_scale(1 / s->spacing, place);
    double u = vec3_dot(d, p->u), t = vec3_dot(d, p->t);
    const double row[UNKNOWNS] = {1, u, u * u, t, u * t, t * t};
    least_squares_add(fit, row, vec3_dot(d, p->normal), weight / p->area);
}

static least_squares fit_mesh(const line_search *s, const line_piece *piece, double reach, const patch *p)
{
    least_squares fit = {.unknowns = s->dimension == 2 ? 3 : UNKNOWNS};
    POINTS_NEAR(&s->grid, s->middle, patch_centre(s, piece), reach, i)
    {
        real4 x = s->middle[i];
        if (vec3_dot(s->normal[i], p->normal) < 0) continue; /* another sheet */
        add_place(&fit, s, p, vec3_sub((dew_vec3){x.x, x.y, x.z}, p->middle), (double)x.w);
    }
    return fit;
}

/* Along t = `t` down to the solid's plane: the place, and the surface's normal there. */
static bool draw_on(const line_search *s, const patch *p, const line_piece *piece, dew_vec3 *place, dew_vec3 *normal)
{
    double t = vec3_dot(vec3_sub(piece->place, p->middle), p->t) / s->spacing, u = 0, height = 0, slope = 0;
    for (int turn = 0; turn < 8; turn++) {
        height = p->c[0] + p->c[1] * u + p->c[2] * u * u + t * (p->c[3] + p->c[4] * u + p->c[5] * t);
        slope = p->c[1] + 2 * p->c[2] * u + p->c[4] * t;
        dew_vec3 off = vec3_add(vec3_add(vec3_scale(u, p->u), vec3_scale(t, p->t)), vec3_scale(height, p->normal));
        *place = vec3_add(p->middle, vec3_scale(s->spacing, off));
        double above = vec3_dot(vec3_sub(*place, piece->place), piece->normal) / s->spacing;
        double fall = vec3_dot(p->u, piece->normal) + slope * vec3_dot(p->normal, piece->normal);
        if (!(fall < -0.05)) return false;
        u -= above / fall;
    }
    double across = p->c[3] + p->c[4] * u + 2 * p->c[5] * t;
    *normal = vec3_normalise(vec3_sub(vec3_sub(p->normal, vec3_scale(slope, p->u)), vec3_scale(across, p->t)));
    return fabs(u) < 2 * far;
}

/* Fits the patch to the mesh and to the line, where that is if the surface arrives as the last turn has it; the line
 * counts as much as the surface between the patch's lower end and the solid would. */
static bool fit_line(const line_search *s, const line_piece *piece, double reach, patch *p, dew_vec3 *place,
                     double *cosine)
{
    const least_squares of_mesh = fit_mesh(s, piece, reach * s->spacing, p);
    double weight = bent * (s->dimension == 2 ? 1 : 2 * reach) * s->spacing * s->spacing;
    *cosine = 0;
    for (int turn = 0; turn < TURNS; turn++) {
        least_squares fit = of_mesh;
        double out = contact_line_bulge(acos(*cosine) * 180 / PI) * s->spacing;
        dew_vec3 line = vec3_sub(piece->place, vec3_scale(out, piece->out)), normal;
        if (s->dimension == 2) line.z = 0;
        add_place(&fit, s, p, vec3_sub(line, p->middle), weight);
        if (!least_squares_solve(&fit, p->c) || !draw_on(s, p, piece, place, &normal)) return false;
        *cosine = fmax(-1, fmin(1, vec3_dot(normal, piece->normal)));
    }
    return true;
}

static void fit_piece(const line_search *s, line_piece *piece)
{
    patch p = {0};
    double reach = near;
    for (; reach <= far; reach *= 1.5) {
        gather_patch(s, piece, reach * s->spacing, &p);
        bool is_below = vec3_dot(p.normal, piece->normal) < -0.3 * p.area;
        double least = (is_below ? enough_below : enough) * (s->dimension == 2 ? of_slab : 1);
        if (p.count >= FEWEST && p.area >= least * s->spacing * s->spacing) break;
    }
    if (reach > far) return;
    p.middle = vec3_scale(1 / p.area, p.middle), p.normal = vec3_normalise(p.normal);
    p.u = vec3_sub(vec3_scale(vec3_dot(piece->normal, p.normal), p.normal), piece->normal);
    if (!(vec3_length(p.u) > 0.05)) return;
    p.u = vec3_normalise(p.u), p.t = vec3_cross(p.normal, p.u);
    dew_vec3 place;
    double cosine;
    if (!fit_line(s, piece, reach, &p, &place, &cosine)) return;
    double shift = vec3_dot(vec3_sub(place, piece->place), piece->out), sine = sqrt(1 - cosine * cosine);
    /* A surface that leans so crosses the bend within its height over the tangent; one that runs on along the solid,
     * as under a drop that settles on what it does not wet, is another than the patch. */
    if (fabs(shift) > fmin(near, bent * (1 + fabs(cosine) / sine)) * s->spacing) return;
    piece->shift = shift, piece->angle = acos(cosine) * 180 / PI;
}

static void fit_pieces(int begin, int end, void *context)
{
    const line_search *s = context;
    for (int k = begin; k < end; k++) fit_piece(s, &s->line->pieces[k]);
}

/* --- the line drawn on --- */

/* The shifted line is longer or shorter than the mesh's where that is curved. */
static dew_result find_areas(const line_search *s, arena *memory)
{
    int first = s->mesh->line_vertex, count = s->mesh->mesh.vertex_count - first;
    ARENA_ARRAY_ZEROED(memory, count, dew_vec3, move);
    for (int k = 0; k < s->line->count; k++) {
        const line_piece *p = &s->line->pieces[k];
        for (int e = 0; e < 2; e++) {
            dew_vec3 *m = &move[p->ends[e] - first];
            *m = vec3_add(*m, vec3_scale(p->shift / 2, p->out));
        }
    }
    for (int k = 0; k < s->line->count; k++) {
        line_piece *p = &s->line->pieces[k];
        dew_vec3 along = vec3_cross(p->normal, p->out);
        dew_vec3 stretch = vec3_sub(move[p->ends[1] - first], move[p->ends[0] - first]);
        p->area = p->shift * (p->length + (s->dimension == 2 ? 0 : 0.5 * vec3_dot(stretch, along)));
    }
    return DEW_OK;
}

dew_result contact_line_find(const liquid_mesh *mesh, int dimension, double spacing, solid_distance_fcn *solid,
                             const void *context, arena *memory, contact_line *line)
{
    line_search s = {
        .mesh = mesh, .dimension = dimension, .spacing = spacing, .solid = solid, .context = context, .line = line};
    *line = (contact_line){0};
    RESULT_TRY(find_pieces(&s, memory));
    if (line->count == 0) return DEW_OK;
    RESULT_TRY(find_middles(&s, memory));
    parallel_for(line->count, 16, fit_pieces, &s);
    return find_areas(&s, memory);
}

double contact_line_excess(double angle)
{
    /* At multiples of 5 degrees up to 90; the same for 180 - angle. */
    static const double excess[] = {0,     0.079, 0.110, 0.125, 0.126, 0.119, 0.108, 0.095, 0.081, 0.069,
                                    0.054, 0.042, 0.032, 0.022, 0.014, 0.008, 0.004, 0.001, 0,     0};
    double at = fmin(angle, 180 - angle) / 5;
    if (!(at >= 0)) return 0;
    int k = (int)at;
    return excess[k] + (at - k) * (excess[k + 1] - excess[k]);
}

double contact_line_bulge(double angle)
{
    double cosine = cos(angle * PI / 180), sine = fmax(sqrt(1 - cosine * cosine), 0.05);
    return packed - cut * cosine / sine;
}
