/* Products, minima and maxima at the places of an index: the innermost loops of scatter_reduce. */
#include "ops/index/index.h"

/* In `expr`: x is the table's element, y the source's; in `wide` they are vectors of 16 bytes and I their elements as integers (for
 * rows without gaps: each element is its own fold, so the order stays). One index for each element, and one for each row. */
#define FOLD(name, T, I, expr, wide)                                                                                   \
    typedef T name##_vec __attribute__((vector_size(16), aligned(sizeof(T)), may_alias));                              \
    typedef I name##_mask __attribute__((vector_size(16), aligned(sizeof(T)), may_alias));                             \
    static inline T name(T x, T y) { return (T)(expr); }                                                               \
    static inline name##_vec name##_wide(name##_vec x, name##_vec y) {                                                 \
        typedef name##_vec vec;                                                                                        \
        typedef name##_mask mask;                                                                                      \
        return (vec)(mask)(wide);                                                                                      \
    }                                                                                                                  \
    /* One place for each element, all without gaps: steps that the compiler knows. */                                 \
    static bool name##_plain(T *to, const T *from, const int64_t *index, int64_t n, int64_t lo, uint64_t span) {       \
        bool all = true;                                                                                               \
        for (int64_t j = 0; j < n; j++) {                                                                              \
            const int64_t v = index[j];                                                                                \
            if ((uint64_t)v - (uint64_t)lo >= span) {                                                                  \
                all = false;                                                                                           \
                continue;                                                                                              \
            }                                                                                                          \
            to[v] = name(to[v], from[j]);                                                                              \
        }                                                                                                              \
        return all;                                                                                                    \
    }                                                                                                                  \
    static bool name##_each(const wn__ix_block *b) {                                                                   \
        const bool plain = b->in_table == 0 && b->in_index == 1 && b->in_slices == (int64_t)sizeof(T) && b->step == (int64_t)sizeof(T); \
        bool all = true;                                                                                               \
        for (int64_t i = 0; i < b->n; i++) {                                                                           \
            const int64_t *index = b->index + i * b->row_index;                                                        \
            char *table = b->table + i * b->row_table;                                                                 \
            const char *from = b->slices + i * b->row_slices;                                                          \
            if (plain) {                                                                                               \
                all &= name##_plain((T *)(void *)table, (const T *)(const void *)from, index, b->length, b->lo, b->span); \
                continue;                                                                                              \
            }                                                                                                          \
            for (int64_t j = 0; j < b->length; j++) {                                                                  \
                const int64_t v = index[j * b->in_index];                                                              \
                if ((uint64_t)v - (uint64_t)b->lo >= b->span) {                                                        \
                    all = false;                                                                                       \
                    continue;                                                                                          \
                }                                                                                                      \
                T *to = (T *)(void *)(table + j * b->in_table + v * b->step);                                          \
                *to = name(*to, *(const T *)(const void *)(from + j * b->in_slices));                                  \
            }                                                                                                          \
        }                                                                                                              \
        return all;                                                                                                    \
    }                                                                                                                  \
    static void name##_line(T *to, const T *from, int64_t n) {                                                         \
        enum { LANES = 16 / sizeof(T) };                                                                               \
        int64_t j = 0;                                                                                                 \
        for (; j + LANES <= n; j += LANES)                                                                             \
            *(name##_vec *)(void *)(to + j) = name##_wide(*(name##_vec *)(void *)(to + j), *(const name##_vec *)(const void *)(from + j)); \
        for (; j < n; j++) to[j] = name(to[j], from[j]);                                                               \
    }                                                                                                                  \
    static bool name##_rows(const wn__ix_block *b) {                                                                   \
        const bool dense = b->in_table == (int64_t)sizeof(T) && b->in_slices == (int64_t)sizeof(T);                    \
        for (int64_t i = 0; i < b->n; i++) {                                                                           \
            const int64_t v = b->index[i * b->row_index];                                                              \
            if ((uint64_t)v - (uint64_t)b->lo >= b->span) continue;                                                    \
            char *to = b->table + i * b->row_table + v * b->step;                                                      \
            const char *from = b->slices + i * b->row_slices;                                                          \
            if (dense) {                                                                                               \
                name##_line((T *)(void *)to, (const T *)(const void *)from, b->length);                                \
                continue;                                                                                              \
            }                                                                                                          \
            for (int64_t j = 0; j < b->length; j++, to += b->in_table, from += b->in_slices)                           \
                *(T *)(void *)to = name(*(const T *)(const void *)to, *(const T *)(const void *)from);                 \
        }                                                                                                              \
        return true;                                                                                                   \
    }
