/* The gradients of one node: restores what it saved and calls the builder of its row or the function of its class. */
#include "base/alloc.h"
#include "grad/engine.h"
#include "grad/saved.h"
#include "defer/copy.h"
#include "tensor/strides.h"

/* Has a saved tensor got another shape or dtype (by `.data = other`, which no version counts)? Builders trust both. */
static bool other_geometry(const wn__node *n, int slot) {
    const wn_tensor *s = n->saved[slot];
    if (__builtin_expect(!(s->flags & WN__T_SHIFTED), 1) || slot >= n->nin) return false;
    const wn__edge *e = &n->edges[slot];
    bool same = s->dtype == e->dtype && s->ndim == e->ndim;
    for (int d = 0; same && d < s->ndim; d++) same = s->shape[d] == e->shape[d];
    return !same;
}

wn_status wn__check_saved(const wn__node *n) {
    if (n->released)
        return wn__fail(WN_E_RUNTIME, n->name, "Trying to backward through the graph a second time (or directly access saved "
                        "tensors after they have already been freed). Saved intermediate values of the graph are freed when you call "
                        ".backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second "
                        "time or if you need to access saved tensors after calling backward.");
    for (int i = 0; i < n->nsaved; i++) {
        wn_tensor *s = n->saved[i];
        if (s && (wn_version(s) != n->versions[i] || other_geometry(n, i)))
            return wn__fail(WN_E_RUNTIME, n->name, "one of the variables needed for gradient computation has been modified by an "
                            "inplace operation: %s, saved by %s at version %u, is at version %u; it was last changed by %s",
                            wn__desc(s), n->name, n->versions[i], wn_version(s),
                            s->storage->last_mutator ? s->storage->last_mutator : "?");
    }
    return WN_OK;
}

/* Calls the builder. For gradients on the meta device, what it creates on the way is there as well. */
static void build(wn__gradctx *c, int nout) {
    wn__thread *th = wn__self();
    const uint32_t modes = th->modes;
    for (int i = 0; i < nout; i++)
        if (c->g[i] && wn__is_meta(c->g[i])) th->modes |= WN__MODE_META | WN__MODE_MIXES;
    c->node->op->grad(c);
    th->modes = modes;
}

wn_status wn__run_builder_on(wn__node *n, const void *args, wn_tensor **g, wn_tensor **gin, uint64_t need, wn__given *given, wn_tensor *lines) {
    wn_tensor *few[8], **y = few;
    if (n->nout > 8 && !(y = wn__new(wn_tensor *, n->nout))) return wn__fail_memory(n->name);
    wn_status st = WN_OK;
    bool create = wn__recording(wn__self());
    for (int i = 0; i < n->nout && !st; i++) {
        y[i] = n->saved[n->nin + i];
        if (!y[i] || !create) continue;
        /* While backward itself is recorded, a saved result must be this node's result again. */
        wn_tensor *own = wn__tensor_alias(y[i]);
        wn__node *part = n->within ? wn__part_history(n) : NULL;
        bool ok = own && (!n->within || part) && wn__set_history(own, part ? part : n, part ? 0 : (uint32_t)i);
        if (part) wn__node_release(part);
        if (!ok) {
            wn__release(own);
            st = wn__fail_memory(n->name);
            break;
        }
        y[i] = wn__lend(wn__self(), own);
    }
    wn__gradctx c = {.args = args, .g = g, .y = y, .gin = gin, .nin = n->nin, .edges = n->edges, .node = n, .need = need, .given = given, .lines = lines};
    int64_t errors = wn_error_count(); /* a builder may overlook a failure */
    if (!st) build(&c, n->nout);
    if (!st && wn_error_count() != errors) st = wn_error();
    for (int i = 0; i < n->nin && !st; i++)
        if (gin[i] && !wn_ok(gin[i])) st = wn_error() ? wn_error() : wn__fail(WN_E_RUNTIME, n->name, "its gradient is a bad tensor");
    if (y != few) wn__free(y);
    return st;
}

wn_status wn__saved_open(wn__node *n, bool *mine) {
    *mine = !n->cls && n->extra && !n->unpacked;
    n->unpacked |= *mine;
    return *mine ? wn__unpack(n) : WN_OK;
}
void wn__saved_close(wn__node *n, bool mine) {
    if (!mine) return;
    wn__unpack_end(n);
    n->unpacked = false;
}

wn_status wn__run_builder(wn__node *n, wn_tensor **g, wn_tensor **gin, uint64_t need, wn__given *given) {
    bool mine;
    wn_status st = wn__saved_open(n, &mine);
    if (!st) st = wn__run_builder_on(n, n->args, g, gin, need, given, NULL);
    wn__saved_close(n, mine);
    return st;
}

void wn__node_forget(wn__node *n) {
    if (n->cls) {
        if (n->cls->forget) n->cls->forget(n);
        return;
    }
    n->released |= n->any_saved; /* a node that has saved nothing may run again */
    if (n->any_saved) wn__saved_drop(n);
}

/* May g be the gradient of this input? Its shape may be any to which the input could have been broadcast. */
static bool compatible(const wn__edge *e, const wn_tensor *g) {
    int shift = g->ndim - e->ndim;
    for (int d = 0; d < e->ndim && shift >= 0; d++)
        if (e->shape[d] != 1 && e->shape[d] != g->shape[d + shift]) return false;
    return shift >= 0;
}

wn_status wn__node_gradients(wn__node *n, wn_tensor **g, wn_tensor **gin, uint64_t need, wn__given *given) {
    if (!n->cls) return wn__run_builder(n, g, gin, need, given);
    int64_t errors = wn_error_count();
    wn_status st = n->cls->apply(n, g, gin);
    if (!st && wn__failed_since(errors)) st = wn_error();
    if (st && !wn_error()) wn__fail(st, n->name, "backward failed");
    for (int i = 0; i < n->nin && !st; i++) {
        const wn__edge *e = &n->edges[i];
        if (!gin[i]) continue;
        if (!wn_ok(gin[i])) {
            st = wn_error() ? wn_error() : wn__fail(WN_E_RUNTIME, n->name, "backward returned a bad tensor for input %d", i);
        } else if (wn__edge_to(e) && !compatible(e, gin[i])) {
            char name[128];
            wn_node_name(n, name, sizeof name);
            st = wn__fail(WN_E_RUNTIME, n->name, "Function %s returned an invalid gradient at index %d - got %s but expected shape compatible "
                          "with %s", name, i, wn__dims_text(gin[i]->shape, gin[i]->ndim), wn__dims_text(e->shape, e->ndim));
        }
    }
    return st;
}
