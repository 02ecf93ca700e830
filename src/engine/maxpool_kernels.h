/* Maximum pooling, plane by plane, compiled for each instruction set level (engine/level/maxpool_kernels.c). */
#ifndef WN_ENGINE_MAXPOOL_KERNELS_H
#define WN_ENGINE_MAXPOOL_KERNELS_H
#include "engine/kernels.h"

typedef struct wn__window {
    int64_t h, w, oh, ow; /* size of the plane and of the result */
    int64_t kh, kw, sh, sw, ph, pw, dh, dw;
} wn__window;

/* x: a plane of elements of a compute type, rows ld elements apart. best: the maxima, row-major. places: where each
 * lies. In 1 or 4 bytes that is its number in the window (row * kw + column; kh * kw if the window has no element), in
 * 8 its index in the plane (or -1). tmp: room for ow numbers of 8 bytes. */
typedef void (*wn__maxpool_plane)(const wn__window *g, const void *x, int64_t ld, void *best, void *places, int bytes, void *tmp);
/* gx, a plane: zeros, with each element of grad added at its place. */
typedef void (*wn__maxpool_scatter)(const wn__window *g, const void *grad, const void *places, int bytes, void *gx);

typedef struct wn__maxpool_kernels {
    wn__maxpool_plane plane[4];     /* by compute type: f32, f64, i32, i64 */
    wn__maxpool_scatter scatter[2]; /* f32, f64 */
} wn__maxpool_kernels;
const wn__maxpool_kernels *wn__maxpool_now(void);

/* The range [*first, *end) of window positions 0..kernel that lie in [0, size) for output o. */
static inline void wn__window_part(int64_t o, int64_t kernel, int64_t stride, int64_t padding, int64_t dilation, int64_t size,
                                   int64_t *first, int64_t *end) {
    const int64_t start = o * stride - padding, room = size - start;
    *first = start < 0 ? (-start + dilation - 1) / dilation : 0;
    *end = room <= 0 ? 0 : (room + dilation - 1) / dilation;
    if (*end > kernel) *end = kernel;
}

/* The index in the plane of the maximum of output (oy, ox), given its number k in the window; -1 for impossible
 * numbers, so that memory stays safe whatever `places` holds. */
static inline int64_t wn__window_place(const wn__window *w, int64_t oy, int64_t ox, int32_t k) {
    const int32_t kw = (int32_t)w->kw;
    if (k < 0 || k >= w->kh * w->kw) return -1;
    const int64_t y = oy * w->sh - w->ph + k / kw * w->dh, x = ox * w->sw - w->pw + k % kw * w->dw;
    return y < 0 || y >= w->h || x < 0 || x >= w->w ? -1 : y * w->w + x;
}
/* The same for the i-th output, from places of 1, 4 or 8 bytes. */
static inline int64_t wn__maxpool_place(const wn__window *w, int64_t oy, int64_t ox, const void *places, int bytes, int64_t i) {
    if (bytes != 8) return wn__window_place(w, oy, ox, bytes == 1 ? ((const uint8_t *)places)[i] : ((const int32_t *)places)[i]);
    const int64_t at = ((const int64_t *)places)[i];
    return at < 0 || at >= w->h * w->w ? -1 : at;
}

/* Are windows 2 x 2 or (in one dimension) 1 x 2, side by side, inside the plane? This usual case has its own loops. */
static inline bool wn__window_is_pairs(const wn__window *w) {
    return (w->kh == 2 || w->kh == 1) && w->sh == w->kh && w->kw == 2 && w->sw == 2 && (w->ph | w->pw) == 0 && w->dh == 1 && w->dw == 1 &&
           w->kh * w->oh <= w->h && 2 * w->ow <= w->w;
}
#endif
