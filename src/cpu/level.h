/* The instruction set level that kernels are chosen by. */
#ifndef WN_CPU_LEVEL_H
#define WN_CPU_LEVEL_H

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
void wn__cpu_level_set(int level); /* for tests: lowered to what the machine has */
#endif
