/* What can be told before a run: liquid that solids cut away, what is too narrow for the method, pipes that leak at
 * their end, solids through which kernels would reach, liquids that flow as others would, and steps that are very
 * short.
 */
#include "sim/foresee_parts.h"

#include <stdlib.h>

static liquid_shapes make_bodies(const dew_simulation *s, const dew_simulation_def *def)
{
    liquid_shapes b = {calloc((size_t)def->liquid_count + 1, sizeof *b.of), def->liquid_count};
    if (!b.of) b.count = 0;
    for (int k = 0; k < b.count; k++)
        if (shape_create(&b.of[k], &def->liquids[k].shape, s->w.spacing) != DEW_OK) b.of[k] = NULL;
    return b;
}

static void free_bodies(liquid_shapes *b)
{
    for (int k = 0; k < b->count; k++) shape_destroy(b->of[k]);
    free(b->of);
}

static void foresee_changes(const dew_simulation_def *def, FILE *out)
{
    for (int k = 0; k < def->change_count; k++)
        if (def->changes[k].at >= def->duration)
            fprintf(out, "changes[%d]: at %g s the run has ended: its duration is %g s\n", k, def->changes[k].at,
                    def->duration);
}

dew_result dew_simulation_foresee(dew_simulation *s, const dew_simulation_def *def, char **text)
{
    size_t size = 0;
    *text = NULL;
    FILE *out = open_memstream(text, &size);
    if (!out) return result_fail(DEW_NO_MEMORY, "no memory to look at the scene");
    liquid_shapes liquids = make_bodies(s, def);
    foresee_liquids(s, &liquids, out);
    foresee_solids(s, def, &liquids, out);
    free_bodies(&liquids);
    foresee_emitters(s, out);
    dew_result result = foresee_method(s, def, out);
    foresee_wetting(s, def, out);
    foresee_changes(def, out);
    if (fclose(out) != 0) return result_fail(DEW_NO_MEMORY, "no memory to look at the scene");
    return result;
}
