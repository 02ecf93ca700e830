/* Shapes that make the rows of the tables of convolutions run. */
#include "engine/contract_ref.h"
#include "engine/conv_plan.h"
#include "kernels.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Named by the row that they are for; others that suit are run on them, too. last: channels lie side by side. */
typedef struct shape {
    const char *row;
    int nd;
    int64_t batch, groups, in_channels, out_channels, size, kernel, stride, padding;
    int64_t tall; /* a kernel so tall in the first dimension of three */
    bool last;
} shape;
static const shape shapes[] = {
    {.row = "tiled", .nd = 2, .batch = 2, .groups = 1, .in_channels = 3, .out_channels = 5, .size = 4, .kernel = 4, .stride = 1},
    {.row = "tiled: patches", .nd = 2, .batch = 2, .groups = 1, .in_channels = 3, .out_channels = 5, .size = 8, .kernel = 4, .stride = 4},
    {.row = "lowered", .nd = 3, .batch = 1, .groups = 1, .in_channels = 2, .out_channels = 3, .size = 5, .kernel = 2, .stride = 1, .padding = 1, .tall = 17},
    {.row = "exchanged", .nd = 2, .batch = 1, .groups = 1, .in_channels = 2, .out_channels = 3, .size = 7, .kernel = 6, .stride = 1},
    {.row = "direct", .nd = 2, .batch = 2, .groups = 3, .in_channels = 3, .out_channels = 6, .size = 20, .kernel = 3, .stride = 1, .padding = 1},
    {.row = "direct: stride", .nd = 2, .batch = 1, .groups = 2, .in_channels = 2, .out_channels = 2, .size = 40, .kernel = 3, .stride = 2, .padding = 1},
    {.row = "planes", .nd = 2, .batch = 2, .groups = 17, .in_channels = 17, .out_channels = 34, .size = 6, .kernel = 3, .stride = 1, .padding = 1},
    {.row = "direct: back", .nd = 2, .batch = 2, .groups = 4, .in_channels = 4, .out_channels = 4, .size = 37, .kernel = 3, .stride = 1, .padding = 1},
    {.row = "planes: back", .nd = 2, .batch = 2, .groups = 19, .in_channels = 19, .out_channels = 19, .size = 5, .kernel = 3, .stride = 1, .padding = 1},
    {.row = "depthwise", .nd = 2, .batch = 2, .groups = 2, .in_channels = 2, .out_channels = 4, .size = 9, .kernel = 5, .stride = 1, .padding = 2},
    {.row = "depthwise: stride", .nd = 2, .batch = 1, .groups = 3, .in_channels = 3, .out_channels = 3, .size = 8, .kernel = 3, .stride = 2, .padding = 1},
    {.row = "channels", .nd = 2, .batch = 5, .groups = 1, .in_channels = 32, .out_channels = 48, .size = 5, .kernel = 3, .stride = 1, .padding = 1},
    {.row = "product", .nd = 2, .batch = 2, .groups = 1, .in_channels = 130, .out_channels = 40, .size = 5, .kernel = 1, .stride = 1},
    {.row = "rows", .nd = 2, .batch = 2, .groups = 2, .in_channels = 6, .out_channels = 4, .size = 11, .kernel = 3, .stride = 1, .padding = 1},
    {.row = "rows: volumes", .nd = 3, .batch = 1, .groups = 1, .in_channels = 3, .out_channels = 2, .size = 5, .kernel = 3, .stride = 2, .padding = 1},
    {.row = "rows: lines", .nd = 1, .batch = 3, .groups = 1, .in_channels = 4, .out_channels = 7, .size = 50, .kernel = 5, .stride = 1, .padding = 2},
    {.row = "remainders", .nd = 2, .batch = 1, .groups = 1, .in_channels = 4, .out_channels = 3, .size = 9, .kernel = 3, .stride = 2, .padding = 1},
    {.row = "remainders: gaps", .nd = 2, .batch = 1, .groups = 1, .in_channels = 2, .out_channels = 3, .size = 10, .kernel = 2, .stride = 3},
    {.row = "last: product", .nd = 2, .batch = 2, .groups = 1, .in_channels = 6, .out_channels = 9, .size = 5, .kernel = 1, .stride = 1, .last = true},
    {.row = "last: planes", .nd = 2, .batch = 2, .groups = 20, .in_channels = 20, .out_channels = 20, .size = 7, .kernel = 3, .stride = 1, .padding = 1, .last = true},
};
static const wn__kernel_table *const tables[] = {&wn__conv_forward_kernels, &wn__conv_input_kernels, &wn__conv_weight_kernels, &wn__conv_part_kernels,
                                                 &wn__conv_last_forward_kernels, &wn__conv_last_input_kernels, &wn__conv_last_weight_kernels};
