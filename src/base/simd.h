/* The one header with vector dialect. vreal holds LANES reals: a vector register's worth where the compiler has vector
 * extensions and the machine has AVX-512 or AVX2, one real otherwise (or with -DDEW_SCALAR). Arithmetic is written with
 * operators; the few functions here do what operators cannot. One algorithm serves every width. */
#ifndef BASE_SIMD_H
#define BASE_SIMD_H

#include "base/real.h"

#if !defined(DEW_SCALAR) && defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
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

/* The intrinsic of this name for a vreal. */
#if SIMD_BYTES == 64 && !defined(DEW_REAL_DOUBLE)
#define SIMD(name) _mm512_##name##_ps
#elif SIMD_BYTES == 64
#define SIMD(name) _mm512_##name##_pd
#elif !defined(DEW_REAL_DOUBLE)
#define SIMD(name) _mm256_##name##_ps
#else
#define SIMD(name) _mm256_##name##_pd
#endif

#if SIMD_BYTES
static inline vreal vset(real a) { return SIMD(set1)(a); }
static inline vreal vsqrt(vreal a) { return SIMD(sqrt)(a); }
static inline vreal vmax(vreal a, vreal b) { return SIMD(max)(a, b); }
static inline vreal vmin(vreal a, vreal b) { return SIMD(min)(a, b); }
#else
static inline vreal vset(real a) { return a; }
static inline vreal vsqrt(vreal a) { return sqrt(a); }
static inline vreal vmax(vreal a, vreal b) { return a > b ? a : b; }
static inline vreal vmin(vreal a, vreal b) { return a < b ? a : b; }
#endif

static inline vreal vdot3(vreal4 a, vreal4 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

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

/* 1/a to three digits or more, a > 0: an estimate where the machine has one. */
static inline vreal vrcp_rough(vreal a)
{
#if SIMD_BYTES == 64 && !defined(DEW_REAL_DOUBLE)
    return _mm512_rcp14_ps(a);
#elif SIMD_BYTES == 32 && !defined(DEW_REAL_DOUBLE)
    return _mm256_rcp_ps(a);
#else
    return 1 / a;
#endif
}

/* The sum of all lanes. */
static inline real vsum(vreal a)
{
#if SIMD_BYTES == 64
    return SIMD(reduce_add)(a);
#elif SIMD_BYTES
    real sum[LANES / 2];
    for (int l = 0; l < LANES / 2; l++) sum[l] = a[l] + a[l + LANES / 2];
    for (int half = LANES / 4; half > 0; half /= 2)
        for (int l = 0; l < half; l++) sum[l] += sum[l + half];
    return sum[0];
#else
    return a;
#endif
}

/* From and to any place. */
static inline vreal vload(const real *a)
{
#if SIMD_BYTES
    vreal r;
    __builtin_memcpy(&r, a, sizeof r);
    return r;
#else
    return *a;
#endif
}
static inline void vstore(real *a, vreal value)
{
#if SIMD_BYTES
    __builtin_memcpy(a, &value, sizeof value);
#else
    *a = value;
#endif
}

/* --- numbers in 16 bits (IEEE half), to half the last of 11 bits between 6e-5 and 65504 in size --- */

static inline real half_to_real(uint16_t a)
{
    uint32_t bits = (uint32_t)(a & 0x7fff) << 13 | (uint32_t)(a & 0x8000) << 16; /* of that exponent's bias */
    float f;
    __builtin_memcpy(&f, &bits, sizeof f);
    return (real)(f * 0x1p112f);
}
static inline uint16_t half_of_real(real a)
{
    float f = (float)(a < 65504 ? a : 65504) * 0x1p-112f;
    uint32_t bits;
    __builtin_memcpy(&bits, &f, sizeof bits);
    uint32_t sign = bits >> 16 & 0x8000, size = bits & 0x7fffffff;
    return (uint16_t)(sign | (size + 0xfff + (size >> 13 & 1)) >> 13);
}
static inline vreal vload_half(const uint16_t *a)
{
#if SIMD_BYTES == 64 && !defined(DEW_REAL_DOUBLE)
    return _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)a));
