#include "methods/mpm/any/walls.h"

#include "methods/mpm/any/mirror.h"

int solid_faces(const solids *s, int solid, real reach, real4 x, real4 side[MOST_WALLS])
{
    _Static_assert(MOST_WALLS == 1 + SOLID_FURTHER_FACES, "room for all faces");
    solids_distance(s, solid, (double)reach, 1, &x, &side[0]);
    return side[0].w < reach ? 1 + solids_further_faces(s, solid, (double)reach, x, side[0], side + 1) : 0;
}

void leave_walls(int begin, int end, void *context)
{
    fluid *f = context;
    for (int k = begin; k < end; k++) {
        const owner *o = &f->points.owners[k];
        for (int j = 0; j < o->wall_count && o->wall[j].seen.w < INFINITY; j++) {
            real4 *x = &f->a.x[o->slot], n;
            solids_distance(f->w->solids, o->wall[j].solid, (double)f->dx, 1, x, &n);
            real out = (real)1e-3 * f->dx - n.w;
            if (out > 0) x->x += out * n.x, x->y += out * n.y, x->z += out * n.z;
        }
    }
}

static void find_near(int begin, int end, void *context)
{
    enum { BLOCK = 64 };
    const fluid *f = context;
    real4 found[BLOCK], side[MOST_WALLS];
    int32_t which[BLOCK];
    double reach = (double)NEAR_REACH * f->g.dx;
    for (int first = begin; first < end; first += BLOCK) {
        int n = end - first < BLOCK ? end - first : BLOCK;
        solids_nearest(f->w->solids, reach, n, f->a.x + first, found, which);
        for (int i = 0; i < n; i++) {
            int walls = 0;
            for (int s = 0; s < solids_count(f->w->solids) && which[i] >= 0 && found[i].w < (real)reach; s++)
                walls += solid_faces(f->w->solids, s, (real)reach, f->a.x[first + i], side);
            f->near_count[first + i] = (uint8_t)(walls < MOST_WALLS ? walls : MOST_WALLS);
            real away = which[i] >= 0 ? 2 - found[i].w / (real)f->g.dx : 0;
            f->at_wall[first + i] = away > 0 ? away : 0;
        }
    }
}

dew_result walls_find(fluid *f)
{
    if (solids_count(f->w->solids) == 0) return DEW_OK;
    ARENA_TRY(f->g.memory, f->a.count, f->near_count, f->at_wall);
    parallel_for(f->a.count, 256, find_near, f);
    return DEW_OK;
}

/* How the surface of a wall is bent next to a point. */
typedef struct wall_bend {
    real curvature, share; /* of it: what is left where an edge is sharper than the mirror bears, per cell */
    real3 axis;            /* of a cylinder; 0 of a ball or a plane */
    bool is_wall;          /* the distance is that of the solid's surface, and there is no edge */
    bool is_edge;          /* it is that of an edge */
} wall_bend;

/* Turns by more than this in a cell are edges: beyond them there is no wall. */
#define EDGE_CURVATURE ((real)1)

/* Of the larger curvature: a surface that is bent less than that along the other is a cylinder. */
#define CYLINDER_BEND ((real)0.5)

/* The eigenvalue of the symmetric matrix (a b, b d) that is larger in size, and its vector (x, y) of length 1; returns
 * the other one. */
static inline real larger_bend(real a, real b, real d, real *larger, real *x, real *y)
{
    real mean = (a + d) / 2, off = (a - d) / 2, root = sqrt(off * off + b * b);
    *larger = mean < 0 ? mean - root : mean + root;
    real p = *larger - d, length = sqrt(p * p + b * b);
    *x = length > 0 ? p / length : 1, *y = length > 0 ? b / length : 0;
    return 2 * mean - *larger;
}

/* The foot of a point must lie on the solid: the distance of what others cut from a shape is that of a larger one where
 * the cut opens it, and in front of a pipe's mouth there is no wall. */
