/* Reading IDX files, for wn_load_idx and for datasets. */
#ifndef WN_IO_IDX_H
#define WN_IO_IDX_H
#include "tensor/tensor.h"

/* An owned tensor, or NULL with an error record. */
wn_tensor *wn__idx_read(const char *op, const char *path);
#endif
