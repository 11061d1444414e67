/* The tables of all definitions. */
#include "definition/entries.h"

#include "base/real.h"
#include "dew/method.h"

#include <math.h>

/* --- shapes --- */

#define OF dew_ridges
static const dew_property ridges[] = {
    {WORD("profile", profile, "rectangular|sinusoidal"), REQUIRED,
     SAYS "rectangular, with upright walls, or sinusoidal"},
    {WORD("across", across, "x|y"), SAYS "the axis along which the height varies; along the other the ridges go on"},
    {NUMBER("height", height, "m", 0, INFINITY, 0), REQUIRED | DEW_PROPERTY_ABOVE,
     SAYS "from the bottom of a groove to the top of a ridge"},
    {NUMBER("period", period, "m", 0, INFINITY, 0), REQUIRED | DEW_PROPERTY_ABOVE, SAYS "of the profile"},
    {NUMBER("width", width, "1", 0, 1, 0.5), ABOVE, SAYS "of rectangular ridges, over the period"},
    {NUMBER("shift", shift, "m", 0, 0, 0), SAYS "where the middle of a ridge is"},
};
#undef OF
const dew_property_table ridges_table = TABLE("ridges", ridges, dew_ridges, .is_flow = true);

#define OF dew_shape_def
#define PLACE(name, member) VECTOR(name, member, "m"), REQUIRED
#define DIRECTION(name, member) VECTOR(name, member, "1"), REQUIRED | DEW_PROPERTY_DIRECTION
#define LENGTH(name, member) NUMBER(name, member, "m", 0, INFINITY, 0), REQUIRED | DEW_PROPERTY_ABOVE
#define OPTIONAL_LENGTH(name, member) NUMBER(name, member, "m", 0, INFINITY, 0)

static const dew_property sphere[] = {
    {PLACE("centre", sphere.centre), SAYS "its centre"},
    {LENGTH("radius", sphere.radius), SAYS "its radius"},
};
static const dew_property box[] = {
    {PLACE("min", box.min), SAYS "corner with the smallest x, y, z"},
    {PLACE("max", box.max), SAYS "corner with the largest x, y, z"},
    {OPTIONAL_LENGTH("rounding", box.rounding), SAYS "radius of the edges, inside of min..max"},
};
static const dew_property ellipsoid[] = {
    {PLACE("centre", ellipsoid.centre), SAYS "its centre"},
    {VECTOR("semi_axes", ellipsoid.semi_axes, "m"), REQUIRED | DEW_PROPERTY_ABOVE, .max = INFINITY,
     SAYS "half lengths along x, y, z"},
};
static const dew_property cylinder[] = {
    {PLACE("from", cylinder.from), SAYS "centre of one end"},
    {PLACE("to", cylinder.to), SAYS "centre of the other end"},
    {LENGTH("radius", cylinder.radius), SAYS "its radius"},
};
static const dew_property cone[] = {
    {PLACE("apex", cone.apex), SAYS "tip"},
    {PLACE("base", cone.base), SAYS "centre of the base disc"},
    {LENGTH("radius", cone.radius), SAYS "radius of the base"},
    {OPTIONAL_LENGTH("apex_radius", cone.apex_radius), SAYS "radius at the tip, above 0 for a truncated cone"},
};
static const dew_property capsule[] = {
    {PLACE("from", capsule.from), SAYS "centre of one end's half ball"},
    {PLACE("to", capsule.to), SAYS "centre of the other end's half ball"},
    {LENGTH("radius", capsule.radius), SAYS "its radius"},
};
static const dew_property torus[] = {
    {PLACE("centre", torus.centre), SAYS "its centre"},
    {DIRECTION("axis", torus.axis), SAYS "axis of revolution"},
    {LENGTH("major_radius", torus.major_radius), SAYS "from the centre to the middle of the tube"},
    {LENGTH("minor_radius", torus.minor_radius), SAYS "radius of the tube"},
};
static const dew_property plane[] = {
    {PLACE("point", plane.point), SAYS "a point of the plane"},
    {DIRECTION("normal", plane.normal), SAYS "direction out of the solid half space"},
};
static const dew_property implicit[] = {
    {EXPRESSION("value", DEW_PROPERTY_NUMBER, "1", implicit.value, "xyz") | DEW_PROPERTY_REQUIRED,
     SAYS "an expression of x, y, z (m), negative inside"},
    {PLACE("min", implicit.min), SAYS "corner of a box that holds the surface"},
    {PLACE("max", implicit.max), SAYS "opposite corner"},
};
static const dew_property height[] = {
    {PLACE("min", height.min), SAYS "corner of a box that holds the surface: the body's bottom"},
    {PLACE("max", height.max), SAYS "opposite corner, not below the surface"},
    {NUMBER("level", height.level, "m", 0, 0, 0), FUNCTION(height.level_of, "xy"),
     SAYS "height z of the surface, or an expression of x, y (m)"},
    {LIST("ridges", height.ridges, height.ridge_count, &ridges_table), .max = 16,
     SAYS "profiles that are added to the level"},
};
static const dew_property mesh[] = {
    {AT("file", mesh), .type = DEW_PROPERTY_MESH, REQUIRED,
     SAYS "an OBJ, STL or PLY file, relative to the scene file, watertight; its coordinates count as m (see scale)"},
    {NUMBER("scale", scale, "1", 0, INFINITY, 1), ABOVE | DEW_PROPERTY_FACTOR | DEW_PROPERTY_SPARSE,
     SAYS "length of the file's unit in m: 0.001 for a mesh in mm"},
};
static const dew_property shell[] = {
    {RECORD("shape", shell.child, &shape_table), REQUIRED | DEW_PROPERTY_POINTER, SAYS "the shape whose wall it is"},
    {LENGTH("thickness", shell.thickness), SAYS "of the wall, inwards from the shape's surface"},
};
static const dew_property disc[] = {
    {PLACE("centre", disc.centre), SAYS "its centre"},
    {DIRECTION("normal", disc.normal), SAYS "direction at right angles to the disc"},
    {LENGTH("radius", disc.radius), SAYS "its radius"},
};
static const dew_property rectangle[] = {
    {PLACE("centre", rectangle.centre), SAYS "its centre"},
    {PLACE("half_u", rectangle.half_u) | DEW_PROPERTY_DIRECTION, SAYS "from the centre to the middle of one side"},
    {PLACE("half_v", rectangle.half_v) | DEW_PROPERTY_DIRECTION, SAYS "from the centre to the middle of the next side"},
};
static const dew_property rotate[] = {
    {DIRECTION("axis", rotation_axis), .value = {0, 0, 1}, SAYS "through the origin"},
    {NUMBER("angle", rotation_angle, "rad", 0, 0, 0), REQUIRED | DEW_PROPERTY_NEEDS_UNIT,
     SAYS "right-handed about the axis, with its unit (deg or rad)"},
};

