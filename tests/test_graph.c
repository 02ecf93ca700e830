/* The graph from outside: backward from several roots and into chosen inputs, nodes, hooks. Expected values and names
 * are torch's (2.13). */
#include "base/alloc.h"
#include "tensor/tensor.h"
#include "defer/value.h"
#include "check.h"

/* ------------------------------------------------------------------ several roots, chosen inputs */

static void test_roots(void) {
    WN_SCOPE(s);
    wn_tensor *a = PARAM(1, 2), *b = PARAM(3, 4);
    wn_tensor *p = wn_mul(a, b), *q = wn_sum(wn_mul(p, p)), *r = wn_mul(a, 3);
    CHECK(wn_backward_all(WN_LIST(q, r), .gradients = WN_LIST(NULL, VEC(10, 20)), .retain_graph = true) == WN_OK);
    IS(wn_grad_of(a), 2 * 3 * 3 + 30, 2 * 8 * 4 + 60);
    IS(wn_grad_of(b), 2 * 3 * 1, 2 * 8 * 2);
    zero_grad(a);
    zero_grad(b);
    /* only what was asked for */
    CHECK(wn_backward_all(WN_LIST(q, r), .gradients = WN_LIST(NULL, VEC(10, 20)), .inputs = WN_LIST(b), .retain_graph = true) == WN_OK);
    CHECK(wn_grad_of(a) == NULL);
    IS(wn_grad_of(b), 6, 32);
    CHECK(wn_backward(q, .inputs = WN_LIST(b, a, b), .retain_graph = true) == WN_OK); /* named twice: once */
    IS(wn_grad_of(b), 12, 64);
    IS(wn_grad_of(a), 18, 64);
    /* what is no leaf retains */
    zero_grad(a);
    zero_grad(b);
    CHECK(wn_backward(q, .inputs = WN_LIST(p)) == WN_OK && wn_retains_grad(p) && wn_grad_of(a) == NULL && wn_grad_of(b) == NULL);
    IS(wn_grad_of(p), 6, 16);
    /* one root behind another, and a leaf as a root */
    wn_tensor *x = PARAM(1, 2), *y = wn_mul(x, 2), *z = wn_mul(y, y);
    CHECK(wn_backward_all(WN_LIST(y, z, x), .gradients = WN_LIST(VEC(1, 1), VEC(1, 1), VEC(100, 100))) == WN_OK);
    IS(wn_grad_of(x), 2 + 8 + 100, 2 + 16 + 100);
    CHECK(wn_backward_all(WN_LIST(wn_sum(x), wn_sum(x))) == WN_OK);
    IS(wn_grad_of(x), 112, 120);
    CHECK(wn_backward_all(WN_NO_LIST) == WN_OK); /* of nothing */
    /* an input that the roots do not depend on gets nothing */
    wn_tensor *alone = PARAM(1);
    CHECK(wn_backward(wn_sum(x), .inputs = WN_LIST(alone)) == WN_OK && wn_grad_of(alone) == NULL);
    IS(wn_grad_of(x), 112, 120);

    FAILS(wn_backward_all(WN_LIST(wn_sum(x), VEC(1))) == WN_OK, "element 1 of tensors does not require grad and does not have a grad_fn");
    IS(wn_grad_of(x), 112, 120);
    FAILS(wn_backward_all(WN_LIST(wn_sum(x), wn_mul(x, 2))) == WN_OK, "grad can be implicitly created only for scalar outputs");
    FAILS(wn_backward_all(WN_LIST(wn_sum(x), wn_sum(x)), .gradients = WN_LIST(NULL)) == WN_OK, "got 2 tensors and 1 gradients");
    FAILS(wn_backward_all(WN_LIST(wn_sum(x), wn_mul(x, 2)), .gradients = WN_LIST(NULL, VEC(1, 2, 3))) == WN_OK,
          "Mismatch in shape: grad_output[1] has a shape of torch.Size([3]) and output[1] has a shape of torch.Size([2]).");
    FAILS(wn_backward(wn_sum(x), .inputs = WN_LIST(VEC(1))) == WN_OK, "One of the differentiated Tensors does not require grad");
    FAILS(wn_backward(wn_sum(x), .inputs = WN_LIST(NULL)) == WN_OK, "absent");
    FAILS(wn_backward_all(WN_LIST(NULL)) == WN_OK, "absent");
    FAILS(wn_backward_all_x(&(wn_backward_all_args){.roots = WN_LIST(wn_sum(x))}) == WN_OK, "size_");
    /* a caller built before there were inputs */
    CHECK(wn_backward_x(&(wn_backward_args){.size_ = offsetof(wn_backward_args, inputs), .root = wn_sum(x), .inputs = WN_LIST(NULL)}) == WN_OK);
    /* of what saves nothing, a second backward is no error */
    wn_tensor *w = wn_add(x, 1), *e = wn_sum(wn_exp(x));
    CHECK(wn_backward(w, .gradient = VEC(1, 1)) == WN_OK && wn_backward(w, .gradient = VEC(1, 1)) == WN_OK && wn_backward(e) == WN_OK);
    FAILS(wn_backward(e) == WN_OK, "Trying to backward through the graph a second time (or directly access saved tensors after they have "
          "already been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify "
          "retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors after calling backward.");
    wn_tensor *base = wn_mul(x, 2), *part = wn_slice(base, 0, 0, 1); /* an in-place operation on a view */
    CHECK(wn_ok(wn_mul_(part, part)) && wn_backward(wn_sum(base)) == WN_OK);
    FAILS(wn_backward(base, .gradient = VEC(1, 1)) == WN_OK, "second time");
}

