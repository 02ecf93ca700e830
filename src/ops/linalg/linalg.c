/* Batches of matrices for LAPACK, and the checks that the rows of linear algebra begin with. */
#include "ops/linalg/linalg.h"
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include "base/counters.h"
#include "engine/block.h"
#include "base/threads.h"

/* ------------------------------------------------------------------ matrices in memory */

wn__mats wn__mats_of(const wn_tensor *t, int core, int nb, const int64_t *batch) {
    wn__mats m = {.p = wn__ptr(t), .size = wn__dtype_size(t->dtype), .rows = 1, .cols = 1, .rs = 1, .cs = 1, .nb = nb};
    const int own = t->ndim - core;
    if (core > 0) m.rows = t->shape[own], m.rs = t->strides[own];
    if (core > 1) m.cols = t->shape[own + 1], m.cs = t->strides[own + 1];
    for (int d = 0; d < nb; d++) {
        const int mine = d - (nb - own);
        m.batch[d] = batch[d];
        m.bs[d] = mine < 0 || t->shape[mine] == 1 ? 0 : t->strides[mine];
    }
    return m;
}

char *wn__mat_at(const wn__mats *m, int64_t i) {
    int64_t at = 0;
    for (int d = m->nb - 1; d >= 0; d--) {
        at += i % m->batch[d] * m->bs[d];
        i /= m->batch[d];
    }
    return m->p + at * (int64_t)m->size;
}

wn__mats wn__mats_turned(wn__mats m) {
    const int64_t rows = m.rows, rs = m.rs;
    m.rows = m.cols, m.rs = m.cs;
    m.cols = rows, m.cs = rs;
    return m;
}

/* to[r * ld_to + i] = from[i * ld_from + r] for rows r and i < n: a line of the rows that are read at a time, so that those that are written lie in few pages. */
static void turn(int64_t size, int64_t rows, int64_t n, char *to, int64_t ld_to, const char *from, int64_t ld_from) {
    const int64_t line = 64 / size;
    for (int64_t r = 0; r < rows; r += line)
        wn__block_now()->transpose((size_t)size, rows - r < line ? rows - r : line, n, to + r * ld_to * size, ld_to, from + r * size, ld_from);
}

static void copy_matrix(const wn__mats *m, int64_t i, char *column_major, int64_t ld, bool store) {
    const int64_t size = (int64_t)m->size, rows = m->rows, cols = m->cols;
    char *mine = wn__mat_at(m, i), *to = store ? mine : column_major, *from = store ? column_major : mine;
    if (!rows || !cols) return;
    if (m->rs == 1) {
        const int64_t step_to = store ? m->cs : ld, step_from = store ? ld : m->cs;
        const bool whole = step_to == rows && step_from == rows;
        const int64_t lines = whole ? 1 : cols, length = whole ? rows * cols : rows;
        for (int64_t c = 0; c < lines; c++) memcpy(to + c * step_to * size, from + c * step_from * size, (size_t)(length * size));
    } else if (m->cs == 1) {
        if (store) turn(size, rows, cols, to, m->rs, from, ld);
        else turn(size, cols, rows, to, ld, from, m->rs);
    } else if (store) {
        wn__block_now()->elements(m->size, cols, rows, to, m->cs * size, m->rs * size, from, ld * size, size);
    } else {
        wn__block_now()->elements(m->size, cols, rows, to, ld * size, size, from, m->cs * size, m->rs * size);
    }
}
void wn__mat_load(const wn__mats *m, int64_t i, void *to, int64_t ld) { copy_matrix(m, i, to, ld, false); }
void wn__mat_store(const wn__mats *m, int64_t i, const void *from, int64_t ld) { copy_matrix(m, i, (char *)(uintptr_t)from, ld, true); }

/* ------------------------------------------------------------------ runs */

wn_status wn__result_columns(wn__call *c, int i, wn_dtype dtype, int ndim, const int64_t *shape) {
    int64_t strides[WN_MAX_DIMS];
    wn__column_major(ndim, shape, strides);
    return wn__result(c, i, dtype, ndim, shape, strides);
}

