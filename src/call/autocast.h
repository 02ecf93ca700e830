/* Autocast: products take operands in a narrower dtype, what needs precision takes them in float32. While it is off,
 * this stage of dispatch costs a test of the thread's modes. */
#ifndef WN_CALL_AUTOCAST_H
#define WN_CALL_AUTOCAST_H
#include "call/dispatch.h"

/* Should this call's operands be converted? (As in torch, in-place and out= calls keep their dtypes.) */
bool wn__autocasts(const wn__call *c);
wn_status wn__autocast(wn__call *c); /* converts the operands and dispatches */
/* Drops the converted copies of leaves, which are kept while the mode is on: a weight is converted once. */
void wn__autocast_forget(wn__thread *th);
#endif
