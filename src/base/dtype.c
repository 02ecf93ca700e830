/* Element types: names, promotion, single elements. */
#include "base/dtype.h"
#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>
#include "base/error.h"
#include "base/half.h"
#include "base/words.h"

const uint8_t wn__dtype_sizes[WN__DTYPES] = {0, 4, 8, 2, 2, 1, 2, 4, 8, 1, 1};
static const char *const long_names[WN__DTYPES] = {"default", "float32", "float64", "float16", "bfloat16", "int8",
                                                   "int16",   "int32",   "int64",   "uint8",   "bool"};
static const char *const short_names[WN__DTYPES] = {"default", "f32", "f64", "f16", "bf16", "i8",
                                                    "i16",     "i32", "i64", "u8",  "bool"};

static const char *const torch_words[WN__DTYPES] = {"Undefined", "Float", "Double", "Half", "BFloat16", "Char", "Short", "Int", "Long", "Byte", "Bool"};

static const char *const cxx_words[WN__DTYPES] = {"undefined", "float", "double", "c10::Half", "c10::BFloat16", "signed char", "short int", "int", "long int", "unsigned char", "bool"};

const char *wn__dtype_cxx(int d) { return wn__dtype_valid(d) ? cxx_words[d] : "?"; }
const char *wn__dtype_word(int d) { return wn__dtype_valid(d) ? torch_words[d] : "?"; }
const char *wn_dtype_name(wn_dtype d) { return wn__dtype_valid((int)d) ? long_names[d] : "?"; }
size_t wn_dtype_size(wn_dtype d) { return wn__dtype_valid((int)d) ? wn__dtype_sizes[d] : 0; }
const char *wn__dtype_short(int d) { return wn__dtype_valid(d) ? short_names[d] : "?"; }

wn_dtype wn_promote_types(wn_dtype a, wn_dtype b) {
    const bool known = (unsigned)a <= WN_BOOL && (unsigned)b <= WN_BOOL;
    return known ? wn__promote(a, b) : WN_DTYPE_DEFAULT;
}

int wn__category(int d) { return d == WN_BOOL ? 1 : wn__is_integer(d) ? 2 : wn__is_float(d) ? 3 : 0; }

wn_dtype wn__promote(wn_dtype a, wn_dtype b) {
    WN_ASSERT((!a || wn__dtype_valid((int)a)) && (!b || wn__dtype_valid((int)b)));
    if (a == b || b == WN_DTYPE_DEFAULT) return a;
    if (a == WN_DTYPE_DEFAULT) return b;
    int ca = wn__category(a), cb = wn__category(b);
    if (ca != cb) return ca > cb ? a : b;
    if (ca == 3) { /* two floats: the wider one; f16 with bf16 needs f32 */
        if (wn__dtype_sizes[a] == wn__dtype_sizes[b]) return WN_F32;
        return wn__dtype_sizes[a] > wn__dtype_sizes[b] ? a : b;
    }
    /* two integers: u8 with a signed type needs the next wider signed one */
    if (a == WN_U8 || b == WN_U8) {
        wn_dtype other = a == WN_U8 ? b : a;
        return other == WN_I8 ? WN_I16 : other;
    }
    return wn__dtype_sizes[a] > wn__dtype_sizes[b] ? a : b;
}

bool wn__can_cast(wn_dtype from, wn_dtype to) {
    WN_ASSERT(wn__dtype_valid((int)from) && wn__dtype_valid((int)to));
    if (wn__category(from) == 3) return wn__category(to) == 3;
    if (wn__category(from) == 2) return wn__category(to) >= 2;
    return true;
}

double wn__load_f64(wn_dtype d, const void *p) {
    WN_ASSERT(wn__dtype_valid((int)d) && p);
    switch (d) {
    case WN_F32: { float v; memcpy(&v, p, 4); return (double)v; }
    case WN_F64: { double v; memcpy(&v, p, 8); return v; }
    case WN_F16: { uint16_t v; memcpy(&v, p, 2); return (double)wn__f16_to_f32(v); }
    case WN_BF16: { uint16_t v; memcpy(&v, p, 2); return (double)wn__bf16_to_f32(v); }
    default: return (double)wn__load_i64(d, p);
    }
}

