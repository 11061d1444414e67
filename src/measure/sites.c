#include "measure/sites.h"

#include "base/arena.h"
#include "solids/solids.h"

#include <stdlib.h>

/* How far from a solid, in cells, the liquid's cells are whose neighbours in the solid are looked at. Behind a first
 * layer that has parted from the solid by more than this there is air. */
#define AT_SOLID 2

/* The cells chosen so far, found by a table of their numbers + 1. */
typedef struct choice {
    uint32_t step; /* one cell of so many, a power of two */
    uint32_t mask; /* of the table */
    int32_t *slot; /* NULL: they are only counted, as often as they are met */
    site *site;
    int count;
} choice;

static void add_cell(choice *c, point_cell cell, bool is_beside)
{
    uint32_t at = point_cell_hash(cell) / c->step & c->mask;
    while (c->slot[at] && !point_cell_is(c->site[c->slot[at] - 1].cell, cell)) at = (at + 1) & c->mask;
    if (c->slot[at] == 0) {
        c->site[c->count++] = (site){.cell = cell};
        c->slot[at] = c->count;
    }
    c->site[c->slot[at] - 1].is_beside |= is_beside;
}

static void add_around(choice *c, point_cell cell, int around, int deep)
{
    for (int x = -around; x <= around; x++)
        for (int y = -around; y <= around; y++)
            for (int z = -deep; z <= deep; z++) {
                point_cell other = {{cell.at[0] + x, cell.at[1] + y, cell.at[2] + z}};
                if ((point_cell_hash(other) & (c->step - 1)) != 0) continue;
                if (c->slot)
                    add_cell(c, other, abs(x) <= 1 && abs(y) <= 1 && abs(z) <= 1);
                else
                    c->count++;
            }
}

/* Each cell with particles once. */
static int find_liquid(const point_grid *grid, int particles, site *of_liquid)
{
    int count = 0;
    for (int e = 0; e < grid->count; e++) {
        int first = grid->begin[point_grid_slot(grid, grid->cell[e])];
        while (!point_cell_is(grid->cell[first], grid->cell[e]) || grid->index[first] >= particles) {
            if (first == e) break;
            first++;
        }
        if (first == e && grid->index[e] < particles) of_liquid[count++].cell = grid->cell[e];
    }
    return count;
}

/* Sets the middles, and tells how far each is from a solid, no farther than `band` (m); which: -1 beyond. */
static void find_solids(const measurement *m, double width, double band, site *p, int count, real4 *point, real4 *wall,
                        int32_t *which)
{
    for (int k = 0; k < count; k++, p++) {
        const int32_t *at = p->cell.at;
        p->x = (dew_vec3){(at[0] + 0.5) * width, (at[1] + 0.5) * width, (at[2] + 0.5) * width};
        if (m->frame->dimension == 2) p->x.z = (double)m->position[0].z;
        point[k] = (real4){(real)p->x.x, (real)p->x.y, (real)p->x.z, 0}, which[k] = -1;
    }
    if (dew_frame_solid_count(m->frame) > 0) solids_nearest(m->frame->solids, band, count, point, wall, which);
}

dew_result sites_choose(const measurement *m, const point_grid *grid, double width, double reach, int samples,
                        arena *memory, site **sites, int *count)
{
    bool is_flat = m->frame->dimension == 2;
    int around = (int)ceil(reach / width), number = 0;
    ARENA_ARRAY(memory, m->count, site, of_liquid);
    int cells = find_liquid(grid, m->count, of_liquid);
    ARENA_ARRAY(memory, cells, real4, point);
    ARENA_ARRAY(memory, cells, real4, wall);
    ARENA_ARRAY(memory, cells, int32_t, which);
    find_solids(m, width, AT_SOLID * width, of_liquid, cells, point, wall, which);

    choice c = {.step = 1, .mask = 15};
    while (c.step * (uint32_t)samples < (uint32_t)cells) c.step *= 2;
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < cells; k++) {
            int wide = which[k] < 0 ? 1 : around;
            add_around(&c, of_liquid[k].cell, wide, is_flat ? 0 : wide);
        }
        if (pass > 0) break;
        int most = c.count;
        c.count = 0;
        while (c.mask < 2 * (uint32_t)most) c.mask = 2 * c.mask + 1;
        ARENA_TRY_ZEROED(memory, c.mask + 1, c.slot);
        ARENA_TRY(memory, most, c.site);
    }
    /* In air, or deeper in a solid than the kernel reaches, there is nothing to see. */
    ARENA_TRY(memory, c.count, point, wall, which);
    find_solids(m, width, reach, c.site, c.count, point, wall, which);
    for (int k = 0; k < c.count; k++) {
        site *s = &c.site[k];
        double distance = which[k] < 0 ? reach : (double)wall[k].w;
        if (!(distance > -reach && (distance < 0 || s->is_beside))) continue;
        dew_vec3 normal = {wall[k].x, wall[k].y, wall[k].z};
        s->foot = distance < 0 ? vec3_add(s->x, vec3_scale(-distance, normal)) : s->x;
        c.site[number++] = *s;
    }
    for (uint32_t step = c.step; number > samples;) {
        int kept = 0;
        step *= 2;
        for (int k = 0; k < number; k++)
            if (point_cell_hash(c.site[k].cell) % step == 0) c.site[kept++] = c.site[k];
        number = kept;
    }
    *sites = c.site, *count = number;
    return DEW_OK;
}
