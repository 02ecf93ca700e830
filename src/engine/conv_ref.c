/* Reference convolutions (see contract_ref.h). */
#include "engine/contract_ref.h"
#include "engine/conv_position.h"

void wn__conv_forward_ref(const wn__conv *d, const void *x, const void *w, const void *bias, void *y, const wn__epilogue *e) {
    const int64_t cg = d->in_channels / d->groups, og = d->out_channels / d->groups;
    const int64_t nout = count(d->out, d->nd), taps = count(d->kernel, d->nd);
    for (int64_t b = 0; b < d->batch; b++)
        for (int64_t o = 0; o < d->out_channels; o++)
            for (int64_t i = 0; i < nout; i++) {
                const pos at = unflatten(d->out, d->nd, i);
                double sum = 0;
                for (int64_t c = 0; c < cg; c++)
                    for (int64_t k = 0; k < taps; k++) {
                        const pos kp = unflatten(d->kernel, d->nd, k);
                        int64_t ox = b * d->xs[0] + (o / og * cg + c) * d->xs[1];
                        if (!seen(d, at, kp, &ox)) continue;
                        const int64_t ow = o * d->ws[0] + c * d->ws[1] + dot(d->ws + 2, kp, d->nd);
                        sum += wn__ref_get(x, d->dtype, ox) * wn__ref_get(w, d->dtype, ow);
                    }
                if (bias) sum += wn__ref_get(bias, d->dtype, o);
                if (e && d->dtype == WN_F64) {
                    e->run(e->ctx, &sum, b, o, i, 1);
                } else if (e) {
                    float f = (float)sum;
                    e->run(e->ctx, &f, b, o, i, 1);
                    sum = (double)f;
                }
                wn__ref_put(y, d->dtype, b * d->ys[0] + o * d->ys[1] + dot(d->ys + 2, at, d->nd), sum);
            }
}

/* The output position o that sees x through tap k: o * stride - padding + k * dilation = x. False: there is none. */
static bool seeing(const wn__conv *d, pos x, pos k, pos *o) {
    for (int i = 0; i < d->nd; i++) {
        const int64_t at = x.v[i] + d->padding[i] - k.v[i] * d->dilation[i];
        if (at < 0 || at % d->stride[i] != 0 || at / d->stride[i] >= d->out[i]) return false;
        o->v[i] = at / d->stride[i];
    }
    return true;
}

/* For each element of dx: every (output position, tap) that sees the element gives a term. */
void wn__conv_grad_input_ref(const wn__conv *d, const void *dy, const void *w, void *dx) {
    const int64_t cg = d->in_channels / d->groups, og = d->out_channels / d->groups;
    const int64_t nin = count(d->in, d->nd), taps = count(d->kernel, d->nd);
    for (int64_t b = 0; b < d->batch; b++)
        for (int64_t c = 0; c < d->in_channels; c++)
            for (int64_t i = 0; i < nin; i++) {
                const pos x = unflatten(d->in, d->nd, i);
                double sum = 0;
                for (int64_t k = 0; k < taps; k++) {
                    const pos kp = unflatten(d->kernel, d->nd, k);
                    pos at = {{0, 0, 0}};
                    if (!seeing(d, x, kp, &at)) continue;
                    for (int64_t o = c / cg * og; o < (c / cg + 1) * og; o++)
                        sum += wn__ref_get(dy, d->dtype, b * d->ys[0] + o * d->ys[1] + dot(d->ys + 2, at, d->nd)) *
                               wn__ref_get(w, d->dtype, o * d->ws[0] + c % cg * d->ws[1] + dot(d->ws + 2, kp, d->nd));
                }
                wn__ref_put(dx, d->dtype, b * d->xs[0] + c * d->xs[1] + dot(d->xs + 2, x, d->nd), sum);
            }
}

void wn__conv_grad_weight_ref(const wn__conv *d, const void *x, const void *dy, void *dw) {
    const int64_t cg = d->in_channels / d->groups, og = d->out_channels / d->groups;
    const int64_t nout = count(d->out, d->nd), taps = count(d->kernel, d->nd);
    for (int64_t o = 0; o < d->out_channels; o++)
        for (int64_t c = 0; c < cg; c++)
            for (int64_t k = 0; k < taps; k++) {
                const pos kp = unflatten(d->kernel, d->nd, k);
                double sum = 0;
                for (int64_t b = 0; b < d->batch; b++)
                    for (int64_t i = 0; i < nout; i++) {
                        const pos at = unflatten(d->out, d->nd, i);
                        int64_t ox = b * d->xs[0] + (o / og * cg + c) * d->xs[1];
                        if (!seen(d, at, kp, &ox)) continue;
                        sum += wn__ref_get(x, d->dtype, ox) *
                               wn__ref_get(dy, d->dtype, b * d->ys[0] + o * d->ys[1] + dot(d->ys + 2, at, d->nd));
                    }
                wn__ref_put(dw, d->dtype, o * d->ws[0] + c * d->ws[1] + dot(d->ws + 2, kp, d->nd), sum);
            }
}
