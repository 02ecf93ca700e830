/* Every row on the meta device: the same results as where there are values, but for these; gradients, too. */
#include "base/alloc.h"
#include "table.h"

enum { SLOTS = 64 };

/* A tensor on the meta device that lies as t does. */
static wn_tensor *without_elements(const wn_tensor *t) {
    const size_t size = wn_dtype_size((wn_dtype)t->dtype);
    wn_tensor *all = wn_empty(dims_of_list(1, (int64_t[]){(int64_t)(t->storage->bytes / size)}), .dtype = (wn_dtype)t->dtype, .device = WN_META);
    wn_dims shape = wn_shape(t), strides = wn_strides(t);
    if (t->ndim == 0) shape = strides = WN_0D;
    wn_tensor *v = wn_as_strided(all, shape, strides, .storage_offset = wn_val_of_int(t->offset));
    if (wn_ok(v) && t->flags & WN__T_WEAK) v->flags |= WN__T_WEAK;
    return v;
}

/* s with its tensors there; in the caller's scope. False: a tensor lies as no view can. */
static bool move(sample *s) {
    wn_tensor **slots[SLOTS], *old[SLOTS];
    const int n = tensor_slots(s, slots, SLOTS);
    for (int i = 0; i < n; i++) {
        old[i] = *slots[i];
        int k = 0;
        while (k < i && old[k] != old[i]) k++;
        *slots[i] = k < i ? *slots[k] : without_elements(old[i]);
        if (!wn_ok(*slots[i])) return false;
    }
    return true;
}

/* A row that does says so: DATA_DEPENDENT, or VALUES where it is composed of others. */
static bool may_read_values(const sample *s) { return s->op->flags & (WN__F_DATA_DEPENDENT | WN__F_VALUES); }
static bool values_read(const char *message) {
    return strstr(message, "depend on values") || strstr(message, "depends on its values") || strstr(message, "called on meta tensors") || strstr(message, "copy out of meta tensor");
}

static void compare(const sample *s, const result *r, const wn_outs *outs) {
    if (!check(C_FLAGS, outs->n == r->outs.n, s, "on meta: %lld results", (long long)outs->n)) return;
    for (int64_t i = 0; i < outs->n; i++) {
        const wn_tensor *t = outs->v[i], *u = result_at(r, i);
        check(C_FLAGS, wn_device_of(t) == WN_META, s, "on meta: result %lld is in main memory", (long long)i);
        const bool same = t->dtype == u->dtype && wn__same_shape(t, u) && (t->numel < 2 || wn__lies_so(u, t->strides));
        check(C_FLAGS, same, s, "on meta: result %lld is another, %s", (long long)i, wn__desc(t));
    }
}

static void backward(sample *s, const wn_outs *outs) {
    wn_tensor *loss = NULL;
    for (int64_t i = 0; i < outs->n; i++)
        if (wn_needs_grad(outs->v[i])) loss = loss ? wn_add(loss, wn_sum(outs->v[i])) : wn_sum(outs->v[i]);
    if (!loss) return;
    const wn_status st = wn_backward(loss);
    check(C_FLAGS, !st || values_read(wn_error_message()) || strstr(wn_error_message(), "Double backward is unsupported") /* it looks for zeros */ ||
                        strstr(wn_error_message(), "not implemented") /* nor is it elsewhere */, s, "on meta: backward: %s", wn_error_message());
    wn_tensor **slots[SLOTS];
    const int n = tensor_slots(s, slots, SLOTS);
    for (int i = 0; i < n && !st; i++) {
        const wn_tensor *g = wn_grad_of(*slots[i]);
        if (g) check(C_FLAGS, wn__same_shape(g, *slots[i]) && (wn_device_of(g) == WN_META || !g->numel), s, "on meta: another gradient, %s", wn__desc(g));
    }
    wn_clear();
}

void check_meta(const sample *like, const result *r) {
    const wn_op *op = like->op;
    sample s;
    if (!sample_make(&s, op, like->spec)) return;
    WN_MODE(.device = WN_META);
    if (move(&s)) {
        wn_tensor **slots[SLOTS];
        const int n = tensor_slots(&s, slots, SLOTS);
        for (int i = 0; i < n && op->grad && !(op->flags & (WN__F_INPLACE_ONLY | WN__F_MUTATES)); i++)
            if (wn__is_float((*slots[i])->dtype) && wn_is_leaf(*slots[i])) *slots[i] = wn_requires_grad(wn_get_data(*slots[i]), true);
        wn_outs outs;
        const int64_t before = wn_get_stats().allocations;
        const wn_status st = wn_call(op, s.args, &outs);
        const int64_t taken = wn_get_stats().allocations - before;
        if (!r->status) check(C_FLAGS, !st || may_read_values(&s), &s, "on meta: %s", wn_error_message());
        if (op->cls != WN__COMPOSITE) check(C_FLAGS, taken == 0, &s, "on meta: %lld blocks of memory", (long long)taken);
        wn_tensor *m[MAX_MADE];
        if (!st && !r->status && !mutated_arguments(&s, m)) compare(&s, r, &outs);
        wn_clear();
        if (!st) backward(&s, &outs);
        if (!st) wn_outs_drop(&outs);
    }
    wn_clear();
    sample_free(&s);
}
