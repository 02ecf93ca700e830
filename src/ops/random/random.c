/* Random rows: shapes and checks here, the streams in tensor/rng. */
#include <math.h>
#include <string.h>
#include "ops/random/random.h"
#include "ops/which.h"
#include "defer/value.h"
#include "ops/pointwise/pointwise.h"

typedef struct draw {
    wn__draw_kind kind;
    double a, b;
    int64_t low, high; /* of WN__DRAW_FROM_ON: high belongs to them */
    wn_generator *g;
} draw;

static void fill(const draw *d, wn_dtype dtype, void *p, int64_t n) {
    switch (d->kind) {
    case WN__DRAW_UNIFORM: wn__random_uniform(d->g, dtype, p, n, d->a, d->b); break;
    case WN__DRAW_NORMAL: wn__random_normal(d->g, dtype, p, n, d->a, d->b); break;
    case WN__DRAW_INTEGERS: wn__random_integers(d->g, dtype, p, n, d->low, d->high); break;
    case WN__DRAW_FROM_ON: wn__random_range(d->g, dtype, p, n, d->low, (uint64_t)d->high - (uint64_t)d->low + 1); break; /* 0: all there are */
    case WN__DRAW_ANY: wn__random_any(d->g, dtype, p, n); break;
    case WN__DRAW_BERNOULLI: wn__random_bernoulli(d->g, dtype, p, n, d->a); break;
    case WN__DRAW_EXPONENTIAL: wn__random_exponential(d->g, dtype, p, n, d->a); break;
    }
}

/* kind: of the draw, whose kernel torch names. */
static wn_status check_float(wn__call *c, int dtype, int kind) {
    if (wn__is_float(dtype)) return WN_OK;
    if (kind == WN__DRAW_EXPONENTIAL)
        return wn__fail_op(c, WN_E_RUNTIME, "Exponential distribution is a continuous probability distribution. dtype must be a floating point but you specified %s", wn__dtype_word(dtype));
    return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "\"%s\" not implemented for '%s'", kind == WN__DRAW_UNIFORM ? "check_uniform_bounds" : kind == WN__DRAW_NORMAL ? "normal_kernel_cpu" : c->op->name,
                       wn__dtype_word(dtype));
}

static wn_status check_size(wn__call *c, const wn_dims *size, wn_dtype dtype) {
    int ndim = size->n > 0 ? size->n : 0;
    bool over = ndim > WN_MAX_DIMS;
    for (int i = 0; i < ndim && !over; i++)
        if (size->v[i] < 0) return wn__fail_negative(c, size);
    if (!over) wn__numel_of(ndim, size->v, &over);
    if (over) return wn__fail_op(c, WN_E_MEMORY, "the size is too large");
    if (!dtype) return c->th->error;
    return wn__dtype_valid((int)dtype) ? WN_OK : wn__fail_op(c, WN_E_TYPE, "%d is no dtype", (int)dtype);
}

wn_tensor *wn__place_of_draws(const wn_tensor *t, const wn_generator *g) {
    int64_t strides[WN_MAX_DIMS];
    const bool as_torch = wn__generator_kind(g) == WN__RNG_TORCH;
    if (as_torch && !t->contiguous) wn__preserved_strides(t, strides);
    if (t->contiguous || (as_torch && !memcmp(strides, t->strides, (size_t)t->ndim * sizeof *strides))) return wn__retain((wn_tensor *)(uintptr_t)t);
    return wn__tensor_new((wn_dtype)t->dtype, t->ndim, t->shape, as_torch ? strides : NULL);
}
wn_status wn__draws_arrive(wn_tensor *t, wn_tensor *place) {
    const wn_status st = place == t ? WN_OK : wn__copy(t, place);
    wn__release(place);
    return st;
}

void wn__normals_one_by_one(wn_generator *g, wn_dtype d, void *p, int64_t n, double a, double b) {
    const int64_t few = wn__generator_kind(g) == WN__RNG_TORCH ? 8 : n;
    for (int64_t i = 0; i < n; i += few)
        wn__random_normal(g, d, (char *)p + i * (int64_t)wn__dtype_size(d), n - i < few ? n - i : few, a, b);
}

