/* For tests that look at a few values and at error messages: counting, errors with their words, short f64 vectors. */
#ifndef WN_TESTS_CHECK_H
#define WN_TESTS_CHECK_H
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "winnow.h"

static int passed, failed;
static inline void check_(bool ok, const char *what, int line) {
    if (ok) {
        passed++;
        return;
    }
    failed++;
    printf("FAILED line %d: %s (record: %s)\n", line, what, wn_error_message());
}
#define CHECK(x) check_((x), #x, __LINE__)
/* The expression fails, and the message holds all the given words. */
static inline void fails_(bool bad, int line, const char *const *words) {
    bool ok = bad && wn_error() != WN_OK;
    for (; *words; words++) ok = ok && strstr(wn_error_message(), *words);
    check_(ok, "an error that names what is wrong", line);
    wn_clear();
}
#define FAILS(x, ...) fails_(!(x), __LINE__, (const char *const[]){__VA_ARGS__, NULL})

static inline wn_tensor *vec_(const double *v, size_t n, bool grad) {
    wn_tensor *t = wn_from_data(v, WN_DIMS((int64_t)n), WN_F64);
    return grad ? wn_requires_grad(t, true) : t;
}
#define VALUES(...) (double[]){__VA_ARGS__}, sizeof((double[]){__VA_ARGS__}) / sizeof(double)
#define VEC(...) vec_(VALUES(__VA_ARGS__), false)
#define PARAM(...) vec_(VALUES(__VA_ARGS__), true)
static double tolerance = 1e-9; /* of IS, relative to 1 + the value */
static inline bool is_(wn_tensor *t, const double *v, size_t n) {
    double have[64];
    if (!wn_ok(t) || wn_numel(t) != (int64_t)n || n > 64 || wn_to_memory(t, have, n * sizeof *v, WN_F64)) return false;
    for (size_t i = 0; i < n; i++) {
        if ((isnan(v[i]) && isnan(have[i])) || have[i] == v[i] || fabs(have[i] - v[i]) <= tolerance * (1 + fabs(v[i]))) continue;
        printf("    element %zu is %.9g, expected %.9g\n", i, have[i], v[i]);
        return false;
    }
    return true;
}
#define IS(t, ...) check_(is_((t), VALUES(__VA_ARGS__)), #t " is " #__VA_ARGS__, __LINE__)
static inline void zero_grad(wn_tensor *t) { CHECK(wn_set_grad(t, NULL) == WN_OK); }

/* The same numbers, which are told apart by neither the sign of zeros nor that of NaN; what: said of a difference. */
static inline bool same_values(wn_tensor *a, wn_tensor *b, const char *what) {
    if (!wn_ok(a) || !wn_ok(b) || wn_numel(a) != wn_numel(b)) return false;
    const double *x = wn_data(wn_to(wn_contiguous(a), WN_F64)), *y = wn_data(wn_to(wn_contiguous(b), WN_F64));
    for (int64_t i = 0; x && y && i < wn_numel(a); i++) {
        if (x[i] == y[i] || (isnan(x[i]) && isnan(y[i]))) continue;
        printf("    %s: element %lld is %.17g, expected %.17g\n", what, (long long)i, x[i], y[i]);
        return false;
    }
    return x && y;
}

/* The last line of every test. */
static inline int report(void) {
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
#endif
