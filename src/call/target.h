/* Targets: the tensor that an in-place or out= call writes. */
#ifndef WN_CALL_TARGET_H
#define WN_CALL_TARGET_H
#include "call/dispatch.h"

wn_status wn__find_target(wn__call *c, bool recording);  /* sets c->target, NULL where the call has none */
wn_status wn__check_target(wn__call *c, bool recording); /* may it be written at all? */
/* May the target itself be the first result? It must be what the row would make, and none of the inputs, which a kernel
 * may still read when it has begun to write. */
bool wn__target_fits(const wn__call *c, wn_dtype dtype, int ndim, const int64_t *shape, const int64_t *strides);
wn_status wn__check_landing(wn__call *c, const wn_tensor *r); /* can the result r become the target's contents? */
wn_status wn__land(wn__call *c); /* moves a computed result into the target */
wn_status wn__bad_operand(wn__call *c, const wn_tensor *t); /* the error about the bad tensor, or the dead handle, t */
#endif
