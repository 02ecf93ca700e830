/* The in-place and out= forms against the plain one. */
#include "table.h"

/* A copy of a storage, and which of its bytes belong to elements of the tensor. */
typedef struct snapshot {
    unsigned char *bytes, *inside;
    size_t n;
    uint32_t version;
} snapshot;
static snapshot take(const wn_tensor *t) {
    snapshot p = {.n = t->storage->bytes, .version = wn_version(t)};
    p.bytes = malloc(p.n + 1);
    p.inside = calloc(p.n + 1, 1);
    memcpy(p.bytes, t->storage->data, p.n);
    size_t size = wn_dtype_size(wn_dtype_of(t));
    for (int64_t i = 0; i < wn_numel(t); i++) memset(p.inside + (size_t)element_at(t, i) * size, 1, size);
    return p;
}
static bool unchanged(const snapshot *p, const wn_tensor *t, bool gaps_only) {
    const unsigned char *now = t->storage->data;
    if (t->storage->bytes != p->n) return false;
    for (size_t i = 0; i < p->n; i++)
        if (now[i] != p->bytes[i] && !(gaps_only && p->inside[i])) return false;
    return gaps_only || wn_version(t) == p->version;
}
static void forget(snapshot *p) {
    free(p->bytes);
    free(p->inside);
}

static bool same_shape(const wn_tensor *a, const wn_tensor *b) {
    bool same = wn_ndim(a) == wn_ndim(b);
    for (int d = 0; same && d < wn_ndim(a); d++) same = wn_size(a, d) == wn_size(b, d);
    return same;
}
/* Does t hold r's elements, converted to its dtype? */
static bool landed(const wn_tensor *t, const wn_tensor *r) {
    if (wn_dtype_of(t) == wn_dtype_of(r)) return same_bits(t, r);
    for (int64_t i = 0; i < wn_numel(t); i++) {
        wn_dtype d = wn_dtype_of(t);
        double x = is_float(wn_dtype_of(r)) ? get_f(r, i) : (double)get_i(r, i), y = get_f(t, i);
        if (is_float(d) ? y != round_to(d, x) && !(x != x && y != y) : get_i(t, i) != wrap_to(d, get_i(r, i))) return false;
    }
    return true;
}

static void inplace(const wn_op *op, spec sp) {
    sample a, b;
    sp.full_first = true;
    if (!sample_make(&a, op, sp)) return;
    if (!sample_make(&b, op, sp)) {
        sample_free(&a);
        return;
    }
    const wn_field *first = &op->fields[op->tensors[0]];
    wn_tensor *target = NULL;
    if (first->kind == WN_K_TENSOR) target = *(wn_tensor **)(void *)(b.args + first->offset);
    if (first->kind == WN_K_VALUE) target = ((wn_val *)(void *)(b.args + first->offset))->u.t;
    result r = run_row(&a);
    if (target) {
        bool fits = !r.status && same_shape(result_at(&r, 0), target) && can_land(wn_dtype_of(result_at(&r, 0)), wn_dtype_of(target)) && !wn__overlaps_itself(target);
        snapshot before = take(target);
        result i = run_row_inplace(&b);
        if (fits) {
            check(C_INPLACE, !i.status, &b, "fails in place: %s", i.message);
            if (!i.status) {
                check(C_INPLACE, i.outs.n == 1 && result_at(&i, 0) == target, &b, "the result is not the tensor itself");
                check(C_INPLACE, landed(target, result_at(&r, 0)), &b, "in place the result is another one");
                check(C_INPLACE, wn_version(target) > before.version, &b, "the version stays at %u", before.version);
                check(C_INPLACE, unchanged(&before, target, true), &b, "memory between the elements was changed");
            }
        } else if (i.status) {
            check(C_INPLACE, unchanged(&before, target, false) && i.message[0], &b, "failed (%s) and changed its target", i.message);
        } else {
            check(C_INPLACE, false, &b, "should fail in place: the plain form %s", r.status ? r.message : "has a result that does not fit");
        }
        forget(&before);
        result_free(&i);
    }
    result_free(&r);
    sample_free(&a);
    sample_free(&b);
}

