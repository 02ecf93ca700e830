/* Products of tensors that are known to be zero somewhere (support/fact.h): which terms the engine may leave out. */
#ifndef WN_PRODUCT_KNOWN_ZEROS_H
#define WN_PRODUCT_KNOWN_ZEROS_H
#include "engine/contraction.h"
#include "ops/product/contract.h"
#include "support/fact.h"

typedef struct wn__known_zeros {
    wn__reach a, b;
    wn__reach_box boxes_a[WN__BOXES_MOST], boxes_b[WN__BOXES_MOST];
    wn__kept kept;
    wn_support *sa, *sb; /* owned */
} wn__known_zeros;

/* Has one of them a fact that may be of use? Else nothing is to be done. */
static inline bool wn__may_know_zeros(const wn_tensor *a, const wn_tensor *b) {
    return wn__storage_marked(a->storage, WN__MARK_FACT) || wn__storage_marked(b->storage, WN__MARK_FACT);
}
/* k, a product of a and b with these labels, is told what it may leave out; room (sa and sb NULL) holds that while it runs, and then gives sa
 * and sb back (wn__free). Operands are in memory. */
void wn__tell_zeros(wn__contraction *k, const wn_tensor *a, const wn__labels *la, const wn_tensor *b, const wn__labels *lb,
                    const wn__labels *lo, wn__known_zeros *room);
/* Off which support the product y is zero; owned, NULL: nothing is known. An operand that is in memory is looked at, if that decides. */
wn_support *wn__zeros_of_product(const wn_tensor *a, const wn__labels *la, const wn_tensor *b, const wn__labels *lb, const wn_tensor *y, const wn__labels *lo);
#endif
