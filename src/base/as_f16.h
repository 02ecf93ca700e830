/* Makes the bodies (`*_of.h`) included from here to as_none.h for f16, stored as bits. No include guard. */
#include "base/as_none.h"
#define T uint16_t
#define I int16_t /* an integer as wide */
#define FLOATING 0
#define OF(name) name##_f16
