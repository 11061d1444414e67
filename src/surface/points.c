#include "surface/points.h"

#include <string.h>

static const field_info fields[] = {
    {"slot", NULL, NULL, FIELD_INT32, 1, 0},
    {"is_surface", NULL, NULL, FIELD_UINT8, 1, FIELD_GHOST},
    {"smooth", NULL, NULL, FIELD_REAL4, 3, FIELD_GHOST | FIELD_VECTOR},
    {"sharp", NULL, NULL, FIELD_REAL4, 3, FIELD_GHOST | FIELD_VECTOR},
    {"curvature", NULL, NULL, FIELD_REAL, 1, FIELD_GHOST},
    {"allowance", NULL, NULL, FIELD_REAL, 1, FIELD_GHOST},
};

dew_result surface_points_create(surface_points *s, double reach)
{
    *s = (surface_points){0};
    RESULT_TRY(particles_create(&s->store));
    int *index[] = {&s->slot, &s->is_surface, &s->smooth, &s->sharp, &s->curvature, &s->allowance};
    RESULT_TRY(particles_add_fields(&s->store, sizeof index / sizeof *index, fields, index));
    return neighbours_create(&s->lists, reach, 0);
}

void surface_points_destroy(surface_points *s)
{
    neighbours_destroy(s->lists);
    particles_destroy(&s->store);
    *s = (surface_points){0};
}

dew_result surface_points_fill(surface_points *s, const real4 *position, const int32_t *list, int count,
                               points_reach reach, const dew_domain_def *domain, arena *memory)
{
    particles *store = &s->store;
    ARENA_ARRAY(memory, count, real4, x);
    for (int m = 0; m < count; m++) x[m] = position[list[m]];
    store->count = 0, store->next_id = 0;
    RESULT_TRY(particles_insert(store, count, x, NULL, 0));
    memcpy(particles_field(store, s->slot), list, (size_t)count * sizeof *list);
    real *own = particles_field(store, s->allowance), most = 0;
    for (int m = 0; m < count; m++) {
        own[m] = reach.times * reach.allowance[list[m]];
        most = real_max(most, own[m]);
    }
    neighbours_set_allowance(s->lists, s->allowance, (double)most);
    neighbours_set_reach(s->lists, reach.reach, reach.skin);
    s->has_lists = true;
    return neighbours_build(s->lists, store, domain);
}
