/* The pieces of a step. Order and reasons: flow.c. */
#ifndef METHODS_SPH_FLOW_H
#define METHODS_SPH_FLOW_H

#include "base/parallel.h"
#include "methods/sph/sph.h"
#include "particles/kernels.h"
#include "particles/pairs.h"
#include "solids/near_walls.h"

/* What is known of a block. WHOLE: a surface particle may be anywhere in its list, not only in front. */
enum { BLOCK_NEAR = 1, BLOCK_WHOLE = 2 };

/* What a step works on. Arrays by slot, from the arena unless said. */
typedef struct flow {
    sph_state *p;
    world *w;
    sph_arrays a;
    pair_lists lists;
    int count, blocks;
    real dt, sound, rho, gamma;
    real order;       /* speed of sound, less where the flow creeps: that by which particles are put in order */
    real delta;       /* diffusion of density over c H */
    bool is_implicit; /* pressure */
    bool is_creeping; /* and viscosity with it */
    bool is_open;     /* in the step before some liquid saw out */
    real4 *filled;    /* S H; w: c = sum V0 W, walls included */
    real *rate;       /* d(rho)/dt/rho, 1/s, by velocities */
    real *spread;     /* the same, by diffusion */
    real4 *force;     /* acceleration by pairs, m/s2; w: sum of weights of surface particles near */
    real4 *pull;      /* sums of `tension`, then acceleration by surface tension */
    /* Sum of the normals of surface particles near; w: of how far out they lie. After sph_find_depths: outward; w: |S|
     * H of a particle so deep, or -1 where that is not known. */
    real4 *facing;
    held_line held;   /* its line: NULL where no solid has hysteresis */
    real4 *mesh;      /* of the meshes' area, N, `tension: area`; else NULL */
    uint8_t *may_see; /* `tension: area`: who may lie on the mesh; else NULL */
    real4 *even;      /* of candidates for the surface: displacement that evens it out, m */
    real4 *shift;     /* displacement without velocity, m */
    uint8_t *is_near; /* of each block: has particles that the tension acts on; with BLOCK_WHOLE or without */
    near_walls near;  /* solids, and what else of them is near */
    /* The nearest solid of each particle: outward normal, w = distance; which, or -1. NULL without solids. */
    real4 *wall;
    int32_t *wall_solid;
    real4 *other; /* the second of `near` */
    int32_t *other_solid;
    real4 *bare;       /* `filled` by liquid alone, next to a solid */
    real *touch;       /* share of its pressure that the solid takes, see sph_touch */
    real4 *solid;      /* what solids add to `filled` */
    real4 *of_line;    /* acceleration by tension that the solid gives at its contact line; NULL: none is known */
    real4 *mended;     /* of `pull` what is sph_along_wall; NULL: nothing */
    real4 *solid_rest; /* acceleration by the weight of liquid in the solids' place; w: rate by the solids' motion */
    /* With a gas: its part of `filled`, which is the liquid's alone then; what diffuses across the interface; the
     * liquid's density over the gas's. NULL without. */
    real4 *gas;
    real *across;
    real lightness;
} flow;

/* From 0 to 1: whether a particle with the part c of its kernel filled by liquid has company enough to have a surface.
 * One alone has 0.12, one of a pair 0.2, the corner of a cube 0.4. */
static inline real sph_body(real c) { return real_min(real_max(5 * (c - (real)0.15), 0), 1); }

/* The share of viscosity that pairs at the surface have besides: a particle of a plane's first layer lacks a third of
 * the second moment, D - u D'/3 at u = s/2; its pairs count so much more, those of two of them twice. */
#define LACKING_VISCOSITY ((real)0.25)

/* --- flow.c --- */
/* Lists, bodies of liquid, memory, walls and the density pass: what each step begins with. */
dew_result sph_begin_step(flow *k, sph_state *p, world *w, double dt);

/* --- lists.c --- */
dew_result sph_update_lists(sph_state *p, world *w, double dt);

