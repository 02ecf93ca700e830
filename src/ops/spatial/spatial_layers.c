/* Layers over spatial tensors, composed of rows. */
#include "ops/norm/norm.h"
#include "ops/spatial/spatial.h"
#include "ops/which.h"

/* ------------------------------------------------------------------ normalisation */

/* A line of C numbers for each of n images. */
static wn_tensor *for_images(wn_tensor *t, int64_t n) {
    return t ? wn_reshape(wn_clone(wn_expand(t, WN_DIMS(n, wn_numel(t)))), WN_DIMS(-1)) : NULL;
}

/* The running statistic becomes the mean over the images of what batch_norm made of its copies. */
static wn_status land(wn_tensor *running, wn_tensor *copies, int64_t n, int64_t channels) {
    if (!running) return WN_OK;
    WN_NO_GRAD();
    return wn_ok(wn_copy_(running, wn_mean(wn_reshape(copies, WN_DIMS(n, channels)), .dims = WN_DIMS(0)))) ? WN_OK : wn_error();
}

wn_status wn__op_instance_norm(wn__call *c) {
    const wn_instance_norm_args *a = c->args;
    const bool fresh = wn_is_on(a->use_input_stats, true);
    const wn_dims size = wn_shape(a->input);
    if (size.n < 2) return wn__fail_op(c, WN_E_RUNTIME, "Expected at least 2 dimensions, but got input %s", wn__desc(a->input));
    if (!fresh && (!a->running_mean || !a->running_var)) return wn__fail_op(c, WN_E_RUNTIME, "Expected running_mean and running_var to be defined when use_input_stats is false");
    const int64_t n = size.v[0], channels = size.v[1];
    const wn_tensor *lines[] = {a->weight, a->bias, a->running_mean, a->running_var};
    static const char *const names[] = {"weight", "bias", "running_mean", "running_var"};
    for (int i = 0; i < 4; i++)
        if (lines[i] && (lines[i]->ndim != 1 || lines[i]->shape[0] != channels))
            return wn__fail_op(c, WN_E_RUNTIME, "%s should contain %lld elements not %s", names[i], (long long)channels, wn__desc(lines[i]));
    int64_t all;
    if (__builtin_mul_overflow(n, channels, &all)) return wn__fail_op(c, WN_E_RUNTIME, "input %s is too large", wn__desc(a->input));
    wn_dims flat = size;
    flat.v[0] = 1;
    flat.v[1] = all;
    wn_tensor *mean = for_images(a->running_mean, n), *var = for_images(a->running_var, n);
    wn_tensor *y = wn_batch_norm(wn_reshape(wn_contiguous(a->input), flat), .weight = for_images(a->weight, n), .bias = for_images(a->bias, n), .running_mean = mean,
                                 .running_var = var, .training = fresh, .momentum = a->momentum, .eps = a->eps);
    if (!wn_ok(y)) return wn_error();
    if (fresh && n) {
        wn_status st = land(a->running_mean, mean, n, channels);
        if (!st) st = land(a->running_var, var, n, channels);
        if (st) return st;
    }
    return wn__give(c, 0, wn_reshape(y, size));
}

wn_status wn__op_local_response_norm(wn__call *c, wn_tensor *input, int64_t size_given, double alpha, double beta,
                                     double k) {
    const wn_dims size = wn_shape(input);
    if (size.n < 3) return wn__fail_op(c, WN_E_VALUE, "Expected 3D or higher dimensionality input (got %d dimensions)", size.n > 0 ? size.n : 0);
    if (input->numel == 0) return wn__give(c, 0, input);
    if (size_given < 1) return wn__fail_op(c, WN_E_RUNTIME, "kernel size should be greater than zero, but got %lld", (long long)size_given);
    /* [N, 1, C, rest]: the average of a window of channels */
    wn_tensor *square = wn_reshape(wn_mul(input, input), WN_DIMS(size.v[0], 1, size.v[1], -1));
    square = wn_pad(square, WN_DIMS(0, 0, size_given / 2, (size_given - 1) / 2));
    wn_tensor *mean = wn_reshape(wn_avg_pool2d(square, WN_DIMS(size_given, 1), .stride = WN_DIMS(1)), size);
    return wn__give(c, 0, wn_div(input, wn_pow(wn_add(wn_mul(mean, alpha), k), beta)));
}

/* ------------------------------------------------------------------ dropout */

static wn_status check_p(wn__call *c, double p) {
    return p >= 0 && p <= 1 ? WN_OK : wn__fail_op(c, WN_E_RUNTIME, "dropout probability has to be between 0 and 1, but got %g", p);
}
/* The shape of the noise for whole channels. */
static wn_dims channels_of(const wn_tensor *x) {
    wn_dims d = {.n = x->ndim};
    for (int i = 0; i < d.n; i++) d.v[i] = i < 2 ? x->shape[i] : 1;
    return d;
}
static wn_tensor *noise_of(wn_tensor *x, bool features, double keep) {
    if (!features) return wn_bernoulli_p_(wn_empty_like(x), keep);
    return wn_bernoulli_p_(wn_empty(channels_of(x), .dtype = wn_dtype_of(x)), keep);
}

