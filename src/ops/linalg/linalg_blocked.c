/* Triangular systems, Cholesky and LU by blocks: LAPACK works on blocks of the diagonal and on panels, and nearly all arithmetic is
 * matrix products of our own engine, on its threads. LAPACK's own blocks are as fast as the BLAS below it, which may be the plain reference. */
#include "cpu/contract.h"
#include "ops/linalg/linalg.h"

enum { WIDTH = 64, TRIANGLE = 32 }; /* TRIANGLE: a block of a triangular system */

/* A part of a column-major matrix (or of its transpose): strides in elements. */
typedef struct part {
    char *p;
    int64_t rs, cs;
} part;
static char *element(const wn__lapack_job *j, char *p, int64_t at) { return p + at * (int64_t)j->size; }

/* c -= a b for c [m, n], column-major with columns ld apart. The engine gets the transposed problem, whose rows are consecutive. */
static void subtract_product(wn__lapack_job *j, int64_t m, int64_t n, int64_t k, part a, part b, char *c, int64_t ld) {
    if (m <= 0 || n <= 0 || k <= 0) return;
    wn__contraction x = {.dtype = j->dtype, .out_dtype = j->dtype, .a = b.p, .b = a.p, .c = c, .nm = 1, .nn = 1, .nk = 1, .alpha = -1, .beta = 1};
    x.m[0] = (wn__axis){.size = n, .a = b.cs, .c = ld};
    x.n[0] = (wn__axis){.size = m, .b = a.rs, .c = 1};
    x.k[0] = (wn__axis){.size = k, .a = b.rs, .b = a.cs};
    if (!wn__contract(&x)) atomic_store_explicit(&j->no_memory, true, memory_order_relaxed);
}

static void trsm(wn__lapack_job *j, const char *side, char uplo, char trans, char diag, int m, int n, const char *a, int lda, char *b, int ldb) {
    const double one = 1;
    const float one_f = 1;
    if (m > 0 && n > 0) j->lapack->trsm(side, &uplo, &trans, &diag, &m, &n, j->dtype == WN_F64 ? (const void *)&one : &one_f, a, &lda, b, &ldb, 1, 1, 1, 1);
}

/* identity: b is it, of the size of the system, and the triangle the lower one: in a block's rows what lies right of the block stays 0. */
static void solve_blocks(wn__lapack_job *j, char uplo, char trans, char diag, int n, int nrhs, char *a, int lda, char *b, int ldb, bool identity) {
    const bool forward = (uplo == 'L') != (trans == 'T');
    for (int done = 0; done < n; done += TRIANGLE) {
        const int size = n - done < TRIANGLE ? n - done : TRIANGLE, at = forward ? done : n - done - size, cols = identity ? at + size : nrhs;
        trsm(j, "L", uplo, trans, diag, size, cols, element(j, a, at + (int64_t)at * lda), lda, element(j, b, at), ldb);
        const int first = forward ? at + size : 0, rest = forward ? n - first : at;
        const part left = trans == 'T' ? (part){element(j, a, at + (int64_t)first * lda), lda, 1} : (part){element(j, a, first + (int64_t)at * lda), 1, lda};
        subtract_product(j, rest, cols, size, left, (part){element(j, b, at), 1, ldb}, element(j, b, first), ldb);
    }
}

void wn__solve_triangle(wn__lapack_job *j, char uplo, char trans, char diag, int n, int nrhs, char *a, int lda, char *b, int ldb) {
    if (n <= WN__SMALL_MATRIX) wn__small_triangle(j->dtype, uplo, trans, diag, n, nrhs, a, lda, b, ldb);
    else solve_blocks(j, uplo, trans, diag, n, nrhs, a, lda, b, ldb, false);
}

/* The lower triangle; the upper one is left alone. */
int wn__factor_cholesky(wn__lapack_job *j, int n, char *a, int ld) {
    if (n <= WN__SMALL_MATRIX) return wn__small_cholesky(j->dtype, n, a, ld);
    for (int at = 0; at < n; at += WIDTH) {
        const int size = n - at < WIDTH ? n - at : WIDTH, below = at + size, rest = n - below;
        int info = 0;
        char *corner = element(j, a, at + (int64_t)at * ld), *panel = element(j, a, below + (int64_t)at * ld);
        j->lapack->potrf("L", &size, corner, &ld, &info, 1);
        if (info) return at + info;
        trsm(j, "R", 'L', 'T', 'N', rest, size, corner, ld, panel, ld);
        for (int col = 0; col < rest; col += 2 * WIDTH) { /* by strips, of which what is above the diagonal is small */
            const int wide = rest - col < 2 * WIDTH ? rest - col : 2 * WIDTH;
            char *strip = element(j, panel, col);
            subtract_product(j, rest - col, wide, size, (part){strip, 1, ld}, (part){strip, ld, 1}, element(j, a, below + col + (int64_t)(below + col) * ld), ld);
        }
    }
    return 0;
}

