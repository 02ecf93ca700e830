/* Makes the bodies (`*_of.h`) included from here to as_none.h for u8. No include guard. */
#include "base/as_none.h"
#define T uint8_t
#define I int8_t /* an integer as wide */
#define FLOATING 0
#define OF(name) name##_u8
#define V v_u8 /* a register of them (engine/level/vectors.h) */
#define VN ((int64_t)(VB / sizeof(T)))
