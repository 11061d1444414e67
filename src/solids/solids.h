/* Solids and walls as the liquid meets them: distances, normals, velocities, contact angles. Walls of the domain are
 * solids too, after those of the definition. */
#ifndef SOLIDS_SOLIDS_H
#define SOLIDS_SOLIDS_H

#include "base/bounds.h"
#include "base/real.h"
#include "base/result.h"
#include "definition/changes.h"
#include "dew/simulation.h"

typedef struct dew_solids solids;

/* Checks the definitions, prepares distance fields (meshes sampled at `spacing`-related resolution), places them at
 * time 0. */
dew_result solids_create(solids **s, const dew_simulation_def *def);
/* Makes the solids of a definition whose mistakes are in `all`: leaves out the solids that have any, and adds why
 * others cannot be made. Fails for want of memory only. `method`: whose slip length those have that name none; NULL:
 * they are free. */
dew_result solids_create_right(solids **s, const dew_simulation_def *def, const dew_method_info *method, failures *all);
void solids_destroy(solids *s);

int solids_count(const solids *s); /* walls included */
/* The shape of a solid as it is defined, not moved; NULL for walls of the domain. */
const struct shape *solids_shape(const solids *s, int solid);
/* Whether it is where its definition has it. */
bool solids_is_in_place(const solids *s, int solid);
typedef struct solid_info {
    const char *name;
    /* Young's, in the liquid: from surface energies where given, for `surface_tension`; of hysteresis the mean of the
     * two that follow, which else are the same. */
    double cos_contact_angle, cos_advancing, cos_receding;
    double slip_length; /* m; 0: it holds the liquid, INFINITY: the liquid slips freely */
    double friction, adhesion;
    bool is_moving; /* at any time of the scene: by its motion, or as a body; as a step sees it: solids_is_moving */
    bool has_surface_energy; /* from which its angle follows */
    double adhesion_work;    /* to part the liquid from it, J/m2 (Dupre): solid + surface tension - between */
} solid_info;
/* `surface_tension` (N/m) matters only to solids given by surface energies. */
solid_info solids_info(const solids *s, int solid, double surface_tension);
/* As one of the materials meets it, where they wet it each in its own way (DEW_FEATURE_WETTING_PAIRS). */
solid_info solids_info_of(const solids *s, int solid, int material, double surface_tension);
/* Whether any of them holds the liquid: slips less than freely. */
bool solids_hold(const solids *s);

/* What may be set of a solid during a run (world_property): the contact angle in degrees, of advancing and receding
 * too, where setting the one that it has changes nothing, and no other has an effect on a solid that is given by
 * surface energies; slip length (m); friction; adhesion; whether it has been removed, or is held: 0, 1. */
void solids_set(solids *s, int solid, world_property what, double value);
double solids_number(const solids *s, int solid, world_property what);
/* A solid that has been removed keeps its index; nothing is near it, nothing pushes it, it has no mesh. */
bool solids_is_removed(const solids *s, int solid);
/* Walls of the domain: from this index on. */
int solids_first_wall(const solids *s);

/* Begins a step: places every solid where it is at time `end`, a body where it would be if nothing acted on it;
 * velocities are the mean over [begin, end], of bodies those that they have; impulses of the step are 0. begin == end:
 * solids whose motion is prescribed are at rest there, bodies as they are. */
void solids_place(solids *s, double begin, double end);
/* The largest speed over [time, time + interval] of the surface of any solid, m/s: a bound for the step. Of a body only
 * the present is known, and what it gained in the last step. */
double solids_max_speed(const solids *s, double time, double interval);
/* The same, but of a solid that is farther from this box than a spacing, and a body that is from other solids, too, its
 * speed times spacing over distance: in a step in which it goes by a spacing at that speed it comes no nearer. */
double solids_speed_beside(const solids *s, double time, double interval, bounds liquid);
/* Whose speed the largest is; -1: all are at rest. */
int solids_fastest(const solids *s, double time, double interval, double *speed);

/* Until solids_leave_frame, solids are seen in a frame that moves evenly with this velocity (m/s), and was that of the
 * scene when the step to come begins: where and how fast they are at its end (solids_place), and how fast they may
 * come to be. Impulses and work stay those of the scene. Not where there are rigid bodies. */
void solids_enter_frame(solids *s, dew_vec3 velocity);
/* After a step of dt, or 0 where none was taken: solids are where the scene has them. */
void solids_leave_frame(solids *s, double dt);
/* The mean velocity that a solid's material at a point will have over [time, time + interval], m/s; of a body the one
 * it has. */
dew_vec3 solids_coming_velocity(const solids *s, int solid, dew_vec3 point, double time, double interval);
bool solids_has_bodies(const solids *s);

/* For each of `count` points: signed distance (m, negative inside) to one solid in its present place, in .w, and the
 * outward unit normal (the distance's gradient) in x, y, z. Where a point is farther than `band` outside, .w is only a
 * bound from below >= band, and the normal may be zero. */
