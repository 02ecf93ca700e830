/* Memory may run out at any allocation: for every row, and for a training step, the n-th internal allocation fails, n = 0, 1,
 * ... until the work succeeds. Each failure must be reported, leave nothing behind and leave the target of a failed in-place
 * operation as it was. `test_alloc_sweep relu` sweeps over one row. */
#include "table/table.h"

enum { MOST = 4000 }; /* allocations in one sweep; more means that it does not end */

static bool level_with(wn_stats before, sample *s, int64_t n, const char *what) {
    wn_stats now = wn_get_stats();
    return check(C_ALLOC, now.handles == before.handles && now.storages == before.storages && now.allocated == before.allocated, s,
                 "%s, allocation %lld: %lld handles, %lld storages, %lld bytes more than before", what, (long long)n, (long long)(now.handles - before.handles),
                 (long long)(now.storages - before.storages), (long long)(now.allocated - before.allocated));
}

/* What work() of one sweep does; a status. Everything it makes it must release. */
typedef wn_status (*work)(sample *s, void *ctx);

static void sweep(sample *s, work fn, void *ctx, const char *what) {
    wn_clear();
    if (fn(s, ctx)) { /* once without failures: fills caches, and shows whether the sample works at all */
        wn_clear();
        return;
    }
    for (int64_t n = 0; n < MOST; n++) {
        wn_clear();
        wn_stats before = wn_get_stats();
        wn_fail_allocation(n);
        wn_status st = fn(s, ctx);
        bool hit = wn_fail_allocation_hit();
        wn_fail_allocation(-1);
        check(C_ALLOC, st ? wn_error() != WN_OK && wn_error_message()[0] : wn_error() == WN_OK, s,
              "%s, allocation %lld: status %d, but the record holds %d (%s)", what, (long long)n, (int)st, (int)wn_error(), wn_error_message());
        if (st) check(C_ALLOC, wn_error() == WN_E_MEMORY, s, "%s, allocation %lld: reported as \"%s\"", what, (long long)n, wn_error_message());
        wn_clear();
        if (!level_with(before, s, n, what)) return;
        if (!hit) {
            check(C_ALLOC, !st, s, "%s: fails without a failing allocation", what);
            return;
        }
    }
    check(C_ALLOC, false, s, "%s: no end after %d allocations", what, (int)MOST);
}

/* ------------------------------------------------------------------ rows */

static wn_status plain(sample *s, void *ctx) {
    (void)ctx;
    wn_outs outs = {0};
    if (s->op->flags & WN__F_RANDOM) wn_manual_seed(1);
    wn_status st = wn_call(s->op, s->args, &outs);
    if (!st) wn_outs_drop(&outs);
    return st;
}

typedef struct target {
    wn_tensor *t;
    unsigned char *bytes;
    bool changed;
} target;
static wn_status inplace(sample *s, void *ctx) {
    target *x = ctx;
    size_t n = x->t->storage->bytes;
    memcpy(x->bytes, x->t->storage->data, n);
    uint32_t version = wn_version(x->t);
    wn_outs outs = {0};
    if (s->op->flags & WN__F_RANDOM) wn_manual_seed(1);
    wn_status st = wn_call_inplace(s->op, s->args, &outs);
    if (!st) wn_outs_drop(&outs);
    if (st && (memcmp(x->bytes, x->t->storage->data, n) || wn_version(x->t) != version)) x->changed = true;
    memcpy(x->t->storage->data, x->bytes, n); /* the same start for the next one */
    return st;
}

/* In place on a tensor with a history. */
static wn_status recorded_inplace(sample *s, void *ctx) {
    target *x = ctx;
    WN_SCOPE(scope);
    wn_tensor *copy = wn_clone(x->t);
    if (!wn_ok(copy)) return wn_error();
    const wn_field *f = &s->op->fields[s->op->tensors[0]];
    void *p = s->args + f->offset;
    unsigned char kept[sizeof(wn_val)];
    size_t field_size = f->kind == WN_K_VALUE ? sizeof(wn_val) : sizeof(wn_tensor *);
    memcpy(kept, p, field_size);
    if (f->kind == WN_K_VALUE) *(wn_val *)p = wn_val_of_tensor(copy);
    else *(wn_tensor **)p = copy;
    uint32_t version = wn_version(copy);
    size_t n = copy->storage->bytes;
    memcpy(x->bytes, copy->storage->data, n);
    const char *made_by = wn_grad_fn(copy);
    wn_outs outs = {0};
    wn_status st = wn_call_inplace(s->op, s->args, &outs);
    if (!st) wn_outs_drop(&outs);
    if (st && (memcmp(x->bytes, copy->storage->data, n) || wn_version(copy) != version || wn_grad_fn(copy) != made_by)) x->changed = true;
    memcpy(p, kept, field_size);
    return st;
}

/* Forward and backward with all floating data arguments as leaves. */
static wn_status differentiated(sample *s, void *ctx) {
    (void)ctx;
    WN_SCOPE(scope);
    wn_outs outs = {0};
    if (s->op->flags & WN__F_RANDOM) wn_manual_seed(1);
    wn_status st = wn_call(s->op, s->args, &outs);
    for (int64_t i = 0; i < outs.n && !st; i++) {
        wn_tensor *y = outs.v[i];
        if (!wn_needs_grad(y)) continue;
        wn_tensor *g = wn_ones_like(y);
        if (!wn_ok(g)) st = wn_error();
        else st = wn_backward(y, .gradient = g, .retain_graph = true);
    }
    wn_outs_drop(&outs);
    for (int i = 0; i < s->nmade; i++)
        if (wn_set_grad(s->made[i], NULL)) st = wn_error();
    return st;
}

