/* Custom functions recorded after the fact (torch.autograd.Function), and all of the graph's interface while memory runs short. */
#include "base/alloc.h"
#include "tensor/tensor.h"
#include "check.h"

static bool named(wn_tensor *t, const char *name) {
    char text[64];
    wn_node *n = wn_node_of(t);
    bool ok = wn_node_name(n, text, sizeof text) == strlen(name) && !strcmp(text, name);
    if (!ok) printf("    it is %s\n", text);
    wn_node_drop(n);
    return ok;
}
#define NAMED(t, name) check_(named((t), name), #t " is made by " name, __LINE__)

/* ------------------------------------------------------------------ a function with two results */

typedef struct saved {
    wn_tensor *x, *y; /* owned */
    wn_node *node;    /* not owned: it owns this */
    int released, freed;
    int mode;
    double lost;
} saved;

static void saved_release(void *ctx) {
    saved *c = ctx;
    c->released++;
    wn_drop(c->x);
    wn_drop(c->y);
    c->x = c->y = NULL;
}
static void saved_free(void *ctx) {
    saved *c = ctx;
    c->freed++;
    saved_release(c);
}

/* p = x * x, q = exp(x): the gradient of q reads q. */
static wn_status pair_backward(void *ctx, wn_list gout, wn_tensor **gin) {
    saved *c = ctx;
    CHECK(gout.n == 4 && !gout.v[2] && !gout.v[3] && c->x);
    wn_tensor *g = NULL;
    if (gout.v[0]) g = wn_mul(gout.v[0], wn_mul(c->x, 2));
    if (gout.v[1]) {
        wn_tensor *h = wn_mul(gout.v[1], wn_reattach(c->y, c->node, 1));
        g = g ? wn_add(g, h) : h;
    }
    gin[1] = g;
    return WN_OK;
}

static wn_status pair(saved *c, wn_tensor *x, wn_tensor **p, wn_tensor **q) {
    wn_scope s = wn_begin_modes((wn_modes){.grad = WN_OFF});
    *p = wn_escape(wn_mul(x, x));
    *q = wn_escape(wn_exp(x));
    wn_tensor *count = wn_escape(wn_arange(2));
    wn_end(&s);
    *c = (saved){.x = wn_keep(x), .y = wn_keep(wn_detach(*q))};
    wn_status st = wn_record("Pair", .inputs = WN_LIST(NULL, x), .outputs = WN_LIST(*p, *q, NULL, count), .ctx = c, .backward = pair_backward,
                             .release = saved_release, .free = saved_free);
    if (st) {
        saved_free(c);
        return st;
    }
    wn_node *n = wn_node_of(*p);
    c->node = n;
    wn_node_drop(n);
    return WN_OK;
}

