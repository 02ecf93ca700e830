/* Targets of the classification losses, and the negative log-likelihood. */
#include "ops/loss/loss.h"
#include "base/alloc.h"

int wn__reduction_of(wn__call *c, const char *text) {
    if (!text || !strcmp(text, "mean")) return WN__REDUCE_MEAN;
    if (!strcmp(text, "sum")) return WN__REDUCE_SUM;
    if (!strcmp(text, "none")) return WN__REDUCE_NONE;
    wn__fail_op(c, WN_E_VALUE, "%s is not a valid value for reduction", text);
    return -1;
}

/* ------------------------------------------------------------------ targets */

/* Of one sample, or of a batch without further dimensions: a number, or one for each sample. */
static wn_status check_flat(wn__call *c, const wn_dims *size, const wn_tensor *target, int64_t n) {
    if (target->ndim > 1)
        return wn__fail_op(c, WN_E_RUNTIME, "0D or 1D target tensor expected, multi-target not supported: input %s, target %s", wn__dims_text(size->v, size->n),
                           wn__desc(target));
    const int64_t given = target->ndim ? target->shape[0] : size->n == 1;
    if (given == n) return WN_OK;
    if (size->n == 1) return wn__fail_op(c, WN_E_VALUE, "For 1D input, 1D target must have size 1, but got target size: %lld", (long long)given);
    return wn__fail_op(c, WN_E_VALUE, "Expected input batch_size (%lld) to match target batch_size (%lld): input %s, target %s", (long long)n, (long long)given,
                       wn__dims_text(size->v, size->n), wn__desc(target));
}
/* Of a batch of pictures or the like: a picture for each. */
static wn_status check_spatial(wn__call *c, const wn_dims *size, const wn_tensor *target) {
    const int ndim = size->n;
    if (target->ndim > 0 && target->shape[0] != size->v[0])
        return wn__fail_op(c, WN_E_VALUE, "Expected input batch_size (%lld) to match target batch_size (%lld): input %s, target %s", (long long)size->v[0],
                           (long long)target->shape[0], wn__dims_text(size->v, ndim), wn__desc(target));
    if (ndim == 4 && target->ndim != 3)
        return wn__fail_op(c, WN_E_RUNTIME, "only batches of spatial targets supported (3D tensors) but got targets of dimension: %d", target->ndim);
    bool fits = target->ndim == ndim - 1;
    for (int d = 2; fits && d < ndim; d++) fits = target->shape[d - 1] == size->v[d];
    if (fits) return WN_OK;
    wn_dims want = {.n = ndim - 1, .v = {size->v[0]}};
    for (int d = 2; d < ndim; d++) want.v[d - 1] = size->v[d];
    if (ndim == 4) return wn__fail_op(c, WN_E_RUNTIME, "size mismatch (got input: %s , target: %s)", wn__dims_text(size->v, ndim), wn__dims_text(target->shape, target->ndim));
    return wn__fail_op(c, WN_E_RUNTIME, "Expected target size %s, got %s", wn__dims_text(want.v, want.n), wn__dims_text(target->shape, target->ndim));
}

static wn_status check_shapes(wn__call *c, const wn_dims *size, const wn_tensor *target, wn__classes *k) {
    const int ndim = size->n > 0 ? size->n : 0;
    if (ndim == 0) return wn__fail_op(c, WN_E_VALUE, "Expected 1 or more dimensions (got 0)");
    bool over;
    wn__numel_of(ndim, size->v, &over);
    if (over) return wn__fail_op(c, WN_E_RUNTIME, "no tensor has the size %s of the input", wn__dims_text(size->v, ndim));
    k->n = ndim == 1 ? 1 : size->v[0];
    k->classes = size->v[ndim == 1 ? 0 : 1];
    k->inner = 1;
    for (int d = 2; d < ndim; d++) k->inner *= size->v[d];
    k->positions = k->n * k->inner;
    return ndim <= 2 ? check_flat(c, size, target, k->n) : check_spatial(c, size, target);
}

