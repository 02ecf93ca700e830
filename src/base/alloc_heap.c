/* Small blocks: a free list per thread and size, filled in batches from 32 KB chunks.
 *
 * A chunk serves one list (a size class of tensor data, or a kind of object), is aligned to its size so that a block finds
 * its chunk by masking, and counts its free blocks: a chunk that is entirely free can serve another list or go back to the
 * system. A block freed on another thread than it came from simply joins that thread's list. */
#include "base/alloc_impl.h"
#include <stdlib.h>
#include "base/fork.h"

wn__mem wn__memory = {.lock = PTHREAD_MUTEX_INITIALIZER};
_Thread_local wn__heap *wn__my_heap __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* ---------------------------------------------------------------------------------------- thread heaps */

static pthread_once_t hooks_once = PTHREAD_ONCE_INIT;
static pthread_key_t exit_key;
static _Atomic bool exit_key_valid;

/* A thread ends: its blocks go where other threads find them, its heap waits for the next thread. Destructors of other
 * keys may still free tensors after this; they then make a new heap, and the system calls us again for it. */
static void on_thread_exit(void *arg) {
    wn__heap *h = arg;
    wn__scratch_release();
    wn__heap_flush(h);
    wn__my_heap = NULL;
    pthread_mutex_lock(&wn__memory.lock);
    wn__heap_settle(h);
    h->next_idle = wn__memory.idle;
    wn__memory.idle = h;
    pthread_mutex_unlock(&wn__memory.lock);
}

static void make_hooks(void) {
    /* Without a key (1,024 are in use already) blocks in the lists of ended threads are lost: a bounded leak, no error. */
    atomic_store(&exit_key_valid, pthread_key_create(&exit_key, on_thread_exit) == 0);
    wn__register_fork(); /* in the child the other threads' heaps stay behind, unused but counted */
}

/* When the library is unloaded, threads that end later must not call into it. */
__attribute__((destructor)) static void forget_key(void) {
    if (atomic_exchange(&exit_key_valid, false)) pthread_key_delete(exit_key);
}

wn__heap *wn__heap_make(void) {
    if (wn__my_heap) return wn__my_heap;
    pthread_once(&hooks_once, make_hooks);
    pthread_mutex_lock(&wn__memory.lock);
    wn__heap *h = wn__memory.idle;
    if (h) wn__memory.idle = h->next_idle;
    pthread_mutex_unlock(&wn__memory.lock);
    if (!h) {
        void *p = NULL; /* aligned, so that two threads' heaps share no cache line */
        if (posix_memalign(&p, 128, (sizeof(wn__heap) + 127) / 128 * 128)) return NULL;
        h = p;
        *h = (wn__heap){.next = NULL};
        pthread_mutex_lock(&wn__memory.lock);
        h->next = wn__memory.heaps;
        wn__memory.heaps = h;
        pthread_mutex_unlock(&wn__memory.lock);
    }
    wn__my_heap = h;
    if (atomic_load(&exit_key_valid)) (void)pthread_setspecific(exit_key, h);
    return h;
}

void wn__heap_settle(wn__heap *h) {
    if (!h) return;
    wn__mem *m = &wn__memory;
    int64_t top = m->allocated + WN__RELAXED_GET(h->high);
    if (top > m->peak) m->peak = top;
    m->allocated += WN__RELAXED_GET(h->delta);
    WN__RELAXED_SET(h->delta, 0);
    WN__RELAXED_SET(h->high, 0);
}

/* ---------------------------------------------------------------------------------------- chunks */

#if !defined(WN__PLAIN_MALLOC)

