/* Triangular systems, Cholesky and LU by halves: blocks and panels are the kernels' (engine/triangle.h), and nearly all arithmetic is matrix
 * products of our own engine, on its threads. Matrices lie row by row: rows are exchanged as they lie, and the columns of right-hand sides fill vectors. */
#include "engine/contraction.h"
#include "engine/block.h"
#include "base/threads.h"
#include "engine/triangle.h"
#include "ops/linalg/linalg.h"

static char *element(const wn__lapack_job *j, char *p, int64_t at) { return p + at * (int64_t)j->size; }
static int least(int a, int b) { return a < b ? a : b; }
static void no_memory(wn__lapack_job *j) { atomic_store_explicit(&j->no_memory, true, memory_order_relaxed); }

void wn__matrix_product(wn__lapack_job *j, int64_t m, int64_t n, int64_t k, wn__matrix a, wn__matrix b, wn__matrix c, double alpha, double beta) {
    if (m <= 0 || n <= 0 || k <= 0) return;
    wn__contraction x = {.dtype = j->dtype, .out_dtype = j->dtype, .a = a.p, .b = b.p, .c = c.p, .nm = 1, .nn = 1, .nk = 1, .alpha = alpha, .beta = beta};
    x.m[0] = (wn__axis){.size = m, .a = a.rs, .c = c.rs};
    x.n[0] = (wn__axis){.size = n, .b = b.cs, .c = c.cs};
    x.k[0] = (wn__axis){.size = k, .a = a.cs, .b = b.rs};
    if (!wn__contract(&x)) no_memory(j);
}

/* c -= a b for c [m, n], whose rows are ld apart. */
static void subtract_product(wn__lapack_job *j, int64_t m, int64_t n, int64_t k, wn__matrix a, wn__matrix b, char *c, int64_t ld) {
    wn__matrix_product(j, m, n, k, a, b, (wn__matrix){c, ld, 1}, -1, 1);
}

static wn__matrix part_at(const wn__lapack_job *j, wn__matrix a, int64_t row, int64_t col) {
    return (wn__matrix){element(j, a.p, row * a.rs + col * a.cs), a.rs, a.cs};
}

/* ------------------------------------------------------------------ triangular systems */

typedef struct block_job {
    wn__lapack_job *j;
    wn__triangle t;
    int n;
    char *b;
    int64_t ldb;
} block_job;

static void solve_columns(void *ctx, int64_t begin, int64_t end) {
    const block_job *s = ctx;
    const wn__matrix a = s->t.a;
    const int64_t last = s->n - 1;
    char *b = element(s->j, s->b, begin);
    if (s->t.upper) /* a lower triangle, from its end */
        wn__triangle_now(s->j->dtype)->solve(s->n, element(s->j, a.p, last * (a.rs + a.cs)), -a.rs, -a.cs, s->t.unit, element(s->j, b, last * s->ldb), -s->ldb, end - begin);
    else
        wn__triangle_now(s->j->dtype)->solve(s->n, a.p, a.rs, a.cs, s->t.unit, b, s->ldb, end - begin);
}

static void solve_block(wn__lapack_job *j, wn__triangle t, int n, int64_t cols, char *b, int64_t ldb) {
    enum { GRAIN = 192 }; /* columns that are worth a thread */
    block_job s = {j, t, n, b, ldb};
    if (cols > 0) wn__parallel(cols, GRAIN, solve_columns, &s);
}

static void solve_halves(wn__lapack_job *j, wn__triangle t, int n, int64_t cols, char *b, int64_t ldb) {
    if (n <= WN__TRIANGLE) {
        solve_block(j, t, n, cols, b, ldb);
        return;
    }
    const int first = (n / 2 + WN__TRIANGLE - 1) / WN__TRIANGLE * WN__TRIANGLE, rest = n - first;
    wn__triangle low = t;
    char *below = element(j, b, first * ldb);
    low.a = part_at(j, t.a, first, first);
    if (t.upper) {
        solve_halves(j, low, rest, cols, below, ldb);
        subtract_product(j, first, cols, rest, part_at(j, t.a, 0, first), (wn__matrix){below, ldb, 1}, b, ldb);
        solve_halves(j, t, first, cols, b, ldb);
    } else {
        solve_halves(j, t, first, cols, b, ldb);
        subtract_product(j, rest, cols, first, part_at(j, t.a, first, 0), (wn__matrix){b, ldb, 1}, below, ldb);
        solve_halves(j, low, rest, cols, below, ldb);
    }
}