static void read_weight(const wn_tensor *weight, wn__classes *k) {
    k->weight_sum = weight ? 0 : (double)k->classes;
    const char *p = weight ? wn__ptr(weight) : NULL;
    for (int64_t i = 0; weight && i < k->classes; i++) {
        k->weight[i] = wn__load_f64((wn_dtype)weight->dtype, p + i * weight->strides[0] * (int64_t)wn__dtype_size(weight->dtype));
        k->weight_sum += k->weight[i];
    }
}

static wn_status out_of_range(wn__call *c, int64_t class, int64_t position, const wn__classes *k, const wn_tensor *target) {
    if (target->ndim <= 1)
        return wn__fail_op(c, WN_E_INDEX, "Target %lld is out of bounds: it is target[%lld] of %s, and there are %lld classes", (long long)class,
                           (long long)position, wn__desc(target), (long long)k->classes);
    int64_t index[WN_MAX_DIMS], rest = position;
    for (int d = target->ndim - 1; d >= 0; d--) {
        index[d] = rest % target->shape[d];
        rest /= target->shape[d];
    }
    return wn__fail_op(c, WN_E_INDEX, "Target %lld is out of bounds: it is target%s of %s, and there are %lld classes", (long long)class,
                       wn__dims_text(index, target->ndim), wn__desc(target), (long long)k->classes);
}

static wn_status read_targets(wn__call *c, const wn_tensor *target, int64_t ignore, wn__classes *k) {
    WN__OWNED wn_tensor *t = wn__contiguous_raw(target);
    const void *p = t ? wn__ptr(t) : NULL;
    wn_status st = !t || (!p && t->numel) ? wn__fail_memory(c->op->name) : WN_OK;
    k->total = 0;
    for (int64_t i = 0; i < k->positions && !st; i++) {
        const int64_t class = t->dtype == WN_I64 ? ((const int64_t *)p)[i] : ((const uint8_t *)p)[i];
        k->target[i] = class == ignore ? -1 : class;
        if (class == ignore) continue;
        if (class < 0 || class >= k->classes) st = out_of_range(c, class, i, k, target);
        else k->total += wn__class_weight(k, class);
    }
    return st;
}

wn_status wn__classes_check(wn__call *c, const wn_dims *size, wn_dtype weight_dtype, const wn_tensor *target, const wn_tensor *weight, wn__classes *k) {
    *k = (wn__classes){.n = 0};
    wn_status st = check_shapes(c, size, target, k);
    if (st) return st;
    if (target->dtype != WN_I64 && target->dtype != WN_U8)
        return wn__fail_op(c, WN_E_RUNTIME, "expected target dtype to be Long or Byte (int64, uint8), but got %s", wn__desc(target));
    if (weight && (weight->ndim != 1 || weight->shape[0] != k->classes))
        return wn__fail_op(c, WN_E_RUNTIME, "weight tensor should be defined either for all %lld classes or no classes but got weight tensor %s",
                           (long long)k->classes, wn__desc(weight));
    if (weight && weight->dtype != weight_dtype)
        return wn__fail_op(c, WN_E_RUNTIME, "expected the weight %s to have the input's dtype, %s", wn__desc(weight), wn_dtype_name(weight_dtype));
    return WN_OK;
}

wn_status wn__classes_read(wn__call *c, const wn_dims *size, wn_dtype weight_dtype, const wn_tensor *target, const wn_tensor *weight,
                           int64_t ignore_index, wn__classes *k) {
    wn_status st = wn__classes_check(c, size, weight_dtype, target, weight, k);
    if (st) return st;
    k->memory = wn__calloc((size_t)(k->positions + k->classes + 1), 8);
    if (!k->memory) return wn__fail_memory(c->op->name);
    k->target = k->memory;
    if (weight) k->weight = (double *)k->memory + k->positions;
    read_weight(weight, k);
    st = read_targets(c, target, ignore_index, k);
    if (st) wn__classes_free(k);
    return st;
}
void wn__classes_free(wn__classes *k) {
    wn__free(k->memory);
    k->memory = NULL;
}

/* ------------------------------------------------------------------ results */

