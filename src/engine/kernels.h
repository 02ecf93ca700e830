/* Block kernels of pointwise rows, and conversions between memory and registers; one table for each ISA level. */
#ifndef WN_ENGINE_KERNELS_H
#define WN_ENGINE_KERNELS_H
#include "base/dtype.h"
#include "base/level.h"

/* Compute types: the types that kernels work in. Narrow types are converted at load and store. */
typedef enum wn__ct { WN__CT_F32, WN__CT_F64, WN__CT_I32, WN__CT_I64, WN__CT_B8, WN__CTS } wn__ct;

typedef void (*wn__kernel)(int64_t n, void *out, const void *const *in);
/* dst[i] = (compute type) src[i]; src steps by stride bytes. */
typedef void (*wn__load)(int64_t n, void *dst, const char *src, int64_t stride);
/* dst[i] = (memory type) src[i]; dst steps by stride bytes. */
typedef void (*wn__store)(int64_t n, char *dst, int64_t stride, const void *src);

enum { WN__CHOOSE_EQ, WN__CHOOSE_NE, WN__CHOOSE_LT, WN__CHOOSE_LE, WN__CHOOSE_GT, WN__CHOOSE_GE, WN__COMPARISONS };
/* A row's kernel for operands of which all but the first are one value; NULL where there is none. mirror: the row that
 * does the same with its two operands exchanged; -1: none. */
typedef struct wn__single_kernels {
    wn__kernel of[WN__CTS];
    int16_t mirror;
} wn__single_kernels;
/* A row's f32 kernel for f16 and for bf16 elements that lie side by side, by the number of operands that are tensors;
 * those behind them are numbers, one float each. NULL where there is none. */
enum { WN__HALF_MOST = 4 };
typedef struct wn__half_kernels {
    wn__kernel f16[WN__HALF_MOST + 1], bf16[WN__HALF_MOST + 1];
} wn__half_kernels;
/* A row's kernels for i8, i16 and u8 elements that lie side by side, by the number of operands that are tensors, less
 * one; the others are numbers, one int32 each. fn: the row's int32 kernel (bool for logic). They take whole runs. */
enum { WN__NARROW_MOST = 3, WN__NARROW_RUN = 64 };
typedef struct wn__narrow_kernels {
    wn__kernel fn, of[3][WN__NARROW_MOST];
} wn__narrow_kernels;
typedef struct wn__kernels {
    const wn__kernel (*rows)[WN__CTS];
    const wn__single_kernels *singles; /* by row, as are */
    const wn__half_kernels *halves;    /* by row */
    const wn__narrow_kernels *narrows;
    const wn__kernel *constants; /* those kernels of `rows` that read none of their operands */
    int nrows, nnarrows, nconstants;
    /* Conversions between i8, i16, u8 and bool that lie side by side: the low bytes of int16; bytes to int16, signed
     * and unsigned; "is not 0" of bytes, and of int16, as bytes. */
    wn__kernel low_byte, wider, wider_unsigned, truth, wider_truth;
    wn__kernel choose[WN__COMPARISONS][WN__CTS]; /* in[0] OP in[1] ? in[2] : in[3], all of one type; NULL for b8 */
    wn__load load[WN__CTS][WN__DTYPES];
    wn__store store[WN__CTS][WN__DTYPES];
} wn__kernels;
const wn__kernels *wn__kernels_choose(void);
static inline const wn__kernels *wn__kernels_now(void) { /* of the level in use */
    const wn__kernels *k = __atomic_load_n(&wn__kernels_chosen, __ATOMIC_RELAXED);
    return k ? k : wn__kernels_choose();
}

static inline wn__ct wn__compute_type(int dtype) {
    WN_ASSERT(dtype >= 0 && dtype < WN__DTYPES);
    static const uint8_t ct[WN__DTYPES] = {WN__CT_F32, WN__CT_F32, WN__CT_F64, WN__CT_F32, WN__CT_F32, WN__CT_I32,
                                           WN__CT_I32, WN__CT_I32, WN__CT_I64, WN__CT_I32, WN__CT_I32};
    return (wn__ct)ct[dtype];
}
static inline size_t wn__ct_size(wn__ct ct) {
    WN_ASSERT((unsigned)ct < WN__CTS);
    static const uint8_t size[WN__CTS] = {4, 8, 4, 8, 1};
    return size[ct];
}
/* The dtype whose elements have the form of a compute type's registers. */
static inline wn_dtype wn__form_of(int ct) {
    WN_ASSERT((unsigned)ct < WN__CTS);
    static const uint8_t form[WN__CTS] = {WN_F32, WN_F64, WN_I32, WN_I64, WN_BOOL};
    return (wn_dtype)form[ct];
}
/* Is an element in memory already in the form that kernels take? */
static inline bool wn__is_register_form(int dtype, wn__ct ct) {
    return (dtype == WN_F32 && ct == WN__CT_F32) || (dtype == WN_F64 && ct == WN__CT_F64) ||
           (dtype == WN_I32 && ct == WN__CT_I32) || (dtype == WN_I64 && ct == WN__CT_I64) || (dtype == WN_BOOL && ct == WN__CT_B8);
}
/* The compute type that elements are loaded as when they are to be stored as another dtype. It is that dtype's if its
 * elements have register form, so that loading is all there is to do; else one that holds every value of the source:
 * i64 and f64 themselves, others by kind. */
static inline wn__ct wn__cast_type(int from, int to) {
    for (int ct = 0; ct < WN__CTS; ct++)
        if (wn__is_register_form(to, (wn__ct)ct)) return (wn__ct)ct;
    return from == WN_BOOL ? WN__CT_B8 : wn__compute_type(from);
}
#endif
