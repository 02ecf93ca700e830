/* Trees of texts as C: calls of the rows' functions. */
#include <string.h>
#include "text.h"

static void as_kind(FILE *f, wn_kind want, const char *tensor) { fprintf(f, want == WN_K_VALUE ? "wn_val_of_tensor(%s)" : "%s", tensor); }

static void argument(FILE *f, const op *o, const param *p, wn_kind want) {
    char text[192];
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
    else if (have == WN_K_INT && want == WN_K_FLOAT) fprintf(f, "(double)%s", text);
    else if (have == WN_K_INT) fprintf(f, "wn_val_of_int(%s)", text);
    else if (have == WN_K_BOOL && want == WN_K_SWITCH) fprintf(f, "%s ? WN_ON : WN_OFF", text);
    else if (have == WN_K_SWITCH && want == WN_K_BOOL) fprintf(f, "wn_is_on(%s, %s)", text, p->fallback[0] == 'T' ? "true" : "false");
    else if (have == WN_K_BOOL) fprintf(f, "wn_val_of_bool(%s)", text);
    else if (have == WN_K_SCALAR && (want == WN_K_INT || want == WN_K_FLOAT)) fprintf(f, "wn__val_%s(%s)", want == WN_K_INT ? "i64" : "f64", text);
    else fatal(o, "text: '%s' has the wrong kind here", p->name);
}

static void number(FILE *f, const op *o, const node *n, wn_kind want) {
    if (want == WN_K_TENSOR || want == WN_K_TENSORS) fatal(o, "text: a number stands where a tensor must");
    if (n->kind == NODE_CONSTANT && n->integer) fprintf(f, "wn_val_of_int(%lld)", (long long)n->value);
    else if (n->kind == NODE_NUMBER && (want == WN_K_INT || want == WN_K_DEVICE)) fprintf(f, "%lld", (long long)n->value);
    else if (n->kind == NODE_NUMBER && want == WN_K_FLOAT) fprintf(f, "%.17g", n->value);
    else if (n->value != n->value) fprintf(f, "wn_val_of_float(NAN)");
    else fprintf(f, "wn_val_of_float(%.17g)", n->value);
}

void write_call(FILE *f, const op *o, const node *n) {
    const op *row = n->row;
    const char *args = args_owner(row)->cname;
    fprintf(f, "wn_%s%s_x(&(wn_%s_args){.size_ = sizeof(wn_%s_args)", row->cname, n->inplace ? "_inplace" : "", args, args);
    for (int i = 0; i < n->nargs; i++) {
        const param *p = &row->p[n->order[i]];
        fprintf(f, ", .%s = ", p->cname);
        write_expression(f, o, n->arg[n->order[i]], p->kind);
    }
    fprintf(f, "})");
}
static void call(FILE *f, const op *o, const node *n, wn_kind want) {
    if (want == WN_K_VALUE) fprintf(f, "wn_val_of_tensor(");
    write_call(f, o, n);
    if (n->row->nresults > 1) fprintf(f, ".%s", n->row->results[n->index]);
    if (want == WN_K_VALUE) fprintf(f, ")");
}

