/* Losses with a margin: between pairs and triples of examples, and between the classes of one. */
#include <math.h>
#include "base/alloc.h"
#include "ops/loss/loss.h"
#include "ops/norm/norm.h"

/* ------------------------------------------------------------------ pairs and triples */

wn_status wn__op_hinge_embedding_loss(wn__call *c, wn_tensor *input, wn_tensor *target, double margin,
                                      const char *reduction) {
    wn_tensor *apart = wn_clamp_min(wn_sub(margin, input), 0);
    wn_tensor *loss = wn_add(wn_where(wn_ne(target, 1), apart, 0), wn_where(wn_ne(target, target->dtype == WN_U8 ? 255 : -1), input, 0));
    return wn__give(c, 0, wn__loss_reduced(c, loss, reduction));
}

wn_status wn__op_cosine_embedding_loss(wn__call *c, wn_tensor *x, wn_tensor *y, wn_tensor *target, double margin,
                                       const char *reduction) {
    const int dim = target->ndim;
    if (dim > 1) return wn__fail_op(c, WN_E_RUNTIME, "0D or 1D target tensor expected, multi-target not supported: %s", wn__desc(target));
    if (x->ndim != dim + 1 || y->ndim != dim + 1)
        return wn__fail_op(c, WN_E_RUNTIME, "%dD target tensor expects %dD input tensors, but found inputs with sizes %s and %s.", dim, dim + 1,
                           wn__dims_text(x->shape, x->ndim), wn__dims_text(y->shape, y->ndim));
    wn_tensor *product = wn_sum(wn_mul(x, y), .dims = WN_DIMS(dim));
    wn_tensor *xx = wn_add(wn_sum(wn_mul(x, x), .dims = WN_DIMS(dim)), 1e-12), *yy = wn_add(wn_sum(wn_mul(y, y), .dims = WN_DIMS(dim)), 1e-12);
    wn_tensor *cosine = wn_div(product, wn_sqrt(wn_mul(xx, yy)));
    const int minus = target->dtype == WN_U8 ? 255 : -1; /* as torch, which makes the number the tensor's */
    wn_tensor *loss = wn_add(wn_where(wn_eq(target, 1), wn_sub(1, cosine), 0),
                             wn_where(wn_eq(target, minus), wn_clamp_min(wn_sub(cosine, margin), 0), 0));
    return wn__give(c, 0, wn__loss_reduced(c, loss, reduction));
}

/* ------------------------------------------------------------------ one class against the others */

wn_status wn__op_multi_margin_loss(wn__call *c, wn_tensor *x, wn_tensor *t, wn_val p_given, wn_val margin,
                                   wn_tensor *weight, const char *reduction) {
    const double p = wn__f64_or(p_given, 1);
    const int64_t classes = x->ndim ? x->shape[x->ndim - 1] : 1, n = x->ndim == 2 ? x->shape[0] : 1;
    if (p != 1 && p != 2) return wn__fail_op(c, WN_E_VALUE, "only p == 1 and p == 2 supported");
    if (x->ndim > 2 || classes == 0) return wn__fail_op(c, WN_E_RUNTIME, "Expected non-empty vector or matrix with optional 0-dim batch size, but got: %s", wn__desc(x));
    if (t->ndim > 1 || t->numel != n) return wn__fail_op(c, WN_E_RUNTIME, "inconsistent target size, expected %lld but got %s", (long long)n, wn__desc(t));
    if (t->dtype != WN_I64) return wn__fail_op(c, WN_E_RUNTIME, "expected target dtype to be Long (int64), but got %s", wn__desc(t));
    if (weight && (weight->ndim > 1 || weight->numel != classes))
        return wn__fail_op(c, WN_E_RUNTIME, "inconsistent weight size, expected %lld but got %s", (long long)classes, wn__desc(weight));
    if (!wn__is_float(x->dtype)) return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "\"multi_margin_loss\" not implemented for '%s'", wn__dtype_word(x->dtype));
    if (n && !c->meta && (wn_item_i64(wn_min(t)) < 0 || wn_item_i64(wn_max(t)) >= classes)) return wn__fail_op(c, WN_E_RUNTIME, "target out of range: classes are 0 to %lld", (long long)classes - 1);
    wn_tensor *rows = wn_reshape(x, WN_DIMS(n, classes)), *index = wn_reshape(t, WN_DIMS(n, 1));
    wn_tensor *z = wn_relu(wn_add(wn_sub(rows, wn_gather(rows, 1, index)), wn__f64_or(margin, 1)));
    if (p == 2) z = wn_square(z);
    if (weight) z = wn_mul(z, wn_index_select(wn_reshape(weight, WN_DIMS(classes, 1)), 0, wn_reshape(t, WN_DIMS(n))));
    z = wn_scatter_value(z, 1, index, 0);
    wn_tensor *loss = wn_div(wn_sum(z, .dims = WN_DIMS(1)), classes);
    if (t->ndim == 0) loss = wn_reshape(loss, WN_0D);
    return wn__give(c, 0, wn__loss_reduced(c, loss, reduction));
}

