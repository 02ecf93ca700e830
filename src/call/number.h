/* Numbers as operands. */
#ifndef WN_CALL_NUMBER_H
#define WN_CALL_NUMBER_H
#include "call/dispatch.h"

/* Can the number be an element of dtype d? Like torch, refuses numbers out of range. */
wn_status wn__check_number(wn__call *c, wn_dtype d, wn_val v);
/* For integer dtypes d the number modulo their range, else the number itself. */
wn_val wn__wrapped(wn_dtype d, wn_val v);
#endif
