/* Adding, removing and running hooks. */
#include "grad/hooks.h"
#include "base/alloc.h"
#include "base/fork.h"
#include "base/later.h"
#include "tensor/scope.h"

/* A hook's ctx, which outlives calls that use it even if they remove the hook. */
typedef struct subject {
    wn__later later;
    int32_t refs; /* guarded by the lock */
    void *ctx;
    void (*release)(void *ctx);
} subject;

struct wn__hook {
    wn__hook *next;          /* in the leaf's or node's list, in order of registration */
    wn__hook *older, *newer; /* among all hooks with an id */
    int64_t id;              /* 0: hooks that retain gradients */
    subject *subject;        /* NULL: removed */
    wn__hook_spec spec;
};

/* wn__hooks_mutex guards these two, and every hook's subject with its count. */
static wn__hook *newest;
static int64_t last_id;
static __thread int running __attribute__((tls_model("initial-exec"))); /* lists being walked, whose members must stay */

static void end_subject(wn__later *x) {
    subject s = *(subject *)(void *)x;
    wn__free(x);
    if (s.release) s.release(s.ctx);
}

static void drop_subject(subject *s) {
    if (!s) return;
    pthread_mutex_lock(&wn__hooks_mutex);
    bool last = --s->refs == 0;
    pthread_mutex_unlock(&wn__hooks_mutex);
    if (last) wn__do_later(&s->later, end_subject);
}

/* Marks h removed and returns its subject, which the caller drops. Under the lock. */
static subject *unlist(wn__hook *h) {
    subject *s = h->subject;
    if (!s) return NULL;
    h->subject = NULL;
    if (h->newer) h->newer->older = h->older;
    else newest = h->older;
    if (h->older) h->older->newer = h->newer;
    return s;
}

static void end_hook(wn__hook *h) {
    subject *s = NULL;
    if (h->id) {
        pthread_mutex_lock(&wn__hooks_mutex);
        s = unlist(h);
        pthread_mutex_unlock(&wn__hooks_mutex);
    }
    wn__free(h);
    drop_subject(s);
}

static void sweep(wn__hook **at) {
    while (*at) {
        wn__hook *h = *at;
        if (h->id && !h->subject) {
            *at = h->next;
            wn__free(h);
        } else {
            at = &h->next;
        }
    }
}

int64_t wn__hook_add(wn__hook **list, const char *op, const wn__hook_spec *spec) {
    bool found = spec->kind != WN__HOOK_RETAIN;
    wn__hook *h = wn__new(wn__hook, 1);
    subject *s = h && found ? wn__new(subject, 1) : NULL;
    if (!h || (found && !s)) {
        wn__free(h);
        wn__fail_memory(op);
        return 0;
    }
    h->spec = *spec;
    if (!running) sweep(list);
    while (*list) list = &(*list)->next;
    if (found) {
        *s = (subject){.refs = 1, .ctx = spec->ctx, .release = spec->release};
        h->subject = s;
        pthread_mutex_lock(&wn__hooks_mutex);
        h->id = ++last_id;
        h->older = newest;
        if (newest) newest->newer = h;
        newest = h;
        pthread_mutex_unlock(&wn__hooks_mutex);
    }
    *list = h;
    return found ? h->id : 1;
}

void wn__hooks_free(wn__hook *list) {
    while (list) {
        wn__hook *next = list->next;
        end_hook(list);
        list = next;
    }
}

void wn_remove_hook(wn_tensor *t, int64_t id) {
    (void)t;
    subject *s = NULL;
    pthread_mutex_lock(&wn__hooks_mutex);
    for (wn__hook *h = newest; h && h->id >= id && !s; h = h->older) /* ids descend from the newest */
        if (h->id == id) s = unlist(h);
    pthread_mutex_unlock(&wn__hooks_mutex);
    drop_subject(s);
}

bool wn__hooks_have(const wn__hook *list, unsigned kinds) {
    for (; list; list = list->next)
        if (list->spec.kind & kinds) return true;
    return false;
}
bool wn__hooks_wait_for(const wn__hook *list, uint32_t out_nr) {
    for (; list; list = list->next)
        if (list->spec.kind & (WN__HOOK_GRAD | WN__HOOK_RETAIN) && list->spec.out_nr == out_nr) return true;
    return false;
}

/* ------------------------------------------------------------------ retaining */

static wn__hook *take_retaining(wn__hook **list, const wn_tensor *t) {
    for (; *list; list = &(*list)->next) {
        wn__hook *h = *list;
        if (h->spec.kind != WN__HOOK_RETAIN || h->spec.fn.retains != t) continue;
        *list = h->next;
        return h;
    }
    return NULL;
}

void wn__hook_forget(wn__hook **list, const wn_tensor *t) { wn__free(take_retaining(list, t)); }

void wn__hook_move(wn__hook **from, wn__hook **to, const wn_tensor *t, uint32_t out_nr) {
    wn__hook *h = take_retaining(from, t);
    if (!h) return;
    h->next = NULL;
    h->spec.out_nr = out_nr;
    while (*to) to = &(*to)->next;
    *to = h;
}

/* Adds g to what t has retained. The old one ends with the scope: that may call the program and change the list. */
static wn_status retain(wn_tensor *t, wn_tensor *g) {
    if (!t->grad) return WN_OK;
    wn_tensor *old = t->grad->grad, *sum = old ? wn_add(old, g) : g;
    if (!wn_ok(sum)) return wn_error();
    t->grad->grad = wn__retain(sum);
    return wn__is_bad(wn__lend(wn__self(), old)) ? WN_E_MEMORY : WN_OK;
}

