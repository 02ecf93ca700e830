/* The graph as its users see it: nodes, what they lead to, their hooks. */
#include "grad/tape.h"

wn_node *wn_node_of(wn_tensor *t) {
    wn__node *n = NULL;
    wn_tensor *leaf;
    uint32_t nr;
    if (!wn_ok(t) || wn__gradient_edge(t, &n, &nr, &leaf) || !n) return NULL;
    return wn__node_retain(n);
}

wn_node *wn_node_keep(wn_node *n) { return n ? wn__node_retain(n) : NULL; }
void wn_node_drop(wn_node *n) {
    if (n) wn__node_release(n);
}

uint64_t wn_node_sequence(const wn_node *n) { return n ? n->seq : 0; }
int wn_node_outputs(const wn_node *n) { return n ? n->nout : 0; }
int wn_node_inputs(const wn_node *n) { return n ? n->nin : 0; }

wn_edge wn_node_input(const wn_node *n, int i) {
    if (!n || i < 0 || i >= n->nin) return (wn_edge){0};
    const wn__edge *e = &n->edges[i];
    return (wn_edge){.node = e->node, .leaf = e->leaf, .output = (int)e->out_nr};
}

static int64_t add(wn_node *n, bool given, const wn__hook_spec *spec) {
    static const char op[] = "register_hook";
    if (n && given) return wn__hook_add(&n->hooks, op, spec);
    wn__fail(WN_E_TYPE, op, "the node or the hook is absent");
    return 0;
}
int64_t wn_node_register_prehook(wn_node *n, wn_node_prehook hook, void *ctx, void (*release)(void *)) {
    return add(n, hook != NULL, &(wn__hook_spec){.kind = WN__HOOK_PRE, .fn.pre = hook, .ctx = ctx, .release = release});
}
int64_t wn_node_register_hook(wn_node *n, wn_node_hook hook, void *ctx, void (*release)(void *)) {
    return add(n, hook != NULL, &(wn__hook_spec){.kind = WN__HOOK_POST, .fn.post = hook, .ctx = ctx, .release = release});
}
