/* Includes a body (the file `*_of.h` that BODY names) for each type that is computed in as it is stored. No include
 * guard. */
#include "base/as_f32.h"
#include BODY
#include "base/as_f64.h"
#include BODY
#include "base/as_i8.h"
#include BODY
#include "base/as_i16.h"
#include BODY
#include "base/as_i32.h"
#include BODY
#include "base/as_i64.h"
#include BODY
#include "base/as_u8.h"
#include BODY
#include "base/as_none.h"
#undef BODY