void wn__solve_triangle(wn__lapack_job *j, wn__triangle t, int n, int nrhs, char *b, int64_t ldb) {
    const int small = nrhs == 1 ? 2 * WN__SMALL_MATRIX : nrhs <= WN__SMALL_MATRIX ? WN__SMALL_MATRIX : 0; /* a kernel computes whole vectors of columns */
    if (n <= small) wn__small_triangle(j->dtype, t, n, nrhs, b, ldb);
    else solve_halves(j, t, n, nrhs, b, ldb);
}

/* b = L^-1 for a lower triangle; b is the identity before. In a block's rows what lies right of the block stays 0. */
static void invert_lower(wn__lapack_job *j, wn__triangle t, int n, char *b, int64_t ldb) {
    for (int at = 0; at < n; at += WN__TRIANGLE) {
        const int size = least(WN__TRIANGLE, n - at), next = at + size;
        wn__triangle corner = t;
        char *rows = element(j, b, at * ldb);
        corner.a = part_at(j, t.a, at, at);
        solve_block(j, corner, size, next, rows, ldb);
        subtract_product(j, n - next, next, size, part_at(j, t.a, next, at), (wn__matrix){rows, ldb, 1}, element(j, b, next * ldb), ldb);
    }
}

/* ------------------------------------------------------------------ Cholesky */

int wn__factor_cholesky(wn__lapack_job *j, int n, char *a, int64_t ld) {
    if (n <= WN__SMALL_MATRIX) return wn__small_cholesky(j->dtype, n, a, (int)ld);
    enum { STRIP = 64 };
    const int first = (n / 2 + WN__SMALL_MATRIX - 1) / WN__SMALL_MATRIX * WN__SMALL_MATRIX, rest = n - first;
    char *right = element(j, a, first);
    int info = wn__factor_cholesky(j, first, a, ld);
    if (info) return info;
    solve_halves(j, (wn__triangle){.a = {a, 1, ld}}, first, rest, right, ld); /* U^T, read the other way round */
    for (int at = 0; at < rest; at += STRIP) { /* of a strip, what is left of the diagonal is small */
        char *strip = element(j, right, at);
        subtract_product(j, least(STRIP, rest - at), rest - at, first, (wn__matrix){strip, 1, ld}, (wn__matrix){strip, ld, 1}, element(j, right, first * ld + at * (ld + 1)), ld);
    }
    info = wn__factor_cholesky(j, rest, element(j, right, first * ld), ld);
    return info ? first + info : 0;
}

/* ------------------------------------------------------------------ LU */

static inline void exchange_pieces(char *one, char *other, size_t from, size_t to, size_t piece) {
    char kept[64];
    for (size_t at = from; at + piece <= to; at += piece) {
        memcpy(kept, one + at, piece);
        memcpy(one + at, other + at, piece);
        memcpy(other + at, kept, piece);
    }
}

/* Exchanges rows first .. first + n - 1 with those that the pivots name, the last one first if back, in `cols` columns from a on. */
static void exchange(const wn__lapack_job *j, char *a, int64_t ld, int64_t cols, int first, int n, const int *pivots, bool back) {
    enum { LINE = 64, NUMBER = 4 };
    const size_t bytes = (size_t)cols * j->size, lines = bytes / LINE * LINE;
    for (int i = 0; i < n; i++) {
        const int k = first + (back ? n - 1 - i : i), with = pivots[k] - 1;
        if (with == k) continue;
        exchange_pieces(element(j, a, k * ld), element(j, a, with * ld), 0, lines, LINE);
        exchange_pieces(element(j, a, k * ld), element(j, a, with * ld), lines, bytes, NUMBER);
    }
}

typedef struct lu_job {
    wn__lapack_job *j;
    char *a;
    int64_t ld;
    int m, first_zero;
    int *pivots;
    char *panel; /* room for the widest, whose columns lie side by side there */
} lu_job;

static int64_t panel_ld(int m, size_t size) {
    const int64_t ld = m + WN__PANEL_BEHIND;
    return ld * (int64_t)size % 1024 ? ld : ld + WN__PANEL_BEHIND; /* columns so far apart would meet in the same sets of a cache */
}

static void factor_panel(lu_job *f, int at, int width) {
    const wn__lapack_job *j = f->j;
    const int m = f->m - at;
    const int64_t ld = panel_ld(m, j->size);
    char *corner = element(j, f->a, at * (f->ld + 1));
    wn__block_now()->transpose(j->size, width, m, f->panel, ld, corner, f->ld);
    const int info = wn__triangle_now(j->dtype)->lu(m, width, f->panel, ld, f->pivots + at);
    wn__block_now()->transpose(j->size, m, width, corner, f->ld, f->panel, ld);
    if (info && !f->first_zero) f->first_zero = at + info;
    for (int k = at; k < at + least(m, width); k++) f->pivots[k] += at + 1;
}

