/* Einsum: the operands' dimensions (0 to 2 elements each), then the equation. */
#include "pool.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    pool p;
    char equation[200] = "";
    pool_start(&p, data, size);
    WN_SCOPE(s);
    const int n = 1 + (int)next(&p, 4);
    for (int i = 0; i < n; i++) {
        int64_t shape[6];
        const int ndim = (int)next(&p, 7);
        for (int d = 0, bits = (int)next(&p, 256); d < ndim; d++, bits >>= 1) shape[d] = bits == 255 ? 0 : 1 + (bits & 1);
        pool_put(&p, wn__tensor_new(i & 1 ? WN_F64 : WN_F32, ndim, shape, NULL));
        if (wn_ok(p.t[i]) && !wn_ok(wn_fill_(p.t[i], 1))) wn_clear();
    }
    const size_t length = p.left < sizeof equation - 1 ? p.left : sizeof equation - 1;
    memcpy(equation, p.bytes, length);
    wn_einsum_args args = {.size_ = sizeof args, .equation = equation, .tensors = {.n = n, .v = p.t}};
    wn_tensor *y = wn_einsum_x(&args);
    if (wn_ok(y)) check_tensor(y), read_tensor(y);
    else if (!wn_error_message()[0]) broken("no message", y);
    pool_end(&p);
    return 0;
}
