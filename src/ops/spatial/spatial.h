/* What the rows over spatial dimensions share: lists of numbers, planes, and linear maps along single dimensions. */
#ifndef WN_OPS_SPATIAL_H
#define WN_OPS_SPATIAL_H
#include "ops/pointwise/pointwise.h"

/* One number for each of nd dimensions: a list of one stands for all, an empty one for `fallback`. Error record otherwise. */
wn_status wn__spatial_list(wn__call *c, const char *what, const wn_dims *d, int nd, const int64_t *fallback, int64_t *v);
/* Product of n sizes, all >= 0; -1 where it overflows. */
int64_t wn__spatial_product(const int64_t *v, int n);
/* Where plane p begins: p counts the first `lead` dimensions, row-major. In elements. */
static inline int64_t wn__plane_offset(const wn_tensor *t, int lead, int64_t p) {
    int64_t at = 0;
    for (int d = lead - 1; d >= 0; d--) {
        at += p % t->shape[d] * t->strides[d];
        p /= t->shape[d];
    }
    return at;
}

/* ---- average and maximum windows */
typedef struct wn__windows {
    int nd;
    int64_t in[3], out[3], kernel[3], stride[3], padding[3], dilation[3];
} wn__windows;
typedef struct wn__windows_args {
    const wn_dims *kernel, *stride, *padding, *dilation; /* dilation NULL: 1 */
    bool ceil_mode;
} wn__windows_args;
/* torch's rules for inputs of shape `size`: nd spatial dimensions behind one or two. */
wn_status wn__windows_fit(wn__call *c, int nd, const wn__windows_args *a, const wn_dims *size, wn__windows *w);
/* How many windows lie along a dimension (torch's pooling_output_shape): with ceil_mode the last one must still start inside the input or
 * the left padding. Of numbers below 2^31, but for the size, which may be anything >= 0. */
int64_t wn__window_outputs(int64_t size, int64_t kernel, int64_t stride, int64_t padding, int64_t dilation, bool ceil_mode);
/* size with its last nd entries replaced */
wn_dims wn__with_spatial(const wn_dims *size, int nd, const int64_t *v);
/* Is `size` one or two dimensions, which may be of size 0 only if it is the batch, before nd of size > 0? */
wn_status wn__spatial_input(wn__call *c, int nd, const wn_dims *size);
/* Can windows cover the last nd dimensions of `size`, of which those from `first` on may not be empty, `out` of them along each? */
wn_status wn__adaptive_fit(wn__call *c, int nd, const wn_dims *size, int first, const int64_t *out);

/* ---- a linear map along one dimension
 * Output i is the sum of weight * input over the run input[first[i]] ... whose weights are weight[start[i]] to start[i + 1]
 * (weight NULL: all 1), divided by extent[i] (NULL: 1). Runs begin and end in the order of i. A map that keeps every element
 * has no arrays (first NULL). */
typedef struct wn__axis {
    int64_t in, out;
    int64_t *first, *start;
    double *weight, *extent;
} wn__axis;
/* Room for `out` runs of at most `taps` elements in all. False: no memory. */
bool wn__axis_make(wn__axis *a, int64_t in, int64_t out, int64_t taps, bool weights, bool extents);
void wn__axis_free(wn__axis *a);
/* Says result 0: x with its last nd dimensions of sizes `out`. */
wn_status wn__axes_infer(wn__call *c, int nd, const int64_t *out, const wn_tensor *x);
/* Result 0 = the nd maps (transposed, where back) applied to the last nd dimensions of x, divided by divisor (0: by nothing). x is of a type
 * that kernels compute in f32, f64 or (without weights) i64; u8 may be moved, not computed with. Frees the maps. */
wn_status wn__axes_apply(wn__call *c, int nd, wn__axis *axes, double divisor, const wn_tensor *x, bool back);
/* Windows that cover the dimension: window i is [floor(i * in / out), ceil((i + 1) * in / out)). */
bool wn__axis_adaptive(wn__axis *a, int64_t in, int64_t out);
#endif
