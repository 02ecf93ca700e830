/* What the convolutions share. In a padded copy of the image, a window's element lies at base + offset(tap) +
 * offset(position). Rows and columns of the copy are sorted by their remainder modulo the stride, their *phase*: then
 * the positions of a row are contiguous for every tap and stride, and the register tile reads the copy directly. Only
 * the copy (a band of some channels, sized for L2) is ever written; windows are never unfolded. */
#ifndef WN_ENGINE_CONV_PLAN_H
#define WN_ENGINE_CONV_PLAN_H
#include "engine/contraction.h"
#include "engine/gemm.h"
#include "engine/kernel_table.h"

/* Taps of one dimension: from a position, tap j sees source coordinate position * step + first + j * move. */
typedef struct wn__taps {
    int64_t n, first, move;
    int64_t kernel0, kernel_step; /* tap j is kernel element kernel0 + j * kernel_step */
} wn__taps;

/* out[image, m, position] = sum over c and taps of w[m, c, tap] * in[image, c, position * step + tap]. There are always
 * three dimensions, leading ones of size 1. */
typedef struct wn__conv_plan {
    const wn__gemm_type *t;
    wn_dtype dtype;
    int64_t images, groups, cin, cout; /* cin, cout: channels of a group */
    int64_t in[3], out[3], step[3];
    wn__taps taps[3];
    int64_t ntaps; /* product */
    int64_t in_stride[5], out_stride[5]; /* image, channel, z, y, x */

    /* The padded copy of a band: [channel][phase z, y, x][z][y][x]. */
    int64_t low[3];   /* source coordinate of the copy's first element, for position 0 */
    int64_t phases[3], gap[3]; /* remainders in use: 0, gap, 2 gap... modulo step */
    int64_t reach[3]; /* how many positions further than its own the last tap sees */
    int64_t rows;     /* output rows of a band */
    int64_t width, height, depth, channel; /* of one phase (rows share zeros); elements of a channel */
    int64_t bands;    /* bands in y; every z is its own band */
    int64_t chunk;    /* number of channels that are copied and summed at a time */
} wn__conv_plan;

/* Computes the copy's geometry from images..taps and the strides; budget: elements that a band should take at most. */
void wn__conv_geometry(wn__conv_plan *p, int64_t budget);
/* Fills out[0..chunk * ntaps) with offsets in the copy: of channel c in [0, chunk) and each tap, tap fastest. */
void wn__conv_offsets(const wn__conv_plan *p, int64_t *out);
/* Copies channels c0..c0+n of an image for band (z, y0); src: the group's first channel. buf has room for n * channel +
 * slack elements. */
void wn__conv_copy(const wn__conv_plan *p, const void *src, int64_t c0, int64_t n, int64_t z, int64_t y0, void *buf);
/* Prefetches what is moved next: a band's rows of one channel are too short a stream for the hardware to predict. */
static inline void wn__fetch(const char *at, int64_t bytes) {
    for (int64_t i = 0; i < bytes; i += 64) __builtin_prefetch(at + i);
}
enum { WN__CONV_SLACK = 256 }; /* elements behind the copy that may be read and written */

/* One correlation: the forward convolution, or (a part of) the gradient in the input. */
typedef struct wn__conv_call {
    const char *in, *w, *bias; /* bias: for each output channel of all groups, or NULL */
    char *out;
    const wn__epilogue *e;         /* or NULL */
    int64_t wm, wc, wk[3], wgroup; /* strides of w by row, channel, taps; elements of a group */
    const char *even; /* if results are odd columns: the even ones, row-major, `evens` in a row */
    int64_t evens;
} wn__conv_call;

/* What the rows of convolutions' tables look at (engine/kernel_table.h). */
typedef enum wn__conv_way { WN__CONV_FORWARD, WN__CONV_INPUT, WN__CONV_WEIGHT } wn__conv_way;
typedef struct wn__conv_form {
    const wn__conv *d;
    wn__conv_way way;
    bool bias, epilogue;
    wn__conv_plan p; /* made when a row first needs it; rows that use copies add their geometry. For a gradient in the
                      * input: in and out exchanged, but step and taps as in forward */
} wn__conv_form;
static inline bool wn__conv_transposed(const wn__conv_form *f) { return f->way == WN__CONV_INPUT; }

/* The rows, each explained in its file. For the gradient in the weights a call's in, w and out are x, dy and dw. */
#define WN__CONV_ROW(row) bool wn__conv_##row##_suits(const void *form); wn__ran wn__conv_##row(void *form, const void *call)
WN__CONV_ROW(tiled);
WN__CONV_ROW(lowered);
WN__CONV_ROW(exchanged);
WN__CONV_ROW(direct);
WN__CONV_ROW(planes);
WN__CONV_ROW(depthwise);
WN__CONV_ROW(channels);
WN__CONV_ROW(product);
wn__ran wn__conv_along_rows(void *form, const void *call);
wn__ran wn__conv_remainders(void *form, const void *call);
wn__ran wn__conv_special(void *form, const void *call);
wn__ran wn__conv_planes_weight(void *form, const void *call);
wn__ran wn__conv_parts_weight(void *form, const void *call);
/* For images that lie channels last. */
WN__CONV_ROW(last_product);
WN__CONV_ROW(last_planes);
wn__ran wn__conv_last_planes_weight(void *form, const void *call);

extern const wn__kernel_table wn__conv_forward_kernels, wn__conv_input_kernels, wn__conv_weight_kernels;
/* The last rows of the forward table, for one correlation: each remainder of a gradient in the input is one. */
extern const wn__kernel_table wn__conv_part_kernels;
extern const wn__kernel_table wn__conv_last_forward_kernels, wn__conv_last_input_kernels, wn__conv_last_weight_kernels;
void wn__conv_describe(const void *form, char *text, size_t room);

/* Are all weights finite (conv_special.c)? */
bool wn__conv_finite(const void *form, const void *call);
/* The bias of output channel `channel` (of all groups), or -0: x + -0 is x, whatever its sign. */
double wn__conv_bias(const wn__conv_plan *p, const wn__conv_call *c, int64_t channel);

/* Fills in a forward convolution, except the geometry of copies. */
void wn__conv_forward_plan(const wn__conv *d, wn__conv_plan *p);
/* Turns it into the plan seen from dy. */
void wn__conv_turn(wn__conv_plan *p);

/* The greatest common divisor of two numbers that are not negative. */
static inline int64_t wn__conv_gcd(int64_t a, int64_t b) { return b ? wn__conv_gcd(b, a % b) : a; }
#endif