#elif SIMD_BYTES == 32 && !defined(DEW_REAL_DOUBLE) && defined(__F16C__)
    return _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)a));
#elif SIMD_BYTES
    vreal r;
    for (int l = 0; l < LANES; l++) r[l] = half_to_real(a[l]);
    return r;
#else
    return half_to_real(*a);
#endif
}
static inline void vstore_half(uint16_t *a, vreal value)
{
#if SIMD_BYTES == 64 && !defined(DEW_REAL_DOUBLE)
    _mm256_storeu_si256((__m256i *)a, _mm512_cvtps_ph(vmin(value, vset(65504)), _MM_FROUND_TO_NEAREST_INT));
#elif SIMD_BYTES == 32 && !defined(DEW_REAL_DOUBLE) && defined(__F16C__)
    _mm_storeu_si128((__m128i *)a, _mm256_cvtps_ph(vmin(value, vset(65504)), _MM_FROUND_TO_NEAREST_INT));
#elif SIMD_BYTES
    for (int l = 0; l < LANES; l++) a[l] = half_of_real(value[l]);
#else
    *a = half_of_real(value);
#endif
}

/* Between the entries of a table, straight: at 2.25 three quarters of table[2] and one of table[3]. at >= 0. */
static inline vreal vtable(const real *table, vreal at)
{
#if SIMD_BYTES == 64 && !defined(DEW_REAL_DOUBLE)
    __m512i k = _mm512_cvttps_epi32(at);
    vreal low = _mm512_i32gather_ps(k, table, 4), high = _mm512_i32gather_ps(k, table + 1, 4);
    return low + (at - _mm512_cvtepi32_ps(k)) * (high - low);
#elif SIMD_BYTES
    vreal value;
    for (int l = 0; l < LANES; l++) {
        int k = (int)at[l];
        value[l] = table[k] + (at[l] - (real)k) * (table[k + 1] - table[k]);
    }
    return value;
#else
    int k = (int)at;
    return table[k] + (at - (real)k) * (table[k + 1] - table[k]);
#endif
}

/* A bit for each lane where a < b. */
static inline unsigned vless(vreal a, vreal b)
{
#if SIMD_BYTES == 64 && !defined(DEW_REAL_DOUBLE)
    return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ);
#elif SIMD_BYTES == 64
    return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ);
#elif SIMD_BYTES == 32
    return (unsigned)SIMD(movemask)(SIMD(cmp)(a, b, _CMP_LT_OQ));
#else
    return a < b;
#endif
}

/* A bit for each odd one of in[0 .. LANES). */
static inline unsigned vodd(const int32_t *in)
{
#if SIMD_BYTES == 64 && !defined(DEW_REAL_DOUBLE)
    return _mm512_test_epi32_mask(_mm512_loadu_si512(in), _mm512_set1_epi32(1));
#else
    unsigned bits = 0;
    for (int k = 0; k < LANES; k++) bits |= (unsigned)(in[k] & 1) << k;
    return bits;
#endif
}

/* Writes the numbers of in[0 .. LANES) whose bit is set to the front of out, in order; the rest of out[0 .. LANES) may
 * be overwritten. Returns how many. */
