#define DIM 3
#define MPM_DIMENSION mpm_in_3d
#include "methods/mpm/any/step.h"
