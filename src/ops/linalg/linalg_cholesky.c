/* Cholesky's factorisation and triangular systems. */
#include "ops/linalg/linalg.h"

/* ------------------------------------------------------------------ factorisation */

/* The lower triangle by rows is the upper one of the transpose, and LAPACK's columns are its rows. a and x are turned where the upper one is wanted. */
static void cholesky_one(wn__lapack_job *j, int64_t i, char *room) {
    const int n = j->n;
    const int64_t ld = wn__row_ld(n, j->size);
    wn__mat_load(&j->a, i, room, ld);
    const int info = wn__factor_cholesky(j, n, room, ld);
    for (int64_t row = 1; row < n; row++) memset(room + (size_t)(row * ld) * j->size, 0, (size_t)row * j->size);
    wn__mat_store(&j->x, i, room, ld);
    wn__store_info(j, i, info);
}

wn_status wn__infer_linalg_cholesky_ex(wn__call *c, wn_tensor *t) {
    const wn__lapack_job *j = wn__square_plan(c, "linalg.cholesky", t, cholesky_one);
    if (!j) return c->th->error;
    wn_status st = wn__result_columns(c, 0, j->dtype, t->ndim, t->shape);
    return st ? st : wn__result(c, 1, WN_I32, t->ndim - 2, t->shape, NULL);
}
wn_status wn__run_linalg_cholesky_ex(wn__call *c, wn_tensor *t, bool upper, bool check_errors) {
    const wn_tensor *l = c->out[0], *info = c->out[1];
    wn__lapack_job *j = c->plan;
    wn_status st = wn__lapack_find(c, j);
    if (st) return st;
    const int nb = t->ndim - 2;
    if (l->numel == 0) {
        wn__info_of_nothing(info);
    } else {
        j->room = wn__rows_room(j->n, j->n, j->size);
        j->a = wn__mats_of(t, 2, nb, t->shape);
        j->x = wn__mats_of(l, 2, nb, t->shape);
        if (upper) j->a = wn__mats_turned(j->a), j->x = wn__mats_turned(j->x);
        j->info = wn__mats_of(info, 0, nb, t->shape);
        if ((st = wn__lapack_run(c, j, info->numel))) return st;
    }
    return check_errors ? wn__check_info("linalg.cholesky_ex", WN__IS_CHOLESKY, info) : WN_OK;
}

static wn_status check_symmetric(const char *name, const wn_tensor *t) {
    const wn_status st = wn__need_square(name, t, "A");
    return st ? st : wn__need_float(name, t);
}
wn_status wn__check_linalg_cholesky(wn__call *c) { return check_symmetric("linalg.cholesky", ((const wn_linalg_cholesky_args *)c->args)->self); }
wn_status wn__check_cholesky(wn__call *c) { return check_symmetric("cholesky", ((const wn_cholesky_args *)c->args)->self); }

/* ------------------------------------------------------------------ triangular systems */

/* b and x are turned; a is read where it lies. */
static void triangular_one(wn__lapack_job *j, int64_t i, char *room) {
    const int64_t ld = wn__row_ld(j->nrhs, j->size);
    const wn__triangle t = {.a = wn__matrix_of(&j->a, i), .upper = j->uplo == 'U', .unit = j->diag == 'U'};
    wn__mat_load(&j->b, i, room, ld);
    wn__solve_triangle(j, t, j->n, j->nrhs, room, ld);
    wn__mat_store(&j->x, i, room, ld);
}

wn_status wn__infer_solve_triangular_left(wn__call *c, wn_tensor *A, wn_tensor *B) {
    const char *name = "linalg.solve_triangular";
    wn_status st = wn__need_square(name, A, "A");
    if (!st) st = wn__need_matrix(name, B, "B");
    if (!st) st = wn__need_float(name, A);
    if (!st) st = wn__need_same_dtype(name, A, B);
    if (st) return st;
    const int64_t n = A->shape[A->ndim - 1];
    if (B->shape[B->ndim - 2] != n)
        return wn__fail(WN_E_RUNTIME, name, "Incompatible shapes of A and B for the equation AX = B (%s and %s)", wn__desc(A), wn__desc(B));
    int64_t shape[WN_MAX_DIMS];
    const int nb = wn__linalg_batch(name, A, 2, B, 2, shape);
    if (nb < 0) return c->th->error;
    const wn__lapack_job *j = wn__system_plan(c, A, B, nb, shape, triangular_one);
    return j ? wn__result_columns(c, 0, j->dtype, nb + 2, shape) : c->th->error;
}
wn_status wn__run_solve_triangular_left(wn__call *c, wn_tensor *A, wn_tensor *B, bool upper, bool unitriangular) {
    const wn_tensor *x = c->out[0];
    wn__lapack_job *j = c->plan;
    wn_status st = wn__lapack_find(c, j);
    if (st || x->numel == 0) return st;
    const int nb = x->ndim - 2;
    j->uplo = upper ? 'U' : 'L';
    j->diag = unitriangular ? 'U' : 'N';
    j->room = wn__rows_room(j->n, j->nrhs, j->size);
    j->a = wn__mats_of(A, 2, nb, x->shape);
    j->b = wn__mats_turned(wn__mats_of(B, 2, nb, x->shape));
    j->x = wn__mats_turned(wn__mats_of(x, 2, nb, x->shape));
    return wn__lapack_run(c, j, x->numel / ((int64_t)j->n * j->nrhs));
}


