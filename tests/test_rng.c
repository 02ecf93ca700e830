/* Random streams: Philox against published answers and golden hashes on every level and thread count, statistics at fixed
 * seeds, generators; and WINNOW_RNG=torch against hashes made by PyTorch 2.13 (tests/data/rng_torch.h).
 *
 *   test_rng            everything
 *   test_rng --golden   prints tests/data/rng_philox.h
 *   test_rng --env      (run by the test itself, with WINNOW_RNG=torch set) */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/half.h"
#include "tensor/rng.h"
#include "base/level.h"
#include "data/rng_philox.h"
#include "data/rng_torch.h"

static int passed, failed;
#define CHECK(ok, ...)                                                                                                 \
    do {                                                                                                               \
        if (ok) {                                                                                                      \
            passed++;                                                                                                  \
        } else {                                                                                                       \
            failed++;                                                                                                  \
            printf("%s:%d: ", __FILE__, __LINE__);                                                                     \
            printf(__VA_ARGS__);                                                                                       \
            printf("\n");                                                                                              \
        }                                                                                                              \
    } while (0)

static const uint64_t hash_start = 0xcbf29ce484222325u;
static uint64_t hash(uint64_t h, const void *p, size_t n) {
    const unsigned char *b = p;
    for (size_t i = 0; i < n; i++) h = (h ^ b[i]) * 0x100000001b3u;
    return h;
}

/* ------------------------------------------------------------------------- the cases shared with PyTorch */

enum { RAND, UNIFORM, RANDN, NORMAL, EXPONENTIAL, BERNOULLI, EACH, INTEGERS, ANY, PERMUTATION, FULL, KINDS };
static const char *const kind_names[KINDS] = {"rand", "uniform", "randn", "normal", "exponential", "bernoulli",
                                              "each", "integers", "any",   "permutation", "full"};
static bool all_dtypes(int kind) { return kind >= BERNOULLI && kind <= ANY; }
static bool long_only(int kind) { return kind >= PERMUTATION; }

enum { LARGEST = 100003 };
static const int64_t bounds[11][2] = {{0, 0},        {-16777216, 16777216}, {-5, (int64_t)1 << 40}, {-2048, 2048},
                                      {-256, 256},   {-100, 100},           {-30000, 30000},        {-7, (1 << 28) - 7},
                                      {0, (1 << 28) - 1}, {3, 200},         {0, 2}};

/* dst has room for 8 n bytes. The parameters are those of the script that made rng_torch.h. */
static void draw(wn_generator *g, int kind, wn_dtype d, int64_t n, void *dst) {
    switch (kind) {
    case RAND: wn__random_uniform(g, d, dst, n, 0, 1); break;
    case UNIFORM: wn__random_uniform(g, d, dst, n, -0.37, 1.91); break;
    case RANDN: wn__random_normal(g, d, dst, n, 0, 1); break;
    case NORMAL: wn__random_normal(g, d, dst, n, 0.3, 1.7); break;
    case EXPONENTIAL: wn__random_exponential(g, d, dst, n, 0.3); break;
    case BERNOULLI: wn__random_bernoulli(g, d, dst, n, 0.3); break;
    case EACH: {
        static double p[LARGEST];
        static float p32[LARGEST];
        for (int64_t i = 0; i < n; i++) p32[i] = (float)(p[i] = (double)(i % 17) / 16);
        if (d % 2) wn__random_bernoulli_each(g, d, dst, n, WN_F32, p32);
        else wn__random_bernoulli_each(g, d, dst, n, WN_F64, p);
        break;
    }
    case INTEGERS: wn__random_integers(g, d, dst, n, bounds[d][0], bounds[d][1]); break;
    case ANY: wn__random_any(g, d, dst, n); break;
    case PERMUTATION: wn__random_permutation(g, dst, n); break;
    case FULL: wn__random_range(g, WN_I64, dst, n, 0, 0); break;
    default: break;
    }
}

static const uint64_t seeds[4] = {0, 1, 42, ((uint64_t)1 << 40) + 7};
static const int sizes[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22,
                            23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 100, 1000, LARGEST};
enum { SIZES = sizeof sizes / sizeof *sizes };

static uint64_t row_hash(wn_generator *g, uint64_t seed, int kind, wn_dtype d, void *buf) {
    uint64_t h = hash_start;
    for (int s = 0; s < SIZES; s++) {
        wn_generator_seed(g, seed);
        draw(g, kind, d, sizes[s], buf);
        h = hash(h, buf, (size_t)sizes[s] * wn_dtype_size(d));
    }
    return h;
}

