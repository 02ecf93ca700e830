/* The three convolutions and the tables of their kernels (kernel_table.h). A row's file says what it does. */
#include "base/assert.h"
#include "engine/conv_plan.h"
#include <stdio.h>

#define EVERYWHERE WN__FLOATS, WN__EVERY_LEVEL
#define F32_AVX2 WN__ONLY(WN_F32), WN__ONLY(WN__LEVEL_AVX2)

static const wn__kernel_row forward[] = {
    {"lowered", EVERYWHERE, wn__conv_lowered_suits, wn__conv_lowered, true},
    {"tiled", EVERYWHERE, wn__conv_tiled_suits, wn__conv_tiled, true},
    {"direct", F32_AVX2, wn__conv_direct_suits, wn__conv_direct, true},
    {"planes", EVERYWHERE, wn__conv_planes_suits, wn__conv_planes, true},
    {"depthwise", EVERYWHERE, wn__conv_depthwise_suits, wn__conv_depthwise, true},
    {"channels", EVERYWHERE, wn__conv_channels_suits, wn__conv_channels, true},
    {"product", EVERYWHERE, wn__conv_product_suits, wn__conv_product, true},
    {"rows", EVERYWHERE, NULL, wn__conv_along_rows, true},
};
/* Terms outside of dy do not exist: a zero there times an infinite weight would be one. (Forward, padding is zeros.) */
static const wn__kernel_row input[] = {
    {"tiled", EVERYWHERE, wn__conv_tiled_suits, wn__conv_tiled, true},
    {"exchanged", EVERYWHERE, wn__conv_exchanged_suits, wn__conv_exchanged, true},
    {"lowered", EVERYWHERE, wn__conv_lowered_suits, wn__conv_lowered, true},
    {"channels", EVERYWHERE, wn__conv_channels_suits, wn__conv_channels, true},
    {"direct", F32_AVX2, wn__conv_direct_suits, wn__conv_direct, false},
    {"planes", EVERYWHERE, wn__conv_planes_suits, wn__conv_planes, false},
    {"depthwise", EVERYWHERE, wn__conv_depthwise_suits, wn__conv_depthwise, false},
    {"remainders", EVERYWHERE, NULL, wn__conv_remainders, false},
    {"special", EVERYWHERE, NULL, wn__conv_special, true},
};
static const wn__kernel_row part[] = {
    {"product", EVERYWHERE, wn__conv_product_suits, wn__conv_product, true},
    {"rows", EVERYWHERE, NULL, wn__conv_along_rows, true},
};
static const wn__kernel_row weight[] = {
    {"lowered", EVERYWHERE, wn__conv_lowered_suits, wn__conv_lowered, true},
    {"tiled", EVERYWHERE, wn__conv_tiled_suits, wn__conv_tiled, true},
    {"planes", EVERYWHERE, wn__conv_planes_suits, wn__conv_planes_weight, true},
    {"parts", EVERYWHERE, NULL, wn__conv_parts_weight, true},
};

/* Makes the plan of a form, and the strides of the weights in its call. */
static void prepare(void *form, void *call) {
    wn__conv_form *f = form;
    wn__conv_call *c = call;
    const wn__conv *d = f->d;
    const int row = wn__conv_transposed(f) ? 1 : 0; /* the dimension of w for channels of the result */
    wn__conv_forward_plan(d, &f->p);
    c->wgroup = f->p.cout * d->ws[0];
    c->wm = d->ws[row], c->wc = d->ws[1 - row];
    for (int i = 0; i < d->nd; i++) c->wk[3 - d->nd + i] = d->ws[2 + i];
    if (wn__conv_transposed(f)) wn__conv_turn(&f->p);
}

void wn__conv_describe(const void *form, char *text, size_t room) {
    const wn__conv *d = ((const wn__conv_form *)form)->d;
    int n = snprintf(text, room, "%s, %lld images, %lld -> %lld channels, %lld groups", wn_dtype_name(d->dtype), (long long)d->batch, (long long)d->in_channels,
                     (long long)d->out_channels, (long long)d->groups);
    for (int i = 0; i < d->nd && n < (int)room; i++)
        n += snprintf(text + n, room - (size_t)n, ", %lld -> %lld by %lld", (long long)d->in[i], (long long)d->out[i], (long long)d->kernel[i]);
}

