/* Sampling of planes at a block of places in a grid, compiled for each instruction set level (engine/level/sampling.c).
 * The table of each place's elements and weights is made once and serves all channels. Elements outside have weight 0
 * and must not be read into a result: the table has element 0 for them, masked out when loaded: no branch is needed. */
#ifndef WN_ENGINE_SAMPLING_H
#define WN_ENGINE_SAMPLING_H
#include <stdbool.h>
#include <stdint.h>

enum { WN__PLACES = 128, WN__TAPS = 16 }; /* places in a block, elements of a place, at most */
enum { WN__LINEAR, WN__NEAREST, WN__CUBIC };
enum { WN__ZEROS, WN__BORDER, WN__REFLECTION };

typedef struct wn__sampled_plane {
    int64_t size[2];   /* x, y: at most 2^31 elements in all */
    int mode, padding; /* numbered as in the two enumerations above and in grid_sampler's arguments */
    bool align;
} wn__sampled_plane;

/* The elements of each place and their weights. in: all ones, or 0 if the element is outside; dw: the weights'
 * derivatives by the grid's x and y, if asked for. */
typedef struct wn__sampling_f32 {
    int taps;
    int32_t at[WN__TAPS][WN__PLACES], in[WN__TAPS][WN__PLACES];
    float w[WN__TAPS][WN__PLACES], dw[2][WN__TAPS][WN__PLACES];
} wn__sampling_f32;
typedef struct wn__sampling_f64 {
    int taps;
    int32_t at[WN__TAPS][WN__PLACES], in[WN__TAPS][WN__PLACES];
    double w[WN__TAPS][WN__PLACES], dw[2][WN__TAPS][WN__PLACES];
} wn__sampling_f64;

/* Blocks of `channels` planes with `area` elements each; in y and g, channels are `places` apart. */
typedef struct wn__sampling_type {
    /* Fills the table for n places; grid: x, y of each. */
    void (*table)(const wn__sampled_plane *plane, int64_t n, const void *grid, void *table, bool slopes);
    /* y[k, p] = sum over i of w[i, p] x[k, at[i, p]] */
    void (*sample)(const void *table, int64_t n, int64_t channels, const void *x, int64_t area, void *y, int64_t places);
    /* x[k, at[i, p]] += w[i, p] g[k, p], places in order */
    void (*spread)(const void *table, int64_t n, int64_t channels, void *x, int64_t area, const void *g, int64_t places);
    /* to[p, d] = sum over k and i of dw[d, i, p] x[k, at[i, p]] g[k, p] */
    void (*slopes)(const void *table, int64_t n, int64_t channels, const void *x, int64_t area, const void *g, int64_t places, void *to);
} wn__sampling_type;
typedef struct wn__sampling_kernels {
    wn__sampling_type of[2]; /* f32, f64 */
} wn__sampling_kernels;
#endif