static wall_bend bend_of(const fluid *f, int solid, real4 x, real4 seen)
{
    enum { RING = 2 * (DIM - 1) };
    const real step = (real)(DIM == 3 ? 0.5 * f->w->spacing : 0.25 * f->g.dx), most = (real)MPM_MOST_BEND;
    wall_bend bend = {.share = 1};
    real3 n = real3_of(seen), below = real3_madd(real3_of(x), -seen.w, n);
    real3 u = DIM == 3 ? real3_perpendicular(n) : (real3){-n.y, n.x, 0}, v = real3_cross(n, u);
    real4 ring[RING + 1], at[RING + 1];
    for (int k = 0; k < RING; k++) ring[k] = real4_of(real3_madd(below, k % 2 ? -step : step, k < 2 ? u : v), 0);
    ring[RING] = real4_of(below, 0);
    solids_distance(f->w->solids, solid, INFINITY, RING + 1, ring, at);
    if (at[RING].w > (real)0.1 * f->dx) return bend;
    real unit = f->dx / (2 * step), k, other = 0;
    real3 by_u = real3_scale(unit, real3_sub(real3_of(at[0]), real3_of(at[1]))), by_v = {0, 0, 0};
    k = real3_dot(by_u, u);
    if (DIM == 3) {
        real along_u, along_v;
        by_v = real3_scale(unit, real3_sub(real3_of(at[RING - 2]), real3_of(at[RING - 1])));
        other =
            larger_bend(k, (real3_dot(by_u, v) + real3_dot(by_v, u)) / 2, real3_dot(by_v, v), &k, &along_u, &along_v);
        if (fabs(other) < CYLINDER_BEND * fabs(k))
            bend.axis = real3_sub(real3_scale(along_u, v), real3_scale(along_v, u)); /* across the larger one's */
        else
            k = (k + other) / 2;
    }
    bend.is_edge = k > EDGE_CURVATURE, bend.is_wall = !bend.is_edge;
    if (k < -EDGE_CURVATURE)
        return bend.axis = (real3){0, 0, 0}, bend; /* an inner edge, whose other side is a wall too */
    bend.share = k > most ? most / k : k > -most ? 1 : -most / k;
    bend.curvature = bend.share * k;
    return bend;
}

/* How many cells from the surface walls may turn velocities round, at least. Where a wall does so a contact line stands
 * still: with explicit viscosity, whose layers may be thin, a drop of 60 degrees stopped at 71 with 2. */
static int least_depth(const fluid *f) { return f->implicit.viscosity ? 2 : DEEP; }

/* What an emitter holds leaves the lid of its pipe behind, where more comes in: no wall to it, whose mirror would hold
 * it back. */
static bool leaves_lid(const held_layer *layer, real3 normal)
{
    return layer && layer->is_in_pipe && real3_dot(layer->velocity, normal) > (real)0.5 * real3_length(layer->velocity);
}

void see_walls(int begin, int end, void *context)
{
    const fluid *f = context;
    const int nearest = least_depth(f);
    for (int k = begin; k < end; k++) {
        owner *o = &f->points.owners[k];
        o->from = f->a.x[o->slot];
        if (!o->wall_count) continue;
        const int32_t cell = grid_cell(&f->g, real3_of(o->from));
        const int away = cell < 0 ? 0 : f->depth[cell]; /* cells */
        o->turn_share = 1;
        const held_layer *layer = world_held(f->w, o->slot);
        int count = 0;
        for (int s = 0; s < solids_count(f->w->solids); s++) {
            real4 side[MOST_WALLS];
            const int faces = solid_faces(f->w->solids, s, NEAR_REACH * f->dx, o->from, side);
            if (faces > 1) o->bend = (real)MPM_MOST_BEND;
            solid_info info = solids_info(f->w->solids, s, 0);
            const bool is_moving = solids_is_moving(f->w->solids, s);
            for (int q = 0; q < faces; q++) {
                wall_bend bend = bend_of(f, s, o->from, side[q]);
                /* It shares nodes with what both faces mirror into the solid, which goes as neither does. */
                if (bend.is_edge && side[q].w < f->dx) o->edge = s;
                if (!bend.is_wall || leaves_lid(layer, real3_of(side[q]))) continue;
                int at = count < o->wall_count ? count++ : count;
                for (; at > 0 && o->wall[at - 1].seen.w > side[q].w; at--)
                    if (at < o->wall_count) o->wall[at] = o->wall[at - 1];
                const bool is_sticky = f->walls_stick && away >= nearest && info.slip_length == 0;
                const real slip = (real)fmax(info.slip_length, away == 0 ? f->w->spacing : 0);
                if (at < o->wall_count)
                    o->wall[at] = (wall_seen){.seen = side[q],
                                              .solid = s,
                                              .friction = (real)info.friction,
                                              .slip_length = slip,
                                              .is_moving = is_moving,
                                              .is_sticky = is_sticky};
                if (at == 0) o->curvature = bend.curvature, o->axis = bend.axis, o->turn_share = bend.share;
            }
        }
        for (; count < o->wall_count; count++) o->wall[count] = (wall_seen){.seen = {0, 0, 0, INFINITY}};
        for (int j = 0; j < o->wall_count; j++) o->wall[j].seen.w /= (real)f->g.dx;
        o->bend = real_max(o->bend, fabs(o->curvature));
    }
}
