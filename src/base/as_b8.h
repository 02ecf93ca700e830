/* Before a body (`*_of.h`): from here to as_none.h it is made for b8, a truth value in a program's register: a byte, 0 or 1. No include guard. */
#include "base/as_none.h"
#define T uint8_t
#define I int8_t /* an integer as wide */
#define FLOATING 0
#define OF(name) name##_b8
