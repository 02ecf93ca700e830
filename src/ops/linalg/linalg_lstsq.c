/* Least squares, pseudo-inverses and what is counted by singular values: rank and condition. */
#include <float.h>
#include <math.h>
#include "ops/linalg/linalg.h"

/* ------------------------------------------------------------------ lstsq */

enum { GELS, GELSY, GELSD, GELSS };
static const char *const drivers[] = {"gels", "gelsy", "gelsd", "gelss"};

static int lstsq_lapack(wn__lapack_job *j, int64_t i, char *a, char *s, int *integers, int *rank, char *room) {
    const int lda = wn__column_ld(j->m, j->size), rows = j->m > j->n ? j->m : j->n, ldb = wn__ld(rows);
    const size_t bytes = (size_t)rows * (size_t)j->nrhs * j->size;
    const float number = (float)j->number;
    const void *rcond = j->dtype == WN_F64 ? (const void *)&j->number : &number;
    char *b = wn__take(&room, bytes);
    int info = 0;
    memset(b, 0, bytes);
    wn__mat_load(&j->b, i, b, ldb);
    switch (j->job) {
    case GELS: j->lapack->gels("N", &j->m, &j->n, &j->nrhs, a, &lda, b, &ldb, room, &j->lwork, &info, 1); break;
    case GELSY: j->lapack->gelsy(&j->m, &j->n, &j->nrhs, a, &lda, b, &ldb, integers, rcond, rank, room, &j->lwork, &info); break;
    case GELSD: j->lapack->gelsd(&j->m, &j->n, &j->nrhs, a, &lda, b, &ldb, s, rcond, rank, room, &j->lwork, integers, &info); break;
    default: j->lapack->gelss(&j->m, &j->n, &j->nrhs, a, &lda, b, &ldb, s, rcond, rank, room, &j->lwork, &info);
    }
    wn__mat_store(&j->x, i, b, ldb);
    return info;
}

static void lstsq_one(wn__lapack_job *j, int64_t i, char *room) {
    char *a = wn__take(&room, wn__columns_room(j->m, j->n, j->size)), *s = wn__take(&room, (size_t)j->k * j->size);
    int *integers = (int *)(void *)wn__take(&room, (size_t)j->liwork * sizeof *integers), rank = 0;
    wn__mat_load(&j->a, i, a, wn__column_ld(j->m, j->size));
    memset(integers, 0, (size_t)j->liwork * sizeof *integers);
    const double largest = wn__largest_magnitude(j, j->m, j->n, a, wn__column_ld(j->m, j->size), false);
    const bool steps = j->flag && wn__needs_no_scaling(j, largest);
    const bool endless = (j->job == GELSD || j->job == GELSS) && !isfinite(largest); /* as gesdd (linalg_eig.c) */
    const int info = endless ? -4 : steps ? wn__lstsq_steps(j, i, a, j->job == GELSY ? integers : NULL, &rank, room) : lstsq_lapack(j, i, a, s, integers, &rank, room);
    if (j->y.p) wn__mat_store(&j->y, i, s, wn__ld(j->k));
    if (j->pivots.p) { /* the rank, as int64 */
        const int64_t wide = rank;
        memcpy(wn__mat_at(&j->pivots, i), &wide, sizeof wide);
    }
    wn__store_info(j, i, info);
}

static wn_status ask_work(wn__call *c, wn__lapack_job *j) {
    const int query = -1, lda = wn__column_ld(j->m, j->size), ldb = wn__ld(j->m > j->n ? j->m : j->n);
    double answer = 0, dummy = 0;
    int info = 0, rank = 0, integers = 0;
    switch (j->job) {
    case GELS: j->lapack->gels("N", &j->m, &j->n, &j->nrhs, &dummy, &lda, &dummy, &ldb, &answer, &query, &info, 1); break;
    case GELSY: j->lapack->gelsy(&j->m, &j->n, &j->nrhs, &dummy, &lda, &dummy, &ldb, &integers, &dummy, &rank, &answer, &query, &info); break;
    case GELSD: j->lapack->gelsd(&j->m, &j->n, &j->nrhs, &dummy, &lda, &dummy, &ldb, &dummy, &dummy, &rank, &answer, &query, &integers, &info); break;
    default: j->lapack->gelss(&j->m, &j->n, &j->nrhs, &dummy, &lda, &dummy, &ldb, &dummy, &dummy, &rank, &answer, &query, &info);
    }
    j->liwork = j->job == GELSY ? j->n : integers > 0 ? integers : 1;
    return wn__lapack_work(c, j, &answer, info, &j->lwork);
}

