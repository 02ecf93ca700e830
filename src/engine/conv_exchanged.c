/* Convolutions that are computed as another convolution of the same tensors. */
#include "engine/conv_plan.h"

static void swap(int64_t *v) {
    const int64_t first = v[0];
    v[0] = v[1], v[1] = first;
}

/* A 3-d kernel that is tall in the first dimension. A padded copy holds all its planes for every position there, but
 * shares rows of the second, so the two are exchanged. Not with an epilogue, which counts positions in order. */
bool wn__conv_lowered_suits(const void *form) {
    enum { TALL = 16 };
    const wn__conv_form *f = form;
    return f->d->nd == 3 && !f->epilogue && f->d->kernel[0] > TALL && f->d->kernel[0] / 4 > f->d->kernel[1];
}
wn__ran wn__conv_lowered(void *form, const void *call) {
    const wn__conv_form *f = form;
    const wn__conv_call *c = call;
    wn__conv d = *f->d;
    int64_t *const by_dimension[] = {d.in, d.out, d.kernel, d.stride, d.padding, d.dilation, d.xs + 2, d.ws + 2, d.ys + 2};
    for (size_t i = 0; i < sizeof by_dimension / sizeof *by_dimension; i++) swap(by_dimension[i]);
    if (f->way == WN__CONV_FORWARD) return wn__ran_if(wn__conv_forward(&d, c->in, c->w, c->bias, c->out, NULL));
    return wn__ran_if((f->way == WN__CONV_INPUT ? wn__conv_grad_input : wn__conv_grad_weight)(&d, c->in, c->w, c->out));
}

/* The gradient in the input, dx[stride p + dilation k - padding] += dy[p] w[k], stays the same if dy and w, and stride
 * and dilation, are exchanged. If the kernel is much larger than dy (a transposed convolution of a small image), that
 * leaves far fewer taps. */
bool wn__conv_exchanged_suits(const void *form) {
    enum { LARGER = 8 }; /* rows of the product become images and vice versa: it should pay even with few images */
    const wn__conv *d = ((const wn__conv_form *)form)->d;
    double taps = 1, positions = 1;
    for (int i = 0; i < d->nd; i++) taps *= (double)d->kernel[i], positions *= (double)d->out[i];
    return taps > LARGER * positions && !(d->groups > 1 && d->batch > 1);
}
wn__ran wn__conv_exchanged(void *form, const void *call) {
    const wn__conv *d = ((const wn__conv_form *)form)->d;
    const wn__conv_call *c = call;
    const int64_t channels = d->in_channels / d->groups;
    wn__conv other = *d;
    other.batch = channels, other.in_channels = d->batch * d->groups;
    other.xs[0] = d->xs[1], other.xs[1] = d->groups > 1 ? channels * d->xs[1] : d->xs[0];
    other.ys[0] = d->ws[1], other.ys[1] = d->ws[0];
    other.ws[0] = d->ys[1], other.ws[1] = d->ys[0];
    for (int i = 0; i < d->nd; i++) {
        other.kernel[i] = d->out[i], other.out[i] = d->kernel[i];
        other.stride[i] = d->dilation[i], other.dilation[i] = d->stride[i];
        other.ys[2 + i] = d->ws[2 + i], other.ws[2 + i] = d->ys[2 + i];
    }
    return wn__ran_if(wn__conv_grad_input(&other, c->w, c->in, c->out));
}
