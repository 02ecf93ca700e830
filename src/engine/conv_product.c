/* Convolution forward and its gradient in the input as one matrix product, for deep 1x1 kernels: weights times the
 * image in place. Each image is a product of its own if its positions fill vectors; smaller images are joined. */
#include "engine/conv_plan.h"

enum {
    LEAST_ROWS = 32,   /* output channels for which packing the image pays */
    LEAST_DEPTH = 128, /* shorter sums are bound by writing the result, for which conv_rows.c is better */
    APART = 128        /* positions from which an image is a product of its own */
};

bool wn__conv_product_suits(const void *form) {
    const wn__conv_plan *p = &((const wn__conv_form *)form)->p;
    if (p->ntaps != 1 || p->cout < LEAST_ROWS || p->cin < LEAST_DEPTH || p->images * p->out[0] * p->out[1] * p->out[2] == 0) return false;
    for (int d = 0; d < 3; d++)
        if (p->step[d] != 1 || p->taps[d].first < 0 || p->taps[d].first + p->out[d] > p->in[d]) return false;
    return true;
}

typedef struct conv_product_job {
    const wn__conv_plan *p;
    const wn__conv_call *call;
    int64_t positions; /* of an image */
    bool apart;        /* every image is a product of its own */
} conv_product_job;

/* The product's epilogue. Columns are the positions of all images, or of one. */
static void finish(void *ctx, void *acc, int64_t batch, int64_t row, int64_t at, int64_t n) {
    const conv_product_job *j = ctx;
    const int64_t group = j->apart ? batch / j->p->images : batch;
    if (j->apart) at += batch % j->p->images * j->positions;
    const int64_t channel = group * j->p->cout + row;
    if (j->call->bias) j->p->t->add(acc, j->call->bias + channel * (int64_t)wn_dtype_size(j->p->dtype), j->p->dtype, n, 0);
    while (j->call->e && n > 0) {
        const int64_t position = at % j->positions, left = j->positions - position, m = left < n ? left : n;
        j->call->e->run(j->call->e->ctx, acc, at / j->positions, channel, position, m);
        acc = (char *)acc + m * (int64_t)j->p->t->size;
        at += m, n -= m;
    }
}

wn__ran wn__conv_product(void *form, const void *on) {
    const wn__conv_plan *p = &((const wn__conv_form *)form)->p;
    const wn__conv_call *call = on;
    conv_product_job j = {.p = p, .call = call, .positions = p->out[0] * p->out[1] * p->out[2]};
    const wn__epilogue e = {.run = finish, .ctx = &j};
    j.apart = j.positions >= APART;
    const int64_t isize = (int64_t)wn_dtype_size(p->dtype);
    wn__contraction c = {.dtype = p->dtype, .out_dtype = p->dtype, .c = call->out, .nbatch = 1, .nm = 1, .nk = 1, .alpha = 1};
    if (call->bias || call->e) c.epilogue = &e;
    c.batch[0] = (wn__axis){p->groups, call->wgroup, p->cin * p->in_stride[1], p->cout * p->out_stride[1]};
    c.m[0] = (wn__axis){p->cout, call->wm, 0, p->out_stride[1]};
    const wn__axis images = {p->images, 0, p->in_stride[0], p->out_stride[0]};
    if (j.apart) c.batch[c.nbatch++] = images;
    else c.n[c.nn++] = images;
    c.k[0] = (wn__axis){p->cin, call->wc, p->in_stride[1], 0};
    const char *in = call->in, *w = call->w;
    for (int d = 0; d < 3; d++) {
        in += p->taps[d].first * p->in_stride[2 + d] * isize;
        w += p->taps[d].kernel0 * call->wk[d] * isize;
        c.n[c.nn++] = (wn__axis){p->out[d], 0, p->in_stride[2 + d], p->out_stride[2 + d]};
    }
    c.a = w, c.b = in;
    return wn__ran_if(wn__contract(&c));
}
