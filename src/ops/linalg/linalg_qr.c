/* QR factorisations and the reflectors that they are made of. */
#include "ops/linalg/linalg.h"

/* ------------------------------------------------------------------ geqrf */

/* From this many columns on our own blocks are faster than LAPACK's. */
enum { MANY = 48 };
static void factor(wn__lapack_job *j, char *a, char *tau, char *work) {
    const int ld = wn__column_ld(j->m, j->size);
    int info = 0;
    if (j->k >= MANY) wn__factor_qr(j, j->m, j->n, a, ld, tau, work);
    else j->lapack->geqrf(&j->m, &j->n, a, &ld, tau, work, &j->lwork, &info);
}

static void geqrf_one(wn__lapack_job *j, int64_t i, char *room) {
    const int ld = wn__column_ld(j->m, j->size);
    char *a = wn__take(&room, wn__columns_room(j->m, j->n, j->size)), *tau = wn__take(&room, (size_t)j->k * j->size);
    wn__mat_load(&j->a, i, a, ld);
    factor(j, a, tau, room);
    wn__mat_store(&j->x, i, a, ld);
    wn__mat_store(&j->y, i, tau, wn__ld(j->k));
}

/* Columns k .. of R's square below the diagonal hold the reflectors: zeros there. */
static void upper_only(const wn__lapack_job *j, char *a, int rows) {
    const size_t ld = (size_t)wn__column_ld(j->m, j->size);
    for (int col = 0; col < j->n; col++)
        if (col + 1 < rows) memset(a + ((size_t)col * ld + (size_t)col + 1) * j->size, 0, (size_t)(rows - col - 1) * j->size);
}

/* Q in x (nrhs columns; 0: not wanted), R in y. */
static void qr_one(wn__lapack_job *j, int64_t i, char *room) {
    const int ld = wn__column_ld(j->m, j->size), wide = j->n > j->nrhs ? j->n : j->nrhs;
    const size_t bytes = wn__columns_room(j->m, wide, j->size);
    char *a = wn__take(&room, bytes), *other = wn__take(&room, bytes);
    char *tau = wn__take(&room, (size_t)j->k * j->size);
    const wn__reflectors q = {.v = {a, 1, ld}, .tau = tau, .m = j->m, .k = j->k};
    int info = 0;
    wn__mat_load(&j->a, i, a, ld);
    factor(j, a, tau, room);
    memcpy(other, a, (size_t)ld * (size_t)j->n * j->size);
    upper_only(j, other, (int)j->y.rows);
    wn__mat_store(&j->y, i, other, ld);
    if (!j->nrhs) return;
    if (j->k >= MANY) {
        wn__form_q(j, &q, other, ld, j->nrhs);
        wn__mat_store(&j->x, i, other, ld);
    } else {
        j->lapack->orgqr(&j->m, &j->nrhs, &j->k, a, &ld, tau, room, &j->lwork, &info);
        wn__mat_store(&j->x, i, a, ld);
    }
}

static wn_status ask_work(wn__call *c, wn__lapack_job *j) {
    const int query = -1, ld = wn__column_ld(j->m, j->size);
    int info = 0, first = 1, second = 1;
    double answer = 0, dummy = 0;
    j->lapack->geqrf(&j->m, &j->n, &dummy, &ld, &dummy, &answer, &query, &info);
    wn_status st = wn__lapack_work(c, j, &answer, info, &first);
    if (!st && j->nrhs) {
        j->lapack->orgqr(&j->m, &j->nrhs, &j->k, &dummy, &ld, &dummy, &answer, &query, &info);
        st = wn__lapack_work(c, j, &answer, info, &second);
    }
    j->lwork = first > second ? first : second;
    return st;
}