static void test_record(void) {
    WN_SCOPE(s);
    saved c, d;
    wn_tensor *x = PARAM(1, 2), *p, *q;
    CHECK(pair(&c, x, &p, &q) == WN_OK && wn_needs_grad(p) && wn_needs_grad(q) && wn_output_nr(q) == 1);
    NAMED(p, "PairBackward");
    wn_node *n = wn_node_of(q);
    CHECK(n == c.node && wn_node_ctx(n, pair_backward) == &c && wn_node_ctx(n, NULL) == NULL && wn_node_ctx(NULL, pair_backward) == NULL);
    CHECK(wn_node_inputs(n) == 2 && wn_node_input(n, 1).leaf == x && wn_node_outputs(n) == 4);
    wn_node_drop(n);
    CHECK(wn_backward(wn_sum(p), .retain_graph = true) == WN_OK && c.released == 0); /* q has no gradient */
    IS(wn_grad_of(x), 2, 4);
    zero_grad(x);
    wn_tensor *both = wn_sum(wn_add(p, q));
    wn_tensor *g = wn_at(wn_grad(WN_LIST(both), WN_LIST(x), .create_graph = true), 0);
    IS(wn_detach(g), 2 + exp(1), 4 + exp(2));
    wn_tensor *gg = wn_at(wn_grad(WN_LIST(wn_sum(g)), WN_LIST(x), .retain_graph = true), 0); /* through q's history */
    IS(gg, 2 + exp(1), 2 + exp(2));
    CHECK(c.released == 0 && wn_backward(both) == WN_OK && c.released == 1 && c.freed == 0);
    FAILS(wn_backward(wn_sum(p)) == WN_OK, "Trying to backward through the graph a second time");
    CHECK(c.released == 1);
    wn_done(g);
    wn_done(gg);
    wn_done(both);
    wn_done(p);
    CHECK(c.freed == 0);
    wn_done(q);
    /* the sums' graphs still lead there until the scope ends */
    wn_end(&s);
    CHECK(c.freed == 1 && c.released == 2);

    WN_SCOPE(u);
    x = VEC(1, 2);
    CHECK(pair(&c, x, &p, &q) == WN_OK && c.freed == 1 && !wn_needs_grad(p)); /* nothing to record */
    {
        WN_NO_GRAD();
        CHECK(pair(&c, PARAM(1, 2), &p, &q) == WN_OK && c.freed == 1 && wn_is_leaf(p));
    }
    x = PARAM(1, 2);
    FAILS(wn_record("F", .inputs = WN_LIST(x), .outputs = WN_LIST(VEC(1)), .ctx = &d) == WN_OK, "absent");
    FAILS(wn_record_x(&(wn_record_args){.name = "F", .backward = pair_backward}) == WN_OK, "size_");
}

/* What backward gives, by mode. */
static wn_status odd_backward(void *ctx, wn_list gout, wn_tensor **gin) {
    saved *c = ctx;
    if (gout.v[0]) c->lost = wn_item_f64(wn_sum(gout.v[0]));
    switch (c->mode) {
    case 1: return wn_raise(WN_E_TYPE, NULL, "the callback's own words");
    case 2: wn_raise(WN_E_TYPE, NULL, "in passing"); return WN_OK;
    case 3: gin[0] = wn_add(VEC(1, 2, 3), VEC(1, 2)); return WN_OK;
    case 4: gin[0] = wn_ones(WN_DIMS(5)); return WN_OK;
    case 5: return WN_E_VALUE; /* without a record */
    case 6: gin[0] = wn_ones(WN_DIMS(4, 2)); return WN_OK; /* summed to fit */
    case 7: return WN_OK;
    default: gin[0] = wn_mul(gout.v[0], 7); return WN_OK;
    }
}
static wn_status odd(saved *c, int mode, wn_tensor *x, wn_tensor *y, const bool *flat, const bool *dirty) {
    *c = (saved){.mode = mode};
    return wn_record("Odd", .inputs = WN_LIST(x), .outputs = WN_LIST(y), .ctx = c, .backward = odd_backward, .free = saved_free,
                     .non_differentiable = flat, .dirty = dirty);
}

