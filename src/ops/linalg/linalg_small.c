/* Small systems, as they come in large batches (rotations, cameras, covariances): LU, Cholesky and triangular solves in plain loops. What
 * LAPACK does before it begins costs several times their arithmetic. Column-major; results and errors as LAPACK's getrf, potrf and trsm. */
#include "ops/linalg/linalg.h"
#include <math.h>

#define SMALL(T, S, ABS, SQRT)                                                                                          \
    static int lu_##S(int m, int n, T *a, int ld, int *pivots) {                                                        \
        int info = 0;                                                                                                   \
        for (int k = 0; k < m && k < n; k++) {                                                                          \
            T *column = a + (int64_t)k * ld;                                                                            \
            int p = k;                                                                                                  \
            for (int i = k + 1; i < m; i++)                                                                             \
                if (ABS(column[i]) > ABS(column[p])) p = i;                                                             \
            pivots[k] = p + 1;                                                                                          \
            if (column[p] == 0) {                                                                                       \
                if (!info) info = k + 1;                                                                                \
                continue;                                                                                               \
            }                                                                                                           \
            for (int c = 0; c < n && p != k; c++) {                                                                     \
                T *row = a + (int64_t)c * ld, kept = row[k];                                                            \
                row[k] = row[p], row[p] = kept;                                                                         \
            }                                                                                                           \
            for (int i = k + 1; i < m; i++) column[i] /= column[k];                                                     \
            for (int c = k + 1; c < n; c++) {                                                                           \
                T *to = a + (int64_t)c * ld;                                                                            \
                for (int i = k + 1; i < m; i++) to[i] -= column[i] * to[k];                                             \
            }                                                                                                           \
        }                                                                                                               \
        return info;                                                                                                    \
    }                                                                                                                   \
    static int cholesky_##S(int n, T *a, int ld) { /* the lower triangle */                                             \
        for (int k = 0; k < n; k++) {                                                                                   \
            T *column = a + (int64_t)k * ld;                                                                            \
            if (!(column[k] > 0)) return k + 1;                                                                         \
            column[k] = SQRT(column[k]);                                                                                \
            for (int i = k + 1; i < n; i++) column[i] /= column[k];                                                     \
            for (int c = k + 1; c < n; c++)                                                                             \
                for (int i = c; i < n; i++) a[i + (int64_t)c * ld] -= column[i] * column[c];                            \
        }                                                                                                               \
        return 0;                                                                                                       \
    }                                                                                                                   \
    /* x = op(a)^-1 x for each of the columns of x; forward: from the first unknown on. */                              \
    static void solve_##S(bool forward, bool transposed, bool unit, int n, int nrhs, const T *a, int lda, T *x, int ldx) { \
        for (int r = 0; r < nrhs; r++, x += ldx) {                                                                      \
            for (int s = 0; s < n; s++) {                                                                               \
                const int k = forward ? s : n - 1 - s, from = forward ? k + 1 : 0, to = forward ? n : k;                \
                if (!unit) x[k] /= a[k + (int64_t)k * lda];                                                             \
                if (transposed)                                                                                         \
                    for (int i = from; i < to; i++) x[i] -= a[k + (int64_t)i * lda] * x[k];                             \
                else                                                                                                    \
                    for (int i = from; i < to; i++) x[i] -= a[i + (int64_t)k * lda] * x[k];                             \
            }                                                                                                           \
        }                                                                                                               \
    }
SMALL(float, f32, fabsf, sqrtf)
SMALL(double, f64, fabs, sqrt)

int wn__small_lu(wn_dtype t, int m, int n, void *a, int ld, int *pivots) {
    return t == WN_F64 ? lu_f64(m, n, a, ld, pivots) : lu_f32(m, n, a, ld, pivots);
}
int wn__small_cholesky(wn_dtype t, int n, void *a, int ld) { return t == WN_F64 ? cholesky_f64(n, a, ld) : cholesky_f32(n, a, ld); }
void wn__small_triangle(wn_dtype t, char uplo, char trans, char diag, int n, int nrhs, const void *a, int lda, void *b, int ldb) {
    const bool transposed = trans == 'T', forward = (uplo == 'L') != transposed;
    if (t == WN_F64) solve_f64(forward, transposed, diag == 'U', n, nrhs, a, lda, b, ldb);
    else solve_f32(forward, transposed, diag == 'U', n, nrhs, a, lda, b, ldb);
}
