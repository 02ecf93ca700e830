/* The life of pending values: references, links between values, what storages know of them. */
#include "defer/value.h"
#include <stdlib.h>
#include "base/alloc.h"
#include "tensor/events.h"
#include "base/fork.h"
#include "base/later.h"
#include "base/counters.h"
#include "base/slab.h"

wn__value wn__bad_value = {.refs = 1 << 30, .state = WN__V_BAD}, wn__meta_value = {.refs = 1 << 30, .state = WN__V_BAD};
/* Is v one of the two values that stand for memory that never comes? */
static inline bool never(const wn__value *v) { return v == &wn__bad_value || v == &wn__meta_value; }
wn__defer_state wn__deferred;

/* ------------------------------------------------------------------ the lock */


static _Atomic(wn_wait_hook) wait_hook;
void wn_set_wait_hook(wn_wait_hook hook) { atomic_store(&wait_hook, hook); }

static __attribute__((noinline)) void lock_held_by_another(void) {
    const wn_wait_hook hook = atomic_load(&wait_hook);
    if (hook) hook(true);
    pthread_mutex_lock(&wn__defer_mutex);
    if (hook) hook(false);
}

void wn__defer_lock(void) {
    if (wn__locks_held++) return;
    if (pthread_mutex_trylock(&wn__defer_mutex)) lock_held_by_another();
}
void wn__defer_unlock(void) {
    WN_ASSERT(wn__locks_held > 0);
    if (--wn__locks_held) return;
    pthread_mutex_unlock(&wn__defer_mutex);
    wn__later_drain(); /* runs the callbacks that waited for this */
}

/* ------------------------------------------------------------------ the threshold */

enum { FROM_DEFAULT = 8192, SMALL_MOST = 8192 };
_Atomic int64_t wn__defer_from = -1; /* -1: not read from the environment yet */

static int64_t set_from(int64_t from) {
    if (from < 0) from = INT64_MAX;
    wn__set_small_most(from - 1 < SMALL_MOST ? from - 1 : SMALL_MOST);
    return atomic_exchange_explicit(&wn__defer_from, from, memory_order_relaxed);
}

int64_t wn__defer_threshold(void) {
    int64_t from = atomic_load_explicit(&wn__defer_from, memory_order_relaxed);
    if (__builtin_expect(from >= 0, 1)) return from;
    const char *text = getenv("WINNOW_DEFER");
    char *end;
    long long n = text && *text ? strtoll(text, &end, 10) : 1;
    if (text && *text && (*end || n < 0)) n = 1; /* no number: as if it were not set */
    (void)set_from(n == 0 ? -1 : n > 1 ? n : FROM_DEFAULT);
    return atomic_load_explicit(&wn__defer_from, memory_order_relaxed);
}

int64_t wn_set_defer_from(int64_t elements) {
    (void)wn__defer_threshold();
    int64_t old = set_from(elements);
    return old == INT64_MAX ? -1 : old;
}

/* ------------------------------------------------------------------ values and links */

wn__value *wn__value_new(wn__vkind kind, wn_dtype dtype, int64_t numel) {
    wn__value *v = wn__slab_take(WN__SLAB_VALUE, sizeof *v);
    if (!v) return NULL;
    memset(v, 0, offsetof(wn__value, uses));
    v->refs = 1;
    v->kind = (uint8_t)kind;
    v->dtype = (uint8_t)dtype;
    v->ct = (uint8_t)wn__compute_type((int)dtype);
    v->numel = numel;
    return v;
}

static void list_add(wn__value *v) {
    WN_ASSERT(wn__locks_held > 0 && v->state == WN__V_PENDING);
    wn__defer_state *d = &wn__deferred;
    v->prev = d->newest;
    v->next = NULL;
    if (d->newest) d->newest->next = v;
    else d->oldest = v;
    d->newest = v;
    d->count++;
}
static void list_remove(wn__value *v) {
    wn__defer_state *d = &wn__deferred;
    if (v->next) v->next->prev = v->prev;
    else if (d->newest == v) d->newest = v->prev;
    else return; /* not in the list */
    if (v->prev) v->prev->next = v->next;
    else d->oldest = v->next;
    v->next = v->prev = NULL;
    d->count--;
    WN_ASSERT(d->count >= 0);
}

void wn__value_link(wn__value *reader, int use, wn__value *src) {
    WN_ASSERT(wn__locks_held > 0 && use >= 0 && use < WN__MAX_USES && src->refs > 0 && src != reader);
    wn__use *u = &reader->uses[use];
    u->src = src;
    u->reader = reader;
    src->refs++;
    u->next = src->readers;
    u->at = &src->readers;
    if (u->next) u->next->at = &u->next;
    src->readers = u;
}

/* Values whose last reference goes wait in a queue, so that chains of any length are freed without recursion. */
static wn__value *dead;
static bool freeing;

