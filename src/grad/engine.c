/* Backward: nodes run in reverse order of recording; cotangents of a node are summed before it runs. An absent cotangent is
 * zero and costs nothing: a node none of whose results has one is not run. */
#include <stdlib.h>
#include "core/alloc.h"
#include "grad/support.h"
#include "grad/tape.h"

/* ------------------------------------------------------------------ the task of one backward */

typedef struct entry {
    wn__node *node;   /* NULL: empty slot */
    wn__cotangent *g; /* of its results; NULL: none has arrived */
    wn__cotangent only; /* g's memory, for one result; entries stay where they are once discovery is over */
    int pending;      /* edges from nodes that have not run yet */
    bool needed;      /* leads to an input that was asked for (always true without inputs) */
    bool queued;
} entry;

typedef struct task {
    entry *table; /* open addressing by node */
    size_t capacity, count;
    size_t *heap; /* ready nodes by seq, largest first: indices into table */
    size_t heap_n;
    wn_tensor **inputs, **results;
    int ninputs;
    bool retain, create;
    int64_t nodes_skipped;
} task;

static size_t hash(const void *p) {
    uint64_t x = (uint64_t)(uintptr_t)p * 0x9e3779b97f4a7c15u;
    return (size_t)(x >> 20);
}
static entry *find(task *t, const wn__node *n) {
    if (!t->capacity) return NULL;
    for (size_t i = hash(n) & (t->capacity - 1);; i = (i + 1) & (t->capacity - 1)) {
        if (t->table[i].node == n) return &t->table[i];
        if (!t->table[i].node) return NULL;
    }
}
static bool grow(task *t) {
    size_t capacity = t->capacity ? t->capacity * 4 : 16;
    entry *table = wn__new(entry, capacity);
    if (!table) return false;
    for (size_t i = 0; i < t->capacity; i++) {
        if (!t->table[i].node) continue;
        size_t k = hash(t->table[i].node) & (capacity - 1);
        while (table[k].node) k = (k + 1) & (capacity - 1);
        table[k] = t->table[i];
    }
    wn__free(t->table);
    t->table = table;
    t->capacity = capacity;
    return true;
}
static entry *insert(task *t, wn__node *n, bool *fresh) {
    entry *e = find(t, n);
    *fresh = !e;
    if (e) return e;
    if (t->count * 2 >= t->capacity && !grow(t)) return NULL;
    size_t i = hash(n) & (t->capacity - 1);
    while (t->table[i].node) i = (i + 1) & (t->capacity - 1);
    t->table[i] = (entry){.node = n, .g = NULL};
    t->count++;
    atomic_fetch_add_explicit(&n->refs, 1, memory_order_relaxed);
    return &t->table[i];
}

static void heap_push(task *t, entry *e) {
    size_t i = t->heap_n++;
    while (i > 0) {
        size_t up = (i - 1) / 2;
        if (t->table[t->heap[up]].node->seq >= e->node->seq) break;
        t->heap[i] = t->heap[up];
        i = up;
    }
    t->heap[i] = (size_t)(e - t->table);
    e->queued = true;
}
static entry *heap_pop(task *t) {
    entry *top = &t->table[t->heap[0]];
    size_t last = t->heap[--t->heap_n], i = 0;
    for (;;) {
        size_t k = 2 * i + 1;
        if (k >= t->heap_n) break;
        if (k + 1 < t->heap_n && t->table[t->heap[k + 1]].node->seq > t->table[t->heap[k]].node->seq) k++;
        if (t->table[t->heap[k]].node->seq <= t->table[last].node->seq) break;
        t->heap[i] = t->heap[k];
        i = k;
    }
    t->heap[i] = last;
    return top;
}

/* ------------------------------------------------------------------ discovery */

