#define DIM 2
#include "test_mpm_solid.c"