static wn_status draw_into(wn__call *c, wn_tensor *t, const draw *d) {
    const wn_dtype dtype = (wn_dtype)t->dtype;
    if (t->contiguous) {
        fill(d, dtype, wn__ptr(t), t->numel);
        return WN_OK;
    }
    wn_tensor *place = wn__place_of_draws(t, d->g);
    if (!place) return wn__fail_memory(c->op->name);
    if (d->kind == WN__DRAW_NORMAL) wn__normals_one_by_one(d->g, dtype, wn__ptr(place), t->numel, d->a, d->b);
    else fill(d, dtype, wn__ptr(place), t->numel);
    return wn__draws_arrive(t, place);
}

/* What .infer leaves for .run. */
static wn_status plan(wn__call *c, const draw *d) {
    draw *later = wn__plan_room(c, sizeof *later);
    if (!later) return c->th->error;
    *later = *d;
    return WN_OK;
}
static wn_status infer_in_place(wn__call *c, const draw *d) {
    c->out[0] = wn__retain(c->target);
    return plan(c, d);
}
wn_status wn__run_draws(wn__call *c) { return draw_into(c, c->out[0], c->plan); }

/* Uniform or normal numbers, which may wait for their readers where they lie row by row. */
static wn_status infer_fresh(wn__call *c, const wn_dims *size, wn_dtype dtype, const int64_t *strides, const draw *d) {
    if (check_size(c, size, dtype) || check_float(c, (int)dtype, d->kind)) return c->th->error;
    c->may_wait = true;
    const wn_status st = wn__result(c, 0, dtype, size->n > 0 ? size->n : 0, size->v, strides);
    return st ? st : plan(c, d);
}
wn_status wn__run_rand(wn__call *c) {
    const draw *d = c->plan;
    if (c->out[0] != c->target && c->out[0]->contiguous) {
        const wn__deferral later = wn__defer_random(c, d->g, d->kind == WN__DRAW_NORMAL, d->a, d->b);
        if (later != WN__NOT_DEFERRED) return later == WN__DEFERRED ? WN_OK : c->th->error;
    }
    const wn_status st = wn__fill_results(c);
    return st ? st : wn__run_draws(c);
}
wn_status wn__infer_rand(wn__call *c, const wn_dims *size, wn_dtype dtype, wn_generator *generator) {
    return infer_fresh(c, size, wn__factory_dtype(c, dtype, wn_default_dtype()), NULL, &(draw){.kind = (wn__draw_kind)c->op->which, .b = 1, .g = generator});
}
/* Laid out as self where that is dense. */
wn_status wn__infer_rand_like(wn__call *c, wn_tensor *as, wn_dtype dtype, wn_generator *generator) {
    const wn_dims size = wn_shape(as);
    int64_t strides[WN_MAX_DIMS];
    wn__row_major(as->ndim, as->shape, strides);
    const bool plain = as->numel == 0 || !memcmp(as->strides, strides, (size_t)as->ndim * sizeof *strides);
    if (!plain) wn__preserved_strides(as, strides);
    return infer_fresh(c, &size, dtype ? dtype : (wn_dtype)as->dtype, plain ? NULL : strides, &(draw){.kind = (wn__draw_kind)c->op->which, .b = 1, .g = generator});
}
/* The numbers that torch calls this type's in its messages about bounds. */
static const char *type_in_c(int dtype) {
    static const char *const words[] = {[WN_F32] = "float", [WN_F64] = "double", [WN_F16] = "c10::Half",     [WN_BF16] = "c10::BFloat16", [WN_I8] = "signed char",
                                        [WN_I16] = "short", [WN_I32] = "int",    [WN_I64] = "long", [WN_U8] = "unsigned char", [WN_BOOL] = "bool"};
    return words[dtype];
}
/* Of [low, last], whole numbers that a tensor is to hold. Those of 64 bits fit by themselves. */
static wn_status check_bounds(wn__call *c, int dtype, int64_t low, int64_t last, const char *last_word) {
    if (dtype == WN_I64) return WN_OK;
    const bool fits = (double)low >= wn__smallest((wn_dtype)dtype) && (double)low <= wn__largest((wn_dtype)dtype);
    if (fits && (double)last >= wn__smallest((wn_dtype)dtype) && (double)last <= wn__largest((wn_dtype)dtype)) return WN_OK;
    return wn__fail_op(c, WN_E_RUNTIME, "%s is out of bounds for %s", fits ? last_word : "from", type_in_c(dtype));
}
static wn_status check_range(wn__call *c, int dtype, int64_t low, int64_t high) {
    int64_t lo = low, hi = high;
    if (lo >= hi)
        return wn__fail_op(c, WN_E_RUNTIME, "random_ expects 'from' to be less than 'to', but got from=%lld >= to=%lld", (long long)low, (long long)high);
    if (wn__is_float(dtype)) wn__random_bounds((wn_dtype)dtype, &lo, &hi);
    if (lo >= hi)
        return wn__fail_op(c, WN_E_RUNTIME, "random_ expects 'from' casted to dtype to be less than 'to' casted to dtype, but got from=%lld >= to=%lld",
                           (long long)lo, (long long)hi);
    return check_bounds(c, dtype, lo, hi - 1, "to - 1");
}
wn_status wn__infer_integers(wn__call *c, const wn_dims *size, wn_dtype given, int64_t low, int64_t high, wn_generator *g) {
    const wn_dtype dtype = wn__factory_dtype(c, given, WN_I64);
    wn_status st = !dtype ? c->th->error : check_range(c, (int)dtype, low, high);
    if (!st) st = check_size(c, size, dtype);
    if (!st) st = wn__result(c, 0, dtype, size->n > 0 ? size->n : 0, size->v, NULL);
    return st ? st : plan(c, &(draw){.kind = WN__DRAW_INTEGERS, .low = low, .high = high, .g = g});
}
/* Up to which number a float dtype holds all whole ones. */
static int64_t exact_to(int dtype) { return (int64_t)1 << wn__mantissa_digits((wn_dtype)dtype); }
/* May a permutation of n numbers be held? torch asks whether integers hold n - 1, and floats n - 1 exactly (but not bf16). */
static wn_status check_count(wn__call *c, int dtype, int64_t n) {
    if (wn__is_float(dtype) && dtype != WN_BF16 && n - 1 > exact_to(dtype))
        return wn__fail_op(c, WN_E_RUNTIME, "n cannot be greater than %lld for %s type.", (long long)(exact_to(dtype) + 1), wn__dtype_word(dtype));
    if (wn__is_float(dtype) || dtype == WN_I64 || dtype == WN_BOOL || (double)(n - 1) <= wn__largest((wn_dtype)dtype)) return WN_OK;
    return wn__fail_op(c, WN_E_RUNTIME, "value cannot be converted to type %s without overflow", wn_dtype_name((wn_dtype)dtype));
}
wn_status wn__infer_randperm(wn__call *c, int64_t n, wn_dtype dtype) {
    if (n < 0) return wn__fail_op(c, WN_E_RUNTIME, "n must be non-negative, got %lld", (long long)n);
    const wn_dtype d = wn__factory_dtype(c, dtype, WN_I64);
    if (!d || check_count(c, (int)d, n)) return c->th->error;
    if (d == WN_BOOL) return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "\"randperm\" not implemented for 'Bool'");
    return wn__result(c, 0, d, 1, &n, NULL);
}
wn_status wn__run_randperm(wn__call *c, int64_t n, wn_generator *generator) {
    wn_tensor *y = c->out[0], *t = y->dtype == WN_I64 ? wn__retain(y) : wn__tensor_new(WN_I64, 1, &n, NULL);
    if (!t) return wn__fail_memory(c->op->name);
    wn__random_permutation(generator, (int64_t *)(void *)wn__ptr(t), n);
    const wn_status st = t == y ? WN_OK : wn__copy(y, t);
    wn__release(t);
    return st;
}