static bool mutates(const sample *s) {
    wn_tensor *m[MAX_MADE];
    return mutated_arguments(s, m) > 0;
}

static void sweep_row(const wn_op *op, spec sp) {
    sample s;
    if (sample_make(&s, op, sp)) {
        sweep(&s, plain, NULL, "call");
        if (is_float(sp.dtype) && !(op->flags & WN__F_NODIFF) && !mutates(&s)) {
            for (int i = 0; i < s.nmade; i++)
                if (s.roles[i] == DATA) wn_requires_grad(s.made[i], true);
            sweep(&s, differentiated, NULL, "backward");
            for (int i = 0; i < s.nmade; i++) wn_requires_grad(s.made[i], false);
        }
        sample_free(&s);
    }
    sp.full_first = true;
    bool has = op->flags & WN__F_INPLACE && op->ntensors;
    if (!has || !sample_make(&s, op, sp)) return;
    target x = {.t = s.made[0]};
    x.bytes = malloc(x.t->storage->bytes * 2 + 64);
    sweep(&s, inplace, &x, "in place");
    const bool steps = op->flags & WN__F_STEPS; /* a failure leaves what was changed before it, and its history */
    if (is_float(sp.dtype) && (op->grad || op->cls == WN__COMPOSITE) && !steps) {
        wn_requires_grad(x.t, true);
        sweep(&s, recorded_inplace, &x, "recorded in place");
        wn_requires_grad(x.t, false);
    }
    check(C_ALLOC, !x.changed || steps, &s, "a failed in-place form changed its target");
    free(x.bytes);
    sample_free(&s);
}

/* ------------------------------------------------------------------ a training step */

typedef struct model {
    wn_tensor *w1, *b1, *w2, *x, *y;
} model;

/* A two-layer network by hand: forward, backward, a step of SGD. Rows are found by name: matmul may not be there yet. */
static wn_status step(sample *s, void *ctx) {
    (void)s;
    model *m = ctx;
    WN_SCOPE(scope);
    wn_tensor *h = wn_relu(wn_add(wn_sum(wn_mul(wn_unsqueeze(m->x, 2), m->w1), .dims = WN_DIMS(1)), m->b1)); /* x @ w1 + b1 */
    wn_tensor *z = wn_sum(wn_mul(wn_unsqueeze(h, 2), m->w2), .dims = WN_DIMS(1));
    wn_tensor *loss = wn_mean(wn_square(wn_sub(z, m->y)));
    wn_status st = wn_backward(loss);
    wn_tensor *params[] = {m->w1, m->b1, m->w2};
    for (int i = 0; i < 3 && !st; i++) {
        WN_NO_GRAD();
        wn_tensor *moved = wn_add_(params[i], wn_grad_of(params[i]), .alpha = WN_VAL(-0.01));
        if (!wn_ok(moved)) st = wn_error();
    }
    for (int i = 0; i < 3; i++)
        if (wn_set_grad(params[i], NULL)) st = wn_error();
    return st;
}

static void training_step(void) {
    WN_SCOPE(scope);
    wn_manual_seed(0);
    model m = {.w1 = wn_requires_grad(wn_randn(WN_DIMS(3, 4)), true), .b1 = wn_requires_grad(wn_zeros(WN_DIMS(4)), true),
               .w2 = wn_requires_grad(wn_randn(WN_DIMS(4, 2)), true), .x = wn_randn(WN_DIMS(5, 3)), .y = wn_randn(WN_DIMS(5, 2))};
    sample s = {.op = wn_op_find("add"), .spec = {.dtype = WN_F32}};
    sweep(&s, step, &m, "training step");
}

int main(int argc, char **argv) {
    wn_set_defer_from(-1); /* what is deferred fails later: tests/test_defer_hard.c */
    const char *wish = getenv("WINNOW_TEST_FULL");
    full = wish && *wish && *wish != '0';
    wn_set_error_hook(NULL);
    wn_set_num_threads(1);
    if (argc < 2) training_step();
    for (int i = 0; i < wn_op_count(); i++) {
        const wn_op *op = wn_op_at(i);
        bool chosen = argc < 2;
        for (int k = 1; k < argc; k++) chosen |= !strcmp(argv[k], op->cname);
        if (!chosen) continue;
        for (int k = 0; k < (full ? 6 : 2); k++) {
            sweep_row(op, (spec){.dtype = WN_F32, .layout = k % 2 ? TRANSPOSED : CONTIGUOUS, .domain = POSITIVE, .seed = 11 + (uint64_t)k});
            sweep_row(op, (spec){.dtype = k % 2 ? WN_F32 : WN_BF16, .layout = LAST, .domain = POSITIVE, .seed = 31 + (uint64_t)k});
            sweep_row(op, (spec){.dtype = k % 2 ? WN_BF16 : WN_I64, .layout = SLICED, .domain = POSITIVE, .seed = 21 + (uint64_t)k});
        }
    }
    return finish();
}
