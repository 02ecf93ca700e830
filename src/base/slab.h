/* The slab allocator's two hot halves, inlined for the paths on which an object more or less is felt (call/small.c). */
#ifndef WN_BASE_SLAB_H
#define WN_BASE_SLAB_H
#include "base/alloc_impl.h"

#if (defined(WN__PLAIN_MALLOC) && WN__PLAIN_MALLOC) || (defined(WN_HOSTILE) && WN_HOSTILE) /* every object its own malloc, or spoilt */
#define wn__slab_take(kind, size) wn__slab_alloc((kind), (size))
#define wn__slab_give(kind, p) wn__slab_free((kind), (p))
#else
static inline void *wn__slab_take(wn__slab kind, size_t size) {
    wn__heap *h = wn__my_heap;
    if (WN__LIKELY(h != NULL && h->list[WN__SMALL_CLASSES + kind].head != NULL && WN__RELAXED_GET(wn__fail_countdown) < 0))
        return wn__list_pop(&h->list[WN__SMALL_CLASSES + kind]);
    return wn__slab_alloc(kind, size);
}
static inline void wn__slab_give(wn__slab kind, void *p) {
    wn__heap *h = wn__my_heap;
    if (WN__LIKELY(h != NULL && wn__list_push(&h->list[WN__SMALL_CLASSES + kind], p))) return;
    wn__slab_free(kind, p);
}
#endif
#endif
