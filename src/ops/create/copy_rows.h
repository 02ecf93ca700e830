/* Copies row by row (copy_rows.c). */
#ifndef WN_OPS_COPY_ROWS_H
#define WN_OPS_COPY_ROWS_H
#include "ops/ops.h"

/* Copies src to dst if dtypes are equal, storages are not, and rows of both lie side by side. to and from: strides in bytes over dst's
 * shape; order: its dimensions, the largest stride first. */
bool wn__copy_rows(wn_tensor *dst, const wn_tensor *src, const int64_t *to, const int64_t *from, const int *order);
#endif
