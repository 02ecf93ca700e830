/* Calls whose results are on the meta device. */
#ifndef WN_CALL_META_H
#define WN_CALL_META_H
#include "call/dispatch.h"

/* Sets c->meta by the argument device, the modes and the operands; an error if these differ or if values are needed. */
wn_status wn__find_device(wn__call *c);
#endif
