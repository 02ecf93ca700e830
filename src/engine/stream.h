/* Results that no cache will hold: stored past the caches, so that their lines are not read first and memory moves two thirds of the bytes (a copy of
 * 120 MB on Zen 5: 39 -> 50 GB/s). Whoever streams ends with wn__stream_end before another thread may look. */
#ifndef WN_ENGINE_STREAM_H
#define WN_ENGINE_STREAM_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* Twice what an L3 holds: what is read again soon would have left it, too. */
enum { WN__STREAM_LEAST = 64 << 20, WN__STREAM_ROW = 4096 };

#if defined(__SSE2__)
static inline bool wn__streams(int64_t bytes) { return bytes >= WN__STREAM_LEAST; }
static inline void wn__stream_end(void) { _mm_sfence(); }
static inline void wn__stream(char *to, const char *from, size_t bytes) {
    const size_t before = (size_t)(-(uintptr_t)to & 63), first = before < bytes ? before : bytes;
    memcpy(to, from, first);
    to += first, from += first, bytes -= first;
    for (; bytes >= 64; bytes -= 64, to += 64, from += 64)
        for (int k = 0; k < 64; k += 16) _mm_stream_si128((__m128i *)(void *)(to + k), _mm_loadu_si128((const __m128i *)(const void *)(from + k)));
    memcpy(to, from, bytes);
}
#else
static inline bool wn__streams(int64_t bytes) { return (void)bytes, false; }
static inline void wn__stream_end(void) {}
static inline void wn__stream(char *to, const char *from, size_t bytes) { memcpy(to, from, bytes); }
#endif
#endif
