/* Dispatch's short forms of calls. */
#ifndef WN_CALL_SMALL_H
#define WN_CALL_SMALL_H
#include "call/dispatch.h"

/* For the two functions on every small call's way: no stack canary, which would cost a fiftieth of the call. Their
 * arrays are indexed only by the operation table's numbers of operands, never by what a caller gives. */
#define WN__NO_CANARY __attribute__((no_stack_protector))

/* wn__try_small computes at once, wn__try_record defers (never in place). True: done; *st is the status, and *result is
 * owned (in place: the operand itself, without a reference; the bad tensor on failure). False: nothing was done. Only
 * for rows with small_n > 0. */
bool wn__try_record(const wn_op *op, const void *args, wn_tensor **result, wn_status *st);
bool wn__try_small(const wn_op *op, const void *args, bool inplace, wn_tensor **result, wn_status *st);
#endif
