/* Depthwise 3x3 convolution forward and, without stride, its gradient in the input. Planes are read in place, without a
 * padded copy (level/gemm_direct.h; at levels that have it). */
#include "base/alloc.h"
#include "engine/conv_plan.h"
#include "base/threads.h"
#include <stdatomic.h>
#include <string.h>

enum { MOST_OUT = 4, LEAST_COLUMNS = 8, MOST_WIDTH = 1 << 20 };

typedef struct conv_direct_job {
    const wn__conv_plan *p;
    const wn__conv_call *call;
    wn__direct d;
    bool transposed;
    _Atomic bool failed;
} conv_direct_job;

bool wn__conv_direct_suits(const void *form) {
    const wn__conv_form *f = form;
    const wn__conv_plan *p = &f->p;
    if (p->groups < 2 || p->cin != 1 || p->cout > MOST_OUT) return false;
    if (p->taps[0].n != 1 || p->in[0] != 1 || p->out[0] != 1) return false;
    for (int d = 1; d < 3; d++)
        if (p->taps[d].n != 3 || p->taps[d].move != 1 || p->step[d] != p->step[1] || p->taps[d].first > 0 || p->taps[d].first < -2) return false;
    if (p->step[1] > (wn__conv_transposed(f) ? 1 : 2) || p->out[2] < LEAST_COLUMNS || p->in[1] == 0 || p->in[2] == 0 || p->in[2] > MOST_WIDTH) return false;
    if (p->in_stride[4] != 1 || p->out_stride[4] != 1) return false;
    return !f->epilogue || p->out_stride[3] == p->out[2];
}

/* Units: (image, group). */
static void conv_direct_task(void *ctx, int64_t begin, int64_t end) {
    conv_direct_job *j = ctx;
    const wn__conv_plan *p = j->p;
    const wn__conv_call *call = j->call;
    const float *in = (const float *)(const void *)call->in, *w = (const float *)(const void *)call->w;
    float weights[9], *out = (float *)(void *)call->out;
    wn__direct d = j->d;
    float *zeros = wn__scratch_array(1, d.width, sizeof *zeros);
    if (!zeros) {
        atomic_store(&j->failed, true);
        return;
    }
    memset(zeros, 0, (size_t)d.width * sizeof *zeros);
    d.zeros = zeros;
    for (int64_t u = begin; u < end; u++) {
        const int64_t group = u % p->groups, image = u / p->groups;
        for (int64_t m = 0; m < p->cout; m++) {
            const int64_t channel = group * p->cout + m, from = group * call->wgroup + m * call->wm;
            float *to = out + image * p->out_stride[0] + channel * p->out_stride[1];
            for (int k = 0; k < 9; k++) weights[j->transposed ? 8 - k : k] = w[from + k / 3 * call->wk[1] + k % 3 * call->wk[2]];
            p->t->direct(&d, in + image * p->in_stride[0] + group * p->in_stride[1], weights, to, call->bias ? (float)wn__conv_bias(p, call, channel) : 0);
            if (call->e) call->e->run(call->e->ctx, to, image, channel, 0, p->out[1] * p->out[2]);
        }
    }
}

wn__ran wn__conv_direct(void *form, const void *call) {
    const wn__conv_form *f = form;
    const wn__conv_plan *p = &f->p;
    const bool transposed = wn__conv_transposed(f);
    conv_direct_job j = {.p = p, .call = call, .transposed = transposed};
    j.d = (wn__direct){.step = p->step[1], .rows = p->out[1], .cols = p->out[2], .height = p->in[1], .width = p->in[2], .row = p->in_stride[3],
                       .out_row = p->out_stride[3]};
    j.d.top = transposed ? 2 + p->taps[1].first : -p->taps[1].first;
    j.d.left = transposed ? 2 + p->taps[2].first : -p->taps[2].first;
    const double work = (double)(13 * (p->out[1] * p->out[2] + 1));
    return wn__ran_if(wn__parallel_fresh(p->images * p->groups, 1 + (int64_t)(200000 / work), conv_direct_task, &j) && !atomic_load(&j.failed));
}
