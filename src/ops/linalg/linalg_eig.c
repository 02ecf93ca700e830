/* Eigenvalues of symmetric matrices and singular values. */
#include "ops/linalg/linalg.h"
#include <math.h>

/* ------------------------------------------------------------------ eigh */

/* From this size on steps whose products are our own are faster than LAPACK in one. */
enum { MANY = 64 };

/* syevd of the lower triangle in steps; the vectors to z. */
static int eigh_steps(wn__lapack_job *j, char *a, char *w, char *z, char *tau, char *work, int *iwork) {
    const int n = j->n, ld = wn__column_ld(n, j->size);
    char *e = tau + wn__piece((size_t)n, j->size);
    const wn__reflectors q = {.v = {a + j->size, 1, ld}, .tau = tau, .m = n - 1, .k = n - 1};
    int info = 0;
    j->lapack->sytrd("L", &n, a, &ld, w, e, tau, work, &j->lwork, &info, 1);
    j->lapack->stedc("I", &n, w, e, z, &ld, work, &j->lwork, iwork, &j->liwork, &info, 1);
    if (!info) wn__reflect(j, &q, false, (wn__matrix){z + j->size, 1, ld}, n);
    return info;
}

/* a is turned where the upper triangle counts. */
static void eigh_one(wn__lapack_job *j, int64_t i, char *room) {
    const int n = j->n, ld = wn__column_ld(n, j->size);
    const size_t square = wn__columns_room(n, n, j->size);
    char *a = wn__take(&room, square), *w = wn__take(&room, (size_t)n * j->size), *z = NULL, *tau = NULL;
    int *iwork = (int *)(void *)wn__take(&room, (size_t)j->liwork * sizeof *iwork), info = 0;
    wn__mat_load(&j->a, i, a, ld);
    if (j->flag) z = wn__take(&room, square), tau = wn__take(&room, 2 * wn__piece((size_t)n, j->size));
    if (j->flag && wn__needs_no_scaling(j, wn__largest_magnitude(j, n, n, a, ld, true))) {
        info = eigh_steps(j, a, w, z, tau, room, iwork);
        a = z;
    } else {
        j->lapack->syevd(&j->job, "L", &n, a, &ld, w, room, &j->lwork, iwork, &j->liwork, &info, 1, 1);
    }
    wn__mat_store(&j->x, i, w, ld);
    if (j->job == 'V') wn__mat_store(&j->y, i, a, ld);
    wn__store_info(j, i, info);
}

wn_status wn__infer_eigh_vectors(wn__call *c, wn_tensor *t, const char *UPLO, bool compute_v) {
    const char *name = "linalg.eigh", *uplo = UPLO ? UPLO : "L";
    wn__lapack_job *j = wn__square_plan(c, name, t, eigh_one);
    if (!j) return c->th->error;
    if (uplo[0] == 0 || uplo[1] || !strchr("LUlu", uplo[0]))
        return wn__fail(WN_E_RUNTIME, name, "Expected UPLO argument to be 'L' or 'U', but got %.20s", uplo);
    j->job = compute_v ? 'V' : 'N';
    j->uplo = uplo[0] == 'u' || uplo[0] == 'U' ? 'U' : 'L';
    const int64_t none = 0;
    const wn_status st = wn__result(c, 0, j->dtype, t->ndim - 1, t->shape, NULL);
    if (st || !compute_v) return st ? st : wn__result(c, 1, j->dtype, 1, &none, NULL);
    return wn__result_columns(c, 1, j->dtype, t->ndim, t->shape);
}

static wn_status ask_eigh_work(wn__call *c, wn__lapack_job *j) {
    const int query = -1, ld = wn__ld(j->n);
    int info = 0, integers = 1;
    double answer = 0, dummy = 0;
    j->lapack->syevd(&j->job, "L", &j->n, &dummy, &ld, &dummy, &answer, &query, &integers, &query, &info, 1, 1);
    j->liwork = integers < 1 ? 1 : integers;
    return wn__lapack_work(c, j, &answer, info, &j->lwork);
}
wn_status wn__run_eigh_vectors(wn__call *c, wn_tensor *t, bool compute_v) {
    wn__lapack_job *j = c->plan;
    wn_status st = wn__lapack_find(c, j);
    if (st || t->numel == 0 || (st = ask_eigh_work(c, j))) return st;
    const int nb = t->ndim - 2;
    j->flag = compute_v && j->n >= MANY; /* in steps */
    j->room = wn__columns_room(j->n, j->n, j->size) + wn__piece((size_t)j->n, j->size) + wn__piece((size_t)j->liwork, sizeof(int)) + (size_t)j->lwork * j->size;
    if (j->flag) j->room += wn__columns_room(j->n, j->n, j->size) + 2 * wn__piece((size_t)j->n, j->size);
    j->a = wn__mats_of(t, 2, nb, t->shape);
    if (j->uplo == 'U') j->a = wn__mats_turned(j->a);
    j->x = wn__mats_of(c->out[0], 1, nb, t->shape);
    if (compute_v) j->y = wn__mats_of(c->out[1], 2, nb, t->shape);
    return wn__lapack_run_checked(c, j, nb, t->shape, "linalg.eigh", WN__IS_EIG);
}

