/* LU factorisations with row exchanges: factors, systems, inverses. */
#include "ops/linalg/linalg.h"

/* ------------------------------------------------------------------ one matrix */

int *wn__lu_of(wn__lapack_job *j, int64_t i, char *lu, int *pivots) {
    const int64_t ld = wn__row_ld(j->n, j->size);
    wn__mat_load(&j->a, i, lu, ld);
    const int info = wn__factor_lu(j, j->m, j->n, lu, ld, pivots);
    if (j->x.p) wn__mat_store(&j->x, i, lu, ld);
    wn__mat_store(&j->pivots, i, pivots, wn__ld(j->k));
    if (j->info.p) wn__store_info(j, i, info);
    return pivots;
}
size_t wn__lu_room(const wn__lapack_job *j) { return wn__rows_room(j->m, j->n, j->size) + wn__piece((size_t)j->k, sizeof(int)); }

static void lu_one(wn__lapack_job *j, int64_t i, char *room) {
    char *lu = wn__take(&room, wn__rows_room(j->m, j->n, j->size));
    wn__lu_of(j, i, lu, (int *)(void *)room);
}

/* a, b, x and y are turned; without b: the inverse, into y. */
static void solve_one(wn__lapack_job *j, int64_t i, char *room) {
    const int64_t ld = wn__row_ld(j->n, j->size), ldb = wn__row_ld(j->nrhs, j->size);
    char *lu = wn__take(&room, wn__rows_room(j->n, j->n, j->size));
    int *pivots = (int *)(void *)wn__take(&room, (size_t)j->n * sizeof *pivots);
    wn__lu_of(j, i, lu, pivots);
    if (j->b.p) {
        wn__mat_load(&j->b, i, room, ldb);
        wn__solve_lu(j, 'N', j->n, j->nrhs, (wn__matrix){lu, ld, 1}, pivots, room, ldb);
    } else {
        wn__invert_lu(j, j->n, (wn__matrix){lu, ld, 1}, room, ldb);
    }
    wn__mat_store(&j->y, i, room, ldb);
    if (!j->b.p) wn__exchange_columns(j, j->n, wn__mat_at(&j->y, i), j->y.rs, pivots);
}

static void with_factors_one(wn__lapack_job *j, int64_t i, char *room) {
    const int64_t ldb = wn__row_ld(j->nrhs, j->size);
    int *pivots = (int *)(void *)wn__take(&room, (size_t)j->n * sizeof *pivots);
    wn__mat_load(&j->pivots, i, pivots, wn__ld(j->n));
    wn__mat_load(&j->b, i, room, ldb);
    wn__solve_lu(j, j->trans, j->n, j->nrhs, wn__matrix_of(&j->a, i), pivots, room, ldb);
    wn__mat_store(&j->y, i, room, ldb);
}

/* ------------------------------------------------------------------ the factors */

wn_status wn__infer_linalg_lu_factor_ex(wn__call *c, wn_tensor *t, bool pivot) {
    const wn__lapack_job *j = wn__matrix_plan(c, "torch.lu_factor", t, lu_one);
    if (!j) return c->th->error;
    if (!pivot) return wn__fail(WN_E_RUNTIME, "linalg.lu_factor", "LU without pivoting is not implemented on the CPU");
    const int nb = t->ndim - 2;
    int64_t few[WN_MAX_DIMS];
    memcpy(few, t->shape, sizeof few);
    few[nb] = j->k;
    wn_status st = wn__result_columns(c, 0, j->dtype, t->ndim, t->shape);
    if (!st) st = wn__result(c, 1, WN_I32, nb + 1, few, NULL);
    return st ? st : wn__result(c, 2, WN_I32, nb, few, NULL);
}
wn_status wn__run_linalg_lu_factor_ex(wn__call *c, wn_tensor *t, bool check_errors) {
    const wn_tensor *lu = c->out[0], *info = c->out[2];
    wn__lapack_job *j = c->plan;
    wn_status st = wn__lapack_find(c, j);
    if (st) return st;
    const int nb = t->ndim - 2;
    if (lu->numel == 0) return wn__info_of_nothing(info);
    j->room = wn__lu_room(j);
    j->a = wn__mats_turned(wn__mats_of(t, 2, nb, t->shape));
    j->x = wn__mats_turned(wn__mats_of(lu, 2, nb, t->shape));
    j->pivots = wn__mats_of(c->out[1], 1, nb, t->shape);
    j->info = wn__mats_of(info, 0, nb, t->shape);
    st = wn__lapack_run(c, j, info->numel);
    if (!st && check_errors) st = wn__check_info("torch.linalg.lu_factor_ex", WN__IS_LU, info);
    return st;
}