static void scaled(FILE *f, const op *o, const node *n, wn_kind want) {
    fprintf(f, "%swn__scaled(", want == WN_K_VALUE ? "wn_val_of_tensor(" : "");
    write_expression(f, o, n->arg[0], WN_K_TENSOR);
    fprintf(f, ", ");
    write_expression(f, o, n->arg[1], WN_K_SCALAR);
    fprintf(f, want == WN_K_VALUE ? "))" : ")");
}
static void list(FILE *f, const op *o, const node *n, wn_kind want) {
    if (want != WN_K_DIMS && want != WN_K_TENSORS) fatal(o, "text: a list stands where there is none");
    fprintf(f, want == WN_K_DIMS ? "WN_DIMS(" : "WN_LIST(");
    for (int i = 0; i < n->nargs; i++) {
        if (i) fprintf(f, ", ");
        write_expression(f, o, n->arg[i], want == WN_K_DIMS ? WN_K_INT : WN_K_TENSOR);
    }
    fprintf(f, ")");
}
/* Of a gradient's input, which need not be saved; of a formula's argument. */
static void geometry(FILE *f, const op *o, const node *n) {
    const bool shape = n->kind == NODE_SHAPE;
    if (n->from) fprintf(f, "wn__sizes_from(");
    if (o->row->cls == WN__COMPOSITE) fprintf(f, "wn_%s(a->%s)", shape ? "shape" : "dtype_of", o->p[n->index].cname);
    else fprintf(f, "wn__input_%s(c, %d)", shape ? "shape" : "dtype", tensor_index(o, n->index));
    if (n->from) fprintf(f, ", %d)", (int)n->value);
}

/* A string argument, its default where it is not given. */
static void string(FILE *f, const op *o, const node *n) {
    const param *p = n->kind == NODE_ARGUMENT ? &o->p[n->index] : NULL;
    if (!p || p->kind != WN_K_STRING) fatal(o, "text: there is no string where one must be");
    const int length = p->fallback[0] == '"' || p->fallback[0] == '\'' ? (int)strlen(p->fallback) - 2 : 0;
    fprintf(f, "(a->%s ? a->%s : \"%.*s\")", p->cname, p->cname, length, p->fallback + 1);
}

static void condition(FILE *f, const op *o, const node *n);
static void both(FILE *f, const op *o, const node *n, const char *join) {
    fprintf(f, "(");
    condition(f, o, n->arg[0]);
    fprintf(f, " %s ", join);
    condition(f, o, n->arg[1]);
    fprintf(f, ")");
}
static void alike(FILE *f, const op *o, const node *n) {
    fprintf(f, "wn__same_shape(");
    write_expression(f, o, n->arg[0], WN_K_TENSOR);
    fprintf(f, ", ");
    write_expression(f, o, n->arg[1], WN_K_TENSOR);
    fprintf(f, ")");
}
static void ndim(FILE *f, const op *o, const node *n, wn_kind want) {
    const bool value = want == WN_K_SCALAR || want == WN_K_VALUE;
    fprintf(f, value ? "wn_val_of_int(wn_ndim(" : "wn_ndim(");
    write_expression(f, o, n->arg[0], WN_K_TENSOR);
    fprintf(f, value ? "))" : ")");
}

static void is_dtype(FILE *f, const op *o, const node *n) {
    static const char *const names[][2] = {
        {"bool", "WN_BOOL"}, {"uint8", "WN_U8"}, {"int64", "WN_I64"}, {"float64", "WN_F64"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(n->text, names[i][0])) continue;
        geometry(f, o, n->arg[0]);
        fprintf(f, " == %s", names[i][1]);
        return;
    }
    fatal(o, "text: '%s' is no dtype", n->text);
}