/* V (diag(gL) + skew(V^T gV) / E) V^T with E_ij = L_j - L_i; half of the skew part, since only symmetric changes count. */
void wn__vjp_eigh_vectors(wn__gradctx *c, bool compute_v) {
    wn_tensor *l = c->y[0], *v = c->y[1], *gl = c->g[0], *gv = c->g[1];
    if (!gl && !gv) return;
    if (!compute_v) {
        wn__fail(WN_E_RUNTIME, "linalg_eigh_backward", "eigenvectors were not computed, but the gradient needs them");
        c->gin[0] = &wn__bad_tensor;
        return;
    }
    if (!gv) {
        c->gin[0] = wn_matmul(wn_mul(v, wn_unsqueeze(gl, -2)), wn_mT(v));
        return;
    }
    wn_tensor *x = wn_matmul(wn_mT(v), gv), *eye = wn__eye_like(v);
    wn_tensor *e = wn_add(wn_sub(wn_unsqueeze(l, -2), wn_unsqueeze(l, -1)), eye);
    x = wn_div(wn_mul(wn_sub(x, wn_mT(x)), 0.5), e);
    if (gl) x = wn_add(x, wn_mul(eye, wn_unsqueeze(gl, -2)));
    c->gin[0] = wn_matmul(wn_matmul(v, x), wn_mT(v));
}

/* ------------------------------------------------------------------ svd */

/* gesdd of a matrix that is not wide, in steps: u [m, x.cols], v [n, n] hold zeros. */
static int svd_steps(wn__lapack_job *j, char *a, char *s, char *u, char *v, char *work, int *iwork) {
    const int m = j->m, n = j->n, wide = (int)j->x.cols, ld = wn__column_ld(m, j->size), ldv = wn__column_ld(n, j->size);
    char *e = wn__take(&work, (size_t)n * j->size), *tauq = wn__take(&work, (size_t)n * j->size), *taup = wn__take(&work, (size_t)n * j->size);
    const wn__reflectors left = {.v = {a, 1, ld}, .tau = tauq, .m = m, .k = n};
    const wn__reflectors right = {.v = {a + (size_t)ld * j->size, ld, 1}, .tau = taup, .m = n - 1, .k = n - 1};
    int info = 0;
    j->lapack->gebrd(&m, &n, a, &ld, s, e, tauq, taup, work, &j->lwork, &info);
    j->lapack->bdsdc("U", "I", &n, s, e, u, &ld, v, &ldv, NULL, NULL, work, iwork, &info, 1, 1);
    for (int64_t i = n; i < wide; i++) wn__store_val(j->dtype, u + i * (ld + 1) * (int64_t)j->size, wn_val_of_int(1));
    wn__reflect(j, &left, false, (wn__matrix){u, 1, ld}, wide);
    wn__reflect(j, &right, false, (wn__matrix){v + (size_t)ldv * j->size, ldv, 1}, n); /* V^T P^T, turned */
    return info;
}
static size_t steps_room(const wn__lapack_job *j) { return 3 * wn__piece((size_t)j->n, j->size) + (size_t)j->lwork * j->size; }