/* --- forces.c --- */
/* The force pass: `force`, and near the surface the sums `pull` and `facing`, from pressures and the curvature. */
void sph_sum_forces(flow *k);
/* Of [begin, end): `pull`, the acceleration by tension and what walls mend. */
void sph_find_pulls(int begin, int end, flow *k);

/* --- time_step.c --- */
/* Kinematic, that of the scheme included, m2/s. */
double sph_viscosity_of(const sph_state *p, const world *w);
double sph_order_speed(const sph_state *p, const world *w);

/* --- density.c --- */
/* `filled`, `rate`, `spread`. */
void sph_sum_density(flow *k);
/* Whether any particle saw out of the liquid in the step before. */
bool sph_is_open(const sph_state *p, const world *w);
/* Explicit, of [begin, end): the pressure at the step's end. */
parallel_fcn sph_advance_pressure;
/* The most that `delta` may be in steps of dt. */
double sph_most_delta(const sph_state *p, double dt);
/* What besides div v changes the pressure over the step: diffusion, drift, Pa. */
real sph_pressure_source(const flow *k, int i);
/* Particle i has this pressure at the step's end, and the density that belongs to it: less, where it is alone. Returns
 * what is left. */
real sph_set_pressure(flow *k, int i, real pressure);
/* In the density pass x.w is the density's part that diffuses times this, m2/s: the rate of a pair in units of its sum.
 */
static inline real sph_diffusion(const flow *k) { return k->delta * k->sound * k->p->support; }

/* --- walls.c --- */
/* Of a plane through the centre, weighted by the kernel, the root of the mean squared distance from there, over H:
 * sqrt(5/36). */
#define SPH_SIGHT 0.3727
dew_result sph_find_walls(flow *k);
/* Whether a solid is within the support of particle i. */
static inline bool sph_is_held(const flow *k, int i) { return k->wall && k->wall_solid[i] >= 0; }
/* The part of the kernel beyond the face of a half space u H away. */
static inline real sph_beyond(const flow *k, real u) { return wendland_layers(u, k->p->s / k->p->support); }
/* What solids leave of the kernel. */
static inline real sph_free(const flow *k, int i) { return real_max(1 - k->solid[i].w, (real)0.05); }
/* Next to a solid: the normal with which the surface meets it, and into filled[i] what tension and pressure take for
 * the liquid there. Where the liquid wets, it goes on within the solid behind the line of contact, and what lies before
 * that line presses no longer: solid[i] and solid_rest[i] lose that part. Where it repels, all of the solid counts; at
 * 180 degrees none. *filled: the filled part of what the solid leaves of the kernel. */
real3 sph_extend_liquid(flow *k, int i, real *filled);
/* From 0 to 1: how much the solid next to particle i counts for the liquid's surface; 0 far from any. */
real sph_wetted(const flow *k, int i);
/* How far liquid can be drawn: the work of cohesion 2 gamma, next to a solid that of adhesion gamma (1 + cos theta),
 * over a spacing. Beyond, it parts. */
real sph_least_pressure(const flow *k, int i);
/* From 0 to 1: whether the liquid that the particle is of touches the solid. One that repels wholly presses on nothing
 * across a gap; else the kernel sees it three spacings before it is there, and liquid rides on a cushion. */
real sph_touch(const flow *k, int i);
/* The share of a solid that presses, as sph_extend_liquid has it: the rate of density counts no more. */
real sph_pressed(const flow *k, int i);
/* The part of the kernel that the nearest face next to particle i has, half at most. */
real sph_part_of_wall(const flow *k, int i);
/* Acceleration by which the gradient of pressure along a solid is made whole. On a plane its sum over a body is zero.
 */
