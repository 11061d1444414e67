#include "particles/neighbours.h"

#include "base/arena.h"
#include "base/parallel.h"
#include "particles/pairs.h"

#include <stdlib.h>
#include <string.h>

typedef struct sort_entry {
    int32_t iy, ix, slot;
    real z;
} sort_entry;

struct neighbours {
    double cutoff, skin;
    bool is_valid;
    uint32_t revision;
    int count, groups;
    real3 *built; /* positions of the owned at the build */
    int32_t *order;
    sort_entry *entry; /* owned then ghosts, each sorted */
    int entries;
    int64_t *begin;
    int32_t *index;
    int64_t index_capacity;
};

dew_result neighbours_create(neighbours **n, double cutoff, double skin)
{
    *n = calloc(1, sizeof **n);
    if (!*n) return result_fail(DEW_NO_MEMORY, "no memory for neighbour lists");
    neighbours_set_reach(*n, cutoff, skin);
    return DEW_OK;
}

void neighbours_destroy(neighbours *n)
{
    if (!n) return;
    free(n->built);
    free(n->order);
    free(n->entry);
    free(n->begin);
    free(n->index);
    free(n);
}

void neighbours_set_reach(neighbours *n, double cutoff, double skin)
{
    n->cutoff = cutoff, n->skin = skin;
    n->is_valid = false;
}

double neighbours_cutoff(const neighbours *n) { return n->cutoff; }
double neighbours_skin(const neighbours *n) { return n->skin; }
void neighbours_invalidate(neighbours *n) { n->is_valid = false; }
const int32_t *neighbours_order(const neighbours *n) { return n->order; }
pair_lists neighbours_lists(const neighbours *n) { return (pair_lists){n->begin, n->index}; }

const int32_t *neighbours_list(const neighbours *n, int group, int *length)
{
    *length = (int)(n->begin[group + 1] - n->begin[group]);
    return n->index + n->begin[group];
}

static int32_t cell_of(double x, double width)
{
    double cell = floor(x / width);
    return cell > 1e9 ? 1000000000 : cell > -1e9 ? (int32_t)cell : -1000000000; /* NaN with the lowest */
}

static int compare(const void *a, const void *b)
{
    const sort_entry *p = a, *q = b;
    if (p->iy != q->iy) return p->iy < q->iy ? -1 : 1;
    if (p->ix != q->ix) return p->ix < q->ix ? -1 : 1;
    if (p->z < q->z) return p->ix & 1 ? 1 : -1;
    if (p->z > q->z) return p->ix & 1 ? -1 : 1;
    return p->slot < q->slot ? -1 : 1;
}

static void sort_slots(neighbours *n, const particles *p, int begin, int end, sort_entry *entry)
{
    double width = (n->cutoff + n->skin) / 2;
    for (int k = begin; k < end; k++) {
        real4 x = p->position[k];
        entry[k - begin] = (sort_entry){cell_of(x.y, width), cell_of(x.x, width), k, isnan(x.z) ? (real)-1e30 : x.z};
    }
    qsort(entry, (size_t)(end - begin), sizeof *entry, compare);
}