/* A condition, as a bool: an argument that is one, or whether an optional one is given. */
static void condition(FILE *f, const op *o, const node *n) {
    const param *p = n->kind == NODE_ARGUMENT ? &o->p[n->index] : NULL;
    if (p && (p->kind == WN_K_BOOL || p->kind == WN_K_SWITCH)) argument(f, o, p, WN_K_BOOL);
    else if (p && p->kind == WN_K_TENSOR) fprintf(f, "a->%s != NULL", p->cname);
    else if (p && (p->kind == WN_K_SCALAR || p->kind == WN_K_VALUE)) fprintf(f, "a->%s.kind != WN_VAL_NONE", p->cname);
    else if (n->kind == NODE_NOT) fprintf(f, "!("), condition(f, o, n->arg[0]), fprintf(f, ")");
    else if (p && p->kind == WN_K_STRING) fprintf(f, "a->%s != NULL", p->cname);
    else if (p && p->kind == WN_K_DIMS) fprintf(f, "a->%s.n != 0", p->cname);
    else if (n->kind == NODE_IS && n->text && n->arg[0]->kind == NODE_DTYPE) is_dtype(f, o, n);
    else if (n->kind == NODE_IS && n->text)
        fprintf(f, "!strcmp("), string(f, o, n->arg[0]), fprintf(f, ", \"%s\")", n->text);
    else if (n->kind == NODE_LESS) write_expression(f, o, n->arg[0], WN_K_FLOAT), fprintf(f, " < %.17g", n->value);
    else if (n->kind == NODE_MORE) write_expression(f, o, n->arg[0], WN_K_FLOAT), fprintf(f, " > %.17g", n->value);
    else if (n->kind == NODE_IS && n->nargs == 2)
        ndim(f, o, n->arg[0], WN_K_INT), fprintf(f, " == "), ndim(f, o, n->arg[1], WN_K_INT);
    else if (n->kind == NODE_AND || n->kind == NODE_OR) both(f, o, n, n->kind == NODE_AND ? "&&" : "||");
    else if (n->kind == NODE_ALIKE) alike(f, o, n);
    else if (n->kind == NODE_IS) write_expression(f, o, n->arg[0], WN_K_FLOAT), fprintf(f, " == %.17g", n->value);
    else if (n->kind == NODE_AGAIN) fprintf(f, "wn_grad_enabled()");
    else if (n->kind == NODE_RECORDED) fprintf(f, "wn_grad_enabled() && wn_needs_grad("), write_expression(f, o, n->arg[0], WN_K_TENSOR), fprintf(f, ")");
    else fatal(o, "text: there is no condition where one must be");
}
static void truth(FILE *f, const op *o, const node *n, wn_kind want) {
    if (want != WN_K_BOOL && want != WN_K_SWITCH) fatal(o, "text: a condition stands where there is none");
    condition(f, o, n);
    if (want == WN_K_SWITCH) fprintf(f, " ? WN_ON : WN_OFF");
}
static void pick(FILE *f, const op *o, const node *n, wn_kind want) {
    fprintf(f, "(");
    condition(f, o, n->arg[0]);
    fprintf(f, " ? ");
    write_expression(f, o, n->arg[1], want);
    fprintf(f, " : ");
    write_expression(f, o, n->arg[2], want);
    fprintf(f, ")");
}

static void local(FILE *f, const op *o, const node *n, wn_kind want) {
    const node *is = n->arg[0];
    const bool many = is->kind == NODE_CALL && is->row->nresults > 1;
    char text[96];
    snprintf(text, sizeof text, "%s_%s%s", o->local[n->index].name, many ? "." : "", many ? is->row->results[n->result] : "");
    as_kind(f, want, text);
}
static void size(FILE *f, const op *o, const node *n, wn_kind want) {
    fprintf(f, want == WN_K_INT ? "wn_size(" : "wn_val_of_int(wn_size(");
    write_expression(f, o, n->arg[0], WN_K_TENSOR);
    fprintf(f, want == WN_K_INT ? ", %d)" : ", %d))", (int)n->value);
}
static void reduced(FILE *f, const op *o, const node *n) {
    fprintf(f, "wn__loss_reduced(c, ");
    write_expression(f, o, n->arg[0], WN_K_TENSOR);
    fprintf(f, ", ");
    write_expression(f, o, n->arg[1], WN_K_STRING);
    fprintf(f, ")");
}

static void sound(FILE *f, const op *o, const node *n) {
    if (n->arg[2]->kind != NODE_TEXT || n->arg[3]->kind != NODE_TEXT) fatal(o, "text: sound() ends in two strings, torch's name and a kind (ops/linalg/linalg.h)");
    fprintf(f, "(wn__check_info(\"%s\", WN__IS_%s, ", n->arg[2]->text, n->arg[3]->text);
    write_expression(f, o, n->arg[1], WN_K_TENSOR);
    fprintf(f, ") ? &wn__bad_tensor : ");
    write_expression(f, o, n->arg[0], WN_K_TENSOR);
    fprintf(f, ")");
}

