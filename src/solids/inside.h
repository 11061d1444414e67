/* Inside solids: what one consists of. */
#ifndef SOLIDS_INSIDE_H
#define SOLIDS_INSIDE_H

#include "geometry/shape.h"
#include "solids/body.h"
#include "solids/constraints.h"
#include "solids/motion.h"
#include "solids/solids.h"

/* How a liquid wets a solid. */
typedef struct wetting {
    double advancing, receding; /* degrees */
    double cos_advancing, cos_receding, solid_energy, between_energy;
    bool has_surface_energy;
} wetting;

typedef struct solid {
    char name[64];
    shape *shape; /* in its own frame: as defined */
    wetting wetting;
    struct wetting *of_material; /* of each material, where they wet it differently; NULL: all alike */
    int materials;
    double slip_length, friction, adhesion, body_friction;
    bool is_visible, is_removed;
    motion motion;
    body *body;        /* NULL: its motion is prescribed */
    double arm;        /* the farthest that a point of it is from the pivot, or a body's from its centre of mass */
    pose pose, before; /* now; at the step's beginning, of one whose motion is prescribed */
    twist twist;
    triangle_mesh mesh; /* own frame, made when first asked for */
    bool has_mesh;
    float *vertices;           /* of the mesh, in the present place */
    dew_solid_impulse got;     /* from the liquid, about the origin */
    dew_vec3 part[PUSH_KINDS]; /* of got.step.linear */
    dew_vec3 shift;            /* solids_shift: sums in this step of mass times way, kg m, and of mass, kg */
    double shifted;
    dew_vec3 idle; /* solids_take_idle: sum in this step, N m s */
    real4 *points; /* of its surface, own frame: where it may touch; NULL where no body is near */
    int point_count;
} solid;

/* A body that impulses move; NULL: it is held, or none. */
static inline body *free_body(const solid *b) { return b->body && b->body->state.is_held == 0 ? b->body : NULL; }

struct dew_solids {
    solid *solid;
    int count, own; /* own: of the definition; then come walls */
    int dimension;
    double spacing;
    const dew_method_info *method; /* while they are made */
    solid_pushes *pushes;          /* for each block of a pass one of each solid */
    double work;                   /* from outside in this step, J: see solids_work */
    dew_vec3 frame;                /* velocity of the frame that the step is seen in, m/s */

    int body_count;
    bool has_moved_bodies; /* in this step */
    dew_joint_def *joints; /* by the indices of solids */
    int joint_count;
    constraints *constraints; /* NULL: there are no bodies */
    constrained *held;        /* one a solid, for them */
    body_move *moves;         /* the same */
    contact_point *contacts;
    int contact_room, contact_count; /* count: of the last step */
    real4 *candidates, *walls;       /* room for the points of any solid, and what is found there */
};

/* --- bodies.c --- */

/* Makes the bodies of solids whose shapes are made, and what holds them. What is wrong is noted at its path. */
dew_result bodies_create(solids *s, const dew_simulation_def *def, failures *all);
void bodies_destroy(solids *s);
/* Puts them where they would be after dt if nothing acted on them. */
void bodies_place(solids *s, double dt);

/* --- touching.c --- */

/* Points of a shape's surface, `cell` apart; in two dimensions of its outline. None for a shape without an end. */
dew_result touching_sample(const shape *s, int dimension, double cell, real4 **points, int *count);
/* Where two solids touch, or would within the step; returns how many of `room` were written. */
int touching_find(const solids *s, int first, int second, double dt, contact_point *found, int room);
/* How deep the one is in the other, m; below 0: they are apart. */
double touching_depth(const solids *s, int first, int second);

/* A pass is cut into at most so many blocks. */
enum { PUSH_BLOCKS = 128 };
/* What one block of a pass gives to one solid; angular impulses are about the origin. */
struct solid_pushes {
    dew_impulse sum;
    dew_vec3 part[PUSH_KINDS]; /* of the linear one, by kind */
    dew_vec3 shift;            /* mass times way, kg m */
    double shifted;            /* mass, kg */
    dew_vec3 idle;             /* what solids_take_idle has taken */
    body_tied tied;
};

#endif
