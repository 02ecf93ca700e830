/* The public face of autograd. */
#include <stdlib.h>
#include "core/alloc.h"
#include "defer/value.h"
#include "grad/tape.h"

wn_dims wn__edge_dims(const wn__edge *e) {
    wn_dims d = {.n = e->ndim ? e->ndim : -1};
    if (e->ndim) memcpy(d.v, e->shape, (size_t)e->ndim * sizeof *d.v);
    return d;
}
wn_dims wn__input_shape(const wn__gradctx *c, int i) { return wn__edge_dims(&c->edges[i]); }
wn_dtype wn__input_dtype(const wn__gradctx *c, int i) { return (wn_dtype)c->edges[i].dtype; }

int wn__grad_results(const wn__gradctx *c) { return c->node->nout; }
bool wn__grad_wanted(const wn__gradctx *c, int i) { return i < 64 ? c->need >> i & 1 : c->edges[i].node || c->edges[i].leaf; }

bool wn_needs_grad(const wn_tensor *t) { return wn_ok(t) && wn__needs_grad(t); }
bool wn_is_leaf(const wn_tensor *t) { return wn_ok(t) && !(t->grad && t->grad->node); }
const char *wn_grad_fn(const wn_tensor *t) { return wn_ok(t) && t->grad && t->grad->node ? t->grad->node->name : NULL; }

wn_tensor *wn_requires_grad(wn_tensor *t, bool on) {
    if (!wn_ok(t)) return t ? t : wn__bad(WN_E_TYPE, "requires_grad", "the tensor is absent (NULL)");
    if (on && !wn__is_float(t->dtype))
        return wn__bad(WN_E_RUNTIME, "requires_grad", "only Tensors of floating point dtype can require gradients, got %s", wn__desc(t));
    if (t->grad && t->grad->node) {
        if (on) return t;
        return wn__bad(WN_E_RUNTIME, "requires_grad", "you can only change requires_grad flags of leaf variables; use detach()");
    }
    if (on) wn__grad_meta_of(t);
    if (on) t->flags |= WN__T_REQUIRES_GRAD;
    else t->flags &= (uint8_t)~WN__T_REQUIRES_GRAD;
    return t;
}

wn_tensor *wn_grad_of(wn_tensor *t) {
    if (!wn_ok(t) || !t->grad || !t->grad->grad) return NULL;
    return wn__lend(wn__self(), wn__retain(t->grad->grad));
}

wn_status wn_set_grad(wn_tensor *t, wn_tensor *grad) {
    if (!wn_ok(t) || (grad && !wn_ok(grad))) return wn__fail(WN_E_TYPE, "set_grad", "a tensor is bad or absent");
    if (grad && (!wn__same_shape(t, grad) || t->dtype != grad->dtype))
        return wn__fail(WN_E_RUNTIME, "set_grad", "assigned grad %s does not fit the tensor %s", wn__desc(grad), wn__desc(t));
    if (!grad && !t->grad) return WN_OK;
    wn__grad_meta_of(t);
    if (grad) wn__retain(grad);
    wn__release(t->grad->grad);
    t->grad->grad = grad;
    return WN_OK;
}

static _Atomic int64_t next_hook = 1;

static int64_t add_hook(wn_tensor *t, wn_grad_hook fn, void *ctx) {
    wn__hook *h = wn__new(wn__hook, 1);
    wn__node *node = NULL;
    wn_tensor *leaf = NULL;
    uint32_t nr = 0;
    if (!h || wn__gradient_edge(t, &node, &nr, &leaf)) {
        wn__free(h);
        if (!wn_error()) wn__fail_memory("register_hook");
        return 0;
    }
    if (!node && !leaf) {
        wn__free(h);
        wn__fail(WN_E_RUNTIME, "register_hook", "cannot register a hook on a tensor that doesn't require gradient");
        return 0;
    }
    *h = (wn__hook){.fn = fn, .ctx = ctx, .id = atomic_fetch_add(&next_hook, 1), .out_nr = (int)nr};
    wn__hook **at = node ? &node->hooks : &t->grad->hooks;
    while (*at) at = &(*at)->next; /* hooks run in the order of registration */
    *at = h;
    return h->id;
}

int64_t wn_register_hook(wn_tensor *t, wn_grad_hook hook, void *ctx) {
    if (!wn_ok(t) || !hook) {
        wn__fail(WN_E_TYPE, "register_hook", "the tensor or the hook is absent");
        return 0;
    }
    return add_hook(t, hook, ctx);
}

static bool remove_from(wn__hook **at, int64_t id) {
    for (; *at; at = &(*at)->next)
        if ((*at)->id == id) {
            wn__hook *h = *at;
            *at = h->next;
            wn__free(h);
            return true;
        }
    return false;
}
void wn_remove_hook(wn_tensor *t, int64_t id) {
    if (!wn_ok(t) || !t->grad) return;
    if (!remove_from(&t->grad->hooks, id) && t->grad->node) remove_from(&t->grad->node->hooks, id);
}