static bool ranked(const wn__lapack_job *j) { return j->job != GELS; } /* does the driver find the rank, and singular values? */
static bool has_values(const wn__lapack_job *j) { return j->job == GELSD || j->job == GELSS; }

wn_status wn__infer_lstsq_driver(wn__call *c, wn_tensor *t, wn_tensor *b, wn_val rcond, const char *driver_given) {
    const char *name = "torch.linalg.lstsq", *driver = driver_given ? driver_given : "gelsy";
    wn_status st = wn__need_matrix(name, t, "input");
    if (!st) st = wn__need_matrix(name, b, "other");
    if (!st) st = wn__need_float(name, t);
    if (!st) st = wn__need_same_dtype(name, t, b);
    if (!st && t->shape[t->ndim - 2] != b->shape[b->ndim - 2])
        st = wn__fail(WN_E_RUNTIME, name, "input.size(-2) should match other.size(-2) (%s and %s)", wn__desc(t), wn__desc(b));
    char which = 0;
    while (which < 4 && strcmp(drivers[(int)which], driver)) which++;
    if (!st && which == 4) st = wn__fail(WN_E_RUNTIME, name, "parameter `driver` should be one of (gels, gelsy, gelsd, gelss)");
    int64_t shape[WN_MAX_DIMS], few[WN_MAX_DIMS];
    const int nb = st ? 0 : wn__linalg_batch(name, t, 2, b, 2, shape);
    if (nb < 0) return c->th->error;
    wn__lapack_job *j = st ? NULL : wn__lapack_plan(c, t, lstsq_one);
    if (!j) return c->th->error;
    st = wn__lapack_size(c, t, t->shape[t->ndim - 2], &j->m);
    if (!st) st = wn__lapack_size(c, t, t->shape[t->ndim - 1], &j->n);
    if (!st) st = wn__lapack_size(c, b, b->shape[b->ndim - 1], &j->nrhs);
    if (st) return st;
    j->job = which;
    j->k = j->m < j->n ? j->m : j->n;
    const double eps = j->dtype == WN_F64 ? DBL_EPSILON : (double)FLT_EPSILON;
    j->number = rcond.kind == WN_VAL_NONE ? eps * (j->m > j->n ? j->m : j->n) : wn__val_f64(rcond);
    memcpy(few, shape, sizeof few);
    const int64_t none = 0;
    shape[nb] = j->n;
    shape[nb + 1] = j->nrhs;
    few[nb] = j->k;
    st = wn__result(c, 0, j->dtype, nb + 2, shape, NULL);
    if (!st) st = wn__result(c, 1, WN_I64, ranked(j) ? nb : 1, ranked(j) ? few : &none, NULL);
    return st ? st : wn__result(c, 2, j->dtype, has_values(j) ? nb + 1 : 1, has_values(j) ? few : &none, NULL);
}
wn_status wn__run_lstsq_driver(wn__call *c, wn_tensor *self, wn_tensor *b) {
    const wn_tensor *x = c->out[0], *rank = c->out[1], *s = c->out[2];
    wn__lapack_job *j = c->plan;
    wn_status st = wn__lapack_find(c, j);
    if (st) return st;
    const int nb = x->ndim - 2;
    int64_t batch = 1;
    for (int d = 0; d < nb; d++) batch *= x->shape[d];
    if (batch == 0 || j->m == 0 || j->n == 0 || j->nrhs == 0) {
        memset(wn__ptr(x), 0, (size_t)x->numel * j->size);
        if (ranked(j)) memset(wn__ptr(rank), 0, (size_t)rank->numel * sizeof(int64_t));
        if (has_values(j)) memset(wn__ptr(s), 0, (size_t)s->numel * j->size);
        return WN_OK;
    }
    if ((st = ask_work(c, j))) return st;
    j->flag = j->job == GELSY || j->job == GELS ? wn__lstsq_has_steps(j, j->job == GELSY) : false;
    j->room = wn__columns_room(j->m, j->n, j->size) + wn__piece((size_t)(j->m > j->n ? j->m : j->n) * (size_t)j->nrhs, j->size) +
              (j->flag ? wn__lstsq_steps_room(j) : 0) + wn__piece((size_t)j->k, j->size) + wn__piece((size_t)j->liwork, sizeof(int)) + (size_t)j->lwork * j->size;
    j->a = wn__mats_of(self, 2, nb, x->shape);
    j->b = wn__mats_of(b, 2, nb, x->shape);
    j->x = wn__mats_of(x, 2, nb, x->shape);
    if (has_values(j)) j->y = wn__mats_of(s, 1, nb, x->shape);
    if (ranked(j)) j->pivots = wn__mats_of(rank, 0, nb, x->shape);
    return wn__lapack_run_checked(c, j, nb, x->shape, "torch.linalg.lstsq", WN__IS_LSTSQ);
}

