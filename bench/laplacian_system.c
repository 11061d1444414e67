#include "laplacian_system.h"

#include "base/parallel.h"

#include <math.h>
#include <string.h>

static double next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 40) / 16777216.0 - 0.5;
}

/* Of the Laplacian on an even lattice: exact for squares. */
static double scale_of(double reach)
{
    double sum = 0;
    for (int x = -4; x <= 4; x++)
        for (int y = -4; y <= 4; y++)
            for (int z = -4; z <= 4; z++) {
                double r = sqrt(x * x + y * y + z * z);
                if (r > 0 && r < reach) sum += (reach / r - 1) * r * r;
            }
    return 6 / sum;
}

dew_result laplacian_system_open(laplacian_system *s, int side, double reach)
{
    *s = (laplacian_system){.side = side, .reach = reach, .scale = scale_of(reach)};
    int count = side * side * side;
    uint64_t state = 1;
    RESULT_TRY(particles_create(&s->p));
    RESULT_TRY(neighbours_create(&s->n, reach, 0.1));
    if (!(s->scratch = arena_create())) return result_fail(DEW_NO_MEMORY, "no memory for a system of equations");
    ARENA_ARRAY(s->scratch, count, real4, x);
    for (int k = 0; k < count; k++) {
        int place[3] = {k % side, k / side % side, k / side / side};
        for (int a = 0; a < 3; a++) (&x[k].x)[a] = (real)(place[a] + 0.5 + 0.3 * next_random(&state));
        x[k].w = 0;
    }
    RESULT_TRY(particles_insert(&s->p, count, x, NULL, 0));
    return neighbours_build(s->n, &s->p, NULL);
}

void laplacian_system_close(laplacian_system *s)
{
    arena_destroy(s->scratch);
    neighbours_destroy(s->n);
    particles_destroy(&s->p);
}

static void weigh(int begin, int end, void *context)
{
    const laplacian_system *s = context;
    const real4 *x = s->p.position;
    vreal scale = vset((real)s->a.of.unit), reach = vset((real)s->reach);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(x, block);
        laplacian_row row = {0};
        PAIRS(s->a.lists, block, j)
        {
            vreal4 b = pair_j(x, j);
            vreal dx = i.x - b.x, dy = i.y - b.y, dz = i.z - b.z, r2 = dx * dx + dy * dy + dz * dz;
            laplacian_put(&s->a, &row, block, j, r2, scale * vmax(reach * vrsqrt(r2) - 1, vset(0)));
        }
        laplacian_end(&s->a, block, row);
    }
}

/* The walls' part in velocities, and the right sides: speeds of the last step; errors of the density. */
static void set_up(laplacian_system *s, double number)
{
    uint64_t state = 7;
    double most = s->side - 1;
    for (int i = 0; i < s->p.count; i++) {
        real4 x = s->p.position[i];
        bool is_at_wall = x.x < 1 || (double)x.x > most || x.y < 1 || (double)x.y > most || x.z < 1;
        double noise = next_random(&state), wave = sin(6 * (double)x.x / s->side) * sin(3 * (double)x.z / s->side);
        if (s->is_viscous) {
            s->a.diagonal[i] = (real)(1 + (is_at_wall ? 2 * number : 0));
            s->f[i] = (real4){(real)(noise + wave), (real)(noise - wave), (real)(wave - 1), 0};
        } else {
            s->a.diagonal[i] = (double)x.z > most ? (real)INFINITY : 0;
            s->b[i] = (real)(0.1 + noise + wave);
        }
    }
}

dew_result laplacian_system_make(laplacian_system *s, double number)
{
    arena_release(s->scratch, 0);
    s->is_viscous = number > 0;
    laplacian_def def = {.name = s->is_viscous ? "velocity" : "pressure",
                         .particles = &s->p,
                         .lists = neighbours_lists(s->n),
                         .reach = neighbours_cutoff(s->n),
                         .dimension = 3,
                         .is_central = s->is_viscous && s->is_central,
                         .spacing = 1,
                         .unit =
                             (s->is_viscous ? number * s->scale : s->scale) * (s->is_viscous && s->is_central ? 5 : 1),
                         .scratch = s->scratch};
    RESULT_TRY(laplacian_open(&s->a, &def));
    ARENA_TRY_ZEROED(s->scratch, s->p.count, s->b, s->x, s->f, s->v);
    parallel_for(PAIR_BLOCKS(s->p.count), 64, weigh, s);
    set_up(s, number);
    return DEW_OK;
}

dew_result laplacian_system_solve(laplacian_system *s, double tolerance, int *iterations)
{
    enum { MOST = 500 };
    if (s->is_viscous) return laplacian_solve_vectors(&s->a, s->f, s->v, tolerance, MOST, iterations);
    return laplacian_solve(&s->a, s->b, s->x, tolerance, MOST, iterations);
}
