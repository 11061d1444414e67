/* The one header with vector dialect. vreal holds LANES reals: a vector register's worth where the compiler has vector
 * extensions and the machine has AVX-512 or AVX2, one real otherwise (or with -DDEW_SCALAR). Arithmetic is written with
 * operators; the few functions here do what operators cannot. One algorithm serves every width. */
#ifndef BASE_SIMD_H
#define BASE_SIMD_H

#include "base/real.h"

#if !defined(DEW_SCALAR) && defined(__AVX512F__)
#define SIMD_BYTES 64
#elif !defined(DEW_SCALAR) && defined(__AVX2__)
#define SIMD_BYTES 32
#else
#define SIMD_BYTES 0
#endif

#if SIMD_BYTES
#include <immintrin.h>
enum { LANES = SIMD_BYTES / sizeof(real) };
typedef real vreal __attribute__((vector_size(SIMD_BYTES)));
#ifdef DEW_REAL_DOUBLE
typedef int64_t vmask __attribute__((vector_size(SIMD_BYTES)));
#else
typedef int32_t vmask __attribute__((vector_size(SIMD_BYTES)));
#endif
#else
enum { LANES = 1 };
typedef real vreal;
typedef int vmask;
#endif

typedef struct vreal4 {
    vreal x, y, z, w;
} vreal4;

#if SIMD_BYTES == 64 && !defined(DEW_REAL_DOUBLE)
static inline vreal vset(real a) { return _mm512_set1_ps(a); }
static inline vreal vsqrt(vreal a) { return _mm512_sqrt_ps(a); }
static inline vreal vmax(vreal a, vreal b) { return _mm512_max_ps(a, b); }
static inline vreal vmin(vreal a, vreal b) { return _mm512_min_ps(a, b); }
#elif SIMD_BYTES == 64
static inline vreal vset(real a) { return _mm512_set1_pd(a); }
static inline vreal vsqrt(vreal a) { return _mm512_sqrt_pd(a); }
static inline vreal vmax(vreal a, vreal b) { return _mm512_max_pd(a, b); }
static inline vreal vmin(vreal a, vreal b) { return _mm512_min_pd(a, b); }
#elif SIMD_BYTES == 32 && !defined(DEW_REAL_DOUBLE)
static inline vreal vset(real a) { return _mm256_set1_ps(a); }
static inline vreal vsqrt(vreal a) { return _mm256_sqrt_ps(a); }
static inline vreal vmax(vreal a, vreal b) { return _mm256_max_ps(a, b); }
static inline vreal vmin(vreal a, vreal b) { return _mm256_min_ps(a, b); }
#elif SIMD_BYTES == 32
static inline vreal vset(real a) { return _mm256_set1_pd(a); }
static inline vreal vsqrt(vreal a) { return _mm256_sqrt_pd(a); }
static inline vreal vmax(vreal a, vreal b) { return _mm256_max_pd(a, b); }
static inline vreal vmin(vreal a, vreal b) { return _mm256_min_pd(a, b); }
#else
static inline vreal vset(real a) { return a; }
static inline vreal vsqrt(vreal a) { return sqrt(a); }
static inline vreal vmax(vreal a, vreal b) { return a > b ? a : b; }
static inline vreal vmin(vreal a, vreal b) { return a < b ? a : b; }
#endif

/* mask ? a : b in each lane; a mask is what a comparison of vreals gives. */
static inline vreal vselect(vmask mask, vreal a, vreal b)
{
#if SIMD_BYTES
    return (vreal)((mask & (vmask)a) | (~mask & (vmask)b));
#else
    return mask ? a : b;
#endif
}

/* 1/sqrt(a) to full single precision, a > 0: an estimate and one Newton step where the machine has an estimate. */
static inline vreal vrsqrt(vreal a)
{
#if SIMD_BYTES == 64 && !defined(DEW_REAL_DOUBLE)
    vreal r = _mm512_rsqrt14_ps(a);
    return r * (1.5f - 0.5f * a * r * r);
#elif SIMD_BYTES == 32 && !defined(DEW_REAL_DOUBLE)
    vreal r = _mm256_rsqrt_ps(a);
    return r * (1.5f - 0.5f * a * r * r);
#else
    return 1 / vsqrt(a);
#endif
}

#endif
