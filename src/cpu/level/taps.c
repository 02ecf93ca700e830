/* The loops of linear maps along dimensions: rows are combined whole (contiguous, vector loops), then elements of one row. */
#include "cpu/level/level.h"
#include "cpu/taps.h"

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
const wn__taps_table WN_AT_LEVEL(wn__taps_table) = {{[WN__CT_F32] = {add_f32, combine_f32, divide_f32},
                                                     [WN__CT_F64] = {add_f64, combine_f64, divide_f64},
                                                     [WN__CT_I64] = {add_i64, combine_i64, divide_i64}}};
