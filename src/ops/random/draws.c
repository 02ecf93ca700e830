/* cauchy_, geometric_, log_normal_, multinomial: uniform and normal numbers in f64, transformed; with WINNOW_RNG=torch the very
 * numbers of torch, which draws them one by one in the order of the elements. */
#include <math.h>
#include "base/alloc.h"
#include "base/inline.h"
#include "ops/random/random.h"
#include "base/threads.h"
#include "call/dispatch.h"

typedef enum shape_kind { CAUCHY, GEOMETRIC, LOG_NORMAL } shape_kind;

typedef struct shaping {
    shape_kind kind;
    double a, b;
    wn_generator *g;
    double *u;
    wn_dtype dtype;
    char *to; /* NULL: back into u */
} shaping;

static void shape_some(void *ctx, int64_t begin, int64_t end) {
    const shaping *s = ctx;
    size_t size = wn__dtype_size(s->dtype);
    for (int64_t i = begin; i < end; i++) {
        double u = s->u[i], v = s->kind == LOG_NORMAL ? exp(u) : s->kind == GEOMETRIC ? ceil(log(u) / s->b) : s->a + s->b * tan(3.14159265358979323846 * (u - .5));
        if (s->to) wn__store_val(s->dtype, s->to + (size_t)i * size, wn_val_of_float(v));
        else s->u[i] = v;
    }
}

/* n uniform or normal numbers. */
static void draw(shaping *s, int64_t n) {
    if (s->kind == LOG_NORMAL) wn__normals_one_by_one(s->g, WN_F64, s->u, n, s->a, s->b);
    else wn__random_uniform(s->g, WN_F64, s->u, n, 0, 1);
}

static wn_status infer(wn__call *c, shaping s) {
    c->out[0] = wn__retain(c->target);
    shaping *plan = wn__plan(c, sizeof *plan);
    if (!plan) return c->th->error;
    *plan = s;
    return WN_OK;
}
wn_status wn__run_shaped_draws(wn__call *c) {
    shaping s = *(const shaping *)c->plan;
    wn_tensor *t = c->target, *flat = t->numel ? wn__place_of_draws(t, s.g) : NULL;
    size_t capacity = 0;
    if (!t->numel) return WN_OK;
    char *p = flat ? wn__ptr(flat) : NULL;
    s.dtype = (wn_dtype)t->dtype;
    s.to = s.dtype == WN_F64 ? NULL : p;
    s.u = !p ? NULL : s.to ? wn__data_array(t->numel, sizeof *s.u, &capacity) : (double *)(void *)p;
    wn_status st = s.u ? WN_OK : c->th->error ? c->th->error : wn__fail_memory(c->op->name);
    if (!st) {
        draw(&s, t->numel);
        wn__parallel(t->numel, 1024, shape_some, &s);
        st = wn__draws_arrive(t, flat);
    } else {
        wn__release(flat);
    }
    if (capacity) wn__data_free(s.u, capacity);
    return st;
}

wn_status wn__infer_cauchy(wn__call *c, wn_tensor *self, double median, double sigma, wn_generator *generator) {
    wn_status st = WN_OK;
    if (!wn__is_float(self->dtype))
        st = wn__fail_op(c, WN_E_RUNTIME, "Cauchy distribution is a continuous probability distribution. dtype must be a floating point but you specified %s", wn__dtype_word(self->dtype));
    if (!st && !(sigma > 0)) st = wn__fail_op(c, WN_E_RUNTIME, "cauchy_ expects sigma > 0.0, but found sigma=%g", sigma);
    return st ? st : infer(c, (shaping){.kind = CAUCHY, .a = median, .b = sigma, .g = generator});
}
wn_status wn__infer_geometric(wn__call *c, wn_tensor *self, double p, wn_generator *generator) {
    if (self->dtype == WN_BOOL) return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "\"geometric_cpu\" not implemented for 'Bool'");
    if (!(p > 0 && p < 1)) return wn__fail_op(c, WN_E_RUNTIME, "geometric_ expects p to be in (0, 1), but got p=%g", p);
    return infer(c, (shaping){.kind = GEOMETRIC, .b = log1p(-p), .g = generator});
}
wn_status wn__infer_log_normal(wn__call *c, wn_tensor *self, double mean, double std, wn_generator *generator) {
    wn_status st = WN_OK;
    if (self->numel && !wn__is_float(self->dtype)) st = wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "\"log_normal_cpu\" not implemented for '%s'", wn__dtype_word(self->dtype));
    if (!st && !(std > 0)) st = wn__fail_op(c, WN_E_RUNTIME, "log_normal_ expects std > 0.0, but found std=%g", std);
    return st ? st : infer(c, (shaping){.kind = LOG_NORMAL, .a = mean, .b = std, .g = generator});
}