/* ------------------------------------------------------------------ nodes */

static void test_edges(void) {
    WN_SCOPE(s);
    wn_tensor *a = PARAM(1, 2), *b = PARAM(3, 4), *c = VEC(5, 6);
    wn_tensor *p = wn_mul(a, b), *q = wn_addcmul(p, a, c), *first = wn_at(wn_unbind(q), 1), *r = wn_add(first, 1);
    wn_node *n = wn_node_of(r);
    CHECK(wn_node_inputs(n) == 2 && wn_node_outputs(n) == 1);
    wn_edge e = wn_node_input(n, 0), none = wn_node_input(n, 1);
    CHECK(e.node && e.output == 1 && !e.leaf && !none.node && !none.leaf && wn_node_outputs(e.node) == 2);
    wn_node *held = wn_node_keep(e.node);
    CHECK(wn_node_sequence(e.node) < wn_node_sequence(n));
    wn_node_drop(n);
    wn_done(r);
    e = wn_node_input(held, 0); /* it lives on */
    CHECK(wn_node_inputs(e.node) == 3 && wn_node_input(e.node, 1).leaf == a && !wn_node_input(e.node, 2).leaf && !wn_node_input(e.node, 2).node);
    wn_node *mul = wn_node_input(e.node, 0).node;
    CHECK(wn_node_input(mul, 0).leaf == a && wn_node_input(mul, 1).leaf == b && !wn_node_input(mul, 2).leaf && !wn_node_input(mul, -1).leaf);
    wn_node *same = wn_node_of(q);
    CHECK(same == e.node);
    wn_node_drop(same);
    wn_node_drop(held);
    wn_node_drop(NULL);
    CHECK(wn_node_keep(NULL) == NULL && wn_node_inputs(NULL) == 0 && wn_node_outputs(NULL) == 0 && wn_node_sequence(NULL) == 0);
}

/* ------------------------------------------------------------------ hooks */

typedef struct notes {
    char text[256];
    int ended;
} notes;
static void note(notes *n, const char *what) { strncat(n->text, what, sizeof n->text - strlen(n->text) - 1); }
static void ended(void *ctx) { ((notes *)ctx)->ended++; }

