/* Connectionist temporal classification: the probability of a sequence of symbols, summed over all its alignments with the time
 * steps, by dynamic programming. An alignment runs through states s = 0 .. 2 * length: even ones are blanks, odd ones the target's
 * symbols; a step stays, goes on by one, or by two from symbol to symbol when they differ. Logarithms, in double. */
#include <math.h>
#include "base/alloc.h"
#include "base/threads.h"
#include "ops/loss/loss.h"
#include "ops/norm/norm.h"

typedef struct ctc {
    int64_t steps, batch, classes, states, blank; /* states of the longest target */
    const int64_t *input_length, *target_length;
    const int64_t *targets;
    int64_t *first;      /* of each target in `targets`; owned */
    bool wide, zero_infinity;
    wn_tensor *x, *t;    /* owned: log_probs as f32 or f64, targets as i64, row-major */
    wn_tensor *il, *tl;  /* owned: the lengths as i64 */
    const char *lp, *alpha_in;
    char *alpha, *nll, *out; /* results */
    const char *g, *nll_in;
    int64_t gstride;     /* 0: one cotangent for all */
    _Atomic bool failed;
} ctc;

static double get(const ctc *j, const char *p, int64_t i) { return j->wide ? ((const double *)(const void *)p)[i] : (double)((const float *)(const void *)p)[i]; }
static void put(const ctc *j, char *p, int64_t i, double v) {
    if (j->wide) ((double *)(void *)p)[i] = v;
    else ((float *)(void *)p)[i] = (float)v;
}
static int64_t symbol(const ctc *j, int64_t n, int64_t s) { return s % 2 ? j->targets[j->first[n] + s / 2] : j->blank; }
static double log_prob(const ctc *j, int64_t t, int64_t n, int64_t c) { return get(j, j->lp, (t * j->batch + n) * j->classes + c); }
static int64_t alpha_at(const ctc *j, int64_t n, int64_t t, int64_t s) { return (n * j->steps + t) * j->states + s; }

/* log(exp(a) + exp(b) + exp(c)) */
static double log_sum(double a, double b, double c) {
    double m = a > b ? a : b;
    m = m > c ? m : c;
    if (m == -INFINITY) return a + b + c > 0 || a != a || b != b || c != c ? NAN : m;
    return m + log(exp(a - m) + exp(b - m) + exp(c - m));
}

static void forward_one(const ctc *j, int64_t n) {
    const int64_t length = j->target_length[n], states = 2 * length + 1, steps = j->input_length[n];
    for (int64_t i = 0; i < j->steps * j->states; i++) put(j, j->alpha, alpha_at(j, n, 0, 0) + i, -INFINITY);
    if (steps == 0) {
        put(j, j->nll, n, length == 0 ? 0 : INFINITY);
        return;
    }
    put(j, j->alpha, alpha_at(j, n, 0, 0), log_prob(j, 0, n, j->blank));
    if (length > 0) put(j, j->alpha, alpha_at(j, n, 0, 1), log_prob(j, 0, n, symbol(j, n, 1)));
    for (int64_t t = 1; t < steps; t++)
        for (int64_t s = 0; s < states; s++) {
            const int64_t c = symbol(j, n, s), before = alpha_at(j, n, t - 1, s);
            const double stay = get(j, j->alpha, before), one = s > 0 ? get(j, j->alpha, before - 1) : -INFINITY;
            const double two = s > 1 && s % 2 && symbol(j, n, s - 2) != c ? get(j, j->alpha, before - 2) : -INFINITY;
            put(j, j->alpha, alpha_at(j, n, t, s), log_sum(stay, one, two) + log_prob(j, t, n, c));
        }
    const int64_t last = alpha_at(j, n, steps - 1, states - 1);
    put(j, j->nll, n, -log_sum(get(j, j->alpha, last), length > 0 ? get(j, j->alpha, last - 1) : -INFINITY, -INFINITY));
}

