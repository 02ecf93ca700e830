/* Generators: creation, seeds, snapshots; and the functions of rng.h, which send each fill to one of two families of
 * streams (rng_philox.c, rng_torch.c). */
#include "tensor/rng.h"
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/fork.h"
#include "base/half.h"
#include "base/inline.h"
#include "tensor/rng_gen.h"

/* The number that torch calls its default seed. (torch itself starts from an unpredictable seed; here runs repeat.) */
static const uint64_t default_seed = 67280421310721u;

/* ------------------------------------------------------------------------------------------------ generators */

static wn__rng_kind env_kind = WN__RNG_PHILOX;
static pthread_once_t env_once = PTHREAD_ONCE_INIT;
static void read_env(void) {
    const char *s = getenv("WINNOW_RNG");
    if (s && strcmp(s, "torch") == 0) env_kind = WN__RNG_TORCH;
}
/* Read when the first generator is made and then fixed: one process, one kind of stream. */
static wn__rng_kind kind_wanted(void) {
    pthread_once(&env_once, read_env);
    return env_kind;
}

static void reseed(wn_generator *g, uint64_t seed) {
    g->seed = seed;
    g->offset = 0;
    if (g->kind == WN__RNG_TORCH) wn__mt_seed(&g->mt, seed);
}

static wn_generator default_gen = {.lock = &wn__generator_mutex};
static pthread_once_t default_once = PTHREAD_ONCE_INIT;
static void default_init(void) {
    default_gen.kind = kind_wanted();
    reseed(&default_gen, default_seed);
}
wn_generator *wn__default_generator(void) {
    pthread_once(&default_once, default_init);
    return &default_gen;
}

static wn_generator *resolve(const wn_generator *g) {
    return g ? (wn_generator *)(uintptr_t)g : wn__default_generator(); /* const for the caller, who sees no change */
}

wn_generator *wn__generator_new_kind(wn__rng_kind kind, uint64_t seed) {
    wn_generator *g = wn__new(wn_generator, 1);
    if (!g) return NULL;
    if (pthread_mutex_init(&g->own, NULL) != 0) {
        wn__free(g);
        return NULL;
    }
    g->lock = &g->own;
    g->kind = kind;
    reseed(g, seed);
    return g;
}

wn_generator *wn_generator_new(uint64_t seed) { return wn__generator_new_kind(kind_wanted(), seed); }

void wn_generator_free(wn_generator *g) {
    if (!g || g == &default_gen) return;
    pthread_mutex_destroy(&g->own);
    wn__free(g);
}

void wn_generator_seed(wn_generator *g, uint64_t seed) {
    g = resolve(g);
    pthread_mutex_lock(g->lock);
    reseed(g, seed);
    pthread_mutex_unlock(g->lock);
}

void wn_manual_seed(uint64_t seed) { wn_generator_seed(NULL, seed); }

wn__rng_kind wn__generator_kind(const wn_generator *g) { return resolve(g)->kind; }

uint64_t wn__generator_seed_of(const wn_generator *g) {
    wn_generator *h = resolve(g);
    pthread_mutex_lock(h->lock);
    uint64_t seed = h->seed;
    pthread_mutex_unlock(h->lock);
    return seed;
}

wn__ticket wn__philox_take(wn_generator *g, int64_t n, int words) {
    /* Whole groups of 32 elements: normals pair element j of a group with element j + 16. */
    uint64_t groups = ((uint64_t)n + 31) / 32;
    pthread_mutex_lock(g->lock);
    wn__ticket t = {g->seed, g->offset};
    g->offset += groups * 8 * (uint64_t)words;
    pthread_mutex_unlock(g->lock);
    return t;
}

/* ------------------------------------------------------------------------------------------------- snapshots */

typedef struct philox_state {
    char magic[8];
    uint64_t seed, offset;
} philox_state;
static const char philox_magic[8] = {'w', 'n', 'p', 'h', 'i', 'l', '0', '1'};

