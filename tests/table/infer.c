/* What rows say of their results before they run (.infer), against what they then make. */
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
    for (int i = 0; !st && i < op->nresults; i++) {
        if (!r->status) check(C_FLAGS, as_said(op, c.out[i], result_at(r, i)), s, ".infer says another result %d", i);
        wn__release(c.out[i]);
    }
}
