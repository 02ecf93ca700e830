/* Backward: runs nodes in reverse order of recording. Cotangents of a node's result, and those of a leaf, are summed
 * before they are used. An absent one is zero and costs nothing: a node whose results have none is not run. */
#include "base/alloc.h"
#include "tensor/events.h"
#include "base/interrupt.h"
#include "defer/value.h"
#include "grad/engine.h"
#include "grad/saved.h"
#include "defer/copy.h"
#include "tensor/strides.h"

typedef wn__reached entry;
typedef wn__task task;

/* ------------------------------------------------------------------ cotangents */

/* Where cotangents that go along e are summed, if they are wanted. NULL: they are not, or (*st) memory is short. */
static wn__cotangent *slot_of(task *t, const wn__edge *e, wn_status *st) {
    entry *to = wn__reached_find(t, wn__edge_to(e));
    if (!to || (!to->needed && !wn__is_input(t, e))) return NULL;
    if (!to->g) to->g = to->is_leaf || e->node->nout == 1 ? &to->only : wn__new(wn__cotangent, e->node->nout);
    if (!to->g) *st = wn__fail_memory("backward");
    return to->g ? &to->g[e->out_nr] : NULL;
}

/* Adds g (borrowed), all of whose elements exist, to what has come along e. */
static wn_status deliver(task *t, const wn__edge *e, wn_tensor *g) {
    wn_status st = WN_OK;
    wn__cotangent *to = slot_of(t, e, &st);
    if (!to) return st;
    g = wn__fit(e, g);
    if (wn__is_bad(g)) return wn_error();
    if (to->value) return wn__cotangent_add(to, &(wn__cotangent){.value = g}, !e->leaf, t->create);
    to->value = wn__retain(g);
    return WN_OK;
}

/* The same for the gradient g of input i of n, which may have unread elements. These are noted (from: n's cotangents)
 * if e leads to the only result of a node that can use a support, and other terms come there, too. */
static wn_status deliver_some(task *t, wn__node *n, int i, wn_tensor *g, wn_tensor *const *from) {
    const wn__edge *e = &n->edges[i];
    const entry *at = e->node && wn__support_way(e->node) != WN__MOVES_NOT ? wn__reached_find(t, e->node) : NULL;
    wn_status st = WN_OK;
    wn__cotangent *to = at && (at->g || at->pending > 1) ? slot_of(t, e, &st) : NULL;
    if (!to || (to->value && !to->support && !to->reads)) return st ? st : deliver(t, e, g);
    g = wn__fit(e, g);
    if (wn__is_bad(g)) return wn_error();
    wn__reads *reads = wn__reads_new(n, i, from, !t->retain);
    if (!reads) return wn__fail_memory(n->name);
    t->reads = true;
    if (!to->value) {
        *to = (wn__cotangent){.value = wn__retain(g), .reads = reads};
        return WN_OK;
    }
    wn__cotangent x = {.value = g, .reads = reads};
    st = wn__cotangent_add(to, &x, true, t->create);
    wn__reads_drop(x.reads);
    return st;
}

/* Adds x (borrowed), which has a support. A leaf keeps supports of its own elements: the other side may come yet. */
static wn_status deliver_on(task *t, const wn__edge *e, wn__cotangent x) {
    if (e->leaf ? !wn__support_stays(e, x.support, x.value) : wn__support_use(e->node, x.support->masks) == WN__MOVES_NOT) {
        wn_tensor *g = x.dense ? x.dense : wn__support_dense(x.support, x.value);
        return wn__is_bad(g) ? wn_error() : deliver(t, e, g);
    }
    wn_status st = WN_OK;
    wn__cotangent *to = slot_of(t, e, &st);
    if (!to || (st = wn__fit_support(e, &x))) return st;
    st = wn__cotangent_add(to, &x, !e->leaf, t->create);
    wn__support_release(x.support);
    return st;
}

/* Is the condition `given` of use where e leads, or may the gradient be dense? A leaf uses it if more terms come. */
static bool wants_support(task *t, const wn__edge *e, const wn__given *given, const wn_tensor *value) {
    if (!e->leaf) return wn__support_use(e->node, wn__by_mask(given)) != WN__MOVES_NOT;
    const entry *to = wn__reached_find(t, e->leaf);
    return to && (to->g || to->pending > 1) && wn__support_stays(e, &(wn__support){.t = given->t}, value);
}

/* ------------------------------------------------------------------ one node */

