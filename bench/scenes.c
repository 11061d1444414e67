/* Scenes whole, by every method that can: of liquid that walls hold, that falls, that comes in, that is stiff. They are
 * the trials of the same names, finer, after a short start. */
#include "bench.h"

#include "laws/law.h"
#include "laws/trials/trial.h"

static int bench_trial(const char *name, bench_scene_def of, int threads, bench_result *results, int capacity)
{
    const law *l = law_find(name);
    int rows = 0;
    of.text = ((const trial *)l->data)->scene;
    for (int i = 0; i < dew_method_count() && rows < capacity; i++) {
        const dew_method_info *method = dew_method_at(i);
        if (law_lacks(l, method)) continue;
        if (bench_scene(&of, method->name, threads, &results[rows++]) < 0) return -1;
    }
    return rows;
}

int bench_pool(int threads, bench_result *results, int capacity)
{
    const bench_scene_def of = {.name = "pool", .spacing = 3e-3, .start = 0.05, .window = 5};
    return bench_trial("trial_pool", of, threads, results, capacity);
}

int bench_dam_break(int threads, bench_result *results, int capacity)
{
    const bench_scene_def of = {.name = "dam-break", .spacing = 3e-3, .start = 0.1, .window = 5};
    return bench_trial("trial_dam_break", of, threads, results, capacity);
}

int bench_nozzle(int threads, bench_result *results, int capacity)
{
    const bench_scene_def of = {.name = "nozzle", .spacing = 0.14e-3, .start = 6e-3, .window = 5};
    return bench_trial("trial_nozzle", of, threads, results, capacity);
}

int bench_honey(int threads, bench_result *results, int capacity)
{
    const bench_scene_def of = {.name = "honey", .spacing = 0.11e-3, .start = 1e-3, .window = 3};
    return bench_trial("trial_honey", of, threads, results, capacity);
}

/* Steps 2 to 100 of the scene as it is: it takes months whole. */
int bench_tank(int threads, bench_result *results, int capacity)
{
    extern const char bench_tank_scene[];
    const bench_scene_def of = {.name = "tank", .text = bench_tank_scene, .spacing = 1e-4, .window = 11};
    return capacity > 0 ? bench_scene(&of, "mps", threads, results) : 0;
}