static void svd_one(wn__lapack_job *j, int64_t i, char *room) {
    const int ld = wn__column_ld(j->m, j->size), k = j->k, ldu = ld, ldv = wn__column_ld(j->job == 'A' ? j->n : k, j->size);
    const bool vectors = j->job != 'N';
    const size_t u_bytes = vectors ? wn__columns_room(j->m, (int)j->x.cols, j->size) : 8, v_bytes = vectors ? (size_t)ldv * (size_t)j->n * j->size : 8;
    char *a = wn__take(&room, wn__columns_room(j->m, j->n, j->size)), *s = wn__take(&room, (size_t)k * j->size);
    char *u = wn__take(&room, u_bytes), *v = wn__take(&room, v_bytes);
    int *iwork = (int *)(void *)wn__take(&room, 8 * (size_t)k * sizeof *iwork), info = 0;
    wn__mat_load(&j->a, i, a, ld);
    const double largest = wn__largest_magnitude(j, j->m, j->n, a, ld, false);
    if (!isfinite(largest)) { /* with infinite ones gesdd need not come to an end */
        memset(s, 0, (size_t)k * j->size);
        memset(u, 0, u_bytes);
        memset(v, 0, v_bytes);
        info = -4;
    } else if (j->flag && wn__needs_no_scaling(j, largest)) {
        memset(u, 0, u_bytes);
        info = svd_steps(j, a, s, u, v, room, iwork);
    } else {
        j->lapack->gesdd(&j->job, &j->m, &j->n, a, &ld, s, u, &ldu, v, &ldv, room, &j->lwork, iwork, &info, 1);
    }
    wn__mat_store(&j->y, i, s, wn__ld(k));
    if (vectors) {
        wn__mat_store(&j->x, i, u, ldu);
        wn__mat_store(&j->z, i, v, ldv);
    }
    wn__store_info(j, i, info);
}

wn_status wn__infer_svd_vectors(wn__call *c, wn_tensor *t, bool full_matrices, bool compute_uv) {
    wn__lapack_job *j = wn__matrix_plan(c, "linalg.svd", t, svd_one);
    if (!j) return c->th->error;
    const int nb = t->ndim - 2;
    const int64_t none = 0;
    j->job = !compute_uv ? 'N' : full_matrices ? 'A' : 'S';
    int64_t us[WN_MAX_DIMS], ss[WN_MAX_DIMS], vs[WN_MAX_DIMS];
    memcpy(us, t->shape, sizeof us);
    memcpy(ss, t->shape, sizeof ss);
    memcpy(vs, t->shape, sizeof vs);
    us[nb + 1] = full_matrices ? j->m : j->k;
    vs[nb] = full_matrices ? j->n : j->k;
    ss[nb] = j->k;
    wn_status st = compute_uv ? wn__result_columns(c, 0, j->dtype, t->ndim, us) : wn__result(c, 0, j->dtype, 1, &none, NULL);
    if (!st) st = wn__result(c, 1, j->dtype, nb + 1, ss, NULL);
    if (st || !compute_uv) return st ? st : wn__result(c, 2, j->dtype, 1, &none, NULL);
    return wn__result_columns(c, 2, j->dtype, t->ndim, vs);
}

static wn_status ask_svd_work(wn__call *c, wn__lapack_job *j, int ldv) {
    const int query = -1, ld = wn__column_ld(j->m, j->size);
    int info = 0, integers = 0;
    double answer = 0, dummy = 0;
    j->lapack->gesdd(&j->job, &j->m, &j->n, &dummy, &ld, &dummy, &dummy, &ld, &dummy, &ldv, &answer, &query, &integers, &info, 1);
    return wn__lapack_work(c, j, &answer, info, &j->lwork);
}
wn_status wn__run_svd_vectors(wn__call *c, wn_tensor *t, bool vectors) {
    wn_tensor *u = c->out[0], *s = c->out[1], *v = c->out[2];
    wn__lapack_job *j = c->plan;
    wn_status st = wn__lapack_find(c, j);
    if (st) return st;
    const int nb = t->ndim - 2;
    if (t->numel == 0) {
        if (vectors) wn__identities(u), wn__identities(v);
        return WN_OK;
    }
    const int ldv = wn__column_ld(j->job == 'A' ? j->n : j->k, j->size);
    if ((st = ask_svd_work(c, j, ldv))) return st;
    j->flag = vectors && j->m >= j->n && j->n >= MANY && j->m < j->n + j->n / 2; /* in steps; of a tall one LAPACK takes R first */
    j->room = wn__columns_room(j->m, j->n, j->size) + wn__piece((size_t)j->k, j->size) + wn__piece(8 * (size_t)j->k, sizeof(int)) + steps_room(j) +
              (vectors ? wn__columns_room(j->m, (int)u->shape[nb + 1], j->size) + wn__piece((size_t)ldv * (size_t)j->n, j->size) : 128);
    j->a = wn__mats_of(t, 2, nb, t->shape);
    j->y = wn__mats_of(s, 1, nb, t->shape);
    if (vectors) {
        j->x = wn__mats_of(u, 2, nb, t->shape);
        j->z = wn__mats_of(v, 2, nb, t->shape);
    }
    return wn__lapack_run_checked(c, j, nb, t->shape, "linalg.svd", WN__IS_SVD);
}

static wn_tensor *skew(wn_tensor *x) { return wn_sub(x, wn_mT(x)); }

