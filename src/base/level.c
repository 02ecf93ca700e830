/* Finds the instruction set level by asking the processor (cpuid) and what the system saves on a switch (xgetbv). Asked
 * directly rather than through __builtin_cpu_supports, whose list of names differs between compilers. */
#include "base/level.h"
#include "base/api.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__) && !defined(WN_ONLY_PORTABLE)
#include <cpuid.h>

/* Which register states the system saves: bits 1, 2 SSE and AVX, 5 to 7 the AVX-512 ones. */
static unsigned saved_states(void) {
    unsigned lo, hi;
    __asm__ volatile("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
    return lo;
}

#ifdef WN_EMULATE_AVX512 /* tests/emulate */
enum { emulated = true };
#else
enum { emulated = false };
#endif

static int detect(void) {
    const unsigned v1 = 1u << 12 | 1u << 22 | 1u << 26 | 1u << 27 | 1u << 28 | 1u << 29; /* fma movbe xsave osxsave avx f16c */
    const unsigned v7 = 1u << 3 | 1u << 5 | 1u << 8;                                     /* bmi1 avx2 bmi2 */
    const unsigned w7 = 1u << 16 | 1u << 17 | 1u << 28 | 1u << 30 | 1u << 31;            /* avx512 f dq cd bw vl */
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || (c & v1) != v1) return WN__LEVEL_PORTABLE;
    if (!__get_cpuid(0x80000001u, &a, &b, &c, &d) || !(c & 1u << 5)) return WN__LEVEL_PORTABLE; /* lzcnt */
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || (b & v7) != v7) return WN__LEVEL_PORTABLE;
    unsigned states = saved_states();
    if ((states & 0x06) != 0x06) return WN__LEVEL_PORTABLE;
    return emulated || ((b & w7) == w7 && (states & 0xe6) == 0xe6) ? WN__LEVEL_AVX512 : WN__LEVEL_AVX2;
}
static bool detect_bf16(void) {
    unsigned a, b, c, d;
    return emulated || (__get_cpuid_count(7, 1, &a, &b, &c, &d) && (a & 1u << 5));
}
#else
static int detect(void) { return WN__LEVEL_PORTABLE; }
static bool detect_bf16(void) { return false; }
#endif

static const char *const names[WN__LEVELS] = {"portable", "avx2", "avx512"};
static _Atomic int current = -1;

int wn__cpu_level_max(void) {
    static _Atomic int known = -1;
    int v = atomic_load_explicit(&known, memory_order_relaxed);
    if (v < 0) atomic_store_explicit(&known, v = detect(), memory_order_relaxed);
    return v;
}

/* Out of line, so that the common case stays one load and a test. An unknown name changes nothing. */
static int first_call(void) {
    int v = wn__cpu_level_max(), none = -1;
    const char *wish = getenv("WINNOW_LEVEL");
    for (int i = 0; wish && i < v; i++)
        if (!strcmp(wish, names[i])) v = i;
    /* A level set meanwhile by another thread stands. */
    atomic_compare_exchange_strong(&current, &none, v);
    return none < 0 ? v : none;
}

int wn__cpu_level(void) {
    int v = atomic_load_explicit(&current, memory_order_relaxed);
    return __builtin_expect(v >= 0, 1) ? v : first_call();
}

bool wn__cpu_has_bf16(void) {
    static _Atomic int known = -1;
    if (wn__cpu_level() < WN__LEVEL_AVX512) return false;
    int v = atomic_load_explicit(&known, memory_order_relaxed);
    if (v < 0) atomic_store_explicit(&known, v = detect_bf16(), memory_order_relaxed);
    return v;
}

const struct wn__kernels *wn__kernels_chosen;

void wn__cpu_level_set(int level) {
    int max = wn__cpu_level_max();
    atomic_store(&current, level < 0 ? 0 : level > max ? max : level);
    __atomic_store_n(&wn__kernels_chosen, NULL, __ATOMIC_RELAXED);
}

const char *wn_level(void) { return names[wn__cpu_level()]; }
