/* Frames: what there is at one moment, as a value. A simulation lends one (dew_simulation_frame), the files of a run
 * are read into one (dew/frames.h); pictures, files and measurements are made from frames and know no simulation. */
#ifndef DEW_FRAME_H
#define DEW_FRAME_H

#include "definition.h"
#include "method.h"
#include "result.h"

typedef enum dew_field_type { DEW_FIELD_REAL, DEW_FIELD_INT32, DEW_FIELD_UINT8 } dew_field_type;

/* A look at one value a particle: element k of particle i is ((T *)data)[i * stride + k], with T dew_real, int32_t or
 * uint8_t. Particles are in storage order, which changes from step to step; field "id" names them for good. */
typedef struct dew_field {
    const char
        *name; /* "position", "velocity", "id", "material", and the method's own: "pressure", "is_surface", ... */
    const char *unit;
    const char *sentence; /* NULL in frames from files */
    dew_field_type type;
    int components, stride, count;
    const void *data;
} dew_field;

/* The solids of a frame, walls of the domain after them. */
typedef struct dew_solids dew_solids;

/* Where liquid flows in. */
typedef struct dew_mouths dew_mouths;

/* Valid as long as whoever lends it says. A program may fill one by itself: all may be 0 but spacing and dimension. */
typedef struct dew_frame {
    double time; /* s */
    int index;   /* frames completed before it: the number in the names of its files */
    int dimension;
    double spacing; /* m */
    dew_vec3
        origin; /* near the liquid, m: sums over places are taken from there, so that far scenes keep their digits */
    dew_vec3 gravity;      /* m/s2 */
    dew_domain_def domain; /* axes that the dimension lacks are open */
    bool has_heat, has_solute;
    const dew_material_def *materials; /* where a property is an expression of T, its number is that at the start */
    int material_count;
    const dew_interface_def *interfaces; /* tensions between materials that the definition gives */
    int interface_count;
    int particle_count;
    const dew_field *fields; /* "position" and "velocity" have a stride of 4 and are aligned to four reals */
    int field_count;
    const dew_solids *solids; /* where they stand at the time; NULL: none */
    const dew_mouths *mouths; /* of emitters: next to them density is not told, and liquid has no surface; NULL: none */
    const dew_method_info *method; /* NULL: none is known */
    /* What only the method's state tells: the quantities of method->measures, under "time_step" the last step, s. False
     * where it has nothing to tell now. NULL: there is no state, as in a frame from files. */
    bool (*measure)(const void *state, const char *quantity, double *values);
    const void *state;
} dew_frame;

/* False if the frame has no such field. */
DEW_API bool dew_frame_field(const dew_frame *frame, const char *name, dew_field *field);

/* A solid as it stands: triangles for pictures and files. Planes and walls have none. Arrays belong to the frame's
 * solids, valid until they move. */
typedef struct dew_solid_mesh {
    const char *name;
    const float *vertices;    /* vertex_count x 3, m */
    const int32_t *triangles; /* triangle_count x 3 */
    int vertex_count, triangle_count;
    bool is_visible;
} dew_solid_mesh;

DEW_API int dew_frame_solid_count(const dew_frame *frame);
DEW_API dew_result dew_frame_solid_mesh(const dew_frame *frame, int index, dew_solid_mesh *mesh);

/* A hash of every position and velocity, for tests of reproducibility. */
DEW_API uint64_t dew_frame_hash(const dew_frame *frame);

/* Quantities that can be measured (kinetic_energy, volume, ...); a vector quantity has several columns. */
DEW_API int dew_quantity_count(void);
DEW_API const char *dew_quantity_name(int index);
DEW_API const char *dew_quantity_unit(int index);
DEW_API const char *dew_quantity_sentence(int index);
/* Whether it takes the liquid for a drop at rest: while that moves, the value is that of the most similar one at rest.
 */
DEW_API bool dew_quantity_needs_rest(int index);
/* The number of values of a quantity (at most DEW_MOST_COLUMNS) and the suffix of each column ("x", "y", "z"; "" for a
 * scalar). 0 if unknown. */
enum { DEW_MOST_COLUMNS = 8 };
DEW_API int dew_quantity_columns(const char *quantity, const char *const **suffixes);

/* Measures frames; keeps the liquid's surface, once made, for further quantities of the same frame. Accepts NULL to
 * destroy. */
typedef struct dew_measurer dew_measurer;
DEW_API dew_result dew_measurer_create(dew_measurer **measurer);
DEW_API void dew_measurer_destroy(dew_measurer *measurer);
/* From now on only a part is measured; NULL: all again. The names must stay. Of a material or a body everything is
 * measured from its particles alone, even where the method's state knows more. */
DEW_API void dew_measurer_select(dew_measurer *measurer, const dew_part_def *of);
/* Writes dew_quantity_columns values; NaN where the quantity is not defined (no contact, no surface). DEW_INVALID where
 * there is no such quantity, or the frame lacks a field or the method's state that it needs, or
 * has no such material or solid as was selected. */
DEW_API dew_result dew_measure(dew_measurer *measurer, const dew_frame *frame, const char *quantity, double *values);

#endif
