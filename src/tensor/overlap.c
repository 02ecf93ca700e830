/* Which elements of memory a tensor reaches, and whether two tensors share some. */
#include "tensor/tensor.h"

/* Address range [lo, hi] in elements that t touches; false when it has no elements. */
static bool extent(const wn_tensor *t, int64_t *lo, int64_t *hi) {
    *lo = *hi = t->offset;
    if (t->numel == 0) return false; /* without elements sizes and strides may be anything */
    for (int i = 0; i < t->ndim; i++) {
        int64_t span = (t->shape[i] - 1) * t->strides[i];
        if (span < 0) *lo += span;
        else *hi += span;
    }
    return true;
}

bool wn__overlaps_itself(const wn_tensor *t) {
    WN_ASSERT_ALL(wn__tensor_assert(t));
    if (t->contiguous || t->numel <= 1) return false;
    /* Sort by |stride|: if every dimension steps over all that the smaller ones span, no two indices meet. */
    int order[WN_MAX_DIMS], n = 0;
    for (int i = 0; i < t->ndim; i++) {
        if (t->shape[i] <= 1) continue;
        int64_t si = t->strides[i] < 0 ? -t->strides[i] : t->strides[i];
        int k = n++;
        for (; k > 0; k--) {
            int64_t sk = t->strides[order[k - 1]];
            if ((sk < 0 ? -sk : sk) <= si) break;
            order[k] = order[k - 1];
        }
        order[k] = i;
    }
    int64_t span = 0; /* largest offset reachable with the dimensions seen so far */
    for (int k = 0; k < n; k++) {
        int64_t s = t->strides[order[k]] < 0 ? -t->strides[order[k]] : t->strides[order[k]];
        if (s == 0) return true;
        if (s <= span) return true; /* may overlap; torch ignores this case ("too hard"), we refuse it */
        span += (t->shape[order[k]] - 1) * s;
    }
    return false;
}

/* Beginning at the same place, do both visit the same elements in the same order? Sizes of 1 do not count: x[None] = x. */
static bool same_elements(const wn_tensor *a, const wn_tensor *b) {
    int j = 0;
    for (int i = 0; i < a->ndim; i++) {
        if (a->shape[i] == 1) continue;
        while (j < b->ndim && b->shape[j] == 1) j++;
        if (j == b->ndim || b->shape[j] != a->shape[i] || b->strides[j] != a->strides[i]) return false;
        j++;
    }
    while (j < b->ndim && b->shape[j] == 1) j++;
    return j == b->ndim;
}

int wn__overlap_slow(const wn_tensor *a, const wn_tensor *b) {
    WN_ASSERT(a->storage == b->storage);
    int64_t alo, ahi, blo, bhi;
    if (!extent(a, &alo, &ahi) || !extent(b, &blo, &bhi)) return 0;
    int64_t sa = (int64_t)wn__dtype_size(a->dtype), sb = (int64_t)wn__dtype_size(b->dtype);
    if (ahi * sa + sa <= blo * sb || bhi * sb + sb <= alo * sa) return 0;
    if (a->offset == b->offset && sa == sb && same_elements(a, b)) return 2;
    /* Interleaved views (columns of one matrix, x[0::2] and x[1::2]) share a range but no element when a common step
     * separates them: all offsets of a are alo mod g, all of b blo mod g. */
    if (sa == sb) {
        int64_t g = 0;
        for (int pass = 0; pass < 2; pass++) {
            const wn_tensor *t = pass ? b : a;
            for (int i = 0; i < t->ndim; i++) {
                int64_t x = t->shape[i] > 1 ? (t->strides[i] < 0 ? -t->strides[i] : t->strides[i]) : 0, y = g;
                while (x) {
                    int64_t r = y % x;
                    y = x;
                    x = r;
                }
                g = y;
            }
        }
        if (g > 1 && (alo - blo) % g != 0) return 0;
        /* Two blocks of columns of the same row pitch: compare inside the pitch. */
        int64_t pitch = 0;
        for (int i = 0; i < a->ndim; i++)
            if (a->shape[i] > 1 && (a->strides[i] < 0 ? -a->strides[i] : a->strides[i]) > pitch) pitch = a->strides[i];
        bool shared_pitch = pitch > 0, tall = false;
        for (int i = 0; i < b->ndim; i++) tall |= b->shape[i] > 1 && b->strides[i] == pitch;
        if (shared_pitch && tall && alo >= 0 && blo >= 0) {
            int64_t aw = 0, bw = 0;
            for (int i = 0; i < a->ndim; i++) if (a->shape[i] > 1 && a->strides[i] != pitch) aw += (a->shape[i] - 1) * a->strides[i];
            for (int i = 0; i < b->ndim; i++) if (b->shape[i] > 1 && b->strides[i] != pitch) bw += (b->shape[i] - 1) * b->strides[i];
            int64_t a0 = alo % pitch, b0 = blo % pitch;
            if (aw >= 0 && bw >= 0 && a0 + aw < pitch && b0 + bw < pitch && (a0 + aw < b0 || b0 + bw < a0)) return 0;
        }
    }
    return 1;
}
