/* Random streams on raw memory. A generator draws *at the call*: it takes a stretch of its stream in one step, so that
 * a result is a function of seed, offset and element index only. Filling may run in any order and on any thread. */
#ifndef WN_TENSOR_RNG_H
#define WN_TENSOR_RNG_H
#include "base/api.h"

typedef enum wn__rng_kind { WN__RNG_PHILOX, WN__RNG_TORCH } wn__rng_kind;

/* g = NULL stands for the default generator everywhere in this file. All calls are thread-safe. */
wn_generator *wn__default_generator(void); /* never NULL */
wn_generator *wn__generator_new_kind(wn__rng_kind kind, uint64_t seed); /* whatever WINNOW_RNG says; NULL: no memory */
wn__rng_kind wn__generator_kind(const wn_generator *g);
uint64_t wn__generator_seed_of(const wn_generator *g);
/* Snapshot and restore (checkpointing, tests): the whole state as bytes; returns the size needed (24; under
 * WINNOW_RNG=torch the 5056 bytes of torch.get_rng_state()). set_state: false if the bytes are no state of g's kind. */
size_t wn__generator_state(const wn_generator *g, void *buf, size_t cap);
bool wn__generator_set_state(wn_generator *g, const void *buf, size_t size);

/* Each fills n contiguous elements at dst; dtype: f32 f64 f16 bf16 (all dtypes for integers and bernoulli). The
 * formulas are PyTorch's. Under WINNOW_RNG=torch so are the streams: those of PyTorch 2.13's CPU kernels (AVX2 and
 * later) for a contiguous tensor of that size and dtype. The caller has checked the arguments (low <= high, std >= 0, 0
 * <= p <= 1, lambda > 0); n = 0 draws nothing. */
void wn__random_uniform(wn_generator *g, wn_dtype dtype, void *dst, int64_t n, double low, double high);
void wn__random_normal(wn_generator *g, wn_dtype dtype, void *dst, int64_t n, double mean, double std);
void wn__random_bernoulli(wn_generator *g, wn_dtype dtype, void *dst, int64_t n, double p); /* torch's bernoulli_(p) */
/* torch's bernoulli(p) and bernoulli_(p) with a tensor of n contiguous probabilities; their dtype (floating) decides how
 * many bits torch draws. */
void wn__random_bernoulli_each(wn_generator *g, wn_dtype dtype, void *dst, int64_t n, wn_dtype p_dtype, const void *p);
void wn__random_exponential(wn_generator *g, wn_dtype dtype, void *dst, int64_t n, double lambda);
void wn__random_permutation(wn_generator *g, int64_t *dst, int64_t n); /* randperm */

/* randint and random_(low, high): [low, high). For floating dtypes the bounds are first moved as by wn__random_bounds. */
void wn__random_integers(wn_generator *g, wn_dtype dtype, void *dst, int64_t n, int64_t low, int64_t high);
/* [base, base + range), bounds unmoved; range = 0: all 2^64 values, whatever the base. random_(from, None) has range =
 * (largest value, for floating dtypes 2^digits) - from + 1. */
void wn__random_range(wn_generator *g, wn_dtype dtype, void *dst, int64_t n, int64_t base, uint64_t range);
/* torch's random_() without bounds: [0, largest integer], {0, 1} for bool, [0, 2^digits] for floating dtypes. */
void wn__random_any(wn_generator *g, wn_dtype dtype, void *dst, int64_t n);
int wn__mantissa_digits(wn_dtype dtype); /* the implicit leading one included; 0 for integers */
/* Moves [low, high) inwards to values that stay inside it when rounded to dtype; no change for integers. Afterwards
 * *low >= *high means that no such value exists (an error in torch). */
void wn__random_bounds(wn_dtype dtype, int64_t *low, int64_t *high);

/* Draws made later, in parts and as often as needed. They keep a stretch of a Philox stream, which is taken now, and a
 * distribution. Element i is a function of the stretch and i, the same as when all n are filled at once. */
typedef struct wn__draws wn__draws;
bool wn__draws_can_wait(const wn_generator *g, wn_dtype dtype); /* a Philox generator; f32 and f64 */
/* uniform in [a, b), or (normal) with mean a and standard deviation b. NULL: no memory, nothing taken. */
wn__draws *wn__draws_new(wn_generator *g, wn_dtype dtype, int64_t n, bool normal, double a, double b);
int wn__draws_cost(const wn__draws *d); /* of an element, tenths of ns */
void wn__draws_part(const void *draws, int64_t begin, int64_t n, void *out); /* elements [begin, begin + n); on any thread */
void wn__draws_free(wn__draws *d);

/* Philox 4x32-10 on one counter, for tests. */
void wn__philox4x32(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);
#endif
