/* wngen --explain ROW...: what the rows' texts mean, in words. */
#include <string.h>
#include "text.h"

static void tree(const op *o, const node *n, int depth, const char *as) {
    printf("      %*s", 2 * depth, "");
    if (as) printf("%s: ", as);
    switch (n->kind) {
    case NODE_CALL: printf("%s%s\n", n->row->cname, n->inplace ? "_" : ""); break;
    case NODE_SCALED: printf("scaled (the product; where the number is 1, the tensor)\n"); break;
    case NODE_LIST: printf("list\n"); break;
    case NODE_ARGUMENT: printf("%s (%s)\n", o->p[n->index].name, tensor_index(o, n->index) >= 0 ? "argument" : "number given"); break;
    case NODE_COTANGENT: printf("cotangent of result %d\n", n->index); break;
    case NODE_RESULT: printf("result %d\n", n->index); break;
    case NODE_CONSTANT:
    case NODE_NUMBER: printf("%.17g\n", n->value); break;
    case NODE_TRUTH: printf(n->index ? "true\n" : "false\n"); break;
    case NODE_NONE: printf("none\n"); break;
    case NODE_SHAPE:
    case NODE_DTYPE:
        printf("%s of %s", n->kind == NODE_SHAPE ? "shape" : "dtype", o->p[n->index].name);
        if (n->from) printf(" from dimension %d on", (int)n->value);
        printf("\n");
        break;
    case NODE_SIZE: printf("size along dimension %d of\n", (int)n->value); break;
    case NODE_TEXT: printf("'%s'\n", n->text); break;
    case NODE_LOCAL: printf("%s, which is\n", o->local[n->index].name); break;
    case NODE_PICK: printf("where the first holds, the second, else the third\n"); break;
    case NODE_NOT: printf("not\n"); break;
    case NODE_IS: n->text ? printf("is '%s'\n", n->text) : printf("is %.17g\n", n->value); break;
    case NODE_LESS: printf("is less than %.17g\n", n->value); break;
    case NODE_MORE: printf("is more than %.17g\n", n->value); break;
    case NODE_AND: printf("both\n"); break;
    case NODE_OR: printf("one of\n"); break;
    case NODE_ALIKE: printf("have one shape\n"); break;
    case NODE_NDIM: printf("number of dimensions of\n"); break;
    case NODE_REFUSE: printf("an error where the first holds\n"); break;
    case NODE_AGAIN: printf("the gradient is to be differentiated again\n"); break;
    case NODE_RECORDED: printf("somebody may want the gradient of\n"); break;
    case NODE_REDUCED: printf("reduced (mean, sum or none)\n"); break;
    case NODE_SOUND: printf("the first, or the error that the second, info, tells\n"); break;
    case NODE_UNKNOWN: printf("unknown: an error that names\n"); break;
    }
    for (int i = 0; i < n->nargs; i++) tree(o, n->arg[n->order[i]], depth + 1, n->kind == NODE_CALL ? n->row->p[n->order[i]].name : NULL);
}

/* The text of a tree, in one line. */
static void text(const op *o, const node *n);
static void text_items(const op *o, const node *n, const char *word, char begin, char end) {
    printf("%s%c", word, begin);
    for (int i = 0; i < n->nargs; i++) {
        if (i) printf(", ");
        if (n->kind == NODE_CALL && n->order[i] != i) printf("%s=", n->row->p[n->order[i]].name);
        text(o, n->arg[n->order[i]]);
    }
    if (n->kind == NODE_IS && n->text) printf(", '%s'", n->text);
    else if ((n->kind == NODE_IS && n->nargs == 1) || n->kind == NODE_SIZE || n->kind == NODE_LESS || n->kind == NODE_MORE)
        printf(", %.17g", n->value);
    printf("%c", end);
}
static void text(const op *o, const node *n) {
    char word[80];
    switch (n->kind) {
    case NODE_CALL:
        snprintf(word, sizeof word, "%s%s", n->row->cname, n->inplace ? "_" : "");
        text_items(o, n, word, '(', ')');
        if (n->index) printf(".%s", n->row->results[n->index]);
        break;
    case NODE_LIST: text_items(o, n, "", '[', ']'); break;
    case NODE_SCALED:
    case NODE_PICK:
    case NODE_NOT:
    case NODE_IS:
    case NODE_LESS:
    case NODE_MORE:
    case NODE_AND:
    case NODE_OR:
    case NODE_ALIKE:
    case NODE_NDIM:
    case NODE_REFUSE:
    case NODE_SIZE:
    case NODE_RECORDED:
    case NODE_REDUCED:
    case NODE_SOUND:
    case NODE_UNKNOWN: text_items(o, n, word_of(n->kind), '(', ')'); break;
    case NODE_AGAIN: printf("again"); break;
    case NODE_TEXT: printf("'%s'", n->text); break;
    case NODE_LOCAL:
        printf("%s", o->local[n->index].name);
        if (n->result) printf(".%s", n->arg[0]->row->results[n->result]);
        break;
    case NODE_ARGUMENT: printf("%s", o->p[n->index].name); break;
    case NODE_COTANGENT:
    case NODE_RESULT:
        printf("%c", n->kind == NODE_RESULT ? 'y' : 'g');
        if (o->nresults != 1) printf("%d", n->index);
        break;
    case NODE_CONSTANT: printf("k(%.17g)", n->value); break;
    case NODE_NUMBER: printf("%.17g", n->value); break;
    case NODE_TRUTH: printf(n->index ? "true" : "false"); break;
    case NODE_NONE: printf("none"); break;
    case NODE_SHAPE:
    case NODE_DTYPE:
        printf("%s(%s", n->kind == NODE_SHAPE ? "shape" : "dtype", o->p[n->index].name);
        if (n->from) printf(", %d", (int)n->value);
        printf(")");
        break;
    }
}

