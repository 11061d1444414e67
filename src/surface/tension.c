/* Surface tension as a force: -gamma times the gradient of the local meshes' area (Xing et al. 2022, section 4.3, as an
 * energy rather than a constraint).
 *
 * Every triangle is met in the rings of its three corners, so a ring's triangles count a third. The area is taken
 * at p = x + lift n, and its gradient with n held fixed applied to x: the sum of forces is zero to rounding. With lift
 * s/2, as deep as centres lie, the mesh's area is the liquid's (a curvature factor would do neither).
 * Gradients are stored per ring member and gathered by each particle from the members that refer to it, in a fixed
 * order.
 *
 * At a contact line (an open ring with one gap next to a solid) the area's pull is kept from lifting the particle, and
 * each edge of the gap is drawn along the wall with gamma cos(theta) per length: Young's law, with no angle measured.
 */
#include "surface/tension.h"

#include "base/parallel.h"
#include "particles/ghosts.h"
#include "surface/ring_sums.h"

/* How far from a solid the contact line is, in spacings: the one where it repels by 120 degrees and more, as the
 * surface overhangs there and what is higher is not of the line, and the other where it wets. With 1, the layer next to
 * the solid, flat drops fray, with 1.5 everywhere lines that have come off in a corner do not come back. */
#define REPELLED_LINE_REACH ((real)1.5)
#define LINE_REACH ((real)2)

/* Normals that differ by less than 45 degrees are of one face. */
#define ONE_FACE ((real)0.7)

typedef struct area_pull {
    const area_tension *params;
    const rings *r;
    const particles *p;
    const real4 *position, *normal;
    /* Of the solids, at ghosts too, 0 where none is near; NULL: there are none. */
    real4 *wall[2], *meets[2];
    real4 *force;
    ring_sums pull; /* gradients of area, times one ring's share */
    uint8_t *is_contact_line;
} area_pull;

/* The solids, two at most, whose contact line particle i may be on: outward normals, those that strips meet, cosines.
 */
typedef struct near_solids {
    int count;
    real3 normal[2], meets[2];
    real cosine[2], drawn[2], height[2];
} near_solids;

/* The entries of solid k's arrays that particle i finds there. */
static void add_near(const area_tension *a, int k, int i, near_solids *to)
{
    real4 wall = (k ? a->other_wall : a->wall)[i];
    const real4 *meets = k ? a->other_meets : a->meets;
    real cosine = (k ? a->other_cosine : a->cosine)[i];
    const real *drawn = k ? a->other_drawn : a->drawn;
    real wets = real_min(real_max(1 + 2 * cosine, 0), 1);
    real reach = REPELLED_LINE_REACH + wets * (LINE_REACH - REPELLED_LINE_REACH);
    if (!(cosine < NO_SOLID && wall.w < reach * a->spacing)) return;
    int n = to->count++;
    to->normal[n] = real3_of(wall), to->meets[n] = meets ? real3_of(meets[i]) : to->normal[n];
    to->cosine[n] = cosine, to->drawn[n] = drawn ? drawn[i] : cosine, to->height[n] = wall.w;
}

static near_solids solids_at(const area_pull *t, int i)
{
    near_solids near = {.count = 0};
    if (t->params->wall) add_near(t->params, 0, i, &near);
    if (t->params->other_wall) add_near(t->params, 1, i, &near);
    return near;
}

/* The way from a particle of the line to where the line is on its wall: half a spacing, as the first layer lies. */
static real3 towards_wall(const area_pull *t, real4 wall)
{
    return real3_scale(-real_min(wall.w, t->params->spacing / 2), real3_of(wall));
}

/* Of an edge of the mesh what it is on a solid: along the line, the normal there, that which the strip meets, and how
 * high above the solid the mesh has it. */
typedef struct wall_edge {
    real3 line, normal, meets;
    real height;
} wall_edge;

/* The edge from i to j on the k-th solid near i, normals the means of both ends: of a tube's line that is longer than
 * the edge, of a rod's shorter. Where j has no such face it goes on as a plane. */
static wall_edge edge_at_wall(const area_pull *t, int i, int j, real3 edge, const near_solids *near, int k)
{
    real3 normal = near->normal[k], ends = real3_add(real3_of(t->normal[i]), real3_of(t->normal[j]));
    real lifted = t->params->lift / 2 * real3_dot(ends, normal);
    for (int own = 0; own < 2 && t->wall[own]; own++) {
        real4 first = t->wall[own][i];
        if (real3_dot(real3_of(first), normal) < 1 - (real)1e-6) continue;
        for (int a = 0; a < 2 && t->wall[a]; a++) {
            real4 second = t->wall[a][j];
            if (real3_dot(real3_of(second), normal) < ONE_FACE) continue;
            real3 meets = real3_add(near->meets[k], real3_of(t->meets[a][j]));
            return (wall_edge){real3_add(edge, real3_sub(towards_wall(t, second), towards_wall(t, first))),
                               real3_normalise(real3_add(real3_of(first), real3_of(second))), real3_normalise(meets),
                               real_max((first.w + second.w) / 2 + lifted, 0)};
        }
    }
    return (wall_edge){edge, normal, near->meets[k], real_max(near->height[k] + lifted, 0)};
}

