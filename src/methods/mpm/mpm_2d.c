#define DIM 2
#define MPM_STEP_HERE mpm_step_2d
#include "methods/mpm/any/step.h"
