/* Handles and storages: making, sharing, releasing. */
#include "tensor/tensor.h"
#include <stdarg.h>
#include <stdio.h>
#include "base/alloc.h"
#include "base/checked.h"
#include "base/later.h"
#include "base/slab.h"
#include "base/thread.h"

static wn__storage no_storage = {.refs = 1 << 30};
wn_tensor wn__bad_tensor = {
    .refs = (uint64_t)1 << 30 | (uint64_t)1 << 61, .magic = WN__MAGIC, .dtype = WN_F32, .contiguous = 1,
    .flags = WN__T_WEAK /* so that the short way (small.c) does not take it for a 0-d operand */ | WN__T_OWNED /* never freed */, .storage = &no_storage};

bool wn_ok(const wn_tensor *t) { return t != NULL && t != &wn__bad_tensor && wn__pending(t->storage) != &wn__bad_value; }

/* ------------------------------------------------------------------ storages */

static inline __attribute__((always_inline)) wn__storage *storage_new(size_t bytes) {
    wn__storage *s = wn__slab_take(WN__SLAB_STORAGE, sizeof *s);
    if (!s) return NULL;
    atomic_store_explicit(&s->refs, 1, memory_order_relaxed);
    atomic_store_explicit(&s->version, 0, memory_order_relaxed);
    atomic_store_explicit(&s->uncounted, 0, memory_order_relaxed);
    s->bytes = bytes;
    s->capacity = 0;
    s->deleter = NULL; /* deleter_ctx and alone count with it */
    s->pending = NULL;
    s->reads = NULL;
    s->last_mutator = NULL;
    s->exposed = 0;
    s->pinned = false;
    s->device = 0;
    s->finite_as = 0;
    s->unused = 0;
    atomic_store_explicit(&s->counters, 0, memory_order_relaxed);
    if (bytes <= sizeof s->inline_data) {
        s->data = s->inline_data;
    } else if (!(s->data = wn__data_alloc(bytes, &s->capacity))) {
        wn__slab_give(WN__SLAB_STORAGE, s);
        return NULL;
    }
    return s;
}

static inline __attribute__((always_inline)) wn__storage *storage_unfilled(size_t bytes) {
    wn__storage *s = storage_new(0);
    if (!s) return NULL;
    s->data = NULL;
    s->bytes = bytes;
    return s;
}
wn__storage *wn__storage_unfilled(size_t bytes) { return storage_unfilled(bytes); }

bool wn__storage_fill(wn__storage *s) {
    WN_ASSERT(s->data || !s->capacity);
    if (s->data) return true;
    if (s->bytes <= sizeof s->inline_data) s->data = s->inline_data;
    else s->data = wn__data_alloc(s->bytes, &s->capacity);
    return s->data != NULL;
}

void wn__storage_unfill(wn__storage *s) {
    if (s->capacity) wn__data_free(s->data, s->capacity);
    s->data = NULL;
    s->capacity = 0;
}

/* The storage has no memory any more. It is freed unless handles still count their changes in it. */
static void storage_give(wn__storage *s) {
    if (!(atomic_load_explicit(&s->counters, memory_order_acquire) & ~WN__MARKS) || (atomic_fetch_sub(&s->counters, 1) & ~WN__MARKS) == 1)
        wn__slab_give(WN__SLAB_STORAGE, s);
}
/* Counts one more handle in s->counters (the caller has s, or counts there); the first adds 1 for s itself, too. */
static wn__storage *count_at(wn__storage *s) {
    int32_t now = atomic_load(&s->counters);
    while (!atomic_compare_exchange_weak(&s->counters, &now, now + (now & ~WN__MARKS ? 1 : 2))) {}
    return s;
}
static inline bool counts_elsewhere(const wn_tensor *t) { return (t->flags & (WN__T_SHIFTED | WN__T_UNCOUNTED)) == WN__T_SHIFTED; }
static __attribute__((noinline)) void count_no_more(wn_tensor *t) {
    if (counts_elsewhere(t)) storage_give(t->counter);
}

