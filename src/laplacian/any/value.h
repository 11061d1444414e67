/* What a particle or a node has: WIDTH numbers, one or four, as a type on which operators work. Included once for each
 * width, by files of passes that bear the width in their names. */
#include "base/simd.h"

#undef ANY
#undef VALUE
#undef SUMS
#if WIDTH == 1
#define ANY(name) name##_1
#define VALUE real
#define SUMS double
static inline real value_sum_1(real a) { return a; }
static inline double value_sums_1(real a) { return (double)a; }
#else
#define ANY(name) name##_4
#define VALUE vquad
#define SUMS dquad
static inline real value_sum_4(vquad a) { return a[0] + a[1] + a[2]; }
static inline dquad value_sums_4(vquad a) { return __builtin_convertvector(a, dquad); }
#endif

static inline VALUE ANY(value_at)(const real *a, int k)
{
    VALUE v;
    __builtin_memcpy(&v, a + WIDTH * (size_t)k, sizeof v);
    return v;
}
static inline void ANY(value_put)(real *a, int k, VALUE v) { __builtin_memcpy(a + WIDTH * (size_t)k, &v, sizeof v); }
