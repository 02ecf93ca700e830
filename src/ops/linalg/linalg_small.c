/* Small systems, as they come in large batches (rotations, cameras, covariances): LU, Cholesky and triangular solves in plain loops. What
 * blocks and panels do before they begin costs several times their arithmetic. Results and errors as LAPACK's getrf, potrf and trsm. */
#include <math.h>
#include "base/inline.h"
#include "ops/linalg/linalg.h"

#define BODY "ops/linalg/linalg_small_of.h"
#include "base/for_floats.h"

int wn__small_lu(wn_dtype t, int m, int n, void *a, int ld, int *pivots) {
    return t == WN_F64 ? lu_f64(m, n, a, ld, pivots) : lu_f32(m, n, a, ld, pivots);
}
int wn__small_cholesky(wn_dtype t, int n, void *a, int ld) { return t == WN_F64 ? cholesky_f64(n, a, ld) : cholesky_f32(n, a, ld); }
void wn__small_triangle(wn_dtype t, wn__triangle a, int n, int nrhs, void *b, int64_t ldb) {
    if (t == WN_F64) solve_f64(&a, n, nrhs, b, ldb);
    else solve_f32(&a, n, nrhs, b, ldb);
}
