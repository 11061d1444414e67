/* What laws compute as theory, and what they measure on frames in a way of their own, open to tests against the
 * reference data beside them. Each is defined in its law. */
#ifndef LAWS_THEORY_H
#define LAWS_THEORY_H

#include "measure.h"

/* Mode n = 2 of a free drop (dimension 3) or disc (2) in units sqrt(gamma/(rho R^3)), by Oh = mu/sqrt(rho gamma R) in
 * 0..0.2; NaN beyond. */
void theory_drop_mode(int dimension, double ohnesorge, double *omega, double *beta);

/* Neck radius over R of the stable catenoid between rings `separation` R apart; beyond the last one, of a catenoid
 * through its smallest ratio of neck to separation. */
double theory_catenoid_neck(double separation);

/* Radius of the sphere that bounds a drop of this volume which meets a solid at the contact angle of this cosine; the
 * solid is a ball about the origin of radius `bend`, or all beyond the sphere of radius -bend, or a half space (0).
 * *height: of its centre above the plane or the origin. */
double theory_cap_radius(double bend, double cosine, double volume, double *height);
/* Surface energy over gamma of such a drop, whatever angle it meets the solid at (both in degrees), where the contact
 * angle is theta: free area less cos(theta) times the wet one. */
double theory_cap_energy(double bend, double angle, double theta, double volume);

/* Radius of the sphere that bounds a drop of this volume on a plane, or of the circle that bounds one of this area on a
 * line (dimension 2). *height: of its centre above it. */
double theory_cap(int dimension, double cosine, double volume, double *height);
/* Surface energy over gamma of such a drop of two dimensions, a metre deep; angles in degrees. */
double theory_segment_energy(double angle, double theta, double area);

/* Volume over r^3 of the drop that falls from a tip of radius r on which it has grown slowly; bond = rho g r^2/gamma.
 * From measurements, for 0.3 < r/V^(1/3) < 1.2. */
double theory_falling_drop(double bond);
/* Their psi: weight over 2 pi r gamma, of ratio = r/V^(1/3). */
double theory_harkins_brown(double ratio);

/* (T - T_out)/(T_0 - T_out) at `r` (over R) of a disc (dimension 2) or a ball (3) that cools through its surface, by
 * biot = h R/k and fourier = k t/(rho c R^2). */
double theory_robin(int dimension, double biot, double fourier, double r);

/* lambda of the front s = 2 lambda sqrt(alpha t) at which a solid melts, by stefan = c (T_wall - T_melting)/L. */
double theory_stefan(double stefan);

/* Amplitude over that at the start of a standing wave of wave number k on a pool, let go from rest: viscous =
 * nu k^2/omega0, depth = k H over a floor that lets slip, time in 1/omega0, omega0^2 = g k + gamma k^3/rho. */
double theory_standing_wave(double viscous, double depth, double time);
/* Amplitude (m) of a wave along x, symmetric about 0, of a pool over a floor of this area (2D: length). */
double measure_standing_wave(const dew_frame *frame, double wave_length, double area);

/* Least rate, in gamma/(mu R), at which the mode n = 2 of a drop (dimension 3) or disc (2) of high viscosity dies, by
 * Oh = mu/sqrt(rho gamma R); NaN where it swings. */
double theory_creeping_drop(int dimension, double ohnesorge);

/* Rate, in sqrt(gamma/(rho a^3)), at which a wave of x = k a grows on a column of radius a, by Oh = mu/sqrt(rho gamma
 * a).
 */
double theory_column(double ohnesorge, double x);

/* Radius (m) of the bridge between two bodies, by the liquid within half_width of the plane x = 0; is_half: a plate
 * cuts it in half. In two dimensions half its width. */
double measure_bridge(const dew_frame *frame, double half_width, bool is_half);
/* Semi-axis of a ball by its mass's moments over its radius, the worst of three, less 1; is_half: the half above z = 0.
 * In two dimensions of a disc, the worst of two, the half above y = 0. */
