#define DIM 2
#define MPM_DIMENSION mpm_in_2d
#include "methods/mpm/any/step.h"
