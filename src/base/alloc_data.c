/* Tensor data: size classes, the cache of blocks above 4 KB, and the memory functions of the public header.
 *
 * An octave (a doubling of the size) has eight size classes, from 64 KB on 128. What rounding up adds is never touched:
 * it counts as reserved without being resident, and fine classes keep that difference small. Blocks up to 4 KB come
 * from the thread's lists (alloc_heap.c). Larger ones come from one cache under the lock, because a fresh page costs
 * far more than the lock. Blocks of 2 MB and more are mapped on a 2 MB boundary, and huge pages are asked for. */
#include "base/alloc_impl.h"
#include "base/api.h"
#include <stdlib.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { FINE_OCTAVE = 16, FINE_CLASS = 16 + (FINE_OCTAVE - 10) * 8, CLASSES = FINE_CLASS + (47 - FINE_OCTAVE) * 128, HUGE = 1 << 21 };
static const size_t request_max = (size_t)1 << (sizeof(size_t) == 8 ? 46 : 30);

/* ---------------------------------------------------------------------------------------- size classes */

/* Steps of 64 bytes up to 1 KB, then of an eighth of an octave, from 64 KB on of a 128th. bytes >= 1. */
static inline unsigned class_of(size_t bytes) {
    if (bytes <= 1024) return (unsigned)((bytes - 1) / 64);
    uint64_t x = bytes - 1;
    unsigned octave = 63u - (unsigned)__builtin_clzll(x); /* >= 10 */
    if (octave < FINE_OCTAVE) return 16 + (octave - 10) * 8 + (unsigned)((x >> (octave - 3)) & 7);
    return FINE_CLASS + (octave - FINE_OCTAVE) * 128 + (unsigned)((x >> (octave - 7)) & 127);
}

static inline size_t class_bytes(unsigned c) {
    if (c < 16) return (size_t)(c + 1) * 64;
    if (c < FINE_CLASS) return (size_t)(9 + (c - 16) % 8) << (7 + (c - 16) / 8);
    return (size_t)(129 + (c - FINE_CLASS) % 128) << (FINE_OCTAVE - 7 + (c - FINE_CLASS) / 128);
}
_Static_assert(WN__SMALL_CLASSES == 32 && WN__SMALL_MAX == 4096, "class 31 is the last small one: (9 + 7) << 8 bytes");

/* ---------------------------------------------------------------------------------------- the system */