wn_status wn__op_linalg_lstsq(wn__call *c, wn_tensor *t, wn_tensor *b, wn_val rcond, const char *driver) {
    const char *name = "torch.linalg.lstsq";
    wn_status st = wn__need_matrix(name, t, "input");
    if (!st && b->ndim < 1) st = wn__fail(WN_E_RUNTIME, name, "other must have at least 1 dimension.");
    if (st) return st;
    const int64_t m = t->shape[t->ndim - 2], n = t->shape[t->ndim - 1];
    bool vector = b->ndim + 1 == t->ndim;
    for (int d = 0; vector && d < b->ndim; d++) vector = b->shape[d] == t->shape[d];
    if (!vector && b->ndim == 1 && t->ndim == 2) return wn__fail(WN_E_RUNTIME, name, "input.size(-2) should match other.size(-1) (%s and %s)", wn__desc(t), wn__desc(b));
    if (!vector && b->ndim == 1) return wn__fail(WN_E_RUNTIME, name, "input.dim() must be greater or equal to other.dim() and (input.dim() - other.dim()) <= 1");
    if (vector) b = wn_unsqueeze(b, -1);
    wn_lstsq_driver_out r = wn_lstsq_driver(t, b, .rcond = rcond, .driver = driver);
    if (!wn_ok(r.solution)) return c->th->error;
    wn_tensor *left = wn_narrow(wn_flatten(r.solution), 0, 0, 0);
    bool full = m > n && (!driver || strcmp(driver, "gelsy"));
    if (full && r.rank->numel && r.rank->ndim == t->ndim - 2) full = wn_item_i64(wn_all(wn_eq(r.rank, n)));
    if (m > n && full && driver) { /* what is not explained, where the rank is full */
        wn_tensor *rest = wn_sub(wn_matmul(t, r.solution), b);
        left = wn_sum(wn_mul(rest, rest), .dims = WN_DIMS(-2));
    }
    st = wn__give(c, 0, vector ? wn_squeeze_dim(r.solution, -1) : r.solution);
    if (!st) st = wn__give(c, 1, left);
    if (!st) st = wn__give(c, 2, r.rank);
    return st ? st : wn__give(c, 3, wn_detach(r.singular_values));
}

/* ------------------------------------------------------------------ pinv */

