#include "sim/drift.h"
#include "sim/foresee_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the method adds to a liquid's viscosity is told from this share on: the tightest target of the laws that judge
 * it. */
#define VISCOSITY_SHARE 0.1
/* A run of more steps than this is told. */
#define MANY_STEPS 1e6
/* And a change that makes them so many times as many as the whole run had without. */
#define MANY_TIMES 10

typedef struct said {
    double own_viscosity; /* kinematic, m2/s */
    double longest_step;  /* at the start, s */
    const char *limit;    /* what decided on it */
} said;

/* In the frame in which a step would be. */
static said ask_method(dew_simulation *s)
{
    const method *m = s->method;
    said found = {0, INFINITY, ""};
    drift frame = drift_of(&s->w, s->emitter_count > 0);
    drift_leave(&frame, &s->w);
    if (m->own_viscosity) found.own_viscosity = m->own_viscosity(s->state, &s->w);
    if (m->max_time_step) found.longest_step = m->max_time_step(s->state, &s->w), found.limit = s->w.limit;
    drift_return(&frame, &s->w, 0);
    return found;
}

static void foresee_viscosity(const dew_simulation *s, double kinematic, FILE *out)
{
    for (int k = 0; k < s->w.material_count; k++) {
        const dew_material_def *m = &s->w.materials[k];
        double own = kinematic * m->density;
        if (definition_shear_modulus(m) > 0 || !(own > VISCOSITY_SHARE * m->viscosity)) continue;
        fprintf(out,
                "materials.%s: method %s adds about %.2g Pa s of its own to the %.2g Pa s at this spacing: waves die "
                "sooner\n",
                m->name, s->method->info.name, own, m->viscosity);
    }
}

static const char *mend_of(const said *found)
{
    return strncmp(found->limit, "elastic", 7) == 0 ? "; a lower modulus or a coarser spacing makes them longer" : "";
}

static void foresee_steps(const said *found, double duration, FILE *out)
{
    double steps = duration / found->longest_step;
    if (!(steps > MANY_STEPS)) return;
    fprintf(out, "steps: the first is %.2g s at most (limit: %s), and the run would be %.2g like it%s\n",
            found->longest_step, found->limit, steps, mend_of(found));
}

/* With the scene as it begins, so that what differs is the changes' doing. */
static void foresee_changed_steps(dew_simulation *s, const dew_simulation_def *def, const said *first, FILE *out)
{
    const double least = changes_least_time(def->frame_rate);
    settable of = {&s->w.gravity, s->materials, s->w.material_count, s->w.solids};
    for (int k = 0, made = 0; k < def->change_count; k++) {
        double at = def->changes[k].at, next = k + 1 < def->change_count ? def->changes[k + 1].at : INFINITY;
        if (next <= at + least) continue; /* made with it */
        while (made < s->change_count && s->changes[made].at <= at + least)
            settable_change(&of, s->properties, &s->changes[made++]);
        properties_apply(s);
        said found = ask_method(s);
        double steps = (fmin(next, def->duration) - at) / found.longest_step,
               as_it_begins = def->duration / first->longest_step;
        if (!(steps > fmin(MANY_STEPS, MANY_TIMES * as_it_begins)) || !(found.longest_step < first->longest_step))
            continue;
        fprintf(out,
                "changes[%d]: from %g s on steps are %.2g s at most (limit: %s), %.2g times shorter than before any "
                "change, and the run would be %.2g of them%s\n",
                k, at, found.longest_step, found.limit, first->longest_step / found.longest_step, steps,
                mend_of(&found));
    }
}

dew_result foresee_method(dew_simulation *s, const dew_simulation_def *def, FILE *out)
{
    dew_snapshot_item *before;
    int count;
    RESULT_TRY(dew_simulation_snapshot_copy(s, &before, &count));
    said found = ask_method(s);
    foresee_viscosity(s, found.own_viscosity, out);
    foresee_steps(&found, def->duration, out);
    foresee_changed_steps(s, def, &found, out);
    dew_result result = dew_simulation_restore(s, before, count);
    free(before);
    return result;
}
