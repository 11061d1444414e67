/* Liquid that keeps its density by velocities without divergence, and has the area of its surface for energy: what the
 * methods mps, ddr and pbf have in common. Not a method: they call these parts in their steps.
 *
 * Symbols: s particle spacing, h reach of the kernels, q = r/h, w = max(0, 1 - q); n = sum w^2 particle number density,
 * F = sum w e_ij, e_ij = (x_i - x_j)/r. README.md tells what the parts are and who calls them. */
#ifndef METHODS_FLOW_FLOW_H
#define METHODS_FLOW_FLOW_H

#include "base/parallel.h"
#include "methods/flow/mirrors.h"
#include "methods/method.h"
#include "particles/pairs.h"
#include "solids/contact.h"
#include "solids/fractions.h"
#include "solids/held_line.h"
#include "solids/near_walls.h"
#include "solids/shear.h"
#include "solids/wetting.h"
#include "surface/line.h"
#include "surface/surface.h"

enum { FLOW_GRAIN = 32, FLOW_MISSING_STEPS = 256, FLOW_MOST_LIQUIDS = 4 };

/* h in spacings (r_e of the paper). */
#define FLOW_REACH 3.1

/* Numbers that follow from the dimension alone. */
typedef struct flow_constants {
    real n0;       /* n of liquid at rest, a particle itself left out */
    real gradient; /* c = D/(sum of w r), 1/m: grad p = -c sum (p_i + p_j) w e_ij, div v = c sum w e_ij . (v_i - v_j) */
    real laplacian;    /* 2 D/(m h^2), m = sum of w q: lap p = sum (w/q) (p_j - p_i) of it, 1/m2 */
    real full, slope0; /* of all space, at a plane through the particle: n, and minus its derivative by u = d/h */
} flow_constants;

typedef struct flow_state {
    double cfl;           /* spacings that the fastest particle goes in a step */
    double capillary;     /* step over sqrt(rho s^3/(2 pi gamma)) */
    double own_viscosity; /* the least kinematic viscosity, in sqrt(gamma s/rho) */
    real s, h;
    /* Of liquid that moves evenly along a wall that holds it: the shear on it over mu times its velocity, 1/m, that the
     * first layer takes and that all do. */
    real first_shear, all_shear;
    real stop[FLOW_MOST_LIQUIDS]; /* no centre of the liquid comes nearer to a solid, m */
    real sight;                   /* of near_walls_find, m; 0: not asked for */
    flow_constants c;
    /* Indices of fields. */
    int change, lean, is_surface, density, solver_pressure, pressure, normal, unrest, wall_time, hold, went;
    bool is_area;  /* tension by the surface's area and pressure by the exact projection: all of this room */
    bool is_solid; /* nothing parts or meets: pressure of either sign everywhere */
    fractions *fractions;
    half_space crowd;                      /* of w^2 */
    half_space spline;                     /* of the cubic spline, over its sum over the lattice */
    real kernel;                           /* one over the cubic spline's sum over the lattice */
    real filled[HALF_SPACE_STEPS + 2];     /* n of a solid, by its distance over h */
    real slope[HALF_SPACE_STEPS + 2];      /* minus its derivative */
    real image_bend[HALF_SPACE_STEPS + 2]; /* images.c: by how much more a solid's images are, by its mean curvature */
    real missing[FLOW_MISSING_STEPS +
                 2]; /* by |F| over that of a plane through the particle: the part of all space that is air */
    real growth[FLOW_MISSING_STEPS + 2]; /* likewise, n0 times the derivative of `missing` by |F| */
    real air[FLOW_MISSING_STEPS + 2];    /* likewise, the sum of w/q over what is air */
    real interface;  /* m: one over the integral across of |g|^2 of a flat interface, |g| as in interface.c */
    real sharpening; /* b of interface.c, 1 */
    line_table line_table;
    double viscous;                        /* sigma = viscous nu, 1/m2 */
    shear_table shear_table, across_table; /* of walls' shear, and across them */
    int iterations, viscous_iterations;    /* of the last solutions for pressures and for velocities */
} flow_state;

