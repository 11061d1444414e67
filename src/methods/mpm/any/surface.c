#include "methods/mpm/any/surface.h"

#include "methods/mpm/any/deformation.h"
#include "methods/mpm/any/edges.h"
#include "methods/mpm/any/heat.h"
#include "methods/mpm/any/level_set.h"
#include "methods/mpm/any/line_band.h"
#include "methods/mpm/any/points.h"
#include "methods/mpm/any/properties.h"
#include "methods/mpm/any/rest_strain.h"
#include "methods/mpm/any/shift.h"
#include "methods/mpm/any/solute.h"
#include "methods/mpm/any/stress.h"
#include "methods/mpm/any/walls.h"

void sum_particle_volumes(int begin, int end, void *context, double *sums)
{
    const fluid *f = context;
    for (int i = begin; i < end; i++)
        if (f->body[i] >= 0) {
            double strain = (double)f->a.strain[i];
            if (!(f->has_solids && is_solid(&f->a, i))) strain += (double)f->a.rest_strain[i];
            sums[f->body[i]] += (double)f->volume * (1 + strain);
        }
}

/* Surface particles: owners of samples of the free surface that lie within a spacing of it, so that they lie half a
 * spacing deep in the mean. */
static void mark_surface(fluid *f)
{
    const points *p = &f->points;
    memset(f->a.is_surface, 0, (size_t)f->a.count);
    for (int k = 0; k < p->owner_count; k++) {
        const owner *o = &p->owners[k];
        real depth = 0, area = 0;
        for (int q = o->first_sample; q < o->first_sample + o->sample_count; q++) {
            if (p->area[q].w != 0) continue;
            depth += real3_dot(real3_of(p->area[q]), real3_sub(real3_of(p->sample[q]), real3_of(f->a.x[o->slot])));
            area += real3_length(real3_of(p->area[q]));
        }
        f->a.is_surface[o->slot] = area > 0 && depth < (real)f->w->spacing * area;
    }
}

/* Finds what the next step's length goes by: how much walls are bent, and how light a surface is. */
static void find_next_limits(fluid *f)
{
    const points *p = &f->points;
    f->p->bend = 0, f->p->lightest = 1;
    for (int k = 0; k < p->owner_count; k++) {
        const owner *o = &p->owners[k];
        real area = 0;
        for (int q = 0; q < o->sample_count; q++)
            area += p->lies_on[o->first_sample + q] < 0 ? real3_length(real3_of(p->area[o->first_sample + q])) : 0;
        f->p->bend = fmax(f->p->bend, (double)o->bend);
        if (area > 0) f->p->lightest = fmin(f->p->lightest, (double)(mass_of(f, o->slot) * f->volume / (area * f->dx)));
    }
}

dew_result find_contour(fluid *f, contour *c)
{
    const grid *g = &f->g;
    const world *w = f->w;
    real *level = NULL;
    liquid_bodies b;
    RESULT_TRY(level_set_find(g, f->a.x, f->at_wall, w->spacing, &level));
    RESULT_TRY(liquid_bodies_find(g, level, f->a.count, &b));
    ARENA_ARRAY(g->memory, b.count, double, volumes);
    f->body = b.of_particle;
    liquid_bodies_sum(b.count, f->a.count, 1, sum_particle_volumes, f, volumes);
    RESULT_TRY(contour_make(g, level, net_height(w->spacing, g->dx), &b, volumes, w->solids,
                            w->materials[0].surface_tension, c));
    RESULT_TRY(contour_measure(c));
    f->p->volume = 0;
    for (int k = 0; k < b.count; k++) f->p->volume += c->sums[k * BODY_SUMS + BODY_VOLUME];
    return DEW_OK;
}

dew_result find_surface(fluid *f, double time)
{
    contour *c = &f->surface;
    samples s;
    RESULT_TRY(walls_find(f));
    RESULT_TRY(find_contour(f, c));
    RESULT_TRY(depths_find(c));
    f->depth = c->depth_of;
    /* Where the speed of sound is 0 nothing moves: there is no order to lose, and no pressure would follow a strain. */
    if (f->p->parameter[MPM_SHIFT] > 0 && f->bulk > 0) RESULT_TRY(shift_particles(f, c));
    RESULT_TRY(samples_make(c, f->a.x, f->w, &s));
    if (f->w->heat) RESULT_TRY(conduct_heat(f, &s, time));
    if (f->w->solute) RESULT_TRY(spread_solute(f, &s, time));
    RESULT_TRY(find_properties(f, &s));
    if (f->has_solids) parallel_for(f->a.count, 1024, change_phases, f);
    /* The surface of a solid has no tension: what it would do to one is hardly to be seen, and the samples of a liquid
     * that end on a solid's particles would draw them out. */
    for (int k = 0; k < s.count && f->has_solids; k++)
        if (s.owner[k] >= 0 && is_solid(&f->a, s.owner[k])) s.solid[k] = OWN_SOLID;
    line_band_find(c, f->w->solids, &s);
    edges_hold(c, f->w, &s);
    samples_end(f->w, &s);
    RESULT_TRY(rest_strains_find(f, &s));
    RESULT_TRY(points_make(f, &s));
    if (f->has_solids) parallel_for(f->a.count, 4096, mark_solids, f);
    parallel_for(f->points.owner_count, 64, see_walls, f);
    find_next_limits(f);
    f->p->area = s.free_area, f->p->energy = s.energy;
    mark_surface(f);
    return DEW_OK;
}
