/* The listing of the design's section on the C interface, as it stands there; test_listing.sh compiles and runs it. */
#include <stdio.h>
#include <winnow.h>

static wn_tensor *layer(wn_tensor *x, wn_tensor *W, wn_tensor *b) {
    return wn_relu(wn_add(wn_matmul(x, W), b));        /* temporaries die with the caller's scope */
}

static wn_tensor *listing(wn_tensor *q, wn_tensor *k, wn_tensor *b, wn_tensor *y) {
    WN_SCOPE(s);                                            /* a declaration; ends at the brace, however we leave */
    wn_manual_seed(0);
    wn_tensor *x    = wn_reshape(wn_arange(12, .dtype = WN_F32), WN_DIMS(3, 4));
    wn_tensor *W    = wn_requires_grad(wn_ones(WN_DIMS(4, 2)), true);
    wn_tensor *mask = wn_gt(x, 5.5);                        /* scalars promote as in torch: category first */
    wn_tensor *s1   = wn_sum(wn_masked_select(x, mask));    /* x[mask] */
    wn_tensor *s2   = wn_sum(x, .where = mask);             /* same value, nothing materialised */
    wn_tensor *mu   = wn_mean(x, .dims = WN_DIMS(-1), .keepdim = true);
    wn_tensor *att  = wn_einsum("bhqd,bhkd->bhqk", q, k);
    wn_tensor *idx  = wn_topk(x, 2).indices;                /* fixed results: a struct by value; variable ones: wn_list, wn_at(l, i) */
    if (wn_backward(wn_sum(layer(x, W, b))) != WN_OK) puts(wn_error_message());
    double g        = wn_item_f64(wn_sum(wn_grad_of(W)));
    wn_tensor *bad  = wn_relu(wn_matmul(x, x));             /* shapes do not fit: wn_ok(bad) is false, the record says why */
    if (wn_ok(bad) || wn_item_f64(s1) != wn_item_f64(s2) || wn_item_f64(s1) != 51 || g != 132 || wn_ndim(att) != 4 || wn_size(idx, 1) != 2 ||
        wn_size(mu, 1) != 1 || wn_error() != WN_E_RUNTIME)
        return bad;
    wn_clear();
    return wn_leave(&s, y);                                 /* y moves to the caller's scope */
}

int main(void) {
    wn_set_error_hook(NULL);
    WN_SCOPE(s);
    wn_tensor *q = wn_ones(WN_DIMS(1, 2, 3, 4)), *k = wn_ones(WN_DIMS(1, 2, 5, 4)), *y = wn_ones(WN_DIMS(2));
    wn_tensor *r = listing(q, k, wn_zeros(WN_DIMS(2)), y);
    printf("%s %s\n", wn_ok(r) ? "ok" : "wrong", wn_error_message());
    return !wn_ok(r);
}
