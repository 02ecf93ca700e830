/* The instruction set level that kernels are chosen by. */
#ifndef WN_BASE_LEVEL_H
#define WN_BASE_LEVEL_H
#include <stdbool.h>

enum {
    WN__LEVEL_PORTABLE = 0,
    WN__LEVEL_AVX2 = 1,   /* x86-64-v3, complete: avx2, fma, bmi1, bmi2, f16c, lzcnt, movbe */
    WN__LEVEL_AVX512 = 2, /* x86-64-v4: also avx512 f, bw, cd, dq, vl */
    WN__LEVELS = 3
};

/* The level in use: what processor and system support, lowered by WINNOW_LEVEL=portable|avx2|avx512 (read once). One
 * relaxed load after the first call. Always 0 on other architectures. */
int wn__cpu_level(void);
int wn__cpu_level_max(void);       /* what processor and system support */
bool wn__cpu_has_bf16(void);       /* avx512_bf16, while the level in use is AVX512 */
void wn__cpu_level_set(int level); /* for tests: lowered to what the machine has */
extern const struct wn__kernels *wn__kernels_chosen __attribute__((visibility("hidden"))); /* engine/kernels.h; NULL: not chosen yet */

/* Tables of kernels that exist once for each level. WN__DECLARE_LEVELS(wn__optim_kernels, wn__optim_kernels) declares
 * wn__optim_kernels_portable, ..._avx2 and ..._avx512; WN__OF_LEVEL(wn__optim_kernels) is the address of that of the
 * level in use. A build with WN_ONLY_PORTABLE has only the first (WINNOW_QUICK of CMakeLists.txt). */
#if defined(__x86_64__) && !defined(WN_ONLY_PORTABLE)
#define WN__DECLARE_LEVELS(type, name) extern const type name##_portable, name##_avx2, name##_avx512
#define WN__OF_LEVEL(name) \
    (wn__cpu_level() >= WN__LEVEL_AVX512 ? &name##_avx512 : wn__cpu_level() == WN__LEVEL_AVX2 ? &name##_avx2 : &name##_portable)
#else
#define WN__DECLARE_LEVELS(type, name) extern const type name##_portable
#define WN__OF_LEVEL(name) (&name##_portable)
#endif
#endif
