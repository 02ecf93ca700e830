/* Custom functions: operations whose gradient is a callback. */
#include "base/alloc.h"
#include "base/later.h"
#include "grad/tape.h"

/* ------------------------------------------------------------------ called by winnow */

struct wn_fctx {
    const wn_function *f;
    void *user;
    wn_tensor **stash;
    int nstash;
    bool failed;
};

static void fctx_forget(wn__node *n) {
    wn_fctx *x = n->extra;
    if (x->nstash) n->released = true;
    for (int i = 0; i < x->nstash; i++) wn__release(x->stash[i]);
    x->nstash = 0;
}
static void fctx_destroy(wn__node *n) {
    if (!n->extra) return;
    fctx_forget(n);
    wn__free(((wn_fctx *)n->extra)->stash);
    wn__free(n->extra);
}

static wn_status fctx_apply(wn__node *n, wn_tensor **g, wn_tensor **gin) {
    wn_fctx *x = n->extra;
    x->f->backward(x, (wn_list){.n = n->nout, .v = g}, gin);
    return WN_OK;
}
static const wn__node_class fctx_class = {.apply = fctx_apply, .forget = fctx_forget, .destroy = fctx_destroy};

void wn_stash(wn_fctx *c, wn_tensor *t) {
    wn_tensor **grown = wn_ok(t) ? wn__realloc(c->stash, (size_t)c->nstash + 1, sizeof *grown) : NULL;
    if (!grown) {
        c->failed = true;
        return;
    }
    c->stash = grown;
    c->stash[c->nstash++] = wn__retain(t);
}
wn_tensor *wn_stashed(wn_fctx *c, int i) {
    if (i < 0 || i >= c->nstash) return wn__bad(WN_E_INDEX, c->f->name, "there is no stashed tensor %d (%d are)", i, c->nstash);
    return wn__lend(wn__self(), wn__retain(c->stash[i]));
}
void *wn_fctx_user(wn_fctx *c) { return c->user; }

wn_tensor *wn_apply_x(const wn_function *f, void *user, wn_list in) {
    wn__thread *th = wn__self();
    bool needed = false;
    for (int64_t i = 0; i < in.n; i++) {
        if (!in.v[i]) return wn__bad(WN_E_TYPE, f->name, "input %lld is absent (NULL)", (long long)i);
        if (!wn_ok(in.v[i])) return in.v[i];
        needed |= wn__needs_grad(in.v[i]);
    }
    needed &= wn__recording(th);
    wn__node *n = wn__node_new(f->name, (int)in.n, 1, 0, in.v);
    wn_fctx *x = n ? wn__new(wn_fctx, 1) : NULL;
    if (!x) {
        if (n) wn__node_release(n);
        return wn__bad_memory(f->name);
    }
    x->f = f;
    x->user = user;
    n->extra = x;
    n->cls = &fctx_class;
    wn_scope s = wn_begin_modes((wn_modes){.grad = WN_OFF});
    wn_tensor *y = f->forward(x, in);
    if (!y) y = wn__bad(WN_E_RUNTIME, f->name, "forward returned NULL");
    wn_status st = WN_OK;
    if (wn_ok(y)) {
        /* A handle of its own, since forward may have returned an input. */
        wn_tensor *own = needed ? wn__tensor_alias(y) : wn__retain(y);
        for (int i = 0; own && needed && i < n->nin && !st; i++)
            if (wn__needs_grad(in.v[i])) st = wn__node_connect(n, i, in.v[i]);
        if (!own || x->failed || (needed && !st && !wn__set_history(own, n, 0))) st = wn__fail_memory(f->name);
        if (own) y = wn__lend(th, own);
        if (st) y = &wn__bad_tensor;
    }
    wn__node_release(n);
    return wn_leave(&s, y);
}

/* ------------------------------------------------------------------ recorded after the fact */

typedef struct record {
    wn__later later;
    wn_record_args a; /* its inputs, outputs and flags are not used any more */
    char name[];
} record;

static void end_record(wn__later *x) {
    record *r = (record *)(void *)x;
    void (*end)(void *) = r->a.free;
    void *ctx = r->a.ctx;
    wn__free(r);
    if (end) end(ctx);
}
static void record_destroy(wn__node *n) {
    record *r = n->extra;
    if (r) wn__do_later(&r->later, end_record);
}
static void record_forget(wn__node *n) {
    const record *r = n->extra;
    if (!r->a.release || n->released) return;
    n->released = true;
    r->a.release(r->a.ctx);
}
static wn_status record_apply(wn__node *n, wn_tensor **g, wn_tensor **gin) {
    const record *r = n->extra;
    return r->a.backward(r->a.ctx, (wn_list){.n = n->nout, .v = g}, gin);
}
static const wn__node_class record_class = {.apply = record_apply, .forget = record_forget, .destroy = record_destroy, .verbatim = true};

void *wn_node_ctx(const wn_node *n, wn_record_backward backward) {
    const record *r = n && n->cls == &record_class ? n->extra : NULL;
    return r && r->a.backward == backward ? r->a.ctx : NULL;
}

static bool among(const wn_tensor *t, wn_list l) {
    for (int64_t i = 0; i < l.n; i++)
        if (l.v[i] == t) return true;
    return false;
}
static bool is_dirty(const wn_record_args *a, int64_t i) { return a->dirty && a->dirty[i] && a->outputs.v[i]; }
static bool is_result(const wn_record_args *a, int64_t i) {
    const wn_tensor *y = a->outputs.v[i];
    return y && wn__is_float(y->dtype) && !(a->non_differentiable && a->non_differentiable[i]);
}