/* beta: as alpha, from the end. by_class: log of the sum over the states of each class of alpha * beta at one step. */
static void backward_one(const ctc *j, int64_t n, double *beta, double *next, double *by_class) {
    const int64_t length = j->target_length[n], states = 2 * length + 1, steps = j->input_length[n];
    const double nll = get(j, j->nll_in, n), g = get(j, j->g, n * j->gstride);
    const bool none = (j->zero_infinity && nll == INFINITY) || steps == 0;
    for (int64_t t = none ? 0 : steps; t < j->steps; t++)
        for (int64_t c = 0; c < j->classes; c++) put(j, j->out, (t * j->batch + n) * j->classes + c, 0);
    for (int64_t t = none ? -1 : steps - 1; t >= 0; t--) {
        for (int64_t c = 0; c < j->classes; c++) by_class[c] = -INFINITY;
        for (int64_t s = 0; s < states; s++) {
            const int64_t c = symbol(j, n, s);
            double v = s >= states - 2 ? 0 : -INFINITY;
            if (t < steps - 1)
                v = log_sum(beta[s], s + 1 < states ? beta[s + 1] : -INFINITY, s + 2 < states && s % 2 && symbol(j, n, s + 2) != c ? beta[s + 2] : -INFINITY);
            next[s] = v + log_prob(j, t, n, c);
            by_class[c] = log_sum(by_class[c], get(j, j->alpha_in, alpha_at(j, n, t, s)) + next[s], -INFINITY);
        }
        for (int64_t c = 0; c < j->classes; c++) {
            const double lp = log_prob(j, t, n, c);
            put(j, j->out, (t * j->batch + n) * j->classes + c, (exp(lp) - exp(by_class[c] + nll - lp)) * g);
        }
        double *swap = beta;
        beta = next;
        next = swap;
    }
}

static void ctc_task(void *ctx, int64_t begin, int64_t end) {
    ctc *j = ctx;
    double *room = j->out ? wn__scratch_array(2, 2 * j->states + j->classes, sizeof *room) : NULL;
    if (j->out && !room) {
        j->failed = true;
        return;
    }
    for (int64_t n = begin; n < end; n++)
        if (j->out) backward_one(j, n, room, room + j->states, room + 2 * j->states);
        else forward_one(j, n);
}

/* ------------------------------------------------------------------ arguments */