static inline int vcompress(int32_t *out, const int32_t *in, unsigned bits)
{
#if SIMD_BYTES == 64 && !defined(DEW_REAL_DOUBLE)
    /* Compressing into a register and storing all of it is many times faster than compressing into memory. */
    _mm512_storeu_si512(out, _mm512_maskz_compress_epi32((__mmask16)bits, _mm512_loadu_si512(in)));
    return __builtin_popcount(bits);
#elif SIMD_BYTES == 64
    __m256i kept = _mm256_maskz_compress_epi32((__mmask8)bits, _mm256_loadu_si256((const __m256i *)in));
    _mm256_storeu_si256((__m256i *)out, kept);
    return __builtin_popcount(bits);
#elif SIMD_BYTES == 32 && !defined(DEW_REAL_DOUBLE) && defined(__BMI2__)
    /* The lanes' numbers, a byte each, drawn together by their bits. */
    uint64_t bytes = _pdep_u64(bits, 0x0101010101010101) * 0xff;
    __m256i lanes = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((int64_t)_pext_u64(0x0706050403020100, bytes)));
    _mm256_storeu_si256((__m256i *)out, _mm256_permutevar8x32_epi32(_mm256_loadu_si256((const __m256i *)in), lanes));
    return __builtin_popcount(bits);
#else
    int count = 0;
    for (int k = 0; k < LANES; k++) {
        out[count] = in[k];
        count += bits >> k & 1;
    }
    return count;
#endif
}

/* The same of in[0 .. 4). */
static inline int compress_four(uint16_t *out, const uint16_t *in, unsigned bits)
{
#if SIMD_BYTES && defined(__BMI2__)
    uint64_t four, kept;
    __builtin_memcpy(&four, in, sizeof four);
    kept = _pext_u64(four, _pdep_u64(bits, 0x0001000100010001) * 0xffff);
    __builtin_memcpy(out, &kept, sizeof kept);
    return __builtin_popcount(bits);
#else
    int count = 0;
    for (int k = 0; k < 4; k++) {
        out[count] = in[k];
        count += bits >> k & 1;
    }
    return count;
#endif
}

/* Records from LANES places of an array, a lane each. */
static inline vreal4 vrecords(const real4 *a, const int32_t *at)
{
#if SIMD_BYTES == 64 && !defined(DEW_REAL_DOUBLE)
    /* Four records a register, every fourth in each, turned within lanes of 128 bits. */
    __m512 r[4];
    for (int k = 0; k < 4; k++) {
        r[k] = _mm512_castps128_ps512(_mm_load_ps(&a[at[k]].x));
        r[k] = _mm512_insertf32x4(r[k], _mm_load_ps(&a[at[k + 4]].x), 1);
        r[k] = _mm512_insertf32x4(r[k], _mm_load_ps(&a[at[k + 8]].x), 2);
        r[k] = _mm512_insertf32x4(r[k], _mm_load_ps(&a[at[k + 12]].x), 3);
    }
    __m512 xy01 = _mm512_unpacklo_ps(r[0], r[1]), xy23 = _mm512_unpacklo_ps(r[2], r[3]);
    __m512 zw01 = _mm512_unpackhi_ps(r[0], r[1]), zw23 = _mm512_unpackhi_ps(r[2], r[3]);
    return (vreal4){_mm512_shuffle_ps(xy01, xy23, 0x44), _mm512_shuffle_ps(xy01, xy23, 0xee),
                    _mm512_shuffle_ps(zw01, zw23, 0x44), _mm512_shuffle_ps(zw01, zw23, 0xee)};
#else
    real r[4][LANES];
    for (int l = 0; l < LANES; l++)
        r[0][l] = a[at[l]].x, r[1][l] = a[at[l]].y, r[2][l] = a[at[l]].z, r[3][l] = a[at[l]].w;
    return (vreal4){vload(r[0]), vload(r[1]), vload(r[2]), vload(r[3])};
#endif
}

/* --- quads: a record (real4) in a register --- */

/* Arithmetic by operators here too; a compiler splits it up where the machine has no such registers. */
typedef real vquad __attribute__((vector_size(4 * sizeof(real))));