wn_status wn__infer_geqrf(wn__call *c, wn_tensor *t) {
    const wn__lapack_job *j = wn__matrix_plan(c, "torch.geqrf", t, geqrf_one);
    if (!j) return c->th->error;
    int64_t shape[WN_MAX_DIMS];
    memcpy(shape, t->shape, sizeof shape);
    shape[t->ndim - 2] = j->k;
    wn_status st = wn__result_columns(c, 0, j->dtype, t->ndim, t->shape);
    return st ? st : wn__result(c, 1, j->dtype, t->ndim - 1, shape, NULL);
}
wn_status wn__run_geqrf(wn__call *c, wn_tensor *t) {
    const wn_tensor *x = c->out[0];
    wn__lapack_job *j = c->plan;
    wn_status st = wn__lapack_find(c, j);
    if (st || x->numel == 0 || (st = ask_work(c, j))) return st;
    const int nb = t->ndim - 2;
    j->room = wn__columns_room(j->m, j->n, j->size) + wn__piece((size_t)j->k, j->size) + (size_t)j->lwork * j->size;
    j->a = wn__mats_of(t, 2, nb, t->shape);
    j->x = wn__mats_of(x, 2, nb, t->shape);
    j->y = wn__mats_of(c->out[1], 1, nb, t->shape);
    return wn__lapack_run(c, j, x->numel / ((int64_t)j->m * j->n));
}

/* ------------------------------------------------------------------ qr */

wn_status wn__infer_linalg_qr(wn__call *c, wn_tensor *t, const char *mode_given) {
    const char *mode = mode_given ? mode_given : "reduced";
    const bool complete = !strcmp(mode, "complete"), no_q = !strcmp(mode, "r");
    if (!complete && !no_q && strcmp(mode, "reduced"))
        return wn__fail(WN_E_RUNTIME, "linalg.qr", "qr received unrecognized mode '%s' but expected one of 'reduced' (default), 'r', or 'complete'", mode);
    wn__lapack_job *j = wn__matrix_plan(c, "linalg.qr", t, qr_one);
    if (!j) return c->th->error;
    const int nb = t->ndim - 2;
    int64_t q[WN_MAX_DIMS], r[WN_MAX_DIMS], none = 0;
    memcpy(q, t->shape, sizeof q);
    memcpy(r, t->shape, sizeof r);
    q[nb + 1] = r[nb] = complete ? j->m : j->k;
    j->nrhs = no_q ? 0 : (int)q[nb + 1];
    wn_status st = no_q ? wn__result(c, 0, j->dtype, 1, &none, NULL) : wn__result_columns(c, 0, j->dtype, t->ndim, q);
    return st ? st : wn__result_columns(c, 1, j->dtype, t->ndim, r);
}
wn_status wn__run_linalg_qr(wn__call *c, wn_tensor *t, const char *mode) {
    const bool no_q = mode && !strcmp(mode, "r");
    wn__lapack_job *j = c->plan;
    wn_status st = wn__lapack_find(c, j);
    if (st) return st;
    const int nb = t->ndim - 2, wide = j->n > j->nrhs ? j->n : j->nrhs;
    if (t->numel == 0) { /* Q of nothing is the identity */
        if (!no_q) wn__identities(c->out[0]);
        return WN_OK;
    }
    if ((st = ask_work(c, j))) return st;
    j->room = 2 * wn__columns_room(j->m, wide, j->size) + wn__piece((size_t)j->k, j->size) + (size_t)j->lwork * j->size;
    j->a = wn__mats_of(t, 2, nb, t->shape);
    if (!no_q) j->x = wn__mats_of(c->out[0], 2, nb, t->shape);
    j->y = wn__mats_of(c->out[1], 2, nb, t->shape);
    return wn__lapack_run(c, j, t->numel / ((int64_t)j->m * j->n));
}

/* Square R: gA = (gQ + Q s(triu(gR R^T - Q^T gQ))) R^-T, s(X) = X + X^T with X's diagonal taken once. A wide A = [A1 A2] has
 * R2 = Q^T A2, so gA2 = Q gR2, and A2 gR2^T goes to gQ. */
