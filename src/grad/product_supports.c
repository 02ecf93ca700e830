/* Backward of products whose cotangent has absent elements: their terms are left out of sums, whatever the other
 * operand holds. Made dense, an absent element is 0, which is harmless times a finite number. If the other operand
 * holds inf or NaN, its finite and its other elements are summed apart. */
#include <ctype.h>
#include <math.h>
#include "base/alloc.h"
#include "grad/support.h"
#include "grad/tape.h"

_Atomic int64_t wn__products_checked, wn__products_apart;

/* The field of the tensor that the gradient of input i reads; -1: it reads none. */
static int operand_of(const wn__node *n, int i) {
    for (int t = 0; t < n->op->ntensors; t++)
        if (n->op->save_in[i] >> t & 1) return t;
    return -1;
}
bool wn__product_operand(const wn__node *n, int i) { return operand_of(n, i) >= 0; }
static wn_tensor **field(const wn__node *n, void *args, int t) { return (wn_tensor **)((char *)args + n->op->fields[n->op->tensors[t]].offset); }

static bool all_finite(wn_tensor *x, wn_status *st) {
    atomic_fetch_add_explicit(&wn__products_checked, 1, memory_order_relaxed);
    return wn__true_everywhere(wn_isfinite(x), st);
}

/* The gradient of an input as a function of cotangent and other operand, linear in both. */
typedef struct bilinear {
    wn__node *n;
    void *args; /* a copy of the node's arguments */
    int i;      /* the input */
    wn_tensor **slot, **gin;
} bilinear;

static wn_tensor *apply(bilinear *f, wn_tensor *g, wn_tensor *operand) {
    if (!wn_ok(g) || !wn_ok(operand)) return &wn__bad_tensor;
    *f->slot = operand;
    f->gin[f->i] = NULL;
    if (wn__run_builder_on(f->n, f->args, &g, f->gin, (uint64_t)1 << f->i, NULL, NULL)) return &wn__bad_tensor;
    return f->gin[f->i];
}

/* The sum of those terms that are not finite: an infinity, NaN, or 0 if there are none. on: where terms exist. Masks
 * are numbers here, so products of masks count terms: `balance` is the number of positive infinities minus that of
 * negative ones, `count` their total. If both signs occur, these differ, and the sum is NaN. */
static wn_tensor *beyond(bilinear *f, wn_tensor *g, wn_tensor *on, wn_tensor *x) {
    wn_tensor *sign = wn_sub(wn_to(wn_gt(g, 0), WN_F32), wn_to(wn_lt(g, 0), WN_F32)), *some = wn_abs(sign);
    wn_tensor *nothing = wn_sub(wn_to(on, WN_F32), some); /* g is 0 or NaN here: times inf that is NaN */
    wn_tensor *inf = wn_sub(wn_to(wn_eq(x, INFINITY), WN_F32), wn_to(wn_eq(x, -INFINITY), WN_F32)), *large = wn_abs(inf);
    wn_tensor *balance = apply(f, sign, inf), *count = apply(f, some, large);
    wn_tensor *nan = wn_logical_or(wn_ne(apply(f, nothing, large), 0), wn_ne(apply(f, wn_to(on, WN_F32), wn_to(wn_isnan(x), WN_F32)), 0));
    nan = wn_logical_or(nan, wn_ne(wn_abs(balance), wn_abs(count)));
    return wn_where(nan, (double)NAN, wn_where(wn_eq(count, 0), 0, wn_mul(balance, INFINITY)));
}

/* The gradient, g being dense. inf and NaN in x take part as 1 (an inf of g stays inf); then their terms are added. */
static wn_tensor *apart(bilinear *f, const wn__cotangent *c, wn_tensor *g, wn_tensor *x) {
    atomic_fetch_add_explicit(&wn__products_apart, 1, memory_order_relaxed);
    wn_scope scope = wn_begin_modes((wn_modes){.grad = WN_OFF});
    wn_tensor *more = wn_leave(&scope, beyond(f, g, wn__support_mask(c->support, g), x));
    wn_tensor *number = wn_where(wn_isfinite(x), x, wn_where(wn_lt(x, 0), -1, wn_ones(WN_0D, .dtype = (wn_dtype)x->dtype)));
    wn_tensor *sum = apply(f, g, number);
    return wn_ok(more) && wn_ok(sum) ? wn_add(sum, wn_to(more, wn_dtype_of(sum))) : &wn__bad_tensor;
}

wn_status wn__product_gradients(wn__node *n, const wn__cotangent *x, wn_tensor *g, wn_tensor **gin, uint64_t need) {
    wn_tensor *again[WN__FEW] = {NULL};
    bilinear f = {.n = n, .args = wn__new(char, n->op->args_size), .gin = again};
    wn_status st = !f.args ? wn__fail_memory(n->name) : wn__run_builder_on(n, n->args, &g, gin, need, NULL, NULL);
    if (f.args && !st) memcpy(f.args, n->args, n->op->args_size);
    for (f.i = 0; f.i < n->nin && !st; f.i++) {
        const int t = operand_of(n, f.i);
        wn_tensor *operand = t < 0 || !gin[f.i] || !(need >> f.i & 1) ? NULL : *field(n, n->args, t);
        if (!operand || all_finite(operand, &st) || st) continue;
        f.slot = field(n, f.args, t);
        gin[f.i] = apart(&f, x, g, operand);
        *f.slot = operand;
        if (!wn_ok(gin[f.i])) st = wn_error();
    }
    wn__free(f.args);
    return st ? st : wn_error();
}

