/* Before a body (`*_of.h`): from here to as_none.h it is made for bool as it lies in memory: a byte, true where not 0. No include guard. */
#include "base/as_none.h"
#define T uint8_t
#define I int8_t /* an integer as wide */
#define FLOATING 0
#define OF(name) name##_bool