static void unlink_use(wn__use *u) {
    wn__value *src = u->src;
    if (!src) return;
    *u->at = u->next;
    WN_ASSERT(wn__locks_held > 0 && (!u->next || u->next->at == &u->next)); /* the links are consistent */
    if (u->next) u->next->at = u->at;
    u->src = NULL;
    wn__value_unref(src);
}

void wn__value_unlink_all(wn__value *v) {
    for (int i = 0; i < v->nuses; i++) unlink_use(&v->uses[i]);
    v->nuses = 0;
}

static void unpin(wn__storage *s) {
    if (!s->pinned) return;
    s->pinned = false;
    wn__deferred.pinned -= (int64_t)s->bytes;
    WN_ASSERT(wn__deferred.pinned >= 0);
}

/* Lets go of the storage of a READY value that has no readers any more: its changes concern nobody. */
static void release_store(wn__value *v) {
    wn__storage *s = v->store;
    v->store = NULL;
    if (s->reads == v) __atomic_store_n(&s->reads, NULL, __ATOMIC_RELEASE);
    unpin(s);
    wn__storage_release(s);
}

static void free_payload(wn__value *v) {
    if (v->product) wn__product_free(v);
    if (v->draws) wn__draws_free(v->draws);
    v->draws = NULL;
    wn__fact_free(v->fact);
    v->fact = NULL;
}

/* Called when v ends without having been stored: its bytes were spared. */
static void report_unstored(const wn__value *v) {
    if (v->fresh) wn__note(v->site, WN__N_SPARED, v->numel * (int64_t)wn__dtype_size(v->dtype));
    if (v->runs) return;
    wn__note(v->site, WN__N_UNREAD, 1);
    wn__note(v->site, WN__N_NEVER, v->kind == WN__V_FOLD ? v->walked : v->numel);
}

static void value_free(wn__value *v) {
    WN_ASSERT(v->refs == 0 && v != &wn__bad_value && !v->readers);
    if (v->state == WN__V_PENDING) {
        if (v->site && wn__reporting()) report_unstored(v);
        wn__deferred.dropped += v->runs == 0;
        list_remove(v);
    }
    free_payload(v);
    wn__value_unlink_all(v);
    if (v->store) release_store(v);
    wn__slab_give(WN__SLAB_VALUE, v);
}

void wn__value_unref(wn__value *v) {
    WN_ASSERT(wn__locks_held > 0 && v->refs > 0);
    if (--v->refs) return;
    v->next_dead = dead;
    dead = v;
    if (freeing) return;
    freeing = true;
    while (dead) {
        wn__value *d = dead;
        dead = d->next_dead;
        value_free(d);
    }
    freeing = false;
}

/* ------------------------------------------------------------------ storages */

wn__value *wn__value_of(wn__storage *s) {
    WN_ASSERT(wn__locks_held > 0 && atomic_load_explicit(&s->refs, memory_order_relaxed) > 0);
    wn__value *v = wn__pending(s) ? wn__pending(s) : s->reads;
    if (v) {
        v->refs++;
        return v;
    }
    v = wn__value_new(WN__V_LEAF, WN_U8, 0);
    if (!v) return NULL;
    v->state = WN__V_READY;
    v->store = s;
    atomic_fetch_add_explicit(&s->refs, 1, memory_order_relaxed);
    __atomic_store_n(&s->reads, v, __ATOMIC_RELEASE);
    return v;
}

void wn__value_home(wn__value *v, wn__storage *s) {
    WN_ASSERT(wn__locks_held > 0 && v->state == WN__V_PENDING && !v->home);
    wn__value *old = wn__pending(s);
    v->home = s;
    v->refs++;
    list_add(v);
    __atomic_store_n(&s->pending, v, __ATOMIC_RELEASE);
    if (!old || never(old)) return;
    old->home = NULL;
    old->handle = NULL;
    wn__value_unref(old);
}

void wn__value_publish(wn__value *v, wn_tensor *t) {
    if (wn__reporting()) {
        v->site = wn__site_recorded();
        v->event = wn__event_here();
        v->fresh = !t->storage->data;
    }
    wn__value_home(v, t->storage);
    v->handle = t;
    wn__limit_pinned(v);
}

void wn__value_ready(wn__value *v, wn__storage *s) {
    WN_ASSERT(wn__locks_held > 0 && v->state == WN__V_PENDING && s->data && !v->store);
    list_remove(v);
    v->state = WN__V_READY;
    bool home = v->home == s;
    v->home = NULL;
    v->handle = NULL;
    v->refs++; /* v lives until this function ends */
    if (home) {
        atomic_fetch_add_explicit(&s->refs, 1, memory_order_relaxed);
        v->refs--; /* the reference that s had as v's home */
    }
    v->store = s;
    wn__fact_put(s, v->fact);
    v->fact = NULL;
    wn__value_unlink_all(v);
    free_payload(v);
    /* If s was changed in place, what read its old contents was in the same program and needs them no more. */
    __atomic_store_n(&s->reads, v, __ATOMIC_RELEASE);
    if (home) __atomic_store_n(&s->pending, NULL, __ATOMIC_RELEASE);
    wn__value_unref(v); /* a value without readers ends here, and takes itself out of s->reads */
}