#define PLANNED .prepare = prepare, .describe = wn__conv_describe
WN__KERNEL_TABLE(wn__conv_forward_kernels, "conv_forward", forward, PLANNED, .bare = 2);
WN__KERNEL_TABLE(wn__conv_input_kernels, "conv_input", input, PLANNED, .bare = 3, .finite = wn__conv_finite);
WN__KERNEL_TABLE(wn__conv_weight_kernels, "conv_weight", weight, PLANNED, .bare = 2);
WN__KERNEL_TABLE(wn__conv_part_kernels, "conv_part", part, .describe = wn__conv_describe);

#if defined(WN_CHECKED) && WN_CHECKED
static void conv_assert(const wn__conv *d) {
    WN_ASSERT(d->nd >= 1 && d->nd <= 3 && d->batch >= 0);
    WN_ASSERT(d->groups > 0 && d->in_channels % d->groups == 0 && d->out_channels % d->groups == 0);
    for (int i = 0; i < d->nd; i++) WN_ASSERT(d->kernel[i] >= 1 && d->stride[i] >= 1 && d->dilation[i] >= 1 && d->in[i] >= 0 && d->out[i] >= 0);
}
#endif

static bool walk(const wn__kernel_table *t, const wn__conv *d, wn__conv_way way, wn__conv_call *c) {
    WN_ASSERT_ALL(conv_assert(d));
    wn__conv_form f;
    f.d = d, f.way = way, f.bias = c->bias != NULL, f.epilogue = c->e != NULL;
    return wn__kernel_walk(t, d->dtype, &f, c);
}

bool wn__conv_forward(const wn__conv *d, const void *x, const void *w, const void *bias, void *y, const wn__epilogue *e) {
    for (int i = 0; i < d->nd; i++) WN_ASSERT(d->out[i] <= (d->in[i] + 2 * d->padding[i] - d->dilation[i] * (d->kernel[i] - 1) - 1) / d->stride[i] + 1);
    wn__conv_call c = {.in = x, .w = w, .bias = bias, .out = y, .e = e && e->run ? e : NULL};
    return walk(&wn__conv_forward_kernels, d, WN__CONV_FORWARD, &c);
}

bool wn__conv_grad_input(const wn__conv *d, const void *dy, const void *w, void *dx) {
    wn__conv_call c = {.in = dy, .w = w, .out = dx};
    return walk(&wn__conv_input_kernels, d, WN__CONV_INPUT, &c);
}

bool wn__conv_grad_weight(const wn__conv *d, const void *x, const void *dy, void *dw) {
    WN_ASSERT(x && dy && dw);
    wn__conv_call c = {.in = x, .w = dy, .out = dw};
    return d->in_channels == 0 || d->out_channels == 0 || walk(&wn__conv_weight_kernels, d, WN__CONV_WEIGHT, &c);
}

bool wn__conv_last_forward(const wn__conv *d, const void *x, const void *w, const void *bias, void *y) {
    wn__conv_call c = {.in = x, .w = w, .bias = bias, .out = y};
    return walk(&wn__conv_last_forward_kernels, d, WN__CONV_FORWARD, &c);
}

bool wn__conv_last_grad_input(const wn__conv *d, const void *dy, const void *w, void *dx) {
    wn__conv_call c = {.in = dy, .w = w, .out = dx};
    return walk(&wn__conv_last_input_kernels, d, WN__CONV_INPUT, &c);
}

bool wn__conv_last_grad_weight(const wn__conv *d, const void *x, const void *dy, void *dw) {
    wn__conv_call c = {.in = x, .w = dy, .out = dw};
    return walk(&wn__conv_last_weight_kernels, d, WN__CONV_WEIGHT, &c);
}