static wn_tensor *times_ten(void *ctx, wn_tensor *g) {
    note(ctx, "t");
    return wn_mul(g, 10);
}
static wn_status plus_one(void *ctx, wn_list gout, wn_tensor **replace) {
    note(ctx, "p");
    CHECK(gout.n == 1 && replace[0] == gout.v[0]);
    replace[0] = wn_add(gout.v[0], 1);
    return WN_OK;
}
static wn_status halve_first(void *ctx, wn_list gin, wn_list gout, wn_tensor **replace) {
    note(ctx, "h");
    IS(gout.v[0], 11, 11);
    CHECK(gin.n == 2 && gin.v[1] == NULL && gout.n == 1);
    IS(gin.v[0], 22, 22);
    replace[0] = wn_div(gin.v[0], 2);
    return WN_OK;
}
static wn_status refuse_pre(void *ctx, wn_list gout, wn_tensor **replace) {
    (void)gout;
    replace[0] = NULL;
    if (!ctx) return WN_OK; /* takes the gradient away */
    return wn_raise(WN_E_VALUE, "prehook", "no");
}
static wn_status refuse_post(void *ctx, wn_list gin, wn_list gout, wn_tensor **replace) {
    (void)gin;
    (void)gout;
    if (ctx) replace[0] = wn_add(replace[0], VEC(1, 2, 3));
    else wn_raise(WN_E_VALUE, "post", "no");
    return WN_OK; /* though it failed */
}

static wn_status see_dense(void *ctx, wn_list gout, wn_tensor **replace) {
    note(ctx, "d");
    IS(gout.v[0], 0, 1);
    if (((notes *)ctx)->text[1]) replace[0] = wn_clone(gout.v[0]);
    return WN_OK;
}

static void test_node_hooks(void) {
    WN_SCOPE(s);
    notes log = {0};
    wn_scope first = wn_begin();
    wn_tensor *a = PARAM(1, 1), *b = wn_mul(a, 2);
    CHECK(wn_retain_grad(b) == b);
    wn_node *n = wn_node_of(b);
    int64_t id1 = wn_register_hook_owned(b, times_ten, &log, ended); /* after retain_grad, but seen by it */
    int64_t id2 = wn_node_register_prehook(n, plus_one, &log, ended), id3 = wn_node_register_hook(n, halve_first, &log, ended);
    CHECK(id1 > 0 && id2 > id1 && id3 > id2);
    CHECK(wn_backward(wn_sum(b), .retain_graph = true) == WN_OK && !strcmp(log.text, "tph"));
    IS(wn_grad_of(b), 10, 10);
    IS(wn_grad_of(a), 11, 11);
    /* wn_grad sees them too, its own inputs before the node's hooks */
    log.text[0] = 0;
    wn_list g = wn_grad(WN_LIST(wn_sum(b)), WN_LIST(b, a), .retain_graph = true);
    IS(g.v[0], 10, 10);
    IS(g.v[1], 11, 11);
    wn_remove_hook(NULL, id3);
    CHECK(log.ended == 1);
    wn_remove_hook(NULL, id3);
    wn_remove_hook(b, id1);
    CHECK(log.ended == 2);
    zero_grad(a);
    CHECK(wn_backward(wn_sum(b), .retain_graph = true) == WN_OK);
    IS(wn_grad_of(a), 4, 4);
    /* the last one goes with the node */
    wn_node_drop(n);
    CHECK(log.ended == 2);
    wn_end(&first);
    CHECK(log.ended == 3);

    /* taking gradients away, failing */
    wn_tensor *x = PARAM(1, 2), *y = wn_exp(x);
    n = wn_node_of(y);
    int64_t id = wn_node_register_prehook(n, refuse_pre, NULL, NULL);
    CHECK(wn_backward(wn_sum(y), .retain_graph = true) == WN_OK && wn_grad_of(x) == NULL);
    wn_remove_hook(NULL, id);
    id = wn_node_register_prehook(n, refuse_pre, &log, NULL);
    FAILS(wn_backward(wn_sum(y), .retain_graph = true) == WN_OK, "prehook: no");
    wn_remove_hook(NULL, id);
    id = wn_node_register_hook(n, refuse_post, NULL, NULL);
    FAILS(wn_backward(wn_sum(y), .retain_graph = true) == WN_OK, "post: no");
    wn_remove_hook(NULL, id);
    id = wn_node_register_hook(n, refuse_post, &log, NULL);
    FAILS(wn_backward(wn_sum(y), .retain_graph = true) == WN_OK, "add");
    wn_remove_hook(NULL, id);
    CHECK(wn_grad_of(x) == NULL && wn_backward(wn_sum(y)) == WN_OK);
    IS(wn_grad_of(x), exp(1), exp(2));
    wn_node_drop(n);
    FAILS(wn_node_register_hook(NULL, refuse_post, NULL, NULL) > 0, "absent");
    FAILS(wn_node_register_prehook(NULL, refuse_pre, NULL, NULL) > 0, "absent");

    /* where(m, sqrt(z), 1): sqrt's node gets a dense gradient, and no 0 * inf at the element that was left out */
    wn_tensor *z = PARAM(0, 4), *root = wn_sqrt(z), *cond = wn_gt(z, 1);
    n = wn_node_of(root);
    log.text[0] = 0;
    CHECK(wn_node_register_prehook(n, see_dense, &log, NULL) > 0);
    wn_tensor *sum = wn_sum(wn_where(cond, root, 1));
    CHECK(wn_backward(sum, .retain_graph = true) == WN_OK && !strcmp(log.text, "d"));
    IS(wn_grad_of(z), 0, 0.25);
    CHECK(wn_backward(sum) == WN_OK && !strcmp(log.text, "dd")); /* what a hook gives exists everywhere: 0 * inf, as in torch */
    CHECK(isnan(wn_item_f64(wn_select(wn_grad_of(z), 0, 0))));
    wn_node_drop(n);
}