/* Visits all nodes reachable from the roots (an explicit stack: graphs can be deep) and counts the edges into each. */
static wn_status discover(task *t, wn_tensor **roots, int nroots) {
    wn__node **stack = NULL;
    size_t n = 0, cap = 0;
    wn_status st = WN_OK;
    for (int i = 0; i < nroots && !st; i++) {
        wn__node *node = NULL;
        wn_tensor *leaf = NULL;
        uint32_t nr;
        if ((st = wn__gradient_edge(roots[i], &node, &nr, &leaf)) || !node) continue;
        bool fresh;
        if (!insert(t, node, &fresh)) st = WN_E_MEMORY;
        else if (fresh) {
            if (n == cap) {
                wn__node **g = wn__realloc(stack, cap = cap ? cap * 2 : 64, sizeof *g);
                if (!g) { st = WN_E_MEMORY; break; }
                stack = g;
            }
            stack[n++] = node;
        }
    }
    while (n && !st) {
        wn__node *node = stack[--n];
        for (int i = 0; i < node->nin && !st; i++) {
            wn__node *to = node->edges[i].node;
            if (!to) continue;
            bool fresh;
            entry *e = insert(t, to, &fresh);
            if (!e) { st = WN_E_MEMORY; break; }
            e->pending++;
            if (!fresh) continue;
            if (n == cap) {
                wn__node **g = wn__realloc(stack, cap = cap ? cap * 2 : 64, sizeof *g);
                if (!g) { st = WN_E_MEMORY; break; }
                stack = g;
            }
            stack[n++] = to;
        }
    }
    wn__free(stack);
    return st == WN_E_MEMORY ? wn__fail_memory("backward") : st;
}

static bool is_input(const task *t, const wn__edge *e) {
    for (int i = 0; i < t->ninputs; i++) {
        const wn_tensor *x = t->inputs[i];
        if (e->leaf ? e->leaf == x : e->node && x->grad && x->grad->node == e->node && x->grad->out_nr == e->out_nr) return true;
    }
    return false;
}

static int by_seq(const void *a, const void *b) {
    const entry *const *x = a, *const *y = b;
    return (*x)->node->seq < (*y)->node->seq ? -1 : (*x)->node->seq > (*y)->node->seq;
}

/* With inputs given, only nodes that lead to one of them run. Inputs of a node are recorded before it: ascending order. */
static wn_status mark_needed(task *t) {
    if (!t->ninputs) {
        for (size_t i = 0; i < t->capacity; i++) t->table[i].needed = true;
        return WN_OK;
    }
    entry **order = wn__new(entry *, t->count ? t->count : 1);
    if (!order) return wn__fail_memory("grad");
    size_t n = 0;
    for (size_t i = 0; i < t->capacity; i++)
        if (t->table[i].node) order[n++] = &t->table[i];
    qsort(order, n, sizeof *order, by_seq);
    for (size_t i = 0; i < n; i++) {
        wn__node *node = order[i]->node;
        for (int k = 0; k < node->nin && !order[i]->needed; k++) {
            entry *to = node->edges[k].node ? find(t, node->edges[k].node) : NULL;
            order[i]->needed = is_input(t, &node->edges[k]) || (to && to->needed);
        }
    }
    wn__free(order);
    return WN_OK;
}

/* ------------------------------------------------------------------ cotangents */

static wn_tensor *run_hooks(const wn__hook *hooks, int out_nr, wn_tensor *g) {
    for (const wn__hook *h = hooks; h && wn_ok(g); h = h->next) {
        if (h->out_nr != out_nr) continue;
        wn_tensor *r = h->fn(h->ctx, g);
        if (r) g = r;
    }
    return g;
}