#define KIND(name, tag)                                                                                                \
    .key = #name, .type = DEW_PROPERTY_RECORD, .kind = tag,                                                            \
    .table = &(const dew_property_table)TABLE(#name, name, dew_shape_def, .is_flow = true)
#define KIND_OF_SHAPES(name, tag)                                                                                      \
    LIST(name, combination.children, combination.count, &shape_table), .kind = tag, .min = 2, .max = 1000
static const dew_property shapes[] = {
    {KIND(sphere, DEW_SHAPE_SPHERE), SAYS "a ball"},
    {KIND(box, DEW_SHAPE_BOX), SAYS "a box along the axes"},
    {KIND(ellipsoid, DEW_SHAPE_ELLIPSOID), SAYS "an ellipsoid along the axes"},
    {KIND(cylinder, DEW_SHAPE_CYLINDER), SAYS "a round cylinder"},
    {KIND(cone, DEW_SHAPE_CONE), SAYS "a round cone, whole or truncated"},
    {KIND(capsule, DEW_SHAPE_CAPSULE), SAYS "a cylinder that ends in half balls"},
    {KIND(torus, DEW_SHAPE_TORUS), SAYS "a ring"},
    {KIND(plane, DEW_SHAPE_PLANE), SAYS "the half space that the normal points out of; for solids"},
    {KIND(implicit, DEW_SHAPE_IMPLICIT), SAYS "where an expression is negative"},
    {KIND(height, DEW_SHAPE_HEIGHT), SAYS "a landscape: a box that is filled up to a level"},
    {KIND(mesh, DEW_SHAPE_MESH), SAYS "what a triangle mesh encloses"},
    {KIND_OF_SHAPES("union", DEW_SHAPE_UNION), SAYS "what is in any of several shapes"},
    {KIND_OF_SHAPES("difference", DEW_SHAPE_DIFFERENCE), SAYS "the first shape less all others"},
    {KIND_OF_SHAPES("intersection", DEW_SHAPE_INTERSECTION), SAYS "what is in each of several shapes"},
    {KIND(shell, DEW_SHAPE_SHELL), SAYS "the wall of a hollow body"},
    {KIND(disc, DEW_SHAPE_DISC), .flags = DEW_PROPERTY_FLAT, SAYS "flat, for emitters"},
    {KIND(rectangle, DEW_SHAPE_RECTANGLE), .flags = DEW_PROPERTY_FLAT, SAYS "flat, for emitters"},
    {NUMBER("scale", scale, "1", 0, INFINITY, 1), ABOVE | DEW_PROPERTY_FACTOR | DEW_PROPERTY_SPARSE,
     SAYS "factor about the origin, applied first"},
    {KIND(rotate, DEW_SHAPE_NONE), .flags = DEW_PROPERTY_SPARSE,
     SAYS "turn about an axis through the origin, applied second"},
    {VECTOR("translate", translation, "m"), .flags = DEW_PROPERTY_SPARSE, SAYS "shift, applied last"},
};
#undef OF
const dew_property_table shape_table = TABLE("shape", shapes, dew_shape_def, .is_flow = true, .is_union = true);

#define SHAPE(text) RECORD("shape", shape, &shape_table), REQUIRED, SAYS text

/* --- materials --- */

#define OF dew_material_def
static const dew_property materials[] = {
    {AT("name", name), .type = DEW_PROPERTY_NAME, .flags = DEW_PROPERTY_IS_KEY, .text = "water", .words = "material",
     SAYS "its name in messages and files"},
    {NUMBER("density", density, "kg/m3", 0, INFINITY, 1000), ABOVE, SAYS "density"},
    {NUMBER("viscosity", viscosity, "Pa s", 0, INFINITY, 0.001), FUNCTION(viscosity_of_temperature, "Tc"),
     SAYS "dynamic; or an expression of the temperature T (K) and the concentration c (kg/m3)"},
    {NUMBER("surface_tension", surface_tension, "N/m", 0, INFINITY, 0.072),
     FUNCTION(surface_tension_of_temperature, "Tc"), SAYS "against the surrounding gas; or such an expression"},
    {NUMBER("conductivity", conductivity, "W/m/K", 0, INFINITY, 0.6), .flags = DEW_PROPERTY_REFINES, HEAT,
     SAYS "of heat; counts where temperatures are followed, as do the three that come next"},
    {NUMBER("heat_capacity", heat_capacity, "J/kg/K", 0, INFINITY, 4180), ABOVE | DEW_PROPERTY_REFINES, HEAT,
     SAYS "for each kg"},
    {NUMBER("melting_point", melting_point, "K", 0, INFINITY, NAN), .flags = DEW_PROPERTY_FOLLOWED, HEAT,
     SAYS "solid below it; without one it stays what it is"},
    {NUMBER("latent_heat", latent_heat, "J/kg", 0, INFINITY, 0), .flags = DEW_PROPERTY_REFINES, HEAT,
     SAYS "of melting"},
    {NUMBER("youngs_modulus", youngs_modulus, "Pa", 0, INFINITY, 0), .flags = DEW_PROPERTY_SPARSE,
     .feature = DEW_FEATURE_ELASTIC,
     SAYS "of the elastic solid that it is below its melting point, or everywhere where it has none; 0: it flows"},
    {NUMBER("poisson_ratio", poisson_ratio, "1", -1, 0.499, 0.3), ABOVE | DEW_PROPERTY_SPARSE,
     .feature = DEW_FEATURE_ELASTIC, SAYS "of the same; in two dimensions the solid is in plane strain"},
    {NUMBER("shear_modulus", shear_modulus, "Pa", 0, INFINITY, 0), .flags = DEW_PROPERTY_SPARSE,
     .feature = DEW_FEATURE_ELASTIC, SAYS "in place of youngs_modulus, which is 2 (1 + poisson_ratio) times as much"},
    {NUMBER("yield_stress", yield_stress, "Pa", 0, INFINITY, INFINITY), .words = "none",
     .flags = DEW_PROPERTY_ABOVE | DEW_PROPERTY_SPARSE, .feature = DEW_FEATURE_PLASTIC,
     SAYS "in shear, of what is elastic: above it the stress relaxes; none: at any stress if there is a "
          "relaxation_time, else never"},
    {NUMBER("relaxation_time", relaxation_time, "s", 0, INFINITY, INFINITY), .words = "none",
     .flags = DEW_PROPERTY_ABOVE | DEW_PROPERTY_SPARSE, .feature = DEW_FEATURE_RELAXATION,
     SAYS "of what is elastic: stress above yield_stress, or all if there is none, decays to 1/e in it; none: beyond a "
          "yield_stress at once"},
    {NUMBER("diffusivity", diffusivity, "m2/s", 0, INFINITY, 1e-9), .flags = DEW_PROPERTY_REFINES, SOLUTE,
     SAYS "of what is dissolved; counts where concentrations are followed"},
    {NUMBER("evaporation", evaporation, "m/s", 0, INFINITY, 0), SOLUTE,
     SAYS
     "of what is dissolved: evaporation x concentration leaves through the free surface; the liquid keeps its volume"},
};
#undef OF
const dew_property_table material_table = TABLE("material", materials, dew_material_def, .is_flow = true);

#define MATERIAL                                                                                                       \
    AT("material", material), .type = DEW_PROPERTY_MATERIAL,                                                           \
                              SAYS "name of one of the materials; may be left out if there is one only"

#define OF dew_interface_def
static const dew_property pair[] = {
    {AT("first", between[0]), .type = DEW_PROPERTY_MATERIAL, REQUIRED, SAYS "one of the materials"},
    {AT("second", between[1]), .type = DEW_PROPERTY_MATERIAL, REQUIRED, SAYS "another one"},
};
static const dew_property_table pair_table = TABLE("between", pair, dew_interface_def, .is_row = true);
static const dew_property interfaces[] = {
    {.key = "between", .type = DEW_PROPERTY_RECORD, .table = &pair_table, REQUIRED, SAYS "the names of two materials"},
    {NUMBER("surface_tension", surface_tension, "N/m", 0, INFINITY, 0), REQUIRED, SAYS "where the two meet"},
};
#undef OF
const dew_property_table interface_table = TABLE("interface", interfaces, dew_interface_def, .is_flow = true);

/* --- liquids --- */

#define OF dew_liquid_def
static const dew_property liquids[] = {
    {MATERIAL},
    {SHAPE("the region that it fills")},
    {WORD("fill", fill, "cubic|hexagonal|relaxed"), .value = {DEW_FILL_RELAXED},
     SAYS
     "how particles are placed: on a lattice, or relaxed: even, fitted to the surface, with the mass right to 0.5 %"},
    {VECTOR("velocity", velocity, "m/s"), FUNCTION(velocity_of, "xyz"),
     SAYS "at the start; components may be expressions of x, y, z (m)"},
    {NUMBER("temperature", temperature, "K", 0, INFINITY, NAN), FUNCTION(temperature_of, "xyz"),
     .flags = DEW_PROPERTY_FOLLOWED, HEAT,
     SAYS "at the start; or an expression of x, y, z (m); that of the free surface's surroundings if left out"},
    {NUMBER("concentration", concentration, "kg/m3", 0, INFINITY, 0), FUNCTION(concentration_of, "xyz"),
     .flags = DEW_PROPERTY_FOLLOWED | DEW_PROPERTY_SPARSE, SOLUTE,
     SAYS "of what is dissolved, at the start; or an expression of x, y, z (m)"},
};
#undef OF
const dew_property_table liquid_table = TABLE("liquid", liquids, dew_liquid_def);

#define SPAN                                                                                                           \
    {NUMBER("from", from, "s", 0, INFINITY, 0), SAYS "when it begins"},                                                \
    {                                                                                                                  \
        NUMBER("to", to, "s", 0, INFINITY, INFINITY), ABOVE, SAYS "when it ends; never if left out"                    \
    }

#define OF dew_emitter_def
static const dew_property emitters[] = {
    {MATERIAL},
    {RECORD("shape", shape, &shape_table), REQUIRED | DEW_PROPERTY_FLAT, SAYS "a disc or a rectangle"},
    {VECTOR("velocity", velocity, "m/s"), REQUIRED | DEW_PROPERTY_DIRECTION, SAYS "of the liquid that comes in"},
    SPAN,
    {NUMBER("temperature", temperature, "K", 0, INFINITY, NAN), .flags = DEW_PROPERTY_FOLLOWED, HEAT,
     SAYS "of the liquid that comes in; that of the free surface's surroundings if left out"},
    {NUMBER("concentration", concentration, "kg/m3", 0, INFINITY, 0),
     .flags = DEW_PROPERTY_FOLLOWED | DEW_PROPERTY_SPARSE, SOLUTE, SAYS "of what is dissolved in it"},
};
#undef OF
const dew_property_table emitter_table = TABLE("emitter", emitters, dew_emitter_def);

/* --- solids --- */

#define OF dew_keyframe
static const dew_property keyframes[] = {
    {NUMBER("time", time, "s", 0, 0, 0), REQUIRED, SAYS "when"},
    {VECTOR("translation", translation, "m"), REQUIRED, SAYS "against the place in the definition"},
    {VECTOR("rotation", rotation, "rad"), .flags = DEW_PROPERTY_NEEDS_UNIT, SAYS "rotation vector about the pivot"},
};
#undef OF
static const dew_property_table keyframe_table = TABLE("keyframe", keyframes, dew_keyframe, .is_row = true);

#define OF dew_motion_def
static const dew_property motion[] = {
    {LIST("keyframes", keyframes, keyframe_count, &keyframe_table),
     SAYS "[[time, [x, y, z]], ...], each with a rotation vector at will; straight between them, held before the first "
          "and after the last"},
    {EXPRESSION("translation", DEW_PROPERTY_VECTOR, "m", translation_of, "t"), SAYS "three expressions of t (s), in m"},
    {EXPRESSION("rotation", DEW_PROPERTY_VECTOR, "rad", rotation_of, "t") | DEW_PROPERTY_NEEDS_UNIT,
     SAYS "rotation vector (axis times angle): three expressions of t (s), in radians"},
    {VECTOR("pivot", pivot, "m"), SAYS "the point that rotations leave in place"},
};
#undef OF
const dew_property_table motion_table = TABLE("motion", motion, dew_motion_def, .is_flow = true);

#define OF dew_rigid_def
static const dew_property rigid[] = {
    {NUMBER("density", density, "kg/m3", 0, INFINITY, NAN), ABOVE, SAYS "of the body, even; or give its mass"},
    {NUMBER("mass", mass, "kg", 0, INFINITY, NAN), ABOVE, SAYS "of the body (2D: of a metre of depth)"},
    {VECTOR("inertia", inertia, "kg m2"), .flags = DEW_PROPERTY_SPARSE, .max = INFINITY,
     SAYS "about axes along x, y, z through its centre of mass; that of the shape evenly filled if left out"},
    {VECTOR("velocity", velocity, "m/s"), SAYS "of its centre of mass, at the start"},
    {VECTOR("spin", spin, "rad/s"), SAYS "its angular velocity at the start"},
    {FLAG("held", is_held, 0), .flags = DEW_PROPERTY_SPARSE, SAYS "whether it stays in its place until it is released"},
};
#undef OF
const dew_property_table rigid_table = TABLE("rigid", rigid, dew_rigid_def, .is_flow = true);

#define OF dew_joint_def
static const dew_property joined[] = {
    {AT("first", first), .type = DEW_PROPERTY_SOLID, REQUIRED, .value = {-1}, SAYS "a rigid body"},
    {AT("second", second), .type = DEW_PROPERTY_SOLID, .value = {-1}, SAYS "another solid; the world if left out"},
};
static const dew_property_table joined_table = TABLE("between", joined, dew_joint_def, .is_row = true);
static const dew_property angles[] = {
    {NUMBER("from", angles.from, "rad", -PI, 0, 0), REQUIRED | DEW_PROPERTY_NEEDS_UNIT, SAYS "the least"},
    {NUMBER("to", angles.to, "rad", 0, PI, 0), REQUIRED | DEW_PROPERTY_NEEDS_UNIT, SAYS "the largest"},
};
static const dew_property_table angles_table = TABLE("angles", angles, dew_joint_def, .is_row = true);
static const dew_property range[] = {
    {NUMBER("from", range.from, "m", -INFINITY, 0, 0), REQUIRED, SAYS "the least"},
    {NUMBER("to", range.to, "m", 0, INFINITY, 0), REQUIRED, SAYS "the largest"},
};
static const dew_property_table range_table = TABLE("range", range, dew_joint_def, .is_row = true);
static const dew_property motor[] = {
    {NUMBER("speed", motor.speed, "rad/s", 0, 0, 0), REQUIRED, SAYS "that it keeps"},
    {NUMBER("torque", motor.torque, "N m", 0, INFINITY, 0), REQUIRED | DEW_PROPERTY_ABOVE,
     SAYS "the largest it does so with"},
};
static const dew_property_table motor_table = TABLE("motor", motor, dew_joint_def, .is_flow = true);
static const dew_property drive[] = {
    {NUMBER("speed", drive.speed, "m/s", 0, 0, 0), REQUIRED, SAYS "that it keeps"},
    {NUMBER("force", drive.force, "N", 0, INFINITY, 0), REQUIRED | DEW_PROPERTY_ABOVE,
     SAYS "the largest it does so with"},
};
static const dew_property_table drive_table = TABLE("drive", drive, dew_joint_def, .is_flow = true);
static const dew_property joints[] = {
    {WORD("kind", kind, "hinge|ball|slider"), REQUIRED,
     SAYS "turns about an axis, turns about a point, moves along an axis"},
    {.key = "between",
     .type = DEW_PROPERTY_RECORD,
     .table = &joined_table,
     REQUIRED,
     SAYS "[body, solid], the first a rigid body; [body] alone is held to the world"},
    {VECTOR("anchor", anchor, "m"), SAYS "a point of the hinge's axis, or the ball's centre"},
    {VECTOR("axis", axis, "1"), .value = {0, 0, 1}, .flags = DEW_PROPERTY_DIRECTION, SAYS "of a hinge or a slider"},
    {.key = "angles",
     .type = DEW_PROPERTY_RECORD,
     .table = &angles_table,
     .has_offset = offsetof(OF, has_angles),
     SAYS "[least, largest] turn of a hinge, of the first solid against the second, from the start; such as "
          "[-10 deg, 90 deg]"},
    {.key = "range",
     .type = DEW_PROPERTY_RECORD,
     .table = &range_table,
     .has_offset = offsetof(OF, has_range),
     SAYS "[least, largest] way of a slider, from the start"},
    {.key = "motor",
     .type = DEW_PROPERTY_RECORD,
     .table = &motor_table,
     .has_offset = offsetof(OF, has_motor),
     SAYS "drives a hinge"},
    {.key = "drive",
     .type = DEW_PROPERTY_RECORD,
     .table = &drive_table,
     .has_offset = offsetof(OF, has_drive),
     SAYS "drives a slider"},
};
#undef OF
const dew_property_table joint_table = TABLE("joint", joints, dew_joint_def, .is_flow = true);

#define OF dew_heat_boundary
static const dew_property heat_boundary[] = {
    {NUMBER("transfer", transfer, "W/m2/K", 0, INFINITY, 0),
     SAYS "heat transfer coefficient: transfer x (surroundings - T) flows in"},
    {NUMBER("surroundings", surroundings, "K", 0, INFINITY, 293.15),
     SAYS "their temperature; of the free surface: also the liquid's at the start if none is given"},
    {NUMBER("flux", flux, "W/m2", 0, 0, 0), SAYS "flows in besides; below 0 it flows out"},
};
#undef OF
const dew_property_table heat_boundary_table =
    TABLE("heat of a surface", heat_boundary, dew_heat_boundary, .is_flow = true);

/* The pair of numbers that structures with surface energies have in them. */
typedef struct surface_energies {
    double solid, between;
} surface_energies;
_Static_assert(offsetof(dew_solid_def, between_energy) == offsetof(dew_solid_def, solid_energy) + sizeof(double) &&
                   offsetof(dew_wets_def, between_energy) == offsetof(dew_wets_def, solid_energy) + sizeof(double),
               "surface_energies lies in both");
#define OF surface_energies
static const dew_property energies[] = {
    {NUMBER("solid", solid, "J/m2", 0, INFINITY, 0), REQUIRED, SAYS "surface free energy of the solid against the gas"},
    {NUMBER("between", between, "J/m2", 0, INFINITY, 0), REQUIRED,
     SAYS "energy of the boundary between solid and liquid"},
};
#undef OF
static const dew_property_table energy_table = TABLE("surface_energy", energies, surface_energies, .is_flow = true);

#define OF dew_hysteresis
static const dew_property hysteresis[] = {
    {NUMBER("advancing", advancing, "degree", 0, 180, 90), REQUIRED, SAYS "beyond which the line moves outwards"},
    {NUMBER("receding", receding, "degree", 0, 180, 90), REQUIRED, SAYS "below which the line draws back"},
};
#undef OF
const dew_property_table hysteresis_table = TABLE("contact_angle", hysteresis, dew_hysteresis, .is_flow = true);

#define HYSTERESIS                                                                                                     \
    RECORD("contact_angle", hysteresis, &hysteresis_table), .has_offset = offsetof(OF, has_hysteresis),                \
                                                            .feature = DEW_FEATURE_HYSTERESIS,                         \
                                                            SAYS "the line stays between the two"
#define WETTING(hysteresis_property)                                                                                   \
    {NUMBER("contact_angle", contact_angle, "degree", 0, 180, 90), .feature = DEW_FEATURE_CONTACT_ANGLE,               \
     .unless_offset = offsetof(OF, has_surface_energy), .either = &hysteresis_property,                                \
     SAYS "of the liquid on it, measured in the liquid; {advancing: 110 deg, receding: 60 deg}: the line stays "       \
          "between the two, and moves beyond"},                                                                        \
    {                                                                                                                  \
        RECORD("surface_energy", solid_energy, &energy_table),                                                         \
            .has_offset = offsetof(OF, has_surface_energy), .feature = DEW_FEATURE_CONTACT_ANGLE,                      \
            SAYS "in place of the contact angle: cos(angle) = (solid - between)/surface_tension"                       \
    }

#define OF dew_wets_def
static const dew_property hysteresis_of_wets = {HYSTERESIS};
static const dew_property wets[] = {
    {AT("material", material), .type = DEW_PROPERTY_MATERIAL, .flags = DEW_PROPERTY_IS_KEY,
     SAYS "name of one of the materials"},
    WETTING(hysteresis_of_wets),
};
#undef OF
static const dew_property_table wets_table = TABLE("wetting", wets, dew_wets_def, .is_flow = true);

#define SLIP                                                                                                           \
    NUMBER("slip_length", slip_length, "m", 0, INFINITY, NAN),                                                         \
        .words = "free",                                                                                               \
        SAYS "Navier's; 0: it holds the liquid; free: the liquid slips; if left out what the method takes "            \
             "(`dew list methods`), and free beside friction"

#define OF dew_solid_def
static const dew_property hysteresis_of_solid = {HYSTERESIS};
static const dew_property solids[] = {
    {AT("name", name), .type = DEW_PROPERTY_NAME, .text = "solid", .words = "solid",
     SAYS "its name in messages, settings and files; solid_1, solid_2, ... if left out"},
    {SHAPE("the region that it fills")},
    WETTING(hysteresis_of_solid),
    {LIST("wets", wets, wets_count, &wets_table), .flags = DEW_PROPERTY_KEYED,
     SAYS "contact_angle or surface_energy of single materials by name: {water: {contact_angle: 60}, ...}"},
    {SLIP},
    {NUMBER("friction", friction, "1", 0, INFINITY, 0),
     SAYS "Coulomb coefficient, where slip is free: it takes at most so many times of the momentum along it that it "
          "gives across"},
    {NUMBER("adhesion", adhesion, "1", 0, 1, 0), SAYS "how firmly particles at the surface follow it"},
    {FLAG("visible", is_visible, 1), .flags = DEW_PROPERTY_BESIDE, SAYS "whether pictures show it"},
    {NUMBER("body_friction", body_friction, "1", 0, INFINITY, 0.3),
     SAYS "Coulomb coefficient between solids where one of them is a rigid body; of two the geometric mean"},
    {RECORD("motion", motion, &motion_table), .flags = DEW_PROPERTY_SPARSE, .unless_offset = offsetof(OF, has_rigid),
     SAYS "how it moves; at rest if left out"},
    {RECORD("rigid", rigid, &rigid_table), .has_offset = offsetof(OF, has_rigid), .feature = DEW_FEATURE_RIGID_COUPLING,
     SAYS "in place of a motion: liquid, gravity, contacts and joints move it"},
    {RECORD("heat", heat, &heat_boundary_table), .flags = DEW_PROPERTY_FOLLOWED | DEW_PROPERTY_SPARSE, HEAT,
     SAYS "what passes between it and the liquid; none if left out"},
};
#undef OF
const dew_property_table solid_table = TABLE("solid", solids, dew_solid_def);

/* --- heat --- */

#define OF dew_heat_source_def
static const dew_property heat_source[] = {
    {SHAPE("the region in which it heats")},
    {NUMBER("power", power, "W/m3", 0, 0, 0), SAYS "in the liquid within the shape; below 0 it cools"},
    {NUMBER("flux", flux, "W/m2", 0, 0, 0), SAYS "through the free surface within the shape"},
    SPAN,
    {RECORD("motion", motion, &motion_table), .flags = DEW_PROPERTY_SPARSE,
     SAYS "how the shape moves; at rest if left out"},
};
#undef OF
const dew_property_table heat_source_table = TABLE("heat source", heat_source, dew_heat_source_def);

#define OF dew_heat_def
static const dew_property heat[] = {
    {RECORD("surface", surface, &heat_boundary_table), HEAT,
     SAYS "what passes through the free surface; none if left out"},
    {LIST("sources", sources, source_count, &heat_source_table), HEAT,
     SAYS "regions that are heated, such as a flame's or a laser's, which may move"},
};
#undef OF
static const dew_property_table heat_table = TABLE("heat", heat, dew_heat_def);

/* --- the simulation --- */

#define OF dew_domain_def
#define AXIS(name, index)                                                                                              \
    WORD(name, axis[index], "open|wall|periodic|symmetry|outflow"),                                                    \
        SAYS "both faces of this axis; outflow: who passes them is removed"
static const dew_property hysteresis_of_walls = {HYSTERESIS};
static const dew_property domain[] = {
    {VECTOR("min", min, "m"), .flags = DEW_PROPERTY_CONDITIONAL,
     SAYS "corner with the smallest x, y, z; counts on axes that are not open"},
    {VECTOR("max", max, "m"), .flags = DEW_PROPERTY_CONDITIONAL, SAYS "corner with the largest x, y, z"},
    {AXIS("x", 0)},
    {AXIS("y", 1)},
    {AXIS("z", 2)},
    {NUMBER("contact_angle", contact_angle, "degree", 0, 180, 90), .feature = DEW_FEATURE_CONTACT_ANGLE,
     .either = &hysteresis_of_walls,
     SAYS "of the liquid on the walls; {advancing: 110 deg, receding: 60 deg}: the line stays between the two"},
    {SLIP},
    {NUMBER("friction", friction, "1", 0, INFINITY, 0), SAYS "of the walls, where slip is free"},
    {RECORD("heat", heat, &heat_boundary_table), .flags = DEW_PROPERTY_FOLLOWED | DEW_PROPERTY_SPARSE, HEAT,
     SAYS "what passes between the walls and the liquid; none if left out"},
};
#undef OF
const dew_property_table domain_table = TABLE("domain", domain, dew_domain_def, .is_flow = true);

#define OF dew_part_def
static const dew_property part[] = {
    {AT("material", material), .type = DEW_PROPERTY_TEXT, SAYS "name of one of the materials"},
    {INTEGER("body", body, 0, 1000000, 0), SAYS "1: the largest body, 2 the next one, ...; 0: all"},
    {AT("solid", solid), .type = DEW_PROPERTY_TEXT,
     SAYS "name of a solid, or \"wall -x\", \"wall +x\", ... of the domain: of contact and force, that on it alone"},
};
#undef OF
static const dew_property_table part_table = TABLE("of", part, dew_part_def, .is_flow = true);

#define OF dew_probe_def
static const dew_property probes[] = {
    {AT("name", name), .type = DEW_PROPERTY_NAME, REQUIRED, .words = "probe",
     SAYS "the first part of its columns' names"},
    {NUMBER("every", every, "s", 0, INFINITY, 0), SAYS "time between measurements; 0: at every frame"},
    {RECORD("of", of, &part_table), .flags = DEW_PROPERTY_SPARSE,
     SAYS "what is measured: one material, one body, what is on one solid; everything if left out"},
    {AT("quantities", quantities), .type = DEW_PROPERTY_TEXTS, REQUIRED, .words = "quantities", .min = 1,
     .max = INFINITY, .count_offset = offsetof(OF, quantity_count), SAYS "what it measures, see `dew list quantities`"},
};
#undef OF
const dew_property_table probe_table = TABLE("probe", probes, dew_probe_def);

#define OF dew_watch_def
#define LIMIT(name, which, usual) NUMBER(name, limit[which], "1", 0, INFINITY, usual)
static const dew_property watch[] = {
    {LIMIT("density", DEW_WATCHED_DENSITY, 0.02), SAYS "mean of a body, against that at rest"},
    {LIMIT("energy", DEW_WATCHED_ENERGY, 0.05), SAYS "that comes from nothing, against what there was to give"},
    {LIMIT("loose", DEW_WATCHED_LOOSE, 0.01), SAYS "share of the mass in bodies of fewer than 4 particles"},
    {LIMIT("momentum", DEW_WATCHED_MOMENTUM, 0.01), SAYS "that gravity, solids and emitters do not explain"},
    {LIMIT("mass", DEW_WATCHED_MASS, 0.005), SAYS "that emitters do not explain"},
    {LIMIT("dissipation", DEW_WATCHED_DISSIPATION, 0), SAYS "energy that is gone over what viscosity has taken"},
    {LIMIT("narrow", DEW_WATCHED_NARROW, 0),
     SAYS "share of the mass in films, threads and rims narrower than the method resolves"},
    {LIMIT("viscosity", DEW_WATCHED_VISCOSITY, 0), SAYS "what the method adds of its own over a liquid's"},
    {INTEGER("steps", steps, 0, 1e9, 0),
     SAYS "steps from one look to the next, at frames' ends; 0: so many that looking costs about 1 %"},
};
#undef OF
static const dew_property_table watch_table = TABLE("watch", watch, dew_watch_def, .is_flow = true);

#define OF dew_setting_def
static const dew_property settings[] = {
    {AT("path", path), .type = DEW_PROPERTY_TEXT, .flags = DEW_PROPERTY_IS_KEY, SAYS "as --set names it"},
    {AT("value", value), .type = DEW_PROPERTY_SETTING, REQUIRED, SAYS "from then on"},
};
#undef OF
const dew_property_table setting_table = TABLE("set", settings, dew_setting_def, .is_value = true, .is_flow = true);

#define OF dew_change_def
#define SOLID(name, member) AT(name, member), .type = DEW_PROPERTY_SOLID, .flags = DEW_PROPERTY_SPARSE, .value = {-1}
static const dew_property changes[] = {
    {NUMBER("at", at, "s", 0, INFINITY, 0), REQUIRED, SAYS "when; a step begins there"},
    {LIST("set", set, set_count, &setting_table), .flags = DEW_PROPERTY_KEYED,
     SAYS
     "what is another from then on, as --set names it: {materials.water.surface_tension: 0.03, gravity: [0, 0, 0], "
     "solids.plate.contact_angle: 30 deg}, or {advancing: 60 deg, receding: 20 deg}"},
    {SOLID("remove", remove), SAYS "name of a solid that is gone from then on"},
    {SOLID("release", release), SAYS "name of a rigid body that is held until then"},
};
#undef OF
const dew_property_table change_table = TABLE("change", changes, dew_change_def, .is_flow = true);

#define OF dew_simulation_def
static const dew_property simulation[] = {
    {AT("title", title), .type = DEW_PROPERTY_TEXT, .text = "", SAYS "one line for people"},
    {AT("method", method), .type = DEW_PROPERTY_METHOD, .text = "pbf",
     SAYS "how the liquid is simulated, see `dew list methods`; the option --method replaces it"},
    {INTEGER("dimension", dimension, 2, 3, 3), .flags = DEW_PROPERTY_BASIS,
     SAYS
     "3, or 2 where the method can: then everything lies in the plane z = 0, and gravity is [0, -9.81, 0] if it is "
     "not given"},
    {NUMBER("spacing", spacing, "m", 0, INFINITY, 0), REQUIRED | DEW_PROPERTY_ABOVE | DEW_PROPERTY_BASIS,
     SAYS "distance between particles, for example 0.1 mm; halving it makes eight times as many"},
    {INTEGER("filling", filling, 0, 2147483647, 0), SAYS
     "0: liquids are filled from a lattice as it lies; another number turns and shifts it: the same liquid in other "
     "particles, which shows how far results scatter"},
    {NUMBER("duration", duration, "s", 0, INFINITY, 1), .flags = DEW_PROPERTY_BESIDE, SAYS "simulated time"},
    {NUMBER("frame_rate", frame_rate, "1/s", 0, INFINITY, 60), ABOVE,
     SAYS "frames per second of simulated time; a scene shorter than a second has 60 if it is not given"},
    {VECTOR("gravity", gravity, "m/s2"), .value = {0, 0, -9.81}, SAYS "acceleration"},
    {INTEGER("max_particles", max_particles, 0, 2147483647, 0), SAYS "emitters stop there; 0: no limit"},
    {RECORD("domain", domain, &domain_table), .flags = DEW_PROPERTY_BASIS,
     SAYS
     "a box whose faces are walls, periodic, symmetry planes, or where liquid leaves; open to all sides if left out"},
    {LIST("materials", materials, material_count, &material_table), REQUIRED | DEW_PROPERTY_KEYED, .min = 1, .max = 255,
     SAYS "the liquids' properties by name, for example {water: {density: 998}}"},
    {LIST("interfaces", interfaces, interface_count, &interface_table), .feature = DEW_FEATURE_INTERFACES,
     SAYS "the tension where two materials meet, for each pair whose is known"},
    {LIST("liquids", liquids, liquid_count, &liquid_table), SAYS "bodies of liquid at the start"},
    {LIST("solids", solids, solid_count, &solid_table), SAYS "obstacles, at rest, moving or moved by the liquid"},
    {LIST("joints", joints, joint_count, &joint_table), SAYS "what holds rigid bodies to each other and to solids"},
    {LIST("emitters", emitters, emitter_count, &emitter_table),
     SAYS "where liquid flows in; there must be a liquid or an emitter"},
    {RECORD("heat", heat, &heat_table), .has_offset = offsetof(OF, has_heat),
     SAYS "how the liquid is heated and cooled"},
    {LIST("changes", changes, change_count, &change_table),
     SAYS "what is set at a time during the run: a property, a solid that goes, a body let loose"},
    {LIST("probes", probes, probe_count, &probe_table), .flags = DEW_PROPERTY_BESIDE,
     SAYS "series of measurements, written to probes.csv"},
    {RECORD("watch", watch, &watch_table), .flags = DEW_PROPERTY_BESIDE,
     SAYS "beyond which of these a run warns, as shares (2 %); 0: never"},
};
#undef OF
static const dew_property_table simulation_table = TABLE("the scene", simulation, dew_simulation_def);

const dew_property_table *dew_schema(void) { return &simulation_table; }
