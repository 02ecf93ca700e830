/* Includes a body (the file `*_of.h` that BODY names) for f32 and f64. No include guard. */
#include "base/as_f32.h"
#include BODY
#include "base/as_f64.h"
#include BODY
#include "base/as_none.h"
#undef BODY
