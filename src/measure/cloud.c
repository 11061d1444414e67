#include "measure/cloud.h"

#include "base/arena.h"
#include "solids/solids.h"

enum { SOLIDS_AT_ONCE = 256 };

static dew_result cloud_add(cloud *c, real4 point)
{
    size_t count = (size_t)c->count;
    RESULT_TRY(buffer_reserve(&c->points, &c->room, count + 1, count, sizeof *c->points, "measuring the surface"));
    c->points[c->count++] = point;
    return DEW_OK;
}

/* Images in each solid, across its surface: as if the liquid went on there, so that the mesh meets the solid as the
 * particles do and is not drawn in towards it. Of a thin solid only those that are nearer to this surface than to the
 * one behind, where they would be liquid that is not there. */
static dew_result add_solid_images(const measurement *m, double reach, cloud *c)
{
    real4 wall[SOLIDS_AT_ONCE], image[SOLIDS_AT_ONCE];
    const real slack = (real)(0.1 * m->frame->spacing);
    for (int solid = 0; solid < dew_frame_solid_count(m->frame); solid++) {
        for (int first = 0; first < m->count; first += SOLIDS_AT_ONCE) {
            int n = m->count - first < SOLIDS_AT_ONCE ? m->count - first : SOLIDS_AT_ONCE, images = 0;
            solids_distance(m->frame->solids, solid, reach, n, m->position + first, wall);
            for (int i = 0; i < n; i++) {
                real4 x = m->position[first + i], a = wall[i];
                if (!(a.w > 0) || !(a.w < reach)) continue;
                real twice = 2 * a.w;
                image[images++] = (real4){x.x - twice * a.x, x.y - twice * a.y, x.z - twice * a.z, a.w};
            }
            solids_distance(m->frame->solids, solid, reach, images, image, wall);
            for (int i = 0; i < images; i++) {
                if (wall[i].w > slack - image[i].w) continue;
                image[i].w = 0;
                RESULT_TRY(cloud_add(c, image[i]));
            }
        }
    }
    return DEW_OK;
}

static real *component(real4 *a, int axis) { return axis == 0 ? &a->x : axis == 1 ? &a->y : &a->z; }

/* Images across periodic and symmetry faces, of the images made before too (edges, corners). */
static dew_result add_domain_images(const measurement *m, double reach, cloud *c, bounds *within)
{
    const dew_domain_def *d = &m->frame->domain;
    double *limits[2][3] = {{&within->min.x, &within->min.y, &within->min.z},
                            {&within->max.x, &within->max.y, &within->max.z}};
    for (int axis = 0; axis < 3; axis++) {
        if (d->axis[axis] != DEW_PERIODIC && d->axis[axis] != DEW_SYMMETRY) continue;
        double low = vec3_at(d->min, axis), high = vec3_at(d->max, axis);
        *limits[0][axis] = low, *limits[1][axis] = high;
        int count = c->count;
        for (int i = 0; i < count; i++) {
            for (int side = 0; side < 2; side++) {
                real4 image = c->points[i];
                real *x = component(&image, axis);
                if (side == 0 ? *x - low >= reach : high - *x >= reach) continue;
                if (d->axis[axis] == DEW_SYMMETRY)
                    *x = (real)(2 * (side == 0 ? low : high) - *x);
                else
                    *x = (real)(*x + (side == 0 ? high - low : low - high));
                RESULT_TRY(cloud_add(c, image));
            }
        }
    }
    return DEW_OK;
}

/* Particles are brought back into the domain when a method makes its lists, and may be beyond it until then. */
static real4 within_periods(const dew_domain_def *d, real4 x)
{
    for (int axis = 0; axis < 3; axis++) {
        if (d->axis[axis] != DEW_PERIODIC) continue;
        double low = vec3_at(d->min, axis), width = vec3_at(d->max, axis) - low, at = (double)*component(&x, axis);
        *component(&x, axis) = (real)(at - width * floor((at - low) / width));
    }
    return x;
}

dew_result cloud_gather(const measurement *m, double reach, bool has_solids, cloud *c, bounds *within)
{
    *within = (bounds){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    for (int i = 0; i < m->count; i++) RESULT_TRY(cloud_add(c, within_periods(&m->frame->domain, m->position[i])));
    if (has_solids) RESULT_TRY(add_solid_images(m, reach, c));
    return add_domain_images(m, reach, c, within);
}