static wn_tensor *once(void *ctx, wn_tensor *g) { /* removes itself, adds another */
    int64_t *ids = ctx;
    wn_remove_hook(NULL, ids[0]);
    ids[1]++;
    (void)g;
    return NULL;
}
static wn_status look_and_clear(void *ctx, wn_tensor *leaf) {
    double *seen = ctx;
    *seen = wn_item_f64(wn_sum(wn_grad_of(leaf)));
    return wn_set_grad(leaf, NULL);
}
static wn_status refuse_leaf(void *ctx, wn_tensor *leaf) {
    (void)leaf;
    return wn_raise(WN_E_RUNTIME, ctx, "not this leaf");
}
static void drop_hook(void *ctx) { wn_remove_hook(NULL, *(int64_t *)ctx); }

static void test_drop_history(void) { /* detach_() */
    WN_SCOPE(s);
    wn_tensor *x = PARAM(1, 2), *y = wn_mul(x, 2), *z = wn_mul(y, 3);
    CHECK(wn_retain_grad(y) == y && wn_drop_history(y) == WN_OK && wn_is_leaf(y) && !wn_needs_grad(y) && !wn_retains_grad(y));
    CHECK(wn_backward(wn_sum(z)) == WN_OK && wn_grad_of(y) == NULL); /* what was recorded before leads on to x */
    IS(wn_grad_of(x), 6, 6);
    CHECK(wn_is_leaf(wn_mul(y, 5)) && wn_requires_grad(y, true) == y && wn_backward(wn_sum(y)) == WN_OK);
    IS(wn_grad_of(y), 1, 1);
    CHECK(wn_drop_history(x) == WN_OK && !wn_needs_grad(x) && wn_drop_history(VEC(1)) == WN_OK);
    FAILS(wn_drop_history(wn_slice(z, 0, 0, 1)) == WN_OK, "Can't detach views in-place. Use detach() instead.");
    FAILS(wn_drop_history(NULL) == WN_OK, "absent");
}

