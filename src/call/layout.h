/* How results lie in memory: as PyTorch's do, by the rule that a row's .layout names (table/row.h). */
#ifndef WN_CALL_LAYOUT_H
#define WN_CALL_LAYOUT_H
#include "call/dispatch.h"

/* Does t lie channels last (4 dimensions: N C H W in the order N H W C; 5: N C D H W likewise)? As c10's is_channels_last_strides: sizes of 1
 * count as they stand, and what could be read as row by row is not. */
bool wn__channels_last(const wn_tensor *t);
/* batch norm's question: channels last by the strides alone (sizes of 1 do not count), and not row by row. */
bool wn__dense_last(const wn_tensor *t);
void wn__channels_last_strides(int ndim, const int64_t *shape, int64_t *strides);
/* Do all tensors of the call lie so? As torch's cat has it, those of shape [0] are passed over; false where none is left. */
bool wn__all_channels_last(const wn__call *c);

/* Will result i, of 4 or 5 dimensions, lie channels last? Then a kernel may as well write it so at once. */
bool wn__laid_last(const wn__call *c, int i);
/* wn__result of that size, channels last or row-major. */
wn_status wn__result_laid(wn__call *c, int i, wn_dtype dtype, const wn_dims *size, bool last);

/* t as kernels that compute plane after plane read it, owned: where it lies channels last, its elements laid row by row first, in blocks (a
 * plane at a time, each cache line would be fetched once for every element in it). NULL: no memory. */
wn_tensor *wn__planes_of(const wn_tensor *t);

/* After the row's function: results that lie otherwise than .layout says become copies that lie so, pending where that is possible; of a
 * composite row, recorded ones. */
wn_status wn__lay_out(wn__call *c);
/* For rows with a rule of their own: result i becomes a copy with these strides, pending where that is possible. */
wn_status wn__restride_result(wn__call *c, int i, const int64_t *strides);
#endif
