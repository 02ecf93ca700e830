/* Rows of pixels of images in any strides: those that lie channels last in a compute type are read in place. */
#include "ops/spatial/pixels.h"
#include "base/level.h"

WN__DECLARE_LEVELS(wn__pixel_table, wn__pixel_table);
const wn__pixel_table *wn__pixels_now(void) { return WN__OF_LEVEL(wn__pixel_table); }

wn__pixels wn__pixels_of(const wn_tensor *t, wn__ct ct) {
    return (wn__pixels){t, ct, t->shape[1], t->shape[1] == 1 ? 1 : t->strides[1], t->strides[3]};
}

static bool in_place(const wn__pixels *p) { return p->step == 1 && wn__is_register_form(p->t->dtype, p->ct); }

const char *wn__pixel_row(const wn__pixels *p, const char *from, int64_t n, char *tmp) {
    const int64_t size = (int64_t)wn__dtype_size(p->t->dtype), wide = (int64_t)wn__ct_size(p->ct);
    const wn__load load = wn__kernels_now()->load[p->ct][p->t->dtype];
    const bool dense = p->step == 1 && (p->pixel == p->channels || n == 1);
    if (dense && in_place(p)) return from;
    if (dense) load(n * p->channels, tmp, from, size);
    for (int64_t i = 0; i < n && !dense; i++) load(p->channels, tmp + i * p->channels * wide, from + i * p->pixel * size, p->step * size);
    return tmp;
}

void wn__pixel_rows(const wn__pixels *p, int64_t image, int64_t y, int64_t rows, int64_t step, char *tmp, wn__pixel_box *b) {
    const wn_tensor *t = p->t;
    const int64_t size = (int64_t)wn__dtype_size(t->dtype), width = t->shape[3], line = width * p->channels;
    const char *from = wn__ptr(t) + (image * t->strides[0] + y * t->strides[2]) * size;
    b->x = in_place(p) ? from : tmp;
    b->row = in_place(p) ? step * t->strides[2] : line;
    b->pixel = in_place(p) ? p->pixel : p->channels;
    for (int64_t r = 0; r < rows && !in_place(p); r++)
        wn__pixel_row(p, from + r * step * t->strides[2] * size, width, tmp + r * line * (int64_t)wn__ct_size(p->ct));
}
