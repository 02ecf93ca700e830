/* Facts of results (support/fact.h): those that a row says of what it has made, and those that a pointwise row passes on by its .zero. */
#include "call/zeros.h"
#include <math.h>
#include "call/number.h"

/* Does a zero of the row's only tensor operand give a zero, whatever its numbers are? A factor or divisor that is inf, NaN or 0 may make NaN. */
static bool zero_gives_zero(const wn__call *c) {
    const wn_op *op = c->op;
    int tensors = 0;
    for (int i = 0; i < op->noperands; i++) {
        const wn_field *f = &op->fields[op->operands[i]];
        const char *p = (const char *)c->args + f->offset;
        double number = 1;
        switch (f->kind) {
        case WN_K_TENSOR: tensors += *(wn_tensor *const *)(const void *)p != NULL; break;
        case WN_K_INT: number = (double)*(const int64_t *)(const void *)p; break;
        case WN_K_FLOAT: number = *(const double *)(const void *)p; break;
        default: {
            const wn_val v = *(const wn_val *)(const void *)p;
            if (v.kind == WN_VAL_TENSOR) tensors++;
            else if (v.kind != WN_VAL_NONE) number = wn__val_f64(v);
        }
        }
        if (!isfinite(number) || number == 0) return false;
    }
    return tensors == 1;
}

void wn__pass_zeros(wn__call *c) {
    wn_tensor *y = c->out[0];
    const bool zero = c->op->zero == WN__ZERO_PICKS || zero_gives_zero(c);
    if (zero && y->numel >= WN__FACT_LEAST && wn__same_shape(y, c->in[0])) wn__fact_say(y, wn__fact_image(c->in[0]));
}

wn_support *wn__zeros_of_first(const wn__call *c) { return c->in[0] && c->out[0] && wn__same_shape(c->in[0], c->out[0]) ? wn__fact_image(c->in[0]) : NULL; }
