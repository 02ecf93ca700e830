/* The handles that a thread's scopes own. */
#ifndef WN_TENSOR_SCOPE_H
#define WN_TENSOR_SCOPE_H
#include "base/thread.h"
#include "tensor/tensor.h"

/* Hands an owned reference to the innermost scope, which then owns it. The bad tensor and NULL pass through. When the
 * stack cannot grow, the tensor is released and the bad tensor returned. */
wn_tensor *wn__lend(wn__thread *th, wn_tensor *owned);
/* An array of n handles that the innermost scope owns (not the handles in it); NULL when memory is short. */
wn_tensor **wn__lend_array(wn__thread *th, int64_t n);
#endif