void solids_distance(const solids *s, int solid, double band, int count, const real4 *points,
                     real4 *normal_and_distance);
/* The nearest solid of all: as above; which[i] = its index, -1 if none is within `band`. */
void solids_nearest(const solids *s, double band, int count, const real4 *points, real4 *normal_and_distance,
                    int32_t *which);
/* Of a solid that does not seem a plane. */
typedef struct solids_bend {
    real farther; /* what of the mean distance comes of bends that go on alike to both sides, as on a ball, and not of
                   * an edge: of two opposite points the one that is less off counts for both; m */
    real slope;   /* of the mean distance along the normal: the mean of the normals, along the nearest face's */
} solids_bend;
/* How far a solid seems to be to a kernel, which thinks it a half space: makes .w of what solids_distance has told of
 * these points the mean of the distances on a ring around each, across the normal. The half space so far away fills as
 * much of the kernel as the solid does, to first order in its mean curvature, where radius^2 is the mean of the squared
 * distance from the centre over a plane through it, weighted by the kernel. Planes, and points farther than `band`,
 * are left as they are; where the ring meets another face at an edge that points inwards, this one goes on as a plane.
 * `bend`, or NULL: how it comes to be so. */
void solids_mean_distance(const solids *s, int solid, double radius, double band, int count, const real4 *points,
                          real4 *walls, solids_bend *bend);
/* What a solid has around a point beside the face that solids_distance told of (`nearest`): faces that meet it at an
 * edge that points inwards, as a cup's wall meets its floor, or that lie opposite in a slot. Each as if it went on as a
 * plane: outward normal, distance of the point (m) below `reach` in .w. How many there are, the nearest
 * SOLID_FURTHER_FACES at most. Faces are told apart from 30 degrees on. */
enum { SOLID_FURTHER_FACES = 2 };
int solids_further_faces(const solids *s, int solid, double reach, real4 point, real4 nearest, real4 *further);
/* Where a face that solids_distance has told of (`nearest`) ends before the foot of its point, the nearest becomes the
 * edge, its normal the way from there to the point: the distance from a difference of shapes is the greatest of its
 * parts', and off an edge, as below the mouth of a pipe, it is that of a face that goes on over nothing. */
void solids_find_edges(const solids *s, int solid, double reach, int count, const real4 *points, real4 *nearest);
/* Whether the nearest place of a solid is on an edge that points outwards, from 30 degrees on, and then the outward
 * normals of its two faces. */
bool solids_edge(const solids *s, int solid, real4 point, real4 nearest, real3 face[2]);
/* Whether what two solids have about a point, `a` the nearer, is one face, which counts once: a disc let into a plate,
 * tape on a table. At the foot of the one's face, a tenth of the reach behind or before it, lies the other; of tiles
 * side by side it doesn't. Faces as solids_distance tells of them. */
bool solids_share_face(const solids *s, double reach, real4 point, int a, real4 face_a, int b, real4 face_b);
/* Velocity of the solid's material at a point, m/s. */
real3 solids_velocity(const solids *s, int solid, real3 point);
/* Whether any of it moves in this step, as the step sees it: in a frame that goes with another solid what is at rest
 * moves. */
bool solids_is_moving(const solids *s, int solid);
/* The angular velocity of a solid, 1/s. */
real3 solids_spin(const solids *s, int solid);

/* --- what the liquid gives to solids --- */

/* A method reports every impulse that it takes from the liquid for a solid: pressure, adhesion, friction, the pull of a
 * contact line, what moves particles out of a solid. Momentum of liquid and solids together then changes by gravity
 * and inflow alone. Sums are made in fixed blocks that are added in order: the same bytes for any number of threads. */
typedef struct solid_pushes solid_pushes;
/* What an impulse comes of: what presses or draws along the normal; viscosity, friction and what else holds liquid
 * along the solid; the tension that ends at a contact line. PUSH_WHOLE: the method cannot tell. */
typedef enum push_kind { PUSH_PRESSURE, PUSH_SHEAR, PUSH_LINE, PUSH_WHOLE, PUSH_KINDS } push_kind;
/* A pass over [begin, end) that may push solids; all else that it writes must depend on its own range alone. */
typedef void solids_pass(int begin, int end, void *context, solid_pushes *to);
/* Runs the pass over [0, count) in parallel. */
void solids_each(solids *s, int count, solids_pass *pass, void *context);
/* The liquid gives `solid` this impulse (N s, in two dimensions N s per m of depth) at a point. */
void solids_push(solid_pushes *to, push_kind kind, int solid, real3 point, real3 impulse);
/* A solid shifts so much mass (kg) that is near it by this way without a velocity. What all of that makes since
 * solids_place is the mean over the mass, m. */
void solids_shift(solid_pushes *to, int solid, real mass, real3 way);
real3 solids_mean_shift(const solids *s, int solid);
/* So much liquid (kg) at this point is tied to a body, as the method cannot tell it from the body's own motion: in this
 * step it counts with the liquid that the body accelerates along (body.c). */
