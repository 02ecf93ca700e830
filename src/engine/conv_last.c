/* Convolutions of images that lie channels last, all three directions, read and written as they lie: with 1x1 kernels one matrix product of
 * positions and channels; depthwise ones are conv_last_planes.c's. */
#include "engine/conv_plan.h"

static bool is_product(const wn__conv *d, bool back) {
    if (d->groups != 1 || d->xs[1] != 1 || d->ys[1] != 1) return false;
    for (int i = 0; i < d->nd; i++)
        if (d->kernel[i] != 1 || d->padding[i] != 0 || (back && d->stride[i] != 1 && d->in[i] != 1)) return false;
    return true;
}
bool wn__conv_last_suits(const wn__conv *d, bool back) { return is_product(d, back) || wn__conv_last_planes_suit(d); }

/* Images and positions as labels of an operand that has x's strides, or y's, or both. */
enum { X = 1, Y = 2 };
static wn__axis label(int64_t size, int64_t x, int64_t y, int a, int b, int c) {
    return (wn__axis){size, a == X ? x : a == Y ? y : 0, b == X ? x : b == Y ? y : 0, c == X ? x : c == Y ? y : 0};
}
static int positions(const wn__conv *d, int a, int b, int c, wn__axis *to) {
    to[0] = label(d->batch, d->xs[0], d->ys[0], a, b, c);
    for (int i = 0; i < d->nd; i++) to[1 + i] = label(d->out[i], d->stride[i] * d->xs[2 + i], d->ys[2 + i], a, b, c);
    return 1 + d->nd;
}

typedef struct bias {
    const wn__gemm_type *t;
    const char *from;
    wn_dtype dtype;
} bias;
static void add_row(void *ctx, void *acc, int64_t b, int64_t i, int64_t j, int64_t n) {
    const bias *by = ctx;
    (void)b, (void)i;
    by->t->add(acc, by->from + j * (int64_t)wn_dtype_size(by->dtype), by->dtype, n, 1);
}
static void add_column(void *ctx, void *acc, int64_t b, int64_t i, int64_t j, int64_t n) {
    const bias *by = ctx;
    (void)b, (void)i;
    by->t->add(acc, by->from + j * (int64_t)wn_dtype_size(by->dtype), by->dtype, n, 0);
}

bool wn__conv_last_forward(const wn__conv *d, const void *x, const void *w, const void *b, void *y) {
    if (!is_product(d, false)) return wn__conv_last_planes(d, x, w, b, y);
    const wn__gemm_kernels *kernels = wn__gemm_kernels_now();
    bias by = {d->dtype == WN_F64 ? kernels->f64 : kernels->f32, b, d->dtype};
    const wn__epilogue e = {.run = add_row, .ctx = &by, .down = add_column};
    wn__contraction c = {.dtype = d->dtype, .out_dtype = d->dtype, .a = x, .b = w, .c = y, .nn = 1, .nk = 1, .alpha = 1, .epilogue = b ? &e : NULL};
    c.nm = positions(d, X, 0, Y, c.m);
    c.n[0] = (wn__axis){d->out_channels, 0, d->ws[0], 1};
    c.k[0] = (wn__axis){d->in_channels, 1, d->ws[1], 0};
    return wn__contract(&c);
}

bool wn__conv_last_grad_input(const wn__conv *d, const void *dy, const void *w, void *dx) {
    if (!is_product(d, true)) return wn__conv_last_planes_grad_input(d, dy, w, dx);
    wn__contraction c = {.dtype = d->dtype, .out_dtype = d->dtype, .a = dy, .b = w, .c = dx, .nn = 1, .nk = 1, .alpha = 1};
    c.nm = positions(d, Y, 0, X, c.m);
    c.n[0] = (wn__axis){d->in_channels, 0, d->ws[1], 1};
    c.k[0] = (wn__axis){d->out_channels, 1, d->ws[0], 0};
    return wn__contract(&c);
}

bool wn__conv_last_grad_weight(const wn__conv *d, const void *x, const void *dy, void *dw) {
    if (!is_product(d, false)) return wn__conv_last_planes_grad_weight(d, x, dy, dw);
    wn__contraction c = {.dtype = d->dtype, .out_dtype = d->dtype, .a = dy, .b = x, .c = dw, .nm = 1, .nn = 1, .alpha = 1};
    c.m[0] = (wn__axis){d->out_channels, 1, 0, d->ws[0]};
    c.n[0] = (wn__axis){d->in_channels, 0, 1, d->ws[1]};
    c.nk = positions(d, Y, X, 0, c.k);
    return wn__contract(&c);
}