/* P^T A = L U. Square: dL = L low(F), dU = up(F) U with F = L^-1 dA' U^-1. The part of a wide or tall matrix that is not square
 * follows from the square one by a triangular system. */
void wn__vjp_linalg_lu_factor_ex(wn__gradctx *c) {
    wn_tensor *lu = c->y[0], *pivots = c->y[1], *g = c->g[0];
    if (!g || !wn_ok(lu)) return;
    const int64_t m = wn_size(lu, -2), n = wn_size(lu, -1), k = wn__least(m, n);
    wn_tensor *sq = lu, *gsq = g, *l, *u, *phi_l, *phi_u, *rest = NULL;
    if (m != n) sq = wn_narrow(wn_narrow(lu, -2, 0, k), -1, 0, k), gsq = wn_narrow(wn_narrow(g, -2, 0, k), -1, 0, k);
    l = wn_add(wn_tril(sq, .diagonal = -1), wn__eye_like(sq));
    u = wn_triu(sq);
    wn_tensor *gl = wn_tril(gsq, .diagonal = -1), *gu = wn_triu(gsq);
    phi_l = wn_matmul(wn_mT(l), gl);
    phi_u = wn_matmul(gu, wn_mT(u));
    if (n > m) { /* U2 = L^-1 A2 */
        wn_tensor *g2 = wn_narrow(g, -1, k, n - k), *u2 = wn_narrow(lu, -1, k, n - k);
        rest = wn_linalg_solve_triangular(wn_mT(l), g2, true, .unitriangular = true);
        phi_l = wn_sub(phi_l, wn_matmul(g2, wn_mT(u2)));
    } else if (m > n) { /* L2 = A2 U^-1 */
        wn_tensor *g2 = wn_narrow(g, -2, k, m - k), *l2 = wn_narrow(lu, -2, k, m - k);
        rest = wn_linalg_solve_triangular(wn_mT(u), g2, false, .left = WN_OFF);
        phi_u = wn_sub(phi_u, wn_matmul(wn_mT(l2), g2));
    }
    wn_tensor *x = wn_add(wn_tril(phi_l, .diagonal = -1), wn_triu(phi_u));
    x = wn_linalg_solve_triangular(wn_mT(u), x, false, .left = WN_OFF);
    x = wn_linalg_solve_triangular(wn_mT(l), x, true, .unitriangular = true);
    if (rest) {
        wn_tensor *parts[2] = {x, rest};
        x = wn_cat(((wn_list){.n = 2, .v = parts}), .dim = WN_VAL(n > m ? -1 : -2));
    }
    c->gin[0] = wn_matmul(wn_lu_permutation(pivots, m, .dtype = wn_dtype_of(lu)), x);
}

/* ------------------------------------------------------------------ pivots */

static wn_status check_pivots(wn__call *c, const wn_tensor *p, int64_t n, bool solving) {
    if (p->dtype != WN_I32) return wn__fail_op(c, WN_E_RUNTIME, "pivots should be a Tensor of scalar type torch.int32, but they are %s", wn__desc(p));
    wn__mats m = wn__mats_of(p, 0, p->ndim, p->shape);
    for (int64_t i = 0; i < p->numel; i++) {
        int v;
        memcpy(&v, wn__mat_at(&m, i), sizeof v);
        if (v >= 1 && v <= n) continue;
        if (solving)
            return wn__fail(WN_E_RUNTIME, "linalg.lu_solve", "Pivots given to lu_solve must all be %s. Did you properly pass the result of lu_factor? (one is %d)",
                            v < 1 ? "greater or equal to 1" : "smaller or equal to LU.size(-2)", v);
        return wn__fail(WN_E_RUNTIME, "torch.lu_unpack", "pivots passed to lu_unpack must be between 1 and LU.size(-2) inclusive. Did you properly pass the result of lu_factor? "
                        "(one is %d, the size %lld)", v, (long long)n);
    }
    return WN_OK;
}

