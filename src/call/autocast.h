/* Autocast: products take their operands in a narrower type, what needs precision takes them in float32. A stage of dispatch that
 * costs one test of the thread's modes while it is off. */
#ifndef WN_CALL_AUTOCAST_H
#define WN_CALL_AUTOCAST_H
#include "call/dispatch.h"

/* Should this call be converted first? (The mode is on; in-place and out= calls keep their types, as in torch.) */
bool wn__autocasts(const wn__call *c);
wn_status wn__autocast(wn__call *c); /* converts the operands and dispatches */
/* Copies of leaves are kept while the mode is on, so that a weight used ten times is converted once. */
void wn__autocast_forget(wn__thread *th);
#endif