/* Mapped on a 2 MB boundary: only whole aligned 2 MB pieces can become huge pages. */
static void *map_huge(size_t bytes) {
    if (bytes > SIZE_MAX - HUGE) return NULL;
    char *raw = mmap(NULL, bytes + HUGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (raw == MAP_FAILED) return NULL;
    char *p = (char *)(((uintptr_t)raw + HUGE - 1) & ~(uintptr_t)(HUGE - 1));
    if (p > raw) munmap(raw, (size_t)(p - raw));
    size_t tail = (size_t)(raw + HUGE - p);
    if (tail) munmap(p + bytes, tail);
#if defined(MADV_HUGEPAGE)
    (void)madvise(p, bytes, MADV_HUGEPAGE); /* a wish: small pages do as well */
#endif
    return p;
}

static void *system_get(size_t bytes) {
    void *p = NULL;
#if !defined(WN__PLAIN_MALLOC)
    if (bytes >= HUGE) return map_huge(bytes);
#else
    (void)map_huge;
#endif
    return posix_memalign(&p, 64, bytes) ? NULL : p;
}

static void system_put(void *p, size_t bytes) {
#if !defined(WN__PLAIN_MALLOC)
    if (bytes >= HUGE) {
        munmap(p, bytes);
        return;
    }
#else
    (void)bytes;
#endif
    free(p);
}

static int64_t read_number(const char *path) {
    FILE *f = fopen(path, "re");
    if (!f) return INT64_MAX;
    unsigned long long v;
    int n = fscanf(f, "%llu", &v);
    fclose(f);
    return n == 1 && v <= (unsigned long long)INT64_MAX ? (int64_t)v : INT64_MAX;
}

#if defined(WN_HOSTILE) && WN_HOSTILE
enum { CACHE_PART = 1 << 18 };
#else
enum { CACHE_PART = 8 };
#endif
/* The cache may have an eighth of the memory we may use: the machine's, or the container's where that is less. */
static int64_t default_limit(void) {
    static _Atomic int64_t known;
    int64_t v = WN__RELAXED_GET(known);
    if (v) return v;
    int64_t pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    v = pages > 0 && page > 0 ? pages * page : (int64_t)1 << 31;
    int64_t v2 = read_number("/sys/fs/cgroup/memory.max"), v1 = read_number("/sys/fs/cgroup/memory/memory.limit_in_bytes");
    if (v2 > 0 && v2 < v) v = v2;
    if (v1 > 0 && v1 < v) v = v1;
    v /= CACHE_PART;
    WN__RELAXED_SET(known, v);
    return v;
}

/* ---------------------------------------------------------------------------------------- the cache */

/* A cached block keeps its links in its own first line: warm memory that its next owner writes anyway. */
typedef struct cached {
    struct cached *next, *prev;   /* of the same class, most recently freed first */
    struct cached *newer, *older; /* all cached blocks by age */
    unsigned class;
} cached;

static cached *by_class[CLASSES], *newest, *oldest;
static _Atomic int64_t limit_set = -1;

int64_t wn__limit_now(void) {
    int64_t v = WN__RELAXED_GET(limit_set);
    return v >= 0 ? v : default_limit();
}

void wn__reserve_add(int64_t bytes) {
    wn__memory.reserved += bytes;
    WN_ASSERT(wn__memory.reserved >= 0);
    if (wn__memory.reserved > wn__memory.reserved_peak) wn__memory.reserved_peak = wn__memory.reserved;
}

static void cache_remove(cached *b) {
    if (b->prev) b->prev->next = b->next;
    else by_class[b->class] = b->next;
    if (b->next) b->next->prev = b->prev;
    if (b->newer) b->newer->older = b->older;
    else newest = b->older;
    if (b->older) b->older->newer = b->newer;
    else oldest = b->newer;
    wn__memory.cached -= (int64_t)class_bytes(b->class);
    WN_ASSERT(wn__memory.cached >= 0);
}

static void cache_add(void *p, unsigned c) {
    cached *b = p;
    WN_ASSERT(b != newest && ((uintptr_t)p & 63) == 0);
    *b = (cached){.next = by_class[c], .older = newest, .class = c};
    if (b->next) b->next->prev = b;
    if (newest) newest->newer = b;
    else oldest = b;
    by_class[c] = newest = b;
    wn__memory.cached += (int64_t)class_bytes(c);
}

/* Gives cached blocks back, oldest first, until at most `keep` bytes are cached. Unmapping is slow, so it happens without
 * the lock. */
void wn__cache_trim(int64_t keep) {
    cached *gone = NULL;
    pthread_mutex_lock(&wn__memory.lock);
    while (oldest && wn__memory.cached > keep) {
        cached *b = oldest;
        cache_remove(b);
        wn__reserve_add(-(int64_t)class_bytes(b->class));
        b->next = gone;
        gone = b;
    }
    pthread_mutex_unlock(&wn__memory.lock);
    while (gone) {
        cached *b = gone;
        gone = b->next;
        system_put(b, class_bytes(b->class));
    }
    wn__chunks_trim(keep);
}

#if !defined(WN__PLAIN_MALLOC)
/* Under the lock. The exact class first, then what is at most a quarter larger than the request: better a little memory
 * unused than fresh pages. */
static void *cache_find(size_t bytes, unsigned *c) {
    const unsigned end = class_of(bytes + bytes / 4 + 1);
    for (unsigned k = *c; k < end; k++)
        if (by_class[k]) {
            cached *b = by_class[k];
            cache_remove(b);
            *c = k;
            return b;
        }
    return NULL;
}
#endif

/* Under the lock: statistics of one block handed out (sign 1) or returned (-1). */
static void count_block(int64_t bytes, int sign) {
    wn__mem *m = &wn__memory;
    wn__heap_settle(wn__my_heap);
    m->allocated += sign * bytes;
    if (m->allocated > m->peak) m->peak = m->allocated;
    if (sign > 0) m->allocations++;
    else m->frees++;
}

void *wn__block_get(size_t bytes, size_t *capacity, bool count) {
    if (bytes > request_max) return NULL;
    size_t got;
#if defined(WN__PLAIN_MALLOC)
    void *p = NULL;
    got = bytes ? (bytes + 63) & ~(size_t)63 : 64;
#else
    if (bytes <= WN__SMALL_MAX) bytes = WN__SMALL_MAX + 1; /* scratch: lists of small blocks are for data only */
    unsigned c = class_of(bytes);
    pthread_mutex_lock(&wn__memory.lock);
    void *p = cache_find(bytes, &c);
    got = class_bytes(c);
    if (p && count) count_block((int64_t)got, 1);
    pthread_mutex_unlock(&wn__memory.lock);
#endif
    if (!p) {
        p = system_get(got);
        if (!p) { /* give up everything that is only cached, and ask once more */
            wn__heap_flush(wn__my_heap);
            wn__cache_trim(0);
            p = system_get(got);
        }
        if (!p) return NULL;
        pthread_mutex_lock(&wn__memory.lock);
        wn__memory.system_allocations++;
        wn__reserve_add((int64_t)got);
        if (count) count_block((int64_t)got, 1);
        pthread_mutex_unlock(&wn__memory.lock);
    }
    *capacity = got;
    return p;
}

void wn__block_put(void *p, size_t capacity, bool count) {
    int64_t size = (int64_t)capacity, keep = wn__limit_now();
    WN_ASSERT(p != NULL && capacity > 0 && ((uintptr_t)p & 63) == 0);
#if !defined(WN__PLAIN_MALLOC)
    WN_ASSERT(class_bytes(class_of(capacity)) == capacity); /* a capacity that wn__block_get gave */
#endif
    bool cache = size <= keep;
#if defined(WN__PLAIN_MALLOC)
    cache = false;
#endif
    pthread_mutex_lock(&wn__memory.lock);
    if (count) count_block(size, -1);
    if (cache) cache_add(p, class_of(capacity));
    else wn__reserve_add(-size);
    bool over = wn__memory.cached > keep;
    pthread_mutex_unlock(&wn__memory.lock);
    if (!cache) system_put(p, capacity);
    if (over) wn__cache_trim(keep);
}

/* ---------------------------------------------------------------------------------------- tensor data */

#if !defined(WN__PLAIN_MALLOC)

static inline void count_small(wn__heap *h, size_t size) {
    int64_t now = WN__RELAXED_GET(h->delta) + (int64_t)size;
    WN__RELAXED_SET(h->delta, now);
    if (now > WN__RELAXED_GET(h->high)) WN__RELAXED_SET(h->high, now);
    WN__RELAXED_SET(h->allocations, WN__RELAXED_GET(h->allocations) + 1);
}

static __attribute__((noinline)) void *data_alloc_slow(size_t bytes, size_t *capacity) {
    if (wn__fail_now()) return NULL;
    if (bytes > WN__SMALL_MAX) return wn__block_get(bytes, capacity, true);
    unsigned c = class_of(bytes + !bytes);
    wn__heap *h = wn__heap_make();
    if (!h) return NULL;
    void *p = h->list[c].head ? wn__list_pop(&h->list[c]) : wn__small_fetch(h, c, class_bytes(c));
    if (!p) return NULL;
    count_small(h, *capacity = class_bytes(c));
    return p;
}

static inline void *data_alloc(size_t bytes, size_t *capacity) {
    wn__heap *h = wn__my_heap;
    if (WN__LIKELY(bytes <= WN__SMALL_MAX && h != NULL && WN__RELAXED_GET(wn__fail_countdown) < 0)) {
        unsigned c = class_of(bytes + !bytes);
        wn__freelist *l = &h->list[c];
        if (WN__LIKELY(l->head != NULL)) {
            count_small(h, *capacity = class_bytes(c));
            return wn__list_pop(l);
        }
    }
    return data_alloc_slow(bytes, capacity);
}
void *wn__data_alloc(size_t bytes, size_t *capacity) {
    void *p = data_alloc(bytes, capacity);
    if (p) WN__SPOIL(p, *capacity);
    return p;
}

static __attribute__((noinline)) void data_free_slow(void *p, size_t capacity) {
    if (capacity > WN__SMALL_MAX) {
        wn__block_put(p, capacity, true);
        return;
    }
    wn__heap *h = wn__heap_make();
    pthread_mutex_lock(&wn__memory.lock);
    count_block((int64_t)capacity, -1);
    pthread_mutex_unlock(&wn__memory.lock);
    wn__small_return(h, class_of(capacity), p);
}

void wn__data_free(void *p, size_t capacity) {
    wn__heap *h = wn__my_heap;
    if (!p) return;
    WN_ASSERT(capacity > 0 && class_bytes(class_of(capacity)) == capacity);
    WN__SPOIL(p, capacity);
    if (WN__LIKELY(capacity <= WN__SMALL_MAX && h != NULL && wn__list_push(&h->list[class_of(capacity)], p))) {
        WN__RELAXED_SET(h->delta, WN__RELAXED_GET(h->delta) - (int64_t)capacity);
        WN__RELAXED_SET(h->frees, WN__RELAXED_GET(h->frees) + 1);
        return;
    }
    data_free_slow(p, capacity);
}

#else

void *wn__data_alloc(size_t bytes, size_t *capacity) {
    void *p = wn__fail_now() ? NULL : wn__block_get(bytes, capacity, true);
    if (p) WN__SPOIL(p, *capacity);
    return p;
}

void wn__data_free(void *p, size_t capacity) {
    if (p) wn__block_put(p, capacity, true);
}
#endif

/* ---------------------------------------------------------------------------------------- the public functions */

void wn_empty_cache(void) {
    wn__scratch_release();
    wn__heap_flush(wn__my_heap);
    wn__cache_trim(0);
}

/* Lists of small blocks that threads hold (64 KB a size class at most) are outside the limit. */
void wn_set_memory_limit(int64_t bytes) {
    WN__RELAXED_SET(limit_set, bytes < 0 ? -1 : bytes);
    wn__cache_trim(wn__limit_now());
}
