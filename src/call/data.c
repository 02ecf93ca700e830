/* `.data`: making a handle without history on the same memory, and giving a handle another storage. */
#include "call/autocast.h"
#include "grad/tape.h"

wn_status wn_set_data(wn_tensor *t, wn_tensor *src) {
    static const char op[] = "set_data";
    if (!wn_ok(t) || !wn_ok(src)) return wn_error() ? wn_error() : wn__fail(WN_E_TYPE, op, "a tensor is bad or absent");
    if (wn__needs_grad(t) && !wn__is_float(src->dtype))
        return wn__fail(WN_E_RUNTIME, op, "data set to a tensor that requires gradients must be floating point or complex dtype, got %s",
                        wn__desc(src));
    if (t == src) return WN_OK;
    wn__forget_base(t);
    wn__tensor_assign(t, src, !wn__is_float(t->dtype)); /* indices that were saved must stay within bounds: counted */
    t->flags &= (uint8_t)~WN__T_WEAK;
    if (!(src->flags & WN__T_INFERENCE)) t->flags &= (uint8_t)~WN__T_INFERENCE; /* like src */
    wn__thread *th = wn__self();
    if (th->casts) wn__autocast_forget(th); /* copies are found by the leaf's version, which stays */
    return WN_OK;
}

wn_tensor *wn_get_data(wn_tensor *t) {
    if (!wn_ok(t)) return wn__bad(WN_E_TYPE, "get_data", "the tensor is bad or absent");
    wn_tensor *r = wn__tensor_alias(t);
    if (!r) return wn__bad_memory("get_data");
    if (wn__is_float(r->dtype)) wn__uncount(r);
    return wn__lend(wn__self(), r);
}