/* dP = -P dA P + P P^T dA^T (I - A P) + (I - P A) dA^T P^T P, so with G the cotangent of P: */
wn_status wn__op_pinv_grad(wn__call *c, wn_tensor *grad, wn_tensor *p, wn_tensor *m) {
    wn_tensor *gt = wn_mT(grad), *pt = wn_mT(p), *r;
    if (wn_size(m, -2) <= wn_size(m, -1)) {
        wn_tensor *k = wn_matmul(gt, p), *kpt = wn_matmul(k, pt);
        r = wn_sub(kpt, wn_mT(wn_matmul(p, k)));
        r = wn_sub(r, wn_matmul(wn_matmul(m, p), kpt));
        r = wn_add(r, wn_matmul(wn_matmul(pt, p), wn_sub(gt, wn_matmul(k, m))));
    } else {
        wn_tensor *k = wn_matmul(p, gt), *ptk = wn_matmul(pt, k);
        r = wn_sub(ptk, wn_mT(wn_matmul(k, p)));
        r = wn_add(r, wn_matmul(wn_matmul(wn_sub(gt, wn_matmul(m, k)), p), pt));
        r = wn_sub(r, wn_matmul(wn_matmul(ptk, p), m));
    }
    return wn__give(c, 0, r);
}

/* max(atol, rtol * largest) for each matrix; the usual rtol is eps * the larger side, 0 when atol is given. */
static wn_tensor *threshold(wn_tensor *t, wn_tensor *largest, wn_val atol, wn_val rtol) {
    const double eps = t->dtype == WN_F64 ? DBL_EPSILON : (double)FLT_EPSILON;
    const int64_t m = t->shape[t->ndim - 2], n = t->shape[t->ndim - 1];
    wn_val relative = rtol;
    if (rtol.kind == WN_VAL_NONE) {
        const double usual = eps * (double)(m > n ? m : n);
        if (atol.kind == WN_VAL_NONE) relative = wn_val_of_float(usual);
        else if (atol.kind == WN_VAL_TENSOR) relative = wn_val_of_tensor(wn_where(wn_gt(atol, 0), 0.0, usual));
        else relative = wn_val_of_float(wn__val_f64(atol) > 0 ? 0 : usual);
    }
    wn_tensor *r = wn_mul(largest, relative);
    if (atol.kind == WN_VAL_NONE) return r;
    wn_tensor *absolute = atol.kind == WN_VAL_TENSOR ? wn_to(atol.u.t, wn_dtype_of(largest)) : wn_full(WN_0D, atol, .dtype = wn_dtype_of(largest));
    return wn_maximum(r, absolute);
}

wn_status wn__infer_pinv_cut(wn__call *c, wn_tensor *t, bool hermitian) {
    wn_status st = t->ndim >= 2 ? WN_OK : wn__fail(WN_E_RUNTIME, "linalg.pinv", "expected a tensor with 2 or more dimensions, but got %s", wn__desc(t));
    if (!st) st = wn__need_float("linalg.pinv", t);
    if (!st && hermitian) st = wn__need_square("linalg.pinv", t, "A");
    if (st) return st;
    int64_t shape[WN_MAX_DIMS];
    memcpy(shape, t->shape, sizeof shape);
    shape[t->ndim - 1] = t->shape[t->ndim - 2];
    shape[t->ndim - 2] = t->shape[t->ndim - 1];
    return wn__result(c, 0, (wn_dtype)t->dtype, t->ndim, shape, NULL);
}
wn_status wn__run_pinv_cut(wn__call *c) { /* by singular values, or eigenvalues of a symmetric matrix */
    const wn_pinv_cut_args *a = c->args;
    wn_tensor *t = a->self;
    WN_NO_GRAD();
    wn_tensor *y;
    if (t->numel == 0) {
        y = wn_zeros(wn_shape(c->out[0]), .dtype = (wn_dtype)t->dtype);
    } else {
        wn_tensor *u, *v, *value, *size;
        if (a->hermitian) {
            wn_linalg_eigh_out f = wn_linalg_eigh(t);
            value = f.eigenvalues, u = f.eigenvectors, v = f.eigenvectors;
            size = wn_abs(value);
        } else {
            wn_linalg_svd_out f = wn_linalg_svd(t, .full_matrices = WN_OFF);
            value = size = f.S, u = f.U, v = wn_mT(f.Vh);
        }
        wn_tensor *least = threshold(t, wn_amax(size, .dims = WN_DIMS(-1)), a->atol, a->rtol);
        wn_tensor *inverse = wn_where(wn_gt(size, wn_unsqueeze(least, -1)), wn_reciprocal(value), 0);
        y = wn_matmul(wn_mul(v, wn_unsqueeze(inverse, -2)), wn_mT(u));
    }
    return wn__give(c, 0, y);
}

