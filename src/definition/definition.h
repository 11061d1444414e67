/* Definitions by their tables (dew/schema.h): defaults, checks, fingerprints. */
#ifndef DEFINITION_DEFINITION_H
#define DEFINITION_DEFINITION_H

#include "base/result.h"
#include "dew/definition.h"
#include "dew/method.h"
#include "dew/schema.h"

extern const dew_property_table shape_table, ridges_table, material_table, liquid_table, emitter_table, solid_table,
    motion_table, rigid_table, joint_table, hysteresis_table, heat_boundary_table, heat_source_table, domain_table,
    probe_table, interface_table, setting_table, change_table;

/* --- one property --- */

/* Whether an object has the property at all: other kinds of a tagged union's, values that are not there or that others
 * replace it has not. */
bool property_counts(const dew_property_table *table, const dew_property *p, const void *object);
/* The record that stands in the place of a number (`either`), or the property itself. */
const dew_property *property_in_use(const dew_property *p, const void *object);
/* Whether the value is not the default. */
bool property_is_given(const dew_property *p, const void *object);
/* Whether a value matters: not what belongs to heat, or to what is dissolved, where that is not followed. */
bool property_matters(const dew_property *p, const dew_simulation_def *def);
/* The structures that a RECORD or LIST consists of, and their number. */
const void *property_items(const dew_property *p, const void *object, int *count);
/* The function, or three of a VECTOR, that may stand for the value; NULL where there is no room for any. */
const dew_function *property_functions(const dew_property *p, const void *object);
/* Of a key that there was, what says the same now; NULL: there is nothing. */
const char *definition_replacement_of(const char *key);
/* What is wrong with a number ("is -1 m; it must be above 0"); false: nothing. */
bool property_is_wrong(const dew_property *p, double value, char *text, size_t size);
/* The unit as people write it after a number: "" for pure numbers. */
const char *unit_suffix(const char *unit);

/* --- definitions --- */

void definition_set_defaults(const dew_property_table *table, void *object);

/* What a check asks others. */
typedef struct definition_judge {
    const dew_method_info *method;            /* whose features the definition may use; NULL: any */
    const char *(*who_can)(unsigned feature); /* advice: which methods have it */
    unsigned may_change;                      /* of the method, see methods/method.h */
    const char *(*who_may)(int what);         /* advice: which methods can take another world_property in a run */
    /* Makes a shape of whose numbers a table does not tell all, and throws it away; NULL: they are made later. Where it
     * is there, values that do not matter are checked too. */
    dew_result (*try_shape)(const dew_shape_def *shape, double spacing);
} definition_judge;

/* Notes all that is wrong in a definition, each with its path. False where a list is announced but not there. */
bool definition_check(const dew_simulation_def *def, const definition_judge *judge, failures *all);
/* Notes all that is wrong in one property of the definition ("solids"), whatever the method. */
void definition_check_part(const dew_simulation_def *def, const char *key, failures *all);
/* Notes all that is wrong in a structure, which is said to stand at `path`. */
void definition_check_record(const dew_property_table *table, const void *object, const char *path, failures *all);
dew_result definition_check_shape(const dew_shape_def *shape);

/* Elasticity, which one of two moduli gives, Pa; 0: it flows. */
double definition_shear_modulus(const dew_material_def *m);
double definition_youngs_modulus(const dew_material_def *m);

/* Between two materials, N/m: what the definition gives, else what their tensions differ by (Antonow 1907). */
double definition_tension_between(const dew_material_def *materials, const dew_interface_def *interfaces, int count,
                                  int first, int second);

/* The slip length of a wall (m), where `given` is NaN the one that the method takes, NULL: free. */
double definition_slip_length(double given, double friction, const dew_method_info *method);
/* Puts it into all solids and walls of the definition. */
void definition_set_slip_lengths(dew_simulation_def *def, dew_solid_def *solids, const dew_method_info *method);

/* The solid as one material meets it: what `wets` says of that stands in place of the solid's own. */
dew_solid_def definition_solid_of(const dew_solid_def *solid, int material);
/* The materials that are liquids with a tension, from the first on: a gas has none. */
int definition_liquid_count(const dew_simulation_def *def, const dew_method_info *method);
/* The solid with its contact angle or surface energy such as all materials have on it; *is_same: they have. */
dew_solid_def definition_plain_solid(const dew_simulation_def *def, const dew_solid_def *solid, bool *is_same);

/* Values for the method's parameters from its table and the definition, which has been checked. */
void definition_parameters(const dew_simulation_def *def, const dew_method_info *info, double *values);
/* A hash of all that decides a run's course: not of the duration, the probes or the threads. */
uint64_t definition_fingerprint(const dew_simulation_def *def, const dew_method_info *info, const double *parameters);

#endif
