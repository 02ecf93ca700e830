/* Bringing elements to the reduction kernels and back: conversion, gathering over strides, compaction under a mask. */
#include "engine/level/half_vec.h"
#include "engine/reduce_parts.h"

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

static inline void run_of_half(wn_dtype d, float *y, const uint16_t *x) {
    if (d == WN_F16) wn__run_of_f16(y, x);
    else wn__run_of_bf16(y, x);
}
static inline void run_to_half(wn_dtype d, uint16_t *y, const float *x) {
    if (d == WN_F16) wn__run_to_f16(y, x);
    else wn__run_to_bf16(y, x);
}
static inline bool halves(wn_dtype d, int64_t stride) { return stride == 1 && (d == WN_F16 || d == WN_BF16); }

static void load_f32(wn_dtype from, const void *x, int64_t stride, int64_t n, void *buf) {
    if (halves(from, stride)) {
        const uint16_t *h = x;
        float *y = buf;
        for (; n >= WN_HALF_RUN; n -= WN_HALF_RUN, h += WN_HALF_RUN, y += WN_HALF_RUN) run_of_half(from, y, h);
        x = h, buf = y;
    }
    LOAD_AS(float)
}
static void load_f64(wn_dtype from, const void *x, int64_t stride, int64_t n, void *buf) {
    if (halves(from, stride)) {
        const uint16_t *h = x;
        double *y = buf;
        for (; n >= WN_HALF_RUN; n -= WN_HALF_RUN, h += WN_HALF_RUN, y += WN_HALF_RUN) {
            float v[WN_HALF_RUN];
            run_of_half(from, v, h);
            for (int k = 0; k < WN_HALF_RUN; k++) y[k] = (double)v[k];
        }
        x = h, buf = y;
    }
    LOAD_AS(double)
}
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
static void store_f32(wn_dtype to, const void *buf, int64_t n, void *y, int64_t stride) {
    if (halves(to, stride)) {
        const float *x = buf;
        uint16_t *h = y;
        for (; n >= WN_HALF_RUN; n -= WN_HALF_RUN, x += WN_HALF_RUN, h += WN_HALF_RUN) run_to_half(to, h, x);
        buf = x, y = h;
    }
    STORE_FROM(float)
}
static void store_f64(wn_dtype to, const void *buf, int64_t n, void *y, int64_t stride) {
    if (halves(to, stride)) {
        const double *x = buf;
        uint16_t *h = y;
        for (; n >= WN_HALF_RUN; n -= WN_HALF_RUN, x += WN_HALF_RUN, h += WN_HALF_RUN) {
            float v[WN_HALF_RUN];
            for (int k = 0; k < WN_HALF_RUN; k++) v[k] = (float)x[k];
            run_to_half(to, h, v);
        }
        buf = x, y = h;
    }
    STORE_FROM(double)
}
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

/* Counts of up to 255 in each byte of a register. */
typedef uint8_t byte_lanes __attribute__((vector_size(VB)));
typedef uint8_t byte_vector __attribute__((vector_size(VB), aligned(1), may_alias));
static inline int64_t sum_of_bytes(byte_lanes v) {
    const uint64_t every_second = UINT64_C(0x00ff00ff00ff00ff);
    uint64_t of[VB / 8], s = 0;
    memcpy(of, &v, sizeof of);
    for (int j = 0; j < VB / 8; j++) s += (of[j] & every_second) + (of[j] >> 8 & every_second); /* four sums of at most 8 * 510 */
    return (int64_t)(s * UINT64_C(0x0001000100010001) >> 48);
}

int64_t WN_AT_LEVEL(wn__reduce_count)(const uint8_t *mask, int64_t mstride, int64_t n) {
    int64_t k = 0, i = 0;
    if (mstride == 0) return n && mask[0] ? n : 0;
    if (mstride == 1)
        for (byte_lanes set = {0}; i + VB <= n; k += sum_of_bytes(set), set = (byte_lanes){0})
            for (int64_t last = n - i < 255 * VB ? n : i + 255 * VB; i + VB <= last; i += VB) set -= (byte_lanes)(*(const byte_vector *)(mask + i) != 0);
    for (; i < n; i++) k += mask[i * mstride] != 0;
    return k;
}