/* The bytes of torch.get_rng_state() for the CPU, which has 64 bits for each 32-bit word of mt19937. */
typedef struct torch_state {
    uint64_t seed;
    int32_t left, seeded;
    uint64_t next;
    uint64_t state[WN__MT_N];
    double unused_x, normal, unused_rho;
    int32_t has_normal, pad;
    float float_normal; /* torch's CPU kernels never set it */
    int32_t has_float_normal;
} torch_state;
_Static_assert(sizeof(torch_state) == 5056, "torch.get_rng_state() has 5056 bytes");
_Static_assert(sizeof(philox_state) == 24, "the size rng.h promises");

size_t wn__generator_state(const wn_generator *g, void *buf, size_t cap) {
    wn_generator *h = resolve(g);
    size_t need = h->kind == WN__RNG_TORCH ? sizeof(torch_state) : sizeof(philox_state);
    if (!buf || cap < need) return need;
    pthread_mutex_lock(h->lock);
    if (h->kind == WN__RNG_TORCH) {
        torch_state s;
        memset(&s, 0, sizeof s);
        s.seed = h->seed;
        s.left = h->mt.left;
        s.seeded = 1;
        s.next = h->mt.next;
        for (int i = 0; i < WN__MT_N; i++) s.state[i] = h->mt.state[i];
        s.has_normal = h->mt.has_normal;
        s.normal = h->mt.has_normal ? h->mt.normal : 0.0;
        memcpy(buf, &s, sizeof s);
    } else {
        philox_state s = {.seed = h->seed, .offset = h->offset};
        memcpy(s.magic, philox_magic, sizeof s.magic);
        memcpy(buf, &s, sizeof s);
    }
    pthread_mutex_unlock(h->lock);
    return need;
}

static bool set_torch(wn_generator *g, const void *buf, size_t size) {
    torch_state s;
    if (size != sizeof s) return false;
    memcpy(&s, buf, sizeof s);
    if (s.seeded != 1 || s.left < 1 || s.left > WN__MT_N || s.next > WN__MT_N) return false;
    /* Reading goes on from `next` for left - 1 words: it must not pass the end (a forged state could ask for that). */
    if (s.left > 1 && s.next + (uint64_t)s.left - 1 > WN__MT_N) return false;
    g->seed = s.seed;
    g->mt.left = s.left;
    g->mt.next = (uint32_t)s.next;
    for (int i = 0; i < WN__MT_N; i++) g->mt.state[i] = (uint32_t)s.state[i];
    g->mt.has_normal = s.has_normal != 0;
    g->mt.normal = s.normal;
    return true;
}

bool wn__generator_set_state(wn_generator *g, const void *buf, size_t size) {
    g = resolve(g);
    bool ok = false;
    pthread_mutex_lock(g->lock);
    if (g->kind == WN__RNG_TORCH) {
        ok = set_torch(g, buf, size);
    } else if (size == sizeof(philox_state)) {
        philox_state s;
        memcpy(&s, buf, sizeof s);
        ok = memcmp(s.magic, philox_magic, sizeof s.magic) == 0;
        if (ok) {
            g->seed = s.seed;
            g->offset = s.offset;
        }
    }
    pthread_mutex_unlock(g->lock);
    return ok;
}

uint64_t wn_generator_initial_seed(const wn_generator *g) { return wn__generator_seed_of(g); }
size_t wn_generator_state(const wn_generator *g, void *buf, size_t cap) { return wn__generator_state(g, buf, cap); }
wn_status wn_generator_set_state(wn_generator *g, const void *buf, size_t size) {
    static const char op[] = "generator_set_state";
    size_t want = wn__generator_state(g, NULL, 0);
    if (!buf || size != want) return wn__fail(WN_E_RUNTIME, op, "RNG state is wrong size: %zu bytes, not %zu", buf ? size : (size_t)0, want);
    return wn__generator_set_state(g, buf, size) ? WN_OK : wn__fail(WN_E_RUNTIME, op, "the bytes are no state of this kind of generator");
}

/* -------------------------------------------------------------------------------------------- shared by both */

uint64_t wn__one_bits(wn_dtype dtype) {
    switch (dtype) {
    case WN_F32: return 0x3f800000u;
    case WN_F64: return 0x3ff0000000000000u;
    case WN_F16: return 0x3c00u;
    case WN_BF16: return 0x3f80u;
    default: return 1;
    }
}

