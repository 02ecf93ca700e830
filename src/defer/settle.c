/* Changes of memory that pending values have still to read: those run first, or get a copy of the old contents. */
#include "base/later.h"
#include "defer/plan.h"
#include "base/alloc.h"
#include "base/interrupt.h"

/* Does u read s in order, so that the reader's program may overwrite s while it reads? */
static bool flat(const wn__use *u, const wn__storage *s) {
    if (u->kind == WN__U_SAME) return true;
    return u->kind == WN__U_VIEW && u->offset == 0 && u->ndim == 1 && u->strides[0] == (int64_t)wn__dtype_size(u->dtype) &&
           (size_t)(u->shape[0] * u->strides[0]) == s->bytes;
}

static bool disturbed(const wn__use *u, const wn__storage *s, const wn__plan *p) { return !p || !wn__in_plan(p, u->reader) || !flat(u, s); }

bool wn__disturbs(wn__storage *s, const wn__plan *p) {
    for (const wn__use *u = s->reads ? s->reads->readers : NULL; u; u = u->next)
        if (disturbed(u, s, p)) return true;
    return false;
}

/* Copies the old contents of s to a storage of their own, which pending values then read instead. */
static bool set_apart(wn__storage *s) {
    wn__value *v = s->reads;
    WN_ASSERT(wn__locks_held > 0 && v->state == WN__V_READY && v->store == s);
    wn__storage *copy = wn__storage_unfilled(s->bytes);
    if (!copy) return false;
    if (!wn__storage_fill(copy)) {
        wn__storage_free(copy);
        return false;
    }
    memcpy(copy->data, s->data, s->bytes);
    __atomic_store_n(&s->reads, NULL, __ATOMIC_RELEASE);
    if (s->pinned) {
        s->pinned = false;
        wn__deferred.pinned -= (int64_t)s->bytes;
    }
    v->store = copy; /* v owns the only reference to the copy */
    copy->reads = v;
    copy->pinned = copy->capacity != 0;
    if (copy->pinned) wn__deferred.pinned += (int64_t)copy->bytes;
    wn__storage_release(s);
    return true;
}

/* Copying pays if results are much larger than what they read, or were computed before and may well not be read. */
static bool copy_pays(const wn__storage *s, const wn__plan *p) {
    double out = 0, work = 0;
    bool fresh = false;
    for (const wn__use *u = s->reads->readers; u; u = u->next) {
        if (p && wn__in_plan(p, u->reader)) {
            if (!flat(u, s)) return true;
            continue;
        }
        const wn__value *v = u->reader;
        out += (double)v->numel * (double)wn__dtype_size(v->dtype);
        work += v->work;
        fresh |= v->runs == 0;
    }
    return !fresh || out > 4.0 * (double)s->bytes || work > 20.0 * (double)s->bytes;
}

bool wn__settle_readers(wn__storage *s, const wn__plan *p) {
    static int depth; /* programs run here may change memory in turn; below the first level, copies end that */
    if ((depth || copy_pays(s, p)) && set_apart(s)) return true;
    if (depth) return wn__fail_memory("deferred"), false;
    for (;;) {
        wn__use *u = s->reads ? s->reads->readers : NULL;
        while (u && !disturbed(u, s, p)) u = u->next;
        if (!u) return true;
        wn__value *v = u->reader;
        if (p && wn__in_plan(p, v)) return set_apart(s) || (wn__fail_memory("deferred"), false);
        depth++;
        /* A failure other than an interruption is v's own: it is on record, and v has stopped reading. */
        const bool stopped = !wn__run_held(v) && wn__deferred.stopped;
        depth--;
        if (stopped) return false;
        if (p) return true; /* the caller plans again */
    }
}

bool wn__settle_slow(wn__storage *s) {
    if (s->device == WN_META) return true; /* there is no memory to overwrite */
    if (wn__in_hook()) return wn__fail(WN_E_RUNTIME, "deferred", "a signal's handler cannot change what pending tensors read while they are computed"), false;
    wn__defer_lock();
    wn__value *v = wn__pending(s);
    bool ok = v ? wn__storage_run(s) != NULL : true;
    if (ok && s->reads) ok = wn__settle_readers(s, NULL);
    wn__defer_unlock();
    return ok;
}
