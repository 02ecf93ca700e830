/* Reads texts of rows: of gradients, "self: mul(g, other); other: mul(g, self)", and formulas, "mul(self, pow(k(2), other))". */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "text.h"

typedef struct reader {
    const op *o;
    const char *s;
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
    if (!n) fatal(r->o, "text: a name is missing at '%.20s'", r->s);
}
static void expect(reader *r, char c) {
    skip(r);
    if (*r->s++ != c) fatal(r->o, "text: '%c' is missing before '%.20s'", c, r->s - 1);
}

static node *expression(reader *r);

int numbered(const char *name, char letter) {
    if (name[0] != letter) return -1;
    if (!name[1]) return 0;
    return isdigit((unsigned char)name[1]) && !name[2] ? name[1] - '0' : -1;
}

static node *make(node_kind kind, int index) {
    node *n = calloc(1, sizeof *n); /* lives as long as the program */
    if (!n) fatal(NULL, "out of memory");
    n->kind = kind;
    n->index = index;
    return n;
}

static node *number(reader *r, node_kind kind) {
    skip(r);
    char *end;
    node *n = make(kind, 0);
    n->value = strtod(r->s, &end);
    if (end == r->s) fatal(r->o, "text: k() needs a number");
    n->integer = !memchr(r->s, '.', (size_t)(end - r->s)) && !memchr(r->s, 'e', (size_t)(end - r->s));
    r->s = end;
    return n;
}

static node *leaf(const op *o, const char *name) {
    int k;
    const bool gradient = o->row->cls != WN__COMPOSITE; /* else the formula of the row itself */
    if (gradient && (k = numbered(name, 'g')) >= 0) return make(NODE_COTANGENT, k);
    if (gradient && (k = numbered(name, 'y')) >= 0) return make(NODE_RESULT, k);
    if (!strcmp(name, "true") || !strcmp(name, "false")) return make(NODE_TRUTH, *name == 't');
    if (!strcmp(name, "none")) return make(NODE_NONE, 0);
    if ((k = find_param(o, name)) < 0) fatal(o, "text: '%s' is no argument", name);
    return make(NODE_ARGUMENT, k);
}

/* shape(x), dtype(x), and shape(x, -2): the sizes from that dimension on */
static node *geometry(reader *r, node_kind kind) {
    char name[40];
    word(r, name, sizeof name);
    int p = find_param(r->o, name);
    if (p < 0 || tensor_index(r->o, p) < 0) fatal(r->o, "text: '%s' is no tensor argument", name);
    node *n = make(kind, p);
    skip(r);
    if (kind == NODE_DTYPE || *r->s != ',') return n;
    r->s++;
    n->value = number(r, NODE_NUMBER)->value;
    n->from = true;
    return n;
}

/* The parameter of row that comes next: by its name, if one stands there, else by its place. */
static int parameter(reader *r, const op *row, int position) {
    const char *back = r->s;
    char key[40];
    if (isalpha((unsigned char)*r->s) || *r->s == '_') {
        word(r, key, sizeof key);
        skip(r);
        if (*r->s == '=') {
            r->s++;
            int p = find_param(row, key);
            if (p < 0) fatal(r->o, "text: %s has no argument '%s'", row->cname, key);
            return p;
        }
        r->s = back;
    }
    if (position >= row->np) fatal(r->o, "text: too many arguments for %s", row->cname);
    return position;
}

/* "mul", and "mul_" of a row that has such a form. */
static node *call_of(const op *o, const char *name) {
    char plain[64];
    node *n = make(NODE_CALL, 0);
    int id = find_op(name);
    if (id < 0 && *name && name[strlen(name) - 1] == '_') {
        snprintf(plain, sizeof plain, "%.*s", (int)strlen(name) - 1, name);
        id = find_op(plain);
        n->inplace = true;
    }
    if (id < 0 || (n->inplace && !ops[id].has_inplace)) fatal(o, "text: there is no row '%s'", name);
    n->row = &ops[id];
    return n;
}

