#define DIM 3
#define MPM_STEP_HERE mpm_step_3d
#include "methods/mpm/any/step.h"
