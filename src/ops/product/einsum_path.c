/* The order in which einsum contracts several operands. Up to MOST operands all orders are weighed (dynamic programming over
 * subsets, the cost of a step being the product of the sizes of all labels it touches); more are first reduced greedily. */
#include "ops/product/einsum.h"

enum { MOST = 10 };

/* Sets of labels; 96 do not fit one word. */
typedef struct set {
    uint64_t lo, hi;
} set;
static set none(void) { return (set){0, 0}; }
static set with(set s, int label) {
    if (label < 64) s.lo |= (uint64_t)1 << label;
    else s.hi |= (uint64_t)1 << (label - 64);
    return s;
}
static bool in(set s, int label) { return label < 64 ? s.lo >> label & 1 : s.hi >> (label - 64) & 1; }
static set both(set a, set b) { return (set){a.lo & b.lo, a.hi & b.hi}; }
static set either(set a, set b) { return (set){a.lo | b.lo, a.hi | b.hi}; }

static set set_of(const wn__labels *l) {
    set s = none();
    for (int d = 0; d < l->n; d++) s = with(s, l->v[d]);
    return s;
}

typedef struct work {
    wn__call *c;
    int n;
    wn_tensor **t;
    wn__labels *labels;
    const int64_t *size;
    set out;
    const wn__labels *order; /* of the result */
} work;

static double volume(const work *w, set s) {
    double v = 1;
    for (int label = 0; label < WN__LABELS; label++)
        if (in(s, label)) v *= (double)w->size[label];
    return v;
}

/* ------------------------------------------------------------------ one pair */

static bool carries(const wn__labels *l, int label) {
    for (int d = 0; d < l->n; d++)
        if (l->v[d] == label) return true;
    return false;
}

/* t with a dimension for each label of `want`, size 1 where t lacks it. */
static wn_tensor *spread(wn_tensor *t, const wn__labels *l, const wn__labels *want) {
    wn__labels mine = {0, {0}};
    for (int d = 0; d < want->n; d++)
        if (carries(l, want->v[d])) mine.v[mine.n++] = want->v[d];
    t = wn__order_labels(t, l, &mine);
    for (int d = 0; d < want->n; d++)
        if (!carries(l, want->v[d])) t = wn_unsqueeze(t, d);
    return t;
}

/* Drops dimensions of size 1 that would be summed: a sum would make int64 of small integers, which torch does not here. */
static wn_tensor *without_ones(wn_tensor *t, wn__labels *l, const bool *keep) {
    for (int d = l->n - 1; d >= 0; d--) {
        if (!wn_ok(t) || keep[l->v[d]] || t->shape[d] != 1) continue;
        t = wn_squeeze_dim(t, d);
        for (int e = d; e + 1 < l->n; e++) l->v[e] = l->v[e + 1];
        l->n--;
    }
    return t;
}

/* Are there labels that nobody else needs? */
static bool has_own(const wn__labels *l, const bool *keep) {
    for (int d = 0; d < l->n; d++)
        if (!keep[l->v[d]]) return true;
    return false;
}
static int64_t size_in(const wn_tensor *t, const wn__labels *l, int label) {
    for (int d = 0; d < l->n; d++)
        if (l->v[d] == label) return t->shape[d];
    return 1;
}
/* 0: both move along the label, 1: only a, 2: b, or neither. */
static int part_of(const wn_tensor *a, const wn__labels *la, const wn_tensor *b, const wn__labels *lb, int label) {
    const bool in_a = carries(la, label), in_b = carries(lb, label), wide_a = size_in(a, la, label) > 1, wide_b = size_in(b, lb, label) > 1;
    if (in_a && in_b && wide_a == wide_b) return 0;
    return in_a && (wide_a || !in_b) ? 1 : 2;
}

/* The order in which the last product lies in memory, as torch's: labels of both operands, of the first, of the second, each in the result's
 * order; the second before the first where that is the result's order, and neither had labels of its own to sum. */
