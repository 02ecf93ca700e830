/* Numbers as elements of a dtype: what torch refuses to convert. */
#include <float.h>
#include <math.h>
#include "call/number.h"
#include "tensor/strides.h"

/* Integers take numbers without their fraction; unsigned ones also negative ones, modulo their range. */
static bool fits_integer(wn_dtype d, wn_val v) {
    static const struct {
        int64_t low, high;
    } range[WN__DTYPES] = {[WN_I8] = {INT8_MIN, INT8_MAX}, [WN_I16] = {INT16_MIN, INT16_MAX}, [WN_I32] = {INT32_MIN, INT32_MAX},
                           [WN_I64] = {INT64_MIN, INT64_MAX}, [WN_U8] = {-UINT8_MAX, UINT8_MAX}};
    if (v.kind != WN_VAL_FLOAT) return v.u.i >= range[d].low && v.u.i <= range[d].high;
    return v.u.f >= (d == WN_U8 ? 0 : (double)range[d].low) && (d == WN_I64 ? v.u.f < 0x1p63 : v.u.f <= (double)range[d].high);
}

wn_status wn__check_number(wn__call *c, wn_dtype d, wn_val v) {
    WN_ASSERT(wn__dtype_valid((int)d) && v.kind != WN_VAL_TENSOR);
    const double x = wn__val_f64(v), most = d == WN_F32 || d == WN_BF16 ? (double)FLT_MAX : d == WN_F16 ? 65504 : DBL_MAX;
    if (d == WN_BOOL || (wn__is_float((int)d) ? !(fabs(x) > most) || isinf(x) : fits_integer(d, v))) return WN_OK;
    return wn__fail_op(c, WN_E_RUNTIME, "value cannot be converted to type %s without overflow", wn_dtype_name(d));
}

wn_val wn__wrapped(wn_dtype d, wn_val v) {
    WN_ASSERT(wn__dtype_valid((int)d) && v.kind != WN_VAL_TENSOR);
    int64_t element = 0;
    if (!wn__is_integer((int)d)) return v;
    wn__store_val(d, &element, v);
    return wn_val_of_int(wn__load_i64(d, &element));
}