enum {
#if defined(WN_HOSTILE) && WN_HOSTILE
    CHUNK = 16384,
    CHUNK_BLOCKS = 7,    /* objects in a chunk, at most */
    LIST_BYTES = 1024,
    LIST_LEAST = 2,
#else
    CHUNK = 32768,       /* also the alignment; at twice this malloc would map each chunk by itself, twice the size */
    CHUNK_BLOCKS = CHUNK,
    LIST_BYTES = 65536,  /* about what a thread keeps in each list */
    LIST_LEAST = 8,      /* the fewest blocks that a full list has */
#endif
    CHUNK_HEADER = 64,   /* the first line holds the chunk's own data */
    CHUNK_BYTES = CHUNK - 64 /* a line short of CHUNK: malloc's own header then fits in the gap between neighbours */
};

typedef struct chunk {
    struct chunk *next, *prev; /* in partial[list] while some blocks are free; `next` links the empty chunks */
    void *free;                /* returned blocks */
    uint32_t size;             /* of a block */
    uint32_t blocks, nfree;    /* nfree counts the never used ones too */
    uint32_t fresh;            /* blocks from here on were never used: they are not linked, so their pages stay untouched */
    uint32_t list;
} chunk;
_Static_assert(sizeof(chunk) <= CHUNK_HEADER, "the chunk's data must fit its first line");

static chunk *partial[WN__LISTS], *empty;

static chunk *chunk_of(void *p) { return (chunk *)((uintptr_t)p & ~(uintptr_t)(CHUNK - 1)); }

static void unlink_chunk(chunk *c) {
    if (c->prev) c->prev->next = c->next;
    else partial[c->list] = c->next;
    if (c->next) c->next->prev = c->prev;
}

static void link_chunk(chunk *c) {
    c->prev = NULL;
    c->next = partial[c->list];
    if (c->next) c->next->prev = c;
    partial[c->list] = c;
}

/* `reserved` is about tensor data: a chunk counts while it holds data or is cached, not while it holds objects. */
static void set_up(chunk *c, unsigned list, size_t size) {
    WN_ASSERT(list < WN__LISTS && size >= 16 && size <= CHUNK_BYTES - CHUNK_HEADER);
    if (list >= WN__SMALL_CLASSES) wn__reserve_add(-CHUNK_BYTES);
    c->free = NULL;
    c->size = (uint32_t)size;
    c->blocks = (uint32_t)((CHUNK_BYTES - CHUNK_HEADER) / size);
    if (list >= WN__SMALL_CLASSES && c->blocks > CHUNK_BLOCKS) c->blocks = CHUNK_BLOCKS;
    c->nfree = c->blocks;
    c->fresh = 0;
    c->list = list;
    link_chunk(c);
}

static chunk *chunk_from_system(void) {
    void *p = NULL;
    if (!posix_memalign(&p, CHUNK, CHUNK_BYTES)) return p;
    wn__cache_trim(0);
    return posix_memalign(&p, CHUNK, CHUNK_BYTES) ? NULL : p;
}

/* Under the lock: takes up to `want` blocks from chunks with free ones; returns them linked. */
static void *take(unsigned list, unsigned want, unsigned *got) {
    void *head = NULL;
    *got = 0;
    while (*got < want && partial[list]) {
        chunk *c = partial[list];
        while (*got < want && c->nfree) {
            void *p = c->free;
            if (p) c->free = *(void **)p;
            else p = (char *)c + CHUNK_HEADER + (size_t)c->fresh++ * c->size;
            WN_ASSERT(c->fresh <= c->blocks);
            c->nfree--;
            *(void **)p = head;
            head = p;
            ++*got;
        }
        if (!c->nfree) unlink_chunk(c);
    }
    if (list >= WN__SMALL_CLASSES) wn__memory.objects[list - WN__SMALL_CLASSES] += *got;
    return head;
}

