/* Running sums and products: a line's elements depend on each other, so what runs in parallel is four lines, or a row of columns. */
#include "engine/level/this_level.h"
#include "engine/reduce_parts.h"
#include "engine/scan.h"

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
    }
/* Short lines one behind the other, from the beginning. */
#define WN_SCAN_ROWS(S, A, T, conv, op, one, name)                                                                         \
    static void rows_##name(int64_t lines, int64_t n, const void *from, void *to) {                                        \
        const S *x = from;                                                                                                 \
        T *y = to; /* may be x, in place */                                                                                \
        for (; lines >= 4; lines -= 4, x += 4 * n, y += 4 * n) {                                                           \
            A acc[4] = {one, one, one, one};                                                                               \
            const void *four[] = {x, x + n, x + 2 * n, x + 3 * n};                                                         \
            void *into[] = {y, y + n, y + 2 * n, y + 3 * n};                                                               \
            chains_step_##name(n, four, 1, into, acc);                                                                     \
        }                                                                                                                  \
        for (; lines; lines--, x += n, y += n) line_##name(n, x, 1, y, &(A){one});                                         \
    }
/* Sixteen sums side by side. */
#define WN_TOTAL(S, A, conv, op, one, name)                                                                            \
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
/* Of integers in any order, which the compiler chooses. */
#define WN_TOTAL_INT(S, A, conv, op, one, name)                                                                            \
    static void total_##name(int64_t n, const void *from, int64_t step, void *acc) {                                       \
        const S *x = from;                                                                                                 \
        A a = one;                                                                                                         \
        if (step == 1)                                                                                                     \
            for (int64_t i = 0; i < n; i++) a = a op (A)conv(x[i]);                                                        \
        else                                                                                                               \
            for (int64_t i = 0; i < n; i++) a = a op (A)conv(x[i * step]);                                                 \
        *(A *)acc = a;                                                                                                     \
    }
#define ONE(S, A, T, conv, op, one, name, TOTAL) \
    WN_SCAN(S, A, T, conv, op, one, name) WN_SCAN_ROWS(S, A, T, conv, op, one, name) TOTAL(S, A, conv, op, one, name)
#define BOTH(S, A, T, conv, name, TOTAL) ONE(S, A, T, conv, +, 0, sum_##name, TOTAL) ONE(S, A, T, conv, *, 1, prod_##name, TOTAL)
BOTH(float, double, float, SAME, f32, WN_TOTAL)
BOTH(double, double, double, SAME, f64, WN_TOTAL)
BOTH(int8_t, uint64_t, int64_t, SAME, i8, WN_TOTAL_INT)
BOTH(int16_t, uint64_t, int64_t, SAME, i16, WN_TOTAL_INT)
BOTH(int32_t, uint64_t, int64_t, SAME, i32, WN_TOTAL_INT)
BOTH(int64_t, uint64_t, int64_t, SAME, i64, WN_TOTAL_INT)
BOTH(uint8_t, uint64_t, int64_t, SAME, u8, WN_TOTAL_INT)
BOTH(uint8_t, uint64_t, int64_t, NONZERO, bool, WN_TOTAL_INT)

#if defined(__AVX512F__)
/* Integer sums may be grouped at will: eight running sums at a time are three shifted additions, and what came before. */
static void prefix_i64(int64_t n, const int64_t *x, int64_t *y, uint64_t *acc) {
    typedef uint64_t vec __attribute__((vector_size(64), aligned(8), may_alias));
    const vec zero = {0};
    vec before = zero + *acc;
    int64_t i = 0;
    for (; i + 8 <= n; i += 8) {
        vec v = *(const vec *)(const void *)(x + i);
        v += __builtin_shufflevector(v, zero, 8, 0, 1, 2, 3, 4, 5, 6);
        v += __builtin_shufflevector(v, zero, 8, 8, 0, 1, 2, 3, 4, 5);
        v += __builtin_shufflevector(v, zero, 8, 8, 8, 8, 0, 1, 2, 3);
        *(vec *)(void *)(y + i) = v + before;
        before += __builtin_shufflevector(v, zero, 7, 7, 7, 7, 7, 7, 7, 7);
    }
    *acc = before[0];
    for (; i < n; i++) {
        *acc += (uint64_t)x[i];
        y[i] = (int64_t)*acc;
    }
}
static void prefixes_sum_i64(int64_t n, const void *const *from, int64_t step, void *const *to, void *acc) {
    if (step == 1)
        for (int k = 0; k < 4; k++) prefix_i64(n, from[k], to[k], (uint64_t *)acc + k);
    else chains_sum_i64(n, from, step, to, acc);
}
#else
#define prefixes_sum_i64 chains_sum_i64
#endif

#define LOOPS(name, four) {four##_##name, line_##name, columns_##name, rows_##name, total_##name}
#define TABLE(s, four)                                                                                                     \
    {                                                                                                                      \
        [WN_F32] = LOOPS(s##_f32, chains), [WN_F64] = LOOPS(s##_f64, chains), [WN_I8] = LOOPS(s##_i8, chains),             \
        [WN_I16] = LOOPS(s##_i16, chains), [WN_I32] = LOOPS(s##_i32, chains), [WN_I64] = LOOPS(s##_i64, four),             \
        [WN_U8] = LOOPS(s##_u8, chains),   [WN_BOOL] = LOOPS(s##_bool, chains),                                            \
    }
const wn__scan_kernels WN_AT_LEVEL(wn__scan_kernels) = {.sum = TABLE(sum, prefixes), .prod = TABLE(prod, chains)};