static wn__labels torch_order(const wn_tensor *a, const wn__labels *la, const wn_tensor *b, const wn__labels *lb, const wn__labels *r, bool summed_alone) {
    int part[WN_MAX_DIMS], first_of_a = r->n, last_of_b = -1;
    wn__labels made = {0, {0}};
    for (int i = 0; i < r->n; i++) {
        part[i] = part_of(a, la, b, lb, r->v[i]);
        if (part[i] == 1 && first_of_a == r->n) first_of_a = i;
        if (part[i] == 2) last_of_b = i;
    }
    const bool swapped = !summed_alone && last_of_b < first_of_a;
    const int parts[3] = {0, swapped ? 2 : 1, swapped ? 1 : 2};
    for (int turn = 0; turn < 3; turn++)
        for (int i = 0; i < r->n; i++)
            if (part[i] == parts[turn]) made.v[made.n++] = r->v[i];
    return made;
}

/* Sums what nobody else has. order: the sum lies in memory in the result's order, as torch's. */
static wn_tensor *sum_alone(wn_tensor *t, wn__labels *l, const bool *keep, const wn__labels *order) {
    wn__labels want = {0, {0}};
    if (!has_own(l, keep)) return t;
    for (int d = 0; order && d < order->n; d++)
        if (carries(l, order->v[d])) want.v[want.n++] = order->v[d];
    for (int d = 0; order && d < l->n; d++)
        if (!carries(order, l->v[d])) want.v[want.n++] = l->v[d];
    if (order) {
        t = wn__order_labels(t, l, &want);
        *l = want;
    }
    return wn__sum_labels(t, l, keep, WN_DTYPE_DEFAULT);
}

/* Contracts b into a: labels that nobody else needs (not in `needed`) are summed. `order` non-NULL: the result's labels. */
static wn_tensor *pair(const work *w, wn_tensor *a, wn__labels *la, wn_tensor *b, wn__labels lb, set needed, const wn__labels *order) {
    bool keep_a[WN__LABELS], keep_b[WN__LABELS];
    for (int label = 0; label < WN__LABELS; label++) {
        keep_a[label] = in(needed, label) || carries(&lb, label);
        keep_b[label] = in(needed, label) || carries(la, label);
    }
    const bool alone = has_own(la, keep_a) || has_own(&lb, keep_b);
    const bool integers = wn__is_integer(a->dtype) && wn__is_integer(b->dtype);
    if (integers || (a->dtype == b->dtype && a->dtype != WN_BOOL)) {
        a = sum_alone(without_ones(a, la, keep_a), la, keep_a, order);
        b = sum_alone(without_ones(b, &lb, keep_b), &lb, keep_b, order);
        if (integers && wn_ok(a) && wn_ok(b) && a->dtype != b->dtype) a = wn_to(a, WN_I64), b = wn_to(b, WN_I64); /* sums are int64, as in torch */
    }
    if (!wn_ok(a) || !wn_ok(b)) return wn_ok(a) ? b : a;
    wn__labels r = {0, {0}};
    int summed = 0, total = 0;
    for (int i = 0; i < la->n + lb.n; i++) { /* batch and rows, then columns */
        const int label = i < la->n ? la->v[i] : lb.v[i - la->n];
        if (i >= la->n && carries(la, label)) continue;
        if (!in(needed, label)) summed++;
        else if (total++ < WN_MAX_DIMS) r.v[r.n++] = (uint8_t)label;
    }
    if (total > WN_MAX_DIMS) {
        wn__fail_op(w->c, WN_E_RUNTIME, "an intermediate result would have %d dimensions, at most %d are supported", total, WN_MAX_DIMS);
        return &wn__bad_tensor;
    }
    if (order) r = *order;
    if (order && summed) {
        const wn__labels first = *la, made = torch_order(a, la, b, &lb, &r, alone);
        *la = r;
        return wn__order_labels(wn_contract(a, b, wn__labels_dims(&first), wn__labels_dims(&lb), wn__labels_dims(&made)), &made, &r);
    }
    wn_tensor *y = summed ? wn_contract(a, b, wn__labels_dims(la), wn__labels_dims(&lb), wn__labels_dims(&r)) : wn_mul(spread(a, la, &r), spread(b, &lb, &r));
    *la = r;
    return y;
}

