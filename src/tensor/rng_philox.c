/* Philox 4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3; 2011): the random streams of
 * winnow. Word w of a stream is word w % 4 of the cipher on counter (offset + w / 4, 0, 0) under the key `seed`, so
 * elements can be made in any order. There are kernels for each instruction set level; all give the same bits. */
#include <math.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif
#include "base/alloc.h"
#include "base/half.h"
#include "base/inline.h"
#include "tensor/rng_philox.h"
#include "base/level.h"
#include "base/threads.h"

void wn__philox4x32(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]) {
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3], k0 = key[0], k1 = key[1];
    for (int r = 0; r < 10; r++) {
        uint64_t p0 = (uint64_t)c0 * WN__PX_M0, p1 = (uint64_t)c2 * WN__PX_M1;
        c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
        c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
        c1 = (uint32_t)p1;
        c3 = (uint32_t)p0;
        k0 += WN__PX_W0;
        k1 += WN__PX_W1;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

/* x scaled to [0, range): the high half of the product. range = 0: x itself. */
static inline uint64_t wn__px_below(uint64_t x, uint64_t range) {
    __extension__ typedef unsigned __int128 wide;
    return range ? (uint64_t)(((wide)x * range) >> 64) : x;
}

/* 53 bits from two words, as an integer in a double. */
INLINE double u53(uint32_t high, uint32_t low) { return (double)(int32_t)(high >> 5) * 67108864.0 + (double)(int32_t)(low >> 6); }

/* -log(x) for x in (0, 1]: x = 2^e m with m in [sqrt(1/2), sqrt(2)); log m = 2 atanh(s), s = (m - 1) / (m + 1), by its
 * series (s^2 <= .0295). */
INLINE float neg_log32(float x) {
    const int32_t bits = (int32_t)wn__f32_to_bits(x), e = (bits - 0x3f3504f3) >> 23;
    const float m = wn__f32_from_bits((uint32_t)bits - ((uint32_t)e << 23)), s = (m - 1.0f) / (m + 1.0f), z = s * s;
    const float q = z * (1.0f / 3 + z * (1.0f / 5 + z * (1.0f / 7 + z * (1.0f / 9)))), ln = 2.0f * s + 2.0f * s * q;
    return -((float)e * -2.12194440e-4f + ln) - (float)e * 0.693359375f;
}
/* The same in f64. The exponent stays biased and positive, since 64-bit arithmetic shifts are rare; it becomes a double
 * by way of 2^52 + e. */
INLINE double neg_log64(double x) {
    uint64_t bits;
    double m, e;
    memcpy(&bits, &x, 8);
    const uint64_t biased = (bits + (0x3ff0000000000000u - 0x3fe6a09e667f3bcdu)) >> 52;
    const uint64_t m_bits = bits - (biased << 52) + 0x3ff0000000000000u, e_bits = biased | 0x4330000000000000u;
    memcpy(&m, &m_bits, 8);
    memcpy(&e, &e_bits, 8);
    e -= 0x1p52 + 1023.0;
    const double s = (m - 1.0) / (m + 1.0), z = s * s;
    double q = z * (1.0 / 17 + z * (1.0 / 19 + z * (1.0 / 21)));
    q = z * (1.0 / 9 + z * (1.0 / 11 + z * (1.0 / 13 + z * (1.0 / 15 + q))));
    q = z * (1.0 / 3 + z * (1.0 / 5 + z * (1.0 / 7 + q)));
    const double ln = 2.0 * s + 2.0 * s * q;
    return -(e * 1.90821492927058770002e-10 + ln) - e * 6.93147180369123816490e-01;
}

#define BODY "tensor/rng_flags_of.h"
#include "base/for_sizes.h"

#if defined(__x86_64__)
#define PX(name) base_##name
#define PX_TARGET
#define PX_LANES 2
#define PX_MUL(a, b) _mm_mul_epu32((__m128i)(a), (__m128i)(b))
#define PX_LOW 0, 2
#define PX_HIGH 1, 3
#include "tensor/rng_philox_level.h"

#define PX(name) avx2_##name
#define PX_TARGET __attribute__((target("avx2")))
#define PX_LANES 4
#define PX_MUL(a, b) _mm256_mul_epu32((__m256i)(a), (__m256i)(b))
#define PX_LOW 0, 4, 1, 5
#define PX_HIGH 2, 6, 3, 7
#include "tensor/rng_philox_level.h"

#define PX(name) avx512_##name
#define PX_TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#define PX_LANES 8
#define PX_MUL(a, b) _mm512_mul_epu32((__m512i)(a), (__m512i)(b))
#define PX_LOW 0, 8, 1, 9, 2, 10, 3, 11
#define PX_HIGH 4, 12, 5, 13, 6, 14, 7, 15
#include "tensor/rng_philox_level.h"
#else
#define PX(name) base_##name
#define PX_TARGET
#define PX_SCALAR 1
#include "tensor/rng_philox_level.h"
#endif

static const wn__px_level *level(void) {
#if defined(__x86_64__)
    int l = wn__cpu_level();
    return l >= WN__LEVEL_AVX512 ? &avx512_level : l >= WN__LEVEL_AVX2 ? &avx2_level : &base_level;
#else
    return &base_level;
#endif
}

/* ------------------------------------------------------------------------------------------------------ fills */

typedef enum finish { AS_IS, HALVES, INTEGERS, EACH } finish;

typedef struct rng_philox_job {
    const wn__px_level *level;
    wn__px_kernel kernel;
    wn__ticket ticket;
    wn__px_args args;
    int words; /* for each element */
    size_t size; /* of an element */
    void *dst;
    wn_dtype dtype;
    finish finish;
    /* Half types: low as bits; the upper bound rounded, which no element may round to (NaN: none). */
    uint16_t low_bits;
    float high_rounded;
    /* each */
    wn_dtype p_dtype;
    const void *p;
} rng_philox_job;

static void load_p(const rng_philox_job *j, int64_t at, int n, double *p) {
    for (int i = 0; i < n; i++) {
        switch (j->p_dtype) {
        case WN_F64: p[i] = ((const double *)j->p)[at + i]; break;
        case WN_F16: p[i] = (double)wn__f16_to_f32(((const uint16_t *)j->p)[at + i]); break;
        case WN_BF16: p[i] = (double)wn__bf16_to_f32(((const uint16_t *)j->p)[at + i]); break;
        default: p[i] = (double)((const float *)j->p)[at + i]; break;
        }
    }
    for (int i = n; i < WN__PX_BLOCK; i++) p[i] = 0.0;
}

/* begin is a multiple of WN__PX_BLOCK. */
static void fill_range(void *ctx, int64_t begin, int64_t end) {
    const rng_philox_job *j = ctx;
    wn__px_args args = j->args;
    _Alignas(64) uint32_t words[2 * WN__PX_BLOCK];
    _Alignas(64) uint64_t made[WN__PX_BLOCK], spare[WN__PX_BLOCK];
    for (int64_t i = begin; i < end; i += WN__PX_BLOCK) {
        int n = end - i < WN__PX_BLOCK ? (int)(end - i) : WN__PX_BLOCK;
        j->level->words(j->ticket.seed, j->ticket.offset + (uint64_t)i / 4 * (uint64_t)j->words, words,
                        WN__PX_BLOCK / 4 * j->words);
        unsigned char *place = (unsigned char *)j->dst + (size_t)i * j->size;
        void *out = n == WN__PX_BLOCK ? (void *)place : (void *)spare;
        switch (j->finish) {
        case EACH:
            load_p(j, i, n, (double *)made);
            args.p = (const double *)made;
            j->kernel(words, out, &args);
            break;
        case AS_IS: j->kernel(words, out, &args); break;
        case HALVES:
            j->kernel(words, made, &args);
            (j->dtype == WN_F16 ? j->level->to_f16 : j->level->to_bf16)((const float *)made, out, j->low_bits, j->high_rounded);
            break;
        case INTEGERS:
            j->kernel(words, made, &args);
            wn__store_integers(j->dtype, j->dst, i, (const int64_t *)made, n);
            continue;
        }
        if (out == spare) memcpy(place, spare, (size_t)n * j->size);
    }
}

/* Makes j stand for the next n elements of g's stream. */
static void take(wn_generator *g, rng_philox_job *j, int64_t n, wn_dtype dtype) {
    j->level = level();
    j->ticket = wn__philox_take(g, n, j->words);
    j->dtype = dtype;
    j->size = wn_dtype_size(dtype);
}

static void fill(wn_generator *g, rng_philox_job *j, int64_t n, wn_dtype dtype, void *dst) {
    take(g, j, n, dtype);
    j->dst = dst;
    wn__parallel(n, 64 * WN__PX_BLOCK, fill_range, j);
}

/* Distributions of real numbers: a kernel for f64 (two words each) and one for f32, rounded for half types. */
static void real(rng_philox_job *j, wn_dtype dtype, wn__px_kernel f32, wn__px_kernel f64) {
    j->words = dtype == WN_F64 ? 2 : 1;
    j->kernel = dtype == WN_F64 ? f64 : f32;
    j->finish = dtype == WN_F16 || dtype == WN_BF16 ? HALVES : AS_IS;
}

static rng_philox_job uniform(wn_dtype dtype, double low, double high) {
    float lo = (float)low, hi = (float)high;
    rng_philox_job j = {.args = {.low = lo, .high = hi, .span = hi - lo, .low64 = low, .high64 = high, .span64 = high - low}};
    j.low_bits = dtype == WN_F16 ? wn__f32_to_f16(lo) : wn__f32_to_bf16(lo);
    j.high_rounded = dtype == WN_F16 ? wn__f16_to_f32(wn__f32_to_f16(hi)) : wn__bf16_to_f32(wn__f32_to_bf16(hi));
    real(&j, dtype, level()->uniform_f32, level()->uniform_f64);
    return j;
}
static rng_philox_job normal(wn_dtype dtype, double mean, double std) {
    rng_philox_job j = {.high_rounded = NAN, .args = {.low = (float)mean, .span = (float)std, .low64 = mean, .span64 = std}};
    real(&j, dtype, level()->normal_f32, level()->normal_f64);
    return j;
}

void wn__philox_uniform(wn_generator *g, wn_dtype dtype, void *dst, int64_t n, double low, double high) {
    rng_philox_job j = uniform(dtype, low, high);
    fill(g, &j, n, dtype, dst);
}
void wn__philox_normal(wn_generator *g, wn_dtype dtype, void *dst, int64_t n, double mean, double std) {
    rng_philox_job j = normal(dtype, mean, std);
    fill(g, &j, n, dtype, dst);
}
void wn__philox_exponential(wn_generator *g, wn_dtype dtype, void *dst, int64_t n, double lambda) {
    rng_philox_job j = {.high_rounded = NAN, .args = {.span = (float)(1.0 / lambda), .span64 = 1.0 / lambda}};
    real(&j, dtype, level()->exponential_f32, level()->exponential_f64);
    fill(g, &j, n, dtype, dst);
}

static int log2_size(wn_dtype dtype) { return __builtin_ctz((unsigned)wn_dtype_size(dtype)); }

void wn__philox_bernoulli(wn_generator *g, wn_dtype dtype, void *dst, int64_t n, double p) {
    /* True for words below ceil(p 2^32). That may be 2^32, so the limit stored is the last true word. */
    double words = ceil(p * 0x1p32);
    rng_philox_job j = {.words = 1, .kernel = level()->flag[log2_size(dtype)], .args = {.one = wn__one_bits(dtype)}};
    if (words < 1.0) j.args.one = 0;
    else j.args.limit = words >= 0x1p32 ? UINT32_MAX : (uint32_t)words - 1;
    fill(g, &j, n, dtype, dst);
}
void wn__philox_bernoulli_each(wn_generator *g, wn_dtype dtype, void *dst, int64_t n, wn_dtype pt, const void *p) {
    rng_philox_job j = {.words = 1, .kernel = level()->flag_each[log2_size(dtype)], .finish = EACH, .p_dtype = pt, .p = p};
    j.args.one = wn__one_bits(dtype);
    fill(g, &j, n, dtype, dst);
}
void wn__philox_integers(wn_generator *g, wn_dtype dtype, void *dst, int64_t n, wn__int_draw draw) {
    rng_philox_job j = {.words = draw.wide ? 2 : 1, .finish = INTEGERS, .args = {.base = draw.base, .range = draw.range}};
    j.kernel = draw.wide ? level()->integer64 : level()->integer32;
    fill(g, &j, n, dtype, dst);
}

/* ------------------------------------------------------------------------------------------- draws made later */

struct wn__draws {
    rng_philox_job j;
    int cost;
};

wn__draws *wn__philox_draws(wn_generator *g, wn_dtype dtype, int64_t n, bool is_normal, double a, double b) {
    wn__draws *d = wn__new(wn__draws, 1);
    if (!d) return NULL;
    d->j = is_normal ? normal(dtype, a, b) : uniform(dtype, a, b);
    d->cost = (is_normal ? 12 : 3) * d->j.words;
    take(g, &d->j, n, dtype);
    return d;
}

int wn__draws_cost(const wn__draws *d) { return d->cost; }
void wn__draws_free(wn__draws *d) { wn__free(d); }

/* Kernels fill whole blocks: a block that is wanted in part goes through a buffer. */
void wn__draws_part(const void *draws, int64_t begin, int64_t n, void *out) {
    WN_ASSERT(begin >= 0 && n >= 0);
    const rng_philox_job *j = &((const wn__draws *)draws)->j;
    _Alignas(64) uint32_t words[2 * WN__PX_BLOCK];
    _Alignas(64) uint64_t spare[WN__PX_BLOCK];
    unsigned char *to = out;
    for (int64_t end = begin + n; begin < end;) {
        const int64_t first = begin / WN__PX_BLOCK * WN__PX_BLOCK;
        const size_t skip = (size_t)(begin - first) * j->size;
        const int64_t m = first + WN__PX_BLOCK < end ? first + WN__PX_BLOCK - begin : end - begin;
        const size_t bytes = (size_t)m * j->size;
        j->level->words(j->ticket.seed, j->ticket.offset + (uint64_t)first / 4 * (uint64_t)j->words, words, WN__PX_BLOCK / 4 * j->words);
        j->kernel(words, m == WN__PX_BLOCK ? (void *)to : (void *)spare, &j->args);
        if (m < WN__PX_BLOCK) memcpy(to, (const unsigned char *)spare + skip, bytes);
        to += bytes;
        begin += m;
    }
}

/* Fisher-Yates, serial: element i is swapped with a random one of those from i on. */
void wn__philox_permutation(wn_generator *g, int64_t *dst, int64_t n) {
    wn__ticket t = wn__philox_take(g, n, 2);
    const wn__px_level *l = level();
    _Alignas(64) uint32_t words[2 * WN__PX_BLOCK];
    for (int64_t i = 0; i < n; i++) dst[i] = i;
    for (int64_t begin = 0; begin < n; begin += WN__PX_BLOCK) {
        l->words(t.seed, t.offset + (uint64_t)begin / 2, words, WN__PX_BLOCK / 2);
        int64_t end = n - begin < WN__PX_BLOCK ? n : begin + WN__PX_BLOCK;
        for (int64_t i = begin; i < end; i++) {
            const uint32_t *w = words + 2 * (i - begin);
            int64_t k = i + (int64_t)wn__px_below((uint64_t)w[1] << 32 | w[0], (uint64_t)(n - i));
            int64_t v = dst[i];
            dst[i] = dst[k];
            dst[k] = v;
        }
    }
}
