/* Memory. Objects: wn__new/wn__free. Tensor data: wn__data_alloc, cached. Every path can be made to fail by
 * wn_fail_allocation(n), so that tests walk over all of them. */
#ifndef WN_BASE_ALLOC_H
#define WN_BASE_ALLOC_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdatomic.h>
#include "base/checked.h"

/* Countdown to the planned failure; < 0: off (the common case, one relaxed load). Each call below that hands out memory
 * asks exactly once, whether or not a cache could serve it, so a sweep counts the same in a warm and a cold process. */
extern _Atomic int64_t wn__fail_countdown __attribute__((visibility("hidden")));
bool wn__fail_slow(void);
static inline bool wn__fail_now(void) {
    return __builtin_expect(atomic_load_explicit(&wn__fail_countdown, memory_order_relaxed) >= 0, 0) && wn__fail_slow();
}

/* Zeroed array of n objects; NULL when memory is short or the size overflows. */
void *wn__calloc(size_t n, size_t size);
void *wn__realloc(void *p, size_t n, size_t size); /* contents kept; new part not zeroed; NULL leaves p as it was */
void wn__free(void *p);
#define wn__new(T, n) ((T *)wn__calloc((n), sizeof(T)))

/* Tensor data: 64-byte aligned, not zeroed, the capacity rounded up to whole 64-byte lines (0 bytes: one line).
 * *capacity gets the usable bytes; hand the same number back when freeing. Blocks may be freed on any thread. */
void *wn__data_alloc(size_t bytes, size_t *capacity);
/* The same for n elements of `size` bytes each; NULL also when n * size overflows. */
static inline void *wn__data_array(int64_t n, size_t size, size_t *capacity) { return wn__data_alloc(wn__array_bytes(n, size), capacity); }
void wn__data_free(void *p, size_t capacity);

/* Scratch memory for kernels (packing buffers and the like): per thread, 64-byte aligned, reused between calls, grows as
 * needed; NULL when memory is short. Valid until the thread's next call with the same slot (0..4); contents are lost when
 * it grows. Counted as reserved, not as allocated. */
void *wn__scratch(int slot, size_t bytes);
/* The same for a task of a parallel job. A task returns nothing, so it reports a failure in a flag of its job. */
static inline void *wn__task_scratch(_Atomic bool *short_of_it, int slot, size_t bytes) {
    void *p = wn__scratch(slot, bytes);
    if (!p) *short_of_it = true;
    return p;
}
static inline void *wn__scratch_array(int slot, int64_t n, size_t size) { return wn__scratch(slot, wn__array_bytes(n, size)); }
/* The thread's scratch blocks, set aside while foreign code runs on it that may use scratch memory itself. */
typedef struct wn__scratch_kept {
    struct {
        void *p;
        size_t capacity;
    } slot[8];
} wn__scratch_kept;
void wn__scratch_set_aside(wn__scratch_kept *k);
void wn__scratch_take_back(const wn__scratch_kept *k);
void wn__scratch_release(void); /* frees the calling thread's scratch (thread exit, wn_empty_cache) */

/* Fixed-size objects (handles, storages, tape nodes): a slab allocator with a free list per thread.
 * Under AddressSanitizer every object is its own malloc so that use after free is seen. */
typedef enum wn__slab { WN__SLAB_TENSOR, WN__SLAB_STORAGE, WN__SLAB_NODE, WN__SLAB_VALUE, WN__SLAB_KINDS } wn__slab;
/* Not zeroed, 16-byte aligned; size (at most 8,000 bytes) must be the same for all calls with one kind. */
void *wn__slab_alloc(wn__slab kind, size_t size);
void wn__slab_free(wn__slab kind, void *p);
/* Objects of a kind handed out and not returned; exact while no other thread allocates. Costs the hot path nothing. */
int64_t wn__slab_live(wn__slab kind);

/* Bytes of tensors in use, in the whole process. */
int64_t wn__bytes_in_use(void);
#endif
