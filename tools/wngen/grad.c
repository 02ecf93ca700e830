/* Gradient texts: "self: mul(g, other); other: mul(g, self)". Each expression becomes C that calls the rows, so that it
 * differentiates again; the leaves that it names are what the tape saves. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "wngen.h"

typedef struct reader {
    const op *o;
    const char *s;
    FILE *f;       /* NULL: only analyse */
    unsigned *in, *out;
} reader;

static void skip(reader *r) {
    while (isspace((unsigned char)*r->s)) r->s++;
}
static void word(reader *r, char *buf, size_t cap) {
    skip(r);
    size_t n = 0;
    while (isalnum((unsigned char)*r->s) || *r->s == '_') {
        if (n + 1 < cap) buf[n++] = *r->s;
        r->s++;
    }
    buf[n] = 0;
    if (!n) fatal(r->o, "gradient text: a name is missing at '%.20s'", r->s);
}
static void put(reader *r, const char *s) {
    if (r->f) fputs(s, r->f);
}
static void expect(reader *r, char c) {
    skip(r);
    if (*r->s++ != c) fatal(r->o, "gradient text: '%c' is missing before '%.20s'", c, r->s - 1);
}

static void expression(reader *r, wn_kind want);

/* g, g0, y, y1 ...: an index, or -1 */
static int numbered(const char *name, char letter) {
    if (name[0] != letter) return -1;
    if (!name[1]) return 0;
    return isdigit((unsigned char)name[1]) && !name[2] ? name[1] - '0' : -1;
}

static void as_kind(reader *r, wn_kind want, const char *tensor) {
    if (want == WN_K_VALUE) put(r, "wn_val_of_tensor(");
    put(r, tensor);
    if (want == WN_K_VALUE) put(r, ")");
}

static void leaf(reader *r, const char *name, wn_kind want) {
    char text[96];
    int k;
    if ((k = numbered(name, 'g')) >= 0) {
        snprintf(text, sizeof text, "c->g[%d]", k);
        as_kind(r, want, text);
    } else if ((k = numbered(name, 'y')) >= 0) {
        *r->out |= 1u << k;
        snprintf(text, sizeof text, "c->y[%d]", k);
        as_kind(r, want, text);
    } else if (!strcmp(name, "true") || !strcmp(name, "false")) {
        put(r, want == WN_K_SWITCH ? (*name == 't' ? "WN_ON" : "WN_OFF") : name);
    } else if (!strcmp(name, "none")) {
        put(r, want == WN_K_TENSOR ? "NULL" : "wn_val_none()");
    } else {
        int p = find_param(r->o, name);
        if (p < 0) fatal(r->o, "gradient text: '%s' is no argument", name);
        int t = tensor_index(r->o, p);
        if (t >= 0) *r->in |= 1u << t;
        wn_kind have = r->o->p[p].kind;
        snprintf(text, sizeof text, "a->%s", r->o->p[p].cname);
        const char *fallback = r->o->p[p].fallback;
        if (have == WN_K_SCALAR && fallback[0] && fallback[0] != 'N') {
            bool integer = !fallback[strcspn(fallback, ".e")];
            snprintf(text, sizeof text, "wn__val_or(a->%s, wn_val_of_%s(%s))", r->o->p[p].cname, integer ? "int" : "float", fallback);
        }
        if (have == want || (have == WN_K_SCALAR && want == WN_K_VALUE) || (have == WN_K_VALUE && want == WN_K_SCALAR)) put(r, text);
        else if (have == WN_K_TENSOR && want == WN_K_VALUE) as_kind(r, want, text);
        else if (have == WN_K_VALUE && want == WN_K_TENSOR) { put(r, "wn__val_tensor("); put(r, text); put(r, ")"); }
        else if (have == WN_K_FLOAT) { put(r, "wn_val_of_float("); put(r, text); put(r, ")"); }
        else if (have == WN_K_INT) { put(r, "wn_val_of_int("); put(r, text); put(r, ")"); }
        else if (have == WN_K_SCALAR && (want == WN_K_INT || want == WN_K_FLOAT)) { put(r, want == WN_K_INT ? "wn__val_i64(" : "wn__val_f64("); put(r, text); put(r, ")"); }
        else fatal(r->o, "gradient text: '%s' has the wrong kind here", name);
    }
}

