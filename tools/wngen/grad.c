/* Gradient texts: "self: mul(g, other); other: mul(g, self)". Each expression becomes C that calls the rows, so that it
 * differentiates again; the leaves that it names are what the tape saves. */
#include <string.h>
#include "grad.h"

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
        if (ops[i].row->vjp) listed(&ops[i]);
        else if (ops[i].row->grad) texts(&ops[i]);
        check_moves(&ops[i]);
    }
}

/* ------------------------------------------------------------------ as C */

static void expression(FILE *f, const op *o, const node *n, wn_kind want);

static void as_kind(FILE *f, wn_kind want, const char *tensor) { fprintf(f, want == WN_K_VALUE ? "wn_val_of_tensor(%s)" : "%s", tensor); }

static void argument(FILE *f, const op *o, const param *p, wn_kind want) {
    char text[96];
    snprintf(text, sizeof text, "a->%s", p->cname);
    const wn_kind have = p->kind;
    if (have == WN_K_SCALAR && p->fallback[0] && p->fallback[0] != 'N') {
        bool integer = !p->fallback[strcspn(p->fallback, ".e")];
        snprintf(text, sizeof text, "wn__val_or(a->%s, wn_val_of_%s(%s))", p->cname, integer ? "int" : "float", p->fallback);
    }
    if (have == want || (have == WN_K_SCALAR && want == WN_K_VALUE) || (have == WN_K_VALUE && want == WN_K_SCALAR)) fprintf(f, "%s", text);
    else if (have == WN_K_TENSOR && want == WN_K_VALUE) as_kind(f, want, text);
    else if (have == WN_K_VALUE && want == WN_K_TENSOR) fprintf(f, "wn__val_tensor(%s)", text);
    else if (have == WN_K_FLOAT) fprintf(f, "wn_val_of_float(%s)", text);
    else if (have == WN_K_INT) fprintf(f, "wn_val_of_int(%s)", text);
    else if (have == WN_K_SCALAR && (want == WN_K_INT || want == WN_K_FLOAT)) fprintf(f, "wn__val_%s(%s)", want == WN_K_INT ? "i64" : "f64", text);
    else fatal(o, "gradient text: '%s' has the wrong kind here", p->name);
}

static void number(FILE *f, const op *o, const node *n, wn_kind want) {
    if (want == WN_K_TENSOR || want == WN_K_TENSORS) fatal(o, "gradient text: a number stands where a tensor must");
    if (n->kind == NODE_CONSTANT && n->integer) fprintf(f, "wn_val_of_int(%lld)", (long long)n->value);
    else if (n->kind == NODE_NUMBER && (want == WN_K_INT || want == WN_K_DEVICE)) fprintf(f, "%lld", (long long)n->value);
    else if (n->kind == NODE_NUMBER && want == WN_K_FLOAT) fprintf(f, "%.17g", n->value);
    else fprintf(f, "wn_val_of_float(%.17g)", n->value);
}

static void call(FILE *f, const op *o, const node *n, wn_kind want) {
    const op *row = n->row;
    fprintf(f, "%swn_%s_x(&(wn_%s_args){.size_ = sizeof(wn_%s_args)", want == WN_K_VALUE ? "wn_val_of_tensor(" : "", row->cname, row->cname, row->cname);
    for (int i = 0; i < n->nargs; i++) {
        const param *p = &row->p[n->order[i]];
        fprintf(f, ", .%s = ", p->cname);
        expression(f, o, n->arg[n->order[i]], p->kind);
    }
    fprintf(f, "})");
    if (row->nresults > 1) fprintf(f, ".%s", row->results[0]);
    if (want == WN_K_VALUE) fprintf(f, ")");
}

static void expression(FILE *f, const op *o, const node *n, wn_kind want) {
    char text[32];
    switch (n->kind) {
    case NODE_CALL: call(f, o, n, want); break;
    case NODE_ARGUMENT: argument(f, o, &o->p[n->index], want); break;
    case NODE_COTANGENT:
    case NODE_RESULT:
        snprintf(text, sizeof text, "c->%c[%d]", n->kind == NODE_RESULT ? 'y' : 'g', n->index);
        as_kind(f, want, text);
        break;
    case NODE_CONSTANT:
    case NODE_NUMBER: number(f, o, n, want); break;
    case NODE_TRUTH: fprintf(f, want == WN_K_SWITCH ? (n->index ? "WN_ON" : "WN_OFF") : (n->index ? "true" : "false")); break;
    case NODE_NONE: fprintf(f, want == WN_K_TENSOR ? "NULL" : "wn_val_none()"); break;
    case NODE_SHAPE:
    case NODE_DTYPE: fprintf(f, "wn__input_%s(c, %d)", n->kind == NODE_SHAPE ? "shape" : "dtype", tensor_index(o, n->index)); break;
    }
}

/* A gradient that exists only where a condition holds: the engine is told both (grad/support.h). */
static void supported(FILE *f, const op *o, int t, const support *s) {
    if (s->unless >= 0) {
        fprintf(f, "a->%s.kind != WN_VAL_TENSOR ? ", o->p[s->unless].cname);
        expression(f, o, o->tree[t], WN_K_TENSOR);
        fprintf(f, " : ");
    }
    const bool own = s->condition->kind != NODE_ARGUMENT; /* computed: no mask that the caller gave */
    fprintf(f, "wn__grad_support(c, %d, %s%s%s, ", t, s->kind == SUPPORT_ABOVE ? "WN__IF_ABOVE" : s->opposite ? "WN__IF_FALSE" : "WN__IF_TRUE",
            s->clean ? " | WN__CLEAN" : "", own ? " | WN__OWN" : "");
    expression(f, o, s->condition, WN_K_TENSOR);
    fprintf(f, ", ");
    expression(f, o, s->value, WN_K_TENSOR);
    fprintf(f, ", ");
    if (s->number) expression(f, o, s->number, WN_K_SCALAR);
    else fprintf(f, "wn_val_none()");
    fprintf(f, ")");
}

static void entries(FILE *f, const op *o) {
    for (int t = 0; t < o->ntensors; t++) {
        if (!o->tree[t]) continue;
        support s = find_support(o, o->tree[t]);
        fprintf(f, "    if (c->need >> %d & 1) c->gin[%d] = ", t, t);
        if (s.kind) supported(f, o, t, &s);
        else expression(f, o, o->tree[t], WN_K_TENSOR);
        fprintf(f, ";\n");
    }
}

void emit_builders(FILE *f) {
    fprintf(f, "/* Gradients as calls of rows. Generated by wngen. */\n#include \"grad/support.h\"\n\n"
               "static inline wn_val wn__val_or(wn_val v, wn_val fallback) { return v.kind == WN_VAL_NONE ? fallback : v; }\n"
               "static inline wn_tensor *wn__val_tensor(wn_val v) {\n"
               "    return v.kind == WN_VAL_TENSOR ? v.u.t : v.kind == WN_VAL_NONE ? NULL : wn_scalar_tensor(v, .dtype = WN_F64);\n}\n\n");
    for (int i = 0; i < nops; i++) {
        const op *o = &ops[i];
        if (o->row->vjp || !o->row->grad) continue;
        fprintf(f, "void wn__grad_of_%s(wn__gradctx *c);\nvoid wn__grad_of_%s(wn__gradctx *c) {\n", o->cname, o->cname);
        fprintf(f, "    const wn_%s_args *a = c->args;\n    (void)a;\n    (void)wn__val_tensor;\n    (void)wn__val_or;\n", o->cname);
        entries(f, o);
        fprintf(f, "}\n");
    }
}
