/* What factorisations need besides matrix products: triangular systems and panels of LU, of a block's size. A table for
 * each instruction set level and floating type; ops/linalg/linalg_blocked.c builds any size from them. */
#ifndef WN_ENGINE_TRIANGLE_H
#define WN_ENGINE_TRIANGLE_H
#include "base/api.h"

enum {
    WN__TRIANGLE = 64,     /* most rows of a triangle */
    WN__PANEL = 16,        /* most columns of a panel */
    WN__PANEL_BEHIND = 16, /* elements behind the last row in each column of a panel: read and written, never used */
};

typedef struct wn__triangle_kernels {
    /* b = L^-1 b. Element (i, k) of the lower triangle L [n, n] is a[i * rs + k * cs], with ones on the diagonal if
     * unit; an upper triangle is a lower one read from its end, with negative strides. b has n rows of cols elements,
     * ldb apart (negative if a's strides are). The bits of a column do not depend on cols. */
    void (*solve)(int n, const void *a, int64_t rs, int64_t cs, bool unit, void *b, int64_t ldb, int64_t cols);
    /* LU of a panel of `width` columns of m rows, ld apart. pivots[k] is the row, from 0, that row k was exchanged
     * with. Returns the first column, from 1, whose pivot is 0; 0: there is none. */
    int (*lu)(int m, int width, void *a, int64_t ld, int *pivots);
} wn__triangle_kernels;
typedef struct wn__triangle_table {
    wn__triangle_kernels f32, f64;
} wn__triangle_table;
const wn__triangle_kernels *wn__triangle_now(wn_dtype dtype); /* f32 or f64 */
#endif
