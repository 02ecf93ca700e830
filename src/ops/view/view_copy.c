/* The copying twins of views in several pieces. */
#include "call/dispatch.h"

static wn_status all_of(wn__call *c, wn_list pieces, bool copy) {
    if (!pieces.v) return c->th->error;
    wn_status st = wn__give_list(c, pieces.n);
    for (int64_t i = 0; i < pieces.n && !st; i++) {
        wn_tensor *x = copy ? wn_contiguous_copy(pieces.v[i]) : pieces.v[i];
        if (!wn_ok(x)) st = c->th->error;
        else c->list[i] = wn__retain(x);
    }
    return st;
}
/* Pieces that may each be changed in place: whoever calls unsafe_split says that he reads the others no more. */
static wn_list unsafe(wn_list pieces) {
    for (int64_t i = 0; i < pieces.n; i++)
        if (wn_ok(pieces.v[i]) && pieces.v[i]->grad) pieces.v[i]->grad->multi_view = false;
    return pieces;
}

/* a: the call's arguments. */
#define LIST(name, pieces, copy)                                                                                       \
    static wn_list name##_of(const wn_##name##_args *a) { return pieces; }                                             \
    wn_status wn__op_##name(wn__call *c) { WN_SCOPE(s); return all_of(c, name##_of(c->args), copy); }
LIST(unbind_copy, wn_unbind(a->self, .dim = a->dim), true)
LIST(split_copy, wn_split(a->self, a->split_size, .dim = a->dim), true)
LIST(split_with_sizes_copy, wn_split_with_sizes(a->self, a->split_sizes, .dim = a->dim), true)
LIST(unsafe_split, unsafe(wn_split(a->self, a->split_size, .dim = a->dim)), false)
LIST(unsafe_split_with_sizes, unsafe(wn_split_with_sizes(a->self, a->split_sizes, .dim = a->dim)), false)
LIST(unsafe_chunk, unsafe(wn_chunk(a->self, a->chunks, .dim = a->dim)), false)
