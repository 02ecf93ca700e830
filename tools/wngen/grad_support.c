/* Where gradients exist, as their texts say it. where(c, X, k(0)) exists where c is true (.selects), threshold_backward(X, y, t)
 * where y is above t (.support); around such a call zero passes through pointwise rows that say so (.zero): outside the condition
 * there is no term, and the value there may be anything. */
#include <stdlib.h>
#include "text.h"

static bool is_zero(const node *n) { return n && n->kind == NODE_CONSTANT && n->value == 0; }

/* May it stand where a tensor must? Then the condition is enough, and the call that selects need not be made. */
static bool is_tensor(const op *o, const node *n) {
    if (n->kind == NODE_ARGUMENT) return tensor_index(o, n->index) >= 0;
    return n->kind == NODE_CALL || n->kind == NODE_COTANGENT || n->kind == NODE_RESULT;
}

static const node *operand(const node *call, int i) { return call->arg[call->row->operands[i]]; }

/* Is n a call with a condition of its own? Then *s is it. */
static bool condition_of(const op *o, const node *n, support *s) {
    if (n->kind != NODE_CALL) return false;
    const op *row = n->row;
    const node *value = NULL;
    support found = {.by = n, .kind = row->support, .clean = row->support == SUPPORT_TRUE, .value = n, .unless = -1};
    if (row->row->selects) {
        const node *yes = operand(n, row->selects[1]), *no = operand(n, row->selects[2]);
        if (!is_zero(yes) && !is_zero(no)) return false;
        found.kind = SUPPORT_TRUE;
        found.opposite = is_zero(yes);
        found.condition = operand(n, row->selects[0]);
        value = found.opposite ? no : yes;
    } else if (row->support) {
        found.condition = n->arg[row->exists[0]];
        found.number = row->exists[1] >= 0 ? n->arg[row->exists[1]] : NULL;
        if (row->support == SUPPORT_ABOVE) value = n->arg[row->tensors[0]]; /* a clean value stays as it is */
    } else {
        return false;
    }
    if (!found.condition || (row->support == SUPPORT_ABOVE && !found.number)) fatal(o, "gradient text: %s lacks its condition", row->cname);
    if (value && is_tensor(o, value)) found.value = value;
    if (found.condition->kind == NODE_ARGUMENT && o->p[found.condition->index].kind == WN_K_VALUE) found.unless = found.condition->index;
    *s = found;
    return true;
}

static bool zero_passes(const op *row, int parameter) {
    if (row->row->cls != WN__POINTWISE || !is_tensor_operand(row, parameter)) return false;
    if (row->row->zero == WN__ZERO_MEETS) return true;
    return row->row->zero == WN__ZERO_KEEPS && parameter == row->tensors[0];
}

/* The outermost condition in n, the first of several beside one another; s->value becomes n without the call that selects. */
static bool search(const op *o, const node *n, support *s) {
    if (condition_of(o, n, s)) return true;
    for (int i = 0; n->kind == NODE_CALL && i < n->nargs; i++) {
        const int p = n->order[i];
        if (!zero_passes(n->row, p) || !search(o, n->arg[p], s)) continue;
        node *around = malloc(sizeof *around);
        if (!around) fatal(NULL, "out of memory");
        *around = *n;
        around->arg[p] = s->value;
        s->value = around;
        s->clean = false; /* 0 times infinity */
        s->through++;
        return true;
    }
    return false;
}

/* What is around a condition must be element by element, as pointwise rows' gradients are; a clean value may belong to any row. */
support find_support(const op *o, const node *tree) {
    support s = {0};
    const bool found = o->row->cls == WN__POINTWISE ? search(o, tree, &s) : condition_of(o, tree, &s) && s.clean;
    return found ? s : (support){.unless = -1};
}