wn_status wn__infer_uniform(wn__call *c, wn_tensor *self, double from, double to, wn_generator *generator) {
    if (check_float(c, self->dtype, WN__DRAW_UNIFORM)) return c->th->error;
    const double most = wn__largest((wn_dtype)self->dtype);
    if (!(fabs(from) <= most && fabs(to) <= most))
        return wn__fail_op(c, WN_E_RUNTIME, "%s is out of bounds for %s", fabs(from) <= most ? "to" : "from", type_in_c(self->dtype));
    if (from > to) return wn__fail_op(c, WN_E_RUNTIME, "uniform_ expects to return a [from, to) range, but found from=%g > to=%g", from, to);
    if (to - from > most)
        return wn__fail_op(c, WN_E_RUNTIME, "uniform_ expects to-from <= std::numeric_limits<%s>::max(), but found to=%g and from=%g which result in to-from to exceed the limit",
                           wn__dtype_word(self->dtype), to, from);
    return infer_in_place(c, &(draw){.kind = WN__DRAW_UNIFORM, .a = from, .b = to, .g = generator});
}
wn_status wn__infer_normal(wn__call *c, wn_tensor *self, double mean, double std, wn_generator *generator) {
    if (self->numel && check_float(c, self->dtype, WN__DRAW_NORMAL)) return c->th->error; /* without elements torch asks nobody */
    if (!(std >= 0)) return wn__fail_op(c, WN_E_RUNTIME, "normal expects std >= 0.0, but found std %g", std);
    return infer_in_place(c, &(draw){.kind = WN__DRAW_NORMAL, .a = mean, .b = std, .g = generator});
}
wn_status wn__infer_exponential(wn__call *c, wn_tensor *self, double lambda, wn_generator *generator) {
    if (self->numel && check_float(c, self->dtype, WN__DRAW_EXPONENTIAL)) return c->th->error;
    if (!(lambda > 0)) return wn__fail_op(c, WN_E_RUNTIME, "exponential_ expects lambda > 0.0, but found lambda=%g", lambda);
    return infer_in_place(c, &(draw){.kind = WN__DRAW_EXPONENTIAL, .a = lambda, .g = generator});
}
/* random_(from, None): what lies between from and the largest number of the dtype, all of 64 bits for the least from there is. */
static wn_status random_from_on(wn__call *c, const wn_random_args *a) {
    const int dtype = a->self->dtype;
    const int64_t last = wn__is_float(dtype) ? exact_to(dtype) : dtype == WN_I64 ? INT64_MAX : (int64_t)wn__largest((wn_dtype)dtype);
    int64_t low = a->from, high = INT64_MAX;
    if (a->from == INT64_MIN) return infer_in_place(c, &(draw){.kind = WN__DRAW_FROM_ON, .low = INT64_MIN, .high = INT64_MAX, .g = a->generator});
    if (wn__is_float(dtype)) {
        wn__random_bounds((wn_dtype)dtype, &low, &high);
        if (low >= last)
            return wn__fail_op(c, WN_E_RUNTIME, "random_ expects 'from' casted to dtype to be less than or equal to 'to_inc' casted to dtype, but got from=%lld > to_inc=%lld",
                               (long long)low, (long long)last);
    }
    const wn_status st = check_bounds(c, dtype, low, last, "to");
    return st ? st : infer_in_place(c, &(draw){.kind = WN__DRAW_FROM_ON, .low = low, .high = last, .g = a->generator});
}
wn_status wn__infer_integers_in_place(wn__call *c, int64_t low, int64_t high, wn_generator *g) {
    const wn_status st = check_range(c, c->target->dtype, low, high);
    return st ? st : infer_in_place(c, &(draw){.kind = WN__DRAW_INTEGERS, .low = low, .high = high, .g = g});
}
wn_status wn__infer_random(wn__call *c) {
    const wn_random_args *a = c->args;
    return a->to.kind == WN_VAL_NONE ? random_from_on(c, a) : wn__infer_integers_in_place(c, a->from, wn__val_i64(a->to), a->generator);
}
wn_status wn__infer_random_all(wn__call *c, wn_generator *generator) {
    return infer_in_place(c, &(draw){.kind = WN__DRAW_ANY, .g = generator});
}
static wn_status check_probability(wn__call *c, double p) {
    return p >= 0 && p <= 1 ? WN_OK : wn__fail_op(c, WN_E_RUNTIME, "expects p to be in [0, 1], but got p=%g", p);
}
wn_status wn__infer_bernoulli_p(wn__call *c, double p, wn_generator *generator) {
    wn_status st = check_probability(c, p);
    return st ? st : infer_in_place(c, &(draw){.kind = WN__DRAW_BERNOULLI, .a = p, .g = generator});
}

