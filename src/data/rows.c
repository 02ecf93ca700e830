/* Datasets that lie in memory: tensors by rows, and IDX files. Samples are gathered at the speed of memcpy. */
#include <stdio.h>
#include "base/alloc.h"
#include "base/inline.h"
#include "data/dataset.h"
#include "io/file.h"
#include "io/idx.h"
#include "io/pack.h"

/* ------------------------------------------------------------------ gathering */

/* Rows of a fixed small size: no call, no loop inside. */
INLINE bool gather_each(char *dst, const char *base, int64_t stride, const size_t bytes, const int64_t *index, int64_t n) {
    for (int64_t i = 0; i < n; i++) wn__copy_element(dst + (size_t)i * bytes, base + index[i] * stride, bytes);
    return true;
}
static bool gather_small(char *dst, const char *base, int64_t stride, size_t bytes, const int64_t *index, int64_t n) {
    switch (bytes) {
    case 1: return gather_each(dst, base, stride, 1, index, n);
    case 2: return gather_each(dst, base, stride, 2, index, n);
    case 4: return gather_each(dst, base, stride, 4, index, n);
    case 8: return gather_each(dst, base, stride, 8, index, n);
    default: return false;
    }
}

/* How many of the n indices go up by one each. */
static int64_t run_length(const int64_t *index, int64_t n) {
    int64_t run = 1;
    while (run < n && index[run] == index[0] + run) run++;
    return run;
}

/* Row by row, neighbouring rows as one. Random short rows miss every cache, so those a few KiB ahead are asked for early
 * (measured: 1.25 times as fast for rows of 64 to 800 bytes; longer ones the processor follows by itself). */
static void gather(char *dst, const char *base, int64_t stride, size_t bytes, const int64_t *index, int64_t n) {
    enum { LINE = 64, LONG = 2048, LEAD = 8192 };
    if (gather_small(dst, base, stride, bytes, index, n)) return;
    int64_t ahead = bytes < LEAD / 16 ? 16 : (int64_t)(LEAD / bytes);
    while (n > 0) {
        int64_t run = stride == (int64_t)bytes ? run_length(index, n) : 1;
        if (run == 1 && bytes <= LONG && ahead < n)
            for (size_t at = 0; at < bytes; at += LINE) __builtin_prefetch(base + index[ahead] * stride + at);
        memcpy(dst, base + index[0] * stride, (size_t)run * bytes);
        dst += (size_t)run * bytes;
        index += run;
        n -= run;
    }
}

static void look_up(float *dst, const unsigned char *src, int64_t n, const float *lut) {
    for (int64_t i = 0; i < n; i++) dst[i] = lut[src[i]];
}

void wn__rows_fill(const wn__rows *r, const int64_t *index, int64_t n, char *dst) {
    if (r->numel == 0 || n <= 0) return;
    size_t bytes = (size_t)r->numel * wn__dtype_size(r->tensor->dtype);
    if (r->lut) {
        for (int64_t i = 0; i < n; i++)
            look_up((float *)(void *)dst + i * r->numel, (const unsigned char *)r->base + index[i] * r->stride, r->numel, r->lut);
    } else if (r->dense) {
        gather(dst, r->base, r->stride, bytes, index, n);
    } else {
        for (int64_t i = 0; i < n; i++)
            wn__pack(r->tensor, r->base, index[i] * r->numel, r->numel, dst + (size_t)i * bytes);
    }
}

/* ------------------------------------------------------------------ tensors */

/* Adds t's rows as the next part; lut: see wn__rows. */
static bool add_rows(wn_dataset *d, const char *op, wn_tensor *t, const float *lut, bool channel) {
    int p = d->nparts, ndim = 0;
    int64_t shape[WN_MAX_DIMS];
    if (!wn_ok(t)) return wn__fail(WN_E_TYPE, op, "tensor %d is %s", p, t ? "the result of a failed operation" : "absent (NULL)"), false;
    if (t->ndim == 0) return wn__fail(WN_E_VALUE, op, "tensor %d has no dimensions: it has no samples", p), false;
    if (p > 0 && t->shape[0] != d->count)
        return wn__fail(WN_E_VALUE, op, "tensor %d has %lld samples, the others %lld", p, (long long)t->shape[0],
                        (long long)d->count), false;
    if (channel && t->ndim == WN_MAX_DIMS) return wn__fail(WN_E_VALUE, op, "the images have too many dimensions"), false;
    if (channel) shape[ndim++] = 1;
    for (int i = 1; i < t->ndim; i++) shape[ndim++] = t->shape[i];
    wn_tensor *alias = wn__tensor_alias(t);
    if (!alias) return wn__fail_memory(op), false;
    bool exposed = wn__expose(op, alias) == WN_OK; /* its address is known here from now on: operations on it run at once */
    if (!exposed || !wn__dataset_part(d, op, lut ? WN_F32 : (wn_dtype)t->dtype, ndim, shape)) {
        if (exposed) wn_unexpose(alias);
        wn__release(alias);
        return false;
    }
    wn__rows *r = &d->rows[p];
    r->tensor = alias;
    r->base = wn__ptr(alias);
    if (!r->base && alias->numel > 0) return wn__fail(WN_E_RUNTIME, op, "tensor %d has no data", p), false;
    r->stride = t->strides[0] * (int64_t)wn__dtype_size(t->dtype);
    r->dense = wn__contiguous(t->ndim - 1, t->shape + 1, t->strides + 1);
    r->lut = lut;
    d->count = t->shape[0];
    return true;
}

