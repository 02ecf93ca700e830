/* gemm_stencil.h at every width of this level; a row takes the widest that it fills. A template like gemm_tile.h. */
#define WIDTH LANES
#define SN(x) OF(st_whole_##x)
#include "engine/level/gemm_stencil.h"
#if VB >= 32
#define WIDTH (LANES / 2)
#define SN(x) OF(st_half_##x)
#include "engine/level/gemm_stencil.h"
#endif
#if VB >= 64
#define WIDTH (LANES / 4)
#define SN(x) OF(st_quarter_##x)
#include "engine/level/gemm_stencil.h"
#endif
#define WIDTH 1
#define ONE_LANE
#define SN(x) OF(st_one_##x)
#include "engine/level/gemm_stencil.h"
#undef ONE_LANE

static void OF(stencil)(int64_t rows, int64_t cols, int64_t columns, const wn__column *col, const void *w, const void *b, int64_t ldb, void *out,
                        int64_t ldo, double add) {
    if (cols >= LANES) OF(st_whole_stencil)(rows, cols, columns, col, w, b, ldb, out, ldo, (T)add);
#if VB >= 32
    else if (cols >= LANES / 2) OF(st_half_stencil)(rows, cols, columns, col, w, b, ldb, out, ldo, (T)add);
#endif
#if VB >= 64
    else if (cols >= LANES / 4) OF(st_quarter_stencil)(rows, cols, columns, col, w, b, ldb, out, ldo, (T)add);
#endif
    else OF(st_one_stencil)(rows, cols, columns, col, w, b, ldb, out, ldo, (T)add);
}

static void OF(zip_rows)(void *dst, int64_t row, int64_t n, int64_t rows, const void *even, const void *odd, int64_t width_even, int64_t width_odd) {
    T *d = dst;
    const T *a = even, *b = odd;
    for (int64_t r = 0; r < rows; r++, d += row, a += width_even, b += width_odd) {
        for (int64_t i = 0; i < n / 2; i++) d[2 * i] = a[i], d[2 * i + 1] = b[i];
        if (n % 2) d[n - 1] = a[n / 2];
    }
}
