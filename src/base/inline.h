/* How bodies of kernels are compiled. */
#ifndef WN_BASE_INLINE_H
#define WN_BASE_INLINE_H
#include <stddef.h>
#include <string.h>

/* A function whose `const` parameters are compile-time constants at each call: branches on them cost nothing, and each
 * call is a kernel of its own. With WN_NO_INLINE (make look-inside) it is an ordinary function, for debuggers. */
#ifdef WN_NO_INLINE
#define INLINE static __attribute__((unused, noinline))
#else
#define INLINE static inline __attribute__((always_inline))
#endif

/* Rarely needed: compiled for size and kept apart from hot code. Only for what is called under an `if`, since an
 * unconditional call of a cold function makes its caller cold, too. */
#define COLD static __attribute__((cold))

/* A function that exists once: it is not inlined, and not copied for constant arguments. */
#ifdef __clang__
#define WN__ONCE __attribute__((noinline))
#else
#define WN__ONCE __attribute__((noinline, noclone))
#endif

/* False for integers. A macro, since compilers warn of `v != v` in a body that is made for integers, too. */
#define IS_NAN(v) ((v) != (v))

/* Before a loop whose accesses never conflict between iterations. */
#ifdef __clang__
#define WN__IVDEP _Pragma("clang loop vectorize(assume_safety)")
#else
#define WN__IVDEP _Pragma("GCC ivdep")
#endif

/* Calls f, made by for_sizes.h, for elements of `size` bytes. */
#define BY_SIZE(size, f, ...)                                                                                          \
    ((size) == 1 ? f##_i8(__VA_ARGS__) : (size) == 2 ? f##_i16(__VA_ARGS__) : (size) == 4 ? f##_i32(__VA_ARGS__) : f##_i64(__VA_ARGS__))
/* Calls f with `size`, a number of bytes, as its last argument and a constant. */
#define WITH_SIZE(size, f, ...)                                                                                        \
    ((size) == 1 ? f(__VA_ARGS__, 1) : (size) == 2 ? f(__VA_ARGS__, 2) : (size) == 4 ? f(__VA_ARGS__, 4) : f(__VA_ARGS__, 8))
/* The entries of a table by dtype for f, made by for_numbers.h. */
#define BY_NUMBER(f)                                                                                                   \
    [WN_F32] = f##_f32, [WN_F64] = f##_f64, [WN_I8] = f##_i8, [WN_I16] = f##_i16, [WN_I32] = f##_i32, [WN_I64] = f##_i64, [WN_U8] = f##_u8

/* Copies one element of 1, 2, 4 or 8 bytes. */
INLINE void wn__copy_element(void *to, const void *from, const size_t size) {
    switch (size) {
    case 1: memcpy(to, from, 1); break;
    case 2: memcpy(to, from, 2); break;
    case 4: memcpy(to, from, 4); break;
    default: memcpy(to, from, 8);
    }
}
#endif
