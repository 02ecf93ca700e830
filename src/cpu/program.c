/* The block interpreter of kernel programs. */
#include "cpu/program.h"
#include <string.h>
#include "core/alloc.h"
#include "cpu/pool.h"

/* ------------------------------------------------------------------ dimensions */

static int64_t stride_of(const wn__program *p, int view, int dim) {
    return view < p->noutputs ? p->outputs[view].to.strides[dim] : p->leaves[view - p->noutputs].strides[dim];
}
static wn__leaf *view_of(wn__program *p, int view) {
    return view < p->noutputs ? &p->outputs[view].to : &p->leaves[view - p->noutputs];
}
static int64_t magnitude(int64_t x) { return x < 0 ? -x : x; }

/* Should dimension a lie outside b? Decided by the first view (outputs first) that tells them apart. */
static bool outside(const wn__program *p, int a, int b) {
    for (int v = 0; v < p->noutputs + p->nleaves; v++) {
        int64_t sa = magnitude(stride_of(p, v, a)), sb = magnitude(stride_of(p, v, b));
        if (sa == 0 || sb == 0) continue;
        if (sa != sb) return sa > sb;
    }
    return a < b;
}

static void permute(wn__program *p, const int *order, int n) {
    int64_t old[WN_MAX_DIMS];
    memcpy(old, p->shape, sizeof old);
    for (int i = 0; i < n; i++) p->shape[i] = old[order[i]];
    for (int v = 0; v < p->noutputs + p->nleaves; v++) {
        wn__leaf *l = view_of(p, v);
        if (l->constant) continue;
        memcpy(old, l->strides, sizeof old);
        for (int i = 0; i < n; i++) l->strides[i] = old[order[i]];
    }
    p->ndim = n;
}

/* Drops dimensions of size 1, orders the rest by stride and merges neighbours that every view steps through evenly. */
static void simplify(wn__program *p) {
    int order[WN_MAX_DIMS], n = 0;
    for (int d = 0; d < p->ndim; d++) {
        if (p->shape[d] == 1) continue;
        int k = n++;
        for (; k > 0 && outside(p, d, order[k - 1]); k--) order[k] = order[k - 1];
        order[k] = d;
    }
    permute(p, order, n);
    int last = 0;
    for (int d = 1; d < n; d++) {
        bool even = true;
        for (int v = 0; even && v < p->noutputs + p->nleaves; v++) {
            wn__leaf *l = view_of(p, v);
            even = l->constant || l->strides[last] == l->strides[d] * p->shape[d];
        }
        if (!even) last++;
        p->shape[last] = even ? p->shape[last] * p->shape[d] : p->shape[d];
        for (int v = 0; v < p->noutputs + p->nleaves; v++) view_of(p, v)->strides[last] = view_of(p, v)->strides[d];
    }
    if (n == 0) {
        p->ndim = 1;
        p->shape[0] = 1;
        for (int v = 0; v < p->noutputs + p->nleaves; v++) view_of(p, v)->strides[0] = 0;
    } else {
        p->ndim = last + 1;
    }
}

/* ------------------------------------------------------------------ blocks */

typedef struct run {
    wn__program *p;
    const wn__kernels *k;
    int64_t inner, rows; /* blocks lie inside rows of `inner` elements */
    bool flat[WN__MAX_LEAVES + WN__MAX_OUTPUTS]; /* the view is row-major over the whole program */
    uint16_t slot[WN__MAX_LEAVES + WN__MAX_INSTRS]; /* scratch slot of a register */
    int nslots;
    bool failed;
} run;

enum { SLOT_BYTES = WN__BLOCK * 8 };

static bool row_major(const wn__program *p, const wn__leaf *l) {
    int64_t step = (int64_t)wn__dtype_size(l->dtype);
    for (int d = p->ndim - 1; d >= 0; d--) {
        if (l->strides[d] != step) return false;
        step *= p->shape[d];
    }
    return true;
}

