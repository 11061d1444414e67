/* Of what solids have images (mirrors.h), and S of what has none: hollows as narrow as tubes, and what films stand on,
 * are full of liquid at rest (half_space.h). */
#include "methods/flow/flow.h"
#include "particles/ghosts.h"

/* Where there is no face: how far it is taken to be, over h. */
#define FAR ((real)1e3)

/* S of the a-th solid near particle i as a mirror full of liquid: next to others the part that its images are. */
static real3 full_slope(const flow_step *k, const walls_here *here, real part, int i, int a)
{
    return real3_scale(part * half_space_at(k->p->slope, here->distance[a]) / 2,
                       real3_of(k->near.wall[NEAR_WALLS * i + a]));
}

static void find_faces(int begin, int end, void *context)
{
    flow_step *k = context;
    for (int i = begin; i < end; i++) {
        k->wall[i] = (real4){0, 0, 0, 0};
        if (!near_walls_has(&k->near, i) || (k->is_held && k->is_held[i])) continue;
        walls_here here = near_walls_at(&k->near, i, (real3){0, 0, 0}, k->inv_h, &k->p->crowd);
        real across = flow_one_faced(k, i);
        for (int a = 0; a < here.count; a++) {
            real4 wall = k->near.wall[NEAR_WALLS * i + a];
            real part = near_walls_mirror(&k->near, &here, i, a, &k->p->crowd) * flow_spread(k, i, a);
            real room = flow_image_room(k, i, a);
            k->mirrors.face[a][i] = real4_of(real3_of(wall), real_max(wall.w, 0) * k->inv_h);
            k->mirrors.share[a][i] = (real4){room * part, across, (real)k->near.solid[NEAR_WALLS * i + a], 0};
            flow_add_slope(k, i, a, real3_scale(1 - room * across, full_slope(k, &here, part, i, a)));
        }
    }
}

static void count_faces(int begin, int end, void *context, double *most)
{
    const flow_step *k = context;
    for (int i = begin; i < end; i++)
        for (int a = 0; a < NEAR_WALLS; a++)
            if (k->mirrors.share[a][i].x > 0) most[0] = fmax(most[0], a + 1);
}

dew_result flow_find_mirrors(flow_step *k)
{
    if (!k->near.wall) return DEW_OK;
    double most = 0;
    const real4 none = {0, 0, 0, FAR};
    for (int a = 0; a < NEAR_WALLS; a++) {
        ARENA_TRY(k->w->scratch, k->all->end + 4, k->mirrors.face[a]);
        ARENA_TRY_ZEROED(k->w->scratch, k->all->end + 4, k->mirrors.share[a]);
        for (int i = 0; i < k->all->end + 4; i++) k->mirrors.face[a][i] = none;
    }
    parallel_for(k->count, 1024, find_faces, k);
    parallel_max(k->count, 1, count_faces, k, &most);
    k->mirrors.most = (int)fmax(most, 0);
    for (int a = 0; a < k->mirrors.most; a++) {
        ghosts_copy_vectors(k->all, k->mirrors.face[a]);
        ghosts_copy(k->all, FIELD_REAL4, k->mirrors.share[a]);
    }
    return DEW_OK;
}

void flow_add_image_slopes(flow_step *k, int block, int count, const vreal slope[NEAR_WALLS])
{
    _Alignas(64) real sum[PAIR_I > 4 ? PAIR_I : 4];
    for (int a = 0; a < count; a++) {
        pair_store(sum, 0, slope[a]);
        for (int i = PAIR_I * block, l = 0; i < flow_end_of(k, block); i++, l++)
            if (sum[l] > 0) flow_add_slope(k, i, a, real3_scale(sum[l], real3_of(k->near.wall[NEAR_WALLS * i + a])));
    }
}