wn_status wn__infer_bernoulli(wn__call *c, wn_tensor *t) {
    return check_float(c, t->dtype, WN__DRAW_BERNOULLI) ? c->th->error : wn__result(c, 0, (wn_dtype)t->dtype, t->ndim, t->shape, NULL);
}
wn_status wn__run_bernoulli(wn__call *c, wn_tensor *self, wn_generator *generator) {
    wn_tensor *p = wn__contiguous_raw(self), *y = c->out[0];
    if (!p) return wn__fail_memory(c->op->name);
    wn_status st = WN_OK;
    size_t size = wn__dtype_size(p->dtype);
    const char *at = wn__ptr(p);
    for (int64_t i = 0; i < p->numel && !st; i++) st = check_probability(c, wn__load_f64((wn_dtype)p->dtype, at + (size_t)i * size));
    if (!st) wn__random_bernoulli_each(generator, (wn_dtype)y->dtype, wn__ptr(y), y->numel, (wn_dtype)p->dtype, at);
    wn__release(p);
    return st;
}

/* t's dimensions from the outermost in memory to the innermost, and the way back. */
static void order_of_draws(const wn_tensor *t, wn_dims *order, wn_dims *back) {
    int64_t strides[WN_MAX_DIMS];
    wn__preserved_strides(t, strides);
    order->n = back->n = t->ndim;
    for (int i = 0; i < t->ndim; i++) {
        int k = i;
        for (; k > 0 && strides[order->v[k - 1]] < strides[i]; k--) order->v[k] = order->v[k - 1];
        order->v[k] = i;
    }
    for (int k = 0; k < t->ndim; k++) back->v[order->v[k]] = k;
}
wn_status wn__op_bernoulli_each(wn__call *c, wn_tensor *self, wn_tensor *p_given, wn_generator *generator) {
    wn_tensor *p = wn_is_contiguous(p_given) && wn__same_shape(p_given, self) ? p_given : wn_expand(p_given, wn_shape(self)), *y;
    if (!wn_ok(p)) return c->th->error;
    if (self->contiguous || wn__generator_kind(generator) != WN__RNG_TORCH) {
        y = wn_bernoulli(p, .generator = generator);
    } else {
        wn_dims order, back;
        order_of_draws(self, &order, &back);
        y = wn_permute(wn_bernoulli(wn_permute(p, order), .generator = generator), back);
    }
    return wn__give(c, 0, wn_to(y, (wn_dtype)self->dtype));
}

wn_status wn__op_dropout(wn__call *c, wn_tensor *input, double p, bool train) {
    if (!(p >= 0 && p <= 1))
        return wn__fail_op(c, WN_E_RUNTIME, "dropout probability has to be between 0 and 1, but got %g", p);
    if (!train || p == 0 || input->numel == 0) return wn__give(c, 0, input);
    if (!wn__is_float(input->dtype)) return wn__fail_op(c, WN_E_RUNTIME, "result type Float can't be cast to the desired output type %s", wn__dtype_word(input->dtype));
    wn_tensor *mask = wn_bernoulli_p_(wn_empty_like(input, .dtype = WN_BOOL), 1 - p);
    return wn__give(c, 0, wn_masked_scale(input, mask, p == 1 ? 0.0 : 1 / (1 - p)));
}
