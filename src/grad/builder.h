/* What functions that build a row's gradient can ask about the call. */
#ifndef WN_GRAD_BUILDER_H
#define WN_GRAD_BUILDER_H
#include "table/op.h"

int wn__grad_results(const wn__gradctx *c); /* number of entries of c->g */
bool wn__grad_wanted(const wn__gradctx *c, int i); /* for rows with lists: is the gradient of input i wanted? */
wn_dims wn__edge_dims(const struct wn__edge *e); /* the input's shape, as an argument for rows */
wn_dims wn__input_shape(const wn__gradctx *c, int i);
wn_dtype wn__input_dtype(const wn__gradctx *c, int i);
#endif
