/* What a particle costs on its way to the grid (P2G) and back (G2P), away from surfaces and walls: every particle of a
 * ball goes straight, none is split. Sorting, the surface and the mean strains of cubes are left out. */
#include "bench.h"

#include "sim/simulation.h"

#define DIM 3
#include "methods/mpm/any/passes.h"
#include "methods/mpm/any/step.h"

enum { PARTICLES = 137000, RUNS = 15, SETTLING = 3 };

typedef struct passes {
    double wall[RUNS], cpu[RUNS];
} passes;

static void pass_begin(passes *p, int run) { p->wall[run] = bench_clock(), p->cpu[run] = bench_cpu_clock(); }

static void pass_end(passes *p, int run)
{
    p->wall[run] = bench_clock() - p->wall[run], p->cpu[run] = bench_cpu_clock() - p->cpu[run];
}

static void pass_row(const char *name, int count, passes *p, bench_result *row)
{
    double wall = bench_median(p->wall, RUNS);
    *row = bench_row(name, count, parallel_threads());
    row->method = "mpm";
    row->ms_per_step = 1e3 * wall, row->cpu_ms_per_step = 1e3 * bench_median(p->cpu, RUNS);
    row->particle_steps_per_second = count / wall;
}

static bool is_settling(void *context, const dew_simulation *simulation)
{
    (void)context;
    return dew_simulation_step_count(simulation) < SETTLING;
}

/* The flow of now without owners of samples. */
static dew_result open_flow(dew_simulation *s, fluid *f)
{
    const double dt = 1e-9; /* s: nothing moves away */
    RESULT_TRY(fluid_begin(f, s->state, &s->w, dt, dt));
    f->points.owner_count = f->points.count = 0;
    memset(f->points.kind, 0, (size_t)f->a.count);
    return find_nodes(f);
}

static void time_passes(fluid *f, bench_result *results)
{
    passes there, back;
    size_t nodes = (size_t)f->g.block_count * CELLS;
    for (int run = 0; run < RUNS; run++) {
        pass_begin(&there, run);
        memset(f->node, 0, nodes * sizeof *f->node);
        each_colour(&f->g, particles_to_grid, f);
        parallel_for((int)nodes, 2048, nodes_divide, f->node);
        pass_end(&there, run);
        pass_begin(&back, run);
        each_block(&f->g, particles_from_grid, f);
        pass_end(&back, run);
    }
    pass_row("mpm-p2g", f->a.count, &there, &results[0]);
    pass_row("mpm-g2p", f->a.count, &back, &results[1]);
}

int bench_mpm_transfer(int threads, bench_result *results, int capacity)
{
    const double pi = 3.14159265358979, radius = 1e-3;
    dew_material_def water = dew_default_material_def();
    dew_liquid_def liquid = dew_default_liquid_def();
    dew_simulation_def def = dew_default_simulation_def();
    dew_simulation *simulation = NULL;
    fluid f;
    if (capacity < 2) return 0;
    water.name = "water";
    liquid.shape = dew_sphere((dew_vec3){0, 0, 0}, radius);
    def.title = "mpm-transfer", def.method = "mpm", def.spacing = radius * cbrt(4 * pi / 3 / PARTICLES);
    def.gravity = (dew_vec3){0, 0, 0}, def.threads = threads;
    def.materials = &water, def.material_count = 1, def.liquids = &liquid, def.liquid_count = 1;
    dew_result result = dew_simulation_create(&def, &simulation);
    if (result == DEW_OK) result = dew_simulation_advance(simulation, 1e3, is_settling, NULL);
    if (result == DEW_OK) result = open_flow(simulation, &f);
    if (result == DEW_OK) time_passes(&f, results);
    dew_simulation_destroy(simulation);
    return result == DEW_OK ? 2 : -1;
}