/* What an error says of one of its operands. */
static void told(FILE *f, const op *o, const node *n) {
    const param *p = n->kind == NODE_ARGUMENT ? &o->p[n->index] : NULL;
    fprintf(f, ", ");
    if (n->kind == NODE_SHAPE || n->kind == NODE_DTYPE) p = &o->p[n->index];
    if (n->kind == NODE_NDIM) ndim(f, o, n, WN_K_INT);
    else if (n->kind == NODE_SHAPE) fprintf(f, "wn__dims_text(a->%s->shape, a->%s->ndim)", p->cname, p->cname);
    else if (n->kind == NODE_DTYPE) fprintf(f, "wn__dtype_word(a->%s->dtype)", p->cname);
    else if (p && p->kind == WN_K_TENSOR) fprintf(f, "wn__desc(a->%s)", p->cname);
    else if (p && p->kind == WN_K_STRING) string(f, o, n);
    else if (p && !strncmp(p->type, "float", 5)) write_expression(f, o, n, WN_K_FLOAT);
    else fprintf(f, "(long long)"), write_expression(f, o, n, WN_K_INT);
}

/* `if (condition) return wn__fail_op(c, WN_E_RUNTIME, "text about %s", ...);` */
void write_refusal(FILE *f, const op *o, const node *n) {
    if (n->nargs < 3 || n->arg[1]->kind != NODE_TEXT || n->arg[2]->kind != NODE_TEXT)
        fatal(o, "text: refuse() has a condition, a status and a text");
    fprintf(f, "    if (");
    condition(f, o, n->arg[0]);
    fprintf(f, ") return wn__fail_op(c, WN_E_%s, \"", n->arg[1]->text);
    for (const char *s = n->arg[2]->text; *s; s++) {
        if (*s == '"') fputc('\\', f);
        fputc(*s, f);
    }
    fprintf(f, "\"");
    for (int i = 3; i < n->nargs; i++) told(f, o, n->arg[i]);
    fprintf(f, ");\n");
}

static void unknown(FILE *f, const op *o, const node *n, wn_kind want) {
    if (want != WN_K_TENSOR || n->arg[0]->kind != NODE_TEXT) fatal(o, "text: unknown() has a string, and stands where a tensor does");
    fprintf(f, "wn__bad(WN_E_NOT_IMPLEMENTED, \"%s\", \"the derivative for '%s' is not implemented.\")", o->cname, n->arg[0]->text);
}

void write_expression(FILE *f, const op *o, const node *n, wn_kind want) {
    char text[32];
    switch (n->kind) {
    case NODE_CALL: call(f, o, n, want); break;
    case NODE_SCALED: scaled(f, o, n, want); break;
    case NODE_LIST: list(f, o, n, want); break;
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
    case NODE_DTYPE: geometry(f, o, n); break;
    case NODE_SIZE: size(f, o, n, want); break;
    case NODE_TEXT: fprintf(f, "\"%s\"", n->text); break;
    case NODE_LOCAL: local(f, o, n, want); break;
    case NODE_PICK: pick(f, o, n, want); break;
    case NODE_NOT:
    case NODE_IS:
    case NODE_LESS:
    case NODE_MORE:
    case NODE_AND:
    case NODE_OR:
    case NODE_ALIKE:
    case NODE_AGAIN:
    case NODE_RECORDED: truth(f, o, n, want); break;
    case NODE_NDIM: ndim(f, o, n, want); break;
    case NODE_REFUSE: fatal(o, "text: refuse() is a part of its own, before what is computed");
    case NODE_REDUCED: reduced(f, o, n); break;
    case NODE_SOUND: sound(f, o, n); break;
    case NODE_UNKNOWN: unknown(f, o, n, want); break;
    }
}
