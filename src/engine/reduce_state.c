/* What becomes of runs: partial results, merging them, writing results. */
#include <math.h>
#include "base/half.h"
#include "engine/reduce_plan.h"

static double as_f64(const wn__rplan *p, const wn__rstate *s) { return p->elem == WN__E_F32 ? (double)s->v.f : s->v.d; }

/* Mean and squared deviations of a run, in two passes over the cache. Deviations are taken from the first element before
 * the mean is known: sums stay small, and equal elements give exactly their value and exactly 0. */
static void var_of_run(const wn__rplan *p, const void *x, int64_t n, wn__rstate *s) {
    double mean_t;
    wn__rstate part;
    p->k->run[WN__FOLD_SHIFTED][p->elem](x, n, x, &part.v);
    s->v.d = wn__elem_at(p->elem, x, 0) + as_f64(p, &part) / (double)n;
    wn__elem_put(p->elem, &mean_t, 0, s->v.d);
    p->k->run[WN__FOLD_SQUARES][p->elem](x, n, &mean_t, &part.v);
    s->w = as_f64(p, &part);
    s->n = n;
}

static void lse_of_run(const wn__rplan *p, const void *x, int64_t n, wn__rstate *s) {
    double shift_t;
    wn__rstate part;
    p->k->run[WN__FOLD_MAX][p->elem](x, n, NULL, &part.v);
    s->v.d = as_f64(p, &part);
    wn__elem_put(p->elem, &shift_t, 0, isinf(s->v.d) ? 0 : s->v.d);
    p->k->run[WN__FOLD_EXP][p->elem](x, n, &shift_t, &part.v);
    s->w = as_f64(p, &part);
}

void wn__rstate_of_run(const wn__rplan *p, const void *x, int64_t n, int64_t first, wn__rstate *s) {
    switch (p->shape) {
    case WN__RS_VAR: var_of_run(p, x, n, s); break;
    case WN__RS_LSE: lse_of_run(p, x, n, s); break;
    case WN__RS_ARG:
        p->k->run[p->fold][p->elem](x, n, NULL, &s->v);
        s->n = first + p->k->find[p->elem](x, n, &s->v);
        break;
    default: p->k->run[p->fold][p->elem](x, n, &p->param, &s->v); break;
    }
}

static void merge_var(wn__rstate *a, const wn__rstate *b) {
    double na = (double)a->n, nb = (double)b->n, n = na + nb, delta = b->v.d - a->v.d;
    a->v.d += delta * (nb / n);
    a->w += b->w + delta * delta * (na * nb / n);
    a->n += b->n;
}

static void merge_lse(wn__rstate *a, const wn__rstate *b) {
    double top = a->v.d > b->v.d || a->v.d != a->v.d ? a->v.d : b->v.d;
    double fa = a->v.d == top ? 1 : exp(a->v.d - top), fb = b->v.d == top ? 1 : exp(b->v.d - top);
    a->w = a->w * fa + b->w * fb;
    a->v.d = top;
}

/* b comes later in the sequence: it wins only when strictly better, or as the first NaN. */
static void merge_arg(const wn__rplan *p, wn__rstate *a, const wn__rstate *b) {
    bool better;
    if (wn__elem_float(p->elem)) {
        double va = as_f64(p, a), vb = as_f64(p, b);
        better = va == va && (vb != vb || (p->largest ? vb > va : vb < va));
    } else {
        better = p->largest ? b->v.i > a->v.i : b->v.i < a->v.i;
    }
    if (better) *a = *b;
}

/* One accumulator, as the level's merge does it; sums are the case that counts. */
static void merge_fold(const wn__rplan *p, wn__rstate *a, const wn__rstate *b) {
    if (p->fold != WN__FOLD_SUM) p->k->merge[p->fold][p->elem](&a->v, &b->v, 1);
    else if (p->elem == WN__E_F32) a->v.f += b->v.f;
    else if (p->elem == WN__E_F64) a->v.d += b->v.d;
    else a->v.i += b->v.i;
}

void wn__rstate_merge(const wn__rplan *p, wn__rstate *a, const wn__rstate *b) {
    switch (p->shape) {
    case WN__RS_VAR: merge_var(a, b); break;
    case WN__RS_LSE: merge_lse(a, b); break;
    case WN__RS_ARG: merge_arg(p, a, b); break;
    default: merge_fold(p, a, b); break;
    }
}

