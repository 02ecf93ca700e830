/* Bringing elements to the reduction kernels and back: conversion, gathering over strides, compaction under a mask. */
#include "cpu/level/half_vec.h"
#include "cpu/reduce_parts.h"

#define ONE_(v) (v)
#define NONZERO_(v) ((v) != 0)
/* The two loops are apart because only the first one vectorises. */
#define LOAD(S, T, conv)                                                                                               \
    do {                                                                                                               \
        const S *p = (const S *)x;                                                                                     \
        T *q = buf;                                                                                                    \
        if (stride == 1) {                                                                                             \
            WN__IVDEP for (int64_t i = 0; i < n; i++) q[i] = (T)conv(p[i]);                                 \
        } else {                                                                                                       \
            for (int64_t i = 0; i < n; i++) q[i] = (T)conv(p[i * stride]);                                             \
        }                                                                                                              \
        return;                                                                                                        \
    } while (0)
#define LOAD_AS(T)                                                                                                     \
    switch (from) {                                                                                                    \
    case WN_F32: LOAD(float, T, ONE_);                                                                                 \
    case WN_F64: LOAD(double, T, ONE_);                                                                                \
    case WN_F16: LOAD(uint16_t, T, wn__f16_to_f32);                                                                    \
    case WN_BF16: LOAD(uint16_t, T, wn__bf16_to_f32);                                                                  \
    case WN_I8: LOAD(int8_t, T, ONE_);                                                                                 \
    case WN_I16: LOAD(int16_t, T, ONE_);                                                                               \
    case WN_I32: LOAD(int32_t, T, ONE_);                                                                               \
    case WN_I64: LOAD(int64_t, T, ONE_);                                                                               \
    case WN_U8: LOAD(uint8_t, T, ONE_);                                                                                \
    default: LOAD(uint8_t, T, NONZERO_);                                                                               \
    }

static void load_f32(wn_dtype from, const void *x, int64_t stride, int64_t n, void *buf) {
    if (stride == 1 && (from == WN_F16 || from == WN_BF16)) {
        const uint16_t *h = x;
        float *y = buf;
        for (; n >= WN_HALF_RUN; n -= WN_HALF_RUN, h += WN_HALF_RUN, y += WN_HALF_RUN) {
            if (from == WN_F16) wn__run_of_f16(y, h);
            else wn__run_of_bf16(y, h);
        }
        x = h, buf = y;
    }
    LOAD_AS(float)
}
static void load_f64(wn_dtype from, const void *x, int64_t stride, int64_t n, void *buf) { LOAD_AS(double) }
static void load_i64(wn_dtype from, const void *x, int64_t stride, int64_t n, void *buf) { LOAD_AS(int64_t) }
static void load_raw(size_t size, const void *x, int64_t stride, int64_t n, void *buf) {
    if (stride == 1) {
        memcpy(buf, x, (size_t)n * size);
        return;
    }
    if (size == 1) LOAD(uint8_t, uint8_t, ONE_);
    if (size == 2) LOAD(uint16_t, uint16_t, ONE_);
    if (size == 4) LOAD(uint32_t, uint32_t, ONE_);
    LOAD(uint64_t, uint64_t, ONE_);
}

void WN_AT_LEVEL(wn__reduce_load)(wn_dtype from, wn__elem to, const void *x, int64_t stride, int64_t n, void *buf) {
    if (wn__elem_is(from, to)) load_raw(wn__elem_size(to), x, stride, n, buf);
    else if (to == WN__E_F32) load_f32(from, x, stride, n, buf);
    else if (to == WN__E_F64) load_f64(from, x, stride, n, buf);
    else load_i64(from, x, stride, n, buf);
}

/* ---- turning */

/* Squares of W x W in registers: log2(W) rounds of "interleave the first half of the rows with the second". Squares at the edges
 * overlap those before them. */
#define ZIP_ROUND(W, from, into)                                                                                       \
    _Pragma("GCC unroll 16") for (int i_ = 0; i_ < (W) / 2; i_++) {                                                    \
        into[2 * i_] = ZIP_LOW(from[i_], from[i_ + (W) / 2]);                                                          \
        into[2 * i_ + 1] = ZIP_HIGH(from[i_], from[i_ + (W) / 2]);                                                     \
    }