/* What a step works on. Arrays by slot, from the arena unless said. */
typedef struct flow_step {
    flow_state *p;
    world *w;
    particles *all;
    pair_lists lists;
    int count, blocks;
    real dt, h, inv_h;
    real calm_dt;   /* the longest step if nothing moved, s */
    real4 *x, *v;   /* fields: place, w: what a pass needs of j; velocity */
    real4 *change;  /* field: what is made of the velocities, m/s */
    real4 *lean;    /* field: p g; w: p, of the pressure that acts */
    real4 *grow;    /* g = n0 dD/dF, how the part of air grows with F; w: n0 D */
    real *pressure; /* field: p, Pa */
    uint8_t *is_surface;
    real4 *facing; /* F = sum of w e_ij, solids included; w: n, solids included */
    real4 *force;  /* of the potential, m/s2; w: the virial of all pairs' forces, Pa */
    real *air;     /* sum of w/q over what is air */
    real *images;  /* sum of w^2 over images in solids near, NEAR_WALLS for each; NULL: there are none */
    real *target;  /* n that is not to be exceeded, or inside of the liquid kept */
    near_walls near;
    mirrors mirrors;
    real4 *fit[3];       /* M by rows */
    real4 *bend[6];      /* B by columns: xx, yy, zz, yz, zx, xy; NULL where there is none */
    real *two_faced;     /* by how much the surface around faces two ways, 0 to 1 (film.c) */
    real4 *across;       /* A^-1 n: what tells the derivative across the surface (fit.c) */
    uint16_t *weight[4]; /* of pairs, in the layout of the lists: a_ij, f */
    uint16_t *other[3];  /* likewise, -a_ji */
    real4 *normal;       /* field: out of the liquid */
    rings rings;
    real *depth;         /* of surface particles below the surface, m */
    real4 *mesh;         /* where the mesh's corners lie, less half a spacing along the normal */
    real *follow;        /* by how much shifts follow the strain of the step, 1 */
    real *around;        /* by area: mean of the last step's pressures around, Pa; 0: there was none */
    real4 *shift;        /* of places alone, m; NULL where there is none */
    const real4 *pushed; /* of it what pairs give each other, over h */
    real4 *moment;       /* by area, or NULL: what passes have left of angular momentum, over mass, m2/s */
    real *ease;          /* by area, of several liquids, else NULL: dt/rho, at ghosts too, m3 s/kg */
    real4 *own;          /* by area: sum a_ij; w: sum dt/rho f */
    real4 *swirl;        /* by area: sum x_ij x a_ij, m: what pressure turns pairs by; w: sum of dt/rho_j a_ij^2 */
    real4 *arm;          /* where forces at the surface act, from the centre, m */
    real pace;           /* dt over the time in which forces move liquid by a part of a spacing */
    real creeping;       /* of that time the part which is viscosity's */
    uint8_t *is_held;    /* by emitters, or NULL */
    real *piston;        /* the same as 0 and 1, at ghosts too */
    real4 *borne;        /* of what is held: what forces gave it, which its emitter bears, m/s */
    real4 *went;         /* field: in the last step, with shifts and all that makes no velocity, m/s */
    real4 *line; /* NULL, or what of the contact line a particle has, out of the liquid, m; w: its friction, N s/m2 */
    held_line held;  /* its line: NULL where no solid has hysteresis */
    uint8_t *unrest; /* field: steps in which one that came to the surface or left it is calmed */
    real *wall_time; /* field: for how long it has been of the layer next to a solid, s */
    real4 *beyond;   /* of F what solids add */
    real4 *pressed;  /* NULL where no solid rubs; what the pressures of solids have given in this step, m/s */
    real4 *wall;     /* S of all solids near (by area: fit.c); w: c times twice the sum of S . v of the solids, 1/s */
} flow_step;

static inline const dew_material_def *flow_material(const flow_step *k, int i)
{
    return &k->w->materials[k->all->material[i]];
}
static inline liquids_there flow_liquids(const flow_step *k)
{
    return (liquids_there){k->w->materials, k->all->material};
}
static inline real flow_stop(const flow_step *k, int i) { return k->p->stop[k->all->material[i]]; }
static inline real flow_density(const flow_step *k, int i) { return (real)flow_material(k, i)->density; }

