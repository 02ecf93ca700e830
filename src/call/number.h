/* Numbers as operands. */
#ifndef WN_CALL_NUMBER_H
#define WN_CALL_NUMBER_H
#include "call/dispatch.h"

/* Can the number be an element of dtype d? torch refuses what is out of range. */
wn_status wn__check_number(wn__call *c, wn_dtype d, wn_val v);
/* The number as an element of d where d is an integer dtype: modulo its range. Otherwise as it is. */
wn_val wn__wrapped(wn_dtype d, wn_val v);
#endif