static void constant(reader *r) {
    skip(r);
    char *end;
    double v = strtod(r->s, &end);
    if (end == r->s) fatal(r->o, "gradient text: k() needs a number");
    bool integer = !memchr(r->s, '.', (size_t)(end - r->s)) && !memchr(r->s, 'e', (size_t)(end - r->s));
    if (r->f) {
        if (integer) fprintf(r->f, "wn_val_of_int(%lld)", (long long)v);
        else fprintf(r->f, "wn_val_of_float(%.17g)", v);
    }
    r->s = end;
}

/* shape(x), dtype(x): of the tensor argument x, without saving it. */
static bool geometry(reader *r, const char *name) {
    bool shape = !strcmp(name, "shape"), dtype = !strcmp(name, "dtype");
    if (!shape && !dtype) return false;
    char arg[40];
    word(r, arg, sizeof arg);
    int p = find_param(r->o, arg), t = p < 0 ? -1 : tensor_index(r->o, p);
    if (t < 0) fatal(r->o, "gradient text: '%s' is no tensor argument", arg);
    if (r->f) fprintf(r->f, "wn__input_%s(c, %d)", name, t);
    expect(r, ')');
    return true;
}

static void call(reader *r, const char *name, wn_kind want) {
    expect(r, '(');
    if (!strcmp(name, "k")) {
        constant(r);
        expect(r, ')');
        return;
    }
    if (geometry(r, name)) return;
    bool wrap = want == WN_K_VALUE;
    if (wrap) put(r, "wn_val_of_tensor(");
    int id = find_op(name);
    if (id < 0) fatal(r->o, "gradient text: there is no row '%s'", name);
    const op *o = &ops[id];
    if (r->f) fprintf(r->f, "wn_%s_x(&(wn_%s_args){.size_ = sizeof(wn_%s_args)", o->cname, o->cname, o->cname);
    int position = 0;
    skip(r);
    while (*r->s != ')') {
        int p = position++;
        const char *back = r->s;
        if (isalpha((unsigned char)*r->s) || *r->s == '_') { /* keyword? */
            char key[40];
            word(r, key, sizeof key);
            skip(r);
            if (*r->s == '=') {
                r->s++;
                p = find_param(o, key);
                if (p < 0) fatal(r->o, "gradient text: %s has no argument '%s'", name, key);
            } else {
                r->s = back;
            }
        }
        if (p >= o->np) fatal(r->o, "gradient text: too many arguments for %s", name);
        if (r->f) fprintf(r->f, ", .%s = ", o->p[p].cname);
        expression(r, o->p[p].kind);
        skip(r);
        if (*r->s == ',') r->s++;
        skip(r);
    }
    expect(r, ')');
    put(r, "})");
    if (o->nresults > 1 && r->f) fprintf(r->f, ".%s", o->results[0]);
    if (wrap) put(r, ")");
}

static void expression(reader *r, wn_kind want) {
    char name[64];
    skip(r);
    if (isdigit((unsigned char)*r->s) || *r->s == '-') { /* a bare number, for integer and number fields */
        char *end;
        double v = strtod(r->s, &end);
        if (r->f) {
            if (want == WN_K_INT) fprintf(r->f, "%lld", (long long)v);
            else if (want == WN_K_FLOAT) fprintf(r->f, "%.17g", v);
            else fprintf(r->f, "wn_val_of_float(%.17g)", v);
        }
        r->s = end;
        return;
    }
    word(r, name, sizeof name);
    skip(r);
    if (*r->s == '(') call(r, name, want);
    else leaf(r, name, want);
}

/* The arguments of the call at s as texts; their number, or -1 when it is no call. *end: behind it. */
static int split(const char *s, const char **arg, int most, const char **end) {
    while (isalnum((unsigned char)*s) || *s == '_') s++;
    if (*s++ != '(') return -1;
    int n = 1;
    arg[0] = s;
    for (int depth = 0; *s && (depth || *s != ')'); s++) {
        depth += *s == '(';
        depth -= *s == ')';
        if (depth || *s != ',') continue;
        if (n == most) return -1;
        arg[n++] = s + 1;
    }
    *end = *s ? s + 1 : s;
    return n;
}
static bool is_zero(const char *s) {
    while (isspace((unsigned char)*s)) s++;
    return !strncmp(s, "k(0)", 4);
}

/* A gradient that exists only where a condition holds: the engine is told both (grad/support.h). Only as the outermost call of
 * a text, and what is inside must be element by element, as pointwise rows are. */