/* Behind a block's last particle. */
static inline int flow_end_of(const flow_step *k, int block)
{
    return PAIR_I * (block + 1) < k->count ? PAIR_I * (block + 1) : k->count;
}

/* Where the weights of the pairs at the cursor are. */
static inline size_t flow_at_pair(const flow_step *k, int block, pair_cursor j)
{
    return 4 * (size_t)(j.at - k->lists.entries) + (size_t)(PAIR_I * block % 4);
}

/* dt/rho */
static inline real flow_ease(const flow_step *k, int i) { return k->dt / flow_density(k, i); }

/* The same of a pair of two liquids: that of the heavier one, nearly. By the mean a gas would carry its own pressure
 * over to the liquid. */
static inline vreal flow_ease_of_pair(vreal a, vreal b) { return 2 * a * b / (a + b); }

static inline real flow_mass(const flow_step *k, int i) { return (real)k->w->particle_mass[k->all->material[i]]; }

/* --- tables.c --- */
/* What follows from the spacing and the dimension: constants and tables. The rest of the state is set before. */
dew_result flow_make(flow_state *p, const world *w);

/* --- time_step.c --- */
/* Of a material: kinematic, m2/s, with what calms the particles. */
double flow_viscosity(const flow_state *p, const world *w, int material);
/* The most that the calming adds to a material's, m2/s. */
double flow_added_viscosity(const flow_state *p, const world *w);
/* The material of the least viscosity: of several liquids it is the one that forces move first, and what a whole step
 * goes by is its. */
int flow_thinnest(const world *w);
/* The longest step, s; sets w->limit. */
double flow_max_time_step(const flow_state *p, world *w);
/* In which the shortest capillary waves, or what viscosity holds, go by a spacing, s. */
double flow_capillary_time(const world *w);
/* The longest by the last step's pressure, s. */
double flow_pressing_step(const flow_state *p, const world *w);

/* --- flow.c --- */
/* Lists that hold through the step, for every pair within h from both sides. */
dew_result flow_update_lists(world *w, real h, double dt);
/* Opens a step on lists that hold. */
dew_result flow_open(flow_state *p, world *w, double dt, flow_step *k);
/* What comes before the forces: density, what is held, the surface. */
dew_result flow_begin(flow_step *k);
/* Weight, the last step's pressure, tension. */
dew_result flow_force(flow_step *k);

/* --- touch.c --- */
/* How wet the solids near are: k->near.wet. */
dew_result flow_find_touch(flow_step *k);
/* That of the wettest near particle i. */
static inline real flow_touch(const flow_step *k, int i)
{
    real most = 0;
    for (int at = NEAR_WALLS * i; at < NEAR_WALLS * (i + 1) && k->near.wall && k->near.solid[at] >= 0; at++)
        most = real_max(most, near_walls_wet(&k->near, at));
    return most;
}

/* What walls hold is held where they are wet. */
dew_result flow_touch_shear(flow_step *k, shear *s);

/* --- images.c --- */
void flow_make_images(flow_state *p, int dimension);
dew_result flow_find_images(flow_step *k);
/* What images of the liquid itself give n in the a-th solid near particle i, over what liquid at rest gives. */
real flow_image_share(const flow_step *k, const walls_here *here, int i, int a);
/* How far the solid has images: all the way but where it is hollow and narrow, as a tube is. */
real flow_image_room(const flow_step *k, int i, int a);

/* --- density.c --- */
/* Finds F, n, and the targets. */
dew_result flow_find_density(flow_step *k);
/* Who is on the surface, by |F| alone: for steps that have no mesh. Where there is one flow_begin tells, by who was. */
void flow_mark_surface(flow_step *k);
/* How far particle i is from air: 1 as far as what lacks of F may be what arrangements of particles make, 0 where it is
 * half of what a plane through the particle makes. By `facing`. */
