/* The gradient of a convolution in its input, by remainders of dx's coordinates modulo the stride. Each is a
 * correlation of dy with the taps that reach it, for which a kernel is chosen in the table of correlations. */
#include "base/alloc.h"
#include "engine/conv_plan.h"
#include <string.h>

static int64_t mod(int64_t a, int64_t b) { return (a % b + b) % b; }

/* Input coordinates with remainder r see the taps k with k * dilation = r + padding (modulo the stride): every (stride
 * / gcd)-th one. Through tap k, coordinate r + stride * q sees dy at q + (r + padding - k * dilation) / stride. */
static wn__taps taps_of_remainder(int64_t r, int64_t kernel, int64_t stride, int64_t padding, int64_t dilation) {
    wn__taps t = {0, 0, 0, 0, 1};
    int64_t k = 0;
    while (k < kernel && k < stride && mod(r + padding - k * dilation, stride)) k++;
    if (k == kernel || mod(r + padding - k * dilation, stride)) return t;
    t.kernel0 = k;
    t.kernel_step = stride / wn__conv_gcd(stride, dilation);
    t.n = (kernel - 1 - k) / t.kernel_step + 1;
    t.first = (r + padding - k * dilation) / stride;
    t.move = -t.kernel_step * dilation / stride;
    return t;
}

/* Makes the correlation for coordinates with the remainders r. whole: the whole gradient's form, seen from dy. */
static void part_of(const wn__conv_form *whole, const int64_t *r, const wn__conv_call *call, wn__conv_form *f, wn__conv_call *c) {
    const wn__conv_plan *from = &whole->p;
    wn__conv_plan *p = &f->p;
    *f = *whole;
    *c = *call;
    for (int i = 0; i < 3; i++) {
        p->out[i] = from->out[i] > r[i] ? (from->out[i] - r[i] + from->step[i] - 1) / from->step[i] : 0;
        p->out_stride[2 + i] = from->out_stride[2 + i] * from->step[i];
        c->out += r[i] * from->out_stride[2 + i] * (int64_t)wn_dtype_size(p->dtype);
        p->step[i] = 1;
        p->taps[i] = taps_of_remainder(r[i], from->taps[i].n, from->step[i], -from->taps[i].first, from->taps[i].move);
    }
    p->ntaps = p->taps[0].n * p->taps[1].n * p->taps[2].n;
    if (p->ntaps > 0) return;
    p->cin = 0, p->ntaps = 1; /* no tap reaches them: zeros */
    for (int i = 0; i < 3; i++) p->taps[i] = (wn__taps){1, 0, 1, 0, 1};
}

static bool correlate(const wn__conv_form *whole, const int64_t *r, const wn__conv_call *call) {
    wn__conv_form f;
    wn__conv_call c;
    part_of(whole, r, call, &f, &c);
    return wn__kernel_walk(&wn__conv_part_kernels, f.p.dtype, &f, &c);
}

enum { EVEN_BYTES = 8 << 20 }; /* the buffer should stay in the caches */

/* Even and odd columns, with r[2] = 0: the even ones wait in a buffer, to be stored with the odd ones in whole rows. */
static bool correlate_zipped(const wn__conv_form *whole, const int64_t *r, const wn__conv_call *call) {
    wn__conv_form f;
    wn__conv_call c;
    part_of(whole, r, call, &f, &c);
    const wn__conv_plan *p = &f.p;
    const int64_t plane = p->out[0] * p->out[1] * p->out[2], channels = p->groups * p->cout, compact[5] = {channels * plane, plane, p->out[1] * p->out[2], p->out[2], 1};
    char *even = wn__scratch(3, (size_t)(p->images * channels * plane * (int64_t)p->t->size + 64)); /* no epilogue here: slot 3 is free */
    if (!even) return false;
    memcpy(f.p.out_stride, compact, sizeof compact);
    c.out = even;
    if (!wn__kernel_walk(&wn__conv_part_kernels, p->dtype, &f, &c)) return false;
    const int64_t odd[3] = {r[0], r[1], 1};
    part_of(whole, odd, call, &f, &c);
    c.even = even, c.evens = compact[3];
    return wn__conv_along_rows(&f, &c) == WN__RAN; /* the only row that can store both */
}

wn__ran wn__conv_remainders(void *form, const void *call) {
    const wn__conv_form *f = form;
    const wn__conv_plan *p = &f->p;
    const double bytes = (double)p->images * (double)(p->groups * p->cout) * (double)p->out[0] * (double)p->out[1] * (double)p->out[2] * (double)p->t->size;
    const bool zipped = p->step[2] == 2 && p->out[2] > 1 && p->out_stride[4] == 1 && p->dtype == p->t->dtype &&
                        bytes < 2.0 * (double)p->step[0] * (double)p->step[1] * EVEN_BYTES;
    int64_t r[3];
    for (r[0] = 0; r[0] < p->step[0] && r[0] < p->out[0]; r[0]++)
        for (r[1] = 0; r[1] < p->step[1] && r[1] < p->out[1]; r[1]++)
            for (r[2] = 0; r[2] < p->step[2] && r[2] < p->out[2]; r[2] += zipped ? 2 : 1)
                if (!(zipped ? correlate_zipped : correlate)(f, r, call)) return WN__NO_MEMORY;
    return WN__RAN;
}