static void test_tensor_hooks(void) {
    WN_SCOPE(s);
    notes log = {0};
    wn_scope first = wn_begin();
    wn_tensor *x = PARAM(1, 2);
    int64_t ids[2] = {0, 0};
    ids[0] = wn_register_hook(x, once, ids);
    CHECK(wn_register_hook_owned(x, times_ten, &log, ended) > 0);
    CHECK(wn_backward(wn_sum(x)) == WN_OK && wn_backward(wn_sum(x)) == WN_OK && ids[1] == 1 && !strcmp(log.text, "tt"));
    IS(wn_grad_of(x), 20, 20);
    /* after .grad: the same leaf reached twice counts once; wn_grad leaves them alone */
    double seen = 0;
    wn_tensor *p = PARAM(1, 2);
    int64_t id = wn_register_accumulate_hook(p, look_and_clear, &seen, NULL);
    CHECK(id > 0 && wn_backward(wn_sum(wn_add(wn_mul(p, 3), p))) == WN_OK && seen == 8 && wn_grad_of(p) == NULL);
    seen = 0;
    CHECK(wn_grad(WN_LIST(wn_sum(p)), WN_LIST(p)).n == 1 && seen == 0);
    CHECK(wn_backward(wn_sum(p)) == WN_OK && seen == 2); /* the leaf as good as the root */
    wn_remove_hook(p, id);
    CHECK(wn_backward(wn_sum(p)) == WN_OK && wn_grad_of(p) != NULL);
    /* a result that is kept adds up, too */
    wn_tensor *kept = wn_mul(p, 2), *twice = wn_sum(kept);
    CHECK(wn_retain_grad(kept) == kept && wn_backward(twice, .retain_graph = true) == WN_OK && wn_backward(twice) == WN_OK);
    IS(wn_grad_of(kept), 2, 2);
    CHECK(wn_register_accumulate_hook(p, refuse_leaf, (void *)(uintptr_t)"hook", NULL) > 0);
    wn_tensor *other = PARAM(3, 3);
    FAILS(wn_backward(wn_sum(wn_mul(p, other))) == WN_OK, "hook: not this leaf");
    FAILS(wn_register_accumulate_hook(wn_mul(p, 2), look_and_clear, &seen, NULL) > 0,
          "post accumulate grad hooks cannot be registered on non-leaf tensors");
    FAILS(wn_register_accumulate_hook(VEC(1), look_and_clear, &seen, NULL) > 0, "doesn't require gradient");
    FAILS(wn_register_hook_owned(VEC(1), times_ten, &log, ended) > 0, "doesn't require gradient");
    CHECK(log.ended == 0);
    /* a release that removes another hook, of a leaf that goes */
    static int64_t next;
    notes more = {0};
    wn_tensor *q = PARAM(1);
    CHECK(wn_register_hook_owned(q, times_ten, &next, drop_hook) > 0);
    next = wn_register_hook_owned(x, times_ten, &more, ended);
    wn_done(q);
    CHECK(more.ended == 1);
    /* nor is a release called while a lock is held */
    notes late = {0};
    wn_tensor *gone = PARAM(1);
    CHECK(wn_register_hook_owned(gone, times_ten, &late, ended) > 0);
    wn__defer_lock();
    wn_done(gone);
    CHECK(late.ended == 0);
    wn__defer_unlock();
    CHECK(late.ended == 1);
    /* hooks that come and go leave nothing behind */
    for (int i = 0; i < 1000; i++) {
        id = wn_register_hook_owned(x, times_ten, &log, ended);
        wn_remove_hook(x, id);
    }
    CHECK(log.ended == 1000);
    wn_end(&first);
    CHECK(log.ended == 1001);
    /* an in-place operation takes the retaining along */
    wn_tensor *a = PARAM(1, 1), *b = wn_mul(a, 2);
    CHECK(wn_retain_grad(b) == b && wn_ok(wn_mul_(b, 3)));
    wn_tensor *sum = wn_sum(b);
    CHECK(wn_backward(sum, .retain_graph = true) == WN_OK);
    IS(wn_grad_of(b), 1, 1);
    wn_done(b); /* and its end takes it away */
    CHECK(wn_backward(sum) == WN_OK);
    IS(wn_grad_of(a), 12, 12);
}

int main(void) {
    wn_set_error_hook(NULL);
    test_roots();
    test_edges();
    test_node_hooks();
    test_drop_history();
    test_tensor_hooks();
    CHECK(wn_error() == WN_OK);
    wn_stats st = wn_get_stats();
    if (st.handles || st.storages) printf("%lld handles and %lld storages are left\n", (long long)st.handles, (long long)st.storages);
    CHECK(st.handles == 0 && st.storages == 0 && wn__slab_live(WN__SLAB_NODE) == 0);
    return report();
}