void wn__vjp_linalg_qr(wn__gradctx *c, const char *mode_given) {
    const char *mode = mode_given ? mode_given : "reduced";
    wn_tensor *q = c->y[0], *r = c->y[1], *gq = c->g[0], *gr = c->g[1], *rest = NULL;
    if (!gq && !gr) return;
    const wn_dims shape = wn__input_shape(c, 0);
    const int64_t m = shape.v[shape.n - 2], n = shape.v[shape.n - 1];
    wn_status st = WN_OK;
    if (!strcmp(mode, "r"))
        st = wn__fail(WN_E_RUNTIME, "linalg_qr_backward", "The derivative of linalg.qr depends on Q, which is not computed when mode='r'. Please use linalg.qr(A, "
                      "mode='reduced') if you are going to require gradients.");
    else if (!strcmp(mode, "complete") && m > n)
        st = wn__fail(WN_E_RUNTIME, "linalg_qr_backward", "The QR decomposition is not differentiable when mode='complete' and nrows > ncols.");
    if (st) {
        c->gin[0] = &wn__bad_tensor;
        return;
    }
    if (n > m) {
        wn_tensor *r2 = wn_narrow(r, -1, m, n - m), *g2 = gr ? wn_narrow(gr, -1, m, n - m) : NULL;
        r = wn_narrow(r, -1, 0, m);
        if (gr) {
            rest = wn_matmul(q, g2);
            wn_tensor *more = wn_matmul(wn_matmul(q, r2), wn_mT(g2));
            gq = gq ? wn_add(gq, more) : more;
            gr = wn_narrow(gr, -1, 0, m);
        } else {
            rest = wn_mul(wn_matmul(q, r2), 0);
        }
    }
    wn_tensor *x = gr ? wn_matmul(gr, wn_mT(r)) : NULL, *y = gq ? wn_matmul(wn_mT(q), gq) : NULL;
    x = wn_triu(x && y ? wn_sub(x, y) : x ? x : wn_neg(y));
    x = wn_matmul(q, wn_add(wn_triu(x, .diagonal = 1), wn_mT(x)));
    if (gq) x = wn_add(x, gq);
    x = wn_linalg_solve_triangular(wn_mT(r), x, false, .left = WN_OFF);
    wn_tensor *parts[2] = {x, rest};
    c->gin[0] = rest ? wn_cat(((wn_list){.n = 2, .v = parts}), .dim = WN_VAL(-1)) : x;
}

/* ------------------------------------------------------------------ products of reflectors */

static wn_status check_reflectors(const char *name, const wn_tensor *in, const wn_tensor *tau, bool whole) {
    wn_status st = wn__need_matrix(name, in, "input");
    if (!st) st = wn__need_float(name, in);
    if (st) return st;
    const int64_t m = in->shape[in->ndim - 2], n = in->shape[in->ndim - 1];
    if (whole && m < n) return wn__fail(WN_E_RUNTIME, name, "input.shape[-2] must be greater than or equal to input.shape[-1] (%s)", wn__desc(in));
    if (tau->ndim != in->ndim - 1) return wn__fail(WN_E_RUNTIME, name, "Expected tau to have one dimension less than input (%s and %s)", wn__desc(tau), wn__desc(in));
    if (tau->shape[tau->ndim - 1] > wn__least(m, n))
        return wn__fail(WN_E_RUNTIME, name, "input.shape[-1] must be greater than or equal to tau.shape[-1] (%s and %s)", wn__desc(in), wn__desc(tau));
    for (int d = 0; d + 1 < tau->ndim; d++)
        if (tau->shape[d] != in->shape[d]) return wn__fail(WN_E_RUNTIME, name, "Expected batch dimensions of tau to be equal to input.shape[:-2], but got %s and %s", wn__desc(tau), wn__desc(in));
    if (in->dtype == tau->dtype) return WN_OK;
    return wn__fail(WN_E_RUNTIME, name, "tau dtype %s does not match input dtype %s", wn__dtype_word(tau->dtype), wn__dtype_word(in->dtype));
}

static void product_one(wn__lapack_job *j, int64_t i, char *room) {
    const int ld = wn__ld(j->m);
    char *a = wn__take(&room, (size_t)j->m * (size_t)j->n * j->size), *tau = wn__take(&room, (size_t)j->k * j->size);
    int info = 0;
    wn__mat_load(&j->a, i, a, ld);
    if (j->k) wn__mat_load(&j->b, i, tau, wn__ld(j->k));
    j->lapack->orgqr(&j->m, &j->n, &j->k, a, &ld, tau, room, &j->lwork, &info);
    wn__mat_store(&j->x, i, a, ld);
}

