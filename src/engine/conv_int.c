/* Convolutions of int64, wrapping, in plain loops: torch has them, programs hardly use them. */
#include "engine/contract_int.h"
#include "base/threads.h"
#include "engine/conv_position.h"

typedef struct operands {
    const wn__conv *d;
    int64_t cg, og; /* channels of a group: in, out */
    int64_t positions, taps;
    const uint64_t *w, *bias;
    uint64_t *x, *y;
} operands;

/* Units: (image, output channel). */
static void forward(void *ctx, int64_t begin, int64_t end) {
    const operands *j = ctx;
    const wn__conv *d = j->d;
    for (int64_t u = begin; u < end; u++) {
        const int64_t b = u / d->out_channels, m = u % d->out_channels;
        const uint64_t *x = j->x + b * d->xs[0] + m / j->og * j->cg * d->xs[1], *w = j->w + m * d->ws[0];
        uint64_t *y = j->y + b * d->ys[0] + m * d->ys[1];
        for (int64_t i = 0; i < j->positions; i++) {
            const pos at = unflatten(d->out, d->nd, i);
            uint64_t sum = j->bias ? j->bias[m] : 0;
            for (int64_t k = 0; k < j->taps; k++) {
                const pos kp = unflatten(d->kernel, d->nd, k);
                int64_t ox = 0;
                if (!seen(d, at, kp, &ox)) continue;
                const int64_t ow = dot(d->ws + 2, kp, d->nd);
                for (int64_t c = 0; c < j->cg; c++) sum += x[c * d->xs[1] + ox] * w[c * d->ws[1] + ow];
            }
            y[dot(d->ys + 2, at, d->nd)] = sum;
        }
    }
}

/* Units: (image, input channel); x is written. */
static void backward(void *ctx, int64_t begin, int64_t end) {
    const operands *j = ctx;
    const wn__conv *d = j->d;
    for (int64_t u = begin; u < end; u++) {
        const int64_t b = u / d->in_channels, c = u % d->in_channels, first = c / j->cg * j->og;
        uint64_t *x = j->x + b * d->xs[0] + c * d->xs[1];
        const uint64_t *y = j->y + b * d->ys[0] + first * d->ys[1], *w = j->w + first * d->ws[0] + c % j->cg * d->ws[1];
        for (int64_t i = 0, n = count(d->in, d->nd); i < n; i++) x[dot(d->xs + 2, unflatten(d->in, d->nd, i), d->nd)] = 0;
        for (int64_t i = 0; i < j->positions; i++) {
            const pos at = unflatten(d->out, d->nd, i);
            const int64_t oy = dot(d->ys + 2, at, d->nd);
            for (int64_t k = 0; k < j->taps; k++) {
                const pos kp = unflatten(d->kernel, d->nd, k);
                int64_t ox = 0;
                if (!seen(d, at, kp, &ox)) continue;
                const int64_t ow = dot(d->ws + 2, kp, d->nd);
                for (int64_t m = 0; m < j->og; m++) x[ox] += y[m * d->ys[1] + oy] * w[m * d->ws[0] + ow];
            }
        }
    }
}

static bool convolve(const wn__conv *d, const void *x, const void *w, const void *bias, const void *y, bool back) {
    operands j = {.d = d, .cg = d->in_channels / d->groups, .og = d->out_channels / d->groups, .positions = count(d->out, d->nd),
                  .taps = count(d->kernel, d->nd), .w = w, .bias = bias};
    j.x = (uint64_t *)(uintptr_t)x, j.y = (uint64_t *)(uintptr_t)y; /* one of both is only read */
    const int64_t units = d->batch * (back ? d->in_channels : d->out_channels);
    const int64_t work = j.positions * j.taps * ((back ? j.og : j.cg) + 1);
    return wn__parallel_fresh(units, 1 + 20000 / (work + 1), back ? backward : forward, &j);
}

bool wn__conv_forward_int(const wn__conv *d, const void *x, const void *w, const void *bias, void *y) { return convolve(d, x, w, bias, y, false); }
bool wn__conv_grad_input_int(const wn__conv *d, const void *dy, const void *w, void *dx) { return convolve(d, dx, w, NULL, dy, true); }
