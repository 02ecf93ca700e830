/* Least squares by QR in LAPACK's steps, those of gels and gelsy, with our own products and triangular systems. Right-hand sides lie row by row. */
#include <math.h>
#include "ops/linalg/linalg.h"

#define T float
#define NAME(x) x##_f32
#define MAGNITUDE fabsf
#include "ops/linalg/linalg_rank.h"
#undef T
#undef NAME
#undef MAGNITUDE
#define T double
#define NAME(x) x##_f64
#define MAGNITUDE fabs
#include "ops/linalg/linalg_rank.h"

enum { MANY = 48 }; /* the least size that gains by it */

bool wn__lstsq_has_steps(const wn__lapack_job *j, bool pivoted) { return j->k >= MANY && (pivoted || j->m >= j->n); }

size_t wn__lstsq_steps_room(const wn__lapack_job *j) {
    const int rows = j->m > j->n ? j->m : j->n;
    return wn__rows_room(rows, j->nrhs, j->size) + wn__rows_room(j->n, j->nrhs, j->size) + 4 * wn__piece((size_t)rows, j->size);
}

static int rank_of(const wn__lapack_job *j, const char *r, char *low, char *high) {
    if (j->dtype == WN_F64) return rank_f64(j->lapack, j->k, (const double *)(const void *)r, j->m, j->number, (double *)(void *)low, (double *)(void *)high);
    return rank_f32(j->lapack, j->k, (const float *)(const void *)r, j->m, (float)j->number, (float *)(void *)low, (float *)(void *)high);
}

/* The first zero on R's diagonal, counted from 1; 0: none. */
static int zero_of(const wn__lapack_job *j, const char *r) {
    for (int i = 0; i < j->k; i++) {
        const char *at = r + (size_t)i * ((size_t)j->m + 1) * j->size;
        if ((j->dtype == WN_F64 ? *(const double *)(const void *)at : (double)*(const float *)(const void *)at) == 0) return i + 1;
    }
    return 0;
}

/* The first `rank` rows of the solution; of less than n rows R is first made a triangle by reflectors from the right, which the solution then gets. */
static void solve_rows(wn__lapack_job *j, int rank, char *a, char *tau, char *b, int64_t ld, char *work) {
    const int n = j->n, more = n - rank, ldb = (int)ld;
    int info = 0;
    if (more && rank) j->lapack->tzrzf(&rank, &n, a, &j->m, tau, work, &j->lwork, &info);
    wn__solve_triangle(j, (wn__triangle){.a = {a, 1, j->m}, .upper = true}, rank, j->nrhs, b, ld);
    if (more) memset(b + (size_t)(rank * ld) * j->size, 0, (size_t)(more * ld) * j->size);
    if (more && rank) j->lapack->ormrz("R", "N", &j->nrhs, &n, &rank, &more, a, &j->m, tau, b, &ldb, work, &j->lwork, &info, 1, 1);
}

int wn__lstsq_steps(wn__lapack_job *j, int64_t i, char *a, int *order, int *rank, char *room) {
    const int64_t ld = wn__row_ld(j->nrhs, j->size);
    const int rows = j->m > j->n ? j->m : j->n;
    char *b = wn__take(&room, wn__rows_room(rows, j->nrhs, j->size)), *x = wn__take(&room, wn__rows_room(j->n, j->nrhs, j->size));
    char *tau = wn__take(&room, (size_t)rows * j->size), *again = wn__take(&room, (size_t)rows * j->size);
    char *low = wn__take(&room, (size_t)rows * j->size), *high = wn__take(&room, (size_t)rows * j->size);
    const wn__reflectors q = {.v = {a, 1, j->m}, .tau = tau, .m = j->m, .k = j->k};
    const wn__mats right = wn__mats_turned(j->b), solution = wn__mats_turned(j->x);
    int info = 0;
    if (order) j->lapack->geqp3(&j->m, &j->n, a, &j->m, order, tau, room, &j->lwork, &info);
    else wn__factor_qr(j, j->m, j->n, a, j->m, tau, room);
    *rank = order ? rank_of(j, a, low, high) : j->k;
    if (!order && (info = zero_of(j, a))) return info;
    wn__mat_load(&right, i, b, ld);
    wn__reflect(j, &q, true, (wn__matrix){b, ld, 1}, j->nrhs);
    solve_rows(j, *rank, a, again, b, ld, room);
    for (int64_t k = 0; k < j->n && order; k++) memcpy(x + (size_t)((order[k] - 1) * ld) * j->size, b + (size_t)(k * ld) * j->size, (size_t)j->nrhs * j->size);
    wn__mat_store(&solution, i, order ? x : b, ld);
    return 0;
}