INLINE void store_each(const wn_dtype dtype, void *dst, int64_t at, const int64_t *v, int n) {
    for (int i = 0; i < n; i++) {
        switch (dtype) {
        case WN_F32: ((float *)dst)[at + i] = (float)v[i]; break;
        case WN_F64: ((double *)dst)[at + i] = (double)v[i]; break;
        case WN_F16: ((uint16_t *)dst)[at + i] = wn__f32_to_f16((float)v[i]); break;
        case WN_BF16: ((uint16_t *)dst)[at + i] = wn__f32_to_bf16((float)v[i]); break;
        case WN_U8: ((uint8_t *)dst)[at + i] = (uint8_t)v[i]; break;
        case WN_I16: ((uint16_t *)dst)[at + i] = (uint16_t)v[i]; break;
        case WN_I32: ((uint32_t *)dst)[at + i] = (uint32_t)v[i]; break;
        case WN_BOOL: ((uint8_t *)dst)[at + i] = v[i] != 0; break;
        default: ((int64_t *)dst)[at + i] = v[i];
        }
    }
}
void wn__store_integers(wn_dtype dtype, void *dst, int64_t at, const int64_t *v, int n) {
    switch (dtype) {
    case WN_F32: store_each(WN_F32, dst, at, v, n); break;
    case WN_F64: store_each(WN_F64, dst, at, v, n); break;
    case WN_F16: store_each(WN_F16, dst, at, v, n); break;
    case WN_BF16: store_each(WN_BF16, dst, at, v, n); break;
    case WN_I8:
    case WN_U8: store_each(WN_U8, dst, at, v, n); break;
    case WN_I16: store_each(WN_I16, dst, at, v, n); break;
    case WN_I32: store_each(WN_I32, dst, at, v, n); break;
    case WN_BOOL: store_each(WN_BOOL, dst, at, v, n); break;
    case WN_I64: store_each(WN_I64, dst, at, v, n); break;
    default: break;
    }
}

int wn__mantissa_digits(wn_dtype dtype) {
    switch (dtype) {
    case WN_F32: return 24;
    case WN_F64: return 53;
    case WN_F16: return 11;
    case WN_BF16: return 8;
    default: return 0;
    }
}

/* v rounded to dtype and back; saturates where the C conversion would be undefined. */
static int64_t through(wn_dtype dtype, int64_t v) {
    double d = (double)v;
    if (dtype != WN_F64) {
        float f = (float)v;
        if (dtype == WN_F16) f = wn__f16_to_f32(wn__f32_to_f16(f));
        if (dtype == WN_BF16) f = wn__bf16_to_f32(wn__f32_to_bf16(f));
        d = (double)f;
    }
    return d >= 0x1p63 ? INT64_MAX : d < -0x1p63 ? INT64_MIN : (int64_t)d;
}

/* The distance between neighbouring numbers of dtype around v. */
static int64_t step_at(wn_dtype dtype, int64_t v) {
    uint64_t mag = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
    int log2 = 63 - __builtin_clzll(mag | 1);
    int shift = log2 - wn__mantissa_digits(dtype) + 1;
    return (int64_t)1 << (shift < 0 ? 0 : shift);
}

void wn__random_bounds(wn_dtype dtype, int64_t *low, int64_t *high) {
    if (!wn__mantissa_digits(dtype)) return;
    /* Like torch, test the smallest and the largest integer that may be drawn. */
    int64_t first = through(dtype, *low + 1), last = through(dtype, *high - 1);
    if (first < *low) *low = first + step_at(dtype, *low + 1);
    if (last >= *high) *high = last - step_at(dtype, *high - 1);
}

/* ------------------------------------------------------------------------------------------------------ fills */

/* Resolves *g. Is it of torch's kind? Then its lock is held until `unlock`. */
static bool lock_torch(wn_generator **g) {
    *g = resolve(*g);
    if ((*g)->kind != WN__RNG_TORCH) return false;
    pthread_mutex_lock((*g)->lock);
    return true;
}
static void unlock(wn_generator *g) { pthread_mutex_unlock(g->lock); }

