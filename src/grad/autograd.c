/* Autograd's public functions. */
#include <stdlib.h>
#include "base/alloc.h"
#include "defer/value.h"
#include "grad/front.h"
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
bool wn_is_leaf(const wn_tensor *t) { /* nor is a view whose base got a history later */
    return wn_ok(t) && !(t->grad && (t->grad->node || wn__view_is_stale(t)));
}
const char *wn_grad_fn(const wn_tensor *t) {
    if (wn_is_leaf(t) || !wn_ok(t)) return NULL;
    return wn__view_is_stale(t) ? "as_strided" : t->grad->node->name;
}
bool wn_retains_grad(const wn_tensor *t) { return wn_ok(t) && (t->flags & WN__T_RETAINS_GRAD) != 0; }
bool wn_is_inference(const wn_tensor *t) { return wn_ok(t) && (t->flags & WN__T_INFERENCE) != 0; }
wn_tensor *wn_base_of(const wn_tensor *t) {
    wn_tensor *base = wn_ok(t) ? wn__view_base(t) : NULL;
    return base ? wn__lend(wn__self(), wn__retain(base)) : NULL;
}
int wn_output_nr(wn_tensor *t) {
    wn__node *node;
    wn_tensor *leaf;
    uint32_t nr = 0;
    return wn_ok(t) && !wn__gradient_edge(t, &node, &nr, &leaf) ? (int)nr : 0;
}

