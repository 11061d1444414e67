/* Bodies of pairs.h, for each width. */
#ifndef PARTICLES_PAIRS_INLINE_H
#define PARTICLES_PAIRS_INLINE_H

#if SIMD_BYTES == 64 && !defined(DEW_REAL_DOUBLE)

static inline vreal4 pair_i(const real4 *a, int block)
{
    __m512 r = _mm512_load_ps(&a[PAIR_I * block].x); /* records of four i; transpose in lanes of 128 bits */
    __m512 t = _mm512_permutexvar_ps(_mm512_set_epi32(15, 11, 7, 3, 14, 10, 6, 2, 13, 9, 5, 1, 12, 8, 4, 0), r);
    return (vreal4){_mm512_shuffle_f32x4(t, t, 0x00), _mm512_shuffle_f32x4(t, t, 0x55),
                    _mm512_shuffle_f32x4(t, t, 0xaa), _mm512_shuffle_f32x4(t, t, 0xff)};
}

static inline vreal4 pair_j(const real4 *a, pair_cursor j)
{
    const real4 *b = a + j.base;
    __m512 r = _mm512_castps128_ps512(_mm_load_ps(&b[j.at[0]].x));
    r = _mm512_insertf32x4(r, _mm_load_ps(&b[j.at[1]].x), 1);
    r = _mm512_insertf32x4(r, _mm_load_ps(&b[j.at[2]].x), 2);
    r = _mm512_insertf32x4(r, _mm_load_ps(&b[j.at[3]].x), 3);
    return (vreal4){_mm512_permute_ps(r, 0x00), _mm512_permute_ps(r, 0x55), _mm512_permute_ps(r, 0xaa),
                    _mm512_permute_ps(r, 0xff)};
}

static inline vreal pair_i1(const real *a, int block)
{
    return _mm512_broadcast_f32x4(_mm_load_ps(a + PAIR_I * block));
}

static inline vreal pair_j1(const real *a, pair_cursor j)
{
    const real *b = a + j.base;
    __m512 r = _mm512_castps128_ps512(_mm_load1_ps(b + j.at[0]));
    r = _mm512_insertf32x4(r, _mm_load1_ps(b + j.at[1]), 1);
    r = _mm512_insertf32x4(r, _mm_load1_ps(b + j.at[2]), 2);
    return _mm512_insertf32x4(r, _mm_load1_ps(b + j.at[3]), 3);
}

static inline __m128 pair_fold(vreal a)
{
    __m256 half = _mm256_add_ps(_mm512_castps512_ps256(a), _mm512_extractf32x8_ps(a, 1));
    return _mm_add_ps(_mm256_castps256_ps128(half), _mm256_extractf128_ps(half, 1));
}

#elif SIMD_BYTES == 32 && !defined(DEW_REAL_DOUBLE)

static inline vreal4 pair_i(const real4 *a, int block)
{
    __m128 x = _mm_load_ps(&a[PAIR_I * block].x), y = _mm_load_ps(&a[PAIR_I * block + 1].x);
    __m128 z = _mm_load_ps(&a[PAIR_I * block + 2].x), w = _mm_load_ps(&a[PAIR_I * block + 3].x);
    _MM_TRANSPOSE4_PS(x, y, z, w);
    return (vreal4){_mm256_set_m128(x, x), _mm256_set_m128(y, y), _mm256_set_m128(z, z), _mm256_set_m128(w, w)};
}

static inline vreal4 pair_j(const real4 *a, pair_cursor j)
{
    const real4 *b = a + j.base;
    __m256 r = _mm256_castps128_ps256(_mm_load_ps(&b[j.at[0]].x));
    r = _mm256_insertf128_ps(r, _mm_load_ps(&b[j.at[1]].x), 1);
    return (vreal4){_mm256_permute_ps(r, 0x00), _mm256_permute_ps(r, 0x55), _mm256_permute_ps(r, 0xaa),
                    _mm256_permute_ps(r, 0xff)};
}

static inline vreal pair_i1(const real *a, int block)
{
    __m128 r = _mm_load_ps(a + PAIR_I * block);
    return _mm256_set_m128(r, r);
}

static inline vreal pair_j1(const real *a, pair_cursor j)
{
    const real *b = a + j.base;
    return _mm256_set_m128(_mm_load1_ps(b + j.at[1]), _mm_load1_ps(b + j.at[0]));
}

static inline __m128 pair_fold(vreal a) { return _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1)); }

#else

/* Lane by lane, for doubles and for one lane: lane = 4 j + i. */
static inline vreal4 pair_of_lanes(const real4 *const lane[LANES])
{
    real r[4][LANES];
    for (int l = 0; l < LANES; l++)
        r[0][l] = lane[l]->x, r[1][l] = lane[l]->y, r[2][l] = lane[l]->z, r[3][l] = lane[l]->w;
    return (vreal4){vload(r[0]), vload(r[1]), vload(r[2]), vload(r[3])};
}

static inline vreal4 pair_i(const real4 *a, int block)
{
    const real4 *lane[LANES];
    for (int l = 0; l < LANES; l++) lane[l] = &a[PAIR_I * block + l % PAIR_I];
    return pair_of_lanes(lane);
}

static inline vreal4 pair_j(const real4 *a, pair_cursor j)
{
    const real4 *lane[LANES];
    for (int l = 0; l < LANES; l++) lane[l] = &a[pair_slot(j, l / PAIR_I)];
    return pair_of_lanes(lane);
}

static inline vreal pair_i1(const real *a, int block)
{
    real r[LANES];
    for (int l = 0; l < LANES; l++) r[l] = a[PAIR_I * block + l % PAIR_I];
    return vload(r);
}

static inline vreal pair_j1(const real *a, pair_cursor j)
{
    real r[LANES];
    for (int l = 0; l < LANES; l++) r[l] = a[pair_slot(j, l / PAIR_I)];
    return vload(r);
}

#endif

/* Stores: by halves of registers where a quarter is four floats, lane by lane else. */
#if SIMD_BYTES && !defined(DEW_REAL_DOUBLE)

static inline void pair_store(real *out, int block, vreal sum) { _mm_store_ps(out + PAIR_I * block, pair_fold(sum)); }

static inline void pair_store4(real4 *out, int block, vreal x, vreal y, vreal z, vreal w)
{
    __m128 a = pair_fold(x), b = pair_fold(y), c = pair_fold(z), d = pair_fold(w);
    _MM_TRANSPOSE4_PS(a, b, c, d);
    _mm_store_ps(&out[PAIR_I * block].x, a);
    _mm_store_ps(&out[PAIR_I * block + 1].x, b);
    _mm_store_ps(&out[PAIR_I * block + 2].x, c);
    _mm_store_ps(&out[PAIR_I * block + 3].x, d);
}

#else

static inline void pair_store(real *out, int block, vreal sum)
{
    real lane[LANES];
    vstore(lane, sum);
    for (int i = 0; i < PAIR_I; i++) {
        real s = 0;
        for (int j = 0; j < PAIR_J; j++) s += lane[PAIR_I * j + i];
        out[PAIR_I * block + i] = s;
    }
}

static inline void pair_store4(real4 *out, int block, vreal x, vreal y, vreal z, vreal w)
{
    real sum[4][PAIR_I];
    pair_store(sum[0], 0, x), pair_store(sum[1], 0, y), pair_store(sum[2], 0, z), pair_store(sum[3], 0, w);
    for (int i = 0; i < PAIR_I; i++) out[PAIR_I * block + i] = (real4){sum[0][i], sum[1][i], sum[2][i], sum[3][i]};
}

#endif

#endif
