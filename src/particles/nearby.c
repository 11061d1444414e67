#include "particles/nearby.h"

#include <float.h>

#ifdef DEW_REAL_DOUBLE
#define REAL_EPSILON DBL_EPSILON
#else
#define REAL_EPSILON FLT_EPSILON
#endif

bool nearby_box(const list_source source[2], int begin, int end, real reach, box *b, int *members)
{
    const cells *c = source->cells;
    real own = 0;
    real low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    int places = 0;
    for (int slot = begin; slot < end; slot++) {
        if (!has_place(source, slot)) continue;
        for (int a = 0; a < 3; a++) {
            real x = place_of(source, slot, a);
            low[a] = low[a] < x ? low[a] : x;
            high[a] = high[a] > x ? high[a] : x;
        }
        if (source->allowance) own = real_max(own, source->allowance[slot]);
        places++;
    }
    *members = places;
    b->reach = reach + own;
    if (!places) return true;
    for (int a = 0; a < 3; a++) b->low[a] = low[a], b->high[a] = high[a], b->centre[a] = (low[a] + high[a]) / 2;
    for (int k = 0; k < 2; k++) {
        int a = c->axis[k];
        real first = floor((low[a] - c->bin[k].origin) * c->bin[k].inverse), edge;
        real last = floor((high[a] - c->bin[k].origin) * c->bin[k].inverse);
        if (places > 1 && last - first >= NEARBY_WIDEST) return false;
        /* Rounding must not leave a member outside. */
        edge = c->bin[k].origin + first * c->width;
        b->low[a] = edge < low[a] ? edge : low[a];
        edge = c->bin[k].origin + (last + 1) * c->width;
        b->high[a] = edge > high[a] ? edge : high[a];
    }
    int along = c->axis[2];
    return places == 1 || b->high[along] - b->low[along] < NEARBY_WIDEST * (b->reach + source->most);
}

/* --- ranges of slots near a box --- */

/* Columns of a row with places in [from, to]. */
static void add_columns(const cells *c, const box *b, real slack, int row, int from, int to, column_set *set)
{
    int k = c->row_begin[row], end = c->row_begin[row + 1], step = end - k;
    while (step > 0) { /* the first column at or behind `from` */
        int half = step / 2;
        if (c->columns[k + half].place < from)
            k += half + 1, step -= half + 1;
        else
            step = half;
    }
    for (; k < end && c->columns[k].place <= to && set->count < NEARBY_COLUMNS; k++) {
        const column *col = &c->columns[k];
        real gap2 = 0, reach = b->reach + slack + col->most;
        for (int a = 0; a < 2; a++) {
            /* The outermost bins hold whatever lies beyond them. */
            real raw = (col->low[a] - c->bin[a].origin) * c->bin[a].inverse + (real)0.5;
            real below = raw < 1 ? 0 : col->low[a] - b->high[c->axis[a]];
            real above = raw > c->bin[a].last ? 0 : b->low[c->axis[a]] - col->low[a] - c->width;
            real gap = below > above ? below : above;
            gap = gap > 0 ? gap : 0;
            gap2 += gap * gap;
        }
        if (!(gap2 < reach * reach)) continue;
        int n = set->count++;
        set->height[n] = sqrt(reach * reach - gap2) + slack;
        set->first[n] = col->first, set->levels[n] = col->levels;
        set->table[n] = col->table, set->shift[n] = col->shift;
        set->is_turned[n] = -(int)(((uint64_t)row * (uint64_t)c->strip + (uint64_t)col->place) & 1);
    }
}

