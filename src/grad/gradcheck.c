/* Checks gradients by central differences. The gradient of <u, f(x)>, with random cotangents u, is compared element by
 * element with two evaluations of f. The second order is the same check of the function (x, u) -> gradient. */
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "grad/tape.h"

/* A function of several tensors with several results; results that are NULL are ignored. */
typedef struct subject {
    wn_list (*fn)(const struct subject *s, wn_list in);
    wn_fn user;
    void *ctx;
    int nx; /* second order: the first nx inputs are x, the others cotangents */
    const char *what;
} subject;

static uint64_t mix(uint64_t z) { /* splitmix64 */
    z += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}
/* Weight i of result k: of either sign, and never small. */
static double weight(int64_t k, int64_t i) {
    uint64_t r = mix((uint64_t)k * 1000003u + (uint64_t)i);
    double x = 0.5 + (double)(r >> 11) * 0x1p-53;
    return r & 1 ? x : -x;
}

static int64_t offset_of(const wn_tensor *t, int64_t i) {
    int64_t at = 0;
    for (int d = t->ndim - 1; d >= 0; d--) {
        at += i % t->shape[d] * t->strides[d];
        i /= t->shape[d];
    }
    return at;
}

static wn_status fail_if_bad(wn_list l, const char *what) {
    for (int64_t i = 0; i < l.n; i++)
        if (l.v[i] && !wn_ok(l.v[i])) return wn_error() ? wn_error() : wn__fail(WN_E_RUNTIME, "gradcheck", "%s is a bad tensor", what);
    return wn_error();
}

/* <weights, f(in)> over the floating results. */
static wn_status evaluate(const subject *s, wn_list in, double *sum) {
    WN_SCOPE(scope);
    wn_list y = s->fn(s, in);
    wn_status st = fail_if_bad(y, s->what);
    *sum = 0;
    for (int64_t k = 0; k < y.n && !st; k++) {
        wn_tensor *t = y.v[k];
        if (!t || !wn__is_float(t->dtype)) continue;
        const char *p = wn__ptr(t);
        if (!p && t->numel) return wn_error() ? wn_error() : wn__fail_memory("gradcheck");
        for (int64_t i = 0; i < t->numel; i++)
            *sum += weight(k, i) * wn__load_f64((wn_dtype)t->dtype, p + offset_of(t, i) * (int64_t)wn__dtype_size(t->dtype));
    }
    return st;
}

static wn_tensor *cotangent(const wn_tensor *y, int64_t k) {
    wn_tensor *u = wn_empty(wn_shape(y), .dtype = (wn_dtype)y->dtype);
    if (!wn_ok(u)) return u;
    char *p = wn__ptr(u);
    for (int64_t i = 0; i < u->numel; i++)
        wn__store_val((wn_dtype)u->dtype, p + (size_t)i * wn__dtype_size(u->dtype), wn_val_of_float(weight(k, i)));
    return u;
}

/* Autograd's gradients, one for each input; NULL: zero. Borrowed from the current scope. */
static wn_status analytic(const subject *s, wn_list in, wn_tensor **grads) {
    wn_list y = s->fn(s, in);
    wn_status st = fail_if_bad(y, s->what);
    wn_tensor **outs = wn__new(wn_tensor *, (size_t)(2 * y.n + 1)), **us = outs ? outs + y.n : NULL;
    if (!outs) return wn__fail_memory("gradcheck");
    int64_t n = 0;
    for (int64_t k = 0; k < y.n && !st; k++) {
        if (!y.v[k] || !wn__is_float(y.v[k]->dtype) || !wn_needs_grad(y.v[k])) continue;
        outs[n] = y.v[k];
        us[n++] = cotangent(y.v[k], k);
    }
    if (!st && n) {
        wn_list g = wn_grad((wn_list){.n = n, .v = outs}, in, .gradients = {.n = n, .v = us}, .allow_unused = true);
        if (g.n != in.n) st = wn_error() ? wn_error() : wn__fail(WN_E_RUNTIME, "gradcheck", "there is no gradient");
        for (int64_t i = 0; i < in.n && !st; i++) grads[i] = g.v[i];
    }
    wn__free(outs);
    return st;
}

