/* Definitions: plain structures from which a simulation is made. Each has a function that gives the defaults. The scene
 * reader fills these same structures. All pointers are borrowed until dew_simulation_create returns, except functions
 * (dew_function), which must live as long as the simulation. */
#ifndef DEW_DEFINITION_H
#define DEW_DEFINITION_H

#include "result.h"
#include "shape.h"
#include "types.h"

typedef struct dew_material_def {
    const char *name;
    double density;   /* kg/m3; default 1000 */
    double viscosity; /* dynamic, Pa s; default 0.001 */
    /* Functions of T (K) and, where has_solute, c (kg/m3): default absent; each replaces the number. */
    dew_function viscosity_of_temperature;       /* Pa s */
    double surface_tension;                      /* against the surrounding gas, N/m; default 0.072 */
    dew_function surface_tension_of_temperature; /* N/m */
    /* These count where has_heat. */
    double conductivity;  /* W/(m K), >= 0; default 0.6 */
    double heat_capacity; /* J/(kg K), > 0; default 4180 */
    double melting_point; /* K; default NaN: it neither melts nor freezes */
    double latent_heat;   /* of melting, J/kg, >= 0; default 0 */
    /* The elastic solid that it is below its melting point, or everywhere where it has none. */
    double youngs_modulus; /* Pa, >= 0; default 0: it flows */
    double poisson_ratio;  /* above -1, at most 0.499; default 0.3 */
    double shear_modulus;  /* Pa, >= 0; default 0; in place of youngs_modulus: G = E/(2 (1 + nu)) */
    /* How it forgets its shape, where it has one of the two. */
    double yield_stress;    /* in shear, Pa, > 0: below it, it is a solid; default INFINITY, without relaxation_time */
    double relaxation_time; /* s, > 0: in which what stress is above the yield stress decays to 1/e; default INFINITY:
                             * never, and beyond a yield stress at once */
    /* These count where has_solute. */
    double diffusivity; /* of what is dissolved, m2/s, >= 0; default 1e-9 */
    double evaporation; /* of it: evaporation c leaves through the free surface, kg/(m2 s); m/s, >= 0; default 0 */
} dew_material_def;

/* The tension where two materials meet. */
typedef struct dew_interface_def {
    int between[2];         /* indices into the simulation's materials */
    double surface_tension; /* N/m, >= 0 */
} dew_interface_def;

/* How heat passes through a surface: into the liquid flow `transfer` (`surroundings` - T) + `flux`, W/m2. */
typedef struct dew_heat_boundary {
    double transfer;     /* heat transfer coefficient, W/(m2 K), >= 0; default 0 */
    double surroundings; /* their temperature, K; default 293.15 */
    double flux;         /* W/m2, into the liquid; default 0 */
} dew_heat_boundary;

typedef enum dew_fill { DEW_FILL_CUBIC, DEW_FILL_HEXAGONAL, DEW_FILL_RELAXED } dew_fill;

/* A body of liquid at the start. */
typedef struct dew_liquid_def {
    int material; /* index into the simulation's materials; default 0 */
    dew_shape_def shape;
    dew_fill fill;                 /* default DEW_FILL_RELAXED: the mass in the shape is right to 0.5 % */
    dew_vec3 velocity;             /* m/s; default 0 */
    dew_function velocity_of[3];   /* of x, y, z (m): components of velocity, m/s; each replaces its component */
    double temperature;            /* at the start, K; default NaN: that of the free surface's surroundings */
    dew_function temperature_of;   /* of x, y, z (m): K; default absent; replaces temperature */
    double concentration;          /* of what is dissolved, at the start, kg/m3, >= 0; default 0 */
    dew_function concentration_of; /* of x, y, z (m): kg/m3; default absent; replaces concentration */
} dew_liquid_def;

typedef struct dew_keyframe {
    double time;          /* s */
    dew_vec3 translation; /* m, against the place in the definition */
    dew_vec3 rotation;    /* rotation vector, radians, about `pivot` of the motion */
} dew_keyframe;

/* How a solid moves: linear interpolation between keyframes, or functions of t. Held before the first and after the
 * last key. */
typedef struct dew_motion_def {
    const dew_keyframe *keyframes;  /* ascending in time */
    int keyframe_count;             /* 0: at rest unless functions are given */
    dew_function translation_of[3]; /* of t (s), m */
    dew_function rotation_of[3];    /* of t (s): rotation vector, radians */
    dew_vec3 pivot;                 /* m */
} dew_motion_def;

/* A body that the liquid moves. In two dimensions mass and inertia are of a metre of depth. */
typedef struct dew_rigid_def {
    double density;    /* kg/m3, > 0; default NaN: it follows from the mass */
    double mass;       /* kg, > 0; default NaN: it follows from the density; one of the two must be given */
    dew_vec3 inertia;  /* about axes x, y, z through the centre of mass, at the start, kg m2; default 0: that of the
                        * shape evenly filled. In two dimensions z counts. */
    dew_vec3 velocity; /* of the centre of mass, at the start, m/s; default 0 */
    dew_vec3 spin;     /* angular velocity at the start, rad/s; default 0 */
    bool is_held;      /* it stays where it is until it is released; default false */
} dew_rigid_def;

