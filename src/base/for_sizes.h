/* Includes a body (the file `*_of.h` that BODY names) for integers of each size. No include guard. */
#include "base/as_i8.h"
#include BODY
#include "base/as_i16.h"
#include BODY
#include "base/as_i32.h"
#include BODY
#include "base/as_i64.h"
#include BODY
#include "base/as_none.h"
#undef BODY
