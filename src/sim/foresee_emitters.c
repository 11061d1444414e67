#include "sim/foresee_parts.h"

#include <math.h>

enum { AROUND = 16 };
#define MOUTHS_APART 0.8 /* sites of two mouths, spacings: nearer to each other they are in one */

/* Whether a place is in a solid, nearer to it than `least`. */
static bool is_buried(const dew_simulation *s, dew_vec3 x, double least)
{
    real4 point = foresee_record(x), wall;
    int32_t which;
    solids_nearest(s->w.solids, s->w.spacing, 1, &point, &wall, &which);
    return which >= 0 && (double)wall.w < least;
}

static void foresee_emitter(const dew_simulation *s, const emitter *e, int index, FILE *out)
{
    const dew_method_info *info = &s->method->info;
    double across = 2 * e->radius / s->w.spacing;
    if (across < 0.99 * info->least_across)
        fprintf(out, "emitters[%d]: is %.1f spacings across; method %s resolves %g\n", index, across, info->name,
                info->least_across);
    int walls = 0, buried = 0;
    for (int k = 0; k < e->site_count; k++) buried += is_buried(s, e->sites[k], -s->w.spacing / 2);
    if (buried > FORESEE_SHARE * e->site_count)
        fprintf(out, "emitters[%d]: %.0f %% of its mouth lies in solids, and all that flows in leaves by the rest\n",
                index, 100.0 * buried / e->site_count);
    dew_vec3 u = vec3_perpendicular(e->normal), v = vec3_cross(e->normal, u);
    for (int k = 0; k < AROUND; k++) {
        double angle = 2 * PI * k / AROUND;
        dew_vec3 out_there = vec3_add(vec3_scale(cos(angle), u), vec3_scale(sin(angle), v));
        bool is_wall = false;
        for (double r = e->radius; r < 3 * e->radius && !is_wall; r += s->w.spacing / 2) {
            is_wall = is_buried(s, vec3_add(e->centre, vec3_scale(r, out_there)), 0);
        }
        walls += is_wall;
    }
    bool has_wall_behind = is_buried(s, vec3_add(e->centre, vec3_scale(-s->w.spacing, e->normal)), 0);
    if (!e->is_closed && !has_wall_behind && 4 * walls > 3 * AROUND)
        fprintf(out,
                "emitters[%d]: its back is open: the pipe around it is wider than it is; give it the pipe's radius\n",
                index);
}

/* Part of a mouth that lies in another one, which flows at the same time: their layers come out in one place. */
static double share_in_mouth(const dew_simulation *s, const emitter *e, const emitter *other)
{
    int count = 0, stride = (e->site_count + FORESEE_SAMPLES - 1) / FORESEE_SAMPLES, asked = 0;
    if (e->to <= other->from || other->to <= e->from) return 0;
    if (vec3_length(vec3_sub(e->centre, other->centre)) > e->radius + other->radius + s->w.spacing) return 0;
    for (int k = 0; k < e->site_count; k += stride, asked++)
        for (int j = 0; j < other->site_count; j++) {
            if (vec3_length(vec3_sub(e->sites[k], other->sites[j])) > MOUTHS_APART * s->w.spacing) continue;
            count++;
            break;
        }
    return (double)count / asked;
}

static void foresee_mouths(const dew_simulation *s, FILE *out)
{
    for (int k = 0; k < s->emitter_count; k++)
        for (int j = 0; j < k; j++) {
            double share = share_in_mouth(s, &s->emitters[k], &s->emitters[j]);
            if (share > FORESEE_SHARE)
                fprintf(out,
                        "emitters[%d]: %.0f %% of its mouth lies in that of emitters[%d], and both bring liquid to one "
                        "place\n",
                        k, 100 * share, j);
        }
}

void foresee_emitters(const dew_simulation *s, FILE *out)
{
    for (int k = 0; k < s->emitter_count; k++) foresee_emitter(s, &s->emitters[k], k, out);
    foresee_mouths(s, out);
}