/* ------------------------------------------------------------------ the order */

static set needed_outside(const work *w, unsigned inside) {
    set s = w->out;
    for (int i = 0; i < w->n; i++)
        if (!(inside >> i & 1)) s = either(s, set_of(&w->labels[i]));
    return s;
}

/* Contracts the operands i and j into place i; the last one moves to place j. */
static wn_status join(work *w, int i, int j) {
    set needed = w->out;
    for (int k = 0; k < w->n; k++)
        if (k != i && k != j) needed = either(needed, set_of(&w->labels[k]));
    w->t[i] = pair(w, w->t[i], &w->labels[i], w->t[j], w->labels[j], needed, NULL);
    w->n--;
    w->t[j] = w->t[w->n];
    w->labels[j] = w->labels[w->n];
    return wn_ok(w->t[i]) ? WN_OK : w->c->th->error;
}

static wn_status reduce_greedily(work *w) {
    while (w->n > MOST) {
        double best = -1;
        int bi = 0, bj = 1;
        for (int i = 0; i < w->n; i++)
            for (int j = i + 1; j < w->n; j++) {
                const double v = volume(w, either(set_of(&w->labels[i]), set_of(&w->labels[j])));
                if (best < 0 || v < best) best = v, bi = i, bj = j;
            }
        wn_status st = join(w, bi, bj);
        if (st) return st;
    }
    return WN_OK;
}

typedef struct plan {
    double cost[1 << MOST];
    uint16_t split[1 << MOST]; /* the part that holds the lowest operand */
    set labels[1 << MOST];     /* of the subset's result */
} plan;

static void weigh(const work *w, plan *p) {
    const unsigned all = (1u << w->n) - 1;
    for (unsigned s = 1; s <= all; s++) {
        set inside = none();
        for (int i = 0; i < w->n; i++)
            if (s >> i & 1) inside = either(inside, set_of(&w->labels[i]));
        p->labels[s] = both(inside, needed_outside(w, s));
        p->cost[s] = 0;
        if (!(s & (s - 1))) continue;
        const unsigned lowest = s & (0u - s);
        bool any = false;
        for (unsigned part = (s - 1) & s; part; part = (part - 1) & s) {
            if (!(part & lowest)) continue;
            const unsigned rest = s & ~part;
            const double cost = p->cost[part] + p->cost[rest] + volume(w, either(p->labels[part], p->labels[rest]));
            if (any && cost >= p->cost[s]) continue;
            any = true;
            p->cost[s] = cost;
            p->split[s] = (uint16_t)part;
        }
    }
}

static wn_tensor *follow(const work *w, const plan *p, unsigned s, wn__labels *have) {
    if (!(s & (s - 1))) {
        const int i = __builtin_ctz(s);
        *have = w->labels[i];
        return w->t[i];
    }
    wn__labels lb;
    wn_tensor *a = follow(w, p, p->split[s], have), *b = wn_ok(a) ? follow(w, p, s & ~(unsigned)p->split[s], &lb) : a;
    if (!wn_ok(b)) return b;
    return pair(w, a, have, b, lb, needed_outside(w, s), s == (1u << w->n) - 1 ? w->order : NULL);
}

wn_tensor *wn__einsum_pairs(wn__call *c, int64_t n, wn_tensor **t, wn__labels *labels, const int64_t *size, const wn__labels *out,
                            wn__labels *have) {
    work w = {.c = c, .n = (int)n, .t = t, .labels = labels, .size = size, .out = set_of(out), .order = out};
    if (n == 2) { /* the usual case needs no plan */
        *have = labels[0];
        return pair(&w, t[0], have, t[1], labels[1], w.out, out);
    }
    if (reduce_greedily(&w)) return &wn__bad_tensor;
    plan *p = wn__new(plan, 1);
    if (!p) {
        wn__fail_memory(c->op->name);
        return &wn__bad_tensor;
    }
    weigh(&w, p);
    wn_tensor *y = follow(&w, p, (1u << w.n) - 1, have);
    wn__free(p);
    return y;
}