static wn_status compare(const subject *s, wn_list in, double eps, double atol, double rtol) {
    WN_SCOPE(scope);
    wn_tensor **grads = wn__new(wn_tensor *, (size_t)in.n);
    if (!grads) return wn__fail_memory("gradcheck");
    wn_status st = analytic(s, in, grads);
    if (!s->nx) wn_set_grad_enabled(false); /* until the scope ends */
    for (int64_t k = 0; k < in.n && !st; k++) {
        wn_tensor *x = in.v[k];
        wn_tensor *g = grads[k] ? wn_contiguous(grads[k]) : NULL;
        if (g && (!wn_ok(g) || !wn__same_shape(g, x) || g->dtype != x->dtype)) {
            st = wn__fail(WN_E_RUNTIME, "gradcheck", "the gradient of input %lld, %s, is %s", (long long)k, wn__desc(x), wn__desc(g));
            break;
        }
        char *p = wn__ptr(x);
        for (int64_t i = 0; i < x->numel && !st; i++) {
            double *at = (double *)(void *)(p + offset_of(x, i) * 8), old = *at, up = 0, down = 0;
            double have = g ? ((const double *)(const void *)wn__ptr(g))[i] : 0;
            *at = old + eps;
            double high = *at;
            st = evaluate(s, in, &up);
            *at = old - eps;
            double low = *at;
            if (!st) st = evaluate(s, in, &down);
            *at = old;
            double numeric = (up - down) / (high - low);
            if (!st && !(fabs(numeric - have) <= atol + rtol * fabs(numeric)))
                st = wn__fail(WN_E_RUNTIME, "gradcheck", "%s: input %lld (%s), element %lld: numerically %.12g, analytically %.12g", s->what,
                              (long long)k, wn__desc(x), (long long)i, numeric, have);
        }
    }
    wn__free(grads);
    return st;
}

static wn_list first_order(const subject *s, wn_list in) {
    wn_list none = WN_NO_LIST;
    wn_tensor *y = s->user(s->ctx, in);
    wn_tensor **v = wn__lend_array(wn__self(), 1);
    if (!y) y = wn__bad(WN_E_RUNTIME, "gradcheck", "the function returned NULL");
    if (!v) {
        wn__fail_memory("gradcheck");
        return none;
    }
    v[0] = y;
    return (wn_list){.n = 1, .v = v};
}

/* (x, u) -> d<u, f(x)>/dx, recorded. */
static wn_list second_order(const subject *s, wn_list in) {
    wn_list none = WN_NO_LIST, x = {.n = s->nx, .v = in.v};
    wn_tensor *y = s->user(s->ctx, x);
    if (!wn_ok(y)) {
        if (!wn_error()) wn__fail(WN_E_RUNTIME, "gradcheck", "the function returned %s", y ? "a bad tensor" : "NULL");
        return none;
    }
    if (!wn_needs_grad(y)) return none;
    return wn_grad(((wn_list){.n = 1, .v = &y}), x, .gradients = {.n = 1, .v = in.v + s->nx}, .create_graph = true, .allow_unused = true);
}

wn_status wn_gradcheck(wn_fn fn, void *ctx, wn_list in, double eps, double atol, double rtol, bool second) {
    if (!fn) return wn__fail(WN_E_TYPE, "gradcheck", "the function is absent (NULL)");
    if (in.n < 1 || !in.v || !(eps > 0)) return wn__fail(WN_E_VALUE, "gradcheck", "there must be an input, and eps must be positive");
    for (int64_t i = 0; i < in.n; i++) {
        const wn_tensor *x = in.v[i];
        if (!wn_ok(x) || x->dtype != WN_F64 || !wn_needs_grad(x) || wn__overlaps_itself(x))
            return wn__fail(WN_E_VALUE, "gradcheck", "input %lld (%s) must be float64, require grad and not overlap itself", (long long)i, wn__desc(x));
    }
    WN_SCOPE(scope);
    WN_MODE(.grad = WN_ON);
    subject s = {.fn = first_order, .user = fn, .ctx = ctx, .what = "gradient"};
    wn_status st = compare(&s, in, eps, atol, rtol);
    if (st || !second) return st;
    wn_tensor *y = fn(ctx, in);
    if (!wn_ok(y)) return wn_error() ? wn_error() : wn__fail(WN_E_RUNTIME, "gradcheck", "the function failed");
    if (!wn_needs_grad(y)) return WN_OK;
    if (y->dtype != WN_F64) return wn__fail(WN_E_VALUE, "gradcheck", "the result must be float64 for the second order, got %s", wn__desc(y));
    wn_tensor **all = wn__lend_array(wn__self(), in.n + 1);
    if (!all) return wn__fail_memory("gradcheck");
    memcpy(all, in.v, (size_t)in.n * sizeof *all);
    all[in.n] = wn_requires_grad(cotangent(y, 7), true);
    if (!wn_ok(all[in.n])) return wn_error();
    s = (subject){.fn = second_order, .user = fn, .ctx = ctx, .nx = (int)in.n, .what = "gradient of the gradient"};
    return compare(&s, (wn_list){.n = in.n + 1, .v = all}, eps, atol, rtol);
}
