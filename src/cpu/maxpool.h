/* Maximum pooling of one plane after the other, compiled for each ISA level (cpu/level/maxpool.c). */
#ifndef WN_CPU_MAXPOOL_H
#define WN_CPU_MAXPOOL_H
#include "cpu/kernels.h"

typedef struct wn__window {
    int64_t h, w, oh, ow; /* of the plane and of the result */
    int64_t kh, kw, sh, sw, ph, pw, dh, dw;
} wn__window;

/* One row of the result. x: the plane, elements of a compute type, rows ld elements apart; best[ow]: the maxima; at[ow]: the
 * number (row * kw + column) of each maximum in its window, kh * kw where the window has no element. tmp: ow numbers of 8 bytes, 64-byte aligned. */
typedef void (*wn__maxpool_row)(const wn__window *g, int64_t oy, const void *x, int64_t ld, void *best, int32_t *at, void *tmp);
/* gx, a plane of zeros, gets each element of g added at its place; places of 1, 4 or 8 bytes (8: indices in the plane). */
typedef void (*wn__maxpool_scatter)(const wn__window *g, const void *grad, const void *places, int bytes, void *gx);

typedef struct wn__maxpool_kernels {
    wn__maxpool_row row[4];         /* by compute type: f32, f64, i32, i64 */
    wn__maxpool_scatter scatter[2]; /* f32, f64 */
} wn__maxpool_kernels;
const wn__maxpool_kernels *wn__maxpool_now(void);

/* Which window positions i in [*first, *end) of `kernel` lie in [0, size) for output o. */
static inline void wn__window_part(int64_t o, int64_t kernel, int64_t stride, int64_t padding, int64_t dilation, int64_t size,
                                   int64_t *first, int64_t *end) {
    const int64_t start = o * stride - padding;
    *first = start < 0 ? (-start + dilation - 1) / dilation : 0;
    const int64_t room = size - start;
    *end = room <= 0 ? 0 : (room + dilation - 1) / dilation;
    if (*end > kernel) *end = kernel;
}

/* Where in its plane output (oy, ox), the i-th, has its maximum, or -1: places may hold anything, memory stays safe. */
static inline int64_t wn__maxpool_place(const wn__window *w, int64_t oy, int64_t ox, const void *places, int bytes, int64_t i) {
    if (bytes == 8) {
        const int64_t at = ((const int64_t *)places)[i];
        return at < 0 || at >= w->h * w->w ? -1 : at;
    }
    const int32_t k = bytes == 1 ? ((const uint8_t *)places)[i] : ((const int32_t *)places)[i], kw = (int32_t)w->kw;
    if (k < 0 || k >= w->kh * w->kw) return -1;
    const int64_t y = oy * w->sh - w->ph + k / kw * w->dh, x = ox * w->sw - w->pw + k % kw * w->dw;
    return y < 0 || y >= w->h || x < 0 || x >= w->w ? -1 : y * w->w + x;
}
#endif