/* Walks the pieces of [begin, begin+n) of the row-major order that lie in one innermost run. */
typedef struct piece {
    char *at;
    int64_t n;
} piece;
static piece first_piece(const wn__program *p, const wn__leaf *l, int64_t begin, int64_t n, int64_t *index) {
    char *at = l->base;
    int64_t rest = begin;
    for (int d = p->ndim - 1; d >= 0; d--) {
        index[d] = rest % p->shape[d];
        rest /= p->shape[d];
        at += index[d] * l->strides[d];
    }
    int64_t room = p->shape[p->ndim - 1] - index[p->ndim - 1];
    return (piece){at, room < n ? room : n};
}
static char *next_piece(const wn__program *p, const wn__leaf *l, char *at, int64_t done, int64_t *index) {
    int d = p->ndim - 1;
    at += done * l->strides[d];
    index[d] += done;
    while (d > 0 && index[d] == p->shape[d]) {
        at -= index[d] * l->strides[d];
        index[d--] = 0;
        index[d]++;
        at += l->strides[d];
    }
    return at;
}

static const void *load_leaf(const run *r, int leaf, int64_t begin, int64_t n, char *slot) {
    const wn__program *p = r->p;
    const wn__leaf *l = &p->leaves[leaf];
    if (l->constant) return slot; /* filled once for each worker */
    size_t size = wn__dtype_size(l->dtype);
    bool ready = wn__is_register_form(l->dtype, (wn__ct)l->ct);
    wn__load load = r->k->load[l->ct][l->dtype];
    if (r->flat[p->noutputs + leaf]) {
        char *at = l->base + (size_t)begin * size;
        if (ready) return at;
        load(n, slot, at, (int64_t)size);
        return slot;
    }
    int64_t index[WN_MAX_DIMS], inner = l->strides[p->ndim - 1], esize = (int64_t)wn__ct_size((wn__ct)l->ct);
    piece pc = first_piece(p, l, begin, n, index);
    if (ready && pc.n == n && inner == (int64_t)size) return pc.at;
    for (int64_t done = 0; done < n;) {
        int64_t m = p->shape[p->ndim - 1] - index[p->ndim - 1];
        if (m > n - done) m = n - done;
        load(m, slot + done * esize, pc.at, inner);
        done += m;
        if (done < n) pc.at = next_piece(p, l, pc.at, m, index);
    }
    return slot;
}

/* Where an output's block can be computed straight into memory, that place; else NULL. */
static char *output_place(const run *r, int output, int64_t begin, int64_t n) {
    const wn__program *p = r->p;
    const wn__leaf *l = &p->outputs[output].to;
    if (!wn__is_register_form(l->dtype, (wn__ct)l->ct)) return NULL;
    size_t size = wn__dtype_size(l->dtype);
    if (r->flat[output]) return l->base + (size_t)begin * size;
    int64_t index[WN_MAX_DIMS];
    piece pc = first_piece(p, l, begin, n, index);
    return pc.n == n && l->strides[p->ndim - 1] == (int64_t)size ? pc.at : NULL;
}

static void store_output(const run *r, int output, int64_t begin, int64_t n, const char *src) {
    const wn__program *p = r->p;
    const wn__leaf *l = &p->outputs[output].to;
    wn__store store = r->k->store[l->ct][l->dtype];
    int64_t index[WN_MAX_DIMS], inner = l->strides[p->ndim - 1], esize = (int64_t)wn__ct_size((wn__ct)l->ct);
    piece pc = first_piece(p, l, begin, n, index);
    for (int64_t done = 0; done < n;) {
        int64_t m = p->shape[p->ndim - 1] - index[p->ndim - 1];
        if (m > n - done) m = n - done;
        store(m, pc.at, inner, src + done * esize);
        done += m;
        if (done < n) pc.at = next_piece(p, l, pc.at, m, index);
    }
}

