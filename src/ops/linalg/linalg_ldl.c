/* LDL^T factorisations of symmetric matrices (Bunch and Kaufman: blocks of 1 and 2). */
#include "ops/linalg/linalg.h"

static void factor_one(wn__lapack_job *j, int64_t i, char *room) {
    const int n = j->n, ld = wn__ld(n);
    char *a = wn__take(&room, (size_t)n * (size_t)n * j->size);
    int *pivots = (int *)(void *)wn__take(&room, (size_t)n * sizeof *pivots), info = 0;
    wn__mat_load(&j->a, i, a, ld);
    for (int col = 1; col < n; col++) memset(a + (size_t)col * (size_t)ld * j->size, 0, (size_t)col * j->size); /* only the lower triangle counts */
    j->lapack->sytrf("L", &n, a, &ld, pivots, room, &j->lwork, &info, 1);
    wn__mat_store(&j->x, i, a, ld);
    wn__mat_store(&j->pivots, i, pivots, ld);
    wn__store_info(j, i, info);
}

static const char factor_name[] = "torch.linalg.ldl_factor_ex";
wn_status wn__infer_linalg_ldl_factor_ex(wn__call *c, wn_tensor *t) {
    const wn__lapack_job *j = wn__square_plan(c, factor_name, t, factor_one);
    if (!j) return c->th->error;
    wn_status st = wn__result(c, 0, j->dtype, t->ndim, t->shape, NULL);
    if (!st) st = wn__result(c, 1, WN_I32, t->ndim - 1, t->shape, NULL);
    return st ? st : wn__result(c, 2, WN_I32, t->ndim - 2, t->shape, NULL);
}
wn_status wn__run_linalg_ldl_factor_ex(wn__call *c, wn_tensor *t, bool check_errors) {
    const wn_tensor *info = c->out[2];
    wn__lapack_job *j = c->plan;
    wn_status st = wn__lapack_find(c, j);
    if (st) return st;
    const int nb = t->ndim - 2;
    if (t->numel == 0) return wn__info_of_nothing(info);
    const int query = -1, lda = wn__ld(j->n);
    int problem = 0, integers = 0;
    double answer = 0, dummy = 0;
    j->lapack->sytrf("L", &j->n, &dummy, &lda, &integers, &answer, &query, &problem, 1);
    if ((st = wn__lapack_work(c, j, &answer, problem, &j->lwork))) return st;
    j->room = wn__piece((size_t)j->n * (size_t)j->n, j->size) + wn__piece((size_t)j->n, sizeof(int)) + (size_t)j->lwork * j->size;
    j->a = wn__mats_of(t, 2, nb, t->shape);
    j->x = wn__mats_of(c->out[0], 2, nb, t->shape);
    j->pivots = wn__mats_of(c->out[1], 1, nb, t->shape);
    j->info = wn__mats_of(info, 0, nb, t->shape);
    st = wn__lapack_run(c, j, info->numel);
    return st || !check_errors ? st : wn__check_info(factor_name, WN__IS_LDL, info);
}

static void solve_one(wn__lapack_job *j, int64_t i, char *room) {
    const int n = j->n, ld = wn__ld(n);
    char *a = wn__take(&room, (size_t)n * (size_t)n * j->size);
    int *pivots = (int *)(void *)wn__take(&room, (size_t)n * sizeof *pivots), info = 0;
    wn__mat_load(&j->a, i, a, ld);
    wn__mat_load(&j->pivots, i, pivots, ld);
    wn__mat_load(&j->b, i, room, ld);
    j->lapack->sytrs("L", &n, &j->nrhs, a, &ld, pivots, room, &ld, &info, 1);
    wn__mat_store(&j->x, i, room, ld);
}

static const char solve_name[] = "torch.linalg.ldl_solve";

/* Two in a row are negative and equal where a block has 2 rows. */
static wn_status check_block_pivots(const wn_tensor *pivots, const wn_tensor *ld) {
    const int64_t n = ld->shape[ld->ndim - 1];
    wn__mats p = wn__mats_of(pivots, 1, ld->ndim - 2, ld->shape);
    for (int64_t i = 0; n && i < pivots->numel / n; i++)
        for (int64_t k = 0; k < n; k++) {
            int v, next = 0;
            memcpy(&v, wn__mat_at(&p, i) + k * p.rs * (int64_t)sizeof v, sizeof v);
            if (k + 1 < n) memcpy(&next, wn__mat_at(&p, i) + (k + 1) * p.rs * (int64_t)sizeof v, sizeof v);
            bool pair = v < 0 && next == v && v >= -n;
            if (!pair && (v < 1 || v > n)) return wn__fail(WN_E_RUNTIME, solve_name, "pivots are not those of a factorisation: %d", v);
            k += pair;
        }
    return WN_OK;
}

wn_status wn__infer_linalg_ldl_solve(wn__call *c, wn_tensor *ld, wn_tensor *pivots, wn_tensor *b) {
    const char *name = solve_name;
    wn_status st = wn__need_square(name, ld, "LD");
    if (!st) st = wn__need_matrix(name, b, "B");
    if (!st) st = wn__need_float(name, ld);
    if (!st) st = wn__need_same_dtype(name, ld, b);
    if (st) return st;
    const int64_t n = ld->shape[ld->ndim - 1];
    if (b->shape[b->ndim - 2] != n) return wn__fail(WN_E_RUNTIME, name, "Incompatible shapes of LD and B (%s and %s)", wn__desc(ld), wn__desc(b));
    bool fits = pivots->ndim == ld->ndim - 1 && pivots->dtype == WN_I32;
    for (int d = 0; fits && d < pivots->ndim; d++) fits = pivots->shape[d] == ld->shape[d];
    if (!fits) return wn__fail(WN_E_RUNTIME, name, "Expected pivots to be int32 of the shape of LD[:-1], but got %s for %s", wn__desc(pivots), wn__desc(ld));
    int64_t shape[WN_MAX_DIMS];
    const int nb = wn__linalg_batch(name, ld, 2, b, 2, shape);
    if (nb < 0) return c->th->error;
    const wn__lapack_job *j = wn__system_plan(c, ld, b, nb, shape, solve_one);
    return j ? wn__result(c, 0, j->dtype, nb + 2, shape, NULL) : c->th->error;
}
wn_status wn__run_linalg_ldl_solve(wn__call *c, wn_tensor *LD, wn_tensor *pivots, wn_tensor *B) {
    const wn_tensor *x = c->out[0];
    wn__lapack_job *j = c->plan;
    wn_status st = check_block_pivots(pivots, LD);
    if (!st) st = wn__lapack_find(c, j);
    if (st || x->numel == 0) return st;
    const int nb = x->ndim - 2;
    const size_t n = (size_t)j->n;
    j->room = wn__piece(n * n, j->size) + wn__piece(n, sizeof(int)) + wn__piece(n * (size_t)j->nrhs, j->size);
    j->a = wn__mats_of(LD, 2, nb, x->shape);
    j->b = wn__mats_of(B, 2, nb, x->shape);
    j->pivots = wn__mats_of(pivots, 1, nb, x->shape);
    j->x = wn__mats_of(x, 2, nb, x->shape);
    return wn__lapack_run(c, j, x->numel / ((int64_t)j->n * j->nrhs));
}