/* A triangle is met in three rings; of edges in the plane rings count half already. */
static real share_of(const area_pull *t) { return t->params->surface_tension / (t->params->is_flat ? 1 : 3); }

static real relative_of(const area_pull *t, int i) { return t->params->relative ? t->params->relative[i] : 1; }

/* A pull (in units of `pull`) goes from i's corner of the mesh to that of j, or is one pull more on i than solids know
 * and one less on j. */
static void note_moment(const area_pull *t, int i, int j, real3 pull)
{
    if (!t->params->moment) return;
    real lift = t->params->lift;
    real3 from = real3_madd(real3_of(t->position[i]), lift, real3_of(t->normal[i]));
    real3 to = real3_madd(real3_of(t->position[j]), lift, real3_of(t->normal[j]));
    real3 moment = real3_cross(real3_sub(to, from), real3_scale(-share_of(t), pull));
    real4_add(&t->params->moment[i], moment);
}

/* Between the gap's edge, from the centre to a member, and the wall there is a strip of surface that no ring has. Where
 * it goes on straight at the contact angle its energy and that of what it wets are gamma (h sin(theta) - x cos(theta))
 * a length, h the height of the edge above the wall and x its place along it: Young's pull along the wall, across the
 * edge, towards the vapour, which is where the normals point (the mesh overhangs where the solid repels, so its corners
 * do not tell), what the wall's side of the surface pulls down, and along the edge a tension of gamma h sin(theta),
 * which draws together what is wetted by h sin(theta)/a of the cosine, a its radius. It is left out in corners,
 * where lines turn from wall to wall and liquid stirs with it. In a corner each wall has the part of the edge that is
 * along it, less where the edge goes back: a zigzag along one wall else is drawn to the other by all its teeth. As a
 * gradient of energy over gamma, in the units of `pull`. `side`: 1 where the gap is to the right of the edge, looked at
 * from outside; -1 to the left. */
static void pull_edge(area_pull *t, int ring, int member, real side, const near_solids *near)
{
    int i = t->r->list[ring], j = t->r->member[member];
    real3 edge = real3_sub(real3_of(t->position[j]), real3_of(t->position[i])), share = {0, 0, 0}, together = share;
    for (int k = 0; k < near->count; k++) {
        wall_edge at = edge_at_wall(t, i, j, edge, near, k);
        real3 m = real3_cross(edge, near->normal[k]);
        real3 along_wall = real3_cross(at.line, at.normal), drawn = real3_cross(at.line, at.meets);
        if (real3_dot(m, real3_add(real3_of(t->normal[i]), real3_of(t->normal[j]))) < 0)
            m = real3_scale(-1, m), along_wall = real3_scale(-1, along_wall), drawn = real3_scale(-1, drawn);
        real length = real3_length(m), part = 1;
        if (near->count > 1 && length > 0) {
            real3 out = real3_scale(side, real3_cross(edge, real3_of(t->normal[i])));
            real tilt = real3_dot(real3_of(t->normal[i]), near->normal[k]);
            part = -real3_dot(out, near->normal[k]) / (length * sqrt(real_max(1 - tilt * tilt, (real)0.01)));
            part = real_min(real_max(part, -1), 1);
        }
        real sine = sqrt(real_max(1 - near->drawn[k] * near->drawn[k], 0));
        if (k == 0 && t->params->line) real4_add(&t->params->line[i], real3_scale(part / 2, along_wall));
        share = real3_madd(share, (real)-0.75 * part * near->drawn[k], drawn);
        share = real3_madd(share, (real)0.75 * part * sine * length, at.meets);
        if (!t->params->draws_lines_together || near->count > 1) continue;
        real3 along = real3_normalise(real3_across(at.line, at.normal));
        together = real3_madd(together, (real)1.5 * sine * at.height, along);
    }
    share = real3_scale(relative_of(t, i), share), together = real3_scale(relative_of(t, i), together);
    note_moment(t, i, j, real3_add(share, together));
    real4 *own = &t->pull.centre[ring];
    real3 before = real3_of(*own);
    real4_add(&t->pull.member[member], share);
    real4_add(own, share);
    if (t->params->of_wall) real4_add(&t->params->of_wall[i], real3_scale(2, real3_sub(real3_of(*own), before)));
    real4_add(&t->pull.member[member], together);
    real4_add(own, real3_scale(-1, together));
}