enum { BATCH = 128 }; /* from here on: dimensions in "...", the last first; others are letters or numbers */
typedef struct labels {
    int n, v[WN_MAX_DIMS];
} labels;

/* Do both operands have this letter, so that it is summed? */
static bool summed(const char *product, char letter) {
    const char *comma = strchr(product, ','), *arrow = strchr(product, '-');
    const char *first = memchr(product, letter, (size_t)(comma - product)), *second = memchr(comma, letter, (size_t)(arrow - comma));
    return first && second && !strchr(arrow, letter);
}

/* The labels of a tensor whose dimensions s describes. dropped: gets the letters that a 1-d operand lacks. */
static labels read_labels(const char *product, const char *s, int ndim, char *dropped) {
    labels l = {0};
    bool batch = *s == '.';
    int letters = 0;
    while (*s == '.') s++;
    for (const char *p = s; isalpha((unsigned char)*p); p++) letters += !strchr(dropped, *p);
    const bool short_one = ndim < letters;
    for (int d = ndim - letters; batch && d > 0; d--) l.v[l.n++] = BATCH + d;
    for (; isalpha((unsigned char)*s); s++) {
        if (strchr(dropped, *s)) continue;
        if (short_one && !summed(product, *s)) dropped[strlen(dropped)] = *s;
        else if (l.n < WN_MAX_DIMS) l.v[l.n++] = *s;
    }
    return l;
}
static labels given_labels(const wn_dims *d) {
    labels l = {.n = d->n > 0 ? d->n : 0};
    for (int i = 0; i < l.n; i++) l.v[i] = (int)d->v[i];
    return l;
}

/* Finds the inputs that are multiplied. */
static bool operands(const wn__node *n, int *first, int *second) {
    *first = *second = -1;
    for (int i = 0; i < n->nin; i++)
        if (operand_of(n, i) >= 0) *(*first < 0 ? first : second) = i;
    return *second >= 0;
}

static bool find_labels(const wn__node *n, int i, const wn_tensor *g, labels *input, labels *result) {
    const char *product = wn__moves_texts[n->op->moves_text];
    int first, second;
    if (*product == '-' || !operands(n, &first, &second)) return false;
    labels of[2];
    if (!strcmp(product, "labels")) {
        const wn_contract_args *a = n->args;
        of[0] = given_labels(&a->self_labels);
        of[1] = given_labels(&a->other_labels);
        *result = given_labels(&a->labels);
    } else {
        char dropped[8] = "";
        of[0] = read_labels(product, product, n->edges[first].ndim, dropped);
        of[1] = read_labels(product, strchr(product, ',') + 1, n->edges[second].ndim, dropped);
        *result = read_labels(product, strchr(product, '>') + 1, g->ndim, dropped);
    }
    *input = of[i == second];
    return input->n == n->edges[i].ndim && result->n == g->ndim;
}

static int place_of(const labels *l, int label) {
    for (int d = 0; d < l->n; d++)
        if (l->v[d] == label) return d;
    return -1;
}

/* Is any element of `on`, which has the result's labels, true along the dimensions that the input lacks? */
static wn_tensor *along(wn_tensor *on, const labels *result, const labels *input, const wn__edge *e) {
    wn_dims sums = WN_UNSET, order = WN_UNSET, shape = WN_UNSET;
    bool used[WN_MAX_DIMS] = {false};
    for (int d = 0; d < input->n; d++) {
        int at = place_of(result, input->v[d]);
        if (place_of(input, input->v[d]) != d) return NULL; /* the label occurs twice: a diagonal */
        bool whole = at >= 0 && !(e->shape[d] == 1 && on->shape[at] != 1);
        shape.v[shape.n++] = whole ? on->shape[at] : 1;
        if (whole) order.v[order.n++] = at;
        if (whole) used[at] = true;
    }
    for (int d = 0; d < result->n; d++)
        if (!used[d]) order.v[order.n++] = sums.v[sums.n++] = d;
    if (sums.n) on = wn_any(on, .dims = sums, .keepdim = true);
    return wn_reshape(wn_permute(on, order.n ? order : WN_0D), shape.n ? shape : WN_0D);
}

wn_tensor *wn__product_lines(const wn__node *n, const wn__cotangent *x, int i) {
    labels input, result;
    if (operand_of(n, i) < 0 || !find_labels(n, i, x->value, &input, &result)) return NULL;
    wn_scope scope = wn_begin_modes((wn_modes){.grad = WN_OFF});
    wn_tensor *lines = along(wn__support_mask(x->support, x->value), &result, &input, &n->edges[i]);
    wn_status st = WN_OK;
    if (lines && wn__true_everywhere(lines, &st)) lines = NULL; /* the usual case: nothing to tell */
    if (!lines) wn_end(&scope);
    return !lines ? NULL : wn_leave(&scope, st ? &wn__bad_tensor : lines);
}
