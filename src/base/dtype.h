/* Element types: sizes, categories, promotion, conversion of single elements. */
#ifndef WN_BASE_DTYPE_H
#define WN_BASE_DTYPE_H
#include "base/assert.h"
#include "base/api.h"

#define WN__DTYPES 11 /* array size for tables indexed by wn_dtype */
extern const uint8_t wn__dtype_sizes[WN__DTYPES] __attribute__((visibility("hidden"))); /* hidden: reached without a detour */
static inline size_t wn__dtype_size(int d) {
    WN_ASSERT(d >= 0 && d < WN__DTYPES);
    return wn__dtype_sizes[d];
}
static inline bool wn__dtype_valid(int d) { return d >= WN_F32 && d <= WN_BOOL; }
static inline bool wn__is_float(int d) { return d >= WN_F32 && d <= WN_BF16; }
static inline bool wn__is_narrow_integer(wn_dtype d) { return d == WN_I8 || d == WN_I16 || d == WN_U8; }
static inline bool wn__is_integer(int d) { return d >= WN_I8 && d <= WN_U8; } /* bool is none */
const char *wn__dtype_short(int d); /* "f32" */
const char *wn__dtype_word(int d); /* "Float", ...: torch's word in messages */

/* torch.promote_types; DEFAULT (0) is neutral. */
wn_dtype wn__promote(wn_dtype a, wn_dtype b);
int wn__category(int d); /* bool 1, integers 2, floats 3 */
/* torch.can_cast: may a result of type `from` be stored in `to` in place? */
bool wn__can_cast(wn_dtype from, wn_dtype to);

/* One element to and from C values (saturation as C casts on x86 do in torch; bool: != 0). */
double wn__load_f64(wn_dtype d, const void *p);
int64_t wn__load_i64(wn_dtype d, const void *p);
void wn__store_val(wn_dtype d, void *p, wn_val v);
double wn__as_element(wn_dtype d, double v); /* v rounded or truncated to an element of d */
/* The largest and the smallest finite element of d (of int64 rounded to double). */
double wn__largest(wn_dtype d);
double wn__smallest(wn_dtype d);
double wn__val_f64(wn_val v); /* of a number of either kind */
int64_t wn__val_i64(wn_val v);
/* A number that may be left out, with its default. */
static inline double wn__f64_or(wn_val v, double otherwise) { return v.kind == WN_VAL_NONE ? otherwise : wn__val_f64(v); }
static inline int64_t wn__i64_or(wn_val v, int64_t otherwise) { return v.kind == WN_VAL_NONE ? otherwise : wn__val_i64(v); }
/* A number in an args struct as the caller meant it: 0 there means "left out", WN_NO_RATE means 0. */
static inline double wn__number_or(double given, double fallback) { return given == 0 ? fallback : given == WN_NO_RATE ? 0 : given; }
#endif