int64_t wn__load_i64(wn_dtype d, const void *p) {
    WN_ASSERT(wn__dtype_valid((int)d) && p);
    switch (d) {
    case WN_I8: { int8_t v; memcpy(&v, p, 1); return v; }
    case WN_I16: { int16_t v; memcpy(&v, p, 2); return v; }
    case WN_I32: { int32_t v; memcpy(&v, p, 4); return v; }
    case WN_I64: { int64_t v; memcpy(&v, p, 8); return v; }
    case WN_U8: { uint8_t v; memcpy(&v, p, 1); return v; }
    case WN_BOOL: { uint8_t v; memcpy(&v, p, 1); return v != 0; }
    default: {
        double v = wn__load_f64(d, p);
        /* what cvttsd2si gives, without C's undefined behaviour */
        return v >= -9223372036854775808.0 && v < 9223372036854775808.0 ? (int64_t)v : INT64_MIN;
    }
    }
}

double wn__val_f64(wn_val v) { return v.kind == WN_VAL_FLOAT ? v.u.f : v.kind == WN_VAL_NONE ? 0 : (double)v.u.i; }
int64_t wn__val_i64(wn_val v) { return v.kind == WN_VAL_FLOAT ? wn__load_i64(WN_F64, &v.u.f) : v.kind == WN_VAL_NONE ? 0 : v.u.i; }

void wn__store_val(wn_dtype d, void *p, wn_val v) {
    WN_ASSERT(wn__dtype_valid((int)d) && v.kind != WN_VAL_TENSOR);
    switch (d) {
    case WN_F32: { float x = v.kind == WN_VAL_FLOAT ? (float)v.u.f : (float)v.u.i; memcpy(p, &x, 4); break; }
    case WN_F64: { double x = wn__val_f64(v); memcpy(p, &x, 8); break; }
    case WN_F16: { uint16_t x = wn__f32_to_f16((float)wn__val_f64(v)); memcpy(p, &x, 2); break; }
    case WN_BF16: { uint16_t x = wn__f32_to_bf16((float)wn__val_f64(v)); memcpy(p, &x, 2); break; }
    case WN_BOOL: { uint8_t x = v.kind == WN_VAL_FLOAT ? v.u.f != 0 : v.u.i != 0; memcpy(p, &x, 1); break; }
    default: { /* two's complement: the low bytes (little-endian and big-endian alike through the switch) */
        int64_t x = wn__val_i64(v);
        switch (wn__dtype_sizes[d]) {
        case 1: { int8_t y = (int8_t)x; memcpy(p, &y, 1); break; }
        case 2: { int16_t y = (int16_t)x; memcpy(p, &y, 2); break; }
        case 4: { int32_t y = (int32_t)x; memcpy(p, &y, 4); break; }
        default: memcpy(p, &x, 8); break;
        }
    }
    }
}

double wn__as_element(wn_dtype d, double v) {
    WN_ASSERT(wn__dtype_valid((int)d));
    int64_t room;
    wn__store_val(d, &room, wn_val_of_float(v));
    return wn__load_f64(d, &room);
}

double wn__largest(wn_dtype d) {
    WN_ASSERT(wn__dtype_valid((int)d));
    switch (d) {
    case WN_F64: return DBL_MAX;
    case WN_F32: return (double)FLT_MAX;
    case WN_F16: return 65504;
    case WN_BF16: return 0x1.fep127;
    case WN_U8: return 255;
    case WN_BOOL: return 1;
    default: return ldexp(1, 8 * (int)wn__dtype_sizes[d] - 1) - 1;
    }
}
double wn__smallest(wn_dtype d) {
    return wn__is_float((int)d) ? -wn__largest(d) : d == WN_U8 || d == WN_BOOL ? 0 : -wn__largest(d) - 1;
}

static _Atomic int default_dtype = WN_F32;
wn_dtype wn_default_dtype(void) { return (wn_dtype)atomic_load_explicit(&default_dtype, memory_order_relaxed); }
wn_status wn_set_default_dtype(wn_dtype d) {
    if (!wn__is_float((int)d))
        return wn__fail(WN_E_TYPE, "set_default_dtype", "only floating-point types are supported as the default type, got %s",
                        wn_dtype_name(d));
    atomic_store_explicit(&default_dtype, (int)d, memory_order_relaxed);
    return WN_OK;
}