static void ctc_free(ctc *j) {
    wn__release(j->x);
    wn__release(j->t);
    wn__release(j->il);
    wn__release(j->tl);
    wn__free(j->first);
}
/* Is it a list of lengths, one for each of the batch? */
static wn_status check_list(wn__call *c, const char *name, const wn_tensor *t, int64_t batch) {
    if (wn__is_float(t->dtype) || t->dtype == WN_BOOL) return wn__fail_op(c, WN_E_RUNTIME, "%s must be integral, but are %s", name, wn__desc(t));
    if (t->numel != batch || t->ndim > 1)
        return wn__fail_op(c, WN_E_RUNTIME, "%s must be of size batch_size: %s for a batch of %lld", name, wn__desc(t), (long long)batch);
    return WN_OK;
}
static wn_status check_lengths(wn__call *c, const wn_tensor *targets, ctc *j) {
    int64_t longest = 0, total = 0;
    for (int64_t n = 0; n < j->batch; n++) {
        const int64_t len = j->target_length[n], steps = j->input_length[n];
        if (len < 0) return wn__fail_op(c, WN_E_RUNTIME, "Expected target_lengths to have value at least 0, but got value %lld", (long long)len);
        if (steps < 0 || steps > j->steps)
            return wn__fail_op(c, WN_E_RUNTIME, "Expected input_lengths to have value in [0, %lld], but got value %lld", (long long)j->steps, (long long)steps);
        longest = len > longest ? len : longest;
        j->first[n] = targets->ndim == 1 ? total : n * targets->shape[1];
        if (__builtin_add_overflow(total, len, &total)) return wn__fail_op(c, WN_E_RUNTIME, "target_lengths are too large");
    }
    if (targets->ndim == 1 && total != targets->numel)
        return wn__fail_op(c, WN_E_RUNTIME, "Expected tensor to have size %lld at dimension 0, but got targets %s", (long long)total, wn__desc(targets));
    if (targets->ndim == 2 && (targets->shape[0] != j->batch || targets->shape[1] < longest))
        return wn__fail_op(c, WN_E_RUNTIME, "Expected tensor to have size at least %lld at dimension 1, but got targets %s", (long long)longest, wn__desc(targets));
    j->states = 2 * longest + 1;
    return WN_OK;
}
static wn_status check_ctc(wn__call *c, const wn_tensor *x, const wn_tensor *targets, const wn_tensor *inputs, const wn_tensor *lengths, int64_t blank) {
    if (x->ndim != 3) return wn__fail_op(c, WN_E_RUNTIME, "Expected 3-dimensional tensor, but got %s for log_probs", wn__desc(x));
    if (!wn__is_float(x->dtype)) return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "\"ctc_loss\" not implemented for '%s'", wn__dtype_word(x->dtype));
    if (targets->ndim != 1 && targets->ndim != 2) return wn__fail_op(c, WN_E_RUNTIME, "targets should be 1D or 2D, but are %s", wn__desc(targets));
    if (targets->dtype != WN_I64 && targets->dtype != WN_I32) return wn__fail_op(c, WN_E_RUNTIME, "targets must be integral (int32 or int64), but are %s", wn__desc(targets));
    if (blank < 0 || blank >= x->shape[2]) return wn__fail_op(c, WN_E_RUNTIME, "blank must be in label range: %lld of %s", (long long)blank, wn__desc(x));
    const wn_status st = check_list(c, "input_lengths", inputs, x->shape[1]);
    return st ? st : check_list(c, "target_lengths", lengths, x->shape[1]);
}
/* How many states there are. */
static wn_status read_lengths(wn__call *c, const wn_tensor *x, const wn_tensor *targets, wn_tensor *inputs, wn_tensor *lengths, int64_t blank, ctc *j) {
    *j = (ctc){.blank = blank, .wide = x->dtype == WN_F64, .steps = x->shape[0], .batch = x->shape[1], .classes = x->shape[2]};
    j->first = wn__calloc((size_t)j->batch + 1, sizeof *j->first);
    j->il = wn__plain_raw(inputs, WN_I64), j->tl = wn__plain_raw(lengths, WN_I64);
    if (!j->first || !j->il || !j->tl) return wn__fail_memory(c->op->name);
    j->input_length = (const int64_t *)(const void *)wn__ptr(j->il);
    j->target_length = (const int64_t *)(const void *)wn__ptr(j->tl);
    return j->batch && (!j->input_length || !j->target_length) ? wn__fail_memory(c->op->name) : check_lengths(c, targets, j);
}
static wn_status ctc_read(wn__call *c, wn_tensor *x, wn_tensor *targets, wn_tensor *inputs, wn_tensor *lengths, int64_t blank, ctc *j) {
    wn_status st = read_lengths(c, x, targets, inputs, lengths, blank, j);
    if (!st) {
        j->x = wn__plain_raw(x, j->wide ? WN_F64 : WN_F32);
        j->t = wn__plain_raw(targets, WN_I64);
        if (!j->x || !j->t || (x->numel && !wn__ptr(j->x)) || (targets->numel && !wn__ptr(j->t))) st = wn__fail_memory(c->op->name);
    }
    if (!st) {
        j->lp = wn__ptr(j->x);
        j->targets = (const int64_t *)(const void *)wn__ptr(j->t);
    }
    for (int64_t n = 0; n < j->batch && !st; n++)
        for (int64_t i = 0; i < j->target_length[n] && !st; i++) {
            const int64_t k = j->targets[j->first[n] + i];
            if (k < 0 || k >= j->classes)
                st = wn__fail_op(c, WN_E_RUNTIME, "target %lld is not a class of log_probs %s", (long long)k, wn__desc(x));
        }
    if (st) ctc_free(j);
    return st;
}

/* ------------------------------------------------------------------ rows */

wn_status wn__infer_ctc_loss_forward(wn__call *c) {
    const wn_ctc_loss_forward_args *a = c->args;
    wn_status st = check_ctc(c, a->log_probs, a->targets, a->input_lengths, a->target_lengths, a->blank);
    if (st) return st;
    ctc j;
    st = read_lengths(c, a->log_probs, a->targets, a->input_lengths, a->target_lengths, a->blank, &j);
    const wn_dtype d = j.wide ? WN_F64 : WN_F32;
    const int64_t room[3] = {j.batch, j.steps, j.states};
    if (!st) st = wn__result(c, 0, d, 1, room, NULL);
    if (!st) st = wn__result(c, 1, d, 3, room, NULL);
    ctc_free(&j);
    return st;
}

wn_status wn__run_ctc_loss_forward(wn__call *c) {
    const wn_ctc_loss_forward_args *a = c->args;
    ctc j;
    wn_status st = ctc_read(c, a->log_probs, a->targets, a->input_lengths, a->target_lengths, a->blank, &j);
    if (st) return st;
    j.nll = wn__ptr(c->out[0]), j.alpha = wn__ptr(c->out[1]);
    wn__parallel(j.batch, 1 + 4096 / (j.steps * j.states + 1), ctc_task, &j);
    ctc_free(&j);
    return WN_OK;
}