void wn__rcounter_push(const wn__rplan *p, wn__rcounter *c, wn__rstate *s) {
    int i = 0;
    for (; c->runs >> i & 1; i++) {
        wn__rstate_merge(p, &c->slot[i], s);
        s = &c->slot[i];
    }
    c->slot[i] = *s;
    c->runs++;
}

bool wn__rcounter_end(const wn__rplan *p, wn__rcounter *c, wn__rstate *s) {
    int at = -1;
    for (int i = 0; c->runs >> i; i++) {
        if (!(c->runs >> i & 1)) continue;
        if (at >= 0) wn__rstate_merge(p, &c->slot[i], &c->slot[at]);
        at = i;
    }
    if (at < 0) return false;
    *s = c->slot[at];
    return true;
}

static void put_f64(wn_dtype d, void *y, double v) {
    if (d == WN_F32) {
        float f = (float)v;
        memcpy(y, &f, sizeof f);
    } else {
        wn_val val = wn_val_of_float(v);
        wn__store_val(d, y, val);
    }
}

/* The value of the result in double, for kinds that are more than their accumulator. */
static double finished(const wn__rplan *p, const wn__reduction *r, const wn__rstate *s, int64_t count) {
    double n = (double)count, d;
    switch (r->kind) {
    case WN__R_MEAN: return count ? as_f64(p, s) / n : (double)NAN;
    case WN__R_VAR:
    case WN__R_STD:
        d = n - r->p > 0 ? n - r->p : 0;
        d = count ? s->w / d : (double)NAN;
        return r->kind == WN__R_STD ? sqrt(d) : d;
    case WN__R_LSE: return count ? s->v.d + log(s->w) : -(double)INFINITY;
    case WN__R_NORM:
        if (!count) return 0;
        if (p->fold == WN__FOLD_NONZERO) return (double)s->v.i;
        d = as_f64(p, s);
        return p->fold == WN__FOLD_SQUARES ? sqrt(d) : p->fold == WN__FOLD_POW ? pow(d, 1 / r->p) : d;
    default: /* a float over nothing: the neutral element */
        if (count) return as_f64(p, s);
        return r->kind == WN__R_PROD ? 1 : r->kind == WN__R_MIN ? (double)INFINITY : r->kind == WN__R_MAX ? -(double)INFINITY : 0;
    }
}

static void put_i64(wn_dtype d, void *y, int64_t v) {
    if (d == WN_I64) memcpy(y, &v, sizeof v);
    else wn__store_val(d, y, wn_val_of_int(v));
}

void wn__rstate_put(wn__rplan *p, const wn__reduction *r, int64_t o, const wn__rstate *s, int64_t count, int64_t at) {
    char *y = r->out ? (char *)r->out + o * (int64_t)wn__dtype_size((int)r->out_dtype) : NULL;
    if (r->count) r->count[o] = count;
    bool integer = !wn__elem_float(p->elem);
    switch (r->kind) {
    case WN__R_ARGMIN:
    case WN__R_ARGMAX:
        if (!count) {
            atomic_store_explicit(&p->empty, true, memory_order_relaxed);
            return;
        }
        ((int64_t *)r->also)[o] = at;
        if (y && integer) put_i64(r->out_dtype, y, s->v.i);
        else if (y) put_f64(r->out_dtype, y, as_f64(p, s));
        return;
    case WN__R_ANY: put_i64(r->out_dtype, y, count && s->v.i > 0); return;
    case WN__R_ALL: put_i64(r->out_dtype, y, !count || s->v.i == count); return;
    case WN__R_NONZERO: put_i64(r->out_dtype, y, count ? s->v.i : 0); return;
    case WN__R_COUNT: put_i64(r->out_dtype, y, count); return;
    case WN__R_VAR:
    case WN__R_STD:
        if (r->also)
            put_f64(r->also_dtype, (char *)r->also + o * (int64_t)wn__dtype_size((int)r->also_dtype), count ? s->v.d : (double)NAN);
        break;
    case WN__R_MIN:
    case WN__R_MAX:
        if (integer && !count) {
            atomic_store_explicit(&p->empty, true, memory_order_relaxed);
            return;
        }
        break;
    default: break;
    }
    if (!y) return;
    if (integer && r->kind != WN__R_NORM) put_i64(r->out_dtype, y, count ? s->v.i : r->kind == WN__R_PROD);
    else put_f64(r->out_dtype, y, finished(p, r, s, count));
}

