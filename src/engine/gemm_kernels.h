/* The table of contraction kernels that each instruction set level provides (src/engine/level/gemm_kernels.c), for an accumulator type
 * T = float or double. Packed panels: A as [k][mr], B as [k][nr], rows and columns past the edge zero. */
#ifndef WN_ENGINE_GEMM_KERNELS_H
#define WN_ENGINE_GEMM_KERNELS_H
#include "base/level.h"
#include "base/api.h"

#define WN__GEMM_MAX_MR 14
#define WN__GEMM_MAX_NR 32
#define WN__GEMM_FEW 4   /* rows of A up to which B is streamed instead of packed */
#define WN__GEMM_BARE (512 << 10) /* bytes of a B that comes from L2 whatever the order */
#define WN__GEMM_DOTS 16 /* the same where B lies along k and k is long: */
#define WN__GEMM_DOTS_LEAST 512 /* sums over lanes then cost little beside the products */
#define WN__GEMM_PAIRS_LEAST 128 /* and for pairs of bf16, */
#define WN__GEMM_PAIRS_COLUMNS 8 /* whose few columns are worth that up to here */

/* Taps of a channel that lie below each other (at most 3): row r of the result sees b[offset + (r + i) * ldb ...] through weight + i. */
typedef struct wn__column {
    int64_t offset, weight;
    int n;
} wn__column;

/* A depthwise 3x3 convolution of one plane where it lies, of f32. */
typedef struct wn__direct {
    int64_t step, rows, cols;            /* 1 or 2; of the result, at least 8 columns */
    int64_t height, width, row, out_row; /* of the image; distance of its rows and of the result's */
    int64_t top, left;                   /* padding */
    const float *zeros;                  /* a row outside the image */
} wn__direct;

