/* What rows say of their results before they run (.infer), against what they then make. */
#include "base/alloc.h"
#include "table.h"

static bool as_said(const wn_op *op, const wn_tensor *said, const wn_tensor *made) {
    if (!said || said->dtype != made->dtype || !wn__same_shape(said, made)) return false;
    return op->layout || wn__lies_so(made, said->strides) || made->numel < 2; /* .layout comes after .run */
}

void check_inferred(const sample *s, const result *r) {
    const wn_op *op = s->op;
    if (!op->infer) return;
    wn__call c;
    const int64_t before = wn_get_stats().allocations;
    wn_status st = wn__infer(op, s->args, &c);
    const int64_t taken = wn_get_stats().allocations - before;
    wn_clear();
    if (!r->status) check(C_FLAGS, !st, s, ".infer fails where the row does not");
    if (!(op->flags & WN__F_DATA_DEPENDENT)) check(C_FLAGS, taken == 0, s, ".infer takes memory for %lld blocks", (long long)taken);
    if (st) return;
    const int64_t n = op->nresults < 0 ? c.nlist : op->nresults;
    wn_tensor **said = op->nresults < 0 ? c.list : c.out;
    for (int64_t i = 0; i < n; i++) {
        if (!r->status) check(C_FLAGS, i < r->outs.n && as_said(op, said[i], result_at(r, i)), s, ".infer says another result %lld", (long long)i);
        wn__release(said[i]);
    }
    if (op->nresults < 0) wn__free(said);
}