/* .grad of a leaf += g */
static wn_status into_leaf(task *t, wn_tensor *leaf, wn_tensor *g) {
    wn__grad_meta *m = leaf->grad;
    if (!m) return WN_OK;
    g = run_hooks(m->hooks, 0, g);
    if (!wn_ok(g)) return wn_error();
    if (t->ninputs) { /* wn_grad: results, not .grad */
        for (int i = 0; i < t->ninputs; i++) {
            if (t->inputs[i] != leaf) continue;
            wn_tensor *sum = t->results[i] ? wn_add(t->results[i], g) : g;
            if (!wn_ok(sum)) return wn_error();
            wn_tensor *old = t->results[i];
            t->results[i] = wn__retain(sum);
            wn__release(old);
        }
        return WN_OK;
    }
    if (m->grad) {
        wn_tensor *sum = t->create || wn__needs_grad(m->grad) || !wn__same_shape(m->grad, g) ? wn_add(m->grad, g) : wn_add_(m->grad, g);
        if (!wn_ok(sum)) return wn_error();
        if (sum != m->grad) {
            wn__release(m->grad);
            m->grad = wn__retain(sum);
        }
        return WN_OK;
    }
    /* Steal g when it is dense and only this backward's scope knows it; else copy, so that nobody changes it behind us. */
    bool fresh = wn__real_refs(g) <= 1 && atomic_load_explicit(&g->storage->refs, memory_order_relaxed) == 1 && g->contiguous;
    wn_tensor *own = t->create ? wn__retain(g) : fresh ? wn__tensor_alias(g) : wn__clone_raw(g);
    if (!own) return wn__fail_memory("backward");
    m->grad = own;
    return WN_OK;
}

/* The result that e leads to, when it wants a cotangent; NULL: it does not, or (error) memory is short. */
static wn__cotangent *slot_of(task *t, const wn__edge *e, wn_status *st) {
    entry *to = find(t, e->node);
    if (!to || (!to->needed && !is_input(t, e))) return NULL;
    if (!to->g) to->g = e->node->nout == 1 ? &to->only : wn__new(wn__cotangent, e->node->nout);
    if (!to->g) *st = wn__fail_memory("backward");
    return to->g ? &to->g[e->out_nr] : NULL;
}

/* g is borrowed, and exists everywhere. */
static wn_status deliver(task *t, const wn__edge *e, wn_tensor *g) {
    g = wn__fit(e, g);
    if (wn__is_bad(g)) return wn_error();
    if (e->leaf) return into_leaf(t, e->leaf, g);
    wn_status st = WN_OK;
    wn__cotangent *to = slot_of(t, e, &st);
    if (!to) return st;
    if (to->value) return wn__cotangent_add(to, &(wn__cotangent){.value = g}, false, t->create);
    to->value = wn__retain(g);
    return WN_OK;
}

/* With a support; x's parts are borrowed. */
static wn_status deliver_on(task *t, const wn__edge *e, wn__cotangent x) {
    if (e->leaf || wn__support_way(e->node) == WN__DENSE) {
        wn_tensor *g = x.dense ? x.dense : wn__support_dense(x.support, x.value);
        return wn__is_bad(g) ? wn_error() : deliver(t, e, g);
    }
    wn_status st = WN_OK;
    wn__cotangent *to = slot_of(t, e, &st);
    if (!to || (st = wn__fit_support(e, &x))) return st;
    st = wn__cotangent_add(to, &x, true, t->create);
    wn__support_release(x.support);
    return st;
}

/* ------------------------------------------------------------------ one node */

wn_status wn__check_saved(const wn__node *n) {
    if (n->released)
        return wn__fail(WN_E_RUNTIME, n->name, "Trying to backward through the graph a second time, but the saved tensors have "
                        "already been freed. Specify .retain_graph = true on the first backward");
    for (int i = 0; i < n->nsaved; i++) {
        wn_tensor *s = n->saved[i];
        if (s && wn_version(s) != n->versions[i])
            return wn__fail(WN_E_RUNTIME, n->name, "one of the variables needed for gradient computation has been modified by an "
                            "inplace operation: %s, saved by %s at version %u, is at version %u; it was last changed by %s",
                            wn__desc(s), n->name, n->versions[i], wn_version(s),
                            s->storage->last_mutator ? s->storage->last_mutator : "?");
    }
    return WN_OK;
}

