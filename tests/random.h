/* Numbers for tests: xorshift64 (Marsaglia 2003), the same ones in every run. `random_state` may be set to a seed, but not to 0. */
#ifndef WN_TESTS_RANDOM_H
#define WN_TESTS_RANDOM_H
#include <stdint.h>

static uint64_t random_state = 88172645463325252u;
static inline uint64_t random_bits(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    return random_state ^= random_state << 17;
}
/* From 0 to n - 1. */
static inline int64_t below(int64_t n) { return (int64_t)(random_bits() % (uint64_t)n); }
/* From 0 up to, but without, 1. */
static inline double uniform(void) { return (double)(random_bits() >> 11) * 0x1p-53; }
#endif