/* ------------------------------------------------------------------ several classes against the others */

typedef struct labels {
    int64_t n, classes, *target; /* target, row-major */
    wn_tensor *x, *t;            /* owned: f32 or f64 and i64, row-major */
    bool wide;
} labels;

static double at(const labels *l, const wn_tensor *x, int64_t i) {
    return l->wide ? ((const double *)(const void *)wn__ptr(x))[i] : (double)((const float *)(const void *)wn__ptr(x))[i];
}
static void labels_free(labels *l) {
    wn__release(l->x);
    wn__release(l->t);
}
static wn_status labels_check(wn__call *c, const wn_tensor *x, const wn_tensor *target) {
    if (x->ndim > 2 || (x->ndim && x->shape[x->ndim - 1] == 0)) return wn__fail_op(c, WN_E_RUNTIME, "Expected non-empty vector or matrix with optional 0-dim batch size, but got: %s", wn__desc(x));
    const bool same = wn__same_shape(x, target) || (x->ndim < 2 && target->ndim < 2 && x->numel == target->numel);
    if (!same) return wn__fail_op(c, WN_E_RUNTIME, "inconsistent target size: %s for input of size: %s", wn__dims_text(target->shape, target->ndim), wn__dims_text(x->shape, x->ndim));
    if (target->dtype != WN_I64) return wn__fail_op(c, WN_E_RUNTIME, "expected target dtype to be Long (int64), but got %s", wn__desc(target));
    if (!wn__is_float(x->dtype)) return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "\"multilabel_margin_loss\" not implemented for '%s'", wn__dtype_word(x->dtype));
    return WN_OK;
}
static wn_status labels_read(wn__call *c, wn_tensor *x, wn_tensor *target, labels *l) {
    *l = (labels){.n = x->ndim == 2 ? x->shape[0] : 1, .classes = x->ndim ? x->shape[x->ndim - 1] : 1, .wide = x->dtype == WN_F64};
    l->x = wn__plain_raw(x, l->wide ? WN_F64 : WN_F32);
    l->t = wn__contiguous_raw(target);
    if (!l->x || !l->t || (x->numel && (!wn__ptr(l->x) || !wn__ptr(l->t)))) {
        labels_free(l);
        return wn__fail_memory(c->op->name);
    }
    l->target = (int64_t *)(void *)wn__ptr(l->t);
    for (int64_t i = 0; i < l->n * l->classes; i++)
        if (l->target[i] < -1 || l->target[i] >= l->classes) {
            const long long bad = l->target[i];
            labels_free(l);
            return wn__fail_op(c, WN_E_RUNTIME, "target %lld is out of range: classes are 0 to %lld", bad, (long long)l->classes - 1);
        }
    return WN_OK;
}
/* Marks the classes of row r, returns how many entries its list has. */
static int64_t mark(const labels *l, int64_t r, char *mine) {
    const int64_t *t = l->target + r * l->classes;
    int64_t k = 0;
    memset(mine, 0, (size_t)l->classes);
    for (; k < l->classes && t[k] >= 0; k++) mine[t[k]] = 1;
    return k;
}