/* Bit i: is the gradient of input i wanted? It must lead somewhere or, with inputs given, to one of these. */
static uint64_t needs(task *t, const wn__node *n) {
    uint64_t need = 0;
    for (int i = 0; i < n->nin && i < 64; i++) {
        const wn__edge *e = &n->edges[i];
        bool wanted = wn__edge_to(e) != NULL;
        if (wanted && t->ninputs) {
            const entry *to = wn__reached_find(t, wn__edge_to(e));
            wanted = (to && to->needed) || wn__is_input(t, e);
        }
        if (wanted) need |= (uint64_t)1 << i;
    }
    return need;
}

/* Hooks see dense cotangents. If one returns another tensor, or changes its argument, that exists everywhere. */
static wn_status hooked(const wn__hook *hooks, int out_nr, wn__cotangent *x) {
    if (!wn__hooks_wait_for(hooks, (uint32_t)out_nr)) return WN_OK;
    wn_tensor *dense = wn__cotangent_dense(x);
    if (!wn_ok(dense)) return wn_error();
    uint32_t version = wn_version(dense);
    wn_tensor *got = wn__hooks_grad(hooks, (uint32_t)out_nr, dense);
    if (!wn_ok(got)) return wn_error();
    if (got == dense && wn_version(dense) == version) return WN_OK;
    wn__retain(got);
    wn__cotangent_drop(x);
    x->value = got;
    return WN_OK;
}

/* The node's prehooks see all its cotangents dense, too; those that they replace or change exist everywhere. */
static wn_status before_node(const wn__node *n, wn__cotangent *x) {
    wn_tensor *few[8], **g = n->nout <= 4 ? few : wn__new(wn_tensor *, 2 * (size_t)n->nout), **old = g + n->nout;
    if (!g) return wn__fail_memory(n->name);
    uint64_t versions = 0, now = 0; /* sums of versions: as versions only grow, a change shows in the sum */
    wn_status st = WN_OK;
    for (int i = 0; i < n->nout && !st; i++) {
        g[i] = old[i] = x[i].value ? wn__cotangent_dense(&x[i]) : NULL;
        versions += wn_version(g[i]);
        if (g[i] && !wn_ok(g[i])) st = wn_error();
    }
    if (!st) st = wn__hooks_pre(n->hooks, n->nout, g);
    for (int i = 0; i < n->nout && !st; i++) now += wn_version(old[i]);
    for (int i = 0; i < n->nout && !st; i++) {
        if (g[i] == old[i] && now == versions) continue;
        if (g[i]) wn__retain(g[i]);
        wn__cotangent_drop(&x[i]);
        x[i].value = g[i];
    }
    if (g != few) wn__free(g);
    return st;
}

static bool any_value(const wn__node *n, const wn__cotangent *x) {
    for (int i = 0; i < n->nout; i++)
        if (x[i].value) return true;
    return false;
}

/* Calls the hooks that run after the node; they see, and may replace, the gradients of its inputs. */
static wn_status after_node(wn__node *n, wn_tensor **gin, wn_tensor **g, uint64_t need) {
    for (int i = 0; i < n->nin; i++) {
        const wn__edge *e = &n->edges[i];
        if (!(i < 64 ? need >> i & 1 : wn__edge_to(e) != NULL)) gin[i] = NULL;
        if (gin[i] && !wn_ok(gin[i] = wn__fit(e, gin[i]))) return wn_error();
    }
    return wn__hooks_post(n->hooks, n->nin, gin, n->nout, g);
}

/* Keeps the cotangent of result i for wn_grad, if that result is one of its inputs. */
static wn_status collect(task *t, const wn__node *n, int i, wn__cotangent *x) {
    for (int k = 0; k < t->ninputs; k++) {
        const wn_tensor *in = t->inputs[k];
        if (in->flags & WN__T_REQUIRES_GRAD || !in->grad || in->grad->node != n || in->grad->out_nr != (uint32_t)i || t->results[k]) continue;
        wn_tensor *dense = wn__cotangent_dense(x);
        if (!wn_ok(dense)) return wn_error();
        t->results[k] = wn__retain(dense);
    }
    return WN_OK;
}

/* Sends the gradient of an input along e. x: the gradient, with the support that follows from the node's cotangents,
 * and `dense` if known; given: the builder's condition on it. All are borrowed. */
