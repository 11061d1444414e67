#include "laplacian/preconditioner.h"

#include "base/parallel.h"

#define WIDTH 1
#include "laplacian/any/preconditioner.h"
#undef WIDTH
#define WIDTH 4
#include "laplacian/any/preconditioner.h"
#undef WIDTH

double preconditioner_apply(preconditioner *m)
{
    double product;
    bool is_number = m->grid.width == 1;
    int cells = m->grid.level[0].cells;
    parallel_for(cells, LEVEL_GRAIN, is_number ? go_up_1 : go_up_4, m);
    levels_gather(&m->grid);
    levels_cycle(&m->grid);
    balance_shift_nodes(&m->balance);
    if (m->turning.body) turning_turn_nodes(&m->turning);
    parallel_sum(cells, 1, is_number ? go_down_1 : go_down_4, m, &product);
    return product;
}
