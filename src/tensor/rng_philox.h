/* The interface between rng_philox.c and the kernels of one instruction set level (rng_philox_level.h). */
#ifndef WN_TENSOR_RNG_PHILOX_H
#define WN_TENSOR_RNG_PHILOX_H
#include "tensor/rng_gen.h"

/* Kernels always make this many elements: loops with a constant count vectorise at -O2 too. The rest of a tensor goes
 * through a buffer. */
enum { WN__PX_BLOCK = 256 };

/* Philox 4x32: multipliers of the two halves, and what each round adds to the key. */
#define WN__PX_M0 0xD2511F53u
#define WN__PX_M1 0xCD9E8D57u
#define WN__PX_W0 0x9E3779B9u
#define WN__PX_W1 0xBB67AE85u

typedef struct wn__px_args {
    float low, high, span;      /* uniform; normal: mean and std in low and span; exponential: 1 / lambda in span */
    double low64, high64, span64;
    uint32_t limit;             /* bernoulli: true for words <= limit */
    uint64_t one;               /* bernoulli: the bits stored for true */
    const double *p;            /* bernoulli_each: the block's probabilities */
    int64_t base;               /* integers */
    uint64_t range;
} wn__px_args;

/* Makes WN__PX_BLOCK elements from their words. In each group of 32 elements and its 32 or 64 words, element i owns
 * word i and, if it needs two, word i + 32. */
typedef void (*wn__px_kernel)(const uint32_t *restrict words, void *restrict out, const wn__px_args *a);

typedef struct wn__px_level {
    /* The words of `counters` (a multiple of 8) counters from `first` on, in order. */
    void (*words)(uint64_t seed, uint64_t first, uint32_t *restrict out, int counters);
    wn__px_kernel uniform_f32, uniform_f64, normal_f32, normal_f64, exponential_f32, exponential_f64;
    wn__px_kernel flag[4], flag_each[4]; /* by log2 of the element's size */
    wn__px_kernel integer32, integer64;  /* to int64_t */
    /* To halves; what rounds to `high` or beyond becomes `low` (high = NaN: nothing does). */
    void (*to_f16)(const float *restrict v, uint16_t *restrict out, uint16_t low, float high);
    void (*to_bf16)(const float *restrict v, uint16_t *restrict out, uint16_t low, float high);
} wn__px_level;
#endif
