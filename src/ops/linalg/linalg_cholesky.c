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

wn_status wn__infer_linalg_cholesky_ex(wn__call *c) {
    const wn_linalg_cholesky_ex_args *a = c->args;
    const wn_tensor *t = a->self;
    const wn__lapack_job *j = wn__square_plan(c, "linalg.cholesky", t, cholesky_one);
    if (!j) return c->th->error;
    wn_status st = wn__result_columns(c, 0, j->dtype, t->ndim, t->shape);
    return st ? st : wn__result(c, 1, WN_I32, t->ndim - 2, t->shape, NULL);
}
wn_status wn__run_linalg_cholesky_ex(wn__call *c) {
    const wn_linalg_cholesky_ex_args *a = c->args;
    const wn_tensor *t = a->self, *l = c->out[0], *info = c->out[1];
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
        if (wn_is_on(a->upper, false)) j->a = wn__mats_turned(j->a), j->x = wn__mats_turned(j->x);
        j->info = wn__mats_of(info, 0, nb, t->shape);
        if ((st = wn__lapack_run(c, j, info->numel))) return st;
    }
    return a->check_errors ? wn__check_info("linalg.cholesky_ex", WN__IS_CHOLESKY, info) : WN_OK;
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

wn_status wn__infer_solve_triangular_left(wn__call *c) {
    const wn_solve_triangular_left_args *a = c->args;
    const char *name = "linalg.solve_triangular";
    wn_status st = wn__need_square(name, a->A, "A");
    if (!st) st = wn__need_matrix(name, a->B, "B");
    if (!st) st = wn__need_float(name, a->A);
    if (!st) st = wn__need_same_dtype(name, a->A, a->B);
    if (st) return st;
    const int64_t n = a->A->shape[a->A->ndim - 1];
    if (a->B->shape[a->B->ndim - 2] != n)
        return wn__fail(WN_E_RUNTIME, name, "Incompatible shapes of A and B for the equation AX = B (%s and %s)", wn__desc(a->A), wn__desc(a->B));
    int64_t shape[WN_MAX_DIMS];
    const int nb = wn__linalg_batch(name, a->A, 2, a->B, 2, shape);
    if (nb < 0) return c->th->error;
    const wn__lapack_job *j = wn__system_plan(c, a->A, a->B, nb, shape, triangular_one);
    return j ? wn__result_columns(c, 0, j->dtype, nb + 2, shape) : c->th->error;
}
wn_status wn__run_solve_triangular_left(wn__call *c) {
    const wn_solve_triangular_left_args *a = c->args;
    const wn_tensor *x = c->out[0];
    wn__lapack_job *j = c->plan;
    wn_status st = wn__lapack_find(c, j);
    if (st || x->numel == 0) return st;
    const int nb = x->ndim - 2;
    j->uplo = a->upper ? 'U' : 'L';
    j->diag = a->unitriangular ? 'U' : 'N';
    j->room = wn__rows_room(j->n, j->nrhs, j->size);
    j->a = wn__mats_of(a->A, 2, nb, x->shape);
    j->b = wn__mats_turned(wn__mats_of(a->B, 2, nb, x->shape));
    j->x = wn__mats_turned(wn__mats_of(x, 2, nb, x->shape));
    return wn__lapack_run(c, j, x->numel / ((int64_t)j->n * j->nrhs));
}


wn_status wn__check_linalg_solve_triangular(wn__call *c) {
    const wn_linalg_solve_triangular_args *a = c->args;
    const char *name = "linalg.solve_triangular";
    wn_status st = wn__need_square(name, a->self, "A");
    if (!st) st = wn__need_matrix(name, a->B, "B");
    if (st) return st;
    const bool left = wn_is_on(a->left, true);
    if (a->B->shape[a->B->ndim - (left ? 2 : 1)] == a->self->shape[a->self->ndim - 1]) return WN_OK;
    return wn__fail(WN_E_RUNTIME, name, "Incompatible shapes of A and B for the equation %s (%s and %s)", left ? "AX = B" : "XA = B", wn__desc(a->self), wn__desc(a->B));
}

