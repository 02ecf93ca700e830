/* Facts of storages: said, looked up, compared with their storage's changes; and what is known of tensors' finiteness. */
#include "support/fact.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/threads.h"

static _Atomic int in_use = -1;

/* WINNOW_SUPPORT=0: nothing is known of any tensor. */
void wn__use_facts(bool use) { atomic_store_explicit(&in_use, use, memory_order_relaxed); }
bool wn__facts_in_use(void) {
    int now = atomic_load_explicit(&in_use, memory_order_relaxed);
    if (now < 0) {
        const char *text = getenv("WINNOW_SUPPORT");
        now = !text || strcmp(text, "0") != 0;
        atomic_store_explicit(&in_use, now, memory_order_relaxed);
    }
    return now;
}

/* Can the contents of s change without being counted? */
static bool seen_outside(const wn__storage *s) {
    return __atomic_load_n(&s->exposed, __ATOMIC_RELAXED) || wn__storage_marked(s, WN__MARK_FOREIGN) || wn__storage_marked(s, WN__MARK_GIVEN);
}

void wn__fact_free(wn__fact *f) {
    if (!f) return;
    wn__release(f->only_if);
    wn__free(f->support);
    wn__free(f);
}

static void put(wn__storage *s, wn__fact *f) {
    if (wn__storage_marked(s, WN__MARK_FACT)) wn__fact_free(s->fact);
    f->changes = wn__storage_changes(s);
    s->fact = f;
    s->free_fact = wn__fact_free;
    wn__storage_mark(s, WN__MARK_FACT);
}

void wn__fact_put(wn__storage *s, wn__fact *f) {
    if (!f) return;
    if (f->only_if) { /* what it depends on need not be kept for it any longer */
        wn__fact_free(f);
        return;
    }
    put(s, f);
}

wn__fact *wn__fact_take(wn__storage *s) {
    if (!wn__storage_marked(s, WN__MARK_FACT) || seen_outside(s) || s->fact->changes != wn__storage_changes(s)) return NULL;
    atomic_fetch_and_explicit(&s->counters, ~WN__MARK_FACT, memory_order_acq_rel);
    return s->fact;
}

static wn__fact *make(wn_tensor *t, wn_support *s) {
    wn__fact *f = s && wn__facts_in_use() && !seen_outside(t->storage) && !wn__is_meta(t) ? wn__new(wn__fact, 1) : NULL;
    if (!f) {
        wn__free(s);
        return NULL;
    }
    WN_ASSERT(s->ndim == t->ndim);
    *f = (wn__fact){.offset = t->offset, .support = s};
    memcpy(f->strides, t->strides, (size_t)t->ndim * sizeof *f->strides);
    return f;
}
void wn__fact_say(wn_tensor *t, wn_support *s) {
    wn__fact *f = make(t, s);
    if (f) put(t->storage, f);
}
void wn__fact_say_if(wn_tensor *t, wn_support *s, wn_tensor *x) {
    if (!wn__pending(t->storage)) {
        wn__free(s);
        return;
    }
    wn__fact *f = make(t, s);
    if (!f) return;
    f->only_if = wn__tensor_alias(x);
    f->only_at = wn__changes(x);
    if (f->only_if) put(t->storage, f);
    else wn__fact_free(f);
}

/* Several threads may ask for the fact of one tensor. */
static bool holds(wn__fact *f) {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&mutex);
    wn_tensor *x = f->only_if;
    if (x && wn__changes(x) == f->only_at && !wn__is_finite(x)) f->only_at--; /* a number that does not come again: one look is enough */
    if (x && wn__changes(x) == f->only_at) {
        __atomic_store_n(&f->only_if, NULL, __ATOMIC_RELEASE);
        wn__release(x);
    }
    const bool yes = !f->only_if;
    pthread_mutex_unlock(&mutex);
    return yes;
}

