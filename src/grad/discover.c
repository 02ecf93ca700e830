/* What a backward reaches: nodes and leaves in a table, the number of edges into each, the heap of ready nodes. */
#include <stdlib.h>
#include "base/alloc.h"
#include "grad/engine.h"

static void empty(wn__task *t, wn__reached *table, size_t capacity) {
    for (size_t i = 0; i < capacity; i++) table[i].key = NULL;
    t->table = table;
    t->capacity = capacity;
}
static wn__reached *place(const wn__task *t, const void *key) {
    size_t i = wn__reached_hash(key) & (t->capacity - 1);
    while (t->table[i].key && t->table[i].key != key) i = (i + 1) & (t->capacity - 1);
    return &t->table[i];
}
static bool grow(wn__task *t) {
    wn__reached *old = t->table, *table = wn__realloc(NULL, t->capacity * 2, sizeof *table);
    size_t n = t->capacity;
    if (!table) return false;
    empty(t, table, n * 2);
    for (size_t i = 0; i < n; i++)
        if (old[i].key) *place(t, old[i].key) = old[i];
    if (old != t->few->table) wn__free(old);
    return true;
}

/* The table's entry for the node or leaf of e, made if need be (*fresh). NULL: memory is short. */
static wn__reached *insert(wn__task *t, const wn__edge *e, bool *fresh) {
    if (t->count * 4 >= t->capacity * 3 && !grow(t)) return NULL;
    const void *key = wn__edge_to(e);
    wn__reached *to = place(t, key);
    *fresh = !to->key;
    if (*fresh) {
        *to = (wn__reached){.key = key, .is_leaf = e->leaf != NULL, .needed = e->leaf || !t->ninputs};
        t->count++;
    }
    return to;
}

void wn__cotangents_drop(wn__reached *e) {
    if (!e->g) return;
    int n = e->is_leaf ? 1 : e->node->nout;
    for (int i = 0; i < n; i++) wn__cotangent_drop(&e->g[i]);
    if (e->g != &e->only) wn__free(e->g);
    e->g = NULL;
}

void wn__ready_push(wn__task *t, wn__reached *e) {
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
wn__reached *wn__ready_pop(wn__task *t) {
    wn__reached *top = &t->table[t->heap[0]];
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

typedef struct stack { /* not recursion: graphs can be deep */
    wn__node **v;
    size_t n, capacity;
} stack;

static bool push(stack *s, wn__node *n) {
    if (s->n == s->capacity) {
        size_t capacity = s->capacity ? s->capacity * 2 : 64;
        wn__node **v = wn__realloc(s->v, capacity, sizeof *v);
        if (!v) return false;
        s->v = v;
        s->capacity = capacity;
    }
    s->v[s->n++] = n;
    return true;
}

bool wn__is_input(const wn__task *t, const wn__edge *e) {
    for (int i = 0; i < t->ninputs; i++) {
        const wn_tensor *x = t->inputs[i];
        if (e->leaf ? e->leaf == x : e->node && x->grad && x->grad->node == e->node && x->grad->out_nr == e->out_nr) return true;
    }
    return false;
}

/* Follows e, which leads somewhere. edges: 1 if e belongs to a node, 0 if to a root. False: memory is short. */
static bool reach(wn__task *t, stack *s, const wn__edge *e, int edges) {
    if (e->leaf && t->ninputs && !wn__is_input(t, e)) return true; /* its gradient was not asked for */
    bool fresh;
    wn__reached *to = insert(t, e, &fresh);
    if (!to) return false;
    to->pending += edges;
    if (!fresh || e->leaf) return true;
    atomic_fetch_add_explicit(&e->node->refs, 1, memory_order_relaxed);
    return push(s, e->node);
}

static int by_seq(const void *a, const void *b) {
    const wn__reached *const *x = a, *const *y = b;
    return (*x)->node->seq < (*y)->node->seq ? -1 : (*x)->node->seq > (*y)->node->seq;
}

/* Is a result of n among the inputs? */
static bool is_made_by(const wn__task *t, const wn__node *n) {
    for (int i = 0; i < t->ninputs; i++)
        if (t->inputs[i]->grad && t->inputs[i]->grad->node == n) return true;
    return false;
}

/* With inputs given, only nodes that lead to one of them run and, as in torch, nodes that made an input that
 * accumulates, since their hooks are called. A node's inputs are recorded before it, so ascending order will do. */
static wn_status mark_needed(wn__task *t) {
    wn__reached **order = wn__new(wn__reached *, t->count ? t->count : 1);
    if (!order) return wn__fail_memory("grad");
    size_t n = 0;
    for (size_t i = 0; i < t->capacity; i++)
        if (t->table[i].key && !t->table[i].is_leaf) order[n++] = &t->table[i];
    qsort(order, n, sizeof *order, by_seq);
    for (size_t i = 0; i < n; i++) {
        wn__node *node = order[i]->node;
        order[i]->needed = !t->results && is_made_by(t, node);
        for (int k = 0; k < node->nin && !order[i]->needed; k++) {
            const wn__edge *e = &node->edges[k];
            wn__reached *to = e->node ? wn__reached_find(t, e->node) : NULL;
            order[i]->needed = wn__is_input(t, e) || (to && to->needed);
        }
    }
    wn__free(order);
    return WN_OK;
}

wn_status wn__discover(wn__task *t, wn_tensor **roots, int nroots) {
    empty(t, t->few->table, WN__REACHED_FEW);
    stack s = {0};
    bool ok = true;
    uint32_t turn = 0;
    wn_status st = WN_OK;
    for (int i = 0; i < nroots && ok && !st; i++) {
        wn__edge e = {0};
        st = wn__gradient_edge(roots[i], &e.node, &e.out_nr, &e.leaf);
        if (!st && wn__edge_to(&e)) ok = reach(t, &s, &e, 0);
    }
    while (s.n && ok && !st) {
        const wn__node *n = s.v[--s.n];
        ok = !wn__backward_stops(&turn);
        for (int i = 0; i < n->nin && ok; i++)
            if (wn__edge_to(&n->edges[i])) ok = reach(t, &s, &n->edges[i], 1);
    }
    wn__free(s.v);
    t->heap = t->count <= WN__REACHED_FEW ? t->few->heap : NULL;
    if (!st && ok && !t->heap) ok = (t->heap = wn__new(size_t, t->count)) != NULL;
    if (!ok) return wn__fail_memory("backward");
    return st || !t->ninputs ? st : mark_needed(t);
}

void wn__discover_end(wn__task *t) {
    for (size_t i = 0; i < t->capacity; i++) {
        wn__reached *e = &t->table[i];
        if (!e->key) continue;
        wn__cotangents_drop(e);
        if (!e->is_leaf) wn__node_release(e->node);
    }
    if (t->table != t->few->table) wn__free(t->table);
    if (t->heap != t->few->heap) wn__free(t->heap);
}