wn_status wn__infer_reflectors_product(wn__call *c, wn_tensor *t, wn_tensor *tau) {
    wn_status st = check_reflectors("torch.linalg.householder_product", t, tau, true);
    wn__lapack_job *j = st ? NULL : wn__matrix_plan(c, "torch.linalg.householder_product", t, product_one);
    if (!j) return c->th->error;
    j->k = (int)tau->shape[tau->ndim - 1];
    return wn__result(c, 0, j->dtype, t->ndim, t->shape, NULL);
}
wn_status wn__run_reflectors_product(wn__call *c, wn_tensor *t, wn_tensor *tau) {
    const wn_tensor *x = c->out[0];
    wn__lapack_job *j = c->plan;
    wn_status st = wn__lapack_find(c, j);
    if (st || x->numel == 0) return st;
    const int query = -1, ld = wn__ld(j->m), nb = t->ndim - 2;
    int info = 0;
    double answer = 0, dummy = 0;
    j->lapack->orgqr(&j->m, &j->n, &j->k, &dummy, &ld, &dummy, &answer, &query, &info);
    if ((st = wn__lapack_work(c, j, &answer, info, &j->lwork))) return st;
    j->room = wn__piece((size_t)j->m * (size_t)j->n, j->size) + wn__piece((size_t)j->k, j->size) + (size_t)j->lwork * j->size;
    j->a = wn__mats_of(t, 2, nb, t->shape);
    if (j->k) j->b = wn__mats_of(tau, 1, nb, t->shape);
    j->x = wn__mats_of(x, 2, nb, t->shape);
    return wn__lapack_run(c, j, x->numel / ((int64_t)j->m * j->n));
}

/* H_i X with H_i = I - tau_i v_i v_i^T, one after the other, in rows: for gradients. last_first: H_1 (H_2 (... X)). */
static wn_tensor *reflect(wn_tensor *in, wn_tensor *tau, wn_tensor *x, bool last_first) {
    const int64_t m = wn_size(in, -2), k = wn_size(tau, -1);
    wn_tensor *v = wn_narrow(in, -1, 0, k);
    if (k == 0) return wn_add(x, wn_add(wn_sum(v), wn_sum(tau))); /* of nothing, but with a history */
    v = wn_add(wn_tril(v, .diagonal = -1), wn_eye(m, .m = wn_val_of_int(k), .dtype = wn_dtype_of(in)));
    for (int64_t s = 0; s < k && wn_ok(x); s++) {
        const int64_t i = last_first ? k - 1 - s : s;
        wn_tensor *vi = wn_narrow(v, -1, i, 1), *ti = wn_unsqueeze(wn_narrow(tau, -1, i, 1), -1);
        x = wn_sub(x, wn_mul(ti, wn_matmul(vi, wn_matmul(wn_mT(vi), x))));
    }
    return x;
}

wn_status wn__op_linalg_householder_product(wn__call *c, wn_tensor *in, wn_tensor *tau) {
    wn_status st = check_reflectors("torch.linalg.householder_product", in, tau, true);
    if (st) return st;
    if (!wn__records(c, in) && !wn__records(c, tau)) return wn__give(c, 0, wn_reflectors_product(in, tau));
    wn_tensor *eye = wn_eye(wn_size(in, -2), .m = wn_val_of_int(wn_size(in, -1)), .dtype = (wn_dtype)in->dtype);
    return wn__give(c, 0, reflect(in, tau, wn_expand(eye, wn_shape(in)), true));
}

static void apply_one(wn__lapack_job *j, int64_t i, char *room) {
    const int ld = wn__ld(j->m), rows = (int)j->a.rows, lda = wn__ld(rows);
    char *a = wn__take(&room, (size_t)rows * (size_t)j->k * j->size), *tau = wn__take(&room, (size_t)j->k * j->size);
    char *x = wn__take(&room, (size_t)j->m * (size_t)j->n * j->size);
    int info = 0;
    wn__mat_load(&j->a, i, a, lda);
    wn__mat_load(&j->b, i, tau, wn__ld(j->k));
    wn__mat_load(&j->x, i, x, ld);
    j->lapack->ormqr("L", &j->trans, &j->m, &j->n, &j->k, a, &lda, tau, x, &ld, room, &j->lwork, &info, 1, 1);
    wn__mat_store(&j->y, i, x, ld);
}

