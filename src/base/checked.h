/* Arithmetic on sizes, strides, offsets and bytes that reports overflow or saturates. Sizes come from callers and
 * files; a sum that wrapped would be an offset outside of a tensor's memory. */
#ifndef WN_BASE_CHECKED_H
#define WN_BASE_CHECKED_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/assert.h"

/* *over becomes true on overflow and else stays as it is, so that a formula of many steps is checked once, at its
 * end. */
static inline int64_t wn__add(int64_t a, int64_t b, bool *over) {
    int64_t r;
    *over |= __builtin_add_overflow(a, b, &r);
    return r;
}
static inline int64_t wn__sub(int64_t a, int64_t b, bool *over) {
    int64_t r;
    *over |= __builtin_sub_overflow(a, b, &r);
    return r;
}
static inline int64_t wn__mul(int64_t a, int64_t b, bool *over) {
    int64_t r;
    *over |= __builtin_mul_overflow(a, b, &r);
    return r;
}

/* Saturating: for what is only compared, such as costs, limits and ends of ranges. */
static inline int64_t wn__add_sat(int64_t a, int64_t b) {
    int64_t r;
    return __builtin_add_overflow(a, b, &r) ? (b > 0 ? INT64_MAX : INT64_MIN) : r;
}
static inline int64_t wn__sub_sat(int64_t a, int64_t b) {
    int64_t r;
    return __builtin_sub_overflow(a, b, &r) ? (b < 0 ? INT64_MAX : INT64_MIN) : r;
}
static inline int64_t wn__mul_sat(int64_t a, int64_t b) {
    int64_t r;
    return __builtin_mul_overflow(a, b, &r) ? ((a < 0) == (b < 0) ? INT64_MAX : INT64_MIN) : r;
}

/* ceil(a / b) without the sum a + b - 1, which may overflow. */
static inline int64_t wn__ceil_div(int64_t a, int64_t b) {
    WN_ASSERT(a >= 0 && b > 0);
    return a / b + (a % b != 0);
}

/* Converts as x86 does: NaN and what does not fit become INT64_MIN. */
static inline int64_t wn__to_i64(double x) { return x >= -9223372036854775808.0 && x < 9223372036854775808.0 ? (int64_t)x : INT64_MIN; }

/* Bytes of an array; on overflow SIZE_MAX, which no allocation can satisfy. */
static inline size_t wn__array_bytes(int64_t n, size_t size) {
    size_t bytes;
    return n < 0 || __builtin_mul_overflow((size_t)n, size, &bytes) ? SIZE_MAX : bytes;
}

/* Several arrays in one block, each on a 64-byte line of its own: wn__part adds an array and returns its offset. */
typedef struct wn__parts {
    size_t bytes; /* of all arrays so far; SIZE_MAX: too many */
} wn__parts;
static inline size_t wn__part(wn__parts *p, int64_t n, size_t size) {
    const size_t at = p->bytes, more = wn__array_bytes(n, size);
    if (at >= SIZE_MAX - 128 || more > SIZE_MAX - 128 - at) p->bytes = SIZE_MAX;
    else p->bytes = (at + more + 63) / 64 * 64;
    return at;
}
#endif
