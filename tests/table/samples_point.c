/* Arguments of numeric.def, activation.def and special.def. */
#include "table.h"

static wn_tensor *self_of(sample *s, const char *name, wn_dims shape) {
    wn_tensor *t = data(s, shape);
    set_tensor(s, name, t);
    return t;
}

static void s_hardtanh(sample *s) {
    generic(s);
    set_int(s, "min_val", s->spec.dtype == WN_U8 ? 0 : -1);
    set_float(s, "max_val", 2);
}
static void s_softshrink(sample *s) {
    self_of(s, "self", s->shape);
    if (maybe(s, 2)) set_float(s, "lambd", 0.75);
}
static void s_celu(sample *s) {
    self_of(s, "self", s->shape);
    if (maybe(s, 2)) set_float(s, "alpha", 1.5);
}
static void s_one_dtype(sample *s) {
    if (s->spec.dtype2 && s->spec.dtype2 != s->spec.dtype) s->na = true;
    generic(s);
}
static void s_addcdiv(sample *s) { /* divides no integers by integers */
    if (!is_float(s->spec.dtype2 ? s->spec.dtype2 : s->spec.dtype)) s->na = true;
    generic(s);
    wn_addcdiv_args *a = (void *)s->args;
    if (a->tensor1.kind == WN_VAL_INT && a->tensor2.kind == WN_VAL_INT) a->tensor1 = wn_val_of_float(1.5);
}
static void s_rrelu(sample *s) {
    self_of(s, "self", s->shape);
    if (maybe(s, 2)) set_float(s, "lower", 0.25);
    set_float(s, "upper", 0.5);
}
static wn_dims even(sample *s, int *at) {
    wn_dims d = s->shape;
    if (s->spec.mode == SCALAR) s->na = true;
    if (d.n < 1) d = D(2);
    *at = (int)below(s, d.n);
    d.v[*at] += d.v[*at] % 2;
    return d;
}
static void s_glu(sample *s) {
    int at;
    wn_dims d = even(s, &at);
    self_of(s, "self", d);
    set_int(s, "dim", maybe(s, 2) ? at : at - d.n);
}
static void s_glu_backward(sample *s) {
    int at;
    wn_dims d = even(s, &at), half = d;
    half.v[at] /= 2;
    self_of(s, "grad_output", half);
    set_tensor(s, "self", data(s, d));
    set_int(s, "dim", maybe(s, 2) ? at : at - d.n);
    if (s->nmade > 1 && wn_dtype_of(s->made[0]) != wn_dtype_of(s->made[1])) s->na = true;
}
static void s_prelu(sample *s) {
    wn_dims d = s->shape;
    self_of(s, "self", d);
    int64_t channels = d.n > 1 ? d.v[1] : 1;
    set_tensor(s, "weight", data(s, maybe(s, 3) || d.n < 1 ? D(1) : D(channels)));
    if (wn_dtype_of(s->made[0]) != wn_dtype_of(s->made[1])) s->na = true;
}
static void s_polygamma(sample *s) {
    bool of = strcmp(s->op->cname, "polygamma") != 0;
    set_tensor(s, "self", data_in(s, s->shape, 0.5, 6)); /* away from the poles, where differences tell nothing */
    set_int(s, "n", of + below(s, 3));
}
static void s_igamma(sample *s) { /* moderate arguments: the naive series is all there is to compare with */
    set_tensor(s, "self", data_in(s, s->shape, 0.25, 12));
    set_tensor(s, "other", data_in(s, s->shape, 0.25, 6));
}
static void s_zeta(sample *s) {
    set_tensor(s, "self", data_in(s, s->shape, 1.25, 6));
    set_tensor(s, "other", data_in(s, s->shape, 0.25, 20));
}
static void s_positive(sample *s) { set_tensor(s, s->op->fields[0].name, data_in(s, s->shape, 0.0625, 40)); }
static void s_moderate(sample *s) { set_tensor(s, s->op->fields[0].name, data_in(s, s->shape, s->spec.dtype == WN_U8 ? 0 : -4, 4)); }
static void polynomial(sample *s, int highest) {
    const bool some_unsigned = s->spec.dtype == WN_U8 || s->spec.dtype2 == WN_U8;
    set_tensor(s, "x", data_in(s, s->shape, some_unsigned ? 0 : -2, 2));
    set_tensor(s, "n", data_in(s, s->shape, some_unsigned ? 0 : -1, highest));
}
static void s_polynomial(sample *s) { polynomial(s, 7); }
static void s_hermite(sample *s) { polynomial(s, 4); } /* near a root of higher ones terms of 10^4 cancel */
static void s_logspace(sample *s) {
    set_int(s, "start", 1);
    set_int(s, "end", 3);
    set_int(s, "steps", 1 + below(s, 5));
    set_float(s, "base", 2);
    set_int(s, "dtype", s->spec.dtype);
}