#define SWAPS(T)                                                                                                        \
    for (int64_t c = from; c < to; c++) {                                                                               \
        T *column = (T *)(void *)a + c * ld;                                                                            \
        for (int i = 0; i < n; i++) {                                                                                   \
            const int k = back ? n - 1 - i : i, row = first + k, with = pivots[k] - 1;                                 \
            const T kept = column[row];                                                                                 \
            column[row] = column[with];                                                                                 \
            column[with] = kept;                                                                                        \
        }                                                                                                               \
    }
/* Exchanges rows first .. first + n - 1 with those that the pivots name, in columns from .. to - 1. */
static void exchange(const wn__lapack_job *j, char *a, int64_t ld, int64_t from, int64_t to, int first, int n, const int *pivots, bool back) {
    if (j->size == 8) {
        SWAPS(uint64_t)
    } else {
        SWAPS(uint32_t)
    }
}

int wn__factor_lu(wn__lapack_job *j, int m, int n, char *a, int ld, int *pivots) {
    if (m <= WN__SMALL_MATRIX && n <= WN__SMALL_MATRIX) return wn__small_lu(j->dtype, m, n, a, ld, pivots);
    const int least = m < n ? m : n, width = least <= WIDTH ? least : WIDTH;
    int first_zero = 0;
    for (int at = 0; at < least; at += width) {
        const int size = least - at < width ? least - at : width, next = at + size, below = m - at;
        const int wide = width == least ? n : size; /* one block: LAPACK does all columns */
        int info = 0;
        char *corner = element(j, a, at + (int64_t)at * ld), *right = element(j, a, at + (int64_t)next * ld);
        j->lapack->getrf(&below, &wide, corner, &ld, pivots + at, &info);
        if (info > 0 && !first_zero) first_zero = at + info;
        if (wide == n) return first_zero;
        for (int i = at; i < next; i++) pivots[i] += at;
        exchange(j, a, ld, 0, at, at, size, pivots + at, false);
        exchange(j, a, ld, next, n, at, size, pivots + at, false);
        trsm(j, "L", 'L', 'N', 'U', size, n - next, corner, ld, right, ld);
        subtract_product(j, m - next, n - next, size, (part){element(j, corner, size), 1, ld}, (part){right, 1, ld}, element(j, right, size), ld);
    }
    return first_zero;
}

void wn__solve_lu(wn__lapack_job *j, char trans, int n, int nrhs, char *lu, int ld, const int *pivots, char *b, int ldb) {
    if (trans == 'N') {
        exchange(j, b, ldb, 0, nrhs, 0, n, pivots, false);
        wn__solve_triangle(j, 'L', 'N', 'U', n, nrhs, lu, ld, b, ldb);
        wn__solve_triangle(j, 'U', 'N', 'N', n, nrhs, lu, ld, b, ldb);
    } else {
        wn__solve_triangle(j, 'U', 'T', 'N', n, nrhs, lu, ld, b, ldb);
        wn__solve_triangle(j, 'L', 'T', 'U', n, nrhs, lu, ld, b, ldb);
        exchange(j, b, ldb, 0, nrhs, 0, n, pivots, true);
    }
}

static void make_identity(const wn__lapack_job *j, int n, char *b, int ld) {
    const double one = 1;
    const float one_f = 1;
    for (int64_t c = 0; c < n; c++) {
        memset(element(j, b, c * ld), 0, (size_t)n * j->size);
        memcpy(element(j, b, c * ld + c), j->dtype == WN_F64 ? (const void *)&one : &one_f, j->size);
    }
}

/* A = P L U: U^-1 L^-1, of which L^-1 is a triangle, and its columns in the order that P says. */
void wn__invert_lu(wn__lapack_job *j, int n, char *lu, int ld, const int *pivots, char *b, int ldb) {
    make_identity(j, n, b, ldb);
    if (n <= WN__SMALL_MATRIX) {
        wn__solve_lu(j, 'N', n, n, lu, ld, pivots, b, ldb);
        return;
    }
    solve_blocks(j, 'L', 'N', 'U', n, n, lu, ld, b, ldb, true);
    solve_blocks(j, 'U', 'N', 'N', n, n, lu, ld, b, ldb, false);
    const size_t column = (size_t)n * j->size;
    char *kept = wn__scratch(3, column);
    if (!kept) atomic_store_explicit(&j->no_memory, true, memory_order_relaxed);
    for (int i = n - 1; kept && i >= 0; i--) {
        if (pivots[i] - 1 == i) continue;
        char *one = element(j, b, (int64_t)i * ldb), *other = element(j, b, (int64_t)(pivots[i] - 1) * ldb);
        memcpy(kept, one, column);
        memcpy(one, other, column);
        memcpy(other, kept, column);
    }
}