static void test_odd_records(void) {
    WN_SCOPE(s);
    saved c;
    wn_tensor *x = PARAM(1, 2), *y;
    for (int mode = 1; mode <= 7; mode++) {
        WN_SCOPE(inner);
        y = VEC(3, 4);
        CHECK(odd(&c, mode, x, y, NULL, NULL) == WN_OK && !wn_is_leaf(y));
        wn_status st = wn_backward(wn_sum(y));
        if (mode == 1) FAILS(st != WN_E_TYPE, "the callback's own words");
        if (mode == 2) FAILS(st != WN_E_TYPE, "in passing");
        if (mode == 3) FAILS(st == WN_OK, "add");
        if (mode == 4) FAILS(st == WN_OK, "Function OddBackward returned an invalid gradient at index 0 - got [5] but expected shape compatible with [2]");
        if (mode == 5) FAILS(st == WN_OK, "backward failed");
        if (mode >= 6) CHECK(st == WN_OK);
        if (mode == 6) IS(wn_grad_of(x), 4, 4);
        CHECK(c.lost == 2 && wn_backward(wn_mul(y, 0), .gradient = VEC(1, 1)) == (mode < 6 ? st : WN_OK)); /* nothing to release: again */
        wn_clear();
        if (mode < 6) CHECK(wn_grad_of(x) == NULL);
        wn_end(&inner);
        CHECK(c.freed == 1);
    }
    /* results without derivative */
    zero_grad(x);
    y = VEC(3, 4);
    CHECK(odd(&c, 0, x, y, (bool[]){true}, NULL) == WN_OK && wn_is_leaf(y) && !wn_needs_grad(y) && c.freed == 1);
    y = wn_arange(2);
    CHECK(odd(&c, 0, x, y, NULL, NULL) == WN_OK && wn_is_leaf(y) && c.freed == 1);
    /* changed in place: a non-leaf, a plain leaf, a view, a leaf that requires grad */
    wn_tensor *h = wn_mul(x, 2);
    uint32_t version = wn_version(h);
    CHECK(odd(&c, 0, h, h, NULL, (bool[]){true}) == WN_OK && wn_version(h) == version + 1);
    NAMED(h, "OddBackward");
    CHECK(wn_backward(wn_sum(wn_mul(h, 3))) == WN_OK);
    IS(wn_grad_of(x), 42, 42);
    wn_tensor *plain = VEC(0, 0);
    *&c = (saved){0};
    CHECK(wn_record("Odd", .inputs = WN_LIST(x, plain), .outputs = WN_LIST(plain), .ctx = &c, .backward = odd_backward, .dirty = (bool[]){true}) == WN_OK);
    zero_grad(x);
    CHECK(wn_backward(wn_sum(plain)) == WN_OK);
    IS(wn_grad_of(x), 7, 7);
    wn_tensor *base = wn_mul(PARAM(1, 2, 3), 1), *leaf = wn_node_input(NULL, 0).leaf, *part = wn_slice(base, 0, 1, 3);
    (void)leaf;
    zero_grad(x);
    /* the part is the second input, and its gradient is dropped (gin[1] stays NULL): zero in the part, the rest passes */
    CHECK(wn_record("Odd", .inputs = WN_LIST(x, part), .outputs = WN_LIST(part), .ctx = &c, .backward = odd_backward, .dirty = (bool[]){true}) == WN_OK);
    NAMED(base, "CopySlices");
    NAMED(part, "AsStridedBackward0");
    wn_tensor *bg = wn_at(wn_grad(WN_LIST(base), WN_LIST(x), .gradients = WN_LIST(VEC(1, 2, 3)), .retain_graph = true), 0);
    IS(bg, 14, 21);
    wn_tensor *root = PARAM(1, 2, 3);
    base = wn_mul(root, 1);
    part = wn_slice(base, 0, 1, 3);
    CHECK(odd(&c, 0, part, part, NULL, (bool[]){true}) == WN_OK && wn_backward(base, .gradient = VEC(1, 2, 3)) == WN_OK);
    IS(wn_grad_of(root), 1, 14, 21);
    FAILS(odd(&c, 0, x, x, NULL, (bool[]){true}) == WN_OK, "a leaf Variable that requires grad has been used in an in-place operation.");
    FAILS(odd(&c, 0, x, VEC(1), NULL, (bool[]){true}) == WN_OK, "is no input");
    part = wn_slice(wn_mul(x, 1), 0, 0, 1);
    FAILS(wn_record("Odd", .inputs = WN_LIST(part), .outputs = WN_LIST(part, VEC(1)), .ctx = &c, .backward = odd_backward, .dirty = (bool[]){true, false}) == WN_OK,
          "If your Function modifies inplace an input that is a view of another Tensor, your Function cannot return more than one Tensor.");
    wn_tensor *one_of = wn_at(wn_unbind(wn_mul(wn_view(x, WN_DIMS(2, 1)), 1)), 0);
    FAILS(odd(&c, 0, one_of, one_of, NULL, (bool[]){true}) == WN_OK, "view");
    CHECK(c.freed == 0); /* after an error ctx is still ours */
    FAILS(wn_ok(wn_reattach(x, NULL, 0)), "absent");
    wn_node *n = wn_node_of(h);
    FAILS(wn_ok(wn_reattach(x, n, 1)), "no result 1");
    wn_node_drop(n);
}