/* Four numbers from any place: a record lies at multiples of its size, which a compiler may count on. */
static inline vquad quad_load_four(const real *a)
{
    vquad r;
    __builtin_memcpy(&r, a, sizeof r);
    return r;
}
static inline vquad quad_load(const real4 *a) { return quad_load_four(&a->x); }
static inline void quad_store(real4 *a, vquad q) { __builtin_memcpy(a, &q, sizeof q); }
static inline vquad quad_set(real a) { return (vquad){a, a, a, a}; }
static inline vquad quad_floor(vquad a)
{
#if SIMD_BYTES && !defined(DEW_REAL_DOUBLE)
    return _mm_floor_ps(a);
#elif SIMD_BYTES
    return _mm256_floor_pd(a);
#else
    for (int k = 0; k < 4; k++) a[k] = floor(a[k]);
    return a;
#endif
}

static inline vquad quad_min(vquad a, vquad b)
{
#if SIMD_BYTES && !defined(DEW_REAL_DOUBLE)
    return _mm_min_ps(a, b);
#elif SIMD_BYTES
    return _mm256_min_pd(a, b);
#else
    for (int k = 0; k < 4; k++) a[k] = a[k] < b[k] ? a[k] : b[k];
    return a;
#endif
}
static inline vquad quad_max(vquad a, vquad b) { return -quad_min(-a, -b); }

/* A record of doubles. */
typedef double dquad __attribute__((vector_size(4 * sizeof(double))));

/* y, z, x, w */
static inline dquad dquad_turn(dquad a) { return (dquad){a[1], a[2], a[0], a[3]}; }

/* --- rows: four records that lie one behind the other, as on a grid --- */

#ifdef DEW_REAL_DOUBLE
#define ROW_LANES (SIMD_BYTES / 8)
#else
#define ROW_LANES (SIMD_BYTES / 4)
#endif
enum { ROW_PARTS = 16 / LANES };
typedef struct vrow {
    vreal part[ROW_PARTS];
} vrow;

