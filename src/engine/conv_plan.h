/* What the three convolutions share. A window's element lies at base + offset(tap) + offset(position) in a padded copy of the
 * image, whose rows and columns are sorted by their remainder modulo the stride: then the positions of a row are
 * contiguous for every tap and stride, and the register tile reads the copy directly. Only the copy (a band of some
 * channels, sized for L2) is ever written; windows are never unfolded. */
#ifndef WN_ENGINE_CONV_PLAN_H
#define WN_ENGINE_CONV_PLAN_H
#include "engine/contraction.h"
#include "engine/gemm.h"

/* Taps of one dimension: tap j sees source coordinate position * step + first + j * move. */
typedef struct wn__taps {
    int64_t n, first, move;
    int64_t kernel0, kernel_step; /* tap j is kernel element kernel0 + j * kernel_step */
} wn__taps;

/* out[image, m, position] = sum over c and taps of w[m, c, tap] * in[image, c, position * step + tap], three dimensions always
 * (leading ones of size 1). */
typedef struct wn__conv_plan {
    const wn__gemm_type *t;
    wn_dtype dtype;
    int64_t images, groups, cin, cout; /* channels of a group */
    int64_t in[3], out[3], step[3];
    wn__taps taps[3];
    int64_t ntaps; /* product */
    int64_t in_stride[5], out_stride[5]; /* image, channel, z, y, x */

    /* The padded copy of a band: [channel][phase z, y, x][z][y][x]. */
    int64_t low[3];   /* source coordinate of the copy's first element, for position 0 */
    int64_t phases[3], gap[3]; /* remainders in use: 0, gap, 2 gap... modulo step */
    int64_t reach[3]; /* how many positions past its own the last tap sees */
    int64_t rows;     /* output rows of a band */
    int64_t width, height, depth, channel; /* of one phase (zeros behind a row are also those before the next); elements of a channel */
    int64_t bands;    /* bands in y; every z is its own band */
    int64_t chunk;    /* channels that are copied and summed at a time */
} wn__conv_plan;

/* Fills the geometry from images..taps and the strides; budget: elements that a band's copy should take at most. */
void wn__conv_geometry(wn__conv_plan *p, int64_t budget);
/* Offsets in the copy of rows (channel c, tap) for c in [0, chunk): chunk * ntaps entries, tap fastest. */
void wn__conv_offsets(const wn__conv_plan *p, int64_t *out);
/* Copies channels c0..c0+n of an image (group's first channel at `src`) for band (z, y0). buf has room for
 * n * channel + slack elements. */
void wn__conv_copy(const wn__conv_plan *p, const void *src, int64_t c0, int64_t n, int64_t z, int64_t y0, void *buf);
/* Asks for what is moved next: a band's rows of one channel are too short a stream for the hardware to foresee. */
static inline void wn__fetch(const char *at, int64_t bytes) {
    for (int64_t i = 0; i < bytes; i += 64) __builtin_prefetch(at + i);
}
enum { WN__CONV_SLACK = 256 }; /* elements behind the copy that may be read and written */

/* inf and NaN in w (conv_special.c). */
bool wn__conv_finite(const wn__conv *d, const void *w);
bool wn__conv_grad_input_special(const wn__conv *d, const void *dy, const void *w, void *dx);

/* One correlation: what the forward convolution and the gradient in the input ask of a driver. */
typedef struct wn__conv_call {
    const char *in, *w, *bias; /* bias: one of each output channel of all groups, or NULL */
    char *out;
    const wn__epilogue *e;         /* or NULL */
    int64_t wm, wc, wk[3], wgroup; /* strides of w: row, channel, taps; elements of a group */
    const char *even; /* the result is every second column from 1 on: those between, `evens` to a row, row-major, to be stored with it; or NULL */
    int64_t evens;
} wn__conv_call;

/* Vectors along output channels (conv_channels.c): the plan's geometry is not needed; transposed: the gradient in the input, whose plan
 * has `in` and `out` exchanged and forward's step and taps. *done: whether it suited (or memory failed); otherwise nothing was computed. */
bool wn__conv_channels(const wn__conv_plan *p, const wn__conv_call *c, bool transposed, bool *done);
/* One matrix product (conv_product.c) for a deep 1x1 kernel; conventions of the forward convolution. */
bool wn__conv_product_suits(const wn__conv_plan *p);
bool wn__conv_product(const wn__conv_plan *p, const wn__conv_call *c);
/* One input channel to a group (conv_depthwise.c), the same conventions. */
bool wn__conv_depthwise_suits(const wn__conv_plan *p);
bool wn__conv_depthwise(const wn__conv_plan *p, const wn__conv_call *c, bool transposed);
/* 3x3 of planes read in place (conv_direct.c; transposed: without stride), which goes first. */
bool wn__conv_direct_suits(const wn__conv_plan *p, const wn__epilogue *e, bool transposed);
bool wn__conv_direct(const wn__conv_plan *p, const wn__conv_call *c, bool transposed);
/* The same of small planes (conv_planes.c; transposed: without stride), which goes before it. */
bool wn__conv_planes_suit(const wn__conv_plan *p, bool transposed);
bool wn__conv_planes(const wn__conv_plan *p, const wn__conv_call *c, bool transposed);
bool wn__conv_planes_grad_weight(const wn__conv_plan *p, const wn__conv *d, const void *x, const void *dy, void *dw);
/* Depthwise over two dimensions, of f32 and f64, channels side by side in x and y (conv_last_planes.c). */
bool wn__conv_last_planes_suit(const wn__conv *d);
bool wn__conv_last_planes(const wn__conv *d, const void *x, const void *w, const void *bias, void *y);
bool wn__conv_last_planes_grad_input(const wn__conv *d, const void *dy, const void *w, void *dx);
bool wn__conv_last_planes_grad_weight(const wn__conv *d, const void *x, const void *dy, void *dw);
/* The bias of output channel `channel` (of all groups). -0 without one: x + -0 is x, whatever its sign. */
double wn__conv_bias(const wn__conv_plan *p, const wn__conv_call *c, int64_t channel);

/* Windows that tile the unpadded input, as one window or as patches: plain products (conv_tiled.c), without bias and epilogue. */
bool wn__conv_is_whole(const wn__conv *d);
bool wn__conv_is_patches(const wn__conv *d);
bool wn__conv_tiled_forward(const wn__conv *d, const void *x, const void *w, void *y);
bool wn__conv_tiled_grad_input(const wn__conv *d, const void *dy, const void *w, void *dx);
bool wn__conv_tiled_grad_weight(const wn__conv *d, const void *x, const void *dy, void *dw);

/* A kernel in three dimensions that is tall in the first: a copy holds all its planes for every position there, but shares rows of the second
 * between positions. *lower is the same convolution with the two exchanged; false: there is no need. */
bool wn__conv_lower(const wn__conv *d, wn__conv *lower);

/* The gradient in the input, dx[stride p + dilation k - padding] += dy[p] w[k], is the same with dy and w, and stride and dilation, exchanged.
 * Where the kernel is much larger than dy, as in transposed convolutions of a small image, *other has far fewer taps; false: it has not. */
bool wn__conv_exchange(const wn__conv *d, wn__conv *other);

/* Fills in everything of a forward convolution but budgets. */
void wn__conv_forward_plan(const wn__conv *d, wn__conv_plan *p);

/* Of numbers that are not negative. */
static inline int64_t wn__conv_gcd(int64_t a, int64_t b) { return b ? wn__conv_gcd(b, a % b) : a; }
#endif