/* wn_apply's functions let go of what they stashed as rows do. */
static wn_tensor *stash_forward(wn_fctx *c, wn_list in) {
    wn_stash(c, in.v[0]);
    return wn_mul(in.v[0], in.v[0]);
}
static void stash_backward(wn_fctx *c, wn_list gout, wn_tensor **gin) { gin[0] = wn_mul(gout.v[0], wn_mul(wn_stashed(c, 0), 2)); }
static void test_stash(void) {
    static const wn_function f = {"Stash", stash_forward, stash_backward};
    WN_SCOPE(s);
    wn_tensor *x = PARAM(1, 2), *h = wn_mul(x, 1), *y = wn_apply(&f, h);
    NAMED(y, "StashBackward");
    int64_t before = wn_references(h);
    wn_tensor *sum = wn_sum(y);
    CHECK(wn_backward(sum) == WN_OK && wn_references(h) == before - 1);
    FAILS(wn_backward(wn_sum(y)) == WN_OK, "second time");
}

/* ------------------------------------------------------------------ memory that runs short */

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
static wn_status refuse_post(void *ctx, wn_list gin, wn_list gout, wn_tensor **replace) {
    (void)gin;
    (void)gout;
    if (ctx) replace[0] = wn_add(replace[0], VEC(1, 2, 3));
    else wn_raise(WN_E_VALUE, "post", "no");
    return WN_OK; /* though it failed */
}

static void everything(void) {
    WN_SCOPE(s);
    saved c = {0};
    notes log = {0};
    wn_tensor *x = PARAM(1, 2), *p, *q;
    if (!wn_ok(x) || pair(&c, x, &p, &q)) return;
    if (!wn_register_hook_owned(x, times_ten, &log, ended)) CHECK(log.ended == 0);
    wn_node *n = wn_node_of(q);
    if (n) (void)wn_node_register_hook(n, refuse_post, NULL, NULL);
    wn_node_drop(n);
    wn_tensor *base = wn_mul(x, 1), *part = wn_slice(base, 0, 0, 1), *h = wn_mul(x, 2);
    saved o = {0}, v = {0};
    bool recorded = wn_ok(h) && odd(&o, 0, h, h, NULL, (bool[]){true}) == WN_OK, view = wn_ok(part) && odd(&v, 0, part, part, NULL, (bool[]){true}) == WN_OK;
    if (wn_ok(h)) (void)wn_retain_grad(h);
    wn_tensor *r1 = wn_sum(wn_mul(p, q)), *r2 = wn_sum(base);
    wn_status st = wn_backward_all(WN_LIST(h, r1, r2), .gradients = WN_LIST(VEC(1, 1), NULL, NULL), .inputs = WN_LIST(x, base));
    if (wn_ok(p)) st = wn_set_data(p, VEC(1, 2, 3));
    (void)st;
    wn_end(&s);
    CHECK(c.freed == 1 && o.freed == recorded && v.freed == view);
}

static void test_memory(void) {
    for (int64_t n = 0;; n++) {
        wn_fail_allocation(n);
        everything();
        bool hit = wn_fail_allocation_hit();
        wn_fail_allocation(-1);
        wn_clear();
        wn_stats st = wn_get_stats();
        if (st.handles || st.storages || wn__slab_live(WN__SLAB_NODE)) {
            CHECK(!"something is left after a failed allocation");
            break;
        }
        if (!hit) break;
        if (n == 5000) {
            CHECK(!"the sweep ends");
            break;
        }
    }
}

int main(void) {
    wn_set_error_hook(NULL);
    test_record();
    test_odd_records();
    test_stash();
    CHECK(wn_error() == WN_OK);
    test_memory();
    wn_stats st = wn_get_stats();
    if (st.handles || st.storages) printf("%lld handles and %lld storages are left\n", (long long)st.handles, (long long)st.storages);
    CHECK(st.handles == 0 && st.storages == 0 && wn__slab_live(WN__SLAB_NODE) == 0);
    return report();
}