/* Contact angles between which the line stays where it is, degrees, 0..180: it advances beyond the one and recedes
 * beyond the other. At rest it feels the angle of the mean of their cosines. */
typedef struct dew_hysteresis {
    double advancing, receding;
} dew_hysteresis;

/* How one material wets a solid, where not all do alike; the fields as in dew_solid_def. */
typedef struct dew_wets_def {
    int material;
    double contact_angle;
    bool has_hysteresis;
    dew_hysteresis hysteresis;
    bool has_surface_energy;
    double solid_energy, between_energy;
} dew_wets_def;

typedef struct dew_solid_def {
    const char *name;
    dew_shape_def shape;
    double contact_angle; /* of the liquids on this solid, degrees, 0..180; default 90 */
    bool has_hysteresis;  /* then these count in its place */
    dew_hysteresis hysteresis;
    /* Surface free energies, J/m2; used when has_surface_energy: cos(theta) = (solid - between)/surface_tension. */
    bool has_surface_energy;
    double solid_energy, between_energy;
    const dew_wets_def *wets; /* of single materials, in place of the above */
    int wets_count;
    /* Navier's: the liquid moves along it by slip_length times the gradient across, m, >= 0; 0: it holds the liquid;
     * INFINITY: the liquid slips freely; default NaN: what the method takes (dew_method_info), and free where there is
     * friction. */
    double slip_length;
    double friction;      /* Coulomb coefficient where slip is free, >= 0; default 0 */
    double adhesion;      /* 0..1: how firmly particles within a spacing follow the solid's surface; default 0 */
    double body_friction; /* Coulomb coefficient between it and other solids where one of them is a rigid body, of two
                           * the geometric mean, >= 0; default 0.3 */
    bool is_visible;      /* in pictures; default true */
    dew_motion_def motion;
    bool has_rigid; /* then liquid, gravity, contacts and joints move it, and there is no `motion`; default false */
    dew_rigid_def rigid;
    dew_heat_boundary heat; /* where the liquid touches it; default: no heat passes */
} dew_solid_def;

/* A hinge turns about an axis, a ball joint about a point, a slider moves along an axis. */
typedef enum dew_joint_kind { DEW_JOINT_HINGE, DEW_JOINT_BALL, DEW_JOINT_SLIDER } dew_joint_kind;

/* What holds a rigid body to another solid, or to the place where it is. Turns and ways are counted from the start, of
 * the first solid against the second, right-handed about the axis. */
typedef struct dew_joint_def {
    dew_joint_kind kind; /* default DEW_JOINT_HINGE */
    int first, second;   /* indices of solids, the first a rigid body; second -1: it is held to the world; default -1 */
    dew_vec3 anchor;     /* a point of the hinge's axis, or the ball's centre, m */
    dew_vec3 axis;       /* of a hinge or slider, at the start; default 0, 0, 1 */
    bool has_angles;     /* a hinge that does not turn beyond these, rad, -pi..0 and 0..pi */
    struct {
        double from, to;
    } angles;
    bool has_range; /* a slider that does not move beyond these, m, <= 0 and >= 0 */
    struct {
        double from, to;
    } range;
    bool has_motor; /* a hinge that is driven: it keeps its speed (rad/s) with a torque (N m) of at most this */
    struct {
        double speed, torque;
    } motor;
    bool has_drive; /* a slider that is driven: speed in m/s, with a force (N) of at most this */
    struct {
        double speed, force;
    } drive;
} dew_joint_def;

/* Liquid that flows in through a flat disc or rectangle. */
typedef struct dew_emitter_def {
    int material;
    dew_shape_def shape;  /* disc or rectangle */
    dew_vec3 velocity;    /* m/s; its component along the shape's normal is the inflow */
    double from, to;      /* s; default 0 and infinity */
    double temperature;   /* K; default NaN: that of the free surface's surroundings */
    double concentration; /* kg/m3, >= 0; default 0 */
} dew_emitter_def;

/* Heat that comes from elsewhere, such as a flame's or a laser's: into the liquid in a region that may move. */
typedef struct dew_heat_source_def {
    dew_shape_def shape;
    dew_motion_def motion; /* of the shape; default at rest */
    double power;          /* in the liquid within the shape, W/m3; default 0; below 0 it cools */
    double flux;           /* through the liquid's free surface within the shape, W/m2; default 0 */
    double from, to;       /* s; default 0 and infinity */
} dew_heat_source_def;

typedef struct dew_heat_def {
    dew_heat_boundary surface; /* of the liquid against the gas; default: no heat passes */
    const dew_heat_source_def *sources;
    int source_count;
} dew_heat_def;

/* DEW_OUTFLOW: open, but particles beyond a face are removed and counted (quantity outflow). */
typedef enum dew_boundary { DEW_OPEN, DEW_WALL, DEW_PERIODIC, DEW_SYMMETRY, DEW_OUTFLOW } dew_boundary;

