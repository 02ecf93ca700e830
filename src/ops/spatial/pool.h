/* Geometry that the pooling rows share (ops/spatial/pool.c). */
#ifndef WN_OPS_POOL_H
#define WN_OPS_POOL_H
#include "engine/maxpool_kernels.h"
#include "ops/kernel_tables.h"
#include "ops/spatial/spatial.h"

/* Reads and checks the lists for an input of shape `size` ([C, H, W] or [N, C, H, W]) and fits the windows: torch's rules. */
wn_status wn__pool_window(wn__call *c, const wn__windows_args *a, const wn_dims *size, wn__window *w);
/* *divisor = divisor_override, which is an integer other than zero; 0 for None. */
wn_status wn__pool_divisor(wn__call *c, wn_val divisor_override, int64_t *divisor);
/* Two numbers from a list: of one, it counts twice. False when there are neither one nor two. */
bool wn__pool_pair(const wn_dims *d, int64_t *y, int64_t *x);
/* The shape `size` with oh, ow at the end. */
wn_dims wn__pool_size(const wn_dims *size, int64_t oh, int64_t ow);

/* One plane of t in the form of compute type ct: in memory, when it lies there so (*ld is then its row's distance), or
 * converted into tmp (h * w elements). plane counts [N *] C. */
const void *wn__plane(const wn_tensor *t, int64_t plane, wn__ct ct, void *tmp, int64_t *ld);
#endif
