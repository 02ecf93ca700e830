/* Reads gradient texts: "self: mul(g, other); other: mul(g, self)". */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "grad.h"

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
    if (!n) fatal(r->o, "gradient text: a name is missing at '%.20s'", r->s);
}
static void expect(reader *r, char c) {
    skip(r);
    if (*r->s++ != c) fatal(r->o, "gradient text: '%c' is missing before '%.20s'", c, r->s - 1);
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
    if (end == r->s) fatal(r->o, "gradient text: k() needs a number");
    n->integer = !memchr(r->s, '.', (size_t)(end - r->s)) && !memchr(r->s, 'e', (size_t)(end - r->s));
    r->s = end;
    return n;
}

static node *leaf(const op *o, const char *name) {
    int k;
    if ((k = numbered(name, 'g')) >= 0) return make(NODE_COTANGENT, k);
    if ((k = numbered(name, 'y')) >= 0) return make(NODE_RESULT, k);
    if (!strcmp(name, "true") || !strcmp(name, "false")) return make(NODE_TRUTH, *name == 't');
    if (!strcmp(name, "none")) return make(NODE_NONE, 0);
    if ((k = find_param(o, name)) < 0) fatal(o, "gradient text: '%s' is no argument", name);
    return make(NODE_ARGUMENT, k);
}

/* shape(x), dtype(x) */
static node *geometry(reader *r, node_kind kind) {
    char name[40];
    word(r, name, sizeof name);
    int p = find_param(r->o, name);
    if (p < 0 || tensor_index(r->o, p) < 0) fatal(r->o, "gradient text: '%s' is no tensor argument", name);
    return make(kind, p);
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
            if (p < 0) fatal(r->o, "gradient text: %s has no argument '%s'", row->cname, key);
            return p;
        }
        r->s = back;
    }
    if (position >= row->np) fatal(r->o, "gradient text: too many arguments for %s", row->cname);
    return position;
}

static node *row_call(reader *r, const char *name) {
    int id = find_op(name);
    if (id < 0) fatal(r->o, "gradient text: there is no row '%s'", name);
    node *n = make(NODE_CALL, 0);
    n->row = &ops[id];
    skip(r);
    for (int position = 0; *r->s != ')'; position++) {
        int p = parameter(r, n->row, position);
        if (n->arg[p]) fatal(r->o, "gradient text: %s is given '%s' twice", name, n->row->p[p].name);
        n->arg[p] = expression(r);
        n->order[n->nargs++] = (uint8_t)p;
        skip(r);
        if (*r->s == ',') r->s++;
        skip(r);
    }
    return n;
}

static node *expression(reader *r) {
    char name[64];
    skip(r);
    if (isdigit((unsigned char)*r->s) || *r->s == '-') return number(r, NODE_NUMBER);
    word(r, name, sizeof name);
    skip(r);
    if (*r->s != '(') return leaf(r->o, name);
    r->s++;
    node *n = !strcmp(name, "k")       ? number(r, NODE_CONSTANT)
              : !strcmp(name, "shape") ? geometry(r, NODE_SHAPE)
              : !strcmp(name, "dtype") ? geometry(r, NODE_DTYPE)
                                       : row_call(r, name);
    expect(r, ')');
    return n;
}

void read_gradients(op *o) {
    reader r = {.o = o, .s = o->row->grad};
    for (skip(&r); *r.s; skip(&r)) {
        char name[40];
        word(&r, name, sizeof name);
        int p = find_param(o, name), t = p < 0 ? -1 : tensor_index(o, p);
        if (t < 0) fatal(o, "gradient text: '%s' is no tensor argument", name);
        if (o->tree[t]) fatal(o, "gradient text: '%s' stands there twice", name);
        expect(&r, ':');
        o->tree[t] = expression(&r);
        skip(&r);
        if (*r.s == ';') r.s++;
    }
}