static wn_status unpackable(wn__call *c, const wn_tensor *pivots, int64_t n) {
    if (pivots->ndim >= 1 && pivots->shape[pivots->ndim - 1] <= n) return WN_OK;
    return wn__fail_op(c, WN_E_RUNTIME, "pivots should have one dimension less than LU and at most %lld of them, but they are %s", (long long)n, wn__desc(pivots));
}

wn_status wn__infer_lu_permutation(wn__call *c, wn_tensor *p, int64_t n, wn_dtype dtype_given) {
    const wn_dtype dtype = dtype_given ? dtype_given : wn_default_dtype();
    int64_t shape[WN_MAX_DIMS];
    if (!wn__dtype_valid((int)dtype)) return wn__fail_op(c, WN_E_TYPE, "dtype %d is none", (int)dtype);
    wn_status st = n < 0 ? wn__fail_op(c, WN_E_RUNTIME, "n must not be negative, but it is %lld", (long long)n) : unpackable(c, p, n);
    if (st) return st;
    if (p->ndim == WN_MAX_DIMS) return wn__fail_op(c, WN_E_RUNTIME, "too many dimensions: %s", wn__desc(p));
    memcpy(shape, p->shape, sizeof shape);
    shape[p->ndim - 1] = shape[p->ndim] = n;
    bool overflow;
    wn__numel_of(p->ndim + 1, shape, &overflow);
    if (overflow) return wn__fail_memory(c->op->name);
    return wn__result(c, 0, dtype, p->ndim + 1, shape, NULL);
}
wn_status wn__run_lu_permutation(wn__call *c, wn_tensor *p, int64_t n) {
    const wn_tensor *out = c->out[0];
    const wn_dtype dtype = (wn_dtype)out->dtype;
    const int64_t *shape = out->shape;
    wn_status st = check_pivots(c, p, n, false);
    if (st || out->numel == 0) return st;
    int64_t *order = wn__new(int64_t, (size_t)n);
    if (!order) return wn__fail_memory(c->op->name);
    const size_t size = wn__dtype_size(dtype);
    wn__mats in = wn__mats_of(p, 1, p->ndim - 1, shape), to = wn__mats_of(out, 2, p->ndim - 1, shape);
    memset(wn__ptr(out), 0, (size_t)out->numel * size);
    for (int64_t b = 0; b < out->numel / (n * n); b++) {
        const char *from = wn__mat_at(&in, b);
        char *at = wn__mat_at(&to, b);
        for (int64_t i = 0; i < n; i++) order[i] = i;
        for (int64_t i = 0; i < in.rows; i++) { /* rows i and pivot - 1 were exchanged, one after the other */
            int v;
            memcpy(&v, from + i * in.rs * (int64_t)sizeof v, sizeof v);
            int64_t swap = order[i];
            order[i] = order[v - 1];
            order[v - 1] = swap;
        }
        for (int64_t i = 0; i < n; i++) wn__store_val(dtype, at + (order[i] * n + i) * (int64_t)size, wn_val_of_int(1));
    }
    wn__free(order);
    return WN_OK;
}

