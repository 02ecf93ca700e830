/* Running sums and products: a line's elements depend on each other, so what runs in parallel is four lines, or a row of columns. */
#include "cpu/level/level.h"
#include "cpu/reduce_parts.h"
#include "cpu/scan.h"

#define SAME(v) (v)
#define NONZERO(v) ((v) != 0)

/* Elements S, accumulators A, results T. */
#define WN_SCAN(S, A, T, conv, op, one, name)                                                                              \
    static inline void chains_step_##name(int64_t n, const void *const *from, int64_t step, void *const *to, A *acc) {     \
        const S *x0 = from[0], *x1 = from[1], *x2 = from[2], *x3 = from[3];                                                \
        T *y0 = to[0], *y1 = to[1], *y2 = to[2], *y3 = to[3];                                                              \
        A a0 = acc[0], a1 = acc[1], a2 = acc[2], a3 = acc[3];                                                              \
        for (int64_t i = 0; i < n; i++) {                                                                                  \
            a0 = a0 op (A)conv(x0[i * step]);                                                                              \
            a1 = a1 op (A)conv(x1[i * step]);                                                                              \
            a2 = a2 op (A)conv(x2[i * step]);                                                                              \
            a3 = a3 op (A)conv(x3[i * step]);                                                                              \
            y0[i] = (T)a0;                                                                                                 \
            y1[i] = (T)a1;                                                                                                 \
            y2[i] = (T)a2;                                                                                                 \
            y3[i] = (T)a3;                                                                                                 \
        }                                                                                                                  \
        acc[0] = a0, acc[1] = a1, acc[2] = a2, acc[3] = a3;                                                                \
    }                                                                                                                      \
    static void chains_##name(int64_t n, const void *const *from, int64_t step, void *const *to, void *acc) {              \
        if (step == 1) chains_step_##name(n, from, 1, to, acc);                                                            \
        else chains_step_##name(n, from, step, to, acc);                                                                   \
    }                                                                                                                      \
    static void line_##name(int64_t n, const void *from, int64_t step, void *to, void *acc) {                              \
        const S *x = from;                                                                                                 \
        T *y = to;                                                                                                         \
        A a = *(A *)acc;                                                                                                   \
        for (int64_t i = 0; i < n; i++) {                                                                                  \
            a = a op (A)conv(x[i * step]);                                                                                 \
            y[i] = (T)a;                                                                                                   \
        }                                                                                                                  \
        *(A *)acc = a;                                                                                                     \
    }                                                                                                                      \
    static void columns_##name(int64_t n, int64_t w, const void *from, int64_t xn, void *to, int64_t yn, void *into) {     \
        const S *x = from;                                                                                                 \
        T *y = to; /* may be x, in place */                                                                                \
        A *acc = into;                                                                                                     \
        for (int64_t i = 0; i < n; i++, x += xn, y += yn)                                                                  \
            WN__IVDEP for (int64_t k = 0; k < w; k++) {                                                                          \
                acc[k] = acc[k] op (A)conv(x[k]);                                                                          \
                y[k] = (T)acc[k];                                                                                          \
            }                                                                                                              \
    }                                                                                                                      \
    static void total_##name(int64_t n, const void *from, int64_t step, void *acc) {                                       \
        const S *x = from;                                                                                                 \
        A sum[16];                                                                                                         \
        for (int k = 0; k < 16; k++) sum[k] = one;                                                                         \
        int64_t i = 0;                                                                                                     \
        if (step == 1)                                                                                                     \
            for (; i + 16 <= n; i += 16)                                                                                   \
                for (int k = 0; k < 16; k++) sum[k] = sum[k] op (A)conv(x[i + k]);                                         \
        for (; i < n; i++) sum[i % 16] = sum[i % 16] op (A)conv(x[i * step]);                                              \
        for (int w = 8; w; w /= 2)                                                                                         \
            for (int k = 0; k < w; k++) sum[k] = sum[k] op sum[k + w];                                                     \
        *(A *)acc = sum[0];                                                                                                \
    }
#define BOTH(S, A, T, conv, name)                   \
    WN_SCAN(S, A, T, conv, +, 0, sum_##name)        \
    WN_SCAN(S, A, T, conv, *, 1, prod_##name)
BOTH(float, double, float, SAME, f32)
BOTH(double, double, double, SAME, f64)
BOTH(int8_t, uint64_t, int64_t, SAME, i8)
BOTH(int16_t, uint64_t, int64_t, SAME, i16)
BOTH(int32_t, uint64_t, int64_t, SAME, i32)
BOTH(int64_t, uint64_t, int64_t, SAME, i64)
BOTH(uint8_t, uint64_t, int64_t, SAME, u8)
BOTH(uint8_t, uint64_t, int64_t, NONZERO, bool)

#define LOOPS(name) {chains_##name, line_##name, columns_##name, total_##name}
#define TABLE(s)                                                                                                                       \
    {                                                                                                                                  \
        [WN_F32] = LOOPS(s##_f32), [WN_F64] = LOOPS(s##_f64), [WN_I8] = LOOPS(s##_i8), [WN_I16] = LOOPS(s##_i16), [WN_I32] = LOOPS(s##_i32), \
        [WN_I64] = LOOPS(s##_i64), [WN_U8] = LOOPS(s##_u8), [WN_BOOL] = LOOPS(s##_bool),                                               \
    }
const wn__scan_kernels WN_AT_LEVEL(wn__scan_kernels) = {.sum = TABLE(sum), .prod = TABLE(prod)};
