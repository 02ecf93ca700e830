/* The tape: making nodes as operations run, and releasing them without recursion. */
#include "grad/saved.h"
#include "tensor/events.h"
#include "base/counters.h"
#include "base/slab.h"
#include "defer/value.h"
#include "grad/front.h"

_Atomic uint64_t wn__node_seq = 1;

/* ------------------------------------------------------------------ what a handle knows */

void wn__grad_meta_free(wn_tensor *t) {
    wn__grad_meta *m = t->grad;
    t->grad = NULL;
    if (m->hooks) wn__hooks_free(m->hooks);
    if (t->flags & WN__T_RETAINS_GRAD && m->node) wn__hook_forget(&m->node->hooks, t);
    wn_tensor *grad = m->grad, *base = m->base;
    wn__node *node = m->node;
    wn__release(grad);
    wn__release(base);
    if (node) wn__node_release(node);
}

/* Did t's base begin to need a gradient after the view t was made? */
bool wn__needs_grad_of_base(const wn_tensor *t) {
    const wn_tensor *base = wn__view_base(t);
    return base && base->grad && t->grad->view_of != WN__VIEW_NO_GRAD && (base->grad->node || base->flags & WN__T_REQUIRES_GRAD);
}

/* ------------------------------------------------------------------ nodes */

static _Atomic(void (*)(wn__node *)) shown_to; /* told of new nodes (grad/front.h); NULL: nobody is */

void wn__show_nodes(void (*made)(wn__node *)) {
    void (*before)(wn__node *) = atomic_exchange(&shown_to, made);
    if (made && !before) wn__report_open();
    if (!made && before) wn__report_close();
}

static size_t align8(size_t n) { return (n + 15) & ~(size_t)15; }

/* A node in one block: its edges with their shapes (those of in[i], which may be NULL), the args, the saved tensors. */
wn__node *wn__node_new(const char *name, int nin, int nout, size_t args_size, wn_tensor *const *in) {
    WN_ASSERT(nin >= 0 && nout >= 0);
    size_t nsaved = (size_t)nin + (size_t)nout, shapes = 0;
    for (int i = 0; i < nin; i++) shapes += in[i] ? in[i]->ndim : 0;
    size_t at_edges = align8(sizeof(wn__node)), at_shapes = at_edges + align8((size_t)nin * sizeof(wn__edge));
    size_t at_args = at_shapes + align8(shapes * sizeof(int64_t)), at_saved = at_args + align8(args_size);
    size_t at_versions = at_saved + align8(nsaved * sizeof(wn_tensor *)), total = at_versions + align8(nsaved * sizeof(uint32_t));
    bool in_slab = total <= WN__NODE_SLAB_BYTES;
    char *p = in_slab ? wn__slab_alloc(WN__SLAB_NODE, WN__NODE_SLAB_BYTES) : wn__calloc(1, total);
    if (!p) return NULL;
    wn__node *n = (wn__node *)(void *)p;
    *n = (wn__node){.refs = 1, .in_slab = in_slab};
    n->nin = nin;
    n->nout = nout;
    n->nsaved = (int32_t)nsaved;
    n->seq = wn__next_seq();
    n->name = name;
    n->edges = (wn__edge *)(void *)(p + at_edges);
    n->args = p + at_args;
    n->saved = (wn_tensor **)(void *)(p + at_saved);
    n->versions = (uint32_t *)(void *)(p + at_versions);
    for (size_t i = 0; i < nsaved; i++) n->saved[i] = NULL;
    int64_t *shape = (int64_t *)(void *)(p + at_shapes);
    for (int i = 0; i < nin; i++) {
        wn__edge *e = &n->edges[i];
        *e = (wn__edge){.shape = shape};
        if (!in[i]) continue;
        e->dtype = in[i]->dtype;
        e->ndim = in[i]->ndim;
        for (int d = 0; d < e->ndim; d++) shape[d] = in[i]->shape[d];
        shape += e->ndim;
    }
    void (*made)(wn__node *) = atomic_load_explicit(&shown_to, memory_order_relaxed);
    if (made) made(n);
    return n;
}

/* Releasing a node may release handles that it saved, and nodes before it. While a thread is at it, further nodes that
 * end are queued, so that the stack stays flat however long the chain. */
static __thread wn__node *release_queue __attribute__((tls_model("initial-exec")));
static __thread bool releasing __attribute__((tls_model("initial-exec")));