wn_status wn__op_lu_unpack(wn__call *c, wn_tensor *lu, wn_tensor *LU_pivots, bool data, bool exchanges) {
    wn_tensor *p = NULL, *l, *u;
    if (lu->ndim < 2) return wn__fail_op(c, WN_E_RUNTIME, "torch.lu_unpack: The input tensor must have at least 2 dimensions, but it is %s", wn__desc(lu));
    wn_status st = wn__is_float(lu->dtype) ? wn__need_float("lu_unpack", lu) : WN_OK;
    const int64_t m = lu->shape[lu->ndim - 2], n = lu->shape[lu->ndim - 1], k = wn__least(m, n);
    if (exchanges && !st) {
        if (LU_pivots->dtype != WN_I32)
            return wn__fail_op(c, WN_E_RUNTIME, "torch.lu_unpack: LU_pivots is expected to be a contiguous tensor of torch.int32 dtype. Note: this function is intended "
                               "to be used with the output produced by torch.linalg.lu_factor");
        if (LU_pivots->ndim != lu->ndim - 1 || LU_pivots->shape[lu->ndim - 2] != k)
            return wn__fail_op(c, WN_E_RUNTIME, "torch.lu_unpack: LU_pivots %s do not belong to LU_data %s", wn__desc(LU_pivots), wn__desc(lu));
    }
    if (st) return st;
    const wn_dims nothing = WN_DIMS(0);
    p = exchanges ? wn_lu_permutation(LU_pivots, m, .dtype = (wn_dtype)lu->dtype) : wn_empty(nothing, .dtype = (wn_dtype)lu->dtype);
    if (data) {
        wn_tensor *left = m > n || m == n ? lu : wn_narrow(lu, -1, 0, k), *top = m > n ? wn_narrow(lu, -2, 0, k) : lu;
        l = wn_add(wn_tril(left, .diagonal = -1), wn_eye(m, .m = wn_val_of_int(k), .dtype = (wn_dtype)lu->dtype));
        u = wn_triu(top);
    } else {
        l = wn_empty(nothing, .dtype = (wn_dtype)lu->dtype);
        u = wn_empty(nothing, .dtype = (wn_dtype)lu->dtype);
    }
    st = wn__give(c, 0, p);
    if (!st) st = wn__give(c, 1, l);
    return st ? st : wn__give(c, 2, u);
}

/* ------------------------------------------------------------------ systems */

static wn_status check_system(const char *name, const wn_tensor *a, const wn_tensor *b) {
    wn_status st = wn__need_square(name, a, "A");
    if (!st) st = wn__need_float(name, a);
    if (!st) st = wn__need_same_dtype(name, a, b);
    if (!st) st = wn__need_matrix(name, b, "B");
    if (!st && b->shape[b->ndim - 2] != a->shape[a->ndim - 1])
        st = wn__fail(WN_E_RUNTIME, name, "Incompatible shapes of A and B for the equation AX = B (%s and %s)", wn__desc(a), wn__desc(b));
    return st;
}

wn_status wn__infer_solve_factoring(wn__call *c, wn_tensor *A, wn_tensor *B) {
    wn_status st = check_system("linalg.solve", A, B);
    if (st) return st;
    int64_t shape[WN_MAX_DIMS], mine[WN_MAX_DIMS];
    const int nb = wn__linalg_batch("linalg.solve", A, 2, B, 2, shape);
    if (nb < 0) return c->th->error;
    const wn__lapack_job *j = wn__system_plan(c, A, B, nb, shape, solve_one);
    if (!j) return c->th->error;
    memcpy(mine, shape, sizeof mine);
    mine[nb + 1] = j->n;
    st = wn__result_columns(c, 0, j->dtype, nb + 2, shape);
    if (!st) st = wn__result(c, 1, j->dtype, nb + 2, mine, NULL);
    if (!st) st = wn__result(c, 2, WN_I32, nb + 1, mine, NULL);
    return st ? st : wn__result(c, 3, WN_I32, nb, mine, NULL);
}
wn_status wn__run_solve_factoring(wn__call *c, wn_tensor *A, wn_tensor *B) {
    const wn_tensor *x = c->out[0], *lu = c->out[1], *info = c->out[3];
    wn__lapack_job *j = c->plan;
    wn_status st = wn__lapack_find(c, j);
    if (st) return st;
    const int nb = x->ndim - 2;
    if (lu->numel == 0) return wn__info_of_nothing(info);
    j->room = wn__lu_room(j) + wn__rows_room(j->n, j->nrhs, j->size);
    j->a = wn__mats_turned(wn__mats_of(A, 2, nb, x->shape));
    j->b = wn__mats_turned(wn__mats_of(B, 2, nb, x->shape));
    j->y = wn__mats_turned(wn__mats_of(x, 2, nb, x->shape));
    j->x = wn__mats_turned(wn__mats_of(lu, 2, nb, x->shape));
    j->pivots = wn__mats_of(c->out[2], 1, nb, x->shape);
    j->info = wn__mats_of(info, 0, nb, x->shape);
    return wn__lapack_run(c, j, info->numel);
}