static inline real flow_inside(const flow_step *k, int i)
{
    real facing = real3_length(real3_of(k->facing[i])) / (k->p->c.slope0 / 2);
    return real_min(real_max(((real)0.5 - facing) / (real)0.3, 0), 1);
}
/* The change of D by F, along it. */
real3 flow_growth(const flow_state *p, real3 facing);
/* 1/(1 + H d) at the distance d from the a-th solid near particle i, H its mean curvature. */
real flow_spread(const flow_step *k, int i, int a);
/* S of that solid, full of liquid: of F what acts. */
real3 flow_wall_slope(const flow_step *k, const walls_here *here, int i, int a);
/* Adds a part of that solid's S to k->wall. */
void flow_add_slope(flow_step *k, int i, int a, real3 slope);
/* Gives particle i an impulse by the solids near it, by their normals. */
void flow_push_walls(const flow_step *k, int i, push_kind kind, real3 impulse, solid_pushes *to);
/* The same of pressure, which friction answers. */
void flow_press_walls(flow_step *k, int i, real3 impulse, solid_pushes *to);

/* --- film.c --- */
/* What n is to be where the surface, as it was in the last step, faces two ways; the last of density.c. */
dew_result flow_find_films(flow_step *k);
/* 1 where the surface around particle i faces one way, 0 in a film: where a tenth of it faces the other. */
static inline real flow_one_faced(const flow_step *k, int i) { return 1 - real_min(10 * k->two_faced[i], 1); }

/* --- surface.c --- */
dew_result flow_find_surface(flow_step *k);
dew_result flow_tension(flow_step *k);

/* --- interface.c --- */
/* Adds dt times the accelerations of the tensions between liquids to the velocities; after flow_fit. */
dew_result flow_interfaces(flow_step *k);

/* --- depth.c --- */
dew_result flow_find_depth(flow_step *k);
/* How much of the kernel the wettest solid near takes, over that of the first layer. */
real flow_lies_on_solid(const flow_step *k, int i);

/* --- hold.c --- */
/* Changes the cosines by where the contact line is held. */
dew_result flow_hold_line(flow_step *k, line_faces *faces);

/* --- mirrors.c --- */
/* k->mirrors, and of S what has no images. */
dew_result flow_find_mirrors(flow_step *k);
/* Adds to S what images of pairs are of it, for the first `count` faces of a block's particles. */
void flow_add_image_slopes(flow_step *k, int block, int count, const vreal slope[NEAR_WALLS]);

/* --- fit.c --- */
/* Weights of pairs and M, for all that follows in the step. */
dew_result flow_fit(flow_step *k);

/* Of a pair d/h apart: f, w_ij and V, and S of the faces of i's block, to which images add; slope: NULL, where only
 * w_ij is asked for. */
static inline pair_images flow_weigh_pair(const flow_step *k, const block_mirrors *own, pair_cursor j, vreal4 d,
                                          vreal *f, vreal *slope)
{
    vreal none = vset(0), q2 = vdot3(d, d);
    *f = vselect(q2 > 0, flow_laplacian_weight(vrsqrt(q2 + (real)1e-12)), none);
    pair_images w = {{*f * d.x, *f * d.y, *f * d.z, none}, {none, none, none, none}};
    if (own->count > 0) add_pair_images(&k->mirrors, own, j, q2, d, &w, slope);
    return w;
}

/* The six products of two of d's components. */
static inline void flow_products(const vreal d[3], vreal dd[6])
{
    for (int n = 0; n < 3; n++) dd[n] = d[n] * d[n], dd[3 + n] = d[(n + 1) % 3] * d[(n + 2) % 3];
}

/* --- bend.c --- */
/* Where viscosity takes little of the shortest waves nothing resists, and what weights of second order make more of is
 * noise. Where there are solids it is left: their images have no second order, and angles of drops on them are then 3
 * degrees lower (mps/calibration.md). */
bool flow_has_bends(const flow_step *k);

/* B of a block's particles, by S2; of_third: B S3^T. */
void flow_find_bend(flow_step *k, int block, const real second[PAIR_I][3][3], real of_third[PAIR_I][3][3]);

/* --- projection.c --- */
/* The last step's pressure pushes: v changes. */
dew_result flow_push_as_before(flow_step *k);
/* Takes the divergence off v, and corrects the pressure; the field `pressure` is told. */
dew_result flow_project(flow_step *k);
/* Over all particles: the virial's, as div is exact for linear flow and G its adjoint; Pa. */
double flow_mean_pressure(const flow_state *p, const world *w);

