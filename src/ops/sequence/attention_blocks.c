/* Operands of attention and products of their blocks. */
#include "ops/sequence/attention_blocks.h"
#include <string.h>
#include "engine/contraction.h"

/* Where batch b of something with these leading strides begins. */
static int64_t offset_of(const wn__attention *j, const int64_t *strides, int64_t b) {
    int64_t at = 0;
    for (int d = j->lead - 1; d >= 0; d--) {
        at += b % j->shape[d] * strides[d];
        b /= j->shape[d];
    }
    return at;
}
const char *wn__side_rows(const wn__attention *j, const wn__side *s, int64_t b, int64_t row) {
    return s->p + (offset_of(j, s->t->strides, b) + row * s->row) * j->in_size;
}

static int64_t whole(int64_t n) { return (n + WN__ATTENTION_ROOM - 1) / WN__ATTENTION_ROOM * WN__ATTENTION_ROOM; }
int64_t wn__score_line(int64_t keys) { return whole(keys) + 16; } /* not a power of two */
int64_t wn__packed_size(const wn__attention *j, int64_t n, int64_t width) {
    return (wn__panels(n, j->t->nr) * j->t->nr * wn__steps(j, width) + 16) * j->size;
}

wn__rows wn__rows_near(const wn__attention *j, const wn__side *s, int64_t b, int64_t row, int64_t n, int64_t width, char *to) {
    const char *p = wn__side_rows(j, s, b, row);
    const int64_t ld = wn__steps(j, width) * j->t->depth;
    if (s->whole && (s->row == width || s->row * j->in_size % 1024)) return (wn__rows){p, s->row};
    for (int64_t i = 0; i < n; i++) {
        memcpy(to + i * ld * j->in_size, p + i * s->row * j->in_size, (size_t)(width * j->in_size));
        if (ld > width) memset(to + (i * ld + width) * j->in_size, 0, (size_t)j->in_size); /* half a pair */
    }
    return (wn__rows){to, ld};
}

void wn__pack_rows(const wn__attention *j, wn__rows r, int64_t n, int64_t width, char *to) {
    enum { STEP = 256 };
    const wn__gemm_type *t = j->t;
    int64_t outer[WN__GEMM_MAX_NR], inner[STEP];
    width = wn__steps(j, width) * t->depth;
    for (int64_t i = 0; i < STEP; i++) inner[i] = i;
    for (int64_t at = 0; at < n; at += t->nr) {
        const int64_t w = wn__least(t->nr, n - at), total = width / t->depth * t->nr;
        for (int64_t i = at + 2 * t->nr; i < wn__least(n, at + 3 * t->nr); i++) /* the panel after the next is on its way */
            for (int64_t k = 0; k < width * j->in_size; k += 64) __builtin_prefetch(r.p + i * r.ld * j->in_size + k);
        for (int64_t i = 0; i < w; i++) outer[i] = (at + i) * r.ld;
        for (int64_t k = 0; k < width; k += STEP)
            t->pack(to + k / t->depth * t->nr * j->size, t->nr, (int)w, wn__least(STEP, width - k), r.p + k * j->in_size, j->in, outer, inner);
        to += total * j->size;
    }
}

wn__rows wn__rows_down(const wn__attention *j, wn__rows r, int64_t n, int64_t width, char *to) {
    enum { STEP = 256 };
    const wn__gemm_type *t = j->t;
    if (t->depth == 1) return r;
    int64_t outer[WN__GEMM_MAX_NR], inner[STEP];
    const wn__rows packed = {to, wn__steps(j, n) * t->nr};
    for (int64_t q = 0; q < width; q += t->nr, to += packed.ld * j->size) {
        const int64_t w = wn__least(t->nr, width - q);
        for (int64_t i = 0; i < w; i++) outer[i] = q + i;
        for (int64_t k = 0; k < n; k += STEP) {
            for (int64_t i = 0; i < wn__least(STEP, n - k); i++) inner[i] = (k + i) * r.ld;
            t->pack(to + k / 2 * t->nr * j->size, t->nr, (int)w, wn__least(STEP, n - k), r.p, j->in, outer, inner);
        }
    }
    return packed;
}

void wn__times_packed(const wn__attention *j, wn__rows a, int64_t n, int64_t cols, int64_t width, const char *packed, char *s, int64_t ld) {
    const wn__gemm_type *t = j->t;
    const int64_t k = wn__steps(j, width);
    t->place(n, wn__panels(cols, t->nr) * t->nr, k, a.p, a.ld / t->depth, 1, packed, t->nr, k * t->nr, s, ld, 1, 0);
}

void wn__add_product(const wn__attention *j, int64_t m, int64_t n, int64_t k, const char *a, int64_t am, int64_t ak, wn__rows b, char *c, int64_t ldc, double beta) {
    const wn__gemm_type *t = j->t;
    const bool lies = t->depth == 1; /* as a matrix */
    t->place(m, n, wn__steps(j, k), a, am, ak, b.p, lies ? b.ld : t->nr, lies ? t->nr : b.ld, c, ldc, 1, beta);
}

bool wn__few_product(const wn__attention *j, int64_t m, int64_t n, int64_t k, const char *a, int64_t am, const char *b, int64_t bk, int64_t bn, char *c, int64_t cm,
                     double alpha, double beta) {
    const wn__contraction x = {.dtype = j->dtype, .out_dtype = j->dtype, .a = a, .b = b, .c = c, .nm = 1, .nn = 1, .nk = 1, .m = {{m, am, 0, cm}}, .n = {{n, 0, bn, 1}},
                               .k = {{k, 1, bk, 0}}, .alpha = alpha, .beta = beta};
    return wn__contract(&x);
}

const char *wn__mask_at(const wn__attention *j, int64_t b, int64_t q, int64_t k) {
    return j->mp + (offset_of(j, j->mstride, b) + q * j->mstride[j->lead] + k * j->mstride[j->lead + 1]) * (j->bool_mask ? 1 : j->size);
}
void wn__restrict_scores(const wn__attention *j, int64_t b, int64_t q0, int64_t nq, int64_t k0, int64_t nk, bool all, char *s, int64_t ld) {
    const bool positive = j->scale > 0; /* else -inf would not stay what it is when soften and back scale */
    if (!positive)
        for (int64_t i = 0; i < nq; i++) j->k->times(nk, s + i * ld * j->size, j->scale * j->k->unit);
    if (j->mask && !all) {
        const int64_t rs = j->mstride[j->lead], cs = j->mstride[j->lead + 1];
        const char *mask = wn__mask_at(j, b, q0, k0);
        if (j->bool_mask) j->k->mask(nq, nk, s, ld, (const uint8_t *)mask, rs, cs);
        else j->k->bias(nq, nk, s, ld, positive ? j->scale * j->k->unit : 1, mask, rs, cs);
    }
    if (j->causal && k0 + nk > q0 + 1) j->k->causal(nq, nk, s, ld, q0 - k0);
}
