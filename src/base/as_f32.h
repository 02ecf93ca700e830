/* Makes the bodies (`*_of.h`) included from here to as_none.h for f32. No include guard. */
#include "base/as_none.h"
#define T float
#define I int32_t /* an integer as wide */
#define FLOATING 1
#define OF(name) name##_f32
#define V v_f32 /* a register of them (engine/level/vectors.h) */
#define VN ((int64_t)(VB / sizeof(T)))
#define LIBM(name) name##f
