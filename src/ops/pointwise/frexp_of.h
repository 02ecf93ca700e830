/* frexp of n elements T: included by numeric.c behind as_TYPE.h. */
static void OF(frexp_loop)(int64_t n, const T *restrict from, T *restrict mantissa, int32_t *restrict exponent) {
    for (int64_t i = 0; i < n; i++) OF(frexp)(from[i], mantissa + i, exponent + i);
}
