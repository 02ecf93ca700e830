/* Inside the random streams: the generator, and the two families of streams behind the functions of rng.h. */
#ifndef WN_TENSOR_RNG_GEN_H
#define WN_TENSOR_RNG_GEN_H
#include <pthread.h>
#include "tensor/rng.h"

enum { WN__MT_N = 624 };

/* mt19937 with torch's bookkeeping (left and next as in its state tensor). */
typedef struct wn__mt {
    uint32_t state[WN__MT_N];
    int32_t left;    /* draws until the state is renewed, plus one: at 1 the next draw renews it */
    uint32_t next;   /* index of the next word */
    bool has_normal; /* Box-Muller gives two; the scalar path keeps the second one for the next call */
    double normal;
} wn__mt;

struct wn_generator {
    wn__rng_kind kind;
    pthread_mutex_t *lock; /* philox: held while a stretch is taken; torch: for the whole fill, as in torch */
    pthread_mutex_t own;   /* what `lock` points to, but in the default generator, whose lock is in base/fork.h */
    uint64_t seed;
    uint64_t offset; /* philox: the next counter; each gives four words */
    wn__mt mt;
};

/* A stretch of a Philox stream. */
typedef struct wn__ticket {
    uint64_t seed, offset;
} wn__ticket;
/* Takes the counters for n elements of `words` 32-bit words each (words: 1 or 2). */
wn__ticket wn__philox_take(wn_generator *g, int64_t n, int words);

/* Integer draws: x % range + base from 32 or 64 random bits (philox: the equally biased, faster x * range >> bits). */
typedef struct wn__int_draw {
    int64_t base;
    uint64_t range; /* 0: 2^64 */
    bool wide;      /* 64 bits */
} wn__int_draw;

/* Stores n integers as elements of any dtype, converted as C casts do. */
void wn__store_integers(wn_dtype dtype, void *dst, int64_t at, const int64_t *v, int n);
uint64_t wn__one_bits(wn_dtype dtype); /* the bits of the number 1 */

wn__draws *wn__philox_draws(wn_generator *g, wn_dtype dtype, int64_t n, bool normal, double a, double b);
void wn__philox_uniform(wn_generator *g, wn_dtype dtype, void *dst, int64_t n, double low, double high);
void wn__philox_normal(wn_generator *g, wn_dtype dtype, void *dst, int64_t n, double mean, double std);
void wn__philox_exponential(wn_generator *g, wn_dtype dtype, void *dst, int64_t n, double lambda);
void wn__philox_bernoulli(wn_generator *g, wn_dtype dtype, void *dst, int64_t n, double p);
void wn__philox_bernoulli_each(wn_generator *g, wn_dtype dtype, void *dst, int64_t n, wn_dtype pt, const void *p);
void wn__philox_integers(wn_generator *g, wn_dtype dtype, void *dst, int64_t n, wn__int_draw draw);
void wn__philox_permutation(wn_generator *g, int64_t *dst, int64_t n);

/* The caller of these holds g->lock. */
void wn__mt_seed(wn__mt *m, uint64_t seed);
void wn__mt_uniform(wn__mt *m, wn_dtype dtype, void *dst, int64_t n, double low, double high);
void wn__mt_normal(wn__mt *m, wn_dtype dtype, void *dst, int64_t n, double mean, double std);
void wn__mt_exponential(wn__mt *m, wn_dtype dtype, void *dst, int64_t n, double lambda);
void wn__mt_bernoulli(wn__mt *m, wn_dtype dtype, void *dst, int64_t n, double p);
void wn__mt_bernoulli_each(wn__mt *m, wn_dtype dtype, void *dst, int64_t n, wn_dtype pt, const void *p);
void wn__mt_integers(wn__mt *m, wn_dtype dtype, void *dst, int64_t n, wn__int_draw draw);
void wn__mt_permutation(wn__mt *m, int64_t *dst, int64_t n);
#endif
