/* The graph as users see it: nodes, where they lead, their hooks. */
#include <stdlib.h>
#include <string.h>
#include "base/api.h"
#include "grad/front.h"
#include "grad/saved.h"

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

/* The result named "result" (if there is only one), "result0", ...; -1: none is. */
static int slot_of_result(const wn__node *n, const char *name) {
    static const char word[] = "result";
    if (strncmp(name, word, sizeof word - 1)) return -1;
    name += sizeof word - 1;
    if (!*name) return n->nout == 1 ? n->nin : -1;
    char *end;
    const long i = strtol(name, &end, 10);
    return n->nout > 1 && !*end && i >= 0 && i < n->nout ? n->nin + (int)i : -1;
}

int wn__node_saved_slot(const wn_node *n, const char *name) {
    if (!n || !n->op || n->cls || !name) return -1;
    const wn_op *op = n->op;
    for (int k = 0, at = 0; k < op->ntensors; k++) {
        const wn_field *f = &op->fields[op->tensors[k]];
        const bool list = f->kind == WN_K_TENSORS;
        if (!list && !strcmp(f->torch, name)) return at < n->nin ? at : -1;
        at += list ? n->nin - (op->ntensors - 1) : 1;
    }
    return slot_of_result(n, name);
}

/* An alias of a saved result, which was saved without history, that is this node's result again. */
static wn_tensor *as_result(wn__node *n, wn_tensor *t, uint32_t out_nr) {
    wn_tensor *own = wn__tensor_alias(t);
    wn__node *part = own && n->within ? wn__part_history(n) : NULL;
    const bool ok = own && (!n->within || part) && wn__set_history(own, part ? part : n, part ? 0 : out_nr);
    if (part) wn__node_release(part);
    if (ok) return wn__lend(wn__self(), own);
    wn__release(own);
    return wn__bad_memory(n->name);
}

wn_tensor *wn__node_saved(wn_node *n, int slot) {
    if (!n || slot < 0 || slot >= n->nsaved) return NULL;
    if (wn__check_saved(n)) return NULL;
    bool mine;
    if (wn__saved_open(n, &mine)) {
        wn__saved_close(n, mine);
        return NULL;
    }
    wn_tensor *t = n->saved[slot];
    if (t && slot >= n->nin) t = as_result(n, t, (uint32_t)(slot - n->nin));
    else if (t && !mine) t = wn__lend(wn__self(), wn__retain(t));
    wn__saved_close(n, mine);
    return t && wn_ok(t) ? t : NULL;
}
