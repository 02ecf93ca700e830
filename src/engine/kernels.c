/* Chooses the kernel table of the instruction set level in use. */
#include "engine/kernels.h"
#include "base/level.h"

WN__DECLARE_LEVELS(wn__kernels, wn__kernels);

static const wn__kernels *of_level(void) { return WN__OF_LEVEL(wn__kernels); }

const wn__kernels *wn__kernels_choose(void) {
    const wn__kernels *k = of_level();
    __atomic_store_n(&wn__kernels_chosen, k, __ATOMIC_RELAXED);
    return k;
}
