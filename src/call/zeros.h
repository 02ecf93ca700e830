/* Facts that results have because their operands or rows say so. */
#ifndef WN_CALL_ZEROS_H
#define WN_CALL_ZEROS_H
#include "support/fact.h"
#include "table/call.h"

/* May a fact of the first tensor go on to the result of this pointwise row? One question for most calls. */
static inline bool wn__may_pass_zeros(const wn__call *c) {
    return c->op->zero != WN__ZERO_NOT && c->op->zero && c->nin && c->in[0] && wn__storage_marked(c->in[0]->storage, WN__MARK_FACT);
}
void wn__pass_zeros(wn__call *c);

/* Has what c has made a fact by its row? */
static inline void wn__say_zeros(wn__call *c) {
    if (__builtin_expect(c->op->fact != NULL, 0) && c->out[0] && c->out[0]->numel >= WN__FACT_LEAST) wn__fact_say(c->out[0], c->op->fact(c));
}
#endif
