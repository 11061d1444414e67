/* The systems of laplacian_system.h by HYPRE on one process: conjugate gradients with BoomerAMG, as its manual advises
 * for Laplacians in three dimensions (HMIS coarsening, extended+i interpolation of at most four, one level of
 * aggressive coarsening), to the same residual. Beside it what dew takes. Built only where HYPRE and MPI are found:
 * `build/yardstick [SIDE [REACH]]`. */
#include <HYPRE.h>
#include <HYPRE_krylov.h>
#include <HYPRE_parcsr_ls.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "bench.h"
#include "laplacian_system.h"

#define TOLERANCE 1e-3

/* --- the matrix --- */

/* Rows of those that take part, numbered on. */
typedef struct matrix {
    int rows;
    int *row_of, *slot_of, *size, *column;
    double *value;
} matrix;

static int write_row(const laplacian_system *s, const matrix *m, int slot, int *column, double *value)
{
    const laplacian *a = &s->a;
    int count = 1, group = slot / 4;
    double diagonal = (double)a->diagonal[slot];
    for (pair_part part = pair_first(a->lists, group); part.begin; part = pair_next(part))
        for (const uint16_t *at = part.begin; at < part.end; at++) {
            int other = part.base + *at;
            double w = a->of.unit * (double)half_to_real(a->weight[4 * (at - a->lists.entries) + slot % 4]);
            if (!(w > 0)) continue;
            diagonal += w;
            if (m->row_of[other] < 0) continue;
            column[count] = m->row_of[other], value[count++] = -w;
        }
    column[0] = m->row_of[slot], value[0] = diagonal;
    return count;
}

static void make_matrix(const laplacian_system *s, matrix *m)
{
    int count = s->p.count;
    size_t most = 4 * s->a.lists.count;
    *m = (matrix){.row_of = malloc(sizeof(int) * (size_t)(s->p.end + 4)),
                  .slot_of = malloc(sizeof(int) * (size_t)count),
                  .size = malloc(sizeof(int) * (size_t)count),
                  .column = malloc(sizeof(int) * most),
                  .value = malloc(sizeof(double) * most)};
    if (!m->row_of || !m->slot_of || !m->size || !m->column || !m->value) exit(1);
    for (int i = 0; i < s->p.end + 4; i++) m->row_of[i] = -1;
    for (int i = 0; i < count; i++)
        if (!isinf(s->a.diagonal[i])) m->row_of[i] = m->rows, m->slot_of[m->rows++] = i;
    size_t used = 0;
    for (int r = 0; r < m->rows; r++) {
        m->size[r] = write_row(s, m, m->slot_of[r], m->column + used, m->value + used);
        used += (size_t)m->size[r];
    }
}

static void free_matrix(matrix *m)
{
    free(m->row_of), free(m->slot_of), free(m->size), free(m->column), free(m->value);
}

/* --- HYPRE --- */

static HYPRE_IJVector vector_of(const matrix *m, const laplacian_system *s, int component, bool is_right_side)
{
    HYPRE_IJVector v;
    double *values = malloc(sizeof *values * (size_t)m->rows);
    HYPRE_IJVectorCreate(MPI_COMM_SELF, 0, m->rows - 1, &v);
    HYPRE_IJVectorSetObjectType(v, HYPRE_PARCSR);
    HYPRE_IJVectorInitialize(v);
    for (int r = 0; r < m->rows && values; r++) {
        int i = m->slot_of[r];
        values[r] = !is_right_side ? 0 : (double)(s->is_viscous ? (&s->f[i].x)[component] : s->b[i]);
    }
    HYPRE_IJVectorSetValues(v, m->rows, NULL, values);
    HYPRE_IJVectorAssemble(v);
    free(values);
    return v;
}

static HYPRE_Solver multigrid(void)
{
    HYPRE_Solver amg;
    HYPRE_BoomerAMGCreate(&amg);
    HYPRE_BoomerAMGSetCoarsenType(amg, 10);
    HYPRE_BoomerAMGSetInterpType(amg, 6);
    HYPRE_BoomerAMGSetPMaxElmts(amg, 4);
    HYPRE_BoomerAMGSetAggNumLevels(amg, 1);
    HYPRE_BoomerAMGSetStrongThreshold(amg, 0.25);
    HYPRE_BoomerAMGSetRelaxType(amg, 6);
    HYPRE_BoomerAMGSetTol(amg, 0);
    HYPRE_BoomerAMGSetMaxIter(amg, 1);
    return amg;
}