void wn__saved_drop(wn__node *n) {
    WN_ASSERT(n->nsaved == n->nin + n->nout);
    if (n->extra && n->op) wn__packed_drop(n);
    for (int i = 0; i < n->nsaved; i++) {
        wn__release(n->saved[i]);
        n->saved[i] = NULL;
    }
}

static void free_contents(wn__node *n) {
    WN_ASSERT(atomic_load_explicit(&n->refs, memory_order_relaxed) == 0);
    if (n->cls && n->cls->destroy) n->cls->destroy(n);
    if (n->any_saved) wn__saved_drop(n);
    if (n->list) wn__free(n->list);
    if (n->hooks) wn__hooks_free(n->hooks);
    for (int i = 0; i < n->nin; i++) {
        wn__release(n->edges[i].leaf);
        if (n->edges[i].node) wn__node_release(n->edges[i].node);
    }
    if (n->in_slab) wn__slab_give(WN__SLAB_NODE, n);
    else wn__free(n);
}

void wn__node_release(wn__node *n) {
    WN_ASSERT(atomic_load_explicit(&n->refs, memory_order_relaxed) > 0);
    if (atomic_fetch_sub_explicit(&n->refs, 1, memory_order_acq_rel) != 1) return;
    if (releasing) {
        n->next_free = release_queue;
        release_queue = n;
        return;
    }
    releasing = true;
    free_contents(n);
    while (release_queue) {
        wn__node *first = release_queue;
        release_queue = first->next_free;
        free_contents(first);
    }
    releasing = false;
}

bool wn__set_history(wn_tensor *t, wn__node *n, uint32_t out_nr) {
    WN_ASSERT(t->magic == WN__MAGIC && out_nr < (uint32_t)n->nout);
    wn__grad_meta *m = wn__grad_meta_of(t);
    if (!m) return false;
    wn__node *old = m->node;
    m->node = wn__node_retain(n);
    m->out_nr = out_nr;
    m->view_version = wn__version(t);
    if (!old) return true;
    if (t->flags & WN__T_RETAINS_GRAD) wn__hook_move(&old->hooks, &n->hooks, t, out_nr);
    wn__node_release(old);
    return true;
}

wn_status wn__node_connect(wn__node *n, int i, wn_tensor *t) {
    WN_ASSERT(i >= 0 && i < n->nin && !n->edges[i].node && !n->edges[i].leaf);
    wn__edge *e = &n->edges[i];
    wn__node *node = NULL;
    wn_tensor *leaf = NULL;
    wn_status st = wn__gradient_edge(t, &node, &e->out_nr, &leaf);
    if (st) return st;
    if (node) atomic_fetch_add_explicit(&node->refs, 1, memory_order_relaxed);
    if (leaf) wn__retain(leaf);
    e->node = node;
    e->leaf = leaf;
    if (node && node->seq > n->seq) n->seq = wn__next_seq(); /* a view's history may be new: n must run first */
    return WN_OK;
}

/* ------------------------------------------------------------------ recording */

/* Saves t (retained), or what hooks pack it as. */
static wn_status save(wn__node *n, int slot, wn_tensor *t, wn__saved_hooks *hooks) {
    if (hooks) return wn__save_packed(hooks, n, slot, t);
    n->saved[slot] = wn__retain(t);
    n->any_saved = true;
    n->versions[slot] = wn_version(t);
    wn__defer_taped(t);
    return WN_OK;
}

/* Puts saved tensors into the args copy, in which builders read them as arguments; others become NULL. */
wn_status wn__patch_args(wn__node *n) {
    const wn_op *op = n->op;
    int at = 0;
    for (int i = 0; i < op->ntensors; i++) {
        const wn_field *f = &op->fields[op->tensors[i]];
        void *p = (char *)n->args + f->offset;
        if (f->kind == WN_K_TENSORS) {
            wn_list *l = p;
            if (!n->list && l->n && !(n->list = wn__new(wn_tensor *, (size_t)n->nin))) return WN_E_MEMORY;
            for (int64_t k = 0; k < l->n; k++) n->list[at + k] = n->saved[at + k];
            l->v = n->list ? n->list + at : NULL;
            at += (int)l->n;
            continue;
        }
        wn_tensor *s = n->saved[at++];
        if (f->kind == WN_K_TENSOR) *(wn_tensor **)p = s;
        else if (((wn_val *)p)->kind == WN_VAL_TENSOR) *(wn_val *)p = wn_val_of_tensor(s);
    }
    return WN_OK;
}

