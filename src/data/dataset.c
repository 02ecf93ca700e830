/* Datasets: life and death, custom samples, single samples. */
#include "data/dataset.h"

#include <stdio.h>
#include "base/alloc.h"
#include "tensor/scope.h"

uint64_t wn__mix_seed(uint64_t a, uint64_t b) {
    /* The finaliser of SplitMix64 (Steele, Lea, Flood 2014), once for each word. */
    uint64_t v[2] = {a, b}, h = 0;
    for (int i = 0; i < 2; i++) {
        h = (h ^ v[i]) + 0x9e3779b97f4a7c15u;
        h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
        h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
        h ^= h >> 31;
    }
    return h;
}

wn_dataset *wn__dataset_make(const char *op) {
    wn_dataset *d = wn__new(wn_dataset, 1);
    if (!d) return wn__fail_memory(op), NULL;
    atomic_store_explicit(&d->refs, 1, memory_order_relaxed);
    return d;
}

wn_dataset *wn__dataset_retain(wn_dataset *d) {
    atomic_fetch_add_explicit(&d->refs, 1, memory_order_relaxed);
    return d;
}

void wn_dataset_free(wn_dataset *d) {
    if (!d || atomic_fetch_sub_explicit(&d->refs, 1, memory_order_acq_rel) != 1) return;
    for (int p = 0; p < d->nparts; p++) {
        wn_unexpose(d->rows[p].tensor);
        wn__release(d->rows[p].tensor);
    }
    if (d->free_ctx) d->free_ctx(d->ctx);
    wn__free(d);
}

int64_t wn_dataset_count(const wn_dataset *d) { return d ? d->count : 0; }

bool wn__dataset_part(wn_dataset *d, const char *op, wn_dtype dtype, int ndim, const int64_t *shape) {
    int p = d->nparts;
    bool overflow = false;
    if (p == WN_MAX_PARTS) return wn__fail(WN_E_VALUE, op, "a sample has at most %d parts", WN_MAX_PARTS), false;
    if (!wn__dtype_valid((int)dtype)) return wn__fail(WN_E_TYPE, op, "part %d: %d is no dtype", p, (int)dtype), false;
    if (ndim < 0 || ndim >= WN_MAX_DIMS)
        return wn__fail(WN_E_VALUE, op, "part %d: a sample has at most %d dimensions", p, WN_MAX_DIMS - 1), false;
    for (int i = 0; i < ndim; i++)
        if (shape[i] < 0) return wn__fail(WN_E_VALUE, op, "part %d: shape %s", p, wn__dims_text(shape, ndim)), false;
    int64_t numel = wn__numel_of(ndim, shape, &overflow), bytes = 0;
    if (overflow || __builtin_mul_overflow(numel, (int64_t)wn__dtype_size((int)dtype), &bytes))
        return wn__fail(WN_E_VALUE, op, "part %d: shape %s is too large", p, wn__dims_text(shape, ndim)), false;
    d->dtype[p] = dtype;
    d->ndim[p] = ndim;
    for (int i = 0; i < ndim; i++) d->shape[p][i] = shape[i];
    d->bytes[p] = (size_t)bytes;
    d->rows[p].numel = numel;
    d->nparts++;
    return true;
}

size_t wn__dataset_sample_bytes(const wn_dataset *d) {
    size_t sum = 0;
    for (int p = 0; p < d->nparts; p++) sum += d->bytes[p];
    return sum;
}

wn_dataset *wn_dataset_new_x(const wn_dataset_args *args) {
    static const char op[] = "dataset_new";
    if (!args->get) return wn__fail(WN_E_VALUE, op, "get is missing"), NULL;
    if (args->count < 0) return wn__fail(WN_E_VALUE, op, "count is %lld", (long long)args->count), NULL;
    wn_dataset *d = wn__dataset_make(op);
    if (!d) return NULL;
    d->count = args->count;
    d->get = args->get;
    d->ctx = args->ctx;
    bool ok = true;
    for (int p = 0; ok && p < WN_MAX_PARTS && args->parts[p].dtype; p++) {
        const wn_dims *shape = &args->parts[p].shape;
        ok = wn__dataset_part(d, op, args->parts[p].dtype, shape->n < 0 ? 0 : shape->n, shape->v);
    }
    if (ok && d->nparts == 0) ok = (wn__fail(WN_E_VALUE, op, "parts is missing"), false);
    if (ok) {
        d->free_ctx = args->free;
        return d;
    }
    wn_dataset_free(d);
    return NULL;
}