#define TURN(T, W, ROUNDS)                                                                                             \
    typedef T V_##T __attribute__((vector_size(VB), aligned(sizeof(T)), may_alias));                                   \
    static void turn_##T(const T *x, int64_t stride, int64_t rows, int64_t n, T *to) {                                 \
        if (rows < W || n < W) {                                                                                       \
            for (int64_t i = 0; i < n; i++)                                                                            \
                for (int64_t r = 0; r < rows; r++) to[r * n + i] = x[i * stride + r];                                  \
            return;                                                                                                    \
        }                                                                                                              \
        for (int64_t b = 0; b < n; b += W) {                                                                           \
            const int64_t i = b + W <= n ? b : n - W;                                                                  \
            for (int64_t c = 0; c < rows; c += W) {                                                                    \
                const int64_t r = c + W <= rows ? c : rows - W;                                                        \
                V_##T p[W], q[W];                                                                                      \
                _Pragma("GCC unroll 16") for (int k = 0; k < W; k++) p[k] = *(const V_##T *)(x + (i + k) * stride + r); \
                ROUNDS                                                                                                 \
                _Pragma("GCC unroll 16") for (int k = 0; k < W; k++) *(V_##T *)(to + (r + k) * n + i) = p[k];          \
            }                                                                                                          \
        }                                                                                                              \
    }
#define COPY(W) _Pragma("GCC unroll 16") for (int k_ = 0; k_ < (W); k_++) p[k_] = q[k_];
#define ROUNDS_2 ZIP_ROUND(2, p, q) COPY(2)
#define ROUNDS_4 ZIP_ROUND(4, p, q) ZIP_ROUND(4, q, p)
#define ROUNDS_8 ZIP_ROUND(8, p, q) ZIP_ROUND(8, q, p) ZIP_ROUND(8, p, q) COPY(8)
#define ROUNDS_16 ZIP_ROUND(16, p, q) ZIP_ROUND(16, q, p) ZIP_ROUND(16, p, q) ZIP_ROUND(16, q, p)
#define LOW_2(a, b) __builtin_shufflevector(a, b, 0, 2)
#define HIGH_2(a, b) __builtin_shufflevector(a, b, 1, 3)
#define LOW_4(a, b) __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define HIGH_4(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#define LOW_8(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define HIGH_8(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define LOW_16(a, b) __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define HIGH_16(a, b) __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#if VB == 64
#define ZIP_LOW LOW_16
#define ZIP_HIGH HIGH_16
TURN(uint32_t, 16, ROUNDS_16)
#undef ZIP_LOW
#undef ZIP_HIGH
#define ZIP_LOW LOW_8
#define ZIP_HIGH HIGH_8
TURN(uint64_t, 8, ROUNDS_8)
#elif VB == 32
#define ZIP_LOW LOW_8
#define ZIP_HIGH HIGH_8
TURN(uint32_t, 8, ROUNDS_8)
#undef ZIP_LOW
#undef ZIP_HIGH
#define ZIP_LOW LOW_4
#define ZIP_HIGH HIGH_4
TURN(uint64_t, 4, ROUNDS_4)
#else
#define ZIP_LOW LOW_4
#define ZIP_HIGH HIGH_4
TURN(uint32_t, 4, ROUNDS_4)
#undef ZIP_LOW
#undef ZIP_HIGH
#define ZIP_LOW LOW_2
#define ZIP_HIGH HIGH_2
TURN(uint64_t, 2, ROUNDS_2)
#endif
/* Narrow elements: one after the other in squares that stay in L1. */
#define TURN_NARROW(T)                                                                                                 \
    static void turn_##T(const T *x, int64_t stride, int64_t rows, int64_t n, T *to) {                                 \
        for (int64_t i = 0; i < n; i += 32)                                                                            \
            for (int64_t r = 0; r < rows; r++)                                                                         \
                for (int64_t k = i; k < n && k < i + 32; k++) to[r * n + k] = x[k * stride + r];                       \
    }
TURN_NARROW(uint8_t)
TURN_NARROW(uint16_t)

void WN_AT_LEVEL(wn__reduce_turn)(size_t size, const void *x, int64_t stride, int64_t rows, int64_t n, void *to) {
    if (size == 1) turn_uint8_t(x, stride, rows, n, to);
    else if (size == 2) turn_uint16_t(x, stride, rows, n, to);
    else if (size == 4) turn_uint32_t(x, stride, rows, n, to);
    else turn_uint64_t(x, stride, rows, n, to);
}

#define STORE(S, T, conv)                                                                                              \
    do {                                                                                                               \
        const S *p = (const S *)buf;                                                                                   \
        T *q = y;                                                                                                      \
        if (stride == 1) {                                                                                             \
            WN__IVDEP for (int64_t i = 0; i < n; i++) q[i] = (T)conv(p[i]);                                 \
        } else {                                                                                                       \
            for (int64_t i = 0; i < n; i++) q[i * stride] = (T)conv(p[i]);                                             \
        }                                                                                                              \
        return;                                                                                                        \
    } while (0)
