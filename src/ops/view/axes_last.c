/* Linear maps along dimensions (axes.c) of images that lie channels last: an element of a row is a vector of all channels, and a row's elements
 * follow each other in memory. Sums are made in the order of axes.c, so both give the same bits. */
#include "base/alloc.h"
#include "ops/spatial/pixels.h"
#include "ops/view/axes.h"

static int64_t pixels_of_block(const wn__axes_job *j) { return j->channels < WN__AXES_BLOCK ? WN__AXES_BLOCK / j->channels : 1; }

/* Outputs o0 .. o0 + n - 1 of a row need columns *c0 .. *c1 - 1. */
static void columns_of(const wn__axes_job *j, int64_t o0, int64_t n, int64_t *c0, int64_t *c1) {
    const wn__axis *ax = &j->axes[2];
    *c0 = j->few ? j->at[o0] : ax->first ? ax->first[o0] : o0;
    *c1 = j->few ? j->at[o0 + n - 1] + j->few : ax->first ? wn__axis_end(ax, o0 + n - 1) : o0 + n;
    if (*c1 > ax->in) *c1 = ax->in;
    if (*c0 > *c1) *c0 = *c1;
}

/* Every output takes one element as it is. */
static bool single(const wn__axis *a) {
    bool one = !a->weight && a->start[a->out] == a->out;
    for (int64_t i = 0; i < a->out && one; i++) one = a->start[i + 1] - a->start[i] == 1;
    return one;
}
/* Pixels that would be converted, only to be moved and converted back: they are moved as bytes. Short ones are faster converted, many at a time. */
static bool moves(const wn__axes_job *j) {
    enum { LEAST_BYTES = 32 };
    const int64_t bytes = (int64_t)wn__dtype_size(j->x->dtype);
    bool plain = !wn__is_register_form(j->x->dtype, j->ct) && !wn__axes_divides(j) && j->x->strides[1] == 1 && j->channels * bytes >= LEAST_BYTES;
    for (int d = 0; d < 3 && plain; d++) plain = !j->axes[d].first || single(&j->axes[d]);
    return plain;
}

void wn__axes_last_plan(wn__axes_job *j) {
    j->channels = j->x->shape[1];
    const int64_t width = j->axes[2].out, each = pixels_of_block(j);
    j->blocks = (width + each - 1) / each;
    for (int64_t o0 = 0; o0 < width; o0 += each) {
        int64_t c0, c1;
        columns_of(j, o0, width - o0 < each ? width - o0 : each, &c0, &c1);
        if (c1 - c0 > j->reach) j->reach = c1 - c0;
    }
    j->moves = moves(j);
}

/* n pixels of the input row (z, y) from column c0 in the compute type: where they lie, or loaded into tmp. */
static const char *input_row(const wn__axes_job *j, const char *image, int64_t z, int64_t y, int64_t c0, int64_t n, char *tmp) {
    const char *p = image + (z * j->step[0] + y * j->step[1] + c0 * j->step[2]) * (int64_t)wn__dtype_size(j->x->dtype);
    return wn__pixel_row(&(wn__pixels){j->x, j->ct, j->channels, j->channels == 1 ? 1 : j->x->strides[1], j->step[2]}, p, n, tmp);
}

/* Of an input row in the compute type. */
static size_t line_bytes(const wn__axes_job *j) { return ((size_t)(j->reach * j->channels) * wn__ct_size(j->ct) + 127) & ~(size_t)63; }

/* As axes.c: the rows that output row (oz, oy) needs, combined. */
static const char *combined_row(const wn__axes_job *j, const char *image, int64_t oz, int64_t oy, int64_t c0, int64_t n, char *acc, char *tmp) { /* tmp: two rows */
    int64_t z0, y0;
    const char *wz, *wy;
    const int64_t nz = wn__axes_run_of(j, 0, oz, &z0, &wz), ny = wn__axes_run_of(j, 1, oy, &y0, &wy);
    if (nz == 1 && ny == 1 && wn__axes_number(j->ct, wz, 0) == 1 && wn__axes_number(j->ct, wy, 0) == 1) return input_row(j, image, z0, y0, c0, n, tmp);
    if (nz == 1 && ny == 2 && wy) { /* as the loop below adds, in one pass */
        const double w = wn__axes_number(j->ct, wz, 0);
        const char *a = input_row(j, image, z0, y0, c0, n, tmp), *b = input_row(j, image, z0, y0 + 1, c0, n, tmp + line_bytes(j));
        wn__pixels_now()->of[j->ct].pair(n * j->channels, a, b, w * wn__axes_number(j->ct, wy, 0), w * wn__axes_number(j->ct, wy, 1), acc);
        return acc;
    }
    if (nz == 0 || ny == 0) memset(acc, 0, (size_t)(n * j->channels) * wn__ct_size(j->ct));
    for (int64_t z = 0; z < nz; z++)
        for (int64_t y = 0; y < ny; y++) {
            const double w = wn__axes_number(j->ct, wz, z) * wn__axes_number(j->ct, wy, y);
            const float narrow = (float)w;
            const void *by = !wz && !wy ? NULL : j->ct == WN__CT_F32 ? (const void *)&narrow : (const void *)&w;
            j->k.add(n * j->channels, acc, input_row(j, image, z0 + z, y0 + y, c0, n, tmp), by, z == 0 && y == 0);
        }
    return acc;
}