/* ------------------------------------------------------------------ filling */

/* One call of the user's function, in a scope of its own. What it leaves in the thread's error record is its failure too:
 * a bad tensor inside would otherwise become garbage in the batch. */
static bool get_one(const wn_dataset *d, const wn_sample *sample, wn__misfortune *m) {
    wn_scope scope = wn_begin_modes((wn_modes){.grad = WN_OFF});
    wn_status code = wn_error() == WN_OK ? d->get(d->ctx, sample) : wn_error();
    wn_end(&scope);
    if (code == WN_OK) code = wn_error();
    if (code == WN_OK) return true;
    m->code = code;
    m->why[sizeof m->why - 1] = 0;
    if (!m->why[0]) snprintf(m->why, sizeof m->why, "%s", wn_error() != WN_OK ? wn_error_message() : "get failed");
    wn_clear();
    return false;
}

static bool fill_custom(const wn_dataset *d, const int64_t *index, int64_t from, int64_t to, char *const *out, uint64_t seed,
                        const _Atomic bool *cancel, wn__misfortune *m) {
    void *at[WN_MAX_PARTS];
    for (int64_t i = from; i < to; i++) {
        if (cancel && atomic_load_explicit(cancel, memory_order_relaxed)) return true;
        for (int p = 0; p < d->nparts; p++) at[p] = out[p] + (size_t)i * d->bytes[p];
        m->why[0] = 0;
        wn_sample sample = {index[i], wn__mix_seed(seed, (uint64_t)index[i]), at, m->why, sizeof m->why};
        if (get_one(d, &sample, m)) continue;
        m->position = i;
        return false;
    }
    return true;
}

bool wn__dataset_fill(const wn_dataset *d, const int64_t *index, int64_t from, int64_t to, char *const *out, uint64_t seed,
                      const _Atomic bool *cancel, wn__misfortune *m) {
    if (d->get) return fill_custom(d, index, from, to, out, seed, cancel, m);
    for (int p = 0; p < d->nparts; p++)
        wn__rows_fill(&d->rows[p], index + from, to - from, out[p] + (size_t)from * d->bytes[p]);
    return true;
}

/* ------------------------------------------------------------------ one sample */

static bool sample_tensors(wn_dataset *d, wn_tensor **v, char **out) {
    wn__thread *th = wn__self();
    for (int p = 0; p < d->nparts; p++) {
        v[p] = wn__tensor_new(d->dtype[p], d->ndim[p], d->shape[p], NULL);
        if (!v[p]) return wn__fail_memory("dataset_at"), false;
        v[p] = wn__lend(th, v[p]);
        if (!wn_ok(v[p])) return false;
        out[p] = wn__ptr(v[p]);
    }
    return true;
}

wn_list wn_dataset_at(wn_dataset *d, int64_t i) {
    static const char op[] = "dataset_at";
    wn_list none = WN_NO_LIST;
    char *out[WN_MAX_PARTS];
    wn__misfortune m = {.position = -1};
    int64_t n = wn_dataset_count(d), k = i < 0 ? i + n : i;
    if (wn_error() != WN_OK) return none; /* a pending error would be taken for the sample's */
    if (k < 0 || k >= n) {
        wn__fail(WN_E_INDEX, op, "sample %lld is out of range for a dataset of %lld", (long long)i, (long long)n);
        return none;
    }
    wn_tensor **v = wn__lend_array(wn__self(), d->nparts);
    if (!v) return wn__fail_memory(op), none;
    if (!sample_tensors(d, v, out)) return none;
    if (!wn__dataset_fill(d, &k, 0, 1, out, 0, NULL, &m)) {
        wn__fail(m.code, op, "sample %lld: %s", (long long)k, m.why);
        return none;
    }
    return (wn_list){.n = d->nparts, .v = v};
}