/* In the plane the line is a point, the end of an edge, and the strip goes on from it: all of its pull is the ring's
 * own particle's. In a corner the nearest wall has it. */
static void pull_end(area_pull *t, int ring, const near_solids *near)
{
    int i = t->r->list[ring], j = t->r->member[t->r->begin[ring]];
    real3 n = near->normal[0], out = real3_across(real3_add(real3_of(t->normal[i]), real3_of(t->normal[j])), n);
    real sine = sqrt(real_max(1 - near->drawn[0] * near->drawn[0], 0));
    real3 along_wall = real3_normalise(out), drawn = real3_cross(real3_cross(n, along_wall), near->meets[0]);
    real3 share = real3_madd(real3_scale(sine, near->meets[0]), -near->drawn[0], drawn);
    share = real3_scale(relative_of(t, i), share);
    if (t->params->line) real4_add(&t->params->line[i], along_wall);
    real4_add(&t->pull.centre[ring], share);
    if (t->params->of_wall) real4_add(&t->params->of_wall[i], share);
}

/* The force acts on centres that move less than the surface above them, by (n - 1) s/(2R) in mode n of a drop, so it
 * would do too little work: each ring pulls stronger by 1 + H s/2, which mends n = 2 and half of n = 3. A ring's pulls
 * sum to zero with any factor. Where the force is spread none is needed. H, the mean curvature, is the ring's own:
 * dA/dp_i . n = 2 H A_i. */
static void strengthen_ring(area_pull *t, int ring, real area)
{
    real curvature =
        real3_dot(real3_of(t->pull.centre[ring]), real3_of(t->normal[t->r->list[ring]])) * (real)1.5 / area;
    ring_sums_scale(&t->pull, ring, 1 + fmin(fmax(curvature * t->params->spacing / 2, (real)-0.3), (real)0.3));
}

static void pull_rings(int begin, int end, void *context)
{
    area_pull *t = context;
    const rings *r = t->r;
    for (int ring = begin; ring < end; ring++) {
        int first = r->begin[ring], behind = r->begin[ring + 1];
        real area =
            (t->params->is_flat ? ring_length : ring_area)(&t->pull, ring, t->position, t->normal, t->params->lift);
        if (!t->params->is_spread && !r->gaps[ring] && area > 0) strengthen_ring(t, ring, area);
        if (t->params->relative) ring_sums_scale(&t->pull, ring, relative_of(t, r->list[ring]));
        near_solids near = solids_at(t, r->list[ring]);
        /* In a corner a ring may be one triangle. */
        int least = t->params->is_flat ? 1 : near.count > 1 ? 2 : 3;
        t->is_contact_line[ring] = r->gaps[ring] == 1 && near.count > 0 && behind - first >= least;
        if (!t->is_contact_line[ring]) continue;
        if (t->params->is_flat) {
            pull_end(t, ring, &near);
            continue;
        }
        /* The gap lies before the first member and behind the last. */
        if (r->has_triangle[first]) pull_edge(t, ring, first, 1, &near);
        if (r->has_triangle[behind - 2]) pull_edge(t, ring, behind - 1, -1, &near);
    }
}

/* The wall's say in a surface particle's force. A contact-line particle is not lifted by the mesh: the wall holds it.
 * Where a liquid that wets overhangs the wall by less than the particles resolve, the gap closes: its faces' energy
 * gamma (1 + cos(theta)) per area is had over a distance of s, or tips of flat drops would curl up and be thrown off.
 */
static real3 hold_at_wall(const area_pull *t, int i, real3 f, real3 wall, real cosine)
{
    const area_tension *a = t->params;
    real3 held = real3_madd(f, -fmax(real3_dot(f, wall), (real)0), wall);
    if (t->is_contact_line[t->pull.ring_of[i]]) return held;
    real facing = -real3_dot(real3_of(t->normal[i]), wall);
    if (facing <= 0 || cosine <= 0) return f;
    real weight = fmin(2 * cosine, (real)1), wide = a->is_flat ? 1 : a->spacing;
    real pull = facing * (1 + cosine) * a->surface_tension * relative_of(t, i) * wide;
    return real3_add(real3_scale(1 - weight, f), real3_scale(weight, real3_madd(held, -pull, wall)));
}

/* Nothing draws a contact line along itself where the tension is the same all over. What the mesh's unevenness does
 * there had particles run along the line for ever, as neither the mesh nor pressure holds them: the solid takes it. */
static real3 take_along_line(const area_pull *t, int i, real3 f, real3 wall)
{
    if (t->params->is_flat) return f;
    return real3_across(f, real3_normalise(real3_cross(real3_of(t->normal[i]), wall)));
}

