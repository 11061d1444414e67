/* What definitions consist of, as tables for programs: one a structure, one entry a property. They are the only
 * description there is: defaults, checks, the scene reader, run.yaml, the documentation and the JSON Schema of scene
 * files come from them. */
#ifndef DEW_SCHEMA_H
#define DEW_SCHEMA_H

#include "result.h"
#include "types.h"

typedef enum dew_property_type {
    DEW_PROPERTY_NUMBER,   /* double */
    DEW_PROPERTY_INTEGER,  /* int */
    DEW_PROPERTY_FLAG,     /* bool */
    DEW_PROPERTY_WORD,     /* int or an enumeration: the index of one of `words` */
    DEW_PROPERTY_TEXT,     /* const char * */
    DEW_PROPERTY_NAME,     /* const char *: letters, digits, '_' and '-' */
    DEW_PROPERTY_METHOD,   /* const char *: the name of a method */
    DEW_PROPERTY_MATERIAL, /* int: index of one of the simulation's materials; in scene files its name */
    DEW_PROPERTY_SOLID,    /* int: index of one of the simulation's solids, -1: none; in scene files its name */
    DEW_PROPERTY_VECTOR,   /* dew_vec3; unit and range are those of a component */
    DEW_PROPERTY_RECORD,   /* a structure that `table` describes */
    DEW_PROPERTY_LIST,     /* a pointer to structures that `table` describes, with an int at `count_offset`; `min` and
                            * `max` are of their number */
    DEW_PROPERTY_TEXTS,    /* const char *const *, with an int at `count_offset`; `words` says of what: "quantities" */
    DEW_PROPERTY_MESH,     /* a triangle mesh; in scene files the name of a file */
} dew_property_type;

enum {
    DEW_PROPERTY_REQUIRED = 1 << 0,      /* scene files must give it */
    DEW_PROPERTY_ABOVE = 1 << 1,         /* `min` itself is not allowed */
    DEW_PROPERTY_NEEDS_UNIT = 1 << 2,    /* a number other than 0 must name its unit in scene files */
    DEW_PROPERTY_DIRECTION = 1 << 3,     /* a vector that may not be 0 */
    DEW_PROPERTY_FUNCTION_ONLY = 1 << 4, /* the function at `function_offset` alone: there is no number */
    DEW_PROPERTY_POINTER = 1 << 5,       /* a RECORD behind a pointer */
    DEW_PROPERTY_KEYED = 1 << 6,         /* a LIST that is a map in scene files: its keys are the first properties */
    DEW_PROPERTY_FLAT = 1 << 7,          /* a shape that liquid flows through; every other shape is a body's */
    DEW_PROPERTY_FACTOR = 1 << 8,        /* scene files multiply what is there by it */
    DEW_PROPERTY_SPARSE = 1 << 9,        /* run.yaml has it only where it is not the default */
    DEW_PROPERTY_BESIDE = 1 << 10,       /* beside a run's course: pictures, measurements, when it ends */
    DEW_PROPERTY_BASIS = 1 << 11,        /* where it is wrong, other parts cannot be judged */
    DEW_PROPERTY_FOLLOWED = 1 << 12,     /* a scene that has its key has the `feature`, whatever the value */
    DEW_PROPERTY_REFINES = 1 << 13,      /* counts where the `feature` is used, and does not ask for it */
    DEW_PROPERTY_CONDITIONAL = 1 << 14,  /* what it may be depends on others: it has no range of its own */
    DEW_PROPERTY_IS_KEY = 1 << 15,       /* of a structure in a KEYED list: the key */
};

typedef struct dew_property_table dew_property_table;

typedef struct dew_property {
    const char *key; /* in scene files */
    dew_property_type type;
    unsigned flags;
    size_t offset;     /* of the value in the structure */
    const char *unit;  /* as udunits writes it, "1" for a pure number; NULL: none can be given */
    double min, max;   /* equal: no limits but those of single precision */
    double value[3];   /* the default: a number, an index, a flag, a vector */
    const char *text;  /* the default of a text */
    const char *words; /* of a WORD: "cubic|hexagonal"; of a NAME what it names: "solid"; of a NUMBER: the word that
                        * scene files may write for infinity */
    const dew_property_table *table;
    size_t count_offset;
    /* A NUMBER or VECTOR that may be given by functions of `variables` (one letter each): of a dew_function, or three.
     */
    size_t function_offset;
    const char *variables;
    size_t has_offset;                 /* of a bool: there is a value; 0: there always is */
    size_t unless_offset;              /* of a bool that is false where this value counts; 0: it always does */
    int kind;                          /* in a tagged union: of which kind it is; 0: of all */
    unsigned feature;                  /* dew_feature that a method must have where the value is not the default */
    const struct dew_property *either; /* of a NUMBER: the RECORD (with a `has_offset`) that may stand under the same
                                        * key in its place */
    const char *sentence;
} dew_property;

struct dew_property_table {
    const char *name; /* for people: "heat source" */
    const dew_property *properties;
    int count;
    size_t size;   /* of the structure */
    bool is_row;   /* in scene files a list of the values in their order */
    bool is_flow;  /* written on one line */
    bool is_union; /* of what has a `kind` there is just one, which the int at the structure's beginning names */
};

/* The table of dew_simulation_def; all others are within. */
DEW_API const dew_property_table *dew_schema(void);

#endif
