/* einsum: the equation is read, every operand reduced to distinct labels that somebody else needs (diagonals taken, lonely
 * labels summed, broadcast dimensions dropped), then pairs are contracted in the cheapest order (einsum_path.c). All of it in
 * rows, so it differentiates. */
#include <ctype.h>
#include "ops/product/einsum.h"

/* ------------------------------------------------------------------ reading the equation */

static int label_of(char ch) { return ch >= 'A' && ch <= 'Z' ? ch - 'A' : ch >= 'a' && ch <= 'z' ? 26 + ch - 'a' : -1; }
static char name_of(int label) { return (char)(label < 26 ? 'A' + label : 'a' + label - 26); }

/* A term as written: labels in order, and where its ellipsis stands (-1: none). */
typedef struct term {
    int n, ellipsis;
    uint8_t v[WN_MAX_DIMS];
} term;

typedef struct equation {
    const char *text;
    int at;
} equation;

static wn_status bad_dot(int operand, const term *t) {
    const bool again = t->ellipsis >= 0;
    if (operand < 0) return wn__fail(WN_E_RUNTIME, "einsum()", "found '.' for output %s", again ? "but an ellipsis (...) was already found" : "that is not part of any ellipsis (...)");
    return wn__fail(WN_E_RUNTIME, "einsum()", "found '.' for operand %d %s", operand, again ? "for which an ellipsis was already found" : "that is not part of any ellipsis");
}

/* Reads up to a ',' or "->" or the end. operand: its number, -1 for the output. */
static wn_status read_term(equation *q, int operand, term *t) {
    *t = (term){.n = 0, .ellipsis = -1};
    for (; q->text[q->at]; q->at++) {
        const char *s = q->text + q->at;
        if (*s == ' ') continue;
        if (operand >= 0 && (*s == ',' || (s[0] == '-' && s[1] == '>'))) return WN_OK;
        if (*s == '.') {
            if (t->ellipsis >= 0 || s[1] != '.' || s[2] != '.') return bad_dot(operand, t);
            t->ellipsis = t->n;
            q->at += 2;
            continue;
        }
        const int label = label_of(*s);
        if (label < 0)
            return wn__fail(WN_E_RUNTIME, "einsum()", "invalid subscript given at index %d in the equation string \"%s\", subscripts must be in [a-zA-Z]", q->at,
                               q->text);
        if (t->n == WN_MAX_DIMS) return wn__fail(WN_E_RUNTIME, "einsum()", "more than %d subscripts in one term of \"%s\"", WN_MAX_DIMS, q->text);
        t->v[t->n++] = (uint8_t)label;
    }
    return WN_OK;
}

/* ------------------------------------------------------------------ labels of the operands */

enum { ELLIPSIS0 = 52 }; /* its dimensions count from the right: the last one is ELLIPSIS0 */

typedef struct reading {
    wn__labels *terms;      /* one for each operand */
    int count[WN__LABELS];  /* in how many places a label occurs */
    int64_t size[WN__LABELS];
    wn__labels out;
    int ellipsis;           /* dimensions that "..." covers at most */
} reading;

/* The labels of an operand's dimensions; sizes must agree or be 1. */
static wn_status label_operand(int i, const term *t, const wn_tensor *x, reading *r) {
    const int hidden = x->ndim - t->n;
    if (t->ellipsis < 0 ? hidden != 0 : hidden < 0)
        return wn__fail(WN_E_RUNTIME, "einsum()", "the number of subscripts in the equation (%d) %s the number of dimensions (%d) for operand %d %s (%s)", t->n,
                           t->ellipsis < 0 ? "does not match" : "is more than", x->ndim, i, t->ellipsis < 0 ? "and no ellipsis was given" : "even though an ellipsis was given",
                           wn__desc(x));
    wn__labels *l = &r->terms[i];
    l->n = 0;
    for (int k = 0; k <= t->n; k++) {
        if (k == t->ellipsis)
            for (int h = hidden; h-- > 0;) l->v[l->n++] = (uint8_t)(ELLIPSIS0 + h);
        if (k < t->n) l->v[l->n++] = t->v[k];
    }
    if (hidden > r->ellipsis) r->ellipsis = hidden;
    for (int d = 0; d < x->ndim; d++) {
        const int label = l->v[d];
        for (int e = 0; e < d; e++)
            if (l->v[e] == label && x->shape[e] != x->shape[d])
                return wn__fail(WN_E_RUNTIME, "einsum()", "subscript %c is repeated for operand %d but the sizes don't match, %lld != %lld (%s)", name_of(label), i,
                                   (long long)x->shape[d], (long long)x->shape[e], wn__desc(x));
        r->count[label]++;
        if (r->size[label] == 1 || r->size[label] < 0) {
            r->size[label] = x->shape[d];
        } else if (x->shape[d] != 1 && x->shape[d] != r->size[label]) {
            if (label >= ELLIPSIS0)
                return wn__fail(WN_E_RUNTIME, "einsum()", "dimension %d covered by ellipsis in operand %d has size %lld which does not broadcast with previously "
                                   "seen ellipsis with size %lld (%s)", d, i, (long long)x->shape[d], (long long)r->size[label], wn__desc(x));
            return wn__fail(WN_E_RUNTIME, "einsum()", "subscript %c has size %lld for operand %d which does not broadcast with previously seen size %lld (%s)",
                               name_of(label), (long long)x->shape[d], i, (long long)r->size[label], wn__desc(x));
        }
    }
    return WN_OK;
}

static wn_status add_output(reading *r, int label) {
    if (r->out.n == WN_MAX_DIMS) return wn__fail(WN_E_RUNTIME, "einsum()", "the result has more than %d dimensions", WN_MAX_DIMS);
    r->out.v[r->out.n++] = (uint8_t)label;
    return WN_OK;
}