wn_tensor *wn_requires_grad(wn_tensor *t, bool on) {
    if (!wn_ok(t)) return t ? t : wn__bad(WN_E_TYPE, "requires_grad", "the tensor is absent (NULL)");
    if (on && t->flags & WN__T_INFERENCE && !wn_inference_enabled())
        return wn__bad(WN_E_RUNTIME, "requires_grad", "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.");
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

wn_status wn_drop_history(wn_tensor *t) {
    static const char op[] = "detach_";
    if (!wn_ok(t)) return wn_error() ? wn_error() : wn__fail(WN_E_TYPE, op, t ? "the tensor is bad" : "the tensor is absent (NULL)");
    if (wn__view_base(t)) return wn__fail(WN_E_RUNTIME, op, "Can't detach views in-place. Use detach() instead.");
    wn__node *old = t->grad ? t->grad->node : NULL;
    if (old) {
        if (t->flags & WN__T_RETAINS_GRAD) wn__hook_forget(&old->hooks, t);
        t->grad->node = NULL;
        t->grad->out_nr = 0;
    }
    t->flags &= (uint8_t)~(WN__T_REQUIRES_GRAD | WN__T_RETAINS_GRAD);
    if (old) wn__node_release(old);
    return WN_OK;
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

/* ------------------------------------------------------------------ hooks */

static int64_t add_hook(wn_tensor *t, const char *op, wn__hook_spec *spec) {
    wn__node *node = NULL;
    wn_tensor *leaf = NULL;
    if (wn__gradient_edge(t, &node, &spec->out_nr, &leaf)) return 0;
    if (node) return wn__hook_add(&node->hooks, op, spec);
    if (leaf) return wn__hook_add(&leaf->grad->hooks, op, spec);
    wn__fail(WN_E_RUNTIME, op, "cannot register a hook on a tensor that doesn't require gradient");
    return 0;
}

int64_t wn_register_hook_owned(wn_tensor *t, wn_grad_hook hook, void *ctx, void (*release)(void *)) {
    static const char op[] = "register_hook";
    wn__hook_spec spec = {.kind = WN__HOOK_GRAD, .fn.grad = hook, .ctx = ctx, .release = release};
    if (wn_ok(t) && hook) return add_hook(t, op, &spec);
    wn__fail(WN_E_TYPE, op, "the tensor or the hook is absent");
    return 0;
}
int64_t wn_register_hook(wn_tensor *t, wn_grad_hook hook, void *ctx) { return wn_register_hook_owned(t, hook, ctx, NULL); }

int64_t wn_register_accumulate_hook(wn_tensor *leaf, wn_leaf_hook hook, void *ctx, void (*release)(void *)) {
    static const char op[] = "register_post_accumulate_grad_hook";
    wn__hook_spec spec = {.kind = WN__HOOK_LEAF, .fn.leaf = hook, .ctx = ctx, .release = release};
    if (!wn_ok(leaf) || !hook) wn__fail(WN_E_TYPE, op, "the tensor or the hook is absent");
    else if (!wn_is_leaf(leaf)) wn__fail(WN_E_RUNTIME, op, "post accumulate grad hooks cannot be registered on non-leaf tensors");
    else return add_hook(leaf, op, &spec);
    return 0;
}

/* Adds a hook to AccumulateGrad; *spec has its function. */
static int64_t add_accumulate_hook(wn_tensor *leaf, bool given, wn__hook_spec *spec) {
    static const char op[] = "register_hook";
    if (!wn_ok(leaf) || !given) wn__fail(WN_E_TYPE, op, "the tensor or the hook is absent");
    else if (!wn_is_leaf(leaf)) wn__fail(WN_E_RUNTIME, op, "only the gradient of a leaf is accumulated");
    else return add_hook(leaf, op, spec);
    return 0;
}
int64_t wn__accumulate_register_prehook(wn_tensor *leaf, wn_grad_hook hook, void *ctx, void (*release)(void *)) {
    return add_accumulate_hook(leaf, hook != NULL, &(wn__hook_spec){.kind = WN__HOOK_LEAF_PRE, .fn.grad = hook, .ctx = ctx, .release = release});
}
int64_t wn__accumulate_register_hook(wn_tensor *leaf, wn_leaf_hook hook, void *ctx, void (*release)(void *)) {
    return add_accumulate_hook(leaf, hook != NULL, &(wn__hook_spec){.kind = WN__HOOK_LEAF_POST, .fn.leaf = hook, .ctx = ctx, .release = release});
}

wn_tensor *wn_retain_grad(wn_tensor *t) {
    if (!wn_ok(t)) return t ? t : wn__bad(WN_E_TYPE, "retain_grad", "the tensor is absent (NULL)");
    if (!wn__needs_grad(t)) return wn__bad(WN_E_RUNTIME, "retain_grad", "can't retain_grad on Tensor that has requires_grad=False");
    if (wn_is_leaf(t) || t->flags & WN__T_RETAINS_GRAD) return t;
    wn__hook_spec spec = {.kind = WN__HOOK_RETAIN, .fn.retains = t};
    if (!add_hook(t, "retain_grad", &spec)) return &wn__bad_tensor;
    t->flags |= WN__T_RETAINS_GRAD;
    return t;
}

/* ------------------------------------------------------------------ backward and grad */

/* The roots' cotangents: those given, checked, or ones for roots of one element. Borrowed from the current scope. */
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
                return wn__fail(WN_E_RUNTIME, op, "Mismatch in shape: grad_output[%lld] has a shape of torch.Size(%s) and output[%lld] has a "
                                "shape of torch.Size(%s).", (long long)i, wn__dims_text(g->shape, g->ndim), (long long)i,
                                wn__dims_text(r->shape, r->ndim));
        } else {
            if (r->numel != 1 && wn__needs_grad(r))
                return wn__fail(WN_E_RUNTIME, op, "grad can be implicitly created only for scalar outputs, got %s", wn__desc(r));
            g = wn_ones(wn_shape(r), .dtype = (wn_dtype)r->dtype, .device = wn_device_of(r));
            if (!wn_ok(g)) return wn_error();
        }
        out[i] = g;
    }
    return WN_OK;
}

