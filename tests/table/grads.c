/* Derivatives of every differentiable row, at points of f64 samples where they exist. */
#include "table.h"
#include <math.h>

wn_tensor *call_row(void *ctx, wn_list in) {
    const subject *x = ctx;
    const sample *s = x->s;
    unsigned char *args = malloc(s->op->args_size);
    wn_tensor *lists[MAX_MADE], *y = NULL;
    int nlists = 0;
    memcpy(args, s->args, s->op->args_size);
    for (int i = 0; i < s->op->nfields; i++) {
        const wn_field *f = &s->op->fields[i];
        void *p = args + f->offset;
        wn_tensor **slots[1] = {NULL}, **list = NULL;
        int64_t n = 0;
        if (f->kind == WN_K_TENSOR && *(wn_tensor **)p) slots[0] = p, n = 1;
        else if ((f->kind == WN_K_VALUE || f->kind == WN_K_SCALAR) && ((wn_val *)p)->kind == WN_VAL_TENSOR) slots[0] = &((wn_val *)p)->u.t, n = 1;
        else if (f->kind == WN_K_TENSORS) {
            n = ((wn_list *)p)->n;
            list = lists + nlists;
            memcpy(list, ((wn_list *)p)->v, (size_t)n * sizeof *list);
            nlists += (int)n;
            ((wn_list *)p)->v = list;
        }
        for (int64_t k = 0; k < n; k++) {
            wn_tensor **slot = list ? &list[k] : slots[0];
            for (int j = 0; j < x->n; j++)
                if (*slot == x->inputs[j]) {
                    *slot = in.v[j];
                    break;
                }
            if (f->mutated || (x->inplace && i == s->op->tensors[0])) *slot = wn_clone(*slot);
        }
    }
    wn_outs outs = {0};
    if (s->op->flags & WN__F_RANDOM) wn_manual_seed(s->spec.seed);
    wn_status st = x->inplace ? wn_call_inplace(s->op, args, &outs) : wn_call(s->op, args, &outs);
    if (st) y = &wn__bad_tensor;
    for (int64_t i = 0; i < outs.n; i++)
        if (i == x->result) y = wn__lend(wn__self(), wn_keep(outs.v[i]));
    if (!st) wn_outs_drop(&outs);
    free(args);
    return y;
}

/* The data arguments that the row differentiates. */
static void choose_inputs(subject *x) {
    const sample *s = x->s;
    const wn_op *op = s->op;
    for (int i = 0; i < op->ntensors; i++) {
        const wn_field *f = &op->fields[op->tensors[i]];
        const void *p = s->args + f->offset;
        bool inplace_only = op->flags & WN__F_INPLACE_ONLY && i == 0;
        if ((op->grad && !(op->diff >> i & 1)) || (f->mutated && !inplace_only)) continue;
        wn_tensor *few[1] = {NULL}, *const *v = few;
        int64_t n = 1;
        if (f->kind == WN_K_TENSOR) few[0] = *(wn_tensor *const *)p;
        else if (f->kind == WN_K_TENSORS) n = ((const wn_list *)p)->n, v = ((const wn_list *)p)->v;
        else if (((const wn_val *)p)->kind == WN_VAL_TENSOR) few[0] = ((const wn_val *)p)->u.t;
        for (int64_t k = 0; k < n; k++)
            for (int m = 0; m < s->nmade; m++)
                if (v[k] && s->made[m] == v[k] && s->roles[m] == DATA && is_float(wn_dtype_of(v[k]))) x->inputs[x->n++] = v[k];
    }
}

static bool all_finite(const wn_tensor *t) {
    for (int64_t i = 0; i < wn_numel(t); i++)
        if (!isfinite(get_f(t, i))) return false;
    return true;
}

