/* Calls whose results are on the meta device. */
#ifndef WN_CALL_META_H
#define WN_CALL_META_H
#include "call/dispatch.h"

wn_status wn__find_device(wn__call *c); /* sets c->meta by the argument device, the modes, the operands; an error where those do not go together, or results depend on values */
#endif
