/* Makes the bodies (`*_of.h`) included from here to as_none.h for b8, a program's truth values: bytes, 0 or 1. No include guard. */
#include "base/as_none.h"
#define T uint8_t
#define I int8_t /* an integer as wide */
#define FLOATING 0
#define OF(name) name##_b8
