/* Sorting of several lines side by side by a network (merge exchange: Knuth, The Art of Computer Programming 5.2.2, algorithm M), which
 * compares the same places whatever the elements are: no branch depends on them, and every comparison is one of vectors. x[i * LANES + l]
 * is element i of line l. Part of keys.c. */
#include "engine/keys.h"
#if defined(__AVX2__)
#include <immintrin.h>
#endif

typedef uint32_t few32 __attribute__((vector_size(VB), may_alias));
typedef double few52 __attribute__((vector_size(VB), may_alias));
typedef int64_t few64 __attribute__((vector_size(VB), may_alias));

/* The smaller one of a[0] and b[0] to a[0], the other to b[0]. */
INLINE void exchange32(few32 *a, few32 *b) {
    const few32 u = *a, v = *b;
#if defined(__AVX512F__)
    *a = (few32)_mm512_min_epu32((__m512i)u, (__m512i)v);
    *b = (few32)_mm512_max_epu32((__m512i)u, (__m512i)v);
#elif defined(__AVX2__)
    *a = (few32)_mm256_min_epu32((__m256i)u, (__m256i)v);
    *b = (few32)_mm256_max_epu32((__m256i)u, (__m256i)v);
#else
    const few32 swap = (u ^ v) & (few32)(v < u);
    *a = u ^ swap;
    *b = v ^ swap;
#endif
}
INLINE void exchange52(few52 *a, few52 *b) {
    const few52 u = *a, v = *b;
#if defined(__AVX512F__)
    *a = (few52)_mm512_min_pd((__m512d)u, (__m512d)v);
    *b = (few52)_mm512_max_pd((__m512d)u, (__m512d)v);
#elif defined(__AVX2__)
    *a = (few52)_mm256_min_pd((__m256d)u, (__m256d)v);
    *b = (few52)_mm256_max_pd((__m256d)u, (__m256d)v);
#else
    const few64 swap = ((few64)u ^ (few64)v) & (v < u);
    *a = (few52)((few64)u ^ swap);
    *b = (few52)((few64)v ^ swap);
#endif
}
/* Keys, and their places `part` behind them; of equal keys the lower place is the smaller one. */
INLINE void exchange_pair(few64 *a, few64 *b, int64_t part) {
    const few64 u = *a, v = *b, at = a[part], to = b[part];
    const few64 swap = (v < u) | ((v == u) & (to < at)), keys = (u ^ v) & swap, places = (at ^ to) & swap;
    *a = u ^ keys;
    *b = v ^ keys;
    a[part] = at ^ places;
    b[part] = to ^ places;
}

enum { PARTS = 64 / VB }; /* vectors of an element of all lines */
enum elements { KEYS32, KEYS52, KEYS_WITH_PLACES };
INLINE void exchange(const enum elements of, few64 *a, few64 *b, int64_t part) {
    switch (of) {
    case KEYS32: exchange32((few32 *)a, (few32 *)b); break;
    case KEYS52: exchange52((few52 *)a, (few52 *)b); break;
    default: exchange_pair(a, b, part);
    }
}
INLINE void network(const enum elements of, void *lines, int64_t n) {
    few64 *const x = lines;
    int64_t top = 1;
    while (2 * top < n) top *= 2;
    for (int64_t p = top; p; p /= 2)
        for (int64_t q = top, r = 0, d = p;; d = q - p, q /= 2, r = p) {
            for (int64_t i = r; i < n - d; i += 2 * p) {
                const int64_t end = i + p < n - d ? i + p : n - d;
                for (int64_t k = i; k < end; k++)
                    for (int v = 0; v < PARTS; v++) exchange(of, x + k * PARTS + v, x + (k + d) * PARTS + v, n * PARTS);
            }
            if (q == p) break;
        }
}
static void network32(void *lines, int64_t n) { network(KEYS32, lines, n); }
static void network52(void *lines, int64_t n) { network(KEYS52, lines, n); }
static void network_pairs(void *lines, int64_t n) { network(KEYS_WITH_PLACES, lines, n); }