static void run_block(const run *r, int64_t begin, int64_t n, char *scratch) {
    const wn__program *p = r->p;
    const void *reg[WN__MAX_LEAVES + WN__MAX_INSTRS];
    for (int i = 0; i < p->nleaves; i++) reg[i] = load_leaf(r, i, begin, n, scratch + (size_t)r->slot[i] * SLOT_BYTES);
    char *place[WN__MAX_OUTPUTS];
    for (int o = 0; o < p->noutputs; o++) place[o] = output_place(r, o, begin, n);
    for (int i = 0; i < p->ninstrs; i++) {
        const wn__instr *in = &p->instrs[i];
        char *to = scratch + (size_t)r->slot[p->nleaves + i] * SLOT_BYTES;
        /* Only the last instruction writes to memory directly: an earlier one could overwrite an operand still to be read. */
        if (i == p->ninstrs - 1)
            for (int o = 0; o < p->noutputs; o++)
                if (p->outputs[o].src == p->nleaves + i && place[o]) to = place[o];
        const void *src[WN__MAX_SRC];
        for (int s = 0; s < in->nsrc; s++) src[s] = reg[in->src[s]];
        in->fn(n, to, src);
        reg[p->nleaves + i] = to;
    }
    for (int o = 0; o < p->noutputs; o++) {
        const char *src = reg[p->outputs[o].src];
        if (src != place[o]) store_output(r, o, begin, n, src);
    }
}

static void run_rows(void *ctx, int64_t begin, int64_t end, int worker) {
    (void)worker;
    run *r = ctx;
    const wn__program *p = r->p;
    char *scratch = wn__scratch(0, (size_t)r->nslots * SLOT_BYTES);
    if (!scratch) {
        __atomic_store_n(&r->failed, true, __ATOMIC_RELAXED);
        return;
    }
    int64_t longest = end - begin < WN__BLOCK ? end - begin : WN__BLOCK;
    for (int i = 0; i < p->nleaves; i++) {
        const wn__leaf *l = &p->leaves[i];
        if (!l->constant) continue;
        size_t size = wn__ct_size((wn__ct)l->ct);
        char *slot = scratch + (size_t)r->slot[i] * SLOT_BYTES;
        for (int64_t k = 0; k < longest; k++) memcpy(slot + (size_t)k * size, l->base, size);
    }
    for (int64_t at = begin; at < end;) {
        int64_t row_end = (at / r->inner + 1) * r->inner, n = (row_end < end ? row_end : end) - at;
        if (n > WN__BLOCK) n = WN__BLOCK;
        run_block(r, at, n, scratch);
        at += n;
    }
}

bool wn__program_run(wn__program *p) {
    if (p->numel == 0) return true;
    simplify(p);
    run r = {.p = p, .k = wn__kernels_now()};
    bool all_flat = true;
    for (int v = 0; v < p->noutputs + p->nleaves; v++) {
        const wn__leaf *l = view_of(p, v);
        r.flat[v] = !l->constant && row_major(p, l);
        all_flat &= r.flat[v] || l->constant;
    }
    /* Long rows: blocks stay inside a row, so that views broadcast over rows are used in place. Short ones are packed. */
    int64_t inner = p->shape[p->ndim - 1];
    r.inner = all_flat || inner < WN__BLOCK / 4 ? p->numel : inner;
    for (int i = 0; i < p->nleaves + p->ninstrs; i++) r.slot[i] = (uint16_t)r.nslots++;
    /* A worker should have some 20 us to do. */
    int64_t grain = 200000 / (p->cost > 5 ? p->cost : 5);
    grain = grain / WN__BLOCK * WN__BLOCK + WN__BLOCK;
    if (!wn__scratch(0, (size_t)r.nslots * SLOT_BYTES)) return false; /* most failures show before anything is written */
    wn__parallel(p->numel, grain, run_rows, &r);
    atomic_fetch_add_explicit(&wn__elements_computed, p->numel * p->ninstrs, memory_order_relaxed);
    atomic_fetch_add_explicit(&wn__programs_run, 1, memory_order_relaxed);
    return !r.failed;
}