static void run_deleter(wn__later *x) {
    wn__storage *s = (wn__storage *)(void *)((char *)x - offsetof(wn__storage, inline_data));
    void (*deleter)(void *) = s->deleter;
    void *ctx = s->deleter_ctx;
    storage_give(s);
    deleter(ctx);
}
static __attribute__((noinline)) void free_rare(wn__storage *s) {
    if (wn__storage_marked(s, WN__MARK_FACT)) s->free_fact(s->fact);
    if (s->deleter) { /* foreign memory: inline_data holds no elements */
        wn__do_later((wn__later *)(void *)s->inline_data, run_deleter);
        return;
    }
    if (s->capacity) wn__data_free(s->data, s->capacity);
    storage_give(s);
}

static inline __attribute__((always_inline)) void storage_free(wn__storage *s) {
    if (__builtin_expect(atomic_load_explicit(&s->counters, memory_order_acquire) != 0, 0)) {
        free_rare(s);
        return;
    }
    if (s->capacity) wn__data_free(s->data, s->capacity);
    wn__slab_give(WN__SLAB_STORAGE, s);
}
void wn__storage_free(wn__storage *s) { storage_free(s); }

void wn__storage_release(wn__storage *s) {
    WN_ASSERT(atomic_load_explicit(&s->refs, memory_order_relaxed) > 0);
    if (__builtin_expect(wn__watched(s), 0)) wn__storage_drop(s, NULL, true);
    else if (atomic_fetch_sub_explicit(&s->refs, 1, memory_order_acq_rel) == 1) wn__storage_free(s);
}

/* ------------------------------------------------------------------ handles */

/* Notes why a handle is refused; wn__fail_memory reports it for the operation that asked. */
static __attribute__((cold, noinline, format(printf, 1, 2))) bool refuse(const char *fmt, ...) {
    wn__thread *th = wn__self();
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(th->refusal, sizeof th->refusal, fmt, ap);
    va_end(ap);
    return false;
}

/* The number of elements of a shape. Sizes must not be negative, and their product without those that are 0 must fit.
 * Then so does the product of any of the sizes, and later computations with them need no checks. */
static __attribute__((noinline)) bool numel_with_zeros(int ndim, const int64_t *shape, bool fresh, int64_t *numel) {
    bool over;
    int64_t inner = 1;
    *numel = wn__numel_of(ndim, shape, &over);
    for (int i = 0; i < ndim; i++)
        if (shape[i] < 0) return refuse("Trying to create tensor with negative dimension %lld: %s", (long long)shape[i], wn__dims_text(shape, ndim));
    if (!over) return true;
    if (!fresh || *numel) return refuse("numel: integer multiplication overflow (shape %s)", wn__dims_text(shape, ndim));
    for (int i = ndim - 1; i > 0; i--) /* torch has two texts: do the strides of a row-major tensor fit? */
        if (shape[i] && __builtin_mul_overflow(inner, shape[i], &inner)) return refuse("Stride calculation overflowed (shape %s)", wn__dims_text(shape, ndim));
    return refuse("Storage size calculation overflowed with sizes=%s", wn__dims_text(shape, ndim));
}

/* A handle with row-major strides and no storage. */
static inline __attribute__((always_inline)) wn_tensor *handle_new(wn_dtype dtype, int ndim, const int64_t *shape, bool fresh) {
    WN_ASSERT(wn__dtype_valid((int)dtype) && ndim >= 0 && ndim <= WN_MAX_DIMS);
    wn_tensor *t = wn__slab_take(WN__SLAB_TENSOR, sizeof *t);
    if (!t) return NULL;
    int64_t numel = 1, signs = 0;
    bool over = false;
    for (int i = ndim; i-- > 0;) {
        t->shape[i] = shape[i];
        t->strides[i] = numel;
        numel = wn__mul(numel, shape[i], &over);
        signs |= shape[i];
    }
    if (__builtin_expect((signs < 0) | over | (numel == 0), 0)) {
        if (!numel_with_zeros(ndim, shape, fresh, &numel)) {
            wn__slab_give(WN__SLAB_TENSOR, t);
            return NULL;
        }
        wn__row_major(ndim, shape, t->strides);
    }
    atomic_store_explicit(&t->refs, WN__REF_REAL, memory_order_relaxed);
    t->magic = WN__MAGIC;
    t->dtype = (uint8_t)dtype;
    t->ndim = (uint8_t)ndim;
    t->flags = wn__self()->modes & WN__MODE_INFERENCE ? WN__T_INFERENCE : 0;
    t->contiguous = 1;
    t->offset = 0;
    t->grad = NULL;
    t->user[0] = t->user[1] = NULL;
    t->numel = numel;
    return t;
}

