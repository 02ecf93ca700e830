/* Chooses the kernel table of the ISA level in use. */
#include "cpu/kernels.h"
#include "cpu/level.h"

extern const wn__kernels wn__kernels_portable;
#if defined(__x86_64__)
extern const wn__kernels wn__kernels_avx2, wn__kernels_avx512;
#endif

const wn__kernels *wn__kernels_chosen;

static const wn__kernels *of_level(void) {
#if defined(__x86_64__)
    int level = wn__cpu_level();
    if (level >= 2) return &wn__kernels_avx512;
    if (level == 1) return &wn__kernels_avx2;
#endif
    return &wn__kernels_portable;
}

const wn__kernels *wn__kernels_choose(void) {
    const wn__kernels *k = of_level();
    __atomic_store_n(&wn__kernels_chosen, k, __ATOMIC_RELAXED);
    return k;
}
