/* Nodes' names as torch prints them: max_pool2d becomes MaxPool2DBackward0; letters after a non-letter become capitals.
 * torch numbers overloads in the order of its own list of derivatives, and some of its operations record others: where
 * that shows, the row has a .title. */
#include <stdio.h>
#include "grad/tape.h"

/* Is the argument a number, or left out? */
static bool plain(const wn_field *f, const void *p) {
    switch (f->kind) {
    case WN_K_VALUE: /* tensors that were not saved are NULL here */
    case WN_K_SCALAR: return ((const wn_val *)p)->kind > WN_VAL_TENSOR;
    case WN_K_DIMS: return ((const wn_dims *)p)->n == 0;
    case WN_K_BOOL: return !*(const bool *)p;
    case WN_K_STRING: return *(const char *const *)p == NULL;
    default: return false;
    }
}

/* n's title. If a composite named n, its arguments are another row's, but composites' titles have no conditions. */
static const wn__title *title_of(const wn__node *n, const wn_op *row) {
    const wn__title *t = row ? row->titles : NULL;
    while (t && t->field >= 0 && plain(&row->fields[t->field], (const char *)n->args + row->fields[t->field].offset) != t->plain) t++;
    return t;
}

static void camel(char *out, size_t cap, const char *name) {
    size_t k = 0;
    bool start = true;
    for (; *name && k + 1 < cap; name++) {
        char c = *name;
        bool lower = c >= 'a' && c <= 'z', upper = c >= 'A' && c <= 'Z';
        if (lower && start) c = (char)(c - 'a' + 'A');
        start = !lower && !upper;
        if (c != '_') out[k++] = c;
    }
    out[k] = 0;
}

size_t wn_node_name(const wn_node *n, char *buf, size_t cap) {
    if (!n) return (size_t)snprintf(buf, cap, "None");
    if (n->cls && n->cls->title) return (size_t)snprintf(buf, cap, "%s", n->cls->title);
    /* A class's name stays as it is; torch adds no number to it. */
    if (n->cls && (n->cls->verbatim || (n->name[0] >= 'A' && n->name[0] <= 'Z'))) return (size_t)snprintf(buf, cap, "%sBackward", n->name);
    if (n->op && n->op->title_of && !n->titled) return (size_t)n->op->title_of(n, buf, cap);
    const wn__title *t = title_of(n, n->titled ? &wn__ops[n->titled - 1] : n->op);
    char made[128];
    camel(made, sizeof made, n->name);
    return (size_t)snprintf(buf, cap, "%s%s", t && t->name ? t->name : made, t ? t->end : "Backward0");
}

void wn__title_results(wn__call *c, uint64_t begin) {
    for (int i = 0; i < c->op->nresults; i++) {
        wn_node *n = c->out[i] && c->out[i]->grad ? c->out[i]->grad->node : NULL;
        if (!n || n->seq <= begin || !n->op) continue;
        n->name = c->op->name;
        n->titled = (uint16_t)(c->op->id + 1);
    }
}

/* A view whose base has changed has no node yet for its new history, which will be as_strided. */
void wn__grad_fn_name(const wn_tensor *t, char *buf, size_t cap) {
    WN_ASSERT(cap > 0);
    bool stale = wn__view_is_stale(t);
    if (stale) snprintf(buf, cap, "AsStridedBackward0");
    else wn_node_name(t->grad->node, buf, cap);
}

int64_t wn__event_of_node(const wn__node *n, bool whole_turn) {
    char name[128] = "AccumulateGrad";
    if (n) wn_node_name(n, name, sizeof name);
    return wn__event_backward(name, whole_turn);
}
