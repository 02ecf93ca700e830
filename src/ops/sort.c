/* sort, argsort, topk. Elements become unsigned keys whose order is theirs; lines of (key, index) are sorted by radix, which
 * is stable and knows no bad input. */
#include "core/alloc.h"
#include "core/half.h"
#include "cpu/pool.h"
#include "ops/reduce.h"

typedef struct sort_item {
    uint64_t key;
    int64_t index;
} sort_item;

typedef struct sort_job {
    wn_tensor *x, *values, *indices; /* values may be NULL */
    const char *xp;
    char *vp;
    int64_t *ip;
    int dim;
    int64_t n, k; /* elements of a line; how many are wanted */
    bool descending;
    atomic_bool no_memory;
} sort_job;

static uint64_t key_f32(float v) {
    uint32_t u = wn__f32_to_bits(v == 0 ? 0.0f : v); /* -0 and 0 are equal */
    if (v != v) return UINT32_MAX;                /* and all NaNs, above everything */
    return u >> 31 ? ~u & UINT32_MAX : u | 0x80000000u;
}
static uint64_t key_f64(double v) {
    uint64_t u;
    v = v == 0 ? 0.0 : v;
    if (v != v) return UINT64_MAX;
    memcpy(&u, &v, sizeof u);
    return u >> 63 ? ~u : u | (uint64_t)1 << 63;
}

static uint64_t key_of(wn_dtype d, const char *p) {
    uint16_t h;
    float f;
    double g;
    switch (d) {
    case WN_F32: memcpy(&f, p, 4); return key_f32(f);
    case WN_F64: memcpy(&g, p, 8); return key_f64(g);
    case WN_F16: memcpy(&h, p, 2); return key_f32(wn__f16_to_f32(h));
    case WN_BF16: memcpy(&h, p, 2); return key_f32(wn__bf16_to_f32(h));
    case WN_I64: return (uint64_t)wn__load_i64(d, p) ^ (uint64_t)1 << 63;
    default: return (uint64_t)(wn__load_i64(d, p) + ((int64_t)1 << 31)); /* 32 bits are enough */
    }
}

#define KEYS 256
/* Keys of n <= KEYS elements; f32, the common case, in a loop that vectorises. */
static void keys_of(const sort_job *j, const char *x, int64_t n, uint64_t *key) {
    int64_t stride = j->x->ndim ? j->x->strides[j->dim] : 1, size = (int64_t)wn__dtype_size(j->x->dtype);
    uint64_t flip = j->descending ? UINT64_MAX : 0;
    if (j->x->dtype == WN_F32 && stride == 1)
        for (int64_t i = 0; i < n; i++) {
            float v;
            memcpy(&v, x + i * 4, 4);
            uint32_t u = wn__f32_to_bits(v + 0.0f), up = u >> 31 ? ~u : u | 0x80000000u;
            key[i] = (v != v ? UINT32_MAX : up) ^ flip;
        }
    else
        for (int64_t i = 0; i < n; i++) key[i] = key_of((wn_dtype)j->x->dtype, x + i * stride * size) ^ flip;
}

static void insertion(sort_item *a, int64_t n) {
    for (int64_t i = 1; i < n; i++) {
        sort_item v = a[i];
        int64_t p = i;
        for (; p > 0 && a[p - 1].key > v.key; p--) a[p] = a[p - 1];
        a[p] = v;
    }
}
/* Blocks of 16 by insertion, then merged pairwise. */
static void merge_sort(sort_item *a, sort_item *b, int64_t n) {
    for (int64_t i = 0; i < n; i += 16) insertion(a + i, n - i < 16 ? n - i : 16);
    sort_item *from = a, *to = b;
    for (int64_t half = 16; half < n; half *= 2) {
        for (int64_t i = 0; i < n; i += 2 * half) {
            int64_t l = i, mid = i + half < n ? i + half : n, r = mid, end = mid + half < n ? mid + half : n;
            for (int64_t o = i; o < end; o++) {
                bool right = l == mid || (r < end && from[r].key < from[l].key);
                to[o] = right ? from[r++] : from[l++];
            }
        }
        sort_item *swap = from;
        from = to;
        to = swap;
    }
    if (from != a) memcpy(a, from, (size_t)n * sizeof *a);
}