/* torch takes B for vectors when it is 1-d, or when its shape is A's without the last dimension. */
static bool is_vector(const wn_tensor *a, const wn_tensor *b) {
    if (b->ndim == 1) return true;
    if (a->ndim - 1 != b->ndim) return false;
    for (int d = 0; d < b->ndim; d++)
        if (a->shape[d] != b->shape[d]) return false;
    return true;
}

wn_status wn__op_linalg_solve_ex(wn__call *c) {
    const wn_linalg_solve_ex_args *args = c->args;
    const char *name = "linalg.solve";
    wn_tensor *a = args->A, *b = args->B;
    const bool left = wn_is_on(args->left, true);
    wn_status st = wn__need_square(name, a, "A");
    if (!st) st = wn__need_float(name, a);
    if (!st) st = wn__need_same_dtype(name, a, b);
    if (st) return st;
    const bool vector = is_vector(a, b);
    if (vector && !left)
        return wn__fail(WN_E_RUNTIME, name, "Vector broadcasting of the left hand side is not supported for left=False. In this case linalg.solve is equivalent to "
                        "B / A.squeeze(-1)");
    if (vector) b = wn_unsqueeze(b, -1);
    if (!wn_ok(b)) return c->th->error;
    if ((st = wn__need_matrix(name, b, "B"))) return st;
    if (b->shape[b->ndim - (left ? 2 : 1)] != a->shape[a->ndim - 1])
        return wn__fail(WN_E_RUNTIME, name, "Incompatible shapes of A and B for the equation %s (%s and %s)", left ? "AX = B" : "XA = B", wn__desc(a), wn__desc(b));
    wn_solve_factoring_out r = left ? wn_solve_factoring(a, b) : wn_solve_factoring(wn_mT(a), wn_mT(b));
    if (args->check_errors && (st = wn__check_info("torch.linalg.solve_ex", WN__IS_SOLVE, r.info))) return st;
    st = wn__give(c, 0, vector ? wn_squeeze_dim(r.result, -1) : left ? r.result : wn_mT(r.result));
    return st ? st : wn__give(c, 1, r.info);
}

wn_status wn__infer_lu_solve_left(wn__call *c, wn_tensor *LU, wn_tensor *pivots, wn_tensor *B) {
    const char *name = "linalg.lu_solve";
    wn_status st = check_system(name, LU, B);
    if (st) return st;
    const int64_t n = LU->shape[LU->ndim - 1];
    if (pivots->ndim != LU->ndim - 1 || pivots->shape[pivots->ndim - 1] != n)
        return wn__fail(WN_E_RUNTIME, name, "Number of pivots per batch should be same as the dimension of the matrix (%s and %s)", wn__desc(pivots), wn__desc(LU));
    for (int d = 0; d < pivots->ndim; d++)
        if (pivots->shape[d] != LU->shape[d])
            return wn__fail(WN_E_RUNTIME, name, "Expected LU.shape[:-1] and pivots.shape to be the same, but got pivots with shape %s instead", wn__desc(pivots));
    int64_t shape[WN_MAX_DIMS];
    const int nb = wn__linalg_batch(name, LU, 2, B, 2, shape);
    if (nb < 0) return c->th->error;
    const wn__lapack_job *j = wn__system_plan(c, LU, B, nb, shape, with_factors_one);
    return j ? wn__result(c, 0, j->dtype, nb + 2, shape, NULL) : c->th->error;
}
wn_status wn__run_lu_solve_left(wn__call *c, wn_tensor *LU, wn_tensor *pivots, wn_tensor *B, bool adjoint) {
    const wn_tensor *x = c->out[0];
    wn__lapack_job *j = c->plan;
    wn_status st = check_pivots(c, pivots, j->n, true);
    if (!st) st = wn__lapack_find(c, j);
    if (st || x->numel == 0) return st;
    const int nb = x->ndim - 2;
    j->trans = adjoint ? 'T' : 'N';
    j->room = wn__piece((size_t)j->n, sizeof(int)) + wn__rows_room(j->n, j->nrhs, j->size);
    j->a = wn__mats_of(LU, 2, nb, x->shape);
    j->b = wn__mats_turned(wn__mats_of(B, 2, nb, x->shape));
    j->pivots = wn__mats_of(pivots, 1, nb, x->shape);
    j->y = wn__mats_turned(wn__mats_of(x, 2, nb, x->shape));
    return wn__lapack_run(c, j, x->numel / ((int64_t)j->n * j->nrhs));
}

