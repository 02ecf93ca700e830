/* Before a body (`*_of.h`): from here to as_none.h it is made for bf16 as it lies in memory: its bits. No include guard. */
#include "base/as_none.h"
#define T uint16_t
#define I int16_t /* an integer as wide */
#define FLOATING 0
#define OF(name) name##_bf16