/* U [(skew(U^T gU) / E) S + S (skew(V^T gV) / E) + diag(gS)] V^T + (I - U U^T) gU S^-1 V^T + U S^-1 gV^T (I - V V^T) with
 * E_ij = S_j^2 - S_i^2 and 1 on the diagonal. */
void wn__vjp_svd_vectors(wn__gradctx *c, bool full_matrices, bool compute_uv) {
    wn_tensor *u = c->y[0], *s = c->y[1], *vh = c->y[2], *gu = c->g[0], *gs = c->g[1], *gvh = c->g[2];
    if (!gu && !gs && !gvh) return;
    if (!compute_uv) {
        wn__fail(WN_E_RUNTIME, "svd_backward", "Setting compute_uv to false in torch.svd doesn't compute singular matrices, and hence we cannot compute backward. "
                 "Please use torch.svd(compute_uv=True)");
        c->gin[0] = &wn__bad_tensor;
        return;
    }
    const wn_dims shape = wn__input_shape(c, 0);
    const int64_t m = shape.v[shape.n - 2], n = shape.v[shape.n - 1], k = wn__least(m, n);
    if (full_matrices) { /* what spans the rest has no gradient of its own */
        u = wn_narrow(u, -1, 0, k);
        vh = wn_narrow(vh, -2, 0, k);
        if (gu) gu = wn_narrow(gu, -1, 0, k);
        if (gvh) gvh = wn_narrow(gvh, -2, 0, k);
    }
    if (!gu && !gvh) {
        c->gin[0] = m >= n ? wn_matmul(u, wn_mul(wn_unsqueeze(gs, -1), vh)) : wn_matmul(wn_mul(u, wn_unsqueeze(gs, -2)), vh);
        return;
    }
    wn_tensor *row = wn_unsqueeze(s, -2), *column = wn_unsqueeze(s, -1), *eye = wn_eye(k, .dtype = wn_dtype_of(s)), *x = NULL;
    wn_tensor *e = wn_add(wn_mul(wn_sub(row, column), wn_add(row, column)), eye);
    if (gu) x = wn_mul(wn_div(skew(wn_matmul(wn_mT(u), gu)), e), row);
    if (gvh) {
        wn_tensor *y = wn_mul(wn_div(skew(wn_matmul(vh, wn_mT(gvh))), e), column);
        x = x ? wn_add(x, y) : y;
    }
    if (gs) x = wn_add(x, wn_mul(eye, wn_unsqueeze(gs, -2)));
    if (m > n && gu) { /* gu is outside the span of u, too */
        wn_tensor *over = wn_div(gu, row);
        x = wn_add(wn_matmul(u, x), wn_sub(over, wn_matmul(u, wn_matmul(wn_mT(u), over))));
        c->gin[0] = wn_matmul(x, vh);
    } else if (m < n && gvh) {
        wn_tensor *over = wn_div(gvh, column);
        x = wn_add(wn_matmul(x, vh), wn_sub(over, wn_matmul(wn_matmul(over, wn_mT(vh)), vh)));
        c->gin[0] = wn_matmul(u, x);
    } else {
        c->gin[0] = wn_matmul(u, wn_matmul(x, vh));
    }
}

static wn_status check_driver(const char *driver) {
    return driver ? wn__fail(WN_E_RUNTIME, "linalg.svd", "keyword argument `driver=` is only supported on CUDA inputs with cuSOLVER backend.") : WN_OK;
}
wn_status wn__check_linalg_svd(wn__call *c) { return check_driver(((const wn_linalg_svd_args *)c->args)->driver); }
wn_status wn__check_linalg_svdvals(wn__call *c) { return check_driver(((const wn_linalg_svdvals_args *)c->args)->driver); }
wn_status wn__op_svd(wn__call *c, wn_tensor *t, bool some, bool vectors) {
    wn_status st = wn__need_matrix("linalg.svd", t, "input");
    if (st) return st;
    wn_svd_vectors_out r = wn_svd_vectors(t, vectors && !some, vectors || wn__records(c, t));
    if (!vectors && wn_ok(r.S)) { /* torch gives zeros in their place */
        wn_dims u = wn_shape(t), v = u;
        u.v[u.n - 1] = u.v[u.n - 2];
        v.v[v.n - 2] = v.v[v.n - 1];
        r.U = wn_zeros(u, .dtype = (wn_dtype)t->dtype);
        r.Vh = wn_zeros(v, .dtype = (wn_dtype)t->dtype);
    }
    st = wn__give(c, 0, r.U);
    if (!st) st = wn__give(c, 1, r.S);
    return st ? st : wn__give(c, 2, vectors ? wn_mT(r.Vh) : r.Vh);
}