/* A = P L U, so X = U^-1 L^-1 P^T B; the transposed system the other way round. Written with rows when somebody wants gradients. */
static wn_tensor *lu_solve(wn__call *c, wn_tensor *lu, wn_tensor *pivots, wn_tensor *b, bool adjoint) {
    if (!wn__records(c, lu) && !wn__records(c, b)) return wn_lu_solve_left(lu, pivots, b, adjoint);
    wn_tensor *p = wn_lu_permutation(pivots, wn_size(lu, -1), .dtype = wn_dtype_of(lu));
    if (adjoint) {
        b = wn_solve_triangular_left(wn_mT(lu), b, false, false);
        return wn_matmul(p, wn_solve_triangular_left(wn_mT(lu), b, true, true));
    }
    b = wn_solve_triangular_left(lu, wn_matmul(wn_mT(p), b), false, true);
    return wn_solve_triangular_left(lu, b, true, false);
}

wn_status wn__op_linalg_lu_solve(wn__call *c, wn_tensor *lu, wn_tensor *pivots, wn_tensor *b, bool left, bool adjoint) {
    const char *name = "linalg.lu_solve";
    wn_status st = wn__need_square(name, lu, "LU");
    if (!st) st = wn__need_matrix(name, b, "B");
    if (!st) st = wn__need_same_dtype(name, lu, b);
    if (!st && pivots->dtype != WN_I32)
        st = wn__fail(WN_E_RUNTIME, name, "pivots should be a Tensor of scalar type torch.int32. Got %s", wn_dtype_name((wn_dtype)pivots->dtype));
    if (!st && b->shape[b->ndim - (left ? 2 : 1)] != lu->shape[lu->ndim - 1])
        st = wn__fail(WN_E_RUNTIME, name, "Incompatible shapes of A and B for the equation %s (%s and %s)", left ? "AX = B" : "XA = B", wn__desc(lu), wn__desc(b));
    if (st) return st;
    if (left) return wn__give(c, 0, lu_solve(c, lu, pivots, b, adjoint));
    return wn__give(c, 0, wn_mT(lu_solve(c, lu, pivots, wn_mT(b), !adjoint)));
}

/* ------------------------------------------------------------------ inverses */

wn_status wn__infer_linalg_inv_ex(wn__call *c, wn_tensor *t) {
    wn__lapack_job *j = wn__square_plan(c, "linalg.inv", t, solve_one);
    if (!j) return c->th->error;
    j->nrhs = j->n;
    wn_status st = wn__result_columns(c, 0, j->dtype, t->ndim, t->shape);
    return st ? st : wn__result(c, 1, WN_I32, t->ndim - 2, t->shape, NULL);
}
wn_status wn__run_linalg_inv_ex(wn__call *c, wn_tensor *t, bool check_errors) {
    const wn_tensor *x = c->out[0], *info = c->out[1];
    wn__lapack_job *j = c->plan;
    wn_status st = wn__lapack_find(c, j);
    if (st) return st;
    const int nb = t->ndim - 2;
    if (x->numel == 0) return wn__info_of_nothing(info);
    wn_tensor *pivots = wn__tensor_new(WN_I32, nb + 1, t->shape, NULL);
    if (!pivots) return wn__fail_memory(c->op->name);
    j->room = wn__lu_room(j) + wn__rows_room(j->n, j->n, j->size);
    j->a = wn__mats_turned(wn__mats_of(t, 2, nb, t->shape));
    j->y = wn__mats_turned(wn__mats_of(x, 2, nb, t->shape));
    j->pivots = wn__mats_of(pivots, 1, nb, t->shape);
    j->info = wn__mats_of(info, 0, nb, t->shape);
    st = wn__lapack_run(c, j, info->numel);
    wn__release(pivots);
    if (!st && check_errors) st = wn__check_info("linalg.inv_ex", WN__IS_INV, info);
    return st;
}

