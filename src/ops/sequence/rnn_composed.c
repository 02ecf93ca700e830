/* The gradient of a recurrent layer that is itself to be differentiated: the forward again and the backward, step by step, in rows. */
#include "base/alloc.h"
#include "ops/sequence/rnn.h"

typedef struct step {
    wn_tensor *hprev, *cprev;        /* the states before, of the step's rows */
    wn_tensor *i, *f, *g, *o, *tc;   /* lstm: gates, tanh of the cell. gru: r z n (i f g), hidden's part of n (o). else: y (g) */
    wn_tensor *hfull;                /* lstm: before its projection */
} step;

static wn_tensor *rows(wn_tensor *t, int64_t n) { return !wn__is_bad(t) && t->shape[0] == n ? t : wn_narrow(t, 0, 0, n); }
/* t with its first rows replaced by `first`. */
static wn_tensor *with_rows(wn_tensor *t, wn_tensor *first) {
    if (wn__is_bad(first) || wn__is_bad(t) || first->shape[0] == t->shape[0]) return first;
    return wn_cat(WN_LIST(first, wn_narrow(t, 0, first->shape[0], t->shape[0] - first->shape[0])), .dim = WN_VAL(0));
}
static wn_tensor *part(wn_tensor *t, int64_t which, int64_t h) { return wn_narrow(t, 1, which * h, h); }
static wn_tensor *one_less(wn_tensor *t) { return wn_sub(1, t); }

/* One step forward; returns the new hidden state of its rows, and the cell's in *cell. */
static wn_tensor *forward(const wn_rnn_layer_args *a, wn_tensor *x, int64_t h, step *s, wn_tensor **cell) {
    wn_tensor *u = wn_matmul(s->hprev, wn_t(a->w_hh));
    if (a->kind == WN__RNN_GRU) {
        if (a->b_hh) u = wn_add(u, a->b_hh);
        s->i = wn_sigmoid(wn_add(part(x, 0, h), part(u, 0, h))), s->f = wn_sigmoid(wn_add(part(x, 1, h), part(u, 1, h))), s->o = part(u, 2, h);
        s->g = wn_tanh(wn_add(part(x, 2, h), wn_mul(s->i, s->o)));
        return wn_add(s->g, wn_mul(s->f, wn_sub(s->hprev, s->g)));
    }
    u = wn_add(x, u);
    if (a->kind != WN__RNN_LSTM) return s->g = a->kind == WN__RNN_RELU ? wn_relu(u) : wn_tanh(u);
    s->i = wn_sigmoid(part(u, 0, h)), s->f = wn_sigmoid(part(u, 1, h)), s->g = wn_tanh(part(u, 2, h)), s->o = wn_sigmoid(part(u, 3, h));
    *cell = wn_add(wn_mul(s->f, s->cprev), wn_mul(s->i, s->g));
    s->tc = wn_tanh(*cell);
    s->hfull = wn_mul(s->o, s->tc);
    return a->w_hr ? wn_matmul(s->hfull, wn_t(a->w_hr)) : s->hfull;
}