/* Calls of all kinds, one after the other on one stream: normals that wait from one call to the next and so on. */
static uint64_t mixed_hash(wn_generator *g, uint64_t seed, void *buf) {
    uint64_t h = hash_start, r = seed;
    wn_generator_seed(g, seed);
    for (int i = 0; i < 2000; i++) {
        r = r * 6364136223846793005u + 1442695040888963407u;
        int kind = (int)((r >> 33) % KINDS);
        wn_dtype d = (wn_dtype)(1 + (r >> 40) % (all_dtypes(kind) ? 10 : 4));
        if (long_only(kind)) d = WN_I64;
        int64_t n = (int64_t)((r >> 50) % ((r >> 63) ? 600 : 40));
        draw(g, kind, d, n, buf);
        h = hash(h, buf, (size_t)n * wn_dtype_size(d));
    }
    return h;
}

static double value(wn_dtype d, const void *p, int64_t i) {
    switch (d) {
    case WN_F32: return (double)((const float *)p)[i];
    case WN_F64: return ((const double *)p)[i];
    case WN_F16: return (double)wn__f16_to_f32(((const uint16_t *)p)[i]);
    case WN_BF16: return (double)wn__bf16_to_f32(((const uint16_t *)p)[i]);
    default: return 0;
    }
}

/* Does this machine's C library give the last bits that PyTorch had when rng_torch.h was made? */
static uint64_t libm_hash(void) {
    uint64_t h = hash_start;
    for (int i = 1; i < 5000; i++) {
        volatile double x = (double)i / 5003;
        double v[4] = {log(x), log1p(-x), sin(6.25 * x), cos(6.25 * x)};
        h = hash(h, v, sizeof v);
    }
    return h;
}

static void test_torch(void *buf) {
    wn_generator *g = wn__generator_new_kind(WN__RNG_TORCH, 0);
    bool same_libm = libm_hash() == torch_libm;
    if (!same_libm) printf("note: another libm than PyTorch's; what goes through it is compared by value\n");
    int row = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        for (int d = 1; d <= (long_only(kind) ? 1 : all_dtypes(kind) ? 10 : 4); d++, row++) {
            wn_dtype dtype = long_only(kind) ? WN_I64 : (wn_dtype)d;
            bool libm = kind >= RANDN && kind <= EXPONENTIAL;
            for (int s = 0; s < 4; s++) {
                if (libm && !same_libm) continue;
                uint64_t h = row_hash(g, seeds[s], kind, dtype, buf);
                CHECK(h == torch_rows[row][s], "torch %s %s seed %llu: %016llx, expected %016llx", kind_names[kind],
                      wn_dtype_name(dtype), (unsigned long long)seeds[s], (unsigned long long)h,
                      (unsigned long long)torch_rows[row][s]);
            }
            if (kind > EXPONENTIAL) continue;
            for (int few = 0; few < 2; few++) { /* 4 of 10 elements and 4 of 100 */
                wn_generator_seed(g, 42);
                draw(g, kind, dtype, few ? 10 : 100, buf);
                for (int i = 0; i < 4; i++) {
                    double got = value(dtype, buf, i), want = torch_leading[row][few][i];
                    double eps = dtype == WN_F64 ? 1e-15 : dtype == WN_F32 ? 2e-7 : dtype == WN_F16 ? 1e-3 : 8e-3;
                    CHECK(fabs(got - want) <= (same_libm ? 0 : eps * fabs(want)), "torch %s %s [%d]: %.17g, expected %.17g",
                          kind_names[kind], wn_dtype_name(dtype), i, got, want);
                }
            }
        }
    }
    for (int s = 0; s < 4 && same_libm; s++) {
        uint64_t h = mixed_hash(g, seeds[s], buf);
        CHECK(h == torch_mixed[s][0], "torch mixed seed %llu", (unsigned long long)seeds[s]);
        unsigned char state[5056];
        wn__generator_state(g, state, sizeof state);
        h = hash(hash_start, state, sizeof state);
        CHECK(h == torch_mixed[s][1], "torch state after mixed, seed %llu", (unsigned long long)seeds[s]);
    }
    wn_generator_free(g);
}

/* ---------------------------------------------------------------------------------------------------- Philox */