wn_status wn__op_feature_dropout(wn__call *c, wn_tensor *input, double p, bool train) {
    wn_status st = check_p(c, p);
    if (st) return st;
    if (!train || p == 0 || input->numel == 0) return wn__give(c, 0, input);
    if (input->ndim < 2) return wn__fail_op(c, WN_E_RUNTIME, "Feature dropout requires at least 2 dimensions in the input, got %s", wn__desc(input));
    if (p == 1) return wn__give(c, 0, wn_mul(input, wn_zeros_like(input)));
    return wn__give(c, 0, wn_mul(input, wn_div(noise_of(input, true, 1 - p), 1 - p)));
}

wn_status wn__op_alpha_dropout(wn__call *c, wn_tensor *x, double p, bool train) {
    const bool features = c->op->which == WN__DROP_CHANNELS;
    const double low = 1.7580993408473766; /* selu's limit to the left is -low */
    wn_status st = check_p(c, p);
    if (st) return st;
    if (!train || p == 0 || x->numel == 0) return wn__give(c, 0, x);
    if (features && x->ndim < 2) return wn__fail_op(c, WN_E_RUNTIME, "Feature dropout requires at least 2 dimensions in the input, got %s", wn__desc(x));
    if (!wn__is_float(x->dtype)) return wn__fail_op(c, WN_E_RUNTIME, "result type Float can't be cast to the desired output type %s", wn__dtype_word(x->dtype));
    if (p == 1) return wn__give(c, 0, wn_mul(x, wn_zeros_like(x)));
    const double scale = 1 / __builtin_sqrt((low * low * p + 1) * (1 - p));
    wn_tensor *noise = noise_of(x, features, 1 - p);
    wn_tensor *shift = wn_add(wn_mul(wn_sub(noise, 1), low * scale), low * scale * p);
    return wn__give(c, 0, wn_add(wn_mul(x, wn_mul(noise, scale)), shift));
}

/* ------------------------------------------------------------------ products */

wn_status wn__op_bilinear(wn__call *c, wn_tensor *x, wn_tensor *y, wn_tensor *w, wn_tensor *bias) {
    bool fits = x->ndim == y->ndim && x->ndim > 0 && w->ndim == 3;
    if (x->ndim != y->ndim) return wn__fail_op(c, WN_E_RUNTIME, "bilinear(): input dimensions do not match: got %s and %s", wn__desc(x), wn__desc(y));
    for (int d = 0; fits && d < x->ndim - 1; d++) fits = x->shape[d] == y->shape[d];
    if (!fits) return wn__fail_op(c, WN_E_RUNTIME, "bilinear(): inputs %s and %s do not fit each other and weight %s", wn__desc(x), wn__desc(y), wn__desc(w));
    if (x->shape[x->ndim - 1] != w->shape[1]) return wn__fail_op(c, WN_E_RUNTIME, "bilinear(): input1 size does not match weight size: got %s but expected %s", wn__desc(x), wn__desc(w));
    if (y->shape[y->ndim - 1] != w->shape[2]) return wn__fail_op(c, WN_E_RUNTIME, "bilinear(): input2 size does not match weight size: got %s but expected %s", wn__desc(y), wn__desc(w));
    if (bias && (bias->ndim != 1 || bias->shape[0] != w->shape[0]))
        return wn__fail_op(c, WN_E_RUNTIME, "bilinear(): bias size does not match weight size: got %s but expected %lld elements", wn__desc(bias), (long long)w->shape[0]);
    if (x->ndim == WN_MAX_DIMS) return wn__fail_op(c, WN_E_RUNTIME, "at most %d dimensions are supported", WN_MAX_DIMS - 1);
    wn_dims shape = wn_shape(x);
    const int64_t n1 = w->shape[1], n2 = w->shape[2], out = w->shape[0];
    shape.v[shape.n - 1] = out;
    const int64_t rows = x->numel / (n1 ? n1 : 1);
    wn_tensor *r;
    if (x->numel == 0 || y->numel == 0 || out == 0) {
        r = wn_sum(wn_mul(wn_mul(wn_reshape(x, WN_DIMS(rows, 1, n1, 1)), wn_reshape(y, WN_DIMS(rows, 1, 1, n2))), w), .dims = WN_DIMS(2, 3), .dtype = wn_dtype_of(w));
    } else { /* (x W) y: W as a matrix [n1, out * n2], then each row's [out, n2] times its y */
        wn_tensor *by = wn_reshape(wn_permute(w, WN_DIMS(1, 0, 2)), WN_DIMS(n1, out * n2));
        wn_tensor *left = wn_reshape(wn_mm(wn_reshape(x, WN_DIMS(rows, n1)), by), WN_DIMS(rows, out, n2));
        r = wn_squeeze_dim(wn_bmm(left, wn_reshape(y, WN_DIMS(rows, n2, 1))), 2);
    }
    r = wn_reshape(r, shape);
    return wn__give(c, 0, bias ? wn_add(r, bias) : r);
}

