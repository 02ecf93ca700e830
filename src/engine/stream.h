/* Stores past the caches, for results that no cache can hold: their lines are not read first, so memory moves a third
 * less. wn__stream_end must follow before another thread may read the results. */
#ifndef WN_ENGINE_STREAM_H
#define WN_ENGINE_STREAM_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* Twice the size of an L3: such a result would not be in it when it is read. */
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
