/* Lists of numbers and windows over spatial dimensions, with torch's rules. */
#include "ops/spatial/spatial.h"

wn_status wn__spatial_list(wn__call *c, const char *what, const wn_dims *d, int nd, const int64_t *fallback, int64_t *v) {
    if (d->n > 1 && d->n != nd) {
        return wn__fail_op(c, WN_E_RUNTIME, "%s must either be a single int, or a tuple of %d ints, but got %s", what, nd, wn__dims_text(d->v, d->n));
    }
    if (d->n <= 0 && !fallback) return wn__fail_op(c, WN_E_RUNTIME, "%s must either be a single int, or a tuple of %d ints", what, nd);
    for (int i = 0; i < nd; i++) v[i] = d->n <= 0 ? fallback[i] : d->v[d->n == 1 ? 0 : i];
    return WN_OK;
}

int64_t wn__spatial_product(const int64_t *v, int n) {
    int64_t all = 1;
    for (int i = 0; i < n; i++)
        if (v[i] < 0 || __builtin_mul_overflow(all, v[i], &all)) return -1;
    return all;
}

wn_dims wn__with_spatial(const wn_dims *size, int nd, const int64_t *v) {
    wn_dims d = *size;
    for (int i = 0; i < nd; i++) d.v[d.n - nd + i] = v[i];
    return d;
}

wn_status wn__spatial_input(wn__call *c, int nd, const wn_dims *size) {
    bool fits = size->n == nd + 1 || size->n == nd + 2;
    for (int d = size->n - nd - 1; fits && d < size->n; d++) fits = size->v[d] > 0;
    if (fits) return WN_OK;
    return wn__fail_op(c, WN_E_RUNTIME, "Expected %dD or %dD (batch mode) tensor with optional 0 dim batch size for input, but got: %s", nd + 1, nd + 2,
                       wn__dims_text(size->v, size->n > 0 ? size->n : 0));
}

wn_status wn__adaptive_fit(wn__call *c, int nd, const wn_dims *size, int first, const int64_t *out) {
    if (size->n != nd + 1 && size->n != nd + 2)
        return wn__fail_op(c, WN_E_RUNTIME, "Expected %dD or %dD tensor, but got %s", nd + 1, nd + 2, wn__dims_text(size->v, size->n > 0 ? size->n : 0));
    for (int d = first; d < size->n; d++)
        if (size->v[d] == 0)
            return wn__fail_op(c, WN_E_RUNTIME, "Expected input to have non-zero size for non-batch dimensions, but input has sizes %s with dimension %d "
                               "being empty", wn__dims_text(size->v, size->n), d);
    for (int d = 0; d < nd; d++)
        if (out[d] < 0) return wn__fail_op(c, WN_E_RUNTIME, "elements of output_size must be greater than or equal to 0 but received %s", wn__dims_text(out, nd));
    return WN_OK;
}

int64_t wn__window_outputs(int64_t size, int64_t kernel, int64_t stride, int64_t padding, int64_t dilation, bool ceil_mode) {
    const int64_t span = wn__add_sat(size, 2 * padding - dilation * (kernel - 1) - 1 + (ceil_mode ? stride - 1 : 0));
    int64_t n = wn__add_sat(span < 0 ? -((-span + stride - 1) / stride) : span / stride, 1);
    if (ceil_mode && wn__mul_sat(n - 1, stride) >= wn__add_sat(size, padding)) n--;
    return n;
}

static wn_status check_numbers(wn__call *c, const wn__windows *w) {
    for (int i = 0; i < w->nd; i++) {
        if (w->stride[i] == 0) return wn__fail_op(c, WN_E_RUNTIME, "stride should not be zero");
        if (w->kernel[i] <= 0 || w->stride[i] < 0)
            return wn__fail_op(c, WN_E_RUNTIME, "kernel size and stride should be greater than zero, but got kernel %s and stride %s",
                               wn__dims_text(w->kernel, w->nd), wn__dims_text(w->stride, w->nd));
        if (w->dilation[i] <= 0) return wn__fail_op(c, WN_E_RUNTIME, "dilation should be greater than zero, but got %s", wn__dims_text(w->dilation, w->nd));
        if (w->kernel[i] > INT32_MAX || w->stride[i] > INT32_MAX || w->dilation[i] > INT32_MAX) return wn__fail_op(c, WN_E_RUNTIME, "the window is too large");
    }
    const int64_t all = wn__spatial_product(w->kernel, w->nd);
    return all < 0 || all > INT32_MAX ? wn__fail_op(c, WN_E_RUNTIME, "the window is too large") : WN_OK;
}

wn_status wn__windows_fit(wn__call *c, int nd, const wn__windows_args *a, const wn_dims *size, wn__windows *w) {
    static const int64_t zero[3] = {0}, one[3] = {1, 1, 1};
    static const wn_dims none = {.n = 0};
    *w = (wn__windows){.nd = nd};
    wn_status st = wn__spatial_list(c, "kernel_size", a->kernel, nd, NULL, w->kernel);
    if (!st) st = wn__spatial_list(c, "stride", a->stride, nd, w->kernel, w->stride);
    if (!st) st = wn__spatial_list(c, "padding", a->padding, nd, zero, w->padding);
    if (!st) st = wn__spatial_list(c, "dilation", a->dilation ? a->dilation : &none, nd, one, w->dilation);
    if (!st) st = check_numbers(c, w);
    if (!st) st = wn__spatial_input(c, nd, size);
    for (int i = 0; i < nd && !st; i++) {
        w->in[i] = size->v[size->n - nd + i];
        if (w->padding[i] < 0) return wn__fail_op(c, WN_E_RUNTIME, "pad must be non-negative, but got pad: %lld", (long long)w->padding[i]);
        if (w->padding[i] > w->kernel[i] / 2)
            return wn__fail_op(c, WN_E_RUNTIME, "pad should be smaller than or equal to half of kernel size, but got pad=%lld and kernel_size=%lld",
                               (long long)w->padding[i], (long long)w->kernel[i]);
        w->out[i] = wn__window_outputs(w->in[i], w->kernel[i], w->stride[i], w->padding[i], w->dilation[i], a->ceil_mode);
    }
    for (int i = 0; i < nd && !st; i++)
        if (w->out[i] < 1)
            st = wn__fail_op(c, WN_E_RUNTIME, "Given input size: %s. Calculated output size: %s. Output size is too small", wn__dims_text(size->v, size->n),
                             wn__dims_text(w->out, nd));
    return st;
}
