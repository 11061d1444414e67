#include "measure/hollow.h"

#include "solids/solids.h"

/* In spacings: radius of the ball, and of the lattice on which its centre is looked for. */
#define EMPTY 1.3
#define STEP 0.42
/* Steps of that lattice that the reach leaves room for. */
enum { STEPS = (int)((HOLLOW_REACH - EMPTY) / STEP), SIDE = 2 * STEPS + 1, MOST = SIDE * SIDE * SIDE };

/* Centres at which no particle is within the ball; how many. */
static int find_empty(const measurement *m, const near_point *near, int count, dew_vec3 *empty)
{
    double s = m->frame->spacing, least = EMPTY * EMPTY * s * s, most = STEPS * STEPS;
    int found = 0, height = m->frame->dimension == 3 ? STEPS : 0;
    for (int x = -STEPS; x <= STEPS; x++)
        for (int y = -STEPS; y <= STEPS; y++)
            for (int z = -height; z <= height; z++) {
                if (x * x + y * y + z * z > most) continue;
                dew_vec3 at = {x * STEP * s, y * STEP * s, z * STEP * s};
                int k = 0;
                while (k < count && vec3_dot(vec3_sub(near[k].d, at), vec3_sub(near[k].d, at)) > least) k++;
                if (k == count) empty[found++] = at;
            }
    return found;
}

bool measure_is_hollow(const measurement *m, dew_vec3 x, const near_point *near, int count)
{
    dew_vec3 empty[MOST];
    real4 point[MOST], wall[MOST];
    int32_t which[MOST];
    int found = find_empty(m, near, count, empty);
    if (found == 0 || dew_frame_solid_count(m->frame) == 0) return found > 0;
    for (int k = 0; k < found; k++) {
        dew_vec3 at = vec3_add(x, empty[k]);
        point[k] = (real4){(real)at.x, (real)at.y, (real)at.z, 0};
    }
    solids_nearest(m->frame->solids, EMPTY * m->frame->spacing, found, point, wall, which);
    for (int k = 0; k < found; k++)
        if (which[k] < 0 || (double)wall[k].w >= EMPTY * m->frame->spacing) return true;
    return false;
}