const wn__fact *wn__fact_of(const wn_tensor *t) {
    const wn__storage *s = t->storage;
    if (__builtin_expect(!wn__storage_marked(s, WN__MARK_FACT), 1) || seen_outside(s)) return NULL;
    if (s->fact->changes != wn__changes(t)) return NULL;
    return !__atomic_load_n(&s->fact->only_if, __ATOMIC_ACQUIRE) || holds(s->fact) ? s->fact : NULL;
}

const wn_support *wn_support_of(const wn_tensor *t) {
    const wn__fact *f = wn_ok(t) ? wn__fact_of(t) : NULL;
    return f ? f->support : NULL;
}

/* ------------------------------------------------------------------ finiteness */

enum { PIECE = 1 << 15 };

typedef struct search {
    const char *at;
    int dtype;
    _Atomic bool found;
} search;

/* Has any of n numbers all bits of the exponent set? */
static bool beyond16(const uint16_t *x, int64_t n, uint16_t exponent) {
    int found = 0;
    for (int64_t i = 0; i < n; i++) found |= (x[i] & exponent) == exponent;
    return found;
}
static bool beyond32(const uint32_t *x, int64_t n) {
    const uint32_t exponent = 0x7f800000;
    int found = 0;
    for (int64_t i = 0; i < n; i++) found |= (x[i] & exponent) == exponent;
    return found;
}
static bool beyond64(const uint64_t *x, int64_t n) {
    const uint64_t exponent = 0x7ff0000000000000;
    uint64_t found = 0;
    for (int64_t i = 0; i < n; i++) found |= (x[i] & exponent) == exponent;
    return found != 0;
}
static void look(void *ctx, int64_t begin, int64_t end) {
    search *j = ctx;
    const int64_t n = end - begin;
    bool found;
    if (atomic_load_explicit(&j->found, memory_order_relaxed)) return;
    switch (j->dtype) {
    case WN_F64: found = beyond64((const uint64_t *)(const void *)j->at + begin, n); break;
    case WN_F32: found = beyond32((const uint32_t *)(const void *)j->at + begin, n); break;
    default: found = beyond16((const uint16_t *)(const void *)j->at + begin, n, j->dtype == WN_F16 ? 0x7c00 : 0x7f80);
    }
    if (found) atomic_store_explicit(&j->found, true, memory_order_relaxed);
}

/* What is known is known of a storage's memory as a whole. */
static bool fills_storage(const wn_tensor *t) {
    return t->contiguous == 1 && t->offset == 0 && (size_t)t->numel * wn__dtype_size(t->dtype) == t->storage->bytes;
}

bool wn__known_finite(const wn_tensor *t) {
    const wn__storage *s = t->storage;
    return wn__storage_marked(s, WN__MARK_FINITE) && !seen_outside(s) && atomic_load_explicit(&s->finite_at, memory_order_relaxed) == wn__changes(t) &&
           __atomic_load_n(&s->finite_as, __ATOMIC_RELAXED) == t->dtype;
}

bool wn__is_finite(const wn_tensor *t) {
    if (wn__known_finite(t)) return true;
    if (!wn__is_float(t->dtype)) return false;
    search j = {.at = wn__ptr(t), .dtype = t->dtype};
    if (!j.at) return false;
    /* Of a view the memory between its first and its last element, which may hold more: then the answer may be no though it is yes. */
    int64_t last = 0;
    for (int d = 0; d < t->ndim; d++) {
        if (t->strides[d] < 0) return false;
        last += (t->shape[d] - 1) * t->strides[d];
    }
    if (t->numel == 0) return true;
    if (last + 1 > 2 * t->numel) return false;
    wn__parallel(last + 1, PIECE, look, &j);
    if (atomic_load(&j.found)) return false;
    wn__storage *s = t->storage;
    if (fills_storage(t) && !seen_outside(s)) {
        atomic_store_explicit(&s->finite_at, wn__changes(t), memory_order_relaxed);
        __atomic_store_n(&s->finite_as, t->dtype, __ATOMIC_RELAXED);
        wn__storage_mark(s, WN__MARK_FINITE);
    }
    return true;
}