/* Under the lock: a block goes back to its chunk. */
static void put(unsigned list, void *p) {
    chunk *c = chunk_of(p);
    WN_ASSERT(c->list == list && c->nfree < c->blocks);
    WN_ASSERT(((char *)p - (char *)c - CHUNK_HEADER) % (ptrdiff_t)c->size == 0);
    *(void **)p = c->free;
    c->free = p;
    if (list >= WN__SMALL_CLASSES) wn__memory.objects[list - WN__SMALL_CLASSES]--;
    if (c->nfree++ == 0) link_chunk(c);
    if (c->nfree == c->blocks) {
        unlink_chunk(c);
        if (c->list >= WN__SMALL_CLASSES) wn__reserve_add(CHUNK_BYTES);
        wn__memory.cached += CHUNK_BYTES;
        c->next = empty;
        empty = c;
    }
}

/* Gives empty chunks back to the system until at most `keep` bytes are cached in all. */
void wn__chunks_trim(int64_t keep) {
    chunk *gone = NULL;
    pthread_mutex_lock(&wn__memory.lock);
    while (empty && wn__memory.cached > keep) {
        chunk *c = empty;
        empty = c->next;
        c->next = gone;
        gone = c;
        wn__memory.cached -= CHUNK_BYTES;
        wn__reserve_add(-CHUNK_BYTES);
    }
    pthread_mutex_unlock(&wn__memory.lock);
    while (gone) {
        chunk *c = gone;
        gone = c->next;
        free(c);
    }
}

static void set_most(wn__freelist *l, size_t size) {
    const size_t n = LIST_BYTES / size;
    l->max = (uint16_t)(n < LIST_LEAST ? LIST_LEAST : n > 512 ? 512 : n);
    l->batch = 2;
}

void *wn__small_fetch(wn__heap *h, unsigned list, size_t size) {
    wn__freelist *l = &h->list[list];
    if (!l->max) {
        set_most(l, size);
    }
    unsigned got;
    WN_ASSERT(list < WN__LISTS && !l->head && WN__RELAXED_GET(l->count) == 0);
    pthread_mutex_lock(&wn__memory.lock);
    wn__heap_settle(h);
    void *p = take(list, l->batch, &got);
    if (!p) {
        chunk *c = empty;
        if (c) {
            empty = c->next;
            wn__memory.cached -= CHUNK_BYTES;
        } else {
            pthread_mutex_unlock(&wn__memory.lock);
            c = chunk_from_system();
            if (!c) return NULL;
            pthread_mutex_lock(&wn__memory.lock);
            wn__memory.system_allocations++;
            wn__reserve_add(CHUNK_BYTES);
        }
        set_up(c, list, size);
        p = take(list, l->batch, &got);
    }
    pthread_mutex_unlock(&wn__memory.lock);
    if (l->batch < l->max / 2) l->batch = (uint16_t)(l->batch * 2);
    l->head = *(void **)p;
    WN__RELAXED_SET(l->count, got - 1);
    return p;
}

/* Returns `n` blocks of the chain that starts at p; gives what follows them. */
static void *put_chain(wn__heap *h, unsigned list, void *p, uint32_t n) {
    int64_t keep = wn__limit_now();
    pthread_mutex_lock(&wn__memory.lock);
    wn__heap_settle(h);
    for (; n; n--) {
        void *next = *(void **)p;
        put(list, p);
        p = next;
    }
    bool over = wn__memory.cached > keep && empty;
    pthread_mutex_unlock(&wn__memory.lock);
    if (over) wn__chunks_trim(keep);
    return p;
}

void wn__small_return(wn__heap *h, unsigned list, void *first) {
    if (!h) { /* a thread that frees but never allocated, and has no memory for a heap */
        *(void **)first = NULL;
        put_chain(NULL, list, first, 1);
        return;
    }
    wn__freelist *l = &h->list[list];
    WN_ASSERT(first != l->head); /* a double free */
    *(void **)first = l->head;
    l->head = first;
    uint32_t count = WN__RELAXED_GET(l->count) + 1;
    if (!l->max) { /* this thread has only freed so far: learn the size from the chunk */
        set_most(l, chunk_of(first)->size);
    }
    if (count > l->max) {
        uint32_t n = count / 2;
        l->head = put_chain(h, list, l->head, n);
        count -= n;
    }
    WN__RELAXED_SET(l->count, count);
}