static wn_status hand_on(task *t, const wn__edge *e, wn__cotangent x, wn__given *given) {
    if (!given->kind) return x.support ? deliver_on(t, e, x) : deliver(t, e, x.value);
    if (!x.support && !wants_support(t, e, given, x.value)) { /* made dense at once */
        wn_tensor *value = wn__given_dense(given, x.value);
        return wn__is_bad(value) ? wn_error() : deliver(t, e, value);
    }
    wn_status st = wn__given_fit(given, x.value);
    if (st) return st;
    x.dense = !x.support && given->kind & WN__CLEAN ? x.value : NULL;
    x.support = wn__support_push(given, x.support);
    if (!x.support) return wn__fail_memory("backward");
    st = deliver_on(t, e, x);
    wn__support_release(x.support);
    return st;
}

/* Is the gradient of input i wanted? */
static bool wanted(const wn__node *n, uint64_t need, int i) { return i < 64 ? need >> i & 1 : wn__edge_to(&n->edges[i]) != NULL; }

/* For nodes that work element by element: each gradient has the support of g, the only cotangent. */
static wn_status hand_on_straight(task *t, wn__node *n, wn__cotangent *g, wn_tensor **gin, wn__given *given, uint64_t need) {
    wn_status st = WN_OK;
    for (int i = 0; i < n->nin && !st; i++) { /* made dense once, if several inputs need that */
        const wn__edge *e = &n->edges[i];
        if (gin[i] != g->value || given[i].kind || !e->node || wn__support_use(e->node, g->support->masks) != WN__MOVES_NOT) continue;
        if (wn__is_bad(wn__cotangent_dense(g))) st = wn_error();
    }
    wn_tensor *zero = n->op->cls == WN__POINTWISE ? NULL : g->zero; /* times a number, zeros become numbers */
    for (int i = 0; i < n->nin && !st; i++) {
        if (!gin[i] || !wanted(n, need, i)) continue;
        wn__cotangent x = {.value = gin[i], .support = g->support, .zero = zero, .dense = gin[i] == g->value ? g->dense : NULL};
        st = hand_on(t, &n->edges[i], x, &given[i]);
    }
    return st;
}

static bool any_masks(const wn__node *n, const wn__cotangent *g) {
    for (int i = 0; i < n->nout; i++)
        if (g[i].support && g[i].support->masks) return true;
    return false;
}

/* For nodes that move elements: the supports move along. dense: the builder got dense cotangents. */
static wn_status hand_on_moved(task *t, wn__node *n, const wn__cotangent *g, bool dense, wn_tensor **gin, wn__given *given, uint64_t need) {
    wn_tensor *few[2 * WN__FEW] = {NULL}, **masks = n->nin > WN__FEW ? wn__new(wn_tensor *, 2 * (size_t)n->nin) : few;
    wn__moved moved = {.exists = masks, .absent = masks + n->nin};
    wn_status st = masks ? wn__support_moved(n, g, &moved, need) : wn__fail_memory(n->name);
    bool by_masks = any_masks(n, g);
    for (int i = 0; i < n->nin && !st; i++) {
        if (!gin[i] || !wanted(n, need, i)) continue;
        wn__cotangent x = {.value = gin[i], .dense = dense ? gin[i] : NULL};
        if ((st = wn__moved_support(&moved, i, by_masks, &x))) break;
        wn__support *base = x.support;
        st = hand_on(t, &n->edges[i], x, given ? &given[i] : &(wn__given){0});
        wn__support_release(base);
    }
    if (masks != few) wn__free(masks);
    return st;
}

/* May a gradient that n made of g have elements to which nothing came? */
static bool leaves_out(const wn__node *n, wn_tensor *const *g) {
    if (n->cls || n->nin > WN__FEW || n->op->moves < WN__MOVES_ONE || n->op->moves > WN__MOVES_SOME) return false;
    bool some = n->op->moves == WN__MOVES_SOME;
    for (int i = 0; i < n->nout && !some; i++) some = !g[i];
    return some;
}

static wn_status deliver_all(task *t, wn__node *n, wn_tensor **g, wn_tensor **gin, wn__given *given, uint64_t need) {
    wn_status st = WN_OK;
    bool some = leaves_out(n, g);
    for (int i = 0; i < n->nin && !st; i++) {
        const wn__edge *e = &n->edges[i];
        if (!gin[i] || !wanted(n, need, i)) continue;
        if (given && given[i].kind) st = hand_on(t, e, (wn__cotangent){.value = gin[i]}, &given[i]);
        else st = some ? deliver_some(t, n, i, gin[i], g) : deliver(t, e, gin[i]);
    }
    return st;
}

