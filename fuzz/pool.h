/* Programs of rows, read from bytes: tensors in a pool, and the arguments of a call by the row's field table. */
#ifndef WN_FUZZ_POOL_H
#define WN_FUZZ_POOL_H
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "call/dispatch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { POOL = 8, ELEMENTS = 1 << 14 }; /* of a tensor that is computed with */
typedef struct pool {
    const uint8_t *bytes;
    size_t left;
    wn_tensor *t[POOL]; /* owned */
    int n;
    _Alignas(16) unsigned char args[4096]; /* the args struct of a call */
    wn_tensor *lists[64];
    int nlists;
} pool;

/* The next byte, below n; zeros behind the last one. */
static inline int64_t next(pool *p, int64_t n) {
    if (!p->left) return 0;
    p->left--;
    return *p->bytes++ % n;
}
static inline int64_t next_int(pool *p) {
    const int64_t k = next(p, 256);
    if (k < 160) return k % 8;
    if (k < 192) return -(k % 8);
    const uint64_t near = 1ull << (k & 63);
    return (int64_t)(near + (uint64_t)next(p, 5) - 2);
}
static inline wn_dims next_dims(pool *p) {
    wn_dims d = {.n = (int)next(p, 6)};
    for (int i = 0; i < d.n; i++) d.v[i] = next_int(p);
    if (!d.n) d.n = -1;
    return d;
}
static inline wn_val next_number(pool *p) {
    static const double floats[] = {0, 0.5, -1.5, 1e300, 1e-300, 1.0 / 0.0, 0.0 / 0.0, 0x1p63};
    const int64_t k = next(p, 4);
    return k == 0 ? wn_val_none() : k == 1 ? wn_val_of_float(floats[next(p, 8)]) : wn_val_of_int(next_int(p));
}

/* Ends here: something is wrong. */
static inline void broken(const char *what, const wn_tensor *t) {
    char text[200];
    wn_describe(t, text, sizeof text);
    fprintf(stderr, "%s: %s\n", what, text);
    abort();
}
/* Reckoned in 128 bits: every element lies in the storage. */
static inline void check_tensor(const wn_tensor *t) {
    __int128 numel = 1, low = t->offset, high = t->offset;
    for (int d = 0; d < t->ndim; d++) {
        if (t->shape[d] < 0) broken("negative size", t);
        if (t->shape[d] == 0) numel = 0;
    }
    for (int d = 0; d < t->ndim && numel; d++) {
        const __int128 span = (__int128)(t->shape[d] - 1) * t->strides[d];
        numel *= t->shape[d];
        *(span < 0 ? &low : &high) += span;
        if (numel > INT64_MAX) broken("too many elements", t);
    }
    if (t->numel != (int64_t)numel) broken("wrong numel", t);
    if (numel && (low < 0 || (high + 1) * (__int128)wn_dtype_size(wn_dtype_of(t)) > (__int128)t->storage->bytes)) broken("outside of its storage", t);
}
/* Every element is there. */
static inline void read_tensor(wn_tensor *t) {
    static volatile uint8_t sink;
    if (wn_numel(t) > ELEMENTS) return;
    wn_tensor *flat = wn__contiguous_raw(t);
    const uint8_t *b = flat ? wn_data(flat) : NULL;
    for (int64_t i = 0; b && i < wn_numel(t); i++) sink = b[i * (int64_t)wn_dtype_size(wn_dtype_of(t))];
    (void)sink;
    wn__release(flat);
}

