/* Supports through nodes that move elements: which elements of gradients exist, are absent, or were read by nobody. */
#include "base/alloc.h"
#include "grad/support.h"
#include "grad/tape.h"

wn__moves wn__support_way(const wn__node *n) {
    if (!n) return WN__MOVES_NOT;
    if (n->cls) return n->cls->passes && n->cls->passes(n) ? WN__MOVES_OWN : WN__MOVES_NOT;
    switch (n->op->moves) {
    case WN__MOVES_STRAIGHT: return n->nout == 1 && n->nin <= WN__FEW ? WN__MOVES_STRAIGHT : WN__MOVES_NOT;
    case WN__MOVES_ONE:
    case WN__MOVES_SOME:
    case WN__MOVES_PRODUCT:
    case WN__MOVES_LINES: return (wn__moves)n->op->moves;
    default: return WN__MOVES_NOT;
    }
}

/* Is a support of use to any node that the inputs' gradients go to? */
bool wn__support_hands_on(const wn__node *n, uint64_t need, bool masks) {
    for (int i = 0; i < n->nin; i++)
        if ((i > 63 || need >> i & 1) && n->edges[i].node && wn__support_use(n->edges[i].node, masks) != WN__MOVES_NOT) return true;
    return false;
}

/* Applies the row's gradient to masks, to find out where their elements go. Where it adds, they are numbers. */
static wn_status move(wn__node *n, wn_tensor **masks, wn_tensor **to, uint64_t need) {
    wn__given few[WN__FEW], *ignored = n->nin > WN__FEW ? wn__new(wn__given, (size_t)n->nin) : few;
    if (!ignored) return wn__fail_memory(n->name);
    wn_status st = wn__run_builder(n, masks, to, need, ignored);
    if (ignored != few) wn__free(ignored);
    for (int i = 0; i < n->nin && !st; i++) {
        if (to[i] && to[i]->dtype != WN_BOOL) to[i] = wn_ne(to[i], 0);
        if (to[i] && !wn_ok(to[i])) st = wn_error();
    }
    return st;
}

wn_status wn__support_moved(wn__node *n, const wn__cotangent *g, wn__moved *to, uint64_t need) {
    wn_tensor *few[2 * WN__FEW], **on = n->nout > WN__FEW ? wn__new(wn_tensor *, 2 * (size_t)n->nout) : few, **off = on + n->nout;
    bool whole = n->op->moves == WN__MOVES_ONE;
    wn_status st = on ? WN_OK : wn__fail_memory(n->name);
    for (int i = 0; i < n->nout && !st; i++) {
        wn_tensor *zero = NULL;
        on[i] = g[i].value ? wn__exists(&g[i], g[i].value, &zero) : NULL;
        off[i] = g[i].support ? wn_logical_not(wn__support_mask(g[i].support, g[i].value)) : NULL;
        whole = whole && g[i].value && !zero;
        if (n->op->moves == WN__MOVES_SOME && on[i]) on[i] = wn_to(on[i], (wn_dtype)g[i].value->dtype);
        if (n->op->moves == WN__MOVES_SOME && off[i]) off[i] = wn_to(off[i], (wn_dtype)g[i].value->dtype);
        if ((on[i] && !wn_ok(on[i])) || (off[i] && !wn_ok(off[i]))) st = wn_error();
    }
    if (!st) st = move(n, on, to->exists, need);
    if (whole) to->absent = NULL;
    else if (!st) st = move(n, off, to->absent, need);
    if (on != few) wn__free(on);
    return st;
}

wn_status wn__moved_support(const wn__moved *m, int i, bool masks, wn__cotangent *x) {
    wn_tensor *on = m->exists[i];
    if (m->absent && m->absent[i]) {
        x->zero = wn_logical_not(wn_logical_or(on, m->absent[i]));
        on = wn_logical_or(on, x->zero);
    }
    if (!wn_ok(on)) return wn_error();
    x->support = wn__support_where(on, masks);
    return x->support ? WN_OK : wn__fail_memory("backward");
}

wn__reads *wn__reads_new(wn__node *n, int input, wn_tensor *const *g, bool forget) {
    wn__parts parts = {.bytes = sizeof(wn__reads)};
    (void)wn__part(&parts, n->nout, sizeof(wn_dims));
    wn__reads *r = wn__realloc(NULL, parts.bytes, 1);
    if (!r) return NULL;
    *r = (wn__reads){.node = wn__node_retain(n), .input = input, .forget = forget};
    for (int i = 0; i < n->nout; i++) {
        r->shapes[i] = g[i] ? wn_shape(g[i]) : (wn_dims){.n = -2};
        if (g[i]) r->dtype = g[i]->dtype;
    }
    return r;
}

void wn__reads_drop(wn__reads *r) {
    while (r) {
        wn__reads *next = r->next;
        if (r->forget) wn__node_forget(r->node);
        wn__node_release(r->node);
        wn__free(r);
        r = next;
    }
}

/* Which elements of the input did r's node read? */
static wn_tensor *reached(const wn__reads *r) {
    wn__node *n = r->node;
    wn_tensor *few[WN__FEW], *to[WN__FEW] = {NULL}, **ones = n->nout > WN__FEW ? wn__new(wn_tensor *, n->nout) : few;
    wn_status st = ones ? wn__check_saved(n) : wn__fail_memory(n->name);
    for (int i = 0; i < n->nout && !st; i++) {
        ones[i] = r->shapes[i].n == -2 ? NULL : wn_expand(wn_ones(WN_0D, .dtype = (wn_dtype)r->dtype), r->shapes[i].n ? r->shapes[i] : WN_0D);
        if (ones[i] && !wn_ok(ones[i])) st = wn_error();
    }
    if (!st) st = move(n, ones, to, (uint64_t)1 << r->input);
    if (ones != few) wn__free(ones);
    return st ? &wn__bad_tensor : wn_ne(wn_sum_to_size(to[r->input], wn__edge_dims(&n->edges[r->input])), 0);
}

wn_tensor *wn__reads_none(const wn__reads *r) {
    wn_tensor *read = reached(r);
    while ((r = r->next) && wn_ok(read)) read = wn_logical_or(read, reached(r));
    return wn_logical_not(read);
}
