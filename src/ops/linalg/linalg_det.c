/* Determinants, from LU factorisations. */
#include <math.h>
#include "ops/linalg/linalg.h"
#include "ops/pointwise/pointwise.h"
#include "ops/which.h"

static void det_one(wn__lapack_job *j, int64_t i, char *room) {
    const size_t diagonal = (size_t)wn__row_ld(j->n, j->size) + 1;
    char *lu = wn__take(&room, wn__rows_room(j->n, j->n, j->size));
    const int *pivots = wn__lu_of(j, i, lu, (int *)(void *)room);
    double sign = 1, product = 1, logarithm = 0;
    for (int k = 0; k < j->n; k++) {
        const size_t at = (size_t)k * diagonal;
        const double d = j->dtype == WN_F64 ? ((const double *)(const void *)lu)[at] : (double)((const float *)(const void *)lu)[at];
        if (pivots[k] != k + 1) sign = -sign;
        product *= d;
        if (j->flag) sign = d < 0 ? -sign : d == 0 ? 0 : sign, logarithm += log(fabs(d));
    }
    wn__store_val(j->dtype, wn__mat_at(&j->y, i), wn_val_of_float(j->flag ? sign : sign * product));
    if (j->flag) wn__store_val(j->dtype, wn__mat_at(&j->z, i), wn_val_of_float(logarithm));
}

/* The determinant, or its sign and logarithm; then the factors and pivots. */
wn_status wn__infer_determinant(wn__call *c) {
    const bool logarithm = c->op->which == WN__DET_LOG;
    const wn_tensor *t = c->in[0];
    wn__lapack_job *j = wn__square_plan(c, logarithm ? "linalg.slogdet" : "linalg.det", t, det_one);
    if (!j) return c->th->error;
    wn_status st = WN_OK;
    j->flag = logarithm;
    for (int i = 0; i <= logarithm && !st; i++) st = wn__result(c, i, j->dtype, t->ndim - 2, t->shape, NULL);
    if (!st) st = wn__result(c, logarithm + 1, j->dtype, t->ndim, t->shape, NULL);
    return st ? st : wn__result(c, logarithm + 2, WN_I32, t->ndim - 1, t->shape, NULL);
}
wn_status wn__run_determinant(wn__call *c) {
    const wn_tensor *t = c->in[0];
    wn__lapack_job *j = c->plan;
    wn_status st = wn__lapack_find(c, j);
    if (st) return st;
    const int nb = t->ndim - 2;
    const wn_tensor *y = c->out[0];
    j->y = wn__mats_of(y, 0, nb, t->shape);
    j->z = wn__mats_of(c->out[j->flag], 0, nb, t->shape);
    if (t->numel == 0) { /* the determinant of nothing is 1, its logarithm 0 */
        if (j->flag) wn__fill_raw(c->out[1], wn_val_of_int(0));
        return wn__fill_raw(c->out[0], wn_val_of_int(1));
    }
    j->room = wn__lu_room(j);
    j->a = wn__mats_turned(wn__mats_of(t, 2, nb, t->shape));
    j->x = wn__mats_turned(wn__mats_of(c->out[j->flag + 1], 2, nb, t->shape));
    j->pivots = wn__mats_of(c->out[j->flag + 2], 1, nb, t->shape);
    return wn__lapack_run(c, j, y->numel);
}

/* Solves A^T X = d I. */
static wn_tensor *scaled_inverse(wn_tensor *a, wn_tensor *lu, wn_tensor *pivots, wn_tensor *d) {
    wn_tensor *right = wn_mul(wn_unsqueeze(wn_unsqueeze(d, -1), -1), wn__eye_like(lu));
    return wn_grad_enabled() ? wn_linalg_solve(wn_mT(a), right) : wn_lu_solve_left(lu, pivots, right, true);
}
/* The product of U's diagonal with the sign of the row exchanges. */
static wn_tensor *product_of_pivots(wn_tensor *lu, wn_tensor *pivots) {
    wn_tensor *there = wn_arange_from(1, wn_val_of_int(wn_size(lu, -1) + 1), .dtype = WN_I32), *one = wn_ones(WN_0D, .dtype = wn_dtype_of(lu));
    wn_tensor *signs = wn_where(wn_eq(pivots, there), one, wn_neg(one));
    return wn_mul(wn_prod(signs, .dims = WN_DIMS(-1)), wn_prod(wn_diagonal(lu, .dim1 = wn_val_of_int(-2), .dim2 = wn_val_of_int(-1)), .dims = WN_DIMS(-1)));
}

/* det(A) A^-T by singular values, which needs no inverse: det(U) det(V^T) U diag(products of the other values) V^T. */
static wn_tensor *transposed_adjugate(wn_tensor *a) {
    wn_linalg_svd_out f = wn_linalg_svd(a);
    if (!wn_ok(f.S)) return f.S;
    const int64_t n = wn_size(a, -1);
    wn_tensor *one = wn_ones_like(wn_narrow(f.S, -1, 0, 1));
    wn_tensor *before[2] = {one, wn_narrow(f.S, -1, 0, n - 1)}, *after[2] = {wn_narrow(f.S, -1, 1, n - 1), one};
    wn_tensor *left = wn_cumprod(wn_cat(((wn_list){.n = 2, .v = before}), .dim = WN_VAL(-1)), -1);
    wn_tensor *right = wn_flip(wn_cumprod(wn_flip(wn_cat(((wn_list){.n = 2, .v = after}), .dim = WN_VAL(-1)), WN_DIMS(-1)), -1), WN_DIMS(-1));
    wn_tensor *sign = wn_mul(wn_linalg_det(f.U), wn_linalg_det(f.Vh)), *others = wn_mul(wn_mul(left, right), wn_unsqueeze(sign, -1));
    return wn_matmul(wn_mul(f.U, wn_unsqueeze(others, -2)), f.Vh);
}

/* det(A) A^-T. The determinant is smooth where A is singular: there zeros on U's diagonal are replaced by something small, or, for a
 * second derivative, the singular values are asked. */
void wn__vjp_det_factoring(wn__gradctx *c, wn_tensor *A) {
    wn_tensor *lu = c->y[1], *g = c->g[0];
    if (!g || !wn_ok(lu) || !wn_numel(lu)) return;
    const double small = lu->dtype == WN_F64 ? 0x1p-52 : 0x1p-23;
    if (!wn_grad_enabled()) {
        wn_tensor *zero = wn_logical_and(wn_eq(lu, 0), wn_ne(wn__eye_like(lu), 0));
        lu = wn_masked_fill(lu, zero, small);
        c->gin[0] = scaled_inverse(A, lu, c->y[2], wn_mul(g, product_of_pivots(lu, c->y[2])));
    } else if (wn_item_i64(wn_any(wn_lt(wn_abs(c->y[0]), 100 * small)))) {
        c->gin[0] = wn_mul(wn_unsqueeze(wn_unsqueeze(g, -1), -1), transposed_adjugate(A));
    } else {
        c->gin[0] = scaled_inverse(A, lu, c->y[2], wn_mul(g, c->y[0]));
    }
}

