/* Images of owned particles across periodic and symmetry faces. On each axis a particle has up to two images beside
 * itself; the ghosts of a particle are all combinations over the axes but the one without any image. */
#include "particles/ghosts.h"

#include "base/arena.h"
#include "base/parallel.h"

#include <string.h>

enum { GRAIN = 4096, DUMMIES = 4 };

typedef struct ghost_image {
    int owner;         /* index of the owned particle */
    uint8_t shift[3];  /* per axis: 0 none, 1 by +period, 2 by -period */
    uint8_t mirror[3]; /* per axis: 0 none, 1 at the lower face, 2 at the upper face */
} ghost_image;

typedef struct ghost_search {
    const particles *p;
    const dew_domain_def *domain;
    real low[3], high[3]; /* an image across the lower face for x < low, across the upper one for x > high */
    int *counts;          /* of each chunk, then where it begins */
    ghost_image *ghosts;  /* NULL: only count */
} ghost_search;

/* Bits: 1 image across the lower face, 2 across the upper one. */
static int faces_in_reach(const ghost_search *s, int axis, real x)
{
    return (x < s->low[axis] ? 1 : 0) | (x > s->high[axis] ? 2 : 0);
}

static int images_of(const ghost_search *s, int k, ghost_image *images)
{
    real4 x = s->p->position[k];
    int faces[3] = {faces_in_reach(s, 0, x.x), faces_in_reach(s, 1, x.y), faces_in_reach(s, 2, x.z)};
    if (!(faces[0] | faces[1] | faces[2])) return 0;
    int count = 0, choice[3];
    for (choice[2] = 0; choice[2] <= 2; choice[2]++)
        for (choice[1] = 0; choice[1] <= 2; choice[1]++)
            for (choice[0] = 0; choice[0] <= 2; choice[0]++) {
                ghost_image g = {.owner = k};
                bool is_image = false, exists = true;
                for (int axis = 0; axis < 3; axis++) {
                    if (!choice[axis]) continue;
                    is_image = true;
                    exists &= (faces[axis] & choice[axis]) != 0;
                    uint8_t *how = s->domain->axis[axis] == DEW_PERIODIC ? g.shift : g.mirror;
                    how[axis] = (uint8_t)choice[axis];
                }
                if (!is_image || !exists) continue;
                if (images) images[count] = g;
                count++;
            }
    return count;
}

static void search_chunk(int begin, int end, void *context)
{
    ghost_search *s = context;
    int *count = &s->counts[begin / GRAIN], at = s->ghosts ? *count : 0;
    for (int k = begin; k < end; k++) at += images_of(s, k, s->ghosts ? s->ghosts + at : NULL);
    if (!s->ghosts) *count = at;
}

bool ghosts_may_exist(const dew_domain_def *domain)
{
    for (int axis = 0; domain && axis < 3; axis++)
        if (ghosts_of_boundary(domain->axis[axis])) return true;
    return false;
}

static dew_result prepare(ghost_search *s, double reach)
{
    for (int axis = 0; axis < 3; axis++) {
        s->low[axis] = -INFINITY, s->high[axis] = INFINITY;
        if (!s->domain) continue;
        dew_boundary kind = s->domain->axis[axis];
        if (!ghosts_of_boundary(kind)) continue;
        double min = (&s->domain->min.x)[axis], max = (&s->domain->max.x)[axis];
        if (!(max - min >= reach))
            return result_fail(DEW_INVALID,
                               "the domain is %g m wide along %c, too narrow for a %s axis: it must be at least %g m, "
                               "the reach of a particle; widen it, or make the spacing smaller",
                               max - min, "xyz"[axis], kind == DEW_PERIODIC ? "periodic" : "symmetry", reach);
        s->low[axis] = (real)(min + reach), s->high[axis] = (real)(max - reach);
    }
    return DEW_OK;
}

typedef struct ghost_copy {
    const particles *p;
    void *data;
    field_type type;
    unsigned flags;
} ghost_copy;