#define FILL(name, ...)                                                                                                \
    if (n > 0 && lock_torch(&g)) wn__mt_##name(&g->mt, __VA_ARGS__), unlock(g);                                        \
    else if (n > 0) wn__philox_##name(g, __VA_ARGS__)

void wn__random_uniform(wn_generator *g, wn_dtype dtype, void *dst, int64_t n, double low, double high) {
    WN_ASSERT(n >= 0 && (dst || n == 0));
    FILL(uniform, dtype, dst, n, low, high);
}
void wn__random_normal(wn_generator *g, wn_dtype dtype, void *dst, int64_t n, double mean, double std) {
    WN_ASSERT(n >= 0 && (dst || n == 0));
    FILL(normal, dtype, dst, n, mean, std);
}
void wn__random_exponential(wn_generator *g, wn_dtype dtype, void *dst, int64_t n, double lambda) {
    WN_ASSERT(n >= 0 && (dst || n == 0));
    FILL(exponential, dtype, dst, n, lambda);
}
void wn__random_bernoulli(wn_generator *g, wn_dtype dtype, void *dst, int64_t n, double p) {
    WN_ASSERT(n >= 0 && (dst || n == 0));
    FILL(bernoulli, dtype, dst, n, p);
}
void wn__random_bernoulli_each(wn_generator *g, wn_dtype dtype, void *dst, int64_t n, wn_dtype p_dtype, const void *p) {
    FILL(bernoulli_each, dtype, dst, n, p_dtype, p);
}
bool wn__draws_can_wait(const wn_generator *g, wn_dtype dtype) {
    return (dtype == WN_F32 || dtype == WN_F64) && resolve(g)->kind == WN__RNG_PHILOX;
}
wn__draws *wn__draws_new(wn_generator *g, wn_dtype dtype, int64_t n, bool normal, double a, double b) {
    WN_ASSERT(n >= 0 && wn__draws_can_wait(g, dtype));
    return wn__philox_draws(resolve(g), dtype, n, normal, a, b);
}

void wn__random_permutation(wn_generator *g, int64_t *dst, int64_t n) { FILL(permutation, dst, n); }

static void integers(wn_generator *g, wn_dtype dtype, void *dst, int64_t n, wn__int_draw draw) {
    FILL(integers, dtype, dst, n, draw);
}
void wn__random_range(wn_generator *g, wn_dtype dtype, void *dst, int64_t n, int64_t base, uint64_t range) {
    WN_ASSERT(n >= 0 && (dst || n == 0));
    /* torch takes 64 bits from 2^28 on. Philox takes them from 2^16 on: the bias, range / 2^32, stays under 2^-16. */
    uint64_t limit = resolve(g)->kind == WN__RNG_TORCH ? (uint64_t)1 << 28 : (uint64_t)1 << 16;
    integers(g, dtype, dst, n, (wn__int_draw){range ? base : 0, range, range == 0 || range >= limit});
}
void wn__random_integers(wn_generator *g, wn_dtype dtype, void *dst, int64_t n, int64_t low, int64_t high) {
    WN_ASSERT(n >= 0 && (dst || n == 0));
    wn__random_bounds(dtype, &low, &high);
    uint64_t range = low < high ? (uint64_t)high - (uint64_t)low : 1;
    wn__random_range(g, dtype, dst, n, low, range);
}
void wn__random_any(wn_generator *g, wn_dtype dtype, void *dst, int64_t n) {
    WN_ASSERT(n >= 0 && (dst || n == 0));
    wn__int_draw draw = {0, 2, dtype == WN_F64 || dtype == WN_I64}; /* bool: the lowest bit */
    switch (dtype) {
    case WN_I8: draw.range = (uint64_t)1 << 7; break;
    case WN_U8: draw.range = (uint64_t)1 << 8; break;
    case WN_I16: draw.range = (uint64_t)1 << 15; break;
    case WN_I32: draw.range = (uint64_t)1 << 31; break;
    case WN_I64: draw.range = (uint64_t)1 << 63; break;
    case WN_F32:
    case WN_F64:
    case WN_F16:
    case WN_BF16: draw.range = ((uint64_t)1 << wn__mantissa_digits(dtype)) + 1; break;
    default: break;
    }
    integers(g, dtype, dst, n, draw);
}