double worst_semi_axis(const bulk *b, double radius, bool is_half);
/* C of neck/R = C sqrt(t) by a series of (neck/R)^2; NaN where it does not reach 0.65. */
double coalescence_coefficient(const series *square);

/* T = t sqrt(2 g/a) at which the front of a column of water, twice as high as its width a, is `place` a from the back,
 * as measured by Martin and Moyce (1952), 1.11 to 4.11; NaN beyond. */
double theory_front_time(double place);
/* The place (m) that `row` particles, at most 16, have passed along x, half a spacing added. */
double measure_front(const dew_frame *frame, int row);
/* Density over that at rest of the lower part of a pool on a floor (height 0) of this area: whole up to a fifth of the
 * depth that the particles' volume has, fading out at three fifths. */
double measure_filling(const dew_frame *frame, double area);

/* Plates or a tube in a tank, about x = 0 or the vertical axis, lengths in m (in 2D areas are lengths, perimeters
 * numbers). */
typedef struct vessel {
    bool is_tube;
    int dimension;
    double half, outer;           /* from the middle to the inner and the outer face */
    double edge;                  /* height of the lower edge above the floor */
    double area[2], perimeter[2]; /* inside, outside */
} vessel;
/* Mean level above the floor (m) inside or outside, by the volume of the particles above the edge. */
double measure_level(const dew_frame *frame, const vessel *v, bool is_inside);

/* Columns inside and outside of a vessel that is held in a tank, on their way to rest; lengths in m from its edge. */
typedef struct column_flow {
    double ratio;                     /* of the areas, inside over outside */
    double start[2], below;           /* inside, outside at first; length that stands for what is below the edge */
    double friction[2];               /* inside, outside: gradient of pressure over mu times the mean speed, 1/m2 */
    double viscosity, gravity, drive; /* kinematic, m2/s; m/s2; the lines' pull over rho, m2/s2 */
    /* Of lines that slip by a known length, else 0: gamma P/(rho A) inside and outside, m2/s2; theta at rest; 9
     * mu/gamma ln(w/2 over that length), s/m. */
    double pull[2], angle, bend;
} column_flow;
/* The geometry's part: areas, and friction of what holds: plates or tube, and not the tank. */
column_flow column_flow_of(const vessel *v, double half_tank, double below);
/* The level inside above that outside (m) a time (s) after both were let go at rest (Bosanquet 1923). */
double theory_way_up(const column_flow *flow, double time);

/* A bridge between plates without gravity that it meets at an angle (degrees), by its volume; lengths over the plates'
 * distance H, pressure over gamma/H. *middle: root mean square radius of its middle third. */
void theory_bridge(double angle, double volume, double *neck, double *pressure, double *middle);
/* The same in two dimensions, between lines, by its area: half widths of the neck and of the middle third (mean). */
void theory_flat_bridge(double angle, double area, double *neck, double *pressure, double *middle);
/* Root mean square radius (m) of the liquid between two heights, by its volume; in two dimensions its half width. */
double measure_middle(const dew_frame *frame, double from, double to);

/* The part of a ball of radius 1 in a corner of 90 degrees that its surface meets at an angle (degrees, above 45):
 * volume, mean distance from a plane, standard deviation along the corner. */
void theory_wedge(double angle, double *volume, double *centre, double *length);
/* The liquid in a corner of 90 degrees of two dimensions, under an arc of radius 1 that meets both lines at an angle
 * (degrees, up to 90, not 45): area, mean distance from a line, standard deviation across the corner's bisector. */
void theory_flat_wedge(double angle, double *area, double *centre, double *length);
/* Share of the particles within a box. */
double measure_kept(const dew_frame *frame, dew_vec3 min, dew_vec3 max);
/* How far beyond z = cut (m) nineteen twentieths of the particles there lie; NaN: fewer than 20 are there. */
double measure_finger(const dew_frame *frame, double cut);