static wn_tensor *make_out(const wn_tensor *r, bool sliced) {
    int n = wn_ndim(r);
    int64_t shape[WN_MAX_DIMS], strides[WN_MAX_DIMS], total = 1;
    for (int d = n - 1; d >= 0; d--) {
        shape[d] = wn_size(r, d);
        strides[d] = total * (sliced ? 2 : 1);
        total *= shape[d] * (sliced ? 2 : 1) + (sliced ? 1 : 0);
    }
    total += 2;
    wn_tensor *whole = wn__tensor_new(wn_dtype_of(r), 1, &total, NULL);
    memset(whole->storage->data, 1, whole->storage->bytes);
    wn_tensor *t = wn__tensor_view(whole, n, shape, strides, sliced ? 2 : 0);
    wn__release(whole);
    return t;
}

static void out_form(const wn_op *op, spec sp) {
    sample s;
    if (!sample_make(&s, op, sp)) return;
    result r = run_row(&s);
    for (int how = 0; how < 4 && !r.status; how++) {
        wn_tensor *want = result_at(&r, 0), *out = NULL;
        if (how < 2) out = make_out(want, how == 1);
        else if (how == 2) out = wn__tensor_new(wn_dtype_of(want), 1, (int64_t[]){0}, NULL); /* to be resized */
        else if (is_float(wn_dtype_of(want))) out = wn__tensor_new(WN_I32, wn_ndim(want), want->shape, NULL); /* cannot hold it */
        if (!out) continue;
        if (how == 3) memset(out->storage->data, 7, out->storage->bytes);
        snapshot before = take(out);
        *(wn_tensor **)(void *)(s.args + op->out_offset) = out;
        result o = run_row(&s);
        if (how == 3) {
            check(C_OUT, o.status && unchanged(&before, out, false), &s, "wrote floats to an int32 out, or changed it");
        } else if (check(C_OUT, !o.status, &s, "fails with out (%d): %s", how, o.message)) {
            check(C_OUT, result_at(&o, 0) == out && same_bits(out, want), &s, "out (%d) holds something else", how);
            check(C_OUT, how == 2 || wn_version(out) > before.version, &s, "the version of out stays at %u", before.version);
            if (how < 2) check(C_OUT, unchanged(&before, out, true), &s, "memory between the elements of out was changed");
        }
        *(wn_tensor **)(void *)(s.args + op->out_offset) = NULL;
        forget(&before);
        result_free(&o);
        wn__release(out);
    }
    result_free(&r);
    sample_free(&s);
}

void check_inplace(const wn_op *op) {
    int seeds = full ? 12 : 2;
    bool pointwise = op->cls == WN__POINTWISE, random_out = (op->flags & WN__F_RANDOM) && op->out_offset;
    for (int k = 0; k < seeds; k++)
        for (int d = WN_F32; d <= WN_BOOL; d++)
            for (int l = 0; l < LAYOUTS; l++) {
                spec sp = {.dtype = (wn_dtype)d, .layout = (layout)l, .seed = (uint64_t)(5000 + 40 * d + 4 * k + l), .domain = pointwise ? ANY : MIXED};
                bool has = op->flags & WN__F_INPLACE && !(op->flags & WN__F_INPLACE_ONLY) && op->ntensors;
                if (has) inplace(op, sp);
                if (has && pointwise && op->noperands > 1) {
                    sp.dtype2 = (wn_dtype)(1 + (d + 3 * k + l) % WN_BOOL);
                    inplace(op, sp);
                    sp.dtype2 = 0;
                }
                if (l == 0 || k == 0) sp.mode = l == 1 ? EMPTY : l == 2 ? SCALAR : NORMAL;
                if (op->out_offset && !random_out && (d % 3 == k % 3 || full)) out_form(op, sp);
            }
}
