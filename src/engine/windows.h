/* Maxima over windows of a volume, compiled for each instruction set level (engine/level/windows.c). */
#ifndef WN_ENGINE_WINDOWS_H
#define WN_ENGINE_WINDOWS_H
#include "engine/kernels.h"

/* A volume with dimensions z, y, x: rows of in[2] elements of the compute type. */
typedef struct wn__volume {
    const char *data;
    int64_t in[3], row, slice; /* elements from row to row, from slice to slice */
} wn__volume;
/* Regular windows; `out` says how many there are along each dimension. */
typedef struct wn__grid {
    int64_t out[3], kernel[3], stride[3], padding[3], dilation[3];
} wn__grid;
typedef struct wn__windows_kernels {
    /* One row of the result: maxima and their indices in the volume. tmp: room for out[2] numbers of 8 bytes. */
    void (*row)(const wn__grid *g, const wn__volume *v, int64_t oz, int64_t oy, void *best, int64_t *at, void *tmp);
    /* The maximum of the box lo .. hi - 1. */
    void (*box)(const wn__volume *v, const int64_t lo[3], const int64_t hi[3], void *best, int64_t *at);
} wn__windows_kernels;
typedef struct wn__windows_table {
    wn__windows_kernels of[4]; /* f32, f64, i32, i64 */
} wn__windows_table;
const wn__windows_table *wn__windows_now(void);
#endif
