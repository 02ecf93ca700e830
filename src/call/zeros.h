/* Passing on to results what is known of their zeros (facts, support/fact.h). */
#ifndef WN_CALL_ZEROS_H
#define WN_CALL_ZEROS_H
#include "support/fact.h"
#include "table/call.h"

/* May this pointwise row's result have a fact: the first tensor's, or one from a mask that leaves zeros in it? */
static inline bool wn__may_pass_zeros(const wn__call *c) {
    const wn_op *op = c->op;
    if (op->selecting) return true;
    if (!op->zero || op->zero == WN__ZERO_NOT || !c->nin || !c->in[0]) return false;
    if (wn__storage_marked(c->in[0]->storage, WN__MARK_FACT)) return true;
    return op->zero == WN__ZERO_MEETS && c->nin == 2 && c->in[1] && (c->in[0]->dtype == WN_BOOL) != (c->in[1]->dtype == WN_BOOL);
}
void wn__pass_zeros(wn__call *c);

/* Of a product, before its operands run: facts that hold only if something is finite are looked at now, or are lost. */
static inline void wn__settle_facts(const wn__call *c) {
    for (int i = 0; i < c->nin; i++)
        if (c->in[i] && __builtin_expect(wn__storage_marked(c->in[i]->storage, WN__MARK_FACT), 0)) (void)wn__fact_of(c->in[i]);
}
/* Notes the fact that the row itself says of c's result. */
static inline void wn__say_zeros(wn__call *c) {
    if (__builtin_expect(c->op->fact != NULL, 0) && !c->meta && c->out[0] && c->out[0]->numel >= WN__FACT_LEAST) wn__fact_say(c->out[0], c->op->fact(c));
}
#endif
