/* Running sums and products: a line's elements depend on each other, so what runs in parallel is four lines, or a row of columns. */
#include "base/inline.h"
#include "engine/level/this_level.h"
#include "engine/scan.h"

/* Otherwise gcc keeps four chains in one register, which it takes apart and puts together at every step: twice to four times as long. */
#ifdef __clang__
#define APART
#else
#define APART __attribute__((optimize("no-tree-slp-vectorize")))
#endif
#define VALUE(x) (x)
#include "base/as_f32.h"
#include "engine/level/scan_of.h"
#include "base/as_f64.h"
#include "engine/level/scan_of.h"
#include "base/as_i8.h"
#include "engine/level/scan_of.h"
#include "base/as_i16.h"
#include "engine/level/scan_of.h"
#include "base/as_i32.h"
#include "engine/level/scan_of.h"
#include "base/as_i64.h"
#include "engine/level/scan_of.h"
#include "base/as_u8.h"
#include "engine/level/scan_of.h"
#undef VALUE
#define VALUE(x) ((x) != 0)
#include "base/as_bool.h"
#include "engine/level/scan_of.h"
#include "base/as_none.h"

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

#define LOOPS(four, s) {four##_##s, line_##s, columns_##s, rows_##s, total_##s}
#define TABLE(s, four)                                                                                                 \
    {[WN_F32] = LOOPS(chains, s##_f32), [WN_F64] = LOOPS(chains, s##_f64), [WN_I8] = LOOPS(chains, s##_i8), [WN_I16] = LOOPS(chains, s##_i16), \
     [WN_I32] = LOOPS(chains, s##_i32), [WN_I64] = LOOPS(four, s##_i64), [WN_U8] = LOOPS(chains, s##_u8), [WN_BOOL] = LOOPS(chains, s##_bool)}
const wn__scan_kernels WN_AT_LEVEL(wn__scan_kernels) = {.sum = TABLE(sum, prefixes), .prod = TABLE(prod, chains)};