/* For products, with dense values: a line of an operand's gradient exists where one of its terms does, an element of an
 * addend's gradient where that of the result does. */
static wn_status hand_on_product(task *t, wn__node *n, const wn__cotangent *g, wn_tensor **gin, uint64_t need) {
    wn_status st = WN_OK;
    for (int i = 0; i < n->nin && !st; i++) {
        const wn__edge *e = &n->edges[i];
        if (!gin[i] || !wanted(n, need, i)) continue;
        bool of_use = e->node && wn__support_way(e->node) != WN__MOVES_NOT;
        if (of_use && !wn__product_operand(n, i) && wn__same_shape(gin[i], g->value)) {
            st = deliver_on(t, e, (wn__cotangent){.value = gin[i], .support = g->support, .dense = gin[i]});
            continue;
        }
        wn_tensor *lines = of_use ? wn__product_lines(n, g, i) : NULL;
        wn__given given = {.kind = WN__IF_TRUE | WN__CLEAN, .t = lines};
        if (lines && !wn_ok(lines)) st = wn_error();
        else st = lines ? hand_on(t, e, (wn__cotangent){.value = gin[i]}, &given) : deliver(t, e, gin[i]);
    }
    return st;
}

/* For rows with lines: a gradient may hold anything in lines that do not exist. */
static wn_status hand_on_lines(task *t, wn__node *n, wn_tensor *lines, wn_tensor **gin, wn__given *given, uint64_t need) {
    wn__support *support = wn__support_where(lines, true);
    wn_status st = support ? WN_OK : wn__fail_memory(n->name);
    for (int i = 0; i < n->nin && !st; i++) {
        if (!gin[i] || !wanted(n, need, i)) continue;
        wn__cotangent x = {.value = gin[i], .support = wn__lines_fit(n, i, lines) ? support : NULL};
        st = hand_on(t, &n->edges[i], x, given ? &given[i] : &(wn__given){0});
    }
    wn__support_release(support);
    return st;
}

/* In which way n can make use of absent elements of its cotangents. */
static wn__moves way_of(const wn__node *n, const wn__cotangent *g, uint64_t need) {
    bool any = false;
    for (int i = 0; i < n->nout && !any; i++) any = g[i].support != NULL;
    if (!any) return WN__MOVES_NOT;
    bool masks = any_masks(n, g);
    wn__moves way = wn__support_use(n, masks);
    bool moves = way == WN__MOVES_ONE || way == WN__MOVES_SOME;
    return moves && !wn__support_hands_on(n, need, masks) ? WN__MOVES_NOT : way;
}

/* The cotangents for n's builder: raw if each element of a gradient depends on one element of theirs, else dense. */
static wn_status given_to(wn__cotangent *x, int n, wn__moves way, wn_tensor **g) {
    for (int i = 0; i < n; i++) {
        bool raw = !x[i].support || way == WN__MOVES_STRAIGHT || (way == WN__MOVES_ONE && !x[i].dense);
        g[i] = raw ? x[i].value : wn__cotangent_dense(&x[i]);
        if (g[i] && wn__is_bad(g[i])) return wn_error();
    }
    return WN_OK;
}

/* Sends n's gradients on, by n's way. x: its cotangents; g: the same as the builder got them. */
static wn_status hand_on_by(task *t, wn__node *n, wn__moves way, wn__cotangent *x, wn_tensor *lines, wn_tensor **g, wn_tensor **gin, wn__given *given,
                            uint64_t need) {
    bool dense = true;
    switch (way) {
    case WN__MOVES_STRAIGHT: return hand_on_straight(t, n, x, gin, given, need);
    case WN__MOVES_PRODUCT: return hand_on_product(t, n, x, gin, need);
    case WN__MOVES_LINES: return hand_on_lines(t, n, lines, gin, given, need);
    case WN__MOVES_ONE:
    case WN__MOVES_SOME:
        for (int i = 0; i < n->nout && dense; i++) dense = !x[i].support || x[i].dense == g[i];
        return hand_on_moved(t, n, x, dense, gin, given, need);
    default: return deliver_all(t, n, g, gin, given, need);
    }
}