static wn_status check_list(const char *op, wn_list l) {
    for (int64_t i = 0; i < l.n; i++)
        if (l.v[i] && !wn_ok(l.v[i])) return wn_error() ? wn_error() : wn__fail(WN_E_RUNTIME, op, "a tensor is bad");
    return WN_OK;
}

/* Was each dirty tensor one that may be changed in place? */
static wn_status check_dirty(const char *op, const wn_record_args *a, bool recording) {
    wn_status st = WN_OK;
    for (int64_t i = 0; i < a->outputs.n && !st; i++) {
        wn_tensor *t = a->outputs.v[i];
        if (!is_dirty(a, i)) continue;
        if (!among(t, a->inputs)) return wn__fail(WN_E_VALUE, op, "output %lld is marked as changed in place and is no input", (long long)i);
        if (recording && t->flags & WN__T_REQUIRES_GRAD)
            return wn__fail(WN_E_RUNTIME, op, "a leaf Variable that requires grad has been used in an in-place operation.");
        if (recording && wn__view_base(t) && a->outputs.n > 1)
            return wn__fail(WN_E_RUNTIME, op, "If your Function modifies inplace an input that is a view of another Tensor, your Function cannot "
                            "return more than one Tensor. This is not supported by the current autograd engine. You should either make sure "
                            "the input is not a view (using .clone() for example) or make your Function only return one Tensor");
        st = wn__check_inplace(op, t, recording);
    }
    return st;
}

static wn__node *record_node(const char *op, const wn_record_args *a) {
    size_t length = strlen(op) + 1;
    wn__node *n = wn__node_new(op, (int)a->inputs.n, (int)a->outputs.n, 0, a->inputs.v);
    record *r = n ? wn__calloc(1, sizeof *r + length) : NULL;
    if (!r) {
        if (n) wn__node_release(n);
        wn__fail_memory(op);
        return NULL;
    }
    r->a = *a;
    r->a.free = NULL; /* until all has succeeded, the caller frees ctx */
    memcpy(r->name, op, length);
    n->extra = r;
    n->cls = &record_class;
    n->name = r->name;
    for (int i = 0; i < n->nin; i++) {
        wn_tensor *t = a->inputs.v[i];
        if (!t || !wn__needs_grad(t) || !wn__node_connect(n, i, t)) continue;
        wn__node_release(n);
        return NULL;
    }
    return n;
}

static wn_status attach(wn__node *n, const char *op, const wn_record_args *a) {
    for (int64_t i = 0; i < a->outputs.n; i++) {
        wn_tensor *y = a->outputs.v[i];
        if (!is_result(a, i)) continue;
        if (is_dirty(a, i) && wn__view_base(y)) { /* the only output: the base's history goes through n */
            int at = 0;
            while (a->inputs.v[at] != y) at++;
            wn__inplace r = {.node = wn__node_retain(n)};
            wn_status st = wn__rebase_prepare(y, at, &r);
            if (!st) wn__rebase_commit(y, &r);
            wn__record_discard(&r);
            if (st) return st;
        } else if (!wn__set_history(y, n, (uint32_t)i)) {
            return wn__fail_memory(op);
        }
    }
    return WN_OK;
}

wn_status wn_record_x(const wn_record_args *args) {
    wn_record_args copy;
    const char *op = wn__take_args(&copy, sizeof copy, args) && copy.name ? copy.name : "record";
    const wn_record_args *a = &copy;
    if (!a->size_ || !a->name || !a->backward || a->inputs.n < 0 || a->outputs.n < 0 || a->outputs.n > UINT16_MAX || a->inputs.n > INT32_MAX)
        return wn__fail(WN_E_TYPE, op, "size_, the name or the backward function is absent, or a list is too long");
    wn_status st = check_list(op, a->inputs);
    if (st || (st = check_list(op, a->outputs))) return st;
    bool recording = false, results = false;
    for (int64_t i = 0; i < a->inputs.n; i++) recording |= a->inputs.v[i] && wn__needs_grad(a->inputs.v[i]);
    for (int64_t i = 0; i < a->outputs.n; i++) results |= is_result(a, i);
    recording &= results && wn__recording(wn__self());
    if ((st = check_dirty(op, a, recording))) return st;
    wn__node *n = recording ? record_node(op, a) : NULL;
    if (recording && !n) return wn_error();
    for (int64_t i = 0; i < a->outputs.n; i++)
        if (is_dirty(a, i)) wn__bump_version(a->outputs.v[i], "a custom function");
    if (recording) st = attach(n, op, a);
    if (!st && recording) ((record *)n->extra)->a.free = a->free;
    if (n) wn__node_release(n);
    if (!st && !recording && a->free) a->free(a->ctx);
    return st;
}

wn_tensor *wn_reattach(wn_tensor *t, wn_node *n, int output) {
    static const char op[] = "reattach";
    if (!wn_ok(t) || !n) return wn__bad(WN_E_TYPE, op, "the tensor or the node is bad or absent");
    if (output < 0 || output >= n->nout) return wn__bad(WN_E_INDEX, op, "there is no result %d (%d are)", output, n->nout);
    wn_tensor *y = wn__tensor_alias(t);
    if (!y || !wn__set_history(y, n, (uint32_t)output)) {
        wn__release(y);
        return wn__bad_memory(op);
    }
    return wn__lend(wn__self(), y);
}