/* Prepares the inputs of backward: all but leaves are to retain their gradients; the engine itself finds leaves. */
static wn_status retain_inputs(const char *op, wn_list inputs) {
    for (int64_t i = 0; i < inputs.n; i++) {
        wn_tensor *x = inputs.v[i];
        if (!wn_ok(x)) return wn_error() ? wn_error() : wn__fail(WN_E_TYPE, op, "input %lld is %s", (long long)i, x ? "bad" : "absent (NULL)");
        if (!wn__needs_grad(x))
            return wn__fail(WN_E_RUNTIME, op, "One of the differentiated Tensors does not require grad (input %lld, %s)", (long long)i, wn__desc(x));
    }
    for (int64_t i = 0; i < inputs.n; i++)
        if (!wn_ok(wn_retain_grad(inputs.v[i]))) return wn_error();
    return WN_OK;
}

static wn_status backward(const wn_backward_all_args *a) {
    static const char op[] = "backward";
    if (a->gradients.n && a->gradients.n != a->roots.n)
        return wn__fail(WN_E_RUNTIME, op, "got %lld tensors and %lld gradients", (long long)a->roots.n, (long long)a->gradients.n);
    if (a->roots.n > INT32_MAX || a->inputs.n > INT32_MAX) return wn__fail(WN_E_VALUE, op, "too many tensors");
    wn_tensor *one, **grads = a->roots.n <= 1 ? &one : wn__new(wn_tensor *, (size_t)a->roots.n);
    if (!grads) return wn__fail_memory(op);
    WN_SCOPE(s);
    wn_status st = cotangents(op, a->roots, a->gradients.n ? a->gradients.v : NULL, grads);
    if (!st) st = retain_inputs(op, a->inputs);
    if (!st)
        st = wn__run_backward(&(wn__backward){.roots = a->roots.v, .grads = grads, .nroots = (int)a->roots.n, .inputs = a->inputs.v,
                                              .ninputs = (int)a->inputs.n, .retain = a->retain_graph, .create = a->create_graph});
    if (grads != &one) wn__free(grads);
    return st;
}

static wn_status no_size(const char *op) {
    return wn__fail(WN_E_TYPE, op, "the args struct's size_ is not set (use the macros, or set it to sizeof)");
}

wn_status wn_backward_x(const wn_backward_args *args) {
    wn_backward_args a;
    if (!wn__take_args(&a, sizeof a, args)) return no_size("backward");
    return backward(&(wn_backward_all_args){.roots = {.n = 1, .v = &a.root}, .gradients = {.n = a.gradient != NULL, .v = &a.gradient}, .inputs = a.inputs,
                                            .retain_graph = a.retain_graph, .create_graph = a.create_graph});
}

wn_status wn_backward_all_x(const wn_backward_all_args *args) {
    wn_backward_all_args a;
    if (!wn__take_args(&a, sizeof a, args)) return no_size("backward");
    return backward(&a);
}

wn_list wn_grad_x(const wn_grad_args *args) {
    wn_list none = WN_NO_LIST, out = none;
    wn_grad_args copy;
    if (!wn__take_args(&copy, sizeof copy, args)) {
        no_size("grad");
        return none;
    }
    const wn_grad_args *a = &copy;
    if (a->outputs.n < 1 || a->inputs.n < 1 || (a->gradients.n && a->gradients.n != a->outputs.n)) {
        wn__fail(WN_E_VALUE, "grad", "outputs and inputs must not be empty, and there must be one gradient for each output or none");
        return none;
    }
    for (int64_t i = 0; i < a->inputs.n; i++) {
        wn_tensor *x = a->inputs.v[i];
        if (wn_ok(x) && wn__needs_grad(x)) continue;
        wn__fail(WN_E_RUNTIME, "grad", "One of the differentiated Tensors does not require grad (input %lld, %s)", (long long)i, wn__desc(x));
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
            st = wn__run_backward(&(wn__backward){.roots = a->outputs.v, .grads = grads, .nroots = (int)a->outputs.n, .inputs = a->inputs.v,
                                                  .results = results, .ninputs = (int)a->inputs.n, .retain = a->retain_graph,
                                                  .create = a->create_graph, .allow_unused = a->allow_unused});
        wn_end(&s);
        if (!st) out = (wn_list){.n = a->inputs.n, .v = v};
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