static void test_known_answers(void) {
    static const uint32_t rows[3][10] = {
        {0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
        {~0u, ~0u, ~0u, ~0u, ~0u, ~0u, 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
        {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0xd16cfe09, 0x94fdcceb, 0x5001e420,
         0x24126ea1}};
    for (int i = 0; i < 3; i++) {
        uint32_t out[4];
        wn__philox4x32(rows[i], rows[i] + 4, out);
        CHECK(memcmp(out, rows[i] + 6, sizeof out) == 0, "Random123 vector %d", i);
    }
}

/* The words behind the elements are the cipher's, also where the low half of the counter runs over. */
static void test_words(void) {
    enum { N = 1000 };
    static int64_t got[N];
    static const uint64_t offsets[] = {0, 8, 0xfffffff0u, 0xfffffffffffffff0u};
    const uint64_t seed = 0x123456789abcdef0u;
    wn_generator *g = wn__generator_new_kind(WN__RNG_PHILOX, seed);
    for (int o = 0; o < 4; o++) {
        unsigned char state[24];
        wn__generator_state(g, state, sizeof state);
        memcpy(state + 16, &offsets[o], 8);
        CHECK(wn__generator_set_state(g, state, sizeof state), "set_state");
        wn__random_range(g, WN_I64, got, N, 0, 0);
        int bad = 0;
        for (int i = 0; i < N; i++) {
            uint64_t word[2];
            for (int half = 0; half < 2; half++) {
                uint64_t w = (uint64_t)(64 * (i / 32) + 32 * half + i % 32), c = offsets[o] + w / 4;
                uint32_t counter[4] = {(uint32_t)c, (uint32_t)(c >> 32), 0, 0}, out[4];
                uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
                wn__philox4x32(counter, key, out);
                word[half] = out[w % 4];
            }
            bad += (uint64_t)got[i] != (word[1] << 32 | word[0]);
        }
        CHECK(bad == 0, "%d words differ from the cipher at offset %llx", bad, (unsigned long long)offsets[o]);
    }
    wn_generator_free(g);
}

static int philox_rows(wn_generator *g, void *buf, uint64_t out[][2]) {
    int row = 0;
    for (int kind = 0; kind < KINDS; kind++)
        for (int d = 1; d <= (long_only(kind) ? 1 : all_dtypes(kind) ? 10 : 4); d++, row++)
            for (int s = 0; s < 2; s++)
                out[row][s] = row_hash(g, seeds[2 + s], kind, long_only(kind) ? WN_I64 : (wn_dtype)d, buf);
    return row;
}

static void test_golden(void *buf) {
    uint64_t rows[PHILOX_ROWS][2];
    wn_generator *g = wn__generator_new_kind(WN__RNG_PHILOX, 0);
    int before = wn__cpu_level();
    for (int l = 0; l <= wn__cpu_level_max(); l++) {
        wn__cpu_level_set(l);
        int n = philox_rows(g, buf, rows);
        for (int r = 0; r < n; r++)
            for (int s = 0; s < 2; s++)
                CHECK(rows[r][s] == philox_rows_expected[r][s], "level %s: golden row %d, seed %d", wn_level(), r, s);
        CHECK(mixed_hash(g, 42, buf) == philox_mixed, "level %s: golden mixed", wn_level());
    }
    wn__cpu_level_set(before);
    wn_generator_free(g);
}

/* Thread counts, lengths and places in memory do not show in the bits. */
static void test_invariance(unsigned char *buf) {
    static const int counts[] = {100000, 65536, 4097, 256, 255, 33, 31, 1, 0};
    unsigned char *other = malloc(8 * LARGEST + 64);
    wn_generator *g = wn__generator_new_kind(WN__RNG_PHILOX, 0);
    if (!other || !g) exit(2);
    int threads = wn_num_threads();
    for (int kind = 0; kind < KINDS; kind++) {
        for (int d = 1; d <= (long_only(kind) ? 1 : all_dtypes(kind) ? 10 : 4); d++) {
            wn_dtype dtype = long_only(kind) ? WN_I64 : (wn_dtype)d;
            size_t size = wn_dtype_size(dtype);
            wn_set_num_threads(1);
            wn_generator_seed(g, 5);
            draw(g, kind, dtype, LARGEST, buf);
            for (int i = 0; i < 9; i++) {
                if (kind == PERMUTATION) continue; /* depends on n */
                int64_t n = counts[i];
                wn_set_num_threads(1 + i % 4);
                unsigned char *to = other + 16 + (i % 3) * size;
                memset(other, 0xa5, 8 * LARGEST + 64);
                wn_generator_seed(g, 5);
                draw(g, kind, dtype, n, to);
                bool same = memcmp(to, buf, (size_t)n * size) == 0;
                bool kept = true;
                for (int b = 1; b <= 16; b++) kept &= to[-b] == 0xa5 && to[(size_t)n * size + (size_t)b - 1] == 0xa5;
                CHECK(same, "%s %s: %lld elements differ by length or threads", kind_names[kind], wn_dtype_name(dtype),
                      (long long)n);
                CHECK(kept, "%s %s: %lld elements: wrote outside", kind_names[kind], wn_dtype_name(dtype), (long long)n);
            }
        }
    }
    wn_set_num_threads(threads);
    wn_generator_free(g);
    free(other);
}

/* ------------------------------------------------------------------------------------------------ statistics */

static double chi_square(const int64_t *count, const double *expected, int bins) {
    double sum = 0;
    for (int i = 0; i < bins; i++) sum += ((double)count[i] - expected[i]) * ((double)count[i] - expected[i]) / expected[i];
    return sum;
}
/* Within 5 standard deviations of the chi-square distribution; seeds are fixed, so this cannot flicker. */
static bool chi_ok(double x, int bins) {
    double k = bins - 1;
    return fabs(x - k) < 5 * sqrt(2 * k);
}

enum { MANY = 1 << 20 };
typedef struct moments {
    double mean, var, skew, kurt, lag1, lag16, min, max;
} moments;
static moments moments_of(wn_dtype d, const void *p, int64_t n) {
    moments m = {.min = INFINITY, .max = -INFINITY};
    for (int64_t i = 0; i < n; i++) {
        double v = value(d, p, i);
        m.mean += v / (double)n;
        if (v < m.min) m.min = v;
        if (v > m.max) m.max = v;
    }
    for (int64_t i = 0; i < n; i++) {
        double c = value(d, p, i) - m.mean;
        m.var += c * c / (double)n;
        m.skew += c * c * c / (double)n;
        m.kurt += c * c * c * c / (double)n;
        if (i >= 1) m.lag1 += c * (value(d, p, i - 1) - m.mean) / (double)n;
        if (i >= 16) m.lag16 += c * (value(d, p, i - 16) - m.mean) / (double)n;
    }
    m.skew /= pow(m.var, 1.5);
    m.kurt /= m.var * m.var;
    m.lag1 /= m.var;
    m.lag16 /= m.var;
    return m;
}

/* Draws made later, in parts of any kind: the bits of the fill at once, and the stream is as far on. */
static void test_draws(void) {
    static const int64_t lengths[] = {1, 31, 32, 255, 256, 257, 511, 513, 1000, 4097, 20001};
    enum { MOST = 20001 };
    static double now[MOST + 1], later[MOST + 1];
    wn_generator *a = wn__generator_new_kind(WN__RNG_PHILOX, 99), *b = wn__generator_new_kind(WN__RNG_PHILOX, 99);
    uint32_t h = 1;
    for (int way = 0; way < 4; way++) {
        const wn_dtype dtype = way & 1 ? WN_F64 : WN_F32;
        const size_t size = way & 1 ? 8 : 4;
        for (size_t s = 0; s < sizeof lengths / sizeof *lengths; s++) {
            const int64_t n = lengths[s];
            if (way & 2) wn__random_normal(a, dtype, now, n, 1, 3);
            else wn__random_uniform(a, dtype, now, n, -1, 2);
            wn__draws *d = wn__draws_new(b, dtype, n, way & 2, way & 2 ? 1 : -1, way & 2 ? 3 : 2);
            bool same = d != NULL;
            for (int turn = 0; turn < 6 && same; turn++) {
                memset(later, 0x5a, sizeof later);
                for (int64_t at = 0; at < n;) { /* blocks, rows of odd lengths, any lengths */
                    static const int64_t parts[] = {256, 1, 97, 257, 2048};
                    h = h * 1664525u + 1013904223u;
                    int64_t m = turn < 5 ? parts[turn] : 1 + (int64_t)(h >> 20) % 900;
                    if (m > n - at) m = n - at;
                    wn__draws_part(d, at, m, (char *)later + (size_t)at * size);
                    at += m;
                }
                same &= !memcmp(now, later, (size_t)n * size) && ((unsigned char *)later)[(size_t)n * size] == 0x5a;
            }
            if (d) wn__draws_free(d);
            CHECK(same, "draws made later: kind %d, %lld elements", way, (long long)n);
            unsigned char x[24], y[24];
            CHECK(wn__generator_state(a, x, 24) == 24 && wn__generator_state(b, y, 24) == 24 && !memcmp(x, y, 24), "the stream after draws made later: kind %d, %lld elements", way, (long long)n);
        }
    }
    wn_generator *t = wn__generator_new_kind(WN__RNG_TORCH, 1);
    CHECK(wn__draws_can_wait(a, WN_F32) && wn__draws_can_wait(a, WN_F64) && !wn__draws_can_wait(a, WN_F16) && !wn__draws_can_wait(t, WN_F32), "which draws can wait");
    wn_fail_allocation(0);
    wn__draws *none = wn__draws_new(b, WN_F32, 100, false, 0, 1);
    wn_fail_allocation(-1);
    float u, v;
    wn__random_uniform(a, WN_F32, &u, 1, 0, 1), wn__random_uniform(b, WN_F32, &v, 1, 0, 1);
    CHECK(!none && u == v, "no memory: nothing is taken");
    wn_generator_free(a), wn_generator_free(b), wn_generator_free(t);
}

static void test_real_statistics(wn__rng_kind which, void *buf) {
    wn_generator *g = wn__generator_new_kind(which, 2024);
    const double root = 1.0 / sqrt(MANY), n = MANY;
    for (int di = 1; di <= 4; di++) {
        wn_dtype d = (wn_dtype)di;
        double grain = d == WN_BF16 ? 4e-3 : d == WN_F16 ? 5e-4 : 0; /* the clamped upper end shifts the mean of halves */
        const char *name = wn_dtype_name(d);
        wn__random_uniform(g, d, buf, MANY, -1, 3);
        moments m = moments_of(d, buf, MANY);
        CHECK(fabs(m.mean - 1) < 5 * root * 1.155 + 4 * grain, "uniform %s mean %g", name, m.mean);
        CHECK(fabs(m.var - 16.0 / 12) < 0.01 + 4 * grain, "uniform %s variance %g", name, m.var);
        CHECK(m.min >= -1 && m.max < 3, "uniform %s range %g %g", name, m.min, m.max);
        CHECK(fabs(m.lag1) < 5 * root && fabs(m.lag16) < 5 * root, "uniform %s correlation %g %g", name, m.lag1, m.lag16);
        if (d <= WN_F64) {
            int64_t count[256] = {0};
            double expected[256];
            for (int i = 0; i < 256; i++) expected[i] = n / 256;
            for (int i = 0; i < MANY; i++) count[(int)((value(d, buf, i) + 1) * 64)]++;
            CHECK(chi_ok(chi_square(count, expected, 256), 256), "uniform %s chi-square", name);
        }

        wn__random_normal(g, d, buf, MANY, 2, 0.5);
        m = moments_of(d, buf, MANY);
        CHECK(fabs(m.mean - 2) < 5 * root * 0.5 + grain, "normal %s mean %g", name, m.mean);
        CHECK(fabs(m.var - 0.25) < 5 * root * 0.25 * 1.42 + grain / 4, "normal %s variance %g", name, m.var);
        CHECK(fabs(m.skew) < 5 * root * 2.45, "normal %s skew %g", name, m.skew);
        CHECK(fabs(m.kurt - 3) < 5 * root * 4.9 + grain, "normal %s kurtosis %g", name, m.kurt);
        CHECK(fabs(m.lag1) < 5 * root && fabs(m.lag16) < 5 * root, "normal %s correlation %g %g", name, m.lag1, m.lag16);
        if (d <= WN_F64) {
            enum { BINS = 62 };
            int64_t count[BINS] = {0};
            double expected[BINS];
            for (int i = 0; i < BINS; i++) {
                double lo = (i - BINS / 2) / 10.0, hi = lo + 0.1;
                double below = i == 0 ? 0 : 0.5 * erfc(-lo / sqrt(2)), above = i == BINS - 1 ? 1 : 0.5 * erfc(-hi / sqrt(2));
                expected[i] = n * (above - below);
            }
            for (int i = 0; i < MANY; i++) {
                int b = (int)floor((value(d, buf, i) - 2) / 0.5 * 10) + BINS / 2;
                count[b < 0 ? 0 : b >= BINS ? BINS - 1 : b]++;
            }
            CHECK(chi_ok(chi_square(count, expected, BINS), BINS), "normal %s chi-square", name);
            CHECK(m.max > 2 + 0.5 * 4.3 && m.min < 2 - 0.5 * 4.3 && m.max < 2 + 0.5 * 6.5, "normal %s tails %g %g", name,
                  m.min, m.max);
        }

        wn__random_exponential(g, d, buf, MANY, 2);
        m = moments_of(d, buf, MANY);
        CHECK(fabs(m.mean - 0.5) < 5 * root * 0.5 + grain / 4, "exponential %s mean %g", name, m.mean);
        CHECK(fabs(m.var - 0.25) < 5 * root * 0.25 * 2.83 + grain / 4, "exponential %s variance %g", name, m.var);
        CHECK(m.min >= 0 && (which == WN__RNG_TORCH || d > WN_F64 || m.min > 0), "exponential %s minimum %g", name, m.min);
    }
    wn_generator_free(g);
}

static void test_discrete_statistics(wn__rng_kind which, void *buf) {
    wn_generator *g = wn__generator_new_kind(which, 7);
    static const double ps[] = {0, 1e-4, 0.1, 0.5, 0.9, 1};
    for (int i = 0; i < 6; i++) {
        double p = ps[i], sd = sqrt(MANY * p * (1 - p));
        int64_t ones = 0;
        wn__random_bernoulli(g, WN_U8, buf, MANY, p);
        for (int k = 0; k < MANY; k++) ones += ((const uint8_t *)buf)[k];
        CHECK(fabs((double)ones - MANY * p) <= 5 * sd, "bernoulli %g: %lld", p, (long long)ones);
        double *each = malloc(MANY * sizeof *each);
        for (int k = 0; k < MANY; k++) each[k] = p;
        ones = 0;
        wn__random_bernoulli_each(g, WN_BOOL, buf, MANY, WN_F64, each);
        for (int k = 0; k < MANY; k++) ones += ((const uint8_t *)buf)[k];
        CHECK(fabs((double)ones - MANY * p) <= 5 * sd, "bernoulli each %g: %lld", p, (long long)ones);
        free(each);
    }
    static const int64_t ranges[] = {2, 10, 97, 1000};
    for (int i = 0; i < 4; i++) {
        int64_t count[1000] = {0};
        double expected[1000];
        int bad = 0;
        wn__random_integers(g, WN_I32, buf, MANY, -5, ranges[i] - 5);
        for (int k = 0; k < MANY; k++) {
            int32_t v = ((const int32_t *)buf)[k] + 5;
            if (v < 0 || v >= ranges[i]) bad++;
            else count[v]++;
        }
        for (int k = 0; k < ranges[i]; k++) expected[k] = MANY / (double)ranges[i];
        CHECK(bad == 0, "integers below %lld: %d outside", (long long)ranges[i], bad);
        CHECK(chi_ok(chi_square(count, expected, (int)ranges[i]), (int)ranges[i]), "integers below %lld: chi-square",
              (long long)ranges[i]);
    }
    /* All 24 orders of four things. */
    int64_t count[256] = {0}, order[24];
    double expected[24];
    int found = 0;
    for (int i = 0; i < 24000; i++) {
        int64_t v[4];
        wn__random_permutation(g, v, 4);
        count[(v[0] | v[1] << 2 | v[2] << 4 | v[3] << 6) & 255]++;
    }
    for (int i = 0; i < 256; i++)
        if (count[i] && found < 24) {
            expected[found] = 1000;
            order[found++] = count[i];
        }
    CHECK(found == 24 && chi_ok(chi_square(order, expected, 24), 24), "permutations of 4: %d orders", found);
    enum { LONG = 100000 };
    int64_t *v = buf;
    wn__random_permutation(g, v, LONG);
    unsigned char *seen = calloc(LONG, 1);
    int distinct = 0, fixed = 0;
    for (int i = 0; i < LONG; i++) {
        fixed += v[i] == i;
        if (v[i] >= 0 && v[i] < LONG && !seen[v[i]]++) distinct++;
    }
    free(seen);
    CHECK(distinct == LONG && fixed < 10, "permutation: %d distinct, %d fixed", distinct, fixed);
    wn_generator_free(g);
}

/* ------------------------------------------------------------------------------------------------ generators */

static void test_bounds(void) {
    static const struct {
        wn_dtype d;
        int64_t low, high, want_low, want_high;
    } rows[] = {{WN_I32, -7, 9, -7, 9},          {WN_F32, -7, 9, -7, 9},           {WN_F16, 0, 65504, 0, 65472},
                {WN_BF16, 0, 1000, 0, 1000 - 4}, {WN_F32, 0, 16777218, 0, 16777218}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int64_t low = rows[i].low, high = rows[i].high;
        wn__random_bounds(rows[i].d, &low, &high);
        CHECK(low == rows[i].want_low && high == rows[i].want_high, "bounds row %d: %lld %lld", (int)i, (long long)low,
              (long long)high);
    }
}

static void test_generators(wn__rng_kind which, unsigned char *buf) {
    unsigned char *b = buf + 4096;
    wn_generator *g = wn__generator_new_kind(which, 11), *h = wn__generator_new_kind(which, 11);
    CHECK(wn__generator_kind(g) == which && wn__generator_seed_of(g) == 11, "kind and seed");
    wn__random_normal(g, WN_F32, buf, 7, 0, 1);
    wn__random_normal(h, WN_F32, b, 7, 0, 1);
    CHECK(memcmp(buf, b, 28) == 0, "same seed, same numbers");
    wn__random_normal(g, WN_F32, b, 7, 0, 1);
    CHECK(memcmp(buf, b, 28) != 0, "the stream moves on");
    unsigned char state[6000];
    size_t size = wn__generator_state(g, NULL, 0);
    CHECK(size == (which == WN__RNG_TORCH ? 5056 : 24), "size of a state");
    CHECK(wn__generator_state(g, state, sizeof state) == size, "state");
    wn__random_uniform(g, WN_F32, buf, 0, 0, 1);
    wn__random_normal(g, WN_F64, buf, 9, 0, 1);
    CHECK(wn__generator_set_state(h, state, size), "set_state");
    wn__random_normal(h, WN_F64, b, 9, 0, 1);
    CHECK(memcmp(buf, b, 72) == 0, "state restored on another generator");
    CHECK(!wn__generator_set_state(h, state, size - 1), "short state refused");
    memset(state, 0xff, sizeof state);
    CHECK(!wn__generator_set_state(h, state, size), "garbage refused");
    wn_generator *other = wn__generator_new_kind(which == WN__RNG_TORCH ? WN__RNG_PHILOX : WN__RNG_TORCH, 1);
    size_t other_size = wn__generator_state(other, state, sizeof state);
    CHECK(!wn__generator_set_state(h, state, other_size), "state of another kind refused");
    wn_generator_free(other);
    wn_generator_seed(g, 11);
    wn_generator_seed(h, 11);
    wn__random_uniform(g, WN_F64, buf, 9, 0, 1);
    wn__random_uniform(h, WN_F64, b, 9, 0, 1);
    CHECK(memcmp(buf, b, 72) == 0, "reseeded");
    wn_generator_free(g);
    wn_generator_free(h);
    wn_generator_free(NULL);
    wn_fail_allocation(0);
    CHECK(!wn_generator_new(1), "no memory, no generator");
    wn_fail_allocation(-1);
}

static void test_default(unsigned char *buf) {
    wn_generator *g = wn__default_generator();
    CHECK(g && g == wn__default_generator(), "one default generator");
    CHECK(wn__generator_kind(NULL) == WN__RNG_PHILOX, "Philox unless asked otherwise");
    CHECK(wn__generator_seed_of(NULL) == 67280421310721u, "default seed");
    wn_manual_seed(3);
    wn_generator *h = wn_generator_new(3);
    wn__random_uniform(NULL, WN_F32, buf, 10, 0, 1);
    wn__random_uniform(h, WN_F32, buf + 64, 10, 0, 1);
    CHECK(memcmp(buf, buf + 64, 40) == 0, "wn_manual_seed seeds the default generator");
    wn_generator_free(h);
    wn_generator_free(g); /* harmless */
    CHECK(wn__generator_seed_of(NULL) == 3, "the default generator outlives a free");
}

/* Threads that draw from one generator get disjoint parts of its stream, and all of it. */
enum { THREADS = 4, TURNS = 500, EACH_TURN = 32 };
typedef struct drawer {
    pthread_t thread;
    wn_generator *g;
    int64_t v[TURNS * EACH_TURN];
} drawer;
static void *draw_turns(void *p) {
    drawer *d = p;
    for (int i = 0; i < TURNS; i++) wn__random_range(d->g, WN_I64, d->v + i * EACH_TURN, EACH_TURN, 0, 0);
    return NULL;
}
static int by_value(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}
static void test_threads(wn__rng_kind which) {
    enum { ALL = THREADS * TURNS * EACH_TURN };
    drawer *d = calloc(THREADS, sizeof *d);
    int64_t *one = malloc(2 * ALL * sizeof *one), *many = one + ALL;
    wn_generator *g = wn__generator_new_kind(which, 99);
    for (int i = 0; i < THREADS; i++) {
        d[i].g = g;
        if (pthread_create(&d[i].thread, NULL, draw_turns, &d[i]) != 0) exit(2);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(d[i].thread, NULL);
        memcpy(many + i * TURNS * EACH_TURN, d[i].v, sizeof d[i].v);
    }
    wn_generator_seed(g, 99);
    wn__random_range(g, WN_I64, one, ALL, 0, 0);
    qsort(one, ALL, sizeof *one, by_value);
    qsort(many, ALL, sizeof *many, by_value);
    CHECK(memcmp(one, many, ALL * sizeof *one) == 0, "concurrent draws share the stream out");
    wn_generator_free(g);
    free(one);
    free(d);
}

/* WINNOW_RNG is read once for a process, so another process has to look. */
static void test_environment(const char *self) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        setenv("WINNOW_RNG", "torch", 1);
        execl(self, self, "--env", (char *)NULL);
        _exit(127);
    }
    int status = -1;
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
        printf("note: this program cannot start itself (an emulator?); WINNOW_RNG not tested\n");
        return;
    }
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0, "WINNOW_RNG=torch in the environment: status %d", status);
}
static int in_environment(void) {
    float v[2];
    wn_generator *g = wn_generator_new(42);
    wn__random_uniform(g, WN_F32, v, 2, 0, 1);
    bool ok = wn__generator_kind(NULL) == WN__RNG_TORCH && v[0] == 0.88226926326751709f && v[1] == 0.91500395536422729f;
    wn_generator_free(g);
    return ok ? 0 : 1;
}