/* What a step's gradient gives: of its gates, of the hidden state's part of them, and of the states before. */
typedef struct back {
    wn_tensor *d, *dhid, *direct, *dc;
} back;
static back backward(const wn_rnn_layer_args *a, const step *s, wn_tensor *gh, wn_tensor *dc) {
    back b = {NULL, NULL, NULL, NULL};
    if (a->kind == WN__RNN_LSTM) {
        wn_tensor *g = a->w_hr ? wn_matmul(gh, a->w_hr) : gh;
        wn_tensor *w = wn_add(dc, wn_mul(wn_mul(g, s->o), one_less(wn_mul(s->tc, s->tc))));
        b.d = wn_cat(WN_LIST(wn_mul(wn_mul(w, s->g), wn_mul(s->i, one_less(s->i))), wn_mul(wn_mul(w, s->cprev), wn_mul(s->f, one_less(s->f))),
                             wn_mul(wn_mul(w, s->i), one_less(wn_mul(s->g, s->g))), wn_mul(wn_mul(g, s->tc), wn_mul(s->o, one_less(s->o)))), .dim = WN_VAL(1));
        b.dhid = b.d;
        b.dc = wn_mul(w, s->f);
    } else if (a->kind == WN__RNN_GRU) {
        wn_tensor *m = wn_mul(wn_mul(gh, one_less(s->f)), one_less(wn_mul(s->g, s->g)));
        wn_tensor *dr = wn_mul(wn_mul(m, s->o), wn_mul(s->i, one_less(s->i))), *dz = wn_mul(wn_mul(gh, wn_sub(s->hprev, s->g)), wn_mul(s->f, one_less(s->f)));
        b.d = wn_cat(WN_LIST(dr, dz, m), .dim = WN_VAL(1));
        b.dhid = wn_cat(WN_LIST(dr, dz, wn_mul(m, s->i)), .dim = WN_VAL(1));
        b.direct = wn_mul(gh, s->f);
    } else {
        b.d = b.dhid = a->kind == WN__RNN_RELU ? wn_threshold_backward(gh, s->g, 0) : wn_mul(gh, one_less(wn_mul(s->g, s->g)));
    }
    return b;
}
static wn_tensor *plus(wn_tensor *sum, wn_tensor *more) { return sum ? wn_add(sum, more) : more; }

void wn__rnn_composed_grad(wn__gradctx *c, const wn__steps *s) {
    const wn_rnn_layer_args *a = c->args;
    const int64_t h = a->w_hh->shape[0] / wn__rnn_gates(a->kind), first = a->reverse ? s->n - 1 : 0, way = a->reverse ? -1 : 1;
    step *all = wn__calloc((size_t)s->n + 1, sizeof *all);
    wn_tensor **d = wn__calloc((size_t)s->n + 1, sizeof *d), *state = a->hx, *cells = a->cx;
    if (!all || !d) {
        wn__fail_memory("rnn_layer_backward");
        wn__free(all);
        wn__free(d);
        return;
    }
    for (int64_t t = first; t >= 0 && t < s->n; t += way) {
        wn_tensor *cell = NULL;
        all[t].hprev = rows(state, s->rows[t]);
        if (cells) all[t].cprev = rows(cells, s->rows[t]);
        state = with_rows(state, forward(a, wn_narrow(a->gates, 0, s->at[t], s->rows[t]), h, &all[t], &cell));
        if (cells) cells = with_rows(cells, cell);
    }
    wn_tensor *dh = c->g[1] ? c->g[1] : wn_zeros_like(a->hx), *dc = !a->cx ? NULL : c->g[2] ? c->g[2] : wn_zeros_like(a->cx), *dw = NULL, *db = NULL, *dwr = NULL;
    for (int64_t t = first + way * (s->n - 1); s->n && t >= 0 && t < s->n; t -= way) {
        wn_tensor *gh = rows(dh, s->rows[t]);
        if (c->g[0]) gh = wn_add(gh, wn_narrow(c->g[0], 0, s->at[t], s->rows[t]));
        const back b = backward(a, &all[t], gh, dc ? rows(dc, s->rows[t]) : NULL);
        d[t] = b.d;
        dw = plus(dw, wn_matmul(wn_t(b.dhid), all[t].hprev));
        if (a->b_hh) db = plus(db, wn_sum(b.dhid, .dims = WN_DIMS(0)));
        if (a->w_hr) dwr = plus(dwr, wn_matmul(wn_t(gh), all[t].hfull));
        wn_tensor *before = wn_matmul(b.dhid, a->w_hh);
        dh = with_rows(dh, b.direct ? wn_add(before, b.direct) : before);
        if (dc) dc = with_rows(dc, b.dc);
    }
    wn_tensor *grads[6] = {s->n ? wn_cat((wn_list){.n = s->n, .v = d}, .dim = WN_VAL(0)) : wn_zeros_like(a->gates), dh, dc, dw ? dw : wn_zeros_like(a->w_hh), db, dwr};
    for (int i = 0; i < 6; i++)
        if (wn__grad_wanted(c, i) && grads[i]) c->gin[i] = grads[i];
    wn__free(all);
    wn__free(d);
}