wn_status wn__op_triangular_solve(wn__call *c) {
    const wn_triangular_solve_args *a = c->args;
    const char *name = "triangular_solve";
    wn_status st = wn__need_matrix(name, a->self, "b");
    if (!st) st = wn__need_square(name, a->A, "A");
    if (!st) st = wn__need_float(name, a->A);
    if (!st) st = wn__need_same_dtype(name, a->self, a->A);
    if (st) return st;
    if (a->self->shape[a->self->ndim - 2] != a->A->shape[a->A->ndim - 1])
        return wn__fail(WN_E_RUNTIME, name, "Incompatible matrix sizes for triangular_solve: each A matrix is %s but each b matrix is %s", wn__desc(a->A),
                        wn__desc(a->self));
    WN_SCOPE(s);
    const bool upper = wn_is_on(a->upper, true);
    wn_tensor *m = a->transpose ? wn_mT(a->A) : a->A, *x = wn_solve_triangular_left(m, a->self, upper != a->transpose, a->unitriangular);
    if ((st = wn__give(c, 0, x))) return st;
    wn_dims full = wn_shape(x); /* A of the broadcast batch */
    full.v[full.n - 1] = full.v[full.n - 2];
    return wn__give(c, 1, wn_clone(wn_expand(a->A, full)));
}

/* ------------------------------------------------------------------ systems with a factor at hand */

static wn_tensor *with_factor(wn_tensor *l, wn_tensor *b, bool upper) { /* (L L^T) X = B, or (U^T U) X = B */
    if (upper) return wn_solve_triangular_left(l, wn_solve_triangular_left(wn_mT(l), b, false, false), true, false);
    return wn_solve_triangular_left(wn_mT(l), wn_solve_triangular_left(l, b, false, false), true, false);
}

wn_status wn__infer_cholesky_solve(wn__call *c) {
    const wn_cholesky_solve_args *a = c->args;
    const char *name = "cholesky_solve";
    if (a->self->ndim < 2) return wn__fail_op(c, WN_E_RUNTIME, "b should have at least 2 dimensions, but has %d dimensions instead", a->self->ndim);
    if (a->input2->ndim < 2) return wn__fail_op(c, WN_E_RUNTIME, "u should have at least 2 dimensions, but has %d dimensions instead", a->input2->ndim);
    wn_status st = wn__need_square(name, a->input2, "A");
    if (!st) st = wn__need_float(name, a->input2);
    if (!st) st = wn__need_same_dtype(name, a->self, a->input2);
    if (st) return st;
    if (a->self->shape[a->self->ndim - 2] != a->input2->shape[a->input2->ndim - 1])
        return wn__fail_op(c, WN_E_RUNTIME, "Incompatible matrix sizes: each A matrix is %s but each b matrix is %s", wn__desc(a->input2), wn__desc(a->self));
    int64_t shape[WN_MAX_DIMS];
    const int nb = wn__linalg_batch("linalg.solve_triangular", a->input2, 2, a->self, 2, shape);
    if (nb < 0) return c->th->error;
    memcpy(shape + nb, a->self->shape + a->self->ndim - 2, 2 * sizeof *shape);
    return wn__result_columns(c, 0, (wn_dtype)a->self->dtype, nb + 2, shape);
}
wn_status wn__run_cholesky_solve(wn__call *c) {
    const wn_cholesky_solve_args *a = c->args;
    WN_NO_GRAD();
    return wn__give(c, 0, with_factor(a->input2, a->self, wn_is_on(a->upper, false)));
}

/* The first zero on each diagonal, counted from 1; 0: none. */
static wn_tensor *zero_on_diagonal(wn_tensor *t) {
    wn_tensor *zero = wn_eq(wn_diagonal(t, .dim1 = WN_VAL(-2), .dim2 = WN_VAL(-1)), 0.0);
    wn_tensor *at = wn_add(wn_argmax(zero, .dim = WN_VAL(-1)), 1);
    return wn_to(wn_mul(at, wn_any(zero, .dims = WN_DIMS(-1))), WN_I32);
}

wn_status wn__infer_cholesky_inverse(wn__call *c) {
    const wn_cholesky_inverse_args *a = c->args;
    wn_status st = wn__need_square("cholesky_inverse", a->self, "A");
    if (!st) st = wn__need_float("cholesky_inverse", a->self);
    return st ? st : wn__result_columns(c, 0, (wn_dtype)a->self->dtype, a->self->ndim, a->self->shape);
}
wn_status wn__run_cholesky_inverse(wn__call *c) {
    const wn_cholesky_inverse_args *a = c->args;
    wn_status st = WN_OK;
    WN_NO_GRAD();
    if (a->self->numel && (st = wn__check_info("cholesky_inverse", WN__IS_INV, zero_on_diagonal(a->self)))) return st;
    wn_tensor *eye = wn__eye_like(a->self);
    return wn__give(c, 0, with_factor(a->self, eye, wn_is_on(a->upper, false)));
}
