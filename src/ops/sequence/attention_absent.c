/* Attention over rows that are not finite and may not be there (attention_absent.h). */
#include "ops/sequence/attention_absent.h"
#include <math.h>
#include <string.h>
#include "base/half.h"

/* ------------------------------------------------------------------ numbers of any type */

static double get(wn_dtype dtype, const char *p, int64_t i) {
    if (dtype == WN_F64) return ((const double *)(const void *)p)[i];
    return dtype == WN_F32 ? ((const float *)(const void *)p)[i] : wn__bf16_to_f32(((const uint16_t *)(const void *)p)[i]);
}
static void put(wn_dtype dtype, char *p, int64_t i, double x) {
    if (dtype == WN_F64) ((double *)(void *)p)[i] = x;
    else if (dtype == WN_F32) ((float *)(void *)p)[i] = (float)x;
    else ((uint16_t *)(void *)p)[i] = wn__f32_to_bf16((float)x);
}

/* Where the number of a pair is: element *i of the line that is returned. */
static char *place(const wn__corner *c, const wn__numbers *of, int64_t q, int64_t k, int64_t *i) {
    *i = of->kind == WN__ZIPPED ? 2 * k + q % 2 : k;
    return of->p + (of->kind == WN__ZIPPED ? q / 2 : q) * of->ld * c->j->size;
}
static wn_dtype dtype_of(const wn__corner *c, const wn__numbers *of) { return of->kind == WN__WIDE ? c->j->dtype : WN_BF16; }

/* ------------------------------------------------------------------ pairs */

wn__corner wn__corner_of(const wn__attention *j, int64_t b, int64_t q0, int64_t nq, int64_t k0, int64_t nk) {
    return (wn__corner){j, q0, nq, k0, nk, j->mask ? wn__mask_at(j, b, q0, k0) : NULL};
}

/* Does the pair of these two (of the corner's) count? */
static bool counts(const wn__corner *c, int64_t q, int64_t k) {
    const wn__attention *j = c->j;
    if (j->causal && c->k0 + k > c->q0 + q) return false;
    if (!c->mask) return true;
    const int64_t at = q * j->mstride[j->lead] + k * j->mstride[j->lead + 1];
    return j->bool_mask ? c->mask[at] != 0 : get(j->dtype, c->mask, at) != -INFINITY;
}

void wn__set_absent(const wn__corner *c, wn__numbers of, float x) {
    const wn_dtype dtype = dtype_of(c, &of);
    for (int64_t q = 0; q < c->nq; q++)
        for (int64_t k = 0; k < c->nk; k++) {
            int64_t i;
            char *p = place(c, &of, q, k, &i);
            if (!counts(c, q, k)) put(dtype, p, i, x);
        }
}

/* ------------------------------------------------------------------ rows */

wn__rows wn__clean_rows(const wn__attention *j, wn__rows r, int64_t n, int64_t width, char *to, wn__unclean *found) {
    const int64_t ld = wn__steps(j, width) * j->t->depth;
    found->n = 0;
    for (int64_t i = 0; i < n; i++) {
        const char *row = r.p + i * r.ld * j->in_size;
        bool finite = true;
        for (int64_t e = 0; e < width; e++) finite &= isfinite(get(j->in, row, e)) != 0;
        if (!finite) found->row[found->n++] = i;
    }
    if (!found->n) return r;
    memset(to, 0, (size_t)(n * ld * j->in_size));
    for (int64_t i = 0; i < n; i++) {
        const char *row = r.p + i * r.ld * j->in_size;
        for (int64_t e = 0; e < width; e++)
            if (isfinite(get(j->in, row, e))) memcpy(to + (i * ld + e) * j->in_size, row + e * j->in_size, (size_t)j->in_size);
    }
    return (wn__rows){to, ld};
}

/* to += by * what is not finite in a row. */
static void add_row(const wn__attention *j, double by, const char *row, int64_t width, char *to) {
    for (int64_t e = 0; e < width; e++) {
        const double x = get(j->in, row, e);
        if (!isfinite(x)) put(j->dtype, to, e, get(j->dtype, to, e) + by * x);
    }
}
static double number(const wn__corner *c, const wn__numbers *of, int64_t q, int64_t k) {
    int64_t i;
    const char *p = place(c, of, q, k, &i);
    return get(dtype_of(c, of), p, i);
}

void wn__add_keys(const wn__corner *c, const wn__unclean *found, wn__numbers of, wn__rows r, int64_t width, char *to) {
    const wn__attention *j = c->j;
    for (int64_t n = 0; n < found->n && found->row[n] < c->nk; n++)
        for (int64_t k = found->row[n], q = 0; q < c->nq; q++)
            if (counts(c, q, k)) add_row(j, number(c, &of, q, k), r.p + k * r.ld * j->in_size, width, to + q * width * j->size);
}
void wn__add_queries(const wn__corner *c, const wn__unclean *found, wn__numbers of, wn__rows r, int64_t width, char *to) {
    const wn__attention *j = c->j;
    for (int64_t n = 0; n < found->n; n++)
        for (int64_t q = found->row[n], k = 0; k < c->nk; k++)
            if (counts(c, q, k)) add_row(j, number(c, &of, q, k), r.p + q * r.ld * j->in_size, width, to + k * width * j->size);
}
