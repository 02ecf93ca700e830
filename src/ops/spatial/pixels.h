/* How the rows over spatial dimensions read images that lie channels last (call/layout.h). */
#ifndef WN_OPS_PIXELS_H
#define WN_OPS_PIXELS_H
#include "engine/pixel_kernels.h"
#include "ops/pointwise/pointwise.h"

/* Pixels of t: `channels` values `step` elements apart, the next pixel of a row `pixel` elements behind. */
typedef struct wn__pixels {
    const wn_tensor *t;
    wn__ct ct;
    int64_t channels, step, pixel;
} wn__pixels;
/* Of [N, C, H, W], in any strides. */
wn__pixels wn__pixels_of(const wn_tensor *t, wn__ct ct);
/* n pixels from p on in the compute type, one behind the other: where they lie, or loaded into tmp (n * channels elements). */
const char *wn__pixel_row(const wn__pixels *p, const char *from, int64_t n, char *tmp);
/* The rows y, y + step ... (`rows` of them) of an image into b->x, row and pixel: where they lie, or loaded into tmp (rows * W * C). */
void wn__pixel_rows(const wn__pixels *p, int64_t image, int64_t y, int64_t rows, int64_t step, char *tmp, wn__pixel_box *b);
#endif
