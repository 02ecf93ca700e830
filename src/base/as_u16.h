/* Makes the bodies (`*_of.h`) included from here to as_none.h for u16. No include guard. */
#include "base/as_none.h"
#define T uint16_t
#define I int16_t /* an integer as wide */
#define FLOATING 0
#define OF(name) name##_u16
#define V v_u16 /* a register of them (engine/level/vectors.h) */
#define VN ((int64_t)(VB / sizeof(T)))