typedef struct wn__gemm_type {
    int mr, nr;     /* of the register tile; nr is two vectors */
    int kc;         /* length of a k chunk: part of the result's definition (the sum of a chunk starts from zero) */
    int depth;      /* elements of k in one T of a packed panel: 1, or 2 for pairs of bf16. kc counts Ts; what packs counts elements */
    int sweep;      /* rows of A that vec_cols lets pass rows of B in registers, as fast as a tile; 0: it does not */
    size_t size;    /* of T */
    wn_dtype dtype; /* of T */
    /* C[0..rows)[0..cols) = alpha * A B + beta * C (beta = 0: C is not read); ldb and ldc in elements. B's row k lies at
     * b + k * ldb and must be readable over whole vectors that cover cols. */
    void (*tile)(int rows, int cols, int64_t kc, const void *a, const void *b, int64_t ldb, void *c, int64_t ldc,
                 double alpha, double beta);
    /* C = A B, or C += A B: the same with row k of B at b + boff[k], so that nothing of B is packed, and any number of columns in whole vectors. */
    void (*tile_table)(int rows, int64_t cols, int64_t kc, const void *a, const void *b, const int64_t *boff, void *c, int64_t ldc, bool add);
    /* A is not packed: for run q, step p: A(r) = arow[r][aoff[q] + p], and B's row lies at b + boff[q] + p * nr. */
    void (*tile_runs)(int rows, int cols, int64_t runs, int64_t len, const void *const *arow, const int64_t *aoff,
                      const void *b, const int64_t *boff, void *c, int64_t ldc, double alpha, double beta);
    /* Without a vector's worth of columns: sums[r * step] += sum over q, p of A(r) * b[q * len + p], A as above.
     * May read up to a vector past a run. */
    void (*dot_runs)(int rows, int64_t runs, int64_t len, const void *const *arow, const int64_t *aoff, const void *b, void *sums,
                     int64_t step);
    /* Packs outer[0..w) x inner[0..kc) (element offsets from src, of dtype in) to dst[k][width], zero for w..width. */
    void (*pack)(void *dst, int width, int w, int64_t kc, const void *src, wn_dtype in, const int64_t *outer,
                 const int64_t *inner);
    /* Several panels of T whose columns lie side by side in src, panel p from column start[p] to start[p + 1]: dst[p][k][width], k's row at
     * src + inner[k]. NULL: there is none. */
    void (*pack_beside)(void *dst, int width, int panels, const int *start, int64_t kc, const void *src, const int64_t *inner);
    /* dst[i] = src[i * step] converted to T, and back. */
    void (*load)(void *dst, const void *src, wn_dtype in, int64_t n, int64_t step);
    void (*store)(void *dst, wn_dtype out, int64_t step, const void *src, int64_t n);
    /* acc[i] += src[i * step], step 0 or 1: an addend, whose rows lie apart. */
    void (*add)(void *acc, const void *src, wn_dtype in, int64_t n, int64_t step);
    /* Image rows for a convolution: dst[r * width ..] = lead zeros, src[r * row + i * step] for i < n, zeros up to width.
     * May write up to two vectors past the end of dst. */
    void (*pad_rows)(void *dst, int64_t width, int64_t lead, int64_t n, int64_t rows, const void *src, wn_dtype in, int64_t row,
                     int64_t step);
    /* Even and odd columns of rows at once, plane by plane: planes[r * width + i] = src[r * row + low + 2 * i] and the odd ones `apart` behind,
     * zero where the column lies outside 0..n. Of T, unit step. May write up to two vectors past the end of the second plane. */
    void (*pad_split)(void *planes, int64_t apart, int64_t width, int64_t low, int64_t n, int64_t rows, const void *src, int64_t row);
    /* And back: dst[r * row + i * step] = src[r * width + i] + add for i < n. */
    void (*store_rows)(void *dst, wn_dtype out, int64_t row, int64_t step, int64_t n, int64_t rows, const void *src,
                       int64_t width, double add);
    /* out[r][x] = add + sum over columns and their taps of w * b[... + x]: rows of b ldb apart, of out ldo. Neither is touched past cols. */
    void (*stencil)(int64_t rows, int64_t cols, int64_t columns, const wn__column *col, const void *w, const void *b, int64_t ldb, void *out,
                    int64_t ldo, double add);
    /* out[y][x] = add + sum over ky, kx of w[3 * ky + kx] * src[y * step + ky - top][x * step + kx - left]; NULL where this level does without. */
    void (*direct)(const wn__direct *d, const float *src, const float *w, float *out, float add);
    /* A row of a depthwise result, a lane to a channel (level/gemm_planes.h), vectors v: out[x * apart] = add + sum over k of w[k] *
     * in[shift[k] + x * step] for x < n (w: vector after vector; shift, step and apart in elements). plane_dots: sums[to[k]] += sum over x of
     * in[shift[k] + x * step] * dy[x * apart]. */
    void (*plane)(int64_t n, int64_t taps, const void *w, const int64_t *shift, const void *in, int64_t step, void *out, int64_t apart, const void *add);
    void (*plane_dots)(int64_t n, int64_t taps, const int64_t *shift, const int64_t *to, const void *in, int64_t step, const void *dy, int64_t apart, void *sums);
    /* dst[r * row + i] for i < n: even and odd elements from two matrices. */
    void (*zip_rows)(void *dst, int64_t row, int64_t n, int64_t rows, const void *even, const void *odd, int64_t width_even, int64_t width_odd);
    /* Few rows of A (x, contiguous, of type T, ldx apart): y[i][j] = sum over k of x[i][k] * B(k, j); B is read once.
     * cols: B(k, j) = b[k * ldb + j]; dots: B(k, j) = b[j * ldb + k]. */
    void (*vec_cols)(int m, int64_t n, int64_t k, const void *x, int64_t ldx, const void *b, wn_dtype in, int64_t ldb, void *y,
                     int64_t ldy);
    void (*vec_dots)(int m, int64_t n, int64_t k, const void *x, int64_t ldx, const void *b, wn_dtype in, int64_t ldb, void *y,
                     int64_t ldy);
    /* Small operands where they lie: C = alpha * A B + beta * C with A(i, p) = a[i * lda + p * ska], B(p, j) = b[p * ldb + j] and
     * C(i, j) = c[i * ldc + j]; nothing outside them is read. A row's sum runs over k in order. B's panels of nr columns lie `next` apart:
     * nr, where it is a matrix. */
    void (*place)(int64_t m, int64_t n, int64_t k, const void *a, int64_t lda, int64_t ska, const void *b, int64_t ldb, int64_t next,
                  void *c, int64_t ldc, double alpha, double beta);
    /* The same with alpha = 1, beta = 0, B a matrix and C of bf16; NULL but for pairs. */
    void (*place_halves)(int64_t m, int64_t n, int64_t k, const void *a, int64_t lda, int64_t ska, const void *b, int64_t ldb, void *c, int64_t ldc);
    /* y[r * step] = sum over p of x[r * ldx + p] * z[r * ldz + p]. */
    void (*pair_dots)(int64_t rows, int64_t k, const void *x, int64_t ldx, const void *z, int64_t ldz, void *y, int64_t step);
} wn__gemm_type;

typedef struct wn__gemm_kernels {
    const wn__gemm_type *f32, *f64;
    const wn__gemm_type *bf16; /* products of bf16 pairs, summed in f32; NULL: this level has none. Ask wn__cpu_has_bf16() first */
} wn__gemm_kernels;

WN__DECLARE_LEVELS(wn__gemm_kernels, wn__gemm_kernels);

const wn__gemm_kernels *wn__gemm_kernels_now(void); /* of the level in use */
#endif