/* The bytes that t needs; what no address space holds is refused before it is asked for. */
static inline bool storage_bytes(const wn_tensor *t, size_t *bytes) {
    *bytes = wn__array_bytes(t->numel, wn__dtype_size(t->dtype));
    if (__builtin_expect(*bytes <= PTRDIFF_MAX, 1)) return true;
    return refuse("Storage size calculation overflowed with sizes=%s", wn__dims_text(t->shape, t->ndim));
}

static inline void handle_free(wn_tensor *t) {
    t->magic = WN__DEAD;
    wn__slab_give(WN__SLAB_TENSOR, t);
}
void wn__handle_give(wn_tensor *t) { wn__slab_give(WN__SLAB_TENSOR, t); }

wn_tensor *wn__tensor_new(wn_dtype dtype, int ndim, const int64_t *shape, const int64_t *strides) {
    wn_tensor *t = handle_new(dtype, ndim, shape, true);
    if (!t) return NULL;
    size_t bytes;
    if (!storage_bytes(t, &bytes) || !(t->storage = storage_new(bytes))) {
        handle_free(t);
        return NULL;
    }
    if (strides) {
        memcpy(t->strides, strides, (size_t)ndim * sizeof *strides);
        t->contiguous = wn__contiguous(ndim, shape, strides);
    }
    return t;
}

wn_tensor *wn__tensor_unfilled(wn_dtype dtype, int ndim, const int64_t *shape, const int64_t *strides) {
    wn_tensor *t = handle_new(dtype, ndim, shape, true);
    if (!t) return NULL;
    size_t bytes;
    if (!storage_bytes(t, &bytes) || !(t->storage = storage_unfilled(bytes))) {
        handle_free(t);
        return NULL;
    }
    if (strides) {
        memcpy(t->strides, strides, (size_t)ndim * sizeof *strides);
        t->contiguous = wn__contiguous(ndim, shape, strides);
    }
    return t;
}

wn_tensor *wn__tensor_meta(wn_dtype dtype, int ndim, const int64_t *shape, const int64_t *strides) {
    wn_tensor *t = wn__tensor_unfilled(dtype, ndim, shape, strides);
    if (!t) return NULL;
    t->storage->device = WN_META;
    t->storage->pending = &wn__meta_value;
    t->contiguous = (uint8_t)(t->contiguous << 1);
    return t;
}

wn_tensor *wn__tensor_like(const wn_tensor *t, wn_dtype dtype) {
    WN_ASSERT(t->contiguous == 1 && wn__dtype_valid((int)dtype));
    wn_tensor *r = wn__slab_take(WN__SLAB_TENSOR, sizeof *r);
    if (!r) return NULL;
    if (!(r->storage = storage_new((size_t)t->numel * wn__dtype_size(dtype)))) {
        wn__slab_give(WN__SLAB_TENSOR, r);
        return NULL;
    }
    atomic_store_explicit(&r->refs, WN__REF_REAL, memory_order_relaxed);
    r->word = t->word;
    r->dtype = (uint8_t)dtype;
    r->flags = wn__self()->modes & WN__MODE_INFERENCE ? WN__T_INFERENCE : 0;
    r->offset = 0;
    r->numel = t->numel;
    r->grad = NULL;
    r->user[0] = r->user[1] = NULL;
    wn__copy_dims(r->shape, t->shape, t->ndim);
    r->strides[0] = t->ndim == 2 ? t->shape[1] : 1; /* t's own stride may be anything where its size is 1 */
    r->strides[1] = 1;
    if (t->ndim > 2) wn__row_major(t->ndim, t->shape, r->strides);
    return r;
}

static void set_geometry(wn_tensor *t, const int64_t *strides, int64_t offset) {
    if (strides) memcpy(t->strides, strides, (size_t)t->ndim * sizeof *strides);
    else wn__row_major(t->ndim, t->shape, t->strides);
    t->offset = offset;
    t->contiguous = (uint8_t)(wn__contiguous(t->ndim, t->shape, t->strides) << (t->storage->device != 0));
}