/* Short lines by merging, else least significant byte first; bytes in which all keys agree are skipped. The result is in a;
 * b is room of the same size. */
static void sort_items(sort_item *a, sort_item *b, int64_t n) {
    if (n <= 128) {
        merge_sort(a, b, n);
        return;
    }
    int64_t count[8][256];
    memset(count, 0, sizeof count);
    for (int64_t i = 0; i < n; i++)
        for (int byte = 0; byte < 8; byte++) count[byte][a[i].key >> (8 * byte) & 255]++;
    sort_item *from = a, *to = b;
    for (int byte = 0; byte < 8; byte++) {
        int64_t *at = count[byte], sum = 0;
        if (at[from[0].key >> (8 * byte) & 255] == n) continue;
        for (int v = 0; v < 256; v++) {
            int64_t here = at[v];
            at[v] = sum;
            sum += here;
        }
        for (int64_t i = 0; i < n; i++) to[at[from[i].key >> (8 * byte) & 255]++] = from[i];
        sort_item *swap = from;
        from = to;
        to = swap;
    }
    if (from != a) memcpy(a, from, (size_t)n * sizeof *a);
}

#define FEW 32
/* The k first of a line in order: candidates are collected while they are below the k-th best so far, and cut back to k when
 * there are twice as many. The sort is stable and later elements come later, so of equal ones the first stay. */
static int64_t best(const sort_job *j, const char *x, sort_item *a, sort_item *b) {
    int64_t have = 0, limit = 2 * j->k + 64, xs = j->x->ndim ? j->x->strides[j->dim] : 1, size = (int64_t)wn__dtype_size(j->x->dtype);
    uint64_t bar = UINT64_MAX, key[KEYS];
    bool barred = false;
    if (j->k == 0) return 0;
    for (int64_t i = 0, n; i < j->n; i += n) {
        n = j->n - i < KEYS ? j->n - i : KEYS;
        keys_of(j, x + i * xs * size, n, key);
        for (int64_t q = 0; q < n; q++) {
            if (barred && key[q] >= bar) continue;
            if (j->k <= FEW) { /* kept in order: the last one leaves */
                int64_t p = have < j->k ? have++ : j->k - 1;
                for (; p > 0 && a[p - 1].key > key[q]; p--) a[p] = a[p - 1];
                a[p] = (sort_item){key[q], i + q};
                barred = have == j->k;
                bar = a[have - 1].key;
                continue;
            }
            a[have].key = key[q];
            a[have++].index = i + q;
            if (have < limit) continue;
            sort_items(a, b, have);
            have = j->k;
            barred = have > 0;
            if (barred) bar = a[have - 1].key;
        }
    }
    if (j->k > FEW) sort_items(a, b, have);
    return have;
}

static void sort_lines(void *ctx, int64_t begin, int64_t end, int worker) {
    sort_job *j = ctx;
    (void)worker;
    int64_t limit = j->k < j->n ? 2 * j->k + 64 : j->n;
    size_t size = wn__dtype_size(j->x->dtype);
    sort_item *a = wn__scratch(2, 2 * (size_t)limit * sizeof *a), *b = a ? a + limit : NULL;
    if (!a) {
        atomic_store_explicit(&j->no_memory, true, memory_order_relaxed);
        return;
    }
    for (int64_t t = begin; t < end; t++) {
        int64_t xo = 0, yo = 0, rest = t;
        for (int d = j->x->ndim - 1; d >= 0; d--) {
            if (d == j->dim) continue;
            int64_t i = rest % j->x->shape[d];
            rest /= j->x->shape[d];
            xo += i * j->x->strides[d];
            yo += i * j->indices->strides[d];
        }
        const char *x = j->xp + xo * (int64_t)size;
        int64_t xs = j->x->ndim ? j->x->strides[j->dim] : 1, ys = j->x->ndim ? j->indices->strides[j->dim] : 1;
        if (j->k < j->n) {
            best(j, x, a, b);
        } else {
            uint64_t key[KEYS];
            for (int64_t i = 0; i < j->n; i++) {
                if (i % KEYS == 0) keys_of(j, x + i * xs * (int64_t)size, j->n - i < KEYS ? j->n - i : KEYS, key);
                a[i].key = key[i % KEYS];
                a[i].index = i;
            }
            sort_items(a, b, j->n);
        }
        for (int64_t i = 0; i < j->k; i++) {
            j->ip[yo + i * ys] = a[i].index;
            if (j->vp) memcpy(j->vp + (yo + i * ys) * (int64_t)size, x + a[i].index * xs * (int64_t)size, size);
        }
    }
}

