/* Loads and stores of compute type T: included by convert.h behind an as_ file. */

/* The element of dtype d at `x` as a T. Of b8, the only type of one byte, halves need no conversion. */
INLINE T OF(element)(const wn_dtype d, const void *x) {
    switch (d) {
    case WN_F32: return OF(TO)(*(const float *)x, 1);
    case WN_F64: return OF(TO)(*(const double *)x, 1);
    case WN_F16:
        if (sizeof(T) == 1) return (*(const uint16_t *)x & 0x7fff) != 0;
        return OF(TO)(wn__f16_to_f32(*(const uint16_t *)x), 1);
    case WN_BF16:
        if (sizeof(T) == 1) return (*(const uint16_t *)x & 0x7fff) != 0;
        return OF(TO)(wn__bf16_to_f32(*(const uint16_t *)x), 1);
    case WN_I8: return OF(TO)(*(const int8_t *)x, 0);
    case WN_I16: return OF(TO)(*(const int16_t *)x, 0);
    case WN_I32: return OF(TO)(*(const int32_t *)x, 0);
    case WN_I64: return OF(TO)(*(const int64_t *)x, 0);
    case WN_U8: return OF(TO)(*(const uint8_t *)x, 0);
    default: return OF(TO)((*(const uint8_t *)x != 0), 0);
    }
}
INLINE void OF(put)(const wn_dtype d, void *to, T x) {
    switch (d) {
    case WN_F32: *(float *)to = (float)x; break;
    case WN_F64: *(double *)to = (double)x; break;
    case WN_F16: *(uint16_t *)to = wn__f32_to_f16((float)x); break;
    case WN_BF16: *(uint16_t *)to = wn__f32_to_bf16((float)x); break;
    case WN_I8: *(int8_t *)to = (int8_t)(FLOATING ? TO_INT32(x) : (int32_t)x); break;
    case WN_I16: *(int16_t *)to = (int16_t)(FLOATING ? TO_INT32(x) : (int32_t)x); break;
    case WN_I32: *(int32_t *)to = FLOATING ? TO_INT32(x) : (int32_t)x; break;
    case WN_I64: *(int64_t *)to = FLOATING ? wn__to_i64((double)x) : (int64_t)x; break;
    case WN_U8: *(uint8_t *)to = (uint8_t)(FLOATING ? TO_U8(x) : (uint8_t)x); break;
    default: *(uint8_t *)to = (uint8_t)(x != 0); break;
    }
}

INLINE void OF(load_some)(const wn_dtype d, int64_t n, T *restrict o, const char *restrict x, const int64_t stride) {
    const int64_t size = bytes_of(d);
    if (stride == size) {
        for (int64_t i = 0; i < n; i++) o[i] = OF(element)(d, x + i * size);
    } else if (stride == 0) { /* broadcast along the row */
        const T v = OF(element)(d, x);
        for (int64_t i = 0; i < n; i++) o[i] = v;
    } else if (stride == -size && size == sizeof(T)) { /* flipped */
        for (int64_t i = 0; i < n; i++) o[i] = OF(element)(d, x - i * size);
    } else {
        for (int64_t i = 0; i < n; i++) o[i] = OF(element)(d, x + i * stride);
    }
}
INLINE void OF(load_runs)(const wn_dtype d, int64_t n, void *to, const char *x, int64_t stride) {
    T *o = to;
    int64_t i = 0;
    while (stride == bytes_of(d) && i + WN_HALF_RUN <= n && OF(load_run)(d, o + i, x + i * bytes_of(d)))
        i += WN_HALF_RUN;
    if (i < n) OF(load_some)(d, n - i, o + i, x + i * stride, stride);
}
INLINE void OF(store_some)(const wn_dtype d, int64_t n, char *restrict o, int64_t stride, const T *restrict x) {
    const int64_t size = bytes_of(d);
    if (stride == size)
        for (int64_t i = 0; i < n; i++) OF(put)(d, o + i * size, x[i]);
    else
        for (int64_t i = 0; i < n; i++) OF(put)(d, o + i * stride, x[i]);
}
INLINE void OF(store_runs)(const wn_dtype d, int64_t n, char *to, int64_t stride, const void *from) {
    const T *x = from;
    int64_t i = 0;
    while (stride == bytes_of(d) && i + WN_HALF_RUN <= n && OF(store_run)(d, to + i * bytes_of(d), x + i))
        i += WN_HALF_RUN;
    if (i < n) OF(store_some)(d, n - i, to + i * stride, stride, x + i);
}

static void OF(load_f32)(int64_t n, void *to, const char *x, int64_t by) { OF(load_runs)(WN_F32, n, to, x, by); }
static void OF(load_f64)(int64_t n, void *to, const char *x, int64_t by) { OF(load_runs)(WN_F64, n, to, x, by); }
static void OF(load_f16)(int64_t n, void *to, const char *x, int64_t by) { OF(load_runs)(WN_F16, n, to, x, by); }
static void OF(load_bf16)(int64_t n, void *to, const char *x, int64_t by) { OF(load_runs)(WN_BF16, n, to, x, by); }
static void OF(load_i8)(int64_t n, void *to, const char *x, int64_t by) { OF(load_runs)(WN_I8, n, to, x, by); }
static void OF(load_i16)(int64_t n, void *to, const char *x, int64_t by) { OF(load_runs)(WN_I16, n, to, x, by); }
static void OF(load_i32)(int64_t n, void *to, const char *x, int64_t by) { OF(load_runs)(WN_I32, n, to, x, by); }
static void OF(load_i64)(int64_t n, void *to, const char *x, int64_t by) { OF(load_runs)(WN_I64, n, to, x, by); }
static void OF(load_u8)(int64_t n, void *to, const char *x, int64_t by) { OF(load_runs)(WN_U8, n, to, x, by); }
static void OF(load_bool)(int64_t n, void *to, const char *x, int64_t by) { OF(load_runs)(WN_BOOL, n, to, x, by); }
static void OF(store_f32)(int64_t n, char *to, int64_t by, const void *x) { OF(store_runs)(WN_F32, n, to, by, x); }
static void OF(store_f64)(int64_t n, char *to, int64_t by, const void *x) { OF(store_runs)(WN_F64, n, to, by, x); }
static void OF(store_f16)(int64_t n, char *to, int64_t by, const void *x) { OF(store_runs)(WN_F16, n, to, by, x); }
static void OF(store_bf16)(int64_t n, char *to, int64_t by, const void *x) { OF(store_runs)(WN_BF16, n, to, by, x); }
static void OF(store_i8)(int64_t n, char *to, int64_t by, const void *x) { OF(store_runs)(WN_I8, n, to, by, x); }
static void OF(store_i16)(int64_t n, char *to, int64_t by, const void *x) { OF(store_runs)(WN_I16, n, to, by, x); }
static void OF(store_i32)(int64_t n, char *to, int64_t by, const void *x) { OF(store_runs)(WN_I32, n, to, by, x); }
static void OF(store_i64)(int64_t n, char *to, int64_t by, const void *x) { OF(store_runs)(WN_I64, n, to, by, x); }
static void OF(store_u8)(int64_t n, char *to, int64_t by, const void *x) { OF(store_runs)(WN_U8, n, to, by, x); }
static void OF(store_bool)(int64_t n, char *to, int64_t by, const void *x) { OF(store_runs)(WN_BOOL, n, to, by, x); }
