/* Geometry of the padded, phase-sorted copy (see conv_plan.h). */
#include "engine/conv_plan.h"
#include <string.h>

static int64_t magnitude(int64_t a) { return a < 0 ? -a : a; }

/* Taps in order of rising coordinate: tap j of the plan is the i-th from below. */
static int64_t rank(const wn__taps *t, int64_t j) { return t->move < 0 ? t->n - 1 - j : j; }

/* a / step for a >= 0, without the division where it is known: this runs for every plane of every copy. */
static int64_t over(int64_t a, int64_t step) { return step == 1 ? a : step == 2 ? a >> 1 : a / step; }

/* First i in [0, n) with low + i * step >= 0, and one past the last with low + i * step < size. */
static void inside(int64_t low, int64_t step, int64_t n, int64_t size, int64_t *first, int64_t *last) {
    *first = low >= 0 ? 0 : over(-low + step - 1, step);
    *last = low >= size ? 0 : over(size - low + step - 1, step);
    if (*first > n) *first = n;
    if (*last > n) *last = n;
    if (*last < *first) *last = *first;
}

/* Source column of the first element of a row of phase px. */
static int64_t low_column(const wn__conv_plan *p, int64_t px) { return p->low[2] + (px ? px * p->gap[2] % p->step[2] : 0); }

/* Length of a row of the copy: the zeros behind a row are also those before the next, as far as every phase has them and, behind the last
 * row, the slack. */
static int64_t row_width(const wn__conv_plan *p) {
    const int64_t whole = p->out[2] + p->reach[2];
    int64_t least = WN__CONV_SLACK / 2, end = p->out[2];
    for (int64_t px = 0; px < p->phases[2]; px++) {
        int64_t left, right;
        inside(low_column(p, px), p->step[2], whole, p->in[2], &left, &right);
        if (left < least) least = left;
        if (right > end) end = right;
    }
    int64_t width = whole - least > end ? whole - least : end;
    if (p->dtype == WN_BF16 && width < whole) width += width % 2; /* for pairs (conv_weight.c) */
    return width;
}

void wn__conv_geometry(wn__conv_plan *p, int64_t budget) {
    p->ntaps = 1;
    for (int d = 0; d < 3; d++) {
        const wn__taps *t = &p->taps[d];
        const int64_t move = magnitude(t->move), period = p->step[d] / wn__conv_gcd(move ? move : p->step[d], p->step[d]);
        p->low[d] = t->move < 0 ? t->first + (t->n - 1) * t->move : t->first;
        p->phases[d] = t->n < period ? t->n : period;
        p->gap[d] = move % p->step[d];
        p->reach[d] = (t->n - 1) * move / p->step[d];
        p->ntaps *= t->n;
    }
    p->chunk = p->t->kc / (p->ntaps ? p->ntaps : 1);
    p->chunk = p->chunk < 1 ? 1 : p->chunk > p->cin ? p->cin : p->chunk;
    if (p->chunk < p->cin) { /* even chunks */
        const int64_t n = (p->cin + p->chunk - 1) / p->chunk;
        p->chunk = (p->cin + n - 1) / n;
    }
    p->width = row_width(p);
    p->depth = 1 + p->reach[0];
    const int64_t planes = p->phases[0] * p->phases[1] * p->phases[2] * p->depth;
    const int64_t row = p->chunk * planes * p->width; /* elements that one more row of a band costs */
    p->rows = budget / (row ? row : 1) - p->reach[1];
    const int64_t least = p->reach[1] + 1 < 4 ? 4 : p->reach[1] + 1; /* else rows shared by two bands dominate */
    if (p->rows < least) p->rows = least;
    if (p->rows > p->out[1]) p->rows = p->out[1];
    p->bands = p->rows ? (p->out[1] + p->rows - 1) / p->rows : 0;
    if (p->bands) p->rows = (p->out[1] + p->bands - 1) / p->bands;
    p->height = p->rows + p->reach[1];
    p->channel = planes * p->height * p->width;
}