static wn_status unfit(wn__call *c, const wn_ctc_loss_backward_args *a) {
    return wn__fail_op(c, WN_E_RUNTIME, "grad %s, neg_log_likelihood %s and log_alpha %s are not those of log_probs %s", wn__desc(a->grad),
                       wn__desc(a->neg_log_likelihood), wn__desc(a->log_alpha), wn__desc(a->log_probs));
}

wn_status wn__infer_ctc_loss_backward(wn__call *c) {
    const wn_ctc_loss_backward_args *a = c->args;
    const wn_tensor *x = a->log_probs;
    const wn_status st = check_ctc(c, x, a->targets, a->input_lengths, a->target_lengths, a->blank);
    if (st) return st;
    if (a->neg_log_likelihood->numel != x->shape[1] || a->grad->numel != x->shape[1] || !wn__is_float(a->grad->dtype) || !wn__is_float(a->log_alpha->dtype) ||
        !wn__is_float(a->neg_log_likelihood->dtype))
        return unfit(c, a);
    return wn__result(c, 0, (wn_dtype)x->dtype, 3, x->shape, NULL);
}

wn_status wn__run_ctc_loss_backward(wn__call *c) {
    const wn_ctc_loss_backward_args *a = c->args;
    ctc j;
    wn_status st = ctc_read(c, a->log_probs, a->targets, a->input_lengths, a->target_lengths, a->blank, &j);
    if (st) return st;
    const wn_dtype d = j.wide ? WN_F64 : WN_F32;
    wn_tensor *g = NULL, *nll = NULL, *alpha = NULL, *work = NULL;
    if (a->log_alpha->numel != j.batch * j.steps * j.states) {
        st = unfit(c, a);
    } else {
        g = wn__plain_raw(a->grad, d), nll = wn__plain_raw(a->neg_log_likelihood, d), alpha = wn__plain_raw(a->log_alpha, d);
        work = wn__tensor_new(d, 3, a->log_probs->shape, NULL);
        if (!g || !nll || !alpha || !work) st = wn__fail_memory(c->op->name);
    }
    if (!st && work->numel) {
        j.g = wn__ptr(g), j.nll_in = wn__ptr(nll), j.alpha_in = wn__ptr(alpha), j.out = wn__ptr(work), j.gstride = 1;
        j.zero_infinity = a->zero_infinity;
        if (!j.g || !j.nll_in || !j.alpha_in) st = wn__fail_memory(c->op->name);
        if (!st) wn__parallel(j.batch, 1 + 4096 / (j.steps * j.states + 1), ctc_task, &j);
        if (!st) st = j.failed ? wn__fail_memory(c->op->name) : wn__copy(c->out[0], work);
    }
    wn__release(g), wn__release(nll), wn__release(alpha), wn__release(work);
    ctc_free(&j);
    return st;
}

wn_status wn__op_ctc_loss(wn__call *c, wn_tensor *log_probs, wn_tensor *targets, wn_tensor *input_lengths,
                          wn_tensor *target_lengths, int64_t blank, const char *reduction_given, bool zero_infinity) {
    const int reduction = wn__reduction_of(c, reduction_given);
    if (reduction < 0) return c->th->error;
    if (log_probs->ndim != 3 && log_probs->ndim != 2) return wn__fail_op(c, WN_E_RUNTIME, "log_probs must be [T, N, C] or [T, C], but are %s", wn__desc(log_probs));
    const bool batched = log_probs->ndim == 3;
    wn_tensor *x = batched ? log_probs : wn_unsqueeze(log_probs, 1), *t = batched || targets->ndim == 1 ? targets : wn_unsqueeze(targets, 0);
    wn_tensor *loss = wn_ctc_loss_forward(x, t, input_lengths, target_lengths, .blank = blank, .zero_infinity = zero_infinity).neg_log_likelihood;
    if (wn__is_bad(loss)) return c->th->error;
    if (loss->dtype != log_probs->dtype) loss = wn_to(loss, (wn_dtype)log_probs->dtype);
    if (zero_infinity) loss = wn_where(wn_isinf(loss), 0, loss);
    if (reduction == WN__REDUCE_MEAN) {
        wn_tensor *lengths = wn_clamp_min(wn_to(target_lengths, (wn_dtype)loss->dtype), 1);
        loss = wn_mean(wn_div(loss, lengths));
    }
    if (reduction == WN__REDUCE_SUM) loss = wn_sum(loss);
    if (reduction == WN__REDUCE_NONE && !batched) loss = wn_squeeze_dim(loss, 0);
    return wn__give(c, 0, loss);
}