/* ------------------------------------------------------------------ running */

/* One call of a hook, and what must live until its end. */
typedef struct visit {
    subject *subject;
    int64_t errors;
} visit;

/* Begins a call. False: the hook was removed, or is younger than `newest_id`, the last id when the walk began. */
static bool enter(const wn__hook *h, int64_t newest_id, visit *v) {
    if (h->id > newest_id) return false;
    pthread_mutex_lock(&wn__hooks_mutex);
    v->subject = h->subject;
    if (v->subject) v->subject->refs++;
    pthread_mutex_unlock(&wn__hooks_mutex);
    v->errors = wn_error_count();
    return v->subject != NULL;
}
static wn_status leave(const visit *v, wn_status st) {
    drop_subject(v->subject);
    if (st && !wn_error()) return wn__fail(st, "backward", "a hook failed");
    return st ? st : wn__failed_since(v->errors) ? wn_error() : WN_OK;
}

static int64_t begin(void) {
    running++;
    pthread_mutex_lock(&wn__hooks_mutex);
    int64_t id = last_id;
    pthread_mutex_unlock(&wn__hooks_mutex);
    return id;
}

/* Records an error if t, which a hook returned, is bad. */
static wn_status good(const wn_tensor *t) {
    if (!t || wn_ok(t)) return WN_OK;
    return wn_error() ? wn_error() : wn__fail(WN_E_RUNTIME, "backward", "a hook returned a bad tensor");
}

/* Passes g through the hooks of one kind, in order of registration; each sees what the one before returned. */
static wn_tensor *exchange(const wn__hook *list, wn__hook_kind kind, uint32_t out_nr, wn_tensor *g, wn_status *st) {
    int64_t last = begin();
    visit v;
    for (const wn__hook *h = list; h && !*st; h = h->next) {
        if (h->spec.kind != kind || h->spec.out_nr != out_nr || !enter(h, last, &v)) continue;
        wn_tensor *r = h->spec.fn.grad(v.subject->ctx, g);
        if (!(*st = leave(&v, good(r))) && r) g = r;
    }
    running--;
    return g;
}

wn_tensor *wn__hooks_grad(const wn__hook *list, uint32_t out_nr, wn_tensor *g) {
    wn_status st = WN_OK;
    g = exchange(list, WN__HOOK_GRAD, out_nr, g, &st);
    running++;
    for (const wn__hook *h = list; h && !st; h = h->next)
        if (h->spec.kind == WN__HOOK_RETAIN && h->spec.out_nr == out_nr) st = retain(h->spec.fn.retains, g);
    running--;
    return st ? &wn__bad_tensor : g;
}

wn_tensor *wn__hooks_accumulate(const wn__hook *list, wn_tensor *g) {
    wn_status st = WN_OK;
    g = exchange(list, WN__HOOK_LEAF_PRE, 0, g, &st);
    return st ? &wn__bad_tensor : g;
}

static wn_status call_leaf(const wn__hook *list, wn__hook_kind kind, wn_tensor *leaf) {
    wn_status st = WN_OK;
    int64_t last = begin();
    visit v;
    for (const wn__hook *h = list; h && !st; h = h->next) {
        if (h->spec.kind != kind || !enter(h, last, &v)) continue;
        st = leave(&v, h->spec.fn.leaf(v.subject->ctx, leaf));
    }
    running--;
    return st;
}

wn_status wn__hooks_leaf(const wn__hook *list, wn_tensor *leaf) {
    const wn_status st = call_leaf(list, WN__HOOK_LEAF, leaf);
    return st ? st : call_leaf(list, WN__HOOK_LEAF_POST, leaf);
}

static wn_status all_good(wn_status st, int n, wn_tensor *const *g) {
    for (int i = 0; i < n && !st; i++) st = good(g[i]);
    return st;
}

wn_status wn__hooks_pre(const wn__hook *list, int n, wn_tensor **g) {
    wn_tensor *few[8], **now = n <= 8 ? few : wn__new(wn_tensor *, (size_t)n);
    if (!now) return wn__fail_memory("backward");
    wn_status st = WN_OK;
    int64_t last = begin();
    visit v;
    for (const wn__hook *h = list; h && !st; h = h->next) {
        if (h->spec.kind != WN__HOOK_PRE || !enter(h, last, &v)) continue;
        memcpy(now, g, (size_t)n * sizeof *g); /* a hook must not see its own changes */
        st = leave(&v, all_good(h->spec.fn.pre(v.subject->ctx, (wn_list){.n = n, .v = now}, g), n, g));
    }
    running--;
    if (now != few) wn__free(now);
    return st;
}

wn_status wn__hooks_post(const wn__hook *list, int nin, wn_tensor **gin, int n, wn_tensor **g) {
    wn_tensor *few[16], **now = nin <= 16 ? few : wn__new(wn_tensor *, (size_t)nin);
    if (!now) return wn__fail_memory("backward");
    wn_status st = WN_OK;
    int64_t last = begin();
    visit v;
    for (const wn__hook *h = list; h && !st; h = h->next) {
        if (h->spec.kind != WN__HOOK_POST || !enter(h, last, &v)) continue;
        memcpy(now, gin, (size_t)nin * sizeof *gin);
        st = leave(&v, all_good(h->spec.fn.post(v.subject->ctx, (wn_list){.n = nin, .v = now}, (wn_list){.n = n, .v = g}, gin), nin, gin));
    }
    running--;
    if (now != few) wn__free(now);
    return st;
}
