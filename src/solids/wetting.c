#include "solids/wetting.h"

#include "base/parallel.h"
#include "surface/tension.h"

real wetted_share(const fractions *f, real h, real spacing, real distance, real cosine)
{
    real sine = sqrt(fmax(1 - cosine * cosine, (real)1e-4));
    real l = (spacing / 2 + distance * cosine) / sine; /* along the solid to where the surface meets it */
    real beyond = fraction_beyond(f, distance / h);
    if (beyond < (real)1e-6) return 1;
    real g = fmin((real)0.5, fraction_beyond_two(f, fabs(l) / h, distance / h, 0) / beyond);
    return l > 0 ? 1 - g : g;
}

real wetting_ease(real cosine)
{
    real angle = acos(fmin(fmax(cosine, (real)-1), (real)1)) * (real)(180 / PI);
    return fmin(fmax((180 - angle) / 90, (real)0.4), (real)1);
}

typedef struct finding {
    line_faces *f;
    const near_walls *near;
    const solids *solids;
    liquids_there liquids;
} finding;

static void find_faces(int begin, int end, void *context)
{
    const finding *g = context;
    for (int i = begin; i < end; i++) {
        int liquid = liquid_at(g->liquids, i);
        double tension = g->liquids.materials[liquid].surface_tension;
        for (int a = 0, there = 1; a < 2; a++) {
            int at = NEAR_WALLS * i + a, which = there ? g->near->solid[at] : -1;
            there = which >= 0;
            g->f->solid[a][i] = which;
            g->f->wall[a][i] = there ? g->near->wall[at] : (real4){0, 0, 0, INFINITY};
            g->f->cosine[a][i] =
                there ? (real)solids_info_of(g->solids, which, liquid, tension).cos_contact_angle : NO_SOLID;
        }
    }
}

dew_result line_faces_find(line_faces *f, const near_walls *near, const solids *s, liquids_there liquids, arena *memory,
                           int count)
{
    f->drawn[0] = f->drawn[1] = NULL, f->meets[0] = f->meets[1] = NULL;
    ARENA_TRY(memory, count, f->wall[0], f->wall[1], f->cosine[0], f->cosine[1], f->solid[0], f->solid[1]);
    parallel_for(count, 1024, find_faces, &(finding){f, near, s, liquids});
    return DEW_OK;
}