real3 sph_along_wall(const flow *k, int i);
/* What the solids next to particle i add to a gradient's acceleration (m/s2), as sph_along_wall says. */
real3 sph_mend_along_walls(const flow *k, int i, real3 gradient);
/* Acceleration by the wall's pressure, and by the friction under that. */
real3 sph_wall_pressure(const flow *k, int i);
real3 sph_wall_friction(const flow *k, int i, real3 pressure);
/* The same of what presses a particle in this step by a velocity, m/s. */
void sph_rub(flow *k, int i, int solid, real3 n, real pressed, solid_pushes *to);
/* The solids next to particle i have changed its velocity by `kick` (m/s) times its mass over the liquid's: they take
 * the impulse. */
void sph_push_solids(const flow *k, push_kind kind, int i, real3 kick, solid_pushes *to);
/* Ends velocities that would bring a particle into its solid in this step, before an implicit pressure answers them. */
solids_pass sph_stop_at_walls;
/* Moves particles out of solids. */
void sph_leave_walls(flow *k);
/* The cosine of a solid's contact angle. */
real sph_cosine(const flow *k, int solid);

/* --- shear.c --- */
/* What walls that hold take of the liquid's velocities in this step, when forces have changed them. */
dew_result sph_hold_at_walls(flow *k);

/* --- gas.c --- */
/* The part of the kernel that liquid and gas fill. */
static inline real sph_filled_by_fluid(const flow *k, int i) { return k->filled[i].w + (k->gas ? k->gas[i].w : 0); }
dew_result sph_check_gas(const sph_state *p, const world *w);
dew_result sph_open_gas(flow *k);
/* Before the density pass, and after it. */
void sph_mark_liquid(flow *k);
void sph_take_apart(flow *k);
/* After the curvature: `bare` is of both fluids. */
void sph_join_gas(flow *k);
static inline bool sph_is_gas(const flow *k, int i) { return k->gas && k->w->particles->material[i]; }
/* The mass of a particle over the liquid's. Accelerations by pairs and by tension are forces over the liquid's mass. */
static inline real sph_relative_mass(const flow *k, int i) { return sph_is_gas(k, i) ? 1 / k->lightness : 1; }
/* The share of the tension that particle i takes: 1 against empty space, 1/2 where the kernel is full. */
real sph_tension_share(const flow *k, int i);

/* --- shift.c --- */
/* S of both fluids with what solids add. */
static inline real3 sph_whole_gradient(const flow *k, int i)
{
    real3 s = real3_of(k->filled[i]);
    if (k->gas) s = real3_add(s, real3_of(k->gas[i]));
    return k->wall ? real3_add(s, real3_of(k->solid[i])) : s;
}
/* k->facing of [begin, end), from the sums of the force pass, before `pull` is more than such a sum. */
void sph_find_depths(int begin, int end, flow *k);
/* k->shift of [begin, end): by which particles keep their order. */
void sph_find_shifts(int begin, int end, flow *k);

/* --- curvature.c --- */
/* From `filled` to is_surface, normal, mean_curvature and tension (ghosts too), v.w = weight of surface particles. */
dew_result sph_find_curvature(flow *k);

/* --- area.c --- */
/* Whether particle i, by how steep its kernel's filled part is, may see out of the liquid; and of those which do, and
 * lie on the mesh. is_surface: who did; afterwards, who does. */
bool sph_may_see(const flow *k, int i);
dew_result sph_see_out(const flow *k, const uint8_t *may_see, uint8_t *is_surface);
/* k->mesh: the force of the local meshes' area. */
dew_result sph_find_area_tension(flow *k);

/* --- drops.c --- */
/* Which connected body of liquid each particle belongs to: a.drop, p->drop_count. */
dew_result sph_find_drops(sph_state *p, world *w);
/* Takes the net force of tension off each body that touches no wall: the sum over a closed surface is zero; off one on
 * a plane what is along it. What net force remains its solids give, and take the impulse. And from shifts what would
 * move its centre or turn it. */
dew_result sph_balance_tension(flow *k, parallel_fcn *before, solids_pass *after);
/* Pressures to start with: gamma kappa, plus the weight above where liquid stands on a solid. */
dew_result sph_start_pressure(flow *k);

#endif