void wn__conv_offsets(const wn__conv_plan *p, int64_t *out) {
    const wn__taps *t = p->taps;
    for (int64_t c = 0; c < p->chunk; c++)
        for (int64_t z = 0; z < t[0].n; z++)
            for (int64_t y = 0; y < t[1].n; y++)
                for (int64_t x = 0; x < t[2].n; x++) {
                    const int64_t at[3] = {rank(&t[0], z), rank(&t[1], y), rank(&t[2], x)};
                    int64_t phase = 0, shift[3];
                    for (int d = 0; d < 3; d++) {
                        phase = phase * p->phases[d] + at[d] % p->phases[d];
                        shift[d] = at[d] * magnitude(t[d].move) / p->step[d];
                    }
                    *out++ = c * p->channel + ((phase * p->depth + shift[0]) * p->height + shift[1]) * p->width + shift[2];
                }
}

/* One plane: `height` rows of one phase in y and x, from the source plane at src (NULL: outside the image). */
static void copy_plane(const wn__conv_plan *p, const char *src, int64_t y0, int64_t py, int64_t px, char *to) {
    const int64_t size = (int64_t)p->t->size, isize = (int64_t)wn_dtype_size(p->dtype);
    const int64_t lowy = y0 * p->step[1] + p->low[1] + (py ? py * p->gap[1] % p->step[1] : 0);
    const int64_t lowx = low_column(p, px);
    int64_t first, last, left, right;
    inside(lowy, p->step[1], p->height, p->in[1], &first, &last);
    inside(lowx, p->step[2], p->width, p->in[2], &left, &right);
    if (!src) first = last = 0;
    memset(to, 0, (size_t)(first * p->width * size));
    if (last > first) {
        const char *at = src + ((lowy + first * p->step[1]) * p->in_stride[3] + (lowx + left * p->step[2]) * p->in_stride[4]) * isize;
        p->t->pad_rows(to + first * p->width * size, p->width, left, right - left, last - first, at, p->dtype,
                       p->step[1] * p->in_stride[3], p->step[2] * p->in_stride[4]);
    }
    memset(to + last * p->width * size, 0, (size_t)((p->height - last) * p->width * size));
}

/* Stride 2 without gaps, rows of the multiplier's type: even and odd columns are split in one pass. */
static bool splits(const wn__conv_plan *p) {
    return p->step[2] == 2 && p->phases[2] == 2 && p->gap[2] == 1 && p->depth == 1 && p->in_stride[4] == 1 && p->dtype == p->t->dtype;
}

/* Both planes of one phase in y. */
static void copy_split(const wn__conv_plan *p, const char *src, int64_t y0, int64_t py, char *to) {
    const int64_t size = (int64_t)p->t->size, row = p->width * size, plane = p->height * row;
    const int64_t lowy = y0 * p->step[1] + p->low[1] + (py ? py * p->gap[1] % p->step[1] : 0);
    int64_t first, last;
    inside(lowy, p->step[1], p->height, p->in[1], &first, &last);
    if (!src) first = last = 0;
    for (int px = 0; px < 2; px++) memset(to + px * plane, 0, (size_t)(first * row));
    if (last > first)
        p->t->pad_split(to + first * row, p->height * p->width, p->width, p->low[2], p->in[2], last - first,
                        src + (lowy + first * p->step[1]) * p->in_stride[3] * size, p->step[1] * p->in_stride[3]);
    for (int px = 0; px < 2; px++) memset(to + px * plane + last * row, 0, (size_t)((p->height - last) * row));
}