static bool support(reader *r, int t) {
    const char *arg[3], *end, *cond, *x, *number = NULL, *kind = "WN__IF_TRUE";
    skip(r);
    if (!r->f || split(r->s, arg, 3, &end) != 3) return false;
    bool pointwise = r->o->row->cls == POINTWISE;
    if (pointwise && !strncmp(r->s, "where(", 6) && (is_zero(arg[1]) || is_zero(arg[2]))) {
        bool other = is_zero(arg[1]);
        cond = arg[0];
        x = arg[other ? 2 : 1];
        if (other) kind = "WN__IF_FALSE";
    } else if (pointwise && !strncmp(r->s, "masked_fill(", 12) && is_zero(arg[2])) {
        cond = arg[1];
        x = arg[0];
        kind = "WN__IF_FALSE";
    } else if (pointwise && !strncmp(r->s, "threshold_backward(", 19)) {
        cond = arg[1];
        x = arg[0];
        number = arg[2];
        kind = "WN__IF_ABOVE";
    } else if (!strncmp(r->s, "masked_scale(", 13) || !strncmp(r->s, "masked_select_backward(", 23)) {
        cond = arg[1];
        x = r->s;
        kind = "WN__IF_TRUE | WN__CLEAN";
    } else {
        return false;
    }
    const char *whole = r->s;
    char name[64];
    r->s = cond;
    word(r, name, sizeof name);
    int p = find_param(r->o, name);
    bool own = p < 0; /* computed: no mask that the caller gave */
    if (p >= 0 && r->o->p[p].kind == WN_K_VALUE) { /* a number is no condition on elements */
        fprintf(r->f, "a->%s.kind != WN_VAL_TENSOR ? ", r->o->p[p].cname);
        r->s = whole;
        expression(r, WN_K_TENSOR);
        put(r, " : ");
    }
    fprintf(r->f, "wn__grad_support(c, %d, %s%s, ", t, kind, own ? " | WN__OWN" : "");
    r->s = cond;
    expression(r, WN_K_TENSOR);
    put(r, ", ");
    r->s = x;
    expression(r, WN_K_TENSOR);
    put(r, ", ");
    if (number) {
        r->s = number;
        expression(r, WN_K_SCALAR);
    } else {
        put(r, "wn_val_none()");
    }
    put(r, ")");
    r->s = end;
    return true;
}

/* Walks the entries of a gradient text; with f it writes a builder's body. */
static void entries(op *o, FILE *f) {
    reader r = {.o = o, .s = o->row->grad, .f = f};
    for (;;) {
        skip(&r);
        if (!*r.s) break;
        char name[40];
        word(&r, name, sizeof name);
        int p = find_param(o, name), t = p < 0 ? -1 : tensor_index(o, p);
        if (t < 0) fatal(o, "gradient text: '%s' is no tensor argument", name);
        expect(&r, ':');
        o->diff |= 1u << t;
        r.in = &o->save_in[t];
        r.out = &o->save_out[t];
        if (f) fprintf(f, "    if (c->need >> %d & 1) c->gin[%d] = ", t, t);
        if (!support(&r, t)) expression(&r, WN_K_TENSOR);
        if (f) fprintf(f, ";\n");
        skip(&r);
        if (*r.s == ';') r.s++;
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
        else if (ops[i].row->grad) entries(&ops[i], NULL);
        check_moves(&ops[i]);
    }
}

void emit_builders(FILE *f) {
    fprintf(f, "/* Gradients as calls of rows. Generated by wngen. */\n#include \"grad/support.h\"\n\n"
               "static inline wn_val wn__val_or(wn_val v, wn_val fallback) { return v.kind == WN_VAL_NONE ? fallback : v; }\n"
               "static inline wn_tensor *wn__val_tensor(wn_val v) {\n"
               "    return v.kind == WN_VAL_TENSOR ? v.u.t : v.kind == WN_VAL_NONE ? NULL : wn_scalar_tensor(v, .dtype = WN_F64);\n}\n\n");
    for (int i = 0; i < nops; i++) {
        op *o = &ops[i];
        if (o->row->vjp || !o->row->grad) continue;
        fprintf(f, "void wn__grad_of_%s(wn__gradctx *c);\nvoid wn__grad_of_%s(wn__gradctx *c) {\n", o->cname, o->cname);
        fprintf(f, "    const wn_%s_args *a = c->args;\n    (void)a;\n    (void)wn__val_tensor;\n    (void)wn__val_or;\n", o->cname);
        entries(o, f);
        fprintf(f, "}\n");
    }
}