typedef struct dew_domain_def {
    dew_vec3 min, max;    /* m; used on axes that are not open */
    dew_boundary axis[3]; /* default DEW_OPEN; applies to both faces */
    double contact_angle; /* of walls, degrees; default 90 */
    bool has_hysteresis;  /* then these count in its place */
    dew_hysteresis hysteresis;
    double slip_length;     /* of walls, as of solids; default NaN */
    double friction;        /* of walls; default 0 */
    dew_heat_boundary heat; /* of walls; default: no heat passes */
} dew_domain_def;

/* A series of measurements in time. */
/* What is measured: the liquid of one material, one body of it, what is on one solid. All unset: everything. */
typedef struct dew_part_def {
    const char *material; /* NULL: all */
    const char *solid;    /* of quantities of contact and force on solids; walls of the domain: "wall -x",
                           * "wall +x", ...; NULL: all */
    int body;             /* 1: the largest body of (that) liquid, 2 the next, ...; 0: all */
} dew_part_def;

typedef struct dew_probe_def {
    const char *name;
    double every;                  /* s; 0: every frame */
    const char *const *quantities; /* names, see dew_quantity_name */
    int quantity_count;
    dew_part_def of;
} dew_probe_def;

/* What a simulation watches of itself, each as a share of what it is compared with: docs/watching.md. */
typedef enum dew_watched_quantity {
    DEW_WATCHED_DENSITY,
    DEW_WATCHED_ENERGY,
    DEW_WATCHED_LOOSE,
    DEW_WATCHED_MOMENTUM,
    DEW_WATCHED_MASS,
    DEW_WATCHED_DISSIPATION,
    DEW_WATCHED_NARROW,
    DEW_WATCHED_VISCOSITY,
    DEW_WATCHED
} dew_watched_quantity;

typedef struct dew_watch_def {
    double limit[DEW_WATCHED]; /* beyond which a run warns; 0: it does not */
    int steps;                 /* from one look to the next, at frames' ends; 0: the method's own, which costs 1 % */
} dew_watch_def;

/* What a change sets. */
typedef struct dew_setting_def {
    const char *path;    /* "gravity", "materials.water.viscosity", "solids.plate.contact_angle", "domain.friction" */
    dew_vec3 value;      /* from then on, as in the definition of what it is of; of a number: x */
    bool has_hysteresis; /* of a contact angle: then these count in its place */
    dew_hysteresis hysteresis;
} dew_setting_def;

/* What is set at a time: as the first step at or after it begins. Steps are divided so that one begins there. */
typedef struct dew_change_def {
    double at;                  /* s, >= 0, not before that of the change before it; no default */
    const dew_setting_def *set; /* default none */
    int set_count;
    int remove;  /* index of a solid that is gone from then on; default -1: none */
    int release; /* index of a rigid body that is held until then; default -1: none */
} dew_change_def;

/* A value of a method's own parameter; `text` for choices, else `number` (SI). */
typedef struct dew_parameter_value {
    const char *name;
    double number;
    const char *text;
} dew_parameter_value;

typedef struct dew_simulation_def {
    const char *title;
    const char *method; /* "pbf", ...; default "pbf" */
    int dimension;      /* 3, or 2 where the method can; default 3 */
    double spacing;     /* between particles, m; no default */
    int filling;        /* turns and shifts the lattice from which liquids are filled; default 0: as it lies */
    double duration;    /* s; default 1 */
    double frame_rate;  /* frames per second of simulated time; default 60 */
    dew_vec3 gravity;   /* m/s2; default 0, 0, -9.81 */
    dew_domain_def domain;
    const dew_material_def *materials;
    int material_count;
    const dew_interface_def *interfaces; /* default none: where a method has them, what tensions differ by */
    int interface_count;
    const dew_liquid_def *liquids;
    int liquid_count;
    const dew_solid_def *solids;
    int solid_count;
    const dew_joint_def *joints;
    int joint_count;
    const dew_emitter_def *emitters;
    int emitter_count;
    bool has_heat;   /* whether temperatures are followed; default false */
    bool has_solute; /* whether something dissolved is followed; default false */
    dew_heat_def heat;
    const dew_change_def *changes;
    int change_count;
    const dew_probe_def *probes;
    int probe_count;
    dew_watch_def watch;
    const dew_parameter_value *parameters; /* of the method */
    int parameter_count;
    int threads;       /* 0: all cores; results do not depend on it */
    int max_particles; /* emitters stop there with a message; default 0: no limit */
} dew_simulation_def;

DEW_API dew_material_def dew_default_material_def(void);
DEW_API dew_liquid_def dew_default_liquid_def(void);
DEW_API dew_solid_def dew_default_solid_def(void);
DEW_API dew_rigid_def dew_default_rigid_def(void);
DEW_API dew_joint_def dew_default_joint_def(void);
DEW_API dew_emitter_def dew_default_emitter_def(void);
DEW_API dew_heat_boundary dew_default_heat_boundary(void);
DEW_API dew_heat_source_def dew_default_heat_source_def(void);
DEW_API dew_change_def dew_default_change_def(void);
DEW_API dew_simulation_def dew_default_simulation_def(void);

#endif