wn_status wn__run_builder(wn__node *n, wn_tensor **g, wn_tensor **gin, uint64_t need, wn__given *given) {
    wn_tensor *few[8], **y = few;
    if (n->nout > 8 && !(y = wn__new(wn_tensor *, n->nout))) return wn__fail_memory(n->name);
    wn_status st = WN_OK;
    bool create = wn__recording(wn__self());
    for (int i = 0; i < n->nout; i++) {
        y[i] = n->saved[n->nin + i];
        if (!y[i] || !create) continue;
        /* a saved result belongs to this node again while the backward itself is recorded */
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
    wn__gradctx c = {.args = n->args, .g = g, .y = y, .gin = gin, .nin = n->nin, .edges = n->edges, .node = n, .need = need, .given = given};
    int64_t errors = wn_error_count(); /* a builder may lose sight of a failure on the way */
    if (!st) n->op->grad(&c);
    if (!st && wn_error_count() != errors) st = wn_error();
    for (int i = 0; i < n->nin && !st; i++)
        if (gin[i] && !wn_ok(gin[i])) st = wn_error() ? wn_error() : wn__fail(WN_E_RUNTIME, n->name, "its gradient is a bad tensor");
    if (y != few) wn__free(y);
    return st;
}

/* Which inputs' gradients are wanted: all that lead somewhere, or, with inputs given, that lead to one of them. */
static uint64_t needs(task *t, const wn__node *n) {
    uint64_t need = 0;
    for (int i = 0; i < n->nin && i < 64; i++) {
        const wn__edge *e = &n->edges[i];
        entry *to = e->node ? find(t, e->node) : NULL;
        bool wanted = t->ninputs ? is_input(t, e) || (to && to->needed) : e->node || e->leaf;
        if (wanted) need |= (uint64_t)1 << i;
    }
    return need;
}

static void release_saved(wn__node *n) {
    n->released = true;
    for (int i = 0; i < n->nsaved; i++) {
        wn__release(n->saved[i]);
        n->saved[i] = NULL;
    }
}

/* Hooks see cotangents made dense. One that gives another tensor, or writes into its argument, decides where it exists: everywhere. */
static wn_status hooked(const wn__hook *h, int out_nr, wn__cotangent *x) {
    while (h && h->out_nr != out_nr) h = h->next;
    if (!h) return WN_OK;
    wn_tensor *dense = wn__cotangent_dense(x);
    if (!wn_ok(dense)) return wn_error();
    uint32_t version = wn_version(dense);
    wn_tensor *got = run_hooks(h, out_nr, dense);
    if (!wn_ok(got)) return wn_error();
    if (got == dense && wn_version(dense) == version) return WN_OK;
    wn__retain(got);
    wn__cotangent_drop(x);
    x->value = got;
    return WN_OK;
}

/* The cotangent of result i was asked for: is it that of an input of wn_grad? */
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

/* The gradient of an input, with what its builder said of it; base: the support that it follows from, dense: itself made dense,
 * if known. All borrowed. */
static wn_status hand_on(task *t, const wn__edge *e, wn_tensor *value, wn__given *given, wn__support *base, wn_tensor *dense) {
    if (!given->kind) return base ? deliver_on(t, e, (wn__cotangent){.value = value, .support = base, .dense = dense}) : deliver(t, e, value);
    if (!base && (e->leaf || wn__support_way(e->node) == WN__DENSE)) { /* at once, and without a list */
        value = wn__given_dense(given, value);
        return wn__is_bad(value) ? wn_error() : deliver(t, e, value);
    }
    wn_status st = wn__given_fit(given, value);
    if (st) return st;
    wn__cotangent x = {.value = value, .support = wn__support_push(given, base), .dense = !base && given->kind & WN__CLEAN ? value : NULL};
    if (!x.support) return wn__fail_memory("backward");
    st = deliver_on(t, e, x);
    wn__support_release(x.support);
    return st;
}

/* Hands on what follows from g, which has a support: element for element, or moved. */
static wn_status hand_on_supported(task *t, wn__node *n, int way, wn__cotangent *g, wn_tensor **gin, wn__given *given, uint64_t need, bool leaves) {
    wn_tensor *masks[WN__FEW] = {NULL};
    wn_status st = way == WN__MOVES ? wn__support_moved(n, g->support, g->value, masks, need) : WN_OK;
    for (int i = 0; i < n->nin && way == WN__STRAIGHT && !st; i++) { /* what several will need dense is made so once */
        const wn__edge *e = &n->edges[i];
        if (gin[i] != g->value || given[i].kind || !(e->leaf || (e->node && wn__support_way(e->node) == WN__DENSE))) continue;
        if (wn__is_bad(wn__cotangent_dense(g))) st = wn_error();
    }
    for (int i = 0; i < n->nin && !st; i++) {
        const wn__edge *e = &n->edges[i];
        if (!gin[i] || !(leaves ? e->leaf != NULL : e->node != NULL)) continue;
        if (way == WN__STRAIGHT) {
            st = hand_on(t, e, gin[i], &given[i], g->support, gin[i] == g->value ? g->dense : NULL);
            continue;
        }
        wn_tensor *m = masks[i]->dtype == WN_BOOL ? masks[i] : wn_ne(masks[i], 0);
        wn__support *base = wn_ok(m) ? wn__support_push(&(wn__given){.kind = WN__IF_TRUE, .t = m}, NULL) : NULL;
        if (base) st = hand_on(t, e, gin[i], &given[i], base, g->dense ? gin[i] : NULL);
        else st = wn_ok(m) ? wn__fail_memory(n->name) : wn_error();
        wn__support_release(base);
    }
    return st;
}

/* Leaves last: a leaf may take over memory that nobody else holds. */
static wn_status deliver_all(task *t, wn__node *n, int way, wn__cotangent *g, wn_tensor **gin, wn__given *given, uint64_t need) {
    bool leaf = false;
    wn_status st = WN_OK;
    for (int i = 0; i < n->nin; i++) leaf |= gin[i] && n->edges[i].leaf;
    for (int leaves = 0; leaves <= leaf && !st; leaves++) {
        if (way != WN__DENSE) {
            st = hand_on_supported(t, n, way, g, gin, given, need, leaves);
            continue;
        }
        for (int i = 0; i < n->nin && !st; i++) {
            const wn__edge *e = &n->edges[i];
            if (!gin[i] || !(leaves ? e->leaf != NULL : e->node != NULL)) continue;
            st = given && given[i].kind ? hand_on(t, e, gin[i], &given[i], NULL, NULL) : deliver(t, e, gin[i]);
        }
    }
    return st;
}

static wn_status run_node(task *t, entry *e) {
    wn__node *n = e->node;
    WN_SCOPE(s);
    wn_status st = WN_OK;
    wn_tensor *few[WN__FEW], **gin = few, *few_g[8], **g = few_g;
    wn__given given[WN__FEW];
    for (int i = 0; i < n->nout && (n->hooks || t->ninputs); i++)
        if (e->g[i].value && ((st = hooked(n->hooks, i, &e->g[i])) || (st = collect(t, n, i, &e->g[i])))) return st;
    if (!e->needed) return WN_OK;
    if ((st = wn__check_saved(n))) return st;
    uint64_t need = needs(t, n);
    int way = e->g[0].support ? wn__support_way(n) : WN__DENSE;
    if (way == WN__MOVES && !wn__support_hands_on(n, need)) way = WN__DENSE;
    if (n->nout > 8 && !(g = wn__new(wn_tensor *, n->nout))) return wn__fail_memory(n->name);
    if (way != WN__DENSE) {
        g[0] = way == WN__MOVES && e->g[0].dense ? e->g[0].dense : e->g[0].value;
    } else {
        for (int i = 0; i < n->nout && !st; i++) {
            g[i] = e->g[i].support ? wn__cotangent_dense(&e->g[i]) : e->g[i].value;
            if (g[i] && wn__is_bad(g[i])) st = wn_error();
        }
    }
    bool asks = !n->apply && n->nin <= WN__FEW;
    if (n->nin > WN__FEW) {
        if (!st && !(gin = wn__new(wn_tensor *, (size_t)n->nin))) st = wn__fail_memory(n->name);
    } else {
        for (int i = 0; i < n->nin; i++) {
            few[i] = NULL;
            given[i].kind = 0;
        }
    }
    if (n->apply && !st) {
        st = n->apply(n, g, gin);
        for (int i = 0; i < n->nin; i++)
            if (gin[i]) gin[i] = wn__lend(wn__self(), gin[i]);
    } else if (!st) {
        st = wn__run_builder(n, g, gin, need, asks ? given : NULL);
    }
    if (!st) st = deliver_all(t, n, way, &e->g[0], gin, asks ? given : NULL, need);
    if (gin != few) wn__free(gin);
    if (g != few_g) wn__free(g);
    if (!t->retain && !st && n->op) release_saved(n);
    return st;
}

static void drop_cotangents(entry *e) {
    if (!e->g) return;
    for (int i = 0; i < e->node->nout; i++) wn__cotangent_drop(&e->g[i]);
    if (e->g != &e->only) wn__free(e->g);
    e->g = NULL;
}

static wn_status run_all(task *t) {
    for (size_t i = 0; i < t->capacity; i++)
        if (t->table[i].node && t->table[i].pending == 0) heap_push(t, &t->table[i]);
    wn_status st = WN_OK;
    while (t->heap_n && !st) {
        entry *e = heap_pop(t);
        if (e->g) st = run_node(t, e);
        else t->nodes_skipped++; /* no cotangent reached it: structurally zero */
        drop_cotangents(e);
        wn__node *n = e->node;
        for (int i = 0; i < n->nin && !st; i++) {
            entry *to = n->edges[i].node ? find(t, n->edges[i].node) : NULL;
            if (to && --to->pending == 0) heap_push(t, to);
        }
    }
    return st;
}

wn_status wn__run_backward(wn_tensor **roots, wn_tensor **grads, int nroots, wn_tensor **inputs, wn_tensor **results, int ninputs,
                           bool retain, bool create, bool allow_unused) {
    task t = {.inputs = inputs, .results = results, .ninputs = ninputs, .retain = retain || create, .create = create};
    wn_scope s = wn_begin_modes((wn_modes){.grad = create ? WN_ON : WN_OFF});
    wn_status st = discover(&t, roots, nroots);
    if (!st) st = mark_needed(&t);
    if (!st && t.count && !(t.heap = wn__new(size_t, t.count))) st = wn__fail_memory("backward");
    for (int i = 0; i < nroots && !st; i++) {
        wn__edge e = {.dtype = roots[i]->dtype, .ndim = roots[i]->ndim, .shape = roots[i]->shape};
        st = wn__gradient_edge(roots[i], &e.node, &e.out_nr, &e.leaf);
        if (!st && !e.node && !e.leaf)
            st = wn__fail(WN_E_RUNTIME, "backward", "element %d of tensors does not require grad and does not have a grad_fn", i);
        if (!st) st = deliver(&t, &e, grads[i]);
    }
    if (!st) st = run_all(&t);
    for (size_t i = 0; i < t.capacity; i++) {
        if (!t.table[i].node) continue;
        drop_cotangents(&t.table[i]);
        wn__node_release(t.table[i].node);
    }
    wn__free(t.table);
    wn__free(t.heap);
    wn_end(&s);
    for (int i = 0; i < ninputs && !st; i++)
        if (!results[i] && !allow_unused)
            st = wn__fail(WN_E_RUNTIME, "grad", "One of the differentiated tensors (input %d, %s) appears to not have been used in "
                          "the graph. Set .allow_unused = true if this is the desired behavior", i, wn__desc(inputs[i]));
    return st;
}
