/* sort: long lines, whose values are made from their keys, against the elements that their indices name, bit by bit; order and
 * stability; zeros of both signs, NaN, both directions, lengths on both sides of every change of method. */
#include "winnow.h"
#include "check.h"
#include "random.h"


typedef enum kind { SMALL, LARGE, REPEATED, KINDS } kind;

static wn_tensor *line(int64_t n, wn_dtype dtype, kind k) {
    const bool nan_too = dtype == WN_F32 || dtype == WN_F64 || dtype == WN_F16;
    double *v = malloc((size_t)n * sizeof *v);
    for (int64_t i = 0; i < n && v; i++) {
        v[i] = (uniform() * 2 - 1) * (k == SMALL ? 1e3 : dtype == WN_I16 ? 3e4 : 2e9);
        if (k == REPEATED) v[i] = floor(uniform() * 9 - 4) * (uniform() < 0.5 ? -1 : 1); /* -0 too */
        if (nan_too && uniform() < 0.02) v[i] = uniform() < 0.5 ? NAN : -NAN;
    }
    wn_tensor *t = v ? wn_to(wn_from_data(v, WN_DIMS(n), WN_F64), dtype) : NULL;
    free(v);
    return t;
}

/* May a come before b, where it lay before (`earlier`) or not? */
static bool ordered(double a, double b, bool descending, bool earlier) {
    const bool same = a == b || (a != a && b != b);
    if (same) return earlier;
    if (a != a || b != b) return descending ? a != a : b != b;
    return descending ? a > b : a < b;
}

static void sorted(int64_t n, wn_dtype dtype, kind k, bool descending) {
    WN_SCOPE(scope);
    wn_tensor *t = line(n, dtype, k);
    const wn_sort_out s = wn_sort(t, .descending = descending);
    wn_tensor *named = wn_gather(t, 0, s.indices);
    const int64_t *at = wn_data(s.indices);
    double *v = malloc((size_t)n * sizeof *v);
    bool good = v && at && wn_to_memory(s.values, v, (size_t)n * sizeof *v, WN_F64) == WN_OK;
    CHECK(good && !memcmp(wn_data(s.values), wn_data(named), (size_t)n * wn_dtype_size(dtype)));
    for (int64_t i = 1; i < n && good; i++) good = ordered(v[i - 1], v[i], descending, at[i - 1] < at[i]);
    CHECK(good);
    free(v);
}

/* Columns, whose elements and results lie apart, as the same lines on their own. */
static void columns(int64_t n, wn_dtype dtype, bool descending) {
    WN_SCOPE(scope);
    wn_tensor *t = wn_contiguous(wn_transpose(wn_reshape(line(3 * n, dtype, LARGE), WN_DIMS(3, n)), 0, 1));
    const wn_sort_out s = wn_sort(t, .dim = WN_VAL(0), .descending = descending);
    for (int c = 0; c < 3; c++) {
        const wn_sort_out one = wn_sort(wn_contiguous(wn_select(t, 1, c)), .descending = descending);
        CHECK(!memcmp(wn_data(wn_contiguous(wn_select(s.values, 1, c))), wn_data(one.values), (size_t)n * wn_dtype_size(dtype)));
        CHECK(!memcmp(wn_data(wn_contiguous(wn_select(s.indices, 1, c))), wn_data(one.indices), (size_t)n * sizeof(int64_t)));
    }
}

int main(void) {
    static const int64_t lengths[] = {1, 5, 128, 129, 255, 256, 8191, 8192, 20000, 65535, 65536, 131072, 131073};
    static const wn_dtype dtypes[] = {WN_F32, WN_F64, WN_F16, WN_I64, WN_I32, WN_I16, WN_I8, WN_U8, WN_BOOL};
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
        for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; d++)
            for (int k = 0; k < KINDS; k++) {
                sorted(lengths[l], dtypes[d], (kind)k, false);
                sorted(lengths[l], dtypes[d], (kind)k, true);
            }
    for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; d++)
        for (int i = 0; i < 4; i++) columns(i < 2 ? 300 : 70000, dtypes[d], i & 1);
    return report();
}
