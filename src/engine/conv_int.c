/* Convolutions of int64, wrapping: torch has them, programs hardly ever; so plain loops. */
#include "engine/contract_int.h"
#include "base/threads.h"

/* The convolution with three spatial dimensions, those it lacks of size 1. */
typedef struct job {
    int64_t cg, og; /* channels of a group: in, out */
    int64_t groups, in[3], out[3], kernel[3], stride[3], padding[3], dilation[3];
    int64_t xs[5], ws[5], ys[5];
    const uint64_t *w, *bias;
    uint64_t *x, *y;
} job;

static job widen(const wn__conv *d) {
    job j = {.cg = d->in_channels / d->groups, .og = d->out_channels / d->groups, .groups = d->groups};
    const int skip = 3 - d->nd;
    for (int i = 0; i < 2; i++) j.xs[i] = d->xs[i], j.ws[i] = d->ws[i], j.ys[i] = d->ys[i];
    for (int i = 0; i < 3; i++) {
        const int from = i - skip;
        const bool has = from >= 0;
        j.in[i] = has ? d->in[from] : 1;
        j.out[i] = has ? d->out[from] : 1;
        j.kernel[i] = has ? d->kernel[from] : 1;
        j.stride[i] = has ? d->stride[from] : 1;
        j.padding[i] = has ? d->padding[from] : 0;
        j.dilation[i] = has ? d->dilation[from] : 1;
        j.xs[2 + i] = has ? d->xs[2 + from] : 0;
        j.ws[2 + i] = has ? d->ws[2 + from] : 0;
        j.ys[2 + i] = has ? d->ys[2 + from] : 0;
    }
    return j;
}

/* For each (output position, tap) that sees an element: do it with the three offsets. */
#define EACH_TAP(doit)                                                                                                 \
    for (int64_t t = 0, taps = j->kernel[0] * j->kernel[1] * j->kernel[2]; t < taps; t++) {                            \
        const int64_t k[3] = {t / (j->kernel[1] * j->kernel[2]), t / j->kernel[2] % j->kernel[1], t % j->kernel[2]};   \
        int64_t at[3], tap = 0, seen = 0;                                                                              \
        bool inside = true;                                                                                            \
        for (int i = 0; i < 3; i++) {                                                                                  \
            at[i] = o[i] * j->stride[i] - j->padding[i] + k[i] * j->dilation[i];                                       \
            inside &= at[i] >= 0 && at[i] < j->in[i];                                                                  \
            seen += at[i] * j->xs[2 + i];                                                                              \
            tap += k[i] * j->ws[2 + i];                                                                                \
        }                                                                                                              \
        if (!inside) continue;                                                                                         \
        doit                                                                                                           \
    }
#define EACH_POSITION(doit)                                                                                            \
    for (int64_t p = 0, all = j->out[0] * j->out[1] * j->out[2]; p < all; p++) {                                       \
        const int64_t o[3] = {p / (j->out[1] * j->out[2]), p / j->out[2] % j->out[1], p % j->out[2]};                  \
        const int64_t place = o[0] * j->ys[2] + o[1] * j->ys[3] + o[2] * j->ys[4];                                     \
        doit                                                                                                           \
    }

/* Units: (image, output channel). */
static void forward(void *ctx, int64_t begin, int64_t end) {
    const job *j = ctx;
    for (int64_t u = begin; u < end; u++) {
        const int64_t channels = j->groups * j->og, b = u / channels, m = u % channels;
        const uint64_t *x = j->x + b * j->xs[0] + m / j->og * j->cg * j->xs[1], *w = j->w + m * j->ws[0];
        uint64_t *y = j->y + b * j->ys[0] + m * j->ys[1];
        EACH_POSITION({
            uint64_t sum = j->bias ? j->bias[m] : 0;
            EACH_TAP({
                for (int64_t c = 0; c < j->cg; c++) sum += x[c * j->xs[1] + seen] * w[c * j->ws[1] + tap];
            })
            y[place] = sum;
        })
    }
}

/* Units: (image, input channel); x is written. */
static void backward(void *ctx, int64_t begin, int64_t end) {
    const job *j = ctx;
    for (int64_t u = begin; u < end; u++) {
        const int64_t channels = j->groups * j->cg, b = u / channels, c = u % channels, first = c / j->cg * j->og;
        uint64_t *x = j->x + b * j->xs[0] + c * j->xs[1];
        const uint64_t *y = j->y + b * j->ys[0] + first * j->ys[1], *w = j->w + first * j->ws[0] + c % j->cg * j->ws[1];
        for (int64_t p = 0; p < j->in[0] * j->in[1] * j->in[2]; p++)
            x[p / (j->in[1] * j->in[2]) * j->xs[2] + p / j->in[2] % j->in[1] * j->xs[3] + p % j->in[2] * j->xs[4]] = 0;
        EACH_POSITION({
            EACH_TAP({
                for (int64_t m = 0; m < j->og; m++) x[seen] += y[m * j->ys[1] + place] * w[m * j->ws[0] + tap];
            })
        })
    }
}

static bool run(job *j, const wn__conv *d, bool back) {
    const int64_t units = d->batch * (back ? d->in_channels : d->out_channels), inner = back ? j->og : j->cg;
    const int64_t work = j->out[0] * j->out[1] * j->out[2] * j->kernel[0] * j->kernel[1] * j->kernel[2] * (inner + 1);
    return wn__parallel_fresh(units, 1 + 20000 / (work + 1), back ? backward : forward, j);
}

bool wn__conv_forward_int(const wn__conv *d, const void *x, const void *w, const void *bias, void *y) {
    job j = widen(d);
    j.x = (uint64_t *)(uintptr_t)x; /* only read */
    j.w = w, j.bias = bias, j.y = y;
    return run(&j, d, false);
}
bool wn__conv_grad_input_int(const wn__conv *d, const void *dy, const void *w, void *dx) {
    job j = widen(d);
    j.x = dx, j.w = w;
    j.y = (uint64_t *)(uintptr_t)dy; /* only read */
    return run(&j, d, true);
}