wn__lapack_job *wn__lapack_plan(wn__call *c, const wn_tensor *like, void (*one)(wn__lapack_job *j, int64_t i, char *room)) {
    wn__lapack_job *j = wn__plan(c, sizeof *j);
    if (!j) return NULL;
    j->one = one;
    j->dtype = (wn_dtype)like->dtype;
    j->size = wn__dtype_size(j->dtype);
    return j;
}
wn_status wn__lapack_find(wn__call *c, wn__lapack_job *j) {
    j->lapack = wn__lapack_get(j->dtype);
    return j->lapack ? WN_OK : wn__fail_op(c, WN_E_RUNTIME, "%s", wn__lapack_missing);
}

static void run_some(void *ctx, int64_t begin, int64_t end) {
    wn__lapack_job *j = ctx;
    char *room = wn__scratch(2, j->room + 64);
    if (!room) {
        atomic_store_explicit(&j->no_memory, true, memory_order_relaxed);
        return;
    }
    for (int64_t i = begin; i < end; i++) j->one(j, i, room);
}

wn_status wn__lapack_run(wn__call *c, wn__lapack_job *j, int64_t batch) {
    atomic_store_explicit(&j->no_memory, false, memory_order_relaxed);
    int64_t work = (int64_t)j->m * j->n * (j->m < j->n ? j->m : j->n) + (int64_t)j->n * j->nrhs + 64;
    wn__parallel(batch, 65536 / work + 1, run_some, j);
    wn__count(batch * j->m * j->n);
    return atomic_load(&j->no_memory) ? wn__fail_memory(c->op->name) : WN_OK;
}

wn_status wn__lapack_size(wn__call *c, const wn_tensor *t, int64_t n, int *to) {
    if (n > INT_MAX / 8) return wn__fail_op(c, WN_E_RUNTIME, "a matrix of %s is too large for LAPACK, whose integers have 32 bits", wn__desc(t));
    *to = (int)n;
    return WN_OK;
}

wn_status wn__lapack_work(wn__call *c, const wn__lapack_job *j, const void *query, int info, int *lwork) {
    double n = j->dtype == WN_F64 ? *(const double *)query : (double)nextafterf(*(const float *)query, INFINITY); /* a float rounds large numbers */
    if (info || !(n < INT_MAX)) return wn__fail_op(c, WN_E_RUNTIME, "matrices of %d by %d are too large for LAPACK, whose integers have 32 bits", j->m, j->n);
    *lwork = n < 1 ? 1 : (int)ceil(n);
    return WN_OK;
}

void wn__identities(wn_tensor *t) {
    if (!t->numel) return;
    wn__mats x = wn__mats_of(t, 2, t->ndim - 2, t->shape);
    memset(wn__ptr(t), 0, (size_t)t->numel * x.size);
    for (int64_t b = 0; b < t->numel / (x.rows * x.cols); b++)
        for (int64_t i = 0; i < x.rows && i < x.cols; i++) wn__store_val((wn_dtype)t->dtype, wn__mat_at(&x, b) + i * (x.rs + x.cs) * (int64_t)x.size, wn_val_of_int(1));
}

/* Without their signs, numbers have the order of their bits, above which is NaN. */
static uint32_t most_f32(const uint32_t *x, int64_t n, uint32_t most) {
    for (int64_t i = 0; i < n; i++) most = (x[i] & 0x7fffffff) > most ? x[i] & 0x7fffffff : most;
    return most;
}
static uint64_t most_f64(const uint64_t *x, int64_t n, uint64_t most) {
    const uint64_t magnitude = UINT64_MAX >> 1;
    for (int64_t i = 0; i < n; i++) most = (x[i] & magnitude) > most ? x[i] & magnitude : most;
    return most;
}
double wn__largest_magnitude(const wn__lapack_job *j, int m, int n, const char *a, int64_t ld, bool lower) {
    uint32_t most = 0;
    uint64_t most_wide = 0;
    for (int64_t c = 0; c < n; c++) {
        const int64_t from = lower ? c : 0;
        const char *column = a + (c * ld + from) * (int64_t)j->size;
        if (j->dtype == WN_F64) most_wide = most_f64((const uint64_t *)(const void *)column, m - from, most_wide);
        else most = most_f32((const uint32_t *)(const void *)column, m - from, most);
    }
    float largest;
    double largest_wide;
    memcpy(&largest, &most, sizeof most);
    memcpy(&largest_wide, &most_wide, sizeof most_wide);
    return j->dtype == WN_F64 ? largest_wide : (double)largest;
}
bool wn__needs_no_scaling(const wn__lapack_job *j, double largest) {
    return j->dtype == WN_F64 ? largest >= 1e-138 && largest <= 1e138 : largest >= (double)1e-12f && largest <= (double)1e12f;
}