/* From the left only: the other side is this one of the transposed problem. */
wn_status wn__infer_reflectors_apply(wn__call *c, wn_tensor *input, wn_tensor *tau, wn_tensor *t, bool transpose) {
    const char *name = "torch.ormqr";
    wn_status st = check_reflectors(name, input, tau, false);
    if (!st) st = wn__need_matrix(name, t, "other");
    if (!st) st = wn__need_same_dtype(name, input, t);
    if (st) return st;
    bool fits = t->ndim == input->ndim && t->shape[t->ndim - 2] == input->shape[t->ndim - 2];
    for (int d = 0; fits && d < t->ndim - 2; d++) fits = t->shape[d] == input->shape[d];
    if (!fits) return wn__fail(WN_E_RUNTIME, name, "other %s does not fit input %s", wn__desc(t), wn__desc(input));
    wn__lapack_job *j = wn__matrix_plan(c, name, t, apply_one);
    if (!j) return c->th->error;
    j->trans = transpose ? 'T' : 'N';
    j->k = (int)tau->shape[tau->ndim - 1];
    return wn__result(c, 0, j->dtype, t->ndim, t->shape, NULL);
}
wn_status wn__run_reflectors_apply(wn__call *c, wn_tensor *input, wn_tensor *tau, wn_tensor *t) {
    const wn_tensor *y = c->out[0];
    wn__lapack_job *j = c->plan;
    wn_status st = wn__lapack_find(c, j);
    if (st || y->numel == 0) return st;
    if (j->k == 0) return wn__copy(c->out[0], t);
    const int query = -1, ld = wn__ld(j->m), nb = t->ndim - 2;
    int info = 0;
    double answer = 0, dummy = 0;
    j->lapack->ormqr("L", &j->trans, &j->m, &j->n, &j->k, &dummy, &ld, &dummy, &dummy, &ld, &answer, &query, &info, 1, 1);
    if ((st = wn__lapack_work(c, j, &answer, info, &j->lwork))) return st;
    j->room = wn__piece((size_t)j->m * (size_t)j->k, j->size) + wn__piece((size_t)j->k, j->size) + wn__piece((size_t)j->m * (size_t)j->n, j->size) + (size_t)j->lwork * j->size;
    j->a = wn__mats_of(input, 2, nb, t->shape);
    j->a.cols = j->k;
    j->b = wn__mats_of(tau, 1, nb, t->shape);
    j->x = wn__mats_of(t, 2, nb, t->shape);
    j->y = wn__mats_of(y, 2, nb, t->shape);
    return wn__lapack_run(c, j, y->numel / ((int64_t)j->m * j->n));
}

wn_status wn__op_ormqr(wn__call *c, wn_tensor *self, wn_tensor *input2, wn_tensor *other, bool left, bool transpose) {
    const char *name = "torch.ormqr";
    wn_status st = check_reflectors(name, self, input2, false);
    if (!st) st = wn__need_matrix(name, other, "other");
    if (!st) st = wn__need_same_dtype(name, self, other);
    if (!st && (other->ndim != self->ndim || other->shape[other->ndim - (left ? 2 : 1)] != self->shape[self->ndim - 2]))
        st = wn__fail(WN_E_RUNTIME, name, "other.shape[%d] must be equal to input.shape[-2] (%s and %s)", left ? -2 : -1, wn__desc(other), wn__desc(self));
    if (st) return st;
    wn_tensor *x = left ? other : wn_mT(other); /* C Q = (Q^T C^T)^T */
    const bool transposed = left ? transpose : !transpose;
    if (wn__records(c, self) || wn__records(c, input2) || wn__records(c, other)) x = reflect(self, input2, x, !transposed);
    else x = wn_reflectors_apply(self, input2, x, transposed);
    return wn__give(c, 0, left ? x : wn_mT(x));
}