static inline vrow row_load(const real4 *a)
{
    vrow r;
    for (int k = 0; k < ROW_PARTS; k++) r.part[k] = vload(&a->x + k * LANES);
    return r;
}
static inline void row_store(real4 *a, vrow r)
{
    for (int k = 0; k < ROW_PARTS; k++) vstore(&a->x + k * LANES, r.part[k]);
}
/* A row of one record four times. */
static inline vrow row_repeat(vquad a)
{
    vrow r;
#if ROW_LANES == 16
    r.part[0] = _mm512_broadcast_f32x4(a);
#elif ROW_LANES == 8
    for (int k = 0; k < 2; k++) r.part[k] = (vreal){a[0], a[1], a[2], a[3], a[0], a[1], a[2], a[3]};
#elif ROW_LANES == 4
    for (int k = 0; k < 4; k++) r.part[k] = a;
#else
    for (int k = 0; k < 16; k++) r.part[k] = a[k & 3];
#endif
    return r;
}
/* a[0] for all of the first record, a[1] for all of the second, ... */
static inline vrow row_spread(vquad a)
{
    vrow r;
#if ROW_LANES == 16
    const __m512i records = _mm512_set_epi32(3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0);
    r.part[0] = _mm512_permutexvar_ps(records, _mm512_castps128_ps512(a));
#elif ROW_LANES == 8
    for (int k = 0; k < 2; k++) {
        real b = a[2 * k], c = a[2 * k + 1];
        r.part[k] = (vreal){b, b, b, b, c, c, c, c};
    }
#elif ROW_LANES == 4
    for (int k = 0; k < 4; k++) r.part[k] = quad_set(a[k]);
#else
    for (int k = 0; k < 16; k++) r.part[k] = a[k >> 2];
#endif
    return r;
}
static inline vrow row_times(vrow a, vrow b)
{
    for (int k = 0; k < ROW_PARTS; k++) a.part[k] *= b.part[k];
    return a;
}
/* c + a b */
static inline vrow row_plus(vrow c, vrow a, vrow b)
{
    for (int k = 0; k < ROW_PARTS; k++) c.part[k] += a.part[k] * b.part[k];
    return c;
}
static inline vrow row_scale(real s, vrow a)
{
    for (int k = 0; k < ROW_PARTS; k++) a.part[k] *= vset(s);
    return a;
}
/* c + s a */
static inline vrow row_madd(vrow c, real s, vrow a)
{
    for (int k = 0; k < ROW_PARTS; k++) c.part[k] += vset(s) * a.part[k];
    return c;
}
static inline vrow row_add(vrow a, vrow b)
{
    for (int k = 0; k < ROW_PARTS; k++) a.part[k] += b.part[k];
    return a;
}
static inline vrow row_max(vrow a, vrow b)
{
    for (int k = 0; k < ROW_PARTS; k++) a.part[k] = vmax(a.part[k], b.part[k]);
    return a;
}
/* One of the four records. */
static inline vquad row_record(vrow a, int record)
{
#if ROW_LANES == 16
    switch (record) {
    case 0:
        return _mm512_castps512_ps128(a.part[0]);
    case 1:
        return _mm512_extractf32x4_ps(a.part[0], 1);
    case 2:
        return _mm512_extractf32x4_ps(a.part[0], 2);
    default:
        return _mm512_extractf32x4_ps(a.part[0], 3);
    }
#else
    real4 four[4];
    row_store(four, a);
    return quad_load(&four[record]);
#endif
}
/* Four records as a row. */
static inline vrow row_join(vquad a, vquad b, vquad c, vquad d)
{
#if ROW_LANES == 16 /* broadcasts come from memory for nothing */
    vrow r = {{_mm512_mask_broadcast_f32x4(_mm512_broadcast_f32x4(a), 0x00f0, b)}};
    r.part[0] = _mm512_mask_broadcast_f32x4(r.part[0], 0x0f00, c);
    r.part[0] = _mm512_mask_broadcast_f32x4(r.part[0], 0xf000, d);
    return r;
#else
    real4 four[4];
    quad_store(&four[0], a), quad_store(&four[1], b), quad_store(&four[2], c), quad_store(&four[3], d);
    return row_load(four);
#endif
}
/* The records' first parts as the first record, their second ones as the second, ... */
static inline vrow row_transpose(vrow a)
{
#if ROW_LANES == 16
    const __m512i from = _mm512_set_epi32(15, 11, 7, 3, 14, 10, 6, 2, 13, 9, 5, 1, 12, 8, 4, 0);
    a.part[0] = _mm512_permutexvar_ps(from, a.part[0]);
    return a;
#else
    real4 in[4], out[4];
    row_store(in, a);
    for (int k = 0; k < 16; k++) (&out[k >> 2].x)[k & 3] = (&in[k & 3].x)[k >> 2];
    return row_load(out);
#endif
}
/* The sum of the four records. */
static inline vquad row_sum(vrow a)
{
#if ROW_LANES == 16
    __m256 half = _mm512_castps512_ps256(a.part[0]) + _mm512_extractf32x8_ps(a.part[0], 1);
    return _mm256_castps256_ps128(half) + _mm256_extractf128_ps(half, 1);
#else
    real4 four[4];
    row_store(four, a);
    return (quad_load(&four[0]) + quad_load(&four[1])) + (quad_load(&four[2]) + quad_load(&four[3]));
#endif
}
/* A row of what row_sum finds of each of four rows. */
static inline vrow row_sums(vrow a, vrow b, vrow c, vrow d)
{
#if ROW_LANES == 16
    vreal ab = _mm512_shuffle_f32x4(a.part[0], b.part[0], 0x44) + _mm512_shuffle_f32x4(a.part[0], b.part[0], 0xee);
    vreal cd = _mm512_shuffle_f32x4(c.part[0], d.part[0], 0x44) + _mm512_shuffle_f32x4(c.part[0], d.part[0], 0xee);
    a.part[0] = _mm512_shuffle_f32x4(ab, cd, 0x88) + _mm512_shuffle_f32x4(ab, cd, 0xdd);
    return a;
#else
    return row_join(row_sum(a), row_sum(b), row_sum(c), row_sum(d));
#endif
}

#endif
