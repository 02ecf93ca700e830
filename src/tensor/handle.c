/* What programs ask of a handle: its geometry, its memory, a description, the value of one element. */
#include "tensor/tensor.h"
#include <stdio.h>
#include "base/thread.h"

int wn_ndim(const wn_tensor *t) { return t ? t->ndim : 0; }
int64_t wn_numel(const wn_tensor *t) { return t ? t->numel : 0; }
wn_dtype wn_dtype_of(const wn_tensor *t) { return t ? (wn_dtype)t->dtype : WN_DTYPE_DEFAULT; }
int64_t wn_storage_offset(const wn_tensor *t) { return t ? t->offset : 0; }
wn_device wn_device_of(const wn_tensor *t) { return t && wn__is_meta(t) ? WN_META : WN_CPU; }
bool wn_is_contiguous(const wn_tensor *t) { return t && t->contiguous; }
bool wn_same_storage(const wn_tensor *a, const wn_tensor *b) { return a && b && a->storage == b->storage; }
uint32_t wn_version(const wn_tensor *t) {
    return t ? wn__version(t) : 0;
}
static int pick_dim(const wn_tensor *t, int dim) {
    if (!t || dim < -(int)t->ndim || dim >= (int)t->ndim) return -1;
    return dim < 0 ? dim + t->ndim : dim;
}
int64_t wn_size(const wn_tensor *t, int dim) {
    int d = pick_dim(t, dim);
    return d < 0 ? -1 : t->shape[d];
}
int64_t wn_stride(const wn_tensor *t, int dim) {
    int d = pick_dim(t, dim);
    return d < 0 ? -1 : t->strides[d];
}
static wn_dims dims_of(const wn_tensor *t, const int64_t *v) {
    wn_dims d = {.n = -1};
    if (t && t->ndim) {
        d.n = t->ndim;
        memcpy(d.v, v, (size_t)t->ndim * sizeof *v);
    }
    return d;
}
wn_dims wn_shape(const wn_tensor *t) { return dims_of(t, t ? t->shape : NULL); }
wn_dims wn_strides(const wn_tensor *t) { return dims_of(t, t ? t->strides : NULL); }

const void *wn_data(wn_tensor *t) { return wn_ok(t) ? wn__ptr(t) : NULL; }
void *wn_data_mut(wn_tensor *t) {
    if (!wn_ok(t) || !wn__before_write(t)) return NULL;
    void *p = wn__ptr(t);
    if (!p) return NULL;
    wn__bump_version(t, "wn_data_mut");
    wn__storage_mark(t->storage, WN__MARK_GIVEN);
    return p;
}

size_t wn_describe(const wn_tensor *t, char *buf, size_t cap) {
    char text[32 + WN_MAX_DIMS * 21];
    size_t at;
    if (!t) {
        at = (size_t)snprintf(text, sizeof text, "absent");
    } else if (wn__is_bad(t)) {
        at = (size_t)snprintf(text, sizeof text, "bad tensor");
    } else {
        at = (size_t)snprintf(text, sizeof text, "%s[", wn__dtype_short(t->dtype));
        for (int i = 0; i < t->ndim; i++)
            at += (size_t)snprintf(text + at, sizeof text - at, i ? ",%lld" : "%lld", (long long)t->shape[i]);
        at += (size_t)snprintf(text + at, sizeof text - at, "]");
    }
    if (cap) {
        size_t n = at < cap - 1 ? at : cap - 1;
        memcpy(buf, text, n);
        buf[n] = 0;
    }
    return at;
}

static bool one_element(wn_tensor *t, const char *op) {
    if (!t) wn__fail(WN_E_TYPE, op, "the tensor is absent (NULL)");
    else if (wn__is_bad(t)) wn__self()->error_count++;
    else if (t->numel != 1)
        wn__fail(WN_E_RUNTIME, op, "a Tensor with %lld elements cannot be converted to Scalar", (long long)t->numel);
    else if (wn__is_meta(t)) wn__fail(WN_E_RUNTIME, op, "Tensor.item() cannot be called on meta tensors");
    else return true;
    return false;
}
double wn_item_f64(wn_tensor *t) {
    if (!one_element(t, "item")) return __builtin_nan("");
    const char *p = wn__ptr(t);
    return p ? wn__load_f64((wn_dtype)t->dtype, p) : __builtin_nan("");
}
bool wn_item_bool(wn_tensor *t) {
    if (!one_element(t, "item")) return false;
    const char *p = wn__ptr(t);
    return p && (wn__is_float(t->dtype) ? wn__load_f64((wn_dtype)t->dtype, p) != 0 : wn__load_i64((wn_dtype)t->dtype, p) != 0);
}
int64_t wn_item_i64(wn_tensor *t) {
    if (!one_element(t, "item")) return 0;
    const char *p = wn__ptr(t);
    return p ? wn__load_i64((wn_dtype)t->dtype, p) : 0;
}
