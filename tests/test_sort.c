/* sort: long lines, whose values are made from their keys, against the elements that their indices name, bit by bit; order and
 * stability; zeros of both signs, NaN, both directions, lengths on both sides of every change of method;
 * unique_consecutive against the runs it is given. */
#include "winnow.h"
#include "check.h"
#include "random.h"


typedef enum kind { SMALL, LARGE, REPEATED, CLOSE, KINDS } kind;

static wn_tensor *line(int64_t n, wn_dtype dtype, kind k) {
    const bool nan_too = dtype == WN_F32 || dtype == WN_F64 || dtype == WN_F16;
    double *v = malloc((size_t)n * sizeof *v);
    for (int64_t i = 0; i < n && v; i++) {
        v[i] = (uniform() * 2 - 1) * (k == SMALL ? 1e3 : dtype == WN_I16 ? 3e4 : 2e9);
        if (k == REPEATED) v[i] = floor(uniform() * 9 - 4) * (uniform() < 0.5 ? -1 : 1); /* -0 too */
        if (k == CLOSE && dtype == WN_I64) v[i] = uniform() < 0.1 ? 3 : 0x1p62 + 1024 * floor(uniform() * 64);
        else if (k == CLOSE) v[i] = uniform() < 0.1 ? (dtype == WN_F64 ? 1e300 : 100) : 1 + floor(uniform() * 64) * 0x1p-52;
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

/* Are a's slice i along dim and b the same bits? */
static bool slice_is(wn_tensor *a, int dim, int64_t i, wn_tensor *b) {
    wn_tensor *s = wn_contiguous(wn_select(a, dim, i));
    return !memcmp(wn_data(s), wn_data(b), (size_t)wn_numel(b) * wn_dtype_size(wn_dtype_of(b)));
}

/* Many short lines, which are sorted side by side, as each of them on its own, with the first of it, its median and its mode. */
static void rows(int64_t lines, int64_t n, wn_dtype dtype, kind k, bool descending, int dim) {
    WN_SCOPE(scope);
    wn_tensor *t = wn_reshape(line(lines * n, dtype, k), WN_DIMS(lines, n)), *x = dim ? t : wn_contiguous(wn_transpose(t, 0, 1));
    const wn_val along = wn_val_of_int(dim);
    const wn_sort_out s = wn_sort(x, .dim = along, .descending = descending);
    const wn_topk_out top = wn_topk(x, (n + 1) / 2, .dim = along, .largest = descending ? WN_ON : WN_OFF);
    const bool number = dtype != WN_BOOL;
    const wn_kthvalue_out kth = number ? wn_kthvalue(x, (n + 2) / 3, .dim = along) : (wn_kthvalue_out){0};
    const wn_median_dim_out median = number ? wn_median_dim(x, dim) : (wn_median_dim_out){0};
    const wn_nanmedian_dim_out nanmedian = number ? wn_nanmedian_dim(x, dim) : (wn_nanmedian_dim_out){0};
    const wn_mode_out mode = wn_mode(x, .dim = along);
    for (int64_t i = 0; i < lines; i++) {
        WN_SCOPE(each);
        wn_tensor *one = wn_contiguous(wn_select(t, 0, i));
        const wn_sort_out alone = wn_sort(one, .descending = descending);
        CHECK(slice_is(s.values, 1 - dim, i, alone.values) && slice_is(s.indices, 1 - dim, i, alone.indices));
        const wn_topk_out first = wn_topk(one, (n + 1) / 2, .largest = descending ? WN_ON : WN_OFF);
        CHECK(slice_is(top.values, 1 - dim, i, first.values) && slice_is(top.indices, 1 - dim, i, first.indices));
        const wn_mode_out most = wn_mode(one);
        CHECK(slice_is(mode.values, 0, i, most.values) && slice_is(mode.indices, 0, i, most.indices));
        if (!number) continue;
        const wn_kthvalue_out third = wn_kthvalue(one, (n + 2) / 3);
        CHECK(slice_is(kth.values, 0, i, third.values) && slice_is(kth.indices, 0, i, third.indices));
        const wn_median_dim_out middle = wn_median_dim(one, 0);
        CHECK(slice_is(median.values, 0, i, middle.values) && slice_is(median.indices, 0, i, middle.indices));
        const wn_nanmedian_dim_out of_numbers = wn_nanmedian_dim(one, 0);
        CHECK(slice_is(nanmedian.values, 0, i, of_numbers.values) && slice_is(nanmedian.indices, 0, i, of_numbers.indices));
    }
}

/* unique_consecutive of runs of 1 to `most`: long ones reach over many of the pieces that threads take. */
static void runs_of_equals(int64_t n, int64_t most) {
    WN_SCOPE(scope);
    int64_t *v = malloc((size_t)n * sizeof *v), *run = calloc((size_t)n, sizeof *run), *of = malloc((size_t)n * sizeof *of), total = 0, wrong = 0;
    for (int64_t i = 0, end; v && run && of && i < n; total++)
        for (end = i + 1 + (int64_t)(uniform() * (double)most); i < end && i < n; i++) v[i] = total % 100, of[i] = total, run[total]++;
    wn_tensor *t = wn_from_data(v, WN_DIMS(n), WN_I64);
    for (int k = 1; k < 4; k++) {
        const wn_unique_consecutive_out u = wn_unique_consecutive(k & 1 ? t : wn_to(t, WN_U8), .return_inverse = k & 1, .return_counts = k > 1);
        CHECK(wn_numel(u.output) == total && wn_numel(u.inverse) == (k & 1 ? n : 0) && wn_numel(u.counts) == (k > 1 ? total : 0));
        const int64_t *inverse = wn_data(u.inverse), *counts = wn_data(u.counts);
        for (int64_t i = 0; i < n && (k & 1) && inverse; i++) wrong += inverse[i] != of[i];
        for (int64_t i = 0; i < total && k > 1 && counts; i++) wrong += counts[i] != run[i];
    }
    CHECK(wrong == 0);
    free(v), free(run), free(of);
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
    static const int64_t short_lengths[] = {2, 3, 10, 31, 64, 100, 257, 1000, 1024, 1025};
    static const wn_dtype row_dtypes[] = {WN_F32, WN_F64, WN_F16, WN_BF16, WN_I64, WN_I32, WN_I16, WN_U8, WN_BOOL};
    for (size_t l = 0; l < sizeof short_lengths / sizeof *short_lengths; l++)
        for (size_t d = 0; d < sizeof row_dtypes / sizeof *row_dtypes; d++)
            for (int c = 0; c < 6; c++)
                rows(short_lengths[l] < 64 ? 37 : 21, short_lengths[l], row_dtypes[d], (kind[]){LARGE, REPEATED, CLOSE}[c % 3], c / 3, (int)(l + (size_t)c) % 2);
    static const int64_t run_lengths[] = {1, 2, 300, 20000, 50000};
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
        for (size_t m = 0; m < sizeof run_lengths / sizeof *run_lengths; m++) runs_of_equals(lengths[l], run_lengths[m]);
    return report();
}