wn_dataset *wn_tensor_dataset(wn_list tensors) {
    static const char op[] = "tensor_dataset";
    if (tensors.n <= 0 || !tensors.v) return wn__fail(WN_E_VALUE, op, "no tensors given"), NULL;
    wn_dataset *d = wn__dataset_make(op);
    bool ok = d != NULL;
    for (int64_t i = 0; ok && i < tensors.n; i++) ok = add_rows(d, op, tensors.v[i], NULL, false);
    if (ok) return d;
    wn_dataset_free(d);
    return NULL;
}

/* ------------------------------------------------------------------ IDX */

static const char idx_op[] = "idx_dataset";

/* The same arithmetic, in f32 and in this order, as torchvision's ToTensor and Normalize. */
static bool make_lut(float lut[256], const wn_idx_dataset_args *args) {
    float mean = (float)args->mean, std = args->std != 0 ? (float)args->std : 1.0f;
    if (!(std > 0)) return wn__fail(WN_E_VALUE, idx_op, "std is %g", args->std), false;
    for (int i = 0; i < 256; i++) lut[i] = ((float)i / 255.0f - mean) / std;
    return true;
}

static bool add_images(wn_dataset *d, const wn_idx_dataset_args *args) {
    if (args->floats && !make_lut(d->lut, args)) return false;
    wn_tensor *t = wn__idx_read(idx_op, args->images);
    if (!t) return false;
    bool ok = t->dtype == WN_U8;
    if (!ok) wn__fail(WN_E_TYPE, idx_op, "%s: images are u8, these are %s", wn__path_tail(args->images), wn__desc(t));
    ok = ok && add_rows(d, idx_op, t, args->floats ? d->lut : NULL, args->channel);
    wn__release(t); /* the rows hold an alias */
    return ok;
}

static wn_tensor *labels_as_i64(const wn_tensor *t) {
    wn_tensor *wide = wn__tensor_new(WN_I64, 1, t->shape, NULL);
    if (!wide) return wn__fail_memory(idx_op), NULL;
    const char *from = wn__ptr(t);
    char *to = wn__ptr(wide);
    size_t item = wn__dtype_size(t->dtype);
    for (int64_t i = 0; i < t->numel; i++) {
        int64_t v = wn__load_i64((wn_dtype)t->dtype, from + (size_t)i * item);
        memcpy(to + (size_t)i * sizeof v, &v, sizeof v);
    }
    return wide;
}

static bool add_labels(wn_dataset *d, const wn_idx_dataset_args *args) {
    wn_tensor *t = wn__idx_read(idx_op, args->labels), *wide = NULL;
    if (!t) return false;
    const char *path = wn__path_tail(args->labels);
    if (!wn__is_integer(t->dtype) || t->ndim != 1)
        wn__fail(WN_E_TYPE, idx_op, "%s: labels are integers [n], these are %s", path, wn__desc(t));
    else if (t->shape[0] != d->count)
        wn__fail(WN_E_VALUE, idx_op, "%s: %lld labels for %lld images", path, (long long)t->shape[0], (long long)d->count);
    else
        wide = labels_as_i64(t);
    wn__release(t);
    bool ok = wide && add_rows(d, idx_op, wide, NULL, false);
    wn__release(wide);
    return ok;
}

wn_dataset *wn_idx_dataset_x(const wn_idx_dataset_args *args) {
    wn_dataset *d = wn__dataset_make(idx_op);
    if (d && add_images(d, args) && (!args->labels || add_labels(d, args))) return d;
    wn_dataset_free(d);
    return NULL;
}
