/* The copying twins of views. */
#include "call/dispatch.h"

static wn_status copied(wn__call *c, wn_tensor *view) { return wn__give(c, 0, wn_contiguous_copy(view)); }
static wn_dims given(wn_dims d) { return d.n ? d : WN_0D; }

/* a: the call's arguments. */
#define COPY(name, view)                                                                                               \
    wn_status wn__op_##name(wn__call *c) {                                                                             \
        const wn_##name##_args *a = c->args;                                                                           \
        WN_SCOPE(s);                                                                                                   \
        return copied(c, view);                                                                                        \
    }
COPY(alias_copy, a->self)
COPY(detach_copy, wn_detach(a->self))
COPY(as_strided_copy, wn_as_strided(a->self, given(a->size), given(a->stride), .storage_offset = a->storage_offset))
COPY(diagonal_copy, wn_diagonal(a->self, .offset = a->offset, .dim1 = a->dim1, .dim2 = a->dim2))
COPY(expand_copy, wn_expand(a->self, given(a->size)))
COPY(permute_copy, wn_permute(a->self, given(a->dims)))
COPY(select_copy, wn_select(a->self, a->dim, a->index))
COPY(slice_copy, wn_slice(a->self, wn__i64_or(a->dim, 0), a->start, a->end, .step = a->step))
COPY(narrow_copy, wn_narrow(a->self, a->dim, a->start, a->length))
COPY(squeeze_copy, wn_squeeze(a->self))
COPY(squeeze_copy_dim, wn_squeeze_dim(a->self, a->dim))
COPY(squeeze_copy_dims, wn_squeeze_dims(a->self, given(a->dims)))
COPY(t_copy, wn_t(a->self))
COPY(transpose_copy, wn_transpose(a->self, a->dim0, a->dim1))
COPY(unsqueeze_copy, wn_unsqueeze(a->self, a->dim))
COPY(unfold_copy, wn_unfold(a->self, a->dimension, a->size, a->step))
COPY(view_copy, wn_view(a->self, given(a->size)))
COPY(view_dtype_copy, wn_view_dtype(a->self, a->dtype))

/* ------------------------------------------------------------------ lists */

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

#define LIST(name, pieces, copy)                                                                                       \
    wn_status wn__op_##name(wn__call *c) {                                                                             \
        const wn_##name##_args *a = c->args;                                                                           \
        WN_SCOPE(s);                                                                                                   \
        return all_of(c, pieces, copy);                                                                                \
    }
LIST(unbind_copy, wn_unbind(a->self, .dim = a->dim), true)
LIST(split_copy, wn_split(a->self, a->split_size, .dim = a->dim), true)
LIST(split_with_sizes_copy, wn_split_with_sizes(a->self, given(a->split_sizes), .dim = a->dim), true)
LIST(unsafe_split, unsafe(wn_split(a->self, a->split_size, .dim = a->dim)), false)
LIST(unsafe_split_with_sizes, unsafe(wn_split_with_sizes(a->self, given(a->split_sizes), .dim = a->dim)), false)
LIST(unsafe_chunk, unsafe(wn_chunk(a->self, a->chunks, .dim = a->dim)), false)