static void saved(const op *o, int t) {
    printf("    saved for it:");
    for (int i = 0; i < o->ntensors; i++)
        if (o->save_in[t] >> i & 1) printf(" %s", o->p[o->tensors[i]].name);
    for (int k = 0; k < WN_MAX_RESULTS; k++)
        if (o->save_out[t] >> k & 1) printf(" result %d", k);
    printf(o->save_in[t] || o->save_out[t] ? "\n" : " nothing\n");
}

static void where_it_exists(const op *o, const node *n) {
    support s = find_support(o, n);
    if (!s.kind) {
        printf("    exists everywhere\n");
        return;
    }
    printf("    exists where ");
    text(o, s.condition);
    if (s.kind == SUPPORT_TRUE) printf(s.opposite ? " is false" : " is true");
    if (s.kind == SUPPORT_ABOVE) {
        printf(" is above ");
        text(o, s.number);
        printf(", or NaN");
    }
    printf(s.clean ? "; elsewhere it is 0 already\n" : "; elsewhere it is absent, 0 when made dense\n");
    printf("      because %s says so (%s), ", s.by->row->cname, s.by->row->row->selects ? ".selects, and the other side is 0" : ".support");
    if (s.through) printf("and zero passes (.zero) through %d call%s around it\n", s.through, s.through > 1 ? "s" : "");
    else printf("the outermost call\n");
    printf("      the condition is %s\n", s.condition->kind == NODE_ARGUMENT ? "an argument" : "computed by the row");
    if (s.unless >= 0) printf("      unless %s is a number: then everywhere\n", o->p[s.unless].name);
    printf("      there it is ");
    text(o, s.value);
    printf("\n");
}

static void gradients(const op *o) {
    if (o->row->vjp) printf("  gradients: by the function %s\n", o->row->vjp);
    else if (o->row->grad) printf("  gradients: by a text\n");
    else printf("  gradients: none of its own%s\n", o->row->cls == WN__COMPOSITE ? " (those of the operations that it calls)" : o->row->flags & WN__F_NODIFF ? ", on purpose" : "");
    for (int t = 0; t < o->ntensors; t++) {
        if (!(o->diff >> t & 1)) continue;
        printf("  gradient of %s:\n", o->p[o->tensors[t]].name);
        if (o->tree[t]) tree(o, o->tree[t], 0, NULL);
        saved(o, t);
        if (o->tree[t]) where_it_exists(o, o->tree[t]);
    }
}

static void attribute(const char *name, const char *value) {
    if (value) printf("  %s: %s\n", name, value);
}

static void attributes(const op *o) {
    static const char *const moves[] = {NULL, "NOT (a cotangent is made dense)", "STRAIGHT (element by element)", "ONE (multiples of one element of the cotangent)",
                                        "SOME (sums of elements of the cotangent)", "PRODUCT (sums times the other operand)", "LINES (along lines of its input)"};
    static const char *const zeros[] = {[0] = NULL, [WN__ZERO_NOT] = "NOT (a zero need not give a zero)", [WN__ZERO_KEEPS] = "KEEPS (a zero of its first tensor gives a zero)",
                                        [WN__ZERO_MEETS] = "MEETS (a zero of any operand gives a zero)"};
    const wn__row *r = o->row;
    attribute("moves", moves[r->cls == WN__POINTWISE ? WN__MOVES_STRAIGHT : r->moves]);
    attribute("product", r->product);
    attribute("lines", r->lines);
    attribute("zero", zeros[r->zero]);
    attribute("selects (mask, where true, where false)", r->selects);
    attribute("support", r->support);
    attribute("fact", r->fact);
    attribute("expression", r->expr);
    attribute("shorter", r->shorter);
    attribute("title", r->title ? r->title : r->title_of);
    attribute("args_of", r->args_of);
    attribute("which", r->which);
    if (r->dims) printf("  dims: %d\n", r->dims);
    print_decisions(o);
    attribute("layout", r->layout);
    attribute("checks", r->formula ? r->fn : NULL);
    for (int i = 0; i < o->nlocals; i++) {
        printf("  %s: ", o->local[i].name);
        text(o, o->local[i].is);
        printf("\n");
    }
    for (int i = 0; i < o->nrefusals; i++) {
        printf("  refuses: ");
        text(o, o->refusal[i]);
        printf("\n");
    }
    for (int i = 0; i < o->nresults && o->formula[i]; i++) {
        printf("  formula: ");
        text(o, o->formula[i]);
        printf("\n");
    }
    attribute("function", r->formula ? NULL : r->fn);
    attribute("says its results", r->infer);
    attribute("fills them", r->run);
    attribute("numbers", r->numbers);
    attribute("says", r->doc);
}

int explain(char *const *rows, int n) {
    static const char *const classes[] = {"POINTWISE (element by element)", "VIEW (shares memory)", "KERNEL (a function computes it)", "COMPOSITE (calls other operations)"};
    for (int i = 0; i < n; i++) {
        const int id = find_op(rows[i]);
        if (id < 0) {
            fprintf(stderr, "wngen: there is no row '%s' (C names: max_dim for max.dim)\n", rows[i]);
            return 1;
        }
        printf("%s\n  class: %s\n", ops[id].row->sig, classes[ops[id].row->cls]);
        gradients(&ops[id]);
        attributes(&ops[id]);
    }
    return 0;
}
