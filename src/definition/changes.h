/* What is set during a run: which numbers of a scene can be, where the paths of changes lead, and all changes as one
 * row in time. */
#ifndef DEFINITION_CHANGES_H
#define DEFINITION_CHANGES_H

#include "definition/definition.h"

/* What may be set during a run, between steps: of the scene, of one of its materials, of one of its solids. What a
 * solid is (there, held) is set by `remove` and `release`, whatever the method. */
typedef enum world_property {
    WORLD_GRAVITY,
    WORLD_VISCOSITY,
    WORLD_SURFACE_TENSION,
    WORLD_YOUNGS_MODULUS,
    WORLD_SHEAR_MODULUS,
    WORLD_YIELD_STRESS,
    WORLD_RELAXATION_TIME,
    WORLD_CONTACT_ANGLE, /* of hysteresis the advancing one */
    WORLD_RECEDING_ANGLE,
    WORLD_SLIP_LENGTH,
    WORLD_FRICTION,
    WORLD_ADHESION,
    WORLD_IS_REMOVED,
    WORLD_IS_HELD,
    WORLD_PROPERTIES,
    /* No number of its own: whether a modulus may be set from 0 to another value, or to 0. */
    WORLD_ELASTICITY = WORLD_PROPERTIES
} world_property;

typedef enum world_owner { OF_SCENE, OF_MATERIAL, OF_SOLID } world_owner;

/* In the order of world_property, owners one after the other. */
typedef struct world_number {
    const char *key; /* in its structure; NULL: no path leads to it */
    world_owner owner;
    const dew_property *property; /* found by the key */
} world_number;
world_number world_number_of(world_property what);
/* What a number of a material is, in a definition of it. */
double *world_number_in(world_property what, dew_material_def *material);

/* The index, among solids, that stands for all walls of the domain. */
enum { ALL_WALLS = -1 };

/* One number, or gravity, that is another from a time on. */
typedef struct change_step {
    double at; /* s */
    world_property what;
    int index;      /* of the material or solid; ALL_WALLS */
    dew_vec3 value; /* of a number x; of a contact angle x advancing, y receding */
} change_step;

/* Why a path leads nowhere, and what would be right ("": nothing to say). */
typedef struct change_fault {
    char text[192], advice[192];
} change_fault;
/* Where the path of a setting leads ("materials.water.viscosity"). False with the reason where nothing can be set. */
bool change_find(const dew_simulation_def *def, const char *path, world_property *what, int *index,
                 change_fault *fault);
/* A regular expression of the paths that lead somewhere. */
void change_pattern(char *text, size_t size);

/* What a setting sets, as in change_step. */
dew_vec3 change_value(world_property what, const dew_setting_def *setting);
/* All changes of a definition that has been checked, in the order in which they are made; returns their number. NULL:
 * only counts. */
int changes_list(const dew_simulation_def *def, change_step *steps);
/* How many of them have been made when a frame ends at `time`. One that falls on it is made as the next step begins. */
int changes_made(const change_step *steps, int count, double time, double frame_rate);
/* Times (s) within this of each other are the same. */
static inline double changes_least_time(double frame_rate) { return 1e-9 / frame_rate; }
/* Bits 1 << world_property: what changes in a run of the definition. */
unsigned changes_all(const dew_simulation_def *def);

/* Notes all that is wrong in the changes of a definition. */
void changes_check(const dew_simulation_def *def, const definition_judge *judge, failures *all);

#endif
