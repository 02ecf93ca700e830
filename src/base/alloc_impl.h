/* What the allocator's files share: the thread heaps, the global state and its lock. Nobody else includes this.
 *
 * Layers: alloc.c (planned failures, objects, scratch) / alloc_heap.c (per-thread lists of small blocks, carved from 32 KB
 * chunks: tensor data up to 4 KB, slab objects) / alloc_data.c (the cache of larger blocks, the public memory functions). */
#ifndef WN_BASE_ALLOC_IMPL_H
#define WN_BASE_ALLOC_IMPL_H
#include "base/alloc.h"
#include "base/assert.h"
#include "base/api.h"
#include <pthread.h>
#include <string.h>

/* Every block its own malloc: memory checkers then see each use after free and each overrun. */
#if !defined(WN__PLAIN_MALLOC)
#if defined(__SANITIZE_ADDRESS__)
#define WN__PLAIN_MALLOC 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WN__PLAIN_MALLOC 1
#endif
#endif
#endif

enum {
    WN__SMALL_MAX = 4096,    /* largest tensor data block kept in thread lists */
    WN__SMALL_CLASSES = 32,  /* size classes up to there */
    WN__LISTS = WN__SMALL_CLASSES + WN__SLAB_KINDS,
    WN__SCRATCH_SLOTS = 5
};

/* A free list: blocks linked through their first word. Only the owner writes; counts are atomic because statistics read
 * them from elsewhere (relaxed loads and stores: plain moves). */
typedef struct wn__freelist {
    void *head;
    _Atomic uint32_t count;
    uint16_t max;   /* above this count half of the list goes back to the chunks; 0: not set yet */
    uint16_t batch; /* blocks fetched at once; grows, so that rarely used classes stay small */
} wn__freelist;

/* One thread's memory. Heaps are never freed: when a thread ends its heap is emptied and waits for the next thread, so
 * statistics may walk all heaps at any time and counts survive their threads. */
typedef struct wn__heap {
    wn__freelist list[WN__LISTS];
    /* Bytes of small blocks, taken minus returned, since the thread last held the lock; high is their maximum. */
    _Atomic int64_t delta, high;
    _Atomic int64_t allocations, frees; /* cumulative */
    struct {
        void *p;
        size_t capacity;
    } scratch[WN__SCRATCH_SLOTS];
    struct wn__heap *next, *next_idle;
} wn__heap;

/* Everything global, guarded by lock. System calls are made without it wherever they may be slow. */
typedef struct wn__mem {
    pthread_mutex_t lock;
    int64_t allocated, peak; /* without the deltas of the heaps, which wn__heap_settle adds */
    int64_t reserved, reserved_peak;
    int64_t allocations, frees, system_allocations;
    int64_t cached; /* bytes of cached blocks and empty chunks */
    int64_t objects[WN__SLAB_KINDS]; /* slab objects outside the chunks: live or in thread lists */
    wn__heap *heaps, *idle;
} wn__mem;
extern wn__mem wn__memory;

extern _Thread_local wn__heap *wn__my_heap __attribute__((tls_model("initial-exec"), visibility("hidden")));
wn__heap *wn__heap_make(void); /* the thread's heap, made on first use; NULL when memory is short */

/* Hostile builds fill memory with NaNs of every floating type before it is handed out and when it comes back, so that a
 * read of unwritten or freed memory shows in the result. */
#if defined(WN_HOSTILE) && WN_HOSTILE
#define WN__SPOIL(p, bytes) ((void)memset((p), 0xff, (bytes)))
#else
#define WN__SPOIL(p, bytes) ((void)(p), (void)(bytes))
#endif

#define WN__LIKELY(x) __builtin_expect(!!(x), 1)
#define WN__RELAXED_GET(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define WN__RELAXED_SET(x, v) atomic_store_explicit(&(x), (v), memory_order_relaxed)

static inline void *wn__list_pop(wn__freelist *l) {
    WN_ASSERT(l->head != NULL && WN__RELAXED_GET(l->count) > 0);
    void *p = l->head;
    l->head = *(void **)p;
    WN__RELAXED_SET(l->count, WN__RELAXED_GET(l->count) - 1);
    return p;
}
/* False (and nothing done) when the list is full. */
static inline bool wn__list_push(wn__freelist *l, void *p) {
    uint32_t count = WN__RELAXED_GET(l->count);
    if (!WN__LIKELY(count < l->max)) return false;
    WN_ASSERT(p != l->head); /* a double free */
    *(void **)p = l->head;
    l->head = p;
    WN__RELAXED_SET(l->count, count + 1);
    return true;
}

/* alloc_heap.c. The list's first block, from the chunks; blocks are `size` bytes. NULL when memory is short. */
void *wn__small_fetch(wn__heap *h, unsigned list, size_t size);
/* The list is over its maximum (or h is NULL): gives blocks back to their chunks. */
void wn__small_return(wn__heap *h, unsigned list, void *first);
void wn__heap_flush(wn__heap *h);       /* all lists back to the chunks */
void wn__chunks_trim(int64_t keep);     /* empty chunks to the system until at most `keep` bytes are cached in all */
void wn__heap_settle(wn__heap *h);      /* under the lock: moves delta and high into the totals; NULL is accepted */

/* alloc_data.c. Blocks for tensor data and scratch. count: they count as allocated. *capacity as in wn__data_alloc. */
void *wn__block_get(size_t bytes, size_t *capacity, bool count);
void wn__block_put(void *p, size_t capacity, bool count);
void wn__cache_trim(int64_t keep); /* the same, but the oldest cached blocks first, then empty chunks */
int64_t wn__limit_now(void);   /* the limit in bytes; call without the lock */
void wn__reserve_add(int64_t bytes); /* under the lock */

/* alloc_stats.c: what wn_stats says of memory. */
void wn__memory_stats(wn_stats *s);
void wn__memory_reset_peaks(void);
#endif