static wn_status explicit_output(equation *q, reading *r) {
    term t;
    wn_status st = read_term(q, -1, &t);
    for (int k = 0; k <= t.n && !st; k++) {
        if (k == t.ellipsis)
            for (int h = r->ellipsis; h-- > 0 && !st;) st = add_output(r, ELLIPSIS0 + h);
        if (k == t.n || st) continue;
        for (int e = 0; e < k; e++)
            if (t.v[e] == t.v[k]) return wn__fail(WN_E_RUNTIME, "einsum()", "output subscript %c appears more than once in the output", name_of(t.v[k]));
        if (!r->count[t.v[k]])
            return wn__fail(WN_E_RUNTIME, "einsum()", "output subscript %c does not appear in the equation for any input operand", name_of(t.v[k]));
        st = add_output(r, t.v[k]);
    }
    return st;
}

/* No "->": the ellipsis, then the labels that occur once, capital letters first. */
static wn_status implicit_output(reading *r) {
    wn_status st = WN_OK;
    for (int h = r->ellipsis; h-- > 0 && !st;) st = add_output(r, ELLIPSIS0 + h);
    for (int label = 0; label < ELLIPSIS0 && !st; label++)
        if (r->count[label] == 1) st = add_output(r, label);
    return st;
}

static wn_status read_equation(const char *text, wn_list x, reading *r) {
    equation q = {text, 0};
    memset(r->size, -1, sizeof r->size);
    for (int64_t i = 0;; i++) {
        term t;
        wn_status st = read_term(&q, (int)i, &t);
        if (st) return st;
        const char end = text[q.at];
        if (end == ',' && i + 1 >= x.n) return wn__fail(WN_E_RUNTIME, "einsum()", "fewer operands were provided than specified in the equation \"%s\"", text);
        if (end != ',' && i + 1 < x.n) return wn__fail(WN_E_RUNTIME, "einsum()", "more operands were provided than specified in the equation \"%s\"", text);
        if ((st = label_operand((int)i, &t, x.v[i], r))) return st;
        if (end == ',') {
            q.at++;
            continue;
        }
        if (!end) return implicit_output(r);
        q.at += 2;
        return explicit_output(&q, r);
    }
}

/* ------------------------------------------------------------------ operands made simple */

static void drop_label(wn__labels *l, int at) {
    for (int d = at; d + 1 < l->n; d++) l->v[d] = l->v[d + 1];
    l->n--;
}

/* Takes diagonals, and drops dimensions of size 1 that broadcast. */
static wn_tensor *distinct(wn_tensor *t, wn__labels *l, const reading *r) {
    for (int d = 0; d < l->n; d++)
        for (int e = d + 1; e < l->n; e++) {
            if (l->v[d] != l->v[e]) continue;
            const uint8_t label = l->v[d];
            t = wn_diagonal(t, .dim1 = wn_val_of_int(d), .dim2 = wn_val_of_int(e)); /* becomes the last dimension */
            drop_label(l, e);
            drop_label(l, d);
            l->v[l->n++] = label;
            e = d; /* what moved up to d is new */
        }
    for (int d = l->n - 1; d >= 0; d--) {
        if (!wn_ok(t) || t->shape[d] != 1 || r->size[l->v[d]] == 1) continue;
        t = wn_squeeze_dim(t, d);
        drop_label(l, d);
    }
    return t;
}

wn_tensor *wn__sum_labels(wn_tensor *t, wn__labels *l, const bool *keep, wn_dtype dtype) {
    wn_dims dims = WN_UNSET;
    for (int d = 0; d < l->n; d++)
        if (!keep[l->v[d]]) dims.v[dims.n++] = d;
    if (!dims.n) return t;
    for (int i = dims.n - 1; i >= 0; i--) drop_label(l, (int)dims.v[i]);
    return wn_sum(t, .dims = dims, .dtype = dtype);
}

wn_tensor *wn__order_labels(wn_tensor *t, const wn__labels *l, const wn__labels *want) {
    wn_dims order = {.n = want->n ? want->n : -1};
    bool same = true;
    for (int d = 0; d < want->n; d++) {
        int at = 0;
        while (l->v[at] != want->v[d]) at++;
        order.v[d] = at;
        same &= at == d;
    }
    return same ? t : wn_permute(t, order);
}

wn_status wn__op_einsum(wn__call *c, const char *text, wn_list x) {
    if (!text) return wn__fail_op(c, WN_E_TYPE, "argument 'equation' is absent (NULL)");
    if (x.n < 1) return wn__fail(WN_E_VALUE, "einsum()", "must specify the equation string and at least one operand");
    reading r = {.terms = wn__new(wn__labels, (size_t)x.n)};
    wn_tensor **t = wn__new(wn_tensor *, (size_t)x.n);
    wn_status st = r.terms && t ? read_equation(text, x, &r) : wn__fail_memory(c->op->name);
    for (int64_t i = 0; i < x.n && !st; i++) {
        t[i] = distinct(x.v[i], &r.terms[i], &r);
        if (!wn_ok(t[i])) st = c->th->error;
    }
    if (!st) {
        wn__labels have = r.terms[0];
        wn_tensor *y;
        if (x.n == 1) {
            bool keep[WN__LABELS] = {false};
            for (int d = 0; d < r.out.n; d++) keep[r.out.v[d]] = true;
            y = wn__sum_labels(t[0], &have, keep, WN_DTYPE_DEFAULT);
        } else {
            y = wn__einsum_pairs(c, x.n, t, r.terms, r.size, &r.out, &have);
        }
        st = wn_ok(y) ? wn__give(c, 0, wn__order_labels(y, &have, &r.out)) : c->th->error;
    }
    wn__free(r.terms);
    wn__free(t);
    return st;
}