static void print_golden(void *buf) {
    uint64_t rows[100][2];
    wn_generator *g = wn__generator_new_kind(WN__RNG_PHILOX, 0);
    int n = philox_rows(g, buf, rows);
    printf("/* Made by `test_rng --golden`: the bits of winnow's own streams, the same on every level, compiler and machine. */\n");
    printf("enum { PHILOX_ROWS = %d };\nstatic const uint64_t philox_rows_expected[PHILOX_ROWS][2] = {\n", n);
    for (int r = 0; r < n; r++)
        printf("    {0x%016llxu, 0x%016llxu},\n", (unsigned long long)rows[r][0], (unsigned long long)rows[r][1]);
    printf("};\nstatic const uint64_t philox_mixed = 0x%016llxu;\n", (unsigned long long)mixed_hash(g, 42, buf));
    wn_generator_free(g);
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "--env") == 0) return in_environment();
    unsigned char *buf = malloc(8 * MANY);
    if (!buf) return 2;
    if (argc > 1 && strcmp(argv[1], "--golden") == 0) {
        print_golden(buf);
        free(buf);
        return 0;
    }
    unsetenv("WINNOW_RNG");
    test_known_answers();
    test_words();
    test_golden(buf);
    test_invariance(buf);
    test_draws();
    for (int which = WN__RNG_PHILOX; which <= WN__RNG_TORCH; which++) {
        test_real_statistics((wn__rng_kind)which, buf);
        test_discrete_statistics((wn__rng_kind)which, buf);
        test_generators((wn__rng_kind)which, buf);
        test_threads((wn__rng_kind)which);
    }
    test_default(buf);
    test_bounds();
    int before = wn__cpu_level();
    for (int l = 0; l <= wn__cpu_level_max(); l++) {
        if (l == WN__LEVEL_AVX512) continue; /* the same code as for AVX2 */
        wn__cpu_level_set(l);
        test_torch(buf);
    }
    wn__cpu_level_set(before);
    test_environment("/proc/self/exe");
    free(buf);
    printf("%d passed, %d failed\n", passed, failed);
    return failed ? 1 : 0;
}
