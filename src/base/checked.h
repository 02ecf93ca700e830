/* Arithmetic on sizes, strides, offsets, counts and bytes: sums and products that say when they do not fit, and such as stop at the
 * largest number. Sizes come from callers and files; a sum that wraps is a place outside of a tensor's memory. */
#ifndef WN_BASE_CHECKED_H
#define WN_BASE_CHECKED_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/assert.h"

/* *over becomes true when the result does not fit (and stays what it was otherwise): one question behind a whole formula. */
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

/* For what is only compared: costs, limits, ends of ranges. */
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

/* ceil(a / b), which a + b - 1 may not be able to say. */
static inline int64_t wn__ceil_div(int64_t a, int64_t b) {
    WN_ASSERT(a >= 0 && b > 0);
    return a / b + (a % b != 0);
}

/* As the processor converts: what does not fit, NaN too, becomes the smallest number. */
static inline int64_t wn__to_i64(double x) { return x >= -9223372036854775808.0 && x < 9223372036854775808.0 ? (int64_t)x : INT64_MIN; }

/* Bytes of an array; SIZE_MAX, which no allocation gives, when that is more. */
static inline size_t wn__array_bytes(int64_t n, size_t size) {
    size_t bytes;
    return n < 0 || __builtin_mul_overflow((size_t)n, size, &bytes) ? SIZE_MAX : bytes;
}

/* A block of memory in parts, each of which begins at a whole line of 64 bytes: wn__part adds one and returns where it begins. */
typedef struct wn__parts {
    size_t bytes; /* of all parts so far; SIZE_MAX: too many */
} wn__parts;
static inline size_t wn__part(wn__parts *p, int64_t n, size_t size) {
    const size_t at = p->bytes, more = wn__array_bytes(n, size);
    if (at >= SIZE_MAX - 128 || more > SIZE_MAX - 128 - at) p->bytes = SIZE_MAX;
    else p->bytes = (at + more + 63) / 64 * 64;
    return at;
}
#endif
