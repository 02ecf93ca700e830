/* Arguments that make no sense, or only just: numbers at the ends of their types and such whose sums and products wrap to something
 * harmless, tensors of 2^62 elements that lie on one another, tensors that share memory. They replace some of a sensible sample's. */
#include "table.h"

/* ------------------------------------------------------------------ numbers */

static int64_t around(sample *s, uint64_t x) { return (int64_t)(x + (uint64_t)below(s, 5) - 2); }

static int64_t far_int(sample *s) {
    static const uint64_t ends[] = {1ull << 31, 1ull << 32, 1ull << 62, INT64_MAX, 1ull << 63, 1ull << 61, 1ull << 60};
    switch (below(s, 8)) {
    case 0: return below(s, 24) - 4;
    case 1: return around(s, 0);
    case 2: return around(s, (uint64_t)INT64_MAX / (uint64_t)(1 + below(s, 24)));
    case 3: return around(s, 0 - (1ull << below(s, 64)));
    case 4: return around(s, 1ull << below(s, 64));
    default: return around(s, ends[below(s, 7)]);
    }
}
static int64_t odd_int(sample *s) {
    static const int64_t values[] = {0, 1, -1, 2, 3, -2, 7, 20, -100, 64, INT64_MAX, INT64_MIN}; /* none that memory could be had for */
    return values[below(s, maybe(s, 2) ? 7 : 12)];
}
static double far_float(sample *s) {
    static const double floats[] = {0, -1, 0.5, 2, 1e300, -1e-300, 0.0 / 0.0, 1.0 / 0.0, -1.0 / 0.0, 0x1p31, -0x1p31, 0x1p62, 0x1p63, -0x1p63, 0x1p64};
    return floats[below(s, 15)];
}

/* Odd numbers and their inverses modulo 2^64: a shape of the two has, to arithmetic that wraps, one element. */
static const uint64_t inverses[][2] = {{3, 0xaaaaaaaaaaaaaaab}, {0x100000001, 0xffffffff00000001}, {0x123456789abcdef, 0xddf7fa9e9e6d4c0f}, {7, 0x6db6db6db6db6db7}};

static uint64_t inverse(uint64_t a) {
    uint64_t x = a;
    for (int i = 0; i < 6; i++) x *= 2 - a * x;
    return x;
}

/* Numbers whose product wraps to the target. */
static wn_dims product_to(sample *s, int64_t target) {
    switch (below(s, 5)) {
    case 0: return D(1ll << 32, 1ll << 32);
    case 1: return D(1ll << 31, 1ll << 31, 4);
    case 2: return D(1ll << 62, 4, target);
    default: {
        const uint64_t a = maybe(s, 2) ? inverses[below(s, 4)][0] : (uint64_t)(2 * below(s, 256) + 3), b = inverse(a);
        return maybe(s, 2) ? D((int64_t)a, (int64_t)b) : D((int64_t)a, target, (int64_t)b);
    }
    }
}
/* Numbers whose sum wraps to the target. */
static wn_dims sum_to(sample *s, int64_t target) {
    const int64_t q = 1ll << 62, far = far_int(s);
    switch (below(s, 5)) {
    case 0: return D(q, q, q, around(s, (uint64_t)(q + target)));
    case 1: return D(INT64_MAX, INT64_MAX, target + 2);
    case 2: return D(INT64_MIN, INT64_MIN, target);
    case 3: return D(target, far, (int64_t)(0 - (uint64_t)far));
    default: return D(far, (int64_t)((uint64_t)target - (uint64_t)far));
    }
}
static wn_dims far_dims(sample *s, wn_dims given) {
    int64_t target = maybe(s, 2) ? product(s->shape) : s->shape.n > 0 ? s->shape.v[below(s, s->shape.n)] : 1;
    wn_dims d = {.n = (int)below(s, 6) - 1};
    switch (below(s, 6)) {
    case 0: return product_to(s, maybe(s, 4) ? below(s, 3) : target);
    case 1: return sum_to(s, target);
    case 2:
        for (int i = 0; i < d.n; i++) d.v[i] = maybe(s, 6) ? odd_int(s) : below(s, 5);
        return d;
    case 3:
        for (int i = 0; i < d.n; i++) d.v[i] = far_int(s);
        return d;
    default: /* what was given, but for some of it */
        if (given.n < 1) return D(far_int(s));
        for (int i = 0; i < given.n; i++)
            if (maybe(s, given.n)) given.v[i] = maybe(s, 8) ? below(s, 8) - 2 : far_int(s);
        return given;
    }
}

/* ------------------------------------------------------------------ tensors */

static wn_tensor *odd_tensor(sample *s) {
    wn_dims d = {.n = (int)below(s, 5)};
    for (int i = 0; i < d.n; i++) d.v[i] = maybe(s, 8) ? 0 : 1 + below(s, 4);
    if (!d.n) d.n = -1;
    s->spec.layout = (layout)below(s, LAYOUTS);
    wn_dtype kept = s->spec.dtype;
    if (maybe(s, 3)) s->spec.dtype = (wn_dtype)(1 + below(s, 10));
    wn_tensor *t = maybe(s, 4) ? indices(s, d, 3) : maybe(s, 4) ? fixed_in(s, d, WN_I64, -4, 4) : maybe(s, 5) ? mask(s, d) : data(s, d);
    s->spec.dtype = kept;
    return t;
}

