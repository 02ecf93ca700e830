/* What matrix products cannot do for factorisations: triangular systems and panels of LU, of a block's size. One table for each instruction
 * set level and floating type; ops/linalg/linalg_blocked.c makes systems and factorisations of any size of them. */
#ifndef WN_ENGINE_TRIANGLE_H
#define WN_ENGINE_TRIANGLE_H
#include "base/api.h"

enum {
    WN__TRIANGLE = 64,     /* rows of a triangle, at most */
    WN__PANEL = 16,        /* columns of a panel, at most */
    WN__PANEL_BEHIND = 16, /* elements that every column of a panel has behind its last row: they are read and written, what they hold does not count */
};

typedef struct wn__triangle_kernels {
    /* b = L^-1 b: element (i, k) of the lower triangle L [n, n] is a[i * rs + k * cs] (an upper one is a lower one from its end: negative strides), ones on
     * its diagonal if unit. b has n rows of cols elements side by side, ldb apart (negative where a's strides are). A column's bits do not depend on cols. */
    void (*solve)(int n, const void *a, int64_t rs, int64_t cs, bool unit, void *b, int64_t ldb, int64_t cols);
    /* LU of a panel: `width` columns of m rows, ld apart. pivots[k] is the row, from 0, that row k was exchanged with. Returns the first column,
     * counted from 1, whose pivot is 0; 0: none. */
    int (*lu)(int m, int width, void *a, int64_t ld, int *pivots);
} wn__triangle_kernels;
typedef struct wn__triangle_table {
    wn__triangle_kernels f32, f64;
} wn__triangle_table;
const wn__triangle_kernels *wn__triangle_now(wn_dtype dtype); /* f32 or f64 */
#endif
