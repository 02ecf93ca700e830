/* Convolutions whose windows tile the unpadded input: each weight meets each element of the image at most once, and all
 * three directions are plain products. These are kernels as large as the input (the transposed convolution of a 1x1
 * image is the gradient of one: its padded windows would be mostly zeros), and patches, with the kernel's size as
 * stride. */
#include "engine/conv_plan.h"

enum { WIDE = 4 }; /* narrower patches are written too piecemeal: conv_remainders.c takes them */

static bool tiles(const wn__conv *d) {
    for (int i = 0; i < d->nd; i++)
        if (d->padding[i] != 0 || d->in[i] != d->out[i] * d->kernel[i] || (d->dilation[i] != 1 && d->kernel[i] != 1) || (d->out[i] != 1 && d->stride[i] != d->kernel[i]))
            return false;
    return true;
}
static bool is_whole(const wn__conv *d) {
    for (int i = 0; i < d->nd; i++)
        if (d->out[i] != 1) return false;
    return tiles(d);
}
static bool is_patches(const wn__conv *d) { return d->kernel[d->nd - 1] >= WIDE && tiles(d); }

/* Patches are only taken for the gradient in the input. */
bool wn__conv_tiled_suits(const void *form) {
    const wn__conv_form *f = form;
    return !f->bias && !f->epilogue && (is_whole(f->d) || (f->way == WN__CONV_INPUT && is_patches(f->d)));
}

/* Bits: the operands of a label, which is groups, images and positions, output channels, or elements of a window. */
enum { IMAGE = 1, WEIGHT = 2, OUTPUT = 4 };

static int64_t stride_in(int operand, int64_t image, int64_t weight, int64_t output) {
    return operand == IMAGE ? image : operand == WEIGHT ? weight : output;
}

typedef struct tiled {
    const wn__conv *d;
    int a, b, c; /* the product's operands: IMAGE, WEIGHT or OUTPUT */
} tiled;

static wn__axis axis(const tiled *o, int64_t size, int64_t image, int64_t weight, int64_t output) {
    return (wn__axis){size, stride_in(o->a, image, weight, output), stride_in(o->b, image, weight, output), stride_in(o->c, image, weight, output)};
}

static void groups(const tiled *o, wn__contraction *x) {
    const wn__conv *d = o->d;
    const int64_t in = d->in_channels / d->groups, out = d->out_channels / d->groups;
    if (d->groups > 1) x->batch[x->nbatch++] = axis(o, d->groups, in * d->xs[1], out * d->ws[0], out * d->ys[1]);
}
static int positions(const tiled *o, wn__axis *to) {
    const wn__conv *d = o->d;
    to[0] = axis(o, d->batch, d->xs[0], 0, d->ys[0]);
    for (int i = 0; i < d->nd; i++) to[1 + i] = axis(o, d->out[i], d->stride[i] * d->xs[2 + i], 0, d->ys[2 + i]);
    return 1 + d->nd;
}
static wn__axis channels(const tiled *o) { return axis(o, o->d->out_channels / o->d->groups, 0, o->d->ws[0], o->d->ys[1]); }
static int window(const tiled *o, wn__axis *to) {
    const wn__conv *d = o->d;
    to[0] = axis(o, d->in_channels / d->groups, d->xs[1], d->ws[1], 0);
    for (int i = 0; i < d->nd; i++) to[1 + i] = axis(o, d->kernel[i], d->xs[2 + i], d->ws[2 + i], 0);
    return 1 + d->nd;
}

static wn__contraction product(const tiled *o, const void *a, const void *b, void *c) {
    wn__contraction x = {.dtype = o->d->dtype, .out_dtype = o->d->dtype, .a = a, .b = b, .c = c, .alpha = 1};
    groups(o, &x);
    return x;
}

static bool forward(const wn__conv *d, const wn__conv_call *c) {
    const tiled o = {d, IMAGE, WEIGHT, OUTPUT};
    wn__contraction p = product(&o, c->in, c->w, c->out);
    p.nm = positions(&o, p.m);
    p.n[p.nn++] = channels(&o);
    p.nk = window(&o, p.k);
    return wn__contract(&p);
}

static bool grad_input(const wn__conv *d, const wn__conv_call *c) {
    const tiled o = {d, OUTPUT, WEIGHT, IMAGE};
    wn__contraction p = product(&o, c->in, c->w, c->out);
    p.nm = positions(&o, p.m);
    p.nn = window(&o, p.n);
    p.k[p.nk++] = channels(&o);
    return wn__contract(&p);
}

static bool grad_weight(const wn__conv *d, const wn__conv_call *c) {
    const tiled o = {d, OUTPUT, IMAGE, WEIGHT};
    wn__contraction p = product(&o, c->w, c->in, c->out);
    p.m[p.nm++] = channels(&o);
    p.nn = window(&o, p.n);
    p.nk = positions(&o, p.k);
    return wn__contract(&p);
}

wn__ran wn__conv_tiled(void *form, const void *call) {
    const wn__conv_form *f = form;
    return wn__ran_if((f->way == WN__CONV_FORWARD ? forward : f->way == WN__CONV_INPUT ? grad_input : grad_weight)(f->d, call));
}