/* A size for a tensor that has n elements already. */
static int64_t wide_size(sample *s, const wild *w, int64_t n) {
    static const int64_t sizes[] = {1ll << 31, (1ll << 31) + 1, 1ll << 32, (1ll << 32) + 1, 1ll << 40, 1ll << 48, 1ll << 61, 1ll << 62, INT64_MAX, 46341, 3};
    int64_t size = sizes[below(s, 11)], most = w->widest / (n > 0 ? n : 1);
    return size < most ? size : most > 0 ? most : 1;
}

/* t with some dimensions that go nowhere, replaced or new. NULL when that is no tensor. */
static wn_tensor *widened(sample *s, wild *w, wn_tensor *t, int at, int64_t size) {
    int64_t shape[WN_MAX_DIMS], strides[WN_MAX_DIMS], n = 1;
    int ndim = t->ndim;
    memcpy(shape, t->shape, sizeof shape);
    memcpy(strides, t->strides, sizeof strides);
    if (at < 0 && ndim < WN_MAX_DIMS) { /* a new one in front */
        memmove(shape + 1, shape, (size_t)ndim * sizeof *shape);
        memmove(strides + 1, strides, (size_t)ndim * sizeof *strides);
        ndim++;
        at = 0;
    }
    if (at < 0 || at >= ndim) return NULL;
    shape[at] = 1;
    for (int i = 0; i < ndim; i++) n *= shape[i];
    shape[at] = size > 0 ? size : wide_size(s, w, n);
    strides[at] = 0;
    if (__builtin_mul_overflow(n, shape[at], &n) || n > w->widest) return NULL;
    wn_tensor *r = wn__tensor_view(t, ndim, shape, strides, t->offset);
    if (!r) wn_clear();
    else if (__builtin_mul_overflow(w->elements, n, &w->elements)) w->elements = INT64_MAX; /* they may be combined, each with each */
    return r ? keep(s, r, DATA) : NULL;
}

/* t without elements: one size is 0, others and the strides may be anything. What is never used must not be computed with either. */
static wn_tensor *barren(sample *s, wild *w, wn_tensor *t) {
    static const int64_t far[] = {INT64_MAX, 1ll << 62, 1ll << 61, 1ll << 32};
    int64_t shape[WN_MAX_DIMS], strides[WN_MAX_DIMS];
    if (!t->ndim) return t;
    for (int d = 0; d < t->ndim; d++) {
        shape[d] = maybe(s, 3) ? far[below(s, 4)] : t->shape[d];
        strides[d] = maybe(s, 2) ? far[below(s, 4)] : t->strides[d];
        if (maybe(s, 8)) strides[d] = -strides[d];
    }
    shape[below(s, t->ndim)] = 0;
    wn_tensor *r = wn__tensor_view(t, t->ndim, shape, strides, t->offset);
    if (!r) wn_clear();
    else w->elements = INT64_MAX; /* a sum over what is not there has elements */
    return r ? keep(s, r, DATA) : t;
}

/* The same storage from another place on. */
static wn_tensor *shifted(sample *s, wn_tensor *t) {
    int64_t shape[WN_MAX_DIMS];
    if (!t->ndim || !t->numel) return t;
    memcpy(shape, t->shape, sizeof shape);
    const int at = (int)below(s, t->ndim);
    shape[at] -= shape[at] > 1;
    wn_tensor *r = wn__tensor_view(t, t->ndim, shape, t->strides, t->offset + (shape[at] < t->shape[at] ? t->strides[at] : 0));
    return r ? keep(s, r, DATA) : t;
}

/* ------------------------------------------------------------------ the arguments of a sample */

enum { MOST_SLOTS = 32 };
int tensor_slots(const sample *s, wn_tensor **slots[], int most) {
    int n = 0;
    for (int i = 0; i < s->op->nfields; i++) {
        const wn_field *f = &s->op->fields[i];
        void *p = s->args + f->offset;
        if (f->kind == WN_K_TENSOR && *(wn_tensor **)p && n < most) slots[n++] = p;
        if ((f->kind == WN_K_VALUE || f->kind == WN_K_SCALAR) && ((wn_val *)p)->kind == WN_VAL_TENSOR && n < most) slots[n++] = &((wn_val *)p)->u.t;
        for (int64_t k = 0; f->kind == WN_K_TENSORS && k < ((wn_list *)p)->n; k++)
            if (((wn_list *)p)->v[k] && n < most) slots[n++] = &((wn_list *)p)->v[k];
    }
    return n;
}

