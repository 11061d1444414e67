/* The particle store: structure of arrays, every array a field with a name. Owned particles come first, ghosts (images
 * across periodic and symmetry faces) behind them; every loop says which it runs over. Fields follow every reordering,
 * insertion and removal by themselves; what a method must keep from step to step is a field.
 *
 * Slots: [0, count) owned · [count, ghost_begin) padding to a multiple of 4 · [ghost_begin, end) ghosts ·
 * [end, end + 4) dummies. Padding and dummies lie at PARTICLE_FAR in `position` and are zero in the other fields, so
 * that groups of four may be loaded whole. */
#ifndef PARTICLES_PARTICLES_H
#define PARTICLES_PARTICLES_H

#include "base/real.h"
#include "base/result.h"
#include "dew/definition.h"

/* Far from any liquid, yet near enough for its squared distance over any sensible h to stay finite in float. */
#define PARTICLE_FAR ((real)1e10)

/* What a field means decides how it is reordered, copied to ghosts, written and restored. */
typedef enum field_type { FIELD_REAL, FIELD_REAL4, FIELD_INT32, FIELD_UINT8 } field_type;

enum {
    FIELD_OUTPUT = 1,    /* may be written to frames: needs unit and sentence */
    FIELD_RESTART = 2,   /* part of a checkpoint */
    FIELD_GHOST = 4,     /* kept by ghosts: particles_update_ghosts copies it */
    FIELD_POSITION = 8,  /* a REAL4 whose x, y, z are a place: shifted or mirrored for ghosts */
    FIELD_VECTOR = 16,   /* a REAL4 whose x, y, z are a vector: mirrored for symmetry ghosts */
    FIELD_FLEETING = 32, /* void after a sort: not brought into the new order */
    /* There only where the definition has what they belong to: heat, materials that melt, something dissolved,
     * materials whose viscosities differ or depend on something. */
    FIELD_OF_HEAT = 64,
    FIELD_OF_MELTING = 128,
    FIELD_OF_SOLUTE = 256,
    FIELD_OF_VISCOSITIES = 512,
    FIELD_CARRIED = 1024, /* the first step begins with it as it is: a look ahead does not show another */
};

/* A field's declaration: static data. REAL4 fields show `components` (1..4) of their reals in output. */
typedef struct field_info {
    const char *name, *unit, *sentence;
    field_type type;
    int components;
    unsigned flags;
} field_info;

enum { MAX_FIELDS = 40 };

/* Fields that every simulation has. */
enum {
    FIELD_POSITION_INDEX, /* real4: x, y, z; w free for the method's payload */
    FIELD_VELOCITY_INDEX, /* real4 */
    FIELD_ID_INDEX,       /* int32, never reused */
    FIELD_MATERIAL_INDEX, /* uint8 */
    FIELD_BELOW_INDEX,    /* real4: what of the place is below the last digit of `position`, m; see real4_go */
    FIELD_CORE_COUNT
};

extern const field_info core_fields[FIELD_CORE_COUNT];

typedef struct particles {
    int count, ghost_begin, end, capacity;
    uint32_t revision; /* changes whenever slots get other particles; not 0 */
    /* Shortcuts to the core fields; refreshed when arrays grow. */
    real4 *position, *velocity, *below;
    int32_t *id;
    uint8_t *material;
    int32_t next_id;
    int field_count;
    field_info info[MAX_FIELDS];
    void *data[MAX_FIELDS];
    struct ghost_image *ghosts; /* end - ghost_begin; what they are images of is the business of ghosts.c alone */
    size_t ghost_room;
    double domain_min[3], domain_max[3]; /* for ghosts */
    /* Of a particle of each material, kg; NULL: nobody asks what follows. Mass times the way by which periodic faces
     * have brought it back into the domain, kg m: who asks sets it to 0. */
    const double *material_mass;
    double brought_back[3];
    void *scratch; /* for reordering: one field at a time */
    size_t scratch_size;
    int32_t *slot_of_id; /* of ids from first_id on, as of slots_revision: see particles_map_ids */
    size_t id_room;
    int32_t first_id, id_count;
    uint32_t slots_revision;
} particles;

dew_result particles_create(particles *p);
void particles_destroy(particles *p); /* of a half-made store too */

/* Adds a field (zero-filled); *index is its place in `data`. */
dew_result particles_add_field(particles *p, const field_info *info, int *index);
/* Adds fields that all stores of their kind have; *index[k] becomes the place of the k-th. */
dew_result particles_add_fields(particles *p, size_t count, const field_info *infos, int *const *index);
/* The array of a field; changes when particles are inserted. */
static inline void *particles_field(const particles *p, int index) { return p->data[index]; }
size_t field_size(field_type type); /* bytes a particle */

/* Makes room for this many owned particles and ghosts. */
dew_result particles_reserve(particles *p, int owned, int ghosts);
/* Appends owned particles with new ids; drops all ghosts. `velocity` may be NULL: at rest. */
dew_result particles_insert(particles *p, int count, const real4 *position, const real4 *velocity, uint8_t material);
/* Makes so many owned particles, zero in all fields, to be filled; without memory for them nothing changes. Drops all
 * ghosts.
 */
dew_result particles_resize(particles *p, int count);
/* Removes owned particles whose flag is set, keeping the order of the rest; drops all ghosts. */
void particles_remove(particles *p, const uint8_t *remove);
/* New slot k takes what was in slot order[k], for every field that is not fleeting; drops all ghosts. */
dew_result particles_reorder(particles *p, const int32_t *order);

/* What refers to particles from step to step does so by id, which no sort, insertion or removal changes. Finds the
 * slots of all ids of now; nothing to do where slots have not changed since. Before a parallel pass that asks for
 * slots. */
dew_result particles_map_ids(particles *p);
/* The owned slot of an id, or -1 if there is no such particle any more. After particles_map_ids. */
static inline int particles_slot_of_id(const particles *p, int32_t id)
{
    int64_t at = (int64_t)id - p->first_id;
    return at >= 0 && at < p->id_count ? p->slot_of_id[at] : -1;
}

/* Copies one field from owners to ghosts again, after the owners' values changed. Nothing to do without ghosts. */
void particles_update_ghosts(particles *p, int field);
/* Owned positions that left a periodic axis come back on the other side, which `brought_back` sums; every POSITION
 * field is shifted alike. Who crossed a plane of symmetry changes places with its image, which came the other way:
 * every POSITION and VECTOR field is mirrored. */
void particles_wrap(particles *p, const dew_domain_def *domain);

#endif
