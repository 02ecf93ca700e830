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

/* Is it the compute type's own form, of which nothing is converted? (Bytes become truth values.) */
INLINE bool OF(as_it_is)(const wn_dtype d) {
    if (FLOATING) return d == (sizeof(T) == 4 ? WN_F32 : WN_F64);
    return d == (sizeof(T) == 4 ? WN_I32 : WN_I64) && sizeof(T) > 1;
}
/* Are there functions of convert.h for whole runs of the dtype? */
INLINE bool OF(loads_runs)(const wn_dtype d) {
    if (sizeof(T) == 1) return TRUTH_RUNS && (d == WN_F64 || d == WN_I64);
    return d == WN_F16 || d == WN_BF16 || (FLOATING ? d == WN_I64 : d == WN_F32 || d == WN_F64);
}
INLINE bool OF(stores_runs)(const wn_dtype d) {
    if (d == WN_F16 || d == WN_BF16) return true;
    if (!FLOATING) return sizeof(T) == 8 && (d == WN_F32 || d == WN_F64);
    return d == WN_I32 || d == WN_I64 || d == WN_I8 || d == WN_I16 || (d == WN_U8 && sizeof(T) == 4);
}

/* Side by side: whole runs, where there are such, and the rest of one filled up. */
INLINE void OF(load_beside)(const wn_dtype d, wn__load self, int64_t n, T *restrict o, const char *restrict x) {
    const int64_t size = bytes_of(d);
    const bool runs = OF(loads_runs)(d);
    int64_t i = 0;
    for (; runs && i + WN_HALF_RUN <= n; i += WN_HALF_RUN) OF(load_run)(d, o + i, x + i * size);
    if (runs && n - i > FEW) {
        load_rest(self, size, sizeof(T), n - i, o + i, x + i * size);
        return;
    }
    for (; i < n; i++) {
        if (runs) ONE_BY_ONE;
        o[i] = OF(element)(d, x + i * size);
    }
}
INLINE void OF(load_as)(const wn_dtype d, wn__load self, int64_t n, void *to, const char *x, int64_t stride) {
    const int64_t size = bytes_of(d), width = sizeof(T);
    if (stride == size) OF(load_beside)(d, self, n, to, x);
    else if (OF(as_it_is)(d) && stride) BY_SIZE(width, beside, n, to, x, stride);
    else load_apart(self, size, width, n, to, x, stride);
}

INLINE void OF(store_beside)(const wn_dtype d, wn__store self, int64_t n, char *restrict o, const T *restrict x) {
    const int64_t size = bytes_of(d);
    const bool runs = OF(stores_runs)(d);
    int64_t i = 0;
    for (; runs && i + WN_HALF_RUN <= n; i += WN_HALF_RUN) OF(store_run)(d, o + i * size, x + i);
    if (runs && n - i > FEW) {
        store_rest(self, size, sizeof(T), n - i, o + i * size, x + i);
        return;
    }
    for (; i < n; i++) {
        if (runs) ONE_BY_ONE;
        OF(put)(d, o + i * size, x[i]);
    }
}
INLINE void OF(store_as)(const wn_dtype d, wn__store self, int64_t n, char *to, int64_t stride, const void *x) {
    const int64_t size = bytes_of(d), width = sizeof(T);
    if (stride == size) OF(store_beside)(d, self, n, to, x);
    else if (OF(as_it_is)(d)) BY_SIZE(width, apart, n, to, stride, x);
    else store_apart(self, size, width, n, to, stride, x);
}

#define LOAD(f, d) \
    static void OF(f)(int64_t n, void *to, const char *x, int64_t by) { OF(load_as)(d, OF(f), n, to, x, by); }
#define STORE(f, d) \
    static void OF(f)(int64_t n, char *to, int64_t by, const void *x) { OF(store_as)(d, OF(f), n, to, by, x); }
LOAD(load_f32, WN_F32)
LOAD(load_f64, WN_F64)
LOAD(load_f16, WN_F16)
LOAD(load_bf16, WN_BF16)
LOAD(load_i8, WN_I8)
LOAD(load_i16, WN_I16)
LOAD(load_i32, WN_I32)
LOAD(load_i64, WN_I64)
LOAD(load_u8, WN_U8)
LOAD(load_bool, WN_BOOL)
STORE(store_f32, WN_F32)
STORE(store_f64, WN_F64)
STORE(store_f16, WN_F16)
STORE(store_bf16, WN_BF16)
STORE(store_i8, WN_I8)
STORE(store_i16, WN_I16)
STORE(store_i32, WN_I32)
STORE(store_i64, WN_I64)
STORE(store_u8, WN_U8)
STORE(store_bool, WN_BOOL)
#undef LOAD
#undef STORE
