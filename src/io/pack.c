/* Row-major order of strided tensors, piece by piece, so that saving needs no second copy of the data. */
#include "io/pack.h"

#include "base/alloc.h"
#include "engine/block.h"

enum { PIECE = 1 << 16 };

/* Dimensions of size 1 dropped, neighbours that lie as one merged; in bytes, the innermost first. */
typedef struct walk {
    int n;
    int64_t size[WN_MAX_DIMS], stride[WN_MAX_DIMS];
} walk;

static walk walk_of(const wn_tensor *t) {
    walk w = {0};
    int64_t item = (int64_t)wn__dtype_size(t->dtype);
    for (int d = t->ndim - 1; d >= 0; d--) {
        int64_t size = t->shape[d], stride = t->strides[d] * item;
        if (size == 1) continue;
        int last = w.n - 1;
        if (w.n > 0 && stride == w.stride[last] * w.size[last]) {
            w.size[last] *= size;
            continue;
        }
        w.size[w.n] = size;
        w.stride[w.n++] = stride;
    }
    if (w.n == 0) {
        w.size[0] = 1;
        w.stride[0] = item;
        w.n = 1;
    }
    return w;
}

void wn__pack(const wn_tensor *t, const char *base, int64_t first, int64_t n, void *dst) {
    WN_ASSERT(base && dst && first >= 0 && n >= 0 && first <= t->numel - n);
    size_t item = wn__dtype_size(t->dtype);
    if (n <= 0) return;
    if (t->contiguous) {
        memcpy(dst, base + (size_t)first * item, (size_t)n * item);
        return;
    }
    walk w = walk_of(t);
    int64_t index[WN_MAX_DIMS];
    for (int d = 0; d < w.n; d++) {
        index[d] = first % w.size[d];
        first /= w.size[d];
    }
    char *out = dst;
    while (n > 0) {
        const char *src = base;
        for (int d = 0; d < w.n; d++) src += index[d] * w.stride[d];
        int64_t run = w.size[0] - index[0] < n ? w.size[0] - index[0] : n;
        if (w.stride[0] == (int64_t)item) memcpy(out, src, (size_t)run * item);
        else wn__block_now()->elements(item, 1, run, out, 0, (int64_t)item, src, 0, w.stride[0]);
        out += (size_t)run * item;
        n -= run;
        index[0] = 0;
        for (int d = 1; d < w.n && ++index[d] == w.size[d]; d++) index[d] = 0;
    }
}

bool wn__put_elements(wn__writer *w, wn_tensor *t) {
    if (t->numel == 0) return true;
    const char *base = wn__ptr(t);
    if (!base) return wn__fail(WN_E_RUNTIME, w->op, "%s has no data", wn__desc(t)), false;
    size_t item = wn__dtype_size(t->dtype);
    if (t->contiguous) return wn__writer_put(w, base, (size_t)t->numel * item);
    char *piece = wn__new(char, PIECE);
    if (!piece) return wn__fail_memory(w->op), false;
    int64_t step = (int64_t)(PIECE / item);
    bool ok = true;
    for (int64_t at = 0; ok && at < t->numel; at += step) {
        int64_t n = t->numel - at < step ? t->numel - at : step;
        wn__pack(t, base, at, n, piece);
        ok = wn__writer_put(w, piece, (size_t)n * item);
    }
    wn__free(piece);
    return ok;
}

static void swap_bytes(void *p, int64_t n, size_t size) {
    uint16_t *two = p;
    uint32_t *four = p;
    uint64_t *eight = p;
    switch (size) {
    case 2:
        for (int64_t i = 0; i < n; i++) two[i] = __builtin_bswap16(two[i]);
        break;
    case 4:
        for (int64_t i = 0; i < n; i++) four[i] = __builtin_bswap32(four[i]);
        break;
    case 8:
        for (int64_t i = 0; i < n; i++) eight[i] = __builtin_bswap64(eight[i]);
        break;
    default: break;
    }
}

bool wn__read_elements(wn__source *s, wn_tensor *t, bool swap) {
    size_t item = wn__dtype_size(t->dtype);
    if (t->numel == 0) return true;
    char *data = wn__ptr(t);
    if (!wn__source_read(s, data, t->numel * (int64_t)item, "the elements")) return false;
    if (swap) swap_bytes(data, t->numel, item);
    if (t->dtype == WN_BOOL) /* any other byte would be an impossible value to the kernels */
        for (int64_t i = 0; i < t->numel; i++) data[i] = data[i] != 0;
    return true;
}