/* Offsets and strides that reach no element may have any value whose bytes can still be computed. */
enum { WN__FAR_SHIFT = 58 };
static inline bool far(int64_t elements) { return (uint64_t)elements + ((uint64_t)1 << WN__FAR_SHIFT) > (uint64_t)2 << WN__FAR_SHIFT; }

/* Replaces strides that lead to no element and are too large for that by those of a row-major tensor. */
static __attribute__((cold, noinline)) void tame_strides(wn_tensor *t) {
    int64_t plain[WN_MAX_DIMS];
    wn__row_major(t->ndim, t->shape, plain);
    for (int i = 0; i < t->ndim; i++)
        if (far(t->strides[i]) && (t->shape[i] <= 1 || t->numel == 0)) t->strides[i] = far(plain[i]) ? 0 : plain[i];
}

/* Does every element of t lie within its storage? */
static inline bool inside(wn_tensor *t) {
    int64_t low = t->offset, high = t->offset;
    bool over = false, strange = false;
    for (int i = 0; i < t->ndim; i++) {
        const int64_t span = wn__mul(t->shape[i] - 1, t->strides[i], &over);
        if (span < 0) low = wn__add(low, span, &over);
        else high = wn__add(high, span, &over);
        strange |= far(t->strides[i]);
    }
    if (__builtin_expect(strange, 0)) tame_strides(t);
    if (t->numel == 0) return t->offset >= 0 && !far(t->offset);
    const int64_t end = wn__mul(wn__add(high, 1, &over), (int64_t)wn__dtype_size(t->dtype), &over);
    return !over && low >= 0 && (uint64_t)end <= t->storage->bytes;
}

wn_tensor *wn__tensor_view_as(const wn_tensor *base, wn_dtype dtype, int ndim, const int64_t *shape, const int64_t *strides, int64_t offset) {
    WN_ASSERT(base->magic == WN__MAGIC && ndim >= 0 && ndim <= WN_MAX_DIMS);
    wn_tensor *t = handle_new(dtype, ndim, shape, false);
    if (!t) return NULL;
    t->storage = base->storage;
    set_geometry(t, strides, offset);
    if (__builtin_expect(!inside(t), 0)) {
        refuse("setStorage: sizes %s, strides %s, storage offset %lld and itemsize %zu are out of bounds for storage of size %zu",
               wn__dims_text(shape, ndim), wn__dims_text(t->strides, ndim), (long long)offset, wn__dtype_size(dtype), t->storage->bytes);
        handle_free(t);
        return NULL;
    }
    atomic_fetch_add_explicit(&t->storage->refs, 1, memory_order_relaxed);
    t->flags = base->flags & (WN__T_INFERENCE | WN__T_UNCOUNTED | WN__T_SHIFTED); /* as the base, in any mode */
    if (__builtin_expect(t->flags & WN__T_SHIFTED, 0)) {
        if (counts_elsewhere(t)) t->counter = count_at(base->counter);
        else t->version_shift = base->version_shift;
    }
    return t;
}
wn_tensor *wn__tensor_view(const wn_tensor *base, int ndim, const int64_t *shape, const int64_t *strides, int64_t offset) {
    return wn__tensor_view_as(base, (wn_dtype)base->dtype, ndim, shape, strides, offset);
}

wn_tensor *wn__tensor_alias(const wn_tensor *t) {
    return wn__tensor_view(t, t->ndim, t->shape, t->strides, t->offset);
}

/* The bytes from t's first element to the end of its last; SIZE_MAX if an element lies before the first or too far. */
static size_t reach(const wn_tensor *t) {
    int64_t last = 0;
    bool over = false;
    if (t->numel == 0) return 0;
    for (int i = 0; i < t->ndim; i++) {
        over |= t->shape[i] > 1 && t->strides[i] < 0;
        last = wn__add(last, wn__mul(t->shape[i] - 1, t->strides[i], &over), &over);
    }
    const int64_t count = wn__add(last, 1, &over);
    return over ? SIZE_MAX : wn__array_bytes(count, wn__dtype_size(t->dtype));
}