/* The row's elements that are no target, as double, one behind the other: margins are to them alone. Returns how many; which: their classes. */
static int64_t others_of(const labels *l, int64_t first, const char *mine, double *x, int64_t *which) {
    int64_t n = 0;
    for (int64_t i = 0; i < l->classes; i++)
        if (!mine[i]) x[n] = at(l, l->x, first + i), which[n++] = i;
    return n;
}
/* sum over i of max(0, a + x[i]), NaN kept; in lanes, so that additions do not wait for each other. */
static double hinges(double a, const double *x, int64_t n) {
    enum { LANES = 8 };
    double lane[LANES] = {0};
    for (int64_t i = 0; i < n; i += LANES)
        for (int64_t l = 0; l < LANES && i + l < n; l++) {
            const double z = a + x[i + l];
            lane[l] += z > 0 || z != z ? z : 0;
        }
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

wn_status wn__infer_multilabel_margin_loss_forward(wn__call *c, wn_tensor *x, wn_tensor *target, int64_t reduction) {
    wn_status st = labels_check(c, x, target);
    if (!st) st = wn__result(c, 0, (wn_dtype)x->dtype, reduction == WN__REDUCE_NONE && x->ndim == 2, x->shape, NULL);
    return st ? st : wn__result(c, 1, wn__wide_dtype(x), target->ndim, target->shape, NULL);
}

wn_status wn__run_multilabel_margin_loss_forward(wn__call *c, wn_tensor *self, wn_tensor *target, int64_t reduction) {
    labels l;
    wn_status st = labels_read(c, self, target, &l);
    if (st) return st;
    wn_dtype wide = l.wide ? WN_F64 : WN_F32;
    double *losses = wn__calloc((size_t)l.n + 1, sizeof *losses), *x = wn__calloc((size_t)l.classes + 1, sizeof *x);
    int64_t *which = wn__calloc((size_t)l.classes + 1, sizeof *which);
    char *mine = wn__calloc((size_t)l.classes, 1);
    wn_tensor *out = c->out[0], *is = c->out[1];
    if (!losses || !x || !which || !mine) st = wn__fail_memory(c->op->name);
    double total = 0;
    for (int64_t r = 0; r < l.n && !st; r++) {
        const int64_t k = mark(&l, r, mine), first = r * l.classes, others = others_of(&l, first, mine, x, which);
        for (int64_t j = 0; j < k; j++) losses[r] += hinges(1 - at(&l, l.x, first + l.target[first + j]), x, others);
        for (int64_t i = 0; i < l.classes; i++) wn__store_val(wide, wn__ptr(is) + (first + i) * (int64_t)wn__dtype_size(wide), wn_val_of_float(mine[i]));
        total += losses[r] /= (double)l.classes;
    }
    const int64_t size = (int64_t)wn__dtype_size(self->dtype);
    if (!st && out->ndim)
        for (int64_t r = 0; r < l.n; r++) wn__store_val((wn_dtype)out->dtype, wn__ptr(out) + r * size, wn_val_of_float(losses[r]));
    else if (!st)
        wn__store_val((wn_dtype)out->dtype, wn__ptr(out), wn_val_of_float(reduction == WN__REDUCE_MEAN ? total / (double)l.n : total));
    wn__free(losses);
    wn__free(x);
    wn__free(which);
    wn__free(mine);
    labels_free(&l);
    return st;
}

static bool by_row(const wn_multilabel_margin_loss_backward_args *a) { return a->reduction == WN__REDUCE_NONE && a->self->ndim == 2; }

wn_status wn__infer_multilabel_margin_loss_backward(wn__call *c) {
    const wn_multilabel_margin_loss_backward_args *a = c->args;
    const wn_status st = labels_check(c, a->self, a->target);
    if (st) return st;
    if (a->grad_output->numel != (by_row(a) ? a->self->shape[0] : 1) || !wn__is_float(a->grad_output->dtype))
        return wn__fail_op(c, WN_E_RUNTIME, "grad_output %s is not that of a loss of %s", wn__desc(a->grad_output), wn__desc(a->self));
    return wn__result(c, 0, (wn_dtype)a->self->dtype, a->self->ndim, a->self->shape, NULL);
}

wn_status wn__run_multilabel_margin_loss_backward(wn__call *c) {
    const wn_multilabel_margin_loss_backward_args *a = c->args;
    labels l;
    wn_status st = labels_read(c, a->self, a->target, &l);
    if (st) return st;
    const wn_dtype io = (wn_dtype)a->self->dtype;
    wn_tensor *g = wn__plain_raw(a->grad_output, WN_F64), *out = c->out[0];
    double *slope = wn__calloc((size_t)l.classes, sizeof *slope), *x = wn__calloc((size_t)l.classes + 1, sizeof *x);
    double *hits = wn__calloc((size_t)l.classes + 1, sizeof *hits);
    int64_t *which = wn__calloc((size_t)l.classes + 1, sizeof *which);
    char *mine = wn__calloc((size_t)l.classes, 1);
    if (!g || !slope || !x || !hits || !which || !mine || (g->numel && !wn__ptr(g))) st = wn__fail_memory(c->op->name);
    for (int64_t r = 0; r < l.n && !st; r++) {
        const int64_t k = mark(&l, r, mine), first = r * l.classes, others = others_of(&l, first, mine, x, which);
        memset(slope, 0, (size_t)l.classes * sizeof *slope);
        memset(hits, 0, (size_t)l.classes * sizeof *hits);
        for (int64_t j = 0; j < k; j++) {
            const int64_t t = l.target[first + j];
            const double mark_at = 1 - at(&l, l.x, first + t);
            double all[4] = {0};
            for (int64_t i = 0; i < others; i++) {
                const double hit = mark_at + x[i] > 0 ? 1 : 0;
                hits[i] += hit;
                all[i % 4] += hit;
            }
            slope[t] -= (all[0] + all[1]) + (all[2] + all[3]); /* whole numbers: in any order */
        }
        for (int64_t i = 0; i < others; i++) slope[which[i]] = hits[i];
        const double f = ((const double *)(const void *)wn__ptr(g))[by_row(a) ? r : 0] / (double)l.classes / (a->reduction == WN__REDUCE_MEAN ? (double)l.n : 1);
        for (int64_t i = 0; i < l.classes; i++) wn__store_val(io, wn__ptr(out) + (first + i) * (int64_t)wn__dtype_size(io), wn_val_of_float(f * slope[i]));
    }
    wn__free(slope);
    wn__free(x);
    wn__free(hits);
    wn__free(which);
    wn__free(mine);
    wn__release(g);
    labels_free(&l);
    return st;
}
wn_status wn__op_multilabel_margin_loss(wn__call *c, wn_tensor *input, wn_tensor *target, const char *reduction_given) {
    const int reduction = wn__reduction_of(c, reduction_given);
    if (reduction < 0) return c->th->error;
    return wn__give(c, 0, wn_multilabel_margin_loss_forward(input, target, reduction).output);
}
