/* Quotients and remainders of integers by way of floating point, which vectorises: i64, i32 and (narrow) int32 that hold i8, i16 or u8.
 *
 * While |a| < 2^m, m being the digits of the type (53, 24), rounding never moves a / b to or across an integer: a
 * quotient that is none is at least 1 / |b| away from the next integer, and its rounding error at most |a / b| 2^-m < 1
 * / |b|. So trunc and floor of the rounded quotient are those of a / b. i64 does this where a and b are below 2^51
 * (near); such numbers can also be read from the bits of a double, without a conversion that AVX2 lacks.
 *
 * Division by 0, which dispatch refuses where it sees it, gives 0. The quotient of the smallest number and -1 wraps. */
#ifndef WN_MATH_DIVIDE_H
#define WN_MATH_DIVIDE_H
#include "engine/math/base.h"
#include "engine/math/round.h"

/* What division leaves to do for each kind K (i64, i32, narrow) of integers T, given wn__div_trunc_K and wn__floor_divide_K. */
#define WN__REMAINDERS(T, K)                                                                                                 \
    WN__MATH T wn__fmod_##K(T a, T b) { return b == 0 ? 0 : a - wn__div_trunc_##K(a, b) * b; }                                \
    WN__MATH T wn__remainder_##K(T a, T b) { return b == 0 ? 0 : a - wn__floor_divide_##K(a, b) * b; }

WN__MATH int32_t wn__div_trunc_narrow(int32_t a, int32_t b) { return b == 0 ? 0 : (int32_t)((float)a / (float)b); }
WN__MATH int32_t wn__floor_divide_narrow(int32_t a, int32_t b) { return b == 0 ? 0 : (int32_t)wn__floor_f32((float)a / (float)b); }
WN__REMAINDERS(int32_t, narrow)

/* Converting is undefined for 2^31, the quotient that wraps, and for a quotient by 0, so these are handled apart. */
WN__MATH int32_t wn__quotient_i32(double q, int32_t b) { return b == 0 ? 0 : q > -2147483649.0 && q < 2147483648.0 ? (int32_t)q : INT32_MIN; }
WN__MATH int32_t wn__div_trunc_i32(int32_t a, int32_t b) { return wn__quotient_i32((double)a / (double)b, b); }
WN__MATH int32_t wn__floor_divide_i32(int32_t a, int32_t b) { return wn__quotient_i32(wn__floor_f64((double)a / (double)b), b); }
WN__REMAINDERS(int32_t, i32)

WN__MATH int64_t wn__div_trunc_i64(int64_t a, int64_t b) { return b == 0 ? 0 : b == -1 ? -a : a / b; }
WN__MATH int64_t wn__floor_divide_i64(int64_t a, int64_t b) {
    if (b == 0 || b == -1) return b == 0 ? 0 : -a;
    return a / b - ((a % b != 0) & ((a < 0) != (b < 0)));
}
WN__REMAINDERS(int64_t, i64)

/* Numbers from -2^51 to 2^51 as doubles and back: 1.5 * 2^52 added, they are the low bits. */
WN__MATH double wn__double_of_i64(int64_t a) { return wn__from_f64((uint64_t)a + 0x4338000000000000u) - 0x1.8p52; }
WN__MATH int64_t wn__i64_of_double(double x) { return (int64_t)(wn__bits_f64(x + 0x1.8p52) - 0x4338000000000000u); }
WN__MATH int wn__division_is_near(int64_t a, int64_t b) {
    const uint64_t most = (uint64_t)1 << 51;
    return ((((uint64_t)a + most) >> 52 | ((uint64_t)b + most) >> 52) == 0) & (b != 0);
}
WN__MATH double wn__near_quotient(int64_t a, int64_t b) { return wn__double_of_i64(a) / wn__double_of_i64(b); }
/* (q b is at most |a| + |b| and exact.) */
WN__MATH int64_t wn__near_rest(int64_t a, int64_t b, double q) { return wn__i64_of_double(wn__double_of_i64(a) - q * wn__double_of_i64(b)); }
WN__MATH int64_t wn__div_trunc_near_i64(int64_t a, int64_t b) { return wn__i64_of_double(wn__trunc_f64(wn__near_quotient(a, b))); }
WN__MATH int64_t wn__floor_divide_near_i64(int64_t a, int64_t b) { return wn__i64_of_double(wn__floor_f64(wn__near_quotient(a, b))); }
WN__MATH int64_t wn__fmod_near_i64(int64_t a, int64_t b) { return wn__near_rest(a, b, wn__trunc_f64(wn__near_quotient(a, b))); }
WN__MATH int64_t wn__remainder_near_i64(int64_t a, int64_t b) { return wn__near_rest(a, b, wn__floor_f64(wn__near_quotient(a, b))); }
#define WN__IS_NEAR(name) WN__MATH int wn__##name##_is_near_i64(int64_t a, int64_t b) { return wn__division_is_near(a, b); }
WN__IS_NEAR(div_trunc)
WN__IS_NEAR(floor_divide)
WN__IS_NEAR(fmod)
WN__IS_NEAR(remainder)
#define WN__ALWAYS_NEAR(name)                                                                                                \
    WN__MATH int wn__##name##_is_near_i32(int32_t a, int32_t b) { return (void)a, (void)b, 1; }                               \
    WN__MATH int32_t wn__##name##_near_i32(int32_t a, int32_t b) { return wn__##name##_i32(a, b); }
WN__ALWAYS_NEAR(div_trunc)
WN__ALWAYS_NEAR(floor_divide)
WN__ALWAYS_NEAR(fmod)
WN__ALWAYS_NEAR(remainder)
#endif