/* ------------------------------------------------------------------ rrelu */

/* As torch does: only for what is not positive, row by row, in f64. */
static void draw_slopes(const wn_tensor *x, wn_tensor *slopes, double low, double high, wn_generator *g) {
    const wn_dtype from = (wn_dtype)x->dtype, to = (wn_dtype)slopes->dtype;
    const char *at = wn__ptr(x);
    char *p = wn__ptr(slopes);
    if (to == WN_F32) low = (double)(float)low, high = (double)(float)high;
    for (int64_t i = 0; i < x->numel; i++) {
        double r = 1;
        if (wn__load_f64(from, at + (size_t)i * wn__dtype_size(from)) <= 0) {
            wn__random_uniform(g, WN_F64, &r, 1, 0, 1);
            r = r * (high - low) + low;
        }
        wn__store_val(to, p + (size_t)i * wn__dtype_size(to), wn_val_of_float(r));
    }
}
wn_tensor *wn__rrelu_slopes(wn__call *c, wn_tensor *self, double low, double high, wn_generator *g) {
    const wn_dtype dtype = self->dtype == WN_F64 ? WN_F64 : WN_F32;
    if (wn__generator_kind(g) != WN__RNG_TORCH) return wn_uniform_(wn_empty_like(self, .dtype = dtype), low, high, .generator = g);
    wn_tensor *x = wn_contiguous(wn_detach(self)), *slopes = wn_empty(wn_shape(self), .dtype = dtype);
    if (!wn_ok(x) || !wn_ok(slopes)) return NULL;
    if (self->numel && (!wn_data(x) || !wn_data_mut(slopes))) {
        wn__fail_memory(c->op->name);
        return NULL;
    }
    draw_slopes(x, slopes, low, high, g);
    return slopes;
}

/* ------------------------------------------------------------------ multinomial */

#define BODY "ops/random/multinomial_of.h"
#include "base/for_floats.h"

static int64_t first_reaching(const void *sums, bool wide, int64_t n, double u) {
    int64_t low = 0;
    while (low < n) {
        int64_t mid = low + (n - low) / 2;
        double v = wide ? ((const double *)sums)[mid] : ((const float *)sums)[mid];
        if (v < u) low = mid + 1;
        else n = mid;
    }
    return low;
}

wn_status wn__infer_multinomial_again(wn__call *c, wn_tensor *self, int64_t num_samples) {
    if (self->ndim != 2 || !wn__is_float(self->dtype) || num_samples < 1 || self->shape[1] < 1)
        return wn__fail_op(c, WN_E_RUNTIME, "cannot draw %lld samples from %s", (long long)num_samples, wn__desc(self));
    const int64_t shape[2] = {self->shape[0], num_samples};
    bool over = false;
    wn__numel_of(2, shape, &over);
    return over ? wn__fail_op(c, WN_E_MEMORY, "too many samples") : wn__result(c, 0, WN_I64, 2, shape, NULL);
}
wn_status wn__run_multinomial_again(wn__call *c, wn_tensor *self, int64_t k, wn_generator *generator) {
    const int64_t rows = self->shape[0], n = self->shape[1];
    const bool wide = self->dtype == WN_F64;
    wn_tensor *y = c->out[0], *p = wn__contiguous_raw(self), *u = p ? wn__tensor_new(WN_F64, 2, y->shape, NULL) : NULL;
    size_t capacity = 0;
    void *sums = u ? wn__data_array(n, 8, &capacity) : NULL;
    const bool ready = sums && (!rows || wn__ptr(p));
    wn_status st = ready ? WN_OK : c->th->error ? c->th->error : wn__fail_memory(c->op->name);
    if (!st && rows) wn__random_uniform(generator, WN_F64, wn__ptr(u), rows * k, 0, 1);
    for (int64_t r = 0; !st && r < rows; r++) {
        st = wide ? sums_f64(c, p, r, sums) : sums_f32(c, p, r, sums);
        const double *from = (const double *)(const void *)wn__ptr(u) + r * k;
        int64_t *to = (int64_t *)(void *)wn__ptr(y) + r * k;
        for (int64_t i = 0; !st && i < k; i++) to[i] = first_reaching(sums, wide, n, from[i]);
    }
    if (sums) wn__data_free(sums, capacity);
    wn__release(p);
    wn__release(u);
    return st;
}

