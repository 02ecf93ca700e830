/* The contraction engine on raw memory: sums over shared labels of strided operands.
 *
 * C[batch, m, n] = epilogue( beta * C[batch, m, n] + alpha * sum over k of A[batch, m, k] * B[batch, k, n] )
 *
 * batch, m, n and k are each a *group* of labels, which have a stride (in elements, may be 0 or negative) in every
 * operand that they belong to. The bits do not depend on the number of threads: k is split only into fixed chunks. */
#ifndef WN_ENGINE_CONTRACTION_H
#define WN_ENGINE_CONTRACTION_H
#include "base/api.h"
#include "engine/reach.h"

typedef struct wn__axis {
    int64_t size;
    int64_t a, b, c; /* strides in elements; 0 in operands that lack the label */
} wn__axis;

/* Called on each finished piece of a row of C while it is in registers or L1, before it is converted and stored.
 * acc[0..n) has the elements (m-index i; n-indices j..j+n-1) of batch index b, in the accumulator's type (double for
 * f64, else float). Indices count the flattened group, last label fastest. May change acc. */
typedef struct wn__epilogue {
    void (*run)(void *ctx, void *acc, int64_t b, int64_t i, int64_t j, int64_t n);
    void *ctx;
    /* The same for a piece of a column, where C^T is made: m-indices i..i+n-1, n-index j. NULL: run, one by one. */
    void (*down)(void *ctx, void *acc, int64_t b, int64_t i, int64_t j, int64_t n);
    bool runs_on; /* convolutions: may n run on into the next channels in memory? */
} wn__epilogue;

typedef struct wn__contraction {
    wn_dtype dtype; /* of A and B: f32 f16 bf16 (summed in f32), f64, i8 to i64 u8 (wrapping) */
    wn_dtype out_dtype; /* of C: dtype, or f32 for f16/bf16 operands */
    const void *a, *b;
    void *c;
    int nbatch, nm, nn, nk; /* labels in each group (0 allowed: size 1) */
    wn__axis batch[WN_MAX_DIMS], m[WN_MAX_DIMS], n[WN_MAX_DIMS], k[WN_MAX_DIMS];
    double alpha, beta; /* beta = 0: C is not read */
    const wn__epilogue *epilogue; /* NULL: none */
    /* What is not known to be zero. kept: the rows of A, if m is one label, and the steps of k, if k is one; NULL: all.
     * reach: the range along k, if k is one label, of A by m-index and of B by n-index; NULL: everywhere. */
    const wn__kept *kept_m, *kept_k;
    const wn__reach *reach_a, *reach_b;
} wn__contraction;

/* False when scratch memory could not be had (C is then unspecified). Empty k gives beta * C (0 for beta = 0).
 * Integer dtypes take no epilogue. A label that B does not carry belongs to m, not to batch: one large product is faster
 * than many small ones. Scratch slots 0 and 1 are in use while an epilogue runs; 2 and 3 are the epilogue's. */
bool wn__contract(const wn__contraction *c);
/* How many elements of C lie side by side in the rows, or columns, that an epilogue's pieces run along; 1: none do. */
int64_t wn__contract_reach(const wn__contraction *c);

/* Convolution in nd = 1, 2 or 3 dimensions. x [N, C, in...], w [O, C/groups, kernel...], y [N, O, out...] of any
 * strides, where the caller has checked that out = (in + 2*padding - dilation*(kernel-1) - 1) / stride + 1. Windows are
 * read from the image or a padded copy, never unfolded. */
typedef struct wn__conv {
    int nd;
    wn_dtype dtype; /* f32 f64 f16 bf16 */
    int64_t batch, in_channels, out_channels, groups;
    int64_t in[3], out[3], kernel[3], stride[3], padding[3], dilation[3];
    int64_t xs[5], ws[5], ys[5]; /* element strides: batch, channel, spatial... / out, in/groups, kernel... */
} wn__conv;

/* y = conv(x, w) (+ bias[o] if not NULL; contiguous, same dtype), then the epilogue: b = image, i = output channel,
 * j.. = flattened output position. */
bool wn__conv_forward(const wn__conv *d, const void *x, const void *w, const void *bias, void *y, const wn__epilogue *e);
/* In y and dw padding counts as zeros or is skipped; inf in w or dy may make NaN of it, as in PyTorch. dx has no such
 * terms. Channels must be multiples of groups; kernel, stride and dilation at least 1. */
/* dx = d(sum(y * dy))/dx: every element of dx is written. */
bool wn__conv_grad_input(const wn__conv *d, const void *dy, const void *w, void *dx);
/* dw = d(sum(y * dy))/dw: every element of dw is written. */
bool wn__conv_grad_weight(const wn__conv *d, const void *x, const void *dy, void *dw);

/* For images whose channels lie side by side in x and y (conv_last.c): 1x1 kernels of one group, and depthwise ones.
 * back: the gradient in the input. The gradient in the weights sums all positions in one order. */
bool wn__conv_last_suits(const wn__conv *d, bool back);
bool wn__conv_last_forward(const wn__conv *d, const void *x, const void *w, const void *bias, void *y);
bool wn__conv_last_grad_input(const wn__conv *d, const void *dy, const void *w, void *dx);
bool wn__conv_last_grad_weight(const wn__conv *d, const void *x, const void *dy, void *dw);
#endif