/* Runs a node of a class that knows supports; its gradients may get supports of its own. */
static wn_status run_own(task *t, wn__node *n, const wn__cotangent *x, uint64_t need) {
    wn__cotangent to[WN__FEW] = {{0}};
    const int64_t event = wn__event_node(n, false);
    wn_status st = n->cls->gradients(n, x, to, need);
    wn__event_node_end(event);
    for (int i = 0; i < n->nin; i++) {
        if (!st && to[i].value && wanted(n, need, i)) st = to[i].support ? deliver_on(t, &n->edges[i], to[i]) : deliver(t, &n->edges[i], to[i].value);
        wn__support_release(to[i].support);
    }
    return st;
}

/* When n's gradients are sent on: drops what it saved, unless its reads may be asked for (deliver_some). */
static void done_with(task *t, wn__node *n) {
    if (!t->retain && !t->reads) wn__node_forget(n);
    t->reads = false;
}

/* Fills gin from g (x as the builder gets it) in the given way. */
static wn_status gradients_by(wn__node *n, wn__moves way, const wn__cotangent *x, wn_tensor *lines, wn_tensor **g, wn_tensor **gin, wn__given *given,
                              uint64_t need) {
    const int64_t event = wn__event_node(n, false);
    wn_status st;
    if (way == WN__MOVES_PRODUCT) st = wn__product_gradients(n, x, g[0], gin, need);
    else if (lines) st = wn__run_builder_on(n, n->args, g, gin, need, given, lines);
    else st = wn__node_gradients(n, g, gin, need, given);
    wn__event_node_end(event);
    return st;
}

static wn_status run_node(task *t, entry *e) {
    wn__node *n = e->node;
    WN_SCOPE(s);
    wn_status st = WN_OK;
    wn_tensor *few[WN__FEW], **gin = few, *few_g[8], **g = few_g;
    wn__given given[WN__FEW];
    for (int i = 0; i < n->nout && (n->hooks || t->results); i++)
        if (e->g[i].value && ((st = hooked(n->hooks, i, &e->g[i])) || (t->results && (st = collect(t, n, i, &e->g[i]))))) return st;
    if (!e->needed) return WN_OK;
    bool before = n->hooks && wn__hooks_have(n->hooks, WN__HOOK_PRE), after = n->hooks && wn__hooks_have(n->hooks, WN__HOOK_POST);
    if (before && ((st = before_node(n, e->g)) || !any_value(n, e->g))) return st; /* hooks may have removed all */
    if ((st = wn__check_saved(n))) return st;
    uint64_t need = needs(t, n);
    if (!after && wn__support_way(n) == WN__MOVES_OWN) {
        if (!(st = run_own(t, n, &e->g[0], need))) done_with(t, n);
        return st;
    }
    wn__moves way = way_of(n, e->g, need);
    if (after && way != WN__MOVES_PRODUCT) way = WN__MOVES_NOT;
    if (n->nout > 8 && !(g = wn__new(wn_tensor *, n->nout))) return wn__fail_memory(n->name);
    st = given_to(e->g, n->nout, way, g);
    bool asks = !n->cls && n->nin <= WN__FEW && !after;
    if (n->nin > WN__FEW) {
        if (!st && !(gin = wn__new(wn_tensor *, (size_t)n->nin))) st = wn__fail_memory(n->name);
    } else {
        for (int i = 0; i < n->nin; i++) {
            few[i] = NULL;
            given[i].kind = 0;
        }
    }
    bool opened = false;
    if (!st && way > WN__MOVES_STRAIGHT) st = wn__saved_open(n, &opened);
    wn_tensor *lines = !st && way == WN__MOVES_LINES ? wn__lines_exist(n, e->g) : NULL;
    if (lines && !wn_ok(lines)) st = wn_error();
    if (!lines && way == WN__MOVES_LINES) way = WN__MOVES_NOT;
    if (!st) st = gradients_by(n, way, e->g, lines, g, gin, asks ? given : NULL, need);
    if (!st && after) st = after_node(n, gin, g, need);
    if (!st) st = hand_on_by(t, n, after ? WN__MOVES_NOT : way, e->g, lines, g, gin, asks ? given : NULL, need);
    wn__saved_close(n, opened);
    if (gin != few) wn__free(gin);
    if (g != few_g) wn__free(g);
    if (!st) done_with(t, n);
    return st;
}

