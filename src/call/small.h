/* Dispatch's short way for small tensors. */
#ifndef WN_CALL_SMALL_H
#define WN_CALL_SMALL_H
#include "call/dispatch.h"

/* The two functions that every small call passes go without a canary on their stack: it would be a fiftieth of such a call, and their
 * arrays are indexed by the table's numbers of operands alone, never by what a caller gives. */
#define WN__NO_CANARY __attribute__((no_stack_protector))

/* True: the call is done; *result is owned (in place: the operand itself, without a reference; the bad tensor after a failure) and *st its
 * status. False: nothing was done. Only for rows with small_n > 0. */
bool wn__try_record(const wn_op *op, const void *args, wn_tensor **result, wn_status *st); /* the same for deferral, not in place */
bool wn__try_small(const wn_op *op, const void *args, bool inplace, wn_tensor **result, wn_status *st);
#endif