static wn_status order(wn__call *c, wn_tensor *x, wn_val dim_given, bool descending, const int64_t *k, bool values) {
    int dim = wn__wrap_dim(c->op->name, dim_given.kind == WN_VAL_NONE ? -1 : wn__val_i64(dim_given), x->ndim);
    if (dim < 0) return c->th->error;
    sort_job j = {.x = x, .dim = dim, .n = x->ndim ? x->shape[dim] : 1, .descending = descending};
    j.k = k ? *k : j.n;
    if (j.k < 0 || j.k > j.n) return wn__fail_op(c, WN_E_RUNTIME, "selected index k out of range");
    int64_t shape[WN_MAX_DIMS];
    memcpy(shape, x->shape, sizeof shape);
    if (x->ndim) shape[dim] = j.k;
    int slot = 0;
    if (values && !(j.values = wn__out(c, slot++, (wn_dtype)x->dtype, x->ndim, shape, NULL))) return c->th->error;
    if (!(j.indices = wn__out(c, slot, WN_I64, x->ndim, shape, NULL))) return c->th->error;
    if (j.indices->numel == 0) return WN_OK;
    j.xp = wn__ptr(x);
    j.vp = values ? wn__ptr(j.values) : NULL;
    j.ip = (int64_t *)(void *)wn__ptr(j.indices);
    if (!j.xp || !j.ip || (values && !j.vp)) return c->th->error ? c->th->error : wn__fail_memory(c->op->name);
    atomic_init(&j.no_memory, false);
    if (x->ndim == 0 && j.k < 1) return WN_OK;
    wn__parallel(x->numel / j.n, 2048 / (j.n + 1) + 1, sort_lines, &j);
    atomic_fetch_add_explicit(&wn__elements_computed, x->numel, memory_order_relaxed);
    return atomic_load(&j.no_memory) ? wn__fail_memory(c->op->name) : WN_OK;
}

wn_status wn__op_sort(wn__call *c) {
    const wn_sort_args *a = c->args;
    return order(c, a->self, a->dim, a->descending, NULL, true);
}
wn_status wn__op_argsort(wn__call *c) {
    const wn_argsort_args *a = c->args;
    return order(c, a->self, a->dim, a->descending, NULL, false);
}
wn_status wn__op_topk(wn__call *c) {
    const wn_topk_args *a = c->args;
    return order(c, a->self, a->dim, a->largest != WN_OFF, &a->k, true);
}

/* To the places that the elements came from. */
static void vjp_order(wn__gradctx *c, wn_val dim) {
    wn_dims shape = wn__input_shape(c, 0);
    if (!c->g[0]) return;
    if (wn__ndim_of(shape) == 0) c->gin[0] = c->g[0];
    else c->gin[0] = wn_gather_backward(c->g[0], shape, dim.kind == WN_VAL_NONE ? -1 : wn__val_i64(dim), c->y[1]);
}
void wn__vjp_sort(wn__gradctx *c) {
    const wn_sort_args *a = c->args;
    vjp_order(c, a->dim);
}
void wn__vjp_topk(wn__gradctx *c) {
    const wn_topk_args *a = c->args;
    vjp_order(c, a->dim);
}