/* How many inputs the field i has. */
static int field_length(const wn__call *c, int i) {
    const wn_field *f = &c->op->fields[c->op->tensors[i]];
    if (f->kind != WN_K_TENSORS) return 1;
    return (int)((const wn_list *)(const void *)((const char *)c->args + f->offset))->n;
}

/* Connects inputs that need a gradient, and collects what their gradients read in save_in and save_out. */
static wn_status connect(wn__call *c, wn__node *n, uint32_t *save_in, uint32_t *save_out) {
    const wn_op *op = c->op;
    for (int i = 0, at = 0; i < op->ntensors; i++) {
        int length = op->has_list ? field_length(c, i) : 1;
        for (int end = at + length; at < end; at++) {
            wn_tensor *t = c->in[at];
            if (!t || !t->grad || !(op->diff >> i & 1) || !wn__is_float(t->dtype) || !wn__needs_grad(t)) continue;
            *save_in |= op->save_in[i];
            *save_out |= op->save_out[i];
            wn_status st = wn__node_connect(n, at, t);
            if (st) return st;
        }
    }
    return WN_OK;
}

/* Is t what an in-place call overwrites: the target, or a view of exactly its elements? */
static bool overwritten(const wn__call *c, const wn_tensor *t) {
    return c->inplace && t && (t == c->target || wn__overlap(t, c->target) == 2);
}

bool wn__saves_target(const wn__call *c) {
    uint32_t which = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0, at = 0; i < c->op->ntensors; i++)
            for (int end = at + (c->op->has_list ? field_length(c, i) : 1); at < end; at++) {
                if (pass == 0 && c->in[at] && c->op->diff >> i & 1 && wn__needs_grad(c->in[at])) which |= c->op->save_in[i];
                if (pass == 1 && which >> i & 1 && overwritten(c, c->in[at])) return true;
            }
    return false;
}

wn_status wn__refuse_inference_saved(const char *op, const wn_tensor *t) {
    return wn__fail(WN_E_RUNTIME, op, "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode in computation tracked by "
                    "autograd. To work around this, you can make a clone to get a normal tensor and use it in autograd, or use `torch.no_grad()` instead of "
                    "`torch.inference_mode()`. (%s)", wn__desc(t));
}

static wn_status save_inputs(wn__call *c, wn__node *n, uint32_t which, wn_tensor *self_copy) {
    wn__saved_hooks *hooks = wn__saved_hooks_now(c->th);
    wn_status st = WN_OK;
    for (int i = 0, at = 0; i < c->op->ntensors; i++) {
        int length = c->op->has_list ? field_length(c, i) : 1;
        for (int end = at + length; at < end && !st; at++) {
            wn_tensor *t = c->in[at];
            if (!(which >> i & 1) || !t) continue;
            if (t->flags & WN__T_INFERENCE) return wn__refuse_inference_saved(c->op->name, t);
            st = save(n, at, self_copy && overwritten(c, t) ? self_copy : t, hooks);
        }
    }
    return st;
}

/* Saves results without their edge: a node that owned its own result would never end. */
static wn_status save_outputs(wn__node *n, wn_tensor **out, int nout, uint32_t which, wn__saved_hooks *hooks) {
    wn_status st = WN_OK;
    for (int i = 0; i < nout && i < 32 && !st; i++) {
        if (!(which >> i & 1)) continue;
        WN__OWNED wn_tensor *y = wn__tensor_alias(out[i]);
        st = y ? save(n, n->nin + i, y, hooks) : WN_E_MEMORY;
    }
    return st;
}

/* Strings in a call's args belong to the caller. The node copies them behind its own args. */
static size_t text_size(const wn_op *op, const void *args) {
    size_t n = 0;
    for (int i = 0; i < op->nfields && op->has_text; i++) {
        const char *text = op->fields[i].kind == WN_K_STRING ? *(const char *const *)((const char *)args + op->fields[i].offset) : NULL;
        if (text) n += strlen(text) + 1;
    }
    return n;
}
static void keep_texts(const wn_op *op, char *args) {
    char *to = args + op->args_size;
    for (int i = 0; i < op->nfields; i++) {
        const char **text = (const char **)(void *)(args + op->fields[i].offset);
        if (op->fields[i].kind != WN_K_STRING || !*text) continue;
        const size_t n = strlen(*text) + 1;
        *text = memcpy(to, *text, n);
        to += n;
    }
}

