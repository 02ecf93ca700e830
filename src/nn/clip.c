/* Limits of gradients: of their norm together, of each element. */
#include <math.h>
#include "tensor/tensor.h"
#include "tensor/scope.h"

/* The gradients that there are, as a list of the scope; v is NULL on failure. */
static wn_list gradients(wn_list parameters, const char *name) {
    wn_list g = {.n = 0, .v = wn__lend_array(wn__self(), parameters.n)};
    if (!g.v) {
        wn__fail_memory(name);
        return g;
    }
    for (int64_t i = 0; i < parameters.n; i++) {
        if (!wn_ok(parameters.v[i])) {
            wn__fail(WN_E_TYPE, name, "parameter %lld is bad or absent", (long long)i);
            return WN_NO_LIST;
        }
        wn_tensor *t = wn_grad_of(parameters.v[i]);
        if (!t) continue;
        if (!wn_ok(t)) return WN_NO_LIST;
        g.v[g.n++] = t;
    }
    return g;
}

wn_tensor *wn_clip_grad_norm_x(const wn_clip_grad_norm_args *a) {
    WN_NO_GRAD();
    const char *name = "clip_grad_norm";
    const double ord = a->norm_type == 0 ? 2 : a->norm_type;
    const wn_list g = gradients(a->parameters, name);
    wn_list norms = {.n = g.n, .v = wn__lend_array(wn__self(), g.n)};
    if (!g.v || !norms.v) return g.v ? wn__fail_memory(name), &wn__bad_tensor : &wn__bad_tensor;
    if (g.n == 0) return wn_escape(wn_zeros(WN_0D));
    for (int64_t i = 0; i < g.n; i++) norms.v[i] = wn_vector_norm(g.v[i], .ord = WN_VAL(ord));
    wn_tensor *total = wn_vector_norm(wn_stack(norms), .ord = WN_VAL(ord));
    if (a->error_if_nonfinite && wn_ok(total) && !isfinite(wn_item_f64(total)))
        return wn__bad(WN_E_RUNTIME, name, "the total norm of order %g of the gradients is non-finite, so they cannot be clipped", ord);
    wn_tensor *factor = wn_clamp(wn_div(a->max_norm, wn_add(total, 1e-6)), WN_NONE, 1.0);
    for (int64_t i = 0; i < g.n; i++)
        if (!wn_ok(wn_mul_(g.v[i], factor))) return &wn__bad_tensor;
    return wn_escape(total);
}

wn_status wn_clip_grad_value(wn_list parameters, double clip_value) {
    WN_NO_GRAD();
    const wn_list g = gradients(parameters, "clip_grad_value");
    if (!g.v) return wn_error();
    for (int64_t i = 0; i < g.n; i++)
        if (!wn_ok(wn_clamp_(g.v[i], -clip_value, clip_value))) return wn_error();
    return WN_OK;
}