static real4 image_of(const particles *p, const ghost_image *g, real4 a, unsigned flags)
{
    real *x = &a.x;
    for (int axis = 0; axis < 3; axis++) {
        double min = p->domain_min[axis], max = p->domain_max[axis];
        if (flags & FIELD_POSITION) {
            if (g->shift[axis]) x[axis] = (real)(x[axis] + (g->shift[axis] == 1 ? max - min : min - max));
            if (g->mirror[axis]) x[axis] = (real)(2 * (g->mirror[axis] == 1 ? min : max) - x[axis]);
        } else if (flags & FIELD_VECTOR && g->mirror[axis]) {
            x[axis] = -x[axis];
        }
    }
    return a;
}

static void copy_range(int begin, int end, void *context)
{
    const ghost_copy *c = context;
    const particles *p = c->p;
    size_t size = field_size(c->type);
    char *data = c->data;
    bool is_plain = c->type != FIELD_REAL4 || !(c->flags & (FIELD_POSITION | FIELD_VECTOR));
    for (int k = begin; k < end; k++) {
        const ghost_image *g = &p->ghosts[k];
        size_t slot = (size_t)(p->ghost_begin + k), owner = (size_t)g->owner;
        if (is_plain)
            memcpy(data + slot * size, data + owner * size, size);
        else
            ((real4 *)data)[slot] = image_of(p, g, ((real4 *)data)[owner], c->flags);
    }
}

static void copy_to_ghosts(ghost_copy c)
{
    if (c.p->end > c.p->ghost_begin) parallel_for(c.p->end - c.p->ghost_begin, GRAIN, copy_range, &c);
}

void particles_update_ghosts(particles *p, int field)
{
    copy_to_ghosts((ghost_copy){p, p->data[field], p->info[field].type, p->info[field].flags});
}

void ghosts_copy(const particles *p, field_type type, void *array) { copy_to_ghosts((ghost_copy){p, array, type, 0}); }

void ghosts_copy_vectors(const particles *p, real4 *vector)
{
    copy_to_ghosts((ghost_copy){p, vector, FIELD_REAL4, FIELD_VECTOR});
}

void ghosts_copy_matrices(const particles *p, real4 *const row[3])
{
    for (int g = p->ghost_begin; g < p->end; g++) {
        const ghost_image *image = &p->ghosts[g - p->ghost_begin];
        for (int n = 0; n < 3; n++) {
            real4 r = image_of(p, image, row[n][image->owner], FIELD_VECTOR);
            real sign = image->mirror[n] ? (real)-1 : (real)1;
            row[n][g] = (real4){sign * r.x, sign * r.y, sign * r.z, 0};
        }
    }
}

void ghosts_copy_turns(const particles *p, real4 *turn)
{
    for (int g = p->ghost_begin; g < p->end; g++) {
        const ghost_image *image = &p->ghosts[g - p->ghost_begin];
        bool is_turned = !image->mirror[0] ^ !image->mirror[1] ^ !image->mirror[2] ^ true;
        real4 r = image_of(p, image, turn[image->owner], FIELD_VECTOR);
        turn[g] = real4_of(real3_scale(is_turned ? -1 : 1, real3_of(r)), 0);
    }
}

void ghosts_copy_bends(const particles *p, real4 *const of[6])
{
    for (int g = p->ghost_begin; g < p->end; g++) {
        const ghost_image *image = &p->ghosts[g - p->ghost_begin];
        for (int m = 0; m < 6; m++) {
            real4 r = image_of(p, image, of[m][image->owner], FIELD_VECTOR);
            bool is_turned = m >= 3 && !image->mirror[(m + 1) % 3] != !image->mirror[(m + 2) % 3];
            of[m][g] = real4_of(real3_scale(is_turned ? -1 : 1, real3_of(r)), 0);
        }
    }
}