/* A call's node, with what its gradient reads. NULL and an error record: memory is short or a hook failed. packs_out:
 * hooks must see the result once it is computed. */
static wn__node *record_node(wn__call *c, wn_tensor **out, int nout, wn_tensor *self_copy, bool *packs_out) {
    const wn_op *op = c->op;
    wn__node *n = wn__node_new(op->name, c->nin, nout, op->args_size + text_size(op, c->args), c->in);
    if (!n) {
        wn__fail_memory(op->name);
        return NULL;
    }
    n->op = op;
    memcpy(n->args, c->args, op->args_size);
    if (op->has_text) keep_texts(op, n->args);
    uint32_t save_in = 0, save_out = 0;
    wn_status st = connect(c, n, &save_in, &save_out);
    /* What was overwritten keeps its history, for derivatives of the derivative. */
    if (!st && self_copy && n->edges[0].node && !wn__set_history(self_copy, n->edges[0].node, n->edges[0].out_nr)) st = WN_E_MEMORY;
    if (!st && save_in) st = save_inputs(c, n, save_in, self_copy);
    wn__saved_hooks *hooks = wn__saved_hooks_now(c->th);
    *packs_out = hooks && c->inplace && save_out;
    if (!st && save_out && !*packs_out) st = save_outputs(n, out, nout, save_out, hooks);
    if (!st && !n->extra) st = wn__patch_args(n);
    if (!st) return n;
    wn__node_release(n);
    if (st == WN_E_MEMORY) wn__fail_memory(op->name);
    return NULL;
}

wn_status wn__record(wn__call *c) {
    int nout = c->op->nresults < 0 ? (int)c->nlist : c->op->nresults;
    wn_tensor **out = c->op->nresults < 0 ? c->list : c->out;
    bool any_float = false;
    for (int i = 0; i < nout; i++) any_float |= wn__is_float(out[i]->dtype);
    if (!any_float) return WN_OK;
    bool packs_out;
    wn__node *n = record_node(c, out, nout, NULL, &packs_out);
    if (!n) return c->th->error;
    bool connected = false; /* an argument without derivative may be the only one that needs a gradient */
    for (int i = 0; i < n->nin; i++) connected |= n->edges[i].node || n->edges[i].leaf || wn__view_over_inference(c->in[i]);
    wn_status st = WN_OK;
    for (int i = 0; i < nout && connected && !st; i++)
        if (wn__is_float(out[i]->dtype) && !wn__set_history(out[i], n, (uint32_t)i)) st = wn__fail_memory(c->op->name);
    wn__node_release(n);
    return st;
}

wn_status wn__record_prepare(wn__call *c, wn_tensor *self_copy, wn__inplace *r) {
    *r = (wn__inplace){0};
    r->node = record_node(c, &c->target, 1, self_copy, &r->packs_out);
    if (!r->node) return c->th->error;
    wn_status st = wn__rebase_prepare(c->target, 0, r);
    if (st) wn__record_discard(r);
    return st;
}

wn_status wn__record_commit(wn__call *c, wn__inplace *r) {
    wn__node *n = r->node;
    if (n->saved[n->nin]) n->versions[n->nin] = wn_version(c->target); /* the result is saved as it is now */
    wn__rebase_commit(c->target, r);
    wn_status st = WN_OK;
    if (r->packs_out && (st = save_outputs(n, &c->target, 1, 1, wn__saved_hooks_now(c->th)))) {
        n->released = true; /* the operation is done, but has no gradient */
        if (st == WN_E_MEMORY) wn__fail_memory(n->name);
    }
    wn__record_discard(r);
    return st;
}

void wn__record_discard(wn__inplace *r) {
    if (r->strided) wn__node_release(r->strided);
    if (r->slices) wn__node_release(r->slices);
    if (r->node) wn__node_release(r->node);
    *r = (wn__inplace){0};
}

/* For rows that are gradients without one of their own (embedding_bag, ctc_loss, pdist ...): an error, no zeros. */
void wn__vjp_once(wn__gradctx *c) {
    for (int i = 0; i < c->nin; i++)
        if (wn__grad_wanted(c, i)) c->gin[i] = wn__bad(WN_E_NOT_IMPLEMENTED, c->node->op->name, "the derivative of this gradient is not implemented");
}