/* Seconds of CPU: set-up once, then a solution for each component. Returns the most iterations. */
static int run_hypre(const matrix *m, const laplacian_system *s, double *set_up, double *solving)
{
    HYPRE_IJMatrix ij;
    HYPRE_ParCSRMatrix a;
    HYPRE_IJMatrixCreate(MPI_COMM_SELF, 0, m->rows - 1, 0, m->rows - 1, &ij);
    HYPRE_IJMatrixSetObjectType(ij, HYPRE_PARCSR);
    HYPRE_IJMatrixSetRowSizes(ij, m->size);
    HYPRE_IJMatrixInitialize(ij);
    int *rows = malloc(sizeof *rows * (size_t)m->rows), most = 0;
    if (!rows) exit(1);
    for (int r = 0; r < m->rows; r++) rows[r] = r;
    HYPRE_IJMatrixSetValues(ij, m->rows, (int *)m->size, rows, m->column, m->value);
    HYPRE_IJMatrixAssemble(ij);
    HYPRE_IJMatrixGetObject(ij, (void **)&a);
    HYPRE_Solver amg = multigrid(), cg;
    HYPRE_ParCSRPCGCreate(MPI_COMM_SELF, &cg);
    HYPRE_PCGSetTol(cg, TOLERANCE);
    HYPRE_PCGSetTwoNorm(cg, 1);
    HYPRE_PCGSetMaxIter(cg, 500);
    HYPRE_PCGSetPrecond(cg, (HYPRE_PtrToSolverFcn)HYPRE_BoomerAMGSolve, (HYPRE_PtrToSolverFcn)HYPRE_BoomerAMGSetup,
                        amg);
    *set_up = *solving = 0;
    for (int component = 0; component < (s->is_viscous ? 3 : 1); component++) {
        HYPRE_IJVector b = vector_of(m, s, component, true), x = vector_of(m, s, component, false);
        HYPRE_ParVector pb, px;
        HYPRE_IJVectorGetObject(b, (void **)&pb);
        HYPRE_IJVectorGetObject(x, (void **)&px);
        double start = bench_cpu_clock();
        if (component == 0) HYPRE_ParCSRPCGSetup(cg, a, pb, px);
        double middle = bench_cpu_clock();
        HYPRE_ParCSRPCGSolve(cg, a, pb, px);
        *set_up += middle - start, *solving += bench_cpu_clock() - middle;
        int iterations;
        HYPRE_PCGGetNumIterations(cg, &iterations);
        if (iterations > most) most = iterations;
        HYPRE_IJVectorDestroy(b);
        HYPRE_IJVectorDestroy(x);
    }
    HYPRE_ParCSRPCGDestroy(cg);
    HYPRE_BoomerAMGDestroy(amg);
    HYPRE_IJMatrixDestroy(ij);
    free(rows);
    return most;
}

static dew_result compare(laplacian_system *s, double number)
{
    matrix m;
    double set_up, solving;
    int iterations, of_hypre;
    RESULT_TRY(laplacian_system_make(s, number));
    double start = bench_cpu_clock();
    RESULT_TRY(laplacian_system_solve(s, TOLERANCE, &iterations));
    double own = bench_cpu_clock() - start;
    make_matrix(s, &m);
    of_hypre = run_hypre(&m, s, &set_up, &solving);
    free_matrix(&m);
    char name[32] = "pressure";
    if (number > 0) snprintf(name, sizeof name, "velocity %g", number);
    printf("%-16s %9d %6.1f %6d %9.0f %12d %9.0f %9.0f\n", name, s->p.count, s->reach, iterations, 1e3 * own, of_hypre,
           1e3 * set_up, 1e3 * solving);
    fflush(stdout);
    return DEW_OK;
}

int main(int argc, char **argv)
{
    const double numbers[] = {0, 0.1, 10, 1000};
    laplacian_system s;
    MPI_Init(&argc, &argv);
    HYPRE_Init();
    parallel_set_threads(1);
    int side = argc > 1 ? atoi(argv[1]) : 46;
    dew_result result = laplacian_system_open(&s, side, argc > 2 ? atof(argv[2]) : 2.1);
    printf("%-16s %9s %6s %6s %9s %12s %9s %9s\n", "CPU ms, 1 thread", "particles", "reach", "dew: it.", "all",
           "HYPRE: it.", "set-up", "solution");
    for (int k = 0; k < 4 && result == DEW_OK; k++) result = compare(&s, numbers[k]);
    if (result != DEW_OK) fprintf(stderr, "%s\n", dew_message());
    laplacian_system_close(&s);
    HYPRE_Finalize();
    MPI_Finalize();
    return result != DEW_OK;
}
