/* Elements as unsigned keys in the same order: NaN is above everything and all NaNs are equal; -0 equals 0. A table for
 * each instruction set level (engine/level/keys.c). */
#ifndef WN_ENGINE_KEYS_H
#define WN_ENGINE_KEYS_H
#include "base/level.h"
#include "base/api.h"

enum { WN__LANES32 = 16, WN__LANES64 = 8 };

typedef struct wn__key_kernels {
    /* Keys of n elements of a dtype, `stride` apart. narrow: dtypes of at most four bytes; wide: any. */
    void (*narrow)(wn_dtype d, const void *x, int64_t stride, int64_t n, uint32_t *key);
    void (*wide)(wn_dtype d, const void *x, int64_t stride, int64_t n, uint64_t *key);
    /* Lists the indices, ascending, of keys with (key ^ flip) < bar, and returns how many. `at` needs room for n. */
    int (*below32)(const uint32_t *key, int n, uint32_t flip, uint32_t bar, uint16_t *at);
    int (*below64)(const uint64_t *key, int n, uint64_t flip, uint64_t bar, uint16_t *at);
    /* Sort lines of n elements that lie side by side, x[i * lanes + l] (engine/level/network.h): WN__LANES32 lines of
     * unsigned numbers, WN__LANES64 of positive doubles, or of int64s with as many indices behind them. Not stable, but
     * no two elements of a line are equal. */
    void (*network32)(void *x, int64_t n);
    void (*network52)(void *x, int64_t n);
    void (*network_pairs)(void *x, int64_t n);
} wn__key_kernels;
WN__DECLARE_LEVELS(wn__key_kernels, wn__key_kernels);
static inline const wn__key_kernels *wn__key_kernels_now(void) { return WN__OF_LEVEL(wn__key_kernels); }
#endif
