/* How results lie in memory: as PyTorch's do, by the rule that a row's .layout names (table/row.h). */
#ifndef WN_CALL_LAYOUT_H
#define WN_CALL_LAYOUT_H
#include "call/dispatch.h"

/* Does t lie channels last (4 dimensions: N C H W stored as N H W C; 5: N C D H W likewise)? As c10's
 * is_channels_last_strides: strides of sizes of 1 count, and what could be row-major as well is not channels last. */
bool wn__channels_last(const wn_tensor *t);
/* Batch norm's question: channels last, where strides of sizes of 1 do not count, and not row-major? */
bool wn__dense_last(const wn_tensor *t);
void wn__channels_last_strides(int ndim, const int64_t *shape, int64_t *strides);
/* Do all tensors of the call lie channels last? Like torch's cat, skips those of shape [0]; false if none is left. */
bool wn__all_channels_last(const wn__call *c);

/* Will result i, of 4 or 5 dimensions, have to lie channels last? Then a kernel can write it so at once. */
bool wn__laid_last(const wn__call *c, int i);
/* wn__result with this size, channels last or row-major. */
wn_status wn__result_laid(wn__call *c, int i, wn_dtype dtype, const wn_dims *size, bool last);

/* t for kernels that compute plane by plane, owned: itself or, if channels last, a row-major copy. It is copied in
 * blocks, since a kernel would fetch each cache line once for every channel in it. NULL: no memory. */
wn_tensor *wn__planes_of(const wn_tensor *t);

/* After the row's function: replaces results that do not lie as .layout says by copies that do, pending where possible
 * and, for composite rows, recorded. */
wn_status wn__lay_out(wn__call *c);
#endif