/* Largest spread of a drop that hits a plate at the contact angle (degrees), over its diameter (Lee et al. 2016). */
double theory_impact_spread(double weber, double reynolds, double angle);
/* Mean radius (m) of the outline, seen from above, of the liquid below a height, by the outermost particles in twelve
 * sectors; in two dimensions half its width. */
double measure_outline(const dew_frame *frame, double below);

/* Velocity over that of the wall in a vessel of radius 1 that began to turn, at a distance r from its axis, time in
 * R^2/nu.
 */
double theory_spin_up(double r, double time);

/* A plate of length 1 along a stream of speed 1 and density 1, a lid at a height (INFINITY: none) over it. */
typedef struct plate_theory {
    double drag;     /* of a side and width */
    double momentum; /* thickness times (u_e/U)^2 at a place */
} plate_theory;
plate_theory theory_plate(double reynolds, double height, double place);
/* The same thickness (m) of the layer on a floor (height 0) that goes along x at `speed` in liquid at rest, by the
 * particles within two spacings of x = at, below a lid at `height`. */
double measure_momentum_thickness(const dew_frame *frame, double at, double height, double speed);

/* Heights (over the box's sides) at which the law `cavity` knows velocities along the lid (over the lid's), and these.
 */
enum { CAVITY_PLACES = 15 };
extern const double theory_cavity[CAVITY_PLACES][2];
/* Velocities over `speed` at these heights of a box of sides `length`, on the upright through its middle. */
void measure_cavity(const dew_frame *frame, double length, double speed, double found[CAVITY_PLACES]);

/* Thickness, over a_c = sqrt(gamma/(rho g)), of the film on a plate drawn from a bath, by Ca = mu U/gamma, 0.1 at most.
 */
double theory_coated_film(double capillary);
/* Mean thickness (m) of what there is between two heights on a plate of this width (2D: 1). */
double measure_film(const dew_frame *frame, double low, double high, double width);

/* Volume (m3) of the drop that falls slowly from a nozzle (Harkins and Brown). */
double theory_dripping(double radius, double density, double tension, double gravity);
/* Volume (m3) of the first drop that falls from a nozzle through which liquid flows at `speed`, after a half ball: by
 * the equations of slender jets; NaN: none falls. */
double theory_slender_drop(double radius, double speed, double density, double tension, double viscosity,
                           double gravity);

/* Rivkind and Ryskin's drag of a spherical bubble or drop, by the ratio of its viscosity to the liquid's. */
double theory_bubble_drag(double reynolds, double ratio);
/* Height (m) that a bubble as viscous as the liquid has risen after a time (s) from rest; kinematic viscosity;
 * gas_density over the liquid's. */
double theory_bubble_rise(double diameter, double viscosity, double gas_density, double gravity, double time);
/* Mean of one component of a field over the particles of one material. */
double measure_mean_of(const dew_frame *frame, const char *name, int component, int material);

/* How far the values ever go back on a way of this length and sign, over it. */
double largest_return(const series *s, double way);

/* Angle (radians) that the surface of a drop on the plane z = 0 makes with it at a distance (m) from the line, as if
 * there were no drop's curvature in between; by surface particles. NaN: too few. */
double measure_moving_angle(int count, const double *points, double spacing, double *distance);
/* Slope of the cube of that angle over the capillary number, from what it is at rest on, by series of the foot's radius
 * (m) and of the cube at the same times (s), where that number is from `least` to 0.1; unit: mu/gamma, s/m. */
double line_slope(const series *foot, const series *cube, double rest, double unit, double least);

/* Radius (m) of a thread along z in its middle, of which planes of symmetry leave an eighth, by the mass within
 * half_width (m). Rate (1/s) at which a series of radii falls from `widest` to `thinnest`; NaN: it does not. */
