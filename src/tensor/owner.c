/* What bindings need of handles: their owner's slots, and memory known outside. */
#include "base/later.h"
#include "tensor/tensor.h"
#include "tensor/scope.h"

void *wn_user(const wn_tensor *t, int slot) { return wn_ok(t) && slot >= 0 && slot < 2 ? t->user[slot] : NULL; }
void wn_set_user(wn_tensor *t, int slot, void *value) {
    if (!wn_ok(t) || slot < 0 || slot >= 2) return;
    t->user[slot] = value;
    if (slot == 0) return;
    if (value) t->flags |= WN__T_OWNED;
    else t->flags &= (uint8_t)~WN__T_OWNED;
}

static _Atomic(void (*)(void *)) on_free;
void wn_on_free(void (*fn)(void *)) { atomic_store(&on_free, fn); }

/* What telling the owner needs; it lies in the memory of the dead handle. */
typedef struct farewell {
    wn__later later;
    wn_tensor *handle;
    void *value;
} farewell;

static void say_farewell(wn__later *x) {
    farewell f = *(farewell *)(void *)x;
    wn__handle_give(f.handle);
    void (*fn)(void *) = atomic_load(&on_free);
    if (fn) fn(f.value);
}

void wn__tell_owner(wn_tensor *t) {
    void *value = t->user[1];
    _Static_assert(sizeof(farewell) <= sizeof t->shape, "a dead handle has room for its farewell");
    farewell *f = (farewell *)(void *)t->shape;
    *f = (farewell){.handle = t, .value = value};
    wn__do_later(&f->later, say_farewell);
}

int64_t wn_references(const wn_tensor *t) { return wn_ok(t) ? wn__real_refs(t) : 0; }

wn_status wn__expose(const char *op, wn_tensor *t) {
    if (!wn_ok(t)) return wn_error() ? wn_error() : wn__fail(WN_E_TYPE, op, t ? "the tensor is bad" : "the tensor is absent (NULL)");
    __atomic_add_fetch(&t->storage->exposed, 1, __ATOMIC_RELAXED);
    wn__storage_mark(t->storage, WN__MARK_GIVEN);
    if (wn__before_write(t)) return WN_OK;
    wn_unexpose(t);
    return wn_error() ? wn_error() : wn__fail(WN_E_RUNTIME, op, "%s has no data", wn__desc(t));
}
wn_status wn_expose(wn_tensor *t) { return wn__expose("expose", t); }

void wn_unexpose(wn_tensor *t) {
    if (!t || wn__is_bad(t)) return;
    uint32_t n = __atomic_load_n(&t->storage->exposed, __ATOMIC_RELAXED);
    while (n && !__atomic_compare_exchange_n(&t->storage->exposed, &n, n - 1, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
}

void wn_exposed_until(wn_tensor *t, bool (*alone)(void *ctx)) {
    if (wn_ok(t) && t->storage->deleter) __atomic_store_n(&t->storage->alone, alone, __ATOMIC_RELEASE);
}

bool wn__adopt(wn__storage *s) {
    bool (*alone)(void *) = s->deleter ? __atomic_load_n(&s->alone, __ATOMIC_ACQUIRE) : NULL;
    if (!alone || !alone(s->deleter_ctx)) return false;
    /* one thread takes back what wn_from_memory counted; exports of our own may still be counted */
    if (!__atomic_compare_exchange_n(&s->alone, &alone, NULL, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) return false;
    return __atomic_sub_fetch(&s->exposed, 1, __ATOMIC_RELAXED) == 0;
}

bool wn_is_pending(const wn_tensor *t) { return wn_ok(t) && wn__pending(t->storage) != NULL; }

const void *wn_storage_data(wn_tensor *t) {
    if (!wn_ok(t)) return NULL;
    return wn__pending(t->storage) ? wn__storage_run(t->storage) : t->storage->data;
}
size_t wn_storage_bytes(const wn_tensor *t) { return wn_ok(t) ? t->storage->bytes : 0; }

bool wn__take_args(void *to, size_t size, const void *from) {
    WN_ASSERT(to != from && size);
    size_t given = *(const size_t *)from;
    memset(to, 0, size);
    if (given < sizeof given || given > 1 << 16) return false;
    memcpy(to, from, given < size ? given : size);
    return true;
}
