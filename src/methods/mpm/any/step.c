/* A step: the surface, then substeps. Equations and sections are those of the paper; README.md says what each symbol
 * is. */
#include "methods/mpm/any/step.h"

#include "methods/mpm/any/density.h"
#include "methods/mpm/any/friction.h"
#include "methods/mpm/any/hold.h"
#include "methods/mpm/any/implicit.h"
#include "methods/mpm/any/passes.h"
#include "methods/mpm/any/piston.h"
#include "methods/mpm/any/points.h"
#include "methods/mpm/any/pressure.h"
#include "methods/mpm/any/rounding.h"
#include "methods/mpm/any/split_merge.h"
#include "methods/mpm/any/surface.h"
#include "methods/mpm/any/transfer_loss.h"
#include "methods/mpm/any/walls.h"

enum { OWNER_GRAIN = 32, SWEEP_GRAIN = 2048, PARTICLE_GRAIN = 4096 };

dew_result fluid_begin(fluid *f, mpm_state *p, world *w, double dt, double time)
{
    *f = (fluid){.p = p, .w = w};
    int32_t *order;
    RESULT_TRY(fluid_sort(f, &order));
    fluid_numbers(f, dt);
    RESULT_TRY(fluid_elasticities(f));
    RESULT_TRY(piston_find(f));
    RESULT_TRY(find_surface(f, time));
    f->mark = arena_mark(w->scratch);
    return fluid_room(f);
}

dew_result find_nodes(fluid *f)
{
    const int nodes = f->g.block_count * CELLS;
    parallel_for(nodes, SWEEP_GRAIN, clear_nodes, f);
    /* e of a cube: the mean of its particles' (F-bar) */
    each_home_colour(&f->g, add_strains, f);
    parallel_for(nodes, SWEEP_GRAIN, find_means, f);
    /* m/(2 n + 1) for a particle, each of its n samples and each balance point (4.1.3) */
    parallel_for(f->points.owner_count, OWNER_GRAIN, split_owners, f);
    RESULT_TRY(points_sort(f));
    /* m v_i = sum N m (v + A (x_i - x)) - dt sum V sigma grad N (4.2; 15, 16) - dt sum k |a| (I - n n^T) grad N (7, 11)
     */
    each_colour(&f->g, particles_to_grid, f);
    parallel_for(nodes, SWEEP_GRAIN, nodes_divide, f->node);
    return DEW_OK;
}

static dew_result substep(fluid *f, bool is_first)
{
    const bool is_compressible = f->bulk > 0;
    size_t mark = arena_mark(f->g.memory);
    RESULT_TRY(find_nodes(f));
    piston_move_nodes(f);
    /* (M + K) v = M v*; [n/(1 + e)^2 + a^2 g^T M^-1 g] z = n e/(1 + e) + (dt/dx) g^T v* (4.3.1, 14) */
    RESULT_TRY(solve_implicit(f));
    piston_add_given(f);
    /* [n + b^2 g^T M^-1 g] z = n E: by how much density is off (Kugelstadt et al. 2019) */
    if (is_first && is_compressible) RESULT_TRY(density_displacements(f));
    if (f->implicit.pressure || is_first) each_home(&f->g, pressure_take_strains, f);
    /* v = sum N v_i, A = (4/dx^2) sum N v_i (x_i - x)^T; x += dt v; J *= det(I + dt grad v), F <- (I + dt grad v) F (5)
     */
    each_block(&f->g, particles_from_grid, f);
    /* The same of owners, means over their points (5); samples: s += dt v(s), a <- cof(I + dt grad v) a */
    parallel_for(f->points.owner_count, OWNER_GRAIN, merge_owners, f);
    /* |impulse along a wall| <= mu (impulse along its normal) (6.4) */
    if (mpm_has_friction(f->w)) parallel_for(f->points.owner_count, OWNER_GRAIN, rub_walls, f);
    /* dv/dt = -k (v - v_wall) along walls (Navier's condition) */
    if (solids_count(f->w->solids) > 0) parallel_for(f->points.owner_count, OWNER_GRAIN, hold_at_walls, f);
    if (is_first && is_compressible) RESULT_TRY(density_displace(f));
    if (f->a.pushed) parallel_for(f->a.count, PARTICLE_GRAIN, density_take_pushed, f);
    arena_release(f->g.memory, mark);
    return DEW_OK;
}

dew_result step_fluid(mpm_state *p, world *w, double dt, int substeps)
{
    double momentum[MOMENTUM_SUMS];
    const bool is_free = solids_count(w->solids) == 0, is_kept = is_free || solids_has_bodies(w->solids);
    fluid f = {.p = p, .w = w, .a = mpm_arrays_of(p, w)};
    if (is_kept) parallel_sum(f.a.count, MOMENTUM_SUMS, sum_momentum, &f, momentum);
    RESULT_TRY(fluid_begin(&f, p, w, dt / substeps, dt));
    f.share = (real)1 / (real)substeps;
    /* (v, A) += n ((v, A) - T (v, A)): what the substeps' transfers T will take */
    RESULT_TRY(transfer_loss_give_back(&f, substeps));
    for (int k = 0; k < substeps; k++) {
        RESULT_TRY(substep(&f, k == 0));
        if (k + 1 < substeps && have_strayed(&f, k == 0)) RESULT_TRY(fluid_sort_again(&f));
    }
    piston_take_given(&f);
    if (!is_free) solids_each(w->solids, f.points.owner_count, push_walls, &f);
    parallel_for(f.points.owner_count, 2 * OWNER_GRAIN, leave_walls, &f);
    if (is_kept) give_back_rounding(&f, momentum, dt);
    particles_wrap(w->particles, &p->domain);
    parallel_for(f.a.count, PARTICLE_GRAIN, fluid_write_pressures, &f);
    if (f.a.pushed) memset(f.a.pushed, 0, (size_t)f.a.count * sizeof *f.a.pushed);
    return DEW_OK;
}