/* Runs of any length; in: the row from column c0. */
static void combine_long(const wn__axes_job *j, bool one, int64_t o0, int64_t n, int64_t c0, const char *in, char *to) {
    const wn__axis *a = &j->axes[2];
    const int64_t vector = j->channels * (int64_t)wn__ct_size(j->ct);
    for (int64_t i = o0; i < o0 + n; i++, to += vector) {
        const int64_t taps = a->start[i + 1] - a->start[i];
        const char *from = in + (a->first[i] - c0) * vector, *w = j->weight[2] ? j->weight[2] + a->start[i] * (int64_t)wn__ct_size(j->ct) : NULL;
        const bool fresh = one || (w && taps == 2); /* else sums begin with 0, which a first element of -0 shows */
        if (!fresh) memset(to, 0, (size_t)vector);
        for (int64_t k = 0; k < taps; k++) j->k.add(j->channels, to, from + k * vector, w ? w + k * (int64_t)wn__ct_size(j->ct) : NULL, fresh && k == 0);
    }
}

/* As axes.c divides: the extents of z and y are common to the row. */
static void divide_row(const wn__axes_job *j, char *row, int64_t oz, int64_t oy, int64_t o0, int64_t n) {
    double common = j->divisor != 0 ? j->divisor : 1;
    if (j->divisor == 0 && j->axes[0].extent) common *= j->axes[0].extent[oz];
    if (j->divisor == 0 && j->axes[1].extent) common *= j->axes[1].extent[oy];
    const double *extent = j->divisor == 0 && j->axes[2].extent ? j->axes[2].extent + o0 : NULL;
    if (!extent && common != 1) j->k.divide(n * j->channels, row, common, NULL);
    for (int64_t i = 0; i < n && extent; i++) {
        const double by = j->ct == WN__CT_F32 ? (double)((float)common * (float)extent[i]) : common * extent[i];
        j->k.divide(j->channels, row + i * j->channels * (int64_t)wn__ct_size(j->ct), by, NULL);
    }
}

static int64_t source(const wn__axis *a, int64_t i) { return a->first ? a->first[i] : i; }
static void move_pixels(const wn__axes_job *j, int64_t begin, int64_t end) {
    const int64_t width = j->axes[2].out, oh = j->axes[1].out, od = j->axes[0].out, each = pixels_of_block(j), size = (int64_t)wn__dtype_size(j->x->dtype);
    const size_t pixel = (size_t)(j->channels * size);
    for (int64_t u = begin; u < end; u++) {
        const int64_t row = u / j->blocks, o0 = u % j->blocks * each, o1 = o0 + each < width ? o0 + each : width;
        const int64_t at = row / oh / od * j->x->strides[0] + source(&j->axes[0], row / oh % od) * j->step[0] + source(&j->axes[1], row % oh) * j->step[1];
        char *to = j->to + (size_t)(row * width + o0) * pixel;
        for (int64_t o = o0; o < o1; o++, to += pixel) memcpy(to, j->from + (at + source(&j->axes[2], o) * j->step[2]) * size, pixel);
    }
}

void wn__axes_last_task(void *ctx, int64_t begin, int64_t end) {
    wn__axes_job *j = ctx;
    if (j->moves) {
        move_pixels(j, begin, end);
        return;
    }
    const wn__axis *ax = &j->axes[2];
    const int64_t oh = j->axes[1].out, od = j->axes[0].out, bytes = (int64_t)wn__dtype_size(j->y->dtype), each = pixels_of_block(j), channels = j->channels;
    const size_t size = wn__ct_size(j->ct), line = line_bytes(j);
    const bool direct = wn__is_register_form(j->y->dtype, j->ct), one = ax->first && single(ax);
    const size_t zeros = ((size_t)channels * size + 127) & ~(size_t)63;
    char *nothing = wn__task_scratch(&j->failed, 0, zeros + 3 * line + (size_t)((each < ax->out ? each : ax->out) * channels) * size), *acc = nothing ? nothing + zeros : NULL;
    if (!acc) return;
    memset(nothing, 0, zeros);
    const char *last = NULL, *last_to = NULL;
    int64_t last_o0 = 0;
    for (int64_t u = begin; u < end; u++) {
        const int64_t row = u / j->blocks, oy = row % oh, oz = row / oh % od, o0 = u % j->blocks * each, n = ax->out - o0 < each ? ax->out - o0 : each;
        int64_t c0, c1;
        columns_of(j, o0, n, &c0, &c1);
        const char *image = j->from + row / oh / od * j->x->strides[0] * (int64_t)wn__dtype_size(j->x->dtype);
        char *out = j->to + (row * ax->out + o0) * channels * bytes, *to = direct ? out : acc + 3 * line;
        const char *in = combined_row(j, image, oz, oy, c0, c1 - c0, ax->first || !direct ? acc : to, acc + line);
        if (direct && in == last && o0 == last_o0 && !wn__axes_divides(j)) { /* the same row again: nearest elements */
            memcpy(to, last_to, (size_t)(n * channels) * size);
            continue;
        }
        last = !j->few || in == acc || in == acc + line ? NULL : in, last_to = to, last_o0 = o0;
        if (j->few) {
            const size_t skip = (size_t)(o0 * j->few) * size;
            wn__pixels_now()->of[j->ct].mix(n, channels, j->few, j->at + o0, j->few_weight ? j->few_weight + skip : NULL, j->few_keep ? j->few_keep + skip : NULL, nothing,
                     in - c0 * channels * (int64_t)size, to);
        } else if (ax->first) combine_long(j, one, o0, n, c0, in, to);
        else if (in != to) memcpy(to, in, (size_t)(n * channels) * size);
        divide_row(j, to, oz, oy, o0, n);
        if (!direct) wn__kernels_now()->store[j->ct][j->y->dtype](n * channels, out, bytes, to);
    }
}
