/* Makes the bodies (`*_of.h`) included from here to as_none.h for i64. No include guard. */
#include "base/as_none.h"
#define T int64_t
#define I int64_t /* an integer as wide */
#define FLOATING 0
#define OF(name) name##_i64
#define V v_i64 /* a register of them (engine/level/vectors.h) */
#define VN ((int64_t)(VB / sizeof(T)))
