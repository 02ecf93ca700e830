/* What test_contract_ops.c and test_nn_ops.c share: random tensors in all layouts, elements as doubles, checks. */
#ifndef CONTRACT_CHECK_H
#define CONTRACT_CHECK_H
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/dtype.h"
#include "tensor/tensor.h"
#include "random.h"
#include "winnow.h"

static int passed, failed;

__attribute__((format(printf, 2, 3))) static inline void check(bool ok, const char *fmt, ...) {
    if (ok) {
        passed++;
        return;
    }
    if (failed++ > 40) return;
    va_list ap;
    va_start(ap, fmt);
    printf("FAILED ");
    vprintf(fmt, ap);
    va_end(ap);
    printf("%s%s\n", wn_error() ? ": " : "", wn_error_message());
    wn_clear();
}

static inline bool maybe(int one_in) { return below(one_in) == 0; }
static inline double thousandths(void) { return (double)below(2001) / 1000 - 1; } /* from -1 to 1 */

enum { PLAIN, TRANSPOSED, SLICED, BROADCAST, LAYOUTS };

/* A tensor of numbers in [-1, 1] (integers: -4 .. 4) in one of the layouts. */
static inline wn_tensor *random_tensor(wn_dims shape, wn_dtype dtype, int layout) {
    const int n = shape.n > 0 ? shape.n : 0;
    wn_dims big = shape;
    int at = n ? (int)below(n) : 0;
    if (n && layout == TRANSPOSED)
        for (int d = 0; d < n; d++) big.v[d] = shape.v[n - 1 - d];
    if (n && layout == SLICED) big.v[at] = shape.v[at] * 2 + 3;
    if (n && layout == BROADCAST) big.v[at] = shape.v[at] ? 1 : 0;
    wn_tensor *t = wn_empty(big, .dtype = dtype);
    char *p = wn_ok(t) ? wn_data_mut(t) : NULL;
    for (int64_t i = 0; i < wn_numel(t); i++)
        wn__store_val(dtype, p + (size_t)i * wn_dtype_size(dtype), wn__is_float((int)dtype) ? wn_val_of_float(thousandths()) : wn_val_of_int(below(9) - (dtype == WN_U8 ? 0 : 4)));
    if (n && layout == TRANSPOSED) {
        wn_dims order = {.n = n};
        for (int d = 0; d < n; d++) order.v[d] = n - 1 - d;
        t = wn_permute(t, order);
    }
    if (n && layout == SLICED) t = wn_slice(t, at, 2, 2 + 2 * shape.v[at], .step = wn_val_of_int(2));
    if (n && layout == BROADCAST) t = wn_expand(t, shape);
    return t;
}

/* All elements, row-major; free() it. */
static inline double *elements(wn_tensor *t) {
    double *v = malloc(((size_t)(wn_numel(t) > 0 ? wn_numel(t) : 0) + 1) * sizeof *v);
    if (wn_ok(t) && wn_to_memory(t, v, (size_t)wn_numel(t) * sizeof *v, WN_F64) != WN_OK) check(false, "to_memory");
    return v;
}

static inline bool has_shape(wn_tensor *t, wn_dims shape) {
    if (!wn_ok(t) || wn_ndim(t) != (shape.n > 0 ? shape.n : 0)) return false;
    for (int d = 0; d < wn_ndim(t); d++)
        if (wn_size(t, d) != shape.v[d]) return false;
    return true;
}

static inline double wrapped(double v, wn_dtype t) {
    const int64_t i = (int64_t)v;
    return t == WN_I8 ? (double)(int8_t)i : t == WN_I16 ? (double)(int16_t)i : t == WN_I32 ? (double)(int32_t)i : t == WN_U8 ? (double)(uint8_t)i : v;
}

/* got must be want (of size about `size`) within the dtype's precision. */
static inline bool close_to(wn_tensor *got, const double *want, double size) {
    if (!wn_ok(got)) return false;
    const wn_dtype t = wn_dtype_of(got);
    const double eps = t == WN_F64 ? 1e-13 : t == WN_F32 ? 1e-6 : t == WN_F16 ? 1e-3 : 8e-3;
    double *v = elements(got);
    bool ok = true;
    for (int64_t i = 0; i < wn_numel(got) && ok; i++) {
        const double w = wn__is_float((int)t) ? want[i] : wrapped(want[i], t);
        ok = (isnan(v[i]) && isnan(w)) || v[i] == w || fabs(v[i] - w) <= eps * (size + fabs(w));
        if (!ok) printf("  element %ld: %.17g instead of %.17g\n", (long)i, v[i], w);
    }
    free(v);
    return ok;
}

static inline bool same_bits(wn_tensor *a, wn_tensor *b) {
    if (!wn_ok(a) || !wn_ok(b) || wn_numel(a) != wn_numel(b)) return false;
    wn_tensor *x = wn_contiguous(a), *y = wn_contiguous(b);
    return memcmp(wn_data(x), wn_data(y), (size_t)wn_numel(a) * wn_dtype_size(wn_dtype_of(a))) == 0;
}

/* t must be bad, with an error of this code that contains text. */
static inline void expect_error(wn_tensor *t, wn_status code, const char *text) {
    const bool ok = !wn_ok(t) && wn_error() == code && strstr(wn_error_message(), text);
    if (ok) wn_clear();
    check(ok, "expected error %d \"%s\", got %d", (int)code, text, (int)wn_error());
}

static inline int finish(void) {
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
#endif
