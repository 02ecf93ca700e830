/* The two halves of einsum: reading (einsum.c) and the order of contraction (einsum_path.c). */
#ifndef WN_OPS_EINSUM_H
#define WN_OPS_EINSUM_H
#include "base/alloc.h"
#include "ops/product/contract.h"

/* Contracts n >= 2 operands (t and their labels, distinct in each, are used up) to a tensor with the labels `out`, in the order
 * that *have tells; borrowed from the scope, bad after an error. */
wn_tensor *wn__einsum_pairs(wn__call *c, int64_t n, wn_tensor **t, wn__labels *labels, const int64_t *size, const wn__labels *out,
                            wn__labels *have);
/* Sums t over the dimensions whose label is not kept; l follows. dtype as for sum. */
wn_tensor *wn__sum_labels(wn_tensor *t, wn__labels *l, const bool *keep, wn_dtype dtype);
/* t, labelled l, with its dimensions in the order of `want`. */
wn_tensor *wn__order_labels(wn_tensor *t, const wn__labels *l, const wn__labels *want);
#endif