/* ------------------------------------------------------------------ checks */

wn_status wn__need_matrix(const char *name, const wn_tensor *t, const char *argument) {
    if (t->ndim >= 2) return WN_OK;
    return wn__fail(WN_E_RUNTIME, name, "The input tensor %s must have at least 2 dimensions, but it is %s.", argument, wn__desc(t));
}
wn_status wn__need_square(const char *name, const wn_tensor *t, const char *argument) {
    wn_status st = wn__need_matrix(name, t, argument);
    if (st || t->shape[t->ndim - 1] == t->shape[t->ndim - 2]) return st;
    return wn__fail(WN_E_RUNTIME, name, "%s must be batches of square matrices, but they are %lld by %lld matrices", argument,
                    (long long)t->shape[t->ndim - 2], (long long)t->shape[t->ndim - 1]);
}
wn_status wn__need_float(const char *name, const wn_tensor *t) {
    if (t->dtype == WN_F32 || t->dtype == WN_F64) return WN_OK;
    if (wn__is_float(t->dtype)) return wn__fail(WN_E_RUNTIME, name, "Low precision dtypes not supported. Got %s", wn__dtype_word(t->dtype));
    return wn__fail(WN_E_RUNTIME, name, "Expected a floating point or complex tensor as input. Got %s", wn__dtype_word(t->dtype));
}
wn_status wn__need_same_dtype(const char *name, const wn_tensor *a, const wn_tensor *b) {
    if (a->dtype == b->dtype) return WN_OK;
    return wn__fail(WN_E_RUNTIME, name, "Expected the arguments to have the same dtype, but they are %s and %s", wn__desc(a), wn__desc(b));
}

int wn__linalg_batch(const char *name, const wn_tensor *a, int core_a, const wn_tensor *b, int core_b, int64_t *batch) {
    const int na = a->ndim - core_a, nb = b->ndim - core_b, n = na > nb ? na : nb;
    for (int d = 0; d < n; d++) {
        const int64_t sa = d < n - na ? 1 : a->shape[d - (n - na)], sb = d < n - nb ? 1 : b->shape[d - (n - nb)];
        if (sa != sb && sa != 1 && sb != 1) {
            wn__fail(WN_E_RUNTIME, name, "The size of tensor a (%lld) must match the size of tensor b (%lld) at non-singleton dimension %d (%s and %s)",
                     (long long)sa, (long long)sb, d, wn__desc(a), wn__desc(b));
            return -1;
        }
        batch[d] = sa == 1 ? sb : sa;
    }
    return n;
}

wn__lapack_job *wn__square_plan(wn__call *c, const char *name, const wn_tensor *t, void (*one)(wn__lapack_job *j, int64_t i, char *room)) {
    wn_status st = wn__need_square(name, t, "A");
    if (!st) st = wn__need_float(name, t);
    wn__lapack_job *j = st ? NULL : wn__lapack_plan(c, t, one);
    if (!j || wn__lapack_size(c, t, t->shape[t->ndim - 1], &j->n)) return NULL;
    j->m = j->k = j->n;
    return j;
}
wn__lapack_job *wn__matrix_plan(wn__call *c, const char *name, const wn_tensor *t, void (*one)(wn__lapack_job *j, int64_t i, char *room)) {
    wn_status st = wn__need_matrix(name, t, "A");
    if (!st) st = wn__need_float(name, t);
    wn__lapack_job *j = st ? NULL : wn__lapack_plan(c, t, one);
    if (!j || wn__lapack_size(c, t, t->shape[t->ndim - 2], &j->m) || wn__lapack_size(c, t, t->shape[t->ndim - 1], &j->n)) return NULL;
    j->k = j->m < j->n ? j->m : j->n;
    return j;
}
wn__lapack_job *wn__system_plan(wn__call *c, const wn_tensor *a, const wn_tensor *b, int nb, int64_t *shape, void (*one)(wn__lapack_job *j, int64_t i, char *room)) {
    wn__lapack_job *j = wn__lapack_plan(c, a, one);
    if (!j || wn__lapack_size(c, a, a->shape[a->ndim - 1], &j->n) || wn__lapack_size(c, b, b->shape[b->ndim - 1], &j->nrhs)) return NULL;
    j->m = j->k = j->n;
    shape[nb] = j->n;
    shape[nb + 1] = j->nrhs;
    return j;
}

