/* Convolutions of images that lie channels last, in all three directions, without changing the layout. 1x1 kernels are
 * one matrix product of positions and channels; depthwise ones are in conv_last_planes.c. */
#include "engine/conv_plan.h"

bool wn__conv_last_product_suits(const void *form) {
    const wn__conv_form *f = form;
    const wn__conv *d = f->d;
    if (d->groups != 1 || d->xs[1] != 1 || d->ys[1] != 1) return false;
    for (int i = 0; i < d->nd; i++)
        if (d->kernel[i] != 1 || d->padding[i] != 0 || (wn__conv_transposed(f) && d->stride[i] != 1 && d->in[i] != 1)) return false;
    return true;
}
bool wn__conv_last_suits(const wn__conv *d, bool back) {
    wn__conv_form f;
    f.d = d, f.way = back ? WN__CONV_INPUT : WN__CONV_FORWARD;
    return wn__conv_last_product_suits(&f) || wn__conv_last_planes_suits(&f);
}

/* A label for images or positions of an operand with x's strides (X), y's (Y), or both. */
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

static bool forward(const wn__conv *d, const wn__conv_call *k) {
    const wn__gemm_kernels *kernels = wn__gemm_kernels_now();
    bias by = {d->dtype == WN_F64 ? kernels->f64 : kernels->f32, k->bias, d->dtype};
    const wn__epilogue e = {.run = add_row, .ctx = &by, .down = add_column};
    wn__contraction c = {.dtype = d->dtype, .out_dtype = d->dtype, .a = k->in, .b = k->w, .c = k->out, .nn = 1, .nk = 1, .alpha = 1, .epilogue = k->bias ? &e : NULL};
    c.nm = positions(d, X, 0, Y, c.m);
    c.n[0] = (wn__axis){d->out_channels, 0, d->ws[0], 1};
    c.k[0] = (wn__axis){d->in_channels, 1, d->ws[1], 0};
    return wn__contract(&c);
}

static bool grad_input(const wn__conv *d, const wn__conv_call *k) {
    wn__contraction c = {.dtype = d->dtype, .out_dtype = d->dtype, .a = k->in, .b = k->w, .c = k->out, .nn = 1, .nk = 1, .alpha = 1};
    c.nm = positions(d, Y, 0, X, c.m);
    c.n[0] = (wn__axis){d->in_channels, 0, d->ws[1], 1};
    c.k[0] = (wn__axis){d->out_channels, 1, d->ws[0], 0};
    return wn__contract(&c);
}

static bool grad_weight(const wn__conv *d, const wn__conv_call *k) {
    wn__contraction c = {.dtype = d->dtype, .out_dtype = d->dtype, .a = k->w, .b = k->in, .c = k->out, .nm = 1, .nn = 1, .alpha = 1};
    c.m[0] = (wn__axis){d->out_channels, 1, 0, d->ws[0]};
    c.n[0] = (wn__axis){d->in_channels, 0, 1, d->ws[1]};
    c.nk = positions(d, Y, X, 0, c.k);
    return wn__contract(&c);
}

wn__ran wn__conv_last_product(void *form, const void *call) {
    const wn__conv_form *f = form;
    return wn__ran_if((f->way == WN__CONV_FORWARD ? forward : f->way == WN__CONV_INPUT ? grad_input : grad_weight)(f->d, call));
}

static const wn__kernel_row rows[] = {
    {"product", WN__FLOATS, WN__EVERY_LEVEL, wn__conv_last_product_suits, wn__conv_last_product, true},
    {"planes", WN__ONLY(WN_F32) | WN__ONLY(WN_F64), WN__EVERY_LEVEL, wn__conv_last_planes_suits, wn__conv_last_planes, true},
};
static const wn__kernel_row weight[] = {
    {"product", WN__FLOATS, WN__EVERY_LEVEL, wn__conv_last_product_suits, wn__conv_last_product, true},
    {"planes", WN__ONLY(WN_F32) | WN__ONLY(WN_F64), WN__EVERY_LEVEL, wn__conv_last_planes_suits, wn__conv_last_planes_weight, true},
};
WN__KERNEL_TABLE(wn__conv_last_forward_kernels, "conv_last_forward", rows, .describe = wn__conv_describe);
WN__KERNEL_TABLE(wn__conv_last_input_kernels, "conv_last_input", rows, .describe = wn__conv_describe);
WN__KERNEL_TABLE(wn__conv_last_weight_kernels, "conv_last_weight", weight, .describe = wn__conv_describe);
