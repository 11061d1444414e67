/* What methods there are and which parameters each has: tables for users and for programs. */
#ifndef DEW_METHOD_H
#define DEW_METHOD_H

#include "result.h"
#include "types.h"

typedef enum dew_feature {
    DEW_FEATURE_3D = 1 << 0,
    DEW_FEATURE_2D = 1 << 1,
    DEW_FEATURE_GAS = 1 << 2, /* a second, lighter material that fills bubbles */
    DEW_FEATURE_HEAT = 1 << 3,
    DEW_FEATURE_PLASTIC = 1 << 4, /* elastic materials that yield */
    DEW_FEATURE_RIGID_COUPLING = 1 << 5,
    DEW_FEATURE_CONTACT_ANGLE = 1 << 6,
    DEW_FEATURE_PERIODIC = 1 << 7,
    DEW_FEATURE_SYMMETRY = 1 << 8,
    DEW_FEATURE_ELASTIC = 1 << 9, /* materials that are elastic solids */
    DEW_FEATURE_NO_SLIP = 1 << 10,
    DEW_FEATURE_SOLUTE = 1 << 11,
    DEW_FEATURE_SEVERAL_LIQUIDS = 1 << 12, /* any number of materials */
    DEW_FEATURE_INTERFACES = 1 << 13,      /* a tension for each pair of them */
    DEW_FEATURE_WETTING_PAIRS = 1 << 14,   /* materials that wet a solid each in its own way */
    DEW_FEATURE_SLIP_LENGTH = 1 << 15,     /* walls with a slip length between 0 (NO_SLIP) and infinity */
    DEW_FEATURE_HYSTERESIS = 1 << 16,      /* contact angles that advance and recede differently */
    DEW_FEATURE_RELAXATION = 1 << 17,      /* elastic materials that relax: liquids that remember */
} dew_feature;

/* What the lowest of some features is called: "walls without slip". */
DEW_API const char *dew_feature_name(unsigned features);

/* One parameter of a method. A number has `choices` NULL; a choice has its words there, separated by '|', and
 * `default_value` is the index of the default word. */
typedef struct dew_parameter {
    const char *name;
    const char *unit; /* as udunits writes it; "1" for a pure number */
    double default_value, min, max;
    const char *choices;
    const char *sentence;
} dew_parameter;

enum { DEW_MOST_MEASURES = 8 };

typedef struct dew_method_info {
    const char *name;    /* "pbf" */
    const char *title;   /* one line */
    const char *source;  /* the paper */
    unsigned features;   /* of dew_feature */
    double slip_length;  /* of solids and walls that do not say, m: 0 holds the liquid, INFINITY lets it slip */
    double least_across; /* spacings that a gap, a nozzle, a film or a body must be across to be resolved */
    double least_thick;  /* spacings that a solid must be thick between liquid on both sides, which else feels itself
                          * through it; 2 or less: 2 */
    /* The length l (m) in theta^3 = theta_e^3 + 9 Ca ln(L/l), by which a line slips that moves over a wall which holds
     * (Voinov 1976, Cox 1986); 0: it states none. */
    double line_slip;
    const dew_parameter *parameters;
    int parameter_count;
    const char *measures[DEW_MOST_MEASURES]; /* quantities that it finds from its own state */
    /* Its velocities vary within a particle, which so carries angular momentum of its own: the field `spin`, over the
     * particle's mass, m2/s, without which frames cannot tell the liquid's. */
    bool has_spin;
} dew_method_info;

DEW_API int dew_method_count(void);
DEW_API const dew_method_info *dew_method_at(int index);
/* NULL if there is no method of that name. */
DEW_API const dew_method_info *dew_method_find(const char *name);

#endif