static void find_columns(const list_source *source, const box *b, column_set *set)
{
    const cells *c = source->cells;
    real low[2], high[2], reach = b->reach + source->most, slack = reach * (real)1e-3;
    for (int a = 0; a < 2; a++) {
        low[a] = b->low[c->axis[a]], high[a] = b->high[c->axis[a]];
        real rounding = 4 * REAL_EPSILON * (fabs(low[a]) + fabs(high[a]));
        slack = slack > rounding ? slack : rounding;
    }
    if (set->count >= 0 && low[0] == set->low[0] && low[1] == set->low[1] && high[0] == set->high[0] &&
        high[1] == set->high[1] && b->reach <= set->reach)
        return;
    set->reach = b->reach;
    for (int a = 0; a < 2; a++) set->low[a] = low[a], set->high[a] = high[a];
    set->count = 0;
    reach += slack;
    int first[2], last[2];
    for (int a = 0; a < 2; a++) {
        first[a] = bins_rank(&c->bin[a], bins_raw(&c->bin[a], low[a] - reach));
        last[a] = bins_rank(&c->bin[a], bins_raw(&c->bin[a], high[a] + reach) + 1) - 1;
    }
    if (first[0] <= last[0])
        for (int strip = first[0] / c->strip; strip <= last[0] / c->strip; strip++)
            for (int k = 0; k <= last[1] - first[1]; k++) {
                int row = cells_row(c, strip, strip & 1 ? last[1] - k : first[1] + k), begin = strip * c->strip;
                int from = first[0] > begin ? first[0] - begin : 0;
                int to = last[0] < begin + c->strip ? last[0] - begin : c->strip - 1;
                if (row & 1)
                    add_columns(c, b, slack, row, cells_place(c, row, to), cells_place(c, row, from), set);
                else
                    add_columns(c, b, slack, row, from, to, set);
            }
    for (int k = set->count; k % NEARBY_STRIDE; k++)
        set->height[k] = 0, set->first[k] = set->levels[k] = set->table[k] = set->shift[k] = set->is_turned[k] = 0;
}

/* For NEARBY_STRIDE columns from k on: slots whose level is within the column's height of [low, high]. */
static void find_slots(const cells *c, const column_set *set, int k, real low, real high, int *begin, int *end)
{
    const axis_bins *bin = &c->bin[2];
    const int *first = set->first + k, *levels = set->levels + k, *table = set->table + k, *shift = set->shift + k;
    const int *is_turned = set->is_turned + k;
    const real *height = set->height + k;
    int from[NEARBY_STRIDE], to[NEARBY_STRIDE], top = bin->bins - 1;
    for (int l = 0; l < NEARBY_STRIDE; l++) from[l] = bins_raw(bin, low - height[l]);
    for (int l = 0; l < NEARBY_STRIDE; l++) to[l] = bins_raw(bin, high + height[l]);
    if (bin->occupied)
        for (int l = 0; l < NEARBY_STRIDE; l++)
            from[l] = bins_rank(bin, from[l]), to[l] = bins_rank(bin, to[l] + 1) - 1;
    for (int l = 0; l < NEARBY_STRIDE; l++) {
        int a = is_turned[l] ? top - to[l] : from[l], b = is_turned[l] ? top - from[l] : to[l];
        a -= first[l], b -= first[l];
        a = a > 0 ? a : 0;
        b = b < levels[l] - 1 ? b : levels[l] - 1;
        bool is_empty = b < a;
        from[l] = is_empty ? table[l] : table[l] + (a >> shift[l]);
        to[l] = is_empty ? table[l] : table[l] + (b >> shift[l]) + 1;
    }
    for (int l = 0; l < NEARBY_STRIDE; l++) begin[l] = c->table[from[l]];
    for (int l = 0; l < NEARBY_STRIDE; l++) end[l] = c->table[to[l]];
}

/* Ranges ascend; those that touch are one. Returns how many; *total counts slots. */
static int find_ranges(const cells *c, const column_set *set, real low, real high, slot_range *ranges, int *total)
{
    int begin[NEARBY_COLUMNS], end[NEARBY_COLUMNS], count = 0, sum = 0;
    for (int k = 0; k < set->count; k += NEARBY_STRIDE) find_slots(c, set, k, low, high, begin + k, end + k);
    for (int k = 0; k < set->count; k++) {
        if (begin[k] == end[k]) continue;
        sum += end[k] - begin[k];
        if (count && ranges[count - 1].end == begin[k])
            ranges[count - 1].end = end[k];
        else
            ranges[count++] = (slot_range){begin[k], end[k]};
    }
    *total += sum;
    return count;
}

void nearby_find(const list_source source[2], const box *b, column_set set[2], nearby_slots *found)
{
    found->total = 0;
    for (int k = 0; k < 2; k++) {
        const cells *grid = source[k].cells;
        found->count[k] = 0;
        if (grid->begin == grid->end) continue;
        find_columns(&source[k], b, &set[k]);
        real low = b->low[grid->axis[2]], high = b->high[grid->axis[2]];
        found->count[k] = find_ranges(grid, &set[k], low, high, found->range[k], &found->total);
    }
}
