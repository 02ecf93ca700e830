/* The loops of linear maps along dimensions: rows are combined whole (contiguous, vector loops), then elements of one row. */
#include "cpu/level/level.h"
#include "cpu/taps.h"

/* Rows of a table added up in registers, in the order of their indices: V is T, or a vector of them; N of them. */
#define WN_ROWS(V, T, name, N)                                                                                                \
    static inline void rows_##name(T *acc, const T *table, int64_t step, const int64_t *index, int64_t count, int64_t skip, const T *weight) { \
        V a0 = {0}, a1 = {0}, a2 = {0}, a3 = {0};                                                                             \
        bool fresh = true;                                                                                                    \
        for (int64_t k = 0; k < count; k++) {                                                                                 \
            if (index[k] == skip) continue;                                                                                   \
            const V *row = (const V *)(const void *)(table + index[k] * step);                                                \
            const T w = weight ? weight[k] : 1;                                                                               \
            V b0 = row[0], b1 = N > 1 ? row[N > 1] : b0, b2 = N > 2 ? row[N > 2 ? 2 : 0] : b0, b3 = N > 3 ? row[N > 3 ? 3 : 0] : b0; \
            if (weight) b0 = b0 * w, b1 = b1 * w, b2 = b2 * w, b3 = b3 * w;                                                   \
            if (fresh) a0 = b0, a1 = b1, a2 = b2, a3 = b3;                                                                    \
            else a0 = a0 + b0, a1 = a1 + b1, a2 = a2 + b2, a3 = a3 + b3;                                                      \
            fresh = false;                                                                                                    \
        }                                                                                                                     \
        V *to = (V *)(void *)acc;                                                                                             \
        to[0] = a0;                                                                                                           \
        if (N > 1) to[N > 1] = a1;                                                                                            \
        if (N > 2) to[N > 2 ? 2 : 0] = a2;                                                                                    \
        if (N > 3) to[N > 3 ? 3 : 0] = a3;                                                                                    \
    }
#define WN_ADD_ROWS(T, name)                                                                                                  \
    typedef T name##_vec __attribute__((vector_size(VB), aligned(sizeof(T)), may_alias));                                     \
    WN_ROWS(name##_vec, T, name##_4, 4)                                                                                       \
    WN_ROWS(name##_vec, T, name##_1, 1)                                                                                       \
    WN_ROWS(T, T, name##_scalar, 1)                                                                                           \
    static int64_t add_rows_##name(int64_t n, void *acc, const void *table, int64_t step, const int64_t *index, int64_t count, int64_t skip, \
                                   const void *weight) {                                                                      \
        enum { LANES = VB / sizeof(T) };                                                                                      \
        T *a = acc;                                                                                                           \
        const T *from = table;                                                                                                \
        int64_t i = 0, counted = 0;                                                                                           \
        for (; i + 4 * LANES <= n; i += 4 * LANES) rows_##name##_4(a + i, from + i, step, index, count, skip, weight);        \
        for (; i + LANES <= n; i += LANES) rows_##name##_1(a + i, from + i, step, index, count, skip, weight);                \
        for (; i < n; i++) rows_##name##_scalar(a + i, from + i, step, index, count, skip, weight);                           \
        for (int64_t k = 0; k < count; k++) counted += index[k] != skip;                                                      \
        return counted;                                                                                                       \
    }

#define WN_TAPS(T, name)                                                                                                      \
    static void add_##name(int64_t n, void *restrict acc, const void *restrict x, const void *weight, bool fresh) {           \
        T *restrict a = acc;                                                                                                  \
        const T *restrict b = x;                                                                                              \
        if (!weight) {                                                                                                        \
            if (fresh)                                                                                                        \
                for (int64_t i = 0; i < n; i++) a[i] = b[i];                                                                  \
            else                                                                                                              \
                for (int64_t i = 0; i < n; i++) a[i] = (T)(a[i] + b[i]);                                                      \
            return;                                                                                                           \
        }                                                                                                                     \
        const T w = *(const T *)weight;                                                                                       \
        if (fresh)                                                                                                            \
            for (int64_t i = 0; i < n; i++) a[i] = (T)(w * b[i]);                                                             \
        else                                                                                                                  \
            for (int64_t i = 0; i < n; i++) a[i] = (T)(a[i] + w * b[i]);                                                      \
    }                                                                                                                         \
    static void combine_##name(int64_t n, const int64_t *first, const int64_t *start, const void *weight, int64_t origin,     \
                               const void *restrict x, void *restrict y) {                                                    \
        const T *restrict b = (const T *)x, *w = weight;                                                                      \
        T *restrict to = y;                                                                                                   \
        if (!w && start[n] - start[0] == n) { /* one element each, unless some have none */                                   \
            for (int64_t i = 0; i < n; i++) to[i] = start[i + 1] > start[i] ? b[first[i] - origin] : 0;                       \
            if (start[n] - start[0] == n) {                                                                                   \
                bool single = true;                                                                                           \
                for (int64_t i = 0; i < n; i++) single &= start[i + 1] - start[i] == 1;                                       \
                if (single) return;                                                                                           \
            }                                                                                                                 \
        }                                                                                                                     \
        for (int64_t i = 0; i < n; i++) {                                                                                     \
            const int64_t taps = start[i + 1] - start[i];                                                                     \
            const T *at = b + (first[i] - origin);                                                                            \
            T sum = 0;                                                                                                        \
            if (w) {                                                                                                          \
                const T *by = w + start[i];                                                                                   \
                if (taps == 2) sum = (T)(by[0] * at[0] + by[1] * at[1]);                                                      \
                else                                                                                                          \
                    for (int64_t k = 0; k < taps; k++) sum = (T)(sum + by[k] * at[k]);                                        \
            } else {                                                                                                          \
                for (int64_t k = 0; k < taps; k++) sum = (T)(sum + at[k]);                                                    \
            }                                                                                                                 \
            to[i] = sum;                                                                                                      \
        }                                                                                                                     \
    }
WN_TAPS(float, f32)
WN_TAPS(double, f64)
WN_TAPS(uint64_t, i64) /* sums wrap */
WN_ADD_ROWS(float, f32)
WN_ADD_ROWS(double, f64)

static void divide_f32(int64_t n, void *y, double common, const double *extent) {
    float *a = y;
    if (extent)
        for (int64_t i = 0; i < n; i++) a[i] /= (float)common * (float)extent[i];
    else
        for (int64_t i = 0; i < n; i++) a[i] /= (float)common;
}
static void divide_f64(int64_t n, void *y, double common, const double *extent) {
    double *a = y;
    for (int64_t i = 0; i < n; i++) a[i] /= extent ? common * extent[i] : common;
}
static void divide_i64(int64_t n, void *y, double common, const double *extent) {
    int64_t *a = y;
    for (int64_t i = 0; i < n; i++) {
        const int64_t by = (int64_t)(extent ? common * extent[i] : common);
        a[i] = by == -1 ? (int64_t)(0 - (uint64_t)a[i]) : by ? a[i] / by : 0;
    }
}

extern const wn__taps_table WN_AT_LEVEL(wn__taps_table);
const wn__taps_table WN_AT_LEVEL(wn__taps_table) = {{[WN__CT_F32] = {add_f32, add_rows_f32, combine_f32, divide_f32},
                                                     [WN__CT_F64] = {add_f64, add_rows_f64, combine_f64, divide_f64},
                                                     [WN__CT_I64] = {add_i64, NULL, combine_i64, divide_i64}}};
