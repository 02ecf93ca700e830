/* The kernels of contractions at one instruction set level (engine/level/gemm_kernels.c), for an accumulator type T =
 * float or double. Packed panels are A as [k][mr] and B as [k][nr]; rows and columns past the edge are zero. */
#ifndef WN_ENGINE_GEMM_KERNELS_H
#define WN_ENGINE_GEMM_KERNELS_H
#include "base/level.h"
#include "base/api.h"

#define WN__GEMM_MAX_MR 14
#define WN__GEMM_MAX_NR 32
#define WN__GEMM_FEW 4   /* rows of A up to which B is streamed, not packed */
#define WN__GEMM_BARE (512 << 10) /* bytes up to which B comes from L2 in any order */
#define WN__GEMM_DOTS 16 /* rows of A up to which a B along k is streamed, if k is long: */
#define WN__GEMM_DOTS_LEAST 512 /* the least k for that; sums over lanes then cost little */
#define WN__GEMM_PAIRS_LEAST 128 /* the least k for it with pairs of bf16 */
#define WN__GEMM_PAIRS_COLUMNS 8 /* the most columns for which that pays */

/* Up to 3 taps of a channel below each other: through weight + i, result row r sees b[offset + (r + i) * ldb ...]. */
typedef struct wn__column {
    int64_t offset, weight;
    int n;
} wn__column;

/* A depthwise 3x3 convolution of one f32 plane in place. */
typedef struct wn__direct {
    int64_t step, rows, cols;            /* stride 1 or 2; size of the result, at least 8 columns */
    int64_t height, width, row, out_row; /* size of the image; distances between rows of the image and of the result */
    int64_t top, left;                   /* padding */
    const float *zeros;                  /* a row outside the image */
} wn__direct;