/* --- viscosity.c --- */
/* Viscosity, walls that hold and the friction of contact lines, over dt, at its end. */
dew_result flow_resist(flow_step *k);
/* How much of the shortest waves it takes in a step, 0 to 1. Of water it is none. */
real flow_viscous_part(const flow_step *k);
/* What the friction of the contact line that particle i has takes, over the density of the first liquid: a part of the
 * matrix, as what walls hold is. */
void flow_rub_line(const flow_step *k, int i, wall_shear *to);
/* Gives the solid what that took of the velocity at the step's end. */
void flow_push_line(const flow_step *k, int i, solid_pushes *to);

/* --- lift.c --- */
/* Forces of surface particles, N, as those at the surface half a spacing above. After flow_fit. */
void flow_lift(flow_step *k, real4 *force);

/* --- bodies.c --- */
/* Gives a solid an impulse of pressure or tension at particle i, but what turns a body about an axis about which it
 * looks the same. The mesh is uneven, so that lines do not lie as they would around a coin, which else turned by them.
 */
void flow_push_solid(const flow_step *k, int i, push_kind kind, int solid, real3 impulse, solid_pushes *to);
/* At the end of a step what bodies have not taken turns the liquid next to them. */
void flow_turn_around_bodies(flow_step *k);

/* --- turn.c --- */
/* Solids take of moments as far as they are touched. */
void flow_share_moments(flow_step *k, real4 *moment);
/* Takes a part of k->moment out of solids and pairs; after flow_fit. */
dew_result flow_turn_back(flow_step *k, real part);

/* --- shift.c --- */
/* Pairs nearer than so many spacings part, and as fast as flow strains liquid, where viscosity rules. Closest packings
 * leave 1.12 in space, 1.07 in the plane. Under suction pairs draw, and nothing else keeps them in order. */
#define FLOW_NEAR ((real)1)
/* Of a step in which forces move liquid by a part of a spacing: of what pairs nearer than FLOW_NEAR lack they part by
 * the one, and of its way to its cell's centroid a particle of the skin goes the other. */
#define FLOW_APART ((real)0.02)
#define FLOW_EVEN ((real)0.1)
/* How shifts keep order: pairs of one kind (of the skin, or below) that are nearer than `reach` part by `share` (1 -
 * r/reach), and a particle from its images, times what of_each has of the particle where that is given; and skins are
 * evened. */
typedef struct flow_parting {
    real reach; /* spacings */
    real share; /* of `reach` */
    real even;
    const real *of_each; /* ghosts' too; or NULL */
} flow_parting;
/* lean.w is m, x.w 1 + k->follow, at the surface less than 0, ghosts' too; k->shift has room. */
dew_result flow_begin_shift(flow_step *k);
/* k->shift: towards the target of n, apart, to an even skin; kept out of solids. */
void flow_find_shift(flow_step *k, const flow_parting *part);

/* --- move.c --- */
/* Particles go where velocities and shifts take them, and stop at solids. */
dew_result flow_move(flow_step *k);

/* Angular momentum that a pass gives particle i beside what forces along lines of centres would, over mass. */
static inline void flow_note_moment(const flow_step *k, int i, real3 moment)
{
    if (k->moment) real4_add(&k->moment[i], moment);
}

/* --- smooth.c --- */
/* Takes noise out of the velocities. */
dew_result flow_smooth(flow_step *k);

/* The same of any method. */
typedef struct flow_calm {
    world *w;
    const near_walls *near;
    const half_space *crowd;         /* whose sums tell near_walls_at fractions of space */
    const half_space *spline;        /* of the cubic spline, over its sum over the lattice */
    real h, kernel;                  /* of the spline: its reach; one over its sum over the lattice */
    real amount[FLOW_MOST_LIQUIDS];  /* share that is taken out of each liquid */
    const uint8_t *unrest;           /* as surface_detect has it */
    const uint8_t *is_tip, *is_held; /* NULL: none is */
    bool is_sharp, keeps_turning;    /* particles/smoothing.h */
    const real4 *moment;             /* likewise */
    const real *kind, *lightness;    /* likewise */
} flow_calm;
dew_result flow_take_noise(const flow_calm *how);

#endif
