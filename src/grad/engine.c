/* Backward: nodes run in reverse order of recording; cotangents of a node are summed before it runs. An absent cotangent is
 * zero and costs nothing: a node none of whose results has one is not run. */
#include <stdlib.h>
#include "core/alloc.h"
#include "grad/tape.h"

/* ------------------------------------------------------------------ the task of one backward */

typedef struct entry {
    wn__node *node;   /* NULL: empty slot */
    wn_tensor **g;    /* cotangents of its results, owned */
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
    size_t capacity = t->capacity ? t->capacity * 2 : 64;
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

/* Makes g fit the input it belongs to: broadcast dimensions are summed, the dtype is the input's. g is borrowed. */
static wn_tensor *fit(const wn__edge *e, wn_tensor *g) {
    bool same = g->ndim == e->ndim && !memcmp(g->shape, e->shape, (size_t)e->ndim * sizeof *e->shape);
    if (!same) g = wn_sum_to_size(g, wn__edge_dims(e));
    if (wn_ok(g) && g->dtype != e->dtype) g = wn_to(g, (wn_dtype)e->dtype);
    return g;
}

/* slot += g (g borrowed). Adds in place only into a sum that nobody else can see. */
static wn_status accumulate(task *t, wn_tensor **slot, wn_tensor *g, bool *own) {
    if (!*slot) {
        *slot = wn__retain(g);
        *own = false;
        return WN_OK;
    }
    wn_tensor *sum;
    if (*own && !t->create && wn__same_shape(*slot, g) && (*slot)->dtype == g->dtype) {
        sum = wn_add_(*slot, g);
        return wn_ok(sum) ? WN_OK : wn_error();
    }
    sum = wn_add(*slot, g);
    if (!wn_ok(sum)) return wn_error();
    wn__release(*slot);
    *slot = wn__retain(sum);
    *own = true;
    return WN_OK;
}

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
            bool own = false;
            wn_status st = accumulate(t, &t->results[i], g, &own);
            if (st) return st;
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

static wn_status deliver(task *t, const wn__edge *e, wn_tensor *g) {
    g = fit(e, g);
    if (!wn_ok(g)) return wn_error();
    if (e->leaf) return into_leaf(t, e->leaf, g);
    entry *to = find(t, e->node);
    if (!to) return WN_OK;
    if (!to->needed && !is_input(t, e)) return WN_OK;
    if (!to->g && !(to->g = wn__new(wn_tensor *, (size_t)e->node->nout * 2))) return wn__fail_memory("backward");
    bool own = to->g[e->node->nout + e->out_nr] != NULL; /* second half: marks sums made here */
    wn_status st = accumulate(t, &to->g[e->out_nr], g, &own);
    to->g[e->node->nout + e->out_nr] = own ? &wn__bad_tensor : NULL;
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

wn_status wn__run_builder(wn__node *n, wn_tensor **g, wn_tensor **gin, uint64_t need) {
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
    wn__gradctx c = {.args = n->args, .g = g, .y = y, .gin = gin, .nin = n->nin, .edges = n->edges, .node = n, .need = need};
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

static wn_status run_node(task *t, entry *e) {
    wn__node *n = e->node;
    wn_tensor **g = e->g;
    WN_SCOPE(s);
    wn_status st = WN_OK;
    wn_tensor *few[16], **gin = few;
    memset(few, 0, sizeof few);
    for (int i = 0; i < n->nout; i++) {
        if (!g[i]) continue;
        wn_tensor *h = run_hooks(n->hooks, i, g[i]);
        if (!wn_ok(h)) return wn_error();
        if (h != g[i]) {
            wn__retain(h);
            wn__release(g[i]);
            g[i] = h;
        }
        for (int k = 0; k < t->ninputs; k++) { /* a non-leaf that was asked for */
            const wn_tensor *x = t->inputs[k];
            if (x->flags & WN__T_REQUIRES_GRAD || !x->grad || x->grad->node != n || x->grad->out_nr != (uint32_t)i) continue;
            if (!t->results[k]) t->results[k] = wn__retain(g[i]);
        }
    }
    if (!e->needed) return WN_OK;
    if ((st = wn__check_saved(n))) return st;
    if (n->nin > 16 && !(gin = wn__new(wn_tensor *, (size_t)n->nin))) return wn__fail_memory(n->name);
    if (n->apply) {
        st = n->apply(n, g, gin);
        for (int i = 0; i < n->nin; i++)
            if (gin[i]) gin[i] = wn__lend(wn__self(), gin[i]);
    } else {
        st = wn__run_builder(n, g, gin, needs(t, n));
    }
    for (int i = 0; i < n->nin && !st; i++)
        if (gin[i] && (n->edges[i].node || n->edges[i].leaf)) st = deliver(t, &n->edges[i], gin[i]);
    if (gin != few) wn__free(gin);
    if (!t->retain && !st && n->op) release_saved(n);
    return st;
}

static void drop_cotangents(entry *e) {
    if (!e->g) return;
    for (int i = 0; i < e->node->nout; i++) wn__release(e->g[i]);
    wn__free(e->g);
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