typedef struct wn__gemm_type {
    int mr, nr;     /* of the register tile; nr is two vectors */
    int kc;         /* length of a k chunk. It defines the result: each chunk's sum starts from zero */
    int depth;      /* elements of k in a T of a packed panel: 1, or 2 (pairs of bf16). kc counts Ts */
    int sweep;      /* rows of A for which vec_cols is as fast as a tile, keeping them in registers; 0: for none */
    size_t size;    /* of T */
    wn_dtype dtype; /* of T */
    /* C[0..rows)[0..cols) = alpha * A B + beta * C (beta = 0: C is not read); ldb and ldc in elements. B's row k lies at
     * b + k * ldb and must be readable over whole vectors that cover cols. */
    void (*tile)(int rows, int cols, int64_t kc, const void *a, const void *b, int64_t ldb, void *c, int64_t ldc,
                 double alpha, double beta);
    /* C = A B, or C += A B (add), row k of an unpacked B being at b + boff[k]; columns in whole vectors. */
    void (*tile_table)(int rows, int64_t cols, int64_t kc, const void *a, const void *b, const int64_t *boff, void *c, int64_t ldc, bool add);
    /* A is not packed. In run q, step p, A(r) is arow[r][aoff[q] + p], and B's row lies at b + boff[q] + p * nr. */
    void (*tile_runs)(int rows, int cols, int64_t runs, int64_t len, const void *const *arow, const int64_t *aoff,
                      const void *b, const int64_t *boff, void *c, int64_t ldc, double alpha, double beta);
    /* For fewer columns than a vector has: sums[r * step] += sum over q, p of A(r) * b[q * len + p], A as above. May
     * read up to a vector past a run. */
    void (*dot_runs)(int rows, int64_t runs, int64_t len, const void *const *arow, const int64_t *aoff, const void *b, void *sums,
                     int64_t step);
    /* Packs outer[0..w) x inner[0..kc) (element offsets from src, of dtype in) to dst[k][width], then zeros. */
    void (*pack)(void *dst, int width, int w, int64_t kc, const void *src, wn_dtype in, const int64_t *outer,
                 const int64_t *inner);
    /* Packs several panels of T whose columns lie side by side in src, panel p from column start[p] to start[p + 1], to
     * dst[p][k][width]; row k is at src + inner[k]. NULL: this level has none. */
    void (*pack_beside)(void *dst, int width, int panels, const int *start, int64_t kc, const void *src, const int64_t *inner);
    /* dst[i] = src[i * step] converted to T, and back. */
    void (*load)(void *dst, const void *src, wn_dtype in, int64_t n, int64_t step);
    void (*store)(void *dst, wn_dtype out, int64_t step, const void *src, int64_t n);
    /* acc[i] += src[i * step], step 0 or 1: an addend that lies elsewhere. */
    void (*add)(void *acc, const void *src, wn_dtype in, int64_t n, int64_t step);
    /* Image rows for a convolution: dst[r * width ..] = lead zeros, src[r * row + i * step] for i < n, zeros up to width.
     * May write up to two vectors past the end of dst. */
    void (*pad_rows)(void *dst, int64_t width, int64_t lead, int64_t n, int64_t rows, const void *src, wn_dtype in, int64_t row,
                     int64_t step);
    /* Splits rows of T with unit step into even and odd columns: planes[r * width + i] = src[r * row + low + 2 * i],
     * the odd ones `apart` further, zeros outside 0..n. May write up to two vectors past the second plane. */
    void (*pad_split)(void *planes, int64_t apart, int64_t width, int64_t low, int64_t n, int64_t rows, const void *src, int64_t row);
    /* Stores rows: dst[r * row + i * step] = src[r * width + i] + add for i < n. */
    void (*store_rows)(void *dst, wn_dtype out, int64_t row, int64_t step, int64_t n, int64_t rows, const void *src,
                       int64_t width, double add);
    /* out[r][x] = add + sum over columns' taps of w * b[... + x], rows ldb and ldo apart; touches nothing past cols. */
    void (*stencil)(int64_t rows, int64_t cols, int64_t columns, const wn__column *col, const void *w, const void *b, int64_t ldb, void *out,
                    int64_t ldo, double add);
    /* out[y][x] = add + sum over ky, kx of w[3 * ky + kx] * src[y * step + ky - top][x * step + kx - left]; or NULL */
    void (*direct)(const wn__direct *d, const float *src, const float *w, float *out, float add);
    /* A row of a depthwise result, a lane to a channel (level/gemm_planes.h), vectors v: out[x * apart] = add + sum over k of w[k] *
     * in[shift[k] + x * step] for x < n (w: vector after vector; shift, step and apart in elements). plane_dots: sums[to[k]] += sum over x of
     * in[shift[k] + x * step] * dy[x * apart]. */
    void (*plane)(int64_t n, int64_t taps, const void *w, const int64_t *shift, const void *in, int64_t step, void *out, int64_t apart, const void *add);
    void (*plane_dots)(int64_t n, int64_t taps, const int64_t *shift, const int64_t *to, const void *in, int64_t step, const void *dy, int64_t apart, void *sums);
    /* Merges even and odd elements of two matrices into dst[r * row + i], i < n. */
    void (*zip_rows)(void *dst, int64_t row, int64_t n, int64_t rows, const void *even, const void *odd, int64_t width_even, int64_t width_odd);
    /* For few rows of A (x, contiguous, of type T, ldx apart): y[i][j] = sum over k of x[i][k] * B(k, j), where B is
     * read once. cols: B(k, j) = b[k * ldb + j]; dots: B(k, j) = b[j * ldb + k]. */
    void (*vec_cols)(int m, int64_t n, int64_t k, const void *x, int64_t ldx, const void *b, wn_dtype in, int64_t ldb, void *y,
                     int64_t ldy);
    void (*vec_dots)(int m, int64_t n, int64_t k, const void *x, int64_t ldx, const void *b, wn_dtype in, int64_t ldb, void *y,
                     int64_t ldy);
    /* Small operands in place: C = alpha * A B + beta * C with A(i, p) = a[i * lda + p * ska], B(p, j) = b[p * ldb + j]
     * and C(i, j) = c[i * ldc + j]. Nothing else is read. Sums run over k in order. Panels of nr columns of B lie
     * `next` apart: nr, if it is a matrix. */
    void (*place)(int64_t m, int64_t n, int64_t k, const void *a, int64_t lda, int64_t ska, const void *b, int64_t ldb, int64_t next,
                  void *c, int64_t ldc, double alpha, double beta);
    /* The same with alpha = 1, beta = 0, a matrix B and C of bf16; NULL, except for pairs. */
    void (*place_halves)(int64_t m, int64_t n, int64_t k, const void *a, int64_t lda, int64_t ska, const void *b, int64_t ldb, void *c, int64_t ldc);
    /* y[r * step] = sum over p of x[r * ldx + p] * z[r * ldz + p]. */
    void (*pair_dots)(int64_t rows, int64_t k, const void *x, int64_t ldx, const void *z, int64_t ldz, void *y, int64_t step);
} wn__gemm_type;

typedef struct wn__gemm_kernels {
    const wn__gemm_type *f32, *f64;
    const wn__gemm_type *bf16; /* products of bf16 pairs, summed in f32; NULL: none. Ask wn__cpu_has_bf16() first */
} wn__gemm_kernels;

WN__DECLARE_LEVELS(wn__gemm_kernels, wn__gemm_kernels);

const wn__gemm_kernels *wn__gemm_kernels_now(void); /* those of the level in use */
#endif