/* ------------------------------------------------------------------ rank, condition */

wn_status wn__op_linalg_matrix_rank(wn__call *c, wn_tensor *t, wn_val atol, wn_val rtol, bool hermitian) {
    const char *name = "linalg.matrix_rank";
    wn_status st = wn__need_matrix(name, t, "A");
    if (!st) st = wn__need_float(name, t);
    if (!st && hermitian) st = wn__need_square(name, t, "A");
    if (st) return st;
    WN_NO_GRAD();
    wn_tensor *y;
    wn_dims shape = wn_shape(t);
    shape.n = shape.n > 2 ? shape.n - 2 : -1;
    if (t->numel == 0) {
        y = wn_zeros(shape, .dtype = WN_I64);
    } else {
        wn_tensor *size = hermitian ? wn_abs(wn_linalg_eigvalsh(t)) : wn_linalg_svdvals(t);
        wn_tensor *least = threshold(t, wn_amax(size, .dims = WN_DIMS(-1)), atol, rtol);
        y = wn_sum(wn_gt(size, wn_unsqueeze(least, -1)), .dims = WN_DIMS(-1));
    }
    return wn__give(c, 0, y);
}

wn_status wn__op_linalg_cond(wn__call *c, wn_tensor *t, wn_val p_given) {
    wn_status st = wn__need_matrix("linalg.cond", t, "A");
    if (st) return st;
    const bool two = p_given.kind == WN_VAL_NONE || fabs(wn__val_f64(p_given)) == 2;
    wn_dims shape = wn_shape(t);
    shape.n = shape.n > 2 ? shape.n - 2 : -1;
    if (t->numel == 0 && (two || t->shape[t->ndim - 1] == t->shape[t->ndim - 2]))
        return wn__give(c, 0, wn_zeros(shape, .dtype = wn__is_float(t->dtype) ? (wn_dtype)t->dtype : wn_default_dtype()));
    if (two) {
        if ((st = wn__need_float("linalg.cond", t))) return st;
        wn_tensor *v = wn_linalg_svdvals(t), *most = wn_select(v, -1, 0), *least = wn_select(v, -1, -1);
        if (!wn_ok(v)) return c->th->error;
        return wn__give(c, 0, p_given.kind != WN_VAL_NONE && wn__val_f64(p_given) < 0 ? wn_div(least, most) : wn_div(most, least));
    }
    if ((st = wn__need_square("linalg.cond", t, "A"))) return st;
    const double p = wn__val_f64(p_given);
    if (fabs(p) != 1 && !isinf(p)) return wn__fail_op(c, WN_E_RUNTIME, "linalg.cond got an invalid norm type: %g", p);
    wn_linalg_inv_ex_out r = wn_linalg_inv_ex(t);
    wn_tensor *y = wn_mul(wn_linalg_matrix_norm(t, p_given), wn_linalg_matrix_norm(r.inverse, p_given));
    return wn__give(c, 0, wn_where(wn_eq(r.info, 0), y, (double)INFINITY)); /* singular */
}
wn_status wn__op_linalg_cond_named(wn__call *c, wn_tensor *t, const char *p_given) {
    const char *p = p_given ? p_given : "";
    wn_status st = wn__need_square("linalg.cond", t, "A");
    if (st) return st;
    if (strcmp(p, "fro") && strcmp(p, "nuc")) return wn__fail_op(c, WN_E_RUNTIME, "linalg.cond got an invalid norm type: %.40s", p);
    wn_linalg_inv_ex_out r = wn_linalg_inv_ex(t);
    if (!wn_ok(r.info)) return c->th->error;
    wn_tensor *inverse = wn_where(wn_unsqueeze(wn_unsqueeze(wn_eq(r.info, 0), -1), -1), r.inverse, 0); /* nuc knows no infinities */
    wn_tensor *y = wn_mul(wn_linalg_matrix_norm_named(t, .ord = p), wn_linalg_matrix_norm_named(inverse, .ord = p));
    return wn__give(c, 0, wn_where(wn_eq(r.info, 0), y, (double)INFINITY));
}