void ghosts_add_vectors(const particles *p, real4 *vector)
{
    for (int g = p->ghost_begin; g < p->end; g++) {
        const ghost_image *image = &p->ghosts[g - p->ghost_begin];
        real4 a = image_of(p, image, vector[g], FIELD_VECTOR), *sum = &vector[image->owner];
        sum->x += a.x, sum->y += a.y, sum->z += a.z;
    }
}

void ghosts_mark_owners(const particles *p, uint8_t *is_marked)
{
    for (int g = p->ghost_begin; g < p->end; g++) is_marked[p->ghosts[g - p->ghost_begin].owner] |= is_marked[g];
}

unsigned ghosts_axes(const particles *p, int slot)
{
    const ghost_image *image = &p->ghosts[slot - p->ghost_begin];
    unsigned axes = 0;
    for (int a = 0; a < 3; a++) axes |= (image->mirror[a] || image->shift[a] ? 1u : 0u) << a;
    return axes;
}

static dew_result set_ghost_count(particles *p, int ghosts)
{
    if (p->ghost_begin + ghosts + DUMMIES > p->capacity) /* some to spare: their number changes from build to build */
        RESULT_TRY(particles_reserve(p, p->count, ghosts + ghosts / 4));
    p->end = p->ghost_begin + ghosts;
    p->revision++;
    for (int k = p->end; k < p->end + DUMMIES; k++)
        p->position[k] = (real4){PARTICLE_FAR, PARTICLE_FAR, PARTICLE_FAR, 0};
    particles_update_ghosts(p, FIELD_POSITION_INDEX);
    return DEW_OK;
}

void ghosts_fill(particles *p)
{
    for (int f = 0; f < p->field_count; f++) {
        size_t size = field_size(p->info[f].type);
        bool is_kept = p->info[f].flags & FIELD_GHOST;
        int from = is_kept ? p->end : p->ghost_begin;
        if (is_kept) particles_update_ghosts(p, f);
        if (f != FIELD_POSITION_INDEX)
            memset((char *)p->data[f] + (size_t)from * size, 0, (size_t)(p->end + DUMMIES - from) * size);
    }
}

dew_result ghosts_reorder(particles *p, const int32_t *order)
{
    size_t ghosts = (size_t)(p->end - p->ghost_begin);
    RESULT_TRY(buffer_reserve(&p->scratch, &p->scratch_size, ghosts * sizeof *p->ghosts, 0, 1, "ghost particles"));
    if (ghosts) memcpy(p->scratch, p->ghosts, ghosts * sizeof *p->ghosts);
    for (size_t k = 0; k < ghosts; k++) p->ghosts[k] = ((const ghost_image *)p->scratch)[order[k]];
    return DEW_OK;
}

dew_result ghosts_find(particles *p, const dew_domain_def *domain, double reach)
{
    ghost_search s = {.p = p, .domain = domain};
    RESULT_TRY(prepare(&s, reach));
    if (!ghosts_may_exist(domain)) return p->end > p->ghost_begin ? set_ghost_count(p, 0) : DEW_OK;
    for (int axis = 0; axis < 3; axis++)
        p->domain_min[axis] = (&domain->min.x)[axis], p->domain_max[axis] = (&domain->max.x)[axis];
    int chunks = (p->count + GRAIN - 1) / GRAIN;
    size_t bytes = ((size_t)chunks + 1) * sizeof *s.counts;
    RESULT_TRY(buffer_reserve(&p->scratch, &p->scratch_size, bytes, 0, 1, "ghost particles"));
    s.counts = p->scratch;
    parallel_for(p->count, GRAIN, search_chunk, &s);
    int ghosts = parallel_prefix_sum(chunks, s.counts);
    RESULT_TRY(buffer_reserve(&p->ghosts, &p->ghost_room, (size_t)ghosts, 0, sizeof *p->ghosts, "ghost particles"));
    s.ghosts = p->ghosts;
    if (ghosts) parallel_for(p->count, GRAIN, search_chunk, &s);
    return set_ghost_count(p, ghosts);
}
