/* Facts about zeros of results (support/fact.h): those that a row says, and those that a pointwise row passes on. */
#include "call/zeros.h"
#include <math.h>
#include "base/alloc.h"
#include "call/number.h"

/* Operand i of the row: its tensor, or NULL and *number. */
static wn_tensor *operand(const wn__call *c, int i, wn_val *number) {
    const wn_field *f = &c->op->fields[c->op->operands[i]];
    const char *p = (const char *)c->args + f->offset;
    if (f->kind == WN_K_TENSOR) return *(wn_tensor *const *)(const void *)p;
    *number = f->kind == WN_K_INT ? wn_val_of_int(*(const int64_t *)(const void *)p) : f->kind == WN_K_FLOAT ? wn_val_of_float(*(const double *)(const void *)p) : *(const wn_val *)(const void *)p;
    return number->kind == WN_VAL_TENSOR ? number->u.t : NULL;
}

/* Does a zero of the only tensor operand give a zero with these numbers? With a factor or divisor inf, NaN or 0, no. */
static bool zero_gives_zero(const wn__call *c) {
    int tensors = 0;
    for (int i = 0; i < c->op->noperands; i++) {
        wn_val v = wn_val_none();
        if (operand(c, i, &v)) tensors++;
        else if (v.kind != WN_VAL_NONE && (!isfinite((float)wn__val_f64(v)) || (float)wn__val_f64(v) == 0)) return false; /* as the narrower types have it */
    }
    return tensors == 1;
}

/* ------------------------------------------------------------------ masks of rows */

/* The only dimension of y along which mask varies; -1: there are none or several. */
static int dimension_of(const wn_tensor *mask, const wn_tensor *y) {
    int at = -1;
    for (int d = 0; d < mask->ndim; d++) {
        if (mask->shape[d] == 1 || mask->strides[d] == 0) continue;
        if (at >= 0) return -1;
        at = d + y->ndim - mask->ndim;
    }
    return at;
}

/* The rows where mask (bool, of one dimension) is `kept`; y is zero elsewhere. NULL: no such mask, or a pending one. */
static wn_support *rows_under(const wn_tensor *mask, bool kept, const wn_tensor *y) {
    const int row = mask->dtype == WN_BOOL && mask->ndim <= y->ndim ? dimension_of(mask, y) : -1;
    if (row < 0 || wn__pending(mask->storage) || y->shape[row] > y->numel / 16) return NULL;
    const int d = row - (y->ndim - mask->ndim);
    const uint8_t *m = (const uint8_t *)wn__ptr(mask);
    const int64_t step = mask->strides[d], size = mask->shape[d];
    const wn_dims shape = wn_shape(y);
    int64_t n = 0;
    for (int64_t i = 0; i < size; i++) n += (m[i * step] != 0) == kept;
    wn_support *s = n < size ? wn__support_rows(&shape, row, n) : NULL;
    for (int64_t i = 0, at = 0; s && s->rows && i < size; i++)
        if ((m[i * step] != 0) == kept) s->rows[at++] = i;
    return s;
}

/* Is operand i known to be zero everywhere, without running anything? */
static bool is_zero(const wn__call *c, int i) {
    wn_val v = wn_val_none();
    const wn_tensor *t = operand(c, i, &v);
    if (!t) return v.kind != WN_VAL_NONE && wn__val_f64(v) == 0;
    if (t->numel == 1 && !wn__pending(t->storage) && !wn__is_meta(t)) return wn__load_f64((wn_dtype)t->dtype, wn__ptr(t)) == 0;
    wn_support *s = wn__fact_image(t);
    const bool zero = s && s->kind == WN_SUPPORT_NONE;
    wn__free(s);
    return zero;
}

/* The support of where(mask, x, 0) and where(mask, 0, x). */
static wn_support *selected(const wn__call *c, const wn_tensor *y) {
    wn_val v = wn_val_none();
    const wn_tensor *mask = operand(c, c->op->selects[0], &v);
    if (!mask || wn__is_meta(mask)) return NULL;
    if (is_zero(c, c->op->selects[2])) return rows_under(mask, true, y);
    return is_zero(c, c->op->selects[1]) ? rows_under(mask, false, y) : NULL;
}
/* x * mask is zero where the mask is false, if x is finite there. */
static void multiplied(const wn__call *c, wn_tensor *y) {
    wn_tensor *mask = c->in[0]->dtype == WN_BOOL ? c->in[0] : c->in[1], *x = mask == c->in[0] ? c->in[1] : c->in[0];
    if (mask->dtype != WN_BOOL || x->dtype == WN_BOOL || wn__is_meta(x) || wn__pending(x->storage)) return;
    if (wn__known_finite(x)) wn__fact_say(y, rows_under(mask, true, y));
    else wn__fact_say_if(y, rows_under(mask, true, y), x);
}

void wn__pass_zeros(wn__call *c) {
    wn_tensor *y = c->out[0];
    const wn_op *op = c->op;
    if (y->numel < WN__FACT_LEAST) return;
    if (op->selecting) wn__fact_say(y, selected(c, y));
    else if (op->zero == WN__ZERO_MEETS && c->nin == 2 && c->in[0] && c->in[1]) multiplied(c, y);
    else if (wn__same_shape(y, c->in[0]) && (op->zero == WN__ZERO_PICKS || zero_gives_zero(c))) wn__fact_say(y, wn__fact_image(c->in[0]));
}

wn_support *wn__zeros_of_first(const wn__call *c) { return c->in[0] && c->out[0] && wn__same_shape(c->in[0], c->out[0]) ? wn__fact_image(c->in[0]) : NULL; }
