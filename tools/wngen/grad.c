/* Gradient texts: "self: mul(g, other); other: mul(g, self)". Each expression becomes C that calls the rows, so that it
 * differentiates again; the leaves that it names are what the tape saves. Formulas of COMPOSITE rows become C the same way. */
#include <string.h>
#include "text.h"

/* ------------------------------------------------------------------ what is saved */

/* What a gradient reads: bits of tensor arguments and of results. */
static void reads(const op *o, const node *n, unsigned *in, unsigned *out) {
    if (n->kind == NODE_RESULT) *out |= 1u << n->index;
    if (n->kind == NODE_ARGUMENT && tensor_index(o, n->index) >= 0) *in |= 1u << tensor_index(o, n->index);
    for (int i = 0; i < n->nargs; i++) reads(o, n->arg[n->order[i]], in, out);
}

static void texts(op *o) {
    read_gradients(o);
    for (int t = 0; t < o->ntensors; t++) {
        if (!o->tree[t]) continue;
        o->diff |= 1u << t;
        reads(o, o->tree[t], &o->save_in[t], &o->save_out[t]);
    }
}

/* "self weight other:y0" after save: what every gradient reads, and, after the argument it belongs to, what only that one's does. */
static void listed(op *o) {
    char text[256], *save = NULL;
    snprintf(text, sizeof text, "%s", o->row->diff ? o->row->diff : "");
    for (char *w = strtok_r(text, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
        int p = find_param(o, w), t = p < 0 ? -1 : tensor_index(o, p);
        if (t < 0) fatal(o, "diff: '%s' is no tensor argument", w);
        o->diff |= 1u << t;
    }
    snprintf(text, sizeof text, "%s", o->row->save ? o->row->save : "");
    for (char *w = strtok_r(text, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
        char *colon = strchr(w, ':'), *what = colon ? colon + 1 : w;
        if (colon) *colon = 0;
        int p = find_param(o, what), y = numbered(what, 'y'), only = colon ? find_param(o, w) : -1;
        if (p < 0 && y < 0) fatal(o, "save: '%s' is neither argument nor result", what);
        if (colon && (only < 0 || tensor_index(o, only) < 0)) fatal(o, "save: '%s' is no tensor argument", w);
        for (int t = 0; t < o->ntensors; t++) {
            if (colon && t != tensor_index(o, only)) continue;
            if (p >= 0) o->save_in[t] |= 1u << tensor_index(o, p);
            else o->save_out[t] |= 1u << y;
        }
    }
}

/* Does the gradient read nothing but cotangents and what says where their elements go: arguments without derivative, results
 * that are places? Such a row, and every view, must say whether a mask moves along with them. */
static bool looks_moving(const op *o) {
    unsigned in = 0, out = 0;
    for (int t = 0; t < o->ntensors; t++) {
        in |= o->save_in[t];
        out |= o->save_out[t];
    }
    for (int k = 0; k < o->nresults; k++)
        if (out >> k & 1 && strcmp(o->results[k], "indices") && strcmp(o->results[k], "places")) return false;
    return !(in & o->diff);
}
static void check_moves(const op *o) {
    const wn__row *r = o->row;
    bool can = (r->cls == WN__VIEW || r->cls == WN__KERNEL) && (r->grad || r->vjp);
    if (!can && r->moves) fatal(o, ".moves is for VIEW and KERNEL rows with a derivative");
    if ((r->moves == WN__MOVES_PRODUCT) != (r->product != NULL)) fatal(o, ".moves = PRODUCT goes with .product");
    if ((r->moves == WN__MOVES_LINES) != (r->lines != NULL)) fatal(o, ".moves = LINES goes with .lines");
    const bool known = r->lines && (!strcmp(r->lines, "matrix") || !strcmp(r->lines, "classes") || !strcmp(r->lines, "halves"));
    if (r->lines && !known && find_param(o, r->lines) < 0) fatal(o, ".lines: '%s' is no argument", r->lines);
    if (r->flags & WN__F_WAITS && r->moves != WN__MOVES_PRODUCT) fatal(o, "a product (WAITS): .moves must be PRODUCT");
    for (int t = 0; t < o->ntensors && r->moves == WN__MOVES_PRODUCT; t++)
        if (o->save_in[t] & (o->save_in[t] - 1) || o->save_out[t]) fatal(o, ".moves = PRODUCT: a gradient may read one argument");
    if (!can || r->moves) return;
    if (r->cls == WN__KERNEL && (find_param(o, "dim") >= 0 || find_param(o, "normalized_shape") >= 0 || find_param(o, "num_groups") >= 0))
        fatal(o, "it computes along a dimension: say in .moves whether with lines of its input (LINES), or NOT");
    if (r->cls != WN__VIEW && !looks_moving(o)) return;
    fatal(o, "its derivative moves elements of the cotangent: say in .moves whether a mask moves along (STRAIGHT, ONE, SOME), or NOT");
}

void analyse_gradients(void) {
    for (int i = 0; i < nops; i++) {
        if (ops[i].row->formula) read_formula(&ops[i]);
        else if (ops[i].row->vjp) listed(&ops[i]);
        else if (ops[i].row->grad) texts(&ops[i]);
        check_moves(&ops[i]);
    }
}

/* ------------------------------------------------------------------ as C */

/* A gradient that exists only where a condition holds: the engine is told both (grad/support.h). */
static void supported(FILE *f, const op *o, int t, const support *s) {
    if (s->unless >= 0) {
        fprintf(f, "a->%s.kind != WN_VAL_TENSOR ? ", o->p[s->unless].cname);
        write_expression(f, o, o->tree[t], WN_K_TENSOR);
        fprintf(f, " : ");
    }
    const bool own = s->condition->kind != NODE_ARGUMENT; /* computed: no mask that the caller gave */
    fprintf(f, "wn__grad_support(c, %d, %s%s%s, ", t, s->kind == SUPPORT_ABOVE ? "WN__IF_ABOVE" : s->opposite ? "WN__IF_FALSE" : "WN__IF_TRUE",
            s->clean ? " | WN__CLEAN" : "", own ? " | WN__OWN" : "");
    write_expression(f, o, s->condition, WN_K_TENSOR);
    fprintf(f, ", ");
    write_expression(f, o, s->value, WN_K_TENSOR);
    fprintf(f, ", ");
    if (s->number) write_expression(f, o, s->number, WN_K_SCALAR);
    else fprintf(f, "wn_val_none()");
    fprintf(f, ")");
}

/* The results whose cotangents a gradient reads: bits. */
static unsigned cotangents(const node *n) {
    unsigned of = n->kind == NODE_COTANGENT ? 1u << n->index : 0;
    for (int i = 0; i < n->nargs; i++) of |= cotangents(n->arg[n->order[i]]);
    return of;
}

/* When the gradient of tensor argument t is computed: it is wanted, and the cotangents that it reads are there, of which a row with several results
 * may lack some. */
static void wanted(FILE *f, const op *o, int t) {
    fprintf(f, "(c->need >> %d & 1", t);
    const unsigned of = o->nresults > 1 ? cotangents(o->tree[t]) : 0;
    for (int k = 0; of >> k; k++)
        if (of >> k & 1) fprintf(f, " && c->g[%d]", k);
    fprintf(f, ")");
}

static bool names(const node *n, int local) {
    if (n->kind == NODE_LOCAL && n->index == local) return true;
    for (int i = 0; i < n->nargs; i++)
        if (names(n->arg[n->order[i]], local)) return true;
    return false;
}

static void check_used(const op *o, int local) {
    bool used = false;
    for (int t = 0; t < o->ntensors && !used; t++) used = o->tree[t] && names(o->tree[t], local);
    for (int k = 0; k < o->nresults && !used && o->formula[k]; k++) used = names(o->formula[k], local);
    if (!used) fatal(o, "text: '%s' stands for nothing that is computed", o->local[local].name);
}

/* What a text names is computed once, where a gradient that names it is; in a formula always. */
static void locals(FILE *f, const op *o) {
    for (int i = 0; i < o->nlocals; i++) {
        const node *is = o->local[i].is;
        check_used(o, i);
        const bool many = is->kind == NODE_CALL && is->row->nresults > 1;
        char type[80] = "wn_tensor *";
        if (many) snprintf(type, sizeof type, "wn_%s_out ", is->row->cname);
        fprintf(f, "    %s%s_ = ", type, o->local[i].name);
        bool asked = false;
        for (int t = 0; t < o->ntensors; t++) {
            if (!o->tree[t] || !names(o->tree[t], i)) continue;
            fputs(asked ? " || " : "", f);
            wanted(f, o, t);
            asked = true;
        }
        if (asked) fprintf(f, " ? ");
        if (many) write_call(f, o, is);
        else write_expression(f, o, is, WN_K_TENSOR);
        if (asked) fprintf(f, " : (%s){0}", type);
        fprintf(f, ";\n");
    }
}

static void entries(FILE *f, const op *o) {
    for (int t = 0; t < o->ntensors; t++) {
        if (!o->tree[t]) continue;
        support s = find_support(o, o->tree[t]);
        fprintf(f, "    if ");
        wanted(f, o, t);
        fprintf(f, " c->gin[%d] = ", t);
        if (s.kind) supported(f, o, t, &s);
        else write_expression(f, o, o->tree[t], WN_K_TENSOR);
        fprintf(f, ";\n");
    }
}

static void builder(FILE *f, const op *o) {
    fprintf(f, "void wn__grad_of_%s(wn__gradctx *c);\nvoid wn__grad_of_%s(wn__gradctx *c) {\n", o->cname, o->cname);
    fprintf(f, "    const wn_%s_args *a = c->args;\n    (void)a;\n", args_owner(o)->cname);
    locals(f, o);
    entries(f, o);
    fprintf(f, "}\n");
}

/* The function of a COMPOSITE row with a formula. */
static void formula(FILE *f, const op *o) {
    const char *args = args_owner(o)->cname;
    if (o->row->fn) emit_prototype(f, o, o->row->fn, false);
    fprintf(f, "wn_status wn__formula_of_%s(wn__call *c);\nwn_status wn__formula_of_%s(wn__call *c) {\n", o->cname, o->cname);
    fprintf(f, "    const wn_%s_args *a = c->args;\n", args);
    if (o->row->fn) {
        fprintf(f, "    const wn_status checked = ");
        emit_function_call(f, o, o->row->fn);
        fprintf(f, ";\n    if (checked) return checked;\n");
    }
    for (int i = 0; i < o->nrefusals; i++) write_refusal(f, o, o->refusal[i]);
    fprintf(f, "    WN_SCOPE(s);\n");
    locals(f, o);
    if (o->nresults > 1 && !o->formula[1]) {
        const op *row = o->formula[0]->row;
        fprintf(f, "    const wn_%s_out r = ", row->cname);
        write_call(f, o, o->formula[0]);
        fprintf(f, ";\n");
        for (int i = 0; i < o->nresults; i++) fprintf(f, "    %s st = wn__give(c, %d, r.%s);\n", i ? "if (!st)" : "wn_status", i, row->results[i]);
    } else {
        for (int i = 0; i < o->nresults; i++) {
            fprintf(f, "    %s st = wn__give(c, %d, ", i ? "if (!st)" : "wn_status", i);
            write_expression(f, o, o->formula[i], WN_K_TENSOR);
            fprintf(f, ");\n");
        }
    }
    fprintf(f, "    return st;\n}\n");
}

void emit_builders(FILE *f) {
    fprintf(f, "/* Gradients and formulas as calls of rows. Generated by wngen. */\n#include \"ops/texts.h\"\n\n");
    for (int i = 0; i < nops; i++) {
        emit_adapters(f, &ops[i]);
        if (ops[i].row->formula) formula(f, &ops[i]);
        else if (ops[i].row->grad && !ops[i].row->vjp) builder(f, &ops[i]);
    }
}