wn_status wn__infer_loss(wn__call *c, int64_t reduction, wn_dtype dtype, const wn_tensor *target) {
    const bool lone = c->in[0]->ndim == 1;
    return wn__result(c, 0, dtype, reduction == WN__REDUCE_NONE && !lone ? target->ndim : 0, target->shape, NULL);
}
void wn__store_loss(wn__call *c, const wn__classes *k, const double *losses, int64_t reduction) {
    const wn_dtype dtype = (wn_dtype)c->out[0]->dtype;
    char *p = wn__ptr(c->out[0]);
    if (reduction == WN__REDUCE_NONE) {
        for (int64_t i = 0; i < k->positions; i++) wn__store_val(dtype, p + i * (int64_t)wn__dtype_size(dtype), wn_val_of_float(losses[i]));
        return;
    }
    double sum = 0;
    for (int64_t i = 0; i < k->positions;) { /* runs, so that long sums stay accurate */
        double run = 0;
        for (int64_t end = i + 1024 < k->positions ? i + 1024 : k->positions; i < end; i++) run += losses[i];
        sum += run;
    }
    wn__store_val(dtype, p, wn_val_of_float(reduction == WN__REDUCE_MEAN ? sum / k->total : sum));
}

/* ------------------------------------------------------------------ nll_loss */

wn_status wn__infer_nll_loss_forward(wn__call *c, wn_tensor *x, wn_tensor *target, wn_tensor *weight,
                                     int64_t reduction) {
    if (!wn__is_float(x->dtype)) return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "\"nll_loss\" not implemented for %s", wn__dtype_word(x->dtype));
    const wn_dims size = wn_shape(x);
    wn__classes k;
    wn_status st = wn__classes_check(c, &size, (wn_dtype)x->dtype, target, weight, &k);
    if (!st) st = wn__infer_loss(c, reduction, (wn_dtype)x->dtype, target);
    return st ? st : wn__result(c, 1, x->dtype == WN_F64 ? WN_F64 : WN_F32, 0, NULL, NULL);
}

wn_status wn__run_nll_loss_forward(wn__call *c, wn_tensor *x, wn_tensor *target, wn_tensor *weight, int64_t reduction,
                                   int64_t ignore_index) {
    const wn_dims size = wn_shape(x);
    wn__classes k;
    wn_status st = wn__classes_read(c, &size, (wn_dtype)x->dtype, target, weight, ignore_index, &k);
    if (st) return st;
    double *losses = wn__calloc((size_t)k.positions + 1, sizeof *losses);
    wn_tensor *y = wn__contiguous_raw(x);
    const char *p = y ? wn__ptr(y) : NULL;
    if (!losses || !y || (!p && y->numel)) st = wn__fail_memory(c->op->name);
    const int64_t bytes = (int64_t)wn__dtype_size(x->dtype);
    for (int64_t i = 0; i < k.positions && !st; i++) {
        const int64_t t = k.target[i];
        if (t < 0) continue;
        const int64_t at = (i / k.inner * k.classes + t) * k.inner + i % k.inner;
        losses[i] = -wn__load_f64((wn_dtype)x->dtype, p + at * bytes) * wn__class_weight(&k, t);
    }
    if (!st) wn__store_loss(c, &k, losses, reduction);
    wn__store_val((wn_dtype)c->out[1]->dtype, wn__ptr(c->out[1]), wn_val_of_float(k.total));
    wn__release(y);
    wn__free(losses);
    wn__classes_free(&k);
    return st;
}

/* The loss's cotangent for each position: divided by the total for mean, in the target's shape. */
static wn_tensor *position_grad(wn_tensor *g, wn_tensor *total, int64_t reduction, wn_tensor *target) {
    if (reduction == WN__REDUCE_MEAN) g = wn_div(g, total);
    if (reduction != WN__REDUCE_NONE) return wn_expand(g, wn_shape(target));
    return g->ndim == target->ndim ? g : wn_reshape(g, wn_shape(target));
}

void wn__vjp_nll_loss(wn__gradctx *c, wn_tensor *target, wn_tensor *weight, int64_t reduction, int64_t ignore_index) {
    if (!c->g[0]) return;
    wn_tensor *total = reduction == WN__REDUCE_MEAN ? wn_detach(c->y[1]) : NULL;
    wn_tensor *g = position_grad(c->g[0], total, reduction, target);
    c->gin[0] = wn_class_targets(g, target, weight, wn__input_shape(c, 0), ignore_index, 0, -1);
}