static inline void pool_put(pool *p, wn_tensor *t) { /* t is the pool's from now on */
    if (!t) return;
    const int at = p->n < POOL ? p->n++ : (int)next(p, POOL);
    wn__release(p->t[at]);
    p->t[at] = t;
}
static inline void pool_start(pool *p, const uint8_t *data, size_t size) {
    static bool ready;
    if (!ready) {
        wn_set_error_hook(NULL);
        wn_set_num_threads(1);
        ready = true;
    }
    memset(p, 0, sizeof *p);
    p->bytes = data;
    p->left = size;
}
static inline void pool_end(pool *p) {
    for (int i = 0; i < POOL; i++) wn__release(p->t[i]);
    wn_clear();
}
/* A tensor of a few elements with values. */
static inline wn_tensor *fresh(pool *p) {
    int64_t shape[4], numel = 1;
    const int ndim = (int)next(p, 5);
    for (int d = 0; d < ndim; d++) numel *= shape[d] = next(p, 5);
    const wn_dtype dtype = (wn_dtype)(1 + next(p, 10));
    wn_tensor *t = wn__tensor_new(dtype, ndim, shape, NULL);
    if (!t) return NULL;
    uint8_t *b = wn_data_mut(t);
    for (int64_t i = 0; i < numel * (int64_t)wn_dtype_size(dtype); i++) b[i] = (uint8_t)(dtype == WN_BOOL ? i & 1 : i % 3 ? 0 : 60 + i % 7);
    return t;
}
static inline wn_tensor *pick(pool *p) { return p->n ? p->t[next(p, p->n)] : NULL; }

/* wn_call, of which an operation that makes millions of pieces runs out of memory, and soon. */
static inline bool call_row(pool *p, const wn_op *op, bool inplace, wn_outs *outs) {
    *outs = (wn_outs){0};
    wn_fail_allocation(50000);
    const wn_status st = inplace ? wn_call_inplace(op, p->args, outs) : wn_call(op, p->args, outs);
    wn_fail_allocation(-1);
    if (st && !wn_error_message()[0]) broken(op->cname, NULL);
    wn_clear();
    if (st) return false;
    for (int64_t i = 0; i < outs->n; i++)
        if (outs->v[i]) check_tensor(outs->v[i]); /* a gradient that does not exist is NULL */
    return true;
}

/* The arguments of a call; `first` is the first tensor (NULL: any). */
static inline void next_args(pool *p, const wn_op *op, wn_tensor *first) {
    static const char *const strings[] = {"mean", "sum", "none", "reflect", "left", "ij", "linear", "->"};
    memset(p->args, 0, sizeof p->args);
    *(size_t *)(void *)p->args = op->args_size;
    p->nlists = 0;
    for (int i = 0; i < op->nfields; i++) {
        const wn_field *f = &op->fields[i];
        void *at = p->args + f->offset;
        if ((f->fallback || strchr(f->type, '?')) && next(p, 2)) continue;
        wn_tensor *t = first ? first : pick(p);
        switch (f->kind) {
        case WN_K_TENSOR: *(wn_tensor **)at = t; break;
        case WN_K_VALUE: *(wn_val *)at = t && next(p, 4) ? wn_val_of_tensor(t) : next_number(p); break;
        case WN_K_SCALAR: *(wn_val *)at = next_number(p); break;
        case WN_K_TENSORS: {
            const int n = (int)next(p, 4);
            *(wn_list *)at = (wn_list){.n = n, .v = p->lists + p->nlists};
            for (int k = 0; k < n; k++) p->lists[p->nlists++] = first && !k ? first : pick(p);
            break;
        }
        case WN_K_DIMS: *(wn_dims *)at = next_dims(p); break;
        case WN_K_INT: *(int64_t *)at = next_int(p); break;
        case WN_K_FLOAT: *(double *)at = (double)next_int(p) / 4; break;
        case WN_K_BOOL: *(bool *)at = next(p, 2); break;
        case WN_K_SWITCH: ((wn_switch *)at)->state = (int)next(p, 3); break;
        case WN_K_DTYPE: *(wn_dtype *)at = (wn_dtype)next(p, 12); break;
        case WN_K_STRING: *(const char **)at = strings[next(p, 8)]; break;
        case WN_K_GENERATOR: break;
        case WN_K_DEVICE: *(wn_device *)at = (wn_device)next(p, 4); break;
        }
        if (f->kind == WN_K_TENSOR || f->kind == WN_K_VALUE || f->kind == WN_K_TENSORS) first = NULL;
    }
}
#endif