/* The handle outlives its node's hook only through wn__grad_meta_free, which drops the hook first. */
static wn_tensor *keep_grad(void *ctx, wn_tensor *g) {
    wn_tensor *t = ctx;
    if (!t->grad) return NULL;
    wn_tensor *own = wn__retain(g);
    wn__release(t->grad->grad);
    t->grad->grad = own;
    return NULL;
}

void wn__drop_retain_hook(wn_tensor *t, wn__node *node) {
    for (wn__hook **at = &node->hooks; *at; at = &(*at)->next)
        if ((*at)->fn == keep_grad && (*at)->ctx == t) {
            wn__hook *h = *at;
            *at = h->next;
            wn__free(h);
            return;
        }
}

wn_tensor *wn_retain_grad(wn_tensor *t) {
    if (!wn_ok(t)) return t ? t : wn__bad(WN_E_TYPE, "retain_grad", "the tensor is absent (NULL)");
    if (!wn__needs_grad(t)) return wn__bad(WN_E_RUNTIME, "retain_grad", "can't retain_grad on Tensor that has requires_grad=False");
    if (wn_is_leaf(t) || t->flags & WN__T_RETAINS_GRAD) return t;
    if (!add_hook(t, keep_grad, t)) return &wn__bad_tensor;
    t->flags |= WN__T_RETAINS_GRAD;
    return t;
}

/* ------------------------------------------------------------------ backward and grad */

/* The cotangents of the roots: as given and checked, or ones for one-element roots. Borrowed from the current scope. */
static wn_status cotangents(const char *op, wn_list roots, wn_tensor *const *given, wn_tensor **out) {
    for (int64_t i = 0; i < roots.n; i++) {
        wn_tensor *r = roots.v[i], *g = given ? given[i] : NULL;
        if (!r) return wn__fail(WN_E_TYPE, op, "output %lld is absent (NULL)", (long long)i);
        if (!wn_ok(r) || (g && !wn_ok(g))) {
            wn__self()->error_count++;
            return wn_error() ? wn_error() : wn__fail(WN_E_RUNTIME, op, "a tensor is bad");
        }
        if (g) {
            if (!wn__same_shape(g, r))
                return wn__fail(WN_E_RUNTIME, op, "Mismatch in shape: grad_output %s and output %s", wn__desc(g), wn__desc(r));
        } else {
            if (r->numel != 1)
                return wn__fail(WN_E_RUNTIME, op, "grad can be implicitly created only for scalar outputs, got %s", wn__desc(r));
            g = wn_ones(wn_shape(r), .dtype = (wn_dtype)r->dtype);
            if (!wn_ok(g)) return wn_error();
        }
        out[i] = g;
    }
    return WN_OK;
}

wn_status wn_backward_x(const wn_backward_args *args) {
    WN_SCOPE(s);
    wn_tensor *root = args->root, *grad;
    wn_list roots = {1, &root};
    wn_status st = cotangents("backward", roots, args->gradient ? &(wn_tensor *){args->gradient} : NULL, &grad);
    if (st) return st;
    return wn__run_backward(&root, &grad, 1, NULL, NULL, 0, args->retain_graph, args->create_graph, true);
}

wn_list wn_grad_x(const wn_grad_args *a) {
    wn_list none = {0, NULL}, out = none;
    if (a->outputs.n < 1 || a->inputs.n < 1 || (a->gradients.n && a->gradients.n != a->outputs.n)) {
        wn__fail(WN_E_VALUE, "grad", "outputs and inputs must not be empty, and there must be one gradient for each output or none");
        return none;
    }
    for (int64_t i = 0; i < a->inputs.n; i++) {
        wn_tensor *x = a->inputs.v[i];
        if (wn_ok(x) && wn__needs_grad(x)) continue;
        wn__fail(WN_E_RUNTIME, "grad", "input %lld (%s) does not require gradients", (long long)i, wn__desc(x));
        return none;
    }
    wn__thread *th = wn__self();
    wn_tensor **results = wn__new(wn_tensor *, (size_t)a->inputs.n), **grads = wn__new(wn_tensor *, (size_t)a->outputs.n);
    wn_tensor **v = results && grads ? wn__lend_array(th, a->inputs.n) : NULL;
    if (!v) {
        wn__fail_memory("grad");
    } else {
        wn_scope s = wn_begin();
        wn_status st = cotangents("grad", a->outputs, a->gradients.n ? a->gradients.v : NULL, grads);
        if (!st)
            st = wn__run_backward(a->outputs.v, grads, (int)a->outputs.n, a->inputs.v, results, (int)a->inputs.n,
                                  a->retain_graph, a->create_graph, a->allow_unused);
        wn_end(&s);
        if (!st) out = (wn_list){a->inputs.n, v};
        for (int64_t i = 0; i < a->inputs.n; i++) {
            if (st) wn__release(results[i]);
            else v[i] = results[i] ? wn__lend(th, results[i]) : NULL;
            if (!st && results[i] && !a->create_graph) wn__defer_asked(results[i]);
        }
    }
    wn__free(results);
    wn__free(grads);
    return out;
}
