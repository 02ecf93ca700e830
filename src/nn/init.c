/* Initial values of tensors, drawn as torch.nn.init draws them. */
#include <math.h>
#include "base/dtype.h"
#include "tensor/tensor.h"

wn_tensor *wn_init_constant(wn_tensor *t, double value) {
    WN_NO_GRAD();
    return wn_fill_(t, value);
}
wn_tensor *wn_init_uniform(wn_tensor *t, double low, double high, wn_generator *g) {
    WN_NO_GRAD();
    return wn_uniform_(t, low, high, .generator = g);
}
wn_tensor *wn_init_normal(wn_tensor *t, double mean, double std, wn_generator *g) {
    WN_NO_GRAD();
    return wn_normal_(t, mean, std, .generator = g);
}

/* ------------------------------------------------------------------ by the number of inputs and outputs */

static bool fans(const wn_tensor *t, double *in, double *out) {
    if (!wn_ok(t)) {
        wn__fail(WN_E_TYPE, "init", "the tensor is bad or absent");
        return false;
    }
    if (t->ndim < 2) {
        wn__fail(WN_E_VALUE, "init", "fan in and fan out can not be computed for %s: fewer than 2 dimensions", wn__desc(t));
        return false;
    }
    double field = 1;
    for (int d = 2; d < t->ndim; d++) field *= (double)t->shape[d];
    *in = (double)t->shape[1] * field;
    *out = (double)t->shape[0] * field;
    return true;
}

/* The products and roots are taken in PyTorch's order: the bound's last bit decides about the numbers' last bits. */
static bool kaiming_std(const wn_tensor *t, double a, wn_fan fan, double *std) {
    double in, out;
    if (!fans(t, &in, &out)) return false;
    *std = sqrt(2 / (1 + a * a)) / sqrt(fan == WN_FAN_OUT ? out : in);
    return true;
}
static bool xavier_std(const wn_tensor *t, double gain, double *std) {
    double in, out;
    if (!fans(t, &in, &out)) return false;
    *std = gain * sqrt(2 / (in + out));
    return true;
}
wn_tensor *wn_init_kaiming_uniform(wn_tensor *t, double a, wn_fan fan, wn_generator *g) {
    double std;
    if (!kaiming_std(t, a, fan, &std)) return &wn__bad_tensor;
    return t->numel ? wn_init_uniform(t, -sqrt(3) * std, sqrt(3) * std, g) : t;
}
wn_tensor *wn_init_kaiming_normal(wn_tensor *t, double a, wn_fan fan, wn_generator *g) {
    double std;
    if (!kaiming_std(t, a, fan, &std)) return &wn__bad_tensor;
    return t->numel ? wn_init_normal(t, 0, std, g) : t;
}
wn_tensor *wn_init_xavier_uniform(wn_tensor *t, double gain, wn_generator *g) {
    double std;
    if (!xavier_std(t, gain, &std)) return &wn__bad_tensor;
    return t->numel ? wn_init_uniform(t, -sqrt(3) * std, sqrt(3) * std, g) : t;
}
wn_tensor *wn_init_xavier_normal(wn_tensor *t, double gain, wn_generator *g) {
    double std;
    if (!xavier_std(t, gain, &std)) return &wn__bad_tensor;
    return t->numel ? wn_init_normal(t, 0, std, g) : t;
}

/* ------------------------------------------------------------------ by rows and decompositions */

wn_tensor *wn_init_trunc_normal(wn_tensor *t, double mean, double std, double low, double high, wn_generator *g) {
    if (!wn_ok(t)) return wn__bad(WN_E_TYPE, "init", "the tensor is bad or absent");
    WN_NO_GRAD();
    return wn_trunc_normal_(t, mean, std, low, high, .generator = g);
}

wn_tensor *wn_init_orthogonal(wn_tensor *t, double gain, wn_generator *g) {
    if (!wn_ok(t)) return wn__bad(WN_E_TYPE, "init", "the tensor is bad or absent");
    if (t->ndim < 2) return wn__bad(WN_E_VALUE, "orthogonal", "only tensors with 2 or more dimensions are supported, not %s", wn__desc(t));
    if (!t->numel) return t;
    WN_NO_GRAD();
    const int64_t rows = t->shape[0], cols = t->numel / rows;
    wn_tensor *flat = wn_normal_(wn_empty(WN_DIMS(rows, cols), .dtype = t->dtype, .device = wn_device_of(t)), 0, 1, .generator = g);
    if (rows < cols) flat = wn_t(flat);
    wn_linalg_qr_out qr = wn_linalg_qr(flat);
    wn_tensor *q = wn_mul(qr.Q, wn_sign(wn_diagonal(qr.R))); /* the decomposition whose R has a positive diagonal is unique */
    if (rows < cols) q = wn_t(q);
    if (!wn_ok(wn_copy_(t, wn_reshape(q, wn_shape(t))))) return &wn__bad_tensor;
    return wn_mul_(t, gain);
}