wn_status wn__check_linalg_solve_triangular(wn__call *c, wn_tensor *self, wn_tensor *B, bool left) {
    const char *name = "linalg.solve_triangular";
    if (wn__need_square(name, self, "A") || wn__need_matrix(name, B, "B")) return c->th->error;
    if (B->shape[B->ndim - (left ? 2 : 1)] == self->shape[self->ndim - 1]) return WN_OK;
    return wn__fail(WN_E_RUNTIME, name, "Incompatible shapes of A and B for the equation %s (%s and %s)", left ? "AX = B" : "XA = B", wn__desc(self), wn__desc(B));
}

wn_status wn__op_triangular_solve(wn__call *c, wn_tensor *self, wn_tensor *A_given, bool upper, bool transpose,
                                  bool unitriangular) {
    const char *name = "triangular_solve";
    wn_status st = wn__need_matrix(name, self, "b");
    if (!st) st = wn__need_square(name, A_given, "A");
    if (!st) st = wn__need_float(name, A_given);
    if (!st) st = wn__need_same_dtype(name, self, A_given);
    if (st) return st;
    if (self->shape[self->ndim - 2] != A_given->shape[A_given->ndim - 1])
        return wn__fail(WN_E_RUNTIME, name, "Incompatible matrix sizes for triangular_solve: each A matrix is %s but each b matrix is %s", wn__desc(A_given),
                        wn__desc(self));
    wn_tensor *m = transpose ? wn_mT(A_given) : A_given, *x = wn_solve_triangular_left(m, self, upper != transpose, unitriangular);
    if ((st = wn__give(c, 0, x))) return st;
    wn_dims full = wn_shape(x); /* A of the broadcast batch */
    full.v[full.n - 1] = full.v[full.n - 2];
    return wn__give(c, 1, wn_clone(wn_expand(A_given, full)));
}

/* ------------------------------------------------------------------ systems with a factor at hand */

static wn_tensor *with_factor(wn_tensor *l, wn_tensor *b, bool upper) { /* (L L^T) X = B, or (U^T U) X = B */
    if (upper) return wn_solve_triangular_left(l, wn_solve_triangular_left(wn_mT(l), b, false, false), true, false);
    return wn_solve_triangular_left(wn_mT(l), wn_solve_triangular_left(l, b, false, false), true, false);
}

wn_status wn__infer_cholesky_solve(wn__call *c, wn_tensor *self, wn_tensor *input2) {
    const char *name = "cholesky_solve";
    if (self->ndim < 2) return wn__fail_op(c, WN_E_RUNTIME, "b should have at least 2 dimensions, but has %d dimensions instead", self->ndim);
    if (input2->ndim < 2) return wn__fail_op(c, WN_E_RUNTIME, "u should have at least 2 dimensions, but has %d dimensions instead", input2->ndim);
    wn_status st = wn__need_square(name, input2, "A");
    if (!st) st = wn__need_float(name, input2);
    if (!st) st = wn__need_same_dtype(name, self, input2);
    if (st) return st;
    if (self->shape[self->ndim - 2] != input2->shape[input2->ndim - 1])
        return wn__fail_op(c, WN_E_RUNTIME, "Incompatible matrix sizes: each A matrix is %s but each b matrix is %s", wn__desc(input2), wn__desc(self));
    int64_t shape[WN_MAX_DIMS];
    const int nb = wn__linalg_batch("linalg.solve_triangular", input2, 2, self, 2, shape);
    if (nb < 0) return c->th->error;
    memcpy(shape + nb, self->shape + self->ndim - 2, 2 * sizeof *shape);
    return wn__result_columns(c, 0, (wn_dtype)self->dtype, nb + 2, shape);
}
wn_status wn__run_cholesky_solve(wn__call *c, wn_tensor *self, wn_tensor *input2, bool upper) {
    WN_NO_GRAD();
    return wn__give(c, 0, with_factor(input2, self, upper));
}

/* The first zero on each diagonal, counted from 1; 0: none. */
static wn_tensor *zero_on_diagonal(wn_tensor *t) {
    wn_tensor *zero = wn_eq(wn_diagonal(t, .dim1 = WN_VAL(-2), .dim2 = WN_VAL(-1)), 0.0);
    wn_tensor *at = wn_add(wn_argmax(zero, .dim = WN_VAL(-1)), 1);
    return wn_to(wn_mul(at, wn_any(zero, .dims = WN_DIMS(-1))), WN_I32);
}

wn_status wn__infer_cholesky_inverse(wn__call *c, wn_tensor *self) {
    wn_status st = wn__need_square("cholesky_inverse", self, "A");
    if (!st) st = wn__need_float("cholesky_inverse", self);
    return st ? st : wn__result_columns(c, 0, (wn_dtype)self->dtype, self->ndim, self->shape);
}
wn_status wn__run_cholesky_inverse(wn__call *c, wn_tensor *self, bool upper) {
    wn_status st = WN_OK;
    WN_NO_GRAD();
    if (self->numel && (st = wn__check_info("cholesky_inverse", WN__IS_INV, zero_on_diagonal(self)))) return st;
    wn_tensor *eye = wn__eye_like(self);
    return wn__give(c, 0, with_factor(self, eye, upper));
}