/* When the backward is itself recorded: the same gradient, made of rows that differentiate. */
void wn__vjp_cross_entropy(wn__gradctx *c) {
    const wn_cross_entropy_forward_args *a = c->args;
    if (!c->g[0]) return;
    if (!wn__recording(wn__self())) {
        c->gin[0] = wn_cross_entropy_backward(c->g[0], a->input, a->target, a->weight, c->y[1], c->y[2], a->reduction, a->ignore_index, a->label_smoothing);
        return;
    }
    wn_tensor *total = a->reduction == WN__REDUCE_MEAN ? wn_detach(c->y[2]) : NULL;
    wn_tensor *g = position_grad(c->g[0], total, a->reduction, a->target);
    wn_tensor *q = wn_class_targets(g, a->target, a->weight, wn__input_shape(c, 0), a->ignore_index, a->label_smoothing, 1);
    const int64_t dim = a->input->ndim == 1 ? 0 : 1;
    wn_tensor *p = wn_softmax(a->input, dim);
    c->gin[0] = wn_sub(wn_mul(p, wn_sum(q, .dims = WN_DIMS(dim), .keepdim = true)), q);
}

/* ------------------------------------------------------------------ class_targets */

static wn_dtype dtype_of(const wn_class_targets_args *a) { return (wn_dtype)(a->weight ? a->weight : a->grad)->dtype; }

wn_status wn__infer_class_targets(wn__call *c) {
    const wn_class_targets_args *a = c->args;
    const wn_tensor *g = a->grad;
    if (!wn__is_float(g->dtype) || !wn__same_shape(g, a->target))
        return wn__fail_op(c, WN_E_RUNTIME, "grad %s does not have the shape of the target %s", wn__desc(g), wn__desc(a->target));
    wn__classes k;
    wn_status st = wn__classes_check(c, &a->size, dtype_of(a), a->target, a->weight, &k);
    return st ? st : wn__result(c, 0, (wn_dtype)g->dtype, a->size.n, a->size.v, NULL);
}

wn_status wn__run_class_targets(wn__call *c) {
    const wn_class_targets_args *a = c->args;
    const wn_tensor *g = a->grad;
    wn__classes k;
    wn_status st = wn__classes_read(c, &a->size, dtype_of(a), a->target, a->weight, a->ignore_index, &k);
    if (st) return st;
    wn_tensor *r = c->out[0], *grad = wn__contiguous_raw(g);
    if (!grad) st = wn__fail_memory(c->op->name);
    if (!st) st = wn__fill_raw(r, wn_val_of_int(0));
    char *out = st ? NULL : wn__ptr(r);
    const char *in = st ? NULL : wn__ptr(grad);
    const wn_dtype d = (wn_dtype)g->dtype;
    const int64_t bytes = (int64_t)wn__dtype_size(d);
    const double smooth = a->label_smoothing / (double)k.classes, sharp = 1 - a->label_smoothing;
    for (int64_t i = 0; i < k.positions && !st; i++) {
        const int64_t t = k.target[i], first = i / k.inner * k.classes * k.inner + i % k.inner;
        if (t < 0) continue;
        const double v = a->scale * wn__load_f64(d, in + i * bytes);
        for (int64_t j = a->label_smoothing != 0 ? 0 : t; j < (a->label_smoothing != 0 ? k.classes : t + 1); j++) {
            const double q = wn__class_weight(&k, j) * (smooth + (j == t ? sharp : 0));
            wn__store_val(d, out + (first + j * k.inner) * bytes, wn_val_of_float(v * q));
        }
    }
    wn__release(grad);
    wn__classes_free(&k);
    return st;
}
void wn__vjp_class_targets(wn__gradctx *c) {
    const wn_class_targets_args *a = c->args;
    wn_tensor *ones = wn_ones(wn__input_shape(c, 0), .dtype = wn__input_dtype(c, 0));
    wn_tensor *q = wn_class_targets(ones, a->target, a->weight, a->size, a->ignore_index, a->label_smoothing, a->scale);
    wn_tensor *g = wn_sum(wn_mul(c->g[0], q), .dims = WN_DIMS(a->size.n == 1 ? 0 : 1));
    c->gin[0] = a->size.n == 1 ? wn_reshape(g, wn__input_shape(c, 0)) : g;
}