static const wn__conv_way ways[] = {WN__CONV_FORWARD, WN__CONV_INPUT, WN__CONV_WEIGHT, WN__CONV_FORWARD, WN__CONV_FORWARD, WN__CONV_INPUT, WN__CONV_WEIGHT};
enum { TABLES = sizeof tables / sizeof *tables, FIRST_LAST = 4 };

static int64_t strides_of(int n, const int64_t *size, bool last, int64_t *strides) {
    int64_t at = 1;
    if (last) strides[1] = 1, at = size[1];
    for (int i = n - 1; i >= 0; i--)
        if (!last || i != 1) strides[i] = at, at *= size[i];
    return at;
}

typedef struct own {
    wn__conv d;
    wn__conv_form form;
    wn__conv_call call;
    char *x, *w, *y, *want;
} own;

/* The convolution, and how many elements x, w and y have. */
static wn__conv conv_of(const shape *s, wn_dtype dtype, int64_t n[3]) {
    wn__conv d = {.nd = s->nd, .dtype = dtype, .batch = s->batch, .in_channels = s->in_channels, .out_channels = s->out_channels, .groups = s->groups};
    int64_t x[5] = {s->batch, s->in_channels}, w[5] = {s->out_channels, s->in_channels / s->groups}, y[5] = {s->batch, s->out_channels};
    for (int i = 0; i < s->nd; i++) {
        const bool tall = i == 0 && s->tall;
        d.kernel[i] = tall ? s->tall : s->kernel, d.in[i] = tall ? s->tall + 2 : s->size;
        d.stride[i] = s->stride, d.padding[i] = s->padding, d.dilation[i] = 1;
        d.out[i] = (d.in[i] + 2 * d.padding[i] - d.kernel[i]) / d.stride[i] + 1;
        x[2 + i] = d.in[i], w[2 + i] = d.kernel[i], y[2 + i] = d.out[i];
    }
    n[0] = strides_of(2 + s->nd, x, s->last, d.xs), n[1] = strides_of(2 + s->nd, w, false, d.ws), n[2] = strides_of(2 + s->nd, y, s->last, d.ys);
    return d;
}

static bool make(const wn__kernel_table *t, int number, wn_dtype dtype, trial *made) {
    const shape *s = &shapes[number];
    int64_t n[3];
    int which = 0;
    while (tables[which] != t) which++;
    const wn__conv_way way = ways[which];
    const wn__conv d = conv_of(s, dtype, n);
    if (s->last != (which >= FIRST_LAST) || (s->last && !wn__conv_last_suits(&d, way == WN__CONV_INPUT))) return false;
    const size_t size = wn_dtype_size(dtype), bytes = (size_t)n[way == WN__CONV_FORWARD ? 2 : way == WN__CONV_INPUT ? 0 : 1] * size;
    own *o = calloc(1, sizeof *o);
    o->d = d;
    o->x = malloc((size_t)n[0] * size), o->w = malloc((size_t)n[1] * size), o->y = malloc((size_t)n[2] * size), o->want = malloc(bytes);
    fill_small(o->x, dtype, n[0]), fill_small(o->w, dtype, n[1]), fill_small(o->y, dtype, n[2]);
    if (way == WN__CONV_FORWARD) wn__conv_forward_ref(&d, o->x, o->w, NULL, o->want, NULL);
    else if (way == WN__CONV_INPUT) wn__conv_grad_input_ref(&d, o->y, o->w, o->want);
    else wn__conv_grad_weight_ref(&d, o->x, o->y, o->want);
    o->form.d = &o->d, o->form.way = way;
    char *const in = way == WN__CONV_INPUT ? o->y : o->x, *const w = way == WN__CONV_WEIGHT ? o->y : o->w;
    char *const out = way == WN__CONV_FORWARD ? o->y : way == WN__CONV_INPUT ? o->x : o->w;
    o->call = (wn__conv_call){.in = in, .w = w, .out = out};
    if (!t->prepare) wn__conv_forward_kernels.prepare(&o->form, &o->call);
    *made = (trial){.form = &o->form, .call = &o->call, .got = out, .want = o->want, .bytes = bytes};
    snprintf(made->shape, sizeof made->shape, "%s", s->row);
    return true;
}

static void drop(trial *made) {
    own *o = (own *)(void *)((char *)made->form - offsetof(own, form));
    free(o->x), free(o->w), free(o->y), free(o->want);
    free(o);
}

const family conv_family = {tables, TABLES, sizeof shapes / sizeof *shapes, make, drop, NULL};