#define TO_F16_(v) wn__f32_to_f16((float)(v))
#define TO_BF16_(v) wn__f32_to_bf16((float)(v))
#define STORE_FROM(S)                                                                                                  \
    switch (to) {                                                                                                      \
    case WN_F32: STORE(S, float, ONE_);                                                                                \
    case WN_F64: STORE(S, double, ONE_);                                                                               \
    case WN_F16: STORE(S, uint16_t, TO_F16_);                                                                          \
    case WN_BF16: STORE(S, uint16_t, TO_BF16_);                                                                        \
    case WN_I8: STORE(S, int8_t, ONE_);                                                                                \
    case WN_I16: STORE(S, int16_t, ONE_);                                                                              \
    case WN_I32: STORE(S, int32_t, ONE_);                                                                              \
    case WN_I64: STORE(S, int64_t, ONE_);                                                                              \
    case WN_U8: STORE(S, uint8_t, ONE_);                                                                               \
    default: STORE(S, uint8_t, NONZERO_);                                                                              \
    }
static void store_f32(wn_dtype to, const void *buf, int64_t n, void *y, int64_t stride) { STORE_FROM(float) }
static void store_f64(wn_dtype to, const void *buf, int64_t n, void *y, int64_t stride) { STORE_FROM(double) }
static void store_i64(wn_dtype to, const void *buf, int64_t n, void *y, int64_t stride) { STORE_FROM(int64_t) }
void WN_AT_LEVEL(wn__reduce_store)(wn__elem from, wn_dtype to, const void *buf, int64_t n, void *y, int64_t stride) {
    if (from == WN__E_F32) store_f32(to, buf, n, y, stride);
    else if (from == WN__E_F64) store_f64(to, buf, n, y, stride);
    else store_i64(to, buf, n, y, stride);
}

/* ---- masks */

#define BLOCK 64
/* -1: all bytes of a block are set, 0: none, 1: mixed. */
static inline int block_kind(const uint8_t *mask) {
    int zeros = 0;
    for (int i = 0; i < BLOCK; i++) zeros += mask[i] == 0;
    return zeros == 0 ? -1 : zeros == BLOCK ? 0 : 1;
}

/* Every element is stored, the place moves on only behind one that counts: no branch to mispredict. The store behind the
 * last counting one stays inside the room for n. */
#define COMPACT(T)                                                                                                     \
    static int64_t compact_##T(const T *x, int64_t stride, const uint8_t *mask, int64_t mstride, int64_t n, T *buf) {  \
        int64_t k = 0, i = 0;                                                                                          \
        if (stride == 1 && mstride == 1)                                                                               \
            for (; i + BLOCK <= n; i += BLOCK) {                                                                       \
                int kind = block_kind(mask + i);                                                                       \
                if (kind == 0) continue;                                                                               \
                if (kind < 0) {                                                                                        \
                    memmove(buf + k, x + i, BLOCK * sizeof(T));                                                        \
                    k += BLOCK;                                                                                        \
                    continue;                                                                                          \
                }                                                                                                      \
                for (int64_t j = i; j < i + BLOCK; j++) {                                                              \
                    buf[k] = x[j];                                                                                     \
                    k += mask[j] != 0;                                                                                 \
                }                                                                                                      \
            }                                                                                                          \
        for (; i < n; i++) {                                                                                           \
            buf[k] = x[i * stride];                                                                                    \
            k += mask[i * mstride] != 0;                                                                               \
        }                                                                                                              \
        return k;                                                                                                      \
    }
COMPACT(uint8_t)
COMPACT(uint16_t)
COMPACT(uint32_t)
COMPACT(uint64_t)

int64_t WN_AT_LEVEL(wn__reduce_compact)(size_t size, const void *x, int64_t stride, const uint8_t *mask, int64_t mstride,
                                        int64_t n, void *buf) {
    if (mstride == 0) { /* one answer for all */
        if (n == 0 || !mask[0]) return 0;
        load_raw(size, x, stride, n, buf);
        return n;
    }
    switch (size) {
    case 1: return compact_uint8_t(x, stride, mask, mstride, n, buf);
    case 2: return compact_uint16_t(x, stride, mask, mstride, n, buf);
    case 4: return compact_uint32_t(x, stride, mask, mstride, n, buf);
    default: return compact_uint64_t(x, stride, mask, mstride, n, buf);
    }
}

int64_t WN_AT_LEVEL(wn__reduce_count)(const uint8_t *mask, int64_t mstride, int64_t n) {
    int64_t k = 0, i = 0;
    if (mstride == 0) return n && mask[0] ? n : 0;
    if (mstride == 1)
        for (; i + BLOCK <= n; i += BLOCK) {
            uint8_t set = 0; /* at most 64 */
            for (int j = 0; j < BLOCK; j++) set = (uint8_t)(set + (mask[i + j] != 0));
            k += set;
        }
    for (; i < n; i++) k += mask[i * mstride] != 0;
    return k;
}
