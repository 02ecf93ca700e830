/* Runs of T as integers and back: included by int_vec.h behind as_f32.h or as_f64.h. Where a run is looked at, all of
 * it must be near 0. */
INLINE void OF(wn__longs_of)(int64_t *to, const T *x) {
    I far = !WN_LOOK_NEAR;
    for (int k = 0; k < WN_HALF_RUN && WN_LOOK_NEAR; k++) far |= LIBM(__builtin_fabs)(x[k]) < (T)0x1p51 ? 0 : 1;
    if (far) for (int k = 0; k < WN_HALF_RUN; k++) to[k] = wn__to_i64((double)x[k]);
    else for (int k = 0; k < WN_HALF_RUN; k++) to[k] = wn__i64_of_double(wn__trunc_f64((double)x[k]));
}
INLINE void OF(wn__longs_to)(T *to, const int64_t *x) {
    uint64_t far = !WN_LOOK_NEAR;
    for (int k = 0; k < WN_HALF_RUN && WN_LOOK_NEAR; k++) far |= ((uint64_t)x[k] + ((uint64_t)1 << 51)) >> 52;
    if (far) for (int k = 0; k < WN_HALF_RUN; k++) to[k] = (T)x[k];
    else for (int k = 0; k < WN_HALF_RUN; k++) to[k] = (T)wn__double_of_i64(x[k]);
}
INLINE void OF(wn__ints_of)(int32_t *to, const T *x) {
    for (int k = 0; k < WN_HALF_RUN; k += WN_INTS) OF(WN_INTS_OF)(to + k, x + k);
}