/* One tensor, or all of them alike, so that they still fit together. */
static void wide_tensors(sample *s, wild *w) {
    wn_tensor **slots[MOST_SLOTS];
    const int n = tensor_slots(s, slots, MOST_SLOTS), one = (int)below(s, n), at = (int)below(s, 5) - 1;
    const bool all = maybe(s, 2);
    int64_t size = 0;
    for (int i = 0; i < n; i++) {
        if ((!all && i != one) || s->nmade > MAX_MADE - 4) continue;
        wn_tensor *t = widened(s, w, *slots[i], at, size);
        if (t && maybe(s, 4)) { /* several dimensions */
            wn_tensor *more = widened(s, w, t, -1, 0);
            t = more ? more : t;
        }
        if (!t) continue;
        size = size ? size : t->shape[at < 0 ? 0 : at];
        *slots[i] = t;
    }
}

static void share_memory(sample *s, wild *w) {
    wn_tensor **slots[MOST_SLOTS];
    const int n = tensor_slots(s, slots, MOST_SLOTS);
    if (n < 1 || s->nmade > MAX_MADE - 4) return;
    if (n < 2 || maybe(s, 2)) {
        wn_tensor **one = slots[below(s, n)];
        *one = barren(s, w, *one);
        return;
    }
    wn_tensor *t = *slots[below(s, n)];
    *slots[below(s, n)] = maybe(s, 2) ? t : shifted(s, t);
}

/* A number of terms, of pieces, or a size that there may legally be: the call takes as long as for so many elements. */
static void count(wild *w, int64_t n) {
    if (n > 1 << 16 && __builtin_mul_overflow(w->elements, n, &w->elements)) w->elements = INT64_MAX;
}
static int64_t counted(wild *w, int64_t n) {
    if (n <= 1ll << 30) count(w, n); /* more terms are refused */
    return n;
}
static wn_dims counted_sizes(wild *w, wn_dims d) {
    for (int i = 0; i < d.n; i++) count(w, d.v[i]); /* a view may have any */
    return d;
}

/* Replaces some of the numbers, or of everything. */
static void scramble(sample *s, wild *w, bool tensors, int one_in) {
    static const char *const strings[] = {"", "mean", "none", "sum", "ij,jk->ik", "->", "i,", "...", "zz"};
    for (int i = 0; i < s->op->nfields; i++) {
        const wn_field *f = &s->op->fields[i];
        void *p = s->args + f->offset;
        if (!maybe(s, one_in) || s->nmade > MAX_MADE - 4) continue;
        wn_val v = maybe(s, 6) ? wn_val_none() : maybe(s, 4) ? wn_val_of_float(far_float(s)) : wn_val_of_int(maybe(s, 4) ? odd_int(s) : far_int(s));
        switch (f->kind) {
        case WN_K_TENSOR: if (tensors) *(wn_tensor **)p = maybe(s, 6) ? NULL : odd_tensor(s); break;
        case WN_K_VALUE: if (tensors || maybe(s, 4)) *(wn_val *)p = !tensors || maybe(s, 2) ? v : wn_val_of_tensor(odd_tensor(s)); break;
        case WN_K_SCALAR: *(wn_val *)p = tensors && maybe(s, 6) ? wn_val_of_tensor(odd_tensor(s)) : v; break;
        case WN_K_TENSORS: {
            wn_tensor *few[3];
            int n = (int)below(s, 3);
            if (!tensors || s->nlists + n > MAX_MADE) break;
            for (int k = 0; k < n; k++) few[k] = maybe(s, 5) ? NULL : odd_tensor(s);
            set_list(s, f->name, n, few);
            break;
        }
        case WN_K_DIMS:
            *(wn_dims *)p = counted_sizes(w, far_dims(s, *(wn_dims *)p));
            if (maybe(s, 24)) ((wn_dims *)p)->n = maybe(s, 2) ? WN_MAX_DIMS + 1 : INT32_MAX; /* more than there is room for */
            break;
        case WN_K_INT: *(int64_t *)p = counted(w, maybe(s, 4) ? odd_int(s) : far_int(s)); break;
        case WN_K_FLOAT: *(double *)p = far_float(s); break;
        case WN_K_BOOL: *(bool *)p = maybe(s, 2); break;
        case WN_K_SWITCH: ((wn_switch *)p)->state = below(s, 3); break;
        case WN_K_DTYPE: if (tensors) *(wn_dtype *)p = (wn_dtype)below(s, 12); break;
        case WN_K_STRING: if (tensors) *(const char **)p = strings[below(s, 9)]; break;
        case WN_K_GENERATOR: break;
        case WN_K_DEVICE: if (tensors) *(wn_device *)p = (wn_device)below(s, 4); break;
        }
    }
}

void wild_arguments(sample *s, wild *w) {
    const int way = (int)below(s, 6);
    w->elements = 1;
    if (way == 0) scramble(s, w, true, 2);
    if (way == 1) scramble(s, w, false, s->op->nfields);
    if (way == 2 || way == 5) scramble(s, w, false, 3);
    if (way >= 3) wide_tensors(s, w);
    if (maybe(s, 8)) share_memory(s, w);
}
