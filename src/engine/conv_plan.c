/* The geometry of the padded copy, whose rows and columns are sorted by phase, and the copying (conv_plan.h). */
#include "engine/conv_plan.h"
#include <string.h>

static int64_t magnitude(int64_t a) { return a < 0 ? -a : a; }

/* The rank of tap j among the taps in order of rising coordinate. */
static int64_t rank(const wn__taps *t, int64_t j) { return t->move < 0 ? t->n - 1 - j : j; }

/* a / step for a >= 0, without a division for steps 1 and 2: this runs for every plane of every copy. */
static int64_t over(int64_t a, int64_t step) { return step == 1 ? a : step == 2 ? a >> 1 : a / step; }

/* The range of i in [0, n) for which low + i * step lies in [0, size). */
static void inside(int64_t low, int64_t step, int64_t n, int64_t size, int64_t *first, int64_t *last) {
    *first = low >= 0 ? 0 : over(-low + step - 1, step);
    *last = low >= size ? 0 : over(size - low + step - 1, step);
    if (*first > n) *first = n;
    if (*last > n) *last = n;
    if (*last < *first) *last = *first;
}

/* The source column of the first element in a row of phase px. */
static int64_t low_column(const wn__conv_plan *p, int64_t px) { return p->low[2] + (px ? px * p->gap[2] % p->step[2] : 0); }

/* The length of a row of the copy. Zeros behind a row also serve as those before the next one, as far as every phase
 * has them, and behind the last row the slack does. */
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
        const int64_t move = magnitude(t->move), step = p->step[d], period = step == 1 ? 1 : step / wn__conv_gcd(move ? move : step, step);
        p->low[d] = t->move < 0 ? t->first + (t->n - 1) * t->move : t->first;
        p->phases[d] = t->n < period ? t->n : period;
        p->gap[d] = step == 1 ? 0 : move % step;
        p->reach[d] = over((t->n - 1) * move, step);
        p->ntaps *= t->n;
    }
    p->chunk = p->t->kc / (p->ntaps ? p->ntaps : 1);
    p->chunk = p->chunk < 1 ? 1 : p->chunk > p->cin ? p->cin : p->chunk;
    if (p->chunk < p->cin) { /* chunks of equal length */
        const int64_t n = (p->cin + p->chunk - 1) / p->chunk;
        p->chunk = (p->cin + n - 1) / n;
    }
    p->width = row_width(p);
    p->depth = 1 + p->reach[0];
    const int64_t planes = p->phases[0] * p->phases[1] * p->phases[2] * p->depth;
    const int64_t row = p->chunk * planes * p->width; /* elements that another row of a band adds */
    p->rows = budget / (row ? row : 1) - p->reach[1];
    const int64_t least = p->reach[1] + 1 < 4 ? 4 : p->reach[1] + 1; /* fewer share too many with the next band */
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

/* Copies `height` rows of one phase in y and x from the source plane at src (NULL: outside the image). */
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

/* Can even and odd columns be split in one pass (stride 2 without gaps, rows of the multiplier's type)? */
static bool splits(const wn__conv_plan *p) {
    return p->step[2] == 2 && p->phases[2] == 2 && p->gap[2] == 1 && p->depth == 1 && p->in_stride[4] == 1 && p->dtype == p->t->dtype;
}

/* Copies both phases in x of one phase in y. */
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
    const int lead = 3 - d->nd; /* number of leading dimensions of size 1 */
    for (int i = 0; i < lead; i++) p->in[i] = p->out[i] = p->step[i] = 1, p->taps[i] = (wn__taps){1, 0, 1, 0, 1};
    p->ntaps = 1;
    for (int i = 0; i < d->nd; i++) {
        const int to = lead + i;
        p->in[to] = d->in[i], p->out[to] = d->out[i], p->step[to] = d->stride[i];
        p->in_stride[2 + to] = d->xs[2 + i], p->out_stride[2 + to] = d->ys[2 + i];
        p->taps[to] = (wn__taps){d->kernel[i], -d->padding[i], d->dilation[i], 0, 1};
        p->ntaps *= d->kernel[i];
    }
}

static void swap(int64_t *a, int64_t *b) {
    const int64_t was = *a;
    *a = *b, *b = was;
}
void wn__conv_turn(wn__conv_plan *p) {
    swap(&p->cin, &p->cout);
    for (int i = 0; i < 3; i++) swap(&p->in[i], &p->out[i]);
    for (int i = 0; i < 5; i++) swap(&p->in_stride[i], &p->out_stride[i]);
}