static void finish(int begin, int end, void *context)
{
    area_pull *t = context;
    for (int i = begin; i < end; i++) {
        real3 f = real3_scale(-share_of(t), real3_of(t->force[i]));
        near_solids near = t->pull.ring_of[i] >= 0 ? solids_at(t, i) : (near_solids){.count = 0};
        for (int k = 0; k < near.count; k++) f = hold_at_wall(t, i, f, near.normal[k], near.cosine[k]);
        if (near.count == 1 && t->is_contact_line[t->pull.ring_of[i]]) f = take_along_line(t, i, f, near.normal[0]);
        t->force[i] = real4_of(f, 0);
    }
}

/* What solids give: what the edges of gaps have got, and what `finish` makes of the rest. Before and after that. */
static void take_mesh_force(int begin, int end, void *context)
{
    const area_pull *t = context;
    for (int i = begin; i < end; i++) {
        real3 pull = real3_sub(real3_of(t->params->of_wall[i]), real3_of(t->force[i]));
        pull = real3_scale(t->pull.ring_of[i] < 0 ? 0 : -share_of(t), pull);
        t->params->of_wall[i] = real4_of(pull, 0);
    }
}

static void add_whole_force(int begin, int end, void *context)
{
    const area_pull *t = context;
    for (int i = begin; i < end; i++)
        if (t->pull.ring_of[i] >= 0) real4_add(&t->params->of_wall[i], real3_of(t->force[i]));
}

/* What of the force comes of the mesh's unevenness and would stir the skin: on a closed ring all that is tangential.
 * Each such particle hands it on to its ring in equal shares, so that the noise averages out and the sum of forces
 * stays. */
static void take_tangential(int begin, int end, void *context)
{
    area_pull *t = context;
    for (int ring = begin; ring < end; ring++) {
        int i = t->r->list[ring], first = t->r->begin[ring], behind = t->r->begin[ring + 1];
        real3 tangential = {0, 0, 0};
        if (!t->r->gaps[ring]) tangential = real3_across(real3_of(t->force[i]), real3_of(t->normal[i]));
        t->pull.centre[ring] = real4_of(real3_scale(-1, tangential), 0);
        real3 share = real3_scale(behind > first ? 1 / (real)(behind - first) : 0, tangential);
        for (int m = first; m < behind; m++) {
            t->pull.member[m] = real4_of(share, 0);
            if (!t->r->gaps[ring]) note_moment(t, i, t->r->member[m], share);
        }
    }
}

/* The entries next to solids, at ghosts too. */
static dew_result copy_vectors(const area_pull *t, const real4 *of, const real *cosine, arena *memory, real4 **copy)
{
    const particles *p = t->p;
    ARENA_TRY(memory, p->end, *copy);
    for (int i = 0; i < p->count; i++) (*copy)[i] = cosine[i] < NO_SOLID ? of[i] : (real4){0, 0, 0, 0};
    ghosts_copy_vectors(p, *copy);
    return DEW_OK;
}

static dew_result copy_walls(area_pull *t, int k, arena *memory)
{
    const area_tension *a = t->params;
    const real4 *wall = k ? a->other_wall : a->wall, *meets = k ? a->other_meets : a->meets;
    const real *cosine = k ? a->other_cosine : a->cosine;
    if (!wall) return DEW_OK;
    RESULT_TRY(copy_vectors(t, wall, cosine, memory, &t->wall[k]));
    t->meets[k] = t->wall[k];
    return meets ? copy_vectors(t, meets, cosine, memory, &t->meets[k]) : DEW_OK;
}

dew_result surface_area_force(const area_tension *params, const rings *r, const particles *p, const real4 *position,
                              const real4 *normal, arena *memory, real4 *force)
{
    area_pull t = {.params = params, .r = r, .p = p, .position = position, .normal = normal, .force = force};
    RESULT_TRY(ring_sums_open(&t.pull, r, p, memory));
    for (int k = 0; k < 2; k++) RESULT_TRY(copy_walls(&t, k, memory));
    ARENA_TRY(memory, r->count, t.is_contact_line);
    parallel_for(r->count, 256, pull_rings, &t);
    ring_sums_gather(&t.pull, false, force);
    for (int round = 0; round < params->rounds; round++) {
        parallel_for(r->count, 256, take_tangential, &t);
        ring_sums_gather(&t.pull, true, force);
    }
    if (params->of_wall) parallel_for(p->count, 4096, take_mesh_force, &t);
    parallel_for(p->count, 4096, finish, &t);
    if (params->of_wall) parallel_for(p->count, 4096, add_whole_force, &t);
    return DEW_OK;
}