/* Columns at .. at + width - 1 of rows at .., which nothing is to be subtracted from any more. Rows are exchanged in these columns only. */
static void factor_columns(lu_job *f, int at, int width) {
    if (width <= WN__PANEL) {
        factor_panel(f, at, width);
        return;
    }
    wn__lapack_job *j = f->j;
    const int first = (width / 2 + WN__PANEL - 1) / WN__PANEL * WN__PANEL, rest = width - first, next = at + first;
    char *left = element(j, f->a, at), *right = element(j, f->a, next);
    factor_columns(f, at, first);
    exchange(j, right, f->ld, rest, at, first, f->pivots, false);
    const wn__triangle t = {.a = {element(j, left, at * f->ld), f->ld, 1}, .unit = true};
    char *top = element(j, right, at * f->ld);
    solve_halves(j, t, first, rest, top, f->ld);
    subtract_product(j, f->m - next, rest, first, (wn__matrix){element(j, left, next * f->ld), f->ld, 1}, (wn__matrix){top, f->ld, 1}, element(j, right, next * f->ld), f->ld);
    factor_columns(f, next, rest);
    exchange(j, left, f->ld, first, next, rest, f->pivots, false);
}

int wn__factor_lu(wn__lapack_job *j, int m, int n, char *a, int64_t ld, int *pivots) {
    if (m <= WN__SMALL_MATRIX && n <= WN__SMALL_MATRIX) return wn__small_lu(j->dtype, m, n, a, (int)ld, pivots);
    const int k = least(m, n);
    lu_job f = {.j = j, .a = a, .ld = ld, .m = m, .pivots = pivots};
    f.panel = wn__scratch(3, (size_t)panel_ld(m, j->size) * WN__PANEL * j->size + 1024);
    if (!f.panel) {
        no_memory(j);
        return 0;
    }
    factor_columns(&f, 0, k);
    if (n > k) {
        exchange(j, element(j, a, k), ld, n - k, 0, k, pivots, false);
        solve_halves(j, (wn__triangle){.a = {a, ld, 1}, .unit = true}, k, n - k, element(j, a, k), ld);
    }
    return f.first_zero;
}

void wn__solve_lu(wn__lapack_job *j, char trans, int n, int nrhs, wn__matrix lu, const int *pivots, char *b, int64_t ldb) {
    const wn__matrix turned = {lu.p, lu.cs, lu.rs};
    if (trans == 'N') {
        exchange(j, b, ldb, nrhs, 0, n, pivots, false);
        wn__solve_triangle(j, (wn__triangle){.a = lu, .unit = true}, n, nrhs, b, ldb);
        wn__solve_triangle(j, (wn__triangle){.a = lu, .upper = true}, n, nrhs, b, ldb);
    } else {
        wn__solve_triangle(j, (wn__triangle){.a = turned}, n, nrhs, b, ldb);
        wn__solve_triangle(j, (wn__triangle){.a = turned, .upper = true, .unit = true}, n, nrhs, b, ldb);
        exchange(j, b, ldb, nrhs, 0, n, pivots, true);
    }
}

static void make_identity(const wn__lapack_job *j, int n, char *b, int64_t ld) {
    const double one = 1;
    const float one_f = 1;
    for (int64_t r = 0; r < n; r++) {
        memset(element(j, b, r * ld), 0, (size_t)n * j->size);
        memcpy(element(j, b, r * (ld + 1)), j->dtype == WN_F64 ? (const void *)&one : &one_f, j->size);
    }
}

void wn__invert_lu(wn__lapack_job *j, int n, wn__matrix lu, char *b, int64_t ldb) {
    const wn__triangle upper = {.a = lu, .upper = true}, lower = {.a = lu, .unit = true};
    make_identity(j, n, b, ldb);
    if (n <= WN__SMALL_MATRIX) wn__small_triangle(j->dtype, lower, n, n, b, ldb);
    else invert_lower(j, lower, n, b, ldb);
    wn__solve_triangle(j, upper, n, n, b, ldb);
}

void wn__exchange_columns(const wn__lapack_job *j, int n, char *b, int64_t ldb, const int *pivots) { exchange(j, b, ldb, n, 0, n, pivots, true); }