/* First entry of [begin, end) not before cell (iy, ix). */
static int find_cell(const sort_entry *entry, int begin, int end, int iy, int ix)
{
    while (begin < end) {
        int middle = (begin + end) / 2;
        if (entry[middle].iy < iy || (entry[middle].iy == iy && entry[middle].ix < ix))
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

static int compare_int(const void *a, const void *b)
{
    int32_t p = *(const int32_t *)a, q = *(const int32_t *)b;
    return (p > q) - (p < q);
}

static dew_result build_group(neighbours *n, const particles *p, int group)
{
    double reach = n->cutoff + n->skin, width = reach / 2;
    int64_t begin = n->begin[group], at = begin;
    for (int i = 4 * group; i < 4 * group + 4 && i < p->count; i++) {
        real4 a = p->position[i];
        int y0 = cell_of(a.y - reach, width), y1 = cell_of(a.y + reach, width);
        int x0 = cell_of(a.x - reach, width), x1 = cell_of(a.x + reach, width);
        for (int part = 0; part < 2; part++)
            for (int y = y0; y <= y1; y++) {
                int first = part ? p->count : 0, last = part ? n->entries : p->count;
                for (int k = find_cell(n->entry, first, last, y, x0);
                     k < last && n->entry[k].iy == y && n->entry[k].ix <= x1; k++) {
                    int j = n->entry[k].slot;
                    real4 b = p->position[j];
                    double dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
                    if (!(dx * dx + dy * dy + dz * dz < reach * reach)) continue;
                    if (at + 8 > n->index_capacity) {
                        int64_t capacity = n->index_capacity * 3 / 2 + 4096;
                        int32_t *index = realloc(n->index, (size_t)capacity * sizeof *index);
                        if (!index) return result_fail(DEW_NO_MEMORY, "no memory for neighbour lists");
                        n->index = index, n->index_capacity = capacity;
                    }
                    n->index[at++] = j;
                }
            }
    }
    qsort(n->index + begin, (size_t)(at - begin), sizeof *n->index, compare_int);
    int64_t kept = begin;
    for (int64_t k = begin; k < at; k++)
        if (k == begin || n->index[k] != n->index[k - 1]) n->index[kept++] = n->index[k];
    for (; (kept - begin) % 4; kept++) n->index[kept] = p->end;
    n->begin[group + 1] = kept;
    return DEW_OK;
}

dew_result neighbours_build(neighbours *n, particles *p, const dew_domain_def *domain)
{
    n->is_valid = false;
    int count = p->count;
    particles_wrap(p, domain);
    free(n->order), free(n->entry), free(n->built), free(n->begin);
    n->order = malloc((size_t)(count + 1) * sizeof *n->order);
    n->entry = malloc((size_t)(count + 1) * sizeof *n->entry);
    n->built = malloc((size_t)(count + 1) * sizeof *n->built);
    n->groups = (count + 3) / 4;
    n->begin = malloc((size_t)(n->groups + 1) * sizeof *n->begin);
    if (!n->order || !n->entry || !n->built || !n->begin)
        return result_fail(DEW_NO_MEMORY, "no memory for neighbour lists");
    sort_slots(n, p, 0, count, n->entry);
    for (int k = 0; k < count; k++) n->order[k] = n->entry[k].slot;
    RESULT_TRY(particles_reorder(p, n->order));
    RESULT_TRY(particles_make_ghosts(p, domain, n->cutoff + n->skin));
    n->entries = count + p->end - p->ghost_begin;
    sort_entry *entry = realloc(n->entry, (size_t)(n->entries + 1) * sizeof *entry);
    if (!entry) return result_fail(DEW_NO_MEMORY, "no memory for neighbour lists");
    n->entry = entry;
    for (int k = 0; k < count; k++) n->entry[k].slot = k;
    sort_slots(n, p, p->ghost_begin, p->end, n->entry + count);
    for (int k = 0; k < count; k++) n->built[k] = real3_of(p->position[k]);
    n->begin[0] = 0;
    for (int g = 0; g < n->groups; g++) RESULT_TRY(build_group(n, p, g));
    n->count = count;
    n->revision = p->revision;
    n->is_valid = true;
    return DEW_OK;
}

bool neighbours_is_stale(const neighbours *n, const particles *p)
{
    if (!n->is_valid || n->revision != p->revision || n->count != p->count) return true;
    real limit = (real)(n->skin * n->skin / 4);
    for (int k = 0; k < p->count; k++) {
        real3 d = real3_sub(real3_of(p->position[k]), n->built[k]);
        if (real3_dot(d, d) > limit) return true;
    }
    return false;
}

int64_t neighbours_pair_count(const neighbours *n, const particles *p)
{
    int64_t pairs = 0;
    real limit = (real)(n->cutoff * n->cutoff);
    for (int g = 0; g < n->groups; g++) {
        int length;
        const int32_t *list = neighbours_list(n, g, &length);
        for (int i = 4 * g; i < 4 * g + 4 && i < p->count; i++)
            for (int k = 0; k < length; k++) {
                real3 d = real3_sub(real3_of(p->position[i]), real3_of(p->position[list[k]]));
                pairs += list[k] != i && real3_dot(d, d) < limit;
            }
    }
    return pairs;
}

size_t neighbours_bytes(const neighbours *n)
{
    return (size_t)n->index_capacity * sizeof *n->index + (size_t)n->count * 32;
}