const entry point_entries[] = {
    {"hardtanh", s_hardtanh, 0}, {"hardtanh_backward", s_hardtanh, 0}, {"softshrink", s_softshrink, 0}, {"celu", s_celu, 0},
    {"addcdiv", s_addcdiv, 0}, {"lerp", s_one_dtype, 0}, {"heaviside", s_one_dtype, 0}, {"rrelu", s_rrelu, 0}, {"glu", s_glu, 0}, {"glu_backward", s_glu_backward, 0}, {"prelu", s_prelu, 0},
    {"polygamma", s_polygamma, LOOSE}, {"polygamma_of", s_polygamma, LOOSE}, {"logspace", s_logspace, NO_REFERENCE}, {"logspace_tensor", s_logspace, NO_REFERENCE},
    {"mish_backward", NULL, LOOSE}, /* sums that nearly vanish near -1.2 */
    {"tanhshrink", NULL, LOOSE}, /* a difference of neighbours near 0 */
    {"nextafter", NULL, NO_GRADCHECK | NO_REFERENCE}, /* steps of its dtype */
    {"igamma", s_igamma, LOOSE | NO_GRADCHECK}, {"igammac", s_igamma, LOOSE | NO_GRADCHECK}, {"zeta", s_zeta, LOOSE | NO_GRADCHECK}, {"erfcx", NULL, LOOSE}, {"log_ndtr", NULL, LOOSE},
    {"modified_bessel_k0", s_positive, LOOSE}, {"modified_bessel_k1", s_positive, LOOSE}, {"scaled_modified_bessel_k0", s_positive, LOOSE}, {"scaled_modified_bessel_k1", s_positive, LOOSE},
    {"i0", NULL, LOOSE}, {"i0e", NULL, LOOSE}, {"i1", NULL, LOOSE}, {"i1e", NULL, LOOSE}, {"ndtri", NULL, LOOSE},
    {"bessel_j0", s_moderate, LOOSE}, {"bessel_j1", s_moderate, LOOSE}, {"airy_ai", s_moderate, LOOSE}, {"bessel_y0", s_positive, LOOSE}, {"bessel_y1", s_positive, LOOSE},
    {"chebyshev_polynomial_t", s_polynomial, LOOSE},
    {"chebyshev_polynomial_u", s_polynomial, LOOSE},
    {"chebyshev_polynomial_v", s_polynomial, LOOSE},
    {"chebyshev_polynomial_w", s_polynomial, LOOSE},
    {"shifted_chebyshev_polynomial_t", s_polynomial, LOOSE},
    {"shifted_chebyshev_polynomial_u", s_polynomial, LOOSE},
    {"shifted_chebyshev_polynomial_v", s_polynomial, LOOSE},
    {"shifted_chebyshev_polynomial_w", s_polynomial, LOOSE},
    {"hermite_polynomial_h", s_hermite, LOOSE},
    {"hermite_polynomial_he", s_hermite, LOOSE},
    {"laguerre_polynomial_l", s_polynomial, LOOSE},
    {"legendre_polynomial_p", s_polynomial, LOOSE},
    {"logaddexp", NULL, LOOSE}, {"logaddexp2", NULL, LOOSE}, /* as where the two parts cancel */
    {NULL, NULL, 0},
};