void wn__conv_copy(const wn__conv_plan *p, const void *src, int64_t c0, int64_t n, int64_t z, int64_t y0, void *buf) {
    const int64_t isize = (int64_t)wn_dtype_size(p->dtype), plane = p->height * p->width * (int64_t)p->t->size;
    const bool split = splits(p);
    char *to = buf;
    const int64_t low = y0 * p->step[1] + p->low[1], high = low + p->height * p->step[1];
    const int64_t top = low < 0 ? 0 : low, rows = (high < p->in[1] ? high : p->in[1]) - top;
    const bool end_to_end = p->in[0] == 1 && p->in_stride[4] == 1 && p->in_stride[3] == p->in[2];
    for (int64_t c = c0; c < c0 + n; c++) {
        if (end_to_end && c + 1 < c0 + n) wn__fetch((const char *)src + ((c + 1) * p->in_stride[1] + top * p->in_stride[3]) * isize, rows * p->in_stride[3] * isize);
        for (int64_t pz = 0; pz < p->phases[0]; pz++)
            for (int64_t py = 0; py < p->phases[1]; py++)
                for (int64_t px = 0; px < p->phases[2]; px++)
                    for (int64_t l = 0; l < p->depth; l++, to += plane) {
                        const int64_t at = (z + l) * p->step[0] + p->low[0] + (pz ? pz * p->gap[0] % p->step[0] : 0);
                        const bool real = at >= 0 && at < p->in[0];
                        const char *from = (const char *)src + (c * p->in_stride[1] + at * p->in_stride[2]) * isize;
                        if (!split) copy_plane(p, real ? from : NULL, y0, py, px, to);
                        else if (px == 0) copy_split(p, real ? from : NULL, y0, py, to);
                    }
    }
    memset(to, 0, WN__CONV_SLACK * p->t->size);
}

static void exchange(int64_t *v) {
    const int64_t first = v[0];
    v[0] = v[1], v[1] = first;
}
bool wn__conv_lower(const wn__conv *d, wn__conv *lower) {
    enum { TALL = 16 };
    if (d->nd != 3 || d->kernel[0] <= TALL || d->kernel[0] / 4 <= d->kernel[1]) return false;
    *lower = *d;
    int64_t *const by_dimension[] = {lower->in, lower->out, lower->kernel, lower->stride, lower->padding, lower->dilation, lower->xs + 2, lower->ws + 2, lower->ys + 2};
    for (size_t i = 0; i < sizeof by_dimension / sizeof *by_dimension; i++) exchange(by_dimension[i]);
    return true;
}

bool wn__conv_exchange(const wn__conv *d, wn__conv *other) {
    enum { LARGER = 8 }; /* rows of the product become images and the other way round: it should pay even where images are few */
    double taps = 1, positions = 1;
    for (int i = 0; i < d->nd; i++) taps *= (double)d->kernel[i], positions *= (double)d->out[i];
    if (taps <= LARGER * positions || (d->groups > 1 && d->batch > 1)) return false;
    const int64_t channels = d->in_channels / d->groups;
    *other = *d;
    other->batch = channels, other->in_channels = d->batch * d->groups;
    other->xs[0] = d->xs[1], other->xs[1] = d->groups > 1 ? channels * d->xs[1] : d->xs[0];
    other->ys[0] = d->ws[1], other->ys[1] = d->ws[0];
    other->ws[0] = d->ys[1], other->ws[1] = d->ys[0];
    for (int i = 0; i < d->nd; i++) {
        other->kernel[i] = d->out[i], other->out[i] = d->kernel[i];
        other->stride[i] = d->dilation[i], other->dilation[i] = d->stride[i];
        other->ys[2 + i] = d->ws[2 + i], other->ws[2 + i] = d->ys[2 + i];
    }
    return true;
}

void wn__conv_forward_plan(const wn__conv *d, wn__conv_plan *p) {
    const wn__gemm_kernels *kernels = wn__gemm_kernels_now();
    *p = (wn__conv_plan){.t = d->dtype == WN_F64 ? kernels->f64 : kernels->f32,
                         .dtype = d->dtype,
                         .images = d->batch,
                         .groups = d->groups,
                         .cin = d->in_channels / d->groups,
                         .cout = d->out_channels / d->groups,
                         .in_stride = {d->xs[0], d->xs[1], 0, 0, 0},
                         .out_stride = {d->ys[0], d->ys[1], 0, 0, 0}};
    for (int i = 0; i < 3; i++) {
        const int from = i - (3 - d->nd); /* leading dimensions are of size 1 */
        const bool real = from >= 0;
        p->in[i] = real ? d->in[from] : 1;
        p->out[i] = real ? d->out[from] : 1;
        p->step[i] = real ? d->stride[from] : 1;
        p->in_stride[2 + i] = real ? d->xs[2 + from] : 0;
        p->out_stride[2 + i] = real ? d->ys[2 + from] : 0;
        p->taps[i] = real ? (wn__taps){d->kernel[from], -d->padding[from], d->dilation[from], 0, 1} : (wn__taps){1, 0, 1, 0, 1};
    }
}