/* Exponential waiting times with these rates: the shortest ones come first. */
static wn_tensor *race(wn__call *c, wn_tensor *p, int64_t k, wn_generator *g) {
    wn_tensor *good = wn_all(wn_logical_and(wn_ge(p, 0), wn_lt(p, (double)INFINITY))), *none = wn_any(wn_all(wn_eq(p, 0), .dims = WN_DIMS(-1)));
    if (!wn_ok(good) || !wn_ok(none)) return none;
    const int64_t errors = wn_error_count();
    const bool valid = c->meta || wn_item_i64(good), void_of = !c->meta && wn_item_i64(none);
    if (wn__failed_since(errors)) return NULL;
    if (!valid) {
        wn__fail_op(c, WN_E_RUNTIME, "probability tensor contains either `inf`, `nan` or element < 0");
        return NULL;
    }
    if (void_of) {
        wn__fail_op(c, WN_E_RUNTIME, "invalid multinomial distribution (sum of probabilities <= 0)");
        return NULL;
    }
    wn_tensor *speed = wn_div(p, wn_exponential_(wn_empty_like(p), 1, .generator = g));
    return k == 1 ? wn_argmax(speed, .dim = wn_val_of_int(-1), .keepdim = true) : wn_topk(speed, k).indices;
}

wn_status wn__op_multinomial(wn__call *c, wn_tensor *p, int64_t k, bool replacement, wn_generator *generator) {
    wn_tensor *r;
    if (p->ndim < 1 || p->ndim > 2) return wn__fail_op(c, WN_E_RUNTIME, "prob_dist must be 1 or 2 dim");
    if (!wn__is_float(p->dtype)) return wn__fail_op(c, WN_E_RUNTIME, "multinomial only supports floating-point dtypes for input, got: %s", wn__dtype_word(p->dtype));
    if (k <= 0) return wn__fail_op(c, WN_E_RUNTIME, "cannot sample n_sample <= 0 samples");
    int64_t n = p->shape[p->ndim - 1];
    if (!replacement && k > n) return wn__fail_op(c, WN_E_RUNTIME, "cannot sample n_sample > prob_dist.size(-1) samples without replacement");
    WN_NO_GRAD();
    if (p->numel == 0) {
        if (n == 0 && (p->ndim == 1 || p->shape[0])) return wn__fail_op(c, WN_E_RUNTIME, "invalid multinomial distribution (sum of probabilities <= 0)");
        return wn__give(c, 0, wn_empty(p->ndim == 1 ? WN_DIMS(k) : WN_DIMS(p->shape[0], k), .dtype = WN_I64));
    }
    if (!replacement || k == 1) {
        r = race(c, p, k, generator);
    } else {
        r = wn_multinomial_again(p->ndim == 1 ? wn_reshape(p, WN_DIMS(1, n)) : p, k, .generator = generator);
        if (wn_ok(r) && p->ndim == 1) r = wn_reshape(r, WN_DIMS(k));
    }
    return r ? wn__give(c, 0, r) : c->th->error;
}
