/* Makes the bodies (`*_of.h`) included from here to as_none.h for f64. No include guard. */
#include "base/as_none.h"
#define T double
#define I int64_t /* an integer as wide */
#define FLOATING 1
#define OF(name) name##_f64
#define V v_f64 /* a register of them (engine/level/vectors.h) */
#define VN ((int64_t)(VB / sizeof(T)))
#define LIBM(name) name
