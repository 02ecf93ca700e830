/* Distributions in T: included by draws.c behind as_f32.h and as_f64.h. */

/* Running sums of a row in its precision (f32 for the half types), the last one 1. An error for what is no distribution. */
static wn_status OF(sums)(wn__call *c, const wn_tensor *p, int64_t row, T *sums) {
    int64_t n = p->shape[1];
    T sum = 0;
    const char *at = (const char *)wn__ptr(p) + (size_t)(row * n) * wn__dtype_size(p->dtype);
    for (int64_t i = 0; i < n; i++) {
        T v = (T)wn__load_f64((wn_dtype)p->dtype, at + (size_t)i * wn__dtype_size(p->dtype));
        if (!(v >= 0) && !IS_NAN(v)) return wn__fail_op(c, WN_E_RUNTIME, "invalid multinomial distribution (encountering probability entry < 0)");
        if (!isfinite(v)) return wn__fail_op(c, WN_E_RUNTIME, "invalid multinomial distribution (encountering probability entry = infinity or NaN)");
        sums[i] = sum += v;
    }
    if (!(sum > 0)) return wn__fail_op(c, WN_E_RUNTIME, "invalid multinomial distribution (sum of probabilities <= 0)");
    for (int64_t i = 0; i < n; i++) sums[i] /= sum;
    sums[n - 1] = 1;
    return WN_OK;
}