void wn__value_bad(wn__value *v) {
    WN_ASSERT(wn__locks_held > 0 && v->state != WN__V_READY);
    if (v->state == WN__V_BAD) return;
    list_remove(v);
    v->state = WN__V_BAD;
    wn__value_unlink_all(v);
    free_payload(v);
    wn__storage *s = v->home;
    v->home = NULL;
    v->handle = NULL;
    if (!s) return;
    __atomic_store_n(&s->pending, &wn__bad_value, __ATOMIC_RELEASE);
    wn__value_unref(v);
}

static void release_locked(wn__storage *s) {
    int32_t before = atomic_fetch_sub_explicit(&s->refs, 1, memory_order_acq_rel);
    if (before == 2 && s->reads && !s->pinned && (s->capacity || s->deleter)) {
        s->pinned = true;
        wn__deferred.pinned += (int64_t)s->bytes;
        if (wn__deferred.pinned > wn__deferred.pinned_peak) wn__deferred.pinned_peak = wn__deferred.pinned;
    }
    /* No handle sees the value that s waits for any more, and only its readers want it, if there are any. (If an
     * in-place change reads the old contents of s, the value for these holds a reference to s as well.) */
    wn__value *v = wn__pending(s);
    if (v && !never(v) && (before == 1 || (before == 2 && s->reads))) {
        v->home = NULL;
        v->handle = NULL;
        __atomic_store_n(&s->pending, NULL, __ATOMIC_RELEASE);
        if (before == 1) v->fact = wn__fact_take(s);
        if (before == 1) wn__storage_free(s);
        wn__value_unref(v);
    } else if (before == 1) {
        wn__storage_free(s);
    }
}

void wn__storage_drop(wn__storage *s, const wn_tensor *handle, bool reference) {
    WN_ASSERT(s && (reference || handle));
    wn__defer_lock();
    wn__value *v = wn__pending(s);
    if (v && handle && v->handle == handle) v->handle = NULL;
    if (reference) release_locked(s);
    wn__defer_unlock();
}

void wn__defer_follow(wn_tensor *t) {
    if (!wn__pending(t->storage)) return;
    wn__defer_lock();
    wn__value *v = wn__pending(t->storage);
    if (v && !never(v)) v->handle = t;
    wn__defer_unlock();
}

void wn__defer_asked(wn_tensor *t) {
    if (!wn__pending(t->storage)) return;
    wn__defer_lock();
    wn__value *v = wn__pending(t->storage);
    if (v && !never(v)) v->asked = true;
    wn__defer_unlock();
}

/* Runs t if it, or an operand, is a product or a fold: these are smaller than the activations that they keep alive. */
bool wn__defer_leaf(wn_tensor *t) {
    WN_ASSERT(t->magic == WN__MAGIC);
    wn__defer_asked(t);
    if (!wn__pending(t->storage)) return true;
    wn__defer_lock();
    wn__value *v = wn__pending(t->storage);
    bool reduces = v && (v->kind == WN__V_FOLD || v->kind == WN__V_PRODUCT);
    for (int i = 0; v && i < v->nuses && !reduces; i++) {
        const wn__use *u = &v->uses[i];
        reduces = u->kind != WN__U_NUMBER && u->src->state == WN__V_PENDING && (u->src->kind == WN__V_FOLD || u->src->kind == WN__V_PRODUCT);
    }
    const bool ok = !reduces || wn__storage_run(t->storage);
    wn__defer_unlock();
    return ok;
}

/* Has v's storage handles besides the one that v is known by: aliases (the tape's saved results) or views? */
static bool others(const wn__value *v) {
    const wn__storage *s = v->home;
    if (!s) return false;
    return atomic_load_explicit(&s->refs, memory_order_relaxed) > (v->handle != NULL) + (s->reads != NULL);
}
bool wn__value_kept(const wn__value *v) { return v->handle && !v->tape && wn__real_refs(v->handle) > 0; }
bool wn__value_taped(const wn__value *v) { return v->tape && ((v->handle && wn__real_refs(v->handle) > 0) || others(v)); }

void wn__defer_note_tape(wn_tensor *t) {
    wn__defer_lock();
    wn__value *v = wn__pending(t->storage);
    if (v && !never(v)) v->tape = true;
    wn__defer_unlock();
}

void *wn__storage_run(wn__storage *s) {
    wn__defer_lock();
    wn__value *v = wn__pending(s);
    if (v == &wn__bad_value) wn__fail(WN_E_RUNTIME, "deferred", "a tensor's computation failed earlier (see the first error); its value does not exist");
    else if (v == &wn__meta_value) wn__fail(WN_E_NOT_IMPLEMENTED, "meta", "Cannot copy out of meta tensor; no data!");
    else if (v) (void)wn__value_run(v);
    void *data = wn__pending(s) ? NULL : s->data;
    wn__defer_unlock();
    return data;
}