static node *row_call(reader *r, const char *name) {
    node *n = call_of(r->o, name);
    skip(r);
    for (int position = 0; *r->s != ')'; position++) {
        int p = parameter(r, n->row, position);
        if (n->arg[p]) fatal(r->o, "text: %s is given '%s' twice", name, n->row->p[p].name);
        n->arg[p] = expression(r);
        n->order[n->nargs++] = (uint8_t)p;
        skip(r);
        if (*r->s == ',') r->s++;
        skip(r);
    }
    return n;
}

static node *items(reader *r, node_kind kind, char end) {
    node *n = make(kind, 0);
    for (skip(r); *r->s != end; skip(r)) {
        if (n->nargs == MAX_PARAMS) fatal(r->o, "text: a list is too long");
        n->order[n->nargs] = (uint8_t)n->nargs;
        n->arg[n->nargs] = expression(r), n->nargs++;
        skip(r);
        if (*r->s != end) expect(r, ',');
    }
    return n;
}
static node *scaled(reader *r) {
    node *n = items(r, NODE_SCALED, ')');
    if (n->nargs != 2) fatal(r->o, "text: scaled() has two arguments, a tensor and a number");
    return n;
}

/* unknown('igamma: input') */
static node *unknown(reader *r) {
    node *n = make(NODE_UNKNOWN, 0);
    expect(r, '\'');
    n->text = r->s;
    n->index = (int)strcspn(r->s, "'");
    r->s += n->index;
    expect(r, '\'');
    return n;
}

/* ".indices" after a call: that result. */
static void result(reader *r, node *n) {
    char name[40];
    skip(r);
    if (*r->s != '.') return;
    r->s++;
    word(r, name, sizeof name);
    for (n->index = 0; n->index < n->row->nresults && strcmp(n->row->results[n->index], name);) n->index++;
    if (n->index >= n->row->nresults) fatal(r->o, "text: %s has no result '%s'", n->row->cname, name);
}

static node *expression(reader *r) {
    char name[64];
    skip(r);
    if (*r->s == '[') {
        r->s++;
        node *list = items(r, NODE_LIST, ']');
        return expect(r, ']'), list;
    }
    if (isdigit((unsigned char)*r->s) || *r->s == '-') return number(r, NODE_NUMBER);
    word(r, name, sizeof name);
    skip(r);
    if (*r->s != '(') return leaf(r->o, name);
    r->s++;
    node *n = !strcmp(name, "k")         ? number(r, NODE_CONSTANT)
              : !strcmp(name, "shape")   ? geometry(r, NODE_SHAPE)
              : !strcmp(name, "dtype")   ? geometry(r, NODE_DTYPE)
              : !strcmp(name, "scaled")  ? scaled(r)
              : !strcmp(name, "unknown") ? unknown(r)
                                         : row_call(r, name);
    expect(r, ')');
    if (n->kind == NODE_CALL) result(r, n);
    return n;
}

/* One call gives all of the row's results, or else there is an expression for each. */
void read_formula(op *o) {
    reader r = {.o = o, .s = o->row->formula};
    int n = 0;
    for (skip(&r); *r.s; skip(&r)) {
        if (n == o->nresults) fatal(o, "text: there are more expressions than results");
        o->formula[n++] = expression(&r);
        skip(&r);
        if (*r.s) expect(&r, ';');
    }
    const node *first = o->formula[0];
    if (n != o->nresults && !(n == 1 && first->kind == NODE_CALL && first->row->nresults == o->nresults))
        fatal(o, "text: a formula is one expression for each result, or a call that has as many");
}

void read_gradients(op *o) {
    reader r = {.o = o, .s = o->row->grad};
    for (skip(&r); *r.s; skip(&r)) {
        char name[40];
        word(&r, name, sizeof name);
        int p = find_param(o, name), t = p < 0 ? -1 : tensor_index(o, p);
        if (t < 0) fatal(o, "text: '%s' is no tensor argument", name);
        if (o->tree[t]) fatal(o, "text: '%s' stands there twice", name);
        expect(&r, ':');
        o->tree[t] = expression(&r);
        skip(&r);
        if (*r.s == ';') r.s++;
    }
}