wn_status wn__info_of_nothing(const wn_tensor *info) {
    memset(wn__ptr(info), 0, (size_t)info->numel * sizeof(int));
    return WN_OK;
}

static wn_status explain(const char *where, wn__linalg_kind kind, int info) {
    if (info < 0)
        return wn__fail(WN_E_LINALG, where, kind == WN__IS_SVD ? "The algorithm failed to converge because the input matrix contained non-finite values."
                                                               : "LAPACK found argument %d illegal.", -info);
    switch (kind) {
    case WN__IS_INV: return wn__fail(WN_E_LINALG, where, "The diagonal element %d is zero, the inversion could not be completed because the input matrix is singular.", info);
    case WN__IS_SOLVE: return wn__fail(WN_E_LINALG, where, "The solver failed because the input matrix is singular.");
    case WN__IS_CHOLESKY:
        return wn__fail(WN_E_LINALG, where, "The factorization could not be completed because the input is not positive-definite (the leading minor of "
                        "order %d is not positive-definite).", info);
    case WN__IS_EIG:
        return wn__fail(WN_E_LINALG, where, "The algorithm failed to converge because the input matrix is ill-conditioned or has too many repeated "
                        "eigenvalues (error code: %d).", info);
    case WN__IS_SVD:
        return wn__fail(WN_E_LINALG, where, "The algorithm failed to converge because the input matrix is ill-conditioned or has too many repeated "
                        "singular values (error code: %d).", info);
    case WN__IS_LU:
        return wn__fail(WN_E_LINALG, where, "U[%d,%d] is zero and using it on lu_solve would result in a division by zero. If you still want to perform "
                        "the factorization, consider calling linalg.lu(A, pivot) or linalg.lu_factor_ex(A, pivot)", info, info);
    case WN__IS_LSTSQ:
        return wn__fail(WN_E_LINALG, where, "The least squares solution could not be computed because the input matrix does not have full rank (error "
                        "code: %d).", info);
    case WN__IS_LDL: break;
    }
    return wn__fail(WN_E_LINALG, where, "D[%d,%d] is exactly zero: the matrix is singular.", info, info);
}

wn_status wn__check_info(const char *name, wn__linalg_kind kind, const wn_tensor *info) {
    if (!wn_ok(info)) return wn_error();
    if (wn__is_meta(info)) return WN_OK; /* nothing failed where nothing was computed */
    wn__mats m = wn__mats_of(info, 0, info->ndim, info->shape);
    for (int64_t i = 0; i < info->numel; i++) {
        int k;
        memcpy(&k, wn__mat_at(&m, i), sizeof k);
        if (!k) continue;
        char where[80];
        if (info->ndim == 0) snprintf(where, sizeof where, "%s", name);
        else snprintf(where, sizeof where, "%s: (Batch element %lld)", name, (long long)i);
        return explain(where, kind, k);
    }
    return WN_OK;
}

wn_status wn__lapack_run_checked(wn__call *c, wn__lapack_job *j, int nb, const int64_t *batch, const char *name, wn__linalg_kind kind) {
    WN__OWNED wn_tensor *info = wn__tensor_new(WN_I32, nb, batch, NULL);
    if (!info) return wn__fail_memory(c->op->name);
    j->info = wn__mats_of(info, 0, nb, batch);
    wn_status st = wn__lapack_run(c, j, info->numel);
    if (!st) st = wn__check_info(name, kind, info);
    return st;
}

/* ------------------------------------------------------------------ small helpers of composites */

wn_tensor *wn__eye_like(const wn_tensor *square) {
    if (!wn_ok(square)) return wn__bad(WN_E_RUNTIME, "eye", "a bad operand");
    return wn_eye(square->shape[square->ndim - 1], .dtype = (wn_dtype)square->dtype);
}


bool wn__records(const wn__call *c, const wn_tensor *t) { return wn__recording(c->th) && t && wn_needs_grad(t); }