void wn__heap_flush(wn__heap *h) {
    if (!h) return;
    for (unsigned i = 0; i < WN__LISTS; i++) {
        wn__freelist *l = &h->list[i];
        uint32_t n = WN__RELAXED_GET(l->count);
        if (n) put_chain(h, i, l->head, n);
        l->head = NULL;
        WN__RELAXED_SET(l->count, 0);
        l->batch = l->max ? 2 : 0;
    }
}

/* ---------------------------------------------------------------------------------------- objects */

/* The slow halves are functions of their own so that the fast ones need no stack frame. */
static __attribute__((noinline)) void *slab_alloc_slow(wn__slab kind, size_t size) {
    if (wn__fail_now()) return NULL;
    wn__heap *h = wn__heap_make();
    if (!h) return NULL;
    wn__freelist *l = &h->list[WN__SMALL_CLASSES + kind];
    if (l->head) return wn__list_pop(l);
    size = (size + 15) & ~(size_t)15;
    WN_ASSERT(size >= 16 && size <= WN__SMALL_MAX * 2);
    if (size < 16 || size > WN__SMALL_MAX * 2) return NULL;
    return wn__small_fetch(h, WN__SMALL_CLASSES + kind, size);
}

static inline void *slab_alloc(wn__slab kind, size_t size) {
    wn__heap *h = wn__my_heap;
    if (WN__LIKELY(h != NULL && WN__RELAXED_GET(wn__fail_countdown) < 0)) {
        wn__freelist *l = &h->list[WN__SMALL_CLASSES + kind];
        if (WN__LIKELY(l->head != NULL)) return wn__list_pop(l);
    }
    return slab_alloc_slow(kind, size);
}
void *wn__slab_alloc(wn__slab kind, size_t size) {
    void *p = slab_alloc(kind, size);
    if (p) WN__SPOIL(p, size);
    return p;
}

static __attribute__((noinline)) void slab_free_slow(wn__slab kind, void *p) {
    wn__small_return(wn__heap_make(), WN__SMALL_CLASSES + kind, p);
}

void wn__slab_free(wn__slab kind, void *p) {
    wn__heap *h = wn__my_heap;
    if (!p) return;
    WN__SPOIL(p, chunk_of(p)->size);
    if (WN__LIKELY(h != NULL && wn__list_push(&h->list[WN__SMALL_CLASSES + kind], p))) return;
    slab_free_slow(kind, p);
}

int64_t wn__slab_live(wn__slab kind) {
    pthread_mutex_lock(&wn__memory.lock);
    int64_t n = wn__memory.objects[kind];
    for (wn__heap *h = wn__memory.heaps; h; h = h->next) n -= WN__RELAXED_GET(h->list[WN__SMALL_CLASSES + kind].count);
    pthread_mutex_unlock(&wn__memory.lock);
    return n;
}

#else /* under a memory checker: no lists, no chunks */

static _Atomic int64_t live[WN__SLAB_KINDS];

void *wn__small_fetch(wn__heap *h, unsigned list, size_t size) {
    (void)h, (void)list, (void)size;
    return NULL;
}
void wn__small_return(wn__heap *h, unsigned list, void *first) { (void)h, (void)list, (void)first; }
void wn__heap_flush(wn__heap *h) { (void)h; }
void wn__chunks_trim(int64_t keep) { (void)keep; }

void *wn__slab_alloc(wn__slab kind, size_t size) {
    void *p = wn__fail_now() ? NULL : malloc(size);
    if (p) atomic_fetch_add_explicit(&live[kind], 1, memory_order_relaxed);
    return p;
}

void wn__slab_free(wn__slab kind, void *p) {
    if (p) atomic_fetch_sub_explicit(&live[kind], 1, memory_order_relaxed);
    free(p);
}

int64_t wn__slab_live(wn__slab kind) { return atomic_load_explicit(&live[kind], memory_order_relaxed); }
#endif
