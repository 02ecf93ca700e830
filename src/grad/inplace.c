/* Autograd through views and in-place operations, by PyTorch's rules: the history of a storage belongs to its base, and
 * a view whose base has changed gets a new history when it is asked for. */
#include "base/alloc.h"
#include "grad/tape.h"
#include "grad/front.h"

wn_tensor *wn__view_base(const wn_tensor *t) {
    wn_tensor *base = t->grad ? t->grad->base : NULL;
    return base && base->storage == t->storage ? base : NULL;
}

void wn__forget_base(wn_tensor *t) {
    if (!t->grad || !t->grad->base) return;
    WN__OWNED wn_tensor *base = t->grad->base;
    t->grad->base = NULL;
    t->grad->multi_view = false;
    t->grad->view_of = WN__VIEW_RECORDED;
}

void wn__note_view(wn_tensor *view, wn_tensor *source, bool multi) {
    WN_ASSERT(view != source && view->storage == source->storage);
    if (view == source || view->flags & WN__T_INFERENCE) return;
    if (view->dtype != source->dtype && !(wn__is_float(view->dtype) && wn__is_float(source->dtype))) return; /* bits have no gradient */
    wn__grad_meta *m = wn__grad_meta_of(view);
    wn_tensor *base = wn__view_base(source);
    m->base = wn__retain(base ? base : source);
    m->view_version = wn_version(view);
    m->multi_view = multi || (source->grad && source->grad->multi_view);
    const wn__thread *th = wn__self();
    m->view_of = th->modes & WN__MODE_INFERENCE ? WN__VIEW_INFERENCE : !wn__recording(th) ? WN__VIEW_NO_GRAD : source->grad ? source->grad->view_of : WN__VIEW_RECORDED;
}

bool wn__view_is_stale(const wn_tensor *t) {
    const wn_tensor *base = wn__view_base(t);
    return base && t->grad->view_of == WN__VIEW_RECORDED && t->grad->view_version != wn_version(t) && base->grad && base->grad->node;
}

/* A node as if as_strided had made the view from its base, with the view's geometry; NULL when memory is short. */
static wn__node *strided_node(const wn_tensor *t) {
    wn_tensor *base = t->grad->base;
    wn__node *n = wn__node_new("as_strided", 1, 1, sizeof(wn_as_strided_view_args), &base);
    if (!n) return NULL;
    n->op = &wn__ops[WN__OP_as_strided_view];
    wn_as_strided_view_args *a = n->args;
    *a = (wn_as_strided_view_args){.size_ = sizeof *a, .size = wn_shape(t), .stride = wn_strides(t), .storage_offset = t->offset,
                                   .self_stride = wn_strides(base), .self_offset = base->offset};
    return n;
}

static wn_status regenerate(wn_tensor *t) {
    wn__node *n = strided_node(t);
    if (!n) return wn__fail_memory("as_strided");
    wn_status st = wn__node_connect(n, 0, t->grad->base);
    if (!st && !wn__set_history(t, n, 0)) st = wn__fail_memory("as_strided");
    wn__node_release(n);
    return st;
}

static const char ambiguous[] = "Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code by moving both the view and the inplace "
                               "either both inside the inference_mode block (if you don't want the inplace to be tracked) or both outside (if you want the inplace to be tracked).";

wn_status wn__gradient_edge(wn_tensor *t, wn__node **node, uint32_t *out_nr, wn_tensor **leaf) {
    *node = NULL;
    *leaf = NULL;
    *out_nr = 0;
    wn__grad_meta *m = t->grad;
    if (!m) return WN_OK;
    if (m->base && wn__view_is_stale(t)) {
        wn_status st = regenerate(t);
        if (st) return st;
    }
    if (m->base && m->view_of == WN__VIEW_INFERENCE && m->view_version != wn_version(t) && wn__needs_grad(t))
        return wn__fail(WN_E_RUNTIME, "grad_fn", "A view was created in inference mode and its base or another view of its base has been modified inplace in "
                        "normal mode. %s", ambiguous);
    if (m->node) {
        *node = m->node;
        *out_nr = m->out_nr;
    } else if (t->flags & WN__T_REQUIRES_GRAD) {
        *leaf = t;
    }
    return WN_OK;
}

static wn_status refuse_multi_view(const char *op, const wn__grad_meta *m) {
    char name[128] = "one call";
    if (m->node) wn_node_name(m->node, name, sizeof name);
    return wn__fail(WN_E_RUNTIME, op, "Output %u of %s is a view and is being modified inplace. This view is the output of a function that returns multiple "
                    "views. Such functions do not allow the output views to be modified inplace. You should replace the inplace operation by an "
                    "out-of-place one.", m->out_nr, name);
}

wn_status wn__refuse_inference(const char *op, const wn_tensor *t) {
    return wn__fail(WN_E_RUNTIME, op, "Inplace update to inference tensor outside InferenceMode is not allowed. You can make a clone to get a normal tensor before "
                    "doing inplace update (%s).", wn__desc(t));
}

wn_status wn__check_inplace(const char *op, wn_tensor *t, bool recording) {
    if (t->flags & WN__T_INFERENCE && !(wn__self()->modes & WN__MODE_INFERENCE) && !(recording && t->flags & WN__T_REQUIRES_GRAD)) return wn__refuse_inference(op, t);
    wn__grad_meta *m = t->grad;
    const wn_tensor *base = wn__view_base(t);
    const bool over_modes = base && m->view_of != WN__VIEW_RECORDED && wn__recording(wn__self()) && wn__needs_grad(base);
    if (over_modes && m->view_of == WN__VIEW_INFERENCE)
        return wn__fail(WN_E_RUNTIME, op, "A view was created in inference mode and is being modified inplace in normal mode. %s", ambiguous);
    if (over_modes)
        return wn__fail(WN_E_RUNTIME, op, "A view was created in no_grad mode and is being modified inplace with grad mode enabled");
    if (!recording) return WN_OK;
    if (t->flags & WN__T_REQUIRES_GRAD)
        return wn__fail(WN_E_RUNTIME, op, "a leaf Variable that requires grad is being used in an in-place operation (%s)", wn__desc(t));
    if (!base) return WN_OK;
    if (base->flags & WN__T_REQUIRES_GRAD && m->view_of == WN__VIEW_RECORDED)
        return wn__fail(WN_E_RUNTIME, op, "a view of a leaf Variable that requires grad is being used in an in-place operation (%s of %s)",
                        wn__desc(t), wn__desc(base));
    return m->multi_view ? refuse_multi_view(op, m) : WN_OK;
}

wn_status wn__may_change(const char *op, wn_tensor *t) { return wn__check_inplace(op, t, false); }

wn_status wn__rebase_prepare(wn_tensor *t, int at, wn__inplace *r) {
    wn__grad_meta_of(t);
    if (!wn__view_base(t)) return WN_OK;
    wn__grad_meta_of(t->grad->base);
    if (!(r->slices = wn__slices_node(t, at, r->node))) return wn__self()->error;
    if (!(r->strided = strided_node(t))) return wn__fail_memory(r->node->name);
    r->strided->edges[0].node = wn__node_retain(r->slices);
    return WN_OK;
}

void wn__rebase_commit(wn_tensor *t, const wn__inplace *r) { /* t->grad exists: nothing here can fail */
    if (r->slices) (void)wn__set_history(t->grad->base, r->slices, 0);
    (void)wn__set_history(t, r->strided ? r->strided : r->node, 0);
}