/* Runs the row once: how many results, which of them are f64, and are they finite? -1: it fails. */
static int64_t probe(const sample *s, unsigned *floating, bool *finite) {
    sample twin;
    *floating = 0;
    *finite = true;
    if (!sample_twin(&twin, s, false)) return -1;
    result r = run_row(&twin);
    int64_t n = r.status ? -1 : r.outs.n;
    for (int64_t i = 0; i < n; i++) {
        const wn_tensor *y = result_at(&r, i);
        if (wn_dtype_of(y) != WN_F64 || i > 31) continue;
        *floating |= 1u << i;
        *finite &= all_finite(y);
    }
    result_free(&r);
    sample_free(&twin);
    return n;
}

static bool check_one(const sample *s, bool inplace, bool *had_float) {
    unsigned floating;
    bool finite;
    int64_t n = probe(s, &floating, &finite);
    *had_float |= floating != 0;
    if (n < 0 || !finite) return false;
    if (!floating) return true;
    bool done = false;
    for (int64_t k = 0; k < n && k < 4; k++) {
        if (!(floating >> k & 1)) continue;
        WN_SCOPE(scope);
        subject x = {.s = s, .result = k, .inplace = inplace};
        choose_inputs(&x);
        if (!x.n) return true;
        for (int i = 0; i < x.n; i++) wn_requires_grad(x.inputs[i], true);
        wn_clear();
        wn_status st = wn_gradcheck(call_row, &x, (wn_list){.n = x.n, .v = x.inputs}, 1e-6, 2e-6, 1e-5, false);
        const char *form = inplace ? " in place" : "";
        check(C_GRAD, !st, s, "result %lld%s: %s", (long long)k, form, wn_error_message());
        if (!st && !(excuses(s->op) & NO_GRADGRAD)) {
            wn_clear();
            st = wn_gradcheck(call_row, &x, (wn_list){.n = x.n, .v = x.inputs}, 1e-6, 2e-5, 1e-4, true);
            check(C_GRADGRAD, !st, s, "result %lld%s: %s", (long long)k, form, wn_error_message());
        }
        done = true;
        for (int i = 0; i < x.n; i++) wn_requires_grad(x.inputs[i], false);
        if (s->op->moves > WN__MOVES_NOT && (s->op->moves != WN__MOVES_PRODUCT || wn__moves_texts[s->op->moves_text][0] != '-')) check_masked(&x);
    }
    wn_clear();
    return done;
}

/* A sample small enough, in a domain where the row is finite. */
static bool find_and_check(const wn_op *op, uint64_t seed, layout l, bool inplace, bool *had_float, bool *had_inputs) {
    for (int d = MIXED; d <= ABOVE_ONE; d++)
        for (uint64_t k = 0; k < 12; k++) {
            spec sp = {.dtype = WN_F64, .domain = (domain)d, .layout = l, .full_first = inplace, .seed = seed * 16 + k};
            sample s;
            if (!sample_make(&s, op, sp)) continue;
            int64_t numel = 0;
            bool any = false, ok = false;
            for (int i = 0; i < s.nmade; i++) {
                numel += wn_numel(s.made[i]);
                any |= s.roles[i] == DATA;
            }
            *had_inputs |= any;
            if (any && numel > 0 && numel <= 60) ok = check_one(&s, inplace, had_float);
            sample_free(&s);
            if (ok) return true;
        }
    return false;
}

void check_grads(const wn_op *op) {
    if (op->flags & WN__F_NODIFF || excuses(op) & (NO_GRADCHECK)) return;
    int seeds = full ? 12 : 2;
    bool had_float = false, had_inputs = false, done = false;
    for (int k = 0; k < seeds; k++)
        for (int l = CONTIGUOUS; l <= LAST; l++) done |= find_and_check(op, 700 + (uint64_t)k, (layout)l, false, &had_float, &had_inputs);
    sample none = {.op = op, .spec = {.dtype = WN_F64}};
    if (had_float && had_inputs) check(C_GRAD, done, &none, "no sample found whose derivative could be checked");
    if (op->flags & WN__F_INPLACE && !(op->flags & WN__F_INPLACE_ONLY) && had_float) find_and_check(op, 900, CONTIGUOUS, true, &had_float, &had_inputs);
}
