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
    n->integer = n->value == n->value && !memchr(r->s, '.', (size_t)(end - r->s)) && !memchr(r->s, 'e', (size_t)(end - r->s));
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
    if (!strcmp(name, "again")) return make(NODE_AGAIN, 0);
    if ((k = find_param(o, name)) < 0) fatal(o, "text: '%s' is no argument", name);
    return make(NODE_ARGUMENT, k);
}

/* 'reduced'; '' within it is one '. */
static node *quoted(reader *r) {
    char *text = calloc(1, strlen(r->s));
    if (!text) fatal(r->o, "out of memory");
    for (size_t n = 0; *++r->s != '\'' || r->s[1] == '\''; text[n++] = *r->s) {
        if (!*r->s) fatal(r->o, "text: no end of '%.20s", text);
        if (*r->s == '\'') r->s++;
    }
    r->s++;
    node *n = make(NODE_TEXT, 0);
    n->text = text;
    return n;
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

/* The words that look like calls and are none. The last of is(), less(), more() and size() is a number, of is() perhaps
 * a text. */
static const struct {
    const char *name;
    node_kind kind;
    int nargs;
} words[] = {{"scaled", NODE_SCALED, 2}, {"pick", NODE_PICK, 3}, {"not", NODE_NOT, 1}, {"is", NODE_IS, 2}, {"size", NODE_SIZE, 2},
             {"recorded", NODE_RECORDED, 1}, {"reduced", NODE_REDUCED, 2}, {"sound", NODE_SOUND, 4}, {"unknown", NODE_UNKNOWN, 1},
             {"less", NODE_LESS, 2}, {"more", NODE_MORE, 2}, {"and", NODE_AND, 2}, {"or", NODE_OR, 2}, {"alike", NODE_ALIKE, 2},
             {"ndim", NODE_NDIM, 1}, {"refuse", NODE_REFUSE, 0}};

const char *word_of(node_kind kind) {
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i].kind == kind) return words[i].name;
    return "";
}

static node *word_call(reader *r, const char *name) {
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(words[i].name, name)) continue;
        node *n = items(r, words[i].kind, ')');
        const int nargs = words[i].nargs; /* 0: any number */
        if (nargs && n->nargs != nargs) fatal(r->o, "text: %s() has %d arguments", name, nargs);
        if (n->kind != NODE_IS && n->kind != NODE_SIZE && n->kind != NODE_LESS && n->kind != NODE_MORE) return n;
        if (n->kind == NODE_IS && n->arg[1]->kind == NODE_NDIM) return n;
        if (n->kind == NODE_IS && n->arg[1]->kind == NODE_TEXT) {
            n->text = n->arg[1]->text;
            n->nargs = 1;
            return n;
        }
        if (n->arg[1]->kind != NODE_NUMBER) fatal(r->o, "text: the last argument of %s() is a number", name);
        n->value = n->arg[1]->value;
        n->nargs = 1;
        return n;
    }
    return row_call(r, name);
}

/* ".indices" after what is a call of row: that result. */
static int result(reader *r, const op *row) {
    char name[40];
    int k = 0;
    skip(r);
    if (*r->s != '.') return 0;
    r->s++;
    word(r, name, sizeof name);
    while (k < row->nresults && strcmp(row->results[k], name)) k++;
    if (k >= row->nresults) fatal(r->o, "text: %s has no result '%s'", row->cname, name);
    return k;
}

/* What the text has given this name; NULL: nothing. */
static node *local(reader *r, const char *name) {
    for (int i = 0; i < r->o->nlocals; i++) {
        if (strcmp(r->o->local[i].name, name)) continue;
        node *n = make(NODE_LOCAL, i);
        n->arg[0] = r->o->local[i].is;
        n->nargs = 1;
        if (n->arg[0]->kind == NODE_CALL && n->arg[0]->row->nresults > 1) n->result = result(r, n->arg[0]->row);
        return n;
    }
    return NULL;
}

static node *expression(reader *r) {
    char name[64];
    skip(r);
    if (*r->s == '[') {
        r->s++;
        node *list = items(r, NODE_LIST, ']');
        return expect(r, ']'), list;
    }
    if (*r->s == '\'') return quoted(r);
    if (isdigit((unsigned char)*r->s) || *r->s == '-') return number(r, NODE_NUMBER);
    word(r, name, sizeof name);
    skip(r);
    node *n = *r->s == '(' ? NULL : local(r, name);
    if (n) return n;
    if (*r->s != '(') return leaf(r->o, name);
    r->s++;
    n = !strcmp(name, "k")       ? number(r, NODE_CONSTANT)
        : !strcmp(name, "shape") ? geometry(r, NODE_SHAPE)
        : !strcmp(name, "dtype") ? geometry(r, NODE_DTYPE)
                                 : word_call(r, name);
    expect(r, ')');
    if (n->kind == NODE_CALL) n->index = result(r, n->row);
    return n;
}

/* "gb = solve(mT(A), g);" before what it stands for is used: a name for it. False: here something else begins. */
static bool named(reader *r, op *o) {
    const char *back = r->s;
    char name[40];
    if (!isalpha((unsigned char)*r->s)) return false;
    word(r, name, sizeof name);
    skip(r);
    if (*r->s != '=') return r->s = back, false;
    r->s++;
    if (o->nlocals == MAX_LOCALS) fatal(o, "text: there are more than %d names", MAX_LOCALS);
    if (find_param(o, name) >= 0 || local(r, name)) fatal(o, "text: '%s' cannot be a name here", name);
    const node *is = expression(r);
    snprintf(o->local[o->nlocals].name, sizeof o->local->name, "%s", name);
    o->local[o->nlocals++].is = is;
    return expect(r, ';'), true;
}

/* One call gives all of the row's results, and perhaps more behind them, or else there is an expression for each. */
void read_formula(op *o) {
    reader r = {.o = o, .s = o->row->formula};
    int n = 0;
    for (skip(&r); *r.s; skip(&r)) {
        if (named(&r, o)) continue;
        const node *next = expression(&r);
        skip(&r);
        if (next->kind == NODE_REFUSE) {
            if (o->nrefusals == MAX_REFUSALS) fatal(o, "text: there are more than %d refusals", MAX_REFUSALS);
            o->refusal[o->nrefusals++] = next;
            expect(&r, ';');
            continue;
        }
        if (n == o->nresults) fatal(o, "text: there are more expressions than results");
        o->formula[n++] = next;
        if (*r.s) expect(&r, ';');
    }
    const node *first = o->formula[0];
    if (n != o->nresults && !(n == 1 && first->kind == NODE_CALL && first->row->nresults >= o->nresults))
        fatal(o, "text: a formula is one expression for each result, or a call that has as many");
}

void read_gradients(op *o) {
    reader r = {.o = o, .s = o->row->grad};
    for (skip(&r); *r.s; skip(&r)) {
        char name[40];
        if (named(&r, o)) continue;
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
