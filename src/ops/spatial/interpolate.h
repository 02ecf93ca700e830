/* What the files of interpolation share. */
#ifndef WN_OPS_INTERPOLATE_H
#define WN_OPS_INTERPOLATE_H
#include "ops/spatial/spatial.h"

/* Bytes [N, C, H, W] by two maps with weights. */
wn_status wn__interpolate_bytes(wn__call *c, const wn__axis *axes, const wn_tensor *x);
#endif
