/* Copies between equal dtypes whose innermost dimension lies side by side in both tensors, or backwards in the source: rows are moved
 * as bytes. What a slice, cat, roll or flip comes to. */
#include <stdlib.h>
#include "cpu/block.h"
#include "cpu/pool.h"
#include "ops/create/copy_rows.h"

enum { LEAST = 8, WORK = 1 << 16 }; /* bytes of a row that is worth a call; bytes worth a thread's while */

/* Strides in bytes; the last dimension is the row. */
typedef struct rows {
    int ndim;
    int64_t shape[WN_MAX_DIMS], to[WN_MAX_DIMS], from[WN_MAX_DIMS];
    char *dst;
    const char *src;
    size_t size;
    bool backwards;
} rows;

/* Dimensions by the destination's strides, the largest first, neighbours merged where both tensors step alike. */
static void arrange(rows *r, const wn_tensor *dst, const int64_t *to, const int64_t *from, const int *order) {
    r->ndim = 0;
    for (int i = 0; i < dst->ndim; i++) {
        const int d = order[i], last = r->ndim - 1;
        if (dst->shape[d] == 1) continue;
        const bool merge = last >= 0 && r->to[last] == to[d] * dst->shape[d] && r->from[last] == from[d] * dst->shape[d];
        const int at = merge ? last : r->ndim++;
        r->shape[at] = merge ? r->shape[at] * dst->shape[d] : dst->shape[d];
        r->to[at] = to[d];
        r->from[at] = from[d];
    }
}

static void move_rows(void *ctx, int64_t begin, int64_t end, int worker) {
    const rows *r = ctx;
    const wn__block_kernels *kernels = wn__block_now();
    const int row = r->ndim - 1, last = row - 1; /* `last`: rows that follow each other at one distance */
    const int64_t n = r->shape[row], together = last >= 0 ? r->shape[last] : 1, step_to = last >= 0 ? r->to[last] : 0, step_from = last >= 0 ? r->from[last] : 0;
    (void)worker;
    for (int64_t i = begin, count; i < end; i += count) {
        const int64_t at = i % together;
        int64_t rest = i / together, to = at * step_to, from = at * step_from;
        for (int d = last - 1; d >= 0; d--) {
            to += rest % r->shape[d] * r->to[d];
            from += rest % r->shape[d] * r->from[d];
            rest /= r->shape[d];
        }
        count = together - at < end - i ? together - at : end - i;
        if (!r->backwards) kernels->move(count, (size_t)n * r->size, r->dst + to, step_to, r->src + from, step_from);
        for (int64_t k = 0; k < count && r->backwards; k++)
            kernels->reverse(r->size, n, r->dst + to + k * step_to, r->src + from + k * step_from - (n - 1) * (int64_t)r->size);
    }
}

bool wn__copy_rows(wn_tensor *dst, const wn_tensor *src, const int64_t *to, const int64_t *from, const int *order) {
    if (dst->dtype != src->dtype || dst->storage == src->storage) return false;
    const int64_t size = (int64_t)wn__dtype_size(dst->dtype);
    rows r = {.dst = wn__ptr(dst), .src = wn__ptr(src), .size = (size_t)size};
    arrange(&r, dst, to, from, order);
    const int last = r.ndim - 1;
    if (last < 0 || r.to[last] != size || llabs(r.from[last]) != size) return false;
    r.backwards = r.from[last] < 0;
    const int64_t bytes = r.shape[last] * size;
    if ((last == 0 && !r.backwards) || bytes < LEAST) return false;
    int64_t count = 1;
    for (int d = 0; d < last; d++) count *= r.shape[d];
    wn__parallel(count, count * bytes < 4 * WORK ? count : WORK / bytes + 1, move_rows, &r);
    return true;
}
