/* Programs: rows on a pool of tensors, in place or not, with gradients asked for, reads in between and a backward now and then; whatever
 * is pending, saved or shared on the way, every tensor stays what it says. */
#include "pool.h"

/* Would it, or could it, take long? Only tensors of a few elements are computed with. */
static bool small(const pool *p) {
    for (int i = 0; i < p->n; i++)
        if (wn_numel(p->t[i]) > ELEMENTS) return false;
    return true;
}

static void call(pool *p) {
    wn_outs outs;
    const wn_op *op = wn_op_at((int)(next(p, 256) << 8 | next(p, 256)) % wn_op_count());
    next_args(p, op, pick(p));
    if (!call_row(p, op, next(p, 4) == 0, &outs)) return;
    for (int64_t i = 0; i < outs.n && i < 3; i++)
        if (outs.v[i] && wn_numel(outs.v[i]) <= ELEMENTS) pool_put(p, wn__retain(outs.v[i]));
    wn_outs_drop(&outs);
}
static void gradient_of(pool *p) {
    WN_SCOPE(s);
    wn_tensor *t = pick(p);
    if (wn_ok(t) && wn_needs_grad(t) && wn_backward_x(&(wn_backward_args){.size_ = sizeof(wn_backward_args), .root = wn_sum(t), .retain_graph = next(p, 2)})) wn_clear();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    pool p;
    pool_start(&p, data, size);
    for (int i = 0; i < 3; i++) pool_put(&p, fresh(&p));
    for (int step = 0; step < 40 && p.left; step++) {
        WN_SCOPE(s);
        const int64_t what = next(&p, 16);
        if (!small(&p)) break;
        if (what == 0) pool_put(&p, fresh(&p));
        else if (what == 1 && !wn_ok(wn_requires_grad(pick(&p), true))) wn_clear();
        else if (what == 2) gradient_of(&p);
        else if (what == 3) read_tensor(pick(&p));
        else call(&p);
    }
    for (int i = 0; i < p.n; i++) {
        check_tensor(p.t[i]);
        read_tensor(p.t[i]);
    }
    pool_end(&p);
    if (wn_get_stats().handles) broken("handles are left", NULL);
    return 0;
}