/* n has run or was skipped: the nodes and leaves that it leads to wait for one node less. */
static wn_status count_down(task *t, const wn__node *n) {
    bool offers = false;
    wn_status st = WN_OK;
    for (int i = 0; i < n->nin && !st; i++) {
        const void *key = wn__edge_to(&n->edges[i]);
        entry *to = key ? wn__reached_find(t, key) : NULL;
        if (!to || --to->pending) continue;
        if (to->is_leaf) {
            st = wn__leaf_finish(t, to);
            offers |= to->queued;
        } else {
            wn__ready_push(t, to);
        }
    }
    for (int i = 0; i < n->nin && offers && !st; i++) {
        entry *to = n->edges[i].leaf ? wn__reached_find(t, n->edges[i].leaf) : NULL;
        if (to && to->queued) st = wn__leaf_offer(to);
    }
    return st;
}

bool wn__backward_stops(uint32_t *turn) {
    const wn__way way = wn__way_enter(WN__WAY_OPEN);
    const bool stop = wn__stop_often(turn);
    wn__way_leave(way);
    return stop;
}

static wn_status run_all(task *t) {
    wn_status st = WN_OK;
    uint32_t turn = 0;
    while (t->heap_n && !st) {
        if (wn__backward_stops(&turn)) return wn__fail_memory("backward");
        entry *e = wn__ready_pop(t);
        const int64_t event = e->g ? wn__event_node(e->node, true) : WN__NO_EVENT;
        if (e->g) st = run_node(t, e); /* without a cotangent, all its gradients are zero */
        wn__event_node_end(event);
        wn__cotangents_drop(e);
        if (!st) st = count_down(t, e->node);
    }
    return st;
}

/* After an interruption: leaves that had no gradient before have none again. */
static void take_back(task *t) {
    for (size_t i = 0; i < t->capacity; i++) {
        const entry *e = &t->table[i];
        if (!e->key || !e->is_leaf || !e->fresh || !e->leaf->grad) continue;
        wn__release(e->leaf->grad->grad);
        e->leaf->grad->grad = NULL;
    }
}

static wn_status edge_of_root(wn_tensor *root, wn__edge *e) {
    *e = (wn__edge){.dtype = root->dtype, .ndim = root->ndim, .shape = root->shape};
    return wn__gradient_edge(root, &e->node, &e->out_nr, &e->leaf);
}

/* Backward begins at those roots that no other root's graph leads to. */
static wn_status begin(task *t, wn_tensor **roots, wn_tensor **grads, int nroots) {
    wn_status st = WN_OK;
    wn__edge e;
    for (int i = 0; i < nroots && !st; i++) {
        st = edge_of_root(roots[i], &e);
        if (!st && !wn__edge_to(&e))
            st = wn__fail(WN_E_RUNTIME, "backward", "element %d of tensors does not require grad and does not have a grad_fn", i);
        if (!st) st = deliver(t, &e, grads[i]);
    }
    for (int i = 0; i < nroots && !st; i++) {
        if ((st = edge_of_root(roots[i], &e))) break;
        entry *at = wn__reached_find(t, wn__edge_to(&e));
        if (!at || at->pending || at->queued) continue;
        if (!at->is_leaf) wn__ready_push(t, at);
        else if (!(st = wn__leaf_finish(t, at)) && at->queued) st = wn__leaf_offer(at);
    }
    return st;
}

wn_status wn__run_backward(const wn__backward *b) {
    struct wn__reached_few few;
    task t = {.inputs = b->inputs, .results = b->results, .ninputs = b->ninputs, .retain = b->retain || b->create, .create = b->create, .few = &few};
    wn_scope s = wn_begin_modes((wn_modes){.grad = b->create ? WN_ON : WN_OFF});
    wn__self()->modes &= ~(uint32_t)WN__MODE_AUTOCAST; /* gradients have the dtypes of the forward */
    wn_status st = wn__discover(&t, b->roots, b->nroots);
    if (!st) st = begin(&t, b->roots, b->grads, b->nroots);
    if (!st) st = run_all(&t);
    if (st == WN_E_INTERRUPTED) take_back(&t);
    wn__discover_end(&t);
    wn_end(&s);
    for (int i = 0; i < b->ninputs && b->results && !st; i++)
        if (!b->results[i] && !b->allow_unused)
            st = wn__fail(WN_E_RUNTIME, "grad", "One of the differentiated Tensors appears to not have been used in the graph. Set "
                          "allow_unused=True if this is the desired behavior. (input %d, %s)", i, wn__desc(b->inputs[i]));
    return st;
}