void solids_tie(solid_pushes *to, int solid, real3 point, double mass);
/* And this moment of impulse beside, N m s. */
void solids_turn(solid_pushes *to, int solid, real3 moment);
/* Takes back what an impulse at a point, or a moment, has given a body about axes about which its surface goes over
 * into itself: forces that have an energy, as pressure's and tension's, have no moment there, and what passes make of
 * it is noise. Nothing of other solids. solids_idle: all of that since solids_place, which is still the liquid's, N m
 * s. */
void solids_take_idle(const solids *s, int solid, real3 point, real3 impulse, solid_pushes *to);
void solids_take_idle_moment(const solids *s, int solid, real3 moment, solid_pushes *to);
dew_vec3 solids_idle(const solids *s, int solid);
/* An impulse that several solids give the liquid together, given back to each: what a particle cannot tell apart, as
 * one sum over its kernel stands for all. `wall`: outward normals, the nearest solid first; what is along the normal of
 * one is that one's, what is along none the first's. count <= 3. */
void solids_push_together(solid_pushes *to, push_kind kind, int count, const int32_t *solid, const real4 *wall,
                          real3 point, real3 impulse);
/* The impulses that a solid has got, about a point: in the step last begun, and in all steps since `since`. */
dew_solid_impulse solids_impulse(const solids *s, int solid, dew_vec3 about);
/* Of the linear impulse that a solid has got in the step last begun the part of a kind, N s; NaN where the method gave
 * it any that it could not tell apart. */
dew_vec3 solids_part(const solids *s, int solid, push_kind kind);
/* The work that came from outside in the step last begun, J: of solids whose motion is prescribed on the liquid, and of
 * contacts and joints on bodies. */
double solids_work(const solids *s);
/* Sets all sums of impulses to 0; they count from `time` on. */
void solids_forget_impulses(solids *s, double time);

/* --- rigid bodies --- */

/* Bodies move by what the liquid has given them since they moved last, gravity, contacts and joints, over a step that
 * solids_place began; once a step, further calls do nothing. Afterwards they are where they are at the step's end, with
 * the velocities that they have then. What is given to a body after that counts in the next step. */
struct body_surroundings;
/* Counts the particles next to each body, which tell how much of it the liquid touches. Before solids_advance_bodies.
 */
void solids_find_touching(solids *s, int count, const real4 *positions);
void solids_advance_bodies(solids *s, const struct body_surroundings *around, double dt);
/* The shortest time in which drag in such liquid would take a free body's velocity, s; infinite where there is none. */
double solids_drag_time(const solids *s, const struct body_surroundings *around);
bool solids_is_body(const solids *s, int solid);

/* Where a solid stands, and what it does. */
typedef struct solid_stand {
    dew_vec3 centre;         /* of mass; of a solid whose motion is prescribed, its pivot */
    dew_vec3 rotation;       /* against the definition: a rotation vector, rad */
    dew_vec3 velocity, spin; /* of the centre, m/s; 1/s */
    double mass, energy;     /* kg; kinetic, J; of a body */
    double size;             /* its volume, m3 (2D: area of its section) */
    bool is_body, is_free;   /* free: a body that is not held */
    int left_by; /* the face by which a body left the domain first (solids_note_leaving), 1 + 2 axis + side; 0: none */
    double left_at;                   /* s */
    int crushed_into, crushed_by;     /* the solid in which a body first was deep (solids_note_crushed), and that which
                                       * pressed it there, 1 + index; 0: none */
    double crushed_at, crushed_depth; /* s, m */
} solid_stand;
solid_stand solids_stand(const solids *s, int solid);
/* Notes which bodies have left a domain by a face that does not hold them, a periodic one, a plane of symmetry or one
 * by which liquid flows out. */
void solids_note_leaving(solids *s, const dew_domain_def *domain, double time);
/* Notes which bodies are deep in another solid: contacts could not keep them out, as they are pressed from the other
 * side by what goes where it is told, or were there when they were let go. */
void solids_note_crushed(solids *s, double time);
/* The momentum of a body, and its angular momentum about the origin, with all that it has been given and that does not
 * move it yet: of liquid and bodies together it is constant in free space. 0 of other solids. */
dew_impulse solids_momentum(const solids *s, int solid);
/* All of a body that a snapshot keeps, `count` numbers; NULL for other solids. After a change solids_place. */
double *solids_state(const solids *s, int solid, int *count);
/* The first SOLIDS_STANCE of them: where it is and how it moves, as files of frames keep it. */
enum { SOLIDS_STANCE = 13 };
/* Puts a body there, at rest or moving as it says; false where these are no numbers, or no stance. */
bool solids_set_stance(solids *s, int solid, const double *stance);
/* Triangles for pictures, in the present place (see dew_solid_mesh); planes and walls are not meshed. */
dew_result solids_mesh(const solids *s, int solid, dew_solid_mesh *mesh);

#endif