#define PICK(m) (((mask)y & (m)) | ((mask)x & ~(m)))
/* y if `take` is 1, x if it is 0, without a branch: which of two numbers is larger cannot be guessed. */
#define CHOICE(T, I, N)                                                                                                \
    static inline T choose_##N(int take, T y, T x) {                                                                   \
        I a, b;                                                                                                        \
        memcpy(&a, &x, sizeof a);                                                                                      \
        memcpy(&b, &y, sizeof b);                                                                                      \
        a = (I)(a ^ ((a ^ b) & (I)-take));                                                                             \
        memcpy(&x, &a, sizeof x);                                                                                      \
        return x;                                                                                                      \
    }
/* a new NaN comes in, an old one stays: it compares false */
#define EXTREMES(T, I, N, NAN_TOO, NAN_WIDE)                                                                           \
    CHOICE(T, I, N)                                                                                                    \
    FOLD(min_##N, T, I, choose_##N((y < x)NAN_TOO, y, x), PICK((mask)(y < x)NAN_WIDE))                                 \
    FOLD(max_##N, T, I, choose_##N((y > x)NAN_TOO, y, x), PICK((mask)(y > x)NAN_WIDE))
#define INTEGERS(T, N) EXTREMES(T, T, N, , )
EXTREMES(float, int32_t, f32, | (y != y), | (mask)(y != y))
EXTREMES(double, int64_t, f64, | (y != y), | (mask)(y != y))
INTEGERS(int8_t, i8)
INTEGERS(int16_t, i16)
INTEGERS(int32_t, i32)
INTEGERS(int64_t, i64)
INTEGERS(uint8_t, u8)
FOLD(mul_f32, float, int32_t, x * y, x * y)
FOLD(mul_f64, double, int64_t, x * y, x * y)
FOLD(mul_i8, uint8_t, uint8_t, (uint32_t)x * y, x * y) /* integers wrap, so signs do not matter */
FOLD(mul_i16, uint16_t, uint16_t, (uint32_t)x * y, x * y)
FOLD(mul_i32, uint32_t, uint32_t, x * y, x * y)
FOLD(mul_i64, uint64_t, uint64_t, x * y, x * y)
FOLD(and_bool, uint8_t, uint8_t, x && y, x & y) /* elements are 0 or 1 */
FOLD(or_bool, uint8_t, uint8_t, x || y, x | y)

#define PAIR(f) {f##_each, f##_rows}
wn__ix_kernel wn__ix_fold_kernel(wn__ix_mode mode, wn_dtype dtype, bool rows) {
    static const wn__ix_kernel mul[WN__DTYPES][2] = {[WN_F32] = PAIR(mul_f32), [WN_F64] = PAIR(mul_f64), [WN_I8] = PAIR(mul_i8),   [WN_U8] = PAIR(mul_i8),
                                                     [WN_I16] = PAIR(mul_i16), [WN_I32] = PAIR(mul_i32), [WN_I64] = PAIR(mul_i64), [WN_BOOL] = PAIR(and_bool)};
    static const wn__ix_kernel min[WN__DTYPES][2] = {[WN_F32] = PAIR(min_f32), [WN_F64] = PAIR(min_f64), [WN_I8] = PAIR(min_i8),   [WN_U8] = PAIR(min_u8),
                                                     [WN_I16] = PAIR(min_i16), [WN_I32] = PAIR(min_i32), [WN_I64] = PAIR(min_i64), [WN_BOOL] = PAIR(and_bool)};
    static const wn__ix_kernel max[WN__DTYPES][2] = {[WN_F32] = PAIR(max_f32), [WN_F64] = PAIR(max_f64), [WN_I8] = PAIR(max_i8),   [WN_U8] = PAIR(max_u8),
                                                     [WN_I16] = PAIR(max_i16), [WN_I32] = PAIR(max_i32), [WN_I64] = PAIR(max_i64), [WN_BOOL] = PAIR(or_bool)};
    return (mode == WN__IX_MUL ? mul : mode == WN__IX_MIN ? min : max)[dtype][rows];
}