double measure_filament(const dew_frame *frame, double half_width);
double filament_rate(const series *radius, double widest, double thinnest);

/* Of a thread along z, where |z| < half_length (m): mean distance from a particle to the nearest other, in spacings;
 * the particles' volume over that of a round thread of their second moment. */
typedef struct drawn_found {
    double nearest, density;
} drawn_found;
drawn_found measure_drawn(const dew_frame *frame, double half_length);

/* The amplitude farthest on the other side of a shear wave that yields, over that at the start; yield stress over the
 * stress rho omega U/k that it would reach, relaxation time times omega. And the yield stress by that amplitude. */
double theory_yield_swing(double yield, double relaxation);
double yield_by_swing(double least, double relaxation);

/* Speed (m/s) of the plug of a film of Bingham's liquid, by the stress at its foot, its yield stress (Pa), height and
 * viscosity beyond; and the yield stress by that speed. */
double theory_bingham_plug(double stress, double yield, double height, double viscosity);
double yield_by_plug(double stress, double speed, double height, double viscosity);
/* Mean velocity (m/s) along x of the upper half of a layer. */
double measure_plug(const dew_frame *frame, double height);

/* Force over gamma w that holds a drop with a round outline of width w, by its angles (degrees). */
double theory_retention(double advancing, double receding);
/* The same over gamma, for a metre of depth, in two dimensions. */
double theory_flat_retention(double advancing, double receding);
/* The largest force that is known to be held (NaN: none) and the least that is not, over Furmidge's. */
typedef struct retention_interval {
    double held, slides;
} retention_interval;
/* By a force with which a drop goes so far; it is held if that is below `most`. */
void retention_narrow(retention_interval *of, double force, double way, double most);
double retention_limit(retention_interval of);

/* Mode n = 2 of a drop in another liquid, whose density and viscosity over the drop's are given, within a ball of
 * radius `box` (0: without an end) along which that slips; in units of radius, density of the drop and tension;
 * ohnesorge: the drop's. */
void theory_two_liquid_drop(double density, double viscosity, double ohnesorge, double box, double *omega,
                            double *beta);
/* A drop of material 0 in material 1, of which planes of symmetry may leave an eighth. */
typedef struct drop_in_liquid {
    int count;        /* of the drop's particles */
    double radius;    /* m, of the whole drop */
    double amplitude; /* of the mode n = 2 along z, over the radius */
    double jump;      /* of pressure, Pa; NaN: no particles deep enough */
} drop_in_liquid;
drop_in_liquid measure_drop_in_liquid(const dew_frame *frame, bool is_eighth);
/* The contact angle on z = 0 of a drop of the first material in the second, symmetric about the z axis, or a quarter of
 * it, degrees (law liquid_angle). NaN: there is none. */
double measure_liquid_angle(const dew_frame *frame);

/* Material 0 on a floor (height 0) of this area (2D: length), material 1 on it. */
typedef struct two_layers {
    double middle[2]; /* height of either's mass less that of its own flat layer, over the depth */
    double mixed;     /* share of the particles a spacing or more in the other's layer */
    double pressure;  /* rms deviation of layers a spacing thick over that at the floor; NaN: it is not told */
    double depth;     /* of both, by their volume, m */
} two_layers;
two_layers measure_two_layers(const dew_frame *frame, double area, const double density[2], double gravity);

/* When, and how large, drops have left, by a series of the volume that has (m3). */
enum { DRIP_MOST = 32 };
typedef struct dripping {
    int count;
    double time[DRIP_MOST], volume[DRIP_MOST];
} dripping;
/* A drop is what comes away within `within` seconds, and at least `least` m3. */
dripping measure_dripping(const series *left, double within, double least);
/* Of the liquid's outline with the catheter's outside, degrees, by what is up to `below` under the mouth; NaN: there is
 * too little beside the tube. */
double measure_tube_angle(const dew_frame *frame, double below);

#endif
