/* Least squares by QR in LAPACK's steps, those of gels and gelsy, with our own products and triangular systems. Right-hand sides lie row by row. */
#include <math.h>
#include "ops/linalg/linalg.h"

#define BODY "ops/linalg/linalg_rank_of.h"
#include "base/for_floats.h"

enum { MANY = 48 }; /* the least size that gains by it */

bool wn__lstsq_has_steps(const wn__lapack_job *j, bool pivoted) { return j->k >= MANY && (pivoted || j->m >= j->n); }

size_t wn__lstsq_steps_room(const wn__lapack_job *j) {
    const int rows = j->m > j->n ? j->m : j->n;
    return wn__rows_room(rows, j->nrhs, j->size) + 4 * wn__piece((size_t)rows, j->size);
}

static int rank_of(const wn__lapack_job *j, const char *r, char *low, char *high) {
    const int64_t ld = wn__column_ld(j->m, j->size);
    if (j->dtype == WN_F64) return rank_f64(j->lapack, j->k, (const double *)(const void *)r, ld, j->number, (double *)(void *)low, (double *)(void *)high);
    return rank_f32(j->lapack, j->k, (const float *)(const void *)r, ld, (float)j->number, (float *)(void *)low, (float *)(void *)high);
}

/* The first zero on R's diagonal, counted from 1; 0: none. */
static int zero_of(const wn__lapack_job *j, const char *r) {
    for (int i = 0; i < j->k; i++) {
        const char *at = r + (size_t)i * ((size_t)wn__column_ld(j->m, j->size) + 1) * j->size;
        if ((j->dtype == WN_F64 ? *(const double *)(const void *)at : (double)*(const float *)(const void *)at) == 0) return i + 1;
    }
    return 0;
}

/* The first `rank` rows of the solution; of less than n rows R is first made a triangle by reflectors from the right, which the solution then gets. */
static void solve_rows(wn__lapack_job *j, int rank, char *a, char *tau, char *b, int64_t ld, char *work) {
    const int n = j->n, more = n - rank, ldb = (int)ld, lda = wn__column_ld(j->m, j->size);
    int info = 0;
    if (more && rank) j->lapack->tzrzf(&rank, &n, a, &lda, tau, work, &j->lwork, &info);
    wn__solve_triangle(j, (wn__triangle){.a = {a, 1, lda}, .upper = true}, rank, j->nrhs, b, ld);
    if (more) memset(b + (size_t)(rank * ld) * j->size, 0, (size_t)(more * ld) * j->size);
    if (more && rank) j->lapack->ormrz("R", "N", &j->nrhs, &n, &rank, &more, a, &lda, tau, b, &ldb, work, &j->lwork, &info, 1, 1);
}

/* Row k of b is row order[k] of the solution, counted from 1; without an order row k. */
static void store_rows(const wn__lapack_job *j, int64_t i, const int *order, const char *b, int64_t ld) {
    const wn__mats solution = wn__mats_turned(j->x);
    wn__mats one = solution;
    one.cols = 1;
    if (!order) wn__mat_store(&solution, i, b, ld);
    for (int64_t k = 0; k < j->n && order; k++) {
        one.p = solution.p + (order[k] - 1) * solution.cs * (int64_t)j->size;
        wn__mat_store(&one, i, b + (size_t)(k * ld) * j->size, ld);
    }
}

int wn__lstsq_steps(wn__lapack_job *j, int64_t i, char *a, int *order, int *rank, char *room) {
    const int64_t ld = wn__row_ld(j->nrhs, j->size);
    const int rows = j->m > j->n ? j->m : j->n, lda = wn__column_ld(j->m, j->size);
    char *b = wn__take(&room, wn__rows_room(rows, j->nrhs, j->size));
    char *tau = wn__take(&room, (size_t)rows * j->size), *again = wn__take(&room, (size_t)rows * j->size);
    char *low = wn__take(&room, (size_t)rows * j->size), *high = wn__take(&room, (size_t)rows * j->size);
    const wn__reflectors q = {.v = {a, 1, lda}, .tau = tau, .m = j->m, .k = j->k};
    const wn__mats right = wn__mats_turned(j->b);
    int info = 0;
    if (order) j->lapack->geqp3(&j->m, &j->n, a, &lda, order, tau, room, &j->lwork, &info);
    else wn__factor_qr(j, j->m, j->n, a, lda, tau, room);
    *rank = order ? rank_of(j, a, low, high) : j->k;
    if (!order && (info = zero_of(j, a))) return info;
    wn__mat_load(&right, i, b, ld);
    wn__reflect(j, &q, true, (wn__matrix){b, ld, 1}, j->nrhs);
    solve_rows(j, *rank, a, again, b, ld, room);
    store_rows(j, i, order, b, ld);
    return 0;
}