wn_tensor *wn__tensor_wrap(void *data, wn_dtype dtype, int ndim, const int64_t *shape, const int64_t *strides,
                           void (*deleter)(void *), void *ctx) {
    wn_tensor *t = handle_new(dtype, ndim, shape, false);
    if (!t) return NULL;
    t->storage = &no_storage;
    set_geometry(t, strides, 0);
    const size_t bytes = reach(t);
    wn__storage *s = bytes > PTRDIFF_MAX ? NULL : storage_new(0);
    if (!s) {
        if (bytes > PTRDIFF_MAX) refuse("Storage size calculation overflowed with sizes=%s and strides=%s", wn__dims_text(shape, ndim), wn__dims_text(t->strides, ndim));
        handle_free(t);
        return NULL;
    }
    s->data = data;
    s->bytes = bytes;
    s->deleter = deleter;
    s->deleter_ctx = ctx;
    if (deleter) atomic_store_explicit(&s->counters, WN__MARK_FOREIGN, memory_order_relaxed);
    s->exposed = 1; /* for ever, or until wn_exposed_until's function says so */
    s->alone = NULL;
    t->storage = s;
    return t;
}

static void shift_version(wn_tensor *t, uint32_t version) {
    t->version_shift = 0;
    t->version_shift = version - wn__version(t);
}
void wn__uncount(wn_tensor *t) {
    count_no_more(t);
    t->flags |= WN__T_UNCOUNTED | WN__T_SHIFTED;
    shift_version(t, 0);
}

void wn__tensor_assign(wn_tensor *t, const wn_tensor *src, bool counts) {
    WN_ASSERT_ALL(wn__tensor_assert(src));
    wn__storage *old = t->storage;
    const uint32_t version = wn__version(t) + counts;
    if (!(t->flags & WN__T_SHIFTED) && src->storage != old) {
        t->counter = count_at(old);
        t->flags |= WN__T_SHIFTED;
    }
    if (wn__pending(old)) wn__storage_drop(old, t, false);
    atomic_fetch_add_explicit(&src->storage->refs, 1, memory_order_relaxed);
    t->storage = src->storage;
    t->dtype = src->dtype;
    t->ndim = src->ndim;
    t->contiguous = src->contiguous;
    t->offset = src->offset;
    t->numel = src->numel;
    memcpy(t->shape, src->shape, sizeof t->shape);
    memcpy(t->strides, src->strides, sizeof t->strides);
    if (t->flags & WN__T_UNCOUNTED) shift_version(t, version);
    else if (counts) wn__bump_version(t, "set_");
    t->storage->last_mutator = "set_";
    wn__storage_release(old);
}

static inline __attribute__((always_inline)) void let_go(wn_tensor *t) {
    if (t->grad) t->grad->free(t);
    wn__storage *s = t->storage;
    if (__builtin_expect(wn__watched(s), 0)) {
        wn__storage_drop(s, t, true);
    } else if (atomic_fetch_sub_explicit(&s->refs, 1, memory_order_acq_rel) == 1) {
        storage_free(s);
    }
}
/* Frees a handle that has an owner, or that counts its changes elsewhere (WN__T_SHIFTED). */
static __attribute__((noinline)) void free_special(wn_tensor *t) {
    if (t == &wn__bad_tensor) return;
    const bool owned = t->flags & WN__T_OWNED;
    if (t->flags & WN__T_SHIFTED) count_no_more(t);
    let_go(t);
    t->magic = WN__DEAD;
    if (owned) wn__tell_owner(t);
    else wn__handle_give(t);
}

void wn__tensor_free(wn_tensor *t) {
    WN_ASSERT(t->magic == WN__MAGIC && (t == &wn__bad_tensor || atomic_load_explicit(&t->refs, memory_order_relaxed) == 0));
    if (__builtin_expect(t->flags & (WN__T_OWNED | WN__T_SHIFTED), 0)) {
        free_special(t);
        return;
    }
    let_go(t);
    handle_free(t);
}

const char *wn__desc(const wn_tensor *t) {
    size_t capacity;
    char *text = wn__text_buffer(&capacity);
    wn_describe(t, text, capacity);
    return text;
}

wn_tensor *wn__bad_memory(const char *op) {
    wn__fail_memory(op);
    return &wn__bad_tensor;
}