/* Means that need no conversion. A count up to 2^24 is a float; a quotient of floats by way of double is the same. */
static bool means_in_place(const wn__rplan *p, const wn__reduction *r, int64_t o, int64_t step, int64_t w, const void *acc, int64_t count) {
    if (step != 1 || !wn__elem_is(r->out_dtype, p->elem)) return false;
    if (p->elem == WN__E_F32 && count <= 1 << 24) {
        const float *x = acc, n = (float)count;
        float *y = (float *)r->out + o;
        for (int64_t i = 0; i < w; i++) y[i] = x[i] / n;
        return true;
    }
    if (p->elem != WN__E_F64) return false;
    const double *x = acc, n = (double)count;
    double *y = (double *)r->out + o;
    for (int64_t i = 0; i < w; i++) y[i] = x[i] / n;
    return true;
}

/* any and all as bytes: one of each count of nonzeros. */
static void truths_put(const wn__reduction *r, int64_t o, int64_t step, int64_t w, const int64_t *nonzeros, int64_t count) {
    uint8_t *y = (uint8_t *)r->out + o;
    const int64_t least = r->kind == WN__R_ALL ? count : 1;
    if (step == 1 && count <= INT32_MAX) /* comparisons of 64 bits are long where vectors have none */
        for (int64_t i = 0; i < w; i++) y[i] = (int32_t)nonzeros[i] >= (int32_t)least;
    else if (step == 1)
        for (int64_t i = 0; i < w; i++) y[i] = nonzeros[i] >= least;
    else
        for (int64_t i = 0; i < w; i++) y[i * step] = nonzeros[i] >= least;
}

void wn__rstates_put(wn__rplan *p, const wn__reduction *r, int64_t o, int64_t step, int64_t w, const void *acc, int64_t count) {
    enum { SOME = 128 }; /* divided, or a root of which is taken, at a time */
    const size_t bytes = wn__rplan_acc(p);
    bool as_is = r->kind == WN__R_SUM || r->kind == WN__R_PROD || r->kind == WN__R_MIN || r->kind == WN__R_MAX || r->kind == WN__R_NANSUM ||
                 r->kind == WN__R_NONZERO;
    if (as_is && count && !r->count) { /* the accumulators are the results: convert them all at once */
        wn__elem from = wn__elem_float(p->elem) && r->kind != WN__R_NONZERO ? p->elem : WN__E_I64;
        p->k->store(from, r->out_dtype, acc, w, (char *)r->out + o * (int64_t)wn__dtype_size((int)r->out_dtype), step);
        return;
    }
    if ((r->kind == WN__R_ANY || r->kind == WN__R_ALL) && wn__dtype_size((int)r->out_dtype) == 1 && count && !r->count) {
        truths_put(r, o, step, w, acc, count);
        return;
    }
    const bool mean = r->kind == WN__R_MEAN, norm = r->kind == WN__R_NORM && p->fold != WN__FOLD_NONZERO && p->fold != WN__FOLD_POW;
    if ((mean || norm) && count && !r->count) {
        if (mean && means_in_place(p, r, o, step, w, acc, count)) return;
        const int64_t size = (int64_t)wn__dtype_size((int)r->out_dtype);
        for (int64_t i = 0; i < w; i += SOME) {
            double v[SOME];
            const int64_t n = w - i < SOME ? w - i : SOME;
            if (p->elem == WN__E_F32)
                for (int64_t k = 0; k < n; k++) v[k] = (double)((const float *)acc)[i + k];
            else
                for (int64_t k = 0; k < n; k++) v[k] = ((const double *)acc)[i + k];
            if (mean)
                for (int64_t k = 0; k < n; k++) v[k] /= (double)count;
            else if (p->fold == WN__FOLD_SQUARES)
                for (int64_t k = 0; k < n; k++) v[k] = sqrt(v[k]);
            p->k->store(WN__E_F64, r->out_dtype, v, n, (char *)r->out + (o + i * step) * size, step);
        }
        return;
    }
    for (int64_t i = 0; i < w; i++, o += step) {
        wn__rstate s = {.n = 0};
        if (count) memcpy(&s.v, (const char *)acc + (size_t)i * bytes, bytes);
        wn__rstate_put(p, r, o, &s, count, s.n);
    }
}
