/* What rows say of zeros (.zero): computed, on every dtype that they have, with the numbers of the samples. */
#include "table.h"

static wn_tensor *operand(const sample *s, int tensor) {
    const wn_field *f = &s->op->fields[s->op->tensors[tensor]];
    const unsigned char *at = s->args + f->offset;
    if (f->kind == WN_K_TENSOR) return *(wn_tensor *const *)(const void *)at;
    const wn_val *v = (const void *)at;
    return f->kind == WN_K_VALUE && v->kind == WN_VAL_TENSOR ? v->u.t : NULL;
}

static bool is_mask(const wn_op *op, int tensor) {
    for (int i = 0; i < op->noperands; i++)
        if (op->operands[i] == op->tensors[tensor]) return op->bool_operands >> i & 1;
    return false;
}

/* Zeros of either sign in one operand, none in the others (0 / 0), and sometimes other numbers than the sample's: hardtanh's bounds 1 and 1. */
static bool prepare(sample *s, int tensor, bool ones, double zero) {
    const wn_op *op = s->op;
    for (int k = 0; k < op->ntensors; k++) {
        wn_tensor *t = operand(s, k);
        for (int64_t i = 0; t && !is_mask(op, k) && i < wn_numel(t); i++)
            if (k == tensor || get_f(t, i) == 0) put(t, i, k == tensor ? zero : 1, k != tensor);
    }
    for (int i = 0; ones && i < op->nfields; i++)
        if (op->fields[i].kind == WN_K_SCALAR) set_float(s, op->fields[i].name, 1);
    return operand(s, tensor) != NULL;
}

/* Runs the row with zeros in one operand. 1: every element is zero, 0: one is not, -1: it refuses these arguments. */
static int zero_everywhere(const wn_op *op, spec sp, int tensor, sample *s) {
    if (!sample_make(s, op, sp)) return -1;
    result r = prepare(s, tensor, sp.seed & 1, sp.seed & 2 ? -0.0 : 0.0) ? run_row(s) : (result){.status = WN_E_VALUE};
    int all = r.status || !r.outs.n ? -1 : 1;
    for (int64_t i = 0; all == 1 && i < wn_numel(result_at(&r, 0)); i++)
        all = is_float(wn_dtype_of(result_at(&r, 0))) ? get_f(result_at(&r, 0), i) == 0 : get_i(result_at(&r, 0), i) == 0;
    result_free(&r);
    return all;
}

void check_zero(const wn_op *op) {
    if (!op->zero) return; /* wngen demands it where it must be said */
    enum { SEEDS = 8 };
    const bool keeps = op->zero != WN__ZERO_NOT;
    bool other = false;
    int ran = 0;
    for (int d = WN_F32; d <= WN_BOOL; d++)
        for (uint64_t k = 0; k < SEEDS; k++)
            for (int tensor = 0; tensor < (op->zero == WN__ZERO_MEETS ? op->ntensors : 1); tensor++) {
                if (is_mask(op, tensor)) continue;
                sample s = {0};
                const int zero = zero_everywhere(op, (spec){.dtype = (wn_dtype)d, .domain = POSITIVE, .full_first = true, .seed = 300 + k}, tensor, &s);
                if (zero >= 0 && keeps) check(C_FLAGS, zero, &s, ".zero: zeros in argument %d do not give zeros", tensor);
                ran += zero >= 0;
                other |= zero == 0;
                sample_free(&s);
            }
    sample none = {.op = op, .spec = {.dtype = WN_F32}};
    check(C_FLAGS, ran > 0, &none, ".zero: no sample succeeds");
    check(C_FLAGS, keeps || other, &none, ".zero = NOT, but zeros give zeros");
}
